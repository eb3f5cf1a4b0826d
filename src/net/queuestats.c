// SPDX-License-Identifier: GPL-2.0-only
/* Counters of single queues, as netdev-genl asks for them. */
#include <linux/netdevice.h>

#include "compat/queuestats.h"
#include "txgbe/netdev.h"

static void txgbe_queuestats_get_rx(struct net_device *dev, int idx,
				    struct netdev_queue_stats_rx *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_rxq_sum sum;

	txgbe_stats_get_rxq(fn->vec[idx], &sum);
	stats->packets = sum.packets;
	stats->bytes = sum.bytes;
	stats->alloc_fail = sum.no_skb + sum.no_page;
	stats->csum_bad = sum.csum_bad;
}

static void txgbe_queuestats_get_tx(struct net_device *dev, int idx,
				    struct netdev_queue_stats_tx *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_txq_sum sum;

	txgbe_stats_get_txq(fn->vec[idx], &sum);
	stats->packets = sum.packets;
	stats->bytes = sum.bytes;
	stats->wake = sum.wakes;
}

/* What is the port's, but no queue's: frames sent by XDP. */
static void txgbe_queuestats_get_base(struct net_device *dev, struct netdev_queue_stats_rx *rx,
				      struct netdev_queue_stats_tx *tx)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_txq_sum sum;
	u32 i;

	rx->packets = 0;
	rx->bytes = 0;
	rx->alloc_fail = 0;
	rx->csum_bad = 0;
	tx->packets = 0;
	tx->bytes = 0;
	tx->wake = 0;
	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_stats_get_xdpq(fn->vec[i], &sum);
		tx->packets += sum.packets;
		tx->bytes += sum.bytes;
		tx->wake += sum.wakes;
	}
}

static const struct netdev_stat_ops txgbe_queuestats_ops = {
	.get_queue_stats_rx	= txgbe_queuestats_get_rx,
	.get_queue_stats_tx	= txgbe_queuestats_get_tx,
	.get_base_stats		= txgbe_queuestats_get_base,
};

/**
 * txgbe_queuestats_init_netdev() - offer the counters
 * @dev: net_device, not registered yet
 *
 * Context: Process context.
 */
void txgbe_queuestats_init_netdev(struct net_device *dev)
{
	queuestats_register(dev, &txgbe_queuestats_ops);
}

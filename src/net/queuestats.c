// SPDX-License-Identifier: GPL-2.0-only
/* Counters of single queues, as netdev-genl asks for them. */
#include <linux/netdevice.h>

#include "compat/queuestats.h"
#include "txgbe/netdev.h"

/* The core marks what it is not told; these are told. */
static void txgbe_queuestats_clear_rx(struct netdev_queue_stats_rx *stats)
{
	stats->packets = 0;
	stats->bytes = 0;
	stats->alloc_fail = 0;
	stats->csum_bad = 0;
}

static void txgbe_queuestats_clear_tx(struct netdev_queue_stats_tx *stats)
{
	stats->packets = 0;
	stats->bytes = 0;
	stats->wake = 0;
	stats->hw_gso_packets = 0;
	stats->hw_gso_wire_packets = 0;
}

static void txgbe_queuestats_add_tx(const struct txgbe_txq_sum *sum,
				    struct netdev_queue_stats_tx *stats)
{
	stats->packets += sum->packets;
	stats->bytes += sum->bytes;
	stats->wake += sum->wakes;
	stats->hw_gso_packets += sum->gso;
	stats->hw_gso_wire_packets += sum->gso_segs;
}

static void txgbe_queuestats_add_rx(const struct txgbe_rxq_sum *sum,
				    struct netdev_queue_stats_rx *stats)
{
	stats->packets += sum->packets;
	stats->bytes += sum->bytes;
	stats->alloc_fail += sum->no_skb + sum->no_page;
	stats->csum_bad += sum->csum_bad;
}

static void txgbe_queuestats_get_rx(struct net_device *dev, int idx,
				    struct netdev_queue_stats_rx *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_rxq_sum sum;

	txgbe_stats_get_rxq(fn->vec[idx], &sum);
	txgbe_queuestats_clear_rx(stats);
	txgbe_queuestats_add_rx(&sum, stats);
}

static void txgbe_queuestats_get_tx(struct net_device *dev, int idx,
				    struct netdev_queue_stats_tx *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_txq_sum sum;

	txgbe_stats_get_txq(fn->vec[idx], &sum);
	txgbe_queuestats_clear_tx(stats);
	txgbe_queuestats_add_tx(&sum, stats);
}

/* What is the port's, but no present queue's: frames sent by XDP, and queues that were. */
static void txgbe_queuestats_get_base(struct net_device *dev, struct netdev_queue_stats_rx *rx,
				      struct netdev_queue_stats_tx *tx)
{
	struct txgbe_net *fn = netdev_priv(dev);
	/* Pairs with txgbe_irq_add_vec(). */
	u32 nr = smp_load_acquire(&fn->known_vecs);
	struct txgbe_txq_sum tx_sum;
	struct txgbe_rxq_sum rx_sum;
	u32 i;

	txgbe_queuestats_clear_rx(rx);
	txgbe_queuestats_clear_tx(tx);
	for (i = 0; i < nr; i++) {
		txgbe_stats_get_xdpq(fn->vec[i], &tx_sum);
		txgbe_queuestats_add_tx(&tx_sum, tx);
		if (i < fn->nr_vecs)
			continue;
		txgbe_stats_get_txq(fn->vec[i], &tx_sum);
		txgbe_queuestats_add_tx(&tx_sum, tx);
		txgbe_stats_get_rxq(fn->vec[i], &rx_sum);
		txgbe_queuestats_add_rx(&rx_sum, rx);
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

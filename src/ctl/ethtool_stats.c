// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -S: port counters, driver counters, then those of each queue. Each
 * kind is a table of names and places, so that names and values cannot get
 * out of step. docs/counters.md explains every name.
 */
#include <linux/ethtool.h>
#include <linux/kernel.h>

#include "txgbe/link.h"
#include "txgbe/netdev.h"

#include "ethtool_stats.h"
#include "selftest.h"

struct txgbe_stat {
	const char *name;
	size_t offset;
};

#define TXGBE_STAT(type, member)	{ #member, offsetof(struct type, member) }

/* What no standard group has a place for; see ethtool_groups.c. */
static const struct txgbe_stat txgbe_hw_stat_list[] = {
	TXGBE_STAT(txgbe_hw_stats, rx_xon),
	TXGBE_STAT(txgbe_hw_stats, rx_xoff),
	TXGBE_STAT(txgbe_hw_stats, tx_xon),
	TXGBE_STAT(txgbe_hw_stats, tx_xoff),
	TXGBE_STAT(txgbe_hw_stats, rx_dma_packets),
	TXGBE_STAT(txgbe_hw_stats, rx_dma_bytes),
	TXGBE_STAT(txgbe_hw_stats, rx_no_desc),
	TXGBE_STAT(txgbe_hw_stats, rx_missed),
	TXGBE_STAT(txgbe_hw_stats, rx_flow_match),
	TXGBE_STAT(txgbe_hw_stats, rx_flow_miss),
	TXGBE_STAT(txgbe_hw_stats, tx_dma_packets),
	TXGBE_STAT(txgbe_hw_stats, tx_dma_bytes),
};

/* Counters of the driver for the whole port. */
struct txgbe_port_sum {
	u64 restarts;
	u64 irq_lost;
	u64 link_down_count;
	u64 fw_timeouts;
	u64 arfs_added;
	u64 arfs_removed;
	u64 tx_hwtstamp_skipped;
	u64 tx_hwtstamp_timeouts;
	u64 rx_hwtstamp_cleared;
};

static const struct txgbe_stat txgbe_port_stat_list[] = {
	TXGBE_STAT(txgbe_port_sum, restarts),
	TXGBE_STAT(txgbe_port_sum, irq_lost),
	TXGBE_STAT(txgbe_port_sum, link_down_count),
	TXGBE_STAT(txgbe_port_sum, fw_timeouts),
	TXGBE_STAT(txgbe_port_sum, arfs_added),
	TXGBE_STAT(txgbe_port_sum, arfs_removed),
	TXGBE_STAT(txgbe_port_sum, tx_hwtstamp_skipped),
	TXGBE_STAT(txgbe_port_sum, tx_hwtstamp_timeouts),
	TXGBE_STAT(txgbe_port_sum, rx_hwtstamp_cleared),
};

static const struct txgbe_stat txgbe_txq_stat_list[] = {
	TXGBE_STAT(txgbe_txq_sum, packets),
	TXGBE_STAT(txgbe_txq_sum, bytes),
	TXGBE_STAT(txgbe_txq_sum, wakes),
	TXGBE_STAT(txgbe_txq_sum, dropped),
	TXGBE_STAT(txgbe_txq_sum, map_errors),
	TXGBE_STAT(txgbe_txq_sum, csum_sw),
	TXGBE_STAT(txgbe_txq_sum, busy),
	TXGBE_STAT(txgbe_txq_sum, bad_heads),
};

static const struct txgbe_stat txgbe_rxq_stat_list[] = {
	TXGBE_STAT(txgbe_rxq_sum, packets),
	TXGBE_STAT(txgbe_rxq_sum, bytes),
	TXGBE_STAT(txgbe_rxq_sum, csum_bad),
	TXGBE_STAT(txgbe_rxq_sum, mac_errors),
	TXGBE_STAT(txgbe_rxq_sum, length_errors),
	TXGBE_STAT(txgbe_rxq_sum, no_skb),
	TXGBE_STAT(txgbe_rxq_sum, no_page),
	TXGBE_STAT(txgbe_rxq_sum, xdp_pass),
	TXGBE_STAT(txgbe_rxq_sum, xdp_drop),
	TXGBE_STAT(txgbe_rxq_sum, xdp_tx),
	TXGBE_STAT(txgbe_rxq_sum, xdp_redirect),
	TXGBE_STAT(txgbe_rxq_sum, xdp_aborted),
	TXGBE_STAT(txgbe_rxq_sum, xdp_errors),
};

/* Transmit rings of XDP */
static const struct txgbe_stat txgbe_xdpq_stat_list[] = {
	TXGBE_STAT(txgbe_txq_sum, packets),
	TXGBE_STAT(txgbe_txq_sum, bytes),
	TXGBE_STAT(txgbe_txq_sum, dropped),
	TXGBE_STAT(txgbe_txq_sum, map_errors),
	TXGBE_STAT(txgbe_txq_sum, busy),
	TXGBE_STAT(txgbe_txq_sum, bad_heads),
};

/**
 * txgbe_ethtool_get_sset_count() - number of strings of a set
 * @dev: net_device
 * @sset: ETH_SS_STATS or ETH_SS_TEST
 *
 * Context: Process context, rtnl held.
 * Return: the number; -EOPNOTSUPP for other sets.
 */
int txgbe_ethtool_get_sset_count(struct net_device *dev, int sset)
{
	struct txgbe_net *fn = netdev_priv(dev);

	if (sset == ETH_SS_TEST)
		return txgbe_selftest_count();
	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return ARRAY_SIZE(txgbe_hw_stat_list) + ARRAY_SIZE(txgbe_port_stat_list) +
	       fn->nr_vecs * (ARRAY_SIZE(txgbe_txq_stat_list) +
			      ARRAY_SIZE(txgbe_rxq_stat_list) +
			      ARRAY_SIZE(txgbe_xdpq_stat_list));
}

static void txgbe_ethtool_put_queue_names(u8 **data, const char *dir, u32 queue,
					  const struct txgbe_stat *list, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		ethtool_sprintf(data, "%s_queue_%u_%s", dir, queue, list[i].name);
}

/**
 * txgbe_ethtool_get_strings() - names of the counters, of the self-tests
 * @dev: net_device
 * @sset: ETH_SS_STATS or ETH_SS_TEST, others are ignored
 * @data: room for as many names as txgbe_ethtool_get_sset_count() said
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ethtool_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	struct txgbe_net *fn = netdev_priv(dev);
	u32 i;

	if (sset == ETH_SS_TEST)
		txgbe_selftest_get_names(data);
	if (sset != ETH_SS_STATS)
		return;
	for (i = 0; i < ARRAY_SIZE(txgbe_hw_stat_list); i++)
		ethtool_puts(&data, txgbe_hw_stat_list[i].name);
	for (i = 0; i < ARRAY_SIZE(txgbe_port_stat_list); i++)
		ethtool_puts(&data, txgbe_port_stat_list[i].name);
	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_ethtool_put_queue_names(&data, "tx", i, txgbe_txq_stat_list,
					      ARRAY_SIZE(txgbe_txq_stat_list));
		txgbe_ethtool_put_queue_names(&data, "rx", i, txgbe_rxq_stat_list,
					      ARRAY_SIZE(txgbe_rxq_stat_list));
		txgbe_ethtool_put_queue_names(&data, "xdp", i, txgbe_xdpq_stat_list,
					      ARRAY_SIZE(txgbe_xdpq_stat_list));
	}
}

static u64 *txgbe_ethtool_put_values(u64 *data, const void *from,
				     const struct txgbe_stat *list, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		*data++ = *(const u64 *)(from + list[i].offset);
	return data;
}

static void txgbe_ethtool_get_port_sum(struct txgbe_net *fn, struct txgbe_port_sum *sum)
{
	struct txgbe_link_state link;
	u32 i;

	txgbe_link_get(fn->fd, &link);
	sum->restarts = fn->restarts;
	sum->link_down_count = link.down_count;
	sum->fw_timeouts = fn->fd->fw.timeouts;
	sum->arfs_added = txgbe_arfs_added(&fn->arfs);
	sum->arfs_removed = txgbe_arfs_removed(&fn->arfs);
	sum->tx_hwtstamp_skipped = atomic_long_read(&fn->stamp.skipped);
	sum->tx_hwtstamp_timeouts = fn->stamp.timeouts;
	sum->rx_hwtstamp_cleared = fn->stamp.rx_cleared;
	sum->irq_lost = 0;
	for (i = 0; i < fn->known_vecs; i++)
		sum->irq_lost += READ_ONCE(fn->vec[i]->irq_lost);
}

/**
 * txgbe_ethtool_read_hw_stats() - hardware counters as of now
 * @fn: net part
 * @hw: the totals since probe; of a closed port those of its closing
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_read_hw_stats(struct txgbe_net *fn, struct txgbe_hw_stats *hw)
{
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_stats_hw_refresh(fn);
	txgbe_stats_hw_get(fn, hw);
}

/**
 * txgbe_ethtool_get_stats() - values of the counters
 * @dev: net_device
 * @stats: unused
 * @data: room for as many values as txgbe_ethtool_get_sset_count() said
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_port_sum port;
	struct txgbe_hw_stats hw;
	struct txgbe_txq_sum tx;
	struct txgbe_rxq_sum rx;
	u32 i;

	txgbe_ethtool_read_hw_stats(fn, &hw);
	data = txgbe_ethtool_put_values(data, &hw, txgbe_hw_stat_list,
					ARRAY_SIZE(txgbe_hw_stat_list));
	txgbe_ethtool_get_port_sum(fn, &port);
	data = txgbe_ethtool_put_values(data, &port, txgbe_port_stat_list,
					ARRAY_SIZE(txgbe_port_stat_list));
	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_stats_get_txq(fn->vec[i], &tx);
		data = txgbe_ethtool_put_values(data, &tx, txgbe_txq_stat_list,
						ARRAY_SIZE(txgbe_txq_stat_list));
		txgbe_stats_get_rxq(fn->vec[i], &rx);
		data = txgbe_ethtool_put_values(data, &rx, txgbe_rxq_stat_list,
						ARRAY_SIZE(txgbe_rxq_stat_list));
		txgbe_stats_get_xdpq(fn->vec[i], &tx);
		data = txgbe_ethtool_put_values(data, &tx, txgbe_xdpq_stat_list,
						ARRAY_SIZE(txgbe_xdpq_stat_list));
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/* ethtool -x and -X: which queue a hash selects, and the hash key. */
#include <linux/ethtool.h>
#include <linux/netlink.h>
#include <linux/string.h>

#include "txgbe/hw.h"
#include "txgbe/netdev.h"

#include "ethtool_rss.h"

/**
 * txgbe_ethtool_get_rx_ring_count() - how many queues a table may name
 * @dev: net_device
 *
 * Context: Process context, rtnl held.
 * Return: number of receive rings.
 */
u32 txgbe_ethtool_get_rx_ring_count(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	return fn->nr_vecs;
}

/**
 * txgbe_ethtool_get_rxfh_key_size() - size of the hash key
 * @dev: net_device
 *
 * Context: Process context.
 * Return: bytes.
 */
u32 txgbe_ethtool_get_rxfh_key_size(struct net_device *dev)
{
	return TXGBE_RSS_KEY_BYTES;
}

/**
 * txgbe_ethtool_get_rxfh_indir_size() - size of the table
 * @dev: net_device
 *
 * Context: Process context.
 * Return: entries.
 */
u32 txgbe_ethtool_get_rxfh_indir_size(struct net_device *dev)
{
	return TXGBE_RSS_TABLE_ENTRIES;
}

/**
 * txgbe_ethtool_get_rxfh() - hash function, key and table
 * @dev: net_device
 * @rxfh: filled; the pointers that are NULL are not asked for
 *
 * Context: Process context, rtnl held.
 * Return: 0.
 */
int txgbe_ethtool_get_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh)
{
	struct txgbe_net *fn = netdev_priv(dev);
	u32 i;

	rxfh->hfunc = ETH_RSS_HASH_TOP;
	if (rxfh->key)
		memcpy(rxfh->key, fn->cfg.rss_key, TXGBE_RSS_KEY_BYTES);
	if (rxfh->indir)
		for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES; i++)
			rxfh->indir[i] = fn->cfg.rss_table[i];
	return 0;
}

/**
 * txgbe_ethtool_set_rxfh() - change key and table, live
 * @dev: net_device
 * @rxfh: what to change; the core has checked the table against the ring count
 * @extack: reason of a refusal
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EOPNOTSUPP for a hash function other than Toeplitz.
 */
int txgbe_ethtool_set_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			   struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_cfg *cfg = &fn->cfg;
	u32 i;

	if (rxfh->hfunc != ETH_RSS_HASH_NO_CHANGE && rxfh->hfunc != ETH_RSS_HASH_TOP) {
		NL_SET_ERR_MSG(extack, "the only hash function is toeplitz");
		return -EOPNOTSUPP;
	}

	if (rxfh->key)
		memcpy(cfg->rss_key, rxfh->key, TXGBE_RSS_KEY_BYTES);
	if (rxfh->indir)
		for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES; i++)
			cfg->rss_table[i] = rxfh->indir[i];
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_rss_set(fn->fd, cfg->rss_key, cfg->rss_table, cfg->rss_fields);
	return 0;
}

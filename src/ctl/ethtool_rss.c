// SPDX-License-Identifier: GPL-2.0-only
/* ethtool -x, -X and -N rx-flow-hash: which queue a hash selects, the key, what is hashed. */
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

/* What is hashed of one kind of flow besides its addresses: bits of the register. */
static u32 txgbe_ethtool_rss_field(u32 flow_type)
{
	switch (flow_type) {
	case TCP_V4_FLOW:
		return TXGBE_RSS_FIELD_IPV4_TCP;
	case UDP_V4_FLOW:
		return TXGBE_RSS_FIELD_IPV4_UDP;
	case SCTP_V4_FLOW:
		return TXGBE_RSS_FIELD_IPV4_SCTP;
	case TCP_V6_FLOW:
		return TXGBE_RSS_FIELD_IPV6_TCP;
	case UDP_V6_FLOW:
		return TXGBE_RSS_FIELD_IPV6_UDP;
	case SCTP_V6_FLOW:
		return TXGBE_RSS_FIELD_IPV6_SCTP;
	default:
		return 0;
	}
}

static bool txgbe_ethtool_rss_has_addresses(u32 flow_type)
{
	switch (flow_type) {
	case IPV4_FLOW:
	case AH_ESP_V4_FLOW:
	case AH_V4_FLOW:
	case ESP_V4_FLOW:
	case IPV6_FLOW:
	case AH_ESP_V6_FLOW:
	case AH_V6_FLOW:
	case ESP_V6_FLOW:
		return true;
	default:
		return txgbe_ethtool_rss_field(flow_type);
	}
}

#define TXGBE_RXH_ADDRESSES	(RXH_IP_SRC | RXH_IP_DST)
#define TXGBE_RXH_PORTS		(RXH_L4_B_0_1 | RXH_L4_B_2_3)

/**
 * txgbe_ethtool_get_rxfh_fields() - what is hashed of one kind of flow
 * @dev: net_device
 * @fields: the kind; filled
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EOPNOTSUPP for kinds the chip does not hash.
 */
int txgbe_ethtool_get_rxfh_fields(struct net_device *dev, struct ethtool_rxfh_fields *fields)
{
	struct txgbe_net *fn = netdev_priv(dev);

	if (!txgbe_ethtool_rss_has_addresses(fields->flow_type))
		return -EOPNOTSUPP;
	fields->data = TXGBE_RXH_ADDRESSES;
	if (fn->cfg.rss_fields & txgbe_ethtool_rss_field(fields->flow_type))
		fields->data |= TXGBE_RXH_PORTS;
	return 0;
}

/**
 * txgbe_ethtool_set_rxfh_fields() - hash ports as well as addresses, or addresses only; live
 * @dev: net_device
 * @fields: kind of flow and what to hash
 * @extack: reason of a refusal
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EOPNOTSUPP for kinds the chip does not hash; -EINVAL for sets of
 *	fields that it cannot hash.
 */
int txgbe_ethtool_set_rxfh_fields(struct net_device *dev, const struct ethtool_rxfh_fields *fields,
				  struct netlink_ext_ack *extack)
{
	u32 field = txgbe_ethtool_rss_field(fields->flow_type);
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_cfg *cfg = &fn->cfg;

	if (!txgbe_ethtool_rss_has_addresses(fields->flow_type)) {
		NL_SET_ERR_MSG(extack, "only IP, TCP, UDP and SCTP flows are hashed");
		return -EOPNOTSUPP;
	}
	if (fields->data != TXGBE_RXH_ADDRESSES &&
	    (!field || fields->data != (TXGBE_RXH_ADDRESSES | TXGBE_RXH_PORTS))) {
		NL_SET_ERR_MSG(extack, "what can be hashed is sd, and sdfn of TCP, UDP, SCTP");
		return -EINVAL;
	}

	if (fields->data & TXGBE_RXH_PORTS)
		cfg->rss_fields |= field;
	else
		cfg->rss_fields &= ~field;
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_rss_set(fn->fd, cfg->rss_key, cfg->rss_table, cfg->rss_fields);
	return 0;
}

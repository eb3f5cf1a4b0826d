/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -x, -X and -N rx-flow-hash, see ethtool_rss.c. */
#ifndef TXGBE_ETHTOOL_RSS_H
#define TXGBE_ETHTOOL_RSS_H

#include <linux/types.h>

struct ethtool_rxfh_fields;
struct ethtool_rxfh_param;
struct net_device;
struct netlink_ext_ack;

u32 txgbe_ethtool_get_rx_ring_count(struct net_device *dev);
u32 txgbe_ethtool_get_rxfh_key_size(struct net_device *dev);
u32 txgbe_ethtool_get_rxfh_indir_size(struct net_device *dev);
int txgbe_ethtool_get_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh);
int txgbe_ethtool_set_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			   struct netlink_ext_ack *extack);
int txgbe_ethtool_get_rxfh_fields(struct net_device *dev, struct ethtool_rxfh_fields *fields);
int txgbe_ethtool_set_rxfh_fields(struct net_device *dev, const struct ethtool_rxfh_fields *fields,
				  struct netlink_ext_ack *extack);

#endif /* TXGBE_ETHTOOL_RSS_H */

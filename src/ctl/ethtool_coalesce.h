/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -c, -C and -Q, see ethtool_coalesce.c. */
#ifndef TXGBE_ETHTOOL_COALESCE_H
#define TXGBE_ETHTOOL_COALESCE_H

#include <linux/types.h>

struct ethtool_coalesce;
struct kernel_ethtool_coalesce;
struct net_device;
struct netlink_ext_ack;

int txgbe_ethtool_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			       struct kernel_ethtool_coalesce *kernel_coal,
			       struct netlink_ext_ack *extack);
int txgbe_ethtool_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			       struct kernel_ethtool_coalesce *kernel_coal,
			       struct netlink_ext_ack *extack);
int txgbe_ethtool_get_per_queue_coalesce(struct net_device *dev, u32 queue,
					 struct ethtool_coalesce *coal);
int txgbe_ethtool_set_per_queue_coalesce(struct net_device *dev, u32 queue,
					 struct ethtool_coalesce *coal);

#endif /* TXGBE_ETHTOOL_COALESCE_H */

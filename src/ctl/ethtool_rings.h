/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -g, -G, -l and -L, for the table in ethtool.c. */
#ifndef TXGBE_CTL_ETHTOOL_RINGS_H
#define TXGBE_CTL_ETHTOOL_RINGS_H

#include <linux/types.h>

struct ethtool_channels;
struct ethtool_ringparam;
struct kernel_ethtool_ringparam;
struct net_device;
struct netlink_ext_ack;

void txgbe_ethtool_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
				 struct kernel_ethtool_ringparam *kernel_ring,
				 struct netlink_ext_ack *extack);
int txgbe_ethtool_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
				struct kernel_ethtool_ringparam *kernel_ring,
				struct netlink_ext_ack *extack);
void txgbe_ethtool_get_channels(struct net_device *dev, struct ethtool_channels *ch);
int txgbe_ethtool_set_channels(struct net_device *dev, struct ethtool_channels *ch);

#endif /* TXGBE_CTL_ETHTOOL_RINGS_H */

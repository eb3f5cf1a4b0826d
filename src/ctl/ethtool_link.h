/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations of ethtool_link.c for the table in ethtool.c. */
#ifndef TXGBE_ETHTOOL_LINK_H
#define TXGBE_ETHTOOL_LINK_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>

int txgbe_ethtool_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd);
int txgbe_ethtool_set_link_ksettings(struct net_device *dev,
				     const struct ethtool_link_ksettings *cmd);
int txgbe_ethtool_nway_reset(struct net_device *dev);
int txgbe_ethtool_get_link_ext_state(struct net_device *dev,
				     struct ethtool_link_ext_state_info *info);
void txgbe_ethtool_get_link_ext_stats(struct net_device *dev,
				      struct ethtool_link_ext_stats *stats);
void txgbe_ethtool_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause);
int txgbe_ethtool_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause);
int txgbe_ethtool_get_fecparam(struct net_device *dev, struct ethtool_fecparam *param);
int txgbe_ethtool_set_fecparam(struct net_device *dev, struct ethtool_fecparam *param);
int txgbe_ethtool_set_phys_id(struct net_device *dev, enum ethtool_phys_id_state state);

#endif /* TXGBE_ETHTOOL_LINK_H */

// SPDX-License-Identifier: GPL-2.0-only
/* get_eth_mac_stats and the other standard groups: since 5.13 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void mac(struct net_device *dev, struct ethtool_eth_mac_stats *stats);
void phy(struct net_device *dev, struct ethtool_eth_phy_stats *stats);
void ctrl(struct net_device *dev, struct ethtool_eth_ctrl_stats *stats);
void rmon(struct net_device *dev, struct ethtool_rmon_stats *stats,
	  const struct ethtool_rmon_hist_range **ranges);

const struct ethtool_ops probe = {
	.get_eth_mac_stats = mac,
	.get_eth_phy_stats = phy,
	.get_eth_ctrl_stats = ctrl,
	.get_rmon_stats = rmon,
};

/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -S, the driver's own counters and the standard groups */
#ifndef TXGBE_ETHTOOL_STATS_H
#define TXGBE_ETHTOOL_STATS_H

#include <linux/types.h>

struct ethtool_eth_ctrl_stats;
struct ethtool_eth_mac_stats;
struct ethtool_pause_stats;
struct ethtool_rmon_hist_range;
struct ethtool_rmon_stats;
struct ethtool_stats;
struct net_device;
struct txgbe_hw_stats;
struct txgbe_net;

/* ethtool_stats.c */
void txgbe_ethtool_read_hw_stats(struct txgbe_net *fn, struct txgbe_hw_stats *hw);

int txgbe_ethtool_get_sset_count(struct net_device *dev, int sset);
void txgbe_ethtool_get_strings(struct net_device *dev, u32 sset, u8 *data);
void txgbe_ethtool_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data);

/* ethtool_groups.c */
void txgbe_ethtool_get_eth_mac_stats(struct net_device *dev, struct ethtool_eth_mac_stats *stats);
void txgbe_ethtool_get_eth_ctrl_stats(struct net_device *dev,
				      struct ethtool_eth_ctrl_stats *stats);
void txgbe_ethtool_get_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats);
void txgbe_ethtool_get_rmon_stats(struct net_device *dev, struct ethtool_rmon_stats *stats,
				  const struct ethtool_rmon_hist_range **ranges);

#endif /* TXGBE_ETHTOOL_STATS_H */

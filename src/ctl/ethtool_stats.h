/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -S */
#ifndef TXGBE_ETHTOOL_STATS_H
#define TXGBE_ETHTOOL_STATS_H

#include <linux/types.h>

struct ethtool_stats;
struct net_device;

int txgbe_ethtool_get_sset_count(struct net_device *dev, int sset);
void txgbe_ethtool_get_strings(struct net_device *dev, u32 sset, u8 *data);
void txgbe_ethtool_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data);

#endif /* TXGBE_ETHTOOL_STATS_H */

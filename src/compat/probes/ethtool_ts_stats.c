// SPDX-License-Identifier: GPL-2.0-only
/* get_ts_stats: since 6.10 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void handler(struct net_device *dev, struct ethtool_ts_stats *stats);

const struct ethtool_ops probe = {
	.get_ts_stats = handler,
};

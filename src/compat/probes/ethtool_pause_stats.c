// SPDX-License-Identifier: GPL-2.0-only
/* get_pause_stats: since 5.9 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void handler(struct net_device *dev, struct ethtool_pause_stats *stats);

const struct ethtool_ops probe = {
	.get_pause_stats = handler,
};

// SPDX-License-Identifier: GPL-2.0-only
/* get_link_ext_stats: since 6.3 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void handler(struct net_device *dev, struct ethtool_link_ext_stats *stats);

const struct ethtool_ops probe = {
	.get_link_ext_stats = handler,
};

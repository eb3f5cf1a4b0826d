// SPDX-License-Identifier: GPL-2.0-only
/* get_coalesce and set_coalesce with kernel parameters and extack: since 5.15 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, struct ethtool_coalesce *coal,
	    struct kernel_ethtool_coalesce *kcoal,
	    struct netlink_ext_ack *extack);

const struct ethtool_ops probe = {
	.get_coalesce = handler,
};

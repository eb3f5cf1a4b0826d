// SPDX-License-Identifier: GPL-2.0-only
/* get_link_ext_state: since 5.9 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, struct ethtool_link_ext_state_info *info);

const struct ethtool_ops probe = {
	.get_link_ext_state = handler,
};

// SPDX-License-Identifier: GPL-2.0-only
/* get_rxfh and set_rxfh take a structure: since 6.8 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, struct ethtool_rxfh_param *rxfh);

const struct ethtool_ops probe = {
	.get_rxfh = handler,
};

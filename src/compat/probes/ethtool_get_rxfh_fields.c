// SPDX-License-Identifier: GPL-2.0-only
/* get_rxfh_fields, set_rxfh_fields: since 6.17 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, struct ethtool_rxfh_fields *fields);

const struct ethtool_ops probe = {
	.get_rxfh_fields = handler,
};

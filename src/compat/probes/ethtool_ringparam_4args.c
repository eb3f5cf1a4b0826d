// SPDX-License-Identifier: GPL-2.0-only
/* get_ringparam and set_ringparam with kernel parameters and extack: since 5.17 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void handler(struct net_device *dev, struct ethtool_ringparam *ring,
	     struct kernel_ethtool_ringparam *kring,
	     struct netlink_ext_ack *extack);

const struct ethtool_ops probe = {
	.get_ringparam = handler,
};

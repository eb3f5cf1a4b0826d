// SPDX-License-Identifier: GPL-2.0-only
/* ndo_hwtstamp_get and ndo_hwtstamp_set: since 6.6. Only steers hwstamp.h */
#include <linux/netdevice.h>
#include <linux/net_tstamp.h>

int handler(struct net_device *dev, struct kernel_hwtstamp_config *config,
	    struct netlink_ext_ack *extack);

const struct net_device_ops probe = {
	.ndo_hwtstamp_set = handler,
};

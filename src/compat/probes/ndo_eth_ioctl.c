// SPDX-License-Identifier: GPL-2.0-only
/* ndo_eth_ioctl apart from ndo_do_ioctl: since 5.15 */
#include <linux/netdevice.h>

const struct net_device_ops probe = {
	.ndo_eth_ioctl = NULL,
};

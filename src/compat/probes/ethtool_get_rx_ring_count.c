// SPDX-License-Identifier: GPL-2.0-only
/* get_rx_ring_count: since 6.19 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

u32 handler(struct net_device *dev);

const struct ethtool_ops probe = {
	.get_rx_ring_count = handler,
};

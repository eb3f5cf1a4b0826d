// SPDX-License-Identifier: GPL-2.0-only
/* ndo_tx_timeout is told the queue: since 5.6. Only steers net.h */
#include <linux/netdevice.h>

void handler(struct net_device *dev, unsigned int queue);

const struct net_device_ops probe = {
	.ndo_tx_timeout = handler,
};

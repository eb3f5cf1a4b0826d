// SPDX-License-Identifier: GPL-2.0-only
/* netif_set_real_num_queues(): since 5.15 */
#include <linux/netdevice.h>

void probe(struct net_device *dev);
void probe(struct net_device *dev)
{
	netif_set_real_num_queues(dev, 1, 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/* netif_set_tso_max_size(): since 6.0 */
#include <linux/netdevice.h>

void probe(struct net_device *dev);
void probe(struct net_device *dev)
{
	netif_set_tso_max_size(dev, 65536);
}

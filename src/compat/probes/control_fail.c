// SPDX-License-Identifier: GPL-2.0-only
/* Must not compile in any tree: no kernel has such a function. */
#include <linux/netdevice.h>

void probe(struct net_device *dev);
void probe(struct net_device *dev)
{
	netif_no_such_function(dev);
}

// SPDX-License-Identifier: GPL-2.0-only
/* netif_queue_set_napi(): since 6.8 */
#include <linux/netdevice.h>

void probe(struct net_device *dev, struct napi_struct *napi);
void probe(struct net_device *dev, struct napi_struct *napi)
{
	netif_queue_set_napi(dev, 0, NETDEV_QUEUE_TYPE_RX, napi);
}

// SPDX-License-Identifier: GPL-2.0-only
/* netif_napi_add_config(), settings that outlive the NAPI instance: since 6.13 */
#include <linux/netdevice.h>

void probe(struct net_device *dev, struct napi_struct *napi,
	   int (*poll)(struct napi_struct *napi, int budget));
void probe(struct net_device *dev, struct napi_struct *napi,
	   int (*poll)(struct napi_struct *napi, int budget))
{
	netif_napi_add_config(dev, napi, poll, 0);
}

// SPDX-License-Identifier: GPL-2.0-only
/* napi_enable_locked(), netif_napi_add_config_locked() and the like: since 6.15 */
#include <linux/netdevice.h>

void probe(struct net_device *dev, struct napi_struct *napi,
	   int (*poll)(struct napi_struct *napi, int budget));
void probe(struct net_device *dev, struct napi_struct *napi,
	   int (*poll)(struct napi_struct *napi, int budget))
{
	netif_napi_add_config_locked(dev, napi, poll, 0);
	netif_napi_set_irq_locked(napi, 1);
	napi_enable_locked(napi);
	napi_disable_locked(napi);
	__netif_napi_del_locked(napi);
}

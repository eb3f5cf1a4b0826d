// SPDX-License-Identifier: GPL-2.0-only
/* netif_napi_set_irq(): since 6.8 */
#include <linux/netdevice.h>

void probe(struct napi_struct *napi);
void probe(struct napi_struct *napi)
{
	netif_napi_set_irq(napi, 1);
}

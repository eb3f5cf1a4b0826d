// SPDX-License-Identifier: GPL-2.0-only
/* __netif_napi_del(), which leaves the grace period to the caller: since 5.10 */
#include <linux/netdevice.h>

void probe(struct napi_struct *napi);
void probe(struct napi_struct *napi)
{
	__netif_napi_del(napi);
}

// SPDX-License-Identifier: GPL-2.0-only
/* napi_schedule() tells whether it did: since 6.7 */
#include <linux/netdevice.h>

bool probe(struct napi_struct *napi);
bool probe(struct napi_struct *napi)
{
	return napi_schedule(napi);
}

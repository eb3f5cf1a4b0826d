// SPDX-License-Identifier: GPL-2.0-only
/* page_pool_enable_direct_recycling(): since 6.16. Only steers rxpool.h */
#include <net/page_pool/helpers.h>

void probe(struct page_pool *pool, struct napi_struct *napi);
void probe(struct page_pool *pool, struct napi_struct *napi)
{
	page_pool_enable_direct_recycling(pool, napi);
}

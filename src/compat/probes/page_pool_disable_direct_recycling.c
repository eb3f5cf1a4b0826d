// SPDX-License-Identifier: GPL-2.0-only
/* page_pool_disable_direct_recycling(): since 6.9. Only steers rxpool.h */
#include <net/page_pool/helpers.h>

void probe(struct page_pool *pool);
void probe(struct page_pool *pool)
{
	page_pool_disable_direct_recycling(pool);
}

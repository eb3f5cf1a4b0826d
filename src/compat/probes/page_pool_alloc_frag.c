// SPDX-License-Identifier: GPL-2.0-only
/* page_pool_alloc_frag(): since 5.15. Only steers rxpool.h */
#include <net/page_pool/helpers.h>

struct page *probe(struct page_pool *pool, unsigned int *offset);
struct page *probe(struct page_pool *pool, unsigned int *offset)
{
	return page_pool_alloc_frag(pool, offset, 2048, GFP_KERNEL);
}

// SPDX-License-Identifier: GPL-2.0-only
/* page_pool_params.napi: since 6.4. Only steers rxpool.h */
#include <net/page_pool/helpers.h>

void probe(struct page_pool_params *params, struct napi_struct *napi);
void probe(struct page_pool_params *params, struct napi_struct *napi)
{
	params->napi = napi;
}

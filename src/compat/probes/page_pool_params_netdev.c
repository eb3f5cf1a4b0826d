// SPDX-License-Identifier: GPL-2.0-only
/* page_pool_params.netdev and .queue_idx: since 6.12. Only steers rxpool.h */
#include <net/page_pool/helpers.h>

void probe(struct page_pool_params *params, struct net_device *dev);
void probe(struct page_pool_params *params, struct net_device *dev)
{
	params->netdev = dev;
	params->queue_idx = 0;
}

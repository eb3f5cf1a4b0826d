// SPDX-License-Identifier: GPL-2.0-only
/* xsk_buff_dma_sync_for_cpu() without the pool: since 6.10 */
#include <net/xdp_sock_drv.h>

void probe(struct xdp_buff *xdp);
void probe(struct xdp_buff *xdp)
{
	xsk_buff_dma_sync_for_cpu(xdp);
}

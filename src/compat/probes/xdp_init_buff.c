// SPDX-License-Identifier: GPL-2.0-only
/* xdp_init_buff(), xdp_prepare_buff(): since 5.12 */
#include <net/xdp.h>

void probe(struct xdp_buff *xdp, struct xdp_rxq_info *rxq, void *va);
void probe(struct xdp_buff *xdp, struct xdp_rxq_info *rxq, void *va)
{
	xdp_init_buff(xdp, 4096, rxq);
	xdp_prepare_buff(xdp, va, 256, 60, true);
}

// SPDX-License-Identifier: GPL-2.0-only
/* xdp_buff.frame_sz: since 5.8. Only steers xdp.h */
#include <net/xdp.h>

void probe(struct xdp_buff *xdp);
void probe(struct xdp_buff *xdp)
{
	xdp->frame_sz = 4096;
}

// SPDX-License-Identifier: GPL-2.0-only
/* xsk_buff_set_size(): since 5.18 */
#include <net/xdp_sock_drv.h>

void probe(struct xdp_buff *xdp);
void probe(struct xdp_buff *xdp)
{
	xsk_buff_set_size(xdp, 60);
}

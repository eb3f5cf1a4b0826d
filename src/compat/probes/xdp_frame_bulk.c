// SPDX-License-Identifier: GPL-2.0-only
/* xdp_return_frame_bulk(), xdp_flush_frame_bulk(): since 5.11 */
#include <net/xdp.h>

void probe(struct xdp_frame *xdpf);
void probe(struct xdp_frame *xdpf)
{
	struct xdp_frame_bulk bq;

	xdp_frame_bulk_init(&bq);
	xdp_return_frame_bulk(xdpf, &bq);
	xdp_flush_frame_bulk(&bq);
}

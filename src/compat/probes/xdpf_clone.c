// SPDX-License-Identifier: GPL-2.0-only
/*
 * xdpf_clone(): since 5.14. It needs what came with 5.13, that the caller of
 * ndo_xdp_xmit frees the frames that were not sent. Only steers xdpbuf.h
 */
#include <net/xdp.h>

struct xdp_frame *probe(struct xdp_frame *xdpf);
struct xdp_frame *probe(struct xdp_frame *xdpf)
{
	return xdpf_clone(xdpf);
}

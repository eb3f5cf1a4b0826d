// SPDX-License-Identifier: GPL-2.0-only
/* Frames of several buffers: since 5.18. Only steers xdp.h and xdpbuf.h */
#include <linux/bpf.h>
#include <net/xdp.h>

bool probe(struct xdp_buff *xdp, struct xdp_frame *xdpf, struct bpf_prog *prog);
bool probe(struct xdp_buff *xdp, struct xdp_frame *xdpf, struct bpf_prog *prog)
{
	xdp_buff_set_frags_flag(xdp);
	return xdp_buff_has_frags(xdp) && xdp_frame_has_frags(xdpf) &&
	       xdp_get_buff_len(xdp) == xdp_get_frame_len(xdpf) && prog->aux->xdp_has_frags;
}

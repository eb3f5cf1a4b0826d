/* SPDX-License-Identifier: GPL-2.0-only */
/* What xdp.c and xsk.c share: one poll with a program. */
#ifndef TXGBE_NET_XDP_H
#define TXGBE_NET_XDP_H

#include <net/xdp.h>

#include "txgbe/ring.h"

/* Frames of one poll that are queued under one lock */
#define TXGBE_XDP_BULK		16

/**
 * struct txgbe_xdp_buff - one frame, as a program's hints find it
 * @xdp: what the program gets
 * @desc: last descriptor of the frame
 */
struct txgbe_xdp_buff {
	struct xdp_buff xdp;
	const union txgbe_rx_desc *desc;
};

static_assert(offsetof(struct txgbe_xdp_buff, xdp) == 0);

/**
 * struct txgbe_xdp_run - one poll with a program
 * @vec: vector
 * @prog: program; NULL only with memory of sockets
 * @own: frames to be sent back are in buffers of the port's own page pool
 * @nr_tx: frames in @tx
 * @tx: frames to be sent back
 * @packets: frames received
 * @bytes: their bytes
 * @pass: how many frames came to which end, see struct txgbe_rxq_stats
 * @drop: same
 * @sent: same
 * @redirect: same
 * @aborted: same
 * @errors: same
 */
struct txgbe_xdp_run {
	struct txgbe_vec *vec;
	struct bpf_prog *prog;
	bool own;
	u32 nr_tx;
	struct xdp_frame *tx[TXGBE_XDP_BULK];
	u32 packets;
	u32 bytes;
	u32 pass;
	u32 drop;
	u32 sent;
	u32 redirect;
	u32 aborted;
	u32 errors;
};

void txgbe_xdp_add_tx(struct txgbe_xdp_run *run, struct xdp_frame *xdpf);
void txgbe_xdp_finish(struct txgbe_xdp_run *run);

#endif /* TXGBE_NET_XDP_H */

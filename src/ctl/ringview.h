/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a ring as plain numbers, for devlink health and debugfs. */
#ifndef TXGBE_CTL_RINGVIEW_H
#define TXGBE_CTL_RINGVIEW_H

#include <linux/types.h>

struct txgbe_net;

/**
 * struct txgbe_ringview - one ring, both sides' idea of it
 * @size: descriptors
 * @use: next descriptor the driver fills
 * @clean: oldest descriptor the driver has not taken back
 * @owned: descriptors in between, the device's
 * @head: transmit: what the device wrote into host memory; receive: @hw_rp
 * @hw_wp: the device's registers, all ones if it is gone
 * @hw_rp: its read pointer
 * @hw_cfg: its configuration
 * @stopped: transmit: the stack's queue is stopped, XDP: nothing is taken;
 *	receive: too few buffers
 * @stuck: transmit: seconds that nothing moved; receive: frames wait that no
 *	poll has taken
 */
struct txgbe_ringview {
	u32 size;
	u32 use;
	u32 clean;
	u32 owned;
	u32 head;
	u32 hw_wp;
	u32 hw_rp;
	u32 hw_cfg;
	bool stopped;
	u32 stuck;
};

bool txgbe_ringview_tx(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view);
bool txgbe_ringview_xdp(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view);
bool txgbe_ringview_rx(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view);

#endif /* TXGBE_CTL_RINGVIEW_H */

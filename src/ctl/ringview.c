// SPDX-License-Identifier: GPL-2.0-only
/* The state of a ring as plain numbers, for devlink health and debugfs. */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "hw/desc.h"
#include "hw/regs.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"
#include "txgbe/ring.h"

#include "ringview.h"

static bool txgbe_ringview_txr(struct txgbe_dev *fd, const struct txgbe_tx_ring *txr,
			       struct txgbe_ringview *view)
{
	ASSERT_RTNL();
	if (!txr)
		return false;
	*view = (struct txgbe_ringview) {
		.size = txr->size,
		.use = READ_ONCE(txr->use_idx),
		.clean = READ_ONCE(txr->clean_idx),
		.owned = txgbe_tx_pending(txr),
		.head = le32_to_cpu(READ_ONCE(*txr->head)),
		.hw_wp = txgbe_rd32(fd, TXGBE_PX_TR_WP(txr->idx)),
		.hw_rp = txgbe_rd32(fd, TXGBE_PX_TR_RP(txr->idx)),
		.hw_cfg = txgbe_rd32(fd, TXGBE_PX_TR_CFG(txr->idx)),
		.stopped = txr->txq ? netif_tx_queue_stopped(txr->txq) : READ_ONCE(txr->off),
		.stuck = READ_ONCE(txr->stuck_ticks),
	};
	return true;
}

/**
 * txgbe_ringview_tx() - look at a transmit ring
 * @fn: net part
 * @queue: queue, 0..fn->nr_vecs - 1
 * @view: what was seen; a running ring moves meanwhile
 *
 * Context: Process context, rtnl held: it keeps the rings there.
 * Return: false if the port is closed and there is no ring.
 */
bool txgbe_ringview_tx(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view)
{
	return txgbe_ringview_txr(fn->fd, fn->vec[queue]->txr, view);
}

/**
 * txgbe_ringview_xdp() - look at a transmit ring of XDP
 * @fn: net part
 * @queue: queue, 0..fn->nr_vecs - 1
 * @view: what was seen; a running ring moves meanwhile
 *
 * Context: Process context, rtnl held: it keeps the rings there.
 * Return: false if the port is closed and there is no ring.
 */
bool txgbe_ringview_xdp(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view)
{
	return txgbe_ringview_txr(fn->fd, fn->vec[queue]->xdpr, view);
}

/**
 * txgbe_ringview_rx() - look at a receive ring
 * @fn: net part
 * @queue: queue, 0..fn->nr_vecs - 1
 * @view: what was seen; a running ring moves meanwhile
 *
 * Context: Process context, rtnl held: it keeps the rings there.
 * Return: false if the port is closed and there is no ring.
 */
bool txgbe_ringview_rx(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view)
{
	struct txgbe_rx_ring *rxr = fn->vec[queue]->rxr;
	struct txgbe_dev *fd = fn->fd;
	u32 clean;

	ASSERT_RTNL();
	if (!rxr)
		return false;
	clean = READ_ONCE(rxr->clean_idx);
	*view = (struct txgbe_ringview) {
		.size = rxr->size,
		.use = READ_ONCE(rxr->use_idx),
		.clean = clean,
		.owned = txgbe_rx_owned(rxr),
		.hw_wp = txgbe_rd32(fd, TXGBE_PX_RR_WP(rxr->idx)),
		.hw_rp = txgbe_rd32(fd, TXGBE_PX_RR_RP(rxr->idx)),
		.hw_cfg = txgbe_rd32(fd, TXGBE_PX_RR_CFG(rxr->idx)),
		.stuck = !!(READ_ONCE(rxr->desc[clean].wb.status) &
			    cpu_to_le32(TXGBE_RXD_STA_DD)),
	};
	view->head = view->hw_rp;
	view->stopped = view->owned < TXGBE_RX_STARVED_DESC;
	return true;
}

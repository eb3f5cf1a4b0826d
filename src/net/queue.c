// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop of the hardware rings (reference 11 section 3, 12 section 2).
 *
 * Configuration registers are written whole and never OR-ed onto what is
 * there: size bits of the time before would survive.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/netdevice.h>

#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#define TXGBE_QUEUE_ENABLE_STEP_US	1000
#define TXGBE_QUEUE_ENABLE_LIMIT_US	10000
#define TXGBE_QUEUE_DISABLE_STEP_US	10
#define TXGBE_QUEUE_DISABLE_LIMIT_US	100
/* On a running port: as DPDK waits for a ring to stop, and afterwards. */
#define TXGBE_QUEUE_STOP_STEP_US	100
#define TXGBE_QUEUE_STOP_LIMIT_US	10000
#define TXGBE_QUEUE_QUIET_US		100

/* The field counts in steps and has 0 for the largest ring, 64 steps. */
static u32 txgbe_queue_size_code(u32 nr_desc)
{
	return nr_desc / TXGBE_RING_STEP_DESC % (TXGBE_RING_MAX_DESC / TXGBE_RING_STEP_DESC);
}

/* ---- Transmit ---------------------------------------------------------- */

static int txgbe_queue_start_one_tx(struct txgbe_net *fn, struct txgbe_tx_ring *txr)
{
	struct txgbe_dev *fd = fn->fd;
	u32 i = txr->idx;
	u32 cfg, val;
	int err;

	/* A head of the time before would free frames that were not sent. */
	WRITE_ONCE(*txr->head, 0);

	txgbe_wr32(fd, TXGBE_PX_TR_CFG(i), TXGBE_PX_TR_CFG_SWFLSH);
	txgbe_flush(fd);
	txgbe_wr32(fd, TXGBE_PX_TR_BAL(i), lower_32_bits(txr->dma));
	txgbe_wr32(fd, TXGBE_PX_TR_BAH(i), upper_32_bits(txr->dma));
	txgbe_wr32(fd, TXGBE_PX_TR_RP(i), 0);
	txgbe_wr32(fd, TXGBE_PX_TR_WP(i), 0);
	txgbe_wr32(fd, TXGBE_PX_TR_HEAD_ADDRL(i), lower_32_bits(txr->head_dma));
	txgbe_wr32(fd, TXGBE_PX_TR_HEAD_ADDRH(i), upper_32_bits(txr->head_dma));

	cfg = TXGBE_PX_TR_CFG_EN | TXGBE_PX_TR_CFG_HEAD_WB |
	      FIELD_PREP(TXGBE_PX_TR_CFG_SIZE, txgbe_queue_size_code(txr->size)) |
	      FIELD_PREP(TXGBE_PX_TR_CFG_WTHRESH, TXGBE_PX_TR_CFG_WTHRESH_DEFAULT);
	txgbe_wr32(fd, TXGBE_PX_TR_CFG(i), cfg);

	err = txgbe_poll32(fd, TXGBE_PX_TR_CFG(i), val, val & TXGBE_PX_TR_CFG_EN,
			   TXGBE_QUEUE_ENABLE_STEP_US, TXGBE_QUEUE_ENABLE_LIMIT_US);
	if (err)
		netdev_err(fn->netdev, "tx ring %u not enabled within %u us: %d\n",
			   i, TXGBE_QUEUE_ENABLE_LIMIT_US, err);
	return err;
}

/**
 * txgbe_queue_start_tx() - program and enable all transmit rings
 * @fn: net part; rings are empty, the transmit gate is open
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ETIMEDOUT if a ring does not report to be enabled; -ENODEV.
 */
int txgbe_queue_start_tx(struct txgbe_net *fn)
{
	int err;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		err = txgbe_queue_start_one_tx(fn, fn->vec[i]->txr);
		if (!err)
			err = txgbe_queue_start_one_tx(fn, fn->vec[i]->xdpr);
		if (err)
			return err;
	}
	return 0;
}

/**
 * txgbe_queue_stop_tx() - disable all transmit rings
 * @fn: net part
 *
 * Context: Process context, rtnl held.
 */
void txgbe_queue_stop_tx(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_wr32(fn->fd, TXGBE_PX_TR_CFG(i), TXGBE_PX_TR_CFG_SWFLSH);
		txgbe_wr32(fn->fd, TXGBE_PX_TR_CFG(TXGBE_XDP_RING(i)), TXGBE_PX_TR_CFG_SWFLSH);
	}
}

/*
 * One ring of a running port. What it had fetched may still be written back
 * for a moment after it says that it is off.
 */
static int txgbe_queue_stop_one_tx(struct txgbe_net *fn, u32 i)
{
	u32 val;
	int err;

	txgbe_wr32(fn->fd, TXGBE_PX_TR_CFG(i), TXGBE_PX_TR_CFG_SWFLSH);
	err = txgbe_poll32(fn->fd, TXGBE_PX_TR_CFG(i), val, !(val & TXGBE_PX_TR_CFG_EN),
			   TXGBE_QUEUE_STOP_STEP_US, TXGBE_QUEUE_STOP_LIMIT_US);
	fsleep(TXGBE_QUEUE_QUIET_US);
	return err;
}

/* Stop, empty and start one ring; nobody else uses it. */
static int txgbe_queue_restart_txr(struct txgbe_net *fn, struct txgbe_tx_ring *txr)
{
	int err = txgbe_queue_stop_one_tx(fn, txr->idx);

	if (err)
		return err;
	if (txr->txq)
		txgbe_tx_drain(txr);
	else
		txgbe_xdp_drain(txr);
	return txgbe_queue_start_one_tx(fn, txr);
}

/* The same for the ring of XDP, which nobody fills meanwhile. */
static int txgbe_queue_restart_xdp(struct txgbe_net *fn, struct txgbe_tx_ring *xdpr)
{
	int err;

	spin_lock_bh(&xdpr->lock);
	xdpr->off = true;
	spin_unlock_bh(&xdpr->lock);
	err = txgbe_queue_restart_txr(fn, xdpr);
	spin_lock_bh(&xdpr->lock);
	xdpr->off = err;
	spin_unlock_bh(&xdpr->lock);
	return err;
}

/**
 * txgbe_queue_restart_tx() - empty one transmit queue and start it afresh, and
 * its ring of XDP if anything waits there
 * @fn: net part, up
 * @queue: queue number
 *
 * The other queues and the link go on. Frames that were not sent are dropped
 * and counted.
 *
 * Context: Process context, sleeps up to 40 ms, rtnl held.
 * Return: 0; -ETIMEDOUT if a ring does not follow its enable bit, it is off
 *	and its queue stopped then and the port has to be reset; -ENODEV.
 */
int txgbe_queue_restart_tx(struct txgbe_net *fn, u32 queue)
{
	struct txgbe_vec *vec = fn->vec[queue];
	struct txgbe_tx_ring *txr = vec->txr;
	int err;

	napi_disable(&vec->napi);
	txgbe_tx_clean(txr, 0);
	__netif_tx_lock_bh(txr->txq);
	netif_tx_stop_queue(txr->txq);
	__netif_tx_unlock_bh(txr->txq);

	err = txgbe_queue_restart_txr(fn, txr);
	if (!err && txgbe_tx_pending(vec->xdpr))
		err = txgbe_queue_restart_xdp(fn, vec->xdpr);

	napi_enable(&vec->napi);
	/* Interrupts that came meanwhile left the vector masked. */
	local_bh_disable();
	napi_schedule(&vec->napi);
	local_bh_enable();
	if (!err) {
		WRITE_ONCE(txr->txq->trans_start, jiffies);
		netif_tx_wake_queue(txr->txq);
	}
	return err;
}

/* ---- Receive ----------------------------------------------------------- */

/* Not an error of ours when it times out: the LAN reset follows. */
static int txgbe_queue_stop_one_rx(struct txgbe_net *fn, u32 i)
{
	u32 val = txgbe_rd32(fn->fd, TXGBE_PX_RR_CFG(i));

	if (!txgbe_present(fn->fd))
		return -ENODEV;
	if (!(val & TXGBE_PX_RR_CFG_EN))
		return 0;

	txgbe_wr32(fn->fd, TXGBE_PX_RR_CFG(i), val & ~TXGBE_PX_RR_CFG_EN);
	return txgbe_poll32(fn->fd, TXGBE_PX_RR_CFG(i), val, !(val & TXGBE_PX_RR_CFG_EN),
			    TXGBE_QUEUE_DISABLE_STEP_US, TXGBE_QUEUE_DISABLE_LIMIT_US);
}

/* A ring that is full must not block the others, unless the partner is told to
 * stop: then the buffer has to fill for that to happen.
 */
static bool txgbe_queue_drops(const struct txgbe_net *fn)
{
	struct txgbe_link_want want;

	txgbe_link_get_want(fn->fd, &want);
	return fn->nr_vecs > 1 && !want.tx_pause;
}

static u32 txgbe_queue_rx_cfg(const struct txgbe_net *fn, const struct txgbe_rx_ring *rxr)
{
	u32 cfg = FIELD_PREP(TXGBE_PX_RR_CFG_SIZE, txgbe_queue_size_code(rxr->size)) |
		  FIELD_PREP(TXGBE_PX_RR_CFG_BUF_SZ, rxr->buf_kib) |
		  FIELD_PREP(TXGBE_PX_RR_CFG_HDR_SZ, 4) |	/* as in-tree; unused */
		  FIELD_PREP(TXGBE_PX_RR_CFG_THER, 1) |		/* as in-tree */
		  TXGBE_PX_RR_CFG_DESC_MERGE;

	if (txgbe_queue_drops(fn))
		cfg |= TXGBE_PX_RR_CFG_DROP_EN;
	if (rxr->strip)
		cfg |= TXGBE_PX_RR_CFG_VLAN_STRIP;
	return cfg;
}

static int txgbe_queue_start_one_rx(struct txgbe_net *fn, struct txgbe_rx_ring *rxr)
{
	struct txgbe_dev *fd = fn->fd;
	u32 i = rxr->idx;
	u32 cfg, val;
	int err;

	rxr->strip = fn->netdev->features & NETIF_F_HW_VLAN_CTAG_RX;
	cfg = txgbe_queue_rx_cfg(fn, rxr);
	err = txgbe_queue_stop_one_rx(fn, i);
	if (err)
		goto err_log;

	txgbe_wr32(fd, TXGBE_PX_RR_BAL(i), lower_32_bits(rxr->dma));
	txgbe_wr32(fd, TXGBE_PX_RR_BAH(i), upper_32_bits(rxr->dma));
	txgbe_wr32(fd, TXGBE_PX_RR_CFG(i), cfg);
	txgbe_wr32(fd, TXGBE_PX_RR_RP(i), 0);
	txgbe_wr32(fd, TXGBE_PX_RR_WP(i), 0);
	txgbe_wr32(fd, TXGBE_PX_RR_CFG(i), cfg | TXGBE_PX_RR_CFG_EN);
	err = txgbe_poll32(fd, TXGBE_PX_RR_CFG(i), val, val & TXGBE_PX_RR_CFG_EN,
			   TXGBE_QUEUE_ENABLE_STEP_US, TXGBE_QUEUE_ENABLE_LIMIT_US);
	if (err)
		goto err_log;

	txgbe_rx_refill(rxr, rxr->size - 1, GFP_KERNEL);
	/* A socket gives its buffers when it likes. */
	if (txgbe_rx_owned(rxr) < TXGBE_RX_STARVED_DESC && !rxr->xsk_pool)
		return -ENOMEM;
	return 0;

err_log:
	netdev_err(fn->netdev, "rx ring %u not started: %d\n", i, err);
	return err;
}

/**
 * txgbe_queue_start_rx() - program, enable and fill all receive rings
 * @fn: net part; rings are empty, the receive gate is still closed,
 *	txgbe_mac_init_buffers() has programmed what descriptor merge wants
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ETIMEDOUT if a ring does not follow its enable bit; -ENOMEM
 *	without buffers; -ENODEV.
 */
int txgbe_queue_start_rx(struct txgbe_net *fn)
{
	int err;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		err = txgbe_queue_start_one_rx(fn, fn->vec[i]->rxr);
		if (err)
			return err;
	}
	return 0;
}

/**
 * txgbe_queue_update_drop() - follow a change of transmit pause
 * @fn: net part; nothing happens if it is down
 *
 * The in-tree driver writes this bit of running rings, too.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_queue_update_drop(struct txgbe_net *fn)
{
	u32 drop = txgbe_queue_drops(fn) ? TXGBE_PX_RR_CFG_DROP_EN : 0;
	u32 i;

	if (!test_bit(TXGBE_NET_UP, &fn->state))
		return;
	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_rmw32(fn->fd, TXGBE_PX_RR_CFG(fn->vec[i]->rxr->idx),
			    TXGBE_PX_RR_CFG_DROP_EN, drop);
}

/**
 * txgbe_queue_set_strip() - take VLAN tags out of frames or leave them in, live
 * @fn: net part, started
 * @strip: true to take them out
 *
 * Context: Process context, rtnl held.
 */
void txgbe_queue_set_strip(struct txgbe_net *fn, bool strip)
{
	struct txgbe_rx_ring *rxr;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		rxr = fn->vec[i]->rxr;
		WRITE_ONCE(rxr->strip, strip);
		txgbe_rmw32(fn->fd, TXGBE_PX_RR_CFG(rxr->idx), TXGBE_PX_RR_CFG_VLAN_STRIP,
			    strip ? TXGBE_PX_RR_CFG_VLAN_STRIP : 0);
	}
}

/**
 * txgbe_queue_stop_rx() - disable all receive rings
 * @fn: net part
 *
 * Context: Process context, sleeps up to 100 us per ring, rtnl held.
 */
void txgbe_queue_stop_rx(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_queue_stop_one_rx(fn, i);
}

/* Both rings of a queue pair that sockets' memory may be in. Return: 0 or -ETIMEDOUT or -ENODEV */
static int txgbe_queue_switch_rx(struct txgbe_net *fn, struct txgbe_vec *vec,
				 struct txgbe_rx_ring *rxr)
{
	struct txgbe_tx_ring *xdpr = vec->xdpr;
	int err, rx_err;

	spin_lock_bh(&xdpr->lock);
	xdpr->off = true;
	spin_unlock_bh(&xdpr->lock);

	txgbe_queue_stop_one_rx(fn, vec->idx);
	err = txgbe_queue_stop_one_tx(fn, xdpr->idx);
	txgbe_xdp_drain(xdpr);
	txgbe_rx_drain(vec->rxr);
	txgbe_ring_free_rx(fn, vec->rxr);

	vec->rxr = rxr;
	xdpr->xsk_pool = rxr->xsk_pool;
	if (!err)
		err = txgbe_queue_start_one_tx(fn, xdpr);
	rx_err = txgbe_queue_start_one_rx(fn, rxr);

	spin_lock_bh(&xdpr->lock);
	xdpr->off = false;
	spin_unlock_bh(&xdpr->lock);
	return err ? err : rx_err;
}

/**
 * txgbe_queue_exchange_rx() - give a queue pair a receive ring as configured
 * @fn: net part
 * @queue: queue number
 *
 * The new ring is allocated first. Frames that are in the old one, or in the
 * pair's transmit ring of XDP, are dropped. The other queues and the link go on.
 *
 * Context: Process context, sleeps up to 40 ms, rtnl held.
 * Return: 0; -ENOMEM, nothing has changed then; -ETIMEDOUT or -ENODEV if a ring
 *	does not stop or start: the port has to be reset then.
 */
int txgbe_queue_exchange_rx(struct txgbe_net *fn, u32 queue)
{
	struct txgbe_vec *vec = fn->vec[queue];
	struct txgbe_rx_ring *rxr;
	int err = 0;

	if (!vec->rxr)
		return 0;	/* closed: the next open does it */
	rxr = txgbe_ring_alloc_rx(fn, vec);
	if (!rxr)
		return -ENOMEM;

	if (!test_bit(TXGBE_NET_UP, &fn->state)) {
		txgbe_ring_free_rx(fn, vec->rxr);
		vec->rxr = rxr;
		vec->xdpr->xsk_pool = rxr->xsk_pool;
		return 0;
	}

	txgbe_service_stop(fn);
	napi_disable(&vec->napi);
	err = txgbe_queue_switch_rx(fn, vec, rxr);
	napi_enable(&vec->napi);
	/* Interrupts that came meanwhile left the vector masked. */
	local_bh_disable();
	napi_schedule(&vec->napi);
	local_bh_enable();
	txgbe_service_start(fn);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop of the hardware rings (reference 11 section 3, 12 section 2).
 *
 * Configuration registers are written whole and never OR-ed onto what is
 * there: size bits of the time before would survive.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>

#include "compat/rxpool.h"
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
/* What is under way in a ring that is about to go gets this long to end. */
#define TXGBE_QUEUE_SETTLE_STEP_US	100
#define TXGBE_QUEUE_SETTLE_LIMIT_US	5000

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
	if (err) {
		netdev_err(fn->netdev, "tx ring %u not enabled within %u us: %d\n",
			   i, TXGBE_QUEUE_ENABLE_LIMIT_US, err);
		return err;
	}

	spin_lock_bh(&txr->lock);
	txr->off = false;
	spin_unlock_bh(&txr->lock);
	return 0;
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

/*
 * Until the ring starts again XDP sends nothing on it but what its own poll
 * sends back.
 */
static void txgbe_queue_hold_xdp(struct txgbe_tx_ring *xdpr)
{
	spin_lock_bh(&xdpr->lock);
	xdpr->off = true;
	spin_unlock_bh(&xdpr->lock);
}

/* Once this returns, transmit is not using the ring, until it starts again. */
static void txgbe_queue_hold_tx(struct txgbe_tx_ring *txr)
{
	__netif_tx_lock_bh(txr->txq);
	WRITE_ONCE(txr->off, true);
	/* The watchdog would count from the last frame, which may be long ago. */
	WRITE_ONCE(txr->txq->trans_start, jiffies);
	netif_tx_stop_queue(txr->txq);
	__netif_tx_unlock_bh(txr->txq);
}

static void txgbe_queue_wake_tx(struct txgbe_tx_ring *txr)
{
	WRITE_ONCE(txr->txq->trans_start, jiffies);
	netif_tx_wake_queue(txr->txq);
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
	/* What was sent is not dropped below. */
	local_bh_disable();
	txgbe_tx_clean(txr, 0);
	txgbe_xdp_clean(vec->xdpr);
	local_bh_enable();
	txgbe_queue_hold_tx(txr);

	err = txgbe_queue_restart_txr(fn, txr);
	if (!err && txgbe_tx_pending(vec->xdpr)) {
		txgbe_queue_hold_xdp(vec->xdpr);
		err = txgbe_queue_restart_txr(fn, vec->xdpr);
	}

	txgbe_napi_resume(vec);
	if (!err)
		txgbe_queue_wake_tx(txr);
	return err;
}

/* ---- Receive ----------------------------------------------------------- */

static int txgbe_queue_stop_one_rx(struct txgbe_net *fn, u32 i, u32 limit_us)
{
	u32 val = txgbe_rd32(fn->fd, TXGBE_PX_RR_CFG(i));

	if (!txgbe_present(fn->fd))
		return -ENODEV;
	if (!(val & TXGBE_PX_RR_CFG_EN))
		return 0;

	txgbe_wr32(fn->fd, TXGBE_PX_RR_CFG(i), val & ~TXGBE_PX_RR_CFG_EN);
	return txgbe_poll32(fn->fd, TXGBE_PX_RR_CFG(i), val, !(val & TXGBE_PX_RR_CFG_EN),
			    TXGBE_QUEUE_DISABLE_STEP_US, limit_us);
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
		  FIELD_PREP(TXGBE_PX_RR_CFG_HDR_SZ, TXGBE_RX_HDR_BYTES / 64) |
		  FIELD_PREP(TXGBE_PX_RR_CFG_THER, 1) |		/* as in-tree */
		  TXGBE_PX_RR_CFG_DESC_MERGE;

	if (txgbe_queue_drops(fn))
		cfg |= TXGBE_PX_RR_CFG_DROP_EN;
	if (rxr->strip)
		cfg |= TXGBE_PX_RR_CFG_VLAN_STRIP;
	if (rxr->hdr)
		cfg |= TXGBE_PX_RR_CFG_SPLIT;
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
	err = txgbe_queue_stop_one_rx(fn, i, TXGBE_QUEUE_DISABLE_LIMIT_US);
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

	if (rxr->xsk_pool)
		txgbe_xsk_own_pool(rxr);
	else
		rxpool_link_napi(rxr->pool, rxr->napi);
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
 * txgbe_queue_update_drop() - follow a change of transmit pause, or of the queues
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
		/* Not an error when it times out: the LAN reset follows. */
		txgbe_queue_stop_one_rx(fn, i, TXGBE_QUEUE_DISABLE_LIMIT_US);
}

/* ---- Pairs, on a running port ------------------------------------------ */

/* Is nothing under way, and everything that has come taken by the poll? */
static bool txgbe_queue_is_quiet(const struct txgbe_vec *vec)
{
	const struct txgbe_rx_ring *rxr = vec->rxr;
	__le32 status = READ_ONCE(rxr->desc[READ_ONCE(rxr->clean_idx)].wb.status);

	return !txgbe_tx_pending(vec->txr) && !txgbe_tx_pending(vec->xdpr) &&
	       !(status & cpu_to_le32(TXGBE_RXD_STA_DD));
}

/**
 * txgbe_queue_start_pair() - program and enable both rings of a vector
 * @fn: net part, up
 * @vec: vector with empty rings, NAPI disabled
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ETIMEDOUT if a ring does not follow its enable bit; -ENOMEM
 *	without buffers; -ENODEV.
 */
int txgbe_queue_start_pair(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	int err = txgbe_queue_start_one_tx(fn, vec->txr);

	if (!err)
		err = txgbe_queue_start_one_tx(fn, vec->xdpr);
	return err ? err : txgbe_queue_start_one_rx(fn, vec->rxr);
}

/**
 * txgbe_queue_stop_pair() - take both rings of a vector out of use
 * @fn: net part, up
 * @vec: vector; afterwards its transmit queue is stopped, NAPI disabled and, if
 *	this succeeds, its rings are empty and the device does not use them
 *
 * The receive ring goes first, so that the poll can take what has arrived;
 * frames on their way out get TXGBE_QUEUE_SETTLE_LIMIT_US. The other queues and
 * the link go on.
 *
 * Context: Process context, sleeps up to 25 ms, rtnl held.
 * Return: 0; -ETIMEDOUT if a ring does not follow its enable bit: only a port
 *	reset makes its memory safe then; -ENODEV.
 */
int txgbe_queue_stop_pair(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	int err, err_tx, err_xdp;
	bool quiet;

	txgbe_queue_hold_tx(vec->txr);
	txgbe_queue_hold_xdp(vec->xdpr);
	err = txgbe_queue_stop_one_rx(fn, vec->idx, TXGBE_QUEUE_STOP_LIMIT_US);
	read_poll_timeout(txgbe_queue_is_quiet, quiet, quiet, TXGBE_QUEUE_SETTLE_STEP_US,
			  TXGBE_QUEUE_SETTLE_LIMIT_US, false, vec);
	napi_disable(&vec->napi);
	/* The poll may have woken the queue before it saw that it must not. */
	txgbe_queue_hold_tx(vec->txr);

	err_tx = txgbe_queue_stop_one_tx(fn, vec->txr->idx);
	err_xdp = txgbe_queue_stop_one_tx(fn, vec->xdpr->idx);
	if (err || err_tx || err_xdp)
		return err ? err : err_tx ? err_tx : err_xdp;
	txgbe_tx_drain(vec->txr);
	txgbe_xdp_drain(vec->xdpr);
	txgbe_rx_drain(vec->rxr);
	return 0;
}

/**
 * txgbe_queue_swap() - exchange the rings of a vector on a running port
 * @fn: net part, up
 * @vec: vector
 * @pair: new rings; the old ones afterwards, disowned, if they were exchanged
 * @exchanged: set to whether they were
 *
 * Context: Process context, sleeps up to 50 ms, typically less than one, rtnl
 * held.
 * Return: 0, and the old rings are empty; -ETIMEDOUT or -ENODEV if the device
 *	did not follow. If it did not let go of the old rings they stay: a doorbell
 *	with indices of others would make it use memory it was never given. In
 *	either case the vector's NAPI runs, its transmit queue is stopped, and the
 *	port has to be reset before the old rings are drained and freed.
 */
int txgbe_queue_swap(struct txgbe_net *fn, struct txgbe_vec *vec, struct txgbe_ring_pair *pair,
		     bool *exchanged)
{
	int err = txgbe_queue_stop_pair(fn, vec);

	*exchanged = !err;
	if (!err) {
		txgbe_ring_install(fn, vec, pair);
		txgbe_ring_disown(pair);
		err = txgbe_queue_start_pair(fn, vec);
	}
	txgbe_napi_resume(vec);
	if (!err)
		txgbe_queue_wake_tx(vec->txr);
	return err;
}

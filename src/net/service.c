// SPDX-License-Identifier: GPL-2.0-only
/*
 * The periodic work of a port that is up: lost interrupts, transmit rings that
 * stand still, hardware counters. Nothing here takes rtnl: closing the port
 * waits for it.
 */
#include <linux/io.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>

#include "txgbe/health.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/* Lost interrupts are found, and carrier-less rings emptied, in steps of this. */
#define TXGBE_SERVICE_PERIOD		HZ
/* Hardware counters are read every other time. */
#define TXGBE_SERVICE_STATS_TICKS	2
/* Frames that wait this long for a link are dropped. */
#define TXGBE_SERVICE_NO_LINK_TICKS	2
/*
 * A ring that stands still this long, with a link, hangs. The core's watchdog,
 * which knows of full rings only, comes first where it can.
 */
#define TXGBE_SERVICE_HANG_TICKS	12
/* Without an XOFF for this long the partner does not ask for a pause any more. */
#define TXGBE_SERVICE_PAUSE_TICKS	(TXGBE_SERVICE_STATS_TICKS + 1)
/* A pause this long is worth a line in the log. */
#define TXGBE_SERVICE_LONG_PAUSE_TICKS	10
/* Polls that had to be started because no interrupt came, until that is told. */
#define TXGBE_SERVICE_DEAF_POLLS	3
/* After such a poll the rings have moved, which the next look cannot tell from
 * the work of an interrupt.
 */
#define TXGBE_SERVICE_HEARD_TICKS	2

/*
 * Frames that wait in a ring though nothing is left for the poll to do: how
 * long, in ticks.
 */
static u32 txgbe_service_stuck_ticks(struct txgbe_tx_ring *txr)
{
	u32 clean = READ_ONCE(txr->clean_idx);

	if (!txgbe_tx_pending(txr) || txgbe_tx_hw_done(txr) || clean != txr->stuck_idx)
		txr->stuck_ticks = 0;
	else
		txr->stuck_ticks++;
	txr->stuck_idx = clean;
	return txr->stuck_ticks;
}

static u64 txgbe_service_sent(const struct txgbe_net *fn)
{
	struct txgbe_txq_sum sum;
	u64 sent = 0;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_stats_get_txq(fn->vec[i], &sum);
		sent += sum.packets;
		txgbe_stats_get_xdpq(fn->vec[i], &sum);
		sent += sum.packets;
	}
	return sent;
}

/*
 * Does the partner ask for a pause, and get it? A pause is one of all rings: if
 * any of them sends, one that does not hangs.
 */
static bool txgbe_service_is_paused(struct txgbe_net *fn)
{
	struct txgbe_pause *pause = &fn->pause;
	struct txgbe_link_want want;
	struct txgbe_hw_stats hw;
	u64 sent;

	txgbe_stats_hw_get(fn, &hw);
	if (hw.rx_xoff != pause->xoff)
		pause->left = TXGBE_SERVICE_PAUSE_TICKS;
	else if (pause->left)
		pause->left--;
	pause->xoff = hw.rx_xoff;
	if (!pause->left)
		return false;

	sent = txgbe_service_sent(fn);
	txgbe_link_get_want(fn->fd, &want);
	if (sent == pause->sent && want.rx_pause)
		return true;
	pause->sent = sent;
	return false;
}

/*
 * Rings stand still for the partner's sake and nothing is wrong with them: each
 * step of recovery would drop frames and help nobody. The core's watchdog,
 * which counts from the last frame, is told.
 */
static void txgbe_service_bear_pause(struct txgbe_net *fn)
{
	u32 i;

	if (++fn->pause.ticks == TXGBE_SERVICE_LONG_PAUSE_TICKS)
		netdev_warn(fn->netdev, "the partner has asked for a pause for %u s: nothing is sent (ethtool -A rx)\n",
			    TXGBE_SERVICE_LONG_PAUSE_TICKS * TXGBE_SERVICE_PERIOD / HZ);
	for (i = 0; i < fn->nr_vecs; i++) {
		fn->vec[i]->txr->stuck_ticks = 0;
		fn->vec[i]->xdpr->stuck_ticks = 0;
		WRITE_ONCE(fn->vec[i]->txr->txq->trans_start, jiffies);
	}
}

/*
 * Without a link the device sends nothing, so what is in the rings waits, and
 * with it its sockets: drop it. With a link, a ring that stands still hangs;
 * the core's watchdog sees that only once the ring is full.
 */
static void txgbe_service_check_stuck(struct txgbe_net *fn, struct txgbe_tx_ring *txr)
{
	bool carrier = netif_carrier_ok(fn->netdev);
	u32 limit = carrier ? TXGBE_SERVICE_HANG_TICKS : TXGBE_SERVICE_NO_LINK_TICKS;

	if (txgbe_service_stuck_ticks(txr) < limit)
		return;
	txr->stuck_ticks = 0;
	if (carrier)
		txgbe_recover_tx_stall(fn, txr);
	else
		txgbe_recover_flush_tx(fn);
}

static void txgbe_service_check_all_stuck(struct txgbe_net *fn)
{
	u32 i;

	if (netif_carrier_ok(fn->netdev) && txgbe_service_is_paused(fn)) {
		txgbe_service_bear_pause(fn);
		return;
	}
	fn->pause.ticks = 0;
	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_service_check_stuck(fn, fn->vec[i]->txr);
		txgbe_service_check_stuck(fn, fn->vec[i]->xdpr);
	}
}

/**
 * txgbe_service_end_deaf() - a vector's interrupts come, or it goes out of use
 * @vec: vector
 *
 * Context: Process context, from the periodic work or while that is stopped.
 */
void txgbe_service_end_deaf(struct txgbe_vec *vec)
{
	if (vec->deaf_polls >= TXGBE_SERVICE_DEAF_POLLS)
		txgbe_health_done(vec->fn->fd, TXGBE_HEALTH_RX, TXGBE_HEALTH_STEP_NONE, 0);
	vec->deaf_polls = 0;
}

/*
 * One lost message is made good by the poll. A vector whose messages never
 * come works, with a second of delay: somebody should know.
 */
static void txgbe_service_kick(struct txgbe_vec *vec)
{
	struct txgbe_dev *fd = vec->fn->fd;
	unsigned long lost = vec->irq_lost;

	txgbe_napi_kick_lost(vec);
	if (vec->irq_lost != lost) {
		vec->heard_ticks = 0;
		if (++vec->deaf_polls == TXGBE_SERVICE_DEAF_POLLS)
			txgbe_health_error(fd, TXGBE_HEALTH_RX,
					   "vector %u: interrupts do not come, polled %u times instead",
					   vec->idx, vec->deaf_polls);
		return;
	}
	if (!vec->deaf_polls || ++vec->heard_ticks < TXGBE_SERVICE_HEARD_TICKS)
		return;
	txgbe_service_end_deaf(vec);
}

static void txgbe_service_work(struct work_struct *work)
{
	struct txgbe_net *fn = container_of(to_delayed_work(work), struct txgbe_net, service);
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_service_kick(fn->vec[i]);
	/* If the misc message got lost, its vector is still masked. */
	writel(fn->misc_unmask_bit, fn->misc_unmask);
	txgbe_service_check_all_stuck(fn);
	txgbe_stamp_look(fn);
	if (++fn->ticks % TXGBE_SERVICE_STATS_TICKS == 0)
		txgbe_stats_hw_refresh(fn);

	if (txgbe_present(fn->fd))
		schedule_delayed_work(&fn->service, TXGBE_SERVICE_PERIOD);
}

/**
 * txgbe_service_init() - prepare the periodic work
 * @fn: net part
 *
 * Context: Process context, before the net_device is registered.
 */
void txgbe_service_init(struct txgbe_net *fn)
{
	INIT_DELAYED_WORK(&fn->service, txgbe_service_work);
}

/**
 * txgbe_service_start() - the port has come up
 * @fn: net part; rings and NAPI run
 *
 * Context: Process context, rtnl held.
 */
void txgbe_service_start(struct txgbe_net *fn)
{
	struct txgbe_hw_stats hw;

	txgbe_stats_hw_get(fn, &hw);
	memset(&fn->pause, 0, sizeof(fn->pause));
	fn->pause.xoff = hw.rx_xoff;
	fn->ticks = 0;
	schedule_delayed_work(&fn->service, TXGBE_SERVICE_PERIOD);
}

/**
 * txgbe_service_stop() - the port goes down, or its rings are about to change
 * @fn: net part
 *
 * Context: Process context, sleeps until a running look has ended; rtnl held.
 */
void txgbe_service_stop(struct txgbe_net *fn)
{
	cancel_delayed_work_sync(&fn->service);
}

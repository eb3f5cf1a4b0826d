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
	if (vec->deaf_polls >= TXGBE_SERVICE_DEAF_POLLS)
		txgbe_health_done(fd, TXGBE_HEALTH_RX, TXGBE_HEALTH_STEP_NONE, 0);
	vec->deaf_polls = 0;
}

static void txgbe_service_work(struct work_struct *work)
{
	struct txgbe_net *fn = container_of(to_delayed_work(work), struct txgbe_net, service);
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_service_kick(fn->vec[i]);
	/* If the misc message got lost, its vector is still masked. */
	writel(fn->misc_unmask_bit, fn->misc_unmask);
	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_service_check_stuck(fn, fn->vec[i]->txr);
		txgbe_service_check_stuck(fn, fn->vec[i]->xdpr);
	}
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recovery ladder. Trouble on a transmit ring, the stack's or XDP's, is
 * answered by the least step that has not been tried yet since the ring last
 * sent a frame:
 *
 *	queue restart -> port reset, a few times -> detach
 *
 * A ring that sends again starts over at the first step. A detached port
 * comes back by a reset of the function or by devlink.
 * All steps run in one work under rtnl, so none meets an open, a ring change
 * or a removal half-way.
 */
#include <linux/bitops.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/workqueue.h>
#include <net/sch_generic.h>

#include "txgbe/health.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"
#include "txgbe/netdev.h"

/* Port resets that may fail to cure a ring, or themselves, before detach. */
#define TXGBE_RECOVER_PORT_RESETS	3
/* Between a port reset that failed and the next. */
#define TXGBE_RECOVER_RETRY		HZ
/* Between two looks at what the stack still sends without a carrier. */
#define TXGBE_RECOVER_FLUSH_AGAIN	(HZ / 10)
/* Between two looks at a chip that others reset, and how many: 5 s, the time
 * that such a reset announces (reference 01 section 7).
 */
#define TXGBE_RECOVER_CHIP_AGAIN	(HZ / 10)
#define TXGBE_RECOVER_CHIP_TICKS	50

/* ---- Choosing ---------------------------------------------------------- */

/* What has not been tried since the ring last got a frame out. */
static enum txgbe_health_step txgbe_recover_next_step(struct txgbe_ladder *ladder, u64 packets)
{
	if (packets != ladder->packets)
		ladder->tries = 0;
	ladder->packets = packets;

	if (!ladder->tries++)
		return TXGBE_HEALTH_STEP_QUEUE;
	if (ladder->tries <= 1 + TXGBE_RECOVER_PORT_RESETS)
		return TXGBE_HEALTH_STEP_PORT;
	return TXGBE_HEALTH_STEP_DETACH;
}

/* The same of both rings of a queue, each by what it has sent itself. */
static enum txgbe_health_step txgbe_recover_queue_step(struct txgbe_net *fn, u32 queue)
{
	enum txgbe_health_step step = TXGBE_HEALTH_STEP_NONE;
	struct txgbe_vec *vec = fn->vec[queue];
	struct txgbe_txq_sum sum;

	if (test_and_clear_bit(queue, fn->stalled)) {
		txgbe_stats_get_txq(vec, &sum);
		step = txgbe_recover_next_step(&vec->tx_ladder, sum.packets);
	}
	if (test_and_clear_bit(TXGBE_XDP_RING(queue), fn->stalled)) {
		txgbe_stats_get_xdpq(vec, &sum);
		step = max(step, txgbe_recover_next_step(&vec->xdp_ladder, sum.packets));
	}
	return step;
}

/* ---- Steps, rtnl held -------------------------------------------------- */

static void txgbe_recover_detach(struct txgbe_net *fn, const char *why)
{
	netdev_err(fn->netdev, "%s: port given up and detached; reset the function or reload the driver\n",
		   why);
	txgbe_net_down(fn);
	clear_bit(TXGBE_NET_BROKEN, &fn->state);
	set_bit(TXGBE_NET_TROUBLE, &fn->state);
	netif_device_detach(fn->netdev);
	txgbe_health_done(fn->fd, TXGBE_HEALTH_TX, TXGBE_HEALTH_STEP_DETACH, -EIO);
}

/* The port did not start: once more, a little later, or not at all. */
static void txgbe_recover_failed(struct txgbe_net *fn, int err)
{
	netdev_err(fn->netdev, "port does not start: %d\n", err);
	txgbe_health_error(fn->fd, TXGBE_HEALTH_TX, "port does not start: %d", err);
	txgbe_health_done(fn->fd, TXGBE_HEALTH_TX, TXGBE_HEALTH_STEP_PORT, err);
	set_bit(TXGBE_NET_BROKEN, &fn->state);
	set_bit(TXGBE_NET_TROUBLE, &fn->state);
	if (++fn->recover_fails >= TXGBE_RECOVER_PORT_RESETS)
		txgbe_recover_detach(fn, "port does not start");
	else
		schedule_delayed_work(&fn->recover, TXGBE_RECOVER_RETRY);
}

/**
 * txgbe_recover_succeeded() - the port works, or is closed and will: the stack may have it back
 * @fn: net part
 *
 * Ends what the health record has as trouble, if there was any.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_recover_succeeded(struct txgbe_net *fn)
{
	fn->recover_fails = 0;
	netif_device_attach(fn->netdev);
	if (test_and_clear_bit(TXGBE_NET_TROUBLE, &fn->state))
		txgbe_health_done(fn->fd, TXGBE_HEALTH_TX, TXGBE_HEALTH_STEP_PORT, 0);
}

/**
 * txgbe_recover_restart_port() - start a port that txgbe_net_down() has stopped
 * @fn: net part; its net_device may be detached
 *
 * If it does not start it is tried again in the background, and detached in
 * the end.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0, and the net_device is attached; what txgbe_net_up() returned.
 */
int txgbe_recover_restart_port(struct txgbe_net *fn)
{
	int err = txgbe_net_up(fn);

	if (!err)
		txgbe_recover_succeeded(fn);
	else if (txgbe_present(fn->fd))	/* otherwise the lost work tells */
		txgbe_recover_failed(fn, err);
	return err;
}

/**
 * txgbe_recover_reset_port() - down, LAN reset, up with all settings
 * @fn: net part, up; nothing happens otherwise
 *
 * What is in the rings is dropped, the link goes down and comes again. The
 * other port of the card notices nothing. If the port does not start it is
 * tried again in the background, and detached in the end.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENETDOWN if the port is not up; what txgbe_net_up() returned.
 */
int txgbe_recover_reset_port(struct txgbe_net *fn)
{
	ASSERT_RTNL();
	if (!test_bit(TXGBE_NET_UP, &fn->state))
		return -ENETDOWN;
	fn->restarts++;
	txgbe_net_down(fn);
	return txgbe_recover_restart_port(fn);
}

/**
 * txgbe_recover_disobeyed() - a ring did not follow; the caller resets the port
 * @fn: net part
 * @queue: which
 * @what: what it should have done
 * @err: -ENODEV is told by others
 *
 * Logs it, and begins trouble that ends when the port has started.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_recover_disobeyed(struct txgbe_net *fn, u32 queue, const char *what, int err)
{
	if (err == -ENODEV)
		return;
	netdev_err(fn->netdev, "queue %u does not %s: %d, the port is reset\n", queue, what, err);
	txgbe_health_error(fn->fd, TXGBE_HEALTH_TX, "queue %u does not %s: %d", queue, what, err);
	set_bit(TXGBE_NET_TROUBLE, &fn->state);
}

static int txgbe_recover_restart_queue(struct txgbe_net *fn, u32 queue)
{
	int err = txgbe_queue_restart_tx(fn, queue);

	txgbe_health_done(fn->fd, TXGBE_HEALTH_TX, TXGBE_HEALTH_STEP_QUEUE, err);
	if (err)
		netdev_err(fn->netdev, "tx queue %u does not restart: %d\n", queue, err);
	return err;
}

/* The least step for each queue that stalled, or one big step for all. */
static void txgbe_recover_stalled(struct txgbe_net *fn)
{
	enum txgbe_health_step step[TXGBE_MAX_QUEUES] = {};
	enum txgbe_health_step most = TXGBE_HEALTH_STEP_NONE;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		step[i] = txgbe_recover_queue_step(fn, i);
		most = max(most, step[i]);
	}
	for (i = 0; i < fn->nr_vecs && most == TXGBE_HEALTH_STEP_QUEUE; i++)
		if (step[i] && txgbe_recover_restart_queue(fn, i))
			most = TXGBE_HEALTH_STEP_PORT;

	if (most == TXGBE_HEALTH_STEP_PORT) {
		set_bit(TXGBE_NET_TROUBLE, &fn->state);
		txgbe_recover_reset_port(fn);
	} else if (most == TXGBE_HEALTH_STEP_DETACH) {
		txgbe_recover_detach(fn, "transmit hangs and resets do not help");
	}
}

/*
 * Without a carrier nothing leaves the rings: free what waits there. The stack
 * hears of the loss up to a second later and sends until then, so this is
 * repeated until its queues are gone; the last time has to begin after that.
 */
static void txgbe_recover_flush(struct txgbe_net *fn)
{
	bool last = qdisc_tx_is_noop(fn->netdev);
	int err;
	u32 i;

	for (i = 0; i < fn->nr_vecs && !netif_carrier_ok(fn->netdev); i++) {
		if (!txgbe_tx_pending(fn->vec[i]->txr) && !txgbe_tx_pending(fn->vec[i]->xdpr))
			continue;
		err = txgbe_queue_restart_tx(fn, i);
		if (err) {
			txgbe_recover_disobeyed(fn, i, "restart without a carrier", err);
			txgbe_recover_reset_port(fn);
			return;
		}
	}
	if (last || netif_carrier_ok(fn->netdev))
		return;
	set_bit(TXGBE_NET_FLUSH, &fn->state);
	schedule_delayed_work(&fn->recover, TXGBE_RECOVER_FLUSH_AGAIN);
}

/*
 * Firmware, a flash tool or another driver has reset the whole chip. As soon as
 * it is ready, the port is given all that it had. One that still has it was not
 * meant: no chip that announces other resets, too, gets into a circle here.
 */
static void txgbe_recover_chip(struct txgbe_net *fn)
{
	bool ready = txgbe_hw_is_ready(fn->fd);

	if (!ready && ++fn->chip_ticks < TXGBE_RECOVER_CHIP_TICKS) {
		schedule_delayed_work(&fn->recover, TXGBE_RECOVER_CHIP_AGAIN);
		return;
	}
	if (ready && txgbe_mac_listens(fn->fd)) {
		clear_bit(TXGBE_NET_CHIP_RESET, &fn->state);
		return;
	}
	if (ready)
		netdev_warn(fn->netdev, "the chip was reset, by firmware or another of its users\n");
	else
		netdev_err(fn->netdev, "the chip is not ready %u ms after others began to reset it\n",
			   TXGBE_RECOVER_CHIP_TICKS * jiffies_to_msecs(TXGBE_RECOVER_CHIP_AGAIN));
	txgbe_health_error(fn->fd, TXGBE_HEALTH_TX, "the chip was reset by others%s",
			   ready ? "" : " and does not become ready");
	set_bit(TXGBE_NET_TROUBLE, &fn->state);
	txgbe_recover_reset_port(fn);
}

/**
 * txgbe_recover_run() - do what has to be done now, the least step for each
 * @fn: net part
 * @again: also start a port that did not start
 * @stalled: also see to queues that stand still
 *
 * Context: Process context, sleeps; takes rtnl, so callers may hold devlink's
 * lock but not rtnl.
 */
void txgbe_recover_run(struct txgbe_net *fn, bool again, bool stalled)
{
	rtnl_lock();
	if (READ_ONCE(fn->fd->removing) || fn->fd->frozen || !netif_running(fn->netdev))
		goto out_unlock;

	if (test_bit(TXGBE_NET_BROKEN, &fn->state)) {
		if (again)
			txgbe_recover_restart_port(fn);
		goto out_unlock;
	}
	if (!netif_device_present(fn->netdev) || !test_bit(TXGBE_NET_UP, &fn->state))
		goto out_unlock;
	if (test_and_clear_bit(TXGBE_NET_FLUSH, &fn->state))
		txgbe_recover_flush(fn);
	if (stalled && test_bit(TXGBE_NET_CHIP_RESET, &fn->state))
		txgbe_recover_chip(fn);
	else if (stalled)
		txgbe_recover_stalled(fn);
out_unlock:
	rtnl_unlock();
}

/*
 * devlink first: it takes a dump of the ring as it is, and the user may want
 * the port left that way.
 */
static void txgbe_recover_work(struct work_struct *work)
{
	struct txgbe_net *fn = container_of(to_delayed_work(work), struct txgbe_net, recover);
	bool hold = txgbe_health_settle(fn->fd, TXGBE_HEALTH_TX);

	txgbe_recover_run(fn, true, !hold);
}

static void txgbe_recover_lost_work(struct work_struct *work)
{
	struct txgbe_net *fn = container_of(work, struct txgbe_net, lost);

	rtnl_lock();
	if (!txgbe_present(fn->fd)) {
		netif_device_detach(fn->netdev);
		/* Sockets wait for what is in the rings. Nothing here waits. */
		txgbe_net_down(fn);
		netif_carrier_off(fn->netdev);
	}
	rtnl_unlock();
}

/* ---- Asking for it ----------------------------------------------------- */

/**
 * txgbe_recover_tx_stall() - a transmit ring stands still though it could send
 * @fn: net part
 * @txr: ring, the stack's or XDP's
 *
 * Context: Any; the ladder runs in a work.
 */
void txgbe_recover_tx_stall(struct txgbe_net *fn, struct txgbe_tx_ring *txr)
{
	bool xdp = txr->idx >= TXGBE_XDP_RING(0);
	u32 queue = xdp ? txr->idx - TXGBE_XDP_RING(0) : txr->idx;
	u32 head = le32_to_cpu(READ_ONCE(*txr->head));
	const char *name = xdp ? "xdp" : "tx";

	netdev_err(fn->netdev, "%s queue %u hangs: device at %u, %u of %u descriptors pending from %u\n",
		   name, queue, head, txgbe_tx_pending(txr), txr->size,
		   READ_ONCE(txr->clean_idx));
	txgbe_health_error(fn->fd, TXGBE_HEALTH_TX,
			   "%s queue %u hangs: device at %u, %u of %u descriptors pending",
			   name, queue, head, txgbe_tx_pending(txr), txr->size);
	set_bit(txr->idx, fn->stalled);
	schedule_delayed_work(&fn->recover, 0);
}

/**
 * txgbe_recover_flush_tx() - frames wait for a carrier that is not there
 * @fn: net part
 *
 * They are freed, as their sockets expect, without a reset of the port.
 *
 * Context: Any; runs in a work.
 */
void txgbe_recover_flush_tx(struct txgbe_net *fn)
{
	set_bit(TXGBE_NET_FLUSH, &fn->state);
	schedule_delayed_work(&fn->recover, 0);
}

/**
 * txgbe_recover_device_lost() - the device is gone: detach, soon
 * @fn: net part
 *
 * Context: Any.
 */
void txgbe_recover_device_lost(struct txgbe_net *fn)
{
	txgbe_health_error(fn->fd, TXGBE_HEALTH_PCIE, "device is gone: registers read all ones");
	schedule_work(&fn->lost);
}

/**
 * txgbe_recover_chip_reset() - the chip announces that it is reset, not by us
 * @fn: net part
 *
 * Context: Any; the ladder runs in a work.
 */
void txgbe_recover_chip_reset(struct txgbe_net *fn)
{
	if (test_and_set_bit(TXGBE_NET_CHIP_RESET, &fn->state))
		return;
	fn->chip_ticks = 0;
	mod_delayed_work(system_percpu_wq, &fn->recover, TXGBE_RECOVER_CHIP_AGAIN);
}

/**
 * txgbe_recover_forget_stalls() - all rings were emptied, also those that stood still
 * @fn: net part, down, about to start; it still has to be told that the trouble is over
 *
 * Context: Process context, rtnl held; the stack's queues are stopped.
 */
void txgbe_recover_forget_stalls(struct txgbe_net *fn)
{
	if (!bitmap_empty(fn->stalled, TXGBE_NR_TX_RINGS))
		set_bit(TXGBE_NET_TROUBLE, &fn->state);
	bitmap_zero(fn->stalled, TXGBE_NR_TX_RINGS);
}

static void txgbe_recover_forget(struct txgbe_net *fn)
{
	txgbe_recover_forget_stalls(fn);
	fn->recover_fails = 0;
}

/* May somebody restart the port on request? rtnl held. */
static int txgbe_recover_allowed(struct txgbe_dev *fd)
{
	if (fd->frozen)
		return -EBUSY;
	return txgbe_present(fd) && !READ_ONCE(fd->removing) ? 0 : -ENODEV;
}

/**
 * txgbe_net_hold() - stop and reset the port on request, for a short time
 * @fd: device
 *
 * Its net_device is detached until txgbe_net_restart(). Meanwhile the PCI core
 * may freeze and thaw the port.
 *
 * Context: Process context, sleeps, takes rtnl.
 * Return: 0; -EBUSY while the function is reset or sleeps, and the port is the
 *	PCI core's; -ENODEV if the device is gone or the driver about to go.
 */
int txgbe_net_hold(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;
	int err;

	rtnl_lock();
	err = txgbe_recover_allowed(fd);
	if (!err) {
		netif_device_detach(fn->netdev);
		txgbe_net_down(fn);
		txgbe_recover_forget(fn);
		fn->reset_owed = txgbe_hw_reset(fd) != 0;
	}
	rtnl_unlock();
	return err;
}

/**
 * txgbe_net_restart() - start what txgbe_net_hold() stopped
 * @fd: device
 *
 * Also brings a port back that was given up and detached. Nothing happens to
 * one that the PCI core has started meanwhile.
 *
 * Context: Process context, sleeps, takes rtnl.
 * Return: 0; -EBUSY or -ENODEV as txgbe_net_hold(); -ETIMEDOUT if a closed port
 *	does not come out of reset; else what txgbe_net_up() returned, it is tried
 *	again in the background then.
 */
int txgbe_net_restart(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;
	int err;

	rtnl_lock();
	err = txgbe_recover_allowed(fd);
	if (err || test_bit(TXGBE_NET_UP, &fn->state))
		goto out_unlock;
	if (netif_running(fn->netdev)) {
		err = txgbe_recover_restart_port(fn);
		goto out_unlock;
	}
	/* Closed, it can be opened all the same: that resets once more. */
	txgbe_recover_succeeded(fn);
	err = fn->reset_owed ? -ETIMEDOUT : 0;
out_unlock:
	rtnl_unlock();
	return err;
}

/* ---- Freeze and thaw --------------------------------------------------- */

/**
 * txgbe_net_freeze() - stop the port and keep the stack away from it
 * @fd: device, perhaps without registers
 *
 * For the time in which the device is reset or powered down by others. Rings,
 * vectors and settings stay. Freezing what is frozen does nothing. From here to
 * txgbe_net_thaw() nobody else starts or resets the port.
 *
 * Context: Process context, sleeps, takes rtnl.
 */
void txgbe_net_freeze(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;

	rtnl_lock();
	fd->frozen = true;
	netif_device_detach(fn->netdev);
	txgbe_net_down(fn);
	netif_carrier_off(fn->netdev);
	rtnl_unlock();
}

/* An ethtool -p that ended meanwhile could not give the LEDs back, and the reset
 * need not have done it.
 */
static void txgbe_recover_leds(struct txgbe_net *fn)
{
	if (!fn->leds_owed)
		return;
	txgbe_mac_set_leds(fn->fd, fn->leds);
	fn->leds_owed = !txgbe_present(fn->fd);
}

/**
 * txgbe_net_thaw() - start the port again, with everything that is configured
 * @fd: device, frozen, its registers reachable
 * @reset_owed: it could not be reset, which has to come first
 *
 * Context: Process context, sleeps, takes rtnl.
 * Return: 0, also if the port is closed and need not start; what
 *	txgbe_net_up() returned. Then the port stays frozen if the device is gone;
 *	else starting it is tried again in the background.
 */
int txgbe_net_thaw(struct txgbe_dev *fd, bool reset_owed)
{
	struct txgbe_net *fn = fd->fn;
	int err = 0;

	rtnl_lock();
	fn->reset_owed = reset_owed;
	txgbe_recover_leds(fn);
	txgbe_recover_forget(fn);
	if (netif_running(fn->netdev))
		err = txgbe_recover_restart_port(fn);
	else
		txgbe_recover_succeeded(fn);
	fd->frozen = err && !txgbe_present(fd);
	rtnl_unlock();
	return err;
}

/**
 * txgbe_recover_init() - prepare the ladder
 * @fn: net part
 *
 * Context: Process context, before the net_device is registered.
 */
void txgbe_recover_init(struct txgbe_net *fn)
{
	INIT_DELAYED_WORK(&fn->recover, txgbe_recover_work);
	INIT_WORK(&fn->lost, txgbe_recover_lost_work);
}

/**
 * txgbe_recover_fini() - no more steps
 * @fn: net part, unregistered; nobody asks any more
 *
 * Context: Process context, sleeps, without rtnl.
 */
void txgbe_recover_fini(struct txgbe_net *fn)
{
	cancel_work_sync(&fn->lost);
	cancel_delayed_work_sync(&fn->recover);
}

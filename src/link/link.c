// SPDX-License-Identifier: GPL-2.0-only
/*
 * Link state machine. Firmware runs the SerDes; this finds out what module is
 * plugged (command 0xC5), asks for the best rate both can do (0xC1), reads the
 * result in CFG_PORT_ST, sets the MAC up for it and says so.
 *
 * Every step runs in one delayed work. Interrupts make it run now; without any
 * it runs each TXGBE_LINK_POLL_MS, so that a lost interrupt costs half a second
 * and no more. While the port is closed it only watches for modules.
 *
 *	presence pin ---> identify ---> request ---> [settle] ---> check
 *	     ^                |            |                         |
 *	     |                +- failed: retry_at, backoff_ms        |
 *	     +--------------------- poll, interrupt -----------------+
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/ethtool.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "hw/fwcmd.h"
#include "hw/regs.h"
#include "module.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/hw.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"

/* A module just plugged is not readable at once; the in-tree driver waits as
 * long, every time.
 */
#define TXGBE_LINK_PLUG_MS		200
/* After a request CFG_PORT_ST may still show the link that is about to go. */
#define TXGBE_LINK_SETTLE_MS		20
#define TXGBE_LINK_BACKOFF_MIN_MS	1000
#define TXGBE_LINK_BACKOFF_MAX_MS	8000
/* CFG_PORT_ST may include the MAC, which is off for a moment during set-up. */
#define TXGBE_LINK_MAC_STEP_US		500
#define TXGBE_LINK_MAC_LIMIT_US		5000
/* A link that changes rate during MAC set-up is followed this often before the
 * next run of the work gets its chance.
 */
#define TXGBE_LINK_MAC_TRIES		3

/* In txgbe_link.causes, beside TXGBE_MISC_*: the link was down when an
 * interrupt said something about it, whatever it is by now.
 */
#define TXGBE_LINK_SEEN_DOWN		BIT(0)

#define TXGBE_LINK_CAUSES		(TXGBE_MISC_LINK_DOWN | TXGBE_MISC_LINK_UP | \
					 TXGBE_MISC_AUTONEG)

static const struct {
	u8 speed;
	u8 fw_code;
	u32 port_st;
	u32 mbps;
} txgbe_link_rates[] = { /* fastest first */
	{ TXGBE_SPEED_40G, TXGBE_FW_SPEED_40G, TXGBE_CFG_PORT_ST_40G, SPEED_40000 },
	{ TXGBE_SPEED_25G, TXGBE_FW_SPEED_25G, TXGBE_CFG_PORT_ST_25G, SPEED_25000 },
	{ TXGBE_SPEED_10G, TXGBE_FW_SPEED_10G, TXGBE_CFG_PORT_ST_10G, SPEED_10000 },
};

/* Rate in Mbit/s that CFG_PORT_ST reports, 0 while the link is down. */
static u32 txgbe_link_rate(u32 st)
{
	u32 i;

	if (!(st & TXGBE_CFG_PORT_ST_UP))
		return 0;
	for (i = 0; i < ARRAY_SIZE(txgbe_link_rates); i++)
		if (st & txgbe_link_rates[i].port_st)
			return txgbe_link_rates[i].mbps;
	return 0;
}

static u32 txgbe_link_read(struct txgbe_dev *fd)
{
	u32 st = txgbe_rd32(fd, TXGBE_CFG_PORT_ST);

	return txgbe_present(fd) ? txgbe_link_rate(st) : 0;
}

/* The same once the MAC has been set up. */
static u32 txgbe_link_read_again(struct txgbe_dev *fd)
{
	u32 st;

	if (txgbe_poll32(fd, TXGBE_CFG_PORT_ST, st, txgbe_link_rate(st),
			 TXGBE_LINK_MAC_STEP_US, TXGBE_LINK_MAC_LIMIT_US))
		return 0;
	return txgbe_link_rate(st);
}

static u8 txgbe_link_best_code(u8 speeds)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_link_rates); i++)
		if (speeds & txgbe_link_rates[i].speed)
			return txgbe_link_rates[i].fw_code;
	return TXGBE_FW_SPEED_UNKNOWN;
}

static void txgbe_link_publish_module(struct txgbe_link *link, const struct txgbe_module *module)
{
	spin_lock_bh(&link->lock);
	link->state.module = *module;
	spin_unlock_bh(&link->lock);
}

/* Nobody sees a rate without a carrier or a carrier without its final rate. */
static void txgbe_link_publish(struct txgbe_link *link, u32 speed_mbps, enum txgbe_link_why why)
{
	spin_lock_bh(&link->lock);
	link->state.up = speed_mbps != 0;
	link->state.speed_mbps = speed_mbps;
	link->state.why = why;
	spin_unlock_bh(&link->lock);
}

/* What stands in the way now; once it is gone, @fault becomes NONE. */
static void txgbe_link_set_fault(struct txgbe_dev *fd, enum txgbe_link_why fault, const char *what,
				 int err)
{
	struct txgbe_link *link = &fd->link;

	if (link->fault == fault)
		return;
	link->fault = fault;
	if (fault == TXGBE_LINK_WHY_FW)
		dev_warn_ratelimited(fd->dev, "link: firmware failed to %s: %d, will be retried\n",
				     what, err);
	else if (fault == TXGBE_LINK_WHY_BAD_MODULE)
		dev_warn_ratelimited(fd->dev,
				     "link: module (identifier %#04x) %s a port of %u Mbit/s: %d\n",
				     link->state.module.identifier, what,
				     fd->board->max_speed_mbps, err);
}

static void txgbe_link_back_off(struct txgbe_link *link)
{
	link->backoff_ms = clamp_t(u32, 2 * link->backoff_ms, TXGBE_LINK_BACKOFF_MIN_MS,
				   TXGBE_LINK_BACKOFF_MAX_MS);
	link->retry_at = get_jiffies_64() + msecs_to_jiffies(link->backoff_ms);
	set_bit(TXGBE_LINK_IDENTIFY, &link->flags);
}

/* Forget what was: a module came or went, or the port was opened. */
static void txgbe_link_start_over(struct txgbe_link *link, u32 delay_ms)
{
	link->configured = false;
	link->fault = TXGBE_LINK_WHY_NONE;
	link->backoff_ms = 0;
	link->retry_at = get_jiffies_64() + msecs_to_jiffies(delay_ms);
	set_bit(TXGBE_LINK_IDENTIFY, &link->flags);
}

/* Look at the presence pin; edges count even if the level is what it was, for
 * the module may have been swapped. The link is asked for again even if the
 * new module is of the old kind: firmware is said to restore the link by
 * itself then, and a second request does no harm.
 */
static void txgbe_link_watch_module(struct txgbe_dev *fd, u32 causes)
{
	struct txgbe_module module = { .kind = TXGBE_MODULE_NONE };
	struct txgbe_link *link = &fd->link;
	bool edge, present;

	edge = txgbe_module_ack(fd) || causes & TXGBE_MISC_GPIO;
	present = txgbe_module_present(fd);
	if (present != link->plugged && txgbe_present(fd)) {
		txgbe_module_arm(fd, present);
		present = txgbe_module_present(fd);
		edge = true;
	}
	if (!edge || !txgbe_present(fd))
		return;

	link->plugged = present;
	if (present)
		module.kind = TXGBE_MODULE_UNKNOWN;
	txgbe_link_publish_module(link, &module);
	txgbe_link_start_over(link, TXGBE_LINK_PLUG_MS);
}

/* Ask firmware what is plugged. */
static int txgbe_link_identify(struct txgbe_dev *fd, struct txgbe_module *module)
{
	struct txgbe_link *link = &fd->link;
	struct txgbe_fw_module_rsp rsp;
	int err;

	err = txgbe_fw_get_module(fd, &rsp);
	if (err == -ENODEV)
		return err;
	if (err) {
		txgbe_link_set_fault(fd, TXGBE_LINK_WHY_FW, "identify the module", err);
		return err;
	}

	err = txgbe_module_parse(&rsp, fd->board->max_speed_mbps, module);
	txgbe_link_publish_module(link, module);
	if (err)
		txgbe_link_set_fault(fd, TXGBE_LINK_WHY_BAD_MODULE,
				     err == -EINVAL ? "is of no kind known to" :
						      "has no rate in common with", err);
	return err;
}

/* Identify the module and ask for a link. May sleep as long as firmware lets
 * it wait, so no lock is held and closing the port does not wait for it.
 */
static void txgbe_link_request(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;
	struct txgbe_module module;
	int err;

	/* Cleared first: whoever sets it meanwhile gets another round. */
	clear_bit(TXGBE_LINK_IDENTIFY, &link->flags);
	err = txgbe_link_identify(fd, &module);
	if (!err && test_bit(TXGBE_LINK_OPEN, &link->flags)) {
		err = txgbe_fw_set_link(fd, txgbe_link_best_code(module.speeds), module.autoneg,
					TXGBE_FW_FEC_AUTO);
		if (err && err != -ENODEV)
			txgbe_link_set_fault(fd, TXGBE_LINK_WHY_FW, "set the link up", err);
	}
	if (err) {
		txgbe_link_back_off(link);
		return;
	}

	if (link->fault == TXGBE_LINK_WHY_FW)
		dev_info_ratelimited(fd->dev, "link: firmware works again\n");
	link->fault = TXGBE_LINK_WHY_NONE;
	link->backoff_ms = 0;
	link->configured = true;
	link->settle_at = get_jiffies_64() + msecs_to_jiffies(TXGBE_LINK_SETTLE_MS);
}

/* Is a request about to be made, or did one just change things? Then a link
 * that is up may be the last owner's and about to go; a carrier announced now
 * would flap. Once a request has failed there is nothing to wait for.
 */
static bool txgbe_link_is_settling(const struct txgbe_link *link)
{
	if (time_before64(get_jiffies_64(), link->settle_at))
		return true;
	return link->plugged && test_bit(TXGBE_LINK_IDENTIFY, &link->flags) && !link->backoff_ms;
}

static enum txgbe_link_why txgbe_link_reason(const struct txgbe_dev *fd)
{
	const struct txgbe_link *link = &fd->link;

	if (!txgbe_present(fd))
		return TXGBE_LINK_WHY_GONE;
	if (!link->plugged)
		return TXGBE_LINK_WHY_NO_MODULE;
	if (link->fault != TXGBE_LINK_WHY_NONE)
		return link->fault;
	return link->configured ? TXGBE_LINK_WHY_NO_SIGNAL : TXGBE_LINK_WHY_NONE;
}

/* Carrier off first, so that nothing is queued for a MAC that is off. */
static void txgbe_link_lost(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	spin_lock_bh(&link->lock);
	link->state.down_count++;
	spin_unlock_bh(&link->lock);
	txgbe_link_publish(link, 0, txgbe_link_reason(fd));
	fd->events->link_changed(fd, false);
	txgbe_mac_link_down(fd);
}

/* MAC first, then the final rate, then the carrier: whoever reads the rate at
 * the carrier event (802.3ad does) reads the right one.
 */
static void txgbe_link_gained(struct txgbe_dev *fd, u32 speed_mbps)
{
	struct txgbe_link *link = &fd->link;
	u32 now = speed_mbps;
	u32 tries;

	for (tries = 0; tries < TXGBE_LINK_MAC_TRIES && now; tries++) {
		speed_mbps = now;
		txgbe_mac_link_up(fd, speed_mbps);
		now = txgbe_link_read_again(fd);
		if (now != speed_mbps)
			continue;
		/* Set-up has cured whatever happened to the link before. */
		atomic_andnot(TXGBE_LINK_SEEN_DOWN, &link->causes);
		txgbe_link_publish(link, speed_mbps, TXGBE_LINK_WHY_NONE);
		fd->events->link_changed(fd, true);
		return;
	}
	txgbe_mac_link_down(fd);
}

/* Compare the physical link with what was announced last. A different rate, or
 * a moment without link in between, is a loss and a gain.
 */
static void txgbe_link_check(struct txgbe_dev *fd, u32 causes)
{
	struct txgbe_link *link = &fd->link;
	u32 speed_mbps;

	mutex_lock(&link->mac_lock);
	if (!test_bit(TXGBE_LINK_OPEN, &link->flags))
		goto unlock;

	/* Only this work and link_stop write @state, both under mac_lock. */
	speed_mbps = txgbe_link_read(fd);
	if (link->state.up &&
	    (speed_mbps != link->state.speed_mbps || causes & TXGBE_LINK_SEEN_DOWN))
		txgbe_link_lost(fd);
	if (!link->state.up && speed_mbps && !txgbe_link_is_settling(link))
		txgbe_link_gained(fd, speed_mbps);
	if (!link->state.up)
		txgbe_link_publish(link, 0, txgbe_link_reason(fd));
unlock:
	mutex_unlock(&link->mac_lock);
}

static bool txgbe_link_is_due(const struct txgbe_dev *fd)
{
	const struct txgbe_link *link = &fd->link;

	return link->plugged && txgbe_present(fd) &&
	       test_bit(TXGBE_LINK_OPEN, &link->flags) &&
	       test_bit(TXGBE_LINK_IDENTIFY, &link->flags) &&
	       time_after_eq64(get_jiffies_64(), link->retry_at);
}

/* Jiffies until the next thing that is known to be due. */
static unsigned long txgbe_link_next(const struct txgbe_link *link)
{
	u64 now = get_jiffies_64();
	u64 next = now + msecs_to_jiffies(TXGBE_LINK_POLL_MS);

	if (test_bit(TXGBE_LINK_OPEN, &link->flags)) {
		if (link->plugged && test_bit(TXGBE_LINK_IDENTIFY, &link->flags))
			next = min(next, link->retry_at);
		if (time_before64(now, link->settle_at))
			next = min(next, link->settle_at);
	}
	return time_before64(now, next) ? next - now : 0;
}

static void txgbe_link_work(struct work_struct *work)
{
	struct txgbe_link *link = container_of(to_delayed_work(work), struct txgbe_link, work);
	struct txgbe_dev *fd = container_of(link, struct txgbe_dev, link);
	u32 causes = atomic_xchg(&link->causes, 0);

	if (test_and_clear_bit(TXGBE_LINK_FRESH, &link->flags)) {
		/* A module plugged just now still needs its time. */
		u64 ready_at = link->backoff_ms ? 0 : link->retry_at;

		txgbe_link_start_over(link, 0);
		link->retry_at = max(link->retry_at, ready_at);
		txgbe_fw_retry(fd);
	}

	txgbe_link_watch_module(fd, causes);
	if (txgbe_link_is_due(fd))
		txgbe_link_request(fd);
	txgbe_link_check(fd, causes);

	/* queue_, not mod_: an event that came meanwhile wants to run now. */
	if (test_bit(TXGBE_LINK_ALIVE, &link->flags) && txgbe_present(fd))
		queue_delayed_work(fd->wq, &link->work, txgbe_link_next(link));
}

/**
 * txgbe_link_init() - start watching for modules
 * @fd: device, reset, with fd->wq and the mailbox ready
 *
 * Context: Process context, from probe.
 */
void txgbe_link_init(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	INIT_DELAYED_WORK(&link->work, txgbe_link_work);
	mutex_init(&link->mac_lock);
	spin_lock_init(&link->lock);
	atomic_set(&link->causes, 0);
	link->flags = BIT(TXGBE_LINK_ALIVE);
	link->retry_at = get_jiffies_64();
	link->settle_at = get_jiffies_64();
	link->state.why = TXGBE_LINK_WHY_ADMIN;

	txgbe_module_init(fd);
	/* As after close: the partner of a closed port must see no light. */
	txgbe_mac_laser(fd, false);
	link->plugged = txgbe_module_present(fd);
	link->state.module.kind = link->plugged ? TXGBE_MODULE_UNKNOWN : TXGBE_MODULE_NONE;
	txgbe_module_arm(fd, link->plugged);
	queue_delayed_work(fd->wq, &link->work, msecs_to_jiffies(TXGBE_LINK_POLL_MS));
}

/**
 * txgbe_link_fini() - stop the state machine for good
 * @fd: device, with fd->removing set so that a wait for firmware ends early;
 *	the port is closed and its interrupts are freed
 *
 * Context: Process context, sleeps until the work has ended. The caller holds
 * neither fd->link.mac_lock nor fd->fw.lock.
 */
void txgbe_link_fini(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	clear_bit(TXGBE_LINK_ALIVE, &link->flags);
	cancel_delayed_work_sync(&link->work);
	mutex_destroy(&link->mac_lock);
}

/**
 * txgbe_link_freeze() - stop looking at the device, which is about to be reset
 * @fd: device; txgbe_link_stop() was called if the port was open
 *
 * Freezing twice is allowed.
 *
 * Context: Process context, sleeps until the work has ended, at most as long as
 * a firmware command; not at all while registers are hidden.
 */
void txgbe_link_freeze(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	clear_bit(TXGBE_LINK_ALIVE, &link->flags);
	cancel_delayed_work_sync(&link->work);
}

/**
 * txgbe_link_thaw() - look again, at a device of which nothing is known
 * @fd: device, reset; the port is closed, txgbe_link_start() may follow
 *
 * The module may have changed, and the pins' set-up be lost.
 *
 * Context: Process context.
 */
void txgbe_link_thaw(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	atomic_set(&link->causes, 0);
	txgbe_module_init(fd);
	txgbe_mac_laser(fd, false);
	link->plugged = false;
	txgbe_module_arm(fd, false);
	set_bit(TXGBE_LINK_ALIVE, &link->flags);
	queue_delayed_work(fd->wq, &link->work, 0);
}

/**
 * txgbe_link_start() - last step of open: bring the link up
 * @fd: device; rings, gates and interrupts are ready
 *
 * events->link_changed() tells the result, from now until txgbe_link_stop().
 *
 * Context: Process context, sleeps shortly. Takes fd->link.mac_lock.
 */
void txgbe_link_start(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	mutex_lock(&link->mac_lock);
	txgbe_module_init(fd);
	txgbe_mac_laser(fd, true);
	txgbe_link_publish(link, 0, TXGBE_LINK_WHY_NONE);
	set_bit(TXGBE_LINK_FRESH, &link->flags);
	set_bit(TXGBE_LINK_IDENTIFY, &link->flags);
	set_bit(TXGBE_LINK_OPEN, &link->flags);
	mutex_unlock(&link->mac_lock);

	mod_delayed_work(fd->wq, &link->work, 0);
}

/**
 * txgbe_link_stop() - first step of close: link down, MAC and laser off
 * @fd: device
 *
 * Afterwards events->link_changed() is not called any more, nor was it by this
 * function: the caller turns its carrier off itself. Does not wait for a
 * firmware command that may be under way.
 *
 * Context: Process context, sleeps some milliseconds at most. Takes
 * fd->link.mac_lock.
 */
void txgbe_link_stop(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	mutex_lock(&link->mac_lock);
	clear_bit(TXGBE_LINK_OPEN, &link->flags);
	txgbe_link_publish(link, 0, txgbe_present(fd) ? TXGBE_LINK_WHY_ADMIN : TXGBE_LINK_WHY_GONE);
	txgbe_mac_link_down(fd);
	txgbe_mac_laser(fd, false);
	mutex_unlock(&link->mac_lock);
}

/**
 * txgbe_link_event() - an interrupt said something about link or module
 * @fd: device
 * @causes: TXGBE_MISC_* bits; those that are none of the link's are ignored
 *
 * A link may come back before the work runs; so whether it was down is read
 * here. 0 makes the work look at everything.
 *
 * Context: Any, also hardirq, between txgbe_link_init() and txgbe_link_fini().
 */
void txgbe_link_event(struct txgbe_dev *fd, u32 causes)
{
	struct txgbe_link *link = &fd->link;
	u32 news = 0;

	if (causes & TXGBE_MISC_GPIO && txgbe_module_ack(fd))
		news |= TXGBE_MISC_GPIO;
	if (causes & TXGBE_LINK_CAUSES && !txgbe_link_read(fd))
		news |= TXGBE_LINK_SEEN_DOWN;
	atomic_or(news, &link->causes);
	if (test_bit(TXGBE_LINK_ALIVE, &link->flags))
		mod_delayed_work(fd->wq, &link->work, 0);
}

/**
 * txgbe_link_get() - a consistent copy of the link state
 * @fd: device
 * @state: the copy
 *
 * Context: Process or softirq. Takes fd->link.lock.
 */
void txgbe_link_get(struct txgbe_dev *fd, struct txgbe_link_state *state)
{
	struct txgbe_link *link = &fd->link;

	spin_lock_bh(&link->lock);
	*state = link->state;
	spin_unlock_bh(&link->lock);
}

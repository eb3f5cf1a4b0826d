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
#include <linux/log2.h>
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

/* What firmware says of the error correction must be about the rate announced. */
#define TXGBE_LINK_LEARN_TRIES		2
/* When a link that stays up is asked about again; twice as long each time, up
 * to about a minute, for a firmware that never tells.
 */
#define TXGBE_LINK_LEARN_MS		1000
#define TXGBE_LINK_LEARN_SHIFT_MAX	6
/* A reason for having no link is worth a line once it has held this long. */
#define TXGBE_LINK_TELL_MS		2000

static const struct {
	u32 port_st;
	u32 mbps;
} txgbe_link_rates[] = { /* the in-tree driver tests in this order */
	{ TXGBE_CFG_PORT_ST_40G, SPEED_40000 },
	{ TXGBE_CFG_PORT_ST_25G, SPEED_25000 },
	{ TXGBE_CFG_PORT_ST_10G, SPEED_10000 },
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

/* What the wish makes of the module, as both are now. */
static void txgbe_link_plan_now(struct txgbe_dev *fd, struct txgbe_link_plan *plan)
{
	struct txgbe_link *link = &fd->link;

	spin_lock_bh(&link->lock);
	txgbe_link_make_plan(&link->want, &link->state.module, fd->board->max_speed_mbps, plan);
	spin_unlock_bh(&link->lock);
}

static void txgbe_link_publish_module(struct txgbe_link *link, const struct txgbe_module *module)
{
	spin_lock_bh(&link->lock);
	link->state.module = *module;
	spin_unlock_bh(&link->lock);
}

/* Nobody sees a carrier without its final rate: the rate comes before the
 * carrier, and goes after it.
 */
static void txgbe_link_publish(struct txgbe_link *link, u32 speed_mbps, enum txgbe_link_why why)
{
	spin_lock_bh(&link->lock);
	link->state.up = speed_mbps != 0;
	link->state.speed_mbps = speed_mbps;
	link->state.fec = speed_mbps ? link->learnt_fec : 0;
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
	if (fault == TXGBE_LINK_WHY_FW || fault == TXGBE_LINK_WHY_UNREADABLE)
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

/* A module came or went, or may have while nobody looked: nothing of what was
 * known of it holds any more.
 */
static void txgbe_link_forget_module(struct txgbe_link *link, bool present)
{
	struct txgbe_module module = {
		.kind = present ? TXGBE_MODULE_UNKNOWN : TXGBE_MODULE_NONE,
	};

	link->plugged = present;
	txgbe_link_publish_module(link, &module);
	txgbe_link_start_over(link, TXGBE_LINK_PLUG_MS);
}

/* Look at the presence pin; edges count even if the level is what it was, for
 * the module may have been swapped. The link is asked for again even if the
 * new module is of the old kind: firmware is said to restore the link by
 * itself then, and a second request does no harm.
 */
static void txgbe_link_watch_module(struct txgbe_dev *fd, u32 causes)
{
	struct txgbe_link *link = &fd->link;
	bool edge, present;

	edge = txgbe_module_ack(fd) || causes & TXGBE_MISC_GPIO;
	present = txgbe_module_present(fd);
	if (present != link->plugged && txgbe_present(fd)) {
		txgbe_module_arm(fd, present);
		present = txgbe_module_present(fd);
		edge = true;
	}
	if (edge && txgbe_present(fd))
		txgbe_link_forget_module(link, present);
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
		txgbe_link_set_fault(fd, err == -EREMOTEIO ? TXGBE_LINK_WHY_UNREADABLE :
							     TXGBE_LINK_WHY_FW,
				     "identify the module", err);
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

static const char *txgbe_link_fec_text(u8 fec)
{
	switch (fec) {
	case TXGBE_FW_FEC_RS:
		return "RS";
	case TXGBE_FW_FEC_BASER:
		return "BASE-R";
	case TXGBE_FW_FEC_OFF:
		return "off";
	case TXGBE_FW_FEC_AUTO:
		return "automatic";
	default:
		return "one of several";
	}
}

/* Ask firmware for the best link that wish and module allow. */
static int txgbe_link_ask(struct txgbe_dev *fd)
{
	struct txgbe_link_plan plan;
	int err;

	txgbe_link_plan_now(fd, &plan);
	if (plan.speed_unfit)
		dev_info_ratelimited(fd->dev, "link: the module has none of the rates set, its own are used\n");
	if (plan.fec_unfit)
		dev_info_ratelimited(fd->dev, "link: the FEC set does not exist at this rate, firmware chooses\n");

	err = txgbe_fw_set_link(fd, plan.fw_speed, plan.autoneg, plan.fec);
	if (err && err != -ENODEV)
		txgbe_link_set_fault(fd, TXGBE_LINK_WHY_FW, "set the link up", err);
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
	if (!err && test_bit(TXGBE_LINK_OPEN, &link->flags))
		err = txgbe_link_ask(fd);
	if (err) {
		txgbe_link_back_off(link);
		return;
	}

	if (link->fault == TXGBE_LINK_WHY_FW || link->fault == TXGBE_LINK_WHY_UNREADABLE)
		dev_info_ratelimited(fd->dev, "link: firmware works again\n");
	link->fault = TXGBE_LINK_WHY_NONE;
	link->backoff_ms = 0;
	link->configured = true;
	link->learn_again = true;
	link->learn_tries = 0;
	link->learn_at = get_jiffies_64() + msecs_to_jiffies(TXGBE_LINK_LEARN_MS);
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

/* Firmware is at work, and no link has come of it. */
static enum txgbe_link_why txgbe_link_reason_outside(struct txgbe_dev *fd)
{
	if (txgbe_link_read(fd))
		return TXGBE_LINK_WHY_UNWANTED;
	if (fd->link.state.module.kind != TXGBE_MODULE_FIBRE)
		return TXGBE_LINK_WHY_NO_PARTNER;
	switch (txgbe_module_has_signal(fd)) {
	case 0:
		return TXGBE_LINK_WHY_NO_SIGNAL;
	case 1:
		return TXGBE_LINK_WHY_NO_SYNC;
	default:
		return TXGBE_LINK_WHY_NO_PARTNER;
	}
}

static enum txgbe_link_why txgbe_link_reason(struct txgbe_dev *fd)
{
	const struct txgbe_link *link = &fd->link;

	if (!txgbe_present(fd))
		return TXGBE_LINK_WHY_GONE;
	if (!link->plugged)
		return TXGBE_LINK_WHY_NO_MODULE;
	if (link->fault != TXGBE_LINK_WHY_NONE)
		return link->fault;
	return link->configured ? txgbe_link_reason_outside(fd) : TXGBE_LINK_WHY_NONE;
}

/* A partner that is there but does not match is worth a line: nothing else
 * tells a wrong cable from a wrong setting. Once per change of the reason, and
 * only when it is not about to go by itself.
 */
static void txgbe_link_tell(struct txgbe_dev *fd, enum txgbe_link_why why)
{
	struct txgbe_link *link = &fd->link;
	struct txgbe_link_plan plan;

	if (why != link->why_seen) {
		link->why_seen = why;
		link->why_since = get_jiffies_64();
	}
	if (why == link->why_told ||
	    time_before64(get_jiffies_64(),
			  link->why_since + msecs_to_jiffies(TXGBE_LINK_TELL_MS)))
		return;
	link->why_told = why;

	txgbe_link_plan_now(fd, &plan);
	if (why == TXGBE_LINK_WHY_NO_SYNC)
		dev_info(fd->dev, "link: signal but no link at %u Mbit/s with FEC %s: rate or FEC of the partner differ\n",
			 txgbe_link_speed_mbps(plan.speeds), txgbe_link_fec_text(plan.fec));
	else if (why == TXGBE_LINK_WHY_UNWANTED)
		dev_info(fd->dev, "link: comes up at %u Mbit/s only, which is not among the rates set\n",
			 txgbe_link_read(fd));
}

/* Carrier off first, so that nothing is queued for a MAC that is off, and nobody
 * who sees a carrier asks for a rate that is gone.
 */
static void txgbe_link_lost(struct txgbe_dev *fd)
{
	enum txgbe_link_why why = txgbe_link_reason(fd);
	struct txgbe_link *link = &fd->link;

	spin_lock_bh(&link->lock);
	link->state.down_count++;
	link->state.why = why;
	spin_unlock_bh(&link->lock);
	fd->events->link_changed(fd, false);
	txgbe_link_publish(link, 0, why);
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
		txgbe_mac_set_pause(fd, link->want.rx_pause, link->want.tx_pause);
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

/* Rate of the physical link if it is one the user lets the port run at. */
static u32 txgbe_link_read_wanted(struct txgbe_dev *fd)
{
	u32 speed_mbps = txgbe_link_read(fd);
	struct txgbe_link_plan plan;

	txgbe_link_plan_now(fd, &plan);
	return plan.speeds & txgbe_link_speed_bit(speed_mbps) ? speed_mbps : 0;
}

/* Which error correction the link runs with; only firmware knows. May sleep as
 * long as firmware lets us wait, so no lock is held.
 */
static void txgbe_link_ask_fec(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;
	struct txgbe_fw_get_link_rsp rsp;
	int err;

	err = txgbe_fw_get_link(fd, &rsp);
	link->learnt_fec = 0;
	/* More than one bit is what was asked for, not what is in use. */
	if (!err && is_power_of_2(rsp.fec) && rsp.fec & TXGBE_FW_FEC_AUTO)
		link->learnt_fec = rsp.fec;
	link->learn_again = !link->learnt_fec && err != -ENODEV;
	link->learn_at = get_jiffies_64() +
			 msecs_to_jiffies(TXGBE_LINK_LEARN_MS << link->learn_tries);
	/* Silent firmware is left alone by its own rule. */
	if (!err && link->learn_tries < TXGBE_LINK_LEARN_SHIFT_MAX)
		link->learn_tries++;
}

/* A link that is up although firmware did not answer, or that a new request
 * left up: what runs is to be learnt, or learnt again.
 */
static void txgbe_link_learn_late(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	if (!link->learn_again || time_before64(get_jiffies_64(), link->learn_at))
		return;
	txgbe_link_ask_fec(fd);

	mutex_lock(&link->mac_lock);
	if (link->state.up)
		txgbe_link_publish(link, link->state.speed_mbps, TXGBE_LINK_WHY_NONE);
	mutex_unlock(&link->mac_lock);
}

/* The same before a link is announced, so that nobody sees it without. */
static void txgbe_link_learn(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;
	u32 speed_mbps;

	if (!test_bit(TXGBE_LINK_OPEN, &link->flags))
		return;
	if (READ_ONCE(link->state.up)) {
		txgbe_link_learn_late(fd);
		return;
	}
	speed_mbps = txgbe_link_read_wanted(fd);
	if (!speed_mbps || txgbe_link_is_settling(link))
		return;
	link->learnt_mbps = speed_mbps;
	link->learn_tries = 0;
	txgbe_link_ask_fec(fd);
}

/* Compare the physical link with what was announced last. A different rate, or
 * a moment without link in between, is a loss and a gain.
 * Return: false if it came up at a rate that txgbe_link_learn() did not see.
 */
static bool txgbe_link_check(struct txgbe_dev *fd, u32 causes)
{
	struct txgbe_link *link = &fd->link;
	bool learnt = true;
	u32 speed_mbps;

	mutex_lock(&link->mac_lock);
	if (!test_bit(TXGBE_LINK_OPEN, &link->flags))
		goto unlock;

	/* Only this work and link_stop write @state, both under mac_lock. */
	speed_mbps = txgbe_link_read_wanted(fd);
	if (link->state.up &&
	    (speed_mbps != link->state.speed_mbps || causes & TXGBE_LINK_SEEN_DOWN)) {
		txgbe_link_lost(fd);
		link->learnt_mbps = 0;
	}
	if (!link->state.up && speed_mbps && !txgbe_link_is_settling(link)) {
		learnt = link->learnt_mbps == speed_mbps;
		if (learnt)
			txgbe_link_gained(fd, speed_mbps);
	}
	if (!link->state.up) {
		txgbe_link_publish(link, 0, txgbe_link_reason(fd));
		if (learnt)
			txgbe_link_tell(fd, link->state.why);
	} else {
		link->why_seen = TXGBE_LINK_WHY_NONE;
		link->why_told = TXGBE_LINK_WHY_NONE;
	}
unlock:
	mutex_unlock(&link->mac_lock);
	return learnt;
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
	u32 tries;

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
	for (tries = 0; tries < TXGBE_LINK_LEARN_TRIES; tries++) {
		txgbe_link_learn(fd);
		if (txgbe_link_check(fd, causes))
			break;
		causes = 0;
	}

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
	link->why_since = get_jiffies_64();
	link->state.why = TXGBE_LINK_WHY_ADMIN;
	link->want.adv_speeds = TXGBE_SPEED_ALL;
	link->want.fec = TXGBE_FW_FEC_AUTO;

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
	txgbe_link_forget_module(link, txgbe_module_present(fd));
	txgbe_module_arm(fd, link->plugged);
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
 * function: the caller turns its carrier off itself, before it gives back rtnl,
 * which whoever compares rate and carrier holds. Does not wait for a firmware
 * command that may be under way.
 *
 * Context: Process context, sleeps some milliseconds at most, rtnl held. Takes
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

/**
 * txgbe_link_why_text() - a reason in words
 * @why: reason
 *
 * Context: Any.
 * Return: a few words for the log.
 */
const char *txgbe_link_why_text(enum txgbe_link_why why)
{
	switch (why) {
	case TXGBE_LINK_WHY_ADMIN:
		return "port is closed";
	case TXGBE_LINK_WHY_NO_MODULE:
		return "no module";
	case TXGBE_LINK_WHY_BAD_MODULE:
		return "module not usable";
	case TXGBE_LINK_WHY_UNREADABLE:
		return "module not readable";
	case TXGBE_LINK_WHY_FW:
		return "firmware does not answer";
	case TXGBE_LINK_WHY_NO_SIGNAL:
		return "no signal";
	case TXGBE_LINK_WHY_NO_SYNC:
		return "signal but no link";
	case TXGBE_LINK_WHY_NO_PARTNER:
		return "no partner";
	case TXGBE_LINK_WHY_UNWANTED:
		return "rate not among those set";
	case TXGBE_LINK_WHY_GONE:
		return "device is gone";
	default:
		return "link lost";
	}
}

/**
 * txgbe_link_get_want() - a consistent copy of the user's wish
 * @fd: device
 * @want: the copy
 *
 * Context: Process or softirq. Takes fd->link.lock.
 */
void txgbe_link_get_want(struct txgbe_dev *fd, struct txgbe_link_want *want)
{
	struct txgbe_link *link = &fd->link;

	spin_lock_bh(&link->lock);
	*want = link->want;
	spin_unlock_bh(&link->lock);
}

/* Must firmware be asked again, or can the link stay as it is? */
static bool txgbe_link_must_ask(const struct txgbe_link_state *state,
				const struct txgbe_link_plan *before,
				const struct txgbe_link_plan *after)
{
	if (before->fw_speed != after->fw_speed || before->autoneg != after->autoneg ||
	    before->fec != after->fec)
		return true;
	return state->up && !(after->speeds & txgbe_link_speed_bit(state->speed_mbps));
}

/* Have the work ask firmware again. */
static void txgbe_link_ask_again(struct txgbe_dev *fd)
{
	struct txgbe_link *link = &fd->link;

	if (!test_bit(TXGBE_LINK_OPEN, &link->flags))
		return;	/* txgbe_link_start() will */
	set_bit(TXGBE_LINK_FRESH, &link->flags);
	set_bit(TXGBE_LINK_IDENTIFY, &link->flags);
	mod_delayed_work(fd->wq, &link->work, 0);
}

/**
 * txgbe_link_set_want() - replace the user's wish and follow it
 * @fd: device
 * @want: the wish; the caller has checked that MAC and module can do it
 *
 * Pause takes effect at once. A different rate, negotiation or FEC takes the
 * link down and brings it up anew, soon after the return. A wish that changes
 * nothing leaves the link alone.
 *
 * Context: Process context, sleeps shortly, the lock of the net_device held.
 * Takes fd->link.mac_lock.
 */
void txgbe_link_set_want(struct txgbe_dev *fd, const struct txgbe_link_want *want)
{
	struct txgbe_link *link = &fd->link;
	struct txgbe_link_plan before, after;
	bool ask;

	mutex_lock(&link->mac_lock);
	spin_lock_bh(&link->lock);
	txgbe_link_make_plan(&link->want, &link->state.module, fd->board->max_speed_mbps, &before);
	link->want = *want;
	txgbe_link_make_plan(&link->want, &link->state.module, fd->board->max_speed_mbps, &after);
	ask = txgbe_link_must_ask(&link->state, &before, &after);
	spin_unlock_bh(&link->lock);

	if (link->state.up)
		txgbe_mac_set_pause(fd, want->rx_pause, want->tx_pause);
	mutex_unlock(&link->mac_lock);

	if (ask)
		txgbe_link_ask_again(fd);
	else
		txgbe_link_event(fd, 0);	/* other rates may be acceptable now */
}

/**
 * txgbe_link_restart() - ask firmware to bring the link up anew
 * @fd: device
 *
 * Context: Process context.
 * Return: 0; -ENETDOWN if the port is closed; -ENODEV if there is no module or
 * no device.
 */
int txgbe_link_restart(struct txgbe_dev *fd)
{
	if (!txgbe_present(fd))
		return -ENODEV;
	if (!test_bit(TXGBE_LINK_OPEN, &fd->link.flags))
		return -ENETDOWN;
	if (!txgbe_module_present(fd))
		return -ENODEV;
	txgbe_link_ask_again(fd);
	return 0;
}

/**
 * txgbe_link_likely_speed() - rate of the physical link, whether the port is open or not
 * @fd: device
 *
 * Context: Process context. Takes fd->link.lock.
 * Return: Mbit/s; while there is no link, what it would most likely come up at;
 * 0 if no rate suits module and port.
 */
u32 txgbe_link_likely_speed(struct txgbe_dev *fd)
{
	u32 speed_mbps = txgbe_link_read(fd);
	struct txgbe_link_plan plan;

	if (speed_mbps)
		return speed_mbps;
	txgbe_link_plan_now(fd, &plan);
	return txgbe_link_speed_mbps(plan.speeds);
}

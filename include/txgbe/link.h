/* SPDX-License-Identifier: GPL-2.0-only */
/* Link state machine, driven by interrupts and the firmware mailbox. */
#ifndef TXGBE_LINK_H
#define TXGBE_LINK_H

#include <linux/atomic.h>
#include <linux/ethtool.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct txgbe_dev;

/* How often the module-present pin is looked at, port up or down. */
#define TXGBE_LINK_POLL_MS	500

/* Rates as bits, so that sets of them are masks. */
#define TXGBE_SPEED_10G		0x1
#define TXGBE_SPEED_25G		0x2
#define TXGBE_SPEED_40G		0x4

/* Why the link is down, for ethtool and the log. */
enum txgbe_link_why {
	TXGBE_LINK_WHY_NONE,		/* it is up, or only just started */
	TXGBE_LINK_WHY_ADMIN,		/* the port is closed */
	TXGBE_LINK_WHY_NO_MODULE,
	TXGBE_LINK_WHY_BAD_MODULE,	/* unsupported or unreadable */
	TXGBE_LINK_WHY_FW,		/* firmware does not answer */
	TXGBE_LINK_WHY_NO_SIGNAL,	/* cable, partner or its laser */
	TXGBE_LINK_WHY_GONE,		/* device removed */
};

enum txgbe_module_kind {
	TXGBE_MODULE_NONE,
	TXGBE_MODULE_UNKNOWN,		/* present, not yet or not identifiable */
	TXGBE_MODULE_FIBRE,
	TXGBE_MODULE_DAC,
};

/**
 * struct txgbe_module - the plugged module as identified by firmware
 * @kind: what it is
 * @identifier: SFF-8024 byte (TXGBE_MODULE_ID_*), 0 without module
 * @speeds: TXGBE_SPEED_* mask, already cut to what the MAC supports
 * @autoneg: negotiate, copper cables
 * @modes: ETHTOOL_LINK_MODE_* bits of @speeds, with FIBRE and, if @autoneg, Autoneg
 */
struct txgbe_module {
	enum txgbe_module_kind kind;
	u8 identifier;
	u8 speeds;
	bool autoneg;
	__ETHTOOL_DECLARE_LINK_MODE_MASK(modes);
};

/**
 * struct txgbe_link_state - a consistent snapshot
 * @up: carrier
 * @speed_mbps: final rate while up, 0 while down; duplex is always full
 * @why: reason while down
 * @module: the module
 * @down_count: carrier losses since probe
 */
struct txgbe_link_state {
	bool up;
	u32 speed_mbps;
	enum txgbe_link_why why;
	struct txgbe_module module;
	u32 down_count;
};

/* Bits of txgbe_link.flags */
enum txgbe_link_flag {
	TXGBE_LINK_ALIVE,	/* from txgbe_link_init() to txgbe_link_fini() */
	TXGBE_LINK_OPEN,	/* the port is open; changes under mac_lock */
	TXGBE_LINK_IDENTIFY,	/* ask firmware for the module, then for a link */
	TXGBE_LINK_FRESH,	/* just opened: forget earlier failures */
};

/**
 * struct txgbe_link - state machine, private to src/link
 * @work: every step of the machine runs here, on fd->wq
 * @mac_lock: serialises MAC set-up, carrier and opening against each other
 * @lock: protects @state
 * @state: published snapshot
 * @flags: enum txgbe_link_flag
 * @causes: TXGBE_MISC_* link and GPIO causes not yet handled, and
 *	TXGBE_LINK_SEEN_DOWN
 * @plugged: presence as last seen by the work
 * @configured: firmware took the last request for a link; work only
 * @fault: what keeps the link from being requested; work only
 * @backoff_ms: pause after the last firmware failure, 0 if none; work only
 * @retry_at: jiffies64 of the next attempt to identify; work only
 * @settle_at: jiffies64 until which a link may still be the old one; work only
 */
struct txgbe_link {
	struct delayed_work work;
	struct mutex mac_lock; /* MAC set-up, carrier, TXGBE_LINK_OPEN */
	spinlock_t lock; /* readers of @state against the work */
	struct txgbe_link_state state;
	unsigned long flags;
	atomic_t causes;
	bool plugged;
	bool configured;
	enum txgbe_link_why fault;
	u32 backoff_ms;
	u64 retry_at;
	u64 settle_at;
};

void txgbe_link_init(struct txgbe_dev *fd);
void txgbe_link_fini(struct txgbe_dev *fd);
void txgbe_link_freeze(struct txgbe_dev *fd);
void txgbe_link_thaw(struct txgbe_dev *fd);
void txgbe_link_start(struct txgbe_dev *fd);
void txgbe_link_stop(struct txgbe_dev *fd);
void txgbe_link_event(struct txgbe_dev *fd, u32 causes);
void txgbe_link_get(struct txgbe_dev *fd, struct txgbe_link_state *state);

#endif /* TXGBE_LINK_H */

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
#define TXGBE_SPEED_ALL		(TXGBE_SPEED_10G | TXGBE_SPEED_25G | TXGBE_SPEED_40G)

/* Why the link is down, for ethtool and the log. */
enum txgbe_link_why {
	TXGBE_LINK_WHY_NONE,		/* it is up, or only just started */
	TXGBE_LINK_WHY_ADMIN,		/* the port is closed */
	TXGBE_LINK_WHY_NO_MODULE,
	TXGBE_LINK_WHY_BAD_MODULE,	/* of no kind or rate we can use */
	TXGBE_LINK_WHY_UNREADABLE,	/* firmware cannot read the module */
	TXGBE_LINK_WHY_FW,		/* firmware does not answer */
	TXGBE_LINK_WHY_NO_SIGNAL,	/* the module receives no light */
	TXGBE_LINK_WHY_NO_SYNC,		/* light, but no link: rate or FEC differ */
	TXGBE_LINK_WHY_NO_PARTNER,	/* asked for, and nobody is there */
	TXGBE_LINK_WHY_UNWANTED,	/* up at a rate the user has ruled out */
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
 * struct txgbe_link_want - what the user asked for. Outlives closing, resets
 * and modules; what does not suit the plugged module is passed over, not lost.
 * @adv_speeds: rates that may be negotiated, TXGBE_SPEED_* mask
 * @no_autoneg: nothing is negotiated, even if the module could
 * @force_mbps: rate without negotiation; 0: the fastest of module and MAC
 * @fec: TXGBE_FW_FEC_* mask of what may be used; TXGBE_FW_FEC_AUTO: firmware's choice
 * @rx_pause: honour pause frames
 * @tx_pause: send pause frames
 */
struct txgbe_link_want {
	u8 adv_speeds;
	bool no_autoneg;
	u32 force_mbps;
	u8 fec;
	bool rx_pause;
	bool tx_pause;
};

/**
 * struct txgbe_link_plan - what follows from wish and module
 * @speeds: rates that are taken if they come up, TXGBE_SPEED_* mask
 * @fw_speed: rate firmware is asked for, TXGBE_FW_SPEED_*
 * @autoneg: whether it negotiates
 * @fec: TXGBE_FW_FEC_* it may use
 * @speed_unfit: the wished rates do not suit the module, all of its own do
 * @fec_unfit: the wished FEC does not exist at these rates, firmware chooses
 */
struct txgbe_link_plan {
	u8 speeds;
	u8 fw_speed;
	bool autoneg;
	u8 fec;
	bool speed_unfit;
	bool fec_unfit;
};

/**
 * struct txgbe_link_state - a consistent snapshot
 * @up: carrier
 * @speed_mbps: final rate while up, 0 while down; duplex is always full
 * @fec: the one TXGBE_FW_FEC_* in use; 0 while down or if firmware does not tell
 * @why: reason while down
 * @module: the module
 * @down_count: carrier losses since probe
 */
struct txgbe_link_state {
	bool up;
	u32 speed_mbps;
	u8 fec;
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
 * @lock: protects @state and @want
 * @state: published snapshot
 * @want: the user's wish; written under the lock of the net_device as well
 * @flags: enum txgbe_link_flag
 * @causes: TXGBE_MISC_* link and GPIO causes not yet handled, and
 *	TXGBE_LINK_SEEN_DOWN
 * @plugged: presence as last seen by the work
 * @configured: firmware took the last request for a link; work only
 * @fault: what keeps the link from being requested; work only
 * @backoff_ms: pause after the last firmware failure, 0 if none; work only
 * @retry_at: jiffies64 of the next attempt to identify; work only
 * @settle_at: jiffies64 until which a link may still be the old one; work only
 * @learnt_mbps: rate for which @learnt_fec was asked of firmware; work only
 * @learnt_fec: the one TXGBE_FW_FEC_* in use, 0 if unknown; work only
 * @learn_again: firmware could not tell, or was asked for something new; work only
 * @learn_tries: answers that did not tell, since the link was asked for or came up; work only
 * @learn_at: jiffies64, first moment to ask about a link that is up; work only
 * @why_since: jiffies64 since which the reason is @why_seen; work only
 * @why_seen: reason for no link as last seen; work only
 * @why_told: and as last written to the log; work only
 */
struct txgbe_link {
	struct delayed_work work;
	struct mutex mac_lock; /* MAC set-up, carrier, TXGBE_LINK_OPEN */
	spinlock_t lock; /* readers of @state and @want against writers */
	struct txgbe_link_state state;
	struct txgbe_link_want want;
	unsigned long flags;
	atomic_t causes;
	bool plugged;
	bool configured;
	enum txgbe_link_why fault;
	u32 backoff_ms;
	u64 retry_at;
	u64 settle_at;
	u32 learnt_mbps;
	u8 learnt_fec;
	bool learn_again;
	u8 learn_tries;
	u64 learn_at;
	u64 why_since;
	enum txgbe_link_why why_seen;
	enum txgbe_link_why why_told;
};

void txgbe_link_init(struct txgbe_dev *fd);
void txgbe_link_fini(struct txgbe_dev *fd);
void txgbe_link_freeze(struct txgbe_dev *fd);
void txgbe_link_thaw(struct txgbe_dev *fd);
void txgbe_link_start(struct txgbe_dev *fd);
void txgbe_link_stop(struct txgbe_dev *fd);
void txgbe_link_event(struct txgbe_dev *fd, u32 causes);
void txgbe_link_get(struct txgbe_dev *fd, struct txgbe_link_state *state);
const char *txgbe_link_why_text(enum txgbe_link_why why);
void txgbe_link_get_want(struct txgbe_dev *fd, struct txgbe_link_want *want);
void txgbe_link_set_want(struct txgbe_dev *fd, const struct txgbe_link_want *want);
int txgbe_link_restart(struct txgbe_dev *fd);
u32 txgbe_link_likely_speed(struct txgbe_dev *fd);

/* plan.c */
void txgbe_link_make_plan(const struct txgbe_link_want *want, const struct txgbe_module *module,
			  u32 max_speed_mbps, struct txgbe_link_plan *plan);
u8 txgbe_link_usable_speeds(const struct txgbe_module *module, u32 max_speed_mbps);
u8 txgbe_link_usable_fec(const struct txgbe_module *module, u8 speeds);
u8 txgbe_link_speed_bit(u32 speed_mbps);
u32 txgbe_link_speed_mbps(u8 speed);

/* module.c */
u8 txgbe_module_modes_to_speeds(const unsigned long *modes);
void txgbe_module_speeds_to_modes(const struct txgbe_module *module, u8 speeds,
				  unsigned long *modes);
bool txgbe_module_present(struct txgbe_dev *fd);

#endif /* TXGBE_LINK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Health record of a port: what went wrong, when, what was done about it.
 * Written by whoever sees trouble, read by devlink health, ethtool and logs.
 * It lives as long as the struct txgbe_dev, over every kind of reset.
 */
#ifndef TXGBE_HEALTH_H
#define TXGBE_HEALTH_H

#include <linux/compiler_attributes.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct txgbe_dev;

/* What fails; one devlink health reporter each. */
enum txgbe_health_part {
	TXGBE_HEALTH_TX,	/* a ring stood still, no start, reset by others */
	TXGBE_HEALTH_RX,	/* receive: interrupts that do not come */
	TXGBE_HEALTH_FW,	/* firmware mailbox */
	TXGBE_HEALTH_PCIE,	/* AER, a reset of the function that failed, removal */
	TXGBE_HEALTH_NR,
};

/* The steps of the recovery ladder, from the least to the most disturbing. */
enum txgbe_health_step {
	TXGBE_HEALTH_STEP_NONE,
	TXGBE_HEALTH_STEP_QUEUE,	/* one queue emptied and started afresh */
	TXGBE_HEALTH_STEP_PORT,		/* LAN reset, everything replayed */
	TXGBE_HEALTH_STEP_DETACH,	/* given up: the net_device is detached */
	TXGBE_HEALTH_STEP_NR,
};

#define TXGBE_HEALTH_REASON_LEN	128

/**
 * struct txgbe_health_record - history of one part
 * @errors: times something went wrong
 * @recovered: times it was put right
 * @failed: times it was not
 * @last_s: wall clock of the last error, seconds since 1970; 0 if none
 * @last_step: the last thing done about it
 * @last_err: 0 or negative errno of that
 * @reason: the last error in words, "" if none
 */
struct txgbe_health_record {
	u32 errors;
	u32 recovered;
	u32 failed;
	time64_t last_s;
	enum txgbe_health_step last_step;
	int last_err;
	char reason[TXGBE_HEALTH_REASON_LEN];
};

/**
 * struct txgbe_health - health record of a port, see the functions below
 * @lock: protects @record and @steps
 * @record: by part
 * @steps: how often each step was taken
 * @news: bit per part that @notify has not been told of
 * @hold: bit per part whose last error shall not be recovered, said @notify
 * @work: calls @notify
 * @notify: who wants to hear of errors; NULL if nobody
 */
struct txgbe_health {
	spinlock_t lock; /* short copies, any context */
	struct txgbe_health_record record[TXGBE_HEALTH_NR];
	u32 steps[TXGBE_HEALTH_STEP_NR];
	unsigned long news;
	unsigned long hold;
	struct work_struct work;
	bool (*notify)(struct txgbe_dev *fd, enum txgbe_health_part part);
};

void txgbe_health_init(struct txgbe_dev *fd);
void txgbe_health_fini(struct txgbe_dev *fd);
__printf(3, 4)
void txgbe_health_error(struct txgbe_dev *fd, enum txgbe_health_part part, const char *fmt, ...);
void txgbe_health_done(struct txgbe_dev *fd, enum txgbe_health_part part,
		       enum txgbe_health_step step, int err);
void txgbe_health_get(struct txgbe_dev *fd, enum txgbe_health_part part,
		      struct txgbe_health_record *record);
u32 txgbe_health_steps(struct txgbe_dev *fd, enum txgbe_health_step step);
bool txgbe_health_settle(struct txgbe_dev *fd, enum txgbe_health_part part);
void txgbe_health_set_notify(struct txgbe_dev *fd,
			     bool (*notify)(struct txgbe_dev *fd, enum txgbe_health_part part));

#endif /* TXGBE_HEALTH_H */

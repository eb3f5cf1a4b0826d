// SPDX-License-Identifier: GPL-2.0-only
/* Health record of a port. */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "txgbe/dev.h"
#include "txgbe/health.h"

static void txgbe_health_work(struct work_struct *work)
{
	struct txgbe_health *health = container_of(work, struct txgbe_health, work);
	struct txgbe_dev *fd = container_of(health, struct txgbe_dev, health);
	bool (*notify)(struct txgbe_dev *fd, enum txgbe_health_part part);
	unsigned int part;

	notify = READ_ONCE(health->notify);
	for (part = 0; part < TXGBE_HEALTH_NR; part++) {
		if (!test_and_clear_bit(part, &health->news))
			continue;
		if (notify && notify(fd, part))
			set_bit(part, &health->hold);
		else
			clear_bit(part, &health->hold);
	}
}

/**
 * txgbe_health_init() - start with a clean record
 * @fd: device
 *
 * Context: Process context, from probe, before anything can go wrong.
 */
void txgbe_health_init(struct txgbe_dev *fd)
{
	spin_lock_init(&fd->health.lock);
	INIT_WORK(&fd->health.work, txgbe_health_work);
}

/**
 * txgbe_health_fini() - nobody is told any more
 * @fd: device
 *
 * Context: Process context, sleeps; from remove, after the last error.
 */
void txgbe_health_fini(struct txgbe_dev *fd)
{
	txgbe_health_set_notify(fd, NULL);
}

static void txgbe_health_tell(struct txgbe_health *health, enum txgbe_health_part part)
{
	set_bit(part, &health->news);
	if (READ_ONCE(health->notify))
		schedule_work(&health->work);
}

/**
 * txgbe_health_error() - note that something went wrong
 * @fd: device
 * @part: what failed
 * @fmt: one line without newline, for people; values and limits, please
 *
 * Does not log: the caller has, if it is worth it.
 *
 * Context: Any.
 */
void txgbe_health_error(struct txgbe_dev *fd, enum txgbe_health_part part, const char *fmt, ...)
{
	struct txgbe_health *health = &fd->health;
	struct txgbe_health_record *record = &health->record[part];
	unsigned long flags;
	va_list args;

	spin_lock_irqsave(&health->lock, flags);
	record->errors++;
	record->last_s = ktime_get_real_seconds();
	record->last_step = TXGBE_HEALTH_STEP_NONE;
	record->last_err = 0;
	va_start(args, fmt);
	vscnprintf(record->reason, sizeof(record->reason), fmt, args);
	va_end(args);
	spin_unlock_irqrestore(&health->lock, flags);
	txgbe_health_tell(health, part);
}

/**
 * txgbe_health_done() - note what was done about the last error, and how it went
 * @fd: device
 * @part: what had failed
 * @step: what was done
 * @err: 0 if that has put it right, else a negative errno
 *
 * Context: Any.
 */
void txgbe_health_done(struct txgbe_dev *fd, enum txgbe_health_part part,
		       enum txgbe_health_step step, int err)
{
	struct txgbe_health *health = &fd->health;
	struct txgbe_health_record *record = &health->record[part];
	unsigned long flags;

	spin_lock_irqsave(&health->lock, flags);
	if (err)
		record->failed++;
	else
		record->recovered++;
	record->last_step = step;
	record->last_err = err;
	health->steps[step]++;
	spin_unlock_irqrestore(&health->lock, flags);
	txgbe_health_tell(health, part);
}

/**
 * txgbe_health_get() - a consistent copy of one part's history
 * @fd: device
 * @part: which
 * @record: the copy
 *
 * Context: Any.
 */
void txgbe_health_get(struct txgbe_dev *fd, enum txgbe_health_part part,
		      struct txgbe_health_record *record)
{
	struct txgbe_health *health = &fd->health;
	unsigned long flags;

	spin_lock_irqsave(&health->lock, flags);
	*record = health->record[part];
	spin_unlock_irqrestore(&health->lock, flags);
}

/**
 * txgbe_health_steps() - how often a step of the ladder was taken
 * @fd: device
 * @step: which
 *
 * Context: Any.
 * Return: times since probe.
 */
u32 txgbe_health_steps(struct txgbe_dev *fd, enum txgbe_health_step step)
{
	return READ_ONCE(fd->health.steps[step]);
}

/**
 * txgbe_health_settle() - wait until errors so far have been told
 * @fd: device
 * @part: whose error the caller is about to recover from
 *
 * So that whoever is told can look at the failed state first.
 *
 * Context: Process context, sleeps, no locks held.
 * Return: true if the part shall be left as it is, at the user's wish.
 */
bool txgbe_health_settle(struct txgbe_dev *fd, enum txgbe_health_part part)
{
	flush_work(&fd->health.work);
	return test_bit(part, &fd->health.hold);
}

/**
 * txgbe_health_set_notify() - who is told of errors, and of their end
 * @fd: device
 * @notify: called after each txgbe_health_error() and txgbe_health_done(),
 *	several in a row perhaps only once, from a work that holds no lock; it may
 *	sleep, take the devlink and rtnl locks and recover by itself. It returns
 *	true if nobody shall recover from the error. NULL: nobody is told.
 *
 * Context: Process context, sleeps until a running @notify has returned; the
 * caller holds no lock that @notify takes.
 */
void txgbe_health_set_notify(struct txgbe_dev *fd,
			     bool (*notify)(struct txgbe_dev *fd, enum txgbe_health_part part))
{
	WRITE_ONCE(fd->health.notify, notify);
	cancel_work_sync(&fd->health.work);
	if (!notify)
		WRITE_ONCE(fd->health.hold, 0);
	if (notify && READ_ONCE(fd->health.news))
		schedule_work(&fd->health.work);
}

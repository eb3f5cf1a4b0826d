// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pulse at every full second of the PTP clock, on the pin SDP0 (reference 06
 * section 5). The chip makes one pulse between two target times; the interrupt
 * at its end arms the next. So there are pulses only while the port is up.
 */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "clock_base.h"
#include "hw/regs.h"
#include "txgbe/clock.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/mmio.h"

#define TXGBE_PULSE_WIDTH_NS	120000000ULL	/* as the in-tree driver's */
/* Firmware that is silent is asked again. */
#define TXGBE_PULSE_RETRY	HZ
/* A full second that is nearer than this is left out: time to write it down. */
#define TXGBE_PULSE_MARGIN_NS	10000000

#define TXGBE_PULSE_ARMED	(TXGBE_TSC_1588_AUX_CTL_TT0 | TXGBE_TSC_1588_AUX_CTL_PULSE |	\
				 TXGBE_TSC_1588_AUX_CTL_TT1 | TXGBE_TSC_1588_AUX_CTL_TS0)

/* The next full second. Return: false if there is to be no pulse */
static bool txgbe_pulse_next(struct txgbe_dev *fd, u64 *ns, u64 *cycles)
{
	struct txgbe_clock *clock = &fd->clock;

	lockdep_assert_held(&clock->lock);
	if (!clock->pulse.wanted || !clock->pulse.possible || !txgbe_clock_rebase(fd, NULL))
		return false;
	*ns = (div_u64(clock->base_ns + TXGBE_PULSE_MARGIN_NS, NSEC_PER_SEC) + 1) * NSEC_PER_SEC;
	*cycles = clock->base_cycles +
		  ((*ns - clock->base_ns) << TXGBE_TSC_1588_SYSTIM_NS_SHIFT);
	return true;
}

static void txgbe_pulse_write_target(struct txgbe_dev *fd, u32 i, u64 cycles)
{
	txgbe_wr32(fd, TXGBE_TSC_1588_TRGT_L(i), lower_32_bits(cycles));
	txgbe_wr32(fd, TXGBE_TSC_1588_TRGT_H(i), upper_32_bits(cycles));
}

/* One pulse, at the next full second. */
static void txgbe_pulse_set(struct txgbe_dev *fd)
{
	u64 ns, cycles;

	txgbe_wr32(fd, TXGBE_TSC_1588_AUX_CTL, 0);
	txgbe_flush(fd);
	if (!txgbe_pulse_next(fd, &ns, &cycles))
		return;
	txgbe_pulse_write_target(fd, 0, cycles);
	txgbe_pulse_write_target(fd, 1, cycles +
				 (TXGBE_PULSE_WIDTH_NS << TXGBE_TSC_1588_SYSTIM_NS_SHIFT));
	txgbe_wr32(fd, TXGBE_TSC_1588_AUX_CTL, TXGBE_PULSE_ARMED);
}

/* Firmware is told first, which takes its time. Return: 0 or firmware's error */
static int txgbe_pulse_start(struct txgbe_dev *fd)
{
	u64 ns, cycles;
	bool due;
	int err;

	spin_lock_irq(&fd->clock.lock);
	due = txgbe_pulse_next(fd, &ns, &cycles);
	spin_unlock_irq(&fd->clock.lock);
	if (!due)
		return 0;

	err = txgbe_fw_set_pps(fd, true, ns, cycles);
	if (err)
		return err;

	spin_lock_irq(&fd->clock.lock);
	fd->clock.pulse.told = true;
	if (fd->clock.pulse.wanted && fd->clock.pulse.possible) {
		txgbe_wr32(fd, TXGBE_TSC_1588_SDP(0), TXGBE_TSC_1588_SDP_TT0);
		txgbe_wr32(fd, TXGBE_TSC_1588_SDP(1), TXGBE_TSC_1588_SDP_TS0);
		txgbe_pulse_set(fd);
		txgbe_wr32(fd, TXGBE_TSC_1588_INT_EN, TXGBE_TSC_1588_INT_TT1);
	}
	spin_unlock_irq(&fd->clock.lock);
	return 0;
}

static void txgbe_pulse_end(struct txgbe_dev *fd)
{
	lockdep_assert_held(&fd->clock.lock);
	txgbe_wr32(fd, TXGBE_TSC_1588_INT_EN, 0);
	txgbe_wr32(fd, TXGBE_TSC_1588_AUX_CTL, 0);
	txgbe_flush(fd);
}

/* Firmware is told that there is none, if it believes that there is one. */
static int txgbe_pulse_tell_end(struct txgbe_dev *fd)
{
	struct txgbe_pulse *pulse = &fd->clock.pulse;
	bool owed;
	int err;

	spin_lock_irq(&fd->clock.lock);
	owed = pulse->told && !(pulse->wanted && pulse->possible);
	spin_unlock_irq(&fd->clock.lock);
	if (!owed)
		return 0;
	err = txgbe_fw_set_pps(fd, false, 0, 0);
	if (err)
		return err;
	spin_lock_irq(&fd->clock.lock);
	pulse->told = false;
	spin_unlock_irq(&fd->clock.lock);
	return 0;
}

static void txgbe_pulse_work(struct work_struct *work)
{
	struct txgbe_dev *fd = container_of(to_delayed_work(work), struct txgbe_dev,
					    clock.pulse.work);
	struct txgbe_pulse *pulse = &fd->clock.pulse;
	int err;

	/* The end is not worth a second try: the chip makes no pulse. */
	txgbe_pulse_tell_end(fd);
	err = txgbe_pulse_start(fd);
	if (err && txgbe_present(fd)) {
		if (!pulse->late)
			dev_warn(fd->dev, "no pulse per second: firmware does not take it: %d, will be retried\n",
				 err);
		queue_delayed_work(fd->wq, &pulse->work, TXGBE_PULSE_RETRY);
	} else if (!err && pulse->late) {
		dev_info(fd->dev, "pulse per second: firmware works again\n");
	}
	pulse->late = err;
}

/**
 * txgbe_pulse_time_changed() - the next pulse comes at another time
 * @fd: device
 *
 * Context: Any, under the clock's lock.
 */
void txgbe_pulse_time_changed(struct txgbe_dev *fd)
{
	if (fd->clock.pulse.wanted && fd->clock.pulse.possible)
		mod_delayed_work(fd->wq, &fd->clock.pulse.work, 0);
}

/**
 * txgbe_pulse_event() - a target time was reached
 * @fd: device
 *
 * Context: Hardirq.
 */
void txgbe_pulse_event(struct txgbe_dev *fd)
{
	unsigned long flags;

	spin_lock_irqsave(&fd->clock.lock, flags);
	if (txgbe_rd32(fd, TXGBE_TSC_1588_INT_ST) & TXGBE_TSC_1588_INT_TT1)
		txgbe_pulse_set(fd);
	spin_unlock_irqrestore(&fd->clock.lock, flags);
}

/**
 * txgbe_pulse_enable() - begin or end the pulse
 * @fd: device
 * @on: begin; if the port is down, as soon as it is up
 *
 * Context: Process context, sleeps; the caller lets in one at a time.
 * Return: 0; what txgbe_fw_set_pps() returned, there is no pulse then.
 */
int txgbe_pulse_enable(struct txgbe_dev *fd, bool on)
{
	bool was;
	int err;

	spin_lock_irq(&fd->clock.lock);
	was = fd->clock.pulse.wanted;
	fd->clock.pulse.wanted = on;
	if (!on && was)
		txgbe_pulse_end(fd);
	spin_unlock_irq(&fd->clock.lock);

	if (!on) {
		cancel_delayed_work_sync(&fd->clock.pulse.work);
		return txgbe_pulse_tell_end(fd);
	}
	err = txgbe_pulse_start(fd);
	if (err && !was) {
		spin_lock_irq(&fd->clock.lock);
		fd->clock.pulse.wanted = false;
		spin_unlock_irq(&fd->clock.lock);
	}
	return err;
}
EXPORT_SYMBOL_GPL(txgbe_pulse_enable);

/**
 * txgbe_pulse_open() - the port is up: pulses that are wanted begin
 * @fd: device, interrupts are on
 *
 * Context: Process context, rtnl held.
 */
void txgbe_pulse_open(struct txgbe_dev *fd)
{
	spin_lock_irq(&fd->clock.lock);
	fd->clock.pulse.possible = true;
	txgbe_pulse_time_changed(fd);
	spin_unlock_irq(&fd->clock.lock);
}

/**
 * txgbe_pulse_close() - the port goes down, and pulses pause
 * @fd: device
 *
 * Firmware hears of it soon, without the caller waiting for it.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_pulse_close(struct txgbe_dev *fd)
{
	spin_lock_irq(&fd->clock.lock);
	fd->clock.pulse.possible = false;
	if (fd->clock.pulse.wanted)
		txgbe_pulse_end(fd);
	if (fd->clock.pulse.told)
		mod_delayed_work(fd->wq, &fd->clock.pulse.work, 0);
	spin_unlock_irq(&fd->clock.lock);
}

/**
 * txgbe_pulse_settle() - no more pulses, and firmware knows
 * @fd: device, which is about to go; fd->removing is not set yet, firmware would
 *	not be asked any more
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 */
void txgbe_pulse_settle(struct txgbe_dev *fd)
{
	txgbe_pulse_close(fd);
	flush_delayed_work(&fd->clock.pulse.work);
}

/**
 * txgbe_pulse_init() - no pulse
 * @fd: device
 *
 * Context: Process context, from probe.
 */
void txgbe_pulse_init(struct txgbe_dev *fd)
{
	INIT_DELAYED_WORK(&fd->clock.pulse.work, txgbe_pulse_work);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PTP hardware clock and its time stamps (reference 06 sections 1 to 4).
 *
 * The chip counts 2^21 a nanosecond from its last reset on, in 64 bits, and is
 * never set: time is a base in software plus what the chip has counted since.
 * A change of rate goes to the chip. Every reset of the port clears the
 * counter; meanwhile the time goes on by the system clock, and how far it may
 * be off is logged, because a step of that size can be seen in it. A reset of
 * the whole chip by others is noticed by its increment, which is lost as well.
 *
 * Without the module txgbe_ptp, which registers the clock, the counter and its
 * time are left alone.
 */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/if_ether.h>
#include <linux/lockdep.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/timekeeping.h>

#include "clock_base.h"
#include "hw/regs.h"
#include "txgbe/clock.h"
#include "txgbe/dev.h"
#include "txgbe/mmio.h"

#define TXGBE_PTP_EVENT_PORT		319	/* UDP */

/* Steps up to this need no line in the log. */
#define TXGBE_CLOCK_SILENT_NS		1000
/* How much the card's clock and the system's may differ in rate: 100 ppm each. */
#define TXGBE_CLOCK_DRIFT_DIVISOR	5000

/* ---- Reading ------------------------------------------------------------ */

/*
 * The high word changes every 2.048 us, which is about how long reading both
 * words takes. The low word is read between two looks at the high word; if
 * that changed, the value nearest to the middle of the two is taken: right
 * while a read takes less than half a period, never outside of the looks.
 */
static u64 txgbe_clock_read(struct txgbe_dev *fd, struct ptp_system_timestamp *sts)
{
	u32 before, low, after;
	u64 middle, highs;

	before = txgbe_rd32(fd, TXGBE_TSC_1588_SYSTIMH);
	ptp_read_system_prets(sts);
	low = txgbe_rd32(fd, TXGBE_TSC_1588_SYSTIML);
	ptp_read_system_postts(sts);
	after = txgbe_rd32(fd, TXGBE_TSC_1588_SYSTIMH);

	/* Both counted from the start of the first look's period. */
	middle = ((u64)(after - before) << 31) + BIT_ULL(31);
	highs = (middle + BIT_ULL(31) - low) >> 32;
	return ((u64)before << 32) + (highs << 32) + low;
}

/* The counter and the system clock at one moment, which the two may miss by @half_ns. */
struct txgbe_clock_look {
	u64 cycles;
	u64 boot_ns;
	u64 half_ns;
};

static struct txgbe_clock_look txgbe_clock_look(struct txgbe_dev *fd,
						struct ptp_system_timestamp *sts)
{
	struct txgbe_clock_look look;
	u64 begin = ktime_get_boottime_ns();

	look.cycles = txgbe_clock_read(fd, sts);
	look.half_ns = (ktime_get_boottime_ns() - begin) / 2;
	look.boot_ns = begin + look.half_ns;
	return look;
}

/* The clock's time at a value of the counter, not too far from the base. */
static u64 txgbe_clock_to_ns(const struct txgbe_clock *clock, u64 cycles)
{
	return clock->base_ns +
	       ((s64)(cycles - clock->base_cycles) >> TXGBE_TSC_1588_SYSTIM_NS_SHIFT);
}

/* By the system clock since the base, at the rate that the user set. */
static u64 txgbe_clock_estimate(const struct txgbe_clock *clock, u64 boot_ns)
{
	return clock->base_ns + mul_u64_u32_div(boot_ns - clock->base_boot_ns, clock->inc,
						TXGBE_TSC_1588_INC_NOMINAL);
}

static u32 txgbe_clock_inc_reg(const struct txgbe_clock *clock)
{
	return FIELD_PREP(TXGBE_TSC_1588_INC_PERIOD, TXGBE_TSC_1588_INC_PERIOD_CYCLES) |
	       FIELD_PREP(TXGBE_TSC_1588_INC_ADD, clock->inc);
}

static bool txgbe_clock_inc_reads(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_TSC_1588_INC) == txgbe_clock_inc_reg(&fd->clock);
}

/* The counter alone does not tell: one that starts again may seem to have wrapped. */
static bool txgbe_clock_was_reset(struct txgbe_dev *fd)
{
	return fd->clock.inc_echoes && !txgbe_clock_inc_reads(fd);
}

/**
 * txgbe_clock_rebase() - look at the clock: move its base to now
 * @fd: device
 * @sts: system time right before and after, or NULL
 *
 * By whole nanoseconds, so that nothing gets lost. If the chip was reset, or is
 * gone, the base stays and the system clock goes on from there.
 *
 * Context: Any, under the clock's lock.
 * Return: true, and fd->clock.base_ns is the time; false if the chip does not
 *	count.
 */
bool txgbe_clock_rebase(struct txgbe_dev *fd, struct ptp_system_timestamp *sts)
{
	struct txgbe_clock *clock = &fd->clock;
	struct txgbe_clock_look look;
	u64 ns;

	lockdep_assert_held(&clock->lock);
	if (!clock->running)
		return false;
	look = txgbe_clock_look(fd, sts);
	if (txgbe_clock_was_reset(fd) || !txgbe_present(fd)) {
		clock->running = false;
		return false;
	}
	/* Two reads may seem to come in the wrong order, by less than they take. */
	if ((s64)(look.cycles - clock->base_cycles) > 0) {
		ns = (look.cycles - clock->base_cycles) >> TXGBE_TSC_1588_SYSTIM_NS_SHIFT;
		clock->base_ns += ns;
		clock->base_cycles += ns << TXGBE_TSC_1588_SYSTIM_NS_SHIFT;
	}
	clock->base_boot_ns = look.boot_ns;
	clock->base_error_ns = look.half_ns + ktime_get_resolution_ns();
	return true;
}

/* ---- Running and standing still ------------------------------------------ */

static void txgbe_clock_write_inc(struct txgbe_dev *fd)
{
	txgbe_wr32(fd, TXGBE_TSC_1588_INC, txgbe_clock_inc_reg(&fd->clock));
}

/*
 * Makes the chip count from 0, and goes on from the time that it is now. One
 * that is still being reset by others does not take the increment.
 */
static void txgbe_clock_start(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;
	struct txgbe_clock_look look;
	u64 ns;

	lockdep_assert_held(&clock->lock);
	txgbe_clock_write_inc(fd);
	txgbe_wr32(fd, TXGBE_TSC_1588_SYSTIML, 0);
	txgbe_wr32(fd, TXGBE_TSC_1588_SYSTIMH, 0);
	txgbe_flush(fd);

	look = txgbe_clock_look(fd, NULL);
	if (txgbe_clock_was_reset(fd) || !txgbe_present(fd))
		return;
	clock->inc_echoes = txgbe_clock_inc_reads(fd);
	ns = txgbe_clock_estimate(clock, look.boot_ns);
	clock->base_error_ns += look.half_ns + ktime_get_resolution_ns() +
				div_u64(look.boot_ns + look.half_ns - clock->base_boot_ns,
					TXGBE_CLOCK_DRIFT_DIVISOR);
	clock->base_cycles = look.cycles;
	clock->base_ns = ns;
	clock->base_boot_ns = look.boot_ns;
	clock->running = true;
}

/**
 * txgbe_clock_init() - no clock yet
 * @fd: device
 *
 * Context: Process context, from probe, before the first reset.
 */
void txgbe_clock_init(struct txgbe_dev *fd)
{
	spin_lock_init(&fd->clock.lock);
	fd->clock.inc = TXGBE_TSC_1588_INC_NOMINAL;
	txgbe_pulse_init(fd);
}

/**
 * txgbe_clock_halt() - the port will be reset or go out of reach: let the
 * system clock keep the time
 * @fd: device; halting twice is allowed, the end of a reset resumes it
 *
 * Context: Any.
 */
void txgbe_clock_halt(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;
	unsigned long flags;

	spin_lock_irqsave(&clock->lock, flags);
	clock->halted = true;
	if (clock->running) {
		if (txgbe_present(fd))
			txgbe_clock_rebase(fd, NULL);
		clock->running = false;
	}
	spin_unlock_irqrestore(&clock->lock, flags);
}

/*
 * Lets the chip count, unless it does, may not, or is wanted by nobody.
 * Return: how far the time may be off since then, in ns; 0 if that is nobody's
 * business.
 */
static u64 txgbe_clock_restart(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;

	if (!clock->used || clock->running || clock->halted || !txgbe_present(fd))
		return 0;
	txgbe_clock_start(fd);
	return clock->running && clock->disciplined ? clock->base_error_ns : 0;
}

static void txgbe_clock_admit(struct txgbe_dev *fd, u64 error_ns)
{
	if (error_ns > TXGBE_CLOCK_SILENT_NS)
		dev_info(fd->dev, "PTP clock: reset, the system clock kept the time, it may be off by %llu ns\n",
			 error_ns);
}

/**
 * txgbe_clock_resume() - the port was reset: go on with the time and the rate
 * @fd: device
 *
 * Logs how far the time may be off, from 1 us on, if anybody has set it or its
 * rate.
 *
 * Context: Any. Nothing happens unless the clock is used.
 */
void txgbe_clock_resume(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;
	unsigned long flags;
	u64 error;

	spin_lock_irqsave(&clock->lock, flags);
	clock->halted = false;
	error = txgbe_clock_restart(fd);
	spin_unlock_irqrestore(&clock->lock, flags);
	txgbe_clock_admit(fd, error);
}

/* ---- For the PTP module --------------------------------------------------- */

/**
 * txgbe_clock_open() - start the clock at the system's time of day
 * @fd: device
 *
 * Context: Process context.
 */
void txgbe_clock_open(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;

	spin_lock_irq(&clock->lock);
	clock->used = true;
	clock->disciplined = false;
	clock->inc = TXGBE_TSC_1588_INC_NOMINAL;
	clock->base_boot_ns = ktime_get_boottime_ns();
	clock->base_ns = ktime_get_real_ns();
	clock->base_error_ns = 0;
	/* A reset that is under way would stop what it does not know of. */
	if (txgbe_present(fd) && !clock->halted)
		txgbe_clock_start(fd);
	spin_unlock_irq(&clock->lock);
}
EXPORT_SYMBOL_GPL(txgbe_clock_open);

/**
 * txgbe_clock_close() - nobody wants the time any more
 * @fd: device
 *
 * Context: Process context.
 */
void txgbe_clock_close(struct txgbe_dev *fd)
{
	spin_lock_irq(&fd->clock.lock);
	fd->clock.used = false;
	fd->clock.running = false;
	spin_unlock_irq(&fd->clock.lock);
}
EXPORT_SYMBOL_GPL(txgbe_clock_close);

/**
 * txgbe_clock_get() - what time is it
 * @fd: device; while it is out of reach the system clock tells. One that others
 *	have reset, which a closed port is not told, counts again afterwards
 * @ts: the time
 * @sts: system time right before and after, or NULL
 *
 * Context: Any.
 * Return: 0; -ENODEV if the device is gone for good.
 */
int txgbe_clock_get(struct txgbe_dev *fd, struct timespec64 *ts, struct ptp_system_timestamp *sts)
{
	struct txgbe_clock *clock = &fd->clock;
	unsigned long flags;
	u64 error = 0;
	u64 ns;

	if (atomic_read(&fd->gone))
		return -ENODEV;
	spin_lock_irqsave(&clock->lock, flags);
	if (txgbe_clock_rebase(fd, sts)) {
		ns = clock->base_ns;
	} else {
		ptp_read_system_prets(sts);
		ns = txgbe_clock_estimate(clock, ktime_get_boottime_ns());
		ptp_read_system_postts(sts);
		error = txgbe_clock_restart(fd);
	}
	spin_unlock_irqrestore(&clock->lock, flags);
	txgbe_clock_admit(fd, error);
	*ts = ns_to_timespec64(ns);
	return 0;
}
EXPORT_SYMBOL_GPL(txgbe_clock_get);

/* The base at now, whoever counts. */
static void txgbe_clock_move_base(struct txgbe_dev *fd)
{
	struct txgbe_clock *clock = &fd->clock;
	u64 now;

	if (txgbe_clock_rebase(fd, NULL))
		return;
	now = ktime_get_boottime_ns();
	clock->base_ns = txgbe_clock_estimate(clock, now);
	clock->base_error_ns += div_u64(now - clock->base_boot_ns, TXGBE_CLOCK_DRIFT_DIVISOR);
	clock->base_boot_ns = now;
}

/**
 * txgbe_clock_set() - set the time
 * @fd: device, perhaps out of reach
 * @ts: the time
 *
 * Context: Any.
 */
void txgbe_clock_set(struct txgbe_dev *fd, const struct timespec64 *ts)
{
	unsigned long flags;

	spin_lock_irqsave(&fd->clock.lock, flags);
	txgbe_clock_move_base(fd);
	fd->clock.base_ns = timespec64_to_ns(ts);
	fd->clock.disciplined = true;
	txgbe_pulse_time_changed(fd);
	spin_unlock_irqrestore(&fd->clock.lock, flags);
}
EXPORT_SYMBOL_GPL(txgbe_clock_set);

/**
 * txgbe_clock_adjust_time() - step the time
 * @fd: device, perhaps out of reach
 * @delta_ns: nanoseconds, negative: back
 *
 * Exact: no register is written.
 *
 * Context: Any.
 */
void txgbe_clock_adjust_time(struct txgbe_dev *fd, s64 delta_ns)
{
	unsigned long flags;

	spin_lock_irqsave(&fd->clock.lock, flags);
	fd->clock.base_ns += delta_ns;
	fd->clock.disciplined = true;
	txgbe_pulse_time_changed(fd);
	spin_unlock_irqrestore(&fd->clock.lock, flags);
}
EXPORT_SYMBOL_GPL(txgbe_clock_adjust_time);

/* Nominal increment changed by parts per million with 16 binary digits after the point. */
static u32 txgbe_clock_inc(long scaled_ppm)
{
	const u64 million = 1000000ULL << 16;
	u64 change;

	change = (u64)abs(scaled_ppm) * TXGBE_TSC_1588_INC_NOMINAL;
	change = div64_u64(change + million / 2, million);
	return scaled_ppm < 0 ? TXGBE_TSC_1588_INC_NOMINAL - change :
				TXGBE_TSC_1588_INC_NOMINAL + change;
}

/**
 * txgbe_clock_adjust_rate() - let the clock run faster or slower
 * @fd: device, perhaps out of reach
 * @scaled_ppm: parts per million times 65536, at most
 *	TXGBE_CLOCK_MAX_ADJ_PPB either way; one step of the chip is 0.095 ppm
 *
 * Context: Any.
 */
void txgbe_clock_adjust_rate(struct txgbe_dev *fd, long scaled_ppm)
{
	unsigned long flags;

	spin_lock_irqsave(&fd->clock.lock, flags);
	txgbe_clock_move_base(fd);
	fd->clock.inc = txgbe_clock_inc(scaled_ppm);
	fd->clock.disciplined = true;
	if (fd->clock.running)
		txgbe_clock_write_inc(fd);
	spin_unlock_irqrestore(&fd->clock.lock, flags);
}
EXPORT_SYMBOL_GPL(txgbe_clock_adjust_rate);

/* ---- Time stamps ----------------------------------------------------------- */

/**
 * txgbe_clock_set_stamps() - what is stamped
 * @fd: device
 * @tx: frames sent with TXGBE_TXD_TSTAMP
 * @rx_type: TXGBE_PSR_1588_CTL_TYPE_*; 0: nothing received
 * @rx_msg: kind of message of version 1, TXGBE_PSR_1588_MSG_V1_*
 *
 * What was latched is given up.
 *
 * Context: Process context, rtnl held; the port is not frozen.
 */
void txgbe_clock_set_stamps(struct txgbe_dev *fd, bool tx, u32 rx_type, u32 rx_msg)
{
	bool v2 = rx_type == TXGBE_PSR_1588_CTL_TYPE_V2;

	txgbe_wr32(fd, TXGBE_PSR_ETYPE_SWC(TXGBE_PSR_ETYPE_SWC_PTP),
		   v2 ? TXGBE_PSR_ETYPE_SWC_EN | TXGBE_PSR_ETYPE_SWC_1588 |
			FIELD_PREP(TXGBE_PSR_ETYPE_SWC_TYPE, ETH_P_1588) : 0);
	txgbe_wr32(fd, TXGBE_TSC_1588_CTL, tx ? TXGBE_TSC_1588_CTL_EN : 0);
	txgbe_wr32(fd, TXGBE_PSR_1588_CTL,
		   rx_type ? TXGBE_PSR_1588_CTL_EN |
			     FIELD_PREP(TXGBE_PSR_1588_CTL_TYPE, rx_type) : 0);
	txgbe_wr32(fd, TXGBE_PSR_1588_MSG,
		   rx_type ? FIELD_PREP(TXGBE_PSR_1588_MSG_UDP_PORT, TXGBE_PTP_EVENT_PORT) |
			     FIELD_PREP(TXGBE_PSR_1588_MSG_V1_TYPE, rx_msg) : 0);
	txgbe_flush(fd);
	txgbe_clock_drop_tx(fd);
	txgbe_clock_drop_rx(fd);
}

static bool txgbe_clock_take(struct txgbe_dev *fd, u32 ctl, u32 low, u32 high, u64 *ns)
{
	struct txgbe_clock *clock = &fd->clock;
	unsigned long flags;
	bool valid = false;
	u64 stamp;

	spin_lock_irqsave(&clock->lock, flags);
	/* VALID is bit 0 of both. */
	if (clock->running && txgbe_rd32(fd, ctl) & TXGBE_TSC_1588_CTL_VALID) {
		stamp = txgbe_rd32(fd, low);
		stamp |= (u64)txgbe_rd32(fd, high) << 32;
		*ns = txgbe_clock_to_ns(clock, stamp);
		valid = txgbe_present(fd);
	}
	spin_unlock_irqrestore(&clock->lock, flags);
	return valid;
}

/**
 * txgbe_clock_take_tx() - take the time stamp of a frame that was sent
 * @fd: device
 * @ns: the clock's time then
 *
 * Context: Any.
 * Return: false if there is none.
 */
bool txgbe_clock_take_tx(struct txgbe_dev *fd, u64 *ns)
{
	return txgbe_clock_take(fd, TXGBE_TSC_1588_CTL, TXGBE_TSC_1588_STMPL,
				TXGBE_TSC_1588_STMPH, ns);
}

/**
 * txgbe_clock_take_rx() - take the time stamp of a frame marked TXGBE_RXD_STA_TS
 * @fd: device
 * @ns: the clock's time then
 *
 * Context: Any.
 * Return: false if there is none.
 */
bool txgbe_clock_take_rx(struct txgbe_dev *fd, u64 *ns)
{
	return txgbe_clock_take(fd, TXGBE_PSR_1588_CTL, TXGBE_PSR_1588_STMPL,
				TXGBE_PSR_1588_STMPH, ns);
}

/**
 * txgbe_clock_drop_tx() - give up a transmit time stamp, whether there is one or not
 * @fd: device
 *
 * Context: Any.
 */
void txgbe_clock_drop_tx(struct txgbe_dev *fd)
{
	txgbe_rd32(fd, TXGBE_TSC_1588_STMPH);
}

/**
 * txgbe_clock_drop_rx() - the same of a received frame
 * @fd: device
 *
 * Context: Any.
 */
void txgbe_clock_drop_rx(struct txgbe_dev *fd)
{
	txgbe_rd32(fd, TXGBE_PSR_1588_STMPH);
}

/**
 * txgbe_clock_rx_latched() - does a receive time stamp wait to be taken
 * @fd: device
 *
 * Context: Any.
 * Return: true if so.
 */
bool txgbe_clock_rx_latched(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_PSR_1588_CTL) & TXGBE_PSR_1588_CTL_VALID &&
	       txgbe_present(fd);
}

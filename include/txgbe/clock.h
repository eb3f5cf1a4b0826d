/* SPDX-License-Identifier: GPL-2.0-only */
/* The PTP hardware clock of a port. Implemented in src/hw/clock.c. */
#ifndef TXGBE_CLOCK_H
#define TXGBE_CLOCK_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct ptp_system_timestamp;
struct timespec64;
struct txgbe_dev;

/**
 * struct txgbe_pulse - pulse per second on a pin
 * @wanted: somebody asked for it; under the clock's lock, as all of this
 * @possible: the port is up, so that the interrupt that arms the next one comes
 * @told: firmware was told of it last, and not of its end
 * @late: firmware does not take it, and the log said so; @work only
 * @work: tells firmware, arms the pulse, again after a change of the time
 */
struct txgbe_pulse {
	bool wanted;
	bool possible;
	bool told;
	bool late;
	struct delayed_work work;
};

/**
 * struct txgbe_clock - the clock's time, and how it is kept over a reset
 * @lock: everything below, and the clock's registers
 * @used: somebody wants the time: between txgbe_clock_open() and _close()
 * @disciplined: somebody has set it, so that a step is worth a line in the log
 * @running: the chip counts; otherwise the system clock does
 * @halted: the chip will be reset, or is out of reach until it was: not to be
 *	started
 * @inc: what the chip adds for each step, TXGBE_TSC_1588_INC_ADD
 * @inc_echoes: that register reads what was written, unless the chip was reset
 * @base_cycles: the chip's counter at the base
 * @base_ns: the clock's time at the base
 * @base_boot_ns: CLOCK_BOOTTIME at the base
 * @base_error_ns: how far the last two may belong to different moments
 * @pulse: pulse per second
 *
 * The base moves with every look at the clock, so that differences to it
 * stay far below the range of the counter, 2.4 hours.
 */
struct txgbe_clock {
	spinlock_t lock; /* see above */
	bool used;
	bool disciplined;
	bool running;
	bool halted;
	bool inc_echoes;
	u32 inc;
	u64 base_cycles;
	u64 base_ns;
	u64 base_boot_ns;
	u64 base_error_ns;
	struct txgbe_pulse pulse;
};

/* Greatest change of rate, parts per thousand million: what the in-tree driver allows. */
#define TXGBE_CLOCK_MAX_ADJ_PPB		250000000

void txgbe_clock_init(struct txgbe_dev *fd);
void txgbe_clock_halt(struct txgbe_dev *fd);
void txgbe_clock_resume(struct txgbe_dev *fd);

/* For src/ptp */
void txgbe_clock_open(struct txgbe_dev *fd);
void txgbe_clock_close(struct txgbe_dev *fd);
int txgbe_clock_get(struct txgbe_dev *fd, struct timespec64 *ts, struct ptp_system_timestamp *sts);
void txgbe_clock_set(struct txgbe_dev *fd, const struct timespec64 *ts);
void txgbe_clock_adjust_time(struct txgbe_dev *fd, s64 delta_ns);
void txgbe_clock_adjust_rate(struct txgbe_dev *fd, long scaled_ppm);

/* pulse.c */
void txgbe_pulse_init(struct txgbe_dev *fd);
int txgbe_pulse_enable(struct txgbe_dev *fd, bool on);
void txgbe_pulse_open(struct txgbe_dev *fd);
void txgbe_pulse_close(struct txgbe_dev *fd);
void txgbe_pulse_event(struct txgbe_dev *fd);
void txgbe_pulse_settle(struct txgbe_dev *fd);

/* For src/net: time stamps */
bool txgbe_clock_take_tx(struct txgbe_dev *fd, u64 *ns);
bool txgbe_clock_take_rx(struct txgbe_dev *fd, u64 *ns);
void txgbe_clock_drop_tx(struct txgbe_dev *fd);
void txgbe_clock_drop_rx(struct txgbe_dev *fd);
bool txgbe_clock_rx_latched(struct txgbe_dev *fd);
void txgbe_clock_set_stamps(struct txgbe_dev *fd, bool tx, u32 rx_type, u32 rx_msg);

#endif /* TXGBE_CLOCK_H */

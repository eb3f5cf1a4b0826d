/* SPDX-License-Identifier: GPL-2.0-only */
/* Between clock.c and pulse.c. */
#ifndef TXGBE_CLOCK_BASE_H
#define TXGBE_CLOCK_BASE_H

#include <linux/types.h>

struct ptp_system_timestamp;
struct txgbe_dev;

bool txgbe_clock_rebase(struct txgbe_dev *fd, struct ptp_system_timestamp *sts);
void txgbe_pulse_time_changed(struct txgbe_dev *fd);

#endif /* TXGBE_CLOCK_BASE_H */

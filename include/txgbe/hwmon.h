/* SPDX-License-Identifier: GPL-2.0-only */
/* The chip's temperature. Implemented in src/ctl. */
#ifndef TXGBE_HWMON_H
#define TXGBE_HWMON_H

#include <linux/kconfig.h>

struct txgbe_dev;

#if IS_BUILTIN(CONFIG_HWMON)
void txgbe_hwmon_register(struct txgbe_dev *fd);
void txgbe_hwmon_unregister(struct txgbe_dev *fd);
#else
static inline void txgbe_hwmon_register(struct txgbe_dev *fd) {}
static inline void txgbe_hwmon_unregister(struct txgbe_dev *fd) {}
#endif

#endif /* TXGBE_HWMON_H */

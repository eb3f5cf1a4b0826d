/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers that may be read at any time, for dumps. Implemented in src/hw. */
#ifndef TXGBE_REGDUMP_H
#define TXGBE_REGDUMP_H

#include <linux/types.h>

struct txgbe_dev;

/* Version of the list's layout, for tools that read binary dumps. */
#define TXGBE_REGDUMP_VERSION	2

/**
 * struct txgbe_reg - one register of a dump
 * @offset: in BAR0
 * @value: all ones if the device is gone
 */
struct txgbe_reg {
	u32 offset;
	u32 value;
};

u32 txgbe_regdump_count(void);
void txgbe_regdump_read(struct txgbe_dev *fd, struct txgbe_reg *regs);
void txgbe_regdump_name(u32 idx, char *buf, size_t size);

#endif /* TXGBE_REGDUMP_H */

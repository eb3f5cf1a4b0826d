/* SPDX-License-Identifier: GPL-2.0-only */
/* Register access that notices a removed device. */
#ifndef TXGBE_MMIO_H
#define TXGBE_MMIO_H

#include <linux/compiler.h>
#include <linux/io.h>
#include <linux/iopoll.h>

#include "hw/regs.h"
#include "txgbe/dev.h"

void txgbe_mmio_all_ones(struct txgbe_dev *fd);
void txgbe_mmio_hide(struct txgbe_dev *fd);
void txgbe_mmio_show(struct txgbe_dev *fd);

/**
 * txgbe_present() - is the device still on the bus, as far as reads told
 * @fd: device
 *
 * Context: Any.
 * Return: false once a read found the device gone.
 */
static inline bool txgbe_present(const struct txgbe_dev *fd)
{
	return READ_ONCE(fd->csr);
}

/**
 * txgbe_rd32() - read a register
 * @fd: device
 * @reg: offset in BAR0
 *
 * Context: Any.
 * Return: the value; all ones when the device is gone.
 */
static inline u32 txgbe_rd32(struct txgbe_dev *fd, u32 reg)
{
	u8 __iomem *csr = READ_ONCE(fd->csr);
	u32 val;

	if (unlikely(!csr))
		return ~0U;
	val = readl(csr + reg);
	if (unlikely(val == ~0U))
		txgbe_mmio_all_ones(fd);
	return val;
}

/**
 * txgbe_wr32() - write a register; a no-op when the device is gone
 * @fd: device
 * @reg: offset in BAR0
 * @val: value
 *
 * Context: Any.
 */
static inline void txgbe_wr32(struct txgbe_dev *fd, u32 reg, u32 val)
{
	u8 __iomem *csr = READ_ONCE(fd->csr);

	if (likely(csr))
		writel(val, csr + reg);
}

/**
 * txgbe_rmw32() - replace the bits of @mask in a register by those of @val
 * @fd: device
 * @reg: offset in BAR0
 * @mask: bits to replace
 * @val: their new value
 *
 * Context: Any; the caller serialises writers of the register.
 */
static inline void txgbe_rmw32(struct txgbe_dev *fd, u32 reg, u32 mask, u32 val)
{
	u32 old = txgbe_rd32(fd, reg);

	if (txgbe_present(fd))
		txgbe_wr32(fd, reg, (old & ~mask) | (val & mask));
}

/**
 * txgbe_flush() - wait until posted writes have reached the device
 * @fd: device
 *
 * Context: Any.
 */
static inline void txgbe_flush(struct txgbe_dev *fd)
{
	txgbe_rd32(fd, TXGBE_MIS_PWR);
}

/*
 * txgbe_poll32() - read a register until a condition holds. Sleeps between
 * reads. Ends at once with -ENODEV when the device is gone.
 * @fd: device, @reg: offset, @val: u32 variable, @cond: expression of @val,
 * @step_us: sleep, @limit_us: longest wait.
 * Return: 0, -ETIMEDOUT or -ENODEV.
 */
#define txgbe_poll32(fd, reg, val, cond, step_us, limit_us)		\
({									\
	struct txgbe_dev *__fd = (fd);					\
	int __err = read_poll_timeout(txgbe_rd32, val,			\
				      (cond) || !txgbe_present(__fd),	\
				      step_us, limit_us, false, __fd, reg); \
	txgbe_present(__fd) ? __err : -ENODEV;				\
})

#endif /* TXGBE_MMIO_H */

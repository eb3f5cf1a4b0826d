// SPDX-License-Identifier: GPL-2.0-only
/* What happens when a register read returns all ones. */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/pci.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/mmio.h"

/**
 * txgbe_mmio_all_ones() - find out whether an all-ones read means removal
 * @fd: device
 *
 * A few registers may hold all ones, so CFG_PORT_ST decides: its upper bits
 * are never set. If it reads all ones too, fd->csr becomes NULL, which turns
 * every later access into a cheap no-op, and events->device_lost() is called,
 * once.
 *
 * Context: Any, also with spinlocks held; called by txgbe_rd32().
 */
void txgbe_mmio_all_ones(struct txgbe_dev *fd)
{
	const struct txgbe_events *events;
	u8 __iomem *csr = READ_ONCE(fd->csr);

	if (!csr || readl(csr + TXGBE_CFG_PORT_ST) != ~0U)
		return;

	WRITE_ONCE(fd->csr, NULL);
	/* The PCI core cut it off and will tell how that ends. */
	if (pci_channel_offline(fd->pdev))
		return;
	if (atomic_xchg(&fd->gone, 1))
		return;

	dev_err(fd->dev, "device is gone: registers read all ones\n");
	events = READ_ONCE(fd->events);
	if (events)
		events->device_lost(fd);
}

/**
 * txgbe_mmio_hide() - make register accesses no-ops, as if the device were gone
 * @fd: device
 *
 * For times in which nobody may touch it: it is being reset or sleeps. Waits
 * for registers end at once.
 *
 * Context: Any.
 */
void txgbe_mmio_hide(struct txgbe_dev *fd)
{
	WRITE_ONCE(fd->csr, NULL);
}

/**
 * txgbe_mmio_show() - end of txgbe_mmio_hide(), or of a device's absence
 * @fd: device, said to be back
 *
 * Context: Process context.
 */
void txgbe_mmio_show(struct txgbe_dev *fd)
{
	atomic_set(&fd->gone, 0);
	WRITE_ONCE(fd->csr, fd->map);
}

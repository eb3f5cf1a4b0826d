// SPDX-License-Identifier: GPL-2.0-only
/*
 * System sleep. The port is frozen as for a reset of the function; the PCI
 * core saves and restores the configuration space and changes the power state.
 * On resume everything that is configured is replayed.
 */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/pci.h>
#include <linux/pm.h>

#include "port.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"

/* The registers are hidden by now; they are shown just for this. */
static void txgbe_pm_arm_wol(struct txgbe_dev *fd)
{
	if (!fd->wol || atomic_read(&fd->gone))
		return;
	txgbe_mmio_show(fd);
	txgbe_net_arm_wol(fd);
	txgbe_mmio_hide(fd);
}

static int txgbe_pm_suspend(struct device *dev)
{
	struct pci_dev *pdev = to_pci_dev(dev);
	struct txgbe_dev *fd = pci_get_drvdata(pdev);

	txgbe_port_freeze(fd);
	txgbe_pm_arm_wol(fd);
	pci_clear_master(pdev);
	return 0;
}

static int txgbe_pm_resume(struct device *dev)
{
	struct txgbe_dev *fd = dev_get_drvdata(dev);
	int err;

	err = txgbe_port_thaw(fd);
	txgbe_wol_disarm(fd);
	if (err)
		dev_err(dev, "port does not start after sleep: %d; %s\n", err,
			txgbe_port_outlook(fd));
	return err;
}

DEFINE_SIMPLE_DEV_PM_OPS(txgbe_pm_ops, txgbe_pm_suspend, txgbe_pm_resume);

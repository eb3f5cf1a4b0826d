// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PCI core tells: errors on the link (AER), resets of the function,
 * surprise removal. The port is frozen, the registers are hidden, and when the
 * device is back it is reset, and started with everything that is configured.
 *
 * All callbacks run under the device lock, so they meet neither each other nor
 * probe, remove, suspend and resume; rtnl keeps open and ring changes away. From
 * freezing to thawing fd->frozen keeps everybody else from starting the port.
 */
#include <linux/device.h>
#include <linux/pci.h>

#include "port.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/health.h"
#include "txgbe/hw.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"

/* ---- Freeze and thaw --------------------------------------------------- */

/**
 * txgbe_port_freeze() - stop everything that uses the device, hide its registers
 * @fd: device; where its registers do not answer, txgbe_mmio_hide() was called
 *	before, so that nothing waits for them
 *
 * Rings, vectors and settings are kept. Freezing twice is allowed.
 *
 * Context: Process context, sleeps, under the device lock; takes rtnl.
 */
void txgbe_port_freeze(struct txgbe_dev *fd)
{
	txgbe_net_freeze(fd);
	txgbe_link_freeze(fd);
	txgbe_clock_halt(fd);
	txgbe_mmio_hide(fd);
}

/*
 * The device is reachable again, in whatever state: reset it. If that does not
 * succeed, starting the port will try it again.
 */
static int txgbe_port_revive(struct txgbe_dev *fd, bool *reset_owed)
{
	int err;

	txgbe_mmio_show(fd);
	txgbe_rd32(fd, TXGBE_MIS_PWR);	/* hides them again if nobody is there */
	if (!txgbe_present(fd))
		return -ENODEV;

	err = txgbe_hw_wait_ready(fd);
	if (err) {
		txgbe_mmio_hide(fd);
		return err;
	}
	*reset_owed = txgbe_hw_reset(fd) != 0;
	return txgbe_present(fd) ? 0 : -ENODEV;
}

/* The device is reachable: start what was frozen. */
static int txgbe_port_start(struct txgbe_dev *fd, bool reset_owed)
{
	int err;

	txgbe_fw_retry(fd);
	txgbe_link_thaw(fd);
	err = txgbe_net_thaw(fd, reset_owed);
	if (fd->frozen) {
		txgbe_link_freeze(fd);
		txgbe_mmio_hide(fd);
		return err;
	}
	/* What a later slot reset restores; older kernels restore it only once. */
	pci_save_state(fd->pdev);
	return err;
}

/**
 * txgbe_port_thaw() - reset the device and start what txgbe_port_freeze() stopped
 * @fd: device, its PCI configuration restored
 *
 * Context: Process context, sleeps, under the device lock; takes rtnl.
 * Return: 0; -ENODEV if the device does not answer; -ETIMEDOUT if it does not
 *	become ready: the port stays frozen, and may be thawed later; else what
 *	starting the port returned: that is tried again in the background.
 */
int txgbe_port_thaw(struct txgbe_dev *fd)
{
	bool reset_owed = false;
	int err = txgbe_port_revive(fd, &reset_owed);

	return err ? err : txgbe_port_start(fd, reset_owed);
}

/**
 * txgbe_port_outlook() - what becomes of a port that txgbe_port_thaw() did not start
 * @fd: device
 *
 * Context: Process context, under the device lock.
 * Return: words for the log.
 */
const char *txgbe_port_outlook(const struct txgbe_dev *fd)
{
	return fd->frozen ? "it stays detached" : "it will be tried again";
}

/* ---- Errors ------------------------------------------------------------ */

static bool txgbe_recover_has_error(struct pci_dev *pdev)
{
	u32 status, severity, mask;
	u16 aer;

	aer = pci_find_ext_capability(pdev, PCI_EXT_CAP_ID_ERR);
	if (!aer)
		return false;
	if (pci_read_config_dword(pdev, aer + PCI_ERR_UNCOR_STATUS, &status) ||
	    pci_read_config_dword(pdev, aer + PCI_ERR_UNCOR_SEVER, &severity) ||
	    pci_read_config_dword(pdev, aer + PCI_ERR_UNCOR_MASK, &mask))
		return false;
	/* What is masked is noted, but was not reported. */
	return status & ~severity & ~mask;
}

/*
 * A non-fatal error is reported to all functions below the port that saw it.
 * If another function of the slot has it in its status, and we have not, then
 * it is not ours and our traffic goes on.
 */
static bool txgbe_recover_is_others(struct pci_dev *pdev)
{
	struct pci_dev *other;
	bool found = false;
	unsigned int func;

	if (txgbe_recover_has_error(pdev))
		return false;
	for (func = 0; func < 8 && !found; func++) {
		if (func == PCI_FUNC(pdev->devfn))
			continue;
		other = pci_get_slot(pdev->bus, PCI_DEVFN(PCI_SLOT(pdev->devfn), func));
		found = other && txgbe_recover_has_error(other);
		pci_dev_put(other);
	}
	return found;
}

static pci_ers_result_t txgbe_recover_error_detected(struct pci_dev *pdev,
						     pci_channel_state_t state)
{
	struct txgbe_dev *fd = pci_get_drvdata(pdev);

	if (state == pci_channel_io_normal && txgbe_recover_is_others(pdev))
		return PCI_ERS_RESULT_CAN_RECOVER;

	txgbe_health_error(fd, TXGBE_HEALTH_PCIE, "PCIe error: %s",
			   state == pci_channel_io_normal ? "non-fatal" :
			   state == pci_channel_io_frozen ? "fatal, link frozen" : "permanent");
	dev_warn(fd->dev, "PCIe error, port stopped\n");
	if (state != pci_channel_io_normal)
		txgbe_mmio_hide(fd);
	txgbe_port_freeze(fd);

	switch (state) {
	case pci_channel_io_normal:
		/* Our own port reset will do: a slot reset hits the other port. */
		return PCI_ERS_RESULT_CAN_RECOVER;
	case pci_channel_io_frozen:
		return PCI_ERS_RESULT_NEED_RESET;
	default:
		txgbe_health_done(fd, TXGBE_HEALTH_PCIE, TXGBE_HEALTH_STEP_DETACH, -EIO);
		return PCI_ERS_RESULT_DISCONNECT;
	}
}

static pci_ers_result_t txgbe_recover_slot_reset(struct pci_dev *pdev)
{
	struct txgbe_dev *fd = pci_get_drvdata(pdev);
	bool reset_owed;
	int err;

	/* Someone else's error, but our registers may be gone with the reset. */
	if (!fd->frozen) {
		txgbe_mmio_hide(fd);
		txgbe_port_freeze(fd);
	}
	pci_restore_state(pdev);
	pci_save_state(pdev);

	err = txgbe_port_revive(fd, &reset_owed);
	if (!err)
		return PCI_ERS_RESULT_RECOVERED;
	dev_err(fd->dev, "not ready after a slot reset: %d\n", err);
	txgbe_health_done(fd, TXGBE_HEALTH_PCIE, TXGBE_HEALTH_STEP_DETACH, err);
	return PCI_ERS_RESULT_DISCONNECT;
}

/* @asked: nothing had gone wrong before, it only may now. */
static void txgbe_recover_restart(struct txgbe_dev *fd, const char *what, bool asked)
{
	int err;

	if (!fd->frozen || READ_ONCE(fd->removing))
		return;
	err = txgbe_port_thaw(fd);
	if (err && asked)
		txgbe_health_error(fd, TXGBE_HEALTH_PCIE, "port does not start after %s: %d",
				   what, err);
	if (err || !asked)
		txgbe_health_done(fd, TXGBE_HEALTH_PCIE,
				  fd->frozen ? TXGBE_HEALTH_STEP_DETACH :
				  TXGBE_HEALTH_STEP_PORT, err);
	if (err)
		dev_err(fd->dev, "port does not start after %s: %d; %s\n", what, err,
			txgbe_port_outlook(fd));
	else
		dev_info(fd->dev, "port works again after %s\n", what);
}

static void txgbe_recover_resume(struct pci_dev *pdev)
{
	txgbe_recover_restart(pci_get_drvdata(pdev), "a PCIe error", false);
}

/* ---- Reset of the function, as by writing to its file "reset" ----------- */

static void txgbe_recover_reset_prepare(struct pci_dev *pdev)
{
	txgbe_port_freeze(pci_get_drvdata(pdev));
}

static void txgbe_recover_reset_done(struct pci_dev *pdev)
{
	txgbe_recover_restart(pci_get_drvdata(pdev), "a function reset", true);
}

const struct pci_error_handlers txgbe_err_handlers = {
	.error_detected	= txgbe_recover_error_detected,
	.slot_reset	= txgbe_recover_slot_reset,
	.resume		= txgbe_recover_resume,
	.reset_prepare	= txgbe_recover_reset_prepare,
	.reset_done	= txgbe_recover_reset_done,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wake-on-LAN by magic packet (reference 06 section 7). Only the vendor's
 * driver is known to use it, and nobody knows what firmware of this chip
 * makes of it: unproven on silicon.
 */
#include <linux/bitfield.h>
#include <linux/ethtool.h>
#include <linux/pci.h>
#include <linux/pm_wakeup.h>

#include "hw/ids.h"
#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/* The board says that it can, its EEPROM which ports may. */
static bool txgbe_wol_fitted(const struct txgbe_dev *fd)
{
	switch (FIELD_GET(TXGBE_NVM_CAPS_WOL, fd->nvm_caps)) {
	case TXGBE_NVM_CAPS_WOL_BOTH:
		return fd->subsys & TXGBE_SUBSYS_WOL;
	case TXGBE_NVM_CAPS_WOL_PORT0:
		return fd->subsys & TXGBE_SUBSYS_WOL && !fd->lan;
	default:
		return false;
	}
}

/**
 * txgbe_wol_init() - find out whether the port can wake the machine
 * @fd: device; subsystem id, port number and EEPROM capabilities are known
 *
 * Waking is off until the user asks for it.
 *
 * Context: Process context, from probe.
 */
void txgbe_wol_init(struct txgbe_dev *fd)
{
	fd->wol = 0;
	fd->wol_able = txgbe_wol_fitted(fd) && pci_pme_capable(fd->pdev, PCI_D3hot) ?
		       WAKE_MAGIC : 0;
	device_set_wakeup_capable(fd->dev, fd->wol_able);
}

/**
 * txgbe_wol_arm() - make the stopped port wait for a magic packet
 * @fd: device; the port is stopped and was reset
 * @addr: the port's address now, which is the one to be called by
 * @mtu: bytes; longer frames wake nobody
 * @speed_mbps: rate of the link, as for txgbe_mac_listen()
 *
 * Context: Process context, from suspend and shutdown.
 * Return: true if the port shall wake the machine; false if the user does not
 *	want it, and nothing was done.
 */
bool txgbe_wol_arm(struct txgbe_dev *fd, const u8 *addr, u32 mtu, u32 speed_mbps)
{
	if (!fd->wol || !txgbe_present(fd))
		return false;

	txgbe_filter_set_addr(fd, 0, addr);
	txgbe_rmw32(fd, TXGBE_PSR_CTL, TXGBE_PSR_CTL_BAM, TXGBE_PSR_CTL_BAM);
	txgbe_mac_laser(fd, true);
	txgbe_mac_listen(fd, mtu, speed_mbps);
	txgbe_wr32(fd, TXGBE_PSR_WKUP_CTL,
		   TXGBE_PSR_WKUP_CTL_MAGIC | TXGBE_PSR_WKUP_CTL_FW_RST);
	txgbe_flush(fd);
	return txgbe_present(fd);
}

/**
 * txgbe_wol_disarm() - after waking up: frames are only frames again
 * @fd: device
 *
 * Context: Process context, from resume.
 */
void txgbe_wol_disarm(struct txgbe_dev *fd)
{
	if (fd->wol_able)
		txgbe_wr32(fd, TXGBE_PSR_WKUP_CTL, 0);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Reset of one port, readiness after reset, ownership (reference 01). */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/pci.h>
#include <linux/spinlock.h>

#include "hw/regs.h"
#include "txgbe/clock.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

#define TXGBE_FLASH_LOAD_STEP_US	20000
#define TXGBE_FLASH_LOAD_LIMIT_US	2000000
#define TXGBE_FW_BOOT_STEP_US		20000
#define TXGBE_FW_BOOT_LIMIT_US		1000000
#define TXGBE_DMA_DRAIN_STEP_US		100
#define TXGBE_DMA_DRAIN_LIMIT_US	80000

/* Delay announced to whoever asks for a bigger reset, 100 ms (reference 01). */
#define TXGBE_RST_INIT_DELAY		30

/* MIS_PRB_CTL is one register for both ports of a card, and for all we know
 * only this driver writes it: one lock for all cards is enough.
 */
static DEFINE_SPINLOCK(txgbe_prb_lock);

static int txgbe_hw_wait_flash(struct txgbe_dev *fd, u32 pending, const char *what)
{
	u32 val;
	int err;

	if (txgbe_rd32(fd, TXGBE_SPI_STATUS) & TXGBE_SPI_STATUS_BYPASS)
		return txgbe_present(fd) ? 0 : -ENODEV;

	err = txgbe_poll32(fd, TXGBE_SPI_ILDR_STATUS, val, !(val & pending),
			   TXGBE_FLASH_LOAD_STEP_US, TXGBE_FLASH_LOAD_LIMIT_US);
	if (err == -ETIMEDOUT)
		dev_err(fd->dev, "flash still loading %u ms after %s, status %#x\n",
			TXGBE_FLASH_LOAD_LIMIT_US / 1000, what, val);
	return err;
}

/**
 * txgbe_hw_wait_ready() - wait until flash is loaded and firmware has started
 * @fd: device
 *
 * Failures other than a removed device are logged here.
 *
 * Context: Process context, sleeps up to 5 s, none of it if the device is gone.
 * Return: 0; -ETIMEDOUT if a step did not end; -ENODEV if the device is gone.
 */
int txgbe_hw_wait_ready(struct txgbe_dev *fd)
{
	u32 val;
	int err;

	err = txgbe_hw_wait_flash(fd, TXGBE_SPI_ILDR_PERST, "PCIe reset");
	if (err)
		return err;
	err = txgbe_hw_wait_flash(fd, TXGBE_SPI_ILDR_PWRRST, "power-on");
	if (err)
		return err;

	err = txgbe_poll32(fd, TXGBE_MIS_ST, val, val & TXGBE_MIS_ST_MNG_INIT_DN,
			   TXGBE_FW_BOOT_STEP_US, TXGBE_FW_BOOT_LIMIT_US);
	if (err == -ETIMEDOUT)
		dev_err(fd->dev, "firmware not started after %u ms, status %#x\n",
			TXGBE_FW_BOOT_LIMIT_US / 1000, val);
	return err;
}

/**
 * txgbe_hw_is_ready() - is the chip out of a reset of the whole of it?
 * @fd: device
 *
 * Context: Process context.
 * Return: true if flash is loaded and firmware has started (reference 01
 *	section 7).
 */
bool txgbe_hw_is_ready(struct txgbe_dev *fd)
{
	return !(txgbe_rd32(fd, TXGBE_MIS_RST_ST) & TXGBE_MIS_RST_ST_PENDING) &&
	       !(txgbe_rd32(fd, TXGBE_SPI_ILDR_STATUS) & TXGBE_SPI_ILDR_SW) &&
	       txgbe_rd32(fd, TXGBE_MIS_ST) & TXGBE_MIS_ST_MNG_INIT_DN;
}

static int txgbe_hw_drain_dma(struct txgbe_dev *fd)
{
	u32 val;

	pci_clear_master(fd->pdev);
	return txgbe_poll32(fd, TXGBE_PX_TRANSACTION_PENDING, val, !val,
			    TXGBE_DMA_DRAIN_STEP_US, TXGBE_DMA_DRAIN_LIMIT_US);
}

/**
 * txgbe_hw_stop_dma() - first step of closing: no more bus mastering
 * @fd: device
 *
 * Also stops MSI and MSI-X messages, which are DMA writes. txgbe_hw_reset()
 * turns bus mastering on again.
 *
 * Context: Process context, sleeps up to 80 ms.
 */
void txgbe_hw_stop_dma(struct txgbe_dev *fd)
{
	if (txgbe_hw_drain_dma(fd) == -ETIMEDOUT)
		dev_warn(fd->dev, "DMA still pending after %u ms\n",
			 TXGBE_DMA_DRAIN_LIMIT_US / 1000);
}

/* Quiet the port: receive off, vectors masked, rings off. */
static void txgbe_hw_quiesce(struct txgbe_dev *fd)
{
	u32 i;

	txgbe_mac_rx_gate(fd, false);

	txgbe_wr32(fd, TXGBE_PX_IMS(0), ~0U);
	txgbe_wr32(fd, TXGBE_PX_IMS(1), ~0U);
	txgbe_wr32(fd, TXGBE_PX_MISC_IC, ~0U);
	txgbe_wr32(fd, TXGBE_BME_CTL, TXGBE_BME_CTL_STOP);

	for (i = 0; i < TXGBE_HW_QUEUES && txgbe_present(fd); i++)
		txgbe_rmw32(fd, TXGBE_PX_TR_CFG(i),
			    TXGBE_PX_TR_CFG_SWFLSH | TXGBE_PX_TR_CFG_EN,
			    TXGBE_PX_TR_CFG_SWFLSH);
	for (i = 0; i < TXGBE_HW_QUEUES && txgbe_present(fd); i++)
		txgbe_rmw32(fd, TXGBE_PX_RR_CFG(i), TXGBE_PX_RR_CFG_EN, 0);
	txgbe_flush(fd);
}

/**
 * txgbe_hw_start_sensor() - let the chip measure its temperature
 * @fd: device
 *
 * One sensor for both ports; to enable what is enabled changes nothing.
 *
 * Context: Any.
 */
void txgbe_hw_start_sensor(struct txgbe_dev *fd)
{
	txgbe_rmw32(fd, TXGBE_TS_ENA, TXGBE_TS_ENA_ENABLE, TXGBE_TS_ENA_ENABLE);
}

/* Erratum: the flexible filters do not come out of reset empty. */
static void txgbe_hw_clear_flex(struct txgbe_dev *fd)
{
	u32 i;

	txgbe_wr32(fd, TXGBE_PSR_MNG_FLEX_SEL, 0);
	for (i = 0; i < TXGBE_FLEX_FILTERS; i++) {
		txgbe_wr32(fd, TXGBE_PSR_MNG_FLEX_DW_L(i), 0);
		txgbe_wr32(fd, TXGBE_PSR_MNG_FLEX_DW_H(i), 0);
		txgbe_wr32(fd, TXGBE_PSR_MNG_FLEX_MSK(i), 0);
	}
	txgbe_wr32(fd, TXGBE_PSR_LAN_FLEX_SEL, 0);
	for (i = 0; i < TXGBE_FLEX_FILTERS; i++) {
		txgbe_wr32(fd, TXGBE_PSR_LAN_FLEX_DW_L(i), 0);
		txgbe_wr32(fd, TXGBE_PSR_LAN_FLEX_DW_H(i), 0);
		txgbe_wr32(fd, TXGBE_PSR_LAN_FLEX_MSK(i), 0);
	}
}

/*
 * The in-tree driver also writes thermal thresholds here (in SP1000 layout,
 * which are interrupt status registers on Amber-Lite) and clears SP1000 rate
 * limiters; neither has a use on this chip.
 */
static void txgbe_hw_setup_misc(struct txgbe_dev *fd)
{
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_JE, TXGBE_MAC_RX_CFG_JE);
	txgbe_rmw32(fd, TXGBE_MMC_CONTROL, TXGBE_MMC_CONTROL_RSTONRD,
		    TXGBE_MMC_CONTROL_RSTONRD);
	txgbe_rmw32(fd, TXGBE_MAC_RX_FLOW_CTRL, TXGBE_MAC_RX_FLOW_CTRL_RFE,
		    TXGBE_MAC_RX_FLOW_CTRL_RFE);
	txgbe_wr32(fd, TXGBE_MAC_PKT_FLT, TXGBE_MAC_PKT_FLT_PR);
	txgbe_rmw32(fd, TXGBE_MIS_RST_ST, TXGBE_MIS_RST_ST_RST_INIT,
		    FIELD_PREP(TXGBE_MIS_RST_ST_RST_INIT, TXGBE_RST_INIT_DELAY));
	txgbe_hw_clear_flex(fd);
	txgbe_wr32(fd, TXGBE_RDB_PFCMACDAL, TXGBE_RDB_PFCMACDAL_VALUE);
	txgbe_wr32(fd, TXGBE_RDB_PFCMACDAH, TXGBE_RDB_PFCMACDAH_VALUE);

	/* Amber-Lite wants these two after every reset of the port. */
	txgbe_wr32(fd, TXGBE_PX_PF_BME, TXGBE_PX_PF_BME_ENABLE);
	txgbe_rmw32(fd, TXGBE_RDM_RSC_CTL, TXGBE_RDM_RSC_CTL_FREE_CTL,
		    TXGBE_RDM_RSC_CTL_FREE_CTL);
	/* A chip that was without power, or reset as a whole, has it off. */
	txgbe_hw_start_sensor(fd);
}

/**
 * txgbe_hw_is_set_up() - has the chip what the last txgbe_hw_reset() gave it?
 * @fd: device
 *
 * Context: Process context.
 * Return: false if others have reset it since.
 */
bool txgbe_hw_is_set_up(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_PX_PF_BME) & TXGBE_PX_PF_BME_ENABLE;
}

/**
 * txgbe_hw_reset() - stop the port, reset it, give it basic settings
 * @fd: device
 *
 * Clears queues, interrupt set-up, filters, RSS, buffers and MAC settings of
 * this port; address slot 0 then holds the address from flash. Keeps firmware,
 * GPIO and the physical link. Leaves PCI bus mastering on, or off if it fails.
 * Failures other than a removed device are logged here.
 *
 * Context: Process context, sleeps; typically 1 ms, at most 2.1 s, not at all
 * if the device is gone. The caller has stopped interrupts and the link.
 * Return: 0; -ETIMEDOUT if DMA does not drain or flash does not reload;
 * -ENODEV if the device is gone.
 */
int txgbe_hw_reset(struct txgbe_dev *fd)
{
	int err;

	txgbe_hw_quiesce(fd);
	err = txgbe_hw_drain_dma(fd);
	if (err == -ETIMEDOUT)
		dev_err(fd->dev, "reset given up: DMA still pending after %u ms\n",
			TXGBE_DMA_DRAIN_LIMIT_US / 1000);
	if (err)
		return err;

	/* It counts from 0 after the reset. */
	txgbe_clock_halt(fd);

	/* The register is shared by both ports and its bits clear themselves:
	 * a plain write of our own bit cannot repeat the other port's reset.
	 */
	txgbe_wr32(fd, TXGBE_MIS_RST, TXGBE_MIS_RST_LAN(fd->lan));
	txgbe_flush(fd);
	usleep_range(10, 100);
	err = txgbe_hw_wait_flash(fd, TXGBE_SPI_ILDR_LAN(fd->lan), "port reset");
	if (err)
		return err;

	txgbe_hw_setup_misc(fd);
	txgbe_hw_clear_stats(fd);
	if (!txgbe_present(fd))
		return -ENODEV;
	txgbe_clock_resume(fd);
	pci_set_master(fd->pdev);
	return 0;
}

/**
 * txgbe_hw_own() - tell firmware whether a driver runs the port
 * @fd: device
 * @own: true after open has programmed the port, false at the end of close
 *
 * Context: Process context, under the lock of open and close.
 */
void txgbe_hw_own(struct txgbe_dev *fd, bool own)
{
	/* PFRSTD lets virtual functions go on once the port is set up again. */
	u32 bits = TXGBE_CFG_PORT_CTL_DRV_LOAD | TXGBE_CFG_PORT_CTL_PFRSTD;

	if (!own) {
		spin_lock(&txgbe_prb_lock);
		txgbe_rmw32(fd, TXGBE_MIS_PRB_CTL, TXGBE_MIS_PRB_CTL_UP(fd->lan), 0);
		spin_unlock(&txgbe_prb_lock);
	}
	txgbe_rmw32(fd, TXGBE_CFG_PORT_CTL, bits, own ? bits : 0);
}

// SPDX-License-Identifier: GPL-2.0-only
/* PCI driver: which cards, and how a port comes and goes. */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "port.h"
#include "hw/ids.h"
#include "hw/regs.h"
#include "txgbe/debugfs.h"
#include "txgbe/dev.h"
#include "txgbe/devlink.h"
#include "txgbe/fw.h"
#include "txgbe/health.h"
#include "txgbe/hw.h"
#include "txgbe/hwmon.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"
#include "txgbe/phc.h"
#include "txgbe/version.h"

#include "pcie.h"

#define TXGBE_DRV_NAME	"txgbe"

enum txgbe_board_id {
	TXGBE_BOARD_FF5010,
	TXGBE_BOARD_FF5025,
	TXGBE_BOARD_FF5040,
};

static const struct txgbe_board txgbe_boards[] = {
	/* The chip of the FF5025 on a board that runs at 10G only. */
	[TXGBE_BOARD_FF5010] = {
		.name = "FF5010",
		.gpio_absent = TXGBE_GPIO_SFP_ABSENT,
		.gpio_los = TXGBE_GPIO_RX_LOS,
		.max_speed_mbps = SPEED_10000,
		.laser_gpio = true,
		.nvm_skip_tail = true,
	},
	[TXGBE_BOARD_FF5025] = {
		.name = "FF5025",
		.gpio_absent = TXGBE_GPIO_SFP_ABSENT,
		.gpio_los = TXGBE_GPIO_RX_LOS,
		.max_speed_mbps = SPEED_25000,
		.laser_gpio = true,
		.nvm_skip_tail = true,
	},
	[TXGBE_BOARD_FF5040] = {
		.name = "FF5040",
		.gpio_absent = TXGBE_GPIO_QSFP_ABSENT,
		.max_speed_mbps = SPEED_40000,
	},
};

static const struct pci_device_id txgbe_ids[] = {
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5010), .driver_data = TXGBE_BOARD_FF5010 },
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5110), .driver_data = TXGBE_BOARD_FF5010 },
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5025), .driver_data = TXGBE_BOARD_FF5025 },
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5125), .driver_data = TXGBE_BOARD_FF5025 },
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5040), .driver_data = TXGBE_BOARD_FF5040 },
	{ PCI_DEVICE(TXGBE_PCI_VENDOR, TXGBE_PCI_FF5140), .driver_data = TXGBE_BOARD_FF5040 },
	{ }
};
MODULE_DEVICE_TABLE(pci, txgbe_ids);

/*
 * Enable, claim and map. Bus mastering stays off until txgbe_hw_reset() has
 * stopped whatever ran on the port before, such as the kernel that crashed.
 */
static int txgbe_probe_pci(struct txgbe_dev *fd)
{
	struct pci_dev *pdev = fd->pdev;
	int err;

	/* The PCI core would complain line by line about one that is not there. */
	if (!pci_device_is_present(pdev))
		return dev_err_probe(fd->dev, -ENODEV, "device does not answer on the bus\n");

	err = pci_enable_device_mem(pdev);
	if (err)
		return dev_err_probe(fd->dev, err, "cannot enable the PCI device\n");

	err = dma_set_mask_and_coherent(fd->dev, DMA_BIT_MASK(64));
	if (err) {
		dev_err_probe(fd->dev, err, "no 64-bit DMA\n");
		goto disable;
	}

	err = pci_request_selected_regions(pdev, pci_select_bars(pdev, IORESOURCE_MEM),
					   TXGBE_DRV_NAME);
	if (err) {
		dev_err_probe(fd->dev, err, "cannot claim the memory BARs\n");
		goto disable;
	}

	if (pci_resource_len(pdev, 0) < TXGBE_BAR0_MIN_BYTES) {
		err = dev_err_probe(fd->dev, -ENODEV, "BAR0 has %llu bytes, %u are needed\n",
				    (unsigned long long)pci_resource_len(pdev, 0),
				    TXGBE_BAR0_MIN_BYTES);
		goto release;
	}
	fd->map = pci_ioremap_bar(pdev, 0);
	if (!fd->map) {
		/* dev_err_probe() says nothing about -ENOMEM */
		dev_err(fd->dev, "cannot map BAR0\n");
		err = -ENOMEM;
		goto release;
	}
	WRITE_ONCE(fd->csr, fd->map);
	return 0;

release:
	pci_release_selected_regions(pdev, pci_select_bars(pdev, IORESOURCE_MEM));
disable:
	pci_disable_device(pdev);
	return err;
}

static void txgbe_remove_pci(struct txgbe_dev *fd)
{
	WRITE_ONCE(fd->csr, NULL);
	iounmap(fd->map);
	pci_release_selected_regions(fd->pdev, pci_select_bars(fd->pdev, IORESOURCE_MEM));
	pci_disable_device(fd->pdev);
}

/* The subsystem device id describes the board, but only if the subsystem
 * vendor is the chip's; card makers' boards say it in flash. One that says
 * nothing is taken for the plain kind: optical, no sideband, no wake-up.
 */
static void txgbe_probe_board(struct txgbe_dev *fd)
{
	int err;

	if (fd->pdev->subsystem_vendor == TXGBE_PCI_VENDOR) {
		fd->subsys = fd->pdev->subsystem_device;
	} else {
		err = txgbe_nvm_read_subsys(fd, &fd->subsys);
		if (err) {
			fd->subsys = 0;
			dev_warn(fd->dev, "subsystem %04x:%04x: no board id in flash (%d), taken for a plain optical board\n",
				 fd->pdev->subsystem_vendor, fd->pdev->subsystem_device, err);
		}
	}
	fd->keep_mac = fd->subsys & (TXGBE_SUBSYS_NCSI | TXGBE_SUBSYS_WOL);
}

static void txgbe_probe_address(struct txgbe_dev *fd)
{
	txgbe_mac_read_perm_addr(fd, fd->perm_addr);
	if (is_valid_ether_addr(fd->perm_addr))
		return;
	dev_warn(fd->dev, "address in flash is invalid (%pM), using a random one\n",
		 fd->perm_addr);
	eth_random_addr(fd->perm_addr);
}

/* Everything that talks to the chip. Steps that have a lot to say about their
 * failure log it themselves; the others are named here.
 */
static int txgbe_probe_hw(struct txgbe_dev *fd)
{
	int err;

	fd->lan = FIELD_GET(TXGBE_CFG_PORT_ST_LAN_ID, txgbe_rd32(fd, TXGBE_CFG_PORT_ST));
	if (!txgbe_present(fd))
		return -ENODEV;
	if (fd->lan > 1)
		return dev_err_probe(fd->dev, -ENODEV, "card says this is port %u, of 0 and 1\n",
				     fd->lan);
	txgbe_probe_board(fd);

	err = txgbe_hw_wait_ready(fd);
	if (err)
		return err;
	err = txgbe_hw_reset(fd);
	if (err)
		return err;

	err = txgbe_fw_test(fd);
	if (err == -ENODEV)
		return err;
	if (err)
		return dev_err_probe(fd->dev, err, "firmware %s\n",
				     err == -ETIMEDOUT ? "does not answer" :
				     err == -EIO ? "gives no valid answer" :
						   "does not know the link command");

	txgbe_nvm_read_version(fd);
	/* A bad or unreadable EEPROM was warned about; most of it is not ours. */
	if (txgbe_nvm_check(fd, false) == -ENODEV)
		return -ENODEV;
	txgbe_probe_address(fd);
	txgbe_wol_init(fd);
	return txgbe_present(fd) ? 0 : -ENODEV;
}

static int txgbe_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct txgbe_dev *fd;
	int err;

	fd = devm_kzalloc(&pdev->dev, sizeof(*fd), GFP_KERNEL);
	if (!fd)
		return -ENOMEM;
	fd->pdev = pdev;
	fd->dev = &pdev->dev;
	fd->board = &txgbe_boards[id->driver_data];
	spin_lock_init(&fd->rar_lock);
	txgbe_health_init(fd);
	txgbe_clock_init(fd);
	fd->phc_index = -1;
	pci_set_drvdata(pdev, fd);

	err = txgbe_probe_pci(fd);
	if (err)
		return err;
	txgbe_fw_init(fd);
	err = txgbe_probe_hw(fd);
	if (err)
		goto fini_fw;

	fd->wq = alloc_ordered_workqueue("txgbe-%s", 0, pci_name(pdev));
	if (!fd->wq) {
		dev_err(fd->dev, "no work queue\n");
		err = -ENOMEM;
		goto fini_fw;
	}
	txgbe_link_init(fd);

	err = txgbe_devlink_create(fd);
	if (err)
		goto fini_link;

	fd->events = &txgbe_net_events;
	err = txgbe_net_create(fd);
	if (err)
		goto destroy_devlink;

	dev_info(fd->dev, "%s port %u, %pM, firmware %s\n", fd->board->name, fd->lan,
		 fd->perm_addr, fd->fw_version[0] ? fd->fw_version : "unknown");
	txgbe_hwmon_register(fd);
	txgbe_pcie_check(fd);
	pci_save_state(pdev);	/* for a slot reset */
	txgbe_debugfs_create(fd);
	txgbe_phc_add(fd);
	txgbe_devlink_register(fd);
	return 0;

destroy_devlink:
	txgbe_devlink_destroy(fd);
fini_link:
	WRITE_ONCE(fd->events, NULL);
	WRITE_ONCE(fd->removing, true);
	txgbe_link_fini(fd);
	destroy_workqueue(fd->wq);
fini_fw:
	pci_clear_master(pdev);
	txgbe_fw_fini(fd);
	txgbe_health_fini(fd);
	txgbe_remove_pci(fd);
	return err;
}

static void txgbe_remove(struct pci_dev *pdev)
{
	struct txgbe_dev *fd = pci_get_drvdata(pdev);

	txgbe_pulse_settle(fd);
	WRITE_ONCE(fd->removing, true);
	txgbe_devlink_unregister(fd);
	txgbe_phc_del(fd);
	txgbe_hwmon_unregister(fd);
	txgbe_debugfs_destroy(fd);
	txgbe_net_destroy(fd);
	txgbe_devlink_destroy(fd);
	txgbe_link_fini(fd);
	destroy_workqueue(fd->wq);
	txgbe_health_fini(fd);
	txgbe_fw_fini(fd);
	txgbe_remove_pci(fd);
}

/* Reboot, power-off, kexec: the port must do no DMA afterwards. It may wait for
 * a packet that switches the machine on.
 */
static void txgbe_shutdown(struct pci_dev *pdev)
{
	struct txgbe_dev *fd = pci_get_drvdata(pdev);
	bool armed;

	txgbe_pulse_settle(fd);
	WRITE_ONCE(fd->removing, true);
	txgbe_net_shutdown(fd);
	txgbe_link_fini(fd);
	txgbe_clock_halt(fd);	/* who asks gets an estimate */
	armed = txgbe_net_arm_wol(fd);
	pci_disable_device(pdev);
	if (system_state == SYSTEM_POWER_OFF) {
		pci_wake_from_d3(pdev, armed);
		pci_set_power_state(pdev, PCI_D3hot);
	}
}

static struct pci_driver txgbe_driver = {
	.name = TXGBE_DRV_NAME,
	.id_table = txgbe_ids,
	.probe = txgbe_probe,
	.remove = txgbe_remove,
	.shutdown = txgbe_shutdown,
	.err_handler = &txgbe_err_handlers,
	.driver.pm = pm_sleep_ptr(&txgbe_pm_ops),
};
module_pci_driver(txgbe_driver);

MODULE_DESCRIPTION("Wangxun Amber-Lite FF5010/FF5025/FF5040 Ethernet driver");
MODULE_LICENSE("GPL");
MODULE_VERSION(TXGBE_VERSION);
/* The PTP clock is a module of its own, so that this one needs no other. */
MODULE_SOFTDEP("post: txgbe_ptp");

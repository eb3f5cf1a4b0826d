/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct txgbe_dev: one port of an adapter, and what its parts share.
 *
 * Locks, outermost first:
 *   the device's lock             probe, remove, sleep, PCI error handling
 *   devlink's lock                reload, health, regions
 *   rtnl / netdev instance lock   configuration of the net_device
 *   fn->ntuple->lock (mutex)      flow rules and filters
 *   fn->port_stats.lock (mutex)   hardware counters, cleared by reading
 *   fd->link.mac_lock (mutex)     MAC set-up and carrier against link_stop
 *   fd->fw.lock (mutex)           one firmware command at a time
 *   the transmit queue's lock or txr->lock, what a ring is sent on
 *   fd->link.lock (spinlock)      the published link state
 *   fd->rar_lock (spinlock)       banked MAC address registers
 *   fd->clock.lock (spinlock)     the PTP clock and its registers, hardirq-safe
 *   fd->health.lock (spinlock)    the health record, innermost
 * The link work never takes rtnl, so that removing the port may wait for it.
 * It never holds mac_lock while firmware makes it wait, so that closing the
 * port need not.
 */
#ifndef TXGBE_DEV_H
#define TXGBE_DEV_H

#include <linux/atomic.h>
#include <linux/etherdevice.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "txgbe/clock.h"
#include "txgbe/fwtrace.h"
#include "txgbe/health.h"
#include "txgbe/link.h"

struct dentry;
struct device;
struct devlink;
struct pci_dev;
struct txgbe_dev;
struct txgbe_net;
struct txgbe_phc;

/**
 * struct txgbe_board - what differs between the device ids
 * @name: for log lines and devlink
 * @gpio_absent: line of GPIO_EXT that is 1 without a module
 * @gpio_los: line of GPIO_EXT that is 1 without light; 0 if there is none
 * @max_speed_mbps: fastest rate of the MAC
 * @laser_gpio: GPIO_DR bit 1 switches the laser (SFP boards)
 * @nvm_skip_tail: words 0x580..0x7ff are left out of the EEPROM checksum
 */
struct txgbe_board {
	const char *name;
	u32 gpio_absent;
	u32 gpio_los;
	u32 max_speed_mbps;
	bool laser_gpio;
	bool nvm_skip_tail;
};

/**
 * struct txgbe_events - news that travel upwards, from hw and link to net
 * @link_changed: carrier comes, its rate is published and final; or it goes,
 *	the reason is published, and the rate holds until the return.
 *	Context: process (the link work).
 * @device_lost: reads return all ones; registers are no longer touched.
 *	Context: any, also hardirq; called once.
 */
struct txgbe_events {
	void (*link_changed)(struct txgbe_dev *fd, bool up);
	void (*device_lost)(struct txgbe_dev *fd);
};

/**
 * struct txgbe_fw - firmware mailbox
 * @lock: held from posting a request to the end of its answer
 * @index: sequence number of the next request
 * @timeouts: requests without a usable answer, since probe
 * @hold_ms: 0 while firmware answers; else how long it is left alone
 * @retry_at: jiffies64, first moment of the next try while @hold_ms is not 0
 * @retry_now: ask again whatever @retry_at says; set by anyone
 * @trace: the last commands, with a lock of its own
 */
struct txgbe_fw {
	struct mutex lock; /* one request at a time, see above */
	u8 index;
	u32 timeouts;
	u32 hold_ms;
	u64 retry_at;
	bool retry_now;
	struct txgbe_fwtrace trace;
};

#define TXGBE_FW_VERSION_LEN	32

/**
 * struct txgbe_nvm_version - what the EEPROM image says about itself
 * @image: version of the image, and so of firmware
 * @caps: device capabilities
 * @has_oprom: there is an option ROM, with a version
 * @oprom_major: its parts
 * @oprom_build: its parts
 * @oprom_patch: its parts
 */
struct txgbe_nvm_version {
	u32 image;
	u16 caps;
	bool has_oprom;
	u8 oprom_major;
	u16 oprom_build;
	u8 oprom_patch;
};

/**
 * struct txgbe_dev - one PCI function, one port
 * @pdev: the PCI device
 * @dev: &pdev->dev
 * @csr: BAR0, or NULL once the device is gone; read with READ_ONCE()
 * @map: BAR0 as mapped at probe, unmapped at remove
 * @board: constants of the device id
 * @events: upward calls, NULL until fd->fn can take them
 * @fn: net_device part
 * @devlink: devlink instance, NULL on kernels without
 * @debugfs: directory of the port
 * @wq: ordered queue of the link work
 * @lan: port number on the card, 0 or 1; selects reset bits
 * @subsys: subsystem device id
 * @keep_mac: sideband or wake-up board, the MAC stays on when down
 * @gone: 1 once @csr was cleared, so that device_lost is called once
 * @nvm_present: an EEPROM is fitted
 * @nvm_caps: device capabilities of the EEPROM, TXGBE_NVM_CAPS_*
 * @perm_addr: address loaded from flash
 * @fw_version: printable, "" if unreadable
 * @nvm_version: the same in parts; only if @fw_version is not ""
 * @fw: mailbox
 * @link: link state machine
 * @health: what went wrong, and when
 * @clock: PTP clock
 * @phc: what txgbe_ptp made of it; NULL without that module; under its lock
 * @phc_index: number of /dev/ptpN; -1 without
 * @phc_node: in the list of ports that module is told of
 * @rar_lock: protects the MAC_SWC index and data registers
 * @frozen: stopped by suspend, an error or a reset of the function, which ends
 *	it; written under the device lock and rtnl
 * @removing: remove or shutdown runs, waits are cut short
 * @wol_able: WAKE_* the port can be woken by
 * @wol: of these, what the user wants; written under rtnl
 * @hwmon: hwmon device, NULL if there is none
 * @too_hot: was so at the last look, and has not cooled down enough since
 * @seen_rx_xon: received XON frames at the last look, the counter runs free
 * @seen_rx_xoff: the same of XOFF frames
 */
struct txgbe_dev {
	struct pci_dev *pdev;
	struct device *dev;
	u8 __iomem *csr;
	u8 __iomem *map;
	const struct txgbe_board *board;
	const struct txgbe_events *events;
	struct txgbe_net *fn;
	struct devlink *devlink;
	struct dentry *debugfs;
	struct workqueue_struct *wq;
	u8 lan;
	u16 subsys;
	bool keep_mac;
	atomic_t gone;
	bool nvm_present;
	u16 nvm_caps;
	u8 perm_addr[ETH_ALEN];
	char fw_version[TXGBE_FW_VERSION_LEN];
	struct txgbe_nvm_version nvm_version;
	struct txgbe_fw fw;
	struct txgbe_link link;
	struct txgbe_health health;
	struct txgbe_clock clock;
	struct txgbe_phc *phc;
	int phc_index;
	struct list_head phc_node;
	spinlock_t rar_lock; /* index, then data registers, as one access */
	bool frozen;
	bool removing;
	u32 wol_able;
	u32 wol;
	struct device *hwmon;
	bool too_hot;
	u32 seen_rx_xon;
	u32 seen_rx_xoff;
};

#endif /* TXGBE_DEV_H */

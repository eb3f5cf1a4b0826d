// SPDX-License-Identifier: GPL-2.0-only
/*
 * devlink regions: snapshots that a user takes and reads or dumps.
 *
 *	registers	pairs of offset and value, little endian 32 bits each, of
 *			the registers that may be read (src/hw/regdump.c)
 *	nvm		the EEPROM image, as firmware keeps it
 *	fw-trace	struct txgbe_fwtrace_entry of the last commands, the oldest
 *			first, unused ones all zero
 */
#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/devlink.h>

#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/fwtrace.h"
#include "txgbe/mmio.h"
#include "txgbe/regdump.h"

#include "devlink.h"

#define TXGBE_REGION_MAX_SNAPSHOTS	4
#define TXGBE_REGION_NVM_WORDS		(TXGBE_NVM_BYTES / sizeof(u16))

static struct txgbe_dev *txgbe_region_fd(struct devlink *devlink)
{
	struct txgbe_devlink *dl = devlink_priv(devlink);

	return dl->fd;
}

static int txgbe_region_snapshot_registers(struct devlink *devlink,
					   const struct devlink_region_ops *ops,
					   struct netlink_ext_ack *extack, u8 **data)
{
	struct txgbe_dev *fd = txgbe_region_fd(devlink);
	u32 count = txgbe_regdump_count();
	struct txgbe_reg *regs;
	__le32 *out;
	u32 i;

	if (!txgbe_present(fd)) {
		NL_SET_ERR_MSG_MOD(extack, "device is gone, or suspended by the PCI core");
		return -ENODEV;
	}
	regs = kvcalloc(count, sizeof(*regs), GFP_KERNEL);
	if (!regs)
		return -ENOMEM;
	txgbe_regdump_read(fd, regs);
	/* In place: both are pairs of 32 bits. */
	out = (__le32 *)regs;
	for (i = 0; i < count; i++) {
		u32 offset = regs[i].offset;
		u32 value = regs[i].value;

		out[2 * i] = cpu_to_le32(offset);
		out[2 * i + 1] = cpu_to_le32(value);
	}
	*data = (u8 *)out;
	return 0;
}

static int txgbe_region_snapshot_nvm(struct devlink *devlink,
				     const struct devlink_region_ops *ops,
				     struct netlink_ext_ack *extack, u8 **data)
{
	u16 *words;
	int err;
	u32 i;

	words = kvcalloc(TXGBE_REGION_NVM_WORDS, sizeof(*words), GFP_KERNEL);
	if (!words)
		return -ENOMEM;
	err = txgbe_nvm_read(txgbe_region_fd(devlink), 0, TXGBE_REGION_NVM_WORDS, words, false);
	if (err) {
		NL_SET_ERR_MSG_MOD(extack, "firmware did not read the EEPROM image");
		kvfree(words);
		return err;
	}
	for (i = 0; i < TXGBE_REGION_NVM_WORDS; i++)
		((__le16 *)words)[i] = cpu_to_le16(words[i]);
	*data = (u8 *)words;
	return 0;
}

static int txgbe_region_snapshot_fw_trace(struct devlink *devlink,
					  const struct devlink_region_ops *ops,
					  struct netlink_ext_ack *extack, u8 **data)
{
	struct txgbe_fwtrace_entry *entries;

	entries = kvcalloc(TXGBE_FWTRACE_ENTRIES, sizeof(*entries), GFP_KERNEL);
	if (!entries)
		return -ENOMEM;
	txgbe_fwtrace_get(&txgbe_region_fd(devlink)->fw.trace, entries);
	*data = (u8 *)entries;
	return 0;
}

static const struct devlink_region_ops txgbe_region_ops[TXGBE_DEVLINK_REGION_NR] = {
	[TXGBE_DEVLINK_REGION_REGISTERS] = {
		.name = "registers",
		.destructor = kvfree,
		.snapshot = txgbe_region_snapshot_registers,
	},
	[TXGBE_DEVLINK_REGION_NVM] = {
		.name = "nvm",
		.destructor = kvfree,
		.snapshot = txgbe_region_snapshot_nvm,
	},
	[TXGBE_DEVLINK_REGION_FW_TRACE] = {
		.name = "fw-trace",
		.destructor = kvfree,
		.snapshot = txgbe_region_snapshot_fw_trace,
	},
};

static u64 txgbe_region_size(enum txgbe_devlink_region which)
{
	switch (which) {
	case TXGBE_DEVLINK_REGION_REGISTERS:
		return txgbe_regdump_count() * sizeof(struct txgbe_reg);
	case TXGBE_DEVLINK_REGION_NVM:
		return TXGBE_NVM_BYTES;
	default:
		return TXGBE_FWTRACE_ENTRIES * sizeof(struct txgbe_fwtrace_entry);
	}
}

/**
 * txgbe_region_create() - make the regions
 * @dl: devlink part
 *
 * A region that cannot be made is left out with a warning: the port works
 * without.
 *
 * Context: Process context, before the instance is registered.
 */
void txgbe_region_create(struct txgbe_devlink *dl)
{
	struct devlink *devlink = priv_to_devlink(dl);
	struct devlink_region *region;
	u32 i;

	for (i = 0; i < TXGBE_DEVLINK_REGION_NR; i++) {
		region = devlink_region_create(devlink, &txgbe_region_ops[i],
					       TXGBE_REGION_MAX_SNAPSHOTS, txgbe_region_size(i));
		if (IS_ERR(region)) {
			dev_warn(dl->fd->dev, "no devlink region %s: %ld\n",
				 txgbe_region_ops[i].name, PTR_ERR(region));
			continue;
		}
		dl->region[i] = region;
	}
}

/**
 * txgbe_region_destroy() - undo txgbe_region_create(), with all snapshots
 * @dl: devlink part
 *
 * Context: Process context, after the instance was unregistered.
 */
void txgbe_region_destroy(struct txgbe_devlink *dl)
{
	u32 i;

	for (i = 0; i < TXGBE_DEVLINK_REGION_NR; i++)
		if (dl->region[i])
			devlink_region_destroy(dl->region[i]);
}

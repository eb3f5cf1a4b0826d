// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -m: memory of SFP and QSFP modules, as one file (the ioctl) and by
 * page. Firmware reads it, so the port may be closed.
 *
 * An SFP module has two chips: 0x50 with its identity and, if it can diagnose
 * itself, 0x51 with a lower half and pages. A QSFP module has one, 0x50, with
 * a lower half and pages. Anything else that may be plugged into a QSFP cage
 * is read by page as it asks to be.
 */
#include <linux/errno.h>
#include <linux/ethtool.h>
#include <linux/kernel.h>
#include <linux/netlink.h>

#include "hw/fwcmd.h"
#include "txgbe/fw.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#include "ethtool_module.h"

#define TXGBE_MODULE_I2C_ID		0x50
#define TXGBE_MODULE_I2C_DIAG		0x51
#define TXGBE_MODULE_HALF_BYTES		128

/* SFF-8472 and SFF-8636 */
#define TXGBE_SFP_DIAG_TYPE		92
#define TXGBE_SFP_DIAG_TYPE_DDM		BIT(6)	/* has the second chip */
#define TXGBE_SFP_DIAG_TYPE_SWITCH	BIT(2)	/* behind a special sequence */
#define TXGBE_QSFP_STATUS		2
#define TXGBE_QSFP_STATUS_FLAT		BIT(2)	/* page 0 only */

static int txgbe_ethtool_module_read(struct txgbe_net *fn, const struct txgbe_fw_module_part *at,
				     u8 *data)
{
	struct txgbe_dev *fd = fn->fd;
	int err;

	if (!txgbe_module_present(fd))
		return -ENODEV;
	err = txgbe_fw_read_module(fd, at, data);
	/* Pulled meanwhile, or there and broken? */
	if (err == -EREMOTEIO)
		return txgbe_module_present(fd) ? -EIO : -ENODEV;
	return err;
}

static int txgbe_ethtool_module_byte(struct txgbe_net *fn, u8 offset)
{
	struct txgbe_fw_module_part at = {
		.i2c_addr = TXGBE_MODULE_I2C_ID,
		.offset = offset,
		.len = 1,
	};
	u8 byte;
	int err;

	err = txgbe_ethtool_module_read(fn, &at, &byte);
	return err ? err : byte;
}

/**
 * txgbe_ethtool_get_module_info() - how long the module's memory is as one file
 * @dev: net_device
 * @info: filled in: what standard the content follows, and bytes
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -ENODEV without module or device; -EIO if the module cannot be
 * read; -EOPNOTSUPP for a module that is neither SFP nor QSFP; -ETIMEDOUT if
 * firmware does not answer.
 */
int txgbe_ethtool_get_module_info(struct net_device *dev, struct ethtool_modinfo *info)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int id, byte;

	id = txgbe_ethtool_module_byte(fn, 0);
	if (id < 0)
		return id;

	switch (id) {
	case TXGBE_MODULE_ID_SFP:
		byte = txgbe_ethtool_module_byte(fn, TXGBE_SFP_DIAG_TYPE);
		if (byte < 0)
			return byte;
		if (byte & TXGBE_SFP_DIAG_TYPE_DDM && !(byte & TXGBE_SFP_DIAG_TYPE_SWITCH)) {
			info->type = ETH_MODULE_SFF_8472;
			info->eeprom_len = ETH_MODULE_SFF_8472_LEN;
		} else {
			info->type = ETH_MODULE_SFF_8079;
			info->eeprom_len = ETH_MODULE_SFF_8079_LEN;
		}
		return 0;
	case TXGBE_MODULE_ID_QSFP:
	case TXGBE_MODULE_ID_QSFP_PLUS:
	case TXGBE_MODULE_ID_QSFP28:
		byte = txgbe_ethtool_module_byte(fn, TXGBE_QSFP_STATUS);
		if (byte < 0)
			return byte;
		info->type = id == TXGBE_MODULE_ID_QSFP ? ETH_MODULE_SFF_8436 : ETH_MODULE_SFF_8636;
		info->eeprom_len = byte & TXGBE_QSFP_STATUS_FLAT ? ETH_MODULE_SFF_8636_LEN :
								   ETH_MODULE_SFF_8636_MAX_LEN;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

/* Where byte @offset of the file is, and how many bytes follow it there. SFP:
 * both chips one after the other; QSFP: lower half, then the pages.
 */
static void txgbe_ethtool_module_locate(u32 type, u32 offset, struct txgbe_fw_module_part *at)
{
	u32 half = offset / TXGBE_MODULE_HALF_BYTES;

	at->bank = 0;
	at->page = 0;
	at->i2c_addr = TXGBE_MODULE_I2C_ID;
	if (type == ETH_MODULE_SFF_8636 || type == ETH_MODULE_SFF_8436) {
		at->offset = offset % TXGBE_MODULE_HALF_BYTES;
		if (half) {
			at->page = half - 1;
			at->offset += TXGBE_MODULE_HALF_BYTES;
		}
	} else {
		if (half >= 2)
			at->i2c_addr = TXGBE_MODULE_I2C_DIAG;
		at->offset = offset % (2 * TXGBE_MODULE_HALF_BYTES);
	}
	at->len = TXGBE_MODULE_HALF_BYTES - offset % TXGBE_MODULE_HALF_BYTES;
}

/**
 * txgbe_ethtool_get_module_eeprom() - any piece of the module's memory as a file
 * @dev: net_device
 * @ee: offset and length, in bytes
 * @data: room for @ee->len bytes; undefined on failure
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd(), which is called once
 * per 128 bytes.
 * Return: 0; -EINVAL beyond the end; what txgbe_ethtool_get_module_info()
 * returns.
 */
int txgbe_ethtool_get_module_eeprom(struct net_device *dev, struct ethtool_eeprom *ee, u8 *data)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct ethtool_modinfo info = {};
	struct txgbe_fw_module_part at;
	u32 done;
	int err;

	err = txgbe_ethtool_get_module_info(dev, &info);
	if (err)
		return err;
	if (!ee->len || ee->offset >= info.eeprom_len || ee->len > info.eeprom_len - ee->offset)
		return -EINVAL;

	for (done = 0; done < ee->len; done += at.len) {
		txgbe_ethtool_module_locate(info.type, ee->offset + done, &at);
		at.len = min_t(u32, at.len, ee->len - done);
		err = txgbe_ethtool_module_read(fn, &at, data + done);
		if (err)
			return err;
	}
	return 0;
}

/* What no module has is not worth asking firmware for. */
static int txgbe_ethtool_module_check(const struct ethtool_module_eeprom *page, u8 id,
				      struct netlink_ext_ack *extack)
{
	u32 half = page->offset / TXGBE_MODULE_HALF_BYTES;

	if (page->i2c_address != TXGBE_MODULE_I2C_ID && page->i2c_address != TXGBE_MODULE_I2C_DIAG)
		NL_SET_ERR_MSG(extack, "i2c address must be 0x50 or 0x51");
	else if (!page->length || half > 1 ||
		 (page->offset + page->length - 1) / TXGBE_MODULE_HALF_BYTES != half)
		NL_SET_ERR_MSG(extack, "offset and length must lie in one half of the 256 bytes");
	else if (page->page && !half)
		NL_SET_ERR_MSG(extack, "the lower half has no pages");
	else if (id == TXGBE_MODULE_ID_SFP && page->bank)
		NL_SET_ERR_MSG(extack, "SFP modules have no banks");
	else if (id == TXGBE_MODULE_ID_SFP && page->page &&
		 page->i2c_address == TXGBE_MODULE_I2C_ID)
		NL_SET_ERR_MSG(extack, "SFP modules have pages at i2c address 0x51 only");
	else if (id != TXGBE_MODULE_ID_SFP && page->i2c_address != TXGBE_MODULE_I2C_ID)
		NL_SET_ERR_MSG(extack, "only SFP modules have an i2c address 0x51");
	else
		return 0;
	return -EINVAL;
}

static int txgbe_ethtool_module_explain(int err, struct netlink_ext_ack *extack)
{
	switch (err) {
	case -ENODEV:
		NL_SET_ERR_MSG(extack, "no module is plugged");
		break;
	case -EIO:
		NL_SET_ERR_MSG(extack, "the module could not be read, or not all of it");
		break;
	case -ETIMEDOUT:
		NL_SET_ERR_MSG(extack, "firmware does not answer");
		break;
	case -EOPNOTSUPP:
		/* That would make ethtool try again as a file. */
		NL_SET_ERR_MSG(extack, "firmware cannot read modules");
		return -EIO;
	}
	return err;
}

/**
 * txgbe_ethtool_get_module_eeprom_by_page() - a piece of one half of a page
 * @dev: net_device
 * @page: what to read, and room for it
 * @extack: says what is wrong
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: bytes read, always all; -EINVAL for a place that does not exist;
 * -ENODEV without module or device; -EIO if the module cannot be read;
 * -ETIMEDOUT if firmware does not answer.
 */
int txgbe_ethtool_get_module_eeprom_by_page(struct net_device *dev,
					    const struct ethtool_module_eeprom *page,
					    struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_fw_module_part at;
	struct txgbe_link_state state;
	int err, id;

	txgbe_link_get(fn->fd, &state);
	id = state.module.identifier;
	if (!id) {
		/* Not identified, or the port was never opened. */
		id = txgbe_ethtool_module_byte(fn, 0);
		if (id < 0)
			return txgbe_ethtool_module_explain(id, extack);
	}

	err = txgbe_ethtool_module_check(page, id, extack);
	if (err)
		return err;

	at.i2c_addr = page->i2c_address;
	at.bank = page->bank;
	at.page = page->page;
	at.offset = page->offset;
	at.len = page->length;
	err = txgbe_ethtool_module_read(fn, &at, page->data);
	if (err)
		return txgbe_ethtool_module_explain(err, extack);
	return page->length;
}

// SPDX-License-Identifier: GPL-2.0-only
/* ethtool -d and -e: registers and the EEPROM image, as they are. */
#include <linux/ethtool.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "txgbe/fw.h"
#include "txgbe/netdev.h"
#include "txgbe/regdump.h"

#include "ethtool_dump.h"

/**
 * txgbe_ethtool_get_regs_len() - size of a register dump
 * @dev: net_device
 *
 * Context: Process context.
 * Return: bytes.
 */
int txgbe_ethtool_get_regs_len(struct net_device *dev)
{
	return txgbe_regdump_count() * sizeof(struct txgbe_reg);
}

/**
 * txgbe_ethtool_get_regs() - dump the registers whose reading changes nothing
 * @dev: net_device, port up or down
 * @regs: version is TXGBE_REGDUMP_VERSION in the high half, PCI device id in
 *	the low one
 * @data: pairs of offset and value, struct txgbe_reg
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ethtool_get_regs(struct net_device *dev, struct ethtool_regs *regs, void *data)
{
	struct txgbe_net *fn = netdev_priv(dev);

	regs->version = TXGBE_REGDUMP_VERSION << 16 | fn->fd->pdev->device;
	txgbe_regdump_read(fn->fd, data);
}

/**
 * txgbe_ethtool_get_eeprom_len() - size of the EEPROM image
 * @dev: net_device
 *
 * Context: Process context.
 * Return: bytes; 0 if none is fitted.
 */
int txgbe_ethtool_get_eeprom_len(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	return fn->fd->nvm_present ? TXGBE_NVM_BYTES : 0;
}

/**
 * txgbe_ethtool_get_eeprom() - read bytes of the EEPROM image firmware keeps
 * @dev: net_device
 * @eeprom: offset and length, any; the magic number is PCI device and vendor
 * @data: the bytes
 *
 * Context: Process context, sleeps, rtnl held; see txgbe_nvm_read().
 * Return: 0; -EINVAL outside of the image; -ENOMEM; else the error of
 *	txgbe_nvm_read(), and nothing is returned then.
 */
int txgbe_ethtool_get_eeprom(struct net_device *dev, struct ethtool_eeprom *eeprom, u8 *data)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct pci_dev *pdev = fn->fd->pdev;
	u32 first, nr, i;
	u16 *words;
	int err;

	if (!eeprom->len || eeprom->offset >= TXGBE_NVM_BYTES ||
	    eeprom->len > TXGBE_NVM_BYTES - eeprom->offset)
		return -EINVAL;
	eeprom->magic = (u32)pdev->device << 16 | pdev->vendor;

	first = eeprom->offset / 2;
	nr = (eeprom->offset + eeprom->len + 1) / 2 - first;
	words = kcalloc(nr, sizeof(*words), GFP_KERNEL);
	if (!words)
		return -ENOMEM;

	err = txgbe_nvm_read(fn->fd, first, nr, words, true);
	for (i = 0; i < nr; i++)
		cpu_to_le16s(&words[i]);
	if (!err)
		memcpy(data, (u8 *)words + eeprom->offset % 2, eeprom->len);
	kfree(words);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/* ethtool: identity, rings, channels, message level; the table. */
#include <linux/ethtool.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/pm_wakeup.h>

#include "txgbe/netdev.h"
#include "txgbe/version.h"

#include "ethtool_coalesce.h"
#include "ethtool_dump.h"
#include "ethtool_link.h"
#include "ethtool_module.h"
#include "ethtool_ntuple.h"
#include "ethtool_rings.h"
#include "ethtool_rss.h"
#include "ethtool_stats.h"
#include "selftest.h"

static void txgbe_ethtool_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct txgbe_net *fn = netdev_priv(dev);
	const char *oprom;

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	/* Otherwise the core says the kernel's. */
	strscpy(info->version, TXGBE_VERSION, sizeof(info->version));
	strscpy(info->fw_version, fn->fd->fw_version, sizeof(info->fw_version));
	/* What follows the firmware's version is the option ROM's. */
	oprom = strstr(fn->fd->fw_version, ", ");
	if (oprom)
		strscpy(info->erom_version, oprom + 2, sizeof(info->erom_version));
	strscpy(info->bus_info, pci_name(fn->fd->pdev), sizeof(info->bus_info));
}

static u32 txgbe_ethtool_get_msglevel(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	return fn->msg_enable;
}

static void txgbe_ethtool_set_msglevel(struct net_device *dev, u32 level)
{
	struct txgbe_net *fn = netdev_priv(dev);

	fn->msg_enable = level;
}

static void txgbe_ethtool_get_wol(struct net_device *dev, struct ethtool_wolinfo *wol)
{
	struct txgbe_net *fn = netdev_priv(dev);

	wol->supported = fn->fd->wol_able;
	wol->wolopts = fn->fd->wol;
}

/* Programmed when the machine goes to sleep or down, see src/hw/wol.c. */
static int txgbe_ethtool_set_wol(struct net_device *dev, struct ethtool_wolinfo *wol)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_dev *fd = fn->fd;
	int err;

	if (wol->wolopts & ~fd->wol_able)
		return -EOPNOTSUPP;
	/* Some kernels call it an error to switch off what is not there. */
	if (!fd->wol_able)
		return 0;
	err = device_set_wakeup_enable(fd->dev, wol->wolopts);
	if (!err)
		fd->wol = wol->wolopts;
	return err;
}

/* What a LAN reset resets, all of it at once. */
#define TXGBE_ETHTOOL_RESET	(ETH_RESET_IRQ | ETH_RESET_DMA | ETH_RESET_FILTER |	\
				 ETH_RESET_OFFLOAD | ETH_RESET_MAC)

/*
 * Who asks for less would get more than that, so it is refused. What else is
 * asked for is not done, and its bits stay: the transceiver, firmware, and all
 * that both ports share.
 */
static int txgbe_ethtool_reset(struct net_device *dev, u32 *flags)
{
	int err;

	if ((*flags & TXGBE_ETHTOOL_RESET) != TXGBE_ETHTOOL_RESET) {
		netdev_info(dev, "reset of parts %#x refused: a port can only be reset as a whole, parts %#x\n",
			    *flags, TXGBE_ETHTOOL_RESET);
		return -EOPNOTSUPP;
	}
	err = txgbe_recover_reset_port(netdev_priv(dev));
	if (!err)
		*flags &= ~TXGBE_ETHTOOL_RESET;
	return err;
}

const struct ethtool_ops txgbe_ethtool_ops = {
	.cap_link_lanes_supported = true,
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS |
				     ETHTOOL_COALESCE_USE_ADAPTIVE_RX,
	.supported_ring_params	= ETHTOOL_RING_USE_TCP_DATA_SPLIT,
	.get_drvinfo		= txgbe_ethtool_get_drvinfo,
	.get_regs_len		= txgbe_ethtool_get_regs_len,
	.get_regs		= txgbe_ethtool_get_regs,
	.get_wol		= txgbe_ethtool_get_wol,
	.set_wol		= txgbe_ethtool_set_wol,
	.get_eeprom_len		= txgbe_ethtool_get_eeprom_len,
	.get_eeprom		= txgbe_ethtool_get_eeprom,
	.self_test		= txgbe_selftest_run,
	.get_msglevel		= txgbe_ethtool_get_msglevel,
	.set_msglevel		= txgbe_ethtool_set_msglevel,
	.nway_reset		= txgbe_ethtool_nway_reset,
	.reset			= txgbe_ethtool_reset,
	.get_link		= ethtool_op_get_link,
	.get_link_ext_state	= txgbe_ethtool_get_link_ext_state,
	.get_link_ext_stats	= txgbe_ethtool_get_link_ext_stats,
	.get_link_ksettings	= txgbe_ethtool_get_link_ksettings,
	.set_link_ksettings	= txgbe_ethtool_set_link_ksettings,
	.get_pauseparam		= txgbe_ethtool_get_pauseparam,
	.set_pauseparam		= txgbe_ethtool_set_pauseparam,
	.get_fecparam		= txgbe_ethtool_get_fecparam,
	.set_fecparam		= txgbe_ethtool_set_fecparam,
	.set_phys_id		= txgbe_ethtool_set_phys_id,
	.get_module_info	= txgbe_ethtool_get_module_info,
	.get_module_eeprom	= txgbe_ethtool_get_module_eeprom,
	.get_module_eeprom_by_page = txgbe_ethtool_get_module_eeprom_by_page,
	.get_coalesce		= txgbe_ethtool_get_coalesce,
	.set_coalesce		= txgbe_ethtool_set_coalesce,
	.get_per_queue_coalesce	= txgbe_ethtool_get_per_queue_coalesce,
	.set_per_queue_coalesce	= txgbe_ethtool_set_per_queue_coalesce,
	.get_ringparam		= txgbe_ethtool_get_ringparam,
	.set_ringparam		= txgbe_ethtool_set_ringparam,
	.get_channels		= txgbe_ethtool_get_channels,
	.set_channels		= txgbe_ethtool_set_channels,
	.get_rxnfc		= txgbe_ethtool_get_rxnfc,
	.set_rxnfc		= txgbe_ethtool_set_rxnfc,
	.get_rx_ring_count	= txgbe_ethtool_get_rx_ring_count,
	.get_rxfh_key_size	= txgbe_ethtool_get_rxfh_key_size,
	.get_rxfh_indir_size	= txgbe_ethtool_get_rxfh_indir_size,
	.get_rxfh		= txgbe_ethtool_get_rxfh,
	.set_rxfh		= txgbe_ethtool_set_rxfh,
	.get_rxfh_fields	= txgbe_ethtool_get_rxfh_fields,
	.set_rxfh_fields	= txgbe_ethtool_set_rxfh_fields,
	.get_ts_info		= txgbe_stamp_get_info,
	.get_ts_stats		= txgbe_stamp_get_stats,
	.get_sset_count		= txgbe_ethtool_get_sset_count,
	.get_strings		= txgbe_ethtool_get_strings,
	.get_ethtool_stats	= txgbe_ethtool_get_stats,
	.get_eth_mac_stats	= txgbe_ethtool_get_eth_mac_stats,
	.get_eth_ctrl_stats	= txgbe_ethtool_get_eth_ctrl_stats,
	.get_rmon_stats		= txgbe_ethtool_get_rmon_stats,
	.get_pause_stats	= txgbe_ethtool_get_pause_stats,
};

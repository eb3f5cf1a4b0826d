/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations of ethtool_module.c for the table in ethtool.c. */
#ifndef TXGBE_ETHTOOL_MODULE_H
#define TXGBE_ETHTOOL_MODULE_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>

struct netlink_ext_ack;

int txgbe_ethtool_get_module_info(struct net_device *dev, struct ethtool_modinfo *info);
int txgbe_ethtool_get_module_eeprom(struct net_device *dev, struct ethtool_eeprom *ee, u8 *data);
int txgbe_ethtool_get_module_eeprom_by_page(struct net_device *dev,
					    const struct ethtool_module_eeprom *page,
					    struct netlink_ext_ack *extack);

#endif /* TXGBE_ETHTOOL_MODULE_H */

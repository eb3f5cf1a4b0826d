/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -d and -e */
#ifndef TXGBE_ETHTOOL_DUMP_H
#define TXGBE_ETHTOOL_DUMP_H

#include <linux/types.h>

struct ethtool_eeprom;
struct ethtool_regs;
struct net_device;

int txgbe_ethtool_get_regs_len(struct net_device *dev);
void txgbe_ethtool_get_regs(struct net_device *dev, struct ethtool_regs *regs, void *data);
int txgbe_ethtool_get_eeprom_len(struct net_device *dev);
int txgbe_ethtool_get_eeprom(struct net_device *dev, struct ethtool_eeprom *eeprom, u8 *data);

#endif /* TXGBE_ETHTOOL_DUMP_H */

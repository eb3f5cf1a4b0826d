// SPDX-License-Identifier: GPL-2.0-only
/* get_module_eeprom_by_page: since 5.13 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, const struct ethtool_module_eeprom *page,
	    struct netlink_ext_ack *extack);

const struct ethtool_ops probe = {
	.get_module_eeprom_by_page = handler,
};

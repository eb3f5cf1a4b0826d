// SPDX-License-Identifier: GPL-2.0-only
/* struct kernel_ethtool_ts_info, apart from the user's: since 6.11 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, struct kernel_ethtool_ts_info *info);

const struct ethtool_ops probe = {
	.get_ts_info = handler,
};

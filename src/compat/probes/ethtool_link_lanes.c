// SPDX-License-Identifier: GPL-2.0-only
/* lanes in struct ethtool_link_ksettings: since 5.13 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

int handler(struct net_device *dev, const struct ethtool_link_ksettings *cmd)
{
	return cmd->lanes;
}

const struct ethtool_ops probe = {
	.cap_link_lanes_supported = true,
	.set_link_ksettings = handler,
};

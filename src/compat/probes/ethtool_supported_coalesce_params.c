// SPDX-License-Identifier: GPL-2.0-only
/* ethtool_ops.supported_coalesce_params: since 5.7 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

const struct ethtool_ops probe = {
	.supported_coalesce_params = 0,
};

// SPDX-License-Identifier: GPL-2.0-only
/* ethtool_ops.supported_ring_params: since 5.17 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

const struct ethtool_ops probe = {
	.supported_ring_params = 0,
};

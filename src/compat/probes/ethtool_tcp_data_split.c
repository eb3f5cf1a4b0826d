// SPDX-License-Identifier: GPL-2.0-only
/* ETHTOOL_TCP_DATA_SPLIT_*: since 5.18 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>

const u32 probe = ETHTOOL_TCP_DATA_SPLIT_ENABLED;

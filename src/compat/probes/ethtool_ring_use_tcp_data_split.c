// SPDX-License-Identifier: GPL-2.0-only
/* ETHTOOL_RING_USE_TCP_DATA_SPLIT, so that a split can be asked for: since 6.9 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

const u32 probe = ETHTOOL_RING_USE_TCP_DATA_SPLIT;

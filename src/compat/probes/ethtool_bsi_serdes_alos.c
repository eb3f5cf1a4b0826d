// SPDX-License-Identifier: GPL-2.0-only
/* ETHTOOL_LINK_EXT_SUBSTATE_BSI_SERDES_ALOS: since 5.16 */
#include <linux/ethtool.h>

int probe = ETHTOOL_LINK_EXT_SUBSTATE_BSI_SERDES_ALOS;

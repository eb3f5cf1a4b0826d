/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -n and -N, flow rules; for the table in ethtool.c. */
#ifndef TXGBE_ETHTOOL_NTUPLE_H
#define TXGBE_ETHTOOL_NTUPLE_H

#include <linux/types.h>

struct ethtool_rxnfc;
struct net_device;

int txgbe_ethtool_get_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info, u32 *locations);
int txgbe_ethtool_set_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info);

#endif /* TXGBE_ETHTOOL_NTUPLE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool -t */
#ifndef TXGBE_SELFTEST_H
#define TXGBE_SELFTEST_H

#include <linux/types.h>

struct ethtool_test;
struct net_device;

int txgbe_selftest_count(void);
void txgbe_selftest_get_names(u8 *data);
void txgbe_selftest_run(struct net_device *dev, struct ethtool_test *etest, u64 *data);

#endif /* TXGBE_SELFTEST_H */

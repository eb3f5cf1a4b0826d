/* SPDX-License-Identifier: GPL-2.0-only */
/* The net_device of a port, as src/probe sees it. Implemented in src/net. */
#ifndef TXGBE_NET_H
#define TXGBE_NET_H

#include <linux/types.h>

struct txgbe_dev;

extern const struct txgbe_events txgbe_net_events;

int txgbe_net_create(struct txgbe_dev *fd);
void txgbe_net_destroy(struct txgbe_dev *fd);
void txgbe_net_shutdown(struct txgbe_dev *fd);
void txgbe_net_freeze(struct txgbe_dev *fd);
int txgbe_net_thaw(struct txgbe_dev *fd, bool reset_owed);
int txgbe_net_hold(struct txgbe_dev *fd);
int txgbe_net_restart(struct txgbe_dev *fd);
bool txgbe_net_arm_wol(struct txgbe_dev *fd);

#endif /* TXGBE_NET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * devlink, as src/probe sees it. Implemented in src/ctl; where the kernel has
 * none that fits, all of this does nothing and succeeds.
 */
#ifndef TXGBE_DEVLINK_H
#define TXGBE_DEVLINK_H

struct txgbe_dev;

int txgbe_devlink_create(struct txgbe_dev *fd);
void txgbe_devlink_destroy(struct txgbe_dev *fd);
void txgbe_devlink_register(struct txgbe_dev *fd);
void txgbe_devlink_unregister(struct txgbe_dev *fd);

#endif /* TXGBE_DEVLINK_H */

// SPDX-License-Identifier: GPL-2.0-only
/* Instead of devlink.c for kernels without devlink, or with that of before 5.10. */
#include "txgbe/devlink.h"

int txgbe_devlink_create(struct txgbe_dev *fd)
{
	return 0;
}

void txgbe_devlink_destroy(struct txgbe_dev *fd)
{
}

void txgbe_devlink_register(struct txgbe_dev *fd)
{
}

void txgbe_devlink_unregister(struct txgbe_dev *fd)
{
}

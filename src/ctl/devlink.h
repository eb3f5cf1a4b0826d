/* SPDX-License-Identifier: GPL-2.0-only */
/* What the devlink files of this folder share. */
#ifndef TXGBE_CTL_DEVLINK_H
#define TXGBE_CTL_DEVLINK_H

#include <net/devlink.h>

#include "txgbe/health.h"

struct txgbe_dev;

enum txgbe_devlink_region {
	TXGBE_DEVLINK_REGION_REGISTERS,
	TXGBE_DEVLINK_REGION_NVM,
	TXGBE_DEVLINK_REGION_FW_TRACE,
	TXGBE_DEVLINK_REGION_NR,
};

/**
 * struct txgbe_devlink - devlink_priv() of the instance
 * @fd: the port; as the instance, it lives from probe to remove
 * @region: by enum txgbe_devlink_region; NULL if there is none
 * @reporter: by enum txgbe_health_part; NULL if there is none
 * @errors: of @reporter, how many of the health record it was told; this and
 *	the next belong to txgbe_reporter_notify(), which never runs twice at a time
 * @recovered: recoveries in the health record when it was told
 * @in_error: @reporter was told of an error that is not over
 */
struct txgbe_devlink {
	struct txgbe_dev *fd;
	struct devlink_region *region[TXGBE_DEVLINK_REGION_NR];
	struct devlink_health_reporter *reporter[TXGBE_HEALTH_NR];
	u32 errors[TXGBE_HEALTH_NR];
	u32 recovered[TXGBE_HEALTH_NR];
	bool in_error[TXGBE_HEALTH_NR];
};

int txgbe_devlink_restart(struct txgbe_dev *fd, struct netlink_ext_ack *extack);

/* devlink_region.c */
void txgbe_region_create(struct txgbe_devlink *dl);
void txgbe_region_destroy(struct txgbe_devlink *dl);

/* health.c */
void txgbe_reporter_create(struct txgbe_devlink *dl);
void txgbe_reporter_destroy(struct txgbe_devlink *dl);
void txgbe_reporter_start(struct txgbe_devlink *dl);
void txgbe_reporter_stop(struct txgbe_devlink *dl);

#endif /* TXGBE_CTL_DEVLINK_H */

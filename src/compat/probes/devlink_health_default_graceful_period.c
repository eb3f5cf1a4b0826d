// SPDX-License-Identifier: GPL-2.0-only
/* The graceful period is a member of the reporter's ops: since 6.18 */
#include <net/devlink.h>

const struct devlink_health_reporter_ops probe = {
	.default_graceful_period = 500,
};

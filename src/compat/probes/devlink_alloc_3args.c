// SPDX-License-Identifier: GPL-2.0-only
/* devlink_alloc() with the device, devlink_register() as the last step: since 5.15, 5.16 */
#include <net/devlink.h>

void probe(const struct devlink_ops *ops, struct device *dev);
void probe(const struct devlink_ops *ops, struct device *dev)
{
	struct devlink *devlink = devlink_alloc(ops, 0, dev);

	devlink_register(devlink);
}

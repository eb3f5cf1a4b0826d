// SPDX-License-Identifier: GPL-2.0-only
/*
 * DEFINE_SIMPLE_DEV_PM_OPS(), pm_sleep_ptr(): since 5.17. Stable kernels before that took
 * over a static one, which no other file can refer to.
 */
#include <linux/pm.h>

int probe_suspend(struct device *dev);
int probe_resume(struct device *dev);

extern const struct dev_pm_ops probe_ops;
DEFINE_SIMPLE_DEV_PM_OPS(probe_ops, probe_suspend, probe_resume);
const struct dev_pm_ops *probe = pm_sleep_ptr(&probe_ops);

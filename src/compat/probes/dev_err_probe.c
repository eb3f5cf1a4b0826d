// SPDX-License-Identifier: GPL-2.0-only
/* dev_err_probe(): since 5.9 */
#include <linux/device.h>

int probe(struct device *dev);
int probe(struct device *dev)
{
	return dev_err_probe(dev, -1, "probe\n");
}

// SPDX-License-Identifier: GPL-2.0-only
/* dma_dev_need_sync(): in 6.12, not in 6.6 */
#include <linux/dma-mapping.h>

bool probe(struct device *dev);
bool probe(struct device *dev)
{
	return dma_dev_need_sync(dev);
}

// SPDX-License-Identifier: GPL-2.0-only
/* dma_need_unmap(): in 7.2, not in 6.12 */
#include <linux/dma-mapping.h>

bool probe(struct device *dev);
bool probe(struct device *dev)
{
	return dma_need_unmap(dev);
}

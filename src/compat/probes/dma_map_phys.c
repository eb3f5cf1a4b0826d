// SPDX-License-Identifier: GPL-2.0-only
/* dma_map_phys(): in 7.3, not in 6.12 */
#include <linux/dma-mapping.h>

dma_addr_t probe(struct device *dev, phys_addr_t phys);
dma_addr_t probe(struct device *dev, phys_addr_t phys)
{
	return dma_map_phys(dev, phys, 1, DMA_TO_DEVICE, 0);
}

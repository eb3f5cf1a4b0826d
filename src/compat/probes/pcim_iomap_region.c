// SPDX-License-Identifier: GPL-2.0-only
/* pcim_iomap_region(): since 6.12 */
#include <linux/pci.h>

void __iomem *probe(struct pci_dev *pdev);
void __iomem *probe(struct pci_dev *pdev)
{
	return pcim_iomap_region(pdev, 0, "probe");
}

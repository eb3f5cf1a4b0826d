// SPDX-License-Identifier: GPL-2.0-only
/* pcie_reset_flr(): since 5.17 */
#include <linux/pci.h>

int probe(struct pci_dev *pdev);
int probe(struct pci_dev *pdev)
{
	return pcie_reset_flr(pdev, false);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Look at the PCIe link. */
#ifndef TXGBE_PCIE_H
#define TXGBE_PCIE_H

struct txgbe_dev;

void txgbe_pcie_check(struct txgbe_dev *fd);

#endif /* TXGBE_PCIE_H */

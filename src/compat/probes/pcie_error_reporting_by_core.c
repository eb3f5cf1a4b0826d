// SPDX-License-Identifier: GPL-2.0-only
/* The core switches on error reporting, drivers no longer can: since 6.6. Only steers core.h */
#include <linux/pci.h>
#include <linux/aer.h>

void pci_enable_pcie_error_reporting(void);

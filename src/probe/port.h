/* SPDX-License-Identifier: GPL-2.0-only */
/* Stopping and restarting a port around what others do to the function. */
#ifndef TXGBE_PROBE_PORT_H
#define TXGBE_PROBE_PORT_H

#include <linux/pci.h>
#include <linux/pm.h>

struct txgbe_dev;

extern const struct pci_error_handlers txgbe_err_handlers;	/* recover.c */
extern const struct dev_pm_ops txgbe_pm_ops;			/* pm.c */

void txgbe_port_freeze(struct txgbe_dev *fd);
int txgbe_port_thaw(struct txgbe_dev *fd);
const char *txgbe_port_outlook(const struct txgbe_dev *fd);

#endif /* TXGBE_PROBE_PORT_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ports and the module txgbe_ptp find each other, whichever comes first. What
 * registers PTP clocks is a module of its own because distributions have PTP as
 * a module: txgbe.ko can be inserted without it.
 */
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "txgbe/dev.h"
#include "txgbe/phc.h"

static DEFINE_MUTEX(txgbe_phc_lock); /* list, ops, fd->phc */
static LIST_HEAD(txgbe_phc_ports);
static const struct txgbe_phc_ops *txgbe_phc_ops;

/**
 * txgbe_phc_add() - there is a new port
 * @fd: device, complete
 *
 * Context: Process context, sleeps.
 */
void txgbe_phc_add(struct txgbe_dev *fd)
{
	mutex_lock(&txgbe_phc_lock);
	list_add_tail(&fd->phc_node, &txgbe_phc_ports);
	if (txgbe_phc_ops)
		txgbe_phc_ops->add(fd);
	mutex_unlock(&txgbe_phc_lock);
}

static void txgbe_phc_remove_clock(struct txgbe_dev *fd)
{
	if (!fd->phc)
		return;
	WRITE_ONCE(fd->phc_index, -1);
	txgbe_phc_ops->del(fd);
	fd->phc = NULL;
}

/**
 * txgbe_phc_del() - a port goes
 * @fd: device, still complete
 *
 * Context: Process context, sleeps.
 */
void txgbe_phc_del(struct txgbe_dev *fd)
{
	mutex_lock(&txgbe_phc_lock);
	txgbe_phc_remove_clock(fd);
	list_del(&fd->phc_node);
	mutex_unlock(&txgbe_phc_lock);
}

/**
 * txgbe_phc_register() - txgbe_ptp is there: give every port a clock
 * @ops: what it does for a port
 *
 * Context: Process context, sleeps.
 */
void txgbe_phc_register(const struct txgbe_phc_ops *ops)
{
	struct txgbe_dev *fd;

	mutex_lock(&txgbe_phc_lock);
	txgbe_phc_ops = ops;
	list_for_each_entry(fd, &txgbe_phc_ports, phc_node)
		ops->add(fd);
	mutex_unlock(&txgbe_phc_lock);
}
EXPORT_SYMBOL_GPL(txgbe_phc_register);

/**
 * txgbe_phc_unregister() - txgbe_ptp goes, and all clocks with it
 *
 * Context: Process context, sleeps.
 */
void txgbe_phc_unregister(void)
{
	struct txgbe_dev *fd;

	mutex_lock(&txgbe_phc_lock);
	list_for_each_entry(fd, &txgbe_phc_ports, phc_node)
		txgbe_phc_remove_clock(fd);
	txgbe_phc_ops = NULL;
	mutex_unlock(&txgbe_phc_lock);
}
EXPORT_SYMBOL_GPL(txgbe_phc_unregister);

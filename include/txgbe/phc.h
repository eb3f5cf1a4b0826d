/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the module txgbe_ptp, which registers PTP clocks, gets to know the ports
 * of txgbe. Implemented in src/probe/phc.c.
 */
#ifndef TXGBE_PHC_H
#define TXGBE_PHC_H

struct txgbe_dev;

/**
 * struct txgbe_phc_ops - what txgbe_ptp does for a port
 * @add: register a clock and set fd->phc and fd->phc_index; without success
 *	they stay as they are
 * @del: take it away; fd->phc is set
 *
 * Both are called under one lock, in process context, without rtnl.
 */
struct txgbe_phc_ops {
	void (*add)(struct txgbe_dev *fd);
	void (*del)(struct txgbe_dev *fd);
};

void txgbe_phc_add(struct txgbe_dev *fd);
void txgbe_phc_del(struct txgbe_dev *fd);

/* For src/ptp */
void txgbe_phc_register(const struct txgbe_phc_ops *ops);
void txgbe_phc_unregister(void);

#endif /* TXGBE_PHC_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware counters. The registers clear when they are read, so there is one
 * place that reads them and adds up; everybody else gets the sums. A reset
 * clears the registers and never the sums.
 */
#include <linux/bottom_half.h>

#include "txgbe/netdev.h"

/**
 * txgbe_stats_hw_init() - start all sums from 0
 * @fn: net part, zeroed
 *
 * Context: Process context.
 */
void txgbe_stats_hw_init(struct txgbe_net *fn)
{
	mutex_init(&fn->port_stats.lock);
	u64_stats_init(&fn->port_stats.syncp);
}

/**
 * txgbe_stats_hw_refresh() - read the registers, publish new sums
 * @fn: net part
 *
 * Context: Process context, sleeps. Takes fn->port_stats.lock.
 */
void txgbe_stats_hw_refresh(struct txgbe_net *fn)
{
	struct txgbe_port_stats *ps = &fn->port_stats;

	mutex_lock(&ps->lock);
	txgbe_hw_add_stats(fn->fd, &ps->sum);

	local_bh_disable();
	u64_stats_update_begin(&ps->syncp);
	ps->copy = ps->sum;
	u64_stats_update_end(&ps->syncp);
	local_bh_enable();
	mutex_unlock(&ps->lock);
}

/**
 * txgbe_stats_hw_get() - the sums as of the last refresh
 * @fn: net part
 * @stats: the copy
 *
 * Context: Any.
 */
void txgbe_stats_hw_get(struct txgbe_net *fn, struct txgbe_hw_stats *stats)
{
	struct txgbe_port_stats *ps = &fn->port_stats;
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&ps->syncp);
		*stats = ps->copy;
	} while (u64_stats_fetch_retry(&ps->syncp, start));
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of single queues for netlink, with one spelling for every kernel.
 *
 *	kernel		what becomes of them
 *	6.11 and later	netdev-genl asks for them
 *	older		nobody asks; ethtool -S has the same counters
 */
#ifndef COMPAT_QUEUESTATS_H
#define COMPAT_QUEUESTATS_H

#include <linux/netdevice.h>
#include <net/netdev_queues.h>

#ifndef HAVE_NETDEV_STAT_OPS
/* The members that are used; 6.9 and 6.10 have structures of these names that lack some. */
struct queuestats_rx {
	u64 bytes;
	u64 packets;
	u64 alloc_fail;
	u64 csum_bad;
};

struct queuestats_tx {
	u64 bytes;
	u64 packets;
	u64 wake;
	u64 hw_gso_packets;
	u64 hw_gso_wire_packets;
};

struct queuestats_ops {
	void (*get_queue_stats_rx)(struct net_device *dev, int idx, struct queuestats_rx *stats);
	void (*get_queue_stats_tx)(struct net_device *dev, int idx, struct queuestats_tx *stats);
	void (*get_base_stats)(struct net_device *dev, struct queuestats_rx *rx,
			       struct queuestats_tx *tx);
};

#define netdev_queue_stats_rx	queuestats_rx
#define netdev_queue_stats_tx	queuestats_tx
#define netdev_stat_ops		queuestats_ops
#endif

/**
 * queuestats_register() - have the core ask for counters of single queues
 * @dev: net_device, not registered yet
 * @ops: functions; they stay
 *
 * Context: Process context.
 */
static inline void queuestats_register(struct net_device *dev, const struct netdev_stat_ops *ops)
{
#ifdef HAVE_NETDEV_STAT_OPS
	dev->stat_ops = ops;
#endif
}

#endif /* COMPAT_QUEUESTATS_H */

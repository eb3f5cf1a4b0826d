/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accelerated RFS: flows follow the CPU that reads them. Implemented in
 * src/net/arfs.c; without it in the kernel all of this does nothing.
 */
#ifndef TXGBE_ARFS_H
#define TXGBE_ARFS_H

#include <linux/bitmap.h>
#include <linux/hashtable.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct net_device;
struct sk_buff;
struct txgbe_arfs_flow;
struct txgbe_net;
struct txgbe_vec;

#ifdef CONFIG_RFS_ACCEL

/* Flows at a time; the chip has room for four times as many filters. */
#define TXGBE_ARFS_FLOWS	512
#define TXGBE_ARFS_HASH_BITS	7

/**
 * struct txgbe_arfs - flows that follow their CPU
 * @lock: guards the flows against ndo_rx_flow_steer; they are freed under the
 *	lock of the rules as well
 * @on: flows may be added; set while the port is up
 * @pause_until: jiffies before which no flow is added, after one that could not be
 * @nr_flows: how many there are
 * @used: their numbers
 * @by_filter: flows by what they match
 * @flow: flows by number
 * @work: writes what has changed, looks for flows that have ended
 * @added: flows that got a filter, since probe; written under the lock of the rules
 * @removed: flows that lost theirs
 * @rmap_lock: one writer of the net_device's map from CPUs to queues
 */
struct txgbe_arfs {
	spinlock_t lock; /* flows; softirq and process context */
	bool on;
	unsigned long pause_until;
	u32 nr_flows;
	DECLARE_BITMAP(used, TXGBE_ARFS_FLOWS);
	DECLARE_HASHTABLE(by_filter, TXGBE_ARFS_HASH_BITS);
	struct txgbe_arfs_flow *flow[TXGBE_ARFS_FLOWS];
	struct delayed_work work;
	u64 added;
	u64 removed;
	struct mutex rmap_lock; /* cpu_rmap_update() */
};

int txgbe_arfs_init(struct txgbe_net *fn);
void txgbe_arfs_fini(struct txgbe_net *fn);
void txgbe_arfs_start(struct txgbe_net *fn);
void txgbe_arfs_stop(struct txgbe_net *fn);
void txgbe_arfs_flush(struct txgbe_net *fn);
void txgbe_arfs_watch_irq(struct txgbe_vec *vec);
void txgbe_arfs_unwatch_irq(struct txgbe_vec *vec);
int txgbe_arfs_steer(struct net_device *dev, const struct sk_buff *skb, u16 queue, u32 flow_id);

/* In the table of net_device_ops */
#define TXGBE_ARFS_OPS	.ndo_rx_flow_steer = txgbe_arfs_steer,

static inline u64 txgbe_arfs_added(const struct txgbe_arfs *arfs)
{
	return READ_ONCE(arfs->added);
}

static inline u64 txgbe_arfs_removed(const struct txgbe_arfs *arfs)
{
	return READ_ONCE(arfs->removed);
}

#else

struct txgbe_arfs {
};

static inline int txgbe_arfs_init(struct txgbe_net *fn)
{
	return 0;
}

static inline void txgbe_arfs_fini(struct txgbe_net *fn)
{
}

static inline void txgbe_arfs_start(struct txgbe_net *fn)
{
}

static inline void txgbe_arfs_stop(struct txgbe_net *fn)
{
}

static inline void txgbe_arfs_flush(struct txgbe_net *fn)
{
}

static inline void txgbe_arfs_watch_irq(struct txgbe_vec *vec)
{
}

static inline void txgbe_arfs_unwatch_irq(struct txgbe_vec *vec)
{
}

#define TXGBE_ARFS_OPS

static inline u64 txgbe_arfs_added(const struct txgbe_arfs *arfs)
{
	return 0;
}

static inline u64 txgbe_arfs_removed(const struct txgbe_arfs *arfs)
{
	return 0;
}

#endif /* CONFIG_RFS_ACCEL */

#endif /* TXGBE_ARFS_H */

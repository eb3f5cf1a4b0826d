// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accelerated RFS: the stack says on which queue it would like a flow, namely
 * the one whose interrupt goes to the CPU that reads the flow's socket.
 *
 * Each such flow becomes a rule in the table of flow rules, behind the user's
 * ones: it is not shown, does not survive a reset, and gives way to any rule
 * of the user that needs its place or other masks. ndo_rx_flow_steer, which
 * may not sleep, only takes down what is wanted; a work talks to the chip.
 */
#include <linux/cpu_rmap.h>
#include <linux/cpumask.h>
#include <linux/irq.h>
#include <linux/jhash.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/flow_dissector.h>
#include <net/ip.h>

#include "txgbe/netdev.h"

/* How often ended flows are looked for. */
#define TXGBE_ARFS_EXPIRE	HZ
/* Rest after a flow that found no room or other masks. */
#define TXGBE_ARFS_PAUSE	HZ

#define TXGBE_ARFS_KEY_BYTES	offsetof(struct txgbe_fdir_filter, queue)

/**
 * struct txgbe_arfs_flow - one flow
 * @node: in txgbe_arfs.by_filter
 * @filter: what it looks like, and the queue that is wanted
 * @nr: our number of it, index into txgbe_arfs.flow
 * @flow_id: the stack's number of it
 * @dirty: @filter.queue has not been written
 * @rule: its rule in the table, NULL before the first write; under the lock of
 *	the rules alone
 */
struct txgbe_arfs_flow {
	struct hlist_node node;
	struct txgbe_fdir_filter filter;
	u32 nr;
	u32 flow_id;
	bool dirty;
	struct txgbe_ntuple_rule *rule;
};

/* ---- What the stack asks for -------------------------------------------- */

/* Filters have room for one IPv6 address: the remote one, with both ports. */
static int txgbe_arfs_dissect(const struct sk_buff *skb, struct txgbe_fdir_filter *filter)
{
	struct flow_keys keys;
	u32 i;

	if (skb->encapsulation || !skb_flow_dissect_flow_keys(skb, &keys, 0) ||
	    keys.control.flags & (FLOW_DIS_IS_FRAGMENT | FLOW_DIS_ENCAPSULATION))
		return -EPROTONOSUPPORT;

	memset(filter, 0, sizeof(*filter));
	switch (keys.basic.ip_proto) {
	case IPPROTO_TCP:
		filter->l4 = TXGBE_FDIR_L4_TCP;
		break;
	case IPPROTO_UDP:
		filter->l4 = TXGBE_FDIR_L4_UDP;
		break;
	default:
		return -EPROTONOSUPPORT;
	}
	filter->sport = be16_to_cpu(keys.ports.src);
	filter->dport = be16_to_cpu(keys.ports.dst);

	switch (keys.basic.n_proto) {
	case htons(ETH_P_IP):
		filter->src[0] = be32_to_cpu(keys.addrs.v4addrs.src);
		filter->dst[0] = be32_to_cpu(keys.addrs.v4addrs.dst);
		return 0;
	case htons(ETH_P_IPV6):
		filter->ipv6 = true;
		for (i = 0; i < 4; i++)
			filter->src[i] = be32_to_cpu(keys.addrs.v6addrs.src.s6_addr32[i]);
		return 0;
	default:
		return -EPROTONOSUPPORT;
	}
}

static struct txgbe_arfs_flow *txgbe_arfs_find(struct txgbe_arfs *arfs, u32 hash,
					       const struct txgbe_fdir_filter *filter)
{
	struct txgbe_arfs_flow *flow;

	hash_for_each_possible(arfs->by_filter, flow, node, hash)
		if (!memcmp(&flow->filter, filter, TXGBE_ARFS_KEY_BYTES))
			return flow;
	return NULL;
}

static struct txgbe_arfs_flow *txgbe_arfs_new(struct txgbe_arfs *arfs, u32 hash,
					      const struct txgbe_fdir_filter *filter)
{
	struct txgbe_arfs_flow *flow;

	if (arfs->nr_flows == TXGBE_ARFS_FLOWS || time_before(jiffies, arfs->pause_until))
		return NULL;
	flow = kzalloc_obj(*flow, GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	flow->filter = *filter;
	flow->dirty = true;
	flow->nr = find_first_zero_bit(arfs->used, TXGBE_ARFS_FLOWS);
	set_bit(flow->nr, arfs->used);
	arfs->flow[flow->nr] = flow;
	arfs->nr_flows++;
	hash_add(arfs->by_filter, &flow->node, hash);
	return flow;
}

/**
 * txgbe_arfs_steer() - ndo_rx_flow_steer
 * @dev: net_device
 * @skb: a frame of the flow
 * @queue: where the flow is wanted
 * @flow_id: the stack's number of it
 *
 * Context: The poll.
 * Return: number of the flow, for rps_may_expire_flow(); -EPROTONOSUPPORT for
 *	what is neither TCP nor UDP; -ENOSPC if there is no room now; -EINVAL.
 */
int txgbe_arfs_steer(struct net_device *dev, const struct sk_buff *skb, u16 queue, u32 flow_id)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_arfs *arfs = &fn->arfs;
	struct txgbe_fdir_filter filter;
	struct txgbe_arfs_flow *flow;
	int ret = -ENOSPC;
	u32 hash;

	if (queue >= fn->nr_vecs)
		return -EINVAL;
	if (txgbe_arfs_dissect(skb, &filter))
		return -EPROTONOSUPPORT;
	hash = jhash(&filter, TXGBE_ARFS_KEY_BYTES, 0);

	spin_lock_bh(&arfs->lock);
	if (!arfs->on)
		goto out_unlock;
	flow = txgbe_arfs_find(arfs, hash, &filter);
	if (!flow)
		flow = txgbe_arfs_new(arfs, hash, &filter);
	if (!flow)
		goto out_unlock;
	flow->dirty |= flow->filter.queue != queue;
	flow->filter.queue = queue;
	flow->flow_id = flow_id;
	if (flow->dirty)
		mod_delayed_work(system_percpu_wq, &arfs->work, 0);
	ret = flow->nr;
out_unlock:
	spin_unlock_bh(&arfs->lock);
	return ret;
}

/* ---- Its way to the chip, under the lock of the rules -------------------- */

static void txgbe_arfs_free(struct txgbe_net *fn, struct txgbe_arfs_flow *flow)
{
	struct txgbe_arfs *arfs = &fn->arfs;

	spin_lock_bh(&arfs->lock);
	hash_del(&flow->node);
	arfs->flow[flow->nr] = NULL;
	clear_bit(flow->nr, arfs->used);
	arfs->nr_flows--;
	spin_unlock_bh(&arfs->lock);

	if (flow->rule) {
		txgbe_ntuple_unsteer(fn, flow->rule);
		WRITE_ONCE(arfs->removed, arfs->removed + 1);
	}
	kfree(flow);
}

static void txgbe_arfs_set_masks(struct txgbe_ntuple_rule *rule)
{
	u32 ports = TXGBE_NTUPLE_UDP + rule->filter.l4 - TXGBE_FDIR_L4_UDP;

	rule->mask[TXGBE_NTUPLE_KIND] = txgbe_ntuple_mask_kind(true, TXGBE_FDIR_FLEX_NONE);
	rule->mask[ports] = txgbe_ntuple_mask_pair(U16_MAX, U16_MAX);
	if (rule->filter.ipv6)
		rule->mask[TXGBE_NTUPLE_IPV6] = txgbe_ntuple_mask_pair(true, false);
	else
		rule->mask[TXGBE_NTUPLE_IPV4] = txgbe_ntuple_mask_pair(~0U, ~0U);
}

/* Return: 0; else the flow is to be freed */
static int txgbe_arfs_write(struct txgbe_net *fn, struct txgbe_arfs_flow *flow)
{
	struct txgbe_ntuple_rule *rule = flow->rule;
	int err;

	if (!rule) {
		rule = kzalloc_obj(*rule);
		if (!rule)
			return -ENOMEM;
	}
	spin_lock_bh(&fn->arfs.lock);
	rule->filter = flow->filter;
	flow->dirty = false;
	spin_unlock_bh(&fn->arfs.lock);

	if (flow->rule)
		return txgbe_ntuple_resteer(fn, rule);
	txgbe_arfs_set_masks(rule);
	err = txgbe_ntuple_steer(fn, rule);
	if (err) {
		kfree(rule);
		return err;
	}
	flow->rule = rule;
	WRITE_ONCE(fn->arfs.added, fn->arfs.added + 1);
	return 0;
}

static void txgbe_arfs_work(struct work_struct *work)
{
	struct txgbe_arfs *arfs = container_of(to_delayed_work(work), struct txgbe_arfs, work);
	struct txgbe_net *fn = container_of(arfs, struct txgbe_net, arfs);
	struct txgbe_arfs_flow *flow;
	u32 nr;

	mutex_lock(&fn->ntuple->lock);
	for (nr = 0; nr < TXGBE_ARFS_FLOWS; nr++) {
		flow = READ_ONCE(arfs->flow[nr]);
		if (!flow)
			continue;
		if (READ_ONCE(flow->dirty)) {
			if (!txgbe_arfs_write(fn, flow))
				continue;
			WRITE_ONCE(arfs->pause_until, jiffies + TXGBE_ARFS_PAUSE);
		} else if (!rps_may_expire_flow(fn->netdev, flow->filter.queue, flow->flow_id,
						nr)) {
			continue;
		}
		txgbe_arfs_free(fn, flow);
	}
	mutex_unlock(&fn->ntuple->lock);

	spin_lock_bh(&arfs->lock);
	if (arfs->nr_flows && arfs->on)
		schedule_delayed_work(&arfs->work, TXGBE_ARFS_EXPIRE);
	spin_unlock_bh(&arfs->lock);
}

/**
 * txgbe_arfs_flush() - forget all flows
 * @fn: net part
 *
 * Those that still run are steered again when their next frame comes.
 *
 * Context: Process context, under the lock of the rules.
 */
void txgbe_arfs_flush(struct txgbe_net *fn)
{
	struct txgbe_arfs_flow *flow;
	u32 nr;

	for (nr = 0; nr < TXGBE_ARFS_FLOWS; nr++) {
		flow = READ_ONCE(fn->arfs.flow[nr]);
		if (flow)
			txgbe_arfs_free(fn, flow);
	}
}

/* ---- Start and stop ------------------------------------------------------- */

/**
 * txgbe_arfs_start() - flows may be steered
 * @fn: net part, started
 *
 * Context: Process context, rtnl held.
 */
void txgbe_arfs_start(struct txgbe_net *fn)
{
	spin_lock_bh(&fn->arfs.lock);
	fn->arfs.pause_until = jiffies;
	fn->arfs.on = fn->ntuple->on;
	spin_unlock_bh(&fn->arfs.lock);
}

/**
 * txgbe_arfs_stop() - no more flows, and forget those there are
 * @fn: net part; a flow that NAPI steers meanwhile is refused
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_arfs_stop(struct txgbe_net *fn)
{
	spin_lock_bh(&fn->arfs.lock);
	fn->arfs.on = false;
	spin_unlock_bh(&fn->arfs.lock);
	cancel_delayed_work_sync(&fn->arfs.work);

	mutex_lock(&fn->ntuple->lock);
	txgbe_arfs_flush(fn);
	mutex_unlock(&fn->ntuple->lock);
}

/* ---- Which queue is near which CPU ----------------------------------------- */

static void txgbe_arfs_move(struct txgbe_vec *vec, const struct cpumask *mask)
{
	struct txgbe_arfs *arfs = &vec->fn->arfs;

	mutex_lock(&arfs->rmap_lock);
	/* Without memory the map stays as it was: a hint, no more. */
	cpu_rmap_update(vec->fn->netdev->rx_cpu_rmap, vec->idx, mask);
	mutex_unlock(&arfs->rmap_lock);
}

/* The interrupt's affinity has changed. */
static void txgbe_arfs_notify(struct irq_affinity_notify *notify, const cpumask_t *mask)
{
	txgbe_arfs_move(container_of(notify, struct txgbe_vec, affinity), mask);
}

static void txgbe_arfs_release(struct kref *kref)
{
	/* The notifier is a part of the vector. */
}

/**
 * txgbe_arfs_watch_irq() - the CPUs near a queue are those of its interrupt
 * @vec: vector, its interrupt is requested
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_arfs_watch_irq(struct txgbe_vec *vec)
{
	const struct cpumask *mask = irq_get_affinity_mask(vec->irq);

	vec->affinity.notify = txgbe_arfs_notify;
	vec->affinity.release = txgbe_arfs_release;
	irq_set_affinity_notifier(vec->irq, &vec->affinity);
	if (mask)
		txgbe_arfs_move(vec, mask);
}

/**
 * txgbe_arfs_unwatch_irq() - no CPU is near this queue any more
 * @vec: vector, its interrupt is about to be freed
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_arfs_unwatch_irq(struct txgbe_vec *vec)
{
	irq_set_affinity_notifier(vec->irq, NULL);
	txgbe_arfs_move(vec, cpu_none_mask);
}

/**
 * txgbe_arfs_init() - no flows, and a map from CPUs to queues
 * @fn: net part, its vectors are known
 *
 * Context: Process context, before the net_device is registered.
 * Return: 0; -ENOMEM.
 */
int txgbe_arfs_init(struct txgbe_net *fn)
{
	struct txgbe_arfs *arfs = &fn->arfs;

	spin_lock_init(&arfs->lock);
	mutex_init(&arfs->rmap_lock);
	hash_init(arfs->by_filter);
	INIT_DELAYED_WORK(&arfs->work, txgbe_arfs_work);
	fn->netdev->rx_cpu_rmap = alloc_cpu_rmap(fn->max_vecs, GFP_KERNEL);
	return fn->netdev->rx_cpu_rmap ? 0 : -ENOMEM;
}

/**
 * txgbe_arfs_fini() - free the map
 * @fn: net part; txgbe_arfs_init() may not have been called, or have failed
 *
 * Context: Process context; the net_device is not registered.
 */
void txgbe_arfs_fini(struct txgbe_net *fn)
{
	if (!fn->netdev->rx_cpu_rmap)
		return;
	mutex_destroy(&fn->arfs.rmap_lock);
	cpu_rmap_put(fn->netdev->rx_cpu_rmap);
	fn->netdev->rx_cpu_rmap = NULL;
}

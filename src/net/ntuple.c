// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flow rules: their table, and its way into the flow director.
 *
 * The table is a setting like any other: it is checked here, outlives every
 * reset and is written to the chip at each start. A rule goes to the chip at
 * its location, so that both have the same numbers.
 *
 * The chip has one set of masks for all its filters. It consists of parts that
 * a rule uses or does not (the ports of UDP do not matter to one for TCP), and
 * the first rule that uses a part decides on its mask. Rules of equal masks
 * overlap only if they are equal, so their order does not matter.
 */
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/slab.h>

#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/* What a filter matches comes first in it, its queue last. */
#define TXGBE_NTUPLE_KEY_BYTES	offsetof(struct txgbe_fdir_filter, queue)

static const char * const txgbe_ntuple_part_names[] = {
	[TXGBE_NTUPLE_IPV4] = "IPv4 source and destination",
	[TXGBE_NTUPLE_IPV6] = "IPv6 source and destination",
	[TXGBE_NTUPLE_UDP] = "UDP source and destination port",
	[TXGBE_NTUPLE_TCP] = "TCP source and destination port",
	[TXGBE_NTUPLE_SCTP] = "SCTP source and destination port",
};

static bool txgbe_ntuple_uses(const struct txgbe_ntuple_rule *rule, u32 part)
{
	switch (part) {
	case TXGBE_NTUPLE_KIND:
		return true;
	case TXGBE_NTUPLE_IPV4:
		return !rule->filter.ipv6;
	case TXGBE_NTUPLE_IPV6:
		return rule->filter.ipv6;
	default:
		return rule->filter.l4 == TXGBE_FDIR_L4_UDP + part - TXGBE_NTUPLE_UDP;
	}
}

static u32 txgbe_ntuple_key(const struct txgbe_fdir_filter *filter)
{
	return jhash(filter, TXGBE_NTUPLE_KEY_BYTES, 0);
}

/* ---- The chip ---------------------------------------------------------- */

static void txgbe_ntuple_write_masks(struct txgbe_net *fn)
{
	const u64 *mask = fn->ntuple->mask;
	struct txgbe_fdir_masks masks = {
		.src4 = upper_32_bits(mask[TXGBE_NTUPLE_IPV4]),
		.dst4 = lower_32_bits(mask[TXGBE_NTUPLE_IPV4]),
		.src6 = upper_32_bits(mask[TXGBE_NTUPLE_IPV6]),
		.dst6 = lower_32_bits(mask[TXGBE_NTUPLE_IPV6]),
		.l4 = mask[TXGBE_NTUPLE_KIND] >> 8,
		.flex = (u8)mask[TXGBE_NTUPLE_KIND],
	};
	u32 part;

	for (part = TXGBE_NTUPLE_UDP; part < TXGBE_NTUPLE_PARTS; part++)
		masks.ports[TXGBE_FDIR_L4_UDP + part - TXGBE_NTUPLE_UDP] =
			lower_32_bits(mask[part]) << 16 | upper_32_bits(mask[part]);
	txgbe_fdir_set_masks(fn->fd, &masks);
}

/* Return: 0; -EIO if the chip says that it does not have it; -ETIMEDOUT; -ENODEV */
static int txgbe_ntuple_write(struct txgbe_net *fn, const struct txgbe_ntuple_rule *rule)
{
	int err = txgbe_fdir_add(fn->fd, &rule->filter, rule->location);

	if (err)
		return err;
	err = txgbe_fdir_find(fn->fd, &rule->filter, rule->location);
	if (err < 0)
		return err;
	return err ? 0 : -EIO;
}

/**
 * txgbe_ntuple_replay() - turn the flow director on if it is wanted, and write all rules
 * @fn: net part; the port was reset, packet buffers are set up, no ring is enabled
 *
 * Rules that the chip does not take stay in the table, and are tried again at
 * the next start.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ntuple_replay(struct txgbe_net *fn)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	u32 location;
	int err;

	if (!nt->on)
		return;
	mutex_lock(&nt->lock);
	err = txgbe_fdir_init(fn->fd);
	if (!err)
		txgbe_ntuple_write_masks(fn);
	for_each_set_bit(location, nt->used, TXGBE_FDIR_FILTERS) {
		if (err)
			break;
		err = txgbe_fdir_add(fn->fd, &nt->rule[location]->filter, location);
	}
	nt->ready = !err;
	mutex_unlock(&nt->lock);
	if (err)
		netdev_err(fn->netdev, "ntuple: %u rules are without effect: %d\n",
			   nt->nr_rules, err);
}

/**
 * txgbe_ntuple_stop() - the chip is about to forget its filters
 * @fn: net part
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ntuple_stop(struct txgbe_net *fn)
{
	mutex_lock(&fn->ntuple->lock);
	fn->ntuple->ready = false;
	mutex_unlock(&fn->ntuple->lock);
}

/* ---- The table, under its lock ----------------------------------------- */

/* In any location but that of @but, which may be NULL. */
static struct txgbe_ntuple_rule *txgbe_ntuple_find_equal(struct txgbe_ntuple *nt,
							 const struct txgbe_fdir_filter *filter,
							 const struct txgbe_ntuple_rule *but)
{
	struct txgbe_ntuple_rule *rule;

	hash_for_each_possible(nt->by_filter, rule, node, txgbe_ntuple_key(filter))
		if (rule != but && !memcmp(&rule->filter, filter, TXGBE_NTUPLE_KEY_BYTES))
			return rule;
	return NULL;
}

static void txgbe_ntuple_explain(struct txgbe_net *fn, u32 part, u64 mask)
{
	u64 present = fn->ntuple->mask[part];

	if (part == TXGBE_NTUPLE_KIND)
		netdev_info(fn->netdev,
			    "ntuple: all rules name a protocol or none does, all have the same offset in user-def or none has user-def; %u are present\n",
			    fn->ntuple->nr_rules);
	else
		netdev_info(fn->netdev,
			    "ntuple: all rules share one mask: of %s it is %#x and %#x, this rule has %#x and %#x\n",
			    txgbe_ntuple_part_names[part], upper_32_bits(present),
			    lower_32_bits(present), upper_32_bits(mask), lower_32_bits(mask));
}

/* May @rule stand beside the others, once @old, if any, is gone? */
static int txgbe_ntuple_check(struct txgbe_net *fn, const struct txgbe_ntuple_rule *rule,
			      const struct txgbe_ntuple_rule *old)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	struct txgbe_ntuple_rule *equal;
	u32 part, users;

	for (part = 0; part < TXGBE_NTUPLE_PARTS; part++) {
		if (!txgbe_ntuple_uses(rule, part))
			continue;
		users = nt->users[part];
		if (old && txgbe_ntuple_uses(old, part))
			users--;
		if (!users || rule->mask[part] == nt->mask[part])
			continue;
		if (!rule->steered)
			txgbe_ntuple_explain(fn, part, rule->mask[part]);
		return -EINVAL;
	}

	equal = txgbe_ntuple_find_equal(nt, &rule->filter, old);
	if (equal && !rule->steered)
		netdev_info(fn->netdev, "ntuple: rule %u matches the same frames\n",
			    equal->location);
	return equal ? -EEXIST : 0;
}

/* Checked, and its location is free. Return: true if masks have changed. */
static bool txgbe_ntuple_link(struct txgbe_ntuple *nt, struct txgbe_ntuple_rule *rule)
{
	bool changed = false;
	u32 part;

	for (part = 0; part < TXGBE_NTUPLE_PARTS; part++) {
		if (!txgbe_ntuple_uses(rule, part))
			continue;
		changed |= nt->mask[part] != rule->mask[part];
		nt->mask[part] = rule->mask[part];
		nt->users[part]++;
	}
	hash_add(nt->by_filter, &rule->node, txgbe_ntuple_key(&rule->filter));
	nt->rule[rule->location] = rule;
	set_bit(rule->location, nt->used);
	if (rule->steered)
		nt->nr_steered++;
	else
		nt->nr_rules++;
	return changed;
}

static void txgbe_ntuple_unlink(struct txgbe_ntuple *nt, struct txgbe_ntuple_rule *rule)
{
	u32 part;

	for (part = 0; part < TXGBE_NTUPLE_PARTS; part++)
		if (txgbe_ntuple_uses(rule, part))
			nt->users[part]--;
	hash_del(&rule->node);
	nt->rule[rule->location] = NULL;
	clear_bit(rule->location, nt->used);
	if (rule->steered)
		nt->nr_steered--;
	else
		nt->nr_rules--;
}

static int txgbe_ntuple_add(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	bool changed = txgbe_ntuple_link(nt, rule);
	int err;

	if (!nt->ready)
		return 0;
	if (changed)
		txgbe_ntuple_write_masks(fn);
	err = txgbe_ntuple_write(fn, rule);
	if (err)
		txgbe_ntuple_unlink(nt, rule);
	return err;
}

static int txgbe_ntuple_remove(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	int err = 0;

	if (nt->ready)
		err = txgbe_fdir_remove(fn->fd, &rule->filter, rule->location);
	/* A chip that is gone has no filters. */
	if (err && txgbe_present(fn->fd))
		return err;
	txgbe_ntuple_unlink(nt, rule);
	return 0;
}

/* Return: 0; -EINVAL for a location there is not; -ENOSPC */
static int txgbe_ntuple_choose(struct txgbe_net *fn, u32 *location)
{
	const unsigned long *used = fn->ntuple->used;

	if (fn->ntuple->nr_rules == TXGBE_FDIR_FILTERS && *location & RX_CLS_LOC_SPECIAL) {
		netdev_info(fn->netdev, "ntuple: all %u rules are in use\n", TXGBE_FDIR_FILTERS);
		return -ENOSPC;
	}
	switch (*location) {
	case RX_CLS_LOC_ANY:
	case RX_CLS_LOC_FIRST:
		*location = find_first_zero_bit(used, TXGBE_FDIR_FILTERS);
		return 0;
	case RX_CLS_LOC_LAST:
		*location = TXGBE_FDIR_FILTERS - 1;
		while (test_bit(*location, used))
			--*location;
		return 0;
	}
	if (*location >= TXGBE_FDIR_FILTERS) {
		netdev_info(fn->netdev, "ntuple: location %u: 0 to %u\n", *location,
			    TXGBE_FDIR_FILTERS - 1);
		return -EINVAL;
	}
	return 0;
}

/*
 * What aRFS has put there gives way: when there is no room, in the rule's
 * place, and where the rule needs other masks or is the same.
 */
static void txgbe_ntuple_make_way(struct txgbe_net *fn, const struct txgbe_ntuple_rule *rule,
				  u32 location)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	struct txgbe_ntuple_rule *equal;
	bool clash = false;
	u32 part;

	if (!nt->nr_steered)
		return;
	for (part = 0; part < TXGBE_NTUPLE_PARTS; part++)
		clash |= txgbe_ntuple_uses(rule, part) && nt->users[part] &&
			 rule->mask[part] != nt->mask[part];
	equal = txgbe_ntuple_find_equal(nt, &rule->filter, NULL);
	if (equal && equal->steered)
		clash = true;
	if (location < TXGBE_FDIR_FILTERS && nt->rule[location] && nt->rule[location]->steered)
		clash = true;
	if (clash || nt->nr_rules + nt->nr_steered == TXGBE_FDIR_FILTERS)
		txgbe_arfs_flush(fn);
}

static int __txgbe_ntuple_insert(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	struct txgbe_ntuple_rule *old = fn->ntuple->rule[rule->location];
	int err = txgbe_ntuple_check(fn, rule, old);

	if (!err && old)
		err = txgbe_ntuple_remove(fn, old);
	if (err)
		return err;

	err = txgbe_ntuple_add(fn, rule);
	if (!err) {
		kfree(old);
		return 0;
	}
	netdev_err(fn->netdev, "ntuple: the device does not take rule %u: %d\n",
		   rule->location, err);
	if (old && txgbe_ntuple_add(fn, old)) {
		netdev_err(fn->netdev, "ntuple: rule %u is lost\n", rule->location);
		kfree(old);
	}
	return err;
}

/* The user's rule there, or NULL. */
static struct txgbe_ntuple_rule *txgbe_ntuple_at(struct txgbe_ntuple *nt, u32 location)
{
	struct txgbe_ntuple_rule *rule;

	rule = location < TXGBE_FDIR_FILTERS ? nt->rule[location] : NULL;
	return rule && !rule->steered ? rule : NULL;
}

/* ---- For ethtool ------------------------------------------------------- */

/**
 * txgbe_ntuple_insert() - add a rule, or replace the one at its location
 * @fn: net part
 * @rule: rule, of kmalloc(), its filter and masks checked one by one; taken over
 *	if it is inserted
 * @location: where, or RX_CLS_LOC_ANY, _FIRST or _LAST; on success where it is
 *
 * What cannot be is logged with its reason, the table is as before then.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL for a location beyond the table, or masks other than those
 *	of the rules present; -EEXIST if one of these matches the same; -ENOSPC;
 *	-EOPNOTSUPP while filters are off; -EIO, -ETIMEDOUT or -ENODEV by the chip.
 */
int txgbe_ntuple_insert(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule, u32 *location)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	int err;

	if (!nt->on) {
		netdev_info(fn->netdev, "ntuple: filters are off: ethtool -K %s ntuple on\n",
			    netdev_name(fn->netdev));
		return -EOPNOTSUPP;
	}
	if (test_bit(TXGBE_NET_UP, &fn->state) && !nt->ready)
		return -EIO;

	mutex_lock(&nt->lock);
	txgbe_ntuple_make_way(fn, rule, *location);
	err = txgbe_ntuple_choose(fn, location);
	if (!err) {
		rule->location = *location;
		rule->spec.location = *location;
		err = __txgbe_ntuple_insert(fn, rule);
	}
	mutex_unlock(&nt->lock);
	return err;
}

/**
 * txgbe_ntuple_delete() - take a rule out
 * @fn: net part
 * @location: where
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOENT if there is none; -ETIMEDOUT by the chip, the rule stays
 *	then.
 */
int txgbe_ntuple_delete(struct txgbe_net *fn, u32 location)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	struct txgbe_ntuple_rule *rule;
	int err = -ENOENT;

	mutex_lock(&nt->lock);
	rule = txgbe_ntuple_at(nt, location);
	if (rule)
		err = txgbe_ntuple_remove(fn, rule);
	mutex_unlock(&nt->lock);
	if (!err)
		kfree(rule);
	return err;
}

/**
 * txgbe_ntuple_get() - look a rule up
 * @fn: net part
 * @location: where
 * @spec: filled with the rule in the user's words
 *
 * Context: Process context, sleeps.
 * Return: 0; -ENOENT if there is none.
 */
int txgbe_ntuple_get(struct txgbe_net *fn, u32 location, struct ethtool_rx_flow_spec *spec)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	struct txgbe_ntuple_rule *rule;

	mutex_lock(&nt->lock);
	rule = txgbe_ntuple_at(nt, location);
	if (rule)
		*spec = rule->spec;
	mutex_unlock(&nt->lock);
	return rule ? 0 : -ENOENT;
}

/**
 * txgbe_ntuple_list() - locations of all rules, in order
 * @fn: net part
 * @locations: filled
 * @room: how many fit
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: how many there are; -EMSGSIZE if they do not fit.
 */
int txgbe_ntuple_list(struct txgbe_net *fn, u32 *locations, u32 room)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	u32 location;
	int nr = 0;

	if (room < nt->nr_rules)
		return -EMSGSIZE;
	mutex_lock(&nt->lock);
	for_each_set_bit(location, nt->used, TXGBE_FDIR_FILTERS)
		if (!nt->rule[location]->steered)
			locations[nr++] = location;
	mutex_unlock(&nt->lock);
	return nr;
}

/* ---- For aRFS, under the lock ------------------------------------------- */

/**
 * txgbe_ntuple_steer() - add a rule of aRFS
 * @fn: net part
 * @rule: rule, of kmalloc(); taken over if it is inserted
 *
 * Context: Process context, sleeps, under the lock of the rules.
 * Return: 0; -EINVAL if the user's rules have other masks; -EEXIST if one of
 *	them matches the same; -ENOSPC; -ENETDOWN; -EIO or -ETIMEDOUT by the chip.
 */
int txgbe_ntuple_steer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	int err;

	lockdep_assert_held(&nt->lock);
	if (!nt->ready)
		return -ENETDOWN;
	rule->steered = true;
	rule->location = find_first_zero_bit(nt->used, TXGBE_FDIR_FILTERS);
	if (rule->location == TXGBE_FDIR_FILTERS)
		return -ENOSPC;
	err = txgbe_ntuple_check(fn, rule, NULL);
	return err ? err : txgbe_ntuple_add(fn, rule);
}

/**
 * txgbe_ntuple_resteer() - write a rule of aRFS again, with another queue
 * @fn: net part
 * @rule: rule, its queue changed
 *
 * Context: Process context, sleeps, under the lock of the rules.
 * Return: 0; -ENETDOWN; -ETIMEDOUT by the chip.
 */
int txgbe_ntuple_resteer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	lockdep_assert_held(&fn->ntuple->lock);
	if (!fn->ntuple->ready)
		return -ENETDOWN;
	return txgbe_fdir_add(fn->fd, &rule->filter, rule->location);
}

/**
 * txgbe_ntuple_unsteer() - take a rule of aRFS out and free it
 * @fn: net part
 * @rule: rule
 *
 * Context: Process context, sleeps, under the lock of the rules.
 */
void txgbe_ntuple_unsteer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	lockdep_assert_held(&fn->ntuple->lock);
	if (fn->ntuple->ready)
		txgbe_fdir_remove(fn->fd, &rule->filter, rule->location);
	txgbe_ntuple_unlink(fn->ntuple, rule);
	kfree(rule);
}

/* ---- On and off -------------------------------------------------------- */

/**
 * txgbe_ntuple_check_queues() - do the user's rules allow so few queues?
 * @fn: net part
 * @nr: queues there are to be
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL if a rule sends to a queue from @nr on, and that is logged.
 */
int txgbe_ntuple_check_queues(struct txgbe_net *fn, u32 nr)
{
	struct txgbe_ntuple *nt = fn->ntuple;
	const struct txgbe_ntuple_rule *rule;
	int err = 0;
	u32 i;

	mutex_lock(&nt->lock);
	for_each_set_bit(i, nt->used, TXGBE_FDIR_FILTERS) {
		rule = nt->rule[i];
		if (rule->steered || rule->filter.queue == TXGBE_FDIR_DROP ||
		    rule->filter.queue < nr)
			continue;
		netdev_err(fn->netdev, "ntuple: rule %u sends to queue %u: no fewer than %u queues\n",
			   i, rule->filter.queue, rule->filter.queue + 1);
		err = -EINVAL;
		break;
	}
	mutex_unlock(&nt->lock);
	return err;
}

static void txgbe_ntuple_free_rules(struct txgbe_ntuple *nt)
{
	struct txgbe_ntuple_rule *rule;
	u32 location;

	for_each_set_bit(location, nt->used, TXGBE_FDIR_FILTERS) {
		rule = nt->rule[location];
		txgbe_ntuple_unlink(nt, rule);
		kfree(rule);
	}
}

/**
 * txgbe_ntuple_switch() - filters are wanted, or no longer
 * @fn: net part
 * @on: true if they are; else all rules are forgotten
 *
 * Their memory is a part of the receive packet buffer, so a port that is up is
 * reset. If it does not start it is tried again in the background.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ntuple_switch(struct txgbe_net *fn, bool on)
{
	struct txgbe_ntuple *nt = fn->ntuple;

	mutex_lock(&nt->lock);
	txgbe_arfs_flush(fn);
	nt->on = on;
	nt->ready = false;
	if (!on)
		txgbe_ntuple_free_rules(nt);
	mutex_unlock(&nt->lock);
	if (!test_bit(TXGBE_NET_UP, &fn->state))
		return;
	txgbe_net_down(fn);
	txgbe_recover_restart_port(fn);
}

/**
 * txgbe_ntuple_init() - an empty table, filters are off
 * @fn: net part
 *
 * Context: Process context, before the net_device is registered.
 * Return: 0; -ENOMEM.
 */
int txgbe_ntuple_init(struct txgbe_net *fn)
{
	struct txgbe_ntuple *nt = kvzalloc(sizeof(*nt), GFP_KERNEL);

	if (!nt)
		return -ENOMEM;
	mutex_init(&nt->lock);
	hash_init(nt->by_filter);
	/* No rule names user-def yet. */
	nt->mask[TXGBE_NTUPLE_KIND] = txgbe_ntuple_mask_kind(true, TXGBE_FDIR_FLEX_NONE);
	fn->ntuple = nt;
	return 0;
}

/**
 * txgbe_ntuple_fini() - free all rules
 * @fn: net part; txgbe_ntuple_init() may have failed
 *
 * Context: Process context; the net_device is not registered.
 */
void txgbe_ntuple_fini(struct txgbe_net *fn)
{
	if (!fn->ntuple)
		return;
	txgbe_ntuple_free_rules(fn->ntuple);
	mutex_destroy(&fn->ntuple->lock);
	kvfree(fn->ntuple);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Flow rules of a port. Implemented in src/net/ntuple.c. */
#ifndef TXGBE_NTUPLE_H
#define TXGBE_NTUPLE_H

#include <linux/bitmap.h>
#include <linux/ethtool.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "txgbe/fdir.h"

struct txgbe_net;

/* What has a mask of its own in the chip, one for all rules. */
enum txgbe_ntuple_part {
	TXGBE_NTUPLE_KIND,	/* kind of L4 header, flexible bytes: used by every rule */
	TXGBE_NTUPLE_IPV4,	/* addresses */
	TXGBE_NTUPLE_IPV6,
	TXGBE_NTUPLE_UDP,	/* ports; in the order of enum txgbe_fdir_l4 */
	TXGBE_NTUPLE_TCP,
	TXGBE_NTUPLE_SCTP,
	TXGBE_NTUPLE_PARTS,
};

#define TXGBE_NTUPLE_HASH_BITS	8

/**
 * struct txgbe_ntuple_rule - one rule, of the user or of aRFS
 * @node: in txgbe_ntuple.by_filter
 * @filter: what the chip gets
 * @mask: masks of the parts that the rule uses, see txgbe_ntuple_mask_*(); 0 else
 * @location: where it is in the table
 * @steered: of aRFS: not shown to the user
 * @spec: the rule in the user's words
 */
struct txgbe_ntuple_rule {
	struct hlist_node node;
	struct txgbe_fdir_filter filter;
	u64 mask[TXGBE_NTUPLE_PARTS];
	u32 location;
	bool steered;
	struct ethtool_rx_flow_spec spec;
};

/**
 * struct txgbe_ntuple - the rules of a port
 * @lock: guards all of this, and the chip's flow director while it is @ready
 * @on: the user wants filters
 * @ready: the chip's flow director is on and has every rule
 * @nr_rules: how many there are of the user
 * @nr_steered: how many there are of aRFS
 * @users: rules that use each part
 * @mask: its mask, while there are any
 * @used: locations with a rule
 * @by_filter: rules by what they match
 * @rule: rules by location
 */
struct txgbe_ntuple {
	struct mutex lock; /* rules and filters */
	bool on;
	bool ready;
	u32 nr_rules;
	u32 nr_steered;
	u32 users[TXGBE_NTUPLE_PARTS];
	u64 mask[TXGBE_NTUPLE_PARTS];
	DECLARE_BITMAP(used, TXGBE_FDIR_FILTERS);
	DECLARE_HASHTABLE(by_filter, TXGBE_NTUPLE_HASH_BITS);
	struct txgbe_ntuple_rule *rule[TXGBE_FDIR_FILTERS];
};

/**
 * txgbe_ntuple_mask_kind() - mask of TXGBE_NTUPLE_KIND
 * @l4: the rule names a protocol
 * @flex: words from the L4 header to its flexible bytes, or TXGBE_FDIR_FLEX_NONE
 *
 * Context: Any.
 * Return: the mask.
 */
static inline u64 txgbe_ntuple_mask_kind(bool l4, u8 flex)
{
	return (u64)l4 << 8 | flex;
}

/**
 * txgbe_ntuple_mask_pair() - mask of addresses, or of ports
 * @src: bits of the source
 * @dst: bits of the destination
 *
 * For IPv6 addresses 1 stands for all bits.
 *
 * Context: Any.
 * Return: the mask.
 */
static inline u64 txgbe_ntuple_mask_pair(u32 src, u32 dst)
{
	return (u64)src << 32 | dst;
}

int txgbe_ntuple_init(struct txgbe_net *fn);
void txgbe_ntuple_fini(struct txgbe_net *fn);
void txgbe_ntuple_switch(struct txgbe_net *fn, bool on);
void txgbe_ntuple_replay(struct txgbe_net *fn);
void txgbe_ntuple_stop(struct txgbe_net *fn);
int txgbe_ntuple_check_queues(struct txgbe_net *fn, u32 nr);
int txgbe_ntuple_insert(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule, u32 *location);
int txgbe_ntuple_delete(struct txgbe_net *fn, u32 location);
int txgbe_ntuple_get(struct txgbe_net *fn, u32 location, struct ethtool_rx_flow_spec *spec);
int txgbe_ntuple_list(struct txgbe_net *fn, u32 *locations, u32 room);
int txgbe_ntuple_steer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule);
int txgbe_ntuple_resteer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule);
void txgbe_ntuple_unsteer(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule);

#endif /* TXGBE_NTUPLE_H */

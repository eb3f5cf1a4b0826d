// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -n and -N: flow rules in the user's words and in the chip's.
 *
 * These operations have no way to send words back, so the reason of a refusal
 * goes to the log.
 */
#include <linux/bitfield.h>
#include <linux/ethtool.h>
#include <linux/in.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "txgbe/netdev.h"

#include "ethtool_ntuple.h"

/* user-def, as Intel's drivers have it: where the two bytes are, and what they are. */
#define TXGBE_NTUPLE_USER_OFFSET	GENMASK(31, 16)	/* bytes behind the L4 header */
#define TXGBE_NTUPLE_USER_VALUE		GENMASK(15, 0)

/**
 * struct txgbe_ntuple_l4 - what a rule says of ports
 * @sport: ports and their masks
 * @dport: likewise
 * @sport_mask: likewise
 * @dport_mask: likewise
 */
struct txgbe_ntuple_l4 {
	__be16 sport;
	__be16 dport;
	__be16 sport_mask;
	__be16 dport_mask;
};

static int txgbe_ethtool_ntuple_refuse(struct txgbe_net *fn, const char *why)
{
	netdev_info(fn->netdev, "ntuple: %s\n", why);
	return -EINVAL;
}

/* ---- Parts of a rule ---------------------------------------------------- */

static void txgbe_ethtool_ntuple_ports(struct txgbe_ntuple_rule *rule, u8 proto,
				       const struct txgbe_ntuple_l4 *l4)
{
	u16 sport_mask = be16_to_cpu(l4->sport_mask);
	u16 dport_mask = be16_to_cpu(l4->dport_mask);
	u32 part;

	switch (proto) {
	case IPPROTO_UDP:
		rule->filter.l4 = TXGBE_FDIR_L4_UDP;
		part = TXGBE_NTUPLE_UDP;
		break;
	case IPPROTO_TCP:
		rule->filter.l4 = TXGBE_FDIR_L4_TCP;
		part = TXGBE_NTUPLE_TCP;
		break;
	default:
		rule->filter.l4 = TXGBE_FDIR_L4_SCTP;
		part = TXGBE_NTUPLE_SCTP;
		break;
	}
	rule->filter.sport = be16_to_cpu(l4->sport) & sport_mask;
	rule->filter.dport = be16_to_cpu(l4->dport) & dport_mask;
	rule->mask[part] = txgbe_ntuple_mask_pair(sport_mask, dport_mask);
}

/* A rule for IP with a number of a protocol, and the first 4 bytes behind the header. */
static int txgbe_ethtool_ntuple_proto(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule,
				      u8 proto, u8 proto_mask, __be32 bytes, __be32 bytes_mask)
{
	struct txgbe_ntuple_l4 l4 = {
		.sport = cpu_to_be16(be32_to_cpu(bytes) >> 16),
		.dport = cpu_to_be16(be32_to_cpu(bytes) & 0xffff),
		.sport_mask = cpu_to_be16(be32_to_cpu(bytes_mask) >> 16),
		.dport_mask = cpu_to_be16(be32_to_cpu(bytes_mask) & 0xffff),
	};

	if (!proto_mask) {
		if (bytes_mask)
			return txgbe_ethtool_ntuple_refuse(fn, "l4data needs an l4proto");
		return 0;
	}
	if (proto_mask != 0xff ||
	    (proto != IPPROTO_TCP && proto != IPPROTO_UDP && proto != IPPROTO_SCTP))
		return txgbe_ethtool_ntuple_refuse(fn, "l4proto: 6, 17, 132 or none");
	txgbe_ethtool_ntuple_ports(rule, proto, &l4);
	return 0;
}

static void txgbe_ethtool_ntuple_ipv4(struct txgbe_ntuple_rule *rule, __be32 src, __be32 dst,
				      __be32 src_mask, __be32 dst_mask)
{
	rule->filter.src[0] = be32_to_cpu(src & src_mask);
	rule->filter.dst[0] = be32_to_cpu(dst & dst_mask);
	rule->mask[TXGBE_NTUPLE_IPV4] = txgbe_ntuple_mask_pair(be32_to_cpu(src_mask),
							       be32_to_cpu(dst_mask));
}

/* Return: 0 if no bit counts, 1 if all do, else -EINVAL */
static int txgbe_ethtool_ntuple_ipv6_mask(const __be32 *mask)
{
	if (!(mask[0] | mask[1] | mask[2] | mask[3]))
		return 0;
	return (mask[0] & mask[1] & mask[2] & mask[3]) == cpu_to_be32(~0U) ? 1 : -EINVAL;
}

static int txgbe_ethtool_ntuple_ipv6(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule,
				     const __be32 *src, const __be32 *dst,
				     const __be32 *src_mask, const __be32 *dst_mask)
{
	int use_src = txgbe_ethtool_ntuple_ipv6_mask(src_mask);
	int use_dst = txgbe_ethtool_ntuple_ipv6_mask(dst_mask);
	u32 i;

	if (use_src < 0 || use_dst < 0)
		return txgbe_ethtool_ntuple_refuse(fn, "IPv6 addresses are compared as a whole");
	if (use_src && use_dst)
		return txgbe_ethtool_ntuple_refuse(fn,
						   "IPv6: source or destination address, not both");
	rule->filter.ipv6 = true;
	rule->filter.by_dst = use_dst;
	for (i = 0; i < 4; i++) {
		rule->filter.src[i] = use_src ? be32_to_cpu(src[i]) : 0;
		rule->filter.dst[i] = use_dst ? be32_to_cpu(dst[i]) : 0;
	}
	rule->mask[TXGBE_NTUPLE_IPV6] = txgbe_ntuple_mask_pair(use_src, use_dst);
	return 0;
}

/* ---- Kinds of rules ------------------------------------------------------ */

static int txgbe_ethtool_ntuple_ip4(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule, u8 proto)
{
	const struct ethtool_tcpip4_spec *spec = &rule->spec.h_u.tcp_ip4_spec;
	const struct ethtool_tcpip4_spec *mask = &rule->spec.m_u.tcp_ip4_spec;
	struct txgbe_ntuple_l4 l4 = {
		.sport = spec->psrc,
		.dport = spec->pdst,
		.sport_mask = mask->psrc,
		.dport_mask = mask->pdst,
	};

	if (mask->tos)
		return txgbe_ethtool_ntuple_refuse(fn, "tos is not compared");
	txgbe_ethtool_ntuple_ipv4(rule, spec->ip4src, spec->ip4dst, mask->ip4src, mask->ip4dst);
	txgbe_ethtool_ntuple_ports(rule, proto, &l4);
	return 0;
}

static int txgbe_ethtool_ntuple_ip4_user(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	const struct ethtool_usrip4_spec *spec = &rule->spec.h_u.usr_ip4_spec;
	const struct ethtool_usrip4_spec *mask = &rule->spec.m_u.usr_ip4_spec;

	if (mask->tos)
		return txgbe_ethtool_ntuple_refuse(fn, "tos is not compared");
	if (spec->ip_ver != ETH_RX_NFC_IP4)
		return txgbe_ethtool_ntuple_refuse(fn, "the version of IP is 4");
	txgbe_ethtool_ntuple_ipv4(rule, spec->ip4src, spec->ip4dst, mask->ip4src, mask->ip4dst);
	return txgbe_ethtool_ntuple_proto(fn, rule, spec->proto, mask->proto,
					  spec->l4_4_bytes, mask->l4_4_bytes);
}

static int txgbe_ethtool_ntuple_ip6(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule, u8 proto)
{
	const struct ethtool_tcpip6_spec *spec = &rule->spec.h_u.tcp_ip6_spec;
	const struct ethtool_tcpip6_spec *mask = &rule->spec.m_u.tcp_ip6_spec;
	struct txgbe_ntuple_l4 l4 = {
		.sport = spec->psrc,
		.dport = spec->pdst,
		.sport_mask = mask->psrc,
		.dport_mask = mask->pdst,
	};

	if (mask->tclass)
		return txgbe_ethtool_ntuple_refuse(fn, "tclass is not compared");
	txgbe_ethtool_ntuple_ports(rule, proto, &l4);
	return txgbe_ethtool_ntuple_ipv6(fn, rule, spec->ip6src, spec->ip6dst,
					 mask->ip6src, mask->ip6dst);
}

static int txgbe_ethtool_ntuple_ip6_user(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	const struct ethtool_usrip6_spec *spec = &rule->spec.h_u.usr_ip6_spec;
	const struct ethtool_usrip6_spec *mask = &rule->spec.m_u.usr_ip6_spec;
	int err;

	if (mask->tclass)
		return txgbe_ethtool_ntuple_refuse(fn, "tclass is not compared");
	err = txgbe_ethtool_ntuple_proto(fn, rule, spec->l4_proto, mask->l4_proto,
					 spec->l4_4_bytes, mask->l4_4_bytes);
	if (err)
		return err;
	return txgbe_ethtool_ntuple_ipv6(fn, rule, spec->ip6src, spec->ip6dst,
					 mask->ip6src, mask->ip6dst);
}

static int txgbe_ethtool_ntuple_headers(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	switch (rule->spec.flow_type & ~(FLOW_EXT | FLOW_MAC_EXT | FLOW_RSS)) {
	case TCP_V4_FLOW:
		return txgbe_ethtool_ntuple_ip4(fn, rule, IPPROTO_TCP);
	case UDP_V4_FLOW:
		return txgbe_ethtool_ntuple_ip4(fn, rule, IPPROTO_UDP);
	case SCTP_V4_FLOW:
		return txgbe_ethtool_ntuple_ip4(fn, rule, IPPROTO_SCTP);
	case IPV4_USER_FLOW:
		return txgbe_ethtool_ntuple_ip4_user(fn, rule);
	case TCP_V6_FLOW:
		return txgbe_ethtool_ntuple_ip6(fn, rule, IPPROTO_TCP);
	case UDP_V6_FLOW:
		return txgbe_ethtool_ntuple_ip6(fn, rule, IPPROTO_UDP);
	case SCTP_V6_FLOW:
		return txgbe_ethtool_ntuple_ip6(fn, rule, IPPROTO_SCTP);
	case IPV6_USER_FLOW:
		return txgbe_ethtool_ntuple_ip6_user(fn, rule);
	default:
		txgbe_ethtool_ntuple_refuse(fn, "flow types: tcp, udp, sctp, ip; versions 4 and 6");
		return -EOPNOTSUPP;
	}
}

/* ---- The rest of a rule -------------------------------------------------- */

/* user-def: the chip can look at two bytes of the payload, at an even offset. */
static int txgbe_ethtool_ntuple_flex(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule, u8 *flex)
{
	const struct ethtool_flow_ext *ext = &rule->spec.h_ext;
	const struct ethtool_flow_ext *mask = &rule->spec.m_ext;
	u32 value = be32_to_cpu(ext->data[1]);
	u32 offset = FIELD_GET(TXGBE_NTUPLE_USER_OFFSET, value);

	if (!mask->data[0] && !mask->data[1])
		return 0;
	if (mask->data[1] != cpu_to_be32(~0U) || ext->data[0] & mask->data[0])
		return txgbe_ethtool_ntuple_refuse(fn, "user-def: 32 bits and no mask");
	if (rule->filter.l4 == TXGBE_FDIR_L4_ANY)
		return txgbe_ethtool_ntuple_refuse(fn, "user-def needs a protocol");
	if (offset & 1 || offset / 2 > TXGBE_FDIR_FLEX_OFFSET_MAX) {
		netdev_info(fn->netdev, "ntuple: user-def: offset %u: an even number, 0 to %u\n",
			    offset, 2 * TXGBE_FDIR_FLEX_OFFSET_MAX);
		return -EINVAL;
	}
	rule->filter.flex = FIELD_GET(TXGBE_NTUPLE_USER_VALUE, value);
	*flex = offset / 2;
	return 0;
}

static int txgbe_ethtool_ntuple_ext(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	u8 flex = TXGBE_FDIR_FLEX_NONE;
	int err = 0;

	if (rule->spec.flow_type & FLOW_MAC_EXT)
		return txgbe_ethtool_ntuple_refuse(fn, "dst-mac is not compared");
	if (rule->spec.flow_type & FLOW_EXT) {
		if (rule->spec.m_ext.vlan_etype || rule->spec.m_ext.vlan_tci)
			return txgbe_ethtool_ntuple_refuse(fn, "VLAN tags are not compared");
		err = txgbe_ethtool_ntuple_flex(fn, rule, &flex);
	}
	rule->mask[TXGBE_NTUPLE_KIND] =
		txgbe_ntuple_mask_kind(rule->filter.l4 != TXGBE_FDIR_L4_ANY, flex);
	return err;
}

static int txgbe_ethtool_ntuple_action(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	u64 cookie = rule->spec.ring_cookie;

	if (rule->spec.flow_type & FLOW_RSS)
		return txgbe_ethtool_ntuple_refuse(fn, "an RSS context is no action");
	if (cookie == RX_CLS_FLOW_DISC) {
		rule->filter.queue = TXGBE_FDIR_DROP;
		return 0;
	}
	if (cookie >= fn->nr_vecs) {
		netdev_info(fn->netdev, "ntuple: action %#llx: -1 or a queue, 0 to %u\n",
			    cookie, fn->nr_vecs - 1);
		return -EINVAL;
	}
	rule->filter.queue = cookie;
	return 0;
}

static int txgbe_ethtool_ntuple_parse(struct txgbe_net *fn, struct txgbe_ntuple_rule *rule)
{
	int err = txgbe_ethtool_ntuple_action(fn, rule);

	if (!err)
		err = txgbe_ethtool_ntuple_headers(fn, rule);
	if (!err)
		err = txgbe_ethtool_ntuple_ext(fn, rule);
	return err;
}

/* ---- Operations ----------------------------------------------------------- */

static int txgbe_ethtool_ntuple_insert(struct txgbe_net *fn, struct ethtool_rxnfc *info)
{
	struct txgbe_ntuple_rule *rule = kzalloc_obj(*rule);
	u32 location = info->fs.location;
	int err;

	if (!rule)
		return -ENOMEM;
	rule->spec = info->fs;
	err = txgbe_ethtool_ntuple_parse(fn, rule);
	if (!err)
		err = txgbe_ntuple_insert(fn, rule, &location);
	if (err) {
		kfree(rule);
		return err;
	}
	info->fs.location = location;
	return 0;
}

static int txgbe_ethtool_ntuple_list(struct txgbe_net *fn, struct ethtool_rxnfc *info,
				     u32 *locations)
{
	int nr = txgbe_ntuple_list(fn, locations, info->rule_cnt);

	if (nr < 0)
		return nr;
	info->rule_cnt = nr;
	info->data = TXGBE_FDIR_FILTERS;
	return 0;
}

static int txgbe_ethtool_ntuple_show(struct txgbe_net *fn, struct ethtool_rxnfc *info)
{
	info->data = TXGBE_FDIR_FILTERS;
	return txgbe_ntuple_get(fn, info->fs.location, &info->fs);
}

/**
 * txgbe_ethtool_get_rxnfc() - ethtool -n: how many rules, which, one of them
 * @dev: net_device
 * @info: command; filled
 * @locations: room for info->rule_cnt locations
 *
 * Context: Process context, rtnl held.
 * Return: 0; -ENOENT without a rule there; -EMSGSIZE if there are more rules
 *	than room; -EOPNOTSUPP for other commands.
 */
int txgbe_ethtool_get_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info, u32 *locations)
{
	struct txgbe_net *fn = netdev_priv(dev);

	switch (info->cmd) {
	case ETHTOOL_GRXCLSRLCNT:
		info->rule_cnt = fn->ntuple->nr_rules;
		info->data = TXGBE_FDIR_FILTERS | RX_CLS_LOC_SPECIAL;
		return 0;
	case ETHTOOL_GRXCLSRULE:
		return txgbe_ethtool_ntuple_show(fn, info);
	case ETHTOOL_GRXCLSRLALL:
		return txgbe_ethtool_ntuple_list(fn, info, locations);
	default:
		return -EOPNOTSUPP;
	}
}

/**
 * txgbe_ethtool_set_rxnfc() - ethtool -N: insert or delete a rule
 * @dev: net_device
 * @info: command and rule; the rule's location is filled
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL or -EOPNOTSUPP, with the reason in the log, for what the
 *	chip cannot do; what txgbe_ntuple_insert() or _delete() returned.
 */
int txgbe_ethtool_set_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info)
{
	struct txgbe_net *fn = netdev_priv(dev);

	switch (info->cmd) {
	case ETHTOOL_SRXCLSRLINS:
		return txgbe_ethtool_ntuple_insert(fn, info);
	case ETHTOOL_SRXCLSRLDEL:
		return txgbe_ntuple_delete(fn, info->fs.location);
	default:
		return -EOPNOTSUPP;
	}
}

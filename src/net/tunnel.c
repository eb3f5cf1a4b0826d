// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunnels: where the headers of an encapsulated frame lie, what a received one
 * may be believed, and which UDP ports carry tunnels.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_tunnel.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/gre.h>

#include "compat/tunnelports.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/* Longest header between outer IP and inner frame that was seen in use (U). */
#define TXGBE_TUNNEL_MAX_BYTES	80

/* ---- Transmit ---------------------------------------------------------- */

/*
 * The outer IP header. Return: the protocol in it, and in @end where its payload
 * starts; -1 if the device is not told of such a header.
 */
static int txgbe_tunnel_outer(const struct sk_buff *skb, unsigned int nhoff, unsigned int *end)
{
	const struct ipv6_opt_hdr *opt;
	const struct ipv6hdr *ip6h;
	const struct iphdr *iph;

	switch (vlan_get_protocol(skb)) {
	case htons(ETH_P_IP):
		iph = (const struct iphdr *)(skb->data + nhoff);
		*end = nhoff + iph->ihl * 4;
		return iph->protocol;
	case htons(ETH_P_IPV6):
		ip6h = (const struct ipv6hdr *)(skb->data + nhoff);
		*end = nhoff + sizeof(*ip6h);
		if (ip6h->nexthdr != NEXTHDR_DEST)
			return ip6h->nexthdr;
		/* ip6_tunnel's encapsulation limit */
		opt = (const struct ipv6_opt_hdr *)(skb->data + *end);
		*end += ipv6_optlen(opt);
		return opt->nexthdr;
	default:
		return -1;
	}
}

/* The IP header in front of the checksummed L4 header. Return: its bits of the packet type. */
static u8 txgbe_tunnel_inner(const struct sk_buff *skb, unsigned int l3, unsigned int l4)
{
	const u8 *ip = skb->data + l3;
	u8 proto, ptype;

	if (ip[0] >> 4 == 4) {
		if (l4 != l3 + (ip[0] & 15) * 4)
			return 0;
		proto = ip[offsetof(struct iphdr, protocol)];
		ptype = 0;
	} else {
		if (ip[0] >> 4 != 6 || l4 != l3 + sizeof(struct ipv6hdr))
			return 0;
		proto = ip[offsetof(struct ipv6hdr, nexthdr)];
		ptype = TXGBE_PTYPE_IPV6;
	}
	proto = txgbe_tx_l4_type(skb, proto);
	return proto ? ptype | proto : 0;
}

/**
 * txgbe_tunnel_find_hdrs() - describe an encapsulated frame to the device
 * @skb: frame whose inner L4 checksum is to be inserted
 *
 * Everything is compared with what the headers themselves say: a frame within
 * two tunnels, or with headers the descriptor has no room for, is not
 * described.
 *
 * Context: Any.
 * Return: the headers; a ptype of 0 if they cannot be described.
 */
struct txgbe_tx_hdrs txgbe_tunnel_find_hdrs(const struct sk_buff *skb)
{
	unsigned int l4 = skb_inner_transport_offset(skb);
	unsigned int l3 = skb_inner_network_offset(skb);
	unsigned int nhoff = skb_network_offset(skb);
	const struct txgbe_tx_hdrs none = {};
	struct txgbe_tx_hdrs hdrs = {};
	unsigned int end, len, mac;
	u8 ptype, kind;
	int proto;

	/* All of it in the head, and in order; the L4 header was pulled by the stack. */
	if (nhoff > FIELD_MAX(TXGBE_TXC0_MACLEN) || l4 > skb_headlen(skb) || l4 <= l3 ||
	    l3 < nhoff + sizeof(struct iphdr))
		return none;

	proto = txgbe_tunnel_outer(skb, nhoff, &end);
	if (proto < 0 || end > l3)
		return none;
	len = 0;
	kind = TXGBE_PTYPE_TUN_IPIP;
	switch (proto) {
	case IPPROTO_IPIP:
	case IPPROTO_IPV6:
		if (end != l3)
			return none;
		break;
	case IPPROTO_GRE:
		hdrs.tunnel = TXGBE_TXC1_TUNNEL_GRE;
		fallthrough;
	case IPPROTO_UDP:
		mac = skb_inner_mac_header(skb) - skb->data;
		if (mac > l3 || mac <= end)
			return none;
		len = mac - end;
		if (l3 - mac == ETH_HLEN)
			kind = TXGBE_PTYPE_TUN_IGM;
		else if (l3 - mac == VLAN_ETH_HLEN)
			kind = TXGBE_PTYPE_TUN_IGMV;
		else if (l3 == mac)
			kind = TXGBE_PTYPE_TUN_IG;
		else
			return none;
		break;
	default:
		return none;
	}
	if (len > TXGBE_TUNNEL_MAX_BYTES || len & 1 ||
	    (end - nhoff) / 4 > FIELD_MAX(TXGBE_TXC1_OUTER_IPLEN))
		return none;

	ptype = txgbe_tunnel_inner(skb, l3, l4);
	if (!ptype)
		return none;
	ptype |= TXGBE_PTYPE_TUNNEL | FIELD_PREP(TXGBE_PTYPE_KIND, kind);
	hdrs.outer_ipv4 = skb->data[nhoff] >> 4 == 4;
	if (!hdrs.outer_ipv4)
		ptype |= TXGBE_PTYPE_OUTER_IPV6;
	hdrs.tunnel |= FIELD_PREP(TXGBE_TXC1_OUTER_IPLEN, (end - nhoff) / 4) |
		       FIELD_PREP(TXGBE_TXC1_TUNNEL_LEN, len / 2);
	hdrs.ptype = ptype;
	hdrs.l3 = l3;
	hdrs.l4 = l4;
	return hdrs;
}

/* ---- Receive ----------------------------------------------------------- */

/* The protocol of the outer IP header, and in @at where its payload starts; -1 if not known. */
static int txgbe_tunnel_rx_outer(const struct sk_buff *skb, unsigned int *at)
{
	const u8 *data = skb->data;
	unsigned int off = ETH_HLEN - 2;
	__be16 type;

	for (;;) {
		if (off + 2 + sizeof(struct ipv6hdr) > skb_headlen(skb))
			return -1;
		memcpy(&type, data + off, sizeof(type));
		off += 2;
		if (!eth_type_vlan(type))
			break;
		off += 2;
	}
	if (type == htons(ETH_P_IP)) {
		*at = off + (data[off] & 15) * 4;
		return data[off + offsetof(struct iphdr, protocol)];
	}
	if (type == htons(ETH_P_IPV6)) {
		*at = off + sizeof(struct ipv6hdr);
		return data[off + offsetof(struct ipv6hdr, nexthdr)];
	}
	return -1;
}

/**
 * txgbe_tunnel_rx_csum() - make use of a good inner checksum of a received tunnel
 * @skb: frame as received, its Ethernet header not pulled; inner checksum checked
 * @ptype: packet type
 *
 * The device checks the inner L4 checksum and says nothing of one in the tunnel
 * header. Where there is such a one, the stack has to check it first, and the
 * result is not used.
 *
 * Context: The poll.
 */
void txgbe_tunnel_rx_csum(struct sk_buff *skb, u8 ptype)
{
	unsigned int at;

	if (FIELD_GET(TXGBE_PTYPE_KIND, ptype) == TXGBE_PTYPE_TUN_IPIP) {
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		return;
	}

	switch (txgbe_tunnel_rx_outer(skb, &at)) {
	case IPPROTO_UDP:
		if (at + sizeof(struct udphdr) > skb_headlen(skb) ||
		    skb->data[at + offsetof(struct udphdr, check)] ||
		    skb->data[at + offsetof(struct udphdr, check) + 1])
			return;
		/* The missing checksum counts as the first good one. */
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		skb->csum_level = 1;
		break;
	case IPPROTO_GRE:
		if (at + GRE_HEADER_SECTION > skb_headlen(skb) || skb->data[at] & 0x80)
			return;
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		break;
	}
}

/* ---- UDP ports --------------------------------------------------------- */

static const u32 txgbe_tunnel_regs[TXGBE_TUNNEL_PORTS] = {
	TXGBE_CFG_VXLAN, TXGBE_CFG_VXLAN_GPE, TXGBE_CFG_GENEVE,
};

static void txgbe_tunnel_write_port(struct txgbe_net *fn, u32 table, u16 port)
{
	WRITE_ONCE(fn->tunnel_port[table], port);
	/* Pairs with the barrier of txgbe_tunnel_replay(): one of us writes the register. */
	smp_mb();
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_wr32(fn->fd, txgbe_tunnel_regs[table], port);
}

static int txgbe_tunnel_set_port(struct net_device *dev, unsigned int table, unsigned int entry,
				 struct udp_tunnel_info *ti)
{
	txgbe_tunnel_write_port(netdev_priv(dev), table, ntohs(ti->port));
	return 0;
}

static int txgbe_tunnel_unset_port(struct net_device *dev, unsigned int table, unsigned int entry,
				   struct udp_tunnel_info *ti)
{
	txgbe_tunnel_write_port(netdev_priv(dev), table, 0);
	return 0;
}

/* One port of each kind; in the order of txgbe_tunnel_regs. */
const struct udp_tunnel_nic_info txgbe_tunnel_info = {
	.set_port	= txgbe_tunnel_set_port,
	.unset_port	= txgbe_tunnel_unset_port,
	.tables		= {
		{ .n_entries = 1, .tunnel_types = UDP_TUNNEL_TYPE_VXLAN },
		{ .n_entries = 1, .tunnel_types = UDP_TUNNEL_TYPE_VXLAN_GPE },
		{ .n_entries = 1, .tunnel_types = UDP_TUNNEL_TYPE_GENEVE },
	},
};

/**
 * txgbe_tunnel_replay() - write the tunnel ports after a reset
 * @fn: net part, TXGBE_NET_UP is set
 *
 * Context: Process context, rtnl held.
 */
void txgbe_tunnel_replay(struct txgbe_net *fn)
{
	u32 i;

	/* A port that is stored from here on is written by whoever stores it. */
	smp_mb();
	for (i = 0; i < TXGBE_TUNNEL_PORTS; i++)
		txgbe_wr32(fn->fd, txgbe_tunnel_regs[i], READ_ONCE(fn->tunnel_port[i]));
}

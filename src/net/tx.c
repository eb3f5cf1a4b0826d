// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transmit: one skb to descriptors, and reclaim by head write-back.
 *
 * Per frame this touches the ring, the descriptors, the side array and the
 * skb; no register is read, and one is written per burst.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/sctp.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/gso.h>
#include <net/ip6_checksum.h>
#include <net/netdev_queues.h>

#include "txgbe/netdev.h"

#define TXGBE_TX_PTYPE_IPV4	FIELD_PREP(TXGBE_PTYPE_KIND, TXGBE_PTYPE_KIND_IP)
#define TXGBE_TX_PTYPE_IPV6	(TXGBE_TX_PTYPE_IPV4 | TXGBE_PTYPE_IPV6)

/**
 * struct txgbe_tx_offload - what the device has to do to one skb
 * @cmd: TXGBE_TXD_* bits of every data descriptor; 0: the skb cannot be sent
 * @status: status word of the first data descriptor
 * @bytes: wire bytes of all segments
 * @nr_segs: frames on the wire
 * @nr_ctxt: context descriptors in front, 0 or 1
 */
struct txgbe_tx_offload {
	u32 cmd;
	u32 status;
	u32 bytes;
	u16 nr_segs;
	u16 nr_ctxt;
};

/* What is returned in registers costs no memory. */
static_assert(sizeof(struct txgbe_tx_offload) == 16);

/* ---- Offloads ---------------------------------------------------------- */

/**
 * txgbe_tx_l4_type() - the L4 checksum that a frame wants, as a packet type
 * @skb: frame with a checksum to insert
 * @proto: protocol in the IP header before it
 *
 * Context: Any.
 * Return: TXGBE_PTYPE_L4_*; 0 if the device does not know such a checksum.
 */
u8 txgbe_tx_l4_type(const struct sk_buff *skb, u8 proto)
{
	switch (proto) {
	case IPPROTO_TCP:
		if (skb->csum_offset == offsetof(struct tcphdr, check))
			return TXGBE_PTYPE_L4_TCP;
		break;
	case IPPROTO_UDP:
		if (skb->csum_offset == offsetof(struct udphdr, check))
			return TXGBE_PTYPE_L4_UDP;
		break;
	case IPPROTO_SCTP:
		if (skb->csum_offset == offsetof(struct sctphdr, checksum))
			return TXGBE_PTYPE_L4_SCTP;
		break;
	}
	return 0;
}

/*
 * Headers of a frame whose L4 checksum the device can insert, else a ptype of
 * 0. The IP header must be the one right before the checksummed L4 header: no
 * IPv6 extension headers, and no tunnel that tunnel.c does not know.
 */
static __always_inline struct txgbe_tx_hdrs txgbe_tx_find_hdrs(const struct sk_buff *skb)
{
	unsigned int l4 = skb_checksum_start_offset(skb);
	unsigned int l3 = skb_network_offset(skb);
	const struct txgbe_tx_hdrs none = {};
	struct txgbe_tx_hdrs hdrs = {};
	u8 ptype, type;

	if (skb->encapsulation && l4 == skb_inner_transport_offset(skb))
		return txgbe_tunnel_find_hdrs(skb);
	if (l3 > FIELD_MAX(TXGBE_TXC0_MACLEN) || l4 < l3 + sizeof(struct iphdr))
		return none;

	switch (vlan_get_protocol(skb)) {
	case htons(ETH_P_IP):
		if (l4 != l3 + ip_hdrlen(skb))
			return none;
		type = txgbe_tx_l4_type(skb, ip_hdr(skb)->protocol);
		ptype = TXGBE_TX_PTYPE_IPV4;
		break;
	case htons(ETH_P_IPV6):
		if (l4 != l3 + sizeof(struct ipv6hdr))
			return none;
		type = txgbe_tx_l4_type(skb, ipv6_hdr(skb)->nexthdr);
		ptype = TXGBE_TX_PTYPE_IPV6;
		break;
	default:
		return none;
	}
	if (!type)
		return none;
	hdrs.l3 = l3;
	hdrs.l4 = l4;
	hdrs.ptype = ptype | type;
	return hdrs;
}

static unsigned int txgbe_tx_l4_hdrlen(const struct sk_buff *skb, struct txgbe_tx_hdrs hdrs)
{
	switch (FIELD_GET(TXGBE_PTYPE_L4, hdrs.ptype)) {
	case TXGBE_PTYPE_L4_TCP:
		return __tcp_hdrlen((struct tcphdr *)(skb->data + hdrs.l4));
	case TXGBE_PTYPE_L4_UDP:
		return sizeof(struct udphdr);
	default:
		return sizeof(struct sctphdr);
	}
}

/*
 * What the device fills in for each segment: the IP length and IPv4 checksum
 * of the header before L4 have to be zero, the L4 checksum has to be the sum
 * of the pseudo header without a length.
 */
static void txgbe_tx_seed(struct sk_buff *skb, struct txgbe_tx_hdrs hdrs)
{
	u8 *ip = skb->data + hdrs.l3, *l4 = skb->data + hdrs.l4;
	struct ipv6hdr *ip6h = (struct ipv6hdr *)ip;
	struct iphdr *iph = (struct iphdr *)ip;
	u8 proto = IPPROTO_UDP;
	__sum16 *check;

	if (FIELD_GET(TXGBE_PTYPE_L4, hdrs.ptype) == TXGBE_PTYPE_L4_TCP) {
		proto = IPPROTO_TCP;
		check = &((struct tcphdr *)l4)->check;
	} else {
		check = &((struct udphdr *)l4)->check;
		/* That of all but the last segment, whoever fills it in. */
		((struct udphdr *)l4)->len = htons(sizeof(struct udphdr) +
						   skb_shinfo(skb)->gso_size);
	}

	if (hdrs.ptype & TXGBE_PTYPE_IPV6) {
		ip6h->payload_len = 0;
		*check = ~csum_ipv6_magic(&ip6h->saddr, &ip6h->daddr, 0, proto, 0);
	} else {
		iph->tot_len = 0;
		iph->check = 0;
		*check = ~csum_tcpudp_magic(iph->saddr, iph->daddr, 0, proto, 0);
	}
}

/*
 * Segmentation. features_check let through only what can be described. The
 * stack has made the outer headers of a tunnel fit every segment
 * (NETIF_F_GSO_PARTIAL), but for the identification of outer IPv4 and, with
 * it, the checksum.
 * Return: more status bits; 0 if the headers cannot be written to.
 */
static u32 txgbe_tx_tso(struct sk_buff *skb, struct txgbe_tx_hdrs hdrs)
{
	u32 status = TXGBE_TXD_STA_CC | TXGBE_TXD_STA_L4CS;

	if (unlikely(skb_cow_head(skb, 0)))
		return 0;
	if (!(hdrs.ptype & TXGBE_PTYPE_IPV6))
		status |= TXGBE_TXD_STA_IIPCS;
	if (hdrs.outer_ipv4) {
		status |= TXGBE_TXD_STA_EIPCS;
		ip_hdr(skb)->check = 0;
	}
	txgbe_tx_seed(skb, hdrs);
	return status;
}

/*
 * The tag the device inserts behind the MAC addresses. Without a checksum to
 * insert the context still says what kind of frame it is.
 */
static void txgbe_tx_vlan(const struct sk_buff *skb, struct txgbe_tx_ctxt *ctxt)
{
	u32 tpid = skb->vlan_proto == htons(ETH_P_8021AD) ? TXGBE_TPID_IDX_8021AD :
							    TXGBE_TPID_IDX_8021Q;

	if (!ctxt->w2) {
		ctxt->w0 = FIELD_PREP(TXGBE_TXC0_MACLEN, ETH_HLEN);
		ctxt->w2 = FIELD_PREP(TXGBE_TXC2_PTYPE, TXGBE_PTYPE_MAC) | TXGBE_TXD_CTXT;
	}
	ctxt->w0 |= FIELD_PREP(TXGBE_TXC0_VLAN, skb_vlan_tag_get(skb));
	ctxt->w2 |= FIELD_PREP(TXGBE_TXC2_TPID_SEL, tpid);
}

/*
 * Use the context the device already holds, or write a new one: 16 bytes less
 * for the device to fetch for each further frame of a flow.
 * Return: slots taken.
 */
static u16 txgbe_tx_put_ctxt(struct txgbe_tx_ring *txr, struct txgbe_tx_ctxt ctxt)
{
	struct txgbe_tx_ctxt_desc *desc;
	u32 i = txr->use_idx;

	if (ctxt.w0 == txr->ctxt.w0 && ctxt.w1 == txr->ctxt.w1 &&
	    ctxt.w2 == txr->ctxt.w2 && ctxt.w3 == txr->ctxt.w3)
		return 0;

	txr->ctxt = ctxt;
	desc = (struct txgbe_tx_ctxt_desc *)&txr->desc[i];
	desc->vlan_maclen_iplen = cpu_to_le32(ctxt.w0);
	desc->tunnel = cpu_to_le32(ctxt.w1);
	desc->type = cpu_to_le32(ctxt.w2);
	desc->mss_l4len = cpu_to_le32(ctxt.w3);
	txr->buf[i].len = 0;
	return 1;
}

static void txgbe_tx_count_gso(struct txgbe_txq_stats *stats, u32 nr_segs)
{
	u64_stats_update_begin(&stats->xmit_syncp);
	u64_stats_inc(&stats->gso);
	u64_stats_add(&stats->gso_segs, nr_segs);
	u64_stats_update_end(&stats->xmit_syncp);
}

/*
 * A checksum to insert, and perhaps segments to make, behind @hdrs.
 * Return: false if the headers cannot be written to.
 */
static bool txgbe_tx_l4(struct txgbe_tx_ring *txr, struct sk_buff *skb, struct txgbe_tx_hdrs hdrs,
			struct txgbe_tx_ctxt *ctxt, struct txgbe_tx_offload *off)
{
	unsigned int l4len = txgbe_tx_l4_hdrlen(skb, hdrs), hdrlen = hdrs.l4 + l4len;
	unsigned int iplen = hdrs.l4 - hdrs.l3, paylen = skb->len;

	ctxt->w0 = FIELD_PREP(TXGBE_TXC0_MACLEN, skb_network_offset(skb)) |
		   FIELD_PREP(TXGBE_TXC0_IPLEN, iplen / 2);
	ctxt->w1 = hdrs.tunnel;
	ctxt->w2 = FIELD_PREP(TXGBE_TXC2_PTYPE, hdrs.ptype) | TXGBE_TXD_CTXT;
	ctxt->w3 = FIELD_PREP(TXGBE_TXC3_L4LEN, l4len);
	off->status = TXGBE_TXD_STA_CC | TXGBE_TXD_STA_L4CS;
	if (skb_is_gso(skb)) {
		off->status = txgbe_tx_tso(skb, hdrs);
		if (unlikely(!off->status))
			return false;
		off->cmd |= TXGBE_TXD_TSE;
		off->nr_segs = skb_shinfo(skb)->gso_segs;
		off->bytes += (off->nr_segs - 1) * hdrlen;
		txgbe_tx_count_gso(txr->stats, off->nr_segs);
		ctxt->w3 |= FIELD_PREP(TXGBE_TXC3_MSS, skb_shinfo(skb)->gso_size);
		paylen -= hdrlen;
	}
	off->status |= FIELD_PREP(TXGBE_TXD_STA_PAYLEN, paylen);
	return true;
}

/* The checksum that the device cannot insert. Return: false if nobody can. */
static noinline bool txgbe_tx_csum_sw(struct txgbe_tx_ring *txr, struct sk_buff *skb)
{
	if (skb_is_gso(skb))
		return false;
	txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->csum_sw);
	return !skb_checksum_help(skb);
}

/* What an skb wants of the device; a context for it is written. */
static struct txgbe_tx_offload txgbe_tx_offload(struct txgbe_tx_ring *txr, struct sk_buff *skb)
{
	struct txgbe_tx_offload off = {
		.cmd = TXGBE_TXD_IFCS,
		.status = FIELD_PREP(TXGBE_TXD_STA_PAYLEN, skb->len),
		.bytes = skb->len,
		.nr_segs = 1,
	};
	const struct txgbe_tx_offload none = {};
	struct txgbe_tx_hdrs hdrs = {};
	struct txgbe_tx_ctxt ctxt = {};

	if (skb->ip_summed == CHECKSUM_PARTIAL)
		hdrs = txgbe_tx_find_hdrs(skb);
	if (likely(hdrs.ptype)) {
		if (unlikely(!txgbe_tx_l4(txr, skb, hdrs, &ctxt, &off)))
			return none;
	} else if (skb->ip_summed == CHECKSUM_PARTIAL && !txgbe_tx_csum_sw(txr, skb)) {
		return none;
	}
	if (skb_vlan_tag_present(skb)) {
		txgbe_tx_vlan(skb, &ctxt);
		off.cmd |= TXGBE_TXD_VLE;
		off.status |= TXGBE_TXD_STA_CC;
	}
	if (ctxt.w2)
		off.nr_ctxt = txgbe_tx_put_ctxt(txr, ctxt);
	return off;
}

/* txgbe_tx_find_hdrs() for those who do not need the headers */
static noinline bool txgbe_tx_can_describe(const struct sk_buff *skb)
{
	return txgbe_tx_find_hdrs(skb).ptype;
}

#define TXGBE_TX_TUNNEL_GSO	(SKB_GSO_GRE | SKB_GSO_GRE_CSUM | SKB_GSO_IPXIP4 |	\
				 SKB_GSO_IPXIP6 | SKB_GSO_UDP_TUNNEL |			\
				 SKB_GSO_UDP_TUNNEL_CSUM)

/* No frame of up to this many bytes is too long, whatever is inserted. */
#define TXGBE_TX_PLAIN_BYTES	(TXGBE_MAX_FRAME_BYTES - ETH_FCS_LEN - VLAN_HLEN)

/*
 * The stack keeps to the MTU, but who redirects or bridges frames of a port
 * with a larger one need not.
 */
static bool txgbe_tx_is_too_long(const struct sk_buff *skb)
{
	return skb->len + (skb_vlan_tag_present(skb) ? VLAN_HLEN : 0) >
	       TXGBE_MAX_FRAME_BYTES - ETH_FCS_LEN;
}

/* The headers of a segment take less than 512 bytes. */
static bool txgbe_tx_has_long_segments(const struct sk_buff *skb)
{
	return unlikely(skb_shinfo(skb)->gso_size > TXGBE_TX_PLAIN_BYTES - 512) &&
	       !skb_gso_validate_mac_len(skb, TXGBE_TX_PLAIN_BYTES);
}

/* Only a frame that can be described, and with one tunnel at most. */
static bool txgbe_tx_can_segment(const struct sk_buff *skb)
{
	unsigned int tunnels = skb_shinfo(skb)->gso_type & TXGBE_TX_TUNNEL_GSO;

	return skb->ip_summed == CHECKSUM_PARTIAL && !(tunnels & (tunnels - 1)) &&
	       !txgbe_tx_has_long_segments(skb) && txgbe_tx_can_describe(skb);
}

/**
 * txgbe_tx_features_check() - take back what the device cannot do for an skb
 * @skb: frame about to be sent
 * @dev: net_device
 * @features: what would be used
 *
 * Segmentation cannot be refused later, nor an SCTP checksum be made up for;
 * the other checksums are done by software in transmit when need be.
 *
 * Context: Any.
 * Return: @features without the impossible.
 */
netdev_features_t txgbe_tx_features_check(struct sk_buff *skb, struct net_device *dev,
					  netdev_features_t features)
{
	if (skb_is_gso(skb)) {
		if (unlikely(!txgbe_tx_can_segment(skb)))
			features &= ~NETIF_F_GSO_MASK;
	} else if (unlikely(skb->ip_summed == CHECKSUM_PARTIAL && skb_csum_is_sctp(skb))) {
		if (!txgbe_tx_can_describe(skb))
			features &= ~NETIF_F_SCTP_CRC;
	}
	return vlan_features_check(skb, features);
}

/* ---- Descriptors ------------------------------------------------------- */

/**
 * txgbe_tx_unmap() - undo the mappings of some slots
 * @txr: ring
 * @i: first slot
 * @end: the slot after the last one
 *
 * Context: Any; nobody else uses these slots.
 */
void txgbe_tx_unmap(struct txgbe_tx_ring *txr, u32 i, u32 end)
{
	struct txgbe_tx_buf *buf;

	for (; i != end; i = txgbe_tx_next(txr, i)) {
		buf = &txr->buf[i];
		if (buf->len)
			dma_unmap_page(txr->dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
	}
}

static void txgbe_tx_put(struct txgbe_tx_ring *txr, u32 i, dma_addr_t dma, u32 cmd_len,
			 u32 status)
{
	struct txgbe_tx_data_desc *desc = &txr->desc[i];

	desc->addr = cpu_to_le64(dma);
	desc->cmd_len = cpu_to_le32(cmd_len);
	desc->status = cpu_to_le32(status);
}

/*
 * The rest of txgbe_tx_map() for a frame that needs more than one descriptor:
 * slot @i holds the mapping of the head, at @dma.
 * Return: as txgbe_tx_map().
 */
static noinline int txgbe_tx_map_more(struct txgbe_tx_ring *txr, struct sk_buff *skb, u32 i,
				      dma_addr_t dma, struct txgbe_tx_offload off)
{
	const skb_frag_t *frag = skb_shinfo(skb)->frags;
	unsigned int nr_frags = skb_shinfo(skb)->nr_frags;
	u32 len = skb_headlen(skb);
	u32 first = i;

	for (;;) {
		for (; unlikely(len > TXGBE_TXD_MAX_LEN); len -= TXGBE_TXD_MAX_LEN) {
			txgbe_tx_put(txr, i, dma, off.cmd | TXGBE_TXD_MAX_LEN, off.status);
			off.status = 0;
			dma += TXGBE_TXD_MAX_LEN;
			i = txgbe_tx_next(txr, i);
			txr->buf[i].len = 0;
		}
		if (!nr_frags)
			break;
		txgbe_tx_put(txr, i, dma, off.cmd | len, off.status);
		off.status = 0;
		i = txgbe_tx_next(txr, i);

		len = skb_frag_size(frag);
		dma = skb_frag_dma_map(txr->dma_dev, frag, 0, len, DMA_TO_DEVICE);
		if (unlikely(dma_mapping_error(txr->dma_dev, dma)))
			goto err_unmap;
		txr->buf[i].dma = dma;
		txr->buf[i].len = len;
		frag++;
		nr_frags--;
	}
	txgbe_tx_put(txr, i, dma, off.cmd | len | TXGBE_TXD_EOP | TXGBE_TXD_RS, off.status);
	return txgbe_tx_next(txr, i);

err_unmap:
	txgbe_tx_unmap(txr, first, i);
	return -ENOMEM;
}

/*
 * Map head and fragments and write their descriptors from slot @i on.
 * Return: the next free slot; a negative errno with all mappings undone.
 */
static int txgbe_tx_map(struct txgbe_tx_ring *txr, struct sk_buff *skb, u32 i,
			struct txgbe_tx_offload off)
{
	u32 len = skb_headlen(skb);
	dma_addr_t dma;

	dma = dma_map_phys(txr->dma_dev, virt_to_phys(skb->data), len, DMA_TO_DEVICE, 0);
	if (unlikely(dma_mapping_error(txr->dma_dev, dma)))
		return -ENOMEM;
	txr->buf[i].dma = dma;
	txr->buf[i].len = len;
	if (skb_is_nonlinear(skb) || len > TXGBE_TXD_MAX_LEN)
		return txgbe_tx_map_more(txr, skb, i, dma, off);
	txgbe_tx_put(txr, i, dma, off.cmd | len | TXGBE_TXD_EOP | TXGBE_TXD_RS, off.status);
	return txgbe_tx_next(txr, i);
}

/* Count and free a frame that never reached the ring. */
static netdev_tx_t txgbe_tx_drop(struct txgbe_tx_ring *txr, struct sk_buff *skb)
{
	txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->dropped);
	dev_kfree_skb_any(skb);
	if (!netdev_xmit_more())
		txgbe_tx_flush(txr);
	return NETDEV_TX_OK;
}

/* For a queue that has just gone with a change of the channels: pktgen did not notice. */
static netdev_tx_t txgbe_tx_drop_late(struct txgbe_net *fn, struct sk_buff *skb)
{
	struct txgbe_txq_stats *stats = &fn->vec[skb_get_queue_mapping(skb)]->tx_stats;

	txgbe_stat_inc(&stats->xmit_syncp, &stats->dropped);
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

/* A ring that may be full. Return: whether it is not, by now. */
static noinline bool txgbe_tx_stop(struct txgbe_tx_ring *txr)
{
	return netif_txq_maybe_stop(txr->txq, txgbe_tx_unused(txr), TXGBE_TX_WORST_DESC,
				    TXGBE_TX_WAKE_DESC);
}

static netdev_tx_t txgbe_tx_busy(struct txgbe_tx_ring *txr)
{
	txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->busy);
	txgbe_tx_flush(txr);
	return NETDEV_TX_BUSY;
}

/**
 * txgbe_tx_xmit() - ndo_start_xmit
 * @skb: frame, owned from here on
 * @dev: net_device
 *
 * Context: The queue's transmit lock is held, bottom halves are off.
 * Return: NETDEV_TX_OK, sent or dropped; NETDEV_TX_BUSY if the ring is full,
 *	which the queue's stopping makes rare.
 */
netdev_tx_t txgbe_tx_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_tx_ring *txr = fn->txr[skb_get_queue_mapping(skb)];
	struct txgbe_tx_offload off;
	struct txgbe_tx_buf *first;
	u32 nr_desc, room, start;
	int i;

	if (unlikely(!txr))
		return txgbe_tx_drop_late(fn, skb);
	room = txgbe_tx_unused(txr);
	if (unlikely(room < TXGBE_TX_WORST_DESC)) {
		if (!txgbe_tx_stop(txr))
			return txgbe_tx_busy(txr);
		room = txgbe_tx_unused(txr);
	}
	/* One comparison for short and long */
	if (skb->len - TXGBE_TX_MIN_FRAME_BYTES > TXGBE_TX_PLAIN_BYTES - TXGBE_TX_MIN_FRAME_BYTES &&
	    !skb_is_gso(skb)) {
		if (skb->len < TXGBE_TX_MIN_FRAME_BYTES) {
			if (skb_put_padto(skb, TXGBE_TX_MIN_FRAME_BYTES))
				return txgbe_tx_drop(txr, NULL);
		} else if (txgbe_tx_is_too_long(skb)) {
			return txgbe_tx_drop(txr, skb);
		}
	}

	off = txgbe_tx_offload(txr, skb);
	if (unlikely(!off.cmd))
		return txgbe_tx_drop(txr, skb);
	if (unlikely(skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP))
		off.cmd |= txgbe_stamp_tx(fn, skb);

	start = txr->use_idx;
	i = off.nr_ctxt ? txgbe_tx_next(txr, start) : start;
	i = txgbe_tx_map(txr, skb, i, off);
	if (unlikely(i < 0)) {
		txr->ctxt.w2 = 0;	/* perhaps in a slot that is now free again */
		if (off.cmd & TXGBE_TXD_TSTAMP)
			txgbe_stamp_tx_undo(fn);
		txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->map_errors);
		return txgbe_tx_drop(txr, skb);
	}

	first = &txr->buf[start];
	first->skb = skb;
	first->bytes = off.bytes;
	first->nr_segs = off.nr_segs;
	nr_desc = i > start ? i - start : i + txr->size - start;
	first->nr_desc = nr_desc;
	if (unlikely(skb_shinfo(skb)->tx_flags))
		skb_tx_timestamp(skb);

	WRITE_ONCE(txr->use_idx, i);
	if (unlikely(room - nr_desc < TXGBE_TX_WORST_DESC))
		txgbe_tx_stop(txr);
	if (__netdev_tx_sent_queue(txr->txq, off.bytes, netdev_xmit_more()))
		txgbe_tx_doorbell(txr);
	return NETDEV_TX_OK;
}

/* ---- Reclaim ----------------------------------------------------------- */

/**
 * txgbe_tx_hw_done() - did the device finish frames that were not reclaimed
 * @txr: ring
 *
 * Context: Any; a hint.
 * Return: true if so.
 */
bool txgbe_tx_hw_done(const struct txgbe_tx_ring *txr)
{
	bool bad = false;

	return txgbe_tx_nr_done(txr, &bad) > 0;
}

/*
 * Room for who would be woken: it is of interest to a stopped queue only. A
 * function, because the core's macro compares its argument without brackets
 * around it, and has to look after its barrier.
 */
static inline u32 txgbe_tx_wake_room(const struct txgbe_tx_ring *txr)
{
	return unlikely(netif_tx_queue_stopped(txr->txq)) ? txgbe_tx_unused(txr) : 0;
}

/**
 * txgbe_tx_clean() - free what the device has sent, wake the queue
 * @txr: ring
 * @budget: NAPI budget, tells the skb cache whether it may be used
 *
 * Context: The poll of the ring's vector.
 */
void txgbe_tx_clean(struct txgbe_tx_ring *txr, int budget)
{
	unsigned int packets = 0, bytes = 0, skbs = 0;
	bool bad = false, need_unmap;
	u32 i = txr->clean_idx;
	struct txgbe_tx_buf *buf;
	u32 done, next;

	done = txgbe_tx_nr_done(txr, &bad);
	if (unlikely(bad))
		txgbe_stat_inc(&txr->stats->syncp, &txr->stats->bad_heads);
	if (!done)
		return;

	/* After the head: true if any frame it covers has something to undo. */
	need_unmap = dma_need_unmap(txr->dma_dev);

	/* A head in the middle of a frame does not finish it. */
	for (buf = &txr->buf[i]; done && buf->nr_desc <= done; buf = &txr->buf[i]) {
		done -= buf->nr_desc;
		next = i + buf->nr_desc;
		if (next >= txr->size)
			next -= txr->size;

		bytes += buf->bytes;
		packets += buf->nr_segs;
		skbs++;
		if (need_unmap)
			txgbe_tx_unmap(txr, i, next);
		napi_consume_skb(buf->skb, budget);
		i = next;
	}
	WRITE_ONCE(txr->clean_idx, i);

	u64_stats_update_begin(&txr->stats->syncp);
	u64_stats_add(&txr->stats->packets, packets);
	u64_stats_add(&txr->stats->bytes, bytes);
	u64_stats_update_end(&txr->stats->syncp);

	if (!__netif_txq_completed_wake(txr->txq, skbs, bytes, txgbe_tx_wake_room(txr),
					TXGBE_TX_WAKE_DESC, READ_ONCE(txr->off)))
		txgbe_stat_inc(&txr->stats->syncp, &txr->stats->wakes);
}

/**
 * txgbe_tx_reset() - make an emptied ring start afresh
 * @txr: ring; neither the device nor transmit nor a poll uses it
 *
 * Context: Process context.
 */
void txgbe_tx_reset(struct txgbe_tx_ring *txr)
{
	memset(txr->desc, 0, txr->size * sizeof(*txr->desc));
	memset(txr->buf, 0, txr->size * sizeof(*txr->buf));
	txr->use_idx = 0;
	txr->rung_idx = 0;
	txr->clean_idx = 0;
	txr->ctxt.w2 = 0;	/* a LAN reset clears the device's contexts */
	WRITE_ONCE(*txr->head, 0);
}

/**
 * txgbe_tx_drain() - drop all frames in the ring and reset it
 * @txr: ring; neither the device nor transmit nor a poll uses it
 *
 * Context: Process context.
 */
void txgbe_tx_drain(struct txgbe_tx_ring *txr)
{
	u32 i = txr->clean_idx;
	struct txgbe_tx_buf *buf;
	u32 dropped = 0;
	u32 next;

	while (i != txr->use_idx) {
		buf = &txr->buf[i];
		next = i + buf->nr_desc;
		if (next >= txr->size)
			next -= txr->size;
		txgbe_tx_unmap(txr, i, next);
		dev_kfree_skb_any(buf->skb);
		dropped++;
		i = next;
	}
	u64_stats_update_begin(&txr->stats->xmit_syncp);
	u64_stats_add(&txr->stats->dropped, dropped);
	u64_stats_update_end(&txr->stats->xmit_syncp);

	txgbe_tx_reset(txr);
	netdev_tx_reset_queue(txr->txq);
}

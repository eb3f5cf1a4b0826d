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
#include <net/ip6_checksum.h>
#include <net/netdev_queues.h>

#include "txgbe/netdev.h"

#define TXGBE_TX_PTYPE_IPV4	FIELD_PREP(TXGBE_PTYPE_KIND, TXGBE_PTYPE_KIND_IP)
#define TXGBE_TX_PTYPE_IPV6	(TXGBE_TX_PTYPE_IPV4 | TXGBE_PTYPE_IPV6)

/**
 * struct txgbe_tx_offload - what the device has to do to one skb
 * @ctxt: the context the skb needs; w2 is 0 if none
 * @cmd: TXGBE_TXD_* bits of every data descriptor
 * @status: TXGBE_TXD_STA_* bits of the first data descriptor
 * @paylen: frame bytes; TSO: payload bytes
 * @bytes: wire bytes of all segments
 * @nr_segs: frames on the wire
 */
struct txgbe_tx_offload {
	struct txgbe_tx_ctxt ctxt;
	u32 cmd;
	u32 status;
	u32 paylen;
	u32 bytes;
	u16 nr_segs;
};

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
 * Headers of a frame whose L4 checksum the device can insert. The IP header
 * must be the one right before the checksummed L4 header: no IPv6 extension
 * headers, and no tunnel that tunnel.c does not know.
 */
static bool txgbe_tx_find_hdrs(const struct sk_buff *skb, struct txgbe_tx_hdrs *hdrs)
{
	unsigned int l4 = skb_checksum_start_offset(skb);
	unsigned int l3 = skb_network_offset(skb);
	u8 type;

	if (skb->encapsulation && l4 == skb_inner_transport_offset(skb))
		return txgbe_tunnel_find_hdrs(skb, hdrs);
	if (l3 > FIELD_MAX(TXGBE_TXC0_MACLEN) || l4 < l3 + sizeof(struct iphdr))
		return false;

	switch (vlan_get_protocol(skb)) {
	case htons(ETH_P_IP):
		if (l4 != l3 + ip_hdrlen(skb))
			return false;
		type = txgbe_tx_l4_type(skb, ip_hdr(skb)->protocol);
		hdrs->ptype = TXGBE_TX_PTYPE_IPV4 | type;
		break;
	case htons(ETH_P_IPV6):
		if (l4 != l3 + sizeof(struct ipv6hdr))
			return false;
		type = txgbe_tx_l4_type(skb, ipv6_hdr(skb)->nexthdr);
		hdrs->ptype = TXGBE_TX_PTYPE_IPV6 | type;
		break;
	default:
		return false;
	}
	hdrs->tunnel = 0;
	hdrs->l3 = l3;
	hdrs->l4 = l4;
	hdrs->outer_ipv4 = false;
	return type;
}

static unsigned int txgbe_tx_l4_hdrlen(const struct sk_buff *skb, const struct txgbe_tx_hdrs *hdrs)
{
	switch (FIELD_GET(TXGBE_PTYPE_L4, hdrs->ptype)) {
	case TXGBE_PTYPE_L4_TCP:
		return __tcp_hdrlen((struct tcphdr *)(skb->data + hdrs->l4));
	case TXGBE_PTYPE_L4_UDP:
		return sizeof(struct udphdr);
	default:
		return sizeof(struct sctphdr);
	}
}

static void txgbe_tx_set_ctxt(struct txgbe_tx_ctxt *ctxt, const struct sk_buff *skb,
			      const struct txgbe_tx_hdrs *hdrs, unsigned int l4len,
			      unsigned int mss)
{
	ctxt->w0 |= FIELD_PREP(TXGBE_TXC0_MACLEN, skb_network_offset(skb)) |
		    FIELD_PREP(TXGBE_TXC0_IPLEN, (hdrs->l4 - hdrs->l3) / 2);
	ctxt->w1 = hdrs->tunnel;
	ctxt->w2 |= FIELD_PREP(TXGBE_TXC2_PTYPE, hdrs->ptype) | TXGBE_TXD_CTXT;
	ctxt->w3 = FIELD_PREP(TXGBE_TXC3_L4LEN, l4len) | FIELD_PREP(TXGBE_TXC3_MSS, mss);
}

/* The tag the device inserts behind the MAC addresses. */
static void txgbe_tx_vlan(const struct sk_buff *skb, struct txgbe_tx_offload *off)
{
	u32 tpid = skb->vlan_proto == htons(ETH_P_8021AD) ? TXGBE_TPID_IDX_8021AD :
							    TXGBE_TPID_IDX_8021Q;

	off->ctxt.w0 = FIELD_PREP(TXGBE_TXC0_VLAN, skb_vlan_tag_get(skb));
	off->ctxt.w2 = FIELD_PREP(TXGBE_TXC2_TPID_SEL, tpid);
	off->cmd |= TXGBE_TXD_VLE;
}

/* A tag and nothing else: the context still says what kind of frame it is. */
static void txgbe_tx_plain(struct txgbe_tx_offload *off)
{
	if (likely(!(off->cmd & TXGBE_TXD_VLE)))
		return;
	off->ctxt.w0 |= FIELD_PREP(TXGBE_TXC0_MACLEN, ETH_HLEN);
	off->ctxt.w2 |= FIELD_PREP(TXGBE_TXC2_PTYPE, TXGBE_PTYPE_MAC) | TXGBE_TXD_CTXT;
	off->ctxt.w1 = 0;
	off->ctxt.w3 = 0;
	off->status |= TXGBE_TXD_STA_CC;
}

/* Checksum without segmentation. */
static int txgbe_tx_csum(struct txgbe_tx_ring *txr, struct sk_buff *skb,
			 struct txgbe_tx_offload *off)
{
	struct txgbe_tx_hdrs hdrs;

	if (unlikely(!txgbe_tx_find_hdrs(skb, &hdrs))) {
		txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->csum_sw);
		txgbe_tx_plain(off);
		return skb_checksum_help(skb);
	}

	off->status |= TXGBE_TXD_STA_CC | TXGBE_TXD_STA_L4CS;
	txgbe_tx_set_ctxt(&off->ctxt, skb, &hdrs, txgbe_tx_l4_hdrlen(skb, &hdrs), 0);
	return 0;
}

/*
 * What the device fills in for each segment: the IP length and IPv4 checksum
 * of the header before L4 have to be zero, the L4 checksum has to be the sum
 * of the pseudo header without a length. Return: length of the L4 header.
 */
static unsigned int txgbe_tx_seed(struct sk_buff *skb, const struct txgbe_tx_hdrs *hdrs)
{
	u8 *ip = skb->data + hdrs->l3, *l4 = skb->data + hdrs->l4;
	struct ipv6hdr *ip6h = (struct ipv6hdr *)ip;
	struct iphdr *iph = (struct iphdr *)ip;
	unsigned int l4len = sizeof(struct udphdr);
	u8 proto = IPPROTO_UDP;
	__sum16 *check;

	if (FIELD_GET(TXGBE_PTYPE_L4, hdrs->ptype) == TXGBE_PTYPE_L4_TCP) {
		proto = IPPROTO_TCP;
		check = &((struct tcphdr *)l4)->check;
		l4len = __tcp_hdrlen((struct tcphdr *)l4);
	} else {
		check = &((struct udphdr *)l4)->check;
		/* That of all but the last segment, whoever fills it in. */
		((struct udphdr *)l4)->len = htons(l4len + skb_shinfo(skb)->gso_size);
	}

	if (hdrs->ptype & TXGBE_PTYPE_IPV6) {
		ip6h->payload_len = 0;
		*check = ~csum_ipv6_magic(&ip6h->saddr, &ip6h->daddr, 0, proto, 0);
	} else {
		iph->tot_len = 0;
		iph->check = 0;
		*check = ~csum_tcpudp_magic(iph->saddr, iph->daddr, 0, proto, 0);
	}
	return l4len;
}

/*
 * Segmentation. features_check let through only what can be described. The
 * stack has made the outer headers of a tunnel fit every segment
 * (NETIF_F_GSO_PARTIAL), but for the identification of outer IPv4 and, with
 * it, the checksum.
 */
static int txgbe_tx_tso(struct sk_buff *skb, struct txgbe_tx_offload *off)
{
	unsigned int l4len, hdrlen;
	struct txgbe_tx_hdrs hdrs;
	int err;

	err = skb_cow_head(skb, 0);
	if (unlikely(err))
		return err;
	if (unlikely(!txgbe_tx_find_hdrs(skb, &hdrs)))
		return -EINVAL;

	off->status |= TXGBE_TXD_STA_CC | TXGBE_TXD_STA_L4CS;
	if (!(hdrs.ptype & TXGBE_PTYPE_IPV6))
		off->status |= TXGBE_TXD_STA_IIPCS;
	if (hdrs.outer_ipv4) {
		off->status |= TXGBE_TXD_STA_EIPCS;
		ip_hdr(skb)->check = 0;
	}
	l4len = txgbe_tx_seed(skb, &hdrs);
	hdrlen = hdrs.l4 + l4len;

	txgbe_tx_set_ctxt(&off->ctxt, skb, &hdrs, l4len, skb_shinfo(skb)->gso_size);
	off->cmd |= TXGBE_TXD_TSE;
	off->paylen = skb->len - hdrlen;
	off->nr_segs = skb_shinfo(skb)->gso_segs;
	off->bytes += (off->nr_segs - 1) * hdrlen;
	return 0;
}

static int txgbe_tx_offload(struct txgbe_tx_ring *txr, struct sk_buff *skb,
			    struct txgbe_tx_offload *off)
{
	off->ctxt.w0 = 0;
	off->ctxt.w2 = 0;
	off->cmd = TXGBE_TXD_IFCS;
	off->status = 0;
	off->paylen = skb->len;
	off->bytes = skb->len;
	off->nr_segs = 1;

	if (skb_vlan_tag_present(skb))
		txgbe_tx_vlan(skb, off);
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		txgbe_tx_plain(off);
	else if (skb_is_gso(skb))
		return txgbe_tx_tso(skb, off);
	else
		return txgbe_tx_csum(txr, skb, off);
	return 0;
}

#define TXGBE_TX_TUNNEL_GSO	(SKB_GSO_GRE | SKB_GSO_GRE_CSUM | SKB_GSO_IPXIP4 |	\
				 SKB_GSO_IPXIP6 | SKB_GSO_UDP_TUNNEL |			\
				 SKB_GSO_UDP_TUNNEL_CSUM)

/* Only a frame that can be described, and with one tunnel at most. */
static bool txgbe_tx_can_segment(const struct sk_buff *skb)
{
	unsigned int tunnels = skb_shinfo(skb)->gso_type & TXGBE_TX_TUNNEL_GSO;
	struct txgbe_tx_hdrs hdrs;

	return skb->ip_summed == CHECKSUM_PARTIAL && !(tunnels & (tunnels - 1)) &&
	       txgbe_tx_find_hdrs(skb, &hdrs);
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
	struct txgbe_tx_hdrs hdrs;

	if (skb_is_gso(skb)) {
		if (unlikely(!txgbe_tx_can_segment(skb)))
			features &= ~NETIF_F_GSO_MASK;
	} else if (unlikely(skb->ip_summed == CHECKSUM_PARTIAL && skb_csum_is_sctp(skb))) {
		if (!txgbe_tx_find_hdrs(skb, &hdrs))
			features &= ~NETIF_F_SCTP_CRC;
	}
	return vlan_features_check(skb, features);
}

/* ---- Descriptors ------------------------------------------------------- */

static void txgbe_tx_doorbell(struct txgbe_tx_ring *txr)
{
	txr->rung_idx = txr->use_idx;
	/* writel() orders the descriptors before the doorbell. */
	writel(txr->use_idx, txr->tail);
}

/* The end of every path that queues nothing: earlier frames may wait. */
static void txgbe_tx_flush(struct txgbe_tx_ring *txr)
{
	if (txr->rung_idx != txr->use_idx)
		txgbe_tx_doorbell(txr);
}

/*
 * Use the context the device already holds, or write a new one: 16 bytes less
 * for the device to fetch for each further frame of a flow.
 * Return: the next free slot.
 */
static u32 txgbe_tx_put_ctxt(struct txgbe_tx_ring *txr, u32 i, const struct txgbe_tx_ctxt *ctxt)
{
	struct txgbe_tx_ctxt_desc *desc = (struct txgbe_tx_ctxt_desc *)&txr->desc[i];

	if (ctxt->w0 == txr->ctxt.w0 && ctxt->w1 == txr->ctxt.w1 &&
	    ctxt->w2 == txr->ctxt.w2 && ctxt->w3 == txr->ctxt.w3)
		return i;

	txr->ctxt = *ctxt;
	desc->vlan_maclen_iplen = cpu_to_le32(ctxt->w0);
	desc->tunnel = cpu_to_le32(ctxt->w1);
	desc->type = cpu_to_le32(ctxt->w2);
	desc->mss_l4len = cpu_to_le32(ctxt->w3);
	txr->buf[i].len = 0;
	return txgbe_tx_next(txr, i);
}

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

/*
 * Map head and fragments and write their descriptors from slot @i on.
 * Return: the next free slot; a negative errno with all mappings undone.
 */
static int txgbe_tx_map(struct txgbe_tx_ring *txr, struct sk_buff *skb, u32 i,
			const struct txgbe_tx_offload *off)
{
	const skb_frag_t *frag = skb_shinfo(skb)->frags;
	unsigned int nr_frags = skb_shinfo(skb)->nr_frags;
	u32 status = off->status | FIELD_PREP(TXGBE_TXD_STA_PAYLEN, off->paylen);
	struct txgbe_tx_data_desc *desc;
	u32 len = skb_headlen(skb);
	u32 cmd = off->cmd;
	u32 first = i;
	dma_addr_t dma;

	dma = dma_map_page(txr->dma_dev, virt_to_page(skb->data), offset_in_page(skb->data),
			   len, DMA_TO_DEVICE);
	for (;;) {
		if (dma_mapping_error(txr->dma_dev, dma))
			goto err_unmap;
		txr->buf[i].dma = dma;
		txr->buf[i].len = len;

		while (unlikely(len > TXGBE_TXD_MAX_LEN)) {
			desc = &txr->desc[i];
			desc->addr = cpu_to_le64(dma);
			desc->cmd_len = cpu_to_le32(cmd | TXGBE_TXD_MAX_LEN);
			desc->status = cpu_to_le32(status);
			status = 0;
			dma += TXGBE_TXD_MAX_LEN;
			len -= TXGBE_TXD_MAX_LEN;
			i = txgbe_tx_next(txr, i);
			txr->buf[i].len = 0;
		}

		desc = &txr->desc[i];
		i = txgbe_tx_next(txr, i);
		desc->addr = cpu_to_le64(dma);
		desc->status = cpu_to_le32(status);
		if (!nr_frags)
			break;
		desc->cmd_len = cpu_to_le32(cmd | len);
		status = 0;

		len = skb_frag_size(frag);
		dma = skb_frag_dma_map(txr->dma_dev, frag, 0, len, DMA_TO_DEVICE);
		frag++;
		nr_frags--;
	}
	desc->cmd_len = cpu_to_le32(cmd | len | TXGBE_TXD_EOP | TXGBE_TXD_RS);
	return i;

err_unmap:
	txgbe_tx_unmap(txr, first, i);
	return -ENOMEM;
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
	u32 start;
	int i;

	if (unlikely(!txr))
		return txgbe_tx_drop_late(fn, skb);
	start = txr->use_idx;
	if (unlikely(!netif_txq_maybe_stop(txr->txq, txgbe_tx_unused(txr),
					   TXGBE_TX_WORST_DESC, TXGBE_TX_WAKE_DESC))) {
		txgbe_stat_inc(&txr->stats->xmit_syncp, &txr->stats->busy);
		txgbe_tx_flush(txr);
		return NETDEV_TX_BUSY;
	}
	if (unlikely(skb->len < TXGBE_TX_MIN_FRAME_BYTES) &&
	    skb_put_padto(skb, TXGBE_TX_MIN_FRAME_BYTES))
		return txgbe_tx_drop(txr, NULL);
	if (unlikely(txgbe_tx_offload(txr, skb, &off)))
		return txgbe_tx_drop(txr, skb);
	if (unlikely(skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP))
		off.cmd |= txgbe_stamp_tx(fn, skb);

	i = start;
	if (off.ctxt.w2)
		i = txgbe_tx_put_ctxt(txr, i, &off.ctxt);
	i = txgbe_tx_map(txr, skb, i, &off);
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
	first->nr_desc = i > start ? i - start : i + txr->size - start;
	skb_tx_timestamp(skb);

	WRITE_ONCE(txr->use_idx, i);
	netif_txq_maybe_stop(txr->txq, txgbe_tx_unused(txr), TXGBE_TX_WORST_DESC,
			     TXGBE_TX_WAKE_DESC);
	if (__netdev_tx_sent_queue(txr->txq, off.bytes, netdev_xmit_more()))
		txgbe_tx_doorbell(txr);
	return NETDEV_TX_OK;
}

/* ---- Reclaim ----------------------------------------------------------- */

/**
 * txgbe_tx_nr_done() - what the device has finished since the last reclaim
 * @txr: ring
 * @bad: set to true if the head is outside of what was given to the device
 *
 * Such a head is stale or broken: it frees nothing, and the next write-back
 * or the watchdog decides.
 *
 * Context: The poll; elsewhere the result is a hint.
 * Return: descriptors, 0..size-1.
 */
u32 txgbe_tx_nr_done(const struct txgbe_tx_ring *txr, bool *bad)
{
	u32 head = le32_to_cpu(READ_ONCE(*txr->head));
	u32 clean = txr->clean_idx;
	u32 done;

	if (head == clean)
		return 0;

	/*
	 * Read the head before use_idx, so that a head seen is never ahead of
	 * the use_idx seen. Pairs with the doorbell, which follows the store.
	 */
	dma_rmb();
	done = head > clean ? head - clean : head + txr->size - clean;
	if (likely(head < txr->size && done <= txgbe_tx_pending(txr)))
		return done;
	*bad = true;
	return 0;
}

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

	if (!__netif_txq_completed_wake(txr->txq, skbs, bytes, txgbe_tx_unused(txr),
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

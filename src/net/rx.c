// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receive: descriptors to skbs, and refill.
 *
 * Each slot of the ring owns a page until an skb takes it. A frame that is
 * dropped or copied leaves its page in the slot, so no error path gives a page
 * back, and only pages that left need a new one.
 *
 * What the device writes is not trusted: lengths and the number of buffers of
 * a frame are checked against what was given.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/prefetch.h>

#include "compat/rxpool.h"
#include "txgbe/netdev.h"

/* RSS types whose hash covers ports as well as addresses */
#define TXGBE_RX_L4_HASHES						\
	(BIT(TXGBE_RSS_TYPE_IPV4_TCP) | BIT(TXGBE_RSS_TYPE_IPV6_TCP) |	\
	 BIT(TXGBE_RSS_TYPE_IPV4_SCTP) | BIT(TXGBE_RSS_TYPE_IPV6_SCTP) |	\
	 BIT(TXGBE_RSS_TYPE_IPV4_UDP) | BIT(TXGBE_RSS_TYPE_IPV6_UDP))

/* ---- Refill ------------------------------------------------------------ */

/**
 * txgbe_rx_refill() - give descriptors with buffers to the device
 * @rxr: ring
 * @nr: how many, at most size - 1 - txgbe_rx_owned()
 * @gfp: GFP_KERNEL where sleeping is allowed, else GFP_ATOMIC | __GFP_NOWARN
 *
 * Rings the doorbell once. Without memory it does less and counts that; the
 * next poll tries again.
 *
 * Context: The poll, or process context while NAPI is disabled.
 */
void txgbe_rx_refill(struct txgbe_rx_ring *rxr, u32 nr, gfp_t gfp)
{
	u32 i = rxr->use_idx;
	union txgbe_rx_desc *desc = &rxr->desc[i];
	struct txgbe_rx_buf *buf = &rxr->buf[i];

	if (unlikely(rxr->xsk_pool)) {
		txgbe_xsk_refill(rxr, nr);
		return;
	}

	for (; nr; nr--) {
		if (!buf->page) {
			buf->page = rxpool_alloc(rxr->pool, &buf->offset,
						 TXGBE_RX_SLOT_BYTES, gfp);
			if (unlikely(!buf->page)) {
				txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->no_page);
				break;
			}
		}
		desc->read.pkt_addr = cpu_to_le64(rxpool_dma_addr(buf->page) + buf->offset +
						  TXGBE_RX_HEADROOM);
		desc->read.hdr_addr = 0;	/* the done bit, too */
		desc++;
		buf++;
		if (unlikely(++i == rxr->size)) {
			i = 0;
			desc = rxr->desc;
			buf = rxr->buf;
		}
	}

	if (i == rxr->use_idx)
		return;
	if (unlikely(rxr->hdr))
		txgbe_split_refill(rxr, rxr->use_idx, i);
	rxr->use_idx = i;
	/* writel() orders the descriptors before the doorbell. */
	writel(i, rxr->tail);
}

/* ---- Offload results --------------------------------------------------- */

/* Everything but "checked, and nothing wrong". */
static noinline void txgbe_rx_csum_slow(struct txgbe_rx_ring *rxr, struct sk_buff *skb, u32 info,
					u32 status)
{
	u8 ptype = FIELD_GET(TXGBE_RXD0_PTYPE, info);

	if ((status & TXGBE_RXD_STA_L4CS && status & TXGBE_RXD_ERR_L4) ||
	    (status & TXGBE_RXD_STA_IPCS && status & TXGBE_RXD_ERR_IP)) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->csum_bad);
		return;
	}

	/* Behind IPv6 destination options only SCTP's result holds. */
	if (status & TXGBE_RXD_STA_L4CS && !(ptype & TXGBE_PTYPE_TUNNEL) &&
	    FIELD_GET(TXGBE_PTYPE_L4, ptype) == TXGBE_PTYPE_L4_SCTP)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
}

/* The skb says CHECKSUM_NONE already. */
static inline void txgbe_rx_csum(struct txgbe_rx_ring *rxr, struct sk_buff *skb, u32 info,
				 u32 status)
{
	const u32 mask = TXGBE_RXD_STA_L4CS | TXGBE_RXD_STA_IPV6EX |
			 TXGBE_RXD_ERR_L4 | TXGBE_RXD_ERR_IP;

	if (likely((status & mask) == TXGBE_RXD_STA_L4CS)) {
		if (likely(!(info & FIELD_PREP(TXGBE_RXD0_PTYPE, TXGBE_PTYPE_TUNNEL))))
			skb->ip_summed = CHECKSUM_UNNECESSARY;
		else
			txgbe_tunnel_rx_csum(skb, FIELD_GET(TXGBE_RXD0_PTYPE, info));
	} else if (status & mask) {
		txgbe_rx_csum_slow(rxr, skb, info, status);
	}
}

static void txgbe_rx_hash(const union txgbe_rx_desc *desc, struct sk_buff *skb, u32 info)
{
	u32 type = FIELD_GET(TXGBE_RXD0_RSS_TYPE, info);

	/* Types above are flow director reports. */
	if (type == TXGBE_RSS_TYPE_NONE || type > TXGBE_RSS_TYPE_IPV6_UDP)
		return;
	skb_set_hash(skb, le32_to_cpu(desc->wb.hash),
		     BIT(type) & TXGBE_RX_L4_HASHES ? PKT_HASH_TYPE_L4 : PKT_HASH_TYPE_L3);
}

/* The tag the device took out */
static void txgbe_rx_vlan(const union txgbe_rx_desc *desc, struct sk_buff *skb, u32 info)
{
	__vlan_hwaccel_put_tag(skb, txgbe_rx_vlan_proto(info), le16_to_cpu(desc->wb.vlan));
}

/* ---- Frames ------------------------------------------------------------ */

static struct sk_buff *txgbe_rx_no_skb(struct txgbe_rx_ring *rxr)
{
	txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->no_skb);
	return NULL;
}

/*
 * Build an skb around the first buffer; NULL leaves the page in its slot. @sync
 * is what rxpool_needs_sync() says.
 */
static inline struct sk_buff *txgbe_rx_build(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf,
					     u32 len, bool sync)
{
	void *va = page_address(buf->page) + buf->offset;
	struct sk_buff *skb;

	net_prefetch(va + TXGBE_RX_HEADROOM);
	skb = napi_build_skb(va, rxpool_truesize(TXGBE_RX_SLOT_BYTES));
	if (unlikely(!skb))
		return txgbe_rx_no_skb(rxr);

	if (unlikely(sync))
		rxpool_sync_for_cpu(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, len);
	skb_reserve(skb, TXGBE_RX_HEADROOM);
	__skb_put(skb, len);
	rxpool_handover(rxr->pool, buf->page, skb);
	buf->page = NULL;
	return skb;
}

/* A constant, so that the shortest frames are copied without a loop */
#define TXGBE_RX_COPY_LEAST	64

/* Copy a short frame; the page stays in its slot whatever happens. */
static inline struct sk_buff *txgbe_rx_copy(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf,
					    u32 len, bool sync)
{
	u32 offset = buf->offset + TXGBE_RX_HEADROOM;
	void *va = page_address(buf->page) + offset;
	/* Whole words, which copy faster; what is too much is behind the skb's tail. */
	u32 room = max_t(u32, ALIGN(len, sizeof(long)), TXGBE_RX_COPY_LEAST);
	struct sk_buff *skb;

	net_prefetch(va);
	skb = napi_alloc_skb(rxr->napi, room);
	if (unlikely(!skb))
		return txgbe_rx_no_skb(rxr);

	if (unlikely(sync))
		rxpool_sync_for_cpu(rxr->pool, buf->page, offset, room);
	memcpy(skb->data, va, TXGBE_RX_COPY_LEAST);
	if (room > TXGBE_RX_COPY_LEAST)
		memcpy(skb->data + TXGBE_RX_COPY_LEAST, va + TXGBE_RX_COPY_LEAST,
		       room - TXGBE_RX_COPY_LEAST);
	if (unlikely(sync))
		rxpool_sync_for_device(rxr->pool, buf->page, offset, room);
	__skb_put(skb, len);
	return skb;
}

/* See txgbe_rx_append(), which is this for others. */
static inline void __txgbe_rx_append(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf,
				     struct sk_buff *skb, u32 len)
{
	rxpool_sync_for_cpu(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, len);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, buf->page,
			buf->offset + TXGBE_RX_HEADROOM, len,
			rxpool_truesize(TXGBE_RX_SLOT_BYTES));
	rxpool_handover(rxr->pool, buf->page, skb);
	buf->page = NULL;
}

/**
 * txgbe_rx_append() - append a buffer to a frame, as a fragment
 * @rxr: ring
 * @buf: buffer, the frame's from now on
 * @skb: frame, with room for a fragment
 * @len: bytes in it, 1..TXGBE_RX_BUF_BYTES
 *
 * Context: The poll.
 */
void txgbe_rx_append(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf, struct sk_buff *skb,
		     u32 len)
{
	__txgbe_rx_append(rxr, buf, skb, len);
}

/**
 * txgbe_rx_chain() - take one buffer of a frame of several buffers
 * @rxr: ring
 * @buf: buffer, the last one of the frame or not
 * @len: bytes in it, as the device says
 * @status: status word of its descriptor
 *
 * Context: The poll.
 * Return: the frame once it is whole, else NULL.
 */
noinline struct sk_buff *txgbe_rx_chain(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf,
					u32 len, u32 status)
{
	bool last = status & TXGBE_RXD_STA_EOP;
	struct sk_buff *skb = rxr->skb;

	if (skb == TXGBE_RX_SKIP)
		goto out_dropped;

	if (!skb) {
		if (len < ETH_HLEN || len > TXGBE_RX_BUF_BYTES)
			goto err_length;
		skb = txgbe_rx_build(rxr, buf, len, true);
		if (!skb)
			goto out_dropped;
	} else {
		if (!len || len > TXGBE_RX_BUF_BYTES ||
		    skb_shinfo(skb)->nr_frags + 1 >= TXGBE_RX_MAX_CHAIN)
			goto err_length;
		__txgbe_rx_append(rxr, buf, skb, len);
	}

	rxr->skb = last ? NULL : skb;
	if (!last)
		return NULL;
	if (status & TXGBE_RXD_ERR_RXE) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->mac_errors);
		dev_kfree_skb_any(skb);
		return NULL;
	}
	return skb;

err_length:
	txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
	dev_kfree_skb_any(skb);
out_dropped:
	rxr->skb = last ? NULL : TXGBE_RX_SKIP;
	return NULL;
}

/* A frame in one buffer that the MAC found good. */
static inline struct sk_buff *txgbe_rx_single(struct txgbe_rx_ring *rxr,
					      struct txgbe_rx_buf *buf, u32 len, bool sync)
{
	/* One comparison for too short and too long */
	if (unlikely(len - ETH_HLEN > TXGBE_RX_BUF_BYTES - ETH_HLEN)) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
		return NULL;
	}
	if (len <= TXGBE_RX_COPY_BYTES)
		return txgbe_rx_copy(rxr, buf, len, sync);
	return txgbe_rx_build(rxr, buf, len, sync);
}

/* Any other buffer. */
static noinline struct sk_buff *txgbe_rx_other(struct txgbe_rx_ring *rxr,
					       struct txgbe_rx_buf *buf, u32 len, u32 status)
{
	if (!(status & TXGBE_RXD_STA_EOP) || rxr->skb)
		return txgbe_rx_chain(rxr, buf, len, status);
	if (len - ETH_HLEN > TXGBE_RX_BUF_BYTES - ETH_HLEN)
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
	else
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->mac_errors);
	return NULL;
}

/* See txgbe_rx_set_meta(), which is this for others. */
static inline void __txgbe_rx_set_meta(struct txgbe_rx_ring *rxr, const union txgbe_rx_desc *desc,
				       struct sk_buff *skb, u32 status,
				       netdev_features_t features)
{
	u32 info = le32_to_cpu(desc->wb.info);

	if (likely(features & NETIF_F_RXCSUM))
		txgbe_rx_csum(rxr, skb, info, status);
	if (likely(features & NETIF_F_RXHASH))
		txgbe_rx_hash(desc, skb, info);
	if (status & TXGBE_RXD_STA_VP && READ_ONCE(rxr->strip))
		txgbe_rx_vlan(desc, skb, info);
	if (unlikely(status & TXGBE_RXD_STA_TS))
		txgbe_stamp_rx(netdev_priv(rxr->netdev), skb);
	skb_record_rx_queue(skb, rxr->idx);
	skb->protocol = eth_type_trans(skb, rxr->netdev);
}

/**
 * txgbe_rx_set_meta() - tell the stack what the device found out of a frame
 * @rxr: ring
 * @desc: last descriptor of the frame
 * @skb: the frame
 * @status: status word of @desc
 * @features: features of the net_device
 *
 * Context: The poll.
 */
void txgbe_rx_set_meta(struct txgbe_rx_ring *rxr, const union txgbe_rx_desc *desc,
		       struct sk_buff *skb, u32 status, netdev_features_t features)
{
	__txgbe_rx_set_meta(rxr, desc, skb, status, features);
}

/* See txgbe_rx_finish(), which is this for others. */
static inline bool __txgbe_rx_finish(struct txgbe_rx_ring *rxr, u32 clean_idx,
				     unsigned int packets, unsigned int bytes)
{
	u32 owned;

	WRITE_ONCE(rxr->clean_idx, clean_idx);

	if (packets) {
		u64_stats_update_begin(&rxr->stats->syncp);
		u64_stats_add(&rxr->stats->packets, packets);
		u64_stats_add(&rxr->stats->bytes, bytes);
		u64_stats_update_end(&rxr->stats->syncp);
	}

	owned = txgbe_rx_owned(rxr);
	if (rxr->size - 1 - owned < rxr->batch)
		return true;
	txgbe_rx_refill(rxr, rxr->size - 1 - owned, GFP_ATOMIC | __GFP_NOWARN);
	return txgbe_rx_owned(rxr) >= TXGBE_RX_STARVED_DESC;
}

/**
 * txgbe_rx_finish() - end of a poll: count, refill
 * @rxr: ring
 * @clean_idx: next descriptor the device completes
 * @packets: frames received in this poll
 * @bytes: their bytes
 *
 * Context: The poll.
 * Return: true; false if the ring is so short of buffers that no interrupt may
 *	come any more.
 */
bool txgbe_rx_finish(struct txgbe_rx_ring *rxr, u32 clean_idx, unsigned int packets,
		     unsigned int bytes)
{
	return __txgbe_rx_finish(rxr, clean_idx, packets, bytes);
}

/**
 * txgbe_rx_clean() - receive frames and refill the ring
 * @vec: vector
 * @budget: most descriptors, 1 or more
 *
 * Context: The poll of @vec.
 * Return: descriptors handled, those of dropped frames too; @budget if the ring
 *	is so short of buffers that no interrupt may come any more.
 */
int txgbe_rx_clean(struct txgbe_vec *vec, int budget)
{
	struct txgbe_rx_ring *rxr = vec->rxr;
	netdev_features_t features = rxr->netdev->features;
	struct bpf_prog *prog = READ_ONCE(rxr->xdp_prog);
	unsigned int packets = 0, bytes = 0;
	u32 i = rxr->clean_idx;
	union txgbe_rx_desc *desc;
	struct txgbe_rx_buf *buf;
	struct sk_buff *skb;
	u32 status, len;
	int most, left;
	bool sync;

	if (unlikely(rxr->xsk_pool))
		return txgbe_xsk_rx(vec, budget);
	if (prog)
		return txgbe_xdp_rx(vec, budget, prog);
	if (unlikely(rxr->hdr))
		return txgbe_split_rx(vec, budget);

	sync = rxpool_needs_sync(rxr->pool);
	/* Slots that are not the device's may hold an old done bit. */
	most = min_t(u32, txgbe_rx_owned(rxr), budget);
	for (left = most; left; left--) {
		desc = &rxr->desc[i];
		status = le32_to_cpu(READ_ONCE(desc->wb.status));
		if (!(status & TXGBE_RXD_STA_DD))
			break;
		/* The rest of the descriptor, and the data, after the done bit. */
		dma_rmb();

		len = le16_to_cpu(READ_ONCE(desc->wb.len));
		buf = &rxr->buf[i];
		if (unlikely(++i == rxr->size))
			i = 0;

		if (likely((status & (TXGBE_RXD_STA_EOP | TXGBE_RXD_ERR_RXE)) ==
			   TXGBE_RXD_STA_EOP && !rxr->skb))
			skb = txgbe_rx_single(rxr, buf, len, sync);
		else
			skb = txgbe_rx_other(rxr, buf, len, status);
		if (unlikely(!skb))
			continue;

		packets++;
		bytes += skb->len;
		__txgbe_rx_set_meta(rxr, desc, skb, status, features);
		napi_gro_receive(rxr->napi, skb);
	}
	return likely(__txgbe_rx_finish(rxr, i, packets, bytes)) ? most - left : budget;
}

/**
 * txgbe_rx_drain() - drop a half-received frame and reset the ring
 * @rxr: ring; neither the device nor a poll uses it
 *
 * Context: Process context.
 */
void txgbe_rx_drain(struct txgbe_rx_ring *rxr)
{
	if (!IS_ERR_OR_NULL(rxr->skb))
		dev_kfree_skb_any(rxr->skb);
	rxr->skb = NULL;
	rxr->split = false;
	rxr->use_idx = 0;
	rxr->clean_idx = 0;
	memset(rxr->desc, 0, rxr->size * sizeof(*rxr->desc));
}

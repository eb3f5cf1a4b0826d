// SPDX-License-Identifier: GPL-2.0-only
/*
 * XDP: programs on received frames, and frames that XDP sends.
 *
 * All that programs need is there from open on: buffers with headroom that are
 * mapped both ways, a transmit ring for each vector, XDP's view of each receive
 * ring. So to attach, replace or detach a program is to change a pointer.
 *
 * A program sees whole frames only. Their descriptors stay in the ring until
 * the last one has come, so there is never half a frame to remember.
 *
 * The transmit ring of a vector is filled by its own poll and by ndo_xdp_xmit
 * on any CPU, under a lock that is taken once for a bulk of frames.
 */
#include <linux/bitfield.h>
#include <linux/bpf_trace.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/prefetch.h>
#include <linux/stringify.h>
#include <net/xdp.h>

#include "compat/rxpool.h"
#include "compat/xdpbuf.h"
#include "txgbe/netdev.h"

#include "xdp.h"

/* With this MTU a frame, with one tag, just fits one buffer. */
#define TXGBE_XDP_MAX_MTU	3054

static_assert(TXGBE_XDP_MAX_MTU ==
	      TXGBE_RX_BUF_BYTES + ETH_FCS_LEN - TXGBE_FRAME_OVERHEAD_BYTES);

/* ---- Transmit ---------------------------------------------------------- */

/*
 * Bus address of one piece of a frame. Buffers of the port's own pool are
 * mapped already, and slot @i then owns no mapping.
 */
static dma_addr_t txgbe_xdp_map(struct txgbe_tx_ring *xdpr, u32 i, struct page *page,
				u32 offset, u32 len, bool own)
{
	struct txgbe_tx_buf *buf = &xdpr->buf[i];

	if (own) {
		buf->len = 0;
		buf->dma = rxpool_dma_addr(page) + offset;
		dma_sync_single_for_device(xdpr->dma_dev, buf->dma, len, DMA_BIDIRECTIONAL);
		return buf->dma;
	}

	buf->dma = dma_map_page(xdpr->dma_dev, page, offset, len, DMA_TO_DEVICE);
	buf->len = len;
	return buf->dma;
}

/* Map all pieces and write their descriptors. Return: the next free slot or -ENOMEM. */
static int txgbe_xdp_put_pieces(struct txgbe_tx_ring *xdpr, struct xdp_frame *xdpf,
				u32 nr_frags, u32 total, bool own)
{
	const skb_frag_t *frag = NULL;
	struct page *page = virt_to_page(xdpf->data);
	u32 status = FIELD_PREP(TXGBE_TXD_STA_PAYLEN, total);
	u32 offset = offset_in_page(xdpf->data);
	struct txgbe_tx_data_desc *desc;
	u32 i = xdpr->use_idx;
	u32 len = xdpf->len;
	dma_addr_t dma;

	if (nr_frags)
		frag = xdp_get_shared_info_from_frame(xdpf)->frags;

	for (;;) {
		dma = txgbe_xdp_map(xdpr, i, page, offset, len, own);
		if (unlikely(dma_mapping_error(xdpr->dma_dev, dma))) {
			txgbe_tx_unmap(xdpr, xdpr->use_idx, i);
			return -ENOMEM;
		}
		desc = &xdpr->desc[i];
		i = txgbe_tx_next(xdpr, i);
		desc->addr = cpu_to_le64(dma);
		desc->status = cpu_to_le32(status);
		if (!nr_frags)
			break;
		desc->cmd_len = cpu_to_le32(TXGBE_TXD_IFCS | len);
		status = 0;

		page = skb_frag_page(frag);
		offset = skb_frag_off(frag);
		len = skb_frag_size(frag);
		frag++;
		nr_frags--;
	}
	desc->cmd_len = cpu_to_le32(TXGBE_TXD_IFCS | len | TXGBE_TXD_EOP | TXGBE_TXD_RS);
	return i;
}

/*
 * Queue one frame; the caller holds the ring's lock and rings the doorbell.
 * @own says that the buffers are of the port's own pools.
 * Return: false if it was not taken: it is still the caller's.
 */
static bool txgbe_xdp_put(struct txgbe_tx_ring *xdpr, struct xdp_frame *xdpf, bool own)
{
	u32 total = xdp_get_frame_len(xdpf);
	struct txgbe_tx_buf *first;
	u32 start = xdpr->use_idx;
	u32 nr_frags = 0;
	int i;

	if (unlikely(xdp_frame_has_frags(xdpf)))
		nr_frags = xdp_get_shared_info_from_frame(xdpf)->nr_frags;

	if (unlikely(total < TXGBE_TX_MIN_FRAME_BYTES) && !nr_frags) {
		/* There is room behind it that would be skb_shared_info's. */
		memset(xdpf->data + total, 0, TXGBE_TX_MIN_FRAME_BYTES - total);
		xdpf->len = TXGBE_TX_MIN_FRAME_BYTES;
		total = TXGBE_TX_MIN_FRAME_BYTES;
	}
	/* So no piece is longer than TXGBE_TXD_MAX_LEN. */
	if (unlikely(total < TXGBE_TX_MIN_FRAME_BYTES ||
		     total > TXGBE_MAX_FRAME_BYTES - ETH_FCS_LEN)) {
		txgbe_stat_inc(&xdpr->stats->xmit_syncp, &xdpr->stats->dropped);
		return false;
	}
	if (unlikely(txgbe_tx_unused(xdpr) < 1 + nr_frags)) {
		txgbe_stat_inc(&xdpr->stats->xmit_syncp, &xdpr->stats->busy);
		return false;
	}

	i = txgbe_xdp_put_pieces(xdpr, xdpf, nr_frags, total, own);
	if (unlikely(i < 0)) {
		txgbe_stat_inc(&xdpr->stats->xmit_syncp, &xdpr->stats->map_errors);
		return false;
	}

	first = &xdpr->buf[start];
	first->xdpf = xdpf;
	first->bytes = total;
	first->nr_desc = 1 + nr_frags;
	WRITE_ONCE(xdpr->use_idx, i);
	return true;
}

/**
 * txgbe_xdp_xmit() - ndo_xdp_xmit
 * @dev: net_device
 * @n: frames
 * @frames: the frames
 * @flags: XDP_XMIT_FLUSH: no more will follow, ring the doorbell
 *
 * Context: Bottom halves are off.
 * Return: frames taken, from the first on; -EINVAL for unknown flags; -ENETDOWN
 *	without a link, none is taken then.
 */
int txgbe_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames, u32 flags)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_tx_ring *xdpr;
	int sent;

	if (unlikely(flags & ~XDP_XMIT_FLAGS_MASK))
		return -EINVAL;
	/* txgbe_net_down() waits for those who saw it up. */
	if (unlikely(!test_bit(TXGBE_NET_UP, &fn->state) || !netif_carrier_ok(dev)))
		return -ENETDOWN;

	xdpr = fn->vec[smp_processor_id() % READ_ONCE(fn->nr_vecs)]->xdpr;
	spin_lock(&xdpr->lock);
	if (unlikely(xdpr->off)) {
		spin_unlock(&xdpr->lock);
		return -ENETDOWN;
	}
	for (sent = 0; sent < n; sent++)
		if (!txgbe_xdp_put(xdpr, frames[sent], false))
			break;
	if (flags & XDP_XMIT_FLUSH || sent < n)
		txgbe_tx_flush(xdpr);
	spin_unlock(&xdpr->lock);
	return xdpbuf_xmit_result(frames, n, sent);
}

/* Queue what the program sent back so far. */
static void txgbe_xdp_send_back(struct txgbe_xdp_run *run, bool ring)
{
	struct txgbe_tx_ring *xdpr = run->vec->xdpr;
	u32 taken, i;

	spin_lock(&xdpr->lock);
	for (taken = 0; taken < run->nr_tx; taken++)
		if (!txgbe_xdp_put(xdpr, run->tx[taken], run->own))
			break;
	if (ring || taken < run->nr_tx)
		txgbe_tx_flush(xdpr);
	spin_unlock(&xdpr->lock);

	for (i = taken; i < run->nr_tx; i++)
		xdp_return_frame_rx_napi(run->tx[i]);
	run->sent += taken;
	run->errors += run->nr_tx - taken;
	run->nr_tx = 0;
}

/**
 * txgbe_xdp_add_tx() - a frame is to be sent back
 * @run: poll
 * @xdpf: frame
 *
 * Context: The poll.
 */
void txgbe_xdp_add_tx(struct txgbe_xdp_run *run, struct xdp_frame *xdpf)
{
	run->tx[run->nr_tx++] = xdpf;
	if (run->nr_tx == TXGBE_XDP_BULK)
		txgbe_xdp_send_back(run, false);
}

/**
 * txgbe_xdp_clean() - free what the device has sent for XDP
 * @xdpr: transmit ring of XDP
 *
 * Context: The poll of the ring's vector, with a budget.
 */
void txgbe_xdp_clean(struct txgbe_tx_ring *xdpr)
{
	unsigned int packets = 0, bytes = 0;
	bool bad = false, need_unmap;
	struct xdp_frame_bulk bulk;
	u32 i = xdpr->clean_idx;
	struct txgbe_tx_buf *buf;
	u32 done, next, xsk = 0;

	done = txgbe_tx_nr_done(xdpr, &bad);
	if (unlikely(bad))
		txgbe_stat_inc(&xdpr->stats->syncp, &xdpr->stats->bad_heads);
	if (!done)
		return;

	need_unmap = dma_need_unmap(xdpr->dma_dev);
	xdp_frame_bulk_init(&bulk);
	rcu_read_lock();	/* the bulk looks for the frames' allocator */
	for (buf = &xdpr->buf[i]; done && buf->nr_desc <= done; buf = &xdpr->buf[i]) {
		done -= buf->nr_desc;
		next = i + buf->nr_desc;
		if (next >= xdpr->size)
			next -= xdpr->size;

		bytes += buf->bytes;
		packets++;
		if (need_unmap)
			txgbe_tx_unmap(xdpr, i, next);
		if (buf->xdpf)
			xdp_return_frame_bulk(buf->xdpf, &bulk);
		else
			xsk++;
		i = next;
	}
	xdp_flush_frame_bulk(&bulk);
	rcu_read_unlock();
	WRITE_ONCE(xdpr->clean_idx, i);
	if (xsk)
		txgbe_xsk_sent(xdpr, xsk);

	u64_stats_update_begin(&xdpr->stats->syncp);
	u64_stats_add(&xdpr->stats->packets, packets);
	u64_stats_add(&xdpr->stats->bytes, bytes);
	u64_stats_update_end(&xdpr->stats->syncp);
}

/**
 * txgbe_xdp_drain() - drop all frames in a transmit ring of XDP and reset it
 * @xdpr: ring; neither the device nor anybody else uses it
 *
 * Context: Process context.
 */
void txgbe_xdp_drain(struct txgbe_tx_ring *xdpr)
{
	u32 i = xdpr->clean_idx;
	struct txgbe_tx_buf *buf;
	u32 dropped = 0;
	u32 next, xsk = 0;

	while (i != xdpr->use_idx) {
		buf = &xdpr->buf[i];
		next = i + buf->nr_desc;
		if (next >= xdpr->size)
			next -= xdpr->size;
		txgbe_tx_unmap(xdpr, i, next);
		if (buf->xdpf)
			xdp_return_frame(buf->xdpf);
		else
			xsk++;
		dropped++;
		i = next;
	}
	if (xsk)
		txgbe_xsk_sent(xdpr, xsk);
	u64_stats_update_begin(&xdpr->stats->xmit_syncp);
	u64_stats_add(&xdpr->stats->dropped, dropped);
	u64_stats_update_end(&xdpr->stats->xmit_syncp);
	txgbe_tx_reset(xdpr);
}

/* ---- Receive ----------------------------------------------------------- */

static u32 txgbe_xdp_next(const struct txgbe_rx_ring *rxr, u32 i)
{
	i++;
	return unlikely(i == rxr->size) ? 0 : i;
}

/*
 * Descriptors of the frame that begins in slot @i: 0 if its last one has not
 * come, @most also for one that should have ended by then.
 */
static u32 txgbe_xdp_peek(const struct txgbe_rx_ring *rxr, u32 i, u32 owned, u32 most,
			  u32 *status)
{
	u32 nr;

	for (nr = 1; nr <= owned; nr++) {
		*status = le32_to_cpu(READ_ONCE(rxr->desc[i].wb.status));
		if (!(*status & TXGBE_RXD_STA_DD))
			return 0;
		if (*status & TXGBE_RXD_STA_EOP || nr == most) {
			/* The rest of the descriptors, and the data, after the done bit. */
			dma_rmb();
			return nr;
		}
		i = txgbe_xdp_next(rxr, i);
	}
	return 0;
}

/*
 * Read the lengths of a frame's buffers, once: memory that the device writes
 * may change. Return: whether they are possible, and the program can take so
 * many buffers.
 */
static bool txgbe_xdp_measure(const struct txgbe_rx_ring *rxr, u32 i, u32 nr, u32 status,
			      const struct bpf_prog *prog, u16 *len)
{
	len[0] = le16_to_cpu(READ_ONCE(rxr->desc[i].wb.len));
	if (len[0] < ETH_HLEN || len[0] > TXGBE_RX_BUF_BYTES)
		return false;
	if (likely(nr == 1))
		return true;
	if (!(status & TXGBE_RXD_STA_EOP) || !xdpbuf_prog_takes_frags(prog))
		return false;
	while (--nr) {
		i = txgbe_xdp_next(rxr, i);
		*++len = le16_to_cpu(READ_ONCE(rxr->desc[i].wb.len));
		if (!*len || *len > TXGBE_RX_BUF_BYTES)
			return false;
	}
	return true;
}

/* Let the frame in @nr slots from @i on be one; fragments leave their slots. */
static void txgbe_xdp_prepare(struct txgbe_rx_ring *rxr, u32 i, u32 nr, const u16 *len,
			      struct txgbe_xdp_buff *xbuf)
{
	struct txgbe_rx_buf *buf = &rxr->buf[i];
	void *va = page_address(buf->page) + buf->offset;

	net_prefetch(va + TXGBE_RX_HEADROOM);
	rxpool_sync_for_cpu(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, *len);
	xdp_init_buff(&xbuf->xdp, rxpool_truesize(TXGBE_RX_SLOT_BYTES), &rxr->xdp_rxq);
	xdp_prepare_buff(&xbuf->xdp, va, TXGBE_RX_HEADROOM, *len, true);

	while (--nr) {
		i = txgbe_xdp_next(rxr, i);
		buf = &rxr->buf[i];
		len++;
		rxpool_sync_for_cpu(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, *len);
		xdpbuf_add_frag(&xbuf->xdp, buf->page, buf->offset + TXGBE_RX_HEADROOM, *len);
		buf->page = NULL;
	}
	xbuf->desc = &rxr->desc[i];
}

/* The frame goes no further: its first buffer stays in its slot. */
static void txgbe_xdp_drop(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *head,
			   struct xdp_buff *xdp)
{
	xdpbuf_drop_frags(xdp, rxr->pool);
	/* The program may have written to it. */
	rxpool_sync_for_device(rxr->pool, head->page, head->offset + TXGBE_RX_HEADROOM,
			       TXGBE_RX_BUF_BYTES);
}

/*
 * Run the program on one frame and do what it says. Who takes the frame takes
 * the page of its first buffer out of its slot.
 * Return: an skb if the stack is to have it.
 */
static struct sk_buff *txgbe_xdp_frame(struct txgbe_xdp_run *run, struct txgbe_rx_buf *head,
				       struct xdp_buff *xdp)
{
	struct txgbe_rx_ring *rxr = run->vec->rxr;
	struct xdp_frame *xdpf;
	struct sk_buff *skb;
	u32 act;

	act = bpf_prog_run_xdp(run->prog, xdp);
	switch (act) {
	case XDP_PASS:
		skb = xdpbuf_build_skb(xdp, rxr->pool, head->page,
				       rxpool_truesize(TXGBE_RX_SLOT_BYTES));
		if (unlikely(!skb)) {
			txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->no_skb);
			break;
		}
		head->page = NULL;
		run->pass++;
		return skb;
	case XDP_TX:
		xdpf = xdp_convert_buff_to_frame(xdp);
		if (unlikely(!xdpf)) {
			run->errors++;
			break;
		}
		head->page = NULL;
		txgbe_xdp_add_tx(run, xdpf);
		return NULL;
	case XDP_REDIRECT:
		if (unlikely(xdp_do_redirect(rxr->netdev, xdp, run->prog))) {
			run->errors++;
			break;
		}
		head->page = NULL;
		run->redirect++;
		return NULL;
	default:
		bpf_warn_invalid_xdp_action(rxr->netdev, run->prog, act);
		fallthrough;
	case XDP_ABORTED:
		trace_xdp_exception(rxr->netdev, run->prog, act);
		run->aborted++;
		break;
	case XDP_DROP:
		run->drop++;
		break;
	}

	txgbe_xdp_drop(rxr, head, xdp);
	return NULL;
}

/* A frame that no program sees. */
static void txgbe_xdp_bad_frame(struct txgbe_rx_ring *rxr, u32 status, u64_stats_t *counter)
{
	txgbe_stat_inc(&rxr->stats->syncp, counter);
	/* Without an end, more of it may come. */
	if (!(status & TXGBE_RXD_STA_EOP))
		rxr->skb = TXGBE_RX_SKIP;
}

/* The frame in @nr slots from @i on. Return: an skb if the stack is to have it. */
static struct sk_buff *txgbe_xdp_receive(struct txgbe_xdp_run *run, u32 i, u32 nr, u32 status)
{
	struct txgbe_rx_ring *rxr = run->vec->rxr;
	u16 len[TXGBE_RX_MAX_CHAIN];
	struct txgbe_xdp_buff xbuf;

	if (unlikely(!txgbe_xdp_measure(rxr, i, nr, status, run->prog, len))) {
		txgbe_xdp_bad_frame(rxr, status, &rxr->stats->length_errors);
		return NULL;
	}
	if (unlikely(status & TXGBE_RXD_ERR_RXE)) {
		txgbe_xdp_bad_frame(rxr, status, &rxr->stats->mac_errors);
		return NULL;
	}

	txgbe_xdp_prepare(rxr, i, nr, len, &xbuf);
	run->packets++;
	run->bytes += xdp_get_buff_len(&xbuf.xdp);
	return txgbe_xdp_frame(run, &rxr->buf[i], &xbuf.xdp);
}

/**
 * txgbe_xdp_finish() - what a poll owes in the end
 * @run: poll
 *
 * Context: The poll.
 */
void txgbe_xdp_finish(struct txgbe_xdp_run *run)
{
	struct txgbe_rxq_stats *stats = run->vec->rxr->stats;

	/* Earlier bulks of this poll may be without a doorbell. */
	if (run->nr_tx || run->sent)
		txgbe_xdp_send_back(run, true);
	if (run->redirect)
		xdp_do_flush();

	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->xdp_pass, run->pass);
	u64_stats_add(&stats->xdp_drop, run->drop);
	u64_stats_add(&stats->xdp_tx, run->sent);
	u64_stats_add(&stats->xdp_redirect, run->redirect);
	u64_stats_add(&stats->xdp_aborted, run->aborted);
	u64_stats_add(&stats->xdp_errors, run->errors);
	u64_stats_update_end(&stats->syncp);
}

/**
 * txgbe_xdp_rx() - txgbe_rx_clean() with a program
 * @vec: vector
 * @budget: most frames, 1 or more
 * @prog: program
 *
 * Context: The poll of @vec.
 * Return: as txgbe_rx_clean().
 */
int txgbe_xdp_rx(struct txgbe_vec *vec, int budget, struct bpf_prog *prog)
{
	struct txgbe_xdp_run run = { .vec = vec, .prog = prog, .own = true };
	netdev_features_t features = vec->rxr->netdev->features;
	struct txgbe_rx_ring *rxr = vec->rxr;
	u32 owned = txgbe_rx_owned(rxr);
	union txgbe_rx_desc *desc;
	u32 i = rxr->clean_idx;
	struct sk_buff *skb;
	u32 status, nr;
	int done;

	for (done = 0; done < budget; done++) {
		nr = txgbe_xdp_peek(rxr, i, owned, rxr->skb ? 1 : TXGBE_RX_MAX_CHAIN, &status);
		if (!nr)
			break;

		if (likely(!rxr->skb)) {
			skb = txgbe_xdp_receive(&run, i, nr, status);
		} else {
			/* Passed over, or it began before there was a program. */
			skb = txgbe_rx_chain(rxr, &rxr->buf[i], le16_to_cpu(rxr->desc[i].wb.len),
					     status);
			if (skb) {
				run.packets++;
				run.bytes += skb->len;
			}
		}

		/* To its last descriptor, which tells of the frame. */
		i += nr - 1;
		if (i >= rxr->size)
			i -= rxr->size;
		desc = &rxr->desc[i];
		i = txgbe_xdp_next(rxr, i);
		owned -= nr;

		if (skb) {
			txgbe_rx_set_meta(rxr, desc, skb, status, features);
			napi_gro_receive(&vec->napi, skb);
		}
	}

	txgbe_xdp_finish(&run);
	return likely(txgbe_rx_finish(rxr, i, run.packets, run.bytes)) ? done : budget;
}

/* ---- Hints ------------------------------------------------------------- */

static const enum xdp_rss_hash_type txgbe_xdp_hash_types[] = {
	[TXGBE_RSS_TYPE_NONE]		= XDP_RSS_TYPE_NONE,
	[TXGBE_RSS_TYPE_IPV4_TCP]	= XDP_RSS_TYPE_L4_IPV4_TCP,
	[TXGBE_RSS_TYPE_IPV4]		= XDP_RSS_TYPE_L3_IPV4,
	[TXGBE_RSS_TYPE_IPV6_TCP]	= XDP_RSS_TYPE_L4_IPV6_TCP,
	[TXGBE_RSS_TYPE_IPV4_SCTP]	= XDP_RSS_TYPE_L4_IPV4_SCTP,
	[TXGBE_RSS_TYPE_IPV6]		= XDP_RSS_TYPE_L3_IPV6,
	[TXGBE_RSS_TYPE_IPV6_SCTP]	= XDP_RSS_TYPE_L4_IPV6_SCTP,
	[TXGBE_RSS_TYPE_IPV4_UDP]	= XDP_RSS_TYPE_L4_IPV4_UDP,
	[TXGBE_RSS_TYPE_IPV6_UDP]	= XDP_RSS_TYPE_L4_IPV6_UDP,
};

/* Types above are flow director reports. */
static int txgbe_xdp_hint_hash(const struct xdp_md *ctx, u32 *hash,
			       enum xdp_rss_hash_type *rss_type)
{
	const struct txgbe_xdp_buff *xbuf = (const void *)ctx;
	u32 type = FIELD_GET(TXGBE_RXD0_RSS_TYPE, le32_to_cpu(xbuf->desc->wb.info));

	if (!(xbuf->xdp.rxq->dev->features & NETIF_F_RXHASH) ||
	    type == TXGBE_RSS_TYPE_NONE || type >= ARRAY_SIZE(txgbe_xdp_hash_types))
		return -ENODATA;
	*hash = le32_to_cpu(xbuf->desc->wb.hash);
	*rss_type = txgbe_xdp_hash_types[type];
	return 0;
}

static int txgbe_xdp_hint_vlan_tag(const struct xdp_md *ctx, __be16 *vlan_proto, u16 *vlan_tci)
{
	const struct txgbe_xdp_buff *xbuf = (const void *)ctx;
	const struct txgbe_rx_ring *rxr;

	rxr = container_of(xbuf->xdp.rxq, struct txgbe_rx_ring, xdp_rxq);
	if (!(le32_to_cpu(xbuf->desc->wb.status) & TXGBE_RXD_STA_VP) || !READ_ONCE(rxr->strip))
		return -ENODATA;
	*vlan_proto = txgbe_rx_vlan_proto(le32_to_cpu(xbuf->desc->wb.info));
	*vlan_tci = le16_to_cpu(xbuf->desc->wb.vlan);
	return 0;
}

static const struct xdp_metadata_ops txgbe_xdp_hints = {
	.xmo_rx_hash		= txgbe_xdp_hint_hash,
	.xmo_rx_vlan_tag	= txgbe_xdp_hint_vlan_tag,
};

/* ---- Control ----------------------------------------------------------- */

/**
 * txgbe_xdp_init_netdev() - say what XDP can do here
 * @dev: net_device, not registered yet
 *
 * Context: Process context.
 */
void txgbe_xdp_init_netdev(struct net_device *dev)
{
	xdp_set_features_flag(dev, NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			      NETDEV_XDP_ACT_NDO_XMIT | NETDEV_XDP_ACT_RX_SG |
			      NETDEV_XDP_ACT_NDO_XMIT_SG | NETDEV_XDP_ACT_XSK_ZEROCOPY);
	xdpbuf_set_hints(dev, &txgbe_xdp_hints);
}

/**
 * txgbe_xdp_register_rxq() - make a receive ring and its pool known to XDP
 * @rxr: ring with its pool
 * @vec: its vector
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOMEM or what XDP returned. Nothing is registered then.
 */
int txgbe_xdp_register_rxq(struct txgbe_rx_ring *rxr, struct txgbe_vec *vec)
{
	int err;

	err = __xdp_rxq_info_reg(&rxr->xdp_rxq, rxr->netdev, rxr->idx, vec->napi.napi_id,
				 rxpool_truesize(TXGBE_RX_SLOT_BYTES));
	if (err)
		return err;
	if (rxr->xsk_pool)
		err = txgbe_xsk_register_rxq(rxr);
	else
		err = xdp_rxq_info_reg_mem_model(&rxr->xdp_rxq, MEM_TYPE_PAGE_POOL, rxr->pool);
	if (err) {
		xdp_rxq_info_unreg(&rxr->xdp_rxq);
		return err;
	}
	rxr->xdp_prog = vec->fn->xdp_prog;
	return 0;
}

/**
 * txgbe_xdp_unregister_rxq() - the reverse, before the pool goes
 * @rxr: ring
 *
 * Context: Process context, sleeps, rtnl held. No poll uses the ring.
 */
void txgbe_xdp_unregister_rxq(struct txgbe_rx_ring *rxr)
{
	xdp_rxq_info_unreg(&rxr->xdp_rxq);
}

static bool txgbe_xdp_fits(const struct bpf_prog *prog, int mtu)
{
	return !prog || mtu <= TXGBE_XDP_MAX_MTU || xdpbuf_prog_takes_frags(prog);
}

/**
 * txgbe_xdp_allows_mtu() - can the attached program live with an MTU
 * @fn: net part
 * @mtu: MTU asked for
 *
 * There is no extack here, so the reason goes to the log.
 *
 * Context: Process context, rtnl held.
 * Return: true if so.
 */
bool txgbe_xdp_allows_mtu(const struct txgbe_net *fn, int mtu)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		if (!fn->xsk_pool[i] || txgbe_xsk_fits(fn->xsk_pool[i], mtu))
			continue;
		netdev_info(fn->netdev, "MTU %d refused: an AF_XDP socket's buffers on queue %u take %u KiB\n",
			    mtu, i, txgbe_xsk_buf_kib(fn->xsk_pool[i]));
		return false;
	}
	if (txgbe_xdp_fits(fn->xdp_prog, mtu))
		return true;
	netdev_info(fn->netdev, "MTU %d refused: the XDP program takes frames of one buffer, MTU %u at most\n",
		    mtu, TXGBE_XDP_MAX_MTU);
	return false;
}

/**
 * txgbe_xdp_in_use() - is there a program, or a socket's memory on a queue
 * @fn: net part
 *
 * Context: Process context, rtnl held.
 * Return: true if so.
 */
bool txgbe_xdp_in_use(const struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		if (fn->xsk_pool[i])
			return true;
	return fn->xdp_prog;
}

static int txgbe_xdp_set_prog(struct txgbe_net *fn, struct bpf_prog *prog,
			      struct netlink_ext_ack *extack)
{
	struct bpf_prog *old = fn->xdp_prog;
	struct txgbe_rx_ring *rxr;
	u32 i;

	if (prog && fn->cfg.rings.split) {
		NL_SET_ERR_MSG_MOD(extack, "headers are split from data (-G tcp-data-split)");
		return -EOPNOTSUPP;
	}
	if (!txgbe_xdp_fits(prog, fn->netdev->mtu)) {
		NL_SET_ERR_MSG_MOD(extack, "MTU above " __stringify(TXGBE_XDP_MAX_MTU)
				   " needs a program that takes frames of several buffers (xdp.frags)");
		return -EOPNOTSUPP;
	}

	fn->xdp_prog = prog;
	for (i = 0; i < fn->nr_vecs; i++) {
		rxr = fn->vec[i]->rxr;
		if (rxr)
			WRITE_ONCE(rxr->xdp_prog, prog);
	}
	/* Polls that still run the old one keep it from being freed. */
	if (old)
		bpf_prog_put(old);
	return 0;
}

/**
 * txgbe_xdp_bpf() - ndo_bpf: attach, replace or detach a program or a pool
 * @dev: net_device, open or not
 * @bpf: the command; the program's reference becomes ours
 *
 * A program changes neither the link nor a ring.
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EOPNOTSUPP if the program does not fit the MTU, or headers are
 *	split; what txgbe_xsk_set_pool() returned; -EINVAL for other commands.
 */
int txgbe_xdp_bpf(struct net_device *dev, struct netdev_bpf *bpf)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct xsk_buff_pool *pool;
	u16 queue;

	if (bpf->command == XDP_SETUP_PROG)
		return txgbe_xdp_set_prog(fn, bpf->prog, bpf->extack);
	if (xdpbuf_is_pool(bpf, &pool, &queue))
		return txgbe_xsk_set_pool(fn, pool, queue);
	return xdpbuf_answer(bpf, fn->xdp_prog);
}

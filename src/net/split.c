// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receive with headers apart from data (reference 12 section 9).
 *
 * Each slot of the ring has a header buffer beside its page. The device writes
 * what it recognises as headers there and the rest into the page, so data
 * begins on the buffer's first byte. Headers are copied into an skb and their
 * buffer stays in its slot; the page becomes a fragment. What the device does
 * not take apart, it writes into the page as ever.
 *
 * No XDP program and no AF_XDP memory is on a ring that splits.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/prefetch.h>

#include "compat/rxpool.h"
#include "txgbe/netdev.h"

/**
 * txgbe_split_alloc() - header buffers for a ring
 * @rxr: ring, not in use; its size is known
 * @dev: device that does the DMA
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOMEM.
 */
int txgbe_split_alloc(struct txgbe_rx_ring *rxr, struct device *dev)
{
	rxr->hdr = dma_alloc_coherent(dev, rxr->size * TXGBE_RX_HDR_BYTES, &rxr->hdr_dma,
				      GFP_KERNEL | __GFP_NOWARN);
	return rxr->hdr ? 0 : -ENOMEM;
}

/**
 * txgbe_split_free() - the reverse; does nothing for a ring that does not split
 * @rxr: ring, not in use
 * @dev: device that does the DMA
 *
 * Context: Process context.
 */
void txgbe_split_free(struct txgbe_rx_ring *rxr, struct device *dev)
{
	if (rxr->hdr)
		dma_free_coherent(dev, rxr->size * TXGBE_RX_HDR_BYTES, rxr->hdr, rxr->hdr_dma);
	rxr->hdr = NULL;
}

/**
 * txgbe_split_refill() - tell the device of header buffers
 * @rxr: ring that splits
 * @i: first descriptor that is about to be the device's again
 * @end: the descriptor after the last one
 *
 * Their done bits stay clear: header buffers are aligned.
 *
 * Context: As txgbe_rx_refill().
 */
void txgbe_split_refill(struct txgbe_rx_ring *rxr, u32 i, u32 end)
{
	while (i != end) {
		rxr->desc[i].read.hdr_addr = cpu_to_le64(rxr->hdr_dma + i * TXGBE_RX_HDR_BYTES);
		if (++i == rxr->size)
			i = 0;
	}
}

/*
 * Short frames are copied whole, see TXGBE_RX_COPY_BYTES, but not those of
 * TCP that were taken apart: whoever asks for the split wants the data where
 * it is.
 */
static bool txgbe_split_copies(u32 info, u32 status, u32 bytes)
{
	u8 ptype = FIELD_GET(TXGBE_RXD0_PTYPE, info);

	if (!(status & TXGBE_RXD_STA_EOP) || bytes > TXGBE_RX_COPY_BYTES)
		return false;
	return !(info & TXGBE_RXD0_SPH) || FIELD_GET(TXGBE_PTYPE_L4, ptype) != TXGBE_PTYPE_L4_TCP;
}

/*
 * An skb of the headers in slot @i, if they are apart, and the @len bytes in
 * its page.
 */
static struct sk_buff *txgbe_split_build(struct txgbe_rx_ring *rxr, u32 i, u32 info, u32 status,
					 u32 len)
{
	u32 hdr_len = info & TXGBE_RXD0_SPH ? FIELD_GET(TXGBE_RXD0_HDR_LEN, info) : 0;
	u32 least = info & TXGBE_RXD0_SPH ? hdr_len : len;
	struct txgbe_rx_buf *buf = &rxr->buf[i];
	void *hdr = rxr->hdr + i * TXGBE_RX_HDR_BYTES;
	struct sk_buff *skb;
	bool copy;

	if (least < ETH_HLEN || hdr_len > TXGBE_RX_HDR_BYTES || len > TXGBE_RX_BUF_BYTES ||
	    (!len && !(status & TXGBE_RXD_STA_EOP))) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
		return NULL;
	}

	net_prefetch(hdr);
	copy = txgbe_split_copies(info, status, hdr_len + len);
	skb = napi_alloc_skb(rxr->napi, copy ? hdr_len + len : hdr_len);
	if (unlikely(!skb)) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->no_skb);
		return NULL;
	}
	skb_put_data(skb, hdr, hdr_len);
	if (!len)
		return skb;
	if (!copy) {
		txgbe_rx_append(rxr, buf, skb, len);
		return skb;
	}

	rxpool_sync_for_cpu(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, len);
	skb_put_data(skb, page_address(buf->page) + buf->offset + TXGBE_RX_HEADROOM, len);
	rxpool_sync_for_device(rxr->pool, buf->page, buf->offset + TXGBE_RX_HEADROOM, len);
	return skb;
}

/*
 * The buffer in slot @i begins a frame that was taken apart, or goes on with it,
 * or is a short frame.
 * Return: the frame once it is whole, else NULL.
 */
static struct sk_buff *txgbe_split_take(struct txgbe_rx_ring *rxr, u32 i, u32 info, u32 status,
					u32 len)
{
	bool last = status & TXGBE_RXD_STA_EOP;
	struct sk_buff *skb = rxr->skb;

	if (!skb) {
		skb = txgbe_split_build(rxr, i, info, status, len);
		if (!skb)
			goto out_dropped;
		rxr->split = true;
	} else {
		/* The headers are no fragment, so one more fits than in txgbe_rx_chain(). */
		if (!len || len > TXGBE_RX_BUF_BYTES ||
		    skb_shinfo(skb)->nr_frags >= TXGBE_RX_MAX_CHAIN) {
			txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
			goto err_free;
		}
		txgbe_rx_append(rxr, &rxr->buf[i], skb, len);
	}

	rxr->skb = last ? NULL : skb;
	if (!last)
		return NULL;
	rxr->split = false;
	if (likely(!(status & TXGBE_RXD_ERR_RXE)))
		return skb;
	txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->mac_errors);

err_free:
	dev_kfree_skb_any(skb);
out_dropped:
	rxr->split = false;
	rxr->skb = last ? NULL : TXGBE_RX_SKIP;
	return NULL;
}

/**
 * txgbe_split_rx() - txgbe_rx_clean() of a ring that splits
 * @vec: vector
 * @budget: most descriptors, 1 or more
 *
 * Context: The poll of @vec.
 * Return: as txgbe_rx_clean().
 */
int txgbe_split_rx(struct txgbe_vec *vec, int budget)
{
	struct txgbe_rx_ring *rxr = vec->rxr;
	netdev_features_t features = rxr->netdev->features;
	unsigned int packets = 0, bytes = 0;
	u32 i = rxr->clean_idx;
	u32 status, info, len;
	union txgbe_rx_desc *desc;
	struct sk_buff *skb;
	int most, left;

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
		info = le32_to_cpu(desc->wb.info);
		if (rxr->split ||
		    (!rxr->skb && (info & TXGBE_RXD0_SPH || txgbe_split_copies(info, status, len))))
			skb = txgbe_split_take(rxr, i, info, status, len);
		else
			skb = txgbe_rx_chain(rxr, &rxr->buf[i], len, status);
		if (unlikely(++i == rxr->size))
			i = 0;
		if (!skb)
			continue;

		packets++;
		bytes += skb->len;
		txgbe_rx_set_meta(rxr, desc, skb, status, features);
		napi_gro_receive(rxr->napi, skb);
	}
	return likely(txgbe_rx_finish(rxr, i, packets, bytes)) ? most - left : budget;
}

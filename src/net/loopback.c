// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames through the MAC's loopback. Part of the self-test.
 *
 * The rings and gates are those of a port that is up; interrupts and NAPI are
 * off, so descriptors are written and read here. What is sent goes through
 * DMA, the transmit path, the MAC, the address filter and back into memory.
 *
 * Frames of the partner that were on their way when the loop was closed, or
 * that arrive all the same, are passed over.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>

#include "compat/rxpool.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/* Frames of each length in turn; with the header, without FCS. */
static const u16 txgbe_loopback_lens[] = { 60, 61, 512, 1514 };

#define TXGBE_LOOPBACK_MAX_LEN		1514
/* Each costs a descriptor of the receive ring, which is not refilled. */
#define TXGBE_LOOPBACK_FRAMES		64
#define TXGBE_LOOPBACK_STEP_US		100
#define TXGBE_LOOPBACK_LIMIT_US		200000

static_assert(TXGBE_RING_MIN_DESC - 1 > TXGBE_LOOPBACK_FRAMES);
static_assert(TXGBE_LOOPBACK_MAX_LEN <= TXGBE_RX_BUF_BYTES);

/**
 * struct txgbe_loopback - one run
 * @fn: net part
 * @frame: the frame being sent
 * @dma: its bus address
 * @tx_idx: next transmit descriptor, by queue
 * @rx_idx: next receive descriptor of queue 0, where frames without IP go
 * @back: what came back
 */
struct txgbe_loopback {
	struct txgbe_net *fn;
	u8 *frame;
	dma_addr_t dma;
	u32 tx_idx[TXGBE_MAX_QUEUES];
	u32 rx_idx;
	u8 back[TXGBE_RX_HDR_BYTES + TXGBE_RX_BUF_BYTES];
};

/* To ourselves, in a protocol nobody listens to; every frame differs. */
static void txgbe_loopback_fill(struct txgbe_loopback *lb, u32 seq, u32 len)
{
	struct ethhdr *eth = (struct ethhdr *)lb->frame;
	u32 i;

	ether_addr_copy(eth->h_dest, lb->fn->netdev->dev_addr);
	ether_addr_copy(eth->h_source, lb->fn->netdev->dev_addr);
	eth->h_proto = htons(ETH_P_LOOPBACK);
	for (i = ETH_HLEN; i < len; i++)
		lb->frame[i] = i * 7 + seq * 31;
}

static void txgbe_loopback_send(struct txgbe_loopback *lb, u32 queue, u32 len)
{
	struct txgbe_tx_ring *txr = lb->fn->vec[queue]->txr;
	struct txgbe_tx_data_desc *desc = &txr->desc[lb->tx_idx[queue]];

	dma_sync_single_for_device(txr->dma_dev, lb->dma, TXGBE_LOOPBACK_MAX_LEN, DMA_TO_DEVICE);
	desc->addr = cpu_to_le64(lb->dma);
	desc->status = cpu_to_le32(FIELD_PREP(TXGBE_TXD_STA_PAYLEN, len));
	desc->cmd_len = cpu_to_le32(TXGBE_TXD_IFCS | TXGBE_TXD_EOP | TXGBE_TXD_RS | len);
	lb->tx_idx[queue] = (lb->tx_idx[queue] + 1) % txr->size;
	/* writel() orders the descriptor before the doorbell. */
	writel(lb->tx_idx[queue], txr->tail);
}

static u32 txgbe_loopback_status(const union txgbe_rx_desc *desc)
{
	return le32_to_cpu(READ_ONCE(desc->wb.status));
}

/* Wait for the next descriptor. Return: its status; 0 after some 200 ms */
static u32 txgbe_loopback_next(struct txgbe_loopback *lb)
{
	const union txgbe_rx_desc *desc = &lb->fn->vec[0]->rxr->desc[lb->rx_idx];
	u32 status;

	if (read_poll_timeout(txgbe_loopback_status, status, status & TXGBE_RXD_STA_DD,
			      TXGBE_LOOPBACK_STEP_US, TXGBE_LOOPBACK_LIMIT_US, false, desc))
		return 0;
	/* The rest of the descriptor, and the data, after the done bit. */
	dma_rmb();
	return status;
}

/* Whose frame is it? Sender and kind are ours in no other. */
static bool txgbe_loopback_is_ours(const struct txgbe_loopback *lb)
{
	const struct ethhdr *eth = (const struct ethhdr *)lb->back;

	return ether_addr_equal(eth->h_source, lb->fn->netdev->dev_addr) &&
	       eth->h_proto == htons(ETH_P_LOOPBACK);
}

/*
 * Put together what is in slot @i: a ring that splits has the Ethernet header
 * in a buffer of its own.
 * Return: bytes of it; 0 if the descriptor makes no sense
 */
static u32 txgbe_loopback_gather(struct txgbe_loopback *lb, u32 i)
{
	struct txgbe_rx_ring *rxr = lb->fn->vec[0]->rxr;
	u32 info = le32_to_cpu(rxr->desc[i].wb.info);
	u32 len = le16_to_cpu(rxr->desc[i].wb.len);
	struct txgbe_rx_buf *buf = &rxr->buf[i];
	u32 offset = buf->offset + TXGBE_RX_HEADROOM;
	u32 hdr_len = 0;

	if (rxr->hdr && info & TXGBE_RXD0_SPH)
		hdr_len = FIELD_GET(TXGBE_RXD0_HDR_LEN, info);
	if (hdr_len > TXGBE_RX_HDR_BYTES || len > TXGBE_RX_BUF_BYTES)
		return 0;
	if (hdr_len)
		memcpy(lb->back, rxr->hdr + i * TXGBE_RX_HDR_BYTES, hdr_len);
	rxpool_sync_for_cpu(rxr->pool, buf->page, offset, len);
	memcpy(lb->back + hdr_len, page_address(buf->page) + offset, len);
	return hdr_len + len;
}

static int txgbe_loopback_compare(struct txgbe_loopback *lb, u32 queue, u32 len, u32 got)
{
	if (got == len && !memcmp(lb->back, lb->frame, len))
		return 0;
	netdev_err(lb->fn->netdev, "self-test: frame of %u bytes on queue %u came back with %u bytes%s\n",
		   len, queue, got, got == len ? ", other content" : "");
	return -EIO;
}

/* Wait for one frame and compare it with what was sent. */
static int txgbe_loopback_receive(struct txgbe_loopback *lb, u32 queue, u32 len)
{
	struct txgbe_rx_ring *rxr = lb->fn->vec[0]->rxr;
	bool whole = true;
	u32 status, got;

	while (lb->rx_idx < rxr->size - 1) {
		bool first = whole;

		status = txgbe_loopback_next(lb);
		if (!status)
			break;
		got = txgbe_loopback_gather(lb, lb->rx_idx++);
		/* A long one of the partner's takes several. */
		whole = status & TXGBE_RXD_STA_EOP;
		if (!first || !whole || status & TXGBE_RXD_ERR_RXE || got < ETH_HLEN)
			continue;
		if (txgbe_loopback_is_ours(lb))
			return txgbe_loopback_compare(lb, queue, len, got);
	}
	netdev_err(lb->fn->netdev, "self-test: frame of %u bytes on queue %u did not come back in %u ms\n",
		   len, queue, TXGBE_LOOPBACK_LIMIT_US / 1000);
	return txgbe_present(lb->fn->fd) ? -ETIMEDOUT : -ENODEV;
}

static int txgbe_loopback_frames(struct txgbe_loopback *lb)
{
	u32 nr = max_t(u32, lb->fn->nr_vecs, ARRAY_SIZE(txgbe_loopback_lens));
	u32 most = min_t(u32, lb->fn->netdev->mtu + ETH_HLEN, TXGBE_LOOPBACK_MAX_LEN);
	u32 seq, queue, len;
	int err;

	for (seq = 0; seq < min_t(u32, nr, TXGBE_LOOPBACK_FRAMES); seq++) {
		queue = seq % lb->fn->nr_vecs;
		len = min_t(u32, txgbe_loopback_lens[seq % ARRAY_SIZE(txgbe_loopback_lens)], most);
		txgbe_loopback_fill(lb, seq, len);
		txgbe_loopback_send(lb, queue, len);
		err = txgbe_loopback_receive(lb, queue, len);
		if (err)
			return err;
	}
	return 0;
}

static int txgbe_loopback_run(struct txgbe_loopback *lb)
{
	struct txgbe_net *fn = lb->fn;
	struct txgbe_dev *fd = fn->fd;
	int err;

	err = txgbe_net_start_hw(fn);
	if (!err && fn->vec[0]->rxr->xsk_pool)
		err = -EBUSY;	/* the buffers are a socket's */
	if (!err) {
		txgbe_mac_set_loopback(fd, true);
		err = txgbe_loopback_frames(lb);
		txgbe_mac_set_loopback(fd, false);
	}
	/* These frames are nobody's: no counter shows them. */
	txgbe_hw_clear_stats(fd);
	txgbe_net_stop_hw(fn);
	return err;
}

/**
 * txgbe_loopback_test() - send frames of several sizes to ourselves
 * @fn: net part; the port is down and reset, rings are allocated and empty
 *
 * Every transmit queue sends at least one; nothing reaches the wire, the stack
 * or a counter. What fails is logged.
 *
 * Context: Process context, sleeps, mostly some ms, at most 200 ms and a
 * reset, rtnl held.
 * Return: 0; -ETIMEDOUT if a frame does not come back; -EIO if it comes back
 *	changed; -EBUSY if buffers belong to an AF_XDP socket; -ENOMEM; -ENODEV.
 */
int txgbe_loopback_test(struct txgbe_net *fn)
{
	struct txgbe_loopback *lb;
	int err = -ENOMEM;

	lb = kzalloc_obj(*lb);
	if (!lb)
		return -ENOMEM;
	lb->fn = fn;
	lb->frame = kzalloc(TXGBE_LOOPBACK_MAX_LEN, GFP_KERNEL);
	if (!lb->frame)
		goto out_free;
	lb->dma = dma_map_single(fn->fd->dev, lb->frame, TXGBE_LOOPBACK_MAX_LEN, DMA_TO_DEVICE);
	if (dma_mapping_error(fn->fd->dev, lb->dma))
		goto out_free;

	err = txgbe_loopback_run(lb);
	/* The device was stopped: nothing reads the frame any more. */
	dma_unmap_single(fn->fd->dev, lb->dma, TXGBE_LOOPBACK_MAX_LEN, DMA_TO_DEVICE);
out_free:
	kfree(lb->frame);
	kfree(lb);
	return err;
}

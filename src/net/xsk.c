// SPDX-License-Identifier: GPL-2.0-only
/*
 * AF_XDP without copies: receive into, and transmit from, memory of a socket.
 *
 * A pool of such memory belongs to one queue pair. The receive ring of the
 * pair then holds buffers of the pool instead of pages; frames are of one
 * buffer, so the pool's chunks must hold a frame of the MTU. What is to be
 * sent goes out on the pair's transmit ring of XDP. To give or to take a pool
 * is to exchange these two rings; the other queues and the link notice nothing.
 */
#include <linux/bitfield.h>
#include <linux/bpf_trace.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <net/xdp_sock_drv.h>

#include "compat/xdpbuf.h"
#include "txgbe/netdev.h"

#include "xdp.h"

/* Frames taken from a socket's ring in one poll; more make another poll. */
#define TXGBE_XSK_TX_BUDGET	256

/* ---- Receive ----------------------------------------------------------- */

/**
 * txgbe_xsk_buf_kib() - what the device may write into a buffer of a pool
 * @pool: pool
 *
 * Context: Any.
 * Return: KiB, 0 if chunks are too small.
 */
u32 txgbe_xsk_buf_kib(struct xsk_buff_pool *pool)
{
	return min_t(u32, xsk_pool_get_rx_frame_size(pool) / SZ_1K,
		     FIELD_MAX(TXGBE_PX_RR_CFG_BUF_SZ));
}

/**
 * txgbe_xsk_fits() - can a frame of an MTU be one buffer of a pool, and the reverse
 * @pool: pool
 * @mtu: MTU
 *
 * Context: Any.
 * Return: true if so.
 */
bool txgbe_xsk_fits(struct xsk_buff_pool *pool, int mtu)
{
	/* So no frame to be sent is longer than the device takes, or than a descriptor. */
	if (xsk_pool_get_chunk_size(pool) > TXGBE_MAX_FRAME_BYTES - ETH_FCS_LEN)
		return false;
	return mtu + TXGBE_FRAME_OVERHEAD_BYTES - ETH_FCS_LEN <= txgbe_xsk_buf_kib(pool) * SZ_1K;
}

/**
 * txgbe_xsk_refill() - txgbe_rx_refill() from a pool
 * @rxr: ring with a pool
 * @nr: how many, at most size - 1 - txgbe_rx_owned()
 *
 * Context: The poll, or process context while NAPI is disabled.
 */
void txgbe_xsk_refill(struct txgbe_rx_ring *rxr, u32 nr)
{
	u32 i = rxr->use_idx;
	union txgbe_rx_desc *desc;
	struct txgbe_rx_buf *buf;

	for (; nr; nr--) {
		desc = &rxr->desc[i];
		buf = &rxr->buf[i];
		if (!buf->xdp) {
			buf->xdp = xsk_buff_alloc(rxr->xsk_pool);
			if (!buf->xdp)
				break;
		}
		desc->read.pkt_addr = cpu_to_le64(xsk_buff_xdp_get_dma(buf->xdp));
		desc->read.hdr_addr = 0;	/* the done bit, too */
		if (unlikely(++i == rxr->size))
			i = 0;
	}

	if (i != rxr->use_idx) {
		rxr->use_idx = i;
		/* writel() orders the descriptors before the doorbell. */
		writel(i, rxr->tail);
	}
	/* The socket's owner is to tell when there are buffers again. */
	if (xsk_uses_need_wakeup(rxr->xsk_pool)) {
		if (nr)
			xsk_set_rx_need_wakeup(rxr->xsk_pool);
		else
			xsk_clear_rx_need_wakeup(rxr->xsk_pool);
	}
}

/* The stack gets a copy: the buffer is the socket's. */
static struct sk_buff *txgbe_xsk_build_skb(struct txgbe_vec *vec, struct xdp_buff *xdp)
{
	u32 metasize = xdp->data - xdp->data_meta;
	u32 len = xdp->data_end - xdp->data_meta;
	struct sk_buff *skb;

	skb = napi_alloc_skb(&vec->napi, len);
	if (unlikely(!skb))
		return NULL;
	skb_put_data(skb, xdp->data_meta, len);
	if (metasize) {
		__skb_pull(skb, metasize);
		skb_metadata_set(skb, metasize);
	}
	return skb;
}

/* As txgbe_xdp_frame(); the buffer is gone from its slot in any case. */
static struct sk_buff *txgbe_xsk_frame(struct txgbe_xdp_run *run, struct xdp_buff *xdp)
{
	struct txgbe_rx_ring *rxr = run->vec->rxr;
	u32 act = run->prog ? bpf_prog_run_xdp(run->prog, xdp) : XDP_PASS;
	struct xdp_frame *xdpf;
	struct sk_buff *skb;

	switch (act) {
	case XDP_REDIRECT:
		if (unlikely(xdp_do_redirect(rxr->netdev, xdp, run->prog))) {
			run->errors++;
			break;
		}
		run->redirect++;
		return NULL;
	case XDP_PASS:
		skb = txgbe_xsk_build_skb(run->vec, xdp);
		if (skb)
			run->pass += !!run->prog;
		else
			txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->no_skb);
		xsk_buff_free(xdp);
		return skb;
	case XDP_TX:
		/* A copy; the buffer is free again. */
		xdpf = xdp_convert_buff_to_frame(xdp);
		if (unlikely(!xdpf)) {
			run->errors++;
			break;
		}
		txgbe_xdp_add_tx(run, xdpf);
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

	xsk_buff_free(xdp);
	return NULL;
}

/* A descriptor that is done. Return: an skb if the stack is to have the frame. */
static struct sk_buff *txgbe_xsk_receive(struct txgbe_xdp_run *run, u32 i, u32 status)
{
	struct txgbe_rx_ring *rxr = run->vec->rxr;
	u32 len = le16_to_cpu(READ_ONCE(rxr->desc[i].wb.len));
	bool last = status & TXGBE_RXD_STA_EOP;
	struct xdp_buff *xdp = rxr->buf[i].xdp;
	bool skip = rxr->skb == TXGBE_RX_SKIP;

	/* A buffer that is not used stays in its slot. */
	rxr->skb = last ? NULL : TXGBE_RX_SKIP;
	if (unlikely(skip))
		return NULL;
	if (unlikely(!last || len < ETH_HLEN || len > rxr->buf_kib * SZ_1K)) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->length_errors);
		return NULL;
	}
	if (unlikely(status & TXGBE_RXD_ERR_RXE)) {
		txgbe_stat_inc(&rxr->stats->syncp, &rxr->stats->mac_errors);
		return NULL;
	}

	rxr->buf[i].xdp = NULL;
	xsk_buff_set_size(xdp, len);
	xsk_buff_dma_sync_for_cpu(xdp);
	XSK_CHECK_PRIV_TYPE(struct txgbe_xdp_buff);
	if (xdpbuf_zc_has_room())
		container_of(xdp, struct txgbe_xdp_buff, xdp)->desc = &rxr->desc[i];
	run->packets++;
	run->bytes += len;
	return txgbe_xsk_frame(run, xdp);
}

/**
 * txgbe_xsk_rx() - txgbe_rx_clean() of a ring with a pool
 * @vec: vector
 * @budget: most frames, 1 or more
 *
 * Context: The poll of @vec.
 * Return: frames handled; @budget if polling has to go on for lack of buffers.
 */
int txgbe_xsk_rx(struct txgbe_vec *vec, int budget)
{
	struct txgbe_rx_ring *rxr = vec->rxr;
	struct txgbe_xdp_run run = { .vec = vec, .prog = READ_ONCE(rxr->xdp_prog) };
	netdev_features_t features = rxr->netdev->features;
	u32 owned = txgbe_rx_owned(rxr);
	u32 i = rxr->clean_idx;
	struct sk_buff *skb;
	u32 status;
	int done;

	for (done = 0; owned && done < budget; done++) {
		status = le32_to_cpu(READ_ONCE(rxr->desc[i].wb.status));
		if (!(status & TXGBE_RXD_STA_DD))
			break;
		/* The rest of the descriptor, and the data, after the done bit. */
		dma_rmb();

		skb = txgbe_xsk_receive(&run, i, status);
		if (skb) {
			txgbe_rx_set_meta(rxr, &rxr->desc[i], skb, status, features);
			napi_gro_receive(&vec->napi, skb);
		}
		owned--;
		if (unlikely(++i == rxr->size))
			i = 0;
	}

	txgbe_xdp_finish(&run);
	if (likely(txgbe_rx_finish(rxr, i, run.packets, run.bytes)))
		return done;
	/* Who uses need_wakeup wakes us, and nobody else can. */
	return xsk_uses_need_wakeup(rxr->xsk_pool) ? done : budget;
}

/* ---- Transmit ---------------------------------------------------------- */

/* Descriptors that a frame takes at most: itself, and zeros behind it */
#define TXGBE_XSK_TX_WORST_DESC	2

static void txgbe_xsk_put_desc(struct txgbe_tx_ring *xdpr, u32 i, dma_addr_t dma, u32 cmd_len,
			       u32 total)
{
	struct txgbe_tx_data_desc *desc = &xdpr->desc[i];

	xdpr->buf[i].len = 0;
	desc->addr = cpu_to_le64(dma);
	desc->status = cpu_to_le32(FIELD_PREP(TXGBE_TXD_STA_PAYLEN, total));
	desc->cmd_len = cpu_to_le32(TXGBE_TXD_IFCS | cmd_len);
}

/* Zeros for the last @len bytes of a frame that is too short. */
static void txgbe_xsk_put_zeros(struct txgbe_tx_ring *xdpr, u32 i, u32 len)
{
	const struct txgbe_net *fn = netdev_priv(xdpr->netdev);

	txgbe_xsk_put_desc(xdpr, i, fn->devmem_dma + offsetof(struct txgbe_devmem, zeros),
			   len | TXGBE_TXD_EOP | TXGBE_TXD_RS, 0);
}

/*
 * Queue one frame, of a length that the pool's chunks have room for. The caller
 * holds the ring's lock. Return: descriptors taken.
 */
static u32 txgbe_xsk_put(struct txgbe_tx_ring *xdpr, const struct xdp_desc *frame)
{
	dma_addr_t dma = xsk_buff_raw_get_dma(xdpr->xsk_pool, frame->addr);
	u32 total = max_t(u32, frame->len, TXGBE_TX_MIN_FRAME_BYTES);
	u32 i = xdpr->use_idx, nr_desc = 1, len = total;
	struct txgbe_tx_buf *buf = &xdpr->buf[i];

	/* What is behind a tiny frame belongs to the same owner, up to the end of the page. */
	if (offset_in_page(dma) + total > PAGE_SIZE && frame->len < total)
		len = frame->len;
	xsk_buff_raw_dma_sync_for_device(xdpr->xsk_pool, dma, len);

	buf->xdpf = NULL;
	buf->bytes = total;
	if (likely(len == total)) {
		txgbe_xsk_put_desc(xdpr, i, dma, len | TXGBE_TXD_EOP | TXGBE_TXD_RS, total);
	} else {
		txgbe_xsk_put_desc(xdpr, i, dma, len, total);
		i = txgbe_tx_next(xdpr, i);
		txgbe_xsk_put_zeros(xdpr, i, total - len);
		nr_desc = 2;
	}
	buf->nr_desc = nr_desc;
	WRITE_ONCE(xdpr->use_idx, txgbe_tx_next(xdpr, i));
	return nr_desc;
}

/**
 * txgbe_xsk_tx() - send what the pool's sockets have to send
 * @xdpr: transmit ring of XDP, with a pool
 *
 * Context: The poll of the ring's vector, with a budget.
 * Return: true if that was all, or all that there is room for; what frees
 *	descriptors, or starts the ring again, polls again.
 */
bool txgbe_xsk_tx(struct txgbe_tx_ring *xdpr)
{
	struct xsk_buff_pool *pool = xdpr->xsk_pool;
	u32 budget = TXGBE_XSK_TX_BUDGET;
	struct xdp_desc frame;
	u32 unused;

	if (unlikely(!netif_carrier_ok(xdpr->netdev)))
		return true;

	/* Only this poll and the exchange of rings change the pool. */
	spin_lock(&xdpr->lock);
	if (unlikely(xdpr->off)) {
		spin_unlock(&xdpr->lock);
		return true;
	}
	unused = txgbe_tx_unused(xdpr);
	for (; unused >= TXGBE_XSK_TX_WORST_DESC && budget; budget--) {
		if (!xsk_tx_peek_desc(pool, &frame))
			break;
		unused -= txgbe_xsk_put(xdpr, &frame);
	}
	if (budget < TXGBE_XSK_TX_BUDGET) {
		txgbe_tx_flush(xdpr);
		xsk_tx_release(pool);
	}
	spin_unlock(&xdpr->lock);

	if (xsk_uses_need_wakeup(pool))
		xsk_set_tx_need_wakeup(pool);
	return budget;
}

/**
 * txgbe_xsk_sent() - tell the sockets what has been sent
 * @xdpr: transmit ring of XDP, with a pool
 * @nr: frames
 *
 * Context: The poll of the ring's vector, or process context while NAPI is
 * disabled.
 */
void txgbe_xsk_sent(struct txgbe_tx_ring *xdpr, u32 nr)
{
	xsk_tx_completed(xdpr->xsk_pool, nr);
}

/* ---- Control ----------------------------------------------------------- */

/**
 * txgbe_xsk_register_rxq() - the part of txgbe_xdp_register_rxq() for a pool
 * @rxr: ring with a pool
 *
 * Context: Process context, rtnl held.
 * Return: 0 or what XDP returned.
 */
int txgbe_xsk_register_rxq(struct txgbe_rx_ring *rxr)
{
	return xdp_rxq_info_reg_mem_model(&rxr->xdp_rxq, MEM_TYPE_XSK_BUFF_POOL, NULL);
}

/**
 * txgbe_xsk_own_pool() - from now on the pool's buffers come in on this ring
 * @rxr: ring with a pool, registered, about to start
 *
 * Not when the ring is made: until then another ring may receive into the pool.
 *
 * Context: Process context, rtnl held; no poll uses the pool.
 */
void txgbe_xsk_own_pool(struct txgbe_rx_ring *rxr)
{
	xsk_pool_set_rxq_info(rxr->xsk_pool, &rxr->xdp_rxq);
}

/**
 * txgbe_xsk_free_buffers() - give all buffers of a ring back to the pool
 * @rxr: ring with a pool; nobody uses it
 *
 * Context: Process context.
 */
void txgbe_xsk_free_buffers(struct txgbe_rx_ring *rxr)
{
	u32 i;

	for (i = 0; i < rxr->size; i++) {
		if (rxr->buf[i].xdp)
			xsk_buff_free(rxr->buf[i].xdp);
		rxr->buf[i].xdp = NULL;
	}
}

/* Cannot be refused: without memory for other rings the port closes. */
static int txgbe_xsk_remove_pool(struct txgbe_net *fn, u32 queue)
{
	struct xsk_buff_pool *pool = fn->xsk_pool[queue];

	if (!pool)
		return -EINVAL;
	fn->xsk_pool[queue] = NULL;
	if (txgbe_reconfig_vec(fn, queue) == -ENOMEM) {
		netdev_err(fn->netdev, "no memory for rings of queue %u without its AF_XDP socket, port is closed\n",
			   queue);
		dev_close(fn->netdev);
	}
	xsk_pool_dma_unmap(pool, 0);
	return 0;
}

static int txgbe_xsk_add_pool(struct txgbe_net *fn, struct xsk_buff_pool *pool, u32 queue)
{
	int err;

	if (fn->xsk_pool[queue])
		return -EBUSY;
	if (!txgbe_xsk_fits(pool, fn->netdev->mtu))
		return -EINVAL;
	if (fn->cfg.rings.split)
		return -EOPNOTSUPP;
	err = xsk_pool_dma_map(pool, fn->fd->dev, 0);
	if (err)
		return err;

	fn->xsk_pool[queue] = pool;
	err = txgbe_reconfig_vec(fn, queue);
	if (err == -ENOMEM) {
		fn->xsk_pool[queue] = NULL;
		xsk_pool_dma_unmap(pool, 0);
	} else if (err) {
		txgbe_xsk_remove_pool(fn, queue);
	}
	return err;
}

/**
 * txgbe_xsk_set_pool() - give a queue pair memory of AF_XDP sockets, or take it
 * @fn: net part
 * @pool: the memory, or NULL to take it away
 * @queue: queue number
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL for a queue that is not there, or if a frame of the MTU
 *	does not fit a buffer; -EBUSY if there is a pool; -EOPNOTSUPP while headers
 *	are split; -ENOMEM; what mapping or
 *	starting rings returned. Nothing has changed after an error.
 */
int txgbe_xsk_set_pool(struct txgbe_net *fn, struct xsk_buff_pool *pool, u32 queue)
{
	if (queue >= fn->nr_vecs)
		return -EINVAL;
	return pool ? txgbe_xsk_add_pool(fn, pool, queue) : txgbe_xsk_remove_pool(fn, queue);
}

/**
 * txgbe_xsk_wakeup() - ndo_xsk_wakeup: a socket has buffers, or frames to send
 * @dev: net_device
 * @queue: queue number
 * @flags: XDP_WAKEUP_*; one poll does both
 *
 * Context: Any, under rcu_read_lock(), which txgbe_net_down() waits for.
 * Return: 0; -ENETDOWN if the port is not up; -EINVAL for a queue without pool.
 */
int txgbe_xsk_wakeup(struct net_device *dev, u32 queue, u32 flags)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_vec *vec;

	if (!test_bit(TXGBE_NET_UP, &fn->state))
		return -ENETDOWN;
	if (queue >= fn->nr_vecs || !READ_ONCE(fn->xsk_pool[queue]))
		return -EINVAL;

	vec = fn->vec[queue];
	if (!napi_if_scheduled_mark_missed(&vec->napi)) {
		local_bh_disable();
		napi_schedule(&vec->napi);
		local_bh_enable();
	}
	return 0;
}

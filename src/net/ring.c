// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ring memory: descriptors, side arrays, page pools.
 *
 * All of it lies on the adapter's NUMA node, not on that of the CPU that
 * happens to open the port: the device touches it more often than any CPU.
 */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "compat/rxpool.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/*
 * Coherent memory comes in whole pages, so rings are aligned to 4 KiB, which
 * is what the in-tree driver gives the device.
 */
static void *txgbe_ring_alloc_desc(struct txgbe_net *fn, u32 nr_desc, dma_addr_t *dma)
{
	size_t size = nr_desc * sizeof(union txgbe_rx_desc);

	return dma_alloc_coherent(fn->fd->dev, size, dma, GFP_KERNEL);
}

static void txgbe_ring_free_desc(struct txgbe_net *fn, u32 nr_desc, void *desc,
				 dma_addr_t dma)
{
	dma_free_coherent(fn->fd->dev, nr_desc * sizeof(union txgbe_rx_desc), desc, dma);
}

/* ---- Transmit ---------------------------------------------------------- */

static void txgbe_ring_free_tx(struct txgbe_net *fn, struct txgbe_tx_ring *txr)
{
	if (!txr)
		return;
	txgbe_ring_free_desc(fn, txr->size, txr->desc, txr->dma);
	kvfree(txr->buf);
	kfree(txr);
}

/* @idx is the hardware ring; what depends on who sends is left to the caller. */
static struct txgbe_tx_ring *txgbe_ring_alloc_tx(struct txgbe_net *fn, u32 idx, u32 nr_desc)
{
	int node = dev_to_node(fn->fd->dev);
	struct txgbe_tx_ring *txr;

	txr = kzalloc_node(sizeof(*txr), GFP_KERNEL, node);
	if (!txr)
		return NULL;

	txr->size = nr_desc;
	txr->idx = idx;
	txr->tail = (u32 __iomem *)(fn->fd->map + TXGBE_PX_TR_WP(idx));
	txr->dma_dev = fn->fd->dev;
	txr->netdev = fn->netdev;
	txr->head = &fn->devmem->head[idx].idx;
	txr->head_dma = fn->devmem_dma + offsetof(struct txgbe_devmem, head[idx].idx);
	spin_lock_init(&txr->lock);

	txr->buf = kvzalloc_node(array_size(txr->size, sizeof(*txr->buf)), GFP_KERNEL, node);
	if (!txr->buf)
		goto err_free_ring;
	txr->desc = txgbe_ring_alloc_desc(fn, txr->size, &txr->dma);
	if (!txr->desc)
		goto err_free_buf;
	return txr;

err_free_buf:
	kvfree(txr->buf);
err_free_ring:
	kfree(txr);
	return NULL;
}

static struct txgbe_tx_ring *txgbe_ring_alloc_txq(struct txgbe_net *fn, struct txgbe_vec *vec,
						  u32 nr_desc)
{
	struct txgbe_tx_ring *txr = txgbe_ring_alloc_tx(fn, vec->idx, nr_desc);

	if (!txr)
		return NULL;
	txr->txq = netdev_get_tx_queue(fn->netdev, vec->idx);
	txr->stats = &vec->tx_stats;
	return txr;
}

/* There are twice as many hardware rings as vectors: XDP has rings of its own. */
static struct txgbe_tx_ring *txgbe_ring_alloc_xdp(struct txgbe_net *fn, struct txgbe_vec *vec,
						  u32 nr_desc)
{
	struct txgbe_tx_ring *txr = txgbe_ring_alloc_tx(fn, TXGBE_XDP_RING(vec->idx), nr_desc);

	if (!txr)
		return NULL;
	txr->stats = &vec->xdp_stats;
	txr->xsk_pool = fn->xsk_pool[vec->idx];
	txr->off = true;	/* until it runs */
	return txr;
}

/* ---- Receive ----------------------------------------------------------- */

static void txgbe_ring_free_buffers(struct txgbe_rx_ring *rxr)
{
	u32 i;

	for (i = 0; i < rxr->size; i++)
		if (rxr->buf[i].page)
			rxpool_put(rxr->pool, rxr->buf[i].page, false);
}

static void txgbe_ring_free_rx(struct txgbe_net *fn, struct txgbe_rx_ring *rxr)
{
	if (!rxr)
		return;
	if (rxr->xsk_pool)
		txgbe_xsk_free_buffers(rxr);
	else
		txgbe_ring_free_buffers(rxr);
	txgbe_xdp_unregister_rxq(rxr);
	if (rxr->pool)
		rxpool_destroy(rxr->pool);
	txgbe_split_free(rxr, fn->fd->dev);
	txgbe_ring_free_desc(fn, rxr->size, rxr->desc, rxr->dma);
	kvfree(rxr->buf);
	kfree(rxr);
}

static struct page_pool *txgbe_ring_create_pool(struct txgbe_net *fn, struct txgbe_vec *vec,
						u32 nr_desc)
{
	struct rxpool_params params = {
		.dev = fn->fd->dev,
		.netdev = fn->netdev,
		.queue_idx = vec->idx,
		.nr_bufs = nr_desc,
		.size = TXGBE_RX_SLOT_BYTES,
		.nid = dev_to_node(fn->fd->dev),
	};

	return rxpool_create(&params);
}

/* Where buffers come from. Return: 0 or what the pool or XDP said. */
static int txgbe_ring_init_pool(struct txgbe_net *fn, struct txgbe_vec *vec,
				struct txgbe_rx_ring *rxr)
{
	int err;

	rxr->xsk_pool = fn->xsk_pool[vec->idx];
	if (rxr->xsk_pool) {
		rxr->buf_kib = txgbe_xsk_buf_kib(rxr->xsk_pool);
		return txgbe_xdp_register_rxq(rxr, vec);
	}

	rxr->buf_kib = TXGBE_RX_BUF_KIB;
	rxr->pool = txgbe_ring_create_pool(fn, vec, rxr->size);
	if (IS_ERR(rxr->pool))
		return PTR_ERR(rxr->pool);
	err = txgbe_xdp_register_rxq(rxr, vec);
	if (err)
		rxpool_destroy(rxr->pool);
	return err;
}

static struct txgbe_rx_ring *txgbe_ring_alloc_rx(struct txgbe_net *fn, struct txgbe_vec *vec,
						 const struct txgbe_ring_cfg *cfg)
{
	int node = dev_to_node(fn->fd->dev);
	struct txgbe_rx_ring *rxr;

	rxr = kzalloc_node(sizeof(*rxr), GFP_KERNEL, node);
	if (!rxr)
		return NULL;

	rxr->size = cfg->rx_desc;
	/* One doorbell for many buffers, yet the ring never runs low. */
	rxr->batch = min_t(u32, rxr->size / 4, NAPI_POLL_WEIGHT);
	rxr->idx = vec->idx;
	rxr->tail = (u32 __iomem *)(fn->fd->map + TXGBE_PX_RR_WP(vec->idx));
	rxr->netdev = fn->netdev;
	rxr->napi = &vec->napi;
	rxr->stats = &vec->rx_stats;

	rxr->buf = kvzalloc_node(array_size(rxr->size, sizeof(*rxr->buf)), GFP_KERNEL, node);
	if (!rxr->buf)
		goto err_free_ring;
	rxr->desc = txgbe_ring_alloc_desc(fn, rxr->size, &rxr->dma);
	if (!rxr->desc)
		goto err_free_buf;
	if (cfg->split && !fn->xsk_pool[vec->idx] && txgbe_split_alloc(rxr, fn->fd->dev))
		goto err_free_desc;
	if (txgbe_ring_init_pool(fn, vec, rxr))
		goto err_free_split;
	return rxr;

err_free_split:
	txgbe_split_free(rxr, fn->fd->dev);
err_free_desc:
	txgbe_ring_free_desc(fn, rxr->size, rxr->desc, rxr->dma);
err_free_buf:
	kvfree(rxr->buf);
err_free_ring:
	kfree(rxr);
	return NULL;
}

/* ---- Pairs ------------------------------------------------------------- */

/* A wish for larger rings is refused rather than somebody killed for it. */
#define TXGBE_RING_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* Buffers for every slot, while a failure can still be undone. */
static int txgbe_ring_fill(struct txgbe_rx_ring *rxr)
{
	u32 i;

	if (rxr->xsk_pool)
		return 0;	/* a socket gives its buffers when it likes */
	for (i = 0; i < rxr->size; i++) {
		rxr->buf[i].page = rxpool_alloc(rxr->pool, &rxr->buf[i].offset,
						TXGBE_RX_SLOT_BYTES, TXGBE_RING_GFP);
		if (!rxr->buf[i].page)
			return -ENOMEM;
	}
	return 0;
}

/**
 * txgbe_ring_alloc_pair() - make both rings of a vector, with their buffers
 * @fn: net part
 * @vec: vector; its rings in use, if any, are not touched
 * @cfg: what they are like
 * @pair: the rings
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOMEM, and nothing is left allocated.
 */
int txgbe_ring_alloc_pair(struct txgbe_net *fn, struct txgbe_vec *vec,
			  const struct txgbe_ring_cfg *cfg, struct txgbe_ring_pair *pair)
{
	pair->txr = txgbe_ring_alloc_txq(fn, vec, cfg->tx_desc);
	pair->xdpr = txgbe_ring_alloc_xdp(fn, vec, cfg->tx_desc);
	pair->rxr = txgbe_ring_alloc_rx(fn, vec, cfg);
	if (pair->txr && pair->xdpr && pair->rxr && !txgbe_ring_fill(pair->rxr))
		return 0;
	txgbe_ring_free_pair(fn, pair);
	return -ENOMEM;
}

/**
 * txgbe_ring_free_pair() - free both rings of a vector; NULL is allowed
 * @fn: net part
 * @pair: rings that neither the device nor a poll nor transmit uses, drained;
 *	if they ran, NAPI is disabled or txgbe_ring_disown() was called
 *
 * Context: Process context, sleeps.
 */
void txgbe_ring_free_pair(struct txgbe_net *fn, struct txgbe_ring_pair *pair)
{
	txgbe_ring_free_tx(fn, pair->txr);
	txgbe_ring_free_tx(fn, pair->xdpr);
	txgbe_ring_free_rx(fn, pair->rxr);
	pair->txr = NULL;
	pair->xdpr = NULL;
	pair->rxr = NULL;
}

/**
 * txgbe_ring_disown() - the vector's NAPI will run again, but not on these rings
 * @pair: rings just taken out of use
 *
 * Pages that come back late must not be recycled in the poll's lockless way.
 * Buffers of a socket go back at once: it may have no others.
 *
 * Context: Process context, the vector's NAPI is disabled.
 */
void txgbe_ring_disown(struct txgbe_ring_pair *pair)
{
	if (pair->rxr->xsk_pool)
		txgbe_xsk_free_buffers(pair->rxr);
	else
		rxpool_unlink_napi(pair->rxr->pool);
}

/**
 * txgbe_ring_drain_pair() - drop what is in the rings of a vector, make them start afresh
 * @pair: rings that neither the device nor a poll nor transmit uses
 *
 * Descriptors are zeroed as well: a done bit of the time before must not be
 * taken for a new frame. Receive buffers stay in their slots.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ring_drain_pair(struct txgbe_ring_pair *pair)
{
	txgbe_tx_drain(pair->txr);
	txgbe_xdp_drain(pair->xdpr);
	txgbe_rx_drain(pair->rxr);
}

/**
 * txgbe_ring_install() - exchange the rings of a vector
 * @fn: net part
 * @vec: vector, NAPI disabled
 * @pair: new rings, or NULLs; the old ones afterwards
 *
 * Transmit looks at its ring under the queue's lock; it must not be able to
 * find NULL, so its queue is stopped or beyond the queues in use.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ring_install(struct txgbe_net *fn, struct txgbe_vec *vec, struct txgbe_ring_pair *pair)
{
	struct netdev_queue *txq = netdev_get_tx_queue(fn->netdev, vec->idx);

	__netif_tx_lock_bh(txq);
	swap(vec->txr, pair->txr);
	fn->txr[vec->idx] = vec->txr;
	__netif_tx_unlock_bh(txq);
	swap(vec->xdpr, pair->xdpr);
	swap(vec->rxr, pair->rxr);
}

/* ---- All rings --------------------------------------------------------- */

/**
 * txgbe_ring_alloc_all() - allocate the rings of every vector
 * @fn: net part; they are as fn->cfg says
 *
 * Context: Process context, sleeps, rtnl held, port closed.
 * Return: 0; -ENOMEM, and nothing is left allocated.
 */
int txgbe_ring_alloc_all(struct txgbe_net *fn)
{
	const struct txgbe_ring_cfg *cfg = &fn->cfg.rings;
	struct txgbe_ring_pair pair;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		if (txgbe_ring_alloc_pair(fn, fn->vec[i], cfg, &pair)) {
			netdev_err(fn->netdev, "no memory for rings %u: %u tx, %u rx descriptors\n",
				   i, cfg->tx_desc, cfg->rx_desc);
			txgbe_ring_free_all(fn);
			return -ENOMEM;
		}
		txgbe_ring_install(fn, fn->vec[i], &pair);
	}
	return 0;
}

/**
 * txgbe_ring_free_all() - free the rings; safe where none were allocated
 * @fn: net part; the device does not use the rings and NAPI is disabled
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ring_free_all(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		struct txgbe_ring_pair pair = {};

		txgbe_ring_install(fn, fn->vec[i], &pair);
		txgbe_ring_free_pair(fn, &pair);
	}
}

/**
 * txgbe_ring_drain_all() - drop what is in the rings, make them start afresh
 * @fn: net part; the device does not use the rings and NAPI is disabled
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ring_drain_all(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_tx_drain(fn->vec[i]->txr);
		txgbe_xdp_drain(fn->vec[i]->xdpr);
		txgbe_rx_drain(fn->vec[i]->rxr);
	}
}

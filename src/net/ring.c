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
static struct txgbe_tx_ring *txgbe_ring_alloc_tx(struct txgbe_net *fn, u32 idx)
{
	int node = dev_to_node(fn->fd->dev);
	struct txgbe_tx_ring *txr;

	txr = kzalloc_node(sizeof(*txr), GFP_KERNEL, node);
	if (!txr)
		return NULL;

	txr->size = fn->cfg.tx_desc;
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

static struct txgbe_tx_ring *txgbe_ring_alloc_txq(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	struct txgbe_tx_ring *txr = txgbe_ring_alloc_tx(fn, vec->idx);

	if (!txr)
		return NULL;
	txr->txq = netdev_get_tx_queue(fn->netdev, vec->idx);
	txr->stats = &vec->tx_stats;
	return txr;
}

/* There are twice as many hardware rings as vectors: XDP has rings of its own. */
static struct txgbe_tx_ring *txgbe_ring_alloc_xdp(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	struct txgbe_tx_ring *txr = txgbe_ring_alloc_tx(fn, TXGBE_XDP_RING(vec->idx));

	if (!txr)
		return NULL;
	txr->stats = &vec->xdp_stats;
	txr->xsk_pool = fn->xsk_pool[vec->idx];
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

/**
 * txgbe_ring_free_rx() - free one receive ring
 * @fn: net part
 * @rxr: ring, or NULL; nobody uses it
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ring_free_rx(struct txgbe_net *fn, struct txgbe_rx_ring *rxr)
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
	txgbe_ring_free_desc(fn, rxr->size, rxr->desc, rxr->dma);
	kvfree(rxr->buf);
	kfree(rxr);
}

static struct page_pool *txgbe_ring_create_pool(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	struct rxpool_params params = {
		.dev = fn->fd->dev,
		.netdev = fn->netdev,
		.napi = &vec->napi,
		.queue_idx = vec->idx,
		.nr_bufs = fn->cfg.rx_desc,
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
	rxr->pool = txgbe_ring_create_pool(fn, vec);
	if (IS_ERR(rxr->pool))
		return PTR_ERR(rxr->pool);
	err = txgbe_xdp_register_rxq(rxr, vec);
	if (err)
		rxpool_destroy(rxr->pool);
	return err;
}

/**
 * txgbe_ring_alloc_rx() - allocate the receive ring of one vector
 * @fn: net part; size and socket memory as configured
 * @vec: vector
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: the ring, empty, or NULL.
 */
struct txgbe_rx_ring *txgbe_ring_alloc_rx(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	int node = dev_to_node(fn->fd->dev);
	struct txgbe_rx_ring *rxr;

	rxr = kzalloc_node(sizeof(*rxr), GFP_KERNEL, node);
	if (!rxr)
		return NULL;

	rxr->size = fn->cfg.rx_desc;
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
	if (txgbe_ring_init_pool(fn, vec, rxr))
		goto err_free_desc;
	return rxr;

err_free_desc:
	txgbe_ring_free_desc(fn, rxr->size, rxr->desc, rxr->dma);
err_free_buf:
	kvfree(rxr->buf);
err_free_ring:
	kfree(rxr);
	return NULL;
}

/* ---- All rings --------------------------------------------------------- */

/**
 * txgbe_ring_alloc_all() - allocate the rings of every vector
 * @fn: net part; sizes are those of fn->cfg
 *
 * Context: Process context, sleeps, rtnl held, port closed.
 * Return: 0; -ENOMEM, and nothing is left allocated.
 */
int txgbe_ring_alloc_all(struct txgbe_net *fn)
{
	struct txgbe_vec *vec;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		vec = fn->vec[i];
		vec->txr = txgbe_ring_alloc_txq(fn, vec);
		vec->rxr = txgbe_ring_alloc_rx(fn, vec);
		vec->xdpr = txgbe_ring_alloc_xdp(fn, vec);
		fn->txr[i] = vec->txr;
		if (!vec->txr || !vec->rxr || !vec->xdpr) {
			netdev_err(fn->netdev, "no memory for rings %u: %u tx, %u rx descriptors\n",
				   i, fn->cfg.tx_desc, fn->cfg.rx_desc);
			txgbe_ring_free_all(fn);
			return -ENOMEM;
		}
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
	struct txgbe_vec *vec;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		vec = fn->vec[i];
		fn->txr[i] = NULL;
		txgbe_ring_free_tx(fn, vec->txr);
		txgbe_ring_free_tx(fn, vec->xdpr);
		txgbe_ring_free_rx(fn, vec->rxr);
		vec->txr = NULL;
		vec->xdpr = NULL;
		vec->rxr = NULL;
	}
}

/**
 * txgbe_ring_drain_all() - drop what is in the rings, make them start afresh
 * @fn: net part; the device does not use the rings and NAPI is disabled
 *
 * Descriptors are zeroed as well: a done bit of the time before must not be
 * taken for a new frame. Receive buffers stay in their slots.
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

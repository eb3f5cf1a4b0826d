/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receive buffers: what the driver wants of page_pool, with one spelling for
 * every kernel.
 *
 * A buffer is (page, offset) with room for a constant number of bytes. It is
 * DMA mapped from rxpool_alloc() until it goes away by exactly one of
 *
 *	rxpool_put()		the stack never saw it: back into the pool
 *	rxpool_handover()	an sk_buff owns it now, as head or as fragment
 *
 * A received buffer goes through rxpool_sync_for_cpu() before it is read.
 *
 *	kernel		buffer				after rxpool_handover()
 *	6.1 and later	fragment of a page when two	the sk_buff returns it to the
 *			or more fit, else a page	pool, mapping and all
 *	5.4, 5.10	always a whole page		the page leaves the pool and
 *							is unmapped
 *
 * So sk_buff accounting has to ask rxpool_truesize() and must not assume that
 * truesize is the size it asked for. From 6.1 on every function here is one
 * or two page_pool calls, inlined; there is no state beside the pool itself.
 *
 * Typical use, in NAPI context:
 *
 *	page = rxpool_alloc(pool, &offset, size, GFP_ATOMIC | __GFP_NOWARN);
 *	desc->addr = cpu_to_le64(rxpool_dma_addr(page) + offset + headroom);
 *	...
 *	rxpool_sync_for_cpu(pool, page, offset + headroom, len);
 *	skb = napi_build_skb(page_address(page) + offset, rxpool_truesize(size));
 *	if (!skb)
 *		rxpool_put(pool, page, true);
 *	else
 *		rxpool_handover(pool, page, skb);
 *
 * and for each further buffer of the same frame:
 *
 *	skb_add_rx_frag(skb, nr, page, offset, len, rxpool_truesize(size));
 *	rxpool_handover(pool, page, skb);
 *
 * One consumer: all but rxpool_create() and rxpool_destroy() run in the NAPI
 * poll of the queue, or while that NAPI is disabled.
 */
#ifndef COMPAT_RXPOOL_H
#define COMPAT_RXPOOL_H

#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/page_pool/helpers.h>

/**
 * struct rxpool_params - one pool, one receive queue
 * @dev: device that does the DMA
 * @netdev: net_device that receives
 * @queue_idx: receive queue number
 * @nr_bufs: buffers that are in the ring at a time
 * @size: bytes of one buffer, as given to rxpool_alloc(), 1..PAGE_SIZE
 * @nid: NUMA node of the pages, or NUMA_NO_NODE
 */
struct rxpool_params {
	struct device *dev;
	struct net_device *netdev;
	unsigned int queue_idx;
	unsigned int nr_bufs;
	unsigned int size;
	int nid;
};

/**
 * rxpool_truesize() - memory that one buffer really takes
 * @size: bytes asked for, 1..PAGE_SIZE
 *
 * Context: Any.
 * Return: bytes, for skb truesize and for napi_build_skb().
 */
static inline unsigned int rxpool_truesize(unsigned int size)
{
#ifdef HAVE_PAGE_POOL_ALLOC_FRAG
	if (2 * size <= PAGE_SIZE)
		return ALIGN(size, dma_get_cache_alignment());
#endif
	return PAGE_SIZE;
}

/**
 * rxpool_create() - make the pool of one receive queue
 * @p: parameters, copied
 *
 * Context: Process context, sleeps.
 * Return: the pool, or ERR_PTR(-ENOMEM), ERR_PTR(-EINVAL), ERR_PTR(-E2BIG if
 * @p->nr_bufs is beyond what page_pool takes).
 */
static inline struct page_pool *rxpool_create(const struct rxpool_params *p)
{
	struct page_pool_params pp = {
		.flags = PP_FLAG_DMA_MAP,
		.pool_size = DIV_ROUND_UP(p->nr_bufs,
					  PAGE_SIZE / rxpool_truesize(p->size)),
		.nid = p->nid,
		.dev = p->dev,
		/* An XDP program may send a buffer back. */
		.dma_dir = DMA_BIDIRECTIONAL,
	};

#ifdef PP_FLAG_DMA_SYNC_DEV	/* a macro since 5.5, when it appeared */
	pp.flags |= PP_FLAG_DMA_SYNC_DEV;
	pp.max_len = rxpool_truesize(p->size) < PAGE_SIZE ? PAGE_SIZE : p->size;
#endif
#ifdef PP_FLAG_PAGE_FRAG	/* 5.15 to 6.6: fragments are asked for */
	if (rxpool_truesize(p->size) < PAGE_SIZE)
		pp.flags |= PP_FLAG_PAGE_FRAG;
#endif
#ifdef HAVE_PAGE_POOL_PARAMS_NETDEV
	pp.netdev = p->netdev;
	pp.queue_idx = p->queue_idx;
#endif
	return page_pool_create(&pp);
}

/**
 * rxpool_link_napi() - from now on a NAPI instance serves the pool
 * @pool: pool; linking it again to the same instance does nothing
 * @napi: disabled, its next poll allocates from the pool
 *
 * Pages that the poll gives back then need no lock. Not part of the creation:
 * a pool that was made in vain can be destroyed while the instance runs.
 *
 * Context: Process context, sleeps.
 */
static inline void rxpool_link_napi(struct page_pool *pool, struct napi_struct *napi)
{
#ifdef HAVE_PAGE_POOL_ENABLE_DIRECT_RECYCLING
	page_pool_enable_direct_recycling(pool, napi);
#elif defined(HAVE_PAGE_POOL_PARAMS_NAPI)
	WRITE_ONCE(pool->p.napi, napi);
#endif
}

/**
 * rxpool_unlink_napi() - the NAPI instance is about to serve another pool
 * @pool: pool that is no longer allocated from
 *
 * Context: Process context, sleeps. The NAPI instance is disabled.
 */
static inline void rxpool_unlink_napi(struct page_pool *pool)
{
#ifdef HAVE_PAGE_POOL_DISABLE_DIRECT_RECYCLING
	page_pool_disable_direct_recycling(pool);
#elif defined(HAVE_PAGE_POOL_PARAMS_NAPI)
	WRITE_ONCE(pool->p.napi, NULL);
#endif
}

/**
 * rxpool_destroy() - give up the pool
 * @pool: pool, or NULL; every buffer that is not handed over was put back
 *
 * Buffers that sk_buffs still own keep what they need of the pool alive.
 *
 * Context: Process context, sleeps. A NAPI instance that the pool is
 * linked to is disabled.
 */
static inline void rxpool_destroy(struct page_pool *pool)
{
	page_pool_destroy(pool);
}

/**
 * rxpool_dma_addr() - bus address of a page of the pool
 * @page: page from rxpool_alloc()
 *
 * Context: Any.
 * Return: address of the page's first byte; the caller adds the offset.
 */
static inline dma_addr_t rxpool_dma_addr(struct page *page)
{
	return page_pool_get_dma_addr(page);
}

/**
 * rxpool_alloc() - take a buffer, mapped and synced for the device
 * @pool: pool
 * @offset: filled with the buffer's first byte in the page
 * @size: bytes, the same in every call for one pool
 * @gfp: GFP_KERNEL where sleeping is allowed, else GFP_ATOMIC | __GFP_NOWARN
 *
 * Context: NAPI poll, or process context while NAPI is disabled.
 * Return: the page, or NULL without memory.
 */
static inline struct page *rxpool_alloc(struct page_pool *pool, unsigned int *offset,
					unsigned int size, gfp_t gfp)
{
#ifdef HAVE_PAGE_POOL_ALLOC_FRAG
	if (2 * size <= PAGE_SIZE)
		return page_pool_alloc_frag(pool, offset, size, gfp);
#endif
	*offset = 0;
#ifdef PP_FLAG_DMA_SYNC_DEV
	return page_pool_alloc_pages(pool, gfp);
#else
	{
		struct page *page = page_pool_alloc_pages(pool, gfp);

		/* The pool maps without a sync: bounce buffers need one. */
		if (likely(page))
			dma_sync_single_for_device(pool->p.dev, rxpool_dma_addr(page),
						   PAGE_SIZE, DMA_BIDIRECTIONAL);
		return page;
	}
#endif
}

/**
 * rxpool_needs_sync() - do the next two functions do anything
 * @pool: pool
 *
 * Holds for all buffers that were allocated before.
 *
 * Context: Any.
 * Return: false if they can be left out.
 */
static inline bool rxpool_needs_sync(const struct page_pool *pool)
{
	return dma_dev_need_sync(pool->p.dev);
}

/**
 * rxpool_sync_for_cpu() - make received bytes visible to the CPU
 * @pool: pool
 * @page: page
 * @offset: first byte the device wrote, from the start of the page
 * @len: bytes the device wrote
 *
 * Context: Any.
 */
static inline void rxpool_sync_for_cpu(const struct page_pool *pool, struct page *page,
				       unsigned int offset, unsigned int len)
{
	dma_sync_single_range_for_cpu(pool->p.dev, rxpool_dma_addr(page), offset, len,
				      DMA_FROM_DEVICE);
}

/**
 * rxpool_sync_for_device() - make bytes the CPU wrote visible to the device
 * @pool: pool
 * @page: page
 * @offset: first byte, from the start of the page
 * @len: bytes
 *
 * For a buffer that the device reads, or gets again without rxpool_put().
 *
 * Context: Any.
 */
static inline void rxpool_sync_for_device(const struct page_pool *pool, struct page *page,
					  unsigned int offset, unsigned int len)
{
	dma_sync_single_range_for_device(pool->p.dev, rxpool_dma_addr(page), offset, len,
					 DMA_BIDIRECTIONAL);
}

/**
 * rxpool_put() - put back a buffer that no sk_buff owns
 * @pool: pool
 * @page: page from rxpool_alloc()
 * @in_napi: called from the NAPI poll of the pool's queue, which allows the
 *	lockless way
 *
 * Context: As @in_napi says; else process context while NAPI is disabled.
 */
static inline void rxpool_put(struct page_pool *pool, struct page *page, bool in_napi)
{
#ifdef PP_FLAG_DMA_SYNC_DEV
	page_pool_put_full_page(pool, page, in_napi);
#else
	page_pool_put_page(pool, page, in_napi);
#endif
}

/**
 * rxpool_handover() - an sk_buff owns the buffer from now on
 * @pool: pool
 * @page: page from rxpool_alloc(), synced for the CPU; head or fragment of @skb
 * @skb: new owner
 *
 * Context: NAPI poll.
 */
static inline void rxpool_handover(struct page_pool *pool, struct page *page,
				   struct sk_buff *skb)
{
#ifdef HAVE_SKB_MARK_FOR_RECYCLE
	skb_mark_for_recycle(skb);
#else
	page_pool_release_page(pool, page);
#endif
}

#endif /* COMPAT_RXPOOL_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Before 5.10 the memory of AF_XDP sockets is not a pool, and the driver takes
 * part in nothing but copies: none of these is ever called.
 */
#ifndef COMPAT_NET_XDP_SOCK_DRV_H
#define COMPAT_NET_XDP_SOCK_DRV_H

#include <linux/if_xdp.h>
#include <net/xdp_sock.h>

struct xsk_buff_pool;

/* Functions of the same names, declared above, take another argument. */
#define xsk_set_rx_need_wakeup		compat_xsk_set_rx_need_wakeup
#define xsk_clear_rx_need_wakeup	compat_xsk_clear_rx_need_wakeup
#define xsk_set_tx_need_wakeup		compat_xsk_set_tx_need_wakeup

#define MEM_TYPE_XSK_BUFF_POOL		MEM_TYPE_ZERO_COPY

static inline int xsk_pool_dma_map(struct xsk_buff_pool *pool, struct device *dev,
				   unsigned long attrs)
{
	return -EOPNOTSUPP;
}

static inline void xsk_pool_dma_unmap(struct xsk_buff_pool *pool, unsigned long attrs)
{
}

static inline void xsk_pool_set_rxq_info(struct xsk_buff_pool *pool, struct xdp_rxq_info *rxq)
{
}

static inline u32 xsk_pool_get_chunk_size(struct xsk_buff_pool *pool)
{
	return 0;
}

static inline u32 xsk_pool_get_rx_frame_size(struct xsk_buff_pool *pool)
{
	return 0;
}

static inline struct xdp_buff *xsk_buff_alloc(struct xsk_buff_pool *pool)
{
	return NULL;
}

static inline void xsk_buff_free(struct xdp_buff *xdp)
{
}

static inline void xsk_buff_set_size(struct xdp_buff *xdp, u32 size)
{
}

static inline dma_addr_t xsk_buff_xdp_get_dma(struct xdp_buff *xdp)
{
	return 0;
}

static inline void xsk_buff_dma_sync_for_cpu(struct xdp_buff *xdp)
{
}

static inline dma_addr_t xsk_buff_raw_get_dma(struct xsk_buff_pool *pool, u64 addr)
{
	return 0;
}

static inline void xsk_buff_raw_dma_sync_for_device(struct xsk_buff_pool *pool, dma_addr_t dma,
						    size_t size)
{
}

static inline bool xsk_tx_peek_desc(struct xsk_buff_pool *pool, struct xdp_desc *desc)
{
	return false;
}

static inline void xsk_tx_release(struct xsk_buff_pool *pool)
{
}

static inline void xsk_tx_completed(struct xsk_buff_pool *pool, u32 nr)
{
}

static inline bool xsk_uses_need_wakeup(struct xsk_buff_pool *pool)
{
	return false;
}

static inline void xsk_set_rx_need_wakeup(struct xsk_buff_pool *pool)
{
}

static inline void xsk_clear_rx_need_wakeup(struct xsk_buff_pool *pool)
{
}

static inline void xsk_set_tx_need_wakeup(struct xsk_buff_pool *pool)
{
}

#endif /* COMPAT_NET_XDP_SOCK_DRV_H */

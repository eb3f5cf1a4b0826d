/* SPDX-License-Identifier: GPL-2.0-only */
/* XDP: what older kernels lack; what differs in more than names is in xdpbuf.h. */
#ifndef COMPAT_XDP_H
#define COMPAT_XDP_H

#include <linux/filter.h>
#include <linux/netdevice.h>
#include <net/xdp.h>

#ifndef HAVE_XDP_CONVERT_BUFF_TO_FRAME
#define xdp_convert_buff_to_frame	convert_to_xdp_frame
#endif

#ifndef HAVE_XDP_DO_FLUSH
#define xdp_do_flush			xdp_do_flush_map
#endif

#ifndef HAVE_XDP_FRAME_BULK
/* Frames go back one by one. */
struct xdp_frame_bulk {
	int count;
};

static inline void xdp_frame_bulk_init(struct xdp_frame_bulk *bq)
{
}

static inline void xdp_flush_frame_bulk(struct xdp_frame_bulk *bq)
{
}

static inline void xdp_return_frame_bulk(struct xdp_frame *xdpf, struct xdp_frame_bulk *bq)
{
	xdp_return_frame(xdpf);
}
#endif

#ifndef HAVE_XDP_INIT_BUFF
static inline void xdp_init_buff(struct xdp_buff *xdp, u32 frame_sz, struct xdp_rxq_info *rxq)
{
#ifdef HAVE_XDP_BUFF_FRAME_SZ
	xdp->frame_sz = frame_sz;
#endif
	xdp->rxq = rxq;
}

static inline void xdp_prepare_buff(struct xdp_buff *xdp, unsigned char *hard_start,
				    int headroom, int data_len, const bool meta_valid)
{
	xdp->data_hard_start = hard_start;
	xdp->data = hard_start + headroom;
	xdp->data_end = xdp->data + data_len;
	xdp->data_meta = meta_valid ? xdp->data : xdp->data + 1;
}
#endif

#ifndef HAVE_BPF_WARN_INVALID_XDP_ACTION_3ARGS
#define bpf_warn_invalid_xdp_action(dev, prog, act)	bpf_warn_invalid_xdp_action(act)
#endif

#ifndef HAVE_XDP_BUFF_HAS_FRAGS
/* A frame is one buffer. */
static inline bool xdp_buff_has_frags(const struct xdp_buff *xdp)
{
	return false;
}

static inline unsigned int xdp_get_buff_len(const struct xdp_buff *xdp)
{
	return xdp->data_end - xdp->data;
}

static inline bool xdp_frame_has_frags(const struct xdp_frame *xdpf)
{
	return false;
}

static inline unsigned int xdp_get_frame_len(const struct xdp_frame *xdpf)
{
	return xdpf->len;
}

#ifndef HAVE_XDP_BUFF_FRAME_SZ
/* Never called, as no frame has fragments. */
static inline struct skb_shared_info *xdp_get_shared_info_from_frame(struct xdp_frame *xdpf)
{
	return NULL;
}
#endif
#endif

#ifndef HAVE_XDP_RXQ_INFO_FRAG_SIZE
static inline int __xdp_rxq_info_reg(struct xdp_rxq_info *xdp_rxq, struct net_device *dev,
				     u32 queue_index, unsigned int napi_id, u32 frag_size)
{
#ifdef HAVE_XDP_RXQ_INFO_REG_4ARGS
	return xdp_rxq_info_reg(xdp_rxq, dev, queue_index, napi_id);
#else
	return xdp_rxq_info_reg(xdp_rxq, dev, queue_index);
#endif
}
#endif

#ifndef HAVE_XDP_SET_FEATURES_FLAG
/* These kernels try instead of asking. */
#define NETDEV_XDP_ACT_BASIC		BIT(0)
#define NETDEV_XDP_ACT_REDIRECT		BIT(1)
#define NETDEV_XDP_ACT_NDO_XMIT		BIT(2)
#define NETDEV_XDP_ACT_XSK_ZEROCOPY	BIT(3)
#define NETDEV_XDP_ACT_RX_SG		BIT(5)
#define NETDEV_XDP_ACT_NDO_XMIT_SG	BIT(6)

static inline void xdp_set_features_flag(struct net_device *dev, u32 val)
{
}
#endif

/* ---- AF_XDP ------------------------------------------------------------- */

#include <net/xdp_sock_drv.h>

#ifdef HAVE_XSK_BUFF_POOL
#ifndef HAVE_XSK_BUFF_SET_SIZE
static inline void xsk_buff_set_size(struct xdp_buff *xdp, u32 size)
{
	xdp->data = xdp->data_hard_start + XDP_PACKET_HEADROOM;
	xdp->data_meta = xdp->data;
	xdp->data_end = xdp->data + size;
}
#endif

#ifndef HAVE_XSK_BUFF_DMA_SYNC_FOR_CPU_1ARG
#define xsk_buff_dma_sync_for_cpu(xdp_arg)					\
	(xsk_buff_dma_sync_for_cpu)(xdp_arg,					\
				    container_of(xdp_arg, struct xdp_buff_xsk, xdp)->pool)
#endif
#endif

#endif /* COMPAT_XDP_H */

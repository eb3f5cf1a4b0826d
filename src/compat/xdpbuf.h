/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * XDP: what the driver wants of it, with one spelling for every kernel, where
 * kernels differ in more than names.
 *
 *	kernel		a frame is		hints for programs
 *	6.8 and later	one or more buffers	hash, VLAN tag
 *	6.3 to 6.7	one or more buffers	hash
 *	5.18 to 6.2	one or more buffers	none
 *	older		one buffer		none
 */
#ifndef COMPAT_XDPBUF_H
#define COMPAT_XDPBUF_H

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/xdp.h>

#include "rxpool.h"

/**
 * xdpbuf_prog_takes_frags() - can the program work on frames of several buffers
 * @prog: program
 *
 * Context: Any.
 * Return: true if it says so; false always where the kernel has no such frames.
 */
static inline bool xdpbuf_prog_takes_frags(const struct bpf_prog *prog)
{
#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	return prog->aux->xdp_has_frags;
#else
	return false;
#endif
}

/**
 * xdpbuf_add_frag() - append a further buffer to a frame
 * @xdp: frame, prepared; at most MAX_SKB_FRAGS of these calls for each
 * @page: page of a pool; belongs to @xdp from now on
 * @offset: first byte of the data in @page
 * @len: bytes
 *
 * Not to be called where xdpbuf_prog_takes_frags() says no.
 *
 * Context: NAPI poll.
 */
static inline void xdpbuf_add_frag(struct xdp_buff *xdp, struct page *page, u32 offset, u32 len)
{
#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	struct skb_shared_info *sinfo = xdp_get_shared_info_from_buff(xdp);

	if (!xdp_buff_has_frags(xdp)) {
		sinfo->nr_frags = 0;
		sinfo->xdp_frags_size = 0;
		xdp_buff_set_frags_flag(xdp);
	}
	__skb_fill_page_desc_noacc(sinfo, sinfo->nr_frags++, page, offset, len);
	sinfo->xdp_frags_size += len;
	if (unlikely(page_is_pfmemalloc(page)))
		xdp_buff_set_frag_pfmemalloc(xdp);
#endif
}

/**
 * xdpbuf_drop_frags() - put back all buffers of a frame but the first
 * @xdp: frame
 * @pool: pool its buffers are from
 *
 * Context: NAPI poll of the pool's queue.
 */
static inline void xdpbuf_drop_frags(struct xdp_buff *xdp, struct page_pool *pool)
{
#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	struct skb_shared_info *sinfo;
	int i;

	if (likely(!xdp_buff_has_frags(xdp)))
		return;
	sinfo = xdp_get_shared_info_from_buff(xdp);
	for (i = 0; i < sinfo->nr_frags; i++)
		rxpool_put(pool, skb_frag_page(&sinfo->frags[i]), true);
#endif
}

/**
 * xdpbuf_build_skb() - make an skb of a frame
 * @xdp: frame, perhaps changed by a program
 * @pool: pool its buffers are from
 * @page: page of the first buffer
 * @truesize: memory of each buffer; the first one has room for skb_shared_info
 *	at its end
 *
 * Context: NAPI poll.
 * Return: the skb, which owns all buffers; NULL without memory, and nothing
 *	has changed.
 */
static inline struct sk_buff *xdpbuf_build_skb(struct xdp_buff *xdp, struct page_pool *pool,
					       struct page *page, u32 truesize)
{
#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	u32 frags_size = 0;
	u8 nr_frags = 0;
#endif
	u32 metasize = xdp->data - xdp->data_meta;
	struct sk_buff *skb;

#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	/* Lies where the skb will have the same; building it clears that. */
	if (unlikely(xdp_buff_has_frags(xdp))) {
		nr_frags = xdp_get_shared_info_from_buff(xdp)->nr_frags;
		frags_size = xdp_get_shared_info_from_buff(xdp)->xdp_frags_size;
	}
#endif
	skb = napi_build_skb(xdp->data_hard_start, truesize);
	if (unlikely(!skb))
		return NULL;

	skb_reserve(skb, xdp->data - xdp->data_hard_start);
	__skb_put(skb, xdp->data_end - xdp->data);
	if (metasize)
		skb_metadata_set(skb, metasize);
#ifdef HAVE_XDP_BUFF_HAS_FRAGS
	if (unlikely(xdp_buff_has_frags(xdp)))
#ifdef HAVE_XDP_UPDATE_SKB_FRAGS_INFO
		xdp_update_skb_frags_info(skb, nr_frags, frags_size, nr_frags * truesize,
					  xdp_buff_get_skb_flags(xdp));
#else
		xdp_update_skb_shared_info(skb, nr_frags, frags_size, nr_frags * truesize,
					   xdp_buff_is_frag_pfmemalloc(xdp));
#endif
#endif
	rxpool_handover(pool, page, skb);
	return skb;
}

/**
 * xdpbuf_xmit_result() - end of ndo_xdp_xmit
 * @frames: its frames
 * @n: how many
 * @sent: how many of these, from the first on, the driver has taken
 *
 * Where the caller expects it, the others are freed here.
 *
 * Context: NAPI poll.
 * Return: what ndo_xdp_xmit has to return.
 */
static inline int xdpbuf_xmit_result(struct xdp_frame **frames, int n, int sent)
{
#ifndef HAVE_XDPF_CLONE
	int i;

	for (i = sent; i < n; i++)
		xdp_return_frame_rx_napi(frames[i]);
#endif
	return sent;
}

/**
 * xdpbuf_answer() - commands of ndo_bpf that only older kernels have
 * @bpf: the command
 * @prog: program that is attached, or NULL
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EINVAL for a command that is none of these.
 */
static inline int xdpbuf_answer(struct netdev_bpf *bpf, const struct bpf_prog *prog)
{
#ifndef HAVE_XDP_NO_QUERY_PROG
	if (bpf->command == XDP_QUERY_PROG) {
		bpf->prog_id = prog ? prog->aux->id : 0;
		return 0;
	}
#endif
	return -EINVAL;
}

/* ---- AF_XDP ------------------------------------------------------------- */

/**
 * xdpbuf_is_pool() - is a command of ndo_bpf about memory of AF_XDP sockets
 * @bpf: the command
 * @pool: filled with the pool, or NULL to take it away
 * @queue: filled with its queue
 *
 * Context: Process context, rtnl held.
 * Return: true if so; false always where the kernel has no pools.
 */
static inline bool xdpbuf_is_pool(const struct netdev_bpf *bpf, struct xsk_buff_pool **pool,
				  u16 *queue)
{
#ifdef HAVE_XSK_BUFF_POOL
	if (bpf->command == XDP_SETUP_XSK_POOL) {
		*pool = bpf->xsk.pool;
		*queue = bpf->xsk.queue_id;
		return true;
	}
#endif
	return false;
}

/**
 * xdpbuf_zc_has_room() - is there room behind the xdp_buff of a pool's buffer
 *
 * Context: Any.
 * Return: true where hints for programs exist, which is what it is for.
 */
static inline bool xdpbuf_zc_has_room(void)
{
#ifdef HAVE_XDP_METADATA_OPS
	return true;
#else
	return false;
#endif
}

#ifndef XSK_CHECK_PRIV_TYPE	/* where there are hints, since 6.3 */
#define XSK_CHECK_PRIV_TYPE(t)
#endif

/* ---- Hints ------------------------------------------------------------- */

#ifndef HAVE_XDP_METADATA_OPS
enum xdp_rss_hash_type {
	XDP_RSS_TYPE_NONE,
	XDP_RSS_TYPE_L3_IPV4,
	XDP_RSS_TYPE_L3_IPV6,
	XDP_RSS_TYPE_L4_IPV4_TCP,
	XDP_RSS_TYPE_L4_IPV4_UDP,
	XDP_RSS_TYPE_L4_IPV4_SCTP,
	XDP_RSS_TYPE_L4_IPV6_TCP,
	XDP_RSS_TYPE_L4_IPV6_UDP,
	XDP_RSS_TYPE_L4_IPV6_SCTP,
};

struct xdp_metadata_ops {
	int (*xmo_rx_timestamp)(const struct xdp_md *ctx, u64 *timestamp);
	int (*xmo_rx_hash)(const struct xdp_md *ctx, u32 *hash, enum xdp_rss_hash_type *rss_type);
	int (*xmo_rx_vlan_tag)(const struct xdp_md *ctx, __be16 *vlan_proto, u16 *vlan_tci);
};

#elif !defined(HAVE_XMO_RX_VLAN_TAG)
/* Begins with the kernel's; what the kernel does not know is never called. */
struct compat_xdp_metadata_ops {
	struct xdp_metadata_ops;
	int (*xmo_rx_vlan_tag)(const struct xdp_md *ctx, __be16 *vlan_proto, u16 *vlan_tci);
};
#endif

#if defined(HAVE_XDP_METADATA_OPS) && !defined(HAVE_XMO_RX_VLAN_TAG)
static inline void xdpbuf_set_hints(struct net_device *dev,
				    const struct compat_xdp_metadata_ops *ops)
{
	dev->xdp_metadata_ops = (const struct xdp_metadata_ops *)ops;
}

#define xdp_metadata_ops	compat_xdp_metadata_ops
#else
/**
 * xdpbuf_set_hints() - tell programs what they can ask of a frame
 * @dev: net_device, not registered yet
 * @ops: functions; they stay
 *
 * Context: Process context.
 */
static inline void xdpbuf_set_hints(struct net_device *dev, const struct xdp_metadata_ops *ops)
{
#ifdef HAVE_XDP_METADATA_OPS
	dev->xdp_metadata_ops = ops;
#endif
}
#endif

#endif /* COMPAT_XDPBUF_H */

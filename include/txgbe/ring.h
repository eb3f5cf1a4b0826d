/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings and vectors. A vector is one interrupt, one NAPI instance, a pair of
 * rings for the stack and a transmit ring for XDP. A vector that was in use once
 * lives as long as the net_device, with its counters and its interrupt's
 * affinity; rings live from open to close or until the next change of their size.
 */
#ifndef TXGBE_RING_H
#define TXGBE_RING_H

#include <linux/bitfield.h>
#include <linux/cache.h>
#include <linux/dim.h>
#include <linux/if_ether.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <net/xdp.h>

#include "hw/desc.h"
#include "hw/regs.h"
#include "txgbe/stats.h"

struct bpf_prog;
struct page_pool;
struct txgbe_net;
struct txgbe_ring_cfg;
struct txgbe_vec;
struct xsk_buff_pool;

/**
 * txgbe_ring_distance() - slots from one index of a ring up to another
 * @from: index, 0..@size-1
 * @to: index, 0..@size-1
 * @size: descriptors of the ring
 *
 * Context: Any.
 * Return: 0..@size-1, with wrap.
 */
static inline u32 txgbe_ring_distance(u32 from, u32 to, u32 size)
{
	return to >= from ? to - from : to + size - from;
}

/* ---- Transmit ---------------------------------------------------------- */

/*
 * Most bytes of one skb. The device would take 512 KiB of payload; half of it
 * leaves room for two such skbs in the smallest ring.
 */
#define TXGBE_TX_MAX_BYTES	SZ_256K

static_assert(TXGBE_TXD_STA_PAYLEN >> 13 >= TXGBE_TX_MAX_BYTES);

/*
 * Most descriptors one skb can take: a context, head and fragments, and one
 * more for each full TXGBE_TXD_MAX_LEN.
 */
#define TXGBE_TX_WORST_DESC	(1 + 1 + MAX_SKB_FRAGS +		\
				 TXGBE_TX_MAX_BYTES / TXGBE_TXD_MAX_LEN)
/* Room that restarts a stopped queue: enough to be worth the wake-up. */
#define TXGBE_TX_WAKE_DESC	(2 * TXGBE_TX_WORST_DESC)

static_assert(TXGBE_TX_WAKE_DESC < TXGBE_RING_MIN_DESC);

/**
 * struct txgbe_tx_buf - what must be undone for one descriptor
 * @skb: in the first slot of a frame, whatever kind of descriptor it holds
 * @xdpf: the same in a ring of XDP; NULL if the frame is of a socket's memory
 * @dma: start of the mapping
 * @len: bytes mapped; 0 in slots that own no mapping (a context, the later
 *	pieces of a split buffer)
 * @bytes: first slot: wire bytes of all segments
 * @nr_segs: first slot: frames on the wire
 * @nr_desc: first slot: descriptors of the skb, this one included
 */
struct txgbe_tx_buf {
	union {
		struct sk_buff *skb;
		struct xdp_frame *xdpf;
	};
	dma_addr_t dma;
	u32 len;
	u32 bytes;
	u16 nr_segs;
	u16 nr_desc;
};

/**
 * struct txgbe_tx_ctxt - the part of a context descriptor that varies
 * @w0: lengths and tag, TXGBE_TXC0_*
 * @w1: outer headers of a tunnel, TXGBE_TXC1_*
 * @w2: type, TXGBE_TXC2_*; never 0 in a real context
 * @w3: TXGBE_TXC3_*
 */
struct txgbe_tx_ctxt {
	u32 w0;
	u32 w1;
	u32 w2;
	u32 w3;
};

/**
 * struct txgbe_tx_hdrs - headers of a frame the device is to checksum or segment
 * @tunnel: outer headers, TXGBE_TXC1_*; 0 without a tunnel
 * @l3: start of the IP header right before the L4 header, in bytes of the frame
 * @l4: start of the L4 header
 * @ptype: packet type, TXGBE_PTYPE_*; 0 if the device cannot be told of them
 * @outer_ipv4: @tunnel has an IPv4 header that needs a checksum of its own
 */
struct txgbe_tx_hdrs {
	u32 tunnel;
	u16 l3;
	u16 l4;
	u8 ptype;
	bool outer_ipv4;
};

/**
 * struct txgbe_tx_ring - one transmit ring
 * @desc: descriptors
 * @buf: one entry per descriptor
 * @tail: doorbell
 * @dma_dev: device that does the DMA
 * @txq: the stack's queue; NULL in a ring of XDP
 * @netdev: sender
 * @xsk_pool: memory of AF_XDP sockets that send here, or NULL
 * @head: written by the device: index of the next descriptor to process
 * @stats: counters, they outlive the ring
 * @size: descriptors
 * @idx: hardware ring number
 *
 * @use_idx: next free descriptor; written by transmit
 * @rung_idx: @use_idx at the last doorbell: the device owns nothing from there on;
 *	written by transmit
 * @ctxt: what the device holds in context slot 0; transmit only
 * @lock: transmit's side of a ring of XDP, which any CPU may send on
 * @off: not started, or about to be stopped: nothing may be queued, nor may the
 *	poll wake the stack's queue; under @lock in a ring of XDP, else under the
 *	queue's lock
 *
 * @clean_idx: oldest descriptor not reclaimed; written by the poll
 *
 * @stuck_idx: @clean_idx when frames were last seen pending; the service work's
 * @stuck_ticks: looks of the service work since then
 * @dma: bus address of @desc
 * @head_dma: bus address of @head
 */
struct txgbe_tx_ring {
	/* read-mostly */
	struct txgbe_tx_data_desc *desc;
	struct txgbe_tx_buf *buf;
	u32 __iomem *tail;
	struct device *dma_dev;
	struct netdev_queue *txq;
	struct net_device *netdev;
	struct xsk_buff_pool *xsk_pool;
	__le32 *head;
	struct txgbe_txq_stats *stats;
	u32 size;
	u32 idx;

	/* transmit */
	u32 use_idx ____cacheline_aligned_in_smp;
	u32 rung_idx;
	struct txgbe_tx_ctxt ctxt;
	spinlock_t lock; /* the above, in a ring of XDP */
	bool off;

	/* poll */
	u32 clean_idx ____cacheline_aligned_in_smp;

	/* cold */
	dma_addr_t dma ____cacheline_aligned_in_smp;
	dma_addr_t head_dma;
	u32 stuck_idx;
	u32 stuck_ticks;
};

static_assert(offsetof(struct txgbe_tx_ring, use_idx) % SMP_CACHE_BYTES == 0);
static_assert(offsetof(struct txgbe_tx_ring, clean_idx) % SMP_CACHE_BYTES == 0);

/**
 * txgbe_tx_pending() - descriptors given to the device and not reclaimed
 * @txr: ring
 *
 * Context: Any; the result can be stale at once.
 * Return: 0..size-1.
 */
static inline u32 txgbe_tx_pending(const struct txgbe_tx_ring *txr)
{
	u32 use = READ_ONCE(txr->use_idx);

	return txgbe_ring_distance(READ_ONCE(txr->clean_idx), use, txr->size);
}

/**
 * txgbe_tx_unused() - free descriptors; one stays empty to tell full from empty
 * @txr: ring
 *
 * Context: Any; exact for transmit's side of the ring.
 * Return: 0..size-1.
 */
static inline u32 txgbe_tx_unused(const struct txgbe_tx_ring *txr)
{
	return txr->size - 1 - txgbe_tx_pending(txr);
}

/**
 * txgbe_tx_next() - the slot after slot @i, with wrap
 * @txr: ring
 * @i: slot
 *
 * Context: Any.
 * Return: 0..size-1.
 */
static inline u32 txgbe_tx_next(const struct txgbe_tx_ring *txr, u32 i)
{
	i++;
	return unlikely(i == txr->size) ? 0 : i;
}

/**
 * txgbe_tx_doorbell() - tell the device of what was queued
 * @txr: ring
 *
 * Context: The holder of the queue's transmit lock or the ring's.
 */
static inline void txgbe_tx_doorbell(struct txgbe_tx_ring *txr)
{
	WRITE_ONCE(txr->rung_idx, txr->use_idx);
	/* writel() orders the descriptors before the doorbell. */
	writel(txr->use_idx, txr->tail);
}

/**
 * txgbe_tx_flush() - ring the doorbell if one is owed
 * @txr: ring
 *
 * Context: The holder of the queue's transmit lock or the ring's.
 */
static inline void txgbe_tx_flush(struct txgbe_tx_ring *txr)
{
	if (txr->rung_idx != txr->use_idx)
		txgbe_tx_doorbell(txr);
}

/**
 * txgbe_tx_has_news() - did the device report anything since the last reclaim
 * @txr: ring
 *
 * Context: The poll; elsewhere the result is a hint.
 * Return: true if so.
 */
static inline bool txgbe_tx_has_news(const struct txgbe_tx_ring *txr)
{
	return le32_to_cpu(READ_ONCE(*txr->head)) != txr->clean_idx;
}

/**
 * txgbe_tx_nr_done() - what the device has finished since the last reclaim
 * @txr: ring
 * @bad: set to true if the head is outside of what was given to the device
 *
 * Such a head is stale or broken: it frees nothing, and the next write-back
 * or the watchdog decides.
 *
 * Context: The poll; elsewhere the result is a hint.
 * Return: descriptors, 0..size-1.
 */
static inline u32 txgbe_tx_nr_done(const struct txgbe_tx_ring *txr, bool *bad)
{
	u32 head = le32_to_cpu(READ_ONCE(*txr->head));
	u32 clean = txr->clean_idx;
	u32 done, given;

	if (head == clean)
		return 0;

	/*
	 * Read the head before rung_idx, so that a head seen is never ahead of
	 * the rung_idx seen. Pairs with the doorbell, which follows the store.
	 */
	dma_rmb();
	given = txgbe_ring_distance(clean, READ_ONCE(txr->rung_idx), txr->size);
	done = txgbe_ring_distance(clean, head, txr->size);
	if (likely(head < txr->size && done <= given))
		return done;
	*bad = true;
	return 0;
}

/* ---- Receive ----------------------------------------------------------- */

/*
 * One buffer is headroom, what the device may write, and room for
 * skb_shared_info, so that an skb can be built around it without a copy. It
 * fills a 4 KiB page: there is no reference counting of page parts, a page of
 * the pool is one buffer. 3 KiB is what the page leaves, and takes a frame of
 * MTU 9000 in three descriptors instead of five.
 */
#define TXGBE_RX_BUF_KIB	3
#define TXGBE_RX_BUF_BYTES	(TXGBE_RX_BUF_KIB * SZ_1K)
#define TXGBE_RX_HEADROOM	256	/* as XDP programs expect it */
#define TXGBE_RX_SLOT_BYTES	(TXGBE_RX_HEADROOM + TXGBE_RX_BUF_BYTES +	\
				 SKB_DATA_ALIGN(sizeof(struct skb_shared_info)))

static_assert(TXGBE_RX_SLOT_BYTES <= PAGE_SIZE);

/* Buffers of the longest frame; a longer chain is cut. */
#define TXGBE_RX_MAX_CHAIN	DIV_ROUND_UP(TXGBE_MAX_FRAME_BYTES, TXGBE_RX_BUF_BYTES)

static_assert(TXGBE_RX_MAX_CHAIN <= MAX_SKB_FRAGS);

/*
 * Frames up to this size are copied into an skb of their own: a socket is
 * charged for what an skb takes, and a page for 60 bytes fills its receive
 * buffer after some 50 frames. The page stays in its slot.
 */
#define TXGBE_RX_COPY_BYTES	256

/* A header buffer, of rings that split headers from data */
#define TXGBE_RX_HDR_BYTES	256

/* rxr->skb while the rest of a frame is passed over */
#define TXGBE_RX_SKIP	((struct sk_buff *)ERR_PTR(-EIO))

/* With fewer buffers than this the device may stall without an interrupt. */
#define TXGBE_RX_STARVED_DESC	(2 * TXGBE_RX_MAX_CHAIN)

/**
 * struct txgbe_rx_buf - buffer of one descriptor
 * @page: page of the pool, NULL once an skb took it
 * @xdp: the same in a ring of AF_XDP
 * @offset: start of the buffer in @page
 */
struct txgbe_rx_buf {
	union {
		struct page *page;
		struct xdp_buff *xdp;
	};
	u32 offset;
};

/**
 * struct txgbe_rx_ring - one receive ring; all members belong to the poll
 * @desc: descriptors
 * @buf: one entry per descriptor
 * @tail: doorbell
 * @pool: where buffers come from
 * @netdev: receiver
 * @xsk_pool: memory of AF_XDP sockets that receive here, instead of @pool
 * @xdp_prog: XDP program or NULL; written under rtnl, read once for each poll
 * @napi: NAPI instance that polls the ring
 * @stats: counters, they outlive the ring
 * @size: descriptors
 * @batch: free descriptors that are worth a refill and a doorbell
 * @idx: hardware ring number
 * @buf_kib: what the device may write into one buffer
 * @strip: VLAN tags are in the descriptor, not in the frame
 * @hdr: header buffers, one per descriptor, if headers are split from data; else NULL
 *
 * @use_idx: next descriptor to refill; those from @clean_idx up to it belong
 *	to the device
 * @clean_idx: next descriptor the device completes
 * @skb: frame whose last buffer has not come yet; NULL if none; an ERR_PTR
 *	while the rest of a dropped frame is passed over
 * @split: @skb's headers were apart from its data
 *
 * @xdp_rxq: what XDP knows of the ring
 * @dma: bus address of @desc
 * @hdr_dma: bus address of @hdr
 */
struct txgbe_rx_ring {
	/* read-mostly */
	union txgbe_rx_desc *desc;
	struct txgbe_rx_buf *buf;
	u32 __iomem *tail;
	struct page_pool *pool;
	struct net_device *netdev;
	struct xsk_buff_pool *xsk_pool;
	struct bpf_prog *xdp_prog;
	struct napi_struct *napi;
	struct txgbe_rxq_stats *stats;
	u16 size;
	u16 batch;
	u16 idx;
	u16 buf_kib;
	bool strip;
	void *hdr;

	/* poll */
	u32 use_idx ____cacheline_aligned_in_smp;
	u32 clean_idx;
	struct sk_buff *skb;
	bool split;

	/* read-mostly, with a program */
	struct xdp_rxq_info xdp_rxq;

	/* cold */
	dma_addr_t dma ____cacheline_aligned_in_smp;
	dma_addr_t hdr_dma;
};

static_assert(offsetof(struct txgbe_rx_ring, use_idx) % SMP_CACHE_BYTES == 0);

/**
 * txgbe_rx_owned() - descriptors that belong to the device
 * @rxr: ring
 *
 * Context: The poll, or while NAPI is disabled.
 * Return: 0..size-1.
 */
static inline u32 txgbe_rx_owned(const struct txgbe_rx_ring *rxr)
{
	return txgbe_ring_distance(rxr->clean_idx, rxr->use_idx, rxr->size);
}

/**
 * txgbe_rx_has_news() - is there a frame, or room that is worth a refill
 * @rxr: ring
 *
 * Context: The poll, or while NAPI is disabled.
 * Return: false if a look at the ring is in vain.
 */
static inline bool txgbe_rx_has_news(const struct txgbe_rx_ring *rxr)
{
	return READ_ONCE(rxr->desc[rxr->clean_idx].wb.status) & cpu_to_le32(TXGBE_RXD_STA_DD) ||
	       rxr->size - 1 - txgbe_rx_owned(rxr) >= rxr->batch;
}

/**
 * txgbe_rx_vlan_proto() - type of the VLAN tag the device took out of a frame
 * @info: first word of its last descriptor
 *
 * Context: Any.
 * Return: ETH_P_8021Q or ETH_P_8021AD.
 */
static inline __be16 txgbe_rx_vlan_proto(u32 info)
{
	/* An index into the table of types, see filter.c. */
	return FIELD_GET(TXGBE_RXD0_TPID_IDX, info) == TXGBE_TPID_IDX_8021AD ?
	       htons(ETH_P_8021AD) : htons(ETH_P_8021Q);
}

/* ---- Vector ------------------------------------------------------------ */

/**
 * struct txgbe_ladder - how far recovery went for one transmit ring
 * @packets: frames it had sent at the last step
 * @tries: steps since it last sent a frame
 */
struct txgbe_ladder {
	u64 packets;
	u32 tries;
};

/**
 * struct txgbe_vec - one interrupt, one NAPI instance, its rings
 * @napi: NAPI instance
 * @txr: transmit ring, from open to close
 * @rxr: receive ring, from open to close
 * @xdpr: transmit ring of XDP, from open to close
 * @unmask: register that unmasks the vector
 * @unmask_bit: its bit there
 * @idx: vector and queue number
 * @cpu: CPU the vector is meant for
 * @irq: Linux interrupt number
 * @adaptive: the moderation follows the load
 * @itr_events: ends of polls that @dim was told of
 * @active: has a NAPI instance: its queue exists for the stack
 * @placed: the interrupt's affinity was set once; from then on it is the user's
 * @fn: owner
 * @dim: state of the adaption
 * @tx_stats: counters of the transmit queue
 * @rx_stats: counters of the receive queue
 * @xdp_stats: counters of the transmit ring of XDP
 * @irq_lost: polls the service work had to start; written by it alone
 * @deaf_polls: how many of these since an interrupt was last known to come
 * @heard_ticks: looks of the service work since the last of these
 * @tx_ladder: recovery of @txr
 * @xdp_ladder: recovery of @xdpr
 * @seen_tx: @txr's clean_idx at the last look of the service work
 * @seen_rx: @rxr's clean_idx at the last look of the service work
 * @seen_xdp: @xdpr's clean_idx at the last look of the service work
 * @affinity: tells aRFS where the interrupt goes
 * @name: in /proc/interrupts
 */
struct txgbe_vec {
	struct napi_struct napi;
	struct txgbe_tx_ring *txr;
	struct txgbe_rx_ring *rxr;
	struct txgbe_tx_ring *xdpr;
	u32 __iomem *unmask;
	u32 unmask_bit;
	u16 idx;
	u16 cpu;
	int irq;
	bool adaptive;
	u16 itr_events;
	bool active;
	bool placed;
	struct txgbe_net *fn;
	struct dim dim;
	struct txgbe_txq_stats tx_stats;
	struct txgbe_rxq_stats rx_stats;
	struct txgbe_txq_stats xdp_stats;
	unsigned long irq_lost;
	u32 deaf_polls;
	u32 heard_ticks;
	struct txgbe_ladder tx_ladder;
	struct txgbe_ladder xdp_ladder;
	u32 seen_tx;
	u32 seen_rx;
	u32 seen_xdp;
	struct irq_affinity_notify affinity;
	char name[IFNAMSIZ + 16];
};

/**
 * struct txgbe_ring_pair - the rings of one vector, in use or not
 * @txr: transmit ring of the stack
 * @xdpr: transmit ring of XDP
 * @rxr: receive ring
 */
struct txgbe_ring_pair {
	struct txgbe_tx_ring *txr;
	struct txgbe_tx_ring *xdpr;
	struct txgbe_rx_ring *rxr;
};

/* ring.c */
int txgbe_ring_alloc_pair(struct txgbe_net *fn, struct txgbe_vec *vec,
			  const struct txgbe_ring_cfg *cfg, struct txgbe_ring_pair *pair);
void txgbe_ring_free_pair(struct txgbe_net *fn, struct txgbe_ring_pair *pair);
void txgbe_ring_disown(struct txgbe_ring_pair *pair);
void txgbe_ring_drain_pair(struct txgbe_ring_pair *pair);
void txgbe_ring_install(struct txgbe_net *fn, struct txgbe_vec *vec, struct txgbe_ring_pair *pair);
int txgbe_ring_alloc_all(struct txgbe_net *fn);
void txgbe_ring_free_all(struct txgbe_net *fn);
void txgbe_ring_drain_all(struct txgbe_net *fn);

/* queue.c */
int txgbe_queue_start_tx(struct txgbe_net *fn);
int txgbe_queue_start_rx(struct txgbe_net *fn);
void txgbe_queue_set_strip(struct txgbe_net *fn, bool strip);
void txgbe_queue_stop_tx(struct txgbe_net *fn);
void txgbe_queue_update_drop(struct txgbe_net *fn);
void txgbe_queue_stop_rx(struct txgbe_net *fn);
int txgbe_queue_restart_tx(struct txgbe_net *fn, u32 queue);
int txgbe_queue_start_pair(struct txgbe_net *fn, struct txgbe_vec *vec);
int txgbe_queue_stop_pair(struct txgbe_net *fn, struct txgbe_vec *vec);
int txgbe_queue_swap(struct txgbe_net *fn, struct txgbe_vec *vec, struct txgbe_ring_pair *pair,
		     bool *exchanged);

/* napi.c */
int txgbe_napi_poll(struct napi_struct *napi, int budget);
void txgbe_napi_enable(struct txgbe_vec *vec);
void txgbe_napi_disable(struct txgbe_vec *vec);
void txgbe_napi_forget(struct txgbe_vec *vec);
void txgbe_napi_resume(struct txgbe_vec *vec);
void txgbe_napi_kick_lost(struct txgbe_vec *vec);

/* itr.c */
void txgbe_itr_init(struct txgbe_vec *vec);
void txgbe_itr_start(struct txgbe_vec *vec);
void txgbe_itr_apply(struct txgbe_vec *vec);
void txgbe_itr_sample(struct txgbe_vec *vec);
void txgbe_itr_stop(struct txgbe_vec *vec);

/* tx.c */
netdev_tx_t txgbe_tx_xmit(struct sk_buff *skb, struct net_device *dev);
netdev_features_t txgbe_tx_features_check(struct sk_buff *skb, struct net_device *dev,
					  netdev_features_t features);
void txgbe_tx_clean(struct txgbe_tx_ring *txr, int budget);
void txgbe_tx_drain(struct txgbe_tx_ring *txr);
void txgbe_tx_reset(struct txgbe_tx_ring *txr);
void txgbe_tx_unmap(struct txgbe_tx_ring *txr, u32 i, u32 end);
bool txgbe_tx_hw_done(const struct txgbe_tx_ring *txr);
u8 txgbe_tx_l4_type(const struct sk_buff *skb, u8 proto);

/* tunnel.c */
struct txgbe_tx_hdrs txgbe_tunnel_find_hdrs(const struct sk_buff *skb);
void txgbe_tunnel_rx_csum(struct sk_buff *skb, u8 ptype);

/* rx.c */
int txgbe_rx_clean(struct txgbe_vec *vec, int budget);
bool txgbe_rx_finish(struct txgbe_rx_ring *rxr, u32 clean_idx, unsigned int packets,
		     unsigned int bytes);
struct sk_buff *txgbe_rx_chain(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf, u32 len,
			       u32 status);
void txgbe_rx_append(struct txgbe_rx_ring *rxr, struct txgbe_rx_buf *buf, struct sk_buff *skb,
		     u32 len);
void txgbe_rx_set_meta(struct txgbe_rx_ring *rxr, const union txgbe_rx_desc *desc,
		       struct sk_buff *skb, u32 status, netdev_features_t features);
void txgbe_rx_refill(struct txgbe_rx_ring *rxr, u32 nr, gfp_t gfp);
void txgbe_rx_drain(struct txgbe_rx_ring *rxr);

/* split.c */
int txgbe_split_alloc(struct txgbe_rx_ring *rxr, struct device *dev);
void txgbe_split_free(struct txgbe_rx_ring *rxr, struct device *dev);
void txgbe_split_refill(struct txgbe_rx_ring *rxr, u32 i, u32 end);
int txgbe_split_rx(struct txgbe_vec *vec, int budget);

/* xdp.c */
void txgbe_xdp_init_netdev(struct net_device *dev);
int txgbe_xdp_register_rxq(struct txgbe_rx_ring *rxr, struct txgbe_vec *vec);
void txgbe_xdp_unregister_rxq(struct txgbe_rx_ring *rxr);
int txgbe_xdp_bpf(struct net_device *dev, struct netdev_bpf *bpf);
bool txgbe_xdp_allows_mtu(const struct txgbe_net *fn, int mtu);
bool txgbe_xdp_in_use(const struct txgbe_net *fn);
int txgbe_xdp_rx(struct txgbe_vec *vec, int budget, struct bpf_prog *prog);
int txgbe_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames, u32 flags);
void txgbe_xdp_clean(struct txgbe_tx_ring *txr);
void txgbe_xdp_drain(struct txgbe_tx_ring *txr);

/* xsk.c */
int txgbe_xsk_set_pool(struct txgbe_net *fn, struct xsk_buff_pool *pool, u32 queue);
int txgbe_xsk_wakeup(struct net_device *dev, u32 queue, u32 flags);
u32 txgbe_xsk_buf_kib(struct xsk_buff_pool *pool);
bool txgbe_xsk_fits(struct xsk_buff_pool *pool, int mtu);
int txgbe_xsk_register_rxq(struct txgbe_rx_ring *rxr);
void txgbe_xsk_own_pool(struct txgbe_rx_ring *rxr);
void txgbe_xsk_refill(struct txgbe_rx_ring *rxr, u32 nr);
void txgbe_xsk_free_buffers(struct txgbe_rx_ring *rxr);
int txgbe_xsk_rx(struct txgbe_vec *vec, int budget);
bool txgbe_xsk_tx(struct txgbe_tx_ring *xdpr);
void txgbe_xsk_sent(struct txgbe_tx_ring *xdpr, u32 nr);

#endif /* TXGBE_RING_H */

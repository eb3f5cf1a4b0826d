/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters: per queue in software, per port in hardware. */
#ifndef TXGBE_STATS_H
#define TXGBE_STATS_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>

#include "txgbe/hw.h"

struct rtnl_link_stats64;
struct txgbe_net;
struct txgbe_vec;

/**
 * struct txgbe_txq_stats - one transmit queue since the port was created, or
 * the transmit ring of XDP of a queue pair
 * @packets: frames on the wire, a segmented skb counts each segment
 * @bytes: their bytes, headers of each segment included, without FCS
 * @wakes: a full ring had room again
 * @bad_heads: head write-backs outside of what was given to the device
 * @syncp: writer is the poll of the queue's vector
 * @dropped: frames that were not sent: refused by transmit, or still in the
 *	ring when the port went down
 * @map_errors: of these, DMA mapping failed
 * @csum_sw: checksums the device cannot insert, done in software
 * @busy: transmit called with a full ring; XDP: frames refused because of it
 * @gso: skbs described to the device to be cut, those of @map_errors too
 * @gso_segs: their segments
 * @xmit_syncp: writer is the holder of the queue's transmit lock or the ring's
 */
struct txgbe_txq_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t wakes;
	u64_stats_t bad_heads;
	struct u64_stats_sync syncp;
	u64_stats_t dropped;
	u64_stats_t map_errors;
	u64_stats_t csum_sw;
	u64_stats_t busy;
	u64_stats_t gso;
	u64_stats_t gso_segs;
	struct u64_stats_sync xmit_syncp;
};

/**
 * struct txgbe_rxq_stats - one receive queue since the port was created
 * @packets: frames received, those an XDP program took included
 * @bytes: their bytes, from the Ethernet header, without FCS
 * @csum_bad: frames with a checksum the device found wrong
 * @mac_errors: frames dropped because the MAC found them damaged
 * @length_errors: frames dropped because of an impossible length or number
 *	of buffers
 * @no_skb: frames dropped for lack of an skb
 * @no_page: buffers that could not be refilled at once, nothing was lost yet
 * @xdp_pass: frames an XDP program passed to the stack
 * @xdp_drop: frames it dropped
 * @xdp_tx: frames it sent back, and the transmit ring took
 * @xdp_redirect: frames it sent elsewhere, and XDP took
 * @xdp_aborted: frames dropped because it failed or gave an unknown verdict
 * @xdp_errors: frames it sent back or elsewhere that were not taken: dropped
 * @syncp: writer is the poll of the queue's vector
 */
struct txgbe_rxq_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t csum_bad;
	u64_stats_t mac_errors;
	u64_stats_t length_errors;
	u64_stats_t no_skb;
	u64_stats_t no_page;
	u64_stats_t xdp_pass;
	u64_stats_t xdp_drop;
	u64_stats_t xdp_tx;
	u64_stats_t xdp_redirect;
	u64_stats_t xdp_aborted;
	u64_stats_t xdp_errors;
	struct u64_stats_sync syncp;
};

/* The same as plain numbers, a consistent copy of one queue or a sum. */
struct txgbe_txq_sum {
	u64 packets;
	u64 bytes;
	u64 wakes;
	u64 bad_heads;
	u64 dropped;
	u64 map_errors;
	u64 csum_sw;
	u64 busy;
	u64 gso;
	u64 gso_segs;
};

struct txgbe_rxq_sum {
	u64 packets;
	u64 bytes;
	u64 csum_bad;
	u64 mac_errors;
	u64 length_errors;
	u64 no_skb;
	u64 no_page;
	u64 xdp_pass;
	u64 xdp_drop;
	u64 xdp_tx;
	u64 xdp_redirect;
	u64 xdp_aborted;
	u64 xdp_errors;
};

/**
 * struct txgbe_port_stats - hardware counters, accumulated since probe
 * @lock: one reader of the clear-on-read registers at a time
 * @sum: running totals, under @lock
 * @copy: what readers see, under @syncp
 * @syncp: written with bottom halves off and @lock held
 */
struct txgbe_port_stats {
	struct mutex lock; /* the registers and @sum */
	struct txgbe_hw_stats sum;
	struct txgbe_hw_stats copy;
	struct u64_stats_sync syncp;
};

/**
 * txgbe_stat_inc() - count one rare event
 * @syncp: guards @counter; the caller is its only writer
 * @counter: counter
 *
 * Context: Any, outside of another update of @syncp.
 */
static inline void txgbe_stat_inc(struct u64_stats_sync *syncp, u64_stats_t *counter)
{
	u64_stats_update_begin(syncp);
	u64_stats_inc(counter);
	u64_stats_update_end(syncp);
}

/* queue.c */
void txgbe_stats_init_queue(struct txgbe_vec *vec);
void txgbe_stats_get_txq(const struct txgbe_vec *vec, struct txgbe_txq_sum *sum);
void txgbe_stats_get_xdpq(const struct txgbe_vec *vec, struct txgbe_txq_sum *sum);
void txgbe_stats_get_rxq(const struct txgbe_vec *vec, struct txgbe_rxq_sum *sum);
void txgbe_stats_get64(struct txgbe_net *fn, struct rtnl_link_stats64 *stats);

/* hw.c */
void txgbe_stats_hw_init(struct txgbe_net *fn);
void txgbe_stats_hw_refresh(struct txgbe_net *fn);
void txgbe_stats_hw_get(struct txgbe_net *fn, struct txgbe_hw_stats *stats);

#endif /* TXGBE_STATS_H */

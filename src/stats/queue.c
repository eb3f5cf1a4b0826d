// SPDX-License-Identifier: GPL-2.0-only
/* Software counters of the queues and their sums. */
#include <linux/if_link.h>

#include "txgbe/netdev.h"

/**
 * txgbe_stats_init_queue() - prepare the counters of one vector, all 0
 * @vec: vector, zeroed
 *
 * Context: Process context, before anybody counts.
 */
void txgbe_stats_init_queue(struct txgbe_vec *vec)
{
	u64_stats_init(&vec->tx_stats.syncp);
	u64_stats_init(&vec->tx_stats.xmit_syncp);
	u64_stats_init(&vec->rx_stats.syncp);
	u64_stats_init(&vec->xdp_stats.syncp);
	u64_stats_init(&vec->xdp_stats.xmit_syncp);
}

static void txgbe_stats_copy_tx(const struct txgbe_txq_stats *stats, struct txgbe_txq_sum *sum)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->syncp);
		sum->packets = u64_stats_read(&stats->packets);
		sum->bytes = u64_stats_read(&stats->bytes);
		sum->wakes = u64_stats_read(&stats->wakes);
		sum->bad_heads = u64_stats_read(&stats->bad_heads);
	} while (u64_stats_fetch_retry(&stats->syncp, start));

	do {
		start = u64_stats_fetch_begin(&stats->xmit_syncp);
		sum->dropped = u64_stats_read(&stats->dropped);
		sum->map_errors = u64_stats_read(&stats->map_errors);
		sum->csum_sw = u64_stats_read(&stats->csum_sw);
		sum->busy = u64_stats_read(&stats->busy);
		sum->gso = u64_stats_read(&stats->gso);
		sum->gso_segs = u64_stats_read(&stats->gso_segs);
	} while (u64_stats_fetch_retry(&stats->xmit_syncp, start));
}

/**
 * txgbe_stats_get_txq() - copy the counters of one transmit queue
 * @vec: vector of the queue
 * @sum: the copy
 *
 * Context: Any.
 */
void txgbe_stats_get_txq(const struct txgbe_vec *vec, struct txgbe_txq_sum *sum)
{
	txgbe_stats_copy_tx(&vec->tx_stats, sum);
}

/**
 * txgbe_stats_get_xdpq() - copy the counters of one transmit ring of XDP
 * @vec: vector of the ring
 * @sum: the copy
 *
 * Context: Any.
 */
void txgbe_stats_get_xdpq(const struct txgbe_vec *vec, struct txgbe_txq_sum *sum)
{
	txgbe_stats_copy_tx(&vec->xdp_stats, sum);
}

/**
 * txgbe_stats_get_rxq() - copy the counters of one receive queue
 * @vec: vector of the queue
 * @sum: the copy
 *
 * Context: Any.
 */
void txgbe_stats_get_rxq(const struct txgbe_vec *vec, struct txgbe_rxq_sum *sum)
{
	const struct txgbe_rxq_stats *stats = &vec->rx_stats;
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->syncp);
		sum->packets = u64_stats_read(&stats->packets);
		sum->bytes = u64_stats_read(&stats->bytes);
		sum->csum_bad = u64_stats_read(&stats->csum_bad);
		sum->mac_errors = u64_stats_read(&stats->mac_errors);
		sum->length_errors = u64_stats_read(&stats->length_errors);
		sum->no_skb = u64_stats_read(&stats->no_skb);
		sum->no_page = u64_stats_read(&stats->no_page);
		sum->xdp_pass = u64_stats_read(&stats->xdp_pass);
		sum->xdp_drop = u64_stats_read(&stats->xdp_drop);
		sum->xdp_tx = u64_stats_read(&stats->xdp_tx);
		sum->xdp_redirect = u64_stats_read(&stats->xdp_redirect);
		sum->xdp_aborted = u64_stats_read(&stats->xdp_aborted);
		sum->xdp_errors = u64_stats_read(&stats->xdp_errors);
	} while (u64_stats_fetch_retry(&stats->syncp, start));
}

/**
 * txgbe_stats_get64() - fill the standard interface statistics
 * @fn: net part
 * @stats: zeroed by the caller
 *
 * Hardware counters are those of the last refresh; no register is read.
 *
 * Context: Any.
 */
void txgbe_stats_get64(struct txgbe_net *fn, struct rtnl_link_stats64 *stats)
{
	/* Pairs with txgbe_irq_add_vec(). */
	u32 nr = smp_load_acquire(&fn->known_vecs);
	struct txgbe_hw_stats hw;
	struct txgbe_txq_sum tx;
	struct txgbe_rxq_sum rx;
	u32 i;

	/* Queues that are no longer used count, too: totals never go back. */
	for (i = 0; i < nr; i++) {
		txgbe_stats_get_txq(fn->vec[i], &tx);
		stats->tx_packets += tx.packets;
		stats->tx_bytes += tx.bytes;
		stats->tx_dropped += tx.dropped;

		txgbe_stats_get_xdpq(fn->vec[i], &tx);
		stats->tx_packets += tx.packets;
		stats->tx_bytes += tx.bytes;
		stats->tx_dropped += tx.dropped;

		txgbe_stats_get_rxq(fn->vec[i], &rx);
		stats->rx_packets += rx.packets;
		stats->rx_bytes += rx.bytes;
		stats->rx_dropped += rx.no_skb;
		stats->rx_length_errors += rx.length_errors;
		stats->rx_frame_errors += rx.mac_errors;
	}

	txgbe_stats_hw_get(fn, &hw);
	stats->multicast = hw.rx_mcast;
	stats->rx_crc_errors = hw.rx_crc_errors;
	stats->rx_length_errors += hw.rx_length_errors;
	stats->rx_missed_errors = hw.rx_no_desc + hw.rx_missed;
	stats->rx_errors = stats->rx_crc_errors + stats->rx_length_errors +
			   stats->rx_frame_errors;
}

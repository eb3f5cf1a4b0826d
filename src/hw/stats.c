// SPDX-License-Identifier: GPL-2.0-only
/* Hardware counters of one port (reference 05); nearly all clear on read. */
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/* A counter that clears when it is read, and where its sum is kept. */
struct txgbe_stats_reg {
	u32 reg;
	u16 offset;
	bool wide;	/* 64 bits, the high half at @reg + 4 */
};

#define TXGBE_STATS_32(reg, member)	{ reg, offsetof(struct txgbe_hw_stats, member), false }
#define TXGBE_STATS_64(reg, member)	{ reg, offsetof(struct txgbe_hw_stats, member), true }

static const struct txgbe_stats_reg txgbe_stats_regs[] = {
	TXGBE_STATS_64(TXGBE_MMC_RX_FRAMES, rx_frames),
	TXGBE_STATS_64(TXGBE_MMC_TX_FRAMES, tx_frames),
	TXGBE_STATS_64(TXGBE_MMC_RX_OCTETS, rx_octets),
	TXGBE_STATS_64(TXGBE_MMC_TX_OCTETS, tx_octets),
	TXGBE_STATS_64(TXGBE_MMC_RX_BCAST, rx_bcast),
	TXGBE_STATS_64(TXGBE_MMC_TX_BCAST, tx_bcast),
	TXGBE_STATS_64(TXGBE_MMC_RX_MCAST, rx_mcast),
	TXGBE_STATS_64(TXGBE_MMC_TX_MCAST, tx_mcast),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(0), rx_size[0]),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(1), rx_size[1]),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(2), rx_size[2]),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(3), rx_size[3]),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(4), rx_size[4]),
	TXGBE_STATS_64(TXGBE_MMC_RX_SIZE(5), rx_size[5]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(0), tx_size[0]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(1), tx_size[1]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(2), tx_size[2]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(3), tx_size[3]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(4), tx_size[4]),
	TXGBE_STATS_64(TXGBE_MMC_TX_SIZE(5), tx_size[5]),
	TXGBE_STATS_64(TXGBE_MMC_RX_CRC_ERR, rx_crc_errors),
	TXGBE_STATS_64(TXGBE_MMC_RX_LEN_ERR, rx_length_errors),
	TXGBE_STATS_32(TXGBE_MMC_RX_UNDERSIZE, rx_undersize),
	TXGBE_STATS_32(TXGBE_MMC_RX_OVERSIZE, rx_oversize),
	TXGBE_STATS_32(TXGBE_MMC_RX_JABBER, rx_jabber),
	TXGBE_STATS_32(TXGBE_RDM_PKT_CNT, rx_dma_packets),
	TXGBE_STATS_64(TXGBE_RDM_BYTE_CNT, rx_dma_bytes),
	TXGBE_STATS_32(TXGBE_RDM_DRP_PKT, rx_no_desc),
	TXGBE_STATS_32(TXGBE_RDB_MPCNT(0), rx_missed),
	TXGBE_STATS_32(TXGBE_RDB_FDIR_MATCH, rx_flow_match),
	TXGBE_STATS_32(TXGBE_RDB_FDIR_MISS, rx_flow_miss),
	TXGBE_STATS_32(TXGBE_TDM_PKT_CNT, tx_dma_packets),
	TXGBE_STATS_64(TXGBE_TDM_BYTE_CNT, tx_dma_bytes),
	TXGBE_STATS_32(TXGBE_RDB_LXONTXC, tx_xon),
	TXGBE_STATS_32(TXGBE_RDB_LXOFFTXC, tx_xoff),
};

static u64 *txgbe_stats_at(struct txgbe_hw_stats *stats, u32 i)
{
	return (u64 *)((u8 *)stats + txgbe_stats_regs[i].offset);
}

/* Reading the low half latches the high half, so it comes first. */
static u64 txgbe_stats_rd64(struct txgbe_dev *fd, u32 reg)
{
	u64 low = txgbe_rd32(fd, reg);

	return low | (u64)txgbe_rd32(fd, reg + 4) << 32;
}

static void txgbe_stats_read(struct txgbe_dev *fd, struct txgbe_hw_stats *now)
{
	const struct txgbe_stats_reg *stat;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_stats_regs); i++) {
		stat = &txgbe_stats_regs[i];
		*txgbe_stats_at(now, i) = stat->wide ? txgbe_stats_rd64(fd, stat->reg) :
						       txgbe_rd32(fd, stat->reg);
	}
}

/* What a free running 32-bit counter did since it stood at *@seen. It does not
 * come near half its range between two looks, so a larger step is one back to
 * 0: somebody reset the MAC.
 */
static u32 txgbe_stats_step(u32 *seen, u32 now)
{
	u32 step = now - *seen;

	*seen = now;
	return step > S32_MAX ? now : step;
}

/**
 * txgbe_hw_clear_stats() - start all hardware counters from 0
 * @fd: device
 *
 * Context: Any that may do some 200 register accesses; no call of
 * txgbe_hw_add_stats() runs.
 */
void txgbe_hw_clear_stats(struct txgbe_dev *fd)
{
	struct txgbe_hw_stats ignored;
	u32 i;

	for (i = 0; i < TXGBE_HW_QUEUES && txgbe_present(fd); i++)
		txgbe_wr32(fd, TXGBE_PX_MPRC(i), 0);
	txgbe_stats_read(fd, &ignored);
	/* These two run free and are cleared by a write. */
	txgbe_wr32(fd, TXGBE_MAC_LXONRXC, 0);
	txgbe_wr32(fd, TXGBE_MAC_LXOFFRXC, 0);
	fd->seen_rx_xon = 0;
	fd->seen_rx_xoff = 0;
}

/*
 * Frames and errors are read one after the other: a bad frame in between counts
 * as one of them only. The count of good ones waits then instead of going back.
 */
static void txgbe_stats_count_good(struct txgbe_hw_stats *sum)
{
	u64 bad = sum->rx_crc_errors + sum->rx_length_errors;

	if (sum->rx_frames > bad)
		sum->rx_good = max(sum->rx_good, sum->rx_frames - bad);
}

/**
 * txgbe_hw_add_stats() - add what the hardware counted since the last call
 * @fd: device
 * @sum: totals, incremented; untouched if the device is gone
 *
 * The narrowest counters have 32 bits and are good for 70 s at 40 Gb/s.
 *
 * Context: Any that may do some 60 register reads. The caller serialises
 * calls: nearly every counter is cleared by being read.
 */
void txgbe_hw_add_stats(struct txgbe_dev *fd, struct txgbe_hw_stats *sum)
{
	struct txgbe_hw_stats now;
	u32 xon, xoff;
	u32 i;

	if (!txgbe_present(fd))
		return;
	txgbe_stats_read(fd, &now);
	xon = txgbe_rd32(fd, TXGBE_MAC_LXONRXC);
	xoff = txgbe_rd32(fd, TXGBE_MAC_LXOFFRXC);
	if (!txgbe_present(fd))
		return;

	for (i = 0; i < ARRAY_SIZE(txgbe_stats_regs); i++)
		*txgbe_stats_at(sum, i) += *txgbe_stats_at(&now, i);
	sum->rx_xon += txgbe_stats_step(&fd->seen_rx_xon, xon);
	sum->rx_xoff += txgbe_stats_step(&fd->seen_rx_xoff, xoff);
	txgbe_stats_count_good(sum);
}

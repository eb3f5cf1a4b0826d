// SPDX-License-Identifier: GPL-2.0-only
/* Hardware counters of one port (reference 05); all of them clear on read. */
#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/* Reading the low half latches the high half, so it comes first. */
static u64 txgbe_stats_rd64(struct txgbe_dev *fd, u32 reg)
{
	u64 low = txgbe_rd32(fd, reg);

	return low | (u64)txgbe_rd32(fd, reg + 4) << 32;
}

static void txgbe_stats_read(struct txgbe_dev *fd, struct txgbe_hw_stats *now)
{
	now->rx_frames = txgbe_stats_rd64(fd, TXGBE_MMC_RX_FRAMES);
	now->tx_frames = txgbe_stats_rd64(fd, TXGBE_MMC_TX_FRAMES);
	now->rx_bcast = txgbe_stats_rd64(fd, TXGBE_MMC_RX_BCAST);
	now->tx_bcast = txgbe_stats_rd64(fd, TXGBE_MMC_TX_BCAST);
	now->rx_mcast = txgbe_stats_rd64(fd, TXGBE_MMC_RX_MCAST);
	now->tx_mcast = txgbe_stats_rd64(fd, TXGBE_MMC_TX_MCAST);
	now->rx_crc_errors = txgbe_stats_rd64(fd, TXGBE_MMC_RX_CRC_ERR);
	now->rx_length_errors = txgbe_stats_rd64(fd, TXGBE_MMC_RX_LEN_ERR);
	now->rx_undersize = txgbe_rd32(fd, TXGBE_MMC_RX_UNDERSIZE);
	now->rx_oversize = txgbe_rd32(fd, TXGBE_MMC_RX_OVERSIZE);
	now->rx_dma_packets = txgbe_rd32(fd, TXGBE_RDM_PKT_CNT);
	now->rx_dma_bytes = txgbe_stats_rd64(fd, TXGBE_RDM_BYTE_CNT);
	now->rx_no_desc = txgbe_rd32(fd, TXGBE_RDM_DRP_PKT);
	now->rx_missed = txgbe_rd32(fd, TXGBE_RDB_MPCNT(0));
	now->tx_dma_packets = txgbe_rd32(fd, TXGBE_TDM_PKT_CNT);
	now->tx_dma_bytes = txgbe_stats_rd64(fd, TXGBE_TDM_BYTE_CNT);
	now->tx_xon = txgbe_rd32(fd, TXGBE_RDB_LXONTXC);
	now->tx_xoff = txgbe_rd32(fd, TXGBE_RDB_LXOFFTXC);
}

/**
 * txgbe_hw_clear_stats() - start all hardware counters from 0
 * @fd: device
 *
 * Context: Any that may do some 200 register accesses.
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
}

/**
 * txgbe_hw_add_stats() - add what the hardware counted since the last call
 * @fd: device
 * @sum: totals, incremented; untouched if the device is gone
 *
 * Context: Any that may do some 30 register reads. The caller serialises
 * calls: every counter is cleared by being read.
 */
void txgbe_hw_add_stats(struct txgbe_dev *fd, struct txgbe_hw_stats *sum)
{
	struct txgbe_hw_stats now;

	if (!txgbe_present(fd))
		return;
	txgbe_stats_read(fd, &now);
	if (!txgbe_present(fd))
		return;

	sum->rx_frames += now.rx_frames;
	sum->tx_frames += now.tx_frames;
	sum->rx_bcast += now.rx_bcast;
	sum->tx_bcast += now.tx_bcast;
	sum->rx_mcast += now.rx_mcast;
	sum->tx_mcast += now.tx_mcast;
	sum->rx_crc_errors += now.rx_crc_errors;
	sum->rx_length_errors += now.rx_length_errors;
	sum->rx_undersize += now.rx_undersize;
	sum->rx_oversize += now.rx_oversize;
	sum->rx_dma_packets += now.rx_dma_packets;
	sum->rx_dma_bytes += now.rx_dma_bytes;
	sum->rx_no_desc += now.rx_no_desc;
	sum->rx_missed += now.rx_missed;
	sum->tx_dma_packets += now.tx_dma_packets;
	sum->tx_dma_bytes += now.tx_dma_bytes;
	sum->tx_xon += now.tx_xon;
	sum->tx_xoff += now.tx_xoff;
}

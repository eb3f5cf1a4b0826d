// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standard statistics: ethtool -S --groups eth-mac eth-ctrl rmon, and the
 * counters of ethtool -I -a. What the hardware does not count stays unset, so
 * there is no eth-phy group at all.
 */
#include <linux/build_bug.h>
#include <linux/ethtool.h>

#include "txgbe/netdev.h"

#include "ethtool_stats.h"

/**
 * txgbe_ethtool_get_eth_mac_stats() - counters of IEEE 802.3 clause 30.3.1
 * @dev: net_device
 * @stats: filled where the hardware counts
 *
 * Octets are those of whole frames with FCS, bad ones too: the hardware has
 * no other count.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_get_eth_mac_stats(struct net_device *dev, struct ethtool_eth_mac_stats *stats)
{
	struct txgbe_hw_stats hw;

	txgbe_ethtool_read_hw_stats(netdev_priv(dev), &hw);
	stats->FramesTransmittedOK = hw.tx_frames;
	stats->FramesReceivedOK = hw.rx_good;
	stats->OctetsTransmittedOK = hw.tx_octets;
	stats->OctetsReceivedOK = hw.rx_octets;
	stats->MulticastFramesXmittedOK = hw.tx_mcast;
	stats->MulticastFramesReceivedOK = hw.rx_mcast;
	stats->BroadcastFramesXmittedOK = hw.tx_bcast;
	stats->BroadcastFramesReceivedOK = hw.rx_bcast;
	stats->FrameCheckSequenceErrors = hw.rx_crc_errors;
	stats->InRangeLengthErrors = hw.rx_length_errors;
}

/**
 * txgbe_ethtool_get_eth_ctrl_stats() - MAC control frames
 * @dev: net_device
 * @stats: filled; pause frames are the only ones the hardware knows
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_get_eth_ctrl_stats(struct net_device *dev,
				      struct ethtool_eth_ctrl_stats *stats)
{
	struct txgbe_hw_stats hw;

	txgbe_ethtool_read_hw_stats(netdev_priv(dev), &hw);
	stats->MACControlFramesTransmitted = hw.tx_xon + hw.tx_xoff;
	stats->MACControlFramesReceived = hw.rx_xon + hw.rx_xoff;
}

/**
 * txgbe_ethtool_get_pause_stats() - pause frames, XON and XOFF
 * @dev: net_device
 * @stats: filled
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_get_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats)
{
	struct txgbe_hw_stats hw;

	txgbe_ethtool_read_hw_stats(netdev_priv(dev), &hw);
	stats->tx_pause_frames = hw.tx_xon + hw.tx_xoff;
	stats->rx_pause_frames = hw.rx_xon + hw.rx_xoff;
}

/* As the hardware counts; one entry more ends the list. */
static const struct ethtool_rmon_hist_range txgbe_ethtool_sizes[TXGBE_MMC_SIZES + 1] = {
	{    0,   64 },
	{   65,  127 },
	{  128,  255 },
	{  256,  511 },
	{  512, 1023 },
	{ 1024, TXGBE_MAX_FRAME_BYTES },
};

static_assert(TXGBE_MMC_SIZES <= ETHTOOL_RMON_HIST_MAX);

/**
 * txgbe_ethtool_get_rmon_stats() - counters of RFC 2819
 * @dev: net_device
 * @stats: filled where the hardware counts
 * @ranges: frame sizes of the histogram, with FCS
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_ethtool_get_rmon_stats(struct net_device *dev, struct ethtool_rmon_stats *stats,
				  const struct ethtool_rmon_hist_range **ranges)
{
	struct txgbe_hw_stats hw;
	u32 i;

	txgbe_ethtool_read_hw_stats(netdev_priv(dev), &hw);
	stats->undersize_pkts = hw.rx_undersize;
	stats->oversize_pkts = hw.rx_oversize;
	stats->jabbers = hw.rx_jabber;
	for (i = 0; i < TXGBE_MMC_SIZES; i++) {
		stats->hist[i] = hw.rx_size[i];
		stats->hist_tx[i] = hw.tx_size[i];
	}
	*ranges = txgbe_ethtool_sizes;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the rest of the driver asks of the chip: reset, gates, addresses,
 * filters, buffers, RSS, statistics. Implemented in src/hw, which knows
 * no sk_buff, ring or net_device.
 */
#ifndef TXGBE_HW_H
#define TXGBE_HW_H

#include <linux/types.h>

#include "hw/regs.h"

struct txgbe_dev;

/* reset.c */
int txgbe_hw_wait_ready(struct txgbe_dev *fd);
bool txgbe_hw_is_ready(struct txgbe_dev *fd);
bool txgbe_hw_is_set_up(struct txgbe_dev *fd);
void txgbe_hw_start_sensor(struct txgbe_dev *fd);
void txgbe_hw_stop_dma(struct txgbe_dev *fd);
int txgbe_hw_reset(struct txgbe_dev *fd);
void txgbe_hw_own(struct txgbe_dev *fd, bool own);

/* mac.c */
void txgbe_mac_read_perm_addr(struct txgbe_dev *fd, u8 *addr);
void txgbe_mac_set_pause(struct txgbe_dev *fd, bool rx, bool tx);
void txgbe_mac_link_up(struct txgbe_dev *fd, u32 speed_mbps);
void txgbe_mac_link_down(struct txgbe_dev *fd);
void txgbe_mac_set_max_frame(struct txgbe_dev *fd, u32 mtu);
void txgbe_mac_init_buffers(struct txgbe_dev *fd, u32 mtu);
void txgbe_mac_listen(struct txgbe_dev *fd, u32 mtu, u32 speed_mbps);
bool txgbe_mac_listens(struct txgbe_dev *fd);
void txgbe_mac_tx_gate(struct txgbe_dev *fd, bool open);
void txgbe_mac_rx_hold(struct txgbe_dev *fd);
void txgbe_mac_rx_release(struct txgbe_dev *fd);
int txgbe_mac_rx_gate(struct txgbe_dev *fd, bool open);
void txgbe_mac_laser(struct txgbe_dev *fd, bool on);
u32 txgbe_mac_get_leds(struct txgbe_dev *fd);
void txgbe_mac_set_leds(struct txgbe_dev *fd, u32 leds);
void txgbe_mac_light_leds(struct txgbe_dev *fd, bool on);

/* filter.c */
void txgbe_filter_init(struct txgbe_dev *fd);
void txgbe_filter_set_addr(struct txgbe_dev *fd, u32 slot, const u8 *addr);
bool txgbe_filter_has_addr(struct txgbe_dev *fd, u32 slot, const u8 *addr);
void txgbe_filter_clear_addr(struct txgbe_dev *fd, u32 slot);
u32 txgbe_filter_mc_hash(const u8 *addr);
void txgbe_filter_set_mc(struct txgbe_dev *fd, const u32 *table);
void txgbe_filter_set_mode(struct txgbe_dev *fd, bool promisc, bool allmulti);
void txgbe_filter_set_vlan_mode(struct txgbe_dev *fd, bool filter);
void txgbe_filter_set_vlans(struct txgbe_dev *fd, const u32 *table);
void txgbe_filter_set_vlan_word(struct txgbe_dev *fd, u32 word, u32 vids);

/* selftest.c */
int txgbe_hw_test_regs(struct txgbe_dev *fd);
void txgbe_mac_set_loopback(struct txgbe_dev *fd, bool on);

/* wol.c */
void txgbe_wol_init(struct txgbe_dev *fd);
bool txgbe_wol_arm(struct txgbe_dev *fd, const u8 *addr, u32 mtu, u32 speed_mbps);
void txgbe_wol_disarm(struct txgbe_dev *fd);

/* rss.c */
void txgbe_rss_set(struct txgbe_dev *fd, const u8 *key, const u8 *table, u32 fields);

/* stats.c: the hardware counters of one port, accumulated by the caller */
struct txgbe_hw_stats {
	u64 rx_frames;		/* at the MAC, good and bad */
	u64 tx_frames;
	u64 rx_octets;		/* of these, with FCS */
	u64 tx_octets;
	u64 rx_bcast;		/* good ones */
	u64 tx_bcast;
	u64 rx_mcast;		/* without broadcast */
	u64 tx_mcast;
	u64 rx_size[TXGBE_MMC_SIZES];	/* frames by size, with FCS */
	u64 tx_size[TXGBE_MMC_SIZES];
	u64 rx_crc_errors;
	u64 rx_length_errors;
	u64 rx_good;		/* those without the two, never less than before */
	u64 rx_undersize;
	u64 rx_oversize;
	u64 rx_jabber;
	u64 rx_xon;		/* pause frames */
	u64 rx_xoff;
	u64 tx_xon;
	u64 tx_xoff;
	u64 rx_dma_packets;
	u64 rx_dma_bytes;	/* without FCS */
	u64 rx_no_desc;		/* no free descriptor */
	u64 rx_missed;		/* packet buffer full */
	u64 rx_flow_match;	/* a filter of the flow director took it */
	u64 rx_flow_miss;	/* the flow director is on, and none did */
	u64 tx_dma_packets;
	u64 tx_dma_bytes;
};

void txgbe_hw_clear_stats(struct txgbe_dev *fd);
void txgbe_hw_add_stats(struct txgbe_dev *fd, struct txgbe_hw_stats *sum);

#endif /* TXGBE_HW_H */

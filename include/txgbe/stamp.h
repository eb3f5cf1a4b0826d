/* SPDX-License-Identifier: GPL-2.0-only */
/* Hardware time stamps of a port. Implemented in src/net/stamp.c. */
#ifndef TXGBE_STAMP_H
#define TXGBE_STAMP_H

#include <linux/atomic.h>
#include <linux/net_tstamp.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct ethtool_ts_stats;
struct kernel_ethtool_ts_info;
struct kernel_hwtstamp_config;
struct net_device;
struct netlink_ext_ack;
struct sk_buff;
struct txgbe_net;

/**
 * struct txgbe_stamp - what is stamped, and the frame that waits for its stamp
 * @tx_type: HWTSTAMP_TX_OFF or _ON; written under rtnl
 * @rx_filter: HWTSTAMP_FILTER_* that is in force; written under rtnl
 * @busy: bit 0: a frame waits for its stamp, there can be one at a time
 * @skb: that frame, NULL while nobody has it; taken by xchg()
 * @since: jiffies when it was given to the device
 * @late: its time is over, and that was counted; whoever took @skb
 * @work: looks for its stamp
 * @rx_ticks: looks of the service work that found one and the same receive
 *	stamp latched
 * @stamped: frames sent whose stamp was delivered
 * @skipped: frames that wanted a stamp while another waited
 * @timeouts: frames whose stamp did not come
 * @rx_cleared: receive stamps latched for a frame that never came
 */
struct txgbe_stamp {
	int tx_type;
	int rx_filter;
	unsigned long busy;
	struct sk_buff *skb;
	unsigned long since;
	bool late;
	struct delayed_work work;
	u32 rx_ticks;
	unsigned long stamped;
	atomic_long_t skipped;
	unsigned long timeouts;
	unsigned long rx_cleared;
};

void txgbe_stamp_init(struct txgbe_net *fn);
void txgbe_stamp_replay(struct txgbe_net *fn);
void txgbe_stamp_stop(struct txgbe_net *fn);
void txgbe_stamp_look(struct txgbe_net *fn);
u32 txgbe_stamp_tx(struct txgbe_net *fn, struct sk_buff *skb);
void txgbe_stamp_tx_undo(struct txgbe_net *fn);
void txgbe_stamp_rx(struct txgbe_net *fn, struct sk_buff *skb);
int txgbe_stamp_get(struct net_device *dev, struct kernel_hwtstamp_config *config);
int txgbe_stamp_set(struct net_device *dev, struct kernel_hwtstamp_config *config,
		    struct netlink_ext_ack *extack);
int txgbe_stamp_get_info(struct net_device *dev, struct kernel_ethtool_ts_info *info);
void txgbe_stamp_get_stats(struct net_device *dev, struct ethtool_ts_stats *stats);

#endif /* TXGBE_STAMP_H */

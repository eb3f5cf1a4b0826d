/* SPDX-License-Identifier: GPL-2.0-only */
/* struct txgbe_net: the net_device side of a port. */
#ifndef TXGBE_NETDEV_H
#define TXGBE_NETDEV_H

#include <linux/netdevice.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "hw/desc.h"
#include "hw/regs.h"
#include "txgbe/arfs.h"
#include "txgbe/dev.h"
#include "txgbe/irq.h"
#include "txgbe/ntuple.h"
#include "txgbe/ring.h"
#include "txgbe/stamp.h"
#include "txgbe/stats.h"

struct netlink_ext_ack;

extern const struct ethtool_ops txgbe_ethtool_ops;

/**
 * struct txgbe_itr_cfg - moderation of one queue pair
 * @usecs: least time between two interrupts while not @adaptive
 * @adaptive: the interval follows the load
 */
struct txgbe_itr_cfg {
	u16 usecs;
	bool adaptive;
};

/**
 * struct txgbe_vlan_cfg - ids that pass the VLAN filter
 * @ctag: 802.1Q ids, bit (vid & 31) of word (vid >> 5)
 * @stag: 802.1ad ids
 */
struct txgbe_vlan_cfg {
	u32 ctag[TXGBE_VLAN_TBL_WORDS];
	u32 stag[TXGBE_VLAN_TBL_WORDS];
};

/**
 * struct txgbe_ring_cfg - what rings are like
 * @tx_desc: descriptors of each transmit ring
 * @rx_desc: descriptors of each receive ring
 * @split: headers of received frames go into buffers of their own
 *
 * No @split while there is an XDP program or an AF_XDP socket.
 */
struct txgbe_ring_cfg {
	u16 tx_desc;
	u16 rx_desc;
	bool split;
};

/**
 * struct txgbe_cfg - what the user configured, besides what net_device holds
 * (MTU, addresses, features) and what is the link's (fd->link). Written under
 * rtnl, by the function that checked the request; txgbe_config_replay() brings
 * it to the hardware at every start. A new knob gets a member here, a default
 * in txgbe_config_init() and a line in txgbe_config_replay().
 * @rings: what rings are like
 * @itr: moderation of each queue pair, those that do not exist now too
 * @rss_key: hash key
 * @rss_table: queue of each hash bucket
 * @rss_fields: what is hashed, TXGBE_RSS_FIELD_*
 * @vlan: VLANs that the filter passes
 */
struct txgbe_cfg {
	struct txgbe_ring_cfg rings;
	struct txgbe_itr_cfg itr[TXGBE_MAX_QUEUES];
	u8 rss_key[TXGBE_RSS_KEY_BYTES];
	u8 rss_table[TXGBE_RSS_TABLE_ENTRIES];
	u32 rss_fields;
	struct txgbe_vlan_cfg vlan;
};

/* Hardware ring of queue pair @queue's transmit ring for XDP */
#define TXGBE_XDP_RING(queue)	(TXGBE_NR_TX_RINGS / 2 + (queue))

static_assert(TXGBE_NR_TX_RINGS / 2 >= TXGBE_MAX_QUEUES);

/* One cache line of DMA memory that the device writes: no two writers share one. */
#define TXGBE_DEVMEM_LINE_BYTES	64

/**
 * struct txgbe_devmem - small things the device writes into host memory
 * @isb: interrupt status block
 * @head: head write-back of each transmit ring
 * @zeros: what is behind a tiny frame at the end of a page; the device reads it
 */
struct txgbe_devmem {
	struct txgbe_isb isb __aligned(TXGBE_DEVMEM_LINE_BYTES);
	struct {
		__le32 idx;
	} __aligned(TXGBE_DEVMEM_LINE_BYTES) head[TXGBE_NR_TX_RINGS];
	u8 zeros[TXGBE_TX_MIN_FRAME_BYTES] __aligned(TXGBE_DEVMEM_LINE_BYTES);
};

/* Bits of txgbe_net.state */
enum txgbe_net_state {
	TXGBE_NET_UP,		/* rings run, registers follow the configuration */
	TXGBE_NET_BROKEN,	/* open, but did not start; the ladder tries again */
	TXGBE_NET_TROUBLE,	/* the health record has an error that a start ends */
	TXGBE_NET_CHIP_RESET,	/* somebody else has reset the chip */
	TXGBE_NET_FLUSH,	/* the carrier is off, free what waits in tx rings */
};

/**
 * struct txgbe_pause - what the periodic work knows of pauses the partner asks for
 * @xoff: XOFF frames at its last look
 * @left: looks until the partner is taken to want none any more
 * @sent: frames the port has sent, as of the last look it wanted one
 * @ticks: looks at a port that sends nothing for it
 */
struct txgbe_pause {
	u64 xoff;
	u64 sent;
	u32 left;
	u32 ticks;
};

/**
 * struct txgbe_net - the net_device side of a port, netdev_priv() of it
 * @txr: transmit rings by queue number, for transmit; valid while TXGBE_NET_UP
 *	and as long as the stack can still call transmit
 * @netdev: the net_device
 * @fd: the port
 * @vec: vectors, by queue number
 * @nr_vecs: queue pairs in use
 * @xdp_prog: XDP program or NULL, owned; written under rtnl
 * @xsk_pool: memory of AF_XDP sockets by queue number, or NULL; written under rtnl
 * @max_vecs: queue pairs the platform's vectors can serve; with MSI-X the number
 *	of the misc vector
 * @known_vecs: vectors that exist, in use or not: 0..known_vecs-1
 * @irq_mode: what kind of interrupts the platform gave
 * @irqs_requested: the handlers are installed
 * @misc_irq: Linux interrupt of the misc causes; 0 when it shares vector 0
 * @misc_unmask: register that unmasks the misc vector
 * @misc_unmask_bit: its bit there
 * @state: enum txgbe_net_state bits
 * @cfg: the user's configuration
 * @msg_enable: NETIF_MSG_* bits
 * @devmem: interrupt status block and heads
 * @devmem_dma: its bus address
 * @reset_owed: the last reset failed, the next start tries again
 * @uc_used: address slots 1..uc_used hold unicast filters; this, @uc_addr and
 *	@mc_table are under the net_device's address lock
 * @uc_overflow: they do not fit, everything is let in; same lock
 * @uc_addr: their addresses, by slot
 * @mc_table: multicast hash table as last written
 * @ntuple: flow rules
 * @arfs: flows that follow their CPU
 * @vlan_half: VLAN features that were asked for without their twin, and are off
 * @tunnel_port: UDP ports of VXLAN, VXLAN-GPE and Geneve, 0 = none
 * @port_stats: hardware counters
 * @service: periodic look at counters and lost interrupts
 * @ticks: looks since the port came up
 * @pause: what the periodic work knows of pauses the partner asks for
 * @recover: the recovery ladder
 * @stalled: transmit rings it has to look after, by number of the hardware
 * @recover_fails: port resets in a row that did not start the port
 * @chip_ticks: how often the chip was not out of a reset by others
 * @restarts: port resets, for ethtool
 * @lost: detach the net_device, the device is gone
 * @stamp: hardware time stamps
 * @leds: what drove the LEDs before ethtool -p
 * @leds_owed: they could not be given back, the device was out of reach
 * @misc_name: in /proc/interrupts
 */
struct txgbe_net {
	struct txgbe_tx_ring *txr[TXGBE_MAX_QUEUES];
	struct net_device *netdev;
	struct txgbe_dev *fd;
	struct txgbe_vec *vec[TXGBE_MAX_QUEUES];
	u32 nr_vecs;
	struct bpf_prog *xdp_prog;
	struct xsk_buff_pool *xsk_pool[TXGBE_MAX_QUEUES];
	u32 max_vecs;
	u32 known_vecs;
	enum txgbe_irq_mode irq_mode;
	bool irqs_requested;
	int misc_irq;
	u32 __iomem *misc_unmask;
	u32 misc_unmask_bit;
	unsigned long state;
	struct txgbe_cfg cfg;
	u32 msg_enable;
	struct txgbe_devmem *devmem;
	dma_addr_t devmem_dma;
	bool reset_owed;
	u32 uc_used;
	bool uc_overflow;
	u8 uc_addr[TXGBE_MAC_ADDR_SLOTS][ETH_ALEN];
	u32 mc_table[TXGBE_MC_TBL_WORDS];
	struct txgbe_ntuple *ntuple;
	struct txgbe_arfs arfs;
	netdev_features_t vlan_half;
	u16 tunnel_port[TXGBE_TUNNEL_PORTS];
	struct txgbe_port_stats port_stats;
	struct delayed_work service;
	u32 ticks;
	struct txgbe_pause pause;
	struct delayed_work recover;
	DECLARE_BITMAP(stalled, TXGBE_NR_TX_RINGS);
	u32 recover_fails;
	u32 chip_ticks;
	unsigned long restarts;
	struct work_struct lost;
	struct txgbe_stamp stamp;
	u32 leds;
	bool leds_owed;
	char misc_name[IFNAMSIZ + 16];
};

/* netdev.c */
int txgbe_net_up(struct txgbe_net *fn);
void txgbe_net_down(struct txgbe_net *fn);
int txgbe_net_start_hw(struct txgbe_net *fn);
void txgbe_net_stop_hw(struct txgbe_net *fn);

/* irqtest.c, loopback.c */
int txgbe_irq_test(struct txgbe_net *fn);
int txgbe_loopback_test(struct txgbe_net *fn);

/* config.c */
u32 txgbe_config_max_queues(void);
void txgbe_config_init(struct txgbe_net *fn);
void txgbe_config_spread_rss(struct txgbe_cfg *cfg, u32 nr_queues);
void txgbe_config_replay(struct txgbe_net *fn);
void txgbe_config_set_xps(struct txgbe_net *fn);

/* reconfig.c */
int txgbe_reconfig_rings(struct txgbe_net *fn, const struct txgbe_ring_cfg *want,
			 struct netlink_ext_ack *extack);
int txgbe_reconfig_vec(struct txgbe_net *fn, u32 queue);
int txgbe_reconfig_queues(struct txgbe_net *fn, u32 nr);

/* service.c */
void txgbe_service_init(struct txgbe_net *fn);
void txgbe_service_start(struct txgbe_net *fn);
void txgbe_service_stop(struct txgbe_net *fn);
void txgbe_service_end_deaf(struct txgbe_vec *vec);

/* recover.c */
void txgbe_recover_init(struct txgbe_net *fn);
void txgbe_recover_fini(struct txgbe_net *fn);
void txgbe_recover_run(struct txgbe_net *fn, bool again, bool stalled);
void txgbe_recover_tx_stall(struct txgbe_net *fn, struct txgbe_tx_ring *txr);
void txgbe_recover_flush_tx(struct txgbe_net *fn);
void txgbe_recover_device_lost(struct txgbe_net *fn);
void txgbe_recover_chip_reset(struct txgbe_net *fn);
void txgbe_recover_disobeyed(struct txgbe_net *fn, u32 queue, const char *what, int err);
void txgbe_recover_forget_stalls(struct txgbe_net *fn);
void txgbe_recover_succeeded(struct txgbe_net *fn);
int txgbe_recover_reset_port(struct txgbe_net *fn);
int txgbe_recover_restart_port(struct txgbe_net *fn);

/* itr.c */
void txgbe_itr_init_cfg(struct txgbe_net *fn);

/* queuestats.c */
void txgbe_queuestats_init_netdev(struct net_device *dev);

/* tunnel.c */
extern const struct udp_tunnel_nic_info txgbe_tunnel_info;
void txgbe_tunnel_replay(struct txgbe_net *fn);

/* vlan.c */
int txgbe_vlan_add_vid(struct net_device *dev, __be16 proto, u16 vid);
int txgbe_vlan_kill_vid(struct net_device *dev, __be16 proto, u16 vid);
void txgbe_vlan_replay(struct txgbe_net *fn);
void txgbe_vlan_sync_filter(struct txgbe_net *fn, netdev_features_t features);
netdev_features_t txgbe_vlan_fix_features(struct txgbe_net *fn, netdev_features_t features);
void txgbe_vlan_set_features(struct txgbe_net *fn, netdev_features_t changed,
			     netdev_features_t features);

#endif /* TXGBE_NETDEV_H */

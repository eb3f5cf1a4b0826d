/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ethtool: newest shape of struct ethtool_ops on any kernel.
 *
 * While the kernel's header is read its structure is called
 * kernel_ethtool_ops, and members whose signature has changed since get names
 * of their own. Our struct ethtool_ops then starts with that structure, so
 * the kernel finds in it what it expects, and goes on with members that the
 * kernel does not know. In a table such a member's name is a macro:
 *
 *	.get_ringparam = handler,
 *
 * becomes
 *
 *	.kernel_get_ringparam = compat_get_ringparam, .get_ringparam = handler,
 *
 * and compat_get_ringparam(), which has the old signature, calls the handler
 * through dev->ethtool_ops with the new one. A member that only newer kernels
 * call is simply there and never looked at. To serve one more, write its
 * probe and follow one of the examples below.
 */
#ifndef COMPAT_ETHTOOL_H
#define COMPAT_ETHTOOL_H

#if !defined(HAVE_ETHTOOL_RINGPARAM_4ARGS) || !defined(HAVE_ETHTOOL_COALESCE_4ARGS) ||	\
	!defined(HAVE_ETHTOOL_SUPPORTED_COALESCE_PARAMS) ||				\
	!defined(HAVE_ETHTOOL_SUPPORTED_RING_PARAMS) ||					\
	!defined(HAVE_ETHTOOL_RXFH_PARAM) || !defined(HAVE_ETHTOOL_GET_RXFH_FIELDS) ||	\
	!defined(HAVE_ETHTOOL_GET_RX_RING_COUNT) ||					\
	!defined(HAVE_ETHTOOL_LINK_EXT_STATE) || !defined(HAVE_ETHTOOL_PAUSE_STATS) ||	\
	!defined(HAVE_ETHTOOL_STAT_GROUPS) || !defined(HAVE_ETHTOOL_LINK_LANES) ||		\
	!defined(HAVE_ETHTOOL_LINK_EXT_STATS) || !defined(HAVE_ETHTOOL_MODULE_BY_PAGE) ||	\
	!defined(HAVE_ETHTOOL_TS_STATS)

#if defined(CONFIG_GCC_PLUGIN_RANDSTRUCT) || defined(CONFIG_RANDSTRUCT)
#error "structure layout randomisation goes by names, which are changed here"
#endif
#ifdef _LINUX_ETHTOOL_H
#error "must come before the first include of linux/ethtool.h"
#endif

#ifndef HAVE_ETHTOOL_RINGPARAM_4ARGS
#define get_ringparam		kernel_get_ringparam
#define set_ringparam		kernel_set_ringparam
#endif
#ifndef HAVE_ETHTOOL_COALESCE_4ARGS
#define get_coalesce		kernel_get_coalesce
#define set_coalesce		kernel_set_coalesce
#endif
#ifndef HAVE_ETHTOOL_SUPPORTED_COALESCE_PARAMS
#define set_per_queue_coalesce	kernel_set_per_queue_coalesce
#endif
#ifndef HAVE_ETHTOOL_RXFH_PARAM
#define get_rxfh		kernel_get_rxfh
#define set_rxfh		kernel_set_rxfh
#endif
#ifndef HAVE_ETHTOOL_GET_RX_RING_COUNT
#define get_rxnfc		kernel_get_rxnfc
#endif
#ifndef HAVE_ETHTOOL_GET_RXFH_FIELDS
#define set_rxnfc		kernel_set_rxnfc
#endif
#ifndef HAVE_ETHTOOL_STAT_GROUPS
#define get_sset_count		kernel_get_sset_count
#define get_strings		kernel_get_strings
#define get_ethtool_stats	kernel_get_ethtool_stats
#endif
#ifndef HAVE_ETHTOOL_LINK_LANES
#define ethtool_link_ksettings	kernel_ethtool_link_ksettings
#define get_link_ksettings	kernel_get_link_ksettings
#define set_link_ksettings	kernel_set_link_ksettings
#endif

#define ethtool_ops		kernel_ethtool_ops
#include <linux/ethtool.h>
#undef ethtool_ops
#ifdef _LINUX_NETDEVICE_H
#error "linux/netdevice.h came along with linux/ethtool.h"
#endif

#undef get_ringparam
#undef set_ringparam
#undef get_coalesce
#undef set_coalesce
#undef set_per_queue_coalesce
#undef get_rxfh
#undef set_rxfh
#undef get_rxnfc
#undef set_rxnfc
#undef get_sset_count
#undef get_strings
#undef get_ethtool_stats
#undef ethtool_link_ksettings
#undef get_link_ksettings
#undef set_link_ksettings

struct netlink_ext_ack;

#ifndef HAVE_ETHTOOL_RINGPARAM_4ARGS
struct kernel_ethtool_ringparam {
	u32 rx_buf_len;
	u8 tcp_data_split;
	u8 tx_push;
	u8 rx_push;
	u32 cqe_size;
	u32 tx_push_buf_len;
	u32 tx_push_buf_max_len;
	u32 hds_thresh;
	u32 hds_thresh_max;
};
#endif

#ifndef HAVE_ETHTOOL_COALESCE_4ARGS
struct kernel_ethtool_coalesce {
	u8 use_cqe_mode_tx;
	u8 use_cqe_mode_rx;
	u32 tx_aggr_max_bytes;
	u32 tx_aggr_max_frames;
	u32 tx_aggr_time_usecs;
	u32 rx_cqe_frames;
	u32 rx_cqe_nsecs;
};
#endif

#ifndef HAVE_ETHTOOL_SUPPORTED_COALESCE_PARAMS
#define ETHTOOL_COALESCE_RX_USECS		BIT(0)
#define ETHTOOL_COALESCE_RX_MAX_FRAMES		BIT(1)
#define ETHTOOL_COALESCE_RX_USECS_IRQ		BIT(2)
#define ETHTOOL_COALESCE_RX_MAX_FRAMES_IRQ	BIT(3)
#define ETHTOOL_COALESCE_TX_USECS		BIT(4)
#define ETHTOOL_COALESCE_TX_MAX_FRAMES		BIT(5)
#define ETHTOOL_COALESCE_USE_ADAPTIVE_RX	BIT(9)
#define ETHTOOL_COALESCE_USE_ADAPTIVE_TX	BIT(10)
#define ETHTOOL_COALESCE_USECS			\
	(ETHTOOL_COALESCE_RX_USECS | ETHTOOL_COALESCE_TX_USECS)
#define ETHTOOL_COALESCE_MAX_FRAMES		\
	(ETHTOOL_COALESCE_RX_MAX_FRAMES | ETHTOOL_COALESCE_TX_MAX_FRAMES)
#define ETHTOOL_COALESCE_USE_ADAPTIVE		\
	(ETHTOOL_COALESCE_USE_ADAPTIVE_RX | ETHTOOL_COALESCE_USE_ADAPTIVE_TX)
#endif

#ifndef HAVE_ETHTOOL_RXFH_PARAM
struct ethtool_rxfh_param {
	u8 hfunc;
	u32 indir_size;
	u32 *indir;
	u32 key_size;
	u8 *key;
	u32 rss_context;
	u8 rss_delete;
	u8 input_xfrm;
};
#endif

#ifndef HAVE_ETHTOOL_GET_RXFH_FIELDS
struct ethtool_rxfh_fields {
	u32 data;
	u32 flow_type;
	u32 rss_context;
};
#endif

#ifndef HAVE_ETHTOOL_LINK_EXT_STATE
/* Numbers as in the user space interface of later kernels. */
enum ethtool_link_ext_state {
	ETHTOOL_LINK_EXT_STATE_AUTONEG,
	ETHTOOL_LINK_EXT_STATE_LINK_TRAINING_FAILURE,
	ETHTOOL_LINK_EXT_STATE_LINK_LOGICAL_MISMATCH,
	ETHTOOL_LINK_EXT_STATE_BAD_SIGNAL_INTEGRITY,
	ETHTOOL_LINK_EXT_STATE_NO_CABLE,
	ETHTOOL_LINK_EXT_STATE_CABLE_ISSUE,
	ETHTOOL_LINK_EXT_STATE_EEPROM_ISSUE,
	ETHTOOL_LINK_EXT_STATE_CALIBRATION_FAILURE,
	ETHTOOL_LINK_EXT_STATE_POWER_BUDGET_EXCEEDED,
	ETHTOOL_LINK_EXT_STATE_OVERHEAT,
	ETHTOOL_LINK_EXT_STATE_MODULE,
};

enum ethtool_link_ext_substate_autoneg {
	ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED = 1,
	ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED_FORCE_MODE = 4,
	ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_HCD = 6,
};

enum ethtool_link_ext_substate_link_logical_mismatch {
	ETHTOOL_LINK_EXT_SUBSTATE_LLM_PCS_DID_NOT_ACQUIRE_BLOCK_LOCK = 1,
	ETHTOOL_LINK_EXT_SUBSTATE_LLM_FC_FEC_IS_NOT_LOCKED = 4,
	ETHTOOL_LINK_EXT_SUBSTATE_LLM_RS_FEC_IS_NOT_LOCKED = 5,
};

enum ethtool_link_ext_substate_cable_issue {
	ETHTOOL_LINK_EXT_SUBSTATE_CI_UNSUPPORTED_CABLE = 1,
};

struct ethtool_link_ext_state_info {
	enum ethtool_link_ext_state link_ext_state;
	union {
		enum ethtool_link_ext_substate_autoneg autoneg;
		enum ethtool_link_ext_substate_link_logical_mismatch link_logical_mismatch;
		u8 bad_signal_integrity;
		enum ethtool_link_ext_substate_cable_issue cable_issue;
		u8 __link_ext_substate;
	};
};
#endif

#ifndef HAVE_ETHTOOL_LINK_LANES
struct ethtool_link_ksettings {
	struct kernel_ethtool_link_ksettings;	/* anonymous */
	u32 lanes;
};
#endif

#ifndef HAVE_ETHTOOL_LINK_EXT_STATS
struct ethtool_link_ext_stats {
	u64 link_down_events;
};
#endif

#ifndef HAVE_ETHTOOL_TS_STATS
struct ethtool_ts_stats {
	u64 pkts;
	u64 lost;
	u64 err;
};
#endif

#ifndef HAVE_ETHTOOL_MODULE_BY_PAGE
struct ethtool_module_eeprom {
	u32 offset;
	u32 length;
	u8 page;
	u8 bank;
	u8 i2c_address;
	u8 *data;
};
#endif

#ifndef HAVE_ETHTOOL_PAUSE_STATS
struct ethtool_pause_stats {
	u64 tx_pause_frames;
	u64 rx_pause_frames;
};
#endif

#ifndef HAVE_ETHTOOL_STAT_GROUPS
struct ethtool_eth_mac_stats {
	u64 FramesTransmittedOK;
	u64 SingleCollisionFrames;
	u64 MultipleCollisionFrames;
	u64 FramesReceivedOK;
	u64 FrameCheckSequenceErrors;
	u64 AlignmentErrors;
	u64 OctetsTransmittedOK;
	u64 FramesWithDeferredXmissions;
	u64 LateCollisions;
	u64 FramesAbortedDueToXSColls;
	u64 FramesLostDueToIntMACXmitError;
	u64 CarrierSenseErrors;
	u64 OctetsReceivedOK;
	u64 FramesLostDueToIntMACRcvError;
	u64 MulticastFramesXmittedOK;
	u64 BroadcastFramesXmittedOK;
	u64 FramesWithExcessiveDeferral;
	u64 MulticastFramesReceivedOK;
	u64 BroadcastFramesReceivedOK;
	u64 InRangeLengthErrors;
	u64 OutOfRangeLengthField;
	u64 FrameTooLongErrors;
};

struct ethtool_eth_phy_stats {
	u64 SymbolErrorDuringCarrier;
};

struct ethtool_eth_ctrl_stats {
	u64 MACControlFramesTransmitted;
	u64 MACControlFramesReceived;
	u64 UnsupportedOpcodesReceived;
};

#define ETHTOOL_RMON_HIST_MAX	10

struct ethtool_rmon_hist_range {
	u16 low;
	u16 high;
};

struct ethtool_rmon_stats {
	u64 undersize_pkts;
	u64 oversize_pkts;
	u64 fragments;
	u64 jabbers;
	u64 hist[ETHTOOL_RMON_HIST_MAX];
	u64 hist_tx[ETHTOOL_RMON_HIST_MAX];
};
#endif

struct ethtool_ops {
	struct kernel_ethtool_ops;	/* anonymous, by -fms-extensions */

#ifndef HAVE_ETHTOOL_RINGPARAM_4ARGS
	void (*get_ringparam)(struct net_device *dev, struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kring,
			      struct netlink_ext_ack *extack);
	int (*set_ringparam)(struct net_device *dev, struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kring,
			     struct netlink_ext_ack *extack);
#endif
#ifndef HAVE_ETHTOOL_COALESCE_4ARGS
	int (*get_coalesce)(struct net_device *dev, struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kcoal,
			    struct netlink_ext_ack *extack);
	int (*set_coalesce)(struct net_device *dev, struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kcoal,
			    struct netlink_ext_ack *extack);
#endif
#ifndef HAVE_ETHTOOL_SUPPORTED_COALESCE_PARAMS
	u32 supported_coalesce_params;
	int (*set_per_queue_coalesce)(struct net_device *dev, u32 queue,
				      struct ethtool_coalesce *coal);
#endif
#ifndef HAVE_ETHTOOL_SUPPORTED_RING_PARAMS
	u32 supported_ring_params;
#endif
#ifndef HAVE_ETHTOOL_RXFH_PARAM
	int (*get_rxfh)(struct net_device *dev, struct ethtool_rxfh_param *rxfh);
	int (*set_rxfh)(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			struct netlink_ext_ack *extack);
#endif
#ifndef HAVE_ETHTOOL_GET_RX_RING_COUNT
	int (*get_rxnfc)(struct net_device *dev, struct ethtool_rxnfc *info, u32 *rule_locs);
	u32 (*get_rx_ring_count)(struct net_device *dev);
#endif
#ifndef HAVE_ETHTOOL_GET_RXFH_FIELDS
	int (*set_rxnfc)(struct net_device *dev, struct ethtool_rxnfc *info);
	int (*get_rxfh_fields)(struct net_device *dev, struct ethtool_rxfh_fields *fields);
	int (*set_rxfh_fields)(struct net_device *dev, const struct ethtool_rxfh_fields *fields,
			       struct netlink_ext_ack *extack);
#endif
#ifndef HAVE_ETHTOOL_LINK_EXT_STATE
	int (*get_link_ext_state)(struct net_device *dev,
				  struct ethtool_link_ext_state_info *info);
#endif
#ifndef HAVE_ETHTOOL_PAUSE_STATS
	void (*get_pause_stats)(struct net_device *dev, struct ethtool_pause_stats *stats);
#endif
#ifndef HAVE_ETHTOOL_STAT_GROUPS
	int (*get_sset_count)(struct net_device *dev, int sset);
	void (*get_strings)(struct net_device *dev, u32 sset, u8 *data);
	void (*get_ethtool_stats)(struct net_device *dev, struct ethtool_stats *stats, u64 *data);
	void (*get_eth_phy_stats)(struct net_device *dev, struct ethtool_eth_phy_stats *stats);
	void (*get_eth_mac_stats)(struct net_device *dev, struct ethtool_eth_mac_stats *stats);
	void (*get_eth_ctrl_stats)(struct net_device *dev, struct ethtool_eth_ctrl_stats *stats);
	void (*get_rmon_stats)(struct net_device *dev, struct ethtool_rmon_stats *stats,
			       const struct ethtool_rmon_hist_range **ranges);
#endif
#ifndef HAVE_ETHTOOL_LINK_LANES
	u32 cap_link_lanes_supported;
	int (*get_link_ksettings)(struct net_device *dev, struct ethtool_link_ksettings *cmd);
	int (*set_link_ksettings)(struct net_device *dev,
				  const struct ethtool_link_ksettings *cmd);
#endif
#ifndef HAVE_ETHTOOL_LINK_EXT_STATS
	void (*get_link_ext_stats)(struct net_device *dev, struct ethtool_link_ext_stats *stats);
#endif
#ifndef HAVE_ETHTOOL_TS_STATS
	void (*get_ts_stats)(struct net_device *dev, struct ethtool_ts_stats *stats);
#endif
#ifndef HAVE_ETHTOOL_MODULE_BY_PAGE
	int (*get_module_eeprom_by_page)(struct net_device *dev,
					 const struct ethtool_module_eeprom *page,
					 struct netlink_ext_ack *extack);
#endif
};

#include <linux/netdevice.h>

#ifndef HAVE_ETHTOOL_RINGPARAM_4ARGS
static inline void compat_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring)
{
	struct kernel_ethtool_ringparam kring = {};

	dev->ethtool_ops->get_ringparam(dev, ring, &kring, NULL);
}

static inline int compat_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring)
{
	struct kernel_ethtool_ringparam kring = {};

	return dev->ethtool_ops->set_ringparam(dev, ring, &kring, NULL);
}

#define get_ringparam	kernel_get_ringparam = compat_get_ringparam, .get_ringparam
#define set_ringparam	kernel_set_ringparam = compat_set_ringparam, .set_ringparam
#endif

#ifndef HAVE_ETHTOOL_COALESCE_4ARGS
static inline int compat_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal)
{
	struct kernel_ethtool_coalesce kcoal = {};

	return dev->ethtool_ops->get_coalesce(dev, coal, &kcoal, NULL);
}

#ifndef HAVE_ETHTOOL_SUPPORTED_COALESCE_PARAMS
/*
 * Where the core does not know supported_coalesce_params nobody refuses the
 * others: each has to be what it is. ethtool asks first and sends all back.
 */
static inline int compat_check_coalesce(struct net_device *dev,
					const struct ethtool_coalesce *asked,
					const struct ethtool_coalesce *shown)
{
	const u32 supported = dev->ethtool_ops->supported_coalesce_params;
	struct ethtool_coalesce want = *asked;

	want.cmd = shown->cmd;
	if (supported & ETHTOOL_COALESCE_RX_USECS)
		want.rx_coalesce_usecs = shown->rx_coalesce_usecs;
	if (supported & ETHTOOL_COALESCE_USE_ADAPTIVE_RX)
		want.use_adaptive_rx_coalesce = shown->use_adaptive_rx_coalesce;
	return memcmp(&want, shown, sizeof(want)) ? -EOPNOTSUPP : 0;
}

static inline int compat_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal)
{
	struct kernel_ethtool_coalesce kcoal = {};
	struct ethtool_coalesce shown = {};
	int err;

	err = dev->ethtool_ops->get_coalesce(dev, &shown, &kcoal, NULL);
	if (!err)
		err = compat_check_coalesce(dev, coal, &shown);
	return err ? err : dev->ethtool_ops->set_coalesce(dev, coal, &kcoal, NULL);
}

static inline int compat_set_per_queue_coalesce(struct net_device *dev, u32 queue,
						struct ethtool_coalesce *coal)
{
	struct ethtool_coalesce shown = {};
	int err;

	err = dev->ethtool_ops->get_per_queue_coalesce(dev, queue, &shown);
	if (!err)
		err = compat_check_coalesce(dev, coal, &shown);
	return err ? err : dev->ethtool_ops->set_per_queue_coalesce(dev, queue, coal);
}

#define set_per_queue_coalesce						\
	kernel_set_per_queue_coalesce = compat_set_per_queue_coalesce, .set_per_queue_coalesce
#else
static inline int compat_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal)
{
	struct kernel_ethtool_coalesce kcoal = {};

	return dev->ethtool_ops->set_coalesce(dev, coal, &kcoal, NULL);
}
#endif

#define get_coalesce	kernel_get_coalesce = compat_get_coalesce, .get_coalesce
#define set_coalesce	kernel_set_coalesce = compat_set_coalesce, .set_coalesce
#endif

#ifndef HAVE_ETHTOOL_LINK_LANES
static inline int compat_get_link_ksettings(struct net_device *dev,
					    struct kernel_ethtool_link_ksettings *kernel_cmd)
{
	struct ethtool_link_ksettings cmd = {};
	int err;

	memcpy(&cmd, kernel_cmd, sizeof(*kernel_cmd));
	err = dev->ethtool_ops->get_link_ksettings(dev, &cmd);
	memcpy(kernel_cmd, &cmd, sizeof(*kernel_cmd));
	return err;
}

static inline int compat_set_link_ksettings(struct net_device *dev,
					    const struct kernel_ethtool_link_ksettings *kernel_cmd)
{
	struct ethtool_link_ksettings cmd = {};

	memcpy(&cmd, kernel_cmd, sizeof(*kernel_cmd));
	return dev->ethtool_ops->set_link_ksettings(dev, &cmd);
}

#define get_link_ksettings						\
	kernel_get_link_ksettings = compat_get_link_ksettings, .get_link_ksettings
#define set_link_ksettings						\
	kernel_set_link_ksettings = compat_set_link_ksettings, .set_link_ksettings
#endif

#ifndef HAVE_ETHTOOL_RXFH_PARAM
static inline void compat_init_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
				    u32 *indir, u8 *key, u8 hfunc)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;

	memset(rxfh, 0, sizeof(*rxfh));
	rxfh->hfunc = hfunc;
	rxfh->indir = indir;
	rxfh->key = key;
	if (indir && ops->get_rxfh_indir_size)
		rxfh->indir_size = ops->get_rxfh_indir_size(dev);
	if (key && ops->get_rxfh_key_size)
		rxfh->key_size = ops->get_rxfh_key_size(dev);
}

static inline int compat_get_rxfh(struct net_device *dev, u32 *indir, u8 *key, u8 *hfunc)
{
	struct ethtool_rxfh_param rxfh;
	int err;

	compat_init_rxfh(dev, &rxfh, indir, key, 0);
	err = dev->ethtool_ops->get_rxfh(dev, &rxfh);
	if (!err && hfunc)
		*hfunc = rxfh.hfunc;
	return err;
}

static inline int compat_set_rxfh(struct net_device *dev, const u32 *indir, const u8 *key,
				  const u8 hfunc)
{
	struct ethtool_rxfh_param rxfh;

	compat_init_rxfh(dev, &rxfh, (u32 *)indir, (u8 *)key, hfunc);
	return dev->ethtool_ops->set_rxfh(dev, &rxfh, NULL);
}

#define get_rxfh	kernel_get_rxfh = compat_get_rxfh, .get_rxfh
#define set_rxfh	kernel_set_rxfh = compat_set_rxfh, .set_rxfh
#endif

/*
 * What has an operation of its own now went through the rxnfc operations. The
 * members that became their own install the old ones, so a table that has
 * get_rxnfc has to have get_rx_ring_count too, and one that has set_rxnfc
 * has to have set_rxfh_fields.
 */
#ifndef HAVE_ETHTOOL_GET_RX_RING_COUNT
static inline int compat_get_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info,
				   u32 *rule_locs)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;

	if (info->cmd == ETHTOOL_GRXRINGS) {
		info->data = ops->get_rx_ring_count(dev);
		return 0;
	}
#ifndef HAVE_ETHTOOL_GET_RXFH_FIELDS
	if (info->cmd == ETHTOOL_GRXFH && ops->get_rxfh_fields) {
		struct ethtool_rxfh_fields fields = { .flow_type = info->flow_type & ~FLOW_RSS };
		int err = ops->get_rxfh_fields(dev, &fields);

		info->data = fields.data;
		return err;
	}
#endif
	return ops->get_rxnfc ? ops->get_rxnfc(dev, info, rule_locs) : -EOPNOTSUPP;
}

#define get_rx_ring_count	kernel_get_rxnfc = compat_get_rxnfc, .get_rx_ring_count
#endif

#ifndef HAVE_ETHTOOL_GET_RXFH_FIELDS
static inline int compat_set_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;

	if (info->cmd == ETHTOOL_SRXFH) {
		struct ethtool_rxfh_fields fields = {
			.data = info->data,
			.flow_type = info->flow_type,
		};

		return ops->set_rxfh_fields(dev, &fields, NULL);
	}
	return ops->set_rxnfc ? ops->set_rxnfc(dev, info) : -EOPNOTSUPP;
}

#define set_rxfh_fields		kernel_set_rxnfc = compat_set_rxnfc, .set_rxfh_fields
#endif

/*
 * Without standard groups their counters follow the driver's own ones: nobody
 * loses a number. Which ones a driver sets does not change.
 */
#ifndef HAVE_ETHTOOL_STAT_GROUPS
#include <linux/stringify.h>
#include <linux/string.h>

struct compat_stat_groups {
	struct ethtool_eth_mac_stats mac;
	struct ethtool_eth_phy_stats phy;
	struct ethtool_eth_ctrl_stats ctrl;
	struct ethtool_rmon_stats rmon;
#ifndef HAVE_ETHTOOL_PAUSE_STATS
	struct ethtool_pause_stats pause;
#endif
};

#define COMPAT_STAT(group, name)	\
	{ __stringify(name), offsetof(struct compat_stat_groups, group.name) }

static const struct {
	const char *name;
	size_t offset;
} compat_group_stats[] __maybe_unused = {
	COMPAT_STAT(mac, FramesTransmittedOK),
	COMPAT_STAT(mac, FramesReceivedOK),
	COMPAT_STAT(mac, FrameCheckSequenceErrors),
	COMPAT_STAT(mac, OctetsTransmittedOK),
	COMPAT_STAT(mac, FramesLostDueToIntMACXmitError),
	COMPAT_STAT(mac, OctetsReceivedOK),
	COMPAT_STAT(mac, FramesLostDueToIntMACRcvError),
	COMPAT_STAT(mac, MulticastFramesXmittedOK),
	COMPAT_STAT(mac, BroadcastFramesXmittedOK),
	COMPAT_STAT(mac, MulticastFramesReceivedOK),
	COMPAT_STAT(mac, BroadcastFramesReceivedOK),
	COMPAT_STAT(mac, InRangeLengthErrors),
	COMPAT_STAT(mac, OutOfRangeLengthField),
	COMPAT_STAT(mac, FrameTooLongErrors),
	COMPAT_STAT(phy, SymbolErrorDuringCarrier),
	COMPAT_STAT(ctrl, MACControlFramesTransmitted),
	COMPAT_STAT(ctrl, MACControlFramesReceived),
	COMPAT_STAT(ctrl, UnsupportedOpcodesReceived),
	COMPAT_STAT(rmon, undersize_pkts),
	COMPAT_STAT(rmon, oversize_pkts),
	COMPAT_STAT(rmon, fragments),
	COMPAT_STAT(rmon, jabbers),
#ifndef HAVE_ETHTOOL_PAUSE_STATS
	COMPAT_STAT(pause, tx_pause_frames),
	COMPAT_STAT(pause, rx_pause_frames),
#endif
};

#undef COMPAT_STAT

static inline const struct ethtool_rmon_hist_range *
compat_get_stat_groups(struct net_device *dev, struct compat_stat_groups *groups)
{
	const struct ethtool_rmon_hist_range *ranges = NULL;
	const struct ethtool_ops *ops = dev->ethtool_ops;

	memset(groups, 0xff, sizeof(*groups));
	if (ops->get_eth_mac_stats)
		ops->get_eth_mac_stats(dev, &groups->mac);
	if (ops->get_eth_phy_stats)
		ops->get_eth_phy_stats(dev, &groups->phy);
	if (ops->get_eth_ctrl_stats)
		ops->get_eth_ctrl_stats(dev, &groups->ctrl);
	if (ops->get_rmon_stats)
		ops->get_rmon_stats(dev, &groups->rmon, &ranges);
#ifndef HAVE_ETHTOOL_PAUSE_STATS
	if (ops->get_pause_stats)
		ops->get_pause_stats(dev, &groups->pause);
#endif
	return ranges;
}

/* Names go to @names, values to @values, unless NULL. Return: how many. */
static inline int compat_put_stat_groups(struct net_device *dev, u8 *names, u64 *values)
{
	const struct ethtool_rmon_hist_range *ranges;
	struct compat_stat_groups groups;
	int nr = 0;
	u32 i, tx;
	u64 val;

	ranges = compat_get_stat_groups(dev, &groups);
	for (i = 0; i < ARRAY_SIZE(compat_group_stats); i++) {
		val = *(u64 *)((u8 *)&groups + compat_group_stats[i].offset);
		if (val == ~0ULL)
			continue;
		if (names)
			strscpy(names + nr * ETH_GSTRING_LEN, compat_group_stats[i].name,
				ETH_GSTRING_LEN);
		if (values)
			values[nr] = val;
		nr++;
	}
	for (tx = 0; tx < 2; tx++) {
		for (i = 0; ranges && i < ETHTOOL_RMON_HIST_MAX && ranges[i].high; i++) {
			val = tx ? groups.rmon.hist_tx[i] : groups.rmon.hist[i];
			if (val == ~0ULL)
				continue;
			if (names)
				snprintf(names + nr * ETH_GSTRING_LEN, ETH_GSTRING_LEN,
					 "%cx_pkts_%u_to_%u", tx ? 't' : 'r', ranges[i].low,
					 ranges[i].high);
			if (values)
				values[nr] = val;
			nr++;
		}
	}
	return nr;
}

static inline int compat_get_sset_count(struct net_device *dev, int sset)
{
	int nr = dev->ethtool_ops->get_sset_count(dev, sset);

	return nr < 0 || sset != ETH_SS_STATS ? nr : nr + compat_put_stat_groups(dev, NULL, NULL);
}

static inline void compat_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;

	ops->get_strings(dev, sset, data);
	if (sset == ETH_SS_STATS)
		compat_put_stat_groups(dev, data + ops->get_sset_count(dev, sset) *
				       ETH_GSTRING_LEN, NULL);
}

static inline void compat_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats,
					    u64 *data)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;

	ops->get_ethtool_stats(dev, stats, data);
	compat_put_stat_groups(dev, NULL, data + ops->get_sset_count(dev, ETH_SS_STATS));
}

#define get_sset_count		kernel_get_sset_count = compat_get_sset_count, .get_sset_count
#define get_strings		kernel_get_strings = compat_get_strings, .get_strings
#define get_ethtool_stats	\
	kernel_get_ethtool_stats = compat_get_ethtool_stats, .get_ethtool_stats
#endif

#endif /* something is missing */

/* ---- Link --------------------------------------------------------------- */

#ifndef HAVE_ETHTOOL_BSI_SERDES_ALOS
#define ETHTOOL_LINK_EXT_SUBSTATE_BSI_SERDES_ALOS	4
#endif

/* ---- Strings ------------------------------------------------------------ */

#ifndef HAVE_ETHTOOL_SPRINTF
#include <linux/ethtool.h>
#include <linux/kernel.h>
static inline __printf(2, 3) void ethtool_sprintf(u8 **data, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(*data, ETH_GSTRING_LEN, fmt, args);
	va_end(args);
	*data += ETH_GSTRING_LEN;
}
#endif

#ifndef HAVE_ETHTOOL_PUTS
static inline void ethtool_puts(u8 **data, const char *str)
{
	strscpy(*data, str, ETH_GSTRING_LEN);
	*data += ETH_GSTRING_LEN;
}
#endif

/* The core never asks for a split then: nothing sets what it reads. */
#ifndef HAVE_ETHTOOL_RING_USE_TCP_DATA_SPLIT
#define ETHTOOL_RING_USE_TCP_DATA_SPLIT		0
#endif
#ifndef HAVE_ETHTOOL_TCP_DATA_SPLIT
enum {
	ETHTOOL_TCP_DATA_SPLIT_UNKNOWN,
	ETHTOOL_TCP_DATA_SPLIT_DISABLED,
	ETHTOOL_TCP_DATA_SPLIT_ENABLED,
};
#endif

#endif /* COMPAT_ETHTOOL_H */

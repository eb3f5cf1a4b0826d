// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware time stamps (reference 06 section 4). The device has one latch each
 * way. Sent frames: one at a time may wait for its stamp, a work looks for it.
 * Received frames: the descriptor marks the one whose stamp is latched.
 *
 * Offered only while the port has a PTP clock, see src/ptp.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/ethtool.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "compat/hwstamp.h"
#include "txgbe/clock.h"
#include "txgbe/netdev.h"

/* A stamp that is not there by then never comes. */
#define TXGBE_STAMP_TIMEOUT		HZ
/* First it is looked for in short steps, then every jiffy. */
#define TXGBE_STAMP_LOOKS		20
#define TXGBE_STAMP_LOOK_US		50
/* Between looks for a frame whose time is over. */
#define TXGBE_STAMP_LATE		(HZ / 10)
/* Looks of the service work after which a receive stamp is nobody's. */
#define TXGBE_STAMP_RX_TICKS		5

#define TXGBE_STAMP_BUSY		0

/* ---- Settings -------------------------------------------------------------- */

/* What the chip does for a filter. Return: 0; -ERANGE if it cannot */
static int txgbe_stamp_map_filter(int *filter, u32 *type, u32 *msg)
{
	*type = 0;
	*msg = 0;
	switch (*filter) {
	case HWTSTAMP_FILTER_NONE:
		return 0;
	case HWTSTAMP_FILTER_PTP_V1_L4_SYNC:
		*type = TXGBE_PSR_1588_CTL_TYPE_V1;
		*msg = TXGBE_PSR_1588_MSG_V1_SYNC;
		return 0;
	case HWTSTAMP_FILTER_PTP_V1_L4_DELAY_REQ:
		*type = TXGBE_PSR_1588_CTL_TYPE_V1;
		*msg = TXGBE_PSR_1588_MSG_V1_DELAY_REQ;
		return 0;
	case HWTSTAMP_FILTER_PTP_V2_EVENT:
	case HWTSTAMP_FILTER_PTP_V2_SYNC:
	case HWTSTAMP_FILTER_PTP_V2_DELAY_REQ:
	case HWTSTAMP_FILTER_PTP_V2_L2_EVENT:
	case HWTSTAMP_FILTER_PTP_V2_L2_SYNC:
	case HWTSTAMP_FILTER_PTP_V2_L2_DELAY_REQ:
	case HWTSTAMP_FILTER_PTP_V2_L4_EVENT:
	case HWTSTAMP_FILTER_PTP_V2_L4_SYNC:
	case HWTSTAMP_FILTER_PTP_V2_L4_DELAY_REQ:
		/* One latch for all events of version 2, which is more than asked for. */
		*type = TXGBE_PSR_1588_CTL_TYPE_V2;
		*filter = HWTSTAMP_FILTER_PTP_V2_EVENT;
		return 0;
	default:
		return -ERANGE;
	}
}

static void txgbe_stamp_write(struct txgbe_net *fn)
{
	struct txgbe_stamp *stamp = &fn->stamp;
	int filter = stamp->rx_filter;
	u32 type, msg;

	txgbe_stamp_map_filter(&filter, &type, &msg);
	txgbe_clock_set_stamps(fn->fd, stamp->tx_type == HWTSTAMP_TX_ON, type, msg);
	WRITE_ONCE(stamp->rx_ticks, 0);
}

/**
 * txgbe_stamp_get() - ndo_hwtstamp_get
 * @dev: net_device
 * @config: what is in force
 *
 * Context: Process context, rtnl held.
 * Return: 0.
 */
int txgbe_stamp_get(struct net_device *dev, struct kernel_hwtstamp_config *config)
{
	struct txgbe_net *fn = netdev_priv(dev);
	bool clock = READ_ONCE(fn->fd->phc_index) >= 0;

	config->flags = 0;
	config->tx_type = clock ? fn->stamp.tx_type : HWTSTAMP_TX_OFF;
	config->rx_filter = clock ? fn->stamp.rx_filter : HWTSTAMP_FILTER_NONE;
	return 0;
}

/**
 * txgbe_stamp_set() - ndo_hwtstamp_set
 * @dev: net_device, port up or down
 * @config: what to stamp; becomes what is stamped
 * @extack: reason of a refusal
 *
 * Context: Process context, rtnl held.
 * Return: 0; -ERANGE if the chip cannot; -EOPNOTSUPP without a clock; -ENODEV
 *	while the port is out of reach. Nothing has changed then.
 */
int txgbe_stamp_set(struct net_device *dev, struct kernel_hwtstamp_config *config,
		    struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int filter = config->rx_filter;
	u32 type, msg;
	int err;

	if (READ_ONCE(fn->fd->phc_index) < 0) {
		NL_SET_ERR_MSG(extack, "no PTP clock: module txgbe_ptp is not loaded");
		return -EOPNOTSUPP;
	}
	if (!netif_device_present(dev))
		return -ENODEV;
	if (config->tx_type != HWTSTAMP_TX_OFF && config->tx_type != HWTSTAMP_TX_ON) {
		NL_SET_ERR_MSG(extack, "sent frames are stamped or not, one-step is not supported");
		return -ERANGE;
	}
	err = txgbe_stamp_map_filter(&filter, &type, &msg);
	if (err) {
		NL_SET_ERR_MSG(extack, "received: PTP V1 sync or delay-req over UDP, or V2 events");
		return err;
	}

	WRITE_ONCE(fn->stamp.tx_type, config->tx_type);
	fn->stamp.rx_filter = filter;
	config->rx_filter = filter;
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_stamp_write(fn);
	return 0;
}

/**
 * txgbe_stamp_get_info() - ethtool -T
 * @dev: net_device
 * @info: what can be stamped, and the number of the clock
 *
 * Context: Process context, rtnl held.
 * Return: 0.
 */
int txgbe_stamp_get_info(struct net_device *dev, struct kernel_ethtool_ts_info *info)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int index = READ_ONCE(fn->fd->phc_index);

	if (index < 0)
		return ethtool_op_get_ts_info(dev, info);
	info->phc_index = index;
	info->so_timestamping = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
				SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_TX_HARDWARE |
				SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	info->tx_types = BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) |
			   BIT(HWTSTAMP_FILTER_PTP_V1_L4_SYNC) |
			   BIT(HWTSTAMP_FILTER_PTP_V1_L4_DELAY_REQ) |
			   BIT(HWTSTAMP_FILTER_PTP_V2_EVENT);
	return 0;
}

/**
 * txgbe_stamp_get_stats() - ethtool -I -T
 * @dev: net_device
 * @stats: of sent frames; what is not known is left alone
 *
 * Context: Process context, rtnl held.
 */
void txgbe_stamp_get_stats(struct net_device *dev, struct ethtool_ts_stats *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);

	if (READ_ONCE(fn->fd->phc_index) < 0)
		return;
	stats->pkts = READ_ONCE(fn->stamp.stamped);
	stats->lost = READ_ONCE(fn->stamp.timeouts);
	stats->err = atomic_long_read(&fn->stamp.skipped);
}

/**
 * txgbe_stamp_replay() - write the settings into a chip that was reset
 * @fn: net part
 *
 * Context: Process context, rtnl held.
 */
void txgbe_stamp_replay(struct txgbe_net *fn)
{
	/* The clock went, and what was set for it goes with the registers. */
	if (READ_ONCE(fn->fd->phc_index) < 0) {
		WRITE_ONCE(fn->stamp.tx_type, HWTSTAMP_TX_OFF);
		fn->stamp.rx_filter = HWTSTAMP_FILTER_NONE;
	}
	if (fn->stamp.tx_type != HWTSTAMP_TX_OFF || fn->stamp.rx_filter != HWTSTAMP_FILTER_NONE)
		txgbe_stamp_write(fn);
}

/* ---- Sent frames ------------------------------------------------------------ */

/* Whoever gets the frame ends the wait. Return: NULL if somebody else has it */
static struct sk_buff *txgbe_stamp_take_skb(struct txgbe_stamp *stamp)
{
	return xchg(&stamp->skb, NULL);
}

static void txgbe_stamp_done(struct txgbe_stamp *stamp, struct sk_buff *skb)
{
	dev_kfree_skb_any(skb);
	clear_bit_unlock(TXGBE_STAMP_BUSY, &stamp->busy);
}

/**
 * txgbe_stamp_tx() - a frame that wants a stamp is about to be sent
 * @fn: net part
 * @skb: frame with SKBTX_HW_TSTAMP
 *
 * Context: Transmit.
 * Return: TXGBE_TXD_TSTAMP for its descriptors; 0 if it gets no stamp. After
 *	the former txgbe_stamp_tx_undo() has to be called if it is not sent.
 */
u32 txgbe_stamp_tx(struct txgbe_net *fn, struct sk_buff *skb)
{
	struct txgbe_stamp *stamp = &fn->stamp;

	if (READ_ONCE(stamp->tx_type) != HWTSTAMP_TX_ON || skb_is_gso(skb) ||
	    READ_ONCE(fn->fd->phc_index) < 0)
		return 0;
	if (test_and_set_bit_lock(TXGBE_STAMP_BUSY, &stamp->busy)) {
		atomic_long_inc(&stamp->skipped);
		return 0;
	}
	skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
	stamp->since = jiffies;
	stamp->late = false;
	/* The stores above before the frame can be found. */
	smp_store_release(&stamp->skb, skb_get(skb));
	schedule_delayed_work(&stamp->work, 0);
	return TXGBE_TXD_TSTAMP;
}

/**
 * txgbe_stamp_tx_undo() - the frame is not sent after all
 * @fn: net part
 *
 * Context: Transmit, under the same lock as txgbe_stamp_tx().
 */
void txgbe_stamp_tx_undo(struct txgbe_net *fn)
{
	struct sk_buff *skb = txgbe_stamp_take_skb(&fn->stamp);

	if (skb)
		txgbe_stamp_done(&fn->stamp, skb);
}

static void txgbe_stamp_deliver(struct txgbe_stamp *stamp, u64 ns)
{
	struct skb_shared_hwtstamps stamps = { .hwtstamp = ns_to_ktime(ns) };
	struct sk_buff *skb = txgbe_stamp_take_skb(stamp);

	if (!skb)
		return;
	WRITE_ONCE(stamp->stamped, stamp->stamped + 1);
	/* First: who gets the stamp may send the next frame at once. */
	clear_bit_unlock(TXGBE_STAMP_BUSY, &stamp->busy);
	skb_tstamp_tx(skb, &stamps);
	dev_kfree_skb_any(skb);
}

/*
 * Its time is over. While the ring still has it, it may be sent and leave its
 * stamp to the next frame: so there is no next one before that. Return: true
 * if it is done with.
 */
static bool txgbe_stamp_give_up(struct txgbe_net *fn)
{
	struct txgbe_stamp *stamp = &fn->stamp;
	struct sk_buff *skb = txgbe_stamp_take_skb(stamp);

	if (!skb)
		return true;
	if (!stamp->late) {
		stamp->late = true;
		stamp->timeouts++;
	}
	if (skb_shared(skb)) {
		/* With what was written above; pairs with xchg() in taking it. */
		smp_store_release(&stamp->skb, skb);
		return false;
	}
	txgbe_clock_drop_tx(fn->fd);
	txgbe_stamp_done(stamp, skb);
	return true;
}

static void txgbe_stamp_work(struct work_struct *work)
{
	struct txgbe_net *fn = container_of(to_delayed_work(work), struct txgbe_net, stamp.work);
	struct txgbe_stamp *stamp = &fn->stamp;
	u32 i;
	u64 ns;

	for (i = 0; i < TXGBE_STAMP_LOOKS; i++) {
		if (!READ_ONCE(stamp->skb))
			return;
		if (txgbe_clock_take_tx(fn->fd, &ns)) {
			txgbe_stamp_deliver(stamp, ns);
			return;
		}
		if (time_after(jiffies, READ_ONCE(stamp->since) + TXGBE_STAMP_TIMEOUT)) {
			if (!txgbe_stamp_give_up(fn))
				schedule_delayed_work(&stamp->work, TXGBE_STAMP_LATE);
			return;
		}
		usleep_range(TXGBE_STAMP_LOOK_US, 2 * TXGBE_STAMP_LOOK_US);
	}
	schedule_delayed_work(&stamp->work, 1);
}

/**
 * txgbe_stamp_stop() - the port went down: no stamp will come any more
 * @fn: net part; rings are empty
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_stamp_stop(struct txgbe_net *fn)
{
	struct sk_buff *skb;

	cancel_delayed_work_sync(&fn->stamp.work);
	skb = txgbe_stamp_take_skb(&fn->stamp);
	if (!skb)
		return;
	fn->stamp.timeouts += !fn->stamp.late;
	txgbe_stamp_done(&fn->stamp, skb);
}

/* ---- Received frames --------------------------------------------------------- */

/**
 * txgbe_stamp_rx() - a frame arrived that the device has latched a stamp for
 * @fn: net part
 * @skb: the frame
 *
 * Context: The poll.
 */
void txgbe_stamp_rx(struct txgbe_net *fn, struct sk_buff *skb)
{
	u64 ns;

	if (!txgbe_clock_take_rx(fn->fd, &ns))
		return;
	skb_hwtstamps(skb)->hwtstamp = ns_to_ktime(ns);
	WRITE_ONCE(fn->stamp.rx_ticks, 0);
}

/**
 * txgbe_stamp_look() - free the receive latch of a stamp whose frame was dropped
 * @fn: net part, up
 *
 * Context: The service work, once a second.
 */
void txgbe_stamp_look(struct txgbe_net *fn)
{
	struct txgbe_stamp *stamp = &fn->stamp;

	if (READ_ONCE(stamp->rx_filter) == HWTSTAMP_FILTER_NONE)
		return;
	if (!txgbe_clock_rx_latched(fn->fd)) {
		WRITE_ONCE(stamp->rx_ticks, 0);
		return;
	}
	WRITE_ONCE(stamp->rx_ticks, stamp->rx_ticks + 1);
	if (stamp->rx_ticks <= TXGBE_STAMP_RX_TICKS)
		return;
	txgbe_clock_drop_rx(fn->fd);
	stamp->rx_cleared++;
	WRITE_ONCE(stamp->rx_ticks, 0);
}

/**
 * txgbe_stamp_init() - nothing is stamped
 * @fn: net part
 *
 * Context: Process context, before the net_device is registered.
 */
void txgbe_stamp_init(struct txgbe_net *fn)
{
	fn->stamp.tx_type = HWTSTAMP_TX_OFF;
	fn->stamp.rx_filter = HWTSTAMP_FILTER_NONE;
	INIT_DELAYED_WORK(&fn->stamp.work, txgbe_stamp_work);
}

// SPDX-License-Identifier: GPL-2.0-only
/* MAC, packet buffers and the gates of the data path (reference 04, 11, 12). */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/etherdevice.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

#define TXGBE_RX_DRAIN_STEP_US		1000
#define TXGBE_RX_DRAIN_LIMIT_US		40000

#define TXGBE_TRAFFIC_CLASSES		8

/* Of the in-tree driver's water marks, on top of the MTU. */
#define TXGBE_PAUSE_WIRE_BYTES		38	/* header, FCS, gap and preamble */
#define TXGBE_PAUSE_LOW_BYTES		18	/* header and FCS */
#define TXGBE_PAUSE_DELAY_BITS		55816
#define TXGBE_PAUSE_LOW_BITS		14400

/**
 * txgbe_mac_read_perm_addr() - read the address of slot 0
 * @fd: device
 * @addr: ETH_ALEN bytes, the address loaded from flash by the last reset; the
 *	caller checks that it is a valid one
 *
 * Context: Process context. Takes fd->rar_lock.
 */
void txgbe_mac_read_perm_addr(struct txgbe_dev *fd, u8 *addr)
{
	u32 high, low;

	spin_lock_bh(&fd->rar_lock);
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_IDX, 0);
	high = txgbe_rd32(fd, TXGBE_PSR_MAC_SWC_AD_H);
	low = txgbe_rd32(fd, TXGBE_PSR_MAC_SWC_AD_L);
	spin_unlock_bh(&fd->rar_lock);

	addr[0] = high >> 8;
	addr[1] = high;
	addr[2] = low >> 24;
	addr[3] = low >> 16;
	addr[4] = low >> 8;
	addr[5] = low;
}

static u32 txgbe_mac_speed_field(u32 speed_mbps)
{
	switch (speed_mbps) {
	case SPEED_40000:
		return TXGBE_MAC_TX_CFG_SPEED_40G;
	case SPEED_25000:
		return TXGBE_MAC_TX_CFG_SPEED_25G;
	default:
		return TXGBE_MAC_TX_CFG_SPEED_10G;
	}
}

/* ---- Flow control (reference 04 section 8) ------------------------------ */

/* The longest frame with what else is on the wire, in bytes. */
static u32 txgbe_mac_wire_bytes(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_PSR_MAX_SZ) + TXGBE_PAUSE_WIRE_BYTES -
	       TXGBE_FRAME_OVERHEAD_BYTES;
}

/* Bits that may still arrive after XOFF was decided on: what both ends have
 * begun to send, cables, delays of MAC and PHY. The reference's formula.
 */
static u32 txgbe_mac_high_mark(u32 buffer_kib, u32 wire_bytes)
{
	u32 bits = 36 * (8 * wire_bytes + TXGBE_PAUSE_DELAY_BITS) / 25 + 1 + 16 * wire_bytes;
	u32 room_kib = DIV_ROUND_UP(bits, 8 * 1024);

	return buffer_kib > room_kib ? buffer_kib - room_kib : 0;
}

/* What must still be there to receive until the partner has heard of XON. */
static u32 txgbe_mac_low_mark(u32 high_kib, u32 wire_bytes)
{
	u32 frame = wire_bytes - TXGBE_PAUSE_WIRE_BYTES + TXGBE_PAUSE_LOW_BYTES;
	u32 low_kib = DIV_ROUND_UP(2 * (16 * frame + TXGBE_PAUSE_LOW_BITS + 1), 8 * 1024);

	return low_kib < high_kib ? low_kib : 0;
}

static void txgbe_mac_set_marks(struct txgbe_dev *fd, bool tx_pause)
{
	u32 buffer = txgbe_rd32(fd, TXGBE_RDB_PB_SZ(0)) & TXGBE_RDB_PB_SZ_KIB;
	u32 wire_bytes = txgbe_mac_wire_bytes(fd);
	u32 high_kib, low_kib;

	if (!txgbe_present(fd))
		return;
	if (!tx_pause) {
		/* As the in-tree driver leaves them. */
		buffer -= min_t(u32, buffer, TXGBE_RDB_RFCH_OFF_MARGIN_BYTES);
		txgbe_wr32(fd, TXGBE_RDB_RFCL(0), 0);
		txgbe_wr32(fd, TXGBE_RDB_RFCH(0), buffer & TXGBE_RDB_RFCH_HIGH_KIB);
		return;
	}

	high_kib = txgbe_mac_high_mark(FIELD_GET(TXGBE_RDB_PB_SZ_KIB, buffer), wire_bytes);
	high_kib = min_t(u32, high_kib, FIELD_MAX(TXGBE_RDB_RFCH_HIGH_KIB));
	low_kib = txgbe_mac_low_mark(high_kib, wire_bytes);
	txgbe_wr32(fd, TXGBE_RDB_RFCL(0),
		   FIELD_PREP(TXGBE_RDB_RFCL_LOW_KIB, low_kib) | TXGBE_RDB_RFCL_XONE);
	txgbe_wr32(fd, TXGBE_RDB_RFCH(0),
		   FIELD_PREP(TXGBE_RDB_RFCH_HIGH_KIB, high_kib) | TXGBE_RDB_RFCH_XOFFE);
}

/**
 * txgbe_mac_set_pause() - honour and send 802.3x pause frames, or not
 * @fd: device; packet buffers are set up
 * @rx: stop sending while the partner says so
 * @tx: tell the partner to stop when the packet buffer fills
 *
 * Nothing is negotiated. With @tx the receive rings must not drop, or the
 * buffer never fills: see txgbe_queue_update_drop().
 *
 * Context: Process context. Under fd->link.mac_lock.
 */
void txgbe_mac_set_pause(struct txgbe_dev *fd, bool rx, bool tx)
{
	txgbe_rmw32(fd, TXGBE_MAC_RX_FLOW_CTRL, TXGBE_MAC_RX_FLOW_CTRL_RFE,
		    rx ? TXGBE_MAC_RX_FLOW_CTRL_RFE : 0);
	txgbe_rmw32(fd, TXGBE_RDB_RFCC, TXGBE_RDB_RFCC_PAUSE, tx ? TXGBE_RDB_RFCC_PAUSE : 0);
	txgbe_mac_set_marks(fd, tx);
	txgbe_wr32(fd, TXGBE_RDB_RFCV(0), TXGBE_RDB_RFCV_MAX);
	txgbe_wr32(fd, TXGBE_RDB_RFCRT, TXGBE_RDB_RFCRT_HALF);
}

/* ---- Link -------------------------------------------------------------- */

/* Resets the MAC and restores what it had; ends with Tx and Rx off. */
static void txgbe_mac_restart(struct txgbe_dev *fd)
{
	u32 wdg = txgbe_rd32(fd, TXGBE_MAC_WDG_TIMEOUT);
	u32 flow = txgbe_rd32(fd, TXGBE_MAC_RX_FLOW_CTRL);

	/* Shared register, self-clearing bits: a plain write, see reset.c. */
	txgbe_wr32(fd, TXGBE_MIS_RST, TXGBE_MIS_RST_MAC(fd->lan));
	txgbe_flush(fd);
	if (!txgbe_present(fd))
		return;
	usleep_range(1000, 1500);

	txgbe_rmw32(fd, TXGBE_MAC_MISC_CTL, TXGBE_MAC_MISC_CTL_LINK_BOTH,
		    TXGBE_MAC_MISC_CTL_LINK_BOTH);
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_JE, TXGBE_MAC_RX_CFG_JE);
	txgbe_rmw32(fd, TXGBE_MMC_CONTROL, TXGBE_MMC_CONTROL_RSTONRD,
		    TXGBE_MMC_CONTROL_RSTONRD);
	txgbe_wr32(fd, TXGBE_MAC_PKT_FLT, TXGBE_MAC_PKT_FLT_PR);
	txgbe_wr32(fd, TXGBE_MAC_WDG_TIMEOUT, wdg);
	txgbe_wr32(fd, TXGBE_MAC_RX_FLOW_CTRL, flow);
}

/**
 * txgbe_mac_link_up() - set the MAC up for a link that came up
 * @fd: device
 * @speed_mbps: 10000, 25000 or 40000
 *
 * The MAC is reset first: while the PHY trains it may latch an error that
 * would cost the first frame. What txgbe_mac_set_pause() set is kept.
 *
 * Context: Process context, sleeps 1 to 2 ms. Under fd->link.mac_lock.
 */
void txgbe_mac_link_up(struct txgbe_dev *fd, u32 speed_mbps)
{
	u32 tx;

	txgbe_mac_restart(fd);

	/* The transmit path may have been shut by anyone, whatever it reads. */
	txgbe_rmw32(fd, TXGBE_TSC_CTL, TXGBE_TSC_CTL_TX_DIS, 0);
	txgbe_flush(fd);

	tx = txgbe_rd32(fd, TXGBE_MAC_TX_CFG);
	tx &= ~TXGBE_MAC_TX_CFG_SPEED;
	tx |= FIELD_PREP(TXGBE_MAC_TX_CFG_SPEED, txgbe_mac_speed_field(speed_mbps));
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_RE, TXGBE_MAC_RX_CFG_RE);
	txgbe_wr32(fd, TXGBE_MAC_TX_CFG, tx | TXGBE_MAC_TX_CFG_TE);
}

/**
 * txgbe_mac_link_down() - turn the MAC off after a link loss or at close
 * @fd: device
 *
 * Does nothing on boards whose sideband or wake-up needs the MAC.
 *
 * Context: Process context. Under fd->link.mac_lock.
 */
void txgbe_mac_link_down(struct txgbe_dev *fd)
{
	if (fd->keep_mac)
		return;
	txgbe_rmw32(fd, TXGBE_MAC_TX_CFG, TXGBE_MAC_TX_CFG_TE, 0);
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_RE, 0);
}

/**
 * txgbe_mac_set_max_frame() - longest frame that is received
 * @fd: device
 * @mtu: bytes, 68..TXGBE_MAX_FRAME_BYTES - TXGBE_FRAME_OVERHEAD_BYTES
 *
 * Leaves room for two VLAN tags, for one only at the largest MTU. May be called
 * on a running port.
 *
 * Context: Process context, under the lock that guards the MTU.
 */
void txgbe_mac_set_max_frame(struct txgbe_dev *fd, u32 mtu)
{
	u32 max = mtu + TXGBE_FRAME_OVERHEAD_BYTES + TXGBE_FRAME_TAG_BYTES;

	txgbe_wr32(fd, TXGBE_PSR_MAX_SZ,
		   clamp_t(u32, max, TXGBE_PSR_MAX_SZ_MIN, TXGBE_MAX_FRAME_BYTES));
	/* Longer frames need more room above the mark. */
	if (txgbe_rd32(fd, TXGBE_RDB_RFCC) & TXGBE_RDB_RFCC_PAUSE)
		txgbe_mac_set_marks(fd, true);
}

/**
 * txgbe_mac_init_buffers() - packet buffers, frame limit, descriptor caches
 * @fd: device
 * @mtu: bytes, see txgbe_mac_set_max_frame()
 *
 * One traffic class gets both buffers. Also programs what rings with
 * TXGBE_PX_RR_CFG_DESC_MERGE rely on.
 *
 * Context: Process context, first step of open, after a reset.
 */
void txgbe_mac_init_buffers(struct txgbe_dev *fd, u32 mtu)
{
	u32 tc;

	txgbe_wr32(fd, TXGBE_RDB_PB_SZ(0),
		   FIELD_PREP(TXGBE_RDB_PB_SZ_KIB, TXGBE_RX_BUFFER_KIB));
	txgbe_wr32(fd, TXGBE_TDB_PB_SZ(0), TXGBE_TX_BUFFER_KIB * 1024);
	for (tc = 1; tc < TXGBE_TRAFFIC_CLASSES; tc++) {
		txgbe_wr32(fd, TXGBE_RDB_PB_SZ(tc), 0);
		txgbe_wr32(fd, TXGBE_TDB_PB_SZ(tc), 0);
	}
	txgbe_wr32(fd, TXGBE_TDM_PB_THRE(0), TXGBE_TX_BUFFER_KIB - TXGBE_TX_MAX_PACKET_KIB);
	txgbe_mac_set_max_frame(fd, mtu);

	txgbe_wr32(fd, TXGBE_RDM_DCACHE_CTL, TXGBE_RDM_DCACHE_CTL_EN);
	txgbe_rmw32(fd, TXGBE_RDM_RSC_CTL,
		    TXGBE_RDM_RSC_CTL_FREE_CTL | TXGBE_RDM_RSC_CTL_FREE_CNT_DIS,
		    TXGBE_RDM_RSC_CTL_FREE_CTL);
}

/**
 * txgbe_mac_listen() - take frames without a receive ring, and send none
 * @fd: device, after a reset
 * @mtu: bytes, see txgbe_mac_set_max_frame()
 * @speed_mbps: rate of the link, 10000, 25000 or 40000; 0 if none is known, and
 *	the field stays as it is
 *
 * For wake-up: what the reset took from the MAC and the packet buffer is what a
 * frame has to pass on its way to the filters.
 *
 * Context: Process context.
 */
void txgbe_mac_listen(struct txgbe_dev *fd, u32 mtu, u32 speed_mbps)
{
	txgbe_mac_init_buffers(fd, mtu);
	if (speed_mbps)
		txgbe_rmw32(fd, TXGBE_MAC_TX_CFG, TXGBE_MAC_TX_CFG_SPEED,
			    FIELD_PREP(TXGBE_MAC_TX_CFG_SPEED, txgbe_mac_speed_field(speed_mbps)));
	txgbe_rmw32(fd, TXGBE_RDB_PB_CTL, TXGBE_RDB_PB_CTL_RXEN, TXGBE_RDB_PB_CTL_RXEN);
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_RE, TXGBE_MAC_RX_CFG_RE);
}

/**
 * txgbe_mac_listens() - does the port take frames, as a started one does?
 * @fd: device
 *
 * Context: Process context.
 * Return: false if a reset has taken away what a start had written.
 */
bool txgbe_mac_listens(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_RDB_PB_CTL) & TXGBE_RDB_PB_CTL_RXEN;
}

/**
 * txgbe_mac_tx_gate() - open or close the transmit path
 * @fd: device
 * @open: open before the first ring is enabled, close after the last is off
 *
 * The MAC itself is turned on by txgbe_mac_link_up(), which knows the speed.
 *
 * Context: Process context, from open and close.
 */
void txgbe_mac_tx_gate(struct txgbe_dev *fd, bool open)
{
	if (open) {
		txgbe_rmw32(fd, TXGBE_TSC_BUF_AE, TXGBE_TSC_BUF_AE_THR,
			    FIELD_PREP(TXGBE_TSC_BUF_AE_THR, TXGBE_TSC_BUF_AE_DEFAULT));
		txgbe_rmw32(fd, TXGBE_TDM_CTL, TXGBE_TDM_CTL_TE, TXGBE_TDM_CTL_TE);
		return;
	}
	if (!fd->keep_mac)
		txgbe_rmw32(fd, TXGBE_MAC_TX_CFG, TXGBE_MAC_TX_CFG_TE, 0);
	txgbe_rmw32(fd, TXGBE_TDM_CTL, TXGBE_TDM_CTL_TE, 0);
}

static void txgbe_mac_rx_close(struct txgbe_dev *fd)
{
	if (!(txgbe_rd32(fd, TXGBE_RDB_PB_CTL) & TXGBE_RDB_PB_CTL_RXEN))
		return;
	txgbe_rmw32(fd, TXGBE_PSR_CTL, TXGBE_PSR_CTL_SW_EN, 0);
	txgbe_rmw32(fd, TXGBE_RDB_PB_CTL, TXGBE_RDB_PB_CTL_RXEN, 0);
	if (!fd->keep_mac)
		txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_RE, 0);
}

/**
 * txgbe_mac_rx_hold() - let no frame past the MAC, and wait for those that are
 * @fd: device
 *
 * A path that does not drain is logged and used all the same: traffic was seen
 * to work afterwards.
 *
 * Context: Process context, sleeps up to 40 ms.
 */
void txgbe_mac_rx_hold(struct txgbe_dev *fd)
{
	u32 val;

	txgbe_rmw32(fd, TXGBE_RSC_CTL, TXGBE_RSC_CTL_RX_DIS, TXGBE_RSC_CTL_RX_DIS);
	if (txgbe_poll32(fd, TXGBE_RSC_ST, val, val & TXGBE_RSC_ST_RDY,
			 TXGBE_RX_DRAIN_STEP_US, TXGBE_RX_DRAIN_LIMIT_US) == -ETIMEDOUT)
		dev_warn(fd->dev, "receive path not drained after %u ms, status %#x\n",
			 TXGBE_RX_DRAIN_LIMIT_US / 1000, val);
}

/**
 * txgbe_mac_rx_release() - end of txgbe_mac_rx_hold()
 * @fd: device
 *
 * Context: Process context.
 */
void txgbe_mac_rx_release(struct txgbe_dev *fd)
{
	txgbe_rmw32(fd, TXGBE_RSC_CTL, TXGBE_RSC_CTL_RX_DIS, 0);
	txgbe_flush(fd);
}

/**
 * txgbe_mac_rx_gate() - open or close the receive path
 * @fd: device
 * @open: open after the last ring is enabled, close before the first is off
 *
 * Context: Process context, sleeps up to 40 ms, from open and close.
 * Return: 0, or -ENODEV if the device is gone.
 */
int txgbe_mac_rx_gate(struct txgbe_dev *fd, bool open)
{
	if (!open) {
		txgbe_mac_rx_close(fd);
		return txgbe_present(fd) ? 0 : -ENODEV;
	}

	txgbe_rmw32(fd, TXGBE_RSC_CTL, TXGBE_RSC_CTL_CRC_STRIP, TXGBE_RSC_CTL_CRC_STRIP);
	txgbe_mac_rx_hold(fd);
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, TXGBE_MAC_RX_CFG_RE, TXGBE_MAC_RX_CFG_RE);
	txgbe_rmw32(fd, TXGBE_RDB_PB_CTL, TXGBE_RDB_PB_CTL_RXEN, TXGBE_RDB_PB_CTL_RXEN);
	txgbe_mac_rx_release(fd);
	return txgbe_present(fd) ? 0 : -ENODEV;
}

/**
 * txgbe_mac_laser() - switch the laser of an SFP module
 * @fd: device
 * @on: false to go dark, which the partner sees as a link loss
 *
 * Does nothing on boards that have no such pin, and never darkens a port whose
 * sideband or wake-up needs the link.
 *
 * Context: Process context. Under fd->link.mac_lock.
 */
void txgbe_mac_laser(struct txgbe_dev *fd, bool on)
{
	if (fd->board->laser_gpio && (on || !fd->keep_mac))
		txgbe_rmw32(fd, TXGBE_GPIO_DR, TXGBE_GPIO_TX_DISABLE,
			    on ? 0 : TXGBE_GPIO_TX_DISABLE);
}

/**
 * txgbe_mac_get_leds() - who drives the LEDs of the port
 * @fd: device
 *
 * Context: Any.
 * Return: for txgbe_mac_set_leds().
 */
u32 txgbe_mac_get_leds(struct txgbe_dev *fd)
{
	return txgbe_rd32(fd, TXGBE_CFG_LED_CTL);
}

/**
 * txgbe_mac_set_leds() - put back what txgbe_mac_get_leds() gave
 * @fd: device
 * @leds: 0: the hardware shows link and activity
 *
 * Context: Any.
 */
void txgbe_mac_set_leds(struct txgbe_dev *fd, u32 leds)
{
	txgbe_wr32(fd, TXGBE_CFG_LED_CTL, leds);
	txgbe_flush(fd);
}

/**
 * txgbe_mac_light_leds() - all LEDs of the port on or off, whatever they show
 * @fd: device
 * @on: on
 *
 * Which source a board has wired to an LED is not known, so all are driven.
 *
 * Context: Any.
 */
void txgbe_mac_light_leds(struct txgbe_dev *fd, bool on)
{
	txgbe_mac_set_leds(fd, TXGBE_CFG_LED_CTL_OVERRIDE |
			       (on ? TXGBE_CFG_LED_CTL_LEVEL : 0));
}

// SPDX-License-Identifier: GPL-2.0-only
/* What the self-test asks of the chip: registers that hold a pattern, MAC loopback. */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/ethtool.h>
#include <linux/kernel.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/**
 * struct txgbe_regtest - registers that are storage and nothing else
 * @start: offset of the first
 * @stride: bytes from one to the next
 * @count: how many
 * @mask: bits that exist (reference 04 section 14)
 */
struct txgbe_regtest {
	u32 start;
	u16 stride;
	u16 count;
	u32 mask;
};

/* None of them does anything while rings, pause and the gates are off. */
static const struct txgbe_regtest txgbe_regtests[] = {
	{ TXGBE_PX_RR_BAL(0),	0x40, TXGBE_HW_QUEUES, 0xffffff80 },
	{ TXGBE_PX_RR_BAH(0),	0x40, TXGBE_HW_QUEUES, 0xffffffff },
	{ TXGBE_PX_TR_BAL(0),	0x40, TXGBE_HW_QUEUES, 0xffffff80 },
	{ TXGBE_PX_TR_BAH(0),	0x40, TXGBE_HW_QUEUES, 0xffffffff },
	{ TXGBE_RDB_RFCV(0),	4, 4, 0xffffffff },
	{ TXGBE_RDB_RFCL(0),	4, 8, 0x8007fff0 },
	{ TXGBE_RDB_RFCH(0),	4, 8, 0x8007fff0 },
	{ TXGBE_PSR_MC_TBL(0),	4, TXGBE_MC_TBL_WORDS, 0xffffffff },
	{ TXGBE_PSR_VLAN_TBL(0), 4, TXGBE_VLAN_TBL_WORDS, 0xffffffff },
};

static const u32 txgbe_regtest_patterns[] = { 0x5a5a5a5a, 0xa5a5a5a5, 0x00000000, 0xffffffff };

static int txgbe_regtest_one(struct txgbe_dev *fd, u32 reg, u32 mask)
{
	u32 before = txgbe_rd32(fd, reg);
	u32 want, got;
	int err = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_regtest_patterns) && !err; i++) {
		want = txgbe_regtest_patterns[i] & mask;
		txgbe_wr32(fd, reg, want);
		got = txgbe_rd32(fd, reg) & mask;
		if (!txgbe_present(fd))
			return -ENODEV;
		if (got != want) {
			dev_err(fd->dev, "self-test: register %#07x reads %#010x after %#010x was written\n",
				reg, got, want);
			err = -EIO;
		}
	}
	txgbe_wr32(fd, reg, before);
	return err;
}

/**
 * txgbe_hw_test_regs() - write patterns to registers and read them back
 * @fd: device, reset and stopped; to be reset again afterwards
 *
 * The first register that fails is logged with what it read.
 *
 * Context: Process context, some 4000 register accesses.
 * Return: 0; -EIO if a register does not hold a pattern; -ENODEV.
 */
int txgbe_hw_test_regs(struct txgbe_dev *fd)
{
	const struct txgbe_regtest *test;
	u32 i, k;
	int err;

	for (i = 0; i < ARRAY_SIZE(txgbe_regtests); i++) {
		test = &txgbe_regtests[i];
		for (k = 0; k < test->count; k++) {
			err = txgbe_regtest_one(fd, test->start + k * test->stride, test->mask);
			if (err)
				return err;
		}
	}
	return 0;
}

static u32 txgbe_selftest_speed_field(u32 speed_mbps)
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

/**
 * txgbe_mac_set_loopback() - lead what the MAC sends back into it
 * @fd: device; rings and gates are open, the link is stopped
 * @on: false to end it; the MAC is off then
 *
 * The link is forced, so that it works without module or partner (reference
 * 04 section 14).
 *
 * Context: Process context, rtnl held.
 */
void txgbe_mac_set_loopback(struct txgbe_dev *fd, bool on)
{
	u32 rx = TXGBE_MAC_RX_CFG_LM | TXGBE_MAC_RX_CFG_RE;
	u32 tx = TXGBE_MAC_TX_CFG_SPEED | TXGBE_MAC_TX_CFG_TE;
	u32 speed = txgbe_selftest_speed_field(fd->board->max_speed_mbps);

	if (!on) {
		txgbe_rmw32(fd, TXGBE_MAC_TX_CFG, TXGBE_MAC_TX_CFG_TE, 0);
		txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, rx, 0);
		txgbe_rmw32(fd, TXGBE_CFG_PORT_CTL, TXGBE_CFG_PORT_CTL_FORCE_LKUP, 0);
		return;
	}
	txgbe_rmw32(fd, TXGBE_CFG_PORT_CTL, TXGBE_CFG_PORT_CTL_FORCE_LKUP,
		    TXGBE_CFG_PORT_CTL_FORCE_LKUP);
	txgbe_rmw32(fd, TXGBE_TSC_CTL, TXGBE_TSC_CTL_TX_DIS, 0);
	txgbe_rmw32(fd, TXGBE_MAC_RX_CFG, rx, rx);
	txgbe_rmw32(fd, TXGBE_MAC_TX_CFG, tx,
		    FIELD_PREP(TXGBE_MAC_TX_CFG_SPEED, speed) | TXGBE_MAC_TX_CFG_TE);
	txgbe_flush(fd);
}

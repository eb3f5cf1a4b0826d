// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers a dump may read: those the reference names as readable and
 * whose reading changes nothing. Left out are counters and causes that
 * reading clears, semaphores that reading takes, time stamps that reading
 * unlatches, windows onto other register spaces, and secrets (the RSS key is
 * not one, ethtool -x shows it).
 */
#include <linux/kernel.h>

#include "hw/regs.h"
#include "txgbe/mmio.h"
#include "txgbe/regdump.h"

/**
 * struct txgbe_reg_range - registers of one name at equal distances
 * @name: as in the reference
 * @start: offset of the first
 * @count: how many; a single one has no index in its name
 * @stride: bytes from one to the next
 */
struct txgbe_reg_range {
	const char *name;
	u32 start;
	u16 count;
	u16 stride;
};

#define ONE(name, start)		{ name, start, 1, 4 }
#define MANY(name, start, count)	{ name, start, count, 4 }
#define RX_RING(name, start)		{ name, start, TXGBE_MAX_QUEUES, 0x40 }
/* Those of XDP are in the second half. */
#define TX_RING(name, start)		{ name, start, TXGBE_NR_TX_RINGS, 0x40 }

static const struct txgbe_reg_range txgbe_reg_ranges[] = {
	/* Interrupts (reference 10, 18); reading a mask register is harmless. */
	ONE("PX_MISC_IEN", TXGBE_PX_MISC_IEN),
	ONE("PX_GPIE", TXGBE_PX_GPIE),
	MANY("PX_IMS", TXGBE_PX_IMS(0), 2),
	ONE("PX_ISB_ADDR_L", TXGBE_PX_ISB_ADDR_L),
	ONE("PX_ISB_ADDR_H", TXGBE_PX_ISB_ADDR_H),
	ONE("PX_TRANSACTION_PENDING", TXGBE_PX_TRANSACTION_PENDING),
	ONE("PX_ITRSEL", TXGBE_PX_ITRSEL),
	MANY("PX_ITR", TXGBE_PX_ITR(0), 64),
	ONE("PX_PF_BME", TXGBE_PX_PF_BME),
	ONE("PX_MISC_IVAR", TXGBE_PX_MISC_IVAR),
	MANY("PX_IVAR", TXGBE_PX_IVAR(0), 64),

	/* Reset and status of the chip (reference 01) */
	ONE("MIS_PWR", TXGBE_MIS_PWR),
	ONE("MIS_RST", TXGBE_MIS_RST),
	ONE("MIS_PRB_CTL", TXGBE_MIS_PRB_CTL),
	ONE("MIS_ST", TXGBE_MIS_ST),
	ONE("MIS_RST_ST", TXGBE_MIS_RST_ST),
	ONE("SPI_STATUS", TXGBE_SPI_STATUS),
	ONE("SPI_ILDR_STATUS", TXGBE_SPI_ILDR_STATUS),

	/* Temperature (reference 06) */
	ONE("TS_CTL1", TXGBE_TS_CTL1),
	ONE("TS_ENA", TXGBE_TS_ENA),
	ONE("TS_STS", TXGBE_TS_STS),

	/* MAC (reference 04) */
	ONE("MAC_TX_CFG", TXGBE_MAC_TX_CFG),
	ONE("MAC_RX_CFG", TXGBE_MAC_RX_CFG),
	ONE("MAC_PKT_FLT", TXGBE_MAC_PKT_FLT),
	ONE("MAC_WDG_TIMEOUT", TXGBE_MAC_WDG_TIMEOUT),
	ONE("MAC_RX_FLOW_CTRL", TXGBE_MAC_RX_FLOW_CTRL),
	ONE("MMC_CONTROL", TXGBE_MMC_CONTROL),
	ONE("MAC_MISC_CTL", TXGBE_MAC_MISC_CTL),
	ONE("MAC_LXOFFRXC", TXGBE_MAC_LXOFFRXC),
	ONE("MAC_LXONRXC", TXGBE_MAC_LXONRXC),

	/* Port, GPIO (reference 04, 13) */
	ONE("CFG_PORT_CTL", TXGBE_CFG_PORT_CTL),
	ONE("CFG_PORT_ST", TXGBE_CFG_PORT_ST),
	ONE("CFG_VXLAN", 0x14410),
	ONE("CFG_VXLAN_GPE", 0x14414),
	ONE("CFG_GENEVE", 0x14418),
	ONE("CFG_LED_CTL", 0x14424),
	MANY("CFG_TAG_TPID", TXGBE_CFG_TAG_TPID(0), 4),
	ONE("GPIO_DR", TXGBE_GPIO_DR),
	ONE("GPIO_DDR", 0x14804),
	ONE("GPIO_INTEN", TXGBE_GPIO_INTEN),
	ONE("GPIO_INTMASK", TXGBE_GPIO_INTMASK),
	ONE("GPIO_INTTYPE_LEVEL", TXGBE_GPIO_INTTYPE_LEVEL),
	ONE("GPIO_POLARITY", TXGBE_GPIO_POLARITY),
	ONE("GPIO_RAW_INTSTATUS", TXGBE_GPIO_RAW_INTSTATUS),
	ONE("GPIO_EXT", TXGBE_GPIO_EXT),

	/* Receive DMA (reference 12) */
	MANY("RDM_VF_RE", 0x12004, 2),
	ONE("RDM_RSC_CTL", TXGBE_RDM_RSC_CTL),
	ONE("BME_CTL", TXGBE_BME_CTL),
	MANY("RDM_PF_QDE", 0x12080, 4),
	ONE("RDM_DCACHE_CTL", TXGBE_RDM_DCACHE_CTL),

	/* Parser and filters (reference 13) */
	ONE("PSR_CTL", TXGBE_PSR_CTL),
	ONE("PSR_MAX_SZ", TXGBE_PSR_MAX_SZ),
	ONE("PSR_VLAN_CTL", TXGBE_PSR_VLAN_CTL),
	MANY("PSR_ETYPE_SWC", 0x15128, 8),
	ONE("PSR_VM_CTL", 0x151b0),
	ONE("PSR_WKUP_CTL", TXGBE_PSR_WKUP_CTL),
	ONE("PSR_VM_L2CTL", TXGBE_PSR_VM_L2CTL(0)),
	MANY("PSR_MC_TBL", TXGBE_PSR_MC_TBL(0), TXGBE_MC_TBL_WORDS),
	MANY("PSR_VLAN_TBL", TXGBE_PSR_VLAN_TBL(0), TXGBE_VLAN_TBL_WORDS),

	/* Gates of both paths (reference 11, 12) */
	ONE("RSC_CTL", TXGBE_RSC_CTL),
	ONE("RSC_ST", TXGBE_RSC_ST),
	ONE("TSC_CTL", TXGBE_TSC_CTL),
	ONE("TSC_ST", 0x1d004),
	ONE("TSC_BUF_AE", TXGBE_TSC_BUF_AE),

	/* Transmit DMA and buffer (reference 11) */
	ONE("TDM_CTL", TXGBE_TDM_CTL),
	MANY("TDM_VF_TE", 0x18004, 2),
	ONE("TDM_PB_THRE", TXGBE_TDM_PB_THRE(0)),
	MANY("TDM_DESC_CHK", 0x180b0, 4),
	MANY("TDM_DESC_NONFATAL", 0x180c0, 4),
	MANY("TDM_DESC_FATAL", 0x180d0, 4),
	ONE("TDB_PB_SZ", TXGBE_TDB_PB_SZ(0)),

	/* Receive buffer, flow control, RSS (reference 12..14) */
	ONE("RDB_PB_CTL", TXGBE_RDB_PB_CTL),
	ONE("RDB_PB_SZ", TXGBE_RDB_PB_SZ(0)),
	MANY("RDB_RFCV", TXGBE_RDB_RFCV(0), 4),
	ONE("RDB_RFCL", TXGBE_RDB_RFCL(0)),
	ONE("RDB_RFCH", TXGBE_RDB_RFCH(0)),
	ONE("RDB_RFCRT", TXGBE_RDB_RFCRT),
	ONE("RDB_RFCC", TXGBE_RDB_RFCC),
	ONE("RDB_PL_CFG", TXGBE_RDB_PL_CFG(0)),
	MANY("RDB_RSSTBL", TXGBE_RDB_RSSTBL(0), TXGBE_RSS_TABLE_ENTRIES / 4),
	MANY("RDB_RSSRK", TXGBE_RDB_RSSRK(0), TXGBE_RSS_KEY_BYTES / 4),
	ONE("RDB_RA_CTL", TXGBE_RDB_RA_CTL),

	/* Firmware (reference 02); not the mailboxes, see the trace of src/hw/fw.c */
	ONE("MNG_SWFW_SYNC", TXGBE_MNG_SWFW_SYNC),
	ONE("SW2FW_MBOX_CMD", TXGBE_SW2FW_MBOX_CMD),

	/* Rings (reference 11, 12) */
	RX_RING("PX_RR_BAL", TXGBE_PX_RR_BAL(0)),
	RX_RING("PX_RR_BAH", TXGBE_PX_RR_BAH(0)),
	RX_RING("PX_RR_WP", TXGBE_PX_RR_WP(0)),
	RX_RING("PX_RR_RP", TXGBE_PX_RR_RP(0)),
	RX_RING("PX_RR_CFG", TXGBE_PX_RR_CFG(0)),
	TX_RING("PX_TR_BAL", TXGBE_PX_TR_BAL(0)),
	TX_RING("PX_TR_BAH", TXGBE_PX_TR_BAH(0)),
	TX_RING("PX_TR_WP", TXGBE_PX_TR_WP(0)),
	TX_RING("PX_TR_RP", TXGBE_PX_TR_RP(0)),
	TX_RING("PX_TR_CFG", TXGBE_PX_TR_CFG(0)),
	TX_RING("PX_TR_HEAD_ADDRL", TXGBE_PX_TR_HEAD_ADDRL(0)),
	TX_RING("PX_TR_HEAD_ADDRH", TXGBE_PX_TR_HEAD_ADDRH(0)),
};

/**
 * txgbe_regdump_count() - how many registers a dump has
 *
 * Context: Any.
 * Return: number of registers, the same at every call.
 */
u32 txgbe_regdump_count(void)
{
	u32 count = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_reg_ranges); i++)
		count += txgbe_reg_ranges[i].count;
	return count;
}

/**
 * txgbe_regdump_read() - read the registers of a dump
 * @fd: device, in any state, perhaps gone
 * @regs: txgbe_regdump_count() elements, filled in a fixed order
 *
 * Reading changes nothing in the device. The registers are not a snapshot of
 * one moment.
 *
 * Context: Any; takes about a microsecond for each register.
 */
void txgbe_regdump_read(struct txgbe_dev *fd, struct txgbe_reg *regs)
{
	const struct txgbe_reg_range *range;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(txgbe_reg_ranges); i++) {
		range = &txgbe_reg_ranges[i];
		for (k = 0; k < range->count; k++, regs++) {
			regs->offset = range->start + k * range->stride;
			regs->value = txgbe_rd32(fd, regs->offset);
		}
	}
}

/**
 * txgbe_regdump_name() - name of a register of a dump
 * @idx: its place in the dump, 0..txgbe_regdump_count() - 1
 * @buf: for the name, "PSR_CTL" or "PX_ITR[3]"; empty if @idx is out of range
 * @size: bytes of @buf, 32 are enough
 *
 * Context: Any.
 */
void txgbe_regdump_name(u32 idx, char *buf, size_t size)
{
	const struct txgbe_reg_range *range;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_reg_ranges); i++) {
		range = &txgbe_reg_ranges[i];
		if (idx >= range->count) {
			idx -= range->count;
			continue;
		}
		if (range->count == 1)
			scnprintf(buf, size, "%s", range->name);
		else
			scnprintf(buf, size, "%s[%u]", range->name, idx);
		return;
	}
	if (size)
		*buf = '\0';
}

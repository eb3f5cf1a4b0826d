/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register offsets in BAR0 and their fields, one block per heading. 32-bit
 * little endian. Access kinds: RW, RO, WO, RC (reading clears), W1C, W1S, SC
 * (self clearing). Marks are those of the reference: U seen in use by the
 * in-tree driver, D only by DPDK, V/VA only by the vendor's, INF inferred.
 */
#ifndef TXGBE_HW_REGS_H
#define TXGBE_HW_REGS_H

#include <linux/bits.h>

/* ---- Host interface: interrupts (reference 10) ------------------------- */
#define TXGBE_PX_MISC_IC		0x00100	/* RC, W1C: TXGBE_MISC_* (U) */
#define TXGBE_PX_MISC_ICS		0x00104	/* WO, sets causes (V) */
#define TXGBE_PX_MISC_IEN		0x00108	/* RW, 1 enables a cause (U) */
#define TXGBE_PX_INTA			0x00110	/* WO, 1 releases INTx (U) */
#define TXGBE_PX_GPIE			0x00118	/* RW (U) */
#define TXGBE_PX_GPIE_MSIX		BIT(0)	/* mask a vector when its message is sent */
#define TXGBE_PX_IC(i)			(0x00120 + 4 * (i))	/* RC, W1C; i 0..1 (U) */
#define TXGBE_PX_ICS(i)			(0x00130 + 4 * (i))	/* WO, triggers vectors (D, V) */
#define TXGBE_PX_IMS(i)			(0x00140 + 4 * (i))	/* W1: masks vectors (U) */
#define TXGBE_PX_IMC(i)			(0x00150 + 4 * (i))	/* W1: unmasks vectors (U) */
#define TXGBE_PX_ISB_ADDR_L		0x00160	/* RW, DMA address of struct txgbe_isb (U) */
#define TXGBE_PX_ISB_ADDR_H		0x00164
#define TXGBE_PX_TRANSACTION_PENDING	0x00168	/* RO, non-zero while DMA is outstanding (U) */
#define TXGBE_PX_ITRSEL			0x00180	/* RW, per-VF moderation (U) */
#define TXGBE_PX_ITR(v)			(0x00200 + 4 * (v))	/* RW, v 0..63 (U) */
#define TXGBE_PX_ITR_INTERVAL		GENMASK(11, 0)	/* units of TXGBE_PX_ITR_UNIT_US */
#define TXGBE_PX_ITR_UNIT_US		2	/* INF from in-tree values */
#define TXGBE_PX_ITR_CNT_WDIS		BIT(31)	/* leave the running counter alone */
#define TXGBE_PX_PF_BME			0x004b8	/* RW, after every LAN reset (U) */
#define TXGBE_PX_PF_BME_ENABLE		BIT(0)
#define TXGBE_PX_MISC_IVAR		0x004fc	/* RW, one TXGBE_IVAR_* byte (U) */
#define TXGBE_PX_IVAR(k)		(0x00500 + 4 * (k))	/* RW, queues 2k and 2k+1 (U) */
#define TXGBE_IVAR_VALID		BIT(7)
#define TXGBE_IVAR_VECTOR		GENMASK(6, 0)
#define TXGBE_IVAR_SHIFT(q, tx)		(16 * ((q) & 1) + 8 * !!(tx))

#define TXGBE_MISC_LINK_DOWN		BIT(8)
#define TXGBE_MISC_DEV_RESET		BIT(10)	/* the chip is being reset */
#define TXGBE_MISC_TIMESYNC		BIT(11)
#define TXGBE_MISC_LINK_UP		BIT(18)
#define TXGBE_MISC_AUTONEG		BIT(19)
#define TXGBE_MISC_INTEGRITY		BIT(20)
#define TXGBE_MISC_GPIO			BIT(26)

#define TXGBE_MAX_QUEUES		63	/* one vector is left for the misc causes */
#define TXGBE_NR_TX_RINGS		128
#define TXGBE_HW_QUEUES			128

/* ---- Receive rings (reference 12), i 0..127 ---------------------------- */
#define TXGBE_PX_RR_BAL(i)		(0x01000 + 0x40 * (i))	/* RW (U) */
#define TXGBE_PX_RR_BAH(i)		(0x01004 + 0x40 * (i))
#define TXGBE_PX_RR_WP(i)		(0x01008 + 0x40 * (i))	/* RW, doorbell */
#define TXGBE_PX_RR_RP(i)		(0x0100c + 0x40 * (i))	/* RW while off */
#define TXGBE_PX_RR_CFG(i)		(0x01010 + 0x40 * (i))	/* RW */
#define TXGBE_PX_RR_CFG_EN		BIT(0)
#define TXGBE_PX_RR_CFG_SIZE		GENMASK(6, 1)	/* descriptors / 128, 0 = 8192 */
#define TXGBE_PX_RR_CFG_BUF_SZ		GENMASK(11, 8)	/* KiB */
#define TXGBE_PX_RR_CFG_HDR_SZ		GENMASK(15, 12)	/* 64 bytes */
#define TXGBE_PX_RR_CFG_THER		GENMASK(18, 16)	/* write-back threshold */
#define TXGBE_PX_RR_CFG_DESC_MERGE	BIT(19)
#define TXGBE_PX_RR_CFG_SPLIT		BIT(26)
#define TXGBE_PX_RR_CFG_DROP_EN		BIT(30)
#define TXGBE_PX_RR_CFG_VLAN_STRIP	BIT(31)
#define TXGBE_PX_MPRC(i)		(0x01020 + 0x40 * (i))	/* wraps, write 0 clears (U) */

/* ---- Transmit rings (reference 11), i 0..127 --------------------------- */
#define TXGBE_PX_TR_BAL(i)		(0x03000 + 0x40 * (i))	/* RW (U) */
#define TXGBE_PX_TR_BAH(i)		(0x03004 + 0x40 * (i))
#define TXGBE_PX_TR_WP(i)		(0x03008 + 0x40 * (i))	/* RW, doorbell */
#define TXGBE_PX_TR_RP(i)		(0x0300c + 0x40 * (i))	/* RW while off */
#define TXGBE_PX_TR_CFG(i)		(0x03010 + 0x40 * (i))	/* RW */
#define TXGBE_PX_TR_CFG_EN		BIT(0)
#define TXGBE_PX_TR_CFG_SIZE		GENMASK(6, 1)	/* descriptors / 128, 0 = 8192 */
#define TXGBE_PX_TR_CFG_WTHRESH		GENMASK(24, 16)
#define TXGBE_PX_TR_CFG_WTHRESH_DEFAULT	0x20	/* U */
#define TXGBE_PX_TR_CFG_SWFLSH		BIT(26)	/* SC: flush withheld write-backs */
#define TXGBE_PX_TR_CFG_HEAD_WB		BIT(27)
#define TXGBE_PX_TR_HEAD_ADDRL(i)	(0x03028 + 0x40 * (i))	/* RW, where the head is written */
#define TXGBE_PX_TR_HEAD_ADDRH(i)	(0x0302c + 0x40 * (i))

/* ---- MIS: reset and status (reference 01), shared by both ports -------- */
#define TXGBE_MIS_PWR			0x10000	/* read to flush posted writes (U) */
#define TXGBE_MIS_RST			0x1000c	/* W1S, SC (U) */
#define TXGBE_MIS_RST_LAN(lan)		(BIT(1) << (lan))
#define TXGBE_MIS_RST_MAC(lan)		((lan) ? BIT(17) : BIT(20))
#define TXGBE_MIS_PRB_CTL		0x10010	/* RW (U) */
#define TXGBE_MIS_PRB_CTL_UP(lan)	BIT(1 - (lan))
#define TXGBE_MIS_ST			0x10028	/* RO (U) */
#define TXGBE_MIS_ST_MNG_INIT_DN	BIT(0)	/* firmware is up */
#define TXGBE_MIS_RST_ST		0x10030	/* RW (U) */
#define TXGBE_MIS_RST_ST_RST_INIT	GENMASK(15, 8)	/* 100 ms */
#define TXGBE_MIS_RST_ST_PENDING	GENMASK(20, 19)	/* asked for, under way (D, V) */

/* ---- FMGR: flash (reference 03), shared -------------------------------- */
#define TXGBE_SPI_CMD			0x10104	/* RW (U) */
#define TXGBE_SPI_CMD_ADDR		GENMASK(23, 0)	/* bytes */
#define TXGBE_SPI_CMD_CLK		GENMASK(27, 25)	/* divider, 3 (U) */
#define TXGBE_SPI_CMD_OP		GENMASK(30, 28)
#define TXGBE_SPI_CMD_OP_READ		1	/* one dword */
#define TXGBE_SPI_DATA			0x10108	/* RW (U) */
#define TXGBE_SPI_STATUS		0x1010c	/* RO (U) */
#define TXGBE_SPI_STATUS_OPDONE		BIT(0)
#define TXGBE_SPI_STATUS_BYPASS		BIT(31)	/* no flash fitted */
#define TXGBE_SPI_ILDR_STATUS		0x10120	/* RO, 0 = loaded (U) */
#define TXGBE_SPI_ILDR_PERST		BIT(0)
#define TXGBE_SPI_ILDR_PWRRST		BIT(1)
#define TXGBE_SPI_ILDR_SW		BIT(7)	/* D, V */
#define TXGBE_SPI_ILDR_LAN(lan)		(BIT(9) << (lan))
#define TXGBE_FLASH_SUBSYS_ID		0xfffdc	/* flash address, high byte first */

/* ---- Temperature sensor (reference 06, Amber-Lite layout: D, VA), shared */
#define TXGBE_TS_CTL1			0x10330	/* RW */
#define TXGBE_TS_CTL1_ALARM		GENMASK(28, 17)	/* threshold, sensor code */
#define TXGBE_TS_CTL1_RELEASE		GENMASK(16, 5)	/* threshold, sensor code */
#define TXGBE_TS_ENA			0x10338	/* RW */
#define TXGBE_TS_ENA_ENABLE		BIT(0)
#define TXGBE_TS_STS			0x1033c	/* RO */
#define TXGBE_TS_STS_CODE		GENMASK(11, 0)
#define TXGBE_TS_STS_VALID		BIT(12)

/* ---- MAC (reference 04, 05) -------------------------------------------- */
#define TXGBE_MAC_TX_CFG		0x11000	/* RW (U) */
#define TXGBE_MAC_TX_CFG_TE		BIT(0)
#define TXGBE_MAC_TX_CFG_SPEED		GENMASK(30, 27)
#define TXGBE_MAC_TX_CFG_SPEED_40G	0
#define TXGBE_MAC_TX_CFG_SPEED_25G	2
#define TXGBE_MAC_TX_CFG_SPEED_10G	8
#define TXGBE_MAC_RX_CFG		0x11004	/* RW (U) */
#define TXGBE_MAC_RX_CFG_RE		BIT(0)
#define TXGBE_MAC_RX_CFG_JE		BIT(8)	/* jumbo frames */
#define TXGBE_MAC_RX_CFG_LM		BIT(10)	/* loopback, Tx to Rx (D, V) */
#define TXGBE_MAC_PKT_FLT		0x11008	/* RW (U) */
#define TXGBE_MAC_PKT_FLT_PR		BIT(0)	/* MAC passes all, PSR filters */
#define TXGBE_MAC_WDG_TIMEOUT		0x1100c	/* RW (U) */
#define TXGBE_MAC_RX_FLOW_CTRL		0x11090	/* RW (U) */
#define TXGBE_MAC_RX_FLOW_CTRL_RFE	BIT(0)	/* honour pause frames */
#define TXGBE_MAC_MISC_CTL		0x11f00	/* RW (U) */
#define TXGBE_MAC_MISC_CTL_LINK_BOTH	BIT(0)	/* link up needs PCS and MAC */

/* MAC counters. 64-bit ones: low half here, high half at +4, read low first. */
#define TXGBE_MMC_CONTROL		0x11800	/* RW (U) */
#define TXGBE_MMC_CONTROL_RSTONRD	BIT(2)	/* counters clear on read */
#define TXGBE_MMC_TX_OCTETS		0x11814	/* RC 64: good and bad (D, name only) */
#define TXGBE_MMC_TX_FRAMES		0x1181c	/* RC 64: good and bad (U) */
#define TXGBE_MMC_TX_BCAST		0x11824	/* RC 64 (U) */
#define TXGBE_MMC_TX_MCAST		0x1182c	/* RC 64 (U) */
#define TXGBE_MMC_TX_SIZE(i)		(0x11834 + 8 * (i))	/* RC 64, i 0..5 (D) */
#define TXGBE_MMC_RX_FRAMES		0x11900	/* RC 64: good and bad (U) */
#define TXGBE_MMC_RX_OCTETS		0x11908	/* RC 64: good and bad (D) */
#define TXGBE_MMC_RX_BCAST		0x11918	/* RC 64 (U) */
#define TXGBE_MMC_RX_MCAST		0x11920	/* RC 64 (U) */
#define TXGBE_MMC_RX_CRC_ERR		0x11928	/* RC 64 (U) */
#define TXGBE_MMC_RX_JABBER		0x11934	/* RC 32 (D) */
#define TXGBE_MMC_RX_UNDERSIZE		0x11938	/* RC 32 (U) */
#define TXGBE_MMC_RX_OVERSIZE		0x1193c	/* RC 32 (U) */
#define TXGBE_MMC_RX_SIZE(i)		(0x11940 + 8 * (i))	/* RC 64, i 0..5 (D) */
#define TXGBE_MMC_RX_LEN_ERR		0x11978	/* RC 64 (U) */
/* Frame sizes SIZE(i) counts: 1-64, 65-127, 128-255, 256-511, 512-1023, more. */
#define TXGBE_MMC_SIZES			6
#define TXGBE_MAC_LXOFFRXC		0x11f80	/* runs free, write 0 clears (U) */
#define TXGBE_MAC_LXONRXC		0x11f84	/* runs free, write 0 clears (U) */

/* ---- RDM: receive DMA (reference 12) ----------------------------------- */
#define TXGBE_RDM_RSC_CTL		0x1200c	/* RW (U) */
#define TXGBE_RDM_RSC_CTL_FREE_CTL	BIT(7)	/* after every LAN reset */
#define TXGBE_RDM_RSC_CTL_FREE_CNT_DIS	BIT(8)	/* clear when descriptors are merged */
#define TXGBE_BME_CTL			0x12020	/* RW, 3 while stopping (U, opaque) */
#define TXGBE_BME_CTL_STOP		3
#define TXGBE_RDM_DCACHE_CTL		0x120a8	/* RW (U) */
#define TXGBE_RDM_DCACHE_CTL_EN		BIT(0)
#define TXGBE_RDM_DRP_PKT		0x12500	/* RC 32: no free descriptor (U) */
#define TXGBE_RDM_PKT_CNT		0x12504	/* RC 32 (U) */
#define TXGBE_RDM_BYTE_CNT		0x12508	/* RC 64 (U) */

/* ---- CFG: port (reference 04, 13) -------------------------------------- */
#define TXGBE_CFG_PORT_CTL		0x14400	/* RW (U) */
#define TXGBE_CFG_PORT_CTL_D_VLAN	BIT(0)
#define TXGBE_CFG_PORT_CTL_QINQ		BIT(2)
#define TXGBE_CFG_PORT_CTL_DRV_LOAD	BIT(3)	/* a driver owns the port */
#define TXGBE_CFG_PORT_CTL_FORCE_LKUP	BIT(4)	/* link up whatever the PHY says (D, V) */
#define TXGBE_CFG_PORT_CTL_NUM_VT	GENMASK(13, 12)
#define TXGBE_CFG_PORT_CTL_PFRSTD	BIT(14)	/* reset done, VFs may go on */
#define TXGBE_CFG_PORT_ST		0x14404	/* RO (U) */
#define TXGBE_CFG_PORT_ST_UP		BIT(0)
#define TXGBE_CFG_PORT_ST_40G		BIT(2)
#define TXGBE_CFG_PORT_ST_25G		BIT(3)
#define TXGBE_CFG_PORT_ST_10G		BIT(4)
#define TXGBE_CFG_PORT_ST_LAN_ID	GENMASK(9, 8)
#define TXGBE_CFG_VXLAN			0x14410	/* RW, UDP port, 0 = none (U) */
#define TXGBE_CFG_VXLAN_GPE		0x14414
#define TXGBE_CFG_GENEVE		0x14418
#define TXGBE_TUNNEL_PORTS		3
#define TXGBE_CFG_LED_CTL		0x14424	/* RW, 0: the hardware drives the LEDs (D, V) */
#define TXGBE_CFG_LED_CTL_OVERRIDE	GENMASK(5, 0)	/* link, 50G, 40G, 25G, 10G, activity */
#define TXGBE_CFG_LED_CTL_LEVEL		GENMASK(21, 16)	/* on or off while overridden */
#define TXGBE_CFG_TAG_TPID(i)		(0x14430 + 4 * (i))	/* RW, two TPIDs each, i 0..3 (U) */
#define TXGBE_CFG_TAG_TPID_EVEN		GENMASK(15, 0)
#define TXGBE_CFG_TAG_TPID_ODD		GENMASK(31, 16)
#define TXGBE_TPID_IDX_8021Q		0	/* where filter.c puts them, see U */
#define TXGBE_TPID_IDX_8021AD		1

/* ---- GPIO (reference 04 section 6) ------------------------------------- */
#define TXGBE_GPIO_DR			0x14800	/* RW, output levels (U) */
#define TXGBE_GPIO_INTEN		0x14830	/* RW (U) */
#define TXGBE_GPIO_INTMASK		0x14834	/* RW, 1 masks (U) */
#define TXGBE_GPIO_INTTYPE_LEVEL	0x14838	/* RW, 1 = edge (U) */
#define TXGBE_GPIO_POLARITY		0x1483c	/* RW, 1 = rising */
#define TXGBE_GPIO_RAW_INTSTATUS	0x14844	/* RO (U) */
#define TXGBE_GPIO_EOI			0x1484c	/* W1C (U) */
#define TXGBE_GPIO_EXT			0x14850	/* RO, pin levels (U) */
#define TXGBE_GPIO_TX_DISABLE		BIT(1)	/* SFP boards: 1 = laser off */
#define TXGBE_GPIO_SFP_ABSENT		BIT(2)	/* SFP boards: 1 = no module */
#define TXGBE_GPIO_RX_LOS		BIT(3)	/* SFP boards: 1 = no signal */
#define TXGBE_GPIO_QSFP_ABSENT		BIT(4)	/* QSFP boards: 1 = no module */

/* ---- PSR: parser and L2 filters (reference 13) ------------------------- */
#define TXGBE_PSR_CTL			0x15000	/* RW (U) */
#define TXGBE_PSR_CTL_MO		GENMASK(6, 5)	/* which 12 address bits are hashed */
#define TXGBE_PSR_CTL_MFE		BIT(7)	/* multicast hash filter */
#define TXGBE_PSR_CTL_MPE		BIT(8)	/* all multicast */
#define TXGBE_PSR_CTL_UPE		BIT(9)	/* all unicast */
#define TXGBE_PSR_CTL_BAM		BIT(10)	/* broadcast */
#define TXGBE_PSR_CTL_PCSD		BIT(13)	/* hash, not checksum, in descriptors */
#define TXGBE_PSR_CTL_RSC_DIS		BIT(16)
#define TXGBE_PSR_CTL_RSC_ACK		BIT(17)
#define TXGBE_PSR_CTL_SW_EN		BIT(18)	/* internal Tx to Rx switch */
#define TXGBE_PSR_MAX_SZ		0x15020	/* RW, frame bytes with FCS and one tag (U) */
#define TXGBE_PSR_MAX_SZ_MIN		1518
#define TXGBE_PSR_VLAN_CTL		0x15088	/* RW (U) */
#define TXGBE_PSR_VLAN_CTL_CFIEN	BIT(29)
#define TXGBE_PSR_VLAN_CTL_VFE		BIT(30)	/* filter by the VLAN table */
#define TXGBE_PSR_MC_TBL(i)		(0x15200 + 4 * (i))	/* RW, i 0..127 (U) */
#define TXGBE_PSR_UC_TBL(i)		(0x15400 + 4 * (i))	/* RW, i 0..127 (U) */
#define TXGBE_PSR_VM_L2CTL(p)		(0x15600 + 4 * (p))	/* RW, p 0..63 (U) */
#define TXGBE_PSR_VM_L2CTL_UPE		BIT(4)
#define TXGBE_PSR_VM_L2CTL_VACC		BIT(6)
#define TXGBE_PSR_VM_L2CTL_AUPE		BIT(8)
#define TXGBE_PSR_VM_L2CTL_ROMPE	BIT(9)
#define TXGBE_PSR_VM_L2CTL_ROPE		BIT(10)
#define TXGBE_PSR_VM_L2CTL_BAM		BIT(11)
#define TXGBE_PSR_VM_L2CTL_MPE		BIT(12)
#define TXGBE_PSR_MNG_FLEX_SEL		0x1582c	/* RW, 0 after reset (U, erratum) */
#define TXGBE_PSR_MNG_FLEX_DW_L(i)	(0x15a00 + 0x10 * (i))	/* RW, i 0..15 */
#define TXGBE_PSR_MNG_FLEX_DW_H(i)	(0x15a04 + 0x10 * (i))
#define TXGBE_PSR_MNG_FLEX_MSK(i)	(0x15a08 + 0x10 * (i))
#define TXGBE_PSR_WKUP_CTL		0x15b80	/* RW: what wakes the machine (U, V) */
#define TXGBE_PSR_WKUP_CTL_MAGIC	BIT(1)
#define TXGBE_PSR_WKUP_CTL_FW_RST	BIT(31)	/* stay armed over a firmware reset (V) */
#define TXGBE_PSR_LAN_FLEX_SEL		0x15b8c	/* RW, 0 after reset (U, erratum) */
#define TXGBE_PSR_LAN_FLEX_DW_L(i)	(0x15c00 + 0x10 * (i))	/* RW, i 0..15 */
#define TXGBE_PSR_LAN_FLEX_DW_H(i)	(0x15c04 + 0x10 * (i))
#define TXGBE_PSR_LAN_FLEX_MSK(i)	(0x15c08 + 0x10 * (i))
#define TXGBE_PSR_1588_MSG		0x15120	/* RW (U) */
#define TXGBE_PSR_1588_MSG_V1_TYPE	GENMASK(7, 0)
#define TXGBE_PSR_1588_MSG_V1_SYNC	0
#define TXGBE_PSR_1588_MSG_V1_DELAY_REQ	1
#define TXGBE_PSR_1588_MSG_UDP_PORT	GENMASK(31, 16)
#define TXGBE_PSR_ETYPE_SWC(i)		(0x15128 + 4 * (i))	/* RW, i 0..7 (U) */
#define TXGBE_PSR_ETYPE_SWC_PTP		3	/* slot the in-tree driver uses for PTP */
#define TXGBE_PSR_ETYPE_SWC_TYPE	GENMASK(15, 0)
#define TXGBE_PSR_ETYPE_SWC_1588	BIT(30)
#define TXGBE_PSR_ETYPE_SWC_EN		BIT(31)
#define TXGBE_PSR_1588_CTL		0x15188	/* RW, receive time stamps (U) */
#define TXGBE_PSR_1588_CTL_VALID	BIT(0)	/* RO, one is latched */
#define TXGBE_PSR_1588_CTL_TYPE		GENMASK(3, 1)
#define TXGBE_PSR_1588_CTL_TYPE_V1	1	/* UDP, one kind of message of version 1 */
#define TXGBE_PSR_1588_CTL_TYPE_V2	5	/* event messages of version 2, all transports */
#define TXGBE_PSR_1588_CTL_EN		BIT(4)
#define TXGBE_PSR_1588_STMPH		0x151a4	/* RO, reading releases the latch (U) */
#define TXGBE_PSR_1588_STMPL		0x151e8	/* RO (U) */
#define TXGBE_PSR_VLAN_TBL(i)		(0x16000 + 4 * (i))	/* RW, i 0..127 (U) */
#define TXGBE_PSR_MAC_SWC_AD_L		0x16200	/* RW, banked by IDX (U) */
#define TXGBE_PSR_MAC_SWC_AD_H		0x16204
#define TXGBE_PSR_MAC_SWC_AD_H_ADDR	GENMASK(15, 0)	/* bytes 0 and 1 of the address */
#define TXGBE_PSR_MAC_SWC_AD_H_ADTYPE	BIT(30)
#define TXGBE_PSR_MAC_SWC_AD_H_AV	BIT(31)	/* entry is valid */
#define TXGBE_PSR_MAC_SWC_VM_L		0x16208	/* RW, pools 31:0 */
#define TXGBE_PSR_MAC_SWC_VM_H		0x1620c	/* RW, pools 63:32 */
#define TXGBE_PSR_MAC_SWC_IDX		0x16210	/* RW, 0..127 */
#define TXGBE_PSR_VLAN_SWC		0x16220	/* RW, banked by IDX (U) */
#define TXGBE_PSR_VLAN_SWC_VM_L		0x16224
#define TXGBE_PSR_VLAN_SWC_VM_H		0x16228
#define TXGBE_PSR_VLAN_SWC_IDX		0x16230	/* RW, 0..63 */

#define TXGBE_MAC_ADDR_SLOTS		128	/* slot 0 is the port's own address */
#define TXGBE_MC_TBL_WORDS		128
#define TXGBE_VLAN_TBL_WORDS		128
#define TXGBE_VLAN_SWC_SLOTS		64
#define TXGBE_FLEX_FILTERS		16

/* ---- RSC / TSC: gates of the receive and transmit path ----------------- */
#define TXGBE_RSC_CTL			0x17000	/* RW (U) */
#define TXGBE_RSC_CTL_RX_DIS		BIT(1)
#define TXGBE_RSC_CTL_CRC_STRIP		BIT(2)
#define TXGBE_RSC_ST			0x17004	/* RO (U) */
#define TXGBE_RSC_ST_RDY		BIT(0)	/* path drained */
#define TXGBE_TSC_CTL			0x1d000	/* RW (U) */
#define TXGBE_TSC_CTL_TX_DIS		BIT(1)
#define TXGBE_TSC_BUF_AE		0x1d00c	/* RW (U) */
#define TXGBE_TSC_BUF_AE_THR		GENMASK(9, 0)
#define TXGBE_TSC_BUF_AE_DEFAULT	0x10

/* ---- TDM / TDB: transmit DMA and buffer (reference 11) ----------------- */
#define TXGBE_TDM_CTL			0x18000	/* RW (U) */
#define TXGBE_TDM_CTL_TE		BIT(0)	/* before any ring is enabled */
#define TXGBE_TDM_PB_THRE(tc)		(0x18020 + 4 * (tc))	/* RW, KiB (U) */
#define TXGBE_TDM_PKT_CNT		0x18308	/* RC 32 (U) */
#define TXGBE_TDM_BYTE_CNT		0x1830c	/* RC 64 (U) */
#define TXGBE_TDB_PB_SZ(tc)		(0x1cc00 + 4 * (tc))	/* RW, bytes (U) */
#define TXGBE_TX_BUFFER_KIB		160
#define TXGBE_TX_MAX_PACKET_KIB		10

/* ---- RDB: receive buffer, flow control, RSS (reference 12..14) --------- */
#define TXGBE_RDB_PB_CTL		0x19000	/* RW (U) */
#define TXGBE_RDB_PB_CTL_RXEN		BIT(31)
#define TXGBE_RDB_PB_SZ(tc)		(0x19020 + 4 * (tc))	/* RW (U) */
#define TXGBE_RDB_PB_SZ_KIB		GENMASK(19, 10)
#define TXGBE_RX_BUFFER_KIB		512	/* U; DPDK says 768: the smaller is safe */
#define TXGBE_RDB_MPCNT(tc)		(0x19040 + 4 * (tc))	/* RC 32 (D, V) */
#define TXGBE_RDB_RFCV(i)		(0x19200 + 4 * (i))	/* RW, i 0..3: 2 pause times (U) */
#define TXGBE_RDB_RFCV_MAX		0xffffffff
#define TXGBE_RDB_PFCMACDAL		0x19210	/* RW (U) */
#define TXGBE_RDB_PFCMACDAH		0x19214
#define TXGBE_RDB_PFCMACDAL_VALUE	0xc2000001	/* 01:80:c2:00:00:01 */
#define TXGBE_RDB_PFCMACDAH_VALUE	0x0180
#define TXGBE_RDB_LXOFFTXC		0x19218	/* RC 32 (U) */
#define TXGBE_RDB_LXONTXC		0x1921c	/* RC 32 (U) */
#define TXGBE_RDB_RFCL(tc)		(0x19220 + 4 * (tc))	/* RW (U) */
#define TXGBE_RDB_RFCL_LOW_KIB		GENMASK(18, 10)
#define TXGBE_RDB_RFCL_XONE		BIT(31)
#define TXGBE_RDB_RFCH(tc)		(0x19260 + 4 * (tc))	/* RW (U) */
#define TXGBE_RDB_RFCH_HIGH_KIB		GENMASK(18, 10)
#define TXGBE_RDB_RFCH_XOFFE		BIT(31)
#define TXGBE_RDB_RFCH_OFF_MARGIN_BYTES	24576	/* U: high mark when pause is off */
#define TXGBE_RDB_RFCRT			0x192a0	/* RW, refresh threshold (U) */
#define TXGBE_RDB_RFCRT_HALF		0x7fff	/* half of the longest pause time */
#define TXGBE_RDB_RFCC			0x192a4	/* RW (U) */
#define TXGBE_RDB_RFCC_PAUSE		BIT(3)	/* send 802.3x pause frames */
#define TXGBE_RDB_PL_CFG(p)		(0x19300 + 4 * (p))	/* RW, p 0..63 (U) */
#define TXGBE_RDB_PL_CFG_HDRS		GENMASK(5, 1)	/* headers the parser may look at */
#define TXGBE_RDB_PL_CFG_POOL		GENMASK(31, 29)	/* log2 of queues per pool */
#define TXGBE_RDB_RSSTBL(i)		(0x19400 + 4 * (i))	/* RW, i 0..31: four entries (U) */
#define TXGBE_RDB_RSSRK(i)		(0x19480 + 4 * (i))	/* RW, i 0..9 (U) */
#define TXGBE_RDB_RA_CTL		0x194f4	/* RW (U) */
#define TXGBE_RDB_RA_CTL_MULTI_RSS	BIT(0)	/* per-pool tables */
#define TXGBE_RDB_RA_CTL_RSS_EN		BIT(2)
#define TXGBE_RDB_RA_CTL_FIELDS		GENMASK(23, 16)	/* TXGBE_RSS_FIELD_* */
#define TXGBE_RSS_FIELD_IPV4_TCP	BIT(16)
#define TXGBE_RSS_FIELD_IPV4		BIT(17)
#define TXGBE_RSS_FIELD_IPV4_SCTP	BIT(18)
#define TXGBE_RSS_FIELD_IPV6_SCTP	BIT(19)
#define TXGBE_RSS_FIELD_IPV6		BIT(20)
#define TXGBE_RSS_FIELD_IPV6_TCP	BIT(21)
#define TXGBE_RSS_FIELD_IPV4_UDP	BIT(22)
#define TXGBE_RSS_FIELD_IPV6_UDP	BIT(23)
#define TXGBE_RSS_TABLE_ENTRIES		128
#define TXGBE_RSS_KEY_BYTES		40

/* Flow director (reference 13 section 10) */
#define TXGBE_RDB_FDIR_CTL		0x19500	/* RW (U) */
#define TXGBE_RDB_FDIR_CTL_MEM		GENMASK(1, 0)	/* 1: 64 KiB of the packet buffer */
#define TXGBE_RDB_FDIR_CTL_INIT_DONE	BIT(3)	/* RO */
#define TXGBE_RDB_FDIR_CTL_PERFECT	BIT(4)
#define TXGBE_RDB_FDIR_CTL_DROP_QUEUE	GENMASK(14, 8)
#define TXGBE_RDB_FDIR_CTL_HASH_BITS	GENMASK(23, 20)	/* 15 (U) */
#define TXGBE_RDB_FDIR_CTL_MAX_LENGTH	GENMASK(27, 24)	/* of a bucket, 10 (U) */
#define TXGBE_RDB_FDIR_CTL_FULL_THRESH	GENMASK(31, 28)	/* 4 (U) */
#define TXGBE_RDB_FDIR_IP6(i)		(0x1950c + 4 * (i))	/* RW, i 0..2, 2 first (U) */
#define TXGBE_RDB_FDIR_SA		0x19518	/* RW, IPv4, or last word of IPv6 (U) */
#define TXGBE_RDB_FDIR_DA		0x1951c	/* RW (U) */
#define TXGBE_RDB_FDIR_PORT		0x19520	/* RW (U) */
#define TXGBE_RDB_FDIR_PORT_SRC		GENMASK(15, 0)
#define TXGBE_RDB_FDIR_PORT_DST		GENMASK(31, 16)
#define TXGBE_RDB_FDIR_FLEX		0x19524	/* RW (U) */
#define TXGBE_RDB_FDIR_FLEX_PTYPE	GENMASK(7, 0)	/* TXGBE_PTYPE_* */
#define TXGBE_RDB_FDIR_FLEX_BYTES	GENMASK(31, 16)
#define TXGBE_RDB_FDIR_HASH		0x19528	/* RW (U) */
#define TXGBE_RDB_FDIR_HASH_BUCKET	GENMASK(12, 0)	/* of a perfect filter */
#define TXGBE_RDB_FDIR_HASH_VALID	BIT(15)
#define TXGBE_RDB_FDIR_HASH_IDX		GENMASK(31, 16)	/* software's number of the filter */
#define TXGBE_RDB_FDIR_CMD		0x1952c	/* RW (U) */
#define TXGBE_RDB_FDIR_CMD_OP		GENMASK(1, 0)	/* SC */
#define TXGBE_RDB_FDIR_CMD_OP_ADD	1
#define TXGBE_RDB_FDIR_CMD_OP_REMOVE	2
#define TXGBE_RDB_FDIR_CMD_OP_QUERY	3
#define TXGBE_RDB_FDIR_CMD_FOUND	BIT(2)	/* RO, result of a query */
#define TXGBE_RDB_FDIR_CMD_UPDATE	BIT(3)
#define TXGBE_RDB_FDIR_CMD_DST6		BIT(4)	/* the IPv6 address is the destination's (D) */
#define TXGBE_RDB_FDIR_CMD_L4		GENMASK(6, 5)	/* 1 UDP, 2 TCP, 3 SCTP */
#define TXGBE_RDB_FDIR_CMD_IPV6		BIT(7)	/* D */
#define TXGBE_RDB_FDIR_CMD_DROP		BIT(9)
#define TXGBE_RDB_FDIR_CMD_LAST		BIT(11)
#define TXGBE_RDB_FDIR_CMD_QUEUE_EN	BIT(15)
#define TXGBE_RDB_FDIR_CMD_QUEUE	GENMASK(22, 16)
#define TXGBE_RDB_FDIR_DA4_MSK		0x1953c	/* RW, 1 ignores a bit (U) */
#define TXGBE_RDB_FDIR_SA4_MSK		0x19540	/* RW, 1 ignores a bit (U) */
#define TXGBE_RDB_FDIR_TCP_MSK		0x19544	/* RW, as FDIR_PORT, 1 ignores a bit (U) */
#define TXGBE_RDB_FDIR_UDP_MSK		0x19548
#define TXGBE_RDB_FDIR_MATCH		0x19558	/* RC 32 (U) */
#define TXGBE_RDB_FDIR_MISS		0x1955c	/* RC 32 (U) */
#define TXGBE_RDB_FDIR_SCTP_MSK		0x19560
#define TXGBE_RDB_FDIR_HKEY		0x19568	/* RW, key of the bucket (U) */
#define TXGBE_RDB_FDIR_HKEY_VALUE	0x3dad14e2
#define TXGBE_RDB_FDIR_SKEY		0x1956c	/* RW, key of the signature (U) */
#define TXGBE_RDB_FDIR_SKEY_VALUE	0x174d3614
#define TXGBE_RDB_FDIR_OTHER_MSK	0x19570	/* RW, 1 ignores (U) */
#define TXGBE_RDB_FDIR_OTHER_MSK_POOL	BIT(2)
#define TXGBE_RDB_FDIR_OTHER_MSK_L4	BIT(3)
#define TXGBE_RDB_FDIR_IP6_MSK		0x19574	/* RW, 1 ignores a byte (D) */
#define TXGBE_RDB_FDIR_IP6_MSK_SRC	GENMASK(15, 0)	/* which half is whose: INF */
#define TXGBE_RDB_FDIR_IP6_MSK_DST	GENMASK(31, 16)
#define TXGBE_RDB_FDIR_FLEX_CFG(i)	(0x19580 + 4 * (i))	/* RW, four pools each (U) */
#define TXGBE_FDIR_FLEX_BASE		GENMASK(1, 0)	/* of a pool's byte */
#define TXGBE_FDIR_FLEX_BASE_MAC	0
#define TXGBE_FDIR_FLEX_BASE_PAYLOAD	3
#define TXGBE_FDIR_FLEX_IGNORE		BIT(2)
#define TXGBE_FDIR_FLEX_OFFSET		GENMASK(7, 3)	/* 16-bit words from the base */
#define TXGBE_FDIR_FLEX_OFFSET_MAX	31
#define TXGBE_FDIR_FLEX_OFFSET_ETYPE	6
#define TXGBE_FDIR_MEM_KIB		64
#define TXGBE_FDIR_FILTERS		2046	/* perfect ones in 64 KiB (U) */

/* ---- MNG: firmware (reference 02) -------------------------------------- */
#define TXGBE_MNG_SWFW_SYNC		0x1e008	/* RW, shared by both ports (U) */
#define TXGBE_MNG_SWFW_SYNC_FLASH	BIT(3)	/* software owns the shadow RAM commands */
#define TXGBE_SW2FW_MBOX_CMD		0x1e0a0	/* RW (U) */
#define TXGBE_SW2FW_MBOX_CMD_VLD	BIT(31)	/* 0 to 1 is the doorbell */
#define TXGBE_SW2FW_MBOX(n)		(0x1e200 + 4 * (n))	/* RW, n 0..63 (U) */
#define TXGBE_FW2SW_MBOX(n)		(0x1e300 + 4 * (n))	/* RW, n 0..63 (U) */

#define TXGBE_BAR0_MIN_BYTES		0x20000

/* ---- Frame limits ------------------------------------------------------ */
#define TXGBE_MAX_FRAME_BYTES		9432	/* with header, FCS and one tag (U) */
#define TXGBE_FRAME_OVERHEAD_BYTES	22	/* Ethernet header 14, FCS 4, tag 4 */
#define TXGBE_FRAME_TAG_BYTES		4	/* a second tag */

/* ---- Clock and time stamps (reference 06 sections 1 to 4) --------------- */
#define TXGBE_TSC_1588_CTL		0x1d400	/* RW, transmit time stamps (U) */
#define TXGBE_TSC_1588_CTL_VALID	BIT(0)	/* RO, one is latched */
#define TXGBE_TSC_1588_CTL_EN		BIT(4)
#define TXGBE_TSC_1588_STMPL		0x1d404	/* RO, in units of SYSTIM (U) */
#define TXGBE_TSC_1588_STMPH		0x1d408	/* RO, reading releases the latch (U) */
#define TXGBE_TSC_1588_SYSTIML		0x1d40c	/* RW, counts from the last reset on (U) */
#define TXGBE_TSC_1588_SYSTIMH		0x1d410	/* RW (U) */
#define TXGBE_TSC_1588_SYSTIM_NS_SHIFT	21	/* counts 2^21 a nanosecond with INC_NOMINAL */
#define TXGBE_TSC_1588_INC		0x1d414	/* RW (U) */
#define TXGBE_TSC_1588_INC_ADD		GENMASK(23, 0)	/* added every PERIOD cycles of 2.5 ns */
#define TXGBE_TSC_1588_INC_NOMINAL	0xa00000
#define TXGBE_TSC_1588_INC_PERIOD	GENMASK(31, 24)
#define TXGBE_TSC_1588_INC_PERIOD_CYCLES 2
#define TXGBE_TSC_1588_INT_ST		0x1d420	/* which target time came (U) */
#define TXGBE_TSC_1588_INT_EN		0x1d424	/* RW (U) */
#define TXGBE_TSC_1588_INT_TT1		BIT(5)
#define TXGBE_TSC_1588_AUX_CTL		0x1d428	/* RW (U, V) */
#define TXGBE_TSC_1588_AUX_CTL_TT0	BIT(0)
#define TXGBE_TSC_1588_AUX_CTL_PULSE	BIT(1)
#define TXGBE_TSC_1588_AUX_CTL_TT1	BIT(2)
#define TXGBE_TSC_1588_AUX_CTL_TS0	BIT(8)
#define TXGBE_TSC_1588_TRGT_L(i)	(0x1d42c + 8 * (i))	/* RW, i 0..1 (U) */
#define TXGBE_TSC_1588_TRGT_H(i)	(0x1d430 + 8 * (i))
#define TXGBE_TSC_1588_SDP(i)		(0x1d45c + 4 * (i))	/* RW, i 0..3: a pin (U) */
#define TXGBE_TSC_1588_SDP_TT0		1
#define TXGBE_TSC_1588_SDP_TS0		5

#endif /* TXGBE_HW_REGS_H */

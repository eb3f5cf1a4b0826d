/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptors and the interrupt status block, as they lie in host memory
 * (reference 10 section 6, 11 section 4, 12 sections 3 and 4).
 */
#ifndef TXGBE_HW_DESC_H
#define TXGBE_HW_DESC_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

/* Ring geometry, both directions: 128..8192 descriptors in steps of 128. */
#define TXGBE_RING_MIN_DESC		128
#define TXGBE_RING_MAX_DESC		8192
#define TXGBE_RING_STEP_DESC		128
#define TXGBE_RING_DEFAULT_DESC		512

/* ---- Transmit: data descriptor ---------------------------------------- */
struct txgbe_tx_data_desc {
	__le64 addr;		/* byte granular DMA address */
	__le32 cmd_len;		/* TXGBE_TXD_* */
	__le32 status;		/* TXGBE_TXD_STA_*; in the first descriptor only */
};

#define TXGBE_TXD_LEN			GENMASK(15, 0)	/* bytes in this buffer */
#define TXGBE_TXD_MAX_LEN		0x4000		/* largest buffer seen in use */
#define TXGBE_TXD_TSTAMP		BIT(19)	/* latch a transmit time stamp */
#define TXGBE_TXD_CTXT			BIT(20)	/* context descriptor, see below */
#define TXGBE_TXD_EOP			BIT(24)	/* last of the packet */
#define TXGBE_TXD_IFCS			BIT(25)	/* append FCS; always set */
#define TXGBE_TXD_LINKSEC		BIT(26)
#define TXGBE_TXD_RS			BIT(27)	/* report status; set with EOP */
#define TXGBE_TXD_VLE			BIT(30)	/* insert the context's VLAN tag */
#define TXGBE_TXD_TSE			BIT(31)	/* segment */

#define TXGBE_TXD_STA_DD		BIT(0)	/* written back in DD mode */
#define TXGBE_TXD_STA_IDX		BIT(4)	/* context slot */
#define TXGBE_TXD_STA_CC		BIT(7)	/* a context applies */
#define TXGBE_TXD_STA_IPSEC		BIT(8)
#define TXGBE_TXD_STA_L4CS		BIT(9)	/* insert the (inner) L4 checksum */
#define TXGBE_TXD_STA_IIPCS		BIT(10)	/* insert the inner-most IPv4 checksum */
#define TXGBE_TXD_STA_EIPCS		BIT(11)	/* insert the outer IPv4 checksum */
#define TXGBE_TXD_STA_PAYLEN		GENMASK(31, 13)	/* frame bytes; TSO: payload bytes */

/* Frames shorter than this are padded by software (reference 11 section 4.1). */
#define TXGBE_TX_MIN_FRAME_BYTES	17

/* ---- Transmit: context descriptor ------------------------------------- */
struct txgbe_tx_ctxt_desc {
	__le32 vlan_maclen_iplen;	/* TXGBE_TXC0_* */
	__le32 tunnel;			/* TXGBE_TXC1_* */
	__le32 type;			/* TXGBE_TXC2_* | TXGBE_TXD_CTXT */
	__le32 mss_l4len;		/* TXGBE_TXC3_* */
};

#define TXGBE_TXC0_IPLEN		GENMASK(8, 0)	/* 2-byte words */
#define TXGBE_TXC0_MACLEN		GENMASK(15, 9)	/* bytes */
#define TXGBE_TXC0_VLAN			GENMASK(31, 16)	/* TCI */
#define TXGBE_TXC1_TUNNEL_GRE		BIT(11)
#define TXGBE_TXC1_OUTER_IPLEN		GENMASK(18, 12)	/* 4-byte words; 0: no tunnel */
#define TXGBE_TXC1_TUNNEL_LEN		GENMASK(28, 21)	/* 2-byte words */
#define TXGBE_TXC2_TPID_SEL		GENMASK(13, 11)	/* index into CFG_TAG_TPID */
#define TXGBE_TXC2_PTYPE		GENMASK(31, 24)	/* TXGBE_PTYPE_* */
#define TXGBE_TXC3_IDX			BIT(4)		/* slot to write */
#define TXGBE_TXC3_L4LEN		GENMASK(15, 8)	/* bytes */
#define TXGBE_TXC3_MSS			GENMASK(31, 16)	/* payload bytes per segment */

/* ---- Receive ---------------------------------------------------------- */
union txgbe_rx_desc {
	struct {
		__le64 pkt_addr;
		__le64 hdr_addr;	/* header split only, else 0 */
	} read;
	struct {
		__le32 info;		/* TXGBE_RXD0_* */
		__le32 hash;		/* RSS hash or flow director report */
		__le32 status;		/* TXGBE_RXD_STA_* and TXGBE_RXD_ERR_* */
		__le16 len;		/* bytes in this buffer */
		__le16 vlan;		/* TCI of the stripped tag */
	} wb;
};

#define TXGBE_RXD0_RSS_TYPE		GENMASK(3, 0)	/* TXGBE_RSS_TYPE_* */
#define TXGBE_RXD0_SEC_TYPE		GENMASK(5, 4)
#define TXGBE_RXD0_TPID_IDX		GENMASK(8, 6)	/* index into CFG_TAG_TPID */
#define TXGBE_RXD0_PTYPE		GENMASK(16, 9)	/* TXGBE_PTYPE_* */
#define TXGBE_RXD0_RSC_COUNT		GENMASK(20, 17)
#define TXGBE_RXD0_HDR_LEN		GENMASK(30, 21)	/* bytes, header split */
#define TXGBE_RXD0_SPH			BIT(31)

#define TXGBE_RXD_STA_DD		BIT(0)
#define TXGBE_RXD_STA_EOP		BIT(1)
#define TXGBE_RXD_STA_NEXTP		GENMASK(19, 4)	/* EOP = 0 and RSC */
#define TXGBE_RXD_STA_CLASS		GENMASK(4, 2)
#define TXGBE_RXD_STA_VP		BIT(5)
#define TXGBE_RXD_STA_L4CS		BIT(7)	/* L4 checksum was checked */
#define TXGBE_RXD_STA_IPCS		BIT(8)	/* IPv4 header checksum was checked */
#define TXGBE_RXD_STA_OUTERIPCS		BIT(10)	/* outer IPv4 checksum was checked */
#define TXGBE_RXD_STA_IPV6EX		BIT(12)	/* IPv6 destination options seen */
#define TXGBE_RXD_STA_TS		BIT(14)	/* a receive time stamp was latched */
#define TXGBE_RXD_ERR_OUTERIP		BIT(26)
#define TXGBE_RXD_ERR_RXE		BIT(29)	/* MAC error */
#define TXGBE_RXD_ERR_L4		BIT(30)
#define TXGBE_RXD_ERR_IP		BIT(31)

/* RSS types (reference 12 section 7) */
#define TXGBE_RSS_TYPE_NONE		0
#define TXGBE_RSS_TYPE_IPV4_TCP		1
#define TXGBE_RSS_TYPE_IPV4		2
#define TXGBE_RSS_TYPE_IPV6_TCP		3
#define TXGBE_RSS_TYPE_IPV4_SCTP	4
#define TXGBE_RSS_TYPE_IPV6		5
#define TXGBE_RSS_TYPE_IPV6_SCTP	6
#define TXGBE_RSS_TYPE_IPV4_UDP		7
#define TXGBE_RSS_TYPE_IPV6_UDP		8

/* ---- Packet type codes, both directions (reference 12 section 6) ------- */
#define TXGBE_PTYPE_L4			GENMASK(2, 0)
#define TXGBE_PTYPE_L4_FRAG		1
#define TXGBE_PTYPE_L4_OTHER		2
#define TXGBE_PTYPE_L4_UDP		3
#define TXGBE_PTYPE_L4_TCP		4
#define TXGBE_PTYPE_L4_SCTP		5
#define TXGBE_PTYPE_IPV6		BIT(3)	/* (inner) IP is version 6 */
#define TXGBE_PTYPE_KIND		GENMASK(5, 4)
#define TXGBE_PTYPE_KIND_MAC		1	/* no tunnel */
#define TXGBE_PTYPE_KIND_IP		2	/* no tunnel */
#define TXGBE_PTYPE_TUN_IPIP		0	/* tunnel: IP in IP */
#define TXGBE_PTYPE_TUN_IG		1	/* tunnel without inner MAC */
#define TXGBE_PTYPE_TUN_IGM		2	/* tunnel with inner MAC */
#define TXGBE_PTYPE_TUN_IGMV		3	/* tunnel with inner MAC and VLAN */
#define TXGBE_PTYPE_OUTER_IPV6		BIT(6)	/* only with TXGBE_PTYPE_TUNNEL */
#define TXGBE_PTYPE_TUNNEL		BIT(7)
#define TXGBE_PTYPE_MAC			0x11	/* plain Ethernet */

/* ---- Interrupt status block ------------------------------------------- */
struct txgbe_isb {
	__le32 header;		/* a tag, not interpreted */
	__le32 misc;		/* TXGBE_MISC_* causes of the last misc message */
	__le32 vec[2];		/* pending vector bits 31:0 and 63:32 */
};

static_assert(sizeof(struct txgbe_tx_data_desc) == 16);
static_assert(sizeof(struct txgbe_tx_ctxt_desc) == 16);
static_assert(sizeof(union txgbe_rx_desc) == 16);
static_assert(sizeof(struct txgbe_isb) == 16);

#endif /* TXGBE_HW_DESC_H */

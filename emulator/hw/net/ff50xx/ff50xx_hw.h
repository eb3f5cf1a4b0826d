/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register offsets and bits of the Amber-Lite port, BAR0.  Names as in
 * hardware/08-register-index.md and 18-register-index.md.
 */
#ifndef HW_NET_FF50XX_HW_H
#define HW_NET_FF50XX_HW_H

#define FF50_VENDOR_ID          0x8088
#define FF50_BAR0_SIZE          0x20000
#define FF50_NR_QUEUES          128
#define FF50_NR_VECTORS         64
#define FF50_NR_RAR             128
#define FF50_NR_VLAN_SWC        64
#define FF50_MAX_FRAME          16383       /* longest frame the model moves */

/* PX */
#define PX_MISC_IC              0x00100
#define PX_MISC_ICS             0x00104
#define PX_MISC_IEN             0x00108
#define PX_INTA                 0x00110
#define PX_GPIE                 0x00118
#define  PX_GPIE_MODEL          0x1
#define PX_IC(i)                (0x00120 + 4 * (i))
#define PX_ICS(i)               (0x00130 + 4 * (i))
#define PX_IMS(i)               (0x00140 + 4 * (i))
#define PX_IMC(i)               (0x00150 + 4 * (i))
#define PX_ISB_ADDR_L           0x00160
#define PX_ISB_ADDR_H           0x00164
#define PX_TRANSACTION_PENDING  0x00168
#define PX_TCP_TIMER            0x00170
#define PX_ITRSEL               0x00180
#define PX_ITR(v)               (0x00200 + 4 * (v))
#define PX_MBVFICR(n)           (0x00480 + 4 * (n))
#define PX_VFLRP(n)             (0x00490 + 4 * (n))
#define PX_VFLRE(n)             (0x004A0 + 4 * (n))
#define PX_VFLREC(n)            (0x004A8 + 4 * (n))
#define PX_PF_BME               0x004B8
#define PX_PF_PEND              0x004C0
#define PX_VF_PEND(i)           (0x004D0 + 4 * (i))
#define PX_MISC_IVAR            0x004FC
#define PX_IVAR(k)              (0x00500 + 4 * (k))
#define PX_PXMAILBOX(v)         (0x00600 + 4 * (v))
#define PX_PXMBMEM              0x05000

#define MISC_ETH_LKDN           (1u << 8)
#define MISC_DEV_RST            (1u << 10)
#define MISC_TIMESYNC           (1u << 11)
#define MISC_STALL              (1u << 12)
#define MISC_RX_MISS            (1u << 14)
#define MISC_FLOW_DIR           (1u << 15)
#define MISC_I2C                (1u << 16)
#define MISC_ETH_EVENT          (1u << 17)
#define MISC_ETH_LK             (1u << 18)
#define MISC_ETH_AN             (1u << 19)
#define MISC_INT_ERR            (1u << 20)
#define MISC_SPI                (1u << 21)
#define MISC_TXDESC             (1u << 22)
#define MISC_VF_MBOX            (1u << 23)
#define MISC_GPIO               (1u << 26)
#define MISC_OVER_HEAT          (1u << 28)
#define MISC_MNG_MBOX           (1u << 30)

/* Rx rings */
#define PX_RR_BAL(i)            (0x01000 + 0x40 * (i))
#define PX_RR_BAH(i)            (0x01004 + 0x40 * (i))
#define PX_RR_WP(i)             (0x01008 + 0x40 * (i))
#define PX_RR_RP(i)             (0x0100C + 0x40 * (i))
#define PX_RR_CFG(i)            (0x01010 + 0x40 * (i))
#define  RR_CFG_EN              (1u << 0)
#define  RR_CFG_DESC_MERGE      (1u << 19)
#define  RR_CFG_SPLIT           (1u << 26)
#define  RR_CFG_RSC             (1u << 29)
#define  RR_CFG_DROP_EN         (1u << 30)
#define  RR_CFG_VLAN            (1u << 31)
#define PX_QPRXPKT(i)           (0x01014 + 0x40 * (i))
#define PX_QPRXOCTL(i)          (0x01018 + 0x40 * (i))
#define PX_QPRXOCTH(i)          (0x0101C + 0x40 * (i))
#define PX_MPRC(i)              (0x01020 + 0x40 * (i))

/* Tx rings */
#define PX_TR_BAL(i)            (0x03000 + 0x40 * (i))
#define PX_TR_BAH(i)            (0x03004 + 0x40 * (i))
#define PX_TR_WP(i)             (0x03008 + 0x40 * (i))
#define PX_TR_RP(i)             (0x0300C + 0x40 * (i))
#define PX_TR_CFG(i)            (0x03010 + 0x40 * (i))
#define  TR_CFG_EN              (1u << 0)
#define  TR_CFG_SWFLSH          (1u << 26)
#define  TR_CFG_HEAD_WB         (1u << 27)
#define  TR_CFG_HEAD_WB_64      (1u << 28)
#define PX_QPTXPKT(i)           (0x03014 + 0x40 * (i))
#define PX_QPTXOCTL(i)          (0x03018 + 0x40 * (i))
#define PX_QPTXOCTH(i)          (0x0301C + 0x40 * (i))
#define PX_TR_HEAD_ADDRL(i)     (0x03028 + 0x40 * (i))
#define PX_TR_HEAD_ADDRH(i)     (0x0302C + 0x40 * (i))

/* MIS, FMGR, TS */
#define MIS_PWR                 0x10000
#define MIS_RST                 0x1000C
#define  MIS_RST_SW             (1u << 0)
#define  MIS_RST_LAN(p)         (1u << (1 + (p)))
#define  MIS_RST_FW             (1u << 3)
#define  MIS_RST_LAN1_EPHY      (1u << 16)
#define  MIS_RST_LAN1_MAC       (1u << 17)
#define  MIS_RST_LAN0_EPHY      (1u << 19)
#define  MIS_RST_LAN0_MAC       (1u << 20)
#define  MIS_RST_GLOBAL         (1u << 31)
#define MIS_PRB_CTL             0x10010
#define MIS_ST                  0x10028
#define MIS_SWSM                0x1002C
#define MIS_RST_ST              0x10030
#define SPI_CMD                 0x10104
#define SPI_DATA                0x10108
#define SPI_STATUS              0x1010C
#define SPI_ILDR_STATUS         0x10120
#define TS_STS_AML              0x1033C

/* MAC */
#define MAC_TX_CFG              0x11000
#define  MAC_TX_CFG_TE          (1u << 0)
#define MAC_RX_CFG              0x11004
#define  MAC_RX_CFG_RE          (1u << 0)
#define  MAC_RX_CFG_JE          (1u << 8)
#define  MAC_RX_CFG_LM          (1u << 10)
#define MAC_PKT_FLT             0x11008
#define MAC_WDG_TIMEOUT         0x1100C
#define MAC_RX_FLOW_CTRL        0x11090
#define MAC_MSCA                0x11200
#define MAC_MSCC                0x11204
#define MMC_CONTROL             0x11800
#define  MMC_CONTROL_RSTONRD    (1u << 2)
#define MAC_MISC_CTL            0x11F00
#define MAC_LXOFFRXC_AML        0x11F80
#define MAC_LXONRXC_AML         0x11F84
#define MAC_PFC_XOFFRXC(i)      (0x11FA0 + 4 * (i))
#define MAC_PFC_XONRXC(i)       (0x11FC0 + 4 * (i))

/* RDM */
#define RDM_VF_RE(n)            (0x12004 + 4 * (n))
#define RDM_RSC_CTL             0x1200C
#define  RDM_RSC_CTL_FREE_CTL   (1u << 7)
#define  RDM_RSC_CTL_FREE_CNT_DIS (1u << 8)
#define BME_CTL                 0x12020
#define RDM_PF_QDE(n)           (0x12080 + 4 * (n))
#define RDM_PF_HIDE(n)          (0x12090 + 4 * (n))
#define RDM_VFRE_CLR(n)         (0x120A0 + 4 * (n))
#define RDM_DCACHE_CTL          0x120A8
#define RDM_DRP_PKT             0x12500
#define RDM_PKT_CNT             0x12504
#define RDM_BYTE_CNT_LSB        0x12508
#define RDM_BYTE_CNT_MSB        0x1250C
#define RDM_BMC2OS_CNT          0x12510

/* ETH PHY windows */
#define XPCS_IDA_ADDR           0x13000
#define XPCS_IDA_DATA           0x13004
#define EPHY_IDA_ADDR           0x13008
#define EPHY_IDA_DATA           0x1300C
#define EPCS_MISC_CTL           0x13240
#define EPHY_STAT               0x13404

/* CFG, GPIO, I2C */
#define CFG_PORT_CTL            0x14400
#define  PORT_CTL_D_VLAN        (1u << 0)
#define  PORT_CTL_QINQ          (1u << 2)
#define  PORT_CTL_DRV_LOAD      (1u << 3)
#define  PORT_CTL_FORCE_LKUP    (1u << 4)
#define  PORT_CTL_PFRSTD        (1u << 14)
#define CFG_PORT_ST             0x14404
#define CFG_EX_VTYPE            0x14408
#define CFG_VXLAN               0x14410
#define CFG_VXLAN_GPE           0x14414
#define CFG_GENEVE              0x14418
#define CFG_TEREDO              0x1441C
#define CFG_LED_CTL             0x14424
#define CFG_TAG_TPID(i)         (0x14430 + 4 * (i))
#define GPIO_DR                 0x14800
#define GPIO_DDR                0x14804
#define GPIO_CTL                0x14808
#define GPIO_INTEN              0x14830
#define GPIO_INTMASK            0x14834
#define GPIO_INTTYPE_LEVEL      0x14838
#define GPIO_POLARITY           0x1483C
#define GPIO_INTSTATUS          0x14840
#define GPIO_RAW_INTSTATUS      0x14844
#define GPIO_DEBOUNCE           0x14848
#define GPIO_EOI                0x1484C
#define GPIO_EXT                0x14850
#define GPIO_LS_SYNC            0x14854
#define I2C_BASE                0x14900

/* PSR */
#define PSR_CTL                 0x15000
#define  PSR_CTL_TPE            (1u << 4)
#define  PSR_CTL_MFE            (1u << 7)
#define  PSR_CTL_MPE            (1u << 8)
#define  PSR_CTL_UPE            (1u << 9)
#define  PSR_CTL_BAM            (1u << 10)
#define  PSR_CTL_PCSD           (1u << 13)
#define  PSR_CTL_RSC_DIS        (1u << 16)
#define  PSR_CTL_RSC_ACK        (1u << 17)
#define  PSR_CTL_SW_EN          (1u << 18)
#define PSR_MAX_SZ              0x15020
#define PSR_VLAN_CTL            0x15088
#define  PSR_VLAN_CTL_VFE       (1u << 30)
#define PSR_1588_MSG            0x15120
#define PSR_ETYPE_SWC(i)        (0x15128 + 4 * (i))
#define PSR_1588_CTL            0x15188
#define PSR_1588_ATTRL          0x151A0
#define PSR_1588_STMPH          0x151A4
#define PSR_1588_ATTRH          0x151A8
#define PSR_VM_CTL              0x151B0
#define PSR_1588_STMPL          0x151E8
#define PSR_MC_TBL(i)           (0x15200 + 4 * (i))
#define PSR_UC_TBL(i)           (0x15400 + 4 * (i))
#define PSR_VM_L2CTL(p)         (0x15600 + 4 * (p))
#define  VM_L2CTL_UPE           (1u << 4)
#define  VM_L2CTL_MPE           (1u << 12)
#define PSR_WKUP_CTL            0x15B80
#define PSR_WKUP_IPV            0x15B84
#define PSR_WKUP_IP4TBL(i)      (0x15BC0 + 4 * (i))
#define PSR_WKUP_IP6TBL(i)      (0x15BE0 + 4 * (i))
#define PSR_VLAN_TBL(i)         (0x16000 + 4 * (i))
#define PSR_MAC_SWC_AD_L        0x16200
#define PSR_MAC_SWC_AD_H        0x16204
#define PSR_MAC_SWC_VM_L        0x16208
#define PSR_MAC_SWC_VM_H        0x1620C
#define PSR_MAC_SWC_IDX         0x16210
#define PSR_VLAN_SWC            0x16220
#define PSR_VLAN_SWC_VM_L       0x16224
#define PSR_VLAN_SWC_VM_H       0x16228
#define PSR_VLAN_SWC_IDX        0x16230
#define  RAR_AD_H_AV            (1u << 31)
#define  RAR_AD_H_ADTYPE        (1u << 30)

/* RSEC, TSEC, 1588 */
#define RSC_CTL                 0x17000
#define  RSC_CTL_RX_DIS         (1u << 1)
#define  RSC_CTL_CRC_STRIP      (1u << 2)
#define  RSC_CTL_SAVE_MAC_ERR   (1u << 6)
#define RSC_ST                  0x17004
#define RSC_IPS_IDX             0x17100
#define TSC_CTL                 0x1D000
#define  TSC_CTL_TX_DIS         (1u << 1)
#define TSC_ST                  0x1D004
#define TSC_BUF_AE              0x1D00C
#define TSC_IPS_IDX             0x1D100
#define TSC_1588_CTL            0x1D400
#define TSC_1588_STMPL          0x1D404
#define TSC_1588_STMPH          0x1D408
#define TSC_1588_SYSTIML        0x1D40C
#define TSC_1588_SYSTIMH        0x1D410
#define TSC_1588_INC            0x1D414
#define TSC_1588_ADJL           0x1D418
#define TSC_1588_ADJH           0x1D41C
#define TSC_1588_INT_ST         0x1D420
#define TSC_1588_INT_EN         0x1D424
#define TSC_1588_AUX_CTL        0x1D428
#define TSC_1588_TRGT_L(i)      (0x1D42C + 8 * (i))
#define TSC_1588_TRGT_H(i)      (0x1D430 + 8 * (i))
#define TSC_1588_SDP(i)         (0x1D45C + 4 * (i))
#define  SDP_FUNC(v)            ((v) & 7)
#define  SDP_TT0                1
#define  AUX_CTL_PLSG           (1u << 1)

/* TDM, RDB, TDB */
#define TDM_CTL                 0x18000
#define  TDM_CTL_TE             (1u << 0)
#define TDM_VF_TE(n)            (0x18004 + 4 * (n))
#define TDM_VFTE_CLR(n)         (0x180A0 + 4 * (n))
#define TDM_DESC_CHK(i)         (0x180B0 + 4 * (i))
#define TDM_DESC_NONFATAL(i)    (0x180C0 + 4 * (i))
#define TDM_DESC_FATAL(i)       (0x180D0 + 4 * (i))
#define TDM_VLAN_INS(p)         (0x18100 + 4 * (p))
#define TDM_RP_IDX              0x1820C
#define TDM_RL_QUEUE_IDX        0x18210
#define TDM_RL_QUEUE_CFG        0x18214
#define  RL_CFG_EN              (1u << 0)
#define  RL_CFG_FRACTION(v)     ((v) >> 2 & 0x3FFF)     /* of 2^14 */
#define  RL_CFG_INTEGER(v)      ((v) >> 16)
#define TDM_RL_ADJ              TDM_RP_IDX              /* bytes per frame */
#define TDM_DRP                 0x18300
#define TDM_SEC_DRP             0x18304
#define TDM_PKT_CNT             0x18308
#define TDM_BYTE_CNT_LSB        0x1830C
#define TDM_BYTE_CNT_MSB        0x18310
#define TDM_RP_RATE             0x18404
#define RDB_PB_CTL              0x19000
#define  RDB_PB_CTL_RXEN        (1u << 31)
#define RDB_PB_SZ(tc)           (0x19020 + 4 * (tc))
#define RDB_MPCNT(tc)           (0x19040 + 4 * (tc))
#define RDB_RFCV(i)             (0x19200 + 4 * (i))
#define RDB_RFCL(i)             (0x19220 + 4 * (i))
#define RDB_RFCH(i)             (0x19260 + 4 * (i))
#define RDB_RFCRT               0x192A0
#define RDB_RFCC                0x192A4
#define  RFCC_XOFF              (1u << 3)
#define  RFC_KIB(v)             ((v) >> 10 & 0x1FF)     /* RFCL, RFCH */
#define  RFC_EN                 (1u << 31)
#define RDB_PFCMACDAL           0x19210
#define RDB_PFCMACDAH           0x19214
#define RDB_LXOFFTXC            0x19218
#define RDB_LXONTXC             0x1921C
#define RDB_PL_CFG(p)           (0x19300 + 4 * (p))
#define RDB_RSSTBL(i)           (0x19400 + 4 * (i))
#define RDB_RSSRK(i)            (0x19480 + 4 * (i))
#define RDB_RSS_TC              0x194F0
#define RDB_RA_CTL              0x194F4
#define  RA_CTL_RSS_EN          (1u << 2)
#define RDB_FDIR_CTL            0x19500
#define RDB_FDIR_IP6(i)         (0x1950C + 4 * (i))
#define RDB_FDIR_SA             0x19518
#define RDB_FDIR_DA             0x1951C
#define RDB_FDIR_PORT           0x19520
#define RDB_FDIR_FLEX           0x19524
#define RDB_FDIR_HASH           0x19528
#define RDB_FDIR_CMD            0x1952C
#define RDB_FDIR_FREE           0x19538
#define RDB_FDIR_DA4_MSK        0x1953C
#define RDB_FDIR_SA4_MSK        0x19540
#define RDB_FDIR_TCP_MSK        0x19544
#define RDB_FDIR_UDP_MSK        0x19548
#define RDB_FDIR_LEN            0x1954C
#define RDB_FDIR_USE_ST         0x19550
#define RDB_FDIR_FAIL_ST        0x19554
#define RDB_FDIR_MATCH          0x19558
#define RDB_FDIR_MISS           0x1955C
#define RDB_FDIR_SCTP_MSK       0x19560
#define RDB_FDIR_HKEY           0x19568
#define RDB_FDIR_SKEY           0x1956C
#define RDB_FDIR_OTHER_MSK      0x19570
#define RDB_FDIR_IP6_MSK        0x19574
#define RDB_FDIR_FLEX_CFG(i)    (0x19580 + 4 * (i))
#define RDB_ETYPE_CLS(i)        (0x19100 + 4 * (i))
#define RDB_SYN_CLS             0x19130
#define RDB_5T_SA(i)            (0x19600 + 4 * (i))
#define RDB_5T_DA(i)            (0x19800 + 4 * (i))
#define RDB_5T_SDP(i)           (0x19A00 + 4 * (i))
#define RDB_5T_CTL0(i)          (0x19C00 + 4 * (i))
#define RDB_5T_CTL1(i)          (0x19E00 + 4 * (i))
#define RDB_VMRSSRK(i, p)       (0x1A000 + 4 * (i) + 0x40 * (p))
#define RDB_VMRSSTBL(i, p)      (0x1B000 + 4 * (i) + 0x40 * (p))
#define TDB_PB_SZ(i)            (0x1CC00 + 4 * (i))

/* MNG */
#define MNG_FW_SM               0x1E000
#define MNG_SW_SM               0x1E004
#define MNG_SWFW_SYNC           0x1E008
#define MNG_MBOX_CTL            0x1E044
#define SW2FW_MBOX_CMD          0x1E0A0
#define FW2SW_MBOX_CMD          0x1E0A4
#define MNG_MBOX                0x1E100
#define SW2FW_MBOX              0x1E200
#define FW2SW_MBOX              0x1E300

/*
 * Counters with a register of their own.  64-bit ones have L at the offset
 * and H at +4 unless the register table says otherwise.
 */
enum FF50Stat {
    FF50_STAT_RDM_DRP, FF50_STAT_RDM_PKT, FF50_STAT_RDM_BYTE,
    FF50_STAT_TDM_DRP, FF50_STAT_TDM_SEC_DRP, FF50_STAT_TDM_PKT,
    FF50_STAT_TDM_BYTE,
    FF50_STAT_MAC_TX_OCTETS, FF50_STAT_MAC_TX_FRAMES, FF50_STAT_MAC_TX_BC,
    FF50_STAT_MAC_TX_MC, FF50_STAT_MAC_TX_BIN0, FF50_STAT_MAC_TX_BIN1,
    FF50_STAT_MAC_TX_BIN2, FF50_STAT_MAC_TX_BIN3, FF50_STAT_MAC_TX_BIN4,
    FF50_STAT_MAC_TX_BIN5,
    FF50_STAT_MAC_RX_FRAMES, FF50_STAT_MAC_RX_OCTETS,
    FF50_STAT_MAC_RX_OCTETS_GOOD, FF50_STAT_MAC_RX_BC, FF50_STAT_MAC_RX_MC,
    FF50_STAT_MAC_RX_CRC, FF50_STAT_MAC_RX_JABBER, FF50_STAT_MAC_RX_UNDER,
    FF50_STAT_MAC_RX_OVER, FF50_STAT_MAC_RX_BIN0, FF50_STAT_MAC_RX_BIN1,
    FF50_STAT_MAC_RX_BIN2, FF50_STAT_MAC_RX_BIN3, FF50_STAT_MAC_RX_BIN4,
    FF50_STAT_MAC_RX_BIN5, FF50_STAT_MAC_RX_LEN,
    FF50_STAT_RDB_MPCNT0, FF50_STAT_RDB_DRP, FF50_STAT_FDIR_MATCH,
    FF50_STAT_FDIR_MISS,
    FF50_STAT__MAX
};

#endif

# SPDX-License-Identifier: GPL-2.0-only
"""Register offsets and bits: the tests' own reading of docs/hardware.

Neither the device model nor the driver is a source here, so that one wrong
number cannot agree with itself.
"""


def bit(n):
    return 1 << n


# PX: host interface
MISC_IC, MISC_ICS, MISC_IEN = 0x100, 0x104, 0x108
INTA, GPIE = 0x110, 0x118
TRANS_PENDING = 0x168
ISB_L, ISB_H = 0x160, 0x164
ITRSEL = 0x180
PF_BME = 0x4B8
MISC_IVAR = 0x4FC


def IC(i):
    return 0x120 + 4 * i


def ICS(i):
    return 0x130 + 4 * i


def IMS(i):
    return 0x140 + 4 * i


def IMC(i):
    return 0x150 + 4 * i


def ITR(v):
    return 0x200 + 4 * v


def IVAR(k):
    return 0x500 + 4 * k


ITR_CNT_WDIS = bit(31)
MISC_LKDN, MISC_DEV_RST, MISC_TIMESYNC = bit(8), bit(10), bit(11)
MISC_FDIR = bit(15)
MISC_EVENT, MISC_LK, MISC_AN, MISC_INT_ERR = bit(17), bit(18), bit(19), bit(20)
MISC_TXDESC, MISC_GPIO = bit(22), bit(26)
MISC_IEN_UPSTREAM = 0x049E0D00

# rings


def RR(i, what):
    return 0x1000 + 0x40 * i + {"BAL": 0, "BAH": 4, "WP": 8, "RP": 0xC,
                                "CFG": 0x10, "PKT": 0x14, "OCTL": 0x18,
                                "OCTH": 0x1C, "MPRC": 0x20}[what]


def TR(i, what):
    return 0x3000 + 0x40 * i + {"BAL": 0, "BAH": 4, "WP": 8, "RP": 0xC,
                                "CFG": 0x10, "PKT": 0x14, "OCTL": 0x18,
                                "OCTH": 0x1C, "HEADL": 0x28, "HEADH": 0x2C}[what]


TR_EN, TR_SWFLSH, TR_HEAD_WB, TR_HEAD_WB64 = bit(0), bit(26), bit(27), bit(28)
RR_EN, RR_DESC_MERGE = bit(0), bit(19)
RR_RSC, RR_DROP_EN, RR_VLAN, RR_SPLIT = bit(29), bit(30), bit(31), bit(26)

# MIS, FMGR
MIS_PWR, MIS_RST, MIS_PRB_CTL = 0x10000, 0x1000C, 0x10010
MIS_ST, MIS_SWSM, MIS_RST_ST = 0x10028, 0x1002C, 0x10030
RST_SW, RST_LAN0, RST_LAN1, RST_FW = bit(0), bit(1), bit(2), bit(3)
RST_LAN1_EPHY, RST_LAN1_MAC = bit(16), bit(17)
RST_LAN0_EPHY, RST_LAN0_MAC = bit(19), bit(20)
RST_GLOBAL = bit(31)
SPI_CMD, SPI_DATA, SPI_STATUS, SPI_ILDR_STATUS = 0x10104, 0x10108, 0x1010C, 0x10120

# MAC
MAC_TX_CFG, MAC_RX_CFG, MAC_PKT_FLT = 0x11000, 0x11004, 0x11008
MAC_WDG_TIMEOUT, MAC_RX_FLOW_CTRL = 0x1100C, 0x11090
MMC_CONTROL, MAC_MISC_CTL = 0x11800, 0x11F00
TX_FRAMES, TX_BC, TX_MC = 0x1181C, 0x11824, 0x1182C
TX_OCTETS = 0x11814
TX_BIN = (0x11834, 0x1183C, 0x11844, 0x1184C, 0x11854, 0x1185C)
RX_FRAMES, RX_OCTETS, RX_BC, RX_MC = 0x11900, 0x11908, 0x11918, 0x11920
RX_CRC, RX_UNDER, RX_OVER, RX_LEN = 0x11928, 0x11938, 0x1193C, 0x11978
RX_BIN = (0x11940, 0x11948, 0x11950, 0x11958, 0x11960, 0x11968)
LXOFFRXC, LXONRXC = 0x11F80, 0x11F84

# RDM, TDM
RDM_RSC_CTL, BME_CTL, RDM_DCACHE_CTL = 0x1200C, 0x12020, 0x120A8
RDM_DRP, RDM_PKT, RDM_BYTE_L, RDM_BYTE_H = 0x12500, 0x12504, 0x12508, 0x1250C
RDM_BMC2OS = 0x12510


def RDM_QDE(i):
    return 0x12080 + 4 * i


TDM_CTL, TDM_PB_THRE = 0x18000, 0x18020
TDM_DESC_CHK, TDM_DESC_NONFATAL = 0x180B0, 0x180C0
TDM_RP_IDX, TDM_RP_RATE = 0x1820C, 0x18404
TDM_PKT, TDM_BYTE_L, TDM_BYTE_H, TDM_OS2BMC = 0x18308, 0x1830C, 0x18310, 0x18314

# CFG, GPIO
PORT_CTL, PORT_ST = 0x14400, 0x14404
VXLAN, VXLAN_GPE, GENEVE, TEREDO = 0x14410, 0x14414, 0x14418, 0x1441C
LED_CTL = 0x14424


def TPID(i):
    return 0x14430 + 4 * i


GPIO_DR, GPIO_DDR, GPIO_INTEN, GPIO_INTMASK = 0x14800, 0x14804, 0x14830, 0x14834
GPIO_INTTYPE, GPIO_POLARITY, GPIO_INTST = 0x14838, 0x1483C, 0x14840
GPIO_RAW, GPIO_EOI, GPIO_EXT = 0x14844, 0x1484C, 0x14850

# PSR
PSR_CTL, PSR_MAX_SZ, PSR_VLAN_CTL = 0x15000, 0x15020, 0x15088
PSR_MFE, PSR_MPE, PSR_UPE, PSR_BAM = bit(7), bit(8), bit(9), bit(10)
PSR_PCSD, PSR_RSC_DIS, PSR_RSC_ACK = bit(13), bit(16), bit(17)
VFE = bit(30)
PSR_1588_CTL, PSR_1588_STMPH, PSR_1588_STMPL = 0x15188, 0x151A4, 0x151E8
PSR_1588_MSG, PSR_VM_CTL = 0x15120, 0x151B0
RAR_L, RAR_H, RAR_VML, RAR_VMH, RAR_IDX = 0x16200, 0x16204, 0x16208, 0x1620C, 0x16210
VSWC, VSWC_VML, VSWC_VMH, VSWC_IDX = 0x16220, 0x16224, 0x16228, 0x16230
MNG_FLEX_SEL, LAN_FLEX_SEL = 0x1582C, 0x15B8C


def ETYPE_SWC(i):
    return 0x15128 + 4 * i


def MC_TBL(i):
    return 0x15200 + 4 * i


def UC_TBL(i):
    return 0x15400 + 4 * i


def VM_L2CTL(p):
    return 0x15600 + 4 * p


def VFTA(i):
    return 0x16000 + 4 * i


# security gates and 1588
RSC_CTL, RSC_ST, TSC_CTL, TSC_ST, TSC_BUF_AE = 0x17000, 0x17004, 0x1D000, 0x1D004, 0x1D00C
RX_DIS, CRC_STRIP, TX_DIS = bit(1), bit(2), bit(1)
TSC_1588_CTL, TSC_STMPL, TSC_STMPH = 0x1D400, 0x1D404, 0x1D408
SYSTIML, SYSTIMH, TSC_INC = 0x1D40C, 0x1D410, 0x1D414
TSC_INT_ST, TSC_INT_EN, TSC_AUX = 0x1D420, 0x1D424, 0x1D428

# RDB
RDB_PB_CTL = 0x19000
RXEN = bit(31)
LXOFFTXC, LXONTXC = 0x19218, 0x1921C
RDB_RFCC, RDB_RFCRT, PFCMACDAL, PFCMACDAH = 0x192A4, 0x192A0, 0x19210, 0x19214
RA_CTL = 0x194F4
SYN_CLS = 0x19130


def RDB_PB_SZ(i):
    return 0x19020 + 4 * i


def RDB_MPCNT(i):
    return 0x19040 + 4 * i


def RFCV(i):
    return 0x19200 + 4 * i


def RFCL(i):
    return 0x19220 + 4 * i


def RFCH(i):
    return 0x19260 + 4 * i


def ETYPE_CLS(i):
    return 0x19100 + 4 * i


def PL_CFG(p):
    return 0x19300 + 4 * p


def RETA(i):
    return 0x19400 + 4 * i


def RSSRK(i):
    return 0x19480 + 4 * i


FDIR_CTL, FDIR_SA, FDIR_DA, FDIR_PORT = 0x19500, 0x19518, 0x1951C, 0x19520
FDIR_FLEX, FDIR_HASH, FDIR_CMD = 0x19524, 0x19528, 0x1952C
FDIR_DA4_MSK, FDIR_SA4_MSK = 0x1953C, 0x19540
FDIR_TCP_MSK, FDIR_UDP_MSK, FDIR_SCTP_MSK = 0x19544, 0x19548, 0x19560
FDIR_MATCH, FDIR_MISS = 0x19558, 0x1955C
FDIR_HKEY, FDIR_SKEY, FDIR_OTHER_MSK, FDIR_IP6_MSK = 0x19568, 0x1956C, 0x19570, 0x19574
FDIR_FREE, FDIR_LEN, FDIR_USE, FDIR_FAIL = 0x19538, 0x1954C, 0x19550, 0x19554
HKEY, SKEY = 0x3DAD14E2, 0x174D3614


def FDIR_IP6(i):
    return 0x1950C + 4 * i


def FLEX_CFG(i):
    return 0x19580 + 4 * i


def FT(i, what):
    """5-tuple filter i."""
    return {"SA": 0x19600, "DA": 0x19800, "SDP": 0x19A00,
            "CTL0": 0x19C00, "CTL1": 0x19E00}[what] + 4 * i


TDB_PB_SZ = 0x1CC00

# MNG
MNG_SW_SM, MNG_SWFW_SYNC, MNG_MBOX_CTL = 0x1E004, 0x1E008, 0x1E044
MNG_BMC2OS, MNG_OS2BMC = 0x1E090, 0x1E094
SW2FW_CMD, FW2SW_CMD = 0x1E0A0, 0x1E0A4
MNG_MBOX, SW2FW, FW2SW = 0x1E100, 0x1E200, 0x1E300
VLD = bit(31)

# Every register the reference names, as (first offset, stride, count): where
# the fuzzer aims, and what the storage tests sample.
NAMED = [
    (0x100, 4, 3), (0x110, 4, 1), (0x118, 4, 1), (0x120, 4, 2), (0x130, 4, 2),
    (0x140, 4, 2), (0x150, 4, 2), (0x160, 4, 3), (0x170, 4, 1), (0x180, 4, 1),
    (0x200, 4, 64), (0x480, 4, 4), (0x490, 4, 4), (0x4A0, 4, 4), (0x4B8, 4, 1),
    (0x4C0, 4, 1), (0x4D0, 4, 2), (0x4FC, 4, 65), (0x600, 4, 64),
    (0x1000, 4, 9), (0x1000, 0x40, 128), (0x1008, 0x40, 128), (0x1010, 0x40, 128),
    (0x3000, 4, 12), (0x3000, 0x40, 128), (0x3008, 0x40, 128), (0x3010, 0x40, 128),
    (0x5000, 4, 1024),
    (0x10000, 4, 5), (0x10024, 4, 5), (0x10104, 4, 6), (0x10120, 4, 2),
    (0x10130, 4, 3), (0x10200, 4, 2), (0x10220, 4, 4), (0x10300, 4, 9), (0x10330, 4, 4),
    (0x11000, 4, 4), (0x11090, 4, 1), (0x110B0, 4, 1), (0x11200, 4, 2), (0x11220, 4, 1),
    (0x11300, 4, 2), (0x11800, 4, 1), (0x11814, 4, 20), (0x11900, 4, 36), (0x119DC, 4, 1),
    (0x11E10, 4, 16), (0x11F00, 4, 1), (0x11F80, 4, 2), (0x11FA0, 4, 16),
    (0x12000, 4, 4), (0x12020, 4, 1), (0x12040, 4, 8), (0x12060, 4, 2), (0x12080, 4, 8),
    (0x120A0, 4, 3), (0x12500, 4, 7), (0x13000, 4, 4), (0x13240, 4, 1), (0x13404, 4, 1),
    (0x14400, 4, 3), (0x14410, 4, 7), (0x14430, 4, 4), (0x14800, 4, 3), (0x14830, 4, 10),
    (0x14900, 4, 64), (0x14F00, 4, 4), (0x15000, 4, 3), (0x15020, 4, 1), (0x15088, 4, 1),
    (0x15120, 4, 10), (0x15188, 4, 1), (0x151A0, 4, 3), (0x151B0, 4, 1), (0x151B8, 4, 4),
    (0x151E8, 4, 1), (0x15200, 4, 128), (0x15400, 4, 128), (0x15600, 4, 64),
    (0x1582C, 4, 1), (0x15A00, 4, 64), (0x15B00, 4, 20), (0x15B80, 4, 4), (0x15BC0, 4, 12),
    (0x15C00, 4, 64), (0x16000, 4, 128), (0x16200, 4, 5), (0x16220, 4, 5), (0x16240, 4, 9),
    (0x17000, 4, 2), (0x17100, 4, 13), (0x17200, 4, 33), (0x18000, 4, 3), (0x18020, 4, 8),
    (0x18040, 4, 15), (0x180A0, 4, 2), (0x180B0, 4, 12), (0x18100, 4, 64), (0x18200, 4, 8),
    (0x18220, 4, 8), (0x18300, 4, 8), (0x18400, 4, 2), (0x18500, 4, 128), (0x18700, 4, 64),
    (0x19000, 4, 3), (0x19020, 4, 8), (0x19040, 4, 8), (0x19060, 4, 4), (0x19080, 4, 1),
    (0x19100, 4, 8), (0x19130, 4, 1), (0x19200, 4, 16), (0x19260, 4, 18), (0x192C0, 4, 16),
    (0x19300, 4, 64), (0x19400, 4, 32), (0x19480, 4, 10), (0x194F0, 4, 3), (0x19500, 4, 48),
    (0x19600, 4, 128), (0x19800, 4, 128), (0x19A00, 4, 128), (0x19C00, 4, 128),
    (0x19E00, 4, 128), (0x1A000, 4, 64), (0x1B000, 4, 64), (0x1C800, 4, 1), (0x1CC00, 4, 8),
    (0x1CD00, 4, 16), (0x1CE00, 4, 1), (0x1CF00, 4, 3), (0x1D000, 4, 4), (0x1D020, 4, 1),
    (0x1D100, 4, 6), (0x1D200, 4, 20), (0x1D400, 4, 27), (0x1E000, 4, 3), (0x1E044, 4, 1),
    (0x1E090, 4, 2), (0x1E0A0, 4, 2), (0x1E100, 4, 192),
]

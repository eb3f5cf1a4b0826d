/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register file: one row per register or array.
 *
 * Rows and masks follow hardware/08 and 18.  A mask narrower than 32 bits
 * stands only where the reference gives the whole field set; where it names
 * single bits of a register the mask is all ones, because a false violation
 * is as bad as a missed one.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "ff50xx_int.h"

typedef uint32_t (*FF50Rd)(FF50State *s, unsigned idx, uint32_t off);
typedef void (*FF50Wr)(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val);

typedef enum FF50Access {
    RW,
    RO,             /* writing is a violation and does nothing */
    WO,             /* reading is a violation and gives 0 */
} FF50Access;

#define F_ACT       (1u << 0)   /* a write acts, it is not stored */
#define F_DP        (1u << 1)   /* the data path is told of writes */
#define F_TX_GATE   (1u << 2)   /* a write may let Tx rings go on */
#define F_RX_GATE   (1u << 3)   /* a write may let a held frame in */
#define F_MAC_KEEP  (1u << 4)   /* survives MAC_RST */

#define ALL         0xFFFFFFFFu

typedef struct FF50Reg {
    const char *name;
    uint32_t off;
    uint16_t count, stride;
    FF50Access access;
    uint32_t mask, reset;
    FF50Rd rd;
    FF50Wr wr;
    uint32_t flags;
} FF50Reg;

/* ------------------------------------------------------------------ */
/* Storage                                                              */

static bool ff50_is_shared(uint32_t off)
{
    return (off >= FF50_SHARED_MIS && off < FF50_SHARED_MIS + 0x400) ||
           (off >= FF50_SHARED_MNG && off < FF50_SHARED_MNG + 0x10);
}

static uint32_t *ff50_slot(FF50State *s, uint32_t off)
{
    if (off >= FF50_SHARED_MIS && off < FF50_SHARED_MIS + 0x400) {
        return &s->card->mis[(off - FF50_SHARED_MIS) / 4];
    }
    if (off >= FF50_SHARED_MNG && off < FF50_SHARED_MNG + 0x10) {
        return &s->card->mng[(off - FF50_SHARED_MNG) / 4];
    }
    return &s->regs[off / 4];
}

/* Blocks that a LAN reset leaves alone (hardware/01, table in section 3). */
static bool ff50_keeps_lan(uint32_t off)
{
    return (off >= 0x10000 && off < 0x11000) ||     /* MIS, FMGR, PRB, TS */
           (off >= 0x13000 && off < 0x14000) ||     /* PHY windows */
           (off >= 0x14800 && off < 0x14F00) ||     /* GPIO, I2C */
           off >= 0x1E000;                          /* MNG */
}

/* ------------------------------------------------------------------ */
/* Small hooks                                                          */

static uint32_t rd_zero(FF50State *s, unsigned idx, uint32_t off)
{
    return 0;
}

static uint32_t rd_one(FF50State *s, unsigned idx, uint32_t off)
{
    return 1;
}

static uint32_t rd_clear(FF50State *s, unsigned idx, uint32_t off)
{
    uint32_t v = ff50_rd(s, off);

    ff50_wr(s, off, 0);
    return v;
}

/* PLL locks of the two SerDes halves */
static uint32_t rd_ephy_stat(FF50State *s, unsigned idx, uint32_t off)
{
    return 3;
}

/* firmware is up; ECC errors of either port */
static uint32_t rd_mis_st(FF50State *s, unsigned idx, uint32_t off)
{
    uint32_t v = ff50_boot_firmware_up(s);

    for (unsigned lan = 0; lan < 2; lan++) {
        FF50State *p = s->card->port[lan];

        v |= p && p->fault.ecc ? 1u << (16 + lan) : 0;
    }
    return v;
}

static uint32_t rd_ildr(FF50State *s, unsigned idx, uint32_t off)
{
    return ff50_boot_ildr(s);
}

static uint32_t rd_rfcv(FF50State *s, unsigned idx, uint32_t off)
{
    return ff50_rd(s, off) & ~(uint32_t)(s->fault.stuck && !idx);
}

static void wr_led_ctl(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    s->cnt.led_changes += old != val;
}

static void wr_tsc_ctl(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    if (!(val & TSC_CTL_TX_DIS)) {
        s->tx_shut = false;
    }
}

static void wr_flow(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                    uint32_t val)
{
    ff50_wire_flow_changed(s);
}

static uint32_t rd_free_buffers(FF50State *s, unsigned idx, uint32_t off)
{
    return 0x3FF;
}

/* "Clear" registers: a write takes bits out of another register. */
static void wr_clear_vfre(FF50State *s, unsigned idx, uint32_t off,
                          uint32_t old, uint32_t val)
{
    ff50_wr(s, RDM_VF_RE(idx), ff50_rd(s, RDM_VF_RE(idx)) & ~val);
}

static void wr_clear_vfte(FF50State *s, unsigned idx, uint32_t off,
                          uint32_t old, uint32_t val)
{
    ff50_wr(s, TDM_VF_TE(idx), ff50_rd(s, TDM_VF_TE(idx)) & ~val);
}

static void wr_clear_vflre(FF50State *s, unsigned idx, uint32_t off,
                           uint32_t old, uint32_t val)
{
    ff50_wr(s, PX_VFLRE(idx), ff50_rd(s, PX_VFLRE(idx)) & ~val);
}

static void wr_w1c(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                   uint32_t val)
{
    ff50_wr(s, off, old & ~val);
}

/* Bits 31 (write) and 30 (read) start a table access and clear themselves. */
static void wr_ips_idx(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    ff50_wr(s, off, val & 0x3FFFFFFF);
}

static void wr_link_gate(FF50State *s, unsigned idx, uint32_t off,
                         uint32_t old, uint32_t val)
{
    if ((old ^ val) & PORT_CTL_FORCE_LKUP) {
        ff50_link_changed(s);
    }
}

/* ------------------------------------------------------------------ */
/* Banked registers                                                     */

static void wr_index(FF50State *s, uint32_t off, uint32_t old, uint32_t val,
                     uint32_t count)
{
    if (val >= count) {
        ff50_violation(s, FF50_VIO_INDEX, off, val, "there are %u entries",
                       count);
        ff50_wr(s, off, old);
    }
}

static void wr_rar_idx(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    wr_index(s, off, old, val, FF50_NR_RAR);
}

static void wr_vlan_idx(FF50State *s, unsigned idx, uint32_t off,
                        uint32_t old, uint32_t val)
{
    wr_index(s, off, old, val, FF50_NR_VLAN_SWC);
}

static uint32_t *ff50_bank(FF50State *s, uint32_t off)
{
    switch (off) {
    case PSR_MAC_SWC_AD_L:
    case PSR_MAC_SWC_AD_H:
    case PSR_MAC_SWC_VM_L:
    case PSR_MAC_SWC_VM_H:
        return &s->rar[ff50_rd(s, PSR_MAC_SWC_IDX) % FF50_NR_RAR]
                      [(off - PSR_MAC_SWC_AD_L) / 4];
    case PSR_VLAN_SWC:
    case PSR_VLAN_SWC_VM_L:
    case PSR_VLAN_SWC_VM_H:
        return &s->vlan_swc[ff50_rd(s, PSR_VLAN_SWC_IDX) % FF50_NR_VLAN_SWC]
                           [(off - PSR_VLAN_SWC) / 4];
    case TDM_RP_RATE:
        return &s->rp_rate[ff50_rd(s, TDM_RP_IDX) % FF50_NR_QUEUES];
    case TDM_RL_QUEUE_CFG:
        return &s->rl_queue[ff50_rd(s, TDM_RL_QUEUE_IDX) % FF50_NR_QUEUES];
    default:
        return &s->rl_vm[ff50_rd(s, 0x18218) % ARRAY_SIZE(s->rl_vm)];
    }
}

static uint32_t rd_bank(FF50State *s, unsigned idx, uint32_t off)
{
    return *ff50_bank(s, off);
}

static void wr_bank(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                    uint32_t val)
{
    *ff50_bank(s, off) = val;
}

/* ------------------------------------------------------------------ */
/* MIS, flash, MDIO                                                     */

static bool ff50_ring_enabled(const FF50State *s)
{
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        if ((ff50_rd(s, PX_RR_CFG(q)) & RR_CFG_EN) ||
            (ff50_rd(s, PX_TR_CFG(q)) & TR_CFG_EN)) {
            return true;
        }
    }
    return false;
}

static void ff50_lan_reset(FF50State *s, FF50State *p, uint32_t val)
{
    if (p != s) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, MIS_RST, val,
                       "LAN reset of the other port");
    } else if (ff50_dma_ok(p) && ff50_ring_enabled(p)) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, MIS_RST, val,
                       "LAN reset with bus mastering on and a ring enabled");
    }
    ff50_port_reset(p, FF50_RESET_LAN);
}

/* All bits clear themselves; the resets are over when the write is. */
static void wr_mis_rst(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    static const uint32_t mac_bit[] = { MIS_RST_LAN0_MAC, MIS_RST_LAN1_MAC };

    if (val & (MIS_RST_SW | MIS_RST_GLOBAL)) {
        ff50_chip_reset(s->card, val & MIS_RST_GLOBAL ? FF50_RST_TYPE_GLOBAL
                                                      : FF50_RST_TYPE_SW);
        return;
    }
    if (val & MIS_RST_FW) {
        ff50_boot_firmware(s->card);
    }
    for (unsigned lan = 0; lan < 2; lan++) {
        FF50State *p = s->card->port[lan];

        if (!p) {
            continue;
        }
        if (val & MIS_RST_FW) {
            ff50_fw_reset(p);
        }
        if (val & MIS_RST_LAN(lan)) {
            ff50_lan_reset(s, p, val);
        }
        if (val & mac_bit[lan]) {
            if (p != s) {
                ff50_violation(s, FF50_VIO_RESET_ORDER, MIS_RST, val,
                               "MAC reset of the other port");
            }
            ff50_port_reset(p, FF50_RESET_MAC);
        }
    }
}

static uint32_t rd_swsm(FF50State *s, unsigned idx, uint32_t off)
{
    uint32_t *v = ff50_slot(s, off), old = *v;

    *v |= 1;
    return old;
}

static void wr_spi_cmd(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                       uint32_t val)
{
    if ((val >> 28 & 7) == 1) {
        *ff50_slot(s, SPI_DATA) = ff50_flash_read(s, val & 0xFFFFFF);
    }
}

/* No external PHY: the transaction ends at once and a read gives all ones. */
static void wr_mscc(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                    uint32_t val)
{
    ff50_wr(s, off, (val & ~(1u << 22)) | 0xFFFF);
}

/* ------------------------------------------------------------------ */
/* Gates                                                                */

static void wr_pf_bme(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                      uint32_t val)
{
    ff50_dp_gate_changed(s);
    ff50_irq_eval(s);
}

static void wr_tr_cfg(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                      uint32_t val)
{
    if ((val & ~old & 1) && !(ff50_rd(s, PX_PF_BME) & 1)) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, off, val,
                       "tx ring enabled before PX_PF_BME was set");
    }
}

static void wr_tx_wp(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                     uint32_t val)
{
    ff50_tx_doorbell(s, idx);
}

static void wr_rx_wp(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                     uint32_t val)
{
    ff50_rx_doorbell(s, idx);
}

/* ------------------------------------------------------------------ */
/* The table.  Specific rows before ranges that fill the rest.          */

#define MISC_BITS   0xFC7FFD00u     /* causes 8, 10-22, 26-31 */
#define MISC_ALL    (MISC_BITS | MISC_VF_MBOX)
#define ITR_BITS    0x8FFF8FFFu     /* 11:0, 15, 20:16, 27:21, 31 */

/* name, offset, access, mask, then optional .field = */
#define REG(n, o, acc, m, ...) \
    { .name = n, .off = (o), .count = 1, .stride = 4, .access = acc, \
      .mask = m, __VA_ARGS__ }
#define ARR(n, o, c, st, acc, m, ...) \
    { .name = n, .off = (o), .count = (c), .stride = (st), .access = acc, \
      .mask = m, __VA_ARGS__ }
#define STAT(n, o) \
    REG(n, o, RO, ALL, .rd = ff50_stats_rd, .flags = F_MAC_KEEP)
#define STAT64(n, o) STAT(n "_L", o), STAT(n "_H", (o) + 4)

static const FF50Reg table[] = {
    /* PX */
#define IRQ .rd = ff50_irq_rd, .wr = ff50_irq_wr
    REG("PX_MISC_IC", PX_MISC_IC, RW, ALL, IRQ, .flags = F_ACT),
    REG("PX_MISC_ICS", PX_MISC_ICS, WO, MISC_ALL, IRQ, .flags = F_ACT),
    REG("PX_MISC_IEN", PX_MISC_IEN, RW, MISC_ALL, .wr = ff50_irq_wr),
    REG("PX_INTA", PX_INTA, WO, 1, IRQ, .flags = F_ACT),
    REG("PX_GPIE", PX_GPIE, RW, 0x7F3, .wr = ff50_irq_wr),
    ARR("PX_IC", PX_IC(0), 2, 4, RW, ALL, IRQ, .flags = F_ACT),
    ARR("PX_ICS", PX_ICS(0), 2, 4, WO, ALL, IRQ, .flags = F_ACT),
    ARR("PX_IMS", PX_IMS(0), 2, 4, RW, ALL, IRQ, .flags = F_ACT),
    ARR("PX_IMC", PX_IMC(0), 2, 4, RW, ALL, IRQ, .flags = F_ACT),
    REG("PX_ISB_ADDR_L", PX_ISB_ADDR_L, RW, ALL),
    REG("PX_ISB_ADDR_H", PX_ISB_ADDR_H, RW, ALL),
    REG("PX_TRANSACTION_PENDING", PX_TRANSACTION_PENDING, RO, ALL,
        .rd = ff50_irq_rd),
    REG("PX_TCP_TIMER", PX_TCP_TIMER, RW, ALL),
    REG("PX_ITRSEL", PX_ITRSEL, RW, ALL),
    ARR("PX_ITR", PX_ITR(0), 64, 4, RW, ITR_BITS, .wr = ff50_irq_wr),
    ARR("PX_MBVFICR", PX_MBVFICR(0), 4, 4, RW, ALL, .wr = wr_w1c,
        .flags = F_ACT),
    ARR("PX_VFLRP", PX_VFLRP(0), 4, 4, RO, ALL),
    ARR("PX_VFLRE", PX_VFLRE(0), 2, 4, RO, ALL),
    ARR("PX_VFLREC", PX_VFLREC(0), 2, 4, RW, ALL, .rd = rd_zero,
        .wr = wr_clear_vflre, .flags = F_ACT),
    REG("PX_PF_BME", PX_PF_BME, RW, 1, .wr = wr_pf_bme,
        .flags = F_DP | F_TX_GATE | F_RX_GATE),
    REG("PX_PF_PEND", PX_PF_PEND, RO, ALL, .rd = rd_zero),
    ARR("PX_VF_PEND", PX_VF_PEND(0), 4, 4, RO, ALL, .rd = rd_zero),
    REG("PX_MISC_IVAR", PX_MISC_IVAR, RW, 0xFF, .wr = ff50_irq_wr),
    ARR("PX_IVAR", PX_IVAR(0), 64, 4, RW, ALL, .wr = ff50_irq_wr),
    ARR("PX_PXMAILBOX", PX_PXMAILBOX(0), 64, 4, RW, ALL),
#undef IRQ

    /* Rx rings */
    ARR("PX_RR_BAL", PX_RR_BAL(0), 128, 0x40, RW, 0xFFFFFF80, .flags = F_DP),
    ARR("PX_RR_BAH", PX_RR_BAH(0), 128, 0x40, RW, ALL, .flags = F_DP),
    ARR("PX_RR_WP", PX_RR_WP(0), 128, 0x40, RW, ALL, .wr = wr_rx_wp),
    ARR("PX_RR_RP", PX_RR_RP(0), 128, 0x40, RW, ALL, .flags = F_DP),
    ARR("PX_RR_CFG", PX_RR_CFG(0), 128, 0x40, RW, 0xFFCFFF7F,
        .flags = F_DP | F_RX_GATE),
    ARR("QPRXPKT", PX_QPRXPKT(0), 128, 0x40, RW, ALL),
    ARR("QPRXOCTL", PX_QPRXOCTL(0), 128, 0x40, RW, ALL),
    ARR("QPRXOCTH", PX_QPRXOCTH(0), 128, 0x40, RW, ALL),
    ARR("PX_MPRC", PX_MPRC(0), 128, 0x40, RW, ALL),

    /* Tx rings */
    ARR("PX_TR_BAL", PX_TR_BAL(0), 128, 0x40, RW, ALL, .flags = F_DP),
    ARR("PX_TR_BAH", PX_TR_BAH(0), 128, 0x40, RW, ALL, .flags = F_DP),
    ARR("PX_TR_WP", PX_TR_WP(0), 128, 0x40, RW, ALL, .wr = wr_tx_wp),
    ARR("PX_TR_RP", PX_TR_RP(0), 128, 0x40, RW, ALL, .flags = F_DP),
    ARR("PX_TR_CFG", PX_TR_CFG(0), 128, 0x40, RW, 0x1DFF0F7F,
        .wr = wr_tr_cfg, .flags = F_DP),
    ARR("QPTXPKT", PX_QPTXPKT(0), 128, 0x40, RW, ALL),
    ARR("QPTXOCTL", PX_QPTXOCTL(0), 128, 0x40, RW, ALL),
    ARR("QPTXOCTH", PX_QPTXOCTH(0), 128, 0x40, RW, ALL),
    ARR("PX_TR_HEAD_ADDRL", PX_TR_HEAD_ADDRL(0), 128, 0x40, RW, ALL,
        .flags = F_DP),
    ARR("PX_TR_HEAD_ADDRH", PX_TR_HEAD_ADDRH(0), 128, 0x40, RW, ALL,
        .flags = F_DP),
    ARR("PX_PXMBMEM", PX_PXMBMEM, 1024, 4, RW, ALL),

    /* MIS, shared by the functions of a card */
    REG("MIS_PWR", MIS_PWR, RO, ALL, .rd = rd_zero),
    REG("MIS_CTL", 0x10004, RW, ALL),
    REG("MIS_LOCKPF", 0x10008, RW, ALL),
    REG("MIS_RST", MIS_RST, RW, 0xE01B000F, .rd = rd_zero, .wr = wr_mis_rst,
        .flags = F_ACT),
    REG("MIS_PRB_CTL", MIS_PRB_CTL, RW, ALL),
    REG("MIS_IODRV", 0x10024, RW, ALL),
    REG("MIS_ST", MIS_ST, RO, ALL, .rd = rd_mis_st),
    REG("MIS_SWSM", MIS_SWSM, RW, ALL, .rd = rd_swsm),
    REG("MIS_RST_ST", MIS_RST_ST, RW, ALL),
    REG("MIS_PWRTMR", 0x10034, RW, ALL),
    /* FMGR */
    REG("SPI_CMD", SPI_CMD, WO, 0x7FFFFFFF, .wr = wr_spi_cmd, .flags = F_ACT),
    REG("SPI_DATA", SPI_DATA, RW, ALL),
    REG("SPI_STATUS", SPI_STATUS, RO, ALL, .rd = rd_one),
    REG("SPI_USR_CMD", 0x10110, RW, ALL),
    ARR("SPI_CMDCFG", 0x10114, 2, 4, RW, ALL),
    REG("SPI_ILDR_STATUS", SPI_ILDR_STATUS, RO, ALL, .rd = rd_ildr),
    REG("SPI_ILDR_SWPTR", 0x10124, RW, ALL),
    ARR("SPI_SRAM_ECC", 0x10130, 3, 4, RW, ALL),
    REG("SPI_FLASH_KEY", 0x10194, WO, ALL),
    /* PRB */
    ARR("PRB", 0x10200, 2, 4, RW, ALL),
    ARR("PRB_DAT", 0x10220, 4, 4, RW, ALL),
    /* thermal; writes in the older chip's layout must do no harm */
    REG("TS_STS", TS_STS_AML, RO, ALL, .rd = ff50_therm_rd),
    ARR("TS_INT_RAW", 0x10300, 3, 4, RW, ALL, .wr = ff50_therm_wr,
        .flags = F_ACT),
    ARR("TS_INT_ST", 0x1030C, 3, 4, RW, ALL, .rd = ff50_therm_rd,
        .wr = ff50_therm_wr, .flags = F_ACT),
    ARR("TS_INT_EN", 0x10318, 3, 4, RW, ALL, .wr = ff50_therm_wr),
    ARR("TS_CTL", 0x10330, 3, 4, RW, ALL, .wr = ff50_therm_wr),

    /* MAC */
    REG("MAC_TX_CFG", MAC_TX_CFG, RW, ALL, .flags = F_DP | F_TX_GATE),
    REG("MAC_RX_CFG", MAC_RX_CFG, RW, ALL, .flags = F_DP | F_RX_GATE),
    REG("MAC_PKT_FLT", MAC_PKT_FLT, RW, ALL),
    REG("MAC_WDG_TIMEOUT", MAC_WDG_TIMEOUT, RW, ALL),
    ARR("MAC_PRB", 0x11010, 2, 4, RW, ALL),
    REG("MAC_RX_FLOW_CTRL", MAC_RX_FLOW_CTRL, RW, ALL),
    REG("MAC_INT_ST", 0x110B0, RO, ALL),
    REG("MSCA", MAC_MSCA, RW, ALL),
    REG("MSCC", MAC_MSCC, RW, ALL, .wr = wr_mscc),
    REG("MDIO_CLAUSE_SELECT", 0x11220, RW, ALL),
    ARR("MAC_ADDRESS0", 0x11300, 2, 4, RW, ALL),
    REG("MMC_CONTROL", MMC_CONTROL, RW, ALL, .wr = ff50_mmc_control_wr),
    STAT64("TX_TOTAL_OCTETS", 0x11814),
    STAT64("TX_FRAME_CNT_GOOD_BAD", 0x1181C),
    STAT64("TX_BC_FRAMES_GOOD", 0x11824),
    STAT64("TX_MC_FRAMES_GOOD", 0x1182C),
    STAT64("TX_64_OCTETS", 0x11834),
    STAT64("TX_65_127_OCTETS", 0x1183C),
    STAT64("TX_128_255_OCTETS", 0x11844),
    STAT64("TX_256_511_OCTETS", 0x1184C),
    STAT64("TX_512_1023_OCTETS", 0x11854),
    STAT64("TX_1024_MAX_OCTETS", 0x1185C),
    STAT64("RX_FRAME_CNT_GOOD_BAD", 0x11900),
    STAT64("RX_TOTAL_OCTETS", 0x11908),
    STAT64("RX_GOOD_OCTETS", 0x11910),
    STAT64("RX_BC_FRAMES_GOOD", 0x11918),
    STAT64("RX_MC_FRAMES_GOOD", 0x11920),
    STAT64("RX_CRC_ERROR_FRAMES", 0x11928),
    STAT("RX_RUNT", 0x11930),
    STAT("RX_JABBER", 0x11934),
    STAT("RX_UNDERSIZE_FRAMES_GOOD", 0x11938),
    STAT("RX_OVERSIZE_FRAMES_GOOD", 0x1193C),
    STAT64("RX_64_OCTETS", 0x11940),
    STAT64("RX_65_127_OCTETS", 0x11948),
    STAT64("RX_128_255_OCTETS", 0x11950),
    STAT64("RX_256_511_OCTETS", 0x11958),
    STAT64("RX_512_1023_OCTETS", 0x11960),
    STAT64("RX_1024_MAX_OCTETS", 0x11968),
    STAT64("RX_UNICAST_FRAMES_GOOD", 0x11970),
    STAT64("RX_LEN_ERROR_FRAMES", 0x11978),
    STAT64("RX_OUT_OF_RANGE_FRAMES", 0x11980),
    STAT64("MAC_LXOFFRXC", 0x11988),
    STAT("MAC_PXOFFRXC", 0x119DC),
    STAT("MAC_LXONRXC", 0x11E0C),
    ARR("MAC_PFC_XOFFRXC", 0x11E10, 8, 4, RO, ALL, .rd = ff50_stats_rd,
        .flags = F_MAC_KEEP),
    ARR("MAC_PFC_XONRXC", 0x11E30, 8, 4, RO, ALL, .rd = ff50_stats_rd,
        .flags = F_MAC_KEEP),
    ARR("MAC_PRB_DATA", 0x11E00, 2, 4, RW, ALL),
    REG("MAC_MISC_CTL", MAC_MISC_CTL, RW, ALL),
    REG("MAC_LXOFFRXC_AML", MAC_LXOFFRXC_AML, RW, ALL, .flags = F_MAC_KEEP),
    REG("MAC_LXONRXC_AML", MAC_LXONRXC_AML, RW, ALL, .flags = F_MAC_KEEP),
    ARR("MAC_PFC_XOFFRXC_AML", 0x11FA0, 8, 4, RW, ALL, .flags = F_MAC_KEEP),
    ARR("MAC_PFC_XONRXC_AML", 0x11FC0, 8, 4, RW, ALL, .flags = F_MAC_KEEP),

    /* RDM */
    REG("RDM_ARB_CTL", 0x12000, RW, ALL),
    ARR("RDM_VF_RE", RDM_VF_RE(0), 2, 4, RW, ALL),
    REG("RDM_RSC_CTL", RDM_RSC_CTL, RW, ALL, .flags = F_DP),
    ARR("RDM_PRB_ECC", 0x12010, 4, 4, RW, ALL),
    REG("BME_CTL", BME_CTL, RW, ALL),
    ARR("RDM_ARB_CFG", 0x12040, 8, 4, RW, 0xC0FFFFFF),
    ARR("RDM_POOL_RX_DIS", 0x12060, 2, 4, RW, ALL),
    ARR("RDM_PF_QDE", RDM_PF_QDE(0), 4, 4, RW, ALL, .flags = F_DP | F_RX_GATE),
    ARR("RDM_PF_HIDE", RDM_PF_HIDE(0), 4, 4, RW, ALL),
    ARR("RDM_VFRE_CLR", RDM_VFRE_CLR(0), 2, 4, RW, ALL, .rd = rd_zero,
        .wr = wr_clear_vfre, .flags = F_ACT),
    REG("RDM_DCACHE_CTL", RDM_DCACHE_CTL, RW, ALL, .flags = F_DP),
    ARR("RDM_FCPTR", 0x12410, 5, 4, RW, ALL),
    STAT("RDM_DRP_PKT", RDM_DRP_PKT),
    STAT("RDM_PKT_CNT", RDM_PKT_CNT),
    STAT("RDM_BYTE_CNT_LSB", RDM_BYTE_CNT_LSB),
    STAT("RDM_BYTE_CNT_MSB", RDM_BYTE_CNT_MSB),
    STAT("RDM_BMC2OS_CNT", RDM_BMC2OS_CNT),
    ARR("RDM_FCOE_CNT", 0x12514, 2, 4, RO, ALL, .rd = rd_zero),

    /* PHY windows */
    REG("XPCS_IDA_ADDR", XPCS_IDA_ADDR, RW, ALL),
    REG("XPCS_IDA_DATA", XPCS_IDA_DATA, RW, ALL, .rd = ff50_phy_rd,
        .wr = ff50_phy_wr, .flags = F_ACT),
    REG("EPHY_IDA_ADDR", EPHY_IDA_ADDR, RW, ALL),
    REG("EPHY_IDA_DATA", EPHY_IDA_DATA, RW, ALL, .rd = ff50_phy_rd,
        .wr = ff50_phy_wr, .flags = F_ACT),
    REG("EPCS_MISC_CTL", EPCS_MISC_CTL, RW, ALL),
    REG("EPHY_STAT", EPHY_STAT, RO, ALL, .rd = rd_ephy_stat),

    /* CFG */
    REG("CFG_PORT_CTL", CFG_PORT_CTL, RW, 0xD8007C1F, .wr = wr_link_gate),
    REG("CFG_PORT_ST", CFG_PORT_ST, RO, ALL, .rd = ff50_port_st_rd),
    REG("CFG_EX_VTYPE", CFG_EX_VTYPE, RW, ALL),
    REG("CFG_VXLAN", CFG_VXLAN, RW, 0xFFFF),
    REG("CFG_VXLAN_GPE", CFG_VXLAN_GPE, RW, 0xFFFF),
    REG("CFG_GENEVE", CFG_GENEVE, RW, 0xFFFF),
    REG("CFG_TEREDO", CFG_TEREDO, RW, 0xFFFF),
    REG("CFG_TCP_TIME", 0x14420, RW, ALL),
    REG("CFG_LED_CTL", CFG_LED_CTL, RW, ALL, .wr = wr_led_ctl),
    REG("CFG_LINKUP_FILTER", 0x14428, RW, ALL),
    ARR("CFG_TAG_TPID", CFG_TAG_TPID(0), 4, 4, RW, ALL),

    /* GPIO, I2C, TPH */
#define GPIO .rd = ff50_gpio_rd, .wr = ff50_gpio_wr
    REG("GPIO_DR", GPIO_DR, RW, ALL, GPIO),
    REG("GPIO_DDR", GPIO_DDR, RW, ALL, GPIO),
    REG("GPIO_CTL", GPIO_CTL, RW, ALL),
    REG("GPIO_INTEN", GPIO_INTEN, RW, ALL, GPIO),
    REG("GPIO_INTMASK", GPIO_INTMASK, RW, ALL, GPIO),
    REG("GPIO_INTTYPE_LEVEL", GPIO_INTTYPE_LEVEL, RW, ALL, GPIO),
    REG("GPIO_POLARITY", GPIO_POLARITY, RW, ALL, GPIO),
    REG("GPIO_INTSTATUS", GPIO_INTSTATUS, RO, ALL, .rd = ff50_gpio_rd),
    REG("GPIO_RAW_INTSTATUS", GPIO_RAW_INTSTATUS, RO, ALL,
        .rd = ff50_gpio_rd),
    REG("GPIO_DEBOUNCE", GPIO_DEBOUNCE, RW, ALL),
    REG("GPIO_EOI", GPIO_EOI, RW, ALL, GPIO),
    REG("GPIO_EXT", GPIO_EXT, RO, ALL, .rd = ff50_gpio_rd),
    REG("GPIO_LS_SYNC", GPIO_LS_SYNC, RW, ALL),
#undef GPIO
    ARR("I2C", I2C_BASE, 64, 4, RW, ALL, .rd = ff50_i2c_rd,
        .wr = ff50_i2c_wr),
    ARR("CFG_TPH", 0x14F00, 4, 4, RW, ALL),

    /* PSR */
    REG("PSR_CTL", PSR_CTL, RW, 0x7B7F0, .flags = F_DP),
    ARR("PSR_STRM", 0x15004, 2, 4, RW, ALL),
    ARR("PSR_PRB_ECC", 0x15010, 4, 4, RW, ALL),
    REG("PSR_MAX_SZ", PSR_MAX_SZ, RW, 0xFFFF, .flags = F_DP),
    REG("PSR_VLAN_CTL", PSR_VLAN_CTL, RW, 0x7000FFFF),
    REG("PSR_1588_MSG", PSR_1588_MSG, RW, ALL),
    ARR("PSR_ETYPE_SWC", PSR_ETYPE_SWC(0), 8, 4, RW, 0xEFF0FFFF),
    REG("PSR_1588_CTL", PSR_1588_CTL, RW, 0x1F, .wr = ff50_ptp_wr),
    REG("PSR_1588_ATTRL", PSR_1588_ATTRL, RO, ALL),
    REG("PSR_1588_STMPH", PSR_1588_STMPH, RO, ALL, .rd = ff50_ptp_rd),
    REG("PSR_1588_ATTRH", PSR_1588_ATTRH, RO, ALL),
    REG("PSR_VM_CTL", PSR_VM_CTL, RW, 0x60031F80),
    ARR("PSR_PKT_CNT", 0x151B8, 4, 4, RO, ALL, .rd = rd_zero),
    ARR("PSR_DROP_SWITCH_BACK", 0x151C8, 2, 4, RW, ALL),
    REG("PSR_1588_STMPL", PSR_1588_STMPL, RO, ALL),
    ARR("PSR_MC_TBL", PSR_MC_TBL(0), 128, 4, RW, ALL),
    ARR("PSR_UC_TBL", PSR_UC_TBL(0), 128, 4, RW, ALL),
    ARR("PSR_VM_L2CTL", PSR_VM_L2CTL(0), 64, 4, RW, 0x1FF7),
    REG("PSR_MNG_FIT_CTL", 0x15820, RW, ALL),
    REG("PSR_MNG_FLEX_SEL", 0x1582C, RW, ALL),
    ARR("PSR_MNG_FLEX_DW_L", 0x15A00, 16, 16, RW, ALL),
    ARR("PSR_MNG_FLEX_DW_H", 0x15A04, 16, 16, RW, ALL),
    ARR("PSR_MNG_FLEX_MSK", 0x15A08, 16, 16, RW, ALL),
    ARR("PSR_MR", 0x15B00, 20, 4, RW, ALL),
    REG("PSR_WKUP_CTL", 0x15B80, RW, ALL),
    REG("PSR_WKUP_IPV", 0x15B84, RW, ALL),
    REG("PSR_LAN_FLEX_SEL", 0x15B8C, RW, ALL),
    ARR("PSR_WKUP_IP4TBL", 0x15BC0, 4, 4, RW, ALL),
    ARR("PSR_WKUP_IP6TBL", 0x15BE0, 4, 4, RW, ALL),
    ARR("PSR_LAN_FLEX_DW_L", 0x15C00, 16, 16, RW, ALL),
    ARR("PSR_LAN_FLEX_DW_H", 0x15C04, 16, 16, RW, ALL),
    ARR("PSR_LAN_FLEX_MSK", 0x15C08, 16, 16, RW, ALL),
    REG("PSR_LAN_FLEX_CTL", 0x15CFC, RW, ALL),
    ARR("PSR_VLAN_TBL", PSR_VLAN_TBL(0), 128, 4, RW, ALL),
#define BANK .rd = rd_bank, .wr = wr_bank, .flags = F_ACT
    REG("PSR_MAC_SWC_AD_L", PSR_MAC_SWC_AD_L, RW, ALL, BANK),
    REG("PSR_MAC_SWC_AD_H", PSR_MAC_SWC_AD_H, RW, 0xC000FFFF, BANK),
    REG("PSR_MAC_SWC_VM_L", PSR_MAC_SWC_VM_L, RW, ALL, BANK),
    REG("PSR_MAC_SWC_VM_H", PSR_MAC_SWC_VM_H, RW, ALL, BANK),
    REG("PSR_MAC_SWC_IDX", PSR_MAC_SWC_IDX, RW, ALL, .wr = wr_rar_idx),
    REG("PSR_VLAN_SWC", PSR_VLAN_SWC, RW, 0x80000FFF, BANK),
    REG("PSR_VLAN_SWC_VM_L", PSR_VLAN_SWC_VM_L, RW, ALL, BANK),
    REG("PSR_VLAN_SWC_VM_H", PSR_VLAN_SWC_VM_H, RW, ALL, BANK),
    REG("PSR_VLAN_SWC_IDX", PSR_VLAN_SWC_IDX, RW, ALL, .wr = wr_vlan_idx),
    ARR("PSR_CL_SWC", 0x16240, 9, 4, RW, ALL),
    ARR("PSR_FC", 0x15100, 27, 4, RW, ALL),

    /* RSEC */
    REG("RSC_CTL", RSC_CTL, RW, 0x4F, .flags = F_DP | F_RX_GATE),
    REG("RSC_ST", RSC_ST, RO, ALL, .rd = rd_one),
    ARR("RSC_PRB_ECC", 0x17010, 4, 4, RW, ALL),
    REG("RSC_IPS_IDX", RSC_IPS_IDX, RW, 0xC0001FFF, .wr = wr_ips_idx),
    ARR("RSC_IPS", 0x17104, 12, 4, RW, ALL),
    ARR("RSC_LSEC", 0x17200, 16, 4, RW, ALL),
    ARR("RSC_LSEC_CNT", 0x17240, 17, 4, RO, ALL, .rd = rd_zero),

    /* TSEC and 1588 */
    REG("TSC_CTL", TSC_CTL, RW, 0xF, .wr = wr_tsc_ctl,
        .flags = F_DP | F_TX_GATE),
    REG("TSC_ST", TSC_ST, RO, ALL, .rd = rd_one),
    REG("TSC_BUF_AF", 0x1D008, RW, ALL),
    REG("TSC_BUF_AE", TSC_BUF_AE, RW, 0x3FF),
    ARR("TSC_PRB_ECC", 0x1D010, 4, 4, RW, ALL),
    REG("TSC_MIN_IFG", 0x1D020, RW, 0xF),
    REG("TSC_IPS_IDX", TSC_IPS_IDX, RW, 0xC0001FFF, .wr = wr_ips_idx),
    ARR("TSC_IPS", 0x1D104, 5, 4, RW, ALL),
    ARR("TSC_LSEC", 0x1D200, 15, 4, RW, ALL),
    ARR("TSC_LSEC_CNT", 0x1D23C, 5, 4, RO, ALL, .rd = rd_zero),
#define PTP .rd = ff50_ptp_rd, .wr = ff50_ptp_wr
    REG("TSC_1588_CTL", TSC_1588_CTL, RW, 0x11, PTP),
    REG("TSC_1588_STMPL", TSC_1588_STMPL, RO, ALL),
    REG("TSC_1588_STMPH", TSC_1588_STMPH, RO, ALL, .rd = ff50_ptp_rd),
    REG("TSC_1588_SYSTIML", TSC_1588_SYSTIML, RW, ALL, PTP),
    REG("TSC_1588_SYSTIMH", TSC_1588_SYSTIMH, RW, ALL, PTP),
    REG("TSC_1588_INC", TSC_1588_INC, RW, ALL, PTP),
    REG("TSC_1588_ADJL", TSC_1588_ADJL, RW, ALL),
    REG("TSC_1588_ADJH", TSC_1588_ADJH, RW, ALL),
    REG("TSC_1588_INT_ST", TSC_1588_INT_ST, RW, ALL, .rd = ff50_ptp_rd,
        .wr = wr_w1c, .flags = F_ACT),
    REG("TSC_1588_INT_EN", TSC_1588_INT_EN, RW, 0x30, PTP),
    REG("TSC_1588_AUX_CTL", TSC_1588_AUX_CTL, RW, 0x507, PTP),
    ARR("TSC_1588_TRGT", TSC_1588_TRGT_L(0), 4, 4, RW, ALL, PTP),
    ARR("TSC_1588_FREQ_CLK", 0x1D43C, 2, 4, RW, ALL),
    ARR("TSC_1588_AUX_STMP", 0x1D44C, 4, 4, RO, ALL),
    ARR("TSC_1588_SDP", TSC_1588_SDP(0), 4, 4, RW, 0x17),
#undef PTP

    /* TDM */
    REG("TDM_CTL", TDM_CTL, RW, 0xFFFF0003, .flags = F_DP | F_TX_GATE),
    ARR("TDM_VF_TE", TDM_VF_TE(0), 2, 4, RW, ALL),
    ARR("TDM_PRB_ECC", 0x18010, 4, 4, RW, ALL),
    ARR("TDM_PB_THRE", 0x18020, 8, 4, RW, ALL),
    ARR("TDM_LLQ", 0x18040, 4, 4, RW, ALL),
    ARR("TDM_ETYPE_LB", 0x18050, 2, 4, RW, ALL),
    ARR("TDM_ETYPE_AS", 0x18058, 2, 4, RW, ALL),
    ARR("TDM_MAC_AS", 0x18060, 2, 4, RW, ALL),
    ARR("TDM_VLAN_AS", 0x18070, 2, 4, RW, ALL),
    ARR("TDM_TCP_FLG", 0x18078, 2, 4, RW, ALL),
    ARR("TDM_VFTE_CLR", TDM_VFTE_CLR(0), 2, 4, RW, ALL, .rd = rd_zero,
        .wr = wr_clear_vfte, .flags = F_ACT),
    ARR("TDM_DESC_CHK", TDM_DESC_CHK(0), 4, 4, RW, ALL, .flags = F_DP),
    ARR("TDM_DESC_NONFATAL", TDM_DESC_NONFATAL(0), 4, 4, RW, ALL,
        .flags = F_ACT | F_DP),
    ARR("TDM_DESC_FATAL", TDM_DESC_FATAL(0), 4, 4, RO, ALL),
    ARR("TDM_VLAN_INS", TDM_VLAN_INS(0), 64, 4, RW, 0xDF00FFFF),
    REG("TDM_PBWARB_CTL", 0x18200, RW, ALL),
    REG("TDM_POOLTXARB", 0x18204, RW, ALL),
    REG("TDM_MMW", 0x18208, RW, ALL),
    REG("TDM_RP_IDX", TDM_RP_IDX, RW, ALL),
    REG("TDM_RL_QUEUE_IDX", TDM_RL_QUEUE_IDX, RW, ALL),
    REG("TDM_RL_QUEUE_CFG", TDM_RL_QUEUE_CFG, RW, 0xFFFFFFFD, BANK),
    REG("TDM_RL_VM_IDX", 0x18218, RW, ALL),
    REG("TDM_RL_VM_CFG", 0x1821C, RW, ALL, BANK),
    ARR("TDM_PBWARB_CFG", 0x18220, 8, 4, RW, 0xC0FFFFFF),
    STAT("TDM_DRP", TDM_DRP),
    STAT("TDM_SEC_DRP", TDM_SEC_DRP),
    STAT("TDM_PKT_CNT", TDM_PKT_CNT),
    STAT("TDM_BYTE_CNT_LSB", TDM_BYTE_CNT_LSB),
    STAT("TDM_BYTE_CNT_MSB", TDM_BYTE_CNT_MSB),
    STAT("TDM_OS2BMC_CNT", 0x18314),
    ARR("TDM_FCOE_CNT", 0x18318, 2, 4, RO, ALL, .rd = rd_zero),
    ARR("TDM_FC", 0x18380, 2, 4, RW, ALL),
    REG("TDM_RL_CFG", 0x18400, RW, ALL),
    REG("TDM_RP_RATE", TDM_RP_RATE, RW, ALL, BANK),
    ARR("TDM_VM_CREDIT", 0x18500, 128, 4, RW, 0x3FF),
    ARR("TDM_ETAG_INS", 0x18700, 64, 4, RW, ALL),
#undef BANK

    /* RDB */
    REG("RDB_PB_CTL", RDB_PB_CTL, RW, 0x80000001, .flags = F_DP | F_RX_GATE),
    REG("RDB_PB_WRAP", 0x19004, RO, ALL, .rd = rd_zero),
    REG("RDB_UP2TC", 0x19008, RW, ALL),
    ARR("RDB_PRB_ECC", 0x19010, 4, 4, RW, ALL),
    /* 512 KiB in TC 0 as upstream leaves it, a driver sizes it at open */
    ARR("RDB_PB_SZ", RDB_PB_SZ(0), 8, 4, RW, 0xFFC00, .reset = 64 << 10),
    REG("RDB_MPCNT", RDB_MPCNT(0), RO, ALL, .rd = ff50_stats_rd),
    ARR("RDB_MPCNT1", RDB_MPCNT(1), 7, 4, RO, ALL, .rd = rd_zero),
    ARR("RDB_PKT_REPLI", 0x19060, 2, 4, RO, ALL, .rd = rd_zero),
    STAT("RDB_DRP_CNT", 0x19068),
    REG("RDB_TXSWERR", 0x1906C, RO, ALL, .rd = rd_free_buffers),
    REG("RDB_LLI_THRE", 0x19080, RW, ALL),
    ARR("RDB_ETYPE_CLS", RDB_ETYPE_CLS(0), 8, 4, RW, 0xA07F0000),
    REG("RDB_SYN_CLS", RDB_SYN_CLS, RW, 0x800000FF),
    REG("RDB_FCRE_CTL", 0x19140, RW, ALL),
    ARR("RDB_FCRE_TBL", 0x19160, 8, 4, RW, ALL),
    ARR("RDB_BUF_ST", 0x19180, 24, 4, RO, ALL, .rd = rd_zero),
    ARR("RDB_RFCV", RDB_RFCV(0), 4, 4, RW, ALL, .rd = rd_rfcv),
    ARR("RDB_PFCMACDA", 0x19210, 2, 4, RW, ALL),
    REG("RDB_LXOFFTXC", 0x19218, RO, ALL, .rd = rd_clear),
    REG("RDB_LXONTXC", 0x1921C, RO, ALL, .rd = rd_clear),
    ARR("RDB_RFCL", RDB_RFCL(0), 8, 4, RW, 0x8007FFF0, .wr = wr_flow),
    ARR("RDB_RFCH", RDB_RFCH(0), 8, 4, RW, 0x8007FFF0, .wr = wr_flow),
    ARR("RDB_PXON2OFF", 0x19280, 8, 4, RO, ALL, .rd = rd_clear),
    REG("RDB_RFCRT", 0x192A0, RW, ALL),
    REG("RDB_RFCC", RDB_RFCC, RW, ALL, .wr = wr_flow),
    ARR("RDB_PXOFFTXC", 0x192C0, 8, 4, RO, ALL, .rd = rd_clear),
    ARR("RDB_PXONTXC", 0x192E0, 8, 4, RO, ALL, .rd = rd_clear),
    ARR("RDB_PL_CFG", RDB_PL_CFG(0), 64, 4, RW, 0xE1FF003E),
    ARR("RDB_RSSTBL", RDB_RSSTBL(0), 32, 4, RW, 0x7F7F7F7F),
    ARR("RDB_RSSRK", RDB_RSSRK(0), 10, 4, RW, ALL),
    REG("RDB_RSS_TC", RDB_RSS_TC, RW, ALL),
    REG("RDB_RA_CTL", RDB_RA_CTL, RW, 0xFFFF0005),
    REG("RDB_QARBRXTC", 0x194F8, RW, ALL),
    REG("RDB_FDIR_CTL", RDB_FDIR_CTL, RW, 0xFFF07FFB, .flags = F_DP),
    ARR("RDB_FDIR_IP6", RDB_FDIR_IP6(0), 3, 4, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_SA", RDB_FDIR_SA, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_DA", RDB_FDIR_DA, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_PORT", RDB_FDIR_PORT, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_FLEX", RDB_FDIR_FLEX, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_HASH", RDB_FDIR_HASH, RW, ALL, .flags = F_DP),
    REG("RDB_FDIR_CMD", RDB_FDIR_CMD, RW, 0x3FFF9FFF, .flags = F_DP),
    REG("RDB_FDIR_FREE", RDB_FDIR_FREE, RO, ALL),
    REG("RDB_FDIR_LEN", RDB_FDIR_LEN, RO, ALL),
    REG("RDB_FDIR_USE_ST", RDB_FDIR_USE_ST, RO, ALL, .rd = rd_clear),
    REG("RDB_FDIR_FAIL_ST", RDB_FDIR_FAIL_ST, RO, ALL, .rd = rd_clear),
    STAT("RDB_FDIR_MATCH", RDB_FDIR_MATCH),
    STAT("RDB_FDIR_MISS", RDB_FDIR_MISS),
    ARR("RDB_FDIR_FLEX_CFG", RDB_FDIR_FLEX_CFG(0), 16, 4, RW, ALL,
        .flags = F_DP),
    ARR("RDB_FDIR", 0x19500, 40, 4, RW, ALL, .flags = F_DP),
    ARR("RDB_5T_SA", RDB_5T_SA(0), 128, 4, RW, ALL),
    ARR("RDB_5T_DA", RDB_5T_DA(0), 128, 4, RW, ALL),
    ARR("RDB_5T_SDP", RDB_5T_SDP(0), 128, 4, RW, ALL),
    ARR("RDB_5T_CTL0", RDB_5T_CTL0(0), 128, 4, RW, ALL),
    ARR("RDB_5T_CTL1", RDB_5T_CTL1(0), 128, 4, RW, ALL),
    ARR("RDB_VMRSSRK", 0x1A000, 1024, 4, RW, ALL),
    ARR("RDB_VMRSSTBL", 0x1B000, 1024, 4, RW, ALL),

    /* TDB */
    REG("TDB_BUF_ST", 0x1C004, RO, ALL, .rd = rd_zero),
    ARR("TDB_PRB_ECC", 0x1C010, 4, 4, RW, ALL),
    REG("TDB_UP2TC", 0x1C800, RW, ALL),
    ARR("TDB_PB_SZ", TDB_PB_SZ(0), 8, 4, RW, ALL),
    REG("TDB_PBRARB_CTL", 0x1CD00, RW, ALL),
    REG("TDB_MNG_TC", 0x1CD10, RW, ALL),
    ARR("TDB_PBRARB_CFG", 0x1CD20, 8, 4, RW, 0xC0FFFFFF),
    REG("TDB_FC_ST", 0x1CE00, RO, ALL, .rd = rd_zero),
    ARR("TDB_CNT", 0x1CF00, 3, 4, RO, ALL, .rd = rd_zero),

    /* MNG; the first four dwords are shared by the functions of a card */
    REG("MNG_FW_SM", MNG_FW_SM, RO, ALL),
    REG("MNG_SW_SM", MNG_SW_SM, RW, ALL),
    REG("MNG_SWFW_SYNC", MNG_SWFW_SYNC, RW, ALL),
    REG("MNG_PRB", 0x1E010, RW, ALL),
    REG("MNG_MBOX_CTL", MNG_MBOX_CTL, RW, ALL, .wr = ff50_fw_old_doorbell),
    ARR("MNG_BMC_CNT", 0x1E090, 2, 4, RO, ALL, .rd = rd_zero),
    REG("SW2FW_MBOX_CMD", SW2FW_MBOX_CMD, RW, ALL, .wr = ff50_fw_doorbell),
    REG("FW2SW_MBOX_CMD", FW2SW_MBOX_CMD, RW, ALL),
    ARR("MNG_MBOX", MNG_MBOX, 64, 4, RW, ALL),
    ARR("SW2FW_MBOX", SW2FW_MBOX, 64, 4, RW, ALL),
    ARR("FW2SW_MBOX", FW2SW_MBOX, 64, 4, RW, ALL),
    REG("PCIE_PRB", 0x1F010, RW, ALL),
};

static uint16_t index_of[FF50_BAR0_SIZE / 4];   /* row + 1, 0 = unnamed */

void ff50_regs_init(void)
{
    for (unsigned r = 0; r < ARRAY_SIZE(table); r++) {
        for (unsigned i = 0; i < table[r].count; i++) {
            uint32_t off = table[r].off + i * table[r].stride;

            if (!index_of[off / 4]) {
                index_of[off / 4] = r + 1;
            }
        }
    }
}

static const FF50Reg *ff50_row(uint32_t off)
{
    uint16_t r = off < FF50_BAR0_SIZE ? index_of[off / 4] : 0;

    return r ? &table[r - 1] : NULL;
}

const char *ff50_reg_name(uint32_t off, char *buf, size_t len)
{
    const FF50Reg *r = ff50_row(off);

    if (!r) {
        snprintf(buf, len, "0x%05x", off);
    } else if (r->count == 1) {
        snprintf(buf, len, "%s", r->name);
    } else {
        snprintf(buf, len, "%s(%u)", r->name, (off - r->off) / r->stride);
    }
    return buf;
}

/**
 * ff50_reg_read() - one 32-bit read of BAR0
 * @s: port
 * @off: offset, aligned, below FF50_BAR0_SIZE
 *
 * Return: what the guest sees.
 */
uint32_t ff50_reg_read(FF50State *s, uint32_t off)
{
    const FF50Reg *r = ff50_row(off);

    if (!r) {
        ff50_violation(s, FF50_VIO_UNNAMED, off, 0, "read");
        return *ff50_slot(s, off);
    }
    if (r->access == WO) {
        ff50_violation(s, FF50_VIO_WO_READ, off, 0, "read");
        return 0;
    }
    if (r->rd) {
        return r->rd(s, (off - r->off) / r->stride, off);
    }
    return *ff50_slot(s, off);
}

/**
 * ff50_reg_write() - one 32-bit write of BAR0
 * @s: port
 * @off: offset, aligned, below FF50_BAR0_SIZE
 * @val: value; bits outside of the register's fields are reported and dropped
 */
void ff50_reg_write(FF50State *s, uint32_t off, uint32_t val)
{
    const FF50Reg *r = ff50_row(off);
    uint32_t *slot = ff50_slot(s, off), old = *slot;

    if (!r) {
        ff50_violation(s, FF50_VIO_UNNAMED, off, val, "write");
        *slot = val;
        return;
    }
    if (r->access == RO) {
        ff50_violation(s, FF50_VIO_RO_WRITE, off, val, "write");
        return;
    }
    if (val & ~r->mask) {
        ff50_violation(s, FF50_VIO_RESERVED, off, val,
                       "reserved bits 0x%08x", val & ~r->mask);
        val &= r->mask;
    }
    if (!(r->flags & F_ACT)) {
        *slot = val;
    }
    if (r->flags & F_DP) {
        ff50_dp_reg_written(s, off, old, val);
    }
    if (r->wr) {
        r->wr(s, (off - r->off) / r->stride, off, old, val);
    }
    if (r->flags & F_TX_GATE) {
        ff50_tx_kick(s);
    }
    if (r->flags & F_RX_GATE) {
        ff50_wire_gate_changed(s);
    }
}

/* ------------------------------------------------------------------ */
/* Reset                                                                */

static void ff50_clear_range(FF50State *s, FF50Reset level)
{
    for (uint32_t off = 0; off < FF50_BAR0_SIZE; off += 4) {
        const FF50Reg *r = ff50_row(off);
        bool hit;

        switch (level) {
        case FF50_RESET_MAC:
            hit = off >= 0x11000 && off < 0x12000 &&
                  !(r && (r->flags & F_MAC_KEEP));
            break;
        case FF50_RESET_LAN:
            hit = !ff50_keeps_lan(off);
            break;
        default:
            hit = !ff50_is_shared(off);
            break;
        }
        if (hit) {
            s->regs[off / 4] = r ? r->reset : 0;
        }
    }
}

void ff50_load_rar0(FF50State *s)
{
    const uint8_t *m = s->nic_conf.macaddr.a;

    s->rar[0][0] = (uint32_t)m[2] << 24 | m[3] << 16 | m[4] << 8 | m[5];
    s->rar[0][1] = RAR_AD_H_AV | m[0] << 8 | m[1];
}

/**
 * ff50_regs_reset() - put registers to their reset values
 * @s: port
 * @level: which of them; those that the card's functions share are not
 *         touched here, and what is loaded from flash is ff50_boot_port()'s
 */
void ff50_regs_reset(FF50State *s, FF50Reset level)
{
    ff50_clear_range(s, level);
    if (level == FF50_RESET_MAC) {
        return;
    }
    memset(s->rar, 0, sizeof(s->rar));
    memset(s->vlan_swc, 0, sizeof(s->vlan_swc));
    memset(s->rp_rate, 0, sizeof(s->rp_rate));
    memset(s->rl_queue, 0, sizeof(s->rl_queue));
    memset(s->rl_vm, 0, sizeof(s->rl_vm));
}

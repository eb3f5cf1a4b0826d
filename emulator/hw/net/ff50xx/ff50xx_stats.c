/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics registers (hardware/05) and the model's own counters.
 */
#include "qemu/osdep.h"
#include "ff50xx_int.h"

#define FCS_LEN         4
#define MAX_STD_FRAME   1518        /* with FCS; longer counts as oversize */

#define MMC_RESET       (1u << 0)
#define MMC_FREEZE      (1u << 3)

enum { W32, LO, HI };

static const struct {
    uint32_t off;
    uint8_t stat;
    uint8_t part;
} stat_regs[] = {
#define C32(o, n)   { o, FF50_STAT_##n, W32 }
#define C64(o, n)   { o, FF50_STAT_##n, LO }, { (o) + 4, FF50_STAT_##n, HI }
    C32(RDM_DRP_PKT, RDM_DRP),
    C32(RDM_PKT_CNT, RDM_PKT),
    C64(RDM_BYTE_CNT_LSB, RDM_BYTE),
    C32(TDM_DRP, TDM_DRP),
    C32(TDM_SEC_DRP, TDM_SEC_DRP),
    C32(TDM_PKT_CNT, TDM_PKT),
    C64(TDM_BYTE_CNT_LSB, TDM_BYTE),
    C64(0x11814, MAC_TX_OCTETS),
    C64(0x1181C, MAC_TX_FRAMES),
    C64(0x11824, MAC_TX_BC),
    C64(0x1182C, MAC_TX_MC),
    C64(0x11834, MAC_TX_BIN0),
    C64(0x1183C, MAC_TX_BIN1),
    C64(0x11844, MAC_TX_BIN2),
    C64(0x1184C, MAC_TX_BIN3),
    C64(0x11854, MAC_TX_BIN4),
    C64(0x1185C, MAC_TX_BIN5),
    C64(0x11900, MAC_RX_FRAMES),
    C64(0x11908, MAC_RX_OCTETS),
    C64(0x11910, MAC_RX_OCTETS_GOOD),
    C64(0x11918, MAC_RX_BC),
    C64(0x11920, MAC_RX_MC),
    C64(0x11928, MAC_RX_CRC),
    C32(0x11934, MAC_RX_JABBER),
    C32(0x11938, MAC_RX_UNDER),
    C32(0x1193C, MAC_RX_OVER),
    C64(0x11940, MAC_RX_BIN0),
    C64(0x11948, MAC_RX_BIN1),
    C64(0x11950, MAC_RX_BIN2),
    C64(0x11958, MAC_RX_BIN3),
    C64(0x11960, MAC_RX_BIN4),
    C64(0x11968, MAC_RX_BIN5),
    C64(0x11978, MAC_RX_LEN),
    C32(RDB_MPCNT(0), RDB_MPCNT0),
    C32(0x19068, RDB_DRP),
    C32(RDB_FDIR_MATCH, FDIR_MATCH),
    C32(RDB_FDIR_MISS, FDIR_MISS),
};

static bool ff50_stats_is_mmc(uint32_t off)
{
    return off >= 0x11800 && off < 0x11A00;
}

/*
 * Clear on read.  Reading L latches H into a shadow and clears both, so that
 * the pair is coherent; MMC counters clear only under MMC_CONTROL.RSTONRD.
 */
uint32_t ff50_stats_rd(FF50State *s, unsigned idx, uint32_t off)
{
    bool clear = !ff50_stats_is_mmc(off) ||
                 (ff50_rd(s, MMC_CONTROL) & MMC_CONTROL_RSTONRD);
    uint64_t v;

    for (unsigned i = 0; i < ARRAY_SIZE(stat_regs); i++) {
        unsigned n = stat_regs[i].stat;

        if (stat_regs[i].off != off) {
            continue;
        }
        if (stat_regs[i].part == HI) {
            v = s->stat.shadow_h[n];
            s->stat.shadow_h[n] = 0;
            return v;
        }
        v = s->stat.c[n];
        if (stat_regs[i].part == LO) {
            s->stat.shadow_h[n] = v >> 32;
        }
        if (clear) {
            s->stat.c[n] = 0;
        }
        return v;
    }
    return 0;
}

void ff50_mmc_control_wr(FF50State *s, unsigned idx, uint32_t off,
                         uint32_t old, uint32_t val)
{
    if (val & MMC_RESET) {
        for (unsigned i = 0; i < ARRAY_SIZE(stat_regs); i++) {
            if (ff50_stats_is_mmc(stat_regs[i].off)) {
                s->stat.c[stat_regs[i].stat] = 0;
                s->stat.shadow_h[stat_regs[i].stat] = 0;
            }
        }
        ff50_wr(s, off, val & ~MMC_RESET);
    }
}

void ff50_stats_reset(FF50State *s)
{
    memset(&s->stat, 0, sizeof(s->stat));
}

static unsigned ff50_size_bin(uint32_t len)
{
    return len <= 64 ? 0 : len <= 127 ? 1 : len <= 255 ? 2 :
           len <= 511 ? 3 : len <= 1023 ? 4 : 5;
}

static bool ff50_is_bcast(const uint8_t *f)
{
    return (f[0] & f[1] & f[2] & f[3] & f[4] & f[5]) == 0xFF;
}

void ff50_stats_mac_tx(FF50State *s, const uint8_t *frame, uint32_t len)
{
    uint32_t wire = len + FCS_LEN;

    s->led_active_ns = ff50_now_ns();
    if (ff50_rd(s, MMC_CONTROL) & MMC_FREEZE) {
        return;
    }
    s->stat.c[FF50_STAT_MAC_TX_FRAMES]++;
    s->stat.c[FF50_STAT_MAC_TX_OCTETS] += wire;
    s->stat.c[FF50_STAT_MAC_TX_BIN0 + ff50_size_bin(wire)]++;
    if (ff50_is_bcast(frame)) {
        s->stat.c[FF50_STAT_MAC_TX_BC]++;
    } else if (frame[0] & 1) {
        s->stat.c[FF50_STAT_MAC_TX_MC]++;
    }
}

void ff50_stats_mac_rx(FF50State *s, const uint8_t *frame, uint32_t len,
                       unsigned flags)
{
    uint32_t wire = MAX(len, 60u) + FCS_LEN;

    s->led_active_ns = ff50_now_ns();
    if (ff50_rd(s, MMC_CONTROL) & MMC_FREEZE) {
        return;
    }
    s->stat.c[FF50_STAT_MAC_RX_FRAMES]++;
    s->stat.c[FF50_STAT_MAC_RX_OCTETS] += wire;
    s->stat.c[FF50_STAT_MAC_RX_BIN0 + ff50_size_bin(wire)]++;
    if (flags & FF50_RXF_CRC_ERR) {
        s->stat.c[wire > MAX_STD_FRAME ? FF50_STAT_MAC_RX_JABBER
                                       : FF50_STAT_MAC_RX_CRC]++;
        return;
    }
    if (flags & FF50_RXF_LEN_ERR) {
        s->stat.c[FF50_STAT_MAC_RX_LEN]++;
        return;
    }
    s->stat.c[FF50_STAT_MAC_RX_OCTETS_GOOD] += wire;
    if (wire > MAX_STD_FRAME) {
        s->stat.c[FF50_STAT_MAC_RX_OVER]++;
    }
    if (ff50_is_bcast(frame)) {
        s->stat.c[FF50_STAT_MAC_RX_BC]++;
    } else if (frame[0] & 1) {
        s->stat.c[FF50_STAT_MAC_RX_MC]++;
    }
}

void ff50_stats_pause_rx(FF50State *s, bool xoff)
{
    uint32_t off = xoff ? MAC_LXOFFRXC_AML : MAC_LXONRXC_AML;

    ff50_wr(s, off, ff50_rd(s, off) + 1);
    if (xoff) {
        s->cnt.pause_rx_xoff++;
    } else {
        s->cnt.pause_rx_xon++;
    }
}

void ff50_stats_pause_tx(FF50State *s, bool xoff)
{
    uint32_t off = xoff ? RDB_LXOFFTXC : RDB_LXONTXC;

    ff50_wr(s, off, ff50_rd(s, off) + 1);
    if (xoff) {
        s->cnt.pause_tx_xoff++;
    } else {
        s->cnt.pause_tx_xon++;
    }
}

/* Adds len to a 36-bit counter pair of a queue. */
static void ff50_stats_octets(FF50State *s, uint32_t lo, uint32_t hi,
                              uint32_t len)
{
    uint64_t v = ((uint64_t)ff50_rd(s, hi) << 32 | ff50_rd(s, lo)) + len;

    ff50_wr(s, lo, v);
    ff50_wr(s, hi, v >> 32 & 0xF);
}

void ff50_stats_tx_dma(FF50State *s, unsigned q, uint32_t len)
{
    s->stat.c[FF50_STAT_TDM_PKT]++;
    s->stat.c[FF50_STAT_TDM_BYTE] += len;
    ff50_wr(s, PX_QPTXPKT(q), ff50_rd(s, PX_QPTXPKT(q)) + 1);
    ff50_stats_octets(s, PX_QPTXOCTL(q), PX_QPTXOCTH(q), len);
}

void ff50_stats_rx_dma(FF50State *s, unsigned q, uint32_t len, bool mcast)
{
    s->cnt.rx_frames++;
    s->cnt.rx_bytes += len;
    s->stat.c[FF50_STAT_RDM_PKT]++;
    s->stat.c[FF50_STAT_RDM_BYTE] += len;
    ff50_wr(s, PX_QPRXPKT(q), ff50_rd(s, PX_QPRXPKT(q)) + 1);
    ff50_stats_octets(s, PX_QPRXOCTL(q), PX_QPRXOCTH(q), len);
    if (mcast) {
        ff50_wr(s, PX_MPRC(q), ff50_rd(s, PX_MPRC(q)) + 1);
    }
}

void ff50_stats_rx_drop(FF50State *s, FF50Drop why)
{
    switch (why) {
    case FF50_DROP_NODESC:
        s->cnt.rx_drop_nodesc++;
        s->stat.c[FF50_STAT_RDM_DRP]++;
        break;
    case FF50_DROP_MISSED:
        s->cnt.rx_drop_nodesc++;
        s->stat.c[FF50_STAT_RDB_MPCNT0]++;
        s->stat.c[FF50_STAT_RDB_DRP]++;
        break;
    case FF50_DROP_FILTER:
    case FF50_DROP_OVERSIZE:
        s->cnt.rx_drop_filter++;
        break;
    case FF50_DROP_GATE:
        s->cnt.rx_drop_gate++;
        break;
    }
}

void ff50_stats_fdir(FF50State *s, bool match)
{
    s->stat.c[match ? FF50_STAT_FDIR_MATCH : FF50_STAT_FDIR_MISS]++;
}

/**
 * ff50_counters_json() - the model's counters as one line of JSON
 * @s: port
 *
 * Return: the text, to be freed by the caller.
 */
char *ff50_counters_json(FF50State *s)
{
    const FF50Counters *c = &s->cnt;
    GString *j = g_string_new("{");
    bool first = true;

#define ADD(f) g_string_append_printf(j, "\"" #f "\": %" PRIu64 ", ", c->f)
    ADD(doorbell_tx);
    ADD(doorbell_rx);
    ADD(mmio_read);
    ADD(mmio_write);
    g_string_append(j, "\"irq\": {");
    for (unsigned v = 0; v < FF50_NR_VECTORS; v++) {
        if (c->irq[v]) {
            g_string_append_printf(j, "%s\"%u\": %" PRIu64,
                                   first ? "" : ", ", v, c->irq[v]);
            first = false;
        }
    }
    g_string_append(j, "}, ");
    ADD(irq_total);
    ADD(dma_rd_desc);
    ADD(dma_rd_desc_bytes);
    ADD(dma_rd_data);
    ADD(dma_rd_data_bytes);
    ADD(dma_wr_desc);
    ADD(dma_wr_desc_bytes);
    ADD(dma_wr_data);
    ADD(dma_wr_data_bytes);
    ADD(dma_wr_isb);
    ADD(tx_frames);
    ADD(tx_bytes);
    ADD(rx_frames);
    ADD(rx_bytes);
    ADD(rx_drop_nodesc);
    ADD(rx_drop_filter);
    ADD(rx_drop_gate);
    ADD(sink_frames);
    ADD(sink_bad);
    ADD(pause_rx_xoff);
    ADD(pause_rx_xon);
    ADD(pause_tx_xoff);
    ADD(pause_tx_xon);
    ADD(pause_held_ns);
    ADD(led_changes);
    ADD(wake);
    ADD(pme);
#undef ADD
    g_string_append_printf(j, "\"violations\": %" PRIu64 "}", s->violations);
    return g_string_free(j, false);
}

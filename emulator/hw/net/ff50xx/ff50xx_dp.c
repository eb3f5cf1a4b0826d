/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data path of the FF50xx model: set-up, dispatch of register writes, and the
 * fault that delays write-backs.
 */
#include "qemu/osdep.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

/* Bits of CFG_PORT_CTL that switch a tunnel's parser off. */
#define PORT_CTL_NO_TEREDO  (1u << 27)
#define PORT_CTL_NO_GENEVE  (1u << 28)
#define PORT_CTL_NO_GPE     (1u << 30)
#define PORT_CTL_NO_VXLAN   (1u << 31)

/* What the parser needs of the registers. */
void ff50_dp_parse_cfg(const FF50State *s, FF50ParseCfg *cfg)
{
    uint32_t ctl = ff50_rd(s, CFG_PORT_CTL);

    for (unsigned i = 0; i < FF50_TPIDS; i++) {
        cfg->tpid[i] = ff50_rd(s, CFG_TAG_TPID(i / 2)) >> (i % 2 * 16);
    }
    cfg->vxlan = ctl & PORT_CTL_NO_VXLAN ? 0 : ff50_rd(s, CFG_VXLAN);
    cfg->vxlan_gpe = ctl & PORT_CTL_NO_GPE ? 0 : ff50_rd(s, CFG_VXLAN_GPE);
    cfg->geneve = ctl & PORT_CTL_NO_GENEVE ? 0 : ff50_rd(s, CFG_GENEVE);
    cfg->teredo = ctl & PORT_CTL_NO_TEREDO ? 0 : ff50_rd(s, CFG_TEREDO);
}

static void do_write_back(FF50State *s, bool tx, unsigned q, unsigned upto)
{
    if (tx) {
        ff50_tx_write_back(s, q, upto);
    } else {
        ff50_rx_write_back(s, q, upto);
    }
}

static void wb_pop(FF50State *s)
{
    FF50Dp *dp = s->dp;
    FF50Wb w = dp->wb[dp->wb_head];
    unsigned upto = w.upto;

    dp->wb_head = (dp->wb_head + 1) % FF50_WB_SLOTS;
    dp->wb_n--;
    if (w.dead) {
        return;
    }
    if (w.tx) {
        dp->tx[w.q].wb_queued = false;
    } else {
        dp->rx[w.q].wb_queued = false;
    }
    if (s->fault.wb != FF50_WB_LATE) {
        /* Batched: whatever has gathered until now. */
        upto = ff50_rd(s, w.tx ? PX_TR_RP(w.q) : PX_RR_RP(w.q));
    }
    do_write_back(s, w.tx, w.q, upto);
}

static void wb_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Dp *dp = s->dp;
    int64_t now = ff50_now_ns();

    while (dp->wb_n && dp->wb[dp->wb_head].due <= now) {
        wb_pop(s);
    }
    if (dp->wb_n) {
        timer_mod(dp->wb_timer, dp->wb[dp->wb_head].due);
    }
}

/**
 * ff50_dp_report() - report a ring's progress to the host
 * @s: port
 * @tx: transmit or receive ring
 * @q: ring
 * @upto: everything before this slot is done
 *
 * Writes back and raises the ring's interrupt, at once or as late as the
 * write-back fault asks.
 */
void ff50_dp_report(FF50State *s, bool tx, unsigned q, unsigned upto)
{
    FF50Dp *dp = s->dp;
    bool *queued = tx ? &dp->tx[q].wb_queued : &dp->rx[q].wb_queued;

    if (s->fault.wb == FF50_WB_NONE) {
        do_write_back(s, tx, q, upto);
        return;
    }
    if (s->fault.wb == FF50_WB_BATCH && *queued) {
        return;
    }
    if (dp->wb_n == FF50_WB_SLOTS) {
        wb_pop(s);
    }
    dp->wb[(dp->wb_head + dp->wb_n) % FF50_WB_SLOTS] = (FF50Wb) {
        .due = ff50_now_ns() + s->fault.wb_us * SCALE_US,
        .upto = upto, .q = q, .tx = tx,
    };
    *queued = true;
    if (!dp->wb_n++) {
        timer_mod(dp->wb_timer, dp->wb[dp->wb_head].due);
    }
}

/* Forget the delayed reports of a ring that is being switched off or on. */
void ff50_dp_report_cancel(FF50State *s, bool tx, unsigned q)
{
    FF50Dp *dp = s->dp;

    for (unsigned i = 0; i < dp->wb_n; i++) {
        FF50Wb *w = &dp->wb[(dp->wb_head + i) % FF50_WB_SLOTS];

        if (w->tx == tx && w->q == q) {
            w->dead = true;
        }
    }
}

void ff50_dp_fault_changed(FF50State *s)
{
    FF50Dp *dp = s->dp;

    if (s->fault.wb == FF50_WB_NONE) {
        while (dp->wb_n) {
            wb_pop(s);
        }
        timer_del(dp->wb_timer);
    }
    ff50_tx_kick(s);
}

void ff50_dp_ring_stall_changed(FF50State *s)
{
    ff50_tx_rearm(s);
    ff50_rx_gates_changed(s);
}

void ff50_dp_init(FF50State *s)
{
    FF50Dp *dp = g_new0(FF50Dp, 1);

    s->dp = dp;
    dp->s = s;
    dp->wb_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, wb_timer, s);
    ff50_fdir_init(s);
    ff50_rsc_init(s);
    ff50_tx_init(s);
    ff50_rx_init(s);
}

void ff50_dp_fini(FF50State *s)
{
    if (!s->dp) {
        return;
    }
    ff50_tx_fini(s);
    ff50_rx_fini(s);
    ff50_rsc_fini(s);
    ff50_fdir_fini(s);
    timer_free(s->dp->wb_timer);
    g_free(s->dp);
    s->dp = NULL;
}

void ff50_dp_reset(FF50State *s)
{
    FF50Dp *dp = s->dp;

    timer_del(dp->wb_timer);
    dp->wb_n = 0;
    ff50_rsc_discard(s, -1);
    ff50_tx_reset(s);
    ff50_rx_reset(s);
    ff50_fdir_reset(s);
}

void ff50_dp_gate_changed(FF50State *s)
{
    ff50_rx_gates_changed(s);
    ff50_tx_kick(s);
}

void ff50_dp_reg_written(FF50State *s, uint32_t off, uint32_t old,
                         uint32_t val)
{
    if (off >= PX_RR_BAL(0) && off < PX_RR_BAL(FF50_NR_QUEUES)) {
        ff50_rx_reg_written(s, (off - PX_RR_BAL(0)) / 0x40, off & 0x3f, old,
                            val);
        return;
    }
    if (off >= PX_TR_BAL(0) && off < PX_TR_BAL(FF50_NR_QUEUES)) {
        ff50_tx_reg_written(s, (off - PX_TR_BAL(0)) / 0x40, off & 0x3f, old,
                            val);
        return;
    }
    if (off >= RDB_FDIR_CTL && off < 0x195c0) {
        ff50_fdir_reg_written(s, off, old, val);
        return;
    }
    switch (off) {
    case TDM_DESC_NONFATAL(0):
    case TDM_DESC_NONFATAL(1):
    case TDM_DESC_NONFATAL(2):
    case TDM_DESC_NONFATAL(3):
        /* The rings were never stopped, so there is nothing to restart. */
        ff50_wr(s, off, old & ~val);
        break;
    case PSR_CTL:
        if (val & PSR_CTL_RSC_DIS) {
            ff50_rsc_flush(s, -1);
        }
        break;
    case RDB_PB_CTL:
    case RSC_CTL:
    case MAC_RX_CFG:
    case PSR_MAX_SZ:
    case RDM_PF_QDE(0):
    case RDM_PF_QDE(1):
    case RDM_PF_QDE(2):
    case RDM_PF_QDE(3):
        ff50_rx_gates_changed(s);
        break;
    }
}

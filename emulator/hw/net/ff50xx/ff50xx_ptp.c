/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 1588 block (hardware/06): SYSTIME, stamp latches, target times.
 *
 * SYSTIME grows by INC[23:0] for every INC[31:24] cycles of 2.5 ns, so per ns
 * by INC[23:0] * 2 / (5 * INC[31:24]).
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "ff50xx_int.h"

#define STAMP_VALID         (1u << 0)
#define STAMP_ENABLED       (1u << 4)
#define INT_TT(i)           (1u << (4 + (i)))
#define AUX_EN_TT(i)        (1u << (2 * (i)))
#define ETYPE_1588          (1u << 30)
#define ETYPE_EN            (1u << 31)
#define ETYPE_PTP           0x88F7
#define MAX_SLEEP_NS        (3600 * NANOSECONDS_PER_SECOND)

struct FF50Ptp {
    uint64_t base;              /* SYSTIME at base_ns */
    int64_t base_ns;
    uint32_t latch_l, latch_h;
    bool latch_l_valid, latch_h_valid;
    bool armed[2];
    QEMUTimer *timer;
    struct {                    /* edges of a pin that follows TT0 */
        uint64_t count, systime;
        int64_t ns;
    } edge[2];                  /* begin and end of the pulse */
};

static uint64_t ff50_ptp_now(FF50State *s)
{
    FF50Ptp *p = s->ptp;
    uint32_t inc = ff50_rd(s, TSC_1588_INC);
    uint32_t period = inc >> 24;
    uint64_t ns = ff50_now_ns() - p->base_ns;

    if (!period) {
        return p->base;
    }
    return p->base + (uint64_t)((unsigned __int128)ns * (inc & 0xFFFFFF) * 2 /
                                (5 * period));
}

/* How long until SYSTIME has advanced by delta. */
static int64_t ff50_ptp_ns_for(FF50State *s, uint64_t delta)
{
    uint32_t inc = ff50_rd(s, TSC_1588_INC);
    uint32_t step = (inc & 0xFFFFFF) * 2, cycle = 5 * (inc >> 24);
    unsigned __int128 ns;

    if (!step || !cycle) {
        return MAX_SLEEP_NS;
    }
    ns = ((unsigned __int128)delta * cycle + step - 1) / step;
    return MIN(ns, (unsigned __int128)MAX_SLEEP_NS);
}

static uint64_t ff50_ptp_target(FF50State *s, unsigned i)
{
    return (uint64_t)ff50_rd(s, TSC_1588_TRGT_H(i)) << 32 |
           ff50_rd(s, TSC_1588_TRGT_L(i));
}

/* With pulse generation the pin of TT0 is active from target 0 to target 1. */
static void ff50_ptp_edge(FF50State *s, unsigned i, uint64_t now)
{
    FF50Ptp *p = s->ptp;

    if (!(ff50_rd(s, TSC_1588_AUX_CTL) & AUX_CTL_PLSG)) {
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        if (SDP_FUNC(ff50_rd(s, TSC_1588_SDP(n))) == SDP_TT0) {
            p->edge[i].count++;
            p->edge[i].systime = now;
            p->edge[i].ns = ff50_now_ns();
            return;
        }
    }
}

static void ff50_ptp_targets(FF50State *s)
{
    FF50Ptp *p = s->ptp;
    uint32_t aux = ff50_rd(s, TSC_1588_AUX_CTL), reached = 0;
    uint64_t now = ff50_ptp_now(s);
    int64_t sleep = -1;

    for (unsigned i = 0; i < 2; i++) {
        int64_t left = ff50_ptp_target(s, i) - now;

        if (!p->armed[i] || !(aux & AUX_EN_TT(i))) {
            continue;
        }
        if (left <= 0) {
            p->armed[i] = false;
            reached |= INT_TT(i);
            ff50_ptp_edge(s, i, now);
        } else {
            int64_t ns = ff50_ptp_ns_for(s, left);

            sleep = sleep < 0 ? ns : MIN(sleep, ns);
        }
    }
    if (sleep >= 0) {
        timer_mod(p->timer, ff50_now_ns() + MAX(sleep, 1));
    } else {
        timer_del(p->timer);
    }
    if (reached) {
        ff50_wr(s, TSC_1588_INT_ST, ff50_rd(s, TSC_1588_INT_ST) | reached);
        if (reached & ff50_rd(s, TSC_1588_INT_EN)) {
            ff50_misc_cause(s, MISC_TIMESYNC);
        }
    }
}

static void ff50_ptp_timer(void *opaque)
{
    ff50_ptp_targets(opaque);
}

static void ff50_ptp_set_time(FF50State *s, uint64_t v)
{
    s->ptp->base = v;
    s->ptp->base_ns = ff50_now_ns();
    s->ptp->latch_l_valid = s->ptp->latch_h_valid = false;
}

/*
 * H, L, H, (L) and L, H are both coherent: each half latches the other one,
 * and the latched value is used by the next read of that half only.
 */
static uint32_t ff50_ptp_rd_time(FF50State *s, bool high)
{
    FF50Ptp *p = s->ptp;
    uint64_t now = ff50_ptp_now(s);

    if (high) {
        if (p->latch_h_valid) {
            p->latch_h_valid = false;
            return p->latch_h;
        }
        p->latch_l = now;
        p->latch_l_valid = true;
        return now >> 32;
    }
    if (p->latch_l_valid) {
        p->latch_l_valid = false;
        return p->latch_l;
    }
    p->latch_h = now >> 32;
    p->latch_h_valid = true;
    return now;
}

static void ff50_ptp_release(FF50State *s, uint32_t ctl)
{
    ff50_wr(s, ctl, ff50_rd(s, ctl) & ~STAMP_VALID);
}

uint32_t ff50_ptp_rd(FF50State *s, unsigned idx, uint32_t off)
{
    uint32_t v = ff50_rd(s, off);

    switch (off) {
    case TSC_1588_SYSTIML:
        return ff50_ptp_rd_time(s, false);
    case TSC_1588_SYSTIMH:
        return ff50_ptp_rd_time(s, true);
    case TSC_1588_STMPH:
        ff50_ptp_release(s, TSC_1588_CTL);
        break;
    case PSR_1588_STMPH:
        ff50_ptp_release(s, PSR_1588_CTL);
        break;
    case TSC_1588_INT_ST:
        ff50_wr(s, off, 0);
        break;
    }
    return v;
}

/* old is what the register held; regs[] holds val by now. */
void ff50_ptp_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val)
{
    FF50Ptp *p = s->ptp;
    uint64_t now;

    switch (off) {
    case TSC_1588_CTL:
    case PSR_1588_CTL:
        /* VALID is the hardware's */
        ff50_wr(s, off, (val & ~STAMP_VALID) | (old & STAMP_VALID));
        return;
    case TSC_1588_INC:
        /* what has passed so far passed at the old rate */
        ff50_wr(s, off, old);
        now = ff50_ptp_now(s);
        ff50_wr(s, off, val);
        ff50_ptp_set_time(s, now);
        break;
    case TSC_1588_SYSTIML:
        now = ff50_ptp_now(s);
        ff50_ptp_set_time(s, (now & ~0xFFFFFFFFull) | val);
        break;
    case TSC_1588_SYSTIMH:
        now = ff50_ptp_now(s);
        ff50_ptp_set_time(s, (uint64_t)val << 32 | (uint32_t)now);
        break;
    case TSC_1588_AUX_CTL:
        ff50_wr(s, TSC_1588_INT_ST, 0);
        p->armed[0] = p->armed[1] = true;
        break;
    case TSC_1588_TRGT_L(0):
    case TSC_1588_TRGT_H(0):
        p->armed[0] = true;
        break;
    case TSC_1588_TRGT_L(1):
    case TSC_1588_TRGT_H(1):
        p->armed[1] = true;
        break;
    case TSC_1588_INT_EN:
        if (val & ff50_rd(s, TSC_1588_INT_ST)) {
            ff50_misc_cause(s, MISC_TIMESYNC);
        }
        return;
    default:
        return;
    }
    ff50_ptp_targets(s);
}

void ff50_ptp_tx_latch(FF50State *s)
{
    uint32_t ctl = ff50_rd(s, TSC_1588_CTL);
    uint64_t now;

    if (!(ctl & STAMP_ENABLED) || (ctl & STAMP_VALID)) {
        return;
    }
    now = ff50_ptp_now(s);
    ff50_wr(s, TSC_1588_STMPL, now);
    ff50_wr(s, TSC_1588_STMPH, now >> 32);
    ff50_wr(s, TSC_1588_CTL, ctl | STAMP_VALID);
}

static bool ff50_ptp_l2_armed(const FF50State *s)
{
    for (unsigned i = 0; i < 8; i++) {
        uint32_t f = ff50_rd(s, PSR_ETYPE_SWC(i));

        if ((f & ETYPE_EN) && (f & ETYPE_1588) && (f & 0xFFFF) == ETYPE_PTP) {
            return true;
        }
    }
    return false;
}

/* PSR_1588_CTL 3:1: which messages are stamped. */
static bool ff50_ptp_rx_match(const FF50State *s, bool is_udp,
                              const uint8_t *ptp, size_t len)
{
    unsigned type = ff50_rd(s, PSR_1588_CTL) >> 1 & 7;
    uint32_t msg = ff50_rd(s, PSR_1588_MSG);
    unsigned version, message;

    if (len < 34) {
        return false;
    }
    message = ptp[0] & 0xF;
    version = ptp[1] & 0xF;
    switch (type) {
    case 0:
        return !is_udp && version == 2 && message == (msg >> 8 & 0xF);
    case 1:
        return is_udp && version == 1 && ptp[32] == (msg & 0xFF);
    case 2:
        return version == 2 && message == (msg >> 8 & 0xF);
    case 4:
        return true;
    case 5:
        return version == 2 && message <= 3;
    default:
        return false;
    }
}

bool ff50_ptp_rx_latch(FF50State *s, bool is_udp, const uint8_t *ptp,
                       size_t len)
{
    uint32_t ctl = ff50_rd(s, PSR_1588_CTL);
    uint64_t now;

    if (!(ctl & STAMP_ENABLED) || (ctl & STAMP_VALID) ||
        (!is_udp && !ff50_ptp_l2_armed(s)) ||
        !ff50_ptp_rx_match(s, is_udp, ptp, len)) {
        return false;
    }
    now = ff50_ptp_now(s);
    ff50_wr(s, PSR_1588_STMPL, now);
    ff50_wr(s, PSR_1588_STMPH, now >> 32);
    ff50_wr(s, PSR_1588_ATTRL, ldl_be_p(ptp + 24));     /* source identity */
    ff50_wr(s, PSR_1588_ATTRH, lduw_be_p(ptp + 28) |
            (uint32_t)lduw_be_p(ptp + 30) << 16);
    ff50_wr(s, PSR_1588_CTL, ctl | STAMP_VALID);
    return true;
}

static char *ff50_get_pps(Object *obj, Error **errp)
{
    const FF50Ptp *p = FF50XX_BASE(obj)->ptp;

    if (!p) {
        return g_strdup("{}");
    }
    return g_strdup_printf("{\"rises\": %" PRIu64 ", \"rise_systime\": %" PRIu64
                           ", \"rise_ns\": %" PRId64 ", \"falls\": %" PRIu64
                           ", \"fall_systime\": %" PRIu64 ", \"fall_ns\": %"
                           PRId64 "}", p->edge[0].count, p->edge[0].systime,
                           p->edge[0].ns, p->edge[1].count,
                           p->edge[1].systime, p->edge[1].ns);
}

void ff50_ptp_props(ObjectClass *klass)
{
    object_class_property_add_str(klass, "pps", ff50_get_pps, NULL);
}

void ff50_ptp_reset(FF50State *s)
{
    FF50Ptp *p = s->ptp;

    timer_del(p->timer);
    p->armed[0] = p->armed[1] = false;
    ff50_ptp_set_time(s, 0);
}

void ff50_ptp_init(FF50State *s)
{
    s->ptp = g_new0(FF50Ptp, 1);
    s->ptp->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_ptp_timer, s);
}

void ff50_ptp_fini(FF50State *s)
{
    if (s->ptp) {
        timer_free(s->ptp->timer);
        g_free(s->ptp);
        s->ptp = NULL;
    }
}

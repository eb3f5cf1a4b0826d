/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts (hardware/10): 64 vectors, everything is routed by IVAR.  IMS
 * masks and IMC unmasks, the reverse of what the names suggest.
 */
#include "qemu/osdep.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "ff50xx_int.h"

#define ITR_INTERVAL    0xFFFu
#define ITR_UNIT_NS     2000
#define ITR_CNT_WDIS    (1u << 31)

static bool ff50_irq_is_msix(const FF50State *s)
{
    return ff50_rd(s, PX_GPIE) & PX_GPIE_MODEL;
}

/* Vector of the misc causes, or -1. */
static int ff50_irq_misc_vector(const FF50State *s)
{
    uint32_t v = ff50_rd(s, PX_MISC_IVAR);

    return (v & 0x80) && (v & 0x7F) < FF50_NR_VECTORS ? (int)(v & 0x7F) : -1;
}

static void ff50_irq_misc_update(FF50State *s)
{
    int v = ff50_irq_misc_vector(s);

    if (v >= 0 && (s->irq.misc_ic & ff50_rd(s, PX_MISC_IEN))) {
        s->irq.pend |= 1ull << v;
    }
}

/* Starts the moderation interval of vector v; false if there is none. */
static bool ff50_irq_throttle(FF50State *s, unsigned v)
{
    uint32_t itr = ff50_rd(s, PX_ITR(v)) & ITR_INTERVAL;

    if (!itr) {
        return false;
    }
    s->irq.throttled |= 1ull << v;
    timer_mod(s->irq.itr_timer[v], ff50_now_ns() + (int64_t)itr * ITR_UNIT_NS);
    return true;
}

static void ff50_irq_itr_expired(void *opaque)
{
    FF50IrqTimer *t = opaque;

    t->s->irq.throttled &= ~(1ull << t->vector);
    ff50_irq_eval(t->s);
}

static uint64_t ff50_isb_addr(const FF50State *s)
{
    return (uint64_t)ff50_rd(s, PX_ISB_ADDR_H) << 32 |
           ff50_rd(s, PX_ISB_ADDR_L);
}

/* One message or line assertion; the lost-message fault swallows some. */
static bool ff50_irq_count(FF50State *s, unsigned v)
{
    s->irq.msg_count++;
    if (s->fault.lost_irq && s->irq.msg_count % s->fault.lost_irq == 0) {
        return false;
    }
    s->cnt.irq[v]++;
    s->cnt.irq_total++;
    return true;
}

static uint32_t ff50_irq_take_misc(FF50State *s)
{
    uint32_t bits = s->irq.misc_ic & ff50_rd(s, PX_MISC_IEN);

    s->irq.misc_ic &= ~bits;
    return bits;
}

static void ff50_irq_deliver_msix(FF50State *s, unsigned v)
{
    uint64_t isb = ff50_isb_addr(s);
    uint32_t dw[4];

    s->irq.isb_tag++;
    dw[0] = cpu_to_le32(s->irq.isb_tag);
    dw[2] = cpu_to_le32(s->irq.pend);
    dw[3] = cpu_to_le32(s->irq.pend >> 32);
    if ((int)v == ff50_irq_misc_vector(s)) {
        dw[1] = cpu_to_le32(ff50_irq_take_misc(s));
        if (isb) {
            ff50_dma_write(s, isb, dw, 16, FF50_DMA_ISB);
        }
    } else if (isb) {
        /* dword 1 belongs to a misc message that may not be read yet */
        ff50_dma_write(s, isb + 8, &dw[2], 8, FF50_DMA_ISB);
    }
    s->irq.pend &= ~(1ull << v);
    s->irq.mask |= 1ull << v;
    ff50_irq_throttle(s, v);
    if (ff50_irq_count(s, v)) {
        msix_notify(&s->parent_obj, v);
    }
}

static void ff50_irq_deliver_single(FF50State *s, uint64_t ready)
{
    PCIDevice *pdev = &s->parent_obj;
    uint64_t isb = ff50_isb_addr(s);
    int misc = ff50_irq_misc_vector(s);
    uint32_t dw[4];

    s->irq.isb_tag++;
    if (misc >= 0 && (ready & (1ull << misc))) {
        /*
         * The driver reads dword 1 after it has acknowledged: what it may
         * not have read yet stays in until it enables the interrupt again.
         */
        s->irq.isb_misc |= ff50_irq_take_misc(s);
    }
    dw[0] = cpu_to_le32(s->irq.isb_tag);
    dw[1] = cpu_to_le32(s->irq.isb_misc);
    dw[2] = cpu_to_le32(ready);
    dw[3] = cpu_to_le32(ready >> 32);
    if (isb) {
        ff50_dma_write(s, isb, dw, 16, FF50_DMA_ISB);
    }
    s->irq.pend &= ~ready;
    s->irq.mask |= 1;
    ff50_irq_throttle(s, 0);
    if (!ff50_irq_count(s, 0)) {
        return;
    }
    if (msi_enabled(pdev)) {
        msi_notify(pdev, 0);
    } else {
        s->irq.intx = true;
        pci_set_irq(pdev, 1);
    }
}

/**
 * ff50_irq_eval() - deliver what is pending, unmasked and not throttled
 * @s: port
 *
 * Events that cannot go out now stay pending; every change that could let
 * them out calls this again.
 */
void ff50_irq_eval(FF50State *s)
{
    PCIDevice *pdev = &s->parent_obj;
    uint64_t ready;

    ff50_irq_misc_update(s);
    ready = s->irq.pend & ~s->irq.mask;
    if (!ready || !ff50_dma_ok(s)) {
        return;
    }
    if (!ff50_irq_is_msix(s)) {
        if (msix_enabled(pdev) || s->irq.intx || (s->irq.throttled & 1)) {
            return;
        }
        ff50_irq_deliver_single(s, ready);
        return;
    }
    if (!msix_enabled(pdev)) {
        return;
    }
    /* afresh each time: a message may be aimed at our own registers */
    for (unsigned n = 0; n < 2 * FF50_NR_VECTORS; n++) {
        ready = s->irq.pend & ~s->irq.mask & ~s->irq.throttled &
                MAKE_64BIT_MASK(0, s->prop_msix_vectors);
        if (!ready) {
            break;
        }
        ff50_irq_deliver_msix(s, ctz64(ready));
    }
}

void ff50_irq_queue(FF50State *s, bool is_tx, unsigned q)
{
    uint32_t f = ff50_rd(s, PX_IVAR(q / 2)) >> (16 * (q & 1) + 8 * is_tx);

    if ((f & 0x80) && (f & 0x7F) < FF50_NR_VECTORS) {
        s->irq.pend |= 1ull << (f & 0x7F);
        ff50_irq_eval(s);
    }
}

void ff50_misc_cause(FF50State *s, uint32_t bits)
{
    s->irq.misc_ic |= bits;
    ff50_irq_eval(s);
}

uint32_t ff50_irq_rd(FF50State *s, unsigned idx, uint32_t off)
{
    uint32_t v;

    switch (off) {
    case PX_MISC_IC:
        v = s->irq.misc_ic;
        s->irq.misc_ic = 0;
        return v;
    case PX_IC(0):
    case PX_IC(1):
        v = s->irq.pend >> (32 * idx);
        s->irq.pend &= ~((uint64_t)v << (32 * idx));
        return v;
    case PX_IMS(0):
    case PX_IMS(1):
    case PX_IMC(0):
    case PX_IMC(1):
        return s->irq.mask >> (32 * idx);
    case PX_TRANSACTION_PENDING:
        return s->fault.pending;
    default:
        return 0;
    }
}

static void ff50_irq_check_ivar(FF50State *s, uint32_t off, uint32_t val)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t f = val >> (8 * i) & 0xFF;

        if ((f & 0x80) && (f & 0x7F) >= FF50_NR_VECTORS) {
            ff50_violation(s, FF50_VIO_INDEX, off, val,
                           "vector %u does not exist", f & 0x7F);
        }
    }
}

static void ff50_irq_itr_written(FF50State *s, unsigned v, uint32_t val)
{
    uint64_t bit = 1ull << v;

    if ((val & ITR_CNT_WDIS) || !(s->irq.throttled & bit)) {
        return;
    }
    if (!ff50_irq_throttle(s, v)) {
        timer_del(s->irq.itr_timer[v]);
        s->irq.throttled &= ~bit;
    }
}

void ff50_irq_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val)
{
    switch (off) {
    case PX_MISC_IC:
        s->irq.misc_ic &= ~val;
        return;
    case PX_MISC_ICS:
        s->irq.misc_ic |= val;
        break;
    case PX_INTA:
        if ((val & 1) && s->irq.intx) {
            s->irq.intx = false;
            pci_set_irq(&s->parent_obj, 0);
        }
        break;
    case PX_IC(0):
    case PX_IC(1):
        s->irq.pend &= ~((uint64_t)val << (32 * idx));
        return;
    case PX_ICS(0):
    case PX_ICS(1):
        s->irq.pend |= (uint64_t)val << (32 * idx);
        break;
    case PX_IMS(0):
    case PX_IMS(1):
        s->irq.mask |= (uint64_t)val << (32 * idx);
        return;
    case PX_IMC(0):
    case PX_IMC(1):
        s->irq.mask &= ~((uint64_t)val << (32 * idx));
        if (idx == 0 && (val & 1)) {
            s->irq.isb_misc = 0;
        }
        break;
    case PX_MISC_IVAR:
        ff50_irq_check_ivar(s, off, val & 0xFF);
        break;
    default:
        if (off >= PX_IVAR(0) && off < PX_IVAR(64)) {
            ff50_irq_check_ivar(s, off, val);
        } else if (off >= PX_ITR(0) && off < PX_ITR(FF50_NR_VECTORS)) {
            ff50_irq_itr_written(s, idx, val);
        }
        break;
    }
    ff50_irq_eval(s);
}

void ff50_irq_reset(FF50State *s)
{
    for (unsigned v = 0; v < FF50_NR_VECTORS; v++) {
        timer_del(s->irq.itr_timer[v]);
    }
    s->irq.pend = 0;
    s->irq.mask = UINT64_MAX;
    s->irq.throttled = 0;
    s->irq.misc_ic = 0;
    s->irq.isb_misc = 0;
    if (s->irq.intx) {
        s->irq.intx = false;
        pci_set_irq(&s->parent_obj, 0);
    }
}

void ff50_irq_init(FF50State *s)
{
    for (unsigned v = 0; v < FF50_NR_VECTORS; v++) {
        s->irq.timer_arg[v] = (FF50IrqTimer) { s, v };
        s->irq.itr_timer[v] = timer_new_ns(QEMU_CLOCK_VIRTUAL,
                                           ff50_irq_itr_expired,
                                           &s->irq.timer_arg[v]);
    }
}

void ff50_irq_fini(FF50State *s)
{
    for (unsigned v = 0; v < FF50_NR_VECTORS; v++) {
        if (s->irq.itr_timer[v]) {
            timer_free(s->irq.itr_timer[v]);
            s->irq.itr_timer[v] = NULL;
        }
    }
}

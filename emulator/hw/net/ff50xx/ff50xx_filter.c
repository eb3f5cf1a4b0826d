/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive filters of the FF50xx model: address and VLAN filters, pools, and
 * the choice of the receive ring (ethertype, 5-tuple, SYN; then flow director,
 * then RSS).
 */
#include "qemu/osdep.h"
#include "net/eth.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

#define VM_L2CTL_VACC       (1u << 6)
#define VM_L2CTL_VPE        (1u << 7)
#define VM_L2CTL_AUPE       (1u << 8)
#define VM_L2CTL_ROMPE      (1u << 9)
#define VM_L2CTL_ROPE       (1u << 10)
#define VM_L2CTL_BAM        (1u << 11)
#define VM_CTL_NO_DEFAULT   (1u << 29)
#define VM_CTL_REPLEN       (1u << 30)
#define VLAN_SWC_VIEN       (1u << 31)

#define ETYPE_SWC_POOL_EN   (1u << 26)
#define ETYPE_SWC_EN        (1u << 31)
#define ETYPE_CLS_EN        (1u << 31)
#define SYN_CLS_EN          (1u << 0)
#define SYN_CLS_HIPRIO      (1u << 31)
#define NR_ETYPE            8
#define NR_5T               128

#define RSS_TYPE_FDIR       15

#define TCP_SYN             0x02
#define TCP_ACK             0x10

/* Pool bitmap of the exact match, 0 if there is none. */
static bool rar_match(const FF50State *s, const uint8_t *da, uint64_t *pools)
{
    uint32_t lo = ff50_be32(da + 2);
    uint32_t hi = ff50_be16(da) | RAR_AD_H_AV;
    bool hit = false;

    for (unsigned i = 0; i < FF50_NR_RAR; i++) {
        if (s->rar[i][0] == lo &&
            (s->rar[i][1] & (0xffff | RAR_AD_H_AV | RAR_AD_H_ADTYPE)) == hi) {
            *pools |= s->rar[i][2] | (uint64_t)s->rar[i][3] << 32;
            hit = true;
        }
    }
    return hit;
}

static bool hash_match(const FF50State *s, uint32_t table, const uint8_t *da)
{
    static const uint8_t lo_shift[4] = { 4, 3, 2, 0 };
    static const uint8_t hi_shift[4] = { 4, 5, 6, 8 };
    unsigned mo = ff50_rd(s, PSR_CTL) >> 5 & 3;
    unsigned v = (da[4] >> lo_shift[mo] | da[5] << hi_shift[mo]) & 0xfff;

    return ff50_rd(s, table + 4 * (v >> 5)) >> (v & 31) & 1;
}

static bool vlan_table(const FF50State *s, unsigned vid)
{
    return ff50_rd(s, PSR_VLAN_TBL(vid >> 5)) >> (vid & 31) & 1;
}

/* Without pools everything that passes goes to pool 0. */
static bool accept_single(const FF50State *s, const uint8_t *da,
                          const FF50Parsed *o, FF50Accept *a)
{
    uint32_t ctl = ff50_rd(s, PSR_CTL);
    uint32_t l2 = ff50_rd(s, PSR_VM_L2CTL(0));
    uint64_t pools = 0;
    bool ok;

    a->inexact = false;
    if (is_broadcast_ether_addr(da)) {
        ok = ctl & PSR_CTL_BAM;
    } else if (rar_match(s, da, &pools)) {
        ok = true;
    } else if (is_multicast_ether_addr(da)) {
        ok = (ctl & PSR_CTL_MPE) || (l2 & VM_L2CTL_MPE);
        if (!ok && (ctl & PSR_CTL_MFE)) {
            ok = a->inexact = hash_match(s, PSR_MC_TBL(0), da);
        }
    } else {
        ok = (ctl & PSR_CTL_UPE) || (l2 & VM_L2CTL_UPE);
        if (!ok && (ctl & PSR_CTL_MFE)) {
            ok = a->inexact = hash_match(s, PSR_UC_TBL(0), da);
        }
    }
    if (ok && o->ntags && (ff50_rd(s, PSR_VLAN_CTL) & PSR_VLAN_CTL_VFE)) {
        ok = (ctl & PSR_CTL_TPE) || vlan_table(s, o->tag[0].tci & 0xfff);
    }
    a->pools = ok;
    return ok;
}

/* Pools whose PSR_VM_L2CTL has any bit of @bits. */
static uint64_t pools_with(const FF50State *s, unsigned n, uint32_t bits)
{
    uint64_t m = 0;

    for (unsigned p = 0; p < n; p++) {
        if (ff50_rd(s, PSR_VM_L2CTL(p)) & bits) {
            m |= 1ull << p;
        }
    }
    return m;
}

static uint64_t vlan_pools(const FF50State *s, unsigned n,
                           const FF50Parsed *o)
{
    unsigned vid = o->tag[0].tci & 0xfff;

    if (!o->ntags) {
        return pools_with(s, n, VM_L2CTL_AUPE);
    }
    for (unsigned i = 0; i < FF50_NR_VLAN_SWC; i++) {
        if ((s->vlan_swc[i][0] & (VLAN_SWC_VIEN | 0xfff)) ==
            (VLAN_SWC_VIEN | vid)) {
            return (s->vlan_swc[i][1] | (uint64_t)s->vlan_swc[i][2] << 32) |
                   pools_with(s, n, VM_L2CTL_VPE);
        }
    }
    return pools_with(s, n, VM_L2CTL_VACC | VM_L2CTL_VPE);
}

static bool accept_pools(const FF50State *s, const uint8_t *da,
                         const FF50Parsed *o, unsigned qpp, FF50Accept *a)
{
    uint32_t ctl = ff50_rd(s, PSR_CTL), vm = ff50_rd(s, PSR_VM_CTL);
    unsigned n = FF50_NR_QUEUES / qpp;
    uint64_t pools = 0, enabled;
    bool exact = rar_match(s, da, &pools);

    if (o->ntags && (ff50_rd(s, PSR_VLAN_CTL) & PSR_VLAN_CTL_VFE) &&
        !(ctl & PSR_CTL_TPE) && !vlan_table(s, o->tag[0].tci & 0xfff)) {
        return false;
    }
    if (is_multicast_ether_addr(da)) {
        uint64_t rep = 0;

        if (is_broadcast_ether_addr(da)) {
            rep = ctl & PSR_CTL_BAM ? pools_with(s, n, VM_L2CTL_BAM) : 0;
        } else {
            rep = pools_with(s, n, VM_L2CTL_MPE);
            if ((ctl & PSR_CTL_MFE) && hash_match(s, PSR_MC_TBL(0), da)) {
                rep |= pools_with(s, n, VM_L2CTL_ROMPE);
                a->inexact = !exact;
            }
        }
        if (vm & VM_CTL_REPLEN) {
            pools |= rep;
        } else if (!pools && rep) {
            pools = rep & -rep;
        }
    } else {
        if ((ctl & PSR_CTL_MFE) && hash_match(s, PSR_UC_TBL(0), da)) {
            pools |= pools_with(s, n, VM_L2CTL_ROPE);
            a->inexact = !exact;
        }
        pools |= pools_with(s, n, VM_L2CTL_UPE);
        if (!pools && !(vm & VM_CTL_NO_DEFAULT)) {
            pools = 1ull << (vm >> 7 & 0x3f);
        }
    }
    if (n < 64) {
        pools &= (1ull << n) - 1;
    }
    enabled = ff50_rd(s, RDM_VF_RE(0)) |
              (uint64_t)ff50_rd(s, RDM_VF_RE(1)) << 32;
    a->pools = pools & vlan_pools(s, n, o) & enabled;
    return a->pools;
}

/**
 * ff50_filter_accept() - address and VLAN filters
 * @s: port
 * @p: frame of at least 14 bytes
 * @o: its parse result
 * @a: the pools that get a copy
 *
 * Return: false if the frame is to be dropped.
 */
bool ff50_filter_accept(const FF50State *s, const uint8_t *p,
                        const FF50Parsed *o, FF50Accept *a)
{
    unsigned qpp = ff50_pool_queues(s);

    *a = (FF50Accept) { 0 };
    return qpp ? accept_pools(s, p, o, qpp, a) : accept_single(s, p, o, a);
}

static bool etype_match(const FF50State *s, const FF50Parsed *o,
                        unsigned pool, FF50Route *r)
{
    for (unsigned i = 0; i < NR_ETYPE; i++) {
        uint32_t f = ff50_rd(s, PSR_ETYPE_SWC(i));
        uint32_t cls = ff50_rd(s, RDB_ETYPE_CLS(i));

        if (!(f & ETYPE_SWC_EN) || (f & 0xffff) != o->etype ||
            ((f & ETYPE_SWC_POOL_EN) && (f >> 20 & 0x3f) != pool)) {
            continue;
        }
        if (o->ptype == FF50_PT_MAC) {
            r->ptype = FF50_PT_ETYPE0 + i;
        }
        r->cls = RXD_CLASS_ETYPE;
        if (cls & ETYPE_CLS_EN) {
            r->q = cls >> 16 & 0x7f;
            return true;
        }
        return false;
    }
    return false;
}

static bool syn_match(const FF50State *s, const uint8_t *p,
                      const FF50Parsed *o, FF50Route *r)
{
    uint32_t syn = ff50_rd(s, RDB_SYN_CLS);

    if (!(syn & SYN_CLS_EN) || o->tunnel || o->ip.l4 != FF50_L4_TCP ||
        (p[o->ip.off + o->ip.hlen + 13] & (TCP_SYN | TCP_ACK)) != TCP_SYN) {
        return false;
    }
    r->q = syn >> 1 & 0x7f;
    r->cls = RXD_CLASS_SYN;
    return true;
}

static bool tuple_match(const FF50State *s, const uint8_t *p,
                        const FF50Parsed *o, unsigned pool, FF50Route *r)
{
    static const uint8_t kind[6] = { 3, 3, 3, 1, 0, 2 };
    const FF50Ip *ip = &o->ip;
    uint32_t sa, da, ports = 0;
    int best = -1, best_prio = -1;

    if (ip->ver != 4 || o->tunnel) {
        return false;
    }
    sa = ff50_be32(p + ip->off + 12);
    da = ff50_be32(p + ip->off + 16);
    if (ip->l4 >= FF50_L4_UDP) {
        const uint8_t *l4 = p + ip->off + ip->hlen;

        ports = ff50_be16(l4) | (uint32_t)ff50_be16(l4 + 2) << 16;
    }
    for (unsigned i = 0; i < NR_5T; i++) {
        uint32_t c = ff50_rd(s, RDB_5T_CTL0(i));
        uint32_t diff;

        if (!(c >> 31) || (int)(c >> 2 & 7) <= best_prio) {
            continue;
        }
        diff = ff50_rd(s, RDB_5T_SDP(i)) ^ ports;
        if ((!(c >> 25 & 1) && ff50_rd(s, RDB_5T_SA(i)) != sa) ||
            (!(c >> 26 & 1) && ff50_rd(s, RDB_5T_DA(i)) != da) ||
            (!(c >> 27 & 1) && (diff & 0xffff)) ||
            (!(c >> 28 & 1) && (diff >> 16)) ||
            (!(c >> 29 & 1) && (c & 3) != kind[ip->l4]) ||
            (!(c >> 30 & 1) && (c >> 8 & 0x3f) != pool)) {
            continue;
        }
        best = i;
        best_prio = c >> 2 & 7;
    }
    if (best < 0) {
        return false;
    }
    r->q = ff50_rd(s, RDB_5T_CTL1(best)) >> 21 & 0x7f;
    r->cls = RXD_CLASS_5T;
    return true;
}

/**
 * ff50_filter_route() - choose the ring for one copy of a frame
 * @s: port
 * @p: frame
 * @len: bytes
 * @o: its parse result
 * @pool: destination pool, 0 without pools
 * @r: result; no register or table is changed
 *
 * RSS is computed in any case, since the descriptor reports the hash also
 * for packets that another filter steers.
 */
void ff50_filter_route(FF50State *s, const uint8_t *p, uint32_t len,
                       const FF50Parsed *o, unsigned pool, FF50Route *r)
{
    bool high = ff50_rd(s, RDB_SYN_CLS) & SYN_CLS_HIPRIO;
    FF50FdirHit hit;

    *r = (FF50Route) { .ptype = o->ptype };
    ff50_rss(s, p, o, pool, r);
    if (etype_match(s, o, pool, r)) {
        return;
    }
    if (!o->ip.ver) {
        return;
    }
    if ((high && syn_match(s, p, o, r)) || tuple_match(s, p, o, pool, r) ||
        (!high && syn_match(s, p, o, r))) {
        return;
    }
    r->fdir_looked = ff50_fdir_lookup(s, p, len, o, pool, &hit);
    if (!r->fdir_looked || !hit.match) {
        return;
    }
    r->fdir_match = true;
    r->cls = RXD_CLASS_FDIR;
    r->drop = hit.drop;
    if (hit.queue_en) {
        r->q = hit.q;
    }
    if (hit.report) {
        r->rss_type = RSS_TYPE_FDIR;
        r->hash = hit.word;
    }
}

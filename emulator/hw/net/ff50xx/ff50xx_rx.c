/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive of the FF50xx model: gates, checksum status, rings, buffers,
 * header split and write-back.
 *
 * A frame is first judged without changing anything, so that one that is
 * held for lack of descriptors can be offered again and counts only once.
 */
#include "qemu/osdep.h"
#include "net/eth.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

#define MAX_SZ_DEFAULT      1518
#define FCS_LEN             4

/* RDB_PL_CFG 5:1: where header split may cut. */
#define PL_CFG_L4HDR        (1u << 1)
#define PL_CFG_L3HDR        (1u << 2)
#define PL_CFG_L2HDR        (1u << 3)
#define PL_CFG_TUNHDR       (1u << 4)
#define PL_CFG_OUTL2HDR     (1u << 5)

#define ETYPE_SWC_1588      (1u << 30)
#define ETYPE_SWC_EN        (1u << 31)
#define RX_1588_EN          (1u << 4)
#define PTP_UDP_PORT        319

#define RXD0_PTYPE_SHIFT    9
#define RXD0_TPID_SHIFT     6
#define RXD0_RSCCNT_SHIFT   17
#define RXD0_HDRLEN_SHIFT   21
#define RXD0_HDRLEN_MAX     0x3ff
#define RXD0_SPH            (1u << 31)

uint32_t ff50_rx_buf_size(uint32_t cfg)
{
    unsigned n = cfg >> 8 & 15;

    return (n ? n : 16) * KiB;
}

static uint32_t hdr_buf_size(uint32_t cfg)
{
    unsigned n = cfg >> 12 & 15;

    return n ? n * 64 : 1024;
}

/* Descriptors of ring @q that a new frame may use. */
unsigned ff50_rx_free(const FF50State *s, unsigned q)
{
    unsigned size = ff50_ring_size(ff50_rd(s, PX_RR_CFG(q)));
    unsigned rp = ff50_rd(s, PX_RR_RP(q)), wp = ff50_rd(s, PX_RR_WP(q));
    unsigned n = (wp + size - rp) % size;
    unsigned res = s->dp->rx[q].reserved;

    return n > res ? n - res : 0;
}

/* ------------------------------------------------------------------ */
/* Descriptors                                                         */

/*
 * Buffer addresses of the @n descriptors from RP on.  They stay cached, for
 * the host may not touch a descriptor it has handed over.
 */
static const uint64_t *rx_desc(FF50State *s, unsigned q, unsigned idx)
{
    FF50RxRing *r = &s->dp->rx[q];
    unsigned size = ff50_ring_size(ff50_rd(s, PX_RR_CFG(q)));
    unsigned wp = ff50_rd(s, PX_RR_WP(q)), n;
    uint8_t raw[FF50_RX_WINDOW * FF50_DESC_LEN];

    if (idx < r->win_first || idx >= r->win_first + r->win_n) {
        n = MIN((idx < wp ? wp : size) - idx, FF50_RX_WINDOW);
        r->win_n = 0;
        if (!ff50_dma_read(s, ff50_ring_base(s, PX_RR_BAL(q)) +
                           (uint64_t)idx * FF50_DESC_LEN, raw,
                           n * FF50_DESC_LEN, FF50_DMA_DESC)) {
            return NULL;
        }
        for (unsigned i = 0; i < n; i++) {
            r->win[i][0] = ldq_le_p(raw + 16 * i);
            r->win[i][1] = ldq_le_p(raw + 16 * i + 8);
        }
        r->win_first = idx;
        r->win_n = n;
    }
    return r->win[idx - r->win_first];
}

/* Do the next @n descriptors have buffers?  Nothing is consumed. */
bool ff50_rx_ready(FF50State *s, unsigned q, unsigned n)
{
    FF50RxRing *r = &s->dp->rx[q];
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q));
    unsigned size = ff50_ring_size(cfg), idx = ff50_rd(s, PX_RR_RP(q));

    for (unsigned i = 0; i < n; i++) {
        const uint64_t *d = rx_desc(s, q, idx);

        if (!d) {
            return false;
        }
        if (!d[0] || ((cfg & RR_CFG_SPLIT) && !d[1])) {
            if (r->bad_slot != (int32_t)idx) {
                r->bad_slot = idx;
                ff50_violation(s, FF50_VIO_DESC_FIELD, PX_RR_WP(q), idx,
                               "rx ring %u slot %u has no %s buffer", q, idx,
                               d[0] ? "header" : "packet");
            }
            return false;
        }
        idx = idx + 1 == size ? 0 : idx + 1;
    }
    return true;
}

static void put_desc(FF50State *s, unsigned q, unsigned idx,
                     const FF50Desc *d)
{
    uint8_t raw[FF50_DESC_LEN];

    for (unsigned i = 0; i < 4; i++) {
        stl_le_p(raw + 4 * i, d->d[i]);
    }
    ff50_dma_write(s, ff50_ring_base(s, PX_RR_BAL(q)) +
                   (uint64_t)idx * FF50_DESC_LEN, raw, sizeof(raw),
                   FF50_DMA_DESC);
}

/* Write one descriptor back now, or keep it for the write-back fault. */
static void finish_desc(FF50State *s, unsigned q, unsigned idx,
                        const FF50Desc *d)
{
    FF50RxRing *r = &s->dp->rx[q];
    unsigned size = ff50_ring_size(ff50_rd(s, PX_RR_CFG(q)));

    if (s->fault.wb == FF50_WB_NONE && (!r->held || !r->held->len)) {
        put_desc(s, q, idx, d);
        ff50_wr(s, PX_RR_RP(q), idx + 1 == size ? 0 : idx + 1);
        return;
    }
    if (!r->held) {
        r->held = g_array_new(false, false, sizeof(FF50Desc));
    }
    if (!r->held->len) {
        r->held_first = idx;
    }
    g_array_append_val(r->held, *d);
    ff50_wr(s, PX_RR_RP(q), idx + 1 == size ? 0 : idx + 1);
}

/**
 * ff50_rx_write_back() - write held descriptors and raise the interrupt
 * @s: port
 * @q: ring
 * @upto: slots before this one are done
 */
void ff50_rx_write_back(FF50State *s, unsigned q, unsigned upto)
{
    FF50RxRing *r = &s->dp->rx[q];
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q));
    unsigned size = ff50_ring_size(cfg), n = 0;

    if (!(cfg & RR_CFG_EN) || r->dead || !ff50_dma_ok(s)) {
        return;
    }
    if (r->held) {
        /* A ring in our own BAR may switch itself off meanwhile. */
        while (r->held && n < r->held->len && r->held_first != upto) {
            put_desc(s, q, r->held_first,
                     &g_array_index(r->held, FF50Desc, n));
            r->held_first = r->held_first + 1 == size ? 0 : r->held_first + 1;
            n++;
        }
        if (r->held) {
            g_array_remove_range(r->held, 0, MIN(n, r->held->len));
        }
    }
    ff50_irq_queue(s, false, q);
}

/**
 * ff50_rx_write() - put a packet into the buffers of a ring
 * @s: port
 * @q: ring; the caller made sure of enough good descriptors
 * @p: packet
 * @len: bytes, at least 1
 * @m: what the descriptors say
 * @rsc_starts: NULL, or for a coalesced packet how many of its segments
 *              begin in each buffer
 */
void ff50_rx_write(FF50State *s, unsigned q, const uint8_t *p, uint32_t len,
                   const FF50RxMeta *m, const uint8_t *rsc_starts)
{
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q));
    uint32_t bufsz = ff50_rx_buf_size(cfg);
    unsigned size = ff50_ring_size(cfg), idx = ff50_rd(s, PX_RR_RP(q));
    uint32_t split = m->hdr_len;
    bool fault = false;

    for (unsigned i = 0; ; i++) {
        const uint64_t *addr = rx_desc(s, q, idx);
        unsigned next = idx + 1 == size ? 0 : idx + 1;
        FF50Desc d = { { 0 } };
        uint32_t n;

        if (!addr) {
            return;
        }
        /* Checked for a frame, but an aggregate may just have used those. */
        fault |= !addr[0] || (split && !addr[1]);
        if (split) {
            fault = fault ||
                    !ff50_dma_write(s, addr[1], p, split, FF50_DMA_DATA);
            d.d[0] = RXD0_SPH | split << RXD0_HDRLEN_SHIFT;
            p += split;
            len -= split;
            split = 0;
        } else if (m->hbo && !i) {
            d.d[2] = RXD_HBO;
        }
        n = MIN(len, bufsz);
        fault = fault || !ff50_dma_write(s, addr[0], p, n, FF50_DMA_DATA);
        p += n;
        len -= n;
        if (rsc_starts) {
            d.d[0] |= (rsc_starts[i] + 1u) << RXD0_RSCCNT_SHIFT;
        }
        d.d[2] |= RXD_DD;
        d.d[3] = n;
        if (!len) {
            d.d[0] |= m->rss_type | m->tpid_idx << RXD0_TPID_SHIFT |
                      m->ptype << RXD0_PTYPE_SHIFT;
            d.d[1] = m->hash;
            d.d[2] |= RXD_EOP | m->status | (fault ? RXD_RXE : 0);
            d.d[3] |= (uint32_t)m->tci << 16;
        } else if (rsc_starts) {
            d.d[2] |= next << RXD_NEXTP_SHIFT;
        }
        smp_wmb();              /* data before the descriptor */
        finish_desc(s, q, idx, &d);
        if (!len) {
            ff50_dp_report(s, false, q, next);
            return;
        }
        idx = next;
    }
}

/* ------------------------------------------------------------------ */
/* Status                                                              */

static uint32_t csum_status(const uint8_t *p, const FF50Parsed *o)
{
    const FF50Ip *ip = &o->ip;
    uint32_t st = 0, l4 = ip->off + ip->hlen, n;
    bool good;

    if (o->tunnel && o->outer.ver == 4) {
        st |= RXD_OUTERIPCS;
        if (ff50_csum(p + o->outer.off, o->outer.hlen, 0) != 0xffff) {
            st |= RXD_OUTERIPER;
        }
    }
    if (ip->ver == 4) {
        st |= RXD_IPCS;
        if (ff50_csum(p + ip->off, ip->hlen, 0) != 0xffff) {
            st |= RXD_IPE;
        }
    }
    if (ip->dstopt) {
        st |= RXD_IPV6EX;
    }
    if (ip->l4 < FF50_L4_UDP || ip->trunc || (ip->ver == 6 && ip->rthdr)) {
        return st;
    }
    n = ip->end - l4;
    if (ip->l4 == FF50_L4_UDP) {
        uint32_t ulen = ff50_be16(p + l4 + 4);

        if (!ff50_be16(p + l4 + 6)) {
            return st;          /* sent without a checksum */
        }
        if (ulen < 8 || ulen > n) {
            return st | RXD_L4CS | RXD_TCPE;
        }
        n = ulen;
    }
    if (ip->l4 == FF50_L4_SCTP) {
        good = ff50_sctp_csum(p + l4, n) == ldl_le_p(p + l4 + 8);
    } else {
        uint32_t ph = ff50_csum_pseudo(p + ip->off, ip->ver, ip->proto, n);

        good = ff50_csum(p + l4, n, ph) == 0xffff;
    }
    return st | RXD_L4CS | (good ? 0 : RXD_TCPE);
}

/* Is this a PTP event frame that wants a stamp?  The latch decides. */
static bool ptp_stamp(FF50State *s, const uint8_t *p, uint32_t len,
                      const FF50Parsed *o)
{
    uint32_t off, port;

    if (!(ff50_rd(s, PSR_1588_CTL) & RX_1588_EN)) {
        return false;
    }
    if (o->etype == FF50_ETH_PTP) {
        const uint32_t want = ETYPE_SWC_EN | ETYPE_SWC_1588;

        for (unsigned i = 0; i < 8; i++) {
            uint32_t f = ff50_rd(s, PSR_ETYPE_SWC(i));

            if ((f & want) == want && (f & 0xffff) == FF50_ETH_PTP) {
                return ff50_ptp_rx_latch(s, false, p + o->l2_len,
                                         len - o->l2_len);
            }
        }
        return false;
    }
    if (o->tunnel || o->ip.l4 != FF50_L4_UDP) {
        return false;
    }
    off = o->ip.off + o->ip.hlen;
    port = ff50_rd(s, PSR_1588_MSG) >> 16;
    if (ff50_be16(p + off + 2) != (port ? port : PTP_UDP_PORT)) {
        return false;
    }
    return ff50_ptp_rx_latch(s, true, p + off + 8, o->ip.end - off - 8);
}

/* Where header split cuts: the deepest header that PL_CFG allows. */
static uint32_t split_point(const uint8_t *p, uint32_t len,
                            const FF50Parsed *o, uint32_t pl)
{
    uint32_t l4len = ff50_l4_hdr_len(p, len, &o->ip);
    uint32_t l4 = o->ip.off + o->ip.hlen;

    if ((pl & PL_CFG_L4HDR) && l4len) {
        return l4 + l4len;
    }
    if ((pl & PL_CFG_L3HDR) && o->ip.ver) {
        return l4;
    }
    if ((pl & PL_CFG_L2HDR) && o->tunnel && o->ip.ver) {
        return o->ip.off;
    }
    if ((pl & PL_CFG_TUNHDR) && o->tunnel) {
        return o->in_l2_off ? o->in_l2_off : o->ip.ver ? o->ip.off : o->tun_off;
    }
    if (pl & (o->tunnel ? PL_CFG_OUTL2HDR : PL_CFG_L2HDR)) {
        return o->l2_len;
    }
    return 0;
}

static void set_split(const FF50State *s, unsigned q, uint32_t hdr,
                      uint32_t len, FF50RxMeta *m)
{
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q));

    m->hdr_len = 0;
    m->hbo = false;
    if (!(cfg & RR_CFG_SPLIT) || !hdr) {
        return;
    }
    if (hdr > hdr_buf_size(cfg) || hdr > RXD0_HDRLEN_MAX) {
        m->hbo = true;
    } else if (hdr < len) {
        m->hdr_len = hdr;
    }
}

/* ------------------------------------------------------------------ */
/* Frames                                                              */

static bool drop_mode(const FF50State *s, unsigned q)
{
    return (ff50_rd(s, PX_RR_CFG(q)) & RR_CFG_DROP_EN) ||
           (ff50_rd(s, RDM_PF_QDE(q / 32)) >> (q % 32) & 1);
}

typedef enum RingState {
    RING_READY, RING_DROP, RING_HOLD,
} RingState;

/* Can ring @q take @len bytes now? */
static RingState ring_state(FF50State *s, unsigned q, uint32_t len)
{
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q));
    uint32_t bufsz = ff50_rx_buf_size(cfg);
    unsigned n = (len + bufsz - 1) / bufsz;

    if (!(cfg & RR_CFG_EN) || s->dp->rx[q].dead ||
        s->fault.rx_ring == (int32_t)q) {
        return RING_DROP;
    }
    if (ff50_rx_free(s, q) < n) {
        if (drop_mode(s, q) || n >= ff50_ring_size(cfg)) {
            return RING_DROP;
        }
        return RING_HOLD;
    }
    return ff50_rx_ready(s, q, n) ? RING_READY : RING_DROP;
}

static void starve(FF50State *s, unsigned q)
{
    FF50RxRing *r = &s->dp->rx[q];

    if (!r->starved) {
        r->starved = true;
        s->dp->n_starved++;
    }
}

static void feed(FF50State *s, unsigned q)
{
    FF50RxRing *r = &s->dp->rx[q];

    if (r->starved) {
        r->starved = false;
        s->dp->n_starved--;
        ff50_wire_rx_resume(s);
    }
}

/* Something that may release or discard a held frame has changed. */
void ff50_rx_gates_changed(FF50State *s)
{
    FF50Dp *dp = s->dp;

    if (!(ff50_rd(s, RDB_PB_CTL) & RDB_PB_CTL_RXEN)) {
        ff50_rsc_discard(s, -1);
    }
    for (unsigned q = 0; dp->n_starved && q < FF50_NR_QUEUES; q++) {
        feed(s, q);
    }
}

static bool gates_open(const FF50State *s)
{
    return (ff50_rd(s, RDB_PB_CTL) & RDB_PB_CTL_RXEN) &&
           !(ff50_rd(s, RSC_CTL) & RSC_CTL_RX_DIS) && ff50_dma_ok(s);
}

/* @len is without FCS; PSR_MAX_SZ counts it. */
bool ff50_rx_too_long(const FF50State *s, uint32_t len)
{
    uint32_t max = ff50_rd(s, PSR_MAX_SZ) & 0xffff;
    uint32_t mac = ff50_rd(s, MAC_RX_CFG) & MAC_RX_CFG_JE
                   ? UINT32_MAX : MAX_SZ_DEFAULT + FF50_VLAN_TAG;

    len = MAX(len, FF50_MIN_FRAME) + FCS_LEN;
    return len > (max ? max : MAX_SZ_DEFAULT) || len > mac;
}

/* One copy of a frame, with everything that depends on its ring. */
static void deliver(FF50State *s, const uint8_t *frame, uint32_t len,
                    const FF50Parsed *o, const FF50Route *r,
                    const FF50RxMeta *common, unsigned flags)
{
    FF50Dp *dp = s->dp;
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(r->q)), fcs;
    const uint8_t *p = frame;
    bool strip = (cfg & RR_CFG_VLAN) && o->ntags;
    bool keep_fcs = !(ff50_rd(s, RSC_CTL) & RSC_CTL_CRC_STRIP);
    unsigned pool = ff50_pool_queues(s) ? r->q / ff50_pool_queues(s) : 0;
    unsigned cut = strip ? FF50_VLAN_TAG : 0;
    FF50RxMeta m = *common;
    uint32_t hdr = 0;

    m.rss_type = r->rss_type;
    m.hash = r->hash;
    m.ptype = r->ptype;
    m.status |= (uint32_t)r->cls << RXD_CLASS_SHIFT;
    if (cfg & RR_CFG_SPLIT) {
        hdr = split_point(frame, len, o, ff50_rd(s, RDB_PL_CFG(pool)));
        hdr = hdr > cut ? hdr - cut : 0;
    }
    if (strip || keep_fcs) {
        /* The first tag follows the two addresses. */
        uint8_t *b = dp->rx_buf;

        memcpy(b, frame, 12);
        memcpy(b + 12, frame + 12 + cut, len - 12 - cut);
        len -= cut;
        p = b;
        if (keep_fcs) {
            fcs = ff50_eth_fcs(frame, len + cut);
            stl_le_p(b + len, flags & FF50_RXF_CRC_ERR ? ~fcs : fcs);
        }
    }
    ff50_stats_rx_dma(s, r->q, len, m.mcast);
    if (!keep_fcs && !(flags & FF50_RXF_ERR) &&
        ff50_rsc_take(s, r->q, p, len, o, &m, cut)) {
        return;
    }
    set_split(s, r->q, hdr, len, &m);
    ff50_rx_write(s, r->q, p, len + (keep_fcs ? FCS_LEN : 0), &m, NULL);
}

static void fill_meta(FF50State *s, const uint8_t *p, uint32_t len,
                      const FF50Parsed *o, const FF50Accept *a,
                      unsigned flags, FF50RxMeta *m)
{
    *m = (FF50RxMeta) { .status = csum_status(p, o) };
    if (o->ntags) {
        m->status |= RXD_VP;
        m->tci = o->tag[0].tci;
        m->tpid_idx = o->tag[0].idx;
    }
    if (o->ntags > 1) {
        m->status |= RXD_VEXT;
    }
    if (a->inexact) {
        m->status |= RXD_PIF;
    }
    if (flags & FF50_RXF_ERR) {
        m->status |= RXD_RXE;
    } else if (ptp_stamp(s, p, len, o)) {
        m->status |= RXD_TS;
    }
    m->mcast = is_multicast_ether_addr(p) && !is_broadcast_ether_addr(p);
}

/*
 * Give the frame to the ring of every pool in @a.  Either every ring that
 * must not lose it has room, or nobody gets it yet.
 */
static FF50Rx dispatch(FF50State *s, const uint8_t *p, uint32_t len,
                       const FF50Parsed *o, const FF50Accept *a,
                       unsigned flags)
{
    FF50Route route[FF50_MAX_POOLS];
    RingState state[FF50_MAX_POOLS];
    uint32_t need = len + FCS_LEN;
    FF50RxMeta m;
    unsigned n = 0, taken = 0;

    if (ff50_rd(s, RSC_CTL) & RSC_CTL_CRC_STRIP) {
        need = len;
    }
    for (unsigned pool = 0; pool < FF50_MAX_POOLS; pool++) {
        FF50Route *r = &route[n];

        if (!(a->pools >> pool & 1)) {
            continue;
        }
        ff50_filter_route(s, p, len, o, pool, r);
        state[n] = r->drop ? RING_DROP : ring_state(s, r->q, need);
        if (state[n] == RING_HOLD) {
            starve(s, r->q);
            return FF50_RX_NO_ROOM;
        }
        n++;
    }
    fill_meta(s, p, len, o, a, flags, &m);
    for (unsigned i = 0; i < n; i++) {
        if (route[i].fdir_looked) {
            ff50_stats_fdir(s, route[i].fdir_match);
        }
        if (state[i] == RING_READY) {
            deliver(s, p, len, o, &route[i], &m, flags);
            taken++;
        } else {
            ff50_stats_rx_drop(s, route[i].drop ? FF50_DROP_FILTER
                                                : FF50_DROP_NODESC);
        }
    }
    return taken ? FF50_RX_DELIVERED : FF50_RX_DROPPED;
}

FF50Rx ff50_rx_frame(FF50State *s, const uint8_t *frame, uint32_t len,
                     unsigned flags)
{
    uint8_t small[FF50_MIN_FRAME];
    FF50ParseCfg cfg;
    FF50Parsed o;
    FF50Accept a;

    if (len < 14 || len > FF50_MAX_FRAME || !gates_open(s)) {
        ff50_stats_rx_drop(s, FF50_DROP_GATE);
        return FF50_RX_DROPPED;
    }
    if (len < FF50_MIN_FRAME) {
        memcpy(small, frame, len);
        memset(small + len, 0, FF50_MIN_FRAME - len);
        frame = small;
        len = FF50_MIN_FRAME;
    }
    if (ff50_rx_too_long(s, len)) {
        ff50_stats_rx_drop(s, FF50_DROP_OVERSIZE);
        return FF50_RX_DROPPED;
    }
    ff50_dp_parse_cfg(s, &cfg);
    ff50_parse(&cfg, frame, len, 0, &o);
    if (((flags & FF50_RXF_ERR) &&
         !(ff50_rd(s, RSC_CTL) & RSC_CTL_SAVE_MAC_ERR)) ||
        !ff50_filter_accept(s, frame, &o, &a)) {
        ff50_stats_rx_drop(s, FF50_DROP_FILTER);
        return FF50_RX_DROPPED;
    }
    return dispatch(s, frame, len, &o, &a, flags);
}

/* ------------------------------------------------------------------ */
/* Ring registers                                                      */

void ff50_rx_doorbell(FF50State *s, unsigned q)
{
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(q)), wp = ff50_rd(s, PX_RR_WP(q));
    unsigned size = ff50_ring_size(cfg);

    if (wp >= size && (cfg & RR_CFG_EN)) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_WP(q), wp,
                       "WP beyond the %u descriptors of rx ring %u", size, q);
        ff50_wr(s, PX_RR_WP(q), ff50_rd(s, PX_RR_RP(q)));
        return;
    }
    feed(s, q);
}

static void ring_forget(FF50State *s, unsigned q)
{
    FF50RxRing *r = &s->dp->rx[q];
    bool starved = r->starved;

    ff50_rsc_discard(s, q);
    ff50_dp_report_cancel(s, false, q);
    if (r->held) {
        g_array_free(r->held, true);
    }
    *r = (FF50RxRing) { .bad_slot = -1, .starved = starved };
}

static void ring_enable(FF50State *s, unsigned q, uint32_t cfg)
{
    FF50RxRing *r = &s->dp->rx[q];
    unsigned size = ff50_ring_size(cfg);
    uint64_t base = ff50_ring_base(s, PX_RR_BAL(q));

    ring_forget(s, q);
    if (!base || base % 128) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_BAL(q), base,
                       "rx ring %u enabled with a bad base", q);
        r->dead = true;
    }
    if (ff50_rd(s, PX_RR_RP(q)) >= size || ff50_rd(s, PX_RR_WP(q)) >= size) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_WP(q),
                       ff50_rd(s, PX_RR_WP(q)),
                       "rx ring %u enabled with RP or WP out of range", q);
        r->dead = true;
    }
    if (!(ff50_rd(s, PX_PF_BME) & 1)) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, PX_RR_CFG(q), cfg,
                       "rx ring %u enabled before PX_PF_BME was set", q);
    }
    if (!(ff50_rd(s, RDM_RSC_CTL) & RDM_RSC_CTL_FREE_CTL)) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, PX_RR_CFG(q), cfg,
                       "rx ring %u enabled before RDM_RSC_CTL.FREE_CTL", q);
    }
    if ((cfg & RR_CFG_DESC_MERGE) && !(ff50_rd(s, RDM_DCACHE_CTL) & 1)) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_CFG(q), cfg,
                       "DESC_MERGE of rx ring %u without RDM_DCACHE_CTL", q);
    }
    if ((cfg & RR_CFG_RSC) && !(cfg >> 12 & 15)) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_CFG(q), cfg,
                       "RSC of rx ring %u without HDR_SZ", q);
    }
    feed(s, q);
}

static void config_written(FF50State *s, unsigned q, uint32_t old,
                           uint32_t val)
{
    /* Only drop mode and VLAN stripping are changed on a live ring. */
    const uint32_t live = RR_CFG_EN | RR_CFG_DROP_EN | RR_CFG_VLAN;

    if (!(old & RR_CFG_EN)) {
        if (val & RR_CFG_EN) {
            ring_enable(s, q, val);
        }
        return;
    }
    if (!(val & RR_CFG_EN)) {
        ring_forget(s, q);
    } else if ((old ^ val) & ~live) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_CFG(q), val,
                       "set-up of running rx ring %u changed", q);
        ff50_wr(s, PX_RR_CFG(q), (old & ~live) | (val & live));
    }
    feed(s, q);
}

void ff50_rx_reg_written(FF50State *s, unsigned q, uint32_t reg, uint32_t old,
                         uint32_t val)
{
    if (reg == (PX_RR_CFG(0) & 0x3f)) {
        config_written(s, q, old, val);
        return;
    }
    if (!(ff50_rd(s, PX_RR_CFG(q)) & RR_CFG_EN)) {
        return;
    }
    /* Writing RP 0 right after enabling does nothing, and is done. */
    if (reg != (PX_RR_RP(0) & 0x3f) || val || old) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_RR_BAL(q) + reg, val,
                       "written while rx ring %u is enabled", q);
    }
    ff50_wr(s, PX_RR_BAL(q) + reg, old);
}

void ff50_rx_init(FF50State *s)
{
    FF50Dp *dp = s->dp;

    dp->rx_buf = g_malloc(FF50_MAX_FRAME + FCS_LEN);
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        dp->rx[q].bad_slot = -1;
    }
}

void ff50_rx_fini(FF50State *s)
{
    FF50Dp *dp = s->dp;

    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        if (dp->rx[q].held) {
            g_array_free(dp->rx[q].held, true);
        }
    }
    g_free(dp->rx_buf);
}

void ff50_rx_reset(FF50State *s)
{
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        ring_forget(s, q);
    }
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        feed(s, q);
    }
    s->dp->rss_valid = false;
}

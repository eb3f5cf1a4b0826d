/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transmit of the FF50xx model: rings, descriptors, contexts, offloads and
 * completion.
 *
 * A packet is taken only when all its descriptors are there.  It is gathered
 * into one buffer, checked against its context, and leaves as one frame or as
 * segments; while the wire is full it stays in dp->job, and nothing else is
 * sent.  RP and the report to the host move only after the whole packet.
 */
#include "qemu/osdep.h"
#include "ff50xx_core.h"
#include "qemu/bitmap.h"
#include "ff50xx_dp.h"

/* Data descriptor, dword 2. */
#define TXD_DTALEN          0x0000ffff
#define TXD_RSVD            0x00030000
#define TXD_MAC_LINKSEC     (1u << 18)
#define TXD_TSTAMP          (1u << 19)
#define TXD_DTYP(d)         ((d) >> 20 & 15)
#define TXD_EOP             (1u << 24)
#define TXD_IFCS            (1u << 25)
#define TXD_LINKSEC         (1u << 26)
#define TXD_RS              (1u << 27)
#define TXD_VLE             (1u << 30)
#define TXD_TSE             (1u << 31)
/* Command bits that every descriptor of a packet repeats. */
#define TXD_REPEATED        (TXD_MAC_LINKSEC | TXD_TSTAMP | TXD_IFCS | \
                             TXD_LINKSEC | TXD_VLE | TXD_TSE)
/* Data descriptor, dword 3. */
#define TXD_STA_RSVD        0x0000006f
#define TXD_DD              (1u << 0)
#define TXD_IDX(d)          ((d) >> 4 & 1)
#define TXD_CC              (1u << 7)
#define TXD_IPSEC           (1u << 8)
#define TXD_L4CS            (1u << 9)
#define TXD_IIPCS           (1u << 10)
#define TXD_EIPCS           (1u << 11)
#define TXD_OFFLOADS        (TXD_L4CS | TXD_IIPCS | TXD_EIPCS)
#define TXD_PAYLEN(d)       ((d) >> 13)
/* Context descriptor: bits that mean nothing in any source. */
#define TXC_RSVD1           0x00180400
#define TXC_RSVD2           0x000e0001
#define TXC_RSVD3           0x000000ef

#define TXC_MACLEN_MAX      127

#define VLAN_INS_ALWAYS     (1u << 30)
#define VLAN_INS_NEVER      (1u << 31)

/* Frames, and descriptors, handled per call before others get a turn. */
#define TX_BURST            256
#define TX_RING_BURST       32

typedef enum TxStep {
    TX_MOVED,                   /* something was consumed, go on */
    TX_EMPTY,                   /* nothing complete in the ring */
    TX_BLOCKED,                 /* the wire is full */
} TxStep;

typedef struct TxPacket {
    unsigned n;                 /* data descriptors */
    uint32_t total;             /* bytes */
    uint32_t cmd, sta;          /* dwords 2 and 3 of the first one */
    unsigned eop, next;         /* last slot, slot after it */
    bool bad;                   /* cannot be sent */
} TxPacket;

static void bad_desc(FF50State *s, unsigned q, FF50Vio cls, uint64_t val,
                     const char *what)
{
    ff50_violation(s, cls, PX_TR_WP(q), val, "tx ring %u slot %u: %s", q,
                   ff50_rd(s, PX_TR_RP(q)), what);
}

#define BAD_FIELD(s, q, val, what) \
    bad_desc((s), (q), FF50_VIO_DESC_FIELD, (val), (what))
#define BAD_SEQ(s, q, val, what) \
    bad_desc((s), (q), FF50_VIO_DESC_SEQ, (val), (what))

/* The descriptor was unusable: tell the checker registers, if enabled. */
static void flag_nonfatal(FF50State *s, unsigned q)
{
    if (ff50_rd(s, TDM_DESC_CHK(q / 32)) >> (q % 32) & 1) {
        uint32_t reg = TDM_DESC_NONFATAL(q / 32);

        ff50_wr(s, reg, ff50_rd(s, reg) | 1u << (q % 32));
        ff50_misc_cause(s, MISC_TXDESC);
    }
}

/* ------------------------------------------------------------------ */
/* Descriptor window                                                   */

/* Fetch what follows @idx, up to WP or the ring's end. */
static bool fill_window(FF50State *s, unsigned q, unsigned idx, unsigned wp,
                        unsigned size)
{
    FF50Dp *dp = s->dp;
    unsigned n = (idx < wp ? wp : size) - idx;
    uint8_t raw[FF50_TX_WINDOW * FF50_DESC_LEN];
    uint64_t base = ff50_ring_base(s, PX_TR_BAL(q));

    n = MIN(n, FF50_TX_WINDOW);
    dp->win_q = q;
    dp->win_first = idx;
    dp->win_n = 0;
    if (!ff50_dma_read(s, base + (uint64_t)idx * FF50_DESC_LEN, raw,
                       n * FF50_DESC_LEN, FF50_DMA_DESC)) {
        return false;
    }
    for (unsigned i = 0; i < n * 4; i++) {
        dp->win[i / 4].d[i % 4] = ldl_le_p(raw + 4 * i);
    }
    dp->win_n = n;
    return true;
}

static const FF50Desc *tx_desc(FF50State *s, unsigned q, unsigned idx,
                               unsigned wp, unsigned size)
{
    FF50Dp *dp = s->dp;

    if (dp->win_q != q || idx < dp->win_first ||
        idx >= dp->win_first + dp->win_n) {
        if (!fill_window(s, q, idx, wp, size)) {
            return NULL;
        }
    }
    return &dp->win[idx - dp->win_first];
}

static void drop_window(FF50Dp *dp)
{
    dp->win_n = 0;
}

/* ------------------------------------------------------------------ */
/* Context                                                             */

static void take_context(FF50State *s, unsigned q, const FF50Desc *d)
{
    FF50TxCtx *c = &s->dp->tx[q].ctx[TXD_IDX(d->d[3])];

    if ((d->d[1] & TXC_RSVD1) || (d->d[2] & TXC_RSVD2) ||
        (d->d[3] & TXC_RSVD3)) {
        unsigned w = d->d[1] & TXC_RSVD1 ? 1 : d->d[2] & TXC_RSVD2 ? 2 : 3;

        BAD_FIELD(s, q, d->d[w], "reserved bit in a context descriptor");
    }
    *c = (FF50TxCtx) {
        .set = true,
        .ptype = d->d[2] >> 24,
        .tpid_sel = d->d[2] >> 11 & 7,
        .gre = d->d[1] >> 11 & 1,
        .vlan = d->d[0] >> 16,
        .mss = d->d[3] >> 16,
        .iplen = (d->d[0] & 0x1ff) * 2,
        .maclen = d->d[0] >> 9 & 0x7f,
        .outer_iplen = (d->d[1] >> 12 & 0x7f) * 4,
        .tunnel_len = (d->d[1] >> 21 & 0xff) * 2,
        .l4len = d->d[3] >> 8 & 0xff,
    };
}

/* Length of the MAC header and its tags, as the frame has it. */
static uint32_t real_maclen(const FF50ParseCfg *cfg, const uint8_t *p,
                            uint32_t len)
{
    uint32_t off = 12;

    while (len - off >= 6 && off < TXC_MACLEN_MAX) {
        uint16_t t = ff50_be16(p + off);

        if (t != 0x8100 && t != 0x88a8 && ff50_tpid_index(cfg, t) < 0) {
            break;
        }
        off += FF50_VLAN_TAG;
    }
    return off + 2;
}

/*
 * The seed in the checksum field: pseudo header with the L4 length for plain
 * checksums, without it for segmentation.  Where an option may replace the
 * destination address, or SCTP needs no seed, there is nothing to check.
 */
static bool seed_good(const uint8_t *p, const FF50Ip *ip, bool tso)
{
    uint32_t l4 = ip->off + ip->hlen;
    uint32_t field = l4 + (ip->l4 == FF50_L4_TCP ? 16 : 6);
    uint16_t want;

    if (ip->l4 == FF50_L4_SCTP || ip->rthdr || ip->trunc) {
        return true;
    }
    want = ff50_csum_fold(ff50_csum_pseudo(p + ip->off, ip->ver, ip->proto,
                                           tso ? 0 : ip->end - l4));
    /* 0 and 0xffff are the same number here. */
    return (ff50_be16(p + field) % 0xffff) == (want % 0xffff);
}

/* Check the outer headers; return where the inner IP header should be. */
static uint32_t check_outer(FF50State *s, unsigned q, const TxPacket *k,
                            const FF50TxCtx *c, const uint8_t *p,
                            FF50Offload *o)
{
    unsigned kind = FF50_PT_KIND(c->ptype);
    static const uint8_t inner_l2[4] = { 0, 0, 14, 18 };
    uint32_t l4 = c->maclen + c->outer_iplen;
    uint32_t ip_off = l4 + c->tunnel_len + inner_l2[kind];
    FF50Ip outer;

    if (!(c->ptype & FF50_PT_TUNNEL)) {
        BAD_FIELD(s, q, c->ptype, "OUTER_IPLEN without a tunnel type code");
        return 0;
    }
    if (ip_off >= k->total ||
        !ff50_parse_ip(p, k->total, c->maclen, FF50_PARSE_NOLEN, &outer)) {
        BAD_FIELD(s, q, c->maclen, "no outer IP header at MACLEN");
        return 0;
    }
    if ((outer.ver == 6) != !!(c->ptype & FF50_PT_OUTER6)) {
        BAD_FIELD(s, q, c->ptype, "outer IP version not that of PTYPE");
        return 0;
    }
    if (kind == FF50_TUN_IPIP) {
        if (c->tunnel_len || (outer.proto != FF50_IPPROTO_IPIP &&
                              outer.proto != FF50_IPPROTO_IPV6)) {
            BAD_FIELD(s, q, c->tunnel_len, "not an IP-in-IP packet");
            return 0;
        }
    } else if (outer.proto !=
               (c->gre ? FF50_IPPROTO_GRE : FF50_IPPROTO_UDP)) {
        BAD_FIELD(s, q, outer.proto, "outer protocol differs from TUNNEL_TYPE");
        return 0;
    }
    if (outer.ver == 4 && outer.hlen != c->outer_iplen) {
        BAD_FIELD(s, q, c->outer_iplen, "OUTER_IPLEN differs from the header");
        return 0;
    }
    o->outer_ver = outer.ver;
    o->outer_off = c->maclen;
    o->outer_l4_off = l4;
    o->outer_udp = outer.proto == FF50_IPPROTO_UDP;
    return ip_off;
}

/*
 * Compare the context with the headers that are really there, and fill in
 * where the offload code finds them.  False: the packet cannot be sent.
 */
static bool check_offload(FF50State *s, unsigned q, const TxPacket *k,
                          const FF50TxCtx *c, const uint8_t *p,
                          FF50Offload *o)
{
    bool tso = k->cmd & TXD_TSE, l4cs = k->sta & TXD_L4CS;
    uint32_t ip_off = c->maclen, l4len;
    FF50ParseCfg cfg;
    FF50Ip ip;

    *o = (FF50Offload) { 0 };
    ff50_dp_parse_cfg(s, &cfg);
    if (k->total < FF50_TX_MIN_BYTES ||
        c->maclen != real_maclen(&cfg, p, k->total)) {
        BAD_FIELD(s, q, c->maclen, "MACLEN differs from the frame");
        return false;
    }
    if (c->outer_iplen) {
        ip_off = check_outer(s, q, k, c, p, o);
        if (!ip_off) {
            return false;
        }
    } else if ((c->ptype >> 4) != (FF50_PT_IP >> 4)) {
        BAD_FIELD(s, q, c->ptype, "type code does not name an IP packet");
        return false;
    }
    if (!ff50_parse_ip(p, k->total, ip_off, tso ? FF50_PARSE_NOLEN : 0,
                       &ip) ||
        (ip.ver == 6) != !!(c->ptype & FF50_PT_IPV6)) {
        BAD_FIELD(s, q, ip_off, "no IP header of PTYPE's version there");
        return false;
    }
    if (ip.hlen != c->iplen) {
        BAD_FIELD(s, q, c->iplen, "IPLEN differs from the header");
        return false;
    }
    o->ver = ip.ver;
    o->ip_off = ip_off;
    o->l4_off = ip_off + ip.hlen;
    o->l4 = ip.l4;
    o->iipcs = k->sta & TXD_IIPCS;
    o->eipcs = k->sta & TXD_EIPCS;
    o->l4cs = l4cs;
    if (o->iipcs && (ip.ver != 4 || ff50_be16(p + ip_off + 10))) {
        BAD_FIELD(s, q, k->sta, "IIPCS without a zeroed IPv4 checksum");
    }
    if (o->eipcs && o->outer_ver != 4) {
        BAD_FIELD(s, q, k->sta, "EIPCS without an outer IPv4 header");
    }
    if (!l4cs && !tso) {
        return true;
    }

    l4len = ff50_l4_hdr_len(p, k->total, &ip);
    if (ip.l4 < FF50_L4_UDP || ip.l4 != FF50_PT_L4(c->ptype) || !l4len) {
        BAD_FIELD(s, q, c->ptype, "L4 differs from the type code");
        return false;
    }
    if (l4len != c->l4len) {
        BAD_FIELD(s, q, c->l4len, "L4LEN differs from the header");
        return false;
    }
    o->hdr_len = o->l4_off + l4len;
    if (l4cs && !seed_good(p, &ip, tso)) {
        BAD_FIELD(s, q, ff50_be16(p + o->l4_off +
                                  (ip.l4 == FF50_L4_TCP ? 16 : 6)),
                  "checksum field is not the pseudo header's sum");
    }
    if (!tso) {
        return true;
    }

    o->mss = c->mss;
    if (ip.l4 == FF50_L4_SCTP || !c->mss || o->hdr_len >= k->total) {
        BAD_FIELD(s, q, c->mss, "nothing to segment");
        return false;
    }
    if (!l4cs) {
        BAD_FIELD(s, q, k->sta, "TSE without L4CS");
    }
    if (ip.ver == 4 && !o->iipcs) {
        BAD_FIELD(s, q, k->sta, "TSE of IPv4 without IIPCS");
    }
    if (ff50_be16(p + ip_off + (ip.ver == 4 ? 2 : 4))) {
        BAD_FIELD(s, q, ff50_be16(p + ip_off + (ip.ver == 4 ? 2 : 4)),
                  "TSE with an IP length that is not zero");
    }
    if (k->sta >> 13 != k->total - o->hdr_len) {
        BAD_FIELD(s, q, k->sta >> 13, "PAYLEN is not the payload's length");
    }
    if (o->hdr_len + c->mss + FF50_VLAN_TAG > FF50_MAX_FRAME) {
        BAD_FIELD(s, q, c->mss, "segments would be too long");
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ */
/* Packets                                                             */

/* Descriptor checks that need no packet data. */
static void check_descs(FF50State *s, unsigned q, const FF50Desc *d,
                        TxPacket *k)
{
    uint32_t cmd = d[0].d[2], sta = d[0].d[3];

    k->cmd = cmd;
    k->sta = sta;
    if (sta & TXD_STA_RSVD) {
        BAD_FIELD(s, q, sta, "reserved status bit in a data descriptor");
    }
    if ((cmd & (TXD_LINKSEC | TXD_MAC_LINKSEC)) || (sta & TXD_IPSEC)) {
        BAD_FIELD(s, q, cmd, "the security engines are not there");
        k->bad = true;
    }
    if (!(cmd & TXD_IFCS)) {
        BAD_FIELD(s, q, cmd, "IFCS is not set");
    }
    for (unsigned i = 0; i < k->n; i++) {
        uint32_t c = d[i].d[2], n = c & TXD_DTALEN;

        if (c & TXD_RSVD) {
            BAD_FIELD(s, q, c, "reserved command bit in a data descriptor");
        }
        if (!n || n > FF50_TX_MAX_DTALEN) {
            BAD_FIELD(s, q, c, n ? "DTALEN above 16384" : "DTALEN is 0");
            k->bad = k->bad || !n;
        }
        if (!d[i].d[0] && !d[i].d[1] && n) {
            BAD_FIELD(s, q, 0, "buffer address is 0");
            k->bad = true;
        }
        if ((c ^ cmd) & TXD_REPEATED) {
            BAD_SEQ(s, q, c, "command bits differ within a packet");
        }
        if (i && d[i].d[3] && d[i].d[3] != sta) {
            BAD_SEQ(s, q, d[i].d[3], "status word differs within a packet");
        }
        if ((c & TXD_RS) && !(c & TXD_EOP)) {
            BAD_SEQ(s, q, c, "RS before the last descriptor");
        }
    }
    if (!(cmd & TXD_TSE) && TXD_PAYLEN(sta) != k->total) {
        BAD_FIELD(s, q, TXD_PAYLEN(sta), "PAYLEN is not the frame's length");
    }
    if (k->total < FF50_TX_MIN_BYTES) {
        BAD_FIELD(s, q, k->total, "frame shorter than 17 bytes");
        k->bad = k->bad || k->total < 14;
    }
    if (k->total > FF50_TX_MAX_BYTES) {
        BAD_FIELD(s, q, k->total, "packet too long");
        k->bad = true;
    }
    if (!(cmd & TXD_TSE) && k->total + FF50_VLAN_TAG > FF50_MAX_FRAME) {
        BAD_FIELD(s, q, k->total, "frame too long");
        k->bad = true;
    }
}

/* Read the packet's bytes into the buffer. */
static bool gather(FF50State *s, const FF50Desc *d, unsigned n, uint8_t *p)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t len = d[i].d[2] & TXD_DTALEN;

        if (!ff50_dma_read(s, d[i].d[0] | (uint64_t)d[i].d[1] << 32, p, len,
                           FF50_DMA_DATA)) {
            return false;
        }
        p += len;
    }
    return true;
}

static uint8_t *insert_tag(uint8_t *p, uint16_t tpid, uint16_t tci)
{
    memmove(p - FF50_VLAN_TAG, p, 12);
    p -= FF50_VLAN_TAG;
    ff50_put_be16(p + 12, tpid);
    ff50_put_be16(p + 14, tci);
    return p;
}

static void shift_offload(FF50Offload *o, uint32_t n)
{
    o->outer_off += n;
    o->outer_l4_off += n;
    o->ip_off += n;
    o->l4_off += n;
    o->hdr_len += n;
}

/* The tag to insert: the packet's own, or its pool's default one. */
static bool tag_wanted(FF50State *s, unsigned q, const TxPacket *k,
                       const FF50TxCtx *c, uint16_t *tpid, uint16_t *tci)
{
    unsigned qpp = ff50_pool_queues(s), sel;

    if (c && (k->cmd & TXD_VLE)) {
        sel = c->tpid_sel;
        *tci = c->vlan;
    } else if (qpp) {
        uint32_t ins = ff50_rd(s, TDM_VLAN_INS(q / qpp));

        if ((ins & (VLAN_INS_ALWAYS | VLAN_INS_NEVER)) != VLAN_INS_ALWAYS) {
            return false;
        }
        sel = ins >> 24 & 7;
        *tci = ins & 0xffff;
    } else {
        return false;
    }
    *tpid = ff50_rd(s, CFG_TAG_TPID(sel / 2)) >> (sel % 2 * 16);
    if (!*tpid) {
        bad_desc(s, q, FF50_VIO_INDEX, sel,
                 "TAG_TPID_SEL names an empty entry");
        return false;
    }
    return true;
}

/* Turn complete descriptors into dp->job.  False: drop the packet. */
static bool make_job(FF50State *s, unsigned q, TxPacket *k)
{
    FF50Dp *dp = s->dp;
    FF50TxJob *job = &dp->job;
    uint8_t *p = dp->tx_buf + FF50_TX_HEADROOM;
    const FF50TxCtx *c = NULL;
    FF50Offload o = { 0 };
    uint32_t len = k->total;
    uint16_t tpid, tci;
    bool tso;

    check_descs(s, q, dp->pkt, k);
    tso = k->cmd & TXD_TSE;
    if (k->bad) {
        return false;
    }
    if (k->sta & TXD_CC) {
        c = &dp->tx[q].ctx[TXD_IDX(k->sta)];
        if (!c->set) {
            BAD_SEQ(s, q, k->sta, "CC names a context that was never set");
            return false;
        }
    } else if (tso || (k->cmd & TXD_VLE) || (k->sta & TXD_OFFLOADS)) {
        BAD_FIELD(s, q, k->sta, "offload without CC");
        if (tso) {
            return false;
        }
    }
    if (!gather(s, dp->pkt, k->n, p)) {
        return false;
    }
    if (c && (tso || (k->sta & TXD_OFFLOADS)) &&
        !check_offload(s, q, k, c, p, &o)) {
        return false;
    }
    if (tag_wanted(s, q, k, c, &tpid, &tci)) {
        p = insert_tag(p, tpid, tci);
        len += FF50_VLAN_TAG;
        shift_offload(&o, FF50_VLAN_TAG);
    }

    *job = (FF50TxJob) {
        .active = true, .tso = tso, .q = q, .eop = k->eop, .next = k->next,
        .tstamp = k->cmd & TXD_TSTAMP, .frame = p, .len = len,
    };
    if (tso) {
        job->active = ff50_seg_init(&job->seg, p, len, &o);
        return job->active;
    }
    ff50_offload_frame(p, len, &o);
    if (len < FF50_MIN_FRAME) {
        memset(p + len, 0, FF50_MIN_FRAME - len);
        job->len = FF50_MIN_FRAME;
    }
    return true;
}

/* Consume descriptors up to @next, whether or not they were sent. */
static void advance(FF50State *s, unsigned q, unsigned next)
{
    ff50_wr(s, PX_TR_RP(q), next);
    s->dp->tx[q].wb_due = true;
}

/* ------------------------------------------------------------------ */
/* Rate limit of a ring: line rate divided by a fixed-point factor       */

static bool ring_limited(FF50State *s, unsigned q)
{
    FF50Dp *dp = s->dp;
    int64_t next = dp->tx[q].rl_next_ns;

    if (!(s->rl_queue[q] & RL_CFG_EN) || next <= ff50_now_ns()) {
        return false;
    }
    set_bit(q, dp->tx_limited);
    clear_bit(q, dp->tx_pending);
    if (!timer_pending(dp->rl_timer) ||
        next < (int64_t)timer_expire_time_ns(dp->rl_timer)) {
        timer_mod(dp->rl_timer, next);
    }
    return true;
}

static void ring_charge(FF50State *s, unsigned q, uint32_t len)
{
    uint32_t cfg = s->rl_queue[q], mbps = ff50_link_speed(s);
    uint64_t factor = (uint64_t)RL_CFG_INTEGER(cfg) << 14 |
                      RL_CFG_FRACTION(cfg);
    uint64_t bits = 8ull * (len + 4 + (ff50_rd(s, TDM_RL_ADJ) & 0xFF));
    int64_t now = ff50_now_ns();

    if ((cfg & RL_CFG_EN) && mbps) {
        s->dp->tx[q].rl_next_ns = MAX(s->dp->tx[q].rl_next_ns, now) +
                                  (int64_t)(bits * 1000 * factor / mbps >> 14);
    }
}

static void rl_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Dp *dp = s->dp;

    /* those that are still too early go back by themselves */
    bitmap_or(dp->tx_pending, dp->tx_pending, dp->tx_limited, FF50_NR_QUEUES);
    bitmap_zero(dp->tx_limited, FF50_NR_QUEUES);
    ff50_tx_kick(s);
}

/* Send the rest of dp->job; false if the wire is full. */
static bool run_job(FF50State *s, unsigned *frames)
{
    FF50Dp *dp = s->dp;
    FF50TxJob *job = &dp->job;
    FF50TxRing *r = &dp->tx[job->q];

    if (!job->tso) {
        if (ff50_wire_send(s, job->frame, job->len) == FF50_SEND_FULL) {
            return false;
        }
        ff50_stats_tx_dma(s, job->q, job->len);
        ring_charge(s, job->q, job->len);
        ++*frames;
    }
    while (job->tso && (job->seg_len || !ff50_seg_done(&job->seg))) {
        if (!job->seg_len) {
            uint32_t n = ff50_seg_next(&job->seg, dp->seg_buf, FF50_MAX_FRAME);

            if (!n) {
                break;          /* cannot be: check_offload() saw to it */
            }
            if (n < FF50_MIN_FRAME) {
                memset(dp->seg_buf + n, 0, FF50_MIN_FRAME - n);
                n = FF50_MIN_FRAME;
            }
            job->seg_len = n;
        }
        if (ff50_wire_send(s, dp->seg_buf, job->seg_len) == FF50_SEND_FULL) {
            return false;
        }
        ff50_stats_tx_dma(s, job->q, job->seg_len);
        ring_charge(s, job->q, job->seg_len);
        job->seg_len = 0;
        ++*frames;
    }
    if (job->tstamp) {
        ff50_ptp_tx_latch(s);
    }
    if (r->eop) {
        set_bit(job->eop, r->eop);
    }
    job->active = false;
    advance(s, job->q, job->next);
    return true;
}

/* A packet that cannot be sent: consume it, its owner must get it back. */
static void drop_packet(FF50State *s, unsigned q, const TxPacket *k)
{
    FF50TxRing *r = &s->dp->tx[q];

    s->stat.c[FF50_STAT_TDM_DRP]++;
    flag_nonfatal(s, q);
    if (r->eop) {
        set_bit(k->eop, r->eop);
    }
    advance(s, q, k->next);
}

/* Handle one context or one packet of ring @q. */
static TxStep ring_step(FF50State *s, unsigned q, unsigned *frames)
{
    FF50Dp *dp = s->dp;
    unsigned size = ff50_ring_size(ff50_rd(s, PX_TR_CFG(q)));
    unsigned rp = ff50_rd(s, PX_TR_RP(q)), wp = ff50_rd(s, PX_TR_WP(q));
    unsigned idx = rp;
    TxPacket k = { 0 };
    bool unusable = false;

    if (rp >= size || wp >= size) {
        return TX_EMPTY;        /* reported when written */
    }
    for (;;) {
        const FF50Desc *d;
        unsigned dtyp, slot = idx;

        if (idx == wp) {
            return TX_EMPTY;    /* the rest comes with a later doorbell */
        }
        d = tx_desc(s, q, idx, wp, size);
        if (!d) {
            /* The ring itself cannot be read: nothing in it is usable. */
            flag_nonfatal(s, q);
            advance(s, q, wp);
            return TX_MOVED;
        }
        dtyp = TXD_DTYP(d->d[2]);
        idx = idx + 1 == size ? 0 : idx + 1;
        if (dtyp > 1) {
            BAD_FIELD(s, q, d->d[2], "unknown DTYP");
            k.eop = slot;
            k.next = idx;
            drop_packet(s, q, &k);
            return TX_MOVED;
        }
        if (dtyp == 1) {
            if (k.n) {
                BAD_SEQ(s, q, d->d[2], "context inside a packet");
                unusable = true;
                continue;
            }
            take_context(s, q, d);
            advance(s, q, idx);
            return TX_MOVED;
        }
        if (k.n < FF50_TX_MAX_DESCS) {
            dp->pkt[k.n++] = *d;
        } else if (k.n++ == FF50_TX_MAX_DESCS) {
            BAD_SEQ(s, q, k.n, "more descriptors in a packet than supported");
            unusable = true;
        }
        k.total += d->d[2] & TXD_DTALEN;
        if (d->d[2] & TXD_EOP) {
            k.eop = slot;
            k.next = idx;
            break;
        }
    }

    if (unusable || !make_job(s, q, &k)) {
        drop_packet(s, q, &k);
        return TX_MOVED;
    }
    return run_job(s, frames) ? TX_MOVED : TX_BLOCKED;
}

/* ------------------------------------------------------------------ */
/* Completion                                                          */

static void mark_done(FF50State *s, unsigned q, unsigned slot)
{
    /* Software may not rely on the other fields: they come back as 0. */
    uint8_t raw[FF50_DESC_LEN] = { 0 };

    stl_le_p(raw + 12, TXD_DD);
    ff50_dma_write(s, ff50_ring_base(s, PX_TR_BAL(q)) +
                   (uint64_t)slot * FF50_DESC_LEN, raw, sizeof(raw),
                   FF50_DMA_DESC);
}

static void write_head(FF50State *s, unsigned q, unsigned head)
{
    bool line = ff50_rd(s, PX_TR_CFG(q)) & TR_CFG_HEAD_WB_64;
    uint8_t raw[64] = { 0 };

    stl_le_p(raw, head);
    ff50_dma_write(s, ff50_ring_base(s, PX_TR_HEAD_ADDRL(q)), raw,
                   line ? 64 : 4, FF50_DMA_HEAD);
}

/**
 * ff50_tx_write_back() - tell the host how far a ring has come
 * @s: port
 * @q: ring
 * @upto: slots before this one are done
 */
void ff50_tx_write_back(FF50State *s, unsigned q, unsigned upto)
{
    FF50TxRing *r = &s->dp->tx[q];
    uint32_t cfg = ff50_rd(s, PX_TR_CFG(q));
    unsigned size = ff50_ring_size(cfg);

    if (!(cfg & TR_CFG_EN) || r->dead || !ff50_dma_ok(s)) {
        return;
    }
    if (cfg & TR_CFG_HEAD_WB) {
        write_head(s, q, upto);
    } else {
        /* A descriptor in our own BAR may reset the ring: look each time. */
        for (unsigned i = r->wb_from, n = 0;
             r->eop && i != upto && n < size;
             i = i + 1 == size ? 0 : i + 1, n++) {
            if (test_and_clear_bit(i, r->eop)) {
                mark_done(s, q, i);
            }
        }
    }
    r->wb_from = upto;
    ff50_irq_queue(s, true, q);
}

static void report_ring(FF50State *s, unsigned q)
{
    FF50TxRing *r = &s->dp->tx[q];

    if (r->wb_due) {
        r->wb_due = false;
        ff50_dp_report(s, true, q, ff50_rd(s, PX_TR_RP(q)));
    }
}

/* ------------------------------------------------------------------ */
/* Scheduling                                                          */

static bool ring_runs(const FF50State *s, unsigned q)
{
    unsigned qpp = ff50_pool_queues(s);

    if (!(ff50_rd(s, PX_TR_CFG(q)) & TR_CFG_EN) || s->dp->tx[q].dead ||
        s->fault.tx_ring == (int32_t)q) {
        return false;
    }
    if (qpp) {
        unsigned pool = q / qpp;

        return ff50_rd(s, TDM_VF_TE(pool / 32)) >> (pool % 32) & 1;
    }
    return true;
}

/*
 * Everything but room on the wire: running out of that is found by trying,
 * because only a refused frame makes the wire call back.
 */
static bool path_open(const FF50State *s)
{
    return !s->fault.tx_stall && !s->tx_shut && (ff50_rd(s, TDM_CTL) & TDM_CTL_TE) &&
           !(ff50_rd(s, TSC_CTL) & TSC_CTL_TX_DIS) &&
           (ff50_rd(s, MAC_TX_CFG) & MAC_TX_CFG_TE) &&
           (ff50_link_is_up(s) || (ff50_rd(s, MAC_RX_CFG) & MAC_RX_CFG_LM)) &&
           ff50_dma_ok(s);
}

/**
 * ff50_tx_kick() - go on with whatever can be sent
 * @s: port
 *
 * Takes the rings in turn, a few packets each, until nothing is left, the
 * wire is full or the burst is used up; then a timer of zero length goes on.
 */
void ff50_tx_kick(FF50State *s)
{
    FF50Dp *dp = s->dp;
    unsigned frames = 0, steps = 0;
    bool blocked = false;

    if (dp->tx_running) {
        return;
    }
    dp->tx_running = true;
    if (dp->job.active && path_open(s)) {
        unsigned q = dp->job.q;

        blocked = !run_job(s, &frames);
        report_ring(s, q);
    } else if (dp->job.active) {
        blocked = true;
    }
    while (!blocked && frames < TX_BURST && steps < TX_BURST * 4) {
        unsigned q, n = 0;
        TxStep st = TX_EMPTY;

        q = find_next_bit(dp->tx_pending, FF50_NR_QUEUES, dp->tx_next);
        if (q >= FF50_NR_QUEUES) {
            q = find_first_bit(dp->tx_pending, FF50_NR_QUEUES);
        }
        if (q >= FF50_NR_QUEUES || !path_open(s)) {
            break;
        }
        dp->tx_next = (q + 1) % FF50_NR_QUEUES;
        if (!ring_runs(s, q)) {
            clear_bit(q, dp->tx_pending);
            continue;
        }
        drop_window(dp);
        while (n++ < TX_RING_BURST && frames < TX_BURST) {
            if (ring_limited(s, q)) {
                st = TX_EMPTY;
                break;
            }
            st = ring_step(s, q, &frames);
            if (st != TX_MOVED) {
                break;
            }
        }
        steps += n;
        drop_window(dp);
        if (st == TX_EMPTY) {
            clear_bit(q, dp->tx_pending);
        }
        blocked = st == TX_BLOCKED;
        report_ring(s, q);
    }
    dp->tx_running = false;
    if (!blocked && !bitmap_empty(dp->tx_pending, FF50_NR_QUEUES) &&
        path_open(s)) {
        timer_mod(dp->tx_timer, ff50_now_ns());
    }
}

/* A ring that stood still by fault has lost its place in the queue. */
void ff50_tx_rearm(FF50State *s)
{
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        if ((ff50_rd(s, PX_TR_CFG(q)) & TR_CFG_EN) &&
            ff50_rd(s, PX_TR_RP(q)) != ff50_rd(s, PX_TR_WP(q))) {
            set_bit(q, s->dp->tx_pending);
        }
    }
    ff50_tx_kick(s);
}

static void tx_timer(void *opaque)
{
    ff50_tx_kick(opaque);
}

void ff50_tx_doorbell(FF50State *s, unsigned q)
{
    uint32_t cfg = ff50_rd(s, PX_TR_CFG(q)), wp = ff50_rd(s, PX_TR_WP(q));
    unsigned size = ff50_ring_size(cfg);

    if (!(cfg & TR_CFG_EN)) {
        /* Both pointers may be preset, but not work be announced. */
        if (wp != ff50_rd(s, PX_TR_RP(q))) {
            ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_WP(q), wp,
                           "doorbell of disabled tx ring %u", q);
        }
        return;
    }
    if (wp >= size) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_WP(q), wp,
                       "WP beyond the %u descriptors of tx ring %u", size, q);
        ff50_wr(s, PX_TR_WP(q), ff50_rd(s, PX_TR_RP(q)));
        return;
    }
    /* With bus mastering off the descriptors just wait, as for a link. */
    if (!(ff50_rd(s, PX_PF_BME) & 1)) {
        ff50_violation(s, FF50_VIO_DMA_GATE, PX_TR_WP(q), wp,
                       "doorbell of tx ring %u while PX_PF_BME is 0", q);
    }
    set_bit(q, s->dp->tx_pending);
    ff50_tx_kick(s);
}

/* ------------------------------------------------------------------ */
/* Ring registers                                                      */

static void ring_forget(FF50State *s, unsigned q)
{
    FF50Dp *dp = s->dp;
    FF50TxRing *r = &dp->tx[q];

    if (dp->job.active && dp->job.q == q) {
        dp->job.active = false;
    }
    ff50_dp_report_cancel(s, true, q);
    clear_bit(q, dp->tx_pending);
    clear_bit(q, dp->tx_limited);
    g_free(r->eop);
    *r = (FF50TxRing) { 0 };
}

static void ring_enable(FF50State *s, unsigned q, uint32_t cfg)
{
    FF50TxRing *r = &s->dp->tx[q];
    unsigned size = ff50_ring_size(cfg);
    uint64_t base = ff50_ring_base(s, PX_TR_BAL(q));
    uint64_t head = ff50_ring_base(s, PX_TR_HEAD_ADDRL(q));
    uint32_t rp = ff50_rd(s, PX_TR_RP(q));

    ring_forget(s, q);
    if (!(ff50_rd(s, TDM_CTL) & TDM_CTL_TE)) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_CFG(q), cfg,
                       "tx ring %u enabled while TDM_CTL.TE is 0", q);
        ff50_wr(s, PX_TR_CFG(q), cfg & ~TR_CFG_EN);
        return;
    }
    if (!base || base % 128) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_BAL(q), base,
                       "tx ring %u enabled with a bad base", q);
        r->dead = true;
    }
    if (rp >= size || ff50_rd(s, PX_TR_WP(q)) >= size) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_RP(q), rp,
                       "tx ring %u enabled with RP or WP out of range", q);
        r->dead = true;
    }
    if (cfg & TR_CFG_HEAD_WB) {
        if (!head || head % (cfg & TR_CFG_HEAD_WB_64 ? 64 : 4)) {
            ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_HEAD_ADDRL(q), head,
                           "tx ring %u enabled with a bad HEAD_ADDR", q);
            r->dead = true;
        }
    } else {
        r->eop = bitmap_new(FF50_RING_MAX);
    }
    if (r->dead) {
        return;
    }
    r->wb_from = rp;
    /* A stale head word would make the driver free unsent packets. */
    if ((cfg & TR_CFG_HEAD_WB) && ff50_dma_ok(s)) {
        write_head(s, q, rp);
    }
    if (rp != ff50_rd(s, PX_TR_WP(q))) {
        set_bit(q, s->dp->tx_pending);
        ff50_tx_kick(s);
    }
}

static void config_written(FF50State *s, unsigned q, uint32_t old,
                           uint32_t val)
{
    const uint32_t fixed = 0x7e | TR_CFG_HEAD_WB | TR_CFG_HEAD_WB_64;

    ff50_wr(s, PX_TR_CFG(q), val & ~TR_CFG_SWFLSH);
    if (old & TR_CFG_EN) {
        if (val & TR_CFG_EN) {
            if ((old ^ val) & fixed) {
                ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_CFG(q), val,
                               "size or mode of running tx ring %u changed",
                               q);
                ff50_wr(s, PX_TR_CFG(q), old);
            }
            if (val & TR_CFG_SWFLSH) {
                ff50_dp_report_cancel(s, true, q);
                s->dp->tx[q].wb_queued = false;
                ff50_tx_write_back(s, q, ff50_rd(s, PX_TR_RP(q)));
            }
            return;
        }
        ring_forget(s, q);
    } else if (val & TR_CFG_EN) {
        ring_enable(s, q, val & ~TR_CFG_SWFLSH);
    }
}

void ff50_tx_reg_written(FF50State *s, unsigned q, uint32_t reg, uint32_t old,
                         uint32_t val)
{
    if (reg == (PX_TR_CFG(0) & 0x3f)) {
        config_written(s, q, old, val);
    } else if (ff50_rd(s, PX_TR_CFG(q)) & TR_CFG_EN) {
        ff50_violation(s, FF50_VIO_RING_STATE, PX_TR_BAL(q) + reg, val,
                       "written while tx ring %u is enabled", q);
        ff50_wr(s, PX_TR_BAL(q) + reg, old);
    }
}

void ff50_tx_init(FF50State *s)
{
    FF50Dp *dp = s->dp;

    dp->tx_buf = g_malloc(FF50_TX_HEADROOM + FF50_TX_MAX_BYTES +
                          FF50_MIN_FRAME);
    dp->seg_buf = g_malloc(FF50_MAX_FRAME + FF50_MIN_FRAME);
    dp->tx_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, tx_timer, s);
    dp->rl_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, rl_timer, s);
}

void ff50_tx_fini(FF50State *s)
{
    FF50Dp *dp = s->dp;

    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        g_free(dp->tx[q].eop);
    }
    g_free(dp->tx_buf);
    g_free(dp->seg_buf);
    timer_free(dp->tx_timer);
    timer_free(dp->rl_timer);
}

void ff50_tx_reset(FF50State *s)
{
    FF50Dp *dp = s->dp;

    timer_del(dp->tx_timer);
    timer_del(dp->rl_timer);
    for (unsigned q = 0; q < FF50_NR_QUEUES; q++) {
        ring_forget(s, q);
    }
    dp->tx_next = 0;
    drop_window(dp);
}

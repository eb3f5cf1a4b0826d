/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive side coalescing of the FF50xx model, TCP over IPv4.
 *
 * An aggregate gathers in the model and is written to the ring when it
 * closes, so aggregates never interleave in a ring; NEXTP is always the
 * following slot.  The descriptors it will need stay reserved.  It closes at
 * PSH, a short segment, anything that does not continue it, a full aggregate,
 * or when the moderation interval of the ring's vector has passed.
 */
#include "qemu/osdep.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

#define TCP_PSH     0x08
#define TCP_ACK     0x10
#define ITR_UNIT_NS (2 * SCALE_US)

static const uint8_t ts_option[4] = { 1, 1, 8, 10 };    /* NOP NOP TS */

static void arm(FF50State *s)
{
    FF50Rsc *r = &s->dp->rsc;
    int64_t due = INT64_MAX;

    if (!r->open) {
        timer_del(r->timer);
        return;
    }
    for (unsigned i = 0; i < FF50_RSC_FLOWS; i++) {
        if (r->flow[i].used) {
            due = MIN(due, r->flow[i].due);
        }
    }
    timer_mod(r->timer, due);
}

/* Update the headers to those of the merged packet. */
static void fix_headers(FF50RscFlow *f)
{
    uint8_t *ip = f->buf + f->ip_off;

    ff50_put_be16(ip + 2, f->len - f->ip_off);
    ff50_put_be16(ip + 10, 0);
    ff50_put_be16(ip + 10, ~ff50_csum(ip, 20, 0));
}

static void close_flow(FF50State *s, FF50RscFlow *f)
{
    s->dp->rx[f->q].reserved -= f->bufs;
    s->dp->rsc.open--;
    f->used = false;
    if (!ff50_dma_ok(s)) {
        ff50_stats_rx_drop(s, FF50_DROP_GATE);
        return;
    }
    if (!ff50_rx_ready(s, f->q, f->bufs)) {
        ff50_stats_rx_drop(s, FF50_DROP_NODESC);
        return;
    }
    if (f->nseg > 1) {
        fix_headers(f);
    }
    ff50_rx_write(s, f->q, f->buf, f->len, &f->meta,
                  f->nseg > 1 ? f->starts : NULL);
}

static void rsc_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Rsc *r = &s->dp->rsc;
    int64_t now = ff50_now_ns();

    for (unsigned i = 0; i < FF50_RSC_FLOWS; i++) {
        if (r->flow[i].used && r->flow[i].due <= now) {
            close_flow(s, &r->flow[i]);
        }
    }
    arm(s);
}

/* Deliver the open aggregates of ring @q, or of all if it is negative. */
void ff50_rsc_flush(FF50State *s, int q)
{
    FF50Rsc *r = &s->dp->rsc;

    for (unsigned i = 0; r->open && i < FF50_RSC_FLOWS; i++) {
        if (r->flow[i].used && (q < 0 || r->flow[i].q == q)) {
            close_flow(s, &r->flow[i]);
        }
    }
    arm(s);
}

/* Drop them instead: the ring or the port has been switched off. */
void ff50_rsc_discard(FF50State *s, int q)
{
    FF50Rsc *r = &s->dp->rsc;

    for (unsigned i = 0; r->open && i < FF50_RSC_FLOWS; i++) {
        FF50RscFlow *f = &r->flow[i];

        if (f->used && (q < 0 || f->q == q)) {
            s->dp->rx[f->q].reserved -= f->bufs;
            f->used = false;
            r->open--;
        }
    }
    arm(s);
}

void ff50_rsc_init(FF50State *s)
{
    s->dp->rsc.timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, rsc_timer, s);
}

void ff50_rsc_fini(FF50State *s)
{
    FF50Rsc *r = &s->dp->rsc;

    for (unsigned i = 0; i < FF50_RSC_FLOWS; i++) {
        g_free(r->flow[i].buf);
    }
    timer_free(r->timer);
}

/* Moderation interval of the ring's vector in ns; 0 forbids coalescing. */
static int64_t close_delay(const FF50State *s, unsigned q)
{
    unsigned ivar = ff50_rd(s, PX_IVAR(q / 2)) >> (16 * (q & 1)) & 0xff;

    if (!(ivar & 0x80)) {
        return 0;
    }
    return (ff50_rd(s, PX_ITR(ivar & (FF50_NR_VECTORS - 1))) & 0xfff) *
           ITR_UNIT_NS;
}

static unsigned max_bufs(uint32_t cfg)
{
    static const uint8_t n[4] = { 1, 4, 8, 16 };

    return n[cfg >> 23 & 3];
}

static FF50RscFlow *find_flow(FF50Rsc *r, unsigned q, const uint8_t *ip,
                              const uint8_t *tcp, uint16_t tci)
{
    for (unsigned i = 0; i < FF50_RSC_FLOWS; i++) {
        FF50RscFlow *f = &r->flow[i];

        if (f->used && f->q == q && f->meta.tci == tci &&
            !memcmp(f->buf + f->ip_off + 12, ip + 12, 8) &&
            !memcmp(f->buf + f->l4_off, tcp, 4)) {
            return f;
        }
    }
    return NULL;
}

/* Headers that only a continuation of the flow has. */
static bool continues(const FF50RscFlow *f, const uint8_t *ip,
                      const uint8_t *tcp, uint32_t tcp_len)
{
    const uint8_t *ip0 = f->buf + f->ip_off, *tcp0 = f->buf + f->l4_off;

    return ff50_be32(tcp + 4) == f->next_seq &&
           tcp_len == f->hdr_len - f->l4_off &&
           ip[1] == ip0[1] && ip[8] == ip0[8] &&
           ff50_be16(ip + 6) == ff50_be16(ip0 + 6) &&
           (int32_t)(ff50_be32(tcp + 8) - ff50_be32(tcp0 + 8)) >= 0;
}

static bool append(FF50State *s, FF50RscFlow *f, const uint8_t *tcp,
                   uint32_t tcp_len, uint32_t payload)
{
    uint32_t cfg = ff50_rd(s, PX_RR_CFG(f->q));
    uint32_t bufsz = ff50_rx_buf_size(cfg);
    uint32_t bufs = (f->len + payload + bufsz - 1) / bufsz;
    uint8_t *tcp0 = f->buf + f->l4_off;
    unsigned first = f->len / bufsz;

    if (payload > f->seg_payload || bufs > max_bufs(cfg) ||
        f->len + payload - f->ip_off > FF50_RSC_MAX_BYTES ||
        f->starts[first] == FF50_RSC_MAX_CNT ||
        (bufs > f->bufs && ff50_rx_free(s, f->q) < bufs - f->bufs)) {
        return false;
    }
    s->dp->rx[f->q].reserved += bufs - f->bufs;
    f->bufs = bufs;
    memcpy(f->buf + f->len, tcp + tcp_len, payload);
    f->len += payload;
    f->next_seq += payload;
    f->nseg++;
    f->starts[first]++;
    /* Acknowledgement, window, options and PSH are the latest ones. */
    memcpy(tcp0 + 8, tcp + 8, 4);
    memcpy(tcp0 + 14, tcp + 14, 2);
    memcpy(tcp0 + 20, tcp + 20, tcp_len - 20);
    tcp0[13] |= tcp[13] & TCP_PSH;
    return true;
}

static bool open_flow(FF50State *s, unsigned q, const uint8_t *p,
                      uint32_t ip_off, uint32_t l4_off, uint32_t tcp_len,
                      uint32_t payload, const FF50RxMeta *m)
{
    FF50Rsc *r = &s->dp->rsc;
    uint32_t bufsz = ff50_rx_buf_size(ff50_rd(s, PX_RR_CFG(q)));
    FF50RscFlow *f = NULL;
    uint8_t *buf;

    for (unsigned i = 0; i < FF50_RSC_FLOWS && !f; i++) {
        f = r->flow[i].used ? NULL : &r->flow[i];
    }
    if (!f) {
        return false;
    }
    buf = f->buf ? f->buf : g_malloc(FF50_RSC_MAX_BYTES + 32);
    *f = (FF50RscFlow) {
        .used = true, .q = q, .ip_off = ip_off, .l4_off = l4_off,
        .hdr_len = l4_off + tcp_len, .len = l4_off + tcp_len + payload,
        .nseg = 1, .seg_payload = payload, .starts = { 1 }, .meta = *m,
        .next_seq = ff50_be32(p + l4_off + 4) + payload,
        .due = ff50_now_ns() + close_delay(s, q), .buf = buf,
    };
    f->bufs = (f->len + bufsz - 1) / bufsz;
    s->dp->rx[q].reserved += f->bufs;
    memcpy(buf, p, f->len);
    r->open++;
    arm(s);
    return true;
}

/**
 * ff50_rsc_take() - try to coalesce a packet
 * @s: port
 * @q: its ring, which has descriptors for it
 * @p: the packet as it would be written, tag stripped
 * @len: bytes
 * @o: parse result of the frame before stripping
 * @m: what its descriptor would say
 * @shift: bytes that stripping removed in front of the IP header
 *
 * Return: true if the packet is in an aggregate now.  If it is not, an
 * aggregate of the same flow has been closed, so that order is kept.
 */
bool ff50_rsc_take(FF50State *s, unsigned q, const uint8_t *p, uint32_t len,
                   const FF50Parsed *o, const FF50RxMeta *m, unsigned shift)
{
    const uint32_t bad = RXD_IPE | RXD_TCPE | RXD_TS;
    const uint32_t want = RXD_IPCS | RXD_L4CS;
    uint32_t ip_off, l4_off, tcp_len, end, payload;
    const uint8_t *ip, *tcp;
    FF50RscFlow *f;
    bool plain;

    if (!(ff50_rd(s, PX_RR_CFG(q)) & RR_CFG_RSC) || o->tunnel ||
        o->ip.ver != 4 || o->ip.l4 != FF50_L4_TCP || ff50_pool_queues(s)) {
        return false;
    }
    ip_off = o->ip.off - shift;
    l4_off = ip_off + o->ip.hlen;
    end = o->ip.end - shift;
    ip = p + ip_off;
    tcp = p + l4_off;
    tcp_len = (tcp[12] >> 4) * 4;
    if (tcp_len < 20 || tcp_len > end - l4_off) {
        return false;
    }
    payload = end - l4_off - tcp_len;

    plain = !(ff50_rd(s, PSR_CTL) & PSR_CTL_RSC_DIS) && close_delay(s, q) &&
            o->ip.hlen == 20 && o->ntags == (shift ? 1 : 0) &&
            (m->status & (want | bad)) == want && payload &&
            (tcp[13] & ~TCP_PSH) == TCP_ACK &&
            (tcp_len == 20 || (tcp_len == 32 && !memcmp(tcp + 20, ts_option,
                                                        sizeof(ts_option))));
    f = find_flow(&s->dp->rsc, q, ip, tcp, m->tci);
    if (f) {
        if (plain && continues(f, ip, tcp, tcp_len) &&
            append(s, f, tcp, tcp_len, payload)) {
            if ((tcp[13] & TCP_PSH) || payload < f->seg_payload) {
                close_flow(s, f);
                arm(s);
            }
            return true;
        }
        close_flow(s, f);
        arm(s);
    }
    if (!plain || (tcp[13] & TCP_PSH)) {
        return false;
    }
    return open_flow(s, q, p, ip_off, l4_off, tcp_len, payload, m);
}

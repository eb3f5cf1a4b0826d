/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wire: what carries frames away from the MAC and brings them to it.
 *
 * A port sends into a bounded FIFO that a virtual-clock timer empties towards
 * the peer, the sink, a netdev backend, or (MAC loopback) itself.  What finds
 * no descriptors waits in the receiver's packet buffer, whose level is what
 * pause frames follow.  Nothing is lost unless a fault property asks for it:
 * a full FIFO stops the sender's rings, a full packet buffer stops the FIFO.
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/crc32c.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "net/checksum.h"
#include "net/eth.h"
#include "ff50xx_int.h"

#define DELIVER_MAX     64          /* frames per timer call */
#define WIRE_OVERHEAD   24          /* preamble, SFD, FCS, gap */
/*
 * A receiver that gives no descriptors for so long is dead: frames are then
 * dropped as missed, or its death would hang the sender as well.
 */
#define HOLD_MAX_NS     (500 * SCALE_MS)
#define GEN_FLOWS_MAX   1024
#define GEN_MIN_GAP_NS  10000
#define GEN_RETRY_NS    SCALE_MS
#define MAC_CONTROL     0x8808
#define PAUSE_OPCODE    0x0001
#define PFC_OPCODE      0x0101
#define PAUSE_LEN       60
#define FLOW_RFE        (1u << 0)
#define FLOW_PFC        (1u << 8)

/* What happens to a frame on its way in; decided once, also if it is held. */
typedef struct FF50Fate {
    bool judged, lost;
    unsigned err;                   /* FF50_RXF_* */
    bool obeyed;                    /* its pause time counts already */
    uint32_t flip;                  /* byte to damage, 0 = none */
} FF50Fate;

typedef struct FF50Frame {
    QSIMPLEQ_ENTRY(FF50Frame) next;
    FF50Fate fate;
    int64_t due_ns;
    uint32_t len;
    bool loop;
    uint8_t data[];
} FF50Frame;

typedef struct FF50Gen {
    char *template;
    uint64_t count, pps;
    uint32_t size, flows;
    bool running, held;
    uint64_t sent;
    int64_t next_ns, held_since;
    FF50Fate fate;
    GPtrArray *frames;              /* GByteArray, one per flow */
    QEMUTimer *timer;
} FF50Gen;

struct FF50Wire {
    QSIMPLEQ_HEAD(, FF50Frame) fifo;
    uint32_t frames, bytes, epoch;
    bool was_full;                  /* the sender waits for room */
    bool held;                      /* the receiver has no room */
    int64_t held_since;
    int64_t line_free_ns;           /* pacing: the line is busy until then */
    QEMUTimer *timer;

    uint64_t arrived;               /* counts for the every-Nth faults */
    bool first;                     /* no frame has come since link up */

    bool paused;                    /* by the partner */
    int64_t pause_from, pause_until;
    QEMUTimer *pause_timer;

    /* Rx packet buffer */
    QSIMPLEQ_HEAD(, FF50Frame) pb;
    uint32_t pb_bytes, pb_epoch;
    bool pb_busy;
    QEMUTimer *pb_timer;
    bool xoff;                      /* the partner has been told to stop */
    QEMUTimer *refresh_timer;
    FF50Frame *pause_out;           /* on its way to the partner */
    QEMUTimer *pause_out_timer;

    bool sink;
    bool netdev_busy;
    FF50Frame *netdev_held;
    FF50Gen gen;
};

/* ------------------------------------------------------------------ */
/* Into the MAC                                                         */

static FF50Rx ff50_arrive(FF50State *d, const uint8_t *data, uint32_t len,
                          FF50Fate *f);

static bool ff50_nth(uint64_t n, uint32_t every)
{
    return every && n % every == 0;
}

static void ff50_judge(FF50State *d, FF50Fate *f, uint32_t len)
{
    FF50Wire *w = d->wire;

    f->judged = true;
    w->arrived++;
    f->lost = ff50_nth(w->arrived, d->fault.rx_loss) ||
              (w->first && d->fault.first_frame_lost);
    w->first = false;
    f->err = ff50_nth(w->arrived, d->fault.rx_corrupt) ? FF50_RXF_CRC_ERR : 0;
    if (f->err || ff50_nth(w->arrived, d->fault.rx_csum)) {
        f->flip = len - 1;
    }
}

/* A length field (802.3) that promises more than there is. */
static bool ff50_length_wrong(const uint8_t *p, uint32_t len)
{
    unsigned n = len >= ETH_HLEN ? lduw_be_p(p + 12) : 0;

    return n <= 1500 && n > MAX(len, 60u) - ETH_HLEN;
}

static bool ff50_mac_rx_on(const FF50State *d)
{
    uint32_t cfg = ff50_rd(d, MAC_RX_CFG);

    return (cfg & MAC_RX_CFG_RE) && !d->fault.removed &&
           (ff50_link_is_up(d) || (cfg & MAC_RX_CFG_LM));
}

/* One quantum is 512 bit times. */
static int64_t ff50_quanta_ns(const FF50State *s, uint32_t quanta)
{
    return (int64_t)quanta * 512 * 1000 / (ff50_link_speed(s) ?: 10000);
}

/* The wire goes on where it stood still: what waits leaves that much later. */
static void ff50_pause_end(FF50State *s)
{
    FF50Wire *w = s->wire;
    int64_t lost = ff50_now_ns() - w->pause_from;
    FF50Frame *f;

    if (!w->paused) {
        return;
    }
    w->paused = false;
    timer_del(w->pause_timer);
    s->cnt.pause_held_ns += lost;
    QSIMPLEQ_FOREACH(f, &w->fifo, next) {
        f->due_ns += lost;
    }
    w->line_free_ns += lost;
    f = QSIMPLEQ_FIRST(&w->fifo);
    if (f && !w->netdev_busy) {
        timer_mod(w->timer, MAX(f->due_ns, ff50_now_ns()));
    }
    ff50_tx_kick(s);
}

static void ff50_pause_timer(void *opaque)
{
    ff50_pause_end(opaque);
}

static void ff50_pause_take(FF50State *d, uint16_t quanta)
{
    FF50Wire *w = d->wire;

    ff50_stats_pause_rx(d, quanta != 0);
    if (!quanta) {
        ff50_pause_end(d);
        return;
    }
    if (!w->paused) {
        w->paused = true;
        w->pause_from = ff50_now_ns();
    }
    w->pause_until = ff50_now_ns() + ff50_quanta_ns(d, quanta);
    timer_mod(w->pause_timer, w->pause_until);
}

/* Priority pause is counted, by class; there is one class to stop at most. */
static void ff50_pfc_take(FF50State *d, const uint8_t *p, uint32_t len)
{
    unsigned enabled = lduw_be_p(p + 16) & 0xFF;

    for (unsigned i = 0; i < 8 && 20 + 2 * i <= len; i++) {
        uint32_t reg = lduw_be_p(p + 18 + 2 * i) ? MAC_PFC_XOFFRXC(i)
                                                 : MAC_PFC_XONRXC(i);

        if (enabled >> i & 1) {
            ff50_wr(d, reg, ff50_rd(d, reg) + 1);
        }
    }
}

/* MAC control frames; true if the frame ends in the MAC. */
static bool ff50_mac_control(FF50State *d, const uint8_t *p, uint32_t len,
                             FF50Fate *f)
{
    static const uint8_t pause_da[] = { 0x01, 0x80, 0xC2, 0x00, 0x00, 0x01 };
    unsigned keep = ff50_rd(d, MAC_PKT_FLT) >> 6 & 3;
    uint32_t flow = ff50_rd(d, MAC_RX_FLOW_CTRL);
    uint16_t op;

    if (len < 18 || lduw_be_p(p + 12) != MAC_CONTROL) {
        return false;
    }
    op = lduw_be_p(p + 14);
    if (!f->obeyed && !memcmp(p, pause_da, sizeof(pause_da))) {
        f->obeyed = true;
        if (op == PAUSE_OPCODE && (flow & FLOW_RFE)) {
            ff50_pause_take(d, lduw_be_p(p + 16));
        } else if (op == PFC_OPCODE && (flow & FLOW_PFC)) {
            ff50_pfc_take(d, p, len);
        }
    }
    return keep == 0 || (keep == 1 && op == PAUSE_OPCODE);
}

/* ------------------------------------------------------------------ */
/* Rx packet buffer and the pause frames it sends                       */

static void ff50_pause_out(void *opaque)
{
    FF50State *s = opaque;
    FF50Frame *f = g_steal_pointer(&s->wire->pause_out);
    FF50State *d = ff50_link_peer(s);

    if (!f) {
        return;
    }
    if (d) {
        ff50_arrive(d, f->data, f->len, &f->fate);
    } else if (s->nic && !s->wire->sink) {
        qemu_send_packet(qemu_get_queue(s->nic), f->data, f->len);
    }
    g_free(f);
}

/* A pause frame goes past whatever waits in the FIFO, stopped or not. */
static void ff50_pause_send(FF50State *s, uint16_t quanta)
{
    FF50Wire *w = s->wire;
    FF50Frame *f = g_malloc0(sizeof(*f) + PAUSE_LEN);

    stw_be_p(f->data, ff50_rd(s, RDB_PFCMACDAH));
    stl_be_p(f->data + 2, ff50_rd(s, RDB_PFCMACDAL));
    memcpy(f->data + 6, s->nic_conf.macaddr.a, 6);
    stw_be_p(f->data + 12, MAC_CONTROL);
    stw_be_p(f->data + 14, PAUSE_OPCODE);
    stw_be_p(f->data + 16, quanta);
    f->len = PAUSE_LEN;
    g_free(w->pause_out);
    w->pause_out = f;
    ff50_stats_mac_tx(s, f->data, f->len);
    ff50_stats_pause_tx(s, quanta != 0);
    timer_mod(w->pause_out_timer, ff50_now_ns());
}

static void ff50_xoff_send(FF50State *s)
{
    uint32_t quanta = ff50_rd(s, RDB_RFCV(0)) & 0xFFFF;
    uint32_t left = ff50_rd(s, RDB_RFCRT) & 0xFFFF;

    ff50_pause_send(s, quanta);
    if (left && left < quanta) {
        timer_mod(s->wire->refresh_timer, ff50_now_ns() +
                  MAX(ff50_quanta_ns(s, quanta - left), 1000));
    }
}

static void ff50_flow_check(FF50State *s)
{
    FF50Wire *w = s->wire;
    uint32_t high = ff50_rd(s, RDB_RFCH(0)), low = ff50_rd(s, RDB_RFCL(0));

    if (!(ff50_rd(s, RDB_RFCC) & RFCC_XOFF) || !(high & RFC_EN) ||
        !ff50_link_is_up(s) || s->fault.removed ||
        !(ff50_rd(s, MAC_TX_CFG) & MAC_TX_CFG_TE)) {
        w->xoff = false;
        timer_del(w->refresh_timer);
        return;
    }
    if (!w->xoff && w->pb_bytes > RFC_KIB(high) * KiB) {
        w->xoff = true;
        ff50_xoff_send(s);
    } else if (w->xoff && w->pb_bytes <= RFC_KIB(low) * KiB) {
        w->xoff = false;
        timer_del(w->refresh_timer);
        if (low & RFC_EN) {
            ff50_pause_send(s, 0);
        }
    }
}

static void ff50_refresh_timer(void *opaque)
{
    FF50State *s = opaque;

    ff50_flow_check(s);
    if (s->wire->xoff) {
        ff50_xoff_send(s);
    }
}

void ff50_wire_flow_changed(FF50State *s)
{
    if (s->wire) {
        ff50_flow_check(s);
    }
}

static uint32_t ff50_pb_size(const FF50State *d)
{
    return ff50_rd(d, RDB_PB_SZ(0)) & 0xFFC00;
}

/* False if there is no room: the wire has to hold the frame. */
static bool ff50_pb_put(FF50State *d, const uint8_t *data, uint32_t len,
                        unsigned err)
{
    FF50Wire *w = d->wire;
    FF50Frame *f;

    if (w->pb_bytes + len > ff50_pb_size(d)) {
        return false;
    }
    f = g_malloc(sizeof(*f) + len);
    memset(f, 0, sizeof(*f));
    memcpy(f->data, data, len);
    f->len = len;
    f->fate.err = err;
    QSIMPLEQ_INSERT_TAIL(&w->pb, f, next);
    w->pb_bytes += len;
    ff50_flow_check(d);
    return true;
}

static void ff50_wake_feeders(FF50State *d);

static void ff50_pb_timer(void *opaque)
{
    FF50State *d = opaque;
    FF50Wire *w = d->wire;
    bool wait = false;

    w->pb_busy = true;
    for (unsigned n = 0; n < DELIVER_MAX && !wait; n++) {
        FF50Frame *f = QSIMPLEQ_FIRST(&w->pb);
        uint32_t epoch = w->pb_epoch;

        if (!f) {
            break;
        }
        /* off the queue meanwhile, as in ff50_wire_timer() */
        QSIMPLEQ_REMOVE_HEAD(&w->pb, next);
        w->pb_bytes -= f->len;
        wait = ff50_rx_frame(d, f->data, f->len, f->fate.err) ==
               FF50_RX_NO_ROOM && epoch == w->pb_epoch;
        if (wait) {
            QSIMPLEQ_INSERT_HEAD(&w->pb, f, next);
            w->pb_bytes += f->len;
        } else {
            g_free(f);
        }
    }
    w->pb_busy = false;
    ff50_flow_check(d);
    if (!wait && !QSIMPLEQ_EMPTY(&w->pb)) {
        timer_mod(w->pb_timer, ff50_now_ns());
    }
    ff50_wake_feeders(d);
}

void ff50_wire_rx_flush(FF50State *s)
{
    FF50Wire *w = s->wire;
    FF50Frame *f;

    if (!w) {
        return;
    }
    while ((f = QSIMPLEQ_FIRST(&w->pb))) {
        QSIMPLEQ_REMOVE_HEAD(&w->pb, next);
        g_free(f);
    }
    w->pb_bytes = 0;
    w->pb_epoch++;
    ff50_pause_end(s);          /* the MAC forgets what it was told */
    w->xoff = false;
    timer_del(w->pb_timer);
    timer_del(w->refresh_timer);
}

/* Every frame passes through the packet buffer; this one does not fit. */
static FF50Rx ff50_pb_miss(FF50State *d, const uint8_t *data, uint32_t len,
                           const FF50Fate *f)
{
    ff50_stats_mac_rx(d, data, len, f->err);
    ff50_stats_rx_drop(d, FF50_DROP_MISSED);
    ff50_misc_cause(d, MISC_RX_MISS);
    return FF50_RX_DROPPED;
}

static FF50Rx ff50_arrive(FF50State *d, const uint8_t *data, uint32_t len,
                          FF50Fate *f)
{
    g_autofree uint8_t *copy = NULL;
    FF50Rx r = FF50_RX_NO_ROOM;

    if (!ff50_mac_rx_on(d)) {
        d->cnt.rx_drop_gate++;
        return FF50_RX_DROPPED;
    }
    if (!f->judged) {
        ff50_judge(d, f, len);
    }
    if (f->lost) {
        return FF50_RX_DROPPED;
    }
    if (f->flip) {
        copy = g_memdup2(data, len);
        copy[f->flip] ^= 0x10;
        data = copy;
    }
    if (!f->err && ff50_length_wrong(data, len)) {
        f->err = FF50_RXF_LEN_ERR;
    }
    if (!f->err && ff50_mac_control(d, data, len, f)) {
        ff50_stats_mac_rx(d, data, len, 0);
        return FF50_RX_DROPPED;
    }
    if ((ff50_rd(d, RDB_PB_CTL) & RDB_PB_CTL_RXEN) && len > ff50_pb_size(d)) {
        return ff50_pb_miss(d, data, len, f);
    }
    /* what came earlier and waits goes first */
    if (QSIMPLEQ_EMPTY(&d->wire->pb) && !d->wire->pb_busy) {
        r = ff50_rx_frame(d, data, len, f->err);
    }
    if (r == FF50_RX_NO_ROOM && ff50_pb_put(d, data, len, f->err)) {
        r = FF50_RX_DELIVERED;
    }
    if (r != FF50_RX_NO_ROOM) {
        ff50_stats_mac_rx(d, data, len, f->err);
        if (!f->err) {
            ff50_pm_frame(d, data, len);
        }
    }
    return r;
}

/*
 * A held frame is offered again when the ring got descriptors, or given up.
 * Returns true while it is to be held.
 */
static bool ff50_hold(FF50State *d, bool *held, int64_t *since,
                      QEMUTimer *timer)
{
    int64_t now = ff50_now_ns();

    if (!*held) {
        *held = true;
        *since = now;
    }
    if (now - *since < HOLD_MAX_NS) {
        timer_mod(timer, *since + HOLD_MAX_NS);
        return true;
    }
    ff50_stats_rx_drop(d, FF50_DROP_MISSED);
    ff50_misc_cause(d, MISC_RX_MISS);
    return false;
}

/* ------------------------------------------------------------------ */
/* The sink                                                             */

static uint16_t ff50_l4_sum(const uint8_t *ip, bool v6, const uint8_t *l4,
                            uint32_t len, uint8_t proto)
{
    uint32_t sum = v6 ? net_checksum_add(32, (uint8_t *)ip + 8)
                      : net_checksum_add(8, (uint8_t *)ip + 12);

    sum += proto + len;
    sum += net_checksum_add(len, (uint8_t *)l4);
    return net_checksum_finish(sum);
}

static bool ff50_l4_good(const uint8_t *ip, bool v6, const uint8_t *l4,
                         uint32_t len, uint8_t proto)
{
    switch (proto) {
    case IP_PROTO_TCP:
        return len >= 20 && ff50_l4_sum(ip, v6, l4, len, proto) == 0;
    case IP_PROTO_UDP:
        if (len < 8 || lduw_be_p(l4 + 4) != len) {
            return false;
        }
        return (!v6 && !lduw_be_p(l4 + 6)) ||
               ff50_l4_sum(ip, v6, l4, len, proto) == 0;
    case IP_PROTO_SCTP: {
        g_autofree uint8_t *copy = NULL;

        if (len < 12) {
            return false;
        }
        copy = g_memdup2(l4, len);
        stl_le_p(copy + 8, 0);
        return crc32c(0xFFFFFFFF, copy, len) == ldl_le_p(l4 + 8);
    }
    default:
        return true;
    }
}

/* Lengths and checksums of one frame as a receiver would judge them. */
static bool ff50_frame_good(const uint8_t *p, uint32_t len)
{
    uint32_t at = 12, hl, total;
    const uint8_t *ip;
    uint16_t type;

    do {
        if (at + 6 > len) {
            return false;
        }
        type = lduw_be_p(p + at);
        at += type == 0x8100 || type == 0x88A8 ? 4 : 2;
    } while (type == 0x8100 || type == 0x88A8);
    ip = p + at;
    len -= at;
    if (type == 0x0800) {
        if (len < 20) {
            return false;
        }
        hl = (ip[0] & 0xF) * 4;
        total = lduw_be_p(ip + 2);
        if (hl < 20 || total < hl || total > len ||
            net_checksum_finish(net_checksum_add(hl, (uint8_t *)ip))) {
            return false;
        }
        if (lduw_be_p(ip + 6) & 0x3FFF) {
            return true;                    /* a fragment has no L4 to look at */
        }
        return ff50_l4_good(ip, false, ip + hl, total - hl, ip[9]);
    }
    if (type == 0x86DD) {
        if (len < 40 || lduw_be_p(ip + 4) > len - 40) {
            return false;
        }
        total = lduw_be_p(ip + 4);
        return ff50_l4_good(ip, true, ip + 40, total, ip[6]);
    }
    return true;
}

/* ------------------------------------------------------------------ */
/* Out of the MAC                                                       */

static bool ff50_loopback(const FF50State *s)
{
    return ff50_rd(s, MAC_RX_CFG) & MAC_RX_CFG_LM;
}

bool ff50_wire_can_send(const FF50State *s)
{
    const FF50Wire *w = s->wire;

    return (ff50_link_is_up(s) || ff50_loopback(s)) && !s->fault.removed &&
           (ff50_rd(s, MAC_TX_CFG) & MAC_TX_CFG_TE) && !w->paused &&
           w->frames < s->prop_fifo_frames && w->bytes < s->prop_fifo_bytes;
}

static int64_t ff50_line_ns(const FF50State *s, uint32_t len)
{
    return s->prop_line_rate ? (int64_t)(len + WIRE_OVERHEAD) * 8000 /
                               s->prop_line_rate : 0;
}

FF50Send ff50_wire_send(FF50State *s, const uint8_t *frame, uint32_t len)
{
    FF50Wire *w = s->wire;
    int64_t now = ff50_now_ns();
    FF50Frame *f;

    if (!ff50_wire_can_send(s)) {
        w->was_full = true;
        return FF50_SEND_FULL;
    }
    f = g_malloc(sizeof(*f) + len);
    memset(f, 0, sizeof(*f));
    memcpy(f->data, frame, len);
    f->len = len;
    f->loop = ff50_loopback(s);
    w->line_free_ns = MAX(w->line_free_ns, now) + ff50_line_ns(s, len);
    f->due_ns = w->line_free_ns;
    QSIMPLEQ_INSERT_TAIL(&w->fifo, f, next);
    w->frames++;
    w->bytes += len;
    s->cnt.tx_frames++;
    s->cnt.tx_bytes += len;
    ff50_stats_mac_tx(s, frame, len);
    /* while a frame is held the timer stands at the end of its patience */
    if (!timer_pending(w->timer) && !w->netdev_busy && !w->paused) {
        timer_mod(w->timer, f->due_ns);
    }
    return FF50_SEND_OK;
}

static void ff50_netdev_sent(NetClientState *nc, ssize_t len)
{
    FF50State *s = qemu_get_nic_opaque(nc);

    s->wire->netdev_busy = false;
    timer_mod(s->wire->timer, ff50_now_ns());
}

/* False if the frame must stay at the head. */
static bool ff50_forward(FF50State *s, FF50Frame *f)
{
    FF50Wire *w = s->wire;
    FF50State *d = f->loop ? s : ff50_link_peer(s);

    if (w->sink && !f->loop) {
        s->cnt.sink_frames++;
        s->cnt.sink_bad += !ff50_frame_good(f->data, f->len);
        return true;
    }
    if (d) {
        if (ff50_arrive(d, f->data, f->len, &f->fate) == FF50_RX_NO_ROOM) {
            return !ff50_hold(d, &w->held, &w->held_since, w->timer);
        }
        w->held = false;
        return true;
    }
    if (s->nic && qemu_send_packet_async(qemu_get_queue(s->nic), f->data,
                                         f->len, ff50_netdev_sent) == 0) {
        w->netdev_busy = true;      /* the net layer has taken a copy */
    }
    return true;
}

static void ff50_wire_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Wire *w = s->wire;
    bool wait = false;

    for (unsigned n = 0; n < DELIVER_MAX && !w->netdev_busy && !w->paused;
         n++) {
        FF50Frame *f = QSIMPLEQ_FIRST(&w->fifo);
        uint32_t epoch = w->epoch;

        if (!f || f->due_ns > ff50_now_ns()) {
            break;
        }
        /*
         * Off the queue while it is delivered: the guest may have pointed a
         * buffer at our registers, and a reset written there flushes.
         */
        QSIMPLEQ_REMOVE_HEAD(&w->fifo, next);
        w->frames--;
        w->bytes -= f->len;
        if (!ff50_forward(s, f) && epoch == w->epoch) {
            QSIMPLEQ_INSERT_HEAD(&w->fifo, f, next);
            w->frames++;
            w->bytes += f->len;
            wait = true;
            break;
        }
        g_free(f);
    }
    if (!QSIMPLEQ_EMPTY(&w->fifo) && !wait && !w->netdev_busy && !w->paused) {
        timer_mod(w->timer, MAX(QSIMPLEQ_FIRST(&w->fifo)->due_ns,
                                ff50_now_ns()));
    }
    if (w->was_full && w->frames <= s->prop_fifo_frames / 2 &&
        w->bytes <= s->prop_fifo_bytes / 2) {
        w->was_full = false;
        ff50_tx_kick(s);
    }
}

void ff50_wire_flush(FF50State *s)
{
    FF50Wire *w = s->wire;
    FF50Frame *f;

    if (!w) {
        return;
    }
    while ((f = QSIMPLEQ_FIRST(&w->fifo))) {
        QSIMPLEQ_REMOVE_HEAD(&w->fifo, next);
        g_free(f);
    }
    w->frames = w->bytes = 0;
    w->epoch++;
    w->held = false;
    w->line_free_ns = 0;
    if (w->paused) {
        s->cnt.pause_held_ns += ff50_now_ns() - w->pause_from;
        w->paused = false;
        timer_del(w->pause_timer);
    }
    g_clear_pointer(&w->pause_out, g_free);
    timer_del(w->timer);
}

/* The port that runs dry of descriptors is d. */
void ff50_wire_rx_resume(FF50State *d)
{
    if (!QSIMPLEQ_EMPTY(&d->wire->pb)) {
        timer_mod(d->wire->pb_timer, ff50_now_ns());
    } else {
        ff50_wake_feeders(d);
    }
}

static void ff50_wake_feeders(FF50State *d)
{
    FF50State *peer = ff50_link_peer(d);
    FF50Wire *w = d->wire;

    if (peer && peer->wire->held) {
        timer_mod(peer->wire->timer, ff50_now_ns());
    }
    if (w->held) {
        timer_mod(w->timer, ff50_now_ns());
    }
    if (w->gen.held) {
        timer_mod(w->gen.timer, ff50_now_ns());
    }
    if (w->netdev_held) {
        FF50Frame *f = g_steal_pointer(&w->netdev_held);

        if (ff50_arrive(d, f->data, f->len, &f->fate) == FF50_RX_NO_ROOM) {
            w->netdev_held = f;
        } else {
            g_free(f);
            qemu_flush_queued_packets(qemu_get_queue(d->nic));
        }
    }
}

void ff50_wire_gate_changed(FF50State *s)
{
    if (s->wire) {
        ff50_flow_check(s);
        ff50_wire_rx_resume(s);
    }
}

void ff50_wire_link_event(FF50State *s, bool up)
{
    if (!s->wire) {
        return;
    }
    ff50_wire_flush(s);
    ff50_flow_check(s);
    ff50_pm_link_changed(s);
    if (up) {
        s->tx_shut = s->fault.tx_gate;
        s->wire->first = true;
        ff50_tx_kick(s);
    }
}

/* ------------------------------------------------------------------ */
/* netdev backend                                                       */

static bool ff50_nd_can_receive(NetClientState *nc)
{
    FF50State *s = qemu_get_nic_opaque(nc);

    return !s->wire || !s->wire->netdev_held;
}

static ssize_t ff50_nd_receive(NetClientState *nc, const uint8_t *buf,
                               size_t size)
{
    FF50State *s = qemu_get_nic_opaque(nc);
    FF50Frame *f;

    if (size < ETH_HLEN || size > FF50_MAX_FRAME) {
        return size;
    }
    f = g_malloc(sizeof(*f) + size);
    memset(f, 0, sizeof(*f));
    memcpy(f->data, buf, size);
    f->len = size;
    if (ff50_arrive(s, f->data, size, &f->fate) == FF50_RX_NO_ROOM) {
        s->wire->netdev_held = f;
    } else {
        g_free(f);
    }
    return size;
}

static void ff50_nd_link_status(NetClientState *nc)
{
    ff50_link_netdev_changed(qemu_get_nic_opaque(nc));
}

static NetClientInfo ff50_net_info = {
    .type = NET_CLIENT_DRIVER_NIC,
    .size = sizeof(NICState),
    .can_receive = ff50_nd_can_receive,
    .receive = ff50_nd_receive,
    .link_status_changed = ff50_nd_link_status,
};

/* ------------------------------------------------------------------ */
/* Generator                                                            */

static bool ff50_gen_parse(FF50State *s, GByteArray *out, Error **errp)
{
    const char *hex = s->wire->gen.template;
    size_t len = hex ? strlen(hex) : 0;

    if (len < 2 * ETH_HLEN || len % 2 || len / 2 > FF50_MAX_FRAME) {
        error_setg(errp, "gen-template must be %d..%d bytes in hex", ETH_HLEN,
                   FF50_MAX_FRAME);
        return false;
    }
    for (size_t i = 0; i < len; i += 2) {
        int hi = g_ascii_xdigit_value(hex[i]);
        int lo = g_ascii_xdigit_value(hex[i + 1]);
        uint8_t b = hi << 4 | lo;

        if (hi < 0 || lo < 0) {
            error_setg(errp, "gen-template has a character that is not hex");
            return false;
        }
        g_byte_array_append(out, &b, 1);
    }
    return true;
}

/* Makes lengths and checksums of a TCP or UDP frame right; varies the flow. */
static void ff50_gen_fix(uint8_t *p, uint32_t len, uint32_t flow)
{
    uint32_t at = 12, hl;
    uint16_t type = 0;
    uint8_t *ip, *l4, proto;
    bool v6;

    while (at + 4 <= len) {
        type = lduw_be_p(p + at);
        if (type != 0x8100 && type != 0x88A8) {
            break;
        }
        at += 4;
    }
    ip = p + at + 2;
    v6 = type == 0x86DD;
    hl = v6 ? 40 : 20;
    if ((type != 0x0800 && !v6) || at + 2 + hl > len) {
        p[ETH_ALEN * 2 - 1] += flow;        /* not IP: another sender */
        return;
    }
    len -= at + 2;
    if (v6) {
        proto = ip[6];
        stw_be_p(ip + 4, len - 40);
    } else {
        hl = MAX((ip[0] & 0xF) * 4, 20);
        if (hl > len) {
            return;
        }
        proto = ip[9];
        stw_be_p(ip + 2, len);
        stw_be_p(ip + 10, 0);
        stw_be_p(ip + 10, net_checksum_finish(net_checksum_add(hl, ip)));
    }
    l4 = ip + hl;
    len -= hl;
    if ((proto != IP_PROTO_UDP && proto != IP_PROTO_TCP) ||
        len < (proto == IP_PROTO_UDP ? 8 : 20)) {
        return;
    }
    stw_be_p(l4, lduw_be_p(l4) + flow);
    if (proto == IP_PROTO_UDP) {
        uint16_t sum;

        stw_be_p(l4 + 4, len);
        stw_be_p(l4 + 6, 0);
        sum = ff50_l4_sum(ip, v6, l4, len, proto);
        stw_be_p(l4 + 6, sum ?: 0xFFFF);
    } else {
        stw_be_p(l4 + 16, 0);
        stw_be_p(l4 + 16, ff50_l4_sum(ip, v6, l4, len, proto));
    }
}

static bool ff50_gen_build(FF50State *s, Error **errp)
{
    FF50Gen *g = &s->wire->gen;
    g_autoptr(GByteArray) t = g_byte_array_new();
    uint32_t flows = MAX(g->flows, 1u), size;

    if (!ff50_gen_parse(s, t, errp)) {
        return false;
    }
    size = g->size ?: t->len;
    if (size < ETH_HLEN || size > FF50_MAX_FRAME || flows > GEN_FLOWS_MAX) {
        error_setg(errp, "gen-size must be %d..%d, gen-flows at most %d",
                   ETH_HLEN, FF50_MAX_FRAME, GEN_FLOWS_MAX);
        return false;
    }
    while (t->len < size) {
        uint8_t b = t->len;

        g_byte_array_append(t, &b, 1);
    }
    g_clear_pointer(&g->frames, g_ptr_array_unref);
    g->frames = g_ptr_array_new_with_free_func((GDestroyNotify)
                                               g_byte_array_unref);
    for (uint32_t i = 0; i < flows; i++) {
        GByteArray *f = g_byte_array_sized_new(size);

        g_byte_array_append(f, t->data, size);
        ff50_gen_fix(f->data, size, i);
        g_ptr_array_add(g->frames, f);
    }
    return true;
}

/* One frame; false if it must wait. */
static bool ff50_gen_one(FF50State *s)
{
    FF50Gen *g = &s->wire->gen;
    GByteArray *f = g_ptr_array_index(g->frames, g->sent % g->frames->len);

    if (ff50_arrive(s, f->data, f->len, &g->fate) == FF50_RX_NO_ROOM) {
        if (ff50_hold(s, &g->held, &g->held_since, g->timer)) {
            return false;
        }
    } else {
        g->held = false;
    }
    memset(&g->fate, 0, sizeof(g->fate));
    g->sent++;
    return true;
}

static void ff50_gen_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Gen *g = &s->wire->gen;
    int64_t now = ff50_now_ns(), gap = 0;

    if (!g->running) {
        return;
    }
    if (!ff50_mac_rx_on(s)) {
        g->next_ns = now + GEN_RETRY_NS;
        timer_mod(g->timer, g->next_ns);
        return;
    }
    for (unsigned n = 0; n < DELIVER_MAX && g->running; n++) {
        GByteArray *f = g_ptr_array_index(g->frames,
                                          g->sent % g->frames->len);

        if (g->count && g->sent >= g->count) {
            g->running = false;
            return;
        }
        gap = MAX(g->pps ? (int64_t)(NANOSECONDS_PER_SECOND / g->pps) : 0,
                  ff50_line_ns(s, f->len));
        if (g->next_ns > now) {
            break;
        }
        if (!ff50_gen_one(s)) {
            return;
        }
        g->next_ns += gap;
    }
    if (!gap) {
        g->next_ns = now + GEN_MIN_GAP_NS;
    } else if (now - g->next_ns > 100 * SCALE_MS) {
        g->next_ns = now;               /* do not make up for a long stop */
    }
    timer_mod(g->timer, MAX(g->next_ns, now));
}

static void ff50_gen_set_run(Object *obj, bool v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    FF50Gen *g;

    if (!s->wire) {
        error_setg(errp, "gen-run works at run time only");
        return;
    }
    g = &s->wire->gen;
    timer_del(g->timer);
    g->running = g->held = false;
    memset(&g->fate, 0, sizeof(g->fate));
    if (v && ff50_gen_build(s, errp)) {
        g->sent = 0;
        g->running = true;
        g->next_ns = ff50_now_ns();
        timer_mod(g->timer, g->next_ns);
    }
}

static bool ff50_gen_get_run(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return s->wire && s->wire->gen.running;
}

static char *ff50_gen_get_template(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return g_strdup(s->wire && s->wire->gen.template ? s->wire->gen.template
                                                     : "");
}

static void ff50_gen_set_template(Object *obj, const char *v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    if (!s->wire) {
        error_setg(errp, "gen-template works at run time only");
        return;
    }
    g_free(s->wire->gen.template);
    s->wire->gen.template = g_strdup(v);
}

static bool ff50_get_sink(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return s->wire ? s->wire->sink : s->prop_sink;
}

static void ff50_set_sink(Object *obj, bool v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    s->prop_sink = v;
    if (s->wire) {
        s->wire->sink = v;
    }
}

static const struct FF50GenProp {
    const char *name;
    size_t offset;
    bool is_u64;
} gen_props[] = {
    { "gen-count", offsetof(FF50Gen, count), true },
    { "gen-pps", offsetof(FF50Gen, pps), true },
    { "gen-size", offsetof(FF50Gen, size), false },
    { "gen-flows", offsetof(FF50Gen, flows), false },
    { "gen-sent", offsetof(FF50Gen, sent), true },
};

static void ff50_gen_get(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    const struct FF50GenProp *p = opaque;
    FF50State *s = FF50XX_BASE(obj);
    uint64_t val = 0;

    if (s->wire) {
        void *field = (char *)&s->wire->gen + p->offset;

        val = p->is_u64 ? *(uint64_t *)field : *(uint32_t *)field;
    }
    visit_type_uint64(v, name, &val, errp);
}

static void ff50_gen_set(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    const struct FF50GenProp *p = opaque;
    FF50State *s = FF50XX_BASE(obj);
    uint64_t val;
    void *field;

    if (!visit_type_uint64(v, name, &val, errp)) {
        return;
    }
    if (!s->wire || (!p->is_u64 && val > UINT32_MAX)) {
        error_setg(errp, "%s: bad value, or not at run time", name);
        return;
    }
    field = (char *)&s->wire->gen + p->offset;
    if (p->is_u64) {
        *(uint64_t *)field = val;
    } else {
        *(uint32_t *)field = val;
    }
}

void ff50_wire_props(ObjectClass *klass)
{
    object_class_property_add_bool(klass, "sink", ff50_get_sink,
                                   ff50_set_sink);
    object_class_property_add_str(klass, "gen-template",
                                  ff50_gen_get_template,
                                  ff50_gen_set_template);
    object_class_property_add_bool(klass, "gen-run", ff50_gen_get_run,
                                   ff50_gen_set_run);
    for (unsigned i = 0; i < ARRAY_SIZE(gen_props); i++) {
        object_class_property_add(klass, gen_props[i].name, "uint64",
                                  ff50_gen_get, ff50_gen_set, NULL,
                                  (void *)&gen_props[i]);
    }
}

/* ------------------------------------------------------------------ */

bool ff50_wire_init(FF50State *s, Error **errp)
{
    FF50Wire *w = g_new0(FF50Wire, 1);

    QSIMPLEQ_INIT(&w->fifo);
    QSIMPLEQ_INIT(&w->pb);
    w->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_wire_timer, s);
    w->pb_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_pb_timer, s);
    w->refresh_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_refresh_timer, s);
    w->pause_out_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_pause_out, s);
    w->pause_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_pause_timer, s);
    w->gen.timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_gen_timer, s);
    w->sink = s->prop_sink;
    s->wire = w;
    if (!s->nic_conf.peers.ncs[0]) {
        return true;
    }
    if (s->prop_peer) {
        error_setg(errp, "netdev and peer exclude each other");
        return false;
    }
    s->nic = qemu_new_nic(&ff50_net_info, &s->nic_conf,
                          object_get_typename(OBJECT(s)), DEVICE(s)->id,
                          &DEVICE(s)->mem_reentrancy_guard, s);
    qemu_format_nic_info_str(qemu_get_queue(s->nic), s->nic_conf.macaddr.a);
    return true;
}

void ff50_wire_fini(FF50State *s)
{
    FF50Wire *w = s->wire;

    if (!w) {
        return;
    }
    if (s->nic) {
        qemu_del_nic(s->nic);
        s->nic = NULL;
    }
    ff50_wire_flush(s);
    ff50_wire_rx_flush(s);
    timer_free(w->timer);
    timer_free(w->pb_timer);
    timer_free(w->refresh_timer);
    timer_free(w->pause_out_timer);
    timer_free(w->pause_timer);
    timer_free(w->gen.timer);
    g_free(w->netdev_held);
    g_free(w->gen.template);
    g_clear_pointer(&w->gen.frames, g_ptr_array_unref);
    g_free(w);
    s->wire = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flow director of the FF50xx model: filter commands, table and lookup, in
 * signature and in perfect mode.
 *
 * The sources disagree on how many bucket bits count for a given table size,
 * so both sides are reduced to the smallest of them; in perfect mode the
 * content decides, but a filter in a wrong bucket does not match, as the
 * hardware would not find it there.
 */
#include "qemu/osdep.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

#define CTL_INIT_DONE       (1u << 3)
#define CTL_PERFECT         (1u << 4)
#define CMD_ADD             1
#define CMD_REMOVE          2
#define CMD_QUERY           3
#define CMD_VALID           (1u << 2)
#define CMD_UPDATE          (1u << 3)
#define CMD_IP6_DST         (1u << 4)
#define CMD_IP6             (1u << 7)
#define CMD_CLEAR           (1u << 8)
#define CMD_DROP            (1u << 9)
#define CMD_QUEUE_EN        (1u << 15)
#define CMD_TUNNEL          (1u << 23)
#define OTHER_POOL          (1u << 2)
#define OTHER_L4            (1u << 3)
#define OTHER_L3            (1u << 4)
#define OTHER_TUNNEL        (1u << 7)
#define FLEX_MASKED         (1u << 2)

#define BUCKETS_PERFECT     0x800
#define BUCKETS_SIGNATURE   0x2000
#define SIGNATURE_MASK      0x7fff
#define PTYPE_ANY_L4        0xf8

static unsigned bucket_mask(const FF50Fdir *f)
{
    return (f->perfect ? BUCKETS_PERFECT : BUCKETS_SIGNATURE) - 1;
}

static FF50FdirEntry *entry(const FF50Fdir *f, int32_t i)
{
    return &g_array_index(f->entry, FF50FdirEntry, i);
}

static void stat_add(FF50State *s, uint32_t reg, unsigned shift, uint32_t max)
{
    uint32_t v = ff50_rd(s, reg);

    if ((v >> shift & max) < max) {
        ff50_wr(s, reg, v + (1u << shift));
    }
}

static void table_clear(FF50State *s)
{
    FF50Fdir *f = &s->dp->fdir;

    g_array_set_size(f->entry, 0);
    for (unsigned i = 0; i < BUCKETS_SIGNATURE; i++) {
        f->head[i] = -1;
    }
    f->free = -1;
    f->n = 0;
    f->n_any = 0;
    ff50_wr(s, RDB_FDIR_FREE, f->max);
}

void ff50_fdir_init(FF50State *s)
{
    FF50Fdir *f = &s->dp->fdir;

    f->entry = g_array_new(false, true, sizeof(FF50FdirEntry));
    f->head = g_new(int32_t, BUCKETS_SIGNATURE);
    ff50_fdir_reset(s);
}

void ff50_fdir_fini(FF50State *s)
{
    FF50Fdir *f = &s->dp->fdir;

    g_array_free(f->entry, true);
    g_free(f->head);
}

void ff50_fdir_reset(FF50State *s)
{
    FF50Fdir *f = &s->dp->fdir;

    f->ready = false;
    f->perfect = false;
    f->max = 0;
    table_clear(s);
}

/* The pool's flex configuration: bit 2 ignores the word. */
static unsigned flex_cfg(const FF50State *s, unsigned pool)
{
    return ff50_rd(s, RDB_FDIR_FLEX_CFG(pool / 4)) >> (pool % 4 * 8) & 0xff;
}

static uint16_t flex_word(const FF50State *s, const uint8_t *p, uint32_t len,
                          const FF50Parsed *o, unsigned pool)
{
    unsigned cfg = flex_cfg(s, pool);
    uint32_t off = (cfg >> 3) * 2;

    switch (cfg & 3) {
    case 1:
        off += o->l2_len;
        break;
    case 2:
        off += o->ip.off + o->ip.hlen;
        break;
    case 3:
        off += o->ip.off + o->ip.hlen + ff50_l4_hdr_len(p, len, &o->ip);
        break;
    }
    return off + 2 <= len ? ff50_be16(p + off) : 0;
}

/*
 * One bit per address byte; with the reversed order of the reference bit 0
 * stands for the last byte.
 */
static void mask_ip6(uint32_t w[4], unsigned mask)
{
    for (unsigned i = 0; i < 16; i++) {
        if (mask >> i & 1) {
            w[3 - i / 4] &= ~(0xffu << (i % 4 * 8));
        }
    }
}

static void apply_masks(const FF50State *s, FF50FdirKey *k)
{
    static const uint32_t port_reg[4] = {
        0, RDB_FDIR_UDP_MSK, RDB_FDIR_TCP_MSK, RDB_FDIR_SCTP_MSK
    };
    uint32_t other = ff50_rd(s, RDB_FDIR_OTHER_MSK);

    if (k->v6) {
        uint32_t m = ff50_rd(s, RDB_FDIR_IP6_MSK);

        mask_ip6(k->src, m & 0xffff);
        mask_ip6(k->dst, m >> 16);
    } else {
        k->src[0] &= ~ff50_rd(s, RDB_FDIR_SA4_MSK);
        k->dst[0] &= ~ff50_rd(s, RDB_FDIR_DA4_MSK);
    }
    if (k->l4) {
        uint32_t m = ff50_rd(s, port_reg[k->l4]);

        k->sport &= ~m;
        k->dport &= ~(m >> 16);
    }
    if (flex_cfg(s, k->pool) & FLEX_MASKED) {
        k->flex = 0;
    }
    if (other & OTHER_POOL) {
        k->pool = 0;
    }
    if (other & OTHER_L4) {
        k->l4 = 0;
        k->ptype &= PTYPE_ANY_L4;
    }
    if (other & OTHER_L3) {
        k->v6 = false;
    }
    if (other & OTHER_TUNNEL) {
        k->tunnel = false;
    }
}

static void key_stream(const FF50FdirKey *k, uint32_t w[FF50_FDIR_DWORDS])
{
    unsigned flow = k->l4 + (k->v6 ? 4 : 0) + (k->tunnel ? 0x10 : 0);

    w[0] = (uint32_t)k->pool << 24 | flow << 16 | k->ptype;
    memcpy(w + 1, k->dst, sizeof(k->dst));
    memcpy(w + 5, k->src, sizeof(k->src));
    w[9] = (uint32_t)k->sport << 16 | k->dport;
    w[10] = (uint32_t)k->flex << 16;
}

static void key_from_packet(const FF50State *s, const uint8_t *p,
                            uint32_t len, const FF50Parsed *o, unsigned pool,
                            FF50FdirKey *k)
{
    const FF50Ip *ip = &o->ip;

    *k = (FF50FdirKey) {
        .ptype = o->ptype, .pool = pool, .v6 = ip->ver == 6,
        .tunnel = o->tunnel, .flex = flex_word(s, p, len, o, pool),
    };
    if (ip->ver == 4) {
        k->src[0] = ff50_be32(p + ip->off + 12);
        k->dst[0] = ff50_be32(p + ip->off + 16);
    } else {
        for (unsigned i = 0; i < 4; i++) {
            k->src[i] = ff50_be32(p + ip->off + 8 + 4 * i);
            k->dst[i] = ff50_be32(p + ip->off + 24 + 4 * i);
        }
    }
    if (ip->l4 >= FF50_L4_UDP) {
        const uint8_t *l4 = p + ip->off + ip->hlen;

        k->l4 = ip->l4 - FF50_L4_UDP + 1;
        k->sport = ff50_be16(l4);
        k->dport = ff50_be16(l4 + 2);
    }
    apply_masks(s, k);
}

static void key_from_regs(const FF50State *s, uint32_t cmd, FF50FdirKey *k)
{
    uint32_t ports = ff50_rd(s, RDB_FDIR_PORT);
    uint32_t flex = ff50_rd(s, RDB_FDIR_FLEX);

    *k = (FF50FdirKey) {
        .ptype = flex & 0xff, .flex = flex >> 16, .l4 = cmd >> 5 & 3,
        .pool = cmd >> 24 & 0x3f, .v6 = cmd & CMD_IP6,
        .tunnel = cmd & CMD_TUNNEL, .sport = ports & 0xffff,
        .dport = ports >> 16,
    };
    if (k->v6) {
        uint32_t *w = cmd & CMD_IP6_DST ? k->dst : k->src;

        w[0] = ff50_rd(s, RDB_FDIR_IP6(2));
        w[1] = ff50_rd(s, RDB_FDIR_IP6(1));
        w[2] = ff50_rd(s, RDB_FDIR_IP6(0));
        w[3] = ff50_rd(s, RDB_FDIR_SA);
    } else {
        k->src[0] = ff50_rd(s, RDB_FDIR_SA);
        k->dst[0] = ff50_rd(s, RDB_FDIR_DA);
    }
    apply_masks(s, k);
    if (!k->l4) {
        k->ptype &= PTYPE_ANY_L4;
        k->sport = 0;
        k->dport = 0;
    }
}

/* Find an entry by what commands name it with: bucket and id. */
static int32_t find(const FF50Fdir *f, unsigned bucket, unsigned id,
                    int32_t *prev)
{
    int32_t i = f->head[bucket];

    *prev = -1;
    while (i >= 0 && entry(f, i)->id != id) {
        *prev = i;
        i = entry(f, i)->next;
    }
    return i;
}

static void table_add(FF50State *s, uint32_t cmd, unsigned bucket,
                      unsigned id)
{
    FF50Fdir *f = &s->dp->fdir;
    int32_t prev, i = find(f, bucket, id, &prev);
    FF50FdirEntry *e;

    if (i >= 0 && !(cmd & CMD_UPDATE)) {
        stat_add(s, RDB_FDIR_FAIL_ST, 0, 0xff);
        return;
    }
    if (i < 0) {
        if (f->n >= f->max) {
            stat_add(s, RDB_FDIR_FAIL_ST, 0, 0xff);
            ff50_misc_cause(s, MISC_FLOW_DIR);
            return;
        }
        if (f->free >= 0) {
            i = f->free;
            f->free = entry(f, i)->next;
        } else {
            i = f->entry->len;
            g_array_set_size(f->entry, i + 1);
        }
        entry(f, i)->next = f->head[bucket];
        f->head[bucket] = i;
        f->n++;
    } else if (f->perfect && !entry(f, i)->k.l4) {
        f->n_any--;
    }
    e = entry(f, i);
    e->bucket = bucket;
    e->id = id;
    e->cmd = cmd;
    if (f->perfect) {
        key_from_regs(s, cmd, &e->k);
        f->n_any += !e->k.l4;
    }
    stat_add(s, RDB_FDIR_USE_ST, 0, 0xffff);
    ff50_wr(s, RDB_FDIR_FREE, f->max - f->n);
}

static void table_remove(FF50State *s, unsigned bucket, unsigned id)
{
    FF50Fdir *f = &s->dp->fdir;
    int32_t prev, i = find(f, bucket, id, &prev);

    if (i < 0) {
        stat_add(s, RDB_FDIR_FAIL_ST, 8, 0xff);
        return;
    }
    if (prev >= 0) {
        entry(f, prev)->next = entry(f, i)->next;
    } else {
        f->head[bucket] = entry(f, i)->next;
    }
    if (f->perfect && !entry(f, i)->k.l4) {
        f->n_any--;
    }
    entry(f, i)->next = f->free;
    f->free = i;
    f->n--;
    stat_add(s, RDB_FDIR_USE_ST, 16, 0xffff);
    ff50_wr(s, RDB_FDIR_FREE, f->max - f->n);
}

static void command(FF50State *s, uint32_t cmd)
{
    FF50Fdir *f = &s->dp->fdir;
    uint32_t hash = ff50_rd(s, RDB_FDIR_HASH);
    unsigned bucket = hash & bucket_mask(f);
    unsigned id = hash >> 16 & (f->perfect ? 0xffff : SIGNATURE_MASK);
    int32_t prev;

    if ((cmd & (3 | CMD_CLEAR)) && !f->ready) {
        ff50_violation(s, FF50_VIO_RESET_ORDER, RDB_FDIR_CMD, cmd,
                       "flow director command before FDIR_CTL was written");
        ff50_wr(s, RDB_FDIR_CMD, cmd & ~(3 | CMD_VALID | CMD_CLEAR));
        return;
    }
    if (cmd & CMD_CLEAR) {
        table_clear(s);
    }
    switch (cmd & 3) {
    case CMD_ADD:
        table_add(s, cmd, bucket, id);
        break;
    case CMD_REMOVE:
        table_remove(s, bucket, id);
        break;
    case CMD_QUERY:
        cmd &= ~CMD_VALID;
        if (find(f, bucket, id, &prev) >= 0) {
            cmd |= CMD_VALID;
        }
        break;
    }
    ff50_wr(s, RDB_FDIR_CMD, cmd & ~(3 | CMD_CLEAR));
}

static void control(FF50State *s, uint32_t val)
{
    FF50Fdir *f = &s->dp->fdir;
    unsigned mem = val & 3;

    if ((ff50_rd(s, RDB_PB_CTL) & RDB_PB_CTL_RXEN) &&
        !(ff50_rd(s, RSC_CTL) & RSC_CTL_RX_DIS)) {
        ff50_violation(s, FF50_VIO_RING_STATE, RDB_FDIR_CTL, val,
                       "flow director set up while receive is running");
    }
    f->ready = true;
    f->perfect = val & CTL_PERFECT;
    f->max = mem ? (f->perfect ? 2048u : 8192u) << (mem - 1) : 0;
    table_clear(s);
    ff50_wr(s, RDB_FDIR_CTL, val | CTL_INIT_DONE);
}

void ff50_fdir_reg_written(FF50State *s, uint32_t off, uint32_t old,
                           uint32_t val)
{
    switch (off) {
    case RDB_FDIR_CTL:
        control(s, val);
        break;
    case RDB_FDIR_CMD:
        command(s, val);
        break;
    }
}

static bool content_equal(const FF50FdirKey *a, const FF50FdirKey *b)
{
    return a->ptype == b->ptype && a->l4 == b->l4 && a->pool == b->pool &&
           a->v6 == b->v6 && a->tunnel == b->tunnel && a->flex == b->flex &&
           a->sport == b->sport && a->dport == b->dport &&
           !memcmp(a->src, b->src, sizeof(a->src)) &&
           !memcmp(a->dst, b->dst, sizeof(a->dst));
}

static const FF50FdirEntry *lookup_perfect(const FF50State *s,
                                           const FF50FdirKey *k,
                                           uint32_t *hash)
{
    const FF50Fdir *f = &s->dp->fdir;
    uint32_t w[FF50_FDIR_DWORDS];

    key_stream(k, w);
    *hash = ff50_fdir_hash(w, ff50_rd(s, RDB_FDIR_HKEY));
    for (int32_t i = f->head[*hash & bucket_mask(f)]; i >= 0;
         i = entry(f, i)->next) {
        if (content_equal(&entry(f, i)->k, k)) {
            return entry(f, i);
        }
    }
    return NULL;
}

static const FF50FdirEntry *lookup_signature(const FF50State *s,
                                             const FF50FdirKey *k,
                                             uint32_t *hash)
{
    const FF50Fdir *f = &s->dp->fdir;
    uint32_t w[FF50_FDIR_DWORDS], sig;
    int32_t prev, i;

    key_stream(k, w);
    *hash = ff50_fdir_hash(w, ff50_rd(s, RDB_FDIR_HKEY));
    sig = ff50_fdir_hash(w, ff50_rd(s, RDB_FDIR_SKEY)) & SIGNATURE_MASK;
    i = find(f, *hash & bucket_mask(f), sig, &prev);
    return i >= 0 ? entry(f, i) : NULL;
}

/**
 * ff50_fdir_lookup() - look a packet up in the flow director
 * @s: port
 * @p: frame as it came from the wire
 * @len: bytes
 * @o: its parse result; an IP packet
 * @pool: destination pool
 * @h: result; no counter is changed
 *
 * Return: false if the flow director is off, so that nothing counts.
 */
bool ff50_fdir_lookup(FF50State *s, const uint8_t *p, uint32_t len,
                      const FF50Parsed *o, unsigned pool, FF50FdirHit *h)
{
    FF50Fdir *f = &s->dp->fdir;
    const FF50FdirEntry *e = NULL;
    uint32_t hash = 0, report;
    FF50FdirKey k;

    *h = (FF50FdirHit) { 0 };
    if (!f->ready || !f->max) {
        return false;
    }
    if (!f->n) {
        return true;
    }
    key_from_packet(s, p, len, o, pool, &k);
    if (!f->perfect) {
        e = k.l4 ? lookup_signature(s, &k, &hash) : NULL;
    } else {
        e = lookup_perfect(s, &k, &hash);
        if (!e && f->n_any) {
            k.l4 = 0;
            k.ptype &= PTYPE_ANY_L4;
            k.sport = 0;
            k.dport = 0;
            e = lookup_perfect(s, &k, &hash);
        }
    }
    if (!e) {
        return true;
    }
    report = ff50_rd(s, RDB_FDIR_CTL) >> 5 & 7;
    h->match = true;
    h->drop = e->cmd & CMD_DROP;
    h->queue_en = e->cmd & CMD_QUEUE_EN;
    h->q = e->cmd >> 16 & 0x7f;
    h->report = report != 0;
    h->word = hash << 16 | e->id;
    return true;
}

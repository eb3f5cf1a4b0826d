/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive side scaling of the FF50xx model: hash type, Toeplitz hash and the
 * redirection tables, also per pool and per traffic class.
 */
#include "qemu/osdep.h"
#include "ff50xx_core.h"
#include "ff50xx_dp.h"

#define RA_CTL_MULTI_RSS    (1u << 0)
#define PL_CFG_RSS_EN       (1u << 24)
#define PORT_CTL_DCB        (1u << 10)
#define PORT_CTL_8TC        (1u << 11)
#define RDB_UP2TC           0x19008

/* Bits 23:16 of RDB_RA_CTL and RDB_PL_CFG. */
#define HASH_IP4_TCP        (1u << 16)
#define HASH_IP4            (1u << 17)
#define HASH_IP4_SCTP       (1u << 18)
#define HASH_IP6_SCTP       (1u << 19)
#define HASH_IP6            (1u << 20)
#define HASH_IP6_TCP        (1u << 21)
#define HASH_IP4_UDP        (1u << 22)
#define HASH_IP6_UDP        (1u << 23)

/* By [IPv6][L4 kind - UDP]: the enabling bit and the reported type. */
static const struct {
    uint32_t bit;
    uint8_t type;
} l4_hash[2][3] = {
    { { HASH_IP4_UDP, 7 }, { HASH_IP4_TCP, 1 }, { HASH_IP4_SCTP, 4 } },
    { { HASH_IP6_UDP, 8 }, { HASH_IP6_TCP, 3 }, { HASH_IP6_SCTP, 6 } },
};

static void load_key(FF50State *s, uint32_t reg)
{
    FF50Dp *dp = s->dp;
    uint8_t key[FF50_RSS_KEY_LEN];

    for (unsigned i = 0; i < FF50_RSS_KEY_LEN / 4; i++) {
        stl_le_p(key + 4 * i, ff50_rd(s, reg + 4 * i));
    }
    if (!dp->rss_valid || memcmp(key, dp->rss_key, sizeof(key))) {
        memcpy(dp->rss_key, key, sizeof(key));
        ff50_toeplitz_set_key(&dp->rss, key);
        dp->rss_valid = true;
    }
}

/* First ring of the packet's traffic class; *rings: how many it has. */
static unsigned tc_base(const FF50State *s, const FF50Parsed *o,
                        unsigned *rings)
{
    uint32_t ctl = ff50_rd(s, CFG_PORT_CTL);
    unsigned up, tc;

    *rings = FF50_NR_QUEUES;
    if (!(ctl & PORT_CTL_DCB)) {
        return 0;
    }
    up = o->ntags ? o->tag[0].tci >> 13 : 0;
    tc = ff50_rd(s, RDB_UP2TC) >> (4 * up) & 7;
    if (ctl & PORT_CTL_8TC) {
        *rings = 16;
        return tc * 16;
    }
    *rings = 32;
    return (tc & 3) * 32;
}

/**
 * ff50_rss() - RSS hash and queue of a packet
 * @s: port
 * @p: frame
 * @o: its parse result; tunnels are hashed on the inner headers
 * @pool: destination pool, only used while there are pools
 * @r: q, hash and rss_type are set
 */
void ff50_rss(FF50State *s, const uint8_t *p, const FF50Parsed *o,
              unsigned pool, FF50Route *r)
{
    uint32_t ra = ff50_rd(s, RDB_RA_CTL), fields = ra;
    unsigned qpp = ff50_pool_queues(s), base, rings, type = 0;
    const FF50Ip *ip = &o->ip;
    uint8_t in[FF50_RSS_INPUT_MAX], *tail = in;
    bool enabled = ra & RA_CTL_RSS_EN;
    uint32_t key_reg = RDB_RSSRK(0);

    if (qpp) {
        base = pool * qpp;
        rings = qpp;
        if (ra & RA_CTL_MULTI_RSS) {
            fields = ff50_rd(s, RDB_PL_CFG(pool));
            enabled = enabled && (fields & PL_CFG_RSS_EN);
            key_reg = RDB_VMRSSRK(0, pool);
        }
    } else {
        base = tc_base(s, o, &rings);
    }
    r->q = base;
    r->hash = 0;
    r->rss_type = 0;
    if (!enabled || !ip->ver) {
        return;
    }

    if (ip->ver == 4) {
        memcpy(in, p + ip->off + 12, 8);
        tail += 8;
    } else {
        memcpy(in, p + ip->off + 8, 32);
        tail += 32;
    }
    if (ip->l4 >= FF50_L4_UDP) {
        unsigned v6 = ip->ver == 6, k = ip->l4 - FF50_L4_UDP;

        if (fields & l4_hash[v6][k].bit) {
            type = l4_hash[v6][k].type;
            memcpy(tail, p + ip->off + ip->hlen, 4);
            tail += 4;
        }
    }
    if (!type) {
        if (!(fields & (ip->ver == 6 ? HASH_IP6 : HASH_IP4))) {
            return;
        }
        type = ip->ver == 6 ? 5 : 2;
    }

    load_key(s, key_reg);
    r->rss_type = type;
    r->hash = ff50_toeplitz(&s->dp->rss, in, tail - in);
    if (qpp && (ra & RA_CTL_MULTI_RSS)) {
        unsigned e = r->hash & 0x3f;
        uint32_t word = ff50_rd(s, RDB_VMRSSTBL(e / 4, pool));

        r->q = base + (word >> (e % 4 * 8) & 0xff) % rings;
    } else {
        unsigned e = r->hash & 0x7f;
        uint32_t word = ff50_rd(s, RDB_RSSTBL(e / 4));

        r->q = base + (word >> (e % 4 * 8) & 0x7f) % rings;
    }
}

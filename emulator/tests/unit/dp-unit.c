/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit test of the pure parts of the FF50xx data path, run on the host.
 *
 * Known answers come from the register reference (RSS, flow director), the
 * published check values of the CRCs and the Microsoft RSS test vectors;
 * everything else is recomputed here in the slowest obvious way.
 */
#include <stdio.h>
#include <stdlib.h>
#include "qemu/osdep.h"
#include "ff50xx_bytes.h"
#include "ff50xx_csum.h"
#include "ff50xx_parse.h"
#include "ff50xx_seg.h"

static unsigned n_tests, n_failed;

static void report(bool good, const char *what, int line)
{
    n_tests++;
    if (good) {
        printf("ok %u - %s\n", n_tests, what);
    } else {
        n_failed++;
        printf("not ok %u - %s (line %d)\n", n_tests, what, line);
    }
}

#define CHECK(cond, what) report((cond), (what), __LINE__)
/* For inner loops: only a failure is worth a line. */
#define MUST(cond, what) \
    do { \
        if (!(cond)) { \
            report(false, (what), __LINE__); \
        } \
    } while (0)

/* ---------------------------------------------------------------- */
/* A second, plain implementation to compare with                     */

static uint16_t slow_csum(const uint8_t *p, size_t len, uint32_t init)
{
    uint32_t sum = init;

    for (size_t i = 0; i < len; i++) {
        sum += i & 1 ? p[i] : (uint32_t)p[i] << 8;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}

static uint32_t slow_toeplitz(const uint8_t *key, const uint8_t *in,
                              size_t len)
{
    uint32_t h = 0;

    for (size_t bit = 0; bit < len * 8; bit++) {
        if (in[bit / 8] >> (7 - bit % 8) & 1) {
            for (unsigned b = 0; b < 32; b++) {
                size_t k = bit + b;

                h ^= (uint32_t)(key[k / 8] >> (7 - k % 8) & 1) << (31 - b);
            }
        }
    }
    return h;
}

/* ---------------------------------------------------------------- */
/* Frame building                                                     */

typedef struct Frame {
    uint8_t b[70000];
    uint32_t len;
    uint32_t outer_ip, outer_l4, ip, l4;    /* offsets, 0 = none */
} Frame;

static const FF50ParseCfg cfg = {
    .tpid = { 0x8100, 0x88a8, 0x8100, 0x8100,
              0x8100, 0x8100, 0x8100, 0x8100 },
    .vxlan = 4789, .vxlan_gpe = 4790, .geneve = 6081, .teredo = 3544,
};

static void put(Frame *f, const void *p, uint32_t n)
{
    memcpy(f->b + f->len, p, n);
    f->len += n;
}

static void put16(Frame *f, uint16_t v)
{
    uint8_t b[2];

    ff50_put_be16(b, v);
    put(f, b, 2);
}

static void mac(Frame *f, uint16_t etype)
{
    static const uint8_t m[12] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2 };

    put(f, m, 12);
    put16(f, etype);
}

static void ip4(Frame *f, uint8_t proto)
{
    uint8_t h[20] = { 0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64, proto, 0, 0,
                      66, 9, 149, 187, 161, 142, 100, 80 };

    f->ip = f->len;
    put(f, h, 20);
}

static void ip6(Frame *f, uint8_t next)
{
    uint8_t h[40] = { 0x60, 0, 0, 0, 0, 0, next, 64,
        0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff,
        0, 0, 0, 0, 0, 0, 0, 7,
        0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03,
        0, 0, 0, 0, 0, 0, 0, 1 };

    f->ip = f->len;
    put(f, h, 40);
}

static void l4hdr(Frame *f, uint8_t proto)
{
    uint8_t h[20] = { 0x0a, 0xea, 0x06, 0xe6 };     /* 2794 -> 1766 */

    f->l4 = f->len;
    if (proto == FF50_IPPROTO_TCP) {
        ff50_put_be32(h + 4, 0xfffffff0);           /* seq wraps */
        h[12] = 0x50;
        h[13] = 0x99;                               /* CWR ACK PSH FIN */
        put(f, h, 20);
    } else if (proto == FF50_IPPROTO_UDP) {
        put(f, h, 8);
    } else if (proto == FF50_IPPROTO_SCTP) {
        put(f, h, 12);
    }
}

static void payload(Frame *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        f->b[f->len++] = (uint8_t)(i * 7 + i / 251);
    }
}

/* Set the length fields of one IP layer to what follows in the frame. */
static void fix_len(Frame *f, uint32_t ip)
{
    if (f->b[ip] >> 4 == 4) {
        ff50_put_be16(f->b + ip + 2, f->len - ip);
    } else {
        ff50_put_be16(f->b + ip + 4, f->len - ip - 40);
    }
}

static uint8_t ptype_of(const Frame *f)
{
    FF50Parsed o;

    ff50_parse(&cfg, f->b, f->len, 0, &o);
    return o.ptype;
}

/* Parse every prefix of the frame: nothing may be read behind it. */
static void all_prefixes(const Frame *f)
{
    for (uint32_t n = 0; n <= f->len && n < 400; n++) {
        uint8_t *p = malloc(n ? n : 1);
        FF50Parsed o;

        memcpy(p, f->b, n);
        ff50_parse(&cfg, p, n, 0, &o);
        ff50_parse(&cfg, p, n, FF50_PARSE_NOLEN, &o);
        MUST(o.ip.end <= n, "IP packet ends within the frame");
        MUST(o.ip.off + o.ip.hlen <= n, "IP header lies within the frame");
        if (o.ip.ver) {
            uint32_t h = ff50_l4_hdr_len(p, n, &o.ip);

            MUST(o.ip.off + o.ip.hlen + h <= n, "L4 header lies within");
        }
        free(p);
    }
}

/* ---------------------------------------------------------------- */

static void test_csum(void)
{
    uint8_t b[300];
    bool same = true;

    for (unsigned i = 0; i < sizeof(b); i++) {
        b[i] = i * 37 + 11;
    }
    for (unsigned off = 0; off < 9; off++) {
        for (unsigned len = 0; len + off < sizeof(b); len++) {
            same &= ff50_csum(b + off, len, 0x12345) ==
                    slow_csum(b + off, len, 0x12345);
        }
    }
    CHECK(same, "internet checksum equals the plain one");
    memset(b, 0xff, sizeof(b));
    CHECK(ff50_csum(b, 256, 0xffffffff) == 0xffff, "all ones folds to ffff");
    CHECK((~ff50_crc32c((const uint8_t *)"123456789", 9, ~0u) & 0xffffffff) ==
          0xe3069283, "CRC32c check value");
    CHECK(ff50_eth_fcs((const uint8_t *)"123456789", 9) == 0xcbf43926,
          "Ethernet FCS check value");
}

static void test_rss(void)
{
    static const uint8_t key[40] = {
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2,
        0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0,
        0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4,
        0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c,
        0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa };
    uint8_t in[36];
    FF50Toeplitz t;
    Frame f = { 0 };
    bool same = true;

    ff50_toeplitz_set_key(&t, key);
    ip4(&f, FF50_IPPROTO_TCP);
    l4hdr(&f, FF50_IPPROTO_TCP);
    memcpy(in, f.b + 12, 12);
    CHECK(ff50_toeplitz(&t, in, 12) == 0x51ccc178, "RSS IPv4 with ports");
    CHECK(ff50_toeplitz(&t, in, 8) == 0x323e8fc2, "RSS IPv4");
    memset(&f, 0, sizeof(f));
    ip6(&f, FF50_IPPROTO_TCP);
    l4hdr(&f, FF50_IPPROTO_TCP);
    memcpy(in, f.b + 8, 36);
    CHECK(ff50_toeplitz(&t, in, 36) == 0x40207d3d, "RSS IPv6 with ports");
    CHECK(ff50_toeplitz(&t, in, 32) == 0x2cc18cd5, "RSS IPv6");
    for (unsigned r = 0; r < 500; r++) {
        uint8_t k[40];

        for (unsigned i = 0; i < 40; i++) {
            k[i] = rand();
            in[i % 36] = rand();
        }
        ff50_toeplitz_set_key(&t, k);
        same &= ff50_toeplitz(&t, in, 36) == slow_toeplitz(k, in, 36);
    }
    CHECK(same, "RSS equals the bitwise definition for random keys");
}

static void test_fdir(void)
{
    uint32_t s[11] = { 0x00020024 };

    /* 192.168.1.1:80 -> 192.168.1.2:1000, untagged, signature mode */
    s[1] = 0xc0a80102;
    s[5] = 0xc0a80101;
    s[9] = 80 << 16 | 1000;
    s[10] = 0x08000000;
    CHECK((ff50_fdir_hash(s, 0x3dad14e2) & 0x7fff) == 0x71f7,
          "flow director bucket of the signature example");
    CHECK((ff50_fdir_hash(s, 0x174d3614) & 0x7fff) == 0x440e,
          "flow director signature of the example");

    /* Perfect mode: TCP, source 10.0.0.2, destination port 80. */
    memset(s, 0, sizeof(s));
    s[0] = 0x00020024;
    s[5] = 0x0a000002;
    s[9] = 80;
    CHECK((ff50_fdir_hash(s, 0x3dad14e2) & 0x1fff) == 0x1a9,
          "flow director bucket of the perfect example");
    s[5] = 0x0a000009;
    s[9] = 81;
    CHECK((ff50_fdir_hash(s, 0x3dad14e2) & 0x1fff) == 0xf80,
          "flow director bucket of the second perfect example");
}

static const uint8_t protos[3] = {
    FF50_IPPROTO_UDP, FF50_IPPROTO_TCP, FF50_IPPROTO_SCTP
};

static void test_parse_plain(void)
{
    bool good = true;

    for (unsigned v = 4; v <= 6; v += 2) {
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned tags = 0; tags <= 3; tags++) {
                Frame f = { 0 };
                FF50Parsed o;
                uint16_t et = v == 4 ? FF50_ETH_IP4 : FF50_ETH_IP6;

                mac(&f, tags ? (tags > 1 ? 0x88a8 : 0x8100) : et);
                for (unsigned t = 1; t <= tags; t++) {
                    put16(&f, 100 + t);
                    put16(&f, t < tags ? 0x8100 : et);
                }
                v == 4 ? ip4(&f, protos[i]) : ip6(&f, protos[i]);
                l4hdr(&f, protos[i]);
                payload(&f, 30);
                fix_len(&f, f.ip);
                payload(&f, 4);         /* Ethernet padding */
                ff50_parse(&cfg, f.b, f.len, 0, &o);
                good &= o.ptype == (0x20 | (v == 6 ? 8 : 0) | (3 + i));
                good &= o.ntags == tags && o.l2_len == 14 + 4 * tags;
                good &= !tags || (o.tag[0].tci == 101 &&
                                  o.tag[0].idx == (tags > 1) &&
                                  o.tag[0].off == 12);
                good &= o.ip.end == f.len - 4 && !o.tunnel;
                good &= o.ip.off + o.ip.hlen == f.l4;
                all_prefixes(&f);
            }
        }
    }
    CHECK(good, "plain IPv4 and IPv6 with 0 to 3 tags");
}

static void test_parse_l2(void)
{
    static const struct {
        uint16_t etype;
        uint8_t ptype;
    } t[] = {
        { 0x88f7, 0x12 }, { 0x8914, 0x13 }, { 0x88cc, 0x14 },
        { 0x22e7, 0x15 }, { 0x888e, 0x16 }, { 0x0806, 0x17 },
        { 0x1234, 0x11 }, { 46, 0x11 },
    };
    bool good = true;

    for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        Frame f = { 0 };

        mac(&f, t[i].etype);
        payload(&f, 46);
        good &= ptype_of(&f) == t[i].ptype;
    }
    CHECK(good, "L2 packet types");
}

static void test_parse_frag(void)
{
    Frame f = { 0 };
    FF50Parsed o;

    mac(&f, FF50_ETH_IP4);
    ip4(&f, FF50_IPPROTO_UDP);
    l4hdr(&f, FF50_IPPROTO_UDP);
    payload(&f, 32);
    fix_len(&f, f.ip);
    f.b[f.ip + 6] = 0x20;
    CHECK(ptype_of(&f) == 0x21, "first IPv4 fragment");
    f.b[f.ip + 6] = 0;
    f.b[f.ip + 7] = 3;
    CHECK(ptype_of(&f) == 0x21, "later IPv4 fragment");
    f.b[f.ip + 7] = 0;
    f.b[f.ip + 9] = 1;
    CHECK(ptype_of(&f) == 0x22, "IPv4 ICMP is other");
    f.b[f.ip] = 0x44;
    CHECK(ptype_of(&f) == 0x11, "IPv4 with a bad header length is L2");

    memset(&f, 0, sizeof(f));
    mac(&f, FF50_ETH_IP6);
    ip6(&f, 0);
    put(&f, "\x3c\0\0\0\0\0\0\0", 8);           /* hop by hop */
    put(&f, "\x06\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);  /* dest. options */
    l4hdr(&f, FF50_IPPROTO_TCP);
    payload(&f, 10);
    fix_len(&f, f.ip);
    ff50_parse(&cfg, f.b, f.len, 0, &o);
    CHECK(o.ptype == 0x2c && o.ip.hlen == 64 && o.ip.dstopt && !o.ip.rthdr,
          "IPv6 extension headers");
    all_prefixes(&f);
    f.b[f.ip + 40] = 44;        /* the 16 byte header is now a fragment one */
    f.b[f.ip + 48] = 17;
    ff50_parse(&cfg, f.b, f.len, 0, &o);
    CHECK(o.ptype == 0x29 && o.ip.hlen == 56, "IPv6 fragment");
    f.b[f.ip + 6] = 0;
    f.b[f.ip + 40] = 0;
    f.b[f.ip + 41] = 255;
    ff50_parse(&cfg, f.b, f.len, 0, &o);
    CHECK(o.ptype == 0x2a, "IPv6 extension header longer than the packet");
}

/* kind 0..3 as in the type code; via: 0 GRE, 1 VXLAN, 2 Geneve, 3 GPE */
static bool make_tunnel(Frame *f, unsigned over, unsigned kind, unsigned via,
                        unsigned inner, uint8_t proto, uint32_t n)
{
    static const uint16_t port[] = { 0, 4789, 6081, 4790 };
    uint16_t et = inner == 4 ? FF50_ETH_IP4 : FF50_ETH_IP6;
    uint8_t oproto = kind == FF50_TUN_IPIP
                     ? (inner == 4 ? FF50_IPPROTO_IPIP : FF50_IPPROTO_IPV6)
                     : via ? FF50_IPPROTO_UDP : FF50_IPPROTO_GRE;
    uint16_t tun = kind == FF50_TUN_IG ? et : FF50_ETH_TEB;

    if ((kind == FF50_TUN_IPIP && via) || (kind == FF50_TUN_IG && via == 1)) {
        return false;
    }
    memset(f, 0, sizeof(*f));
    mac(f, over == 4 ? FF50_ETH_IP4 : FF50_ETH_IP6);
    over == 4 ? ip4(f, oproto) : ip6(f, oproto);
    f->outer_ip = f->ip;
    f->outer_l4 = f->len;
    if (kind != FF50_TUN_IPIP) {
        if (via) {
            put16(f, 50000);
            put16(f, port[via]);
            put16(f, 0);
            put16(f, 0);
        }
        switch (via) {
        case 0:
            put16(f, 0x2000);           /* key present */
            put16(f, tun);
            put(f, "\0\0\0\7", 4);
            break;
        case 1:
            put(f, "\x08\0\0\0\0\0\7\0", 8);
            break;
        case 2:
            put16(f, 0x0100);           /* one word of options */
            put16(f, tun);
            put(f, "\0\0\7\0\1\2\3\4", 8);
            break;
        case 3:
            put(f, kind != FF50_TUN_IG ? "\x0c\0\0\3" :
                   inner == 4 ? "\x0c\0\0\1" : "\x0c\0\0\2", 4);
            put(f, "\0\0\7\0", 4);
            break;
        }
        if (kind != FF50_TUN_IG) {
            mac(f, kind == FF50_TUN_IGMV ? 0x8100 : et);
            if (kind == FF50_TUN_IGMV) {
                put16(f, 7);
                put16(f, et);
            }
        }
    }
    inner == 4 ? ip4(f, proto) : ip6(f, proto);
    l4hdr(f, proto);
    payload(f, n);
    fix_len(f, f->ip);
    fix_len(f, f->outer_ip);
    if (oproto == FF50_IPPROTO_UDP) {
        ff50_put_be16(f->b + f->outer_l4 + 4, f->len - f->outer_l4);
    }
    return true;
}

static void test_parse_tunnel(void)
{
    static Frame f;
    bool good = true;
    unsigned n = 0;

    for (unsigned c = 0; c < 2 * 4 * 4 * 2 * 3; c++) {
        unsigned over = c % 2 ? 6 : 4, kind = c / 2 % 4, via = c / 8 % 4;
        unsigned inner = c / 32 % 2 ? 6 : 4, i = c / 64;
        FF50Parsed o;

        if (!make_tunnel(&f, over, kind, via, inner, protos[i], 64)) {
            continue;
        }
        n++;
        ff50_parse(&cfg, f.b, f.len, 0, &o);
        good &= o.ptype == (0x80 | (over == 6 ? 0x40 : 0) | kind << 4 |
                            (inner == 6 ? 8 : 0) | (3 + i));
        good &= o.tunnel && o.ip.off == f.ip && o.outer.off == f.outer_ip;
        good &= o.tun_off == f.outer_l4;
        all_prefixes(&f);
    }
    CHECK(good && n > 100, "tunnels of every kind, outer and inner version");

    make_tunnel(&f, 4, FF50_TUN_IGM, 1, 4, FF50_IPPROTO_TCP, 64);
    ff50_put_be16(f.b + f.outer_l4 + 2, 4788);
    CHECK(ptype_of(&f) == 0x23, "a port that is not registered is plain UDP");
    make_tunnel(&f, 4, FF50_TUN_IGM, 1, 4, FF50_IPPROTO_TCP, 64);
    ff50_put_be16(f.b + f.ip - 2, 0x0806);
    CHECK(ptype_of(&f) == 0xa0, "inner MAC with unknown L3");
    make_tunnel(&f, 6, FF50_TUN_IG, 0, 4, FF50_IPPROTO_TCP, 64);
    ff50_put_be16(f.b + f.outer_l4 + 2, 0x1234);
    CHECK(ptype_of(&f) == 0xd0, "GRE with unknown L3");

    memset(&f, 0, sizeof(f));
    mac(&f, FF50_ETH_IP4);
    ip4(&f, FF50_IPPROTO_UDP);
    f.outer_ip = f.ip;
    put16(&f, 50000);
    put16(&f, 3544);
    put16(&f, 0);
    put16(&f, 0);
    put(&f, "\0\1\0\0\1\2\3\4\5\6\7\10\0", 13);     /* authentication */
    put(&f, "\0\0\1\2\3\4\5\6", 8);                 /* origin */
    ip6(&f, FF50_IPPROTO_TCP);
    l4hdr(&f, FF50_IPPROTO_TCP);
    fix_len(&f, f.ip);
    fix_len(&f, f.outer_ip);
    CHECK(ptype_of(&f) == 0x9c, "Teredo with both indications");
    all_prefixes(&f);
}

/* ---------------------------------------------------------------- */

/* Does one produced frame have correct lengths and checksums? */
static bool frame_sound(const uint8_t *p, uint32_t len)
{
    FF50Parsed o;
    uint32_t l4, n;

    ff50_parse(&cfg, p, len, 0, &o);
    if (!o.ip.ver || o.ip.trunc || o.ip.end != len) {
        return false;
    }
    if (o.ip.ver == 4 &&
        slow_csum(p + o.ip.off, o.ip.hlen, 0) != 0xffff) {
        return false;
    }
    if (o.tunnel) {
        if (o.outer.trunc || o.outer.end != len) {
            return false;
        }
        if (o.outer.ver == 4 &&
            slow_csum(p + o.outer.off, o.outer.hlen, 0) != 0xffff) {
            return false;
        }
        if (o.outer.proto == FF50_IPPROTO_UDP &&
            ff50_be16(p + o.tun_off + 4) != len - o.tun_off) {
            return false;
        }
    }
    l4 = o.ip.off + o.ip.hlen;
    n = len - l4;
    return slow_csum(p + l4, n,
                     ff50_csum_pseudo(p + o.ip.off, o.ip.ver, o.ip.proto,
                                      n)) == 0xffff;
}

static bool segment_all(Frame *f, uint8_t proto, uint16_t mss, unsigned over,
                        unsigned kind, unsigned via)
{
    static uint8_t got[70000];
    uint32_t total = 0, count = 0, hdr, seq, want_segs;
    bool tcp = proto == FF50_IPPROTO_TCP;
    unsigned ver = f->b[f->ip] >> 4;
    FF50Offload o = {
        .ip_off = f->ip, .l4_off = f->l4, .ver = ver,
        .l4 = tcp ? FF50_L4_TCP : FF50_L4_UDP,
        .l4cs = true, .iipcs = ver == 4, .mss = mss,
    };
    FF50Seg s;
    bool good = true;

    hdr = f->l4 + (tcp ? 20 : 8);
    o.hdr_len = hdr;
    if (over) {
        o.outer_off = f->outer_ip;
        o.outer_l4_off = f->outer_l4;
        o.outer_ver = over;
        o.outer_udp = kind != FF50_TUN_IPIP && via;
        o.eipcs = over == 4;
    }
    /* As software hands it over: no lengths, seed without a length. */
    if (ver == 4) {
        ff50_put_be16(f->b + f->ip + 2, 0);
    } else {
        ff50_put_be16(f->b + f->ip + 4, 0);
    }
    ff50_put_be16(f->b + f->l4 + (tcp ? 16 : 6),
                  ff50_csum_fold(ff50_csum_pseudo(f->b + f->ip, ver, proto,
                                                  0)));
    seq = ff50_be32(f->b + f->l4 + 4);
    want_segs = (f->len - hdr + mss - 1) / mss;
    if (!ff50_seg_init(&s, f->b, f->len, &o)) {
        return false;
    }
    while (!ff50_seg_done(&s)) {
        uint8_t out[16384];
        uint32_t n = ff50_seg_next(&s, out, sizeof(out));
        bool last = ff50_seg_done(&s);

        if (n <= hdr) {
            return false;
        }
        good &= frame_sound(out, n);
        good &= last || n == hdr + mss;
        if (tcp) {
            uint8_t flags = out[f->l4 + 13];

            good &= ff50_be32(out + f->l4 + 4) == seq + total;
            good &= flags == (0x10 | (last ? 0x09 : 0) | (count ? 0 : 0x80));
        }
        if (ver == 4) {
            good &= ff50_be16(out + f->ip + 4) == 0x1234 + count;
        }
        if (over == 4) {
            good &= ff50_be16(out + f->outer_ip + 4) == 0x1234 + count;
        }
        memcpy(got + total, out + hdr, n - hdr);
        total += n - hdr;
        count++;
    }
    good &= count == want_segs && total == f->len - hdr;
    good &= !memcmp(got, f->b + hdr, total);
    return good;
}

static void test_seg(void)
{
    static Frame f;
    bool good = true;

    for (unsigned c = 0; c < 4; c++) {
        unsigned ver = c & 1 ? 6 : 4;
        uint8_t proto = c & 2 ? FF50_IPPROTO_UDP : FF50_IPPROTO_TCP;

        for (uint32_t n = 1; n < 4500; n += 149) {
            memset(&f, 0, sizeof(f));
            mac(&f, ver == 4 ? FF50_ETH_IP4 : FF50_ETH_IP6);
            ver == 4 ? ip4(&f, proto) : ip6(&f, proto);
            l4hdr(&f, proto);
            payload(&f, n);
            good &= segment_all(&f, proto, 1448, 0, 0, 0);
            good &= segment_all(&f, proto, 149, 0, 0, 0);
        }
    }
    CHECK(good, "TCP and UDP segmentation over IPv4 and IPv6");

    good = true;
    for (unsigned c = 0; c < 2 * 4 * 4 * 2 * 2; c++) {
        unsigned over = c % 2 ? 6 : 4, kind = c / 2 % 4, via = c / 8 % 4;
        unsigned inner = c / 32 % 2 ? 6 : 4;
        uint8_t proto = c / 64 ? FF50_IPPROTO_UDP : FF50_IPPROTO_TCP;

        if (make_tunnel(&f, over, kind, via, inner, proto, 5000)) {
            good &= segment_all(&f, proto, 1400, over, kind, via);
        }
    }
    CHECK(good, "segmentation in tunnels");

    memset(&f, 0, sizeof(f));
    mac(&f, FF50_ETH_IP4);
    ip4(&f, FF50_IPPROTO_TCP);
    l4hdr(&f, FF50_IPPROTO_TCP);
    payload(&f, 65000);
    CHECK(segment_all(&f, FF50_IPPROTO_TCP, 1448, 0, 0, 0), "64 KiB packet");
}

static void test_insert(void)
{
    static Frame f;
    bool good = true;

    for (unsigned c = 0; c < 2 * 3; c++) {
        unsigned ver = c & 1 ? 6 : 4;
        uint8_t proto = protos[c / 2];

        for (uint32_t n = 0; n < 70; n++) {
            FF50Offload o = {
                .ver = ver, .l4 = FF50_L4_UDP + c / 2, .l4cs = true,
                .iipcs = true,
            };

            memset(&f, 0, sizeof(f));
            mac(&f, ver == 4 ? FF50_ETH_IP4 : FF50_ETH_IP6);
            ver == 4 ? ip4(&f, proto) : ip6(&f, proto);
            l4hdr(&f, proto);
            payload(&f, n);
            fix_len(&f, f.ip);
            if (proto == FF50_IPPROTO_UDP) {
                ff50_put_be16(f.b + f.l4 + 4, f.len - f.l4);
            }
            o.ip_off = f.ip;
            o.l4_off = f.l4;
            if (proto == FF50_IPPROTO_SCTP) {
                uint32_t crc = 0xffffffff;

                ff50_offload_frame(f.b, f.len, &o);
                crc = f.b[f.l4 + 8] | f.b[f.l4 + 9] << 8 |
                      f.b[f.l4 + 10] << 16 |
                      (uint32_t)f.b[f.l4 + 11] << 24;
                memset(f.b + f.l4 + 8, 0, 4);
                good &= crc == (uint32_t)~ff50_crc32c(f.b + f.l4,
                                                      f.len - f.l4, ~0u);
                continue;
            }
            ff50_put_be16(f.b + f.l4 + (proto == FF50_IPPROTO_TCP ? 16 : 6),
                          ff50_csum_fold(ff50_csum_pseudo(
                              f.b + f.ip, ver, proto, f.len - f.l4)));
            ff50_offload_frame(f.b, f.len, &o);
            good &= frame_sound(f.b, f.len);
        }
    }
    CHECK(good, "checksum insertion: UDP, TCP, SCTP, IPv4 header");
}

static void test_random(void)
{
    for (unsigned r = 0; r < 200000; r++) {
        uint32_t n = rand() % 200;
        uint8_t *p = malloc(n ? n : 1);
        FF50Parsed o;

        for (uint32_t i = 0; i < n; i++) {
            p[i] = rand();
        }
        if (n > 60) {
            static const uint8_t pr[] = { 6, 17, 132, 47, 4, 41, 0, 60 };
            bool v6 = r & 1;

            ff50_put_be16(p + 12, v6 ? FF50_ETH_IP6 : FF50_ETH_IP4);
            p[14] = v6 ? 0x60 : 0x45;
            p[v6 ? 20 : 23] = pr[r / 2 % 8];
            if (!v6) {
                p[20] = p[21] = 0;
                ff50_put_be16(p + 16, n - 14);
                ff50_put_be16(p + 36, r & 2 ? 4789 : 6081);
            } else {
                ff50_put_be16(p + 18, n - 54);
            }
        }
        ff50_parse(&cfg, p, n, r & 4 ? FF50_PARSE_NOLEN : 0, &o);
        MUST(o.ip.end <= n && o.l2_len <= n, "random frame: bounds");
        if (o.ip.ver) {
            uint32_t h = ff50_l4_hdr_len(p, n, &o.ip);

            MUST(o.ip.off + o.ip.hlen + h <= n, "random frame: L4 bounds");
        }
        free(p);
    }
    CHECK(true, "random frames parsed within bounds");
}

int main(void)
{
    srand(1);
    test_csum();
    test_rss();
    test_fdir();
    test_parse_plain();
    test_parse_l2();
    test_parse_frag();
    test_parse_tunnel();
    test_seg();
    test_insert();
    test_random();
    printf("1..%u\n", n_tests);
    return n_failed ? 1 : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frame parser of the FF50xx model.
 *
 * Every length comes from the frame, so each step checks that the bytes it
 * reads are there; what cannot be parsed is reported as the layer below.
 */
#include "qemu/osdep.h"
#include "ff50xx_bytes.h"
#include "ff50xx_parse.h"

#define MAX_EXT_HDRS    8

/* Return the first entry of the TPID table that equals @tpid, or -1. */
int ff50_tpid_index(const FF50ParseCfg *cfg, uint16_t tpid)
{
    if (!tpid) {
        return -1;
    }
    for (unsigned i = 0; i < FF50_TPIDS; i++) {
        if (cfg->tpid[i] == tpid) {
            return i;
        }
    }
    return -1;
}

static uint8_t l4_kind(uint8_t proto, uint32_t avail)
{
    switch (proto) {
    case FF50_IPPROTO_TCP:
        return avail >= 20 ? FF50_L4_TCP : FF50_L4_OTHER;
    case FF50_IPPROTO_UDP:
        return avail >= 8 ? FF50_L4_UDP : FF50_L4_OTHER;
    case FF50_IPPROTO_SCTP:
        return avail >= 12 ? FF50_L4_SCTP : FF50_L4_OTHER;
    default:
        return FF50_L4_OTHER;
    }
}

static bool parse_ip4(const uint8_t *p, uint32_t len, uint32_t off,
                      unsigned flags, FF50Ip *ip)
{
    uint32_t hlen, tot;

    if (len - off < 20 || p[off] >> 4 != 4) {
        return false;
    }
    hlen = (p[off] & 15) * 4;
    if (hlen < 20 || len - off < hlen) {
        return false;
    }
    tot = ff50_be16(p + off + 2);
    ip->ver = 4;
    ip->off = off;
    ip->hlen = hlen;
    ip->proto = p[off + 9];
    ip->rthdr = hlen > 20;
    ip->end = len;
    if (!(flags & FF50_PARSE_NOLEN)) {
        if (tot < hlen || tot > len - off) {
            ip->trunc = true;
        } else {
            ip->end = off + tot;
        }
    }
    if (ff50_be16(p + off + 6) & 0x3fff) {
        ip->l4 = FF50_L4_FRAG;
    } else {
        ip->l4 = l4_kind(ip->proto, ip->end - off - hlen);
    }
    return true;
}

static bool parse_ip6(const uint8_t *p, uint32_t len, uint32_t off,
                      unsigned flags, FF50Ip *ip)
{
    uint32_t pos = off + 40, plen;
    bool frag = false, unknown = false;
    uint8_t next;

    if (len - off < 40 || p[off] >> 4 != 6) {
        return false;
    }
    plen = ff50_be16(p + off + 4);
    ip->ver = 6;
    ip->off = off;
    ip->end = len;
    if (!(flags & FF50_PARSE_NOLEN)) {
        /* 0 means a jumbogram unless nothing at all follows. */
        if (plen > len - off - 40 || (!plen && p[off + 6] != 59)) {
            ip->trunc = true;
        } else {
            ip->end = pos + plen;
        }
    }
    next = p[off + 6];
    for (unsigned n = 0; ; n++) {
        uint32_t ext;

        if (next != 0 && next != 43 && next != 44 && next != 60) {
            break;
        }
        if (n == MAX_EXT_HDRS || ip->end - pos < 8) {
            unknown = true;
            break;
        }
        ext = next == 44 ? 8 : 8 + p[pos + 1] * 8u;
        if (ip->end - pos < ext) {
            unknown = true;
            break;
        }
        if (next == 44) {
            frag = true;
        } else if (next == 60) {
            ip->dstopt = true;
        } else if (next == 43) {
            ip->rthdr = true;
        }
        next = p[pos];
        pos += ext;
        if (frag) {
            break;          /* what follows may be a later piece */
        }
    }
    ip->hlen = pos - off;
    ip->proto = next;
    if (frag) {
        ip->l4 = FF50_L4_FRAG;
    } else if (unknown) {
        ip->l4 = FF50_L4_OTHER;
    } else {
        ip->l4 = l4_kind(next, ip->end - pos);
    }
    return true;
}

/**
 * ff50_parse_ip() - parse one IP header and its extension headers
 * @p: the frame
 * @len: bytes of the frame
 * @off: where the IP header should begin
 * @flags: FF50_PARSE_*
 * @ip: result; cleared first
 *
 * Return: false when there is no sound IPv4 or IPv6 header at @off.
 */
bool ff50_parse_ip(const uint8_t *p, uint32_t len, uint32_t off,
                   unsigned flags, FF50Ip *ip)
{
    memset(ip, 0, sizeof(*ip));
    if (off >= len || off > 0x8000) {
        return false;
    }
    return p[off] >> 4 == 4 ? parse_ip4(p, len, off, flags, ip)
                            : parse_ip6(p, len, off, flags, ip);
}

/**
 * ff50_l4_hdr_len() - length of the transport header
 * @p: the frame
 * @len: bytes of the frame
 * @ip: the parsed IP header in front
 *
 * Return: bytes, 0 when there is none or its length field is not sound.
 */
uint32_t ff50_l4_hdr_len(const uint8_t *p, uint32_t len, const FF50Ip *ip)
{
    uint32_t off = ip->off + ip->hlen, n;

    switch (ip->l4) {
    case FF50_L4_UDP:
        return 8;
    case FF50_L4_SCTP:
        return 12;
    case FF50_L4_TCP:
        n = (p[off + 12] >> 4) * 4;
        return n >= 20 && n <= ip->end - off && ip->end <= len ? n : 0;
    default:
        return 0;
    }
}

static uint8_t l2_ptype(uint16_t etype)
{
    switch (etype) {
    case FF50_ETH_PTP:
        return FF50_PT_TIMESYNC;
    case 0x8914:
        return FF50_PT_FIP;
    case 0x88cc:
        return FF50_PT_LLDP;
    case 0x22e7:
        return FF50_PT_CNM;
    case 0x888e:
        return FF50_PT_EAPOL;
    case 0x0806:
        return FF50_PT_ARP;
    default:
        return FF50_PT_MAC;
    }
}

/* Where a tunnel's payload begins and what it is. */
typedef struct Inner {
    uint32_t off;
    uint16_t etype;         /* FF50_ETH_TEB: a MAC header comes first */
} Inner;

static bool gre_inner(const uint8_t *p, uint32_t off, uint32_t end, Inner *in)
{
    uint16_t flags;
    uint32_t hlen = 4;

    if (end - off < 4) {
        return false;
    }
    flags = ff50_be16(p + off);
    if (flags & 0x4007) {   /* source routing, or a version other than 0 */
        return false;
    }
    hlen += flags & 0x8000 ? 4 : 0;
    hlen += flags & 0x2000 ? 4 : 0;
    hlen += flags & 0x1000 ? 4 : 0;
    if (end - off < hlen) {
        return false;
    }
    in->off = off + hlen;
    in->etype = ff50_be16(p + off + 2);
    return true;
}

static bool gpe_inner(const uint8_t *p, uint32_t off, uint32_t end, Inner *in)
{
    if (end - off < 8) {
        return false;
    }
    in->off = off + 8;
    switch (p[off] & 0x04 ? p[off + 3] : 3) {
    case 1:
        in->etype = FF50_ETH_IP4;
        break;
    case 2:
        in->etype = FF50_ETH_IP6;
        break;
    case 3:
        in->etype = FF50_ETH_TEB;
        break;
    default:
        in->etype = 0;
    }
    return true;
}

static bool geneve_inner(const uint8_t *p, uint32_t off, uint32_t end,
                         Inner *in)
{
    uint32_t hlen;

    if (end - off < 8 || p[off] >> 6) {
        return false;
    }
    hlen = 8 + (p[off] & 0x3f) * 4;
    if (end - off < hlen) {
        return false;
    }
    in->off = off + hlen;
    in->etype = ff50_be16(p + off + 2);
    return true;
}

static bool teredo_inner(const uint8_t *p, uint32_t off, uint32_t end,
                         Inner *in)
{
    /* An authentication and an origin indication may come first. */
    if (end - off >= 4 && ff50_be16(p + off) == 0x0001) {
        off += 13 + p[off + 2] + p[off + 3];
    }
    if (off <= end && end - off >= 8 && ff50_be16(p + off) == 0x0000) {
        off += 8;
    }
    if (off >= end || p[off] >> 4 != 6) {
        return false;
    }
    in->off = off;
    in->etype = FF50_ETH_IP6;
    return true;
}

static bool udp_inner(const FF50ParseCfg *cfg, const uint8_t *p, uint32_t off,
                      uint32_t end, Inner *in)
{
    uint16_t port = ff50_be16(p + off + 2);

    if (!port) {
        return false;
    }
    off += 8;
    if (port == cfg->vxlan) {
        in->off = off + 8;
        in->etype = FF50_ETH_TEB;
        return end - off >= 8;
    }
    if (port == cfg->vxlan_gpe) {
        return gpe_inner(p, off, end, in);
    }
    if (port == cfg->geneve) {
        return geneve_inner(p, off, end, in);
    }
    if (port == cfg->teredo) {
        return teredo_inner(p, off, end, in);
    }
    return false;
}

/* Set the tunnel fields of @o; false leaves the outer packet as it is. */
static bool parse_tunnel(const FF50ParseCfg *cfg, const uint8_t *p,
                         unsigned flags, FF50Parsed *o)
{
    FF50Ip outer = o->ip;
    uint32_t off = outer.off + outer.hlen, end = outer.end;
    Inner in = { 0 };
    uint8_t kind;

    if (outer.l4 == FF50_L4_UDP) {
        if (!udp_inner(cfg, p, off, end, &in)) {
            return false;
        }
    } else if (outer.l4 != FF50_L4_OTHER) {
        return false;
    } else if (outer.proto == FF50_IPPROTO_GRE) {
        if (!gre_inner(p, off, end, &in)) {
            return false;
        }
    } else if (outer.proto == FF50_IPPROTO_IPIP ||
               outer.proto == FF50_IPPROTO_IPV6) {
        FF50Ip ip;

        if (!ff50_parse_ip(p, end, off, flags, &ip) ||
            (ip.ver == 4) != (outer.proto == FF50_IPPROTO_IPIP)) {
            return false;
        }
        o->ip = ip;
        kind = FF50_TUN_IPIP;
        goto found;
    } else {
        return false;
    }

    kind = FF50_TUN_IG;
    if (in.etype == FF50_ETH_TEB) {
        int tags = 0;

        if (in.off > end || end - in.off < 14) {
            return false;
        }
        o->in_l2_off = in.off;
        in.etype = ff50_be16(p + in.off + 12);
        in.off += 14;
        while (tags < FF50_MAX_TAGS && end - in.off >= 4 &&
               ff50_tpid_index(cfg, in.etype) >= 0) {
            in.etype = ff50_be16(p + in.off + 2);
            in.off += 4;
            tags++;
        }
        kind = tags ? FF50_TUN_IGMV : FF50_TUN_IGM;
    }
    if (in.etype != FF50_ETH_IP4 && in.etype != FF50_ETH_IP6) {
        memset(&o->ip, 0, sizeof(o->ip));
    } else if (!ff50_parse_ip(p, end, in.off, flags, &o->ip) ||
               (o->ip.ver == 4) != (in.etype == FF50_ETH_IP4)) {
        memset(&o->ip, 0, sizeof(o->ip));
    }
found:
    o->outer = outer;
    o->tunnel = true;
    o->tun_kind = kind;
    o->tun_off = off;
    o->ptype = FF50_PT_TUNNEL | kind << 4 | o->ip.l4;
    if (outer.ver == 6) {
        o->ptype |= FF50_PT_OUTER6;
    }
    if (o->ip.ver == 6) {
        o->ptype |= FF50_PT_IPV6;
    }
    return true;
}

/**
 * ff50_parse() - parse a frame
 * @cfg: TPID table and tunnel ports
 * @p: the frame, without FCS
 * @len: bytes
 * @flags: FF50_PARSE_*
 * @o: result
 *
 * The type code of an ethertype filter (0x18 to 0x1f) is not set here.
 */
void ff50_parse(const FF50ParseCfg *cfg, const uint8_t *p, uint32_t len,
                unsigned flags, FF50Parsed *o)
{
    uint32_t off = 14;

    memset(o, 0, sizeof(*o));
    o->ptype = FF50_PT_MAC;
    o->l2_len = len < 14 ? len : 14;
    if (len < 14) {
        return;
    }
    o->etype = ff50_be16(p + 12);
    while (o->ntags < FF50_MAX_TAGS && len - off >= 4) {
        int idx = ff50_tpid_index(cfg, o->etype);

        if (idx < 0) {
            break;
        }
        o->tag[o->ntags++] = (FF50Tag) {
            .off = off - 2, .tci = ff50_be16(p + off), .idx = idx,
        };
        o->etype = ff50_be16(p + off + 2);
        off += 4;
    }
    o->l2_len = off;

    if ((o->etype == FF50_ETH_IP4 || o->etype == FF50_ETH_IP6) &&
        ff50_parse_ip(p, len, off, flags, &o->ip) &&
        (o->ip.ver == 4) == (o->etype == FF50_ETH_IP4)) {
        o->ptype = FF50_PT_IP | o->ip.l4;
        if (o->ip.ver == 6) {
            o->ptype |= FF50_PT_IPV6;
        }
        parse_tunnel(cfg, p, flags, o);
        return;
    }
    memset(&o->ip, 0, sizeof(o->ip));
    o->ptype = l2_ptype(o->etype);
}

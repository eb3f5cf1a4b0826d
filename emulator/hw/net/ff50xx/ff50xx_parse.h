/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frame parser of the FF50xx model: headers, tunnels, packet type code.
 */
#ifndef HW_NET_FF50XX_PARSE_H
#define HW_NET_FF50XX_PARSE_H

#define FF50_TPIDS      8
#define FF50_MAX_TAGS   3

/* Layer 4 kind; the values are bits 2:0 of the packet type code. */
enum {
    FF50_L4_NONE = 0,
    FF50_L4_FRAG = 1,
    FF50_L4_OTHER = 2,
    FF50_L4_UDP = 3,
    FF50_L4_TCP = 4,
    FF50_L4_SCTP = 5,
};

/* Tunnel kind; the values are bits 5:4 of a tunnel's packet type code. */
enum {
    FF50_TUN_IPIP = 0,
    FF50_TUN_IG = 1,        /* GRE or UDP tunnel, no inner MAC header */
    FF50_TUN_IGM = 2,       /* inner MAC header */
    FF50_TUN_IGMV = 3,      /* inner MAC header with a VLAN tag */
};

#define FF50_PT_TUNNEL      0x80
#define FF50_PT_OUTER6      0x40
#define FF50_PT_KIND(pt)    ((pt) >> 4 & 3)
#define FF50_PT_IPV6        0x08
#define FF50_PT_L4(pt)      ((pt) & 7)
#define FF50_PT_MAC         0x11
#define FF50_PT_TIMESYNC    0x12
#define FF50_PT_FIP         0x13
#define FF50_PT_LLDP        0x14
#define FF50_PT_CNM         0x15
#define FF50_PT_EAPOL       0x16
#define FF50_PT_ARP         0x17
#define FF50_PT_ETYPE0      0x18
#define FF50_PT_IP          0x20

#define FF50_ETH_IP4        0x0800
#define FF50_ETH_IP6        0x86dd
#define FF50_ETH_TEB        0x6558
#define FF50_ETH_PTP        0x88f7

#define FF50_IPPROTO_IPIP   4
#define FF50_IPPROTO_TCP    6
#define FF50_IPPROTO_UDP    17
#define FF50_IPPROTO_IPV6   41
#define FF50_IPPROTO_GRE    47
#define FF50_IPPROTO_SCTP   132

/* What the port's registers tell the parser; a UDP port of 0 is "none". */
typedef struct FF50ParseCfg {
    uint16_t tpid[FF50_TPIDS];
    uint16_t vxlan;
    uint16_t vxlan_gpe;
    uint16_t geneve;
    uint16_t teredo;
} FF50ParseCfg;

/* One IP header with its extension headers. */
typedef struct FF50Ip {
    uint8_t ver;            /* 4, 6; 0 = none */
    uint8_t l4;             /* FF50_L4_* */
    uint8_t proto;          /* protocol after the last header walked */
    bool dstopt;            /* IPv6 destination options present */
    bool rthdr;             /* routing header or options: see below */
    bool trunc;             /* the length field does not fit the frame */
    uint16_t off;           /* start of the IP header in the frame */
    uint16_t hlen;          /* bytes, with extension headers */
    uint32_t end;           /* first byte after the IP packet */
} FF50Ip;

/*
 * rthdr: the final destination may stand in an option or a routing header
 * instead of the header proper, so pseudo headers cannot be judged.
 */

typedef struct FF50Tag {
    uint16_t off;           /* of the TPID */
    uint16_t tci;
    uint8_t idx;            /* first equal entry of the TPID table */
} FF50Tag;

typedef struct FF50Parsed {
    uint8_t ptype;
    uint8_t ntags;
    bool tunnel;
    uint8_t tun_kind;       /* FF50_TUN_*, valid with tunnel */
    uint16_t etype;         /* ethertype after the recognised tags */
    uint16_t l2_len;        /* bytes to the (outer) network header */
    uint16_t tun_off;       /* tunnel header: after the outer IP header */
    uint16_t in_l2_off;     /* inner MAC header, kinds IGM and IGMV */
    FF50Tag tag[FF50_MAX_TAGS];
    FF50Ip outer;           /* only with tunnel */
    FF50Ip ip;              /* inner-most; the only one without tunnel */
} FF50Parsed;

/* IP length fields are placeholders: the packet ends with the frame. */
#define FF50_PARSE_NOLEN    1u

int ff50_tpid_index(const FF50ParseCfg *cfg, uint16_t tpid);
bool ff50_parse_ip(const uint8_t *p, uint32_t len, uint32_t off,
                   unsigned flags, FF50Ip *ip);
void ff50_parse(const FF50ParseCfg *cfg, const uint8_t *p, uint32_t len,
                unsigned flags, FF50Parsed *o);
uint32_t ff50_l4_hdr_len(const uint8_t *p, uint32_t len, const FF50Ip *ip);

#endif

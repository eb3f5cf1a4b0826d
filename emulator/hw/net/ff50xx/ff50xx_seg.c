/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segmentation (TCP, UDP; plain and in tunnels) and checksum insertion of the
 * FF50xx model.  The caller has checked that all header offsets lie within
 * the frame; software GSO of Linux is the oracle of the tests.
 */
#include "qemu/osdep.h"
#include "ff50xx_bytes.h"
#include "ff50xx_csum.h"
#include "ff50xx_seg.h"

#define TCP_FIN     0x01
#define TCP_PSH     0x08
#define TCP_CWR     0x80

static void ip4_csum(uint8_t *ip)
{
    ff50_put_be16(ip + 10, 0);
    ff50_put_be16(ip + 10, ~ff50_csum(ip, (ip[0] & 15) * 4, 0));
}

/*
 * Insert the transport checksum.  The field holds the sum of the pseudo
 * header, so it simply takes part in the sum from here to the frame's end.
 */
static void l4_csum(uint8_t *p, uint32_t len, const FF50Offload *o)
{
    uint8_t *l4 = p + o->l4_off;
    uint32_t n = len - o->l4_off, crc;
    uint16_t sum;

    switch (o->l4) {
    case FF50_L4_TCP:
        ff50_put_be16(l4 + 16, ~ff50_csum(l4, n, 0));
        break;
    case FF50_L4_UDP:
        sum = ~ff50_csum(l4, n, 0);
        ff50_put_be16(l4 + 6, sum ? sum : 0xffff);
        break;
    case FF50_L4_SCTP:
        crc = ff50_sctp_csum(l4, n);
        l4[8] = crc;
        l4[9] = crc >> 8;
        l4[10] = crc >> 16;
        l4[11] = crc >> 24;
        break;
    }
}

/**
 * ff50_offload_frame() - insert the checksums asked for into one frame
 * @p: frame; changed in place
 * @len: bytes
 * @o: header positions and requests; mss is ignored
 */
void ff50_offload_frame(uint8_t *p, uint32_t len, const FF50Offload *o)
{
    if (o->l4cs) {
        l4_csum(p, len, o);
    }
    if (o->iipcs && o->ver == 4) {
        ip4_csum(p + o->ip_off);
    }
    if (o->eipcs && o->outer_ver == 4) {
        ip4_csum(p + o->outer_off);
    }
}

/**
 * ff50_seg_init() - start segmenting a packet
 * @s: iterator
 * @frame: the packet; must stay in place and unchanged
 * @len: bytes
 * @o: header positions; mss must not be 0
 *
 * Return: false if there is no payload or the headers do not fit.
 */
bool ff50_seg_init(FF50Seg *s, const uint8_t *frame, uint32_t len,
                   const FF50Offload *o)
{
    if (!o->mss || o->hdr_len >= len || o->l4_off >= o->hdr_len) {
        return false;
    }
    *s = (FF50Seg) {
        .frame = frame, .o = *o, .len = len, .pos = o->hdr_len,
    };
    return true;
}

static void fix_ip(uint8_t *p, uint32_t off, unsigned ver, uint32_t end,
                   uint32_t n, bool csum)
{
    uint8_t *ip = p + off;

    if (ver == 4) {
        ff50_put_be16(ip + 2, end - off);
        ff50_put_be16(ip + 4, ff50_be16(ip + 4) + n);
        if (csum) {
            ip4_csum(ip);
        }
    } else {
        ff50_put_be16(ip + 4, end - off - 40);
    }
}

/**
 * ff50_seg_next() - build the next segment
 * @s: iterator; must not be done
 * @out: buffer for the segment
 * @size: its size
 *
 * Return: bytes written, 0 if the segment does not fit.
 */
uint32_t ff50_seg_next(FF50Seg *s, uint8_t *out, uint32_t size)
{
    const FF50Offload *o = &s->o;
    uint32_t left = s->len - s->pos;
    uint32_t n = left < o->mss ? left : o->mss;
    uint32_t len = o->hdr_len + n;
    bool last = n == left;
    uint8_t *l4;

    if (len > size) {
        return 0;
    }
    memcpy(out, s->frame, o->hdr_len);
    memcpy(out + o->hdr_len, s->frame + s->pos, n);
    l4 = out + o->l4_off;

    if (o->l4 == FF50_L4_TCP) {
        ff50_put_be32(l4 + 4, ff50_be32(l4 + 4) + (s->pos - o->hdr_len));
        if (!last) {
            l4[13] &= ~(TCP_FIN | TCP_PSH);
        }
        if (s->count) {
            l4[13] &= ~TCP_CWR;
        }
    } else {
        ff50_put_be16(l4 + 4, len - o->l4_off);
    }
    fix_ip(out, o->ip_off, o->ver, len, s->count, o->iipcs);

    /* Seeded without a length; put the segment's pseudo header in instead. */
    if (o->l4cs) {
        uint8_t *field = l4 + (o->l4 == FF50_L4_TCP ? 16 : 6);
        uint32_t l4len = len - o->l4_off;

        ff50_put_be16(field,
                      ff50_csum_fold((uint64_t)ff50_be16(field) + l4len));
        l4_csum(out, len, o);
    }
    if (o->outer_ver) {
        if (o->outer_udp) {
            ff50_put_be16(out + o->outer_l4_off + 4, len - o->outer_l4_off);
        }
        fix_ip(out, o->outer_off, o->outer_ver, len, s->count, o->eipcs);
    }
    s->pos += n;
    s->count++;
    return len;
}

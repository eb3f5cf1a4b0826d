/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segmentation and checksum insertion of the FF50xx model.
 */
#ifndef HW_NET_FF50XX_SEG_H
#define HW_NET_FF50XX_SEG_H

#include "ff50xx_parse.h"

/* Where the headers of a packet are and what is to be filled in. */
typedef struct FF50Offload {
    uint32_t outer_off;     /* outer IP header, tunnels only */
    uint32_t outer_l4_off;  /* behind the outer IP header */
    uint32_t ip_off;        /* (inner) IP header */
    uint32_t l4_off;
    uint32_t hdr_len;       /* all headers up to the (inner) payload */
    uint8_t outer_ver;      /* 0 = no tunnel */
    uint8_t ver;            /* 4, 6; 0 = no IP */
    uint8_t l4;             /* FF50_L4_UDP, _TCP, _SCTP */
    bool outer_udp;         /* the outer header carries UDP */
    bool l4cs;
    bool iipcs;
    bool eipcs;
    uint16_t mss;           /* 0 = no segmentation */
} FF50Offload;

typedef struct FF50Seg {
    const uint8_t *frame;
    FF50Offload o;
    uint32_t len;           /* bytes of the whole packet */
    uint32_t pos;           /* next payload byte */
    uint32_t count;         /* segments made so far */
} FF50Seg;

void ff50_offload_frame(uint8_t *p, uint32_t len, const FF50Offload *o);
bool ff50_seg_init(FF50Seg *s, const uint8_t *frame, uint32_t len,
                   const FF50Offload *o);
static inline bool ff50_seg_done(const FF50Seg *s)
{
    return s->pos >= s->len;
}
uint32_t ff50_seg_next(FF50Seg *s, uint8_t *out, uint32_t size);

#endif

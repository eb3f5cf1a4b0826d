/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private state of the FF50xx data path and the calls between its files.
 */
#ifndef HW_NET_FF50XX_DP_H
#define HW_NET_FF50XX_DP_H

#include "qemu/units.h"
#include "ff50xx_bytes.h"
#include "ff50xx_core.h"
#include "ff50xx_csum.h"
#include "ff50xx_parse.h"
#include "ff50xx_seg.h"

#define FF50_DESC_LEN           16
#define FF50_RING_MAX           8192
#define FF50_MIN_FRAME          60      /* without FCS */
#define FF50_TX_MIN_BYTES       17      /* shortest software may hand over */
#define FF50_TX_MAX_BYTES       (256 * KiB)
#define FF50_TX_MAX_DESCS       256     /* data descriptors of one packet */
#define FF50_TX_MAX_DTALEN      0x4000
#define FF50_TX_WINDOW          64      /* descriptors fetched at a time */
#define FF50_RX_WINDOW          32
#define FF50_TX_HEADROOM        8       /* for an inserted tag */
#define FF50_VLAN_TAG           4

/* Both rings: bits 6:1 are the size in units of 128, 0 means 8192. */
static inline unsigned ff50_ring_size(uint32_t cfg)
{
    unsigned n = cfg >> 1 & 0x3f;

    return n ? n * 128 : FF50_RING_MAX;
}

typedef struct FF50Desc {
    uint32_t d[4];                      /* host order */
} FF50Desc;

/* Transmit context, decoded. */
typedef struct FF50TxCtx {
    bool set;
    uint8_t ptype;
    uint8_t tpid_sel;
    bool gre;
    uint16_t vlan;
    uint16_t mss;
    uint16_t iplen;                     /* bytes */
    uint16_t maclen;
    uint16_t outer_iplen;               /* bytes, 0 = no tunnel */
    uint16_t tunnel_len;                /* bytes */
    uint16_t l4len;
} FF50TxCtx;

typedef struct FF50TxRing {
    FF50TxCtx ctx[2];
    bool dead;                          /* enabled with an unusable set-up */
    bool wb_due;                        /* progress that is not reported */
    bool wb_queued;                     /* the fault code holds a report */
    uint16_t wb_from;                   /* DD mode: first one not reported */
    int64_t rl_next_ns;                 /* rate limit: nothing before this */
    unsigned long *eop;                 /* DD mode: EOP slots to be marked */
} FF50TxRing;

/* The packet that is on its way to the wire. */
typedef struct FF50TxJob {
    bool active;
    bool tso;
    bool tstamp;
    uint8_t q;
    uint16_t eop;                       /* slot of the last descriptor */
    uint16_t next;                      /* RP when it is done */
    uint8_t *frame;
    uint32_t len;
    uint32_t seg_len;                   /* a segment built and not yet taken */
    FF50Seg seg;
} FF50TxJob;

typedef struct FF50RxRing {
    bool dead;
    bool starved;                       /* a frame is held for this ring */
    int32_t bad_slot;                   /* last slot reported without buffer */
    uint16_t win_first, win_n;
    uint16_t reserved;                  /* promised to open aggregates */
    uint64_t win[FF50_RX_WINDOW][2];
    GArray *held;                       /* write-back fault: FF50Desc */
    uint16_t held_first;
    bool wb_queued;
} FF50RxRing;

/* Delayed write-back report (fault-wb). */
typedef struct FF50Wb {
    int64_t due;
    uint16_t upto;
    uint8_t q;
    bool tx;
    bool dead;
} FF50Wb;

#define FF50_WB_SLOTS   1024

/* What the descriptor says of a received packet, computed once. */
typedef struct FF50RxMeta {
    uint32_t hash;
    uint32_t status;                    /* dword 2 without DD, EOP */
    uint16_t tci;
    uint8_t rss_type;
    uint8_t ptype;
    uint8_t tpid_idx;
    bool hbo;
    bool mcast;
    uint16_t hdr_len;                   /* split point, 0 = none */
} FF50RxMeta;

/* Dword 2 of the write-back format. */
#define RXD_DD              (1u << 0)
#define RXD_EOP             (1u << 1)
#define RXD_NEXTP_SHIFT     4
#define RXD_CLASS_SHIFT     2
#define  RXD_CLASS_FDIR     1u
#define  RXD_CLASS_SYN      2u
#define  RXD_CLASS_5T       3u
#define  RXD_CLASS_ETYPE    4u
#define RXD_VP              (1u << 5)
#define RXD_L4CS            (1u << 7)
#define RXD_IPCS            (1u << 8)
#define RXD_PIF             (1u << 9)
#define RXD_OUTERIPCS       (1u << 10)
#define RXD_VEXT            (1u << 11)
#define RXD_IPV6EX          (1u << 12)
#define RXD_TS              (1u << 14)
#define RXD_HBO             (1u << 23)
#define RXD_OUTERIPER       (1u << 26)
#define RXD_RXE             (1u << 29)
#define RXD_TCPE            (1u << 30)
#define RXD_IPE             (1u << 31)

#define FF50_MAX_POOLS      64

/* Result of the address and VLAN filters. */
typedef struct FF50Accept {
    uint64_t pools;                     /* bit p: deliver to pool p */
    bool inexact;                       /* only by a hash table */
} FF50Accept;

/* Where one copy of a frame goes. */
typedef struct FF50Route {
    uint8_t q;
    uint8_t cls;                        /* RXD_CLASS_* or 0 */
    uint8_t rss_type;
    uint8_t ptype;
    bool drop;
    bool fdir_looked;                   /* counts as match or miss */
    bool fdir_match;
    uint32_t hash;
} FF50Route;

typedef struct FF50FdirKey {
    uint32_t src[4], dst[4];            /* most significant word first */
    uint16_t sport, dport;
    uint16_t flex;
    uint8_t ptype;
    uint8_t l4;                         /* 1 UDP, 2 TCP, 3 SCTP, 0 other */
    uint8_t pool;
    bool v6;
    bool tunnel;
} FF50FdirKey;

typedef struct FF50FdirEntry {
    FF50FdirKey k;                      /* perfect mode: masked */
    uint16_t bucket;
    uint16_t id;                        /* signature or software index */
    uint32_t cmd;
    int32_t next;                       /* in the bucket, or free list */
    bool used;
} FF50FdirEntry;

typedef struct FF50Fdir {
    bool ready;                         /* FDIR_CTL written since reset */
    bool perfect;
    uint32_t n, max;
    uint32_t n_any;                     /* perfect entries without L4 type */
    int32_t free;
    GArray *entry;                      /* FF50FdirEntry */
    int32_t *head;                      /* per reduced bucket */
} FF50Fdir;

typedef struct FF50FdirHit {
    bool match, drop, queue_en;
    bool report;                        /* dword 1 is hash and id, not RSS */
    uint8_t q;
    uint32_t word;
} FF50FdirHit;

#define FF50_RSC_FLOWS      16
#define FF50_RSC_MAX_BUFS   16
#define FF50_RSC_MAX_BYTES  65535
#define FF50_RSC_MAX_CNT    14          /* segments beginning in a buffer */

typedef struct FF50RscFlow {
    bool used;
    uint8_t q;
    uint16_t ip_off, l4_off, hdr_len;
    uint32_t len, nseg, seg_payload, next_seq;
    uint32_t bufs;                      /* descriptors reserved */
    int64_t due;
    uint8_t starts[FF50_RSC_MAX_BUFS];
    FF50RxMeta meta;
    uint8_t *buf;
} FF50RscFlow;

typedef struct FF50Rsc {
    FF50RscFlow flow[FF50_RSC_FLOWS];
    unsigned open;
    QEMUTimer *timer;
} FF50Rsc;

struct FF50Dp {
    FF50State *s;

    /* transmit */
    FF50TxRing tx[FF50_NR_QUEUES];
    unsigned long tx_pending[BITS_TO_LONGS(FF50_NR_QUEUES)];
    unsigned long tx_limited[BITS_TO_LONGS(FF50_NR_QUEUES)];
    QEMUTimer *rl_timer;                /* the first of those may go on */
    unsigned tx_next;                   /* round robin */
    bool tx_running;
    FF50TxJob job;
    uint8_t *tx_buf;
    uint8_t *seg_buf;
    QEMUTimer *tx_timer;                /* goes on after a full burst */
    unsigned win_q, win_first, win_n;   /* descriptor window */
    FF50Desc win[FF50_TX_WINDOW];
    FF50Desc pkt[FF50_TX_MAX_DESCS];

    /* receive */
    FF50RxRing rx[FF50_NR_QUEUES];
    unsigned n_starved;
    uint8_t *rx_buf;
    FF50Toeplitz rss;
    uint8_t rss_key[FF50_RSS_KEY_LEN];
    bool rss_valid;
    FF50Fdir fdir;
    FF50Rsc rsc;

    /* write-back fault */
    FF50Wb wb[FF50_WB_SLOTS];
    unsigned wb_head, wb_n;
    QEMUTimer *wb_timer;
};

static inline uint64_t ff50_ring_base(const FF50State *s, uint32_t bal)
{
    return ff50_rd(s, bal) | (uint64_t)ff50_rd(s, bal + 4) << 32;
}

/* CFG_PORT_CTL 13:12: queues per pool, 0 while there are no pools. */
static inline unsigned ff50_pool_queues(const FF50State *s)
{
    static const uint8_t qpp[4] = { 0, 8, 4, 2 };

    return qpp[ff50_rd(s, CFG_PORT_CTL) >> 12 & 3];
}

/* ff50xx_dp.c */
void ff50_dp_parse_cfg(const FF50State *s, FF50ParseCfg *cfg);
void ff50_dp_report(FF50State *s, bool tx, unsigned q, unsigned upto);
void ff50_dp_report_cancel(FF50State *s, bool tx, unsigned q);

/* ff50xx_tx.c */
void ff50_tx_init(FF50State *s);
void ff50_tx_fini(FF50State *s);
void ff50_tx_reset(FF50State *s);
void ff50_tx_reg_written(FF50State *s, unsigned q, uint32_t reg, uint32_t old,
                         uint32_t val);
void ff50_tx_write_back(FF50State *s, unsigned q, unsigned upto);
void ff50_tx_rearm(FF50State *s);

/* ff50xx_rx.c */
void ff50_rx_init(FF50State *s);
void ff50_rx_fini(FF50State *s);
void ff50_rx_reset(FF50State *s);
void ff50_rx_reg_written(FF50State *s, unsigned q, uint32_t reg, uint32_t old,
                         uint32_t val);
void ff50_rx_gates_changed(FF50State *s);
void ff50_rx_write_back(FF50State *s, unsigned q, unsigned upto);
bool ff50_rx_ready(FF50State *s, unsigned q, unsigned n);
unsigned ff50_rx_free(const FF50State *s, unsigned q);
void ff50_rx_write(FF50State *s, unsigned q, const uint8_t *p, uint32_t len,
                   const FF50RxMeta *m, const uint8_t *rsc_starts);
uint32_t ff50_rx_buf_size(uint32_t cfg);

/* ff50xx_filter.c */
bool ff50_filter_accept(const FF50State *s, const uint8_t *p,
                        const FF50Parsed *o, FF50Accept *a);
void ff50_filter_route(FF50State *s, const uint8_t *p, uint32_t len,
                       const FF50Parsed *o, unsigned pool, FF50Route *r);

/* ff50xx_rss.c */
void ff50_rss(FF50State *s, const uint8_t *p, const FF50Parsed *o,
              unsigned pool, FF50Route *r);

/* ff50xx_fdir.c */
void ff50_fdir_init(FF50State *s);
void ff50_fdir_fini(FF50State *s);
void ff50_fdir_reset(FF50State *s);
void ff50_fdir_reg_written(FF50State *s, uint32_t off, uint32_t old,
                           uint32_t val);
bool ff50_fdir_lookup(FF50State *s, const uint8_t *p, uint32_t len,
                      const FF50Parsed *o, unsigned pool, FF50FdirHit *h);

/* ff50xx_rsc.c */
void ff50_rsc_init(FF50State *s);
void ff50_rsc_fini(FF50State *s);
void ff50_rsc_flush(FF50State *s, int q);
void ff50_rsc_discard(FF50State *s, int q);
bool ff50_rsc_take(FF50State *s, unsigned q, const uint8_t *p, uint32_t len,
                   const FF50Parsed *o, const FF50RxMeta *m, unsigned shift);

#endif

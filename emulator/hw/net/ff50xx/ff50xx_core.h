/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wangxun Amber-Lite (FF5025, FF5040, FF5010) Ethernet adapter: state of one
 * port and the interfaces between the shell (PCI, registers, interrupts,
 * firmware, link, wire, statistics, PTP) and the data path (parse, checksum,
 * transmit, receive, filters, RSS, flow director).
 *
 * Everything runs under the big QEMU lock.  Timed things use
 * QEMU_CLOCK_VIRTUAL only, so that runs under -icount are repeatable.
 */
#ifndef HW_NET_FF50XX_CORE_H
#define HW_NET_FF50XX_CORE_H

#include "qemu/osdep.h"
#include "qemu/queue.h"
#include "qemu/timer.h"
#include "hw/pci/pci_device.h"
#include "net/net.h"
#include "qom/object.h"
#include "ff50xx_hw.h"

#define TYPE_FF50XX_BASE "ff50xx-base"
OBJECT_DECLARE_TYPE(FF50State, FF50Class, FF50XX_BASE)

typedef struct FF50Card FF50Card;   /* what the functions of a card share */
typedef struct FF50Dp FF50Dp;       /* private to the data path */
typedef struct FF50Wire FF50Wire;   /* private to ff50xx_wire.c */
typedef struct FF50Link FF50Link;   /* private to ff50xx_link.c */
typedef struct FF50Fw FF50Fw;       /* private to ff50xx_fw.c */
typedef struct FF50Ptp FF50Ptp;     /* private to ff50xx_ptp.c */

typedef enum FF50Kind {
    FF50_KIND_AML,                  /* FF5025, FF5010: SFP cage */
    FF50_KIND_AML40,                /* FF5040: QSFP cage */
} FF50Kind;

struct FF50Class {
    PCIDeviceClass parent_class;
    FF50Kind kind;
    uint16_t device_id;
    uint32_t default_speed;         /* Mbit/s */
    const char *default_module;
};

/* Violations: what the guest did against the register reference. */
typedef enum FF50Vio {
    FF50_VIO_UNNAMED,               /* unnamed-offset */
    FF50_VIO_RESERVED,              /* reserved-bit */
    FF50_VIO_RO_WRITE,              /* read-only-write */
    FF50_VIO_WO_READ,               /* write-only-read */
    FF50_VIO_SIZE,                  /* size */
    FF50_VIO_INDEX,                 /* index-range */
    FF50_VIO_DESC_FIELD,            /* desc-field */
    FF50_VIO_DESC_SEQ,              /* desc-sequence */
    FF50_VIO_RING_STATE,            /* ring-state */
    FF50_VIO_DMA_GATE,              /* dma-gate */
    FF50_VIO_FW_REQUEST,            /* fw-request */
    FF50_VIO_RESET_ORDER,           /* reset-order */
    FF50_VIO_DMA_FAULT,             /* dma-fault */
    FF50_VIO__MAX
} FF50Vio;

typedef enum FF50Dma {
    FF50_DMA_DESC,                  /* descriptors, both directions */
    FF50_DMA_DATA,                  /* packet bytes */
    FF50_DMA_HEAD,                  /* Tx head write-back; counted as desc */
    FF50_DMA_ISB,                   /* interrupt status block */
} FF50Dma;

/* Counters of one function; see docs/emulator.md for each. */
typedef struct FF50Counters {
    uint64_t doorbell_tx, doorbell_rx;
    uint64_t mmio_read, mmio_write;             /* doorbells apart */
    uint64_t irq[FF50_NR_VECTORS], irq_total;
    uint64_t dma_rd_desc, dma_rd_desc_bytes;
    uint64_t dma_rd_data, dma_rd_data_bytes;
    uint64_t dma_wr_desc, dma_wr_desc_bytes;
    uint64_t dma_wr_data, dma_wr_data_bytes;
    uint64_t dma_wr_isb;
    uint64_t tx_frames, tx_bytes;               /* given to the wire */
    uint64_t rx_frames, rx_bytes;               /* delivered to the host */
    uint64_t rx_drop_nodesc, rx_drop_filter, rx_drop_gate;
    uint64_t sink_frames, sink_bad;
    uint64_t pause_rx_xoff, pause_rx_xon;       /* honoured */
    uint64_t pause_tx_xoff, pause_tx_xon;
    uint64_t pause_held_ns;                     /* Tx stood still for them */
    uint64_t led_changes;                       /* of CFG_LED_CTL */
    uint64_t wake;                              /* frames that may wake */
    uint64_t pme;                               /* wake-ups signalled */
} FF50Counters;

typedef enum FF50FaultFw {
    FF50_FW_NONE, FF50_FW_SILENT, FF50_FW_SLOW, FF50_FW_GARBAGE,
    FF50_FW_UNKNOWN, FF50_FW_SHORT,
} FF50FaultFw;

typedef enum FF50FaultBoot {
    FF50_BOOT_NONE,
    FF50_BOOT_FLASH,                /* loads of power, bus and SW reset */
    FF50_BOOT_LAN,                  /* the load of a LAN reset */
    FF50_BOOT_FIRMWARE,             /* firmware is not up */
    FF50_BOOT_ALL,
} FF50FaultBoot;

typedef enum FF50FaultModule {
    FF50_MODULE_NONE,
    FF50_MODULE_NAK,                /* 0xC5 and 0xC6 fail */
    FF50_MODULE_SHORT,              /* 0xC6 answers less than asked for */
} FF50FaultModule;

typedef enum FF50FaultWb {
    FF50_WB_NONE,
    FF50_WB_LATE,                   /* each write-back comes wb_us later */
    FF50_WB_BATCH,                  /* write-backs gather for wb_us */
} FF50FaultWb;

typedef struct FF50Faults {
    int fw;                         /* FF50FaultFw */
    uint32_t fw_delay_ms;
    int boot;                       /* FF50FaultBoot */
    uint32_t boot_ms;               /* 0: for good */
    int wb;                         /* FF50FaultWb: data path, Tx and Rx */
    uint32_t wb_us;
    uint32_t lost_irq;              /* every Nth message is lost */
    bool removed;
    uint32_t rx_loss;               /* wire loses every Nth frame */
    uint32_t rx_corrupt;            /* every Nth: a bit flipped, FCS bad */
    uint32_t rx_csum;               /* every Nth: a bit flipped, FCS good */
    uint32_t flap_ms;
    bool eeprom;
    bool tx_fault;                  /* the module reports a broken laser */
    int module;                     /* FF50FaultModule */
    bool tx_gate;                   /* link-up shuts the Tx path */
    bool stuck;                     /* RDB_RFCV(0) bit 0 is broken */
    bool ecc;                       /* an uncorrectable memory error */
    bool pending;
    bool tx_stall;                  /* data path: Tx rings never complete */
    int32_t tx_ring, rx_ring;       /* the same for one ring; -1: none */
    bool first_frame_lost;
} FF50Faults;

typedef struct FF50IrqTimer {
    FF50State *s;
    unsigned vector;
} FF50IrqTimer;

struct FF50State {
    PCIDevice parent_obj;

    MemoryRegion bar0;
    MemoryRegion msix_bar;

    /*
     * Register file: plain value of the dword at off is regs[off / 4].
     * Banked registers (RAR, VLAN entries) keep the value per index in the
     * tables below, counters are kept by ff50xx_stats.c.
     */
    uint32_t regs[FF50_BAR0_SIZE / 4];

    /* PSR_MAC_SWC_*: [0] AD_L, [1] AD_H, [2] VM_L, [3] VM_H */
    uint32_t rar[FF50_NR_RAR][4];
    /* PSR_VLAN_SWC*: [0] SWC, [1] VM_L, [2] VM_H */
    uint32_t vlan_swc[FF50_NR_VLAN_SWC][3];
    uint32_t rp_rate[FF50_NR_QUEUES];           /* TDM_RP_IDX / TDM_RP_RATE */
    uint32_t rl_queue[FF50_NR_QUEUES];          /* TDM_RL_QUEUE_IDX / _CFG */
    uint32_t rl_vm[64];                         /* TDM_RL_VM_IDX / _CFG */

    FF50Counters cnt;
    uint64_t violations;
    FF50Faults fault;

    FF50Kind kind;
    FF50Card *card;
    FF50Dp *dp;
    FF50Wire *wire;
    FF50Link *link;
    FF50Fw *fw;
    FF50Ptp *ptp;

    /* interrupts, ff50xx_irq.c */
    struct {
        uint64_t pend;                          /* PX_IC, vectors 0-63 */
        uint64_t mask;                          /* 1 = masked */
        uint64_t throttled;                     /* ITR interval is running */
        uint32_t misc_ic;
        uint32_t isb_tag;
        uint32_t isb_misc;                      /* MSI, INTx: not re-enabled yet */
        uint64_t msg_count;                     /* for the lost-message fault */
        bool intx;
        QEMUTimer *itr_timer[FF50_NR_VECTORS];
        FF50IrqTimer timer_arg[FF50_NR_VECTORS];
    } irq;

    /* statistics registers, ff50xx_stats.c */
    struct {
        uint64_t c[FF50_STAT__MAX];
        uint32_t shadow_h[FF50_STAT__MAX];
        uint64_t q_rx_bytes[FF50_NR_QUEUES];    /* 36 bit */
        uint64_t q_tx_bytes[FF50_NR_QUEUES];
    } stat;

    /* properties */
    NICConf nic_conf;
    NICState *nic;
    char *prop_card;
    uint8_t prop_port;
    uint16_t prop_device_id, prop_subsys_vendor, prop_subsys;
    uint8_t prop_revision;
    uint64_t prop_serial;
    char *prop_peer;
    uint32_t prop_line_rate, prop_fifo_frames, prop_fifo_bytes;
    uint32_t prop_link_up_ms;
    char *prop_module;
    bool prop_no_cable, prop_sink;
    char *prop_partner_speed;
    uint8_t prop_partner_fec;                   /* FF50_FEC_*, 0 = any */
    PCIExpLinkSpeed prop_pcie_speed;
    PCIExpLinkWidth prop_pcie_width;
    uint32_t prop_msix_vectors;
    bool prop_msi;
    uint32_t prop_eeprom_caps;                  /* UINT32_MAX: by the board */
    char *prop_vio_log, *prop_mmio_log;
    FILE *vio_log, *mmio_log;

    bool msix_ok;
    bool in_flr;
    bool was_master;                            /* PCI bus master, last seen */
    bool tx_shut;                               /* fault-tx-gate: TSC_CTL due */
    bool lan_load;                              /* a LAN reset began it */
    int64_t lan_load_ns;
    bool load_due;                              /* RAR 0 waits for the load */
    QEMUTimer *load_timer;
    int64_t led_active_ns;                      /* last frame either way */
};

/* ------------------------------------------------------------------ */
/* Provided by the shell to the data path                              */

/* Plain register value; off is a multiple of 4 below FF50_BAR0_SIZE. */
static inline uint32_t ff50_rd(const FF50State *s, uint32_t off)
{
    return s->regs[off / 4];
}

static inline void ff50_wr(FF50State *s, uint32_t off, uint32_t val)
{
    s->regs[off / 4] = val;
}

static inline int64_t ff50_now_ns(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

/* The id of -device, or a made-up one; never NULL. */
const char *ff50_id(const FF50State *s);

/*
 * Record a violation.  off: the register it concerns (for descriptors the
 * ring's PX_TR_WP or PX_RR_WP); val: the offending value.
 */
void ff50_violation(FF50State *s, FF50Vio cls, uint32_t off, uint64_t val,
                    const char *fmt, ...) G_GNUC_PRINTF(5, 6);

/*
 * True while the function may do DMA: PCI bus master on, PX_PF_BME bit 0
 * set, not removed.  Where a closed gate is legal (a frame arrives while the
 * driver stops) test this first; ff50_dma_*() with a closed gate records a
 * dma-gate violation.
 */
bool ff50_dma_ok(const FF50State *s);

/*
 * DMA with counting.  len 0 is fine and does nothing.  Return false, with a
 * violation recorded, if the gate is closed or the bus reports an error
 * (buf is then zeroed on reads).
 */
bool ff50_dma_read(FF50State *s, uint64_t addr, void *buf, uint32_t len,
                   FF50Dma kind);
bool ff50_dma_write(FF50State *s, uint64_t addr, const void *buf,
                    uint32_t len, FF50Dma kind);

/* A Tx completion or an Rx write-back of hardware ring q (0..127). */
void ff50_irq_queue(FF50State *s, bool is_tx, unsigned q);
/* Set PX_MISC_IC bits; raises the misc vector if PX_MISC_IEN allows. */
void ff50_misc_cause(FF50State *s, uint32_t bits);

/* Link as CFG_PORT_ST bit 0 shows it. */
bool ff50_link_is_up(const FF50State *s);
uint32_t ff50_link_speed(const FF50State *s);   /* Mbit/s, 0 = down */

typedef enum FF50Send {
    FF50_SEND_OK,                   /* taken */
    FF50_SEND_FULL,                 /* keep it; ff50_tx_kick() will follow */
} FF50Send;

/*
 * True if the MAC could send now: link up, MAC_TX_CFG.TE set, room on the
 * wire.  When it turns true again ff50_tx_kick() is called.
 */
bool ff50_wire_can_send(const FF50State *s);

/*
 * Hand one frame (60..16383 bytes, without FCS) to the wire.  Counts MAC
 * statistics.  Never delivers to the peer from within the call.
 * FF50_SEND_FULL may come for any frame, also in the middle of a TSO packet:
 * keep the position and go on at ff50_tx_kick().
 */
FF50Send ff50_wire_send(FF50State *s, const uint8_t *frame, uint32_t len);

/* DMA-side statistics (RDM_*, TDM_*, per queue, counters JSON). */
void ff50_stats_tx_dma(FF50State *s, unsigned q, uint32_t len);
void ff50_stats_rx_dma(FF50State *s, unsigned q, uint32_t len, bool mcast);
typedef enum FF50Drop {
    FF50_DROP_NODESC,               /* RDM_DRP_PKT */
    FF50_DROP_FILTER,               /* address, VLAN, flow director drop */
    FF50_DROP_GATE,                 /* RXEN, RX_DIS, bus master, ring off */
    FF50_DROP_OVERSIZE,             /* > PSR_MAX_SZ; MAC oversize is counted
                                     * by the wire already */
    FF50_DROP_MISSED,               /* packet buffer backed up: RDB_MPCNT */
} FF50Drop;
void ff50_stats_rx_drop(FF50State *s, FF50Drop why);
/* Flow director match / miss counters. */
void ff50_stats_fdir(FF50State *s, bool match);

/*
 * PTP.  tx: latch the Tx stamp for a descriptor with TSTAMP; call before
 * the completion is reported.  rx: ptp points at the PTP header found behind
 * EtherType 0x88F7 (is_udp false) or UDP port 319 (is_udp true); returns true
 * if the stamp was latched, i.e. status bit 14 is to be set.
 */
void ff50_ptp_tx_latch(FF50State *s);
bool ff50_ptp_rx_latch(FF50State *s, bool is_udp, const uint8_t *ptp,
                       size_t len);

/* ------------------------------------------------------------------ */
/* Provided by the data path to the shell                              */

void ff50_dp_init(FF50State *s);    /* at realize; sets s->dp */
void ff50_dp_fini(FF50State *s);
/* LAN reset, FLR, chip reset, power-on: called after regs[] were reset. */
void ff50_dp_reset(FF50State *s);

/* regs[PX_TR_WP(q)] / regs[PX_RR_WP(q)] were written (value is stored). */
void ff50_tx_doorbell(FF50State *s, unsigned q);
void ff50_rx_doorbell(FF50State *s, unsigned q);

/*
 * Something that may let stopped Tx rings go on has changed: wire room, link
 * up, MAC_TX_CFG.TE, TSC_CTL.TX_DIS, TDM_CTL.TE, PX_PF_BME, bus master, the
 * tx_stall fault.  Cheap if nothing is pending.  May be called from within
 * an MMIO write or a timer; must bound its work per call (a bottom half of
 * its own goes on).
 */
void ff50_tx_kick(FF50State *s);

typedef enum FF50Rx {
    FF50_RX_DELIVERED,
    FF50_RX_DROPPED,                /* counted by the data path */
    FF50_RX_NO_ROOM,                /* hold: no descriptor, ring not in drop
                                     * mode; ff50_wire_rx_resume() when the
                                     * ring gets descriptors */
} FF50Rx;

#define FF50_RXF_CRC_ERR    0x1     /* MAC saw a bad FCS: drop unless
                                     * RSC_CTL.SAVE_MAC_ERR */
#define FF50_RXF_LEN_ERR    0x2     /* length field beyond the frame: same */
#define FF50_RXF_ERR        (FF50_RXF_CRC_ERR | FF50_RXF_LEN_ERR)

/*
 * A frame (14..16383 bytes, no FCS) came in at the MAC: MAC_RX_CFG.RE, link
 * and MAC statistics were dealt with by the wire.  The data path checks
 * RXEN, RX_DIS, PSR_MAX_SZ, filters, ring state, DMA gate, and pads to 60.
 * A held frame is offered again, bytes unchanged.
 */
FF50Rx ff50_rx_frame(FF50State *s, const uint8_t *frame, uint32_t len,
                     unsigned flags);

/* Is a frame (without FCS) longer than PSR_MAX_SZ and the MAC let in? */
bool ff50_rx_too_long(const FF50State *s, uint32_t len);

/* Data path -> wire: a held frame may fit now. */
void ff50_wire_rx_resume(FF50State *s);

/*
 * Called after regs[off / 4] got the new value (writable bits applied, old
 * was the value before), for exactly these registers; the hook may change
 * regs[] to set what reads back:
 *   PX_RR_BAL/BAH/RP/CFG(i), PX_TR_BAL/BAH/RP/CFG/HEAD_ADDRL/HEAD_ADDRH(i)
 *     (RP: put the old value back where a write is to be ignored)
 *   0x19500-0x195BC RDB_FDIR_* (read-only and clear-on-read ones excepted)
 *   TDM_CTL, TDM_DESC_CHK(i), TDM_DESC_NONFATAL(i) (here new is the raw
 *     value written: W1 action), TSC_CTL, MAC_TX_CFG, PX_PF_BME (ff50_tx_kick
 *     follows by itself for these gates), RDB_PB_CTL, RSC_CTL, MAC_RX_CFG,
 *     RDM_RSC_CTL, RDM_DCACHE_CTL, PSR_CTL, PSR_MAX_SZ, RDM_PF_QDE(i)
 * RDB_FDIR_FREE, LEN, USE_ST, FAIL_ST: keep regs[] up to date; the last two
 * are cleared by the shell when read.
 * All other data-path registers (PSR tables, VLAN, RSS, TPIDs, tunnel ports)
 * are plain storage to be read at use.
 */
void ff50_dp_reg_written(FF50State *s, uint32_t off, uint32_t old,
                         uint32_t val);

/* Bus master or PX_PF_BME opened or closed. */
void ff50_dp_gate_changed(FF50State *s);

/* Bits of fault.wb, fault.wb_us, fault.tx_stall were changed at run time. */
void ff50_dp_fault_changed(FF50State *s);
/* fault.tx_ring, fault.rx_ring: another ring stands still, this one goes on. */
void ff50_dp_ring_stall_changed(FF50State *s);

#endif

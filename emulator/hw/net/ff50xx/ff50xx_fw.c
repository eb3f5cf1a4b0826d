/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Firmware: the AML command channel (SW2FW/FW2SW), the old in-place channel
 * and the commands of hardware/02 section 6.
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "ff50xx_int.h"

#define MBOX_BYTES      256
#define CMD_VLD         (1u << 31)
#define CTL_SWRDY       (1u << 0)
#define CTL_FWRDY       (1u << 2)
#define CTL_FWACK       (1u << 3)

#define STATUS_OK       0x01
#define STATUS_FAIL     0x02        /* any value but 0x01 and 0x80 */
#define STATUS_UNKNOWN  0x80

#define EE_READ_MAX     244
#define MODULE_DATA     16
#define MODULE_READ_MAX (MBOX_BYTES - MODULE_DATA)
#define FLASH_PASS      0x80658383u
/* the shortest time after which a known driver gives a request up */
#define PATIENCE_NS     (50 * SCALE_MS)

typedef enum FF50Channel { FF50_CHAN_AML, FF50_CHAN_OLD } FF50Channel;

typedef struct FF50Req {
    FF50Channel chan;
    uint8_t b[MBOX_BYTES];          /* request as it was posted */
} FF50Req;

typedef struct FF50Ans {
    uint8_t b[MBOX_BYTES];
    unsigned bytes;                 /* how many of b to write */
    uint8_t len, status;
} FF50Ans;

struct FF50Fw {
    FF50Req req;
    bool busy;
    int64_t taken_ns;
    QEMUTimer *timer;               /* fault "slow" */
    QEMUBH *reset_bh;               /* command 0xDF */
    uint8_t reset_lan, reset_type;
    uint32_t garbage;
    bool lldp;
    uint8_t autoneg;
    bool upgrading;
    uint8_t version[4];             /* what 0xDD reported: build order */
    bool has_version;
};

typedef struct FF50Cmd {
    uint8_t op;
    bool hdr2;                      /* length in bytes 1 (high) and 2 (low) */
    uint8_t len_min, len_max;       /* payload length the driver must state */
    void (*run)(FF50State *s, const FF50Req *r, FF50Ans *a);
} FF50Cmd;

static void G_GNUC_PRINTF(3, 4) bad(FF50State *s, const FF50Req *r,
                                    const char *fmt, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, fmt);
    text = g_strdup_vprintf(fmt, ap);
    va_end(ap);
    ff50_violation(s, FF50_VIO_FW_REQUEST,
                   r->chan == FF50_CHAN_AML ? SW2FW_MBOX : MNG_MBOX,
                   (uint32_t)ldl_le_p(r->b), "command 0x%02x: %s", r->b[0], text);
}

/* ------------------------------------------------------------------ */
/* Shadow RAM                                                           */

static uint16_t ff50_ee_word(FF50State *s, unsigned w)
{
    unsigned sum = (s->card->eeprom[0x1C] >> 1) + 0x2F;

    if (w >= FF50_EEPROM_WORDS) {
        return 0xFFFF;
    }
    if (s->fault.eeprom && w == sum) {
        return ~s->card->eeprom[w];
    }
    return s->card->eeprom[w];
}

static void cmd_shadow_read(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint32_t addr = ldl_be_p(r->b + 4);
    uint32_t count = lduw_be_p(r->b + 8);

    if ((addr & 1) || (count & 1) || !count || count > EE_READ_MAX) {
        bad(s, r, "address 0x%x, count %u", addr, count);
        a->status = STATUS_FAIL;
        return;
    }
    for (unsigned i = 0; i < count; i += 2) {
        uint64_t w = ((uint64_t)addr + i) / 2;

        stw_le_p(a->b + 12 + i, ff50_ee_word(s, MIN(w, UINT32_MAX)));
    }
    a->len = 6;
    a->bytes = 12 + count;
}

static void cmd_shadow_write(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint32_t addr = ldl_be_p(r->b + 4);
    uint32_t count = lduw_be_p(r->b + 8);

    if ((addr & 1) || count != 2 || addr >= 2 * FF50_EEPROM_WORDS) {
        bad(s, r, "address 0x%x, count %u", addr, count);
        a->status = STATUS_FAIL;
        return;
    }
    s->card->eeprom[addr / 2] = lduw_le_p(r->b + 12);
}

static void cmd_shadow_dump(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    memcpy(s->card->flash, s->card->eeprom, sizeof(s->card->flash));
}

static void cmd_accept(FF50State *s, const FF50Req *r, FF50Ans *a)
{
}

/* ------------------------------------------------------------------ */
/* PHY and module                                                       */

static uint8_t ff50_speed_code(uint32_t mbps)
{
    return mbps == 40000 ? 0x20 : mbps == 25000 ? 0x10 :
           mbps == 10000 ? 0x04 : 0;
}

static void cmd_get_link(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint32_t want, mbps = ff50_link_speed(s);
    uint8_t fec;
    bool an;

    ff50_link_get(s, &want, &an, &fec);
    a->len = 12;
    a->bytes = 16;
    a->b[4] = ff50_speed_code(mbps);
    a->b[5] = mbps != 0;
    a->b[6] = an;
    a->b[7] = 0;
    a->b[8] = 1;
    a->b[9] = fec;
}

static void cmd_set_link(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    static const struct { uint8_t code; uint32_t mbps; } codes[] = {
        { 0x00, 0 }, { 0x01, 100 }, { 0x02, 1000 }, { 0x04, 10000 },
        { 0x08, 10 }, { 0x10, 25000 }, { 0x20, 40000 }, { 0x40, 50000 },
    };
    uint32_t mbps = UINT32_MAX;

    for (unsigned i = 0; i < ARRAY_SIZE(codes); i++) {
        if (codes[i].code == r->b[4]) {
            mbps = codes[i].mbps;
        }
    }
    if (mbps == UINT32_MAX || r->b[5] > 1 || r->b[6] > 1 || r->b[7] > 7) {
        bad(s, r, "speed 0x%02x duplex %u autoneg %u FEC 0x%02x",
            r->b[4], r->b[5], r->b[6], r->b[7]);
        a->status = STATUS_FAIL;
        return;
    }
    if (!ff50_link_set(s, mbps, r->b[6], r->b[7])) {
        a->status = STATUS_FAIL;
    }
}

static void cmd_module_info(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    const FF50Module *m = ff50_link_module(s);

    ff50_module_info(m, a->b + 4);
    a->len = 16;
    a->bytes = 20;
    if (!m->present || s->fault.module == FF50_MODULE_NAK) {
        memset(a->b + 4, 0, 16);
        a->status = STATUS_FAIL;
    }
}

static void cmd_module_read(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint32_t offset = ldl_be_p(r->b + 4), len = ldl_be_p(r->b + 8);
    const FF50Module *m = ff50_link_module(s);

    if (!len || len > MODULE_READ_MAX || offset > 255 || offset + len > 256 ||
        (r->b[14] != 0x50 && r->b[14] != 0x51)) {
        bad(s, r, "offset %u length %u page %u bank %u address 0x%02x",
            offset, len, r->b[12], r->b[13], r->b[14]);
        a->status = STATUS_FAIL;
        return;
    }
    a->bytes = MODULE_DATA + len;
    a->len = r->b[1];                   /* an echo, like the rest of it */
    if (!m->present || s->fault.module == FF50_MODULE_NAK) {
        a->status = STATUS_FAIL;
        return;
    }
    if (s->fault.module == FF50_MODULE_SHORT) {
        a->len = 4;
        a->bytes = MODULE_DATA;
        return;
    }
    for (uint32_t i = 0; i < len; i++) {
        a->b[MODULE_DATA + i] =
            r->b[13] ? 0xFF : ff50_link_module_byte(s, r->b[14], r->b[12],
                                                    offset + i);
    }
}

/* ------------------------------------------------------------------ */
/* Control                                                              */

static void cmd_driver_version(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    FF50Fw *fw = s->fw;

    for (unsigned i = 0; i < 4; i++) {
        fw->version[i] = r->b[8 - i];       /* major, minor, build, sub */
    }
    fw->has_version = true;
}

static FF50State *ff50_fw_lan(FF50State *s, const FF50Req *r, uint32_t lan,
                              FF50Ans *a)
{
    FF50State *p = lan < 2 ? s->card->port[lan] : NULL;

    if (!p) {
        bad(s, r, "there is no LAN %u", lan);
        a->status = STATUS_FAIL;
    }
    return p;
}

static void cmd_rx_off(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    FF50State *p = ff50_fw_lan(s, r, r->b[4], a);

    if (p) {
        ff50_reg_write(p, RDB_PB_CTL,
                       ff50_rd(p, RDB_PB_CTL) & ~RDB_PB_CTL_RXEN);
    }
}

/* The answer must be out before the reset takes the buffers away. */
static void ff50_fw_reset_bh(void *opaque)
{
    FF50State *s = opaque;
    FF50Fw *fw = s->fw;
    FF50State *p = s->card->port[fw->reset_lan];

    if (fw->reset_type) {
        ff50_chip_reset(s->card, fw->reset_type == 1 ? FF50_RST_TYPE_SW
                                                     : FF50_RST_TYPE_GLOBAL);
    } else if (p) {
        ff50_port_reset(p, FF50_RESET_LAN);
    }
}

static void cmd_reset(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint16_t lan = lduw_le_p(r->b + 4), type = lduw_le_p(r->b + 6);

    if (type > 2) {
        bad(s, r, "reset type %u", type);
        a->status = STATUS_FAIL;
    } else if (ff50_fw_lan(s, r, lan, a)) {
        s->fw->reset_lan = lan;
        s->fw->reset_type = type;
        qemu_bh_schedule(s->fw->reset_bh);
    }
}

static void cmd_lldp(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    FF50State *p = ff50_fw_lan(s, r, r->b[4], a);

    if (!p) {
        return;
    }
    if (r->b[0] == 0xF2) {
        a->b[4] = p->fw->lldp;
        a->len = 4;
        a->bytes = 8;
    } else {
        p->fw->lldp = r->b[0] == 0xF0;
    }
}

static void cmd_autoneg(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    FF50State *p = ff50_fw_lan(s, r, r->b[4], a);

    if (p && r->b[1] > 1) {
        p->fw->autoneg = r->b[5];
    }
}

static void cmd_pps(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    uint64_t ns = ldq_le_p(r->b + 8), cycles = ldq_le_p(r->b + 16);

    ff50_fw_lan(s, r, r->b[4], a);
    if (r->b[5] > 1 || (!r->b[5] && (ns || cycles)) ||
        (r->b[5] && ns % NANOSECONDS_PER_SECOND)) {
        bad(s, r, "enable %u edge at %" PRIu64 " ns", r->b[5], ns);
        a->status = STATUS_FAIL;
    }
}

/* ------------------------------------------------------------------ */
/* Flash upgrade                                                        */

static uint16_t crc16_ccitt(const uint8_t *p, unsigned len)
{
    uint16_t crc = 0;

    while (len--) {
        crc ^= *p++ << 8;
        for (unsigned i = 0; i < 8; i++) {
            crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
        }
    }
    return crc;
}

static void cmd_upgrade_start(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    if (r->b[4] > 3) {
        bad(s, r, "module %u", r->b[4]);
        a->status = STATUS_FAIL;
        return;
    }
    s->fw->upgrading = true;
}

static void cmd_upgrade_data(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    unsigned dwords = r->b[4];

    if (!s->fw->upgrading || !dwords || dwords > 62 ||
        r->b[1] != (dwords + 1) * 4 ||
        lduw_le_p(r->b + 6) != crc16_ccitt(r->b + 8, dwords * 4)) {
        bad(s, r, "%u data dwords in %u bytes", dwords, r->b[1]);
        a->status = STATUS_FAIL;
    }
}

static void cmd_upgrade_verify(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    if (!s->fw->upgrading) {
        a->status = STATUS_FAIL;
    }
    s->fw->upgrading = false;
}

static void cmd_flash_open(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    stl_le_p(a->b + 4, FLASH_PASS);
    a->len = 4;
    a->bytes = 8;
    /* a driver sends this by the new channel and looks at the old buffer */
    ff50_wr(s, MNG_MBOX + 4, FLASH_PASS);
}

static const FF50Cmd cmds[] = {
    { 0x31, true, 6, 6, cmd_shadow_read },
    { 0x33, true, 10, 10, cmd_shadow_write },
    { 0x36, true, 0, 0, cmd_shadow_dump },
    { 0x39, true, 0, 0, cmd_accept },
    { 0x40, true, 0, 0, cmd_accept },
    { 0xC0, false, 12, 12, cmd_get_link },
    { 0xC1, false, 8, 8, cmd_set_link },
    { 0xC5, false, 16, 16, cmd_module_info },
    { 0xC6, false, 12, 12, cmd_module_read },
    { 0xDD, false, 5, 5, cmd_driver_version },
    { 0xDE, false, 1, 1, cmd_rx_off },
    { 0xDF, false, 2, 2, cmd_reset },
    { 0xE0, false, 4, 4, cmd_accept },          /* MAC link: external PHYs */
    { 0xE3, false, 1, 1, cmd_upgrade_start },
    { 0xE4, false, 8, 252, cmd_upgrade_data },
    { 0xE5, false, 4, 4, cmd_upgrade_verify },
    { 0xE9, true, 0, 0, cmd_flash_open },
    { 0xEA, true, 0, 0, cmd_flash_open },
    { 0xF0, false, 1, 1, cmd_lldp },
    { 0xF1, false, 1, 1, cmd_lldp },
    { 0xF2, false, 1, 1, cmd_lldp },
    { 0xF3, false, 1, 2, cmd_autoneg },
    { 0xF6, false, 0x14, 0x14, cmd_pps },
};

/* Known by name only or outside of what is modelled: unknown, no violation. */
static bool ff50_fw_named_only(uint8_t op)
{
    return op == 0x20 || op == 0xC2 || op == 0xC3 || op == 0xC4 ||
           op == 0xE1 || op == 0xE2;
}

static void ff50_fw_execute(FF50State *s, const FF50Req *r, FF50Ans *a)
{
    const FF50Cmd *c = NULL;
    unsigned len;

    memset(a, 0, sizeof(*a));
    a->status = STATUS_OK;
    a->bytes = 4;
    for (unsigned i = 0; i < ARRAY_SIZE(cmds); i++) {
        if (cmds[i].op == r->b[0]) {
            c = &cmds[i];
        }
    }
    if (!c) {
        if (!ff50_fw_named_only(r->b[0])) {
            bad(s, r, "no such command");
        }
        a->status = STATUS_UNKNOWN;
        return;
    }
    len = c->hdr2 ? r->b[1] << 8 | r->b[2] : r->b[1];
    if (len < c->len_min || len > c->len_max || (!c->hdr2 && r->b[2])) {
        bad(s, r, "stated length %u (want %u..%u), byte 2 0x%02x", len,
            c->len_min, c->len_max, r->b[2]);
        a->status = STATUS_FAIL;
        return;
    }
    c->run(s, r, a);
}

/* ------------------------------------------------------------------ */
/* Channels                                                             */

static void ff50_mbox_get(FF50State *s, uint32_t base, uint8_t *b)
{
    for (unsigned i = 0; i < MBOX_BYTES; i += 4) {
        stl_le_p(b + i, ff50_rd(s, base + i));
    }
}

static void ff50_mbox_put(FF50State *s, uint32_t base, const uint8_t *b,
                          unsigned bytes)
{
    /* the header, which the driver polls, comes last */
    for (unsigned i = ROUND_UP(MIN(bytes, MBOX_BYTES), 4); i; i -= 4) {
        ff50_wr(s, base + i - 4, ldl_le_p(b + i - 4));
    }
}

/* A firmware that has lost its mind; the kinds take turns. */
static void ff50_fw_garbage(FF50State *s, FF50Ans *a)
{
    uint32_t n = s->fw->garbage++;

    for (unsigned i = 4; i < MBOX_BYTES; i++) {
        a->b[i] = (i + n) * 2654435761u >> 24;
    }
    a->bytes = MBOX_BYTES;
    switch (n % 3) {
    case 0:
        a->b[3] ^= 0x5A;                    /* somebody else's answer */
        break;
    case 1:
        a->b[1] = 0xFF;                     /* longer than any buffer */
        a->b[2] = STATUS_OK;
        break;
    default:
        a->b[2] = STATUS_OK;                /* plausible header, noise behind */
        break;
    }
}

static void ff50_fw_answer(FF50State *s)
{
    FF50Req *r = &s->fw->req;
    FF50Ans a;
    uint8_t sum = 0;

    s->fw->busy = false;
    ff50_fw_execute(s, r, &a);
    if (s->fault.fw == FF50_FW_UNKNOWN) {
        a.status = STATUS_UNKNOWN;
        a.len = 0;
    }
    if (s->fault.fw == FF50_FW_SHORT) {
        /* half of what belongs there, and it says so */
        a.len /= 2;
        a.bytes = 4 + a.len;
    }
    a.b[0] = r->b[0];
    a.b[1] = a.len;
    a.b[2] = a.status;
    if (r->chan == FF50_CHAN_AML) {
        a.b[3] = r->b[3];
        if (s->fault.fw == FF50_FW_GARBAGE) {
            ff50_fw_garbage(s, &a);
        }
        ff50_mbox_put(s, FW2SW_MBOX, a.b, a.bytes);
        ff50_wr(s, FW2SW_MBOX_CMD, CMD_VLD);
        return;
    }
    for (unsigned i = 0; i < a.bytes; i++) {
        sum += a.b[i];
    }
    a.b[3] = -sum;
    ff50_mbox_put(s, MNG_MBOX, a.b, a.bytes);
    ff50_wr(s, MNG_MBOX_CTL, CTL_FWRDY | CTL_FWACK);
}

static void ff50_fw_timer(void *opaque)
{
    ff50_fw_answer(opaque);
}

static void ff50_fw_take(FF50State *s, FF50Channel chan, uint32_t base)
{
    FF50Fw *fw = s->fw;

    if (fw->busy && ff50_now_ns() - fw->taken_ns < PATIENCE_NS) {
        bad(s, &fw->req, "a new request came before the answer");
    }
    fw->taken_ns = ff50_now_ns();
    ff50_mbox_get(s, base, fw->req.b);
    fw->req.chan = chan;
    fw->busy = true;
    switch (s->fault.fw) {
    case FF50_FW_SILENT:
        fw->busy = false;
        return;
    case FF50_FW_SLOW:
        timer_mod(fw->timer, ff50_now_ns() +
                  (int64_t)s->fault.fw_delay_ms * SCALE_MS);
        return;
    default:
        ff50_fw_answer(s);
    }
}

/* SW2FW_MBOX_CMD: VLD going from 0 to 1 is the doorbell. */
void ff50_fw_doorbell(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                      uint32_t val)
{
    if (!(val & CMD_VLD) || (old & CMD_VLD) || !ff50_boot_firmware_up(s)) {
        return;
    }
    /* taking a request removes the last answer, which could look like ours */
    ff50_wr(s, off, val & ~CMD_VLD);
    ff50_wr(s, FW2SW_MBOX, 0);
    ff50_wr(s, FW2SW_MBOX_CMD, 0);
    ff50_fw_take(s, FF50_CHAN_AML, SW2FW_MBOX);
}

/* The old channel: request and answer share MNG_MBOX. */
void ff50_fw_old_doorbell(FF50State *s, unsigned idx, uint32_t off,
                          uint32_t old, uint32_t val)
{
    uint8_t b[MBOX_BYTES], sum = 0;
    unsigned len;

    ff50_wr(s, off, val & ~(CTL_FWRDY | CTL_FWACK));
    if (!(val & CTL_SWRDY) || (old & CTL_SWRDY) || !ff50_boot_firmware_up(s)) {
        return;
    }
    ff50_mbox_get(s, MNG_MBOX, b);
    len = MIN(4 + b[1], MBOX_BYTES);
    for (unsigned i = 0; i < len; i++) {
        sum += b[i];
    }
    if (b[3] != 0xFF && sum) {
        ff50_violation(s, FF50_VIO_FW_REQUEST, MNG_MBOX,
                       (uint32_t)ldl_le_p(b),
                       "checksum of the old channel is wrong");
    }
    ff50_fw_take(s, FF50_CHAN_OLD, MNG_MBOX);
}

char *ff50_fw_driver_version(FF50State *s)
{
    const uint8_t *v = s->fw->version;

    return s->fw->has_version ?
           g_strdup_printf("%u.%u.%u.%u", v[0], v[1], v[2], v[3]) :
           g_strdup("");
}

void ff50_fw_reset(FF50State *s)
{
    FF50Fw *fw = s->fw;

    timer_del(fw->timer);
    qemu_bh_cancel(fw->reset_bh);
    fw->busy = false;
    fw->lldp = false;
    fw->autoneg = 0;
    fw->upgrading = false;
    fw->has_version = false;
}

void ff50_fw_init(FF50State *s)
{
    s->fw = g_new0(FF50Fw, 1);
    s->fw->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_fw_timer, s);
    s->fw->reset_bh = qemu_bh_new(ff50_fw_reset_bh, s);
}

void ff50_fw_fini(FF50State *s)
{
    if (s->fw) {
        timer_free(s->fw->timer);
        qemu_bh_delete(s->fw->reset_bh);
        g_free(s->fw);
        s->fw = NULL;
    }
}

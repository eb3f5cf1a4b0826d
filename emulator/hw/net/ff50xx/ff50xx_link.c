/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Link, module cage, GPIO and the PHY and I2C windows (hardware/04).
 *
 * Firmware owns the SerDes: the link comes up by itself after power-on with
 * the default speed, command 0xC1 restarts it if it asks for something else
 * than is running, and the last settings stay in force when a module or a
 * cable comes back.  Any change of speed passes through a visible down.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "ff50xx_int.h"

#define ST_UP           (1u << 0)
#define ST_40G          (1u << 2)
#define ST_25G          (1u << 3)
#define ST_10G          (1u << 4)

/* GPIO lines */
#define GPIO_TX_FAULT   (1u << 0)
#define GPIO_TX_DISABLE (1u << 1)
#define GPIO_ABSENT_SFP (1u << 2)
#define GPIO_RX_LOS     (1u << 3)
#define GPIO_ABSENT_QSFP (1u << 4)
#define GPIO_LINES      0xFFu
#define LED_BLINK_NS    (100 * SCALE_MS)
#define DDR_SFP         0x32u
#define DDR_QSFP        0x0Bu

#define PHY_STORE_MAX   65536       /* distinct registers a guest may fill */

/* XPCS registers with a meaning */
#define XPCS_PCS_CTRL1  0x30000
#define XPCS_PCS_STS1   0x30001
#define XPCS_VR_CTRL    0x38000
/* EPHY registers with a meaning */
#define EPHY_LANE_EN    0x1400
#define EPHY_LANE_ST    0x14FC
#define EPHY_1530       0x1530
#define EPHY_1540       0x1540
#define EPHY_1544       0x1544
#define EPHY_15EC       0x15EC
#define EPHY_15F0       0x15F0

/* DesignWare I2C, offsets from I2C_BASE */
#define I2C_TAR         0x04
#define I2C_DATA_CMD    0x10
#define I2C_RAW_INTR    0x34
#define I2C_ENABLE      0x6C
#define I2C_STATUS      0x70
#define I2C_COMP_TYPE   0xFC
#define I2C_CMD_READ    (1u << 8)
#define I2C_CMD_STOP    (1u << 9)
#define I2C_RX_FULL     (1u << 2)
#define I2C_TX_EMPTY    (1u << 4)
#define I2C_FIFO        16

/* A link as it can run: one speed bit and one FEC bit; 0 = none. */
#define RUN(speed, fec)     ((speed) | (uint32_t)(fec) << 8)
#define RUN_SPEED(r)        ((r) & 0xFF)
#define RUN_FEC(r)          ((r) >> 8)

struct FF50Link {
    const FF50Module *module;
    bool cable;
    FF50State *peer;                /* other end, NULL if built-in or missing */
    bool has_peer;                  /* was paired: no built-in partner */
    uint32_t partner;               /* FF50_SPEED_* of the built-in partner */

    uint8_t partner_fec;            /* FF50_FEC_* that the other end takes */

    uint32_t want;                  /* speed bit in force, 0 = none */
    bool autoneg;
    uint8_t fec;                    /* FF50_FEC_* asked for */
    uint32_t requests;              /* commands 0xC1 since power-on */

    uint32_t up;                    /* speed bit of the running link, 0 = down */
    uint8_t up_fec;                 /* its one FF50_FEC_* bit */
    uint32_t target;                /* RUN() the timer will bring up */
    QEMUTimer *up_timer;
    bool flapped;                   /* fault-flap-ms holds it down */
    QEMUTimer *flap_timer;

    uint32_t pins;                  /* last GPIO input levels */
    bool gpio_active;

    GHashTable *xpcs, *ephy;
    int16_t module_temp;            /* degrees Celsius */
    uint8_t i2c_offset, i2c_page[2];    /* per device, 0x50 and 0x51 */
    bool i2c_have_offset;
    uint8_t i2c_fifo[I2C_FIFO];
    unsigned i2c_rd, i2c_wr;
};

/* ------------------------------------------------------------------ */
/* What the link can be                                                 */

static uint32_t ff50_port_speeds(const FF50State *s)
{
    uint32_t all = FF50_SPEED_10G | FF50_SPEED_25G;

    if (s->kind == FF50_KIND_AML40) {
        return all | FF50_SPEED_40G;
    }
    return FF50XX_BASE_GET_CLASS(s)->default_speed == 10000 ? FF50_SPEED_10G
                                                            : all;
}

static uint32_t ff50_highest(uint32_t speeds)
{
    return speeds & FF50_SPEED_40G ? FF50_SPEED_40G :
           speeds & FF50_SPEED_25G ? FF50_SPEED_25G :
           speeds & FF50_SPEED_10G;
}

/* Speeds the port would come up with now. */
static uint32_t ff50_offered(const FF50State *s)
{
    const FF50Link *l = s->link;
    uint32_t can = ff50_port_speeds(s) & l->module->speeds;

    if (l->autoneg) {
        /* everything up to the speed asked for; the bits grow with speed */
        return l->want ? can & (l->want | (l->want - 1)) : can;
    }
    if (l->want) {
        return can & l->want;
    }
    return ff50_highest(can);
}

static bool ff50_laser_on(const FF50State *s)
{
    /* QSFP boards: the line is an output of another meaning */
    return s->kind == FF50_KIND_AML40 ||
           !(ff50_rd(s, GPIO_DR) & ff50_rd(s, GPIO_DDR) & GPIO_TX_DISABLE);
}

static bool ff50_emits(const FF50State *s)
{
    const FF50Link *l = s->link;

    return l->module->medium != FF50_MEDIUM_NONE && l->cable &&
           ff50_laser_on(s) && !s->fault.removed && !s->fault.tx_fault;
}

/* Light (or signal) comes in at s. */
static bool ff50_signal(const FF50State *s)
{
    const FF50Link *l = s->link;

    if (!l->module->present || !l->cable) {
        return false;
    }
    if (l->peer) {
        return ff50_emits(l->peer);
    }
    return !s->prop_peer && !l->has_peer;
}

/*
 * RS-FEC is for 25G, 10G and 40G optics have none at all.  A request that
 * names nothing of what there is means no FEC.
 */
static uint8_t ff50_fec_mask(uint8_t asked, uint32_t speed, FF50Medium medium)
{
    uint8_t m = asked & FF50_FEC_ANY ? asked & FF50_FEC_ANY : FF50_FEC_ANY;

    if (speed != FF50_SPEED_25G) {
        m &= medium == FF50_MEDIUM_CU ? FF50_FEC_BASER | FF50_FEC_OFF
                                      : FF50_FEC_OFF;
    }
    return m ? m : FF50_FEC_OFF;
}

/*
 * The one mode that both ends run with, 0 if there is none: what their
 * modules call for if both allow it, else the strongest.
 */
static uint8_t ff50_fec_mode(const FF50State *s, uint32_t speed)
{
    const FF50Link *l = s->link, *p = l->peer ? l->peer->link : NULL;
    FF50Medium medium = l->module->medium;
    uint8_t m = ff50_fec_mask(l->fec, speed, medium) &
                ff50_fec_mask(l->partner_fec, speed, medium);
    uint8_t own = FF50_FEC_OFF;

    if (p) {
        m &= ff50_fec_mask(p->fec, speed, medium) &
             ff50_fec_mask(p->partner_fec, speed, medium);
    }
    if (speed == FF50_SPEED_25G) {
        own = l->module->fec | (p ? p->module->fec : 0);
    }
    m = m & own ? m & own : m;
    return m & -m;
}

static uint32_t ff50_run(const FF50State *s, uint32_t speed)
{
    uint8_t fec = speed ? ff50_fec_mode(s, speed) : 0;

    return fec ? RUN(speed, fec) : 0;
}

static uint32_t ff50_target(const FF50State *s)
{
    const FF50Link *l = s->link, *p;

    if (ff50_rd(s, CFG_PORT_CTL) & PORT_CTL_FORCE_LKUP) {
        return RUN(ff50_highest(ff50_port_speeds(s) &
                                (l->want ? l->want : ff50_port_speeds(s))),
                   FF50_FEC_OFF);
    }
    if (l->flapped || !ff50_emits(s) || !ff50_signal(s)) {
        return 0;
    }
    if (!l->peer) {
        return ff50_run(s, ff50_highest(ff50_offered(s) & l->partner));
    }
    p = l->peer->link;
    if (p->flapped || p->module->medium != l->module->medium) {
        return 0;
    }
    return ff50_run(s, ff50_highest(ff50_offered(s) & ff50_offered(l->peer)));
}

/* ------------------------------------------------------------------ */
/* Bringing it up and down                                              */

static uint32_t ff50_status_bit(uint32_t speed)
{
    return speed == FF50_SPEED_40G ? ST_40G : speed == FF50_SPEED_25G ? ST_25G :
           ST_10G;
}

static void ff50_link_go_down(FF50State *s)
{
    FF50Link *l = s->link;

    if (l->up) {
        l->up = 0;
        l->up_fec = 0;
        ff50_wire_link_event(s, false);
        ff50_misc_cause(s, MISC_ETH_LKDN);
    }
}

static void ff50_link_go_up(void *opaque)
{
    FF50State *s = opaque;
    FF50Link *l = s->link;

    if (l->up || !l->target || l->target != ff50_target(s)) {
        return;
    }
    l->up = RUN_SPEED(l->target);
    l->up_fec = RUN_FEC(l->target);
    ff50_wire_link_event(s, true);
    ff50_misc_cause(s, MISC_ETH_LK);
}

static void ff50_gpio_pins(FF50State *s);

/* A link that flaps faster than it trains would never be seen up. */
static int64_t ff50_up_delay_ns(const FF50State *s)
{
    const FF50State *peer = s->link->peer;
    uint32_t ms = s->prop_link_up_ms, flap = s->fault.flap_ms;

    if (peer && peer->fault.flap_ms) {
        flap = peer->fault.flap_ms;
    }
    return (int64_t)(flap ? MIN(ms, flap / 4) : ms) * SCALE_MS;
}

static void ff50_link_look(FF50State *s, bool restart)
{
    FF50Link *l = s->link;
    uint32_t target = ff50_target(s);

    ff50_gpio_pins(s);
    if (restart || target != RUN(l->up, l->up_fec)) {
        ff50_link_go_down(s);
    }
    if (!target || l->up) {
        l->target = target;
        timer_del(l->up_timer);
    } else if (restart || target != l->target ||
               !timer_pending(l->up_timer)) {
        l->target = target;
        timer_mod(l->up_timer, ff50_now_ns() + ff50_up_delay_ns(s));
    }
}

static void ff50_link_both(FF50State *s, bool restart)
{
    ff50_link_look(s, restart);
    if (s->link->peer) {
        ff50_link_look(s->link->peer, restart);
    }
}

void ff50_link_changed(FF50State *s)
{
    ff50_link_both(s, false);
}

bool ff50_link_is_up(const FF50State *s)
{
    return s->link->up != 0;
}

uint32_t ff50_link_speed(const FF50State *s)
{
    return ff50_speed_mbps(s->link->up);
}

bool ff50_link_set(FF50State *s, uint32_t mbps, bool autoneg, uint8_t fec)
{
    FF50Link *l = s->link;
    uint32_t bit = ff50_speed_bit(mbps);
    bool same;

    if (mbps && !(bit & ff50_port_speeds(s))) {
        return false;
    }
    same = l->up && (bit ? bit : l->up) == l->up && autoneg == l->autoneg;
    l->want = bit;
    l->autoneg = autoneg;
    l->fec = fec;
    l->requests++;
    if (same && ff50_fec_mode(s, l->up) == l->up_fec) {
        /* nothing to train, but whoever asked is told that it is done */
        ff50_misc_cause(s, MISC_ETH_LK);
    } else {
        ff50_link_both(s, true);
    }
    return true;
}

void ff50_link_get(FF50State *s, uint32_t *mbps, bool *autoneg, uint8_t *fec)
{
    *mbps = ff50_speed_mbps(s->link->want);
    *autoneg = s->link->autoneg;
    *fec = s->link->up ? s->link->up_fec : s->link->fec;
}

/* Power-on, chip reset: settings are forgotten, the default comes up. */
void ff50_link_power_on(FF50State *s)
{
    FF50Link *l = s->link;

    l->want = 0;
    l->autoneg = false;
    l->fec = FF50_FEC_ANY;
    l->gpio_active = false;
    g_hash_table_remove_all(l->xpcs);
    g_hash_table_remove_all(l->ephy);
    l->i2c_rd = l->i2c_wr = 0;
    l->i2c_have_offset = false;
    l->i2c_page[0] = l->i2c_page[1] = 0;
    l->requests = 0;
    ff50_wr(s, GPIO_DDR, s->kind == FF50_KIND_AML40 ? DDR_QSFP : DDR_SFP);
    ff50_link_both(s, true);
}

uint32_t ff50_port_st_rd(FF50State *s, unsigned idx, uint32_t off)
{
    FF50Link *l = s->link;
    uint32_t v = (uint32_t)s->prop_port << 8;

    return l->up ? v | ST_UP | ff50_status_bit(l->up) : v;
}

/* ------------------------------------------------------------------ */
/* Module, cable, partner                                               */

const FF50Module *ff50_link_module(FF50State *s)
{
    return s->link->module;
}

uint8_t ff50_link_module_byte(FF50State *s, uint8_t i2c, uint8_t page,
                              uint8_t offset)
{
    const FF50ModuleLive live = {
        .temperature = s->link->module_temp,
        .tx_disable = !ff50_laser_on(s),
        .tx_fault = s->fault.tx_fault,
        .rx_los = !ff50_signal(s),
    };

    return ff50_module_byte(s->link->module, &live, i2c, page, offset,
                            s->prop_port);
}

const char *ff50_link_module_name(FF50State *s)
{
    return s->link->module->name;
}

bool ff50_link_set_module(FF50State *s, const char *name, Error **errp)
{
    const FF50Module *m = ff50_module_find(name);

    if (!m) {
        error_setg(errp, "no module is called '%s'", name);
        return false;
    }
    if (m != s->link->module && m->present && s->link->module->present) {
        /* a swap is a pull and a plug: the pin must show both edges */
        s->link->module = ff50_module_find("none");
        ff50_link_changed(s);
    }
    s->link->module = m;
    s->link->i2c_page[0] = s->link->i2c_page[1] = 0;
    ff50_link_changed(s);
    return true;
}

bool ff50_link_cable(FF50State *s)
{
    return s->link->cable;
}

void ff50_link_set_cable(FF50State *s, bool on)
{
    s->link->cable = on;
    ff50_link_changed(s);
}

FF50State *ff50_link_peer(FF50State *s)
{
    return s->link->peer;
}

static void ff50_flap_timer(void *opaque)
{
    FF50State *s = opaque;
    FF50Link *l = s->link;

    l->flapped = s->fault.flap_ms && !l->flapped;
    ff50_link_changed(s);
    if (s->fault.flap_ms) {
        timer_mod(l->flap_timer, ff50_now_ns() +
                  (int64_t)s->fault.flap_ms * SCALE_MS);
    }
}

void ff50_link_flap_changed(FF50State *s)
{
    if (s->fault.flap_ms) {
        timer_mod(s->link->flap_timer, ff50_now_ns() +
                  (int64_t)s->fault.flap_ms * SCALE_MS);
    } else {
        timer_del(s->link->flap_timer);
        s->link->flapped = false;
        ff50_link_changed(s);
    }
}

/* A netdev backend's link (set_link) stands for the partner. */
void ff50_link_netdev_changed(FF50State *s)
{
    NetClientState *nc = qemu_get_queue(s->nic);

    s->link->partner = nc->link_down ? 0 : UINT32_MAX;
    ff50_link_changed(s);
}

static void ff50_parse_partner(FF50State *s)
{
    g_auto(GStrv) v = NULL;

    s->link->partner = UINT32_MAX;
    if (!s->prop_partner_speed || !strcmp(s->prop_partner_speed, "auto")) {
        return;
    }
    s->link->partner = 0;
    /* a comma would end the property on the command line */
    v = g_strsplit_set(s->prop_partner_speed, ",:/", -1);
    for (unsigned i = 0; v[i]; i++) {
        s->link->partner |= ff50_speed_bit(g_ascii_strtoull(v[i], NULL, 10));
    }
}

static bool ff50_names(const FF50State *a, const FF50State *b)
{
    return a->prop_peer && DEVICE(b)->id &&
           !strcmp(a->prop_peer, DEVICE(b)->id);
}

static void ff50_try_pair(FF50State *o, void *opaque)
{
    FF50State *s = opaque;

    if (o == s || !o->link || s->link->peer || o->link->peer ||
        !(ff50_names(s, o) || ff50_names(o, s))) {
        return;
    }
    s->link->peer = o;
    o->link->peer = s;
    s->link->has_peer = o->link->has_peer = true;
}

/* Either end may name the other, and either may be created first. */
void ff50_link_pair(FF50State *s)
{
    ff50_for_each(ff50_try_pair, s);
    ff50_link_changed(s);
}

/* ------------------------------------------------------------------ */
/* GPIO                                                                 */

static uint32_t ff50_gpio_levels(FF50State *s)
{
    uint32_t ddr = ff50_rd(s, GPIO_DDR);
    uint32_t v = s->link->pins & ~ddr;

    return (v | (ff50_rd(s, GPIO_DR) & ddr)) & GPIO_LINES;
}

static void ff50_gpio_update(FF50State *s)
{
    FF50Link *l = s->link;
    uint32_t level = ~ff50_rd(s, GPIO_INTTYPE_LEVEL) & GPIO_LINES;
    uint32_t raw = ff50_rd(s, GPIO_RAW_INTSTATUS);
    uint32_t inten = ff50_rd(s, GPIO_INTEN), status;

    /* level lines follow the pin, edge lines keep what happened */
    raw = (raw & ~level) | (inten & level &
          ~(ff50_gpio_levels(s) ^ ff50_rd(s, GPIO_POLARITY)));
    ff50_wr(s, GPIO_RAW_INTSTATUS, raw);
    status = raw & inten & ~ff50_rd(s, GPIO_INTMASK);
    ff50_wr(s, GPIO_INTSTATUS, status);
    if (status && !l->gpio_active) {
        l->gpio_active = true;
        ff50_misc_cause(s, MISC_GPIO);
    } else if (!status) {
        l->gpio_active = false;
    }
}

static void ff50_gpio_pins(FF50State *s)
{
    FF50Link *l = s->link;
    bool present = l->module->present;
    uint32_t before = ff50_gpio_levels(s), change, now, edges;

    if (s->kind == FF50_KIND_AML40) {
        l->pins = present ? 0 : GPIO_ABSENT_QSFP;
    } else {
        l->pins = (present ? 0 : GPIO_ABSENT_SFP) |
                  (ff50_signal(s) ? 0 : GPIO_RX_LOS) |
                  (s->fault.tx_fault ? GPIO_TX_FAULT : 0);
    }
    now = ff50_gpio_levels(s);
    change = (before ^ now) & ff50_rd(s, GPIO_INTEN) &
             ff50_rd(s, GPIO_INTTYPE_LEVEL);
    edges = change & ~(now ^ ff50_rd(s, GPIO_POLARITY));
    ff50_wr(s, GPIO_RAW_INTSTATUS, ff50_rd(s, GPIO_RAW_INTSTATUS) | edges);
    ff50_gpio_update(s);
}

uint32_t ff50_gpio_rd(FF50State *s, unsigned idx, uint32_t off)
{
    switch (off) {
    case GPIO_EXT:
        return ff50_gpio_levels(s);
    case GPIO_EOI:
        return 0;
    default:
        return ff50_rd(s, off);
    }
}

void ff50_gpio_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                  uint32_t val)
{
    switch (off) {
    case GPIO_EOI:
        ff50_wr(s, GPIO_EOI, 0);
        ff50_wr(s, GPIO_RAW_INTSTATUS,
                ff50_rd(s, GPIO_RAW_INTSTATUS) &
                ~(val & ff50_rd(s, GPIO_INTTYPE_LEVEL)));
        break;
    case GPIO_DR:
    case GPIO_DDR:
        ff50_link_changed(s);
        return;
    }
    ff50_gpio_update(s);
}

/* ------------------------------------------------------------------ */
/* XPCS and EPHY windows: storage with a few rules                      */

static uint32_t ff50_store_get(GHashTable *t, uint32_t addr)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(t, GUINT_TO_POINTER(addr)));
}

static void ff50_store_put(GHashTable *t, uint32_t addr, uint32_t val)
{
    if (g_hash_table_size(t) < PHY_STORE_MAX ||
        g_hash_table_contains(t, GUINT_TO_POINTER(addr))) {
        g_hash_table_insert(t, GUINT_TO_POINTER(addr), GUINT_TO_POINTER(val));
    }
}

static uint32_t ff50_xpcs_get(FF50State *s, uint32_t addr)
{
    uint32_t v = ff50_store_get(s->link->xpcs, addr);

    switch (addr) {
    case XPCS_VR_CTRL:
        return v & ~(1u << 15);                 /* reset is over */
    case XPCS_PCS_STS1:
        return ff50_target(s) ? v | 1u << 2 : v & ~(1u << 2);
    default:
        return v;
    }
}

static void ff50_xpcs_put(FF50State *s, uint32_t addr, uint32_t val)
{
    static const uint8_t code[] = { [0] = 1, [3] = 3, [5] = 2 };
    unsigned sel = val >> 2 & 0xF;

    ff50_store_put(s->link->xpcs, addr, val);
    if (addr == XPCS_PCS_CTRL1 && sel < ARRAY_SIZE(code) && code[sel]) {
        uint32_t bit = 1u << (code[sel] - 1);

        if (bit & ff50_port_speeds(s)) {
            s->link->want = bit;
            s->link->autoneg = false;
            ff50_link_both(s, true);
        }
    }
}

/* A lane is idle, ready or still busy; see hardware/04 section 10. */
static uint32_t ff50_ephy_lanes(FF50State *s)
{
    GHashTable *t = s->link->ephy;
    uint32_t en = ff50_store_get(t, EPHY_LANE_EN) >> 16 & 0xF, v = 0;
    bool ready = (ff50_store_get(t, EPHY_1530) & (1u << 27)) &&
                 !(ff50_store_get(t, EPHY_1540) & (1u << 22));

    for (unsigned lane = 0; lane < 4; lane++) {
        uint32_t st = !(en & (1u << lane)) ? 0x21 : ready ? 0x09 : 0x1B;

        v |= st << (8 * lane);
    }
    return v;
}

static uint32_t ff50_ephy_get(FF50State *s, uint32_t addr)
{
    uint32_t v = ff50_store_get(s->link->ephy, addr);

    if (addr == EPHY_LANE_ST) {
        return ff50_ephy_lanes(s);
    }
    if (addr >= EPHY_1544 && addr <= EPHY_1544 + 3 * 0x2C &&
        (addr - EPHY_1544) % 0x2C == 0) {
        return v | 1u << 8 | 1u << 10 | 1u << 12 | 1u << 17 | 1u << 26 |
               1u << 29;
    }
    return v;
}

static void ff50_ephy_put(FF50State *s, uint32_t addr, uint32_t val)
{
    GHashTable *t = s->link->ephy;

    if (addr == EPHY_15EC || addr == EPHY_15F0) {
        val = ff50_store_get(t, addr) & ~val;
    }
    ff50_store_put(t, addr, val);
}

uint32_t ff50_phy_rd(FF50State *s, unsigned idx, uint32_t off)
{
    return off == XPCS_IDA_DATA ? ff50_xpcs_get(s, ff50_rd(s, XPCS_IDA_ADDR))
                                : ff50_ephy_get(s, ff50_rd(s, EPHY_IDA_ADDR));
}

void ff50_phy_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val)
{
    if (off == XPCS_IDA_DATA) {
        ff50_xpcs_put(s, ff50_rd(s, XPCS_IDA_ADDR), val);
    } else {
        ff50_ephy_put(s, ff50_rd(s, EPHY_IDA_ADDR), val);
    }
}

/* ------------------------------------------------------------------ */
/* I2C controller with the module behind it                             */

static uint8_t ff50_i2c_byte(FF50State *s)
{
    FF50Link *l = s->link;
    uint8_t tar = ff50_rd(s, I2C_BASE + I2C_TAR), off = l->i2c_offset++;

    return ff50_link_module_byte(s, tar, l->i2c_page[tar & 1], off);
}

static void ff50_i2c_cmd(FF50State *s, uint32_t val)
{
    FF50Link *l = s->link;
    uint32_t tar = ff50_rd(s, I2C_BASE + I2C_TAR) & 0x3FF;

    if (!(ff50_rd(s, I2C_BASE + I2C_ENABLE) & 1) || !l->module->present ||
        (tar != 0x50 && tar != 0x51)) {
        return;                                 /* nobody answers */
    }
    if (val & I2C_CMD_READ) {
        if (l->i2c_wr - l->i2c_rd < I2C_FIFO) {
            l->i2c_fifo[l->i2c_wr++ % I2C_FIFO] = ff50_i2c_byte(s);
        }
        /* the next write starts a new transfer: an offset */
        l->i2c_have_offset = false;
    } else if (!l->i2c_have_offset) {
        l->i2c_offset = val;
        l->i2c_have_offset = !(val & I2C_CMD_STOP);
    } else {
        if (l->i2c_offset == FF50_PAGE_SELECT) {
            l->i2c_page[tar & 1] = val;
        }
        l->i2c_offset++;
        if (val & I2C_CMD_STOP) {
            l->i2c_have_offset = false;
        }
    }
}

uint32_t ff50_i2c_rd(FF50State *s, unsigned idx, uint32_t off)
{
    FF50Link *l = s->link;
    bool full = l->i2c_wr != l->i2c_rd;

    switch (off - I2C_BASE) {
    case I2C_DATA_CMD:
        return full ? l->i2c_fifo[l->i2c_rd++ % I2C_FIFO] : 0;
    case I2C_RAW_INTR:
        return I2C_TX_EMPTY | (full ? I2C_RX_FULL : 0);
    case I2C_STATUS:
        return 0x06 | (full ? 0x08 : 0);        /* Tx not full, Tx empty */
    case I2C_COMP_TYPE:
        return 0x44570140;                      /* the DesignWare signature */
    default:
        return ff50_rd(s, off);
    }
}

void ff50_i2c_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val)
{
    switch (off - I2C_BASE) {
    case I2C_DATA_CMD:
        ff50_i2c_cmd(s, val);
        break;
    case I2C_ENABLE:
        if (!(val & 1)) {
            s->link->i2c_rd = s->link->i2c_wr = 0;
            s->link->i2c_have_offset = false;
        }
        break;
    }
}

/* ------------------------------------------------------------------ */
/* Properties                                                           */

static const struct { const char *name; uint8_t bit; } fec_names[] = {
    { "rs", FF50_FEC_RS }, { "baser", FF50_FEC_BASER }, { "off", FF50_FEC_OFF },
};

static char *ff50_get_fec(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    for (unsigned i = 0; s->link && i < ARRAY_SIZE(fec_names); i++) {
        if (s->link->up_fec == fec_names[i].bit) {
            return g_strdup(fec_names[i].name);
        }
    }
    return g_strdup("none");
}

static char *ff50_get_partner_fec(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    g_autoptr(GString) t = g_string_new("");
    uint8_t m = s->link ? s->link->partner_fec : s->prop_partner_fec;

    if (!m || m == FF50_FEC_ANY) {
        return g_strdup("auto");
    }
    for (unsigned i = 0; i < ARRAY_SIZE(fec_names); i++) {
        if (m & fec_names[i].bit) {
            g_string_append_printf(t, "%s%s", t->len ? ":" : "",
                                   fec_names[i].name);
        }
    }
    return g_strdup(t->str);
}

static void ff50_set_partner_fec(Object *obj, const char *v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    g_auto(GStrv) w = g_strsplit(v, ":", -1);
    uint8_t m = 0;

    for (unsigned i = 0; w[i]; i++) {
        uint8_t bit = !strcmp(w[i], "auto") ? FF50_FEC_ANY : 0;

        for (unsigned k = 0; k < ARRAY_SIZE(fec_names); k++) {
            bit |= !strcmp(w[i], fec_names[k].name) ? fec_names[k].bit : 0;
        }
        if (!bit) {
            error_setg(errp, "FEC is auto, or of rs:baser:off, not '%s'", v);
            return;
        }
        m |= bit;
    }
    if (!m) {
        error_setg(errp, "FEC is auto, or of rs:baser:off");
        return;
    }
    s->prop_partner_fec = m;
    if (s->link) {
        s->link->partner_fec = m;
        ff50_link_changed(s);
    }
}

static void ff50_get_module_temp(Object *obj, Visitor *v, const char *name,
                                 void *opaque, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    int64_t t = s->link ? s->link->module_temp : 0;

    visit_type_int(v, name, &t, errp);
}

static void ff50_set_module_temp(Object *obj, Visitor *v, const char *name,
                                 void *opaque, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    int64_t t;

    if (!visit_type_int(v, name, &t, errp)) {
        return;
    }
    if (!s->link || t < -128 || t > 127) {
        error_setg(errp, "module-temperature is -128..127, at run time");
        return;
    }
    s->link->module_temp = t;
}

/* Which LEDs are lit, joined by commas: the driver's word, or the chip's. */
static char *ff50_get_leds(Object *obj, Error **errp)
{
    static const char *const name[] = {
        "link", "50g", "40g", "25g", "10g", "activity",
    };
    FF50State *s = FF50XX_BASE(obj);
    g_autoptr(GString) t = g_string_new("");
    uint32_t ctl = ff50_rd(s, CFG_LED_CTL);
    uint32_t lit = 0;

    if (s->link && s->link->up) {
        lit = ST_UP | ff50_status_bit(s->link->up);
        if (s->led_active_ns && ff50_now_ns() - s->led_active_ns < LED_BLINK_NS) {
            lit |= 1u << 5;
        }
    }
    lit = (lit & ~ctl) | (ctl >> 16 & ctl);
    for (unsigned i = 0; i < ARRAY_SIZE(name); i++) {
        if (lit >> i & 1) {
            g_string_append_printf(t, "%s%s", t->len ? "," : "", name[i]);
        }
    }
    return g_strdup(t->str);
}

/* What the driver wrote: "hw", or the LEDs it holds and their level. */
static char *ff50_get_led_control(Object *obj, Error **errp)
{
    uint32_t ctl = ff50_rd(FF50XX_BASE(obj), CFG_LED_CTL);

    return ctl ? g_strdup_printf("held=0x%04x on=0x%04x", ctl & 0xFFFF,
                                 ctl >> 16 & ctl & 0xFFFF) : g_strdup("hw");
}

static char *ff50_get_fw_link(Object *obj, Error **errp)
{
    const FF50Link *l = FF50XX_BASE(obj)->link;

    return l ? g_strdup_printf("speed=%u an=%u fec=%u count=%u",
                               ff50_speed_mbps(l->want), l->autoneg, l->fec,
                               l->requests) : g_strdup("");
}

/* "I2C/PAGE:HEX ..." with all 256 bytes of each page there is. */
static char *ff50_get_module_dump(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    g_autoptr(GString) t = g_string_new("");

    for (unsigned k = 0; s->link && k < 2; k++) {
        for (unsigned page = 0; page < 4; page++) {
            if (!ff50_module_has_page(s->link->module, 0x50 + k, page)) {
                continue;
            }
            g_string_append_printf(t, "%s%02x/%02x:", t->len ? " " : "",
                                   0x50 + k, page);
            for (unsigned i = 0; i < 256; i++) {
                g_string_append_printf(t, "%02x",
                                       ff50_link_module_byte(s, 0x50 + k,
                                                             page, i));
            }
        }
    }
    return g_strdup(t->str);
}

void ff50_link_props(ObjectClass *klass)
{
    object_class_property_add_str(klass, "fw-link", ff50_get_fw_link, NULL);
    object_class_property_add_str(klass, "led-control", ff50_get_led_control,
                                  NULL);
    object_class_property_add_str(klass, "module-dump", ff50_get_module_dump,
                                  NULL);
    object_class_property_add_str(klass, "fec", ff50_get_fec, NULL);
    object_class_property_add_str(klass, "partner-fec", ff50_get_partner_fec,
                                  ff50_set_partner_fec);
    object_class_property_add(klass, "module-temperature", "int",
                              ff50_get_module_temp, ff50_set_module_temp,
                              NULL, NULL);
    object_class_property_add_str(klass, "leds", ff50_get_leds, NULL);
}

/* ------------------------------------------------------------------ */

void ff50_link_init(FF50State *s)
{
    FF50Link *l = g_new0(FF50Link, 1);

    l->module = ff50_module_find("none");
    l->cable = !s->prop_no_cable;
    l->fec = l->partner_fec = FF50_FEC_ANY;
    l->module_temp = 35;
    l->up_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_link_go_up, s);
    l->flap_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ff50_flap_timer, s);
    l->xpcs = g_hash_table_new(NULL, NULL);
    l->ephy = g_hash_table_new(NULL, NULL);
    s->link = l;
    if (s->prop_partner_fec) {
        l->partner_fec = s->prop_partner_fec;
    }
    ff50_parse_partner(s);
    if (s->fault.flap_ms) {
        ff50_link_flap_changed(s);
    }
}

void ff50_link_fini(FF50State *s)
{
    FF50Link *l = s->link;
    FF50State *peer;

    if (!l) {
        return;
    }
    peer = l->peer;
    if (peer) {
        peer->link->peer = NULL;
        l->peer = NULL;
        ff50_link_changed(peer);
    }
    timer_free(l->up_timer);
    timer_free(l->flap_timer);
    g_hash_table_destroy(l->xpcs);
    g_hash_table_destroy(l->ephy);
    g_free(l);
    s->link = NULL;
}

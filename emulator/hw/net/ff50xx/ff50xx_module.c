/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module memory: SFF-8472 for SFP and SFP28, SFF-8636 for QSFP+.  Command
 * 0xC5 and the memory behind command 0xC6 and the I2C controller come from
 * the same bytes, so they cannot disagree.
 */
#include "qemu/osdep.h"
#include "ff50xx_module.h"

#define S10 FF50_SPEED_10G
#define S25 FF50_SPEED_25G
#define S40 FF50_SPEED_40G

static const FF50Module modules[] = {
    { .name = "none" },
    { .name = "sfp28-sr", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_SR, .speeds = S10 | S25,
      .fec = FF50_FEC_RS, .code_10g = 0x10, .code_25g = 0x02,
      .part = "MDL-SFP28-SR" },
    { .name = "sfp28-lr", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_LR, .speeds = S10 | S25,
      .fec = FF50_FEC_OFF, .code_10g = 0x20, .code_25g = 0x03,
      .part = "MDL-SFP28-LR" },
    { .name = "sfp28-er", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_LR, .speeds = S10 | S25,
      .fec = FF50_FEC_OFF, .code_10g = 0x20, .code_25g = 0x04,
      .part = "MDL-SFP28-ER" },
    { .name = "sfp28-dac", .present = true, .id = 0x03, .connector = 0x21,
      .medium = FF50_MEDIUM_CU, .speeds = S10 | S25, .cable_tech = 0x04,
      .fec = FF50_FEC_RS, .code_25g = 0x0B, .part = "MDL-SFP28-DAC" },
    /* short cables that need less */
    { .name = "sfp28-dac-s", .present = true, .id = 0x03, .connector = 0x21,
      .medium = FF50_MEDIUM_CU, .speeds = S10 | S25, .cable_tech = 0x04,
      .fec = FF50_FEC_BASER, .code_25g = 0x0C, .part = "MDL-SFP28-DAC-S" },
    { .name = "sfp28-dac-n", .present = true, .id = 0x03, .connector = 0x21,
      .medium = FF50_MEDIUM_CU, .speeds = S10 | S25, .cable_tech = 0x04,
      .fec = FF50_FEC_OFF, .code_25g = 0x0D, .part = "MDL-SFP28-DAC-N" },
    { .name = "sfp28-aoc", .present = true, .dom = true, .id = 0x03,
      .connector = 0x23, .medium = FF50_MEDIUM_AOC, .speeds = S25,
      .fec = FF50_FEC_RS, .cable_tech = 0x08, .cable_spec = 0x04,
      .code_25g = 0x01, .part = "MDL-SFP28-AOC" },
    { .name = "sfp-sr", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_SR, .speeds = S10,
      .code_10g = 0x10, .part = "MDL-SFP-SR" },
    { .name = "sfp-lr", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_LR, .speeds = S10,
      .code_10g = 0x20, .part = "MDL-SFP-LR" },
    { .name = "sfp-dac", .present = true, .id = 0x03, .connector = 0x21,
      .medium = FF50_MEDIUM_CU, .speeds = S10, .cable_tech = 0x04,
      .part = "MDL-SFP-DAC" },
    /* good memory, but a kind that the port does not support */
    { .name = "sfp-1g", .present = true, .dom = true, .id = 0x03,
      .connector = 0x07, .medium = FF50_MEDIUM_SR, .code_1g = 0x01,
      .part = "MDL-SFP-1G" },
    { .name = "qsfp-sr4", .present = true, .qsfp = true, .dom = true,
      .id = 0x0D, .connector = 0x0C, .medium = FF50_MEDIUM_SR, .speeds = S40,
      .xcvr_type = 0x04, .part = "MDL-QSFP-SR4" },
    { .name = "qsfp-lr4", .present = true, .qsfp = true, .dom = true,
      .id = 0x0D, .connector = 0x07, .medium = FF50_MEDIUM_LR, .speeds = S40,
      .xcvr_type = 0x02, .part = "MDL-QSFP-LR4" },
    { .name = "qsfp-cr4", .present = true, .qsfp = true, .id = 0x0D,
      .connector = 0x23, .medium = FF50_MEDIUM_CU, .speeds = S10 | S40,
      .xcvr_type = 0x08, .part = "MDL-QSFP-CR4" },
    { .name = "qsfp-aoc", .present = true, .qsfp = true, .dom = true,
      .id = 0x0D, .connector = 0x23, .medium = FF50_MEDIUM_AOC, .speeds = S40,
      .xcvr_type = 0x01, .part = "MDL-QSFP-AOC" },
    { .name = "qsfp28-cr4", .present = true, .qsfp = true, .id = 0x11,
      .connector = 0x23, .medium = FF50_MEDIUM_CU, .speeds = S10 | S25 | S40,
      .fec = FF50_FEC_RS, .xcvr_type = 0x80, .ext_compliance = 0x0B,
      .part = "MDL-QSFP28-CR4" },
    /* memory that makes no sense and whose sums are wrong; never links */
    { .name = "junk", .present = true, .id = 0x55, .part = "?" },
};

const FF50Module *ff50_module_find(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(modules); i++) {
        if (!strcmp(modules[i].name, name)) {
            return &modules[i];
        }
    }
    return NULL;
}

uint32_t ff50_speed_bit(uint32_t mbps)
{
    switch (mbps) {
    case 10000:
        return S10;
    case 25000:
        return S25;
    case 40000:
        return S40;
    default:
        return 0;
    }
}

uint32_t ff50_speed_mbps(uint32_t bit)
{
    return bit == S10 ? 10000 : bit == S25 ? 25000 : bit == S40 ? 40000 : 0;
}

static void put_text(uint8_t *p, size_t len, const char *text)
{
    memset(p, ' ', len);
    memcpy(p, text, MIN(len, strlen(text)));
}

static uint8_t sum8(const uint8_t *p, unsigned first, unsigned last)
{
    uint8_t s = 0;

    for (unsigned i = first; i <= last; i++) {
        s += p[i];
    }
    return s;
}

static void put_be16(uint8_t *p, uint16_t v)
{
    p[0] = v >> 8;
    p[1] = v;
}

/* Serial number and date code; the same in SFF-8472 and SFF-8636. */
static void put_serial(uint8_t *p, unsigned serial)
{
    char text[17];

    snprintf(text, sizeof(text), "EMU%05u", serial % 100000);
    put_text(p, 16, text);
    put_text(p + 16, 8, "250101");
}

static void sfp_a0(const FF50Module *m, uint8_t *p, unsigned serial)
{
    memset(p, 0, 256);
    p[0] = m->id;
    p[1] = 0x04;                            /* two-wire interface only */
    p[2] = m->connector;
    p[3] = m->code_10g;
    p[6] = m->code_1g;
    p[8] = m->cable_tech;
    p[11] = m->code_1g ? 0x01 : m->code_25g ? 0x03 : 0x06; /* 8B/10B, NRZ,
                                                            * 64B/66B */
    /* 100 MBd; 0xFF: see byte 66 */
    p[12] = m->code_1g ? 13 : m->code_25g ? 0xFF : 103;
    if (m->medium == FF50_MEDIUM_SR) {
        p[16] = 2;                          /* OM2, 10 m */
        p[18] = 10;                         /* OM4, 10 m */
        p[19] = 7;                          /* OM3, 10 m */
    } else if (m->medium == FF50_MEDIUM_LR) {
        p[14] = 10;                         /* SMF, km */
        p[15] = 100;                        /* SMF, 100 m */
    } else {
        p[18] = 3;                          /* cable, m */
    }
    put_text(p + 20, 16, "EMULATED");
    p[36] = m->code_25g;
    p[37] = 0x02;                           /* OUI, locally administered */
    p[38] = 0x50;
    p[39] = 0x25;
    put_text(p + 40, 16, m->part);
    put_text(p + 56, 4, "A0");
    if (m->cable_tech) {
        p[60] = m->cable_spec;
    } else {
        put_be16(p + 60, m->medium == FF50_MEDIUM_LR ? 1310 : 850);
    }
    p[63] = sum8(p, 0, 62);
    p[65] = m->cable_tech & 0x04 ? 0 : 0x1A; /* TX disable, fault, LOS */
    p[66] = m->code_25g ? 103 : 0;          /* 250 MBd */
    put_serial(p + 68, serial);
    if (m->dom) {
        p[92] = 0x68;                       /* DOM, internally calibrated */
        p[93] = 0xF0;                       /* alarms, soft controls */
        p[94] = 0x08;                       /* SFF-8472 rev 12.0 */
    }
    p[95] = sum8(p, 64, 94);
}

#define TEMP_HIGH_ALARM     75
#define TEMP_LOW_ALARM      (-5)
#define TEMP_HIGH_WARNING   70
#define TEMP_LOW_WARNING    0

/* High alarm, low alarm, high warning, low warning; the highest bit first. */
static uint8_t temp_flags(int t)
{
    return (t > TEMP_HIGH_ALARM) << 3 | (t < TEMP_LOW_ALARM) << 2 |
           (t > TEMP_HIGH_WARNING) << 1 | (t < TEMP_LOW_WARNING);
}

static void sfp_a2(const FF50ModuleLive *live, uint8_t *p)
{
    static const uint16_t limits[] = {
        /* high alarm, low alarm, high warning, low warning */
        0x4B00, 0xFB00, 0x4600, 0x0000,     /* temperature, 1/256 C */
        0x8CA0, 0x7530, 0x88B8, 0x7918,     /* Vcc, 100 uV */
        0x1D4C, 0x01F4, 0x1770, 0x03E8,     /* bias, 2 uA */
        0x45A0, 0x06F2, 0x3775, 0x08BE,     /* Tx power, 0.1 uW */
        0x4DF1, 0x0194, 0x3DE9, 0x0285,     /* Rx power, 0.1 uW */
    };
    unsigned i;

    memset(p, 0, 256);
    for (i = 0; i < ARRAY_SIZE(limits); i++) {
        put_be16(p + 2 * i, limits[i]);
    }
    put_be16(p + 68, 0x3F80);               /* Rx_PWR(1) = 1.0, float */
    put_be16(p + 76, 0x0100);
    put_be16(p + 80, 0x0100);
    put_be16(p + 84, 0x0100);
    put_be16(p + 88, 0x0100);
    p[95] = sum8(p, 0, 94);
    put_be16(p + 96, live->temperature * 256);
    put_be16(p + 98, 33000);                /* 3.3 V */
    if (!live->tx_disable && !live->tx_fault) {
        put_be16(p + 100, 3250);            /* 6.5 mA */
        put_be16(p + 102, 7943);            /* -1 dBm */
    }
    if (!live->rx_los) {
        put_be16(p + 104, 6310);            /* -2 dBm */
    }
    p[110] = live->tx_disable << 7 | live->tx_fault << 2 | live->rx_los << 1;
    p[112] = (temp_flags(live->temperature) & 0xC) << 4;
    p[116] = (temp_flags(live->temperature) & 0x3) << 6;
    if (live->rx_los) {
        p[113] = p[117] = 0x40;             /* Rx power low */
    }
}

static void qsfp_lower(const FF50Module *m, const FF50ModuleLive *live,
                       uint8_t *p)
{
    memset(p, 0, 128);
    p[0] = m->id;
    p[1] = 0x05;                            /* SFF-8636 rev 2.0 */
    p[2] = 0x02 | (m->dom ? 0 : 0x04);      /* no IntL; flat if no pages */
    p[3] = (live->tx_fault ? 0xF0 : 0) | (live->rx_los ? 0x0F : 0);
    p[4] = live->tx_fault ? 0x0F : 0;
    if (m->dom) {
        p[6] = temp_flags(live->temperature) << 4;
        put_be16(p + 22, live->temperature * 256);
        put_be16(p + 26, 33000);
        for (unsigned i = 0; i < 4; i++) {
            put_be16(p + 34 + 2 * i, live->rx_los ? 0 : 6310);
            put_be16(p + 42 + 2 * i, live->tx_fault ? 0 : 3250);
            put_be16(p + 50 + 2 * i, live->tx_fault ? 0 : 7943);
        }
        if (live->rx_los) {
            p[9] = p[10] = 0x55;            /* Rx power low, all lanes */
        }
    }
}

/* Application select table: 100GBASE-SR4's place in it, and no more. */
static void qsfp_page1(uint8_t *p)
{
    memset(p, 0, 128);
    p[1] = 0;                               /* one entry */
    p[2] = 0x01;
    p[3] = 0x0B;
    p[0] = sum8(p, 1, 127);
}

/* What a user of the module may have stored there. */
static void qsfp_page2(uint8_t *p, unsigned serial)
{
    for (unsigned i = 0; i < 128; i++) {
        p[i] = i ^ 0xA5 ^ serial;
    }
}

static void qsfp_page0(const FF50Module *m, uint8_t *p, unsigned serial)
{
    memset(p, 0, 128);                      /* p[0] is byte 128 */
    p[0] = m->id;
    p[2] = m->connector;
    p[3] = m->xcvr_type;
    p[11] = 0x05;                           /* 64B/66B */
    p[12] = 103;                            /* 100 MBd per lane */
    if (m->medium == FF50_MEDIUM_SR) {
        p[15] = 50;                         /* OM3, 2 m */
    } else if (m->medium == FF50_MEDIUM_LR) {
        p[14] = 10;                         /* SMF, km */
    } else {
        p[18] = 3;                          /* copper, m */
    }
    p[19] = m->medium == FF50_MEDIUM_CU ? 0xA0 :
            m->medium == FF50_MEDIUM_LR ? 0x40 : 0x00;
    put_text(p + 20, 16, "EMULATED");
    p[37] = 0x02;
    p[38] = 0x50;
    p[39] = 0x40;
    put_text(p + 40, 16, m->part);
    put_text(p + 56, 2, "A0");
    if (m->medium != FF50_MEDIUM_CU) {
        /* nm * 20 */
        put_be16(p + 58, m->medium == FF50_MEDIUM_LR ? 26200 : 17000);
    }
    p[62] = 70;                             /* C */
    p[63] = sum8(p, 0, 62);
    p[64] = m->ext_compliance;
    p[67] = m->dom ? 0xC2 : 0x00;           /* pages 01, 02, TX disable */
    put_serial(p + 68, serial);
    p[92] = m->dom ? 0x0C : 0x00;           /* average Rx, Tx power */
    p[95] = sum8(p, 64, 94);
}

static void qsfp_page3(uint8_t *p)
{
    static const struct { uint8_t at; uint16_t v[4]; } limits[] = {
        { 128, { 0x4B00, 0xFB00, 0x4600, 0x0000 } },
        { 144, { 0x8CA0, 0x7530, 0x88B8, 0x7918 } },
        { 176, { 0x4DF1, 0x0194, 0x3DE9, 0x0285 } },
        { 184, { 0x1D4C, 0x01F4, 0x1770, 0x03E8 } },
        { 192, { 0x45A0, 0x06F2, 0x3775, 0x08BE } },
    };

    memset(p, 0, 128);
    for (unsigned i = 0; i < ARRAY_SIZE(limits); i++) {
        for (unsigned j = 0; j < 4; j++) {
            put_be16(p + limits[i].at - 128 + 2 * j, limits[i].v[j]);
        }
    }
}

static uint8_t junk_byte(unsigned offset, unsigned serial)
{
    uint32_t x = (offset + 1) * 2654435761u + serial * 40503u;

    return offset == 0 ? 0x55 : x >> 24;
}

/* Upper half of A2h: pages 0 and 1 are the user's, 2 and 3 are control. */
static void sfp_a2_page(uint8_t *p, uint8_t page, unsigned serial)
{
    for (unsigned i = 0; i < 128; i++) {
        p[i] = (i + serial) ^ page << 5;
    }
}

/* Pages that the module lets a host select; page 0 always. */
bool ff50_module_has_page(const FF50Module *m, uint8_t i2c, uint8_t page)
{
    if (!m->present || (i2c != 0x50 && (m->qsfp || !m->dom))) {
        return false;
    }
    return !page || (page <= 3 && m->dom && (m->qsfp || i2c == 0x51));
}

uint8_t ff50_module_byte(const FF50Module *m, const FF50ModuleLive *live,
                         uint8_t i2c, uint8_t page, uint8_t offset,
                         unsigned serial)
{
    uint8_t mem[256];

    if (!m->present) {
        return 0xFF;
    }
    if (m->medium == FF50_MEDIUM_NONE) {
        return junk_byte(offset, serial);
    }
    page = ff50_module_has_page(m, i2c, page) ? page : 0;
    if (!m->qsfp) {
        if (i2c == 0x50) {
            sfp_a0(m, mem, serial);
            return mem[offset];
        }
        if (!m->dom) {
            return 0xFF;
        }
        sfp_a2(live, mem);
        mem[FF50_PAGE_SELECT] = page;
        sfp_a2_page(mem + 128, page, serial);
        return mem[offset];
    }
    if (i2c != 0x50) {
        return 0xFF;
    }
    if (offset < 128) {
        qsfp_lower(m, live, mem);
        mem[FF50_PAGE_SELECT] = page;
        return mem[offset];
    }
    switch (page) {
    case 0:
        qsfp_page0(m, mem, serial);
        break;
    case 1:
        qsfp_page1(mem);
        break;
    case 2:
        qsfp_page2(mem, serial);
        break;
    default:
        qsfp_page3(mem);
        break;
    }
    return mem[offset - 128];
}

void ff50_module_info(const FF50Module *m, uint8_t out[16])
{
    static const FF50ModuleLive still;

    memset(out, 0, 16);
    if (!m->present) {
        return;
    }
    out[0] = ff50_module_byte(m, &still, 0x50, 0, 0x00, 0);
    if (m->qsfp) {
        out[9] = ff50_module_byte(m, &still, 0x50, 0, 0x83, 0);
        out[10] = ff50_module_byte(m, &still, 0x50, 0, 0xC0, 0);
        return;
    }
    out[1] = ff50_module_byte(m, &still, 0x50, 0, 0x06, 0);
    out[2] = ff50_module_byte(m, &still, 0x50, 0, 0x03, 0);
    out[3] = ff50_module_byte(m, &still, 0x50, 0, 0x24, 0);
    out[4] = ff50_module_byte(m, &still, 0x50, 0, 0x3C, 0);
    out[5] = ff50_module_byte(m, &still, 0x50, 0, 0x08, 0);
    out[6] = ff50_module_byte(m, &still, 0x50, 0, 0x25, 0);
    out[7] = ff50_module_byte(m, &still, 0x50, 0, 0x26, 0);
    out[8] = ff50_module_byte(m, &still, 0x50, 0, 0x27, 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the functions of one card share: MIS, FMGR and thermal registers, the
 * semaphores, the SPI flash and the EEPROM image.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "ff50xx_int.h"

static QTAILQ_HEAD(, FF50Card) cards = QTAILQ_HEAD_INITIALIZER(cards);

/* EEPROM words, hardware/03 section 3; SW = word[0x1C] / 2 */
#define EE_SW_PTR       0x1C
#define EE_SW           0x80
#define EE_PBA          (EE_SW + 0x05)
#define EE_OPTION_ROM   (EE_SW + 0x07)
#define EE_DEVICE_CAPS  (EE_SW + 0x1C)
#define EE_VERSION_LOW  (EE_SW + 0x1D)
#define EE_VERSION_HIGH (EE_SW + 0x1E)
#define EE_CHECKSUM     (EE_SW + 0x2F)
#define EE_I2C_FIRST    0x580
#define CAPS_WOL_BOTH   0x0004
#define SUBSYS_WOL      0x4000          /* subsystem id: the board can wake */
#define FLASH_SERIAL    0xF0000
#define SERIAL_BYTES    (24 * 4)

/* Any module allowed; wake-up on both ports if a port's board can do it. */
static uint16_t ff50_device_caps(const FF50Card *card)
{
    uint16_t caps = 0x0001;

    for (unsigned i = 0; i < ARRAY_SIZE(card->port); i++) {
        const FF50State *p = card->port[i];

        if (p && p->prop_eeprom_caps != UINT32_MAX) {
            return p->prop_eeprom_caps;
        }
        if (p && (p->prop_subsys & SUBSYS_WOL)) {
            caps |= CAPS_WOL_BOTH;
        }
    }
    return caps;
}

static void put_words(uint16_t *w, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        w[i / 2] |= (uint16_t)(uint8_t)text[i] << (i % 2 * 8);
    }
}

/* Vital product data: a name, and part and serial number with their sum. */
static void ff50_vpd_build(FF50Card *card, uint16_t *w)
{
    static const char name[] = "Emulated Amber-Lite adapter";
    const FF50State *p = card->port[0] ?: card->port[1];
    const uint8_t *m = p ? p->nic_conf.macaddr.a : (const uint8_t *)name;
    g_autoptr(GString) v = g_string_new("");
    g_autoptr(GString) r = g_string_new("");
    uint8_t sum = 0;

    g_string_append_printf(r, "PN%cEMU-FF50SN%cEMU%02X%02X%02X%02X%02X%02XRV",
                           8, 15, m[0], m[1], m[2], m[3], m[4], m[5]);
    g_string_append_c(v, 0x82);
    g_string_append_c(v, sizeof(name) - 1);
    g_string_append_c(v, 0);
    g_string_append(v, name);
    g_string_append_c(v, (char)0x90);
    g_string_append_c(v, r->len + 2);
    g_string_append_c(v, 0);
    g_string_append_len(v, r->str, r->len);
    g_string_append_c(v, 1);
    for (size_t i = 0; i < v->len; i++) {
        sum += v->str[i];
    }
    g_string_append_c(v, -sum);
    g_string_append_c(v, 0x78);
    put_words(w + FLASH_VPD / 2, v->str, v->len);
}

static void ff50_eeprom_build(FF50Card *card)
{
    uint16_t *w = card->flash;
    uint16_t sum = 0;
    unsigned i;

    memset(w, 0, sizeof(card->flash));
    ff50_vpd_build(card, w);
    w[EE_SW_PTR] = EE_SW * 2;
    w[EE_PBA] = 0x0050;
    w[EE_PBA + 1] = 0x2500;
    w[EE_DEVICE_CAPS] = ff50_device_caps(card);
    /* the low byte tells a known driver that LLDP commands are there */
    w[EE_VERSION_LOW] = 0x0025;
    w[EE_VERSION_HIGH] = 0x0002;
    /* drivers disagree about which of these the sum skips: all ones suits all */
    for (i = EE_I2C_FIRST; i < FF50_EEPROM_WORDS; i++) {
        w[i] = 0xFFFF;
    }
    for (i = 0; i < FF50_EEPROM_WORDS; i++) {
        sum += w[i];
    }
    w[EE_CHECKSUM] = 0xBABA - sum;
}

/* SPI flash as far as drivers look at it; erased bytes elsewhere. */
static uint8_t ff50_flash_byte(FF50State *s, uint32_t a)
{
    uint16_t devid = pci_get_word(s->parent_obj.config + PCI_DEVICE_ID);
    unsigned lan;

    if (a < sizeof(s->card->flash)) {
        return s->card->flash[a / 2] >> (a % 2 * 8);
    }
    if (a >= FLASH_SERIAL && a < FLASH_SERIAL + SERIAL_BYTES) {
        g_autofree char *t = g_strdup_printf("EMU%016" PRIX64,
                                             s->prop_serial);

        return a - FLASH_SERIAL < strlen(t) ? t[a - FLASH_SERIAL] : 0;
    }
    for (lan = 0; lan < 2; lan++) {
        uint32_t base = 0x6000C + 0x10000 * lan;
        FF50State *p = s->card->port[lan];
        const uint8_t *m;

        if (!p) {
            continue;
        }
        m = p->nic_conf.macaddr.a;
        if (a >= base && a < base + 4) {            /* RAR AD_L */
            return m[5 - (a - base)];
        }
        if (a >= base + 8 && a < base + 12) {       /* RAR AD_H, AV set */
            const uint8_t h[4] = { m[1], m[0], 0, 0x80 };

            return h[a - base - 8];
        }
    }
    switch (a) {
    case 0xFFFDC:
        return s->prop_subsys >> 8;
    case 0xFFFDD:
        return s->prop_subsys;
    case 0xFFFDE:
        return devid >> 8;
    case 0xFFFDF:
        return devid;
    default:
        return 0xFF;
    }
}

uint32_t ff50_flash_read(FF50State *s, uint32_t addr)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < 4; i++) {
        v |= (uint32_t)ff50_flash_byte(s, addr + i) << (8 * i);
    }
    return v;
}

void ff50_card_reset(FF50Card *card)
{
    memset(card->mis, 0, sizeof(card->mis));
    memset(card->mng, 0, sizeof(card->mng));
    memcpy(card->eeprom, card->flash, sizeof(card->eeprom));
    ff50_therm_reset(card);
}

bool ff50_card_join(FF50State *s, Error **errp)
{
    g_autofree char *name = NULL;
    FF50Card *card;

    /* without card= a function is a card of its own */
    name = s->prop_card ? g_strdup(s->prop_card)
                        : g_strdup_printf("%s@%p", ff50_id(s), s);
    QTAILQ_FOREACH(card, &cards, next) {
        if (!strcmp(card->name, name)) {
            break;
        }
    }
    if (!card) {
        card = g_new0(FF50Card, 1);
        card->name = g_steal_pointer(&name);
        QTAILQ_INSERT_TAIL(&cards, card, next);
        ff50_therm_init(card);
    }
    if (card->port[s->prop_port]) {
        error_setg(errp, "port %u of card '%s' is there already",
                   s->prop_port, card->name);
        return false;
    }
    card->port[s->prop_port] = s;
    s->card = card;
    ff50_eeprom_build(card);
    ff50_card_reset(card);
    return true;
}

void ff50_card_leave(FF50State *s)
{
    FF50Card *card = s->card;

    if (!card) {
        return;
    }
    card->port[s->prop_port] = NULL;
    s->card = NULL;
    if (!card->port[0] && !card->port[1]) {
        QTAILQ_REMOVE(&cards, card, next);
        g_free(card->name);
        g_free(card);
    }
}

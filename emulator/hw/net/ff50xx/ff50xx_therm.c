/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Temperature sensor of a card (hardware/06 section 6, AML layout).
 *
 * The thresholds and the order of events are the reference's; that an alarm
 * is raised once when the upper threshold is reached, and a release once when
 * it has fallen below the lower one, is a reading of the register names, as
 * is that the sensor has nothing to say before TS_ENA switches it on.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "ff50xx_int.h"

#define TS_RAW_HI       0x10300
#define TS_RAW_LO       0x10308
#define TS_STS_HIGH     0x1030C
#define TS_EN_HIGH      0x10318
#define TS_EN_LOW       0x10320
#define TS_CTL1         0x10330
#define  CTL1_ALARM(v)  ((v) >> 17 & 0xFFF)
#define  CTL1_RELEASE(v) ((v) >> 5 & 0xFFF)
#define TS_ENA          0x10338
#define TS_VALID        (1u << 12)
#define RAW_HI_ALARM    (1u << 1)
#define RAW_LO_RELEASE  (1u << 0)

/* Highest and lowest that the code can say, in degrees Celsius. */
#define TS_MIN          (-68)
#define TS_MAX          152

static uint32_t *ts_reg(FF50Card *card, uint32_t off)
{
    return &card->mis[(off - FF50_SHARED_MIS) / 4];
}

/* T = (419400 + 2205 * (code * 1000 / 4094 - 500)) / 10000 */
static int ts_celsius(unsigned code)
{
    double t = (419400 + 2205 * (code * 1000.0 / 4094 - 500)) / 10000;

    return (int)(t < 0 ? t - 0.5 : t + 0.5);
}

static unsigned ts_code(int celsius)
{
    double c = ((celsius * 10000.0 - 419400) / 2205 + 500) * 4094 / 1000;

    return c < 0 ? 0 : c > 0xFFF ? 0xFFF : (unsigned)(c + 0.5);
}

static bool ts_on(FF50Card *card)
{
    return *ts_reg(card, TS_ENA) & 1;
}

static void ts_look(FF50Card *card)
{
    uint32_t ctl = *ts_reg(card, TS_CTL1), raised = 0;

    if (!ts_on(card) || !card->ts_valid || !CTL1_ALARM(ctl)) {
        return;
    }
    if (!card->ts_hot && card->ts_code >= CTL1_ALARM(ctl)) {
        card->ts_hot = true;
        *ts_reg(card, TS_RAW_HI) |= RAW_HI_ALARM;
        raised = *ts_reg(card, TS_EN_HIGH) & RAW_HI_ALARM;
    } else if (card->ts_hot && card->ts_code < CTL1_RELEASE(ctl)) {
        card->ts_hot = false;
        *ts_reg(card, TS_RAW_LO) |= RAW_LO_RELEASE;
        raised = *ts_reg(card, TS_EN_LOW) & RAW_LO_RELEASE;
    }
    for (unsigned i = 0; raised && i < ARRAY_SIZE(card->port); i++) {
        if (card->port[i]) {
            ff50_misc_cause(card->port[i], MISC_OVER_HEAT);
        }
    }
}

uint32_t ff50_therm_rd(FF50State *s, unsigned idx, uint32_t off)
{
    FF50Card *card = s->card;

    if (off == TS_STS_AML) {
        return !ts_on(card) ? 0 :
               (card->ts_valid ? TS_VALID : 0) | card->ts_code;
    }
    /* status is what is raised and enabled */
    return *ts_reg(card, TS_RAW_HI + 4 * idx) &
           *ts_reg(card, TS_EN_HIGH + 4 * idx);
}

void ff50_therm_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                   uint32_t val)
{
    if (off >= TS_RAW_HI && off <= TS_RAW_LO) {
        *ts_reg(s->card, off) = old & ~val;
        return;
    }
    if (off >= TS_STS_HIGH && off < TS_EN_HIGH) {
        return;                 /* where the older chip has its thresholds */
    }
    ts_look(s->card);
}

void ff50_therm_init(FF50Card *card)
{
    card->ts_code = 2047;       /* the middle, 42 degrees */
    card->ts_valid = true;
}

void ff50_therm_reset(FF50Card *card)
{
    card->ts_hot = false;
}

static void get_temperature(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    int64_t t = s->card ? ts_celsius(s->card->ts_code) : 0;

    visit_type_int(v, name, &t, errp);
}

static void set_temperature(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);
    int64_t t;

    if (!visit_type_int(v, name, &t, errp)) {
        return;
    }
    if (!s->card || t < TS_MIN || t > TS_MAX) {
        error_setg(errp, "temperature is %d..%d, at run time", TS_MIN, TS_MAX);
        return;
    }
    s->card->ts_code = ts_code(t);
    ts_look(s->card);
}

static bool get_valid(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return s->card && s->card->ts_valid;
}

static void set_valid(Object *obj, bool v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    if (s->card) {
        s->card->ts_valid = v;
        ts_look(s->card);
    } else {
        error_setg(errp, "temperature-valid works at run time only");
    }
}

void ff50_therm_props(ObjectClass *klass)
{
    object_class_property_add(klass, "temperature", "int", get_temperature,
                              set_temperature, NULL, NULL);
    object_class_property_add_bool(klass, "temperature-valid", get_valid,
                                   set_valid);
}

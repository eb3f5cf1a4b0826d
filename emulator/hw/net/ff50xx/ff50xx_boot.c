/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reset starts (hardware/01): the image loader copies flash content to
 * registers, the firmware comes up.  Both are done at once, unless fault-boot
 * holds one of them up for a time counted from the reset, or for good.
 *
 * A load belongs to the card (power, bus, SW reset) or to a port (LAN reset);
 * there is one firmware, and one MNG_INIT_DN, for the card.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "ff50xx_int.h"

#define ILDR_PERST      (1u << 0)
#define ILDR_POWER      (1u << 1)
#define ILDR_SW         (1u << 7)
#define ILDR_LAN(i)     (1u << (9 + (i)))
#define FOR_EVER        INT64_MAX

static bool boot_holds(const FF50State *s, FF50FaultBoot what)
{
    return s->fault.boot == what || s->fault.boot == FF50_BOOT_ALL;
}

/* When that which began at @since is over, as far as port @s goes. */
static int64_t boot_end(const FF50State *s, int64_t since)
{
    return s->fault.boot_ms ? since + (int64_t)s->fault.boot_ms * SCALE_MS
                            : FOR_EVER;
}

/* Loads that are not done; *@until: when the last of those in @mask will be. */
static uint32_t boot_loads(const FF50State *s, uint32_t mask, int64_t *until)
{
    const FF50Card *card = s->card;
    int64_t now = ff50_now_ns();
    uint32_t pending = 0;

    *until = 0;
    for (unsigned lan = 0; lan < ARRAY_SIZE(card->port); lan++) {
        const FF50State *p = card->port[lan];
        int64_t end;

        if (!p) {
            continue;
        }
        end = boot_end(p, card->load_ns);
        if (boot_holds(p, FF50_BOOT_FLASH) && end > now) {
            pending |= card->loads;
            *until = card->loads & mask ? MAX(*until, end) : *until;
        }
        end = boot_end(p, p->lan_load_ns);
        if (boot_holds(p, FF50_BOOT_LAN) && p->lan_load && end > now) {
            pending |= ILDR_LAN(lan);
            *until = ILDR_LAN(lan) & mask ? MAX(*until, end) : *until;
        }
    }
    return pending;
}

uint32_t ff50_boot_ildr(const FF50State *s)
{
    int64_t until;

    return boot_loads(s, 0, &until);
}

bool ff50_boot_firmware_up(const FF50State *s)
{
    for (unsigned lan = 0; lan < ARRAY_SIZE(s->card->port); lan++) {
        const FF50State *p = s->card->port[lan];

        if (p && boot_holds(p, FF50_BOOT_FIRMWARE) &&
            boot_end(p, s->card->fw_ns) > ff50_now_ns()) {
            return false;
        }
    }
    return true;
}

/* The port's registers are loaded if nothing is in the way, or when it ends. */
static void boot_look(FF50State *s)
{
    uint32_t mine = ILDR_PERST | ILDR_POWER | ILDR_SW | ILDR_LAN(s->prop_port);
    int64_t until;

    timer_del(s->load_timer);
    if (!s->load_due) {
        return;
    }
    if (!(boot_loads(s, mine, &until) & mine)) {
        s->load_due = false;
        ff50_load_rar0(s);
    } else if (until != FOR_EVER) {
        timer_mod(s->load_timer, until);
    }
}

static void boot_timer(void *opaque)
{
    boot_look(opaque);
}

/**
 * ff50_boot_port() - a reset of a port starts its load
 * @s: port, whose registers have been reset
 * @level: LAN or chip; the latter goes with ff50_boot_card()
 */
void ff50_boot_port(FF50State *s, FF50Reset level)
{
    s->lan_load = level == FF50_RESET_LAN;
    s->lan_load_ns = ff50_now_ns();
    s->load_due = true;
    boot_look(s);
}

/**
 * ff50_boot_card() - a reset of the card starts its loads and its firmware
 * @card: card
 * @type: what the reset was; power and bus are not told apart
 */
void ff50_boot_card(FF50Card *card, FF50RstType type)
{
    card->loads = type == FF50_RST_TYPE_SW || type == FF50_RST_TYPE_GLOBAL
                  ? card->loads | ILDR_SW : ILDR_PERST | ILDR_POWER;
    card->load_ns = card->fw_ns = ff50_now_ns();
}

void ff50_boot_firmware(FF50Card *card)
{
    card->fw_ns = ff50_now_ns();
}

void ff50_boot_fault_changed(FF50State *s)
{
    for (unsigned lan = 0; s->card && lan < ARRAY_SIZE(s->card->port); lan++) {
        FF50State *p = s->card->port[lan];

        if (p && p->load_timer) {
            boot_look(p);
        }
    }
}

void ff50_boot_init(FF50State *s)
{
    s->load_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, boot_timer, s);
}

void ff50_boot_fini(FF50State *s)
{
    if (s->load_timer) {
        timer_free(s->load_timer);
        s->load_timer = NULL;
    }
}

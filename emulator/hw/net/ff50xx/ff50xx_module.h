/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pluggable modules: what they can do and what their memory holds. */
#ifndef HW_NET_FF50XX_MODULE_H
#define HW_NET_FF50XX_MODULE_H

#include "qemu/osdep.h"

typedef enum FF50Medium {
    FF50_MEDIUM_NONE, FF50_MEDIUM_SR, FF50_MEDIUM_LR, FF50_MEDIUM_CU,
    FF50_MEDIUM_AOC,
} FF50Medium;

#define FF50_SPEED_10G          (1u << 0)
#define FF50_SPEED_25G          (1u << 1)
#define FF50_SPEED_40G          (1u << 2)

/* As in byte 7 of command 0xC1. */
#define FF50_FEC_RS             (1u << 0)
#define FF50_FEC_BASER          (1u << 1)
#define FF50_FEC_OFF            (1u << 2)
#define FF50_FEC_ANY            7u

#define FF50_PAGE_SELECT        0x7F    /* byte of the lower memory */

typedef struct FF50Module {
    const char *name;
    bool present;
    bool qsfp;
    bool dom;
    FF50Medium medium;          /* both ends of a cable must agree */
    uint32_t speeds;            /* FF50_SPEED_* */
    uint8_t fec;                /* FF50_FEC_*: what 25G runs with by itself */
    uint8_t id, connector;
    uint8_t code_1g, code_10g, code_25g, cable_tech, cable_spec;    /* SFP */
    uint8_t xcvr_type, ext_compliance;                      /* QSFP */
    const char *part;
} FF50Module;

/* What diagnostics show of the moment. */
typedef struct FF50ModuleLive {
    int16_t temperature;        /* degrees Celsius */
    bool tx_disable;            /* the laser is switched off */
    bool tx_fault;
    bool rx_los;
} FF50ModuleLive;

const FF50Module *ff50_module_find(const char *name);
uint32_t ff50_speed_bit(uint32_t mbps);
uint32_t ff50_speed_mbps(uint32_t bit);

/*
 * Memory as ethtool sees it by page: i2c 0x50 or 0x51, offset 0-255 (128-255
 * in the given page).  serial makes two modules differ.  A page that does
 * not exist cannot be selected, page 0 stays in place; a device that does not
 * exist reads 0xFF.
 */
uint8_t ff50_module_byte(const FF50Module *m, const FF50ModuleLive *live,
                         uint8_t i2c, uint8_t page, uint8_t offset,
                         unsigned serial);
bool ff50_module_has_page(const FF50Module *m, uint8_t i2c, uint8_t page);
/* Payload of firmware command 0xC5, 16 bytes. */
void ff50_module_info(const FF50Module *m, uint8_t out[16]);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the shell share among themselves; the data path does not
 * include this.
 */
#ifndef HW_NET_FF50XX_INT_H
#define HW_NET_FF50XX_INT_H

#include "ff50xx_core.h"
#include "ff50xx_module.h"

/* How deep a reset goes; each contains the ones before it. */
typedef enum FF50Reset {
    FF50_RESET_MAC,             /* MIS_RST.MAC_RST: 0x11000-0x11FFF */
    FF50_RESET_LAN,             /* MIS_RST.LAN_RST, FLR */
    FF50_RESET_CHIP,            /* MIS_RST.SW_RST, GLOBAL_RST; power-on */
} FF50Reset;

/* MIS_RST_ST bits 18:16 */
typedef enum FF50RstType {
    FF50_RST_TYPE_PE, FF50_RST_TYPE_POWER, FF50_RST_TYPE_HOT,
    FF50_RST_TYPE_SW, FF50_RST_TYPE_FW, FF50_RST_TYPE_GLOBAL,
} FF50RstType;

#define FF50_EEPROM_WORDS       2048
#define FLASH_VPD               0x500
#define FLASH_VPD_BYTES         0x100
#define FF50_SHARED_MIS         0x10000     /* ..0x103FF */
#define FF50_SHARED_MNG         0x1E000     /* ..0x1E00F */

/* The functions that name the same card= share one of these. */
struct FF50Card {
    char *name;
    FF50State *port[2];
    uint32_t mis[0x400 / 4];
    uint32_t mng[0x10 / 4];
    uint16_t eeprom[FF50_EEPROM_WORDS];         /* shadow RAM */
    uint16_t flash[FF50_EEPROM_WORDS];          /* what a reset loads it from */
    uint16_t ts_code;                           /* temperature sensor */
    bool ts_valid, ts_hot;
    uint32_t loads;                             /* SPI_ILDR_STATUS: started */
    int64_t load_ns, fw_ns;                     /* when they, and firmware, were */
    QTAILQ_ENTRY(FF50Card) next;
};

/* ff50xx.c */
void ff50_for_each(void (*fn)(FF50State *s, void *opaque), void *opaque);
/* Resets the port the way the level says; used by MIS_RST and firmware. */
void ff50_port_reset(FF50State *s, FF50Reset level);
void ff50_chip_reset(FF50Card *card, FF50RstType type);

/* ff50xx_boot.c */
void ff50_boot_init(FF50State *s);
void ff50_boot_fini(FF50State *s);
void ff50_boot_card(FF50Card *card, FF50RstType type);
void ff50_boot_port(FF50State *s, FF50Reset level);
void ff50_boot_firmware(FF50Card *card);        /* MIS_RST.FW_RST */
void ff50_boot_fault_changed(FF50State *s);
uint32_t ff50_boot_ildr(const FF50State *s);    /* SPI_ILDR_STATUS */
bool ff50_boot_firmware_up(const FF50State *s);

/* ff50xx_card.c */
bool ff50_card_join(FF50State *s, Error **errp);
void ff50_card_leave(FF50State *s);
void ff50_card_reset(FF50Card *card);
uint32_t ff50_flash_read(FF50State *s, uint32_t addr);

/* ff50xx_regs.c */
void ff50_regs_init(void);
uint32_t ff50_reg_read(FF50State *s, uint32_t off);
void ff50_reg_write(FF50State *s, uint32_t off, uint32_t val);
void ff50_regs_reset(FF50State *s, FF50Reset level);
/* What the image loader copies from flash: the permanent address. */
void ff50_load_rar0(FF50State *s);
/* Writes "NAME(i)" or "0x..." into buf and returns it. */
const char *ff50_reg_name(uint32_t off, char *buf, size_t len);

/* ff50xx_irq.c */
void ff50_irq_init(FF50State *s);
void ff50_irq_fini(FF50State *s);
void ff50_irq_reset(FF50State *s);
void ff50_irq_eval(FF50State *s);
uint32_t ff50_irq_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_irq_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val);

/* ff50xx_fw.c */
void ff50_fw_init(FF50State *s);
void ff50_fw_fini(FF50State *s);
void ff50_fw_reset(FF50State *s);
void ff50_fw_doorbell(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                      uint32_t val);
void ff50_fw_old_doorbell(FF50State *s, unsigned idx, uint32_t off,
                          uint32_t old, uint32_t val);
char *ff50_fw_driver_version(FF50State *s);

/* ff50xx_link.c */
void ff50_link_init(FF50State *s);
void ff50_link_fini(FF50State *s);
void ff50_link_power_on(FF50State *s);
/* The other port, a property or a pin changed: look again. */
void ff50_link_changed(FF50State *s);
/* Firmware command 0xC1; false if the port cannot do that speed. */
bool ff50_link_set(FF50State *s, uint32_t mbps, bool autoneg, uint8_t fec);
/* fec: of the running link, or what was asked for while it is down. */
void ff50_link_get(FF50State *s, uint32_t *mbps, bool *autoneg, uint8_t *fec);
const FF50Module *ff50_link_module(FF50State *s);
bool ff50_link_set_module(FF50State *s, const char *name, Error **errp);
const char *ff50_link_module_name(FF50State *s);
/* A byte of the module's memory as it reads now. */
uint8_t ff50_link_module_byte(FF50State *s, uint8_t i2c, uint8_t page,
                              uint8_t offset);
bool ff50_link_cable(FF50State *s);
void ff50_link_set_cable(FF50State *s, bool on);
void ff50_link_flap_changed(FF50State *s);
void ff50_link_pair(FF50State *s);
FF50State *ff50_link_peer(FF50State *s);
void ff50_link_netdev_changed(FF50State *s);
void ff50_link_props(ObjectClass *klass);
uint32_t ff50_gpio_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_gpio_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                  uint32_t val);
uint32_t ff50_port_st_rd(FF50State *s, unsigned idx, uint32_t off);
uint32_t ff50_phy_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_phy_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val);
uint32_t ff50_i2c_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_i2c_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val);

/* ff50xx_pm.c */
void ff50_pm_init(FF50State *s);
bool ff50_pm_asleep(const FF50State *s);        /* not in D0 */
void ff50_pm_frame(FF50State *s, const uint8_t *p, uint32_t len);
void ff50_pm_link_changed(FF50State *s);

/* ff50xx_therm.c */
void ff50_therm_init(FF50Card *card);
void ff50_therm_reset(FF50Card *card);
uint32_t ff50_therm_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_therm_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                   uint32_t val);
void ff50_therm_props(ObjectClass *klass);

/* ff50xx_wire.c */
void ff50_wire_flow_changed(FF50State *s);      /* pause set-up was written */
void ff50_wire_rx_flush(FF50State *s);          /* packet buffer is emptied */
bool ff50_wire_init(FF50State *s, Error **errp);
void ff50_wire_fini(FF50State *s);
void ff50_wire_flush(FF50State *s);         /* frames in flight are lost */
void ff50_wire_link_event(FF50State *s, bool up);
void ff50_wire_gate_changed(FF50State *s);
void ff50_wire_props(ObjectClass *klass);

/* ff50xx_stats.c */
void ff50_stats_reset(FF50State *s);
uint32_t ff50_stats_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_mmc_control_wr(FF50State *s, unsigned idx, uint32_t off,
                         uint32_t old, uint32_t val);
void ff50_stats_mac_tx(FF50State *s, const uint8_t *frame, uint32_t len);
void ff50_stats_mac_rx(FF50State *s, const uint8_t *frame, uint32_t len,
                       unsigned flags);         /* FF50_RXF_* */
void ff50_stats_pause_rx(FF50State *s, bool xoff);
void ff50_stats_pause_tx(FF50State *s, bool xoff);
char *ff50_counters_json(FF50State *s);

/* ff50xx_ptp.c */
void ff50_ptp_init(FF50State *s);
void ff50_ptp_fini(FF50State *s);
void ff50_ptp_reset(FF50State *s);
void ff50_ptp_props(ObjectClass *klass);
uint32_t ff50_ptp_rd(FF50State *s, unsigned idx, uint32_t off);
void ff50_ptp_wr(FF50State *s, unsigned idx, uint32_t off, uint32_t old,
                 uint32_t val);

#endif

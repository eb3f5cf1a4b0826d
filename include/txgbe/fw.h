/* SPDX-License-Identifier: GPL-2.0-only */
/* Firmware mailbox and what is read through it. Implemented in src/hw. */
#ifndef TXGBE_FW_H
#define TXGBE_FW_H

#include <linux/bits.h>
#include <linux/types.h>

#include "hw/fwcmd.h"

struct txgbe_dev;
struct txgbe_nvm_version;

#define TXGBE_FW_TIMEOUT_MS	1000	/* longest wait for one answer */
#define TXGBE_FW_HOLD_MIN_MS	2000	/* left alone after one lost answer */
#define TXGBE_FW_HOLD_MAX_MS	16000	/* and after several in a row */

/**
 * struct txgbe_fw_module_part - a piece of the module's memory
 * @i2c_addr: 7-bit address, 0x50 or 0x51
 * @bank: bank of the page
 * @page: what lies at offsets 128..255
 * @offset: first byte
 * @len: bytes
 */
struct txgbe_fw_module_part {
	u8 i2c_addr;
	u8 bank;
	u8 page;
	u8 offset;
	u8 len;
};

void txgbe_fw_init(struct txgbe_dev *fd);
void txgbe_fw_fini(struct txgbe_dev *fd);
int txgbe_fw_cmd(struct txgbe_dev *fd, enum txgbe_fw_op op, void *req, size_t req_len,
		 void *rsp, size_t rsp_len, size_t rsp_min);
void txgbe_fw_retry(struct txgbe_dev *fd);
int txgbe_fw_test(struct txgbe_dev *fd);
int txgbe_fw_get_link(struct txgbe_dev *fd, struct txgbe_fw_get_link_rsp *rsp);
int txgbe_fw_set_link(struct txgbe_dev *fd, u8 speed_code, bool autoneg, u8 fec);
int txgbe_fw_set_pps(struct txgbe_dev *fd, bool on, u64 ns, u64 cycles);
int txgbe_fw_get_module(struct txgbe_dev *fd, struct txgbe_fw_module_rsp *rsp);
int txgbe_fw_read_module(struct txgbe_dev *fd, const struct txgbe_fw_module_part *at, u8 *data);

#define TXGBE_NVM_BYTES		4096	/* EEPROM image that firmware keeps */

/* Device capabilities in it (reference 03 section 3: D, V) */
#define TXGBE_NVM_CAPS_WOL	GENMASK(3, 2)
#define TXGBE_NVM_CAPS_WOL_BOTH		1
#define TXGBE_NVM_CAPS_WOL_PORT0	2

#define TXGBE_NVM_PBA_LEN	24	/* longest part number, with its NUL */

int txgbe_nvm_read(struct txgbe_dev *fd, u16 word, u16 nr_words, u16 *data, bool brief);
int txgbe_nvm_check(struct txgbe_dev *fd, bool brief);
int txgbe_nvm_get_version(struct txgbe_dev *fd, struct txgbe_nvm_version *version);
void txgbe_nvm_read_version(struct txgbe_dev *fd);
int txgbe_nvm_read_pba(struct txgbe_dev *fd, char *buf, size_t size);
int txgbe_nvm_read_subsys(struct txgbe_dev *fd, u16 *subsys);

#endif /* TXGBE_FW_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Module presence and identification, for link.c. */
#ifndef TXGBE_LINK_MODULE_H
#define TXGBE_LINK_MODULE_H

#include <linux/types.h>

struct txgbe_dev;
struct txgbe_fw_module_rsp;
struct txgbe_module;

void txgbe_module_init(struct txgbe_dev *fd);
bool txgbe_module_ack(struct txgbe_dev *fd);
int txgbe_module_has_signal(struct txgbe_dev *fd);
void txgbe_module_arm(struct txgbe_dev *fd, bool present);
int txgbe_module_parse(const struct txgbe_fw_module_rsp *rsp, u32 max_speed_mbps,
		       struct txgbe_module *module);

#endif /* TXGBE_LINK_MODULE_H */

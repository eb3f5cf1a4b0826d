/* SPDX-License-Identifier: GPL-2.0-only */
/* PCI identity of the Amber-Lite adapters (reference 00, section 1 and 2). */
#ifndef TXGBE_HW_IDS_H
#define TXGBE_HW_IDS_H

#include <linux/bits.h>

#define TXGBE_PCI_VENDOR		0x8088

#define TXGBE_PCI_FF5010		0x5010	/* 10G board of the 25G chip */
#define TXGBE_PCI_FF5110		0x5110
#define TXGBE_PCI_FF5025		0x5025	/* 25G */
#define TXGBE_PCI_FF5125		0x5125
#define TXGBE_PCI_FF5040		0x5040	/* 40G */
#define TXGBE_PCI_FF5140		0x5140

/* The subsystem device id describes the board. */
#define TXGBE_SUBSYS_NCSI		BIT(15)	/* sideband: keep the MAC on when down */
#define TXGBE_SUBSYS_WOL		BIT(14)	/* wake-up: keep the MAC on when down */

#endif /* TXGBE_HW_IDS_H */

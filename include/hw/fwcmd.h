/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Firmware commands of the AML mailbox (reference 02 sections 3, 5 and 6).
 * A request is written to SW2FW, its answer read from FW2SW; both are arrays
 * of little-endian dwords, at most 256 bytes. __be32 fields travel big endian.
 */
#ifndef TXGBE_HW_FWCMD_H
#define TXGBE_HW_FWCMD_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#define TXGBE_FW_MAX_BYTES		256

enum txgbe_fw_op {
	TXGBE_FW_READ_NVM	= 0x31,	/* shadow RAM read */
	TXGBE_FW_GET_LINK	= 0xc0,
	TXGBE_FW_SET_LINK	= 0xc1,
	TXGBE_FW_GET_MODULE	= 0xc5,
	TXGBE_FW_READ_MODULE	= 0xc6,	/* module EEPROM */
	TXGBE_FW_SET_PPS	= 0xf6,
};

/* Byte 2 of an answer */
#define TXGBE_FW_STATUS_OK		0x01
#define TXGBE_FW_STATUS_UNKNOWN		0x80

struct txgbe_fw_hdr {
	u8 cmd;			/* enum txgbe_fw_op */
	u8 len;			/* payload bytes, without this header */
	u8 status;		/* request: 0 (long form: length 7:0) */
	u8 index;		/* sequence number, filled by the transport */
};

/* Speed code of GET_LINK and SET_LINK */
#define TXGBE_FW_SPEED_UNKNOWN		0x00
#define TXGBE_FW_SPEED_10G		0x04
#define TXGBE_FW_SPEED_25G		0x10
#define TXGBE_FW_SPEED_40G		0x20

/* FEC mode bits */
#define TXGBE_FW_FEC_RS			BIT(0)	/* clause 91/108 */
#define TXGBE_FW_FEC_BASER		BIT(1)	/* clause 74 */
#define TXGBE_FW_FEC_OFF		BIT(2)
#define TXGBE_FW_FEC_AUTO		(TXGBE_FW_FEC_RS | TXGBE_FW_FEC_BASER | TXGBE_FW_FEC_OFF)

/* READ_NVM uses the long header: hdr.len = length 15:8, hdr.status = 7:0. */
struct txgbe_fw_nvm_req {
	struct txgbe_fw_hdr hdr;
	__be32 addr;		/* bytes, even */
	__be16 len;		/* bytes, even, at most TXGBE_FW_NVM_MAX_BYTES */
	u8 pad[6];
};

#define TXGBE_FW_NVM_REQ_LEN		6	/* value of the length field */
#define TXGBE_FW_NVM_MAX_BYTES		244
#define TXGBE_FW_NVM_DATA_OFFSET	12	/* data in the answer, from its start */

struct txgbe_fw_get_link_req {
	struct txgbe_fw_hdr hdr;
	u8 pad[12];
};

struct txgbe_fw_get_link_rsp {
	struct txgbe_fw_hdr hdr;
	u8 speed;		/* TXGBE_FW_SPEED_* */
	u8 duplex;
	u8 autoneg;
	u8 flow_ctrl;
	u8 power;
	u8 fec;			/* TXGBE_FW_FEC_* */
	u8 pad[6];
};

struct txgbe_fw_set_link_req {
	struct txgbe_fw_hdr hdr;
	u8 speed;		/* TXGBE_FW_SPEED_* */
	u8 duplex;		/* 1 full */
	u8 autoneg;
	u8 fec;			/* TXGBE_FW_FEC_* */
	u8 pad[4];
};

/* Times of the next edge of the pulse, both 0 to end it. Little endian. */
struct txgbe_fw_set_pps_req {
	struct txgbe_fw_hdr hdr;
	u8 lan;
	u8 enable;
	u8 pad[2];
	__le64 ns;		/* the clock's, whole seconds */
	__le64 cycles;		/* SYSTIM */
};

struct txgbe_fw_get_module_req {
	struct txgbe_fw_hdr hdr;
	u8 pad[16];
};

/* Fields are bytes of the module's own memory (reference 02 section 6.3). */
struct txgbe_fw_module_rsp {
	struct txgbe_fw_hdr hdr;
	u8 identifier;		/* TXGBE_MODULE_ID_* */
	u8 com_1g;		/* A0h 0x06 */
	u8 com_10g;		/* A0h 0x03 */
	u8 com_25g;		/* A0h 0x24 */
	u8 cable_spec;		/* A0h 0x3c */
	u8 cable_tech;		/* A0h 0x08 */
	u8 oui[3];		/* A0h 0x25..0x27 */
	u8 transceiver_type;	/* QSFP A0h 0x83 */
	u8 ext_compliance;	/* QSFP A0h 0xc0 */
	u8 pad[5];
};

#define TXGBE_MODULE_ID_SFP		0x03
#define TXGBE_MODULE_ID_QSFP		0x0c
#define TXGBE_MODULE_ID_QSFP_PLUS	0x0d
#define TXGBE_MODULE_ID_QSFP28		0x11

#define TXGBE_MODULE_10G_SR		BIT(4)
#define TXGBE_MODULE_10G_LR		BIT(5)
#define TXGBE_MODULE_25G_SR		0x02
#define TXGBE_MODULE_25G_LR		0x03
#define TXGBE_MODULE_25G_ER		0x04
#define TXGBE_MODULE_25G_CR_RS		0x0b
#define TXGBE_MODULE_25G_CR_BASER	0x0c
#define TXGBE_MODULE_25G_CR_NOFEC	0x0d
#define TXGBE_MODULE_CABLE_PASSIVE	BIT(2)
#define TXGBE_MODULE_CABLE_ACTIVE	BIT(3)
#define TXGBE_MODULE_QSFP_40G_ACTIVE	BIT(0)
#define TXGBE_MODULE_QSFP_40G_LR4	BIT(1)
#define TXGBE_MODULE_QSFP_40G_SR4	BIT(2)
#define TXGBE_MODULE_QSFP_40G_CR4	BIT(3)
#define TXGBE_MODULE_QSFP_EXTENDED	BIT(7)	/* ext_compliance says more */
#define TXGBE_MODULE_QSFP_100G_CR4	0x0b	/* mask in ext_compliance */

struct txgbe_fw_read_module_req {
	struct txgbe_fw_hdr hdr;
	__be32 offset;		/* 0..255 */
	__be32 len;		/* 1..128 */
	u8 page;
	u8 bank;
	u8 i2c_addr;		/* 0x50 or 0x51 */
	u8 pad;
};

#define TXGBE_FW_MODULE_DATA_OFFSET	16	/* data in the answer, from its start */
#define TXGBE_FW_MODULE_MAX_BYTES	128	/* half of the 256 bytes seen at once */

static_assert(sizeof(struct txgbe_fw_hdr) == 4);
static_assert(sizeof(struct txgbe_fw_nvm_req) == 16);
static_assert(sizeof(struct txgbe_fw_get_link_req) == 16);
static_assert(sizeof(struct txgbe_fw_set_pps_req) == 24);
static_assert(sizeof(struct txgbe_fw_get_link_rsp) == 16);
static_assert(sizeof(struct txgbe_fw_set_link_req) == 12);
static_assert(sizeof(struct txgbe_fw_get_module_req) == 20);
static_assert(sizeof(struct txgbe_fw_module_rsp) == 20);
static_assert(sizeof(struct txgbe_fw_read_module_req) == 16);

#endif /* TXGBE_HW_FWCMD_H */

// SPDX-License-Identifier: GPL-2.0-only
/* SFP and QSFP modules: is one there, what can it do (reference 04). */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/ethtool.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "hw/fwcmd.h"
#include "hw/regs.h"
#include "module.h"
#include "txgbe/dev.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"

/**
 * struct txgbe_module_test - a byte of the answer, masked, lies in a range
 * @off: offset of the byte in struct txgbe_fw_module_rsp
 * @mask: bits that count
 * @min: smallest value that passes
 * @max: largest value that passes
 */
struct txgbe_module_test {
	u8 off;
	u8 mask;
	u8 min;
	u8 max;
};

/**
 * struct txgbe_module_mode - one way to run a link over a module
 * @speed: TXGBE_SPEED_*
 * @bit: ETHTOOL_LINK_MODE_*_BIT
 */
struct txgbe_module_mode {
	u8 speed;
	u8 bit;
};

#define TXGBE_MODULE_TESTS	2
#define TXGBE_MODULE_MODES	3

/**
 * struct txgbe_module_rule - what follows from certain bytes of the answer
 * @test: all of these must pass; an unused one has mask 0 and passes
 * @mode: modes the module then has; an unused one has speed 0
 * @kind: and what it is
 * @autoneg: and whether the link is negotiated
 * @last: later rules do not apply any more
 */
struct txgbe_module_rule {
	struct txgbe_module_test test[TXGBE_MODULE_TESTS];
	struct txgbe_module_mode mode[TXGBE_MODULE_MODES];
	enum txgbe_module_kind kind;
	bool autoneg;
	bool last;
};

#define FIELD(name)	offsetof(struct txgbe_fw_module_rsp, name)
#define BIT_SET(name, bits)		{ FIELD(name), (bits), 1, 0xff }
#define IN_RANGE(name, low, high)	{ FIELD(name), 0xff, (low), (high) }

#define MODE_10G_CR	{ TXGBE_SPEED_10G, ETHTOOL_LINK_MODE_10000baseCR_Full_BIT }
#define MODE_10G_SR	{ TXGBE_SPEED_10G, ETHTOOL_LINK_MODE_10000baseSR_Full_BIT }
#define MODE_10G_LR	{ TXGBE_SPEED_10G, ETHTOOL_LINK_MODE_10000baseLR_Full_BIT }
#define MODE_25G_CR	{ TXGBE_SPEED_25G, ETHTOOL_LINK_MODE_25000baseCR_Full_BIT }
#define MODE_25G_SR	{ TXGBE_SPEED_25G, ETHTOOL_LINK_MODE_25000baseSR_Full_BIT }
#define MODE_40G_CR4	{ TXGBE_SPEED_40G, ETHTOOL_LINK_MODE_40000baseCR4_Full_BIT }
#define MODE_40G_SR4	{ TXGBE_SPEED_40G, ETHTOOL_LINK_MODE_40000baseSR4_Full_BIT }
#define MODE_40G_LR4	{ TXGBE_SPEED_40G, ETHTOOL_LINK_MODE_40000baseLR4_Full_BIT }

/* Cables first, and they end the search; optics may have several rates. */
static const struct txgbe_module_rule txgbe_module_sfp_rules[] = {
	{
		.test = { BIT_SET(cable_tech, TXGBE_MODULE_CABLE_PASSIVE),
			  IN_RANGE(com_25g, TXGBE_MODULE_25G_CR_RS, TXGBE_MODULE_25G_CR_NOFEC) },
		.mode = { MODE_25G_CR, MODE_10G_CR },
		.kind = TXGBE_MODULE_DAC, .autoneg = true, .last = true,
	}, {
		.test = { BIT_SET(cable_tech, TXGBE_MODULE_CABLE_PASSIVE) },
		.mode = { MODE_10G_CR },
		.kind = TXGBE_MODULE_DAC, .autoneg = true, .last = true,
	}, {
		.test = { BIT_SET(cable_tech, TXGBE_MODULE_CABLE_ACTIVE) },
		.mode = { MODE_25G_CR },
		.kind = TXGBE_MODULE_DAC, .autoneg = true, .last = true,
	}, {
		/* ethtool has one 25G mode name for short and long reach */
		.test = { IN_RANGE(com_25g, TXGBE_MODULE_25G_SR, TXGBE_MODULE_25G_ER) },
		.mode = { MODE_25G_SR },
		.kind = TXGBE_MODULE_FIBRE,
	}, {
		.test = { BIT_SET(com_10g, TXGBE_MODULE_10G_SR) },
		.mode = { MODE_10G_SR },
		.kind = TXGBE_MODULE_FIBRE,
	}, {
		.test = { BIT_SET(com_10g, TXGBE_MODULE_10G_LR) },
		.mode = { MODE_10G_LR },
		.kind = TXGBE_MODULE_FIBRE,
	},
};

static const struct txgbe_module_rule txgbe_module_qsfp_rules[] = {
	{
		.test = { BIT_SET(transceiver_type, TXGBE_MODULE_QSFP_40G_CR4) },
		.mode = { MODE_40G_CR4, MODE_10G_CR },
		.kind = TXGBE_MODULE_DAC, .autoneg = true,
	}, {
		.test = { BIT_SET(transceiver_type, TXGBE_MODULE_QSFP_40G_SR4) },
		.mode = { MODE_40G_SR4 },
		.kind = TXGBE_MODULE_FIBRE,
	}, {
		.test = { BIT_SET(transceiver_type, TXGBE_MODULE_QSFP_40G_LR4) },
		.mode = { MODE_40G_LR4 },
		.kind = TXGBE_MODULE_FIBRE,
	}, {
		.test = { BIT_SET(transceiver_type, TXGBE_MODULE_QSFP_40G_ACTIVE) },
		.mode = { MODE_40G_CR4 },
		.kind = TXGBE_MODULE_DAC, .autoneg = true,
	}, {
		.test = { BIT_SET(transceiver_type, TXGBE_MODULE_QSFP_EXTENDED),
			  BIT_SET(ext_compliance, TXGBE_MODULE_QSFP_100G_CR4) },
		.mode = { MODE_40G_CR4, MODE_25G_CR, MODE_10G_CR },
		.kind = TXGBE_MODULE_DAC, .autoneg = true,
	},
};

static const struct txgbe_module_mode txgbe_module_all_modes[] = {
	MODE_10G_CR, MODE_10G_SR, MODE_10G_LR, MODE_25G_CR, MODE_25G_SR,
	MODE_40G_CR4, MODE_40G_SR4, MODE_40G_LR4,
};

static bool txgbe_module_rule_fits(const struct txgbe_module_rule *rule, const u8 *bytes)
{
	u32 i;

	for (i = 0; i < TXGBE_MODULE_TESTS; i++) {
		const struct txgbe_module_test *test = &rule->test[i];
		u8 val = bytes[test->off] & test->mask;

		if (val < test->min || val > test->max)
			return false;
	}
	return true;
}

static u8 txgbe_module_mac_speeds(u32 max_speed_mbps)
{
	u8 speeds = TXGBE_SPEED_10G;

	if (max_speed_mbps >= SPEED_25000)
		speeds |= TXGBE_SPEED_25G;
	if (max_speed_mbps >= SPEED_40000)
		speeds |= TXGBE_SPEED_40G;
	return speeds;
}

/* Adds what the MAC can do of a rule's modes to the module. */
static void txgbe_module_apply(const struct txgbe_module_rule *rule, u8 mac_speeds,
			       struct txgbe_module *module)
{
	u32 i;

	for (i = 0; i < TXGBE_MODULE_MODES; i++) {
		if (!(rule->mode[i].speed & mac_speeds))
			continue;
		module->speeds |= rule->mode[i].speed;
		__set_bit(rule->mode[i].bit, module->modes);
	}
	module->kind = rule->kind;
	module->autoneg |= rule->autoneg;
}

static void txgbe_module_run_rules(const struct txgbe_module_rule *rules, u32 nr_rules,
				   const u8 *bytes, u8 mac_speeds, struct txgbe_module *module)
{
	u32 i;

	for (i = 0; i < nr_rules; i++) {
		if (!txgbe_module_rule_fits(&rules[i], bytes))
			continue;
		txgbe_module_apply(&rules[i], mac_speeds, module);
		if (rules[i].last)
			return;
	}
}

/**
 * txgbe_module_parse() - what a module can do on a port
 * @rsp: firmware's answer; any bytes will do
 * @max_speed_mbps: fastest rate of the MAC
 * @module: filled in; kind TXGBE_MODULE_UNKNOWN and no speeds on failure
 *
 * Context: Any.
 * Return: 0; -EINVAL if the identifier is neither SFP nor QSFP; -EOPNOTSUPP if
 * module and MAC have no rate in common that we know of.
 */
int txgbe_module_parse(const struct txgbe_fw_module_rsp *rsp, u32 max_speed_mbps,
		       struct txgbe_module *module)
{
	u8 mac_speeds = txgbe_module_mac_speeds(max_speed_mbps);
	const u8 *bytes = (const u8 *)rsp;

	memset(module, 0, sizeof(*module));
	module->kind = TXGBE_MODULE_UNKNOWN;
	module->identifier = rsp->identifier;

	switch (rsp->identifier) {
	case TXGBE_MODULE_ID_SFP:
		txgbe_module_run_rules(txgbe_module_sfp_rules,
				       ARRAY_SIZE(txgbe_module_sfp_rules),
				       bytes, mac_speeds, module);
		break;
	case TXGBE_MODULE_ID_QSFP:
	case TXGBE_MODULE_ID_QSFP_PLUS:
	case TXGBE_MODULE_ID_QSFP28:
		txgbe_module_run_rules(txgbe_module_qsfp_rules,
				       ARRAY_SIZE(txgbe_module_qsfp_rules),
				       bytes, mac_speeds, module);
		break;
	default:
		return -EINVAL;
	}
	if (!module->speeds) {
		module->kind = TXGBE_MODULE_UNKNOWN;
		return -EOPNOTSUPP;
	}

	__set_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, module->modes);
	if (module->autoneg)
		__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, module->modes);
	return 0;
}

/**
 * txgbe_module_modes_to_speeds() - rates of a set of link modes
 * @modes: ETHTOOL_LINK_MODE_* bits
 *
 * Context: Any.
 * Return: TXGBE_SPEED_* mask of the modes this driver knows.
 */
u8 txgbe_module_modes_to_speeds(const unsigned long *modes)
{
	u8 speeds = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_module_all_modes); i++)
		if (test_bit(txgbe_module_all_modes[i].bit, modes))
			speeds |= txgbe_module_all_modes[i].speed;
	return speeds;
}

/**
 * txgbe_module_speeds_to_modes() - link modes of a module at certain rates
 * @module: the module
 * @speeds: TXGBE_SPEED_* mask
 * @modes: ETHTOOL_LINK_MODE_* bits, replaced; nothing but modes with a rate
 *
 * Context: Any.
 */
void txgbe_module_speeds_to_modes(const struct txgbe_module *module, u8 speeds,
				  unsigned long *modes)
{
	u32 i;

	bitmap_zero(modes, __ETHTOOL_LINK_MODE_MASK_NBITS);
	for (i = 0; i < ARRAY_SIZE(txgbe_module_all_modes); i++)
		if (txgbe_module_all_modes[i].speed & speeds &&
		    test_bit(txgbe_module_all_modes[i].bit, module->modes))
			__set_bit(txgbe_module_all_modes[i].bit, modes);
}

/**
 * txgbe_module_init() - make the presence pin an interrupt source
 * @fd: device
 *
 * The cause stays masked in PX_MISC_IEN while the port is closed, but edges
 * are latched all the same and seen by txgbe_module_ack().
 *
 * Context: Process context; the link work is not running, or this is it.
 */
void txgbe_module_init(struct txgbe_dev *fd)
{
	txgbe_wr32(fd, TXGBE_GPIO_INTTYPE_LEVEL, fd->board->gpio_absent);
	txgbe_wr32(fd, TXGBE_GPIO_INTEN, fd->board->gpio_absent);
	txgbe_wr32(fd, TXGBE_GPIO_INTMASK, 0);
}

/**
 * txgbe_module_ack() - take note of an edge of the presence pin
 * @fd: device
 *
 * Context: Any, also hardirq.
 * Return: true if there was an edge since the last call.
 */
bool txgbe_module_ack(struct txgbe_dev *fd)
{
	u32 raw = txgbe_rd32(fd, TXGBE_GPIO_RAW_INTSTATUS);

	if (!(raw & fd->board->gpio_absent) || !txgbe_present(fd))
		return false;
	txgbe_wr32(fd, TXGBE_GPIO_EOI, fd->board->gpio_absent);
	return true;
}

/**
 * txgbe_module_present() - level of the presence pin
 * @fd: device
 *
 * Context: Any.
 * Return: true if a module is plugged; false also if the device is gone.
 */
bool txgbe_module_present(struct txgbe_dev *fd)
{
	return !(txgbe_rd32(fd, TXGBE_GPIO_EXT) & fd->board->gpio_absent);
}

/**
 * txgbe_module_has_signal() - does an optical module receive light
 * @fd: device
 *
 * Only SFP cages have the pin, and copper cables tie it to ground.
 *
 * Context: Any.
 * Return: 1 or 0; -EOPNOTSUPP if the board cannot tell.
 */
int txgbe_module_has_signal(struct txgbe_dev *fd)
{
	if (!fd->board->gpio_los)
		return -EOPNOTSUPP;
	return !(txgbe_rd32(fd, TXGBE_GPIO_EXT) & fd->board->gpio_los);
}

/**
 * txgbe_module_arm() - have the next change of the pin interrupt
 * @fd: device
 * @present: level last seen, so that the edge away from it counts
 *
 * The block knows one direction at a time, falling after reset, which is
 * insertion. The caller looks at the pin again afterwards.
 *
 * Context: Process context, the link work.
 */
void txgbe_module_arm(struct txgbe_dev *fd, bool present)
{
	u32 line = fd->board->gpio_absent;

	txgbe_rmw32(fd, TXGBE_GPIO_POLARITY, line, present ? line : 0);
	/* Turning the direction round may itself count as an edge. */
	txgbe_wr32(fd, TXGBE_GPIO_EOI, line);
	txgbe_flush(fd);
}

// SPDX-License-Identifier: GPL-2.0-only
/* From the user's wish and the plugged module to what firmware is asked for. */
#include <linux/bitops.h>
#include <linux/ethtool.h>
#include <linux/kernel.h>

#include "hw/fwcmd.h"
#include "txgbe/link.h"

static const struct {
	u8 speed;
	u8 fw_code;
	u32 mbps;
} txgbe_link_speeds[] = { /* fastest first */
	{ TXGBE_SPEED_40G, TXGBE_FW_SPEED_40G, SPEED_40000 },
	{ TXGBE_SPEED_25G, TXGBE_FW_SPEED_25G, SPEED_25000 },
	{ TXGBE_SPEED_10G, TXGBE_FW_SPEED_10G, SPEED_10000 },
};

/**
 * txgbe_link_speed_bit() - rate as a bit
 * @speed_mbps: rate in Mbit/s
 *
 * Context: Any.
 * Return: TXGBE_SPEED_*; 0 if the chip does not know the rate.
 */
u8 txgbe_link_speed_bit(u32 speed_mbps)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_link_speeds); i++)
		if (txgbe_link_speeds[i].mbps == speed_mbps)
			return txgbe_link_speeds[i].speed;
	return 0;
}

/**
 * txgbe_link_speed_mbps() - rate in Mbit/s of the fastest bit
 * @speed: TXGBE_SPEED_* mask
 *
 * Context: Any.
 * Return: the rate; 0 if there is none in the mask.
 */
u32 txgbe_link_speed_mbps(u8 speed)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_link_speeds); i++)
		if (speed & txgbe_link_speeds[i].speed)
			return txgbe_link_speeds[i].mbps;
	return 0;
}

static u8 txgbe_link_best_code(u8 speeds)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(txgbe_link_speeds); i++)
		if (speeds & txgbe_link_speeds[i].speed)
			return txgbe_link_speeds[i].fw_code;
	return TXGBE_FW_SPEED_UNKNOWN;
}

/**
 * txgbe_link_usable_speeds() - rates the port can be told to run at
 * @module: the module; one that is absent or not identified limits nothing
 * @max_speed_mbps: fastest rate of the MAC
 *
 * Context: Any.
 * Return: TXGBE_SPEED_* mask.
 */
u8 txgbe_link_usable_speeds(const struct txgbe_module *module, u32 max_speed_mbps)
{
	u8 speeds = 0;
	u32 i;

	if (module->speeds)
		return module->speeds;
	for (i = 0; i < ARRAY_SIZE(txgbe_link_speeds); i++)
		if (txgbe_link_speeds[i].mbps <= max_speed_mbps)
			speeds |= txgbe_link_speeds[i].speed;
	return speeds;
}

/**
 * txgbe_link_usable_fec() - error correction that exists at certain rates
 * @module: the module; one that is absent or not identified may become copper
 * @speeds: TXGBE_SPEED_* mask
 *
 * 25G has RS (clause 108) and BASE-R (clause 74), or none. 10G and 40G have
 * BASE-R on copper and none on optics.
 *
 * Context: Any.
 * Return: TXGBE_FW_FEC_* mask.
 */
u8 txgbe_link_usable_fec(const struct txgbe_module *module, u8 speeds)
{
	u8 fec = TXGBE_FW_FEC_OFF;

	if (speeds & TXGBE_SPEED_25G)
		fec |= TXGBE_FW_FEC_RS | TXGBE_FW_FEC_BASER;
	if (speeds & (TXGBE_SPEED_10G | TXGBE_SPEED_40G) && module->kind != TXGBE_MODULE_FIBRE)
		fec |= TXGBE_FW_FEC_BASER;
	return fec;
}

/**
 * txgbe_link_make_plan() - what to ask for and what to accept
 * @want: the user's wish
 * @module: the module
 * @max_speed_mbps: fastest rate of the MAC
 * @plan: filled in
 *
 * Nobody answers a wish that does not suit the module: it may have been made
 * for another one. Then the module's own best is taken and the plan says so.
 *
 * Context: Any.
 */
void txgbe_link_make_plan(const struct txgbe_link_want *want, const struct txgbe_module *module,
			  u32 max_speed_mbps, struct txgbe_link_plan *plan)
{
	u8 usable = txgbe_link_usable_speeds(module, max_speed_mbps);
	u8 wished = TXGBE_SPEED_ALL;

	plan->autoneg = module->autoneg && !want->no_autoneg;
	if (plan->autoneg)
		wished = want->adv_speeds;
	else if (want->no_autoneg && want->force_mbps)
		wished = txgbe_link_speed_bit(want->force_mbps);

	plan->speed_unfit = !(usable & wished);
	plan->speeds = plan->speed_unfit ? usable : usable & wished;
	plan->fw_speed = txgbe_link_best_code(plan->speeds);

	plan->fec = want->fec;
	plan->fec_unfit = false;
	if (want->fec == TXGBE_FW_FEC_AUTO)
		return;
	plan->fec &= txgbe_link_usable_fec(module, plan->speeds);
	plan->fec_unfit = !plan->fec;
	if (plan->fec_unfit)
		plan->fec = TXGBE_FW_FEC_AUTO;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool: rate, negotiation, FEC, pause, why there is no link, LEDs.
 *
 * What is set here is a wish (struct txgbe_link_want) that the link work
 * follows at every link-up. None of the set operations has an extack, so a
 * refusal says its reason in the log.
 */
#include <linux/bitmap.h>
#include <linux/ethtool.h>
#include <linux/kernel.h>
#include <linux/linkmode.h>
#include <linux/netdevice.h>

#include "hw/fwcmd.h"
#include "txgbe/hw.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#include "ethtool_link.h"

/* ---- Rate and negotiation ---------------------------------------------- */

static u8 txgbe_ethtool_port(const struct txgbe_module *module)
{
	switch (module->kind) {
	case TXGBE_MODULE_FIBRE:
		return PORT_FIBRE;
	case TXGBE_MODULE_DAC:
		return PORT_DA;
	case TXGBE_MODULE_NONE:
		return PORT_NONE;
	default:
		return PORT_OTHER;
	}
}

/* 40G runs over four lanes on any medium, the others over one. */
static u32 txgbe_ethtool_lanes(u32 speed_mbps)
{
	return speed_mbps == SPEED_40000 ? 4 : 1;
}

static void txgbe_ethtool_fec_modes(u8 fec, unsigned long *modes)
{
	if (fec & TXGBE_FW_FEC_OFF)
		__set_bit(ETHTOOL_LINK_MODE_FEC_NONE_BIT, modes);
	if (fec & TXGBE_FW_FEC_RS)
		__set_bit(ETHTOOL_LINK_MODE_FEC_RS_BIT, modes);
	if (fec & TXGBE_FW_FEC_BASER)
		__set_bit(ETHTOOL_LINK_MODE_FEC_BASER_BIT, modes);
}

static void txgbe_ethtool_supported(const struct txgbe_net *fn, const struct txgbe_module *module,
				    unsigned long *modes)
{
	u8 speeds = txgbe_link_usable_speeds(module, fn->fd->board->max_speed_mbps);

	linkmode_copy(modes, module->modes);
	if (module->kind == TXGBE_MODULE_NONE)
		return;
	txgbe_ethtool_fec_modes(txgbe_link_usable_fec(module, speeds), modes);
	/* Set by hand, each direction; none of it is negotiated. */
	__set_bit(ETHTOOL_LINK_MODE_Pause_BIT, modes);
	__set_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT, modes);
}

/* Modes that are open to negotiation, whether or not it is on: a subset
 * survives a time without it. Optics offer all they have.
 */
static void txgbe_ethtool_advertised(const struct txgbe_module *module,
				     const struct txgbe_link_want *want, bool autoneg,
				     unsigned long *modes)
{
	u8 speeds = module->speeds;

	if (module->autoneg && speeds & want->adv_speeds)
		speeds &= want->adv_speeds;
	txgbe_module_speeds_to_modes(module, speeds, modes);
	if (test_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, module->modes))
		__set_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, modes);
	if (autoneg)
		__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, modes);
}

/* What a module negotiates is known once it is identified; until then, what it
 * would if it could.
 */
static bool txgbe_ethtool_autoneg(const struct txgbe_module *module,
				  const struct txgbe_link_want *want)
{
	return (module->autoneg || !module->speeds) && !want->no_autoneg;
}

/**
 * txgbe_ethtool_get_link_ksettings() - what the module can do, what runs
 * @dev: net_device
 * @cmd: filled in; rate, duplex and lanes are final while there is a carrier
 *	and unknown while there is none
 *
 * What the partner offers stays with the firmware.
 *
 * Context: Process context.
 * Return: 0.
 */
int txgbe_ethtool_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_state state;
	struct txgbe_link_want want;
	bool autoneg, up;

	up = netif_carrier_ok(dev);
	/* The rate is published before the carrier comes, and forgotten after it
	 * went. Pairs with the barriers of netif_carrier_on() and _off().
	 */
	smp_rmb();
	txgbe_link_get(fn->fd, &state);
	up = up && state.up;
	txgbe_link_get_want(fn->fd, &want);
	autoneg = txgbe_ethtool_autoneg(&state.module, &want);

	ethtool_link_ksettings_zero_link_mode(cmd, lp_advertising);
	txgbe_ethtool_supported(fn, &state.module, cmd->link_modes.supported);
	txgbe_ethtool_advertised(&state.module, &want, autoneg, cmd->link_modes.advertising);
	cmd->base.port = txgbe_ethtool_port(&state.module);
	cmd->base.autoneg = autoneg ? AUTONEG_ENABLE : AUTONEG_DISABLE;

	cmd->base.speed = up ? state.speed_mbps : SPEED_UNKNOWN;
	cmd->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	cmd->lanes = up ? txgbe_ethtool_lanes(state.speed_mbps) : 0;
	return 0;
}

/* Does a list name anything that is a way to send frames? */
static bool txgbe_ethtool_names_modes(const unsigned long *adv)
{
	__ETHTOOL_DECLARE_LINK_MODE_MASK(modes);

	linkmode_copy(modes, adv);
	__clear_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, modes);
	__clear_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, modes);
	__clear_bit(ETHTOOL_LINK_MODE_Pause_BIT, modes);
	__clear_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT, modes);
	return !bitmap_empty(modes, __ETHTOOL_LINK_MODE_MASK_NBITS);
}

/* The same for a module that is yet to come: the rates of the list, or the one
 * given instead of a list, else all.
 */
static const char *txgbe_ethtool_want_later(const struct ethtool_link_ksettings *cmd,
					    const struct txgbe_module *module, u32 max_speed_mbps,
					    struct txgbe_link_want *want)
{
	const unsigned long *adv = cmd->link_modes.advertising;
	u8 speeds = txgbe_module_modes_to_speeds(adv);
	u32 speed_mbps = cmd->base.speed;

	if (!txgbe_ethtool_names_modes(adv)) {
		if (speed_mbps == (u32)SPEED_UNKNOWN || !speed_mbps) {
			want->adv_speeds = TXGBE_SPEED_ALL;
			return NULL;
		}
		speeds = txgbe_link_speed_bit(speed_mbps);
	}
	if (!(speeds & txgbe_link_usable_speeds(module, max_speed_mbps)))
		return "the port does not run at this speed";
	want->adv_speeds = speeds;
	return NULL;
}

/* Negotiation on: which rates may come of it. */
static const char *txgbe_ethtool_want_autoneg(const struct ethtool_link_ksettings *cmd,
					      const struct txgbe_module *module,
					      u32 max_speed_mbps, struct txgbe_link_want *want)
{
	__ETHTOOL_DECLARE_LINK_MODE_MASK(exact);
	__ETHTOOL_DECLARE_LINK_MODE_MASK(asked);
	const unsigned long *adv = cmd->link_modes.advertising;
	u8 speeds = txgbe_module_modes_to_speeds(adv);
	bool was_off = want->no_autoneg;

	want->no_autoneg = false;
	if (!module->speeds)
		return txgbe_ethtool_want_later(cmd, module, max_speed_mbps, want);
	/* Optics cannot, but what was forced on them can be taken back. */
	if (!module->autoneg)
		return was_off ? NULL :
			"the module does not negotiate; set a speed, with autoneg off";
	if (!(speeds & module->speeds))
		return "none of the modes advertised is one of the module's";

	/* Firmware is told rates; all modes of a rate come with it. */
	txgbe_module_speeds_to_modes(module, speeds, exact);
	txgbe_module_speeds_to_modes(module, TXGBE_SPEED_ALL, asked);
	linkmode_and(asked, asked, adv);
	if (!linkmode_equal(exact, asked))
		return "modes of one rate can only be advertised together";

	want->adv_speeds = speeds == module->speeds ? TXGBE_SPEED_ALL : speeds;
	return NULL;
}

/* Negotiation off: which rate. */
static const char *txgbe_ethtool_want_forced(const struct ethtool_link_ksettings *cmd,
					     const struct txgbe_module *module, u32 max_speed_mbps,
					     struct txgbe_link_want *want)
{
	u8 usable = txgbe_link_usable_speeds(module, max_speed_mbps);
	u32 speed_mbps = cmd->base.speed;

	want->no_autoneg = true;
	want->force_mbps = 0;
	if (speed_mbps == (u32)SPEED_UNKNOWN || !speed_mbps)
		speed_mbps = txgbe_link_speed_mbps(usable);	/* the fastest there is */
	if (cmd->lanes && cmd->lanes != txgbe_ethtool_lanes(speed_mbps))
		return "40G has four lanes, the other speeds have one";
	if (cmd->base.speed != speed_mbps)
		return NULL;

	if (!(usable & txgbe_link_speed_bit(speed_mbps)))
		return module->speeds ? "the module and the port do not both run at this speed" :
					"the port does not run at this speed";
	want->force_mbps = cmd->base.speed;
	return NULL;
}

/* Does a request change the list of what is advertised? */
static bool txgbe_ethtool_changes_list(const struct ethtool_link_ksettings *cmd,
				       const struct txgbe_module *module,
				       const struct txgbe_link_want *want)
{
	__ETHTOOL_DECLARE_LINK_MODE_MASK(asked);
	__ETHTOOL_DECLARE_LINK_MODE_MASK(shown);

	txgbe_ethtool_advertised(module, want, false, shown);
	linkmode_copy(asked, cmd->link_modes.advertising);
	__clear_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, asked);
	return !linkmode_equal(asked, shown);
}

/**
 * txgbe_ethtool_set_link_ksettings() - rates to negotiate, or one to force
 * @dev: net_device
 * @cmd: the request
 *
 * The link is brought up anew, soon after the return, if that changes it.
 *
 * Context: Process context, the lock of the net_device held.
 * Return: 0; -EINVAL for what module or port cannot do, the log says why;
 * -ENODEV if the device is gone.
 */
int txgbe_ethtool_set_link_ksettings(struct net_device *dev,
				     const struct ethtool_link_ksettings *cmd)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_state state;
	struct txgbe_link_want want;
	const char *why;

	if (!txgbe_present(fn->fd))
		return -ENODEV;
	txgbe_link_get(fn->fd, &state);
	txgbe_link_get_want(fn->fd, &want);

	if (cmd->base.port != txgbe_ethtool_port(&state.module))
		why = "the module decides what kind of port this is";
	else if (cmd->base.duplex == DUPLEX_HALF)
		why = "there is no half duplex";
	else if (cmd->base.autoneg == AUTONEG_ENABLE)
		why = txgbe_ethtool_want_autoneg(cmd, &state.module,
						 fn->fd->board->max_speed_mbps, &want);
	else if (txgbe_ethtool_changes_list(cmd, &state.module, &want))
		why = "nothing is advertised without negotiation; set a speed";
	else
		why = txgbe_ethtool_want_forced(cmd, &state.module,
						fn->fd->board->max_speed_mbps, &want);
	if (why) {
		netdev_info(dev, "link settings (speed %d, autoneg %s) refused: %s\n",
			    (int)cmd->base.speed, cmd->base.autoneg ? "on" : "off", why);
		return -EINVAL;
	}
	txgbe_link_set_want(fn->fd, &want);
	return 0;
}

/**
 * txgbe_ethtool_nway_reset() - negotiate again; optics start again as well
 * @dev: net_device
 *
 * Context: Process context.
 * Return: what txgbe_link_restart() returned.
 */
int txgbe_ethtool_nway_reset(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	return txgbe_link_restart(fn->fd);
}

/* ---- No link: why, how often ------------------------------------------- */

static void txgbe_ethtool_ext_no_sync(u8 fec, struct ethtool_link_ext_state_info *info)
{
	info->link_ext_state = ETHTOOL_LINK_EXT_STATE_LINK_LOGICAL_MISMATCH;
	if (fec == TXGBE_FW_FEC_RS)
		info->link_logical_mismatch = ETHTOOL_LINK_EXT_SUBSTATE_LLM_RS_FEC_IS_NOT_LOCKED;
	else if (fec == TXGBE_FW_FEC_BASER)
		info->link_logical_mismatch = ETHTOOL_LINK_EXT_SUBSTATE_LLM_FC_FEC_IS_NOT_LOCKED;
	else
		info->link_logical_mismatch =
			ETHTOOL_LINK_EXT_SUBSTATE_LLM_PCS_DID_NOT_ACQUIRE_BLOCK_LOCK;
}

/**
 * txgbe_ethtool_get_link_ext_state() - why there is no link
 * @dev: net_device
 * @info: filled in
 *
 * Only what the interface has a word for: it has none for silent firmware,
 * which the log tells.
 *
 * Context: Process context.
 * Return: 0; -ENODATA if there is a link, or no word.
 */
int txgbe_ethtool_get_link_ext_state(struct net_device *dev,
				     struct ethtool_link_ext_state_info *info)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_state state;
	struct txgbe_link_want want;
	struct txgbe_link_plan plan;

	txgbe_link_get(fn->fd, &state);
	if (state.up)
		return -ENODATA;
	txgbe_link_get_want(fn->fd, &want);
	txgbe_link_make_plan(&want, &state.module, fn->fd->board->max_speed_mbps, &plan);

	switch (state.why) {
	case TXGBE_LINK_WHY_NO_MODULE:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_NO_CABLE;
		return 0;
	case TXGBE_LINK_WHY_BAD_MODULE:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_CABLE_ISSUE;
		info->cable_issue = ETHTOOL_LINK_EXT_SUBSTATE_CI_UNSUPPORTED_CABLE;
		return 0;
	case TXGBE_LINK_WHY_UNREADABLE:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_EEPROM_ISSUE;
		return 0;
	case TXGBE_LINK_WHY_NO_SIGNAL:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_BAD_SIGNAL_INTEGRITY;
		info->bad_signal_integrity = ETHTOOL_LINK_EXT_SUBSTATE_BSI_SERDES_ALOS;
		return 0;
	case TXGBE_LINK_WHY_NO_SYNC:
		txgbe_ethtool_ext_no_sync(plan.fec, info);
		return 0;
	case TXGBE_LINK_WHY_NO_PARTNER:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_AUTONEG;
		info->autoneg = plan.autoneg ?
			ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED :
			ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED_FORCE_MODE;
		return 0;
	case TXGBE_LINK_WHY_UNWANTED:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_AUTONEG;
		info->autoneg = ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_HCD;
		return 0;
	default:
		return -ENODATA;
	}
}

/**
 * txgbe_ethtool_get_link_ext_stats() - how often the link was lost
 * @dev: net_device
 * @stats: filled in; closing the port is no loss
 *
 * Context: Process context.
 */
void txgbe_ethtool_get_link_ext_stats(struct net_device *dev,
				      struct ethtool_link_ext_stats *stats)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_state state;

	txgbe_link_get(fn->fd, &state);
	stats->link_down_events = state.down_count;
}

/* ---- Pause ------------------------------------------------------------- */

/**
 * txgbe_ethtool_get_pauseparam() - which directions use pause frames
 * @dev: net_device
 * @pause: filled in; nothing is ever negotiated
 *
 * Context: Process context.
 */
void txgbe_ethtool_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_want want;

	txgbe_link_get_want(fn->fd, &want);
	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = want.rx_pause;
	pause->tx_pause = want.tx_pause;
}

/**
 * txgbe_ethtool_set_pauseparam() - switch pause frames, each direction
 * @dev: net_device
 * @pause: the request
 *
 * The link stays up.
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EINVAL if they shall be negotiated: no firmware command tells
 * what the partner can do; -ENODEV if the device is gone.
 */
int txgbe_ethtool_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_want want;

	if (!txgbe_present(fn->fd))
		return -ENODEV;
	if (pause->autoneg) {
		netdev_info(dev, "pause settings refused: pause is not negotiated, autoneg must be off\n");
		return -EINVAL;
	}
	txgbe_link_get_want(fn->fd, &want);
	want.rx_pause = !!pause->rx_pause;
	want.tx_pause = !!pause->tx_pause;
	txgbe_link_set_want(fn->fd, &want);
	txgbe_queue_update_drop(fn);
	return 0;
}

/* ---- FEC --------------------------------------------------------------- */

static u32 txgbe_ethtool_fec_from_fw(u8 fec)
{
	u32 bits = 0;

	if (fec & TXGBE_FW_FEC_OFF)
		bits |= ETHTOOL_FEC_OFF;
	if (fec & TXGBE_FW_FEC_RS)
		bits |= ETHTOOL_FEC_RS;
	if (fec & TXGBE_FW_FEC_BASER)
		bits |= ETHTOOL_FEC_BASER;
	return bits;
}

/**
 * txgbe_ethtool_get_fecparam() - what may be used and what is
 * @dev: net_device
 * @param: filled in; nothing is active while there is no link, nor if
 *	firmware does not say which one it uses
 *
 * Context: Process context.
 * Return: 0.
 */
int txgbe_ethtool_get_fecparam(struct net_device *dev, struct ethtool_fecparam *param)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_state state;
	struct txgbe_link_want want;

	txgbe_link_get(fn->fd, &state);
	txgbe_link_get_want(fn->fd, &want);
	param->fec = want.fec == TXGBE_FW_FEC_AUTO ? ETHTOOL_FEC_AUTO :
						     txgbe_ethtool_fec_from_fw(want.fec);
	param->active_fec = txgbe_ethtool_fec_from_fw(state.fec);
	return 0;
}

/* All rates that might come up decide: one of them is enough. */
static const char *txgbe_ethtool_want_fec(const struct txgbe_net *fn, u32 asked,
					  struct txgbe_link_want *want)
{
	struct txgbe_link_state state;
	struct txgbe_link_plan plan;
	u8 usable;

	if (asked == ETHTOOL_FEC_AUTO) {
		want->fec = TXGBE_FW_FEC_AUTO;
		return NULL;
	}
	if (asked & ETHTOOL_FEC_AUTO)
		return "auto cannot be joined with others";
	if (!asked || asked & ~(ETHTOOL_FEC_OFF | ETHTOOL_FEC_RS | ETHTOOL_FEC_BASER))
		return "there are off, rs and baser";

	want->fec = (asked & ETHTOOL_FEC_OFF ? TXGBE_FW_FEC_OFF : 0) |
		    (asked & ETHTOOL_FEC_RS ? TXGBE_FW_FEC_RS : 0) |
		    (asked & ETHTOOL_FEC_BASER ? TXGBE_FW_FEC_BASER : 0);

	txgbe_link_get(fn->fd, &state);
	txgbe_link_make_plan(want, &state.module, fn->fd->board->max_speed_mbps, &plan);
	usable = txgbe_link_usable_fec(&state.module, plan.speeds);
	if (want->fec & ~usable)
		return usable == TXGBE_FW_FEC_OFF ?
			"this speed and module have no FEC: only off and auto" :
			"rs needs 25G: only off, baser and auto";
	return NULL;
}

/**
 * txgbe_ethtool_set_fecparam() - which error correction the link may use
 * @dev: net_device
 * @param: the request; several modes leave the choice to firmware
 *
 * The link is brought up anew, soon after the return, if that changes it.
 *
 * Context: Process context, the lock of the net_device held.
 * Return: 0; -EINVAL for what rate and module do not have, the log says why;
 * -ENODEV if the device is gone.
 */
int txgbe_ethtool_set_fecparam(struct net_device *dev, struct ethtool_fecparam *param)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_link_want want;
	const char *why;

	if (!txgbe_present(fn->fd))
		return -ENODEV;
	txgbe_link_get_want(fn->fd, &want);
	why = txgbe_ethtool_want_fec(fn, param->fec, &want);
	if (why) {
		netdev_info(dev, "FEC setting %#x refused: %s\n", param->fec, why);
		return -EINVAL;
	}
	txgbe_link_set_want(fn->fd, &want);
	return 0;
}

/* ---- LEDs -------------------------------------------------------------- */

/**
 * txgbe_ethtool_set_phys_id() - blink to show which port this is
 * @dev: net_device
 * @state: what the LEDs shall do now
 *
 * Between two calls ethtool holds a reference to the net_device and no lock, for
 * as long as the user likes: an error is what makes it let go. While the device
 * is reset or asleep its LEDs are out of reach; those that could not be given
 * back then are given back by txgbe_net_thaw().
 *
 * Context: Process context, rtnl held. One at a time, ethtool sees to it.
 * Return: 0; for ETHTOOL_ID_ACTIVE how often to blink, per second; -ENODEV if
 * the device is gone, or the driver about to go.
 */
int txgbe_ethtool_set_phys_id(struct net_device *dev, enum ethtool_phys_id_state state)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_dev *fd = fn->fd;
	u32 leds;

	if (state != ETHTOOL_ID_INACTIVE && READ_ONCE(fd->removing))
		return -ENODEV;
	switch (state) {
	case ETHTOOL_ID_ACTIVE:
		leds = txgbe_mac_get_leds(fd);
		if (!txgbe_present(fd))
			return -ENODEV;
		fn->leds = leds;
		return 2;
	case ETHTOOL_ID_ON:
	case ETHTOOL_ID_OFF:
		txgbe_mac_light_leds(fd, state == ETHTOOL_ID_ON);
		break;
	case ETHTOOL_ID_INACTIVE:
		txgbe_mac_set_leds(fd, fn->leds);
		fn->leds_owed = !txgbe_present(fd);
		break;
	}
	return txgbe_present(fd) ? 0 : -ENODEV;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * VLANs: which ids pass, and whether the device takes tags out of frames.
 *
 * The table of ids is kept here and written again at every start, so that no
 * reset forgets an id. The chip has one table and one strip bit for both kinds
 * of tag: 802.1Q and 802.1ad features go together, and an id passes as long as
 * either kind wants it.
 */
#include <linux/if_vlan.h>

#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#define TXGBE_VLAN_STRIP	(NETIF_F_HW_VLAN_CTAG_RX | NETIF_F_HW_VLAN_STAG_RX)
#define TXGBE_VLAN_FILTER	(NETIF_F_HW_VLAN_CTAG_FILTER | NETIF_F_HW_VLAN_STAG_FILTER)

static u32 txgbe_vlan_word(const struct txgbe_net *fn, u32 word)
{
	const struct txgbe_vlan_cfg *vlan = &fn->cfg.vlan;

	return vlan->ctag[word] | vlan->stag[word];
}

static int txgbe_vlan_set(struct txgbe_net *fn, __be16 proto, u16 vid, bool add)
{
	struct txgbe_vlan_cfg *vlan = &fn->cfg.vlan;
	u32 *table = proto == htons(ETH_P_8021AD) ? vlan->stag : vlan->ctag;

	ASSERT_RTNL();
	if (add)
		table[vid / 32] |= BIT(vid % 32);
	else
		table[vid / 32] &= ~BIT(vid % 32);
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_filter_set_vlan_word(fn->fd, vid / 32, txgbe_vlan_word(fn, vid / 32));
	return 0;
}

/**
 * txgbe_vlan_add_vid() - ndo_vlan_rx_add_vid
 * @dev: net_device
 * @proto: ETH_P_8021Q or ETH_P_8021AD
 * @vid: 0..4095
 *
 * Context: Process context, rtnl held.
 * Return: 0; there is room for every id.
 */
int txgbe_vlan_add_vid(struct net_device *dev, __be16 proto, u16 vid)
{
	return txgbe_vlan_set(netdev_priv(dev), proto, vid, true);
}

/**
 * txgbe_vlan_kill_vid() - ndo_vlan_rx_kill_vid
 * @dev: net_device
 * @proto: ETH_P_8021Q or ETH_P_8021AD
 * @vid: 0..4095
 *
 * Context: Process context, rtnl held.
 * Return: 0.
 */
int txgbe_vlan_kill_vid(struct net_device *dev, __be16 proto, u16 vid)
{
	return txgbe_vlan_set(netdev_priv(dev), proto, vid, false);
}

/**
 * txgbe_vlan_replay() - write the table of ids after a reset
 * @fn: net part
 *
 * Context: Process context, rtnl held.
 */
void txgbe_vlan_replay(struct txgbe_net *fn)
{
	u32 table[TXGBE_VLAN_TBL_WORDS];
	u32 i;

	for (i = 0; i < TXGBE_VLAN_TBL_WORDS; i++)
		table[i] = txgbe_vlan_word(fn, i);
	txgbe_filter_set_vlans(fn->fd, table);
}

/**
 * txgbe_vlan_sync_filter() - turn the filter on or off as flags and features say
 * @fn: net part
 * @features: those to go by
 *
 * A promiscuous port sees every VLAN.
 *
 * Context: The address lock is held, bottom halves are off.
 */
void txgbe_vlan_sync_filter(struct txgbe_net *fn, netdev_features_t features)
{
	bool filter = features & NETIF_F_HW_VLAN_CTAG_FILTER &&
		      !(fn->netdev->flags & IFF_PROMISC);

	txgbe_filter_set_vlan_mode(fn->fd, filter);
}

/**
 * txgbe_vlan_fix_features() - features that go together only
 * @fn: net part
 * @features: what is asked for
 *
 * Both kinds of tag or none: the rule does not depend on what was on before,
 * so asking again gives the same answer.
 *
 * Context: Process context, rtnl held.
 * Return: what can be.
 */
netdev_features_t txgbe_vlan_fix_features(struct txgbe_net *fn, netdev_features_t features)
{
	netdev_features_t half = 0;

	if ((features & TXGBE_VLAN_STRIP) != TXGBE_VLAN_STRIP)
		half |= features & TXGBE_VLAN_STRIP;
	if ((features & TXGBE_VLAN_FILTER) != TXGBE_VLAN_FILTER)
		half |= features & TXGBE_VLAN_FILTER;
	if (half && half != fn->vlan_half)
		netdev_info(fn->netdev, "802.1Q and 802.1ad tags are %s together or not at all: off\n",
			    half & TXGBE_VLAN_STRIP ? "stripped" : "filtered");
	fn->vlan_half = half;
	return features & ~half;
}

/**
 * txgbe_vlan_set_features() - bring strip and filter to a new state, live
 * @fn: net part
 * @changed: features that change
 * @features: their new state
 *
 * Frames that are in the receive rings at this moment still have the form of
 * the old state; those of a stripped VLAN may lose their tag.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_vlan_set_features(struct txgbe_net *fn, netdev_features_t changed,
			     netdev_features_t features)
{
	if (!test_bit(TXGBE_NET_UP, &fn->state))
		return;
	if (changed & TXGBE_VLAN_STRIP)
		txgbe_queue_set_strip(fn, features & NETIF_F_HW_VLAN_CTAG_RX);
	if (changed & TXGBE_VLAN_FILTER) {
		netif_addr_lock_bh(fn->netdev);
		txgbe_vlan_sync_filter(fn, features);
		netif_addr_unlock_bh(fn->netdev);
	}
}

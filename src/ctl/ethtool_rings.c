// SPDX-License-Identifier: GPL-2.0-only
/* ethtool -g, -G, -l and -L: size of the rings, split of headers, number of queue pairs. */
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/stringify.h>

#include "txgbe/netdev.h"

#include "ethtool_rings.h"

/**
 * txgbe_ethtool_get_ringparam() - ring sizes
 * @dev: net_device
 * @ring: filled
 * @kernel_ring: filled, as far as the chip has it
 * @extack: not used
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ethtool_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
				 struct kernel_ethtool_ringparam *kernel_ring,
				 struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);

	ring->rx_max_pending = TXGBE_RING_MAX_DESC;
	ring->tx_max_pending = TXGBE_RING_MAX_DESC;
	ring->rx_pending = fn->cfg.rings.rx_desc;
	ring->tx_pending = fn->cfg.rings.tx_desc;
	kernel_ring->tcp_data_split = fn->cfg.rings.split ? ETHTOOL_TCP_DATA_SPLIT_ENABLED :
						      ETHTOOL_TCP_DATA_SPLIT_DISABLED;
}

/* The hardware counts in steps; the user is told what was made of a request. */
static u32 txgbe_ethtool_ring_size(u32 asked)
{
	return min_t(u32, roundup(asked, TXGBE_RING_STEP_DESC), TXGBE_RING_MAX_DESC);
}

/**
 * txgbe_ethtool_set_ringparam() - change ring sizes and the split of headers, live
 * @dev: net_device
 * @ring: descriptors, rounded up to a multiple of TXGBE_RING_STEP_DESC; the core
 *	has checked them against the maximum, here the minimum is
 * @kernel_ring: tcp_data_split; by default there is none
 * @extack: reason of a refusal
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL below TXGBE_RING_MIN_DESC; -EOPNOTSUPP to split while XDP is in
 *	use; what txgbe_reconfig_rings() returned.
 */
int txgbe_ethtool_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
				struct kernel_ethtool_ringparam *kernel_ring,
				struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_ring_cfg want = fn->cfg.rings;

	if (ring->rx_pending < TXGBE_RING_MIN_DESC || ring->tx_pending < TXGBE_RING_MIN_DESC) {
		NL_SET_ERR_MSG(extack, "a ring has " __stringify(TXGBE_RING_MIN_DESC)
			       " descriptors at least");
		return -EINVAL;
	}
	want.tx_desc = txgbe_ethtool_ring_size(ring->tx_pending);
	want.rx_desc = txgbe_ethtool_ring_size(ring->rx_pending);
	want.split = kernel_ring->tcp_data_split == ETHTOOL_TCP_DATA_SPLIT_ENABLED;
	if (want.split && txgbe_xdp_in_use(fn)) {
		NL_SET_ERR_MSG(extack, "XDP and AF_XDP want headers and data together");
		return -EOPNOTSUPP;
	}
	return txgbe_reconfig_rings(fn, &want, extack);
}

/**
 * txgbe_ethtool_get_channels() - number of queue pairs
 * @dev: net_device
 * @ch: filled
 *
 * Context: Process context, rtnl held.
 */
void txgbe_ethtool_get_channels(struct net_device *dev, struct ethtool_channels *ch)
{
	struct txgbe_net *fn = netdev_priv(dev);

	ch->max_combined = fn->max_vecs;
	ch->combined_count = fn->nr_vecs;
	ch->max_other = fn->misc_irq ? 1 : 0;
	ch->other_count = ch->max_other;
}

/**
 * txgbe_ethtool_set_channels() - change the number of queue pairs, live
 * @dev: net_device
 * @ch: what is asked for; the core has checked it against the maximum, and the
 *	combined number against a hash table the user has set
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL for another number of others, or for none combined; what
 *	txgbe_reconfig_queues() returned.
 */
int txgbe_ethtool_set_channels(struct net_device *dev, struct ethtool_channels *ch)
{
	struct txgbe_net *fn = netdev_priv(dev);
	u32 other = fn->misc_irq ? 1 : 0;

	if (ch->other_count != other) {
		netdev_info(dev, "other %u refused: it is %u\n", ch->other_count, other);
		return -EINVAL;
	}
	return txgbe_reconfig_queues(fn, ch->combined_count);
}

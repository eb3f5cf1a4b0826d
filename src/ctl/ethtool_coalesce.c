// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -c, -C and -Q: moderation of all queues or of one.
 *
 * One interval serves both directions of a queue pair: they share a vector.
 */
#include <linux/ethtool.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/stringify.h>

#include "txgbe/netdev.h"

#include "ethtool_coalesce.h"

static void txgbe_ethtool_fill_coalesce(const struct txgbe_itr_cfg *cfg,
					struct ethtool_coalesce *coal)
{
	coal->rx_coalesce_usecs = cfg->usecs;
	coal->use_adaptive_rx_coalesce = cfg->adaptive;
}

static int txgbe_ethtool_check_coalesce(const struct ethtool_coalesce *coal,
					struct netlink_ext_ack *extack)
{
	if (coal->rx_coalesce_usecs > TXGBE_ITR_MAX_US) {
		NL_SET_ERR_MSG(extack, "rx-usecs goes up to " __stringify(TXGBE_ITR_MAX_US));
		return -EINVAL;
	}
	if (coal->use_adaptive_rx_coalesce && !TXGBE_ITR_CAN_ADAPT) {
		NL_SET_ERR_MSG(extack, "adaptive-rx needs a kernel with CONFIG_DIMLIB");
		return -EOPNOTSUPP;
	}
	return 0;
}

static void txgbe_ethtool_store_coalesce(struct txgbe_net *fn, u32 queue,
					 const struct ethtool_coalesce *coal)
{
	struct txgbe_itr_cfg *cfg = &fn->cfg.itr[queue];

	cfg->usecs = rounddown(coal->rx_coalesce_usecs, TXGBE_PX_ITR_UNIT_US);
	cfg->adaptive = coal->use_adaptive_rx_coalesce;
	if (queue < fn->nr_vecs && test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_itr_apply(fn->vec[queue]);
}

/**
 * txgbe_ethtool_get_coalesce() - moderation of the port, shown as that of queue 0
 * @dev: net_device
 * @coal: filled
 * @kernel_coal: unused
 * @extack: unused
 *
 * Context: Process context, rtnl held.
 * Return: 0.
 */
int txgbe_ethtool_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			       struct kernel_ethtool_coalesce *kernel_coal,
			       struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);

	txgbe_ethtool_fill_coalesce(&fn->cfg.itr[0], coal);
	return 0;
}

/**
 * txgbe_ethtool_set_coalesce() - the same moderation for all queues
 * @dev: net_device
 * @coal: what to set; usecs are rounded down to the register's unit
 * @kernel_coal: unused
 * @extack: reason of a refusal
 *
 * Queues that do not exist now get it as well, for when they do.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL for an interval that is too long; -EOPNOTSUPP for adaptive
 *	moderation in a kernel without it.
 */
int txgbe_ethtool_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			       struct kernel_ethtool_coalesce *kernel_coal,
			       struct netlink_ext_ack *extack)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int err = txgbe_ethtool_check_coalesce(coal, extack);
	u32 i;

	if (err)
		return err;
	for (i = 0; i < TXGBE_MAX_QUEUES; i++)
		txgbe_ethtool_store_coalesce(fn, i, coal);
	return 0;
}

/**
 * txgbe_ethtool_get_per_queue_coalesce() - moderation of one queue
 * @dev: net_device
 * @queue: queue
 * @coal: filled
 *
 * Context: Process context, rtnl held.
 * Return: 0; -EINVAL without such a queue.
 */
int txgbe_ethtool_get_per_queue_coalesce(struct net_device *dev, u32 queue,
					 struct ethtool_coalesce *coal)
{
	struct txgbe_net *fn = netdev_priv(dev);

	if (queue >= fn->nr_vecs)
		return -EINVAL;
	txgbe_ethtool_fill_coalesce(&fn->cfg.itr[queue], coal);
	return 0;
}

/**
 * txgbe_ethtool_set_per_queue_coalesce() - moderation of one queue
 * @dev: net_device
 * @queue: queue
 * @coal: what to set
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: as txgbe_ethtool_set_coalesce(); -EINVAL without such a queue.
 */
int txgbe_ethtool_set_per_queue_coalesce(struct net_device *dev, u32 queue,
					 struct ethtool_coalesce *coal)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int err;

	if (queue >= fn->nr_vecs)
		return -EINVAL;
	err = txgbe_ethtool_check_coalesce(coal, NULL);
	if (err) {
		/* There is no extack for this one. */
		netdev_info(dev, "queue %u: rx-usecs %u, adaptive-rx %s refused: at most %u us, adaptive only with CONFIG_DIMLIB\n",
			    queue, coal->rx_coalesce_usecs,
			    coal->use_adaptive_rx_coalesce ? "on" : "off", TXGBE_ITR_MAX_US);
		return err;
	}
	txgbe_ethtool_store_coalesce(fn, queue, coal);
	return 0;
}

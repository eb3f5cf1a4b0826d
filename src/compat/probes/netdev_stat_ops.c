// SPDX-License-Identifier: GPL-2.0-only
/* net_device.stat_ops since 6.9, what it counts since 6.11. Only steers queuestats.h */
#include <linux/netdevice.h>
#include <net/netdev_queues.h>

void probe(struct net_device *dev, const struct netdev_stat_ops *ops,
	   struct netdev_queue_stats_rx *rx, struct netdev_queue_stats_tx *tx);
void probe(struct net_device *dev, const struct netdev_stat_ops *ops,
	   struct netdev_queue_stats_rx *rx, struct netdev_queue_stats_tx *tx)
{
	rx->csum_bad = rx->alloc_fail;
	tx->wake = tx->packets;
	ops->get_base_stats(dev, rx, tx);
	dev->stat_ops = ops;
}

// SPDX-License-Identifier: GPL-2.0-only
/* netdev_lock(), netdev_assert_locked(): since 6.15 */
#include <linux/netdevice.h>
#include <net/netdev_lock.h>

void probe(struct net_device *dev);
void probe(struct net_device *dev)
{
	netdev_lock(dev);
	netdev_assert_locked(dev);
	netdev_unlock(dev);
}

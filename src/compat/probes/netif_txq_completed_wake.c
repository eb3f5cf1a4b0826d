// SPDX-License-Identifier: GPL-2.0-only
/* netif_txq_completed_wake(): since 6.4 */
#include <linux/netdevice.h>
#include <net/netdev_queues.h>

void probe(struct netdev_queue *txq);
void probe(struct netdev_queue *txq)
{
	netif_txq_completed_wake(txq, 1, 1, 1, 1);
}

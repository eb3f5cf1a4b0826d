// SPDX-License-Identifier: GPL-2.0-only
/* netif_txq_maybe_stop(), netif_txq_try_stop(): since 6.4 */
#include <linux/netdevice.h>
#include <net/netdev_queues.h>

void probe(struct netdev_queue *txq);
void probe(struct netdev_queue *txq)
{
	netif_txq_maybe_stop(txq, 1, 1, 1);
}

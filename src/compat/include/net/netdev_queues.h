/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stop and wake a transmit queue without a race between the two sides. Called
 * as in later kernels; see netif_txq_maybe_stop() there.
 *
 * The stopper frees no descriptors and the completer does not fill any. Each
 * writes its own side (stopped bit; freed descriptors), then a full barrier,
 * then reads the other's, so at least one of them sees what the other did.
 */
#ifndef COMPAT_NET_NETDEV_QUEUES_H
#define COMPAT_NET_NETDEV_QUEUES_H

#include <linux/netdevice.h>

/* 1 it runs; 0 stopped; -1 it was stopped and started again at once */
#define netif_txq_try_stop(txq, get_desc, start_thrs)			\
({									\
	int _res = 0;							\
									\
	netif_tx_stop_queue(txq);					\
	smp_mb(); /* pairs with the one of netif_txq_completed_wake */	\
	if (unlikely((get_desc) >= (start_thrs))) {			\
		netif_tx_start_queue(txq);				\
		_res = -1;						\
	}								\
	_res;								\
})

#define netif_txq_maybe_stop(txq, get_desc, stop_thrs, start_thrs)	\
({									\
	int _res = 1;							\
									\
	if (unlikely((get_desc) < (stop_thrs)))				\
		_res = netif_txq_try_stop(txq, get_desc, start_thrs);	\
	_res;								\
})

#endif /* COMPAT_NET_NETDEV_QUEUES_H */

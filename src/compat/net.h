/* SPDX-License-Identifier: GPL-2.0-only */
/* net_device, NAPI, queues and sk_buff: what older kernels lack. */
#ifndef COMPAT_NET_H
#define COMPAT_NET_H

#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/u64_stats_sync.h>
#include <net/netdev_queues.h>

/* ---- DMA ---------------------------------------------------------------- */

#ifndef HAVE_DMA_NEED_UNMAP
static inline bool dma_need_unmap(struct device *dev)
{
	return true;
}
#endif

/* Sync whatever it is: without the question every buffer may be a bounce buffer. */
#ifndef HAVE_DMA_DEV_NEED_SYNC
static inline bool dma_dev_need_sync(struct device *dev)
{
	return true;
}
#endif

#ifndef HAVE_DMA_MAP_PHYS
static inline dma_addr_t dma_map_phys(struct device *dev, phys_addr_t phys, size_t size,
				      enum dma_data_direction dir, unsigned long attrs)
{
	return dma_map_page_attrs(dev, pfn_to_page(PHYS_PFN(phys)), offset_in_page(phys), size,
				  dir, attrs);
}
#endif

/* ---- NAPI --------------------------------------------------------------- */

#ifndef HAVE_NETIF_NAPI_ADD_3ARGS
static inline void compat_netif_napi_add(struct net_device *dev, struct napi_struct *napi,
					 int (*poll)(struct napi_struct *napi, int budget))
{
	netif_napi_add(dev, napi, poll, NAPI_POLL_WEIGHT);
}

#define netif_napi_add		compat_netif_napi_add
#endif

#ifndef HAVE___NETIF_NAPI_DEL
/* The only way to delete one waits for a grace period each time. */
#define __netif_napi_del	netif_napi_del
#endif

#ifndef HAVE_NETIF_NAPI_ADD_CONFIG
/* The settings of an instance do not outlive it here. */
static inline void netif_napi_add_config(struct net_device *dev, struct napi_struct *napi,
					 int (*poll)(struct napi_struct *napi, int budget),
					 int index)
{
	netif_napi_add(dev, napi, poll);
}
#endif

/* For netlink's view of queues and vectors, which these kernels do not have. */
#ifndef HAVE_NETIF_NAPI_SET_IRQ
static inline void netif_napi_set_irq(struct napi_struct *napi, int irq)
{
}
#endif

#ifndef HAVE_NETIF_QUEUE_SET_NAPI
enum netdev_queue_type {
	NETDEV_QUEUE_TYPE_RX,
	NETDEV_QUEUE_TYPE_TX,
};

static inline void netif_queue_set_napi(struct net_device *dev, unsigned int queue_index,
					enum netdev_queue_type type, struct napi_struct *napi)
{
}
#endif

#ifndef HAVE_NAPI_SCHEDULE_BOOL
static inline bool compat_napi_schedule(struct napi_struct *napi)
{
	if (!napi_schedule_prep(napi))
		return false;
	__napi_schedule(napi);
	return true;
}

#define napi_schedule		compat_napi_schedule
#endif

/* ---- Moderation --------------------------------------------------------- */

#if !defined(HAVE_NET_DIM_POINTER) && IS_REACHABLE(CONFIG_DIMLIB)
#include <linux/dim.h>
static inline void compat_net_dim(struct dim *dim, const struct dim_sample *end_sample)
{
	net_dim(dim, *end_sample);
}

#define net_dim			compat_net_dim
#endif

/* ---- Queues ------------------------------------------------------------- */

#ifndef HAVE_NETIF_TXQ_COMPLETED_WAKE
static inline void compat_txq_completed_mb(struct netdev_queue *txq, unsigned int pkts,
					   unsigned int bytes)
{
	if (IS_ENABLED(CONFIG_BQL))
		netdev_tx_completed_queue(txq, pkts, bytes);
	else if (bytes)
		smp_mb();	/* pairs with the one of netif_txq_try_stop() */
}

/* 0 woken; 1 it runs; -1 nothing completed or not enough room */
#define __netif_txq_completed_wake(txq, pkts, bytes, get_desc, start_thrs, down_cond)	\
({											\
	int _res = -1;									\
											\
	/* a full barrier if bytes is not 0, so freed descriptors come first */		\
	compat_txq_completed_mb(txq, pkts, bytes);					\
	if ((pkts) && likely((get_desc) >= (start_thrs))) {				\
		_res = 1;								\
		if (unlikely(netif_tx_queue_stopped(txq)) && !(down_cond)) {		\
			netif_tx_wake_queue(txq);					\
			_res = 0;							\
		}									\
	}										\
	_res;										\
})

#define netif_txq_completed_wake(txq, pkts, bytes, get_desc, start_thrs)	\
	__netif_txq_completed_wake(txq, pkts, bytes, get_desc, start_thrs, false)
#endif

#ifndef HAVE_NETIF_SET_REAL_NUM_QUEUES
static inline int netif_set_real_num_queues(struct net_device *dev, unsigned int txq,
					    unsigned int rxq)
{
	unsigned int old_rxq = dev->real_num_rx_queues;
	int err;

	err = netif_set_real_num_rx_queues(dev, rxq);
	if (err)
		return err;
	err = netif_set_real_num_tx_queues(dev, txq);
	if (err)
		WARN_ON(netif_set_real_num_rx_queues(dev, old_rxq));
	return err;
}
#endif

/* ---- net_device --------------------------------------------------------- */

#ifndef HAVE_ETH_HW_ADDR_SET
static inline void eth_hw_addr_set(struct net_device *dev, const u8 *addr)
{
	ether_addr_copy(dev->dev_addr, addr);
}
#endif

#ifndef HAVE_NETIF_SET_TSO_MAX_SIZE
static inline void netif_set_tso_max_size(struct net_device *dev, unsigned int size)
{
	netif_set_gso_max_size(dev, min_t(unsigned int, size, GSO_MAX_SIZE));
}
#endif

#ifndef HAVE_BIG_TCP_WITHOUT_HOPOPT
/* Beyond this size IPv6 frames carry an option that a driver would have to take out. */
static inline void compat_netif_set_tso_max_size(struct net_device *dev, unsigned int size)
{
	netif_set_tso_max_size(dev, min_t(unsigned int, size, 65536));
}

#define netif_set_tso_max_size	compat_netif_set_tso_max_size
#endif

#ifndef HAVE_KERNEL_ETHTOOL_TS_INFO
#define kernel_ethtool_ts_info	ethtool_ts_info
#endif

#ifndef HAVE_NDO_ETH_IOCTL
#define ndo_eth_ioctl		ndo_do_ioctl
#endif

#ifndef HAVE_NDO_TX_TIMEOUT_QUEUE
/* The watchdog stopped at the first queue that it found to hang; find it again. */
static inline unsigned int compat_tx_timeout_queue(struct net_device *dev)
{
	struct netdev_queue *txq;
	unsigned int i;

	for (i = 0; i < dev->real_num_tx_queues; i++) {
		txq = netdev_get_tx_queue(dev, i);
		if (netif_xmit_stopped(txq) &&
		    time_after(jiffies, txq->trans_start + dev->watchdog_timeo))
			return i;
	}
	return 0;
}

#define txgbe_net_tx_timeout(dev_arg, queue_arg)			\
	__txgbe_net_tx_timeout(dev_arg, queue_arg);			\
	static void (txgbe_net_tx_timeout)(struct net_device *ndev)	\
	{								\
		__txgbe_net_tx_timeout(ndev, compat_tx_timeout_queue(ndev)); \
	}								\
	static void __txgbe_net_tx_timeout(dev_arg, queue_arg)
#endif

/* ---- Statistics --------------------------------------------------------- */

#ifndef HAVE_U64_STATS_T
typedef struct {
	u64 v;
} u64_stats_t;

static inline u64 u64_stats_read(const u64_stats_t *p)
{
	return READ_ONCE(p->v);
}

static inline void u64_stats_add(u64_stats_t *p, unsigned long val)
{
	WRITE_ONCE(p->v, p->v + val);
}

static inline void u64_stats_inc(u64_stats_t *p)
{
	u64_stats_add(p, 1);
}
#endif

/* ---- sk_buff ------------------------------------------------------------ */

#ifndef HAVE_NAPI_BUILD_SKB
#define napi_build_skb		build_skb
#endif

#ifndef HAVE_SKB_CSUM_IS_SCTP
static inline bool skb_csum_is_sctp(struct sk_buff *skb)
{
	return skb->csum_not_inet;
}
#endif

#ifndef HAVE_NET_PREFETCH
static inline void net_prefetch(void *p)
{
	prefetch(p);
#if L1_CACHE_BYTES < 128
	prefetch((u8 *)p + L1_CACHE_BYTES);
#endif
}
#endif

#endif /* COMPAT_NET_H */

// SPDX-License-Identifier: GPL-2.0-only
/* The poll of one vector. */
#include <linux/io.h>
#include <linux/netdevice.h>

#include "txgbe/netdev.h"

/**
 * txgbe_napi_poll() - reclaim transmit descriptors, receive frames, re-arm
 * @napi: NAPI instance of a vector
 * @budget: most frames to receive; 0 (netpoll) means transmit only
 *
 * Context: Softirq, one at a time per vector.
 * Return: frames received; @budget keeps the poll going.
 */
int txgbe_napi_poll(struct napi_struct *napi, int budget)
{
	struct txgbe_vec *vec = container_of(napi, struct txgbe_vec, napi);
	struct txgbe_tx_ring *xdpr = vec->xdpr;
	bool more = false;
	int done = 0;

	if (txgbe_tx_has_news(vec->txr))
		txgbe_tx_clean(vec->txr, budget);
	if (unlikely(!budget))
		return 0;

	if (txgbe_tx_has_news(xdpr))
		txgbe_xdp_clean(xdpr);
	if (unlikely(xdpr->xsk_pool))
		more = !txgbe_xsk_tx(xdpr);
	if (txgbe_rx_has_news(vec->rxr) || vec->rxr->xsk_pool)
		done = txgbe_rx_clean(vec, budget);
	if (unlikely(more))
		return budget;
	if (done < budget) {
		if (READ_ONCE(vec->adaptive))
			txgbe_itr_sample(vec);
		if (napi_complete_done(napi, done))
			writel(vec->unmask_bit, vec->unmask);
	}
	return done;
}

/**
 * txgbe_napi_enable() - let the poll run, and tell netlink whose it is
 * @vec: vector with rings
 *
 * Context: Process context, rtnl held.
 */
void txgbe_napi_enable(struct txgbe_vec *vec)
{
	struct net_device *dev = vec->fn->netdev;

	vec->txr->stuck_ticks = 0;
	vec->xdpr->stuck_ticks = 0;
	napi_enable(&vec->napi);
	netif_queue_set_napi(dev, vec->idx, NETDEV_QUEUE_TYPE_RX, &vec->napi);
	netif_queue_set_napi(dev, vec->idx, NETDEV_QUEUE_TYPE_TX, &vec->napi);
}

/**
 * txgbe_napi_forget() - no poll will come: the rest of txgbe_napi_disable()
 * @vec: vector, NAPI disabled
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_napi_forget(struct txgbe_vec *vec)
{
	struct net_device *dev = vec->fn->netdev;

	netif_queue_set_napi(dev, vec->idx, NETDEV_QUEUE_TYPE_RX, NULL);
	netif_queue_set_napi(dev, vec->idx, NETDEV_QUEUE_TYPE_TX, NULL);
	txgbe_itr_stop(vec);
}

/**
 * txgbe_napi_disable() - wait for the poll to end, and let none begin
 * @vec: vector
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_napi_disable(struct txgbe_vec *vec)
{
	napi_disable(&vec->napi);
	txgbe_napi_forget(vec);
}

/**
 * txgbe_napi_resume() - after napi_disable() on a running port
 * @vec: vector with rings that run
 *
 * An interrupt that came meanwhile found no poll to start and left the vector
 * masked: a poll looks, and unmasks.
 *
 * Context: Process context, rtnl held.
 */
void txgbe_napi_resume(struct txgbe_vec *vec)
{
	vec->txr->stuck_ticks = 0;
	vec->xdpr->stuck_ticks = 0;
	napi_enable(&vec->napi);
	local_bh_disable();
	napi_schedule(&vec->napi);
	local_bh_enable();
}

/**
 * txgbe_napi_kick_lost() - start a poll whose interrupt never came
 * @vec: vector
 *
 * A vector that has finished work and did not move since the last call lost
 * its message, or waits for memory to refill the ring. A vector whose poll is
 * merely late is scheduled already, and nothing happens.
 *
 * Context: Process context, periodically, from one place only.
 */
void txgbe_napi_kick_lost(struct txgbe_vec *vec)
{
	struct txgbe_tx_ring *txr = vec->txr;
	struct txgbe_rx_ring *rxr = vec->rxr;
	u32 xdp = READ_ONCE(vec->xdpr->clean_idx);
	u32 tx = READ_ONCE(txr->clean_idx);
	u32 rx = READ_ONCE(rxr->clean_idx);
	__le32 status = READ_ONCE(rxr->desc[rx].wb.status);
	bool stuck;

	stuck = tx == vec->seen_tx && txgbe_tx_hw_done(txr);
	stuck |= xdp == vec->seen_xdp && txgbe_tx_hw_done(vec->xdpr);
	stuck |= rx == vec->seen_rx && status & cpu_to_le32(TXGBE_RXD_STA_DD);
	vec->seen_tx = tx;
	vec->seen_rx = rx;
	vec->seen_xdp = xdp;
	if (!stuck || test_bit(NAPI_STATE_SCHED, &vec->napi.state))
		return;

	vec->irq_lost++;
	/* As the interrupt would; bottom halves on again runs the softirq. */
	local_bh_disable();
	napi_schedule(&vec->napi);
	local_bh_enable();
}

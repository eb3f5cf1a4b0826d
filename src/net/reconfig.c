// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other rings, more or fewer queues, on a port that may be running.
 *
 * Everything that can fail for want of memory is done first, beside what runs;
 * a failure there changes nothing. Then ring by ring is exchanged, started or
 * stopped; the other rings and the link go on. Only if the device does not
 * follow an enable bit is the port reset.
 */
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "txgbe/hw.h"
#include "txgbe/netdev.h"

/* Open, but a reset has failed and is tried again: not now. */
static bool txgbe_reconfig_is_busy(const struct txgbe_net *fn)
{
	return netif_running(fn->netdev) && !test_bit(TXGBE_NET_UP, &fn->state);
}

/* ---- Ring sizes -------------------------------------------------------- */

static void txgbe_reconfig_free(struct txgbe_net *fn, struct txgbe_ring_pair *pairs)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_ring_free_pair(fn, &pairs[i]);
	kfree(pairs);
}

static struct txgbe_ring_pair *txgbe_reconfig_alloc(struct txgbe_net *fn,
						    const struct txgbe_ring_cfg *cfg)
{
	struct txgbe_ring_pair *pairs;
	u32 i;

	pairs = kzalloc_objs(*pairs, fn->nr_vecs);
	if (!pairs)
		return NULL;
	for (i = 0; i < fn->nr_vecs; i++) {
		if (txgbe_ring_alloc_pair(fn, fn->vec[i], cfg, &pairs[i])) {
			txgbe_reconfig_free(fn, pairs);
			return NULL;
		}
	}
	return pairs;
}

/*
 * The device did not follow. With the port down all rings can be exchanged;
 * those of the vectors before @done are, but not all of them are drained.
 * Return: what starting the port returned.
 */
static int txgbe_reconfig_swap_down(struct txgbe_net *fn, struct txgbe_ring_pair *pairs, u32 done)
{
	u32 i;

	txgbe_net_down(fn);
	for (i = 0; i < fn->nr_vecs; i++) {
		if (i < done) {
			txgbe_ring_drain_pair(&pairs[i]);
			continue;
		}
		txgbe_ring_install(fn, fn->vec[i], &pairs[i]);
		txgbe_ring_disown(&pairs[i]);
	}
	return txgbe_recover_restart_port(fn);
}

static bool txgbe_reconfig_is_same(const struct txgbe_ring_cfg *a, const struct txgbe_ring_cfg *b)
{
	return a->tx_desc == b->tx_desc && a->rx_desc == b->rx_desc && a->split == b->split;
}

/**
 * txgbe_reconfig_rings() - give the port other rings
 * @fn: net part
 * @want: what they are to be like, within its limits
 * @extack: reason of a refusal, or NULL
 *
 * The link stays. Frames that arrive while a queue's rings are exchanged, some
 * hundred microseconds, are lost, as are those that do not leave in time.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOMEM, then the old rings are still in use; -EBUSY during
 *	recovery; what starting the port returned, if it had to be reset.
 */
int txgbe_reconfig_rings(struct txgbe_net *fn, const struct txgbe_ring_cfg *want,
			 struct netlink_ext_ack *extack)
{
	struct txgbe_ring_pair *pairs;
	bool exchanged;
	int err = 0;
	u32 i;

	ASSERT_RTNL();
	if (txgbe_reconfig_is_same(want, &fn->cfg.rings))
		return 0;
	if (txgbe_reconfig_is_busy(fn)) {
		NL_SET_ERR_MSG(extack, "the port is being reset, try again");
		return -EBUSY;
	}
	if (!netif_running(fn->netdev)) {
		fn->cfg.rings = *want;
		return 0;
	}

	pairs = txgbe_reconfig_alloc(fn, want);
	if (!pairs) {
		NL_SET_ERR_MSG(extack, "no memory for rings of that size, the old ones stay");
		return -ENOMEM;
	}

	txgbe_service_stop(fn);
	/* A reset on the way starts the new ones. */
	fn->cfg.rings = *want;
	for (i = 0; i < fn->nr_vecs && !err; i += exchanged)
		err = txgbe_queue_swap(fn, fn->vec[i], &pairs[i], &exchanged);
	if (err) {
		txgbe_recover_disobeyed(fn, exchanged ? i - 1 : i, "exchange its rings", err);
		err = txgbe_reconfig_swap_down(fn, pairs, i);
	} else {
		txgbe_service_start(fn);
	}
	/* The core's watchdog and ndo_xdp_xmit found rings without a lock of ours. */
	synchronize_net();
	txgbe_reconfig_free(fn, pairs);
	return err;
}

/**
 * txgbe_reconfig_vec() - give one vector rings as configured now
 * @fn: net part
 * @queue: queue pair; what it is to have, as the memory of AF_XDP sockets, has
 *	changed
 *
 * The other queues and the link go on. Nothing is done if the port is closed:
 * the next open looks at the configuration.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ENOMEM, then the old rings are still in use; what starting the
 *	port returned if it had to be reset, then the new ones are.
 */
int txgbe_reconfig_vec(struct txgbe_net *fn, u32 queue)
{
	struct txgbe_vec *vec = fn->vec[queue];
	struct txgbe_ring_pair pair;
	bool exchanged;
	int err;

	ASSERT_RTNL();
	if (!vec->rxr)
		return 0;
	err = txgbe_ring_alloc_pair(fn, vec, &fn->cfg.rings, &pair);
	if (err)
		return err;

	if (!test_bit(TXGBE_NET_UP, &fn->state)) {
		txgbe_ring_install(fn, vec, &pair);
		txgbe_ring_disown(&pair);
		goto out_free;
	}

	txgbe_service_stop(fn);
	err = txgbe_queue_swap(fn, vec, &pair, &exchanged);
	if (err) {
		txgbe_recover_disobeyed(fn, queue, "exchange its rings", err);
		txgbe_net_down(fn);
		if (!exchanged) {
			txgbe_ring_install(fn, vec, &pair);
			txgbe_ring_disown(&pair);
		}
		txgbe_ring_drain_pair(&pair);
		err = txgbe_recover_restart_port(fn);
	} else {
		txgbe_service_start(fn);
	}
out_free:
	/* As in txgbe_reconfig_rings(). */
	synchronize_net();
	txgbe_ring_free_pair(fn, &pair);
	return err;
}

/* ---- Number of queues -------------------------------------------------- */

/* The table follows the number of queues unless the user has set one. */
static void txgbe_reconfig_spread_rss(struct txgbe_net *fn, u32 nr)
{
	if (netif_is_rxfh_configured(fn->netdev))
		return;
	txgbe_config_spread_rss(&fn->cfg, nr);
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_rss_set(fn->fd, fn->cfg.rss_key, fn->cfg.rss_table, fn->cfg.rss_fields);
}

static int txgbe_reconfig_prepare_vec(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	struct txgbe_ring_pair pair;
	int err;

	err = txgbe_ring_alloc_pair(fn, vec, &fn->cfg.rings, &pair);
	if (err)
		return err;
	txgbe_ring_install(fn, vec, &pair);
	err = txgbe_irq_request_vec(fn, vec);
	if (err) {
		txgbe_ring_install(fn, vec, &pair);
		txgbe_ring_free_pair(fn, &pair);
	}
	return err;
}

static bool txgbe_reconfig_has_rings(const struct txgbe_net *fn, u32 i)
{
	return fn->vec[i] && fn->vec[i]->rxr;
}

/* Nobody finds the transmit rings of these queues any more. */
static void txgbe_reconfig_hide_tx(struct txgbe_net *fn, u32 first, u32 end)
{
	struct netdev_queue *txq;
	u32 i;

	for (i = first; i < end; i++) {
		txq = netdev_get_tx_queue(fn->netdev, i);
		__netif_tx_lock_bh(txq);
		WRITE_ONCE(fn->txr[i], NULL);
		clear_bit(i, fn->stalled);
		clear_bit(TXGBE_XDP_RING(i), fn->stalled);
		/* Not in use, but if stopped the core's watchdog would bark at it. */
		netif_tx_start_queue(txq);
		__netif_tx_unlock_bh(txq);
	}
	synchronize_net();
}

/* The reverse, for vectors whose NAPI is disabled and whose rings are idle. */
static void txgbe_reconfig_drop_vecs(struct txgbe_net *fn, u32 first, u32 end)
{
	struct txgbe_ring_pair pair;
	u32 i;

	txgbe_reconfig_hide_tx(fn, first, end);
	for (i = first; i < end; i++) {
		if (fn->vec[i])
			txgbe_service_end_deaf(fn->vec[i]);
		if (!txgbe_reconfig_has_rings(fn, i))
			continue;
		txgbe_irq_release_vec(fn->vec[i]);
		memset(&pair, 0, sizeof(pair));
		txgbe_ring_install(fn, fn->vec[i], &pair);
		txgbe_ring_drain_pair(&pair);
		txgbe_ring_free_pair(fn, &pair);
	}
	txgbe_irq_del_vecs(fn, first, end);
}

static int txgbe_reconfig_start_vec(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	int err = txgbe_queue_start_pair(fn, vec);

	if (err)
		return err;
	netif_tx_start_queue(vec->txr->txq);
	txgbe_irq_map(fn, vec->idx, true);
	txgbe_itr_start(vec);
	txgbe_napi_enable(vec);
	txgbe_irq_unmask(vec);
	return 0;
}

/*
 * Stop vectors that nothing is sent to any more, in either direction. If the
 * device does not follow, the port is reset with the remaining ones.
 * Return: 0, or what starting the port returned.
 */
static int txgbe_reconfig_stop_vecs(struct txgbe_net *fn, u32 first, u32 end)
{
	bool reset = false;
	int err;
	u32 i;

	for (i = first; i < end; i++) {
		err = txgbe_queue_stop_pair(fn, fn->vec[i]);
		if (err) {
			txgbe_recover_disobeyed(fn, i, "stop", err);
			reset = true;
		}
		txgbe_napi_forget(fn->vec[i]);
		txgbe_irq_map(fn, i, false);
	}
	return reset ? txgbe_recover_reset_port(fn) : 0;
}

/* Vectors and rings for queues @old to @nr - 1, running, not yet used. */
static int txgbe_reconfig_add_vecs(struct txgbe_net *fn, u32 old, u32 nr)
{
	bool up = test_bit(TXGBE_NET_UP, &fn->state);
	int err;
	u32 i;

	for (i = old; i < nr; i++) {
		err = txgbe_irq_add_vec(fn, i);
		if (!err && up)
			err = txgbe_reconfig_prepare_vec(fn, fn->vec[i]);
		if (err)
			goto err_drop;
	}
	for (i = old; up && i < nr; i++) {
		err = txgbe_reconfig_start_vec(fn, fn->vec[i]);
		if (err)
			goto err_stop;
	}
	return 0;

err_stop:
	txgbe_recover_disobeyed(fn, i, "start", err);
	/* NAPI of vector @i never ran, but its rings may be half on. */
	while (i-- > old)
		txgbe_napi_disable(fn->vec[i]);
	txgbe_recover_reset_port(fn);
err_drop:
	txgbe_reconfig_drop_vecs(fn, old, nr);
	return err;
}

static int txgbe_reconfig_grow(struct txgbe_net *fn, u32 nr)
{
	u32 old = fn->nr_vecs;
	int err;

	err = txgbe_reconfig_add_vecs(fn, old, nr);
	if (err)
		return err;

	err = netif_set_real_num_queues(fn->netdev, nr, nr);
	if (err) {
		if (test_bit(TXGBE_NET_UP, &fn->state))
			txgbe_reconfig_stop_vecs(fn, old, nr);
		txgbe_reconfig_drop_vecs(fn, old, nr);
		return err;
	}
	WRITE_ONCE(fn->nr_vecs, nr);
	txgbe_reconfig_spread_rss(fn, nr);
	return 0;
}

static int txgbe_reconfig_shrink(struct txgbe_net *fn, u32 nr)
{
	u32 old = fn->nr_vecs;
	int err;

	err = txgbe_ntuple_check_queues(fn, nr);
	if (err)
		return err;
	txgbe_reconfig_spread_rss(fn, nr);
	err = netif_set_real_num_tx_queues(fn->netdev, nr);
	if (err) {
		txgbe_reconfig_spread_rss(fn, old);
		return err;
	}
	WRITE_ONCE(fn->nr_vecs, nr);
	if (test_bit(TXGBE_NET_UP, &fn->state)) {
		/* Flows that run are steered again, to the queues there are. */
		txgbe_arfs_stop(fn);
		synchronize_net();
		txgbe_arfs_start(fn);
		err = txgbe_reconfig_stop_vecs(fn, nr, old);
	}
	/* Until here a frame may come to the stack on one of the old ones. Fewer never fails. */
	netif_set_real_num_rx_queues(fn->netdev, nr);
	txgbe_reconfig_drop_vecs(fn, nr, old);
	return err;
}

static bool txgbe_reconfig_rss_fits(const struct txgbe_net *fn, u32 nr)
{
	u32 i;

	if (!netif_is_rxfh_configured(fn->netdev))
		return true;
	for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES; i++)
		if (fn->cfg.rss_table[i] >= nr)
			return false;
	return true;
}

/* ethtool has no extack for this. Return: 0, -EINVAL, -EBUSY */
static int txgbe_reconfig_check_queues(const struct txgbe_net *fn, u32 nr)
{
	if (nr < 1 || nr > fn->max_vecs) {
		netdev_info(fn->netdev, "combined %u refused: 1 to %u\n", nr, fn->max_vecs);
		return -EINVAL;
	}
	if (!txgbe_reconfig_rss_fits(fn, nr)) {
		netdev_info(fn->netdev, "combined %u refused: the hash table names queues beyond\n",
			    nr);
		return -EINVAL;
	}
	if (txgbe_reconfig_is_busy(fn)) {
		netdev_info(fn->netdev, "combined %u refused: the port is being reset, try again\n",
			    nr);
		return -EBUSY;
	}
	return 0;
}

/* Sockets' memory belongs to a queue; it cannot go along with it. */
static bool txgbe_reconfig_has_pool(const struct txgbe_net *fn, u32 first)
{
	u32 i;

	for (i = first; i < fn->nr_vecs; i++)
		if (fn->xsk_pool[i])
			return true;
	return false;
}

/**
 * txgbe_reconfig_queues() - use another number of queue pairs
 * @fn: net part
 * @nr: 1..fn->max_vecs
 *
 * Queues that stay are not disturbed and the link is kept. A hash table that
 * the user has set stays, and must fit; the default one is spread anew. An XDP
 * program runs on new queues, too.
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -EINVAL for a number that is out of range or too small for the
 *	user's hash table or flow rules; -EBUSY during recovery, or if a queue that is to go has
 *	memory of AF_XDP sockets, which the core looks at first and tells; -ENOMEM
 *	or what request_irq() returned. The old queues are in use then. What
 *	starting the port returned, if it had to be reset.
 */
int txgbe_reconfig_queues(struct txgbe_net *fn, u32 nr)
{
	u32 old = fn->nr_vecs;
	int err;

	ASSERT_RTNL();
	if (nr == old)
		return 0;
	err = txgbe_reconfig_check_queues(fn, nr);
	if (err)
		return err;
	if (txgbe_reconfig_has_pool(fn, nr))
		return -EBUSY;

	txgbe_service_stop(fn);
	err = nr > old ? txgbe_reconfig_grow(fn, nr) : txgbe_reconfig_shrink(fn, nr);
	if (test_bit(TXGBE_NET_UP, &fn->state)) {
		txgbe_queue_update_drop(fn);
		txgbe_service_start(fn);
	}
	if (fn->nr_vecs != old)
		txgbe_config_set_xps(fn);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The net_device of a port: create and destroy, open and close, settings.
 *
 * Locking: this driver does not ask for the ops lock, so all configuration
 * runs under rtnl on every kernel. The two exceptions take what they need:
 * set_rx_mode runs under the address lock alone, transmit under the queue's.
 *
 * txgbe_net_up() and txgbe_net_down() are the only way the hardware is
 * started and stopped, for open and close and for every restart.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>

#include "compat/hwstamp.h"
#include "compat/tunnelports.h"
#include "txgbe/clock.h"
#include "txgbe/hw.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"
#include "txgbe/netdev.h"

#define TXGBE_NET_WATCHDOG		(5 * HZ)

#define TXGBE_NET_FEATURES	(NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_SCTP_CRC |	\
				 NETIF_F_TSO | NETIF_F_TSO6 | NETIF_F_RXCSUM |		\
				 NETIF_F_RXHASH)
/* Checksums of encapsulated frames. */
#define TXGBE_NET_ENC_FEATURES	(NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_SCTP_CRC | NETIF_F_HIGHDMA)
/*
 * Segmentation within tunnels and of UDP: nobody is known to have seen the
 * device do it, so it is off until asked for.
 */
#define TXGBE_NET_TUNNEL_TSO	(NETIF_F_GSO_GRE | NETIF_F_GSO_GRE_CSUM |		\
				 NETIF_F_GSO_IPXIP4 | NETIF_F_GSO_IPXIP6 |		\
				 NETIF_F_GSO_UDP_TUNNEL | NETIF_F_GSO_UDP_TUNNEL_CSUM)
#define TXGBE_NET_UNPROVEN	(TXGBE_NET_TUNNEL_TSO | NETIF_F_GSO_UDP_L4)
#define TXGBE_NET_VLAN_FEATURES	(NETIF_F_HW_VLAN_CTAG_TX | NETIF_F_HW_VLAN_STAG_TX |	\
				 NETIF_F_HW_VLAN_CTAG_RX | NETIF_F_HW_VLAN_STAG_RX |	\
				 NETIF_F_HW_VLAN_CTAG_FILTER | NETIF_F_HW_VLAN_STAG_FILTER)

/* ---- Address filters --------------------------------------------------- */

/* Unicast addresses beside the port's own. Return: false if they do not fit. */
static bool txgbe_net_sync_uc(struct txgbe_net *fn)
{
	struct netdev_hw_addr *ha;
	u32 slot = 1;

	if (netdev_uc_count(fn->netdev) > TXGBE_MAC_ADDR_SLOTS - 1)
		return false;

	netdev_for_each_uc_addr(ha, fn->netdev) {
		if (slot > fn->uc_used || !ether_addr_equal(fn->uc_addr[slot], ha->addr)) {
			ether_addr_copy(fn->uc_addr[slot], ha->addr);
			txgbe_filter_set_addr(fn->fd, slot, ha->addr);
		}
		slot++;
	}
	for (; fn->uc_used >= slot; fn->uc_used--)
		txgbe_filter_clear_addr(fn->fd, fn->uc_used);
	fn->uc_used = slot - 1;
	return true;
}

static void txgbe_net_sync_mc(struct txgbe_net *fn)
{
	u32 table[TXGBE_MC_TBL_WORDS] = {};
	struct netdev_hw_addr *ha;
	u32 hash;

	netdev_for_each_mc_addr(ha, fn->netdev) {
		hash = txgbe_filter_mc_hash(ha->addr);
		table[hash / 32] |= BIT(hash % 32);
	}
	if (!memcmp(table, fn->mc_table, sizeof(table)))
		return;
	memcpy(fn->mc_table, table, sizeof(table));
	txgbe_filter_set_mc(fn->fd, table);
}

/* The caller holds the address lock. */
static void __txgbe_net_set_rx_mode(struct txgbe_net *fn)
{
	bool promisc = fn->netdev->flags & IFF_PROMISC;
	bool fits = txgbe_net_sync_uc(fn);

	if (!fits && !fn->uc_overflow)
		netdev_notice(fn->netdev, "%d unicast addresses, %d fit: all frames are let in until there are fewer\n",
			      netdev_uc_count(fn->netdev), TXGBE_MAC_ADDR_SLOTS - 1);
	fn->uc_overflow = !fits;

	txgbe_net_sync_mc(fn);
	txgbe_filter_set_mode(fn->fd, promisc || !fits, fn->netdev->flags & IFF_ALLMULTI);
	txgbe_vlan_sync_filter(fn, fn->netdev->features);
}

/* Context: the address lock is held, bottom halves are off. */
static void txgbe_net_set_rx_mode(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	/* Otherwise txgbe_net_up() will do it. */
	if (test_bit(TXGBE_NET_UP, &fn->state))
		__txgbe_net_set_rx_mode(fn);
}

/* From here on set_rx_mode may touch the filters, which a reset emptied. */
static void txgbe_net_mark_up(struct txgbe_net *fn)
{
	netif_addr_lock_bh(fn->netdev);
	fn->uc_used = 0;
	memset(fn->mc_table, 0, sizeof(fn->mc_table));
	__txgbe_net_set_rx_mode(fn);
	set_bit(TXGBE_NET_UP, &fn->state);
	netif_addr_unlock_bh(fn->netdev);
}

static bool txgbe_net_mark_down(struct txgbe_net *fn)
{
	bool was_up;

	netif_addr_lock_bh(fn->netdev);
	was_up = test_and_clear_bit(TXGBE_NET_UP, &fn->state);
	netif_addr_unlock_bh(fn->netdev);
	return was_up;
}

/* ---- Up and down ------------------------------------------------------- */

static void txgbe_net_enable_napi(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_napi_enable(fn->vec[i]);
}

static void txgbe_net_disable_napi(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++)
		txgbe_napi_disable(fn->vec[i]);
}

/**
 * txgbe_net_start_hw() - settings, rings and gates, in the order the chip wants
 * @fn: net part; rings are allocated and empty
 *
 * Nothing interrupts yet: all vectors are masked. After a failure
 * txgbe_net_stop_hw() has to be called (reference 19).
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ETIMEDOUT, -ENOMEM or -ENODEV as txgbe_net_up().
 */
int txgbe_net_start_hw(struct txgbe_net *fn)
{
	struct txgbe_dev *fd = fn->fd;
	int err;

	/* Nobody tells a closed port that others have reset the chip. */
	if (fn->reset_owed || !txgbe_hw_is_set_up(fd)) {
		err = txgbe_hw_reset(fd);
		if (err)
			return err;
		fn->reset_owed = false;
	}

	txgbe_config_replay(fn);

	txgbe_mac_tx_gate(fd, true);
	err = txgbe_queue_start_tx(fn);
	if (err)
		return err;

	err = txgbe_queue_start_rx(fn);
	if (err)
		return err;
	err = txgbe_mac_rx_gate(fd, true);
	if (err)
		return err;

	txgbe_hw_own(fd, true);
	return txgbe_present(fd) ? 0 : -ENODEV;
}

/**
 * txgbe_net_stop_hw() - the reverse, from whatever point txgbe_net_start_hw() came to
 * @fn: net part; interrupts and NAPI are off, or were never on
 *
 * Ends with a LAN reset, rings are empty then.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_net_stop_hw(struct txgbe_net *fn)
{
	struct txgbe_dev *fd = fn->fd;

	txgbe_ntuple_stop(fn);
	txgbe_hw_stop_dma(fd);
	txgbe_mac_rx_gate(fd, false);
	txgbe_queue_stop_rx(fn);
	txgbe_queue_stop_tx(fn);
	txgbe_mac_tx_gate(fd, false);
	/* The reset clears the counters. */
	txgbe_stats_hw_refresh(fn);
	fn->reset_owed = txgbe_hw_reset(fd) != 0;
	txgbe_hw_own(fd, false);
	txgbe_ring_drain_all(fn);
}

/**
 * txgbe_net_up() - start the hardware with everything that is configured
 * @fn: net part; rings are allocated and empty, handlers are installed
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; -ETIMEDOUT if the chip does not follow; -ENOMEM without receive
 *	buffers; -ENODEV if the device is gone. Nothing runs then.
 */
int txgbe_net_up(struct txgbe_net *fn)
{
	int err;

	ASSERT_RTNL();
	if (!txgbe_present(fn->fd))
		return -ENODEV;

	clear_bit(TXGBE_NET_CHIP_RESET, &fn->state);
	txgbe_recover_forget_stalls(fn);
	err = txgbe_net_start_hw(fn);
	if (err) {
		txgbe_net_stop_hw(fn);
		return err;
	}

	txgbe_net_mark_up(fn);
	txgbe_tunnel_replay(fn);
	txgbe_net_enable_napi(fn);
	txgbe_irq_enable(fn);
	netif_trans_update(fn->netdev);
	netif_tx_start_all_queues(fn->netdev);
	clear_bit(TXGBE_NET_BROKEN, &fn->state);
	txgbe_arfs_start(fn);
	txgbe_service_start(fn);
	txgbe_pulse_open(fn->fd);
	txgbe_link_start(fn->fd);
	return 0;
}

/**
 * txgbe_net_down() - stop the hardware, drop what is in the rings
 * @fn: net part; nothing happens if it is down already
 *
 * Every wait is bounded, and there is none if the device is gone.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_net_down(struct txgbe_net *fn)
{
	ASSERT_RTNL();
	if (!txgbe_net_mark_down(fn))
		return;
	synchronize_net();	/* ndo_xdp_xmit has seen it */

	txgbe_link_stop(fn->fd);
	netif_carrier_off(fn->netdev);
	txgbe_pulse_close(fn->fd);
	txgbe_service_stop(fn);
	txgbe_irq_disable(fn);
	txgbe_net_disable_napi(fn);
	txgbe_arfs_stop(fn);
	/* Not before: a poll wakes queues, and a doorbell would be rung too late. */
	netif_tx_disable(fn->netdev);
	txgbe_net_stop_hw(fn);
	txgbe_stamp_stop(fn);
}

static int txgbe_net_open(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int err;

	err = txgbe_ring_alloc_all(fn);
	if (err)
		return err;
	err = txgbe_irq_request(fn);
	if (err)
		goto err_free_rings;
	err = txgbe_net_up(fn);
	if (err)
		goto err_release_irqs;
	/* It may be the end of one that did not start when it was open last. */
	txgbe_recover_succeeded(fn);
	return 0;

err_release_irqs:
	txgbe_irq_release(fn);
err_free_rings:
	txgbe_ring_free_all(fn);
	return err;
}

static int txgbe_net_stop(struct net_device *dev)
{
	struct txgbe_net *fn = netdev_priv(dev);

	txgbe_net_down(fn);
	/* Detached until it starts; the next open is as good a try as any. */
	if (test_and_clear_bit(TXGBE_NET_BROKEN, &fn->state) && !fn->fd->frozen &&
	    txgbe_present(fn->fd))
		netif_device_attach(dev);
	txgbe_irq_release(fn);
	txgbe_ring_free_all(fn);
	return 0;
}

/* ---- Settings ---------------------------------------------------------- */

static int txgbe_net_set_mac_address(struct net_device *dev, void *p)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct sockaddr *addr = p;

	if (!is_valid_ether_addr((u8 *)addr->sa_data))
		return -EADDRNOTAVAIL;

	if (test_bit(TXGBE_NET_UP, &fn->state)) {
		txgbe_filter_set_addr(fn->fd, 0, (u8 *)addr->sa_data);
		if (!txgbe_filter_has_addr(fn->fd, 0, (u8 *)addr->sa_data)) {
			txgbe_filter_set_addr(fn->fd, 0, dev->dev_addr);
			return txgbe_present(fn->fd) ? -EIO : -ENODEV;
		}
	}
	eth_hw_addr_set(dev, (u8 *)addr->sa_data);
	return 0;
}

/* The buffers take any frame, in as many pieces as it needs; an XDP program may not. */
static int txgbe_net_change_mtu(struct net_device *dev, int mtu)
{
	struct txgbe_net *fn = netdev_priv(dev);

	if (!txgbe_xdp_allows_mtu(fn, mtu))
		return -EINVAL;
	WRITE_ONCE(dev->mtu, mtu);
	/* The water marks follow from it, which the link work writes as well. */
	mutex_lock(&fn->fd->link.mac_lock);
	if (test_bit(TXGBE_NET_UP, &fn->state))
		txgbe_mac_set_max_frame(fn->fd, mtu);
	mutex_unlock(&fn->fd->link.mac_lock);
	return 0;
}

static netdev_features_t txgbe_net_fix_features(struct net_device *dev,
						netdev_features_t features)
{
	return txgbe_vlan_fix_features(netdev_priv(dev), features);
}

static int txgbe_net_set_features(struct net_device *dev, netdev_features_t features)
{
	struct txgbe_net *fn = netdev_priv(dev);
	netdev_features_t changed = dev->features ^ features;

	/* First: it resets the port, which goes by the old features of dev. */
	if (changed & NETIF_F_NTUPLE)
		txgbe_ntuple_switch(fn, features & NETIF_F_NTUPLE);
	txgbe_vlan_set_features(fn, changed, features);
	return 0;
}

static void txgbe_net_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	txgbe_stats_get64(netdev_priv(dev), stats);
}

/*
 * A queue that did not move for TXGBE_NET_WATCHDOG. If the device has finished
 * its work, an interrupt was lost or the CPU has no time for the poll: then
 * the hardware is fine and a restart would only drop frames.
 */
static void txgbe_net_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct txgbe_net *fn = netdev_priv(dev);
	struct txgbe_tx_ring *txr = READ_ONCE(fn->txr[queue]);

	if (!test_bit(TXGBE_NET_UP, &fn->state) || !txr)
		return;

	if (txgbe_tx_hw_done(txr)) {
		netdev_warn(dev, "tx queue %u: completions wait to be handled: interrupt lost or CPU %u starved\n",
			    queue, fn->vec[queue]->cpu);
		napi_schedule(&fn->vec[queue]->napi);
		return;
	}

	txgbe_recover_tx_stall(fn, txr);
}

static const struct net_device_ops txgbe_net_ops = {
	.ndo_open		= txgbe_net_open,
	.ndo_stop		= txgbe_net_stop,
	.ndo_start_xmit		= txgbe_tx_xmit,
	.ndo_features_check	= txgbe_tx_features_check,
	.ndo_set_rx_mode	= txgbe_net_set_rx_mode,
	.ndo_set_mac_address	= txgbe_net_set_mac_address,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_change_mtu		= txgbe_net_change_mtu,
	.ndo_fix_features	= txgbe_net_fix_features,
	.ndo_set_features	= txgbe_net_set_features,
	.ndo_vlan_rx_add_vid	= txgbe_vlan_add_vid,
	.ndo_vlan_rx_kill_vid	= txgbe_vlan_kill_vid,
	TUNNELPORTS_OPS
	TXGBE_ARFS_OPS
	HWSTAMP_OPS
	.ndo_get_stats64	= txgbe_net_get_stats64,
	.ndo_tx_timeout		= txgbe_net_tx_timeout,
	.ndo_bpf		= txgbe_xdp_bpf,
	.ndo_xdp_xmit		= txgbe_xdp_xmit,
	.ndo_xsk_wakeup		= txgbe_xsk_wakeup,
};

/* ---- News from below --------------------------------------------------- */

/*
 * Who has sent while there was no carrier, or no running port, waits: AF_XDP
 * sockets for a poll; what is queued above, in older kernels, for the next
 * frame.
 */
static void txgbe_net_wake_senders(struct txgbe_net *fn)
{
	u32 nr = READ_ONCE(fn->nr_vecs);
	u32 i;

	local_bh_disable();
	for (i = 0; i < nr; i++) {
		netif_schedule_queue(netdev_get_tx_queue(fn->netdev, i));
		if (READ_ONCE(fn->xsk_pool[i]))
			napi_schedule(&fn->vec[i]->napi);
	}
	local_bh_enable();
}

static void txgbe_net_link_changed(struct txgbe_dev *fd, bool up)
{
	struct txgbe_net *fn = READ_ONCE(fd->fn);
	struct txgbe_link_state state;

	if (!fn)
		return;

	txgbe_link_get(fd, &state);
	if (up) {
		netif_info(fn, link, fn->netdev, "link up %uGb/s full duplex\n",
			   state.speed_mbps / 1000);
		netif_carrier_on(fn->netdev);
		txgbe_net_wake_senders(fn);
	} else {
		netif_carrier_off(fn->netdev);
		txgbe_recover_flush_tx(fn);
		netif_info(fn, link, fn->netdev, "link down: %s\n",
			   txgbe_link_why_text(state.why));
	}
}

static void txgbe_net_device_lost(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = READ_ONCE(fd->fn);

	if (fn)
		txgbe_recover_device_lost(fn);
}

const struct txgbe_events txgbe_net_events = {
	.link_changed	= txgbe_net_link_changed,
	.device_lost	= txgbe_net_device_lost,
};

/* ---- Create and destroy ------------------------------------------------ */

static void txgbe_net_init_netdev(struct txgbe_net *fn)
{
	struct net_device *dev = fn->netdev;

	dev->netdev_ops = &txgbe_net_ops;
	dev->ethtool_ops = &txgbe_ethtool_ops;
	dev->watchdog_timeo = TXGBE_NET_WATCHDOG;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = TXGBE_MAX_FRAME_BYTES - TXGBE_FRAME_OVERHEAD_BYTES;
	dev->dev_port = fn->fd->lan;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
	eth_hw_addr_set(dev, fn->fd->perm_addr);

	dev->hw_features = TXGBE_NET_FEATURES | TXGBE_NET_VLAN_FEATURES |
			   NETIF_F_RX_UDP_TUNNEL_PORT | NETIF_F_GSO_PARTIAL;
	dev->features = dev->hw_features | NETIF_F_HIGHDMA;
	dev->hw_features |= TXGBE_NET_UNPROVEN | NETIF_F_NTUPLE;
	dev->gso_partial_features = TXGBE_NET_TUNNEL_TSO;
	dev->hw_enc_features = TXGBE_NET_ENC_FEATURES | NETIF_F_TSO | NETIF_F_TSO6 |
			       NETIF_F_GSO_PARTIAL | TXGBE_NET_TUNNEL_TSO |
			       NETIF_F_HW_VLAN_CTAG_TX | NETIF_F_HW_VLAN_STAG_TX;
	dev->vlan_features = TXGBE_NET_FEATURES | TXGBE_NET_UNPROVEN | NETIF_F_GSO_PARTIAL |
			     NETIF_F_HIGHDMA;
	tunnelports_register(dev, &txgbe_tunnel_info);
	netif_set_tso_max_size(dev, TXGBE_TX_MAX_BYTES);
	txgbe_xdp_init_netdev(dev);
	txgbe_queuestats_init_netdev(dev);
	netif_carrier_off(dev);
}

static void txgbe_net_free(struct txgbe_net *fn)
{
	struct txgbe_dev *fd = fn->fd;

	/* The link work may be on its way to txgbe_net_device_lost(). */
	WRITE_ONCE(fd->fn, NULL);
	flush_workqueue(fd->wq);
	txgbe_recover_fini(fn);

	txgbe_arfs_fini(fn);
	txgbe_irq_free(fn);
	txgbe_ntuple_fini(fn);
	if (fn->devmem)
		dma_free_coherent(fd->dev, sizeof(*fn->devmem), fn->devmem, fn->devmem_dma);
	mutex_destroy(&fn->port_stats.lock);
	free_netdev(fn->netdev);
}

/**
 * txgbe_net_create() - make and register the net_device of a port
 * @fd: device; reset, with its address and fd->wq; fd->events may be set
 *
 * Context: Process context, sleeps, takes rtnl.
 * Return: 0; -ENOMEM; what vector allocation or register_netdev() returned.
 *	Nothing is left allocated then, and the reason is logged.
 */
int txgbe_net_create(struct txgbe_dev *fd)
{
	struct net_device *dev;
	struct txgbe_net *fn;
	int err;

	dev = alloc_etherdev_mqs(sizeof(*fn), txgbe_config_max_queues(),
				 txgbe_config_max_queues());
	if (!dev)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, fd->dev);

	fn = netdev_priv(dev);
	fn->netdev = dev;
	fn->fd = fd;
	fn->msg_enable = NETIF_MSG_DRV | NETIF_MSG_PROBE | NETIF_MSG_LINK;
	txgbe_service_init(fn);
	txgbe_recover_init(fn);
	txgbe_stats_hw_init(fn);
	txgbe_stamp_init(fn);

	fn->devmem = dma_alloc_coherent(fd->dev, sizeof(*fn->devmem), &fn->devmem_dma,
					GFP_KERNEL);
	if (!fn->devmem) {
		err = -ENOMEM;
		goto err_free;
	}

	err = txgbe_irq_alloc(fn);
	if (err) {
		dev_err(fd->dev, "no interrupt vectors: %d\n", err);
		goto err_free;
	}

	err = txgbe_ntuple_init(fn);
	if (!err)
		err = txgbe_arfs_init(fn);
	if (err)
		goto err_free;
	txgbe_config_init(fn);
	txgbe_net_init_netdev(fn);
	err = netif_set_real_num_queues(dev, fn->nr_vecs, fn->nr_vecs);
	if (err)
		goto err_free;

	WRITE_ONCE(fd->fn, fn);
	err = register_netdev(dev);
	if (err) {
		dev_err(fd->dev, "cannot register a net_device: %d\n", err);
		goto err_free;
	}
	txgbe_config_set_xps(fn);
	return 0;

err_free:
	txgbe_net_free(fn);
	return err;
}

/**
 * txgbe_net_destroy() - close, unregister and free the net_device
 * @fd: device, perhaps gone; fd->removing is set
 *
 * Context: Process context, sleeps, takes rtnl.
 */
void txgbe_net_destroy(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;

	if (!fn)
		return;
	unregister_netdev(fn->netdev);
	txgbe_net_free(fn);
}

/**
 * txgbe_net_shutdown() - close the port for good: reboot, kexec, power off
 * @fd: device; fd->removing is set
 *
 * Context: Process context, sleeps, takes rtnl.
 */
void txgbe_net_shutdown(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;

	if (!fn)
		return;
	rtnl_lock();
	dev_close(fn->netdev);
	netif_device_detach(fn->netdev);	/* nobody opens it again */
	rtnl_unlock();
}

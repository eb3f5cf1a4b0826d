// SPDX-License-Identifier: GPL-2.0-only
/*
 * The settings store: what the user wants, and its way into the hardware.
 *
 * A setting lives in one place and nowhere else: in the net_device (MTU,
 * addresses, features), in fn->cfg, in fd->link, or with the subject it belongs
 * to (flow rules, tunnel ports, time stamps, XDP, wake-up). A request is
 * checked whole, stored, and written to the registers if the port is up. A
 * reset empties the registers; txgbe_config_replay() fills them again from the
 * store, at every start of the hardware. So a setting that is stored and
 * replayed here (for the link: in src/link) survives down and up, ring and
 * channel changes, and every kind of reset and power-down.
 */
#include <linux/cpumask.h>
#include <linux/crash_dump.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

/**
 * txgbe_config_spread_rss() - the default table: buckets in turn to the queues
 * @cfg: configuration
 * @nr_queues: queues, 1..TXGBE_MAX_QUEUES
 *
 * Context: Process context, rtnl held, or before the net_device is registered.
 */
void txgbe_config_spread_rss(struct txgbe_cfg *cfg, u32 nr_queues)
{
	u32 i;

	for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES; i++)
		cfg->rss_table[i] = ethtool_rxfh_indir_default(i, nr_queues);
}

/**
 * txgbe_config_max_queues() - how many queue pairs a port may ever have
 *
 * The stack, too, has memory for each that may come: queueing disciplines, for
 * one.
 *
 * Context: Any.
 * Return: 1..TXGBE_MAX_QUEUES; 1 in a crash kernel.
 */
u32 txgbe_config_max_queues(void)
{
	return is_kdump_kernel() ? 1 : TXGBE_MAX_QUEUES;
}

/**
 * txgbe_config_init() - defaults of a new port
 * @fn: net part; fn->nr_vecs is known
 *
 * Context: Process context, before the net_device is registered.
 */
void txgbe_config_init(struct txgbe_net *fn)
{
	struct txgbe_cfg *cfg = &fn->cfg;

	/* A crash kernel has one CPU, some 100 MB, and one thing to send. */
	cfg->rings.tx_desc = is_kdump_kernel() ? TXGBE_RING_MIN_DESC : TXGBE_RING_DEFAULT_DESC;
	cfg->rings.rx_desc = cfg->rings.tx_desc;
	txgbe_itr_init_cfg(fn);
	netdev_rss_key_fill(cfg->rss_key, sizeof(cfg->rss_key));
	txgbe_config_spread_rss(cfg, fn->nr_vecs);
	cfg->rss_fields = TXGBE_RSS_FIELD_IPV4 | TXGBE_RSS_FIELD_IPV4_TCP |
			  TXGBE_RSS_FIELD_IPV6 | TXGBE_RSS_FIELD_IPV6_TCP;
}

static void txgbe_config_replay_filters(struct txgbe_net *fn)
{
	txgbe_filter_init(fn->fd);
	txgbe_filter_set_addr(fn->fd, 0, fn->netdev->dev_addr);
	txgbe_vlan_replay(fn);
}

static void txgbe_config_replay_rss(struct txgbe_net *fn)
{
	txgbe_rss_set(fn->fd, fn->cfg.rss_key, fn->cfg.rss_table, fn->cfg.rss_fields);
}

/**
 * txgbe_config_replay() - write everything that is configured into the chip
 * @fn: net part; the port was reset, gates are closed, no ring is enabled
 *
 * Each kind of setting has a function of its own here. Not from here:
 * other addresses and promiscuous mode, which go with TXGBE_NET_UP under the
 * address lock (txgbe_net_mark_up()); ring registers, which txgbe_queue_start_*
 * write from fn->cfg; the link, which src/link sets up when carrier comes.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_config_replay(struct txgbe_net *fn)
{
	txgbe_mac_init_buffers(fn->fd, fn->netdev->mtu);
	txgbe_config_replay_filters(fn);
	txgbe_config_replay_rss(fn);
	txgbe_ntuple_replay(fn);
	txgbe_stamp_replay(fn);

	txgbe_wr32(fn->fd, TXGBE_PX_ISB_ADDR_L, lower_32_bits(fn->devmem_dma));
	txgbe_wr32(fn->fd, TXGBE_PX_ISB_ADDR_H, upper_32_bits(fn->devmem_dma));
	txgbe_irq_configure(fn);	/* moderation, all vectors masked */
}

/**
 * txgbe_config_set_xps() - each CPU sends on the queue whose interrupt is near
 * @fn: net part, registered
 *
 * The adapter's own CPUs come first. Only a hint: without XPS, or without
 * memory for it, flows are hashed to queues. Afterwards the maps are the
 * user's, until the number of queues changes.
 *
 * Context: Process context, sleeps.
 */
void txgbe_config_set_xps(struct txgbe_net *fn)
{
	int node = dev_to_node(fn->fd->dev);
	cpumask_var_t mask;
	u32 nr_cpus = num_online_cpus();
	u32 q, i;

	if (fn->nr_vecs == 1 || !zalloc_cpumask_var(&mask, GFP_KERNEL))
		return;
	for (q = 0; q < fn->nr_vecs; q++) {
		cpumask_clear(mask);
		for (i = q % nr_cpus; i < nr_cpus; i += fn->nr_vecs)
			cpumask_set_cpu(cpumask_local_spread(i, node), mask);
		netif_set_xps_queue(fn->netdev, mask, q);
	}
	free_cpumask_var(mask);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * UDP ports of tunnels: the table of callbacks that the core has called since
 * 5.9, with one spelling for every kernel.
 *
 *	kernel		how a port comes to the driver
 *	5.9 and later	the core keeps the table and calls set_port, unset_port
 *	5.4		net_device_ops: compat_udp_tunnel_add() and _del() call them;
 *			the last port added is the one the device knows
 */
#ifndef COMPAT_TUNNELPORTS_H
#define COMPAT_TUNNELPORTS_H

#include <linux/netdevice.h>
#include <net/udp_tunnel.h>

#ifdef HAVE_UDP_TUNNEL_NIC_INFO

/* In the table of net_device_ops. */
#define TUNNELPORTS_OPS

/**
 * tunnelports_register() - have the core tell the driver of ports
 * @dev: net_device, not registered yet
 * @info: callbacks and tables; one entry in each table
 *
 * Context: Process context.
 */
static inline void tunnelports_register(struct net_device *dev,
					const struct udp_tunnel_nic_info *info)
{
	dev->udp_tunnel_nic_info = info;
}

#else

/* The part of the later structure that is used. */
struct udp_tunnel_nic_info {
	int (*set_port)(struct net_device *dev, unsigned int table, unsigned int entry,
			struct udp_tunnel_info *ti);
	int (*unset_port)(struct net_device *dev, unsigned int table, unsigned int entry,
			  struct udp_tunnel_info *ti);
	struct udp_tunnel_nic_table_info {
		unsigned int n_entries;
		unsigned int tunnel_types;
	} tables[4];
};

/* One driver, one such structure. */
extern const struct udp_tunnel_nic_info txgbe_tunnel_info;

static inline void compat_udp_tunnel_add(struct net_device *dev, struct udp_tunnel_info *ti)
{
	const struct udp_tunnel_nic_info *info = &txgbe_tunnel_info;
	unsigned int i;

	/* Here types are numbers, later bits: each table has one. */
	for (i = 0; i < ARRAY_SIZE(info->tables) && info->tables[i].n_entries; i++)
		if (info->tables[i].tunnel_types == ti->type)
			info->set_port(dev, i, 0, ti);
}

static inline void compat_udp_tunnel_del(struct net_device *dev, struct udp_tunnel_info *ti)
{
	const struct udp_tunnel_nic_info *info = &txgbe_tunnel_info;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(info->tables) && info->tables[i].n_entries; i++)
		if (info->tables[i].tunnel_types == ti->type)
			info->unset_port(dev, i, 0, ti);
}

#define TUNNELPORTS_OPS						\
	.ndo_udp_tunnel_add	= compat_udp_tunnel_add,	\
	.ndo_udp_tunnel_del	= compat_udp_tunnel_del,

static inline void tunnelports_register(struct net_device *dev,
					const struct udp_tunnel_nic_info *info)
{
}

#endif

#endif /* COMPAT_TUNNELPORTS_H */

// SPDX-License-Identifier: GPL-2.0-only
/* net_device.udp_tunnel_nic_info: since 5.9. Only steers tunnelports.h */
#include <linux/netdevice.h>
#include <net/udp_tunnel.h>

void probe(struct net_device *dev, const struct udp_tunnel_nic_info *info);
void probe(struct net_device *dev, const struct udp_tunnel_nic_info *info)
{
	dev->udp_tunnel_nic_info = info;
}

// SPDX-License-Identifier: GPL-2.0-only
/* xdp_set_features_flag(), NETDEV_XDP_ACT_*: since 6.3 */
#include <linux/netdevice.h>
#include <net/xdp.h>

void probe(struct net_device *dev);
void probe(struct net_device *dev)
{
	xdp_set_features_flag(dev, NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			      NETDEV_XDP_ACT_NDO_XMIT | NETDEV_XDP_ACT_RX_SG |
			      NETDEV_XDP_ACT_NDO_XMIT_SG | NETDEV_XDP_ACT_XSK_ZEROCOPY);
}

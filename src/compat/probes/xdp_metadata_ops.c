// SPDX-License-Identifier: GPL-2.0-only
/* net_device.xdp_metadata_ops, enum xdp_rss_hash_type: since 6.3. Only steers xdpbuf.h */
#include <linux/netdevice.h>
#include <net/xdp.h>

void probe(struct net_device *dev, const struct xdp_metadata_ops *ops);
void probe(struct net_device *dev, const struct xdp_metadata_ops *ops)
{
	enum xdp_rss_hash_type type = XDP_RSS_TYPE_L4_IPV4_TCP;

	if (ops->xmo_rx_hash(NULL, NULL, &type))
		return;
	dev->xdp_metadata_ops = ops;
}

// SPDX-License-Identifier: GPL-2.0-only
/* xdp_metadata_ops.xmo_rx_vlan_tag: since 6.8. Only steers xdpbuf.h */
#include <net/xdp.h>

int probe(const struct xdp_metadata_ops *ops);
int probe(const struct xdp_metadata_ops *ops)
{
	return ops->xmo_rx_vlan_tag(NULL, NULL, NULL);
}

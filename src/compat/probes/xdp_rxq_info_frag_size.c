// SPDX-License-Identifier: GPL-2.0-only
/* __xdp_rxq_info_reg(), which takes the size of fragments: since 5.18 */
#include <net/xdp.h>

int probe(struct xdp_rxq_info *rxq, struct net_device *dev);
int probe(struct xdp_rxq_info *rxq, struct net_device *dev)
{
	return __xdp_rxq_info_reg(rxq, dev, 0, 1, 4096);
}

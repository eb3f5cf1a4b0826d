// SPDX-License-Identifier: GPL-2.0-only
/* xdp_rxq_info_reg() with NAPI id: since 5.11. Only steers xdp.h */
#include <net/xdp.h>

int probe(struct xdp_rxq_info *rxq, struct net_device *dev);
int probe(struct xdp_rxq_info *rxq, struct net_device *dev)
{
	return xdp_rxq_info_reg(rxq, dev, 0, 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/* eth_hw_addr_set(): since 5.15 */
#include <linux/etherdevice.h>

void probe(struct net_device *dev, const u8 *addr);
void probe(struct net_device *dev, const u8 *addr)
{
	eth_hw_addr_set(dev, addr);
}

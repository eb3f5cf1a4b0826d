// SPDX-License-Identifier: GPL-2.0-only
/* dev_addr_mod(): since 5.15 */
#include <linux/netdevice.h>

void probe(struct net_device *dev, const u8 *addr);
void probe(struct net_device *dev, const u8 *addr)
{
	dev_addr_mod(dev, 0, addr, 6);
}

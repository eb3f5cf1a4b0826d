// SPDX-License-Identifier: GPL-2.0-only
/* ethtool_puts(): since 6.8 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void probe(u8 **data);
void probe(u8 **data)
{
	ethtool_puts(data, "x");
}

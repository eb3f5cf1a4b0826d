// SPDX-License-Identifier: GPL-2.0-only
/* ethtool_sprintf(): since 5.13 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void probe(u8 **data);
void probe(u8 **data)
{
	ethtool_sprintf(data, "%d", 1);
}

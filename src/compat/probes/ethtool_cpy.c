// SPDX-License-Identifier: GPL-2.0-only
/* ethtool_cpy(): since 7.0 */
#include <linux/netdevice.h>
#include <linux/ethtool.h>

void probe(u8 **data, const char *str);
void probe(u8 **data, const char *str)
{
	ethtool_cpy(data, str);
}

// SPDX-License-Identifier: GPL-2.0-only
/* net_prefetch(): since 5.10 */
#include <linux/netdevice.h>

void probe(void *data);
void probe(void *data)
{
	net_prefetch(data);
}

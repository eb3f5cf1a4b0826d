// SPDX-License-Identifier: GPL-2.0-only
/*
 * IPv6 frames beyond 64 KiB come without a jumbo option, so that nobody needs
 * ipv6_has_hopopt_jumbo(): since 7.0, and before there were any. Only steers
 * netif_set_tso_max_size()
 */
#include <net/ipv6.h>

static int ipv6_has_hopopt_jumbo;

int probe(void);
int probe(void)
{
	return ipv6_has_hopopt_jumbo;
}

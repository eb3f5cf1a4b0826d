// SPDX-License-Identifier: GPL-2.0-only
/* tcp_v6_gso_csum_prep(): since 5.6 */
#include <net/ip6_checksum.h>

void probe(struct sk_buff *skb);
void probe(struct sk_buff *skb)
{
	tcp_v6_gso_csum_prep(skb);
}

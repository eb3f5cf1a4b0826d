// SPDX-License-Identifier: GPL-2.0-only
/* skb_tcp_all_headers(), skb_inner_tcp_all_headers(): since 6.0 */
#include <linux/tcp.h>

int probe(const struct sk_buff *skb);
int probe(const struct sk_buff *skb)
{
	return skb_tcp_all_headers(skb) + skb_inner_tcp_all_headers(skb);
}

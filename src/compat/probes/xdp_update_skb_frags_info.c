// SPDX-License-Identifier: GPL-2.0-only
/* xdp_update_skb_frags_info(): since 6.18. Only steers xdpbuf.h */
#include <net/xdp.h>

void probe(struct sk_buff *skb);
void probe(struct sk_buff *skb)
{
	xdp_update_skb_frags_info(skb, 1, 3072, 4096, 0);
}

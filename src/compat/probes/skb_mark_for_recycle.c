// SPDX-License-Identifier: GPL-2.0-only
/* skb_mark_for_recycle() with one argument: since 5.15. Only steers rxpool.h */
#include <linux/skbuff.h>

void probe(struct sk_buff *skb);
void probe(struct sk_buff *skb)
{
	skb_mark_for_recycle(skb);
}

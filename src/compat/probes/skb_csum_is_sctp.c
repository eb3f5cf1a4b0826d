// SPDX-License-Identifier: GPL-2.0-only
/* skb_csum_is_sctp(): since 5.10 */
#include <linux/skbuff.h>

bool probe(struct sk_buff *skb);
bool probe(struct sk_buff *skb)
{
	return skb_csum_is_sctp(skb);
}

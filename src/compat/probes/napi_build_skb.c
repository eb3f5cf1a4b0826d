// SPDX-License-Identifier: GPL-2.0-only
/* napi_build_skb(): since 5.12 */
#include <linux/skbuff.h>

struct sk_buff *probe(void *data);
struct sk_buff *probe(void *data)
{
	return napi_build_skb(data, 2048);
}

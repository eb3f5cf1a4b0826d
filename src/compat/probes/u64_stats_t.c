// SPDX-License-Identifier: GPL-2.0-only
/* u64_stats_t and its accessors: since 5.5 */
#include <linux/u64_stats_sync.h>

u64 probe(u64_stats_t *p);
u64 probe(u64_stats_t *p)
{
	u64_stats_add(p, 1);
	u64_stats_inc(p);
	return u64_stats_read(p);
}

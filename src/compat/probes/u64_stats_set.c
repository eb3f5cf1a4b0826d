// SPDX-License-Identifier: GPL-2.0-only
/* u64_stats_set(): since 5.16 */
#include <linux/u64_stats_sync.h>

void probe(u64_stats_t *p);
void probe(u64_stats_t *p)
{
	u64_stats_set(p, 1);
}

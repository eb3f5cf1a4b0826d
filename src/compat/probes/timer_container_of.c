// SPDX-License-Identifier: GPL-2.0-only
/* timer_container_of(): since 6.16 */
#include <linux/timer.h>

void *probe(struct timer_list *t);
void *probe(struct timer_list *t)
{
	struct probe { struct timer_list timer; } *p = timer_container_of(p, t, timer);

	return p;
}

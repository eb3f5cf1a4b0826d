// SPDX-License-Identifier: GPL-2.0-only
/* timer_delete(): since 6.2 */
#include <linux/timer.h>

void probe(struct timer_list *t);
void probe(struct timer_list *t)
{
	timer_delete(t);
}

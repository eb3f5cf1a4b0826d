// SPDX-License-Identifier: GPL-2.0-only
/* hrtimer_setup(): since 6.15 */
#include <linux/hrtimer.h>

void probe(struct hrtimer *t, enum hrtimer_restart (*f)(struct hrtimer *t));
void probe(struct hrtimer *t, enum hrtimer_restart (*f)(struct hrtimer *t))
{
	hrtimer_setup(t, f, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}

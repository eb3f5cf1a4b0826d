// SPDX-License-Identifier: GPL-2.0-only
/* secs_to_jiffies(): since 6.13 */
#include <linux/jiffies.h>

unsigned long probe(void);
unsigned long probe(void)
{
	return secs_to_jiffies(1);
}

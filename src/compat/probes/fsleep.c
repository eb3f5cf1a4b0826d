// SPDX-License-Identifier: GPL-2.0-only
/* fsleep(): since 5.8 */
#include <linux/delay.h>

void probe(void);
void probe(void)
{
	fsleep(10);
}

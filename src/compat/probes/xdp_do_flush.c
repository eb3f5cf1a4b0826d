// SPDX-License-Identifier: GPL-2.0-only
/* xdp_do_flush(): since 5.10 */
#include <linux/filter.h>

void probe(void);
void probe(void)
{
	xdp_do_flush();
}

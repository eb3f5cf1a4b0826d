// SPDX-License-Identifier: GPL-2.0-only
/* strscpy() knows the size of an array: since 6.9 */
#include <linux/string.h>

char probe_buf[8];

void probe(void);
void probe(void)
{
	strscpy(probe_buf, "probe");
}

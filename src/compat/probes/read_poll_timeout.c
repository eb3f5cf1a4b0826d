// SPDX-License-Identifier: GPL-2.0-only
/* read_poll_timeout(): since 5.7 */
#include <linux/io.h>
#include <linux/iopoll.h>

u32 probe_read(void *base);

int probe(void *base);
int probe(void *base)
{
	u32 val;

	return read_poll_timeout(probe_read, val, val & 1, 10, 100, false, base);
}

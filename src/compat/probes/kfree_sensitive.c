// SPDX-License-Identifier: GPL-2.0-only
/* kfree_sensitive(): since 5.9 */
#include <linux/slab.h>

void probe(void *p);
void probe(void *p)
{
	kfree_sensitive(p);
}

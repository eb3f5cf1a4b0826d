// SPDX-License-Identifier: GPL-2.0-only
/* kzalloc_obj(), kzalloc_objs(): since 7.0 */
#include <linux/slab.h>

void *probe(void);
void *probe(void)
{
	int *one = kzalloc_obj(*one);
	int *many = kzalloc_objs(*many, 4);

	return one ?: many;
}

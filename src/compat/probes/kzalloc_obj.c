// SPDX-License-Identifier: GPL-2.0-only
/* kzalloc_obj(), kzalloc_objs(), kzalloc_flex(): since 7.0 */
#include <linux/slab.h>

struct probe {
	int nr;
	int items[];
};

void *probe(void);
void *probe(void)
{
	struct probe *p = kzalloc_flex(*p, items, 2);
	int *one = kzalloc_obj(*one);
	int *many = kzalloc_objs(*many, 4);

	return p ?: one ?: many;
}

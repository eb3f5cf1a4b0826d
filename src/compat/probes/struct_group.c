// SPDX-License-Identifier: GPL-2.0-only
/* struct_group(): since 5.16 */
#include <linux/stddef.h>
#include <linux/types.h>

struct probe {
	struct_group(both, int a; int b;);
};

size_t probe = sizeof(((struct probe *)0)->both);

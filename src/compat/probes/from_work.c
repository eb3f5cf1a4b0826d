// SPDX-License-Identifier: GPL-2.0-only
/* from_work(): since 6.11 */
#include <linux/workqueue.h>

struct probe {
	struct work_struct work;
};

void *probe(struct work_struct *work);
void *probe(struct work_struct *work)
{
	struct probe *p = from_work(p, work, work);

	return p;
}

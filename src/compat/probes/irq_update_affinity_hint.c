// SPDX-License-Identifier: GPL-2.0-only
/* irq_update_affinity_hint(), irq_set_affinity_and_hint(): since 5.17 */
#include <linux/interrupt.h>

int probe(const struct cpumask *mask);
int probe(const struct cpumask *mask)
{
	return irq_update_affinity_hint(1, mask) +
		irq_set_affinity_and_hint(1, mask);
}

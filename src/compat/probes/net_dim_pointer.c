// SPDX-License-Identifier: GPL-2.0-only
/* Only steers. net_dim() takes a pointer to the sample: since 6.13 */
#include <linux/dim.h>

void probe(struct dim *dim, const struct dim_sample *sample);
void probe(struct dim *dim, const struct dim_sample *sample)
{
	net_dim(dim, sample);
}

// SPDX-License-Identifier: GPL-2.0-only
/* bpf_warn_invalid_xdp_action() with net_device and program: since 5.17 */
#include <linux/filter.h>

void probe(struct net_device *dev, struct bpf_prog *prog);
void probe(struct net_device *dev, struct bpf_prog *prog)
{
	bpf_warn_invalid_xdp_action(dev, prog, 5);
}

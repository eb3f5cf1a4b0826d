// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of AF_XDP sockets comes as a pool: since 5.10. Only steers xdpbuf.h and
 * net/xdp_sock_drv.h
 */
#include <linux/netdevice.h>
#include <net/xdp_sock_drv.h>

int probe(struct netdev_bpf *bpf);
int probe(struct netdev_bpf *bpf)
{
	return bpf->command == XDP_SETUP_XSK_POOL ? xsk_pool_dma_map(bpf->xsk.pool, NULL, 0) : 0;
}

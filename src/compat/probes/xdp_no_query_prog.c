// SPDX-License-Identifier: GPL-2.0-only
/* ndo_bpf is not asked for the program any more: since 5.9. Only steers xdpbuf.h */
#include <linux/netdevice.h>

/* Clashes with the one of older kernels. */
enum { XDP_QUERY_PROG };

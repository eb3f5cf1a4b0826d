/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 6.15 rtnl is the lock around configuration; see compat/net.h. */
#include <linux/netdevice.h>

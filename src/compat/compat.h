/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver is written for the newest kernel. What an older one lacks it
 * finds here under the name it has upstream; nothing outside this directory
 * knows which kernel it is compiled for. Kbuild puts this file before every
 * source file of the driver (Kbuild.compat), so nothing includes it by name.
 *
 * What is there and what is not was asked of the compiler (probes/, probe.sh)
 * and stands in results.h, one HAVE_ macro for each probe. Release numbers do
 * not matter: stable and vendor kernels carry backports.
 *
 *	missing			how it is given
 *	function, macro, type	defined in net.h, xdp.h, core.h or ethtool.h
 *	header			a file in include/, which is searched after the
 *				kernel's own directories
 *	function's signature	an inline function and a macro of its name
 *	ethtool_ops member or	ethtool.h: our struct ethtool_ops begins with
 *	its signature		the kernel's; the member's name in a table also
 *				installs a function with the old signature
 *	net_device_ops		net.h: a macro of the handler's name, with
 *	signature		parameters, so that it acts where the handler
 *				is defined and not in the table: it puts a
 *				function with the old signature before it
 *	devlink			devlink.h: as above; left out before 5.10 (Kbuild.options)
 *	page_pool, XDP, UDP	rxpool.h, xdpbuf.h, tunnelports.h, queuestats.h,
 *	tunnels, queue counters, hwstamp.h, which src/net includes by name: older ones
 *	time stamps		differ in more than names
 *
 * With the newest kernel all of this comes to nothing: no header is included
 * and nothing is defined.
 */
#ifndef COMPAT_COMPAT_H
#define COMPAT_COMPAT_H

#ifndef COMPAT_PROBE

#include "results.h"

#ifndef COMPAT_COMPLETE
/* ethtool.h has to come before any include of linux/ethtool.h. */
#include "ethtool.h"
#include "core.h"
#include "net.h"
#include "devlink.h"
#include "xdp.h"
#endif

#endif /* COMPAT_PROBE */

#endif /* COMPAT_COMPAT_H */

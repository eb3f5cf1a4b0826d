/* SPDX-License-Identifier: GPL-2.0-only */
/* ethtool speaks netlink since 5.6. */

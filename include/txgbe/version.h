/* SPDX-License-Identifier: GPL-2.0-only */
/* What "modinfo" and "ethtool -i" tell, the version of the packages (dkms.conf). */
#ifndef TXGBE_VERSION_H
#define TXGBE_VERSION_H

/*
 * Year first: DKMS refuses a module whose version is below that of the kernel's
 * module of the same name, or which has none when that has none either. The
 * in-tree txgbe has none, the vendor's has numbers that begin with 1 or 2.
 */
#define TXGBE_VERSION	"2026.11.0"

#endif /* TXGBE_VERSION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Files for support, as src/probe sees them. Implemented in src/ctl. */
#ifndef TXGBE_DEBUGFS_H
#define TXGBE_DEBUGFS_H

struct txgbe_dev;

#ifdef CONFIG_DEBUG_FS
void txgbe_debugfs_create(struct txgbe_dev *fd);
void txgbe_debugfs_destroy(struct txgbe_dev *fd);
#else
static inline void txgbe_debugfs_create(struct txgbe_dev *fd)
{
}

static inline void txgbe_debugfs_destroy(struct txgbe_dev *fd)
{
}
#endif

#endif /* TXGBE_DEBUGFS_H */

// SPDX-License-Identifier: GPL-2.0-only
/* Receive side scaling: key, table, hashed fields (reference 13 section 6). */
#include <linux/bitfield.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/* Four bytes of a byte table as the register that holds them. */
static u32 txgbe_rss_pack(const u8 *bytes)
{
	return bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24;
}

/* Without pools the size of a pool has no effect known to us; the in-tree
 * driver sets it from the number of queues all the same, so do we.
 */
static u32 txgbe_rss_pool_size(const u8 *table)
{
	u8 max = 0;
	u32 i;

	for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES; i++)
		if (table[i] > max)
			max = table[i];
	if (max > 2)
		return 2;
	return max > 0 ? 1 : 0;
}

/**
 * txgbe_rss_set() - program key, table and fields, and turn hashing on
 * @fd: device
 * @key: TXGBE_RSS_KEY_BYTES bytes, in the order of the Toeplitz key
 * @table: TXGBE_RSS_TABLE_ENTRIES queue numbers, each below TXGBE_HW_QUEUES
 * @fields: TXGBE_RSS_FIELD_* of what is hashed
 *
 * May be called on a running port; frames that arrive meanwhile may still go
 * to the old queues.
 *
 * Context: Process context, under the lock that guards the caller's copy.
 */
void txgbe_rss_set(struct txgbe_dev *fd, const u8 *key, const u8 *table, u32 fields)
{
	u32 i;

	txgbe_wr32(fd, TXGBE_RDB_PL_CFG(0), TXGBE_RDB_PL_CFG_HDRS |
		   FIELD_PREP(TXGBE_RDB_PL_CFG_POOL, txgbe_rss_pool_size(table)));
	for (i = 0; i < TXGBE_RSS_KEY_BYTES / 4; i++)
		txgbe_wr32(fd, TXGBE_RDB_RSSRK(i), txgbe_rss_pack(key + 4 * i));
	for (i = 0; i < TXGBE_RSS_TABLE_ENTRIES / 4; i++)
		txgbe_wr32(fd, TXGBE_RDB_RSSTBL(i), txgbe_rss_pack(table + 4 * i));
	txgbe_rmw32(fd, TXGBE_RDB_RA_CTL,
		    TXGBE_RDB_RA_CTL_MULTI_RSS | TXGBE_RDB_RA_CTL_RSS_EN |
		    TXGBE_RDB_RA_CTL_FIELDS,
		    TXGBE_RDB_RA_CTL_RSS_EN | (fields & TXGBE_RDB_RA_CTL_FIELDS));
}

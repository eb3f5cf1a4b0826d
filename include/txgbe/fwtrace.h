/* SPDX-License-Identifier: GPL-2.0-only */
/* The last firmware commands and their answers. Implemented in src/hw. */
#ifndef TXGBE_FWTRACE_H
#define TXGBE_FWTRACE_H

#include <linux/build_bug.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct txgbe_dev;

#define TXGBE_FWTRACE_ENTRIES	64	/* a power of two */
#define TXGBE_FWTRACE_DWORDS	4	/* kept of each request and answer */

/* txgbe_fwtrace_entry.err of a command whose answer is still awaited */
#define TXGBE_FWTRACE_PENDING	1

/**
 * struct txgbe_fwtrace_entry - one command; all values little endian, as this
 * is also the format of the devlink region
 * @seq: number of the command since probe, from 1; 0 in an unused entry
 * @err: 0, a negative errno of txgbe_fw_cmd(), or TXGBE_FWTRACE_PENDING
 * @at_ns: when it was posted, CLOCK_MONOTONIC
 * @took_us: until the answer, or until waiting was given up
 * @req_len: bytes of the request
 * @rsp_len: bytes the answer's header announces, with the header
 * @req: its first dwords
 * @rsp: first dwords of the answer; zero as far as they were not read
 */
struct txgbe_fwtrace_entry {
	__le32 seq;
	__le32 err;
	__le64 at_ns;
	__le32 took_us;
	__le16 req_len;
	__le16 rsp_len;
	__le32 req[TXGBE_FWTRACE_DWORDS];
	__le32 rsp[TXGBE_FWTRACE_DWORDS];
};

static_assert(sizeof(struct txgbe_fwtrace_entry) == 56);

/**
 * struct txgbe_fwtrace - ring of entries, private to src/hw/fwtrace.c
 * @lock: protects the rest; held for a copy of one or of all entries
 * @seq: commands since probe
 * @entry: entry of command n is n % TXGBE_FWTRACE_ENTRIES
 */
struct txgbe_fwtrace {
	spinlock_t lock; /* entries against readers */
	u32 seq;
	struct txgbe_fwtrace_entry entry[TXGBE_FWTRACE_ENTRIES];
};

void txgbe_fwtrace_init(struct txgbe_fwtrace *trace);
void txgbe_fwtrace_begin(struct txgbe_fwtrace *trace, const void *req, size_t len);
void txgbe_fwtrace_end(struct txgbe_fwtrace *trace, int err, u32 answer, const void *rsp,
		       size_t len);
u32 txgbe_fwtrace_get(struct txgbe_fwtrace *trace, struct txgbe_fwtrace_entry *out);
const char *txgbe_fwtrace_name(u8 cmd);

#endif /* TXGBE_FWTRACE_H */

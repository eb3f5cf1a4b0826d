// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last firmware commands and their answers, for support. Always on: a
 * command costs firmware a millisecond and more, an entry costs nothing.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "hw/fwcmd.h"
#include "txgbe/fwtrace.h"

/**
 * txgbe_fwtrace_init() - an empty trace
 * @trace: trace, zeroed
 *
 * Context: Process context, from probe.
 */
void txgbe_fwtrace_init(struct txgbe_fwtrace *trace)
{
	spin_lock_init(&trace->lock);
}

/**
 * txgbe_fwtrace_begin() - a command was posted
 * @trace: trace
 * @req: the request as sent
 * @len: its bytes, at least 4
 *
 * Context: Process context; the caller serialises commands.
 */
void txgbe_fwtrace_begin(struct txgbe_fwtrace *trace, const void *req, size_t len)
{
	struct txgbe_fwtrace_entry *entry;

	spin_lock(&trace->lock);
	trace->seq++;
	entry = &trace->entry[trace->seq % TXGBE_FWTRACE_ENTRIES];
	memset(entry, 0, sizeof(*entry));
	entry->seq = cpu_to_le32(trace->seq);
	entry->err = cpu_to_le32(TXGBE_FWTRACE_PENDING);
	entry->at_ns = cpu_to_le64(ktime_get_ns());
	entry->req_len = cpu_to_le16(len);
	memcpy(entry->req, req, min(len, sizeof(entry->req)));
	spin_unlock(&trace->lock);
}

/**
 * txgbe_fwtrace_end() - the command of the last txgbe_fwtrace_begin() is done
 * @trace: trace
 * @err: 0 or negative errno
 * @answer: first dword of the answer, 0 if there was none
 * @rsp: the answer from its first byte, NULL if it was not read
 * @len: bytes of @rsp
 *
 * Context: Process context; the caller serialises commands.
 */
void txgbe_fwtrace_end(struct txgbe_fwtrace *trace, int err, u32 answer, const void *rsp,
		       size_t len)
{
	struct txgbe_fwtrace_entry *entry;

	spin_lock(&trace->lock);
	entry = &trace->entry[trace->seq % TXGBE_FWTRACE_ENTRIES];
	entry->err = cpu_to_le32(err);
	entry->took_us = cpu_to_le32(div_u64(ktime_get_ns() - le64_to_cpu(entry->at_ns), 1000));
	if (answer)
		entry->rsp_len = cpu_to_le16(sizeof(struct txgbe_fw_hdr) + (answer >> 8 & 0xff));
	entry->rsp[0] = cpu_to_le32(answer);
	if (rsp)
		memcpy(entry->rsp, rsp, min(len, sizeof(entry->rsp)));
	spin_unlock(&trace->lock);
}

/**
 * txgbe_fwtrace_get() - copy the trace, oldest command first
 * @trace: trace
 * @out: TXGBE_FWTRACE_ENTRIES elements; those not used are zeroed
 *
 * Context: Process context; never waits for a command under way.
 * Return: number of commands copied.
 */
u32 txgbe_fwtrace_get(struct txgbe_fwtrace *trace, struct txgbe_fwtrace_entry *out)
{
	u32 i, nr, seq;

	memset(out, 0, TXGBE_FWTRACE_ENTRIES * sizeof(*out));
	spin_lock(&trace->lock);
	nr = min_t(u32, trace->seq, TXGBE_FWTRACE_ENTRIES);
	for (i = 0; i < nr; i++) {
		seq = trace->seq - nr + 1 + i;
		out[i] = trace->entry[seq % TXGBE_FWTRACE_ENTRIES];
	}
	spin_unlock(&trace->lock);
	return nr;
}

/**
 * txgbe_fwtrace_name() - what a command is called
 * @cmd: command byte
 *
 * Context: Any.
 * Return: a word, "unknown" for commands this driver does not send.
 */
const char *txgbe_fwtrace_name(u8 cmd)
{
	switch (cmd) {
	case TXGBE_FW_READ_NVM:
		return "read-nvm";
	case TXGBE_FW_GET_LINK:
		return "get-link";
	case TXGBE_FW_SET_LINK:
		return "set-link";
	case TXGBE_FW_GET_MODULE:
		return "get-module";
	case TXGBE_FW_READ_MODULE:
		return "read-module";
	case TXGBE_FW_SET_PPS:
		return "set-pps";
	default:
		return "unknown";
	}
}

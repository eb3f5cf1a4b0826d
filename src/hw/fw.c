// SPDX-License-Identifier: GPL-2.0-only
/* Firmware mailbox: one request, its answer, bounded waits (reference 02). */
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "hw/fwcmd.h"
#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/health.h"
#include "txgbe/mmio.h"

#define TXGBE_FW_POLL_STEP_US	2000

/**
 * txgbe_fw_init() - prepare the mailbox
 * @fd: device
 *
 * Context: Process context, from probe.
 */
void txgbe_fw_init(struct txgbe_dev *fd)
{
	mutex_init(&fd->fw.lock);
	txgbe_fwtrace_init(&fd->fw.trace);
}

/**
 * txgbe_fw_fini() - counterpart of txgbe_fw_init()
 * @fd: device, with fd->removing set: a command that still waits ends at once
 *
 * Context: Process context, from remove, after the last user of the mailbox.
 */
void txgbe_fw_fini(struct txgbe_dev *fd)
{
	mutex_destroy(&fd->fw.lock);
}

/**
 * txgbe_fw_retry() - let the next command through to a silent firmware
 * @fd: device
 *
 * For moments in which trying again makes sense, such as opening the port.
 *
 * Context: Any.
 */
void txgbe_fw_retry(struct txgbe_dev *fd)
{
	WRITE_ONCE(fd->fw.retry_now, true);
}

/* May a command be tried now? 0, -ENODEV, or -ETIMEDOUT without waiting. */
static int txgbe_fw_may_ask(struct txgbe_dev *fd)
{
	struct txgbe_fw *fw = &fd->fw;

	if (!txgbe_present(fd) || READ_ONCE(fd->removing))
		return -ENODEV;
	if (READ_ONCE(fw->retry_now)) {
		WRITE_ONCE(fw->retry_now, false);
		return 0;
	}
	if (fw->hold_ms && time_before64(get_jiffies_64(), fw->retry_at))
		return -ETIMEDOUT;
	return 0;
}

static bool txgbe_fw_is_answer(u32 dword, const struct txgbe_fw_hdr *req)
{
	return (dword & 0xff) == req->cmd && dword >> 24 == req->index;
}

/* Returns the first dword of what the answer buffer held before. */
static u32 txgbe_fw_post(struct txgbe_dev *fd, void *req, size_t req_len)
{
	struct txgbe_fw_hdr *hdr = req;
	u32 old = txgbe_rd32(fd, TXGBE_FW2SW_MBOX(0));
	__le32 dword;
	u32 i;

	/* Not to be taken for the answer: what an earlier driver left there. */
	hdr->index = fd->fw.index;
	if (txgbe_fw_is_answer(old, hdr))
		hdr->index++;
	fd->fw.index = hdr->index + 1;

	for (i = 0; i < req_len / sizeof(dword); i++) {
		memcpy(&dword, req + i * sizeof(dword), sizeof(dword));
		txgbe_wr32(fd, TXGBE_SW2FW_MBOX(i), le32_to_cpu(dword));
	}
	/* The change from 0 to 1 rings; firmware need not clear the bit. */
	txgbe_rmw32(fd, TXGBE_SW2FW_MBOX_CMD, TXGBE_SW2FW_MBOX_CMD_VLD, 0);
	txgbe_rmw32(fd, TXGBE_SW2FW_MBOX_CMD, TXGBE_SW2FW_MBOX_CMD_VLD,
		    TXGBE_SW2FW_MBOX_CMD_VLD);
	return old;
}

static int txgbe_fw_wait(struct txgbe_dev *fd, const struct txgbe_fw_hdr *req, u32 old, u32 *answer)
{
	u32 val;
	int err;

	err = txgbe_poll32(fd, TXGBE_FW2SW_MBOX(0), val,
			   txgbe_fw_is_answer(val, req) || READ_ONCE(fd->removing),
			   TXGBE_FW_POLL_STEP_US, TXGBE_FW_TIMEOUT_MS * 1000);
	if (err == -ENODEV)
		return err;
	if (txgbe_fw_is_answer(val, req)) {
		*answer = val;
		return 0;
	}
	if (err != -ETIMEDOUT)
		return -ENODEV; /* removing */
	/* Firmware clears the header when it takes a request: no answer yet. */
	if (val == old || !val)
		return -ETIMEDOUT;
	*answer = val; /* for the trace */
	return -EIO;
}

/* Look at the answer's header, then copy as much of it as is wanted. */
static int txgbe_fw_fetch(struct txgbe_dev *fd, u32 answer, void *rsp, size_t rsp_len,
			  size_t rsp_min)
{
	size_t len = sizeof(struct txgbe_fw_hdr) + (answer >> 8 & 0xff);
	__le32 dword = cpu_to_le32(answer);
	u32 i;

	if ((answer >> 16 & 0xff) == TXGBE_FW_STATUS_UNKNOWN)
		return -EOPNOTSUPP;
	if (!rsp)
		return 0;
	if (!rsp_min)
		len = rsp_len;
	else if (len < rsp_min || len > rsp_len)
		return -EIO;

	memset(rsp, 0, rsp_len);
	memcpy(rsp, &dword, sizeof(dword));
	for (i = 1; i * sizeof(dword) < len; i++) {
		dword = cpu_to_le32(txgbe_rd32(fd, TXGBE_FW2SW_MBOX(i)));
		memcpy(rsp + i * sizeof(dword), &dword, sizeof(dword));
	}
	return txgbe_present(fd) ? 0 : -ENODEV;
}

/* Firmware that just failed to answer is left alone, longer each time, so that
 * it costs its users TXGBE_FW_TIMEOUT_MS once and then next to nothing.
 */
static void txgbe_fw_note_silence(struct txgbe_dev *fd, const struct txgbe_fw_hdr *req,
				  u32 answer)
{
	struct txgbe_fw *fw = &fd->fw;

	fw->timeouts++;
	if (answer)
		txgbe_health_error(fd, TXGBE_HEALTH_FW,
				   "command %#04x (%s), index %u: wrong answer %#010x after %u ms",
				   req->cmd, txgbe_fwtrace_name(req->cmd), req->index, answer,
				   TXGBE_FW_TIMEOUT_MS);
	else
		txgbe_health_error(fd, TXGBE_HEALTH_FW,
				   "command %#04x (%s), index %u: no answer in %u ms", req->cmd,
				   txgbe_fwtrace_name(req->cmd), req->index, TXGBE_FW_TIMEOUT_MS);
	if (!fw->hold_ms)
		fw->hold_ms = TXGBE_FW_HOLD_MIN_MS;
	else
		fw->hold_ms = min_t(u32, 2 * fw->hold_ms, TXGBE_FW_HOLD_MAX_MS);
	fw->retry_at = get_jiffies_64() + msecs_to_jiffies(fw->hold_ms);
}

static void txgbe_fw_note_answer(struct txgbe_dev *fd)
{
	if (!fd->fw.hold_ms)
		return;
	fd->fw.hold_ms = 0;
	txgbe_health_done(fd, TXGBE_HEALTH_FW, TXGBE_HEALTH_STEP_NONE, 0);
}

static int __txgbe_fw_cmd(struct txgbe_dev *fd, void *req, size_t req_len, void *rsp,
			  size_t rsp_len, size_t rsp_min)
{
	struct txgbe_fw *fw = &fd->fw;
	u32 answer = 0;
	u32 old;
	int err;

	lockdep_assert_held(&fw->lock);

	err = txgbe_fw_may_ask(fd);
	if (err)
		return err;
	old = txgbe_fw_post(fd, req, req_len);
	txgbe_fwtrace_begin(&fw->trace, req, req_len);
	err = txgbe_fw_wait(fd, req, old, &answer);
	if (err == -ETIMEDOUT || err == -EIO)
		txgbe_fw_note_silence(fd, req, answer);
	if (!err) {
		txgbe_fw_note_answer(fd);
		err = txgbe_fw_fetch(fd, answer, rsp, rsp_len, rsp_min);
	}
	txgbe_fwtrace_end(&fw->trace, err, answer, err ? NULL : rsp, rsp_len);
	return err;
}

/**
 * txgbe_fw_cmd() - send one firmware command and wait for its answer
 * @fd: device
 * @op: command
 * @req: request, begins with struct txgbe_fw_hdr; the caller has zeroed it and
 *	set hdr.len, this function sets hdr.cmd and hdr.index
 * @req_len: bytes of @req, 4..TXGBE_FW_MAX_BYTES, a multiple of 4
 * @rsp: where the answer goes, from its header on; NULL if only the header's
 *	status matters
 * @rsp_len: bytes of @rsp, at most TXGBE_FW_MAX_BYTES, a multiple of 4
 * @rsp_min: an answer shorter than this or longer than @rsp_len, by its own
 *	length byte plus header, is refused; 0 for commands whose length byte
 *	means nothing, then @rsp_len bytes are taken
 *
 * An answer counts only with the command and the sequence number of the
 * request; a late answer to an earlier request is passed over. After a missing
 * answer commands fail at once for TXGBE_FW_HOLD_MIN_MS to _MAX_MS. Nothing is
 * logged here: callers know what was attempted and what it means.
 *
 * Context: Process context, sleeps up to TXGBE_FW_TIMEOUT_MS plus that of a
 * command already under way. Takes fd->fw.lock.
 * Return: 0; -ETIMEDOUT if there was no answer; -EIO if there was a wrong one;
 * -EOPNOTSUPP if firmware does not know the command; -ENODEV if the device is
 * gone or being removed; -EINVAL for impossible lengths.
 */
int txgbe_fw_cmd(struct txgbe_dev *fd, enum txgbe_fw_op op, void *req, size_t req_len,
		 void *rsp, size_t rsp_len, size_t rsp_min)
{
	struct txgbe_fw_hdr *hdr = req;
	int err;

	if (req_len < sizeof(*hdr) || req_len > TXGBE_FW_MAX_BYTES || req_len % 4 ||
	    rsp_len > TXGBE_FW_MAX_BYTES || rsp_len % 4 || rsp_min > rsp_len)
		return -EINVAL;

	hdr->cmd = op;
	mutex_lock(&fd->fw.lock);
	err = __txgbe_fw_cmd(fd, req, req_len, rsp, rsp_len, rsp_min);
	mutex_unlock(&fd->fw.lock);
	return err;
}

/* txgbe_fw_cmd() for commands whose answer says whether they succeeded: -EREMOTEIO if not. */
static int txgbe_fw_ask(struct txgbe_dev *fd, enum txgbe_fw_op op, void *req, size_t req_len,
			void *rsp, size_t rsp_len, size_t rsp_min)
{
	const struct txgbe_fw_hdr *hdr = rsp;
	int err = txgbe_fw_cmd(fd, op, req, req_len, rsp, rsp_len, rsp_min);

	if (err)
		return err;
	return hdr->status == TXGBE_FW_STATUS_OK ? 0 : -EREMOTEIO;
}

/**
 * txgbe_fw_test() - does firmware answer, and know Amber-Lite commands
 * @fd: device
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0, or the error of txgbe_fw_cmd().
 */
int txgbe_fw_test(struct txgbe_dev *fd)
{
	struct txgbe_fw_get_link_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
	};

	return txgbe_fw_cmd(fd, TXGBE_FW_GET_LINK, &req, sizeof(req), NULL, 0, 0);
}

/**
 * txgbe_fw_get_link() - how firmware runs the link
 * @fd: device
 * @rsp: the answer; its fields are not checked
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -EREMOTEIO if firmware reports that the command failed; else the
 * error of txgbe_fw_cmd().
 */
int txgbe_fw_get_link(struct txgbe_dev *fd, struct txgbe_fw_get_link_rsp *rsp)
{
	struct txgbe_fw_get_link_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
	};

	return txgbe_fw_ask(fd, TXGBE_FW_GET_LINK, &req, sizeof(req), rsp, sizeof(*rsp),
			    offsetofend(struct txgbe_fw_get_link_rsp, fec));
}

/**
 * txgbe_fw_set_link() - ask for a link; firmware (re)starts the physical layer
 * @fd: device
 * @speed_code: TXGBE_FW_SPEED_*
 * @autoneg: negotiate with the partner (copper)
 * @fec: TXGBE_FW_FEC_* mask of what may be used
 *
 * Success means that the request was taken; the result shows in CFG_PORT_ST.
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -EREMOTEIO if firmware reports that the command failed; else the
 * error of txgbe_fw_cmd().
 */
int txgbe_fw_set_link(struct txgbe_dev *fd, u8 speed_code, bool autoneg, u8 fec)
{
	struct txgbe_fw_set_link_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
		.speed = speed_code,
		.duplex = speed_code != TXGBE_FW_SPEED_UNKNOWN,
		.autoneg = autoneg,
		.fec = fec,
	};
	struct txgbe_fw_set_link_req rsp;

	return txgbe_fw_ask(fd, TXGBE_FW_SET_LINK, &req, sizeof(req), &rsp, sizeof(rsp),
			    sizeof(rsp.hdr));
}

/**
 * txgbe_fw_set_pps() - tell firmware of a pulse per second
 * @fd: device
 * @on: false: there is none any more
 * @ns: the PTP clock's time at its next edge, nanoseconds, whole seconds
 * @cycles: SYSTIM at the same moment
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -EREMOTEIO if firmware reports that the command failed; else the
 * error of txgbe_fw_cmd().
 */
int txgbe_fw_set_pps(struct txgbe_dev *fd, bool on, u64 ns, u64 cycles)
{
	struct txgbe_fw_set_pps_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
		.lan = fd->lan,
		.enable = on,
		.ns = cpu_to_le64(on ? ns : 0),
		.cycles = cpu_to_le64(on ? cycles : 0),
	};
	struct txgbe_fw_hdr rsp;

	return txgbe_fw_ask(fd, TXGBE_FW_SET_PPS, &req, sizeof(req), &rsp, sizeof(rsp),
			    sizeof(rsp));
}

/**
 * txgbe_fw_get_module() - have firmware read what identifies the module
 * @fd: device
 * @rsp: the answer; its fields are the module's own bytes and not checked
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -EREMOTEIO if firmware could not read the module; else the error
 * of txgbe_fw_cmd().
 */
int txgbe_fw_get_module(struct txgbe_dev *fd, struct txgbe_fw_module_rsp *rsp)
{
	struct txgbe_fw_get_module_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
	};

	return txgbe_fw_ask(fd, TXGBE_FW_GET_MODULE, &req, sizeof(req), rsp, sizeof(*rsp),
			    sizeof(*rsp));
}

/* Did the whole piece come? The length byte is a payload length or, as other
 * commands with a fixed place for their data have it, the request's again.
 */
static bool txgbe_fw_is_whole(const struct txgbe_fw_hdr *rsp, const struct txgbe_fw_hdr *req,
			      u32 len)
{
	return rsp->len == req->len ||
	       rsp->len + sizeof(*rsp) >= TXGBE_FW_MODULE_DATA_OFFSET + len;
}

/**
 * txgbe_fw_read_module() - read memory of the plugged module
 * @fd: device
 * @at: which part: I2C address 0x50 or 0x51, bank, page, offset 0..255
 *	(128 and more lie in the page) and length 1..TXGBE_FW_MODULE_MAX_BYTES
 * @data: room for @at->len bytes
 *
 * Firmware is asked even if no module is plugged; the caller looks before.
 *
 * Context: Process context, sleeps, see txgbe_fw_cmd().
 * Return: 0; -EREMOTEIO if firmware could not read the module; -EIO also if it
 * read less than asked for; else the error of txgbe_fw_cmd().
 */
int txgbe_fw_read_module(struct txgbe_dev *fd, const struct txgbe_fw_module_part *at, u8 *data)
{
	struct txgbe_fw_read_module_req req = {
		.hdr.len = sizeof(req) - sizeof(req.hdr),
		.offset = cpu_to_be32(at->offset),
		.len = cpu_to_be32(at->len),
		.page = at->page,
		.bank = at->bank,
		.i2c_addr = at->i2c_addr,
	};
	struct {
		struct txgbe_fw_hdr hdr;
		u8 pad[TXGBE_FW_MODULE_DATA_OFFSET - sizeof(struct txgbe_fw_hdr)];
		u8 data[TXGBE_FW_MODULE_MAX_BYTES];
	} rsp;
	int err;

	if (!at->len || at->len > sizeof(rsp.data))
		return -EINVAL;
	err = txgbe_fw_cmd(fd, TXGBE_FW_READ_MODULE, &req, sizeof(req), &rsp,
			   TXGBE_FW_MODULE_DATA_OFFSET + round_up(at->len, 4), 0);
	if (err)
		return err;
	/* The reference calls the header an echo: status 0 may be success. */
	if (rsp.hdr.status && rsp.hdr.status != TXGBE_FW_STATUS_OK)
		return -EREMOTEIO;
	if (!txgbe_fw_is_whole(&rsp.hdr, &req.hdr, at->len))
		return -EIO;
	memcpy(data, rsp.data, at->len);
	return 0;
}

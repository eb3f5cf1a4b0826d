// SPDX-License-Identifier: GPL-2.0-only
/*
 * devlink health reporters: transmit, receive, firmware, PCIe. What goes
 * wrong comes from the health record (txgbe/health.h); recovery is the
 * driver's own ladder, which waits until devlink has dumped the failed state
 * and heeds "auto_recover false".
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/devlink.h>

#include "hw/desc.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/fwtrace.h"
#include "txgbe/health.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"
#include "txgbe/ring.h"

#include "devlink.h"
#include "ringview.h"

/* Descriptors shown of a ring that does not move. */
#define TXGBE_REPORTER_DESCS	16

/**
 * struct txgbe_reporter_ctx - an error on its way through devlink
 * @tried: devlink has called the recover function
 */
struct txgbe_reporter_ctx {
	bool tried;
};

static struct txgbe_dev *txgbe_reporter_fd(struct devlink_health_reporter *reporter)
{
	struct txgbe_devlink *dl = devlink_health_reporter_priv(reporter);

	return dl->fd;
}

/* ---- Values ------------------------------------------------------------ */

static const char *txgbe_reporter_step_name(enum txgbe_health_step step)
{
	switch (step) {
	case TXGBE_HEALTH_STEP_QUEUE:
		return "queue restart";
	case TXGBE_HEALTH_STEP_PORT:
		return "port reset";
	case TXGBE_HEALTH_STEP_DETACH:
		return "detach";
	default:
		return "none";
	}
}

static void txgbe_reporter_put_record(struct txgbe_dev *fd, enum txgbe_health_part part,
				      struct devlink_fmsg *fmsg)
{
	struct txgbe_health_record record;

	txgbe_health_get(fd, part, &record);
	devlink_fmsg_u32_pair_put(fmsg, "errors", record.errors);
	devlink_fmsg_u32_pair_put(fmsg, "recovered", record.recovered);
	devlink_fmsg_u32_pair_put(fmsg, "failed", record.failed);
	if (!record.errors)
		return;
	devlink_fmsg_string_pair_put(fmsg, "last_error", record.reason);
	devlink_fmsg_u64_pair_put(fmsg, "last_time", record.last_s);
	devlink_fmsg_string_pair_put(fmsg, "last_step",
				     txgbe_reporter_step_name(record.last_step));
	devlink_fmsg_u32_pair_put(fmsg, "last_errno", -record.last_err);
}

static void txgbe_reporter_put_view(const struct txgbe_ringview *view, struct devlink_fmsg *fmsg)
{
	devlink_fmsg_u32_pair_put(fmsg, "size", view->size);
	devlink_fmsg_u32_pair_put(fmsg, "use", view->use);
	devlink_fmsg_u32_pair_put(fmsg, "clean", view->clean);
	devlink_fmsg_u32_pair_put(fmsg, "owned_by_device", view->owned);
	devlink_fmsg_u32_pair_put(fmsg, "hw_wp", view->hw_wp);
	devlink_fmsg_u32_pair_put(fmsg, "hw_rp", view->hw_rp);
	devlink_fmsg_u32_pair_put(fmsg, "hw_cfg", view->hw_cfg);
}

static void txgbe_reporter_put_tx_view(const struct txgbe_ringview *view,
				       struct devlink_fmsg *fmsg)
{
	txgbe_reporter_put_view(view, fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "head", view->head);
	devlink_fmsg_bool_pair_put(fmsg, "stopped", view->stopped);
	devlink_fmsg_u32_pair_put(fmsg, "stuck_s", view->stuck);
}

static void txgbe_reporter_put_rx_view(const struct txgbe_ringview *view,
				       struct devlink_fmsg *fmsg)
{
	txgbe_reporter_put_view(view, fmsg);
	devlink_fmsg_bool_pair_put(fmsg, "starved", view->stopped);
	devlink_fmsg_bool_pair_put(fmsg, "frames_wait", view->stuck);
}

/* As the device sees them: four dwords, whatever kind of descriptor it is. */
static void txgbe_reporter_put_descs(const void *ring, u32 size, u32 first, u32 nr,
				     struct devlink_fmsg *fmsg)
{
	const __le64 *desc;
	u32 i, at;

	devlink_fmsg_arr_pair_nest_start(fmsg, "descriptors");
	for (i = 0; i < nr; i++) {
		at = (first + i) % size;
		desc = ring + at * sizeof(struct txgbe_tx_data_desc);
		devlink_fmsg_obj_nest_start(fmsg);
		devlink_fmsg_u32_pair_put(fmsg, "idx", at);
		devlink_fmsg_u64_pair_put(fmsg, "low", le64_to_cpu(READ_ONCE(desc[0])));
		devlink_fmsg_u64_pair_put(fmsg, "high", le64_to_cpu(READ_ONCE(desc[1])));
		devlink_fmsg_obj_nest_end(fmsg);
	}
	devlink_fmsg_arr_pair_nest_end(fmsg);
}

/* ---- Transmit and receive ---------------------------------------------- */

/* One transmit ring of queue @i: its counters, and what @view shows if the port is open. */
static void txgbe_reporter_put_txr(struct txgbe_net *fn, u32 i, const struct txgbe_tx_ring *txr,
				   const struct txgbe_txq_sum *sum,
				   const struct txgbe_ringview *view, struct devlink_fmsg *fmsg,
				   bool descs)
{
	bool stalled;

	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "queue", i);
	devlink_fmsg_u64_pair_put(fmsg, "packets", sum->packets);
	devlink_fmsg_u64_pair_put(fmsg, "dropped", sum->dropped);
	if (view) {
		stalled = test_bit(txr->idx, fn->stalled);
		txgbe_reporter_put_tx_view(view, fmsg);
		devlink_fmsg_bool_pair_put(fmsg, "stalled", stalled);
		if (descs && (view->stuck || stalled))
			txgbe_reporter_put_descs(txr->desc, txr->size, view->clean,
						 min_t(u32, view->owned, TXGBE_REPORTER_DESCS),
						 fmsg);
	}
	devlink_fmsg_obj_nest_end(fmsg);
}

static void txgbe_reporter_put_txq(struct txgbe_net *fn, u32 i, struct devlink_fmsg *fmsg,
				   bool descs)
{
	struct txgbe_ringview view;
	struct txgbe_txq_sum sum;
	bool open = txgbe_ringview_tx(fn, i, &view);

	txgbe_stats_get_txq(fn->vec[i], &sum);
	txgbe_reporter_put_txr(fn, i, fn->vec[i]->txr, &sum, open ? &view : NULL, fmsg, descs);
}

static void txgbe_reporter_put_xdpq(struct txgbe_net *fn, u32 i, struct devlink_fmsg *fmsg,
				    bool descs)
{
	struct txgbe_ringview view;
	struct txgbe_txq_sum sum;
	bool open = txgbe_ringview_xdp(fn, i, &view);

	txgbe_stats_get_xdpq(fn->vec[i], &sum);
	txgbe_reporter_put_txr(fn, i, fn->vec[i]->xdpr, &sum, open ? &view : NULL, fmsg, descs);
}

static void txgbe_reporter_put_rxq(struct txgbe_net *fn, u32 i, struct devlink_fmsg *fmsg,
				   bool descs)
{
	struct txgbe_rx_ring *rxr = fn->vec[i]->rxr;
	struct txgbe_ringview view;
	struct txgbe_rxq_sum sum;

	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "queue", i);
	txgbe_stats_get_rxq(fn->vec[i], &sum);
	devlink_fmsg_u64_pair_put(fmsg, "packets", sum.packets);
	devlink_fmsg_u64_pair_put(fmsg, "no_page", sum.no_page);
	devlink_fmsg_u64_pair_put(fmsg, "length_errors", sum.length_errors);
	devlink_fmsg_u32_pair_put(fmsg, "irq_lost", READ_ONCE(fn->vec[i]->irq_lost));
	if (txgbe_ringview_rx(fn, i, &view)) {
		txgbe_reporter_put_rx_view(&view, fmsg);
		if (descs && (view.stopped || view.stuck))
			txgbe_reporter_put_descs(rxr->desc, rxr->size, view.clean,
						 TXGBE_REPORTER_DESCS, fmsg);
	}
	devlink_fmsg_obj_nest_end(fmsg);
}

typedef void (*txgbe_reporter_put)(struct txgbe_net *fn, u32 i, struct devlink_fmsg *fmsg,
				   bool descs);

static void txgbe_reporter_put_queues(struct txgbe_dev *fd, struct devlink_fmsg *fmsg,
				      const char *name, txgbe_reporter_put put, bool descs)
{
	struct txgbe_net *fn = fd->fn;
	u32 i;

	devlink_fmsg_arr_pair_nest_start(fmsg, name);
	rtnl_lock();
	for (i = 0; i < fn->nr_vecs; i++)
		put(fn, i, fmsg, descs);
	rtnl_unlock();
	devlink_fmsg_arr_pair_nest_end(fmsg);
}

static void txgbe_reporter_put_tx(struct txgbe_dev *fd, struct devlink_fmsg *fmsg, bool descs)
{
	txgbe_reporter_put_record(fd, TXGBE_HEALTH_TX, fmsg);
	txgbe_reporter_put_queues(fd, fmsg, "queues", txgbe_reporter_put_txq, descs);
	txgbe_reporter_put_queues(fd, fmsg, "xdp_queues", txgbe_reporter_put_xdpq, descs);
}

static void txgbe_reporter_put_rx(struct txgbe_dev *fd, struct devlink_fmsg *fmsg, bool descs)
{
	txgbe_reporter_put_record(fd, TXGBE_HEALTH_RX, fmsg);
	txgbe_reporter_put_queues(fd, fmsg, "queues", txgbe_reporter_put_rxq, descs);
}

static int txgbe_reporter_diagnose_tx(struct devlink_health_reporter *reporter,
				      struct devlink_fmsg *fmsg, struct netlink_ext_ack *extack)
{
	txgbe_reporter_put_tx(txgbe_reporter_fd(reporter), fmsg, false);
	return 0;
}

static int txgbe_reporter_dump_tx(struct devlink_health_reporter *reporter,
				  struct devlink_fmsg *fmsg, void *priv_ctx,
				  struct netlink_ext_ack *extack)
{
	txgbe_reporter_put_tx(txgbe_reporter_fd(reporter), fmsg, true);
	return 0;
}

static int txgbe_reporter_recover_tx(struct devlink_health_reporter *reporter, void *priv_ctx,
				     struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);
	struct txgbe_reporter_ctx *ctx = priv_ctx;
	struct txgbe_health_record record;

	if (!ctx)
		return txgbe_devlink_restart(fd, extack);

	ctx->tried = true;
	/* What did not start is tried again in its own time. */
	txgbe_recover_run(fd->fn, false, true);
	txgbe_health_get(fd, TXGBE_HEALTH_TX, &record);
	return record.last_err;
}

static int txgbe_reporter_diagnose_rx(struct devlink_health_reporter *reporter,
				      struct devlink_fmsg *fmsg, struct netlink_ext_ack *extack)
{
	txgbe_reporter_put_rx(txgbe_reporter_fd(reporter), fmsg, false);
	return 0;
}

static int txgbe_reporter_dump_rx(struct devlink_health_reporter *reporter,
				  struct devlink_fmsg *fmsg, void *priv_ctx,
				  struct netlink_ext_ack *extack)
{
	txgbe_reporter_put_rx(txgbe_reporter_fd(reporter), fmsg, true);
	return 0;
}

/*
 * A vector is deaf until an interrupt comes: each error ends once, by that or
 * with the vector.
 */
static bool txgbe_reporter_hears(const struct txgbe_health_record *record)
{
	return record->recovered == record->errors;
}

/* What the receive side suffers from, the periodic work polls away until it is over. */
static int txgbe_reporter_recover_rx(struct devlink_health_reporter *reporter, void *priv_ctx,
				     struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);
	struct txgbe_reporter_ctx *ctx = priv_ctx;
	struct txgbe_health_record record;

	if (!ctx)
		return txgbe_devlink_restart(fd, extack);
	ctx->tried = true;
	txgbe_health_get(fd, TXGBE_HEALTH_RX, &record);
	return txgbe_reporter_hears(&record) ? 0 : -EINPROGRESS;
}

/* ---- Firmware ---------------------------------------------------------- */

static void txgbe_reporter_put_trace(struct txgbe_dev *fd, struct devlink_fmsg *fmsg)
{
	struct txgbe_fwtrace_entry *trace;
	u32 i, k, nr;
	s32 err;

	trace = kvcalloc(TXGBE_FWTRACE_ENTRIES, sizeof(*trace), GFP_KERNEL);
	if (!trace)
		return;
	nr = txgbe_fwtrace_get(&fd->fw.trace, trace);
	devlink_fmsg_arr_pair_nest_start(fmsg, "trace");
	for (i = 0; i < nr; i++) {
		err = (s32)le32_to_cpu(trace[i].err);
		devlink_fmsg_obj_nest_start(fmsg);
		devlink_fmsg_u32_pair_put(fmsg, "seq", le32_to_cpu(trace[i].seq));
		devlink_fmsg_u64_pair_put(fmsg, "at_ns", le64_to_cpu(trace[i].at_ns));
		devlink_fmsg_u32_pair_put(fmsg, "took_us", le32_to_cpu(trace[i].took_us));
		devlink_fmsg_string_pair_put(fmsg, "command",
					     txgbe_fwtrace_name(le32_to_cpu(trace[i].req[0])));
		devlink_fmsg_string_pair_put(fmsg, "result",
					     err == TXGBE_FWTRACE_PENDING ? "awaited" :
					     err == 0 ? "ok" :
					     err == -ETIMEDOUT ? "no answer" : "error");
		if (err < 0)
			devlink_fmsg_u32_pair_put(fmsg, "errno", -err);
		devlink_fmsg_arr_pair_nest_start(fmsg, "request");
		for (k = 0; k < TXGBE_FWTRACE_DWORDS; k++)
			devlink_fmsg_u32_put(fmsg, le32_to_cpu(trace[i].req[k]));
		devlink_fmsg_arr_pair_nest_end(fmsg);
		devlink_fmsg_arr_pair_nest_start(fmsg, "answer");
		for (k = 0; k < TXGBE_FWTRACE_DWORDS; k++)
			devlink_fmsg_u32_put(fmsg, le32_to_cpu(trace[i].rsp[k]));
		devlink_fmsg_arr_pair_nest_end(fmsg);
		devlink_fmsg_obj_nest_end(fmsg);
	}
	devlink_fmsg_arr_pair_nest_end(fmsg);
	kvfree(trace);
}

static int txgbe_reporter_diagnose_fw(struct devlink_health_reporter *reporter,
				      struct devlink_fmsg *fmsg, struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);

	txgbe_reporter_put_record(fd, TXGBE_HEALTH_FW, fmsg);
	devlink_fmsg_string_pair_put(fmsg, "version", fd->fw_version);
	devlink_fmsg_u32_pair_put(fmsg, "unanswered", READ_ONCE(fd->fw.timeouts));
	devlink_fmsg_u32_pair_put(fmsg, "left_alone_ms", READ_ONCE(fd->fw.hold_ms));
	return 0;
}

static int txgbe_reporter_dump_fw(struct devlink_health_reporter *reporter,
				  struct devlink_fmsg *fmsg, void *priv_ctx,
				  struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);

	txgbe_reporter_put_record(fd, TXGBE_HEALTH_FW, fmsg);
	txgbe_reporter_put_trace(fd, fmsg);
	return 0;
}

/*
 * Firmware that just fell silent is left alone for a while; the link work
 * tries again by itself. A user who asks for it means now.
 */
static int txgbe_reporter_recover_fw(struct devlink_health_reporter *reporter, void *priv_ctx,
				     struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);
	struct txgbe_reporter_ctx *ctx = priv_ctx;
	int err;

	if (ctx)
		ctx->tried = true;
	else
		txgbe_fw_retry(fd);
	err = txgbe_fw_test(fd);
	if (err && !ctx)
		NL_SET_ERR_MSG_MOD(extack, "firmware still does not answer");
	return err;
}

/* ---- PCIe -------------------------------------------------------------- */

static void txgbe_reporter_put_pci(struct txgbe_dev *fd, struct devlink_fmsg *fmsg)
{
	struct pci_dev *pdev = fd->pdev;
	u16 command, status, devsta, linksta;
	u32 uncor, cor;
	int aer;

	devlink_fmsg_bool_pair_put(fmsg, "registers_reachable", txgbe_present(fd));
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	pci_read_config_word(pdev, PCI_STATUS, &status);
	pcie_capability_read_word(pdev, PCI_EXP_DEVSTA, &devsta);
	pcie_capability_read_word(pdev, PCI_EXP_LNKSTA, &linksta);
	devlink_fmsg_u32_pair_put(fmsg, "command", command);
	devlink_fmsg_u32_pair_put(fmsg, "status", status);
	devlink_fmsg_u32_pair_put(fmsg, "device_status", devsta);
	devlink_fmsg_u32_pair_put(fmsg, "link_status", linksta);
	devlink_fmsg_u32_pair_put(fmsg, "link_width", (linksta & PCI_EXP_LNKSTA_NLW) >> 4);
	devlink_fmsg_u32_pair_put(fmsg, "link_gen", linksta & PCI_EXP_LNKSTA_CLS);

	aer = pci_find_ext_capability(pdev, PCI_EXT_CAP_ID_ERR);
	if (!aer)
		return;
	pci_read_config_dword(pdev, aer + PCI_ERR_UNCOR_STATUS, &uncor);
	pci_read_config_dword(pdev, aer + PCI_ERR_COR_STATUS, &cor);
	devlink_fmsg_u32_pair_put(fmsg, "aer_uncorrectable", uncor);
	devlink_fmsg_u32_pair_put(fmsg, "aer_correctable", cor);
}

static int txgbe_reporter_diagnose_pcie(struct devlink_health_reporter *reporter,
					struct devlink_fmsg *fmsg, struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);

	txgbe_reporter_put_record(fd, TXGBE_HEALTH_PCIE, fmsg);
	txgbe_reporter_put_pci(fd, fmsg);
	return 0;
}

static int txgbe_reporter_dump_pcie(struct devlink_health_reporter *reporter,
				    struct devlink_fmsg *fmsg, void *priv_ctx,
				    struct netlink_ext_ack *extack)
{
	return txgbe_reporter_diagnose_pcie(reporter, fmsg, extack);
}

/* The PCI core's error handling is at work, or has given up. */
static int txgbe_reporter_recover_pcie(struct devlink_health_reporter *reporter, void *priv_ctx,
				       struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_reporter_fd(reporter);
	struct txgbe_reporter_ctx *ctx = priv_ctx;
	struct txgbe_health_record record;

	if (!ctx)
		return txgbe_devlink_restart(fd, extack);
	ctx->tried = true;
	txgbe_health_get(fd, TXGBE_HEALTH_PCIE, &record);
	if (record.last_step == TXGBE_HEALTH_STEP_NONE)
		return -EINPROGRESS;
	return record.last_err;
}

/* ---- From the health record to devlink --------------------------------- */

static const struct devlink_health_reporter_ops txgbe_reporter_ops[TXGBE_HEALTH_NR] = {
	[TXGBE_HEALTH_TX] = {
		.name = "tx",
		.diagnose = txgbe_reporter_diagnose_tx,
		.dump = txgbe_reporter_dump_tx,
		.recover = txgbe_reporter_recover_tx,
	},
	[TXGBE_HEALTH_RX] = {
		.name = "rx",
		.diagnose = txgbe_reporter_diagnose_rx,
		.dump = txgbe_reporter_dump_rx,
		.recover = txgbe_reporter_recover_rx,
	},
	[TXGBE_HEALTH_FW] = {
		.name = "fw",
		.diagnose = txgbe_reporter_diagnose_fw,
		.dump = txgbe_reporter_dump_fw,
		.recover = txgbe_reporter_recover_fw,
	},
	[TXGBE_HEALTH_PCIE] = {
		.name = "pcie",
		.diagnose = txgbe_reporter_diagnose_pcie,
		.dump = txgbe_reporter_dump_pcie,
		.recover = txgbe_reporter_recover_pcie,
	},
};

/*
 * devlink counts, dumps, and calls the recover function, unless the user has
 * switched that off, which is the one case in which nothing shall be done. It
 * also refuses if an earlier error is not over; that does not keep the
 * driver's own ladder from trying.
 */
static bool txgbe_reporter_error(struct txgbe_devlink *dl, enum txgbe_health_part part,
				 const char *reason)
{
	struct txgbe_reporter_ctx ctx = {};
	int err;

	err = devlink_health_report(dl->reporter[part], reason, &ctx);
	dl->in_error[part] = err || !ctx.tried;
	return !err && !ctx.tried;
}

static void txgbe_reporter_over(struct txgbe_devlink *dl, enum txgbe_health_part part)
{
	devlink_health_reporter_recovery_done(dl->reporter[part]);
	devlink_health_reporter_state_update(dl->reporter[part],
					     DEVLINK_HEALTH_REPORTER_STATE_HEALTHY);
	dl->in_error[part] = false;
}

/* See txgbe_health_set_notify(). */
static bool txgbe_reporter_notify(struct txgbe_dev *fd, enum txgbe_health_part part)
{
	struct txgbe_devlink *dl = devlink_priv(fd->devlink);
	struct txgbe_health_record record;
	bool recovered;

	if (!dl->reporter[part])
		return false;

	txgbe_health_get(fd, part, &record);
	recovered = record.recovered != dl->recovered[part] &&
		    (part != TXGBE_HEALTH_RX || txgbe_reporter_hears(&record));
	dl->recovered[part] = record.recovered;
	if (record.errors != dl->errors[part]) {
		dl->errors[part] = record.errors;
		return txgbe_reporter_error(dl, part, record.reason);
	}
	if (dl->in_error[part] && recovered && !record.last_err)
		txgbe_reporter_over(dl, part);
	return false;
}

/**
 * txgbe_reporter_create() - make the reporters
 * @dl: devlink part
 *
 * One that cannot be made is left out with a warning: the port works without.
 *
 * Context: Process context, before the instance is registered.
 */
void txgbe_reporter_create(struct txgbe_devlink *dl)
{
	struct devlink *devlink = priv_to_devlink(dl);
	struct devlink_health_reporter *reporter;
	u32 i;

	for (i = 0; i < TXGBE_HEALTH_NR; i++) {
		reporter = devlink_health_reporter_create(devlink, &txgbe_reporter_ops[i], dl);
		if (IS_ERR(reporter)) {
			dev_warn(dl->fd->dev, "no devlink health reporter %s: %ld\n",
				 txgbe_reporter_ops[i].name, PTR_ERR(reporter));
			continue;
		}
		dl->reporter[i] = reporter;
	}
}

/**
 * txgbe_reporter_destroy() - undo txgbe_reporter_create()
 * @dl: devlink part; nothing reports any more
 *
 * Context: Process context, after the instance was unregistered.
 */
void txgbe_reporter_destroy(struct txgbe_devlink *dl)
{
	u32 i;

	for (i = 0; i < TXGBE_HEALTH_NR; i++)
		if (dl->reporter[i])
			devlink_health_reporter_destroy(dl->reporter[i]);
}

/**
 * txgbe_reporter_start() - hear of errors, also of those since probe began
 * @dl: devlink part, its instance is registered
 *
 * Context: Process context, sleeps.
 */
void txgbe_reporter_start(struct txgbe_devlink *dl)
{
	txgbe_health_set_notify(dl->fd, txgbe_reporter_notify);
}

/**
 * txgbe_reporter_stop() - hear of no more errors
 * @dl: devlink part
 *
 * Context: Process context, sleeps until a report under way has ended; the
 * caller holds neither rtnl nor devlink's lock.
 */
void txgbe_reporter_stop(struct txgbe_devlink *dl)
{
	txgbe_health_set_notify(dl->fd, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files for support: /sys/kernel/debug/txgbe/<pci address>/. All of them only
 * read, and reading one changes nothing in the device.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/irq.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "txgbe/debugfs.h"
#include "txgbe/dev.h"
#include "txgbe/fwtrace.h"
#include "txgbe/health.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"
#include "txgbe/regdump.h"

#include "ringview.h"

/* One directory for all ports, as long as there is one. */
static DEFINE_MUTEX(txgbe_debugfs_lock);
static struct dentry *txgbe_debugfs_root;
static u32 txgbe_debugfs_users;

/* ---- Rings ------------------------------------------------------------- */

typedef bool (*txgbe_ringview_look)(struct txgbe_net *fn, u32 queue, struct txgbe_ringview *view);

static void txgbe_debugfs_show_rings(struct seq_file *s, struct txgbe_net *fn, const char *name,
				     txgbe_ringview_look look)
{
	bool tx = look != txgbe_ringview_rx;
	struct txgbe_ringview view;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		if (!look(fn, i, &view)) {
			seq_printf(s, "%s %u closed\n", name, i);
			continue;
		}
		seq_printf(s, "%s %u size %u use %u clean %u owned %u head %u hw_wp %u hw_rp %u hw_cfg %#010x %s %u %s %u\n",
			   name, i, view.size, view.use, view.clean, view.owned,
			   view.head, view.hw_wp, view.hw_rp, view.hw_cfg,
			   tx ? "stopped" : "starved", view.stopped,
			   tx ? "stuck_s" : "frames_wait", view.stuck);
	}
}

static int txgbe_rings_show(struct seq_file *s, void *unused)
{
	struct txgbe_dev *fd = s->private;

	rtnl_lock();
	txgbe_debugfs_show_rings(s, fd->fn, "tx", txgbe_ringview_tx);
	txgbe_debugfs_show_rings(s, fd->fn, "xdp", txgbe_ringview_xdp);
	txgbe_debugfs_show_rings(s, fd->fn, "rx", txgbe_ringview_rx);
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_rings);

/* ---- Registers --------------------------------------------------------- */

static int txgbe_registers_show(struct seq_file *s, void *unused)
{
	struct txgbe_dev *fd = s->private;
	u32 count = txgbe_regdump_count();
	struct txgbe_reg *regs;
	char name[32];
	u32 i;

	if (!txgbe_present(fd))
		return -ENODEV;
	regs = kvcalloc(count, sizeof(*regs), GFP_KERNEL);
	if (!regs)
		return -ENOMEM;
	txgbe_regdump_read(fd, regs);
	for (i = 0; i < count; i++) {
		txgbe_regdump_name(i, name, sizeof(name));
		seq_printf(s, "%#07x %-24s %#010x\n", regs[i].offset, name, regs[i].value);
	}
	kvfree(regs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_registers);

/* ---- Vectors ----------------------------------------------------------- */

static void txgbe_debugfs_show_irq(struct seq_file *s, int irq)
{
	struct irq_data *data = irq_get_irq_data(irq);

	seq_printf(s, " irq %d", irq);
	if (data)
		seq_printf(s, " affinity %*pbl effective %*pbl",
			   cpumask_pr_args(irq_data_get_affinity_mask(data)),
			   cpumask_pr_args(irq_data_get_effective_affinity_mask(data)));
}

static int txgbe_vectors_show(struct seq_file *s, void *unused)
{
	static const char * const modes[] = {
		[TXGBE_IRQ_MSIX] = "msix",
		[TXGBE_IRQ_MSI] = "msi",
		[TXGBE_IRQ_INTX] = "intx",
	};
	struct txgbe_dev *fd = s->private;
	struct txgbe_net *fn = fd->fn;
	struct txgbe_vec *vec;
	u32 i;

	rtnl_lock();
	seq_printf(s, "mode %s queues %u\n", modes[fn->irq_mode], fn->nr_vecs);
	for (i = 0; i < fn->nr_vecs; i++) {
		vec = fn->vec[i];
		seq_printf(s, "vector %u cpu %u", i, vec->cpu);
		txgbe_debugfs_show_irq(s, vec->irq);
		seq_printf(s, " polls_for_lost %lu napi_scheduled %u\n", vec->irq_lost,
			   test_bit(NAPI_STATE_SCHED, &vec->napi.state));
	}
	if (fn->misc_irq) {
		seq_puts(s, "misc");
		txgbe_debugfs_show_irq(s, fn->misc_irq);
		seq_putc(s, '\n');
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_vectors);

/* ---- Link -------------------------------------------------------------- */

static int txgbe_link_show(struct seq_file *s, void *unused)
{
	static const char * const kinds[] = {
		[TXGBE_MODULE_NONE] = "none",
		[TXGBE_MODULE_UNKNOWN] = "unknown",
		[TXGBE_MODULE_FIBRE] = "fibre",
		[TXGBE_MODULE_DAC] = "dac",
	};
	struct txgbe_dev *fd = s->private;
	struct txgbe_link_state state;

	txgbe_link_get(fd, &state);
	seq_printf(s, "up %u\nspeed_mbps %u\nwhy %u\ndown_count %u\n", state.up,
		   state.speed_mbps, state.why, state.down_count);
	seq_printf(s, "module %s identifier %#04x speeds %#x autoneg %u\n",
		   state.module.kind < ARRAY_SIZE(kinds) ? kinds[state.module.kind] : "?",
		   state.module.identifier, state.module.speeds, state.module.autoneg);
	/* The machine's own, as it runs: flags by number, see txgbe/link.h. */
	seq_printf(s, "flags %#lx causes %#x plugged %u configured %u fault %u backoff_ms %u\n",
		   READ_ONCE(fd->link.flags), atomic_read(&fd->link.causes),
		   READ_ONCE(fd->link.plugged), READ_ONCE(fd->link.configured),
		   READ_ONCE(fd->link.fault), READ_ONCE(fd->link.backoff_ms));
	if (txgbe_present(fd))
		seq_printf(s, "port_st %#010x gpio_ext %#010x\n",
			   txgbe_rd32(fd, TXGBE_CFG_PORT_ST), txgbe_rd32(fd, TXGBE_GPIO_EXT));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_link);

/* ---- Settings ---------------------------------------------------------- */

static int txgbe_settings_show(struct seq_file *s, void *unused)
{
	struct txgbe_dev *fd = s->private;
	struct txgbe_net *fn = fd->fn;
	struct net_device *dev = fn->netdev;
	u32 i;

	rtnl_lock();
	seq_printf(s, "netdev %s\nboard %s\nport %u\nfirmware %s\nsubsystem %#06x\n",
		   netdev_name(dev), fd->board->name, fd->lan,
		   fd->fw_version[0] ? fd->fw_version : "unknown", fd->subsys);
	seq_printf(s, "address %pM\npermanent %pM\nmtu %u\n", dev->dev_addr, fd->perm_addr,
		   dev->mtu);
	seq_printf(s, "running %u up %u present %u carrier %u\n", netif_running(dev),
		   test_bit(TXGBE_NET_UP, &fn->state), netif_device_present(dev),
		   netif_carrier_ok(dev));
	seq_printf(s, "tx_desc %u\nrx_desc %u\nqueues %u\n", fn->cfg.rings.tx_desc,
		   fn->cfg.rings.rx_desc, fn->nr_vecs);
	seq_printf(s, "features %pNF\nflags %#x\n", &dev->features, dev->flags);
	seq_printf(s, "rss_fields %#x\nrss_table", fn->cfg.rss_fields);
	for (i = 0; i < ARRAY_SIZE(fn->cfg.rss_table); i++)
		seq_printf(s, " %02x", fn->cfg.rss_table[i]);
	seq_printf(s, "\nport_resets %lu\n", fn->restarts);
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_settings);

/* ---- Firmware ---------------------------------------------------------- */

static void txgbe_debugfs_show_entry(struct seq_file *s, const struct txgbe_fwtrace_entry *entry)
{
	u64 at_us = div_u64(le64_to_cpu(entry->at_ns), NSEC_PER_USEC);
	u32 us;

	at_us = div_u64_rem(at_us, USEC_PER_SEC, &us);
	seq_printf(s, "%u %llu.%06u %s req %u rsp %u took_us %u err %d :",
		   le32_to_cpu(entry->seq), at_us, us,
		   txgbe_fwtrace_name(le32_to_cpu(entry->req[0])),
		   le16_to_cpu(entry->req_len), le16_to_cpu(entry->rsp_len),
		   le32_to_cpu(entry->took_us), (s32)le32_to_cpu(entry->err));
	seq_printf(s, " %*ph > %*ph\n", (int)sizeof(entry->req), entry->req,
		   (int)sizeof(entry->rsp), entry->rsp);
}

static int txgbe_firmware_show(struct seq_file *s, void *unused)
{
	struct txgbe_dev *fd = s->private;
	struct txgbe_fwtrace_entry *trace;
	u32 i, nr;

	trace = kvcalloc(TXGBE_FWTRACE_ENTRIES, sizeof(*trace), GFP_KERNEL);
	if (!trace)
		return -ENOMEM;
	nr = txgbe_fwtrace_get(&fd->fw.trace, trace);
	seq_printf(s, "unanswered %u left_alone_ms %u\n", READ_ONCE(fd->fw.timeouts),
		   READ_ONCE(fd->fw.hold_ms));
	for (i = 0; i < nr; i++)
		txgbe_debugfs_show_entry(s, &trace[i]);
	kvfree(trace);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_firmware);

/* ---- Health ------------------------------------------------------------ */

static int txgbe_health_show(struct seq_file *s, void *unused)
{
	static const char * const parts[TXGBE_HEALTH_NR] = {
		[TXGBE_HEALTH_TX] = "tx",
		[TXGBE_HEALTH_RX] = "rx",
		[TXGBE_HEALTH_FW] = "fw",
		[TXGBE_HEALTH_PCIE] = "pcie",
	};
	struct txgbe_dev *fd = s->private;
	struct txgbe_health_record record;
	u32 i;

	for (i = 0; i < TXGBE_HEALTH_NR; i++) {
		txgbe_health_get(fd, i, &record);
		seq_printf(s, "%s errors %u recovered %u failed %u", parts[i], record.errors,
			   record.recovered, record.failed);
		if (record.errors)
			seq_printf(s, " at %lld step %u err %d : %s", record.last_s,
				   record.last_step, record.last_err, record.reason);
		seq_putc(s, '\n');
	}
	seq_printf(s, "queue_restarts %u port_resets %u detached %u\n",
		   txgbe_health_steps(fd, TXGBE_HEALTH_STEP_QUEUE),
		   txgbe_health_steps(fd, TXGBE_HEALTH_STEP_PORT),
		   txgbe_health_steps(fd, TXGBE_HEALTH_STEP_DETACH));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(txgbe_health);

/* ---- Create and destroy ------------------------------------------------ */

/**
 * txgbe_debugfs_create() - make the files of a port
 * @fd: device, complete
 *
 * Nothing depends on them, so failing to make them is no error.
 *
 * Context: Process context, from probe.
 */
void txgbe_debugfs_create(struct txgbe_dev *fd)
{
	struct dentry *dir;

	mutex_lock(&txgbe_debugfs_lock);
	if (!txgbe_debugfs_users++)
		txgbe_debugfs_root = debugfs_create_dir(KBUILD_MODNAME, NULL);
	dir = debugfs_create_dir(pci_name(fd->pdev), txgbe_debugfs_root);
	mutex_unlock(&txgbe_debugfs_lock);

	debugfs_create_file("rings", 0400, dir, fd, &txgbe_rings_fops);
	debugfs_create_file("registers", 0400, dir, fd, &txgbe_registers_fops);
	debugfs_create_file("vectors", 0400, dir, fd, &txgbe_vectors_fops);
	debugfs_create_file("link", 0400, dir, fd, &txgbe_link_fops);
	debugfs_create_file("settings", 0400, dir, fd, &txgbe_settings_fops);
	debugfs_create_file("firmware", 0400, dir, fd, &txgbe_firmware_fops);
	debugfs_create_file("health", 0400, dir, fd, &txgbe_health_fops);
	fd->debugfs = dir;
}

/**
 * txgbe_debugfs_destroy() - remove the files of a port
 * @fd: device, still complete
 *
 * Context: Process context, sleeps until the last reader has left; the caller
 * does not hold rtnl.
 */
void txgbe_debugfs_destroy(struct txgbe_dev *fd)
{
	debugfs_remove_recursive(fd->debugfs);

	mutex_lock(&txgbe_debugfs_lock);
	if (!--txgbe_debugfs_users)
		debugfs_remove_recursive(txgbe_debugfs_root);
	mutex_unlock(&txgbe_debugfs_lock);
}

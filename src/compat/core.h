/* SPDX-License-Identifier: GPL-2.0-only */
/* Core kernel, PCI and interrupts: what older kernels lack. */
#ifndef COMPAT_CORE_H
#define COMPAT_CORE_H

/* ---- Compiler, types ---------------------------------------------------- */

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#ifndef __counted_by	/* 6.6 */
#define __counted_by(member)
#endif

#ifndef HAVE_STRUCT_GROUP
#define struct_group_tagged(TAG, NAME, MEMBERS...)	\
	union {						\
		struct { MEMBERS };			\
		struct TAG { MEMBERS } NAME;		\
	}
#define struct_group(NAME, MEMBERS...)			\
	union {						\
		struct { MEMBERS };			\
		struct { MEMBERS } NAME;		\
	}
#endif

/* Names only, for tools that print layouts; 6.8. */
#include <linux/cache.h>
#ifndef __cacheline_group_begin
#define __cacheline_group_begin(GROUP)	__u8 __cacheline_group_begin__##GROUP[0]
#define __cacheline_group_end(GROUP)	__u8 __cacheline_group_end__##GROUP[0]
#endif
#ifndef __cacheline_group_begin_aligned	/* 6.11 */
#define __cacheline_group_begin_aligned(GROUP, ...)	\
	__cacheline_group_begin(GROUP) __aligned((__VA_ARGS__ + 0) ? : SMP_CACHE_BYTES)
#define __cacheline_group_end_aligned(GROUP, ...)	\
	__cacheline_group_end(GROUP) __aligned((__VA_ARGS__ + 0) ? : SMP_CACHE_BYTES)
#endif

#include <linux/bitfield.h>
#ifndef FIELD_MAX	/* 5.7 */
#define FIELD_MAX(_mask)	((typeof(_mask))((_mask) >> __bf_shf(_mask)))
#endif

/* ---- Memory, strings ---------------------------------------------------- */

#ifndef HAVE_KFREE_SENSITIVE
#include <linux/slab.h>
#define kfree_sensitive		kzfree
#endif

#ifndef HAVE_KZALLOC_OBJ
#include <linux/slab.h>
#define COMPAT_GFP_(empty, gfp, ...)	gfp
#define COMPAT_GFP(...)			COMPAT_GFP_(, ##__VA_ARGS__, GFP_KERNEL)
#define kzalloc_obj(VAR, ...)						\
	((typeof(VAR) *)kzalloc(sizeof(VAR), COMPAT_GFP(__VA_ARGS__)))
#define kzalloc_objs(VAR, NR, ...)					\
	((typeof(VAR) *)kcalloc(NR, sizeof(VAR), COMPAT_GFP(__VA_ARGS__)))
#define kvzalloc_objs(VAR, NR, ...)					\
	((typeof(VAR) *)kvcalloc(NR, sizeof(VAR), COMPAT_GFP(__VA_ARGS__)))
#define kzalloc_flex(VAR, FAM, NR, ...)					\
	((typeof(VAR) *)kzalloc(struct_size((typeof(VAR) *)NULL, FAM, NR),	\
				COMPAT_GFP(__VA_ARGS__)))
#endif

#ifndef HAVE_STRSCPY_2ARGS
#include <linux/string.h>
#define COMPAT_STRSCPY2(dst, src)	(strscpy)(dst, src, sizeof(dst) + __must_be_array(dst))
#define COMPAT_STRSCPY3(dst, src, size)	(strscpy)(dst, src, size)
#define COMPAT_STRPAD2(dst, src)	(strscpy_pad)(dst, src, sizeof(dst) + __must_be_array(dst))
#define COMPAT_STRPAD3(dst, src, size)	(strscpy_pad)(dst, src, size)
#define COMPAT_PICK4(a, b, c, NAME, ...)	NAME
#define strscpy(...)							\
	COMPAT_PICK4(__VA_ARGS__, COMPAT_STRSCPY3, COMPAT_STRSCPY2, 0)(__VA_ARGS__)
#define strscpy_pad(...)						\
	COMPAT_PICK4(__VA_ARGS__, COMPAT_STRPAD3, COMPAT_STRPAD2, 0)(__VA_ARGS__)
#endif

/* ---- Time, timers, work ------------------------------------------------- */

#ifndef HAVE_READ_POLL_TIMEOUT
#include <linux/delay.h>
#include <linux/iopoll.h>
#define read_poll_timeout(op, val, cond, sleep_us, timeout_us, sleep_before_read, args...) \
({									\
	u64 __timeout_us = (timeout_us);				\
	unsigned long __sleep_us = (sleep_us);				\
	ktime_t __timeout = ktime_add_us(ktime_get(), __timeout_us);	\
									\
	might_sleep_if(__sleep_us != 0);				\
	if ((sleep_before_read) && __sleep_us)				\
		usleep_range((__sleep_us >> 2) + 1, __sleep_us);	\
	for (;;) {							\
		(val) = op(args);					\
		if (cond)						\
			break;						\
		if (__timeout_us && ktime_compare(ktime_get(), __timeout) > 0) { \
			(val) = op(args);				\
			break;						\
		}							\
		if (__sleep_us)						\
			usleep_range((__sleep_us >> 2) + 1, __sleep_us); \
		cpu_relax();						\
	}								\
	(cond) ? 0 : -ETIMEDOUT;					\
})
#define read_poll_timeout_atomic(op, val, cond, delay_us, timeout_us,	\
				 delay_before_read, args...)		\
({									\
	u64 __timeout_us = (timeout_us);				\
	unsigned long __delay_us = (delay_us);				\
	ktime_t __timeout = ktime_add_us(ktime_get(), __timeout_us);	\
									\
	if ((delay_before_read) && __delay_us)				\
		udelay(__delay_us);					\
	for (;;) {							\
		(val) = op(args);					\
		if (cond)						\
			break;						\
		if (__timeout_us && ktime_compare(ktime_get(), __timeout) > 0) { \
			(val) = op(args);				\
			break;						\
		}							\
		if (__delay_us)						\
			udelay(__delay_us);				\
		cpu_relax();						\
	}								\
	(cond) ? 0 : -ETIMEDOUT;					\
})
#endif

#ifndef HAVE_FSLEEP
#include <linux/delay.h>
static inline void fsleep(unsigned long usecs)
{
	if (usecs <= 10)
		udelay(usecs);
	else if (usecs <= 20000)
		usleep_range(usecs, 2 * usecs);
	else
		msleep(DIV_ROUND_UP(usecs, 1000));
}
#endif

#ifndef HAVE_SECS_TO_JIFFIES
#include <linux/jiffies.h>
#define secs_to_jiffies(secs)	((unsigned long)((secs) * HZ))
#endif

#ifndef HAVE_TIMER_DELETE_SYNC
#include <linux/timer.h>
#define timer_delete_sync	del_timer_sync
#endif

#ifndef HAVE_TIMER_DELETE
#include <linux/timer.h>
#define timer_delete		del_timer
#endif

#ifndef HAVE_TIMER_CONTAINER_OF
#include <linux/timer.h>
#define timer_container_of(var, callback_timer, timer_fieldname)	\
	container_of(callback_timer, typeof(*var), timer_fieldname)
#endif

#ifndef HAVE_HRTIMER_SETUP
#include <linux/hrtimer.h>
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#ifndef HAVE_FROM_WORK
#include <linux/workqueue.h>
#define from_work(var, callback_work, work_fieldname)	\
	container_of(callback_work, typeof(*var), work_fieldname)
#endif

#ifndef HAVE_WQ_PERCPU
/* A workqueue that is not unbound is per CPU. */
#define WQ_PERCPU	0
#endif

#ifndef HAVE_SYSTEM_PERCPU_WQ
#define system_percpu_wq	system_wq
#endif

/* ---- Devices, PCI ------------------------------------------------------- */

#ifndef HAVE_DEV_ERR_PROBE
#include <linux/device.h>
static inline __printf(3, 4)
int dev_err_probe(const struct device *dev, int err, const char *fmt, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	if (err != -EPROBE_DEFER)
		dev_err(dev, "error %d: %pV", err, &vaf);
	else
		dev_dbg(dev, "error %d: %pV", err, &vaf);
	va_end(args);
	return err;
}
#endif

#ifndef HAVE_DEFINE_SIMPLE_DEV_PM_OPS
#include <linux/pm.h>
#undef pm_sleep_ptr
#undef DEFINE_SIMPLE_DEV_PM_OPS
#define pm_sleep_ptr(ptr)	(IS_ENABLED(CONFIG_PM_SLEEP) ? (ptr) : NULL)
#ifndef pm_ptr
#define pm_ptr(ptr)		(IS_ENABLED(CONFIG_PM) ? (ptr) : NULL)
#endif
#define DEFINE_SIMPLE_DEV_PM_OPS(name, suspend_fn, resume_fn)	\
	const struct dev_pm_ops __maybe_unused name = {		\
		.suspend = suspend_fn,				\
		.resume = resume_fn,				\
		.freeze = suspend_fn,				\
		.thaw = resume_fn,				\
		.poweroff = suspend_fn,				\
		.restore = resume_fn,				\
	}
#endif

#include <linux/pci.h>
#ifndef PCI_IRQ_INTX	/* 6.8 */
#define PCI_IRQ_INTX	PCI_IRQ_LEGACY
#endif

#ifndef HAVE_PCIE_RESET_FLR
static inline int pcie_reset_flr(struct pci_dev *pdev, bool probe)
{
	if (!pcie_has_flr(pdev))
		return -ENOTTY;
	return probe ? 0 : pcie_flr(pdev);
}
#endif

#ifndef HAVE_PCIM_IOMAP_REGION
static inline void __iomem *pcim_iomap_region(struct pci_dev *pdev, int bar, const char *name)
{
	int err = pcim_iomap_regions(pdev, BIT(bar), name);

	return err ? IOMEM_ERR_PTR(err) : pcim_iomap_table(pdev)[bar];
}
#endif

#ifndef HAVE_PCIE_ERROR_REPORTING_BY_CORE
/*
 * Later kernels switch error reporting on by themselves. Here the driver has
 * to; it goes with bus mastering, from the same place to the same place.
 */
#include <linux/aer.h>
static inline void compat_pci_set_master(struct pci_dev *pdev)
{
	pci_set_master(pdev);
	if (pci_enable_pcie_error_reporting(pdev))
		pci_dbg(pdev, "no PCIe error reporting\n");
}

#define pci_set_master		compat_pci_set_master

static inline void compat_pci_disable_device(struct pci_dev *pdev)
{
	pci_disable_pcie_error_reporting(pdev);
	pci_disable_device(pdev);
}

#define pci_disable_device	compat_pci_disable_device
#endif

/* ---- Interrupts --------------------------------------------------------- */

#ifndef HAVE_IRQ_UPDATE_AFFINITY_HINT
#include <linux/interrupt.h>
/* The old function cannot give a hint without setting the affinity, too. */
static inline int irq_update_affinity_hint(unsigned int irq, const struct cpumask *mask)
{
	return mask ? 0 : irq_set_affinity_hint(irq, NULL);
}

static inline int irq_set_affinity_and_hint(unsigned int irq, const struct cpumask *mask)
{
	return irq_set_affinity_hint(irq, mask);
}
#endif

#endif /* COMPAT_CORE_H */

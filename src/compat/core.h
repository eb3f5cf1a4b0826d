/* SPDX-License-Identifier: GPL-2.0-only */
/* Core kernel, PCI and interrupts: what older kernels lack. */
#ifndef COMPAT_CORE_H
#define COMPAT_CORE_H

/* ---- Compiler, types ---------------------------------------------------- */

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <linux/bitfield.h>
#ifndef FIELD_MAX	/* 5.7 */
#define FIELD_MAX(_mask)	((typeof(_mask))((_mask) >> __bf_shf(_mask)))
#endif

/* ---- Memory, strings ---------------------------------------------------- */

#ifndef HAVE_KZALLOC_OBJ
#include <linux/slab.h>
#define COMPAT_GFP_(empty, gfp, ...)	gfp
#define COMPAT_GFP(...)			COMPAT_GFP_(, ##__VA_ARGS__, GFP_KERNEL)
#define kzalloc_obj(VAR, ...)						\
	((typeof(VAR) *)kzalloc(sizeof(VAR), COMPAT_GFP(__VA_ARGS__)))
#define kzalloc_objs(VAR, NR, ...)					\
	((typeof(VAR) *)kcalloc(NR, sizeof(VAR), COMPAT_GFP(__VA_ARGS__)))
#endif

#ifndef HAVE_STRSCPY_2ARGS
#include <linux/string.h>
#define COMPAT_STRSCPY2(dst, src)	(strscpy)(dst, src, sizeof(dst) + __must_be_array(dst))
#define COMPAT_STRSCPY3(dst, src, size)	(strscpy)(dst, src, size)
#define COMPAT_PICK4(a, b, c, NAME, ...)	NAME
#define strscpy(...)							\
	COMPAT_PICK4(__VA_ARGS__, COMPAT_STRSCPY3, COMPAT_STRSCPY2, 0)(__VA_ARGS__)
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One seeded bug per value of the parameter "bug", so that each run-time checker of the debug
 * kernel can be seen to fire. Loading the module commits the bug; it does no other harm.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *bug = "";
module_param(bug, charp, 0444);
MODULE_PARM_DESC(bug, "kasan, lockdep, dma, kmemleak, atomic or none");

static DEFINE_MUTEX(seeded_a);
static DEFINE_MUTEX(seeded_b);
static DEFINE_SPINLOCK(seeded_spin);

static int seeded_kasan(void)
{
	size_t size = 32;
	char *p = kmalloc(size, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	/* The compiler must not see that this is one byte behind the end. */
	OPTIMIZER_HIDE_VAR(size);
	WRITE_ONCE(p[size], 1);
	kfree(p);
	return 0;
}

static int seeded_lockdep(void)
{
	mutex_lock(&seeded_a);
	mutex_lock(&seeded_b);
	mutex_unlock(&seeded_b);
	mutex_unlock(&seeded_a);

	/* The other order: never a deadlock here, always one in waiting. */
	mutex_lock(&seeded_b);
	mutex_lock(&seeded_a);
	mutex_unlock(&seeded_a);
	mutex_unlock(&seeded_b);
	return 0;
}

static int seeded_dma(void)
{
	struct platform_device *pdev;
	dma_addr_t addr;
	void *p;
	int err;

	pdev = platform_device_register_simple("seeded", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	err = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	p = err ? NULL : kmalloc(256, GFP_KERNEL);
	if (p) {
		addr = dma_map_single(&pdev->dev, p, 256, DMA_TO_DEVICE);
		if (dma_mapping_error(&pdev->dev, addr))
			err = -EIO;
		else
			dma_unmap_single(&pdev->dev, addr, 128, DMA_TO_DEVICE);
		kfree(p);
	}
	platform_device_unregister(pdev);
	return err;
}

/* Not inlined: the init section is gone when kmemleak looks up the name. */
static noinline int seeded_kmemleak(void)
{
	int i;

	/*
	 * Many: the allocator's per-CPU arrays keep stale pointers to the last few dozen objects
	 * they gave out, and kmemleak takes those for references.
	 */
	for (i = 0; i < 512; i++)
		if (!kzalloc(96, GFP_KERNEL))
			return -ENOMEM;
	return 0;
}

static int seeded_atomic(void)
{
	void *p;

	spin_lock(&seeded_spin);
	p = kmalloc(64, GFP_KERNEL);
	spin_unlock(&seeded_spin);
	kfree(p);
	return 0;
}

static int __init seeded_init(void)
{
	if (!strcmp(bug, "kasan"))
		return seeded_kasan();
	if (!strcmp(bug, "lockdep"))
		return seeded_lockdep();
	if (!strcmp(bug, "dma"))
		return seeded_dma();
	if (!strcmp(bug, "kmemleak"))
		return seeded_kmemleak();
	if (!strcmp(bug, "atomic"))
		return seeded_atomic();
	if (!strcmp(bug, "none"))
		return 0;
	return -EINVAL;
}

static void __exit seeded_exit(void)
{
}

module_init(seeded_init);
module_exit(seeded_exit);
MODULE_DESCRIPTION("Seeded bugs for the lab's own tests");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/* Does every interrupt vector arrive, and only the one meant? Part of the self-test. */
#include <linux/interrupt.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#define TXGBE_IRQTEST_STEP_US	500
#define TXGBE_IRQTEST_LIMIT_US	200000

/**
 * struct txgbe_irqtest - one vector under test
 * @fn: net part
 * @fired: times its interrupt came; written by the handler
 * @irq: Linux interrupt number
 * @requested: the handler is installed
 */
struct txgbe_irqtest {
	struct txgbe_net *fn;
	u32 fired;
	int irq;
	bool requested;
};

static irqreturn_t txgbe_irqtest_handler(int irq, void *data)
{
	struct txgbe_irqtest *test = data;
	struct txgbe_net *fn = test->fn;
	struct txgbe_isb *isb = &fn->devmem->isb;

	/* A line may be somebody else's. */
	if (fn->irq_mode == TXGBE_IRQ_INTX) {
		if (!READ_ONCE(isb->vec[0]))
			return IRQ_NONE;
		WRITE_ONCE(isb->vec[0], 0);
		txgbe_wr32(fn->fd, TXGBE_PX_INTA, 1);
	}
	WRITE_ONCE(test->fired, test->fired + 1);
	return IRQ_HANDLED;
}

/* Queue vectors come first, the misc vector is the last of all. */
static u32 txgbe_irqtest_vec(const struct txgbe_net *fn, u32 i)
{
	return fn->irq_mode == TXGBE_IRQ_MSIX && i == fn->nr_vecs ? fn->max_vecs : i;
}

/* Queue vectors have a trigger bit; the misc vector fires by a cause. */
static void txgbe_irqtest_trigger(struct txgbe_net *fn, u32 vec_idx)
{
	struct txgbe_dev *fd = fn->fd;

	txgbe_wr32(fd, TXGBE_PX_IMC(vec_idx / 32), BIT(vec_idx % 32));
	if (fn->irq_mode != TXGBE_IRQ_MSIX || vec_idx < fn->nr_vecs) {
		txgbe_wr32(fd, TXGBE_PX_ICS(vec_idx / 32), BIT(vec_idx % 32));
		return;
	}
	txgbe_wr32(fd, TXGBE_PX_MISC_IEN, TXGBE_MISC_AUTONEG);
	txgbe_wr32(fd, TXGBE_PX_MISC_ICS, TXGBE_MISC_AUTONEG);
}

static u32 txgbe_irqtest_total(const struct txgbe_irqtest *tests, u32 nr)
{
	u32 sum = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		sum += READ_ONCE(tests[i].fired);
	return sum;
}

static int txgbe_irqtest_one(struct txgbe_net *fn, struct txgbe_irqtest *tests, u32 nr, u32 i)
{
	u32 others = txgbe_irqtest_total(tests, nr) - tests[i].fired;
	u32 fired;

	txgbe_irqtest_trigger(fn, txgbe_irqtest_vec(fn, i));
	if (read_poll_timeout(READ_ONCE, fired, fired, TXGBE_IRQTEST_STEP_US,
			      TXGBE_IRQTEST_LIMIT_US, false, tests[i].fired)) {
		netdev_err(fn->netdev, "self-test: no interrupt of vector %u (irq %d) within %u ms\n",
			   i, tests[i].irq, TXGBE_IRQTEST_LIMIT_US / 1000);
		return txgbe_present(fn->fd) ? -ETIMEDOUT : -ENODEV;
	}
	if (txgbe_irqtest_total(tests, nr) - READ_ONCE(tests[i].fired) != others) {
		netdev_err(fn->netdev, "self-test: another vector fired with vector %u\n", i);
		return -EIO;
	}
	return 0;
}

static int txgbe_irqtest_run(struct txgbe_net *fn, struct txgbe_irqtest *tests, u32 nr)
{
	struct txgbe_dev *fd = fn->fd;
	int err = 0;
	u32 i;

	memset(&fn->devmem->isb, 0, sizeof(fn->devmem->isb));
	txgbe_wr32(fd, TXGBE_PX_ISB_ADDR_L, lower_32_bits(fn->devmem_dma));
	txgbe_wr32(fd, TXGBE_PX_ISB_ADDR_H, upper_32_bits(fn->devmem_dma));
	txgbe_irq_configure(fn);

	for (i = 0; i < nr && !err; i++)
		err = txgbe_irqtest_one(fn, tests, nr, i);

	txgbe_wr32(fd, TXGBE_PX_MISC_IEN, 0);
	txgbe_wr32(fd, TXGBE_PX_IMS(0), ~0U);
	txgbe_wr32(fd, TXGBE_PX_IMS(1), ~0U);
	txgbe_flush(fd);
	return err;
}

/**
 * txgbe_irq_test() - fire each vector by software and wait for its interrupt
 * @fn: net part; the port is down and reset, no handler is installed; to be
 *	reset again afterwards
 *
 * What fails is logged.
 *
 * Context: Process context, sleeps up to 200 ms, rtnl held.
 * Return: 0; -ETIMEDOUT if an interrupt does not come; -EIO if a wrong one
 *	does; -ENOMEM; what request_irq() returned; -ENODEV.
 */
int txgbe_irq_test(struct txgbe_net *fn)
{
	u32 nr = fn->irq_mode == TXGBE_IRQ_MSIX ? fn->nr_vecs + 1 : 1;
	unsigned long flags = fn->irq_mode == TXGBE_IRQ_INTX ? IRQF_SHARED : 0;
	struct txgbe_irqtest *tests;
	int err = 0;
	u32 i;

	tests = kcalloc(nr, sizeof(*tests), GFP_KERNEL);
	if (!tests)
		return -ENOMEM;
	for (i = 0; i < nr && !err; i++) {
		tests[i].fn = fn;
		tests[i].irq = pci_irq_vector(fn->fd->pdev, txgbe_irqtest_vec(fn, i));
		err = request_irq(tests[i].irq, txgbe_irqtest_handler, flags, "txgbe-test",
				  &tests[i]);
		tests[i].requested = !err;
	}

	if (!err)
		err = txgbe_irqtest_run(fn, tests, nr);

	for (i = 0; i < nr; i++)
		if (tests[i].requested)
			free_irq(tests[i].irq, &tests[i]);
	kfree(tests);
	return err;
}

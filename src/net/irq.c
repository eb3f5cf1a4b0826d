// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors: allocation, names, affinity, handlers, masks, moderation.
 *
 * MSI-X: entry q belongs to queue pair q, in use or not, the last entry to the
 * misc causes. The device masks a vector when it sends the message, and
 * one write to PX_IMC unmasks it; no handler reads a register.
 *
 * With a single vector (MSI, or the INTx line) all causes are mapped to
 * vector bit 0, so that one unmask re-arms everything; the interrupt status
 * block in memory says whether the interrupt was ours.
 *
 * Beware of the names: writing PX_IMS disables, writing PX_IMC enables.
 */
#include <linux/bitfield.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include "txgbe/clock.h"
#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#define TXGBE_IRQ_LINK_CAUSES	(TXGBE_MISC_LINK_DOWN | TXGBE_MISC_LINK_UP |	\
				 TXGBE_MISC_AUTONEG | TXGBE_MISC_GPIO)
#define TXGBE_IRQ_CAUSES	(TXGBE_IRQ_LINK_CAUSES | TXGBE_MISC_INTEGRITY |	\
				 TXGBE_MISC_TIMESYNC | TXGBE_MISC_DEV_RESET)

/* A misbehaving misc cause takes at most this share of a CPU. */
#define TXGBE_IRQ_MISC_ITR_US	1000

/* ---- Allocation -------------------------------------------------------- */

static struct txgbe_vec *txgbe_irq_alloc_vec(struct txgbe_net *fn, u32 idx)
{
	int node = dev_to_node(fn->fd->dev);
	struct txgbe_vec *vec;

	vec = kzalloc_node(sizeof(*vec), GFP_KERNEL, node);
	if (!vec)
		return NULL;

	vec->fn = fn;
	vec->idx = idx;
	/* The adapter's own CPUs first, then ever farther ones. */
	vec->cpu = cpumask_local_spread(idx, node);
	vec->irq = pci_irq_vector(fn->fd->pdev, fn->irq_mode == TXGBE_IRQ_MSIX ? idx : 0);
	vec->unmask = (u32 __iomem *)(fn->fd->map + TXGBE_PX_IMC(idx / 32));
	vec->unmask_bit = BIT(idx % 32);
	txgbe_stats_init_queue(vec);
	txgbe_itr_init(vec);
	return vec;
}

/**
 * txgbe_irq_add_vec() - a queue pair is going to be used: give it a vector
 * @fn: net part
 * @idx: vector and queue number, 0..fn->max_vecs-1; those before it exist
 *
 * One that was in use before comes back, with its counters and the affinity
 * its user gave it.
 *
 * Context: Process context, sleeps; rtnl held, or before registration.
 * Return: 0; -ENOMEM.
 */
int txgbe_irq_add_vec(struct txgbe_net *fn, u32 idx)
{
	struct txgbe_vec *vec = fn->vec[idx];

	if (!vec) {
		vec = txgbe_irq_alloc_vec(fn, idx);
		if (!vec)
			return -ENOMEM;
		fn->vec[idx] = vec;
		/* Pairs with the readers of statistics, who hold no lock. */
		smp_store_release(&fn->known_vecs, idx + 1);
	}
	netif_napi_add_config(fn->netdev, &vec->napi, txgbe_napi_poll, idx);
	vec->active = true;
	return 0;
}

/**
 * txgbe_irq_del_vecs() - queue pairs are no longer used
 * @fn: net part
 * @first: first of them
 * @end: one past the last; vectors that were not added are passed over
 *
 * Context: Process context, sleeps; NAPI is disabled, no handler is installed.
 */
void txgbe_irq_del_vecs(struct txgbe_net *fn, u32 first, u32 end)
{
	u32 i;

	/* One grace period for all of them. */
	for (i = first; i < end; i++)
		if (fn->vec[i] && fn->vec[i]->active)
			__netif_napi_del(&fn->vec[i]->napi);
	synchronize_net();
	for (i = first; i < end; i++)
		if (fn->vec[i])
			fn->vec[i]->active = false;
}

/*
 * How many queue pairs the platform's vectors can serve. More than there are
 * CPUs are asked for, because the user may want more queues than that; unused
 * ones cost a table entry each.
 */
static int txgbe_irq_alloc_pci(struct txgbe_net *fn)
{
	int want = txgbe_config_max_queues();
	int cpus = min_t(int, num_online_cpus(), want);
	struct pci_dev *pdev = fn->fd->pdev;
	int nr;

	nr = pci_alloc_irq_vectors(pdev, 2, want + 1, PCI_IRQ_MSIX);
	if (nr >= 2) {
		fn->irq_mode = TXGBE_IRQ_MSIX;
		if (nr <= cpus)
			dev_info(fn->fd->dev, "%d of %d MSI-X vectors, %d queue pairs\n",
				 nr, cpus + 1, nr - 1);
		return nr - 1;
	}

	nr = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI);
	if (nr == 1) {
		fn->irq_mode = TXGBE_IRQ_MSI;
		dev_info(fn->fd->dev, "no MSI-X, one MSI vector and one queue pair\n");
		return 1;
	}

	nr = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_INTX);
	if (nr < 0)
		return nr;
	fn->irq_mode = TXGBE_IRQ_INTX;
	dev_info(fn->fd->dev, "no MSI-X or MSI, INTx and one queue pair\n");
	return 1;
}

/**
 * txgbe_irq_alloc() - get vectors from the platform and decide the queue pairs
 * @fn: net part
 *
 * Context: Process context, sleeps; before the net_device is registered.
 * Return: 0; -ENOMEM; what pci_alloc_irq_vectors() returned. After a failure,
 *	too, txgbe_irq_free() has to be called.
 */
int txgbe_irq_alloc(struct txgbe_net *fn)
{
	int pairs = txgbe_irq_alloc_pci(fn);
	u32 misc;

	if (pairs < 0)
		return pairs;

	fn->max_vecs = pairs;
	for (fn->nr_vecs = 0; fn->nr_vecs < min_t(u32, pairs, num_online_cpus()); fn->nr_vecs++)
		if (txgbe_irq_add_vec(fn, fn->nr_vecs))
			return -ENOMEM;

	misc = fn->irq_mode == TXGBE_IRQ_MSIX ? pairs : 0;
	fn->misc_irq = misc ? pci_irq_vector(fn->fd->pdev, misc) : 0;
	fn->misc_unmask = (u32 __iomem *)(fn->fd->map + TXGBE_PX_IMC(misc / 32));
	fn->misc_unmask_bit = BIT(misc % 32);
	return 0;
}

/**
 * txgbe_irq_free() - give the vectors back, however many there are
 * @fn: net part; no handler is installed
 *
 * Context: Process context, sleeps; the net_device is not registered.
 */
void txgbe_irq_free(struct txgbe_net *fn)
{
	u32 i;

	txgbe_irq_del_vecs(fn, 0, fn->known_vecs);
	for (i = 0; i < fn->known_vecs; i++) {
		kfree(fn->vec[i]);
		fn->vec[i] = NULL;
	}
	fn->nr_vecs = 0;
	fn->known_vecs = 0;
	pci_free_irq_vectors(fn->fd->pdev);
}

/* ---- Handlers ---------------------------------------------------------- */

static irqreturn_t txgbe_irq_queue(int irq, void *data)
{
	struct txgbe_vec *vec = data;

	napi_schedule_irqoff(&vec->napi);
	return IRQ_HANDLED;
}

/* Take the misc causes of the message that the device just sent. */
static void txgbe_irq_take_misc(struct txgbe_net *fn)
{
	struct txgbe_isb *isb = &fn->devmem->isb;
	u32 causes = le32_to_cpu(READ_ONCE(isb->misc));

	if (!causes)
		return;

	/* The vector is masked, so the device does not write here now. */
	WRITE_ONCE(isb->misc, 0);

	if (causes & TXGBE_IRQ_LINK_CAUSES)
		txgbe_link_event(fn->fd, causes & TXGBE_IRQ_LINK_CAUSES);
	if (causes & TXGBE_MISC_TIMESYNC)
		txgbe_pulse_event(fn->fd);
	if (causes & TXGBE_MISC_DEV_RESET)
		txgbe_recover_chip_reset(fn);
	if (causes & TXGBE_MISC_INTEGRITY && net_ratelimit())
		netdev_err(fn->netdev, "the device reports an internal memory error (ECC)\n");
}

static irqreturn_t txgbe_irq_misc(int irq, void *data)
{
	struct txgbe_net *fn = data;

	txgbe_irq_take_misc(fn);
	if (test_bit(TXGBE_NET_UP, &fn->state))
		writel(fn->misc_unmask_bit, fn->misc_unmask);
	return IRQ_HANDLED;
}

/* MSI or INTx: one vector for the queue pair and the misc causes. */
static irqreturn_t txgbe_irq_single(int irq, void *data)
{
	struct txgbe_net *fn = data;
	struct txgbe_isb *isb = &fn->devmem->isb;
	struct txgbe_vec *vec = fn->vec[0];

	if (!READ_ONCE(isb->vec[0])) {
		/* A shared line's other user, or an event that is not written yet:
		 * it asserts the line again.
		 */
		if (test_bit(TXGBE_NET_UP, &fn->state))
			writel(vec->unmask_bit, vec->unmask);
		return IRQ_NONE;
	}

	WRITE_ONCE(isb->vec[0], 0);
	if (fn->irq_mode == TXGBE_IRQ_INTX)
		txgbe_wr32(fn->fd, TXGBE_PX_INTA, 1);
	txgbe_irq_take_misc(fn);
	napi_schedule_irqoff(&vec->napi);	/* its end unmasks */
	return IRQ_HANDLED;
}

/* ---- Request, names, affinity ------------------------------------------ */

/*
 * The first request places the interrupt; later ones only renew the hint,
 * because the affinity has been the user's since then.
 */
static void txgbe_irq_place(struct txgbe_vec *vec)
{
	const struct cpumask *mask = cpumask_of(vec->cpu);

	if (vec->placed)
		irq_update_affinity_hint(vec->irq, mask);
	else
		irq_set_affinity_and_hint(vec->irq, mask);
	vec->placed = true;
}

/**
 * txgbe_irq_request_vec() - install the handler of one queue's vector
 * @fn: net part, with MSI-X
 * @vec: vector, masked
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; what request_irq() returned, and that is logged.
 */
int txgbe_irq_request_vec(struct txgbe_net *fn, struct txgbe_vec *vec)
{
	int err;

	snprintf(vec->name, sizeof(vec->name), "%s-TxRx-%u", netdev_name(fn->netdev), vec->idx);
	err = request_irq(vec->irq, txgbe_irq_queue, 0, vec->name, vec);
	if (err) {
		netdev_err(fn->netdev, "%s: request_irq(%d) failed: %d\n",
			   vec->name, vec->irq, err);
		return err;
	}
	txgbe_irq_place(vec);
	txgbe_arfs_watch_irq(vec);
	netif_napi_set_irq(&vec->napi, vec->irq);
	return 0;
}

/**
 * txgbe_irq_release_vec() - remove the handler of one queue's vector
 * @vec: vector, masked, with MSI-X
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_irq_release_vec(struct txgbe_vec *vec)
{
	netif_napi_set_irq(&vec->napi, -1);
	txgbe_arfs_unwatch_irq(vec);
	irq_update_affinity_hint(vec->irq, NULL);
	free_irq(vec->irq, vec);
}

static int txgbe_irq_request_msix(struct txgbe_net *fn)
{
	int err;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		err = txgbe_irq_request_vec(fn, fn->vec[i]);
		if (err)
			goto err_release;
	}

	snprintf(fn->misc_name, sizeof(fn->misc_name), "%s-misc", netdev_name(fn->netdev));
	err = request_irq(fn->misc_irq, txgbe_irq_misc, 0, fn->misc_name, fn);
	if (err) {
		netdev_err(fn->netdev, "%s: request_irq(%d) failed: %d\n",
			   fn->misc_name, fn->misc_irq, err);
		goto err_release;
	}
	return 0;

err_release:
	while (i--)
		txgbe_irq_release_vec(fn->vec[i]);
	return err;
}

/**
 * txgbe_irq_request() - install the handlers; everything is still masked
 * @fn: net part
 *
 * Context: Process context, sleeps, rtnl held.
 * Return: 0; what request_irq() returned.
 */
int txgbe_irq_request(struct txgbe_net *fn)
{
	unsigned long flags = fn->irq_mode == TXGBE_IRQ_INTX ? IRQF_SHARED : 0;
	struct txgbe_vec *vec = fn->vec[0];
	int err;

	if (fn->irq_mode == TXGBE_IRQ_MSIX) {
		err = txgbe_irq_request_msix(fn);
		fn->irqs_requested = !err;
		return err;
	}

	snprintf(vec->name, sizeof(vec->name), "%s-TxRx-0", netdev_name(fn->netdev));
	err = request_irq(vec->irq, txgbe_irq_single, flags, vec->name, fn);
	if (err) {
		netdev_err(fn->netdev, "%s: request_irq(%d) failed: %d\n",
			   vec->name, vec->irq, err);
		return err;
	}
	netif_napi_set_irq(&vec->napi, vec->irq);
	fn->irqs_requested = true;
	return 0;
}

/**
 * txgbe_irq_release() - remove the handlers, if they are installed
 * @fn: net part; the vectors are masked
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_irq_release(struct txgbe_net *fn)
{
	u32 i;

	if (!fn->irqs_requested)
		return;
	fn->irqs_requested = false;
	if (fn->irq_mode == TXGBE_IRQ_MSIX) {
		free_irq(fn->misc_irq, fn);
		for (i = 0; i < fn->nr_vecs; i++)
			txgbe_irq_release_vec(fn->vec[i]);
		return;
	}
	netif_napi_set_irq(&fn->vec[0]->napi, -1);
	free_irq(fn->vec[0]->irq, fn);
}

/* ---- Registers --------------------------------------------------------- */

/**
 * txgbe_irq_set_itr() - set the least time between interrupts of one vector
 * @fn: net part
 * @vec_idx: vector, 0..63
 * @usecs: 0..TXGBE_ITR_MAX_US, rounded down to the register's unit
 *
 * Context: Any. Takes effect with the next interval.
 */
void txgbe_irq_set_itr(struct txgbe_net *fn, u32 vec_idx, u32 usecs)
{
	u32 val = FIELD_PREP(TXGBE_PX_ITR_INTERVAL, usecs / TXGBE_PX_ITR_UNIT_US);

	txgbe_wr32(fn->fd, TXGBE_PX_ITR(vec_idx), val | TXGBE_PX_ITR_CNT_WDIS);
}

/**
 * txgbe_irq_unmask() - let the device send messages for one vector
 * @vec: vector, with a handler and NAPI enabled
 *
 * Context: Any.
 */
void txgbe_irq_unmask(struct txgbe_vec *vec)
{
	writel(vec->unmask_bit, vec->unmask);
}

/**
 * txgbe_irq_map() - which vector a queue pair raises: the one of its number
 * @fn: net part
 * @queue: queue pair
 * @on: false: none
 *
 * Context: Process context, rtnl held.
 */
void txgbe_irq_map(struct txgbe_net *fn, u32 queue, bool on)
{
	u32 cause = TXGBE_IVAR_VALID | FIELD_PREP(TXGBE_IVAR_VECTOR, queue);
	u32 rx = TXGBE_IVAR_SHIFT(queue, false);
	u32 tx = TXGBE_IVAR_SHIFT(queue, true);

	txgbe_rmw32(fn->fd, TXGBE_PX_IVAR(queue / 2), 0xffU << rx | 0xffU << tx,
		    on ? cause << rx | cause << tx : 0);
	/* The transmit ring of XDP is served by the same vector. */
	tx = TXGBE_IVAR_SHIFT(TXGBE_XDP_RING(queue), true);
	txgbe_rmw32(fn->fd, TXGBE_PX_IVAR(TXGBE_XDP_RING(queue) / 2), 0xffU << tx,
		    on ? cause << tx : 0);
}

/**
 * txgbe_irq_configure() - program causes, moderation and mode, all masked
 * @fn: net part
 *
 * Context: Process context, sleeps, rtnl held; after a LAN reset, which leaves all
 * causes unmapped.
 */
void txgbe_irq_configure(struct txgbe_net *fn)
{
	bool msix = fn->irq_mode == TXGBE_IRQ_MSIX;
	struct txgbe_dev *fd = fn->fd;
	u32 misc = msix ? fn->max_vecs : 0;
	u32 i;

	txgbe_wr32(fd, TXGBE_PX_ITRSEL, 0);
	txgbe_wr32(fd, TXGBE_PX_GPIE, msix ? TXGBE_PX_GPIE_MSIX : 0);

	for (i = 0; i < fn->nr_vecs; i++) {
		txgbe_irq_map(fn, i, true);
		txgbe_itr_start(fn->vec[i]);
	}

	txgbe_wr32(fd, TXGBE_PX_MISC_IVAR,
		   TXGBE_IVAR_VALID | FIELD_PREP(TXGBE_IVAR_VECTOR, misc));
	if (msix)
		txgbe_irq_set_itr(fn, misc, TXGBE_IRQ_MISC_ITR_US);
}

/**
 * txgbe_irq_enable() - forget what happened so far and unmask
 * @fn: net part, configured
 *
 * Context: Process context, rtnl held, NAPI enabled.
 */
void txgbe_irq_enable(struct txgbe_net *fn)
{
	u64 mask = GENMASK_ULL(fn->nr_vecs - 1, 0);
	struct txgbe_dev *fd = fn->fd;

	memset(&fn->devmem->isb, 0, sizeof(fn->devmem->isb));
	if (fn->irq_mode == TXGBE_IRQ_MSIX)
		mask |= BIT_ULL(fn->max_vecs);

	txgbe_rd32(fd, TXGBE_PX_IC(0));
	txgbe_rd32(fd, TXGBE_PX_IC(1));
	txgbe_rd32(fd, TXGBE_PX_MISC_IC);
	txgbe_wr32(fd, TXGBE_PX_MISC_IEN, TXGBE_IRQ_CAUSES);
	txgbe_wr32(fd, TXGBE_PX_IMC(0), lower_32_bits(mask));
	if (upper_32_bits(mask))
		txgbe_wr32(fd, TXGBE_PX_IMC(1), upper_32_bits(mask));
}

/**
 * txgbe_irq_disable() - mask everything and wait for running handlers
 * @fn: net part; TXGBE_NET_UP is clear, so that no handler unmasks again
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_irq_disable(struct txgbe_net *fn)
{
	struct txgbe_dev *fd = fn->fd;
	u32 i;

	txgbe_wr32(fd, TXGBE_PX_MISC_IEN, 0);
	txgbe_wr32(fd, TXGBE_PX_IMS(0), ~0U);
	txgbe_wr32(fd, TXGBE_PX_IMS(1), ~0U);
	txgbe_flush(fd);

	for (i = 0; i < fn->nr_vecs; i++)
		synchronize_irq(fn->vec[i]->irq);
	if (fn->misc_irq)
		synchronize_irq(fn->misc_irq);
}

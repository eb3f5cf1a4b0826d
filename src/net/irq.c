// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors: allocation, names, affinity, handlers, masks, moderation.
 *
 * MSI-X: entry q belongs to queue pair q, the entry after the last queue to
 * the misc causes. The device masks a vector when it sends the message, and
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

#include "txgbe/link.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#define TXGBE_IRQ_LINK_CAUSES	(TXGBE_MISC_LINK_DOWN | TXGBE_MISC_LINK_UP |	\
				 TXGBE_MISC_AUTONEG | TXGBE_MISC_GPIO)
#define TXGBE_IRQ_CAUSES	(TXGBE_IRQ_LINK_CAUSES | TXGBE_MISC_INTEGRITY)

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
	netif_napi_add_config(fn->netdev, &vec->napi, txgbe_napi_poll, idx);
	return vec;
}

static void txgbe_irq_free_vecs(struct txgbe_net *fn)
{
	u32 i;

	/* One grace period for all of them. */
	for (i = 0; i < fn->nr_vecs; i++)
		__netif_napi_del(&fn->vec[i]->napi);
	synchronize_net();

	for (i = 0; i < fn->nr_vecs; i++) {
		kfree(fn->vec[i]);
		fn->vec[i] = NULL;
	}
	fn->nr_vecs = 0;
}

/* How many queue pairs: what the platform's vectors can serve. */
static int txgbe_irq_alloc_pci(struct txgbe_net *fn)
{
	int want = min_t(int, num_online_cpus(), TXGBE_MAX_QUEUES);
	struct pci_dev *pdev = fn->fd->pdev;
	int nr;

	nr = pci_alloc_irq_vectors(pdev, 2, want + 1, PCI_IRQ_MSIX);
	if (nr >= 2) {
		fn->irq_mode = TXGBE_IRQ_MSIX;
		if (nr <= want)
			dev_info(fn->fd->dev, "%d of %d MSI-X vectors, %d queue pairs\n",
				 nr, want + 1, nr - 1);
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

	for (fn->nr_vecs = 0; fn->nr_vecs < pairs; fn->nr_vecs++) {
		fn->vec[fn->nr_vecs] = txgbe_irq_alloc_vec(fn, fn->nr_vecs);
		if (!fn->vec[fn->nr_vecs])
			return -ENOMEM;
	}

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
	txgbe_irq_free_vecs(fn);
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

static void txgbe_irq_release_queues(struct txgbe_net *fn, u32 nr)
{
	struct txgbe_vec *vec;

	while (nr--) {
		vec = fn->vec[nr];
		netif_napi_set_irq(&vec->napi, -1);
		txgbe_arfs_unwatch_irq(vec);
		irq_update_affinity_hint(vec->irq, NULL);
		free_irq(vec->irq, vec);
	}
}

static int txgbe_irq_request_msix(struct txgbe_net *fn)
{
	const char *ifname = netdev_name(fn->netdev);
	struct txgbe_vec *vec;
	int err;
	u32 i;

	for (i = 0; i < fn->nr_vecs; i++) {
		vec = fn->vec[i];
		snprintf(vec->name, sizeof(vec->name), "%s-TxRx-%u", ifname, i);
		err = request_irq(vec->irq, txgbe_irq_queue, 0, vec->name, vec);
		if (err) {
			netdev_err(fn->netdev, "%s: request_irq(%d) failed: %d\n",
				   vec->name, vec->irq, err);
			goto err_release;
		}
		txgbe_irq_place(vec);
		txgbe_arfs_watch_irq(vec);
		netif_napi_set_irq(&vec->napi, vec->irq);
	}

	snprintf(fn->misc_name, sizeof(fn->misc_name), "%s-misc", ifname);
	err = request_irq(fn->misc_irq, txgbe_irq_misc, 0, fn->misc_name, fn);
	if (err) {
		netdev_err(fn->netdev, "%s: request_irq(%d) failed: %d\n",
			   fn->misc_name, fn->misc_irq, err);
		goto err_release;
	}
	return 0;

err_release:
	txgbe_irq_release_queues(fn, i);
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
	if (!fn->irqs_requested)
		return;
	fn->irqs_requested = false;
	if (fn->irq_mode == TXGBE_IRQ_MSIX) {
		free_irq(fn->misc_irq, fn);
		txgbe_irq_release_queues(fn, fn->nr_vecs);
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

/* Both directions of queue pair @queue raise vector @vec_idx. */
static u32 txgbe_irq_ivar(u32 queue, u32 vec_idx)
{
	u32 cause = TXGBE_IVAR_VALID | FIELD_PREP(TXGBE_IVAR_VECTOR, vec_idx);

	return cause << TXGBE_IVAR_SHIFT(queue, false) |
	       cause << TXGBE_IVAR_SHIFT(queue, true);
}

/* The transmit rings of XDP are served by the vector of their queue pair. */
static void txgbe_irq_configure_xdp(struct txgbe_net *fn)
{
	u32 ivar = 0;
	u32 i, ring;

	for (i = 0; i < fn->nr_vecs; i++) {
		ring = TXGBE_XDP_RING(i);
		ivar |= (TXGBE_IVAR_VALID | FIELD_PREP(TXGBE_IVAR_VECTOR, i)) <<
			TXGBE_IVAR_SHIFT(ring, true);
		if (ring & 1 || i == fn->nr_vecs - 1) {
			txgbe_wr32(fn->fd, TXGBE_PX_IVAR(ring / 2), ivar);
			ivar = 0;
		}
	}
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
	u32 misc = msix ? fn->nr_vecs : 0;
	u32 ivar = 0;
	u32 i;

	txgbe_wr32(fd, TXGBE_PX_ITRSEL, 0);
	txgbe_wr32(fd, TXGBE_PX_GPIE, msix ? TXGBE_PX_GPIE_MSIX : 0);

	for (i = 0; i < fn->nr_vecs; i++) {
		ivar |= txgbe_irq_ivar(i, i);
		if (i & 1 || i == fn->nr_vecs - 1) {
			txgbe_wr32(fd, TXGBE_PX_IVAR(i / 2), ivar);
			ivar = 0;
		}
		txgbe_itr_start(fn->vec[i]);
	}
	txgbe_irq_configure_xdp(fn);

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
		mask |= BIT_ULL(fn->nr_vecs);

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

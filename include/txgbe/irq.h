/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupt vectors: one per queue pair and one for everything else. */
#ifndef TXGBE_IRQ_H
#define TXGBE_IRQ_H

#include <linux/bits.h>
#include <linux/kconfig.h>
#include <linux/types.h>

struct txgbe_net;
struct txgbe_vec;

enum txgbe_irq_mode {
	TXGBE_IRQ_MSIX,		/* a vector per queue pair, the last for misc causes */
	TXGBE_IRQ_MSI,		/* one vector for all */
	TXGBE_IRQ_INTX,		/* one shared line for all */
};

/* Longest moderation interval the register and ethtool's unit can express. */
#define TXGBE_ITR_MAX_US	1023
/* Between the message rate a core can take and the latency of one exchange. */
#define TXGBE_ITR_DEFAULT_US	30
/* The interval can follow the load. */
#define TXGBE_ITR_CAN_ADAPT	IS_REACHABLE(CONFIG_DIMLIB)

int txgbe_irq_alloc(struct txgbe_net *fn);
void txgbe_irq_free(struct txgbe_net *fn);
int txgbe_irq_add_vec(struct txgbe_net *fn, u32 idx);
void txgbe_irq_del_vecs(struct txgbe_net *fn, u32 first, u32 end);
int txgbe_irq_request_vec(struct txgbe_net *fn, struct txgbe_vec *vec);
void txgbe_irq_release_vec(struct txgbe_vec *vec);
void txgbe_irq_unmask(struct txgbe_vec *vec);
void txgbe_irq_map(struct txgbe_net *fn, u32 queue, bool on);
int txgbe_irq_request(struct txgbe_net *fn);
void txgbe_irq_release(struct txgbe_net *fn);
void txgbe_irq_configure(struct txgbe_net *fn);
void txgbe_irq_enable(struct txgbe_net *fn);
void txgbe_irq_disable(struct txgbe_net *fn);
void txgbe_irq_set_itr(struct txgbe_net *fn, u32 vec_idx, u32 usecs);

#endif /* TXGBE_IRQ_H */

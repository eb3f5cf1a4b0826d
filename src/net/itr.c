// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moderation: how long a vector keeps quiet after an interrupt.
 *
 * Either a fixed interval or one that the kernel's DIM library picks from a
 * few steps. A vector serves both directions of its queue pair and has one
 * register, so DIM sees the frames of both together.
 */
#include <linux/dim.h>

#include "txgbe/netdev.h"

#if IS_REACHABLE(CONFIG_DIMLIB)

/* DIM has five; not every kernel's header says so. */
#define TXGBE_ITR_STEPS		5

/*
 * From a request that waits for its answer to a stream of small frames. The
 * last leaves less than one unmasking per ten frames as soon as a core handles
 * more than 50000 a second, and lets no default ring run full at 2.5 million.
 */
static const u16 txgbe_itr_steps_us[TXGBE_ITR_STEPS] = { 4, 16, 40, 100, 200 };

#define TXGBE_ITR_START_STEP	1

static void txgbe_itr_work(struct work_struct *work)
{
	struct dim *dim = container_of(work, struct dim, work);
	struct txgbe_vec *vec = container_of(dim, struct txgbe_vec, dim);

	/* A poll may have asked for this after txgbe_itr_stop(). */
	if (READ_ONCE(vec->adaptive))
		txgbe_irq_set_itr(vec->fn, vec->idx, txgbe_itr_steps_us[dim->profile_ix]);
	dim->state = DIM_START_MEASURE;
}

/**
 * txgbe_itr_init() - prepare the moderation of a vector
 * @vec: vector, zeroed
 *
 * Context: Process context, before the vector is used.
 */
void txgbe_itr_init(struct txgbe_vec *vec)
{
	INIT_WORK(&vec->dim.work, txgbe_itr_work);
	vec->dim.mode = DIM_CQ_PERIOD_MODE_START_FROM_EQE;
}

/**
 * txgbe_itr_sample() - tell DIM what the vector did since its last interrupt
 * @vec: vector, adaptive
 *
 * Context: The poll of @vec, at its end.
 */
void txgbe_itr_sample(struct txgbe_vec *vec)
{
	const struct txgbe_txq_stats *tx = &vec->tx_stats;
	const struct txgbe_rxq_stats *rx = &vec->rx_stats;
	struct dim_sample sample = {};

	/* The poll is the only writer of these counters. */
	dim_update_sample(++vec->itr_events,
			  u64_stats_read(&tx->packets) + u64_stats_read(&rx->packets),
			  u64_stats_read(&tx->bytes) + u64_stats_read(&rx->bytes), &sample);
	net_dim(&vec->dim, &sample);
}

/**
 * txgbe_itr_stop() - end the adaption of a vector
 * @vec: vector
 *
 * Context: Process context, sleeps.
 */
void txgbe_itr_stop(struct txgbe_vec *vec)
{
	WRITE_ONCE(vec->adaptive, false);
	cancel_work_sync(&vec->dim.work);
}

static u32 txgbe_itr_start_adaption(struct txgbe_vec *vec)
{
	struct dim *dim = &vec->dim;

	dim->state = DIM_START_MEASURE;
	dim->tune_state = DIM_GOING_RIGHT;
	dim->steps_right = 0;
	dim->steps_left = 0;
	dim->tired = 0;
	memset(&dim->prev_stats, 0, sizeof(dim->prev_stats));
	dim->profile_ix = TXGBE_ITR_START_STEP;
	WRITE_ONCE(vec->adaptive, true);
	return txgbe_itr_steps_us[TXGBE_ITR_START_STEP];
}

#else

void txgbe_itr_init(struct txgbe_vec *vec)
{
}

void txgbe_itr_sample(struct txgbe_vec *vec)
{
}

void txgbe_itr_stop(struct txgbe_vec *vec)
{
}

static u32 txgbe_itr_start_adaption(struct txgbe_vec *vec)
{
	return TXGBE_ITR_DEFAULT_US;
}

#endif

/**
 * txgbe_itr_start() - program a vector's moderation as configured
 * @vec: vector; its registers were reset, or hold another setting
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_itr_start(struct txgbe_vec *vec)
{
	const struct txgbe_itr_cfg *cfg = &vec->fn->cfg.itr[vec->idx];
	u32 usecs = cfg->usecs;

	txgbe_itr_stop(vec);
	if (cfg->adaptive)
		usecs = txgbe_itr_start_adaption(vec);
	txgbe_irq_set_itr(vec->fn, vec->idx, usecs);
}

/**
 * txgbe_itr_apply() - bring a running vector's moderation to what is configured
 * @vec: vector
 *
 * An adaption that goes on is not disturbed.
 *
 * Context: Process context, sleeps, rtnl held.
 */
void txgbe_itr_apply(struct txgbe_vec *vec)
{
	if (!vec->fn->cfg.itr[vec->idx].adaptive || !vec->adaptive)
		txgbe_itr_start(vec);
}

/**
 * txgbe_itr_init_cfg() - the moderation of a new port
 * @fn: net part
 *
 * Context: Process context, before the net_device is registered.
 */
void txgbe_itr_init_cfg(struct txgbe_net *fn)
{
	u32 i;

	for (i = 0; i < TXGBE_MAX_QUEUES; i++) {
		fn->cfg.itr[i].usecs = TXGBE_ITR_DEFAULT_US;
		fn->cfg.itr[i].adaptive = TXGBE_ITR_CAN_ADAPT;
	}
}

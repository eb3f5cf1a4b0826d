// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module txgbe_ptp: the clocks of txgbe's ports as PTP clocks, /dev/ptpN. What
 * a clock does is in src/hw/clock.c, time stamps are in src/net/stamp.c.
 */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "txgbe/clock.h"
#include "txgbe/dev.h"
#include "txgbe/phc.h"
#include "txgbe/version.h"

/*
 * After a reset or an error that nobody announces, the system clock has gone on
 * from the last look: 200 ppm of 4 s are 0.8 ms. The counter wraps after 2.4 hours.
 */
#define TXGBE_PHC_LOOK		(HZ * 4)

/* Programs ask for a pulse from the second after the next full one on. */
#define TXGBE_PHC_START_S	2

/**
 * struct txgbe_phc - the PTP clock of a port
 * @info: what the core knows of it
 * @clock: the core's
 * @fd: the port
 */
struct txgbe_phc {
	struct ptp_clock_info info;
	struct ptp_clock *clock;
	struct txgbe_dev *fd;
};

static struct txgbe_dev *txgbe_phc_to_fd(struct ptp_clock_info *info)
{
	return container_of(info, struct txgbe_phc, info)->fd;
}

static int txgbe_phc_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	txgbe_clock_adjust_rate(txgbe_phc_to_fd(info), scaled_ppm);
	return 0;
}

static int txgbe_phc_adjtime(struct ptp_clock_info *info, s64 delta)
{
	txgbe_clock_adjust_time(txgbe_phc_to_fd(info), delta);
	return 0;
}

static int txgbe_phc_gettimex64(struct ptp_clock_info *info, struct timespec64 *ts,
				struct ptp_system_timestamp *sts)
{
	return txgbe_clock_get(txgbe_phc_to_fd(info), ts, sts);
}

static int txgbe_phc_settime64(struct ptp_clock_info *info, const struct timespec64 *ts)
{
	txgbe_clock_set(txgbe_phc_to_fd(info), ts);
	return 0;
}

/* The one thing that a pin can do: a pulse at every full second. */
static int txgbe_phc_enable(struct ptp_clock_info *info, struct ptp_clock_request *rq, int on)
{
	const struct ptp_perout_request *perout = &rq->perout;
	struct timespec64 now;
	int err;

	if (rq->type != PTP_CLK_REQ_PEROUT)
		return -EOPNOTSUPP;
	if (!on)
		return txgbe_pulse_enable(txgbe_phc_to_fd(info), false);
	if (perout->flags)
		return -EOPNOTSUPP;
	if (perout->period.sec != 1 || perout->period.nsec || perout->start.nsec)
		return -EINVAL;
	/* It begins at the next full second, and cannot wait. */
	err = txgbe_clock_get(txgbe_phc_to_fd(info), &now, NULL);
	if (err)
		return err;
	if (perout->start.sec > now.tv_sec + TXGBE_PHC_START_S)
		return -EINVAL;
	return txgbe_pulse_enable(txgbe_phc_to_fd(info), true);
}

/* Looking at the clock keeps differences to its base small, and notices a reset. */
static long txgbe_phc_look(struct ptp_clock_info *info)
{
	struct timespec64 ts;

	txgbe_clock_get(txgbe_phc_to_fd(info), &ts, NULL);
	return TXGBE_PHC_LOOK;
}

static const struct ptp_clock_info txgbe_phc_info = {
	.owner		= THIS_MODULE,
	.max_adj	= TXGBE_CLOCK_MAX_ADJ_PPB,
	.adjfine	= txgbe_phc_adjfine,
	.adjtime	= txgbe_phc_adjtime,
	.gettimex64	= txgbe_phc_gettimex64,
	.settime64	= txgbe_phc_settime64,
	.enable		= txgbe_phc_enable,
	.n_per_out	= 1,
	.do_aux_work	= txgbe_phc_look,
};

static void txgbe_phc_create(struct txgbe_dev *fd)
{
	struct txgbe_phc *phc;

	phc = kzalloc_obj(*phc);
	if (!phc)
		return;
	phc->fd = fd;
	phc->info = txgbe_phc_info;
	/* Older kernels have room for 15 characters. */
	strscpy(phc->info.name, dev_name(fd->dev), sizeof(phc->info.name));

	txgbe_clock_open(fd);
	phc->clock = ptp_clock_register(&phc->info, fd->dev);
	if (IS_ERR_OR_NULL(phc->clock)) {
		dev_err(fd->dev, "no PTP clock: %ld\n", PTR_ERR(phc->clock));
		txgbe_clock_close(fd);
		kfree(phc);
		return;
	}
	fd->phc = phc;
	WRITE_ONCE(fd->phc_index, ptp_clock_index(phc->clock));
	ptp_schedule_worker(phc->clock, TXGBE_PHC_LOOK);
}

static void txgbe_phc_destroy(struct txgbe_dev *fd)
{
	ptp_clock_unregister(fd->phc->clock);
	txgbe_pulse_enable(fd, false);
	txgbe_clock_close(fd);
	kfree(fd->phc);
}

static const struct txgbe_phc_ops txgbe_phc_handlers = {
	.add = txgbe_phc_create,
	.del = txgbe_phc_destroy,
};

static int __init txgbe_phc_init(void)
{
	txgbe_phc_register(&txgbe_phc_handlers);
	return 0;
}

static void __exit txgbe_phc_exit(void)
{
	txgbe_phc_unregister();
}

module_init(txgbe_phc_init);
module_exit(txgbe_phc_exit);

MODULE_DESCRIPTION("PTP clocks of Wangxun Amber-Lite FF5010/FF5025/FF5040 Ethernet ports");
MODULE_LICENSE("GPL");
MODULE_VERSION(TXGBE_VERSION);

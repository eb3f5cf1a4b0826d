/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * devlink: what older kernels lack, back to 5.10. What is older still has
 * another interface; there Kbuild leaves devlink out (Kbuild.options), and it
 * is left out where the kernel is configured without it.
 */
#ifndef COMPAT_DEVLINK_H
#define COMPAT_DEVLINK_H

#ifdef TXGBE_DEVLINK

#include <net/devlink.h>

/* ---- The instance ------------------------------------------------------- */

#ifndef HAVE_DEVLINK_ALLOC_3ARGS
/*
 * Objects are made before the instance is registered. The old functions for
 * them need to know the device, which they take from the instance.
 */
static inline struct devlink *compat_devlink_alloc(const struct devlink_ops *ops,
						   size_t priv_size, struct device *dev)
{
	struct devlink *devlink = devlink_alloc(ops, priv_size);

	if (devlink)
		devlink->dev = dev;
	return devlink;
}

static inline void compat_devlink_register(struct devlink *devlink)
{
	/* It has always returned 0. */
	WARN_ON(devlink_register(devlink, devlink->dev));
	devlink_reload_enable(devlink);
}

static inline void compat_devlink_unregister(struct devlink *devlink)
{
	devlink_reload_disable(devlink);
	devlink_unregister(devlink);
}

#define devlink_alloc		compat_devlink_alloc
#define devlink_register	compat_devlink_register
#define devlink_unregister	compat_devlink_unregister
#elif !defined(HAVE_DEVLINK_RELOAD_BY_OPS)
static inline void compat_devlink_register(struct devlink *devlink)
{
	devlink_set_features(devlink, DEVLINK_F_RELOAD);
	devlink_register(devlink);
}

#define devlink_register	compat_devlink_register
#endif

#ifndef HAVE_DEVLINK_INFO_DRIVER_NAME_BY_CORE
/* Each answer has one serial number, and one driver's name. */
static inline int compat_devlink_info_serial_number_put(struct devlink_info_req *req,
							const char *sn)
{
	int err = devlink_info_driver_name_put(req, KBUILD_MODNAME);

	return err ? err : devlink_info_serial_number_put(req, sn);
}

#define devlink_info_serial_number_put	compat_devlink_info_serial_number_put
#endif

/* ---- Health ------------------------------------------------------------- */

#ifndef HAVE_DEVLINK_HEALTH_DEFAULT_GRACEFUL_PERIOD
struct compat_devlink_health_reporter_ops {
	struct devlink_health_reporter_ops;
	u64 default_graceful_period;
};

static inline struct devlink_health_reporter *
compat_devlink_health_reporter_create(struct devlink *devlink,
				      const struct compat_devlink_health_reporter_ops *ops,
				      void *priv)
{
	return devlink_health_reporter_create(devlink,
					      (const struct devlink_health_reporter_ops *)ops,
					      ops->default_graceful_period, priv);
}

#define devlink_health_reporter_ops	compat_devlink_health_reporter_ops
#define devlink_health_reporter_create	compat_devlink_health_reporter_create
#endif

#endif /* TXGBE_DEVLINK */

#endif /* COMPAT_DEVLINK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of hardware time stamps: handlers of the newest kernel in any table
 * of net_device_ops.
 *
 *	kernel		how the user's wish comes to the driver
 *	6.6 and later	ndo_hwtstamp_get, ndo_hwtstamp_set
 *	older		an ioctl with a structure in user memory
 */
#ifndef COMPAT_HWSTAMP_H
#define COMPAT_HWSTAMP_H

#include <linux/net_tstamp.h>
#include <linux/netdevice.h>
#include <linux/uaccess.h>

#ifdef HAVE_NDO_HWTSTAMP

/* In the table of net_device_ops. */
#define HWSTAMP_OPS						\
	.ndo_hwtstamp_get	= txgbe_stamp_get,		\
	.ndo_hwtstamp_set	= txgbe_stamp_set,

#else

#ifndef HAVE_KERNEL_HWTSTAMP_CONFIG
/* The part of the later structure that is used. */
struct kernel_hwtstamp_config {
	int flags;
	int tx_type;
	int rx_filter;
};
#endif

/* One driver, one such pair. */
int txgbe_stamp_get(struct net_device *dev, struct kernel_hwtstamp_config *config);
int txgbe_stamp_set(struct net_device *dev, struct kernel_hwtstamp_config *config,
		    struct netlink_ext_ack *extack);

/* The core has checked that the values are known ones. */
static inline int compat_hwstamp_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd)
{
	struct kernel_hwtstamp_config config = {};
	struct hwtstamp_config user;
	int err;

	if (cmd == SIOCGHWTSTAMP) {
		err = txgbe_stamp_get(dev, &config);
	} else if (cmd == SIOCSHWTSTAMP) {
		if (copy_from_user(&user, ifr->ifr_data, sizeof(user)))
			return -EFAULT;
		config.flags = user.flags;
		config.tx_type = user.tx_type;
		config.rx_filter = user.rx_filter;
		err = txgbe_stamp_set(dev, &config, NULL);
	} else {
		err = -EOPNOTSUPP;
	}
	if (err)
		return err;

	user.flags = config.flags;
	user.tx_type = config.tx_type;
	user.rx_filter = config.rx_filter;
	return copy_to_user(ifr->ifr_data, &user, sizeof(user)) ? -EFAULT : 0;
}

/* net.h gives the member its older name where need be. */
#define HWSTAMP_OPS						\
	.ndo_eth_ioctl		= compat_hwstamp_ioctl,

#endif /* HAVE_NDO_HWTSTAMP */

#endif /* COMPAT_HWSTAMP_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * devlink: the instance of a PCI function, information, reload.
 *
 * There is no devlink port: devlink wants a reload to remove it, and with it
 * the net_device and all that users have set there. A reload that keeps the
 * net_device is worth more, and interfaces are not renamed after the port.
 *
 * Locks: devlink's, then rtnl. The instance is registered last and
 * unregistered first, so no request meets a port half made.
 */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/pci.h>
#include <linux/unaligned.h>
#include <net/devlink.h>

#include "txgbe/dev.h"
#include "txgbe/devlink.h"
#include "txgbe/fw.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/net.h"

#include "devlink.h"

/* ---- Information ------------------------------------------------------- */

static struct txgbe_dev *txgbe_devlink_fd(struct devlink *devlink)
{
	struct txgbe_devlink *dl = devlink_priv(devlink);

	return dl->fd;
}

/* The PCI serial number; on boards without one the address serves. */
static int txgbe_devlink_put_serial(struct txgbe_dev *fd, struct devlink_info_req *req)
{
	u64 dsn = pci_get_dsn(fd->pdev);
	char buf[24];
	u8 sn[8];

	put_unaligned_be64(dsn, sn);
	if (dsn)
		snprintf(buf, sizeof(buf), "%8phD", sn);
	else
		snprintf(buf, sizeof(buf), "%6phD", fd->perm_addr);
	return devlink_info_serial_number_put(req, buf);
}

static int txgbe_devlink_put_fixed(struct txgbe_dev *fd, struct devlink_info_req *req)
{
	char buf[TXGBE_NVM_PBA_LEN];
	int err;

	/* The part number is in the EEPROM, which firmware has to read. */
	if (!txgbe_nvm_read_pba(fd, buf, sizeof(buf))) {
		err = devlink_info_version_fixed_put(req, DEVLINK_INFO_VERSION_GENERIC_BOARD_ID,
						     buf);
		if (err)
			return err;
	}
	snprintf(buf, sizeof(buf), "%04x:%04x", fd->pdev->vendor, fd->pdev->device);
	err = devlink_info_version_fixed_put(req, DEVLINK_INFO_VERSION_GENERIC_ASIC_ID, buf);
	if (err)
		return err;
	snprintf(buf, sizeof(buf), "%02x", fd->pdev->revision);
	return devlink_info_version_fixed_put(req, DEVLINK_INFO_VERSION_GENERIC_ASIC_REV, buf);
}

typedef int (*txgbe_version_put)(struct devlink_info_req *req, const char *name,
				 const char *value);

static int txgbe_devlink_put_versions(struct devlink_info_req *req, txgbe_version_put put,
				      const struct txgbe_nvm_version *version)
{
	char buf[24];
	int err;

	snprintf(buf, sizeof(buf), "0x%08x", version->image);
	err = put(req, DEVLINK_INFO_VERSION_GENERIC_FW, buf);
	if (err || !version->has_oprom)
		return err;
	snprintf(buf, sizeof(buf), "%u.%u.%u", version->oprom_major, version->oprom_build,
		 version->oprom_patch);
	return put(req, DEVLINK_INFO_VERSION_GENERIC_FW_UNDI, buf);
}

/* What cannot be read just now is left out; the rest is still of use. */
static int txgbe_devlink_info_get(struct devlink *devlink, struct devlink_info_req *req,
				  struct netlink_ext_ack *extack)
{
	struct txgbe_dev *fd = txgbe_devlink_fd(devlink);
	struct txgbe_nvm_version stored;
	int err;

	err = txgbe_devlink_put_serial(fd, req);
	if (err)
		return err;
	err = txgbe_devlink_put_fixed(fd, req);
	if (err)
		return err;
	if (fd->fw_version[0]) {
		err = txgbe_devlink_put_versions(req, devlink_info_version_running_put,
						 &fd->nvm_version);
		if (err)
			return err;
	}
	if (!txgbe_nvm_get_version(fd, &stored))
		return txgbe_devlink_put_versions(req, devlink_info_version_stored_put, &stored);
	return 0;
}

/* ---- Reload ------------------------------------------------------------ */

static int txgbe_devlink_explain(int err, struct netlink_ext_ack *extack)
{
	switch (err) {
	case 0:
		break;
	case -EBUSY:
		NL_SET_ERR_MSG_MOD(extack, "the PCI core has the function: reset, error or sleep");
		break;
	case -ENODEV:
		NL_SET_ERR_MSG_MOD(extack, "device is gone");
		break;
	default:
		NL_SET_ERR_MSG_MOD(extack, "port does not start; an open one is tried again");
	}
	return err;
}

/* Greet firmware as probe does, start what was open: all settings are replayed. */
static int txgbe_devlink_start(struct txgbe_dev *fd, struct netlink_ext_ack *extack)
{
	int err;

	txgbe_fw_retry(fd);
	err = txgbe_fw_test(fd);
	if (!err)
		txgbe_nvm_read_version(fd);
	else if (err != -ENODEV)
		NL_SET_ERR_MSG_MOD(extack, "firmware does not answer; the port runs without it");
	return txgbe_devlink_explain(txgbe_net_restart(fd), extack);
}

/**
 * txgbe_devlink_restart() - stop, reset and start a port on request
 * @fd: device
 * @extack: gets the reason of an error
 *
 * Also brings a port back that was given up and detached. rtnl does not wait for
 * firmware.
 *
 * Context: Process context, sleeps; takes rtnl, the caller may hold devlink's
 * lock and no other.
 * Return: 0, also with silent firmware, which @extack tells; what
 *	txgbe_net_hold() or txgbe_net_restart() returned.
 */
int txgbe_devlink_restart(struct txgbe_dev *fd, struct netlink_ext_ack *extack)
{
	int err = txgbe_net_hold(fd);

	return err ? txgbe_devlink_explain(err, extack) : txgbe_devlink_start(fd, extack);
}

static int txgbe_devlink_reload_down(struct devlink *devlink, bool netns_change,
				     enum devlink_reload_action action,
				     enum devlink_reload_limit limit,
				     struct netlink_ext_ack *extack)
{
	if (netns_change) {
		NL_SET_ERR_MSG_MOD(extack,
				   "cannot move to another namespace; ip link moves the interface");
		return -EOPNOTSUPP;
	}
	return txgbe_devlink_explain(txgbe_net_hold(txgbe_devlink_fd(devlink)), extack);
}

static int txgbe_devlink_reload_up(struct devlink *devlink, enum devlink_reload_action action,
				   enum devlink_reload_limit limit, u32 *actions_performed,
				   struct netlink_ext_ack *extack)
{
	*actions_performed = BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT);
	return txgbe_devlink_start(txgbe_devlink_fd(devlink), extack);
}

static const struct devlink_ops txgbe_devlink_ops = {
	.reload_actions	= BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT),
	.reload_down	= txgbe_devlink_reload_down,
	.reload_up	= txgbe_devlink_reload_up,
	.info_get	= txgbe_devlink_info_get,
};

/* ---- Create and destroy ------------------------------------------------ */

/**
 * txgbe_devlink_create() - make the instance and what belongs to it
 * @fd: device, identified; its net_device is not there yet
 *
 * Nobody can see the instance yet.
 *
 * Context: Process context, from probe.
 * Return: 0; -ENOMEM.
 */
int txgbe_devlink_create(struct txgbe_dev *fd)
{
	struct txgbe_devlink *dl;
	struct devlink *devlink;

	devlink = devlink_alloc(&txgbe_devlink_ops, sizeof(*dl), fd->dev);
	if (!devlink)
		return -ENOMEM;
	dl = devlink_priv(devlink);
	dl->fd = fd;

	txgbe_region_create(dl);
	txgbe_reporter_create(dl);
	fd->devlink = devlink;
	return 0;
}

/**
 * txgbe_devlink_destroy() - undo txgbe_devlink_create()
 * @fd: device; the net_device is unregistered and nothing reports errors
 *
 * Context: Process context, sleeps.
 */
void txgbe_devlink_destroy(struct txgbe_dev *fd)
{
	struct txgbe_devlink *dl = devlink_priv(fd->devlink);

	txgbe_reporter_destroy(dl);
	txgbe_region_destroy(dl);
	devlink_free(fd->devlink);
	fd->devlink = NULL;
}

/**
 * txgbe_devlink_register() - let users see the instance; errors are reported
 * @fd: device, complete
 *
 * Context: Process context, sleeps, the last step of probe.
 */
void txgbe_devlink_register(struct txgbe_dev *fd)
{
	devlink_register(fd->devlink);
	txgbe_reporter_start(devlink_priv(fd->devlink));
}

/**
 * txgbe_devlink_unregister() - no more requests, no more reports
 * @fd: device
 *
 * Context: Process context, sleeps until a request or report that is under way
 * has ended; the first step of remove. The caller holds neither rtnl nor
 * devlink's lock.
 */
void txgbe_devlink_unregister(struct txgbe_dev *fd)
{
	txgbe_reporter_stop(devlink_priv(fd->devlink));
	devlink_unregister(fd->devlink);
}

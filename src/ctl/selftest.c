// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -t. Online: the EEPROM's checksum and the link. Offline as well:
 * registers, every interrupt vector, frames through the MAC's loopback; the
 * port goes down for it and comes back with all its settings.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/string.h>

#include "txgbe/fw.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"
#include "txgbe/netdev.h"

#include "selftest.h"

enum txgbe_selftest {
	TXGBE_SELFTEST_REGISTERS,
	TXGBE_SELFTEST_EEPROM,
	TXGBE_SELFTEST_INTERRUPT,
	TXGBE_SELFTEST_LOOPBACK,
	TXGBE_SELFTEST_LINK,
	TXGBE_SELFTEST_NR,
};

static const char txgbe_selftest_names[TXGBE_SELFTEST_NR][ETH_GSTRING_LEN] = {
	[TXGBE_SELFTEST_REGISTERS] = "Registers  (offline)",
	[TXGBE_SELFTEST_EEPROM]    = "EEPROM     (on/offline)",
	[TXGBE_SELFTEST_INTERRUPT] = "Interrupts (offline)",
	[TXGBE_SELFTEST_LOOPBACK]  = "Loopback   (offline)",
	[TXGBE_SELFTEST_LINK]      = "Link       (on/offline)",
};

/**
 * txgbe_selftest_count() - number of tests
 *
 * Context: Any.
 * Return: the number.
 */
int txgbe_selftest_count(void)
{
	return TXGBE_SELFTEST_NR;
}

/**
 * txgbe_selftest_get_names() - names of the tests
 * @data: room for txgbe_selftest_count() strings
 *
 * Context: Any.
 */
void txgbe_selftest_get_names(u8 *data)
{
	memcpy(data, txgbe_selftest_names, sizeof(txgbe_selftest_names));
}

/* Results are shown as they are: 0 is good, else the errno. */
static void txgbe_selftest_set(u64 *data, enum txgbe_selftest test, int err)
{
	data[test] = err < 0 ? -err : 0;
}

/* The port is down and its handlers are removed; each test leaves a reset to do. */
static void txgbe_selftest_stopped(struct txgbe_net *fn, u64 *data)
{
	struct txgbe_dev *fd = fn->fd;
	int err;

	err = fn->reset_owed ? txgbe_hw_reset(fd) : 0;
	if (!err) {
		txgbe_selftest_set(data, TXGBE_SELFTEST_REGISTERS, txgbe_hw_test_regs(fd));
		err = txgbe_hw_reset(fd);
	}
	if (!err) {
		txgbe_selftest_set(data, TXGBE_SELFTEST_INTERRUPT, txgbe_irq_test(fn));
		err = txgbe_hw_reset(fd);
	}
	fn->reset_owed = err != 0;
	/* Starts with the reset that is owed and ends with one. */
	txgbe_selftest_set(data, TXGBE_SELFTEST_LOOPBACK, txgbe_loopback_test(fn));
	if (err)
		txgbe_selftest_set(data, TXGBE_SELFTEST_INTERRUPT, err);
}

static void txgbe_selftest_closed(struct txgbe_net *fn, u64 *data)
{
	int err = txgbe_ring_alloc_all(fn);

	if (err) {
		txgbe_selftest_set(data, TXGBE_SELFTEST_LOOPBACK, err);
		return;
	}
	txgbe_selftest_stopped(fn, data);
	txgbe_ring_free_all(fn);
}

static int txgbe_selftest_open(struct txgbe_net *fn, u64 *data)
{
	int err;

	txgbe_net_down(fn);
	txgbe_irq_release(fn);
	txgbe_selftest_stopped(fn, data);

	err = txgbe_irq_request(fn);
	if (err) {
		netdev_err(fn->netdev, "self-test: no interrupts any more: %d, port closed\n", err);
		dev_close(fn->netdev);
		return err;
	}
	return txgbe_recover_restart_port(fn);
}

static int txgbe_selftest_offline(struct txgbe_net *fn, u64 *data)
{
	if (test_bit(TXGBE_NET_UP, &fn->state))
		return txgbe_selftest_open(fn, data);
	/* Open but not up: the recovery is at it. */
	if (netif_running(fn->netdev) || !txgbe_present(fn->fd))
		return -EBUSY;
	txgbe_selftest_closed(fn, data);
	return 0;
}

/**
 * txgbe_selftest_run() - ethtool -t
 * @dev: net_device, open or closed
 * @etest: ETH_TEST_FL_OFFLINE asks for the tests that take the port down;
 *	ETH_TEST_FL_FAILED is set if any fails
 * @data: results, 0 or a positive errno; what was not run has 0
 *
 * The link test says whether there is a carrier before the others begin.
 *
 * Context: Process context, sleeps, rtnl held. Offline some 100 ms, at most 4 s
 * with a chip that does not follow; longer if firmware is silent.
 */
void txgbe_selftest_run(struct net_device *dev, struct ethtool_test *etest, u64 *data)
{
	struct txgbe_net *fn = netdev_priv(dev);
	int err;
	u32 i;

	memset(data, 0, TXGBE_SELFTEST_NR * sizeof(*data));
	txgbe_selftest_set(data, TXGBE_SELFTEST_LINK, netif_carrier_ok(dev) ? 0 : -ENOLINK);
	err = txgbe_present(fn->fd) ? txgbe_nvm_check(fn->fd, true) : -ENODEV;
	txgbe_selftest_set(data, TXGBE_SELFTEST_EEPROM, err);
	if (etest->flags & ETH_TEST_FL_OFFLINE)
		err = txgbe_selftest_offline(fn, data);
	else
		err = 0;
	if (err)
		txgbe_selftest_set(data, TXGBE_SELFTEST_REGISTERS, err);

	for (i = 0; i < TXGBE_SELFTEST_NR; i++)
		if (data[i])
			etest->flags |= ETH_TEST_FL_FAILED;
}

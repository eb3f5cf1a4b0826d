// SPDX-License-Identifier: GPL-2.0-only
/* Wake-on-LAN wants to know by what address the port is called, and how it hears. */
#include "txgbe/hw.h"
#include "txgbe/link.h"
#include "txgbe/net.h"
#include "txgbe/netdev.h"

/**
 * txgbe_net_arm_wol() - let a magic packet for the port's address wake the machine
 * @fd: device; its port is stopped for good or until resume
 *
 * Context: Process context, from suspend and shutdown.
 * Return: true if the user wants that and the port is armed.
 */
bool txgbe_net_arm_wol(struct txgbe_dev *fd)
{
	struct txgbe_net *fn = fd->fn;

	return fn && txgbe_wol_arm(fd, fn->netdev->dev_addr, fn->netdev->mtu,
				   txgbe_link_likely_speed(fd));
}

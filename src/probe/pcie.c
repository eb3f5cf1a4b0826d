// SPDX-License-Identifier: GPL-2.0-only
/* Is the PCIe link wide and fast enough for the ports of the card? */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/pci.h>

#include "pcie.h"
#include "txgbe/dev.h"

/* Header, sequence number, CRC and framing of one packet on the link. */
#define TXGBE_PCIE_TLP_BYTES	24

static const char *txgbe_pcie_speed_text(enum pci_bus_speed speed)
{
	switch (speed) {
	case PCIE_SPEED_2_5GT:
		return "2.5 GT/s";
	case PCIE_SPEED_5_0GT:
		return "5 GT/s";
	case PCIE_SPEED_8_0GT:
		return "8 GT/s";
	case PCIE_SPEED_16_0GT:
		return "16 GT/s";
	default:
		return "of unknown speed";
	}
}

/*
 * What the link leaves for frames, each way. Received frames go up as writes,
 * each payload with its header: that alone limits one direction. When both are
 * busy the requests to read the frames to be sent go the same way.
 */
static u32 txgbe_pcie_one_way_mbps(u32 have, u32 payload)
{
	return div_u64((u64)have * payload, payload + TXGBE_PCIE_TLP_BYTES);
}

static u32 txgbe_pcie_both_ways_mbps(u32 have, u32 payload, u32 read_request)
{
	u32 frames = payload * read_request;
	u32 heads = TXGBE_PCIE_TLP_BYTES * (payload + read_request);

	return div_u64((u64)have * frames, frames + heads);
}

/* Ports of the card that share our link: functions of the same kind in our slot.
 * Return: how many; 0 if another one comes first and speaks for all, which one
 * that is somebody else's, or nobody's, does not.
 */
static u32 txgbe_pcie_count_ports(struct pci_dev *pdev)
{
	u32 nr = 1;
	u32 func;

	for (func = 0; func < 8; func++) {
		struct pci_dev *other;

		if (func == PCI_FUNC(pdev->devfn))
			continue;
		other = pci_get_slot(pdev->bus, PCI_DEVFN(PCI_SLOT(pdev->devfn), func));
		if (!other)
			continue;
		if (other->vendor == pdev->vendor && other->device == pdev->device) {
			if (func < PCI_FUNC(pdev->devfn) &&
			    other->dev.driver == pdev->dev.driver) {
				pci_dev_put(other);
				return 0;
			}
			nr++;
		}
		pci_dev_put(other);
	}
	return nr;
}

/**
 * txgbe_pcie_check() - say it if the slot cannot carry what the ports can
 * @fd: device
 *
 * One line for each card, with the cost; nothing if all is well or the
 * platform does not tell (as for a function passed to a guest). Maximum
 * payload and read request are left to the PCI core and only looked at.
 *
 * Context: Process context, from probe.
 */
void txgbe_pcie_check(struct txgbe_dev *fd)
{
	enum pci_bus_speed speed = PCI_SPEED_UNKNOWN;
	enum pcie_link_width width = PCIE_LNK_WIDTH_UNKNOWN;
	u32 nr_ports = txgbe_pcie_count_ports(fd->pdev);
	u32 need = nr_ports * fd->board->max_speed_mbps;
	struct pci_dev *limit = NULL;
	bool even_one_way = true;
	int payload, request;
	u32 have, room;

	if (!nr_ports)
		return;
	have = pcie_bandwidth_available(fd->pdev, &limit, &speed, &width);
	payload = pcie_get_mps(fd->pdev);
	request = pcie_get_readrq(fd->pdev);
	if (!have || payload <= 0 || request <= 0)
		return;

	room = txgbe_pcie_one_way_mbps(have, payload);
	if (room >= need) {
		even_one_way = false;
		room = txgbe_pcie_both_ways_mbps(have, payload, request);
	}
	if (room >= need)
		return;
	dev_notice(fd->dev, "PCIe %s x%u carries %u.%u Gb/s; payload %d and read request %d leave %u.%u for frames%s; %u port%s of %uG need %u: %u.%u Gb/s are lost; the limit is at %s\n",
		   txgbe_pcie_speed_text(speed), width, have / 1000, have % 1000 / 100,
		   payload, request, room / 1000, room % 1000 / 100,
		   even_one_way ? "" : " each way when both are busy",
		   nr_ports, nr_ports > 1 ? "s" : "", fd->board->max_speed_mbps / 1000,
		   need / 1000, (need - room) / 1000, (need - room) % 1000 / 100,
		   pci_name(limit ? limit : fd->pdev));
}

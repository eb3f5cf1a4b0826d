/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers of a PCI function, behind the driver's back. */
#ifndef TESTS_GUEST_BAR_H
#define TESTS_GUEST_BAR_H

#include "util.h"

#include <sys/mman.h>

/* The 32-bit register at @off of BAR0 of @pci; the process ends if the kernel does not allow it. */
static inline volatile uint32_t *map_register(const char *pci, unsigned long off)
{
	char path[128];
	uint8_t *page;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", pci);
	fd = open(path, O_RDWR | O_SYNC);
	if (fd < 0)
		cannot("%s", path);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(off & ~4095UL));
	if (page == MAP_FAILED)
		cannot("mmap of %s", path);
	close(fd);
	return (volatile uint32_t *)(page + (off & 4092));
}

#endif

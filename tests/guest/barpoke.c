// SPDX-License-Identifier: GPL-2.0-only
/*
 * barpoke - a register of a PCI function's BAR0, behind the driver's back.
 *
 *   barpoke PCI OFFSET
 *       prints the 32-bit value
 *   barpoke PCI OFFSET VALUE
 *       writes it
 *
 * Exit 2 where the kernel does not allow it.
 */
#include "util.h"

#include <fcntl.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	volatile uint32_t *reg;
	unsigned long off;
	char path[128];
	uint8_t *page;
	int fd;

	errno = 0;
	if (argc != 3 && argc != 4)
		cannot("usage: barpoke PCI OFFSET [VALUE]");
	off = strtoul(argv[2], NULL, 0);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", argv[1]);
	fd = open(path, O_RDWR | O_SYNC);
	if (fd < 0)
		cannot("barpoke: %s", path);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(off & ~4095UL));
	if (page == MAP_FAILED)
		cannot("barpoke: mmap of %s", path);
	reg = (volatile uint32_t *)(page + (off & 4092));
	if (argc == 4)
		*reg = (uint32_t)strtoul(argv[3], NULL, 0);
	else
		printf("0x%08x\n", *reg);
	return EXIT_HOLDS;
}

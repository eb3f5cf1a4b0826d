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
#include "bar.h"

int main(int argc, char **argv)
{
	volatile uint32_t *reg;
	unsigned long off;

	errno = 0;
	if (argc != 3 && argc != 4)
		cannot("usage: barpoke PCI OFFSET [VALUE]");
	off = strtoul(argv[2], NULL, 0);
	reg = map_register(argv[1], off);
	if (argc == 4)
		*reg = (uint32_t)strtoul(argv[3], NULL, 0);
	else
		printf("0x%08x\n", *reg);
	return EXIT_HOLDS;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * aerinject DOMAIN:BUS:DEV.FN nonfatal|fatal|correctable: has the kernel's
 * aer_inject report a PCIe error of that function. A poisoned request counts as
 * non-fatal, a malformed one as fatal, unless the severity register says
 * otherwise.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNCOR_POISON	0x00001000
#define UNCOR_MALFORMED	0x00040000
#define COR_BAD_TLP	0x00000040

/* As drivers/pci/pcie/aer_inject.c has it; there is no header for it. */
struct aer_error_inj {
	uint8_t bus;
	uint8_t dev;
	uint8_t fn;
	uint32_t uncor_status;
	uint32_t cor_status;
	uint32_t header_log[4];
	uint32_t domain;
};

int main(int argc, char **argv)
{
	unsigned int domain, bus, dev, fn;
	struct aer_error_inj inj;
	int fd;

	if (argc != 3 || sscanf(argv[1], "%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4) {
		fprintf(stderr, "usage: aerinject DOMAIN:BUS:DEV.FN nonfatal|fatal|correctable\n");
		return 2;
	}
	memset(&inj, 0, sizeof(inj));
	inj.domain = domain;
	inj.bus = bus;
	inj.dev = dev;
	inj.fn = fn;
	if (!strcmp(argv[2], "nonfatal"))
		inj.uncor_status = UNCOR_POISON;
	else if (!strcmp(argv[2], "fatal"))
		inj.uncor_status = UNCOR_MALFORMED;
	else if (!strcmp(argv[2], "correctable"))
		inj.cor_status = COR_BAD_TLP;
	else
		return 2;

	fd = open("/dev/aer_inject", O_WRONLY);
	if (fd < 0) {
		perror("/dev/aer_inject");
		return 1;
	}
	if (write(fd, &inj, sizeof(inj)) != sizeof(inj)) {
		perror("aer_inject");
		return 1;
	}
	close(fd);
	return 0;
}

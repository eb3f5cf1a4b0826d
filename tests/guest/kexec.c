// SPDX-License-Identifier: GPL-2.0-only
/*
 * kexec - another kernel, now or for the case of a crash.
 *
 *   kexec load KERNEL INITRD COMMANDLINE    for "kexec now"
 *   kexec crash KERNEL INITRD COMMANDLINE   for a panic; needs memory kept by crashkernel=
 *   kexec now                               starts it as a reboot does: devices are shut down, nothing else is
 *
 * Exit: 0 done, 2 it could not be done, 3 the kernel has no such call.
 */
#include "util.h"

#include <sys/reboot.h>
#include <sys/syscall.h>

#define FILE_ON_CRASH	2
#define EXIT_KERNEL_LACKS	3

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		cannot("kexec: %s", path);
	return fd;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "now")) {
		reboot(RB_KEXEC);
		cannot("kexec: reboot");
	}
	if (argc != 5 || (strcmp(argv[1], "load") && strcmp(argv[1], "crash"))) {
		errno = 0;
		cannot("usage: kexec load|crash KERNEL INITRD COMMANDLINE | kexec now");
	}
	if (!syscall(SYS_kexec_file_load, open_file(argv[2]), open_file(argv[3]), strlen(argv[4]) + 1, argv[4],
		     !strcmp(argv[1], "crash") ? FILE_ON_CRASH : 0))
		return EXIT_HOLDS;
	if (errno == ENOSYS)
		return EXIT_KERNEL_LACKS;
	cannot("kexec: load");
}

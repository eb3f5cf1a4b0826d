// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth - has the Nth allocation of one request to the kernel fail.
 *
 *   failnth [-a NS] N write FILE TEXT       writes TEXT to FILE
 *   failnth [-a NS] N up IF                 sets the interface up
 *   failnth [-a NS] N rings IF RX TX        sets the sizes of rings
 *   failnth [-a NS] N channels IF COMBINED  sets the number of queue pairs
 *
 * What the tool itself needs is there before the count begins: all allocations are the request's. Which kinds can fail is
 * set in debugfs, failslab and fail_page_alloc.
 *
 * Prints "hit" or "past" (there were fewer than N), then "0" or the error's name.
 * Exit: 0 whatever came of it, 2 the tool could not work.
 */
#include "util.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

struct request {
	int fd;			/* file or socket */
	const char *text;	/* to write; NULL: an ioctl */
	unsigned long ioctl;
	struct ifreq ifr;
	struct ethtool_ringparam rings;
	struct ethtool_channels channels;
};

static void usage(void)
{
	errno = 0;
	cannot("usage: failnth [-a NS] N write FILE TEXT | N up IF | N rings IF RX TX | N channels IF COMBINED");
}

static void ask(struct request *rq, void *what)
{
	rq->ioctl = SIOCETHTOOL;
	rq->ifr.ifr_data = what;
	if (ioctl(rq->fd, SIOCETHTOOL, &rq->ifr))
		cannot("%s: what is set", rq->ifr.ifr_name);
}

static void prepare(struct request *rq, int argc, char **argv)
{
	if (!strcmp(argv[0], "write") && argc == 3) {
		rq->text = argv[2];
		rq->fd = open(argv[1], O_WRONLY | O_CLOEXEC);
		if (rq->fd < 0)
			cannot("%s", argv[1]);
		return;
	}
	if (argc < 2 || strlen(argv[1]) >= IFNAMSIZ)
		usage();
	strcpy(rq->ifr.ifr_name, argv[1]);
	rq->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (rq->fd < 0)
		cannot("socket");

	if (!strcmp(argv[0], "up") && argc == 2) {
		if (ioctl(rq->fd, SIOCGIFFLAGS, &rq->ifr))
			cannot("%s: flags", argv[1]);
		rq->ioctl = SIOCSIFFLAGS;
		rq->ifr.ifr_flags |= IFF_UP;
	} else if (!strcmp(argv[0], "rings") && argc == 4) {
		rq->rings.cmd = ETHTOOL_GRINGPARAM;
		ask(rq, &rq->rings);
		rq->rings.cmd = ETHTOOL_SRINGPARAM;
		rq->rings.rx_pending = (uint32_t)number(argv[2]);
		rq->rings.tx_pending = (uint32_t)number(argv[3]);
	} else if (!strcmp(argv[0], "channels") && argc == 3) {
		rq->channels.cmd = ETHTOOL_GCHANNELS;
		ask(rq, &rq->channels);
		rq->channels.cmd = ETHTOOL_SCHANNELS;
		rq->channels.combined_count = (uint32_t)number(argv[2]);
	} else {
		usage();
	}
}

static int perform(const struct request *rq)
{
	ssize_t rc;

	if (rq->text)
		rc = write(rq->fd, rq->text, strlen(rq->text));
	else
		rc = ioctl(rq->fd, rq->ioctl, &rq->ifr);
	return rc < 0 ? errno : 0;
}

int main(int argc, char **argv)
{
	struct request rq = { .fd = -1 };
	char count[16], left[16] = "";
	int opt, nth, err;
	size_t len;

	while ((opt = getopt(argc, argv, "+a:")) != -1) {
		if (opt != 'a')
			usage();
		enter_ns(optarg);
	}
	argc -= optind;
	argv += optind;
	if (argc < 3)
		usage();
	nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth < 0)
		cannot("fail-nth");
	len = (size_t)snprintf(count, sizeof(count), "%llu", number(argv[0]));
	prepare(&rq, argc - 1, argv + 1);

	if (pwrite(nth, count, len, 0) < 0)
		cannot("fail-nth: %s", count);
	err = perform(&rq);
	if (pread(nth, left, sizeof(left) - 1, 0) <= 0)
		cannot("fail-nth");
	if (pwrite(nth, "0", 1, 0) < 0)
		cannot("fail-nth: 0");
	printf("%s %s\n", strtoul(left, NULL, 10) ? "past" : "hit", err ? strerror(err) : "0");
	return EXIT_HOLDS;
}

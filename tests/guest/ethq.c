// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethq - what the ethtool program cannot tell.
 *
 *   ethq [-n NS] carrier IF COUNT SECONDS
 *       waits for COUNT changes of the carrier and asks for speed and duplex at the very moment of each, as bonding
 *       does; prints "up speed=25000 duplex=full" or "down speed=unknown duplex=unknown". Exit 1 when time is over.
 *   ethq [-n NS] link IF
 *       prints the same line for the present state
 *   ethq [-n NS] dump IF BYTES
 *       asks the driver for registers and EEPROM dumps of up to BYTES bytes; must not crash; prints what it got
 */
#include "util.h"

#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static const char *name;
static int ctl;

static int ask(void *cmd)
{
	struct ifreq ifr = { 0 };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	ifr.ifr_data = cmd;
	return ioctl(ctl, SIOCETHTOOL, &ifr);
}

static void print_link(int up)
{
	struct { struct ethtool_link_settings s; __u32 masks[3 * 128]; } q;
	char speed[16] = "unknown";
	const char *duplex;

	memset(&q, 0, sizeof(q));
	q.s.cmd = ETHTOOL_GLINKSETTINGS;
	if (ask(&q))
		cannot("ethq: link settings of %s", name);
	/* The first call only tells how many words the masks have. */
	if (q.s.link_mode_masks_nwords < 0) {
		__s8 words = (__s8)-q.s.link_mode_masks_nwords;

		memset(&q, 0, sizeof(q));
		q.s.cmd = ETHTOOL_GLINKSETTINGS;
		q.s.link_mode_masks_nwords = words;
		if (ask(&q))
			cannot("ethq: link settings of %s", name);
	}
	if (q.s.speed != (__u32)SPEED_UNKNOWN && q.s.speed)
		snprintf(speed, sizeof(speed), "%u", q.s.speed);
	else if (!q.s.speed)
		snprintf(speed, sizeof(speed), "0");
	duplex = q.s.duplex == DUPLEX_FULL ? "full" : q.s.duplex == DUPLEX_HALF ? "half" : "unknown";
	printf("%s speed=%s duplex=%s\n", up ? "up" : "down", speed, duplex);
	fflush(stdout);
}

static int get_link(void)
{
	struct ethtool_value v = { .cmd = ETHTOOL_GLINK };

	if (ask(&v))
		cannot("ethq: link of %s", name);
	return !!v.data;
}

static int cmd_carrier(unsigned long long count, unsigned long long seconds)
{
	struct sockaddr_nl sa = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	uint64_t until = now_us() + seconds * 1000000;
	int nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), last, room = 4 << 20;
	unsigned long long seen = 0;
	static char buf[65536];

	if (nl < 0 || bind(nl, (struct sockaddr *)&sa, sizeof(sa)))
		cannot("ethq: netlink");
	setsockopt(nl, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	last = get_link();
	printf("start ");
	print_link(last);
	while (seen < count) {
		struct pollfd pfd = { .fd = nl, .events = POLLIN };
		uint64_t now = now_us();
		struct nlmsghdr *nh;
		ssize_t n;
		int len;

		if (now >= until || poll(&pfd, 1, (int)((until - now) / 1000 + 1)) < 0)
			return EXIT_BROKEN;
		n = recv(nl, buf, sizeof(buf), MSG_DONTWAIT);
		if (n < 0)
			continue;
		for (nh = (struct nlmsghdr *)buf, len = (int)n; NLMSG_OK(nh, (unsigned int)len); nh = NLMSG_NEXT(nh, len)) {
			struct ifinfomsg *ifi = NLMSG_DATA(nh);
			struct rtattr *rta = IFLA_RTA(ifi);
			int left = (int)IFLA_PAYLOAD(nh), ours = 0, up;

			if (nh->nlmsg_type != RTM_NEWLINK)
				continue;
			for (; RTA_OK(rta, left); rta = RTA_NEXT(rta, left))
				if (rta->rta_type == IFLA_IFNAME)
					ours = !strcmp(RTA_DATA(rta), name);
			up = !!(ifi->ifi_flags & IFF_LOWER_UP);
			if (!ours || up == last)
				continue;
			last = up;
			seen++;
			print_link(up);
		}
	}
	return EXIT_HOLDS;
}

static int cmd_dump(unsigned long long bytes)
{
	struct ethtool_regs *regs = calloc(1, sizeof(*regs) + bytes);
	struct ethtool_eeprom *eep = calloc(1, sizeof(*eep) + bytes);

	if (!regs || !eep)
		cannot("ethq: memory");
	regs->cmd = ETHTOOL_GREGS;
	regs->len = (__u32)bytes;
	printf("regs %s %u\n", ask(regs) ? strerror(errno) : "ok", regs->len);
	eep->cmd = ETHTOOL_GEEPROM;
	eep->len = (__u32)bytes;
	printf("eeprom %s %u\n", ask(eep) ? strerror(errno) : "ok", eep->len);
	return EXIT_HOLDS;
}

int main(int argc, char **argv)
{
	const char *ns = NULL;
	int opt;

	while ((opt = getopt(argc, argv, "+n:")) != -1) {
		if (opt != 'n')
			break;
		ns = optarg;
	}
	argc -= optind;
	argv += optind;
	enter_ns(ns);
	ctl = socket(AF_INET, SOCK_DGRAM, 0);
	if (ctl < 0)
		cannot("ethq: socket");
	if (argc > 1)
		name = argv[1];
	if (argc == 4 && !strcmp(argv[0], "carrier"))
		return cmd_carrier(number(argv[2]), number(argv[3]));
	if (argc == 2 && !strcmp(argv[0], "link")) {
		print_link(get_link());
		return EXIT_HOLDS;
	}
	if (argc == 3 && !strcmp(argv[0], "dump"))
		return cmd_dump(number(argv[2]));
	errno = 0;
	cannot("usage: ethq [-n NS] carrier IF COUNT SECONDS | link IF | dump IF BYTES");
}

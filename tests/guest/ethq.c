// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethq - what the ethtool program cannot tell.
 *
 *   ethq [-n NS] carrier IF COUNT SECONDS
 *       waits for COUNT changes of the carrier and asks for speed and duplex at the very moment of each, as bonding
 *       does; prints "up speed=25000 duplex=full" or "down speed=unknown duplex=unknown". Exit 1 when time is over.
 *   ethq [-n NS] link IF
 *       prints the same line for the present state
 *   ethq [-n NS] downs IF
 *       prints the link-down counter (ETHTOOL_MSG_LINKSTATE_GET with statistics); exit 1 if the kernel or the driver has none
 *   ethq [-n NS] stamps IF
 *       prints the statistics of sent time stamps (ETHTOOL_MSG_TSINFO_GET with statistics), "pkts=N lost=N err=N"; exit 1 if
 *       the kernel or the driver has none
 *   ethq [-n NS] split IF [on|off]
 *       prints whether headers of received frames are split from data, "on", "off" or "unknown", or sets it. A refusal
 *       prints what the kernel said and is exit 1; exit 3 if this kernel cannot be asked for it
 *   ethq [-n NS] module IF HEX
 *       reads the module's memory as one file in pieces of many offsets and lengths and compares each with HEX, which is
 *       what a whole read must give; pieces beyond the end must be refused with EINVAL
 *   ethq [-n NS] info IF
 *       prints type and length of the module's memory as a file
 *   ethq [-n NS] dump IF BYTES
 *       asks the driver for registers and EEPROM dumps of up to BYTES bytes; must not crash; prints what it got
 *   ethq [-n NS] eeprom IF OFFSET LENGTH
 *       reads part of the EEPROM as told, without the checks of the ethtool program; prints "ok" or the error; exit 1 then
 *   ethq [-n NS] private IF
 *       asks for each of the sixteen private ioctls; prints how many are not refused as unknown; exit 1 if there is one
 *   ethq [-n NS] rules IF COUNT PORT QUEUE
 *       inserts COUNT flow rules, UDP over IPv4 to ports PORT, PORT + 1, ... at locations 0, 1, ...; prints how long one of
 *       the first and of the last eighth took, "first=US last=US"; with QUEUE "none" it deletes locations 0 to COUNT - 1
 *   ethq [-n NS] table IF
 *       prints the number of flow rules and of locations, "rules=N size=N special=0|1"
 */
#include "util.h"

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/if.h>
#include <linux/netlink.h>
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

static int cmd_eeprom(unsigned long long offset, unsigned long long len)
{
	struct ethtool_eeprom *eep = calloc(1, sizeof(*eep) + len);
	int err;

	if (!eep)
		cannot("ethq: memory");
	eep->cmd = ETHTOOL_GEEPROM;
	eep->offset = (__u32)offset;
	eep->len = (__u32)len;
	err = ask(eep);
	puts(err ? strerror(errno) : "ok");
	return err ? EXIT_BROKEN : EXIT_HOLDS;
}

/* ---- flow rules ----------------------------------------------------------------------------------------------------- */

static int cmd_rules(unsigned int count, unsigned int port, const char *queue)
{
	unsigned int i, eighth = count / 8 ? count / 8 : 1;
	int insert = strcmp(queue, "none") != 0;
	uint64_t took[2] = { 0, 0 };

	for (i = 0; i < count; i++) {
		struct ethtool_rxnfc q = { .cmd = insert ? ETHTOOL_SRXCLSRLINS : ETHTOOL_SRXCLSRLDEL };
		uint64_t start = now_us();

		q.fs.location = i;
		if (insert) {
			q.fs.flow_type = UDP_V4_FLOW;
			q.fs.h_u.udp_ip4_spec.pdst = htons((uint16_t)(port + i));
			q.fs.m_u.udp_ip4_spec.pdst = 0xffff;
			q.fs.ring_cookie = number(queue);
		}
		if (ask(&q)) {
			printf("rule %u: %s\n", i, strerror(errno));
			return EXIT_BROKEN;
		}
		if (i < eighth)
			took[0] += now_us() - start;
		if (i >= count - eighth)
			took[1] += now_us() - start;
	}
	printf("first=%llu last=%llu\n", (unsigned long long)took[0] / eighth, (unsigned long long)took[1] / eighth);
	return EXIT_HOLDS;
}

static int cmd_table(void)
{
	struct ethtool_rxnfc q = { .cmd = ETHTOOL_GRXCLSRLCNT };

	if (ask(&q))
		cannot("ethq: rules of %s", name);
	printf("rules=%u size=%llu special=%d\n", q.rule_cnt, (unsigned long long)(q.data & ~(__u64)RX_CLS_LOC_SPECIAL),
	       !!(q.data & RX_CLS_LOC_SPECIAL));
	return EXIT_HOLDS;
}

/* ---- generic netlink ------------------------------------------------------------------------------------------------ */

#ifndef ETHTOOL_A_LINKSTATE_EXT_DOWN_CNT
#define ETHTOOL_A_LINKSTATE_EXT_DOWN_CNT 7
#endif
#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif
/* In the header since 5.18 only, as an enumerator. */
#define ETHTOOL_A_RINGS_TCP_DATA_SPLIT 11

static char msg[8192];

static struct nlattr *put_attr(struct nlmsghdr *nh, int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)((char *)nh + NLMSG_ALIGN(nh->nlmsg_len));

	a->nla_type = (uint16_t)type;
	a->nla_len = (uint16_t)(NLA_HDRLEN + len);
	if (len)
		memcpy((char *)a + NLA_HDRLEN, data, len);
	nh->nlmsg_len = NLMSG_ALIGN(nh->nlmsg_len) + NLA_ALIGN(a->nla_len);
	return a;
}

static struct nlmsghdr *new_msg(int family, int cmd)
{
	struct nlmsghdr *nh = (struct nlmsghdr *)msg;
	struct genlmsghdr *gh = NLMSG_DATA(nh);

	memset(msg, 0, sizeof(msg));
	nh->nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	nh->nlmsg_type = (uint16_t)family;
	nh->nlmsg_flags = NLM_F_REQUEST;
	gh->cmd = (uint8_t)cmd;
	gh->version = 1;
	return nh;
}

/* Sends msg, puts the answer there; false on an error answer. */
static int talk(int nl)
{
	struct nlmsghdr *nh = (struct nlmsghdr *)msg;
	ssize_t n;

	if (send(nl, msg, nh->nlmsg_len, 0) < 0)
		cannot("ethq: send");
	n = recv(nl, msg, sizeof(msg), 0);
	if (n < (ssize_t)NLMSG_LENGTH(GENL_HDRLEN))
		cannot("ethq: short answer");
	return nh->nlmsg_type != NLMSG_ERROR;
}

static const struct nlattr *get_attr(int type)
{
	const struct nlmsghdr *nh = (const struct nlmsghdr *)msg;
	const char *at = msg + NLMSG_LENGTH(GENL_HDRLEN), *end = msg + nh->nlmsg_len;

	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *a = (const struct nlattr *)at;

		if ((a->nla_type & NLA_TYPE_MASK) == type)
			return a;
		if (a->nla_len < NLA_HDRLEN)
			break;
		at += NLA_ALIGN(a->nla_len);
	}
	return NULL;
}

static const void *payload(const struct nlattr *a) { return (const char *)a + NLA_HDRLEN; }

/* Number of the family, or -1 where ethtool does not speak netlink. */
static int find_family(int nl)
{
	const struct nlattr *a;
	struct nlmsghdr *nh;
	uint16_t family;

	if (nl < 0)
		cannot("ethq: netlink");
	nh = new_msg(GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	put_attr(nh, CTRL_ATTR_FAMILY_NAME, "ethtool", sizeof("ethtool"));
	a = talk(nl) ? get_attr(CTRL_ATTR_FAMILY_ID) : NULL;
	if (!a)
		return -1;
	memcpy(&family, payload(a), sizeof(family));
	return family;
}

/* The first attribute of each request: the interface. */
static void put_header(struct nlmsghdr *nh, uint32_t flags)
{
	struct nlattr *nest = put_attr(nh, ETHTOOL_A_LINKSTATE_HEADER | NLA_F_NESTED, NULL, 0);

	put_attr(nh, ETHTOOL_A_HEADER_DEV_NAME, name, strlen(name) + 1);
	if (flags)
		put_attr(nh, ETHTOOL_A_HEADER_FLAGS, &flags, sizeof(flags));
	nest->nla_len = (uint16_t)((char *)nh + nh->nlmsg_len - (char *)nest);
}

/* Asks with ETHTOOL_FLAG_STATS. Return: what get_attr() found; NULL if the kernel or the driver has nothing to say */
static const struct nlattr *ask_stats(uint8_t cmd, uint16_t attr)
{
	int nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	int family = find_family(nl);

	if (family < 0)
		return NULL;
	put_header(new_msg(family, cmd), 4 /* ETHTOOL_FLAG_STATS */);
	return talk(nl) ? get_attr(attr) : NULL;
}

static int cmd_downs(void)
{
	const struct nlattr *a = ask_stats(ETHTOOL_MSG_LINKSTATE_GET, ETHTOOL_A_LINKSTATE_EXT_DOWN_CNT);
	uint32_t count;

	if (!a)
		return EXIT_BROKEN;
	memcpy(&count, payload(a), sizeof(count));
	printf("%u\n", count);
	return EXIT_HOLDS;
}

/* Newer than the headers this may be compiled with. */
#define A_TSINFO_STATS	6
#define A_TS_STAT_PKTS	1
#define A_TS_STAT_ERR	3

static int cmd_stamps(void)
{
	static const char *const names[] = { "pkts", "lost", "err" };
	const struct nlattr *nest = ask_stats(ETHTOOL_MSG_TSINFO_GET, A_TSINFO_STATS);
	const char *at, *end;
	int found = 0;

	if (!nest)
		return EXIT_BROKEN;
	end = (const char *)nest + nest->nla_len;
	for (at = (const char *)nest + NLA_HDRLEN; at + NLA_HDRLEN <= end; ) {
		const struct nlattr *a = (const void *)at;
		unsigned int type = a->nla_type & NLA_TYPE_MASK;
		uint64_t value = 0;

		if (a->nla_len < NLA_HDRLEN || at + a->nla_len > end)
			return EXIT_BROKEN;
		/* An unsigned number of 4 or 8 bytes, little endian here. */
		if (type >= A_TS_STAT_PKTS && type <= A_TS_STAT_ERR && a->nla_len - NLA_HDRLEN <= (int)sizeof(value)) {
			memcpy(&value, at + NLA_HDRLEN, a->nla_len - NLA_HDRLEN);
			printf("%s%s=%llu", found++ ? " " : "", names[type - A_TS_STAT_PKTS], (unsigned long long)value);
		}
		at += NLA_ALIGN(a->nla_len);
	}
	if (found)
		printf("\n");
	return found ? EXIT_HOLDS : EXIT_BROKEN;
}

/* What the kernel says of a refused request: errno, and text if there is any. */
static int refused(void)
{
	const struct nlmsghdr *nh = (const struct nlmsghdr *)msg;
	const struct nlmsgerr *e = NLMSG_DATA(nh);
	const char *at = msg + NLMSG_LENGTH(sizeof(*e)), *end = msg + nh->nlmsg_len;

	if (!(nh->nlmsg_flags & NLM_F_CAPPED))
		at += NLMSG_ALIGN(e->msg.nlmsg_len - NLMSG_HDRLEN);
	printf("%s", strerror(-e->error));
	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *a = (const struct nlattr *)at;

		if ((a->nla_type & NLA_TYPE_MASK) == NLMSGERR_ATTR_MSG)
			printf(": %s", (const char *)payload(a));
		if (a->nla_len < NLA_HDRLEN)
			break;
		at += NLA_ALIGN(a->nla_len);
	}
	printf("\n");
	return e->error;
}

static int cmd_split(const char *value)
{
	static const char *const names[] = { "unknown", "off", "on" };
	int nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC), one = 1;
	int family = find_family(nl);
	const struct nlattr *a;
	struct nlmsghdr *nh;
	uint8_t split;

	if (family < 0)
		return 3;
	if (value) {
		setsockopt(nl, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
		nh = new_msg(family, ETHTOOL_MSG_RINGS_SET);
		nh->nlmsg_flags |= NLM_F_ACK;
		put_header(nh, 0);
		split = !strcmp(value, "on") ? 2 : 1;
		put_attr(nh, ETHTOOL_A_RINGS_TCP_DATA_SPLIT, &split, sizeof(split));
		/* The acknowledgement is an error message with error 0. */
		if (talk(nl) || !((struct nlmsgerr *)NLMSG_DATA((struct nlmsghdr *)msg))->error)
			return EXIT_HOLDS;
		return refused() ? EXIT_BROKEN : EXIT_HOLDS;
	}
	put_header(new_msg(family, ETHTOOL_MSG_RINGS_GET), 0);
	a = talk(nl) ? get_attr(ETHTOOL_A_RINGS_TCP_DATA_SPLIT) : NULL;
	if (!a)
		return 3;
	memcpy(&split, payload(a), sizeof(split));
	printf("%s\n", split < 3 ? names[split] : "?");
	return EXIT_HOLDS;
}

/* ---- module memory ------------------------------------------------------------------------------------------------- */

static int module_info(struct ethtool_modinfo *info)
{
	memset(info, 0, sizeof(*info));
	info->cmd = ETHTOOL_GMODULEINFO;
	return ask(info) ? errno : 0;
}

static int module_read(unsigned int offset, unsigned int len, uint8_t *data)
{
	static struct { struct ethtool_eeprom e; uint8_t data[4096]; } q;

	memset(&q, 0xa5, sizeof(q));
	q.e.cmd = ETHTOOL_GMODULEEEPROM;
	q.e.offset = offset;
	q.e.len = len;
	if (ask(&q))
		return errno;
	memcpy(data, q.e.data, len);
	return 0;
}

static int module_piece(const uint8_t *whole, unsigned int size, unsigned int offset, unsigned int len)
{
	uint8_t data[4096];
	unsigned int i;
	int err;

	err = module_read(offset, len, data);
	if (err) {
		printf("offset %u length %u: %s\n", offset, len, strerror(err));
		return 0;
	}
	if (offset + len > size) {
		printf("offset %u length %u: beyond the end (%u), not refused\n", offset, len, size);
		return 0;
	}
	for (i = 0; i < len; i++)
		if (data[i] != whole[offset + i]) {
			printf("offset %u length %u: byte %u is %02x, not %02x\n", offset, len, i, data[i],
			       whole[offset + i]);
			return 0;
		}
	return 1;
}

static int cmd_module(const char *hex)
{
	static const unsigned int lens[] = { 2, 3, 127, 128, 129, 255, 256, 257 };
	unsigned int size = (unsigned int)strlen(hex) / 2, offset, i, reads = 0;
	static uint8_t whole[4096], junk[4096];
	struct ethtool_modinfo info;
	int err;

	if (size > sizeof(whole))
		cannot("ethq: too long");
	for (i = 0; i < size; i++) {
		unsigned int byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			cannot("ethq: not hex");
		whole[i] = (uint8_t)byte;
	}
	err = module_info(&info);
	if (err) {
		printf("info: %s\n", strerror(err));
		return EXIT_BROKEN;
	}
	if (info.eeprom_len != size) {
		printf("%u bytes, not %u\n", info.eeprom_len, size);
		return EXIT_BROKEN;
	}
	if (!module_piece(whole, size, 0, size))
		return EXIT_BROKEN;
	for (offset = 0; offset < size; offset += offset % 128 > 2 && offset % 128 < 125 ? 7 : 1) {
		if (!module_piece(whole, size, offset, 1) || !module_piece(whole, size, offset, size - offset))
			return EXIT_BROKEN;
		for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
			/* The middle of a half is like any other place in it. */
			if (offset + lens[i] > size || (offset % 128 > 2 && offset % 128 < 125))
				continue;
			if (!module_piece(whole, size, offset, lens[i]))
				return EXIT_BROKEN;
			reads++;
		}
		reads += 2;
	}
	/* The kernel itself checks, too, but not on every release. */
	if (module_read(size, 1, junk) != EINVAL || module_read(size - 1, 2, junk) != EINVAL) {
		printf("reads beyond the end are not refused\n");
		return EXIT_BROKEN;
	}
	printf("%u bytes, %u reads\n", size, reads);
	return EXIT_HOLDS;
}

static int cmd_private(void)
{
	unsigned char data[4096];
	struct ifreq ifr = { 0 };
	int taken = 0;

	for (int i = 0; i < 16; i++) {
		memset(data, 0xff, sizeof(data));
		snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
		ifr.ifr_data = (void *)data;
		if (!ioctl(ctl, SIOCDEVPRIVATE + i, &ifr) || (errno != EOPNOTSUPP && errno != ENOTTY && errno != EINVAL))
			taken++;
	}
	printf("%d\n", taken);
	return taken ? EXIT_BROKEN : EXIT_HOLDS;
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
	if (argc == 2 && !strcmp(argv[0], "downs"))
		return cmd_downs();
	if (argc == 2 && !strcmp(argv[0], "stamps"))
		return cmd_stamps();
	if ((argc == 2 || argc == 3) && !strcmp(argv[0], "split"))
		return cmd_split(argc == 3 ? argv[2] : NULL);
	if (argc == 3 && !strcmp(argv[0], "module"))
		return cmd_module(argv[2]);
	if (argc == 2 && !strcmp(argv[0], "info")) {
		struct ethtool_modinfo info;
		int err = module_info(&info);

		printf("%s type=%u length=%u\n", err ? strerror(err) : "ok", info.type, info.eeprom_len);
		return err ? EXIT_BROKEN : EXIT_HOLDS;
	}
	if (argc == 2 && !strcmp(argv[0], "private"))
		return cmd_private();
	if (argc == 3 && !strcmp(argv[0], "dump"))
		return cmd_dump(number(argv[2]));
	if (argc == 4 && !strcmp(argv[0], "eeprom"))
		return cmd_eeprom(number(argv[2]), number(argv[3]));
	if (argc == 5 && !strcmp(argv[0], "rules"))
		return cmd_rules((unsigned int)number(argv[2]), (unsigned int)number(argv[3]), argv[4]);
	if (argc == 2 && !strcmp(argv[0], "table"))
		return cmd_table();
	errno = 0;
	cannot("usage: ethq [-n NS] carrier IF COUNT SECONDS | link IF | downs IF | stamps IF | split IF [on|off] | module IF HEX | info IF | dump IF BYTES | eeprom IF OFFSET LENGTH | private IF | rules IF COUNT PORT QUEUE | table IF");
}

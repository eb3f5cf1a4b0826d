// SPDX-License-Identifier: GPL-2.0-only
/*
 * netdevq - what the kernel's "netdev" family tells of queues and NAPI instances.
 *
 *   netdevq [-n NS] -i IF queues   a line for each queue: "rx 0 napi 513", or without napi
 *   netdevq [-n NS] -i IF napis    a line for each NAPI instance: "napi 513 irq 27 defer 0 flush 0 suspend 0"; what there is
 *   netdevq [-n NS] -i IF stats    a line for each queue: "rx 0 packets 12 bytes 840 alloc_fail 0 csum_bad 0",
 *                                  "tx 0 packets 9 bytes 630 wake 0"
 *   netdevq [-n NS] -i IF total    one line for the port: "rx_packets 12 ... tx_packets 9 ..."
 *   netdevq [-n NS] -i IF defer NAPI TIMES NS [SUSPEND]  lets the instance defer its interrupt so often, for so long, and
 *                                  suspend it for as long as told while an application polls
 *
 * Exit 0 with at least one line, 1 without any, 3 when the kernel does not know the family or the command.
 */
#include "util.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <sys/socket.h>

#define EXIT_KERNEL_LACKS	3

/* linux/netdev.h of newer kernels */
enum { CMD_QUEUE_GET = 10, CMD_NAPI_GET = 11, CMD_QSTATS_GET = 12, CMD_NAPI_SET = 14 };
enum { QUEUE_ID = 1, QUEUE_IFINDEX, QUEUE_TYPE, QUEUE_NAPI_ID };
enum { NAPI_IFINDEX = 1, NAPI_ID, NAPI_IRQ, NAPI_PID, NAPI_DEFER, NAPI_FLUSH, NAPI_SUSPEND };
enum { QSTATS_IFINDEX = 1, QSTATS_TYPE, QSTATS_ID, QSTATS_SCOPE };
enum { QSTATS_RX_PACKETS = 8, QSTATS_RX_BYTES, QSTATS_TX_PACKETS, QSTATS_TX_BYTES, QSTATS_RX_ALLOC_FAIL,
       QSTATS_RX_CSUM_BAD = 18, QSTATS_TX_HW_GSO_PACKETS = 28, QSTATS_TX_HW_GSO_WIRE_PACKETS = 30, QSTATS_TX_WAKE = 34 };
#define NR_ATTRS	64

struct request {
	struct nlmsghdr n;
	struct genlmsghdr g;
	char room[128];
};

static uint32_t ifindex;
static int nl;

static void put(struct request *req, int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)((char *)req + NLMSG_ALIGN(req->n.nlmsg_len));

	a->nla_type = (uint16_t)type;
	a->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memcpy((char *)a + NLA_HDRLEN, data, len);
	req->n.nlmsg_len = NLMSG_ALIGN(req->n.nlmsg_len) + NLA_ALIGN(a->nla_len);
}

static void begin(struct request *req, uint16_t family, uint8_t cmd, uint16_t flags)
{
	memset(req, 0, sizeof(*req));
	req->n.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	req->n.nlmsg_type = family;
	req->n.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	req->g.cmd = cmd;
	req->g.version = 1;
}

/* Attributes by type; a number has 4 or 8 bytes. */
static void split(const struct nlmsghdr *n, const struct nlattr **attrs)
{
	const char *at = (const char *)n + NLMSG_LENGTH(GENL_HDRLEN), *end = (const char *)n + n->nlmsg_len;

	memset(attrs, 0, NR_ATTRS * sizeof(*attrs));
	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *a = (const struct nlattr *)at;

		if (a->nla_len < NLA_HDRLEN)
			break;
		if ((a->nla_type & NLA_TYPE_MASK) < NR_ATTRS)
			attrs[a->nla_type & NLA_TYPE_MASK] = a;
		at += NLA_ALIGN(a->nla_len);
	}
}

static unsigned long long value(const struct nlattr *a)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (a->nla_len == NLA_HDRLEN + sizeof(wide)) {
		memcpy(&wide, (const char *)a + NLA_HDRLEN, sizeof(wide));
		return wide;
	}
	if (a->nla_len == NLA_HDRLEN + sizeof(narrow))
		memcpy(&narrow, (const char *)a + NLA_HDRLEN, sizeof(narrow));
	return narrow;
}

static void show(const char *name, const struct nlattr *a)
{
	if (a)
		printf(" %s %llu", name, value(a));
}

static void show_queue(const struct nlattr **a)
{
	if (!a[QUEUE_ID] || !a[QUEUE_TYPE])
		cannot("netdevq: a queue without type or number");
	printf("%s %llu", value(a[QUEUE_TYPE]) ? "tx" : "rx", value(a[QUEUE_ID]));
	show("napi", a[QUEUE_NAPI_ID]);
}

static void show_napi(const struct nlattr **a)
{
	if (!a[NAPI_ID])
		cannot("netdevq: a NAPI instance without a number");
	printf("napi %llu", value(a[NAPI_ID]));
	show("irq", a[NAPI_IRQ]);
	show("defer", a[NAPI_DEFER]);
	show("flush", a[NAPI_FLUSH]);
	show("suspend", a[NAPI_SUSPEND]);
}

static void show_stats(const struct nlattr **a)
{
	int whole = !a[QSTATS_TYPE] || !a[QSTATS_ID];
	int tx = !whole && value(a[QSTATS_TYPE]);

	if (whole)
		printf("port");
	else
		printf("%s %llu", tx ? "tx" : "rx", value(a[QSTATS_ID]));
	if (whole || !tx) {
		show(whole ? "rx_packets" : "packets", a[QSTATS_RX_PACKETS]);
		show(whole ? "rx_bytes" : "bytes", a[QSTATS_RX_BYTES]);
		show(whole ? "rx_alloc_fail" : "alloc_fail", a[QSTATS_RX_ALLOC_FAIL]);
		show(whole ? "rx_csum_bad" : "csum_bad", a[QSTATS_RX_CSUM_BAD]);
	}
	if (whole || tx) {
		show(whole ? "tx_packets" : "packets", a[QSTATS_TX_PACKETS]);
		show(whole ? "tx_bytes" : "bytes", a[QSTATS_TX_BYTES]);
		show(whole ? "tx_wake" : "wake", a[QSTATS_TX_WAKE]);
		show(whole ? "tx_gso" : "gso", a[QSTATS_TX_HW_GSO_PACKETS]);
		show(whole ? "tx_gso_wire" : "gso_wire", a[QSTATS_TX_HW_GSO_WIRE_PACKETS]);
	}
}

static int dump(struct request *req, int ifindex_attr, void (*show_one)(const struct nlattr **attrs))
{
	static char buf[65536];
	const struct nlattr *attrs[NR_ATTRS];
	unsigned int lines = 0;

	if (send(nl, req, req->n.nlmsg_len, 0) < 0)
		cannot("netdevq: send");
	for (;;) {
		struct nlmsghdr *n = (struct nlmsghdr *)buf;
		ssize_t got = recv(nl, buf, sizeof(buf), 0);
		unsigned int left;

		if (got < 0)
			cannot("netdevq: receive");
		for (left = (unsigned int)got; NLMSG_OK(n, left); n = NLMSG_NEXT(n, left)) {
			if (n->nlmsg_type == NLMSG_ERROR) {
				int err = -((struct nlmsgerr *)NLMSG_DATA(n))->error;

				fprintf(stderr, "netdevq: %s\n", strerror(err));
				return err == EOPNOTSUPP ? EXIT_KERNEL_LACKS : EXIT_BROKEN;
			}
			if (n->nlmsg_type == NLMSG_DONE)
				return lines ? EXIT_HOLDS : EXIT_BROKEN;
			split(n, attrs);
			/* Some kernels do not select. */
			if (!attrs[ifindex_attr] || value(attrs[ifindex_attr]) != ifindex)
				continue;
			show_one(attrs);
			printf("\n");
			lines++;
		}
	}
}

static int family_id(uint16_t *family)
{
	const struct nlattr *attrs[NR_ATTRS];
	static char buf[8192];
	struct request req;

	begin(&req, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(&req, CTRL_ATTR_FAMILY_NAME, "netdev", 7);
	if (send(nl, &req, req.n.nlmsg_len, 0) < 0 || recv(nl, buf, sizeof(buf), 0) < (ssize_t)sizeof(struct nlmsghdr))
		cannot("netdevq: family");
	if (((struct nlmsghdr *)buf)->nlmsg_type == NLMSG_ERROR)
		return -1;
	split((struct nlmsghdr *)buf, attrs);
	if (!attrs[CTRL_ATTR_FAMILY_ID])
		return -1;
	memcpy(family, (const char *)attrs[CTRL_ATTR_FAMILY_ID] + NLA_HDRLEN, sizeof(*family));
	return 0;
}

/* The answer to a request that changes something. */
static int acknowledged(struct request *req)
{
	static char buf[8192];
	struct nlmsghdr *n = (struct nlmsghdr *)buf;
	int err;

	if (send(nl, req, req->n.nlmsg_len, 0) < 0 || recv(nl, buf, sizeof(buf), 0) < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)))
		cannot("netdevq: request");
	err = n->nlmsg_type == NLMSG_ERROR ? -((struct nlmsgerr *)NLMSG_DATA(n))->error : EPROTO;
	if (err)
		fprintf(stderr, "netdevq: %s\n", strerror(err));
	return !err ? EXIT_HOLDS : err == EOPNOTSUPP ? EXIT_KERNEL_LACKS : EXIT_BROKEN;
}

static int cmd_defer(uint16_t family, char **argv, int argc)
{
	uint32_t id = (uint32_t)number(argv[0]), times = (uint32_t)number(argv[1]);
	uint64_t flush = (uint64_t)number(argv[2]), suspend = argc > 3 ? (uint64_t)number(argv[3]) : 0;
	struct request req;

	begin(&req, family, CMD_NAPI_SET, NLM_F_ACK);
	put(&req, NAPI_ID, &id, sizeof(id));
	put(&req, NAPI_DEFER, &times, sizeof(times));
	put(&req, NAPI_FLUSH, &flush, sizeof(flush));
	put(&req, NAPI_SUSPEND, &suspend, sizeof(suspend));
	return acknowledged(&req);
}

int main(int argc, char **argv)
{
	const char *ns = NULL, *name = NULL, *what;
	struct request req;
	uint16_t family;
	uint64_t scope = 1;	/* single queues */
	int opt;

	while ((opt = getopt(argc, argv, "n:i:")) != -1) {
		switch (opt) {
		case 'n': ns = optarg; break;
		case 'i': name = optarg; break;
		default: optind = argc + 1; break;
		}
	}
	if (!name || optind >= argc ||
	    (strcmp(argv[optind], "defer") ? optind != argc - 1 : argc - optind < 4 || argc - optind > 5)) {
		errno = 0;
		cannot("usage: netdevq [-n NS] -i IF queues|napis|stats|total|defer NAPI TIMES NS [SUSPEND]");
	}
	what = argv[optind];
	enter_ns(ns);
	ifindex = if_nametoindex(name);
	if (!ifindex)
		cannot("netdevq: %s", name);
	nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (nl < 0)
		cannot("netdevq: netlink");
	if (family_id(&family))
		return EXIT_KERNEL_LACKS;

	if (!strcmp(what, "queues")) {
		begin(&req, family, CMD_QUEUE_GET, NLM_F_DUMP);
		put(&req, QUEUE_IFINDEX, &ifindex, sizeof(ifindex));
		return dump(&req, QUEUE_IFINDEX, show_queue);
	}
	if (!strcmp(what, "napis")) {
		begin(&req, family, CMD_NAPI_GET, NLM_F_DUMP);
		put(&req, NAPI_IFINDEX, &ifindex, sizeof(ifindex));
		return dump(&req, NAPI_IFINDEX, show_napi);
	}
	if (!strcmp(what, "defer"))
		return cmd_defer(family, argv + optind + 1, argc - optind - 1);
	begin(&req, family, CMD_QSTATS_GET, NLM_F_DUMP);
	put(&req, QSTATS_IFINDEX, &ifindex, sizeof(ifindex));
	if (!strcmp(what, "stats"))
		put(&req, QSTATS_SCOPE, &scope, sizeof(scope));
	else if (strcmp(what, "total"))
		cannot("netdevq: %s?", what);
	return dump(&req, QSTATS_IFINDEX, show_stats);
}

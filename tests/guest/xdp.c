// SPDX-License-Identifier: GPL-2.0-only
/*
 * xdp - attaches XDP programs to an interface and looks at what they do to frames.
 *
 *   xdp [-a NS] -i IF [-l LEN] [-t MS] COMMAND ...
 *
 *   attach VERDICT [WORD...]  attaches a program in native mode, in place of any other. It applies VERDICT (pass, drop, tx,
 *                        aborted, redirect:IF, or a number) to frames of ethertype 88b5 and passes all others.
 *                        "tx" swaps the addresses, "redirect" makes the ethertype 88b6 first. Words: "all" all frames,
 *                        "frags" a program for frames of several buffers, "tail=N" N bytes more (less) at the end.
 *                        A refusal prints what the kernel said
 *   detach               takes it away
 *   hints QUEUES COUNT   attaches a program that asks for the hash of each frame, and waits for COUNT of them that have one;
 *                        prints "hashed=N type=T" with the type of the last one. The hash must lead to the queue that the
 *                        frame came on: its low 7 bits, modulo QUEUES
 *   vlanhint TPID TCI COUNT  the same for the tag the device took out: COUNT frames must have exactly this one, and none
 *                        another; prints "tagged=N"
 *   churn COUNT          COUNT times: attach, replace, detach; all programs pass everything
 *   features             prints the net_device's XDP features, comma separated, as netdev-genl tells them
 *   echo MIN MAX STEP    sends frames of MIN..MAX bytes to -D and takes each back with its addresses swapped, byte for byte
 *   send COUNT SIZE      COUNT frames of SIZE bytes to -D
 *   catch COUNT          waits for COUNT frames of "send" that were redirected; prints "caught=N"
 *   take COUNT           the same for frames that were not
 *                        Both take care of the order, unless -n is given
 *
 *   -D MAC   address to send to (broadcast)
 *   -n       frames may come in any order
 *   -g       generic mode in place of native, for attach and detach
 *   -l N     bytes that "echo" expects more (less) than it sent, zeros
 *   -t MS    longest wait for a frame (2000)
 *
 * Programs are written out in instructions: no compiler is needed, and they load on every kernel.
 * Exit: 0 it is so, 1 it is not (a refusal, too), 2 the tool could not work, 3 the kernel has no such programs.
 */
#include "packet.h"
#include "util.h"

#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/genetlink.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stddef.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef BPF_F_XDP_HAS_FRAGS
#define BPF_F_XDP_HAS_FRAGS (1U << 5)
#endif

#ifndef BPF_F_XDP_DEV_BOUND_ONLY
#define BPF_F_XDP_DEV_BOUND_ONLY (1U << 6)
#endif
#ifndef BPF_PSEUDO_KFUNC_CALL
#define BPF_PSEUDO_KFUNC_CALL 2
#endif
#ifndef BTF_KIND_ENUM64
#define BTF_KIND_ENUM64 19
#endif

#define ETYPE_TEST 0x88B5
#define ETYPE_SENT_ON 0x88B6
#define ROOM 16384
#define EXIT_KERNEL_LACKS 3

static const char *ifname;
static int ifindex, wait_ms = 2000, longer, any_order;
static uint32_t xdp_mode = XDP_FLAGS_DRV_MODE;
static uint8_t dest[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

/* ---- Programs ------------------------------------------------------------------------------------------------------ */

static struct bpf_insn code[128];
static unsigned int nr_code;

static unsigned int emit(uint8_t op, int dst, int src, int16_t off, int32_t imm)
{
	code[nr_code] = (struct bpf_insn){ .code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm };
	return nr_code++;
}

#define MOV(dst, src)		emit(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOV_IMM(dst, imm)	emit(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define ADD_IMM(dst, imm)	emit(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define LOAD(size, dst, src, off)  emit(BPF_LDX | BPF_MEM | (size), dst, src, off, 0)
#define STORE(size, dst, off, src) emit(BPF_STX | BPF_MEM | (size), dst, src, off, 0)
#define STORE_IMM(size, dst, off, imm) emit(BPF_ST | BPF_MEM | (size), dst, 0, off, imm)
#define CALL(fn)		emit(BPF_JMP | BPF_CALL, 0, 0, 0, fn)
#define EXIT()			emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

struct wish {
	int verdict, redirect_to, all, frags, tail;
};

static void parse(struct wish *w, int argc, char **argv)
{
	static const char *const names[] = { "aborted", "drop", "pass", "tx", "redirect" };
	int i;

	memset(w, 0, sizeof(*w));
	w->verdict = -1;
	for (i = 0; i < 4; i++)
		if (!strcmp(argv[0], names[i]))
			w->verdict = i;
	if (!strncmp(argv[0], "redirect:", 9)) {
		w->verdict = XDP_REDIRECT;
		w->redirect_to = if_nametoindex(argv[0] + 9);
		if (!w->redirect_to)
			cannot("no interface %s", argv[0] + 9);
	}
	if (w->verdict < 0)
		w->verdict = (int)number(argv[0]);
	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "all"))
			w->all = 1;
		else if (!strcmp(argv[i], "frags"))
			w->frags = 1;
		else if (!strncmp(argv[i], "tail=", 5))
			w->tail = atoi(argv[i] + 5);
		else
			cannot("what is %s?", argv[i]);
	}
}

static int load(const struct wish *w)
{
	static char log[65536];
	union bpf_attr attr;
	unsigned int jumps[3], nr = 0;
	int fd;

	nr_code = 0;
	MOV(6, 1);
	LOAD(BPF_W, 2, 1, offsetof(struct xdp_md, data));
	LOAD(BPF_W, 3, 1, offsetof(struct xdp_md, data_end));
	MOV(4, 2);
	ADD_IMM(4, ETH_HLEN);
	jumps[nr++] = emit(BPF_JMP | BPF_JGT | BPF_X, 4, 3, 0, 0);
	if (!w->all) {
		LOAD(BPF_H, 5, 2, 12);
		jumps[nr++] = emit(BPF_JMP | BPF_JNE | BPF_K, 5, 0, 0, htons(ETYPE_TEST));
	}
	if (w->verdict == XDP_TX) {
		LOAD(BPF_W, 0, 2, 0);
		LOAD(BPF_H, 4, 2, 4);
		LOAD(BPF_W, 5, 2, 6);
		LOAD(BPF_H, 7, 2, 10);
		STORE(BPF_W, 2, 0, 5);
		STORE(BPF_H, 2, 4, 7);
		STORE(BPF_W, 2, 6, 0);
		STORE(BPF_H, 2, 10, 4);
	}
	if (w->verdict == XDP_REDIRECT)
		STORE_IMM(BPF_H, 2, 12, htons(ETYPE_SENT_ON));
	if (w->tail) {
		MOV(1, 6);
		MOV_IMM(2, w->tail);
		CALL(BPF_FUNC_xdp_adjust_tail);
		jumps[nr++] = emit(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 0, 0);
	}
	if (w->verdict == XDP_REDIRECT) {
		MOV_IMM(1, w->redirect_to);
		MOV_IMM(2, 0);
		CALL(BPF_FUNC_redirect);
	} else {
		MOV_IMM(0, w->verdict);
	}
	EXIT();
	while (nr--)
		code[jumps[nr]].off = (int16_t)(nr_code - jumps[nr] - 1);
	MOV_IMM(0, XDP_PASS);
	EXIT();

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = nr_code;
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	attr.prog_flags = w->frags ? BPF_F_XDP_HAS_FRAGS : 0;
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0 && w->frags && errno == EINVAL && !log[0]) {
		fprintf(stderr, "this kernel has no programs for frames of several buffers\n");
		exit(EXIT_KERNEL_LACKS);
	}
	if (fd < 0)
		cannot("program does not load: %s", log);
	return fd;
}

/* ---- Hints --------------------------------------------------------------------------------------------------------- */

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Type number of a kernel function, 0 if the kernel does not tell of it. */
static unsigned int btf_id(const char *func)
{
	static char btf[32 << 20];
	const struct btf_header *h = (void *)btf;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	const char *p, *end, *names;
	unsigned int id;
	ssize_t n;

	if (fd < 0)
		return 0;
	while (len < sizeof(btf) && (n = read(fd, btf + len, sizeof(btf) - len)) > 0)
		len += (size_t)n;
	close(fd);
	if (len < sizeof(*h) || h->magic != 0xeB9F)
		return 0;
	p = btf + h->hdr_len + h->type_off;
	end = p + h->type_len;
	names = btf + h->hdr_len + h->str_off;
	for (id = 1; p < end; id++) {
		const struct btf_type *t = (void *)p;
		unsigned int vlen = BTF_INFO_VLEN(t->info);

		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC && !strcmp(names + t->name_off, func))
			return id;
		p += sizeof(*t);
		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_INT: case BTF_KIND_VAR: case 17: p += 4; break;	/* 17: declaration tag */
		case BTF_KIND_ARRAY: p += sizeof(struct btf_array); break;
		case BTF_KIND_STRUCT: case BTF_KIND_UNION: p += vlen * sizeof(struct btf_member); break;
		case BTF_KIND_ENUM: p += vlen * sizeof(struct btf_enum); break;
		case BTF_KIND_FUNC_PROTO: p += vlen * sizeof(struct btf_param); break;
		case BTF_KIND_DATASEC: p += vlen * sizeof(struct btf_var_secinfo); break;
		case BTF_KIND_ENUM64: p += vlen * 12; break;
		}
	}
	return 0;
}

enum { HINT_NONE, HINT_RIGHT, HINT_WRONG, HINT_TYPE, NR_HINTS };

/* What the program found is in an array of numbers. */
static uint64_t hint(int map, uint32_t key)
{
	union bpf_attr attr;
	uint64_t value = 0;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		cannot("map");
	return value;
}

/* r0 = address of the number whose key is in the stack at -12; r6 and r7 stay. */
static void emit_lookup(int map)
{
	emit(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map);
	emit(0, 0, 0, 0, 0);
	MOV(2, 10);
	ADD_IMM(2, -12);
	CALL(BPF_FUNC_map_lookup_elem);
}

struct vlan {
	unsigned int tpid, tci;
};

/* Ask for the hash or, with @vlan, for the tag, and decide which number grows. */
static int load_hints(int map, int nr_queues, const struct vlan *vlan, int kfunc)
{
	static char log[65536];
	unsigned int none, wrong = 0, right, done[3], nr = 0;
	union bpf_attr attr;

	nr_code = 0;
	MOV(6, 1);
	MOV_IMM(7, 0);
	STORE(BPF_DW, 10, -8, 7);
	MOV(2, 10);
	ADD_IMM(2, vlan ? -2 : -4);	/* hash, or type of the tag */
	MOV(3, 10);
	ADD_IMM(3, vlan ? -4 : -8);	/* type of the hash, or tag */
	emit(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, kfunc);
	STORE_IMM(BPF_W, 10, -12, HINT_NONE);
	none = emit(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 0, 0);
	if (vlan) {
		LOAD(BPF_H, 7, 10, -2);
		LOAD(BPF_H, 8, 10, -4);
		STORE_IMM(BPF_W, 10, -12, HINT_WRONG);
		wrong = emit(BPF_JMP | BPF_JNE | BPF_K, 7, 0, 0, htons((uint16_t)vlan->tpid));
		right = emit(BPF_JMP | BPF_JNE | BPF_K, 8, 0, 0, (int)vlan->tci);
		STORE_IMM(BPF_W, 10, -12, HINT_RIGHT);
		code[wrong].off = (int16_t)(nr_code - wrong - 1);
	} else {
		LOAD(BPF_W, 7, 10, -4);
		emit(BPF_ALU64 | BPF_AND | BPF_K, 7, 0, 0, 127);
		emit(BPF_ALU64 | BPF_MOD | BPF_K, 7, 0, 0, nr_queues);
		LOAD(BPF_W, 8, 6, offsetof(struct xdp_md, rx_queue_index));
		STORE_IMM(BPF_W, 10, -12, HINT_RIGHT);
		right = emit(BPF_JMP | BPF_JEQ | BPF_X, 7, 8, 0, 0);
		STORE_IMM(BPF_W, 10, -12, HINT_WRONG);
	}
	code[right].off = (int16_t)(nr_code - right - 1);
	code[none].off = (int16_t)(nr_code - none - 1);
	emit_lookup(map);
	done[nr++] = emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0);
	LOAD(BPF_DW, 1, 0, 0);
	ADD_IMM(1, 1);
	STORE(BPF_DW, 0, 0, 1);
	LOAD(BPF_W, 7, 10, -8);
	done[nr++] = emit(BPF_JMP | BPF_JEQ | BPF_K, 7, 0, 0, 0);
	STORE_IMM(BPF_W, 10, -12, HINT_TYPE);
	emit_lookup(map);
	done[nr++] = emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0);
	STORE(BPF_DW, 0, 0, 7);
	while (nr--)
		code[done[nr]].off = (int16_t)(nr_code - done[nr] - 1);
	MOV_IMM(0, XDP_PASS);
	EXIT();

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = nr_code;
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	attr.prog_flags = BPF_F_XDP_DEV_BOUND_ONLY;
	attr.prog_ifindex = (uint32_t)ifindex;
	nr = (unsigned int)bpf(BPF_PROG_LOAD, &attr);
	if ((int)nr < 0)
		cannot("program does not load: %s", log);
	return (int)nr;
}

static int set_prog(int prog_fd);

static int cmd_hints(int nr_queues, const struct vlan *vlan, unsigned int count)
{
	int kfunc = (int)btf_id(vlan ? "bpf_xdp_metadata_rx_vlan_tag" : "bpf_xdp_metadata_rx_hash"), map;
	uint64_t end = now_us() + (uint64_t)wait_ms * 1000;
	union bpf_attr attr;

	if (!kfunc)
		return EXIT_KERNEL_LACKS;
	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = 8;
	attr.max_entries = NR_HINTS;
	map = bpf(BPF_MAP_CREATE, &attr);
	if (map < 0)
		cannot("map");
	if (set_prog(load_hints(map, nr_queues, vlan, kfunc)))
		return EXIT_BROKEN;
	printf("ready\n");
	fflush(stdout);
	while (hint(map, HINT_RIGHT) < count && now_us() < end)
		nap_us(10000);
	set_prog(-1);
	if (vlan) {
		printf("tagged=%llu wrong=%llu without=%llu\n", (unsigned long long)hint(map, HINT_RIGHT),
		       (unsigned long long)hint(map, HINT_WRONG), (unsigned long long)hint(map, HINT_NONE));
		return hint(map, HINT_RIGHT) >= count && !hint(map, HINT_WRONG) ? EXIT_HOLDS : EXIT_BROKEN;
	}
	printf("hashed=%llu wrong=%llu without=%llu type=%#llx\n", (unsigned long long)hint(map, HINT_RIGHT),
	       (unsigned long long)hint(map, HINT_WRONG), (unsigned long long)hint(map, HINT_NONE),
	       (unsigned long long)hint(map, HINT_TYPE));
	return hint(map, HINT_RIGHT) >= count && !hint(map, HINT_WRONG) ? EXIT_HOLDS : EXIT_BROKEN;
}

/* ---- Netlink ------------------------------------------------------------------------------------------------------- */

static int nl_open(int protocol)
{
	int one = 1, fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		cannot("netlink socket");
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	return fd;
}

static void *nl_put(struct nlmsghdr *n, uint16_t type, const void *data, size_t len)
{
	struct nlattr *a = (void *)((char *)n + NLMSG_ALIGN(n->nlmsg_len));

	a->nla_type = type;
	a->nla_len = (uint16_t)(NLA_HDRLEN + len);
	if (len)
		memcpy((char *)a + NLA_HDRLEN, data, len);
	n->nlmsg_len = NLMSG_ALIGN(n->nlmsg_len) + NLA_ALIGN(a->nla_len);
	return a;
}

static const void *nl_find(const void *start, size_t len, uint16_t type)
{
	const struct nlattr *a = start;

	while (len >= NLA_HDRLEN && a->nla_len >= NLA_HDRLEN && a->nla_len <= len) {
		if ((a->nla_type & NLA_TYPE_MASK) == type)
			return a;
		len -= (size_t)NLA_ALIGN(a->nla_len) < len ? (size_t)NLA_ALIGN(a->nla_len) : len;
		a = (const void *)((const char *)a + NLA_ALIGN(a->nla_len));
	}
	return NULL;
}

/* Returns the kernel's errno, positive, after printing its message; the answer, if any, is in @reply. */
static int nl_talk(int fd, struct nlmsghdr *n, char *reply, size_t room)
{
	static char buf[32768];
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int got_reply = 0;

	n->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	if (sendto(fd, n, n->nlmsg_len, 0, (void *)&kernel, sizeof(kernel)) < 0)
		cannot("netlink send");
	for (;;) {
		ssize_t len = recv(fd, buf, sizeof(buf), 0);
		struct nlmsghdr *h = (void *)buf;

		if (len < 0)
			cannot("netlink receive");
		for (; NLMSG_OK(h, (size_t)len); h = NLMSG_NEXT(h, len)) {
			struct nlmsgerr *e = NLMSG_DATA(h);
			const struct nlattr *msg;

			if (h->nlmsg_type != NLMSG_ERROR) {
				if (reply && !got_reply && h->nlmsg_len <= room) {
					memcpy(reply, h, h->nlmsg_len);
					got_reply = 1;
				}
				continue;
			}
			if (h->nlmsg_flags & NLM_F_ACK_TLVS) {
				size_t used = sizeof(*h) + sizeof(*e);

				if (e->error && !(h->nlmsg_flags & NLM_F_CAPPED))
					used += e->msg.nlmsg_len - sizeof(e->msg);
				msg = nl_find((char *)h + used, h->nlmsg_len - used, NLMSGERR_ATTR_MSG);
				if (msg)
					printf("%s\n", (const char *)msg + NLA_HDRLEN);
			}
			return -e->error;
		}
	}
}

static int set_prog(int prog_fd)
{
	static int fd = -1;
	struct {
		struct nlmsghdr n;
		struct ifinfomsg i;
		char room[64];
	} req;
	struct nlattr *nest;
	int err;

	if (fd < 0)
		fd = nl_open(NETLINK_ROUTE);
	memset(&req, 0, sizeof(req));
	req.n.nlmsg_len = NLMSG_LENGTH(sizeof(req.i));
	req.n.nlmsg_type = RTM_SETLINK;
	req.i.ifi_index = ifindex;
	nest = nl_put(&req.n, IFLA_XDP | NLA_F_NESTED, NULL, 0);
	nl_put(&req.n, IFLA_XDP_FD, &prog_fd, sizeof(prog_fd));
	nl_put(&req.n, IFLA_XDP_FLAGS, &xdp_mode, sizeof(xdp_mode));
	nest->nla_len = (uint16_t)((char *)&req + req.n.nlmsg_len - (char *)nest);
	err = nl_talk(fd, &req.n, NULL, 0);
	if (err)
		fprintf(stderr, "%s: %s\n", ifname, strerror(err));
	return err;
}

static int cmd_features(void)
{
	static const char *const names[] = { "basic", "redirect", "ndo-xmit", "xsk-zerocopy", "hw-offload", "rx-sg", "ndo-xmit-sg" };
	struct {
		struct nlmsghdr n;
		struct genlmsghdr g;
		char room[64];
	} req;
	static char reply[8192];
	struct nlmsghdr *n = (void *)reply;
	int fd = nl_open(NETLINK_GENERIC);
	const struct nlattr *a;
	uint64_t features;
	uint16_t family;
	const char *sep = "";
	unsigned int i;

	memset(&req, 0, sizeof(req));
	req.n.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	req.n.nlmsg_type = GENL_ID_CTRL;
	req.g.cmd = CTRL_CMD_GETFAMILY;
	req.g.version = 1;
	nl_put(&req.n, CTRL_ATTR_FAMILY_NAME, "netdev", 7);
	if (nl_talk(fd, &req.n, reply, sizeof(reply)))
		return EXIT_KERNEL_LACKS;
	a = nl_find(reply + NLMSG_LENGTH(GENL_HDRLEN), n->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), CTRL_ATTR_FAMILY_ID);
	if (!a)
		cannot("no family id");
	memcpy(&family, (const char *)a + NLA_HDRLEN, sizeof(family));

	memset(&req, 0, sizeof(req));
	memset(reply, 0, sizeof(reply));
	req.n.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	req.n.nlmsg_type = family;
	req.g.cmd = 1;			/* NETDEV_CMD_DEV_GET */
	req.g.version = 1;
	nl_put(&req.n, 1, &ifindex, 4);	/* NETDEV_A_DEV_IFINDEX */
	if (nl_talk(fd, &req.n, reply, sizeof(reply)))
		cannot("netdev dev-get");
	/* NETDEV_A_DEV_XDP_FEATURES */
	a = nl_find(reply + NLMSG_LENGTH(GENL_HDRLEN), n->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), 3);
	if (!a)
		cannot("no xdp-features");
	memcpy(&features, (const char *)a + NLA_HDRLEN, sizeof(features));
	for (i = 0; i < 64; i++) {
		if (!(features >> i & 1))
			continue;
		if (i < sizeof(names) / sizeof(names[0]))
			printf("%s%s", sep, names[i]);
		else
			printf("%sbit%u", sep, i);
		sep = ",";
	}
	printf("\n");
	return EXIT_HOLDS;
}

static int cmd_churn(unsigned int count)
{
	struct wish w = { .verdict = XDP_PASS };
	unsigned int i;
	int one, two;

	w.all = 1;
	one = load(&w);
	w.all = 0;
	two = load(&w);
	for (i = 0; i < count; i++)
		if (set_prog(one) || set_prog(two) || set_prog(-1))
			return EXIT_BROKEN;
	return EXIT_HOLDS;
}

/* ---- Frames -------------------------------------------------------------------------------------------------------- */

static uint8_t mac[6];

static int packet_socket(uint16_t etype)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(etype), .sll_ifindex = ifindex };
	int one = 1, big = 4 << 20, fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	struct ifreq ifr;

	if (fd < 0)
		cannot("packet socket");
	setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big));
	if (bind(fd, (void *)&ll, sizeof(ll)))
		cannot("bind to %s", ifname);
	memset(&ifr, 0, sizeof(ifr));
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", ifname);
	if (ioctl(fd, SIOCGIFHWADDR, &ifr))
		cannot("address of %s", ifname);
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
	return fd;
}

static void make(uint8_t *f, size_t len, uint64_t seed)
{
	memcpy(f, dest, 6);
	memcpy(f + 6, mac, 6);
	f[12] = ETYPE_TEST >> 8;
	f[13] = ETYPE_TEST & 0xff;
	fill_payload(f + ETH_HLEN, len - ETH_HLEN, (uint32_t)seed);
}

/* The next frame that came from outside; 0 when time is over. */
static size_t take(int fd, uint8_t *f)
{
	uint64_t end = now_us() + (uint64_t)wait_ms * 1000;

	for (;;) {
		struct sockaddr_ll from;
		socklen_t flen = sizeof(from);
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t now = now_us();
		ssize_t len;

		if (now >= end || poll(&p, 1, (int)((end - now) / 1000) + 1) <= 0)
			return 0;
		len = recvfrom(fd, f, ROOM, 0, (void *)&from, &flen);
		if (len > 0 && from.sll_pkttype != PACKET_OUTGOING)
			return (size_t)len;
	}
}

static int cmd_echo(size_t min, size_t max, size_t step)
{
	static uint8_t out[ROOM], in[ROOM], want[ROOM];
	int fd = packet_socket(ETYPE_TEST);
	size_t size, len, expect;
	unsigned int count = 0;

	for (size = min; size <= max; size += step) {
		memset(want, 0, sizeof(want));
		make(out, size, size);
		memcpy(want, out + 6, 6);
		memcpy(want + 6, out, 6);
		memcpy(want + 12, out + 12, size - 12);
		expect = (size < 60 ? 60 : size) + longer;
		if (longer < 0)
			memset(want + expect, 0, sizeof(want) - expect);
		if (expect < 60)
			expect = 60;
		if (send(fd, out, size, 0) != (ssize_t)size)
			cannot("send of %zu bytes", size);
		len = take(fd, in);
		if (!len) {
			printf("%zu bytes: nothing came back\n", size);
			return EXIT_BROKEN;
		}
		if (len != expect || memcmp(in, want, len)) {
			size_t i;

			for (i = 0; i < len && in[i] == want[i]; i++)
				;
			printf("%zu bytes: %zu came back, %zu expected, different from byte %zu on\n", size, len, expect, i);
			return EXIT_BROKEN;
		}
		count++;
	}
	printf("echoed=%u\n", count);
	return EXIT_HOLDS;
}

static int cmd_send(unsigned int count, size_t size)
{
	static uint8_t out[ROOM];
	int fd = packet_socket(0);
	unsigned int i;

	stay_on_one_cpu();
	for (i = 0; i < count; i++) {
		make(out, size, i);
		if (send(fd, out, size, 0) != (ssize_t)size)
			cannot("send of %zu bytes", size);
		if (i % 32 == 31)
			nap_us(2000);
	}
	return EXIT_HOLDS;
}

static int cmd_catch(unsigned int count, uint16_t etype)
{
	static uint8_t in[ROOM], want[ROOM], *seen;
	int fd = packet_socket(etype);
	unsigned int caught = 0;
	uint32_t nr;
	size_t len;

	seen = calloc(1, count);
	if (!seen)
		cannot("memory");
	printf("ready\n");
	fflush(stdout);
	while (caught < count) {
		len = take(fd, in);
		if (!len)
			break;
		nr = len < ETH_HLEN + 46 ? count : payload_number(in + ETH_HLEN);
		if (nr >= count || seen[nr]++ || (nr != caught && !any_order)) {
			printf("frame %u of %zu bytes came in place of %u\n", nr, len, caught);
			return EXIT_BROKEN;
		}
		fill_payload(want, len - ETH_HLEN, nr);
		if (memcmp(in + ETH_HLEN, want, len - ETH_HLEN)) {
			printf("frame %u of %zu bytes came changed\n", nr, len);
			return EXIT_BROKEN;
		}
		caught++;
	}
	printf("caught=%u\n", caught);
	return caught == count ? EXIT_HOLDS : EXIT_BROKEN;
}

static void usage(void)
{
	errno = 0;
	cannot("usage: xdp [-a NS] -i IF [-D MAC] [-l N] [-t MS] [-n] [-g] attach VERDICT [WORD...] | detach | hints QUEUES N | vlanhint TPID TCI N | churn N | features | echo MIN MAX STEP | send N SIZE | catch N | take N");
}

int main(int argc, char **argv)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	const char *ns = NULL, *cmd;
	struct wish w;
	int opt;

	while ((opt = getopt(argc, argv, "+a:i:D:l:t:ng")) != -1) {
		switch (opt) {
		case 'a': ns = optarg; break;
		case 'i': ifname = optarg; break;
		case 'n': any_order = 1; break;
		case 'g': xdp_mode = XDP_FLAGS_SKB_MODE; break;
		case 'l': longer = atoi(optarg); break;
		case 't': wait_ms = (int)number(optarg); break;
		case 'D':
			if (!parse_mac(optarg, dest))
				usage();
			break;
		default: usage();
		}
	}
	argc -= optind;
	argv += optind;
	if (!ifname || !argc)
		usage();
	enter_ns(ns);
	ifindex = (int)if_nametoindex(ifname);
	if (!ifindex)
		cannot("no interface %s", ifname);
	setrlimit(RLIMIT_MEMLOCK, &unlimited);

	cmd = argv[0];
	if (!strcmp(cmd, "attach") && argc >= 2) {
		parse(&w, argc - 1, argv + 1);
		return set_prog(load(&w)) ? EXIT_BROKEN : EXIT_HOLDS;
	}
	if (!strcmp(cmd, "detach") && argc == 1)
		return set_prog(-1) ? EXIT_BROKEN : EXIT_HOLDS;
	if (!strcmp(cmd, "hints") && argc == 3)
		return cmd_hints((int)number(argv[1]), NULL, (unsigned int)number(argv[2]));
	if (!strcmp(cmd, "vlanhint") && argc == 4) {
		struct vlan vlan = { (unsigned int)number(argv[1]), (unsigned int)number(argv[2]) };

		return cmd_hints(0, &vlan, (unsigned int)number(argv[3]));
	}
	if (!strcmp(cmd, "churn") && argc == 2)
		return cmd_churn((unsigned int)number(argv[1]));
	if (!strcmp(cmd, "features") && argc == 1)
		return cmd_features();
	if (!strcmp(cmd, "echo") && argc == 4)
		return cmd_echo(number(argv[1]), number(argv[2]), number(argv[3]));
	if (!strcmp(cmd, "send") && argc == 3)
		return cmd_send((unsigned int)number(argv[1]), number(argv[2]));
	if (!strcmp(cmd, "catch") && argc == 2)
		return cmd_catch((unsigned int)number(argv[1]), ETYPE_SENT_ON);
	if (!strcmp(cmd, "take") && argc == 2)
		return cmd_catch((unsigned int)number(argv[1]), ETYPE_TEST);
	usage();
	return EXIT_CANNOT;
}

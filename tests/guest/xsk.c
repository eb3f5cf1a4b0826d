// SPDX-License-Identifier: GPL-2.0-only
/*
 * xsk - AF_XDP sockets: receives, sends and echoes frames by them, without libraries.
 *
 *   xsk [-a NS] -i IF [-q FIRST[-LAST]] [-z | -c] [-w] [-u] [-C BYTES] [-t MS] [-D MAC] [-b] [-k] [-M NAME] [-o BYTES] [-1]
 *       COMMAND ...
 *
 *   -q       queues, one socket each (0)          -z -c    only without copies, only with copies
 *   -w       need_wakeup                          -u       unaligned chunks
 *   -C       bytes of a chunk (4096)              -b       busy poll
 *   -t MS    longest wait for a frame (2000)      -D MAC   address "tx" sends to (broadcast)
 *   -k       what is in a frame does not count    -M NAME  "tx" is a window of that name, see mark.h
 *   -o BYTES where in its chunk a frame of "tx" begins (0)
 *   -1       "tx" asks the kernel to send once, when all COUNT frames are in the ring
 *
 *   rx COUNT        receives COUNT frames of "xdp send" (ethertype 88b5), each as it was sent; prints "received=N"
 *   tx COUNT SIZE   sends COUNT such frames of SIZE bytes, the sockets in turn, and waits for all completions; prints "sent=N"
 *   echo COUNT      sends COUNT frames back with swapped addresses, from the buffers they came in; prints "echoed=N"
 *   churn COUNT     COUNT times: open, bind, close
 *   mode            prints "zero-copy" or "copy"
 *   hold            until it is killed: keeps the queues, sends a frame of 60 bytes every 20 ms, prints how many were
 *                   completed so far, every tenth
 *
 * Prints "ready" when it is bound. Frames that are not of ethertype 88b5 go to the stack.
 * Exit: 0 it is so, 1 it is not, 2 the tool could not work, 3 refused to bind so.
 */
#include "util.h"
#include "mark.h"

#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_xdp.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef AF_XDP
#define AF_XDP 44
#endif
#ifndef SOL_XDP
#define SOL_XDP 283
#endif
#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69
#define SO_BUSY_POLL_BUDGET 70
#endif

#define ETYPE_TEST 0x88B5
#define RING 1024u			/* entries of each ring */
#define MAX_QUEUES 64
#define EXIT_REFUSED 3

struct ring {
	uint32_t *producer, *consumer, *flags;
	void *desc;
	void *map;
	size_t map_len;
	uint32_t cached;		/* our own index */
};

struct sock {
	int fd;
	uint8_t *umem;
	size_t umem_len;
	struct ring fill, comp, rx, tx;
	uint64_t outstanding;
};

static const char *ifname;
static const char *window;
static int ifindex, wait_ms = 2000, need_wakeup, unaligned, busy, blind;
static uint16_t bind_flags;
static unsigned int chunk = 4096, first_queue, last_queue, tx_offset;
static int one_kick;
static uint8_t dest[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static struct sock socks[MAX_QUEUES];
static int map_fd = -1, prog_fd = -1;

/* ---- Program ------------------------------------------------------------------------------------------------------- */

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static void load(void)
{
	static char log[65536];
	struct bpf_insn code[] = {
		{ BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, data), 0 },
		{ BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct xdp_md, data_end), 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, ETH_HLEN },
		{ BPF_JMP | BPF_JGT | BPF_X, 4, 3, 8, 0 },
		{ BPF_LDX | BPF_MEM | BPF_H, 5, 2, 12, 0 },
		{ BPF_JMP | BPF_JNE | BPF_K, 5, 0, 6, htons(ETYPE_TEST) },
		{ BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, rx_queue_index), 0 },
		{ BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, 0 },
		{ 0, 0, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, XDP_PASS },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_redirect_map },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_PASS },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_XSKMAP;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = MAX_QUEUES;
	map_fd = bpf(BPF_MAP_CREATE, &attr);
	if (map_fd < 0)
		cannot("XSKMAP");

	code[8].imm = map_fd;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = sizeof(code) / sizeof(code[0]);
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	prog_fd = bpf(BPF_PROG_LOAD, &attr);
	if (prog_fd < 0)
		cannot("program does not load: %s", log);
}

static void set_prog(int fd)
{
	struct {
		struct nlmsghdr n;
		struct ifinfomsg i;
		struct nlattr nest, a;
		int32_t fd;
		struct nlattr b;
		uint32_t flags;
	} req = {
		.n = { sizeof(req), RTM_SETLINK, NLM_F_REQUEST | NLM_F_ACK, 0, 0 },
		.i = { .ifi_index = ifindex },
		.nest = { sizeof(req) - offsetof(__typeof__(req), nest), IFLA_XDP | NLA_F_NESTED },
		.a = { 8, IFLA_XDP_FD }, .fd = fd,
		.b = { 8, IFLA_XDP_FLAGS }, .flags = XDP_FLAGS_DRV_MODE,
	};
	char buf[1024];
	struct nlmsgerr *e = NLMSG_DATA((struct nlmsghdr *)buf);
	int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (s < 0 || send(s, &req, sizeof(req), 0) < 0 || recv(s, buf, sizeof(buf), 0) < 0)
		cannot("netlink");
	errno = -e->error;
	if (errno)
		cannot("%s takes no program", ifname);
	close(s);
}

/* ---- Sockets ------------------------------------------------------------------------------------------------------- */

static void map_ring(struct sock *s, struct ring *r, const struct xdp_ring_offset *off, uint64_t pgoff, size_t entry)
{
	r->map_len = off->desc + RING * entry;
	r->map = mmap(NULL, r->map_len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, s->fd, (off_t)pgoff);
	if (r->map == MAP_FAILED)
		cannot("ring does not map");
	r->producer = (void *)((char *)r->map + off->producer);
	r->consumer = (void *)((char *)r->map + off->consumer);
	r->flags = (void *)((char *)r->map + off->flags);
	r->desc = (char *)r->map + off->desc;
	r->cached = 0;
}

static void must(int rc, const char *what)
{
	if (rc)
		cannot("%s", what);
}

/* First byte of buffer @n; unaligned chunks are set off from each other. */
static uint64_t address(unsigned int n)
{
	return (uint64_t)n * chunk + (unaligned ? (n % 7) * 8 : 0);
}

/* A socket's pool outlives it for a moment: the kernel frees it from a work item, and the queue is busy until then. */
static int bind_sock(int fd, const struct sockaddr_xdp *addr)
{
	uint64_t end = now_us() + 2000000;

	while (bind(fd, (const void *)addr, sizeof(*addr))) {
		if (errno != EBUSY || now_us() >= end)
			return -errno;
		nap_us(10000);
	}
	return 0;
}

static int open_sock(struct sock *s, unsigned int queue)
{
	struct sockaddr_xdp addr = { .sxdp_family = AF_XDP, .sxdp_flags = bind_flags, .sxdp_ifindex = (uint32_t)ifindex,
				     .sxdp_queue_id = queue };
	struct xdp_umem_reg reg;
	struct xdp_mmap_offsets off;
	socklen_t len = sizeof(off);
	uint32_t size = RING, i;
	int value, rc;

	memset(s, 0, sizeof(*s));
	s->umem_len = (size_t)chunk * (2 * RING + 1);
	s->umem = mmap(NULL, s->umem_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (s->umem == MAP_FAILED)
		cannot("umem");
	s->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		cannot("AF_XDP socket");
	memset(&reg, 0, sizeof(reg));
	reg.addr = (uintptr_t)s->umem;
	reg.len = s->umem_len;
	reg.chunk_size = chunk;
	reg.flags = unaligned ? XDP_UMEM_UNALIGNED_CHUNK_FLAG : 0;
	must(setsockopt(s->fd, SOL_XDP, XDP_UMEM_REG, &reg, sizeof(reg)), "XDP_UMEM_REG");
	must(setsockopt(s->fd, SOL_XDP, XDP_UMEM_FILL_RING, &size, sizeof(size)), "fill ring");
	must(setsockopt(s->fd, SOL_XDP, XDP_UMEM_COMPLETION_RING, &size, sizeof(size)), "completion ring");
	must(setsockopt(s->fd, SOL_XDP, XDP_RX_RING, &size, sizeof(size)), "receive ring");
	must(setsockopt(s->fd, SOL_XDP, XDP_TX_RING, &size, sizeof(size)), "transmit ring");
	must(getsockopt(s->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len), "XDP_MMAP_OFFSETS");
	map_ring(s, &s->fill, &off.fr, XDP_UMEM_PGOFF_FILL_RING, 8);
	map_ring(s, &s->comp, &off.cr, XDP_UMEM_PGOFF_COMPLETION_RING, 8);
	map_ring(s, &s->rx, &off.rx, XDP_PGOFF_RX_RING, sizeof(struct xdp_desc));
	map_ring(s, &s->tx, &off.tx, XDP_PGOFF_TX_RING, sizeof(struct xdp_desc));

	/* Buffers 0.. are to be filled, those from RING on are for sending. */
	for (i = 0; i < RING; i++)
		((uint64_t *)s->fill.desc)[i] = address(i);
	s->fill.cached = RING;
	__atomic_store_n(s->fill.producer, RING, __ATOMIC_RELEASE);

	if (busy) {
		value = 1;
		must(setsockopt(s->fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, &value, sizeof(value)), "SO_PREFER_BUSY_POLL");
		value = 20;
		must(setsockopt(s->fd, SOL_SOCKET, SO_BUSY_POLL, &value, sizeof(value)), "SO_BUSY_POLL");
		value = 64;
		must(setsockopt(s->fd, SOL_SOCKET, SO_BUSY_POLL_BUDGET, &value, sizeof(value)), "SO_BUSY_POLL_BUDGET");
	}
	rc = bind_sock(s->fd, &addr);
	if (rc) {
		fprintf(stderr, "bind to queue %u: %s\n", queue, strerror(-rc));
		return rc;
	}
	if (prog_fd >= 0) {
		union bpf_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.map_fd = (uint32_t)map_fd;
		attr.key = (uintptr_t)&queue;
		attr.value = (uintptr_t)&s->fd;
		must(bpf(BPF_MAP_UPDATE_ELEM, &attr), "XSKMAP entry");
	}
	return 0;
}

static void close_sock(struct sock *s)
{
	munmap(s->fill.map, s->fill.map_len);
	munmap(s->comp.map, s->comp.map_len);
	munmap(s->rx.map, s->rx.map_len);
	munmap(s->tx.map, s->tx.map_len);
	close(s->fd);
	munmap(s->umem, s->umem_len);
}

static int zero_copy(const struct sock *s)
{
	struct xdp_options opts;
	socklen_t len = sizeof(opts);

	must(getsockopt(s->fd, SOL_XDP, XDP_OPTIONS, &opts, &len), "XDP_OPTIONS");
	return opts.flags & XDP_OPTIONS_ZEROCOPY;
}

static unsigned int nr_socks(void)
{
	return last_queue - first_queue + 1;
}

static void kick_tx(struct sock *s)
{
	if (!need_wakeup || __atomic_load_n(s->tx.flags, __ATOMIC_RELAXED) & XDP_RING_NEED_WAKEUP)
		if (sendto(s->fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN && errno != EBUSY && errno != ENOBUFS &&
		    errno != ENETDOWN)
			cannot("sendto");
}

static void kick_rx(struct sock *s)
{
	if (busy || (need_wakeup && __atomic_load_n(s->fill.flags, __ATOMIC_RELAXED) & XDP_RING_NEED_WAKEUP))
		recvfrom(s->fd, NULL, 0, MSG_DONTWAIT, NULL, NULL);
}

static void give(struct sock *s, uint64_t addr)
{
	((uint64_t *)s->fill.desc)[s->fill.cached++ & (RING - 1)] = addr;
	__atomic_store_n(s->fill.producer, s->fill.cached, __ATOMIC_RELEASE);
}

/* Returns whether there is a frame; it stays in the ring until taken. */
static int peek(struct sock *s, struct xdp_desc *d)
{
	if (__atomic_load_n(s->rx.producer, __ATOMIC_ACQUIRE) == s->rx.cached)
		return 0;
	*d = ((struct xdp_desc *)s->rx.desc)[s->rx.cached & (RING - 1)];
	return 1;
}

static void taken(struct sock *s)
{
	__atomic_store_n(s->rx.consumer, ++s->rx.cached, __ATOMIC_RELEASE);
}

static int tx_room(const struct sock *s)
{
	return s->tx.cached - __atomic_load_n(s->tx.consumer, __ATOMIC_ACQUIRE) < RING && s->outstanding < RING;
}

static void put(struct sock *s, uint64_t addr, uint32_t len)
{
	((struct xdp_desc *)s->tx.desc)[s->tx.cached++ & (RING - 1)] = (struct xdp_desc){ .addr = addr, .len = len };
	s->outstanding++;
	__atomic_store_n(s->tx.producer, s->tx.cached, __ATOMIC_RELEASE);
}

/* Takes completions; what was received and sent back is filled in again. */
static void complete(struct sock *s, int refill)
{
	uint32_t end = __atomic_load_n(s->comp.producer, __ATOMIC_ACQUIRE);

	for (; s->comp.cached != end; s->comp.cached++, s->outstanding--)
		if (refill)
			give(s, ((uint64_t *)s->comp.desc)[s->comp.cached & (RING - 1)]);
	__atomic_store_n(s->comp.consumer, s->comp.cached, __ATOMIC_RELEASE);
}

static uint8_t *data_of(struct sock *s, uint64_t addr)
{
	/* Unaligned: the offset is in the upper 16 bits. */
	return s->umem + (addr & 0xffffffffffffull) + (addr >> 48);
}

static int wait_rx(void)
{
	struct pollfd p[MAX_QUEUES];
	unsigned int i;

	for (i = 0; i < nr_socks(); i++) {
		kick_rx(&socks[i]);
		p[i] = (struct pollfd){ .fd = socks[i].fd, .events = POLLIN };
	}
	return poll(p, nr_socks(), busy ? 0 : 20);
}

/* ---- Commands ------------------------------------------------------------------------------------------------------ */

static int cmd_rx(unsigned int count)
{
	static uint8_t want[16384];
	uint64_t end = now_us() + (uint64_t)wait_ms * 1000;
	unsigned int got = 0, i;
	struct xdp_desc d;

	while (got < count && now_us() < end) {
		for (i = 0; i < nr_socks(); i++) {
			for (; peek(&socks[i], &d); taken(&socks[i])) {
				const uint8_t *f = data_of(&socks[i], d.addr);

				if (!blind)
					fill_payload(want, d.len - ETH_HLEN, got);
				if (!blind && (d.len < 60 || memcmp(f + ETH_HLEN, want, d.len - ETH_HLEN))) {
					printf("frame %u of %u bytes came changed or out of order\n", got, d.len);
					return EXIT_BROKEN;
				}
				got++;
				end = now_us() + (uint64_t)wait_ms * 1000;
				give(&socks[i], unaligned ? d.addr & 0xffffffffffffull : d.addr);
			}
		}
		wait_rx();
	}
	printf("received=%u\n", got);
	return got == count ? EXIT_HOLDS : EXIT_BROKEN;
}

static int cmd_tx(unsigned int count, uint32_t size)
{
	uint64_t end = now_us() + (uint64_t)wait_ms * 1000, left = 1;
	unsigned int sent = 0, i;

	if (window)
		mark("start %s", window);
	while ((sent < count || left) && now_us() < end) {
		for (i = 0; sent < count && tx_room(&socks[sent % nr_socks()]); i++) {
			struct sock *s = &socks[sent % nr_socks()];
			uint64_t addr = address(RING + (s->tx.cached & (RING - 1))) + tx_offset;
			uint8_t *f = s->umem + addr;

			memcpy(f, dest, 6);
			memcpy(f + 6, "\x02\x46\x46\x50\x54\x02", 6);
			f[12] = ETYPE_TEST >> 8;
			f[13] = ETYPE_TEST & 0xff;
			if (!blind && size > ETH_HLEN)
				fill_payload(f + ETH_HLEN, size - ETH_HLEN, sent);
			put(s, addr, size);
			sent++;
			end = now_us() + (uint64_t)wait_ms * 1000;
		}
		left = 0;
		for (i = 0; i < nr_socks(); i++) {
			if (one_kick < 2)
				kick_tx(&socks[i]);
			complete(&socks[i], 0);
			left += socks[i].outstanding;
		}
		if (one_kick)
			one_kick = 2;
		nap_us(200);
	}
	if (window)
		mark("stop %u", count);
	printf("sent=%llu\n", (unsigned long long)(sent - left));
	return sent == count && !left ? EXIT_HOLDS : EXIT_BROKEN;
}

static int cmd_echo(unsigned int count)
{
	uint64_t end = now_us() + (uint64_t)wait_ms * 1000, left = 1;
	unsigned int done = 0, i;
	struct xdp_desc d;

	while ((done < count || left) && now_us() < end) {
		for (i = 0; i < nr_socks(); i++) {
			for (; done < count && peek(&socks[i], &d) && tx_room(&socks[i]); taken(&socks[i])) {
				uint8_t *f = data_of(&socks[i], d.addr), mac[6];

				memcpy(mac, f, 6);
				memcpy(f, f + 6, 6);
				memcpy(f + 6, mac, 6);
				put(&socks[i], d.addr, d.len);
				done++;
				end = now_us() + (uint64_t)wait_ms * 1000;
			}
		}
		left = 0;
		for (i = 0; i < nr_socks(); i++) {
			if (socks[i].outstanding)
				kick_tx(&socks[i]);
			complete(&socks[i], 1);
			left += socks[i].outstanding;
		}
		wait_rx();
	}
	printf("echoed=%llu\n", (unsigned long long)(done - left));
	return done == count && !left ? EXIT_HOLDS : EXIT_BROKEN;
}

__attribute__((noreturn))
static void cmd_hold(void)
{
	unsigned long long sent = 0, done, told = 0, left;
	unsigned int i;

	for (;;) {
		struct sock *s = &socks[sent % nr_socks()];

		if (tx_room(s)) {
			uint64_t addr = address(RING + (s->tx.cached & (RING - 1)));

			memset(s->umem + addr, 0, 60);
			memcpy(s->umem + addr, dest, 6);
			memcpy(s->umem + addr + 6, "\x02\x46\x46\x50\x54\x02\x88\xb5", 8);
			put(s, addr, 60);
			sent++;
		}
		left = 0;
		for (i = 0; i < nr_socks(); i++) {
			kick_tx(&socks[i]);
			complete(&socks[i], 0);
			left += socks[i].outstanding;
		}
		done = sent - left;
		if (done >= told + 10) {
			told = done;
			printf("%llu\n", done);
			fflush(stdout);
		}
		nap_us(20000);
	}
}

static int open_all(void)
{
	unsigned int i;

	for (i = 0; i < nr_socks(); i++)
		if (open_sock(&socks[i], first_queue + i))
			return EXIT_REFUSED;
	return 0;
}

static int cmd_churn(unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++) {
		if (open_sock(&socks[0], first_queue))
			return EXIT_REFUSED;
		close_sock(&socks[0]);
	}
	return EXIT_HOLDS;
}

static void usage(void)
{
	errno = 0;
	cannot("usage: xsk [-a NS] -i IF [-q Q[-Q]] [-z|-c] [-w] [-u] [-b] [-C BYTES] [-t MS] [-D MAC] [-k] [-M NAME] [-o BYTES] [-1] rx N | tx N SIZE | echo N | churn N | mode | hold");
}

int main(int argc, char **argv)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	const char *ns = NULL, *cmd;
	int opt, rc;

	while ((opt = getopt(argc, argv, "+a:i:q:zcwubC:t:D:kM:o:1")) != -1) {
		switch (opt) {
		case 'a': ns = optarg; break;
		case 'i': ifname = optarg; break;
		case 'q':
			rc = sscanf(optarg, "%u-%u", &first_queue, &last_queue);
			if (rc < 1)
				usage();
			if (rc == 1)
				last_queue = first_queue;
			break;
		case 'z': bind_flags |= XDP_ZEROCOPY; break;
		case 'c': bind_flags |= XDP_COPY; break;
		case 'w': bind_flags |= XDP_USE_NEED_WAKEUP; need_wakeup = 1; break;
		case 'u': unaligned = 1; break;
		case 'b': busy = 1; break;
		case 'k': blind = 1; break;
		case 'M': window = optarg; break;
		case 'o': tx_offset = (unsigned int)number(optarg); break;
		case '1': one_kick = 1; break;
		case 'C': chunk = (unsigned int)number(optarg); break;
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
	if (!ifname || !argc || last_queue < first_queue || nr_socks() > MAX_QUEUES)
		usage();
	enter_ns(ns);
	ifindex = (int)if_nametoindex(ifname);
	if (!ifindex)
		cannot("no interface %s", ifname);
	setrlimit(RLIMIT_MEMLOCK, &unlimited);

	cmd = argv[0];
	if (!strcmp(cmd, "churn") && argc == 2)
		return cmd_churn((unsigned int)number(argv[1]));
	if (!strcmp(cmd, "rx") || !strcmp(cmd, "echo")) {
		load();
		set_prog(prog_fd);
	}
	rc = open_all();
	if (rc)
		return rc;
	if (!strcmp(cmd, "mode") && argc == 1) {
		printf("%s\n", zero_copy(&socks[0]) ? "zero-copy" : "copy");
		return EXIT_HOLDS;
	}
	printf("ready\n");
	fflush(stdout);
	if (!strcmp(cmd, "rx") && argc == 2)
		rc = cmd_rx((unsigned int)number(argv[1]));
	else if (!strcmp(cmd, "tx") && argc == 3)
		rc = cmd_tx((unsigned int)number(argv[1]), (uint32_t)number(argv[2]));
	else if (!strcmp(cmd, "echo") && argc == 2)
		rc = cmd_echo((unsigned int)number(argv[1]));
	else if (!strcmp(cmd, "hold") && argc == 1)
		cmd_hold();
	else
		usage();
	if (prog_fd >= 0)
		set_prog(-1);
	return rc;
}

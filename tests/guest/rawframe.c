// SPDX-License-Identifier: GPL-2.0-only
/*
 * rawframe - sends exact Ethernet frames from one port and looks at exactly what arrives at another.
 *
 *   rawframe -i IF [-a NS] -j IF [-b NS] [-s ADDR -d ADDR -S ADDR -D ADDR] [-V TAGS] [-t MS] [-v] COMMAND ...
 *
 *   -i, -a   sending interface and its namespace        -j, -b   receiving interface and its namespace
 *   -s, -d   IPv4 source and destination (10.0.0.1 2)   -S, -D   IPv6 source and destination (fd00::1 2)
 *   -V TAGS  VLAN tags, outermost first, for example 8100:5 or 88a8:7,8100:5
 *   -t MS    longest wait for a frame (2000)
 *
 *   sizes MIN MAX STEP   frames of MIN..MAX bytes of an ethertype nobody uses; each must arrive with its bytes, short
 *                        ones padded to 60 with zeros
 *   csum good|bad        IPv4, IPv6, TCP, UDP frames with right or wrong checksums; prints "NAME valid=0|1" for each:
 *                        whether the receiving driver marked the checksum as verified. Fails if a bad one was
 *   csumlist             prints the names of the bad frames, one a line
 *   csumone NAME COUNT   sends COUNT frames of one kind and waits for them
 *   offload FILE [mtu]   checksum and segmentation requests through the send path, as the stack makes them; writes every
 *                        frame that arrives to FILE (32-bit length, bytes), checks each checksum and sequence number
 *   tunnelcsum known|unknown  TCP frames within tunnels, with right and wrong inner checksums, and tunnel headers with
 *                        checksums of their own; prints "NAME valid=0|1" for each. Fails if one is marked as verified that
 *                        cannot be. Where the VXLAN port is unknown, its datagrams are datagrams like any other
 *   deliver MAC COUNT    COUNT frames to MAC, then one broadcast; prints "received=N"
 *   vlan COUNT           COUNT frames with the tags of -V; prints "received=N stripped=N"; a tag that is lost or changed fails
 *   rss KIND COUNT       COUNT flows of KIND (tcp4 udp4 tcp6 udp6 ip4 ip6); prints "queue Q N" lines, and compares hash and
 *                        queue with Toeplitz over the key and table the driver shows; prints "hash=l4|l3|none|wrong|mixed"
 *   burst COUNT SIZE     COUNT frames of SIZE bytes, up to 96 on the way; prints "sent=N received=N"
 *
 * Frames of this tool carry a source address of their own, so what the kernel sends meanwhile is told apart.
 * Exit: 0 the fact holds, 1 it does not, 2 the tool could not work.
 */
#include "packet.h"
#include "util.h"
#include "wire.h"

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#ifndef TP_STATUS_CSUM_VALID
#define TP_STATUS_CSUM_VALID (1 << 7)
#endif

#define ETYPE_TEST 0x88B5		/* IEEE local experimental */
#define FRAME_ROOM (66 * 1024)
#define MAX_TAGS 4

struct port {
	const char *ns, *name;
	int index, mtu;
	uint8_t mac[6];
	int fd;				/* packet socket */
};

struct got {
	uint8_t data[FRAME_ROOM];
	size_t len;			/* bytes in data */
	size_t wire_len;		/* bytes of the frame as the stack saw it */
	int csum_valid, has_tag;
	uint16_t tci, tpid;
};

static struct port tx, rx;
static int wait_ms = 2000, verbose;
static struct { uint16_t tpid, tci; } tags[MAX_TAGS];
static unsigned int nr_tags;
static uint32_t src4, dst4;		/* network order */
static struct in6_addr src6, dst6;
static const uint8_t our_mac[6] = { 0x02, 0x46, 0x46, 0x50, 0x54, 0x01 };
static uint8_t frame[FRAME_ROOM];
static struct got got;

/* ---- ports ------------------------------------------------------------------------------------------------- */

/* The caller is in the port's namespace. proto 0 makes a socket that only sends. */
static int packet_socket(const struct port *port, int proto)
{
	struct sockaddr_ll sll = { .sll_family = AF_PACKET, .sll_protocol = htons((uint16_t)proto),
				   .sll_ifindex = port->index };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), one = 1, room = 32 << 20;

	if (fd < 0)
		cannot("rawframe: packet socket");
	if (proto) {
		if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
		    setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) ||
		    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)))
			cannot("rawframe: packet socket options");
	}
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	if (bind(fd, (struct sockaddr *)&sll, sizeof(sll)))
		cannot("rawframe: bind %s", port->name);
	return fd;
}

static void open_ports(void)
{
	int root = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	look_up_interface(tx.ns, tx.name, &tx.index, tx.mac, &tx.mtu);
	tx.fd = packet_socket(&tx, 0);
	if (!rx.ns && tx.ns && setns(root, CLONE_NEWNET))
		cannot("rawframe: back to the first namespace");
	look_up_interface(rx.ns, rx.name, &rx.index, rx.mac, &rx.mtu);
	rx.fd = packet_socket(&rx, ETH_P_ALL);
	close(root);
}

static int send_bytes(const void *head, size_t head_len, const uint8_t *data, size_t len)
{
	struct iovec iov[2] = { { (void *)(uintptr_t)head, head_len }, { (void *)(uintptr_t)data, len } };
	struct msghdr msg = { .msg_iov = head_len ? iov : iov + 1, .msg_iovlen = head_len ? 2 : 1 };
	uint64_t start = now_us();

	while (sendmsg(tx.fd, &msg, 0) < 0) {
		if (errno != ENOBUFS && errno != EAGAIN)
			return -errno;
		if (now_us() - start > 5000000)
			return -errno;
		nap_us(100);
	}
	return 0;
}

static void send_frame(const uint8_t *data, size_t len)
{
	int err = send_bytes(NULL, 0, data, len);

	if (err) {
		errno = -err;
		cannot("rawframe: send %zu bytes", len);
	}
}

/* The next frame of ours on the socket; 0 when none came within ms. */
static int receive_on(int fd, int ms)
{
	uint64_t until = now_us() + (uint64_t)ms * 1000;

	for (;;) {
		union { struct cmsghdr cm; char room[CMSG_SPACE(sizeof(struct tpacket_auxdata))]; } control;
		struct iovec iov = { got.data, sizeof(got.data) };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
				      .msg_controllen = sizeof(control) };
		struct pollfd pfd = { .fd = fd, .events = POLLIN };
		uint64_t now = now_us();
		struct cmsghdr *cm;
		ssize_t n;

		if (poll(&pfd, 1, now < until ? (int)((until - now + 999) / 1000) : 0) <= 0)
			return 0;
		n = recvmsg(fd, &msg, 0);
		if (n < 0)
			cannot("rawframe: receive");
		if (n < 14 || memcmp(got.data + 6, our_mac, 6))
			continue;
		got.len = (size_t)n;
		got.csum_valid = got.has_tag = 0;
		for (cm = CMSG_FIRSTHDR(&msg); cm; cm = CMSG_NXTHDR(&msg, cm)) {
			struct tpacket_auxdata aux;

			if (cm->cmsg_level != SOL_PACKET || cm->cmsg_type != PACKET_AUXDATA)
				continue;
			memcpy(&aux, CMSG_DATA(cm), sizeof(aux));
			got.wire_len = aux.tp_len;
			got.csum_valid = !!(aux.tp_status & TP_STATUS_CSUM_VALID);
			got.has_tag = !!(aux.tp_status & TP_STATUS_VLAN_VALID);
			got.tci = aux.tp_vlan_tci;
			got.tpid = aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid : 0x8100;
		}
		return 1;
	}
}

static int receive(int ms)
{
	return receive_on(rx.fd, ms);
}

/* Puts a tag that the driver took out of the frame back where it was. */
static int unstrip(void)
{
	if (!got.has_tag)
		return 0;
	memmove(got.data + 16, got.data + 12, got.len - 12);
	got.data[12] = (uint8_t)(got.tpid >> 8);
	got.data[13] = (uint8_t)got.tpid;
	got.data[14] = (uint8_t)(got.tci >> 8);
	got.data[15] = (uint8_t)got.tci;
	got.len += 4;
	return 1;
}

/* ---- frames ------------------------------------------------------------------------------------------------ */

/* Ethernet header with the tags of -V; returns its length. */
static size_t put_eth(uint8_t *p, const uint8_t *dst, uint16_t type)
{
	size_t at = 12;

	memcpy(p, dst, 6);
	memcpy(p + 6, our_mac, 6);
	for (unsigned int i = 0; i < nr_tags; i++, at += 4) {
		put16(p + at, tags[i].tpid);
		put16(p + at + 2, tags[i].tci);
	}
	put16(p + at, type);
	return at + 2;
}

struct spec {
	const char *name;
	int v6, proto;			/* proto as in the IP header */
	unsigned int ip_opt, l4_opt;	/* bytes of options (IPv4, TCP) */
	unsigned int payload;
	uint16_t sport, dport, id;
	uint32_t seq;
	uint8_t flags;			/* TCP flags */
	int dest_opt;			/* IPv6 destination options header before L4 */
	int fragment;			/* marked as a first fragment */
	enum { GOOD, BAD_IP, BAD_L4, ZERO_L4, SEED_L4 } sum;
	uint8_t *fixed;			/* payload bytes, else random from id */
};

struct layout {
	size_t l3, l4, data, len;	/* offsets in the frame, and its length */
};

static uint32_t pseudo(int v6, const uint8_t *ip, unsigned int proto, size_t l4_len)
{
	uint32_t sum = v6 ? sum16(ip + 8, 32, 0) : sum16(ip + 12, 8, 0);

	return sum + proto + (uint32_t)(l4_len >> 16) + (uint32_t)(l4_len & 0xffff);
}

static struct layout build(uint8_t *p, const struct spec *s)
{
	size_t l4_head = s->proto == IPPROTO_TCP ? 20 + s->l4_opt : s->proto == IPPROTO_UDP ? 8 : 0;
	size_t l4_len = l4_head + s->payload;
	struct layout lay;
	uint8_t *ip, *l4;
	uint32_t sum;
	size_t field;

	lay.l3 = put_eth(p, rx.mac, s->v6 ? ETH_P_IPV6 : ETH_P_IP);
	ip = p + lay.l3;
	if (s->v6) {
		unsigned int ext = s->dest_opt ? 8 : 0;

		ext += s->fragment ? 8 : 0;
		lay.l4 = lay.l3 + 40 + ext;
		put32(ip, 0x60000000);
		/* A segmentation request leaves the length to whoever segments, if it does not fit. */
		put16(ip + 4, l4_len + ext > 0xffff ? 0 : (unsigned int)(l4_len + ext));
		ip[6] = (uint8_t)(s->dest_opt ? 60 : s->fragment ? 44 : s->proto);
		ip[7] = 64;
		memcpy(ip + 8, &src6, 16);
		memcpy(ip + 24, &dst6, 16);
		if (ext)
			memset(ip + 40, 0, ext);
		if (s->dest_opt) {
			ip[40] = (uint8_t)s->proto;
			ip[42] = 1;		/* PadN over the rest */
			ip[43] = 4;
		} else if (s->fragment) {
			ip[40] = (uint8_t)s->proto;
			ip[43] = 1;		/* more fragments */
			put32(ip + 44, 0x11220000u + s->id);
		}
	} else {
		lay.l4 = lay.l3 + 20 + s->ip_opt;
		memset(ip, 0, 20 + s->ip_opt);
		ip[0] = (uint8_t)(0x45 + s->ip_opt / 4);
		put16(ip + 2, (unsigned int)(20 + s->ip_opt + l4_len));
		put16(ip + 4, s->id);
		ip[6] = s->fragment ? 0x20 : s->proto == IPPROTO_TCP ? 0x40 : 0;
		ip[8] = 64;
		ip[9] = (uint8_t)s->proto;
		memcpy(ip + 12, &src4, 4);
		memcpy(ip + 16, &dst4, 4);
		memset(ip + 20, 1, s->ip_opt);	/* no-operation options */
		put16(ip + 10, ~sum16(ip, 20 + s->ip_opt, 0) & 0xffff);
		if (s->sum == BAD_IP)
			ip[10] ^= 0x5a;
	}
	l4 = p + lay.l4;
	lay.data = lay.l4 + l4_head;
	lay.len = lay.data + s->payload;
	if (s->fixed)
		memcpy(p + lay.data, s->fixed, s->payload);
	else
		fill_random(p + lay.data, s->payload, s->id * 977u + s->payload);
	memset(l4, 0, l4_head);
	if (s->proto != IPPROTO_TCP && s->proto != IPPROTO_UDP)
		return lay;
	put16(l4, s->sport);
	put16(l4 + 2, s->dport);
	if (s->proto == IPPROTO_TCP) {
		put32(l4 + 4, s->seq);
		put32(l4 + 8, 0x01020304);
		l4[12] = (uint8_t)((20 + s->l4_opt) / 4 << 4);
		l4[13] = s->flags ? s->flags : 0x10;
		put16(l4 + 14, 0x2000);
		memset(l4 + 20, 1, s->l4_opt);
		field = 16;
	} else {
		put16(l4 + 4, l4_len > 0xffff ? 0 : (unsigned int)l4_len);
		field = 6;
	}
	if (s->sum == ZERO_L4)
		return lay;
	sum = pseudo(s->v6, ip, (unsigned int)s->proto, l4_len);
	if (s->sum == SEED_L4) {	/* as the stack leaves it for whoever finishes the checksum */
		put16(l4 + field, sum16(NULL, 0, sum));
		return lay;
	}
	sum = ~sum16(l4, l4_len, sum) & 0xffff;
	if (!sum && s->proto == IPPROTO_UDP)
		sum = 0xffff;
	if (s->sum == BAD_L4)
		sum = sum ^ 0x5a5a ? sum ^ 0x5a5a : 0x1234;
	put16(l4 + field, sum);
	return lay;
}

/* ---- sizes, burst, deliver, vlan --------------------------------------------------------------------------- */

static size_t test_frame(uint8_t *p, const uint8_t *dst, size_t len, uint64_t seed)
{
	size_t at = put_eth(p, dst, ETYPE_TEST);

	if (len > at)
		fill_random(p + at, len - at, seed);
	return len > at ? len : at;
}

static int check_same(const uint8_t *want, size_t len)
{
	size_t least = len < 60 ? 60 : len;

	unstrip();
	/* A stripped tag was part of the 60 bytes on the wire. */
	if (got.len != least && !(len < 64 && got.len >= len && got.len <= 64)) {
		printf("frame of %zu bytes arrived with %zu\n", len, got.len);
		return 0;
	}
	for (size_t i = 0; i < got.len; i++) {
		uint8_t w = i < len ? want[i] : 0;

		if (got.data[i] != w) {
			printf("frame of %zu bytes: byte %zu is %02x, want %02x%s\n", len, i, got.data[i], w,
			       i < len ? "" : " (padding)");
			return 0;
		}
	}
	return 1;
}

static int cmd_sizes(size_t min, size_t max, size_t step)
{
	enum { WINDOW = 8 };
	unsigned int bad = 0, lost = 0, count = 0;

	for (size_t len = min; len <= max;) {
		size_t first = len, n = 0;

		for (; n < WINDOW && len <= max; n++, len += step) {
			size_t flen = test_frame(frame, rx.mac, len, len);

			send_frame(frame, flen);
		}
		len = first;
		for (size_t i = 0; i < n; i++, len += step) {
			size_t flen = test_frame(frame, rx.mac, len, len);

			if (!receive(wait_ms)) {
				lost += (unsigned int)(n - i);
				printf("frame of %zu bytes did not arrive\n", flen);
				len = first + n * step;
				break;
			}
			bad += !check_same(frame, flen);
		}
		count += (unsigned int)n;
		if (lost + bad > 20)
			break;
	}
	printf("sizes: %u frames, %u lost, %u wrong\n", count, lost, bad);
	return lost || bad || !count ? EXIT_BROKEN : EXIT_HOLDS;
}

static int cmd_burst(unsigned long long count, size_t size)
{
	/* Fewer than the smallest receive ring holds: a receiver that is late loses nothing. */
	enum { IN_FLIGHT = 96 };
	unsigned long long n = 0, sent = 0;
	int lost = 0;

	test_frame(frame, rx.mac, size, 1);
	for (; sent < count && !lost; sent++) {
		send_frame(frame, size);
		while (sent + 1 - n >= IN_FLIGHT && !lost) {
			if (receive(wait_ms))
				n++;
			else
				lost = 1;
		}
	}
	while (n < sent && !lost && receive(wait_ms))
		n++;
	printf("sent=%llu received=%llu\n", sent, n);
	return n == sent && sent == count ? EXIT_HOLDS : EXIT_BROKEN;
}

static int cmd_deliver(const char *to, unsigned long long count)
{
	static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	unsigned long long n = 0;
	int closed = 0;
	uint8_t mac[6];

	errno = 0;
	if (!parse_mac(to, mac))
		cannot("rawframe: not a MAC address: %s", to);
	for (unsigned long long i = 0; i < count; i++)
		send_frame(frame, test_frame(frame, mac, 100, i));
	/* All go one way through one queue: when the untagged broadcast is here, the others are or will never be. */
	nr_tags = 0;
	test_frame(frame, all, 100, 12345);
	send_frame(frame, 100);
	while (!closed && receive(wait_ms)) {
		if (!memcmp(got.data, all, 6) && !got.has_tag && get16(got.data + 12) == ETYPE_TEST &&
		    got.len == 100 && !memcmp(got.data + 14, frame + 14, 86))
			closed = 1;
		else if (!memcmp(got.data, mac, 6))
			n++;
	}
	printf("received=%llu\n", n);
	if (!closed)
		printf("the closing broadcast did not arrive\n");
	return closed ? EXIT_HOLDS : EXIT_BROKEN;
}

static int cmd_vlan(unsigned long long count)
{
	unsigned long long n = 0, stripped = 0, bad = 0;

	for (unsigned long long i = 0; i < count; i++) {
		size_t len = 60 + (i * 97) % 1400;

		len = test_frame(frame, rx.mac, len, i);
		send_frame(frame, len);
		if (!receive(wait_ms))
			break;
		n++;
		stripped += (unsigned int)got.has_tag;
		bad += !check_same(frame, len);
	}
	printf("received=%llu stripped=%llu wrong=%llu\n", n, stripped, bad);
	return bad ? EXIT_BROKEN : EXIT_HOLDS;
}

/* ---- receive checksum ---------------------------------------------------------------------------------------- */

#define PORTS .sport = 40000, .dport = 9
static const struct spec good_frames[] = {
	{ .name = "udp4", .proto = IPPROTO_UDP, .payload = 100, PORTS },
	{ .name = "udp4-odd", .proto = IPPROTO_UDP, .payload = 101, PORTS },
	{ .name = "tcp4", .proto = IPPROTO_TCP, .payload = 100, PORTS },
	{ .name = "tcp4-odd", .proto = IPPROTO_TCP, .payload = 333, .l4_opt = 12, PORTS },
	{ .name = "udp6", .v6 = 1, .proto = IPPROTO_UDP, .payload = 100, PORTS },
	{ .name = "tcp6", .v6 = 1, .proto = IPPROTO_TCP, .payload = 101, PORTS },
	{ .name = "tcp4-options", .proto = IPPROTO_TCP, .payload = 64, .ip_opt = 8, .l4_opt = 12, PORTS },
};

static const struct spec bad_frames[] = {
	{ .name = "ip4-header", .proto = IPPROTO_UDP, .payload = 100, .sum = BAD_IP, PORTS },
	{ .name = "ip4-header-tcp", .proto = IPPROTO_TCP, .payload = 100, .sum = BAD_IP, PORTS },
	{ .name = "udp4", .proto = IPPROTO_UDP, .payload = 100, .sum = BAD_L4, PORTS },
	{ .name = "tcp4", .proto = IPPROTO_TCP, .payload = 100, .sum = BAD_L4, PORTS },
	{ .name = "udp6", .v6 = 1, .proto = IPPROTO_UDP, .payload = 100, .sum = BAD_L4, PORTS },
	{ .name = "tcp6", .v6 = 1, .proto = IPPROTO_TCP, .payload = 101, .sum = BAD_L4, PORTS },
	{ .name = "udp6-destopt", .v6 = 1, .dest_opt = 1, .proto = IPPROTO_UDP, .payload = 80, .sum = BAD_L4, PORTS },
	{ .name = "tcp6-destopt", .v6 = 1, .dest_opt = 1, .proto = IPPROTO_TCP, .payload = 80, .sum = BAD_L4, PORTS },
	{ .name = "udp4-fragment", .fragment = 1, .proto = IPPROTO_UDP, .payload = 96, .sum = BAD_L4, PORTS },
	{ .name = "udp6-fragment", .v6 = 1, .fragment = 1, .proto = IPPROTO_UDP, .payload = 96, .sum = BAD_L4, PORTS },
	{ .name = "udp6-zero", .v6 = 1, .proto = IPPROTO_UDP, .payload = 100, .sum = ZERO_L4, PORTS },
};

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static int cmd_csum(const char *which)
{
	int good = !strcmp(which, "good"), rc = EXIT_HOLDS;
	const struct spec *list = good ? good_frames : bad_frames;
	size_t nr = good ? NR(good_frames) : NR(bad_frames);

	for (size_t i = 0; i < nr; i++) {
		struct spec s = list[i];
		struct layout lay;

		s.id = (uint16_t)(100 + i);
		s.seq = (uint32_t)(1000 * i);
		lay = build(frame, &s);
		send_frame(frame, lay.len);
		if (!receive(wait_ms)) {
			printf("%s lost\n", s.name);
			rc = EXIT_BROKEN;
			continue;
		}
		printf("%s valid=%d\n", s.name, got.csum_valid);
		if (!check_same(frame, lay.len) || (!good && got.csum_valid))
			rc = EXIT_BROKEN;
	}
	return rc;
}

/* Puts Ethernet, IP and a tunnel header before the inner frame that lies at p + 100; returns where the whole begins. */
static uint8_t *encapsulate(uint8_t *inner, size_t *len, const char *kind, int v6, int outer_sum)
{
	static const uint8_t vni[8] = { 0x08, 0, 0, 0, 0, 0, 42, 0 };
	int gre = !strncmp(kind, "gre", 3), ipip = !strcmp(kind, "ipip");
	size_t tun = ipip ? 0 : gre ? (outer_sum ? 8 : 4) : 16, l2 = ipip || !strcmp(kind, "gre") ? 14 : 0;
	uint8_t *l4, *ip, *p;

	/* An IP tunnel carries no inner Ethernet header. */
	inner += l2;
	*len -= l2;
	l4 = inner - tun;
	*len += tun;
	ip = l4 - (v6 ? 40 : 20);
	memset(ip, 0, (size_t)(l4 - ip) + tun);
	if (v6) {
		put32(ip, 0x60000000);
		put16(ip + 4, (unsigned int)*len);
		ip[6] = (uint8_t)(ipip ? 4 : gre ? 47 : IPPROTO_UDP);
		ip[7] = 64;
		memcpy(ip + 8, &src6, 16);
		memcpy(ip + 24, &dst6, 16);
	} else {
		ip[0] = 0x45;
		put16(ip + 2, (unsigned int)*len + 20);
		ip[8] = 64;
		ip[9] = (uint8_t)(ipip ? 4 : gre ? 47 : IPPROTO_UDP);
		memcpy(ip + 12, &src4, 4);
		memcpy(ip + 16, &dst4, 4);
		put16(ip + 10, ~sum16(ip, 20, 0) & 0xffff);
	}
	if (gre) {
		l4[0] = outer_sum ? 0x80 : 0;
		put16(l4 + 2, l2 ? ETH_P_IP : 0x6558);
		if (outer_sum)
			put16(l4 + 4, ~sum16(l4, *len, 0) & 0xffff);
	} else if (!ipip) {
		put16(l4, 50000);
		put16(l4 + 2, 4789);
		put16(l4 + 4, (unsigned int)*len);
		memcpy(l4 + 8, vni, 8);
		if (outer_sum)
			put16(l4 + 6, ~sum16(l4, *len, pseudo(v6, ip, IPPROTO_UDP, *len)) & 0xffff);
		if (outer_sum < 0)
			l4[6] ^= 0x55;
	}
	p = ip - 14;
	put_eth(p, rx.mac, v6 ? ETH_P_IPV6 : ETH_P_IP);
	*len += (size_t)(l4 - p);
	return p;
}

static int cmd_tunnelcsum(int known)
{
	static const char * const kinds[] = { "vxlan", "gretap", "gre", "ipip" };
	static const char * const sums[] = { "wrong-outer", "", "outer" };
	int rc = EXIT_HOLDS;

	for (size_t k = 0; k < NR(kinds); k++)
		for (int v6 = 0; v6 < 2; v6++)
			for (int outer = -1; outer < 2; outer++)
				for (int bad = 0; bad < 2; bad++) {
					struct spec s = { .proto = IPPROTO_TCP, .payload = 200 + (unsigned int)k, PORTS,
							  .sum = bad ? BAD_L4 : GOOD };
					struct layout lay;
					int bad_mark;
					uint8_t *p;

					if (outer && (!strcmp(kinds[k], "ipip") || (outer < 0 && k)))
						continue;
					lay = build(frame + 100, &s);
					p = encapsulate(frame + 100, &lay.len, kinds[k], v6, outer);
					send_frame(p, lay.len);
					if (!receive(wait_ms)) {
						printf("%s lost\n", kinds[k]);
						return EXIT_BROKEN;
					}
					printf("%s%s%s%s-%s valid=%d\n", kinds[k], v6 ? "6" : "4", outer ? "-" : "", sums[outer + 1],
					       bad ? "bad" : "good", got.csum_valid);
					/* Nobody has checked the tunnel's own checksum, unless it is that of a datagram. */
					if (k || known)
						bad_mark = bad || outer;
					else
						bad_mark = outer != 1;
					if (!check_same(p, lay.len) || (bad_mark && got.csum_valid))
						rc = EXIT_BROKEN;
				}
	return rc;
}

static int cmd_csumone(const char *name, unsigned long long count)
{
	unsigned long long n = 0;

	for (size_t i = 0; i < NR(bad_frames); i++) {
		struct spec s = bad_frames[i];

		if (strcmp(s.name, name))
			continue;
		for (unsigned long long k = 0; k < count; k++) {
			s.id = (uint16_t)k;
			send_frame(frame, build(frame, &s).len);
			n += (unsigned int)receive(wait_ms);
		}
		printf("received=%llu\n", n);
		return n == count ? EXIT_HOLDS : EXIT_BROKEN;
	}
	errno = 0;
	cannot("rawframe: no such frame: %s", name);
}

/* ---- transmit offloads --------------------------------------------------------------------------------------- */

/* Checks what any receiver would: lengths and checksums of an IPv4 or IPv6 TCP/UDP frame. */
static const char *verify(const uint8_t *p, size_t len, uint32_t *seq, size_t *payload)
{
	size_t l3 = 14, l4, l4_len;
	unsigned int proto, type;
	int v6;

	for (type = get16(p + 12); type == 0x8100 || type == 0x88A8; l3 += 4)
		type = get16(p + l3 + 2);
	v6 = type == ETH_P_IPV6;
	if (v6) {
		l4 = l3 + 40;
		proto = p[l3 + 6];
		l4_len = get16(p + l3 + 4);
	} else if (type == ETH_P_IP) {
		l4 = l3 + (size_t)(p[l3] & 15) * 4;
		proto = p[l3 + 9];
		l4_len = get16(p + l3 + 2) - (l4 - l3);
		if (sum16(p + l3, l4 - l3, 0) != 0xffff)
			return "IPv4 header checksum";
	} else {
		return "ethertype";
	}
	/* Padding is for a short frame, whose tags may count or not. */
	if (l4 + l4_len > len || (len > 60 + l3 - 14 && l4 + l4_len < len))
		return "IP length";
	if (proto == IPPROTO_UDP) {
		if (get16(p + l4 + 4) != l4_len)
			return "UDP length";
		if (!get16(p + l4 + 6))
			return "UDP checksum is zero";
		*payload = l4_len - 8;
	} else if (proto == IPPROTO_TCP) {
		*seq = get32(p + l4 + 4);
		*payload = l4_len - (size_t)(p[l4 + 12] >> 4) * 4;
	} else {
		return "protocol";
	}
	if (sum16(p + l4, l4_len, pseudo(v6, p + l3, proto, l4_len)) != 0xffff)
		return proto == IPPROTO_TCP ? "TCP checksum" : "UDP checksum";
	return NULL;
}

static unsigned int offload_frames, offload_bad;

static void offload_case(FILE *out, const struct spec *base, unsigned int mss, int ecn)
{
	struct virtio_net_hdr vh = { 0 };
	struct spec s = *base;
	struct layout lay;
	unsigned int want = 1;
	size_t sum_payload = 0;
	uint32_t seq = 0;
	int err;

	/* A path that is this broken only costs time. */
	if (offload_bad > 30)
		return;
	s.sum = SEED_L4;
	lay = build(frame, &s);
	vh.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
	vh.csum_start = (uint16_t)lay.l4;
	vh.csum_offset = s.proto == IPPROTO_TCP ? 16 : 6;
	if (mss) {
		vh.gso_type = s.v6 ? VIRTIO_NET_HDR_GSO_TCPV6 : VIRTIO_NET_HDR_GSO_TCPV4;
		vh.gso_type |= ecn ? VIRTIO_NET_HDR_GSO_ECN : 0;
		vh.gso_size = (uint16_t)mss;
		vh.hdr_len = (uint16_t)lay.data;
		want = (s.payload + mss - 1) / mss;
	}
	err = send_bytes(&vh, sizeof(vh), frame, lay.len);
	if (err) {
		errno = -err;
		cannot("rawframe: %s: send %zu bytes, mss %u", s.name, lay.len, mss);
	}
	for (unsigned int i = 0; i < want; i++) {
		const char *wrong;
		size_t payload = 0;
		uint32_t len;

		if (!receive(wait_ms)) {
			printf("%s payload %u mss %u: %u of %u frames arrived\n", s.name, s.payload, mss, i, want);
			offload_bad++;
			break;
		}
		unstrip();
		wrong = verify(got.data, got.len, &seq, &payload);
		if (!wrong && s.proto == IPPROTO_TCP && seq != (uint32_t)(s.seq + sum_payload))
			wrong = "sequence number";
		sum_payload += payload;
		if (wrong) {
			if (offload_bad++ < 20)
				printf("%s payload %u mss %u: frame %u of %u: wrong %s\n", s.name, s.payload, mss, i, want,
				       wrong);
		}
		if (verbose)
			printf("%s payload %u mss %u frame %u: %zu bytes\n", s.name, s.payload, mss, i, got.len);
		len = (uint32_t)got.len;
		if (out && (fwrite(&len, sizeof(len), 1, out) != 1 || fwrite(got.data, got.len, 1, out) != 1))
			cannot("rawframe: write");
		offload_frames++;
	}
	if (sum_payload != s.payload && want > 1) {
		printf("%s payload %u mss %u: %zu bytes arrived\n", s.name, s.payload, mss, sum_payload);
		offload_bad++;
	}
}

/* Payload of a UDP datagram whose checksum comes out as zero: it has to leave as 0xffff. */
static void zero_sum_payload(uint8_t *data, const struct spec *s)
{
	struct spec t = *s;
	struct layout lay;
	uint32_t sum;

	memset(data, 0x33, s->payload);
	put16(data, 0);
	t.fixed = data;
	t.sum = ZERO_L4;
	lay = build(frame, &t);
	sum = pseudo(s->v6, frame + lay.l3, IPPROTO_UDP, 8 + s->payload);
	sum = sum16(frame + lay.l4, 8 + s->payload, sum);
	put16(data, ~sum & 0xffff);
}

static int cmd_offload(const char *path)
{
	static const unsigned int payloads[] = { 1, 2, 3, 5, 17, 18, 19, 33, 63, 64, 65, 500, 1001, 1400 };
	static const unsigned int sizes[] = { 40, 88, 536, 1000, 1400, 1448, 1460, 4000, 8948, 8960 };
	static uint8_t fixed[64];
	FILE *out = strcmp(path, "-") ? fopen(path, "wb") : NULL;
	int one = 1;
	uint16_t id = 1;

	if (!out && strcmp(path, "-"))
		cannot("rawframe: %s", path);
	if (setsockopt(tx.fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)))
		cannot("rawframe: vnet header");
	for (int v6 = 0; v6 < 2; v6++) {
		for (int tcp = 0; tcp < 2; tcp++) {
			for (size_t i = 0; i < NR(payloads); i++) {
				struct spec s = { .name = tcp ? v6 ? "tcp6-csum" : "tcp4-csum" : v6 ? "udp6-csum" : "udp4-csum",
						  .v6 = v6, .proto = tcp ? IPPROTO_TCP : IPPROTO_UDP,
						  .payload = payloads[i], .id = id++, .seq = 7, PORTS,
						  .l4_opt = tcp ? (unsigned int)(i % 4) * 4 : 0 };

				offload_case(out, &s, 0, 0);
			}
		}
		struct spec z = { .name = v6 ? "udp6-zero" : "udp4-zero", .v6 = v6, .proto = IPPROTO_UDP, .payload = 64,
				  .id = id++, .fixed = fixed, PORTS };

		zero_sum_payload(fixed, &z);
		offload_case(out, &z, 0, 0);
	}
	for (int v6 = 0; v6 < 2; v6++) {
		for (size_t i = 0; i < NR(sizes); i++) {
			unsigned int mss = sizes[i], head = v6 ? 60 : 40;
			/* Two segments, a last segment of one byte, full, just over, and the largest the IP length allows. */
			unsigned int most = 65535 - (v6 ? 0 : 20) - 20 - 40;
			unsigned int lens[] = { mss + 1, 2 * mss, 3 * mss + 7, 17 * mss + mss / 2, most };

			if (mss + head > (unsigned int)tx.mtu)
				continue;
			for (size_t j = 0; j < NR(lens); j++) {
				unsigned int opt = (unsigned int)((i + j) % 6) * 8;	/* 0..40 bytes */
				struct spec s = { .name = v6 ? "tso6" : "tso4", .v6 = v6, .proto = IPPROTO_TCP, .id = id,
						  .seq = 0xfffff000u + (uint32_t)j, PORTS, .l4_opt = opt,
						  .flags = (uint8_t)(j & 1 ? 0x19 : 0x10) };

				if (mss + head + opt > (unsigned int)tx.mtu)
					s.l4_opt = 0;
				s.payload = lens[j] > most ? most : lens[j];
				/* No more segments than any device is asked for at once. */
				if (s.payload > mss * 400)
					s.payload = mss * 400 - 3;
				id = (uint16_t)(id + 1500);
				offload_case(out, &s, mss, 0);
			}
		}
		struct spec cwr = { .name = v6 ? "tso6-cwr" : "tso4-cwr", .v6 = v6, .proto = IPPROTO_TCP, .id = 0xfffe, .seq = 1,
				    PORTS, .l4_opt = 12, .flags = 0x99, .payload = 5000 };

		offload_case(out, &cwr, 1200, 1);
		if (!v6) {
			struct spec opts = { .name = "tso4-ipopt", .proto = IPPROTO_TCP, .id = 0x7000, .seq = 1, PORTS,
					     .ip_opt = 40, .l4_opt = 40, .payload = 9000 };

			offload_case(out, &opts, 1000, 0);
		}
	}
	if (out && fclose(out))
		cannot("rawframe: write");
	printf("offload: %u frames, %u wrong\n", offload_frames, offload_bad);
	return offload_bad ? EXIT_BROKEN : EXIT_HOLDS;
}

/* ---- RSS ----------------------------------------------------------------------------------------------------- */

enum { SNAP_BASE = 128, HASH_SLICES = 5 };

/* Packet socket whose snap length tells a value of the frame: 128 + ((value >> shift) & 127). */
static int value_socket(unsigned int ancillary, unsigned int shift)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + (int)ancillary)),
		BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, shift),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 127),
		BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, SNAP_BASE),
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	struct sock_fprog prog = { NR(code), code };
	int fd = packet_socket(&rx, ETH_P_ALL);

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)))
		cannot("rawframe: filter");
	return fd;
}

static uint32_t toeplitz(const uint8_t *key, const uint8_t *in, size_t len)
{
	uint32_t hash = 0, window = get32(key);

	for (size_t i = 0; i < len; i++) {
		for (int bit = 7; bit >= 0; bit--) {
			if (in[i] >> bit & 1)
				hash ^= window;
			window = window << 1 | (key[i + 4] >> bit & 1);
		}
	}
	return hash;
}

static struct ethtool_rxfh *read_rss(void)
{
	struct ethtool_rxfh *rss = calloc(1, sizeof(*rss) + 8192);
	struct ifreq ifr = { 0 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || !rss)
		cannot("rawframe: socket");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", rx.name);
	ifr.ifr_data = (void *)rss;
	rss->cmd = ETHTOOL_GRSSH;
	if (ioctl(fd, SIOCETHTOOL, &ifr))
		cannot("rawframe: RSS of %s", rx.name);
	rss->cmd = ETHTOOL_GRSSH;
	if (rss->indir_size * 4 + rss->key_size > 8192 || ioctl(fd, SIOCETHTOOL, &ifr))
		cannot("rawframe: RSS of %s", rx.name);
	close(fd);
	return rss;
}

/* The frame of flow k on the socket; frames of other flows were given up before and came too late. */
static int receive_flow(int fd, size_t at, unsigned int k, unsigned int *late)
{
	uint64_t until = now_us() + (uint64_t)wait_ms * 1000, now;

	while ((now = now_us()) < until && receive_on(fd, (int)((until - now) / 1000) + 1)) {
		if (get16(got.data + at) == k)
			return 1;
		++*late;
	}
	return 0;
}

static int cmd_rss(const char *kind, unsigned int count)
{
	static unsigned int per_queue[128];
	struct ethtool_rxfh *rss = read_rss();
	const uint8_t *key = (const uint8_t *)(rss->rss_config + rss->indir_size);
	int fds[1 + HASH_SLICES], v6 = !!strchr(kind, '6');
	unsigned int n_l4 = 0, n_l3 = 0, n_none = 0, n_wrong = 0, n_queue = 0, n_got = 0, n_late = 0, n_lost = 0;
	int proto = !strncmp(kind, "tcp", 3) ? IPPROTO_TCP : !strncmp(kind, "udp", 3) ? IPPROTO_UDP : 253;
	unsigned int ignored = 0;
	const char *word;

	fds[0] = value_socket(SKF_AD_QUEUE, 0);
	for (int i = 0; i < HASH_SLICES; i++)
		fds[1 + i] = value_socket(SKF_AD_RXHASH, (unsigned int)i * 7);
	for (unsigned int k = 0; k < count; k++) {
		uint8_t in[36];
		size_t addr_len = v6 ? 32 : 8;
		struct spec s = { .name = kind, .v6 = v6, .proto = proto, .payload = 400, .id = (uint16_t)k,
				  .sport = (uint16_t)(1024 + k * 7), .dport = (uint16_t)(5000 + k % 3) };
		uint32_t hash = 0, h4, h3;
		unsigned int queue = 0;
		struct layout lay;
		int lost = 0;

		/* Addresses outside the receiver's: the frame is dropped by the stack instead of answered. */
		if (v6)
			put32((uint8_t *)&src6 + 12, 0x20000 + k);
		else
			put32((uint8_t *)&src4, 0xC6120000u + k);	/* 198.18.0.0/15, for benchmarks */
		lay = build(frame, &s);
		send_frame(frame, lay.len);
		for (int i = 0; i <= HASH_SLICES; i++) {
			/* The low 16 bits of the source address tell flows apart whatever the protocol. */
			if (!receive_flow(fds[i], lay.l3 + (v6 ? 22 : 14), k & 0xffff, i ? &ignored : &n_late)) {
				lost = 1;
				break;
			}
			if (!i)
				queue = (unsigned int)got.len - SNAP_BASE;
			else
				hash |= (uint32_t)(got.len - SNAP_BASE) << (i - 1) * 7;
		}
		/* The plain socket is not used here; keep it empty. */
		while (receive(0))
			;
		if (lost) {
			if (verbose || n_lost < 5)
				printf("flow %u did not arrive in %d ms\n", k, wait_ms);
			if (++n_lost > 20)
				break;
			continue;
		}
		n_got++;
		if (queue && queue <= 128)		/* recorded queue numbers start at 1 */
			per_queue[queue - 1]++;
		memcpy(in, frame + lay.l3 + (v6 ? 8 : 12), addr_len);
		memcpy(in + addr_len, frame + lay.l4, 4);
		h4 = rss->key_size >= addr_len + 8 ? toeplitz(key, in, addr_len + 4) : 0;
		h3 = rss->key_size >= addr_len + 4 ? toeplitz(key, in, addr_len) : 0;
		if (!hash)
			n_none++;
		else if (hash == h4)
			n_l4++;
		else if (hash == h3)
			n_l3++;
		else
			n_wrong++;
		if (hash && rss->indir_size && queue != rss->rss_config[hash % rss->indir_size] + 1)
			n_queue++;
	}
	for (unsigned int q = 0; q < 128; q++)
		if (per_queue[q])
			printf("queue %u %u\n", q, per_queue[q]);
	word = n_wrong ? "wrong" : n_got == n_l4 ? "l4" : n_got == n_l3 ? "l3" : n_got == n_none ? "none" : "mixed";
	printf("flows=%u received=%u late=%u hash=%s misplaced=%u\n", count, n_got, n_late, word, n_queue);
	return n_got == count && !n_wrong && !n_queue ? EXIT_HOLDS : EXIT_BROKEN;
}

/* ---- command line -------------------------------------------------------------------------------------------- */

static void usage(void)
{
	errno = 0;
	cannot("usage: rawframe -i IF [-a NS] -j IF [-b NS] [-s A] [-d A] [-S A6] [-D A6] [-V TPID:TCI,...] [-t MS] [-v] COMMAND ...");
}

static void parse_tags(char *s)
{
	for (char *one = strtok(s, ","); one; one = strtok(NULL, ",")) {
		unsigned int tpid, tci;

		if (sscanf(one, "%x:%u", &tpid, &tci) != 2 || nr_tags == MAX_TAGS)
			usage();
		tags[nr_tags].tpid = (uint16_t)tpid;
		tags[nr_tags++].tci = (uint16_t)tci;
	}
}

static void address(int family, const char *s, void *to)
{
	errno = 0;
	if (inet_pton(family, s, to) != 1)
		cannot("rawframe: not an address: %s", s);
}

int main(int argc, char **argv)
{
	const char *cmd;
	int opt;

	address(AF_INET, "10.0.0.1", &src4);
	address(AF_INET, "10.0.0.2", &dst4);
	address(AF_INET6, "fd00::1", &src6);
	address(AF_INET6, "fd00::2", &dst6);
	while ((opt = getopt(argc, argv, "+i:a:j:b:s:d:S:D:V:t:v")) != -1) {
		switch (opt) {
		case 'i': tx.name = optarg; break;
		case 'a': tx.ns = optarg; break;
		case 'j': rx.name = optarg; break;
		case 'b': rx.ns = optarg; break;
		case 's': address(AF_INET, optarg, &src4); break;
		case 'd': address(AF_INET, optarg, &dst4); break;
		case 'S': address(AF_INET6, optarg, &src6); break;
		case 'D': address(AF_INET6, optarg, &dst6); break;
		case 'V': parse_tags(optarg); break;
		case 't': wait_ms = (int)number(optarg); break;
		case 'v': verbose = 1; break;
		default: usage();
		}
	}
	argc -= optind;
	argv += optind;
	if (argc < 1)
		usage();
	cmd = argv[0];
	if (!strcmp(cmd, "csumlist")) {
		for (size_t i = 0; i < NR(bad_frames); i++)
			puts(bad_frames[i].name);
		return EXIT_HOLDS;
	}
	if (!tx.name || !rx.name)
		usage();
	stay_on_one_cpu();
	open_ports();
	if (!strcmp(cmd, "sizes") && argc == 4)
		return cmd_sizes(number(argv[1]), number(argv[2]), number(argv[3]));
	if (!strcmp(cmd, "csum") && argc == 2)
		return cmd_csum(argv[1]);
	if (!strcmp(cmd, "tunnelcsum") && argc == 2)
		return cmd_tunnelcsum(!strcmp(argv[1], "known"));
	if (!strcmp(cmd, "csumone") && argc == 3)
		return cmd_csumone(argv[1], number(argv[2]));
	if (!strcmp(cmd, "offload") && argc == 2)
		return cmd_offload(argv[1]);
	if (!strcmp(cmd, "deliver") && argc == 3)
		return cmd_deliver(argv[1], number(argv[2]));
	if (!strcmp(cmd, "vlan") && argc == 2)
		return cmd_vlan(number(argv[1]));
	if (!strcmp(cmd, "rss") && argc == 3)
		return cmd_rss(argv[1], (unsigned int)number(argv[2]));
	if (!strcmp(cmd, "burst") && argc == 3)
		return cmd_burst(number(argv[1]), number(argv[2]));
	usage();
	return EXIT_CANNOT;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * segments - hands checksum and segmentation requests to an interface, computes by itself every frame that has to come of
 * them, and compares what arrives at another port byte for byte.
 *
 *   segments -i IF [-a NS] -j PORT [-b NS] [-k eth|ip] [-e none|vxlan|geneve|gre|ipip] [-f 46] [-V TAGS] [-m MTU] [-u]
 *            [-q] [-v] [-g] [-s MSS]
 *
 *   -i, -a  interface to send on and its namespace: a port, a VLAN device, a tunnel device on top of a port
 *   -j, -b  port at which frames arrive, and its namespace
 *   -k      frames that IF takes: Ethernet, or bare IP packets
 *   -e      encapsulation that has to be around them
 *   -f      IP versions to send
 *   -V      VLAN tags that have to be on the wire, outermost first, for example 88a8:7,8100:5
 *   -m      largest IP packet that IF takes (1400)
 *   -u      UDP segmentation, too
 *   -q      fewer cases
 *   -g      outer IPv4 identifications may leave gaps: each segment was sent by itself, and between two of them the kernel
 *           passes over some when its clock has ticked
 *   -s MSS  only sends one TCP packet of three segments of MSS bytes, whatever the MTU, and waits for none of them
 *
 * Inner frames are compared with what this program makes: IP length, identification and checksum, TCP sequence numbers,
 * flags and checksum, UDP length and checksum, payload. Of the headers around them addresses and the like have to be those
 * of the first segment; lengths and checksums have to be right, and an IPv4 identification has to count up unless the
 * packet must not be fragmented.
 *
 * Prints "cases=N frames=N wrong=N". Exit: 0 all as expected, 1 not, 2 the tool could not work.
 */
#include "packet.h"
#include "util.h"
#include "wire.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif
#define NR(a) (sizeof(a) / sizeof((a)[0]))
#define ROOM (68 * 1024)
#define MAX_GAP 1000

static const char *tx_if, *rx_if, *tx_ns, *rx_ns, *encap = "none", *families = "46";
static int l2 = 1, with_uso, quick, verbose, gaps, tx_fd, rx_fd, tx_index;
static unsigned int max_ip = 1400, nr_tags, cases, frames, wrong;
static struct { uint16_t tpid, tci; } tags[4];
static uint8_t rx_mac[6], packet[ROOM], want[ROOM], got[ROOM], outer_first[256];
static size_t got_len;

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static uint32_t pseudo(const uint8_t *ip, unsigned int proto, size_t l4_len)
{
	uint32_t sum = ip[0] >> 4 == 6 ? sum16(ip + 8, 32, 0) : sum16(ip + 12, 8, 0);

	return sum + proto + (uint32_t)(l4_len >> 16) + (uint32_t)(l4_len & 0xffff);
}

/* ---- what is asked for, and what has to come ----------------------------------------------------------------------- */

struct request {
	int v6, proto;
	unsigned int payload, mss;	/* mss 0: only a checksum */
	unsigned int ip_opt, l4_opt;
	uint8_t flags;			/* TCP */
	int layout;
	unsigned int no;
	/* filled by build() */
	size_t l3, l4, data, len;
};

static size_t l4_head(const struct request *r)
{
	return r->proto == IPPROTO_TCP ? 20 + r->l4_opt : 8;
}

/* Headers for a packet with these bytes of payload, at p; the payload is there already. */
static void put_headers(uint8_t *p, const struct request *r, unsigned int payload, unsigned int seg, uint32_t offset,
			uint8_t flags)
{
	uint8_t *ip = p + r->l3, *l4 = p + r->l4;
	size_t l4_len = l4_head(r) + payload;

	if (l2) {
		memcpy(p, rx_mac, 6);
		memcpy(p + 6, "\x02\x46\x46\x53\x45\x47", 6);
		put16(p + 12, r->v6 ? ETH_P_IPV6 : ETH_P_IP);
	}
	if (r->v6) {
		put32(ip, 0x60012345);
		put16(ip + 4, l4_len > 0xffff ? 0 : (unsigned int)l4_len);
		ip[6] = (uint8_t)r->proto;
		ip[7] = 63;
		memset(ip + 8, 0, 32);
		put16(ip + 8, 0xfd98);
		put16(ip + 22, r->no);
		put16(ip + 24, 0xfd99);
		ip[39] = 1;
	} else {
		memset(ip, 0, 20);
		ip[0] = (uint8_t)(0x45 + r->ip_opt / 4);
		put16(ip + 2, (unsigned int)(20 + r->ip_opt + l4_len));
		put16(ip + 4, (0xfff0 + r->no * 7 + seg) & 0xffff);
		ip[6] = r->no & 1 ? 0x40 : 0;
		ip[8] = 63;
		ip[9] = (uint8_t)r->proto;
		put16(ip + 12, 198 << 8 | 18);
		put16(ip + 14, r->no);
		put32(ip + 16, 0xC6130001);
		memset(ip + 20, 1, r->ip_opt);
		put16(ip + 10, ~sum16(ip, 20 + r->ip_opt, 0) & 0xffff);
	}
	memset(l4, 0, l4_head(r));
	put16(l4, 40000);
	put16(l4 + 2, 9);
	if (r->proto == IPPROTO_TCP) {
		put32(l4 + 4, 0xfffffe00u + r->no + offset);
		put32(l4 + 8, 0x01020304);
		l4[12] = (uint8_t)((20 + r->l4_opt) / 4 << 4);
		l4[13] = flags;
		put16(l4 + 14, 0x2000);
		memset(l4 + 20, 1, r->l4_opt);
	} else {
		put16(l4 + 4, l4_len > 0xffff ? 0 : (unsigned int)l4_len);
	}
}

static void build(struct request *r)
{
	unsigned int field = r->proto == IPPROTO_TCP ? 16 : 6;

	r->l3 = l2 ? 14 : 0;
	r->l4 = r->l3 + (r->v6 ? 40 : 20 + r->ip_opt);
	r->data = r->l4 + l4_head(r);
	r->len = r->data + r->payload;
	fill_random(packet + r->data, r->payload, r->no * 7919u + r->payload);
	put_headers(packet, r, r->payload, 0, 0, r->flags);
	put16(packet + r->l4 + field,
	      sum16(NULL, 0, pseudo(packet + r->l3, (unsigned int)r->proto, r->len - r->l4)));
}

/* Segment number seg in want; returns its length. */
static size_t expect(const struct request *r, unsigned int seg, unsigned int nr)
{
	unsigned int offset = seg * r->mss, field = r->proto == IPPROTO_TCP ? 16 : 6;
	unsigned int payload = seg + 1 < nr ? r->mss : r->payload - offset;
	uint8_t flags = r->flags;
	size_t l4_len = l4_head(r) + payload;
	uint32_t sum;

	if (seg)
		flags &= (uint8_t)~0x80;	/* CWR in the first only */
	if (seg + 1 < nr)
		flags &= (uint8_t)~0x09;	/* FIN and PSH in the last only */
	memcpy(want + r->data, packet + r->data + offset, payload);
	put_headers(want, r, payload, seg, offset, flags);
	sum = ~sum16(want + r->l4, l4_len, pseudo(want + r->l3, (unsigned int)r->proto, l4_len)) & 0xffff;
	if (!sum && r->proto == IPPROTO_UDP)
		sum = 0xffff;
	put16(want + r->l4 + field, sum);
	return r->data + payload;
}

/* ---- frames that arrive ---------------------------------------------------------------------------------------------- */

static int receive(int ms)
{
	union { struct cmsghdr cm; char room[CMSG_SPACE(sizeof(struct tpacket_auxdata))]; } control;
	struct iovec iov = { got, sizeof(got) - 4 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	struct pollfd pfd = { .fd = rx_fd, .events = POLLIN };
	struct tpacket_auxdata aux;
	ssize_t n;

	if (poll(&pfd, 1, ms) <= 0)
		return 0;
	n = recvmsg(rx_fd, &msg, 0);
	if (n < 14)
		cannot("segments: receive");
	got_len = (size_t)n;
	for (struct cmsghdr *cm = CMSG_FIRSTHDR(&msg); cm; cm = CMSG_NXTHDR(&msg, cm)) {
		if (cm->cmsg_level != SOL_PACKET || cm->cmsg_type != PACKET_AUXDATA)
			continue;
		memcpy(&aux, CMSG_DATA(cm), sizeof(aux));
		if (!(aux.tp_status & TP_STATUS_VLAN_VALID))
			continue;
		/* A tag that was taken out goes back. */
		memmove(got + 16, got + 12, got_len - 12);
		put16(got + 12, aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid : ETH_P_8021Q);
		put16(got + 14, aux.tp_vlan_tci);
		got_len += 4;
	}
	return 1;
}

static const char *check_l4_sum(const uint8_t *ip, const uint8_t *l4, size_t len, unsigned int proto)
{
	return sum16(l4, len, pseudo(ip, proto, len)) == 0xffff ? NULL : "outer UDP checksum";
}

static uint16_t first_id, last_id;

/* Headers around the inner frame; seg 0 sets the measure. Leaves in *at and *len where the inner frame is. */
static const char *check_outer(unsigned int seg, size_t *at, size_t *len)
{
	size_t o = *at, end, payload, tun;
	unsigned int proto, v6 = got[o] >> 4 == 6, df = 0, id = 0;
	uint8_t *ip = got + o, head[256];

	if (v6) {
		if (get16(got + o - 2) != ETH_P_IPV6)
			return "outer Ethernet type";
		payload = get16(ip + 4);
		proto = ip[6];
		end = o + 40;
		if (proto == 60) {	/* destination options */
			proto = got[end];
			payload -= (size_t)got[end + 1] * 8 + 8;
			end += (size_t)got[end + 1] * 8 + 8;
		}
		put16(ip + 4, 0);
	} else {
		size_t ihl = (size_t)(ip[0] & 15) * 4;

		if (get16(got + o - 2) != ETH_P_IP)
			return "outer Ethernet type";
		if (sum16(ip, ihl, 0) != 0xffff)
			return "outer IPv4 checksum";
		payload = get16(ip + 2) - ihl;
		proto = ip[9];
		end = o + ihl;
		id = get16(ip + 4);
		df = ip[6] & 0x40;
	}
	if (end + payload > got_len || (got_len > 60 && end + payload < got_len))
		return "outer IP length";
	tun = end;
	if (!strcmp(encap, "vxlan") || !strcmp(encap, "geneve")) {
		int geneve = !strcmp(encap, "geneve");
		const char *bad;

		if (proto != IPPROTO_UDP || get16(got + end + 2) != (geneve ? 6081 : 4789))
			return "tunnel header";
		if (get16(got + end + 4) != payload)
			return "outer UDP length";
		if (get16(got + end + 6)) {
			bad = check_l4_sum(ip, got + end, payload, proto);
			if (bad)
				return bad;
		}
		put16(got + end + 4, 0);
		put16(got + end + 6, !!get16(got + end + 6));
		tun += geneve ? 16 + (size_t)(got[end + 8] & 63) * 4 : 16;
	} else if (!strcmp(encap, "gre")) {
		if (proto != IPPROTO_GRE)
			return "tunnel header";
		tun += 4;
		if (got[end] & 0x80) {
			if (sum16(got + end, payload, 0) != 0xffff)
				return "GRE checksum";
			put32(got + end + 4, 0);
			tun += 4;
		}
		if (got[end] & 0x20)
			tun += 4;
	} else if (proto != IPPROTO_IPIP && proto != IPPROTO_IPV6) {
		return "tunnel header";
	}
	if (!v6) {
		if (!seg)
			first_id = (uint16_t)id;
		else if (!(df && id == first_id) && (uint16_t)(id - last_id - 1) > (gaps ? MAX_GAP : 0))
			return "outer IPv4 identification";
		last_id = (uint16_t)id;
		put16(ip + 2, 0);
		put32(ip + 4, get32(ip + 4) & 0xffff);
		put16(ip + 10, 0);
	}
	/* The rest of the outer headers is the same in all segments. */
	if (tun > sizeof(head))
		return "outer headers too long";
	memcpy(head, got, tun);
	if (!seg)
		memcpy(outer_first, head, tun);
	else if (memcmp(outer_first, head, tun))
		return "outer header that changes";
	*at = tun;
	*len = end + payload - tun;
	return NULL;
}

/*
 * Is the frame in got one of the request? -1: no, of something else. 0: yes, and as expected; 1: yes, and *why it is not.
 */
static int check_frame(const struct request *r, unsigned int seg, unsigned int nr, const char **why)
{
	size_t len = expect(r, seg, nr), at = 12, inner_len = got_len, ip;

	*why = NULL;
	if (!memcmp(got, "\xff\xff\xff\xff\xff\xff", 6) || got[0] & 1)
		return -1;
	for (unsigned int i = 0; i < nr_tags; i++, at += 4)
		if (get16(got + at) != tags[i].tpid || get16(got + at + 2) != tags[i].tci) {
			*why = "VLAN tag";
			break;
		}
	if (!*why && (get16(got + at) == ETH_P_8021Q || get16(got + at) == ETH_P_8021AD))
		*why = "VLAN tag too many";
	if (*why) {
		/* Ours? The case number is somewhere in it. */
		return -1;
	}
	at += 2;
	if (strcmp(encap, "none")) {
		*why = check_outer(seg, &at, &inner_len);
		/* Neighbour discovery and the like */
		if (*why && (!strcmp(*why, "tunnel header") || !strcmp(*why, "outer Ethernet type")))
			return -1;
		if (*why)
			return 1;
	} else {
		/* Take the tags out, so that the frame starts with our Ethernet header. */
		memmove(got + 12, got + at - 2, got_len - (at - 2));
		inner_len = got_len - (at - 14);
		at = 0;
	}
	ip = at + r->l3;
	if (got[ip] >> 4 == 6 ? got[ip + 8] != 0xfd || got[ip + 9] != 0x98 || get16(got + ip + 22) != r->no :
				get16(got + ip + 12) != (198 << 8 | 18) || get16(got + ip + 14) != r->no)
		return -1;
	if (inner_len != len && !(inner_len > len && !strcmp(encap, "none") && inner_len <= 64)) {
		*why = "length";
		return 1;
	}
	for (size_t i = 0; i < len; i++) {
		static char text[80];

		if (got[at + i] == want[i])
			continue;
		snprintf(text, sizeof(text), "byte %zu (IP at %zu, L4 at %zu): %02x, want %02x", i, r->l3, r->l4, got[at + i],
			 want[i]);
		*why = text;
		return 1;
	}
	return 0;
}

/* ---- one request --------------------------------------------------------------------------------------------------- */

static int send_request(const struct request *r)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = tx_index,
				  .sll_protocol = htons(r->v6 ? ETH_P_IPV6 : ETH_P_IP) };
	struct virtio_net_hdr vh = { 0 };
	struct iovec iov[2] = { { &vh, sizeof(vh) }, { packet, r->len } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2, .msg_name = &to, .msg_namelen = sizeof(to) };
	uint64_t start = now_us();

	vh.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
	vh.csum_start = (uint16_t)r->l4;
	vh.csum_offset = r->proto == IPPROTO_TCP ? 16 : 6;
	if (r->mss) {
		vh.gso_type = r->proto == IPPROTO_UDP ? VIRTIO_NET_HDR_GSO_UDP_L4 :
			      r->v6 ? VIRTIO_NET_HDR_GSO_TCPV6 : VIRTIO_NET_HDR_GSO_TCPV4;
		vh.gso_type |= r->flags & 0x80 && r->proto == IPPROTO_TCP ? VIRTIO_NET_HDR_GSO_ECN : 0;
		vh.gso_size = (uint16_t)r->mss;
	}
	/* How much lies in the head: all headers; everything, or much of it; headers and an odd piece. */
	vh.hdr_len = (uint16_t)r->data;
	if (r->layout == 1)
		vh.hdr_len = (uint16_t)(r->len < 30000 ? r->len : 16000);
	else if (r->layout == 2)
		vh.hdr_len = (uint16_t)(r->data + 77 < r->len ? r->data + 77 : r->len);
	while (sendmsg(tx_fd, &msg, 0) < 0) {
		if ((errno != ENOBUFS && errno != EAGAIN) || now_us() - start > 5000000)
			return -errno;
		nap_us(100);
	}
	return 0;
}

static void complain(const struct request *r, unsigned int seg, unsigned int nr, const char *why)
{
	if (wrong++ < 20)
		printf("%s%c payload %u mss %u options %u+%u layout %d: frame %u of %u: %s\n",
		       r->proto == IPPROTO_TCP ? "tcp" : "udp", r->v6 ? '6' : '4', r->payload, r->mss, r->ip_opt, r->l4_opt,
		       r->layout, seg, nr, why);
}

static void run(struct request r)
{
	unsigned int nr = r.mss ? (r.payload + r.mss - 1) / r.mss : 1, seg = 0;
	const char *why;
	int err, ms = 3000;
	uint64_t until;

	/* A path that is this broken only costs time. */
	if (wrong > 60)
		return;
	r.no = ++cases & 0xffff;
	build(&r);
	err = send_request(&r);
	if (err) {
		errno = -err;
		cannot("segments: send %zu bytes, mss %u", r.len, r.mss);
	}
	until = now_us() + (uint64_t)ms * 1000;
	while (seg < nr) {
		uint64_t now = now_us();
		int kind;

		if (now >= until || !receive((int)((until - now) / 1000) + 1)) {
			complain(&r, seg, nr, "did not arrive");
			return;
		}
		kind = check_frame(&r, seg, nr, &why);
		if (kind < 0)
			continue;
		frames++;
		if (kind)
			complain(&r, seg, nr, why);
		seg++;
		until = now_us() + (uint64_t)ms * 1000;
	}
	if (verbose)
		printf("case %u: %u frames\n", cases, nr);
}

static void send_three_segments(int v6, unsigned int mss)
{
	struct request r = { .v6 = v6, .proto = IPPROTO_TCP, .mss = mss, .payload = 3 * mss, .flags = 0x10 };
	int err;

	r.no = ++cases;
	build(&r);
	err = send_request(&r);
	if (err) {
		errno = -err;
		cannot("segments: send %zu bytes, mss %u", r.len, mss);
	}
}

/* ---- all of them --------------------------------------------------------------------------------------------------- */

static void run_checksums(int v6)
{
	static const unsigned int payloads[] = { 1, 2, 3, 5, 17, 18, 19, 33, 63, 64, 65, 255, 256, 257, 500, 1001, 1200 };

	for (int tcp = 0; tcp < 2; tcp++)
		for (size_t i = 0; i < NR(payloads); i++)
			for (int layout = 0; layout < (quick ? 1 : 3); layout++)
				run((struct request){ .v6 = v6, .proto = tcp ? IPPROTO_TCP : IPPROTO_UDP, .payload = payloads[i],
						      .l4_opt = tcp ? (unsigned int)(i % 4) * 4 : 0, .flags = 0x10,
						      .ip_opt = !v6 && i % 5 == 4 ? 8 : 0, .layout = layout });
}

static void run_segments(int v6, int proto)
{
	static const unsigned int sizes[] = { 88, 89, 536, 1000, 1001, 1200, 0 };
	unsigned int ip = v6 ? 40 : 20, l4 = proto == IPPROTO_TCP ? 20 : 8;

	for (size_t i = 0; i < NR(sizes); i++) {
		unsigned int mss = sizes[i] ? sizes[i] : max_ip - ip - l4;
		unsigned int lens[] = { mss + 1, 2 * mss, 3 * mss + 7, 7 * mss, 17 * mss + mss / 2, 44 * mss + 1 };
		unsigned int most = 64000;

		if (mss + ip + l4 > max_ip)
			continue;
		for (size_t j = 0; j < NR(lens); j++) {
			for (int layout = 0; layout < 3; layout++) {
				unsigned int opt = proto == IPPROTO_TCP ? (unsigned int)((i + j) % 6) * 8 : 0;
				static const uint8_t flags[] = { 0x10, 0x19, 0x18, 0x11, 0x98 };

				if (quick && (j == 3 || j == 5 || (layout && j != 4)))
					continue;
				if (mss + ip + l4 + opt > max_ip)
					opt = 0;
				run((struct request){ .v6 = v6, .proto = proto, .mss = mss, .l4_opt = opt,
						      .payload = lens[j] < most ? lens[j] : most,
						      .flags = flags[(i + j) % NR(flags)], .layout = layout });
			}
		}
	}
}

static int packet_socket(int proto, int index)
{
	struct sockaddr_ll sll = { .sll_family = AF_PACKET, .sll_protocol = htons((uint16_t)proto), .sll_ifindex = index };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), one = 1, room = 32 << 20;

	if (fd < 0 || bind(fd, (struct sockaddr *)&sll, sizeof(sll)))
		cannot("segments: packet socket");
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	if (!proto)
		return fd;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)))
		cannot("segments: packet socket options");
	return fd;
}

static int if_index(const char *name)
{
	unsigned int index = if_nametoindex(name);

	if (!index)
		cannot("segments: %s", name);
	return (int)index;
}

static void open_ports(void)
{
	int root = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), one = 1;
	struct ifreq ifr = { 0 };

	enter_ns(tx_ns);
	tx_index = if_index(tx_if);
	tx_fd = packet_socket(0, tx_index);
	if (setsockopt(tx_fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)))
		cannot("segments: vnet header");
	if (tx_ns && setns(root, CLONE_NEWNET))
		cannot("segments: back to the first namespace");
	enter_ns(rx_ns);
	rx_fd = packet_socket(ETH_P_ALL, if_index(rx_if));
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", rx_if);
	if (ioctl(rx_fd, SIOCGIFHWADDR, &ifr))
		cannot("segments: %s", rx_if);
	memcpy(rx_mac, ifr.ifr_hwaddr.sa_data, 6);
}

__attribute__((noreturn))
static void usage(void)
{
	errno = 0;
	cannot("usage: segments -i IF [-a NS] -j PORT [-b NS] [-k eth|ip] [-e ENCAP] [-f 46] [-V TAGS] [-m MTU] [-u] [-q] [-v] [-g] [-s MSS]");
}

static void parse_tags(char *s)
{
	for (char *one = strtok(s, ","); one; one = strtok(NULL, ",")) {
		unsigned int tpid, tci;

		if (sscanf(one, "%x:%u", &tpid, &tci) != 2 || nr_tags == NR(tags))
			usage();
		tags[nr_tags].tpid = (uint16_t)tpid;
		tags[nr_tags++].tci = (uint16_t)tci;
	}
}

int main(int argc, char **argv)
{
	unsigned int only_mss = 0;
	int opt;

	while ((opt = getopt(argc, argv, "i:a:j:b:k:e:f:V:m:uqvgs:")) != -1) {
		switch (opt) {
		case 'i': tx_if = optarg; break;
		case 'a': tx_ns = optarg; break;
		case 'j': rx_if = optarg; break;
		case 'b': rx_ns = optarg; break;
		case 'k': l2 = !strcmp(optarg, "eth"); break;
		case 'e': encap = optarg; break;
		case 'f': families = optarg; break;
		case 'V': parse_tags(optarg); break;
		case 'm': max_ip = (unsigned int)number(optarg); break;
		case 'u': with_uso = 1; break;
		case 'q': quick = 1; break;
		case 'v': verbose = 1; break;
		case 'g': gaps = 1; break;
		case 's': only_mss = (unsigned int)number(optarg); break;
		default: usage();
		}
	}
	if (!tx_if || !rx_if || optind != argc || only_mss > ROOM / 4)
		usage();
	stay_on_one_cpu();
	open_ports();
	for (int v6 = 0; v6 < 2; v6++) {
		if (!strchr(families, v6 ? '6' : '4'))
			continue;
		if (only_mss) {
			send_three_segments(v6, only_mss);
			continue;
		}
		run_checksums(v6);
		run_segments(v6, IPPROTO_TCP);
		if (with_uso)
			run_segments(v6, IPPROTO_UDP);
	}
	printf("cases=%u frames=%u wrong=%u\n", cases, frames, wrong);
	if (only_mss)
		return EXIT_HOLDS;
	return wrong || !frames ? EXIT_BROKEN : EXIT_HOLDS;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ptp - PTP clocks and hardware time stamps, without a PTP daemon.
 *
 *   ptp caps CLOCK             prints "max_adj=N pps=N per_out=N ext_ts=N pins=N"; CLOCK is /dev/ptpN
 *   ptp [-r CLOCK] offset CLOCK  prints how far the clock is ahead of system time, or of the other clock, and how sure
 *                              that is: "offset=NS within=NS"
 *   ptp time CLOCK             prints its time, in ns
 *   ptp set CLOCK NS           sets the time
 *   ptp step CLOCK NS          steps it by NS, which may be negative
 *   ptp rate CLOCK PPB         sets the rate, parts per thousand million
 *   ptp [-r CLOCK] measure CLOCK MS  prints the rate against the system's, or the other clock's, in ppb, over MS ms
 *   ptp order CLOCK COUNT      reads it COUNT times; prints "back=NS", the greatest step backwards
 *   ptp pulse CLOCK SECONDS    asks for a pulse with that period; 0 ends it; prints "ok" or the error; exit 1 then
 *
 *   ptp [-a NS] -i IF config [TX FILTER]  asks for, or shows, what is stamped: "ok tx=N filter=N" or the error; exit 1 then
 *   ptp -i IF [-a NS] -c CLOCK -j IF [-b NS] -d CLOCK stamps KIND COUNT [burst]
 *       sends COUNT frames of KIND from the first port to the second and looks for a stamp of each, there and here. Prints
 *       "sent=N tx=N rx=N outside=N spread=NS": stamps sent and received, those that lie outside of the time between the
 *       readings of the port's clock before and after, and how much the way from stamp to stamp differs. burst: does not
 *       wait for one stamp before the next frame. KIND: l2-sync l2-delay l2-pdelay l2-presp l2-announce v4-sync v4-delay
 *       v6-sync (version 2), v1-sync v1-delay (version 1), udp (another port), other (another protocol)
 */
#include "packet.h"
#include "util.h"
#include "wire.h"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>

#define NSEC 1000000000ll
/* Stamps may lie this far outside of two readings: a reading takes that long. */
#define SLACK_NS 50000

struct port {
	const char *ns, *name, *clock;
	int index, fd, phc;
	uint8_t mac[6];
};

static const uint8_t our_mac[6] = { 0x02, 0x46, 0x46, 0x50, 0x54, 0x02 };

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static int open_clock(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		cannot("ptp: %s", path);
	return fd;
}

static clockid_t clock_of(int fd)
{
	return (clockid_t)((~(unsigned int)fd << 3) | 3);
}

static long long to_ns(long long sec, long long nsec)
{
	return sec * NSEC + nsec;
}

static long long read_clock(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts))
		cannot("ptp: reading a clock");
	return to_ns(ts.tv_sec, ts.tv_nsec);
}

/* The same of the clock -r, if there is one. */
static int reference = -1;

static long long offset_of_reference(int fd, long long *within)
{
	long long best = 0;

	*within = -1;
	for (int i = 0; i < 20; i++) {
		long long a = read_clock(clock_of(reference));
		long long t = read_clock(clock_of(fd));
		long long b = read_clock(clock_of(reference));

		if (*within >= 0 && (b - a) / 2 >= *within)
			continue;
		*within = (b - a) / 2;
		best = t - (a + (b - a) / 2);
	}
	return best;
}

/* How far it is ahead of system time, from the reading that took least; *within: half of what that took. */
static long long offset_of(int fd, long long *within)
{
	struct ptp_sys_offset_extended q;
	long long best = 0;

	if (reference >= 0)
		return offset_of_reference(fd, within);
	memset(&q, 0, sizeof(q));
	q.n_samples = 20;
	if (ioctl(fd, PTP_SYS_OFFSET_EXTENDED, &q))
		cannot("ptp: offset");
	*within = -1;
	for (unsigned int i = 0; i < q.n_samples; i++) {
		long long a = to_ns(q.ts[i][0].sec, q.ts[i][0].nsec);
		long long t = to_ns(q.ts[i][1].sec, q.ts[i][1].nsec);
		long long b = to_ns(q.ts[i][2].sec, q.ts[i][2].nsec);

		if (*within >= 0 && (b - a) / 2 >= *within)
			continue;
		*within = (b - a) / 2;
		best = t - (a + (b - a) / 2);
	}
	return best;
}

static int adjust(int fd, struct timex *tx)
{
	return (int)syscall(SYS_clock_adjtime, clock_of(fd), tx);
}

static int cmd_caps(int fd)
{
	struct ptp_clock_caps caps = { 0 };

	if (ioctl(fd, PTP_CLOCK_GETCAPS, &caps))
		cannot("ptp: capabilities");
	printf("max_adj=%d pps=%d per_out=%d ext_ts=%d pins=%d\n", caps.max_adj, caps.pps, caps.n_per_out,
	       caps.n_ext_ts, caps.n_pins);
	return EXIT_HOLDS;
}

static int cmd_offset(int fd)
{
	long long within, offset = offset_of(fd, &within);

	printf("offset=%lld within=%lld\n", offset, within);
	return EXIT_HOLDS;
}

static int cmd_set(int fd, long long ns)
{
	struct timespec ts = { ns / NSEC, (long)(ns % NSEC) };

	if (clock_settime(clock_of(fd), &ts))
		cannot("ptp: setting the time");
	return EXIT_HOLDS;
}

static int cmd_step(int fd, long long ns)
{
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO };
	long long sec = ns / NSEC, rest = ns % NSEC;

	if (rest < 0) {
		sec--;
		rest += NSEC;
	}
	tx.time.tv_sec = sec;
	tx.time.tv_usec = rest;
	if (adjust(fd, &tx) < 0)
		cannot("ptp: stepping the time");
	return EXIT_HOLDS;
}

static int cmd_rate(int fd, long long ppb)
{
	struct timex tx = { .modes = ADJ_FREQUENCY, .freq = (long)(ppb * 65536 / 1000) };

	if (adjust(fd, &tx) < 0) {
		puts(strerror(errno));
		return EXIT_BROKEN;
	}
	puts("ok");
	return EXIT_HOLDS;
}

static int cmd_measure(int fd, unsigned int ms)
{
	clockid_t other = reference >= 0 ? clock_of(reference) : CLOCK_REALTIME;
	long long within, system, ahead;

	ahead = offset_of(fd, &within);
	system = read_clock(other);
	nap_us(ms * 1000);
	ahead = offset_of(fd, &within) - ahead;
	system = read_clock(other) - system;
	printf("%lld\n", ahead * NSEC / system);
	return EXIT_HOLDS;
}

static int cmd_order(int fd, unsigned long long count)
{
	long long last = read_clock(clock_of(fd)), back = 0;

	while (count--) {
		long long now = read_clock(clock_of(fd));

		if (last - now > back)
			back = last - now;
		last = now;
	}
	printf("back=%lld\n", back);
	return EXIT_HOLDS;
}

static int cmd_pulse(int fd, long long seconds)
{
	struct ptp_perout_request req = { .period = { seconds, 0 } };

	if (ioctl(fd, PTP_PEROUT_REQUEST, &req)) {
		puts(strerror(errno));
		return EXIT_BROKEN;
	}
	puts("ok");
	return EXIT_HOLDS;
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static int packet_socket(const struct port *port, int proto, unsigned int stamps)
{
	struct sockaddr_ll sll = { .sll_family = AF_PACKET, .sll_protocol = htons((uint16_t)proto),
				   .sll_ifindex = port->index };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), one = 1;

	if (fd < 0)
		cannot("ptp: packet socket");
	if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps)))
		cannot("ptp: time stamps");
	if (proto)
		setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&sll, sizeof(sll)))
		cannot("ptp: bind %s", port->name);
	return fd;
}

static int cmd_config(struct port *port, const char *tx, const char *filter)
{
	struct hwtstamp_config config = { 0 };
	struct ifreq ifr = { 0 };
	int fd, err;

	enter_ns(port->ns);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", port->name);
	ifr.ifr_data = (void *)&config;
	if (tx) {
		config.tx_type = (int)number(tx);
		config.rx_filter = (int)number(filter);
	}
	err = ioctl(fd, tx ? SIOCSHWTSTAMP : SIOCGHWTSTAMP, &ifr);
	if (err) {
		puts(strerror(errno));
		return EXIT_BROKEN;
	}
	printf("ok tx=%d filter=%d\n", config.tx_type, config.rx_filter);
	return EXIT_HOLDS;
}

/* ---- frames ------------------------------------------------------------------------------------------------------- */

enum { SYNC = 0, DELAY = 1, PDELAY = 2, PRESP = 3, ANNOUNCE = 11 };

static const struct kind {
	const char *name;
	int version, ip, message, port;
} kinds[] = {
	{ "l2-sync", 2, 0, SYNC, 0 },
	{ "l2-delay", 2, 0, DELAY, 0 },
	{ "l2-pdelay", 2, 0, PDELAY, 0 },
	{ "l2-presp", 2, 0, PRESP, 0 },
	{ "l2-announce", 2, 0, ANNOUNCE, 0 },
	{ "v4-sync", 2, 4, SYNC, 319 },
	{ "v4-delay", 2, 4, DELAY, 319 },
	{ "v6-sync", 2, 6, SYNC, 319 },
	{ "v1-sync", 1, 4, SYNC, 319 },
	{ "v1-delay", 1, 4, DELAY, 319 },
	{ "udp", 2, 4, SYNC, 7319 },
	{ "other", 0, 0, 0, 0 },
};

/* The message, its number where both versions have it: 48 bytes of version 2, 124 of version 1. */
static size_t put_message(uint8_t *p, const struct kind *kind, unsigned int nr)
{
	if (kind->version == 1) {
		memset(p, 0, 124);
		put16(p, 1);			/* versionPTP */
		put16(p + 2, 1);		/* versionNetwork */
		p[20] = 1;			/* an event message */
		put16(p + 30, nr);
		p[32] = (uint8_t)kind->message;	/* control: sync 0, delay request 1 */
		return 124;
	}
	memset(p, 0, 48);
	p[0] = (uint8_t)kind->message;
	p[1] = (uint8_t)kind->version;
	put16(p + 2, 44);
	put16(p + 30, nr);
	p[32] = kind->message == SYNC ? 0 : kind->message == DELAY ? 1 : 5;
	return 48;
}

static size_t put_udp(uint8_t *p, const struct kind *kind, const uint8_t *pseudo, size_t pseudo_len, size_t len)
{
	uint32_t sum;

	put16(p, (unsigned int)kind->port);
	put16(p + 2, (unsigned int)kind->port);
	put16(p + 4, (unsigned int)(8 + len));
	put16(p + 6, 0);
	sum = sum16(pseudo, pseudo_len, 17 + (uint32_t)(8 + len));
	sum = ~sum16(p, 8 + len, sum) & 0xffff;
	put16(p + 6, sum ? sum : 0xffff);
	return 8 + len;
}

static size_t build(uint8_t *frame, const struct kind *kind, const uint8_t *dst, unsigned int nr)
{
	uint8_t *ip = frame + 14;
	size_t len;

	memcpy(frame, dst, 6);
	memcpy(frame + 6, our_mac, 6);
	if (!kind->ip) {
		put16(frame + 12, kind->version ? 0x88f7 : 0x88b5);
		return 14 + put_message(ip, kind, nr);
	}
	if (kind->ip == 4) {
		put16(frame + 12, ETH_P_IP);
		len = put_message(ip + 28, kind, nr);
		memset(ip, 0, 20);
		ip[0] = 0x45;
		put16(ip + 2, (unsigned int)(28 + len));
		ip[8] = 1;
		ip[9] = 17;
		put32(ip + 12, 0x0a000001);
		put32(ip + 16, 0xe0000181);	/* 224.0.1.129 */
		put16(ip + 10, ~sum16(ip, 20, 0) & 0xffff);
		return 34 + put_udp(ip + 20, kind, ip + 12, 8, len);
	}
	put16(frame + 12, ETH_P_IPV6);
	len = put_message(ip + 48, kind, nr);
	memset(ip, 0, 40);
	ip[0] = 0x60;
	put16(ip + 4, (unsigned int)(8 + len));
	ip[6] = 17;
	ip[7] = 1;
	ip[8] = 0xfd;
	ip[23] = 1;
	ip[24] = 0xff;
	ip[25] = 0x0e;
	ip[38] = 1;
	ip[39] = 0x81;
	return 54 + put_udp(ip + 40, kind, ip + 8, 32, len);
}

/* Where the message begins in a frame that arrived; NULL if it is none of ours. */
static const uint8_t *message_of(const uint8_t *frame, size_t len, const struct kind *kind)
{
	size_t at = 14 + (kind->ip == 4 ? 28 : kind->ip == 6 ? 48 : 0);

	if (len < at + 44 || memcmp(frame + 6, our_mac, 6))
		return NULL;
	return frame + at;
}

/* ---- stamps ------------------------------------------------------------------------------------------------------- */

/* The hardware stamp that came along with a message; 0 without one. */
static long long stamp_of(struct msghdr *msg)
{
	struct cmsghdr *cm;

	for (cm = CMSG_FIRSTHDR(msg); cm; cm = CMSG_NXTHDR(msg, cm)) {
		struct scm_timestamping ts;

		if (cm->cmsg_level != SOL_SOCKET || cm->cmsg_type != SO_TIMESTAMPING)
			continue;
		memcpy(&ts, CMSG_DATA(cm), sizeof(ts));
		return to_ns(ts.ts[2].tv_sec, ts.ts[2].tv_nsec);
	}
	return 0;
}

/* Next frame of the kind on a socket, its number and stamp; flags MSG_ERRQUEUE: one that was sent. 0 when none comes. */
static int take(int fd, int flags, int ms, const struct kind *kind, unsigned int *nr, long long *stamp)
{
	uint64_t until = now_us() + (uint64_t)ms * 1000;

	for (;;) {
		char control[512];
		uint8_t frame[2048];
		struct iovec iov = { frame, sizeof(frame) };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
				      .msg_controllen = sizeof(control) };
		struct pollfd pfd = { .fd = fd, .events = flags ? 0 : POLLIN };
		uint64_t now = now_us();
		const uint8_t *message;
		ssize_t n;

		if (poll(&pfd, 1, now < until ? (int)((until - now + 999) / 1000) : 0) <= 0)
			return 0;
		n = recvmsg(fd, &msg, flags | MSG_DONTWAIT);
		if (n < 0) {
			if (errno == EAGAIN && now_us() < until)
				continue;
			return 0;
		}
		message = message_of(frame, (size_t)n, kind);
		if (!message)
			continue;
		*nr = get16(message + 30);
		*stamp = stamp_of(&msg);
		return 1;
	}
}

static struct {
	long long before_tx, before_rx, tx, rx;
} frames[1000];

static unsigned int outside;

static void check(long long stamp, long long before, long long after)
{
	if (stamp && (stamp < before - SLACK_NS || stamp > after + SLACK_NS)) {
		fprintf(stderr, "stamp %lld, clock before %lld, after %lld\n", stamp, before, after);
		outside++;
	}
}

/* Up to @most stamps of the @count frames sent so far. */
static unsigned int take_sent(struct port *tx, const struct kind *kind, int ms, unsigned int count, unsigned int most)
{
	unsigned int nr, got = 0;
	long long stamp;

	while (got < most && take(tx->fd, MSG_ERRQUEUE, ms, kind, &nr, &stamp)) {
		if (!stamp || nr >= count)
			continue;
		frames[nr].tx = stamp;
		check(stamp, frames[nr].before_tx, read_clock(clock_of(tx->phc)));
		got++;
	}
	return got;
}

static int cmd_stamps(struct port *tx, struct port *rx, const struct kind *kind, unsigned int count, int burst, int root)
{
	unsigned int sent = 0, got_tx = 0, got_rx = 0, nr;
	long long stamp, least = 0, most = 0;
	uint8_t frame[256];
	int any = 0;

	/* Nothing but such frames, or traffic fills the socket. */
	rx->fd = packet_socket(rx, kind->ip == 4 ? ETH_P_IP : kind->ip == 6 ? ETH_P_IPV6 : kind->version ? 0x88f7 : 0x88b5,
			       SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE);
	if (setns(root, CLONE_NEWNET))
		cannot("ptp: back to the first namespace");
	look_up_interface(tx->ns, tx->name, &tx->index, tx->mac, NULL);
	tx->fd = packet_socket(tx, 0, SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE);
	for (unsigned int i = 0; i < count; i++) {
		size_t len = build(frame, kind, rx->mac, i);

		frames[i].before_tx = read_clock(clock_of(tx->phc));
		frames[i].before_rx = read_clock(clock_of(rx->phc));
		if (send(tx->fd, frame, len, 0) != (ssize_t)len)
			cannot("ptp: send");
		sent++;
		if (burst)
			continue;
		got_tx += take_sent(tx, kind, 1000, i + 1, 1);
		while (take(rx->fd, 0, 1500, kind, &nr, &stamp)) {
			if (nr != i)
				continue;
			frames[i].rx = stamp;
			got_rx += !!stamp;
			check(stamp, frames[i].before_rx, read_clock(clock_of(rx->phc)));
			break;
		}
	}
	if (burst)
		got_tx = take_sent(tx, kind, 1500, count, count);

	for (unsigned int i = 0; i < count; i++) {
		long long way = frames[i].rx - frames[i].tx;

		if (!frames[i].rx || !frames[i].tx)
			continue;
		if (!any || way < least)
			least = way;
		if (!any || way > most)
			most = way;
		any = 1;
	}
	printf("sent=%u tx=%u rx=%u outside=%u spread=%lld\n", sent, got_tx, got_rx, outside, most - least);
	return EXIT_HOLDS;
}

static int run_stamps(struct port *tx, struct port *rx, const char *name, unsigned int count, int burst)
{
	int root = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	if (!tx->clock || !rx->clock || !rx->name || count > sizeof(frames) / sizeof(frames[0]))
		cannot("ptp: stamps wants two ports, two clocks, at most 1000 frames");
	tx->phc = open_clock(tx->clock);
	rx->phc = open_clock(rx->clock);
	look_up_interface(rx->ns, rx->name, &rx->index, rx->mac, NULL);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return cmd_stamps(tx, rx, &kinds[i], count, burst, root);
	errno = 0;
	cannot("ptp: no kind %s", name);
}

/* ---- main --------------------------------------------------------------------------------------------------------- */

static int clock_command(int argc, char **argv)
{
	const char *what = argv[0];
	int fd = open_clock(argv[1]);
	long long value = argc > 2 ? strtoll(argv[2], NULL, 0) : 0;

	if (!strcmp(what, "caps"))
		return cmd_caps(fd);
	if (!strcmp(what, "offset"))
		return cmd_offset(fd);
	if (!strcmp(what, "time")) {
		printf("%lld\n", read_clock(clock_of(fd)));
		return EXIT_HOLDS;
	}
	if (argc == 3 && !strcmp(what, "set"))
		return cmd_set(fd, value);
	if (argc == 3 && !strcmp(what, "step"))
		return cmd_step(fd, value);
	if (argc == 3 && !strcmp(what, "rate"))
		return cmd_rate(fd, value);
	if (argc == 3 && !strcmp(what, "measure"))
		return cmd_measure(fd, (unsigned int)value);
	if (argc == 3 && !strcmp(what, "order"))
		return cmd_order(fd, (unsigned long long)value);
	if (argc == 3 && !strcmp(what, "pulse"))
		return cmd_pulse(fd, value);
	return -1;
}

int main(int argc, char **argv)
{
	struct port tx = { 0 }, rx = { 0 };
	int opt, rc = -1;

	while ((opt = getopt(argc, argv, "+a:i:c:b:j:d:r:")) != -1) {
		switch (opt) {
		case 'a': tx.ns = optarg; break;
		case 'i': tx.name = optarg; break;
		case 'c': tx.clock = optarg; break;
		case 'b': rx.ns = optarg; break;
		case 'j': rx.name = optarg; break;
		case 'd': rx.clock = optarg; break;
		case 'r': reference = open_clock(optarg); break;
		}
	}
	argc -= optind;
	argv += optind;
	if (tx.name && argc >= 1 && !strcmp(argv[0], "config"))
		rc = cmd_config(&tx, argc == 3 ? argv[1] : NULL, argc == 3 ? argv[2] : NULL);
	else if (tx.name && argc >= 3 && !strcmp(argv[0], "stamps"))
		rc = run_stamps(&tx, &rx, argv[1], (unsigned int)number(argv[2]), argc == 4);
	else if (!tx.name && argc >= 2)
		rc = clock_command(argc, argv);
	errno = 0;
	if (rc < 0)
		cannot("usage: ptp COMMAND CLOCK [VALUE] | ptp -i IF [-a NS] config [TX FILTER] | "
		       "ptp -i IF -c CLOCK -j IF -d CLOCK stamps KIND COUNT [burst]");
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * xfer - moves a known stream from one network namespace to another and verifies every byte and the order.
 *
 *   xfer [-u] [-a FROM] [-b TO] -d ADDRESS [-p PORT] [-n BYTES] [-x MAX] [-f FIXED] [-m MODE] [-s SEED] [-w WINDOW]
 *        [-t SECONDS] [-l LOST] [-q]
 *
 *   -u           UDP instead of TCP            -d  address of the receiver, IPv4 or IPv6 (decides the family)
 *   -a, -b       namespaces of sender and receiver (default: the caller's)
 *   -n BYTES     bytes to move, suffix K M G   -x MAX  message sizes run through 1..MAX (default 9000)
 *   -f SIZE      every message has this size   -m  plain, zerocopy, writev, sendfile (TCP), mix (default)
 *   -w N         UDP: datagrams in flight      -t  seconds without progress that end the run (default 20)
 *   -l N         UDP: datagrams that may be lost (default 0: each loss is an error)
 *
 * The payload is a random pattern with a prime period, so the content of a byte follows from its position in the stream,
 * buffers start at every alignment, and data that arrives twice, late or from a recycled buffer does not compare.
 * Sizes run through all of 1..MAX in a stride that mixes small and large ones. In zerocopy and sendfile mode the card
 * reads the pattern's own pages. The UDP receiver reports its progress through shared memory, so nothing but the stream
 * under test is on the wire.
 *
 * Exit: 0 all bytes arrived, equal and in order; 1 not; 2 the tool could not work.
 */
#include "peer.h"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#ifndef SO_ZEROCOPY
#define SO_ZEROCOPY 60
#endif
#ifndef MSG_ZEROCOPY
#define MSG_ZEROCOPY 0x4000000
#endif
#ifndef SO_EE_ORIGIN_ZEROCOPY
#define SO_EE_ORIGIN_ZEROCOPY 5
#endif
#ifndef SO_EE_CODE_ZEROCOPY_COPIED
#define SO_EE_CODE_ZEROCOPY_COPIED 1
#endif

#define PERIOD 1048573u			/* prime, just under 1 MiB */
#define SLACK 65536u			/* a message never wraps: the pattern goes on past the period */
#define LOOKAHEAD 512u

enum mode { PLAIN, ZEROCOPY, WRITEV, SENDFILE, MIX };
static const char * const mode_names[] = { "plain", "zerocopy", "writev", "sendfile", "mix" };

struct shared {
	volatile uint64_t seen;		/* UDP: datagrams the receiver has passed, lost ones included */
	volatile uint64_t lost;
	volatile uint64_t bytes;	/* verified bytes */
	volatile int ready, done, failed;
};

static struct shared *sh;
static uint8_t *pattern;
static int pattern_fd;
static int udp, quiet;
static enum mode mode = MIX;
static uint64_t total = 10 << 20, seed = 1, window = 32, lost_allowed;
static unsigned int max_size = 9000, fixed_size, stride, stall_s = 20;
static const char *from_ns, *to_ns;
static struct peer dst;

static unsigned int gcd(unsigned int a, unsigned int b)
{
	while (b) {
		unsigned int r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* Size of message k: all of 1..max_size once per round, small and large mixed. */
static unsigned int size_of(uint64_t k)
{
	return fixed_size ? fixed_size : (unsigned int)((k * stride) % max_size) + 1;
}

static const uint8_t *at(uint64_t offset)
{
	return pattern + offset % PERIOD;
}

static void make_pattern(void)
{
	pattern_fd = memfd_create("xfer", 0);
	if (pattern_fd < 0 || ftruncate(pattern_fd, PERIOD + SLACK))
		cannot("xfer: pattern");
	pattern = mmap(NULL, PERIOD + SLACK, PROT_READ | PROT_WRITE, MAP_SHARED, pattern_fd, 0);
	if (pattern == MAP_FAILED)
		cannot("xfer: pattern");
	fill_random(pattern, PERIOD, seed);
	memcpy(pattern + PERIOD, pattern, SLACK);
}

static void complain(uint64_t offset, const uint8_t *got, size_t len)
{
	const uint8_t *want = at(offset);
	size_t i;

	for (i = 0; i < len && got[i] == want[i]; i++)
		;
	fprintf(stderr, "xfer: first wrong byte at %llu of the stream: got", (unsigned long long)(offset + i));
	for (size_t j = i; j < len && j < i + 8; j++)
		fprintf(stderr, " %02x", got[j]);
	fprintf(stderr, ", want");
	for (size_t j = i; j < len && j < i + 8; j++)
		fprintf(stderr, " %02x", want[j]);
	/* Where in the pattern the wrong bytes are from tells a shift from a corruption. */
	if (len - i >= 8) {
		const uint8_t *p = memmem(pattern, PERIOD + SLACK, got + i, 8);

		if (p)
			fprintf(stderr, " (these bytes belong at %+lld)", (long long)(p - at(offset + i)));
	}
	fputc('\n', stderr);
}

/* ---- receiver ---------------------------------------------------------------------------------------------- */

static void receive_tcp(int listener)
{
	static uint8_t buf[SLACK];
	struct pollfd pfd = { .fd = listener, .events = POLLIN };
	uint64_t offset = 0, reply[2];
	unsigned int turn = 0;
	int fd;

	if (poll(&pfd, 1, (int)stall_s * 1000) <= 0)
		cannot("xfer: nobody connected");
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		cannot("xfer: accept");
	pfd.fd = fd;
	for (;;) {
		size_t want = 1 + (turn++ * 4999) % (SLACK - 64), shift = turn % 61;
		ssize_t n;

		if (poll(&pfd, 1, (int)stall_s * 1000) <= 0) {
			fprintf(stderr, "xfer: no data for %u s at %llu\n", stall_s, (unsigned long long)offset);
			_exit(EXIT_BROKEN);
		}
		n = recv(fd, buf + shift, want, 0);
		if (n < 0)
			cannot("xfer: recv at %llu", (unsigned long long)offset);
		if (!n)
			break;
		if (memcmp(buf + shift, at(offset), (size_t)n)) {
			complain(offset, buf + shift, (size_t)n);
			sh->failed = 1;
			_exit(EXIT_BROKEN);
		}
		offset += (uint64_t)n;
		sh->bytes = offset;
	}
	reply[0] = offset;
	reply[1] = offset == total;
	if (send(fd, reply, sizeof(reply), MSG_NOSIGNAL) != sizeof(reply))
		cannot("xfer: reply");
	if (offset != total)
		fprintf(stderr, "xfer: stream ended at %llu of %llu\n", (unsigned long long)offset, (unsigned long long)total);
	_exit(offset == total ? EXIT_HOLDS : EXIT_BROKEN);
}

static void receive_udp(int fd)
{
	static uint8_t buf[SLACK];
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	uint64_t k = 0, offset = 0, last = now_us();

	while (offset < total) {
		uint64_t j, pos;
		ssize_t n;

		if (poll(&pfd, 1, 100) <= 0) {
			if (sh->done && now_us() - last > 1500000)
				break;
			if (now_us() - last > stall_s * 1000000ull)
				break;
			continue;
		}
		n = recv(fd, buf, sizeof(buf), MSG_TRUNC);
		if (n < 0)
			cannot("xfer: recv");
		last = now_us();
		/* The next one, or a later one if some were lost. */
		for (j = k, pos = offset; j < k + LOOKAHEAD && pos < total; pos += size_of(j), j++) {
			uint64_t want = size_of(j);

			if (want > total - pos)
				want = total - pos;
			if ((uint64_t)n == want && !memcmp(buf, at(pos), (size_t)n))
				break;
		}
		if (j == k + LOOKAHEAD || pos >= total) {
			fprintf(stderr, "xfer: datagram %llu: %zd bytes that are not the next ones (want %u)\n",
				(unsigned long long)k, n, size_of(k));
			if (n == (ssize_t)size_of(k))
				complain(offset, buf, (size_t)n);
			sh->failed = 1;
			_exit(EXIT_BROKEN);
		}
		sh->lost += j - k;
		sh->bytes += (uint64_t)n;
		k = j + 1;
		offset = pos + (uint64_t)n;
		sh->seen = k;
	}
	/* The tail that never came. */
	for (; offset < total; offset += size_of(k), k++)
		sh->lost++;
	if (sh->lost > lost_allowed)
		fprintf(stderr, "xfer: %llu datagrams lost\n", (unsigned long long)sh->lost);
	_exit(sh->lost > lost_allowed ? EXIT_BROKEN : EXIT_HOLDS);
}

static void receiver(void)
{
	int one = 1, room = 8 << 20, fd;

	enter_ns(to_ns);
	fd = socket(dst.sa.sa_family, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
	if (fd < 0)
		cannot("xfer: socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (udp && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		cannot("xfer: receive buffer");
	if (bind(fd, &dst.sa, dst.len))
		cannot("xfer: bind");
	if (!udp && listen(fd, 1))
		cannot("xfer: listen");
	sh->ready = 1;
	if (udp)
		receive_udp(fd);
	else
		receive_tcp(fd);
}

/* ---- sender ------------------------------------------------------------------------------------------------ */

static uint64_t zc_sent, zc_done, zc_copied;

/* Takes what the error queue holds; with all set it waits until every page is free again. */
static void reap_zerocopy(int fd, int all)
{
	uint64_t start = now_us();

	while (zc_done < zc_sent) {
		char control[256];
		struct msghdr msg = { .msg_control = control, .msg_controllen = sizeof(control) };
		struct cmsghdr *cm;

		if (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
			struct pollfd pfd = { .fd = fd };

			if (errno != EAGAIN)
				cannot("xfer: error queue");
			if (!all)
				return;
			if (now_us() - start > stall_s * 1000000ull) {
				fprintf(stderr, "xfer: %llu of %llu zerocopy sends never completed\n",
					(unsigned long long)(zc_sent - zc_done), (unsigned long long)zc_sent);
				exit(EXIT_BROKEN);
			}
			poll(&pfd, 1, 100);
			continue;
		}
		for (cm = CMSG_FIRSTHDR(&msg); cm; cm = CMSG_NXTHDR(&msg, cm)) {
			struct sock_extended_err err;

			memcpy(&err, CMSG_DATA(cm), sizeof(err));
			if (err.ee_origin != SO_EE_ORIGIN_ZEROCOPY) {
				fprintf(stderr, "xfer: error %u of origin %u on the socket\n", err.ee_errno,
					err.ee_origin);
				exit(EXIT_BROKEN);
			}
			zc_done += (uint64_t)err.ee_data - err.ee_info + 1;
			if (err.ee_code & SO_EE_CODE_ZEROCOPY_COPIED)
				zc_copied += (uint64_t)err.ee_data - err.ee_info + 1;
		}
	}
}

/* One message, or for TCP the part of it that the socket took. */
static ssize_t send_some(int fd, enum mode how, uint64_t offset, size_t len)
{
	const uint8_t *p = at(offset);
	struct iovec iov[17];
	struct msghdr msg = { .msg_iov = iov };
	size_t part, left = len;
	off_t pos = (off_t)(offset % PERIOD);
	ssize_t n;

	switch (how) {
	case SENDFILE:
		return sendfile(fd, pattern_fd, &pos, len);
	case WRITEV:		/* up to 17 pieces, the first ones of a byte or a few */
		for (part = 1; left && msg.msg_iovlen < 17; part += 1 + part / 2) {
			size_t take = msg.msg_iovlen == 16 || part > left ? left : part;

			iov[msg.msg_iovlen].iov_base = (void *)(uintptr_t)p;
			iov[msg.msg_iovlen++].iov_len = take;
			p += take;
			left -= take;
		}
		return sendmsg(fd, &msg, MSG_NOSIGNAL);
	case ZEROCOPY:
		n = send(fd, p, len, MSG_ZEROCOPY | MSG_NOSIGNAL);
		if (n >= 0) {
			zc_sent++;
			reap_zerocopy(fd, 0);
			return n;
		}
		if (errno != ENOBUFS && errno != EMSGSIZE)
			return n;
		/* Notifications or locked memory are short: free them and take the ordinary way for once. */
		reap_zerocopy(fd, 1);
		return send(fd, p, len, MSG_NOSIGNAL);
	default:
		return send(fd, p, len, MSG_NOSIGNAL);
	}
}

static enum mode mode_of(uint64_t k)
{
	static const enum mode tcp_mix[] = { PLAIN, ZEROCOPY, WRITEV, SENDFILE };
	static const enum mode udp_mix[] = { PLAIN, ZEROCOPY, WRITEV };

	if (mode != MIX)
		return mode;
	return udp ? udp_mix[(k / 5) % 3] : tcp_mix[(k / 5) % 4];
}

static uint64_t send_tcp(int fd)
{
	struct timeval tv = { .tv_sec = stall_s };
	uint64_t offset = 0, k, reply[2];
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	for (k = 0; offset < total; k++) {
		uint64_t len = size_of(k);

		if (len > total - offset)
			len = total - offset;
		while (len) {
			ssize_t n = send_some(fd, mode_of(k), offset, len);

			if (n <= 0) {
				fprintf(stderr, "xfer: send at %llu: %s\n", (unsigned long long)offset, strerror(errno));
				exit(EXIT_BROKEN);
			}
			offset += (uint64_t)n;
			len -= (uint64_t)n;
		}
	}
	shutdown(fd, SHUT_WR);
	if (recv(fd, reply, sizeof(reply), MSG_WAITALL) != sizeof(reply) || reply[0] != total || !reply[1]) {
		fprintf(stderr, "xfer: no confirmation from the receiver\n");
		exit(EXIT_BROKEN);
	}
	reap_zerocopy(fd, 1);
	return k;
}

static uint64_t send_udp(int fd)
{
	uint64_t offset = 0, k, written_off = 0;

	/* So a change of order is an error. */
	stay_on_one_cpu();

	for (k = 0; offset < total && !sh->failed; k++) {
		uint64_t len = size_of(k), start = now_us();
		ssize_t n;

		if (len > total - offset)
			len = total - offset;
		while (k - (sh->seen > written_off ? sh->seen : written_off) >= window && !sh->failed) {
			/* A full window that does not move for a second is lost; go on and let the receiver count. */
			if (now_us() - start > 1000000)
				written_off = k;
			nap_us(50);
		}
		do {
			n = send_some(fd, mode_of(k), offset, len);
			if (n < 0 && (errno == ENOBUFS || errno == ECONNREFUSED))
				nap_us(200);
			else
				break;
		} while (now_us() - start < stall_s * 1000000ull);
		if (n != (ssize_t)len) {
			fprintf(stderr, "xfer: datagram %llu of %llu bytes: %s\n", (unsigned long long)k,
				(unsigned long long)len, strerror(errno));
			exit(EXIT_BROKEN);
		}
		offset += len;
	}
	sh->done = 1;
	reap_zerocopy(fd, 1);
	return k;
}

static void usage(void)
{
	errno = 0;
	cannot("usage: xfer [-u] [-a NS] [-b NS] -d ADDRESS [-p PORT] [-n BYTES] [-x MAX | -f SIZE] [-m MODE] [-s SEED] [-w N] [-t S] [-l LOST] [-q]");
}

int main(int argc, char **argv)
{
	uint16_t port = 7001;
	const char *to = NULL;
	int opt, fd, one = 1, status;
	uint64_t start, us, k;
	pid_t child;

	while ((opt = getopt(argc, argv, "ua:b:d:p:n:x:f:m:s:w:t:l:q")) != -1) {
		switch (opt) {
		case 'u': udp = 1; break;
		case 'a': from_ns = optarg; break;
		case 'b': to_ns = optarg; break;
		case 'd': to = optarg; break;
		case 'p': port = (uint16_t)number(optarg); break;
		case 'n': total = number(optarg); break;
		case 'x': max_size = (unsigned int)number(optarg); break;
		case 'f': fixed_size = (unsigned int)number(optarg); break;
		case 's': seed = number(optarg); break;
		case 'w': window = number(optarg); break;
		case 't': stall_s = (unsigned int)number(optarg); break;
		case 'l': lost_allowed = number(optarg); break;
		case 'q': quiet = 1; break;
		case 'm':
			for (mode = PLAIN; mode <= MIX && strcmp(optarg, mode_names[mode]); mode++)
				;
			if (mode > MIX)
				usage();
			break;
		default: usage();
		}
	}
	if (!to || optind != argc || !total || max_size < 1 || max_size > 60000 || fixed_size > 60000 || window < 1 ||
	    window >= LOOKAHEAD || (udp && mode == SENDFILE))
		usage();
	for (stride = 1237; gcd(stride, max_size) != 1; stride++)
		;
	if (!parse_peer(to, port, &dst))
		usage();
	signal(SIGPIPE, SIG_IGN);
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED)
		cannot("xfer: shared memory");
	make_pattern();

	child = fork();
	if (child < 0)
		cannot("xfer: fork");
	if (!child)
		receiver();
	enter_ns(from_ns);
	while (!sh->ready) {
		if (waitpid(child, &status, WNOHANG) == child)
			return EXIT_CANNOT;
		nap_us(1000);
	}
	fd = socket(dst.sa.sa_family, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
	if (fd < 0)
		cannot("xfer: socket");
	if ((mode == ZEROCOPY || mode == MIX) && setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one)))
		cannot("xfer: zerocopy");
	start = now_us();
	if (connect(fd, &dst.sa, dst.len)) {
		fprintf(stderr, "xfer: connect %s: %s\n", to, strerror(errno));
		kill(child, SIGKILL);
		return EXIT_BROKEN;
	}
	k = udp ? send_udp(fd) : send_tcp(fd);
	us = now_us() - start;
	if (waitpid(child, &status, 0) != child)
		cannot("xfer: wait");
	status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BROKEN;
	if (!quiet)
		printf("xfer %s%s %s: %llu of %llu bytes verified, %llu messages, %llu lost, %llu.%02llu s, %llu Mbit/s, zerocopy %llu (copied %llu)\n",
		       udp ? "udp" : "tcp", dst.sa.sa_family == AF_INET ? "4" : "6", mode_names[mode],
		       (unsigned long long)sh->bytes, (unsigned long long)total, (unsigned long long)k,
		       (unsigned long long)sh->lost, (unsigned long long)(us / 1000000),
		       (unsigned long long)(us / 10000 % 100), (unsigned long long)(sh->bytes * 8 / (us ? us : 1)),
		       (unsigned long long)zc_done, (unsigned long long)zc_copied);
	return status;
}

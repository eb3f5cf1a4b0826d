// SPDX-License-Identifier: GPL-2.0-only
/*
 * flows - many connections at once, or traffic that does not care about losses.
 *
 *   flows [-u] [-a NS] [-b NS] -d ADDRESS [-p PORT] [-n FLOWS] [-r ROUNDS] [-x BYTES]
 *       opens FLOWS connections (or UDP sockets with -u) from NS a to an echo server in NS b, sends BYTES on each in
 *       turn, ROUNDS times, and compares the echo. Exit 0 when every round of every flow came back.
 *       With -c CPU the server runs on that CPU, with -C CPU the client; with -w MS there is a pause after each
 *       of the first three rounds.
 *   flows -B [-a NS] [-b NS] -d ADDRESS [-p PORT] [-x BYTES] [-t SECONDS]
 *       blasts datagrams of BYTES as fast as they go and ignores every error (link gone, port removed) for SECONDS or
 *       until killed; a sink in NS b takes them. Always ends with 0; prints how many were accepted and arrived.
 *   flows -G MS [-a NS] [-b NS] -d ADDRESS [-p PORT] [-n FLOWS] [-x BYTES] [-t SECONDS]
 *       sends a datagram of each flow every MS milliseconds for SECONDS; prints the longest time that one of the flows
 *       was without an answer from the echo server, and the longest that the server did not hear one of them ("there").
 *       Exit 1 when a flow never had an answer.
 */
#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int udp, blast;
static unsigned int nr_flows = 64, rounds = 4, bytes = 600, seconds = 3600, every_ms, pause_ms;
static int server_cpu = -1, client_cpu = -1;
static const char *from_ns, *to_ns;
static struct peer dst;
#define MAX_GAP_FLOWS 256
/* Of each flow of cmd_gap(), as the server hears it: when it did last, and the longest time that it did not, both in us. */
struct heard {
	volatile uint64_t last, longest;
};
static struct { volatile int ready; volatile uint64_t sunk; struct heard there[MAX_GAP_FLOWS]; } *sh;
static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void run_on(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		cannot("flows: CPU %d", cpu);
}

static void flow_heard(struct heard *flow)
{
	uint64_t now = now_us();

	if (now - flow->last > flow->longest)
		flow->longest = now - flow->last;
	flow->last = now;
}

static int open_server(void)
{
	int fd, one = 1, room = 16 << 20;

	enter_ns(to_ns);
	fd = socket(dst.sa.sa_family, (udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK, 0);
	if (fd < 0)
		cannot("flows: socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (bind(fd, &dst.sa, dst.len) || (!udp && listen(fd, 1024)))
		cannot("flows: bind");
	return fd;
}

static void server(void)
{
	static struct pollfd fds[8192];
	static uint8_t buf[65536];
	nfds_t n = 1;

	run_on(server_cpu);
	fds[0].fd = open_server();
	fds[0].events = POLLIN;
	sh->ready = 1;
	for (;;) {
		if (poll(fds, n, -1) < 0)
			continue;
		if (udp) {
			struct sockaddr_storage peer;
			socklen_t len = sizeof(peer);
			ssize_t got;

			while ((got = recvfrom(fds[0].fd, buf, sizeof(buf), 0, (struct sockaddr *)&peer, &len)) >= 0) {
				if (every_ms && got == (ssize_t)bytes && buf[0] < nr_flows)
					flow_heard(&sh->there[buf[0]]);
				if (blast)
					sh->sunk++;
				else
					sendto(fds[0].fd, buf, (size_t)got, 0, (struct sockaddr *)&peer, len);
				len = sizeof(peer);
			}
			continue;
		}
		for (nfds_t i = 1; i < n; i++) {
			ssize_t got;

			if (!fds[i].revents)
				continue;
			got = recv(fds[i].fd, buf, sizeof(buf), MSG_DONTWAIT);
			if (got > 0) {
				if (send(fds[i].fd, buf, (size_t)got, MSG_NOSIGNAL) != got)
					got = 0;
			}
			if (!got || (got < 0 && errno != EAGAIN)) {
				close(fds[i].fd);
				fds[i].fd = -1;
			}
		}
		if (fds[0].revents && n < sizeof(fds) / sizeof(fds[0])) {
			int fd = accept(fds[0].fd, NULL, NULL);

			if (fd >= 0) {
				fds[n].fd = fd;
				fds[n].revents = 0;
				fds[n++].events = POLLIN;
			}
		}
	}
}

static int cmd_echo(void)
{
	int *fds = calloc(nr_flows, sizeof(*fds));
	uint8_t *out = malloc(bytes), *in = malloc(bytes);
	unsigned int bad = 0;

	run_on(client_cpu);
	if (!fds || !out || !in)
		cannot("flows: memory");
	for (unsigned int i = 0; i < nr_flows; i++) {
		struct timeval tv = { .tv_sec = 10 };
		int one = 1;

		fds[i] = socket(dst.sa.sa_family, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
		if (fds[i] < 0)
			cannot("flows: socket %u", i);
		setsockopt(fds[i], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
		setsockopt(fds[i], SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
		if (!udp)
			setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		if (connect(fds[i], &dst.sa, dst.len)) {
			fprintf(stderr, "flows: flow %u: connect: %s\n", i, strerror(errno));
			return EXIT_BROKEN;
		}
	}
	for (unsigned int r = 0; r < rounds; r++) {
		if (r >= 1 && r <= 3)
			nap_us(pause_ms * 1000);
		for (unsigned int i = 0; i < nr_flows; i++) {
			ssize_t n;

			fill_random(out, bytes, ((uint64_t)i << 32) + r);
			n = send(fds[i], out, bytes, MSG_NOSIGNAL);
			if (n == (ssize_t)bytes)
				n = recv(fds[i], in, bytes, udp ? 0 : MSG_WAITALL);
			if (n != (ssize_t)bytes || memcmp(in, out, bytes)) {
				if (bad++ < 5)
					fprintf(stderr, "flows: flow %u round %u: %s\n", i, r,
						n < 0 ? strerror(errno) : n != (ssize_t)bytes ? "short" : "wrong bytes");
			}
		}
	}
	printf("flows %s: %u flows, %u rounds, %u failed\n", udp ? "udp" : "tcp", nr_flows, rounds, bad);
	return bad ? EXIT_BROKEN : EXIT_HOLDS;
}

static int cmd_blast(void)
{
	uint64_t until = now_us() + (uint64_t)seconds * 1000000, sent = 0, refused = 0;
	uint8_t *out = calloc(1, bytes);
	int fd = -1;

	if (!out)
		cannot("flows: memory");
	while (!stop && now_us() < until) {
		if (fd < 0) {
			fd = socket(dst.sa.sa_family, SOCK_DGRAM | SOCK_NONBLOCK, 0);
			if (fd < 0)
				cannot("flows: socket");
		}
		if (sendto(fd, out, bytes, 0, &dst.sa, dst.len) == (ssize_t)bytes) {
			sent++;
			continue;
		}
		refused++;
		nap_us(errno == EAGAIN || errno == ENOBUFS ? 100 : 2000);
	}
	printf("blast: %llu sent, %llu refused, %llu arrived\n", (unsigned long long)sent, (unsigned long long)refused,
	       (unsigned long long)sh->sunk);
	return EXIT_HOLDS;
}

/* One flow of cmd_gap(): when it was last heard of, and the longest time that it was not, both in us. */
struct gap_flow {
	uint64_t heard, longest;
	int fd, ever;
};

static void gap_receive(struct gap_flow *flows, struct pollfd *fds, uint64_t until)
{
	uint8_t in[60000];
	uint64_t now;

	while ((now = now_us()) < until) {
		if (poll(fds, nr_flows, (int)((until - now + 999) / 1000)) <= 0)
			continue;
		now = now_us();
		for (unsigned int i = 0; i < nr_flows; i++) {
			struct gap_flow *f = &flows[i];

			if (!fds[i].revents || recv(f->fd, in, sizeof(in), MSG_DONTWAIT) != (ssize_t)bytes)
				continue;
			if (now - f->heard > f->longest)
				f->longest = now - f->heard;
			f->heard = now;
			f->ever = 1;
		}
	}
}

static int cmd_gap(void)
{
	struct gap_flow *flows = calloc(nr_flows, sizeof(*flows));
	struct pollfd *fds = calloc(nr_flows, sizeof(*fds));
	uint64_t next = now_us(), end = next + (uint64_t)seconds * 1000000, longest = 0, there = 0;
	uint8_t *out = calloc(1, bytes);
	unsigned int mute = 0;

	if (!flows || !fds || !out)
		cannot("flows: memory");
	for (unsigned int i = 0; i < nr_flows; i++) {
		fds[i].fd = flows[i].fd = socket(dst.sa.sa_family, SOCK_DGRAM | SOCK_NONBLOCK, 0);
		fds[i].events = POLLIN;
		flows[i].heard = next;
		sh->there[i].last = next;
		if (flows[i].fd < 0 || connect(flows[i].fd, &dst.sa, dst.len))
			cannot("flows: socket %u", i);
	}
	while (next < end) {
		/* What cannot be sent is a gap, not an error. */
		for (unsigned int i = 0; i < nr_flows; i++) {
			out[0] = (uint8_t)i;
			if (send(flows[i].fd, out, bytes, 0) < 0)
				continue;
		}
		next += (uint64_t)every_ms * 1000;
		gap_receive(flows, fds, next);
	}
	end = now_us();
	for (unsigned int i = 0; i < nr_flows; i++) {
		if (end - flows[i].heard > flows[i].longest)
			flows[i].longest = end - flows[i].heard;
		if (flows[i].longest > longest)
			longest = flows[i].longest;
		flow_heard(&sh->there[i]);
		if (sh->there[i].longest > there)
			there = sh->there[i].longest;
		mute += !flows[i].ever;
	}
	printf("gap: %u flows, longest gap %llu ms, there %llu ms, %u never answered\n", nr_flows,
	       (unsigned long long)longest / 1000, (unsigned long long)there / 1000, mute);
	return mute ? EXIT_BROKEN : EXIT_HOLDS;
}

int main(int argc, char **argv)
{
	struct rlimit files = { 16384, 16384 };
	struct sigaction sa = { .sa_handler = on_signal };
	uint16_t port = 7101;
	const char *to = NULL;
	int opt, rc, status;
	pid_t child;

	while ((opt = getopt(argc, argv, "BuG:a:b:d:p:n:r:x:t:c:C:w:")) != -1) {
		switch (opt) {
		case 'B': blast = udp = 1; break;
		case 'u': udp = 1; break;
		case 'G': every_ms = (unsigned int)number(optarg); udp = 1; break;
		case 'a': from_ns = optarg; break;
		case 'b': to_ns = optarg; break;
		case 'd': to = optarg; break;
		case 'p': port = (uint16_t)number(optarg); break;
		case 'n': nr_flows = (unsigned int)number(optarg); break;
		case 'r': rounds = (unsigned int)number(optarg); break;
		case 'x': bytes = (unsigned int)number(optarg); break;
		case 't': seconds = (unsigned int)number(optarg); break;
		case 'c': server_cpu = (int)number(optarg); break;
		case 'C': client_cpu = (int)number(optarg); break;
		case 'w': pause_ms = (unsigned int)number(optarg); break;
		default: to = NULL; optind = argc + 1; break;
		}
	}
	if (!to || !parse_peer(to, port, &dst) || optind != argc || !bytes || bytes > 60000 ||
	    nr_flows > (every_ms ? MAX_GAP_FLOWS : 8000)) {
		errno = 0;
		cannot("usage: flows [-B | -G MS] [-u] [-a NS] [-b NS] -d ADDRESS [-p PORT] [-n FLOWS] [-r ROUNDS] [-x BYTES] [-t S] [-c CPU] [-C CPU] [-w MS]");
	}
	setrlimit(RLIMIT_NOFILE, &files);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED)
		cannot("flows: shared memory");
	child = fork();
	if (child < 0)
		cannot("flows: fork");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, SIG_DFL);
		server();
	}
	while (!sh->ready) {
		if (waitpid(child, &status, WNOHANG) == child)
			return EXIT_CANNOT;
		nap_us(1000);
	}
	enter_ns(from_ns);
	rc = blast ? cmd_blast() : every_ms ? cmd_gap() : cmd_echo();
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return rc;
}

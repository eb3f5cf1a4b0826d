// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench - does one piece of work between two marks, see mark.h.
 *
 *   bench [-a NS] [-b NS] [-w NAME] [-e PORT.COUNTER=N]... COMMAND ...
 *
 *   -w NAME    name of the window; without it the work is done and not measured
 *   -e WORDS   what the model is expected to count in the window
 *
 *   mark TEXT            TEXT is a mark by itself
 *   loop N               2 N instructions in user mode
 *   calls N              N calls of getppid()
 *   mmio PCI OFFSET N    N reads of a register, 3 N instructions in user mode
 *   pktgen N             starts pktgen, which is set up to send N frames, in NS a
 *   wait MS N TEXT       opens the window with the further command TEXT, and sleeps for MS while N frames come in
 *   stream ADDRESS N     N times 64 KiB of TCP from NS a to ADDRESS in NS b, after a connection and 4 MiB
 *   rr tcp|udp ADDRESS N N times a byte to and fro between these, after 200 unmeasured times
 *
 * Exit: 0 done, 2 the tool could not work.
 */
#include "bar.h"
#include "peer.h"
#include "mark.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define CHUNK 65536u
#define WARM_CHUNKS 64u
#define WARM_TURNS 200u
#define PORT 7301

static const char *from_ns, *to_ns, *window;
static char expected[MARK_BYTES / 2];
static struct peer dst;

static void start(const char *command)
{
	if (window)
		mark("start %s%s%s", window, command ? ";" : "", command ? command : "");
}

static void stop(unsigned long long units)
{
	if (window)
		mark("stop %llu%s", units, expected);
}

/* ---- Work of known length ------------------------------------------------------------------------------------------ */

static int cmd_loop(uint64_t n)
{
	start(NULL);
	__asm__ volatile("1:\n\tdecq %0\n\tjnz 1b" : "+r"(n) : : "cc");
	stop(1);
	return EXIT_HOLDS;
}

static int cmd_calls(uint64_t n)
{
	uint64_t i;

	start(NULL);
	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	stop(n);
	return EXIT_HOLDS;
}

static int cmd_mmio(const char *pci, unsigned long off, uint64_t n)
{
	volatile uint32_t *reg = map_register(pci, off);

	/* The page is there from the first access on. */
	(void)*reg;
	start(NULL);
	__asm__ volatile("1:\n\tmovl (%1), %%eax\n\tdecq %0\n\tjnz 1b" : "+r"(n) : "r"(reg) : "eax", "cc", "memory");
	stop(1);
	return EXIT_HOLDS;
}

/* ---- One-sided work ------------------------------------------------------------------------------------------------ */

static int cmd_pktgen(uint64_t n)
{
	int fd;

	enter_ns(from_ns);
	fd = open("/proc/net/pktgen/pgctrl", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		cannot("bench: pktgen");
	start(NULL);
	/* Returns when all is sent. */
	if (write(fd, "start\n", 6) < 0)
		cannot("bench: pktgen start");
	stop(n);
	return EXIT_HOLDS;
}

static int cmd_wait(unsigned int ms, uint64_t n, const char *command)
{
	/* Without a window the command is one by itself. */
	if (!window)
		mark("%s", command);
	start(command);
	nap_us(ms * 1000);
	stop(n);
	return EXIT_HOLDS;
}

/* ---- Two ends ------------------------------------------------------------------------------------------------------ */

static void parse_address(const char *s)
{
	if (!parse_peer(s, PORT, &dst)) {
		errno = 0;
		cannot("bench: not an address: %s", s);
	}
}

static int server_socket(int type)
{
	int one = 1, fd = socket(dst.sa.sa_family, type, 0);

	if (fd < 0)
		cannot("bench: socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, &dst.sa, dst.len) || (type == SOCK_STREAM && listen(fd, 1)))
		cannot("bench: bind");
	return fd;
}

static int client_socket(int type)
{
	struct timeval tv = { .tv_sec = 20 };
	int one = 1, fd = socket(dst.sa.sa_family, type, 0);

	if (fd < 0 || connect(fd, &dst.sa, dst.len))
		cannot("bench: connect");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
	if (type == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static pid_t server;

/* The next run wants the server's address. */
static void end_server(void)
{
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
}

/* Runs @serve(news, arg) in NS b. Returns the end of a pipe that it writes to; it has written a byte already. */
static int start_server(void (*serve)(int news, uint64_t arg), uint64_t arg)
{
	int news[2];
	char c;

	if (pipe(news))
		cannot("bench: pipe");
	server = fork();
	if (server < 0)
		cannot("bench: fork");
	if (!server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(news[0]);
		enter_ns(to_ns);
		serve(news[1], arg);
		_exit(EXIT_HOLDS);
	}
	atexit(end_server);
	close(news[1]);
	if (read(news[0], &c, 1) != 1)
		cannot("bench: no server");
	enter_ns(from_ns);
	return news[0];
}

static void tell(int news)
{
	if (write(news, "", 1) != 1)
		cannot("bench: news");
}

/* Says so when the warm-up is there, and again at the end. */
static void serve_stream(int news, uint64_t chunks)
{
	uint64_t want = (uint64_t)WARM_CHUNKS * CHUNK, got = 0;
	static uint8_t buf[CHUNK];
	int listener = server_socket(SOCK_STREAM), fd, last = 0;

	tell(news);
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		cannot("bench: accept");
	for (;;) {
		ssize_t n = recv(fd, buf, sizeof(buf), 0);

		if (n <= 0)
			cannot("bench: recv");
		got += (uint64_t)n;
		if (got < want)
			continue;
		tell(news);
		if (last)
			pause();
		want += chunks * CHUNK;
		last = 1;
	}
}

static void send_chunks(int fd, uint64_t n)
{
	static uint8_t buf[CHUNK];
	size_t left;

	for (; n; n--) {
		for (left = CHUNK; left;) {
			ssize_t sent = send(fd, buf, left, MSG_NOSIGNAL);

			if (sent <= 0)
				cannot("bench: send");
			left -= (size_t)sent;
		}
	}
}

static int cmd_stream(uint64_t n)
{
	int news = start_server(serve_stream, n), fd = client_socket(SOCK_STREAM);
	char c;

	send_chunks(fd, WARM_CHUNKS);
	if (read(news, &c, 1) != 1)
		cannot("bench: the receiver is gone");
	start(NULL);
	send_chunks(fd, n);
	if (read(news, &c, 1) != 1)
		cannot("bench: the receiver is gone");
	stop(n);
	return EXIT_HOLDS;
}

static void serve_tcp_rr(int news, uint64_t unused)
{
	int listener = server_socket(SOCK_STREAM), fd, one = 1;
	char c;

	(void)unused;
	tell(news);
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		cannot("bench: accept");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	while (recv(fd, &c, 1, 0) == 1 && send(fd, &c, 1, MSG_NOSIGNAL) == 1)
		;
	pause();
}

static void serve_udp_rr(int news, uint64_t unused)
{
	int fd = server_socket(SOCK_DGRAM);

	(void)unused;
	tell(news);
	for (;;) {
		struct sockaddr_storage peer;
		socklen_t len = sizeof(peer);
		char c;

		if (recvfrom(fd, &c, 1, 0, (struct sockaddr *)&peer, &len) == 1)
			sendto(fd, &c, 1, 0, (struct sockaddr *)&peer, len);
	}
}

static void turns(int fd, uint64_t n)
{
	char c = 1;

	for (; n; n--)
		if (send(fd, &c, 1, MSG_NOSIGNAL) != 1 || recv(fd, &c, 1, 0) != 1)
			cannot("bench: no answer");
}

static int cmd_rr(const char *what, uint64_t n)
{
	int udp = !strcmp(what, "udp"), fd;

	start_server(udp ? serve_udp_rr : serve_tcp_rr, 0);
	fd = client_socket(udp ? SOCK_DGRAM : SOCK_STREAM);
	turns(fd, WARM_TURNS);
	start(NULL);
	turns(fd, n);
	stop(n);
	return EXIT_HOLDS;
}

/* -------------------------------------------------------------------------------------------------------------------- */

static void usage(void)
{
	errno = 0;
	cannot("usage: bench [-a NS] [-b NS] [-w NAME] [-e PORT.COUNTER=N]... mark TEXT | loop N | calls N | mmio PCI OFFSET N | pktgen N | wait MS N TEXT | stream ADDRESS N | rr tcp|udp ADDRESS N");
}

int main(int argc, char **argv)
{
	size_t used;
	int opt;

	while ((opt = getopt(argc, argv, "+a:b:w:e:")) != -1) {
		switch (opt) {
		case 'a': from_ns = optarg; break;
		case 'b': to_ns = optarg; break;
		case 'w': window = optarg; break;
		case 'e':
			used = strlen(expected);
			if (used + strlen(optarg) + 2 > sizeof(expected))
				usage();
			expected[used] = ' ';
			strcpy(expected + used + 1, optarg);
			break;
		default: usage();
		}
	}
	argc -= optind;
	argv += optind;
	if (argc == 2 && !strcmp(argv[0], "mark")) {
		mark("%s", argv[1]);
		return EXIT_HOLDS;
	}
	if (argc == 2 && !strcmp(argv[0], "loop"))
		return cmd_loop(number(argv[1]));
	if (argc == 2 && !strcmp(argv[0], "calls"))
		return cmd_calls(number(argv[1]));
	if (argc == 4 && !strcmp(argv[0], "mmio"))
		return cmd_mmio(argv[1], (unsigned long)number(argv[2]), number(argv[3]));
	if (argc == 2 && !strcmp(argv[0], "pktgen"))
		return cmd_pktgen(number(argv[1]));
	if (argc == 4 && !strcmp(argv[0], "wait"))
		return cmd_wait((unsigned int)number(argv[1]), number(argv[2]), argv[3]);
	if (argc == 3 && !strcmp(argv[0], "stream")) {
		parse_address(argv[1]);
		return cmd_stream(number(argv[2]));
	}
	if (argc == 4 && !strcmp(argv[0], "rr") && (!strcmp(argv[1], "tcp") || !strcmp(argv[1], "udp"))) {
		parse_address(argv[2]);
		return cmd_rr(argv[1], number(argv[3]));
	}
	usage();
	return EXIT_CANNOT;
}

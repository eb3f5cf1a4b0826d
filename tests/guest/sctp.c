// SPDX-License-Identifier: GPL-2.0-only
/*
 * sctp - an SCTP association between two namespaces; looks at the CRC32c of every packet on the wire.
 *
 *   sctp -a NS -b NS -j PORT -d ADDRESS [-n COUNT]
 *
 *   -a, -b  namespaces of client and server        -j  port at which the server's packets arrive, in -b
 *   -d      address of the server                  -n  messages each way (200)
 *
 * Messages of 1 byte to 20000 bytes go both ways and are compared. Prints "messages=N packets=N wrong=N".
 * Exit: 0 all right, 1 not, 2 the tool could not work, 77 no SCTP in this kernel.
 */
#include "packet.h"
#include "util.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#ifndef IPPROTO_SCTP
#define IPPROTO_SCTP 132
#endif
enum { PORT = 7355, LARGEST = 20000, NO_SCTP = 77 };

static uint8_t out[LARGEST], in[LARGEST], packet[65536];

static uint32_t crc32c(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
	}
	return ~crc;
}

static size_t message(unsigned int no)
{
	size_t len = 1 + no * 2654435761u % (no % 4 ? 1400 : LARGEST);

	fill_random(out, len, no);
	return len;
}

static int move(int fd, uint8_t *p, size_t len, int sending)
{
	while (len) {
		ssize_t n = sending ? send(fd, p, len, MSG_NOSIGNAL) : recv(fd, p, len, 0);

		if (n <= 0)
			return 0;
		p += n;
		len -= (size_t)n;
	}
	return 1;
}

/* Sends back what the client sent, as long as it is right. */
static int serve(int listener, unsigned int count)
{
	int fd = accept(listener, NULL, NULL);

	for (unsigned int i = 0; i < count; i++) {
		size_t len = message(i);

		if (!move(fd, in, len, 0) || memcmp(in, out, len) || !move(fd, in, len, 1))
			return EXIT_BROKEN;
	}
	/* The client closes when it has read everything. */
	recv(fd, in, 1, 0);
	return EXIT_HOLDS;
}

/* Looks at packets of our port that wait in the socket. */
static void check_packets(int fd, unsigned int *packets, unsigned int *wrong)
{
	ssize_t n;

	while ((n = recv(fd, packet, sizeof(packet), MSG_DONTWAIT)) > 0) {
		size_t ip = 14, l4, len;
		uint32_t sum;

		if (packet[12] == 0x81)
			ip += 4;
		if (packet[ip] >> 4 == 4) {
			if (packet[ip + 9] != IPPROTO_SCTP || packet[ip + 6] & 0x3f || packet[ip + 7])
				continue;
			l4 = ip + (size_t)(packet[ip] & 15) * 4;
			len = ((size_t)packet[ip + 2] << 8 | packet[ip + 3]) - (l4 - ip);
		} else if (packet[ip] >> 4 == 6 && packet[ip + 6] == IPPROTO_SCTP) {
			l4 = ip + 40;
			len = (size_t)packet[ip + 4] << 8 | packet[ip + 5];
		} else {
			continue;
		}
		if (l4 + len > (size_t)n)
			continue;
		memcpy(&sum, packet + l4 + 8, sizeof(sum));	/* little endian on the wire, as here */
		memset(packet + l4 + 8, 0, sizeof(sum));
		++*packets;
		*wrong += sum != crc32c(packet + l4, len);
	}
}

static int open_socket(const char *ns, const struct sockaddr_storage *addr, socklen_t len, int server)
{
	int fd, one = 1;

	enter_ns(ns);
	fd = socket(addr->ss_family, SOCK_STREAM, IPPROTO_SCTP);
	if (fd < 0)
		exit(NO_SCTP);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (server && (bind(fd, (const struct sockaddr *)addr, len) || listen(fd, 1)))
		cannot("sctp: listen");
	return fd;
}

int main(int argc, char **argv)
{
	const char *ns_a = NULL, *ns_b = NULL, *port = NULL, *dest = NULL;
	struct sockaddr_ll sll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	unsigned int count = 200, done = 0, packets = 0, wrong = 0;
	struct sockaddr_storage addr = { 0 };
	int opt, listener, client, tap, status, room = 32 << 20, one = 1, root;
	struct timeval limit = { .tv_sec = 10 };
	socklen_t len;
	pid_t server;

	while ((opt = getopt(argc, argv, "a:b:j:d:n:")) != -1) {
		switch (opt) {
		case 'a': ns_a = optarg; break;
		case 'b': ns_b = optarg; break;
		case 'j': port = optarg; break;
		case 'd': dest = optarg; break;
		case 'n': count = (unsigned int)number(optarg); break;
		default: dest = NULL; optind = argc;
		}
	}
	errno = 0;
	if (!port || !dest)
		cannot("usage: sctp -a NS -b NS -j PORT -d ADDRESS [-n COUNT]");
	if (strchr(dest, ':')) {
		struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&addr;

		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(PORT);
		len = sizeof(*in6);
		opt = inet_pton(AF_INET6, dest, &in6->sin6_addr);
	} else {
		struct sockaddr_in *in4 = (struct sockaddr_in *)&addr;

		in4->sin_family = AF_INET;
		in4->sin_port = htons(PORT);
		len = sizeof(*in4);
		opt = inet_pton(AF_INET, dest, &in4->sin_addr);
	}
	if (opt != 1)
		cannot("sctp: not an address: %s", dest);

	root = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	listener = open_socket(ns_b, &addr, len, 1);
	tap = socket(AF_PACKET, SOCK_RAW, 0);
	sll.sll_ifindex = (int)if_nametoindex(port);
	if (tap < 0 || !sll.sll_ifindex || bind(tap, (struct sockaddr *)&sll, sizeof(sll)))
		cannot("sctp: packet socket on %s", port);
	setsockopt(tap, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	setsockopt(tap, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	server = fork();
	if (server < 0)
		cannot("sctp: fork");
	if (!server)
		exit(serve(listener, count));

	if (ns_a && setns(root, CLONE_NEWNET))
		cannot("sctp: back to the first namespace");
	client = open_socket(ns_a, &addr, len, 0);
	setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(client, (struct sockaddr *)&addr, len))
		cannot("sctp: connect %s", dest);
	for (; done < count; done++) {
		size_t size = message(done);

		if (!move(client, out, size, 1) || !move(client, in, size, 0) || memcmp(in, out, size))
			break;
		check_packets(tap, &packets, &wrong);
	}
	close(client);
	if (done < count)
		kill(server, 9);
	if (waitpid(server, &status, 0) != server || !WIFEXITED(status) || WEXITSTATUS(status))
		done = done < count ? done : 0;
	check_packets(tap, &packets, &wrong);
	printf("messages=%u packets=%u wrong=%u\n", done, packets, wrong);
	return done == count && packets >= count && !wrong ? EXIT_HOLDS : EXIT_BROKEN;
}

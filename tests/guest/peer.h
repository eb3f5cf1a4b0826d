/* SPDX-License-Identifier: GPL-2.0-only */
/* The address of a helper's other end, IPv4 or IPv6. */
#ifndef TESTS_GUEST_PEER_H
#define TESTS_GUEST_PEER_H

#include "util.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

struct peer {
	union {
		struct sockaddr sa;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	};
	socklen_t len;
};

/* Returns whether @s is an address; its family follows from it. */
static inline int parse_peer(const char *s, uint16_t port, struct peer *peer)
{
	if (inet_pton(AF_INET, s, &peer->v4.sin_addr) == 1) {
		peer->v4.sin_family = AF_INET;
		peer->v4.sin_port = htons(port);
		peer->len = sizeof(peer->v4);
		return 1;
	}
	if (inet_pton(AF_INET6, s, &peer->v6.sin6_addr) == 1) {
		peer->v6.sin6_family = AF_INET6;
		peer->v6.sin6_port = htons(port);
		peer->len = sizeof(peer->v6);
		return 1;
	}
	return 0;
}

#endif

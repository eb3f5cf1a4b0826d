/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces and packet sockets, for the helpers that send and receive frames. */
#ifndef TESTS_GUEST_PACKET_H
#define TESTS_GUEST_PACKET_H

#include "util.h"

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Newer than the headers this may be compiled with. */
#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

/*
 * Enters the namespace @ns and finds number, MAC address and MTU (NULL: not wanted) of its interface @name. The process
 * ends without it.
 */
static inline void look_up_interface(const char *ns, const char *name, int *index, uint8_t *mac, int *mtu)
{
	struct ifreq ifr = { 0 };
	int fd;

	enter_ns(ns);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		cannot("socket");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFINDEX, &ifr))
		cannot("%s", name);
	*index = ifr.ifr_ifindex;
	if (ioctl(fd, SIOCGIFHWADDR, &ifr))
		cannot("%s", name);
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
	if (mtu) {
		if (ioctl(fd, SIOCGIFMTU, &ifr))
			cannot("%s", name);
		*mtu = ifr.ifr_mtu;
	}
	close(fd);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The flow director's perfect filters. Implemented in src/hw. */
#ifndef TXGBE_FDIR_H
#define TXGBE_FDIR_H

#include <linux/types.h>

#include "hw/regs.h"

struct txgbe_dev;

/* Numbers as in TXGBE_FDIR_CMD_L4 */
enum txgbe_fdir_l4 {
	TXGBE_FDIR_L4_ANY,
	TXGBE_FDIR_L4_UDP,
	TXGBE_FDIR_L4_TCP,
	TXGBE_FDIR_L4_SCTP,
	TXGBE_FDIR_L4_NR,
};

/* Queue of a filter that drops */
#define TXGBE_FDIR_DROP		0xff

/* txgbe_fdir_masks.flex: no flexible bytes are compared */
#define TXGBE_FDIR_FLEX_NONE		0xff

/**
 * struct txgbe_fdir_filter - one filter; what the masks leave out is 0
 * @src: IPv4: [0] only; IPv6: four words, the first one of the address first;
 *	in the CPU's byte order, so that 10.0.0.1 is 0x0a000001
 * @dst: likewise
 * @sport: source port, CPU's byte order
 * @dport: destination port
 * @flex: the two flexible bytes, as a number whose high byte comes first
 * @ipv6: version of IP
 * @by_dst: IPv6: the address that is compared is @dst; else @src, if any
 * @l4: enum txgbe_fdir_l4
 * @queue: receive queue, or TXGBE_FDIR_DROP
 */
struct txgbe_fdir_filter {
	u32 src[4];
	u32 dst[4];
	u16 sport;
	u16 dport;
	u16 flex;
	bool ipv6;
	bool by_dst;
	u8 l4;
	u8 queue;
};

/**
 * struct txgbe_fdir_masks - what is compared, for all filters of a port
 * @src4: bits of an IPv4 source address
 * @dst4: bits of an IPv4 destination address
 * @ports: bits of the ports by enum txgbe_fdir_l4, destination in 31:16, source
 *	in 15:0
 * @src6: the IPv6 source address; all of it or nothing
 * @dst6: the IPv6 destination address; not together with @src6
 * @l4: the kind of L4 header; without it the ports cannot be compared
 * @flex: words between L4 header and flexible bytes, or TXGBE_FDIR_FLEX_NONE
 */
struct txgbe_fdir_masks {
	u32 src4;
	u32 dst4;
	u32 ports[TXGBE_FDIR_L4_NR];
	bool src6;
	bool dst6;
	bool l4;
	u8 flex;
};

int txgbe_fdir_init(struct txgbe_dev *fd);
void txgbe_fdir_set_masks(struct txgbe_dev *fd, const struct txgbe_fdir_masks *masks);
int txgbe_fdir_add(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx);
int txgbe_fdir_find(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx);
int txgbe_fdir_remove(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx);

#endif /* TXGBE_FDIR_H */

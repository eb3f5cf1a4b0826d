// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flow director, perfect filters: what matches a filter goes to its queue or
 * is dropped, before RSS is asked (reference 13 section 10).
 *
 * A filter is found by a hash of what is compared, so each one has to be
 * written with the bucket that the device computes from a frame, and one set
 * of masks holds for all.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/device.h>
#include <linux/kernel.h>

#include "hw/desc.h"
#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/fdir.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

#define TXGBE_FDIR_INIT_STEP_US		1000
#define TXGBE_FDIR_INIT_LIMIT_US	10000
#define TXGBE_FDIR_CMD_STEP_US		10
#define TXGBE_FDIR_CMD_LIMIT_US		100

/* All of the in-tree driver's choice. */
#define TXGBE_FDIR_CTL	(FIELD_PREP(TXGBE_RDB_FDIR_CTL_MEM, 1) |		\
			 TXGBE_RDB_FDIR_CTL_PERFECT |				\
			 FIELD_PREP(TXGBE_RDB_FDIR_CTL_DROP_QUEUE, TXGBE_HW_QUEUES - 1) | \
			 FIELD_PREP(TXGBE_RDB_FDIR_CTL_HASH_BITS, 15) |		\
			 FIELD_PREP(TXGBE_RDB_FDIR_CTL_MAX_LENGTH, 10) |	\
			 FIELD_PREP(TXGBE_RDB_FDIR_CTL_FULL_THRESH, 4))

static_assert(TXGBE_FDIR_FLEX_OFFSET >> 3 == TXGBE_FDIR_FLEX_OFFSET_MAX);
static_assert(TXGBE_RDB_FDIR_CMD_L4 >> 5 >= TXGBE_FDIR_L4_SCTP);

/* The hash's input, apart from addresses, ports and flexible bytes. */
static u32 txgbe_fdir_ptype(const struct txgbe_fdir_filter *filter)
{
	u32 ptype = FIELD_PREP(TXGBE_PTYPE_KIND, TXGBE_PTYPE_KIND_IP);

	if (filter->ipv6)
		ptype |= TXGBE_PTYPE_IPV6;
	switch (filter->l4) {
	case TXGBE_FDIR_L4_UDP:
		return ptype | TXGBE_PTYPE_L4_UDP;
	case TXGBE_FDIR_L4_TCP:
		return ptype | TXGBE_PTYPE_L4_TCP;
	case TXGBE_FDIR_L4_SCTP:
		return ptype | TXGBE_PTYPE_L4_SCTP;
	default:
		return ptype;	/* the mask leaves out the kind of L4 header */
	}
}

static u32 txgbe_fdir_hash(u32 key, u32 first, u32 rest)
{
	u32 high = rest ^ first ^ first >> 16;
	u32 low0 = rol32(rest, 16);
	u32 low = low0 ^ first ^ first << 16;
	u32 hash = 0;
	u32 i;

	for (i = 0; i < 16; i++) {
		if (key & BIT(i))
			hash ^= i ? low >> i : low0;
		if (key & BIT(i + 16))
			hash ^= high >> i;
	}
	return hash;
}

static u32 txgbe_fdir_bucket(const struct txgbe_fdir_filter *filter)
{
	u32 flow = filter->l4 | (filter->ipv6 ? 4 : 0);
	u32 first = flow << 16 | txgbe_fdir_ptype(filter);
	u32 rest = (u32)filter->sport << 16 | filter->dport;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(filter->src); i++)
		rest ^= filter->src[i] ^ filter->dst[i];
	rest ^= (u32)filter->flex << 16;
	return txgbe_fdir_hash(TXGBE_RDB_FDIR_HKEY_VALUE, first, rest) &
	       TXGBE_RDB_FDIR_HASH_BUCKET;
}

/* Return: 0; -ETIMEDOUT or -ENODEV; *@cmd is the register afterwards. */
static int txgbe_fdir_run(struct txgbe_dev *fd, u32 *cmd)
{
	int err;

	txgbe_wr32(fd, TXGBE_RDB_FDIR_CMD, *cmd);
	err = txgbe_poll32(fd, TXGBE_RDB_FDIR_CMD, *cmd, !(*cmd & TXGBE_RDB_FDIR_CMD_OP),
			   TXGBE_FDIR_CMD_STEP_US, TXGBE_FDIR_CMD_LIMIT_US);
	if (err == -ETIMEDOUT)
		dev_err(fd->dev, "flow director command not done within %u us: %#x\n",
			TXGBE_FDIR_CMD_LIMIT_US, *cmd);
	return err;
}

/**
 * txgbe_fdir_init() - turn the flow director on, without a filter
 * @fd: device, reset; packet buffers are set up, no ring is enabled
 *
 * Takes its memory from the receive packet buffer. Compares nothing until
 * txgbe_fdir_set_masks().
 *
 * Context: Process context, sleeps up to 50 ms.
 * Return: 0; -ETIMEDOUT if the device does not get ready: filters are not to
 *	be used then; -ENODEV.
 */
int txgbe_fdir_init(struct txgbe_dev *fd)
{
	u32 val;
	int err;

	BUILD_BUG_ON(TXGBE_FDIR_CTL != 0x4af07f11);	/* as seen of the in-tree driver */
	txgbe_rmw32(fd, TXGBE_RDB_PB_SZ(0), TXGBE_RDB_PB_SZ_KIB,
		    FIELD_PREP(TXGBE_RDB_PB_SZ_KIB, TXGBE_RX_BUFFER_KIB - TXGBE_FDIR_MEM_KIB));
	txgbe_mac_rx_hold(fd);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_HKEY, TXGBE_RDB_FDIR_HKEY_VALUE);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_SKEY, TXGBE_RDB_FDIR_SKEY_VALUE);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_CTL, TXGBE_FDIR_CTL);
	txgbe_flush(fd);
	err = txgbe_poll32(fd, TXGBE_RDB_FDIR_CTL, val, val & TXGBE_RDB_FDIR_CTL_INIT_DONE,
			   TXGBE_FDIR_INIT_STEP_US, TXGBE_FDIR_INIT_LIMIT_US);
	if (err == -ETIMEDOUT)
		dev_err(fd->dev, "flow director not ready after %u ms: %#x\n",
			TXGBE_FDIR_INIT_LIMIT_US / 1000, val);
	txgbe_mac_rx_release(fd);
	return err;
}

/**
 * txgbe_fdir_set_masks() - say what all filters compare
 * @fd: device, the flow director is on
 * @masks: masks; filters written for other ones do not work any more
 *
 * May be called while frames come.
 *
 * Context: Process context, under the caller's lock of the filters.
 */
void txgbe_fdir_set_masks(struct txgbe_dev *fd, const struct txgbe_fdir_masks *masks)
{
	u32 other = TXGBE_RDB_FDIR_OTHER_MSK_POOL;
	u32 ip6 = 0;
	u32 flex;

	if (!masks->l4)
		other |= TXGBE_RDB_FDIR_OTHER_MSK_L4;
	if (!masks->src6)
		ip6 |= TXGBE_RDB_FDIR_IP6_MSK_SRC;
	if (!masks->dst6)
		ip6 |= TXGBE_RDB_FDIR_IP6_MSK_DST;
	if (masks->flex == TXGBE_FDIR_FLEX_NONE)
		flex = FIELD_PREP(TXGBE_FDIR_FLEX_OFFSET, TXGBE_FDIR_FLEX_OFFSET_ETYPE) |
		       FIELD_PREP(TXGBE_FDIR_FLEX_BASE, TXGBE_FDIR_FLEX_BASE_MAC) |
		       TXGBE_FDIR_FLEX_IGNORE;
	else
		flex = FIELD_PREP(TXGBE_FDIR_FLEX_OFFSET, masks->flex) |
		       FIELD_PREP(TXGBE_FDIR_FLEX_BASE, TXGBE_FDIR_FLEX_BASE_PAYLOAD);

	txgbe_wr32(fd, TXGBE_RDB_FDIR_OTHER_MSK, other);
	txgbe_rmw32(fd, TXGBE_RDB_FDIR_FLEX_CFG(0), 0xff, flex);	/* pool 0 */
	txgbe_wr32(fd, TXGBE_RDB_FDIR_TCP_MSK, ~masks->ports[TXGBE_FDIR_L4_TCP]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_UDP_MSK, ~masks->ports[TXGBE_FDIR_L4_UDP]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_SCTP_MSK, ~masks->ports[TXGBE_FDIR_L4_SCTP]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_SA4_MSK, ~masks->src4);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_DA4_MSK, ~masks->dst4);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_IP6_MSK, ip6);
}

/* A filter holds one IPv6 address; the first word of either IP goes to IP6(2). */
static void txgbe_fdir_write(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter)
{
	const u32 *addr = filter->by_dst ? filter->dst : filter->src;

	txgbe_wr32(fd, TXGBE_RDB_FDIR_IP6(2), addr[0]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_IP6(1), addr[1]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_IP6(0), addr[2]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_SA, filter->ipv6 ? addr[3] : filter->src[0]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_DA, filter->ipv6 ? 0 : filter->dst[0]);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_PORT,
		   FIELD_PREP(TXGBE_RDB_FDIR_PORT_SRC, filter->sport) |
		   FIELD_PREP(TXGBE_RDB_FDIR_PORT_DST, filter->dport));
	txgbe_wr32(fd, TXGBE_RDB_FDIR_FLEX,
		   FIELD_PREP(TXGBE_RDB_FDIR_FLEX_PTYPE, txgbe_fdir_ptype(filter)) |
		   FIELD_PREP(TXGBE_RDB_FDIR_FLEX_BYTES, filter->flex));
}

/**
 * txgbe_fdir_add() - write one filter, or another queue into one that is there
 * @fd: device, the flow director is on and the masks are set
 * @filter: filter
 * @idx: its number, 0..TXGBE_FDIR_FILTERS - 1
 *
 * May be called while frames come. The device may have no room or refuse for
 * reasons of its own without saying so: ask txgbe_fdir_find().
 *
 * Context: Process context, sleeps, under the caller's lock of the filters.
 * Return: 0; -ETIMEDOUT; -ENODEV.
 */
int txgbe_fdir_add(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx)
{
	bool drop = filter->queue == TXGBE_FDIR_DROP;
	u32 cmd = FIELD_PREP(TXGBE_RDB_FDIR_CMD_OP, TXGBE_RDB_FDIR_CMD_OP_ADD) |
		  TXGBE_RDB_FDIR_CMD_UPDATE | TXGBE_RDB_FDIR_CMD_LAST |
		  TXGBE_RDB_FDIR_CMD_QUEUE_EN |
		  FIELD_PREP(TXGBE_RDB_FDIR_CMD_L4, filter->l4) |
		  FIELD_PREP(TXGBE_RDB_FDIR_CMD_QUEUE,
			     drop ? TXGBE_HW_QUEUES - 1 : filter->queue);

	if (drop)
		cmd |= TXGBE_RDB_FDIR_CMD_DROP;
	if (filter->ipv6)
		cmd |= TXGBE_RDB_FDIR_CMD_IPV6;
	if (filter->by_dst)
		cmd |= TXGBE_RDB_FDIR_CMD_DST6;

	txgbe_fdir_write(fd, filter);
	txgbe_wr32(fd, TXGBE_RDB_FDIR_HASH,
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_BUCKET, txgbe_fdir_bucket(filter)) |
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_IDX, idx) | TXGBE_RDB_FDIR_HASH_VALID);
	return txgbe_fdir_run(fd, &cmd);
}

/**
 * txgbe_fdir_find() - is a filter in the device
 * @fd: device, the flow director is on
 * @filter: filter
 * @idx: its number
 *
 * Context: Process context, sleeps, under the caller's lock of the filters.
 * Return: 1 if it is, 0 if not; -ETIMEDOUT; -ENODEV.
 */
int txgbe_fdir_find(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx)
{
	u32 cmd = FIELD_PREP(TXGBE_RDB_FDIR_CMD_OP, TXGBE_RDB_FDIR_CMD_OP_QUERY);
	int err;

	txgbe_wr32(fd, TXGBE_RDB_FDIR_HASH,
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_BUCKET, txgbe_fdir_bucket(filter)) |
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_IDX, idx));
	err = txgbe_fdir_run(fd, &cmd);
	return err ? err : !!(cmd & TXGBE_RDB_FDIR_CMD_FOUND);
}

/**
 * txgbe_fdir_remove() - take one filter out, if it is there
 * @fd: device, the flow director is on
 * @filter: filter
 * @idx: its number
 *
 * Context: Process context, sleeps, under the caller's lock of the filters.
 * Return: 0; -ETIMEDOUT; -ENODEV.
 */
int txgbe_fdir_remove(struct txgbe_dev *fd, const struct txgbe_fdir_filter *filter, u32 idx)
{
	u32 cmd = FIELD_PREP(TXGBE_RDB_FDIR_CMD_OP, TXGBE_RDB_FDIR_CMD_OP_REMOVE);
	int found = txgbe_fdir_find(fd, filter, idx);

	if (found <= 0)
		return found;
	txgbe_wr32(fd, TXGBE_RDB_FDIR_HASH,
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_BUCKET, txgbe_fdir_bucket(filter)) |
		   FIELD_PREP(TXGBE_RDB_FDIR_HASH_IDX, idx));
	return txgbe_fdir_run(fd, &cmd);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Address, multicast and VLAN filters (reference 13 sections 1 to 5). */
#include <linux/bitfield.h>
#include <linux/if_ether.h>
#include <linux/spinlock.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/mmio.h"

/* All we use while there are no virtual functions. */
#define TXGBE_FILTER_POOL	0

/* What pool 0 accepts besides its exact addresses: untagged frames, VLANs that
 * passed the table, and whatever the multicast and unicast hash let through.
 */
#define TXGBE_FILTER_L2CTL	(TXGBE_PSR_VM_L2CTL_VACC | TXGBE_PSR_VM_L2CTL_AUPE | \
				 TXGBE_PSR_VM_L2CTL_ROMPE | TXGBE_PSR_VM_L2CTL_ROPE | \
				 TXGBE_PSR_VM_L2CTL_BAM)

/* Index and data registers are one access: the caller holds fd->rar_lock. */
static void __txgbe_filter_write_addr(struct txgbe_dev *fd, u32 slot, u32 pool, u32 low, u32 high)
{
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_IDX, slot);
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_VM_L, pool);
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_VM_H, 0);
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_AD_L, low);
	txgbe_rmw32(fd, TXGBE_PSR_MAC_SWC_AD_H,
		    TXGBE_PSR_MAC_SWC_AD_H_ADDR | TXGBE_PSR_MAC_SWC_AD_H_ADTYPE |
		    TXGBE_PSR_MAC_SWC_AD_H_AV, high);
}

/**
 * txgbe_filter_set_addr() - accept one exact unicast or multicast address
 * @fd: device
 * @slot: 0..TXGBE_MAC_ADDR_SLOTS-1, 0 is the port's own address
 * @addr: address, first byte on the wire first
 *
 * Context: Process or softirq. Takes fd->rar_lock.
 */
void txgbe_filter_set_addr(struct txgbe_dev *fd, u32 slot, const u8 *addr)
{
	u32 low = (u32)addr[2] << 24 | (u32)addr[3] << 16 | (u32)addr[4] << 8 | addr[5];
	u32 high = (u32)addr[0] << 8 | addr[1] | TXGBE_PSR_MAC_SWC_AD_H_AV;

	spin_lock_bh(&fd->rar_lock);
	__txgbe_filter_write_addr(fd, slot, BIT(TXGBE_FILTER_POOL), low, high);
	spin_unlock_bh(&fd->rar_lock);
}

/**
 * txgbe_filter_has_addr() - does a slot accept this address?
 * @fd: device
 * @slot: 0..TXGBE_MAC_ADDR_SLOTS-1
 * @addr: address
 *
 * Context: Process or softirq. Takes fd->rar_lock.
 * Return: true if the registers hold it.
 */
bool txgbe_filter_has_addr(struct txgbe_dev *fd, u32 slot, const u8 *addr)
{
	u32 want_low = (u32)addr[2] << 24 | (u32)addr[3] << 16 | (u32)addr[4] << 8 | addr[5];
	u32 want_high = (u32)addr[0] << 8 | addr[1] | TXGBE_PSR_MAC_SWC_AD_H_AV;
	u32 low, high;

	spin_lock_bh(&fd->rar_lock);
	txgbe_wr32(fd, TXGBE_PSR_MAC_SWC_IDX, slot);
	low = txgbe_rd32(fd, TXGBE_PSR_MAC_SWC_AD_L);
	high = txgbe_rd32(fd, TXGBE_PSR_MAC_SWC_AD_H);
	spin_unlock_bh(&fd->rar_lock);

	high &= TXGBE_PSR_MAC_SWC_AD_H_ADDR | TXGBE_PSR_MAC_SWC_AD_H_AV;
	return txgbe_present(fd) && low == want_low && high == want_high;
}

/**
 * txgbe_filter_clear_addr() - empty one address slot
 * @fd: device
 * @slot: 0..TXGBE_MAC_ADDR_SLOTS-1
 *
 * Context: Process or softirq. Takes fd->rar_lock.
 */
void txgbe_filter_clear_addr(struct txgbe_dev *fd, u32 slot)
{
	spin_lock_bh(&fd->rar_lock);
	__txgbe_filter_write_addr(fd, slot, 0, 0, 0);
	spin_unlock_bh(&fd->rar_lock);
}

/**
 * txgbe_filter_mc_hash() - place of an address in the multicast table
 * @addr: multicast address
 *
 * Uses the 12 bits that PSR_CTL.MO = 0 selects.
 *
 * Context: Any.
 * Return: 0..4095: bit (n & 31) of word (n >> 5) of the table.
 */
u32 txgbe_filter_mc_hash(const u8 *addr)
{
	return (addr[4] >> 4 | (u32)addr[5] << 4) & 0xfff;
}

/**
 * txgbe_filter_set_mc() - replace the multicast table
 * @fd: device
 * @table: TXGBE_MC_TBL_WORDS words, all 0 to accept none
 *
 * The table is written whole from the caller's copy: by an erratum it must not
 * be read, modified and written back.
 *
 * Context: Process or softirq; the caller serialises calls.
 */
void txgbe_filter_set_mc(struct txgbe_dev *fd, const u32 *table)
{
	u32 i;

	for (i = 0; i < TXGBE_MC_TBL_WORDS && txgbe_present(fd); i++)
		txgbe_wr32(fd, TXGBE_PSR_MC_TBL(i), table[i]);
}

/**
 * txgbe_filter_set_mode() - promiscuous reception
 * @fd: device
 * @promisc: accept every address
 * @allmulti: accept every multicast address
 *
 * Does not touch the VLAN filter, see txgbe_filter_set_vlan_mode().
 *
 * Context: Process or softirq; the caller serialises calls.
 */
void txgbe_filter_set_mode(struct txgbe_dev *fd, bool promisc, bool allmulti)
{
	u32 mask = TXGBE_PSR_CTL_UPE | TXGBE_PSR_CTL_MPE;
	u32 l2ctl = TXGBE_FILTER_L2CTL;
	u32 ctl = 0;

	if (promisc) {
		ctl |= TXGBE_PSR_CTL_UPE;
		l2ctl |= TXGBE_PSR_VM_L2CTL_UPE;
	}
	if (promisc || allmulti) {
		ctl |= TXGBE_PSR_CTL_MPE;
		l2ctl |= TXGBE_PSR_VM_L2CTL_MPE;
	}
	txgbe_rmw32(fd, TXGBE_PSR_CTL, mask, ctl);
	txgbe_wr32(fd, TXGBE_PSR_VM_L2CTL(TXGBE_FILTER_POOL), l2ctl);
}

/**
 * txgbe_filter_set_vlan_mode() - drop tagged frames whose VID is not wanted
 * @fd: device
 * @filter: false to accept every tag
 *
 * Context: Process or softirq; the caller serialises calls.
 */
void txgbe_filter_set_vlan_mode(struct txgbe_dev *fd, bool filter)
{
	txgbe_rmw32(fd, TXGBE_PSR_VLAN_CTL,
		    TXGBE_PSR_VLAN_CTL_CFIEN | TXGBE_PSR_VLAN_CTL_VFE,
		    filter ? TXGBE_PSR_VLAN_CTL_VFE : 0);
}

/**
 * txgbe_filter_set_vlan_word() - replace 32 accepted VLANs
 * @fd: device
 * @word: 0..TXGBE_VLAN_TBL_WORDS-1
 * @vids: bit (vid & 31) for each vid of word (vid >> 5)
 *
 * VID 0 is accepted whatever @vids says: it marks frames that carry only a
 * priority and belong to no VLAN.
 *
 * Context: Process context; the caller serialises calls.
 */
void txgbe_filter_set_vlan_word(struct txgbe_dev *fd, u32 word, u32 vids)
{
	if (!word)
		vids |= BIT(0);
	txgbe_wr32(fd, TXGBE_PSR_VLAN_TBL(word), vids);
}

/**
 * txgbe_filter_set_vlans() - replace the table of accepted VLANs
 * @fd: device
 * @table: TXGBE_VLAN_TBL_WORDS words, bit (vid & 31) of word (vid >> 5)
 *
 * Context: Process context; the caller serialises calls.
 */
void txgbe_filter_set_vlans(struct txgbe_dev *fd, const u32 *table)
{
	u32 i;

	for (i = 0; i < TXGBE_VLAN_TBL_WORDS && txgbe_present(fd); i++)
		txgbe_filter_set_vlan_word(fd, i, table[i]);
}

static void txgbe_filter_init_tags(struct txgbe_dev *fd)
{
	u32 ctag = FIELD_PREP(TXGBE_CFG_TAG_TPID_EVEN, ETH_P_8021Q);
	u32 i;

	/* One pool; outer and inner tags are both looked for. */
	txgbe_rmw32(fd, TXGBE_CFG_PORT_CTL,
		    TXGBE_CFG_PORT_CTL_NUM_VT | TXGBE_CFG_PORT_CTL_D_VLAN |
		    TXGBE_CFG_PORT_CTL_QINQ,
		    TXGBE_CFG_PORT_CTL_D_VLAN | TXGBE_CFG_PORT_CTL_QINQ);
	txgbe_wr32(fd, TXGBE_CFG_TAG_TPID(0),
		   ctag | FIELD_PREP(TXGBE_CFG_TAG_TPID_ODD, ETH_P_8021AD));
	for (i = 1; i < 4; i++)
		txgbe_wr32(fd, TXGBE_CFG_TAG_TPID(i),
			   ctag | FIELD_PREP(TXGBE_CFG_TAG_TPID_ODD, ETH_P_8021Q));
}

static void txgbe_filter_clear_tables(struct txgbe_dev *fd)
{
	u32 i;

	for (i = 1; i < TXGBE_MAC_ADDR_SLOTS && txgbe_present(fd); i++)
		txgbe_filter_clear_addr(fd, i);
	for (i = 0; i < TXGBE_MC_TBL_WORDS && txgbe_present(fd); i++) {
		txgbe_wr32(fd, TXGBE_PSR_MC_TBL(i), 0);
		txgbe_wr32(fd, TXGBE_PSR_UC_TBL(i), 0);
	}
	for (i = 0; i < TXGBE_VLAN_SWC_SLOTS && txgbe_present(fd); i++) {
		txgbe_wr32(fd, TXGBE_PSR_VLAN_SWC_IDX, i);
		txgbe_wr32(fd, TXGBE_PSR_VLAN_SWC, 0);
		txgbe_wr32(fd, TXGBE_PSR_VLAN_SWC_VM_L, 0);
		txgbe_wr32(fd, TXGBE_PSR_VLAN_SWC_VM_H, 0);
	}
	txgbe_wr32(fd, TXGBE_PSR_VLAN_TBL(0), BIT(0));
	for (i = 1; i < TXGBE_VLAN_TBL_WORDS && txgbe_present(fd); i++)
		txgbe_wr32(fd, TXGBE_PSR_VLAN_TBL(i), 0);
}

/**
 * txgbe_filter_init() - empty tables and defaults, after a reset
 * @fd: device
 *
 * Afterwards the port accepts broadcast, and unicast to slot 0 as it was
 * loaded from flash; VLANs are filtered and only VID 0 passes. Also programs
 * the tag types and the port's VLAN mode.
 *
 * Context: Process context, from open. Takes fd->rar_lock.
 */
void txgbe_filter_init(struct txgbe_dev *fd)
{
	u32 set = TXGBE_PSR_CTL_MFE | TXGBE_PSR_CTL_BAM | TXGBE_PSR_CTL_PCSD |
		  TXGBE_PSR_CTL_RSC_DIS | TXGBE_PSR_CTL_RSC_ACK;
	u32 clear = TXGBE_PSR_CTL_MO | TXGBE_PSR_CTL_MPE | TXGBE_PSR_CTL_UPE |
		    TXGBE_PSR_CTL_SW_EN;

	txgbe_filter_init_tags(fd);
	txgbe_filter_clear_tables(fd);
	txgbe_rmw32(fd, TXGBE_PSR_CTL, set | clear, set);
	txgbe_wr32(fd, TXGBE_PSR_VM_L2CTL(TXGBE_FILTER_POOL), TXGBE_FILTER_L2CTL);
	txgbe_filter_set_vlan_mode(fd, true);
}

// SPDX-License-Identifier: GPL-2.0-only
/* EEPROM image, its checksum and version, flash words (reference 03). */
#include <linux/bitfield.h>
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/swab.h>

#include "hw/fwcmd.h"
#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/fw.h"
#include "txgbe/mmio.h"

/* Word addresses; those of the software region count from its pointer. */
#define TXGBE_NVM_WORDS			(TXGBE_NVM_BYTES / 2)
#define TXGBE_NVM_SW_POINTER		0x1c	/* holds a byte address */
#define TXGBE_NVM_SW_PBA		0x05	/* two words */
#define TXGBE_NVM_SW_OPROM_POINTER	0x07
#define TXGBE_NVM_SW_CAPS		0x1c
#define TXGBE_NVM_SW_VERSION_LOW	0x1d
#define TXGBE_NVM_SW_VERSION_HIGH	0x1e
#define TXGBE_NVM_SW_CHECKSUM		0x2f
#define TXGBE_NVM_OPROM_VERSION_LOW	0x83	/* from the option-ROM pointer */
#define TXGBE_NVM_OPROM_VERSION_HIGH	0x84
#define TXGBE_NVM_SUM			0xbaba
#define TXGBE_NVM_PBA_BY_POINTER	0xfafa
/* Words that firmware changes; see txgbe_nvm_sum() for who leaves out what. */
#define TXGBE_NVM_LIVE_START		0x580
#define TXGBE_NVM_LIVE_END		0x800
#define TXGBE_NVM_LIVE_END_SHORT	0x780

#define TXGBE_NVM_BLOCK_WORDS		(TXGBE_FW_NVM_MAX_BYTES / 2)
/* A check that only ever warns may not hold up a probe longer than this. */
#define TXGBE_NVM_CHECK_LIMIT_MS	2000

#define TXGBE_SWFW_STEP_US		5000
#define TXGBE_SWFW_LIMIT_MS		2000
#define TXGBE_SWFW_BRIEF_MS		500
#define TXGBE_SPI_STEP_US		10
#define TXGBE_SPI_LIMIT_US		100000
#define TXGBE_SPI_CLK_DIVIDER		3

/* MNG_SWFW_SYNC is one register for both ports of a card. Setting a bit takes
 * a read and a write, which this lock makes one step among our own ports;
 * against other drivers there is nothing better in the chip.
 */
static DEFINE_SPINLOCK(txgbe_swfw_lock);

static bool txgbe_swfw_try(struct txgbe_dev *fd, bool force)
{
	bool taken = false;
	u32 sync;

	spin_lock(&txgbe_swfw_lock);
	sync = txgbe_rd32(fd, TXGBE_MNG_SWFW_SYNC);
	if (force || !(sync & TXGBE_MNG_SWFW_SYNC_FLASH)) {
		txgbe_wr32(fd, TXGBE_MNG_SWFW_SYNC, sync | TXGBE_MNG_SWFW_SYNC_FLASH);
		taken = true;
	}
	spin_unlock(&txgbe_swfw_lock);
	return taken;
}

/* @brief: the whole machine waits for the caller, who would rather be refused. */
static int txgbe_swfw_lock_flash(struct txgbe_dev *fd, bool brief)
{
	u32 limit_ms = brief ? TXGBE_SWFW_BRIEF_MS : TXGBE_SWFW_LIMIT_MS;
	unsigned long end = jiffies + msecs_to_jiffies(limit_ms);

	while (txgbe_present(fd) && !READ_ONCE(fd->removing)) {
		if (txgbe_swfw_try(fd, false))
			return txgbe_present(fd) ? 0 : -ENODEV;
		if (time_after(jiffies, end)) {
			if (brief)
				return -EBUSY;
			/* No holder needs that long: it crashed, as before kdump. */
			dev_warn(fd->dev, "flash semaphore not free in %u ms, taking it over\n",
				 TXGBE_SWFW_LIMIT_MS);
			txgbe_swfw_try(fd, true);
			return txgbe_present(fd) ? 0 : -ENODEV;
		}
		usleep_range(TXGBE_SWFW_STEP_US, 2 * TXGBE_SWFW_STEP_US);
	}
	return -ENODEV;
}

static void txgbe_swfw_unlock_flash(struct txgbe_dev *fd)
{
	spin_lock(&txgbe_swfw_lock);
	txgbe_rmw32(fd, TXGBE_MNG_SWFW_SYNC, TXGBE_MNG_SWFW_SYNC_FLASH, 0);
	spin_unlock(&txgbe_swfw_lock);
}

/* One command's worth; @nr_words is at most TXGBE_NVM_BLOCK_WORDS. */
static int txgbe_nvm_read_block(struct txgbe_dev *fd, u16 word, u16 nr_words, u16 *data,
				bool brief)
{
	struct txgbe_fw_nvm_req req = {
		.hdr.status = TXGBE_FW_NVM_REQ_LEN,
		.addr = cpu_to_be32(2 * word),
		.len = cpu_to_be16(2 * nr_words),
	};
	struct {
		u8 head[TXGBE_FW_NVM_DATA_OFFSET];
		__le16 data[TXGBE_NVM_BLOCK_WORDS];
	} rsp;
	int err;
	u16 i;

	BUILD_BUG_ON(sizeof(rsp) != TXGBE_FW_MAX_BYTES);

	err = txgbe_swfw_lock_flash(fd, brief);
	if (err)
		return err;
	err = txgbe_fw_cmd(fd, TXGBE_FW_READ_NVM, &req, sizeof(req), &rsp,
			   ALIGN(TXGBE_FW_NVM_DATA_OFFSET + 2 * nr_words, 4), 0);
	txgbe_swfw_unlock_flash(fd);
	if (err)
		return err;

	for (i = 0; i < nr_words; i++)
		data[i] = le16_to_cpu(rsp.data[i]);
	return 0;
}

/**
 * txgbe_nvm_read() - read words of the EEPROM image firmware keeps
 * @fd: device
 * @word: address of the first, in 16-bit words, 0..2047
 * @nr_words: number of words, @word + @nr_words at most 2048
 * @data: where they go
 * @brief: wait 500 ms at most for the semaphore that guards the flash, as a
 *	caller must who holds rtnl; else 2 s, and then it is taken over
 *
 * Context: Process context, sleeps: some milliseconds per 122 words, at most
 * one firmware time-out and the wait for the semaphore.
 * Return: 0; -EINVAL if outside the image; -EBUSY if somebody holds the
 * semaphore; else the error of txgbe_fw_cmd().
 */
int txgbe_nvm_read(struct txgbe_dev *fd, u16 word, u16 nr_words, u16 *data, bool brief)
{
	u16 n;
	int err;

	if (word >= TXGBE_NVM_WORDS || nr_words > TXGBE_NVM_WORDS - word)
		return -EINVAL;

	while (nr_words) {
		n = min_t(u16, nr_words, TXGBE_NVM_BLOCK_WORDS);
		err = txgbe_nvm_read_block(fd, word, n, data, brief);
		if (err)
			return err;
		word += n;
		data += n;
		nr_words -= n;
	}
	return 0;
}

/* Checksum of @image without word @skip; words from TXGBE_NVM_LIVE_START to
 * @live_end count as erased.
 */
static u16 txgbe_nvm_sum(const u16 *image, u32 skip, u32 live_end)
{
	u16 sum = 0;
	u32 i;

	for (i = 0; i < TXGBE_NVM_WORDS; i++) {
		if (i == skip)
			continue;
		if (i >= TXGBE_NVM_LIVE_START && i < live_end)
			sum += 0xffff;
		else
			sum += image[i];
	}
	return TXGBE_NVM_SUM - sum;
}

/* The sources do not agree which of the words that firmware changes are left
 * out of the sum: all, the first 512, or none. An image is good if any fits.
 */
static int txgbe_nvm_check_image(struct txgbe_dev *fd, const u16 *image)
{
	u32 at = image[TXGBE_NVM_SW_POINTER] / 2 + TXGBE_NVM_SW_CHECKSUM;
	u16 stored, sum;

	if (at >= TXGBE_NVM_WORDS) {
		dev_warn(fd->dev, "EEPROM: no checksum, word %#x points outside (%#x)\n",
			 TXGBE_NVM_SW_POINTER, image[TXGBE_NVM_SW_POINTER]);
		return -EIO;
	}
	stored = image[at];
	sum = txgbe_nvm_sum(image, at, fd->board->nvm_skip_tail ? TXGBE_NVM_LIVE_END : 0);
	if (stored == sum ||
	    stored == txgbe_nvm_sum(image, at, fd->board->nvm_skip_tail ? 0 : TXGBE_NVM_LIVE_END) ||
	    stored == txgbe_nvm_sum(image, at, TXGBE_NVM_LIVE_END_SHORT))
		return 0;

	dev_warn(fd->dev, "EEPROM: checksum is %#06x, should be %#06x; going on with it\n",
		 stored, sum);
	return -EIO;
}

static int txgbe_nvm_read_image(struct txgbe_dev *fd, u16 *image, bool brief)
{
	u64 end = get_jiffies_64() + msecs_to_jiffies(TXGBE_NVM_CHECK_LIMIT_MS);
	u16 word, n;
	int err;

	for (word = 0; word < TXGBE_NVM_WORDS; word += n) {
		if (time_after64(get_jiffies_64(), end)) {
			dev_warn(fd->dev, "EEPROM: not checked, %u of %u words took %u ms\n",
				 word, TXGBE_NVM_WORDS, TXGBE_NVM_CHECK_LIMIT_MS);
			return -ETIMEDOUT;
		}
		n = min_t(u16, TXGBE_NVM_WORDS - word, TXGBE_NVM_BLOCK_WORDS);
		err = txgbe_nvm_read_block(fd, word, n, image + word, brief);
		if (err) {
			if (err != -ENODEV)
				dev_warn(fd->dev, "EEPROM: word %#x not readable: %d\n", word, err);
			return err;
		}
	}
	return 0;
}

/**
 * txgbe_nvm_check() - read the EEPROM image and verify its checksum
 * @fd: device
 * @brief: as for txgbe_nvm_read()
 *
 * A card whose image is bad usually works, and the reset that might reload it
 * would hit the other port: the result is a warning, logged here, and nothing
 * more. Sets fd->nvm_present.
 *
 * Context: Process context, sleeps, mostly 50 ms, at most some 5 s if firmware
 * stops answering or another driver holds the semaphore, 3 s if @brief. From
 * probe and self-test.
 * Return: 0 if good or no EEPROM is fitted; -EIO if the checksum is wrong;
 * -ETIMEDOUT if reading takes too long; -ENOMEM; else the error of
 * txgbe_nvm_read().
 */
int txgbe_nvm_check(struct txgbe_dev *fd, bool brief)
{
	u16 *image;
	int err;

	fd->nvm_present = !(txgbe_rd32(fd, TXGBE_SPI_STATUS) & TXGBE_SPI_STATUS_BYPASS);
	if (!fd->nvm_present)
		return 0;

	image = kcalloc(TXGBE_NVM_WORDS, sizeof(*image), GFP_KERNEL);
	if (!image)
		return -ENOMEM;
	err = txgbe_nvm_read_image(fd, image, brief);
	if (!err)
		err = txgbe_nvm_check_image(fd, image);
	kfree(image);
	return err;
}

/* Words of the software region, whose place word TXGBE_NVM_SW_POINTER tells. */
static int txgbe_nvm_read_sw(struct txgbe_dev *fd, u16 word, u16 nr_words, u16 *data)
{
	u16 pointer;
	int err;

	err = txgbe_nvm_read(fd, TXGBE_NVM_SW_POINTER, 1, &pointer, false);
	if (err)
		return err;
	return txgbe_nvm_read(fd, pointer / 2 + word, nr_words, data, false);
}

static void txgbe_nvm_get_oprom_version(struct txgbe_dev *fd, u16 pointer,
					struct txgbe_nvm_version *version)
{
	u16 ver[2]; /* low, high: neighbours */

	if (!pointer || pointer >= TXGBE_NVM_WORDS)
		return;
	if (txgbe_nvm_read(fd, pointer + TXGBE_NVM_OPROM_VERSION_LOW, 2, ver, false))
		return;
	version->has_oprom = ver[0] && ver[1];
	version->oprom_major = ver[0] >> 8;
	version->oprom_build = ver[0] << 8 | ver[1] >> 8;
	version->oprom_patch = ver[1] & 0xff;
}

/**
 * txgbe_nvm_get_version() - versions named in the EEPROM image firmware keeps
 * @fd: device
 * @version: the versions
 *
 * Context: Process context, sleeps, see txgbe_nvm_read().
 * Return: 0, or the error of txgbe_nvm_read().
 */
int txgbe_nvm_get_version(struct txgbe_dev *fd, struct txgbe_nvm_version *version)
{
	/* One block holds the option-ROM pointer and both halves of the version. */
	u16 words[TXGBE_NVM_SW_VERSION_HIGH - TXGBE_NVM_SW_OPROM_POINTER + 1];
	u16 low, high;
	int err;

	memset(version, 0, sizeof(*version));
	err = txgbe_nvm_read_sw(fd, TXGBE_NVM_SW_OPROM_POINTER, ARRAY_SIZE(words), words);
	if (err)
		return err;
	low = words[TXGBE_NVM_SW_VERSION_LOW - TXGBE_NVM_SW_OPROM_POINTER];
	high = words[TXGBE_NVM_SW_VERSION_HIGH - TXGBE_NVM_SW_OPROM_POINTER];
	version->image = (u32)high << 16 | low;
	version->caps = words[TXGBE_NVM_SW_CAPS - TXGBE_NVM_SW_OPROM_POINTER];
	txgbe_nvm_get_oprom_version(fd, words[0], version);
	return 0;
}

/**
 * txgbe_nvm_read_version() - fill fd->fw_version, fd->nvm_version and fd->nvm_caps
 * @fd: device
 *
 * "0x00020025" or "0x00020025, 1.2.3" with an option ROM; empty if the EEPROM
 * cannot be read; no capabilities then.
 *
 * Context: Process context, sleeps, see txgbe_nvm_read(). From probe and
 * devlink reload.
 */
void txgbe_nvm_read_version(struct txgbe_dev *fd)
{
	struct txgbe_nvm_version *version = &fd->nvm_version;
	size_t len;

	if (txgbe_nvm_get_version(fd, version)) {
		fd->fw_version[0] = '\0';
		fd->nvm_caps = 0;
		return;
	}
	fd->nvm_caps = version->caps;
	len = scnprintf(fd->fw_version, sizeof(fd->fw_version), "0x%08x", version->image);
	if (version->has_oprom)
		scnprintf(fd->fw_version + len, sizeof(fd->fw_version) - len, ", %u.%u.%u",
			  version->oprom_major, version->oprom_build, version->oprom_patch);
}

/* The part number as text: a length in words, itself included, then ASCII. */
static int txgbe_nvm_read_pba_block(struct txgbe_dev *fd, u16 pointer, char *buf, size_t size)
{
	u16 words[TXGBE_NVM_PBA_LEN / 2 + 1];
	u16 nr, i;
	int err;

	err = txgbe_nvm_read(fd, pointer, ARRAY_SIZE(words), words, false);
	if (err)
		return err;
	nr = words[0];
	if (nr < 2 || nr > ARRAY_SIZE(words) || 2 * (nr - 1) >= size)
		return -ENOENT;
	for (i = 1; i < nr; i++) {
		*buf++ = words[i] >> 8;
		*buf++ = words[i] & 0xff;
	}
	*buf = '\0';
	return 0;
}

/**
 * txgbe_nvm_read_pba() - read the part number of the board
 * @fd: device
 * @buf: for the number, printable
 * @size: bytes of @buf, TXGBE_NVM_PBA_LEN
 *
 * Context: Process context, sleeps, see txgbe_nvm_read().
 * Return: 0; -ENOENT if there is none; else the error of txgbe_nvm_read().
 */
int txgbe_nvm_read_pba(struct txgbe_dev *fd, char *buf, size_t size)
{
	u16 pba[2];
	size_t i;
	int err;

	err = txgbe_nvm_read_sw(fd, TXGBE_NVM_SW_PBA, ARRAY_SIZE(pba), pba);
	if (err)
		return err;
	if (pba[0] == TXGBE_NVM_PBA_BY_POINTER) {
		err = txgbe_nvm_read_pba_block(fd, pba[1], buf, size);
		if (err)
			return err;
	} else {
		if ((!pba[0] && !pba[1]) || (pba[0] == 0xffff && pba[1] == 0xffff))
			return -ENOENT;
		/* six digits, "-0", two digits (reference 03 section 3) */
		scnprintf(buf, size, "%04X%02X-0%02X", pba[0], pba[1] >> 8, pba[1] & 0xff);
	}
	for (i = 0; buf[i]; i++)
		if (!isascii(buf[i]) || !isprint(buf[i]))
			return -ENOENT;
	return i ? 0 : -ENOENT;
}

/**
 * txgbe_nvm_read_subsys() - read the subsystem device id from flash
 * @fd: device
 * @subsys: the id
 *
 * For cards whose PCI subsystem vendor is not the chip's: there the PCI
 * subsystem device is the card maker's own number and does not describe the
 * board.
 *
 * Context: Process context, sleeps up to 100 ms and 2 s for the semaphore.
 * Return: 0; -ENOENT if there is no flash or it is erased there; -ETIMEDOUT;
 * -ENODEV if the device is gone.
 */
int txgbe_nvm_read_subsys(struct txgbe_dev *fd, u16 *subsys)
{
	u32 val;
	int err;

	if (txgbe_rd32(fd, TXGBE_SPI_STATUS) & TXGBE_SPI_STATUS_BYPASS)
		return txgbe_present(fd) ? -ENOENT : -ENODEV;

	/* The flash controller is shared by both ports. */
	err = txgbe_swfw_lock_flash(fd, false);
	if (err)
		return err;
	txgbe_wr32(fd, TXGBE_SPI_CMD,
		   FIELD_PREP(TXGBE_SPI_CMD_ADDR, TXGBE_FLASH_SUBSYS_ID) |
		   FIELD_PREP(TXGBE_SPI_CMD_CLK, TXGBE_SPI_CLK_DIVIDER) |
		   FIELD_PREP(TXGBE_SPI_CMD_OP, TXGBE_SPI_CMD_OP_READ));
	err = txgbe_poll32(fd, TXGBE_SPI_STATUS, val, val & TXGBE_SPI_STATUS_OPDONE,
			   TXGBE_SPI_STEP_US, TXGBE_SPI_LIMIT_US);
	val = txgbe_rd32(fd, TXGBE_SPI_DATA);
	txgbe_swfw_unlock_flash(fd);
	if (err)
		return err;

	*subsys = swab16(val & 0xffff);
	return *subsys == 0xffff ? -ENOENT : 0;
}

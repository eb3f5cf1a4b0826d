/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums and hashes of the FF50xx model.
 *
 * Internet checksums are handled as the number that the 16-bit big-endian
 * words add up to, so the same value comes out on any host.
 */
#include "qemu/osdep.h"
#include "ff50xx_bytes.h"
#include "ff50xx_csum.h"

static uint32_t crc32c_tab[4][256];
static uint32_t fcs_tab[4][256];

static void crc_table(uint32_t tab[4][256], uint32_t poly)
{
    for (unsigned i = 0; i < 256; i++) {
        uint32_t c = i;

        for (unsigned b = 0; b < 8; b++) {
            c = c & 1 ? c >> 1 ^ poly : c >> 1;
        }
        tab[0][i] = c;
    }
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned k = 1; k < 4; k++) {
            tab[k][i] = tab[k - 1][i] >> 8 ^ tab[0][tab[k - 1][i] & 0xff];
        }
    }
}

static void __attribute__((constructor)) crc_init(void)
{
    crc_table(crc32c_tab, 0x82f63b78);
    crc_table(fcs_tab, 0xedb88320);
}

static uint32_t crc_run(uint32_t tab[4][256], const uint8_t *p, size_t len,
                        uint32_t crc)
{
    while (len >= 4) {
        crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 |
               (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = tab[3][crc & 0xff] ^ tab[2][crc >> 8 & 0xff] ^
              tab[1][crc >> 16 & 0xff] ^ tab[0][crc >> 24];
        p += 4;
        len -= 4;
    }
    while (len--) {
        crc = crc >> 8 ^ tab[0][(crc ^ *p++) & 0xff];
    }
    return crc;
}

/* Fold a sum of 16-bit words to 16 bits, with end-around carry. */
uint16_t ff50_csum_fold(uint64_t sum)
{
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/**
 * ff50_csum() - one's complement sum of a byte range
 * @p: first byte, taken as the high byte of the first word
 * @len: bytes; an odd last byte is padded with zero
 * @init: sum to start from, not folded
 *
 * Return: the folded sum, not complemented.
 */
uint16_t ff50_csum(const uint8_t *p, size_t len, uint32_t init)
{
    uint64_t sum = 0;
    uint16_t s;

    while (len >= 32) {
        uint32_t w[8];

        memcpy(w, p, sizeof(w));
        sum += (uint64_t)w[0] + w[1] + w[2] + w[3];
        sum += (uint64_t)w[4] + w[5] + w[6] + w[7];
        p += 32;
        len -= 32;
    }
    while (len >= 2) {
        uint16_t w;

        memcpy(&w, p, sizeof(w));
        sum += w;
        p += 2;
        len -= 2;
    }
    if (len) {
        uint8_t last[2] = { *p, 0 };
        uint16_t w;

        memcpy(&w, last, sizeof(w));
        sum += w;
    }
    s = ff50_csum_fold(sum);
    /* The words were summed in host order; one swap repairs the total. */
    {
        uint8_t b[2];

        memcpy(b, &s, sizeof(b));
        s = ff50_be16(b);
    }
    return ff50_csum_fold((uint64_t)s + init);
}

/**
 * ff50_csum_pseudo() - sum of the pseudo header of an IP packet
 * @ip: IP header; addresses are read from it (20 or 40 bytes)
 * @ver: 4 or 6
 * @proto: upper-layer protocol number
 * @l4len: upper-layer length in bytes, 0 for segmentation seeds
 *
 * Return: the sum, not folded.
 */
uint32_t ff50_csum_pseudo(const uint8_t *ip, unsigned ver, uint8_t proto,
                          uint32_t l4len)
{
    uint32_t sum = proto + (l4len >> 16) + (l4len & 0xffff);

    return sum + (ver == 4 ? ff50_csum(ip + 12, 8, 0)
                           : ff50_csum(ip + 8, 32, 0));
}

/* CRC32c register value after @p; the caller inverts at start and end. */
uint32_t ff50_crc32c(const uint8_t *p, size_t len, uint32_t crc)
{
    return crc_run(crc32c_tab, p, len, crc);
}

/**
 * ff50_sctp_csum() - checksum of an SCTP packet
 * @p: SCTP common header; its checksum field (bytes 8 to 11) counts as zero
 * @len: bytes of the whole packet, at least 12
 *
 * Return: the value as it is stored, least significant byte first.
 */
uint32_t ff50_sctp_csum(const uint8_t *p, size_t len)
{
    static const uint8_t zero[4];
    uint32_t crc = ff50_crc32c(p, 8, 0xffffffff);

    crc = ff50_crc32c(zero, 4, crc);
    return ~ff50_crc32c(p + 12, len - 12, crc);
}

/* FCS of a frame, stored on the wire least significant byte first. */
uint32_t ff50_eth_fcs(const uint8_t *p, size_t len)
{
    return ~crc_run(fcs_tab, p, len, 0xffffffff);
}

/* Expand an RSS key; needed again whenever a byte of the key changes. */
void ff50_toeplitz_set_key(FF50Toeplitz *t,
                           const uint8_t key[FF50_RSS_KEY_LEN])
{
    for (unsigned n = 0; n < FF50_RSS_INPUT_MAX * 2; n++) {
        /* The 40 key bits from the nibble's byte on: at most byte 39. */
        uint64_t w = (uint64_t)ff50_be32(key + n / 2) << 8 | key[n / 2 + 4];
        uint32_t k[4];

        for (unsigned b = 0; b < 4; b++) {
            k[b] = (uint32_t)(w >> (8 - (n & 1) * 4 - b));
        }
        for (unsigned v = 0; v < 16; v++) {
            t->row[n][v] = (v & 8 ? k[0] : 0) ^ (v & 4 ? k[1] : 0) ^
                           (v & 2 ? k[2] : 0) ^ (v & 1 ? k[3] : 0);
        }
    }
}

/* RSS hash of @len input bytes, at most FF50_RSS_INPUT_MAX. */
uint32_t ff50_toeplitz(const FF50Toeplitz *t, const uint8_t *in, size_t len)
{
    uint32_t h = 0;

    for (size_t i = 0; i < len && i < FF50_RSS_INPUT_MAX; i++) {
        h ^= t->row[2 * i][in[i] >> 4] ^ t->row[2 * i + 1][in[i] & 15];
    }
    return h;
}

/**
 * ff50_fdir_hash() - flow director hash
 * @s: the masked input stream: pool, flow and packet type; 4 words
 *     destination; 4 words source; ports; flex word
 * @key: bucket key or signature key
 *
 * Return: 32 bits; the caller reduces them to a bucket or a signature.
 */
uint32_t ff50_fdir_hash(const uint32_t s[FF50_FDIR_DWORDS], uint32_t key)
{
    uint32_t c = 0, hi, lo0, lo, h = 0;

    for (unsigned i = 1; i < FF50_FDIR_DWORDS; i++) {
        c ^= s[i];
    }
    hi = c ^ s[0] ^ s[0] >> 16;
    lo0 = c >> 16 | c << 16;
    lo = lo0 ^ s[0] ^ s[0] << 16;

    if (key & 1) {
        h ^= lo0;
    }
    if (key >> 16 & 1) {
        h ^= hi;
    }
    for (unsigned n = 1; n < 16; n++) {
        if (key >> n & 1) {
            h ^= lo >> n;
        }
        if (key >> (n + 16) & 1) {
            h ^= hi >> n;
        }
    }
    return h;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums and hashes of the FF50xx model: internet checksum, CRC32c (SCTP),
 * Ethernet FCS, Toeplitz (RSS) and the flow director hash.
 */
#ifndef HW_NET_FF50XX_CSUM_H
#define HW_NET_FF50XX_CSUM_H

#define FF50_RSS_KEY_LEN    40
#define FF50_RSS_INPUT_MAX  36
#define FF50_FDIR_DWORDS    11

/* Toeplitz key expanded to one row of 16 partial hashes per input nibble. */
typedef struct FF50Toeplitz {
    uint32_t row[FF50_RSS_INPUT_MAX * 2][16];
} FF50Toeplitz;

uint16_t ff50_csum_fold(uint64_t sum);
uint16_t ff50_csum(const uint8_t *p, size_t len, uint32_t init);
uint32_t ff50_csum_pseudo(const uint8_t *ip, unsigned ver, uint8_t proto,
                          uint32_t l4len);
uint32_t ff50_crc32c(const uint8_t *p, size_t len, uint32_t crc);
uint32_t ff50_sctp_csum(const uint8_t *p, size_t len);
uint32_t ff50_eth_fcs(const uint8_t *p, size_t len);
void ff50_toeplitz_set_key(FF50Toeplitz *t,
                           const uint8_t key[FF50_RSS_KEY_LEN]);
uint32_t ff50_toeplitz(const FF50Toeplitz *t, const uint8_t *in, size_t len);
uint32_t ff50_fdir_hash(const uint32_t s[FF50_FDIR_DWORDS], uint32_t key);

#endif

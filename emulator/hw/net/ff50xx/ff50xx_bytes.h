/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Big-endian field access for the frame code of the FF50xx model.
 *
 * The pure parts (parser, checksums, segmentation) use these instead of
 * QEMU's own helpers, so that they also build into the host unit test.
 */
#ifndef HW_NET_FF50XX_BYTES_H
#define HW_NET_FF50XX_BYTES_H

static inline uint16_t ff50_be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t ff50_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
           (uint32_t)p[2] << 8 | p[3];
}

static inline void ff50_put_be16(uint8_t *p, uint16_t v)
{
    p[0] = v >> 8;
    p[1] = v & 0xff;
}

static inline void ff50_put_be32(uint8_t *p, uint32_t v)
{
    p[0] = v >> 24;
    p[1] = v >> 16;
    p[2] = v >> 8;
    p[3] = v & 0xff;
}

#endif

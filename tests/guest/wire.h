/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in network byte order and their sum, for the helpers that write and read frames. */
#ifndef TESTS_GUEST_WIRE_H
#define TESTS_GUEST_WIRE_H

#include <stddef.h>
#include <stdint.h>

static inline void put16(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xffff);
}

static inline unsigned int get16(const uint8_t *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

static inline uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* Sum of big-endian 16-bit words, carries added in, on top of @sum; an odd last byte counts as the high one. */
static inline uint32_t sum16(const uint8_t *p, size_t len, uint32_t sum)
{
	for (; len > 1; p += 2, len -= 2)
		sum += get16(p);
	if (len)
		sum += (uint32_t)*p << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

#endif

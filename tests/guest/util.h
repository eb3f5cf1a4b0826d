/* SPDX-License-Identifier: GPL-2.0-only */
/* Small things shared by the guest helpers: errors, namespaces, clock, payload. */
#ifndef TESTS_GUEST_UTIL_H
#define TESTS_GUEST_UTIL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Exit status of a helper: 0 the fact holds, 1 it does not, 2 the helper itself could not work. */
enum { EXIT_HOLDS = 0, EXIT_BROKEN = 1, EXIT_CANNOT = 2 };

__attribute__((noreturn, format(printf, 1, 2)))
static inline void cannot(const char *fmt, ...)
{
	int err = errno;
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (err)
		fprintf(stderr, ": %s", strerror(err));
	fputc('\n', stderr);
	exit(EXIT_CANNOT);
}

/* Moves the caller into the named network namespace of iproute2; NULL stays. */
static inline void enter_ns(const char *name)
{
	char path[256];
	int fd;

	if (!name)
		return;
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(path, sizeof(path), "/var/run/netns/%s", name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		cannot("namespace %s", name);
	if (setns(fd, CLONE_NEWNET))
		cannot("setns %s", name);
	close(fd);
}

/* Frames that one CPU sends leave through one queue and keep their order; those of several queues need not. */
static inline void stay_on_one_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t one_cpu;

	CPU_ZERO(&one_cpu);
	CPU_SET(cpu < 0 ? 0 : (unsigned int)cpu, &one_cpu);
	if (sched_setaffinity(0, sizeof(one_cpu), &one_cpu))
		cannot("CPU %d", cpu);
}

static inline uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static inline void nap_us(unsigned int us)
{
	struct timespec ts = { us / 1000000, (long)(us % 1000000) * 1000 };

	nanosleep(&ts, NULL);
}

static inline uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = (*state += 0x9E3779B97F4A7C15ull);

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
	return z ^ (z >> 31);
}

static inline void fill_random(uint8_t *buf, size_t len, uint64_t seed)
{
	uint64_t word;

	while (len >= sizeof(word)) {
		word = splitmix64(&seed);
		memcpy(buf, &word, sizeof(word));
		buf += sizeof(word);
		len -= sizeof(word);
	}
	word = splitmix64(&seed);
	memcpy(buf, &word, len);
}

/* Payload of test frame @nr: its number, then bytes made from it. */
static inline void fill_payload(uint8_t *buf, size_t len, uint32_t nr)
{
	uint8_t head[4] = { nr >> 24, nr >> 16 & 0xff, nr >> 8 & 0xff, nr & 0xff };

	if (len > sizeof(head))
		fill_random(buf + sizeof(head), len - sizeof(head), nr);
	memcpy(buf, head, len < sizeof(head) ? len : sizeof(head));
}

static inline uint32_t payload_number(const uint8_t *buf)
{
	return (uint32_t)buf[0] << 24 | (uint32_t)buf[1] << 16 | (uint32_t)buf[2] << 8 | buf[3];
}

/* MAC address of the form 01:23:45:67:89:ab. Returns whether @s is one. */
static inline int parse_mac(const char *s, uint8_t *mac)
{
	return sscanf(s, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4, mac + 5) == 6;
}

static inline unsigned long long number(const char *s)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 0);

	switch (*end) {
	case 'G': case 'g': v <<= 10; /* fall through */
	case 'M': case 'm': v <<= 10; /* fall through */
	case 'K': case 'k': v <<= 10; end++; break;
	}
	errno = 0;
	if (end == s || *end)
		cannot("not a number: %s", s);
	return v;
}

#endif

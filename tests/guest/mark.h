/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks: a line of text to whoever measures this machine from outside (lab/plugin/count.c). Where nobody does, a mark is
 * an instruction that does nothing; on other machines than x86, which are not measured, it is nothing at all.
 *
 *   start NAME [; COMMAND]...          a window opens
 *   stop UNITS [PORT.COUNTER=N]...     it closes; so many units of work were done, and the model must have counted that
 *   anything else                      a command of hostctl, which costs the guest no time
 */
#ifndef TESTS_GUEST_MARK_H
#define TESTS_GUEST_MARK_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MARK_BYTES 256		/* as in lab/plugin/count.c */

__attribute__((format(printf, 1, 2)))
static inline void mark(const char *fmt, ...)
{
	static char text[MARK_BYTES] __attribute__((aligned(MARK_BYTES)));
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
#ifdef __x86_64__
	/* nopl 0x4b4d4658(%rax) */
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x58, 0x46, 0x4d, 0x4b" : : "a"(text) : "memory");
#endif
}

#endif

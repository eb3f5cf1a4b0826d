/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 6.12 this header was asm's. */
#include <asm/unaligned.h>

/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 6.5 this is in skbuff.h. */
#include <linux/skbuff.h>

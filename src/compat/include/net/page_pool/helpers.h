/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 6.6 page_pool had one header of another name. */
#include <net/page_pool.h>

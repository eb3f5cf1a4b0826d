// SPDX-License-Identifier: GPL-2.0-only
/* WQ_PERCPU: since 6.18 */
#include <linux/workqueue.h>

int probe = WQ_PERCPU;

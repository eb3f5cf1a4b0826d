// SPDX-License-Identifier: GPL-2.0-only
/* system_percpu_wq, the other name of system_wq: since 6.17 */
#include <linux/workqueue.h>

struct workqueue_struct **probe = &system_percpu_wq;

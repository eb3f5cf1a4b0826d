// SPDX-License-Identifier: GPL-2.0-only
/* No devlink_info_driver_name_put(), the core knows the name: since 6.2. Only steers devlink.h */
#include <net/devlink.h>

struct probe;
struct probe *devlink_info_driver_name_put(struct probe *probe);

// SPDX-License-Identifier: GPL-2.0-only
/* No devlink_set_features(), the ops alone say what is supported: since 6.3. Only steers devlink.h */
#include <net/devlink.h>

struct probe;
struct probe *devlink_set_features(struct probe *probe);

// SPDX-License-Identifier: GPL-2.0-only
/* The ops alone say what is supported, no devlink_set_features(): 6.3. Only steers devlink.h */
#include <net/devlink.h>

struct probe;
struct probe *devlink_set_features(struct probe *probe);

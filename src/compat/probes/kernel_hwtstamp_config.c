// SPDX-License-Identifier: GPL-2.0-only
/* struct kernel_hwtstamp_config: since 6.6. Only steers hwstamp.h */
#include <linux/net_tstamp.h>

int probe(struct kernel_hwtstamp_config *config)
{
	return config->flags + config->tx_type + config->rx_filter;
}

// SPDX-License-Identifier: GPL-2.0-only
/* xdp_convert_buff_to_frame(): since 5.8 */
#include <net/xdp.h>

struct xdp_frame *probe(struct xdp_buff *xdp);
struct xdp_frame *probe(struct xdp_buff *xdp)
{
	return xdp_convert_buff_to_frame(xdp);
}

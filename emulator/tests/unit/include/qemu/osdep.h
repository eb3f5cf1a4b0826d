/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the pure parts of the model need of QEMU's header of this name. */
#ifndef UNIT_QEMU_OSDEP_H
#define UNIT_QEMU_OSDEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#endif

# SPDX-License-Identifier: GPL-2.0-only
"""The lab: fetches and builds QEMU and kernels, boots guests, judges the result."""

# SPDX-License-Identifier: GPL-2.0-only
# Work of known length, for the bench's test of itself: "lab.py bench --check" knows what must come out.
. "${TESTS:-/tests}/bench/common.sh"

begin
bench -w loop loop 100000
bench -w calls calls 5000
# Each read leaves its block of code half-way. MIS_PWR does not mind being read.
bench -w mmio -e p0.mmio_read=2000 mmio "$(port_pci p0)" 0x10000 2000
bench -w nothing wait 1 1 "get p0 link"
ok exact_windows_are_done
finish

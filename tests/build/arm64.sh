#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# arm64.sh: cross-compiles the module for Debian's arm64 kernel as matrix.sh does for the others. TAP.
set -u

tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
prefix=aarch64-linux-gnu-
if ! command -v ${prefix}gcc > /dev/null; then
	[ "$(id -u)" = 0 ] && apt-get install -qy --no-install-recommends gcc-aarch64-linux-gnu > /dev/null 2>&1
	if ! command -v ${prefix}gcc > /dev/null; then
		echo "1..0 # SKIP ${prefix}gcc is not installed and could not be"
		exit 0
	fi
fi
if ! kdir=$("$tree/lab/lab.py" cross-kdir arm64); then
	echo "not ok 1 - there are no headers for arm64"
	exit 1
fi
ARCH=arm64 CROSS_COMPILE=$prefix "$tree/tests/build/matrix.sh" "$kdir"
status=$?
machine=$(${prefix}readelf -h "$tree/build/matrix/$(basename "$kdir")/txgbe.ko" 2>/dev/null | sed -n 's/^ *Machine: *//p')
if [ "$machine" = AArch64 ]; then
	echo "ok - the module is for AArch64"
else
	echo "not ok - the module is for ${machine:-nothing}"
	status=1
fi
exit $status

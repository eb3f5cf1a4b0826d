#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# arm64.sh: cross-compiles the module for Debian's arm64 kernel as matrix.sh does for the others. TAP.
set -u

tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
prefix=aarch64-linux-gnu-
if ! kdir=$("$tree/lab/lab.py" cross-kdir arm64); then
	echo "not ok 1 - there are headers and a compiler for arm64"
	exit 1
fi
# By the name of the kernel that the lab boots, so that the table of kernels has one row for both.
name=$(basename "$kdir" | sed 's/^linux-headers-\([0-9]*\.[0-9]*\)\..*-\(.*\)/debian-\1-\2/')
mkdir -p "$tree/build/cross"
ln -sfn "$kdir" "$tree/build/cross/$name"
ARCH=arm64 CROSS_COMPILE=$prefix "$tree/tests/build/matrix.sh" "$tree/build/cross/$name"
status=$?
machine=$(${prefix}readelf -h "$tree/build/matrix/$name/txgbe.ko" 2>/dev/null | sed -n 's/^ *Machine: *//p')
if [ "$machine" = AArch64 ]; then
	echo "ok - the module is for AArch64"
else
	echo "not ok - the module is for ${machine:-nothing}"
	status=1
fi
exit $status

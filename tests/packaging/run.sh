#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Decisions of packaging/txgbe-modcheck on made-up machines, and what must agree between the packages.
# shellcheck disable=SC2317 # functions that check calls
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

machine() {	# machine NAME ADDRESS=DEVICE...: a made-up /sys
	local card dir
	rm -rf "${tmp:?}/$1"
	mkdir -p "$tmp/$1/sys/bus/pci/devices" "$tmp/$1/boot"
	root=$tmp/$1
	shift
	for card; do
		dir=$root/sys/bus/pci/devices/${card%=*}
		mkdir -p "$dir"
		echo 0x8088 > "$dir/vendor"
		echo "${card#*=}" > "$dir/device"
	done
}

secure_boot() {	# secure_boot 0|1
	mkdir -p "$root/sys/firmware/efi/efivars"
	printf '\006\000\000\000%b' "\\0$1" > "$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
}

modcheck() { TXGBE_SYSROOT=$root "$tree/packaging/txgbe-modcheck" "$@"; }
says() { modcheck "${@:2}" > "$tmp/said" 2>&1; cat "$tmp/said"; grep -q "$1" "$tmp/said"; }
status_of() { modcheck "${@:2}"; [ $? = "$1" ]; }
silent_on() { ! modcheck "${@:2}" 2>&1 | grep "$1"; }

machine ours 0000:01:00.0=0x5025 0000:01:00.1=0x5025
check "a machine with an FF5025 is good" status_of 0 preflight
check "nothing is said of Secure Boot where there is none" silent_on "Secure Boot" preflight
secure_boot 0
check "nothing is said of Secure Boot when it is off" silent_on "Secure Boot" preflight
secure_boot 1
check "Secure Boot: the words a user needs" says "mokutil --import" preflight
for id in 0x1001 0x2001; do
	machine mixed 0000:01:00.0=0x5040 0000:02:00.0=$id
	check "SP1000 $id is told" says "SP1000 10G card at 0000:02:00.0" preflight
	check "SP1000 $id stops the installation" status_of 1 preflight
	check "unless one insists" status_of 0 --force preflight
done
machine none
check "a machine without a card is told" says "no FF5025" preflight
check "no module at all is a fault" status_of 1 verify 5.4.119
check "an unknown command is refused" status_of 2 frobnicate
check "an unknown option is refused" status_of 2 --frobnicate
check "--help" says "Examples" --help
machine boot
check "no initramfs is no fault" says "no initramfs" initramfs 6.1.0-test

versions_agree() {
	local version
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")
	[ -n "$version" ] && grep -qx "VERSION=$version" "$tree/packaging/txgbe-modcheck" &&
		head -n 1 "$tree/packaging/debian/changelog" | grep -qF "($version)"
}
check "dkms.conf, txgbe-modcheck and the changelog name one version" versions_agree

ids_agree() {	# the ids the scripts know are those the driver claims
	local id
	for id in 5025 5125 5010 5110 5040 5140; do
		grep -qi "0x$id" "$tree/include/hw/ids.h" && grep -q "0x$id" "$tree/packaging/txgbe-modcheck" || return 1
	done
}
check "driver and txgbe-modcheck know the same cards" ids_agree

kernels() {	# does BUILD_EXCLUSIVE_KERNEL take kernel $2?
	# shellcheck disable=SC1091
	(export kernel_source_dir=; . "$tree/dkms.conf"; [[ $2 =~ $BUILD_EXCLUSIVE_KERNEL ]]) && echo yes || echo no
}
for case in 5.4.119-20.0009=yes 5.10.0-46-amd64=yes 6.6.34-9.oc9.x86_64=yes 7.3.4=yes 10.1=yes 4.18.0-553.el8=no 5.3.18=no 3.10.0=no; do
	check "DKMS: kernel ${case%=*}: ${case#*=}" test "$(kernels x "${case%=*}")" = "${case#*=}"
done

echo "1..$nr"
exit $((failed != 0))

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Decisions of packaging/txgbe-modcheck on made-up machines, and what must agree between the packages.
# shellcheck disable=SC2317 # functions that check calls
# shellcheck disable=SC2016 # what other shells expand
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
fault_says() { modcheck "${@:2}" > "$tmp/said" 2>&1; [ $? = 1 ] && cat "$tmp/said" && grep -q "$1" "$tmp/said"; }
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
	check "SP1000 $id stops the installation" fault_says "SP1000 10G card at 0000:02:00.0" preflight
	check "unless one insists" status_of 0 --force preflight
	TXGBE_FORCE=1 check "or does so by the environment" status_of 0 preflight
done
check "DKMS is stopped as well" status_of 1 --dkms preflight
mkdir -p "$root/lib/modules/6.1.0-old/updates/dkms"
touch "$root/lib/modules/6.1.0-old/updates/dkms/txgbe.ko.xz"
check "but for where it has ours installed for another kernel" status_of 0 --dkms preflight

# What the packages ask before anything else, on a machine whose cards are $root's.
deb_asks() { cp "$tree/packaging/debian/txgbe-dkms.preinst" "$tmp/asks" && asks "$@" install; }
rpm_asks() { sed -n '/^%pre -n/,/^%post/{/^%/!{s/%%/%/g;p}}' "$tree/packaging/rpm/txgbe.spec" > "$tmp/asks" && asks "$@" 1; }
asks() {	# asks refuse|go ARGUMENT: $tmp/asks does that
	unshare -rm sh -c 'mount --bind "$1" /sys/bus/pci && exec sh "$2" "$3"' sh "$root/sys/bus/pci" "$tmp/asks" "$2" \
		> "$tmp/said" 2>&1
	local status=$?
	cat "$tmp/said"
	case $1 in
	go) [ "$status" = 0 ] && [ ! -s "$tmp/said" ] ;;
	*) [ "$status" = 1 ] && grep -q "SP1000 10G card at 0000:02:00.0 needs" "$tmp/said" ;;
	esac
}
if unshare -rm mount --bind "$tmp" /mnt 2> /dev/null && [ -d /sys/bus/pci ]; then
	for id in 0x1001 0x2001; do
		machine mixed 0000:01:00.0=0x5040 0000:02:00.0=$id
		check "SP1000 $id stops the Debian package" deb_asks refuse
		check "SP1000 $id stops the RPM package" rpm_asks refuse
		TXGBE_FORCE=1 check "unless one insists, with Debian's" deb_asks go
		TXGBE_FORCE=1 check "unless one insists, with the RPM package" rpm_asks go
	done
	machine ours 0000:01:00.0=0x5025
	check "without one the Debian package is silent" deb_asks go
	check "without one the RPM package is silent" rpm_asks go
else
	nr=$((nr + 1))
	echo "ok $nr - the questions of the packages # SKIP no mount of one's own here"
fi

# Who removes the tools gets back what was there before them.
removal() {	# removal WANT SCRIPT ARGUMENT: of --undo are run "tune affinity", or none
	local name
	mkdir -p "$tmp/undo"
	for name in tune affinity; do
		printf '#!/bin/sh\necho "%s $*" >> "$UNDONE"\nexit 1\n' "$name" > "$tmp/undo/txgbe-$name"
		chmod 755 "$tmp/undo/txgbe-$name"
	done
	rm -f "$tmp/undone"
	UNDONE=$tmp/undone PATH=$tmp/undo:$PATH sh "$2" "$3" && [ "$(cat "$tmp/undone" 2>/dev/null)" = "$1" ]
}
sed -n '/^%preun -n txgbe-tools/,/^%postun/{/^%/!{s/%%/%/g;p}}' "$tree/packaging/rpm/txgbe.spec" > "$tmp/preun"
undone=$'tune --undo\naffinity --undo'
check "Debian: the tools undo what they did when they are removed" removal "$undone" "$tree/packaging/debian/txgbe-tools.prerm" remove
check "Debian: not when they are upgraded" removal "" "$tree/packaging/debian/txgbe-tools.prerm" upgrade
check "RPM: the tools undo what they did when they are removed" removal "$undone" "$tmp/preun" 0
check "RPM: not when they are upgraded" removal "" "$tmp/preun" 1
machine none
check "a machine without a card is told" says "no FF5025" preflight
check "no module at all is a fault" status_of 1 verify 5.4.119
check "an unknown command is refused" status_of 2 frobnicate
check "an unknown option is refused" status_of 2 --frobnicate
check "--help" says "Examples" --help

have() {	# have PROGRAM:PACKAGE...: installed, or can be; otherwise what needs them is skipped
	local program
	for program; do
		command -v "${program%:*}" > /dev/null && continue
		[ "$(id -u)" = 0 ] && apt-get install -qy --no-install-recommends "${program#*:}" > "$tmp/apt" 2>&1
		command -v "${program%:*}" > /dev/null && continue
		nr=$((nr + 1))
		echo "ok $nr - tests with ${program%:*} # SKIP it is not installed and could not be"
		return 1
	done
}

# Modules that are nothing but a description, enough for depmod, modinfo and DKMS.
tag_module() {	# tag_module FILE DESCRIPTION [VERSION]
	mkdir -p "$(dirname "$1")"
	printf 'const char info[] __attribute__((section(".modinfo"), used)) = "description=%s\\0srcversion=%s%s";\n' \
		"$2" "$(printf %s "$2" | tr -cd A-Za-z)" "${3:+\\0version=$3}" > "$tmp/module.c"
	gcc -c -x c -o "$1" "$tmp/module.c"
}

module() { tag_module "$root/lib/modules/6.1.0-test/$1" "${@:2}"; }	# module PATH-BELOW-LIB-MODULES DESCRIPTION [VERSION]
ours() { module "$1" "Wangxun Amber-Lite" "${2:-$version}"; }	# ours PATH-BELOW-LIB-MODULES [VERSION]
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")

installed() {	# made-up machine where the kernel carries a txgbe, and ours is below updates/
	machine "$1" 0000:01:00.0=0x5025
	module kernel/txgbe.ko "the kernel's own"
	ours updates/txgbe.ko
	index
}

index() {
	touch "$root/lib/modules/6.1.0-test/modules."{order,builtin,builtin.modinfo}
	depmod -b "$root" 6.1.0-test
}

overrides() {	# overrides DIRECTORY: with the override of the RPM package a module there wins over the kernel's own
	machine overrides 0000:01:00.0=0x5025
	module kernel/txgbe.ko "the kernel's own"
	ours "$1/txgbe.ko"
	touch "$root/lib/modules/6.1.0-test/modules."{order,builtin,builtin.modinfo}
	mkdir -p "$root/etc/depmod.d"
	# As on the distributions of that package.
	echo "search updates built-in extra weak-updates" > "$root/etc/depmod.d/dist.conf"
	depmod -C "$root/etc/depmod.d" -b "$root" 6.1.0-test && status_of 1 verify 6.1.0-test || return 1
	cp "$tree/packaging/rpm/depmod-txgbe.conf" "$root/etc/depmod.d/txgbe.conf"
	depmod -C "$root/etc/depmod.d" -b "$root" 6.1.0-test && status_of 0 verify 6.1.0-test
}

if have gcc:gcc depmod:kmod; then
	installed wins
	check "ours below updates/ is the one that would load" says "loads .*/updates/txgbe.ko" verify 6.1.0-test
	secure_boot 1
	check "Secure Boot: a module without a signature is a fault" fault_says "not signed and Secure Boot is on" verify 6.1.0-test
	mkdir -p "$root/etc/depmod.d"
	echo "override txgbe * kernel" > "$root/etc/depmod.d/other-txgbe.conf"
	depmod -C "$root/etc/depmod.d" -b "$root" 6.1.0-test
	check "the kernel's own module first is a fault" fault_says "would load .*/kernel/txgbe.ko, which is not ours" verify 6.1.0-test
	check "so is the file that may have brought it about" says "etc/depmod.d/other-txgbe.conf" verify 6.1.0-test
	check "the override of depmod puts extra/ first" overrides extra/txgbe
	check "and weak-updates/, where weak-modules puts links" overrides weak-updates/txgbe

	installed older
	check "ours in its place is good" status_of 0 --in=updates verify 6.1.0-test
	check "in another place than where it was put it is a fault" \
		fault_says "would load .*/updates/txgbe.ko, not the one in .*/extra/txgbe" --in=extra/txgbe verify 6.1.0-test
	ours updates/txgbe.ko 2026.10.9
	index
	check "an older one of ours is a fault" \
		fault_says "would load .*/updates/txgbe.ko, version 2026.10.9, not this" verify 6.1.0-test
	for words in updates:"make sign KEY" updates/dkms:"DKMS signs" extra/txgbe:"make rpm KEY" weak-updates/txgbe:"make rpm KEY"; do
		machine unsigned 0000:01:00.0=0x5025
		secure_boot 1
		ours "${words%%:*}/txgbe.ko"
		index
		check "not signed, in ${words%%:*}: ${words#*:}" fault_says "not signed and Secure Boot is on: ${words#*:}" verify 6.1.0-test
	done
fi

signs() {	# signs SUFFIX PROGRAM...: "make sign" of a module that is compressed like that
	local dir=$tmp/signs$1/lib/modules/6.1.0-test/updates
	local kdir=$tmp/kdir
	mkdir -p "$dir" "$kdir/include/generated" "$kdir/scripts"
	echo '#define UTS_RELEASE "6.1.0-test"' > "$kdir/include/generated/utsrelease.h"
	# shellcheck disable=SC2016
	# What the real one does as far as a compression is concerned: it adds to the end of a file.
	printf '#!/bin/sh\necho "$1 $2 $3" >> "$4"\n' > "$kdir/scripts/sign-file"
	chmod 755 "$kdir/scripts/sign-file"
	echo module > "$dir/txgbe.ko"
	[ $# = 1 ] || "${@:2}" "$dir/txgbe.ko"
	make -s -C "$tree" sign KDIR="$kdir" KEY=key CERT=cert INSTALL_MOD_PATH="$tmp/signs$1" &&
		case $1 in .xz) xz -dc "$dir/txgbe.ko$1" ;; .gz) gzip -dc "$dir/txgbe.ko$1" ;; .zst) zstd -dc "$dir/txgbe.ko$1" ;;
		*) cat "$dir/txgbe.ko" ;; esac | diff <(printf 'module\nsha256 key cert\n') - && [ "$(find "$dir" -type f | wc -l)" = 1 ]
}

refuses_without_pair() {
	make -s -C "$tree" sign KDIR="$tmp/kdir" > "$tmp/said" 2>&1 && return 1
	cat "$tmp/said"
	grep -q "openssl req" "$tmp/said" && grep -q "mokutil --import" "$tmp/said"
}
check "make sign signs a module" signs ""
check "and one compressed by gzip" signs .gz gzip
! have xz:xz-utils || check "and by xz" signs .xz xz
! have zstd:zstd || check "and by zstd" signs .zst zstd -q --rm
check "make sign without a pair says how to make one" refuses_without_pair

# make rpm with half a pair of keys
half_a_pair() { ! KEY=/nowhere CERT='' "$tree/packaging/build-rpm.sh" "$tmp/rpm" "$tmp/kdir" 2> "$tmp/said" && grep -q 'KEY=private-key and CERT=' "$tmp/said"; }
check "make rpm with a key and no certificate is refused" half_a_pair

machine boot
check "no initramfs is no fault" says "no initramfs" initramfs 6.1.0-test

# With the tools of Debian or of dracut, or none, and nothing else but what the script needs of them.
initramfs_with() {	# initramfs_with CONTENT LOOKER BUILDER: "rebuilt" is in $tmp/built when BUILDER was called
	local bin=$tmp/bin program
	rm -rf "$bin" "$tmp/built" && mkdir -p "$bin"
	for program in sh grep cat uname sed; do ln -s "$(command -v "$program")" "$bin/"; done
	printf '#!/bin/sh\n[ -e "$1" ] && echo "-rw-r--r-- 1 root root 1 %s"\n' "$1" > "$bin/$2"
	printf '#!/bin/sh\necho "%s $*" > "%s"\n' "$3" "$tmp/built" > "$bin/$3"
	chmod 755 "$bin/$2" "$bin/$3"
	rm -f "$bin/none"
	(PATH=$bin; modcheck initramfs 6.1.0-test)
}
rebuilt() { initramfs_with "usr/lib/modules/6.1.0-test/extra/txgbe/txgbe.ko.xz" "${@:2}" && [ "$(cat "$tmp/built")" = "$1" ]; }
left_alone() { initramfs_with "usr/lib/modules/6.1.0-test/kernel/ngbe.ko" "$@" && [ ! -e "$tmp/built" ]; }
no_builder() { ! initramfs_with "usr/lib/modules/6.1.0-test/extra/txgbe.ko" "$1" none; }
touch "$root/boot/initrd.img-6.1.0-test"
check "an initramfs with a txgbe is made anew" rebuilt "update-initramfs -u -k 6.1.0-test" lsinitramfs update-initramfs
check "one without is left alone" left_alone lsinitramfs update-initramfs
check "Debian with dracut: made anew" rebuilt "dracut -f $root/boot/initrd.img-6.1.0-test 6.1.0-test" lsinitrd dracut
mv "$root/boot/initrd.img-6.1.0-test" "$root/boot/initramfs-6.1.0-test.img"
check "dracut: made anew" rebuilt "dracut -f $root/boot/initramfs-6.1.0-test.img 6.1.0-test" lsinitrd dracut
check "dracut: one without is left alone" left_alone lsinitrd dracut
check "nothing to look with: made anew" rebuilt "dracut -f $root/boot/initramfs-6.1.0-test.img 6.1.0-test" none dracut
check "nothing to make it with is a fault" no_builder lsinitrd

versions_agree() {
	local version
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")
	[ -n "$version" ] && grep -qx "VERSION=$version" "$tree/packaging/txgbe-modcheck" &&
		grep -q "^#define TXGBE_VERSION.\"$version\"$" "$tree/include/txgbe/version.h" &&
		head -n 1 "$tree/packaging/debian/changelog" | grep -qF "($version)"
}
check "dkms.conf, txgbe-modcheck, the changelog and the modules name one version" versions_agree

# DKMS, with the version that our modules have, on a kernel whose own txgbe has version $1, or none.
dkms_installs_over() {
	local dir=$tmp/dkms
	rm -rf "$dir"
	mkdir -p "$dir/kdir/include" "$dir/tree" "$dir/src/txgbe-$version/build" "$dir/src/txgbe-$version/packaging"
	touch "$dir/kdir/.config" "$dir/kdir/include/autoconf.h"
	tag_module "$dir/lib/6.1.0-test/kernel/txgbe.ko" "the kernel's own" "$1"
	tag_module "$dir/made/txgbe.ko" "our own" "$version"
	tag_module "$dir/made/txgbe_ptp.ko" "our own" "$version"
	sed -e "s|^MAKE.*|MAKE[0]=\"cp -r $dir/made build/dkms\"|" -e 's/^CLEAN=.*/CLEAN=true/' \
		"$tree/dkms.conf" > "$dir/src/txgbe-$version/dkms.conf"
	cp "$tree/packaging/txgbe-modcheck" "$dir/src/txgbe-$version/packaging/"
	TXGBE_SYSROOT=$root dkms install -m txgbe -v "$version" -k 6.1.0-test --kernelsourcedir "$dir/kdir" \
		--dkmstree "$dir/tree" --sourcetree "$dir/src" --installtree "$dir/lib" --no-depmod > "$tmp/said" 2>&1
	cat "$tmp/said"
	[ -e "$dir/lib/6.1.0-test/updates/dkms/txgbe.ko" ] && [ -e "$dir/lib/6.1.0-test/updates/dkms/txgbe_ptp.ko" ]
}
dkms_stops() {
	! dkms_installs_over "" && grep -q "SP1000 10G card at 0000:02:00.0" "$tmp/said" &&
		[ ! -e "$tmp/dkms/lib/6.1.0-test/updates" ]
}
if have dkms:dkms; then
	machine ours 0000:01:00.0=0x5025
	check "DKMS installs ours over the in-tree module, which has no version" dkms_installs_over ""
	machine mixed 0000:01:00.0=0x5040 0000:02:00.0=0x1001
	check "DKMS stops at an SP1000" dkms_stops
	TXGBE_FORCE=1 check "and installs over the vendor's, when one insists in spite of the SP1000" dkms_installs_over 2.1.1
fi

dkms_modules() {	# dkms_modules CONTENT-OF-auto.conf WANT: the modules DKMS looks for on such a kernel
	local kernel_source_dir=$tmp/conf
	rm -rf "$tmp/conf"
	if [ -n "$1" ]; then
		mkdir -p "$tmp/conf/include/config"
		echo "$1" > "$tmp/conf/include/config/auto.conf"
	fi
	# shellcheck disable=SC1091
	(. "$tree/dkms.conf" && echo "${BUILT_MODULE_NAME[*]}" && [ "${BUILT_MODULE_NAME[*]}" = "$2" ])
}
check "DKMS: both modules" dkms_modules CONFIG_PTP_1588_CLOCK=m "txgbe txgbe_ptp"
check "DKMS: no clocks on a kernel without PTP" dkms_modules CONFIG_NET=y txgbe
check "DKMS: both are removed when the headers are gone" dkms_modules "" "txgbe txgbe_ptp"

modules_agree() {	# what Kbuild makes is what DKMS, the RPM package and "make install" take
	local module
	while read -r module; do
		if ! grep -q "^	*BUILT_MODULE_NAME\[[0-9]\]=\"$module\"$" "$tree/dkms.conf" ||
			! grep -q "/extra/txgbe/$module\.ko$" "$tree/packaging/rpm/txgbe.spec" ||
			! sed -n '/^INSTALLED/,/[^\\]$/p' "$tree/Makefile" | grep -qw "$module"; then
			echo "$module"
			return 1
		fi
	done < <(sed -n 's/^obj-m[ \t]*[+:]*=[ \t]*\(.*\)\.o$/\1/p' "$tree/Kbuild")
	[ "$(grep -c '^obj-m' "$tree/Kbuild")" = "$(grep -c '^	*BUILT_MODULE_NAME' "$tree/dkms.conf")" ]
}
check "Kbuild and the packages have the same modules" modules_agree

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

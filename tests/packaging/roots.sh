#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# roots.sh [SUITE...]: our driver and tools in clean roots of Debian, bookworm and trixie if none is named: installed,
# upgraded, removed, and the root compared with what it was before. First "make install", then the Debian packages with
# DKMS, which build against the root's own headers, then, in the last of the suites, the RPM packages, which are built there
# as well. The module of DKMS is loaded in the lab, which boots the root's kernel.
#
# A root is made once by debootstrap from the machine's own mirror, with a kernel, its headers and what our packages depend
# on, and kept in the lab's cache; a test works on a copy. Needs root, and some minutes for each suite.
# shellcheck disable=SC2317 # functions that check calls
# shellcheck disable=SC2016 # what the root's shell expands
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cache=${TXGBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/txgbe-lab}/roots
packages=dkms,linux-image-amd64,linux-headers-amd64,initramfs-tools,systemd,zstd,kmod,make,gcc,ethtool,iproute2,pciutils,git,rpm
ignored='proc|sys|dev|run|tmp|root|var/log|var/cache|var/lib/(apt|dpkg|rpm|dkms/mok\..*)|etc/ld.so.cache'
root=
trap 'rm -rf "$tmp" ${root:+"$root"}' EXIT
[ $# -gt 0 ] || set -- bookworm trixie

# A command within the root, with a view of the machine's processes that ends with it.
inside() {
	unshare -m sh -c 'mount -t proc proc "$0/proc" 2>/dev/null
		exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
			DEBIAN_FRONTEND=noninteractive "$@"' "$root" "$@"
}

mirror() {	# address and keyring of the machine's archive
	python3 - "$tree/lab" <<-'END'
	import os, sys
	sys.path.insert(0, sys.argv[1])
	from txlab import apt
	uri, signed = apt.machine_mirrors()["main"]
	print(uri, signed if os.path.isfile(signed) else "")
	END
}

make_root() {	# make_root SUITE: the clean root, if the cache has none
	local uri keyring
	[ ! -e "$cache/$1.packages" ] || [ "$(cat "$cache/$1.packages")" != "$packages" ] || return 0
	read -r uri keyring <<< "$(mirror)"
	[ -n "$uri" ] || return 1
	mkdir -p "$cache"
	rm -rf "${cache:?}/$1" "$cache/$1.packages"
	# What it mounts below the root shall not be there any more when it is stopped, for then the root is removed.
	unshare -m debootstrap --variant=minbase ${keyring:+--keyring="$keyring"} --include="$packages" "$1" "$cache/$1" "$uri" || return 1
	rm -rf "$cache/$1"/var/cache/apt/archives/*.deb
	echo "$packages" > "$cache/$1.packages"
}

# Every file with its kind, mode, owner and target; the content of /etc and of what depmod knows. Left out: what the package
# tools note for themselves, logs, and the key that DKMS makes for itself at its first build.
snapshot() {
	(
		cd "$root" || exit 1
		find . -xdev -regextype posix-extended \( -regex "\./($ignored)" -prune \) -o -printf '%p %y %m %u:%g %l\n' | sort
		find etc -type f ! -name ld.so.cache -print0 | sort -z | xargs -0 sha256sum
		cat lib/modules/*/modules.dep | sort | sha256sum
		for image in boot/initrd.img-*; do
			inside lsinitramfs "/$image" | grep -E 'modules/.*\.ko' | sort
		done
	)
}

as_before() {
	snapshot > "$tmp/after"
	diff "$tmp/before" "$tmp/after"
}

# The tree as git has it, as a repository of its own: build-*.sh take what git tracks.
copy_tree() {	# copy_tree TARGET [VERSION]
	mkdir -p "$1"
	git -C "$tree" ls-files -z | (cd "$tree" && xargs -0 cp --parents -t "$1") || return 1
	if [ $# -gt 1 ]; then
		local old
		old=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$1/dkms.conf")
		sed -i "s/\b$old\b/$2/" "$1/dkms.conf" "$1/packaging/txgbe-modcheck" "$1/packaging/debian/changelog" \
			"$1/include/txgbe/version.h"
	fi
	git -C "$1" init -q && git -C "$1" add -A
}

kernel_loads() {	# kernel_loads PATTERN: the file that modprobe would load
	local file
	file=$(inside modinfo -k "$kver" -F filename txgbe)
	echo "modprobe loads $file"
	[[ $file =~ $1 ]]
}

# The module of the clocks comes from the same place.
clocks_with() {	# clocks_with PATTERN
	inside modinfo -k "$kver" -F filename txgbe_ptp | tee "$tmp/clocks"
	grep -qE "$1" "$tmp/clocks"
}

image_has() {	# the initramfs carries a txgbe at that place
	inside lsinitramfs "/boot/initrd.img-$kver" | grep txgbe
	inside lsinitramfs "/boot/initrd.img-$kver" | grep -qE "$1"
}

image_had_one() { grep -qE 'modules/.*/txgbe\.ko' "$tmp/before"; }

install_debs() {	# install_debs DIRECTORY
	rm -rf "$root/tmp/debs" && mkdir -p "$root/tmp/debs" && cp "$1"/*.deb "$root/tmp/debs/" &&
		inside sh -c 'apt-get -qy install --no-install-recommends /tmp/debs/*.deb'
}

tools_answer() {
	local tool
	for tool in affinity tune doctor bond acceptance; do inside "txgbe-$tool" --help > /dev/null || return 1; done
	inside txgbe-doctor
	[ $? -le 1 ]
}

# A card that needs the kernel's own driver is in the machine, or is not: the root's /sys is an empty directory.
sp1000() {	# sp1000 there|gone
	local card=$root/sys/bus/pci/devices/0000:02:00.0
	rm -rf "$root/sys/bus"
	[ "$1" = gone ] || { mkdir -p "$card" && echo 0x8088 > "$card/vendor" && echo 0x1001 > "$card/device"; }
}

refused() {	# refused COMMAND...: because of that card
	"$@" > "$tmp/refused" 2>&1 && return 1
	cat "$tmp/refused"
	grep -q 'SP1000 10G card at 0000:02:00.0.* needs' "$tmp/refused"
}

# What an administrator leaves behind who made a port's settings persistent, whose port is gone.
persistent_port() {
	mkdir -p "$root/etc/txgbe/txgbe-tune" "$root/etc/txgbe/txgbe-affinity"
	echo "profile=throughput" > "$root/etc/txgbe/txgbe-tune/eth9"
	echo "policy=local" > "$root/etc/txgbe/txgbe-affinity/eth9"
	inside systemctl enable txgbe-tune@eth9.service txgbe-affinity@eth9.service &&
		[ -L "$root/etc/systemd/system/sys-subsystem-net-devices-eth9.device.wants/txgbe-tune@eth9.service" ]
}

units_verify() {
	inside systemd-analyze verify --man=no txgbe-tune@eth9.service txgbe-affinity@eth9.service > "$tmp/units" 2>&1
	local status=$?
	cat "$tmp/units"
	[ "$status" = 0 ] && ! grep -q txgbe "$tmp/units"
}

only_version() {	# only_version VERSION
	inside dkms status | tee "$tmp/dkms"
	[ "$(grep -c '^txgbe' "$tmp/dkms")" = 1 ] && grep -q "^txgbe/$1, $kver.*installed" "$tmp/dkms"
}

# The module that DKMS built, in a guest of the lab with the kernel of this root.
loads_in_the_lab() {
	local module=$root/lib/modules/$kver/updates/dkms/txgbe.ko
	[ ! -e "$module.xz" ] || xz -dc "$module.xz" > "$tmp/txgbe.ko"
	[ ! -e "$module.zst" ] || zstd -qdc "$module.zst" > "$tmp/txgbe.ko"
	[ ! -e "$module" ] || cp "$module" "$tmp/txgbe.ko"
	"$tree/lab/lab.py" run --bzimage "$root/boot/vmlinuz-$kver" --moddir "$root" --driver ours --module "$tmp/txgbe.ko" \
		--timeout 600 -- net/basic.sh SECONDS_IPERF=1
}

make_in() { inside make -s -C /root/now "$@" KDIR="/lib/modules/$kver/build"; }

make_install() {
	copy_tree "$root/root/now" || return
	sp1000 there
	check "make install stops at an SP1000" refused make_in install
	sp1000 gone
	check "and has changed nothing" as_before
	check "make install" make_in install
	check "its module is the one that would be loaded" kernel_loads '/updates/txgbe\.ko'
	check "that of the clocks is beside it" clocks_with '/updates/txgbe_ptp\.ko'
	check "txgbe-modcheck agrees" inside /root/now/packaging/txgbe-modcheck --in=updates verify "$kver"
	! image_had_one || check "the initramfs carries it" image_has 'updates/txgbe\.ko'
	check "make uninstall" make_in uninstall
	check "nothing is left, nothing is changed" as_before
}

debian_packages() {
	rm -rf "$root/tmp/debs" && mkdir -p "$root/tmp/debs" && cp "$tmp"/deb-now/txgbe-dkms_*.deb "$root/tmp/debs/"
	sp1000 there
	check "an SP1000 stops the package" refused inside sh -c 'apt-get -qy install --no-install-recommends /tmp/debs/*.deb'
	sp1000 gone
	inside dpkg --purge txgbe-dkms > /dev/null 2>&1
	check "and nothing is changed" as_before
	check "the packages install" install_debs "$tmp/deb-now" || return
	check "DKMS built the module for $kver" only_version "$now" ||
		inside sh -c 'tail -n 20 /var/lib/dkms/txgbe/*/build/make.log' | sed 's/^/# /'
	check "it is the one that would be loaded" kernel_loads '/updates/dkms/txgbe\.ko'
	check "that of the clocks is beside it" clocks_with '/updates/dkms/txgbe_ptp\.ko'
	check "txgbe-modcheck agrees" inside txgbe-modcheck verify "$kver"
	! image_had_one || check "the initramfs carries it" image_has 'updates/dkms/txgbe\.ko'
	check "the tools run" tools_answer
	check "systemd has nothing to say of the units" units_verify
	check "a port's settings are made persistent" persistent_port
	check "that module carries traffic in the lab, with this kernel" loads_in_the_lab
	# Whoever has the package has decided: a card that came later stops no upgrade and no build by DKMS.
	sp1000 there
	check "an upgrade installs" install_debs "$tmp/deb-next"
	sp1000 gone
	check "the port's settings are still persistent" test -e "$root/etc/txgbe/txgbe-tune/eth9"
	check "the old version is gone" only_version "$next"
	check "the new one would be loaded" kernel_loads '/updates/dkms/txgbe\.ko'
	check "both are removed" inside apt-get -qy purge txgbe-dkms txgbe-tools
	check "nothing is left, nothing is changed" as_before
}

build_rpms() {	# build_rpms TREE OUT, in the root
	inside "$1/packaging/build-rpm.sh" "$2" "/lib/modules/$kver/build"
}

# The root is no RPM distribution: dependencies are its own packages'.
rpm_in() { local what=$1; shift; inside sh -c "rpm $what --nodeps $*"; }

# In the place of weak-modules, which Debian has not: what it was asked, and whether the module was there then. As the real
# one where there is no dracut, it ends with a failure, and the initramfs is left to the package.
weak_modules() {
	cat > "$root/usr/sbin/weak-modules" <<-'END'
		#!/bin/sh
		while read -r module; do
			[ -e "$module" ] && echo "$1 $module there" || echo "$1 $module gone"
		done >> /root/weak-modules
		exit 1
	END
	chmod 755 "$root/usr/sbin/weak-modules"
}

weak_modules_was_asked() {	# weak_modules_was_asked LINE...: these and nothing else, since the last look
	local module=/lib/modules/$kver/extra/txgbe/txgbe.ko line
	for line; do echo "--${line% *} $module ${line##* }"; done > "$tmp/weak.want"
	mv "$root/root/weak-modules" "$tmp/weak" && grep "$module" "$tmp/weak" | diff "$tmp/weak.want" -
}

rpm_packages() {
	copy_tree "$root/root/next" "$next" || return
	check "the RPM packages are built" build_rpms /root/now /root/rpm-now || return
	check "those of the upgrade, too" build_rpms /root/next /root/rpm-next
	# On the distributions they are for, these belong to other packages.
	mkdir -p "$root/lib/modules/$kver/extra" "$root/usr/share/licenses" "$root/usr/share/bash-completion/completions"
	weak_modules
	snapshot > "$tmp/before"
	sp1000 there
	check "an SP1000 stops kmod-txgbe" refused rpm_in -i '$(find /root/rpm-now -name "kmod-*.rpm")'
	sp1000 gone
	check "and nothing is changed" as_before
	check "the RPM packages install" rpm_in -i '$(find /root/rpm-now -name "*.rpm")' || return
	check "their module is the one that would be loaded" kernel_loads '/extra/txgbe/txgbe\.ko'
	check "that of the clocks is beside it" clocks_with '/extra/txgbe/txgbe_ptp\.ko'
	check "txgbe-modcheck agrees" inside txgbe-modcheck verify "$kver"
	! image_had_one || check "the initramfs carries it" image_has 'extra/txgbe/txgbe\.ko'
	check "weak-modules is told of it" weak_modules_was_asked "add-modules there"
	check "all files are as packed" rpm_in -V kmod-txgbe txgbe-tools
	check "a port's settings are made persistent" persistent_port
	check "an upgrade installs" rpm_in -U '$(find /root/rpm-next -name "*.rpm")'
	check "the links of weak-modules stay" weak_modules_was_asked "add-modules there" "remove-modules there"
	check "the new one would be loaded" kernel_loads '/extra/txgbe/txgbe\.ko'
	check "both are removed" rpm_in -e kmod-txgbe txgbe-tools
	# It takes away a link only when what it points to is gone.
	check "weak-modules is told when the module is gone" weak_modules_was_asked "remove-modules gone"
	check "nothing is left, nothing is changed" as_before
}

suite=packages
prefix="$suite: "
if [ "$(id -u)" != 0 ]; then
	echo "1..0 # SKIP only root can make a root"
	exit 0
fi
command -v debootstrap > /dev/null || apt-get install -qy --no-install-recommends debootstrap > "$tmp/apt" 2>&1
if ! command -v debootstrap > /dev/null; then
	echo "1..0 # SKIP debootstrap cannot be installed: $(tail -n 1 "$tmp/apt")"
	exit 0
fi

now=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")
next=$now.1	# the version of the upgrade
copy_tree "$tmp/now" && copy_tree "$tmp/next" "$next"
check "Debian packages are built" "$tmp/now/packaging/build-deb.sh" "$tmp/deb-now" || { echo "1..$nr"; exit 1; }
check "those of the upgrade, too" "$tmp/next/packaging/build-deb.sh" "$tmp/deb-next"

for suite; do
	prefix="$suite: "
	check "a clean root can be had" make_root "$suite" || continue
	root=$cache/$suite.work
	rm -rf "$root"
	cp -a "$cache/$suite" "$root"
	kver=$(cd "$root/lib/modules" && for dir in *; do [ ! -e "$dir/build" ] || echo "$dir"; done | tail -n 1)
	# The newest of the initramfs tools makes its files new; the state before is that of a rebuild.
	inside update-initramfs -u -k "$kver" > /dev/null 2>&1
	snapshot > "$tmp/before"
	make_install
	debian_packages
	[ "$suite" != "${!#}" ] || rpm_packages
	rm -rf "$root"
	root=
done
echo "1..$nr"
exit $((failed != 0))

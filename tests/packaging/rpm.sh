#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# rpm.sh [KERNEL]: builds the RPM packages for a kernel of the lab (default debian-6.1), looks into them, and asks rpmlint.
# shellcheck disable=SC2317 # functions that check calls
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
kernel=${1:-debian-6.1}

for program in rpmbuild:rpm rpmlint:rpmlint openssl:openssl; do
	command -v "${program%:*}" > /dev/null && continue
	[ "$(id -u)" = 0 ] && apt-get install -qy --no-install-recommends "${program#*:}" > "$tmp/apt" 2>&1
	command -v "${program%:*}" > /dev/null && continue
	echo "1..0 # SKIP ${program%:*} is not installed and could not be: $(tail -n 1 "$tmp/apt" 2>/dev/null)"
	exit 0
done

if ! "$tree/lab/lab.py" prepare "$kernel" > /dev/null || ! kdir=$("$tree/lab/lab.py" kdir "$kernel"); then
	echo "not ok 1 - there is no kernel $kernel"
	exit 1
fi
kver=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")

sign_pair() {
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=txgbe-test/ -keyout "$tmp/mok.priv" \
		-outform DER -out "$tmp/mok.der"
}
check "a pair of keys can be had" sign_pair
check "the packages are built for $kver, signed" \
	make -s -C "$tree" rpm KDIR="$kdir" KEY="$tmp/mok.priv" CERT="$tmp/mok.der" RPMS="$tmp/rpm"
kmod=$(find "$tmp/rpm" -name 'kmod-txgbe-[0-9]*.rpm')
tools=$(find "$tmp/rpm" -name 'txgbe-tools-[0-9]*.noarch.rpm')
check "there is one of each" test -f "$kmod" -a -f "$tools"

# The package for the next kernel has to be another one, or it would not install.
release_is() { rpm -qp --qf '%{RELEASE}\n' "$1" | tee "$tmp/release"; grep -qxE "$2" "$tmp/release"; }
check "the release of kmod-txgbe names the kernel" release_is "$kmod" "1\.${kver//-/_}(\..*)?"
check "that of txgbe-tools does not" release_is "$tools" "1(\..*)?"

holds() { rpm -qpl "$1" | grep -qxE "$2" || { rpm -qpl "$1"; return 1; }; }
check "kmod-txgbe holds the module" holds "$kmod" "/lib/modules/$kver/extra/txgbe/txgbe.ko"
check "kmod-txgbe holds that of the clocks" holds "$kmod" "/lib/modules/$kver/extra/txgbe/txgbe_ptp.ko"
check "kmod-txgbe holds the override of depmod" holds "$kmod" /etc/depmod.d/txgbe.conf
check "kmod-txgbe holds txgbe-modcheck" holds "$kmod" /usr/sbin/txgbe-modcheck

module_is_ours() {
	mkdir -p "$tmp/root" && (cd "$tmp/root" && rpm2cpio "$kmod" | cpio -id --quiet) &&
		modinfo -F description "$tmp/root/lib/modules/$kver/extra/txgbe/txgbe.ko" | grep -q Amber-Lite &&
		modinfo -F vermagic "$tmp/root/lib/modules/$kver/extra/txgbe/txgbe.ko" | grep -q "^$kver "
}
check "it is our module, for that kernel" module_is_ours

signed_in_the_package() {
	local ko
	for ko in txgbe txgbe_ptp; do
		modinfo -F signer "$tmp/root/lib/modules/$kver/extra/txgbe/$ko.ko" | grep -qx txgbe-test || return 1
	done
}
check "make rpm KEY= CERT= packs signed modules" signed_in_the_package

signed_for_secure_boot() {	# "make sign" with the kernel's own sign-file, of a compressed module
	local dir=$tmp/signed/lib/modules/$kver/updates
	mkdir -p "$dir" && cp "$tmp/root/lib/modules/$kver/extra/txgbe/txgbe.ko" "$dir/" || return
	strip --strip-debug "$dir/txgbe.ko"	# takes off the signature it has
	! modinfo -F signer "$dir/txgbe.ko" | grep . && xz --check=crc32 "$dir/txgbe.ko" &&
		make -s -C "$tree" sign KDIR="$kdir" KEY="$tmp/mok.priv" CERT="$tmp/mok.der" INSTALL_MOD_PATH="$tmp/signed" &&
		modinfo -F signer "$dir/txgbe.ko.xz" | grep -qx txgbe-test
}
check "make sign leaves a module with a signature that modinfo reads" signed_for_secure_boot

clocks_need_it() {
	local dir=$tmp/root/lib/modules/$kver/extra/txgbe
	modinfo -F depends "$dir/txgbe_ptp.ko" | tr , '\n' | grep -qx txgbe &&
		modinfo -F softdep "$dir/txgbe.ko" | grep -q 'post: txgbe_ptp'
}
check "modprobe finds the one by the other" clocks_need_it

scripts_agree() {	# the package has what "make -C scripts install" puts there, and nothing else
	make -s -C "$tree/scripts" install DESTDIR="$tmp/want" PREFIX=/usr &&
		(cd "$tmp/want" && find usr ! -type d) | sed 's|^|/|' | sort > "$tmp/want.list" &&
		rpm -qpl "$tools" | grep -vE '^/usr/(lib/txgbe$|share/(doc|licenses)/)' | sed 's|\(/man8/.*\)\.gz$|\1|' |
			sort > "$tmp/have.list" && diff "$tmp/want.list" "$tmp/have.list"
}
check "txgbe-tools holds what the tree installs" scripts_agree

scriptlets_parse() {
	local package bad=0
	for package in "$kmod":PREIN "$kmod":POSTIN "$kmod":PREUN "$kmod":POSTUN "$tools":PREUN "$tools":POSTUN; do
		rpm -qp --qf "%{${package##*:}}\n" "${package%:*}" > "$tmp/scriptlet"
		[ "$(cat "$tmp/scriptlet")" != "(none)" ] && dash -n "$tmp/scriptlet" && shellcheck -s sh "$tmp/scriptlet" || bad=1
	done
	return "$bad"
}
check "the scriptlets are shell" scriptlets_parse

lint() {
	rpmlint -c "$tree/tests/packaging/rpmlint.toml" "$tree/packaging/rpm/txgbe.spec" "$kmod" "$tools" | tee "$tmp/lint"
	grep -q '0 errors, 0 warnings' "$tmp/lint"
}
check "rpmlint has nothing to say" lint

echo "1..$nr"
exit $((failed != 0))

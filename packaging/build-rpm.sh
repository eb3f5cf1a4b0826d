#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# build-rpm.sh OUT [KDIR]: kmod-txgbe for the kernel of KDIR (default: the running one) and txgbe-tools,
# from what git tracks. With KEY and CERT in the environment the modules are signed for Secure Boot.
set -eu -o pipefail
# Of a make that calls this, not for the one that compiles.
unset MAKEFLAGS MAKEOVERRIDES

out=$(realpath -m "${1:?usage: build-rpm.sh OUT [KDIR]}")
kdir=${2:-/lib/modules/$(uname -r)/build}
tree=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")
kver=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h" 2>/dev/null) || kver=
if [ -z "$kver" ]; then
	echo "no built kernel tree at $kdir: install kernel-devel, or give a directory" >&2
	exit 1
fi
signing=()
if [ -n "${KEY:-}${CERT:-}" ]; then
	if [ ! -r "${KEY:-}" ] || [ ! -r "${CERT:-}" ]; then
		echo "for signed modules KEY=private-key and CERT=certificate.der, both readable: \"${KEY:-}\", \"${CERT:-}\"" >&2
		exit 1
	fi
	for sign in "$kdir/scripts/sign-file" /usr/lib/linux-kbuild-*/scripts/sign-file; do
		[ ! -x "$sign" ] || break
	done
	if [ ! -x "$sign" ]; then
		echo "no scripts/sign-file in $kdir" >&2
		exit 1
	fi
	signing=(--define "sign_with $sign $(realpath "$KEY") $(realpath "$CERT")")
fi
if ! command -v rpmbuild > /dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
		apt-get -qy install --no-install-recommends rpm > /dev/null
	else
		echo "install first: rpm-build" >&2
		exit 1
	fi
fi

mkdir -p "$out/SOURCES"
stage=$out/stage/txgbe-$version
rm -rf "$out/stage"
mkdir -p "$stage"
git -C "$tree" ls-files -z | (cd "$tree" && xargs -0 cp --parents -t "$stage")
tar -C "$out/stage" -czf "$out/SOURCES/txgbe-$version.tar.gz" "txgbe-$version"
rm -rf "$out/stage"
rpmbuild -bb --nodeps --define "_topdir $out" --define "_rpmdir $out" --define "kver $kver" --define "kdir $kdir" \
	--define "txgbe_version $version" "${signing[@]}" "$tree/packaging/rpm/txgbe.spec" > "$out/build.log" 2>&1 ||
	{ tail -40 "$out/build.log"; exit 1; }
rm -rf "$out/BUILD" "$out/BUILDROOT" "$out/SOURCES" "$out/SPECS" "$out/SRPMS"
find "$out" -name '*.rpm'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# build-deb.sh OUT: the packages txgbe-dkms and txgbe-tools, from what git tracks.
set -eu -o pipefail

out=$(realpath -m "${1:?usage: build-deb.sh OUT}")
tree=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$tree/dkms.conf")
need=()
for package in dpkg-dev debhelper dh-dkms; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || need+=("$package")
done
if [ ${#need[@]} -gt 0 ]; then
	if [ "$(id -u)" != 0 ]; then
		echo "install first: apt-get install ${need[*]}" >&2
		exit 1
	fi
	apt-get -qy install --no-install-recommends "${need[@]}" > /dev/null
fi

source=$out/txgbe-$version
rm -rf "$source"
mkdir -p "$source"
git -C "$tree" ls-files -z | (cd "$tree" && xargs -0 cp --parents -t "$source")
cp -r "$source/packaging/debian" "$source/debian"
(cd "$source" && dpkg-buildpackage -b -us -uc > "$out/build.log" 2>&1) || { tail -40 "$out/build.log"; exit 1; }
rm -rf "$source"
ls "$out"/*.deb

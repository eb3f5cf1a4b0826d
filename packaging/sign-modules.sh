#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# sign-modules.sh SIGN-FILE KEY CERT MODULE...: signs installed modules with the kernel's sign-file. The signature belongs
# to what the kernel gets to see, so a compressed module is signed within its compression.
set -eu

sign=$1 key=$2 cert=$3
shift 3
for module; do
	plain=${module%.xz}
	plain=${plain%.gz}
	plain=${plain%.zst}
	case $module in
	*.xz) xz -d "$module" ;;
	*.gz) gzip -d "$module" ;;
	*.zst) zstd -q -d --rm "$module" ;;
	esac
	"$sign" sha256 "$key" "$cert" "$plain"
	# As the kernel's makefiles compress; it can read no other kind of check.
	case $module in
	*.xz) xz --check=crc32 --lzma2=dict=1MiB "$plain" ;;
	*.gz) gzip -n "$plain" ;;
	*.zst) zstd -q --rm "$plain" ;;
	esac
	echo "signed $module"
done

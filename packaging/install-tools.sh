#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# install-tools.sh DESTDIR: the user scripts, their library, man pages, completion, units.
set -eu

dest=${1:?usage: install-tools.sh DESTDIR}
tree=$(cd "$(dirname "$0")/.." && pwd)

put() {	# put MODE DIRECTORY FILE...
	local mode=$1 dir=$dest$2
	shift 2
	[ -e "$1" ] || return 0
	install -d "$dir"
	install -m "$mode" "$@" "$dir/"
}

shopt -s nullglob
for script in "$tree"/scripts/txgbe-*; do
	[ -f "$script" ] && put 755 /usr/sbin "$script"
done
for file in "$tree"/scripts/lib/*.sh; do put 644 /usr/lib/txgbe "$file"; done
for file in "$tree"/scripts/man/*.8; do put 644 /usr/share/man/man8 "$file"; done
for file in "$tree"/scripts/completion/*; do put 644 /usr/share/bash-completion/completions "$file"; done
for file in "$tree"/scripts/systemd/*.service; do put 644 /usr/lib/systemd/system "$file"; done

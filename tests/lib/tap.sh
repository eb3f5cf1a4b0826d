# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Sourced by the shell tests that run outside of a guest: $tree, the source tree; $tmp, a directory that is removed at
# the end; check; $failed, for the exit status.
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
nr=0
failed=0
prefix=	# before each name

check() {	# check NAME COMMAND...: one line of TAP, the output of a command that failed above it
	local name=$prefix$1
	shift
	nr=$((nr + 1))
	if "$@" > "$tmp/.check" 2>&1; then
		echo "ok $nr - $name"
	else
		tail -n 60 "$tmp/.check" | sed 's/^/# /'
		echo "not ok $nr - $name"
		failed=$((failed + 1))
		return 1
	fi
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [FILE...]: tests of scripts/ on made-up /proc and /sys trees; FILE is a name in cases/, default all. TAP.
# ONLY names facts; BASH_UNDER_TEST is another bash for the scripts, KEEP=1 leaves the trees.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd) || exit 1
SCRIPTS=$(cd "$here/../../scripts" && pwd) || exit 1
WORK=$(mktemp -d) || exit 1
[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
export PATH="$here/bin:$PATH"
# shellcheck source=tests/scripts/tree.sh
. "$here/tree.sh"
exec 3>&1	# remarks of facts
nr=0
failed=0

# txgbe NAME ARG...: a script of ours on the tree T. Output in OUT, messages in ERR, status in RC.
txgbe() {
	local name=$1
	shift
	RC=0
	TXGBE_SYSROOT=$T ${BASH_UNDER_TEST:-bash} "$SCRIPTS/txgbe-$name" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || RC=$?
	OUT=$(<"$WORK/out")
	ERR=$(<"$WORK/err")
}

WHY=
fail() { WHY=${WHY:-$*}; return 1; }
rc() { [ "$RC" = "$1" ] || fail "status $RC, not $1: $OUT $ERR"; }
says() { [[ "$OUT $ERR" == *"$1"* ]] || fail "does not say \"$1\": $OUT $ERR"; }
says_not() { [[ "$OUT $ERR" != *"$1"* ]] || fail "says \"$1\""; }
is() { [ "$1" = "$2" ] || fail "${3:-value} is \"$1\", not \"$2\""; }
file_is() { is "$(cat "$T/$1")" "$2" "$1"; }

# fact NAME: the function of that name holds. It stops at its first command that fails.
fact() {
	case " ${ONLY:-} " in "  " | *" $1 "*) ;; *) return ;; esac
	nr=$((nr + 1))
	T=$WORK/$nr
	rm -f "$WORK/why"
	# Not in a condition: there set -e would have no effect.
	(
		set -eE
		trap 'echo "${WHY:-line $LINENO: $BASH_COMMAND}" >"$WORK/why"' ERR
		"$1"
	) >"$WORK/log" 2>&1
	local status=$?
	if [ $status = 0 ]; then
		echo "ok $nr - $1"
	else
		failed=$((failed + 1))
		echo "not ok $nr - $1 # $(tr '\n' ' ' <"$WORK/why" | cut -c 1-600)"
		sed 's/^/#   /' "$WORK/log" | tail -n 20
	fi
	[ -n "${KEEP:-}" ] || rm -rf "$T"
}

if [ $# = 0 ]; then
	for file in "$here"/cases/*.sh; do
		file=${file##*/}
		set -- "$@" "${file%.sh}"
	done
fi
for file; do
	# shellcheck source=/dev/null
	. "$here/cases/$file.sh"
done
echo "1..$nr"
[ "$failed" = 0 ]

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# selftests.sh: does a case of the kernel's selftests that fails stay a failure, in the guest's lines and in the table of
# docs/selftests.md? With made-up output of tests. TAP.
# shellcheck disable=SC2317 # functions that check calls
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

printf '# a remark\n\nselftest/x/t.bad\tthe chip has none\nselftest/x/t.all_*\tno such kernel\n' >"$tmp/known"

# becomes STATUS KTAP WANT: what a test prints that ends with STATUS becomes the lines WANT
becomes() {
	printf '%s\n' "$2" | awk -v prefix=selftest/x/t -v status="$1" -v limit=9 -v number=0 -v known="$tmp/known" \
		-f "$tree/tests/guest/ksft/ktap.awk" | grep -v '^#' >"$tmp/tap"
	printf '%s\n' "$3" | diff - "$tmp/tap"
}

table_tells() {
	cat >"$tmp/log" <<-'END'
		ok 1 - selftest/x/t.one
		not ok 2 - selftest/x/t.two # Check failed 1 != 2
		ok 3 - selftest/x/t.bad # SKIP cannot pass: the chip has none
		ok 4 - selftest/x/t.four # SKIP no such thing
	END
	(cd "$tree/tests" && KNOWN=$tmp/known python3 -B -c 'import ksft_table as t, os, sys
t.KNOWN = os.environ["KNOWN"]
print(t.table(t.read(sys.argv[1:])))' "$tmp/log") >"$tmp/table" || return 1
	cat "$tmp/table"
	grep -qx '| x/t | 1 | 1 | 1 | 1 |' "$tmp/table" && grep -qx '| x/t: two | Check failed 1 != 2 |' "$tmp/table" &&
		grep -qx '| x/t: bad | the chip has none |' "$tmp/table" && grep -qx '| x/t: four | no such thing |' "$tmp/table" &&
		grep -q 'Not in these logs: drivers/net/ping,' "$tmp/table"
}

check "cases become lines" becomes 1 $'TAP version 13\n1..3\nok 1 t.a\nnot ok 2 t.b\nok 3 t.c # SKIP no d' \
	$'ok 1 - selftest/x/t.a\nnot ok 2 - selftest/x/t.b\nok 3 - selftest/x/t.c # SKIP no d'
check "a case that cannot pass is no failure" becomes 1 $'1..2\nnot ok 1 t.bad\nnot ok 2 t.all_of_it' \
	$'ok 1 - selftest/x/t.bad # SKIP cannot pass: the chip has none\nok 2 - selftest/x/t.all_of_it # SKIP cannot pass: no such kernel'
check "a case that is named too short is a failure" becomes 1 $'1..1\nnot ok 1 t.badly' 'not ok 1 - selftest/x/t.badly'
check "lines of the shell library" becomes 1 $'TEST: one way      [ OK ]\nTEST: other way      [FAIL]' \
	$'ok 1 - selftest/x/t.one_way\nnot ok 2 - selftest/x/t.other_way'
check "a test that stops early has failed" becomes 1 $'1..2\nok 1 t.a' \
	$'ok 1 - selftest/x/t.a\nnot ok 2 - selftest/x/t.plan # 1 of 2 cases ran'
check "a test without a case has failed" becomes 1 'Traceback' \
	'not ok 1 - selftest/x/t # ended with status 1 before any case; '
check "a test that skips itself is a skip" becomes 4 'SKIP: no jq' 'ok 1 - selftest/x/t # SKIP no jq'
check "a test beyond its time has failed" becomes 124 $'1..1\nok 1 t.a' \
	$'ok 1 - selftest/x/t.a\nnot ok 2 - selftest/x/t.time_limit # not done within 9 s'
check "a status that no case explains is a failure" becomes 1 $'1..1\nok 1 t.a' \
	$'ok 1 - selftest/x/t.a\nnot ok 2 - selftest/x/t.status # status 1'
check "the table counts and tells why" table_tells
echo "1..$nr"
exit $((failed != 0))

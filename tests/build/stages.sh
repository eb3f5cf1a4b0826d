#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# stages.sh: does tests/main.py count what its stages print? With made-up stages. TAP.
# shellcheck disable=SC2317 # functions that check calls
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

# counts WANT STATUS TEXT: a stage that prints TEXT and ends with STATUS counts as WANT, "passed failed skipped"
counts() {
	printf '%s\n' "$3" > "$tmp/says"
	STATUS=$2 SAYS=$tmp/says LOGS=$tmp PYTHONPATH=$tree/tests python3 -B - > "$tmp/out" <<-'END'
	import os
	import main
	main.LOGS = os.environ["LOGS"]
	run = main.Run(None)
	run.stage("made-up", [], lambda _: ["sh", "-c", 'cat "$SAYS"; exit "$STATUS"'])
	print("count:", run.passed, run.failed, run.skipped)
	END
	cat "$tmp/out"
	grep -qx "count: $1" "$tmp/out"
}

check "lines are counted" counts "2 1 1" 1 $'ok 1 - a\nok 2 - b\nok 3 - c # SKIP no d\nnot ok 4 - e\n1..4'
check "a stage that fails without a word has failed" counts "0 1 0" 3 "nothing"
check "a stage that fails after all passed has failed" counts "1 1 0" 1 "ok 1 - a"
check "a stage without TAP that ends well has passed" counts "1 0 0" 0 "nothing"
check "a stage that skips all of itself has not passed" counts "0 0 1" 0 "1..0 # SKIP no compiler"
echo "1..$nr"
exit $((failed != 0))

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-matrix.sh: is the table of README.md made of test runs, and is a cell that was typed found? On a made-up
# tree with made-up runs. TAP.
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

export KERNEL_MATRIX_TREE=$tmp/tree
matrix=$tree/tools/kernel-matrix.py
logs=$KERNEL_MATRIX_TREE/build/logs
readme=$KERNEL_MATRIX_TREE/README.md
mkdir -p "$logs" "$KERNEL_MATRIX_TREE/tests/guest/net"
: >"$KERNEL_MATRIX_TREE/tests/guest/net/xdp.sh"

markers() { printf '%s\n' 'above' '<!-- kernel-matrix: by tools/kernel-matrix.py update -->' '<!-- kernel-matrix end -->' 'below' >"$readme"; }

run() {	# run DRIVER KERNEL RELEASE TEST PASSED FAILED SKIPPED
	printf '{"suite": "b", "kernel": "%s", "release": "%s", "driver": "%s", "topo": "pair25", "smp": 2, "icount": false, "passed": %d, "failed": %d, "skipped": %d, "tests": [{"name": "%s", "passed": %d, "failed": %d, "skipped": %d}]}\n' \
		"$2" "$3" "$1" "$5" "$6" "$7" "$4" "$5" "$6" "$7"
}

row() { "$matrix" check >/dev/null || return 1; grep "^| $1" "$readme"; }

runs_become_rows() {
	markers
	run ours debian-5.10 5.10.9 net/xdp 7 1 2 >"$logs/a.jsonl"
	run intree newest 7.3 net/xdp 9 0 0 >>"$logs/a.jsonl"
	printf 'ok 1 - debian-5.10: 5.10.9 compiles without a warning (W=1, 3s)\n' >"$logs/matrix.tap"
	"$matrix" update || return 1
	[ "$(row 'Debian 5.10')" = '| Debian 5.10: 5.10.9 | yes | 0, **1 failed** | - | - | - | 7, **1 failed**, 2 skipped | - | - | - |' ] || return 1
	! grep -q newest "$readme" && grep -qx above "$readme" && grep -qx below "$readme"
}

a_later_run_replaces_what_it_repeats() {
	rm "$logs"/*
	run ours debian-5.10 5.10.9 net/xdp:LOOPS=short 3 0 0 >"$logs/b.jsonl"
	run ours debian-5.10 5.10.9 net/xdp 10 0 0 >>"$logs/b.jsonl"
	"$matrix" update || return 1
	[ "$(row 'Debian 5.10')" = '| Debian 5.10: 5.10.9 | yes | 1 | - | - | - | 13 | - | - | - |' ]
}

a_kernel_compiled_by_hand_is_a_row() {
	printf 'not ok 1 - opencloudos-6.6: 6.6.1 compiles without a warning (W=1, 3s)\n' >"$tmp/log"
	"$matrix" update "$tmp/log" || return 1
	[ "$(row OpenCloudOS)" = '| OpenCloudOS 9: 6.6.1 | **no** | - | - | - | - | - | - | - | - |' ] || return 1
	printf 'ok 1 - opencloudos-5.4: 5.4.1 compiles without a warning (W=1, 3s, symbols not checked)\n' >"$tmp/log"
	"$matrix" update "$tmp/log" || return 1
	[ "$(row 'OpenCloudOS 8')" = '| OpenCloudOS 8: 5.4.1 | yes, not linked | - | - | - | - | - | - | - | - |' ]
}

a_typed_cell_is_found() {
	sed -i 's/| 13 |/| 14 |/' "$readme"
	! "$matrix" check >"$tmp/out" && grep -q 'nobody else' "$tmp/out"
}

a_marker_that_is_lost_is_found() {
	"$matrix" update && sed -i '/kernel-matrix end/d' "$readme"
	! "$matrix" check >/dev/null && ! "$matrix" update 2>/dev/null
}

a_test_without_a_column_is_found() {
	markers
	"$matrix" update && "$matrix" check || return 1
	: >"$KERNEL_MATRIX_TREE/tests/guest/net/new.sh"
	! "$matrix" check >"$tmp/out" && grep -q 'net/new.sh' "$tmp/out"
}

a_table_elsewhere_is_looked_for() {
	rm "$KERNEL_MATRIX_TREE/tests/guest/net/new.sh"
	mkdir -p "$KERNEL_MATRIX_TREE/tests/guest/ksft" "$KERNEL_MATRIX_TREE/docs"
	: >"$KERNEL_MATRIX_TREE/tests/guest/ksft/run.sh"
	! "$matrix" check >"$tmp/out" && grep -q 'no docs/selftests.md' "$tmp/out" || return 1
	: >"$KERNEL_MATRIX_TREE/docs/selftests.md"
	"$matrix" check && run ours newest 7.3 ksft/run:drivers/net/ping.py 6 0 1 >"$logs/c.jsonl" && "$matrix" update || return 1
	[ "$(row newest)" = '| newest: 7.3 | - | 1 | - | - | - | - | - | - | - |' ]
}

for name in runs_become_rows a_later_run_replaces_what_it_repeats a_kernel_compiled_by_hand_is_a_row \
	a_typed_cell_is_found a_marker_that_is_lost_is_found a_test_without_a_column_is_found \
	a_table_elsewhere_is_looked_for; do
	check "$name" "$name"
done
echo "1..$nr"
[ "$failed" = 0 ]

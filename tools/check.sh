#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh [CHECK...]: the static checks, all of them if none is named.
#
#	layers		dependencies, compat names outside compat, Kbuild's list
#	cases		the tests that docs/cases.md names are there
#	scripts		shellcheck of every shell script, Python compiles
#	checkpatch	--strict over the driver; the script comes with a kernel
#			source: the lab's, or that of $CHECKPATCH
#	sparse		types and endianness, on $SPARSE_KERNELS; sparse as packaged
#			is too old for the headers of newer kernels
#	kernel-matrix	README's table is the one that the test runs made
#	stages		tests/main.py counts what its stages print
#	selftests	the kernel's selftests: what fails is a failure, each test
#			has a row in docs/selftests.md
#
# Zero findings is the only good result; a finding that is no mistake gets a
# reason below, where it is left out. Compiling without warnings is
# tests/build/matrix.sh's. One TAP line for each check.
set -u

tree=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "$tree" || exit 1
kernels=${SPARSE_KERNELS:-debian-6.1 debian-6.12}
nr=0
failed=0

report() {	# report NAME FINDINGS
	nr=$((nr + 1))
	if [ -z "$2" ]; then
		echo "ok $nr - $1"
	else
		printf '%s\n' "$2" | head -n 60 | sed 's/^/# /'
		echo "not ok $nr - $1: $(printf '%s\n' "$2" | wc -l) lines"
		failed=$((failed + 1))
	fi
}

skip() {	# skip NAME REASON
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

need() {	# need PROGRAM PACKAGE: install it if this is root's machine
	command -v "$1" > /dev/null && return
	[ "$(id -u)" = 0 ] && apt-get install -qy "$2" > /dev/null 2>&1
	command -v "$1" > /dev/null
}

check_layers() {
	report "layers: dependencies point one way" "$(tools/check-layers.py 2>&1)"
}

check_cases() {
	report "cases: the tests that docs/cases.md names are there" "$(tools/check-cases.py 2>&1)"
}

# Tracked files with that name or that first line.
sources() {	# sources REGEX-OF-NAME REGEX-OF-FIRST-LINE
	# shellcheck disable=SC2016 # awk's variables
	git ls-files -z | NAME=$1 LINE=$2 xargs -0 awk 'FNR == 1 &&
		(FILENAME ~ ENVIRON["NAME"] || $0 ~ ENVIRON["LINE"]) { print FILENAME }
		{ nextfile }' 2>/dev/null
}

check_scripts() {
	if ! need shellcheck shellcheck; then
		report "shellcheck" "shellcheck is not installed"
	else
		# SC1091: files that a guest finds at another path.
		report "shellcheck: shell scripts" \
			"$(sources '(\.sh|/completion/[a-z-]+)$' '^#!.*[/ ](ba|da)?sh' | xargs shellcheck -e SC1091 -f gcc 2>&1)"
	fi
	report "python: scripts compile" \
		"$(sources '\.py$' '^#!.*python3' | xargs python3 -c '
import ast, sys
for name in sys.argv[1:]:
    try:
        ast.parse(open(name, encoding="utf-8").read(), name)
    except SyntaxError as err:
        print(f"{name}:{err.lineno}: {err.msg}")
' 2>&1)"
}

check_kernel_matrix() {
	report "kernel-matrix: README's table is made of test runs" "$(tools/kernel-matrix.py check 2>&1)"
	report "kernel-matrix: the tool finds what is not" "$(tests/build/kernel-matrix.sh 2>&1 | grep -v '^ok\|^1\.\.')"
}

check_selftests() {
	report "selftests: docs/selftests.md has each test" "$(tests/ksft_table.py check 2>&1)"
	report "selftests: their failures are failures" "$(tests/build/selftests.sh 2>&1 | grep -v '^ok\|^1\.\.')"
}

check_stages() {
	report "stages: tests/main.py counts what they print" "$(tests/build/stages.sh 2>&1 | grep -v '^ok\|^1\.\.')"
}

kdir() {	# kdir KERNEL: build directory, fetched if it is not there
	if [ -d "$1" ]; then
		echo "$1"
	else
		lab/lab.py prepare "$1" >&2 && lab/lab.py kdir "$1"
	fi
}

# Debian's header packages leave checkpatch out, kernel sources have it.
find_checkpatch() {
	local kernel dir
	if [ -f "${CHECKPATCH:-}" ]; then
		echo "$CHECKPATCH"
		return
	fi
	for kernel in newest newest-debug; do
		dir=$(lab/lab.py kdir "$kernel" 2>/dev/null) || continue
		for dir in "$dir/source" "$dir"; do
			[ -f "$dir/scripts/checkpatch.pl" ] || continue
			realpath "$dir/scripts/checkpatch.pl"
			return
		done
	done
	dir=/lib/modules/$(uname -r)/source
	[ -f "$dir/scripts/checkpatch.pl" ] && realpath "$dir/scripts/checkpatch.pl"
}

check_checkpatch() {
	local script
	script=$(find_checkpatch)
	if [ -z "$script" ]; then
		skip "checkpatch --strict" "no kernel source with scripts/checkpatch.pl"
		return
	fi
	# compat's macros imitate upstream ones: they take, cast and drop arguments as
	# those do. Probes have prototypes in C files, and nobody calls their functions. The
	# kernel's standard counters are in mixed case.
	report "checkpatch --strict: driver" \
		"$(git ls-files 'src/*.[ch]' 'include/*.h' | grep -v '^src/compat/' |
			xargs perl "$script" --no-tree --strict --terse --no-summary --show-types \
				--ignore CAMELCASE -f 2>&1)"
	report "checkpatch --strict: compat" \
		"$(git ls-files 'src/compat/*.[ch]' |
			xargs perl "$script" --no-tree --strict --terse --no-summary --show-types \
				--ignore AVOID_EXTERNS,COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE \
				--ignore MACRO_ARG_UNUSED,UNNECESSARY_CASTS,EMBEDDED_FUNCTION_NAME \
				--ignore MULTISTATEMENT_MACRO_USE_DO_WHILE,MACRO_WITH_FLOW_CONTROL,NEW_TYPEDEFS,CAMELCASE \
				-f 2>&1)"
}

check_sparse() {
	local kernel dir name out log
	for kernel in $kernels; do
		name=$(basename "$kernel")
		if ! need sparse sparse; then
			report "sparse: $name" "sparse is not installed"
			continue
		fi
		if ! dir=$(kdir "$kernel"); then
			report "sparse: $name" "no build directory"
			continue
		fi
		out=$tree/build/check/$name
		log=$tree/build/check/$name.log
		mkdir -p "$out"
		if ! make -j"$(nproc)" KDIR="$dir" MO="$out" C=2 modules > "$log" 2>&1; then
			report "sparse: $name" "$(tail -n 20 "$log")"
			continue
		fi
		# Findings inside the kernel's own headers are not ours.
		report "sparse: $name, $(grep -c '^  CHECK' "$log") files" \
			"$(grep -F "$out/" "$log" | grep -E '(warning|error):')"
	done
}

[ $# -gt 0 ] || set -- layers cases scripts kernel-matrix stages selftests checkpatch sparse
for check; do
	case $check in
	layers | cases | scripts | kernel-matrix | stages | selftests | checkpatch | sparse) "check_${check//-/_}" ;;
	*) echo "check.sh: no check '$check'" >&2; exit 2 ;;
	esac
done
echo "1..$nr"
[ $failed = 0 ]

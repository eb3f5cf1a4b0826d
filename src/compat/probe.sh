#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# probe.sh OUT PROBE.c... -- COMPILER FLAG...
#
# Tells which probes compile and writes one line for each to OUT. Compiling
# each file by itself would take a second for every probe, nearly all of it
# spent in reading the same headers, so they share one translation unit:
# those with an error in them are taken out until the rest compiles without
# any. A "yes" is therefore as good as that of a compile of the file alone.
# For a "no" the messages are kept in OUT.log.
set -eu

out=$1
shift
probes=
while [ "$1" != -- ]; do
	probes="$probes $1"
	shift
done
shift

unit=$out.c
: > "$out.log"

# shellcheck disable=SC2086
headers=$(sed -n 's/^[[:space:]]*#[[:space:]]*include <\(.*\)>.*/\1/p' $probes | sort -u)
for h in $headers; do
	printf '#if !__has_include(<%s>)\n"missing:%s"\n#endif\n' "$h" "$h"
done > "$unit"
missing=$("$@" -E -P "$unit" 2>> "$out.log" | sed -n 's/^"missing:\(.*\)"$/\1/p')

left=
for p in $probes; do
	lacks=
	for h in $missing; do
		if grep -q "^#include <$h>" "$p"; then
			lacks=$h
		fi
	done
	if [ -n "$lacks" ]; then
		echo "$p: no header $lacks" >> "$out.log"
	else
		left="$left $p"
	fi
done

while :; do
	# All headers first, so that no probe stands before one.
	for h in $headers; do
		printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$h" "$h"
	done > "$unit"
	for p in $left; do
		name=$(basename "$p" .c)
		printf '#line 1 "%s"\n' "$p"
		sed "s/\\<probe\\>/probe_$name/g; s/\\<handler\\>/handler_$name/g" "$p"
	done >> "$unit"
	if "$@" -fsyntax-only "$unit" 2> "$out.err"; then
		break
	fi
	cat "$out.err" >> "$out.log"
	bad=$(sed -n 's/^\([^:]*\.c\):[0-9:]* \(fatal \)\{0,1\}error: .*/\1/p' "$out.err" | sort -u)
	keep=
	for p in $left; do
		if ! printf '%s\n' "$bad" | grep -qxF "$p"; then
			keep="$keep $p"
		fi
	done
	if [ "$keep" = "$left" ]; then
		echo "compat: the target tree's headers do not compile:" >&2
		cat "$out.err" >&2
		exit 1
	fi
	left=$keep
done

nr_no=0
for p in $probes; do
	name=$(basename "$p" .c | tr '[:lower:]' '[:upper:]')
	case "$left " in
	*" $p "*)
		echo "#define HAVE_$name 1"
		;;
	*)
		echo "/* no HAVE_$name */"
		nr_no=$((nr_no + 1))
		;;
	esac
done > "$out.tmp"
# Nothing is missing but what control_fail asks for.
if [ $nr_no = 1 ]; then
	echo "#define COMPAT_COMPLETE 1" >> "$out.tmp"
fi
rm -f "$out.err" "$unit"

# Two controls show that here a probe can say yes and can say no.
if ! grep -q '^#define HAVE_CONTROL_PASS ' "$out.tmp"; then
	echo "compat: a probe that must compile does not:" >&2
	cat "$out.log" >&2
	exit 1
fi
if grep -q '^#define HAVE_CONTROL_FAIL ' "$out.tmp"; then
	echo "compat: a probe that must not compile does" >&2
	exit 1
fi
mv "$out.tmp" "$out"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# matrix.sh [KERNEL...]: compiles the module with W=1 for each kernel of the
# lab, or for kernel build directories given by path, from scratch. A tree that was
# only prepared has no Module.symvers: which symbols it exports is then not checked.
# CC in the environment is another compiler than the kernel's makefiles want.
# Any warning fails, but for Kbuild's note that the kernel's compiler was another one. Then
# the probes are asked again with compat in force. TAP; logs stay in build/matrix,
# objects of the lab's kernels where the lab looks for them, so that the guests
# that follow need no second build.
set -u

tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
[ $# -gt 0 ] || set -- debian-5.10 debian-6.1 debian-6.12 newest
jobs=$(nproc)
failed=0
nr=0

result() {	# result STATUS TEXT
	nr=$((nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		failed=$((failed + 1))
	fi
}

kdir() {	# kdir KERNEL: its build directory; what has to be prepared for it is shown
	if [ -d "$1" ]; then
		echo "$1"
		return
	fi
	"$tree/lab/lab.py" prepare "$1" >&2 && "$tree/lab/lab.py" kdir "$1"
}

# Warnings and errors of a log, in any language's spelling of them.
complaints() {	# complaints LOG
	sed -e '/^warning: the compiler differs from the one used to build the kernel$/,+2d' \
		-e '/Skipping BTF generation/d' ${prepared:+-e '/Symbol version dump/,+1d'} \
		${prepared:+-e '/modpost: .*undefined!$/d'} ${prepared:+-e '/modpost: suppressed .* unresolved/d'} "$1" |
		grep -inE 'warning|error|undefined|\*\*\*'
}

# Names that neither the kernel nor compat has, though compat says it brings them.
# Before 5.10 devlink is left out, and what it would need with it.
not_provided() {	# not_provided OUT
	local name
	sed -n 's:^/\* no HAVE_\(.*\) \*/$:\1:p' "$1/compat-probe/provided.h" 2>&1 |
		tr '[:upper:]' '[:lower:]' | while read -r name; do
		[[ $name == devlink_* && ! -e $1/src/ctl/devlink.o ]] || [ "$name" = control_fail ] ||
			grep -q 'Only steers' "$tree/src/compat/probes/$name.c" || echo "$name"
	done
}

echo "1..$((2 * $# + 1))"
complete=
for kernel; do
	name=$(basename "$kernel")
	log=$tree/build/matrix/$name.log
	mkdir -p "$tree/build/matrix"
	if ! dir=$(kdir "$kernel"); then
		result 1 "$name: there is no build directory for it"
		continue
	fi
	out=$tree/build/matrix/$name
	[ -d "$kernel" ] || out=$("$tree/lab/lab.py" objects "$kernel")
	release=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$dir/include/generated/utsrelease.h")
	prepared=
	[ -f "$dir/Module.symvers" ] || prepared=1
	rm -rf "$out"
	seconds=$SECONDS
	make -C "$tree" -j"$jobs" KDIR="$dir" MO="$out" ${CC:+CC="$CC"} W=1 COMPAT_CHECK=1 ${prepared:+KBUILD_MODPOST_WARN=1} modules > "$log" 2>&1
	status=$?
	seconds=$((SECONDS - seconds))
	complaints "$log" | sed 's/^/# /' | head -n 40
	if [ $status = 0 ] && complaints "$log" > /dev/null; then
		status=1
	fi
	[ -f "$out/txgbe.ko" ] || status=1
	result $status "$name: $release compiles without a warning (W=1, ${seconds}s${prepared:+, symbols not checked})"
	if [ -f "$out/compat-probe/provided.h" ]; then
		lacking=$(not_provided "$out" | tr '\n' ' ')
		result "${#lacking}" "$name: compat has what the kernel lacks${lacking:+, but for $lacking}"
	else
		result 1 "$name: compat has what the kernel lacks"
	fi
	if grep -q COMPAT_COMPLETE "$out/compat-probe/results.h" 2>/dev/null; then
		complete="$complete $release"
	fi
done

# The driver is written for the newest kernel, so there is one that needs none of compat.
if [ -n "$complete" ]; then
	result 0 "nothing of compat is used for$complete"
elif [ "${!#}" = newest ]; then
	result 1 "the newest kernel needs compat"
else
	nr=$((nr + 1))
	echo "ok $nr - the newest kernel needs nothing of compat # SKIP not among the kernels"
fi
[ $failed = 0 ]

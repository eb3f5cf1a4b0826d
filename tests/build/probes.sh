#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# probes.sh [KERNEL]: does the mechanism in src/compat ask and judge as it
# should? In a copy of the tree whose module is one empty file. TAP.
set -u

# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
kernel=${1:-debian-6.1}

if [ -d "$kernel" ]; then
	kdir=$kernel
else
	"$tree/lab/lab.py" prepare "$kernel" >&2 || exit 1
	kdir=$("$tree/lab/lab.py" kdir "$kernel") || exit 1
fi

copy=$tmp/tree
probes=$copy/src/compat/probes
results=$tmp/out/compat-probe/results.h
mkdir -p "$copy/src" "$copy/include"
cp -r "$tree/Makefile" "$copy/"
cp -r "$tree/src/compat" "$copy/src/"
# The objects and what chooses among them give way to the one file.
sed -e '/^txgbe-y :=/,/^ccflags-y += -I/{/^ccflags-y += -I/!d}' "$tree/Kbuild" > "$copy/Kbuild"
sed -i '/^obj-m/a txgbe-y := src/empty.o' "$copy/Kbuild"
# Few probes and nothing that depends on their answers: only the asking is looked at.
find "$probes" -name '*.c' ! -name 'control_*' ! -name 'f*' -delete
printf '#ifndef COMPAT_PROBE\n#include "results.h"\n#endif\n' > "$copy/src/compat/compat.h"
printf '#include <linux/module.h>\nMODULE_LICENSE("GPL");\nMODULE_DESCRIPTION("x");\n' \
	> "$copy/src/empty.c"

build() { make -C "$copy" KDIR="$kdir" MO="$tmp/out" "$@" modules; }
stamp() { stat -c %y "$results"; }
asked_again() {	# asked_again MAKE-ARGUMENT...
	local before
	before=$(stamp)
	build "$@" && [ "$(stamp)" != "$before" ]
}
not_asked_again() {
	local before
	before=$(stamp)
	build && [ "$(stamp)" = "$before" ]
}
stops_with() {	# stops_with MESSAGE
	local output
	output=$(build 2>&1) && return 1
	printf '%s\n' "$output"
	printf '%s\n' "$output" | grep -qF "$1"
}
says() { grep -qx "$1" "$results"; }

check "compiles" build
check "one line for each probe" \
	test "$(grep -c HAVE_ "$results")" = "$(find "$probes" -name '*.c' | wc -l)"
check "what every kernel has is there" says '#define HAVE_CONTROL_PASS 1'
check "what no kernel has is not" says '/\* no HAVE_CONTROL_FAIL \*/'
check "nothing is asked twice" not_asked_again

# Two probes that use the same missing function must both say no.
for name in twin_a twin_b; do
	printf '#include <linux/netdevice.h>\nvoid probe(void);\nvoid probe(void)\n{\n\tno_such_fn();\n}\n' \
		> "$probes/$name.c"
done
printf '#include <linux/no_such_header.h>\nint probe;\n' > "$probes/lonely.c"
printf 'int probe = 1;\n' > "$probes/zz_last.c"
check "a new probe is asked" build
check "an implicit declaration hides no second use (first)" says '/\* no HAVE_TWIN_A \*/'
check "an implicit declaration hides no second use (second)" says '/\* no HAVE_TWIN_B \*/'
check "a missing header is a no" says '/\* no HAVE_LONELY \*/'
check "what comes after it is asked all the same" says '#define HAVE_ZZ_LAST 1'
rm "$probes"/{twin_a,twin_b,lonely,zz_last}.c

check "another configuration is asked again" asked_again KCFLAGS=-DCHANGED
sed -i 's/^release: .*/release: another/' "$tmp/out/compat-probe/tree"
check "another kernel release is asked again" asked_again KCFLAGS=-DCHANGED
sed -i 's/^include.config.auto.conf: .*/include\/config\/auto.conf: 1 1/' "$tmp/out/compat-probe/tree"
check "another kernel configuration is asked again" asked_again KCFLAGS=-DCHANGED

cp "$probes/control_pass.c" "$tmp/saved"
echo '#error "planted"' >> "$probes/control_pass.c"
check "the build stops when what must compile does not" \
	stops_with "compat: a probe that must compile does not"
cp "$tmp/saved" "$probes/control_pass.c"
echo 'int probe;' > "$probes/control_fail.c"
check "the build stops when what must not compile does" \
	stops_with "compat: a probe that must not compile does"

echo "1..$nr"
[ $failed = 0 ]

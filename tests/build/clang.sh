#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# clang.sh: compiles the module with clang for the newest kernel, as matrix.sh does with gcc. Debian's headers are
# configured for the gcc that built the kernel, so the lab's source is configured and prepared once more, with the newest
# clang of the machine's suite. TAP.
set -u

tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 1

give_up() {
	echo "not ok 1 - $1"
	exit 1
}

if ! kdir=$("$tree/lab/lab.py" kdir newest) || ! source=$(readlink -e "$kdir/source"); then
	give_up "the newest kernel's source is there"
fi
oldest=$(SRCARCH=x86 sh "$source/scripts/min-tool-version.sh" llvm)
clang=$(python3 -B - "$tree/lab" "${oldest%%.*}" <<-'END'
	import glob, sys
	sys.path.insert(0, sys.argv[1])
	from txlab import apt
	number = lambda name: int(name.rpartition("-")[2])
	have = [n for n in glob.glob("/usr/bin/clang-[0-9]*") if number(n) >= int(sys.argv[2])]
	if not have:
	    have = [max(apt.State("bookworm").names(r"clang-\d+"), key=number)]
	    apt.install(have, "the second compiler")
	print(max(have, key=number).rpartition("/")[2])
	END
) || give_up "clang $oldest or newer is there"

# The table of kernels has a row for each compiler.
dir=$tree/build/cross/newest-clang
mkdir -p "$dir"
cp "$kdir/.config" "$kdir/Module.symvers" "$dir/"
make -s -C "$source" O="$dir" CC="$clang" olddefconfig modules_prepare > "$dir/log" 2>&1 ||
	{ tail -n 20 "$dir/log" | sed 's/^/# /'; give_up "the newest kernel's source is configured for $clang"; }
CC=$clang "$tree/tests/build/matrix.sh" "$dir"
status=$?
if grep -q '^#define CONFIG_CC_IS_CLANG 1' "$dir/include/generated/autoconf.h" &&
	"$clang" --version | head -n 1 | sed 's/^/# /' &&
	grep -q "^savedcmd.*:= $clang " "$tree/build/matrix/newest-clang/src/net/.tx.o.cmd"; then
	echo "ok 4 - $clang compiled it"
else
	echo "not ok 4 - $clang compiled it"
	status=1
fi
exit $status

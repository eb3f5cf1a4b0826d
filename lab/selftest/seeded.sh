#!/bin/dash
# SPDX-License-Identifier: GPL-2.0-only
# seeded.sh BUG: commits a seeded bug. The expectation is declared to the runner, which fails this
# test when the kernel's checker stays silent.  "seeded.sh BUG quietly" declares nothing: the
# runner must then fail the test because of the report.
bug=$1
case $bug in
kasan)    expect='BUG: KASAN: slab-out-of-bounds in .*seeded' ;;
lockdep)  expect='possible circular locking dependency' ;;
dma)      expect='DMA-API: .*seeded: .*different size' ;;
kmemleak) expect='kmemleak: [1-9][0-9]* new suspected' ;;
atomic)   expect='BUG: sleeping function called from invalid context' ;;
none)     expect= ;;
esac
if [ -n "$expect" ] && [ "$2" != quietly ]; then
	hostctl expect-splat "$expect"
	# What comes along with the first line of a report.
	case $bug in
	dma) hostctl expect-splat 'WARNING: .*(kernel/dma/debug.c|check_unmap)' ;;
	lockdep) hostctl expect-splat 'WARNING: ' ;;
	esac
fi
if ! insmod /modules/seeded.ko bug="$bug"; then
	echo "not ok 1 - module with the bug $bug loads"
	exit 1
fi
if [ "$bug" = kmemleak ]; then
	# Objects younger than 5 s are never reported, and a stale pointer on a reused stack may hide
	# one for a while. The module stays loaded meanwhile, or the function's name is lost.
	sleep 6
	found=0
	for _ in 1 2 3 4; do
		kmemleak-scan
		grep -q seeded_kmemleak /sys/kernel/debug/kmemleak && found=1 && break
		sleep 1
	done
	if [ $found = 0 ]; then
		echo "not ok 1 - kmemleak names the leaking function"
		sed 's/^/# /' /sys/kernel/debug/kmemleak
		rmmod seeded
		exit 1
	fi
	echo clear >/sys/kernel/debug/kmemleak
fi
rmmod seeded
echo "ok 1 - bug $bug committed"

# SPDX-License-Identifier: GPL-2.0-only
# The Nth allocation of a probe or an open fails, for every N: no leak, no crash, and the next try works.
# Needs a kernel with slab fault injection; the lab looks for leaks when the boot ends.
. "${TESTS:-/tests}/lib.sh"

inject=/sys/kernel/debug/failslab

prepare() {
	[ -w "$inject"/ignore-gfp-wait ] && [ -w /proc/self/fail-nth ] || give_up "no slab fault injection in this kernel"
	echo N >"$inject"/ignore-gfp-wait
	echo 0 >"$inject"/verbose
}

# The Nth slab allocation of COMMAND fails; prints "hit" when there were that many. The command is run by the shell that
# is marked, not by a child of it.
with_nth_failing() {	# with_nth_failing N COMMAND
	dash -c "echo $1 >/proc/self/fail-nth; $2; read -r left </proc/self/fail-nth; [ \"\$left\" != 0 ] || echo hit" \
		2>>"$WORK/inject.log" || :
}

probe_survives_every_failing_allocation() {
	prepare
	down_pair
	pci=$(port_pci p0)
	n=0
	while :; do
		n=$((n + 1))
		[ ! -e "/sys/bus/pci/devices/$pci/driver" ] || echo "$pci" >/sys/bus/pci/drivers/txgbe/unbind
		hit=$(with_nth_failing "$n" "echo $pci >/sys/bus/pci/drivers/txgbe/bind")
		[ "$hit" = hit ] || break
		[ "$n" -lt "$(loops 120 1000)" ] || break
	done
	say "$n allocations of a probe failed one after the other"
	[ "$n" -gt 5 ] || fail "only $n allocations were seen"
	[ -e "/sys/bus/pci/devices/$pci/driver" ] || echo "$pci" >/sys/bus/pci/drivers/txgbe/bind
	restore_pair || fail "no traffic afterwards"
}

open_survives_every_failing_allocation() {
	prepare
	restore_pair
	n=0
	while :; do
		n=$((n + 1))
		ip -n a link set "$A" down
		# A batch keeps what the tool itself allocates small; the failing one is somewhere in tool, stack or driver.
		hit=$(in_a dash -c "echo $n >/proc/self/fail-nth; exec ip link set $A up" 2>/dev/null && echo up || echo failed)
		[ "$hit" = failed ] || clean=$((${clean:-0} + 1))
		# Allocations that may fail without harm make single ups succeed: stop after many in a row.
		[ "$hit" = up ] || clean=0
		[ "$clean" -lt 40 ] || break
		[ "$n" -lt "$(loops 200 2000)" ] || break
	done
	say "$n rounds of open with a failing allocation"
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

ring_change_survives_failing_allocations() {
	prepare
	restore_pair
	in_a ethtool -G "$A" rx 1024 2>/dev/null || give_up "ring sizes cannot be set"
	n=0
	while [ "$n" -lt "$(loops 60 400)" ]; do
		n=$((n + 1))
		in_a dash -c "echo $n >/proc/self/fail-nth; exec ethtool -G $A rx $((512 + n % 8 * 128)) tx 512" 2>/dev/null || :
		[ $((n % 10)) -ne 0 ] || wait_for 10 path_works || fail "round $n: no ping"
	done
	in_a ethtool -G "$A" rx 512 tx 512
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

channel_change_survives_failing_allocations() {
	prepare
	restore_pair
	in_a ethtool -L "$A" combined 1 2>/dev/null || give_up "channels cannot be set"
	n=0
	while [ "$n" -lt "$(loops 60 400)" ]; do
		n=$((n + 1))
		in_a dash -c "echo $n >/proc/self/fail-nth; exec ethtool -L $A combined $((1 + n % 2 * 3))" 2>/dev/null || :
		[ $((n % 10)) -ne 0 ] || wait_for 10 path_works || fail "round $n: no ping"
	done
	in_a ethtool -L "$A" combined "$SMP" || :
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

receive_survives_failing_allocations() {
	prepare
	restore_pair
	# One slab allocation in 50, in interrupt context too.
	echo 2 >"$inject"/probability
	echo -1 >"$inject"/times
	flows -B -t 3 -a a -b b -d 10.0.0.2 || :
	flows -B -t 3 -x 4000 -a b -b a -d fd00::1 || :
	echo 0 >"$inject"/probability
	wait_for 15 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 2M
	xfer -a b -b a -d fd00::1 -n 2M
}

# Frames of many buffers, of which now and then one cannot be had: pages of the pool that a poll asks for, and skbs.
frames_of_many_buffers_survive_failing_pages() {
	prepare
	pages=/sys/kernel/debug/fail_page_alloc
	[ -w $pages/probability ] || give_up "no page fault injection in this kernel"
	restore_pair
	set_mtu 9000
	path_works
	# Those that may wait are let through: programs would fail, not polls.
	echo Y >$pages/ignore-gfp-wait
	echo 0 >$pages/min-order
	echo 0 >$pages/verbose
	echo Y >"$inject"/ignore-gfp-wait
	for rate in 1 10 50; do
		echo $rate >$pages/probability
		echo -1 >$pages/times
		echo $rate >"$inject"/probability
		echo -1 >"$inject"/times
		flows -B -t 3 -x 8900 -a a -b b -d 10.0.0.2 || :
		flows -B -t 3 -x 8900 -a b -b a -d fd00::1 || :
		# A ring that got no buffers starts again when there are some.
		echo 0 >$pages/probability
		echo 0 >"$inject"/probability
		wait_for 15 path_works || fail "no ping after $rate of a hundred had failed"
		xfer -a a -b b -d 10.0.0.2 -n 2M
	done
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_mtu 1500
	set_addresses b "$B" 2
	wait_for 10 path_works
	xfer -a b -b a -d fd00::1 -n 2M
}

after_failure() {
	echo 0 >$inject/probability
	echo 0 >/sys/kernel/debug/fail_page_alloc/probability
	restore_pair
	set_mtu 1500
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact probe_survives_every_failing_allocation
fact open_survives_every_failing_allocation
fact ring_change_survives_failing_allocations
fact channel_change_survives_failing_allocations
fact receive_survives_failing_allocations
fact frames_of_many_buffers_survive_failing_pages
finish

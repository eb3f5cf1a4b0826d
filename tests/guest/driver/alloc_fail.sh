# SPDX-License-Identifier: GPL-2.0-only
# The Nth allocation of a probe or an open fails, for every N: no leak, no crash, and the next try works.
# Needs a kernel with fault injection for slabs and pages; the lab looks for leaks when the boot ends.
. "${TESTS:-/tests}/lib.sh"

inject=/sys/kernel/debug/failslab
pages=/sys/kernel/debug/fail_page_alloc

# Slabs and pages, those for DMA and those of page pools, too; whoever may wait fails as well.
prepare() {
	[ -w $inject/ignore-gfp-wait ] && [ -w $pages/ignore-gfp-wait ] && [ -w /proc/self/fail-nth ] ||
		give_up "no fault injection for slabs and pages in this kernel"
	for kind in $inject $pages; do
		echo N >"$kind"/ignore-gfp-wait
		echo 0 >"$kind"/verbose
	done
	echo 0 >$pages/min-order
	echo N >$pages/ignore-gfp-highmem
}

# No request has as many.
MOST=5000
: "${STEP:=$(loops 7 1)}"

# every_allocation REQUEST...: each time before_request has made things ready the next of the request's allocations fails,
# until there are no more; after_request is told "0" or the error.
every_allocation() {
	n=1
	errors=0
	while :; do
		before_request
		failnth -a a "$n" "$@" >"$WORK/nth"
		read -r hit error <"$WORK/nth"
		[ "$error" = 0 ] || errors=$((errors + 1))
		after_request "$error"
		[ "$hit" = hit ] || break
		n=$((n + STEP))
		[ $n -lt $MOST ] || fail "allocation $n fails, and there are still more"
	done
	say "$((n - 1)) allocations of '$1' failed one after the other, $errors times the request with them"
	[ "$error" = 0 ] || fail "it fails without a failing allocation: $error"
	[ $errors -gt 0 ] || fail "no allocation mattered"
}

probe_survives_every_failing_allocation() {
	prepare
	down_pair
	ip netns add a
	pci=$(port_pci p0)
	before_request() { [ ! -e "/sys/bus/pci/devices/$pci/driver" ] || echo "$pci" >/sys/bus/pci/drivers/txgbe/unbind; }
	after_request() {
		[ "$1" = 0 ] || [ ! -e "/sys/bus/pci/devices/$pci/driver" ] || fail "allocation $n: it failed, $1, and is bound"
		# Now and then, for it takes its time: the next try works.
		[ "$1" = 0 ] || [ $((errors % 10)) -ne 0 ] || echo "$pci" >/sys/bus/pci/drivers/txgbe/bind
	}
	every_allocation write /sys/bus/pci/drivers/txgbe/bind "$pci"
	[ $n -gt 5 ] || fail "only $n allocations were seen"
	restore_pair || fail "no traffic afterwards"
}

open_survives_every_failing_allocation() {
	prepare
	restore_pair
	before_request() { ip -n a link set "$A" down; }
	after_request() { [ "$1" = 0 ] || ip -n a link set "$A" up || fail "allocation $n: the next try fails, too"; }
	every_allocation up "$A"
	[ $n -gt 5 ] || fail "only $n allocations were seen"
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

# What fails leaves the port as it was, with traffic.
ring_change_survives_failing_allocations() {
	prepare
	restore_pair
	in_a ethtool -G "$A" rx 512 tx 512 2>/dev/null || give_up "ring sizes cannot be set"
	sizes() { in_a ethtool -g "$A" | awk '/^Current/ { now = 1 } now && /^(RX|TX):/ { printf "%s ", $2 }'; }
	before_request() { [ "$(sizes)" = "512 512 " ] || in_a ethtool -G "$A" rx 512 tx 512; }
	after_request() {
		[ "$1" = 0 ] || [ "$(sizes)" = "512 512 " ] || fail "allocation $n: it failed, $1, and the sizes are $(sizes)"
		[ $((n % 10)) -ne 0 ] || wait_for 10 path_works || fail "allocation $n: no ping"
	}
	every_allocation rings "$A" 1024 256
	[ "$(sizes)" = "1024 256 " ] || fail "it worked, and the sizes are $(sizes)"
	in_a ethtool -G "$A" rx 512 tx 512
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

channel_change_survives_failing_allocations() {
	prepare
	restore_pair
	in_a ethtool -L "$A" combined 1 2>/dev/null || give_up "channels cannot be set"
	pairs() { in_a ethtool -l "$A" | awk '/^Current/ { now = 1 } now && /^Combined:/ { print $2 }'; }
	before_request() { [ "$(pairs)" = 1 ] || in_a ethtool -L "$A" combined 1; }
	after_request() {
		[ "$1" = 0 ] || [ "$(pairs)" = 1 ] || fail "allocation $n: it failed, $1, and there are $(pairs)"
		[ $((n % 10)) -ne 0 ] || wait_for 10 path_works || fail "allocation $n: no ping"
	}
	every_allocation channels "$A" 4
	[ "$(pairs)" = 4 ] || fail "it worked, and there are $(pairs)"
	in_a ethtool -L "$A" combined "$SMP"
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

receive_survives_failing_allocations() {
	prepare
	restore_pair
	# One slab allocation in 50, in interrupt context too.
	echo 2 >$inject/probability
	echo -1 >$inject/times
	flows -B -t 3 -a a -b b -d 10.0.0.2 || :
	flows -B -t 3 -x 4000 -a b -b a -d fd00::1 || :
	echo 0 >$inject/probability
	wait_for 15 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 2M
	xfer -a b -b a -d fd00::1 -n 2M
}

# Frames of many buffers, of which now and then one cannot be had: pages of the pool that a poll asks for, and skbs.
frames_of_many_buffers_survive_failing_pages() {
	prepare
	restore_pair
	set_mtu 9000
	path_works
	# Those that may wait are let through: programs would fail, not polls.
	echo Y >$pages/ignore-gfp-wait
	echo Y >$pages/ignore-gfp-highmem
	echo Y >$inject/ignore-gfp-wait
	for rate in 1 10 50; do
		echo $rate >$pages/probability
		echo -1 >$pages/times
		echo $rate >$inject/probability
		echo -1 >$inject/times
		flows -B -t 3 -x 8900 -a a -b b -d 10.0.0.2 || :
		flows -B -t 3 -x 8900 -a b -b a -d fd00::1 || :
		# A ring that got no buffers starts again when there are some.
		echo 0 >$pages/probability
		echo 0 >$inject/probability
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
	echo 0 >$pages/probability
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

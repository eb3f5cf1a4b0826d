# SPDX-License-Identifier: GPL-2.0-only
# With swiotlb=force every transfer goes through a bounce buffer: a missing or wrong sync shows in the data.
. "${TESTS:-/tests}/lib.sh"

bounce_buffers_are_in_use() {
	grep -q swiotlb=force /proc/cmdline || give_up "not booted with swiotlb=force"
	[ -r /sys/kernel/debug/swiotlb/io_tlb_used ] || fail "no swiotlb in debugfs"
	used=$(cat /sys/kernel/debug/swiotlb/io_tlb_used)
	[ "$used" -gt 0 ] || fail "none in use"
	say "$used slots in use"
}

payload_is_verified_through_bounce_buffers() {
	for to in 10.0.0.2 fd00::2; do
		xfer -a a -b b -d "$to" -n "$(loops 8 64)M"
		xfer -u -a a -b b -d "$to" -n "$(loops 4 32)M"
	done
	xfer -a b -b a -d 10.0.0.1 -n "$(loops 8 64)M"
	set_mtu 9000
	path_works
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 8 64)M"
	xfer -a b -b a -d fd00::1 -n "$(loops 8 64)M"
	set_mtu 1500
}

slots_are_given_back() {
	[ -r /sys/kernel/debug/swiotlb/io_tlb_used ] || fail "no swiotlb in debugfs"
	down_pair
	unload_driver
	before=$(cat /sys/kernel/debug/swiotlb/io_tlb_used)
	for _ in 1 2 3; do
		restore_pair
		xfer -a a -b b -d 10.0.0.2 -n 2M
		down_pair
		unload_driver
	done
	after=$(cat /sys/kernel/debug/swiotlb/io_tlb_used)
	[ "$after" -le "$before" ] || fail "$((after - before)) slots were not given back"
	restore_pair
}

after_failure() { set_mtu 1500; restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact bounce_buffers_are_in_use
fact payload_is_verified_through_bounce_buffers
fact slots_are_given_back
finish

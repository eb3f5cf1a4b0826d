# SPDX-License-Identifier: GPL-2.0-only
# MTU: limits, full frames at each size, and a change under traffic.
. "${TESTS:-/tests}/lib.sh"

mtu_is_taken() { ip -n a link set "$A" mtu "$1"; [ "$(in_a cat "/sys/class/net/$A/mtu")" = "$1" ]; }

mtu_is_refused() {
	was=$(in_a cat "/sys/class/net/$A/mtu")
	ip -n a link set "$A" mtu "$1" 2>/dev/null && fail "taken"
	[ "$(in_a cat "/sys/class/net/$A/mtu")" = "$was" ]
}

full_frames_pass_at_mtu() {
	set_mtu "$1"
	path_works
	in_a ping -q -n -M 'do' -c 5 -i 0.05 -s "$(($1 - 28))" 10.0.0.2
	in_b ping -q -n -M 'do' -c 5 -i 0.05 -s "$(($1 - 28))" 10.0.0.1
	rawframe -a a -i "$A" -b b -j "$B" sizes "$(($1 + 14 - 20))" "$(($1 + 14))" 1
	rawframe -a b -i "$B" -b a -j "$A" sizes "$(($1 + 14 - 20))" "$(($1 + 14))" 1
}

tagged_full_frames_pass_at_mtu() {
	set_mtu "$1"
	path_works
	# Without a VLAN device the filter would drop the tag.
	in_b ethtool -K "$B" rx-vlan-filter off 2>/dev/null || ip -n b link set "$B" promisc on
	rawframe -a a -i "$A" -b b -j "$B" -V 8100:5 sizes "$(($1 + 18 - 8))" "$(($1 + 18))" 1
	in_b ethtool -K "$B" rx-vlan-filter on 2>/dev/null || ip -n b link set "$B" promisc off
}

# A bridge lets frames of several segments through whatever a segment's length, and so does this packet socket. Segments
# that are too long for the device are made by software, and dropped; the model records what it is asked to do and cannot.
segments_longer_than_the_device_takes_are_dropped() {
	before=$(stat_sum a "$A" 'tx_queue_[0-9]+_dropped')
	segments -i "$A" -a a -j "$B" -b b -s 10000
	dropped() { [ $(($(stat_sum a "$A" 'tx_queue_[0-9]+_dropped') - before)) -eq 6 ]; }
	wait_for 3 dropped || fail "$(($(stat_sum a "$A" 'tx_queue_[0-9]+_dropped') - before)) of 6 segments dropped"
	# One more byte than the MTU is nothing to the device.
	segments -i "$A" -a a -j "$B" -b b -s 1461
	dropped || fail "segments were dropped that the device takes"
	path_works
}

mtu_change_keeps_traffic_and_link() {
	need_model
	set_mtu 1500
	traffic on
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	for mtu in 9000 1500 4000 1500 9410 1500; do
		set_mtu "$mtu"
		path_works || fail "no ping at $mtu"
	done
	traffic off
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" -le $((changes + 12)) ]
}

after_failure() { restore_pair; set_mtu 1500; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact mtu_is_taken 9410
fact mtu_is_refused 9411
fact mtu_is_refused 65535
fact mtu_is_taken 68
fact mtu_is_refused 67
fact mtu_is_taken 1500
for mtu in 576 1500 2000 2048 3000 4096 9000 9410; do
	fact full_frames_pass_at_mtu $mtu
done
fact tagged_full_frames_pass_at_mtu 1500
fact tagged_full_frames_pass_at_mtu 9410
fact mtu_change_keeps_traffic_and_link
fact segments_longer_than_the_device_takes_are_dropped
finish

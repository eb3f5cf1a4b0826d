# SPDX-License-Identifier: GPL-2.0-only
# VLANs: devices, tags with offload on and off, filter, priority tags, stacked tags.
. "${TESTS:-/tests}/lib.sh"

frames() { rawframe -a a -i "$A" -b b -j "$B" "$@"; }

vlan_works() {
	wait_for 5 in_a ping -q -n -c 1 -W 1 10.0.99.2
	in_a ping -q -n -c 5 -i 0.05 -s 1400 10.0.99.2
	in_a ping -q -n -c 5 -i 0.05 -s 1400 fd99::2
	xfer -a a -b b -d 10.0.99.2 -n 2M
	xfer -a b -b a -d fd99::1 -n 2M
	xfer -u -a a -b b -d 10.0.99.2 -n 1M
}

vlan_carries_verified_traffic() {	# ID PROTO
	vlan_up "$1" "$2"
	vlan_works
	vlan_down "$1"
	path_works
}

vlan_works_without_offload() {
	vlan_offloads off
	[ "$(feature a "$A" tx-vlan-offload)$(feature b "$B" rx-vlan-offload)" = offoff ] || give_up "cannot be turned off"
	path_works
	vlan_up 100
	vlan_works
	vlan_down 100
	vlan_offloads on
	path_works
}

# The chip has one switch for both kinds of tag.
vlan_offloads() {
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		ip netns exec ${end% *} ethtool -K ${end#* } txvlan "$1" rxvlan "$1" tx-vlan-stag-hw-insert "$1" \
			rx-vlan-stag-hw-parse "$1" 2>/dev/null || :
	done
}

many_vlans_work_side_by_side() {
	need_module 8021q
	for id in 1 2 31 32 33 1000 4093 4094; do
		vlan_up "$id"
		in_a ping -q -n -c 2 -i 0.05 -I v"$id" 10.0.99.2
		ip -n a addr flush dev v"$id"
		ip -n b addr flush dev v"$id"
	done
	for id in 1 2 31 32 33 1000 4093 4094; do
		vlan_down "$id"
	done
	path_works
}

unknown_vlan_is_filtered() {
	[ "$(feature b "$B" rx-vlan-filter)" = on ] || give_up "no VLAN filter"
	frames -V 8100:77 deliver "$(in_b cat "/sys/class/net/$B/address")" 10 >"$WORK/out"
	grep -qx 'received=0' "$WORK/out" || fail "$(cat "$WORK/out")"
}

known_vlan_passes_the_filter() {
	need_module 8021q
	ip -n b link add link "$B" name v77 type vlan id 77
	ip -n b link set v77 up
	frames -V 8100:77 vlan 20 >"$WORK/out"
	ip -n b link del v77
	grep -q '^received=20 ' "$WORK/out" || fail "$(cat "$WORK/out")"
	say "$(cat "$WORK/out")"
	# And not any more once it is gone.
	[ "$(feature b "$B" rx-vlan-filter)" = on ] || return 0
	frames -V 8100:77 deliver "$(in_b cat "/sys/class/net/$B/address")" 10 >"$WORK/out"
	grep -qx 'received=0' "$WORK/out" || fail "after removal: $(cat "$WORK/out")"
}

priority_tag_passes() {
	frames -V 8100:0 vlan 10 >"$WORK/out"
	grep -q '^received=10 ' "$WORK/out" || fail "$(cat "$WORK/out")"
	frames -V 8100:24576 vlan 10 >"$WORK/out"	# priority 3, VLAN 0
	grep -q '^received=10 ' "$WORK/out" || fail "$(cat "$WORK/out")"
}

tags_arrive_unchanged_in_promiscuous_mode() {	# TAGS
	ip -n b link set "$B" promisc on
	frames -V "$1" vlan 20 >"$WORK/out" || fail "$(cat "$WORK/out")"
	ip -n b link set "$B" promisc off
	grep -q '^received=20 ' "$WORK/out" || fail "$(cat "$WORK/out")"
}

vlan_survives_down_and_up() {
	vlan_up 55
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	ip -n a link set v55 up
	ip -n a addr replace fd99::1/64 dev v55 nodad
	path_works
	vlan_works
	vlan_down 55
}

# Bytes of frames as the driver counts them: a tag that the device takes out or puts in is not among them.
rx_bytes() { stat_sum b "$B" '^rx_queue_[0-9]+_bytes$'; }
tx_bytes() { stat_sum a "$A" '^tx_queue_[0-9]+_bytes$'; }

tagged_bytes() {	# tagged_bytes TAGS
	before=$(rx_bytes)
	frames -V "$1" vlan 1000 >"$WORK/out"
	grep -q '^received=1000 .* wrong=0' "$WORK/out" || fail "$(cat "$WORK/out")"
	echo $(($(rx_bytes) - before))
}

device_strips_tags() {	# TPID
	need_ours
	[ -n "$(stat b "$B" rx_queue_0_bytes)" ] || give_up "no byte counter per queue"
	ip -n b link set "$B" promisc on
	on=$(tagged_bytes "$1:5")
	in_b ethtool -K "$B" rxvlan off rx-vlan-stag-hw-parse off
	off=$(tagged_bytes "$1:5")
	in_b ethtool -K "$B" rxvlan on rx-vlan-stag-hw-parse on
	again=$(tagged_bytes "$1:5")
	ip -n b link set "$B" promisc off
	say "$on bytes with, $off without stripping, $again after turning it on again"
	# 1000 tags of 4 bytes, give or take what the stack says meanwhile
	[ $((off - on)) -gt 3000 ] && [ $((off - on)) -lt 5000 ] && [ $((off - again)) -gt 3000 ]
}

device_inserts_tags() {	# PROTO
	need_ours
	need_module 8021q
	[ -n "$(stat a "$A" tx_queue_0_bytes)" ] || give_up "no byte counter per queue"
	vlan_up 21 "$1"
	wait_for 5 in_a ping -q -n -c 1 -W 1 10.0.99.2
	before=$(tx_bytes)
	in_a ping -q -n -c 1000 -i 0.002 -s 100 10.0.99.2
	on=$(($(tx_bytes) - before))
	in_a ethtool -K "$A" txvlan off tx-vlan-stag-hw-insert off
	before=$(tx_bytes)
	in_a ping -q -n -c 1000 -i 0.002 -s 100 10.0.99.2
	off=$(($(tx_bytes) - before))
	in_a ethtool -K "$A" txvlan on tx-vlan-stag-hw-insert on
	vlan_down 21
	say "$on bytes with, $off without insertion"
	# As above.
	[ $((off - on)) -gt 3000 ] && [ $((off - on)) -lt 5000 ]
}

one_switch_for_both_kinds() {
	need_ours
	for pair in "rxvlan rx-vlan-offload rx-vlan-stag-hw-parse" "rx-vlan-filter rx-vlan-filter rx-vlan-stag-filter"; do
		# shellcheck disable=SC2086
		set -- $pair
		in_b ethtool -K "$B" "$1" off
		[ "$(feature b "$B" "$2")$(feature b "$B" "$3")" = offoff ] || fail "$2 off leaves $3 on"
		path_works
		# No loop: a change of something else leaves it so.
		in_b ethtool -K "$B" gro off
		in_b ethtool -K "$B" gro on
		[ "$(feature b "$B" "$2")$(feature b "$B" "$3")" = offoff ] || fail "$2 came back"
		in_b ethtool -K "$B" "$1" on
		[ "$(feature b "$B" "$2")$(feature b "$B" "$3")" = onon ] || fail "$2 on leaves $3 off"
	done
	path_works
}

need_ours() { [ "$DRIVER" = ours ] || give_up "a rule of our driver"; }

passes() {	# passes ID: do frames of that VLAN reach the stack?
	frames -t 500 -V "8100:$1" deliver "$(in_b cat "/sys/class/net/$B/address")" 5 >"$WORK/out"
	grep -qx 'received=5' "$WORK/out"
}

every_id_can_be_filtered() {
	need_module 8021q
	[ "$(feature b "$B" rx-vlan-filter)" = on ] || give_up "no VLAN filter"
	step=$(loops 31 1)
	seq 1 "$step" 4094 | awk -v dev="$B" '{ print "link add link " dev " name v" $1 " type vlan id " $1; print "link set v" $1 " up" }' >"$WORK/batch"
	ip -n b -batch "$WORK/batch"
	for id in 1 63 $((1 + 131 * 31)); do
		passes "$id" || fail "VLAN $id does not pass: $(cat "$WORK/out")"
	done
	# The table is written again at every start.
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	# The kernel looks at 100 devices' carrier in a second, and the port is behind its VLAN devices.
	began=$(now_cs)
	wait_for $((20 + 200 / step)) path_works || fail "no traffic after down and up"
	say "traffic $((($(now_cs) - began) / 100)) s after down and up with $((4094 / step)) VLAN devices"
	for id in 1 63 $((1 + 131 * 31)); do
		passes "$id" || fail "VLAN $id does not pass after down and up: $(cat "$WORK/out")"
	done
	seq 1 "$step" 4094 | awk '{ print "link del v" $1 }' >"$WORK/batch"
	ip -n b -batch "$WORK/batch"
	for id in 1 63 $((1 + 131 * 31)); do
		passes "$id" && fail "VLAN $id still passes"
	done
	wait_for $((20 + 200 / step)) path_works || fail "no traffic without the VLAN devices"
}

same_id_of_both_kinds() {
	need_ours
	need_module 8021q
	[ "$(feature b "$B" rx-vlan-filter)" = on ] || give_up "no VLAN filter"
	ip -n b link add link "$B" name v91 type vlan id 91
	ip -n b link add link "$B" name v92 type vlan proto 802.1ad id 91
	passes 91 || fail "not with both"
	ip -n b link del v91
	passes 91 || fail "not any more with one of them"
	ip -n b link del v92
	passes 91 && fail "still without any"
	return 0
}

stacked_vlans_carry_full_frames() {
	need_module 8021q
	# The in-tree driver's longest frame (MTU + 22) has room for one tag, ours for two.
	stacked_mtu=1500
	[ "$DRIVER" = ours ] || stacked_mtu=1496
	vlan_up 7 802.1ad
	for end in "a 1" "b 2"; do
		# shellcheck disable=SC2086
		set -- $end
		ip -n "$1" addr flush dev v7
		ip -n "$1" link add link v7 name v5 type vlan id 5
		ip -n "$1" link set v5 mtu $stacked_mtu up
		ip -n "$1" addr replace "10.0.99.$2/24" dev v5
		ip -n "$1" addr replace "fd99::$2/64" dev v5 nodad
	done
	vlan_works
	in_a ping -q -n -M 'do' -c 5 -i 0.05 -s $((stacked_mtu - 28)) 10.0.99.2
	in_b ping -q -n -M 'do' -c 5 -i 0.05 -s $((stacked_mtu - 28)) 10.0.99.1
	vlan_down 5
	vlan_down 7
	path_works
}

after_failure() {
	for ns in a b; do
		ip netns exec $ns ls /sys/class/net | sed -n 's/^v[0-9]/link del &/p' >"$WORK/batch"
		ip -n $ns -batch "$WORK/batch"
	done
	ip -n b link set "$B" promisc off
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		ip netns exec ${end% *} ethtool -K ${end#* } rxvlan on rx-vlan-stag-hw-parse on txvlan on \
			tx-vlan-stag-hw-insert on rx-vlan-filter on rx-vlan-stag-filter on gro on
	done
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact vlan_carries_verified_traffic 5 802.1Q
fact vlan_carries_verified_traffic 4094 802.1Q
fact vlan_carries_verified_traffic 7 802.1ad
fact many_vlans_work_side_by_side
fact unknown_vlan_is_filtered
fact known_vlan_passes_the_filter
fact priority_tag_passes
fact tags_arrive_unchanged_in_promiscuous_mode 8100:5
fact tags_arrive_unchanged_in_promiscuous_mode 88a8:7
fact tags_arrive_unchanged_in_promiscuous_mode 88a8:7,8100:5
fact vlan_survives_down_and_up
fact vlan_works_without_offload
fact device_strips_tags 8100
fact device_strips_tags 88a8
fact device_inserts_tags 802.1Q
fact device_inserts_tags 802.1ad
fact one_switch_for_both_kinds
fact every_id_can_be_filtered
fact same_id_of_both_kinds
fact stacked_vlans_carry_full_frames
finish

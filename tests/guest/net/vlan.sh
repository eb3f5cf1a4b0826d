# SPDX-License-Identifier: GPL-2.0-only
# VLANs: devices, tags with offload on and off, filter, priority tags, stacked tags.
. "${TESTS:-/tests}/lib.sh"

frames() { rawframe -a a -i "$A" -b b -j "$B" "$@"; }

vlan_up() {	# vlan_up ID [PROTO]
	need_module 8021q
	for end in "a $A 1" "b $B 2"; do
		# shellcheck disable=SC2086
		set -- $end "$1" "${2:-802.1Q}"
		ip -n "$1" link add link "$2" name "v$4" type vlan proto "$5" id "$4"
		ip -n "$1" addr add "10.0.99.$3/24" dev "v$4"
		ip -n "$1" addr add "fd99::$3/64" dev "v$4" nodad
		ip -n "$1" link set "v$4" up
		set -- "$4" "$5"
	done
}

vlan_down() {
	ip -n a link del "v$1" 2>/dev/null || :
	ip -n b link del "v$1" 2>/dev/null || :
}

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

after_failure() {
	for ns in a b; do
		for dev in $(ip netns exec $ns ls /sys/class/net | grep '^v[0-9]'); do
			ip -n $ns link del "$dev"
		done
	done
	ip -n b link set "$B" promisc off
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
finish

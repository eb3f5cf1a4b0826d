# SPDX-License-Identifier: GPL-2.0-only
# Which frames are let in: unicast, multicast, broadcast, promiscuous, and addresses added at run time.
. "${TESTS:-/tests}/lib.sh"

delivered() { rawframe -a a -i "$A" -b b -j "$B" deliver "$1" 10 | tee "$WORK/out"; }

passes() { delivered "$1" >/dev/null; grep -qx 'received=10' "$WORK/out" || fail "$1: $(cat "$WORK/out")"; }
blocked() { delivered "$1" >/dev/null; grep -qx 'received=0' "$WORK/out" || fail "$1: $(cat "$WORK/out")"; }

own_address_passes() { passes "$(in_b cat "/sys/class/net/$B/address")"; }
broadcast_passes() { passes ff:ff:ff:ff:ff:ff; }
foreign_unicast_is_blocked() { blocked 02:99:88:77:66:55; }
unknown_multicast_is_blocked() { blocked 01:00:5e:7f:12:34; }

joined_multicast_passes() {
	ip -n b maddr add 01:00:5e:7f:12:34 dev "$B"
	passes 01:00:5e:7f:12:34
	ip -n b maddr del 01:00:5e:7f:12:34 dev "$B"
	blocked 01:00:5e:7f:12:34
}

slow_protocols_pass_when_joined() {	# LACP and LLDP of bonding and bridges
	for mac in 01:80:c2:00:00:02 01:80:c2:00:00:0e; do
		ip -n b maddr add "$mac" dev "$B"
		passes "$mac"
		ip -n b maddr del "$mac" dev "$B"
	done
}

# What bonds and switches say to each other still arrives after anything that writes the filters again.
slow_protocols_pass_after_every_change() {
	for mac in 01:80:c2:00:00:02 01:80:c2:00:00:0e; do
		ip -n b maddr add "$mac" dev "$B"
	done
	for change in "ethtool -L $B combined 1" "ethtool -L $B combined $SMP" "ethtool -G $B rx 1024" "ethtool -G $B rx 512" \
		"ip link set $B promisc on" "ip link set $B promisc off" "ip link set $B allmulticast on" \
		"ip link set $B allmulticast off" "ip link set $B mtu 9000" "ip link set $B mtu 1500" \
		"ethtool -K $B rxvlan off" "ethtool -K $B rxvlan on" "ethtool -r $B"; do
		# shellcheck disable=SC2086
		in_b $change || :
		wait_for 10 has_carrier b "$B"
		wait_for 10 has_carrier a "$A"
		for mac in 01:80:c2:00:00:02 01:80:c2:00:00:0e; do
			passes "$mac"
		done
	done
	for mac in 01:80:c2:00:00:02 01:80:c2:00:00:0e; do
		ip -n b maddr del "$mac" dev "$B"
	done
	# The other one has the hash of fd00::2's own multicast address.
	blocked 01:80:c2:00:00:0e
	set_addresses b "$B" 2
	path_works
}

# One ip for each: of a batch of "maddr add" only the first takes effect.
maddr_all() {	# add|del
	while read -r mac; do
		ip -n b maddr "$1" "$mac" dev "$B"
	done <"$WORK/macs"
}

two_hundred_multicast_addresses_pass() {
	for i in $(seq 200); do
		echo "01:00:5e:11:$(printf '%02x' $((i / 7))):$(printf '%02x' "$i")"
	done >"$WORK/macs"
	maddr_all add
	[ "$(ip -n b maddr show dev "$B" | grep -c 01:00:5e:11)" -eq 200 ] || fail "not all are on the list"
	for i in 1 50 123 200; do
		passes "01:00:5e:11:$(printf '%02x' $((i / 7))):$(printf '%02x' "$i")"
	done
	maddr_all del
}

allmulticast_lets_all_multicast_in() {
	ip -n b link set "$B" allmulticast on
	passes 01:00:5e:7f:12:34
	blocked 02:99:88:77:66:55
	ip -n b link set "$B" allmulticast off
	blocked 01:00:5e:7f:12:34
}

promiscuous_mode_lets_everything_in() {
	ip -n b link set "$B" promisc on
	passes 02:99:88:77:66:55
	passes 01:00:5e:7f:12:34
	ip -n b link set "$B" promisc off
	blocked 02:99:88:77:66:55
}

tcpdump_sees_foreign_frames() {
	start_job ip netns exec b tcpdump -Z root -i "$B" -n -c 10 -w "$WORK/pcap" ether src 02:46:46:50:54:01
	wait_for 15 promiscuous || fail "tcpdump did not make it promiscuous: $(tail -n 2 "$WORK/job.log")"
	passes 02:99:88:77:66:55
	wait_for 5 not promiscuous || fail "still promiscuous"
	blocked 02:99:88:77:66:55
}

promiscuous() { ip -n b -d link show dev "$B" | grep -q 'promiscuity [1-9]'; }

macvlan_address_passes_without_promiscuous_mode() {
	need_module macvlan
	ip -n b link add link "$B" name mv0 address 02:77:00:00:00:01 type macvlan mode bridge
	ip -n b link set mv0 up
	rawframe -a a -i "$A" -b b -j mv0 deliver 02:77:00:00:00:01 10 >"$WORK/out"
	grep -qx 'received=10' "$WORK/out" || fail "$(cat "$WORK/out")"
	promiscuous && fail "fell back to promiscuous mode"
	ip -n b link del mv0
	blocked 02:77:00:00:00:01
}

unicast_addresses_fit_and_overflow() {	# the table has 128 entries, one is the port's own
	need_module macvlan
	for i in $(seq 1 "$1"); do
		echo "fdb add 02:66:00:00:00:$(printf '%02x' "$i") dev $B"
	done >"$WORK/batch"
	in_b bridge -batch "$WORK/batch" || give_up "addresses cannot be added"
	for i in 1 "$(($1 / 2))" "$1"; do
		passes "02:66:00:00:00:$(printf '%02x' "$i")"
	done
	[ "$1" -gt 127 ] || blocked 02:66:00:00:00:fe
	sed -i 's/ add / del /' "$WORK/batch"
	in_b bridge -batch "$WORK/batch"
	blocked 02:66:00:00:00:01
}

filters_survive_down_and_up() {
	ip -n b maddr add 01:00:5e:7f:12:34 dev "$B"
	in_b bridge fdb add 02:66:00:00:00:01 dev "$B"
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	passes 01:00:5e:7f:12:34
	passes 02:66:00:00:00:01
	blocked 01:00:5e:7f:12:35
	ip -n b maddr del 01:00:5e:7f:12:34 dev "$B"
	in_b bridge fdb del 02:66:00:00:00:01 dev "$B"
}

after_failure() {
	ip -n b link set "$B" promisc off
	ip -n b link set "$B" allmulticast off
	ip -n b link del mv0
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact own_address_passes
fact broadcast_passes
fact foreign_unicast_is_blocked
fact unknown_multicast_is_blocked
fact joined_multicast_passes
fact slow_protocols_pass_when_joined
fact slow_protocols_pass_after_every_change
fact two_hundred_multicast_addresses_pass
fact allmulticast_lets_all_multicast_in
fact promiscuous_mode_lets_everything_in
fact tcpdump_sees_foreign_frames
fact macvlan_address_passes_without_promiscuous_mode
fact unicast_addresses_fit_and_overflow 100
fact unicast_addresses_fit_and_overflow 200
fact filters_survive_down_and_up
finish

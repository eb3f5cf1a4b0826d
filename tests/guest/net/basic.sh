# SPDX-License-Identifier: GPL-2.0-only
# Probe, identity, link and traffic: what must work before anything else is worth a test.
. "${TESTS:-/tests}/lib.sh"
if [ "${DEBUG:-0}" = 1 ]; then takes=2M; else takes=20M; fi
UDP_RATE=${UDP_RATE:-$takes}	# what the guest can take

probe_logs_no_error() {
	log_mark
	load_driver
	[ -z "$(driver_complaints)" ] || fail "$(driver_complaints | head -n 3)"
}

every_port_has_an_interface() {
	[ "$(nr_ports)" -ge 1 ]
	for pci in $(ports); do
		[ -d "/sys/bus/pci/devices/$pci/net" ] || fail "$pci has none"
	done
}

mac_address_is_the_cards() {
	need_model
	i=0
	for pci in $(ports); do
		want=$(hostctl get "p$i" mac) || give_up "the model does not tell the address"
		have=$(cat "/sys/class/net/p$i/address")
		[ "$have" = "$want" ] || fail "p$i has $have, the card $want"
		[ "$(cat "/sys/class/net/p$i/addr_assign_type")" = 0 ] || fail "p$i: not marked as permanent"
		i=$((i + 1))
	done
}

mac_addresses_differ_by_port() {
	[ "$(nr_ports)" -ge 2 ] || give_up "one port only"
	[ "$(cat /sys/class/net/p?/address | sort -u | wc -l)" -eq "$(nr_ports)" ]
}

driver_info_is_filled_in() {
	ethtool -i p0 >"$WORK/info"
	cat "$WORK/info"
	grep -qx 'driver: txgbe' "$WORK/info"
	grep -qx "bus-info: $(port_pci p0)" "$WORK/info"
	# The reference: (high word << 16 | low word) of the EEPROM's version, never zero.
	grep -qE '^firmware-version: 0x[0-9a-f]{8}' "$WORK/info"
	grep -qE '^firmware-version: 0x00000000' "$WORK/info" && fail "version is zero"
	say "$(grep '^firmware-version' "$WORK/info")"
}

carrier_is_off_before_up() {
	[ "$(cat /sys/class/net/p0/operstate)" = down ]
}

pair_comes_up() {
	up_pair
}

link_has_the_right_speed_and_full_duplex() {
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		set -- $end
		ethq -n "$1" link "$2" | grep -qx "up speed=$SPEED duplex=full" || fail "$2: $(ethq -n "$1" link "$2")"
	done
}

ping_works() {		# ping_works 4|6 SIZE
	case $1 in
	4) to=10.0.0.2 ;;
	6) to=fd00::2 ;;
	esac
	path_works
	pings "$to" 10 "$2"
}

iperf3_tcp() {		# iperf3_tcp 4|6 ab|ba
	case $1$2 in
	4ab) rate=$(iperf a b 10.0.0.2) ;;
	4ba) rate=$(iperf b a 10.0.0.1) ;;
	6ab) rate=$(iperf a b fd00::2) ;;
	6ba) rate=$(iperf b a fd00::1) ;;
	esac
	say "$rate Mbit/s received"
	[ "$rate" -ge 1 ] || fail "nothing received"
}

iperf3_udp() {
	case $1$2 in
	4ab) rate=$(iperf a b 10.0.0.2 -u -b "$UDP_RATE" -l 1400) ;;
	4ba) rate=$(iperf b a 10.0.0.1 -u -b "$UDP_RATE" -l 1400) ;;
	6ab) rate=$(iperf a b fd00::2 -u -b "$UDP_RATE" -l 1400) ;;
	6ba) rate=$(iperf b a fd00::1 -u -b "$UDP_RATE" -l 1400) ;;
	esac
	lost=$(jsonq end.sum.lost_percent <"$WORK/iperf.json")
	say "$rate Mbit/s, $lost % lost"
	# A slow guest may drop in the socket, never most of it.
	[ "${lost%%.*}" -lt 20 ] || fail "$lost % lost"
}

mtu_9000_carries_full_frames() {
	set_mtu 9000
	path_works
	in_a ping -q -n -M 'do' -c 5 -i 0.05 -s 8972 10.0.0.2
	in_a ping -q -n -M 'do' -c 5 -i 0.05 -s 8952 fd00::2
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	rate=$(iperf a b 10.0.0.2)
	say "$rate Mbit/s received with MTU 9000"
	set_mtu 1500
	path_works
}

# Modules of 40G keep their laser on, so the line stays up, and the in-tree driver goes on telling its rate.
tells_the_line() { [ "$DRIVER" = intree ] && [ "$SPEED" = 40000 ]; }

down_and_up_brings_traffic_back() {
	for round in $(seq "$(loops 3 10)"); do
		ip -n a link set "$A" down
		tells_the_line || [ "$(ethq -n a link "$A")" = "down speed=unknown duplex=unknown" ] ||
			fail "round $round: down: $(ethq -n a link "$A")"
		ip -n a link set "$A" up
		set_addresses a "$A" 1
		path_works || fail "round $round: no ping"
	done
}

reload_brings_traffic_back() {
	for round in $(seq "$(loops 2 5)"); do
		down_pair
		unload_driver
		driver_loaded && fail "round $round: still loaded"
		load_driver
		up_pair
		path_works || fail "round $round: no ping"
	done
}

log_has_no_error_at_the_end() {
	bad=$(driver_complaints | grep -viE 'link is (down|up)') || :
	[ -z "$bad" ] || fail "$(echo "$bad" | head -n 3)"
}

fact probe_logs_no_error
fact every_port_has_an_interface
fact mac_address_is_the_cards
fact mac_addresses_differ_by_port
fact driver_info_is_filled_in
fact carrier_is_off_before_up
fact pair_comes_up
fact link_has_the_right_speed_and_full_duplex
for family in 4 6; do
	fact ping_works $family 56
	fact ping_works $family 1400
	fact ping_works $family 30000
done
for family in 4 6; do
	fact iperf3_tcp $family ab
	fact iperf3_tcp $family ba
	fact iperf3_udp $family ab
	fact iperf3_udp $family ba
done
fact mtu_9000_carries_full_frames
fact down_and_up_brings_traffic_back
fact reload_brings_traffic_back
fact log_has_no_error_at_the_end
finish

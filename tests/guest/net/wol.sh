# SPDX-License-Identifier: GPL-2.0-only
# Wake-on-LAN. The runner makes both ports boards that can and stay lit (subsystem-id 0x4000), with an EEPROM that
# allows it to the card's first port, p0, only (eeprom-caps 9).
. "${TESTS:-/tests}/lib.sh"

supports() { ip netns exec "$1" ethtool "$2" | sed -n 's/.*Supports Wake-on: //p'; }
wakes() { ip netns exec "$1" ethtool "$2" | sed -n 's/^[[:space:]]*Wake-on: //p'; }
power() { cat "/sys/bus/pci/devices/$(port_pci "$1")/power/wakeup"; }

able_port_offers_magic_packet_and_is_off() {
	[ "$(supports a "$A")" = g ] || fail "supports '$(supports a "$A")'"
	[ "$(wakes a "$A")" = d ] || fail "on by itself: $(wakes a "$A")"
}

unable_port_refuses() {
	[ "$(supports b "$B")" = d ] || fail "supports '$(supports b "$B")'"
	in_b ethtool -s "$B" wol g 2>/dev/null && fail "taken by a port that cannot"
	[ "$(wakes b "$B")" != g ]
}

magic_packet_can_be_set() {
	in_a ethtool -s "$A" wol g
	[ "$(wakes a "$A")" = g ] || fail "$(wakes a "$A")"
	[ "$(power p0)" = enabled ] || fail "wakeup of the device is '$(power p0)'"
	for other in u m b a gu; do
		in_a ethtool -s "$A" wol $other 2>/dev/null && fail "$other taken"
		[ "$(wakes a "$A")" = g ] || fail "$other changed it to $(wakes a "$A")"
	done
	in_a ethtool -s "$A" wol d
	[ "$(wakes a "$A")" = d ] && [ "$(power p0)" = disabled ]
}

setting_survives_restarts() {
	in_a ethtool -s "$A" wol g
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 20 path_works
	in_a ethtool -t "$A" offline >/dev/null 2>&1 || :
	wait_for 20 path_works
	[ "$(wakes a "$A")" = g ] || fail "$(wakes a "$A")"
	in_a ethtool -s "$A" wol d
}

# Magic packet: six ff, sixteen times the address.
magic() {
	mac=$(echo "$1" | tr -d :)
	printf 'ffffffffffff0246465054010842ffffffffffff'
	for _ in $(seq 16); do printf '%s' "$mac"; done
}

# Long enough for packets to come.
sleep_shortly() { sleep_and_wake freeze devices 5; }

# Both ports sleep with the machine, so the packets come from the model's generator. A packet that wakes the machine
# while it falls asleep makes that fail.
sleep_and_count() {	# prints how many magic packets the armed port saw
	before=$(counters p0 wake)
	hostctl set p0 gen-template "$(magic "$1")"
	hostctl set p0 gen-size 116
	hostctl set p0 gen-count 0
	hostctl set p0 gen-pps 20
	hostctl set p0 gen-run true
	sleep_shortly 2>/dev/null || :
	hostctl set p0 gen-run false
	echo $(($(counters p0 wake) - before))
}

armed_port_waits_for_its_current_address() {
	need_model
	[ -n "$(counters p0 wake)" ] && [ "$(counters p0 wake)" != null ] || give_up "the model does not count wake-ups"
	[ -w /sys/power/pm_test ] || give_up "no pm_test in this kernel"
	in_a ethtool -s "$A" wol d
	sleep_shortly || give_up "the machine does not suspend"
	wait_for 20 path_works || fail "no traffic after resume"
	n=$(sleep_and_count "$(in_a cat "/sys/class/net/$A/address")")
	[ "$n" -eq 0 ] || fail "$n wake-ups though it is off"
	wait_for 20 path_works || fail "no traffic after resume"
	ip -n a link set "$A" address 02:5a:5a:00:00:01
	in_a ethtool -s "$A" wol g
	n=$(sleep_and_count 02:5a:5a:00:00:01)
	[ "$n" -gt 0 ] || fail "no wake-up by the port's address"
	n=$(sleep_and_count "$PERM")
	[ "$n" -eq 0 ] || fail "$n wake-ups by the permanent address, which is not in use"
	ip -n a neigh flush dev "$A"
	ip -n b neigh flush dev "$B"
	wait_for 20 path_works || fail "no traffic after resume"
	[ "$(wakes a "$A")" = g ] || fail "forgotten over suspend"
	# Awake, a magic packet is a frame like others.
	before=$(counters p0 wake)
	hostctl set p0 gen-template "$(magic 02:5a:5a:00:00:01)"
	hostctl set p0 gen-count 5
	hostctl set p0 gen-run true
	sleep 0.5
	[ "$(counters p0 wake)" = "$before" ] || fail "still armed after resume"
	in_a ethtool -s "$A" wol d
	ip -n a link set "$A" address "$PERM"
}

after_failure() {
	hostctl set p0 gen-run false
	in_a ethtool -s "$A" wol d
	ip -n a link set "$A" address "$PERM"
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
PERM=$(in_a cat "/sys/class/net/$A/address")
fact able_port_offers_magic_packet_and_is_off
fact unable_port_refuses
fact magic_packet_can_be_set
fact setting_survives_restarts
fact armed_port_waits_for_its_current_address
finish

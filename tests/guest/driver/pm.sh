# SPDX-License-Identifier: GPL-2.0-only
# Suspend and resume, as far as the kernel's own test mode goes: all phases of all devices, D3 included, without a firmware.
. "${TESTS:-/tests}/lib.sh"

sleep_once() {	# freeze|mem
	need_sleep "$1"
	log_mark
	sleep_and_wake "$1"
}

settings() { in_a ethtool -g "$A"; in_a ethtool -l "$A"; in_a ethtool -c "$A"; in_a ethtool -x "$A"; in_a ethtool -k "$A"; }

sleep_keeps_settings_and_traffic() {	# freeze|mem
	in_a ethtool -G "$A" rx 1024 tx 256
	in_a ethtool -C "$A" rx-usecs 64
	in_a ethtool -X "$A" equal 1
	settings >"$WORK/before"
	for round in $(seq "$(loops 3 50)"); do
		sleep_once "$1"
		wait_for 20 path_works || fail "round $round: no ping"
	done
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | head -n 5)"
	in_a ethtool -X "$A" default
	in_a ethtool -G "$A" rx 512 tx 512
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

sleep_while_down() {
	for round in $(seq "$(loops 2 10)"); do
		ip -n a link set "$A" down
		sleep_once freeze
		has_carrier a "$A" && fail "round $round: it came up by itself"
		ip -n a link set "$A" up
		set_addresses a "$A" 1
		wait_for 20 path_works || fail "round $round: no ping"
	done
}

leave_the_bond() {
	ip -n a link del bond0
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	ip -n b neigh flush all
}

# The bond goes on with the port as its member: it was neither thrown out nor left without a carrier.
sleep_in_a_bond() {
	need_module bonding
	ip -n a addr flush dev "$A"
	ip -n a link add bond0 type bond mode active-backup miimon 100
	ip -n a link set "$A" down
	ip -n a link set "$A" master bond0
	ip -n a link set bond0 up
	set_addresses a bond0 1
	ip -n b neigh flush all
	wait_for 20 path_works || fail "no ping through the bond"
	for round in $(seq "$(loops 3 20)"); do
		sleep_once freeze
		wait_for 20 path_works || fail "round $round: no ping through the bond"
		ip -n a -o link show dev "$A" | grep -q ' master bond0 ' || fail "round $round: the port left the bond"
		[ "$(in_a cat /sys/class/net/bond0/bonding/active_slave)" = "$A" ] || fail "round $round: it is no active member"
	done
	xfer -a a -b b -d 10.0.0.2 -n 4M
	leave_the_bond
	wait_for 20 path_works
}

wakes() { in_a ethtool "$A" | sed -n 's/^[[:space:]]*Wake-on: //p'; }

# Armed, the port is left running in D3; nobody calls it here, as net/wol does.
sleep_while_armed() {	# freeze|mem
	in_a ethtool "$A" | grep -q 'Supports Wake-on: .*g' || give_up "this board cannot wake the machine"
	in_a ethtool -s "$A" wol g
	for round in $(seq "$(loops 3 20)"); do
		sleep_once "$1"
		wait_for 20 path_works || fail "round $round: no ping"
		[ "$(wakes)" = g ] || fail "round $round: Wake-on is $(wakes)"
	done
	in_a ethtool -s "$A" wol d
	sleep_once "$1"
	wait_for 20 path_works || fail "no ping once it was disarmed"
	[ "$(wakes)" = d ] || fail "Wake-on is $(wakes)"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

sleep_under_traffic() {
	traffic on
	sleep 0.3
	sleep_once freeze
	wait_for 20 path_works
	traffic off
	xfer -a b -b a -d fd00::1 -n 4M
}

port_is() { in_a ethtool "$A" | grep -q "Port: $1"; }

# Nobody can pull it while the machine sleeps in a test; a reset of the function freezes the port as well, for 100 ms and
# more. Wherever the pull falls, before the freeze, into it or behind it, the cage is empty afterwards.
module_pulled_while_frozen_is_gone() {
	need_model
	pauses="0 0.05 0.1"
	[ "$LOOPS" != full ] || pauses="0 0.02 0.04 0.06 0.08 0.1 0.12 0.14 0.16 0.2"
	for pause in $pauses; do
		function_reset &
		sleep "$pause"
		hostctl set p0 module none
		wait
		wait_for 5 port_is None || fail "pulled after $pause s: $(in_a ethtool "$A" | grep Port:)"
		hostctl set p0 module "$plugged"
		wait_for 20 has_carrier a "$A" || fail "no carrier with the module"
	done
	set_addresses a "$A" 1
	wait_for 20 path_works
}

after_failure() {
	hostctl set p0 module "$plugged"
	in_a ethtool -s "$A" wol d
	leave_the_bond
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
plugged=$(hostctl get p0 module 2>/dev/null || :)
fact sleep_keeps_settings_and_traffic freeze
fact sleep_keeps_settings_and_traffic mem
fact sleep_while_down
fact sleep_under_traffic
fact sleep_in_a_bond
fact sleep_while_armed freeze
fact sleep_while_armed mem
fact module_pulled_while_frozen_is_gone
finish

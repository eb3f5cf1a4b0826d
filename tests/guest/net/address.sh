# SPDX-License-Identifier: GPL-2.0-only
# The port's own address, changed while it runs, and its many others; over every kind of restart.
. "${TESTS:-/tests}/lib.sh"

delivered() { rawframe -a a -i "$A" -b b -j "$B" deliver "$1" 10 >"$WORK/out"; }
passes() { delivered "$1"; grep -qx 'received=10' "$WORK/out" || fail "$1: $(cat "$WORK/out") ${2:-}"; }
blocked() { delivered "$1"; grep -qx 'received=0' "$WORK/out" || fail "$1: $(cat "$WORK/out") ${2:-}"; }

address() { in_b cat "/sys/class/net/$B/address"; }
permanent() { in_b ethtool -P "$B" | awk '{ print $NF }'; }
set_address() { ip -n b link set "$B" address "$1"; }

NEW=02:5a:5a:00:00:01

# Neighbours forget the old address.
reachable() {
	ip -n a neigh flush dev "$A"
	wait_for 20 has_carrier b "$B" && wait_for 10 path_works
}

address_changes_while_up() {
	set_address $NEW
	[ "$(address)" = $NEW ] || fail "still $(address)"
	[ "$(permanent)" = "$PERM" ] || fail "permanent address became $(permanent)"
	has_carrier b "$B" || fail "the link went down for it"
	passes $NEW
	blocked "$PERM"
	reachable || fail "no traffic"
	set_address "$PERM"
	passes "$PERM"
	blocked $NEW
}

address_changes_while_down() {
	ip -n b link set "$B" down
	set_address $NEW
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	reachable || fail "no traffic"
	passes $NEW
	blocked "$PERM"
	set_address "$PERM"
}

# after_restart WHAT COMMAND...: the current address counts, not the permanent one. The in-tree driver cannot do all of
# them, ours has to.
after_restart() {
	what=$1
	shift
	"$@" >"$WORK/restart" 2>&1 || {
		[ "$DRIVER" = intree ] || fail "no $what: $(head -n 1 "$WORK/restart")"
		say "no $what: $(head -n 1 "$WORK/restart")"
		return 0
	}
	set_addresses b "$B" 2
	reachable || fail "no traffic after $what"
	[ "$(address)" = $NEW ] || fail "$(address) after $what"
	passes $NEW "after $what"
	blocked "$PERM" "after $what"
	passes 02:66:00:00:00:01 "(another unicast address) after $what"
	passes 01:00:5e:7f:12:34 "(a group) after $what"
}

down_and_up() { ip -n b link set "$B" down && ip -n b link set "$B" up; }

current_address_survives_every_restart() {
	set_address $NEW
	in_b bridge fdb add 02:66:00:00:00:01 dev "$B"
	ip -n b maddr add 01:00:5e:7f:12:34 dev "$B"
	after_restart "down and up" down_and_up
	after_restart "a ring change" in_b ethtool -G "$B" rx 1024
	after_restart "a ring change back" in_b ethtool -G "$B" rx 512
	[ "$SMP" -lt 2 ] || after_restart "a channel change" in_b ethtool -L "$B" combined 1
	[ "$SMP" -lt 2 ] || after_restart "a channel change back" in_b ethtool -L "$B" combined "$SMP"
	after_restart "a self-test" in_b ethtool -t "$B" offline
	after_restart "an MTU change" set_mtu 4000
	after_restart "an MTU change back" set_mtu 1500
	[ ! -w "/sys/bus/pci/devices/$(port_pci "$B")/reset" ] || after_restart "a reset of the function" function_reset "$B"
	after_restart "a reset of the port" in_b ethtool --reset "$B" dedicated
	if has_devlink; then after_restart "a reload" reload "$B"; else say "no devlink in this kernel"; fi
	if handles_pcie_errors; then
		log_mark
		after_restart "a non-fatal error" pcie_error nonfatal "$B"
		log_mark
		after_restart "a fatal error" pcie_error fatal "$B"
	else
		say "this kernel handles no PCIe errors here"
	fi
	if [ -w /sys/power/pm_test ]; then after_restart "sleep" sleep_and_wake; else say "no pm_test in this kernel"; fi
	in_b bridge fdb del 02:66:00:00:00:01 dev "$B"
	ip -n b maddr del 01:00:5e:7f:12:34 dev "$B"
	set_address "$PERM"
	passes "$PERM"
	blocked 02:66:00:00:00:01
	# For whoever comes next: neighbours would ask for the other address for most of a minute.
	reachable || fail "no traffic with the permanent address"
}

bad_address_is_refused() {
	for mac in 01:00:5e:00:00:01 00:00:00:00:00:00 ff:ff:ff:ff:ff:ff; do
		set_address $mac 2>/dev/null && fail "$mac taken"
		[ "$(address)" = "$PERM" ] || fail "became $(address)"
	done
	passes "$PERM"
}

# A card that does not take the address keeps the old one.
address_of_a_dead_card_stays() {
	need_model
	hostctl set p1 fault-removed true
	taken=no
	set_address $NEW 2>/dev/null && taken=yes
	now=$(address)
	hostctl set p1 fault-removed false
	down_pair
	unload_driver
	restore_pair
	[ $taken = no ] || fail "taken"
	[ "$now" = "$PERM" ] || fail "became $now"
}

many() {	# many FIRST LAST add|del
	for i in $(seq "$1" "$2"); do
		echo "fdb $3 02:66:00:00:00:$(printf '%02x' "$i") dev $B"
	done >"$WORK/batch"
	in_b bridge -batch "$WORK/batch"
}

notices() { log_since | grep -c 'unicast addresses.*let in'; }

table_of_127_addresses_is_used_up_first() {
	log_mark
	many 1 127 add
	for i in 1 64 127; do
		passes "02:66:00:00:00:$(printf '%02x' $i)"
	done
	blocked 02:66:00:00:00:fe
	[ "$(notices)" -eq 0 ] || fail "a notice though all fit"
	# The next one opens the port, with one line.
	many 128 128 add
	passes 02:66:00:00:00:80
	passes 02:66:00:00:00:fe
	many 129 140 add
	passes 02:66:00:00:00:8c
	[ "$(notices)" -eq 1 ] || fail "$(notices) notices"
	# And back.
	many 128 140 del
	passes 02:66:00:00:00:7f
	blocked 02:66:00:00:00:80
	blocked 02:66:00:00:00:fe
	many 1 127 del
	blocked 02:66:00:00:00:01
}

allmulti_and_promisc_survive_a_restart() {
	ip -n b link set "$B" allmulticast on
	down_and_up
	set_addresses b "$B" 2
	reachable || fail "no traffic"
	passes 01:00:5e:7f:12:34
	blocked 02:99:88:77:66:55
	ip -n b link set "$B" allmulticast off
	ip -n b link set "$B" promisc on
	down_and_up
	set_addresses b "$B" 2
	reachable || fail "no traffic"
	passes 02:99:88:77:66:55
	ip -n b link set "$B" promisc off
	blocked 02:99:88:77:66:55
	blocked 01:00:5e:7f:12:34
}

# The log follows ethtool -s msglvl.
message_level_is_honoured() {
	need_model
	was=$(in_b ethtool "$B" | awk '/Current message level/ { print $4 }')
	in_b ethtool -s "$B" msglvl 0
	log_mark
	flap
	log_since | grep -q "$B.*link \(up\|down\)" && fail "link messages with level 0"
	in_b ethtool -s "$B" msglvl link on
	log_mark
	flap
	log_since | grep -q "$B.*link up" || fail "no link message with level link"
	in_b ethtool -s "$B" msglvl "$was"
}

flap() {
	hostctl set p1 cable false
	wait_for 5 not has_carrier b "$B"
	hostctl set p1 cable true
	wait_for 10 has_carrier b "$B"
}

after_failure() {
	hostctl set p1 cable true
	many 1 140 del
	ip -n b link set "$B" allmulticast off
	ip -n b link set "$B" promisc off
	set_address "$PERM"
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
PERM=$(address)
fact address_changes_while_up
fact address_changes_while_down
fact current_address_survives_every_restart
fact bad_address_is_refused
fact table_of_127_addresses_is_used_up_first
fact allmulti_and_promisc_survive_a_restart
fact message_level_is_honoured
fact address_of_a_dead_card_stays
finish

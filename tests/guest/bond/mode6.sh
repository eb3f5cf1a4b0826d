# SPDX-License-Identifier: GPL-2.0-only
# Mode 6 (balance-alb) of p0 and p1 against a bridge with four hosts behind it. RATE: the model's line rate in Mbit/s.
. "${TESTS:-/tests}/lib.sh"
# shellcheck source=tests/guest/bond/lib.sh
. "$TESTS/bond/lib.sh"

# What the bond sends goes another way at once. Where a host sends to is its own matter: bonding tells it by ARP no sooner
# than RLB_UPDATE_DELAY (20 ticks of 100 ms) after it last told one or asked for one, docs/bonding.md. How long that takes
# is measured on a bond without our driver, in the same guest; WAIT is only what no such bond exceeds.
WAIT=2500
HOSTS="1 2 3 4"
TARGETS="h1:10.0.0.11 h2:10.0.0.12 h3:10.0.0.13 h4:10.0.0.14"
FLOWS=2

# A bridge has one entry for an address and a host one for a neighbour: the hosts have to be several.
make_hosts() {
	ip -n b link add br0 type bridge
	for port in p2 p3; do
		ip -n b link set $port master br0
		ip -n b link set $port up
	done
	ip -n b link set br0 up
	for i in $HOSTS; do
		ip netns add "h$i"
		ip -n b link add "v$i" type veth peer name e0 netns "h$i"
		ip -n b link set "v$i" master br0
		ip -n b link set "v$i" up
		ip -n "h$i" addr add "10.0.0.1$i/24" dev e0
		ip -n "h$i" link set e0 up
		ip -n "h$i" link set lo up
	done
}

# The same bond of interfaces that have no hardware, in namespace c, with the same hosts: what bonding itself takes.
REFERENCE="h1:10.0.8.11 h2:10.0.8.12 h3:10.0.8.13 h4:10.0.8.14"

make_reference() {
	ip netns add c
	for i in 0 1; do
		ip -n b link add "x$i" type veth peer name "w$i" netns c
		ip -n b link set "x$i" master br0
		ip -n b link set "x$i" up
	done
	ip -n c link add bond0 type bond miimon 100 mode balance-alb
	for i in 0 1; do
		ip -n c link set "w$i" master bond0
		ip -n c link set "w$i" up
	done
	ip -n c link set bond0 up
	ip -n c addr add 10.0.8.1/24 dev bond0
	for i in $HOSTS; do ip -n "h$i" addr add "10.0.8.1$i/24" dev e0; done
}

remove_hosts() {
	for i in $HOSTS; do ip netns del "h$i" || :; done
	ip netns del c || :
	unmake_bonds
} 2>/dev/null

in_h() {
	host=$1
	shift
	ip netns exec "h$host" "$@"
}

all_hosts_answer() {
	for i in $HOSTS; do in_a ping -q -n -c 1 -W 1 "10.0.0.1$i" || return 1; done
}

# The port that a host sends to, by the address it has been told.
port_of_host() {	# port_of_host HOST [NS ADDRESS PORT PORT]
	mac=$(ip -n "h$1" neigh show "${3:-10.0.0.1}" | sed -n 's/.*lladdr \([0-9a-f:]*\).*/\1/p')
	for port in "${4:-p0}" "${5:-p1}"; do
		[ "$(ip netns exec "${2:-a}" cat "/sys/class/net/$port/address")" != "$mac" ] || echo "$port"
	done
}

hosts_know_both_ports() {	# [NS ADDRESS PORT PORT]
	known=$(for i in $HOSTS; do port_of_host "$i" "$@"; done | sort | uniq -c | tr -s ' \n' ' ')
	[ "$known" = " 2 ${3:-p0} 2 ${4:-p1} " ]
}

hosts_know_both_of_the_reference() {
	for i in $HOSTS; do ip netns exec c ping -q -n -c 1 -W 1 "10.0.8.1$i" || :; done
	hosts_know_both_ports c 10.0.8.1 w0 w1
}

active_port() { in_a cat /sys/class/net/bond0/bonding/active_slave; }
is_active() { [ "$(active_port)" = "$1" ]; }
macs() { echo "$(in_a cat /sys/class/net/p0/address) $(in_a cat /sys/class/net/p1/address)"; }

# The bond waits two seconds before it tells hosts of a port, ten before it balances again what it sends.
balanced() {
	all_hosts_answer
	sleep 12
	all_hosts_answer
	wait_seconds 20 hosts_know_both_ports ||
		fail "hosts send to $(for i in $HOSTS; do port_of_host "$i"; done | tr '\n' ' '), MACs $(macs)"
}

bond_comes_up() {
	make_hosts
	make_bond a 1 "mode balance-alb" p0 p1
	wait_for 10 all_hosts_answer || fail "no answer"
	[ "$(macs | tr ' ' '\n' | sort -u | wc -l)" = 2 ] || fail "one address on both ports: $(macs)"
}

arp_answers_send_hosts_to_both_ports() {
	balanced
	for i in $HOSTS; do
		port=$(port_of_host "$i")
		other=p0
		[ "$port" = p1 ] || other=p1
		here=$(received_by "$port")
		there=$(received_by $other)
		in_h "$i" ping -q -n -c 50 -i 0.01 10.0.0.1
		here=$(($(received_by "$port") - here))
		there=$(($(received_by $other) - there))
		[ $here -ge 50 ] && [ $there -lt 25 ] || fail "host $i sends to $port: it received $here frames, $other $there"
	done
}

to_hosts() {
	stream_rate "a h1 10.0.0.11" "a h2 10.0.0.12" "a h3 10.0.0.13" "a h4 10.0.0.14"
}

from_hosts() { stream_rate "h1 a 10.0.0.1" "h2 a 10.0.0.1" "h3 a 10.0.0.1" "h4 a 10.0.0.1"; }

two_ports_carry_the_sum_of_both() {
	need_model
	[ -n "$RATE" ] || give_up "the line has no rate"
	hostctl set p1 cable false
	wait_for 5 is_active p0
	wait_for 5 all_hosts_answer
	sleep 3
	tx1=$(to_hosts)
	rx1=$(from_hosts)
	hostctl set p1 cable true
	wait_for 10 has_carrier a p1
	sleep 1
	balanced
	tx2=$(to_hosts)
	rx2=$(from_hosts)
	say "sent: one port $tx1 Mbit/s, both $tx2; received: one port $rx1 Mbit/s, both $rx2; lines of $RATE Mbit/s"
	is_times "$RATE" "$tx1" 0.95 && is_times "$RATE" "$rx1" 0.95 || fail "more than one line carries"
	is_times "$tx2" "$tx1" 1.9 || fail "both ports send $tx2 Mbit/s, one $tx1"
	is_times "$rx2" "$rx1" 1.9 || fail "both ports receive $rx2 Mbit/s, one $rx1"
}

# Our part in what a host waits for: the link is reported down, addresses and filters change.
gap_is_the_bonds() {	# gap_is_the_bonds WHAT
	say "$1: arrives there after $there ms, an answer after $gap ms"
	[ "$there" -lt $MOST ] || fail "$1: a flow did not arrive for $there ms"
	[ "$gap" -lt $WAIT ] || fail "$1: a flow was without an answer for $gap ms"
}

set_reference_cable() { ip -n b link set x0 "$1"; }

# Both bonds have told two hosts of each port when the one that is not the active port is cut.
a_cut_costs_what_it_costs_without_hardware() {
	need_model
	make_reference
	balanced
	wait_seconds 60 hosts_know_both_of_the_reference || fail "the other bond does not balance"
	ip -n c link set bond0 type bond active_slave w1
	ip -n a link set bond0 type bond active_slave p1
	sleep 5
	wait_seconds 60 hosts_know_both_of_the_reference || fail "the other bond does not balance"
	balanced
	during_flows 5 set_cable p0 false
	ours=$gap
	our_there=$there
	hostctl set p0 cable true
	FROM=c
	TARGETS=$REFERENCE
	during_flows 5 set_reference_cable down
	set_reference_cable up
	say "p0 cut: $our_there ms there, $ours ms both ways; an interface without hardware: $there and $gap ms"
	[ "$gap" -gt 1000 ] || fail "the other bond waited for $gap ms only: nothing to compare with"
	# One look at the links (miimon) and one tick of the bond: they are not in step.
	[ "$ours" -le $((gap + 200)) ] || fail "ours took $((ours - gap)) ms longer"
	[ "$our_there" -le $((there + 200)) ] || fail "ours took $((our_there - there)) ms longer to the other end"
	ip netns del c
	wait_for 10 has_carrier a p0
	sleep 1
}

traffic_resumes_after_a_cable_is_cut() {	# PORT
	need_model
	during_flows 4 set_cable "$1" false
	no_carrier "$1" || fail "carrier without a cable"
	gap_is_the_bonds "cable of $1 cut"
	is_active "$1" && fail "$1 is still the active port"
	during_flows 4 set_cable "$1" true
	gap_is_the_bonds "cable of $1 back"
	wait_for 10 has_carrier a "$1"
	sleep 1
	[ "$(macs | tr ' ' '\n' | sort -u | wc -l)" = 2 ] || fail "one address on both ports: $(macs)"
}

traffic_resumes_after_a_module_is_pulled() {	# PORT
	need_model
	kind=$(hostctl get "$1" module)
	during_flows 4 set_module "$1" none
	gap_is_the_bonds "module of $1 pulled"
	hostctl set "$1" module "$kind"
	wait_for 10 has_carrier a "$1"
	sleep 1
}

set_active() { ip -n a link set bond0 type bond active_slave "$1"; }

# Both ports get a new address while they are up and busy.
addresses_are_swapped_under_traffic() {
	for _ in 1 2 3; do
		old=$(active_port)
		new=p0
		[ "$old" = p0 ] && new=p1
		before=$(macs)
		during_flows 3 set_active $new
		gap_is_short "$new becomes the active port"
		is_active $new || fail "$(active_port) is active"
		[ "$(macs)" = "${before#* } ${before% *}" ] || fail "addresses were $before, are $(macs)"
		all_hosts_answer
	done
}

have_devlink() { devlink dev show "pci/$(port_pci p0)" >/dev/null 2>&1; }

traffic_survives_the_reset_of_a_slave() {	# PORT
	have_devlink || give_up "no devlink in this kernel"
	during_flows 6 reset_port "$1"
	gap_is_the_bonds "$1 reset"
	wait_for 10 has_carrier a "$1"
	sleep 1
	all_hosts_answer
}

traffic_survives_the_unbinding_of_a_slave() {	# PORT
	during_flows 4 unbind "$1"
	gap_is_the_bonds "$1 unbound"
	during_flows 6 bind_and_join "$1"
	gap_is_the_bonds "$1 back"
	wait_for 10 has_carrier a "$1"
	[ "$(macs | tr ' ' '\n' | sort -u | wc -l)" = 2 ] || fail "one address on both ports: $(macs)"
	balanced
}

vlan_works() {
	need_module 8021q
	ip -n a link add link bond0 name v7 type vlan id 7
	ip -n a addr add 10.0.7.1/24 dev v7
	ip -n a link set v7 up
	for i in $HOSTS; do
		ip -n "h$i" link add link e0 name v7 type vlan id 7
		ip -n "h$i" addr add "10.0.7.1$i/24" dev v7
		ip -n "h$i" link set v7 up
	done
	for i in $HOSTS; do
		wait_for 10 in_a ping -q -n -c 1 -W 1 "10.0.7.1$i" || fail "host $i does not answer"
		flows -u -a a -b "h$i" -d "10.0.7.1$i" -n 8 -r 3 -x 1400
		flows -u -a "h$i" -b a -d 10.0.7.1 -n 8 -r 3 -x 1400
	done
	ip -n a link del v7
}

after_failure() {
	mend_all
	remove_hosts
	place_ports
	(bond_comes_up)
} >/dev/null 2>&1

need_module bonding 2>/dev/null || { skip bonds "no module bonding"; finish; }
need_module bridge veth 2>/dev/null || { skip bonds "no module bridge or veth"; finish; }
place_ports || { not_ok ports_are_up "no link"; finish; }
fact bond_comes_up
fact arp_answers_send_hosts_to_both_ports
fact traffic_resumes_after_a_cable_is_cut p0
fact traffic_resumes_after_a_cable_is_cut p1
fact a_cut_costs_what_it_costs_without_hardware
fact addresses_are_swapped_under_traffic
fact traffic_resumes_after_a_module_is_pulled p0
fact traffic_survives_the_reset_of_a_slave p0
fact traffic_survives_the_reset_of_a_slave p1
fact traffic_survives_the_unbinding_of_a_slave p1
fact two_ports_carry_the_sum_of_both
fact vlan_works
fact no_wrong_speed_was_ever_told
finish

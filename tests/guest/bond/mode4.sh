# SPDX-License-Identifier: GPL-2.0-only
# Mode 4: LACP between two bonds of our ports. RATE: the line rate in Mbit/s that the model has been given.
. "${TESTS:-/tests}/lib.sh"
# shellcheck source=tests/guest/bond/lib.sh
. "$TESTS/bond/lib.sh"

ports_join() {	# ports_join fast|slow
	began=$(now_cs)
	lacp_bonds "$1"
	say "LACP agreed after $((($(now_cs) - began) * 10)) ms"
}

# With short timeouts three LACPDUs that get lost would show within these times.
nothing_changes_while_nothing_changes_on_the_wire() {	# SECONDS
	wait_seconds 90 settled || fail "churn is not judged after 90 s: $(in_a grep Churn $BOND | tr '\n' ';')"
	in_a grep -q churned $BOND && fail "$(in_a grep -i churn $BOND | tr '\n' ';')"
	log_mark
	lacp_record >"$WORK/before"
	sleep "$1"
	lacp_is_as_in "$WORK/before"
	log_since >"$WORK/since"
	grep -E 'bond0|p[0-3]:' "$WORK/since" && fail "$(grep -E 'bond0|p[0-3]:' "$WORK/since" | head -n 1)"
	all_joined
}

nothing_changes_on_a_line_that_is_full() {	# SECONDS
	[ -n "$RATE" ] || give_up "the line has no rate"
	lacp_record >"$WORK/before"
	export SECONDS_IPERF="$1"
	full=$(iperf a b 10.0.0.2 -P 8 --bidir)
	say "$full Mbit/s, and as much the other way"
	lacp_is_as_in "$WORK/before"
}

flows_use_both_ports() {
	before0=$(sent_by p0)
	before1=$(sent_by p1)
	during_flows 2 true
	[ "$gap" -lt 100 ] || fail "a flow was without an answer for $gap ms and nothing had happened"
	used0=$(($(sent_by p0) - before0))
	used1=$(($(sent_by p1) - before1))
	[ $used0 -gt 100 ] && [ $used1 -gt 100 ] || fail "p0 sent $used0 frames, p1 $used1"
}

one_port_left() { in_a grep -q 'Number of ports: 1' $BOND && in_b grep -q 'Number of ports: 1' $BOND; }

traffic_resumes_after_a_cable_is_cut() {	# PORT
	need_model
	during_flows 2 set_cable "$1" false
	no_carrier "$1" || fail "carrier without a cable"
	gap_is_short "cable of $1 cut"
	wait_for 5 one_port_left || fail "the bonds still count on the port"
	during_flows 3 set_cable "$1" true
	say "cable of $1 back: $gap ms"
	wait_seconds 60 all_joined || fail "$1 is not used again"
	[ "$gap" -lt 1000 ] || fail "the cable's return cost $gap ms"
}

traffic_resumes_after_a_module_is_pulled() {	# PORT
	need_model
	kind=$(hostctl get "$1" module)
	during_flows 2 set_module "$1" none
	no_carrier "$1" || fail "carrier without a module"
	gap_is_short "module of $1 pulled"
	during_flows 3 set_module "$1" "$kind"
	say "module of $1 back: $gap ms"
	wait_seconds 60 all_joined || fail "$1 is not used again"
}

traffic_survives_the_reset_of_a_slave() {
	have_devlink || give_up "no devlink in this kernel"
	during_flows 3 reset_port p0
	say "p0 reset: $gap ms"
	[ "$gap" -lt 1000 ] || fail "a flow was without an answer for $gap ms"
	wait_seconds 60 all_joined || fail "p0 is not used again"
	flows -u -a a -b b -d 10.0.0.2 -n 32
}

have_devlink() { devlink dev show "pci/$(port_pci p0)" >/dev/null 2>&1; }

traffic_survives_the_unbinding_of_a_slave() {
	during_flows 3 unbind p1
	gap_is_short "p1 unbound"
	ip -n a link show dev p1 2>/dev/null && fail "p1 is still there"
	during_flows 5 bind_and_join p1
	say "p1 back: $gap ms"
	wait_seconds 60 all_joined || fail "p1 is not used again"
	flows_use_both_ports
}

# Frames get lost while the link stays up: only LACP can notice, after three of its intervals.
a_silent_partner_is_noticed() {	# LEAST MOST, seconds
	need_model
	began=$(now_cs)
	hostctl set p1 fault-rx-loss 1
	sleep $(($1 - 1))
	wait_for $(($2 + 10 - $1)) one_port_carries || fail "p1 is still in use after $(($2 + 10)) s"
	took=$((($(now_cs) - began) / 100))
	say "noticed after $took s"
	has_carrier a p1 || fail "the link went down: this is no test of LACP"
	hostctl set p1 fault-rx-loss 0
	[ $took -ge "$1" ] && [ $took -le "$2" ] || fail "after $took s, not $1 to $2"
	wait_seconds 100 all_joined || fail "p1 is not used again"
}

# p1 of a no longer distributes.
one_port_carries() { ! joined a; }

# Mbit/s that 16 flows carry, with two decimals: lines are slow.
sixteen_flows() {
	iperf a b 10.0.0.2 -P 16 -O 1 >/dev/null || return 1
	jsonq end.sum_received.bits_per_second <"$WORK/iperf.json" | awk '{ printf "%.2f\n", $1 / 1000000 }'
}

two_ports_carry_the_sum_of_both() {
	need_model
	[ -n "$RATE" ] || give_up "the line has no rate"
	export SECONDS_IPERF=3
	hostctl set p1 cable false
	wait_for 5 one_port_left
	one=$(sixteen_flows)
	hostctl set p1 cable true
	wait_seconds 60 all_joined
	bytes0=$(netdev_stat a p0 9)
	bytes1=$(netdev_stat a p1 9)
	both=$(sixteen_flows)
	bytes0=$((($(netdev_stat a p0 9) - bytes0) / 1000))
	bytes1=$((($(netdev_stat a p1 9) - bytes1) / 1000))
	say "one port $one Mbit/s, both $both Mbit/s (p0 $bytes0 kB, p1 $bytes1 kB) on lines of $RATE Mbit/s"
	is_times "$RATE" "$one" 0.95 || fail "one port carries $one Mbit/s on a line of $RATE"
	is_times "$both" "$one" 1.9 || fail "both carry $both Mbit/s, one $one"
}

after_failure() {
	mend_all
	(lacp_bonds fast) >/dev/null 2>&1
}

need_module bonding 2>/dev/null || { skip bonds "no module bonding"; finish; }
place_ports || { not_ok ports_are_up "no link"; finish; }
fact ports_join fast
fact flows_use_both_ports
fact nothing_changes_while_nothing_changes_on_the_wire "$(loops 60 300)"
fact traffic_resumes_after_a_cable_is_cut p0
fact traffic_resumes_after_a_cable_is_cut p3
fact traffic_resumes_after_a_module_is_pulled p1
fact traffic_survives_the_reset_of_a_slave
fact traffic_survives_the_unbinding_of_a_slave
fact a_silent_partner_is_noticed 2 5
fact two_ports_carry_the_sum_of_both
fact nothing_changes_on_a_line_that_is_full "$(loops 4 30)"
if [ "$LOOPS" = full ]; then
	fact ports_join slow
	fact nothing_changes_while_nothing_changes_on_the_wire 300
	fact traffic_resumes_after_a_cable_is_cut p1
	fact a_silent_partner_is_noticed 60 95
fi
fact no_wrong_speed_was_ever_told
finish

# SPDX-License-Identifier: GPL-2.0-only
# Perfect filters: a rule steers or drops what it names, nothing else, and can be listed and deleted.
. "${TESTS:-/tests}/lib.sh"

rules() { in_b ethtool -n "$B" | grep -c '^Filter:' || :; }

ntuple_is_there() {
	feature_fixed b "$B" ntuple-filters && give_up "no ntuple filters"
	in_b ethtool -K "$B" ntuple on
	[ "$(feature b "$B" ntuple-filters)" = on ]
	wait_for 10 path_works
}

need_ntuple() { [ "$(feature b "$B" ntuple-filters)" = on ] || give_up "no ntuple filters"; }

rule_steers_its_flow() {
	need_ntuple
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	last=$((SMP - 1))
	in_b ethtool -N "$B" flow-type udp4 src-ip 10.0.0.1 dst-ip 10.0.0.2 dst-port 7101 action "$last" loc 5
	[ "$(rules)" = 1 ] || fail "$(rules) rules are listed"
	before=$(stat_sum b "$B" "^rx[-_]?(queue)?[-_]?${last}[-_]packets\$")
	flows -u -a a -b b -d 10.0.0.2 -n 64 -r 2
	after=$(stat_sum b "$B" "^rx[-_]?(queue)?[-_]?${last}[-_]packets\$")
	[ $((after - before)) -ge 128 ] || fail "$((after - before)) of 128 frames on queue $last"
	in_b ethtool -N "$B" delete 5
	[ "$(rules)" = 0 ] || fail "$(rules) rules after deletion"
}

drop_rule_drops_its_flow_only() {
	need_ntuple
	in_b ethtool -N "$B" flow-type udp4 dst-port 7999 action -1 loc 3
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the dropped flow arrived"
	xfer -u -a a -b b -d 10.0.0.2 -p 7998 -n 200k
	pings 10.0.0.2 3
	in_b ethtool -N "$B" delete 3
	xfer -u -a a -b b -d 10.0.0.2 -p 7999 -n 200k
}

tcp_rule_works() {
	need_ntuple
	in_b ethtool -N "$B" flow-type tcp4 src-ip 10.0.0.1 dst-port 7001 action 0 loc 7
	xfer -a a -b b -d 10.0.0.2 -n 1M
	in_b ethtool -N "$B" delete 7
}

rules_survive_down_and_up() {
	need_ntuple
	in_b ethtool -N "$B" flow-type udp4 dst-port 7999 action -1 loc 3
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	# The list is software: no card can bring back what its driver forgot.
	[ "$DRIVER" = ours ] || [ "$(rules)" = 1 ] || give_up "the in-tree driver forgets its rules on close"
	[ "$(rules)" = 1 ] || fail "$(rules) rules"
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the dropped flow arrived"
	in_b ethtool -N "$B" delete 3
}

ntuple_can_be_turned_off() {
	need_ntuple
	in_b ethtool -K "$B" ntuple off
	wait_for 10 path_works
	[ "$(rules)" = 0 ] || fail "$(rules) rules are left"
}

after_failure() { for i in 3 5 7; do in_b ethtool -N "$B" delete $i; done; restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact ntuple_is_there
fact rule_steers_its_flow
fact drop_rule_drops_its_flow_only
fact tcp_rule_works
fact rules_survive_down_and_up
fact ntuple_can_be_turned_off
finish

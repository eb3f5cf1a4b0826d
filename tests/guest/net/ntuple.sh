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

# ---- What only our driver does --------------------------------------------------------------------------------------

# The in-tree driver has no IPv6, no user-def, a table of its own.
need_ours() {
	need_ntuple
	[ "$DRIVER" = ours ] || give_up "not the driver under test"
}

# The program's exit status does not tell when it was to choose the location.
add() {
	in_b ethtool -N "$B" "$@" >"$WORK/rule" 2>&1 || return 1
	cat "$WORK/rule"
	! grep -q Cannot "$WORK/rule"
}

on_queue() { stat_sum b "$B" "^rx_queue_${1}_packets\$"; }

# 32 datagrams, and as many back
datagrams() { flows -u -a a -b b -d "$1" -p "$2" -n 16 -r 2; }

one_datagram() { flows -u -a a -b b -d 10.0.0.2 -p 7101 -n 1 -r 1; }

# hits QUEUE COMMAND...: frames that came on QUEUE meanwhile
hits() {
	queue=$1
	shift
	hits_before=$(on_queue "$queue")
	"$@" >/dev/null
	echo $(($(on_queue "$queue") - hits_before))
}

# A queue that the frames of a command, at least 16, do not come on by themselves.
away_from() {
	if [ "$(hits 0 "$@")" -ge 16 ]; then
		[ "$SMP" -ge 2 ] || give_up "one queue"
		echo 1
	else
		echo 0
	fi
}

# refused REASON RULE...: the rule is not taken, the log says why.
refused() {
	reason=$1
	shift
	log_mark
	add "$@" >/dev/null && fail "taken: $*"
	log_since | grep -q "ntuple: .*$reason" || fail "$*: the log does not say \"$reason\""
}

table_has_its_size() {
	need_ours
	[ "$(ethq -n b table "$B")" = "rules=0 size=2046 special=1" ] || fail "$(ethq -n b table "$B")"
	add flow-type udp4 dst-port 7999 action 0 | grep -q "ID 0"
	add flow-type udp4 dst-port 7998 action 0 | grep -q "ID 1"
	[ "$(rules)" = 2 ] || fail "$(rules) rules"
	in_b ethtool -N "$B" delete 0
	add flow-type udp4 dst-port 7997 action -1 | grep -q "ID 0"
	in_b ethtool -n "$B" rule 0 | grep -q "Action: Drop"
	in_b ethtool -N "$B" delete 0
	in_b ethtool -N "$B" delete 1
	in_b ethtool -N "$B" delete 1 2>/dev/null && fail "a rule that is not there was deleted"
	[ "$(rules)" = 0 ]
}

masks_select_a_range() {
	need_ours
	queue=$(away_from datagrams 10.0.0.2 7120)
	# 7104 is 0x1bc0
	add flow-type udp4 src-ip 10.0.0.0 m 0.0.0.255 dst-port 7104 m 0x000f action "$queue" loc 3
	got=$(hits "$queue" datagrams 10.0.0.2 7119)
	[ "$got" -ge 32 ] || fail "$got of 32 frames to port 7119"
	got=$(hits "$queue" datagrams 10.0.0.2 7120)
	[ "$got" -lt 16 ] || fail "$got frames to port 7120, which is not in the rule"
	add flow-type udp4 src-ip 10.1.0.0 m 0.0.0.255 dst-port 7104 m 0x000f action "$queue" loc 3
	got=$(hits "$queue" datagrams 10.0.0.2 7119)
	[ "$got" -lt 16 ] || fail "$got frames from 10.0.0.1, which is not in the rule"
	in_b ethtool -N "$B" delete 3
}

ipv6_rules_steer() {
	need_ours
	queue=$(away_from datagrams fd00::2 7101)
	add flow-type udp6 dst-port 7101 action "$queue" loc 3
	got=$(hits "$queue" datagrams fd00::2 7101)
	[ "$got" -ge 32 ] || fail "$got of 32 frames by port"
	got=$(hits "$queue" datagrams fd00::2 7102)
	[ "$got" -lt 16 ] || fail "$got frames to another port"
	in_b ethtool -N "$B" delete 3
	for rule in "src-ip fd00::1" "dst-ip fd00::2"; do
		# shellcheck disable=SC2086
		add flow-type udp6 $rule dst-port 7101 action "$queue" loc 3
		got=$(hits "$queue" datagrams fd00::2 7101)
		[ "$got" -ge 32 ] || fail "$got of 32 frames by $rule"
		# shellcheck disable=SC2086
		add flow-type udp6 ${rule%::*}::77 dst-port 7101 action "$queue" loc 3
		got=$(hits "$queue" datagrams fd00::2 7101)
		[ "$got" -lt 16 ] || fail "$got frames of another address"
		in_b ethtool -N "$B" delete 3
	done
}

ip_rule_takes_every_protocol() {
	need_ours
	queue=$(away_from datagrams 10.0.0.2 7101)
	add flow-type ip4 src-ip 10.0.0.1 action "$queue" loc 3
	got=$(hits "$queue" datagrams 10.0.0.2 7101)
	[ "$got" -ge 32 ] || fail "$got of 32 datagrams"
	got=$(hits "$queue" pings 10.0.0.2 20)
	[ "$got" -ge 20 ] || fail "$got of 20 pings"
	got=$(hits "$queue" flows -a a -b b -d 10.0.0.2 -n 16 -r 2)
	[ "$got" -ge 64 ] || fail "$got segments of 16 connections"
	in_b ethtool -N "$B" delete 3
	add flow-type ip6 dst-ip fd00::2 action -1 loc 3
	pings fd00::2 2 2>/dev/null && fail "IPv6 arrived"
	pings 10.0.0.2 3
	in_b ethtool -N "$B" delete 3
	wait_for 5 pings fd00::2 1
}

# Bytes 2 and 3 of what flows sends first on its first flow are 1d 7b.
user_def_looks_into_the_payload() {
	need_ours
	ten() { for i in 1 2 3 4 5 6 7 8 9 10; do one_datagram; done; }
	queue=$(away_from datagrams 10.0.0.2 7101)
	add flow-type udp4 dst-port 7101 user-def 0x00021d7b action "$queue" loc 3
	got=$(hits "$queue" ten)
	[ "$got" -ge 10 ] || fail "$got of 10 frames with these bytes"
	add flow-type udp4 dst-port 7101 user-def 0x00021d7c action "$queue" loc 3
	got=$(hits "$queue" ten)
	[ "$got" -lt 5 ] || fail "$got frames with other bytes"
	refused "same offset" flow-type udp4 dst-port 7102 user-def 0x00041d7b action 0
	in_b ethtool -N "$B" delete 3
}

bad_rules_are_refused_with_their_limit() {
	need_ours
	refused "0 to $((SMP - 1))" flow-type udp4 dst-port 1 action 77
	refused "0 to 2045" flow-type udp4 dst-port 1 action 0 loc 2046
	refused "0 to 62" flow-type udp4 dst-port 1 user-def 0x00031234 action 0
	refused "0 to 62" flow-type udp4 dst-port 1 user-def 0x00401234 action 0
	refused "dst-mac" flow-type udp4 dst-port 1 dst-mac 02:00:00:00:00:01 action 0
	refused "VLAN" flow-type udp4 dst-port 1 vlan 5 action 0
	refused "tos" flow-type udp4 tos 4 action 0
	refused "not both" flow-type udp6 src-ip fd00::1 dst-ip fd00::2 action 0
	refused "as a whole" flow-type udp6 src-ip fd00::1 m ::ffff action 0
	refused "l4proto" flow-type ip4 l4proto 47 action 0
	refused "flow types" flow-type ether proto 0x88b5 action 0
	[ "$(rules)" = 0 ] || fail "$(rules) rules"
	path_works
}

other_masks_are_refused_by_name() {
	need_ours
	add flow-type udp4 dst-port 7999 action -1 loc 3
	refused "UDP source and destination port" flow-type udp4 src-port 5 action 0
	refused "IPv4 source and destination" flow-type udp4 src-ip 10.0.0.1 dst-port 7998 action 0
	refused "name a protocol" flow-type ip4 src-ip 10.0.0.1 action 0
	refused "rule 3 matches" flow-type udp4 dst-port 7999 action 0 loc 5
	# The ports of TCP have a mask of their own.
	add flow-type tcp4 src-port 5 action 0 loc 7
	[ "$(rules)" = 2 ] || fail "$(rules) rules"
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the dropped flow arrived"
	# The last user of a mask may have another one; a rule that fails leaves the old one.
	refused "IPv4 source and destination" flow-type udp4 src-ip 10.0.0.1 dst-port 7999 action -1 loc 3
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the rule is gone"
	in_b ethtool -N "$B" delete 7
	add flow-type udp4 src-ip 10.0.0.9 action -1 loc 3
	xfer -u -a a -b b -d 10.0.0.2 -p 7999 -n 200k
	in_b ethtool -N "$B" delete 3
}

rules_survive_resets() {
	need_ours
	add flow-type udp4 dst-port 7999 action -1 loc 3
	add flow-type udp6 dst-port 7999 action -1 loc 7
	reset_file=/sys/bus/pci/devices/$(port_pci "$B")/reset
	if [ -w "$reset_file" ]; then
		echo 1 >"$reset_file"
		wait_for 15 path_works || fail "no traffic after a reset of the function"
		xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "IPv4 arrived after a reset"
		xfer -u -t 3 -a a -b b -d fd00::2 -p 7999 -n 50k 2>/dev/null && fail "IPv6 arrived after a reset"
	fi
	# Inserted and deleted while the port is down
	ip -n b link set "$B" down
	in_b ethtool -N "$B" delete 3
	add flow-type udp4 dst-port 7998 action -1 loc 5
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	[ "$(rules)" = 2 ] || fail "$(rules) rules"
	xfer -u -a a -b b -d 10.0.0.2 -p 7999 -n 200k
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7998 -n 50k 2>/dev/null && fail "a rule inserted while down does nothing"
	in_b ethtool -N "$B" delete 5
	in_b ethtool -N "$B" delete 7
}

# The price of a rule does not depend on how many there are, neither when it is made nor when frames come.
all_rules_work() {
	need_ours
	queue=$(away_from datagrams 10.0.0.2 9000)
	took=$(ethq -n b rules "$B" 2046 10000 "$queue") || fail "$took"
	say "microseconds to insert a rule, of the first and the last eighth: $took"
	[ "$(ethq -n b table "$B")" = "rules=2046 size=2046 special=1" ] || fail "$(ethq -n b table "$B")"
	first=${took#first=}
	[ "${took##*last=}" -le $((5 * ${first% *})) ] || fail "the last rules take more than 5 times as long: $took"
	refused "all 2046" flow-type udp4 dst-port 9999 action 0
	for port in 10000 11023 12045; do
		got=$(hits "$queue" datagrams 10.0.0.2 $port)
		[ "$got" -ge 32 ] || fail "$got of 32 frames to port $port"
	done
	got=$(hits "$queue" datagrams 10.0.0.2 12046)
	[ "$got" -lt 16 ] || fail "$got frames without a rule"
	ip -n b link set "$B" down
	within 500 ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	got=$(hits "$queue" datagrams 10.0.0.2 12045)
	[ "$got" -ge 32 ] || fail "$got of 32 frames after down and up"
	ethq -n b rules "$B" 2046 0 none
	[ "$(rules)" = 0 ] || fail "$(rules) rules are left"
	got=$(hits "$queue" datagrams 10.0.0.2 12045)
	[ "$got" -lt 16 ] || fail "$got frames after the rules are gone"
}

channels_respect_rules() {
	need_ours
	max=$(in_b ethtool -l "$B" | awk '/^Combined:/ { print $2; exit }')
	[ "$max" -ge 4 ] || give_up "only $max channels"
	in_b ethtool -L "$B" combined 4
	in_b ethtool -N "$B" flow-type udp4 dst-port 7101 action 3 loc 6
	not in_b ethtool -L "$B" combined 3 || fail "three channels, though a rule names the fourth"
	[ "$(rules)" = 1 ] || fail "$(rules) rules after the refusal"
	before=$(on_queue 3)
	datagrams 10.0.0.2 7101
	[ $(($(on_queue 3) - before)) -ge 32 ] || fail "$(($(on_queue 3) - before)) of 32 frames on queue 3"
	in_b ethtool -N "$B" delete 6
	in_b ethtool -L "$B" combined 3
	add flow-type udp4 dst-port 7101 action 3 loc 6 && fail "a rule for a queue there is not"
	in_b ethtool -L "$B" combined "$SMP" || :
}

ntuple_can_be_turned_off() {
	need_ntuple
	in_b ethtool -K "$B" ntuple off
	wait_for 10 path_works
	[ "$(rules)" = 0 ] || fail "$(rules) rules are left"
	[ "$DRIVER" != ours ] || refused "ethtool -K $B ntuple on" flow-type udp4 dst-port 7999 action -1
}

after_failure() {
	for i in $(in_b ethtool -n "$B" | sed -n 's/^Filter: //p'); do
		in_b ethtool -N "$B" delete "$i"
	done
	ip -n b link set "$B" up
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact ntuple_is_there
fact rule_steers_its_flow
fact drop_rule_drops_its_flow_only
fact tcp_rule_works
fact rules_survive_down_and_up
fact table_has_its_size
fact masks_select_a_range
fact ipv6_rules_steer
fact ip_rule_takes_every_protocol
fact user_def_looks_into_the_payload
fact bad_rules_are_refused_with_their_limit
fact other_masks_are_refused_by_name
fact rules_survive_resets
fact all_rules_work
fact channels_respect_rules
fact ntuple_can_be_turned_off
finish

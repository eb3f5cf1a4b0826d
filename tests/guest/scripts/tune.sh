# SPDX-License-Identifier: GPL-2.0-only
# txgbe-tune and txgbe-doctor on a real port.
. "${TESTS:-/tests}/lib.sh"

settings() {
	in_a ethtool -g "$A"
	in_a ethtool -c "$A"
	in_a ethtool -k "$A"
	in_a ethtool -a "$A"
	in_a ethtool -x "$A"
	in_a ip -o link show dev "$A"
} 2>/dev/null

offered() {	# offered OPTION WORD...: the driver takes this setting
	in_a ethtool "$@" >"$WORK/offer" 2>&1 || ! grep -q 'not supported' "$WORK/offer"
}

# What this driver refuses is left out by the user's word, as its message says.
LEAVE=
leave_out() {
	LEAVE=
	rx=$(in_a ethtool -g "$A" | awk '/^Current/ { c = 1 } c && $1 == "RX:" { print $2 }')
	offered -G "$A" rx $((rx + 128)) || LEAVE="--set ring.rx= --set ring.tx="
	in_a ethtool -G "$A" rx "$rx" >/dev/null 2>&1 || :
}

profile_is_applied_and_traffic_goes_on() {
	leave_out
	[ -z "$LEAVE" ] || say "rings cannot be changed by this driver"
	settings >"$WORK/before"
	traffic on
	# shellcheck disable=SC2086 # options
	in_a /scripts/txgbe-tune $LEAVE throughput "$A" >"$WORK/plan"
	traffic off
	[ -n "$LEAVE" ] || in_a ethtool -g "$A" | awk '/^Current/ { c = 1 } c && $1 == "RX:" && $2 == 4096 { f = 1 } END { exit !f }' ||
		fail "$(in_a ethtool -g "$A" | tail -n 5 | tr '\n' ' ')"
	[ "$(in_a cat "/sys/class/net/$A/tx_queue_len")" = 10000 ]
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

undo_restores_what_was_there() {
	in_a /scripts/txgbe-tune --undo "$A"
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
	path_works
}

profile_that_is_refused_changes_nothing() {
	settings >"$WORK/before"
	in_a /scripts/txgbe-tune --set coalesce.rx-usecs=60000 latency "$A" >"$WORK/out" 2>&1 && fail "60000 us was accepted"
	grep -q 'put back' "$WORK/out"
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after"
}

moderation_of_single_queues_comes_back() {
	in_a test -e "/sys/class/net/$A/queues/rx-1" || give_up "one queue"
	in_a ethtool -Q "$A" queue_mask 0x2 --coalesce adaptive-rx off rx-usecs 20
	in_a ethtool -Q "$A" --show-coalesce >"$WORK/before"
	# shellcheck disable=SC2086 # options
	in_a /scripts/txgbe-tune $LEAVE latency "$A" >"$WORK/plan"
	grep -q 'others differ' "$WORK/plan"
	in_a ethtool -Q "$A" --show-coalesce | awk '$1 == "rx-usecs:" && $2 != 10 { bad = 1 } END { exit bad }' || fail "a queue has not 10 us"
	in_a /scripts/txgbe-tune --undo "$A"
	in_a ethtool -Q "$A" --show-coalesce >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
	# Queue 0 has what is asked for: all the others have to get it too.
	usecs=$(in_a ethtool -c "$A" | awk '$1 == "rx-usecs:" { print $2 }')
	adaptive=$(in_a ethtool -c "$A" | awk '$1 == "Adaptive" { print $3 }')
	# shellcheck disable=SC2086 # options
	in_a /scripts/txgbe-tune $LEAVE --set coalesce.rx-usecs="$usecs" --set coalesce.adaptive-rx="$adaptive" balanced "$A"
	[ "$(in_a ethtool -Q "$A" --show-coalesce | grep -cE "^(Adaptive RX: $adaptive|rx-usecs: $usecs\$)")" = \
		$((2 * $(in_a ls -d "/sys/class/net/$A/queues"/rx-* | wc -l))) ] || fail "queue 1 has moderation of its own still"
	in_a /scripts/txgbe-tune --undo "$A"
	in_a ethtool -Q "$A" --show-coalesce >"$WORK/after"
	cmp "$WORK/before" "$WORK/after"
	in_a ethtool -Q "$A" queue_mask 0x2 --coalesce adaptive-rx "$adaptive" rx-usecs "$usecs"
}

doctor_finds_no_fault_on_a_healthy_port() {
	settings >"$WORK/before"
	in_a /scripts/txgbe-doctor --all --interval 1 "$A" >"$WORK/doctor" || fail "$(grep -A1 FAULT "$WORK/doctor" | tr '\n' ' ')"
	grep -q 'OK *p0 *link ' "$WORK/doctor"
	in_a /scripts/txgbe-doctor --json --interval 0 "$A" | jsonq fault | grep -qx 0
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "it changed $(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
}

doctor_names_a_cut_cable() {
	need_model
	hostctl set p0 cable false
	wait_for 5 not has_carrier a "$A"
	in_a /scripts/txgbe-doctor --only link "$A" >"$WORK/doctor" && fail "no fault"
	grep -q 'FAULT *p0 *link-down' "$WORK/doctor"
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	path_works
}

acceptance_runs_and_reports() {
	in_a ip route add 198.51.100.0/24 via 10.0.0.2
	in_a /scripts/txgbe-acceptance --peer 10.0.0.2 --peer6 fd00::2 --peer-cmd 'ip netns exec b' --seconds 2 --disruptive --flaps 3 \
		--report "$WORK/report" --only identify,log,optics,counters,temperature,ping,tcp4,tcp6-in,mixed,spread,frame-bytes,flaps "$A" >"$WORK/out" 2>&1 || :
	sed 's/^/NOTE /' "$WORK/out"
	in_a ip route show 198.51.100.0/24 | grep -q "via 10.0.0.2 dev $A" || fail "a route is lost"
	in_a ip route del 198.51.100.0/24
	grep -qE '^\| frame-bytes \| measure \| VALUE \| .*OctetsTransmittedOK' "$WORK/report" || fail "$(grep '^| frame-bytes ' "$WORK/report")"
	for step in ping flaps mixed spread; do
		grep -q "^| $step | [a-z]* | PASS" "$WORK/report" || fail "$(grep "^| $step " "$WORK/report")"
	done
	grep -q '^| one TCP flow, IPv4, out | [1-9]' "$WORK/report"
	grep -q '^| one TCP flow, IPv6, in | [1-9]' "$WORK/report"
	! grep -q "$(in_a cat "/sys/class/net/$A/address")" "$WORK/report" || fail "an address is not masked"
	restore_pair
}

acceptance_puts_back_what_it_changes() {
	ip -n b link set "$B" mtu 9410
	settings >"$WORK/before"
	in_a /scripts/txgbe-acceptance --peer 10.0.0.2 --peer-cmd 'ip netns exec b' --seconds 1 --report "$WORK/report" \
		--only moderation,pause,ntuple,jumbo "$A" >"$WORK/out" 2>&1 || :
	sed 's/^/NOTE /' "$WORK/out"
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
	for step in moderation pause ntuple jumbo; do
		grep -qE "^\| $step \| change \| (PASS|VALUE)" "$WORK/report" || fail "$(grep "^| $step " "$WORK/report")"
	done
	ip -n b link set "$B" mtu 1500
	path_works
}

after_failure() {
	ip -n b link set "$B" mtu 1500
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact profile_is_applied_and_traffic_goes_on
fact undo_restores_what_was_there
fact profile_that_is_refused_changes_nothing
fact moderation_of_single_queues_comes_back
fact doctor_finds_no_fault_on_a_healthy_port
fact doctor_names_a_cut_cable
fact acceptance_runs_and_reports
fact acceptance_puts_back_what_it_changes
finish

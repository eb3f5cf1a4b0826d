# SPDX-License-Identifier: GPL-2.0-only
# The link follows cable, module and partner; speed and duplex are final when the carrier is announced.
. "${TESTS:-/tests}/lib.sh"

link_comes_up_after_open() {
	ip -n a link set "$A" down
	ip -n b link set "$B" down
	ip -n a link set "$A" up
	sleep 0.3
	has_carrier a "$A" && fail "carrier with the other end down"
	ip -n b link set "$B" up
	set_addresses a "$A" 1
	set_addresses b "$B" 2
	within 500 wait_for 5 has_carrier a "$A"
	within 500 wait_for 5 has_carrier b "$B"
	path_works
}

carrier_lost() { ! has_carrier "$1" "$2"; }

link_follows_the_cable() {
	need_model
	hostctl set p0 cable false
	wait_for 2 carrier_lost a "$A" || fail "near end still has carrier"
	wait_for 2 carrier_lost b "$B" || fail "far end still has carrier"
	[ "$(ethq -n a link "$A")" = "down speed=unknown duplex=unknown" ] || fail "$(ethq -n a link "$A")"
	hostctl set p0 cable true
	wait_for 5 has_carrier a "$A" || fail "near end has no carrier"
	wait_for 5 has_carrier b "$B" || fail "far end has no carrier"
	path_works
}

link_follows_the_partner() {
	ip -n b link set "$B" down
	wait_for 3 carrier_lost a "$A" || fail "carrier although the partner is down"
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 has_carrier a "$A" || fail "no carrier after the partner came back"
	path_works
}

module_pull_is_noticed() {
	need_model
	kind=$(hostctl get p0 module)
	hostctl set p0 module none
	within 200 wait_for 2 carrier_lost a "$A" || fail "carrier without a module"
	hostctl set p0 module "$kind"
	wait_for 10 has_carrier a "$A" || fail "no carrier after the module came back"
	path_works
}

module_pull_and_return_in_one_burst_ends_up() {
	need_model
	kind=$(hostctl get p0 module)
	for _ in 1 2 3 4 5; do
		hostctl set p0 module none
		hostctl set p0 module "$kind"
	done
	wait_for 10 path_works || fail "no ping after pull and return"
}

module_changed_while_down_is_seen_at_up() {
	need_model
	kind=$(hostctl get p0 module)
	ip -n a link set "$A" down
	hostctl set p0 module none
	ip -n a link set "$A" up
	sleep 1
	has_carrier a "$A" && fail "carrier without a module"
	hostctl set p0 module "$kind"
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

ten_gigabit_module_gives_10g() {
	need_model
	kind0=$(hostctl get p0 module)
	kind1=$(hostctl get p1 module)
	case $kind0 in
	qsfp*) give_up "QSFP ports" ;;
	esac
	hostctl set p0 module sfp-sr
	hostctl set p1 module sfp-sr
	wait_for 10 has_carrier a "$A" || fail "no carrier with 10G modules"
	wait_for 5 speed_is a "$A" 10000 || fail "$(ethq -n a link "$A")"
	path_works
	in_a ethtool "$A" | grep -q 'Speed: 10000Mb/s'
	xfer -a a -b b -d 10.0.0.2 -n 2M
	hostctl set p0 module "$kind0"
	hostctl set p1 module "$kind1"
	wait_for 10 speed_is a "$A" "$SPEED" || fail "not back at $SPEED: $(ethq -n a link "$A")"
	wait_for 10 speed_is b "$B" "$SPEED" || fail "not back at $SPEED: $(ethq -n b link "$B")"
	path_works
}

speed_is() { ethq -n "$1" link "$2" | grep -q "^up speed=$3 "; }

told() { [ "$(grep -c "^$1 " "$WORK/events")" -ge "$2" ]; }

speed_and_duplex_are_final_at_the_carrier_event() {
	need_model
	rounds=$(loops 5 50)
	ethq -n a carrier "$A" $((rounds * 2)) $((rounds * 10)) >"$WORK/events" &
	watcher=$!
	sleep 0.2
	# The kernel tells of at most one change a second and may pass over one that did not last.
	for round in $(seq "$rounds"); do
		hostctl set p0 cable false
		wait_for 5 told down "$round" || fail "no event for cut $round"
		hostctl set p0 cable true
		wait_for 5 told up "$round" || fail "no event for link $round"
	done
	wait "$watcher" || { cat "$WORK/events"; fail "events are missing"; }
	cat "$WORK/events"
	grep -v '^start' "$WORK/events" | grep '^up' | grep -qv "^up speed=$SPEED duplex=full$" &&
		fail "$(grep '^up' "$WORK/events" | grep -v "speed=$SPEED duplex=full" | head -n 1)"
	grep -v '^start' "$WORK/events" | grep '^down' | grep -qv '^down speed=unknown duplex=unknown$' &&
		fail "$(grep '^down' "$WORK/events" | grep -v unknown | head -n 1)"
	[ "$(grep -c '^up' "$WORK/events")" -eq "$rounds" ]
	path_works
}

bad_optics_give_no_carrier_and_no_error_storm() {
	need_model
	kind=$(hostctl get p0 module)
	log_mark
	hostctl set p0 module junk
	wait_for 3 carrier_lost a "$A" || fail "carrier with unusable optics"
	sleep 3
	lines=$(log_since | grep -ciE 'txgbe|p0') || :
	[ "$lines" -le 6 ] || fail "$lines lines in the log"
	hostctl set p0 module "$kind"
	wait_for 10 has_carrier a "$A" || fail "no carrier after good optics came back"
	path_works
}

first_frame_after_carrier_arrives() {
	need_model
	for round in $(seq "$(loops 5 50)"); do
		hostctl set p0 cable false
		wait_for 5 carrier_lost a "$A"
		wait_for 5 carrier_lost b "$B"
		hostctl set p0 cable true
		wait_for 5 has_carrier a "$A"
		wait_for 5 has_carrier b "$B"
		rawframe -a a -i "$A" -b b -j "$B" -t 1000 sizes 64 64 1 || fail "round $round: lost"
		rawframe -a b -i "$B" -b a -j "$A" -t 1000 sizes 64 64 1 || fail "round $round: lost on the way back"
	done
}

link_cuts_under_traffic_end_well() {
	need_model
	traffic on
	for round in $(seq "$(loops 15 200)"); do
		hostctl set p0 cable false
		[ $((round % 3)) -eq 0 ] || wait_for 3 carrier_lost a "$A" || fail "round $round: carrier stays"
		hostctl set p0 cable true
		[ $((round % 5)) -eq 0 ] || wait_for 5 has_carrier a "$A" || fail "round $round: no carrier"
	done
	traffic off
	wait_for 10 path_works || fail "no ping after the last round"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
}

frames_in_flight_are_freed_when_the_carrier_goes() {
	need_model
	restarts=$(stat a "$A" restarts)
	drops=$(stat_sum a "$A" '^tx_queue_[0-9]+_dropped$')
	hostctl set p0 fault-tx-stall true
	in_a timeout 2 ping -q -f -c 100 10.0.0.2 >/dev/null || :
	hostctl set p0 cable false
	freed() { [ "$(stat_sum a "$A" '^tx_queue_[0-9]+_dropped$')" -gt "$drops" ]; }
	within 100 wait_for 2 freed || fail "nothing freed within a second"
	say "$(($(stat_sum a "$A" '^tx_queue_[0-9]+_dropped$') - drops)) frames freed"
	hostctl set p0 fault-tx-stall false
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	path_works
	[ "$(stat a "$A" restarts)" = "$restarts" ] || fail "the port was reset"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

transmit_path_is_opened_at_each_link_up() {	# A14
	need_model
	hostctl set p0 fault-tx-gate true || give_up "the model has no such fault"
	for round in $(seq "$(loops 5 500)"); do
		hostctl set p0 cable false
		wait_for 5 carrier_lost a "$A"
		hostctl set p0 cable true
		wait_for 5 has_carrier a "$A"
		wait_for 5 has_carrier b "$B"
		wait_for 2 pings 10.0.0.2 1 || fail "round $round: nothing is sent"
	done
	hostctl set p0 fault-tx-gate false
	path_works
}

after_failure() {
	hostctl set p0 fault-tx-stall false
	hostctl set p0 fault-tx-gate false
	hostctl set p0 cable true
	case $SPEED in
	40000) good=qsfp-sr4 ;;
	25000) good=sfp28-sr ;;
	*) good=sfp-sr ;;
	esac
	hostctl set p0 module $good
	hostctl set p1 module $good
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact link_comes_up_after_open
fact link_follows_the_cable
fact link_follows_the_partner
fact speed_and_duplex_are_final_at_the_carrier_event
fact first_frame_after_carrier_arrives
fact transmit_path_is_opened_at_each_link_up
fact frames_in_flight_are_freed_when_the_carrier_goes
fact module_pull_is_noticed
fact module_pull_and_return_in_one_burst_ends_up
fact module_changed_while_down_is_seen_at_up
fact ten_gigabit_module_gives_10g
fact bad_optics_give_no_carrier_and_no_error_storm
fact link_cuts_under_traffic_end_well
finish

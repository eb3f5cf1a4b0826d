# SPDX-License-Identifier: GPL-2.0-only
# Resets of the function and of the port: traffic goes on afterwards, the other port notices nothing.
. "${TESTS:-/tests}/lib.sh"

restarts_of_b() { stat b "$B" restarts; }

# ---- kinds of reset ---------------------------------------------------------------------------------------------------

down_and_up() { ip -n a link set "$A" down; ip -n a link set "$A" up; set_addresses a "$A" 1; }

# ---- facts ------------------------------------------------------------------------------------------------------------

settings() {
	for option in -g -l -c -x -k -a -n --show-fec; do in_a ethtool $option "$A"; done
	in_a ethtool "$A" | grep -viE 'link partner|detected'
}

# What no port has by itself, also in the link and among the rules.
make_settings() {
	in_a ethtool -G "$A" rx 1024 tx 256
	in_a ethtool -C "$A" adaptive-rx off rx-usecs 64
	in_a ethtool -X "$A" weight 3 1
	in_a ethtool -A "$A" rx on tx off
	in_a ethtool --set-fec "$A" encoding baser
	in_a ethtool -K "$A" ntuple off
	in_a ethtool -K "$A" ntuple on
	in_a ethtool -N "$A" flow-type tcp4 dst-port 7777 action 1
	! wakes_on_request || in_a ethtool -s "$A" wol g
	! has_copper || in_a ethtool -s "$A" advertise 10000baseCR/Full on 25000baseCR/Full off
	# Such changes take the link down, sooner or later.
	sleep 1
	wait_for 20 has_carrier a "$A"
	wait_for 20 path_works
}
wakes_on_request() { in_a ethtool "$A" | grep -q 'Supports Wake-on: .*g'; }

# Copper that could do 25G, and may do 10G only: no other kind gives a choice.
plug_copper() {
	have_model && [ "$SPEED" = 25000 ] || return 0
	hostctl set p0 module sfp28-dac
	hostctl set p1 module sfp28-dac
	wait_for 10 has_carrier a "$A"
}
has_copper() { in_a ethtool "$A" | grep -q '25000baseCR/Full'; }

drop_settings() {
	! has_copper || in_a ethtool -s "$A" advertise 10000baseCR/Full on 25000baseCR/Full on
	! wakes_on_request || in_a ethtool -s "$A" wol d
	in_a ethtool -K "$A" ntuple off
	in_a ethtool --set-fec "$A" encoding auto
	in_a ethtool -A "$A" rx on tx on
	in_a ethtool -X "$A" default
	in_a ethtool -C "$A" adaptive-rx on
	in_a ethtool -G "$A" rx 512 tx 512
	sleep 1
	wait_for 20 has_carrier a "$A"
	wait_for 20 path_works
}

reset_under_traffic_keeps_everything() {	# KIND
	make_settings
	settings >"$WORK/before"
	traffic on
	sibling=$(restarts_of_b)
	for round in $(seq "$(loops 4 200)"); do
		within 500 "$1"
		wait_for 15 path_works || fail "round $round: no ping"
	done
	traffic off
	[ "$(restarts_of_b)" = "$sibling" ] || fail "the other port was reset"
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | head -n 5)"
	drop_settings
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
}

# Parts of the port cannot be reset one by one; what is beyond the port is not, and the answer says so.
only_the_whole_port_is_reset() {
	count=$(stat a "$A" restarts)
	log_mark
	for parts in mac "irq dma filter offload" phy dma-shared; do
		# shellcheck disable=SC2086
		in_a ethtool --reset "$A" $parts && fail "reset of $parts"
	done
	log_since | grep -q 'reset of parts 0x20 refused: .* as a whole' || fail "no reason in the log"
	[ "$(stat a "$A" restarts)" = "$count" ] || fail "the port was reset"
	in_a ethtool --reset "$A" irq dma filter offload mac phy mac-shared >"$WORK/out"
	cat "$WORK/out"
	grep -q 'reset: *0x3e$' "$WORK/out" && grep -q 'not reset: *0x200040$' "$WORK/out" || fail "$(tr '\n' ';' <"$WORK/out")"
	[ "$(stat a "$A" restarts)" -eq $((count + 1)) ] || fail "restarts was $count, is $(stat a "$A" restarts)"
	ip -n a link set "$A" down
	in_a ethtool --reset "$A" dedicated && fail "reset of a closed port"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 15 path_works
}

function_reset_twice_in_a_row() {
	function_reset
	function_reset
	wait_for 15 path_works
}

# A flash tool may do that. Traffic runs up to that moment and goes on once the ports do.
chip_reset_by_others_is_recovered_from() {
	settings >"$WORK/before"
	traffic on
	for round in $(seq "$(loops 3 50)"); do
		log_mark
		reset_chip
		wait_for 20 path_works || fail "round $round: no ping"
		[ "$(log_since | grep -c 'the chip was reset, by firmware or another of its users')" -eq 2 ] ||
			fail "round $round: $(log_since | grep txgbe | tail -n 3)"
	done
	traffic off
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | head -n 5)"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

# A chip that was without power has it off: TS_ENA (0x10338).
sensor_off() { barpoke "$(port_pci "$A")" 0x10338 0; }
sensor_is_on() { [ "$(barpoke "$(port_pci "$A")" 0x10338)" = 0x00000001 ] || fail "the sensor is off"; }

# Nobody tells a closed port; it is set up anew when it is opened. Without that it would take no frame beyond 1518 bytes.
chip_reset_while_down_is_made_good_by_the_next_open() {
	need_chip_reset
	set_mtu 9000
	ip -n a link set "$A" down
	reset_chip
	sensor_off
	ip -n a link set "$A" up
	sensor_is_on
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping"
	in_b ping -q -n -c 3 -i 0.2 -s 8900 -M 'do' 10.0.0.1 || fail "no frames of 9000 bytes"
	xfer -a b -b a -d fd00::1 -n 2M
	set_mtu 1500
	wait_for 20 path_works || fail "no ping with MTU 1500"
}

# Five seconds are what such a reset may take; then the port is reset all the same, and the log tells.
chip_that_does_not_become_ready_is_told() {
	need_chip_reset
	hostctl set p0 fault-boot flash 2>/dev/null || give_up "the model has no fault-boot"
	log_mark
	reset_chip
	hostctl set p0 fault-boot none
	log_since | grep -q 'the chip is not ready 5000 ms after others began to reset it' || fail "$(log_since | grep txgbe | tail -n 3)"
	wait_for 20 path_works || fail "no ping"
}

function_reset_while_down() {
	ip -n a link set "$A" down
	function_reset
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 15 path_works
}

# Rings, channels, down and up, from several processes at once.
change_all_the_time() {
	start_job dash -c "while :; do ip netns exec a ethtool -G $A rx 256; ip netns exec a ethtool -G $A rx 512; done"
	start_job dash -c "while :; do ip netns exec a ethtool -L $A combined 1; ip netns exec a ethtool -L $A combined 3; done"
	start_job dash -c "while :; do ip -n a link set $A down; ip -n a link set $A up; done"
}

settle() {
	in_a ethtool -G "$A" rx 512 || :
	in_a ethtool -L "$A" combined "$SMP" || :
}

function_reset_during_changes() {
	change_all_the_time
	for round in $(seq "$(loops 5 50)"); do
		within 1000 function_reset
	done
	kill_jobs
	ip -n a link set "$A" up
	settle
	set_addresses a "$A" 1
	wait_for 15 path_works || fail "no ping after it all"
}

unload_during_changes() {
	for round in $(seq "$(loops 3 20)"); do
		traffic on
		change_all_the_time
		sleep "0.$((round * 37 % 10))$((round % 10))"
		within 500 unload_driver
		kill_jobs
		restore_pair || fail "round $round: no traffic"
	done
}

unload_right_after_a_function_reset() {
	for round in $(seq "$(loops 3 20)"); do
		traffic on
		function_reset
		within 500 unload_driver
		traffic off
		restore_pair || fail "round $round: no traffic"
	done
}

nothing_in_flight_anywhere() {
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		bql $end inflight | awk '$1 { busy = 1 } END { exit busy || !NR }' || return 1
	done
}

frames_in_flight_are_freed_without_a_reset() {
	need_model
	resets=$(stat a "$A" restarts)
	traffic on
	sleep 0.5
	hostctl set p0 cable false
	wait_for 3 not has_carrier a "$A"
	wait_for 6 nothing_in_flight_anywhere ||
		fail "bytes are left in flight: $(bql a "$A" inflight | tr '\n' ' '), $(bql b "$B" inflight | tr '\n' ' ')"
	hostctl set p0 cable true
	traffic off
	wait_for 10 path_works
	[ "$(stat a "$A" restarts)" = "$resets" ] || fail "the port was reset"
}

# The stack handles such news once a second: one of the two ends at least hears of the loss late, and sends until then.
both_have_heard() {
	[ "$(in_a cat "/sys/class/net/$A/operstate") $(in_b cat "/sys/class/net/$B/operstate")" = "down down" ]
}

# By a light load: to look takes time, too. The periodic look would come a second or more after the stack has stopped.
frames_sent_after_the_loss_are_freed_soon() {
	need_model
	start_job ip netns exec a ping -q -n -i 0.005 10.0.0.2
	start_job ip netns exec b ping -q -n -i 0.005 10.0.0.1
	sleep 0.5
	hostctl set p0 cable false
	wait_for 3 not has_carrier a "$A"
	wait_for 3 both_have_heard || fail "the stack has not heard of the loss"
	heard=$(now_cs)
	while :; do
		looked=$(($(now_cs) - heard))
		if nothing_in_flight_anywhere; then break; fi
		[ "$looked" -le 600 ] || fail "bytes are left in flight after 6 s"
	done
	say "nothing in flight ${looked}0 ms after the stack had stopped"
	hostctl set p0 cable true
	kill_jobs
	wait_for 10 path_works
	[ "$looked" -le 60 ] || fail "frames waited ${looked}0 ms after the stack had stopped, limit 600 ms"
}

after_failure() {
	hostctl set p0 cable true
	hostctl set p0 fault-boot none
	hold_senders off
	ip -n a link set "$A" up
	settle
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
plug_copper
for kind in function_reset port_reset reload down_and_up; do
	fact reset_under_traffic_keeps_everything $kind
done
fact only_the_whole_port_is_reset
fact function_reset_twice_in_a_row
fact chip_reset_by_others_is_recovered_from
fact chip_reset_while_down_is_made_good_by_the_next_open
fact chip_that_does_not_become_ready_is_told
fact function_reset_while_down
fact function_reset_during_changes
fact unload_right_after_a_function_reset
fact unload_during_changes
fact frames_in_flight_are_freed_without_a_reset
fact frames_sent_after_the_loss_are_freed_soon
finish

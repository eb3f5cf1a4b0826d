# SPDX-License-Identifier: GPL-2.0-only
# Write-backs that come late or in batches, lost messages, a stalled ring, a flapping or lossy wire.
. "${TESTS:-/tests}/lib.sh"

set_both() { hostctl set p0 "$1" "$2"; hostctl set p1 "$1" "$2"; }

write_backs_may_be() {	# late|batch MICROSECONDS
	need_model
	set_both fault-wb-us "$2"
	set_both fault-wb "$1"
	wait_for 10 path_works || fail "no ping"
	xfer -t 60 -a a -b b -d 10.0.0.2 -n 4M
	xfer -t 60 -a b -b a -d fd00::1 -n 4M
	xfer -t 60 -u -a a -b b -d 10.0.0.2 -n 1M
	flows -a a -b b -d 10.0.0.2 -n 100 -r 2
	# Rings go away with write-backs on their way.
	for round in $(seq "$(loops 5 30)"); do
		flows -B -t 1 -a a -b b -d 10.0.0.2 >/dev/null 2>&1 3>&- &
		blaster=$!
		sleep 0.2
		ip -n a link set "$A" down
		ip -n b link set "$B" down
		ip -n a link set "$A" up
		ip -n b link set "$B" up
		set_addresses a "$A" 1
		set_addresses b "$B" 2
		wait "$blaster" || :
		wait_for 10 path_works || fail "round $round: no ping"
	done
	set_both fault-wb none
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

lost_interrupts_do_not_stop_traffic() {	# one in N
	need_model
	set_both fault-lost-irq "$1"
	for _ in 1 2 3; do
		# Each lost message costs an exchange one to two seconds.
		flows -u -a a -b b -d 10.0.0.2 -n "$(loops 6 20)" -r "$(loops 3 5)" >/dev/null 2>&1 || :
		xfer -t 15 -q -a a -b b -d 10.0.0.2 -n "$(loops 128K 2M)" 2>/dev/null || :
	done
	set_both fault-lost-irq 0
	wait_for 15 path_works || fail "no ping after the last lost message"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	within 500 ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
}

stalled_ring_is_recovered() {
	need_model
	watchdog_expected
	log_mark
	hostctl set p0 fault-tx-stall true
	# The watchdog looks at full rings only, and no single socket may fill one: several, on one CPU, so on one ring.
	for port in 5301 5302 5303 5304 5305 5306 5307 5308; do
		start_job taskset 1 flows -B -x 10 -p "$port" -a a -b b -d 10.0.0.2
	done
	wait_for 30 watchdog_barked || fail "the watchdog never saw it"
	hostctl set p0 fault-tx-stall false
	kill_jobs
	wait_for 20 path_works || fail "no ping after the stall"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

watchdog_barked() { log_since | grep -q 'NETDEV WATCHDOG\|transmit queue .* timed out'; }

stalled_ring_does_not_block_down() {
	need_model
	hostctl set p0 fault-tx-stall true
	flows -B -t 1 -a a -b b -d 10.0.0.2
	within 500 ip -n a link set "$A" down
	hostctl set p0 fault-tx-stall false
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

stalled_ring_does_not_block_unload() {
	need_model
	hostctl set p0 fault-tx-stall true
	flows -B -t 1 -a a -b b -d 10.0.0.2
	within 500 unload_driver
	hostctl set p0 fault-tx-stall false
	restore_pair || fail "no traffic afterwards"
}

lossy_wire_is_survived_by_tcp() {
	need_model
	hostctl set p1 fault-rx-loss 50
	xfer -t 60 -a a -b b -d 10.0.0.2 -n 2M
	hostctl set p1 fault-rx-loss 0
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

spoiled_frames_are_dropped_and_counted() {
	need_model
	in_b cat "/sys/class/net/$B/statistics/rx_errors"
	before=$(in_b cat "/sys/class/net/$B/statistics/rx_crc_errors")
	hostctl set p1 fault-rx-corrupt 20
	xfer -t 60 -a a -b b -d 10.0.0.2 -n 2M
	hostctl set p1 fault-rx-corrupt 0
	xfer -a a -b b -d 10.0.0.2 -n 1M
	wait_for 6 crc_errors_above "$before" ||
		fail "rx_crc_errors stayed at $before"
	say "rx_crc_errors went from $before to $(in_b cat "/sys/class/net/$B/statistics/rx_crc_errors")"
}

crc_errors_above() { [ "$(in_b cat "/sys/class/net/$B/statistics/rx_crc_errors")" -gt "$1" ]; }

flapping_link_is_followed() {
	need_model
	log_mark
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	hostctl set p0 fault-flap-ms 300
	sleep 5
	hostctl set p0 fault-flap-ms 0
	wait_for 10 path_works || fail "no ping after the flaps"
	now=$(in_a cat "/sys/class/net/$A/carrier_changes")
	say "$((now - changes)) carrier changes in 5 s of flaps"
	[ $((now - changes)) -ge 4 ] || fail "only $((now - changes)) carrier changes"
}

frames_in_flight_at_carrier_loss_are_freed() {
	need_model
	log_mark
	traffic on
	sleep 0.5
	hostctl set p0 cable false
	wait_for 3 not has_carrier a "$A"
	# Longer than the watchdog waits; frames stuck in a ring would be found now.
	sleep 7
	watchdog_barked && fail "transmit time-out while the link was down"
	wait_for 5 nothing_in_flight || fail "bytes are left in flight"
	hostctl set p0 cable true
	traffic off
	wait_for 10 path_works
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

receiver_without_buffers_counts_and_recovers() {
	need_model
	# All CPUs busy: the receiver falls behind.
	for _ in $(seq "$SMP"); do
		start_job dash -c 'while :; do :; done'
	done
	flows -B -t 3 -x 200 -a a -b b -d 10.0.0.2
	kill_jobs
	wait_for 10 path_works
	lost=$(counters p1 rx_drop_nodesc)
	say "$lost frames found no descriptor"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

lost_first_frame_does_no_harm() {
	need_model
	set_both fault-first-frame-lost true
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	set_both fault-first-frame-lost false
}

after_failure() {
	for fault in fault-wb=none fault-lost-irq=0 fault-tx-stall=false fault-rx-loss=0 fault-rx-corrupt=0 fault-flap-ms=0 \
		fault-first-frame-lost=false cable=true; do
		set_both "${fault%=*}" "${fault#*=}"
	done
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact write_backs_may_be late 500
fact write_backs_may_be late 20000
fact write_backs_may_be batch 1000
fact lost_interrupts_do_not_stop_traffic 100
fact lost_interrupts_do_not_stop_traffic 7
fact stalled_ring_does_not_block_down
fact stalled_ring_does_not_block_unload
fact lossy_wire_is_survived_by_tcp
fact spoiled_frames_are_dropped_and_counted
fact flapping_link_is_followed
fact frames_in_flight_at_carrier_loss_are_freed
fact receiver_without_buffers_counts_and_recovers
fact lost_first_frame_does_no_harm
# Last: it leaves a report of the kernel behind.
fact stalled_ring_is_recovered
finish

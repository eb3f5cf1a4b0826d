# SPDX-License-Identifier: GPL-2.0-only
# Bursts of the packet generator: nothing lost, nothing left in a ring, doorbells saved, queue limits kept.
. "${TESTS:-/tests}/lib.sh"

pg() { in_a dash -c "echo '$2' >/proc/net/pktgen/$1"; }

generate() {	# generate COUNT SIZE BURST: from the first port to the second
	need_module pktgen
	pg kpktgend_0 rem_device_all
	pg kpktgend_0 "add_device $A"
	for line in "count $1" "pkt_size $2" "burst $3" "delay 0" "clone_skb 0" \
		"dst_mac $(in_b cat "/sys/class/net/$B/address")" "dst 198.18.0.2" "src_min 198.18.0.1" \
		"udp_src_min 1000" "udp_src_max 2000"; do
		pg "$A" "$line"
	done
	in_a timeout 120 dash -c 'echo start >/proc/net/pktgen/pgctrl'
	in_a cat "/proc/net/pktgen/$A" >"$WORK/pktgen"
	pg kpktgend_0 rem_device_all
	grep -E 'pps|errors' "$WORK/pktgen"
}

missed() {	# frames that found no buffer; reading the statistics refreshes what comes from the hardware
	in_b ethtool -S "$B" >/dev/null 2>&1 || :
	# The column of drops has the missed ones in it.
	echo $(($(netdev_stat b "$B" 3) + $(netdev_stat b "$B" 4)))
}

all_accounted() {	# all_accounted RECEIVED_BEFORE MISSED_BEFORE COUNT
	[ $(($(netdev_stat b "$B" 2) - $1 + $(missed) - $2)) -ge "$3" ]
}

generated_frames_all_leave() {	# COUNT SIZE BURST
	need_model
	before=$(counters p0 tx_frames)
	rx=$(netdev_stat b "$B" 2)
	lost=$(missed)
	bells=$(counters p0 doorbell_tx)
	busy=$(stat_sum a "$A" 'tx_queue_[0-9]+_busy')
	generate "$1" "$2" "$3"
	wait_for 10 sent_at_least $((before + $1)) || fail "$(($(counters p0 tx_frames) - before)) of $1 left"
	wait_for 10 nothing_in_flight || fail "bytes are left in flight"
	# A queue that is awake has room for any frame.
	busy=$(($(stat_sum a "$A" 'tx_queue_[0-9]+_busy') - busy))
	[ $busy -eq 0 ] || fail "the ring was full $busy times although its queue was awake"
	# Hardware counters are read every few seconds.
	wait_for 6 all_accounted "$rx" "$lost" "$1" || fail "frames are neither received nor counted as missed"
	say "$(($(counters p0 tx_frames) - before)) frames, $(($(counters p0 doorbell_tx) - bells)) doorbells, received $(($(netdev_stat b "$B" 2) - rx)), missed $(($(missed) - lost)), $(grep -o '[0-9]*pps' "$WORK/pktgen" | head -n 1)"
}

sent_at_least() { [ "$(counters p0 tx_frames)" -ge "$1" ]; }

one_doorbell_for_a_burst() {
	need_model
	bells=$(counters p0 doorbell_tx)
	frames=$(counters p0 tx_frames)
	generate 8000 60 32
	bells=$(($(counters p0 doorbell_tx) - bells))
	frames=$(($(counters p0 tx_frames) - frames))
	say "$frames frames in bursts of 32, $bells doorbells"
	# Full rings and limits cut bursts short; half a burst each is still far from one for each frame.
	[ $((bells * 16)) -le "$frames" ] || fail "$bells doorbells for $frames frames"
}

smallest_ring_takes_bursts() {
	in_a ethtool -G "$A" tx 128 2>/dev/null || give_up "ring sizes cannot be set"
	wait_for 10 path_works
	generated_frames_all_leave 5000 60 64
	xfer -a a -b b -d 10.0.0.2 -n 4M
	in_a ethtool -G "$A" tx 512
	wait_for 10 path_works
}

queue_limits_move_with_traffic() {
	xfer -a a -b b -d 10.0.0.2 -n 8M
	most=$(bql a "$A" limit | sort -n | tail -n 1)
	[ "$most" -gt 0 ] || fail "no limit was ever set"
	wait_for 5 nothing_in_flight || fail "bytes are left in flight"
	say "largest limit $most bytes"
}

after_failure() { restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact generated_frames_all_leave "$(loops 5000 100000)" 60 1
fact generated_frames_all_leave "$(loops 5000 100000)" 60 32
fact generated_frames_all_leave "$(loops 3000 50000)" 1500 8
fact one_doorbell_for_a_burst
fact queue_limits_move_with_traffic
fact smallest_ring_takes_bursts
finish

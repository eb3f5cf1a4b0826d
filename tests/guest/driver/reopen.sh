# SPDX-License-Identifier: GPL-2.0-only
# A port that was stopped in the middle of things starts afresh: nothing of the time before is taken for new.
. "${TESTS:-/tests}/lib.sh"

mac_of_b() { in_b cat "/sys/class/net/$B/address"; }

received() { stat_sum b "$B" '^rx_queue_[0-9]+_packets$'; }

received_bytes() { stat_sum b "$B" '^rx_queue_[0-9]+_bytes$'; }

# All CPUs are busy, so that descriptors wait when the port is stopped.
start_blast() {	# SIZE
	start_job dash -c "while :; do xdp -a a -i $A -D $(mac_of_b) send 1000 $1; done"
	start_job dash -c "while :; do xdp -a a -i $A -D $(mac_of_b) send 1000 $1; done"
}

# Whatever is received after up was there before: what the other port had still to send went when it closed, and nobody
# sends but those who look for neighbours.
stop_by_down() {
	ip -n b link set "$B" down
	kill_jobs
	ip -n a link set "$A" down
	before=$(received_bytes)
	ip -n b link set "$B" up
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	set_addresses b "$B" 2
	wait_for 10 has_carrier b "$B"
	wait_for 10 has_carrier a "$A"
	sleep 0.1
	came=$(($(received_bytes) - before))
	[ "$came" -lt 2000 ] || fail "$came bytes came out of a ring that was empty"
}

stop_by_rings() {
	in_b ethtool -G "$B" rx 256
	in_b ethtool -G "$B" rx 512
}

stop_by_reset() { echo 1 >"/sys/bus/pci/devices/$(port_pci "$B")/reset"; }

settled_at() {	# nothing comes any more
	last=$(received)
	sleep 0.2
	[ "$(received)" = "$last" ]
}

# Frames that were in the ring, half a frame of several buffers among them, are gone: the next frame that the stack gets is
# the next one sent, byte for byte.
only_new_frames_arrive_after() {	# WHAT SIZE
	[ -n "$(received)" ] || give_up "no counter for each queue"
	[ "$2" -le 1514 ] || set_mtu 9000
	path_works
	for round in $(seq "$(loops 4 40)"); do
		start_blast "$2"
		sleep "0.0$((round * 7 % 10))"
		"stop_by_$1"
		kill_jobs
		set_addresses b "$B" 2
		wait_for 10 has_carrier b "$B"
		wait_for 10 has_carrier a "$A"
		wait_for 5 settled_at
		# Larger than a buffer, so that a piece of an old frame would show.
		rawframe -a a -i "$A" -b b -j "$B" sizes "$(($2 - 100))" "$2" 50 || fail "round $round: not the frame that was sent"
	done
	set_mtu 1500
	path_works
}

# More memory than the guest has: the port does not open, and says so; with less it opens, and the program is there.
failed_open_leaves_the_program() {
	max=$(in_b ethtool -l "$B" | awk '$1 == "Combined:" { print $2; exit }')
	need=$((max * 8192 * 4))
	[ "$need" -gt "$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)" ] || give_up "$need kB are there"
	xdp -a b -i "$B" attach drop
	ip -n b link set "$B" down
	in_b ethtool -L "$B" combined "$max"
	in_b ethtool -G "$B" rx 8192
	log_mark
	not ip -n b link set "$B" up || fail "there was memory"
	[ -n "$(driver_complaints)" ] || fail "nothing is said"
	say "$(driver_complaints | head -n 1 | sed 's/^<[0-9]*>//')"
	ip -n b link show dev "$B" | grep -q 'state DOWN' || fail "$(ip -n b link show dev "$B" | head -n 1)"
	in_b ethtool -G "$B" rx 512
	in_b ethtool -L "$B" combined "$SMP"
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	before=$(stat_sum b "$B" 'rx_queue_[0-9]+_xdp_drop')
	xdp -a a -i "$A" -D "$(mac_of_b)" send 50 100
	dropped() { [ $(($(stat_sum b "$B" 'rx_queue_[0-9]+_xdp_drop') - before)) -ge 50 ]; }
	wait_for 5 dropped || fail "the program is gone"
	xdp -a b -i "$B" detach
	path_works
}

after_failure() {
	kill_jobs
	xdp -a b -i "$B" detach
	in_b ethtool -G "$B" rx 512
	in_b ethtool -L "$B" combined "$SMP"
	restore_pair
	set_mtu 1500
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
for what in down rings reset; do
	fact only_new_frames_arrive_after $what 1514
	fact only_new_frames_arrive_after $what 9014
done
fact failed_open_leaves_the_program
finish

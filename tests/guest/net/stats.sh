# SPDX-License-Identifier: GPL-2.0-only
# Counters: equal to what the device model saw, and never going back.
. "${TESTS:-/tests}/lib.sh"

quiet() {	# no frames of the stack's own
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		set -- $end
		ip netns exec "$1" dash -c "echo 1 >/proc/sys/net/ipv6/conf/$2/disable_ipv6"
	done
	# No neighbour is asked whether it is still there.
	ip -n a neigh replace 10.0.0.2 lladdr "$(in_b cat "/sys/class/net/$B/address")" dev "$A" nud permanent
	ip -n b neigh replace 10.0.0.1 lladdr "$(in_a cat "/sys/class/net/$A/address")" dev "$B" nud permanent
}

loud() {
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		set -- $end
		ip netns exec "$1" dash -c "echo 0 >/proc/sys/net/ipv6/conf/$2/disable_ipv6"
	done
	ip -n a neigh del 10.0.0.2 dev "$A" || :
	ip -n b neigh del 10.0.0.1 dev "$B" || :
	set_addresses a "$A" 1
	set_addresses b "$B" 2
}

settled() {	# the same frame count twice
	one=$(counters p0 tx_frames)$(counters p1 tx_frames)
	sleep 0.2
	[ "$one" = "$(counters p0 tx_frames)$(counters p1 tx_frames)" ]
}

software_counters_equal_the_model() {	# COUNT SIZE
	need_model
	quiet
	wait_for 5 settled
	tx_p=$(netdev_stat a "$A" 10); tx_b=$(netdev_stat a "$A" 9)
	rx_p=$(netdev_stat b "$B" 2); rx_b=$(netdev_stat b "$B" 1)
	m_tx=$(counters p0 tx_frames); m_rx=$(counters p1 rx_frames)
	m_tx_b=$(counters p0 tx_bytes); m_rx_b=$(counters p1 rx_bytes)
	rawframe -a a -i "$A" -b b -j "$B" burst "$1" "$2"
	wait_for 5 settled
	check_equal "Tx packets" $(($(netdev_stat a "$A" 10) - tx_p)) $(($(counters p0 tx_frames) - m_tx))
	check_equal "Rx packets" $(($(netdev_stat b "$B" 2) - rx_p)) $(($(counters p1 rx_frames) - m_rx))
	check_equal "Tx packets and frames sent" $(($(netdev_stat a "$A" 10) - tx_p)) "$1"
	# The model counts what is on the wire without FCS; short frames are padded there.
	[ "$2" -lt 60 ] || {
		check_equal "Tx bytes" $(($(netdev_stat a "$A" 9) - tx_b)) $(($(counters p0 tx_bytes) - m_tx_b))
		check_equal "Rx bytes" $(($(netdev_stat b "$B" 1) - rx_b)) $(($(counters p1 rx_bytes) - m_rx_b))
	}
	loud
}

check_equal() { [ "$2" -eq "$3" ] || fail "$1: $2, should be $3"; }

segmented_traffic_is_counted_per_frame() {
	need_model
	quiet
	wait_for 5 settled
	tx_p=$(netdev_stat a "$A" 10); m_tx=$(counters p0 tx_frames)
	rx_p=$(netdev_stat b "$B" 2); m_rx=$(counters p1 rx_frames)
	in_b ethtool -K "$B" lro off 2>/dev/null || :
	xfer -a a -b b -d 10.0.0.2 -n 4M
	wait_for 5 settled
	say "Tx $(($(netdev_stat a "$A" 10) - tx_p)) by the driver, $(($(counters p0 tx_frames) - m_tx)) on the wire"
	check_equal "Tx packets" $(($(netdev_stat a "$A" 10) - tx_p)) $(($(counters p0 tx_frames) - m_tx))
	check_equal "Rx packets" $(($(netdev_stat b "$B" 2) - rx_p)) $(($(counters p1 rx_frames) - m_rx))
	loud
}

# A statistic of the hardware lags by the service interval.
hardware_statistic() {	# hardware_statistic NS IF REGEX: sum
	stat_sum "$1" "$2" "$3"
}

hardware_counters_equal_the_model() {
	need_model
	names='^(tx_dma_pkts|tx_total_pkts|tx_dma_packets)$'
	in_a ethtool -S "$A" | sed 's/[: ]*[0-9]*$//; s/^ *//' | grep -qE "$names" || give_up "no such statistic"
	quiet
	wait_for 5 settled
	sleep 3
	before=$(hardware_statistic a "$A" "$names"); m=$(counters p0 tx_frames)
	rawframe -a a -i "$A" -b b -j "$B" burst 500 200
	wait_for 6 grown_to $((before + 500)) "$names" ||
		fail "statistics grew by $(($(hardware_statistic a "$A" "$names") - before)) for 500 frames"
	check_equal "frames on the wire" $(($(counters p0 tx_frames) - m)) 500
	loud
}

grown_to() { [ "$(hardware_statistic a "$A" "$2")" -ge "$1" ]; }

queue_counters_add_up() {
	quiet
	rawframe -a a -i "$A" -b b -j "$B" burst 200 200
	per_queue=$(stat_sum a "$A" '^tx[-_]?(queue)?[-_]?[0-9]+[-_]packets$')
	[ "$per_queue" -gt 0 ] || { loud; give_up "no per-queue statistics"; }
	check_equal "sum over the Tx queues" "$per_queue" "$(netdev_stat a "$A" 10)"
	per_queue=$(stat_sum b "$B" '^rx[-_]?(queue)?[-_]?[0-9]+[-_]packets$')
	check_equal "sum over the Rx queues" "$per_queue" "$(netdev_stat b "$B" 2)"
	loud
}

counters_never_go_back() {
	in_a cat /proc/net/dev | grep "$A:" >"$WORK/dev0"
	in_a ethtool -S "$A" >"$WORK/stat0"
	for step in down up mtu traffic down up; do
		case $step in
		down) ip -n a link set "$A" down ;;
		up) ip -n a link set "$A" up; set_addresses a "$A" 1; wait_for 10 path_works ;;
		mtu) set_mtu 4000; wait_for 10 path_works; set_mtu 1500 ;;
		traffic) xfer -a a -b b -d 10.0.0.2 -n 1M ;;
		esac
		in_a cat /proc/net/dev | grep "$A:" >"$WORK/dev1"
		in_a ethtool -S "$A" >"$WORK/stat1"
		back=$(paste "$WORK/dev0" "$WORK/dev1" | tr ':' ' ' | awk '{ h = NF / 2
			for (i = 2; i <= h; i++) if ($(i + h) < $i) print "column " i - 1 " " $i " -> " $(i + h) }')
		[ -z "$back" ] || fail "$step: /proc/net/dev $back"
		back=$(awk 'NR == FNR { old[$1] = $2; next } ($1 in old) && $2 ~ /^[0-9]+$/ && $2 + 0 < old[$1] + 0 {
			print $1 " " old[$1] " -> " $2 }' "$WORK/stat0" "$WORK/stat1")
		[ -z "$back" ] || fail "$step: $(echo "$back" | head -n 2)"
		mv "$WORK/dev1" "$WORK/dev0"
		mv "$WORK/stat1" "$WORK/stat0"
	done
	wait_for 10 path_works
}

multicast_is_counted() {
	before=$(netdev_stat b "$B" 8)
	rawframe -a a -i "$A" -b b -j "$B" deliver 33:33:00:00:00:01 20 >"$WORK/out"
	grep -qx 'received=20' "$WORK/out" || fail "$(cat "$WORK/out")"
	wait_for 5 multicast_grown $((before + 20)) || fail "grew by $(($(netdev_stat b "$B" 8) - before)) for 20 frames"
}

multicast_grown() { [ "$(netdev_stat b "$B" 8)" -ge "$1" ]; }

# A wire that loses or spoils nothing leaves no error behind.
no_error_is_counted_without_errors() {
	for end in "a $A" "b $B"; do
		# shellcheck disable=SC2086
		set -- $end
		for col in 3 6 11 14; do
			check_equal "$2 column $col" "$(netdev_stat "$1" "$2" "$col")" 0
		done
		bad=$(ip netns exec "$1" ethtool -S "$2" | awk '/err|crc|hang|timeout|restart/ && $2 > 0')
		[ -z "$bad" ] || say "$2: $bad"
	done
}

after_failure() { loud; restore_pair; } >/dev/null 2>&1

# Error counters start at zero only on a fresh interface.
down_pair >/dev/null 2>&1
driver_loaded && unload_driver
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact software_counters_equal_the_model 300 60
fact software_counters_equal_the_model 300 1514
fact segmented_traffic_is_counted_per_frame
fact hardware_counters_equal_the_model
fact queue_counters_add_up
fact multicast_is_counted
fact no_error_is_counted_without_errors
fact counters_never_go_back
finish

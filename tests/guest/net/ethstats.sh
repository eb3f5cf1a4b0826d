# SPDX-License-Identifier: GPL-2.0-only
# Standard statistics groups and the dictionary of counters: every name is explained, every number is what the model saw.
. "${TESTS:-/tests}/lib.sh"

# Names of plain ethtool -S without the number of the queue.
stat_names() {
	in_a ethtool -S "$A" | sed -n 's/^ *\([^:]*\): .*/\1/p' | sed 's/_queue_[0-9]*_/_queue_N_/' | sort -u
}

explained() { grep -qE "^\\|.*[ ,]$1[ ,]" "$TESTS/counters.md"; }

every_counter_is_in_the_dictionary() {
	stat_names >"$WORK/names"
	[ "$(wc -l <"$WORK/names")" -ge 20 ] || fail "only $(wc -l <"$WORK/names") names"
	while read -r name; do
		case $name in
		rx_pkts_*_to_* | tx_pkts_*_to_*) continue ;;	# the histogram of kernels without groups
		esac
		explained "$name" || echo "$name"
	done <"$WORK/names" >"$WORK/missing"
	[ ! -s "$WORK/missing" ] || fail "not in docs/counters.md: $(tr '\n' ' ' <"$WORK/missing")"
}

# The other way round: a name that is explained exists.
every_private_name_of_the_dictionary_exists() {
	stat_names >"$WORK/names"
	sed -n '/private counters/,/^## .*standard/p' "$TESTS/counters.md" | sed -n 's/^| \([a-z][A-Za-z_]*\) |.*/\1/p' |
		grep -vx name >"$WORK/known"
	[ "$(wc -l <"$WORK/known")" -ge 20 ] || fail "only $(wc -l <"$WORK/known") names found in the dictionary"
	gone=$(grep -vxFf "$WORK/names" "$WORK/known" | tr '\n' ' ')
	[ -z "$gone" ] || fail "explained, but not there: $gone"
}

# One number of the standard groups: group NS IF KEY. Kernels before 5.13 have them in plain ethtool -S.
group() {
	if kernel_at_least 5 13; then
		ip netns exec "$1" ethtool -S "$2" --groups eth-mac eth-ctrl rmon |
			awk -v key="$3:" '{ for (i = 1; i < NF; i++) if ($i == key || $i == "eth-mac-" key || $i == "eth-ctrl-" key ||
				$i == "rmon-" key) { print $(i + 1); exit } }'
	else
		stat "$1" "$2" "$3"
	fi
}

hist() {	# hist NS IF rx|tx LOW HIGH
	if kernel_at_least 5 13; then
		range=${4}to$5
		[ "$4" != 0 ] || range=$5
		ip netns exec "$1" ethtool -S "$2" --groups rmon | awk -v d="$3" -v b="Pkts${range}Octets:" '
			$1 ~ "(^|-)" d "-" && index($1, b) { print $2; exit }'
	else
		stat "$1" "$2" "${3}_pkts_${4}_to_$5"
	fi
}

quiet() {
	in_a dash -c "echo 1 >/proc/sys/net/ipv6/conf/$A/disable_ipv6"
	in_b dash -c "echo 1 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	ip -n a neigh replace 10.0.0.2 lladdr "$(in_b cat "/sys/class/net/$B/address")" dev "$A" nud permanent
	ip -n b neigh replace 10.0.0.1 lladdr "$(in_a cat "/sys/class/net/$A/address")" dev "$B" nud permanent
	wait_for 5 settled || :
}

loud() {
	in_a dash -c "echo 0 >/proc/sys/net/ipv6/conf/$A/disable_ipv6"
	in_b dash -c "echo 0 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	ip -n a neigh del 10.0.0.2 dev "$A" || :
	ip -n b neigh del 10.0.0.1 dev "$B" || :
	set_addresses a "$A" 1
	set_addresses b "$B" 2
}

settled() {
	one=$(counters p0 tx_frames)$(counters p1 tx_frames)
	sleep 0.2
	[ "$one" = "$(counters p0 tx_frames)$(counters p1 tx_frames)" ]
}

equal() { [ "$2" = "$3" ] || fail "$1: $2, should be $3"; }

# grew NAME BEFORE AFTER BY
grew() { [ $(($3 - $2)) -eq "$4" ] || fail "$1 grew by $(($3 - $2)), should be $4"; }

mac_counters_equal_the_model() {
	need_model
	quiet
	tx=$(group a "$A" FramesTransmittedOK); rx=$(group b "$B" FramesReceivedOK)
	to=$(group a "$A" OctetsTransmittedOK); ro=$(group b "$B" OctetsReceivedOK)
	m_tx=$(counters p0 tx_frames); m_rx=$(counters p1 rx_frames)
	m_to=$(counters p0 tx_bytes); m_ro=$(counters p1 rx_bytes)
	[ -n "$tx" ] && [ -n "$rx" ] && [ -n "$to" ] && [ -n "$ro" ] || fail "no such counters: '$tx' '$rx' '$to' '$ro'"
	rawframe -a a -i "$A" -b b -j "$B" burst 300 500
	wait_for 5 settled
	n=$(($(counters p0 tx_frames) - m_tx))
	[ $n -ge 300 ] || fail "$n frames on the wire"
	grew FramesTransmittedOK "$tx" "$(group a "$A" FramesTransmittedOK)" $n
	grew FramesReceivedOK "$rx" "$(group b "$B" FramesReceivedOK)" $(($(counters p1 rx_frames) - m_rx))
	# The model tells bytes without FCS, the MAC counts it.
	grew OctetsTransmittedOK "$to" "$(group a "$A" OctetsTransmittedOK)" $(($(counters p0 tx_bytes) - m_to + 4 * n))
	grew OctetsReceivedOK "$ro" "$(group b "$B" OctetsReceivedOK)" \
		$(($(counters p1 rx_bytes) - m_ro + 4 * ($(counters p1 rx_frames) - m_rx)))
	loud
}

multicast_and_broadcast_are_counted_apart() {
	quiet
	tm=$(group a "$A" MulticastFramesXmittedOK); tb=$(group a "$A" BroadcastFramesXmittedOK)
	rm=$(group b "$B" MulticastFramesReceivedOK); rb=$(group b "$B" BroadcastFramesReceivedOK)
	rawframe -a a -i "$A" -b b -j "$B" deliver 33:33:00:00:00:01 20 >"$WORK/out"
	rawframe -a a -i "$A" -b b -j "$B" deliver ff:ff:ff:ff:ff:ff 7 >"$WORK/out"
	# Each run of the tool ends with one more broadcast.
	grew MulticastFramesXmittedOK "$tm" "$(group a "$A" MulticastFramesXmittedOK)" 20
	grew BroadcastFramesXmittedOK "$tb" "$(group a "$A" BroadcastFramesXmittedOK)" 9
	grew MulticastFramesReceivedOK "$rm" "$(group b "$B" MulticastFramesReceivedOK)" 20
	grew BroadcastFramesReceivedOK "$rb" "$(group b "$B" BroadcastFramesReceivedOK)" 9
	loud
}

# hist_case SIZE LOW HIGH: frames of SIZE bytes without FCS fall into LOW..HIGH and into no other range.
hist_case() {
	for dir in tx rx; do
		[ $dir = tx ] && at="a $A" || at="b $B"
		for range in "0 64" "65 127" "128 255" "256 511" "512 1023" "1024 9432"; do
			# shellcheck disable=SC2086
			hist $at $dir $range
		done >"$WORK/hist-$dir"
		[ "$(wc -l <"$WORK/hist-$dir")" -eq 6 ] || fail "$dir histogram has $(wc -l <"$WORK/hist-$dir") ranges of 6"
	done
	rawframe -a a -i "$A" -b b -j "$B" burst 50 "$1"
	for dir in tx rx; do
		[ $dir = tx ] && at="a $A" || at="b $B"
		line=0
		for range in "0 64" "65 127" "128 255" "256 511" "512 1023" "1024 9432"; do
			line=$((line + 1))
			was=$(sed -n ${line}p "$WORK/hist-$dir")
			by=0
			[ "$range" = "$2 $3" ] && by=50
			# shellcheck disable=SC2086
			grew "$dir $range with frames of $1" "$was" "$(hist $at $dir $range)" $by
		done
	done
}

histogram_counts_each_size_once() {
	quiet
	hist_case 60 0 64
	hist_case 61 65 127
	hist_case 123 65 127
	hist_case 124 128 255
	hist_case 251 128 255
	hist_case 252 256 511
	hist_case 508 512 1023
	hist_case 1020 1024 9432
	hist_case 1514 1024 9432
	loud
}

bad_fcs_is_counted() {
	need_model
	quiet
	crc=$(group b "$B" FrameCheckSequenceErrors); ok=$(group b "$B" FramesReceivedOK)
	err=$(netdev_stat b "$B" 3)
	hostctl set p1 fault-rx-corrupt 4
	rawframe -a a -i "$A" -b b -j "$B" burst 100 300 || :
	hostctl set p1 fault-rx-corrupt 0
	wait_for 5 settled
	bad=$(($(group b "$B" FrameCheckSequenceErrors) - crc))
	[ $bad -gt 0 ] || { hostctl set p0 fault-rx-corrupt 0; fail "no FCS error of a wire that spoils every 4th frame"; }
	[ $bad -eq 25 ] || fail "$bad FCS errors, should be 25"
	grew FramesReceivedOK "$ok" "$(group b "$B" FramesReceivedOK)" 75
	grew "rx errors of /proc/net/dev" "$err" "$(netdev_stat b "$B" 3)" 25
	loud
}

# Each frame is bad, and more come while the counters are read one after the other.
good_frames_never_get_fewer() {
	need_model
	wait_for 5 path_works
	hostctl set p1 fault-rx-corrupt 1
	start_job flows -B -x 60 -a a -b b -d 10.0.0.2
	last=0
	until=$(($(now_cs) + 150))
	while [ "$(now_cs)" -lt $until ]; do
		now=$(group b "$B" FramesReceivedOK)
		[ "$now" -ge "$last" ] || { hostctl set p1 fault-rx-corrupt 0; fail "$last, then $now"; }
		last=$now
	done
	kill_jobs
	hostctl set p1 fault-rx-corrupt 0
}

# Control frames from outside: a pause frame is opcode 1, time 0 ends it.
pause_frame() { printf '0180c2000001%s88080001%s' 024646505401 "$1"; }

# The MAC is told to honour pause frames, by the driver or behind its back.
honour_pause() {
	in_a ethtool -A "$A" rx on 2>/dev/null || barpoke "$(port_pci p0)" 0x11090 1 2>/dev/null ||
		give_up "no way to honour pause frames"
}

received_pause_frames_are_counted() {
	need_model
	honour_pause
	quiet
	ctl=$(group a "$A" MACControlFramesReceived); on=$(stat a "$A" rx_xon); off=$(stat a "$A" rx_xoff)
	for time in 0001 0000; do
		hostctl set p0 gen-template "$(pause_frame $time)"
		hostctl set p0 gen-size 60
		hostctl set p0 gen-count 5
		hostctl set p0 gen-run true
		sleep 0.3
	done
	grew rx_xoff "$off" "$(stat a "$A" rx_xoff)" 5
	grew rx_xon "$on" "$(stat a "$A" rx_xon)" 5
	grew MACControlFramesReceived "$ctl" "$(group a "$A" MACControlFramesReceived)" 10
	loud
}

# A free running counter must not be added again when the MAC is reset, which every link-up does.
counters_hold_still_over_a_link_flap() {
	need_model
	quiet
	off=$(stat a "$A" rx_xoff)
	hostctl set p0 cable false
	wait_for 5 not has_carrier a "$A"
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	equal rx_xoff "$(stat a "$A" rx_xoff)" "$off"
	loud
}

# A 32-bit counter that passes its end goes on, seen or unseen.
free_running_counter_wraps() {
	need_model
	pci=$(port_pci p0)
	barpoke "$pci" 0x11f80 >"$WORK/now" 2>/dev/null || give_up "no access to the BAR beside the driver"
	honour_pause
	quiet
	# Two steps of less than half its range, each seen, bring it close to the end.
	for value in 0x7ffffff0 0xfffffffe; do
		barpoke "$pci" 0x11f80 $value
		off=$(stat a "$A" rx_xoff)
	done
	hostctl set p0 gen-template "$(pause_frame 0001)"
	hostctl set p0 gen-size 60
	hostctl set p0 gen-count 5
	hostctl set p0 gen-run true
	sleep 0.3
	[ "$(barpoke "$pci" 0x11f80)" = 0x00000003 ] || fail "the register stands at $(barpoke "$pci" 0x11f80)"
	grew rx_xoff "$off" "$(stat a "$A" rx_xoff)" 5
	loud
}

readers_at_any_rate_lose_nothing() {
	quiet
	tx=$(group a "$A" FramesTransmittedOK); m=$(counters p0 tx_frames)
	for _ in 1 2 3; do
		start_job dash -c "while :; do ip netns exec a ethtool -S $A >/dev/null; done"
	done
	rawframe -a a -i "$A" -b b -j "$B" burst 400 200
	wait_for 5 settled
	grew FramesTransmittedOK "$tx" "$(group a "$A" FramesTransmittedOK)" $(($(counters p0 tx_frames) - m))
	loud
}

counters_survive_every_restart() {
	quiet
	for name in FramesTransmittedOK OctetsTransmittedOK BroadcastFramesXmittedOK; do
		group a "$A" $name
	done >"$WORK/before"
	in_a ethtool -G "$A" rx 1024 2>/dev/null || :
	in_a ethtool -t "$A" offline >/dev/null 2>&1 || :
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	wait_for 20 has_carrier a "$A"
	in_a ethtool -G "$A" rx 512 2>/dev/null || :
	wait_for 20 has_carrier a "$A"
	for name in FramesTransmittedOK OctetsTransmittedOK BroadcastFramesXmittedOK; do
		group a "$A" $name
	done >"$WORK/after"
	paste "$WORK/before" "$WORK/after" | awk '$2 < $1 { print; bad = 1 } END { exit bad }' || fail "a counter went back"
	loud
}

after_failure() {
	in_a ethtool -A "$A" rx off
	hostctl set p0 fault-rx-corrupt 0
	hostctl set p1 fault-rx-corrupt 0
	hostctl set p0 gen-run false
	hostctl set p0 cable true
	loud
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact every_counter_is_in_the_dictionary
fact every_private_name_of_the_dictionary_exists
fact mac_counters_equal_the_model
fact multicast_and_broadcast_are_counted_apart
fact histogram_counts_each_size_once
fact bad_fcs_is_counted
fact good_frames_never_get_fewer
fact received_pause_frames_are_counted
fact counters_hold_still_over_a_link_flap
fact free_running_counter_wraps
fact readers_at_any_rate_lose_nothing
fact counters_survive_every_restart
finish

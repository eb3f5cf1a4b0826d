# SPDX-License-Identifier: GPL-2.0-only
# Pause frames: honoured and sent only where switched on, per port and direction; kept over what happens to the link.
. "${TESTS:-/tests}/lib.sh"

pause_is() {	# pause_is NS IF RX TX
	[ "$(ip netns exec "$1" ethtool -a "$2" | awk '/^RX:/ { rx = $2 } /^TX:/ { tx = $2 } /^Autoneg/ { an = $2 }
		END { print an, rx, tx }')" = "off $3 $4" ]
}
carrier_lost() { ! has_carrier "$1" "$2"; }
need_pause() {
	need_model
	counters p0 pause_held_ns || give_up "the model does not count pause frames"
}

# XOFF frames at p0 as if the partner sent them, often enough that one pause follows the other.
storm() {
	case $1 in
	on)
		hostctl set p0 gen-template 0180c2000001525400ff509988080001ffff
		hostctl set p0 gen-size 60
		hostctl set p0 gen-flows 1
		hostctl set p0 gen-count 0
		hostctl set p0 gen-pps 4000
		hostctl set p0 gen-run true
		;;
	off) hostctl set p0 gen-run false ;;
	esac
}
tidy() {
	storm off
	hostctl set p0 fault-lost-irq 0
	hostctl set p0 cable true
	in_a ethtool -A "$A" rx off tx off || :
	in_b ethtool -A "$B" rx off tx off || :
}
after_failure() { tidy; restore_pair; } >/dev/null 2>&1

pause_is_off_until_switched_on() {
	need_model
	pause_is a "$A" off off || fail "$(in_a ethtool -a "$A")"
	in_a ethtool -A "$A" rx on
	pause_is a "$A" on off || fail "$(in_a ethtool -a "$A")"
	pause_is b "$B" off off || fail "the other port follows: $(in_b ethtool -a "$B")"
	in_a ethtool -A "$A" rx off tx on
	pause_is a "$A" off on || fail "$(in_a ethtool -a "$A")"
	in_a ethtool -A "$A" tx off
	path_works
}

# Are received pause frames obeyed? held or free.
storm_finds_sender() {
	before=$(counters p0 pause_held_ns)
	frames=$(counters p0 pause_rx_xoff)
	storm on
	sleep 0.3
	pings 10.0.0.2 3 && reached=yes || reached=no
	storm off
	held=$(($(counters p0 pause_held_ns) - before))
	case $1 in
	held)
		[ "$(counters p0 pause_rx_xoff)" -gt "$frames" ] || fail "no pause frame got there"
		[ $held -gt 100000000 ] || fail "held for $held ns only, reached: $reached"
		;;
	free) [ "$held" -eq 0 ] && [ "$reached" = yes ] || fail "held for $held ns, reached: $reached" ;;
	esac
	wait_for 5 pings 10.0.0.2 1 || fail "no traffic after the storm"
}

received_pause_is_obeyed_only_when_on() {
	need_pause
	storm_finds_sender free
	in_a ethtool -A "$A" rx on
	storm_finds_sender held
	in_a ethtool -A "$A" rx off
	storm_finds_sender free
}

pause_is_kept_over_link_changes_and_down_up() {
	need_pause
	in_a ethtool -A "$A" rx on tx on
	hostctl set p0 cable false
	wait_for 5 carrier_lost a "$A"
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	path_works
	storm_finds_sender held
	ip -n a link set "$A" down
	pause_is a "$A" on on || fail "while down: $(in_a ethtool -a "$A")"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
	storm_finds_sender held
	pause_is a "$A" on on || fail "afterwards: $(in_a ethtool -a "$A")"
	in_a ethtool -A "$A" rx off tx off
}

pause_set_while_down_holds_after_up() {
	need_pause
	ip -n a link set "$A" down
	in_a ethtool -A "$A" rx on
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
	storm_finds_sender held
	in_a ethtool -A "$A" rx off
}

# b sends more than a's rings and buffer hold while a does not look: its interrupts are lost for a while.
flood() {	# flood FRAMES
	in_b dash -c "
		echo rem_device_all >/proc/net/pktgen/kpktgend_0
		echo add_device $B >/proc/net/pktgen/kpktgend_0
		for word in 'count $1' 'pkt_size 1496' 'delay 0' 'dst 10.0.0.1' 'dst_mac $(in_a cat "/sys/class/net/$A/address")'; do
			echo \"\$word\" >/proc/net/pktgen/$B
		done
		echo start >/proc/net/pktgen/pgctrl"
}
dropped() { echo $(($(stat a "$A" rx_no_desc) + $(stat a "$A" rx_missed))); }

pause_is_sent_before_anything_is_dropped() {
	need_pause
	need_module pktgen
	count=6000
	for way in off on; do
		in_a ethtool -A "$A" tx "$way"
		in_b ethtool -A "$B" rx "$way"
		drops=$(dropped)
		got=$(netdev_stat a "$A" 2)
		xoff=$(counters p0 pause_tx_xoff)
		xon=$(counters p0 pause_tx_xon)
		seen=$(counters p1 pause_rx_xoff)
		hostctl set p0 fault-lost-irq 1
		flood $count &
		flooding=$!
		sleep 1
		hostctl set p0 fault-lost-irq 0
		wait $flooding
		arrived() { [ $(($(netdev_stat a "$A" 2) - got + $(dropped) - drops)) -ge "$count" ]; }
		wait_for 20 arrived || fail "pause $way: $(($(netdev_stat a "$A" 2) - got)) of $count, $(($(dropped) - drops)) dropped"
		lost=$(($(dropped) - drops))
		sent=$(($(counters p0 pause_tx_xoff) - xoff))
		say "pause $way: $lost dropped, $sent XOFF sent"
		case $way in
		off)
			[ $lost -gt 0 ] || fail "the flood is too small to tell"
			[ $sent -eq 0 ] || fail "$sent XOFF sent with pause off"
			;;
		on)
			[ $lost -eq 0 ] || fail "$lost frames dropped with pause on, $sent XOFF"
			[ $sent -gt 0 ] || fail "no XOFF"
			[ $(($(counters p0 pause_tx_xon) - xon)) -gt 0 ] || fail "no XON"
			[ $(($(counters p1 pause_rx_xoff) - seen)) -gt 0 ] || fail "the other end saw no XOFF"
			;;
		esac
	done
	in_a ethtool -A "$A" tx off
	in_b ethtool -A "$B" rx off
	path_works
}

pause_counters_are_the_models() {
	need_pause
	in_a ethtool -I -a "$A" | grep -q rx_pause_frames || give_up "no pause statistics"
	in_a ethtool -A "$A" rx on
	shown() { in_a ethtool -I -a "$A" | awk -v key="$1_pause_frames:" '$1 == key { print $2 }'; }
	rx=$(shown rx)
	model=$(($(counters p0 pause_rx_xoff) + $(counters p0 pause_rx_xon)))
	storm on
	sleep 0.2
	storm off
	sleep 0.2
	now=$(($(counters p0 pause_rx_xoff) + $(counters p0 pause_rx_xon)))
	[ $now -gt $model ]
	same() { [ $(($(shown rx) - rx)) -eq $((now - model)) ]; }
	wait_for 5 same || fail "rx: $(($(shown rx) - rx)), the model says $((now - model))"
	in_a ethtool -A "$A" rx off
}

# A partner that holds us for long is obeyed, and no trouble of ours: nothing is restarted, nothing given up. The core's
# watchdog would bark after 5 s.
long_pause_is_no_hang() {
	need_pause
	in_a ethtool -A "$A" rx on
	restarts=$(stat a "$A" restarts)
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	log_mark
	storm on
	start_job dash -c "while :; do flows -u -a a -b b -d 10.0.0.2 -n 8 -r 200; done"
	sleep "$(loops 8 60)"
	! log_since | grep -iE 'hang|timed out|given up|restart' >"$WORK/said" || fail "$(head -n 1 "$WORK/said")"
	storm off
	kill_jobs
	wait_for 5 pings 10.0.0.2 1 || fail "no traffic after the storm"
	[ "$(stat a "$A" restarts)" = "$restarts" ] || fail "the port was restarted"
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "the link went down"
	in_a ethtool -A "$A" rx off
}

negotiated_pause_is_refused_with_a_reason() {
	log_mark
	in_a ethtool -A "$A" autoneg on && fail "taken"
	log_since | grep -q 'pause is not negotiated' || fail "no reason in the log"
	pause_is a "$A" off off || fail "$(in_a ethtool -a "$A")"
}

mtu_changes_under_pause_keep_traffic() {
	in_a ethtool -A "$A" rx on tx on
	in_b ethtool -A "$B" rx on tx on
	for mtu in 9000 1500 9410 1500; do
		set_mtu $mtu
		path_works
		in_a ping -q -n -c 2 -W 2 -s $((mtu - 28)) -M "do" 10.0.0.2 >/dev/null
	done
	xfer -a a -b b -d 10.0.0.2 -n 4M
	in_a ethtool -A "$A" rx off tx off
	in_b ethtool -A "$B" rx off tx off
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact pause_is_off_until_switched_on
fact received_pause_is_obeyed_only_when_on
fact pause_is_kept_over_link_changes_and_down_up
fact pause_set_while_down_holds_after_up
fact pause_is_sent_before_anything_is_dropped
fact pause_counters_are_the_models
fact long_pause_is_no_hang
fact negotiated_pause_is_refused_with_a_reason
fact mtu_changes_under_pause_keep_traffic
finish

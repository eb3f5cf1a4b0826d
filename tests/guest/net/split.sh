# SPDX-License-Identifier: GPL-2.0-only
# Headers of received frames split from their data (ethtool -G tcp-data-split). The witness is the kernel's tracepoint
# at the entrance of GRO, which tells how much of each frame is in the skb's own memory and how much in pages.
. "${TESTS:-/tests}/lib.sh"

TRACE=/sys/kernel/tracing

split() { ethq -n b split "$B" "$@"; }

need_split() {
	rc=0
	now=$(split) || rc=$?
	[ $rc -ne 3 ] || give_up "this kernel tells nothing of a split"
	[ $rc -eq 0 ] || fail "no answer: $now"
	kernel_at_least 6 9 || give_up "this kernel cannot be asked to split"
	[ -d $TRACE/events/net/napi_gro_receive_entry ] || give_up "no tracepoint at GRO's entrance"
}

# watch COMMAND...: "ethertype bytes in-pages" of each frame that came on B meanwhile, in $WORK/frames
watch() {
	echo 0 >$TRACE/tracing_on
	echo >$TRACE/trace
	echo 1 >$TRACE/events/net/napi_gro_receive_entry/enable
	echo 1 >$TRACE/tracing_on
	rc=0
	"$@" || rc=$?
	echo 0 >$TRACE/tracing_on
	echo 0 >$TRACE/events/net/napi_gro_receive_entry/enable
	grep " dev=$B " $TRACE/trace | sed 's/.* protocol=\(0x[0-9a-f]*\) .* len=\([0-9]*\) data_len=\([0-9]*\) .*/\1 \2 \3/' \
		>"$WORK/frames"
	[ $rc -eq 0 ] || fail "the traffic did not pass: $*"
	[ -s "$WORK/frames" ] || fail "no frame was seen"
}

tcp4() { xfer -q -t 10 -a a -b b -d 10.0.0.2 -n "${1:-4M}"; }
tcp6() { xfer -q -t 10 -a a -b b -d fd00::2 -n "${1:-4M}"; }

# headers TYPE BYTES: all frames of this ethertype with data in pages have BYTES in front, and such frames are there
headers() {
	awk -v type="$1" -v want="$2" '$1 == type && $3 { n++; if ($2 - $3 != want) { bad++; odd = $2 - $3 } }
		END { printf "NOTE %d frames of %s split, %d not behind %d bytes (%s)\n", n, type, bad, want, odd
		      exit bad || n < 100 }' "$WORK/frames"
}

split_is_off_by_default() {
	need_split
	[ "$(split)" = off ] || fail "it is $(split)"
	watch tcp4
	! awk '$3 { bad = 1 } END { exit !bad }' "$WORK/frames" || fail "a frame of one buffer has data in pages"
}

split_can_be_turned_on_without_losing_the_link() {
	need_split
	before=$(ethq -n b downs "$B")
	split on || fail "refused"
	[ "$(split)" = on ] || fail "it is $(split)"
	path_works
	[ "$(ethq -n b downs "$B")" = "$before" ] || fail "the link was lost"
}

# 20 (40) bytes of IP, 20 of TCP, 12 of time stamps
tcp_headers_are_in_memory_of_their_own() {
	need_split
	[ "$(split)" = on ] || split on
	watch tcp4
	headers 0x0800 52
	watch tcp6
	headers 0x86dd 72
	# Short ones may be of another protocol, which are copied whole.
	awk '$1 == "0x86dd" && $2 > 300 && !$3 { bad = 1 } END { exit bad }' "$WORK/frames" || fail "data beside the headers"
}

long_frames_are_split_too() {
	need_split
	[ "$(split)" = on ] || split on
	set_mtu 9000
	wait_for 10 path_works
	watch tcp4 16M
	headers 0x0800 52
	awk '$2 > 8000 { n++ } END { exit n < 20 }' "$WORK/frames" || fail "there were no long frames"
	set_mtu 9410
	wait_for 10 path_works
	errors=$(stat_sum b "$B" '^rx_length_errors$')
	pings 10.0.0.2 5 9382 || fail "the longest frame does not pass"
	pings fd00::2 5 9362 || fail "the longest frame does not pass over IPv6"
	[ "$(stat_sum b "$B" '^rx_length_errors$')" = "$errors" ] || fail "frames had a wrong length"
	set_mtu 1500
}

# Every length from the shortest frame on: the device cuts somewhere, and together it is the frame that was sent.
every_length_arrives_whole() {
	need_split
	[ "$(split)" = on ] || split on
	path_works
	xfer -q -t 20 -u -a a -b b -d 10.0.0.2 -n 2M -x 1472 || fail "UDP"
	xfer -q -t 20 -u -a a -b b -d fd00::2 -n 2M -x 1452 || fail "UDP over IPv6"
	xfer -q -t 20 -u -a a -b b -d 10.0.0.2 -n 2M -x 9000 || fail "fragments"
	xfer -q -t 20 -a a -b b -d 10.0.0.2 -n 16M || fail "TCP"
	ip netns exec b ping -q -n -i 0.02 -W 2 -c 5 -s 1200 10.0.0.1 >/dev/null || fail "ping"
}

short_frames_of_udp_are_copied() {
	need_split
	[ "$(split)" = on ] || split on
	watch flows -u -a a -b b -d 10.0.0.2 -n 8 -r 4 -x 64
	! awk '$1 == "0x0800" && $2 == 92 && $3 { bad = 1 } END { exit !bad }' "$WORK/frames" ||
		fail "a short datagram took a page"
}

tagged_frames_are_split() {
	need_split
	[ "$(split)" = on ] || split on
	vlan_up 9
	for strip in on off; do
		in_b ethtool -K "$B" rxvlan $strip >/dev/null
		wait_for 5 path_works
		wait_for 5 pings 10.0.99.2 1
		xfer -q -t 10 -a a -b b -d 10.0.99.2 -n 4M || fail "with rxvlan $strip"
	done
	vlan_down 9
	in_b ethtool -K "$B" rxvlan on >/dev/null
}

split_survives() {	# split_survives down|rings|channels|reset
	need_split
	[ "$(split)" = on ] || split on
	case $1 in
	down)
		ip -n b link set "$B" down
		ip -n b link set "$B" up
		set_addresses b "$B" 2
		;;
	rings) in_b ethtool -G "$B" rx 1024 && in_b ethtool -G "$B" rx 512 ;;
	channels) in_b ethtool -L "$B" combined 1 && in_b ethtool -L "$B" combined 2 ;;
	reset) in_b ethtool -K "$B" ntuple on && in_b ethtool -K "$B" ntuple off ;;
	esac
	wait_for 20 path_works
	[ "$(split)" = on ] || fail "it is $(split)"
	watch tcp4
	headers 0x0800 52
}

programs_are_refused_and_the_split_stays() {
	need_split
	[ "$(split)" = on ] || split on
	! xdp -a b -i "$B" attach pass frags >"$WORK/said" 2>&1 || fail "a program was attached"
	grep -q 'split' "$WORK/said" || fail "it said: $(cat "$WORK/said")"
	[ "$(split)" = on ] || fail "it is $(split)"
	path_works
}

split_is_refused_to_a_program() {
	need_split
	split off
	xdp -a b -i "$B" attach pass frags
	! split on >"$WORK/said" || fail "it was turned on"
	grep -q 'XDP' "$WORK/said" || fail "it said: $(cat "$WORK/said")"
	[ "$(split)" = off ] || fail "it is $(split)"
	xdp -a b -i "$B" detach
	path_works
}

split_can_be_changed_under_traffic() {
	need_split
	traffic on
	for _ in $(seq "$(loops 5 50)"); do
		split on || fail "on"
		split off || fail "off"
	done
	traffic off
	path_works
	[ "$(split)" = off ] || fail "it is $(split)"
	watch tcp4
	! awk '$3 { bad = 1 } END { exit !bad }' "$WORK/frames" || fail "frames are still split"
}

after_failure() { xdp -a b -i "$B" detach >/dev/null 2>&1 || :; restore_pair; }

load_driver && up_pair && path_works || { not_ok ports_work_together "no path"; finish; }
fact split_is_off_by_default
fact split_can_be_turned_on_without_losing_the_link
fact tcp_headers_are_in_memory_of_their_own
fact long_frames_are_split_too
fact every_length_arrives_whole
fact short_frames_of_udp_are_copied
fact tagged_frames_are_split
fact split_survives down
fact split_survives rings
fact split_survives channels
fact split_survives reset
fact programs_are_refused_and_the_split_stays
fact split_is_refused_to_a_program
fact split_can_be_changed_under_traffic
down_pair
finish

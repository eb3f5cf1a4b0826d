# SPDX-License-Identifier: GPL-2.0-only
# AF_XDP: sockets receive, send and echo without copies, pools come and go under traffic, the link stays.
. "${TESTS:-/tests}/lib.sh"

mac_of() { ip netns exec "$1" cat "/sys/class/net/$2/address"; }

# in_b_xsk OPTION... COMMAND: in the background, its output in $WORK/xsk, once it is bound.
in_b_xsk() {
	: >"$WORK/xsk"
	start_job dash -c "xsk -a b -i $B $* >$WORK/xsk 2>&1; echo status=\$? >>$WORK/xsk"
	wait_for 10 grep -qE 'ready|status' "$WORK/xsk"
	grep -q ready "$WORK/xsk" || fail "$(tr '\n' ' ' <"$WORK/xsk")"
}

it_ends_with() {	# WORD
	wait_for 20 grep -q status= "$WORK/xsk" || fail "it hangs"
	grep -qx "$1" "$WORK/xsk" && grep -qx status=0 "$WORK/xsk" || fail "$(tr '\n' ' ' <"$WORK/xsk")"
}

binds_without_copies() {
	got=$(xsk -a b -i "$B" -z mode) || fail "refused: $got"
	[ "$got" = zero-copy ] || fail "$got"
	[ "$(xsk -a b -i "$B" -c mode)" = copy ]
}

receives() {	# OPTION...
	in_b_xsk "$@" rx 300
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 300 700
	it_ends_with received=300
	path_works
}

sends() {	# OPTION...
	: >"$WORK/caught"
	before=$(stat_sum b "$B" 'xdp_queue_[0-9]+_packets')
	in_b_attach_nothing
	# Nobody keeps the order between two queues.
	case "$*" in *-q*) order=-n ;; *) order= ;; esac
	start_job dash -c "xdp -a a -i $A -t 4000 $order take 300 >$WORK/caught"
	wait_for 3 grep -q ready "$WORK/caught"
	xsk -a b -i "$B" "$@" tx 300 500
	wait_for 15 grep -q '^caught=' "$WORK/caught" || fail "$(cat "$WORK/caught")"
	grep -qx caught=300 "$WORK/caught" || fail "$(cat "$WORK/caught") of 300"
	[ $(($(stat_sum b "$B" 'xdp_queue_[0-9]+_packets') - before)) -eq 300 ] || fail "not all were counted"
	path_works
}

# More frames than the ring holds, by far: each is completed once.
sends_on_the_smallest_ring() {
	in_b ethtool -G "$B" tx 128 rx 128
	sends -z -w
	sends -z -w -u
	receives -z -w
	in_b ethtool -G "$B" tx 512 rx 512
}

# Frames of less than the device takes, up to the last byte of a page, where no room is left to make them longer.
tiny_frames_leave() {	# OFFSET SIZE
	before=$(stat_sum b "$B" 'xdp_queue_[0-9]+_packets')
	xsk -a b -i "$B" -z -w -o "$1" tx 200 "$2" || fail "not all were completed"
	[ $(($(stat_sum b "$B" 'xdp_queue_[0-9]+_packets') - before)) -eq 200 ] || fail "not all were counted"
	path_works
}

# Who has asked once, while there was no link, need not ask again.
frames_that_waited_for_the_link_leave() {
	need_model
	in_b_attach_nothing
	hostctl set p0 cable false
	wait_for 5 not has_carrier b "$B"
	start_job dash -c "xsk -a b -i $B -z -w -1 -t 12000 tx 32 500 >$WORK/xsk 2>&1"
	sleep 1
	hostctl set p0 cable true
	wait_for 10 grep -qx sent=32 "$WORK/xsk" || fail "$(cat "$WORK/xsk")"
	wait_for 5 path_works
}

in_b_attach_nothing() { xdp -a b -i "$B" detach; }

echoes() {	# OPTION...
	in_b_xsk "$@" echo 121
	xdp -a a -i "$A" -D "$(mac_of b "$B")" echo 60 1260 10 || fail "$(tr '\n' ' ' <"$WORK/xsk")"
	kill_jobs
	xdp -a b -i "$B" detach
	path_works
}

pools_come_and_go_under_traffic() {
	traffic on
	wait_for 5 path_works
	changes=$(in_b cat "/sys/class/net/$B/carrier_changes")
	restarts=$(stat b "$B" restarts)
	for queue in 0 1; do
		xsk -a b -i "$B" -z -q "$queue" -t 5000 churn "$(loops 10 50)"
	done
	path_works
	[ "$(in_b cat "/sys/class/net/$B/carrier_changes")" = "$changes" ] || fail "the link went down"
	[ "$(stat b "$B" restarts)" = "$restarts" ] || fail "the port was restarted"
	traffic off
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

other_traffic_goes_on_beside_a_pool() {
	in_b_xsk -z -w -t 60000 rx 1000000
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
	xfer -a b -b a -d fd00::1 -n 2M
	kill_jobs
	xdp -a b -i "$B" detach
	path_works
}

pool_survives_down_and_up() {
	in_b_xsk -z -w -t 30000 rx 100
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	path_works
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 100 200
	it_ends_with received=100
	path_works
}

large_mtu_is_refused_with_a_pool() {
	in_b_xsk -z -w -t 30000 rx 1000000
	log_mark
	ip -n b link set "$B" mtu 9000 && fail "taken"
	[ "$(in_b cat "/sys/class/net/$B/mtu")" = 1500 ]
	log_since | grep -q 'MTU 9000 refused' || fail "the log does not tell"
	kill_jobs
	xdp -a b -i "$B" detach
	# And the other way round there is no pool, but copies.
	wait_for 5 ip -n b link set "$B" mtu 9000
	[ "$(xsk -a b -i "$B" mode)" = copy ]
	ip -n b link set "$B" mtu 1500
	path_works
}

small_chunks_are_refused() {	# 2 KiB chunks leave 1 KiB
	xsk -a b -i "$B" -C 2048 -z mode && fail "taken"
	[ "$(xsk -a b -i "$B" -C 2048 mode)" = copy ]
}

owner_dies_under_traffic() {
	traffic on
	in_b_xsk -z -w -t 60000 echo 1000000
	start_job dash -c "while :; do xdp -a a -i $A -D $(mac_of b "$B") send 64 200; done"
	sleep 1
	kill_jobs
	xdp -a b -i "$B" detach
	path_works
}

after_failure() { hostctl set p0 cable true; xdp -a b -i "$B" detach; in_b ethtool -G "$B" tx 512 rx 512; restore_pair; set_mtu 1500; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact binds_without_copies
fact receives -c
fact receives -z
fact receives -z -w
fact receives -z -w -u
fact receives -z -w -b
fact receives -z -w -q 0-1
fact sends -z
fact sends -z -w
fact sends -z -w -q 0-1
fact sends -z -u
fact sends_on_the_smallest_ring
fact tiny_frames_leave 0 14
fact tiny_frames_leave 4082 14
fact tiny_frames_leave 4080 16
fact frames_that_waited_for_the_link_leave
fact echoes -z -w
fact echoes -c -w
fact small_chunks_are_refused
fact large_mtu_is_refused_with_a_pool
fact other_traffic_goes_on_beside_a_pool
fact pool_survives_down_and_up
fact pools_come_and_go_under_traffic
fact owner_dies_under_traffic
finish

# SPDX-License-Identifier: GPL-2.0-only
# XDP: each verdict on the wire and in the counters, frames of several buffers, refusals, changes under traffic.
. "${TESTS:-/tests}/lib.sh"

mac_of() { ip netns exec "$1" cat "/sys/class/net/$2/address"; }

xdp_sum() { stat_sum b "$B" "rx_queue_[0-9]+_xdp_$1"; }

xdp_sent() { stat_sum "$1" "$2" "xdp_queue_[0-9]+_packets"; }

in_b_attach() { xdp -a b -i "$B" attach "$@"; }

in_b_detach() { xdp -a b -i "$B" detach; }

needs_frags() {	# a program for frames of several buffers loads here
	in_b_attach pass frags && return 0
	[ $? = 3 ] && give_up "the kernel has no frames of several buffers"
	return 1
}

# Frames of the test's ethertype that VERDICT takes; all else still passes. The counter grows by as many.
frames_end_as() {	# VERDICT COUNTER
	# Before 5.17 an unknown verdict is a kernel warning with a trace.
	[ "$1" != 7 ] || kernel_at_least 5 17 || give_up "this kernel makes a report of it"
	in_b_attach "$1"
	before=$(xdp_sum "$2")
	other=$(xdp_sum pass)
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 100 200
	wait_for 5 counted "$2" $((before + 100)) || fail "$(($(xdp_sum "$2") - before)) of 100 counted"
	pings 10.0.0.2 3
	[ "$(xdp_sum pass)" -gt "$other" ] || fail "passed frames are not counted"
	in_b_detach
	# Without the program nothing is counted any more.
	before=$(xdp_sum "$2")
	rawframe -a a -i "$A" -b b -j "$B" sizes 60 80 4
	[ "$(xdp_sum "$2")" = "$before" ] || fail "counted without a program"
}

counted() { [ "$(xdp_sum "$1")" -ge "$2" ]; }

verdict_takes_the_frame() {	# the stack of the receiver does not see it
	in_b_attach "$1"
	rawframe -t 400 -a a -i "$A" -b b -j "$B" sizes 60 60 1 && fail "it still arrives"
	pings 10.0.0.2 3
	in_b_detach
	rawframe -a a -i "$A" -b b -j "$B" sizes 60 60 1
}

passed_frames_are_whole() {
	in_b_attach pass all
	rawframe -a a -i "$A" -b b -j "$B" sizes 14 1514 13
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 4 64)M"
	xfer -a b -b a -d fd00::1 -n "$(loops 4 64)M"
	in_b_detach
}

frames_come_back() {	# FROM TO STEP WORD...: swapped and byte for byte
	from=$1 to=$2 step=$3
	shift 3
	in_b_attach tx "$@" || { [ $? = 3 ] && give_up "the kernel has no frames of several buffers"; return 1; }
	before=$(xdp_sum tx)
	sent=$(xdp_sent b "$B")
	xdp -a a -i "$A" -D "$(mac_of b "$B")" echo "$from" "$to" "$step"
	[ "$(xdp_sum tx)" -gt "$before" ] || fail "not counted"
	wait_for 3 sent_more b "$B" "$sent" || fail "not counted as sent"
	in_b_detach
}

sent_more() { [ "$(xdp_sent "$1" "$2")" -gt "$3" ]; }

program_changes_the_length() {	# BYTES
	in_b_attach tx "tail=$1"
	xdp -a a -i "$A" -l "$1" -D "$(mac_of b "$B")" echo 100 1400 31
	in_b_detach
}

caught_all() { grep -q '^caught=' "$WORK/caught"; }

# catch_sent NS IF COUNT SIZE [MTU-OWNER]: COUNT frames are sent by A and arrive, redirected, at IF in NS.
catch_sent() {
	start_job dash -c "xdp -a $1 -i $2 -t 4000 catch $3 >$WORK/caught"
	wait_for 3 grep -q ready "$WORK/caught"
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send "$3" "$4"
	wait_for 15 caught_all || fail "$(cat "$WORK/caught")"
	grep -qx "caught=$3" "$WORK/caught" || fail "$(cat "$WORK/caught") of $3"
}

port_comes_to_b() { ip -n a link set "$A" netns b; ip -n b link set "$A" up; wait_for 20 has_carrier b "$A"; }
port_goes_to_a() { ip -n b link set "$A" netns a; ip -n a link set "$A" up; set_addresses a "$A" 1; wait_for 20 has_carrier a "$A"; }

# B's program sends on what comes, marked, by way of A; the mark makes it pass when it comes to B again.
redirect_to_the_other_port() {	# SIZE WORD...
	size=$1
	shift
	port_comes_to_b
	xdp -a b -i "$B" attach "redirect:$A" "$@" || { [ $? = 3 ] && give_up "the kernel has no frames of several buffers"; return 1; }
	before=$(xdp_sum redirect)
	sent=$(xdp_sent b "$A")
	: >"$WORK/caught"
	start_job dash -c "xdp -a b -i $B -t 4000 catch 200 >$WORK/caught"
	wait_for 3 grep -q ready "$WORK/caught"
	bells=$(have_model && counters p0 doorbell_tx || echo 0)
	xdp -a b -i "$A" -D "$(mac_of b "$B")" send 200 "$size"
	wait_for 15 caught_all || fail "$(cat "$WORK/caught")"
	grep -qx caught=200 "$WORK/caught" || fail "$(cat "$WORK/caught") of 200"
	[ $(($(xdp_sum redirect) - before)) -eq 200 ] || fail "$(($(xdp_sum redirect) - before)) of 200 counted"
	[ $(($(xdp_sent b "$A") - sent)) -eq 200 ] || fail "$(($(xdp_sent b "$A") - sent)) of 200 counted as sent"
	! have_model || say "doorbells for 200 frames sent and 200 redirected: $(($(counters p0 doorbell_tx) - bells))"
	in_b_detach
	port_goes_to_a
	path_works
}

redirect_to_a_veth() {
	need_module veth
	ip -n b link add v0 type veth peer name v1
	ip -n b link set v0 up
	ip -n b link set v1 up
	# A veth takes redirected frames once its peer has a program, or GRO.
	xdp -a b -i v1 attach pass all
	in_b_attach redirect:v0
	catch_sent b v1 200 300
	in_b_detach
	ip -n b link del v0
}

redirect_from_a_veth() {	# into the port's ndo_xdp_xmit, from another device's buffers
	need_module veth
	ip -n b link add v0 type veth peer name v1
	ip -n b link set v0 up
	ip -n b link set v1 up
	xdp -a b -i v1 attach "redirect:$B"
	sent=$(xdp_sent b "$B")
	: >"$WORK/caught"
	start_job dash -c "xdp -a a -i $A -t 4000 catch 200 >$WORK/caught"
	wait_for 3 grep -q ready "$WORK/caught"
	xdp -a b -i v0 send 200 700
	wait_for 15 caught_all || fail "$(cat "$WORK/caught")"
	grep -qx caught=200 "$WORK/caught" || fail "$(cat "$WORK/caught") of 200"
	[ $(($(xdp_sent b "$B") - sent)) -eq 200 ] || fail "$(($(xdp_sent b "$B") - sent)) of 200 counted as sent"
	ip -n b link del v0
}

several_buffers_pass() {
	needs_frags
	set_mtu 9000
	in_b_attach pass frags all
	path_works
	rawframe -a a -i "$A" -b b -j "$B" sizes 3000 9014 97
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 4 64)M"
	in_b_detach
	set_mtu 1500
}

several_buffers_come_back() {
	needs_frags
	set_mtu 9000
	path_works
	frames_come_back 60 9014 149 frags
	# The last buffer grows and shrinks, until it is gone.
	for tail in 64 -200 -3000; do
		in_b_attach tx frags "tail=$tail"
		xdp -a a -i "$A" -l "$tail" -D "$(mac_of b "$B")" echo 3300 8900 311
	done
	in_b_attach drop frags
	before=$(xdp_sum drop)
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 600 9000
	wait_for 5 counted drop $((before + 600)) || fail "$(($(xdp_sum drop) - before)) of 600 counted as dropped"
	in_b_detach
	set_mtu 1500
	path_works
}

several_buffers_are_redirected() {
	needs_frags
	# Until then xdp_do_redirect() refused them, but for another CPU.
	kernel_at_least 6 3 || give_up "the kernel redirects no frames of several buffers"
	set_mtu 9000
	path_works
	redirect_to_the_other_port 8000 frags
	set_mtu 1500
	path_works
}

large_mtu_refuses_simple_programs() {
	set_mtu 9000
	path_works
	in_b_attach pass >"$WORK/said" 2>&1 && fail "taken at MTU 9000"
	cat "$WORK/said"
	grep -q '3054' "$WORK/said" || fail "the limit is not named: $(cat "$WORK/said")"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	set_mtu 3054
	in_b_attach pass
	path_works
	rawframe -a a -i "$A" -b b -j "$B" sizes 3000 3068 1
	in_b_detach
	set_mtu 1500
}

simple_program_refuses_large_mtu() {
	set_mtu 1500
	in_b_attach pass
	log_mark
	ip -n b link set "$B" mtu 3055 && fail "taken"
	[ "$(in_b cat "/sys/class/net/$B/mtu")" = 1500 ]
	log_since | grep -q 'MTU 3055 refused.* 3054' || fail "the log does not tell: $(log_since)"
	ip -n b link set "$B" mtu 3054
	in_b_detach
	ip -n b link set "$B" mtu 9000
	ip -n b link set "$B" mtu 1500
	path_works
}

features_are_told() {
	in_b true
	got=$(xdp -a b -i "$B" features) || { [ $? = 3 ] && give_up "the kernel does not tell features"; return 1; }
	say "$got"
	case $got in
	basic,redirect,ndo-xmit,rx-sg,ndo-xmit-sg | basic,redirect,ndo-xmit,xsk-zerocopy,rx-sg,ndo-xmit-sg) ;;
	*) fail "$got" ;;
	esac
}

programs_change_under_traffic() {	# ROUNDS
	traffic on
	wait_for 5 path_works
	changes=$(in_b cat "/sys/class/net/$B/carrier_changes")
	restarts=$(stat b "$B" restarts)
	xdp -a b -i "$B" churn "$1"
	xdp -a a -i "$A" churn "$1"
	path_works
	[ "$(in_b cat "/sys/class/net/$B/carrier_changes")" = "$changes" ] || fail "the link went down"
	[ "$(stat b "$B" restarts)" = "$restarts" ] || fail "the port was restarted"
	traffic off
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

# hint_is_the_hash KIND TYPE: frames of KIND carry a hash of TYPE (bits of enum xdp_rss_hash_type) that chose their queue
hint_is_the_hash() {
	queues=$(in_b ls "/sys/class/net/$B/queues" | grep -c '^rx-')
	: >"$WORK/hints"
	start_job dash -c "xdp -a b -i $B -t 15000 hints $queues 60 >$WORK/hints; echo status=\$? >>$WORK/hints"
	wait_for 10 grep -qE 'ready|status' "$WORK/hints"
	! grep -qx status=3 "$WORK/hints" || give_up "the kernel has no hints"
	rawframe -a a -i "$A" -b b -j "$B" rss "$1" 64 || :
	wait_for 20 grep -q status "$WORK/hints"
	grep -qx status=0 "$WORK/hints" && grep -q "type=$2" "$WORK/hints" || fail "$(tr '\n' ' ' <"$WORK/hints")"
	say "$(grep hashed "$WORK/hints")"
}

hint_is_the_tag() {	# TPID TCI, both in hex
	[ "$(feature b "$B" rx-vlan-offload)" = on ] || give_up "tags stay in the frame"
	: >"$WORK/hints"
	start_job dash -c "xdp -a b -i $B -t 15000 vlanhint 0x$1 0x$2 40 >$WORK/hints; echo status=\$? >>$WORK/hints"
	wait_for 10 grep -qE 'ready|status' "$WORK/hints"
	! grep -qx status=3 "$WORK/hints" || give_up "the kernel has no such hint"
	ip -n b link set "$B" promisc on
	rawframe -a a -i "$A" -b b -j "$B" -V "$1:$((0x$2))" vlan 50 || :
	wait_for 20 grep -q status "$WORK/hints"
	ip -n b link set "$B" promisc off
	grep -qx status=0 "$WORK/hints" || fail "$(tr '\n' ' ' <"$WORK/hints")"
	say "$(grep tagged "$WORK/hints")"
}

# A program on a bond runs on its ports; what it sends back leaves by the bond's port.
bond_takes_programs() {
	need_module bonding
	ip -n b link add bond0 type bond mode active-backup miimon 100
	ip -n b link set "$B" down
	ip -n b link set "$B" master bond0
	ip -n b link set bond0 up
	wait_for 20 has_carrier b bond0
	before=$(xdp_sum drop)
	xdp -a b -i bond0 attach drop
	xdp -a a -i "$A" -D "$(mac_of b bond0)" send 50 100
	wait_for 5 counted drop $((before + 50)) || fail "$(($(xdp_sum drop) - before)) of 50 dropped"
	xdp -a b -i bond0 attach tx
	xdp -a a -i "$A" -D "$(mac_of b bond0)" echo 60 1500 120
	xdp -a b -i bond0 detach
	ip -n b link del bond0
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 20 has_carrier b "$B"
	path_works
}

program_survives_down_and_up() {
	in_b_attach drop
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	path_works
	before=$(xdp_sum drop)
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 50 100
	wait_for 5 counted drop $((before + 50)) || fail "the program is gone"
	in_b_detach
	# And attached to a closed port it works from open on.
	ip -n b link set "$B" down
	in_b_attach drop
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	path_works
	before=$(xdp_sum drop)
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 50 100
	wait_for 5 counted drop $((before + 50)) || fail "the program of the closed port is not there"
	in_b_detach
}

sent_back_frames_do_not_wait_for_a_link() {	# what waits in a ring without a link is dropped, and traffic goes on
	need_model
	port_comes_to_b
	in_b_attach "redirect:$A"
	hostctl set p0 cable false
	wait_for 5 not has_carrier b "$A"
	in_b_detach
	hostctl set p0 cable true
	wait_for 10 has_carrier b "$A"
	port_goes_to_a
	path_works
}

driver_unloads_with_a_program() {
	in_b_attach tx
	xdp -a a -i "$A" -D "$(mac_of b "$B")" echo 60 600 60
	down_pair
	unload_driver
	restore_pair
}

after_failure() {
	xdp -a b -i "$B" detach
	ip -n b link del v0
	ip -n b link del bond0
	ip -n b link show dev "$A" && port_goes_to_a
	restore_pair
	set_mtu 1500
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact features_are_told
fact frames_end_as drop drop
fact frames_end_as aborted aborted
fact frames_end_as 7 aborted
fact verdict_takes_the_frame drop
fact verdict_takes_the_frame aborted
fact passed_frames_are_whole
fact frames_come_back 14 1514 11
fact program_changes_the_length 64
fact program_changes_the_length -40
fact redirect_to_the_other_port 300
fact redirect_to_a_veth
fact redirect_from_a_veth
fact large_mtu_refuses_simple_programs
fact simple_program_refuses_large_mtu
fact several_buffers_pass
fact several_buffers_come_back
fact several_buffers_are_redirected
fact hint_is_the_hash tcp4 0x19
fact hint_is_the_hash ip6 0x2
fact hint_is_the_tag 8100 64
fact hint_is_the_tag 88a8 7d1
fact programs_change_under_traffic "$(loops 34 100)"
fact bond_takes_programs
fact program_survives_down_and_up
fact sent_back_frames_do_not_wait_for_a_link
fact driver_unloads_with_a_program
finish

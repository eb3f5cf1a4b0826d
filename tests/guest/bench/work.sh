# SPDX-License-Identifier: GPL-2.0-only
# The work that "make bench" compares the drivers by.
. "${TESTS:-/tests}/bench/common.sh"

tx64() { tx tx64 60 1; }
tx64_burst() { tx tx64_burst 60 32; }
tx1514() { tx tx1514 1514 1; }
pair64() { pktgen pair64 60 1 "$(in_b cat "/sys/class/net/$B/address")"; }
rx64() { rx rx64 0800; }

tcp4_ab() { repeat tcp4_ab stream 10.0.0.2 "$((FRAMES / 80))"; }
tcp6_ab() { repeat tcp6_ab stream fd00::2 "$((FRAMES / 80))"; }
tcp4_ba() { repeat tcp4_ba -a b -b a stream 10.0.0.1 "$((FRAMES / 80))"; }
tcp6_ba() { repeat tcp6_ba -a b -b a stream fd00::1 "$((FRAMES / 80))"; }
tcp_rr() { repeat tcp_rr rr tcp 10.0.0.2 "$((FRAMES / 8))"; }
udp_rr() { repeat udp_rr rr udp 10.0.0.2 "$((FRAMES / 8))"; }

attach() {	# attach OPTION... COMMAND: a program on the port, or the driver cannot
	xdp -a a -i "$A" "$@" || give_up "the driver takes no program"
}

xdp_drop_generic() {
	attach -g attach drop all
	rx xdp_drop_generic 0800
	attach -g detach
}

xdp_drop() {
	attach attach drop all
	rx xdp_drop 0800
	attach detach
}

xdp_tx() {
	attach attach tx all
	bench mark "set p0 sink true"
	rx xdp_tx 0800 p0.tx_frames
	bench mark "set p0 sink false"
	attach detach
}

# The socket takes frames without copies, the warm-up's and those of all windows.
xsk_rx() {
	: >"$WORK/xsk"
	start_job dash -c "xsk -a a -i $A -z -w -k -t 600000 rx $((FRAMES * (REPEATS + WARM))) >$WORK/xsk 2>&1; echo status=\$? >>$WORK/xsk"
	wait_for 10 grep -qE 'ready|status' "$WORK/xsk"
	grep -q ready "$WORK/xsk" || give_up "the driver takes no socket"
	rx xsk_rx 88b5
	wait_for 10 grep -q status= "$WORK/xsk" || fail "the socket did not get all"
	grep -qx status=0 "$WORK/xsk" || fail "$(tr '\n' ' ' <"$WORK/xsk")"
}

xsk_tx() {
	xsk -a a -i "$A" -z mode || give_up "the driver takes no socket"
	bench mark "set p0 sink true"
	turn=0
	while [ $turn -lt "$REPEATS" ]; do
		xsk -a a -i "$A" -z -w -k -M xsk_tx tx "$FRAMES" 60
		turn=$((turn + 1))
	done
	bench mark "set p0 sink false"
}

begin
fact tx64
fact tx64_burst
fact tx1514
fact rx64
fact pair64
fact tcp4_ab
fact tcp4_ba
fact tcp6_ab
fact tcp6_ba
fact tcp_rr
fact udp_rr
fact xdp_drop_generic
fact xdp_drop
fact xdp_tx
fact xsk_rx
fact xsk_tx
finish

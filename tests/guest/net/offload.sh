# SPDX-License-Identifier: GPL-2.0-only
# Checksums and segmentation on the wire, frame sizes, receive checksum: byte for byte.
. "${TESTS:-/tests}/lib.sh"

frames() { rawframe -a a -i "$A" -b b -j "$B" "$@"; }

# The receiver must show frames as they are on the wire.
plain_receiver() {
	# A tag that no VLAN device asked for would not pass the filter.
	ip -n b link set "$B" promisc on
	in_b ethtool -K "$B" gro off
	in_b ethtool -K "$B" lro off 2>/dev/null || :
}

sender_offloads() {	# sender_offloads on|off
	in_a ethtool -K "$A" tx "$1" || :
	in_a ethtool -K "$A" sg "$1" || :
	in_a ethtool -K "$A" tso "$1" || :
	in_a ethtool -K "$A" gso "$1" || :
}

all_sizes_arrive_whole() {
	plain_receiver
	frames sizes 14 "$(($(in_a cat "/sys/class/net/$A/mtu") + 14))" "${1:-1}"
}

tx_checksums_and_segments_equal_software() {	# MTU
	plain_receiver
	set_mtu "$1"
	path_works
	# Software first: the oracle.
	sender_offloads off
	[ "$(feature a "$A" tcp-segmentation-offload)" = off ] || fail "segmentation offload cannot be turned off"
	frames offload "$WORK/software"
	sender_offloads on
	[ "$(feature a "$A" tx-checksumming)" = on ] || fail "checksum offload cannot be turned on"
	[ "$(feature a "$A" tcp-segmentation-offload)" = on ] || fail "segmentation offload cannot be turned on"
	before=$(tx_requests)
	frames offload "$WORK/hardware"
	requests=$(($(tx_requests) - before))
	cmp "$WORK/software" "$WORK/hardware" || fail "first difference at byte $(cmp "$WORK/software" "$WORK/hardware" | awk '{ print $5 }')"
	say "$(wc -c <"$WORK/hardware") bytes equal; $requests packets were handed to the driver"
	set_mtu 1500
	path_works
}

tx_requests() { netdev_stat a "$A" 10; }

# With a tag in the packet data, the checksum starts 4 bytes later.
tagged_checksums_and_segments_equal_software() {
	plain_receiver
	sender_offloads off
	frames -V 8100:5 offload "$WORK/software"
	sender_offloads on
	frames -V 8100:5 offload "$WORK/hardware"
	cmp "$WORK/software" "$WORK/hardware"
}

right_checksums_are_marked_as_verified() {
	plain_receiver
	in_b ethtool -K "$B" rx on || :
	frames csum good >"$WORK/good"
	cat "$WORK/good"
	grep -q 'valid=0' "$WORK/good" && fail "not verified: $(grep 'valid=0' "$WORK/good" | tr '\n' ' ')"
	return 0
}

wrong_checksums_are_not_trusted() {	# [TAGS]
	plain_receiver
	in_b ethtool -K "$B" rx on || :
	if [ -n "${1:-}" ]; then
		frames -V "$1" csum bad || fail "$(frames -V "$1" csum bad | grep 'valid=1' | tr '\n' ' ')"
	else
		frames csum bad || fail "$(frames csum bad | grep 'valid=1' | tr '\n' ' ')"
	fi
}

wrong_checksums_are_counted_and_dropped() {	# NAME: by the stack, not handed to a socket
	plain_receiver
	case $1 in
	udp4) count="snmp b Udp InCsumErrors" ;;
	tcp4) count="snmp b Tcp InCsumErrors" ;;
	udp6) count="snmp6 b Udp6InCsumErrors" ;;
	tcp6) count="snmp b Tcp InCsumErrors" ;;
	ip4-header) count="snmp b Ip InHdrErrors" ;;
	esac
	before=$($count)
	frames csumone "$1" 25
	after=$($count)
	[ $((after - before)) -eq 25 ] || fail "25 sent, the stack counted $((after - before))"
}

driver_counts_wrong_checksums() {	# by a statistic of its own
	plain_receiver
	in_b ethtool -K "$B" rx on || :
	before=$(stat_sum b "$B" 'csum.*(err|bad)|(err|bad).*csum')
	in_b ethtool -S "$B" | grep -qiE 'csum' || give_up "no such statistic"
	frames csumone udp4 10
	frames csumone tcp6 10
	after=$(stat_sum b "$B" 'csum.*(err|bad)|(err|bad).*csum')
	[ $((after - before)) -ge 20 ] || fail "20 sent, $((after - before)) counted"
}

sctp_checksums_are_right() {	# sctp_checksums_are_right ADDRESS
	need_module sctp
	for state in off on; do
		in_a ethtool -K "$A" tx-checksum-sctp $state || give_up "no SCTP checksums"
		in_b ethtool -K "$B" tx-checksum-sctp $state
		sctp -a a -b b -j "$B" -d "$1" >"$WORK/sctp" && status=0 || status=$?
		[ "$status" -ne 77 ] || give_up "no SCTP in this kernel"
		[ "$status" -eq 0 ] || fail "$state: $(cat "$WORK/sctp")"
		say "$state: $(cat "$WORK/sctp")"
	done
}

tagged_sctp_checksums_are_right() {
	vlan_up 6
	wait_for 5 in_a ping -q -n -c 1 -W 1 10.0.99.2
	sctp_checksums_are_right 10.0.99.2
	sctp_checksums_are_right fd99::2
	vlan_down 6
}

rx_checksum_off_trusts_nothing() {
	plain_receiver
	feature_fixed b "$B" rx-checksumming && give_up "fixed"
	in_b ethtool -K "$B" rx off
	frames csum good >"$WORK/good"
	in_b ethtool -K "$B" rx on
	grep -q 'valid=1' "$WORK/good" && fail "still marked: $(grep 'valid=1' "$WORK/good" | tr '\n' ' ')"
	return 0
}

# Frames the receiving ring had no room for; reading -S brings the card's counters up to date.
missed_by_receiver() {
	case $DRIVER in
	intree) stat b "$B" rx_no_dma_resources ;;
	*)
		in_b ethtool -S "$B" >/dev/null
		netdev_stat b "$B" 4
		;;
	esac
}

# Without pause frames a sender may be faster than the receiver: then every frame is either received or counted.
burst_is_received_or_counted() {	# COUNT SIZE
	before=$(missed_by_receiver)
	frames burst "$1" "$2" >"$WORK/burst" 2>&1 || :
	received=$(sed -n 's/.*received=\([0-9]*\).*/\1/p' "$WORK/burst")
	missed=$(($(missed_by_receiver) - before))
	say "$received of $1 received, $missed counted as missed"
	[ "$received" -gt 0 ] && [ $((received + missed)) -ge "$1" ]
}

after_failure() {
	set_mtu 1500
	sender_offloads on
	ip -n a link del v6
	ip -n b link del v6
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact all_sizes_arrive_whole 1
fact tx_checksums_and_segments_equal_software 1500
fact tx_checksums_and_segments_equal_software 9000
fact tagged_checksums_and_segments_equal_software
fact right_checksums_are_marked_as_verified
fact wrong_checksums_are_not_trusted
fact wrong_checksums_are_not_trusted 8100:5
fact wrong_checksums_are_not_trusted 88a8:5
fact wrong_checksums_are_not_trusted 88a8:7,8100:5
for kind in udp4 tcp4 udp6 tcp6 ip4-header; do
	fact wrong_checksums_are_counted_and_dropped $kind
done
fact driver_counts_wrong_checksums
fact rx_checksum_off_trusts_nothing
fact sctp_checksums_are_right 10.0.0.2
fact sctp_checksums_are_right fd00::2
fact tagged_sctp_checksums_are_right
fact burst_is_received_or_counted "$(loops 2000 50000)" 60
fact burst_is_received_or_counted "$(loops 2000 50000)" 1514
ip -n b link set "$B" promisc off
in_b ethtool -K "$B" gro on >/dev/null 2>&1
finish

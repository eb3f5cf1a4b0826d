# SPDX-License-Identifier: GPL-2.0-only
# Tunnels between the two ports: traffic with and without the device's help, and what is believed of received checksums.
. "${TESTS:-/tests}/lib.sh"

TUNNEL_TSO="tx-udp_tnl-segmentation tx-udp_tnl-csum-segmentation tx-gre-segmentation tx-gre-csum-segmentation
	tx-ipxip4-segmentation tx-ipxip6-segmentation"

frames() { rawframe -a a -i "$A" -b b -j "$B" "$@"; }

tunnel_tso() {
	for name in $TUNNEL_TSO; do
		in_a ethtool -K "$A" "$name" "$1"
		in_b ethtool -K "$B" "$name" "$1"
	done
}

tunnel_up() {	# tunnel_up ip-link-arguments with LOCAL4 REMOTE4 LOCAL6 REMOTE6 for the ends
	for end in "a 1 2" "b 2 1"; do
		# shellcheck disable=SC2086
		set -- $end "$@"
		ns=$1
		here=$2
		there=$3
		shift 3
		# shellcheck disable=SC2046
		ip -n "$ns" link add t0 $(echo "$*" | sed "s/LOCAL4/10.0.0.$here/; s/REMOTE4/10.0.0.$there/
			s/LOCAL6/fd00::$here/; s/REMOTE6/fd00::$there/") || give_up "no such tunnel in this kernel"
		ip -n "$ns" link set t0 mtu 1400 up
		ip -n "$ns" addr add "10.0.88.$here/24" dev t0 || :
		ip -n "$ns" addr add "fd88::$here/64" dev t0 nodad || :
	done
}

tunnel_down() {
	ip -n a link del t0 2>/dev/null || :
	ip -n b link del t0 2>/dev/null || :
}

traffic_passes() {	# traffic_passes FAMILIES
	for family in $1; do
		case $family in
		4) far=10.0.88.2; near=10.0.88.1 ;;
		6) far=fd88::2; near=fd88::1 ;;
		esac
		wait_for 5 in_a ping -q -n -c 1 -W 1 "$far"
		in_a ping -q -n -c 5 -i 0.05 -s 1300 "$far"
		xfer -a a -b b -d "$far" -n 4M
		xfer -a b -b a -d "$near" -n 4M
		xfer -u -a a -b b -d "$far" -n 1M
	done
}

tunnel_carries_verified_traffic() {	# NAME FAMILIES ip-link-arguments
	families=$2
	shift 2
	tunnel_up "$@"
	traffic_passes "$families"
	if [ "$DRIVER" = ours ]; then
		tunnel_tso on
		traffic_passes "$families"
		tunnel_tso off
	fi
	tunnel_down
}

segmentation_in_tunnels_is_off_at_first() {
	for name in $TUNNEL_TSO tx-udp-segmentation; do
		[ "$(feature a "$A" "$name")" = off ] || fail "$name is on"
		feature_fixed a "$A" "$name" && fail "$name cannot be turned on"
	done
	return 0
}

# Each of them needs the stack to prepare the outer headers, and this can be forbidden, too.
segmentation_in_tunnels_goes_with_gso_partial() {
	[ "$DRIVER" = ours ] || give_up "a rule of our driver"
	tunnel_tso on
	in_a ethtool -K "$A" tx-gso-partial off
	for name in $TUNNEL_TSO; do
		[ "$(feature a "$A" "$name")" = off ] || fail "$name is on without it"
	done
	path_works
	in_a ethtool -K "$A" tx-gso-partial on
	for name in $TUNNEL_TSO; do
		[ "$(feature a "$A" "$name")" = on ] || fail "$name does not come back"
	done
	tunnel_tso off
}

inner_checksums_are_believed_only_when_good() {
	[ "$DRIVER" = ours ] || give_up "a rule of our driver"
	in_b ethtool -K "$B" gro off
	# Nobody has told the device of a port: a datagram without a checksum.
	frames tunnelcsum unknown >"$WORK/out" || fail "$(cat "$WORK/out")"
	grep -q '^vxlan4-good valid=0' "$WORK/out" || fail "believed without a port: $(grep vxlan4 "$WORK/out")"
	ip -n b link add t0 type vxlan id 42 local 10.0.0.2 dstport 4789 dev "$B"
	ip -n b link set t0 up
	frames tunnelcsum known >"$WORK/out" || fail "$(cat "$WORK/out")"
	say "$(tr '\n' ';' <"$WORK/out")"
	for name in vxlan4 vxlan6 gretap4 gre4 ipip4; do
		grep -q "^$name-good valid=1" "$WORK/out" || fail "$(grep "^$name" "$WORK/out" | tr '\n' ';')"
	done
	# The port is known again after a start.
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	path_works
	frames tunnelcsum known >"$WORK/out" || fail "after down and up: $(cat "$WORK/out")"
	grep -q '^vxlan4-good valid=1' "$WORK/out" || fail "port forgotten"
	ip -n b link del t0
	frames tunnelcsum unknown >"$WORK/out" || fail "without the tunnel: $(cat "$WORK/out")"
	grep -q '^vxlan4-good valid=0' "$WORK/out" || fail "port still known"
}

# Checksums that the device does not look at are the stack's; the tunnel works, and its end is worth no line in the log.
tunnel_works_without_receive_checksums() {
	log_mark
	in_a ethtool -K "$A" rx off
	in_b ethtool -K "$B" rx off
	for kind in "type vxlan id 42 local LOCAL4 remote REMOTE4 dstport 4789" \
		"type vxlan id 43 local LOCAL6 remote REMOTE6 dstport 4790"; do
		# shellcheck disable=SC2086
		tunnel_up $kind
		traffic_passes "$(loops 4 '4 6')"
		tunnel_down
	done
	in_a ethtool -K "$A" rx on
	in_b ethtool -K "$B" rx on
	[ -z "$(driver_complaints)" ] || fail "$(driver_complaints | head -n 2)"
	path_works
}

big_tcp() {	# frames beyond 64 KiB: handed to the device in one piece
	need_model
	kernel_at_least 7 0 || give_up "IPv6 frames carry a jumbo option here"
	limit=$(ip -n a -d link show dev "$A" | sed -n 's/.*tso_max_size \([0-9]*\).*/\1/p')
	[ "${limit:-65536}" -gt 65536 ] || fail "tso_max_size $limit"
	xfer -a a -b b -d fd00::2 -n 4M
	start=$(counters p0 dma_rd_desc_bytes)
	xfer -a a -b b -d fd00::2 -n 16M
	small=$(($(counters p0 dma_rd_desc_bytes) - start))
	ip -n a link set "$A" gso_max_size 200000
	xfer -a a -b b -d fd00::2 -n 16M
	start=$(counters p0 dma_rd_desc_bytes)
	xfer -a a -b b -d fd00::2 -n 16M
	big=$(($(counters p0 dma_rd_desc_bytes) - start))
	ip -n a link set "$A" gso_max_size 65536
	say "$((small / 16)) descriptors for 16 MiB, $((big / 16)) with frames of up to 200000 bytes"
	# How large they become depends on pacing; that they arrive whole does not.
}

after_failure() {
	tunnel_down
	tunnel_tso off
	ip -n a link set "$A" gso_max_size 65536
	in_b ethtool -K "$B" gro on rx on
	in_a ethtool -K "$A" rx on
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
modprobe -a vxlan geneve ip_gre ip6_gre ipip sit ip6_tunnel 2>/dev/null
[ "$DRIVER" = intree ] || fact segmentation_in_tunnels_is_off_at_first
fact segmentation_in_tunnels_goes_with_gso_partial
fact tunnel_carries_verified_traffic vxlan "4 6" type vxlan id 42 local LOCAL4 remote REMOTE4 dstport 4789
fact tunnel_carries_verified_traffic vxlan6 "4 6" type vxlan id 42 local LOCAL6 remote REMOTE6 dstport 4789
fact tunnel_carries_verified_traffic geneve "4 6" type geneve id 42 remote REMOTE4
fact tunnel_carries_verified_traffic gretap "4 6" type gretap local LOCAL4 remote REMOTE4
fact tunnel_carries_verified_traffic gre-key "4 6" type gre local LOCAL4 remote REMOTE4 key 7
fact tunnel_carries_verified_traffic ipip "4" type ipip local LOCAL4 remote REMOTE4
fact tunnel_carries_verified_traffic sit "6" type sit local LOCAL4 remote REMOTE4
fact tunnel_carries_verified_traffic ip6tnl "4 6" type ip6tnl mode any local LOCAL6 remote REMOTE6
fact inner_checksums_are_believed_only_when_good
fact tunnel_works_without_receive_checksums
fact big_tcp
in_b ethtool -K "$B" gro on >/dev/null 2>&1
finish

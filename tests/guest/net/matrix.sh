# SPDX-License-Identifier: GPL-2.0-only
# Checksums and segmentation of every encapsulation, IP version, protocol, size, layout and VLAN, byte for byte; first with
# the kernel's own segmentation, which tells whether the oracle is right, then with the device's.
. "${TESTS:-/tests}/lib.sh"

FAR4=10.0.77.2
FAR6=fd77::2
TUNNEL_TSO="tx-udp_tnl-segmentation tx-udp_tnl-csum-segmentation tx-gre-segmentation tx-gre-csum-segmentation
	tx-ipxip4-segmentation tx-ipxip6-segmentation"

# Routes to an address behind the other port that nobody answers for: frames arrive there and go no further.
far_side() {	# far_side DEV HOST
	mac=$(in_b cat "/sys/class/net/$B/address")
	ip -n a addr replace "10.0.77.$2/24" dev "$1"
	ip -n a addr replace "fd77::$2/64" dev "$1" nodad
	ip -n a neigh replace "$FAR4" lladdr "$mac" dev "$1" nud permanent
	ip -n a neigh replace "$FAR6" lladdr "$mac" dev "$1" nud permanent
}

near_side() {
	ip -n a addr del "10.0.77.1/24" dev "$1" 2>/dev/null || :
	ip -n a addr del "fd77::1/64" dev "$1" 2>/dev/null || :
	ip -n a neigh del "$FAR4" dev "$1" 2>/dev/null || :
	ip -n a neigh del "$FAR6" dev "$1" 2>/dev/null || :
}

offloads() {	# offloads on|off, of the sending port and of what lies on it
	in_a ethtool -K "$A" tx "$1" sg "$1" tso "$1" gso "$1" || :
	for name in $TUNNEL_TSO tx-udp-segmentation; do
		in_a ethtool -K "$A" "$name" "$1" || :
	done
	[ "$(feature a "$A" tcp-segmentation-offload)" = "$1" ]
} >/dev/null 2>&1

# Transmit descriptors that the device has read: segmentation saves them.
descriptors() { have_model && echo $(($(counters p0 dma_rd_desc_bytes) / 16)) || echo 0; }

# both_ways ARG...: the cases with software and with the device; the device has to have done its part.
both_ways() {
	size=$(loops -q "")
	ip -n b link set "$B" promisc on
	in_b ethtool -K "$B" gro off
	offloads off
	start=$(descriptors)
	# shellcheck disable=SC2086
	segments -g -a a -b b -j "$B" $size "$@" >"$WORK/software" || fail "in software: $(tail -n 5 "$WORK/software")"
	by_software=$(($(descriptors) - start))
	offloads on
	start=$(descriptors)
	# shellcheck disable=SC2086
	segments -a a -b b -j "$B" $size "$@" >"$WORK/device" || fail "$(tail -n 8 "$WORK/device")"
	by_device=$(($(descriptors) - start))
	say "$(cat "$WORK/device") descriptors=$by_device, $by_software without offloads"
	[ "$(cat "$WORK/software")" = "$(cat "$WORK/device")" ]
	[ "${SEGMENTS:-yes}" = no ] || ! have_model || [ "$by_device" -lt "$by_software" ] || fail "the device did not segment"
	ip -n b link set "$B" promisc off
}

# Frames of the port itself, a tag in front or not.
plain() { both_ways -i "$A" -m 1500 -u; }

vlan() {	# vlan PROTO TPID
	need_module 8021q
	ip -n a link add link "$A" name v5 type vlan proto "$1" id 5
	ip -n a link set v5 up
	both_ways -i v5 -V "$2:5" -m 1500 -u
	ip -n a link del v5
}

stacked() {
	need_module 8021q
	ip -n a link add link "$A" name v7 type vlan proto 802.1ad id 7
	ip -n a link add link v7 name v5 type vlan id 5
	ip -n a link set v7 up
	ip -n a link set v5 up
	# The stack hands no segmentation of stacked tags on.
	SEGMENTS=no
	both_ways -i v5 -V 88a8:7,8100:5 -m 1500
	ip -n a link del v7
}

# Rings as small as they go: the largest packet still fits, and every queue gets on.
smallest_ring() {
	in_a ethtool -G "$A" tx 128
	plain
	cpu=0
	while [ $cpu -lt "$SMP" ]; do
		taskset -c $cpu xfer -a a -b b -d 10.0.0.2 -n "$(loops 2M 8M)" -f 60000 -m zerocopy
		taskset -c $cpu xfer -a a -b b -d fd00::2 -n "$(loops 2M 8M)" -f 60000 -m writev
		cpu=$((cpu + 1))
	done
	in_a ethtool -G "$A" tx 512
}

# tunnel NAME UNDER KIND ENCAP FAMILIES ip-link-add-arguments...
tunnel() {
	name=$1
	under=$2
	kind=$3
	encap=$4
	families=$5
	shift 5
	set -- "$@"
	ip -n a link set "$under" up
	far_side "$under" 1
	ip -n a link add t0 "$@" || give_up "no $name in this kernel"
	ip -n a link set t0 mtu 1400 up
	# shellcheck disable=SC2086
	both_ways -i t0 -k "$kind" -e "$encap" -f "$families" -m 1400 $TAGS
	ip -n a link del t0
	near_side "$under"
}

TAGS=
end4="local 10.0.77.1 remote $FAR4"
end6="local fd77::1 remote $FAR6"

# shellcheck disable=SC2086
through() {	# through NAME [UNDER]
	dev=${2:-$A}
	case $1 in
	vxlan) tunnel vxlan "$dev" eth vxlan 46 type vxlan id 42 $end4 dstport 4789 dev "$dev" ;;
	vxlan6) tunnel vxlan "$dev" eth vxlan 46 type vxlan id 42 $end6 dstport 4789 dev "$dev" ;;
	vxlan-csum) tunnel vxlan "$dev" eth vxlan 46 type vxlan id 42 $end4 dstport 4789 udpcsum dev "$dev" ;;
	geneve) tunnel geneve "$dev" eth geneve 46 type geneve id 42 remote $FAR4 dstport 6081 ;;
	geneve6) tunnel geneve "$dev" eth geneve 46 type geneve id 42 remote $FAR6 dstport 6081 ;;
	gretap) tunnel gretap "$dev" eth gre 46 type gretap $end4 dev "$dev" ;;
	gre) tunnel gre "$dev" ip gre 46 type gre $end4 dev "$dev" ;;
	gre-key) tunnel gre "$dev" ip gre 46 type gre $end4 key 7 dev "$dev" ;;
	gre-csum) tunnel gre "$dev" ip gre 46 type gre $end4 csum dev "$dev" ;;
	ip6gre) tunnel ip6gre "$dev" ip gre 46 type ip6gre $end6 dev "$dev" ;;
	ipip) tunnel ipip "$dev" ip ipip 4 type ipip $end4 dev "$dev" ;;
	sit) tunnel sit "$dev" ip ipip 6 type sit $end4 dev "$dev" ;;
	ip6tnl) tunnel ip6tnl "$dev" ip ipip 46 type ip6tnl mode any $end6 dev "$dev" ;;
	ip6tnl-bare) tunnel ip6tnl "$dev" ip ipip 46 type ip6tnl mode any $end6 encaplimit none dev "$dev" ;;
	esac
}

through_over_vlan() {	# through_over_vlan NAME
	need_module 8021q
	ip -n a link add link "$A" name v5 type vlan id 5
	TAGS="-V 8100:5"
	through "$1" v5
	ip -n a link del v5
}

after_failure() {
	for dev in t0 v5 v7; do
		ip -n a link del $dev
	done
	near_side "$A"
	in_a ethtool -G "$A" tx 512
	offloads on
	for name in $TUNNEL_TSO tx-udp-segmentation; do
		in_a ethtool -K "$A" "$name" off
	done
	ip -n b link set "$B" promisc off
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
modprobe -a vxlan geneve ip_gre ip6_gre ipip sit ip6_tunnel 8021q 2>/dev/null
fact plain
fact smallest_ring
fact vlan 802.1Q 8100
fact vlan 802.1ad 88a8
fact stacked
for name in vxlan vxlan6 vxlan-csum geneve geneve6 gretap gre gre-key gre-csum ip6gre ipip sit ip6tnl ip6tnl-bare; do
	fact through $name
done
for name in vxlan geneve gre ipip sit ip6tnl; do
	fact through_over_vlan $name
done
after_failure
finish

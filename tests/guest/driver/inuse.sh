# SPDX-License-Identifier: GPL-2.0-only
# The driver goes while something lies on a port or looks at it; captures and bonds come and go while the link flaps.
. "${TESTS:-/tests}/lib.sh"

lower_for() {	# lower_for NAME ADDRESS ip-link-arguments: on both ports
	for end in "a $A 1" "b $B 2"; do
		# shellcheck disable=SC2086
		set -- $end "$@"
		ns=$1 dev=$2 host=$3
		shift 3
		name=$1 net=$2
		shift 2
		ip -n "$ns" link add link "$dev" name "$name" "$@"
		ip -n "$ns" addr add "$net.$host/24" dev "$name"
		ip -n "$ns" link set "$name" up
		set -- "$name" "$net" "$@"
	done
}

answers() { wait_for 10 in_a ping -q -n -c 1 -W 1 "$1"; }

# ---- what holds a port ----------------------------------------------------------------------------------------------

hold_vlan() {
	need_module 8021q
	lower_for v9 10.0.9 type vlan id 9
	answers 10.0.9.2
	start_job flows -B -a a -b b -d 10.0.9.2 -p 7301
}

hold_macvlan() {
	need_module macvlan
	lower_for mv0 10.0.10 type macvlan mode bridge
	answers 10.0.10.2
	start_job flows -B -a a -b b -d 10.0.10.2 -p 7301
}

hold_vxlan() {
	need_module vxlan
	for end in "a 1 2" "b 2 1"; do
		# shellcheck disable=SC2086
		set -- $end
		[ "$1" = a ] && dev=$A || dev=$B
		ip -n "$1" link add vx0 type vxlan id 7 dev "$dev" local "10.0.0.$2" remote "10.0.0.$3" dstport 4789
		ip -n "$1" addr add "10.0.11.$2/24" dev vx0
		ip -n "$1" link set vx0 up
	done
	answers 10.0.11.2
	start_job flows -B -a a -b b -d 10.0.11.2 -p 7301
}

hold_bridge() {
	need_module bridge
	ip -n a link add br0 type bridge
	ip -n a link set "$A" master br0
	ip -n a link set br0 up
	ip -n a addr flush dev "$A"
	set_addresses a br0 1
	answers 10.0.0.2
	start_job flows -B -a a -b b -d 10.0.0.2 -p 7301
}

bond_of_a() {	# bond_of_a MODE
	ip -n a link add bond0 type bond mode "$1" miimon 100
	ip -n a addr flush dev "$A"
	ip -n a link set "$A" down
	ip -n a link set "$A" master bond0
	ip -n a link set bond0 up
	set_addresses a bond0 1
}

hold_bond() {
	need_module bonding
	bond_of_a active-backup
	answers 10.0.0.2
	start_job flows -B -a a -b b -d 10.0.0.2 -p 7301
}

hold_socket() {
	xsk -a b -i "$B" mode || give_up "no AF_XDP here"
	: >"$WORK/xsk"
	start_job dash -c "xsk -a b -i $B -w -t 60000 echo 1000000 >$WORK/xsk 2>&1"
	wait_for 10 grep -q ready "$WORK/xsk" || fail "$(cat "$WORK/xsk")"
	traffic on
}

hold_program() {
	xdp -a b -i "$B" attach tx
	start_job dash -c "while :; do xdp -a a -i $A -D $(in_b cat "/sys/class/net/$B/address") send 500 300; done"
}

hold_capture() {
	start_job ip netns exec a tcpdump -Z root -i "$A" -n -w /dev/null
	start_job ip netns exec b tcpdump -Z root -i "$B" -n -w /dev/null
	traffic on
}

# Everything that can be read is read, all the time.
hold_readers() {
	start_job dash -c "while :; do ip netns exec a ethtool -S $A; ip netns exec a ethtool -m $A; ip netns exec a ethtool -d $A; done"
	start_job dash -c "while :; do ip netns exec a ethtool $A; ip netns exec a ethtool -c $A; ip -n a -s link show; done"
	start_job dash -c "while :; do cat /sys/bus/pci/devices/$(port_pci "$A")/hwmon/hwmon*/temp1_input; done"
	start_job dash -c "while :; do ip netns exec b cat /sys/class/net/$B/statistics/rx_bytes /sys/class/net/$B/speed; done"
	sleep 0.3
}

# It holds the interface until the driver says that it will not blink any more.
hold_blink() {
	start_job ip netns exec a ethtool -p "$A"
	start_job ip netns exec b ethtool -p "$B"
	sleep 0.7
}

# ---- facts ------------------------------------------------------------------------------------------------------------

unload_with() {	# WHAT holds the port
	restore_pair
	for round in $(seq "$(loops 1 20)"); do
		"hold_$1"
		log_mark
		within 500 unload_driver || fail "round $round: cannot be unloaded"
		kill_jobs
		log_since | grep 'waiting for' && fail "round $round: somebody waits for the interface"
		clear_away
		restore_pair || fail "round $round: no traffic after loading"
	done
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

clear_away() {
	for ns in a b; do
		for dev in v9 mv0 vx0 br0 bond0; do
			ip -n $ns link del $dev 2>/dev/null || :
		done
	done
}

# An open file of debugfs holds the module: it says so at once, and nothing is half gone.
open_file_of_debugfs_is_told() {
	file=/sys/kernel/debug/txgbe/$(port_pci "$A")/rings
	[ -r "$file" ] || give_up "no debugfs"
	exec 5<"$file"
	within 200 not unload_driver
	driver_loaded || fail "it is gone"
	path_works || fail "no traffic after the refusal"
	exec 5<&-
	within 500 unload_driver
	restore_pair
}

captures_come_and_go_while_the_link_flaps() {
	need_model
	hostctl set p0 fault-flap-ms 150
	for _ in $(seq "$(loops 12 200)"); do
		start_job ip netns exec a tcpdump -Z root -i "$A" -n -w /dev/null
		start_job ip netns exec b tcpdump -Z root -i "$B" -n -w /dev/null
		sleep 0.2
		kill_jobs
	done
	hostctl set p0 fault-flap-ms 0
	wait_for 10 path_works || fail "no ping afterwards"
	ip -n a -d link show dev "$A" | grep -q 'promiscuity 0' || fail "still promiscuous"
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

# Flaps, resets and enslaving at once; each enslaving ends with a port that works.
port_joins_and_leaves_a_bond() {
	need_model
	need_module bonding
	for round in $(seq "$(loops 8 500)"); do
		bond_of_a "$([ $((round % 2)) = 0 ] && echo active-backup || echo balance-alb)"
		case $((round % 3)) in
		0) hostctl set p0 cable false; hostctl set p0 cable true ;;
		1) echo 1 >"/sys/bus/pci/devices/$(port_pci "$A")/reset" ;;
		esac
		[ $((round % 4)) -ne 0 ] || wait_for 20 pings 10.0.0.2 1 || fail "round $round: no ping over the bond"
		ip -n a link set "$A" nomaster
		ip -n a link del bond0
	done
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping without the bond"
	xfer -a a -b b -d 10.0.0.2 -n 1M
}

after_failure() {
	kill_jobs
	hostctl set p0 fault-flap-ms 0
	hostctl set p0 cable true
	clear_away
	xdp -a b -i "$B" detach
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
for what in vlan macvlan vxlan bridge bond socket program capture readers blink; do
	fact unload_with $what
done
fact open_file_of_debugfs_is_told
fact captures_come_and_go_while_the_link_flaps
fact port_joins_and_leaves_a_bond
finish

# SPDX-License-Identifier: GPL-2.0-only
# A bond in mode 4 in use: MTU, rings and queues of its ports change; VLAN, bridge, XDP, netconsole on top.
. "${TESTS:-/tests}/lib.sh"
# shellcheck source=tests/guest/bond/lib.sh
. "$TESTS/bond/lib.sh"

set_bond_mtu() { ip -n a link set bond0 mtu "$1" && ip -n b link set bond0 mtu "$1"; }

# Every size of datagram, whole, over both ports.
frames_of() {	# frames_of BYTES [ADDRESS]
	flows -u -a a -b b -d "${2:-10.0.0.2}" -n 32 -r 3 -x "$1"
}

mtu_of_the_bond_changes_under_traffic() {
	lacp_record >"$WORK/before"
	for mtu in 9000 1500 9410; do
		during_flows 2 set_bond_mtu $mtu
		gap_is_short "MTU $mtu"
		[ "$(in_a cat /sys/class/net/p1/mtu)" = $mtu ] || fail "p1 has not got $mtu"
		set_addresses a bond0 1
		set_addresses b bond0 2
		in_a ping -q -n -c 3 -i 0.05 -M 'do' -s $((mtu - 28)) 10.0.0.2
		frames_of $((mtu - 28))
	done
	lacp_is_as_in "$WORK/before"
}

mtu_that_is_too_large_leaves_the_bond_as_it_is() {
	ip -n a link set bond0 mtu 9411 2>/dev/null && fail "9411 was taken"
	for dev in bond0 p0 p1; do
		[ "$(in_a cat /sys/class/net/$dev/mtu)" = 9410 ] || fail "$dev has MTU $(in_a cat /sys/class/net/$dev/mtu)"
	done
	frames_of 9000
}

mtu_of_a_slave_changes_under_traffic() {
	lacp_record >"$WORK/before"
	for mtu in 4000 9000 9410; do
		during_flows 2 ip -n a link set p0 mtu $mtu
		gap_is_short "MTU of p0 $mtu"
	done
	lacp_is_as_in "$WORK/before"
	frames_of 9000
	set_bond_mtu 1500
}

max_channels() { ip netns exec "$(side_of "$1")" ethtool -l "$1" | awk '$1 == "Combined:" { print $2; exit }'; }
now_channels() { ip netns exec "$(side_of "$1")" ethtool -l "$1" | awk '$1 == "Combined:" { n = $2 } END { print n }'; }

rings_of_a_slave_change_under_traffic() {
	lacp_record >"$WORK/before"
	for port in p0 p3; do
		for size in 128 4096 512; do
			during_flows 2 ip netns exec "$(side_of $port)" ethtool -G $port rx $size tx $size
			gap_is_short "$port with $size descriptors"
		done
	done
	lacp_is_as_in "$WORK/before"
	frames_of 1400
}

queues_of_a_slave_change_under_traffic() {
	[ "$(max_channels p0)" -ge 2 ] && [ "$(max_channels p3)" -ge 2 ] || give_up "one queue pair at most"
	lacp_record >"$WORK/before"
	for port in p0 p3; do
		now=$(now_channels $port)
		most=$(max_channels $port)
		[ "$most" -le 4 ] || most=4
		for count in "$most" 2 "$now"; do
			[ "$count" != "$(now_channels $port)" ] || continue
			during_flows 2 ip netns exec "$(side_of $port)" ethtool -L $port combined "$count"
			gap_is_short "$port with $count queue pairs"
		done
	done
	lacp_is_as_in "$WORK/before"
	frames_of 1400
}

vlan_works_on_both_ports() {
	need_module 8021q
	for end in "a 1" "b 2"; do
		ip -n "${end% *}" link add link bond0 name v7 type vlan id 7
		ip -n "${end% *}" addr add "10.0.7.${end#* }/24" dev v7
		ip -n "${end% *}" link set v7 up
	done
	wait_for 10 in_a ping -q -n -c 1 -W 1 10.0.7.2
	for dev in bond0 v7; do
		for offload in tx-checksumming tcp-segmentation-offload scatter-gather; do
			[ "$(feature a $dev $offload)" = on ] || fail "$dev has lost $offload"
		done
	done
	before0=$(received_by p2)
	before1=$(received_by p3)
	frames_of 1400 10.0.7.2
	before0=$(($(received_by p2) - before0))
	before1=$(($(received_by p3) - before1))
	[ $before0 -gt 10 ] && [ $before1 -gt 10 ] || fail "p2 received $before0 frames, p3 $before1"
	xfer -a a -b b -d 10.0.7.2 -n 2M
}

# A slave that comes later is told of the VLANs that are there.
vlan_works_on_a_slave_that_comes_back() {
	unbind p3
	wait_for 5 no_carrier p1
	bind_and_join p3
	wait_seconds 60 all_joined || fail "p3 is not used again"
	wait_for 10 in_a ping -q -n -c 1 -W 1 10.0.7.2
	before=$(received_by p3)
	frames_of 1400 10.0.7.2
	[ $(($(received_by p3) - before)) -gt 10 ] || fail "p3 received nothing"
	ip -n a link del v7
	ip -n b link del v7
}

bridge_on_the_bond_carries_others_frames() {
	need_module veth bridge
	ip netns add guest
	ip -n a link add br0 type bridge
	ip -n a link add e1 type veth peer name e0 netns guest
	ip -n a addr flush dev bond0
	for dev in bond0 e1; do
		ip -n a link set $dev master br0
		ip -n a link set $dev up
	done
	ip -n a link set br0 up
	set_addresses a br0 1
	set_addresses guest e0 3
	ip -n guest link set e0 up
	# The guest's address is none that the ports know.
	wait_for 10 ip netns exec guest ping -q -n -c 1 -W 1 10.0.0.2
	flows -u -a guest -b b -d 10.0.0.2 -n 32 -r 3
	flows -u -a b -b guest -d 10.0.0.3 -n 32 -r 3
	xfer -a guest -b b -d 10.0.0.2 -n 2M
	xfer -a b -b guest -d 10.0.0.3 -n 2M
	wait_for 10 pings 10.0.0.2 1
	hostctl set p0 cable false
	wait_for 5 ip netns exec guest ping -q -n -c 1 -W 1 10.0.0.2
	hostctl set p0 cable true
	wait_seconds 60 all_joined
	ip netns del guest
	ip -n a link del br0
	set_addresses a bond0 1
	wait_for 10 pings 10.0.0.2 1
}

# ---- XDP -----------------------------------------------------------------------------------------------------------

dropped() { stat_sum b "$1" 'rx_queue_[0-9]+_xdp_drop'; }
received_on() { [ "$(received_by "$1")" -ge "$2" ]; }
dropped_on() { [ "$(dropped "$1")" -ge "$2" ]; }

# Frames from the port that is wired to p2 or p3, as a slave sends them.
frames_are_received_on() { [ "$(received_by "$1")" -ge "$2" ]; }
dropped_on() {	# PORT OF-OTHER-END
	before=$(dropped "$1")
	xdp -a a -i "$2" -D "$bond_mac" send 50 100
	wait_for 5 dropped_on "$1" $((before + 50)) || fail "$1 dropped $(($(dropped "$1") - before)) of 50"
}

# The program is on every port, what it sends back leaves by the port that the hash names, and LACP goes on below it.
xdp_works_on_the_bond() {
	kernel_at_least 5 15 || give_up "bonds take programs from Linux 5.15 on"
	bond_mac=$(in_b cat /sys/class/net/bond0/address)
	lacp_record >"$WORK/before"
	during_flows 2 xdp -a b -i bond0 attach drop
	gap_is_short "program attached"
	frames_are_dropped_on p2 p0
	frames_are_dropped_on p3 p1
	during_flows 2 xdp -a b -i bond0 attach tx
	gap_is_short "program exchanged"
	xdp -a a -i bond0 -D "$bond_mac" echo 60 1500 90
	lacp_is_as_in "$WORK/before"
	for port in p0 p1; do
		hostctl set $port cable false
		wait_for 5 no_carrier $port
		sleep 0.3
		xdp -a a -i bond0 -D "$bond_mac" echo 60 1500 240
		hostctl set $port cable true
		wait_seconds 60 all_joined
	done
}

# A port that comes later gets the program, one that leaves loses it.
xdp_works_on_a_slave_that_comes_back() {
	kernel_at_least 5 15 || give_up "bonds take programs from Linux 5.15 on"
	bond_mac=$(in_b cat /sys/class/net/bond0/address)
	xdp -a b -i bond0 attach drop
	unbind p3
	bind_and_join p3
	wait_seconds 60 all_joined || fail "p3 is not used again"
	frames_are_dropped_on p3 p1
	ip -n b link set p3 nomaster
	ip -n b link set p3 up
	wait_for 10 has_carrier b p3
	before=$(dropped p3)
	received=$(received_by p3)
	xdp -a a -i p1 send 50 100
	wait_for 5 received_on p3 $((received + 50)) || fail "p3 received $(($(received_by p3) - received)) of 50"
	[ "$(dropped p3)" = "$before" ] || fail "p3 has left the bond and kept the program"
	join_bond p3
	wait_seconds 60 all_joined || fail "p3 is not used again"
	xdp -a b -i bond0 detach
	before=$(dropped p3)
	frames_of 1000
	[ "$(dropped p3)" = "$before" ] || fail "the program is still there"
}

# ---- netconsole ----------------------------------------------------------------------------------------------------

console=/tmp/config/netconsole/target

console_on() {
	mkdir -p /tmp/config
	[ -d /tmp/config/netconsole ] || mount -t configfs none /tmp/config || give_up "no configfs"
	[ -d /tmp/config/netconsole ] || give_up "this kernel's netconsole has no targets"
	mkdir $console
	echo bond0 >$console/dev_name
	echo 10.0.0.1 >$console/local_ip
	echo 10.0.0.2 >$console/remote_ip
	in_b cat /sys/class/net/bond0/address >$console/remote_mac
	# It looks for the interface in the namespace of whoever writes this.
	in_a dash -c "echo 1 >$console/enabled" || fail "$(dmesg | grep netconsole | tail -n 1)"
}

console_off() {
	echo 0 >$console/enabled 2>/dev/null || :
	rmdir $console 2>/dev/null || :
}

line_arrives() {	# line_arrives TEXT
	start_job ip netns exec b tcpdump -n -l -A -i bond0 udp dst port 6666
	wait_for 5 grep -q 'listening on' "$WORK/job.log" || fail "tcpdump does not listen"
	echo "<4>$1" >/dev/kmsg
	wait_for 5 grep -q "$1" "$WORK/job.log" || fail "the line did not arrive: $1"
	kill_jobs
}

netconsole_works_on_the_bond() {
	need_module netconsole
	console_on
	for round in 1 2 3 4 5 6; do line_arrives "first-words-$round"; done
	hostctl set p0 cable false
	wait_for 5 no_carrier p0
	sleep 0.3
	line_arrives "words-over-p1"
	hostctl set p0 cable true
	wait_seconds 60 all_joined
	hostctl set p1 cable false
	wait_for 5 no_carrier p1
	sleep 0.3
	line_arrives "words-over-p0"
	hostctl set p1 cable true
	wait_seconds 60 all_joined
	console_off
	frames_of 1000
}

after_failure() {
	xdp -a b -i bond0 detach
	console_off
	ip netns del guest
	mend_all
	(lacp_bonds fast)
} >/dev/null 2>&1

need_module bonding 2>/dev/null || { skip bonds "no module bonding"; finish; }
place_ports || { not_ok ports_are_up "no link"; finish; }
(lacp_bonds fast) >/dev/null 2>&1 || { not_ok lacp_is_up "no agreement"; finish; }
fact mtu_of_the_bond_changes_under_traffic
fact mtu_that_is_too_large_leaves_the_bond_as_it_is
fact mtu_of_a_slave_changes_under_traffic
fact rings_of_a_slave_change_under_traffic
fact queues_of_a_slave_change_under_traffic
fact vlan_works_on_both_ports
fact vlan_works_on_a_slave_that_comes_back
fact bridge_on_the_bond_carries_others_frames
fact xdp_works_on_the_bond
fact xdp_works_on_a_slave_that_comes_back
fact netconsole_works_on_the_bond
finish

# SPDX-License-Identifier: GPL-2.0-only
# Up and down, load and unload, remove and rescan: again and again, under traffic, without a trace left behind.
. "${TESTS:-/tests}/lib.sh"

up_down_under_traffic() {
	traffic on
	for round in $(seq "$(loops 10 100)"); do
		if [ $((round % 2)) -eq 0 ]; then end="a $A 1"; else end="b $B 2"; fi
		# shellcheck disable=SC2086
		set -- $end
		within 500 ip -n "$1" link set "$2" down
		ip -n "$1" link set "$2" up
		set_addresses "$1" "$2" "$3"
		# Every third time the next down comes before the link is there.
		[ $((round % 3)) -eq 0 ] || wait_for 10 has_carrier a "$A" || fail "round $round: no carrier"
	done
	traffic off
	wait_for 10 path_works || fail "no ping after the last round"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
}

unload_under_traffic() {
	for round in $(seq "$(loops 6 50)"); do
		traffic on
		sleep 0.3
		within 500 unload_driver || fail "round $round: cannot be unloaded"
		driver_loaded && fail "round $round: still loaded"
		traffic off
		restore_pair || fail "round $round: no traffic after loading"
	done
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

unload_while_down() {
	down_pair
	for round in $(seq "$(loops 3 20)"); do
		within 500 unload_driver
		load_driver
	done
	restore_pair
}

unload_right_after_load() {
	down_pair
	for round in $(seq "$(loops 3 20)"); do
		unload_driver
		insert_driver
		within 500 unload_driver
		insert_driver
		wait_for 20 all_ports_have_names
	done
	name_ports
	restore_pair
}

unload_with_link_coming_up() {
	for round in $(seq "$(loops 3 20)"); do
		ip -n a link set "$A" down
		ip -n a link set "$A" up
		sleep "0.$((round * 37 % 10))"
		within 500 unload_driver
		restore_pair
	done
}

bind_and_unbind() {
	pci=$(port_pci "$A")
	for round in $(seq "$(loops 3 20)"); do
		echo "$pci" >/sys/bus/pci/drivers/txgbe/unbind
		[ -e "/sys/bus/pci/devices/$pci/driver" ] && fail "still bound"
		pings 10.0.0.2 1 2>/dev/null && fail "ping without a driver"
		echo "$pci" >/sys/bus/pci/drivers/txgbe/bind
		restore_pair || fail "round $round: no traffic"
	done
}

remove_and_rescan() {
	pci=$(port_pci "$A")
	traffic on
	sleep 0.3
	echo 1 >"/sys/bus/pci/devices/$pci/remove"
	traffic off
	[ -e "/sys/bus/pci/devices/$pci" ] && fail "device is still there"
	# The sibling is a port of its own.
	[ -n "$(ip -n b link show dev "$B")" ] || fail "the other port is gone too"
	echo 1 >/sys/bus/pci/rescan
	[ -e "/sys/bus/pci/devices/$pci/driver" ] || fail "not bound after the rescan"
	restore_pair
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

settings_of_the_stack_survive_down_and_up() {
	ip -n a link set "$A" mtu 4000
	in_a ethtool -K "$A" tso off
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	[ "$(in_a cat "/sys/class/net/$A/mtu")" = 4000 ]
	[ "$(feature a "$A" tcp-segmentation-offload)" = off ]
	in_a ethtool -K "$A" tso on
	ip -n a link set "$A" mtu 1500
}

mac_address_change_works_up_and_down() {
	was=$(in_a cat "/sys/class/net/$A/address")
	ip -n a link set "$A" address 02:12:34:56:78:9a
	ip -n b neigh flush all
	wait_for 10 path_works || fail "no ping after a change while up"
	ip -n a link set "$A" down
	ip -n a link set "$A" address 02:12:34:56:78:9c
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	ip -n b neigh flush all
	wait_for 10 path_works || fail "no ping after a change while down"
	# Frames to the old address are not ours any more.
	rawframe -a b -i "$B" -b a -j "$A" deliver "$was" 5 >"$WORK/out"
	grep -qx 'received=0' "$WORK/out" || fail "frames to the old address: $(cat "$WORK/out")"
	ip -n a link set "$A" address "$was"
	ip -n b neigh flush all
	wait_for 10 path_works
	[ "$(in_a ethtool -P "$A" | awk '{ print $3 }')" = "$was" ] || fail "permanent address is $(in_a ethtool -P "$A")"
}

interrupts_are_named_after_the_interface() {
	grep -q "$A-" /proc/interrupts || fail "$(grep -E 'txgbe|eth|p0' /proc/interrupts | head -n 3)"
	say "$(grep -c "$A-" /proc/interrupts) vectors for $A"
}

# As long as names may be, with as many queues as there may be: every vector has its whole name.
names_of_fifteen_characters_work() {
	long=abcdefghijklmno
	most=$(in_a ethtool -l "$A" | awk '$1 == "Combined:" { print $2; exit }')
	ip -n a link set "$A" down
	ip -n a link set "$A" name $long
	ip -n a link set $long up
	set_addresses a $long 1
	in_a ethtool -L $long combined "$most"
	wait_for 10 pings 10.0.0.2 1 || fail "no ping"
	for queue in $(seq 0 $((most - 1))); do
		awk -v name="$long-TxRx-$queue" '$NF == name { found = 1 } END { exit !found }' /proc/interrupts ||
			fail "no vector $long-TxRx-$queue: $(grep -c "$long" /proc/interrupts) have its name"
	done
	in_a ethtool -i $long | grep -q "^bus-info: $(port_pci p0)$"
	in_a ethtool -L $long combined "$SMP"
	ip -n a link set $long down
	ip -n a link set $long name "$A"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	grep -q "$A-TxRx-0" /proc/interrupts || fail "the vectors kept the long name"
}

memory_is_given_back() {
	down_pair
	unload_driver
	before=$(mem_settled)
	for round in 1 2 3 4 5; do
		load_driver
		up_pair
		path_works
		down_pair
		unload_driver
	done
	memory_is_back "$before" 4096 || fail "$((before - $(mem_settled))) kB lost"
	say "MemAvailable without the driver: $before kB, after five rounds with it: $(mem_settled) kB"
	grep -q txgbe /proc/iomem && fail "a region is still claimed"
	grep -qE 'txgbe|p0-|p1-' /proc/interrupts && fail "a vector is still claimed"
	restore_pair
}

after_failure() {
	ip -n a link set abcdefghijklmno down
	ip -n a link set abcdefghijklmno name "$A"
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact interrupts_are_named_after_the_interface
[ "$DRIVER" = intree ] || fact names_of_fifteen_characters_work
fact settings_of_the_stack_survive_down_and_up
fact mac_address_change_works_up_and_down
fact up_down_under_traffic
fact unload_under_traffic
fact unload_while_down
fact unload_right_after_load
fact unload_with_link_coming_up
fact bind_and_unbind
fact remove_and_rescan
fact memory_is_given_back
finish

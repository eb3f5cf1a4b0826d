# SPDX-License-Identifier: GPL-2.0-only
# A device that is gone: every read gives all ones, writes go nowhere. Nothing waits longer than 5 s for it.
. "${TESTS:-/tests}/lib.sh"

die() {	# die [both]: the first port, or the whole card
	hostctl set p0 fault-removed true
	[ "${1:-}" != both ] || hostctl set p1 fault-removed true
}

revive() {	# what died: a port that is told so begins as after power-on
	for port in p0 p1; do
		[ "$(hostctl get $port fault-removed)" = false ] || hostctl set $port fault-removed false
	done
}

down_ends_in_time() {	# while idle|busy
	need_model
	restore_pair
	[ "$1" = idle ] || traffic on
	sleep 0.3
	log_mark
	die
	[ "$1" = idle ] || sleep 1
	within 500 ip -n a link set "$A" down
	traffic off
	lines=$(log_since | grep -ciE "txgbe|$A") || :
	[ "$lines" -le 20 ] || fail "$lines lines in the log"
	within 500 unload_driver
	revive
	restore_pair || fail "no traffic once the device is back"
}

unload_ends_in_time() {	# while idle|busy [both]
	need_model
	restore_pair
	[ "$1" = idle ] || traffic on
	sleep 0.3
	die "${2:-}"
	[ "$1" = idle ] || sleep 1
	within 500 unload_driver
	traffic off
	revive
	restore_pair || fail "no traffic once the device is back"
}

removal_through_sysfs_ends_in_time() {
	need_model
	restore_pair
	pci=$(port_pci "$A")
	traffic on
	sleep 0.3
	die
	within 500 dash -c "echo 1 >/sys/bus/pci/devices/$pci/remove"
	traffic off
	revive
	echo 1 >/sys/bus/pci/rescan
	restore_pair || fail "no traffic once the device is back"
}

requests_end_in_time_and_do_no_harm() {
	need_model
	restore_pair
	die
	for request in '' -i -S -g -l -c -x -m -d -a -k -T; do
		within 200 dash -c "timeout 10 ip netns exec a ethtool $request $A >/dev/null 2>&1 || :"
	done
	within 200 dash -c "ip -n a -s link show dev $A >/dev/null"
	within 300 dash -c "ip -n a link set $A mtu 4000 2>/dev/null || :"
	within 300 dash -c "ip -n a link set $A promisc on 2>/dev/null || :"
	within 500 dash -c "ip netns exec a ethtool -G $A rx 1024 2>/dev/null || :"
	within 500 dash -c "ip netns exec a ethtool -L $A combined 1 2>/dev/null || :"
	statistics_stay_sane
	within 500 ip -n a link set "$A" down
	within 500 dash -c "ip -n a link set $A up 2>/dev/null || :"
	within 500 unload_driver
	revive
	restore_pair || fail "no traffic once the device is back"
}

# All ones must not become a counter.
statistics_stay_sane() {
	in_a ethtool -S "$A" 2>/dev/null | awk '$2 ~ /^[0-9]+$/ && $2 >= 4294967295 { print; bad = 1 } END { exit bad }' ||
		fail "a statistic took the all-ones value"
	in_a cat /proc/net/dev | grep "$A:" | tr ' ' '\n' | awk '$1 ~ /^[0-9]+$/ && $1 >= 4294967295 { bad = 1 } END { exit bad }' ||
		fail "/proc/net/dev took the all-ones value"
}

probe_of_a_dead_device_fails_with_one_line() {
	need_model
	down_pair
	unload_driver
	die
	log_mark
	within 1000 insert_driver || :
	wait_for 10 test -d "/sys/bus/pci/devices/$(port_pci p1)/net"
	[ -d "/sys/bus/pci/devices/$(port_pci p0)/net" ] && fail "it has an interface"
	[ "$(driver_complaints | grep -c "$(port_pci p0)")" -eq 1 ] || fail "$(driver_complaints | head -n 3)"
	say "$(driver_complaints | head -n 1 | sed 's/^<[0-9]*>//')"
	unload_driver
	revive
	restore_pair
}

# One line at most for each port, whatever the probe was at.
death_during_probe_ends_in_time() {
	need_model
	for round in $(seq "$(loops 5 30)"); do
		down_pair
		! driver_loaded || unload_driver
		log_mark
		insert_driver 3>&- &
		sleep "0.$((round * 3 % 4))$((round % 10))"
		die both
		within 1000 wait $! || :
		# Probes may go on in the background, and then unload_driver waits for them.
		within 1000 unload_driver
		for port in p0 p1; do
			lines=$(driver_complaints | grep -c "$(port_pci $port)" || :)
			[ "$lines" -le 1 ] || fail "round $round: $lines lines: $(driver_complaints | head -n 3)"
		done
		say "round $round: $(driver_complaints | head -n 1 | sed 's/^<[0-9]*>//')"
		revive
	done
	restore_pair || fail "no traffic once the device is back"
}

death_during_up_and_down_ends_in_time() {
	need_model
	for round in $(seq "$(loops 5 30)"); do
		restore_pair
		start_job dash -c "while :; do ip -n a link set $A down; ip -n a link set $A up; done"
		sleep "0.$((round * 29 % 10))$((round % 10))"
		die
		sleep 0.2
		kill_jobs
		within 500 dash -c "ip -n a link set $A down || :"
		within 500 unload_driver
		revive
	done
	restore_pair || fail "no traffic once the device is back"
}

death_during_changes_ends_in_time() {
	need_model
	for round in $(seq "$(loops 3 30)"); do
		restore_pair
		start_job dash -c "while :; do ip netns exec a ethtool -G $A rx 256; ip netns exec a ethtool -G $A rx 512; done"
		start_job dash -c "while :; do ip netns exec a ethtool -L $A combined 1; ip netns exec a ethtool -L $A combined 3; done"
		traffic on
		sleep "0.$((round * 31 % 10))$((round % 10))"
		die
		sleep 0.3
		kill_jobs
		within 500 dash -c "ip -n a link set $A down || :"
		within 500 unload_driver
		revive
	done
	restore_pair || fail "no traffic once the device is back"
}

transactions_that_never_drain_do_not_block() {
	need_model
	restore_pair
	hostctl set p0 fault-pending true
	within 500 ip -n a link set "$A" down
	within 500 dash -c "ip -n a link set $A up || :"
	within 500 ip -n a link set "$A" down
	within 500 unload_driver
	hostctl set p0 fault-pending false
	restore_pair || fail "no traffic afterwards"
}

after_failure() {
	revive
	hostctl set p0 fault-pending false
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact down_ends_in_time idle
fact down_ends_in_time busy
fact unload_ends_in_time idle
fact unload_ends_in_time busy
fact unload_ends_in_time idle both
fact unload_ends_in_time busy both
fact requests_end_in_time_and_do_no_harm
fact removal_through_sysfs_ends_in_time
fact probe_of_a_dead_device_fails_with_one_line
fact death_during_probe_ends_in_time
fact transactions_that_never_drain_do_not_block
fact death_during_up_and_down_ends_in_time
fact death_during_changes_ends_in_time
finish

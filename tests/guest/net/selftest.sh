# SPDX-License-Identifier: GPL-2.0-only
# ethtool -t: what is sound passes, each fault is found by its own test, and the port comes back as it was.
. "${TESTS:-/tests}/lib.sh"

eth() { in_a ethtool "$@"; }

run_test() { eth -t "$A" "$1" >"$WORK/test" 2>&1; }

result() { awk -v re="^$1" '$0 ~ re { print $NF; exit }' "$WORK/test"; }

passes() {	# passes MODE: all results are 0
	run_test "$1" || fail "$(tr '\n' ';' <"$WORK/test")"
	grep -q 'result is PASS' "$WORK/test" || fail "$(tr '\n' ';' <"$WORK/test")"
	for name in Registers EEPROM Interrupts Loopback Link; do
		[ "$(result $name)" = 0 ] || fail "$name: $(result $name)"
	done
}

# fails_only NAME MODE: the test NAME fails and no other does.
fails_only() {
	run_test "$2" && fail "passed"
	grep -q 'result is FAIL' "$WORK/test" || fail "$(tr '\n' ';' <"$WORK/test")"
	for name in Registers EEPROM Interrupts Loopback Link; do
		if [ $name = "$1" ]; then
			[ "$(result $name)" != 0 ] || fail "$name passed"
		else
			[ "$(result $name)" = 0 ] || fail "$name failed, too: $(result $name)"
		fi
	done
}

back() { wait_for 20 has_carrier a "$A" && wait_for 10 path_works; }

online_test_passes_and_keeps_the_link() {
	log_mark
	passes online
	has_carrier a "$A" || fail "the link went down"
	log_since | grep -q "link down" && fail "the link went down"
	pings 10.0.0.2 3
}

offline_test_passes() {
	passes offline
	back || fail "no traffic afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 2M
	xfer -a b -b a -d fd00::1 -n 2M
}

closed_port_is_tested() {
	ip -n a link set "$A" down
	run_test offline || :
	for name in Registers EEPROM Interrupts Loopback; do
		[ "$(result $name)" = 0 ] || fail "$name: $(result $name)"
	done
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	back || fail "no traffic afterwards"
}

# The settings that there are, as the commands show them.
settings() {
	for show in -g -l -c -x -k -a --show-fec "-n" ""; do
		echo "== $show"
		# shellcheck disable=SC2086
		eth $show "$A" 2>/dev/null | grep -v 'Link detected\|Speed\|Duplex' || :
	done
	ip -n a link show dev "$A" | sed 's/ state .*//'
	# The kernel puts groups that it joins again in front.
	ip -n a maddr show dev "$A" | sort
	# A second or two after the link is up an address is still being looked for on the wire.
	ip -n a addr show dev "$A" | grep inet | sed 's/ tentative//'
}

offline_test_restores_all_settings() {
	old=$(in_a cat "/sys/class/net/$A/address")
	eth -G "$A" rx 1024 tx 256 2>/dev/null || :
	eth -C "$A" adaptive-rx off 2>/dev/null || :
	eth -C "$A" rx-usecs 44 2>/dev/null || :
	eth -X "$A" equal 1 2>/dev/null || :
	eth -K "$A" tso off
	set_mtu 3000
	ip -n a maddr add 01:00:5e:7f:12:34 dev "$A"
	ip -n a link set "$A" address 02:11:22:33:44:55
	settings >"$WORK/before"
	passes offline
	back || fail "no traffic afterwards"
	settings >"$WORK/after"
	diff "$WORK/before" "$WORK/after" >"$WORK/diff" || fail "changed: $(grep '^[-+][^-+]' "$WORK/diff" | head -n 8)"
	rawframe -a b -i "$B" -b a -j "$A" deliver 02:11:22:33:44:55 10 >"$WORK/out"
	grep -qx 'received=10' "$WORK/out" || fail "frames to the new address: $(cat "$WORK/out")"
	rawframe -a b -i "$B" -b a -j "$A" deliver 01:00:5e:7f:12:34 10 >"$WORK/out"
	grep -qx 'received=10' "$WORK/out" || fail "frames to the joined group: $(cat "$WORK/out")"
	ip -n a link set "$A" address "$old"
	ip -n a maddr del 01:00:5e:7f:12:34 dev "$A"
	set_mtu 1500
	eth -K "$A" tso on
	eth -X "$A" default 2>/dev/null || :
	eth -G "$A" rx 512 tx 512 2>/dev/null || :
	back
}

# Nothing of the loopback reaches the partner, the stack or a counter.
loopback_stays_inside() {
	need_model
	in_a dash -c "echo 1 >/proc/sys/net/ipv6/conf/$A/disable_ipv6"
	in_b dash -c "echo 1 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	sleep 0.3
	m=$(counters p1 rx_frames)
	before=$(in_a ethtool -S "$A" | awk '/dma_packets|queue_[0-9]+_packets/ { s += $2 } END { print s }')
	passes offline
	after=$(in_a ethtool -S "$A" | awk '/dma_packets|queue_[0-9]+_packets/ { s += $2 } END { print s }')
	grown=$(($(counters p1 rx_frames) - m))
	in_a dash -c "echo 0 >/proc/sys/net/ipv6/conf/$A/disable_ipv6"
	in_b dash -c "echo 0 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	set_addresses a "$A" 1
	set_addresses b "$B" 2
	[ $grown -le 3 ] || fail "$grown frames reached the partner"
	[ $((after - before)) -le 6 ] || fail "counters grew by $((after - before))"
	back
}

needs_property() { hostctl get p0 "$1" >/dev/null 2>&1 || give_up "the model has no $1"; }

bad_eeprom_is_found() {
	need_model
	hostctl set p0 fault-eeprom true
	log_mark
	fails_only EEPROM online
	log_since | grep -q 'EEPROM: checksum is' || fail "the log does not say why"
	hostctl set p0 fault-eeprom false
	passes online
}

stuck_register_is_found() {
	need_model
	needs_property fault-stuck
	hostctl set p0 fault-stuck true
	log_mark
	run_test offline && fail "passed"
	[ "$(result Registers)" != 0 ] || fail "Registers passed"
	log_since | grep -q 'register 0x19200 reads' || fail "the log does not name the register"
	hostctl set p0 fault-stuck false
	back || fail "no traffic afterwards"
	passes offline
	back
}

lost_interrupt_is_found() {
	need_model
	hostctl set p0 fault-lost-irq 1
	log_mark
	fails_only Interrupts offline
	log_since | grep -q 'no interrupt of vector' || fail "the log does not name the vector"
	hostctl set p0 fault-lost-irq 0
	back || fail "no traffic afterwards"
	passes offline
	back
}

stalled_path_is_found() {
	need_model
	hostctl set p0 fault-tx-stall true
	log_mark
	fails_only Loopback offline
	log_since | grep -q 'did not come back' || fail "the log does not say why"
	hostctl set p0 fault-tx-stall false
	back || fail "no traffic afterwards"
	passes offline
	back
}

# The test leaves a chip that does not come out of reset: the interface stays open, and the port is tried again.
port_that_does_not_start_stays_open() {
	need_model
	hostctl set p0 fault-pending true
	run_test offline && { hostctl set p0 fault-pending false; fail "passed"; }
	hostctl set p0 fault-pending false
	ip -n a link show dev "$A" | grep -q '[<,]UP[,>]' || fail "the interface was closed"
	in_a ip -4 addr show dev "$A" | grep -q 10.0.0.1 || fail "its address is gone"
	back || fail "no traffic afterwards"
}

missing_link_is_found() {
	need_model
	hostctl set p0 cable false
	wait_for 5 not has_carrier a "$A" || fail "carrier without a cable"
	fails_only Link online
	hostctl set p0 cable true
	back || fail "no traffic afterwards"
	passes online
}

# A card that was pulled out is an error, not a hang.
gone_device_ends_at_once() {
	need_model
	hostctl set p0 fault-removed true
	within 300 not run_test offline || fail "passed, or took long"
	hostctl set p0 fault-removed false
	down_pair
	unload_driver
	restore_pair
}

tests_under_traffic_do_not_crash() {
	start_job dash -c "while :; do ip netns exec b ping -q -f -c 200 10.0.0.1; done"
	for i in $(seq "$(loops 3 20)"); do
		run_test offline || fail "round $i: $(tr '\n' ';' <"$WORK/test")"
		wait_for 20 has_carrier a "$A" || fail "round $i: no carrier"
	done
	kill_jobs
	back
}

after_failure() {
	for fault in fault-eeprom fault-tx-stall fault-stuck fault-pending; do
		hostctl set p0 $fault false
	done
	hostctl set p0 fault-lost-irq 0
	hostctl set p0 cable true
	ip -n a link set "$A" address "$PERM"
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
PERM=$(in_a cat "/sys/class/net/$A/address")
fact online_test_passes_and_keeps_the_link
fact offline_test_passes
fact closed_port_is_tested
fact offline_test_restores_all_settings
fact loopback_stays_inside
fact bad_eeprom_is_found
fact stuck_register_is_found
fact lost_interrupt_is_found
fact stalled_path_is_found
fact missing_link_is_found
fact port_that_does_not_start_stays_open
fact tests_under_traffic_do_not_crash
fact gone_device_ends_at_once
finish

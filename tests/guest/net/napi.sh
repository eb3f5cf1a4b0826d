# SPDX-License-Identifier: GPL-2.0-only
# Polls other than those that an interrupt starts: in threads, by a socket, by a timer, by netconsole.
. "${TESTS:-/tests}/lib.sh"

threads_of() { ps -eo pid,comm | awk -v name="napi/$1-" 'index($2, name) == 1 { print $1 }'; }

knob_of_b() { ip netns exec b dash -c "echo $2 >/sys/class/net/$B/$1"; }

polls_in_threads_carry_traffic() {
	in_b ls "/sys/class/net/$B/threaded" || give_up "no threaded NAPI in this kernel"
	knob_of_b threaded 1
	[ "$(threads_of "$B" | wc -l)" -ge "$SMP" ] || fail "$(threads_of "$B" | wc -l) threads for $SMP queues"
	before=$(awk '{ print $14 + $15 }' "/proc/$(threads_of "$B" | head -n 1)/stat")
	xfer -a a -b b -d 10.0.0.2 -n 8M
	xfer -a b -b a -d fd00::1 -n 8M
	flows -a a -b b -d 10.0.0.2 -n 128 -r 2
	for thread in $(threads_of "$B"); do
		cat "/proc/$thread/stat"
	done | awk -v before="$before" '{ ticks += $14 + $15 } END { exit ticks <= before }' || fail "the threads did no work"
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	in_b ethtool -L "$B" combined 1
	in_b ethtool -L "$B" combined "$SMP"
	path_works
	flows -a a -b b -d 10.0.0.2 -n 64
	[ "$(threads_of "$B" | wc -l)" -ge "$SMP" ] || fail "$(threads_of "$B" | wc -l) threads are left"
	knob_of_b threaded 0
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

polled_by_sockets() { ip netns exec b cat /proc/net/netstat | awk '
	$1 == "TcpExt:" && !col { for (i = 2; i <= NF; i++) if ($i == "BusyPollRxPackets") col = i; next }
	$1 == "TcpExt:" { print $col; exit }'; }

sockets_poll_for_themselves() {
	[ -w /proc/sys/net/core/busy_read ] || give_up "no busy polling in this kernel"
	[ -n "$(polled_by_sockets)" ] || give_up "not counted in this kernel"
	before=$(polled_by_sockets)
	echo 2000 >/proc/sys/net/core/busy_read
	echo 2000 >/proc/sys/net/core/busy_poll
	flows -a a -b b -d 10.0.0.2 -n 2 -r 200 -x 100
	echo 0 >/proc/sys/net/core/busy_read
	echo 0 >/proc/sys/net/core/busy_poll
	say "$(($(polled_by_sockets) - before)) packets were found by sockets that polled"
	[ "$(polled_by_sockets)" -gt "$before" ] || fail "no socket ever polled"
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

interrupts_of_b() {
	awk -v name="$B-TxRx-" 'index($NF, name) == 1 { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) s += $i }
		END { print s + 0 }' /proc/interrupts
}

interrupts_of_a_burst() {	# of frames with pauses between them
	before=$(interrupts_of_b)
	in_a ping -q -n -i 0.002 -c 500 10.0.0.2 >/dev/null
	echo $(($(interrupts_of_b) - before))
}

deferred_interrupts_are_fewer() {
	in_b ls "/sys/class/net/$B/napi_defer_hard_irqs" || give_up "no deferred interrupts in this kernel"
	in_b ethtool -C "$B" adaptive-rx off rx-usecs 0
	usual=$(interrupts_of_a_burst)
	# A timer of 50 ms polls a hundred times without a frame before the interrupt is allowed again.
	knob_of_b gro_flush_timeout 50000000
	knob_of_b napi_defer_hard_irqs 100
	path_works
	deferred=$(interrupts_of_a_burst)
	knob_of_b napi_defer_hard_irqs 0
	knob_of_b gro_flush_timeout 0
	in_b ethtool -C "$B" adaptive-rx on
	say "$usual interrupts for 500 pings, $deferred with deferral"
	[ "$deferred" -lt $((usual / 4)) ] || fail "$deferred, usually $usual"
	# The deferral ends by itself, and the interrupt comes again.
	before=$(interrupts_of_b)
	comes_again() { pings 10.0.0.2 2; [ "$(interrupts_of_b)" -gt "$before" ]; }
	wait_for 15 comes_again || fail "no interrupt comes any more"
}

napi_of_queue() { netdevq -n b -i "$B" queues | awk -v q="$1" '$1 == "rx" && $2 == q { print $4 }'; }

# Number and interrupt may be others; what was set is the queue's.
settings_of() {	# settings_of QUEUE
	netdevq -n b -i "$B" napis | awk -v napi="$(napi_of_queue "$1")" '$2 == napi { sub(/.*defer/, "defer"); print }'
}

settings_of_a_poll_stay_with_its_queue() {
	napi=$(napi_of_queue 1) && [ -n "$napi" ] || give_up "this kernel tells nothing of it"
	netdevq -n b -i "$B" defer "$napi" 7 123000 4500000 2>"$WORK/said" && rc=0 || rc=$?
	[ "$rc" -eq 0 ] || give_up "not one by one in this kernel: $(cat "$WORK/said")"
	settings_of 1 >"$WORK/want"
	grep -q 'defer 7 flush 123000' "$WORK/want" || fail "$(cat "$WORK/want")"
	settings_of 0 | grep -q 'defer 0 flush 0' || fail "queue 0 has it, too: $(settings_of 0)"
	for change in "ethtool -G $B rx 1024" "ethtool -G $B rx 512" "ethtool -L $B combined 1" "ethtool -L $B combined $SMP" \
		"ip link set $B mtu 2000" "ip link set $B mtu 1500" "ip link set $B down" "ip link set $B up"; do
		# shellcheck disable=SC2086
		in_b $change
		[ -n "$(napi_of_queue 1)" ] || continue
		settings_of 1 | cmp -s - "$WORK/want" || fail "after $change: $(settings_of 1), was $(cat "$WORK/want")"
	done
	[ -n "$(napi_of_queue 1)" ] || fail "queue 1 is gone"
	netdevq -n b -i "$B" defer "$(napi_of_queue 1)" 0 0
	set_addresses b "$B" 2
	wait_for 10 path_works
}

# ---- netconsole ----------------------------------------------------------------------------------------------------

console=/tmp/config/netconsole/target

console_on() {	# console_on DEV NET
	mkdir -p /tmp/config
	[ -d /tmp/config/netconsole ] || mount -t configfs none /tmp/config || give_up "no configfs"
	[ -d /tmp/config/netconsole ] || give_up "this kernel's netconsole has no targets"
	mkdir $console
	echo "$1" >$console/dev_name
	echo "$2.1" >$console/local_ip
	echo "$2.2" >$console/remote_ip
	in_b cat "/sys/class/net/$B/address" >$console/remote_mac
	# It looks for the interface in the namespace of whoever writes this.
	in_a dash -c "echo 1 >$console/enabled" || fail "$(dmesg | grep netconsole | tail -n 1)"
}

console_off() {
	echo 0 >$console/enabled 2>/dev/null || :
	rmdir $console 2>/dev/null || :
}

line_arrives() {	# line_arrives DEV TEXT
	start_job ip netns exec b tcpdump -Z root -n -l -A -i "$1" udp dst port 6666
	wait_for 10 grep -q 'listening on' "$WORK/job.log" || fail "tcpdump does not listen"
	echo "<4>$2" >/dev/kmsg
	wait_for 5 grep -q "$2" "$WORK/job.log" || fail "the line did not arrive: $2"
	kill_jobs
}

netconsole_works() {	# netconsole_works port|vlan
	need_module netconsole
	here=$A there=$B net=10.0.0
	if [ "$1" = vlan ]; then
		vlan_up 8
		here=v8 there=v8 net=10.0.99
		wait_for 5 in_a ping -q -n -c 1 -W 1 10.0.99.2
	fi
	console_on "$here" "$net"
	for round in 1 2 3; do line_arrives "$there" "first-words-$round"; done
	# While the port is busy, and its poll runs on another CPU.
	start_job flows -B -a a -b b -d 10.0.0.2 -x 600 -p 7311
	start_job flows -B -a b -b a -d 10.0.0.1 -x 600 -p 7312
	for line in $(seq 50); do echo "<4>busy-words-$line" >/dev/kmsg; done
	kill_jobs
	line_arrives "$there" "last-words"
	console_off
	vlan_down 8
	path_works
}

after_failure() {
	console_off
	vlan_down 8
	knob_of_b threaded 0
	knob_of_b napi_defer_hard_irqs 0
	knob_of_b gro_flush_timeout 0
	echo 0 >/proc/sys/net/core/busy_read
	echo 0 >/proc/sys/net/core/busy_poll
	in_b ethtool -C "$B" adaptive-rx on
	in_b ethtool -L "$B" combined "$SMP"
	restore_pair
} >/dev/null 2>&1

[ "$SMP" -ge 2 ] || { skip polls "one CPU"; finish; }
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact polls_in_threads_carry_traffic
fact sockets_poll_for_themselves
fact deferred_interrupts_are_fewer
fact settings_of_a_poll_stay_with_its_queue
fact netconsole_works port
fact netconsole_works vlan
finish

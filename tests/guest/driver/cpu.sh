# SPDX-License-Identifier: GPL-2.0-only
# CPUs that go, come, or have no time for the driver's polls.
. "${TESTS:-/tests}/lib.sh"

[ "$SMP" -ge 2 ] || { skip cpus "one CPU"; finish; }

irq_of() { awk -v name="$1" '$NF == name { sub(/:/, "", $1); print $1 }' /proc/interrupts; }

restarts() { stat a "$A" restarts; }

cpu_goes_and_comes_back_under_traffic() {
	cpu=/sys/devices/system/cpu/cpu1/online
	[ -w $cpu ] || give_up "CPU 1 cannot go"
	irq=$(irq_of "$A-TxRx-1")
	echo 2 >"/proc/irq/$irq/smp_affinity"
	before=$(restarts)
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	log_mark
	traffic on
	for round in $(seq "$(loops 4 50)"); do
		echo 0 >$cpu
		wait_for 10 path_works || fail "round $round: no ping without CPU 1"
		flows -a a -b b -d 10.0.0.2 -n 32 -r 2 -p 7310
		echo 1 >$cpu
		wait_for 10 path_works || fail "round $round: no ping with CPU 1 back"
		echo 2 >"/proc/irq/$irq/smp_affinity"
	done
	traffic off
	[ "$(restarts)" = "$before" ] || fail "the port was reset"
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "the link went down"
	[ -z "$(driver_complaints)" ] || fail "$(driver_complaints | head -n 2)"
	flows -a a -b b -d 10.0.0.2 -n 64 -r 2
	xfer -a b -b a -d fd00::1 -n 2M
}

# Queues do not change when a CPU goes that had one, and new ones can be had while it is away.
channels_change_while_a_cpu_is_away() {
	cpu=/sys/devices/system/cpu/cpu1/online
	[ -w $cpu ] || give_up "CPU 1 cannot go"
	echo 0 >$cpu
	in_a ethtool -L "$A" combined 1
	in_a ethtool -L "$A" combined 2
	in_a ethtool -G "$A" rx 256
	path_works || fail "no ping"
	flows -a a -b b -d 10.0.0.2 -n 32 -r 2
	echo 1 >$cpu
	in_a ethtool -G "$A" rx 512
	in_a ethtool -L "$A" combined "$SMP"
	path_works
	flows -a a -b b -d 10.0.0.2 -n 64 -r 2
}

threads_of() { ps -eo pid,comm | awk -v name="napi/$1-" 'index($2, name) == 1 { print $1 }'; }

# Newer kernels keep a twentieth of each CPU for threads that are not real-time.
share_for_others() {	# share_for_others NANOSECONDS
	[ ! -w /sys/kernel/debug/sched/fair_server/cpu1/runtime ] ||
		echo "$1" >/sys/kernel/debug/sched/fair_server/cpu1/runtime
}

warned() { log_since | grep -q 'completions wait to be handled'; }

# The polls run in threads that get no CPU; the ring fills, the watchdog sees that, and the hardware has done all its work.
starved_polls_are_no_hang() {
	[ "$(in_a ls "/sys/class/net/$A/threaded" 2>/dev/null)" ] || give_up "no threaded NAPI in this kernel"
	watchdog_expected
	in_a dash -c "echo 1 >/sys/class/net/$A/threaded"
	for thread in $(threads_of "$A"); do taskset -p 2 "$thread"; done
	path_works
	before=$(restarts)
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	was=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	log_mark
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	share_for_others 0
	start_job taskset 2 chrt -f 50 dash -c 'while :; do :; done'
	# As in the tests of hangs: many sockets on one CPU fill one ring.
	for port in 1 2 3 4 5 6 7 8; do start_job taskset 1 flows -B -x 10 -a a -b b -d 10.0.0.2 -p $((7300 + port)); done
	wait_for 14 warned && seen=yes || seen=no
	kill_jobs
	share_for_others 50000000
	echo "$was" >/proc/sys/kernel/sched_rt_runtime_us
	in_a dash -c "echo 0 >/sys/class/net/$A/threaded"
	wait_for 10 path_works || fail "no ping afterwards"
	[ "$seen" = yes ] || fail "nobody said that completions wait"
	log_since | grep 'hangs' && fail "taken for a hang"
	[ "$(restarts)" = "$before" ] || fail "the port was reset"
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "the link went down"
	say "$(log_since | grep 'completions wait' | head -n 1)"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

after_failure() {
	echo 1 >/sys/devices/system/cpu/cpu1/online
	share_for_others 50000000
	echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
	in_a dash -c "echo 0 >/sys/class/net/$A/threaded"
	in_a ethtool -L "$A" combined "$SMP"
	in_a ethtool -G "$A" rx 512
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact cpu_goes_and_comes_back_under_traffic
fact channels_change_while_a_cpu_is_away
# Leaves a report of the kernel behind. This shell must not be starved, too.
taskset -p 1 $$ >/dev/null
fact starved_polls_are_no_hang
finish

# SPDX-License-Identifier: GPL-2.0-only
# Accelerated RFS: a flow comes on the queue whose interrupt goes to the CPU that reads it, and its filter goes with it.
. "${TESTS:-/tests}/lib.sh"

on_queue() { stat_sum b "$B" "^rx_queue_${1}_packets\$"; }

arfs_is_on() {
	feature_fixed b "$B" ntuple-filters && give_up "no ntuple filters"
	[ -n "$(stat b "$B" arfs_added)" ] || give_up "no aRFS in this driver"
	[ -e /proc/sys/net/core/rps_sock_flow_entries ] || give_up "no RFS in this kernel"
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	in_b ethtool -K "$B" ntuple on
	wait_for 10 path_works
	echo 1024 >/proc/sys/net/core/rps_sock_flow_entries
	for queue in 0 1; do
		in_b dash -c "echo 256 >/sys/class/net/$B/queues/rx-$queue/rps_flow_cnt"
		irq=$(awk -v name="$B-TxRx-$queue" '$NF == name { sub(":", "", $1); print $1 }' /proc/interrupts)
		echo $queue >"/proc/irq/$irq/smp_affinity_list"
	done
}

need_arfs() { [ "$(cat /proc/sys/net/core/rps_sock_flow_entries 2>/dev/null || echo 0)" -gt 0 ] || give_up "no aRFS"; }

# 8 flows of 41 messages. The first two rounds come where the hash puts them: the stack has to see who reads them.
read_on() {	# read_on CPU ADDRESS [OPTION]
	# shellcheck disable=SC2086
	flows ${3:-} -a a -b b -d "$2" -n 8 -r 41 -w 300 -c "$1" >/dev/null
}

flows_follow_their_cpu() {	# flows_follow_their_cpu ADDRESS [-u]
	need_arfs
	for cpu in 1 0 1; do
		before=$(on_queue $cpu)
		added=$(stat b "$B" arfs_added)
		read_on $cpu "$1" "${2:-}"
		got=$(($(on_queue $cpu) - before))
		say "CPU $cpu: $got frames on its queue, $(($(stat b "$B" arfs_added) - added)) filters"
		[ $got -ge 280 ] || fail "$got of at least 328 frames came on queue $cpu, whose reader is on that CPU"
	done
	[ "$(stat b "$B" arfs_added)" -gt 0 ] || fail "no filter was made"
}

# The map from CPUs to queues follows the interrupts.
flows_follow_the_interrupts() {
	need_arfs
	swap_irqs 1 0
	before=$(on_queue 0)
	read_on 1 10.0.0.2 -u
	got=$(($(on_queue 0) - before))
	swap_irqs 0 1
	[ $got -ge 280 ] || fail "$got of at least 328 frames came on queue 0, whose interrupt goes to CPU 1"
}

swap_irqs() {	# swap_irqs CPU-OF-QUEUE-0 CPU-OF-QUEUE-1
	for queue in 0 1; do
		irq=$(awk -v name="$B-TxRx-$queue" '$NF == name { sub(":", "", $1); print $1 }' /proc/interrupts)
		eval "cpu=\$$((queue + 1))"
		# shellcheck disable=SC2154
		echo "$cpu" >"/proc/irq/$irq/smp_affinity_list"
	done
	sleep 0.2	# the kernel tells the driver from a work
}

all_gone() { [ "$(stat b "$B" arfs_added)" = "$(stat b "$B" arfs_removed)" ]; }

filters_end_with_their_flows() {
	need_arfs
	added=$(stat b "$B" arfs_added)
	for cpu in 0 1; do
		read_on $cpu 10.0.0.2 -u
	done
	[ "$(stat b "$B" arfs_added)" -gt "$added" ] || fail "no filter was made"
	wait_for 20 all_gone || fail "$(stat b "$B" arfs_added) filters made, $(stat b "$B" arfs_removed) taken away"
}

rules_of_the_user_come_first() {
	need_arfs
	read_on 0 10.0.0.2 -u
	read_on 1 10.0.0.2 -u
	[ "$(in_b ethtool -n "$B" | grep -c '^Filter:')" = 0 ] || fail "filters of aRFS are shown as rules"
	# Another mask than that of a whole flow
	in_b ethtool -N "$B" flow-type udp4 dst-port 7999 action -1 loc 0
	all_gone || fail "filters with another mask are left"
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the dropped flow arrived"
	read_on 0 10.0.0.2 -u
	read_on 1 10.0.0.2 -u
	in_b ethtool -N "$B" delete 0
	xfer -u -a a -b b -d 10.0.0.2 -p 7999 -n 200k
	sleep 1.2	# aRFS rests for a second after a flow it could not steer
	flows_follow_their_cpu 10.0.0.2 -u
}

flows_follow_after_down_and_up() {
	need_arfs
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	all_gone || fail "filters are counted that a reset has taken away"
	flows_follow_their_cpu 10.0.0.2 -u
}

arfs_goes_with_ntuple() {
	need_arfs
	read_on 0 10.0.0.2 -u
	read_on 1 10.0.0.2 -u
	in_b ethtool -K "$B" ntuple off
	wait_for 10 path_works
	all_gone || fail "filters are left"
	added=$(stat b "$B" arfs_added)
	read_on 0 10.0.0.2 -u
	read_on 1 10.0.0.2 -u
	[ "$(stat b "$B" arfs_added)" = "$added" ] || fail "filters are made without ntuple"
	echo 0 >/proc/sys/net/core/rps_sock_flow_entries
}

after_failure() { restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact arfs_is_on
fact flows_follow_their_cpu 10.0.0.2 -u
fact flows_follow_their_cpu 10.0.0.2
fact flows_follow_their_cpu fd00::2 -u
fact flows_follow_the_interrupts
fact filters_end_with_their_flows
fact rules_of_the_user_come_first
fact flows_follow_after_down_and_up
fact arfs_goes_with_ntuple
finish

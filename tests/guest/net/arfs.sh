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
	echo 262144 >/proc/sys/net/core/rps_sock_flow_entries
	set_flow_cnt $FLOWS
	swap_irqs 0 1
}

# So many that no two of a round share a place: the second one would not be steered.
FLOWS=65536

# How many flows the stack can tell apart on a queue. One that sees 10 times as many frames of others has ended for it.
set_flow_cnt() {
	for queue in 0 1; do
		in_b dash -c "echo $1 >/sys/class/net/$B/queues/rx-$queue/rps_flow_cnt"
	done
}

need_arfs() { [ "$(cat /proc/sys/net/core/rps_sock_flow_entries 2>/dev/null || echo 0)" -gt 0 ] || give_up "no aRFS"; }

# 8 flows of 41 messages; who reads them in b runs on CPU. Only sockets with a peer are followed, so with UDP the client is
# in b. The first rounds come where the hash puts them: the stack has to see who reads.
read_on() {	# read_on CPU tcp4|tcp6|udp4|udp6
	case $2 in
	tcp4) flows -a a -b b -d 10.0.0.2 -n 8 -r 41 -w 200 -c "$1" ;;
	tcp6) flows -a a -b b -d fd00::2 -n 8 -r 41 -w 200 -c "$1" ;;
	udp4) flows -u -a b -b a -d 10.0.0.1 -n 8 -r 41 -w 200 -C "$1" ;;
	udp6) flows -u -a b -b a -d fd00::1 -n 8 -r 41 -w 200 -C "$1" ;;
	esac >/dev/null
}

# follows CPU QUEUE KIND: most frames came on QUEUE. TCP makes fewer frames than messages when the receiver is slow.
follows() {
	# A new table: a flow of a round before keeps its place in the old one, for it has not ended (see set_flow_cnt).
	set_flow_cnt $FLOWS
	on=$(on_queue "$2")
	other=$(on_queue $((1 - $2)))
	added=$(stat b "$B" arfs_added)
	read_on "$1" "$3"
	on=$(($(on_queue "$2") - on))
	other=$(($(on_queue $((1 - $2))) - other))
	say "$3 read on CPU $1: $on frames on queue $2, $other on the other, $(($(stat b "$B" arfs_added) - added)) filters"
	[ $on -ge 100 ] && [ $on -ge $((6 * other)) ] ||
		fail "$3: $on frames on queue $2, $other on the other; they are read on CPU $1"
}

flows_follow_their_cpu() {	# flows_follow_their_cpu KIND
	need_arfs
	start=$(stat b "$B" arfs_added)
	for cpu in 1 0 1; do
		follows $cpu $cpu "$1"
	done
	[ "$(stat b "$B" arfs_added)" -gt "$start" ] || fail "no filter was made"
}

# The map from CPUs to queues follows the interrupts.
flows_follow_the_interrupts() {
	need_arfs
	swap_irqs 1 0
	follows 1 0 tcp4
	follows 0 1 udp4
	swap_irqs 0 1
	follows 0 0 tcp4
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
	set_flow_cnt 32
	start=$(stat b "$B" arfs_added)
	for cpu in 0 1; do
		read_on $cpu udp4
	done
	made=$(stat b "$B" arfs_added)
	[ "$made" -gt "$start" ] || fail "no filter was made"
	# One more flow on each CPU, long enough.
	for cpu in 0 1; do
		flows -u -a b -b a -d 10.0.0.1 -n 1 -r 700 -C $cpu >/dev/null
	done
	enough() { [ "$(stat b "$B" arfs_removed)" -ge "$made" ]; }
	wait_for 20 enough || fail "$made filters made for flows that ended, $(stat b "$B" arfs_removed) taken away"
	set_flow_cnt $FLOWS
	wait_for 10 all_gone || fail "$(stat b "$B" arfs_added) filters made, $(stat b "$B" arfs_removed) taken away"
}

rules_of_the_user_come_first() {
	need_arfs
	read_on 0 udp4
	read_on 1 udp4
	[ "$(in_b ethtool -n "$B" | grep -c '^Filter:')" = 0 ] || fail "filters of aRFS are shown as rules"
	# Another mask than that of a whole flow
	in_b ethtool -N "$B" flow-type udp4 dst-port 7999 action -1 loc 0
	all_gone || fail "filters with another mask are left"
	xfer -u -t 3 -a a -b b -d 10.0.0.2 -p 7999 -n 50k 2>/dev/null && fail "the dropped flow arrived"
	read_on 0 udp4
	read_on 1 udp4
	in_b ethtool -N "$B" delete 0
	xfer -u -a a -b b -d 10.0.0.2 -p 7999 -n 200k
	sleep 1.2	# aRFS rests for a second after a flow it could not steer
	flows_follow_their_cpu tcp4
}

flows_follow_after_down_and_up() {
	need_arfs
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	all_gone || fail "filters are counted that a reset has taken away"
	flows_follow_their_cpu tcp4
}

# Flows are being steered while the port sleeps, gets other queues, and goes for good.
filters_end_with_what_they_lie_on() {
	need_arfs
	start_job dash -c "while :; do flows -u -a b -b a -d 10.0.0.1 -n 16 -r 20 -C 0; flows -a a -b b -d 10.0.0.2 -n 16 -r 20 -c 1; done"
	for _ in $(seq "$(loops 2 20)"); do
		in_b ethtool -L "$B" combined 1
		in_b ethtool -L "$B" combined 2
		in_b ethtool -G "$B" rx 256
		in_b ethtool -G "$B" rx 512
		function_reset "$B"
		[ ! -w /sys/power/pm_test ] || sleep_and_wake
		set_addresses b "$B" 2
		wait_for 20 path_works || fail "no ping"
		sleep 0.5
	done
	[ "$(stat b "$B" arfs_added)" -gt 0 ] || fail "no filter was made"
	within 500 unload_driver
	kill_jobs
	restore_pair
	# The new interface starts as the first did.
	in_b ethtool -K "$B" ntuple on
	wait_for 10 path_works
	set_flow_cnt $FLOWS
	swap_irqs 0 1
}

# Until the rings of queues that go are at rest, frames come in on them; the kernel warns of a queue it does not have.
queues_go_under_steered_flows() {
	need_arfs
	in_b ethtool -L "$B" combined 4
	set_flow_cnt $FLOWS
	start_job dash -c "while :; do flows -u -a b -b a -d 10.0.0.1 -n 32 -r 20 -C 0; flows -a a -b b -d 10.0.0.2 -n 32 -r 20 -c 1; done"
	for _ in $(seq "$(loops 4 40)"); do
		in_b ethtool -L "$B" combined 2
		in_b ethtool -L "$B" combined 4
	done
	kill_jobs
	in_b ethtool -L "$B" combined 2
	set_flow_cnt $FLOWS
	swap_irqs 0 1
	wait_for 10 path_works
}

arfs_goes_with_ntuple() {
	need_arfs
	read_on 0 udp4
	read_on 1 udp4
	in_b ethtool -K "$B" ntuple off
	wait_for 10 path_works
	all_gone || fail "filters are left"
	added=$(stat b "$B" arfs_added)
	read_on 0 udp4
	read_on 1 udp4
	[ "$(stat b "$B" arfs_added)" = "$added" ] || fail "filters are made without ntuple"
	echo 0 >/proc/sys/net/core/rps_sock_flow_entries
}

nothing_is_complained_of() { [ -z "$(driver_complaints)" ] || fail "$(driver_complaints | head -n 2)"; }

after_failure() { swap_irqs 0 1; restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
log_mark
fact arfs_is_on
fact flows_follow_their_cpu tcp4
fact flows_follow_their_cpu tcp6
fact flows_follow_their_cpu udp4
fact flows_follow_their_cpu udp6
fact flows_follow_the_interrupts
fact filters_end_with_their_flows
fact rules_of_the_user_come_first
fact flows_follow_after_down_and_up
fact filters_end_with_what_they_lie_on
fact queues_go_under_steered_flows
fact arfs_goes_with_ntuple
fact nothing_is_complained_of
finish

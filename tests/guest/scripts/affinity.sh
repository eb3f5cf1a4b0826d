# SPDX-License-Identifier: GPL-2.0-only
# txgbe-affinity on real vectors; topology numa25: the adapter is on node 1, half of the CPUs are there.
. "${TESTS:-/tests}/lib.sh"

AFFINITY=/scripts/txgbe-affinity

irqs() {	# irqs IF: numbers of its queue vectors, in order
	awk -v p="$1-TxRx-" 'index($NF, p) == 1 { sub(/:/, "", $1); print substr($NF, length(p) + 1), $1 }' /proc/interrupts |
		sort -n | awk '{ print $2 }'
}

placed() { for irq in $(irqs "$1"); do cat "/proc/irq/$irq/smp_affinity_list"; done | tr '\n' ' '; }

# Everything that the script may change, as text.
state() {
	for f in /proc/irq/[0-9]*/smp_affinity /sys/class/net/*/queues/tx-*/xps_cpus; do
		value=$(cat "$f" 2>/dev/null) && echo "$f $value"
	done
}

node_cpus() { sed 's/-/ /' "/sys/devices/system/node/node$1/cpulist" | { read -r lo hi; seq -s ' ' "$lo" "${hi:-$lo}"; }; }

both_up() {
	load_driver
	ip link set p0 up
	ip link set p1 up
	wait_for 20 grep -q 1 /sys/class/net/p0/carrier
	wait_for 20 grep -q 1 /sys/class/net/p1/carrier
}

local_places_two_ports_on_the_adapters_node() {
	near=" $(node_cpus "$(cat /sys/class/net/p0/device/numa_node)") "
	state >"$WORK/before"
	$AFFINITY all
	$AFFINITY local
	for cpu in $(placed p0) $(placed p1); do
		case $near in *" $cpu "*) ;; *) fail "a vector is on CPU $cpu, the node has$near" ;; esac
	done
}

ports_of_the_card_are_on_disjoint_cores() {
	[ "$(nproc)" -ge 4 ] || give_up "needs two CPUs on the node"
	for cpu in $(placed p0); do
		case " $(placed p1) " in *" $cpu "*) fail "both ports use CPU $cpu" ;; esac
	done
}

placement_survives_down_and_up() {
	was=$(placed p0)
	ip link set p0 down
	ip link set p0 up
	wait_for 20 grep -q 1 /sys/class/net/p0/carrier
	[ "$(placed p0)" = "$was" ] || fail "was $was, is $(placed p0)"
}

doctor_agrees() {
	/scripts/txgbe-doctor --only irq >"$WORK/doctor" || fail "$(cat "$WORK/doctor")"
	for irq in $(irqs p0); do
		node_cpus 0 | cut -d' ' -f1 >"/proc/irq/$irq/smp_affinity_list"
		break
	done
	/scripts/txgbe-doctor --only irq >"$WORK/doctor" || :
	grep -qE '(FAULT|WARN) *p0 *irq-remote' "$WORK/doctor"
	$AFFINITY local
	/scripts/txgbe-doctor --only irq
}

undo_is_byte_for_byte() {
	$AFFINITY --undo
	state >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
	[ ! -e /var/lib/txgbe ] || fail "a snapshot is left"
}

snapshot_follows_a_port_through_a_namespace() {
	make_ns
	state >"$WORK/before"
	$AFFINITY local p0
	ip link set p0 netns a
	$AFFINITY --undo >"$WORK/out" 2>&1
	grep -q 'another network namespace' "$WORK/out" || fail "$(cat "$WORK/out")"
	ip -n a link set p0 netns 1
	ip link set p0 up
	wait_for 20 grep -q 1 /sys/class/net/p0/carrier
	$AFFINITY --undo
	state >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ')"
}

undo_after_a_reload_has_nothing_to_put_back() {
	$AFFINITY local
	unload_driver
	both_up
	state >"$WORK/before"
	$AFFINITY --undo >"$WORK/out" 2>&1
	grep -q 'nothing to undo' "$WORK/out" || fail "$(cat "$WORK/out")"
	state >"$WORK/after"
	cmp "$WORK/before" "$WORK/after"
	[ ! -e /var/lib/txgbe ] || fail "a snapshot is left"
}

undo_works_without_the_driver() {
	$AFFINITY local
	unload_driver
	$AFFINITY --undo
	[ ! -e /var/lib/txgbe ] || fail "a snapshot is left"
	both_up
}

interrupts_come_where_they_were_sent() {
	up_pair
	path_works
	in_a $AFFINITY --no-xps one 1 p0
	# The vectors move with their next interrupt; each gets some.
	flows -a a -b b -d 10.0.0.2 -n 256 -r 4
	for irq in $(irqs p0); do awk -v i="$irq:" '$1 == i { print $2 }' /proc/interrupts; done >"$WORK/cpu0"
	xfer -a b -b a -d 10.0.0.1 -n 8M
	for irq in $(irqs p0); do awk -v i="$irq:" '$1 == i { print $2 }' /proc/interrupts; done >"$WORK/cpu0.after"
	cmp "$WORK/cpu0" "$WORK/cpu0.after" || fail "CPU 0 still serves interrupts of p0"
	in_a $AFFINITY --undo
}

each_cpu_sends_on_its_queue() {
	in_a test -e "/sys/class/net/$A/queues/tx-1" || give_up "one queue"
	in_a cat "/sys/class/net/$A/queues/tx-0/xps_cpus" >/dev/null 2>&1 || give_up "no XPS in this kernel"
	in_a $AFFINITY custom 0-$(($(nproc) - 1)) "$A"
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		before=$(stat a "$A" "tx_queue_${cpu}_packets")
		in_a taskset $((1 << cpu)) ping -q -n -f -c 200 10.0.0.2 >/dev/null
		grown=$(($(stat a "$A" "tx_queue_${cpu}_packets") - before))
		[ $grown -ge 190 ] || fail "CPU $cpu sent $grown of 200 on queue $cpu"
	done
	in_a $AFFINITY --undo
}

both_up || { not_ok ports_are_up "no link"; finish; }
fact local_places_two_ports_on_the_adapters_node
fact ports_of_the_card_are_on_disjoint_cores
fact placement_survives_down_and_up
fact doctor_agrees
fact undo_is_byte_for_byte
fact snapshot_follows_a_port_through_a_namespace
fact undo_after_a_reload_has_nothing_to_put_back
fact undo_works_without_the_driver
fact interrupts_come_where_they_were_sent
fact each_cpu_sends_on_its_queue
finish

# SPDX-License-Identifier: GPL-2.0-only
# Rings, buffers and vectors of an adapter on node 1 are on node 1; topology numa25.
. "${TESTS:-/tests}/lib.sh"

node() { cat "/sys/bus/pci/devices/$(port_pci "$A")/numa_node"; }
free_on() { awk '/MemFree/ { print $4 }' "/sys/devices/system/node/node$1/meminfo"; }

adapter_is_on_node_1() { [ "$(node)" = 1 ] || give_up "adapter is on node $(node)"; }

ring_memory_is_taken_from_the_adapters_node() {
	[ "$(node)" = 1 ] || give_up "adapter is on node $(node)"
	ip -n a link set "$A" down
	in_a ethtool -G "$A" rx 4096 tx 4096 2>/dev/null || :
	mem_settled >/dev/null
	far=$(free_on 0)
	near=$(free_on 1)
	# From the far node, so that "local to the caller" would be wrong.
	in_a taskset 1 ip link set "$A" up
	far=$((far - $(free_on 0)))
	near=$((near - $(free_on 1)))
	say "open took $near kB of node 1 and $far kB of node 0"
	set_addresses a "$A" 1
	in_a ethtool -G "$A" rx 512 tx 512 2>/dev/null || :
	[ "$near" -gt $((far * 3)) ] || fail "$near kB of node 1, $far kB of node 0"
}

vectors_are_hinted_to_the_adapters_node() {
	[ "$(node)" = 1 ] || give_up "adapter is on node $(node)"
	for irq in /sys/bus/pci/devices/"$(port_pci "$A")"/msi_irqs/*; do
		irq=${irq##*/}
		grep -q "^ *$irq:.*TxRx" /proc/interrupts || continue
		[ "$(cat "/proc/irq/$irq/node")" = 1 ] || fail "vector $irq is on node $(cat "/proc/irq/$irq/node")"
	done
}

traffic_is_verified() {
	xfer -a a -b b -d 10.0.0.2 -n 8M
	xfer -a b -b a -d fd00::1 -n 8M
}

after_failure() { restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact adapter_is_on_node_1
fact ring_memory_is_taken_from_the_adapters_node
wait_for 10 path_works
fact vectors_are_hinted_to_the_adapters_node
fact traffic_is_verified
finish

#!/bin/dash
# SPDX-License-Identifier: GPL-2.0-only
# The guest sees every port of the topology, and hostctl reaches each of them.
n=0
check() {
	n=$((n + 1))
	what=$1
	shift
	if "$@" >/tmp/out 2>&1; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		sed 's/^/# /' /tmp/out
	fi
}
is_ours() { [ "$(cat "/sys/bus/pci/devices/$1/vendor")" = 0x8088 ]; }
counters_are_json() { hostctl counters "$1" | jsonq mmio_read; }
cable_is() { [ "$(hostctl get "$1" cable)" = "$2" ]; }
refused() { ! hostctl "$@"; }
PATH=/tests/bin:$PATH
for port in $PORTS; do
	address=
	eval "address=\$PCI_$port"
	echo "# $port at $address, node $(cat "/sys/bus/pci/devices/$address/numa_node")"
	check "${port}_is_at_its_address" is_ours "$address"
	check "${port}_counters_are_json" counters_are_json "$port"
	check "${port}_counters_can_be_reset" hostctl reset-counters "$port"
	check "${port}_cable_can_be_cut" hostctl set "$port" cable false
	check "${port}_cable_reads_back" cable_is "$port" false
	check "${port}_cable_can_be_mended" hostctl set "$port" cable true
	check "${port}_takes_a_number" hostctl set "$port" fault-flap-ms 0
	check "${port}_takes_a_module" hostctl set "$port" module sfp28-sr
done
check unknown_property_is_refused refused get p0 nonsense
check unknown_device_is_refused refused get p99 link
check qmp_command_is_answered hostctl qmp '{"execute":"query-status"}'
echo "1..$n"

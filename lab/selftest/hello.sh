#!/bin/dash
# SPDX-License-Identifier: GPL-2.0-only
# The guest has what tests need: tools, file systems, modules, the line to the runner.
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
uname -a | sed 's/^/# /'
for tool in ip tc bridge ethtool iperf3 ping tcpdump bpftool dash modprobe awk hostctl; do
	check "tool $tool" command -v "$tool"
done
check "ip netns" ip netns add x
check "ping loopback" ping -c 1 -W 2 127.0.0.1
check "ping loopback over IPv6" ping -c 1 -W 2 ::1
check "bond device" ip link add bond9 type bond
check "vxlan device" ip link add vx9 type vxlan id 9 dstport 4789 dev lo
check "bridge device" ip link add br9 type bridge
check "VLAN device" ip link add link br9 name v9 type vlan id 9
check "pktgen" modprobe pktgen
check "bpftool" bpftool prog show
check "debugfs" test -d /sys/kernel/debug/tracing
echo "# a line that is long: $(seq -s, 1 300)"
echo "1..$n"

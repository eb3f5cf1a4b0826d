# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2154
#
# The demonstration: two emulated FF5025 ports wired together, each in a network namespace of its own, and our driver.

. /tests/lib.sh

step() { printf '\n==> %s\n' "$*"; }

driver_loads() {
	load_driver
	dmesg | grep 'txgbe.*8088\|txgbe 0000' | sed 's/^/NOTE /'
}

both_ports_come_up() {
	up_pair
	in_a ethtool p0 | sed 's/^/NOTE /'
	in_a ethtool -i p0 | sed 's/^/NOTE /'
}

ping_works() {	# ping_works ADDRESS
	pings "$1" 1
	in_a ping -q -n -i 0.02 -c 50 "$1" | tail -n 1 >"$WORK/ping"
	row "ping $1" "$(sed 's/.*= \([^/]*\)\/\([^/]*\)\/.*/min \1 ms, average \2 ms/' "$WORK/ping")"
}

row() { printf '%-34s %s\n' "$1" "$2" >>"$WORK/table"; }

iperf3_works() {	# iperf3_works FROM TO ADDRESS WHAT
	hostctl reset-counters p0
	hostctl reset-counters p1
	rate=$(iperf "$1" "$2" "$3")
	from=p0
	to=p1
	[ "$1" = a ] || { from=p1; to=p0; }
	frames=$(counters $from tx_frames)
	row "iperf3 TCP $4" "$rate Mbit/s, $frames frames, $(counters $from doorbell_tx) doorbells, $(counters $to irq_total) interrupts"
	[ "$rate" -gt 0 ]
}

payload_is_right() {
	xfer -q -t 3 -a a -b b -d 10.0.0.2 -p 7300 -n 8M
	row "payload verified byte by byte" "8 MiB, TCP over IPv4"
}

rm -f "$WORK/table"
step "loading the driver on Linux $(uname -r)"
fact driver_loads
step "bringing both ports up"
fact both_ports_come_up
step "ping"
fact ping_works 10.0.0.2
fact ping_works fd00::2
step "iperf3, one TCP flow, $SECONDS_IPERF s each"
fact iperf3_works a b 10.0.0.2 "IPv4, port 0 to 1"
fact iperf3_works b a 10.0.0.1 "IPv4, port 1 to 0"
fact iperf3_works a b fd00::2 "IPv6, port 0 to 1"
fact iperf3_works b a fd00::1 "IPv6, port 1 to 0"
step "a transfer whose every byte is checked"
fact payload_is_right

printf '\nTwo FF5025 ports on the emulated adapter, Linux %s, %s vCPU under TCG.\n' "$(uname -r)" "$SMP"
printf 'The rates say what the emulator can do, not what the card can.\n\n'
cat "$WORK/table" 2>/dev/null
for port in p0 p1; do
	printf '%-34s %s\n' "model's counters, $port, last run" \
		"MMIO reads $(counters $port mmio_read), writes $(counters $port mmio_write), violations $(counters $port violations)"
done
echo
finish

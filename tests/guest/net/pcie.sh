# SPDX-License-Identifier: GPL-2.0-only
# The line about a PCIe link that is too slow, with its cost. EXPECT=short: 2.5 GT/s x1, far too slow. EXPECT=fine: nothing
# is said. EXPECT=busy: nor is it of 8 GT/s x8 for two ports of 25G, unless read requests are made so small that it is not
# enough for both ways at once.
. "${TESTS:-/tests}/lib.sh"

: "${EXPECT:=busy}"

# Where the device control register of a port is in its configuration space.
devctl_of() {
	od -An -v -tu1 "/sys/bus/pci/devices/$1/config" | awk '
		{ for (i = 1; i <= NF; i++) b[n++] = $i }
		END { for (at = b[52]; at; at = b[at + 1]) if (b[at] == 16) print at + 8 }'
}

read_request() {	# read_request CODE: 128 << CODE bytes, for all ports, as an administrator would with setpci
	for dev in $(ports); do
		at=$(devctl_of "$dev")
		[ -n "$at" ] || fail "no PCIe capability was found"
		high=$(od -An -tu1 -j $((at + 1)) -N 1 "/sys/bus/pci/devices/$dev/config")
		# shellcheck disable=SC2059
		printf "\\$(printf %o $(((high & 0x8f) | ($1 << 4))))" |
			dd of="/sys/bus/pci/devices/$dev/config" bs=1 seek=$((at + 1)) conv=notrunc 2>/dev/null
	done
}

bus() { cat "/sys/bus/pci/devices/$(port_pci "$1")/$2"; }

cost_is_said_once() {
	say "$(bus p0 current_link_speed), x$(bus p0 current_link_width)"
	if [ "$EXPECT" != short ]; then
		! dmesg | grep 'PCIe .* carries' || fail "said of a slot that is wide enough"
		[ "$EXPECT" = busy ] || return 0
		read_request 0
		unload_driver
		load_driver
	fi
	dmesg | grep 'PCIe .* carries' >"$WORK/lines" || :
	[ -s "$WORK/lines" ] || fail "nothing said about $(bus p0 current_link_speed) x$(bus p0 current_link_width)"
	[ "$(wc -l <"$WORK/lines")" -eq 1 ] || fail "$(wc -l <"$WORK/lines") lines: $(cat "$WORK/lines")"
	say "$(cat "$WORK/lines")"
	case $EXPECT in
	# 2 Gb/s after 8b/10b, of which headers take 24 bytes in 152.
	short) want='PCIe 2.5 GT/s x1 carries 2.0 Gb/s; .* leave 1.6 for frames; 2 ports of 25G need 50: 48.3 Gb/s are lost' ;;
	# 128 bytes with 24 of header, and 24 more for each 128 bytes that are read.
	busy) want='PCIe 8 GT/s x8 carries 63.0 Gb/s; .* read request 128 leave 45.8 for frames each way when both are busy; .* need 50: 4.1 Gb/s are lost' ;;
	esac
	grep -q "$want" "$WORK/lines" || fail "$(cat "$WORK/lines")"
}

bind() { port_pci "$2" >"/sys/bus/pci/drivers/txgbe/$1"; }

# The first port speaks for all, unless it is somebody else's.
cost_is_said_by_a_port_that_is_alone() {
	[ "$EXPECT" = busy ] || give_up "not of this slot"
	load_driver
	down_pair
	bind unbind p0
	bind unbind p1
	read_request 0
	log_mark
	bind bind p1
	log_since | grep 'PCIe .* carries' >"$WORK/lines" || :
	bind bind p0
	read_request 2
	restore_pair
	grep -q "$(port_pci p1): PCIe .*; 2 ports of 25G" "$WORK/lines" || fail "nothing said: $(cat "$WORK/lines")"
}

# Maximum payload and read request, bits 7:5 and 14:12 of the device control register, are the PCI core's to choose.
device_control() {
	for dev in $(ports); do
		od -An -tu2 -j "$(devctl_of "$dev")" -N 2 "/sys/bus/pci/devices/$dev/config" |
			awk '{ printf "%d %d\n", int($1 / 32) % 8, int($1 / 4096) % 8 }'
	done
}

sizes_of_pcie_are_left_alone() {
	unload_driver
	read_request 3
	device_control >"$WORK/before"
	grep -q ' 3$' "$WORK/before" || fail "a read request of 1024 was not taken: $(tr '\n' ' ' <"$WORK/before")"
	load_driver
	restore_pair
	echo 1 >"/sys/bus/pci/devices/$(port_pci p0)/reset"
	wait_for 10 path_works
	device_control >"$WORK/after"
	read_request 2
	cmp "$WORK/before" "$WORK/after" || fail "payload and read request: $(tr '\n' ' ' <"$WORK/before"), now $(tr '\n' ' ' <"$WORK/after")"
	say "codes of payload and read request: $(tr '\n' ' ' <"$WORK/after")"
}

traffic_works_all_the_same() { restore_pair; }

load_driver || { not_ok driver_loads "no interfaces"; finish; }
fact cost_is_said_once
fact cost_is_said_by_a_port_that_is_alone
fact traffic_works_all_the_same
fact sizes_of_pcie_are_left_alone
finish

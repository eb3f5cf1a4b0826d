# SPDX-License-Identifier: GPL-2.0-only
# The line about a PCIe link that is too slow, with its cost. EXPECT=short: 2.5 GT/s x1, far too slow. EXPECT=fine: 8 GT/s
# x8 for two ports of 25G, which is enough but for both ways at once with the small read requests of the lab's firmware.
. "${TESTS:-/tests}/lib.sh"

: "${EXPECT:=fine}"

bus() { cat "/sys/bus/pci/devices/$(port_pci "$1")/$2"; }

# Of the PCI Express capability; max read request in bytes: read_request PORT [BYTES]
read_request() {
	config=/sys/bus/pci/devices/$(port_pci "$1")/config
	at=$((0xa9))	# high byte of Device Control
	high=$(od -An -tu1 -j $at -N 1 "$config")
	if [ $# -eq 2 ]; then
		code=0
		while [ $((128 << code)) -lt "$2" ]; do code=$((code + 1)); done
		# shellcheck disable=SC2059
		printf "\\$(printf %03o $(((high & 0x8f) | code << 4)))" |
			dd of="$config" bs=1 seek=$at conv=notrunc 2>/dev/null
		high=$(od -An -tu1 -j $at -N 1 "$config")
	fi
	echo $((128 << (high >> 4 & 7)))
}

lines_since() { log_since | grep 'PCIe .* carries' >"$WORK/lines" || :; }

probe_again_with() {	# probe_again_with READ_REQUEST
	unload_driver
	for port in p0 p1; do
		[ "$(read_request $port "$1")" -eq "$1" ] || fail "read request of $port is $(read_request $port)"
	done
	log_mark
	load_driver
	lines_since
}

# 63.0 Gb/s take 128 bytes with 24 of header, and 24 more for each 128 bytes that are read: 45.8.
cost_of_both_ways_at_once_is_said() {
	probe_again_with 128
	[ "$(wc -l <"$WORK/lines")" -eq 1 ] || fail "$(wc -l <"$WORK/lines") lines: $(cat "$WORK/lines")"
	grep -q 'PCIe 8 GT/s x8 carries 63.0 Gb/s; .* read request 128 leave 45.8 for frames each way when both are busy' \
		"$WORK/lines" || fail "$(cat "$WORK/lines")"
	grep -q '2 ports of 25G need 50: 4.1 Gb/s are lost' "$WORK/lines" || fail "$(cat "$WORK/lines")"
}

# With requests of 512 bytes it is 51.0.
slot_that_suffices_is_not_mentioned() {
	probe_again_with 512
	[ ! -s "$WORK/lines" ] || fail "$(cat "$WORK/lines")"
}

cost_is_said_once() {
	say "$(bus p0 current_link_speed), x$(bus p0 current_link_width)"
	dmesg | grep 'PCIe .* carries' >"$WORK/lines" || :
	[ -s "$WORK/lines" ] || fail "nothing said about $(bus p0 current_link_speed) x$(bus p0 current_link_width)"
	twice=$(sed 's/.*\(....:..:..\..\):.*/\1/' "$WORK/lines" | sort | uniq -d)
	[ -z "$twice" ] || fail "said twice for $twice"
	say "$(head -n 1 "$WORK/lines")"
	# The link of the lab's device: 2.5 GT/s x1 is 2 Gb/s after 8b/10b, of which headers take 24 bytes in 152.
	grep -q 'PCIe 2.5 GT/s x1 carries 2.0 Gb/s; .* leave 1.6 for frames; 2 ports of 25G need 50: 48.3 Gb/s are lost' \
		"$WORK/lines" || fail "$(cat "$WORK/lines")"
}

traffic_works_all_the_same() { restore_pair; }

load_driver || { not_ok driver_loads "no interfaces"; finish; }
if [ "$EXPECT" = fine ]; then
	fact cost_of_both_ways_at_once_is_said
	fact slot_that_suffices_is_not_mentioned
else
	fact cost_is_said_once
fi
fact traffic_works_all_the_same
finish

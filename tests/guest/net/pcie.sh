# SPDX-License-Identifier: GPL-2.0-only
# The line about a PCIe link that is too slow: there with its cost when it is (EXPECT=short), else not (EXPECT=fine).
. "${TESTS:-/tests}/lib.sh"

: "${EXPECT:=fine}"

bus() { cat "/sys/bus/pci/devices/$(port_pci "$1")/$2"; }

cost_is_said_once() {
	say "$(bus p0 current_link_speed), x$(bus p0 current_link_width)"
	dmesg | grep 'PCIe .* carries' >"$WORK/lines" || :
	if [ "$EXPECT" = fine ]; then
		[ ! -s "$WORK/lines" ] || fail "$(head -n 1 "$WORK/lines")"
		return 0
	fi
	[ -s "$WORK/lines" ] || fail "nothing said about $(bus p0 current_link_speed) x$(bus p0 current_link_width)"
	twice=$(sed 's/.*\(....:..:..\..\):.*/\1/' "$WORK/lines" | sort | uniq -d)
	[ -z "$twice" ] || fail "said twice for $twice"
	say "$(head -n 1 "$WORK/lines")"
	# The link of the lab's device: 2.5 GT/s x1 is 2 Gb/s after 8b/10b.
	grep -q 'PCIe 2.5 GT/s x1 carries 2.0 Gb/s' "$WORK/lines" || fail "$(cat "$WORK/lines")"
	grep -qE ': [0-9]+\.[0-9] Gb/s are lost' "$WORK/lines" || fail "no cost: $(cat "$WORK/lines")"
}

traffic_works_all_the_same() { restore_pair; }

load_driver || { not_ok driver_loads "no interfaces"; finish; }
fact cost_is_said_once
fact traffic_works_all_the_same
finish

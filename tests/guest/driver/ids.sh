# SPDX-License-Identifier: GPL-2.0-only
# Every device id of the family is taken, with what it stands for; topology tests/suites/ids.json.
. "${TESTS:-/tests}/lib.sh"

device_id() { cat "/sys/bus/pci/devices/$(port_pci "$1")/device"; }

all_six_ids_are_present() {
	[ "$(for p in p0 p1 p2 p3 p4 p5; do device_id "$p"; done | sort -u | wc -l)" -eq 6 ]
}

every_id_gets_an_interface() {
	log_mark
	load_driver || fail "not all ports have an interface: $(driver_complaints | head -n 2)"
	for p in p0 p1 p2 p3 p4 p5; do
		ethtool -i "$p" | grep -qx 'driver: txgbe' || fail "$(device_id "$p"): $(ethtool -i "$p" | head -n 1)"
	done
	driver_complaints | grep -v 'taken for a plain optical board' >"$WORK/complaints" || :
	[ ! -s "$WORK/complaints" ] || fail "$(head -n 2 "$WORK/complaints")"
}

subsystem() { echo "$(cat "/sys/bus/pci/devices/$(port_pci "$1")/subsystem_vendor"):$(cat "/sys/bus/pci/devices/$(port_pci "$1")/subsystem_device")"; }

# Boards of other makers, whose subsystem ids say nothing to the driver: the pairs below run on them. One has no id in its
# flash, either, which is worth a line.
custom_boards_are_taken() {
	for board in "p2 0x1bd4:0x00e1 0" "p3 0xfffe:0xffff 1" "p4 0x19e5:0x0000 0"; do
		# shellcheck disable=SC2086
		set -- $board
		[ "$(subsystem "$1")" = "$2" ] || fail "$1 is $(subsystem "$1")"
		[ -d "/sys/bus/pci/devices/$(port_pci "$1")/net" ] || fail "$1 has no interface"
		lines=$(dmesg | grep -c "$(port_pci "$1").*no board id in flash") || :
		[ "$lines" -eq "$3" ] || fail "$lines lines about the board of $1"
	done
}

wired_pair_of_ids_carries_traffic() {	# IF IF SPEED
	up_pair "$1" "$2" || fail "no carrier"
	path_works || fail "no ping"
	ethq -n a link "$1" | grep -qx "up speed=$3 duplex=full" || fail "$(ethq -n a link "$1")"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	down_pair
}

after_failure() { down_pair; } >/dev/null 2>&1

driver_loaded && unload_driver
fact all_six_ids_are_present
fact every_id_gets_an_interface
fact custom_boards_are_taken
fact wired_pair_of_ids_carries_traffic p0 p1 25000
fact wired_pair_of_ids_carries_traffic p2 p3 40000
fact wired_pair_of_ids_carries_traffic p4 p5 10000
finish

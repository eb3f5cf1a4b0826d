# SPDX-License-Identifier: GPL-2.0-only
# ethtool -i, -d and -e: complete, without a side effect, any offset and length.
. "${TESTS:-/tests}/lib.sh"

eth() { in_a ethtool "$@"; }

driver_info_is_complete() {
	eth -i "$A" >"$WORK/out"
	grep -qx 'driver: txgbe' "$WORK/out"
	# The module's, as modinfo has it; without one the core would tell the kernel's.
	grep -qx "version: $(cat /sys/module/txgbe/version)" "$WORK/out" || fail "$(grep ^version "$WORK/out")"
	grep -qE '^firmware-version: 0x[0-9a-f]{8}' "$WORK/out" || fail "$(grep firmware "$WORK/out")"
	grep -qx "bus-info: $(port_pci "$A")" "$WORK/out"
	for what in statistics test eeprom-access register-dump; do
		grep -qx "supports-$what: yes" "$WORK/out" || fail "$(grep "supports-$what" "$WORK/out")"
	done
}

regs() { eth -d "$A" raw on >"$1"; }

# Value of one register in a raw dump of (offset, value) pairs: reg FILE OFFSET
reg() { od -An -v -tx4 -w8 "$1" | awk -v o="$2" '$1 == o { print $2; exit }'; }

register_dump_tells_the_state() {
	regs "$WORK/regs"
	size=$(wc -c <"$WORK/regs")
	[ "$size" -ge 4000 ] && [ $((size % 8)) -eq 0 ] || fail "$size bytes"
	[ "$(od -An -v -tx4 -w8 "$WORK/regs" | awk '{ print $1 }' | sort | uniq -d | wc -l)" -eq 0 ] || fail "an offset comes twice"
	# The link bit of CFG_PORT_ST, and the frame limit that goes with the MTU.
	st=$(reg "$WORK/regs" 00014404)
	[ $((0x$st & 1)) -eq 1 ] || fail "CFG_PORT_ST is $st with a link"
	# The MTU with Ethernet header, FCS and two tags.
	[ $((0x$(reg "$WORK/regs" 00015020) - 1500)) -eq 26 ] || fail "PSR_MAX_SZ $(reg "$WORK/regs" 00015020)"
	set_mtu 4000
	regs "$WORK/regs"
	size=$(reg "$WORK/regs" 00015020)
	set_mtu 1500
	[ $((0x$size)) -eq 4026 ] || fail "PSR_MAX_SZ $size with MTU 4000"
}

# Ring i of XDP is transmit ring 64 + i of the device, PX_TR_CFG is at 0x3010 + 0x40 for each.
register_dump_shows_the_rings_of_xdp() {
	xdp -a a -i "$A" attach tx || give_up "no XDP in this kernel"
	regs "$WORK/regs"
	xdp -a a -i "$A" detach
	for ring in 0 $((SMP - 1)); do
		offset=$(printf '%08x' $((0x3010 + 0x40 * (64 + ring))))
		cfg=$(reg "$WORK/regs" "$offset")
		[ -n "$cfg" ] || fail "ring $ring of XDP is not in the dump"
		[ $((0x$cfg & 1)) -eq 1 ] || fail "ring $ring of XDP is off: $cfg"
	done
	wait_for 20 path_works
}

register_dump_has_a_version() {
	eth -d "$A" hex on >"$WORK/out" 2>&1
	[ -s "$WORK/out" ] || fail "no output"
	ethq -n a dump "$A" 262144 >"$WORK/out"
	grep -q '^regs ok' "$WORK/out" || fail "$(cat "$WORK/out")"
}

# Counters that clear on read must be the same with and without dumps in between.
register_dump_loses_no_count() {
	need_model
	before=$(stat a "$A" tx_dma_packets); m=$(counters p0 tx_frames)
	for _ in 1 2 3 4 5; do
		rawframe -a a -i "$A" -b b -j "$B" burst 40 200
		regs "$WORK/regs"
	done
	after=$(stat a "$A" tx_dma_packets); m=$(($(counters p0 tx_frames) - m))
	[ $((after - before)) -eq $m ] || fail "counted $((after - before)) of $m frames"
}

dump_records_no_violation() {
	need_model
	before=$(hostctl violations p0)
	regs "$WORK/regs"
	eth -e "$A" >/dev/null
	[ "$(hostctl violations p0)" = "$before" ] || fail "violations went from $before to $(hostctl violations p0)"
}

dump_works_on_a_closed_port_under_traffic() {
	start_job dash -c "while :; do ip netns exec a ethtool -d $A raw on >/dev/null; done"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	kill_jobs
	ip -n a link set "$A" down
	regs "$WORK/regs"
	[ $((0x$(reg "$WORK/regs" 00014404) & 0x300)) -eq 0 ] || fail "LAN id of port 0"
	eth -e "$A" offset 0 length 16 raw on >"$WORK/eeprom"
	[ "$(wc -c <"$WORK/eeprom")" -eq 16 ]
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 20 path_works
}

eeprom() { eth -e "$A" raw on offset "$1" length "$2"; }

whole_eeprom_is_read() {
	eth -e "$A" raw on >"$WORK/image"
	[ "$(wc -c <"$WORK/image")" -eq 4096 ] || fail "$(wc -c <"$WORK/image") bytes"
	# The words add up to 0xBABA when those that firmware changes count as erased (reference 03 section 4).
	sum=$(od -An -v -tu2 -w2 "$WORK/image" | awk 'NR - 1 < 1408 || NR - 1 >= 2048 { s += $1; next } { s += 65535 } END { print s % 65536 }')
	[ "$sum" -eq $((0xbaba)) ] || fail "checksum 0x$(printf %04x "$sum")"
}

# The version that -i shows stands in the image.
eeprom_holds_the_version() {
	eth -e "$A" raw on >"$WORK/image"
	word() { od -An -v -tx2 -j $((2 * $1)) -N 2 "$WORK/image" | tr -d ' '; }
	sw=$((0x$(word 28) / 2))
	version=$(word $((sw + 30)))$(word $((sw + 29)))
	eth -i "$A" | grep -q "^firmware-version: 0x$version" || fail "image has $version, $(eth -i "$A" | grep firmware-v)"
}

any_part_of_the_eeprom_is_read() {
	eth -e "$A" raw on >"$WORK/image"
	for part in "0 1" "1 1" "1 2" "2 3" "7 250" "243 2" "244 2" "255 491" "4095 1" "4094 2" "3000 1096"; do
		# shellcheck disable=SC2086
		eeprom $part >"$WORK/part"
		# shellcheck disable=SC2086
		set -- $part
		dd if="$WORK/image" bs=1 skip="$1" count="$2" of="$WORK/want" 2>/dev/null
		cmp -s "$WORK/part" "$WORK/want" || fail "offset $1 length $2 differs"
	done
	# The program itself cuts a request at the end of the image, so the driver is asked past it.
	eeprom 4000 97 >"$WORK/part"
	[ "$(wc -c <"$WORK/part")" -eq 96 ] || fail "$(wc -c <"$WORK/part") bytes from offset 4000 to the end"
	for part in "4096 1" "4000 97" "0 4097" "4294967295 2"; do
		# shellcheck disable=SC2086
		ethq -n a eeprom "$A" $part >"$WORK/out" && fail "offset and length $part taken"
		grep -qx 'Invalid argument' "$WORK/out" || fail "offset and length $part: $(cat "$WORK/out")"
	done
	ethq -n a eeprom "$A" 4000 96
}

silent_firmware_makes_the_eeprom_an_error() {
	need_model
	log_mark
	hostctl set p0 fault-fw silent
	began=$(now_cs)
	eeprom 0 64 >/dev/null 2>"$WORK/err" && { hostctl set p0 fault-fw none; fail "read without firmware"; }
	lasted=$(($(now_cs) - began))
	hostctl set p0 fault-fw none
	[ $lasted -le 400 ] || fail "took ${lasted}0 ms"
	wait_for 20 eeprom 0 64 >/dev/null || fail "no EEPROM after firmware came back"
	path_works
}

# MNG_SWFW_SYNC is at 0x1e008, bit 3 the flash's; ethtool holds the lock of all interfaces while it waits.
taken_flash_semaphore_is_an_error_soon() {
	need_model
	pci=$(port_pci p0)
	barpoke "$pci" 0x1e008 8 2>/dev/null || give_up "no access to the BAR beside the driver"
	[ "$(barpoke "$pci" 0x1e008)" = 0x00000008 ] || fail "the semaphore stands at $(barpoke "$pci" 0x1e008)"
	log_mark
	began=$(now_cs)
	eeprom 0 64 >/dev/null 2>"$WORK/err" && fail "read though somebody has the semaphore"
	lasted=$(($(now_cs) - began))
	in_a ethtool -t "$A" online >"$WORK/out" 2>&1 && fail "the self-test is content"
	tested=$(($(now_cs) - began - lasted))
	say "refused after ${lasted}0 ms, the self-test took ${tested}0 ms"
	grep -qi 'busy' "$WORK/err" || fail "$(cat "$WORK/err")"
	[ $lasted -le 150 ] && [ $tested -le 150 ] || fail "refused after ${lasted}0 ms, the self-test took ${tested}0 ms"
	[ "$(barpoke "$pci" 0x1e008)" = 0x00000008 ] || fail "the semaphore was taken over"
	barpoke "$pci" 0x1e008 0
	eeprom 0 64 >/dev/null || fail "no EEPROM with the semaphore free"
}

after_failure() {
	barpoke "$(port_pci p0)" 0x1e008 0
	hostctl set p0 fault-fw none
	xdp -a a -i "$A" detach
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact driver_info_is_complete
fact register_dump_tells_the_state
fact register_dump_shows_the_rings_of_xdp
fact register_dump_has_a_version
fact register_dump_loses_no_count
fact dump_records_no_violation
fact dump_works_on_a_closed_port_under_traffic
fact whole_eeprom_is_read
fact eeprom_holds_the_version
fact any_part_of_the_eeprom_is_read
fact taken_flash_semaphore_is_an_error_soon
fact silent_firmware_makes_the_eeprom_an_error
finish

# SPDX-License-Identifier: GPL-2.0-only
# Behind an IOMMU that knows of every mapping: what is not mapped, or no longer, is a fault and no transfer. The runner
# gives the machine an Intel IOMMU and the kernel intel_iommu=on iommu.strict=1.
. "${TESTS:-/tests}/lib.sh"

translation_is_on() {
	[ -e "/sys/bus/pci/devices/$(port_pci "$A")/iommu_group" ] || fail "no IOMMU group"
	kind=$(cat "/sys/bus/pci/devices/$(port_pci "$A")/iommu_group/type" 2>/dev/null || echo DMA)
	case $kind in
	DMA*) say "domain of kind $kind" ;;
	*) fail "domain of kind $kind" ;;
	esac
}

no_fault() { dmesg | grep -iE 'DMAR:.*(fault|PTE)|IOMMU fault' | tail -n 2 >"$WORK/faults" || :; [ ! -s "$WORK/faults" ]; }

traffic_causes_no_fault() {
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 8 64)M"
	xfer -a b -b a -d fd00::1 -n "$(loops 8 64)M"
	xfer -u -a a -b b -d fd00::2 -n 2M
	set_mtu 9000
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 8M -m zerocopy
	set_mtu 1500
	no_fault || fail "$(cat "$WORK/faults")"
}

# Buffers are unmapped while the device could still write: it must not.
stops_in_the_middle_cause_no_fault() {
	traffic on
	for round in $(seq "$(loops 3 50)"); do
		in_b ethtool -G "$B" rx $((256 + round % 2 * 256))
		in_b ethtool -L "$B" combined 1
		in_b ethtool -L "$B" combined "$SMP"
		ip -n b link set "$B" down
		ip -n b link set "$B" up
		set_addresses b "$B" 2
		wait_for 10 has_carrier b "$B"
		echo 1 >"/sys/bus/pci/devices/$(port_pci "$B")/reset"
		set_addresses b "$B" 2
		wait_for 10 path_works || fail "round $round: no ping"
	done
	traffic off
	in_b ethtool -G "$B" rx 512
	no_fault || fail "$(cat "$WORK/faults")"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

programs_and_sockets_cause_no_fault() {
	mac=$(in_b cat "/sys/class/net/$B/address")
	xdp -a b -i "$B" attach tx
	xdp -a a -i "$A" -D "$mac" echo 60 1500 144
	xdp -a b -i "$B" detach
	start_job dash -c "xsk -a b -i $B -w -t 8000 echo 1000000 >$WORK/xsk 2>&1"
	wait_for 10 grep -q ready "$WORK/xsk" || give_up "no AF_XDP here"
	xdp -a a -i "$A" -D "$mac" echo 60 1260 100
	kill_jobs
	xdp -a b -i "$B" detach
	path_works
	no_fault || fail "$(cat "$WORK/faults")"
}

unloading_under_traffic_causes_no_fault() {
	for _ in $(seq "$(loops 2 20)"); do
		traffic on
		sleep 0.3
		within 500 unload_driver
		traffic off
		restore_pair
	done
	no_fault || fail "$(cat "$WORK/faults")"
}

after_failure() { xdp -a b -i "$B" detach; restore_pair; set_mtu 1500; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact translation_is_on
fact traffic_causes_no_fault
fact stops_in_the_middle_cause_no_fault
fact programs_and_sockets_cause_no_fault
fact unloading_under_traffic_causes_no_fault
finish

# SPDX-License-Identifier: GPL-2.0-only
# Firmware that is silent, slow, talks nonsense or knows no command: bounded time, one clear line, nothing left behind.
. "${TESTS:-/tests}/lib.sh"

firmware() {	# firmware KIND [DELAY_MS], on the first port, or on $SICK: the two share theirs
	for port in ${SICK:-p0}; do
		[ -z "${2:-}" ] || hostctl set "$port" fault-fw-delay-ms "$2"
		hostctl set "$port" fault-fw "$1"
	done
}

has_netdev() { [ -d "/sys/bus/pci/devices/$(port_pci "$1")/net" ]; }
is_bound() { [ -e "/sys/bus/pci/devices/$(port_pci "$1")/driver" ]; }

nothing_claimed() {	# by a port whose probe failed
	pci=$(port_pci "$1")
	grep "$pci" /proc/iomem | grep -q txgbe && fail "a region is still claimed"
	ls "/sys/bus/pci/devices/$pci/msi_irqs" >/dev/null 2>&1 && fail "vectors are still allocated"
	return 0
}

probe_with_firmware() {	# KIND [DELAY_MS]
	need_model
	down_pair
	unload_driver
	firmware "$@"
	probe_ends_well "$* firmware" p0
	firmware none
	restore_pair || fail "no traffic with good firmware afterwards"
}

# Soon, with one line of a port that says why if it fails, and then with nothing left of it; a port without the fault
# has its interface.
probe_ends_well() {	# probe_ends_well FAULT PORT...: of the ports that have it
	fault=$1
	shift
	log_mark
	began=$(now_cs)
	insert_driver || :
	# Both ports are through: bound or given up.
	wait_for 15 probe_is_over || :
	took=$(($(now_cs) - began))
	say "$fault: probe took ${took}0 ms, interface $(has_netdev "$1" && echo there || echo missing): $(driver_complaints | head -n 1 | sed 's/^<[0-9]*>//')"
	driver_complaints || :
	[ "$took" -le $(($# * 1000)) ] || fail "took ${took}0 ms"
	for port in "$@"; do
		lines=$(driver_complaints | grep -c "$(port_pci "$port")" || :)
		if has_netdev "$port"; then
			[ "$lines" -le 1 ] || fail "$port: $lines lines of complaint"
		else
			[ "$lines" -eq 1 ] || fail "$port: $lines lines of complaint: $(driver_complaints | head -n 3)"
			nothing_claimed "$port"
		fi
	done
	case " $* " in
	*" p1 "*) ;;
	*) has_netdev p1 || fail "the other port has no interface" ;;
	esac
	within 500 unload_driver
}

# What a reset starts does not end: the card's load from flash, the port's, the start of the firmware.
probe_without_an_end_of() {	# probe_without_an_end_of KIND LINE PORT...: of the ports that wait for it
	need_model
	kind=$1
	line=$2
	shift 2
	down_pair
	unload_driver
	hostctl set p0 fault-boot "$kind"
	probe_ends_well "boot held up by $kind" "$@"
	for port in "$@"; do
		has_netdev "$port" && fail "$port has an interface"
		driver_complaints | grep "$(port_pci "$port")" | grep -q "$line" || fail "$port: $(driver_complaints | head -n 2)"
	done
	hostctl set p0 fault-boot none
	restore_pair || fail "no traffic afterwards"
}

boot_of_flash_never_ends() { probe_without_an_end_of flash 'flash still loading 2000 ms after' p0 p1; }
boot_of_port_never_ends() { probe_without_an_end_of lan 'flash still loading 2000 ms after port reset' p0; }
boot_of_firmware_never_ends() { probe_without_an_end_of firmware 'firmware not started after 1000 ms' p0 p1; }

# Each reset of a port loads its settings again, the address among them: that takes a while, and is waited for.
late_load_is_waited_for() {
	need_model
	address=$(in_a cat "/sys/class/net/$A/address")
	down_pair
	unload_driver
	hostctl set p0 fault-boot-ms 700
	hostctl set p0 fault-boot lan
	log_mark
	load_driver || fail "no interface"
	driver_complaints && fail "complaints"
	[ "$(cat "/sys/class/net/$A/address")" = "$address" ] || fail "address $(cat "/sys/class/net/$A/address"), was $address"
	up_pair
	wait_for 15 path_works || fail "no traffic"
	hostctl set p0 fault-boot none
	hostctl set p0 fault-boot-ms 0
}

# What another system left behind, a kdump kernel's for one, does not drain.
probe_with_pending_transactions() {
	need_model
	down_pair
	unload_driver
	hostctl set p0 fault-pending true
	probe_ends_well "transactions that never drain" p0
	hostctl set p0 fault-pending false
	hostctl set p0 fault-boot none
	hostctl set p0 fault-boot-ms 0
	restore_pair || fail "no traffic afterwards"
}

# It has its interface, or has said why not and let go.
port_is_through() {
	has_netdev "$1" && return 0
	is_bound "$1" && return 1
	driver_complaints | grep -q "$(port_pci "$1")"
}

probe_is_over() { port_is_through p0 && port_is_through p1; }

firmware_dies_while_up() {	# KIND
	need_model
	restore_pair
	firmware "$1"
	# Traffic needs no firmware.
	wait_for 10 path_works || fail "no traffic"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	within 400 dash -c "ip netns exec a ethtool -m $A >/dev/null 2>&1 || :"
	within 400 dash -c "ip netns exec a ethtool $A >/dev/null 2>&1 || :"
	# Others get the lock meanwhile.
	start_job dash -c "while :; do ip netns exec a ethtool -m $A >/dev/null 2>&1; done"
	sleep 0.2
	within 300 ip -n b link show dev "$B" >/dev/null
	within 300 in_b ethtool -i "$B" >/dev/null
	kill_jobs
	within 500 ip -n a link set "$A" down
	within 500 ip -n a link set "$A" up
	within 500 ip -n a link set "$A" down
	within 500 unload_driver
	firmware none
	restore_pair || fail "no traffic with good firmware afterwards"
}

# Both ports are taken down by rmmod, one after the other.
firmware_of_both_ports_dies() {
	need_model
	restore_pair
	SICK="p0 p1"
	firmware silent
	wait_for 10 path_works || fail "no traffic"
	traffic on
	sleep 0.3
	within 500 unload_driver
	traffic off
	firmware none
	restore_pair || fail "no traffic with good firmware afterwards"
}

module_change_with_silent_firmware_is_survived() {
	need_model
	firmware silent
	kind=$(hostctl get p0 module)
	for _ in 1 2 3; do
		hostctl set p0 module none
		sleep 0.3
		hostctl set p0 module "$kind"
		sleep 0.3
	done
	within 500 ip -n a link set "$A" down
	firmware none
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 15 path_works || fail "no ping once the firmware answers again"
}

bad_eeprom_checksum_is_one_warning() {
	need_model
	down_pair
	unload_driver
	hostctl set p0 fault-eeprom true
	log_mark
	load_driver || fail "no interface"
	[ "$(driver_complaints | grep -c "$(port_pci p0)")" -eq 1 ] || fail "$(driver_complaints | head -n 3)"
	say "$(driver_complaints | head -n 1 | sed 's/^<[0-9]*>//')"
	up_pair
	wait_for 10 path_works
	down_pair
	unload_driver
	hostctl set p0 fault-eeprom false
	restore_pair
}

failed_probes_leave_no_memory() {
	need_model
	down_pair
	unload_driver
	firmware silent
	log_mark
	insert_driver || :
	wait_for 15 probe_is_over || :
	has_netdev p0 && { unload_driver; firmware none; restore_pair; give_up "probe works without firmware"; }
	unload_driver
	before=$(mem_settled)
	for _ in $(seq "$(loops 5 30)"); do
		log_mark
		insert_driver || :
		wait_for 15 probe_is_over || :
		unload_driver
	done
	memory_is_back "$before" 2048 || fail "$((before - $(mem_settled))) kB lost"
	say "MemAvailable before $before kB, after $(loops 5 30) failed probes $(mem_settled) kB"
	firmware none
	restore_pair
}

after_failure() {
	SICK="p0 p1"
	firmware none
	hostctl set p0 fault-eeprom false
	hostctl set p0 fault-pending false
	hostctl set p0 fault-boot none
	hostctl set p0 fault-boot-ms 0
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact probe_with_firmware silent
fact probe_with_firmware slow 40
fact probe_with_firmware slow 400
fact probe_with_firmware garbage
fact probe_with_firmware unknown
fact probe_with_pending_transactions
fact boot_of_flash_never_ends
fact boot_of_port_never_ends
fact boot_of_firmware_never_ends
fact late_load_is_waited_for
fact bad_eeprom_checksum_is_one_warning
fact firmware_dies_while_up silent
fact firmware_dies_while_up slow
fact firmware_dies_while_up garbage
fact firmware_dies_while_up unknown
fact firmware_of_both_ports_dies
fact module_change_with_silent_firmware_is_survived
fact failed_probes_leave_no_memory
finish

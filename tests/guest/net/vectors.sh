# SPDX-License-Identifier: GPL-2.0-only
# Interrupts of the expected kind and number, with traffic that is verified.
# EXPECT=msix|msi|intx, QUEUES=N (default: one for each CPU).
. "${TESTS:-/tests}/lib.sh"

: "${EXPECT:=msix}" "${QUEUES:=$SMP}"

vectors() {	# of a port: kind and number of each
	for irq in /sys/bus/pci/devices/"$(port_pci "$1")"/msi_irqs/*; do
		[ -e "$irq" ] && echo "$(cat "$irq") ${irq##*/}"
	done
	return 0
}

interrupts_are_of_the_expected_kind() {
	vectors "$A" >"$WORK/vectors"
	case $EXPECT in
	intx)
		[ ! -s "$WORK/vectors" ] || fail "$(wc -l <"$WORK/vectors") message vectors"
		grep "$(cat "/sys/bus/pci/devices/$(port_pci "$A")/irq"):" /proc/interrupts
		;;
	msi)
		[ "$(wc -l <"$WORK/vectors")" = 1 ] && grep -q '^msi ' "$WORK/vectors" || fail "$(cat "$WORK/vectors")"
		;;
	msix)
		grep -qv '^msix ' "$WORK/vectors" && fail "$(cat "$WORK/vectors")"
		[ "$(wc -l <"$WORK/vectors")" -ge $((QUEUES + 1)) ] ||
			fail "$(wc -l <"$WORK/vectors") vectors, $QUEUES and one for the rest are needed"
		;;
	esac
}

queues_match_the_vectors() {
	[ "$(in_a ls "/sys/class/net/$A/queues" | grep -c '^rx-')" -eq "$QUEUES" ] ||
		fail "$(in_a ls "/sys/class/net/$A/queues" | tr '\n' ' ')"
}

traffic_is_verified() {
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 8 64)M"
	xfer -a b -b a -d fd00::1 -n "$(loops 8 64)M"
	xfer -u -a a -b b -d fd00::2 -n 4M
	flows -a a -b b -d 10.0.0.2 -n 200
}

every_queue_vector_fires() {
	[ "$EXPECT" = msix ] && [ "$QUEUES" -gt 1 ] || give_up "one vector"
	flows -a a -b b -d 10.0.0.2 -n 256 -r 4
	vectors "$A" | awk '{ print $2 }' >"$WORK/numbers"
	silent=0
	while read -r irq; do
		count=$(awk -v irq="$irq:" '$1 == irq { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) s += $i; print s }' \
			/proc/interrupts)
		# A vector without a handler is one for more channels than there are now.
		[ -n "$count" ] || continue
		[ "$count" -gt 0 ] || silent=$((silent + 1))
	done <"$WORK/numbers"
	# The vector of the other causes may have nothing to say.
	[ "$silent" -le 1 ] || fail "$silent vectors never fired"
}

count_of() {	# how often a vector of the port has come, by its name
	awk -v name="$1" '$NF == name { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) s += $i; print s + 0 }' /proc/interrupts
}

# Data is no cause of the vector that tells of link, module and errors.
misc_vector_is_silent_under_traffic() {
	[ "$EXPECT" = msix ] || give_up "one vector for all"
	before=$(count_of "$A-misc")
	[ -n "$before" ] || fail "no vector $A-misc: $(grep "$A" /proc/interrupts | awk '{ print $NF }' | tr '\n' ' ')"
	queues=$(count_of "$A-TxRx-0")
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	flows -a a -b b -d 10.0.0.2 -n 100
	[ "$(count_of "$A-TxRx-0")" -gt "$queues" ] || fail "the vector of queue 0 did not come, either"
	[ "$(count_of "$A-misc")" -eq "$before" ] || fail "it came $(($(count_of "$A-misc") - before)) times"
}

link_changes_are_noticed() {
	need_model
	hostctl set p0 cable false
	wait_for 3 not has_carrier a "$A"
	hostctl set p0 cable true
	wait_for 5 has_carrier a "$A"
	wait_for 10 path_works
}

down_and_up_works() {
	for _ in $(seq "$(loops 3 20)"); do
		ip -n a link set "$A" down
		ip -n a link set "$A" up
		set_addresses a "$A" 1
		wait_for 10 path_works
	done
}

reload_works() {
	for _ in $(seq "$(loops 2 10)"); do
		down_pair
		unload_driver
		restore_pair
	done
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact interrupts_are_of_the_expected_kind
fact queues_match_the_vectors
fact traffic_is_verified
fact every_queue_vector_fires
[ "$DRIVER" = intree ] || fact misc_vector_is_silent_under_traffic
fact link_changes_are_noticed
fact down_and_up_works
fact reload_works
finish

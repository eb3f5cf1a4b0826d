# SPDX-License-Identifier: GPL-2.0-only
# What a crash kernel needs of the driver: with "elfcorehdr=" on the command line, by which it knows, one CPU and little
# memory it takes one queue, small rings and two vectors, and a dump can be sent.
. "${TESTS:-/tests}/lib.sh"

# For both ports: receive buffers, rings, interrupts, what the stack keeps of an interface.
MOST_KB=6000

this_is_a_crash_kernel() {
	for word in reset_devices elfcorehdr=; do
		grep -q " $word" /proc/cmdline || fail "no $word on the command line: $(cat /proc/cmdline)"
	done
	[ "$(nproc)" -eq 1 ] || fail "$(nproc) CPUs"
	total=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
	say "$((total / 1024)) MiB of memory, $(($(mem_available) / 1024)) free"
	[ "$total" -le 262144 ] || fail "$total kB of memory"
}

memory_taken_is_little() {
	down_pair
	unload_driver
	before=$(mem_settled)
	restore_pair
	after=$(mem_settled)
	say "probe and open of two ports took $((before - after)) kB"
	[ $((before - after)) -le $MOST_KB ] || fail "$((before - after)) kB were taken, limit $MOST_KB"
}

port_has_one_queue_and_small_rings() {
	for end in "a $A" "b $B"; do
		ns=${end% *}
		dev=${end#* }
		ip netns exec "$ns" ethtool -l "$dev" | grep -q '^Combined:[^0-9]*1$' || fail "$(ip netns exec "$ns" ethtool -l "$dev")"
		[ "$(ip netns exec "$ns" ethtool -l "$dev" | grep -c '^Combined:[^0-9]*1$')" -eq 2 ] || fail "more queues are possible"
		[ "$(ip netns exec "$ns" ethtool -g "$dev" | awk '/^Current/ { now = 1 } now && /^[RT]X:/ { print $2 }' | tr '\n' ' ')" = "128 128 " ] ||
			fail "$(ip netns exec "$ns" ethtool -g "$dev")"
	done
	vectors=$(find "/sys/bus/pci/devices/$(port_pci "$A")/msi_irqs" -type f | wc -l)
	[ "$vectors" -eq 2 ] || fail "$vectors vectors"
}

dump_is_sent_and_verified() {
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 16 128)M"
	xfer -a b -b a -d fd00::1 -n "$(loops 16 128)M"
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact this_is_a_crash_kernel
fact port_has_one_queue_and_small_rings
fact memory_taken_is_little
fact dump_is_sent_and_verified
finish

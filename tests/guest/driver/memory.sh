# SPDX-License-Identifier: GPL-2.0-only
# Memory in use grows with the queues in use and with nothing else.
. "${TESTS:-/tests}/lib.sh"

used_since() { echo $(($1 - $(mem_settled))); }


memory_grows_only_with_queues_in_use() {
	[ "$SMP" -ge 4 ] || give_up "fewer than four CPUs"
	down_pair
	driver_loaded && unload_driver
	start=$(mem_settled)
	load_driver
	loaded=$(used_since "$start")
	in_a true 2>/dev/null || make_ns
	ip link set "$A" netns a
	in_a ethtool -L "$A" combined 1 2>/dev/null || give_up "channels cannot be set"
	base=$(mem_settled)
	ip -n a link set "$A" up
	one=$(used_since "$base")
	ip -n a link set "$A" down
	closed=$(used_since "$base")
	in_a ethtool -L "$A" combined 4
	ip -n a link set "$A" up
	four=$(used_since "$base")
	ip -n a link set "$A" down
	after=$(used_since "$base")
	say "MemAvailable: module and two closed ports $loaded kB; open with one queue $one kB, with four $four kB; closed again $closed and $after kB"
	[ "$loaded" -lt 8192 ] || fail "$loaded kB with no port open"
	[ "$one" -lt "$four" ] || fail "one queue takes $one kB, four take $four kB"
	# What the first queue costs beyond a queue is fixed; four must not cost more than four firsts.
	[ "$four" -le $((one * 4 + 2048)) ] || fail "one queue takes $one kB, four take $four kB"
	[ "$after" -lt $((four / 2 + 1024)) ] || fail "$after kB are kept after close"
}

memory_grows_with_ring_size_only() {
	in_a ethtool -G "$A" rx 128 tx 128 2>/dev/null || give_up "ring sizes cannot be set"
	base=$(mem_settled)
	ip -n a link set "$A" up
	small=$(used_since "$base")
	in_a ethtool -G "$A" rx 2048 tx 2048
	big=$(used_since "$base")
	ip -n a link set "$A" down
	say "MemAvailable: rings of 128 take $small kB, of 2048 $big kB"
	[ "$small" -lt "$big" ] || fail "128 take $small kB, 2048 take $big kB"
	in_a ethtool -G "$A" rx 512 tx 512
}

traffic_does_not_eat_memory() {
	down_pair
	restore_pair
	xfer -a a -b b -d 10.0.0.2 -n 8M
	before=$(mem_settled)
	for _ in 1 2 3; do
		xfer -a a -b b -d 10.0.0.2 -n 8M
		xfer -u -a b -b a -d fd00::1 -n 4M
		set_mtu 9000
		set_mtu 1500
	done
	wait_for 10 path_works
	after=$(mem_settled)
	say "MemAvailable: $before kB before, $after kB after traffic and MTU changes"
	[ $((before - after)) -lt 8192 ] || fail "$((before - after)) kB gone"
}

after_failure() { restore_pair; } >/dev/null 2>&1

fact memory_grows_only_with_queues_in_use
fact memory_grows_with_ring_size_only
fact traffic_does_not_eat_memory
finish

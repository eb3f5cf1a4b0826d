# SPDX-License-Identifier: GPL-2.0-only
# Memory in use grows with the queues in use and with nothing else. Rings are large, so that what the kernel keeps for each
# CPU, some MB, does not matter.
. "${TESTS:-/tests}/lib.sh"

used_since() { echo $(($1 - $(mem_settled))); }

# The driver takes one queue pair for each CPU that is online when it is loaded.
online_cpus() {	# online_cpus N
	for cpu in /sys/devices/system/cpu/cpu[1-9]*; do
		number=${cpu##*cpu}
		[ -w "$cpu/online" ] || give_up "CPUs cannot be taken offline"
		if [ "$number" -lt "$1" ]; then state=1; else state=0; fi
		[ "$(cat "$cpu/online")" = $state ] || echo $state >"$cpu/online"
	done
}

# Prints kB: loaded with both ports closed, first port open, closed again, unloaded again.
cost_of_queues() {
	! driver_loaded || unload_driver
	online_cpus "$1"
	start=$(mem_settled)
	load_driver
	ethtool -G p0 rx 4096
	loaded=$(used_since "$start")
	[ "$(find /sys/class/net/p0/queues/ -name 'rx-*' | wc -l)" -eq "$1" ] ||
		fail "$(find /sys/class/net/p0/queues/ -name 'rx-*' | wc -l) queues on $1 CPUs"
	ip link set p0 up
	open=$(used_since "$start")
	ip link set p0 down
	memory_is_back "$start" $((loaded + 4096)) || :
	closed=$(used_since "$start")
	unload_driver
	memory_is_back "$start" 4096 || :
	echo "$loaded $open $closed $(used_since "$start")"
}

# A ring of 4096 descriptors has as many pages: 16 MiB, and little more for all else.
RING_KB=$((4096 * 4))

memory_grows_only_with_queues_in_use() {
	[ "$SMP" -ge 4 ] || give_up "fewer than four CPUs"
	down_pair
	cost_of_queues 1 >/dev/null		# caches of the kernel that a first time fills
	for n in 1 2 4; do
		# shellcheck disable=SC2046
		set -- $(cost_of_queues "$n")
		[ $# -eq 4 ] || fail "no figures for $n queues"
		say "$n queues: MemAvailable less $1 kB loaded and closed, $2 kB with one port open, $3 kB closed again, $4 kB unloaded"
		[ "$1" -lt 8192 ] || fail "$n queues: $1 kB with no port open"
		[ $(($2 - $1)) -gt $((RING_KB * n - 6144)) ] && [ $(($2 - $1)) -lt $((RING_KB * n * 6 / 5 + 10240)) ] ||
			fail "$n queues take $(($2 - $1)) kB, not $((RING_KB * n))"
		[ $(($3 - $1)) -lt $((($2 - $1) / 4)) ] || fail "$n queues: $(($3 - $1)) kB are kept after close"
		[ "$4" -lt 4096 ] || fail "$n queues: $4 kB are kept after unload"
	done
	online_cpus "$SMP"
}

memory_grows_with_ring_size_only() {
	restore_pair
	in_a ethtool -G "$A" rx 128 tx 128 2>/dev/null || give_up "ring sizes cannot be set"
	ip -n a link set "$A" down
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
	memory_is_back "$before" 8192 || fail "$((before - $(mem_settled))) kB gone"
	say "MemAvailable: $before kB before, $(mem_settled) kB after traffic and MTU changes"
}

after_failure() { online_cpus "$SMP"; restore_pair; } >/dev/null 2>&1

fact memory_grows_only_with_queues_in_use
fact memory_grows_with_ring_size_only
fact traffic_does_not_eat_memory
finish

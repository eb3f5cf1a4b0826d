# SPDX-License-Identifier: GPL-2.0-only
# Ring sizes and channel counts change while traffic runs: the link stays, little is lost, settings are kept.
. "${TESTS:-/tests}/lib.sh"

ring() { in_a ethtool -g "$A" | awk -v key="$1:" '/^Current/ { now = 1 } now && $1 == key { print $2; exit }'; }

channels() { in_a ethtool -l "$A" | awk '/^Current/ { now = 1 } now && $1 == "Combined:" { print $2; exit }'; }

max_channels() { in_a ethtool -l "$A" | awk '$1 == "Combined:" { print $2; exit }'; }

carrier_changes() { in_a cat "/sys/class/net/$A/carrier_changes"; in_b cat "/sys/class/net/$B/carrier_changes"; }

rx_queues() { in_a ls "/sys/class/net/$A/queues" | grep -c '^rx-'; }

mac_of() { ip netns exec "$1" cat "/sys/class/net/$2/address"; }

per_queue() { in_a ethtool -Q "$A" queue_mask "$1" --show-coalesce | grep -E '^(Adaptive|rx-usecs:)'; }

irq_of() {	# irq_of A-TxRx-1
	awk -v name="$1" '$NF == name { sub(/:/, "", $1); print $1 }' /proc/interrupts
}

ring_sizes_are_rounded_up_and_reported() {
	for pair in 520:640 128:128 129:256 8191:8192 1000:1024 512:512; do
		in_a ethtool -G "$A" rx "${pair%:*}" tx "${pair%:*}"
		[ "$(ring RX)" = "${pair#*:}" ] && [ "$(ring TX)" = "${pair#*:}" ] ||
			fail "${pair%:*} became rx $(ring RX) tx $(ring TX)"
		path_works || fail "no ping with ${pair#*:} descriptors"
	done
	not in_a ethtool -G "$A" rx 8193 || fail "8193 was accepted"
	[ "$(ring RX)" = 512 ]
}

# Not rounded up: who asks for 64 does not mean a ring that holds twice as much.
rings_below_the_smallest_are_refused() {
	in_a ethtool -G "$A" rx 512 tx 256
	for size in 0 1 64 127; do
		not in_a ethtool -G "$A" rx $size 2>"$WORK/said" || fail "rx $size was accepted"
		not in_a ethtool -G "$A" tx $size 2>>"$WORK/said" || fail "tx $size was accepted"
		! kernel_at_least 5 17 || [ "$(grep -c 128 "$WORK/said")" = 2 ] || fail "it said: $(cat "$WORK/said")"
	done
	[ "$(ring RX)" = 512 ] && [ "$(ring TX)" = 256 ] || fail "the old sizes are gone"
	path_works
	in_a ethtool -G "$A" rx 512 tx 512
}

rings_of_size_carry_traffic() {	# N descriptors
	in_a ethtool -G "$A" rx "$1" tx "$1"
	in_b ethtool -G "$B" rx "$1" tx "$1"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	# A burst of datagrams may be longer than a small ring.
	[ "$1" -lt 512 ] || xfer -u -a a -b b -d 10.0.0.2 -n 1M
	in_a ethtool -G "$A" rx 512 tx 512
	in_b ethtool -G "$B" rx 512 tx 512
	path_works
}

ring_changes_under_traffic_keep_the_link() {
	before=$(carrier_changes)
	traffic on
	for round in $(seq "$(loops 8 50)"); do
		in_a ethtool -G "$A" rx $((128 * (1 + round % 8))) tx $((128 * (1 + round * 3 % 8)))
		in_b ethtool -G "$B" rx $((128 * (1 + round * 5 % 8)))
	done
	traffic off
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
	in_a ethtool -G "$A" rx 512 tx 512
	in_b ethtool -G "$B" rx 512
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
}

ring_change_loses_little() {
	rounds=10
	in_a ping -q -n -i 0.01 -c 400 10.0.0.2 >"$WORK/ping" &
	pinger=$!
	for _ in $(seq $rounds); do
		in_a ethtool -G "$A" rx 256 tx 256
		in_a ethtool -G "$A" rx 512 tx 512
	done
	wait $pinger || :
	lost=$(awk '/packets transmitted/ { print $1 - $4 }' "$WORK/ping")
	say "$lost of 400 pings, one each 10 ms, lost in $((2 * rounds)) ring changes"
	# 50 ms at most are five pings a change.
	[ "$lost" -le $((5 * 2 * rounds)) ]
}

channel_counts_work() {
	max=$(max_channels)
	before=$(carrier_changes)
	for n in 1 2 3 $((max / 2)) "$max" 2 1 "$SMP"; do
		[ "$n" -ge 1 ] && [ "$n" -le "$max" ] || continue
		[ "$n" = "$(channels)" ] || in_a ethtool -L "$A" combined "$n"
		[ "$(channels)" = "$n" ] || fail "asked for $n, got $(channels)"
		[ "$(rx_queues)" = "$n" ] || fail "$(rx_queues) receive queues in sysfs, not $n"
		[ "$(grep -c "$A-TxRx-" /proc/interrupts)" = "$n" ] || fail "vectors: $(grep -c "$A-TxRx-" /proc/interrupts), not $n"
		path_works || fail "no ping with $n channels"
		xfer -a a -b b -d 10.0.0.2 -n 1M
		flows -a b -b a -d 10.0.0.1 -n 100 -r 2
	done
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
	not in_a ethtool -L "$A" combined $((max + 1)) || fail "$((max + 1)) channels were accepted"
	not in_a ethtool -L "$A" combined 0 || fail "no channel was accepted"
	log_mark
	not in_a ethtool -L "$A" other 0 || fail "no other vector was accepted"
	log_since | grep -q 'other 0 refused: it is 1' || fail "no reason in the log: $(log_since)"
}

channel_changes_under_traffic() {
	[ "$(max_channels)" -ge 4 ] || give_up "only $(max_channels) channels"
	before=$(carrier_changes)
	rx=$(netdev_stat a "$A" 2)
	traffic on
	for round in $(seq "$(loops 8 50)"); do
		in_a ethtool -L "$A" combined $((1 + round % 2 * 3))
		now=$(netdev_stat a "$A" 2)
		[ "$now" -ge "$rx" ] || fail "received packets went from $rx to $now"
		rx=$now
	done
	traffic off
	in_a ethtool -L "$A" combined "$SMP" || :
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
	path_works
	xfer -a b -b a -d fd00::1 -n 4M
}

hash_table_of_the_user_is_kept_or_the_change_refused() {
	[ "$(max_channels)" -ge 4 ] || give_up "only $(max_channels) channels"
	in_a ethtool -L "$A" combined 4
	in_a ethtool -x "$A" | awk '/^ *[0-9]+:/ { for (i = 2; i <= NF; i++) q[$i] = 1 } END { for (i in q) n++; exit n != 4 }' ||
		fail "the default table does not name four queues"
	in_a ethtool -X "$A" equal 3
	in_a ethtool -x "$A" >"$WORK/table"
	not in_a ethtool -L "$A" combined 2 || fail "two channels, though the table names three"
	[ "$(channels)" = 4 ]
	in_a ethtool -L "$A" combined 3
	in_a ethtool -x "$A" | grep -E '^ *[0-9]+:' >"$WORK/now"
	grep -E '^ *[0-9]+:' "$WORK/table" | cmp -s - "$WORK/now" || fail "the table has changed"
	in_a ethtool -X "$A" default
	in_a ethtool -L "$A" combined 2
	in_a ethtool -x "$A" | awk '/^ *[0-9]+:/ { for (i = 2; i <= NF; i++) q[$i] = 1 } END { for (i in q) n++; exit n != 2 }' ||
		fail "the default table does not follow the channels"
	path_works
	in_a ethtool -L "$A" combined "$SMP" || :
}

moderation_of_a_queue_is_kept() {
	[ "$(max_channels)" -ge 4 ] || give_up "only $(max_channels) channels"
	in_a ethtool -L "$A" combined 4
	in_a ethtool -Q "$A" queue_mask 0x8 --coalesce adaptive-rx off rx-usecs 100 || give_up "no moderation per queue"
	per_queue 0x8 >"$WORK/before"
	in_a ethtool -G "$A" rx 256
	in_a ethtool -L "$A" combined 2
	in_a ethtool -L "$A" combined 4
	in_a ethtool -G "$A" rx 512
	per_queue 0x8 >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(cat "$WORK/after")"
	# Bits 11:0 of the register, in steps of 2 us.
	itr=$(register 0020c)
	[ $(((itr & 0xfff) * 2)) -eq 100 ] || fail "PX_ITR(3) is $itr"
	in_a ethtool -C "$A" adaptive-rx on
	in_a ethtool -L "$A" combined "$SMP" || :
}

# The dump is pairs of offset and value.
register() {	# OFFSET in hexadecimal digits
	in_a ethtool -d "$A" raw on | od -An -v -tx4 -w8 | awk -v at="$1" '$1 ~ at "$" { print "0x" $2; exit }'
}

# ---- XDP programs and sockets' memory ---------------------------------------------------------------------------------

queue_passed() { [ "$(stat b "$B" "rx_queue_$1_xdp_pass")" -gt 0 ]; }

program_runs_on_new_rings_and_queues() {
	xdp -a b -i "$B" attach pass all
	in_b ethtool -G "$B" rx 1024 tx 256
	path_works
	in_b ethtool -L "$B" combined 1
	path_works
	in_b ethtool -L "$B" combined 3 || give_up "only one channel"
	flows -a a -b b -d 10.0.0.2 -n 60 -r 2
	for queue in 1 2; do
		wait_for 3 queue_passed $queue || fail "queue $queue runs no program"
	done
	xdp -a b -i "$B" attach tx
	xdp -a a -i "$A" -D "$(mac_of b "$B")" echo 60 1500 144
	xdp -a b -i "$B" detach
	in_b ethtool -L "$B" combined "$SMP"
	in_b ethtool -G "$B" rx 512 tx 512
	path_works
}

# Every ring of XDP is used while it is exchanged: by its own poll, and by redirected frames on any CPU.
changes_while_xdp_sends() {
	need_module veth
	before=$(carrier_changes)
	xdp -a b -i "$B" attach tx
	ip -n b link add v0 type veth peer name v1
	ip -n b link set v0 up
	ip -n b link set v1 up
	xdp -a b -i v1 attach "redirect:$B"
	start_job dash -c "while :; do xdp -a b -i v0 send 500 300; done"
	start_job dash -c "while :; do xdp -a a -i $A -D $(mac_of b "$B") send 500 300; done"
	for round in $(seq "$(loops 6 50)"); do
		in_b ethtool -G "$B" tx $((128 + round % 2 * 384))
		in_b ethtool -L "$B" combined $((1 + round % 3))
	done
	kill_jobs
	ip -n b link del v0
	in_b ethtool -L "$B" combined "$SMP"
	in_b ethtool -G "$B" rx 512 tx 512
	xdp -a a -i "$A" -D "$(mac_of b "$B")" echo 60 1500 144
	xdp -a b -i "$B" detach
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
	path_works
}

in_b_xsk() {	# OPTION... COMMAND: in the background, once it is bound
	: >"$WORK/xsk"
	start_job dash -c "xsk -a b -i $B $* >$WORK/xsk 2>&1; echo status=\$? >>$WORK/xsk"
	wait_for 10 grep -qE 'ready|status' "$WORK/xsk"
	grep -q ready "$WORK/xsk" || fail "$(tr '\n' ' ' <"$WORK/xsk")"
}

memory_of_sockets_moves_to_new_rings() {
	[ "$(xsk -a b -i "$B" -z mode)" = zero-copy ] || give_up "no zero copy here"
	before=$(carrier_changes)
	in_b_xsk -z -w -t 30000 rx 300
	in_b ethtool -G "$B" rx 1024 tx 256
	in_b ethtool -L "$B" combined 3
	in_b ethtool -G "$B" rx 512 tx 512
	in_b ethtool -L "$B" combined 1
	path_works
	# Two rings took half of all buffers each: those of rings that are gone are in use again.
	xdp -a a -i "$A" -D "$(mac_of b "$B")" send 300 300
	wait_for 20 grep -q status= "$WORK/xsk" || fail "it hangs: $(tr '\n' ' ' <"$WORK/xsk")"
	grep -qx status=0 "$WORK/xsk" || fail "$(tr '\n' ' ' <"$WORK/xsk")"
	in_b ethtool -L "$B" combined "$SMP"
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
	path_works
}

queue_with_memory_of_a_socket_stays() {
	[ "$(xsk -a b -i "$B" -z mode)" = zero-copy ] || give_up "no zero copy here"
	in_b ethtool -L "$B" combined 2
	in_b_xsk -z -w -q 1 -t 30000 rx 100000
	not in_b ethtool -L "$B" combined 1 2>"$WORK/said" || fail "one channel, though queue 1 has a socket's memory"
	cat "$WORK/said"
	[ "$(in_b ls "/sys/class/net/$B/queues" | grep -c '^rx-')" = 2 ]
	path_works
	kill_jobs
	xdp -a b -i "$B" detach
	wait_for 5 in_b ethtool -L "$B" combined 1
	in_b ethtool -L "$B" combined "$SMP"
	path_works
}

changes_while_a_socket_sends_and_receives() {
	[ "$(xsk -a b -i "$B" -z mode)" = zero-copy ] || give_up "no zero copy here"
	in_b_xsk -z -w -t 60000 echo 1000000
	start_job dash -c "while :; do xdp -a a -i $A -D $(mac_of b "$B") send 500 300; done"
	for round in $(seq "$(loops 6 50)"); do
		in_b ethtool -G "$B" rx $((128 + round % 4 * 128)) tx $((128 + round % 3 * 128))
		in_b ethtool -L "$B" combined $((1 + round % 2))
	done
	in_b ethtool -L "$B" combined "$SMP"
	in_b ethtool -G "$B" rx 512 tx 512
	grep -q status= "$WORK/xsk" && fail "$(tr '\n' ' ' <"$WORK/xsk")"
	kill_jobs
	xdp -a b -i "$B" detach
	path_works
}

# More memory than the guest has. The request fails, nobody is killed for it, and what was there goes on.
no_memory_for_rings_leaves_the_old_ones() {
	max=$(max_channels)
	need=$((max * 8192 * 4))
	[ "$need" -gt "$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)" ] || give_up "$need kB are there"
	in_a ethtool -L "$A" combined "$max"
	before=$(carrier_changes)
	not in_a ethtool -G "$A" rx 8192 2>"$WORK/said" || fail "there was memory"
	cat "$WORK/said"
	[ "$(ring RX)" = 512 ] || fail "rings of $(ring RX)"
	path_works || fail "no ping"
	xfer -a b -b a -d fd00::1 -n 1M
	in_a ethtool -L "$A" combined "$SMP"
	[ "$(carrier_changes)" = "$before" ] || fail "carrier changes: $before, now $(carrier_changes)"
}

affinity_of_the_user_is_kept() {
	[ "$SMP" -ge 2 ] && [ "$(channels)" -ge 2 ] || give_up "one CPU or one channel"
	irq=$(irq_of "$A-TxRx-1")
	echo 1 >"/proc/irq/$irq/smp_affinity"
	want=$(cat "/proc/irq/$irq/smp_affinity")
	in_a ethtool -L "$A" combined 1
	in_a ethtool -L "$A" combined 2
	in_a ethtool -G "$A" rx 256
	in_a ethtool -G "$A" rx 512
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	[ "$(irq_of "$A-TxRx-1")" = "$irq" ] || fail "vector 1 is interrupt $(irq_of "$A-TxRx-1"), was $irq"
	[ "$(cat "/proc/irq/$irq/smp_affinity")" = "$want" ] || fail "affinity is $(cat "/proc/irq/$irq/smp_affinity")"
	echo 2 >"/proc/irq/$irq/smp_affinity"
}

changes_while_down_hold() {
	ip -n a link set "$A" down
	in_a ethtool -G "$A" rx 1024 tx 256
	in_a ethtool -L "$A" combined 1
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
	[ "$(ring RX)" = 1024 ] && [ "$(ring TX)" = 256 ] && [ "$(channels)" = 1 ]
	ip -n a link set "$A" down
	in_a ethtool -L "$A" combined "$SMP" || [ "$SMP" -gt "$(max_channels)" ]
	in_a ethtool -G "$A" rx 512 tx 512
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 path_works
}

after_failure() {
	in_a ethtool -X "$A" default
	in_a ethtool -C "$A" adaptive-rx on
	xdp -a b -i "$B" detach
	ip -n b link del v0
	for ns in a b; do
		[ $ns = a ] && dev=$A || dev=$B
		ip netns exec $ns ethtool -L "$dev" combined "$SMP"
		ip netns exec $ns ethtool -G "$dev" rx 512 tx 512
	done
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact ring_sizes_are_rounded_up_and_reported
fact rings_below_the_smallest_are_refused
fact rings_of_size_carry_traffic 128
fact rings_of_size_carry_traffic 8192
fact ring_change_loses_little
fact ring_changes_under_traffic_keep_the_link
fact channel_counts_work
fact channel_changes_under_traffic
fact hash_table_of_the_user_is_kept_or_the_change_refused
fact moderation_of_a_queue_is_kept
fact affinity_of_the_user_is_kept
fact changes_while_down_hold
fact program_runs_on_new_rings_and_queues
fact changes_while_xdp_sends
fact memory_of_sockets_moves_to_new_rings
fact queue_with_memory_of_a_socket_stays
fact changes_while_a_socket_sends_and_receives
[ "$LOOPS" = short ] || fact no_memory_for_rings_leaves_the_old_ones
finish

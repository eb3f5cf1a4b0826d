# SPDX-License-Identifier: GPL-2.0-only
# Interrupt moderation: intervals bound the interrupts, the adaptive mode follows the load, settings are per queue and stay.
. "${TESTS:-/tests}/lib.sh"

: "${ICOUNT:=0}"

queue_coalesce() {	# queue_coalesce QUEUE KEY: as ethtool -Q shows it
	in_a ethtool -Q "$A" queue_mask "$(printf '0x%x' $((1 << $1)))" --show-coalesce | awk -v key="$2:" '
		/^Adaptive RX:/ && key == "adaptive-rx:" { print $3 } $1 == key { print $2 }' | head -n 1
}

set_both() {
	in_a ethtool -C "$A" "$@"
	in_b ethtool -C "$B" "$@"
}

adapts() { in_a ethtool -c "$A" | grep -q '^Adaptive RX: on'; }

# Sum of counters over both ports: total KEY...
total() {
	sum=0
	for port in p0 p1; do
		hostctl counters $port >"$WORK/counters"
		for key in "$@"; do
			sum=$((sum + $(jsonq "$key" <"$WORK/counters")))
		done
	done
	echo $sum
}

# Frames one way, and what they cost both ports: "FRAMES INTERRUPTS CENTISECONDS WRITES READS"; writes with doorbells.
stream() {	# stream COUNT
	writes=$(total mmio_write doorbell_tx doorbell_rx)
	reads=$(total mmio_read)
	interrupts=$(total irq_total)
	began=$(now_cs)
	rawframe -a a -i "$A" -b b -j "$B" burst "$1" 60 >"$WORK/burst" || :
	lasted=$(($(now_cs) - began))
	echo "$1 $(($(total irq_total) - interrupts)) $lasted $(($(total mmio_write doorbell_tx doorbell_rx) - writes)) \
$(($(total mmio_read) - reads))"
}

interval_bounds_interrupts() {
	need_model
	set_both adaptive-rx off rx-usecs 0
	stream 3000 >"$WORK/none"
	set_both rx-usecs 1000
	stream 3000 >"$WORK/long"
	say "frames, interrupts, 1/100 s, MMIO writes, reads; without: $(cat "$WORK/none"); 1000 us: $(cat "$WORK/long")"
	read -r _ many _ <"$WORK/none"
	read -r _ few time _ <"$WORK/long"
	set_both adaptive-rx on
	# Each vector of both ports at most once a millisecond, and a few for the link.
	[ "$few" -le $((time * 10 * SMP * 2 + 20)) ] || fail "$few interrupts in ${time}0 ms"
	[ $((few * 2)) -le "$many" ] || fail "$few interrupts with, $many without an interval"
}

adaptive_mode_follows_the_load() {
	need_model
	[ "$ICOUNT" = 1 ] || give_up "needs a clock that the load of the host does not touch: --icount"
	adapts || give_up "no adaptive mode in this kernel"
	set_both adaptive-rx off rx-usecs 4
	stream 8000 >"$WORK/fixed"
	set_both adaptive-rx on
	stream 8000 >"$WORK/first"
	stream 8000 >"$WORK/later"
	say "frames, interrupts, 1/100 s, MMIO writes, reads; at 4 us: $(cat "$WORK/fixed"); adaptive: $(cat "$WORK/first"), then $(cat "$WORK/later")"
	read -r _ fixed _ <"$WORK/fixed"
	read -r frames later _ writes _ <"$WORK/later"
	# One doorbell a frame, and little beside it.
	say "$((writes * 1000 / frames)) register writes for 1000 frames sent, cleaned and received"
	[ $((writes * 100)) -le $((frames * 115)) ] || fail "$writes register writes for $frames frames"
	[ $((later * 3)) -le $((fixed * 2)) ] || fail "$later interrupts, $fixed at 4 us"
	# One at a time: the interval must not hold every answer back.
	in_a ping -q -n -f -c 2000 10.0.0.2 >/dev/null
	in_a ping -q -n -f -c 500 10.0.0.2 >"$WORK/adaptive"
	set_both adaptive-rx off rx-usecs 1000
	in_a ping -q -n -f -c 500 10.0.0.2 >"$WORK/slow"
	set_both adaptive-rx on
	a=$(sed -n 's,^rtt.*= [0-9.]*/\([0-9]*\)\.\([0-9]*\)/.*,\1\2,p' "$WORK/adaptive")
	b=$(sed -n 's,^rtt.*= [0-9.]*/\([0-9]*\)\.\([0-9]*\)/.*,\1\2,p' "$WORK/slow")
	say "round trip ${a#0} us adaptive, ${b#0} us with 1000 us"
	[ "${a#0}" -lt "${b#0}" ]
}

no_register_is_read_for_a_frame() {
	need_model
	stream 5000 >"$WORK/stream"
	read -r frames _ time writes reads <"$WORK/stream"
	say "$frames frames: $writes MMIO writes, $reads reads"
	# The counters of the port are read every two seconds.
	[ "$reads" -le $((200 * (time / 200 + 2))) ]
}

settings_are_per_queue() {
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	in_a ethtool -C "$A" adaptive-rx off rx-usecs 20
	in_a ethtool -Q "$A" queue_mask 0x2 --coalesce rx-usecs 100
	[ "$(queue_coalesce 0 rx-usecs)" = 20 ] && [ "$(queue_coalesce 1 rx-usecs)" = 100 ]
	in_a ethtool -Q "$A" queue_mask 0x2 --coalesce adaptive-rx on || give_up "no adaptive mode in this kernel"
	[ "$(queue_coalesce 0 adaptive-rx)$(queue_coalesce 1 adaptive-rx)" = offon ]
	# They outlive down and up.
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	path_works
	[ "$(queue_coalesce 0 rx-usecs)" = 20 ] && [ "$(queue_coalesce 1 rx-usecs)" = 100 ]
	[ "$(queue_coalesce 0 adaptive-rx)$(queue_coalesce 1 adaptive-rx)" = offon ]
	# And the port's setting is that of every queue.
	in_a ethtool -C "$A" adaptive-rx off rx-usecs 50
	[ "$(queue_coalesce 0 rx-usecs)" = 50 ] && [ "$(queue_coalesce 1 rx-usecs)" = 50 ]
	in_a ethtool -C "$A" adaptive-rx on
}

too_long_an_interval_is_refused() {
	in_a ethtool -C "$A" rx-usecs 1024 2>"$WORK/err" && fail "taken"
	grep -q 1023 "$WORK/err" || fail "$(cat "$WORK/err")"
	# Here the tool's status says nothing of a refusal.
	was=$(queue_coalesce 0 rx-usecs)
	log_mark
	in_a ethtool -Q "$A" queue_mask 0x1 --coalesce rx-usecs 1024 2>/dev/null || :
	[ "$(queue_coalesce 0 rx-usecs)" = "$was" ] || fail "a queue took $(queue_coalesce 0 rx-usecs)"
	log_since | grep -q 'queue 0: rx-usecs 1024, .* refused: at most 1023 us' || fail "no reason in the log"
	[ -z "$(queue_coalesce 31 rx-usecs)" ] || fail "queue 31 has settings"
}

after_failure() {
	set_both adaptive-rx on
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact interval_bounds_interrupts
fact adaptive_mode_follows_the_load
fact no_register_is_read_for_a_frame
fact settings_are_per_queue
fact too_long_an_interval_is_refused
finish

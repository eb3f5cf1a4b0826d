# SPDX-License-Identifier: GPL-2.0-only
# What netlink tells of queues: their counters, and the NAPI instance and interrupt that serve them.
. "${TESTS:-/tests}/lib.sh"

# ask WHAT: the lines in $WORK/WHAT
ask() {
	status=0
	netdevq -n b -i "$B" "$1" >"$WORK/$1" 2>/dev/null || status=$?
	[ $status -ne 3 ] || give_up "this kernel tells nothing of $1"
	[ $status -eq 0 ] || fail "no $1"
}

nr_queues() { in_b ethtool -l "$B" | awk '/^Combined:/ { n = $2 } END { print n }'; }

# The number of the interrupt of a queue, by its name
irq_of() { awk -v name="$B-TxRx-$1" '$NF == name { sub(":", "", $1); print $1 }' /proc/interrupts; }

queues_name_napi_and_interrupt() {
	ask queues
	ask napis
	nr=$(nr_queues)
	[ "$(wc -l <"$WORK/queues")" = $((2 * nr)) ] || fail "$(wc -l <"$WORK/queues") lines for $nr queue pairs"
	[ "$(wc -l <"$WORK/napis")" = "$nr" ] || fail "$(wc -l <"$WORK/napis") NAPI instances for $nr queue pairs"
	queue=0
	while [ "$queue" -lt "$nr" ]; do
		rx=$(awk -v q=$queue '$1 == "rx" && $2 == q { print $4 }' "$WORK/queues")
		tx=$(awk -v q=$queue '$1 == "tx" && $2 == q { print $4 }' "$WORK/queues")
		[ -n "$rx" ] && [ "$rx" = "$tx" ] || fail "queue $queue: NAPI $rx receives, NAPI $tx sends"
		irq=$(awk -v napi="$rx" '$2 == napi { print $4 }' "$WORK/napis")
		[ -n "$irq" ] && [ "$irq" = "$(irq_of $queue)" ] || fail "queue $queue: interrupt $irq, not $(irq_of $queue)"
		queue=$((queue + 1))
	done
}

# column FILE DIRECTION NAME: sum over the queues
column() {
	awk -v dir="$2" -v name="$3" '$1 == dir { for (i = 3; i < NF; i += 2) if ($i == name) sum += $(i + 1) }
		END { printf "%.0f\n", sum }' "$WORK/$1"
}

total() { awk -v name="$1" '{ for (i = 2; i < NF; i += 2) if ($i == name) print $(i + 1) }' "$WORK/total"; }

# Port and interface say the same, and the queues no more: what removed ones counted is the port's. Nothing comes
# meanwhile, or another try is made.
counters_agree() {
	ask stats
	ask total
	[ "$(column stats rx packets)" -le "$(total rx_packets)" ] &&
		[ "$(column stats tx bytes)" -le "$(total tx_bytes)" ] &&
		[ "$(total rx_packets)" = "$(netdev_stat b "$B" 2)" ] &&
		[ "$(total rx_bytes)" = "$(netdev_stat b "$B" 1)" ] &&
		[ "$(total tx_packets)" = "$(netdev_stat b "$B" 10)" ] &&
		[ "$(total tx_bytes)" = "$(netdev_stat b "$B" 9)" ]
}

counters_are_those_of_the_wire() {
	ask stats
	rx=$(column stats rx packets)
	tx=$(column stats tx packets)
	bytes=$(column stats rx bytes)
	flows -u -a a -b b -d 10.0.0.2 -n 32 -r 4 -x 500
	ask stats
	rx=$(($(column stats rx packets) - rx))
	tx=$(($(column stats tx packets) - tx))
	bytes=$(($(column stats rx bytes) - bytes))
	[ $rx -ge 128 ] && [ $rx -lt 160 ] || fail "$rx frames received, 128 sent"
	[ $tx -ge 128 ] && [ $tx -lt 160 ] || fail "$tx frames sent, 128 are enough"
	[ $bytes -ge $((128 * 542)) ] || fail "$bytes bytes"
	wait_for 5 counters_agree || fail "$(tr '\n' ';' <"$WORK/stats") $(cat "$WORK/total"), interface: $(in_b grep "$B" /proc/net/dev)"
}

# What the device cuts counts, before and after the cut; what the stack cuts does not.
segmentation_counts() {
	ask stats
	gso=$(column stats tx gso)
	wire=$(column stats tx gso_wire)
	xfer -q -a b -b a -d 10.0.0.1 -n 8M -m plain
	ask stats
	gso=$(($(column stats tx gso) - gso))
	wire=$(($(column stats tx gso_wire) - wire))
	say "8 MiB: $gso cut, into $wire"
	[ $gso -gt 0 ] && [ $wire -gt $gso ] || fail "$gso cut into $wire"
	# 5793 frames of 1448 bytes: half of it may go out in single frames, some of it twice.
	[ $wire -ge 2896 ] && [ $wire -le 11586 ] || fail "$wire segments for 8 MiB"
	in_b ethtool -K "$B" tso off
	ask stats
	gso=$(column stats tx gso)
	xfer -q -a b -b a -d 10.0.0.1 -n 8M -m plain
	ask stats
	in_b ethtool -K "$B" tso on
	[ "$(column stats tx gso)" = "$gso" ] || fail "$(($(column stats tx gso) - gso)) counted with tso off"
}

# Frames with wrong checksums count on a queue.
bad_checksums_count() {
	ask stats
	before=$(column stats rx csum_bad)
	rawframe -a a -i "$A" -b b -j "$B" csumone udp4 10
	ask stats
	[ $(($(column stats rx csum_bad) - before)) = 10 ] ||
		fail "$(($(column stats rx csum_bad) - before)) of 10 bad checksums are counted"
}

counters_survive_down_and_up() {
	ask total
	before=$(total rx_packets)
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	ask total
	[ "$(total rx_packets)" -gt "$before" ] || fail "$(total rx_packets) frames, $before before"
	queues_name_napi_and_interrupt
}

# Queues that go and come are told, and what they counted stays in the port's sums.
channels_change_what_is_told() {
	old=$(nr_queues)
	for nr in 1 3 2; do
		in_b ethtool -L "$B" combined $nr 2>/dev/null || give_up "no $nr channels"
		queues_name_napi_and_interrupt
		flows -u -a a -b b -d 10.0.0.2 -n 16 -r 2 -x 500
		ask total
		wait_for 5 totals_agree || fail "$nr queues: $(cat "$WORK/total"), interface: $(in_b grep "$B" /proc/net/dev)"
	done
	in_b ethtool -L "$B" combined "$old" || :
}

totals_agree() {
	ask total
	[ "$(total rx_packets)" = "$(netdev_stat b "$B" 2)" ] && [ "$(total tx_bytes)" = "$(netdev_stat b "$B" 9)" ]
}

after_failure() { restore_pair; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact queues_name_napi_and_interrupt
fact counters_are_those_of_the_wire
fact segmentation_counts
fact bad_checksums_count
fact counters_survive_down_and_up
fact channels_change_what_is_told
finish

# SPDX-License-Identifier: GPL-2.0-only
# Receive scaling: flows spread over the queues, and hash and queue are the ones the shown key and table give.
. "${TESTS:-/tests}/lib.sh"

frames() { rawframe -a a -i "$A" -b b -j "$B" "$@"; }

# Largest distance from the even share, in percent, of numbers on standard input.
unevenness() {
	awk -v queues="$SMP" '{ n++; v[n] = $1; sum += $1 }
		END { share = sum / queues; worst = n < queues ? 100 : 0
		      for (i in v) { d = (v[i] - share) / share * 100; if (d < 0) d = -d; if (d > worst) worst = d }
		      printf "%d\n", worst }'
}

rss_queue_and_hash_match_toeplitz() {	# KIND
	in_b ethtool -K "$B" rxhash on 2>/dev/null || :
	frames rss "$1" "$(loops 128 1024)" | tee "$WORK/rss"
	say "$(tail -n 1 "$WORK/rss")"
	case $1 in
	tcp*) tail -n 1 "$WORK/rss" | grep -q 'hash=l4' || fail "$(tail -n 1 "$WORK/rss")" ;;
	*) tail -n 1 "$WORK/rss" | grep -qE 'hash=(l3|l4)' || fail "$(tail -n 1 "$WORK/rss")" ;;
	esac
}

rss_spreads_flows_within_25_percent() {
	frames rss tcp4 1024 >"$WORK/rss" || :
	worst=$(awk '$1 == "queue" { print $3 }' "$WORK/rss" | unevenness)
	say "1024 flows, worst queue $worst % off: $(awk '$1 == "queue" { printf "%s ", $3 }' "$WORK/rss")"
	[ "$worst" -le 25 ] || fail "$worst % off"
}

# The same from the statistics: a socket in each flow, both directions at work.
statistics_show_the_spread() {
	queue_packets b >"$WORK/before"
	flows -a a -b b -d 10.0.0.2 -n 512 -r 4
	queue_packets b >"$WORK/after"
	[ -s "$WORK/after" ] || give_up "no per-queue packet statistics"
	worst=$(paste "$WORK/before" "$WORK/after" | awk '{ print $2 - $1 }' | unevenness)
	say "512 TCP connections, worst queue $worst % off"
	[ "$worst" -le 40 ] || fail "$worst % off"
}

queue_packets() {	# one number per Rx queue in use
	ip netns exec "$1" ethtool -S "$B" | awk -v n="$SMP" '
		match($1, /^rx[-_]?(queue)?[-_]?[0-9]+[-_]packets:$/) {
			split($1, part, /[^0-9]+/); q = part[2]; if (q < n) print $2 }'
}

fields_can_be_chosen() {	# fields_can_be_chosen KIND: ports hashed or not, as ethtool -N says
	kind=${1%[46]}4
	case $1 in *6) kind=${1%6}6 ;; esac
	was=$(in_b ethtool -n "$B" rx-flow-hash "$kind" | grep -c 'L4 bytes') || was=0
	for want in sdfn sd sdfn; do
		in_b ethtool -N "$B" rx-flow-hash "$kind" $want || give_up "fields cannot be set"
		frames rss "$1" 64 >"$WORK/rss" || fail "$want: $(tail -n 1 "$WORK/rss")"
		case $want in
		sdfn) tail -n 1 "$WORK/rss" | grep -q 'hash=l4' || fail "sdfn: $(tail -n 1 "$WORK/rss")" ;;
		sd) tail -n 1 "$WORK/rss" | grep -q 'hash=l3' || fail "sd: $(tail -n 1 "$WORK/rss")" ;;
		esac
	done
	# Kept over a start.
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	path_works
	in_b ethtool -n "$B" rx-flow-hash "$kind" | grep -q 'L4 bytes' || fail "forgotten"
	[ "$was" -gt 0 ] || in_b ethtool -N "$B" rx-flow-hash "$kind" sd
}

fields_it_cannot_hash_are_refused() {
	# The tool's status says nothing of a refusal.
	for kind in tcp4 udp4 udp6 sctp6; do
		was=$(in_b ethtool -n "$B" rx-flow-hash $kind)
		for fields in s sdf fn v; do
			in_b ethtool -N "$B" rx-flow-hash $kind $fields 2>"$WORK/err" || :
			grep -q 'Cannot change' "$WORK/err" || fail "$kind $fields: no error"
			[ "$(in_b ethtool -n "$B" rx-flow-hash $kind)" = "$was" ] || fail "$kind $fields was taken"
		done
	done
}

# A key that repeats every two bytes gives both directions of a connection one hash.
symmetric_key_joins_both_directions() {
	in_b ethtool -X "$B" hkey "$(seq 1 20 | awk '{ printf "%s6d:5a", (NR > 1 ? ":" : "") }')" || give_up "key cannot be set"
	for kind in tcp4 tcp6; do
		frames rss $kind 64 >"$WORK/rss" || fail "$(tail -n 1 "$WORK/rss")"
		tail -n 1 "$WORK/rss" | grep -q 'hash=l4' || fail "$(tail -n 1 "$WORK/rss")"
	done
	in_b ethtool -X "$B" default
}

key_of_b() { in_b ethtool -x "$B" | awk '/RSS hash key/ { getline; print }'; }

# All forty bytes are the random ones that the kernel keeps for this, and they stay over everything that writes them again.
key_is_random_and_stays() {
	key_of_b >"$WORK/key"
	[ "$(tr ':' '\n' <"$WORK/key" | wc -l)" -eq 40 ] || fail "$(cat "$WORK/key")"
	[ "$(cat "$WORK/key")" = "$(cut -c 1-119 /proc/sys/net/core/netdev_rss_key)" ] || fail "not the kernel's: $(cat "$WORK/key")"
	# Forty random bytes have about 37 different ones; fewer than 25 come once in many millions.
	different=$(tr ':' '\n' <"$WORK/key" | sort -u | wc -l)
	[ "$different" -ge 25 ] || fail "only $different different bytes: $(cat "$WORK/key")"
	in_b ethtool -L "$B" combined 1
	in_b ethtool -L "$B" combined "$SMP"
	in_b ethtool -G "$B" rx 1024
	in_b ethtool -G "$B" rx 512
	echo 1 >"/sys/bus/pci/devices/$(port_pci "$B")/reset"
	ip -n b link set "$B" down
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 path_works
	[ "$(key_of_b)" = "$(cat "$WORK/key")" ] || fail "another key: $(key_of_b)"
}

flows_of_every_kind_are_answered() {
	for to in 10.0.0.2 fd00::2; do
		flows -a a -b b -d "$to" -n 256 -r 2
		flows -u -a a -b b -d "$to" -n 256 -r 2
	done
}

[ "$SMP" -ge 2 ] || { skip rss_spreads "one CPU"; finish; }
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
# First: others leave a key of their own.
[ "$DRIVER" = intree ] || fact key_is_random_and_stays
for kind in tcp4 tcp6 udp4 udp6 ip4 ip6; do
	fact rss_queue_and_hash_match_toeplitz $kind
done
for kind in udp4 udp6 tcp4 tcp6; do
	fact fields_can_be_chosen $kind
done
fact fields_it_cannot_hash_are_refused
fact symmetric_key_joins_both_directions
fact rss_spreads_flows_within_25_percent
fact statistics_show_the_spread
fact flows_of_every_kind_are_answered
finish

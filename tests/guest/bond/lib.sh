# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2034
#
# For the tests of bonds, after the library of all tests. Topology quad25: p0 is wired to p2, p1 to p3; p0 and p1 live
# in namespace a, p2 and p3 in b. Times are the guest's: under --icount the load of the host does not count.

BOND=/proc/net/bonding/bond0
FLOWS=16		# of during_flows
FROM=a			# of during_flows: where they come from
TARGETS=b:10.0.0.2	# of during_flows: namespaces and addresses that answer
MOST=200		# longest gap in ms that is no loss of service

side_of() {	# side_of p1: the namespace where it belongs
	case $1 in
	p0 | p1) echo a ;;
	*) echo b ;;
	esac
}

# A port that its driver has just taken over is in the first namespace and has the kernel's name.
place_port() {
	home=$(side_of "$1")
	if ! ip -n "$home" link show dev "$1" >/dev/null 2>&1; then
		there=$(ifname "$1")
		[ "$there" = "$1" ] || ip link set "$there" name "$1"
		ip link set "$1" netns "$home"
	fi
	ip -n "$home" link set "$1" up
}

place_ports() {
	load_driver || return 1
	make_ns || return 1
	unmake_bonds
	for port in p0 p1 p2 p3; do place_port $port || return 1; done
	for port in p0 p1 p2 p3; do wait_for 20 has_carrier "$(side_of $port)" $port || return 1; done
}

join_bond() {	# join_bond PORT
	home=$(side_of "$1")
	ip -n "$home" link set "$1" down
	ip -n "$home" link set "$1" master bond0
	ip -n "$home" link set "$1" up
}

make_bond() {	# make_bond NS HOST "OPTIONS" PORT...
	at=$1
	host=$2
	# shellcheck disable=SC2086
	ip -n "$at" link add bond0 type bond miimon 100 $3
	shift 3
	for port; do join_bond "$port"; done
	ip -n "$at" link set bond0 up
	set_addresses "$at" bond0 "$host"
}

unmake_bonds() {
	for ns in a b; do
		for dev in v7 br0 bond0 e1; do ip -n $ns link del $dev 2>/dev/null || :; done
	done
	for port in p0 p1 p2 p3; do ip -n "$(side_of $port)" link set $port up mtu 1500 || :; done
} 2>/dev/null

# Long waits cost nothing while the guest idles, but looking does.
wait_seconds() {	# wait_seconds LIMIT COMMAND...
	left=$1
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$left" -gt 0 ] || return 1
		left=$((left - 1))
		sleep 1
	done
}

# ---- mode 4 --------------------------------------------------------------------------------------------------------

# Both ports collect and distribute, by what they say and what they were told: 61, with short timeouts 63.
joined() {
	ip netns exec "$1" grep -q 'Number of ports: 2' $BOND &&
		[ "$(ip netns exec "$1" grep -cE 'port state: 6[13]$' $BOND)" = 4 ]
}

all_joined() { joined a && joined b; }

lacp_bonds() {	# lacp_bonds fast|slow
	unmake_bonds
	make_bond b 2 "mode 802.3ad lacp_rate $1 xmit_hash_policy layer3+4" p2 p3
	make_bond a 1 "mode 802.3ad lacp_rate $1 xmit_hash_policy layer3+4" p0 p1
	wait_seconds 100 all_joined || fail "$(in_a cat $BOND | tr '\n' ';')"
	wait_for 10 pings 10.0.0.2 1
}

# Churn is judged a minute after a change.
settled() { ! in_a grep -q monitoring $BOND && ! in_b grep -q monitoring $BOND; }

# What must stay as it is when nothing changes on the wire.
lacp_record() {
	for ns in a b; do
		ip netns exec $ns grep -iE 'aggregator id|number of|churn|failure|mac addr|key:|port state|status|speed' $BOND
	done
}

# The record is what it was before.
lacp_is_as_in() {	# lacp_is_as_in FILE
	lacp_record >"$WORK/now"
	diff "$1" "$WORK/now" >"$WORK/diff" || fail "LACP moved: $(grep '^[-+<>]' "$WORK/diff" | tr '\n\t' '  ')"
}

# ---- traffic -------------------------------------------------------------------------------------------------------

# during_flows SECONDS COMMAND...: the command runs after one second; "gap" is the longest time in ms that one of the
# flows was without an answer, "there" the longest that one of them did not arrive at the other end.
during_flows() {
	seconds=$1
	shift
	watchers=
	for target in $TARGETS; do
		flows -G 20 -a "$FROM" -b "${target%%:*}" -d "${target#*:}" -p 7301 -n "$FLOWS" -x 200 -t "$seconds" \
			>"$WORK/gap.${target%%:*}" 2>&1 3>&- &
		watchers="$watchers $!"
	done
	sleep 1
	"$@"
	gap=0
	there=0
	for watcher in $watchers; do wait "$watcher"; done
	for target in $TARGETS; do
		longest=$(sed -n 's/.*longest gap \([0-9]*\) ms, there \([0-9]*\) ms.*/\1 \2/p' "$WORK/gap.${target%%:*}")
		[ -n "$longest" ] || fail "$(cat "$WORK/gap.${target%%:*}")"
		[ "${longest% *}" -le "$gap" ] || gap=${longest% *}
		[ "${longest#* }" -le "$there" ] || there=${longest#* }
	done
}

gap_is_short() {	# gap_is_short WHAT
	say "$1: $gap ms"
	[ "$gap" -lt $MOST ] || fail "$1: a flow was without an answer for $gap ms"
}

sent_by() { netdev_stat "$(side_of "$1")" "$1" 10; }	# frames
received_by() { netdev_stat "$(side_of "$1")" "$1" 2; }

set_cable() { hostctl set "$1" cable "$2"; }
set_module() { hostctl set "$1" module "$2"; }
no_carrier() { ! has_carrier "$(side_of "$1")" "$1"; }

# A carrier that the driver takes away without a word on the cable.
tell_down() { echo "<6>tests: $1 goes down" >/dev/kmsg; }

# The port's interface goes away and comes again.
unbind() {
	tell_down "$1"
	port_pci "$1" >/sys/bus/pci/drivers/txgbe/unbind
}

has_name() { [ -n "$(ifname "$1")" ]; }
bind_and_join() {
	port_pci "$1" >/sys/bus/pci/drivers/txgbe/bind
	wait_for 5 has_name "$1"
	place_port "$1"
	join_bond "$1"
}

# Stops the port, resets it, starts it again: all of it, as after an error.
reset_port() {
	tell_down "$1"
	devlink dev reload "pci/$(port_pci "$1")"
}

# Mbit/s of payload while streams of MEGABYTES, one for each "FROM TO ADDRESS", run at once.
stream_rate() {
	watchers=
	port=7400
	began=$(now_cs)
	for stream; do
		port=$((port + 1))
		# shellcheck disable=SC2086
		set -- $stream
		xfer -q -m plain -f 16000 -a "$1" -b "$2" -d "$3" -p $port -n "${MEGABYTES}M" 3>&- &
		watchers="$watchers $!"
	done
	streams=$((port - 7400))
	for watcher in $watchers; do wait "$watcher" || return 1; done
	took=$(($(now_cs) - began))
	awk -v cs=$took -v mb=$((streams * MEGABYTES)) 'BEGIN { printf "%.1f\n", mb * 1048576 * 8 / cs / 10000 }'
}

: "${RATE:=}" "${MEGABYTES:=2}"

is_times() {	# is_times A B FACTOR: A >= B * FACTOR
	awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { exit !(b > 0 && a >= b * f) }'
}

# ---- the kernel's log ----------------------------------------------------------------------------------------------

# Bonding takes a port in with the speed that the driver tells at that moment. That the speed changed to 0 it says of
# every port whose carrier is gone; it may not say so of a port that has a link. The driver frees what was to be sent
# before it says that the link is down: its line may come a little later.
no_wrong_speed_was_ever_told() {
	dmesg | grep -E 'p[0-3]: link (up|down)|p[0-3] goes down|bond0.*(definitely up|failed to get link speed|speed changed to|suitable aggregator)' \
		>"$WORK/speeds" || :
	judge_speeds <"$WORK/speeds" >"$WORK/judged"
	grep '^wrong' "$WORK/judged" && fail "$(head -n 1 "$WORK/judged")"
	say "ports were $(tail -n 1 "$WORK/judged")"
	grep -q '^taken in 0 ' "$WORK/judged" && fail "the log tells of no link that came up"
	return 0
}

judge_speeds() {
	awk -v right="definitely up, $SPEED Mbps full duplex" '
		{ match($0, /[0-9]+\.[0-9]+/); now = substr($0, RSTART, RLENGTH) + 0 }
		match($0, /p[0-3]/) { port = substr($0, RSTART, 2) }
		/p[0-3]: link up/ { down[port] = 0 }
		/p[0-3]: link down|goes down/ {
			down[port] = 1
			if (port in early && now - since[port] < 0.1) delete early[port]
		}
		!/bond0/ { next }
		/speed changed to 0/ {
			if (down[port]) next
			if (port in early) print "wrong: " early[port]
			early[port] = $0
			since[port] = now
			next
		}
		index($0, right) { taken++; next }
		{ print "wrong: " $0 }
		END {
			for (port in early) print "wrong: " early[port]
			print "taken in " taken + 0 " times"
		}'
}

mend_all() {
	for port in p0 p1 p2 p3; do
		hostctl set $port cable true
		hostctl set $port module sfp28-sr
		hostctl set $port fault-rx-loss 0
		[ -e "/sys/bus/pci/drivers/txgbe/$(port_pci $port)" ] ||
			port_pci $port >/sys/bus/pci/drivers/txgbe/bind
	done
	kill_jobs
	wait_for 10 all_ports_have_names
	unmake_bonds
	place_ports
} >/dev/null 2>&1

# SPDX-License-Identifier: GPL-2.0-only
# The ethtool commands, each with its effect looked at where there is one.
. "${TESTS:-/tests}/lib.sh"

eth() { in_a ethtool "$@"; }

unsupported() { grep -qiE 'not supported|no data available' "$WORK/err"; }

# The in-tree driver can all that is tried of it: "not supported" from it is the model's mistake.
try() {		# try COMMAND...: skips the fact when the driver says it cannot
	# Without the trace of the shell, which goes where the command's errors go.
	( set +x; "$@" ) >"$WORK/out" 2>"$WORK/err" && return 0
	cat "$WORK/err"
	[ "$DRIVER" = intree ] || ! unsupported || give_up "$(grep -v '^+' "$WORK/err" | head -n 1)"
	return 1
}

shows_link_settings() {
	eth "$A" >"$WORK/out"
	grep -q "Speed: ${SPEED}Mb/s" "$WORK/out"
	grep -q 'Duplex: Full' "$WORK/out"
	grep -q 'Link detected: yes' "$WORK/out"
	grep -q "${SPEED}base" "$WORK/out" || fail "no supported mode of ${SPEED}"
}

unknown_speed_when_down() {
	ip -n a link set "$A" down
	eth "$A" >"$WORK/out"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	grep -q 'Speed: Unknown' "$WORK/out" || fail "$(grep Speed "$WORK/out")"
	grep -q 'Duplex: Unknown' "$WORK/out" || fail "$(grep Duplex "$WORK/out")"
	path_works
}

driver_info() {
	eth -i "$A" >"$WORK/out"
	grep -q '^driver: txgbe$' "$WORK/out"
	grep -q "^bus-info: $(port_pci "$A")$" "$WORK/out"
	grep -q '^supports-statistics: yes$' "$WORK/out"
}

statistics_grow_with_traffic() {
	before=$(stat_sum a "$A" '^tx.*(packets|pkts)$')
	pings 10.0.0.2 20
	after=$(stat_sum a "$A" '^tx.*(packets|pkts)$')
	[ "$after" -gt "$before" ] || fail "sum of the Tx packet statistics went from $before to $after"
}

module_eeprom_is_read() {
	try eth -m "$A"
	grep -q 'Identifier' "$WORK/out"
	say "$(grep -i 'Identifier' "$WORK/out" | head -n 1 | tr -s '\t ' ' ')"
	# The raw dump has the identifier of the module in its first byte.
	eth -m "$A" raw on >"$WORK/raw" 2>/dev/null || return 0
	first=$(od -An -tu1 -N1 "$WORK/raw" | tr -d ' ')
	case $TOPO in
	*40*) [ "$first" = 13 ] || [ "$first" = 17 ] || [ "$first" = 12 ] ;;
	*) [ "$first" = 3 ] ;;
	esac
}

ring() { eth -g "$A" | awk -v key="$1:" '/^Current/ { c = 1 } c && $1 == key { print $2 }'; }

ring_sizes_are_shown() {
	try eth -g "$A"
	[ "$(ring RX)" = 512 ] || fail "RX $(ring RX)"
	[ "$(ring TX)" = 512 ] || fail "TX $(ring TX)"
	awk '/^Pre-set/ { p = 1 } /^Current/ { p = 0 } p && ($1 == "RX:" || $1 == "TX:") && $2 != 8192 { bad = 1 } END { exit bad }' \
		"$WORK/out" || fail "maximum is not 8192"
}

ring_sizes_can_be_set() {
	try eth -G "$A" rx 1024 tx 256
	[ "$(ring RX)" = 1024 ] && [ "$(ring TX)" = 256 ] || fail "got $(ring RX) and $(ring TX)"
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
	xfer -a b -b a -d fd00::1 -n 2M
	# Sizes between the steps of 128 are rounded up.
	eth -G "$A" rx 520 tx 129
	[ "$(ring RX)" = 640 ] && [ "$(ring TX)" = 256 ] || fail "520 and 129 became $(ring RX) and $(ring TX)"
	path_works
	eth -G "$A" rx 8191 tx 1000
	[ "$(ring RX)" = 8192 ] && [ "$(ring TX)" = 1024 ] || fail "8191 and 1000 became $(ring RX) and $(ring TX)"
	# The in-tree driver makes the smallest of less than that, ours refuses it.
	if eth -G "$A" rx 0 tx 1; then
		[ "$(ring RX)" = 128 ] && [ "$(ring TX)" = 128 ] || fail "0 and 1 became $(ring RX) and $(ring TX)"
	else
		[ "$(ring RX)" = 8192 ] && [ "$(ring TX)" = 1024 ] || fail "refused, and yet $(ring RX) and $(ring TX)"
		eth -G "$A" rx 128 tx 128
	fi
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
	eth -G "$A" rx 8192 tx 8192
	path_works
	xfer -a b -b a -d 10.0.0.1 -n 2M
	eth -G "$A" rx 512 tx 512
	path_works
}

queues() { eth -l "$A" | awk '/^Current/ { c = 1 } c && $1 == "Combined:" { print $2 }'; }
max_queues() { eth -l "$A" | awk '/^Current/ { exit } $1 == "Combined:" { print $2 }'; }

channels_are_shown() {
	try eth -l "$A"
	[ "$(queues)" = "$SMP" ] || fail "$(queues) queues on $SMP CPUs"
	[ "$(max_queues)" -ge "$(queues)" ] && [ "$(max_queues)" -le 63 ]
}

channels_can_be_set() {
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	try eth -L "$A" combined 1
	[ "$(queues)" = 1 ]
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 2M
	eth -L "$A" combined "$SMP"
	[ "$(queues)" = "$SMP" ]
	path_works
	xfer -a b -b a -d fd00::1 -n 2M
}

usecs() { eth -c "$A" | awk '$1 == "rx-usecs:" { print $2 }'; }

coalescing_is_shown() {
	try eth -c "$A"
	[ -n "$(usecs)" ]
}

coalescing_can_be_set() {
	before=$(usecs)
	# A driver without an adaptive mode refuses even to turn it off.
	eth -C "$A" adaptive-rx off 2>/dev/null || :
	try eth -C "$A" rx-usecs 40
	[ "$(usecs)" = 40 ] || fail "rx-usecs 40 became $(usecs)"
	pings 10.0.0.2 10
	eth -C "$A" rx-usecs 0
	pings 10.0.0.2 10
	eth -C "$A" rx-usecs "${before:-10}" || :
	eth -C "$A" adaptive-rx on 2>/dev/null || :
}

key() { eth -x "$A" | awk '/RSS hash key/ { getline; print }'; }
# Queues that the table points at, one a line.
table_queues() { eth -x "$A" | awk '/^ *[0-9]+:/ { for (i = 2; i <= NF; i++) print $i }' | sort -un; }

rss_table_and_key_are_shown() {
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	try eth -x "$A"
	[ "$(key | tr -d ':\n' | wc -c)" -eq 80 ] || fail "key: $(key)"
	[ "$(table_queues | wc -l)" -eq "$SMP" ] || fail "table uses $(table_queues | tr '\n' ' ')"
}

rss_table_and_key_can_be_set() {
	[ "$SMP" -ge 2 ] || give_up "one CPU"
	try eth -X "$A" equal 1
	[ "$(table_queues)" = 0 ]
	new=$(seq 1 40 | while read -r i; do printf '%02x:' "$i"; done)
	eth -X "$A" hkey "${new%:}"
	[ "$(key)" = "${new%:}" ] || fail "key became $(key)"
	path_works
	# All of it lands on the one queue the table names. Datagrams, because the flow director may steer connections.
	before=$(stat_sum a "$A" '^rx_queue_[1-9][0-9]*_packets$|^rx[-_]?[1-9][0-9]*[-_]packets$')
	flows -u -a b -b a -d 10.0.0.1 -n 32
	after=$(stat_sum a "$A" '^rx_queue_[1-9][0-9]*_packets$|^rx[-_]?[1-9][0-9]*[-_]packets$')
	[ $((after - before)) -le 4 ] || fail "$((after - before)) frames on other queues"
	eth -X "$A" default
	[ "$(table_queues | wc -l)" -eq "$SMP" ]
}

# Each toggle that is not fixed goes to the other state and back, with traffic verified in both. The chip has one switch
# for both kinds of VLAN tag: features that only go together are switched together.
feature_toggles() {	# feature_toggles SHORT LONG [WITH]
	long=$2
	feature_fixed a "$A" "$long" && give_up "fixed"
	was=$(feature a "$A" "$long")
	[ -n "$was" ] || give_up "not listed"
	if [ "$was" = on ]; then other=off; else other=on; fi
	with=${3:-}
	[ -z "$with" ] || ! feature_fixed a "$A" "$with" || with=
	try eth -K "$A" "$1" "$other" ${with:+"$with" "$other"}
	[ "$(feature a "$A" "$long")" = "$other" ] || fail "still $was"
	path_works || fail "no ping with $1 $other"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	xfer -a b -b a -d fd00::1 -n 1M
	eth -K "$A" "$1" "$was" ${with:+"$with" "$was"}
	[ "$(feature a "$A" "$long")" = "$was" ] || fail "cannot go back to $was"
	path_works || fail "no ping with $1 $was"
	xfer -a b -b a -d 10.0.0.1 -n 1M
}

# What can be switched and has no line of its own below. For the witness: other tests look at what ours can. It lists
# segmentation in tunnels as changeable and the kernel then refuses it, whatever the device; loopback cuts the port off.
other_features() {
	[ "$DRIVER" = intree ] || return 0
	eth -k "$A" | awk -F: '/^[\t ]*[a-z0-9-]+: (on|off)/ && !/\[fixed\]/ { sub(/^[\t ]+/, "", $1); print $1 }' |
		grep -vxE 'rx-checksumming|tx-checksumming|scatter-gather|tcp-segmentation-offload|generic-(segmentation|receive)-offload|large-receive-offload|[rt]x-vlan-.*|receive-hashing|ntuple-filters|highdma|rx-all|tx-nocache-copy|tx-(gre|ipxip)[a-z0-9-]*-segmentation|loopback'
}

message_level_can_be_set() {
	was=$(eth "$A" | awk '/Current message level/ { print $4 }')
	[ -n "$was" ] || give_up "no message level"
	eth -s "$A" msglvl 0x7
	eth "$A" | grep -q 'Current message level: 0x00000007'
	eth -s "$A" msglvl "$was"
}

dumps_do_no_harm() {
	ethq -n a dump "$A" 65536
	eth -d "$A" >/dev/null 2>&1 || :
	eth -e "$A" >/dev/null 2>&1 || :
	eth -a "$A" >/dev/null 2>&1 || :
	eth --show-fec "$A" >/dev/null 2>&1 || :
	eth -T "$A" >/dev/null 2>&1 || :
	eth --show-eee "$A" >/dev/null 2>&1 || :
	eth --show-priv-flags "$A" >/dev/null 2>&1 || :
	eth -S "$A" --all-groups >/dev/null 2>&1 || :
	pings 10.0.0.2 3
}

there_are_no_private_ioctls() { ethq -n a private "$A" || fail "a private ioctl is answered"; }

refused_requests_change_nothing() {
	eth -g "$A" >"$WORK/g1" 2>/dev/null || :
	eth -l "$A" >"$WORK/l1" 2>/dev/null || :
	eth -G "$A" tx 100000 2>/dev/null && fail "ring of 100000 taken"
	eth -L "$A" combined 0 2>/dev/null && fail "0 channels taken"
	eth -L "$A" combined 1000 2>/dev/null && fail "1000 channels taken"
	eth -g "$A" >"$WORK/g2" 2>/dev/null || :
	eth -l "$A" >"$WORK/l2" 2>/dev/null || :
	cmp "$WORK/g1" "$WORK/g2"
	cmp "$WORK/l1" "$WORK/l2"
	pings 10.0.0.2 3
}

after_failure() { restore_pair >/dev/null 2>&1; }

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact shows_link_settings
fact unknown_speed_when_down
fact driver_info
fact statistics_grow_with_traffic
fact module_eeprom_is_read
fact ring_sizes_are_shown
fact ring_sizes_can_be_set
fact channels_are_shown
fact channels_can_be_set
fact coalescing_is_shown
fact coalescing_can_be_set
fact rss_table_and_key_are_shown
fact rss_table_and_key_can_be_set
fact feature_toggles rx rx-checksumming
fact feature_toggles tx tx-checksumming
fact feature_toggles sg scatter-gather
fact feature_toggles tso tcp-segmentation-offload
fact feature_toggles gso generic-segmentation-offload
fact feature_toggles gro generic-receive-offload
fact feature_toggles lro large-receive-offload
fact feature_toggles rxvlan rx-vlan-offload rx-vlan-stag-hw-parse
fact feature_toggles txvlan tx-vlan-offload tx-vlan-stag-hw-insert
fact feature_toggles rx-vlan-filter rx-vlan-filter rx-vlan-stag-filter
fact feature_toggles rxhash receive-hashing
fact feature_toggles ntuple ntuple-filters
fact feature_toggles highdma highdma
fact feature_toggles rx-all rx-all
fact feature_toggles tx-nocache-copy tx-nocache-copy
for long in $(other_features); do
	fact feature_toggles "$long" "$long"
done
fact message_level_can_be_set
fact dumps_do_no_harm
fact there_are_no_private_ioctls
fact refused_requests_change_nothing
finish

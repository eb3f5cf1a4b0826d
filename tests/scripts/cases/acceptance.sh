# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2016
# txgbe-acceptance: the order is safe, nothing stays changed, the report says what ran.

accept_port() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	ethtool_state eth0
	put_file proc/cpuinfo "model name : made up"
	put_file etc/os-release 'NAME="made up"'
	REPORT=$T/run/report.md
}

step_line() { grep -E "^$1 " <<<"$OUT"; }

order_is_from_harmless_to_disruptive() {
	local kinds
	accept_port
	txgbe acceptance --list
	rc 0
	kinds=$(awk '$1 != "soak" { print $2 }' <<<"$OUT" | uniq | paste -sd' ')
	is "$kinds" "read measure change disrupt"
}

disruptive_steps_need_the_word() {
	accept_port
	txgbe acceptance --dry-run eth0
	rc 0
	[[ $(step_line flaps) == *"needs --disruptive"* ]] || fail "$OUT"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) != *"left out"* ]] || fail "$OUT"
	[ ! -e txgbe-acceptance.md ] || fail "a dry run wrote a report"
}

lifeline_is_never_cut() {
	accept_port
	put_file run/default-route "default via 10.0.0.254 dev eth0"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) == *"refused: eth0 carries the default route"* ]] || fail "$OUT"
	[[ $(step_line jumbo) == *refused* ]] || fail "$OUT"
	txgbe acceptance --disruptive --only flaps,jumbo --peer 10.0.0.2 --report "$REPORT" eth0
	! grep -E "link set" "$T/run/ip.log"
}

lifeline_is_found_above_the_port() {
	accept_port
	mkdir -p "$T/sys/devices/virtual/net/eth0.100" "$T/sys/devices/virtual/net/br0"
	ln -s ../../devices/virtual/net/eth0.100 "$T/sys/class/net/eth0.100"
	ln -s ../../devices/virtual/net/br0 "$T/sys/class/net/br0"
	ln -s ../../../../../virtual/net/eth0.100 "$T/sys/class/net/eth0/upper_eth0.100"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) == *"refused: eth0 belongs to eth0.100"* ]] || fail "$OUT"
	put_file run/default-route "default via 10.0.0.254 dev br0"
	ln -s ../br0 "$T/sys/devices/virtual/net/eth0.100/upper_br0"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line selftest) == *"refused: br0 on eth0 carries the default route"* ]] || fail "$OUT"
	rm "$T/run/default-route"
	put_file run/addr-br0 "9: br0    inet 192.0.2.9/24 scope global br0"
	SSH_CONNECTION="192.0.2.1 40000 192.0.2.9 22" txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line jumbo) == *"refused: an SSH session comes in by br0 on eth0"* ]] || fail "$OUT"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line jumbo) != *SSH* ]] || fail "$OUT"
	# sudo hides the variable.
	put_file run/ss "0 0 [::ffff:192.0.2.9]:22 [::ffff:192.0.2.1]:40000"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line jumbo) == *"refused: an SSH session comes in by br0 on eth0"* ]] || fail "$OUT"
}

disk_that_comes_in_by_the_port_is_seen() {
	accept_port
	put_file proc/mounts "/dev/sda1 / ext4 rw 0 0"
	put_file run/way-to-192.0.2.5 "192.0.2.5 dev eth0 src 192.0.2.1"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) != *refused* ]] || fail "$OUT"
	put_file proc/mounts "host:/ / nfs4 rw,vers=4.2,addr=192.0.2.5,clientaddr=192.0.2.1 0 0"
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) == *"refused: eth0 carries the file system or disk from 192.0.2.5"* ]] || fail "$OUT"
	put_file proc/mounts "/dev/sda1 / ext4 rw 0 0"
	put_file sys/class/iscsi_connection/connection1:0/address 192.0.2.5
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line jumbo) == *"disk from 192.0.2.5"* ]] || fail "$OUT"
}

routes_come_back_after_the_link_was_cut() {
	accept_port
	put_file run/routes "routes of eth0"
	txgbe acceptance --disruptive --only flaps --flaps 1 --report "$REPORT" eth0
	rc 0
	file_is run/routes-restored "routes of eth0"
	is "$(grep -nE 'set eth0 up|restore' "$T/run/ip.log" | tail -n 1 | cut -d: -f2)" "ip -4 route restore"
}

servers_at_the_peer_end_by_themselves() {
	accept_port
	put_file run/rate-1 20000
	: >"$T/run/bytes-1"
	put_file run/peer 'echo "$*" >>"$TXGBE_SYSROOT/run/peer.log"'
	txgbe acceptance --only tcp4,netperf,qperf --seconds 3 --peer 10.0.0.2 --peer-cmd "bash $T/run/peer" --report "$REPORT" eth0
	grep -q '^timeout 26 iperf3 -s -1$' "$T/run/peer.log"
	! grep -E '^(iperf3|netserver|qperf)' "$T/run/peer.log" || fail "a server without an end"
}

log_with_a_complaint_is_a_failure() {
	local text
	accept_port
	for text in "EEPROM: no checksum, word 0x10 points outside (0x20)" "firmware gives no valid answer" \
		"firmware does not know the link command" "tx queue 3 hangs: device at 1, 2 of 3 descriptors pending from 0"; do
		put_file run/dmesg "txgbe 0000:3b:00.0: $text"
		txgbe acceptance --only log --report "$REPORT" eth0
		rc 1
	done
	put_file run/dmesg "txgbe 0000:3b:00.0 eth0: link up"
	txgbe acceptance --only log --report "$REPORT" eth0
	rc 0
}

frame_bytes_wants_its_counters() {
	local ping='f=$TXGBE_SYSROOT/ethtool/eth0/standard; sed -i -E "s/(Octets(Transmitted|Received)OK)=.*/\1=1046000/; s/(Frames.*|.*1024to9432Octets)=.*/\1=1000/" $f'
	accept_port
	put_file ethtool/eth0/stats tx_dma_bytes=0 rx_dma_bytes=0
	put_file ethtool/eth0/standard eth-mac-FramesTransmittedOK=0 eth-mac-FramesReceivedOK=0 eth-mac-OctetsTransmittedOK=0 \
		eth-mac-OctetsReceivedOK=0 tx-rmon-etherStatsPkts1024to9432Octets=0 rx-rmon-etherStatsPkts1024to9432Octets=0
	put_file run/on-sleep "$ping"
	txgbe acceptance --only frame-bytes --peer 10.0.0.2 --report "$REPORT" eth0
	rc 0
	grep -q 'OctetsTransmittedOK 1046, OctetsReceivedOK 1046' "$REPORT"
	sed -i '/rx-rmon/d' "$T/ethtool/eth0/standard"
	sed -i 's/=.*/=0/' "$T/ethtool/eth0/standard"
	txgbe acceptance --only frame-bytes --peer 10.0.0.2 --report "$REPORT" eth0
	rc 1
	grep -q 'FAIL | rx-rmon-etherStatsPkts1024toMaxOctets is missing' "$REPORT"
}

# Each run of iperf3 brings 4000 frames to the queues that run/queues names.
queues_get() {
	put_file run/queues "$@"
	put_file run/on-iperf3 'for q in $(cat $TXGBE_SYSROOT/run/queues); do f=$TXGBE_SYSROOT/ethtool/eth0/stats; n=$(sed -n "s/^rx_queue_${q}_packets=//p" $f)
		sed -i "s/^rx_queue_${q}_packets=.*/rx_queue_${q}_packets=$((n + 4000))/" $f; done'
}

hash_of_ipv6_is_tried() {
	accept_port
	put_file run/rate-16 20000
	: >"$T/run/bytes-16"
	put_file ethtool/eth0/stats rx_queue_0_packets=5 rx_queue_1_packets=9
	queues_get 0 1
	txgbe acceptance --only spread --peer6 2001:db8::2 --report "$REPORT" eth0
	rc 0
	grep -q '| spread | measure | PASS | 16 flows on 2 of 2 queues' "$REPORT"
	queues_get 1
	txgbe acceptance --only spread --peer6 2001:db8::2 --report "$REPORT" eth0
	rc 1
}

flow_rules_are_tried_and_taken_back() {
	local before
	accept_port
	put_file run/rate-8 20000
	: >"$T/run/bytes-8"
	echo ntuple-filters=off >>"$T/ethtool/eth0/feat"
	put_file ethtool/eth0/stats rx_queue_0_packets=0 rx_queue_1_packets=0
	before=$(cat "$T/ethtool/eth0/feat")
	queues_get 1
	txgbe acceptance --only ntuple --peer 10.0.0.2 --peer6 2001:db8::2 --report "$REPORT" eth0
	rc 0
	grep -q 'PASS | rules for tcp4, tcp6 send to queue 1' "$REPORT"
	is "$(cat "$T/ethtool/eth0/feat")" "$before"
	is "$(grep -c '^delete 7' "$T/run/ethtool.log")" 2
	queues_get 0 1
	txgbe acceptance --only ntuple --peer 10.0.0.2 --report "$REPORT" eth0
	rc 1
	is "$(cat "$T/ethtool/eth0/feat")" "$before"
}

slaves_of_a_bond_are_not_cut() {
	accept_port
	bond bond0 "802.3ad 4" eth0
	txgbe acceptance --dry-run --disruptive eth0
	[[ $(step_line flaps) == *"eth0 belongs to bond0"* ]] || fail "$OUT"
}

reading_changes_nothing_and_is_reported() {
	local before
	accept_port
	before=$(tree_state)
	txgbe acceptance --only identify,counters,optics,registers,doctor --report "$REPORT" eth0
	says "report: $REPORT"
	is "$(tree_state)" "$before" tree
	grep -q '^| counters | read | SKIP' "$REPORT"
	grep -q '^| identify | read | VALUE | 8088:5025' "$REPORT"
	grep -q '^## identify: VALUE' "$REPORT"
	# Whatever was not chosen is not claimed.
	! grep -q '| tcp4 ' "$REPORT"
}

without_a_peer_nothing_is_measured() {
	accept_port
	txgbe acceptance --only tcp4,netperf,ping --report "$REPORT" eth0
	rc 0
	is "$(grep -c '| SKIP | no --peer' "$REPORT")" 3
	! grep -q 'Measured here' "$REPORT"
}

figures_come_from_the_tools() {
	accept_port
	put_file run/rate-1 23456
	: >"$T/run/bytes-1"
	txgbe acceptance --only tcp4 --peer 10.0.0.2 --report "$REPORT" eth0
	rc 0
	# 25000 * 1448 / 1538
	grep -q '| one TCP flow, IPv4, out | 23456 Mb/s | 23537 Mb/s |' "$REPORT"
}

identities_are_masked() {
	accept_port
	put_file ethtool/eth0/m "	Vendor SN                                 : ABC123" "	Vendor name : ACME"
	txgbe acceptance --only optics --report "$REPORT" eth0
	! grep -q ABC123 "$REPORT"
	grep -q ACME "$REPORT"
	txgbe acceptance --only optics --keep-ids --report "$REPORT" eth0
	grep -q ABC123 "$REPORT"
}

settings_are_put_back() {
	local before
	accept_port
	before=$(tree_state)
	put_file run/rate-1 20000
	: >"$T/run/bytes-1"
	txgbe acceptance --only moderation,pause,jumbo --peer 10.0.0.2 --report "$REPORT" eth0
	grep -q rx-usecs=100 "$T/run/ethtool.log"
	grep -q tx=on "$T/run/ethtool.log"
	is "$(tree_state)" "$before" tree
	is "$(grep -c 'mtu' "$T/run/ip.log")" 2
	is "$(grep mtu "$T/run/ip.log" | tail -n 1)" "ip link set eth0 mtu 1500"
}

too_many_interrupts_are_a_failure() {
	accept_port
	put_file run/rate-1 20000
	: >"$T/run/bytes-1"
	# Each run of iperf3 brings 1,000,000 interrupts.
	put_file run/on-iperf3 'f=$TXGBE_SYSROOT/proc/interrupts; n=$(awk "/eth0-TxRx-0/ { print \$2 }" $f); sed -i "/eth0-TxRx-0/s/: *$n/: $((n + 1000000))/" $f'
	txgbe acceptance --only moderation --peer 10.0.0.2 --report "$REPORT" eth0
	rc 1
	grep -q '| moderation | change | FAIL | more interrupts' "$REPORT"
	is "$(sed -n 's/^rx-usecs=//p' "$T/ethtool/eth0/coal")" 30
}

link_that_never_returns_is_a_failure() {
	accept_port
	put_file run/on-sleep ':'
	put_file run/on-ip '[[ "$*" != "link set eth0 down" ]] || echo 0 >$TXGBE_SYSROOT/sys/class/net/eth0/carrier'
	txgbe acceptance --disruptive --only flaps --flaps 1 --report "$REPORT" eth0
	rc 1
	grep -q 'the link never came back' "$REPORT"
	is "$(tail -n 1 "$T/run/ip.log")" "ip link set eth0 up"
}

every_limit_has_a_step_or_is_named() {
	local subject
	accept_port
	txgbe acceptance --unknowns
	rc 0
	while IFS='|' read -r _ subject _; do
		subject=${subject# } subject=${subject% }
		case $subject in "" | subject | ---*) continue ;; esac
		[[ $OUT == *"${subject%% (*}"* ]] || fail "docs/limits.md: no acceptance step for \"$subject\""
	done <"$SCRIPTS/../docs/limits.md"
	for subject in SerDes "temperature tracking" "receive buffer" "flow control" "checksum of the EEPROM" \
		"moderation unit" "context reuse" "reset bits" "head write-back"; do
		says "$subject"
	done
	# A step that is named exists.
	txgbe acceptance --only "$(grep -v 'by hand' <<<"$OUT" | awk '{ print $NF }' | paste -sd,)" --dry-run eth0
	rc 0
}

acceptance_refuses_other_drivers() {
	accept_port
	port enp5s0 0000:05:00.0 driver=ixgbe first_irq=80
	txgbe acceptance enp5s0
	rc 1
	says "its driver is ixgbe"
	txgbe acceptance
	rc 2
	txgbe acceptance --only nosuch eth0
	rc 2
	txgbe acceptance --seconds 0 eth0
	rc 2
	txgbe acceptance --peer '$(reboot)' eth0
	rc 2
}

for name in lifeline_is_found_above_the_port disk_that_comes_in_by_the_port_is_seen routes_come_back_after_the_link_was_cut \
	servers_at_the_peer_end_by_themselves log_with_a_complaint_is_a_failure frame_bytes_wants_its_counters hash_of_ipv6_is_tried \
	flow_rules_are_tried_and_taken_back order_is_from_harmless_to_disruptive disruptive_steps_need_the_word lifeline_is_never_cut \
	slaves_of_a_bond_are_not_cut reading_changes_nothing_and_is_reported without_a_peer_nothing_is_measured \
	figures_come_from_the_tools identities_are_masked settings_are_put_back too_many_interrupts_are_a_failure \
	link_that_never_returns_is_a_failure every_limit_has_a_step_or_is_named acceptance_refuses_other_drivers; do
	fact $name
done

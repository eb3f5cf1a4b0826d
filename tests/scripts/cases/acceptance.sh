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
		[[ $OUT == *"${subject%% (*}"* ]] || echo "# docs/limits.md: no acceptance step for \"$subject\"" >&3
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

for name in order_is_from_harmless_to_disruptive disruptive_steps_need_the_word lifeline_is_never_cut \
	slaves_of_a_bond_are_not_cut reading_changes_nothing_and_is_reported without_a_peer_nothing_is_measured \
	figures_come_from_the_tools identities_are_masked settings_are_put_back too_many_interrupts_are_a_failure \
	link_that_never_returns_is_a_failure every_limit_has_a_step_or_is_named acceptance_refuses_other_drivers; do
	fact $name
done

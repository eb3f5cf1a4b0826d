# SPDX-License-Identifier: GPL-2.0-only
# What ethtool shows of the link follows the module; what is set there is asked of the firmware, kept, and replayed.
. "${TESTS:-/tests}/lib.sh"

settings() {	# settings NS IF KEY: a line of ethtool IF
	ip netns exec "$1" ethtool "$2" | sed -n "s/^[[:space:]]*$3: //p"
}
# All lines of a list of link modes as words.
modes() {	# modes NS IF Supported|Advertised
	ip netns exec "$1" ethtool "$2" | awk -v key="$3 link modes:" '
		index($0, key) { on = 1; sub(".*" key, "") }
		on && /:/ { exit }
		on { printf "%s ", $0 }' | tr -s ' \t' ' ' | sed 's/^ //; s/ $//'
}
ext_state() { ip netns exec "$1" ethtool "$2" | sed -n 's/.*Link detected: no *(*\([^)]*\))*$/\1/p'; }
ext_state_is() { [ "$(ext_state "$1" "$2")" = "$3" ]; }
asked() { hostctl get "$1" fw-link | tr ' ' '\n' | sed -n "s/^$2=//p"; }
carrier_lost() { ! has_carrier "$1" "$2"; }
speed_is() { ethq -n "$1" link "$2" | grep -q "^up speed=$3 "; }
port_is() { [ "$(settings "$1" "$2" Port)" = "$3" ]; }
both_modules() { hostctl set p0 module "$1"; hostctl set p1 module "$1"; }
carrier_changes() { ip netns exec "$1" cat "/sys/class/net/$2/$3"; }
sfp() { [ "$SPEED" != 40000 ]; }
need_sfp25() { [ "$SPEED" = 25000 ] || give_up "25G ports only"; }

case $SPEED in
40000) good=qsfp-sr4 ;;
25000) good=sfp28-sr ;;
*) good=sfp-sr ;;
esac

# Puts both ends back: modules, wishes, carrier.
tidy() {
	hostctl set p0 cable true
	hostctl set p0 fault-flap-ms 0
	hostctl set p0 fault-module none
	# Without a module, switching negotiation off and on forgets every wish about rates.
	hostctl set p0 module none
	hostctl set p1 module none
	wait_for 2 port_is a "$A" None || :
	wait_for 2 port_is b "$B" None || :
	in_a ethtool -s "$A" autoneg off && in_a ethtool -s "$A" autoneg on || :
	in_b ethtool -s "$B" autoneg off && in_b ethtool -s "$B" autoneg on || :
	both_modules $good
	wait_for 10 speed_is a "$A" "$SPEED"
	wait_for 10 speed_is b "$B" "$SPEED"
}
after_failure() { tidy; restore_pair; } >/dev/null 2>&1

modules_tell_their_modes() {
	need_model
	tidy
	case $SPEED in
	25000) list="sfp28-sr:FIBRE:off sfp28-lr:FIBRE:off sfp28-dac:Direct_Attach_Copper:on sfp28-aoc:Direct_Attach_Copper:on
		sfp-sr:FIBRE:off sfp-lr:FIBRE:off sfp-dac:Direct_Attach_Copper:on" ;;
	10000) list="sfp-sr:FIBRE:off sfp-lr:FIBRE:off sfp-dac:Direct_Attach_Copper:on" ;;
	*) list="qsfp-sr4:FIBRE:off qsfp-lr4:FIBRE:off qsfp-cr4:Direct_Attach_Copper:on" ;;
	esac
	for entry in $list; do
		module=${entry%%:*}
		auto=${entry##*:}
		port=${entry#*:}
		port=$(echo "${port%:*}" | tr _ ' ')
		both_modules "$module"
		wait_for 10 port_is a "$A" "$port" || fail "$module: port $(settings a "$A" Port)"
		wait_for 10 has_carrier a "$A" || fail "no carrier with $module"
		say "$module: $port, $(modes a "$A" Supported), $(settings a "$A" Speed)"
		[ "$(settings a "$A" Auto-negotiation)" = "$auto" ] || fail "$module: autoneg is not $auto"
		[ "$(settings a "$A" Speed)" = "$(hostctl get p0 link)Mb/s" ] || fail "$module: $(settings a "$A" Speed)"
		[ "$(asked p0 an)" = "$([ "$auto" = on ] && echo 1 || echo 0)" ] || fail "$module: $(hostctl get p0 fw-link)"
		kind=$(echo "${module##*-}" | sed 's/dac/CR/; s/aoc/CR/' | tr 'srlc' 'SRLC')
		# ethtool has one name for 25G optics.
		case $module in sfp28-lr) kind=SR ;; esac
		modes a "$A" Supported | grep -q "$(hostctl get p0 link)base$kind/Full" ||
			fail "$module: modes $(modes a "$A" Supported)"
		[ "$(modes a "$A" Supported)" = "$(modes a "$A" Advertised)" ] || fail "$module advertises $(modes a "$A" Advertised)"
		[ "$(settings a "$A" 'Supported ports')" = "[ FIBRE ]" ] || fail "$module: $(settings a "$A" 'Supported ports')"
		path_works
	done
	tidy
}

lanes_are_those_of_the_rate() {
	kernel_at_least 5 13 || give_up "kernels before 5.13 have no word for lanes"
	lanes=1
	[ "$SPEED" = 40000 ] && lanes=4
	[ "$(settings a "$A" Lanes)" = $lanes ] || fail "lanes: $(settings a "$A" Lanes)"
	ip -n a link set "$A" down
	[ -z "$(settings a "$A" Lanes)" ] || fail "lanes while down: $(settings a "$A" Lanes)"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	log_mark
	in_a ethtool -s "$A" speed "$SPEED" lanes 2 autoneg off && fail "two lanes are taken"
	log_since | grep -q '40G has four lanes' || fail "no reason in the log"
	in_a ethtool -s "$A" speed "$SPEED" lanes $lanes autoneg off
	path_works
}

nothing_is_known_while_down() {	# A32, A33
	ip -n a link set "$A" down
	[ "$(ethq -n a link "$A")" = "down speed=unknown duplex=unknown" ] || fail "$(ethq -n a link "$A")"
	in_a ethtool --show-fec "$A" | grep -Eq 'Active FEC encodings?: *(None)?$' || fail "$(in_a ethtool --show-fec "$A")"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

rate_comes_and_goes_with_the_carrier() {
	need_model
	losses=$(in_a cat "/sys/class/net/$A/carrier_changes")
	hostctl set p0 fault-flap-ms 150
	# What is read within one and the same state of the carrier goes together.
	# shellcheck disable=SC2016
	timeout 60 ip netns exec a sh -c 'cd "/sys/class/net/$0" && while read -r first <carrier_changes && [ "$first" -lt "$1" ]; do
		read -r carrier <carrier
		read -r rate <speed
		read -r last <carrier_changes
		[ "$first" = "$last" ] || continue
		case $carrier$rate in
		1-1 | 10) echo "a carrier without a rate" ;;
		0[1-9]*) echo "$rate without a carrier" ;;
		esac
	done' "$A" $((losses + 8)) >"$WORK/out" || fail "the link did not flap"
	hostctl set p0 fault-flap-ms 0
	[ ! -s "$WORK/out" ] || fail "$(sort "$WORK/out" | uniq -c | tr '\n' ';')"
	wait_for 20 path_works
}

# Copper on both ends: what is advertised decides, and is kept (A33, A55).
advertised_rates_are_kept() {
	need_model
	case $SPEED in
	25000) dac=sfp28-dac fast=25000baseCR/Full slow=10000baseCR/Full ;;
	40000) dac=qsfp-cr4 fast=40000baseCR4/Full slow=10000baseCR/Full ;;
	*) give_up "one rate only" ;;
	esac
	both_modules "$dac"
	wait_for 10 speed_is a "$A" "$SPEED" || fail "no link with $dac: $(ethq -n a link "$A")"
	[ "$(asked p0 an)" = 1 ] || fail "$(hostctl get p0 fw-link)"
	in_a ethtool -s "$A" advertise "$slow" on "$fast" off
	wait_for 10 speed_is a "$A" 10000 || fail "$(ethq -n a link "$A"), asked $(hostctl get p0 fw-link)"
	wait_for 10 speed_is b "$B" 10000 || fail "other end: $(ethq -n b link "$B")"
	[ "$(asked p0 speed) $(asked p0 an)" = "10000 1" ] || fail "$(hostctl get p0 fw-link)"
	[ "$(modes a "$A" Advertised)" = "$slow" ] || fail "advertised $(modes a "$A" Advertised)"
	path_works

	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 speed_is a "$A" 10000 || fail "after down and up: $(ethq -n a link "$A")"
	hostctl set p0 module none
	wait_for 2 carrier_lost a "$A"
	hostctl set p0 module "$dac"
	wait_for 10 speed_is a "$A" 10000 || fail "after a new module: $(ethq -n a link "$A")"
	[ "$(modes a "$A" Advertised)" = "$slow" ] || fail "advertised $(modes a "$A" Advertised)"

	in_a ethtool -s "$A" advertise "$slow" on "$fast" on
	wait_for 10 speed_is a "$A" "$SPEED" || fail "all advertised again: $(ethq -n a link "$A")"
	path_works
	tidy
}

rate_outside_the_advertised_is_no_link() {
	need_model
	need_sfp25
	both_modules sfp28-dac
	wait_for 10 speed_is a "$A" 25000
	in_a ethtool -s "$A" advertise 25000baseCR/Full on 10000baseCR/Full off
	in_b ethtool -s "$B" advertise 25000baseCR/Full off 10000baseCR/Full on
	wait_for 5 carrier_lost a "$A" || fail "carrier at $(ethq -n a link "$A")"
	sleep 2.5
	has_carrier a "$A" && fail "carrier at $(ethq -n a link "$A")"
	say "shown: $(ext_state a "$A")"
	case $(ext_state a "$A") in
	"Autoneg, No HCD" | "Autoneg, No partner detected") ;;
	*) fail "reason: $(ext_state a "$A")" ;;
	esac
	tidy
	path_works
}

forced_rate_is_asked_for_and_kept() {
	need_model
	case $SPEED in
	25000) dac=sfp28-dac ;;
	40000) dac=qsfp-cr4 ;;
	*) give_up "one rate only" ;;
	esac
	both_modules "$dac"
	wait_for 5 port_is a "$A" "Direct Attach Copper"
	wait_for 10 speed_is a "$A" "$SPEED"
	# A72: the new rate comes with a loss of the carrier and a change event; a loss and a gain may share one.
	losses=$(carrier_changes a "$A" carrier_down_count)
	ip -n a monitor link dev "$A" >"$WORK/events" 2>&1 &
	watcher=$!
	sleep 0.5
	in_a ethtool -s "$A" speed 10000 autoneg off
	in_b ethtool -s "$B" speed 10000 autoneg off
	wait_for 10 speed_is a "$A" 10000 || fail "$(ethq -n a link "$A"), asked $(hostctl get p0 fw-link)"
	wait_for 10 speed_is b "$B" 10000 || fail "other end: $(ethq -n b link "$B")"
	[ "$(asked p0 speed) $(asked p0 an)" = "10000 0" ] || fail "$(hostctl get p0 fw-link)"
	[ "$(carrier_changes a "$A" carrier_down_count)" -gt "$losses" ] || fail "the carrier stayed"
	wait_for 3 grep -q LOWER_UP "$WORK/events" || fail "no change event"
	kill $watcher
	[ "$(settings a "$A" Auto-negotiation)" = off ]
	path_works
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 speed_is a "$A" 10000 || fail "after down and up: $(ethq -n a link "$A")"
	path_works
	in_a ethtool -s "$A" autoneg on
	in_b ethtool -s "$B" autoneg on
	wait_for 10 speed_is a "$A" "$SPEED" || fail "negotiated again: $(ethq -n a link "$A")"
	path_works
	tidy
}

wish_that_does_not_suit_a_module_is_not_lost() {
	need_model
	need_sfp25
	both_modules sfp28-dac
	wait_for 10 speed_is a "$A" 25000
	in_a ethtool -s "$A" speed 25000 autoneg off
	in_b ethtool -s "$B" speed 25000 autoneg off
	wait_for 10 speed_is a "$A" 25000
	log_mark
	both_modules sfp-sr
	wait_for 10 speed_is a "$A" 10000 || fail "10G module: $(ethq -n a link "$A")"
	wait_for 3 sh -c 'dmesg | grep -q "has none of the rates set"' || fail "nothing in the log"
	both_modules sfp28-dac
	wait_for 10 speed_is a "$A" 25000 || fail "back: $(ethq -n a link "$A")"
	[ "$(asked p0 speed) $(asked p0 an)" = "25000 0" ] || fail "$(hostctl get p0 fw-link)"
	tidy
	path_works
}

wish_without_a_module_waits_for_one() {
	need_model
	need_sfp25
	both_modules none
	wait_for 2 port_is a "$A" None
	wait_for 2 port_is b "$B" None
	in_a ethtool -s "$A" speed 10000 autoneg off
	in_b ethtool -s "$B" speed 10000 autoneg off
	both_modules sfp28-dac
	wait_for 10 speed_is a "$A" 10000 || fail "$(ethq -n a link "$A"), asked $(hostctl get p0 fw-link)"
	path_works
	tidy
}

# The same of what shall be negotiated: a list, or a speed instead of one. It is not turned into a forced rate.
list_without_a_module_waits_for_one() {
	need_model
	need_sfp25
	both_modules none
	wait_for 2 port_is a "$A" None
	wait_for 2 port_is b "$B" None
	[ "$(settings a "$A" Auto-negotiation)" = on ] || fail "negotiation is $(settings a "$A" Auto-negotiation)"
	log_mark
	in_a ethtool -s "$A" advertise 1000baseT/Full on && fail "1000baseT is taken"
	log_since | grep -q 'refused: the port does not run at this speed' || fail "no reason in the log"
	in_a ethtool -s "$A" advertise 10000baseCR/Full on
	in_b ethtool -s "$B" speed 10000
	both_modules sfp28-dac
	wait_for 10 speed_is a "$A" 10000 || fail "$(ethq -n a link "$A"), asked $(hostctl get p0 fw-link)"
	[ "$(asked p0 speed) $(asked p0 an)" = "10000 1" ] || fail "$(hostctl get p0 fw-link)"
	[ "$(asked p1 speed) $(asked p1 an)" = "10000 1" ] || fail "other end: $(hostctl get p1 fw-link)"
	[ "$(modes a "$A" Advertised)" = 10000baseCR/Full ] || fail "advertised $(modes a "$A" Advertised)"
	path_works
	tidy
}

refused() {	# refused PATTERN ethtool arguments...
	pattern=$1
	shift
	log_mark
	in_a ethtool "$@" && fail "ethtool $* is taken"
	log_since | grep -q "$pattern" || fail "ethtool $*: no reason in the log"
	[ "$(hostctl get p0 fw-link) $(carrier_changes a "$A" carrier_changes)" = "$before" ] ||
		fail "ethtool $*: $(hostctl get p0 fw-link)"
}

impossible_settings_are_refused_with_a_reason() {
	need_model
	path_works
	before="$(hostctl get p0 fw-link) $(carrier_changes a "$A" carrier_changes)"
	case $SPEED in
	25000) refused 'speed 40000.*do not both run' -s "$A" speed 40000 autoneg off ;;
	40000) refused 'speed 25000.*do not both run' -s "$A" speed 25000 autoneg off ;;
	10000) refused 'speed 25000.*do not both run' -s "$A" speed 25000 autoneg off ;;
	esac
	refused 'speed 1000,.*do not both run' -s "$A" speed 1000 autoneg off
	refused 'no half duplex' -s "$A" speed "$SPEED" duplex half autoneg off
	refused 'does not negotiate' -s "$A" autoneg on
	refused 'what kind of port' -s "$A" port tp
	refused 'nothing is advertised without' -s "$A" advertise 1000baseT/Full on
	path_works
}

setting_what_is_set_leaves_the_link_alone() {
	need_model
	wait_for 10 speed_is a "$A" "$SPEED"
	before="$(hostctl get p0 fw-link) $(carrier_changes a "$A" carrier_changes)"
	in_a ethtool -s "$A" speed "$SPEED" autoneg off
	in_a ethtool -s "$A" speed "$SPEED" autoneg off
	# Taken back, which optics let one do once. Before the number of lanes was a setting the kernel did not ask the
	# driver for what was shown already, so nothing is forced.
	in_a ethtool -s "$A" autoneg on || not kernel_at_least 5 13 || fail "what was forced cannot be taken back"
	in_a ethtool -s "$A" autoneg on && fail "optics negotiate"
	sleep 1
	[ "$(hostctl get p0 fw-link) $(carrier_changes a "$A" carrier_changes)" = "$before" ] ||
		fail "$(hostctl get p0 fw-link), $(carrier_changes a "$A" carrier_changes) changes, was $before"
	path_works
}

restart_asks_firmware_again() {
	need_model
	count=$(asked p0 count)
	in_a ethtool -r "$A"
	asked_again() { [ "$(asked p0 count)" -gt "$count" ]; }
	wait_for 3 asked_again || fail "no further request: $(hostctl get p0 fw-link)"
	wait_for 10 speed_is a "$A" "$SPEED" || fail "no link afterwards"
	path_works
	ip -n a link set "$A" down
	in_a ethtool -r "$A" && fail "a closed port restarts its link"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

losses_are_counted() {
	need_model
	wait_for 10 has_carrier a "$A"
	if ethq -n a downs "$A" >/dev/null; then
		count=$(ethq -n a downs "$A")
	else
		kernel_at_least 6 3 && fail "no link-down counter"
		count=
	fi
	stat=$(stat a "$A" link_down_count)
	sysfs=$(carrier_changes a "$A" carrier_down_count)
	for _ in 1 2 3 4 5; do
		hostctl set p0 cable false
		wait_for 5 carrier_lost a "$A"
		hostctl set p0 cable true
		wait_for 5 has_carrier a "$A"
	done
	[ $(($(stat a "$A" link_down_count) - stat)) -eq 5 ] || fail "-S: $stat, now $(stat a "$A" link_down_count)"
	[ $(($(carrier_changes a "$A" carrier_down_count) - sysfs)) -eq 5 ] || fail "sysfs disagrees"
	[ -z "$count" ] || [ $(($(ethq -n a downs "$A") - count)) -eq 5 ] || fail "counter: $count, now $(ethq -n a downs "$A")"
	# Closing is no loss.
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	[ $(($(stat a "$A" link_down_count) - stat)) -eq 5 ] || fail "closing counts as a loss"
	path_works
}

reason_is_shown() {	# reason_is_shown TEXT
	wait_for 5 carrier_lost a "$A" || fail "carrier stays"
	wait_for 5 ext_state_is a "$A" "$1" || fail "shown: '$(ext_state a "$A")', not '$1'"
}

reasons_for_no_link_are_told() {
	need_model
	tidy
	hostctl set p0 module none
	reason_is_shown "No cable"
	hostctl set p0 module junk
	reason_is_shown "Cable issue, Unsupported cable"
	# Without a cable: a link that comes up by itself is taken, whatever the module says.
	hostctl set p0 cable false
	hostctl set p0 fault-module nak
	hostctl set p0 module none
	hostctl set p0 module $good
	reason_is_shown "EEPROM issue"
	hostctl set p0 fault-module none
	hostctl set p0 cable true
	wait_for 15 has_carrier a "$A" || fail "no carrier after the good module came back"
	hostctl set p0 cable false
	if sfp; then
		reason_is_shown "Bad signal integrity, Serdes ALOS"
	else
		reason_is_shown "Autoneg, No partner detected during force mode"
	fi
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	ip -n b link set "$B" down
	# A QSFP cage has no laser control: its link stays up while the port is closed.
	! sfp || reason_is_shown "Bad signal integrity, Serdes ALOS"
	ip -n b link set "$B" up
	set_addresses b "$B" 2
	wait_for 10 has_carrier a "$A"
	# Nothing to tell: a closed port, and one with a link.
	[ -z "$(ext_state a "$A")" ] || fail "a reason with a link: $(ext_state a "$A")"
	ip -n a link set "$A" down
	[ -z "$(ext_state a "$A")" ] || fail "a reason for a closed port: $(ext_state a "$A")"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

copper_without_partner_is_told() {
	need_model
	case $SPEED in
	25000) both_modules sfp28-dac ;;
	40000) both_modules qsfp-cr4 ;;
	*) both_modules sfp-dac ;;
	esac
	wait_for 10 has_carrier a "$A"
	hostctl set p0 cable false
	reason_is_shown "Autoneg, No partner detected"
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A"
	tidy
	path_works
}

silent_firmware_gives_no_wrong_reason() {
	need_model
	log_mark
	hostctl set p0 fault-fw silent
	hostctl set p0 module none
	wait_for 5 carrier_lost a "$A"
	hostctl set p0 module $good
	named() { log_since | grep -q 'firmware failed to identify the module'; }
	wait_for 10 named || fail "the log does not name the firmware"
	say "shown: '$(ext_state a "$A")'"
	case $(ext_state a "$A") in
	"" ) ;;
	*) has_carrier a "$A" || fail "shown: $(ext_state a "$A")" ;;
	esac
	hostctl set p0 fault-fw none
	wait_for 20 speed_is a "$A" "$SPEED" || fail "no link after firmware woke up"
	path_works
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact modules_tell_their_modes
fact lanes_are_those_of_the_rate
fact nothing_is_known_while_down
fact rate_comes_and_goes_with_the_carrier
fact advertised_rates_are_kept
fact rate_outside_the_advertised_is_no_link
fact forced_rate_is_asked_for_and_kept
fact wish_that_does_not_suit_a_module_is_not_lost
fact wish_without_a_module_waits_for_one
fact list_without_a_module_waits_for_one
fact impossible_settings_are_refused_with_a_reason
fact setting_what_is_set_leaves_the_link_alone
fact restart_asks_firmware_again
fact losses_are_counted
fact reasons_for_no_link_are_told
fact copper_without_partner_is_told
fact silent_firmware_gives_no_wrong_reason
finish

# SPDX-License-Identifier: GPL-2.0-only
# FEC: what is set is asked of the firmware and kept, what is shown is what runs, and a mismatch is named (A26).
. "${TESTS:-/tests}/lib.sh"

configured() { ip netns exec "$1" ethtool --show-fec "$2" | sed -n 's/.*onfigured FEC encodings*: *//p' | tr -s ' ' | sed 's/ $//'; }
# Kernels before 5.13 print nothing where later ones print None.
active() {
	shown=$(ip netns exec "$1" ethtool --show-fec "$2" | sed -n 's/.*ctive FEC encodings*: *//p' | tr -s ' ' | sed 's/ $//')
	echo "${shown:-None}"
}
asked() { hostctl get "$1" fw-link | tr ' ' '\n' | sed -n "s/^$2=//p"; }
ext_state() { ip netns exec "$1" ethtool "$2" | sed -n 's/.*Link detected: no *(*\([^)]*\))*$/\1/p'; }
carrier_lost() { ! has_carrier "$1" "$2"; }
speed_is() { ethq -n "$1" link "$2" | grep -q "^up speed=$3 "; }
# ethtool's word for the model's.
word() {
	case $(hostctl get "$1" fec) in
	rs) echo RS ;;
	baser) echo BaseR ;;
	off) echo Off ;;
	*) echo None ;;
	esac
}
active_is() { [ "$(active "$1" "$2")" = "$3" ]; }
need_fec() {
	need_model
	hostctl get p0 fec || give_up "the model has no FEC"
}
need_25g() { [ "$SPEED" = 25000 ] || give_up "25G ports only"; }
set_both() { in_a ethtool --set-fec "$A" encoding "$1" && in_b ethtool --set-fec "$B" encoding "$1"; }

tidy() {
	case $SPEED in
	40000) good=qsfp-sr4 ;;
	25000) good=sfp28-sr ;;
	*) good=sfp-sr ;;
	esac
	hostctl set p0 fault-fw none
	hostctl set p0 cable true
	set_both auto || :
	[ "$(hostctl get p0 module)" = $good ] || hostctl set p0 module $good
	[ "$(hostctl get p1 module)" = $good ] || hostctl set p1 module $good
	wait_for 10 speed_is a "$A" "$SPEED"
	wait_for 10 speed_is b "$B" "$SPEED"
}
after_failure() { tidy; restore_pair; } >/dev/null 2>&1

automatic_fec_names_the_one_in_use() {
	need_fec
	tidy
	[ "$(configured a "$A")" = Auto ] || fail "configured: $(configured a "$A")"
	[ "$(asked p0 fec)" = 7 ] || fail "$(hostctl get p0 fw-link)"
	[ "$(word p0)" != None ] || fail "the model has no FEC while the link is up"
	# A request that left the link up is asked about a second later.
	wait_for 5 active_is a "$A" "$(word p0)" || fail "active $(active a "$A"), the model has $(hostctl get p0 fec)"
	say "in use: $(active a "$A")"
	ip -n a link set "$A" down
	active_is a "$A" None || fail "active while down: $(active a "$A")"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	active_is a "$A" "$(word p0)" || fail "active $(active a "$A") at the carrier"
	path_works
}

each_fec_runs_when_both_ends_ask_for_it() {
	need_fec
	need_25g
	for entry in rs:RS:1 baser:BaseR:2 off:Off:4; do
		name=${entry%%:*}
		mask=${entry##*:}
		shown=${entry#*:}
		shown=${shown%:*}
		set_both "$name"
		wait_for 10 active_is a "$A" "$shown" || fail "$name: active $(active a "$A"), asked $(hostctl get p0 fw-link)"
		wait_for 10 active_is b "$B" "$shown" || fail "$name: other end $(active b "$B")"
		[ "$(asked p0 fec)" = "$mask" ] || fail "$name: $(hostctl get p0 fw-link)"
		[ "$(hostctl get p0 fec)" = "$name" ] || fail "$name: the model runs $(hostctl get p0 fec)"
		[ "$(configured a "$A")" = "$shown" ] || fail "$name: configured $(configured a "$A")"
		path_works
	done
	tidy
	path_works
}

automatic_fec_finds_the_partners() {
	need_fec
	need_25g
	tidy
	for entry in baser:BaseR off:Off rs:RS; do
		in_b ethtool --set-fec "$B" encoding "${entry%:*}"
		wait_for 10 active_is a "$A" "${entry#*:}" || fail "partner ${entry%:*}: $(active a "$A"), model $(hostctl get p0 fec)"
		path_works
	done
	tidy
}

fec_mismatch_is_named_and_does_not_flap() {
	need_fec
	need_25g
	tidy
	log_mark
	in_a ethtool --set-fec "$A" encoding rs
	in_b ethtool --set-fec "$B" encoding off
	wait_for 10 carrier_lost a "$A" || fail "carrier with different FEC"
	sleep 3
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	sleep 4
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "the link flaps"
	has_carrier a "$A" && fail "carrier with different FEC"
	[ "$(ext_state a "$A")" = "Logical mismatch, RS FEC is not locked" ] || fail "shown: $(ext_state a "$A")"
	[ "$(log_since | grep -c 'signal but no link at 25000 Mbit/s with FEC RS')" = 1 ] || fail "log: $(log_since | grep -c 'but no link')"
	in_a ethtool --set-fec "$A" encoding baser
	fc_fec() { [ "$(ext_state a "$A")" = "Logical mismatch, FC FEC is not locked" ]; }
	wait_for 5 fc_fec || fail "shown: $(ext_state a "$A")"
	in_a ethtool --set-fec "$A" encoding off
	wait_for 10 active_is a "$A" Off || fail "no link after both are off"
	path_works
	tidy
}

fec_is_kept_over_down_up_and_modules() {
	need_fec
	need_25g
	set_both baser
	wait_for 10 active_is a "$A" BaseR
	ip -n a link set "$A" down
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 active_is a "$A" BaseR || fail "after down and up: $(active a "$A")"
	# 10G optics have no FEC: the wish rests.
	hostctl set p0 module sfp-sr
	hostctl set p1 module sfp-sr
	wait_for 10 speed_is a "$A" 10000 || fail "no link with 10G modules: $(ethq -n a link "$A")"
	active_is a "$A" Off || fail "10G runs $(active a "$A")"
	[ "$(configured a "$A")" = BaseR ] || fail "configured: $(configured a "$A")"
	hostctl set p0 module sfp28-sr
	hostctl set p1 module sfp28-sr
	wait_for 10 active_is a "$A" BaseR || fail "after modules: $(active a "$A")"
	path_works
	tidy
}

fec_is_learnt_once_firmware_answers() {
	need_fec
	tidy
	hostctl set p0 fault-fw silent
	hostctl set p0 cable false
	wait_for 5 carrier_lost a "$A"
	hostctl set p0 cable true
	wait_for 10 has_carrier a "$A" || fail "silent firmware keeps the carrier away"
	active_is a "$A" None || fail "active $(active a "$A") though firmware is silent"
	hostctl set p0 fault-fw none
	wait_for 25 active_is a "$A" "$(word p0)" || fail "active $(active a "$A"), the model has $(hostctl get p0 fec)"
	path_works
}

fec_is_set_while_down() {
	need_fec
	need_25g
	ip -n a link set "$A" down
	set_both rs
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 active_is a "$A" RS || fail "$(active a "$A")"
	[ "$(asked p0 fec)" = 1 ] || fail "$(hostctl get p0 fw-link)"
	path_works
	tidy
}

refused() {	# refused PATTERN ENCODING...
	pattern=$1
	shift
	log_mark
	in_a ethtool --set-fec "$A" encoding "$@" && fail "$* is taken"
	log_since | grep -q "$pattern" || fail "$*: no reason in the log"
	[ "$(hostctl get p0 fw-link) $(configured a "$A")" = "$before" ] || fail "$*: something changed"
}

impossible_fec_is_refused_with_a_reason() {
	need_model
	tidy
	before="$(hostctl get p0 fw-link) $(configured a "$A")"
	refused 'off, rs and baser' llrs
	refused 'cannot be joined' auto off
	[ "$SPEED" = 25000 ] || refused 'no FEC: only off and auto' rs
	[ "$SPEED" = 25000 ] || refused 'no FEC: only off and auto' baser
	in_a ethtool --set-fec "$A" encoding off
	wait_for 10 speed_is a "$A" "$SPEED" || fail "no link with FEC off"
	tidy
	path_works
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact automatic_fec_names_the_one_in_use
fact each_fec_runs_when_both_ends_ask_for_it
fact automatic_fec_finds_the_partners
fact fec_mismatch_is_named_and_does_not_flap
fact fec_is_kept_over_down_up_and_modules
fact fec_is_learnt_once_firmware_answers
fact fec_is_set_while_down
fact impossible_fec_is_refused_with_a_reason
finish

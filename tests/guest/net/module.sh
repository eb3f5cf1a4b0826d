# SPDX-License-Identifier: GPL-2.0-only
# ethtool -m gives the module's own bytes, for every offset and length, by file and by page; comings and goings are noticed.
. "${TESTS:-/tests}/lib.sh"

carrier_lost() { ! has_carrier "$1" "$2"; }
port_is() { ip netns exec "$1" ethtool "$2" | grep -q "Port: $3\$"; }
half() {	# half I2C PAGE 0|1: 256 hex digits of the model's module
	hostctl get p0 module-dump | tr ' ' '\n' | sed -n "s|^$1/$2:||p" | cut -c $(($3 * 256 + 1))-$(($3 * 256 + 256))
}
need_dump() {
	need_model
	hostctl get p0 module-dump >/dev/null || give_up "the model's module cannot be read from outside"
}
# The file as the ioctl gives it.
file_of() {
	case $1 in
	qsfp*) echo "$(half 50 00 0)$(half 50 00 1)$(half 50 01 1)$(half 50 02 1)$(half 50 03 1)" ;;
	*) echo "$(half 50 00 0)$(half 50 00 1)$(half 51 00 0)$(half 51 00 1)" ;;
	esac
}
case $SPEED in
40000) good=qsfp-sr4 ;;
25000) good=sfp28-sr ;;
*) good=sfp-sr ;;
esac
after_failure() {
	hostctl set p0 fault-module none
	hostctl set p0 fault-fw none
	hostctl set p0 module $good
	restore_pair
} >/dev/null 2>&1

# What firmware has for a module that was just plugged.
plug() {
	hostctl set p0 module "$1"
	wait_for 3 ethq -n a info "$A"
}

every_offset_and_length_is_right() {
	need_dump
	case $SPEED in
	40000) list="qsfp-sr4 qsfp-cr4" ;;
	25000) list="sfp28-sr sfp28-dac" ;;
	*) list="sfp-sr sfp-dac" ;;
	esac
	for module in $list; do
		plug "$module"
		info=$(ethq -n a info "$A")
		hex=$(file_of "$module")
		length=${info##*=}
		[ "$length" -le $((${#hex} / 2)) ] || fail "$module: $info"
		said=$(ethq -n a module "$A" "$(echo "$hex" | cut -c "1-$((length * 2))")") || fail "$module: $said"
		say "$module: $info, $said"
	done
	plug $good
}

page_is() {	# page_is I2C PAGE OFFSET LENGTH HEX
	got=$(in_a ethtool -m "$A" hex on page "$2" bank 0 i2c "0x$1" offset "$3" length "$4" |
		sed -n 's/^0x[0-9a-f]*:[[:space:]]*//p' | tr -d ' \n\t')
	[ "$got" = "$5" ] || fail "i2c $1 page $2 offset $3 length $4: '$got', not '$5'"
}

pages_are_right() {
	need_dump
	kernel_at_least 5 13 || give_up "kernels before 5.13 do not read by page"
	plug $good
	case $good in
	qsfp*) places="50/00 50/01 50/02 50/03" ;;
	*) places="50/00 51/00 51/01 51/02" ;;
	esac
	for place in $places; do
		i2c=${place%/*}
		page=${place#*/}
		for at in 0:1 0:128 5:7 127:1 128:1 128:128 200:56 255:1; do
			offset=${at%:*}
			length=${at#*:}
			[ "$page" = 00 ] || [ "$offset" -ge 128 ] || continue
			from=$((offset % 128 * 2))
			page_is "$i2c" "$((0x$page))" "$offset" "$length" \
				"$(half "$i2c" "$page" $((offset / 128)) | cut -c $((from + 1))-$((from + length * 2)))"
		done
	done
}

says() {	# says PATTERN ethtool -m arguments...
	pattern=$1
	shift
	in_a ethtool -m "$A" "$@" >"$WORK/said" 2>&1 && fail "-m $* works"
	grep -q "$pattern" "$WORK/said" || fail "-m $*: $(cat "$WORK/said")"
}

places_that_do_not_exist_are_refused() {
	need_model
	kernel_at_least 5 13 || give_up "kernels before 5.13 do not read by page"
	plug $good
	case $good in
	qsfp*) says 'only SFP modules have' hex on page 0 i2c 0x51 offset 0 length 1 ;;
	*)
		says 'at i2c address 0x51 only' hex on page 1 i2c 0x50 offset 128 length 1
		says 'no banks' hex on page 1 bank 1 i2c 0x51 offset 128 length 1
		;;
	esac
	says 'must be 0x50 or 0x51' hex on page 0 i2c 0x52 offset 0 length 1
	path_works
}

a_closed_port_reads_its_module() {
	need_dump
	ip -n a link set "$A" down
	plug $good
	length=$(ethq -n a info "$A")
	length=${length##*=}
	said=$(ethq -n a module "$A" "$(file_of $good | cut -c "1-$((length * 2))")") || fail "$said"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

no_module_is_said_so() {
	need_model
	hostctl set p0 module none
	for state in up down; do
		ip -n a link set "$A" $state
		in_a ethtool -m "$A" >"$WORK/said" 2>&1 && fail "reads an empty cage"
		grep -qi 'no such device' "$WORK/said" || fail "$state: $(cat "$WORK/said")"
		! kernel_at_least 5 13 || grep -q 'no module is plugged' "$WORK/said" || fail "$state: $(cat "$WORK/said")"
	done
	hostctl set p0 module $good
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

short_and_refused_reads_are_errors() {
	need_model
	hostctl get p0 fault-module >/dev/null || give_up "the model has no such fault"
	for fault in short nak; do
		hostctl set p0 fault-module $fault
		ethq -n a info "$A" >"$WORK/said" && fail "$fault: $(cat "$WORK/said")"
		grep -q 'Input/output error' "$WORK/said" || fail "$fault: $(cat "$WORK/said")"
		in_a ethtool -m "$A" raw on >/dev/null 2>&1 && fail "$fault: read all the same"
	done
	hostctl set p0 fault-module none
	ethq -n a info "$A"
	path_works
}

silent_firmware_costs_no_more_than_a_second_each() {
	need_model
	hostctl set p0 fault-fw silent
	in_a ethtool -m "$A" >/dev/null 2>&1 && fail "reads without firmware"
	within 150 not ethq -n a info "$A"
	within 30 not ethq -n a info "$A"
	hostctl set p0 fault-fw none
	wait_for 20 ethq -n a info "$A" || fail "not readable afterwards"
	path_works
}

comings_and_goings_are_noticed_within_a_second() {	# A12
	need_model
	for state in up down; do
		ip -n a link set "$A" $state
		[ $state = down ] || set_addresses a "$A" 1
		for _ in 1 2 3; do
			hostctl set p0 module none
			within 100 wait_for 2 port_is a "$A" None || fail "$state: still there"
			hostctl set p0 module $good
			within 100 wait_for 2 not port_is a "$A" None || fail "$state: not noticed"
		done
	done
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

module_swapped_in_a_burst_is_the_last_one() {	# A12
	need_model
	case $SPEED in
	25000) last=sfp-sr rate=10000 ;;
	*) give_up "one kind of optics only" ;;
	esac
	hostctl set p1 module "$last"
	for _ in 1 2 3 4; do
		hostctl set p0 module none
		hostctl set p0 module $good
		hostctl set p0 module none
		hostctl set p0 module "$last"
	done
	rate_is() { ethq -n a link "$A" | grep -q "^up speed=$1 "; }
	wait_for 10 rate_is "$rate" || fail "$(ethq -n a link "$A")"
	path_works
	hostctl set p0 module $good
	hostctl set p1 module $good
	wait_for 10 rate_is "$SPEED" || fail "back: $(ethq -n a link "$A")"
	path_works
}

reading_while_pulled_and_plugged_is_whole_or_an_error() {
	need_dump
	length=$(ethq -n a info "$A")
	length=${length##*=}
	hex=$(file_of $good | cut -c "1-$((length * 2))")
	start_job dash -c "while :; do hostctl set p0 module none; sleep 0.3; hostctl set p0 module $good; sleep 0.5; done"
	for _ in 1 2 3; do
		ethq -n a module "$A" "$hex" >"$WORK/said" || :
		grep -q 'is .. not' "$WORK/said" && fail "$(cat "$WORK/said")"
		grep -qi 'timed out' "$WORK/said" && fail "$(cat "$WORK/said")"
	done
	kill_jobs
	hostctl set p0 module $good
	wait_for 10 has_carrier a "$A"
	path_works
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact every_offset_and_length_is_right
fact pages_are_right
fact places_that_do_not_exist_are_refused
fact a_closed_port_reads_its_module
fact no_module_is_said_so
fact short_and_refused_reads_are_errors
fact silent_firmware_costs_no_more_than_a_second_each
fact comings_and_goings_are_noticed_within_a_second
fact module_swapped_in_a_burst_is_the_last_one
fact reading_while_pulled_and_plugged_is_whole_or_an_error
finish

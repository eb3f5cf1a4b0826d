# SPDX-License-Identifier: GPL-2.0-only
# ethtool -p blinks the LEDs of the port asked for, and leaves them to the hardware afterwards.
. "${TESTS:-/tests}/lib.sh"

leds() { hostctl get "$1" led-control; }

blinking_changes_this_port_only() {
	need_model
	leds p0 >/dev/null || give_up "the model's LEDs cannot be read"
	[ "$(leds p0)" = hw ] || fail "before: $(leds p0)"
	changes=$(counters p0 led_changes)
	other=$(counters p1 led_changes)
	in_a ethtool -p "$A" 2 &
	blink=$!
	on=0 off=0
	while kill -0 $blink 2>/dev/null; do
		case $(leds p0) in
		*"on=0x0000") off=$((off + 1)) ;;
		held=*) on=$((on + 1)) ;;
		esac
	done
	wait $blink
	say "seen on $on times, off $off times, $(($(counters p0 led_changes) - changes)) changes"
	[ $on -gt 0 ] || fail "never lit"
	[ $(($(counters p0 led_changes) - changes)) -ge 4 ] || fail "$(($(counters p0 led_changes) - changes)) changes in 2 s"
	[ "$(counters p1 led_changes)" = "$other" ] || fail "the other port blinks"
	[ "$(leds p0)" = hw ] || fail "afterwards: $(leds p0)"
	has_carrier a "$A"
	path_works
}

a_closed_port_blinks() {
	need_model
	leds p0 >/dev/null || give_up "the model's LEDs cannot be read"
	ip -n a link set "$A" down
	changes=$(counters p0 led_changes)
	in_a ethtool -p "$A" 1
	[ "$(counters p0 led_changes)" -gt "$changes" ] || fail "no blinking"
	[ "$(leds p0)" = hw ] || fail "afterwards: $(leds p0)"
	ip -n a link set "$A" up
	set_addresses a "$A" 1
	wait_for 10 has_carrier a "$A"
	path_works
}

interrupted_blinking_leaves_no_led_held() {
	need_model
	leds p0 >/dev/null || give_up "the model's LEDs cannot be read"
	# Not through a function: the signal is for ethtool.
	ip netns exec a ethtool -p "$A" 30 &
	blink=$!
	held() { [ "$(leds p0)" != hw ]; }
	wait_for 3 held || fail "does not blink"
	kill -TERM $blink
	wait $blink || :
	wait_for 3 not held || fail "still $(leds p0)"
}

# A board may come with other LEDs than the hardware's own (0x14424): those are given back, too, also when the
# blinking ends while the device is being reset, for then nothing reaches it.
blinking_cut_short_by_a_reset_gives_the_leds_back() {
	need_model
	leds p0 >/dev/null || give_up "the model's LEDs cannot be read"
	pci=$(port_pci p0)
	[ -w "/sys/bus/pci/devices/$pci/reset" ] || give_up "no reset file"
	barpoke "$pci" 0x14424 0x00010001 2>/dev/null || give_up "no access to the BAR beside the driver"
	boards=$(leds p0)
	for _ in $(seq 40); do
		ip netns exec a ethtool -p "$A" 60 2>"$WORK/err" &
		blink=$!
		changed() { [ "$(leds p0)" != "$boards" ]; }
		wait_for 3 changed || fail "does not blink"
		# A reset takes 100 ms, of each 250 one look at the LEDs.
		echo 1 >"/sys/bus/pci/devices/$pci/reset" || give_up "no reset of the function"
		sleep 0.4
		! kill -0 $blink 2>/dev/null || { kill -TERM $blink; wait $blink || :; barpoke "$pci" 0x14424 0x00010001; continue; }
		wait $blink && fail "ended without an error" || :
		say "cut short: $(cat "$WORK/err")"
		after=$(leds p0)
		barpoke "$pci" 0x14424 0
		wait_for 20 path_works
		[ "$after" = "$boards" ] || fail "were $boards, are $after"
		return 0
	done
	barpoke "$pci" 0x14424 0
	fail "no reset met the blinking"
}

after_failure() {
	barpoke "$(port_pci p0)" 0x14424 0
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact blinking_changes_this_port_only
fact a_closed_port_blinks
fact interrupted_blinking_leaves_no_led_held
fact blinking_cut_short_by_a_reset_gives_the_leds_back
finish

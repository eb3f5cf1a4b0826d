# SPDX-License-Identifier: GPL-2.0-only
# The chip's temperature in hwmon, against what the model was told.
. "${TESTS:-/tests}/lib.sh"

sensor() {	# sensor ATTRIBUTE, of port p0
	cat "/sys/bus/pci/devices/$(port_pci p0)"/hwmon/hwmon*/"$1"
}

have_hwmon() { [ -d /sys/class/hwmon ] || give_up "this kernel has no hwmon"; }

needs_property() { hostctl get p0 "$1" >/dev/null 2>&1 || give_up "the model has no $1"; }

temperature_has_a_name_and_limits() {
	have_hwmon
	[ "$(sensor name)" = txgbe ] || fail "name: $(sensor name)"
	crit=$(sensor temp1_crit)
	hyst=$(sensor temp1_crit_hyst)
	[ "$crit" -ge 99500 ] && [ "$crit" -le 100500 ] || fail "critical at $crit"
	[ "$hyst" -ge 89500 ] && [ "$hyst" -le 90500 ] || fail "released at $hyst"
	# The value that the reference works out: code 2047 is 42 degrees.
	now=$(sensor temp1_input)
	[ "$now" -ge 41500 ] && [ "$now" -le 42500 ] || fail "$now, should be 42 degrees"
}

temperature_follows_the_model() {
	have_hwmon
	need_model
	needs_property temperature
	for degrees in 0 1 25 60 99 110 42; do
		hostctl set p0 temperature $degrees
		now=$(sensor temp1_input)
		[ "$now" -ge $((degrees * 1000 - 500)) ] && [ "$now" -le $((degrees * 1000 + 500)) ] ||
			fail "$now at $degrees degrees"
	done
}

alarm_rises_and_falls() {
	have_hwmon
	need_model
	needs_property temperature
	[ "$(sensor temp1_crit_alarm)" = 0 ] || fail "alarm at $(sensor temp1_input)"
	hostctl set p0 temperature 99
	[ "$(sensor temp1_crit_alarm)" = 0 ] || fail "alarm at 99 degrees"
	hostctl set p0 temperature 101
	[ "$(sensor temp1_crit_alarm)" = 1 ] || fail "no alarm at 101 degrees"
	hostctl set p0 temperature 95
	[ "$(sensor temp1_crit_alarm)" = 1 ] || fail "alarm ends at 95 degrees"
	hostctl set p0 temperature 89
	[ "$(sensor temp1_crit_alarm)" = 0 ] || fail "alarm still at 89 degrees"
	hostctl set p0 temperature 95
	[ "$(sensor temp1_crit_alarm)" = 0 ] || fail "alarm again at 95 degrees"
	hostctl set p0 temperature 42
	[ "$(sensor temp1_crit_alarm)" = 0 ] || fail "alarm again at 42 degrees"
}

invalid_reading_is_an_error() {
	have_hwmon
	need_model
	needs_property temperature-valid
	hostctl set p0 temperature-valid false
	sensor temp1_input 2>/dev/null && { hostctl set p0 temperature-valid true; fail "a number for an invalid reading"; }
	hostctl set p0 temperature-valid true
	sensor temp1_input >/dev/null
}

# A card that was without power has it off: here the bit is cleared behind the driver's back.
sensor_is_enabled_after_a_reset_of_the_function() {
	have_hwmon
	pci=$(port_pci p0)
	[ -w "/sys/bus/pci/devices/$pci/reset" ] || give_up "the function cannot be reset"
	barpoke "$pci" 0x10338 0 || give_up "registers cannot be written"
	[ "$(barpoke "$pci" 0x10338)" = 0x00000000 ] || fail "the bit stays"
	echo 1 >"/sys/bus/pci/devices/$pci/reset"
	[ "$(barpoke "$pci" 0x10338)" = 0x00000001 ] || fail "the sensor is off"
	wait_for 10 path_works
}

# Others may have reset the chip while the port was closed, so that nobody was told.
sensor_that_is_off_is_enabled_by_who_asks() {
	have_hwmon
	need_model
	needs_property temperature-valid
	pci=$(port_pci p0)
	barpoke "$pci" 0x10338 0 || give_up "registers cannot be written"
	hostctl set p0 temperature-valid false
	sensor temp1_input 2>/dev/null && { hostctl set p0 temperature-valid true; fail "a number for an invalid reading"; }
	hostctl set p0 temperature-valid true
	[ "$(barpoke "$pci" 0x10338)" = 0x00000001 ] || fail "the sensor is off"
	sensor temp1_input >/dev/null
}

unloading_while_read_is_clean() {
	have_hwmon
	pci=$(port_pci p0)
	for round in $(seq "$(loops 3 20)"); do
		start_job dash -c "while :; do cat /sys/bus/pci/devices/$pci/hwmon/hwmon*/temp1_input; done"
		sleep 0.2
		down_pair
		unload_driver || fail "round $round: not unloaded"
		[ ! -d "/sys/bus/pci/devices/$pci/hwmon" ] || fail "round $round: hwmon device left behind"
		kill_jobs
		restore_pair
	done
}

after_failure() {
	hostctl set p0 temperature 42
	hostctl set p0 temperature-valid true
	restore_pair
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact temperature_has_a_name_and_limits
fact temperature_follows_the_model
fact alarm_rises_and_falls
fact invalid_reading_is_an_error
fact sensor_is_enabled_after_a_reset_of_the_function
fact sensor_that_is_off_is_enabled_by_who_asks
fact unloading_while_read_is_clean
finish

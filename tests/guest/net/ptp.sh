# SPDX-License-Identifier: GPL-2.0-only
# PTP clocks and hardware time stamps: the clock is exact and survives everything, each event is stamped both ways.
. "${TESTS:-/tests}/lib.sh"

PTP_MODULE=${MODULE%/*}/txgbe_ptp.ko
SOURCE=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)

# A guest that counts ticks of the timer for want of a better clock loses many on a busy host. The other port's clock is
# what the first one's is compared with; of system time that much is expected, in ns.
case $SOURCE in
*jiffies) SYSTEM_NS=2000000000 ;;
*) SYSTEM_NS=20000000 ;;
esac
note "system time is that of $SOURCE"

# HWTSTAMP_TX_*, HWTSTAMP_FILTER_*
OFF=0 ON=1 ONESTEP=2
NONE=0 ALL=1 V1=3 V1_SYNC=4 V1_DELAY=5 V2_L4=6 V2=12 V2_DELAY=14 NTP=15

clock_of() {	# clock_of NS IF: /dev/ptpN
	n=$(ip netns exec "$1" ethtool -T "$2" | sed -n 's/^\(PTP Hardware Clock\|Hardware timestamp provider index\): *//p')
	[ -n "$n" ] && [ -c "/dev/ptp$n" ] && echo "/dev/ptp$n"
}

load_clocks() {
	need_module ptp
	grep -q '^txgbe_ptp ' /proc/modules || insmod "$PTP_MODULE"
	CLOCK_A=$(wait_for 5 clock_of a "$A" && clock_of a "$A")
	CLOCK_B=$(wait_for 5 clock_of b "$B" && clock_of b "$B")
}

unload_clocks() { ! grep -q '^txgbe_ptp ' /proc/modules || rmmod txgbe_ptp; }

value() { sed -n "s/.*\\b$1=\\(-\\{0,1\\}[0-9]*\\).*/\\1/p"; }
offset() { ptp -r "$CLOCK_B" offset "$CLOCK_A" | value offset; }	# of A's clock from B's
rate() { ptp -r "$CLOCK_B" measure "$CLOCK_A" "${1:-1500}"; }
config() {	# config NS IF [TX FILTER]
	ns=$1
	dev=$2
	shift 2
	ptp -a "$ns" -i "$dev" config "$@"
}
stamp_on() { config a "$A" $ON "$1" >/dev/null && config b "$B" $ON "$1" >/dev/null; }
stamps() { ptp -a a -i "$A" -c "$CLOCK_A" -b b -j "$B" -d "$CLOCK_B" stamps "$@"; }
near() { d=$(($2 - $3)); [ "${d#-}" -le "$4" ] || fail "$1: $2, should be $3 within $4"; }

without_its_module_there_is_no_clock() {
	unload_clocks
	in_a ethtool -T "$A" >"$WORK/out"
	grep -qi 'hardware-transmit' "$WORK/out" && fail "hardware stamps offered: $(cat "$WORK/out")"
	config a "$A" $ON $V2 >"$WORK/out" && fail "stamps taken"
	grep -qx 'Operation not supported' "$WORK/out" || fail "$(cat "$WORK/out")"
	[ "$(config a "$A")" = "ok tx=0 filter=0" ]
}

clock_comes_and_goes_with_its_module() {
	load_clocks
	[ "$CLOCK_A" != "$CLOCK_B" ] || fail "both ports have $CLOCK_A"
	in_a ethtool -T "$A" >"$WORK/out"
	for what in hardware-transmit hardware-receive hardware-raw-clock software-transmit; do
		grep -qi "$what" "$WORK/out" || fail "no $what: $(cat "$WORK/out")"
	done
	ptp caps "$CLOCK_A" | grep -qx 'max_adj=250000000 pps=0 per_out=1 ext_ts=0 pins=0' || fail "$(ptp caps "$CLOCK_A")"
	rmmod txgbe 2>/dev/null && fail "the driver could be taken away below it"
	unload_clocks
	[ ! -e "$CLOCK_A" ] || fail "$CLOCK_A is still there"
	pings 10.0.0.2 3
	load_clocks
}

# What is left of noise over 1.5 s, in ppb.
GUEST_PPB=1000000

clock_starts_at_the_systems_time_and_runs_like_it() {
	near "offset from system time" "$(ptp offset "$CLOCK_A" | value offset)" 0 $SYSTEM_NS
	near "rate in ppb" "$(rate)" 0 $GUEST_PPB
	back=$(ptp order "$CLOCK_A" 2000 | value back)
	[ "$back" -le 20000 ] || fail "a reading was $back ns before the one before it"
}

clock_is_set_and_stepped_exactly() {
	ptp set "$CLOCK_A" 1000000000000000000
	near "seconds" $(($(ptp time "$CLOCK_A") / 1000000000)) 1000000000 3
	for step in 1500000000 -2500000000 1 999999999 -1; do
		was=$(offset)
		ptp step "$CLOCK_A" $step
		near "step of $step" $(($(offset) - was)) $step 200000
	done
	# The other port's clock is its own.
	near "clock of the other port" "$(ptp offset "$CLOCK_B" | value offset)" 0 $((2 * SYSTEM_NS))
}

rate_follows_the_adjustment() {
	ptp rate "$CLOCK_A" 0
	own=$(rate)
	for ppb in 5000000 -20000000 200000000; do
		[ "$(ptp rate "$CLOCK_A" $ppb)" = ok ] || fail "rate of $ppb ppb: $(ptp rate "$CLOCK_A" $ppb)"
		near "rate set to $ppb ppb" $(($(rate) - own)) $ppb $GUEST_PPB
	done
	# To the last digit: 0xa00000 and the nearest to its part (reference 06 section 2).
	while read -r ppb inc; do
		ptp rate "$CLOCK_A" "$ppb"
		now=$(barpoke "$(port_pci p0)" 0x1d414) || break
		[ "$now" = "$inc" ] || fail "rate of $ppb ppb: INC is $now, should be $inc"
	done <<-END
		100000 0x02a00419
		-500000 0x029feb85
		48 0x02a00001
		-47 0x02a00000
		250000000 0x02c80000
		-250000000 0x02780000
	END
	for ppb in 250000001 -250000001; do
		[ "$(ptp rate "$CLOCK_A" $ppb)" = "Numerical result out of range" ] ||
			fail "rate of $ppb ppb: $(ptp rate "$CLOCK_A" $ppb)"
	done
	ptp rate "$CLOCK_A" 0
	near "rate" "$(rate)" "$own" $GUEST_PPB
}

what_cannot_be_stamped_is_refused() {
	[ "$(config a "$A" $ON $V1_SYNC)" = "ok tx=1 filter=$V1_SYNC" ] || fail "$(config a "$A" $ON $V1_SYNC)"
	for want in "$ON $ALL" "$ON $V1" "$ON $NTP" "$ONESTEP $V2"; do
		# shellcheck disable=SC2086
		config a "$A" $want >"$WORK/out" && fail "tx and filter $want taken"
		grep -qx 'Numerical result out of range' "$WORK/out" || fail "tx and filter $want: $(cat "$WORK/out")"
		[ "$(config a "$A")" = "ok tx=1 filter=$V1_SYNC" ] || fail "$want left $(config a "$A")"
	done
	for filter in $(seq $V2_L4 $V2_DELAY); do
		[ "$(config a "$A" $OFF "$filter")" = "ok tx=0 filter=$V2" ] || fail "filter $filter: $(config a "$A" $OFF "$filter")"
	done
	config a "$A" $OFF $NONE
}

all_stamped() {	# all_stamped KIND COUNT
	stamps "$1" "$2" >"$WORK/out"
	say "$1: $(cat "$WORK/out")"
	grep -q "^sent=$2 tx=$2 rx=$2 outside=0 " "$WORK/out" || fail "$1: $(cat "$WORK/out")"
	spread=$(value spread <"$WORK/out")
	# The model latches a stamp when it has got round to the frame: on a busy host that takes its time.
	[ "$spread" -le 50000000 ] || fail "$1: ways differ by $spread ns"
}

none_received() {
	stamps "$1" 3 >"$WORK/out"
	grep -q '^sent=3 tx=3 rx=0 outside=0' "$WORK/out" || fail "$1: $(cat "$WORK/out")"
}

events_of_version_2_are_stamped() {
	stamp_on $V2
	for kind in l2-sync l2-delay l2-pdelay l2-presp v4-sync v4-delay v6-sync; do
		all_stamped $kind "$(loops 5 30)"
	done
	# Whatever else arrives is not; what is sent is on request.
	for kind in l2-announce udp other v1-sync; do
		none_received $kind
	done
}

version_1_stamps_the_kind_asked_for() {
	stamp_on $V1_SYNC
	all_stamped v1-sync 5
	none_received v1-delay
	none_received l2-sync
	stamp_on $V1_DELAY
	all_stamped v1-delay 5
	none_received v1-sync
}

nothing_is_stamped_unasked() {
	config a "$A" $OFF $NONE
	config b "$B" $OFF $NONE
	stamps l2-sync 3 >"$WORK/out"
	grep -q '^sent=3 tx=0 rx=0' "$WORK/out" || fail "$(cat "$WORK/out")"
}

clocks_of_both_ends_agree_with_the_stamps() {
	stamp_on $V2
	ptp set "$CLOCK_A" 2000000000000000000
	ptp rate "$CLOCK_A" 30000000
	all_stamped l2-sync 5
	ptp rate "$CLOCK_A" 0
	ptp step "$CLOCK_A" -7000000000
	all_stamped l2-sync 5
}

one_frame_waits_for_a_stamp_at_a_time() {
	stamp_on $V2
	skipped=$(stat a "$A" tx_hwtstamp_skipped)
	stamps l2-sync 40 burst >"$WORK/out"
	got=$(value tx <"$WORK/out")
	skipped=$(($(stat a "$A" tx_hwtstamp_skipped) - skipped))
	say "of 40 frames at once $got were stamped, $skipped were not"
	[ "$got" -ge 1 ] || fail "no stamp at all"
	[ $((got + skipped)) -eq 40 ] || fail "$got stamped, $skipped counted as skipped, of 40"
	all_stamped l2-sync 3
}

stamp_that_does_not_come_is_counted() {
	need_model
	stamp_on $V2
	timeouts=$(stat a "$A" tx_hwtstamp_timeouts)
	skipped=$(stat a "$A" tx_hwtstamp_skipped)
	hostctl set p0 fault-tx-stall true
	stamps l2-sync 3 burst >"$WORK/out"
	grep -q 'tx=0' "$WORK/out" || { hostctl set p0 fault-tx-stall false; fail "$(cat "$WORK/out")"; }
	counted() { [ "$(stat a "$A" tx_hwtstamp_timeouts)" -gt "$timeouts" ]; }
	wait_for 4 counted || { hostctl set p0 fault-tx-stall false; fail "not counted within 4 s"; }
	[ $(($(stat a "$A" tx_hwtstamp_skipped) - skipped)) -eq 2 ] ||
		{ hostctl set p0 fault-tx-stall false; fail "skipped $skipped, then $(stat a "$A" tx_hwtstamp_skipped)"; }
	hostctl set p0 fault-tx-stall false
	wait_for 30 path_works
	# The late frame is let go of once its ring has sent it; until then no other is stamped.
	stamped_again() { stamps l2-sync 1 >"$WORK/out"; grep -q '^sent=1 tx=1 ' "$WORK/out"; }
	wait_for 5 stamped_again || fail "no stamps any more: $(cat "$WORK/out")"
	# What it left behind is not taken for the next one's.
	grep -q ' outside=0 ' "$WORK/out" || fail "$(cat "$WORK/out")"
	all_stamped l2-sync 3
	[ "$(stat a "$A" tx_hwtstamp_timeouts)" -eq $((timeouts + 1)) ] || fail "timeouts $timeouts, then $(stat a "$A" tx_hwtstamp_timeouts)"
}

# ethtool -I -T: what the facts before have made of it, and one more.
statistics_of_stamps_count_them() {
	stats=$(ethq -n a stamps "$A") || {
		kernel_at_least 6 10 && fail "none"
		give_up "this kernel does not ask for them"
	}
	say "$stats"
	[ "$(echo "$stats" | value lost)" = "$(stat a "$A" tx_hwtstamp_timeouts)" ] || fail "lost: $stats"
	[ "$(echo "$stats" | value err)" = "$(stat a "$A" tx_hwtstamp_skipped)" ] || fail "err: $stats"
	pkts=$(echo "$stats" | value pkts)
	stamp_on $V2
	all_stamped l2-sync 4
	[ "$(ethq -n a stamps "$A" | value pkts)" -eq $((pkts + 4)) ] || fail "$stats, then $(ethq -n a stamps "$A")"
}

# ---- what happens to the port ------------------------------------------------------------------------------------------

down_and_up() { ip -n a link set "$A" down && ip -n a link set "$A" up; }
self_test() { in_a ethtool -t "$A" offline; }

pcie_error_ends_well() {	# nonfatal|fatal
	handles_pcie_errors || give_up "this kernel does not handle PCIe errors here"
	pcie_error "$1" || fail "no recovery"
}
nonfatal_error() { pcie_error_ends_well nonfatal; }
fatal_error() { pcie_error_ends_well fatal; }
sleep_to_idle() { need_sleep; sleep_and_wake; }

# The first step of recovery leaves the clock alone.
queue_restart() {
	need_model
	watchdog_expected
	hangs() { log_since | grep -q 'tx queue .* hangs'; }
	stall_until 40 hangs || fail "the hang was not noticed"
}

# survives WHAT COMMAND: time goes on, within what the log admits; rate, stamps and pulse stay.
survives() {
	what=$1
	shift
	before=$(offset)
	log_mark
	"$@" >/dev/null || fail "$what failed"
	after=$(offset)
	admitted=$(log_since | sed -n "s/.*$(port_pci "$A").*it may be off by \\([0-9]*\\) ns.*/\\1/p" |
		awk '{ s += $1 } END { printf "%d\n", s }')
	say "$what: step of $((after - before)) ns, admitted $admitted ns"
	near "clock after $what" "$after" "$before" $((admitted + 300000 + SYSTEM_NS / 40))
	if [ "$what" = queue_restart ]; then
		[ "$admitted" = 0 ] || fail "the clock was stopped for $what"
	else
		[ "$admitted" -gt 0 ] || fail "nothing said about $what"
	fi
	[ "$(config a "$A")" = "ok tx=1 filter=$V2" ] || fail "after $what: $(config a "$A")"
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	wait_for 20 path_works
	all_stamped l2-sync 3
	! have_model || pulse_begins_a_second "after $what"
}

time_and_settings_survive() {	# WHAT
	stamp_on $V2
	ptp set "$CLOCK_A" 1500000000000000000
	# One step of the chip, which moves nothing that could be measured here.
	ptp rate "$CLOCK_A" 48
	! have_model || [ "$(ptp pulse "$CLOCK_A" 1)" = ok ] || fail "no pulse"
	survives "$1" "$1"
	now=$(barpoke "$(port_pci p0)" 0x1d414) || now=
	[ "${now:-0x02a00001}" = 0x02a00001 ] || fail "the rate is forgotten: INC is $now"
	! have_model || ptp pulse "$CLOCK_A" 0
	ptp rate "$CLOCK_A" 0
}

# By the clock itself, where nobody may read its registers.
rate_survives_a_restart() {
	ptp rate "$CLOCK_A" 20000000
	down_and_up
	near "rate after a restart" "$(rate)" 20000000 $GUEST_PPB
	ptp rate "$CLOCK_A" 0
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	path_works
}

# What the log admits since the mark, the most and all together: of both ports.
admitted_by_both() {
	log_since | sed -n "s/.*PTP clock: reset.*it may be off by \\([0-9]*\\) ns.*/\\1/p" |
		awk '{ s += $1 } $1 > most { most = $1 } END { printf "%d %d\n", most, s }'
}

# Nobody looks at B's clock meanwhile but the driver itself, every few seconds: no more than that may be in doubt.
time_survives_a_reset_of_the_chip_by_others() {
	need_chip_reset
	stamp_on $V2
	ptp rate "$CLOCK_A" 0
	ptp rate "$CLOCK_B" 0
	log_mark
	before=$(offset)
	began=$(now_cs)
	sleep 10
	ptp time "$CLOCK_A"
	reset_chip
	after=$(offset)
	lasted=$(($(now_cs) - began))
	admitted=$(admitted_by_both)
	say "reset of the chip: step of $((after - before)) ns, at most and in all admitted $admitted ns"
	near "clocks after a reset of the chip" "$after" "$before" $((${admitted#* } + SYSTEM_NS))
	[ "${admitted#* }" -gt 0 ] || fail "nothing said"
	[ "${admitted% *}" -le $(((lasted - 500) * 2000)) ] || fail "nobody had looked at the clock: $admitted ns admitted"
	wait_for 20 path_works
	all_stamped l2-sync 3
	# A closed port is not told.
	ip -n a link set "$A" down
	log_mark
	before=$(offset)
	reset_chip
	near "rate of a closed port" "$(rate)" 0 $GUEST_PPB
	near "clock of a closed port" "$(offset)" "$before" $SYSTEM_NS
	log_since | grep -q "$(port_pci "$A").*PTP clock: reset" || fail "nothing said of the closed port"
	ip -n a link set "$A" up
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	wait_for 10 path_works
	all_stamped l2-sync 3
}

clock_of_a_closed_port_runs() {
	ip -n a link set "$A" down
	near "rate of a closed port" "$(rate)" 0 $GUEST_PPB
	was=$(offset)
	ptp step "$CLOCK_A" 5000000000
	near "step of a closed port" $(($(offset) - was)) 5000000000 300000
	config a "$A" $ON $V2
	ip -n a link set "$A" up
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	path_works
	config b "$B" $ON $V2
	all_stamped l2-sync 3
}

stamps_under_traffic_are_right() {
	stamp_on $V2
	traffic on
	sleep 0.5
	stamps l2-sync "$(loops 20 200)" >"$WORK/out"
	traffic off
	say "$(cat "$WORK/out")"
	grep -q 'outside=0' "$WORK/out" || fail "$(cat "$WORK/out")"
	[ "$(value tx <"$WORK/out")" -eq "$(value sent <"$WORK/out")" ] || fail "$(cat "$WORK/out")"
	[ "$(value rx <"$WORK/out")" -eq "$(value sent <"$WORK/out")" ] || fail "$(cat "$WORK/out")"
	path_works
}

rises() { hostctl get p0 pps | jsonq rises; }
rise_at() { hostctl get p0 pps | jsonq rise_systime; }

pulse_comes() {
	n=$(rises)
	came() { [ "$(rises)" -gt "$n" ]; }
	wait_for 4 came || fail "no pulse $1"
}

# The model looks at the time when its host lets it, which may be late; never before the second begins.
LATE_NS=300000000

# When in a second of the clock the last pulse began: by the counter, whose high word counts 2048 ns. Where the kernel lets
# nobody but the driver read registers, this is not looked at.
pulse_begins_a_second() {
	pulse_comes "$1"
	before=$(ptp time "$CLOCK_A")
	high=$(barpoke "$(port_pci p0)" 0x1d410 2>/dev/null) || return 0
	after=$(ptp time "$CLOCK_A")
	ago=$((high * 2048 - $(rise_at) / 2097152))
	[ $ago -ge 0 ] || return 0	# there was one more meanwhile
	first=$((before - ago))
	last=$((after - ago))
	say "$1: pulse $((first % 1000000000 / 1000)) to $((last % 1000000000 / 1000)) us after the second"
	# Somewhere between the two, and LATE_NS before, a second begins.
	[ $((last / 1000000000)) -gt $(((first - LATE_NS) / 1000000000)) ] ||
		fail "$1: pulse $((first % 1000000000 / 1000000)) ms after the second"
}

# part SYSTIM SYSTIM: what the distance is beyond whole seconds, in ns.
part() { echo $((($2 - $1) / 2097152 % 1000000000)); }

pulse_comes_with_every_second() {
	need_model
	for seconds in 2 3600; do
		[ "$(ptp pulse "$CLOCK_A" $seconds)" = "Invalid argument" ] || fail "$(ptp pulse "$CLOCK_A" $seconds)"
	done
	ptp rate "$CLOCK_A" 0
	[ "$(ptp pulse "$CLOCK_A" 1)" = ok ] || fail "$(ptp pulse "$CLOCK_A" 1)"
	pulse_begins_a_second "at first"
	hostctl get p0 pps >"$WORK/pps"
	pulse_comes "then"
	pulse_begins_a_second "at last"
	# 2^21 a nanosecond. Number and time out of one answer: the next pulse may come at any moment.
	hostctl get p0 pps >"$WORK/pps.now"
	count=$(($(jsonq rises <"$WORK/pps.now") - $(jsonq rises <"$WORK/pps")))
	apart=$((($(jsonq rise_systime <"$WORK/pps.now") - $(jsonq rise_systime <"$WORK/pps")) / 2097152))
	near "ns between $count pulses" $apart $((count * 1000000000)) $LATE_NS
	# Seconds begin 400 ms earlier, and pulses with them.
	was=$(rise_at)
	ptp step "$CLOCK_A" 400000000
	pulse_comes "after a step"	# may have been on its way
	pulse_begins_a_second "after a step"
	near "ns beyond whole seconds from pulse to pulse over a step of 400 ms" "$(part "$was" "$(rise_at)")" 600000000 $LATE_NS
	down_and_up
	pulse_begins_a_second "after a restart"
	ptp pulse "$CLOCK_A" 0
	count=$(rises)
	sleep 2.5
	[ "$(rises)" -eq "$count" ] || fail "$(($(rises) - count)) pulses after the end"
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	path_works
}

# Firmware is silent when the port comes up, and is asked again. It is also told when the port goes down.
pulse_comes_though_firmware_was_silent() {
	need_model
	[ "$(ptp pulse "$CLOCK_A" 1)" = ok ] || fail "$(ptp pulse "$CLOCK_A" 1)"
	pulse_comes "at first"
	log_mark
	hostctl set p0 fault-fw silent
	down_and_up
	not_taken() { log_since | grep -q 'no pulse per second: firmware does not take it'; }
	wait_for 10 not_taken || { hostctl set p0 fault-fw none; fail "nothing in the log"; }
	hostctl set p0 fault-fw none
	n=$(rises)
	came() { [ "$(rises)" -gt "$n" ]; }
	wait_for 20 came || fail "no pulse any more"
	ptp pulse "$CLOCK_A" 0
	wait_for 20 has_carrier a "$A"
	set_addresses a "$A" 1
	path_works
}

# A reset that began before the clock was there stops it, if it was started meanwhile.
clock_that_comes_during_a_reset_runs() {
	for round in $(seq "$(loops 4 60)"); do
		unload_clocks
		in_a ethtool --reset "$A" dedicated &
		resetting=$!
		[ $((round % 2)) = 0 ] || sleep 0.02
		load_clocks
		wait $resetting || fail "round $round: no reset"
		first=$(ptp time "$CLOCK_A")
		second=$(ptp time "$CLOCK_A")
		[ "$second" -gt "$first" ] || fail "round $round: it is $first and stays so"
	done
	wait_for 20 has_carrier a "$A"
	wait_for 10 path_works
}

unloading_while_clocks_are_read_is_clean() {
	stamp_on $V2
	log_mark
	for _ in 1 2; do
		start_job dash -c "while :; do ptp order $CLOCK_A 50; ptp offset $CLOCK_B; done"
		sleep 0.3
		# An open clock holds its module; the job opens and closes it all the time.
		wait_for 10 unload_clocks || fail "cannot be taken away"
		kill_jobs
		[ "$(config a "$A")" = "ok tx=0 filter=0" ] || fail "without a clock: $(config a "$A")"
		load_clocks
	done
	log_since | grep -iE 'BUG|WARNING|Oops' && fail "the log complains"
	return 0
}

card_that_is_gone_is_an_error() {
	need_model
	hostctl set p0 fault-removed true
	within 300 not ptp offset "$CLOCK_A"
	unload_clocks
	hostctl set p0 fault-removed false
	down_pair
	unload_driver
	restore_pair
}

after_failure() {
	hostctl set p0 fault-tx-stall false
	ptp pulse "$CLOCK_A" 0
	hostctl set p0 fault-fw none
	unload_clocks
	restore_pair
	load_clocks
} >/dev/null 2>&1

[ -f "$PTP_MODULE" ] || { skip ptp "no $PTP_MODULE: this kernel has no PTP"; finish; }
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact without_its_module_there_is_no_clock
load_clocks || { not_ok clocks_are_there "none"; finish; }
fact clock_comes_and_goes_with_its_module
CLOCK_A=$(clock_of a "$A") CLOCK_B=$(clock_of b "$B")
fact clock_starts_at_the_systems_time_and_runs_like_it
fact clock_is_set_and_stepped_exactly
fact rate_follows_the_adjustment
fact what_cannot_be_stamped_is_refused
fact events_of_version_2_are_stamped
fact version_1_stamps_the_kind_asked_for
fact nothing_is_stamped_unasked
fact clocks_of_both_ends_agree_with_the_stamps
fact one_frame_waits_for_a_stamp_at_a_time
fact stamp_that_does_not_come_is_counted
fact statistics_of_stamps_count_them
for what in down_and_up self_test function_reset port_reset reload nonfatal_error fatal_error sleep_to_idle queue_restart; do
	fact time_and_settings_survive "$what"
done
fact rate_survives_a_restart
fact clock_of_a_closed_port_runs
fact stamps_under_traffic_are_right
fact time_survives_a_reset_of_the_chip_by_others
fact pulse_comes_with_every_second
# It takes its time.
[ "$LOOPS" != full ] || fact pulse_comes_though_firmware_was_silent
fact clock_that_comes_during_a_reset_runs
CLOCK_A=$(clock_of a "$A") CLOCK_B=$(clock_of b "$B")
fact unloading_while_clocks_are_read_is_clean
fact card_that_is_gone_is_an_error
unload_clocks
finish

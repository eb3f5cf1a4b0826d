# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2034
#
# Library of the guest tests. A test script is
#
#     . /tests/lib.sh
#     frames_arrive() { ...; }
#     fact frames_arrive
#     finish
#
# fact runs the function in a subshell in which any command that fails ends the function: the name is then "not ok". A
# function says "fail WHY" or "give_up WHY" (skip) where it knows more. Words of the form NAME=VALUE on the command line
# of a script are variables for it (LOOPS=full, SECONDS_TCP=10, ...).
#
# From the lab: KERNEL DRIVER (ours, intree) TOPO SMP PORTS PCI_p0 ... DEBUG ICOUNT. LOOPS=full asks for the full
# number of rounds.

set -u

TESTS=${TESTS:-/tests}
PATH=$TESTS/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
for arg in "$@"; do
	case $arg in
	[A-Za-z_]*=*) export "${arg?}" ;;
	esac
done
: "${KERNEL:=unknown}" "${DRIVER:=ours}" "${TOPO:=pair25}" "${SMP:=2}" "${LOOPS:=short}"
: "${MODULE:=/modules/txgbe.ko}" "${SECONDS_IPERF:=2}" "${STRICT:=1}"
WORK=${WORK:-/tmp/test}
mkdir -p "$WORK"

# ---- reporting -----------------------------------------------------------------------------------------------------

# Numbers go on from one script to the next in one boot.
next_number() {
	if [ -r "$WORK/number" ]; then
		read -r n <"$WORK/number"
	else
		n=0
	fi
	n=$((n + 1))
	echo "$n" >"$WORK/number"
}

ok() { next_number; echo "ok $n - $1"; }
skip() { next_number; echo "ok $n - $1 # SKIP $2"; }
not_ok() {
	next_number
	echo "not ok $n - $1 # $2"
	echo "$1" >>"$WORK/failed"
}
note() { echo "# $*"; }

fail() { echo "$*" >"$WORK/reason"; exit 1; }
give_up() { echo "$*" >"$WORK/reason"; exit 77; }

# fact NAME [ARG...]: runs the function NAME; its name with the arguments is the name of the fact.
fact() {
	label=$1
	for arg in "$@"; do
		[ "$arg" = "$1" ] || label="${label}_$arg"
	done
	case " ${ONLY:-} " in
	"  " | *" $label "* | *" $1 "*) ;;
	*) return 0 ;;
	esac
	# A suite excuses a driver from a fact, and says why beside it.
	case " ${EXCEPT:-} " in
	*" $label "* | *" $1 "*) skip "$label" "not expected of this driver"; return 0 ;;
	esac
	rm -f "$WORK/reason"
	start=$(now_cs)
	# Not in a condition: there set -e would have no effect.
	( set -ex; "$@" ) >"$WORK/log" 2>&1 3>&1
	rc=$?
	took=$((($(now_cs) - start) / 100))
	grep '^NOTE ' "$WORK/log" | sed 's/^NOTE /# /'
	case $rc in
	0) ok "$label" ;;
	77) skip "$label" "$(cat "$WORK/reason")" ;;
	*)
		if [ -s "$WORK/reason" ]; then
			not_ok "$label" "$(tr '\n' ';' <"$WORK/reason" | sed 's/;$//')"
		else
			# The trace's last command; functions end where a condition did not hold.
			not_ok "$label" "status $rc after: $(grep '^+' "$WORK/log" | tail -n 1 | cut -c 3-200)"
		fi
		# No endless lines: this line is shared with hostctl, and a long write can be cut in two by a command.
		tail -n "${LOG_LINES:-25}" "$WORK/log" | cut -c "1-${LOG_COLUMNS:-300}" | sed 's/^/#   /'
		;;
	esac
	if [ $took -ge 15 ]; then
		note "$label took $took s"
	fi
	# The next fact does not inherit what this one left running.
	kill_jobs
	[ $rc -ne 0 ] && [ $rc -ne 77 ] && after_failure
	return 0
}

# A script may put things right after a failed fact.
after_failure() { :; }

# In a fact: a line for the reader even when the fact holds.
say() { echo "NOTE $*"; }

finish() {
	if [ -s "$WORK/failed" ]; then
		note "failed: $(tr '\n' ' ' <"$WORK/failed")"
		rm -f "$WORK/failed"
		exit 1
	fi
	exit 0
}

loops() {	# loops SHORT FULL
	if [ "$LOOPS" = full ]; then echo "$2"; else echo "$1"; fi
}

# ---- time, processes, log ------------------------------------------------------------------------------------------

# Hundredths of a second since boot.
now_cs() {
	read -r up _ </proc/uptime
	whole=${up%.*}
	part=${up#*.}
	echo $((whole * 100 + ${part#0}))
}

# wait_for SECONDS COMMAND...: true as soon as the command is, false when time is over.
wait_for() {
	# shellcheck disable=SC3043 # dash has it; what is waited for may itself wait
	local limit=$(($(now_cs) + $1 * 100))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(now_cs)" -lt "$limit" ] || return 1
		sleep 0.05
	done
}

not() { ! "$@"; }

# within CENTISECONDS COMMAND...: runs it and fails when it took longer. Its own status counts too. A kernel with
# checkers on an emulated CPU is several times slower than any kernel the limits are meant for.
within() {
	most=$1
	[ "${DEBUG:-0}" != 1 ] || most=$((4 * most))
	shift
	began=$(now_cs)
	"$@"
	lasted=$(($(now_cs) - began))
	[ $lasted -le "$most" ] || fail "$* took ${lasted}0 ms, limit ${most}0 ms"
}

start_job() {	# in the background, ended by kill_jobs
	# A session of its own, so that a shell loop ends together with what it runs. By its path: busybox's setsid would
	# take its own applet for "ip".
	program=$(command -v "$1") || return 1
	shift
	setsid "$program" "$@" >"$WORK/job.log" 2>&1 3>&- &
	echo $! >>"$WORK/jobs"
}

kill_jobs() {
	[ -s "$WORK/jobs" ] || return 0
	while read -r pid; do
		kill -TERM "-$pid" 2>/dev/null || :
	done <"$WORK/jobs"
	tries=0
	while read -r pid; do
		while kill -0 "-$pid" 2>/dev/null && [ $tries -lt 100 ]; do
			[ $tries -ne 40 ] || kill -KILL "-$pid" 2>/dev/null || :
			sleep 0.05
			tries=$((tries + 1))
		done
	done <"$WORK/jobs"
	rm -f "$WORK/jobs"
}

# log_mark remembers a place in the kernel log, log_since prints what came after it.
log_mark() {
	mark="mark-$$-$(now_cs)"
	echo "$mark" >"$WORK/mark"
	echo "<6>tests: $mark" >/dev/kmsg
}

log_since() {
	read -r mark <"$WORK/mark"
	dmesg | sed "1,/tests: $mark/d"
}

# Lines of the driver at warning or worse since the mark; without the lines of driver core and PCI core on a failed probe.
driver_complaints() {
	read -r mark <"$WORK/mark"
	dmesg -r | sed "1,/tests: $mark/d" | grep -E '^<[0-9]+>' | while IFS= read -r line; do
		level=${line%%>*}
		level=${level#<}
		[ $((level % 8)) -le 4 ] && printf '%s\n' "$line"
	done | grep -iE 'txgbe|libwx|8088' | grep -vE 'probe (of|with driver) |Unable to change power state|tests: mark|out-of-tree module|module verification'
}

mem_available() { awk '/^MemAvailable:/ { print $2 }' /proc/meminfo; }

# Memory that settles: caches of earlier work are dropped and deferred frees have run.
mem_settled() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 0.3
	mem_available
}

# Is memory back to what there was, but for some kB? Pages that a socket or the kernel's own work still held when a pool
# went away come back with its next look, a second later.
memory_is_back() {	# memory_is_back BEFORE KB
	wait_for 6 memory_lacks_less "$1" "$2"
}
memory_lacks_less() { [ $(($1 - $(mem_settled))) -lt "$2" ]; }

kernel_at_least() {	# kernel_at_least MAJOR MINOR
	release=$(uname -r)
	major=${release%%.*}
	minor=${release#*.}
	minor=${minor%%[!0-9]*}
	[ "$major" -gt "$1" ] || { [ "$major" -eq "$1" ] && [ "$minor" -ge "$2" ]; }
}

# Does the kernel see to PCIe errors? On some configurations only if it is told to (pcie_ports=native).
handles_pcie_errors() {
	[ -e /dev/aer_inject ] || modprobe aer_inject 2>/dev/null || return 1
	[ -e /dev/aer_inject ] || return 1
	for service in /sys/bus/pci_express/devices/*:pcie002; do
		[ ! -e "$service" ] || return 0
	done
	return 1
}

# ---- ports ---------------------------------------------------------------------------------------------------------

# PCI addresses of the ports, in the order p0, p1, ...: as the lab tells them, else by address.
ports() {
	if [ -n "${PORTS:-}" ]; then
		for port in $PORTS; do
			eval "echo \"\${PCI_$port}\""
		done
		return
	fi
	for dev in /sys/bus/pci/devices/*; do
		[ -e "$dev/physfn" ] && continue
		[ "$(cat "$dev/vendor")" = 0x8088 ] && echo "${dev##*/}"
	done
}

nr_ports() { ports | wc -l; }

port_pci() {	# port_pci p0
	ports | sed -n "$((${1#p} + 1))p"
}

# Name of the port's interface, in whatever namespace of ours it is.
ifname() {
	pci=$(port_pci "$1")
	[ -n "$pci" ] || return 1
	for dir in /sys/bus/pci/devices/"$pci"/net/*; do
		[ -e "$dir" ] && echo "${dir##*/}" && return 0
	done
	for ns in $(ip netns list 2>/dev/null | awk '{ print $1 }'); do
		name=$(ip netns exec "$ns" ls /sys/bus/pci/devices/"$pci"/net 2>/dev/null)
		[ -n "$name" ] && echo "$name" && return 0
	done
	return 1
}

# ---- driver --------------------------------------------------------------------------------------------------------

insert_driver() {	# the bare insertion; options go on
	case $DRIVER in
	ours) insmod "$MODULE" "$@" ;;
	intree) modprobe txgbe "$@" ;;
	*) return 1 ;;
	esac
}

driver_loaded() { grep -q '^txgbe ' /proc/modules; }

all_ports_have_names() {
	for pci in $(ports); do
		[ -d "/sys/bus/pci/devices/$pci/net" ] || return 1
	done
}

# Interfaces are called p0, p1, ... in the order of the ports.
name_ports() {
	i=0
	for pci in $(ports); do
		for dir in /sys/bus/pci/devices/"$pci"/net/*; do
			[ -e "$dir" ] || continue
			[ "${dir##*/}" = "p$i" ] || ip link set dev "${dir##*/}" name "p$i" || return 1
		done
		i=$((i + 1))
	done
}

load_driver() {
	driver_loaded || insert_driver "$@" || return 1
	# Probe may be asynchronous. A port that never gets an interface is for the caller to notice.
	wait_for 20 all_ports_have_names || return 1
	name_ports
}

unload_driver() {
	case $DRIVER in
	ours) rmmod txgbe ;;
	intree) rmmod txgbe && { rmmod libwx 2>/dev/null || :; } ;;
	esac
}

# ---- a pair of ports in namespaces a and b --------------------------------------------------------------------------

in_a() { ip netns exec a "$@"; }
in_b() { ip netns exec b "$@"; }

ns_of() {	# ns_of p0: the namespace it lives in
	for ns in a b; do
		ip -n $ns link show dev "$1" >/dev/null 2>&1 && echo $ns && return 0
	done
	return 1
}

has_carrier() {	# has_carrier NS IF
	ip -n "$1" link show dev "$2" 2>/dev/null | grep -q LOWER_UP
}

# An interface that goes back to the first namespace and comes again has lost its addresses.
set_addresses() {	# set_addresses NS IF HOST
	ip -n "$1" addr replace "10.0.0.$3/24" dev "$2" || return 1
	ip -n "$1" addr replace "fd00::$3/64" dev "$2" nodad
}

make_ns() {
	for ns in a b; do
		ip netns list | grep -qw $ns || ip netns add $ns || return 1
		ip -n $ns link set lo up
	done
}

# up_pair [IF IF]: both up, addressed, carrier on. Fails when the carrier does not come within 20 s.
up_pair() {
	A=${1:-p0}
	B=${2:-p1}
	make_ns || return 1
	ip -n a link show dev "$A" >/dev/null 2>&1 || ip link set "$A" netns a || return 1
	ip -n b link show dev "$B" >/dev/null 2>&1 || ip link set "$B" netns b || return 1
	ip -n a link set "$A" up || return 1
	ip -n b link set "$B" up || return 1
	set_addresses a "$A" 1
	set_addresses b "$B" 2
	wait_for 20 has_carrier a "$A" || return 1
	wait_for 20 has_carrier b "$B" || return 1
}

down_pair() {
	for ns in a b; do
		for dev in p0 p1 p2 p3; do
			ip -n $ns link show dev $dev >/dev/null 2>&1 || continue
			ip -n $ns link set $dev down
			ip -n $ns link set $dev netns 1
		done
		ip netns del $ns 2>/dev/null || :
	done
	return 0
}

pings() {	# pings ADDRESS [COUNT [SIZE]] from a
	in_a ping -q -n -i 0.02 -W 2 -c "${2:-3}" -s "${3:-56}" "$1" >/dev/null
}

# The path works now, after what has just been done to it; first frames may need neighbour discovery.
path_works() {
	wait_for "${1:-10}" pings 10.0.0.2 1 || return 1
	# IPv6 is off below its smallest MTU.
	[ "$(in_a cat "/sys/class/net/$A/mtu")" -lt 1280 ] || wait_for 5 pings fd00::2 1
}

# bql NS IF FILE: a file of the byte queue limits of each transmit queue. A shell within the namespace finds the queues:
# the sysfs outside does not show the interface.
bql() { ip netns exec "$1" sh -c "cat /sys/class/net/$2/queues/tx-*/byte_queue_limits/$3"; }

nothing_in_flight() { bql a "$A" inflight | awk '$1 { busy = 1 } END { exit busy || !NR }'; }

restore_pair() {	# as a fresh pair, whatever the last test did to it
	ip netns exec a true 2>/dev/null || make_ns
	load_driver && up_pair && path_works
}

# VLAN devices vID on both ports, with 10.0.99.1, .2 and fd99::1, ::2
vlan_up() {	# vlan_up ID [PROTO]
	need_module 8021q
	for end in "a $A 1" "b $B 2"; do
		# shellcheck disable=SC2086
		set -- $end "$1" "${2:-802.1Q}"
		ip -n "$1" link add link "$2" name "v$4" type vlan proto "$5" id "$4"
		ip -n "$1" addr add "10.0.99.$3/24" dev "v$4"
		ip -n "$1" addr add "fd99::$3/64" dev "v$4" nodad
		ip -n "$1" link set "v$4" up
		set -- "$4" "$5"
	done
}

vlan_down() {
	ip -n a link del "v$1" 2>/dev/null || :
	ip -n b link del "v$1" 2>/dev/null || :
}

set_mtu() {	# both ends
	ip -n a link set "$A" mtu "$1" && ip -n b link set "$B" mtu "$1" || return 1
	# An MTU below 1280 has taken the IPv6 addresses away.
	[ "$1" -lt 1280 ] || { set_addresses a "$A" 1; set_addresses b "$B" 2; }
}

# ---- tools ---------------------------------------------------------------------------------------------------------

# The model's counter KEY of a port, for example "counters p0 tx_frames"; "irq.+" sums all vectors.
counters() { hostctl counters "$1" | jsonq "$2"; }

have_model() { command -v hostctl >/dev/null 2>&1; }

need_model() { have_model || give_up "no channel to the device model"; }

need_module() {	# need_module NAME...: loads them or skips
	for module in "$@"; do
		modprobe "$module" 2>/dev/null || [ -d "/sys/module/$module" ] || give_up "no module $module in this kernel"
	done
}

# One number of ethtool -S: stat NS IF NAME; empty when the driver has none of that name.
stat() {
	ip netns exec "$1" ethtool -S "$2" 2>/dev/null | awk -v key="$3:" '$1 == key { print $2; exit }'
}

# Sum over all statistics whose name matches a regular expression.
stat_sum() {
	ip netns exec "$1" ethtool -S "$2" 2>/dev/null | awk -v re="$3" '
		{ name = $1; sub(/:$/, "", name) } name ~ re { sum += $2 } END { printf "%.0f\n", sum }'
}

# Counter of /proc/net/dev: netdev_stat NS IF COLUMN (1 rx bytes, 2 rx packets, 9 tx bytes, 10 tx packets, ...).
netdev_stat() {
	ip netns exec "$1" cat /proc/net/dev | sed 's/:/ /' | awk -v dev="$2" -v col="$3" '$1 == dev { print $(col + 1) }'
}

snmp() {	# snmp NS Udp InCsumErrors, from /proc/net/snmp
	ip netns exec "$1" cat /proc/net/snmp | awk -v p="$2:" -v key="$3" '
		$1 == p && !col { for (i = 2; i <= NF; i++) if ($i == key) col = i; next } $1 == p { print $col; exit }'
}

snmp6() {	# snmp6 NS Udp6InCsumErrors
	ip netns exec "$1" cat /proc/net/snmp6 | awk -v key="$2" '$1 == key { print $2 }'
}

feature() {	# feature NS IF NAME: on or off, without "[fixed]"
	ip netns exec "$1" ethtool -k "$2" | awk -v key="$3:" '$1 == key { print $2 }'
}

feature_fixed() {
	ip netns exec "$1" ethtool -k "$2" | awk -v key="$3:" '$1 == key && /fixed/ { f = 1 } END { exit !f }'
}

iperf_listens() {
	ip netns exec "$1" cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ':1451 0* *.* 0A '
}

# iperf FROM TO ADDRESS [OPTION...]: one run; prints received Mbit/s. The JSON stays in $WORK/iperf.json.
iperf() {
	from=$1
	to=$2
	addr=$3
	shift 3
	case $addr in
	*:*) family=-6 ;;
	*) family=-4 ;;
	esac
	ip netns exec "$to" iperf3 -s -1 $family >"$WORK/iperf.server" 2>&1 3>&- &
	server=$!
	if ! wait_for 10 iperf_listens "$to"; then
		kill "$server" || :
		return 1
	fi
	ip netns exec "$from" timeout -k 2 $((SECONDS_IPERF + 25)) \
		iperf3 -c "$addr" $family -J -t "$SECONDS_IPERF" "$@" >"$WORK/iperf.json" 2>&1 && status=0 || status=$?
	kill "$server" 2>/dev/null || :
	wait "$server" 2>/dev/null || :
	[ "$status" -eq 0 ] || { tail -n 20 "$WORK/iperf.json" >&2; return 1; }
	rate=$(jsonq end.sum_received.bits_per_second <"$WORK/iperf.json" ||
	       jsonq end.sum.bits_per_second <"$WORK/iperf.json") || return 1
	rate=${rate%%.*}
	echo $((rate / 1000000))
}

# traffic on|off: TCP and UDP both ways that outlives errors, for tests that do things under load.
traffic() {
	case $1 in
	on)
		start_job flows -B -a a -b b -d 10.0.0.2 -p 7201 -x 1400
		start_job flows -B -a b -b a -d fd00::1 -p 7202 -x 600
		start_job dash -c 'while :; do xfer -q -t 3 -a a -b b -d 10.0.0.2 -p 7203 -n 4M; sleep 0.1; done'
		;;
	off) kill_jobs ;;
	esac
}

# ---- what may happen to a port --------------------------------------------------------------------------------------

function_reset() { echo 1 >"/sys/bus/pci/devices/$(port_pci "${1:-$A}")/reset"; }	# function_reset [PORT]

# "restarts" counts nothing but resets of the port: a reset that is none would not move it.
port_reset() {
	count=$(stat a "$A" restarts)
	in_a ethtool --reset "$A" dedicated
	[ "$(stat a "$A" restarts)" -eq $((count + 1)) ] || fail "restarts was $count, is $(stat a "$A" restarts)"
}

has_devlink() { grep -q ' devlink_register$' /proc/kallsyms; }
need_devlink() { has_devlink || give_up "no devlink in this kernel"; }
reload() { need_devlink; devlink dev reload "pci/$(port_pci "${1:-$A}")"; }	# reload [PORT]

# pcie_error nonfatal|fatal [PORT]: true once the port works again. The log is read from the last log_mark on.
pcie_error() {
	victim=$(port_pci "${2:-$A}")
	aerinject "$victim" "$1" && wait_for 20 works_again "$victim"
}
works_again() { log_since | grep -q "$1.*works again after a PCIe error"; }

# In the kernel's test mode, which wakes up by itself.
need_sleep() {	# need_sleep [STATE]
	[ -w /sys/power/pm_test ] || give_up "no pm_test in this kernel"
	grep -qw "${1:-freeze}" /sys/power/state || give_up "no state ${1:-freeze}"
}

sleep_and_wake() {	# sleep_and_wake [STATE [LEVEL [SECONDS]]]: freeze, all phases of all devices, 0
	echo "${2:-platform}" >/sys/power/pm_test || return 1
	echo "${3:-0}" >/sys/module/suspend/parameters/pm_test_delay
	echo "${1:-freeze}" >/sys/power/state && slept=0 || slept=1
	echo none >/sys/power/pm_test
	return "$slept"
}

# A queue stands still: the kernel's own watchdog reports that.
watchdog_expected() {
	hostctl expect-splat 'NETDEV WATCHDOG'
	# Until 6.9 that was a WARN.
	kernel_at_least 6 9 || hostctl expect-splat 'WARNING: .*dev_watchdog'
}

# Many sockets, so that one's buffer does not end it, on one CPU, so that they fill one ring.
fill_ring() { for port in 1 2 3 4 5 6 7 8; do start_job taskset 1 flows -B -x 10 -a a -b b -d 10.0.0.2 -p $((7300 + port)); done; }

# stall_until SECONDS COMMAND...: p0 sends nothing, its ring full, until the command is true; false when time is over.
stall_until() {
	hostctl set p0 fault-tx-stall true
	fill_ring
	wait_for "$@" && stalled=0 || stalled=1
	hostctl set p0 fault-tx-stall false
	kill_jobs
	return "$stalled"
}

# hold_senders on|off: drops all that the stacks send before the driver sees it. It cannot know yet that its rings are gone,
# and the model calls a doorbell of such a ring a violation.
hold_senders() {
	if [ "$1" = on ]; then
		tc -n a qdisc replace dev "$A" root blackhole && tc -n b qdisc replace dev "$B" root blackhole
	else
		tc -n a qdisc del dev "$A" root
		tc -n b qdisc del dev "$B" root
	fi
}

is_up() { ip -n "$1" link show dev "$2" | grep -q '[<,]UP[,>]'; }

chip_users_are_restarted() {
	{ ! is_up a "$A" || [ "$(stat a "$A" restarts)" -gt "$restarts_a" ]; } &&
		{ ! is_up b "$B" || [ "$(stat b "$B" restarts)" -gt "$restarts_b" ]; }
}

# Many kernels let nobody but the driver write registers.
need_chip_reset() {
	need_model
	barpoke "$(port_pci "$A")" 0x1000c >/dev/null 2>&1 || give_up "no access to the BAR beside the driver"
}

# Bit 0 of MIS_RST (0x1000c) resets the whole chip, both ports and firmware, and the chip says so. Returns when the ports
# that are up have started again.
reset_chip() {
	restarts_a=$(stat a "$A" restarts)
	restarts_b=$(stat b "$B" restarts)
	hold_senders on || fail "traffic cannot be held back"
	barpoke "$(port_pci "$A")" 0x1000c 1
	wait_for 20 chip_users_are_restarted && restarted=yes || restarted=no
	hold_senders off
	[ "$restarted" = yes ] ||
		fail "restarts were $restarts_a and $restarts_b, are $(stat a "$A" restarts) and $(stat b "$B" restarts)"
}

# Speed the topology stands for, in Mbit/s.
case $TOPO in
*40*) SPEED=40000 ;;
*10) SPEED=10000 ;;
*) SPEED=25000 ;;
esac
: "${A:=p0}" "${B:=p1}"

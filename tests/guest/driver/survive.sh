# SPDX-License-Identifier: GPL-2.0-only
# The survival matrix: every knob is set, then every kind of reset and reconfiguration happens, and nothing has changed,
# neither what the user sees nor what the registers of the settings hold. docs/internals.md lists both sides. The runner
# makes p0 a board that can wake the machine (subsystem-id 0x4000, eeprom-caps 9).
. "${TESTS:-/tests}/lib.sh"

# ---- knobs ------------------------------------------------------------------------------------------------------------

# Set one knob; one that is not there is named.
knob() {	# knob NAME COMMAND...
	name=$1
	shift
	if "$@" >/dev/null 2>&1; then echo "$name" >>"$WORK/knobs"; else echo "$name" >>"$WORK/absent"; fi
}

KEY=01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f:10:11:12:13:14:15:16:17:18:19:1a:1b:1c:1d:1e:1f:20:21:22:23:24:25:26:27:28

set_knobs() {
	rm -f "$WORK/knobs"
	: >"$WORK/absent"
	give_up_queue
	knob rings in_a ethtool -G "$A" rx 1024 tx 256
	knob channels in_a ethtool -L "$A" combined 2
	knob moderation in_a ethtool -C "$A" adaptive-rx off rx-usecs 64
	knob moderation-of-a-queue in_a ethtool -Q "$A" queue_mask 0x2 --coalesce adaptive-rx off rx-usecs 100
	knob hash-table in_a ethtool -X "$A" weight 3 1
	knob hash-key in_a ethtool -X "$A" hkey "$KEY"
	knob hash-fields in_a ethtool -N "$A" rx-flow-hash udp4 sdfn
	knob segmentation in_a ethtool -K "$A" tso off
	knob tunnel-segmentation in_a ethtool -K "$A" tx-udp_tnl-segmentation on
	knob receive-checksum in_a ethtool -K "$A" rx off
	knob vlan-strip in_a ethtool -K "$A" rxvlan off
	knob ntuple in_a ethtool -K "$A" ntuple on
	knob rule in_a ethtool -N "$A" flow-type tcp4 dst-port 7777 action 1
	knob messages in_a ethtool -s "$A" msglvl 0x7
	knob rates set_rates
	knob pause in_a ethtool -A "$A" rx on tx on
	knob fec in_a ethtool --set-fec "$A" encoding baser
	knob wake in_a ethtool -s "$A" wol g
	knob mtu ip -n a link set "$A" mtu 2000
	knob address set_address 02:12:34:56:78:9a
	knob unicast ip netns exec a bridge fdb add 02:00:00:00:00:77 dev "$A"
	knob multicast ip -n a maddr add 33:33:00:00:00:77 dev "$A"
	knob allmulti ip -n a link set "$A" allmulticast on
	knob promiscuous ip -n a link set "$A" promisc on
	knob queue-length ip -n a link set "$A" txqueuelen 777
	knob vlan add_vlan "$A.7" id 7
	knob service-vlan add_vlan "$A.8" proto 802.1ad id 8
	knob tunnel-port add_vxlan
	knob program xdp -a a -i "$A" attach pass
	knob affinity set_affinity
	knob threads in_a dash -c "echo 1 >/sys/class/net/$A/threaded"
	knob stamps set_stamps
	knob pulse set_pulse
	knob queue-of-a-program hold_queue
	set_addresses a "$A" 1
	ip -n b neigh flush all
	wait_for 20 path_works
	say "set: $(tr '\n' ' ' <"$WORK/knobs")"
	may_be_absent >"$WORK/may"
	say "not there: $(tr '\n' ' ' <"$WORK/absent")"
	missing=$(grep -vxFf "$WORK/may" "$WORK/absent" | tr '\n' ' ') || :
	[ -z "$missing" ] || fail "could not be set: $missing"
}

has_knob() { grep -qx "$1" "$WORK/knobs"; }

# What a kernel or a lab does not have, by name: no other knob may be missing.
may_be_absent() {
	echo nothing
	kernel_at_least 5 12 || echo threads
	[ -f "$PTP_MODULE" ] || printf 'stamps\npulse\n'
	{ have_model && [ "$SPEED" = 25000 ]; } || echo rates
	have_model || echo pulse
}

# Copper that could do 25G, and may do 10G only.
set_rates() {
	have_model && [ "$SPEED" = 25000 ] || return 1
	hostctl set p0 module sfp28-dac
	hostctl set p1 module sfp28-dac
	wait_for 10 has_carrier a "$A" || return 1
	in_a ethtool -s "$A" advertise 10000baseCR/Full on 25000baseCR/Full off || return 1
	wait_for 10 rate_is_10g
}
rate_is_10g() { ethq -n a link "$A" | grep -q '^up speed=10000 '; }

# While down: IPv6 would keep its address made from the old one until the port goes down, and its multicast group with it.
set_address() {
	ip -n a link set "$A" down && ip -n a link set "$A" address "$1" && ip -n a link set "$A" up
}

# Up, as they are by themselves once the port went down and came up.
add_vlan() {	# add_vlan NAME OPTION...
	vlan=$1
	shift
	ip -n a link add link "$A" name "$vlan" type vlan "$@" && ip -n a link set "$vlan" up
}

add_vxlan() {
	need_module vxlan
	ip -n a link add vx0 type vxlan id 7 dev "$A" local 10.0.0.1 remote 10.0.0.2 dstport 5555 || return 1
	ip -n a link set vx0 up
}

vector_irq() { awk -v name="$A-TxRx-1" '$NF == name { sub(/:/, "", $1); print $1 }' /proc/interrupts; }

set_affinity() { echo 1 >"/proc/irq/$(vector_irq)/smp_affinity"; }

# HWTSTAMP_TX_ON, HWTSTAMP_FILTER_PTP_V2_EVENT
set_stamps() {
	[ -f "$PTP_MODULE" ] || return 1
	modprobe ptp || :
	grep -q '^txgbe_ptp ' /proc/modules || insmod "$PTP_MODULE"
	wait_for 5 ptp -a a -i "$A" config 1 12
}

clock() {
	n=$(in_a ethtool -T "$A" | sed -n 's/^\(PTP Hardware Clock\|Hardware timestamp provider index\): *//p')
	[ -c "/dev/ptp$n" ] && echo "/dev/ptp$n"
}

set_pulse() { have_model && [ "$(ptp pulse "$(clock)" 1)" = ok ] && pulse_comes; }
rises() { hostctl get p0 pps | jsonq rises; }
pulse_comes() {
	n=$(rises)
	wait_for 5 more_rises
}
more_rises() { [ "$(rises)" -gt "$n" ]; }

# A program that gives memory to a queue pair and sends from it until the script ends: no job of one fact.
hold_queue() {
	setsid "$(command -v xsk)" -a a -i "$A" -q 1 -z hold >"$WORK/held" 2>&1 3>&- &
	echo $! >"$WORK/holder"
	queue_sends
}
sent_from_queue() { grep -x '[0-9][0-9]*' "$WORK/held" | tail -n 1; }
queue_sends() {
	was=$(sent_from_queue)
	wait_for 5 more_sent
}
more_sent() { [ "$(sent_from_queue)" -gt "${was:-0}" ]; }
holder() { [ ! -s "$WORK/holder" ] || kill "-$1" "-$(cat "$WORK/holder")" 2>/dev/null || :; }
give_up_queue() {
	holder KILL
	rm -f "$WORK/holder"
}

# ---- what is looked at ------------------------------------------------------------------------------------------------

# What the user can see of it. Counters, carrier times and the like are left out.
show() {
	for option in -g -l -c -x -k -a -n --show-fec; do
		echo "== $option"
		in_a ethtool $option "$A" 2>&1 || :
	done
	echo "== per queue"
	in_a ethtool -Q "$A" queue_mask 0x3 --show-coalesce 2>&1 || :
	in_a ethtool -n "$A" rx-flow-hash udp4 2>&1 || :
	in_a ethtool "$A" | grep -viE 'link partner|detected' || :
	ip -n a -o -d link show dev "$A" | sed 's/ qdisc [^ ]*//; s/ state [A-Z]*//; s/\(prog\/xdp\) id [0-9]*/\1/; s/ load_time [0-9]*//'
	# Without those of IPv6, which makes itself a new address from the new MAC address.
	ip -n a maddr show dev "$A" | grep link | grep -v ' 33:33:ff:' | sort
	ip netns exec a bridge fdb show dev "$A" 2>/dev/null | grep -v '^33:33:ff:' | sort
	in_a cat "/sys/class/net/$A/queues/tx-0/xps_cpus" 2>/dev/null || :
	echo "threads $(in_a cat "/sys/class/net/$A/threaded" 2>/dev/null)"
	echo "stamps $(ptp -a a -i "$A" config)"
	echo "affinity $(cat "/proc/irq/$(vector_irq)/smp_affinity")"
}

# Registers that hold settings: moderation and mapping of vectors, ports of tunnels, filters and VLANs, receive buffer,
# pause and hash.
registers() {
	in_a ethtool -d "$A" raw on | od -An -v -tx4 -w8 | awk '
		{ at = $1; sub(/^0+/, "", at) }
		at ~ /^(200|204|500|4fc|11090|1441[048])$/ || at ~ /^15[0-6][0-9a-f][0-9a-f]$/ || at ~ /^(160|161|19[0-9a-f])[0-9a-f][0-9a-f]$/ {
			print at, $2
		}'
}

# ---- what happens to the port -----------------------------------------------------------------------------------------

down_and_up() { ip -n a link set "$A" down; ip -n a link set "$A" up; }
other_rings() { in_a ethtool -G "$A" rx 2048 tx 512; in_a ethtool -G "$A" rx 1024 tx 256; }
# Not fewer than the hash table of the user names.
other_channels() { in_a ethtool -L "$A" combined 3; in_a ethtool -L "$A" combined 2; }
other_mtu() { ip -n a link set "$A" mtu 1900; ip -n a link set "$A" mtu 2000; }
self_test() { in_a ethtool -t "$A" offline; }
restart_of_the_link() { in_a ethtool -r "$A"; }

# steps KIND: how often the ladder of recovery has taken this step, queue_restarts or port_resets
steps() { sed -n "s/.*\\b$1 \([0-9]*\).*/\1/p" "/sys/kernel/debug/txgbe/$(port_pci "$A")/health"; }
more_steps() { [ "$(steps "$1")" -gt "$2" ]; }

# Frames that the device does not send, until the ladder takes a step. The kernel's own watchdog sees them first; what is
# sent past the stack would be seen sooner, and is not there.
stand_still_until() {	# KIND SECONDS
	need_model
	watchdog_expected
	holder STOP
	taken=$(steps "$1")
	stall_until "$2" more_steps "$1" "$taken" || fail "$1 was $taken, is $(steps "$1")"
	holder CONT
}

queue_restart() {
	taken_before=$(steps port_resets)
	stand_still_until queue_restarts 40
	[ "$(steps port_resets)" = "$taken_before" ] || fail "the port was reset"
}
reset_by_the_ladder() { stand_still_until port_resets 90; }

# The carrier goes with frames on their way: the queues that have some are restarted and empty.
frames_flushed_at_link_loss() {
	need_model
	holder STOP
	hostctl set p0 fault-tx-stall true
	in_a ping -q -f -c 20 -W 1 10.0.0.2 >/dev/null 2>&1 || :
	nothing_in_flight && fail "nothing is on its way"
	hostctl set p0 cable false
	wait_for 5 not has_carrier a "$A"
	wait_for 6 nothing_in_flight || fail "in flight without a carrier: $(bql a "$A" inflight | tr '\n' ' ')"
	hostctl set p0 fault-tx-stall false
	hostctl set p0 cable true
	holder CONT
}

# By firmware or a flash tool. What is sent past the stack is held back as well.
chip_reset_by_others() {
	holder STOP
	reset_chip
	holder CONT
}

pcie_error_ends_well() {	# nonfatal|fatal
	[ -e /dev/aer_inject ] || modprobe aer_inject 2>/dev/null || give_up "no aer_inject in this kernel"
	[ -e /dev/aer_inject ] || give_up "no /dev/aer_inject"
	log_mark
	pcie_error "$1" || fail "no recovery"
}
nonfatal_error() { pcie_error_ends_well nonfatal; }
fatal_error() { pcie_error_ends_well fatal; }

sleep_to_idle() { need_sleep freeze; sleep_and_wake freeze; }
sleep_to_memory() { need_sleep mem; sleep_and_wake mem; }

other_program() {
	xdp -a a -i "$A" detach
	xdp -a a -i "$A" attach pass all
	xdp -a a -i "$A" churn 3
	xdp -a a -i "$A" attach pass
}

other_features() {
	for name in gro rxhash sg; do
		in_a ethtool -K "$A" $name off 2>/dev/null || :
		in_a ethtool -K "$A" $name on 2>/dev/null || :
	done
}

link_loss() {
	need_model
	hostctl set p0 cable false
	wait_for 5 not has_carrier a "$A"
	hostctl set p0 cable true
}

other_module() {
	need_model
	kind=$(hostctl get p0 module)
	hostctl set p0 module none
	wait_for 5 not has_carrier a "$A"
	hostctl set p0 module "$kind"
}

settings_survive() {	# WHAT
	show >"$WORK/before"
	registers >"$WORK/registers"
	"$1"
	set_addresses a "$A" 1
	wait_for 20 has_carrier a "$A" || fail "no carrier"
	wait_for 20 path_works || fail "no ping"
	show >"$WORK/after"
	diff "$WORK/before" "$WORK/after" >"$WORK/diff" || fail "changed: $(grep '^[-+<>]' "$WORK/diff" | head -n 8)"
	registers | diff "$WORK/registers" - >"$WORK/diff" || fail "registers: $(grep '^[-+<>]' "$WORK/diff" | head -n 8)"
	[ "$(wc -l <"$WORK/registers")" -ge 100 ] || fail "only $(wc -l <"$WORK/registers") registers were compared"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	! has_knob pulse || pulse_comes || fail "no pulse per second any more"
	! has_knob queue-of-a-program || queue_sends || fail "nothing leaves the program's queue: $(tail -n 1 "$WORK/held")"
}

# ---- what excludes some of the knobs ----------------------------------------------------------------------------------

split() { ethq -n a split "$A" "$@"; }

# Headers apart from their data, on rings that no XDP program and no AF_XDP socket has.
split_can_be_set() {
	kernel_at_least 6 9 || give_up "this kernel cannot be asked to split"
	give_up_queue
	xdp -a a -i "$A" detach
	split on
	[ "$(split)" = on ] || fail "it is $(split)"
}

split_survives() {	# WHAT
	kernel_at_least 6 9 || give_up "this kernel cannot be asked to split"
	[ "$(split)" = on ] || fail "it is $(split) before"
	"$1"
	set_addresses a "$A" 1
	wait_for 20 has_carrier a "$A" || fail "no carrier"
	wait_for 20 path_works || fail "no ping"
	[ "$(split)" = on ] || fail "it is $(split)"
	xfer -a b -b a -d 10.0.0.1 -n 1M
}

after_failure() {
	hostctl set p0 fault-tx-stall false
	hostctl set p0 cable true
	hold_senders off
	holder CONT
	restore_pair
} >/dev/null 2>&1

PTP_MODULE=${MODULE%/*}/txgbe_ptp.ko
[ -d /sys/kernel/debug/tracing ] || mount -t debugfs none /sys/kernel/debug 2>/dev/null || :
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
RESTARTS="down_and_up other_rings other_channels other_mtu self_test function_reset port_reset reload chip_reset_by_others
	nonfatal_error fatal_error sleep_to_idle sleep_to_memory"
fact set_knobs
for what in $RESTARTS other_program other_features link_loss other_module restart_of_the_link frames_flushed_at_link_loss \
	queue_restart reset_by_the_ladder; do
	fact settings_survive "$what"
done
fact split_can_be_set
for what in $RESTARTS; do
	fact split_survives "$what"
done
give_up_queue
! grep -q '^txgbe_ptp ' /proc/modules || rmmod txgbe_ptp
finish

# SPDX-License-Identifier: GPL-2.0-only
# devlink: information, port, regions, reload, and health reporters that notice, dump and recover.
. "${TESTS:-/tests}/lib.sh"

# Without devlink in the kernel the driver works and there is nothing to see.
if ! has_devlink; then
	skip devlink "no devlink in this kernel"
	finish
fi

dev() { echo "pci/$(port_pci "${1:-p0}")"; }

# JSON of a devlink command about the first port; its handle becomes "dev", and dots in names become "_".
dl() {
	devlink -j "$@" | sed -e "s|$(dev p0)|dev|g" -e 's/"\([a-z]*\)\.\([a-z]*\)":/"\1_\2":/g'
}

health() { dl health show "$(dev p0)" reporter "$1" | jsonq "health.dev.0.$2"; }	# health tx error
diagnose() { dl health diagnose "$(dev p0)" reporter "$1" >"$WORK/diag.json"; }

error_count_is_above() { [ "$(health "$1" error)" -gt "$2" ]; }
is_healthy() { [ "$(health "$1" state)" = healthy ]; }

# ---- instance, information ------------------------------------------------------------------------------------

each_port_is_an_instance() {
	for port in ${PORTS:-p0 p1}; do
		devlink dev show "$(dev "$port")"
	done
	[ "$(devlink dev show | grep -c '^pci/')" -eq "$(nr_ports)" ]
}

interfaces_are_not_renamed() {
	# udev would put this behind the name that the interface has without devlink.
	down_pair
	name=$(cat /sys/class/net/p0/phys_port_name 2>/dev/null || :)
	[ -z "$name" ] || fail "phys_port_name is $name"
}

information_is_the_cards() {
	need_model
	dl dev info "$(dev p0)" >"$WORK/info.json"
	cat "$WORK/info.json"
	[ "$(jsonq info.dev.driver <"$WORK/info.json")" = txgbe ]
	serial=$(jsonq info.dev.serial_number <"$WORK/info.json")
	want=$(lspci_dsn "$(port_pci p0)")
	# A kernel without access to extended configuration space knows the address.
	[ -n "$want" ] || want=$(in_a ethtool -P p0 | sed 's/.* //' | tr : -)
	[ "$serial" = "$want" ] || fail "serial number is $serial, should be $want"
	say "serial number $serial"
	fw=$(in_a ethtool -i p0 | sed -n 's/^firmware-version: //p')
	[ "$(jsonq info.dev.versions.running.fw <"$WORK/info.json")" = "${fw%%,*}" ]
	[ "$(jsonq info.dev.versions.stored.fw <"$WORK/info.json")" = "${fw%%,*}" ]
	asic=$(jsonq info.dev.versions.fixed.asic_id <"$WORK/info.json")
	[ "0x${asic%:*} 0x${asic#*:}" = "$(cat "/sys/bus/pci/devices/$(port_pci p0)/vendor") $(cat "/sys/bus/pci/devices/$(port_pci p0)/device")" ]
}

# The serial number capability, read as the PCI core would: byte 7 first.
lspci_dsn() {
	od -An -v -tx1 -j256 "/sys/bus/pci/devices/$1/config" | tr -d '\n' | awk '
	{
		for (at = 1; at + 11 <= NF; at = next_at - 256 + 1) {
			id = $at $(at + 1)
			next_at = hex(substr($(at + 3), 1, 2)) * 16 + hex(substr($(at + 2), 1, 1))
			if (id == "0300") {
				printf "%s", $(at + 11)
				for (i = 10; i >= 4; i--)
					printf "-%s", $(at + i)
				print ""
				exit
			}
			if (!next_at)
				exit
		}
	}
	function hex(s,   i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}'
}

# ---- regions -------------------------------------------------------------------------------------------------------

# Bytes of a fresh snapshot of a region, one line of hex.
region() {
	devlink region new "$(dev p0)/$1" snapshot 77 >&2
	devlink region dump "$(dev p0)/$1" snapshot 77 | sed 's/^[0-9a-f]* //' | tr -d ' \n'
	devlink region del "$(dev p0)/$1" snapshot 77 >&2
	echo
}

# Little-endian words of a dump, one a line, as 8 digits of hex.
words() { printf '%s\n' "$1" | fold -w 8 | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/'; }

register() {	# register HEX OFFSET: its value in a dump of the region "registers"
	words "$1" | awk -v want="$(printf %08x $(($2)))" '
		NR % 2 { offset = $1; next }
		offset == want { print "0x" $1; exit }'
}

register_region_shows_what_is_set() {
	# PSR_MAX_SZ is the MTU with Ethernet header, FCS and two tags.
	set_mtu 3000
	[ $(($(register "$(region registers)" 0x15020) - 3000)) -eq 26 ]
	set_mtu 1500
	[ $(($(register "$(region registers)" 0x15020) - 1500)) -eq 26 ]
}

nvm_region_has_a_good_checksum() {
	image=$(region nvm)
	[ ${#image} -eq 8192 ]
	sum=$(printf '%s\n' "$image" | fold -w 4 | awk '
		function hex(s,   i, v) {
			for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return v
		}
		# Words that firmware changes count as erased.
		{ n++; sum += n > 1408 && n <= 2048 ? 65535 : hex(substr($0, 3, 2)) * 256 + hex(substr($0, 1, 2)) }
		END { print sum % 65536 }')
	[ "$sum" -eq $((0xbaba)) ] || fail "sum of all words is $sum, not $((0xbaba))"
}

trace_region_has_the_last_commands() {
	# Information makes the driver read the EEPROM: command 0x31.
	dl dev info "$(dev p0)"
	trace=$(region fw-trace)
	[ ${#trace} -eq $((64 * 56 * 2)) ]
	words "$trace" | awk '
		function number(s,   i, v) {
			for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return v
		}
		# 14 words each: number, result, time (2), duration, lengths, request (4), answer (4)
		NR % 14 == 1 {
			seq = number($1)
			if (seq && last && seq != last + 1)
				gap = 1
			if (seq)
				last = seq
		}
		seq && NR % 14 == 2 { result = $1 }
		seq && NR % 14 == 7 { request = $1 }
		seq && NR % 14 == 11 { answer = $1 }
		END {
			print "last", last, "result", result, "request", request, "answer", answer
			# The answer has the command and the index of the request.
			exit !(!gap && last && result == "00000000" && substr(request, 7) == "31" &&
			       substr(answer, 7) == "31" && substr(answer, 1, 2) == substr(request, 1, 2))
		}'
}

snapshots_are_limited() {
	for i in 1 2 3 4; do
		devlink region new "$(dev p0)/fw-trace" snapshot $i
	done
	not devlink region new "$(dev p0)/fw-trace" snapshot 5
	for i in 1 2 3 4; do
		devlink region del "$(dev p0)/fw-trace" snapshot $i
	done
}

# ---- reload --------------------------------------------------------------------------------------------------------

reload_keeps_settings() {
	in_a ethtool -G p0 rx 1024 tx 256 2>/dev/null || say "rings cannot be changed"
	rings=$(in_a ethtool -g p0)
	in_a ip link set p0 mtu 2000
	in_a ip link set p0 promisc on
	key=$(in_a ethtool -x p0)
	within 1000 devlink dev reload "$(dev p0)"
	[ "$(in_a ethtool -g p0)" = "$rings" ]
	[ "$(in_a ethtool -x p0)" = "$key" ]
	[ "$(in_a cat /sys/class/net/p0/mtu)" -eq 2000 ]
	in_a ip link show p0 | grep -q PROMISC
	in_a ip link set p0 promisc off
	in_a ip link set p0 mtu 1500
	wait_for 10 path_works || fail "no ping after a reload"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	in_a ethtool -G p0 rx 512 tx 512 2>/dev/null || :
}

reload_of_a_closed_port_works() {
	ip -n a link set p0 down
	within 1000 devlink dev reload "$(dev p0)"
	not has_carrier a p0
	ip -n a link set p0 up
	set_addresses a p0 1
	wait_for 10 path_works
}

reload_under_traffic() {
	traffic on
	for _ in $(seq "$(loops 3 20)"); do
		devlink dev reload "$(dev p0)"
	done
	traffic off
	wait_for 10 path_works || fail "no ping after reloads under traffic"
}

reload_into_a_namespace_is_refused() {
	devlink dev reload "$(dev p0)" netns a 2>"$WORK/err" && fail "it went through"
	cat "$WORK/err"
	path_works
}

# ---- health --------------------------------------------------------------------------------------------------------

reporters_are_there_and_healthy() {
	for reporter in tx rx fw pcie; do
		[ "$(health $reporter state)" = healthy ]
		[ "$(health $reporter auto_recover)" = true ]
	done
}

diagnosis_matches_the_rings() {
	xfer -a a -b b -d 10.0.0.2 -n 1M
	diagnose tx
	[ "$(jsonq queues.0.queue <"$WORK/diag.json")" -eq 0 ]
	[ "$(jsonq queues.0.size <"$WORK/diag.json")" -eq "$(in_a ethtool -g p0 | awk '/^TX:/ { n = $2 } END { print n }')" ]
	# What the driver has rung for is where the device stands, once it is idle.
	[ "$(jsonq queues.0.hw_wp <"$WORK/diag.json")" -eq "$(jsonq queues.0.use <"$WORK/diag.json")" ]
	diagnose rx
	[ "$(jsonq queues.0.size <"$WORK/diag.json")" -eq "$(in_a ethtool -g p0 | awk '/^RX:/ { n = $2 } END { print n }')" ]
	[ "$(jsonq queues.0.owned_by_device <"$WORK/diag.json")" -gt 0 ]
	diagnose pcie
	[ "$(jsonq registers_reachable <"$WORK/diag.json")" = true ]
	[ "$(jsonq link_width <"$WORK/diag.json")" -eq "$(cat "/sys/bus/pci/devices/$(port_pci p0)/current_link_width")" ]
	diagnose fw
	[ "$(jsonq version <"$WORK/diag.json")" = "$(in_a ethtool -i p0 | sed -n 's/^firmware-version: //p')" ]
}

# The stack's watchdog, where it is quicker than the driver, prints a report of its own.
watchdog_may_have_barked() {
	! log_since | grep -q 'NETDEV WATCHDOG' || watchdog_expected
}

stalled_queue_is_reported_dumped_and_recovered() {
	need_model
	log_mark
	before=$(health tx error)
	done_before=$(health tx recover)
	hostctl set p0 fault-tx-stall true
	start_job flows -B -a a -b b -d 10.0.0.2
	wait_for 30 error_count_is_above tx "$before" || fail "no error was reported"
	hostctl set p0 fault-tx-stall false
	kill_jobs
	wait_for 20 path_works || fail "no ping after the stall"
	wait_for 20 is_healthy tx || fail "the reporter is not healthy again"
	[ "$(health tx recover)" -gt "$done_before" ]
	# The dump was taken before the recovery: it shows what hung.
	dl health dump show "$(dev p0)" reporter tx >"$WORK/dump.json"
	head -c 2000 "$WORK/dump.json"
	jsonq last_error <"$WORK/dump.json" | grep -q 'tx queue .* hangs'
	grep -q '"descriptors"' "$WORK/dump.json" || fail "no descriptors in the dump"
	devlink health dump clear "$(dev p0)" reporter tx
	watchdog_may_have_barked
}

stalled_queue_is_left_alone_on_request() {
	need_model
	log_mark
	devlink health set "$(dev p0)" reporter tx auto_recover false
	before=$(health tx error)
	diagnose tx
	recovered=$(jsonq recovered <"$WORK/diag.json")
	hostctl set p0 fault-tx-stall true
	start_job flows -B -a a -b b -d 10.0.0.2
	wait_for 30 error_count_is_above tx "$before" || fail "no error was reported"
	sleep 1
	diagnose tx
	[ "$(jsonq recovered <"$WORK/diag.json")" -eq "$recovered" ] || fail "recovered against the user's wish"
	[ "$(health tx state)" = error ]
	hostctl set p0 fault-tx-stall false
	kill_jobs
	# By hand, and then by itself again.
	devlink health recover "$(dev p0)" reporter tx
	is_healthy tx
	devlink health set "$(dev p0)" reporter tx auto_recover true
	devlink health dump clear "$(dev p0)" reporter tx
	wait_for 20 path_works || fail "no ping after recovery by hand"
	watchdog_may_have_barked
}

fw_errors_are_above() { error_count_is_above fw "$1"; }

silent_firmware_is_reported() {
	need_model
	before=$(health fw error)
	hostctl set p0 fault-fw silent
	# Without a link there is something to ask firmware.
	ip -n a link set p0 down
	ip -n a link set p0 up
	set_addresses a p0 1
	wait_for 15 error_count_is_above fw "$before" || fail "no error was reported"
	[ "$(health fw state)" = error ]
	not devlink health recover "$(dev p0)" reporter fw
	dl health dump show "$(dev p0)" reporter fw >"$WORK/dump.json"
	tail -c 1500 "$WORK/dump.json"
	jsonq last_error <"$WORK/dump.json" | grep -q 'no answer in 1000 ms'
	grep -q '"result": *"no answer"' "$WORK/dump.json"
	hostctl set p0 fault-fw none
	devlink health recover "$(dev p0)" reporter fw
	is_healthy fw
	devlink health dump clear "$(dev p0)" reporter fw
	wait_for 20 path_works || fail "no ping once the firmware answers again"
}

firmware_that_answers_again_is_healthy_by_itself() {
	need_model
	before=$(health fw error)
	hostctl set p0 fault-fw silent
	ip -n a link set p0 down
	ip -n a link set p0 up
	set_addresses a p0 1
	wait_for 15 error_count_is_above fw "$before" || fail "no error was reported"
	hostctl set p0 fault-fw none
	wait_for 30 is_healthy fw || fail "still not healthy"
	devlink health dump clear "$(dev p0)" reporter fw
	wait_for 20 path_works
}

interrupts_that_never_come_are_reported() {
	need_model
	before=$(health rx error)
	hostctl set p0 fault-lost-irq 1
	start_job flows -B -a a -b b -d 10.0.0.2
	start_job flows -B -a b -b a -d 10.0.0.1
	wait_for 20 error_count_is_above rx "$before" || fail "no error was reported"
	# The poll makes up for them; that does not cure it.
	sleep 2
	[ "$(health rx state)" = error ] || fail "interrupts still do not come, the state is $(health rx state)"
	hostctl set p0 fault-lost-irq 0
	kill_jobs
	wait_for 10 path_works
	wait_for 20 is_healthy rx || fail "still not healthy"
	dl health dump show "$(dev p0)" reporter rx >"$WORK/dump.json"
	jsonq last_error <"$WORK/dump.json" | grep -q 'interrupt'
	devlink health dump clear "$(dev p0)" reporter rx
}

removal_during_requests_is_clean() {
	start_job dash -c "while :; do devlink health diagnose $(dev p0) reporter tx; devlink dev info $(dev p0); done"
	start_job dash -c "while :; do devlink dev reload $(dev p0); done"
	for _ in $(seq "$(loops 2 10)"); do
		within 1000 unload_driver
		load_driver
	done
	kill_jobs
	restore_pair
}

after_failure() {
	hostctl set p0 fault-tx-stall false
	hostctl set p0 fault-fw none
	hostctl set p0 fault-lost-irq 0
	devlink health set "$(dev p0)" reporter tx auto_recover true
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

load_driver || { not_ok driver_loads "no interface"; finish; }
fact each_port_is_an_instance
fact interfaces_are_not_renamed
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact information_is_the_cards
fact register_region_shows_what_is_set
fact nvm_region_has_a_good_checksum
fact trace_region_has_the_last_commands
fact snapshots_are_limited
fact reload_keeps_settings
fact reload_of_a_closed_port_works
fact reload_under_traffic
fact reload_into_a_namespace_is_refused
fact reporters_are_there_and_healthy
fact diagnosis_matches_the_rings
fact silent_firmware_is_reported
fact firmware_that_answers_again_is_healthy_by_itself
fact interrupts_that_never_come_are_reported
fact stalled_queue_is_reported_dumped_and_recovered
fact stalled_queue_is_left_alone_on_request
fact removal_during_requests_is_clean
finish

# SPDX-License-Identifier: GPL-2.0-only
# PCIe errors: injected by the kernel's aer_inject. The port that had one works again, with its settings.
. "${TESTS:-/tests}/lib.sh"

need_injector() {
	[ -e /dev/aer_inject ] || modprobe aer_inject 2>/dev/null || give_up "no aer_inject in this kernel"
	[ -e /dev/aer_inject ] || give_up "no /dev/aer_inject"
}

inject() { aerinject "$(port_pci "$1")" "$2"; }

logged() { log_since | grep -q "$1"; }

back_after() { wait_for 20 logged "$(port_pci "$1").*works again after a PCIe error"; }

settings() { in_a ethtool -g "$A"; in_a ethtool -l "$A"; in_a ethtool -x "$A"; in_a ethtool -k "$A"; }

error_is_recovered_from() {	# nonfatal|fatal
	need_injector
	traffic on
	settings >"$WORK/before"
	for round in $(seq "$(loops 3 200)"); do
		log_mark
		inject p0 "$1"
		back_after p0 || fail "round $round: $(log_since | grep -iE 'aer|txgbe|pcieport' | tail -n 4)"
		wait_for 20 path_works || fail "round $round: no ping"
	done
	traffic off
	settings >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | head -n 5)"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

correctable_error_changes_nothing() {
	need_injector
	log_mark
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	traffic on
	inject p0 correctable
	sleep 1
	traffic off
	logged 'PCIe error, port stopped' && fail "the port was stopped"
	[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "the link went down"
	path_works
}

nonfatal_error_of_one_port_leaves_the_other_alone() {
	need_injector
	log_mark
	resets=$(stat b "$B" restarts)
	inject p0 nonfatal
	back_after p0 || fail "port 0 did not come back"
	logged "$(port_pci p1).*PCIe error, port stopped" && fail "port 1 was stopped, too"
	[ "$(stat b "$B" restarts)" = "$resets" ]
	wait_for 20 path_works
}

two_errors_in_a_row() {	# nonfatal|fatal
	need_injector
	log_mark
	inject p0 "$1"
	inject p0 "$1"
	back_after p0
	wait_for 20 path_works || fail "no ping"
	xfer -a a -b b -d 10.0.0.2 -n 2M
}

error_during_changes() {	# nonfatal|fatal
	need_injector
	start_job dash -c "while :; do ip netns exec a ethtool -G $A rx 256; ip netns exec a ethtool -G $A rx 512; done"
	start_job dash -c "while :; do ip netns exec a ethtool -L $A combined 1; ip netns exec a ethtool -L $A combined 3; done"
	start_job dash -c "while :; do ip -n a link set $A down; ip -n a link set $A up; done"
	for _ in $(seq "$(loops 3 20)"); do
		inject p0 "$1"
		sleep 1
	done
	kill_jobs
	wait_for 20 port_answers || fail "the port is still detached"
	ip -n a link set "$A" up
	in_a ethtool -G "$A" rx 512 || :
	in_a ethtool -L "$A" combined "$SMP" || :
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping after it all"
}

port_answers() { in_a ethtool -g "$A"; }

unload_right_after_an_error() {	# nonfatal|fatal
	need_injector
	inject p0 "$1"
	within 500 unload_driver
	restore_pair || fail "no traffic after loading"
}

# A reload waits for the driver's lock, and so comes between two of the steps of recovery, when there is one more port to
# see to. It may be refused; it must not start a port that is about to be reset.
reload_meets_a_fatal_error() {
	need_injector
	need_devlink
	for round in $(seq "$(loops 4 50)"); do
		start_job dash -c "while :; do devlink dev reload pci/$(port_pci p0); done"
		sleep 0.3
		log_mark
		inject p0 fatal
		back_after p0 || fail "round $round: $(log_since | grep -iE 'aer|txgbe|pcieport' | tail -n 4)"
		kill_jobs
		set_addresses a "$A" 1
		wait_for 10 path_works || fail "round $round: no ping"
	done
	xfer -a b -b a -d fd00::1 -n 2M
}

after_failure() { restore_pair || { down_pair; unload_driver; restore_pair; }; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact correctable_error_changes_nothing
fact nonfatal_error_of_one_port_leaves_the_other_alone
for kind in nonfatal fatal; do
	fact error_is_recovered_from $kind
	fact two_errors_in_a_row $kind
	fact error_during_changes $kind
	fact unload_right_after_an_error $kind
done
fact reload_meets_a_fatal_error
finish

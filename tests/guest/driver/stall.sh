# SPDX-License-Identifier: GPL-2.0-only
# The recovery ladder: a transmit queue that stands still is restarted, then the port is reset, then it is given up.
. "${TESTS:-/tests}/lib.sh"

logged() { log_since | grep -q "$1"; }

short_stall_restarts_the_queue_only() {
	need_model
	watchdog_expected
	changes=$(in_a cat "/sys/class/net/$A/carrier_changes")
	resets=$(stat a "$A" restarts)
	for round in $(seq "$(loops 5 50)"); do
		log_mark
		stall_until 30 logged 'tx queue .* hangs' || fail "round $round: the hang was not noticed"
		wait_for 20 path_works || fail "round $round: no ping after the stall"
		[ "$(stat a "$A" restarts)" = "$resets" ] || fail "round $round: the port was reset"
		[ "$(in_a cat "/sys/class/net/$A/carrier_changes")" = "$changes" ] || fail "round $round: the link went down"
	done
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

long_stall_resets_the_port() {
	need_model
	watchdog_expected
	for round in $(seq "$(loops 1 10)"); do
		resets=$(stat a "$A" restarts)
		stall_until 60 port_was_reset "$resets" || fail "round $round: no port reset"
		wait_for 20 path_works || fail "round $round: no ping after the stall"
	done
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

port_was_reset() { [ "$(stat a "$A" restarts)" -gt "$1" ]; }

# A queue that only XDP sends on: each stall is cured by the first step, for the ring has sent in between. The partner's
# frames all come back to it; the stack sends nothing that could be counted instead.
stalls_of_xdp_restart_the_queue_only() {
	need_model
	xdp -a b -i "$B" attach tx || give_up "no XDP in this kernel"
	in_b dash -c "echo 1 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	resets=$(stat b "$B" restarts)
	start_job dash -c "while :; do xdp -a a -i $A -D $(in_b cat "/sys/class/net/$B/address") send 500 100; done"
	for round in $(seq "$(loops 3 6)"); do
		log_mark
		hostctl set p1 fault-tx-stall true
		wait_for 40 logged 'xdp queue .* hangs' || fail "round $round: the hang was not noticed"
		hostctl set p1 fault-tx-stall false
		sent=$(xdp_sent)
		wait_for 10 xdp_sends_again || fail "round $round: XDP sends nothing"
		[ "$(stat b "$B" restarts)" = "$resets" ] || fail "round $round: the port was reset"
	done
	kill_jobs
	xdp -a b -i "$B" detach
	in_b dash -c "echo 0 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	set_addresses b "$B" 2
	wait_for 20 path_works
}

xdp_sent() { stat_sum b "$B" 'xdp_queue_[0-9]+_packets'; }
xdp_sends_again() { [ "$(xdp_sent)" -gt "$((sent + 500))" ]; }

endless_stall_detaches_and_a_function_reset_revives() {
	need_model
	watchdog_expected
	log_mark
	stall_until 120 logged 'given up and detached' || fail "the port was never given up"
	function_reset
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping after the function reset"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

flag() { in_a ip link show dev "$A" | grep -q "[<,]$1[,>]"; }

# What the driver does on its own behalf fails, too: nobody waits for an answer then, so devlink has to tell.
port_that_does_not_start_is_reported() {
	need_model
	need_devlink
	log_mark
	hostctl set p0 fault-pending true
	in_a ethtool --reset "$A" dedicated && fail "it says that it started"
	wait_for 20 logged 'given up and detached' || fail "the port was never given up"
	hostctl set p0 fault-pending false
	wait_for 3 tx_is error || fail "the reporter says: $(tx_says)"
	devlink health diagnose "$dev" reporter tx | grep -q 'port does not start: -110' || fail "no reason"
	devlink health recover "$dev" reporter tx || fail "no recovery by hand"
	wait_for 3 tx_is healthy || fail "the reporter says: $(tx_says)"
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

dev=pci/$(port_pci p0)
tx_says() { devlink health show "$dev" reporter tx; }
tx_is() { tx_says | grep -q "state $1"; }

# The first try fails, in the hands of the PCI core; the others are the driver's.
port_that_did_not_start_comes_back_by_itself() {
	need_model
	log_mark
	hostctl set p0 fault-pending true
	function_reset
	hostctl set p0 fault-pending false
	logged 'does not start after a function reset: -110; it will be tried again' || fail "it started, or is given up"
	# A host that is too slow lets all tries fail: three of them, and not the first.
	if logged 'given up and detached'; then
		[ "$(log_since | grep -c 'port does not start: -')" -eq 3 ] ||
			fail "given up after: $(log_since | grep 'does not start' | tail -n 4)"
		give_up "the host was too slow"
	fi
	flag UP || fail "it was closed"
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping afterwards"
	xfer -a a -b b -d 10.0.0.2 -n 4M
}

# What failed is over when the port is opened again: it is told, and does not count towards giving up. Three failures in a
# row are needed for that, each round has the one, or a second one on a slow host.
port_that_is_opened_after_a_failure_is_as_good_as_new() {
	need_model
	devlink_here=$(grep -c ' devlink_register$' /proc/kallsyms || :)
	for round in 1 2 3; do
		log_mark
		hostctl set p0 fault-pending true
		in_a ethtool --reset "$A" dedicated && fail "round $round: it says that it started"
		ip -n a link set "$A" down
		hostctl set p0 fault-pending false
		failures=$(log_since | grep -c 'port does not start: -110')
		if logged 'port given up'; then
			[ "$failures" -ge 3 ] && give_up "the host was too slow"
			fail "round $round: given up after $failures failures"
		fi
		ip -n a link set "$A" up || fail "round $round: does not open"
		[ "$devlink_here" = 0 ] || wait_for 3 tx_is healthy || fail "round $round: the reporter says: $(tx_says)"
	done
	set_addresses a "$A" 1
	wait_for 20 path_works || fail "no ping afterwards"
}

after_failure() {
	hostctl set p0 fault-pending false
	hostctl set p0 fault-tx-stall false
	hostctl set p1 fault-tx-stall false
	xdp -a b -i "$B" detach
	in_b dash -c "echo 0 >/proc/sys/net/ipv6/conf/$B/disable_ipv6"
	set_addresses b "$B" 2
	restore_pair || { down_pair; unload_driver; restore_pair; }
} >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
# These leave reports of the kernel behind.
fact short_stall_restarts_the_queue_only
fact long_stall_resets_the_port
fact stalls_of_xdp_restart_the_queue_only
fact port_that_did_not_start_comes_back_by_itself
fact port_that_is_opened_after_a_failure_is_as_good_as_new
fact port_that_does_not_start_is_reported
fact endless_stall_detaches_and_a_function_reset_revives
finish

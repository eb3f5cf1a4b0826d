# SPDX-License-Identifier: GPL-2.0-only
# Files for support in debugfs: they are there, tell the truth, survive what happens to the port, and go with it.
. "${TESTS:-/tests}/lib.sh"

[ -d /sys/kernel/debug/tracing ] || mount -t debugfs none /sys/kernel/debug 2>/dev/null || :
if ! grep -qw debugfs /proc/filesystems; then
	skip debugfs "no debugfs in this kernel"
	finish
fi

top() { echo "/sys/kernel/debug/txgbe/$(port_pci "${1:-p0}")"; }

value() {	# value FILE KEY: what follows KEY in it
	sed -n "s/\\(^\\|.* \\)$2  *\\([^ ]*\\).*/\\2/p" "$(top)/$1" | head -n 1
}

all_files_are_there_and_read_only() {
	for port in ${PORTS:-p0 p1}; do
		for file in rings registers vectors link settings firmware health; do
			cat "$(top "$port")/$file" >"$WORK/file"
			[ -s "$WORK/file" ]
			[ "$(stat_mode "$(top "$port")/$file")" = 400 ]
		done
	done
}

stat_mode() { command stat -c %a "$1" 2>/dev/null || /usr/bin/stat -c %a "$1"; }

reading_disturbs_nothing() {
	traffic on
	for _ in $(seq 20); do
		cat "$(top)"/* >/dev/null
	done
	traffic off
	path_works
}

settings_and_link_are_true() {
	[ "$(value settings mtu)" -eq 1500 ]
	[ "$(value settings address)" = "$(in_a cat /sys/class/net/p0/address)" ]
	[ "$(value settings running)" -eq 1 ]
	[ "$(value link up)" -eq 1 ]
	[ "$(value link speed_mbps)" -eq "$SPEED" ]
	[ $(($(value registers PSR_MAX_SZ) - 1500)) -eq 26 ]
}

# ethtool prints eight entries in a line, in decimal.
settings_show_the_whole_hash_table() {
	in_a ethtool -X p0 weight 1 1 2>/dev/null || say "one queue only"
	sed -n 's/^rss_table //p' "$(top)/settings" | tr ' ' '\n' | while read -r hex; do echo $((0x$hex)); done >"$WORK/shown"
	in_a ethtool -x p0 | sed -n 's/^ *[0-9]*: *\([0-9]\)/\1/p' | tr -s ' ' '\n' | sed '/^$/d' >"$WORK/table"
	in_a ethtool -X p0 default
	[ "$(wc -l <"$WORK/table")" -eq 128 ] || fail "ethtool tells of $(wc -l <"$WORK/table") entries"
	cmp "$WORK/table" "$WORK/shown" || fail "$(wc -l <"$WORK/shown") entries are shown"
}

rings_count_what_is_sent() {
	grep -c '^tx ' "$(top)/rings" | grep -qx "$(grep -c '^rx ' "$(top)/rings")"
	xfer -a a -b b -d 10.0.0.2 -n 1M
	# Idle: driver and device agree where they are.
	grep '^tx ' "$(top)/rings" | while read -r _ _ _ _ _ use _ _ _ _ _ _ _ wp _; do
		[ "$use" -eq "$wp" ]
	done
}

vectors_are_those_of_the_kernel() {
	irq=$(value vectors irq)
	grep -q "^ *$irq:.*p0" /proc/interrupts || grep "^ *$irq:" /proc/interrupts
}

trace_shows_link_commands() {
	need_model
	kind=$(hostctl get p0 module)
	hostctl set p0 module none
	sleep 1
	hostctl set p0 module "$kind"
	wait_for 10 has_carrier a p0
	grep 'get-module' "$(top)/firmware" | tail -n 1 | grep ' err 0 '
	grep 'set-link' "$(top)/firmware" | tail -n 1 | grep ' err 0 '
	wait_for 10 path_works
}

closed_port_has_no_rings() {
	ip -n a link set p0 down
	grep -q '^tx 0 closed$' "$(top)/rings"
	[ "$(value settings up)" -eq 0 ]
	cat "$(top)"/* >/dev/null
	ip -n a link set p0 up
	set_addresses a p0 1
	wait_for 10 path_works
}

reset_on_request_is_no_error() {
	before=$(sed -n 's/^pcie errors \([0-9]*\).*/\1/p' "$(top)/health")
	[ -w "/sys/bus/pci/devices/$(port_pci p0)/reset" ] || give_up "no reset file"
	echo 1 >"/sys/bus/pci/devices/$(port_pci p0)/reset" || give_up "no reset of the function"
	wait_for 15 path_works || fail "no traffic after a reset of the function"
	after=$(sed -n 's/^pcie errors \([0-9]*\).*/\1/p' "$(top)/health")
	[ "$after" = "$before" ] || fail "errors of PCIe: $before, then $after"
}

reading_while_the_driver_goes() {
	start_job dash -c "while :; do cat /sys/kernel/debug/txgbe/*/* >/dev/null 2>&1; done"
	for _ in $(seq "$(loops 2 10)"); do
		# An open file holds the module, so it may take a few tries.
		wait_for 20 unload_driver || fail "the driver cannot be unloaded"
		[ ! -e /sys/kernel/debug/txgbe ]
		load_driver
	done
	kill_jobs
	restore_pair
}

after_failure() { restore_pair || { down_pair; unload_driver; restore_pair; }; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact all_files_are_there_and_read_only
fact settings_and_link_are_true
fact settings_show_the_whole_hash_table
fact rings_count_what_is_sent
fact vectors_are_those_of_the_kernel
fact trace_shows_link_commands
fact closed_port_has_no_rings
fact reading_disturbs_nothing
fact reset_on_request_is_no_error
fact reading_while_the_driver_goes
finish

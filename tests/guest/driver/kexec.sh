# SPDX-License-Identifier: GPL-2.0-only
# One kernel starts the next without a reset of the machine: the cards are as the driver before left them. HOW=orderly:
# kexec; HOW=crash: a panic, and the second kernel has one CPU and little memory, with cards that are still at work.
# The only test of its boot: the second kernel runs it again from the top.
. "${TESTS:-/tests}/lib.sh"

: "${HOW:=orderly}"

second_kernel() { grep -qw 'second=yes' /proc/cmdline; }

# The runner puts the image beside the tests that are called so. All that is in the guest's root goes on.
pack_root() {
	find / -xdev ! -path /lab/bzImage |
		cpio -o -H newc 2>/dev/null >/run/initrd
	[ -s /run/initrd ]
}

command_line() {	# of this kernel, without the memory that it keeps for the other
	words=$(sed 's/crashkernel=[^ ]*//; s/initrd=[^ ]*//' /proc/cmdline)
	case $HOW in
	crash) echo "$words second=yes nr_cpus=1 reset_devices" ;;
	*) echo "$words second=yes" ;;
	esac
}

next_kernel_is_loaded() {
	[ -r /lab/bzImage ] || give_up "no kernel image in the guest"
	pack_root
	case $HOW in
	crash) kexec crash /lab/bzImage /run/initrd "$(command_line)" && rc=0 || rc=$? ;;
	*) kexec load /lab/bzImage /run/initrd "$(command_line)" && rc=0 || rc=$? ;;
	esac
	[ "$rc" -ne 3 ] || give_up "no kexec in this kernel"
	[ "$rc" -eq 0 ] || fail "$(cat "$WORK/log")"
	rm -f /run/initrd
	say "$(grep MemTotal /proc/meminfo | tr -s ' '), $(nproc) CPUs"
}

can_wake() { [ "$(in_a ethtool "$A" | sed -n 's/.*Supports Wake-on: //p')" = g ]; }

# A port that waits for a magic packet is left as it was armed; only the next kernel can look at it.
port_is_told_to_wake_the_machine() {
	can_wake || give_up "the board cannot"
	in_a ethtool -s "$A" wol g
}

goes_to_the_next_kernel() {
	traffic on
	sleep 1
	printf '\001S kexec\n'
	hostctl sync kexec
	case $HOW in
	crash) echo c >/proc/sysrq-trigger ;;
	*) exec kexec now ;;
	esac
}

# ---- in the second kernel -------------------------------------------------------------------------------------------

second_kernel_is_as_small_as_it_should_be() {
	say "$(grep MemTotal /proc/meminfo | tr -s ' '), $(nproc) CPUs"
	[ "$HOW" = orderly ] || [ "$(nproc)" = 1 ] || fail "$(nproc) CPUs"
}

reg() { printf '%d' "$(barpoke "$(port_pci p0)" "$1")"; }

# Frames pass the MAC at the rate of the link, the packet buffer and the longest frame on their way to the filters
# (reference 04, 12); the reset at the end of close empties all of these.
armed_port_hears_what_a_frame_has_to_pass() {
	barpoke "$(port_pci p0)" 0x15b80 >"$WORK/wake" 2>/dev/null || give_up "no access to the BAR"
	[ $(($(reg 0x15b80) & 2)) -ne 0 ] || give_up "nobody armed it"
	[ "$(reg 0x15020)" -eq 1526 ] || fail "PSR_MAX_SZ $(reg 0x15020)"
	[ $(($(reg 0x19020) >> 10 & 1023)) -ge 64 ] || fail "RDB_PB_SZ $(reg 0x19020)"
	case $SPEED in 40000) field=0 ;; 25000) field=2 ;; *) field=8 ;; esac
	[ $(($(reg 0x11000) >> 27 & 15)) -eq $field ] || fail "MAC_TX_CFG $(barpoke "$(port_pci p0)" 0x11000)"
	[ $(($(reg 0x11000) & 1)) -eq 0 ] || fail "it may transmit"
	[ $(($(reg 0x11004) & 1)) -ne 0 ] || fail "MAC_RX_CFG $(reg 0x11004)"
	[ $(($(reg 0x19000) >> 31)) -ne 0 ] || fail "RDB_PB_CTL $(reg 0x19000)"
}

ports_come_up_and_carry_traffic() {
	log_mark
	restore_pair || fail "no traffic: $(driver_complaints | tail -n 2)"
	[ -z "$(driver_complaints)" ] || fail "$(driver_complaints | head -n 2)"
	xfer -a a -b b -d 10.0.0.2 -n 4M
	xfer -a b -b a -d fd00::1 -n 4M
	flows -a a -b b -d 10.0.0.2 -n 64 -r 2
}

if second_kernel; then
	[ "$HOW" = orderly ] || hostctl expect-splat 'Kernel panic|BUG: '
	fact second_kernel_is_as_small_as_it_should_be
	[ "$HOW" != orderly ] || fact armed_port_hears_what_a_frame_has_to_pass
	fact ports_come_up_and_carry_traffic
	finish
fi
restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
[ "$HOW" != orderly ] || fact port_is_told_to_wake_the_machine
fact next_kernel_is_loaded
[ ! -s "$WORK/failed" ] || finish
[ "$(cat /sys/kernel/kexec_loaded 2>/dev/null)$(cat /sys/kernel/kexec_crash_loaded 2>/dev/null)" != 00 ] || finish
# Declared in this kernel, too: the report comes before the second one runs.
[ "$HOW" = orderly ] || hostctl expect-splat 'Kernel panic|BUG: '
goes_to_the_next_kernel

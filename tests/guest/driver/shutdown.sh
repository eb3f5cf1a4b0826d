# SPDX-License-Identifier: GPL-2.0-only
# Power-off with both ports up and under traffic: the last test of a boot, it ends the guest itself. The runner judges
# what the device model and the kernel had to say about it.
. "${TESTS:-/tests}/lib.sh"

ports_are_up_and_busy() {
	restore_pair
	traffic on
	sleep 1
	pings 10.0.0.2 3
}

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
fact ports_are_up_and_busy
traffic on
sleep 0.5
# What the lab's init does after the last test, without unloading the driver first.
printf '\001S shutdown\n'
hostctl sync shutdown
hostctl test-end driver/shutdown 0
hostctl all-done
poweroff -f
sleep 60

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# txgbe-tune: plan, undo, persistence.

ports_for_tune() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	port eth1 0000:3b:00.1 queues=2 first_irq=60
	ethtool_state eth0
	ethtool_state eth1
}

setting() { sed -n "s/^$3=//p" "$T/ethtool/$1/$2"; }

profile_is_applied() {
	ports_for_tune
	txgbe tune throughput eth0
	rc 0
	is "$(setting eth0 ring rx)" 4096
	is "$(setting eth0 coal adaptive-rx)" on
	is "$(setting eth0 hash udp4)" sdfn
	file_is sys/class/net/eth0/tx_queue_len 10000
	is "$(setting eth1 ring rx)" 512 "the ring of the other port"
}

plan_dry_run_changes_nothing() {
	local before
	ports_for_tune
	before=$(tree_state)
	txgbe tune -n latency
	rc 0
	says "coalesce.rx-usecs                      30 -> 10"
	says "ring.rx                                512 (is so)"
	is "$(tree_state)" "$before" tree
}

undo_of_a_profile_is_exact() {
	local before profile
	for profile in throughput latency balanced; do
		ports_for_tune
		put_file ethtool/eth1/ring rx=640 tx=8192
		put_file sys/class/net/eth1/gro_flush_timeout 20000
		before=$(tree_state)
		txgbe tune $profile
		rc 0
		[ "$(tree_state)" != "$before" ] || fail "$profile changed nothing"
		txgbe tune --undo
		rc 0
		is "$(tree_state)" "$before" "the tree after undo of $profile"
	done
}

undo_after_two_profiles_goes_to_the_start() {
	local before
	ports_for_tune
	before=$(tree_state)
	txgbe tune throughput
	txgbe tune latency
	rc 0
	is "$(setting eth0 coal rx-usecs)" 10
	txgbe tune --undo eth0 eth1
	rc 0
	is "$(tree_state)" "$before" tree
}

what_the_driver_lacks_is_named_and_left_out() {
	ports_for_tune
	sed -i /adaptive/d "$T/ethtool/eth0/coal"
	rm "$T/ethtool/eth0/hash"
	put_file ethtool/eth0/feat "generic-receive-offload=on" "large-receive-offload=off [fixed]" "tcp-segmentation-offload=on"
	txgbe tune throughput eth0
	rc 0
	says "coalesce.adaptive-rx is not offered"
	says "hash.udp4 is not offered"
	says_not "large-receive"
	is "$(setting eth0 coal rx-usecs)" 60
}

refused_setting_puts_everything_back() {
	local before
	ports_for_tune
	put_file ethtool/eth0/refuse rx-usecs
	before=$(tree_state)
	txgbe tune throughput eth0
	rc 1
	says "Operation not supported"
	says "put back"
	is "$(tree_state)" "$before" tree
}

own_values_replace_the_profiles() {
	ports_for_tune
	txgbe tune --set ring.rx=2048 --set hash.udp4= throughput eth0
	rc 0
	is "$(setting eth0 ring rx)" 2048
	is "$(setting eth0 hash udp4)" sd
	txgbe tune --set ring.rx=100000 throughput eth0
	says "100000 is more than the largest, 8192"
	is "$(setting eth0 ring rx)" 8192
}

bad_values_are_refused() {
	local before word
	ports_for_tune
	before=$(tree_state)
	for word in ring.rx=many nosuch.thing=1 ring.rx 'ring.rx=1;reboot' =; do
		txgbe tune --set "$word" throughput eth0
		rc 2
	done
	txgbe tune warp eth0
	rc 2
	is "$(tree_state)" "$before" tree
}

tune_refuses_other_drivers() {
	local before
	ports_for_tune
	port enp5s0 0000:05:00.0 driver=ixgbe first_irq=80
	ethtool_state enp5s0
	before=$(tree_state)
	txgbe tune throughput enp5s0
	rc 1
	says "its driver is ixgbe"
	txgbe tune --undo enp5s0
	rc 1
	is "$(tree_state)" "$before" tree
	txgbe tune throughput
	is "$(setting enp5s0 ring rx)" 512
}

bond4_sets_bond_and_slaves() {
	local before
	ports_for_tune
	bond bond0 "802.3ad 4" eth0 eth1
	before=$(tree_state)
	txgbe tune bond4 bond0
	rc 0
	file_is sys/class/net/bond0/bonding/miimon 100
	file_is sys/class/net/bond0/bonding/xmit_hash_policy layer3+4
	is "$(setting eth0 ring rx) $(setting eth1 ring rx)" "4096 4096"
	# The kernel reads such a file back with its number.
	put_file sys/class/net/bond0/bonding/xmit_hash_policy "layer3+4 1"
	txgbe tune --undo
	rc 0
	put_file sys/class/net/bond0/bonding/xmit_hash_policy "layer2 0"
	is "$(tree_state)" "$before" tree
}

bond_profile_needs_the_mode() {
	ports_for_tune
	bond bond0 "balance-alb 6" eth0 eth1
	txgbe tune bond4 bond0
	rc 1
	says "balance-alb"
	txgbe tune bond6 bond0
	rc 0
	file_is sys/class/net/bond0/bonding/miimon 100
	file_is sys/class/net/bond0/bonding/xmit_hash_policy "layer2 0"
}

bond6_in_a_bridge_is_refused() {
	local before
	ports_for_tune
	bond bond0 "balance-alb 6" eth0 eth1
	mkdir -p "$T/sys/devices/virtual/net/br0"
	ln -s ../br0 "$T/sys/devices/virtual/net/bond0/master"
	before=$(tree_state)
	txgbe tune bond6 bond0
	rc 1
	says "bridge br0"
	is "$(tree_state)" "$before" tree
}

bond_with_a_foreign_slave_is_refused() {
	local before
	ports_for_tune
	port enp5s0 0000:05:00.0 driver=ixgbe first_irq=80
	bond bond0 "802.3ad 4" eth0 enp5s0
	before=$(tree_state)
	txgbe tune bond4 bond0
	rc 1
	says "enp5s0: its driver is ixgbe"
	is "$(tree_state)" "$before" tree
}

tune_persists_and_undo_forgets() {
	local before
	ports_for_tune
	before=$(tree_state)
	txgbe tune --persist --set ring.tx=1024 throughput eth0
	rc 0
	[ -e "$T/etc/systemd/system/txgbe-tune@eth0.service" ] || fail "unit is not enabled"
	# As after a reload: the driver's defaults.
	ethtool_state eth0
	txgbe tune --boot eth0
	rc 0
	is "$(setting eth0 ring rx) $(setting eth0 ring tx)" "4096 1024"
	txgbe tune --undo
	is "$(tree_state)" "$before" tree
}

dry_run_of_undo_changes_nothing() {
	local before
	ports_for_tune
	txgbe tune --persist throughput eth0
	before=$(tree_state)
	txgbe tune -n --undo eth0
	rc 0
	says "would no longer be applied at boot"
	says "ring.rx 4096 -> 512"
	is "$(tree_state)" "$before" "tree after -n --undo eth0"
	txgbe tune -n --undo
	is "$(tree_state)" "$before" "tree after -n --undo"
}

undo_finds_a_port_that_is_only_persistent() {
	local before
	ports_for_tune
	txgbe tune throughput eth0
	rm -r "$T/var/lib/txgbe"
	before=$(tree_state)
	# Nothing differs, so there is no snapshot.
	txgbe tune --persist throughput eth0
	rc 0
	[ ! -e "$T/var/lib/txgbe" ]
	txgbe tune --undo
	rc 0
	says "eth0: no longer applied at boot"
	is "$(tree_state)" "$before" tree
}

driver_is_gone() {
	rm -r "$T/sys/bus/pci/devices/$2/driver" "$T/sys/bus/pci/devices/$2/net" "$T/sys/class/net/$1"
}

undo_without_the_port_leaves_nothing() {
	ports_for_tune
	txgbe tune --persist throughput
	txgbe tune latency eth1
	driver_is_gone eth0 0000:3b:00.0
	driver_is_gone eth1 0000:3b:00.1
	# Another card is in its place.
	port eth1 0000:05:00.0 driver=ixgbe first_irq=80
	txgbe tune --undo
	rc 0
	says "eth0: no longer applied at boot"
	is "$(cd "$T" && find etc/systemd etc/txgbe var/lib/txgbe 2>/dev/null)" "" "what undo leaves"
	is "$(setting eth1 ring rx)" 512 "the ring of the other driver's port"
	txgbe tune --undo eth1
	rc 1
	says "its driver is ixgbe"
}

undo_of_a_bond_that_is_gone_is_possible() {
	ports_for_tune
	bond bond0 "802.3ad 4" eth0 eth1
	txgbe tune --persist bond4 bond0
	rm -r "$T/sys/class/net/bond0" "$T/sys/devices/virtual/net/bond0"
	txgbe tune --undo
	rc 0
	is "$(cd "$T" && find etc/systemd etc/txgbe var/lib/txgbe 2>/dev/null)" "" "what undo leaves"
	is "$(setting eth0 ring rx)" 512
}

snapshot_of_a_port_in_another_namespace_is_kept() {
	ports_for_tune
	put_file proc/sys/kernel/random/boot_id aaaa-1
	txgbe tune throughput eth0
	# Its interface is seen from there only.
	mv "$T/sys/class/net/eth0/device/net/eth0" "$T/run/eth0"
	rm "$T/sys/class/net/eth0"
	txgbe tune --undo
	rc 0
	says "another network namespace"
	ln -sfn "../../devices/pci0000:00/0000:00:01.0/0000:3b:00.0/net/eth0" "$T/sys/class/net/eth0"
	mv "$T/run/eth0" "$T/sys/devices/pci0000:00/0000:00:01.0/0000:3b:00.0/net/eth0"
	txgbe tune --undo
	is "$(setting eth0 ring rx)" 512
}

# reloaded IF: a new interface with the driver's defaults
reloaded() {
	local dev=$T/sys/devices/pci0000:00/0000:00:01.0/0000:3b:00.${1: -1}/net
	cp -a "$dev/$1" "$dev/new"
	rm -r "${dev:?}/$1"
	mv "$dev/new" "$dev/$1"
	ethtool_state "$1"
}

undo_after_a_reload_leaves_what_was_set_since() {
	local how
	for how in reloaded "put_file proc/sys/kernel/random/boot_id bbbb-2 #"; do
		ports_for_tune
		put_file proc/sys/kernel/random/boot_id aaaa-1
		txgbe tune throughput eth0
		eval "$how eth0"
		put_file ethtool/eth0/ring rx=1024 tx=1024
		txgbe tune latency eth0
		rc 0
		txgbe tune --undo
		rc 0
		is "$(setting eth0 ring rx)" 1024 "the ring after $how"
		put_file ethtool/eth0/ring rx=1024 tx=1024
		txgbe tune throughput eth0
		ethtool_state eth0
		put_file proc/sys/kernel/random/boot_id cccc-3
		txgbe tune --undo eth0
		rc 0
		says "nothing to undo"
		is "$(setting eth0 ring rx)" 512 "the ring, when nothing was set since"
		[ ! -e "$T/var/lib/txgbe" ]
	done
}

undo_of_a_persistent_profile_goes_to_the_start_after_a_reload() {
	ports_for_tune
	put_file ethtool/eth0/ring rx=640 tx=512
	txgbe tune --persist throughput eth0
	reloaded eth0
	txgbe tune --boot eth0
	is "$(setting eth0 ring rx)" 4096
	txgbe tune --undo
	rc 0
	is "$(setting eth0 ring rx)" 640
}

undo_that_fails_can_be_repeated_after_a_reload() {
	ports_for_tune
	txgbe tune --persist throughput eth0
	reloaded eth0
	txgbe tune --boot eth0
	put_file ethtool/eth0/refuse rx-usecs
	txgbe tune --undo
	rc 1
	says "is kept"
	# What is not refused was put back all the same.
	is "$(setting eth0 ring rx) $(setting eth0 hash udp4)" "512 sd"
	rm "$T/ethtool/eth0/refuse"
	txgbe tune --undo
	rc 0
	says "as before"
	is "$(setting eth0 coal rx-usecs)" 30
}

second_port_is_refused() {	# by ethtool, or by systemctl
	case $1 in
	ethtool) put_file ethtool/eth1/refuse rx-usecs ;;
	systemctl) put_file run/systemctl-refuses txgbe-tune@eth1.service ;;
	esac
}

refusal_of_the_second_port_puts_back_the_first() {
	local before what
	for what in ethtool systemctl; do
		ports_for_tune
		second_port_is_refused $what
		before=$(tree_state)
		txgbe tune --persist throughput
		rc 1
		says "everything was put back"
		is "$(tree_state)" "$before" "the tree after $what"
		# A choice that was stored before is stored again.
		rm -f "$T/ethtool/eth1/refuse" "$T/run/systemctl-refuses"
		txgbe tune --persist balanced
		rc 0
		second_port_is_refused $what
		before=$(tree_state)
		txgbe tune --persist throughput
		rc 1
		is "$(tree_state)" "$before" "the tree after $what, with a choice stored before"
	done
}

refusal_of_a_slave_puts_back_the_bond() {
	local before
	ports_for_tune
	bond bond0 "802.3ad 4" eth0 eth1
	put_file sys/class/net/bond0/bonding/xmit_hash_policy layer2
	put_file ethtool/eth1/refuse rx-usecs
	before=$(tree_state)
	txgbe tune bond4 bond0
	rc 1
	is "$(tree_state)" "$before" tree
}

moderation_of_single_queues_comes_back() {
	local before
	ports_for_tune
	put_file ethtool/eth0/chan combined=2
	put_file ethtool/eth0/queues 1=on/10
	before=$(tree_state)
	txgbe tune -n balanced eth0
	says "30 (queue 0, others differ) -> 30"
	txgbe tune latency eth0
	rc 0
	is "$(TXGBE_SYSROOT=$T ethtool -Q eth0 --show-coalesce | awk '/^rx-usecs/ { print $2 }' | sort -u)" 10
	txgbe tune --undo eth0
	rc 0
	is "$(tree_state)" "$before" tree
	put_file ethtool/eth0/refuse udp4
	before=$(tree_state)
	txgbe tune throughput eth0
	rc 1
	says "put back"
	is "$(tree_state)" "$before" "tree after a refusal"
}

profile_reaches_queues_that_differ_when_queue_0_does_not() {
	ports_for_tune
	put_file ethtool/eth0/coal adaptive-rx=on rx-usecs=30
	put_file ethtool/eth0/queues 1=off/10
	txgbe tune balanced eth0
	rc 0
	is "$(TXGBE_SYSROOT=$T ethtool -Q eth0 --show-coalesce | awk '/^Adaptive/ { a = $3 } /^rx-usecs/ { print a, $2 }' | sort -u)" "on 30"
}

for name in profile_is_applied plan_dry_run_changes_nothing undo_of_a_profile_is_exact \
	undo_after_two_profiles_goes_to_the_start what_the_driver_lacks_is_named_and_left_out \
	refused_setting_puts_everything_back own_values_replace_the_profiles bad_values_are_refused \
	tune_refuses_other_drivers bond4_sets_bond_and_slaves bond_profile_needs_the_mode bond6_in_a_bridge_is_refused \
	bond_with_a_foreign_slave_is_refused tune_persists_and_undo_forgets dry_run_of_undo_changes_nothing \
	undo_finds_a_port_that_is_only_persistent undo_without_the_port_leaves_nothing \
	undo_of_a_bond_that_is_gone_is_possible snapshot_of_a_port_in_another_namespace_is_kept \
	undo_after_a_reload_leaves_what_was_set_since undo_of_a_persistent_profile_goes_to_the_start_after_a_reload \
	undo_that_fails_can_be_repeated_after_a_reload refusal_of_the_second_port_puts_back_the_first \
	refusal_of_a_slave_puts_back_the_bond moderation_of_single_queues_comes_back \
	profile_reaches_queues_that_differ_when_queue_0_does_not; do
	fact $name
done

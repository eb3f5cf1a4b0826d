# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# txgbe-affinity: decisions, dry run, undo.

# CPUs of a port's queues now, in order.
placed() {
	local irq=$1 n=$2 out='' i
	for ((i = 0; i < n; i++)); do out+="${out:+ }$(cat "$T/proc/irq/$((irq + i))/smp_affinity_list")"; done
	echo "$out"
}

xps() { cat "$T/sys/class/net/$1/queues/tx-$2/xps_cpus"; }

one_node_one_queue_per_core() {
	tree "$T" nodes=1 cores=8
	port eth0 0000:3b:00.0 queues=8
	txgbe affinity local
	rc 0
	is "$(placed 40 8)" "0 1 2 3 4 5 6 7"
	is "$(xps eth0 3)" 08
}

smt_siblings_stay_free() {
	tree "$T" nodes=1 cores=8 smt=1
	port eth0 0000:3b:00.0 queues=8
	txgbe affinity all
	rc 0
	is "$(placed 40 8)" "0 1 2 3 4 5 6 7"
	# The sibling sends on the queue of its core.
	is "$(xps eth0 3)" 0808
}

smt_siblings_with_neighbouring_numbers_stay_free() {
	tree "$T" nodes=2 cores=4 smt=1 numbering=near
	port eth0 0000:3b:00.0 queues=4 node=1
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "8 10 12 14"
	is "$(xps eth0 0)" 0311
}

more_queues_than_cores_take_turns() {
	tree "$T" nodes=1 cores=4 smt=1
	port eth0 0000:3b:00.0 queues=6
	txgbe affinity local
	rc 0
	is "$(placed 40 6)" "0 1 2 3 0 1"
	says "some CPUs serve several queues"
}

smt_option_uses_siblings_last() {
	tree "$T" nodes=1 cores=4 smt=1
	port eth0 0000:3b:00.0 queues=6
	txgbe affinity --smt local
	rc 0
	is "$(placed 40 6)" "0 1 2 3 4 5"
}

ports_of_a_card_get_disjoint_cores() {
	tree "$T" nodes=2 cores=8 smt=1
	port eth0 0000:3b:00.0 queues=4 node=1 first_irq=40
	port eth1 0000:3b:00.1 queues=4 node=1 first_irq=60
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "8 9 10 11"
	is "$(placed 60 4)" "12 13 14 15"
}

disjoint_also_when_named_one_by_one() {
	tree "$T" nodes=1 cores=8
	port eth0 0000:3b:00.0 queues=4 first_irq=40
	port eth1 0000:3b:00.1 queues=4 first_irq=60
	txgbe affinity local eth1
	rc 0
	is "$(placed 60 4)" "4 5 6 7"
	is "$(placed 40 1)" 0-7
}

disjoint_halves_when_cores_are_few() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=4 first_irq=40
	port eth1 0000:3b:00.1 queues=4 first_irq=60
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "0 1 0 1"
	is "$(placed 60 4)" "2 3 2 3"
}

two_cards_of_a_node_are_apart_while_cores_last() {
	tree "$T" nodes=1 cores=16
	port eth0 0000:3b:00.0 queues=4 first_irq=40
	port eth1 0000:3b:00.1 queues=4 first_irq=60
	port eth2 0000:5e:00.0 queues=4 first_irq=80
	port eth3 0000:5e:00.1 queues=4 first_irq=100
	txgbe affinity local
	rc 0
	is "$(placed 40 4) $(placed 60 4) $(placed 80 4) $(placed 100 4)" "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
}

one_cpu_and_two_ports_share_only_then() {
	tree "$T" nodes=1 cores=1
	port eth0 0000:3b:00.0 queues=1 first_irq=40
	port eth1 0000:3b:00.1 queues=1 first_irq=60
	txgbe affinity local
	rc 0
	is "$(placed 40 1) $(placed 60 1)" "0 0"
	says "ports share CPUs"
}

local_means_the_adapters_node() {
	local n
	for n in 2 4 8; do
		tree "$T" nodes=$n cores=4
		port eth0 0000:3b:00.0 queues=4 node=$((n - 1))
		txgbe affinity local
		rc 0
		is "$(placed 40 4)" "$((n * 4 - 4)) $((n * 4 - 3)) $((n * 4 - 2)) $((n * 4 - 1))" "placement on $n nodes"
	done
}

remote_goes_to_the_nearest_other_node() {
	tree "$T" nodes=4 cores=4
	port eth0 0000:3b:00.0 queues=8 node=3
	txgbe affinity remote
	rc 0
	# A ring: node 0 and node 2 are next to node 3, node 1 is across.
	is "$(placed 40 8)" "0 1 2 3 8 9 10 11"
}

all_goes_from_near_to_far() {
	tree "$T" nodes=8 cores=2
	port eth0 0000:3b:00.0 queues=8 node=5
	txgbe affinity all
	rc 0
	is "$(placed 40 8)" "10 11 8 9 12 13 6 7"
}

remote_on_one_node_is_refused() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=4
	txgbe affinity remote
	rc 1
	says "one node"
	is "$(placed 40 1)" 0-3
}

unknown_node_makes_every_cpu_local() {
	tree "$T" nodes=2 cores=2
	port eth0 0000:3b:00.0 queues=4 node=-1
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "0 1 2 3"
	txgbe affinity remote
	rc 1
	says "numa_node is -1"
}

isolated_cpus_are_left_out() {
	tree "$T" nodes=1 cores=8 isolated=2-5
	port eth0 0000:3b:00.0 queues=4
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "0 1 6 7"
	txgbe affinity --use-isolated local
	is "$(placed 40 4)" "0 1 2 3"
}

nohz_full_cpus_are_left_out() {
	tree "$T" nodes=1 cores=4 nohz=1-2
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	is "$(placed 40 2)" "0 3"
}

isolcpus_of_the_command_line_is_understood() {
	tree "$T" nodes=1 cores=4 cmdline="ro isolcpus=managed_irq,domain,0-1 quiet"
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	is "$(placed 40 2)" "2 3"
}

thread_beside_an_isolated_one_is_avoided() {
	tree "$T" nodes=1 cores=4 smt=1 isolated=4-5
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	is "$(placed 40 2)" "2 3"
}

all_isolated_is_explained() {
	tree "$T" nodes=2 cores=2 isolated=0-1
	port eth0 0000:3b:00.0 queues=2 node=0
	txgbe affinity local
	rc 1
	says "not isolated"
	says "--use-isolated"
	is "$(placed 40 1)" 0-3
}

custom_list_in_its_order() {
	tree "$T" nodes=1 cores=8
	port eth0 0000:3b:00.0 queues=4
	txgbe affinity custom 7,1-2,5 eth0
	rc 0
	is "$(placed 40 4)" "7 1 2 5"
}

custom_list_names_isolated_and_siblings() {
	tree "$T" nodes=1 cores=4 smt=1 isolated=3
	port eth0 0000:3b:00.0 queues=3
	txgbe affinity custom 0,4,3
	rc 0
	says "CPU 3 is isolated"
	says "threads of one core"
	is "$(placed 40 3)" "0 4 3"
}

bad_lists_are_refused() {
	local list
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	for list in 3-1 a 1,,2 1- 99999 "1 2" -1 0x1; do
		txgbe affinity custom "$list" eth0
		rc 2
		is "$(placed 40 1)" 0-3
	done
	txgbe affinity custom 0,9 eth0
	rc 1
	says "CPU 9"
	says "not online"
}

offline_cpus_are_not_used() {
	tree "$T" nodes=1 cores=4 offline=0,2
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	is "$(placed 40 2)" "1 3"
}

one_gives_each_port_of_a_card_a_cpu() {
	tree "$T" nodes=2 cores=4
	port eth0 0000:3b:00.0 queues=3 node=1 first_irq=40
	port eth1 0000:3b:00.1 queues=3 node=1 first_irq=60
	txgbe affinity one
	rc 0
	is "$(placed 40 3) $(placed 60 3)" "4 4 4 5 5 5"
	txgbe affinity one 2 eth0
	is "$(placed 40 3) $(placed 60 3)" "2 2 2 5 5 5"
}

every_cpu_has_a_transmit_queue() {
	local q sum=0
	tree "$T" nodes=2 cores=8 smt=1
	port eth0 0000:3b:00.0 queues=4 node=1
	txgbe affinity local
	for q in 0 1 2 3; do
		[ $((sum & 0x$(xps eth0 $q))) = 0 ] || fail "two queues for a CPU"
		sum=$((sum | 0x$(xps eth0 $q)))
	done
	is $sum $((0xffffffff)) "all masks together"
}

masks_above_32_cpus_have_groups() {
	tree "$T" nodes=2 cores=20
	port eth0 0000:3b:00.0 queues=1 node=1
	port eth1 0000:3b:00.1 queues=2 node=1 first_irq=60
	txgbe affinity custom 35,36 eth1
	[[ $(xps eth1 0) =~ ^[0-9a-f]{2},[0-9a-f]{8}$ ]] || fail "mask $(xps eth1 0)"
	[ $((0x$(xps eth1 0 | tr -d ,) >> 35 & 1)) = 1 ] || fail "CPU 35 is not in $(xps eth1 0)"
	[ $((0x$(xps eth1 1 | tr -d ,) >> 36 & 1)) = 1 ] || fail "CPU 36 is not in $(xps eth1 1)"
}

misc_vector_goes_with_the_first_queue() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity custom 3,2
	file_is proc/irq/42/smp_affinity_list 3
}

dry_run_changes_nothing() {
	local before
	tree "$T" nodes=2 cores=4
	port eth0 0000:3b:00.0 queues=4
	before=$(tree_state)
	txgbe affinity --dry-run local
	rc 0
	says "4 queues, node 0, mode local"
	is "$(tree_state)" "$before" tree
}

dry_run_is_the_plan_that_is_applied() {
	local planned
	tree "$T" nodes=2 cores=4 smt=1
	port eth0 0000:3b:00.0 queues=4 node=1
	txgbe affinity -n local
	planned=$(awk '$1 ~ /^[0-9]+$/ { printf "%s%s", s, $3; s = " " }' <<<"$OUT")
	txgbe affinity local
	is "$(placed 40 4)" "$planned"
}

undo_is_exact() {
	local before mode
	for mode in local all remote one "one 3" "custom 6,1,2"; do
		tree "$T" nodes=2 cores=4 smt=1
		port eth0 0000:3b:00.0 queues=4 node=1 first_irq=40
		port eth1 0000:3b:00.1 queues=4 node=1 first_irq=60
		put_file proc/irq/41/smp_affinity_list 0,5-7
		put_file proc/irq/62/smp_affinity_list 2
		put_file sys/class/net/eth0/queues/tx-1/xps_cpus 0000
		before=$(tree_state)
		# shellcheck disable=SC2086 # words
		txgbe affinity $mode
		rc 0
		[ "$(tree_state)" != "$before" ] || fail "$mode changed nothing"
		txgbe affinity local
		txgbe affinity --undo
		rc 0
		is "$(tree_state)" "$before" "the tree after undo of $mode"
	done
}

undo_of_one_port_leaves_the_other() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	port eth1 0000:3b:00.1 queues=2 first_irq=60
	txgbe affinity local
	txgbe affinity --undo eth0
	is "$(placed 40 2) $(placed 60 2)" "0-3 0-3 2 3"
}

undo_follows_vectors_with_new_numbers() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	put_file proc/irq/41/smp_affinity_list 2
	txgbe affinity local
	# As after ethtool -L.
	rm -r "$T"/sys/class/net/eth0/device/msi_irqs
	sed -i '/eth0/d' "$T/proc/interrupts"
	port eth0 0000:3b:00.0 queues=2 first_irq=70
	put_file proc/irq/71/smp_affinity_list 1
	txgbe affinity --undo
	rc 0
	is "$(placed 70 2)" "0-3 2"
}

undo_twice_says_so() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	txgbe affinity --undo
	txgbe affinity --undo
	rc 0
	says "nothing to undo"
}

failure_puts_everything_back() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=4
	rm "$T/proc/irq/42/smp_affinity_list"
	# Writing ends in an error there, as with kernel-managed interrupts.
	ln -s /proc/version "$T/proc/irq/42/smp_affinity_list"
	before=$(tree_state)
	txgbe affinity local
	rc 1
	says "IRQ 42"
	says "put back"
	is "$(tree_state)" "$before" tree
}

other_drivers_are_refused_by_name() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	port enp5s0 0000:05:00.0 queues=2 driver=ixgbe first_irq=60
	before=$(tree_state)
	txgbe affinity local enp5s0
	rc 1
	says "enp5s0: its driver is ixgbe, not txgbe; left alone"
	txgbe affinity local eth0 enp5s0
	rc 1
	txgbe affinity local nosuch0
	rc 1
	txgbe affinity local ../../etc
	rc 1
	is "$(tree_state)" "$before" tree
	txgbe affinity local
	rc 0
	is "$(placed 60 2)" "0-3 0-3" "the other driver's interrupts"
}

no_port_of_ours_is_explained() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 driver=ice
	txgbe affinity local
	rc 1
	says "no port with the driver txgbe"
}

port_that_is_down_is_named() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2 up=0
	txgbe affinity local eth0
	rc 1
	says "ip link set eth0 up"
}

renamed_interface_is_found() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2
	sed -i 's/eth0-/old7-/' "$T/proc/interrupts"
	txgbe affinity local
	is "$(placed 40 2)" "0 1"
}

single_vector_port_is_placed() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=1 kind=msi
	rm "$T/sys/class/net/eth0/queues/tx-0/xps_cpus"
	txgbe affinity custom 2
	rc 0
	is "$(placed 40 1)" 2
}

line_interrupt_is_found() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=1 up=0
	rm -r "$T/sys/class/net/eth0/device/msi_irqs"
	put_file sys/class/net/eth0/device/irq 16
	put_file proc/irq/16/smp_affinity_list 0-3
	echo "  16:   0  0  0  0  IO-APIC  16-fasteoi   ehci_hcd:usb1, eth0-TxRx-0" >>"$T/proc/interrupts"
	txgbe affinity custom 1
	rc 0
	file_is proc/irq/16/smp_affinity_list 1
}

managed_vectors_are_left_alone_and_named() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	put_file sys/kernel/debug/irq/irqs/40 "dstate: 0x1" "            IRQD_AFFINITY_MANAGED"
	txgbe affinity custom 3
	rc 0
	says "1 vectors are kernel-managed"
	is "$(placed 40 2)" "0-3 3"
}

irqbalance_is_respected() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	process 812 irqbalance
	before=$(tree_state)
	txgbe affinity local
	rc 4
	says "irqbalance is running"
	says "--irqbalance=ban"
	is "$(tree_state)" "$before" tree
	txgbe affinity --irqbalance=ignore local
	rc 0
	is "$(placed 40 2)" "0 1"
}

irqbalance_ban_and_its_undo_are_exact() {
	local before file text
	for file in etc/sysconfig/irqbalance etc/default/irqbalance; do
		for text in '# a comment' 'IRQBALANCE_ARGS="--deepestcache=2"' 'IRQBALANCE_ARGS=' 'IRQBALANCE_ARGS=-j'; do
			tree "$T" nodes=1 cores=4
			port eth0 0000:3b:00.0 queues=2
			process 812 irqbalance
			put_file $file "$text" OTHER=1
			before=$(tree_state)
			txgbe affinity --irqbalance=ban local
			rc 0
			grep -q "^IRQBALANCE_ARGS=\"--policyscript=.*txgbe-irqbalance-policy.*\"\$" "$T/$file"
			grep -q '^OTHER=1$' "$T/$file"
			[[ $text != *deepest* ]] || grep -q deepestcache=2 "$T/$file"
			# A shell must be able to read it.
			bash -eu "$T/$file"
			grep -q 'restart irqbalance' "$T/run/systemctl.log"
			txgbe affinity local
			rc 0
			txgbe affinity --undo
			is "$(tree_state)" "$before" "tree with $file $text"
		done
	done
}

irqbalance_policy_bans_only_ours() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0
	port eth1 0000:05:00.0 driver=ixgbe
	is "$("$SCRIPTS/lib/txgbe-irqbalance-policy" "$T/sys/bus/pci/devices/0000:3b:00.0" 40)" "ban=true"
	is "$("$SCRIPTS/lib/txgbe-irqbalance-policy" "$T/sys/bus/pci/devices/0000:05:00.0" 60)" ""
}

persist_stores_and_undo_forgets() {
	local before
	tree "$T" nodes=2 cores=4
	port eth0 0000:3b:00.0 queues=2 node=1
	before=$(tree_state)
	txgbe affinity --persist custom 5,7 eth0
	rc 0
	[ -e "$T/etc/systemd/system/txgbe-affinity@eth0.service" ] || fail "unit is not enabled"
	# As after a reload: new vectors, anywhere.
	put_file proc/irq/40/smp_affinity_list 0-7
	put_file proc/irq/41/smp_affinity_list 3
	txgbe affinity --boot eth0
	rc 0
	is "$(placed 40 2)" "5 7"
	txgbe affinity --undo
	rc 0
	is "$(tree_state)" "$before" tree
}

persist_for_a_port_that_is_down() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2 up=0
	txgbe affinity --persist local
	rc 0
	says "eth0 is down"
	grep -q MODE=local "$T/etc/txgbe/txgbe-affinity/eth0"
}

boot_without_a_stored_choice_is_an_error() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0
	txgbe affinity --boot eth0
	rc 1
	says "nothing is stored"
}

dry_run_of_undo_changes_placement_of_nothing() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	process 812 irqbalance
	txgbe affinity --persist --irqbalance=ban local
	before=$(tree_state)
	txgbe affinity -n --undo
	rc 0
	says "would no longer be applied at boot"
	says "irq 1 41 0-3"
	is "$(tree_state)" "$before" tree
}

undo_without_the_driver_leaves_nothing() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	process 812 irqbalance
	put_file etc/sysconfig/irqbalance '# a comment'
	before=$(cd "$T" && find etc var | sort)
	txgbe affinity --persist --irqbalance=ban local
	rc 0
	rm -r "$T/sys/class/net/eth0" "$T/sys/devices/pci0000:00/0000:00:01.0/0000:3b:00.0"
	txgbe affinity --undo
	rc 0
	says "eth0: no longer applied at boot"
	is "$(cd "$T" && find etc var | sort)" "$before" "what undo leaves"
	file_is etc/sysconfig/irqbalance '# a comment'
}

undo_takes_back_queues_that_came_later() {
	local before
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	txgbe affinity local
	# As after ethtool -L eth0 combined 4.
	sed -i '/eth0/d' "$T/proc/interrupts"
	mkdir -p "$T/run/kept"
	cp -a "$T"/proc/irq/4[01] "$T/run/kept"
	port eth0 0000:3b:00.0 queues=4
	cp -a "$T"/run/kept/* "$T/proc/irq"
	put_file proc/irq/43/smp_affinity_list 1
	txgbe affinity local
	rc 0
	is "$(placed 40 4)" "0 1 2 3"
	txgbe affinity --undo
	rc 0
	is "$(placed 40 4)" "0-3 0-3 0-3 1"
	is "$(xps eth0 3)" f
}

undo_after_a_reload_leaves_what_was_placed_since() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=2
	put_file proc/sys/kernel/random/boot_id aaaa-1
	put_file proc/irq/41/smp_affinity_list 3
	txgbe affinity local
	# Rebooted; the administrator has placed one by hand.
	put_file proc/sys/kernel/random/boot_id bbbb-2
	put_file proc/irq/40/smp_affinity_list 2
	put_file proc/irq/41/smp_affinity_list 0-3
	txgbe affinity all
	txgbe affinity --undo
	rc 0
	is "$(placed 40 2)" "2 0-3"
	txgbe affinity local
	put_file proc/sys/kernel/random/boot_id cccc-3
	put_file proc/irq/41/smp_affinity_list 0-3
	txgbe affinity --undo
	rc 0
	says "nothing to undo"
	is "$(placed 41 1)" 0-3
	[ ! -e "$T/var/lib/txgbe" ]
}

failure_at_the_second_port_puts_back_the_first() {
	local before
	tree "$T" nodes=2 cores=4
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	port eth1 0000:3b:00.1 queues=2 first_irq=60
	process 812 irqbalance
	put_file etc/sysconfig/irqbalance '# a comment'
	rm "$T/proc/irq/61/smp_affinity_list"
	ln -s /proc/version "$T/proc/irq/61/smp_affinity_list"
	before=$(tree_state)
	txgbe affinity --persist --irqbalance=ban local
	rc 1
	says "eth1: IRQ 61"
	says "everything was put back"
	is "$(tree_state)" "$before" "the tree after a refused interrupt"
	rm "$T/proc/irq/61/smp_affinity_list"
	put_file proc/irq/61/smp_affinity_list 0-7
	put_file run/systemctl-refuses txgbe-affinity@eth1.service
	before=$(tree_state)
	txgbe affinity --persist --irqbalance=ban local
	rc 1
	says "everything was put back"
	is "$(tree_state)" "$before" "the tree after a refused unit"
	rm "$T/run/systemctl-refuses"
	# Node 1 has no CPU for the second port.
	put_file sys/class/net/eth1/device/numa_node 1
	put_file sys/devices/system/cpu/isolated 4-7
	before=$(tree_state)
	txgbe affinity --irqbalance=ban local
	rc 1
	is "$(tree_state)" "$before" "the tree after a plan that is not possible"
}

irqbalance_that_was_edited_keeps_the_edit() {
	local text
	for text in '# a comment' 'IRQBALANCE_ARGS="--deepestcache=2"' ''; do
		tree "$T" nodes=1 cores=4
		port eth0 0000:3b:00.0 queues=2
		process 812 irqbalance
		[ -z "$text" ] || put_file etc/sysconfig/irqbalance "$text"
		txgbe affinity --irqbalance=ban local
		rc 0
		echo OTHER=2 >>"$T/etc/sysconfig/irqbalance"
		txgbe affinity --undo
		rc 0
		says "edited"
		grep -qx OTHER=2 "$T/etc/sysconfig/irqbalance"
		! grep policyscript "$T/etc/sysconfig/irqbalance" || fail "our option is left"
		[ -z "$text" ] || grep -qF -- "${text%\"}" "$T/etc/sysconfig/irqbalance"
		[ ! -e "$T/var/lib/txgbe" ] || fail "something is left in /var/lib/txgbe"
	done
}

show_names_remote_vectors() {
	tree "$T" nodes=2 cores=2
	port eth0 0000:3b:00.0 queues=2 node=1
	txgbe affinity custom 0,3
	txgbe affinity show
	rc 0
	[ "$(grep -c remote <<<"$OUT")" = 1 ] || fail "$OUT"
}

wrong_usage_is_status_2() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0
	txgbe affinity
	rc 2
	txgbe affinity sideways
	rc 2
	says "sideways"
	txgbe affinity --nosuch local
	rc 2
	txgbe affinity --irqbalance=maybe local
	rc 2
	txgbe affinity custom
	rc 2
	txgbe affinity --help
	rc 0
	says "Examples"
}

for name in one_node_one_queue_per_core smt_siblings_stay_free smt_siblings_with_neighbouring_numbers_stay_free \
	more_queues_than_cores_take_turns smt_option_uses_siblings_last ports_of_a_card_get_disjoint_cores \
	disjoint_also_when_named_one_by_one disjoint_halves_when_cores_are_few \
	two_cards_of_a_node_are_apart_while_cores_last one_cpu_and_two_ports_share_only_then \
	local_means_the_adapters_node remote_goes_to_the_nearest_other_node all_goes_from_near_to_far \
	remote_on_one_node_is_refused unknown_node_makes_every_cpu_local isolated_cpus_are_left_out \
	nohz_full_cpus_are_left_out isolcpus_of_the_command_line_is_understood \
	thread_beside_an_isolated_one_is_avoided all_isolated_is_explained custom_list_in_its_order \
	custom_list_names_isolated_and_siblings bad_lists_are_refused offline_cpus_are_not_used \
	one_gives_each_port_of_a_card_a_cpu every_cpu_has_a_transmit_queue masks_above_32_cpus_have_groups \
	misc_vector_goes_with_the_first_queue dry_run_changes_nothing dry_run_is_the_plan_that_is_applied \
	undo_is_exact undo_of_one_port_leaves_the_other undo_follows_vectors_with_new_numbers undo_twice_says_so \
	failure_puts_everything_back other_drivers_are_refused_by_name no_port_of_ours_is_explained \
	port_that_is_down_is_named renamed_interface_is_found single_vector_port_is_placed line_interrupt_is_found \
	managed_vectors_are_left_alone_and_named irqbalance_is_respected irqbalance_ban_and_its_undo_are_exact \
	irqbalance_policy_bans_only_ours persist_stores_and_undo_forgets persist_for_a_port_that_is_down \
	boot_without_a_stored_choice_is_an_error dry_run_of_undo_changes_placement_of_nothing \
	undo_without_the_driver_leaves_nothing undo_takes_back_queues_that_came_later \
	undo_after_a_reload_leaves_what_was_placed_since failure_at_the_second_port_puts_back_the_first \
	irqbalance_that_was_edited_keeps_the_edit show_names_remote_vectors wrong_usage_is_status_2; do
	fact $name
done

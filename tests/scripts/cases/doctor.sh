# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# txgbe-doctor: a healthy machine has no fault; each thing that is broken has a name and a command.

healthy() {
	tree "$T" nodes=2 cores=4 "$@"
	port eth0 0000:3b:00.0 queues=4 node=0 first_irq=40
	port eth1 0000:3b:00.1 queues=4 node=0 first_irq=60
	ethtool_state eth0
	ethtool_state eth1
	mkdir -p "$T/sys/module/txgbe" "$T/modinfo"
	put_file sys/module/txgbe/taint OE
	put_file sys/module/txgbe/srcversion AAAA
	put_file modinfo/filename /lib/modules/6.6.1/updates/txgbe.ko
	put_file sys/module/txgbe/version 2026.11.0
	put_file modinfo/srcversion AAAA
	put_file modinfo/description "Wangxun Amber-Lite FF5010/FF5025/FF5040 Ethernet driver"
	for i in 0 1 2 3; do
		put_file proc/irq/$((40 + i))/smp_affinity_list $((i / 2))
		put_file proc/irq/$((60 + i))/smp_affinity_list $((2 + i / 2))
	done
	put_file ethtool/eth0/fec "FEC parameters for eth0:" "Configured FEC encodings: Auto" "Active FEC encoding: RS"
}

# has STATE NAME: the finding is there, in that state, and a fault has a command.
has() {
	grep -qE "^$1 +[^ ]+ +$2 " <<<"$OUT" || fail "no $1 $2 in: $OUT"
	[ "$1" != FAULT ] || grep -A1 -E "^$1 +[^ ]+ +$2 " <<<"$OUT" | grep -q -- '->' || fail "$2 has no command"
}
has_no() { ! grep -qE " $1 " <<<"$OUT" || fail "there is $1: $OUT"; }

healthy_machine_has_no_fault() {
	local before
	healthy
	before=$(tree_state)
	txgbe doctor --all
	rc 0
	has OK pcie
	has OK irq-local
	has OK module
	has OK drops
	has OK fec
	says "0 faults"
	is "$(tree_state)" "$before" tree
}

json_is_json() {
	healthy
	put_file sys/class/net/eth0/carrier 0
	put_file ethtool/eth0/link '	Link detected: no (No cable, "really")'
	txgbe doctor --json --interval 0
	rc 1
	python3 - "$WORK/out" <<-'END'
		import json, sys
		d = json.load(open(sys.argv[1]))
		f = [x for x in d["findings"] if x["name"] == "link-down"]
		assert len(f) == 1 and f[0]["state"] == "fault" and f[0]["subject"] == "eth0" and f[0]["fix"], f
		assert '(' not in f[0]["text"] and '"really"' in f[0]["text"], f
		assert d["fault"] == sum(x["state"] == "fault" for x in d["findings"]) >= 1
	END
}

remote_interrupts_are_a_fault_on_every_topology() {
	local n
	for n in 2 4 8; do
		tree "$T" nodes=$n cores=2
		port eth0 0000:3b:00.0 queues=2 node=$((n - 1))
		ethtool_state eth0
		put_file proc/irq/40/smp_affinity_list 0
		put_file proc/irq/41/smp_affinity_list $((n * 2 - 1))
		txgbe doctor --only irq eth0
		rc 1
		has FAULT irq-remote
		says "40 (queue 0, CPUs 0)"
		says_not "41 (queue"
		says "txgbe-affinity local eth0"
	done
}

affinity_local_mends_what_doctor_names() {
	tree "$T" nodes=4 cores=4 smt=1
	port eth0 0000:3b:00.0 queues=4 node=2 first_irq=40
	port eth1 0000:3b:00.1 queues=4 node=2 first_irq=60
	ethtool_state eth0
	ethtool_state eth1
	txgbe doctor --only irq eth0 eth1
	rc 1
	txgbe affinity local
	txgbe doctor --only irq eth0 eth1
	has_no irq-remote
	has_no irq-siblings
	rc 0
}

effective_affinity_counts() {
	healthy
	put_file proc/irq/40/smp_affinity_list 0-7
	put_file proc/irq/40/effective_affinity_list 2
	txgbe doctor --only irq eth0
	rc 0
	put_file proc/irq/40/effective_affinity_list 6
	txgbe doctor --only irq eth0
	rc 1
	has FAULT irq-remote
}

affinity_that_waits_for_its_interrupt_is_no_fault() {
	healthy
	# Set to CPU 1; until the next interrupt the old CPU is shown as the effective one.
	put_file proc/irq/40/smp_affinity_list 1
	put_file proc/irq/40/effective_affinity_list 6
	txgbe doctor --only irq eth0
	rc 0
	has_no irq-remote
}

what_affinity_local_cannot_mend_is_no_fault() {
	local i
	tree "$T" nodes=2 cores=2
	port eth0 0000:3b:00.0 queues=4 node=1 first_irq=40
	port eth1 0000:3b:00.1 queues=4 node=1 first_irq=60
	ethtool_state eth0
	ethtool_state eth1
	# The driver's own placement: the node's CPUs first, then the others.
	for i in 0 1 2 3; do
		put_file proc/irq/$((40 + i))/smp_affinity_list $(((i + 2) % 4))
		put_file proc/irq/$((60 + i))/smp_affinity_list $(((i + 2) % 4))
	done
	txgbe doctor --only irq eth0 eth1
	rc 0
	has WARN irq-remote
	txgbe affinity local
	txgbe doctor --only irq eth0 eth1
	rc 0
	has_no irq-remote
	has_no irq-one-cpu
	has INFO irq-few-cores
}

one_cpu_for_all_is_a_fault() {
	local i
	healthy
	for i in 40 41 42 43; do put_file proc/irq/$i/smp_affinity_list 1; done
	txgbe doctor --only irq eth0
	rc 1
	has FAULT irq-one-cpu
}

siblings_are_a_warning() {
	local i
	tree "$T" nodes=1 cores=4 smt=1
	port eth0 0000:3b:00.0 queues=4
	for i in 0 1; do
		put_file proc/irq/$((40 + i))/smp_affinity_list $i
		put_file proc/irq/$((42 + i))/smp_affinity_list $((4 + i))
	done
	txgbe doctor --only irq eth0
	has WARN irq-siblings
}

interrupts_on_isolated_cpus_are_a_warning() {
	healthy isolated=1
	txgbe doctor --only irq eth0
	has WARN irq-isolated
}

single_msi_vector_is_a_fault() {
	tree "$T" nodes=1 cores=4
	port eth0 0000:3b:00.0 queues=1 kind=msi
	txgbe doctor --only irq eth0
	rc 1
	has FAULT irq-no-msix
}

few_vectors_are_named() {
	tree "$T" nodes=1 cores=8
	port eth0 0000:3b:00.0 queues=2
	put_file proc/irq/40/smp_affinity_list 0
	put_file proc/irq/41/smp_affinity_list 1
	txgbe doctor --only irq eth0
	rc 0
	has INFO irq-few
}

irqbalance_is_a_warning_unless_configured() {
	healthy
	process 900 irqbalance
	txgbe doctor --only irq
	has WARN irqbalance
	put_file etc/sysconfig/irqbalance 'IRQBALANCE_ARGS="--policyscript=/usr/lib/txgbe/txgbe-irqbalance-policy"'
	txgbe doctor --all --only irq
	has OK irqbalance
}

unknown_node_is_a_warning() {
	tree "$T" nodes=2 cores=2
	port eth0 0000:3b:00.0 node=-1
	txgbe doctor --only numa eth0
	has WARN numa-unknown
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 node=-1
	txgbe doctor --only numa eth0
	has_no numa-unknown
}

node_without_memory_is_a_fault() {
	healthy
	put_file sys/devices/system/node/node0/meminfo "Node 0 MemTotal:              0 kB"
	txgbe doctor --only numa eth0
	has FAULT numa-no-memory
}

narrow_slot_costs_a_named_rate() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 width=4
	port eth1 0000:3b:00.1 width=4 first_irq=60
	put_file sys/devices/pci0000:00/0000:00:01.0/max_link_width 4
	txgbe doctor --only pcie eth0
	rc 1
	has FAULT pcie-slot
	# 8 GT/s, 4 lanes, payload 256: 31.5 Gb/s raw, 27.3 of data; two ports of 25.
	says "27.3 Gb/s for 50.0 Gb/s of ports, costs 22.6 Gb/s"
}

trained_down_link_is_told_from_a_narrow_slot() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 width=2
	txgbe doctor --only pcie eth0
	rc 1
	has FAULT pcie-trained-down
}

one_port_needs_less() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 width=4
	txgbe doctor --only pcie eth0
	rc 0
	has WARN pcie-below-max
}

slow_generation_is_counted_with_its_code() {
	tree "$T" nodes=1 cores=2
	# 5 GT/s has 8b/10b: 8 lanes carry 32 Gb/s raw.
	port eth0 0000:3b:00.0 gts='5.0 GT/s PCIe' maxgts='8.0 GT/s PCIe' device=0x5040
	txgbe doctor --only pcie eth0
	rc 1
	says "about 27.7 Gb/s for 40.0 Gb/s of ports"
}

small_payload_is_a_fault_when_it_costs() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 payload=0 first_irq=40
	port eth1 0000:3b:00.1 payload=0 first_irq=60
	txgbe doctor --all --only pcie eth0
	# 63 Gb/s raw: what is left with 128 bytes is still enough for two ports of 25 Gb/s.
	rc 0
	says "payload 128: about 50.4 Gb/s"
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 payload=0 device=0x5040 width=12 maxwidth=12 first_irq=40
	port eth1 0000:3b:00.1 payload=0 device=0x5040 width=12 maxwidth=12 first_irq=60
	txgbe doctor --only pcie eth0
	rc 1
	has FAULT pcie-payload
	says "payload 128: about 75.6 Gb/s, costs 4.3 Gb/s; the card supports payload 512"
}

aer_errors_are_named() {
	healthy
	put_file sys/class/net/eth0/device/aer_dev_correctable "RxErr 3" "TOTAL_ERR_COR 3"
	put_file sys/class/net/eth0/device/aer_dev_fatal "TOTAL_ERR_FATAL 1"
	txgbe doctor --only pcie eth0
	rc 1
	has WARN pcie-aer-correctable
	has FAULT pcie-aer-fatal
}

link_states_are_told_apart() {
	healthy
	put_file sys/class/net/eth0/flags 0x1002
	txgbe doctor --only link eth0
	rc 0
	has INFO link-admin-down
	put_file sys/class/net/eth0/flags 0x1003
	put_file sys/class/net/eth0/carrier 0
	txgbe doctor --only link eth0
	rc 1
	has FAULT link-down
	put_file sys/class/net/eth0/carrier 1
	put_file sys/class/net/eth0/speed 10000
	txgbe doctor --only link eth0
	rc 0
	has WARN link-slow
	put_file sys/class/net/eth0/speed -1
	txgbe doctor --only link eth0
	rc 1
	has FAULT link-speed-unknown
	put_file sys/class/net/eth0/speed 25000
	put_file sys/class/net/eth0/carrier_down_count 7
	txgbe doctor --only link eth0
	has WARN link-flaps
}

missing_fec_with_errors_is_a_fault() {
	healthy
	put_file ethtool/eth0/fec "Configured FEC encodings: Off" "Active FEC encoding: Off"
	txgbe doctor --only fec eth0
	rc 0
	has INFO fec-off
	put_file sys/class/net/eth0/statistics/rx_crc_errors 12
	txgbe doctor --only fec eth0
	rc 1
	has FAULT fec-off
}

module_alarm_is_a_fault() {
	healthy
	put_file ethtool/eth0/m "	Vendor name                               : ACME" "	Vendor PN                                 : SR25" \
		"	Module temperature                        : 85.00 degrees C / 185.00 degrees F" \
		"	Laser bias current high alarm             : Off" "	Module temperature high alarm             : On"
	txgbe doctor --only optics eth0
	rc 1
	has FAULT optics-alarm
	says "Module temperature high alarm"
	says_not "bias"
}

growing_drops_are_a_fault_old_ones_a_warning() {
	healthy
	put_file sys/class/net/eth0/statistics/rx_missed_errors 500
	txgbe doctor --only ring,drops eth0
	rc 0
	has WARN drops-missed
	put_file run/on-sleep "echo 700 >\$TXGBE_SYSROOT/sys/class/net/eth0/statistics/rx_missed_errors"
	txgbe doctor --only ring,drops eth0
	rc 1
	has FAULT drops-missed
	says "200 in 2 s"
	says "ethtool -G eth0 rx 2048"
}

each_drop_has_its_name() {
	local key name
	healthy
	while read -r key name; do
		healthy
		put_file run/on-sleep "echo 9 >\$TXGBE_SYSROOT/sys/class/net/eth0/statistics/$key"
		txgbe doctor --only drops eth0
		rc 1
		has FAULT "$name"
	done <<-'END'
		rx_crc_errors drops-crc
		tx_dropped drops-tx
		rx_dropped drops-stack
	END
	healthy
	put_file run/on-sleep "echo rx_queue_0_no_skb=4 >>\$TXGBE_SYSROOT/ethtool/eth0/stats"
	txgbe doctor --only drops eth0
	rc 1
	has FAULT drops-memory
	# A page that was not to be had has lost no frame yet.
	healthy
	put_file run/on-sleep "echo rx_queue_0_no_page=4 >>\$TXGBE_SYSROOT/ethtool/eth0/stats"
	txgbe doctor --only drops eth0
	rc 0
	has_no drops-memory
	healthy
	put_file proc/net/softnet_stat "00000100 0000000a 00000002" "00000100 00000001 00000000"
	txgbe doctor --only drops --interval 0 eth0
	has WARN drops-backlog
	says "11 in all"
}

module_origin_is_told() {
	healthy
	mkdir -p "$T/sys/module/libwx"
	put_file sys/module/txgbe/taint ""
	txgbe doctor --only module
	rc 1
	has FAULT module-wrong
	put_file modinfo/filename /lib/modules/6.6.1/kernel/drivers/net/ethernet/wangxun/txgbe/txgbe.ko
	put_file modinfo/description "WangXun(R) 10/25/40 Gigabit PCI Express Network Driver"
	txgbe doctor --only module
	has FAULT module-intree
	rm -r "$T/sys/module/libwx"
	put_file sys/module/txgbe/taint OE
	put_file modinfo/srcversion KKKK
	txgbe doctor --only module
	has FAULT module-not-next
	healthy
	put_file modinfo/srcversion BBBB
	txgbe doctor --only module
	has FAULT module-stale
	rm -r "$T/sys/module/txgbe"
	txgbe doctor --only module
	has FAULT module-missing
}

# Some kernels bring a txgbe that needs no libwx.
kernels_module_without_libwx_is_told() {
	healthy
	put_file sys/module/txgbe/taint ""
	put_file sys/module/txgbe/version 1.3.5
	put_file sys/module/txgbe/srcversion KKKK
	txgbe doctor --only module
	rc 1
	has FAULT module-wrong
	put_file modinfo/srcversion KKKK
	put_file modinfo/description "10 Gigabit PCI Express Network Driver"
	put_file modinfo/filename /lib/modules/6.6.1/kernel/drivers/net/ethernet/wangxun/txgbe/txgbe.ko
	txgbe doctor --only module
	rc 1
	has FAULT module-intree
}

module_of_another_maker_is_told() {
	healthy
	# From outside the kernel as well, and loaded from the file that is installed.
	put_file sys/module/txgbe/version 1.3.5
	put_file modinfo/description "10 Gigabit PCI Express Network Driver"
	txgbe doctor --only module
	rc 1
	has FAULT module-foreign
	# Ours was installed since, but not loaded.
	healthy
	put_file sys/module/txgbe/version 1.3.5
	put_file sys/module/txgbe/srcversion VVVV
	txgbe doctor --only module
	rc 1
	has FAULT module-wrong
	# An older one of ours is no other maker's.
	put_file sys/module/txgbe/version 2026.9.2
	txgbe doctor --only module
	has FAULT module-stale
}

cards_without_our_driver_are_named() {
	local d
	healthy
	for d in 0000:60:00.0/0x5040 0000:61:00.0/0x1001 0000:62:00.0/0x5025; do
		put_file "sys/bus/pci/devices/${d%/*}/vendor" 0x8088
		put_file "sys/bus/pci/devices/${d%/*}/device" "${d#*/}"
	done
	mkdir -p "$T/sys/bus/pci/drivers/vfio-pci"
	ln -s ../../drivers/vfio-pci "$T/sys/bus/pci/devices/0000:62:00.0/driver"
	txgbe doctor --only module
	rc 1
	has FAULT port-unbound
	has FAULT sp1000-unserved
	has INFO port-given-away
}

doctor_refuses_other_drivers() {
	healthy
	port enp5s0 0000:05:00.0 driver=ixgbe first_irq=80
	txgbe doctor enp5s0
	rc 1
	says "its driver is ixgbe"
	txgbe doctor --interval 0
	says_not enp5s0
}

doctor_usage() {
	healthy
	txgbe doctor --only nosuch
	rc 2
	txgbe doctor --interval soon
	rc 2
	txgbe doctor --help
	rc 0
	says Examples
}

for name in healthy_machine_has_no_fault json_is_json remote_interrupts_are_a_fault_on_every_topology \
	affinity_local_mends_what_doctor_names effective_affinity_counts \
	affinity_that_waits_for_its_interrupt_is_no_fault what_affinity_local_cannot_mend_is_no_fault one_cpu_for_all_is_a_fault siblings_are_a_warning \
	interrupts_on_isolated_cpus_are_a_warning single_msi_vector_is_a_fault few_vectors_are_named \
	irqbalance_is_a_warning_unless_configured unknown_node_is_a_warning node_without_memory_is_a_fault \
	narrow_slot_costs_a_named_rate trained_down_link_is_told_from_a_narrow_slot one_port_needs_less \
	slow_generation_is_counted_with_its_code small_payload_is_a_fault_when_it_costs aer_errors_are_named \
	link_states_are_told_apart missing_fec_with_errors_is_a_fault module_alarm_is_a_fault \
	growing_drops_are_a_fault_old_ones_a_warning each_drop_has_its_name module_origin_is_told \
	kernels_module_without_libwx_is_told module_of_another_maker_is_told \
	cards_without_our_driver_are_named doctor_refuses_other_drivers doctor_usage; do
	fact $name
done

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Made-up /proc and /sys trees. Like those of Linux in shape: interfaces are links into the PCI tree, masks have the
# kernel's form, lists too.
#
#	tree DIR nodes=2 cores=4 smt=1 [numbering=far|near] [isolated=LIST] [offline=LIST]
#	port IF PCI [driver=txgbe] [node=0] [queues=8] [up=1] [device=0x5025] [first_irq=40] [kind=msix]

# Forks are what costs time here: directories are made in one go.
put_file() {	# put_file FILE LINE...: relative to T
	[ -d "$T/${1%/*}" ] || mkdir -p "$T/${1%/*}"
	printf '%s\n' "${@:2}" >"$T/$1"
}

compact() {	# compact NUMBER...: R = 0-2,5
	local n i first=-1 last=-1
	local -A there=()
	R=
	for n; do there[$n]=1; done
	for ((i = 0; i <= 1024; i++)); do
		if [ -n "${there[$i]:-}" ]; then
			[ $first -ge 0 ] || first=$i
			last=$i
		elif [ $first -ge 0 ]; then
			R+=${R:+,}$first
			[ "$first" = "$last" ] || R+=-$last
			first=-1
		fi
	done
}

expand() {	# expand LIST: R = " 0 1 2 5 "
	local part i
	R=' '
	for part in ${1//,/ }; do
		for ((i = ${part%-*}; i <= ${part#*-}; i++)); do R+="$i "; done
	done
}

tree() {
	local nodes=1 cores=4 smt=0 numbering=far isolated='' offline='' nohz='' cmdline='root=/dev/sda1'
	local n c t cpu total width i sibs row off list all='' head='' zero=''
	local -a dirs=() sibling=() cpulist=()
	T=$1
	shift
	local "$@"
	total=$((nodes * cores))
	width=$((total * (smt + 1)))
	NR_CPUS=$width
	expand "$offline"
	off=$R
	for ((n = 0; n < nodes; n++)); do
		list=''
		for ((c = 0; c < cores; c++)); do
			sibs=''
			for ((t = 0; t <= smt; t++)); do
				if [ "$numbering" = near ]; then
					cpu=$(((n * cores + c) * (smt + 1) + t))
				else
					cpu=$((t * total + n * cores + c))
				fi
				[[ $off == *" $cpu "* ]] || sibs+=" $cpu"
			done
			for cpu in $sibs; do
				dirs+=("$T/sys/devices/system/cpu/cpu$cpu/topology")
				i=${sibs# }
				sibling[cpu]=${i// /,}
			done
			list+=$sibs
		done
		# shellcheck disable=SC2086 # numbers
		compact $list
		cpulist[n]=$R
		all+=$list
		dirs+=("$T/sys/devices/system/node/node$n")
	done
	rm -rf "$T"
	mkdir -p "${dirs[@]}" "$T/sys/class/net" "$T/sys/bus/pci/devices" "$T/sys/bus/pci/drivers" "$T/etc" "$T/var/lib" \
		"$T/run" "$T/proc/1" "$T/proc/irq" "$T/proc/net" "$T/sys/devices/pci0000:00/0000:00:01.0"
	for cpu in "${!sibling[@]}"; do
		put_file "sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list" "${sibling[cpu]}"
	done
	for ((n = 0; n < nodes; n++)); do
		put_file "sys/devices/system/node/node$n/cpulist" "${cpulist[n]}"
		row=''
		# A ring of nodes: 1 step 20, 2 steps 30, ...
		for ((i = 0; i < nodes; i++)); do
			c=$(((i - n + nodes) % nodes))
			[ $c -le $((nodes - c)) ] || c=$((nodes - c))
			row+="${row:+ }$((10 + 10 * c))"
		done
		put_file "sys/devices/system/node/node$n/distance" "$row"
		put_file "sys/devices/system/node/node$n/meminfo" "Node $n MemTotal:       16384000 kB" "Node $n MemFree:        8192000 kB"
	done
	# shellcheck disable=SC2086 # numbers
	compact $all
	put_file sys/devices/system/cpu/online "$R"
	put_file sys/devices/system/cpu/possible "0-$((width - 1))"
	put_file sys/devices/system/cpu/isolated "$isolated"
	put_file sys/devices/system/cpu/nohz_full "${nohz:-(null)}"
	put_file proc/cmdline "$cmdline"
	for ((cpu = 0; cpu < width; cpu++)); do
		head+="       CPU$cpu"
		zero+='          0'
	done
	ZEROES=$zero
	put_file proc/interrupts "$head" "   8:$zero  IR-IO-APIC    8-edge      rtc0"
	put_file proc/1/comm systemd
	put_file proc/net/softnet_stat "00000000 00000000 00000000"
	put_file sys/devices/pci0000:00/0000:00:01.0/max_link_width 16
	put_file sys/devices/pci0000:00/0000:00:01.0/max_link_speed '16.0 GT/s PCIe'
}

full_mask() {	# R = all CPUs of the tree
	local w=$NR_CPUS bits hex
	R=''
	while [ "$w" -gt 0 ]; do
		bits=$((w % 32))
		[ $bits -gt 0 ] || bits=32
		printf -v hex '%0*x' $(((bits + 3) / 4)) $(((1 << bits) - 1))
		R+="${R:+,}$hex"
		w=$((w - bits))
	done
}

port() {
	local name=$1 pci=$2 driver=txgbe node=0 queues=8 up=1 device=0x5025 first_irq=40 kind=msix
	local dir q irq mask vec speed=25000 width=8 gts='8.0 GT/s PCIe' maxwidth='' maxgts='' payload=1
	local -a dirs=()
	shift 2
	local "$@"
	dir=sys/devices/pci0000:00/0000:00:01.0/$pci
	for ((q = 0; q <= queues; q++)); do dirs+=("$T/proc/irq/$((first_irq + q))"); done
	for ((q = 0; q < queues; q++)); do dirs+=("$T/$dir/net/$name/queues/rx-$q" "$T/$dir/net/$name/queues/tx-$q"); done
	mkdir -p "$T/$dir/msi_irqs" "$T/$dir/net/$name/statistics" "$T/sys/bus/pci/drivers/$driver" "${dirs[@]}"
	put_file "$dir/numa_node" "$node"
	put_file "$dir/vendor" 0x8088
	put_file "$dir/device" "$device"
	put_file "$dir/class" 0x020000
	put_file "$dir/current_link_speed" "$gts"
	put_file "$dir/current_link_width" "$width"
	put_file "$dir/max_link_speed" "${maxgts:-$gts}"
	put_file "$dir/max_link_width" "${maxwidth:-8}"
	pci_config "$T/$dir/config" "$payload" 2 2
	ln -sfn "../../../../bus/pci/drivers/$driver" "$T/$dir/driver"
	ln -sfn "../../../devices/pci0000:00/0000:00:01.0/$pci" "$T/sys/bus/pci/devices/$pci"
	ln -sfn "../../../$pci" "$T/$dir/net/$name/device"
	ln -sfn "../../devices/pci0000:00/0000:00:01.0/$pci/net/$name" "$T/sys/class/net/$name"
	put_file "$dir/net/$name/flags" $((0x1002 + up))
	put_file "$dir/net/$name/carrier" "$up"
	if [ "$up" = 1 ]; then q=up; else q=down; fi
	put_file "$dir/net/$name/operstate" $q
	put_file "$dir/net/$name/speed" "$speed"
	put_file "$dir/net/$name/duplex" full
	put_file "$dir/net/$name/mtu" 1500
	put_file "$dir/net/$name/tx_queue_len" 1000
	put_file "$dir/net/$name/address" "02:00:00:00:0${name: -1}:0${pci: -1}"
	put_file "$dir/net/$name/napi_defer_hard_irqs" 0
	put_file "$dir/net/$name/gro_flush_timeout" 0
	put_file "$dir/net/$name/carrier_down_count" 0
	put_file "$dir/net/$name/dev_port" "${pci: -1}"
	for q in rx_missed_errors rx_dropped tx_dropped rx_crc_errors rx_errors tx_errors rx_packets tx_packets; do
		put_file "$dir/net/$name/statistics/$q" 0
	done
	full_mask; mask=$R
	for ((q = 0; q < queues; q++)); do put_file "$dir/net/$name/queues/tx-$q/xps_cpus" "$mask"; done
	for ((q = 0; q <= queues; q++)); do
		irq=$((first_irq + q))
		put_file "$dir/msi_irqs/$irq" "$kind"
		put_file "proc/irq/$irq/smp_affinity_list" "0-$((NR_CPUS - 1))"
		[ "$up" = 1 ] || continue
		vec=TxRx-$q
		[ $q -lt "$queues" ] || vec=misc
		printf ' %3d:%s  IR-PCI-MSIX-%s  %3d-edge      %s\n' $irq "$ZEROES" "$pci" $q "$name-$vec" >>"$T/proc/interrupts"
	done
}

# ethtool_state IF: what tests/scripts/bin/ethtool answers for it.
ethtool_state() {
	local dir=ethtool/$1
	mkdir -p "$T/$dir"
	put_file "$dir/ring" rx=512 tx=512
	put_file "$dir/coal" adaptive-rx=off rx-usecs=30
	put_file "$dir/chan" combined=8
	put_file "$dir/pause" rx=off tx=off
	put_file "$dir/feat" generic-receive-offload=on tcp-segmentation-offload=on large-receive-offload=off
	put_file "$dir/hash" udp4=sd udp6=sd
	put_file "$dir/stats" rx_no_desc=0 rx_missed=0 tx_xoff=0
}

# bond BOND MODE SLAVE...: sysfs only.
bond() {
	local name=$1 mode=$2 slave dir=sys/devices/virtual/net/$1
	shift 2
	mkdir -p "$T/$dir/bonding"
	ln -sfn "../../devices/virtual/net/$name" "$T/sys/class/net/$name"
	put_file "$dir/bonding/mode" "$mode"
	put_file "$dir/bonding/slaves" "$*"
	put_file "$dir/bonding/miimon" 0
	put_file "$dir/bonding/xmit_hash_policy" "layer2 0"
	put_file "$dir/mtu" 1500
	for slave; do ln -sfn "$T/sys/class/net/$name" "$T/sys/class/net/$slave/master"; done
}

# A PCI configuration space with a PCI Express capability: payload and read request are codes, 0 for 128 bytes.
pci_config() {	# pci_config FILE PAYLOAD PAYLOAD-SUPPORTED READ-REQUEST
	local devctl=$((($2 << 5) | ($4 << 12))) zero='\0\0\0\0\0\0\0\0\0\0\0\0' lo hi
	printf -v lo '\\x%02x' $((devctl & 255))
	printf -v hi '\\x%02x' $((devctl >> 8))
	# shellcheck disable=SC2059 # escapes
	# 0x34: the list starts at 0x40, power management; PCI Express is at 0x50.
	printf "$zero$zero$zero$zero\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\x01\x50\0\0$zero" >"$1"
	# shellcheck disable=SC2059
	printf "\x10\0\x02\0\x0$3\0\0\0$lo$hi\0\0$zero$zero$zero" >>"$1"
}

process() {	# process PID NAME
	put_file "proc/$1/comm" "$2"
}

# The whole tree as text: names, kinds, contents. Locks and logs are no content.
tree_state() {
	(cd "$T" && {
		find . -path ./run -prune -o -printf '%y %p %l\n'
		find . -path ./run -prune -o -type f -exec cksum {} +
	} | sort)
}

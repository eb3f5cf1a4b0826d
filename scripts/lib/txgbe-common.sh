# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# What the txgbe-* scripts share: reading /proc and /sys, CPU lists, the ports and their vectors, snapshots, persistence.
#
# Everything below /proc, /sys, /etc and /var goes through TXGBE_SYSROOT, so that tests run on made-up trees. A function
# that returns a value leaves it in R (a string) or in the array that its comment names: a subshell for each of 256 CPUs
# would be slow. Works with bash 4.4.

set -u
LC_ALL=C
export LC_ALL

ME=${0##*/}
SYSROOT=${TXGBE_SYSROOT:-}
SYS=$SYSROOT/sys
PROC=$SYSROOT/proc
ETC=$SYSROOT/etc
STATE_DIR=$SYSROOT/var/lib/txgbe	# snapshots for --undo
CONF_DIR=$ETC/txgbe			# what is applied again at boot
DRIVER=txgbe
R=

# ---- messages -------------------------------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "$ME" "$*" >&2; }
die() { warn "$*"; exit 1; }

# A mistake on the command line.
usage_error() {
	warn "$*"
	printf 'Try "%s --help".\n' "$ME" >&2
	exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }

need_root() {
	[ -n "$SYSROOT" ] || [ "$EUID" = 0 ] || die "needs root"
}

json_string() {	# json_string TEXT: R = TEXT quoted for JSON
	local s=$1 i c out=
	s=${s//\\/\\\\}
	s=${s//\"/\\\"}
	s=${s//$'\t'/\\t}
	s=${s//$'\n'/\\n}
	if [[ $s == *[[:cntrl:]]* ]]; then
		for ((i = 0; i < ${#s}; i++)); do
			c=${s:i:1}
			[[ $c == [[:cntrl:]] ]] || out+=$c
		done
		s=$out
	fi
	R="\"$s\""
}

# ---- files ----------------------------------------------------------------------------------------------------------

# get FILE: R = its first line; false and empty when it cannot be read (sysfs refuses some reads).
get() {
	R=
	[ -r "$1" ] || return 1
	{ IFS= read -r R <"$1"; } 2>/dev/null || [ -n "$R" ]
}

# put FILE VALUE: false when the kernel refuses; the reason is in R.
put() {
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null && return 0
	R=$( { printf '%s\n' "$2" >"$1"; } 2>&1) && return 0
	R=${R##*: }
	return 1
}

# put_verified FILE VALUE: writes and reads back.
put_verified() {
	local want=$2
	put "$1" "$want" || return 1
	get "$1" || return 1
	[ "$R" = "$want" ] && return 0
	R="wrote $want, reads back $R"
	return 1
}

# Replaces FILE by standard input, whole or not at all.
install_text() {	# install_text FILE
	mkdir -p "${1%/*}" || return 1
	cat >"$1.new" && mv -f "$1.new" "$1"
}

remove_empty_dirs() {	# remove_empty_dirs DIR...: quietly, those that hold nothing
	local dir
	for dir; do
		rmdir "$dir" 2>/dev/null || :
	done
}

# One change at a time: a second txgbe script waits.
lock() {
	have flock || return 0
	[ -d "$SYSROOT/run" ] && [ -w "$SYSROOT/run" ] || return 0
	exec 9>"$SYSROOT/run/txgbe.lock"
	flock -w 60 9 || die "another txgbe script has been running for 60 s"
}

# ---- lists of numbers -----------------------------------------------------------------------------------------------

# list_expand LIST: LIST_OUT = the numbers of "0-3,8"; false when it is no list.
list_expand() {
	local part lo hi
	LIST_OUT=()
	[ -n "$1" ] || return 0
	[[ $1 =~ ^[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*$ ]] || return 1
	for part in ${1//,/ }; do
		lo=$((10#${part%-*}))
		hi=$((10#${part#*-}))
		[ "$lo" -le "$hi" ] && [ "$hi" -le 8191 ] || return 1
		while [ "$lo" -le "$hi" ]; do
			LIST_OUT+=("$lo")
			lo=$((lo + 1))
		done
	done
}

# list_compact NUMBER...: R = "0-3,8", as the kernel writes it.
list_compact() {
	local n top=-1 first=-1 last=-2
	local -A there=()
	R=
	for n; do
		there[$n]=1
		[ "$n" -le "$top" ] || top=$n
	done
	for ((n = 0; n <= top + 1; n++)); do
		if [ -n "${there[$n]:-}" ]; then
			[ "$first" -ge 0 ] || first=$n
			last=$n
		elif [ "$first" -ge 0 ]; then
			R+=${R:+,}$first
			[ "$first" = "$last" ] || R+=-$last
			first=-1
		fi
	done
}

# mask_of WIDTH CPU...: R = the kernel's hexadecimal mask, WIDTH bits in groups of 32.
mask_of() {
	local width=$1 groups i cpu
	local -a word
	shift
	groups=$(((width + 31) / 32))
	for ((i = 0; i < groups; i++)); do word[i]=0; done
	for cpu; do
		[ "$cpu" -lt "$width" ] && word[cpu / 32]=$((word[cpu / 32] | 1 << (cpu % 32)))
	done
	R=
	for ((i = groups - 1; i >= 0; i--)); do
		if [ "$i" = $((groups - 1)) ] && [ $((width % 32)) -ne 0 ]; then
			printf -v cpu '%0*x' $(((width % 32 + 3) / 4)) "${word[i]}"
		else
			printf -v cpu '%08x' "${word[i]}"
		fi
		R+=${R:+,}$cpu
	done
}

# ---- CPUs and nodes -------------------------------------------------------------------------------------------------

# topology: CPU_ONLINE (list), NODES (list), CPU_NODE[cpu], CPU_CORE[cpu] (lowest online thread of its core),
# CPU_ISOLATED[cpu] (isolcpus= or nohz_full=), CPU_WIDTH (bits of a mask).
topology() {
	local cpu node dir word
	declare -gA CPU_NODE=() CPU_CORE=() CPU_ISOLATED=()
	CPU_ONLINE=()
	NODES=()
	get "$SYS/devices/system/cpu/online" || die "$SYS/devices/system/cpu/online cannot be read"
	list_expand "$R" || die "no list of CPUs: $R"
	CPU_ONLINE=("${LIST_OUT[@]}")
	get "$SYS/devices/system/cpu/possible" || :
	list_expand "$R" || :
	CPU_WIDTH=$((${LIST_OUT[${#LIST_OUT[@]} - 1]:-0} + 1))
	for cpu in "${CPU_ONLINE[@]}"; do
		CPU_NODE[$cpu]=0
		CPU_CORE[$cpu]=$cpu
		[ "$cpu" -lt "$CPU_WIDTH" ] || CPU_WIDTH=$((cpu + 1))
	done
	for dir in "$SYS"/devices/system/node/node[0-9]*; do
		[ -d "$dir" ] || continue
		node=${dir##*/node}
		NODES+=("$node")
		get "$dir/cpulist" || continue
		list_expand "$R" || continue
		for cpu in "${LIST_OUT[@]}"; do
			[ -z "${CPU_NODE[$cpu]:-}" ] || CPU_NODE[$cpu]=$node
		done
	done
	[ ${#NODES[@]} -gt 0 ] || NODES=(0)
	for cpu in "${CPU_ONLINE[@]}"; do
		get "$SYS/devices/system/cpu/cpu$cpu/topology/thread_siblings_list" || continue
		list_expand "$R" || continue
		for word in "${LIST_OUT[@]}"; do
			if [ -n "${CPU_NODE[$word]:-}" ]; then
				CPU_CORE[$cpu]=$word
				break
			fi
		done
	done
	for word in isolated nohz_full; do
		get "$SYS/devices/system/cpu/$word" || continue
		list_expand "$R" || continue	# "(null)": none
		for cpu in "${LIST_OUT[@]}"; do CPU_ISOLATED[$cpu]=1; done
	done
	topology_cmdline
}

# Kernels without those two files: the command line says it.
topology_cmdline() {
	local word list cpu
	get "$PROC/cmdline" || return 0
	for word in $R; do
		case $word in
		isolcpus=* | nohz_full=*) list=${word#*=} ;;
		*) continue ;;
		esac
		# isolcpus=managed_irq,domain,2-5
		while [[ $list == [a-z]*,* ]]; do list=${list#*,}; done
		list_expand "$list" || continue
		for cpu in "${LIST_OUT[@]}"; do CPU_ISOLATED[$cpu]=1; done
	done
}

# node_distance A B: R, 10 for the same node.
node_distance() {
	local -a row
	R=10
	[ "$1" = "$2" ] && return 0
	R=20
	get "$SYS/devices/system/node/node$1/distance" || { R=20; return 0; }
	read -ra row <<<"$R"
	R=${row[$2]:-20}
}

# process_running NAME: by the kernel's name of the process.
process_running() {
	local file
	for file in "$PROC"/[0-9]*/comm; do
		get "$file" && [ "$R" = "$1" ] && return 0
	done
	return 1
}

# ---- ports ----------------------------------------------------------------------------------------------------------

port_name_ok() { [[ $1 =~ ^[^/[:space:]]{1,15}$ ]] && [ "$1" != . ] && [ "$1" != .. ]; }

# real_name PATH: R = last part of what PATH resolves to, "" if it is not there. Without a subshell.
real_name() {
	local old=$PWD
	R=
	if { cd -P "$1"; } 2>/dev/null; then
		R=${PWD##*/}
		{ cd "$old" || cd /; } 2>/dev/null
	fi
}

# port_driver IF: R = its driver, "" if it has none (bond, VLAN, veth).
port_driver() { real_name "$SYS/class/net/$1/device/driver"; }

# need_port IF: refuses whatever is not a port of ours, by name.
need_port() {
	port_name_ok "$1" || die "\"$1\" is no name of an interface"
	[ -e "$SYS/class/net/$1" ] || die "$1: there is no such interface"
	port_driver "$1"
	[ "$R" = "$DRIVER" ] || die "$1: its driver is ${R:-none (not a PCI network port)}, not $DRIVER; left alone"
}

# sort_pairs: PAIRS, "KEY VALUE", by key. Few elements; keys of numbers have equal lengths.
sort_pairs() {
	local i j pair
	for ((i = 1; i < ${#PAIRS[@]}; i++)); do
		pair=${PAIRS[i]}
		for ((j = i; j > 0; j--)); do
			[[ ${PAIRS[j - 1]} > $pair ]] || break
			PAIRS[j]=${PAIRS[j - 1]}
		done
		PAIRS[j]=$pair
	done
}

# ports: PORTS = all interfaces of ours, by PCI address.
ports() {
	local dir name
	local -a PAIRS=()
	PORTS=()
	for dir in "$SYS"/class/net/*; do
		name=${dir##*/}
		[ -e "$dir/device/driver" ] || continue
		port_driver "$name"
		[ "$R" = "$DRIVER" ] || continue
		port_pci "$name"
		PAIRS+=("$R $name")
	done
	sort_pairs
	for name in "${PAIRS[@]}"; do PORTS+=("${name#* }"); done
}

# ports_wanted [IF...]: PORTS = those named, else all; ends the script when there is none.
ports_wanted() {
	local name
	if [ $# -gt 0 ]; then
		for name; do need_port "$name"; done
		PORTS=("$@")
		return
	fi
	ports
	[ ${#PORTS[@]} -gt 0 ] || die "no port with the driver $DRIVER on this machine (is the module loaded? modprobe $DRIVER)"
}

port_pci() { real_name "$SYS/class/net/$1/device"; }	# R = 0000:3b:00.0

port_card() {	# R = 0000:3b:00
	port_pci "$1"
	R=${R%.*}
}

port_node() {	# R = node of the adapter, -1 if the machine does not say
	get "$SYS/class/net/$1/device/numa_node" || R=-1
}

port_is_up() {	# administratively
	get "$SYS/class/net/$1/flags" || return 1
	[ $((R & 1)) = 1 ]
}

port_nr_queues() {	# R = its receive queues
	local dir
	R=0
	for dir in "$SYS/class/net/$1"/queues/rx-*; do
		[ -d "$dir" ] && R=$((R + 1))
	done
}

# interrupts: INTR_NAME[irq] = the name a driver gave it, for vectors of network queues.
interrupts() {
	local irq name
	declare -gA INTR_NAME=()
	while read -r irq name; do
		INTR_NAME[$irq]=$name
	done < <(awk '{ for (i = 2; i <= NF; i++) if ($i ~ /-(TxRx-[0-9]+|misc),?$/) {
		irq = $1; sub(/:/, "", irq); sub(/,$/, "", $i); print irq, $i } }' "$PROC/interrupts" 2>/dev/null)
}

# port_vectors IF (after interrupts): QUEUE_IRQ[queue], MISC_IRQ, VECTOR_KIND msix, msi or intx. Empty while the port is
# down. By PCI device, so that an interface that was renamed is found as well.
port_vectors() {
	local dir irq name
	local -a irqs=()
	declare -gA QUEUE_IRQ=()
	MISC_IRQ=
	VECTOR_KIND=intx
	for dir in "$SYS/class/net/$1"/device/msi_irqs/*; do
		[ -e "$dir" ] || continue
		irqs+=("${dir##*/}")
		get "$dir" && VECTOR_KIND=$R
	done
	if [ ${#irqs[@]} = 0 ] && get "$SYS/class/net/$1/device/irq"; then
		irqs=("$R")
	fi
	for irq in "${irqs[@]}"; do
		name=${INTR_NAME[$irq]:-}
		case $name in
		*-TxRx-*) QUEUE_IRQ[${name##*-}]=$irq ;;
		*-misc) MISC_IRQ=$irq ;;
		esac
	done
}

# irq_used IRQ: R = the CPUs that it goes to, as a list. A new affinity takes effect with the next interrupt: until then the
# effective one is of the time before, and what is allowed counts.
irq_used() {
	local allowed cpu
	get "$PROC/irq/$1/smp_affinity_list" || return 1
	allowed=$R
	get "$PROC/irq/$1/effective_affinity_list" || :
	local used=$R
	if [ -z "$used" ] || ! list_expand "$used"; then
		R=$allowed
		return 0
	fi
	local -a used_cpus=("${LIST_OUT[@]}")
	list_expand "$allowed" || return 0
	for cpu in "${used_cpus[@]}"; do
		case " ${LIST_OUT[*]} " in
		*" $cpu "*) ;;
		*) R=$allowed; return 0 ;;
		esac
	done
	R=$used
}

# A kernel-managed vector: its affinity is the kernel's, writes end in "Input/output error".
irq_managed() {	# irq_managed IRQ
	grep -q 'IRQD_AFFINITY_MANAGED' "$SYS/kernel/debug/irq/irqs/$1" 2>/dev/null
}

# ---- persistence ----------------------------------------------------------------------------------------------------

# The units are bound to the device unit of the interface: they run when it appears, at boot and after a reload.
unit_of() {	# unit_of SCRIPT IF: R
	if have systemd-escape; then
		R=$1@$(systemd-escape "$2").service
	else
		R=$1@${2//-/\\x2d}.service
	fi
}

persist_on() {	# persist_on SCRIPT IF: its configuration on standard input
	have systemctl || die "no systemctl: run \"$1 --boot $2\" from whatever starts the network here, after writing $CONF_DIR"
	install_text "$CONF_DIR/$1/$2" || die "cannot write $CONF_DIR/$1/$2"
	unit_of "$1" "$2"
	systemctl enable "$R" >/dev/null 2>&1 || {
		rm -f "$CONF_DIR/$1/$2"
		remove_empty_dirs "$CONF_DIR/$1" "$CONF_DIR"
		die "systemctl enable $R failed: is $1@.service installed?"
	}
}

persist_off() {	# persist_off SCRIPT IF: true when there was something
	[ -e "$CONF_DIR/$1/$2" ] || return 1
	unit_of "$1" "$2"
	! have systemctl || systemctl disable "$R" >/dev/null 2>&1 || warn "systemctl disable $R failed"
	rm -f "$CONF_DIR/$1/$2"
	remove_empty_dirs "$CONF_DIR/$1" "$CONF_DIR"
}

# wait_until_up IF: returns when the port has its vectors; woken by the kernel's messages, looks again every 30 s at most.
wait_until_up() {
	local line said=
	while [ -e "$SYS/class/net/$1" ]; do
		interrupts
		port_vectors "$1"
		[ ${#QUEUE_IRQ[@]} -eq 0 ] || return 0
		[ -n "$said" ] || say "$1 is down; waiting until it is up"
		said=1
		# shellcheck disable=SC2034 # only the event counts
		read -r -t 30 line < <(exec timeout 30 ip -o monitor link dev "$1" 2>/dev/null) || :
		sleep 0.2
	done
	die "$1 went away"
}

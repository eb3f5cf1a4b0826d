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

drop_file() {	# drop_file FILE: and its folders, if they hold nothing else
	rm -f "$1"
	remove_empty_dirs "${1%/*}" "${1%/*/*}"
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

# uppers IF: UPPERS = what sits on it, and on that in turn: VLANs, bonds, bridges, macvlans.
uppers() {
	local i link name
	UPPERS=("$1")
	for ((i = 0; i < ${#UPPERS[@]}; i++)); do
		for link in "$SYS/class/net/${UPPERS[i]}"/upper_* "$SYS/class/net/${UPPERS[i]}/master"; do
			[ -e "$link" ] || continue
			name=${link##*/upper_}
			if [ "${link##*/}" = master ]; then
				real_name "$link"
				name=$R
			fi
			case " ${UPPERS[*]} " in *" $name "*) ;; *) UPPERS+=("$name") ;; esac
		done
	done
	UPPERS=("${UPPERS[@]:1}")
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

# ---- taking back ----------------------------------------------------------------------------------------------------

# What this run has changed, as the commands that take it back. A run that cannot go on takes back all of it, also at the
# ports before the one that failed.
BACK=()

back() {	# back COMMAND WORD...
	local words
	printf -v words '%q ' "$@"
	BACK+=("$words")
}

# give_up TEXT: the end of a run that cannot go on.
give_up() {
	local i why=$* bad=0
	trap '' INT TERM
	[ ${#BACK[@]} -gt 0 ] || die "$why"
	for ((i = ${#BACK[@]} - 1; i >= 0; i--)); do
		eval "${BACK[i]}" || { warn "cannot put back (${BACK[i]}): $R"; bad=$((bad + 1)); }
	done
	[ $bad = 0 ] || die "$why; $bad changes could not be put back"
	die "$why; everything was put back"
}

restore_file() { printf '%s\n' "$2" | install_text "$1"; }	# restore_file FILE TEXT

keep_file() {	# keep_file FILE: as it is now, for give_up
	if [ -e "$1" ]; then back restore_file "$1" "$(<"$1")"; else back drop_file "$1"; fi
}

# ---- snapshots ------------------------------------------------------------------------------------------------------

# KIND/IF below STATE_DIR is what IF had before SCRIPT changed it first. Its first line says in which boot and of which life
# of the interface that was: a reboot or a reload of the driver ends what was set, and with it the snapshot, unless the
# choice is stored and thus was applied again.

mark_of() {	# mark_of IF: R = boot, inode (kept when an interface is renamed or goes through namespaces), PCI address
	local boot pci
	get "$PROC/sys/kernel/random/boot_id" || :
	boot=${R:--}
	port_pci "$1"; pci=${R:--}
	R="# mark $boot $(stat -Lc %i "$SYS/class/net/$1" 2>/dev/null || echo -) $pci"
}

# snapshot_counts FILE IF SCRIPT: what it holds is still to be put back.
snapshot_counts() {
	local line
	[ -e "$1" ] || return 1
	[ ! -e "$CONF_DIR/$3/$2" ] || return 0
	get "$1" || :
	line=$R
	[[ $line == "# mark "* ]] || return 0
	mark_of "$2"
	[ "$line" = "$R" ]
}

# snapshot_keep FILE IF: undo has failed and can be tried again in this life of IF, whether the choice is stored or not.
snapshot_keep() {
	local lines
	mark_of "$2"
	lines="$R"$'\n'$(grep -v '^# mark ' "$1")
	restore_file "$1" "$lines"
}

has_trace() { [ -e "$STATE_DIR/$1/$3" ] || [ -e "$CONF_DIR/$2/$3" ]; }	# has_trace KIND SCRIPT IF

is_ours() {	# is_ours SCRIPT IF: it is there and SCRIPT may change it
	[ -e "$SYS/class/net/$2" ] || return 1
	port_driver "$2"
	[ "$R" = "$DRIVER" ] || { [ "$1" = txgbe-tune ] && [ -e "$SYS/class/net/$2/bonding" ]; }
}

# undo_names KIND SCRIPT [IF...]: UNDO_NAMES = those named, else all that have a snapshot or a stored choice. Without either,
# only a port of ours may be named.
undo_names() {
	local kind=$1 script=$2 file name
	local -A listed=()
	shift 2
	UNDO_NAMES=()
	for name; do
		port_name_ok "$name" || die "\"$name\" is no name of an interface"
		has_trace "$kind" "$script" "$name" || is_ours "$script" "$name" || need_port "$name"
		UNDO_NAMES+=("$name")
	done
	[ $# = 0 ] || return 0
	for file in "$STATE_DIR/$kind"/* "$CONF_DIR/$script"/*; do
		name=${file##*/}
		if [ ! -e "$file" ] || [ -n "${listed[$name]:-}" ]; then continue; fi
		listed[$name]=1
		UNDO_NAMES+=("$name")
	done
}

# The port of a snapshot lives on under another name, or in another network namespace.
lives_elsewhere() {	# lives_elsewhere FILE
	local boot inode pci dir
	read -r _ _ boot inode pci <"$1" || return 1
	get "$PROC/sys/kernel/random/boot_id" || :
	[ "${R:--}" = "$boot" ] || return 1
	real_name "$SYS/bus/pci/devices/$pci/driver"
	[ "$R" = "$DRIVER" ] || return 1
	for dir in "$SYS/bus/pci/devices/$pci"/net/*; do
		[ ! -e "$dir" ] || [ "$(stat -Lc %i "$dir" 2>/dev/null)" = "$inode" ] || return 1
	done
}

# forget KIND SCRIPT IF DRY: undo for an interface that is gone, or is no longer ours. There is nothing to put back.
forget() {
	local file=$STATE_DIR/$1/$3
	if [ "$4" = 1 ]; then
		say "$3 is not there: would be forgotten"
		return 0
	fi
	! persist_off "$2" "$3" || say "$3: no longer applied at boot"
	[ -e "$file" ] || return 0
	if lives_elsewhere "$file"; then
		warn "$3 is not there, its port has another name or is in another network namespace: $file is kept, undo it there"
		return 0
	fi
	drop_file "$file"
	say "$3 is not there: nothing to put back"
}

# ---- moderation of single queues ------------------------------------------------------------------------------------

# queue_moderation IF: R = "off/30 off/20 ...", adaptive mode and microseconds from queue 0 on; "" where all are the same,
# or the driver does not tell. ethtool -c shows queue 0 only.
queue_moderation() {
	R=$(ethtool -Q "$1" --show-coalesce 2>/dev/null | awk '$1 == "Queue:" { q = $2 + 0; n = q < n ? n : q + 1 }
		$1 == "Adaptive" { a[q] = $3 } $1 == "rx-usecs:" { u[q] = $2 }
		END { for (q = 0; q < n; q++) { v = a[q] "/" u[q]; if (v != a[0] "/" u[0]) differ = 1; all = all (q ? " " : "") v }
			if (differ) print all }')
}

# queue_moderation_put IF LIST: for the queues that are there now; false with R.
queue_moderation_put() {
	local q=0 nr mask value out
	local -a have_now
	port_nr_queues "$1"; nr=$R
	queue_moderation "$1"
	read -ra have_now <<<"$R"
	for value in $2; do
		[ $q -lt "$nr" ] || break
		if [ "${have_now[q]:-}" != "$value" ]; then
			printf -v mask '0x%x' $((1 << q))
			out=$(ethtool -Q "$1" queue_mask "$mask" --coalesce adaptive-rx "${value%/*}" rx-usecs "${value#*/}" 2>&1) ||
				{ R="ethtool -Q $1 queue_mask $mask --coalesce adaptive-rx ${value%/*} rx-usecs ${value#*/}: ${out//$'\n'/; }"; return 1; }
		fi
		q=$((q + 1))
	done
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

persist_on() {	# persist_on SCRIPT IF TEXT: TEXT is its configuration; false with R
	local file=$CONF_DIR/$1/$2
	have systemctl || { R="no systemctl: run \"$1 --boot $2\" from whatever starts the network here, after writing $file"; return 1; }
	if [ -e "$file" ]; then
		keep_file "$file"
	else
		back persist_end "$1" "$2"
	fi
	restore_file "$file" "$3" || { R="cannot write $file"; return 1; }
	unit_of "$1" "$2"
	systemctl ${SYSROOT:+"--root=$SYSROOT"} enable "$R" >/dev/null 2>&1 || { R="systemctl enable $R failed: is $1@.service installed?"; return 1; }
}

persist_off() {	# persist_off SCRIPT IF: true when there was something
	[ -e "$CONF_DIR/$1/$2" ] || return 1
	unit_of "$1" "$2"
	! have systemctl || systemctl ${SYSROOT:+"--root=$SYSROOT"} disable "$R" >/dev/null 2>&1 || warn "systemctl disable $R failed"
	drop_file "$CONF_DIR/$1/$2"
}

persist_end() { persist_off "$@" || :; }

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

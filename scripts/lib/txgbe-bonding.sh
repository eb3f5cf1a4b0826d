# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Bonds: what /proc/net/bonding says, the audit of mode 4 and 6, the kernel's transmit hash.

# bond_read BOND: B[key] of the bond, S[slave.key] of its slaves, SLAVES in the order in which they were enslaved.
bond_read() {
	local line key value slave='' part='' file=$PROC/net/bonding/$1
	declare -gA B=() S=()
	SLAVES=()
	[ -r "$file" ] || return 1
	while IFS= read -r line; do
		key=${line%%:*}
		value=${line#*: }
		[ "$value" != "$line" ] || value=
		key=${key//$'\t'/}
		while [[ $key == ' '* ]]; do key=${key# }; done
		[ -n "$key" ] || continue
		case $key in
		"Slave Interface") slave=$value part=''; SLAVES+=("$slave"); continue ;;
		"details actor lacp pdu") part='actor '; continue ;;
		"details partner lacp pdu") part='partner '; continue ;;
		esac
		if [ -z "$slave" ]; then
			B[$key]=$value
		else
			S[$slave.$part$key]=$value
		fi
	done <"$file"
	get "$SYS/class/net/$1/bonding/mode" || :
	B[mode]=${R%% *}
	if [ -z "${B[mode]}" ]; then
		case ${B[Bonding Mode]:-} in
		*802.3ad*) B[mode]=802.3ad ;;
		*"adaptive load balancing"*) B[mode]=balance-alb ;;
		*) B[mode]=${B[Bonding Mode]:-} ;;
		esac
	fi
}

bonds() {	# BONDS = all bonds that have a slave of ours
	local file slave
	BONDS=()
	for file in "$PROC"/net/bonding/*; do
		[ -r "$file" ] || continue
		bond_read "${file##*/}"
		for slave in "${SLAVES[@]}"; do
			port_driver "$slave"
			if [ "$R" = "$DRIVER" ]; then
				BONDS+=("${file##*/}")
				break
			fi
		done
	done
}

# ---- audit ----------------------------------------------------------------------------------------------------------

# bond_audit BOND: findings
bond_audit() {
	local bond=$1 slave n
	bond_read "$bond" || { finding fault "$bond" bond-missing "there is no such bond" "txgbe-bond create 4 $bond PORT PORT"; return; }
	case ${B[mode]} in
	802.3ad | balance-alb) ;;
	*)
		finding info "$bond" bond-mode "mode ${B[mode]}: only modes 4 (802.3ad) and 6 (balance-alb) are audited"
		return ;;
	esac
	n=${#SLAVES[@]}
	if [ "$n" -lt 2 ]; then
		finding fault "$bond" bond-few-slaves "$n slave(s): nothing to balance or fail over to" "ip link set PORT master $bond"
	else
		finding ok "$bond" bond-slaves "mode ${B[mode]}, $n slaves"
	fi
	if [ "${B[MII Polling Interval (ms)]:-0}" = 0 ] && [ -z "${B[ARP Polling Interval (ms)]:-}" ]; then
		finding fault "$bond" bond-no-miimon "no link monitoring: a cut cable is never noticed" "ip link set $bond type bond miimon 100"
	elif [ "${B[MII Polling Interval (ms)]:-0}" -gt 1000 ]; then
		finding warn "$bond" bond-slow-miimon "links are looked at every ${B[MII Polling Interval (ms)]} ms" "ip link set $bond type bond miimon 100"
	else
		finding ok "$bond" bond-miimon "miimon ${B[MII Polling Interval (ms)]} ms"
	fi
	bond_audit_slaves "$bond"
	case ${B[mode]} in
	802.3ad) bond_audit_lacp "$bond" ;;
	balance-alb) bond_audit_alb "$bond" ;;
	esac
}

bond_audit_slaves() {
	local bond=$1 slave speed first='' mtu bond_mtu
	get "$SYS/class/net/$bond/mtu" || :
	bond_mtu=$R
	for slave in "${SLAVES[@]}"; do
		port_driver "$slave"
		[ "$R" = "$DRIVER" ] || finding info "$slave" slave-foreign "slave of $bond with the driver ${R:-unknown}: its own settings are not looked at"
		if [ "${S[$slave.MII Status]:-}" != up ]; then
			finding fault "$slave" slave-down "slave of $bond without link (${S[$slave.MII Status]:-unknown})" "ip link set $slave up; ethtool $slave; ethtool -m $slave"
			continue
		fi
		speed=${S[$slave.Speed]:-}
		case $speed in
		*[1-9]*Mbps)
			if [ -z "$first" ]; then
				first=$speed
			elif [ "$speed" != "$first" ]; then
				finding fault "$slave" slave-speed "$speed, the first slave of $bond has $first: LACP keeps them apart, the hash ignores the difference" "ethtool -s $slave speed ${first%% *} autoneg off"
			fi ;;
		*) finding fault "$slave" slave-speed "speed is \"$speed\" with the link up: mode 4 leaves such a port out" "ip link set $slave down; ip link set $slave up" ;;
		esac
		[ "${S[$slave.Duplex]:-full}" = full ] || finding fault "$slave" slave-duplex "duplex is ${S[$slave.Duplex]}" "ethtool -s $slave duplex full"
		get "$SYS/class/net/$slave/mtu" || :
		[ -z "$R" ] || [ "$R" = "$bond_mtu" ] || finding fault "$slave" slave-mtu "MTU $R, $bond has $bond_mtu" "ip link set $bond mtu $bond_mtu"
		if [ "${S[$slave.Link Failure Count]:-0}" -gt 0 ]; then
			finding warn "$slave" slave-failures "the link failed ${S[$slave.Link Failure Count]} times since it was enslaved" "dmesg | grep -w $slave"
		fi
	done
}

# What LACP port states say: bit 2 aggregation, 3 in sync, 4 collecting, 5 distributing, 7 expired.
bond_audit_lacp() {
	local bond=$1 slave agg first='' key_first='' state partner other=0 n=0 key pkey_first=''
	case ${B[Transmit Hash Policy]:-} in
	"layer2 "* | layer2) finding warn "$bond" bond-hash "hash policy layer2: all flows to one router or host go over one port" "ip link set $bond type bond xmit_hash_policy layer3+4" ;;
	*) finding ok "$bond" bond-hash "hash policy ${B[Transmit Hash Policy]:-unknown}" ;;
	esac
	if [ "${B[LACP rate]:-}" = slow ]; then
		finding warn "$bond" bond-lacp-slow "LACP rate slow: a partner that went silent is noticed after 90 s, with fast after 3 s" \
			"ip link set $bond down; ip link set $bond type bond lacp_rate fast; ip link set $bond up"
	else
		finding ok "$bond" bond-lacp-rate "LACP rate ${B[LACP rate]:-unknown}"
	fi
	partner=${B[Partner Mac Address]:-}
	case $partner in
	"") finding warn "$bond" bond-no-detail "the kernel shows no LACP details (needs root), or there is no active aggregator" "sudo txgbe-bond audit $bond" ;;
	00:00:00:00:00:00) finding fault "$bond" bond-no-partner "no LACP partner answers: the switch ports are not in an LACP group" "configure LACP (802.3ad, active) on the switch ports of: ${SLAVES[*]}" ;;
	*) finding ok "$bond" bond-partner "partner $partner, ${B[Number of ports]:-?} ports in the aggregator" ;;
	esac
	for slave in "${SLAVES[@]}"; do
		[ "${S[$slave.MII Status]:-}" = up ] || continue
		agg=${S[$slave.Aggregator ID]:-}
		if [ -z "$first" ]; then
			first=$agg
		elif [ "$agg" != "$first" ]; then
			other=1
			finding fault "$slave" slave-aggregator "aggregator $agg, others of $bond have $first: carries no traffic" \
				"same speed, same switch, same LACP group for: ${SLAVES[*]}; see the keys: cat /proc/net/bonding/$bond"
		fi
		for key in Actor Partner; do
			case ${S[$slave.$key Churn State]:-none} in
			none) ;;
			monitoring) finding info "$slave" slave-churn "${key,,} churn state is \"monitoring\": LACP has not settled yet, look again in 60 s" ;;
			*) finding fault "$slave" slave-churn "${key,,} churn state is \"${S[$slave.$key Churn State]}\" (${S[$slave.$key Churned Count]:-?} times): LACP does not settle" \
				"check the LACP group of this switch port, cabling and rate" ;;
			esac
		done
		key=${S[$slave.actor port key]:-}
		if [ -n "$key" ]; then
			[ -n "$key_first" ] || key_first=$key
			[ "$key" = "$key_first" ] || finding fault "$slave" slave-key "actor key $key, the first slave has $key_first: speed or duplex differ" "ethtool $slave"
		fi
		key=${S[$slave.partner oper key]:-}
		if [ -n "$key" ] && [ "${S[$slave.partner system mac address]:-}" != 00:00:00:00:00:00 ]; then
			[ -n "$pkey_first" ] || pkey_first=$key/${S[$slave.partner system mac address]}
			[ "$key/${S[$slave.partner system mac address]}" = "$pkey_first" ] ||
				finding fault "$slave" slave-partner "partner key/system $key/${S[$slave.partner system mac address]}, the first slave has $pkey_first: another group or switch" "put both switch ports into one LACP group"
		fi
		state=${S[$slave.actor port state]:-}
		[ -n "$state" ] || continue
		n=$((n + 1))
		if [ $((state & 0x80)) -ne 0 ]; then
			finding fault "$slave" slave-expired "the LACP partner fell silent (port state $state)" "tcpdump -eni $slave ether proto 0x8809"
		elif [ $((state & 0x38)) -ne $((0x38)) ] && [ "$other" = 0 ]; then
			finding fault "$slave" slave-not-distributing "port state $state: not in sync, collecting and distributing" "cat /proc/net/bonding/$bond; tcpdump -eni $slave ether proto 0x8809"
		else
			finding ok "$slave" slave-lacp "in sync, collecting, distributing (port state $state)"
		fi
	done
}

# Mode 6 answers ARP with the address of the port that shall receive: each slave needs one of its own.
bond_audit_alb() {
	local bond=$1 slave mac perm
	local -A seen=() seen_perm=()
	for slave in "${SLAVES[@]}"; do
		get "$SYS/class/net/$slave/address" || continue
		mac=$R
		perm=${S[$slave.Permanent HW addr]:-}
		if [ -n "${seen[$mac]:-}" ]; then
			finding fault "$slave" slave-same-mac "address $mac is also that of ${seen[$mac]}: receive balancing cannot work" \
				"ip link set $slave nomaster; ip link set $slave address ${perm:-ITS-OWN}; ip link set $slave master $bond"
		else
			finding ok "$slave" slave-mac "address $mac is its own"
		fi
		seen[$mac]=$slave
		if [ -n "$perm" ] && [ -n "${seen_perm[$perm]:-}" ]; then
			finding fault "$slave" slave-same-permanent-mac "permanent address $perm is also that of ${seen_perm[$perm]}" "ip link set $slave address A-DIFFERENT-ONE"
		fi
		[ -z "$perm" ] || seen_perm[$perm]=$slave
	done
	if [ -e "$SYS/class/net/$bond/master" ]; then
		real_name "$SYS/class/net/$bond/master"
		if [ -d "$SYS/class/net/$R/bridge" ] || [ ! -d "$SYS/class/net/$R/bonding" ]; then
			finding fault "$bond" bond-alb-bridged "mode 6 below the bridge $R: it rewrites ARP only of the host itself, guests lose packets" "use mode 4 below a bridge: txgbe-bond create 4 ..."
		fi
	fi
	[ "${B[Currently Active Slave]:-None}" != None ] || finding fault "$bond" bond-no-active "no active slave" "ip link set PORT up"
}

# ---- transmit hash --------------------------------------------------------------------------------------------------

# The kernel's hash (bond_xmit_hash) for TCP and UDP, little endian: the fields are taken as they lie in the packet.
# hash_ipv4 A.B.C.D: R
hash_ipv4() {
	local a b c d
	IFS=. read -r a b c d <<<"$1"
	[[ $a$b$c$d =~ ^[0-9]+$ ]] || return 1
	R=$((a | b << 8 | c << 16 | d << 24))
}

# ipv6_words ADDR: W = its eight 16-bit words
ipv6_words() {
	local head tail i
	local -a h=() t=()
	head=${1%%::*} tail=
	[[ $1 != *::* ]] || tail=${1#*::}
	IFS=: read -ra h <<<"$head"
	IFS=: read -ra t <<<"$tail"
	W=()
	[ $((${#h[@]} + ${#t[@]})) -le 8 ] || return 1
	for i in "${h[@]}"; do W+=("$i"); done
	if [[ $1 == *::* ]]; then
		while [ $((${#W[@]} + ${#t[@]})) -lt 8 ]; do W+=(0); done
	fi
	for i in "${t[@]}"; do W+=("$i"); done
	[ ${#W[@]} = 8 ] || return 1
	for i in "${W[@]}"; do [[ $i =~ ^[0-9a-fA-F]{1,4}$ ]] || return 1; done
}

hash_ipv6() {	# the four 32-bit words of the address, exclusive or
	local i w swapped r=0
	ipv6_words "$1" || return 1
	for ((i = 0; i < 8; i++)); do
		w=$((16#${W[i]}))
		swapped=$(((w >> 8) | (w & 255) << 8))
		r=$((r ^ (swapped << (16 * (i & 1)))))
	done
	R=$r
}

# hash_eth SRC DST PROTO: last bytes of the addresses and the type field
hash_eth() {
	R=$(((16#${1##*:}) ^ (16#${2##*:}) ^ $3))
}

# bond_hash POLICY SRC DST SPORT DPORT [SMAC DMAC]: R = the hash
bond_hash() {
	local policy=$1 src=$2 dst=$3 sport=$4 dport=$5 smac=${6:-} dmac=${7:-} hash a b proto
	case $src in
	*:*) hash_ipv6 "$src" || return 1; a=$R; hash_ipv6 "$dst" || return 1; b=$R; proto=$((0x86dd)) ;;
	*) hash_ipv4 "$src" || return 1; a=$R; hash_ipv4 "$dst" || return 1; b=$R; proto=$((0x0800)) ;;
	esac
	case $policy in
	layer3+4) hash=$(((sport >> 8 | (sport & 255) << 8) | (dport >> 8 | (dport & 255) << 8) << 16)) ;;
	layer2 | layer2+3)
		[ -n "$smac" ] && [ -n "$dmac" ] || return 2
		hash_eth "$smac" "$dmac" "$proto"
		[ "$policy" != layer2 ] || return 0
		hash=$R ;;
	*) return 2 ;;
	esac
	hash=$(((hash ^ a ^ b) & 0xffffffff))
	hash=$((hash ^ hash >> 16))
	hash=$((hash ^ hash >> 8))
	[ "$policy" != layer3+4 ] || hash=$((hash >> 1))
	R=$hash
}

# USABLE = slaves that the hash chooses from, in the kernel's order.
bond_usable() {
	local slave agg=${B[Aggregator ID]:-}
	USABLE=()
	for slave in "${SLAVES[@]}"; do
		[ "${S[$slave.MII Status]:-}" = up ] || continue
		[ -z "$agg" ] || [ "${S[$slave.Aggregator ID]:-}" = "$agg" ] || continue
		USABLE+=("$slave")
	done
}

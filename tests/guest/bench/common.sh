# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
#
# What the scripts of the bench share. Run by "lab.py bench", which sees the marks: see mark.h and docs/bench.md. The
# image is the same for both drivers; which one is loaded comes from the kernel's command line.
. "${TESTS:-/tests}/lib.sh"

DRIVER=${BENCH_DRIVER:-$DRIVER}
: "${REPEATS:=3}" "${WARM:=3}" "${FRAMES:=8000}" "${MODERATION:=50}" "${RX_PPS:=200000}"

# Where the driver's code is.
tell_sections() {
	for module in txgbe libwx; do
		for section in "/sys/module/$module/sections"/.*text*; do
			[ -r "$section" ] && bench mark "section $module ${section##*/} $(cat "$section")"
		done
	done
	bench mark "symbol _stext 0x$(awk '$3 == "_stext" { print $1; exit }' /proc/kallsyms)"
}

# repeat NAME ARGUMENT...: bench until caches and moderation have settled, then in windows called NAME.
repeat() {
	name=$1
	shift
	turn=0
	while [ $turn -lt "$WARM" ]; do
		bench -a a -b b "$@"
		turn=$((turn + 1))
	done
	turn=0
	while [ $turn -lt "$REPEATS" ]; do
		bench -a a -b b -w "$name" "$@"
		turn=$((turn + 1))
	done
}

pg() { in_a dash -c "echo '$2' >/proc/net/pktgen/$1"; }

# pktgen NAME SIZE BURST MAC: frames of SIZE bytes without FCS to MAC, one flow.
pktgen() {
	need_module pktgen
	pg kpktgend_0 rem_device_all
	pg kpktgend_0 "add_device $A"
	for line in "count $FRAMES" "pkt_size $2" "burst $3" "delay 0" "clone_skb 0" "dst_mac $4" \
		"dst 198.18.0.2" "src_min 198.18.0.1" "udp_src_min 1000" "udp_src_max 1000"; do
		pg "$A" "$line"
	done
	repeat "$1" -e "p0.tx_frames=$FRAMES" pktgen "$FRAMES"
	pg kpktgend_0 rem_device_all
}

# tx NAME SIZE BURST: frames into the model's sink.
tx() {
	bench mark "set p0 sink true"
	pktgen "$1" "$2" "$3" 02:00:00:00:00:01
	bench mark "set p0 sink false"
}

# UDP from and to addresses that are nobody's: the stack looks for a route and drops it.
frame_to_nowhere() {	# frame_to_nowhere ETHERTYPE
	mac=$(in_a cat "/sys/class/net/$A/address" | tr -d :)
	echo "${mac}024646505402${1}4500002e0000400040110000c6120001c612000203e80009001a0000"
}

# rx NAME ETHERTYPE [COUNTER]: frames of 60 bytes from the model's generator, evenly spaced.
rx() {
	for line in "gen-run false" "gen-template $(frame_to_nowhere "$2")" "gen-size 60" "gen-flows 1" \
		"gen-count $FRAMES" "gen-pps $RX_PPS"; do
		bench mark "set p0 $line"
	done
	repeat "$1" -e "p0.rx_frames=$FRAMES" ${3:+-e "$3=$FRAMES"} wait $((FRAMES * 1000 / RX_PPS + 10)) "$FRAMES" \
		"set p0 gen-run false;set p0 gen-run true"
	bench mark "set p0 gen-run false"
}

after_failure() {
	bench mark "set p0 sink false"
	bench mark "set p0 gen-run false"
	xdp -a a -i "$A" detach
	xdp -a a -i "$A" -g detach
	restore_pair
} >/dev/null 2>&1

# What adapts is never twice the same.
moderate() {	# moderate NS IF
	[ "$MODERATION" = default ] ||
		ip netns exec "$1" ethtool -C "$2" adaptive-rx off rx-usecs "$MODERATION" ||
		ip netns exec "$1" ethtool -C "$2" rx-usecs "$MODERATION"
}

begin() {
	restore_pair || { not_ok pair_is_up "no traffic before the first window"; finish; }
	for end in "a $A" "b $B"; do
		# Like with like: ours offers none.
		ip netns exec "${end% *}" ethtool -K "${end#* }" lro off >/dev/null 2>&1
		moderate "${end% *}" "${end#* }" || not_ok moderation_is_the_same "rx-usecs $MODERATION refused"
	done
	tell_sections
}

# SPDX-License-Identifier: GPL-2.0-only
# Every byte is compared: sizes 1..9000, odd alignments, copied, zero-copy, gathered and file pages, both ways.
# BYTES=1G asks for the full amount each way; it is split over the kinds of traffic.
. "${TESTS:-/tests}/lib.sh"

mib() {		# share of the whole for one of four kinds, in MiB
	whole=${BYTES:-$(loops 48M 1G)}
	case $whole in
	*G) whole=$((${whole%G} * 1024)) ;;
	*M) whole=${whole%M} ;;
	esac
	echo $((whole / 4))
}

payload_verified() {	# payload_verified tcp4|udp4|tcp6|udp6 ab|ba [OPTION...]
	kind=$1
	case $1 in
	*4) first=10.0.0.1; second=10.0.0.2 ;;
	*6) first=fd00::1; second=fd00::2 ;;
	esac
	case $2 in
	ab) set -- -a a -b b -d "$second" ;;
	ba) set -- -a b -b a -d "$first" ;;
	esac
	case $kind in
	udp*) set -- -u "$@" ;;
	esac
	xfer "$@" -n "$(mib)M" >"$WORK/xfer"
	say "$(cat "$WORK/xfer")"
}

payload_verified_with_mtu() {	# MTU
	set_mtu "$1"
	path_works
	xfer -a a -b b -d 10.0.0.2 -n 4M -x "$1"
	xfer -a b -b a -d fd00::1 -n 4M -x "$1"
	xfer -u -a b -b a -d 10.0.0.1 -n 2M
	xfer -u -a a -b b -d fd00::2 -n 2M
}

payload_verified_both_ways_at_once() {
	set_mtu 1500
	path_works
	xfer -a a -b b -d 10.0.0.2 -n "$(loops 16 128)M" -p 7011 >"$WORK/one" 2>&1 3>&- &
	one=$!
	xfer -a b -b a -d fd00::1 -n "$(loops 16 128)M" -p 7012
	wait "$one" || fail "$(cat "$WORK/one")"
}

after_failure() { restore_pair; set_mtu 1500; } >/dev/null 2>&1

restore_pair || { not_ok pair_is_up "no traffic before the first test"; finish; }
set_mtu "${MTU:-1500}"
path_works
for way in ab ba; do
	for kind in tcp4 udp4 tcp6 udp6; do
		fact payload_verified $kind $way
	done
done
[ -n "${MTU:-}" ] || for mtu in 1280 1501 3000 4096 9000 9410; do
	fact payload_verified_with_mtu $mtu
done
fact payload_verified_both_ways_at_once
finish

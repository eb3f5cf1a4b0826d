# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# One of the kernel's own selftests of network drivers, unmodified: ksft/run drivers/net/hw/csum.py [LIMIT=SECONDS].
#
# Port p0 is the device under test, in the first namespace; p1 is the remote end, in a namespace of its own. Each test
# gets a driver that was just loaded, with QUEUES queues if that is given. PLACE=together leaves the ports side by side,
# for the scripts that want both in sight; then PEER is the port at the other end (p1) and NO_CABLE one without a module.
# What a test prints in KTAP becomes a line here for each of its cases; a case that is named in known.list is not expected
# to pass, for the reason given there.
ksft=$1
shift
# shellcheck source=tests/guest/lib.sh
. /tests/lib.sh
: "${LIMIT:=300}" "${PLACE:=apart}" "${PEER:=p1}" "${NO_CABLE:=none}"
export PYTHONUNBUFFERED=1 TMPDIR=/tmp KSFT_MACHINE_SLOW=yes NO_COLOR=1

export NETIF=p0 LOCAL_V4=10.0.0.1 LOCAL_V6=fd00::1 REMOTE_V4=10.0.0.2 REMOTE_V6=fd00::2
export REMOTE_TYPE=netns REMOTE_ARGS=remote

link_is_up() { grep -q 1 "/sys/class/net/$1/carrier" 2>/dev/null; }
remote_is_up() { ip netns exec remote cat /sys/class/net/p1/carrier 2>/dev/null | grep -q 1; }
remote_answers() { ping -q -n -c 1 -W 2 "$REMOTE_V4" && ping -q -n -c 1 -W 2 "$REMOTE_V6"; } >/dev/null 2>&1

lay_out() {
	if driver_loaded; then
		ip -n remote link set p1 netns 1 2>/dev/null || :
		ip netns del remote 2>/dev/null || :
		! grep -q '^txgbe_ptp ' /proc/modules || rmmod txgbe_ptp || return 1
		rmmod txgbe || return 1
	fi
	load_driver || return 1
	[ -z "${QUEUES:-}" ] || ethtool -L p0 combined "$QUEUES" || return 1
	# Who asks what time stamps there are takes a clock for granted.
	if grep -q tsinfo_get "/ksft/$ksft"; then
		modprobe ptp || :
		insmod "${MODULE%/*}/txgbe_ptp.ko" || return 1
	fi
	# The tests take for granted that the ports of UDP are hashed; by default they are not, because of fragments.
	ethtool -N p0 rx-flow-hash udp4 sdfn && ethtool -N p0 rx-flow-hash udp6 sdfn || return 1
	# Pause frames are counted where they are obeyed; by default they are not.
	! grep -q rx_pause_frames "/ksft/$ksft" || ethtool -A p0 rx on || return 1
	if [ "$PLACE" = together ]; then
		return	# these scripts put both up themselves, and look at what is said before that
	fi
	ip netns add remote && ip -n remote link set lo up && ip link set p1 netns remote || return 1
	ip link set p0 up && ip -n remote link set p1 up || return 1
	ip addr add "$LOCAL_V4/24" dev p0 && ip addr add "$LOCAL_V6/64" dev p0 nodad || return 1
	ip -n remote addr add "$REMOTE_V4/24" dev p1 && ip -n remote addr add "$REMOTE_V6/64" dev p1 nodad || return 1
	wait_for 20 link_is_up p0 && wait_for 20 remote_is_up && wait_for 20 remote_answers
}

prefix=selftest/$ksft
prefix=${prefix%.py}
prefix=${prefix%.sh}
if [ ! -e "/ksft/$ksft" ]; then
	not_ok "$prefix" "there is no such selftest"
	finish
fi
if ! lay_out >"$WORK/layout" 2>&1; then
	not_ok "$prefix" "the ports could not be laid out"
	sed 's/^/#   /' "$WORK/layout"
	finish
fi

# What they put between the ports and the rest of the stack.
if grep -qw simple_if_init "/ksft/$ksft" && ! ip link add vrf-probe type vrf table 1000 2>/dev/null; then
	skip "$prefix" "the kernel has no VRF (CONFIG_NET_VRF)"
	finish
fi
ip link del vrf-probe 2>/dev/null || :
grep -q ' /sys/kernel/config ' /proc/mounts || mount -t configfs configfs /sys/kernel/config 2>/dev/null || :

# Debian's ethtool is older than the tests: it cannot tell of channels in JSON.
mkdir -p "$WORK/bin"
cat >"$WORK/bin/ethtool" <<'WRAPPER'
#!/bin/bash
[ "$1 $2 $#" = "--json -l 3" ] || exec /usr/bin/ethtool "$@"
/usr/bin/ethtool -l "$3" | awk -F ':[ \t]*' -v dev="$3" '
	/^Current/ { now = 1 }
	now && $2 ~ /^[0-9]+$/ { list = list ", \"" tolower($1) "\": " $2 }
	END { if (!now) exit 1; print "[ { \"ifname\": \"" dev "\"" list " } ]" }'
WRAPPER
chmod 755 "$WORK/bin/ethtool"
PATH=$WORK/bin:$PATH

cd "/ksft/${ksft%/*}" || exit 125
start=$(now_cs)
case $ksft in
*.py) timeout -s TERM -k 30 "$LIMIT" python3 "./${ksft##*/}" ;;
*)
	set --
	[ "$PLACE" = apart ] || set -- p0 "$PEER"
	NETIF_CREATE=no NETIF_NO_CABLE=$NO_CABLE timeout -s TERM -k 30 "$LIMIT" bash "./${ksft##*/}" "$@"
	;;
esac >"$WORK/ktap" 2>&1
status=$?
took=$((($(now_cs) - start) / 100))

read -r number 2>/dev/null <"$WORK/number" || number=0
awk -v prefix="$prefix" -v status="$status" -v limit="$LIMIT" -v number="$number" -v known=/tests/ksft/known.list \
	-f /tests/ksft/ktap.awk "$WORK/ktap" >"$WORK/tap"
cut -c 1-400 "$WORK/tap"
grep -cE '^(ok|not ok) ' "$WORK/tap" | { read -r more; echo $((number + more)) >"$WORK/number"; }
note "$prefix took $took s, status $status"
! grep -q '^not ok' "$WORK/tap" || exit 1
exit 0

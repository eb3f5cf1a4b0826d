# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# What ethtool and devlink say about a port with traffic behind it. tests/transcripts.sh makes a document of it.
. "${TESTS:-/tests}/lib.sh"

heading() { printf '@@ \n@@ ## %s\n' "$*"; }

# A command as typed, and its answer. The interface is in a namespace of its own, which is not shown.
show() {
	printf '@@ \n@@     # %s\n' "$*"
	case $1 in
	devlink) "$@" 2>&1 ;;
	*) ip netns exec a "$@" 2>&1 ;;
	esac | expand | sed 's/^/@@     /'
}

restore_pair || { not_ok pair_is_up "no traffic"; finish; }
xfer -a a -b b -d 10.0.0.2 -n 4M
xfer -a b -b a -d 10.0.0.1 -n 4M
handle=pci/$(port_pci p0)
# The clock, which modprobe would have brought along.
! modprobe ptp || insmod "${MODULE%/*}/txgbe_ptp.ko"

heading Identity, link, module
show ethtool -i p0
show ethtool p0
show ethtool -P p0
show ethtool --show-fec p0
show ethtool -a p0
show ethtool -m p0

heading Rings, queues, moderation, receive side
show ethtool -g p0
show ethtool -l p0
show ethtool -c p0
show ethtool -x p0
show ethtool -n p0 rx-flow-hash tcp4
show ethtool -k p0

heading Time stamps, wake-up, self-test
show ethtool -T p0
show ethtool -t p0 online

heading Counters
show ethtool -S p0
show ethtool -S p0 --groups eth-mac
show ethtool -S p0 --groups eth-ctrl
show ethtool -S p0 --groups rmon
show ethtool -I -a p0

heading devlink
show devlink dev show
show devlink dev info "$handle"
show devlink health diagnose "$handle" reporter tx
show devlink health diagnose "$handle" reporter rx
show devlink health diagnose "$handle" reporter fw
show devlink health diagnose "$handle" reporter pcie
show devlink region show
show devlink region new "$handle/fw-trace" snapshot 1
show devlink region read "$handle/fw-trace" snapshot 1 address 0 length 112
show devlink dev reload "$handle"
! grep -q '^txgbe_ptp ' /proc/modules || rmmod txgbe_ptp
ok transcript_taken
finish

# SPDX-License-Identifier: GPL-2.0-only
# Cost against size: the same two kinds of work with more queues, larger rings, more VLANs, more rules.
. "${TESTS:-/tests}/bench/common.sh"

at() {	# at SIZE: as "SIZE:tx64" and "SIZE:rx64"
	moderate a "$A"
	tx "$1:tx64" 60 1
	rx "$1:rx64" 0800
}

queues() {	# queues N
	in_a ethtool -L "$A" combined "$1" || give_up "the driver does not do $1 queues"
	wait_for 20 has_carrier a "$A"
	at "queues=$1"
}

rings() {	# rings N
	in_a ethtool -G "$A" rx "$1" tx "$1" || give_up "the driver does not do $1 descriptors"
	wait_for 20 has_carrier a "$A"
	at "descriptors=$1"
}

# Ever more; they stay.
vlans() {	# vlans N
	need_module 8021q
	# Thousands of interfaces come sooner without addresses.
	in_a dash -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
	seq $((vlans_there + 1)) "$1" | awk -v dev="$A" '{ print "link add link " dev " name v" $1 " type vlan id " $1 }' \
		>"$WORK/batch"
	ip -n a -batch "$WORK/batch"
	at "vlans=$1"
}

rules() {	# rules N: none of them is for the frames of this work
	in_a ethtool -K "$A" ntuple on || give_up "the driver has no filters"
	[ "$1" = 0 ] || ethq -n a rules "$A" "$1" 20000 0 || give_up "the driver takes no $1 rules"
	at "rules=$1"
}

begin
for n in 128 512 2048 8192; do
	fact rings $n
done
in_a ethtool -G "$A" rx 512 tx 512 >/dev/null 2>&1
for n in 1 8 63; do
	fact queues $n
done
in_a ethtool -L "$A" combined 1 >/dev/null 2>&1
# The last is all that ours has.
for n in 0 64 2046; do
	fact rules $n
done
in_a ethtool -K "$A" ntuple off >/dev/null 2>&1
vlans_there=0
for many in 0 64 4094; do
	fact vlans $many
	vlans_there=$many
done
finish

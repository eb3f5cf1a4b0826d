# SPDX-License-Identifier: GPL-2.0-only
# txgbe-bond: LACP between two bonds, mode 6 against a bridge; topology quad25: p0 is wired to p2, p1 to p3.
. "${TESTS:-/tests}/lib.sh"

place_ports() {
	load_driver
	make_ns
	for pair in a:p0 a:p1 b:p2 b:p3; do ip link set "${pair#*:}" netns "${pair%:*}" 2>/dev/null || :; done
	for pair in a:p0 a:p1 b:p2 b:p3; do ip -n "${pair%:*}" link set "${pair#*:}" up; done
	for pair in a:p0 a:p1 b:p2 b:p3; do wait_for 20 has_carrier "${pair%:*}" "${pair#*:}" || return 1; done
}

both_ports_aggregated() {
	[ "$(in_a grep -c '^Aggregator ID: 1$' /proc/net/bonding/bond0)" = 2 ] && in_a grep -q 'Number of ports: 2' /proc/net/bonding/bond0
}

lacp_comes_up_and_the_audit_finds_no_fault() {
	need_module bonding
	in_b /scripts/txgbe-bond create 4 bond0 p2 p3 --address 10.0.0.2/24
	in_a /scripts/txgbe-bond create 4 bond0 p0 p1 --address 10.0.0.1/24
	wait_for 60 both_ports_aggregated || fail "$(in_a cat /proc/net/bonding/bond0 | tr '\n' ';')"
	wait_for 60 in_a ping -q -c 1 -W 1 10.0.0.2
	# Churn settles a minute after the start; until then it is a remark.
	in_a /scripts/txgbe-bond audit --all >"$WORK/audit" || fail "$(grep -A1 FAULT "$WORK/audit" | tr '\n' ' ')"
	grep -q 'OK *bond0 *bond-partner' "$WORK/audit"
	[ "$(grep -c 'OK *p[01] *slave-lacp' "$WORK/audit")" = 2 ] || fail "$(cat "$WORK/audit")"
}

flows_go_where_the_script_says() {
	tried_p0=0 tried_p1=0
	for port in 7301 7302 7303 7304 7305 7306 7307 7308; do
		want=$(in_a /scripts/txgbe-bond flows bond0 10.0.0.1 10.0.0.2 $port 5201)
		other=p0
		[ "$want" = p1 ] || other=p1
		before=$(in_a cat "/sys/class/net/$want/statistics/tx_bytes")
		others=$(in_a cat "/sys/class/net/$other/statistics/tx_bytes")
		in_b iperf3 -s -1 >/dev/null 2>&1 3>&- &
		wait_for 10 iperf_listens b
		in_a iperf3 -c 10.0.0.2 -u -b 20M -t 1 --cport $port >"$WORK/iperf" 2>&1 || fail "$(tail -n 1 "$WORK/iperf")"
		wait
		before=$(($(in_a cat "/sys/class/net/$want/statistics/tx_bytes") - before))
		others=$(($(in_a cat "/sys/class/net/$other/statistics/tx_bytes") - others))
		[ $before -gt 500000 ] && [ $others -lt 100000 ] ||
			fail "port $port: said $want, which sent $before bytes, $other sent $others"
		eval "tried_$want=1"
		[ $tried_p0$tried_p1 != 11 ] || [ $port -lt 7304 ] || break
	done
	[ $tried_p0$tried_p1 = 11 ] || fail "all flows went over one port"
}

audit_names_a_cut_cable_and_its_end() {
	need_model
	hostctl set p1 cable false
	wait_for 5 not has_carrier a p1
	wait_for 5 in_a grep -q 'MII Status: down' /proc/net/bonding/bond0
	in_a /scripts/txgbe-bond audit >"$WORK/audit" && fail "no fault"
	grep -q 'FAULT *p1 *slave-down' "$WORK/audit"
	hostctl set p1 cable true
	wait_for 60 both_ports_aggregated
	in_a /scripts/txgbe-bond audit >"$WORK/audit" || fail "$(cat "$WORK/audit")"
}

proof_shows_both_ports() {
	start_job dash -c 'while :; do ip netns exec b iperf3 -s -1; done'
	sleep 1
	in_a /scripts/txgbe-bond prove bond0 10.0.0.2 --flows 16 --seconds 3 >"$WORK/proof" 2>&1 || :
	sed 's/^/NOTE /' "$WORK/proof"
	# On one emulated machine the CPUs are the limit: the sum is shown, its ratio proves nothing here.
	sed -n 's/^16 flows: .*(p0 \([0-9]*\) MB, p1 \([0-9]*\) MB)/\1 \2/p' "$WORK/proof" >"$WORK/shares"
	read -r share0 share1 <"$WORK/shares" || fail "$(tail -n 2 "$WORK/proof")"
	[ "$share0" -gt 0 ] && [ "$share1" -gt 0 ] || fail "p0 $share0 MB, p1 $share1 MB"
}

profile_for_bonds_is_applied_and_undone() {
	in_a cat /sys/class/net/bond0/bonding/xmit_hash_policy >"$WORK/before"
	in_a ethtool -c p0 >>"$WORK/before"
	in_a /scripts/txgbe-tune --set ring.rx= --set ring.tx= bond4 bond0
	in_a /scripts/txgbe-tune --undo
	in_a cat /sys/class/net/bond0/bonding/xmit_hash_policy >"$WORK/after"
	in_a ethtool -c p0 >>"$WORK/after"
	cmp "$WORK/before" "$WORK/after"
}

unmake_bonds() {
	for ns in a b; do ip -n $ns link del bond0 2>/dev/null || :; ip -n $ns link del br0 2>/dev/null || :; done
}

mode6_works_and_its_audit_finds_no_fault() {
	unmake_bonds
	ip -n b link add br0 type bridge
	for port in p2 p3; do ip -n b link set $port master br0; ip -n b link set $port up; done
	ip -n b addr add 10.0.0.2/24 dev br0
	ip -n b link set br0 up
	in_a /scripts/txgbe-bond create 6 bond0 p0 p1 --address 10.0.0.1/24
	wait_for 30 in_a ping -q -c 1 -W 1 10.0.0.2
	in_a /scripts/txgbe-bond audit --all >"$WORK/audit" || fail "$(grep -A1 FAULT "$WORK/audit" | tr '\n' ' ')"
	[ "$(grep -c 'OK *p[01] *slave-mac' "$WORK/audit")" = 2 ] || fail "$(cat "$WORK/audit")"
}

mode6_in_a_bridge_is_a_fault() {
	ip -n a link add br0 type bridge
	ip -n a link set bond0 master br0
	in_a /scripts/txgbe-bond audit >"$WORK/audit" && fail "no fault"
	grep -q 'FAULT *bond0 *bond-alb-bridged' "$WORK/audit"
	in_a /scripts/txgbe-tune bond6 bond0 >"$WORK/out" 2>&1 && fail "the profile was applied"
	grep -q 'bridge br0' "$WORK/out"
}

# All that ip and ethtool know of the ports, but for what counts and what is new each time.
ports_state() {
	for port in p0 p1; do
		in_a ip -o -d link show dev $port
		in_a ip -o addr show dev $port scope global
		in_a ethtool -g $port
		in_a ethtool -c $port
		in_a ethtool -k $port
	done
	in_a ls /sys/class/net /var/lib/txgbe 2>&1
}

# p1 is down before, so that it has to be again.
removal_undoes_creation() {	# MODE
	unmake_bonds
	for port in p0 p1; do in_a ip link set $port up; done
	wait_for 20 has_carrier a p0
	in_a ip link set p1 down
	ports_state >"$WORK/before"
	in_a /scripts/txgbe-bond create "$1" bond7 p0 p1 --mtu 9000 --address 10.0.7.1/24
	in_a cat /proc/net/bonding/bond7 | grep -c '^Slave Interface' | grep -qx 2
	in_a ip link add link bond7 name v7 type vlan id 7
	in_a /scripts/txgbe-bond remove bond7 >"$WORK/out" 2>&1 && fail "removed below a VLAN"
	grep -q 'v7 sits on bond7' "$WORK/out"
	in_a ip link del v7
	in_a /scripts/txgbe-bond remove bond7
	wait_for 20 has_carrier a p0
	ports_state >"$WORK/after"
	cmp "$WORK/before" "$WORK/after" || fail "$(diff "$WORK/before" "$WORK/after" | tr '\n' ' ' | cut -c 1-400)"
	in_a ip link set p1 up
}

creation_that_fails_leaves_nothing() {
	unmake_bonds
	ip -n a link set p0 up
	ip -n a link set p1 up
	in_a /scripts/txgbe-bond create 4 bond0 p0 p1 --address 10.0.0.1/99 >"$WORK/out" 2>&1 && fail "an impossible address was taken"
	ip -n a link show dev bond0 2>/dev/null && fail "bond0 is left"
	ip -n a link show master bond0 2>/dev/null | grep -q p0 && fail "p0 is still a slave"
	ip -n a link show dev p0 | grep -q '[<,]UP' || fail "p0 is down"
}

need_module bonding 2>/dev/null || { skip bonds "no module bonding"; finish; }
place_ports || { not_ok ports_are_up "no link"; finish; }
fact lacp_comes_up_and_the_audit_finds_no_fault
fact flows_go_where_the_script_says
fact audit_names_a_cut_cable_and_its_end
fact proof_shows_both_ports
fact profile_for_bonds_is_applied_and_undone
fact mode6_works_and_its_audit_finds_no_fault
fact mode6_in_a_bridge_is_a_fault
fact removal_undoes_creation 4
fact removal_undoes_creation 6
fact creation_that_fails_leaves_nothing
finish

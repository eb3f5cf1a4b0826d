# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# txgbe-bond: audit of made-up bonds, creation step by step, the kernel's hash, the proof.

# lacp SLAVE... : /proc/net/bonding/bond0 of a healthy mode 4; slave lines can be edited with sed afterwards.
lacp() {
	local slave n=0
	{
		cat <<-'END'
			Ethernet Channel Bonding Driver: v6.6.1

			Bonding Mode: IEEE 802.3ad Dynamic link aggregation
			Transmit Hash Policy: layer3+4 (1)
			MII Status: up
			MII Polling Interval (ms): 100
			Up Delay (ms): 0
			Down Delay (ms): 0
			Peer Notification Delay (ms): 0

			802.3ad info
			LACP active: on
			LACP rate: fast
			Min links: 0
			Aggregator selection policy (ad_select): stable
			System priority: 65535
			System MAC address: 02:00:00:00:00:01
			Active Aggregator Info:
				Aggregator ID: 1
				Number of ports: 2
				Actor Key: 21
				Partner Key: 1007
				Partner Mac Address: 02:aa:bb:cc:dd:ee
		END
		for slave; do
			n=$((n + 1))
			cat <<-END

				Slave Interface: $slave
				MII Status: up
				Speed: 25000 Mbps
				Duplex: full
				Link Failure Count: 0
				Permanent HW addr: 02:00:00:00:01:0$n
				Slave queue ID: 0
				Aggregator ID: 1
				Actor Churn State: none
				Partner Churn State: none
				Actor Churned Count: 0
				Partner Churned Count: 0
				details actor lacp pdu:
				    system priority: 65535
				    system mac address: 02:00:00:00:00:01
				    port key: 21
				    port priority: 255
				    port number: $n
				    port state: 63
				details partner lacp pdu:
				    system priority: 127
				    system mac address: 02:aa:bb:cc:dd:ee
				    oper key: 1007
				    port priority: 127
				    port number: $((40 + n))
				    port state: 63
			END
		done
	} >"$T/proc/net/bonding/bond0"
}

alb() {
	local slave n=0
	{
		printf '%s\n' "Bonding Mode: adaptive load balancing" "Primary Slave: None" "Currently Active Slave: $1" \
			"MII Status: up" "MII Polling Interval (ms): 100"
		for slave; do
			n=$((n + 1))
			printf '\n%s\n' "Slave Interface: $slave"
			printf '%s\n' "MII Status: up" "Speed: 25000 Mbps" "Duplex: full" "Link Failure Count: 0" "Permanent HW addr: 02:00:00:00:01:0$n"
		done
	} >"$T/proc/net/bonding/bond0"
}

bonded() {	# bonded MODE
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	port eth1 0000:3b:00.1 queues=2 first_irq=60
	bond bond0 "$1" eth0 eth1
	mkdir -p "$T/proc/net/bonding"
	put_file sys/class/net/eth0/statistics/tx_bytes 1000
	put_file sys/class/net/eth1/statistics/tx_bytes 1000
	case $1 in 802*) lacp eth0 eth1 ;; *) alb eth0 eth1 ;; esac
}

has() { grep -qE "^$1 +[^ ]+ +$2 " <<<"$OUT" || fail "no $1 $2 in: $OUT"; }

# edit SLAVE SED: in the lines of that slave
edit() { sed -i "/^Slave Interface: $1\$/,/^\$/$2" "$T/proc/net/bonding/bond0"; }

healthy_mode4_has_no_fault() {
	bonded "802.3ad 4"
	txgbe bond audit --all
	rc 0
	has OK slave-lacp
	has OK bond-partner
	says "0 warnings, 0 faults"
}

healthy_mode6_has_no_fault() {
	bonded "balance-alb 6"
	txgbe bond audit --all bond0
	rc 0
	has OK slave-mac
	says "0 warnings, 0 faults"
}

every_fault_of_mode4_has_its_name() {
	local script name
	while IFS='|' read -r name script; do
		bonded "802.3ad 4"
		eval "$script"
		txgbe bond audit
		rc 1
		has FAULT "$name"
	done <<-'END'
		bond-no-miimon|sed -i 's/Interval (ms): 100/Interval (ms): 0/' "$T/proc/net/bonding/bond0"
		bond-no-partner|sed -i 's/02:aa:bb:cc:dd:ee/00:00:00:00:00:00/' "$T/proc/net/bonding/bond0"
		slave-down|edit eth1 's/MII Status: up/MII Status: down/'
		slave-speed|edit eth1 's/25000 Mbps/10000 Mbps/'
		slave-speed|edit eth1 's/25000 Mbps/Unknown/'
		slave-duplex|edit eth1 's/full/half/'
		slave-mtu|put_file sys/class/net/eth1/mtu 9000
		slave-aggregator|edit eth1 's/Aggregator ID: 1/Aggregator ID: 2/'
		slave-churn|edit eth1 's/Partner Churn State: none/Partner Churn State: churned/'
		slave-key|edit eth1 's/port key: 21/port key: 15/'
		slave-partner|edit eth1 's/oper key: 1007/oper key: 1008/'
		slave-expired|edit eth1 's/port state: 63/port state: 197/'
		slave-not-distributing|edit eth1 's/port state: 63/port state: 7/'
		bond-few-slaves|lacp eth0
	END
}

every_warning_of_mode4_has_its_name() {
	local script name
	while IFS='|' read -r name script; do
		bonded "802.3ad 4"
		eval "$script"
		txgbe bond audit
		rc 0
		has WARN "$name"
	done <<-'END'
		bond-hash|sed -i 's/layer3+4 (1)/layer2 (0)/' "$T/proc/net/bonding/bond0"
		bond-lacp-slow|sed -i 's/rate: fast/rate: slow/' "$T/proc/net/bonding/bond0"
		slave-failures|edit eth0 's/Failure Count: 0/Failure Count: 3/'
		bond-slow-miimon|sed -i 's/Interval (ms): 100/Interval (ms): 5000/' "$T/proc/net/bonding/bond0"
	END
}

every_fault_of_mode6_has_its_name() {
	bonded "balance-alb 6"
	put_file sys/class/net/eth1/address "$(cat "$T/sys/class/net/eth0/address")"
	txgbe bond audit
	rc 1
	has FAULT slave-same-mac
	bonded "balance-alb 6"
	mkdir -p "$T/sys/devices/virtual/net/br0/bridge"
	ln -s ../../devices/virtual/net/br0 "$T/sys/class/net/br0"
	ln -s ../br0 "$T/sys/devices/virtual/net/bond0/master"
	txgbe bond audit
	rc 1
	has FAULT bond-alb-bridged
}

foreign_bonds_are_not_ours() {
	bonded "802.3ad 4"
	port ens9 0000:07:00.0 driver=ice first_irq=80
	sed 's/eth[01]/ens9/' "$T/proc/net/bonding/bond0" >"$T/proc/net/bonding/bond7"
	txgbe bond audit --all
	rc 0
	says_not bond7
}

# Hashes computed by another hand: the packet as bytes, read as little-endian words.
hash_is_the_kernels() {
	local line src dst sport dport want
	bonded "802.3ad 4"
	python3 - >"$T/run/want" <<-'END'
		import ipaddress, random, struct
		random.seed(5)
		def fold(a):
		    w = struct.unpack("<%dI" % (len(a) // 4), a)
		    r = 0
		    for x in w: r ^= x
		    return r
		for i in range(40):
		    if i % 2:
		        s, d = (ipaddress.IPv4Address(random.getrandbits(32)) for _ in "ab")
		    else:
		        s, d = (ipaddress.IPv6Address((0x20010db8 << 96) | random.getrandbits(80) & random.choice([0xffff, 2**80 - 1])) for _ in "ab")
		    sp, dp = random.randrange(65536), random.randrange(65536)
		    h = struct.unpack("<I", struct.pack(">HH", sp, dp))[0] ^ fold(d.packed) ^ fold(s.packed)
		    h ^= h >> 16
		    h ^= h >> 8
		    h >>= 1
		    print(s, d, sp, dp, ["eth0", "eth1"][h % 2])
	END
	while read -r src dst sport dport want; do
		# shellcheck disable=SC1091,SC2016
		line=$(TXGBE_SYSROOT=$T ${BASH_UNDER_TEST:-bash} -c '. "$0/txgbe-common.sh"; . "$0/txgbe-bonding.sh"; bond_read bond0; bond_usable
			bond_hash layer3+4 "$@" && echo "${USABLE[R % ${#USABLE[@]}]}"' "$SCRIPTS/lib" "$src" "$dst" "$sport" "$dport")
		is "$line" "$want" "$src $dst $sport $dport"
	done < <(head -n 12 "$T/run/want")
	read -r src dst sport dport want <"$T/run/want"
	txgbe bond flows bond0 "$src" "$dst" "$sport" "$dport"
	rc 0
	is "$OUT" "$want"
}

flows_are_counted() {
	bonded "802.3ad 4"
	put_file run/ss "0 0 10.0.0.1:40001 10.0.0.2:5201" "0 0 10.0.0.1:40003 10.0.0.2:5201" "0 0 [2001:db8::1]:40005 [2001:db8::2]:5201"
	txgbe bond flows bond0
	rc 0
	says "of 3 connections"
	is "$(grep -c -- '->' <<<"$OUT")" 3
}

flows_need_the_policy() {
	bonded "802.3ad 4"
	sed -i 's/layer3+4 (1)/layer2+3 (2)/' "$T/proc/net/bonding/bond0"
	txgbe bond flows bond0
	rc 1
	says "layer2+3"
	bonded "balance-alb 6"
	txgbe bond flows bond0
	rc 1
}

down_slaves_get_no_flow() {
	local p
	bonded "802.3ad 4"
	edit eth0 's/MII Status: up/MII Status: down/'
	for p in 1 2; do
		txgbe bond flows bond0 10.0.0.1 10.0.0.2 $((40000 + p)) 5201
		is "$OUT" eth1
	done
}

fresh_ports() {
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2 first_irq=40
	port eth1 0000:3b:00.1 queues=2 first_irq=60
}

create_runs_the_right_commands() {
	fresh_ports
	txgbe bond create 4 bond0 eth0 eth1 --address 192.0.2.1/24 --mtu 9000
	rc 0
	is "$(grep -v 'addr show' "$T/run/ip.log")" "ip link add bond0 type bond mode 802.3ad miimon 100 lacp_rate fast xmit_hash_policy layer3+4
ip link set bond0 mtu 9000
ip link set eth0 down
ip link set eth0 master bond0
ip link set eth1 down
ip link set eth1 master bond0
ip link set bond0 up
ip addr add 192.0.2.1/24 dev bond0"
}

create_dry_run_runs_none() {
	fresh_ports
	txgbe bond create 6 bond0 eth0 eth1 -n
	rc 0
	says "mode balance-alb"
	[ ! -e "$T/run/ip.log" ] || ! grep -v 'addr show' "$T/run/ip.log"
}

removal_undoes_creation() {
	fresh_ports
	put_file sys/class/net/eth1/flags 0x1002
	find "$T/var" | sort >"$WORK/before" 2>/dev/null || :
	# shellcheck disable=SC2016 # for the made-up ip
	put_file run/on-ip '[[ "$*" != "link add"* ]] || mkdir -p "$TXGBE_SYSROOT/sys/devices/virtual/net/bond0"
		ln -sfn ../../devices/virtual/net/bond0 "$TXGBE_SYSROOT/sys/class/net/bond0"'
	txgbe bond create 4 bond0 eth0 eth1
	rc 0
	rm "$T/run/on-ip"
	bond bond0 "802.3ad 4" eth0 eth1
	mkdir -p "$T/proc/net/bonding"
	lacp eth0 eth1
	rm "$T/run/ip.log"
	# Another bond of that name, from the network configuration after a reboot.
	put_file proc/sys/kernel/random/boot_id bbbb-2
	txgbe bond remove bond0
	rc 1
	says "was not made by"
	rm "$T/proc/sys/kernel/random/boot_id"
	txgbe bond remove bond0 -n
	rc 0
	[ ! -e "$T/run/ip.log" ]
	mkdir -p "$T/sys/class/net/bond0/upper_v7"
	txgbe bond remove bond0
	rc 1
	says "v7 sits on bond0"
	rmdir "$T/sys/class/net/bond0/upper_v7"
	txgbe bond remove bond0
	rc 0
	is "$(cat "$T/run/ip.log")" "ip link set bond0 down
ip link set eth0 nomaster
ip link set eth1 nomaster
ip link del bond0
ip link set eth0 up"
	find "$T/var" | sort >"$WORK/after" 2>/dev/null || :
	cmp "$WORK/before" "$WORK/after"
	txgbe bond remove bond0
	rc 1
	says "was not made by"
}

failed_creation_is_taken_back() {
	fresh_ports
	put_file run/ip-refuses "link set eth1 master*"
	txgbe bond create 4 bond0 eth0 eth1
	rc 1
	says "Operation not permitted"
	is "$(tail -n 4 "$T/run/ip.log")" "ip link set eth0 nomaster
ip link set eth0 up
ip link set eth1 up
ip link del bond0"
}

unfit_ports_are_refused() {
	fresh_ports
	port ens9 0000:07:00.0 driver=ice first_irq=80
	txgbe bond create 4 bond0 eth0 ens9
	rc 1
	says "its driver is ice"
	txgbe bond create 4 bond0 eth0
	rc 2
	txgbe bond create 5 bond0 eth0 eth1
	rc 2
	txgbe bond create 4 bond0 eth0 eth1 --hash best
	rc 2
	txgbe bond create 4 bond0 eth0 eth1 --miimon 0
	rc 2
	put_file sys/class/net/eth1/speed 10000
	txgbe bond create 4 bond0 eth0 eth1
	rc 1
	says "10000"
	put_file sys/class/net/eth1/speed 25000
	put_file run/addr-eth1 "3: eth1    inet 192.0.2.9/24 scope global eth1"
	txgbe bond create 4 bond0 eth0 eth1
	rc 1
	says "192.0.2.9/24"
	rm "$T/run/addr-eth1"
	mkdir "$T/sys/class/net/eth1/upper_eth1.7"
	txgbe bond create 4 bond0 eth0 eth1
	rc 1
	says "eth1 has eth1.7 on it"
	rmdir "$T/sys/class/net/eth1/upper_eth1.7"
	bond bond3 "802.3ad 4" eth1
	txgbe bond create 4 bond0 eth0 eth1
	rc 1
	says "belongs to bond3"
	! grep -v 'addr show' "$T/run/ip.log"
}

proof_shows_the_sum() {
	bonded "802.3ad 4"
	put_file run/rate-1 23500
	put_file run/rate-8 46800
	put_file run/bytes-1 "eth0 14000000000" "eth1 0"
	put_file run/bytes-8 "eth0 14000000000" "eth1 13900000000"
	txgbe bond prove bond0 10.0.0.2
	rc 0
	says "1 flow:  23500 Mb/s (eth0 14000 MB, eth1 0 MB)"
	says "8 flows: 46800 Mb/s (eth0 14000 MB, eth1 13900 MB)"
	says "ratio:   1.99 with 2 slaves"
}

proof_fails_when_flows_stay_on_one_port() {
	bonded "802.3ad 4"
	put_file run/rate-1 23500
	put_file run/rate-8 23600
	put_file run/bytes-1 "eth0 14000000000" "eth1 0"
	put_file run/bytes-8 "eth0 14000000000" "eth1 0"
	txgbe bond prove bond0 10.0.0.2
	rc 1
	says "did not spread"
}

doctor_audits_bonds_too() {
	bonded "802.3ad 4"
	ethtool_state eth0
	ethtool_state eth1
	edit eth1 's/Aggregator ID: 1/Aggregator ID: 2/'
	txgbe doctor --only bonding
	rc 1
	has FAULT slave-aggregator
}

for name in healthy_mode4_has_no_fault healthy_mode6_has_no_fault every_fault_of_mode4_has_its_name \
	every_warning_of_mode4_has_its_name every_fault_of_mode6_has_its_name foreign_bonds_are_not_ours \
	hash_is_the_kernels flows_are_counted flows_need_the_policy down_slaves_get_no_flow \
	create_runs_the_right_commands create_dry_run_runs_none removal_undoes_creation failed_creation_is_taken_back unfit_ports_are_refused \
	proof_shows_the_sum proof_fails_when_flows_stay_on_one_port doctor_audits_bonds_too; do
	fact $name
done

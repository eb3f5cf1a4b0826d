# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What belongs to each script is there and says the same.

NAMES="affinity tune doctor bond acceptance"

every_script_has_help_with_examples() {
	local name
	T=$WORK/none
	mkdir -p "$T"
	for name in $NAMES; do
		txgbe "$name" --help
		rc 0
		says "Example"
	done
}

# options NAME: long options that its help names
options() { bash "$SCRIPTS/txgbe-$1" --help | grep -oE -- '--[a-z0-9-]+' | sort -u; }

manual_pages_name_every_option() {
	local name option text
	for name in $NAMES; do
		text=$(sed 's/\\-/-/g' "$SCRIPTS/man/txgbe-$name.8")
		[[ $text == *".TH TXGBE-${name^^} 8"* ]] || fail "man/txgbe-$name.8 has no title"
		for option in $(options "$name"); do
			[[ $text == *"$option"* ]] || fail "man/txgbe-$name.8 does not know $option"
		done
	done
}

# completed SCRIPT WORD...: what is offered for the last word
completed() {
	local cmd=$1
	shift
	T=$T bash -c '
		. "$0/completion/txgbe"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_txgbe "$1" "${COMP_WORDS[COMP_CWORD]}"
		printf "%s\n" "${COMPREPLY[@]}"' "$SCRIPTS" "$cmd" "$@"
}

completion_offers_every_option() {
	local name option offered
	for name in $NAMES; do
		offered=$(completed "txgbe-$name" --)
		for option in $(options "$name"); do
			case $option in --irqbalance) option=--irqbalance= ;; esac
			grep -qxF -- "$option" <<<"$offered" || fail "txgbe-$name: $option is not offered"
		done
	done
}

completion_offers_every_setting() {
	local key offered
	T=$WORK/none
	mkdir -p "$T"
	offered=$(completed txgbe-tune --set '')
	for key in $(bash "$SCRIPTS/txgbe-tune" --help | grep -oE '\b(ring|coalesce|feature|hash|sysfs|bonding)\.[a-z0-9_-]+' | sort -u); do
		grep -qxF -- "$key=" <<<"$offered" || fail "$key= is not offered"
	done
	grep -qx -- -R <<<"$(completed txgbe-bond -)"
}

completion_offers_words_and_only_our_ports() {
	tree "$T" nodes=1 cores=1
	port eth0 0000:3b:00.0 queues=1
	port enp5s0 0000:05:00.0 queues=1 driver=ixgbe first_irq=60
	is "$(TXGBE_SYSROOT=$T completed txgbe-affinity lo)" local
	is "$(TXGBE_SYSROOT=$T completed txgbe-affinity local e)" eth0
	is "$(TXGBE_SYSROOT=$T completed txgbe-tune thr)" throughput
	is "$(TXGBE_SYSROOT=$T completed txgbe-bond aud)" audit
}

units_are_bound_to_the_interface() {
	local name
	for name in affinity tune; do
		grep -qx 'BindsTo=sys-subsystem-net-devices-%i.device' "$SCRIPTS/systemd/txgbe-$name@.service"
		grep -qx 'WantedBy=sys-subsystem-net-devices-%i.device' "$SCRIPTS/systemd/txgbe-$name@.service"
		grep -qx "ExecStart=/usr/sbin/txgbe-$name --boot %I" "$SCRIPTS/systemd/txgbe-$name@.service"
	done
}

install_puts_everything_in_place_and_it_runs() {
	local name
	T=$WORK/inst
	make -s -C "$SCRIPTS" install DESTDIR="$T"
	for name in $NAMES; do
		[ -x "$T/usr/sbin/txgbe-$name" ] || fail "no txgbe-$name"
		[ -e "$T/usr/share/man/man8/txgbe-$name.8" ] || fail "no manual page of txgbe-$name"
		[ -e "$T/usr/share/bash-completion/completions/txgbe-$name" ] || fail "no completion of txgbe-$name"
	done
	[ -x "$T/usr/lib/txgbe/txgbe-irqbalance-policy" ]
	[ -e "$T/usr/lib/systemd/system/txgbe-affinity@.service" ]
	TXGBE_LIB=$T/usr/lib/txgbe bash "$T/usr/sbin/txgbe-affinity" --help >/dev/null
	make -s -C "$SCRIPTS" uninstall DESTDIR="$T"
	is "$(find "$T" -type f -o -type l)" "" "what uninstall leaves"
	# Elsewhere: the units start what is there.
	make -s -C "$SCRIPTS" install DESTDIR="$T" PREFIX=/usr/local
	for name in affinity tune; do
		grep -qx "ExecStart=/usr/local/sbin/txgbe-$name --boot %I" "$T/usr/lib/systemd/system/txgbe-$name@.service"
		[ -x "$T/usr/local/sbin/txgbe-$name" ]
	done
	make -s -C "$SCRIPTS" uninstall DESTDIR="$T" PREFIX=/usr/local
	is "$(find "$T" -type f -o -type l)" "" "what uninstall leaves"
}

uninstall_takes_back_what_was_set() {
	local before
	tree "$T" nodes=1 cores=2
	port eth0 0000:3b:00.0 queues=2
	port eth1 0000:3b:00.1 queues=2 first_irq=60
	ethtool_state eth0
	ethtool_state eth1
	process 812 irqbalance
	put_file etc/sysconfig/irqbalance '# a comment'
	before=$(tree_state)
	make -s -C "$SCRIPTS" install DESTDIR="$T"
	TXGBE_LIB=$T/usr/lib/txgbe TXGBE_SYSROOT=$T bash "$T/usr/sbin/txgbe-affinity" --persist --irqbalance=ban local
	TXGBE_LIB=$T/usr/lib/txgbe TXGBE_SYSROOT=$T bash "$T/usr/sbin/txgbe-tune" --persist throughput
	[ -e "$T/etc/systemd/system/txgbe-tune@eth1.service" ]
	# One port has gone meanwhile.
	rm -r "$T/sys/class/net/eth1" "$T/sys/devices/pci0000:00/0000:00:01.0/0000:3b:00.1" "$T/ethtool/eth1"
	make -s -C "$SCRIPTS" uninstall DESTDIR="$T"
	find "$T/usr" -depth -type d -exec rmdir {} +
	is "$(tree_state | grep -vE 'eth1|3b:00.1|irq/6')" "$(grep -vE 'eth1|3b:00.1|irq/6' <<<"$before")" tree
}

for name in every_script_has_help_with_examples manual_pages_name_every_option completion_offers_every_option completion_offers_every_setting \
	completion_offers_words_and_only_our_ports units_are_bound_to_the_interface \
	install_puts_everything_in_place_and_it_runs uninstall_takes_back_what_was_set; do
	fact $name
done

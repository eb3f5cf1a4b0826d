#!/bin/dash
# SPDX-License-Identifier: GPL-2.0-only
# status.sh N: ends with that status; "hang": never ends; "die": takes the kernel down; "hang-later", "die-later": ends
# with 0, and then the guest does so.
case $1 in
hang)
	while :; do sleep 1; done
	;;
die)
	echo c >/proc/sysrq-trigger
	sleep 10
	;;
hang-later | die-later)
	# A program that the lab's init calls between the last test and the end.
	ip=$(command -v ip)
	rm "$ip"
	if [ "$1" = hang-later ]; then
		printf '%s\n' '#!/bin/dash' 'while :; do sleep 1; done' >"$ip"
	else
		printf '%s\n' '#!/bin/dash' 'echo c >/proc/sysrq-trigger; sleep 10' >"$ip"
	fi
	chmod +x "$ip"
	echo "ok 1 - status 0"
	;;
*)
	echo "ok 1 - status $1"
	exit "$1"
	;;
esac

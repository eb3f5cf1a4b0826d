#!/bin/dash
# SPDX-License-Identifier: GPL-2.0-only
# status.sh N: ends with that status; "hang": never ends; "die": takes the kernel down.
case $1 in
hang)
	while :; do sleep 1; done
	;;
die)
	echo c >/proc/sysrq-trigger
	sleep 10
	;;
*)
	echo "ok 1 - status $1"
	exit "$1"
	;;
esac

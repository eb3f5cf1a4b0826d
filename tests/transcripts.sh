#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# transcripts.sh [LAB OPTION...]: boots a guest with each kind of card and writes what ethtool and
# devlink say there to docs/transcripts-ff5025.md and -ff5040.md.
set -u
tree=$(cd "$(dirname "$0")/.." && pwd) || exit 1
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.md"' EXIT

take() {	# take NAME TOPOLOGY [LAB OPTION...]
	local name=$1 topo=$2
	shift 2
	if ! "$tree/lab/lab.py" run --kernel newest --driver ours --topo "$topo" --timeout 600 \
			--log "$log" "$@" -- transcript.sh; then
		echo "transcripts: no transcript of the $name" >&2
		return 1
	fi
	{
		echo "<!-- SPDX-License-Identifier: GPL-2.0-only -->"
		echo "# ${name^^} on the emulated adapter"
		echo
		echo "Taken by \`tests/transcripts.sh\` in the lab: a pair of ports wired together, after 4 MiB of"
		echo "TCP each way. Counters and times are the emulator's."
		tr -d '\r' <"$log" | sed -n 's/^@@ //p' | sed 's/ *$//'
	} >"$log.md"
	mv "$log.md" "$tree/docs/transcripts-$name.md"
}

take ff5025 pair25 "$@" && take ff5040 pair40 "$@"

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Findings: what txgbe-doctor and txgbe-bond audit report, for people and as JSON. STATE is
#
#	ok	it is right
#	info	a fact to know, nothing to mend
#	warn	costs something, or will
#	fault	wrong; the command that mends it comes with it

F_STATE=() F_SUBJECT=() F_NAME=() F_TEXT=() F_FIX=()

finding() {	# finding STATE SUBJECT NAME TEXT [FIX]
	F_STATE+=("$1")
	F_SUBJECT+=("$2")
	F_NAME+=("$3")
	F_TEXT+=("$4")
	F_FIX+=("${5:-}")
}

# nr_findings STATE: R
nr_findings() {
	local s
	R=0
	for s in "${F_STATE[@]}"; do [ "$s" != "$1" ] || R=$((R + 1)); done
}

findings_human() {	# findings_human ALL: ALL=1 shows what is right too
	local i
	for i in "${!F_STATE[@]}"; do
		[ "$1" = 1 ] || [ "${F_STATE[i]}" != ok ] || continue
		printf '%-5s  %-10s %-20s %s\n' "${F_STATE[i]^^}" "${F_SUBJECT[i]}" "${F_NAME[i]}" "${F_TEXT[i]}"
		[ -z "${F_FIX[i]}" ] || printf '%-38s-> %s\n' '' "${F_FIX[i]}"
	done
}

findings_json() {
	local i sep='' s n t f
	printf '{"version":1,"findings":['
	for i in "${!F_STATE[@]}"; do
		json_string "${F_SUBJECT[i]}"; s=$R
		json_string "${F_NAME[i]}"; n=$R
		json_string "${F_TEXT[i]}"; t=$R
		json_string "${F_FIX[i]}"; f=$R
		printf '%s\n{"state":"%s","subject":%s,"name":%s,"text":%s,"fix":%s}' "$sep" "${F_STATE[i]}" "$s" "$n" "$t" "$f"
		sep=,
	done
	printf '\n]'
	for s in ok info warn fault; do
		nr_findings $s
		printf ',"%s":%d' $s "$R"
	done
	printf '}\n'
}

# Prints the findings and ends: 1 if there is a fault.
findings_end() {	# findings_end JSON ALL
	local warns faults
	nr_findings fault; faults=$R
	nr_findings warn; warns=$R
	if [ "$1" = 1 ]; then
		findings_json
	else
		findings_human "$2"
		nr_findings ok
		say "$R right, $warns warnings, $faults faults"
	fi
	[ "$faults" = 0 ] || exit 1
	exit 0
}

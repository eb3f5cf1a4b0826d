# SPDX-License-Identifier: GPL-2.0-only
# Turns what a selftest of the kernel printed (KTAP, or the "TEST: name [ OK ]" of its shell library) into our lines.
#
#	prefix	selftest/drivers/net/hw/csum; the case's name follows behind a dot
#	status	exit status of the test; 4 is a skip, 124 and 137 the time limit
#	known	file: name, blanks, why the case cannot pass; a name that ends in * stands for all that begin so
#	number	of the last line before
#
# Cases without a result, a test without cases, and a status that no case explains are failures.

BEGIN {
	while ((getline line < known) > 0) {
		if (line ~ /^#/ || line !~ /[^ \t]/)
			continue
		name = line
		sub(/[ \t].*/, "", name)
		sub(/^[^ \t]+[ \t]+/, "", line)
		if (sub(/\*$/, "", name))
			start_why[name] = line
		else
			why[name] = line
	}
	own = prefix
	sub(/.*\//, "", own)
	planned = -1
}

function case_name(name)
{
	gsub(/^[ -]+|[ \t]+$/, "", name)
	gsub(/[ \t]+/, "_", name)
	if (index(name, own ".") == 1)
		name = substr(name, length(own) + 2)
	return name == "" || name == own ? prefix : prefix "." name
}

# Why a case cannot pass, or ""
function excuse(name,    start)
{
	if (name in why)
		return why[name]
	for (start in start_why)
		if (index(name, start) == 1)
			return start_why[start]
	return ""
}

function say(result, name, reason)
{
	cases++
	number++
	if ((result == "fail" || result == "skip") && excuse(name) != "") {
		print "ok " number " - " name " # SKIP cannot pass: " excuse(name)
		excused++
	} else if (result == "fail") {
		print "not ok " number " - " name (reason == "" ? "" : " # " reason)
		failed++
	} else if (result == "skip") {
		print "ok " number " - " name " # SKIP " (reason == "" ? "said so itself" : reason)
	} else {
		print "ok " number " - " name
		if (excuse(name) != "")
			print "# " name " passes, but known.list says: " excuse(name)
	}
}

/^1\.\.[0-9]+/ {
	planned = substr($1, 4) + 0
	if (/# *SKIP/) {
		reason = $0
		sub(/.*# *SKIP */, "", reason)
		say("skip", prefix, reason)
		planned = -1
	}
	next
}

/^(not )?ok / {
	line = $0
	bad = line ~ /^not /
	sub(/^(not )?ok +[0-9]* */, "", line)
	reason = ""
	if (match(line, / *# */)) {
		reason = substr(line, RSTART + RLENGTH)
		line = substr(line, 1, RSTART - 1)
	}
	name = case_name(line)
	if (reason ~ /^(SKIP|XFAIL)/) {
		sub(/^SKIP */, "", reason)
		say("skip", name, reason)
	} else {
		say(bad ? "fail" : "pass", name, reason == "" ? last : reason)
	}
	last = ""
	next
}

/^TEST: .*\[ *(OK|FAIL|SKIP|XFAIL) *\]/ {
	line = $0
	sub(/^TEST: */, "", line)
	match(line, /\[ *(OK|FAIL|SKIP|XFAIL) *\]/)
	result = substr(line, RSTART, RLENGTH)
	name = case_name(substr(line, 1, RSTART - 1))
	if (result ~ /OK/)
		say("pass", name, "")
	else if (result ~ /FAIL/ && result !~ /XFAIL/)
		say("fail", name, "")
	else
		say("skip", name, "said so itself")
	next
}

/^SKIP: / { skipping = substr($0, 7) }
/KsftSkipEx: / {
	skipping = $0
	sub(/.*KsftSkipEx: */, "", skipping)
}
/^TAP version|^KTAP version/ { next }

{
	line = $0
	sub(/^# ?/, "", line)
	if (line ~ /^Check failed|^Exception\| [A-Za-z_.]*(Error|Exception|Failure|Ex):|^Exception\| +(EXIT|STDERR): /) {
		sub(/^Exception\| +/, "", line)
		if (length(last) < 200)
			last = last (last == "" ? "" : "; ") line
	}
	if (line != "")
		print "#   " line
}

END {
	if (status == 124 || status == 137)
		say("fail", prefix ".time_limit", "not done within " limit " s")
	else if (!cases && (status == 4 || skipping != ""))
		say("skip", prefix, skipping == "" ? "said so itself" : skipping)
	else if (!cases)
		say("fail", prefix, "ended with status " status " before any case; " last)
	else if (planned >= 0 && cases < planned)
		say("fail", prefix ".plan", cases " of " planned " cases ran")
	else if (status && status != 4 && !failed && !excused)
		say("fail", prefix ".status", "status " status)
}

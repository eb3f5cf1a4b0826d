#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes docs/selftests.md of what the kernel's own selftests said.

  tests/ksft_table.py LOG... >docs/selftests.md
  tests/ksft_table.py check                     names the tests of the suite that have no row there

LOGs are those of the boots selftests-* (build/logs). Of a test that several logs have, the last one
counts. Reasons are those of tests/guest/ksft/known.list as it is now.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(HERE, "guest/ksft/known.list")
SUITE = os.path.join(HERE, "suites/all.list")
DOCUMENT = os.path.join(os.path.dirname(HERE), "docs/selftests.md")

HEAD = """# The kernel's own selftests

`tools/testing/selftests/drivers/net` and `drivers/net/hw` of the newest kernel's source,
unmodified, on this driver and the emulated adapter: `make test-all SHARD=all-selftests`. Port 0 is
under test, port 1 the remote end; ethtool_extended_state has copper cables, rss_ctx and
pp_alloc_fail virtual time. Written by `tests/ksft_table.py` from the logs of such runs; "cannot
pass" is what `tests/guest/ksft/known.list` names.

"""


def known():
    """[(pattern of a case's whole name, why it cannot pass)]."""
    with open(KNOWN, encoding="utf-8") as f:
        rows = [line.split(None, 1) for line in f if line.strip() and line[0] != "#"]
    return [(re.compile(re.escape(name).replace(r"\*", ".*") + "$"), why.strip())
            for name, why in rows]


def judge(result, name, reason, excuses):
    """(kind of the result, reason) of one case."""
    if result == "ok" and not reason.startswith("SKIP"):
        return "pass", reason
    for pattern, why in excuses:
        if pattern.match(name):
            return "cannot", why
    if result == "not ok":
        return "FAIL", reason
    return "skip", re.sub(r"^(SKIP|XFAIL) *", "", re.sub(r"^SKIP *", "", reason))


def read(paths):
    """{test: {case: (result, reason)}} of the logs, tests and cases in the order they ran."""
    tests, excuses = {}, known()
    for path in paths:
        here = {}
        with open(path, encoding="utf-8", errors="replace") as f:
            for line in f:
                m = re.match(r"(ok|not ok) \d+ - (selftest/([^\s.]+)(?:\.(\S+))?)(?: # (.*))?$",
                             line.rstrip())
                if m:
                    result, name, test, case, reason = m.groups()
                    here.setdefault(test, {})[case or ""] = judge(result, name, reason or "",
                                                                  excuses)
        tests.update(here)
    return tests


def missing(tests):
    """Names of tests of the suite that no log has."""
    with open(SUITE, encoding="utf-8") as f:
        names = re.findall(r"^\tksft/run (\S+)\.(?:py|sh)\b", f.read(), re.M)
    return [name for name in names if name not in tests]


def short(cases):
    """Names of @cases, those of a long list by what they begin with: "test.hw_i* (90)"."""
    names = [c for c in cases if c]
    if len(names) > 6:
        groups = {}
        for name in names:
            head, _, last = name.rpartition(".")
            groups.setdefault((head, re.sub(r"_.*", "", last)), []).append(name)
        names = [f"{os.path.commonprefix(g)}* ({len(g)})" if len(g) > 2 else ", ".join(g)
                 for g in groups.values()]
    return ", ".join(names)


def table(tests):
    """The document."""
    out = [HEAD]
    kinds = ["pass", "FAIL", "cannot", "skip"]
    out.append("| test | pass | fail | cannot pass | skip |\n|---|---|---|---|---|\n")
    total = dict.fromkeys(kinds, 0)
    for test, cases in tests.items():
        count = {k: sum(1 for r, _ in cases.values() if r == k) for k in kinds}
        for k in kinds:
            total[k] += count[k]
        out.append(f"| {test} | " + " | ".join(str(count[k] or "") for k in kinds) + " |\n")
    out.append("| **all** | " + " | ".join(str(total[k]) for k in kinds) + " |\n")
    if missing(tests):
        out.append(f"\nNot in these logs: {', '.join(missing(tests))}.\n")
    for kind, title in (("FAIL", "Failed"), ("cannot", "Cannot pass"), ("skip", "Skipped")):
        # Cases of one test with one reason make one row.
        merged = {}
        for test, cases in tests.items():
            for case, (result, why) in cases.items():
                if result == kind:
                    merged.setdefault((test, why), []).append(case)
        if not merged:
            continue
        out.append(f"\n## {title}\n\n| case | {'why' if kind == 'FAIL' else 'what is missing'} |\n"
                   "|---|---|\n")
        for (test, why), cases in merged.items():
            names = short(cases)
            why = why.replace("|", "\\|") or "-"
            out.append(f"| {test}{': ' + names if names else ''} | {why} |\n")
    return "".join(out)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1:] == ["check"]:
        with open(DOCUMENT, encoding="utf-8") as doc:
            rows = set(re.findall(r"^\| (\S+) \|", doc.read(), re.M))
        lost = missing(rows)
        print("".join(f"docs/selftests.md: no row for {name}\n" for name in lost), end="")
        sys.exit(bool(lost))
    sys.stdout.write(table(read(sys.argv[1:])))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table "what was seen on which kernel", made of what the test runs left behind.

  tools/kernel-matrix.py show             the table of the runs in build/logs
  tools/kernel-matrix.py update [FILE...] takes these runs (and the output of tests/build/matrix.sh in
                                          FILEs) into tests/kernel-matrix.json, and the table into README.md
  tools/kernel-matrix.py check            README.md holds the table of tests/kernel-matrix.json, and each
                                          test has a column or a table elsewhere

A cell counts facts: passed, of those that did not pass how many failed and were skipped. A test that runs
again with the same kernel and machine replaces what was there; what a run leaves out stays. A kernel
that the lab does not have, compiled by hand, is named by the link to its build directory:

  ln -s /path/to/build opencloudos-5.4 && tests/build/matrix.sh opencloudos-5.4 | tee log
  tools/kernel-matrix.py update log
"""

import argparse
import glob
import json
import os
import re
import sys

TREE = os.environ.get("KERNEL_MATRIX_TREE",
                      os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOGS = os.path.join(TREE, "build", "logs")
STORE = os.path.join(TREE, "tests", "kernel-matrix.json")
README = os.path.join(TREE, "README.md")
BEGIN = "<!-- kernel-matrix: by tools/kernel-matrix.py update -->"
END = "<!-- kernel-matrix end -->"

# Rows in this order, others behind them: as the lab calls the kernel, as people do.
ROWS = {
    "opencloudos-5.4": "OpenCloudOS 8",
    "debian-5.10": "Debian 5.10",
    "debian-6.1": "Debian 6.1",
    "debian-6.1-arm64": "Debian 6.1, arm64",
    "opencloudos-6.6": "OpenCloudOS 9",
    "debian-6.12": "Debian 6.12",
    "debian-6.12-arm64-16k": "Debian 6.12, arm64, 16 KiB pages",
    "newest": "newest",
    "newest-clang": "newest, clang",
    "newest-debug": "newest, debug",
}

# Columns and the tests (directories, or scripts) of tests/guest that count there.
COLUMNS = {
    "link": "net/link net/linkset net/fec net/pause net/module net/led net/lifecycle",
    "traffic": "net/basic net/offload net/payload net/mtu net/rss net/stats net/pktgen net/moderation "
               "net/matrix net/tunnel net/filter net/vlan net/vectors net/napi net/split bench",
    "ethtool, devlink": "net/ethtool net/ethdump net/ethstats net/selftest net/address net/hwmon net/wol "
                        "net/ntuple net/queues net/arfs net/pcie net/ptp ctl",
    "XDP, AF_XDP": "net/xdp net/xsk",
    "faults, recovery": "driver",
    "bonds": "bond",
    "scripts": "scripts",
}

# Tests with a table of their own, and where that is. The kernel's selftests run on the newest kernel alone, and
# have more cases than all others together; most of those that do not pass name what is missing.
ELSEWHERE = {"ksft/run": "docs/selftests.md"}


def column(script):
    """Column of a test, None if it has none."""
    for name, tests in COLUMNS.items():
        if script in tests.split() or script.split("/", 1)[0] in tests.split():
            return name
    return None


def empty():
    """What is known before any run."""
    return {"compiled": {}, "boots": {}, "tests": {}}


def read_tap(path, store):
    """Lines of tests/build/matrix.sh in the file @path."""
    line_is = re.compile(r"(ok|not ok) \d+ - ([\w.-]+): (\S+) compiles without a warning(.*)")
    with open(path, encoding="utf-8", errors="replace") as f:
        for m in filter(None, map(line_is.match, f)):
            store["compiled"][m.group(2)] = {"ok": m.group(1) == "ok", "release": m.group(3),
                                             "symbols": "symbols not checked" not in m.group(4)}


def read_records(path, store):
    """JSON records of boots with our driver in the file @path."""
    with open(path, encoding="utf-8") as f:
        for record in map(json.loads, f):
            if record["driver"] != "ours":
                continue
            kernel = record["kernel"]
            machine = f"{os.path.basename(record['topo'])} smp{record['smp']}" \
                + (" icount" if record["icount"] else "")
            store["boots"].setdefault(kernel, {})[record["suite"]] = {
                "ok": not record["failed"] and bool(record["passed"]),
                "release": record["release"]}
            for test in record["tests"]:
                store["tests"].setdefault(kernel, {})[f"{test['name']} on {machine}"] = [
                    test["passed"], test["failed"], test["skipped"]]


def read_runs(store, files=()):
    """Take the runs of build/logs, the oldest first, then those in @files."""
    found = glob.glob(os.path.join(LOGS, "*.jsonl")) + glob.glob(os.path.join(LOGS, "*.tap"))
    for path in sorted(found, key=os.path.getmtime) + list(files):
        (read_records if path.endswith(".jsonl") else read_tap)(path, store)
    return store


def cell(passed, failed, skipped):
    """Text of one count."""
    text = str(passed)
    if failed:
        text += f", **{failed} failed**"
    if skipped:
        text += f", {skipped} skipped"
    return text


def row(kernel, store):
    """Cells of one kernel."""
    compiled = store["compiled"].get(kernel)
    boots = store["boots"].get(kernel, {})
    releases = {b["release"] for b in boots.values()}
    release = max(releases) if releases else compiled["release"] if compiled else ""
    cells = [f"{ROWS.get(kernel, kernel)}: {release}",
             "-" if not compiled else "**no**" if not compiled["ok"]
             else "yes" if compiled["symbols"] else "yes, not linked"]
    bad = sum(not b["ok"] for b in boots.values())
    cells.append(cell(len(boots) - bad, bad, 0) if boots else "-")
    sums = {name: None for name in COLUMNS}
    for test, counts in store["tests"].get(kernel, {}).items():
        name = column(re.split(r"[: ]", test, maxsplit=1)[0])
        if name:
            sums[name] = [a + b for a, b in zip(sums[name] or (0, 0, 0), counts)]
    return cells + [cell(*s) if s else "-" for s in sums.values()]


def table(store):
    """The table as lines of Markdown; empty when there is nothing to tell."""
    known = {*store["compiled"], *store["boots"]}
    rows = [k for k in ROWS if k in known] + sorted(known - set(ROWS))
    if not rows:
        return ""
    head = ["kernel", "W=1 silent", "boots", *COLUMNS]
    lines = [head, ["---"] * len(head), *(row(k, store) for k in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def load():
    """What is in the store."""
    with open(STORE, encoding="utf-8") as f:
        return json.load(f)


def split(text):
    """README.md as (before, between, after) the markers; ValueError when they are not there once."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"README.md: want one line {BEGIN} and behind it one {END}")
    before, rest = text.split(BEGIN)
    between, after = rest.split(END)
    return before + BEGIN + "\n", between.lstrip("\n"), END + after


def update(files):
    """Take new runs in, write the store and README.md."""
    store = load() if os.path.exists(STORE) else empty()
    read_runs(store, files)
    with open(README, encoding="utf-8") as f:
        before, _old, after = split(f.read())
    with open(STORE, "w", encoding="utf-8") as f:
        json.dump(store, f, indent=1, sort_keys=True)
        f.write("\n")
    with open(README, "w", encoding="utf-8") as f:
        f.write(before + table(store) + after)


def check():
    """Complaints about README.md and the columns."""
    found = []
    try:
        with open(README, encoding="utf-8") as f:
            _before, between, _after = split(f.read())
        if between != table(load()):
            found.append("README.md: the table is not that of tests/kernel-matrix.json; "
                         "tools/kernel-matrix.py update writes it, nobody else")
    except (OSError, ValueError) as err:
        found.append(str(err))
    for path in sorted(glob.glob(os.path.join(TREE, "tests", "guest", "*", "*.sh"))):
        script = os.path.relpath(path, os.path.join(TREE, "tests", "guest"))[:-3]
        if script in ELSEWHERE:
            if not os.path.exists(os.path.join(TREE, ELSEWHERE[script])):
                found.append(f"tests/guest/{script}.sh: there is no {ELSEWHERE[script]}, which has its table")
        elif os.path.basename(script) not in ("lib", "common") and not column(script):
            found.append(f"tests/guest/{script}.sh: no column of tools/kernel-matrix.py counts it")
    return found


def main():
    """Parse the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["show", "update", "check"])
    parser.add_argument("file", nargs="*")
    args = parser.parse_args()
    if args.command == "update":
        try:
            update(args.file)
        except ValueError as err:
            print(f"kernel-matrix.py: {err}", file=sys.stderr)
            return 1
    elif args.command == "show":
        print(table(read_runs(empty(), args.file)), end="")
    else:
        found = check()
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())

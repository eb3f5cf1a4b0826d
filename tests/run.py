#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs a suite of guest tests: every boot of the list through the lab, then one summary.

A suite (tests/suites/*.list) is made of lines; '#' starts a comment:

  set NAME=VALUE           variable for every test that follows (unless the test's line sets it)
  shard NAME               the boots that follow belong to this shard
  boot NAME OPTION...      one boot: a name and options of `lab.py suite`; several kernels behind
                           --kernel, separated by commas, make several boots
      TEST [NAME=VALUE...] indented: a script of tests/guest that runs in that boot, in order

Exit status 0 when nothing failed.  The last line is "N passed, N failed, N skipped".
"""

import argparse
import dataclasses
import json
import os
import shlex
import subprocess
import sys
import threading
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAB = os.path.join(TREE, "lab", "lab.py")


class SuiteError(Exception):
    """The list cannot be understood."""


@dataclasses.dataclass
class Boot:
    """One line "boot" with its tests."""

    name: str
    options: list
    shard: str
    tests: list = dataclasses.field(default_factory=list)


def _per_kernel(name, options):
    """[(name, options)] with one kernel each."""
    if "--kernel" not in options:
        return [(name, options)]
    at = options.index("--kernel") + 1
    kernels = options[at].split(",")
    return [(f"{name}-{kernel}" if len(kernels) > 1 else name,
             options[:at] + [kernel] + options[at + 1:]) for kernel in kernels]


def load(path):
    """Boots of the suite in the file @path."""
    boots, current, shard, variables = [], [], "", {}
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            words = shlex.split(line, comments=True)
            if not words:
                continue
            try:
                if line[0].isspace():
                    given = {w.split("=", 1)[0] for w in words[1:]}
                    words += [f"{k}={v}" for k, v in variables.items() if k not in given]
                    for boot in current:
                        boot.tests.append(shlex.join(words))
                    if not current:
                        raise SuiteError("a test before the first boot")
                elif words[0] == "set" and len(words) == 2 and "=" in words[1]:
                    key, value = words[1].split("=", 1)
                    variables[key] = value
                elif words[0] == "shard" and len(words) == 2:
                    shard = words[1]
                elif words[0] == "boot" and len(words) > 2:
                    current = [Boot(n, o, shard) for n, o in _per_kernel(words[1], words[2:])]
                    boots += current
                else:
                    raise SuiteError("neither set, shard, boot nor an indented test")
            except SuiteError as err:
                raise SuiteError(f"{path}:{number}: {err}") from None
    return boots


def run_boot(boot, args):
    """One boot; returns (its record, made up when the lab itself failed; what it printed)."""
    if args.deadline and time.time() > args.deadline:
        return {"suite": boot.name, "passed": 0, "failed": 0, "skipped": 1, "violations": 0,
                "seconds": 0, "log": "", "status": 0}, f"ok - {boot.name} # SKIP no time left\n"
    log = os.path.join(args.logs, f"{boot.shard + '-' if boot.shard else ''}{boot.name}.log")
    results = f"{log}.json"
    if os.path.exists(results):
        os.remove(results)
    command = [sys.executable, LAB, "suite", *boot.options, "--suite", boot.name,
               "--results", results, "--log", log]
    command += ["--quiet"] if args.quiet else []
    command += ["--", *boot.tests]
    text = f"## {boot.name}: {' '.join(boot.options)}\n"
    start = time.monotonic()
    if args.jobs == 1:
        print(text, end="", flush=True)
        text = ""
        status = subprocess.run(command, cwd=TREE, check=False).returncode
    else:
        done = subprocess.run(command, cwd=TREE, check=False, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        status, text = done.returncode, text + done.stdout
    if os.path.exists(results):
        with open(results, encoding="utf-8") as f:
            records = [json.loads(line) for line in f]
        os.remove(results)
        if records:
            return records[-1] | {"log": log, "status": status}, text
    return {"suite": boot.name, "passed": 0, "failed": 1, "skipped": 0, "violations": 0,
            "seconds": round(time.monotonic() - start, 1), "log": log, "status": status or 1}, text


def _width(boot, jobs):
    """How many of @jobs places a boot takes: one for two virtual CPUs, which wait half of the time."""
    smp = boot.options[boot.options.index("--smp") + 1] if "--smp" in boot.options else "1"
    return min(jobs, (int(smp) + 1) // 2)


def run_all(boots, args, results):
    """Run @boots, up to --jobs at once; the records in their order, which also go to the file @results."""
    records, todo, free = {}, list(enumerate(boots)), args.jobs
    change = threading.Condition()

    def work(number, boot):
        nonlocal free
        record, text = run_boot(boot, args)
        with change:
            print(text, end="", flush=True)
            # Not what was made up here: the file tells what ran.
            if "tests" in record:
                with open(results, "a", encoding="utf-8") as f:
                    f.write(json.dumps(record) + "\n")
            records[number] = record
            free += _width(boot, args.jobs)
            change.notify()

    with change:
        while len(records) < len(boots):
            fits = next(((n, b) for n, b in todo if _width(b, args.jobs) <= free), None)
            if fits is None:
                change.wait()
                continue
            todo.remove(fits)
            free -= _width(fits[1], args.jobs)
            threading.Thread(target=work, args=fits, daemon=True).start()
    return [records[n] for n in range(len(boots))]


def _unused_excuses(results):
    """Run the lab's check that every allow-list entry was needed; returns failures."""
    done = subprocess.run([sys.executable, LAB, "allow-check", "--results", results],
                          cwd=TREE, check=False, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="", flush=True)
    return 1 if done.returncode else 0


def main():
    """Parse the command line, run, sum up; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="file, or the name of one in tests/suites")
    parser.add_argument("--shard", action="append", help="only this shard (may be repeated)")
    parser.add_argument("--boot", action="append", help="only this boot (may be repeated)")
    parser.add_argument("--logs", default=os.path.join(TREE, "build", "logs"))
    parser.add_argument("--results", help="file of JSON records (default: in --logs, made new)")
    parser.add_argument("--list", action="store_true", help="print the boots and stop")
    parser.add_argument("--deadline", type=float,
                        help="seconds since the epoch; boots not begun by then are skipped")
    parser.add_argument("--quiet", action="store_true", help="TAP lines only")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="places for boots at once, one for two virtual CPUs (default 1); what a "
                        "boot prints then comes when it ends")
    args = parser.parse_args()
    path = args.suite
    if not os.path.exists(path):
        path = os.path.join(TREE, "tests", "suites", f"{args.suite}.list")
    try:
        boots = load(path)
    except (OSError, SuiteError) as err:
        print(f"run.py: {err}", file=sys.stderr)
        return 2
    chosen = [b for b in boots if (not args.shard or b.shard in args.shard)
              and (not args.boot or b.name in args.boot)]
    for kind, wanted, known in (("shard", args.shard, {b.shard for b in boots}),
                                ("boot", args.boot, {b.name for b in boots})):
        for name in set(wanted or []) - known:
            print(f"run.py: no such {kind}: {name}", file=sys.stderr)
            return 2
    if args.list:
        for b in chosen:
            print(f"{b.shard or '-':12} {b.name:24} {' '.join(b.options)}")
            for test in b.tests:
                print(f"{'':12}   {test}")
        return 0
    os.makedirs(args.logs, exist_ok=True)
    results = args.results
    if not results:
        results = os.path.join(args.logs, "results.jsonl")
        if os.path.exists(results):
            os.remove(results)
    start = time.monotonic()
    records = run_all(chosen, args, results)
    print(f"\n{'boot':28} {'passed':>6} {'failed':>6} {'skipped':>7} {'viol.':>5} {'s':>6}")
    for b, r in zip(chosen, records):
        print(f"{b.name:28} {r['passed']:6} {r['failed']:6} {r['skipped']:7} "
              f"{r['violations']:5} {r['seconds']:6.0f}"
              + (f"   log: {os.path.relpath(r['log'])}" if r["failed"] else ""))
    failed = sum(r["failed"] for r in records)
    # An excuse that a part of the suite does not need may be needed by the rest.
    whole = len(chosen) == len(boots) or (args.shard and not args.boot)
    if whole and not any(r["skipped"] and not r["log"] for r in records):
        failed += _unused_excuses(results)
    print(f"{time.monotonic() - start:.0f} s")
    print(f"{sum(r['passed'] for r in records)} passed, {failed} failed, "
          f"{sum(r['skipped'] for r in records)} skipped", flush=True)
    return 1 if failed or any(r["status"] for r in records) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

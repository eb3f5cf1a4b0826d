#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Everything that "make test" is: prepares the lab, runs the stages one after the other, adds up.

  tests/main.py                 all stages of "make test"
  tests/main.py STAGE...        only these
  tests/main.py --list          their names
  tests/main.py --all [SHARD]   "make test-all": all its shards, or one

A stage prints TAP.  A stage that fails without a "not ok" counts as one failure.  The last line
is "N passed, N failed, N skipped"; the exit status is 0 when nothing failed.
"""

import argparse
import os
import re
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAB = [os.path.join(TREE, "lab", "lab.py")]
GUESTS = [os.path.join(TREE, "tests", "run.py")]
TEST_LIST = os.path.join(TREE, "tests", "suites", "test.list")
ALL_LIST = os.path.join(TREE, "tests", "suites", "all.list")


def _lab_path(*words):
    return subprocess.run([*LAB, *words], check=True, text=True, capture_output=True).stdout.strip()


def _qtest(*extra):
    return [sys.executable, os.path.join(TREE, "emulator", "tests", "run.py"),
            "--qemu", _lab_path("qemu"), *extra]


def _fuzz(seconds):
    return [sys.executable, os.path.join(TREE, "emulator", "tests", "fuzz.py"),
            "--qemu", _lab_path("qemu", "--asan"), "--seconds", str(seconds)]


# name, what has to be prepared, function that gives the command
STAGES = [
    ("static", ["debian-6.1", "debian-6.12", "newest"],
     lambda: [os.path.join(TREE, "tools", "check.sh")]),
    ("matrix", ["debian-5.10", "debian-6.1", "debian-6.12", "newest"],
     lambda: [os.path.join(TREE, "tests", "build", "matrix.sh")]),
    ("qtest", ["qemu"], _qtest),
    ("lab", ["qemu", "debian-6.1", "newest-debug"], lambda: [*LAB, "selftest"]),
    ("guests", ["qemu", "debian-5.10", "debian-6.1", "debian-6.12", "newest", "newest-debug"],
     lambda: [*GUESTS, TEST_LIST]),
    ("fuzz", ["qemu-asan"], lambda: _fuzz(120)),
]


class Sum:
    """Results of all stages."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.lines = []

    def stage(self, name, argv):
        """Run @argv, pass its output on, count its TAP lines."""
        print(f"# ==== {name}: {' '.join(os.path.relpath(a, TREE) if a.startswith(TREE) else a for a in argv)}",
              flush=True)
        start = time.monotonic()
        passed = failed = skipped = 0
        with subprocess.Popen(argv, cwd=TREE, text=True, errors="replace", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL) as process:
            for line in process.stdout:
                sys.stdout.write(line)
                sys.stdout.flush()
                m = re.match(r"(not ok|ok)\b(.*)", line)
                if not m:
                    continue
                if m.group(1) == "not ok":
                    failed += 1
                elif re.search(r"#\s*skip", m.group(2), re.I):
                    skipped += 1
                else:
                    passed += 1
            status = process.wait()
        if status and not failed:
            failed = 1
            print(f"not ok - {name} ended with status {status}")
        elif not status and not passed + failed + skipped:
            passed = 1
            print(f"ok - {name}")
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        self.lines.append(f"{name:<10} {passed:5} passed {failed:4} failed {skipped:4} skipped"
                          f" {time.monotonic() - start:7.0f} s")

    def conclude(self):
        """Print the table and the last line; returns the exit status."""
        print("#")
        for line in self.lines:
            print(f"# {line}")
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


def _prepare(total, what):
    missing = list(dict.fromkeys(what))
    start = time.monotonic()
    print(f"# ==== prepare: {' '.join(missing)}", flush=True)
    status = subprocess.run([*LAB, "prepare", *missing], check=False).returncode
    took = time.monotonic() - start
    total.lines.append(f"{'prepare':<10} {'':38} {took:7.0f} s")
    if status:
        total.failed += 1
        print(f"not ok - prepare {' '.join(missing)}: status {status}")
    return status == 0


def _shards():
    with open(ALL_LIST, encoding="utf-8") as f:
        return [line.split()[1] for line in f if line.startswith("shard ")]


def main():
    """Parse the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    known = {s[0]: s for s in STAGES}
    if args.list:
        print("\n".join(_shards() if args.all else known))
        return 0
    total = Sum()
    if args.all:
        wanted = args.stages or [*known, *_shards()]
    else:
        wanted = args.stages or list(known)
    unknown = [w for w in wanted if w not in known and not (args.all and w in _shards())]
    if unknown:
        parser.error(f"unknown: {' '.join(unknown)}; known: {' '.join(known)}"
                     + (f" {' '.join(_shards())}" if args.all else ""))
    needed = [w for name in wanted for w in (known[name][1] if name in known else
                                             known["guests"][1])]
    if _prepare(total, needed):
        for name in wanted:
            if name in known:
                total.stage(name, known[name][2]())
            else:
                total.stage(name, [*GUESTS, ALL_LIST, "--shard", name])
    return total.conclude()


if __name__ == "__main__":
    sys.exit(main())

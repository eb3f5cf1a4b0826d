#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Everything that "make test" is: the stages one after the other, each with what it needs, and a sum.

  tests/main.py                 all stages of "make test"
  tests/main.py STAGE...        only these
  tests/main.py --list          their names
  tests/main.py --all [SHARD]   "make test-all": all stages and shards, or some of them
  tests/main.py --minutes N     what has not begun after N minutes is skipped, by name

A stage prints TAP.  A stage that fails without a "not ok" counts as one failure.  The last line
is "N passed, N failed, N skipped"; the exit status is 0 when nothing failed.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAB = [os.path.join(TREE, "lab", "lab.py")]
GUESTS = [os.path.join(TREE, "tests", "run.py")]
MATRIX = [os.path.join(TREE, "tests", "build", "matrix.sh")]
SCRIPTS = [os.path.join(TREE, "tests", "scripts", "run.sh")]
PROBES = [os.path.join(TREE, "tests", "build", "probes.sh")]
ARM64 = [os.path.join(TREE, "tests", "build", "arm64.sh")]
QTEST = [sys.executable, os.path.join(TREE, "emulator", "tests", "run.py")]
FUZZ = [sys.executable, os.path.join(TREE, "emulator", "tests", "fuzz.py")]
OLD = ["debian-5.10", "debian-6.1", "debian-6.12"]
TABLE = os.path.join(TREE, "tools", "kernel-matrix.py")
LOGS = os.path.join(TREE, "build", "logs")
FUZZ_SECONDS = "120"
FUZZ_SEED = "1"


def _qemu(*option):
    return subprocess.run([*LAB, "qemu", *option], check=True, text=True,
                          capture_output=True).stdout.strip()


def _guests(shard, suite="test.list"):
    def command(deadline):
        extra = ["--jobs", str(os.cpu_count() or 1)]
        extra += ["--deadline", f"{deadline:.0f}"] if deadline else []
        # A file for each shard, so that the table of kernels finds them all afterwards.
        results = os.path.join(LOGS, f"{suite[:-len('.list')]}-{shard}.jsonl")
        if os.path.exists(results):
            os.remove(results)
        extra += ["--results", results]
        return [*GUESTS, os.path.join(TREE, "tests", "suites", suite), "--shard", shard, *extra]
    return command


# name: what has to be prepared, the command.  What needs least comes first, for time may run out.
STAGES = {
    "unit": ([], lambda _: ["make", "-s", "-C", os.path.join(TREE, "emulator", "tests", "unit"),
                            "check"]),
    "scripts": ([], lambda _: SCRIPTS),
    "packaging": ([], lambda _: [os.path.join(TREE, "tests", "packaging", "run.sh")]),
    "qtest": (["qemu"], lambda _: [*QTEST, "--qemu", _qemu()]),
    # Leaves the modules that the guests load.
    "matrix": ([*OLD, "newest"], lambda _: MATRIX),
    "old": (["qemu", *OLD], _guests("old")),
    "newest": (["qemu", "newest"], _guests("newest")),
    # checkpatch comes with the source of the newest kernel, which is there by now
    "static": (["debian-6.1", "debian-6.12"],
               lambda _: [os.path.join(TREE, "tools", "check.sh")]),
    "probes": (["debian-6.1"], lambda _: PROBES),
    # compiled for another architecture; "make test-all" boots it
    "arm64": ([], lambda _: ARM64),
    # builds QEMU once more, for a check of the model alone: the driver's stages come first.
    # A fixed seed, so that a failure repeats; fuzz-long takes its seed from the clock.
    "fuzz": (["qemu-asan"], lambda _: [*FUZZ, "--qemu", _qemu("--asan"), "--seconds", FUZZ_SECONDS,
                                       "--seed", FUZZ_SEED]),
    # the second kernel to build
    "debug": (["qemu", "newest-debug"], _guests("debug")),
}


def shards():
    """The stages that only "make test-all" has."""
    with open(os.path.join(TREE, "tests", "suites", "all.list"), encoding="utf-8") as f:
        names = [line.split()[1] for line in f if line.startswith("shard ")]
    kernels = ["newest", "newest-debug", *OLD]
    more = {
        "arm64-boot": (["qemu-arm64", "debian-6.1-arm64", "debian-6.12-arm64-16k"],
                       _guests("arm64")),
        "clang": (["newest"], lambda _: [os.path.join(TREE, "tests", "build", "clang.sh")]),
        "rpm": (["debian-6.1"], lambda _: [os.path.join(TREE, "tests", "packaging", "rpm.sh")]),
        "roots": (["qemu"],
                  lambda _: [os.path.join(TREE, "tests", "packaging", "roots.sh")]),
        "lab": (["qemu", "debian-6.1", "newest-debug"], lambda _: [*LAB, "selftest"]),
        "bench": (["qemu", "newest"], lambda _: [*LAB, "bench", "--check"]),
        "fuzz-long": (["qemu-asan"],
                      lambda _: [*FUZZ, "--qemu", _qemu("--asan"), "--seconds", "3600"]),
    }
    # The kernel's own selftests bring tools of their own.
    need = {"selftests": ["qemu", "newest", "newest-debug", "ksft"]}
    return more | {f"all-{n}": (need.get(n, ["qemu", *kernels]), _guests(n, "all.list"))
                   for n in names}


class Run:
    """Results so far, and the time that is left."""

    def __init__(self, minutes):
        self.deadline = time.time() + 60 * minutes if minutes else None
        self.minutes = minutes
        self.ready = set()
        self.late = []
        self.failures = []
        self.passed = self.failed = self.skipped = 0
        self.lines = []

    def _late(self):
        return self.deadline and time.time() >= self.deadline

    def _count(self, name, passed, failed, skipped, seconds):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        self.lines.append(f"{name:<20} {passed:5} passed {failed:4} failed {skipped:4} skipped"
                          f" {seconds:7.0f} s")

    def _skip(self, name, seconds=0):
        print(f"ok - {name} # SKIP the {self.minutes:g} minutes are used up", flush=True)
        self.late.append(name)
        self._count(name, 0, 0, 1, seconds)

    def prepare(self, name, what):
        """Fetch and build @what; false if that failed or time ran out."""
        what = [w for w in what if w not in self.ready]
        if not what:
            return True
        print(f"# ==== {name}: preparing {' '.join(what)}", flush=True)
        start = time.time()
        left = self.deadline - start if self.deadline else None
        with subprocess.Popen([*LAB, "prepare", *what], start_new_session=True) as process:
            try:
                status = process.wait(left)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGTERM)
                self._skip(name, time.time() - start)
                return False
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGTERM)
                raise
        if status:
            print(f"not ok - {name}: preparing {' '.join(what)} ended with status {status}")
            self.failures.append(f"{name} - preparing {' '.join(what)} ended with status {status}")
            self._count(name, 0, 1, 0, time.time() - start)
            return False
        self.ready.update(what)
        self.lines.append(f"{'prepare for ' + name:<20} {'':38} {time.time() - start:7.0f} s")
        return True

    def stage(self, name, what, command):
        """Run one stage, pass its output on, count its TAP lines."""
        if self._late():
            self._skip(name)
            return
        if not self.prepare(name, what):
            return
        argv = command(self.deadline)
        print(f"# ==== {name}", flush=True)
        start = time.time()
        passed = failed = skipped = 0
        boot = test = ""
        os.makedirs(LOGS, exist_ok=True)
        with open(os.path.join(LOGS, f"{name}.tap"), "w", encoding="utf-8") as tap, \
                subprocess.Popen(argv, cwd=TREE, text=True, errors="replace",
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL) as process:
            for line in process.stdout:
                sys.stdout.write(line)
                sys.stdout.flush()
                tap.write(line)
                m = re.match(r"(not ok|ok)\b(.*)", line)
                if line.startswith("## "):
                    boot, test = line[3:].split(":")[0], ""
                elif re.fullmatch(r"# [a-z]+/[\w-]+\n", line):
                    test = line[2:].strip()
                if m and m.group(1) == "not ok":
                    failed += 1
                    self.failures.append(" ".join(f"{name} {boot} {test} {m.group(2)}".split()))
                elif m and re.search(r"#\s*skip", m.group(2), re.I):
                    skipped += 1
                elif m:
                    passed += 1
                elif re.match(r"1\.\.0\s*#\s*skip", line, re.I):
                    skipped += 1
        status = process.returncode
        if status and not failed:
            failed = 1
            self.failures.append(f"{name} - ended with status {status}")
            print(f"not ok - {name} ended with status {status}")
        elif not status and not passed + failed + skipped:
            passed = 1
            print(f"ok - {name}")
        self._count(name, passed, failed, skipped, time.time() - start)

    def conclude(self):
        """Print the table and the last line; returns the exit status."""
        print("#")
        for line in self.lines:
            print(f"# {line}")
        # What was seen on which kernel: in this run, and in older ones that are still in build/logs.
        table = subprocess.run([sys.executable, TABLE, "show"], check=False, text=True,
                               stdout=subprocess.PIPE).stdout
        print("".join(f"# {line}\n" for line in table.splitlines()), end="")
        for failure in self.failures:
            print(f"# FAILED {failure[:400]}")
        if self.late:
            print(f"# INCOMPLETE: {self.minutes:g} minutes were too few for {' '.join(self.late)}")
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


def main():
    """Parse the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float)
    args = parser.parse_args()
    known = {**STAGES, **(shards() if args.all else {})}
    if args.list:
        print("\n".join(known))
        return 0
    unknown = [s for s in args.stages if s not in known]
    if unknown:
        parser.error(f"no stage {' '.join(unknown)}; there are {' '.join(known)}")
    run = Run(args.minutes)
    for name in args.stages or known:
        run.stage(name, *known[name])
    return run.conclude()


if __name__ == "__main__":
    sys.exit(main())

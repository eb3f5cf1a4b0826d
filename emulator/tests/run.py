#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Run the device model's qtests and print TAP.

  run.py --qemu BIN [--only TEXT]... [--list] [--jobs N] [--failfast]

--only keeps tests whose dotted name contains TEXT.  The exit status is 0 only
when at least one test ran and none failed.
"""

import argparse
import concurrent.futures
import os
import sys
import time
import traceback
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


class Result(unittest.TestResult):
    """Keeps the first reason of one test."""

    def __init__(self):
        super().__init__()
        self.reason = ""
        self.skip = ""

    def _note(self, err):
        self.reason = self.reason or "".join(
            traceback.format_exception(*err)).rstrip()

    def addError(self, test, err):
        super().addError(test, err)
        self._note(err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._note(err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.reason = f"{subtest}\n" + "".join(
                traceback.format_exception(*err)).rstrip()

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.skip = reason


def flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flatten(item)
        else:
            yield item


def run_one(name):
    """Run one test by name: (name, ok, skip reason, failure text, seconds)."""
    res = Result()
    began = time.monotonic()
    unittest.defaultTestLoader.loadTestsFromName(name).run(res)
    ok = res.wasSuccessful() and res.testsRun > 0
    return name, ok, res.skip, res.reason, time.monotonic() - began


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--qemu", required=True, help="qemu-system-x86_64 with the model")
    ap.add_argument("--only", action="append", default=[], help="part of a test's name")
    ap.add_argument("--list", action="store_true", help="print names and stop")
    ap.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    ap.add_argument("--failfast", action="store_true")
    ap.add_argument("--slowest", type=int, default=0, help="print the N slowest")
    opt = ap.parse_args()
    os.environ["FF50XX_QEMU"] = opt.qemu

    names = [t.id() for t in flatten(
        unittest.defaultTestLoader.discover(HERE, "test_*.py", HERE))]
    names = [n for n in names if not opt.only or any(o in n for o in opt.only)]
    if opt.list:
        print("\n".join(names))
        return 0
    print("TAP version 13")
    print(f"1..{len(names)}", flush=True)
    began = time.monotonic()
    failed, skipped, times = 0, 0, []
    with concurrent.futures.ProcessPoolExecutor(opt.jobs) as pool:
        for i, fut in enumerate([pool.submit(run_one, n) for n in names], 1):
            name, ok, skip, reason, sec = fut.result()
            times.append((sec, name))
            tail = f" # SKIP {skip}" if skip else ""
            print(f"{'ok' if ok else 'not ok'} {i} - {name}{tail}", flush=True)
            skipped += bool(skip)
            if not ok:
                failed += 1
                for line in (reason or "no such test").splitlines():
                    print(f"# {line}")
                sys.stdout.flush()
                if opt.failfast:
                    pool.shutdown(cancel_futures=True)
                    break
    for sec, name in sorted(times, reverse=True)[:opt.slowest]:
        print(f"# {sec:6.2f} s {name}")
    print(f"# {len(times)} run, {failed} failed, {skipped} skipped, "
          f"{time.monotonic() - began:.1f} s")
    return 1 if failed or not times else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-only
"""The lab's tests of itself: the checkers fire, the runner notices.

Each check is one TAP line on stdout; guests print nothing.
"""

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import cache, kernels, qemu, runner, violations
from .util import LAB, LabError, run

# In this order: a report by KASAN switches lockdep off for good.
CHECKERS = ["lockdep", "atomic", "dma", "kasan", "kmemleak"]


class Tap:
    """Counts checks and prints them."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, good, detail=""):
        """One result; @detail is shown when it is bad."""
        number = self.passed + self.failed + 1
        if good:
            self.passed += 1
            print(f"ok {number} - {name}", flush=True)
        else:
            self.failed += 1
            print(f"not ok {number} - {name}", flush=True)
            for line in detail.splitlines():
                print(f"#   {line}")


def seeded_module(kernel):
    """Path of the module with the seeded bugs, built for @kernel."""
    build = cache.directory("seeded", f"{kernel['name']}-{kernel['release']}")
    for name in os.listdir(f"{LAB}/seeded"):
        shutil.copy(f"{LAB}/seeded/{name}", build)
    run(["make", "-C", kernel["kdir"], f"M={build}", "modules"],
        log=cache.path("logs", "seeded.log"))
    return os.path.join(build, "seeded.ko")


def _boot(kernel, words, **options):
    """Run a guest quietly; returns (exit status, tests, text)."""
    tests = runner.make_tests(words)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = runner.run(runner.Options(kernel=kernel, driver="none", tests=tests,
                                           topo="none", quiet=True, **options))
    return status, tests, text.getvalue()


def checkers(tap, log_dir):
    """Every checker of the debug kernel is seen to fire, and to be noticed."""
    kernel = kernels.prepare("newest-debug")
    module = seeded_module(kernel)
    bugs = ["none", *CHECKERS]
    _status, tests, text = _boot(kernel, [f"lab/seeded {bug}" for bug in bugs],
                                 modules=[module], timeout=900,
                                 log=os.path.join(log_dir, "checkers.log"))
    for bug, test in zip(bugs, tests):
        name = f"{bug}_reports_the_seeded_bug" if bug != "none" \
            else "debug_kernel_is_silent_without_a_bug"
        tap.check(name, test.failed == 0 and test.passed == 1, text)
    # Declared by nobody: a test must fail because of the report alone.
    bugs = ["kmemleak", "kasan"]
    status, tests, text = _boot(kernel, [f"lab/seeded {bug} quietly" for bug in bugs],
                                modules=[module], timeout=900,
                                log=os.path.join(log_dir, "undeclared.log"))
    for bug, test in zip(bugs, tests):
        tap.check(f"undeclared_{bug}_report_fails_the_run", status == 1 and any(
            "kernel report" in p for p in test.problems), text)


def noticing(tap, log_dir, kernel_name):
    """Status, time limit, dead kernel, absent reports, allow-lists."""
    kernel = kernels.prepare(kernel_name)

    def boot(words, name, **options):
        return _boot(kernel, words, log=os.path.join(log_dir, f"{name}.log"),
                     **{"timeout": 300, **options})
    status, _tests, text = boot(["lab/status 0"], "status0")
    tap.check("status_0_is_success", status == 0, text)
    status, _tests, text = boot(["lab/status 3"], "status3")
    tap.check("status_of_the_script_is_returned", status == 3, text)
    status, tests, text = boot(["lab/status 0", "lab/status hang"], "hang", timeout=90)
    tap.check("time_limit_ends_the_guest_with_124",
              status == 124 and tests[0].status == 0, text)
    status, _tests, text = boot(["lab/status die"], "die")
    tap.check("dead_kernel_fails_the_run", status == 1, text)
    status, _tests, text = boot(["lab/status hang-later"], "hang-later", timeout=90)
    tap.check("hang_after_the_last_test_ends_with_124", status == 124, text)
    status, tests, text = boot(["lab/status die-later"], "die-later")
    tap.check("death_after_the_last_test_fails_the_run", status == 1 and any(
        "did not end in order" in p for p in tests[0].problems), text)
    status, tests, text = boot(["lab/expects-in-vain"], "vain")
    tap.check("expected_report_that_never_comes_fails_the_run",
              status == 1 and any("did not appear" in p for p in tests[0].problems), text)
    _killed(tap, kernel_name)
    _judging(tap)


def _killed(tap, kernel_name):
    """A runner that is killed, even without notice, leaves no guest behind."""
    command = [sys.executable, os.path.join(LAB, "lab.py"), "run", "--kernel", kernel_name,
               "--driver", "none", "--topo", "none", "--", "lab/status", "hang"]
    for how in (signal.SIGTERM, signal.SIGKILL):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as lab:
            guest = None
            for _ in range(600):
                guest = _child(lab.pid)
                if guest or lab.poll() is not None:
                    break
                time.sleep(0.1)
            lab.send_signal(how)
            lab.wait()
        for _ in range(100):
            if not guest or not os.path.exists(f"/proc/{guest}"):
                break
            time.sleep(0.1)
        tap.check(f"killed_runner_leaves_no_guest_{how.name}",
                  guest and not os.path.exists(f"/proc/{guest}"), f"guest {guest}")


def _child(parent):
    """Process id of the QEMU that process @parent has started, or None."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as f:
                comm, rest = f.read().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError, ValueError):
            continue
        if comm.startswith("qemu-system") and int(rest.split()[1]) == parent:
            return int(name)
    return None


def _judging(tap):
    with tempfile.TemporaryDirectory() as where:
        name = os.path.join(where, "x.allow")
        with open(name, "w", encoding="ascii") as f:
            f.write("# comment\nunnamed-offset 0x1234  reads it at probe  01-reset.md:10\n"
                    "reserved-bit FOO  sets bit 3  02.md:2\n"
                    "dma-gate BAR(*)  rings late  03.md:4\n")
        judge = violations.Judge(name)
        found = violations.parse_log("VIOLATION p0 unnamed-offset 0x1234 0 read\n"
                                     "VIOLATION p0 unnamed-offset 0x1238 0 read\n"
                                     "VIOLATION p1 dma-gate BAR(12) 0x8 doorbell\n")
        bad = judge.split(found)
        tap.check("violation_outside_the_list_is_not_excused",
                  [b[2] for b in bad] == ["0x1238"], str(bad))
        tap.check("unused_entry_is_named", judge.unused() == [("reserved-bit", "FOO")],
                  str(judge.unused()))
        with open(name, "w", encoding="ascii") as f:
            f.write("nonsense FOO  x  y\n")
        try:
            violations.load_allow(name)
            tap.check("unknown_class_in_a_list_is_refused", False)
        except LabError:
            tap.check("unknown_class_in_a_list_is_refused", True)


def main(parts, log_dir, kernel_name):
    """Run the named parts ("checkers", "runner"); returns the exit status."""
    tap = Tap()
    qemu.prepare("qemu")
    os.makedirs(log_dir, exist_ok=True)
    if "runner" in parts:
        noticing(tap, log_dir, kernel_name)
    if "checkers" in parts:
        checkers(tap, log_dir)
    print(f"{tap.passed} passed, {tap.failed} failed")
    return 1 if tap.failed else 0

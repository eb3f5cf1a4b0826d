# SPDX-License-Identifier: GPL-2.0-only
"""Boots one guest, runs tests in it, judges the outcome."""

import ctypes
import dataclasses
import json
import os
import queue
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from . import cache, driver, initramfs, qemu, splats, topology, violations
from .qmp import Qmp
from .util import LAB, LabError, say

TIMED_OUT = 124


@dataclasses.dataclass
class Test:
    """One script of a boot and what became of it."""

    name: str
    argv: list
    status: int = None
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    planned: int = None
    start: float = 0.0
    seconds: float = 0.0
    expected: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)

    def line(self, text):
        """Count one line of TAP."""
        m = re.match(r"(ok|not ok)\b(?:\s+\d+)?(.*)", text)
        if m:
            if re.search(r"#\s*skip", m.group(2), re.I):
                self.skipped += 1
            elif m.group(1) == "ok":
                self.passed += 1
            else:
                self.failed += 1
            return
        m = re.match(r"1\.\.(\d+)\s*(#\s*skip.*)?$", text, re.I)
        if m:
            self.planned = int(m.group(1))
            if self.planned == 0:
                self.skipped += 1

    def close(self):
        """Draw the conclusion once the script has ended."""
        counted = self.passed + self.failed + self.skipped
        if self.planned and counted != self.planned:
            self.problems.append(f"planned {self.planned} checks, ran {counted}")
        if self.status not in (0, None) and not self.failed and not self.problems:
            self.problems.append(f"exit status {self.status}")
        if self.status == 0 and not counted:
            self.passed += 1
        self.failed += len(self.problems)


@dataclasses.dataclass
class Options:
    """What a run is asked for; see `lab.py run --help`."""

    kernel: dict
    driver: str
    tests: list
    topo: str = "pair25"
    smp: int = None
    mem: int = None
    icount: bool = False
    append: str = ""
    modules: list = dataclasses.field(default_factory=list)
    both: bool = False
    qemu_args: list = dataclasses.field(default_factory=list)
    devprops: dict = dataclasses.field(default_factory=dict)
    allow: str = None
    timeout: float = 300
    log: str = None
    results: str = None
    suite: str = None
    env: dict = dataclasses.field(default_factory=dict)
    quiet: bool = False
    asan: bool = False
    keep: str = None
    # Whoever measures by marks of the guest's programs: see bench.Marks.
    marks: object = None


def _die_with_parent():
    """In the child: a guest must not outlive a runner that was killed."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _work_directory():
    """A new directory for one run; those of runners that were killed are removed."""
    runs = cache.directory("runs")
    for name in os.listdir(runs):
        m = re.match(r"run-(\d+)-", name)
        if m and not os.path.exists(f"/proc/{m.group(1)}"):
            shutil.rmtree(os.path.join(runs, name), ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"run-{os.getpid()}-", dir=runs)


class Guest:
    """A running QEMU with its two sockets, and the tests in it."""

    def __init__(self, options):
        self.o = options
        self.topo = topology.load(options.topo)
        self.smp = 1 if options.icount else (options.smp or self.topo.get("smp") or 2)
        self.mem = options.mem or self.topo.get("mem") or (2048 if options.kernel["debug"]
                                                           else 1024)
        self.tests = options.tests
        self.current = None
        self.done = False
        self.found = {}
        self.console_seen = None
        self.violations_seen = {}
        self.judge = violations.Judge(self._allow_file())
        self.objections = []
        self.expected_all = []
        self.output = []
        self.marks = set()
        self.mark_event = threading.Condition()
        self.work = None
        self.qmp = None
        self.process = None
        self.counters = {}
        self.log_file = None

    def _allow_file(self):
        if self.o.allow:
            return self.o.allow
        default = os.path.join(LAB, "allow", f"{self.o.driver}.allow")
        return default if os.path.exists(default) else None

    # --- starting ----------------------------------------------------------------------------

    def _guest_files(self):
        o = self.o
        env = {"KERNEL": o.kernel["name"], "DRIVER": o.driver, "TOPO": os.path.basename(o.topo),
               "SMP": self.smp, "ICOUNT": int(o.icount), "DEBUG": int(o.kernel["debug"]),
               "PORTS": " ".join(topology.port_ids(self.topo)), **o.env}
        env_text = "".join(f"export {k}={shlex.quote(str(v))}\n" for k, v in env.items())
        run_text = "".join(f"run_test {shlex.join([t.name, *t.argv])}\n" for t in self.tests)
        modules = list(o.modules)
        if (o.driver == "ours" or o.both) and \
                not any(os.path.basename(m) == "txgbe.ko" for m in modules):
            modules += driver.build(o.kernel)
        target = os.path.join(self.work, "initramfs")
        initramfs.build(o.kernel, target, env_text, run_text, modules)
        return target

    def command(self, initrd):
        """QEMU's command line."""
        o = self.o
        board = qemu.BOARDS[o.kernel.get("arch")]
        # A host that is short of CPU must not look like a lockup.
        append = (f"console={board.console},115200 quiet panic=-1 oops=panic mitigations=off "
                  f"net.ifnames=0 kasan_multi_shot {board.append}watchdog_thresh=30 "
                  "rcupdate.rcu_cpu_stall_timeout=100 ")
        if o.icount:
            append += "nokaslr norandmaps random.trust_cpu=off random.trust_bootloader=off "
            # The processor is the last of the board's arguments.
            speed = [*board.arguments[:-1], board.arguments[-1] + board.icount,
                     "-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off",
                     "-rtc", "clock=vm,base=2020-01-01", "-seed", "42"]
        else:
            append += "random.trust_cpu=on "
            speed = [*board.arguments, "-accel", "tcg"]
        args = [qemu.binary(qemu.variant(o.kernel, o.asan)), *qemu.rom_paths(), *speed,
                "-smp", str(self.smp), "-m", f"{self.mem}M",
                "-nodefaults", "-no-user-config", "-display", "none",
                "-kernel", o.kernel["image"], "-initrd", initrd,
                "-append", append + o.append,
                "-no-reboot", "-action", "shutdown=pause",
                "-serial", f"file:{self.work}/console",
                "-chardev", f"socket,id=ctl,path={self.work}/ctl", "-serial", "chardev:ctl",
                "-chardev", f"socket,id=qmp,path={self.work}/qmp",
                "-mon", "chardev=qmp,mode=control"]
        args += o.qemu_args
        if o.marks:
            args += o.marks.arguments()
        args += topology.arguments(self.topo, smp=self.smp, mem=self.mem, props=o.devprops,
                                   log_dir=self.work)
        return args

    def run(self):
        """The whole life of the guest; returns the list of tests with their results."""
        start = time.monotonic()
        self.work = _work_directory()
        if self.o.log:
            os.makedirs(os.path.dirname(os.path.abspath(self.o.log)), exist_ok=True)
            self.log_file = open(self.o.log, "w", encoding="utf-8", errors="replace")
        try:
            initrd = self._guest_files()
            prepared = time.monotonic()
            self._live(initrd)
            self._conclude()
            self._results(time.monotonic() - prepared)
            return self.tests
        finally:
            self._stop()
            if self.log_file:
                self.log_file.write("\n--- console ---\n" + self._console())
                for ident in topology.port_ids(self.topo):
                    self.log_file.write(f"\n--- {ident}: violations ---\n"
                                        + self._violation_text(ident))
                self.log_file.write(f"\n--- {time.monotonic() - start:.1f} s ---\n")
                self.log_file.close()
            if self.o.keep:
                shutil.copytree(self.work, self.o.keep, dirs_exist_ok=True,
                                ignore=lambda _d, names: [n for n in names if n in
                                                          ("ctl", "qmp", "initramfs")])
            shutil.rmtree(self.work, ignore_errors=True)

    def _live(self, initrd):
        control = socket.socket(socket.AF_UNIX)
        control.bind(f"{self.work}/ctl")
        control.listen(1)
        self.qmp = Qmp(f"{self.work}/qmp")
        if self.o.marks:
            self.o.marks.listen(self, initrd)
        command = self.command(initrd)
        self._log(f"$ {shlex.join(command)}\n")
        errors = open(f"{self.work}/stderr", "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors,
                                        stderr=errors, start_new_session=True,
                                        preexec_fn=_die_with_parent)
        errors.close()
        deadline = time.monotonic() + self.o.timeout
        control.settimeout(30)
        try:
            while True:
                # QEMU may die before it connects: a bad property, a missing file.
                control.settimeout(0.2)
                try:
                    port, _ = control.accept()
                    break
                except TimeoutError:
                    if self.process.poll() is not None:
                        raise LabError("QEMU ended at once:\n" + self._stderr()) from None
                    if time.monotonic() > deadline:
                        raise LabError("QEMU did not start") from None
            port.settimeout(None)
            try:
                self.qmp.connect(30)
            except LabError as err:
                self.process.poll()
                raise LabError(f"{err}\n{self._stderr()}") from None
        finally:
            control.close()
        threading.Thread(target=self._serve, args=(port,), daemon=True).start()
        reason = self._wait(deadline)
        if ((reason == "timeout" or not self.done)
                and all(t.status is not None for t in self.tests)):
            # It hung or died while it unloaded the driver, looked for leaks, or went off.
            self.tests[-1].problems.append(f"the guest did not end in order ({reason})")
            if reason == "timeout":
                self.tests[-1].status = TIMED_OUT
        elif reason == "timeout":
            for test in self.tests:
                if test.status is None:
                    test.status = TIMED_OUT
                    test.problems.append(
                        f"time limit of {self.o.timeout:.0f} s" if test is self.current
                        else "not reached within the time limit")
        elif not self.done:
            for test in self.tests:
                if test.status is None:
                    test.status = 1
                    test.problems.append(f"the guest ended first ({reason})" if test is self.current
                                         else f"not run: the guest ended first ({reason})")
        self._read_devices()

    def _wait(self, deadline):
        """Until the guest is down; returns the reason ("guest-shutdown", "timeout", ...)."""
        while True:
            try:
                event = self.qmp.events.get(timeout=max(0.0, min(1.0, deadline
                                                                 - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= deadline:
                    return "timeout"
                continue
            if event["event"] == "SHUTDOWN":
                return event["data"].get("reason", "shutdown")
            if event["event"] == "EOF":
                self.process.wait(10)
                status = self.process.returncode
                self._say(f"# lab: QEMU ended with status {status}\n{self._stderr()}")
                return f"QEMU ended with status {status}"

    def _read_devices(self):
        """Counters and violations of every port, from the paused machine."""
        for ident in topology.port_ids(self.topo):
            try:
                self.counters[ident] = json.loads(self.qmp.get(ident, "counters"))
                claimed = self.qmp.get(ident, "violations")
                logged = len(violations.parse_log(self._violation_text(ident)))
                if claimed > logged:
                    self.objections.append(
                        (ident, "unlogged", "?", f"{claimed} counted, {logged} in the log"))
            except (LabError, ValueError, TypeError) as err:
                self._log(f"# lab: {ident}: counters cannot be read: {err}\n")

    def _stop(self):
        if self.process and self.process.poll() is None:
            try:
                self.qmp.command("quit", timeout=2)
                self.process.wait(2)
            except (LabError, subprocess.TimeoutExpired):
                # A wedged QEMU ignores everything but this.
                try:
                    os.killpg(self.process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                self.process.wait()

    # --- the guest's side door ---------------------------------------------------------------

    def _serve(self, port):
        """Serve the second port until it closes: output lines, marks, commands of hostctl."""
        buffer = b""
        while True:
            try:
                data = port.recv(65536)
            except OSError:
                return
            if not data:
                return
            buffer += data
            *lines, buffer = buffer.split(b"\n")
            for raw in lines:
                line = raw.decode("utf-8", "replace").rstrip("\r")
                kind, _, rest = line.partition(" ")
                if kind == "O":
                    self._output(rest)
                elif kind == "S":
                    with self.mark_event:
                        self.marks.add(rest)
                        self.mark_event.notify_all()
                elif kind == "C":
                    # sync waits for lines that this loop must still read.
                    threading.Thread(target=self._answer, args=(port, rest),
                                     daemon=True).start()

    def _answer(self, port, command):
        try:
            value = self.hostctl(command)
            reply = "OK" if value is None or value == "" else f"OK {value}"
        except (LabError, ValueError, IndexError, KeyError, TypeError, re.error) as err:
            reply = f"ERR {err}"
        if not command.startswith(("sync", "test-", "pci")):
            self._log(f"# hostctl {command} -> {reply}\n")
        try:
            port.sendall(reply.replace("\n", " ").encode() + b"\n")
        except OSError:
            pass

    def hostctl(self, line):
        """One command of the guest; returns the value to print, raises on refusal."""
        command, _, rest = line.partition(" ")
        if command == "set":
            ident, prop, text = rest.split(None, 2)
            self.qmp.set(ident, prop, self._typed(ident, prop, text))
            return None
        if command == "get":
            ident, prop = rest.split()
            value = self.qmp.get(ident, prop)
            if isinstance(value, bool):
                return "true" if value else "false"
            return value if isinstance(value, str) else json.dumps(value)
        if command == "counters":
            return self.qmp.get(rest.strip(), "counters")
        if command == "reset-counters":
            self.qmp.set(rest.strip(), "counters-reset", True)
            return None
        if command == "qmp":
            return json.dumps(self.qmp.raw(json.loads(rest)))
        if command == "pci":
            return self.qmp.pci_addresses()[rest.strip()]
        if command == "violations":
            return self.qmp.get(rest.strip(), "violations")
        if command == "expect-splat":
            re.compile(rest)
            (self.current.expected if self.current else self.expected_all).append(rest)
            return None
        if command == "sync":
            with self.mark_event:
                if not self.mark_event.wait_for(lambda: rest in self.marks, 60):
                    raise LabError("output line lost")
            return None
        if command == "test-begin":
            return self._begin(rest)
        if command == "test-end":
            name, status = rest.rsplit(None, 1)
            return self._end(name, int(status))
        if command == "found":
            kind, count = rest.split()
            self.found[kind] = int(count)
            return None
        if command == "all-done":
            self.done = True
            return None
        raise LabError(f"unknown command {command}")

    def _typed(self, ident, prop, text):
        """Turn the text of `hostctl set` into the property's type."""
        if text in ("true", "false"):
            return text == "true"
        for entry in self.qmp.command("qom-list", {"path": f"/machine/peripheral/{ident}"}):
            if entry["name"] == prop:
                if entry["type"] in ("str", "string"):
                    return text
                if re.match(r"u?int|size|number", entry["type"]):
                    return int(text, 0)
                if entry["type"] == "bool":
                    return {"on": True, "off": False, "1": True, "0": False}[text]
                return text
        raise LabError(f"{ident} has no property {prop}")

    def _begin(self, name):
        test = next((t for t in self.tests if t.name == name and t.status is None), None)
        if not test:
            raise LabError(f"{name} is not a test that is still to come")
        self.current = test
        self.current.start = time.monotonic()
        if self.console_seen is None:
            # What the kernel says while booting is not the tests' doing.
            self.console_seen = len(self._console())
        if len(self.tests) > 1:
            self._say(f"# {name}")

    def _end(self, name, status):
        test = self.current
        test.status = status
        test.seconds = time.monotonic() - test.start
        self._account(test)
        self.current = None
        if test.status == 77 and not test.failed and not test.passed:
            test.skipped, test.status = max(test.skipped, 1), 0
        _ = name

    # --- judging -----------------------------------------------------------------------------

    def _console(self):
        try:
            with open(f"{self.work}/console", encoding="utf-8", errors="replace") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def _stderr(self):
        try:
            with open(f"{self.work}/stderr", encoding="utf-8", errors="replace") as f:
                return f.read()[-2000:]
        except FileNotFoundError:
            return ""

    def _violation_text(self, ident):
        try:
            with open(f"{self.work}/{ident}.violations", encoding="utf-8",
                      errors="replace") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def _new_violations(self):
        found = []
        for ident in topology.port_ids(self.topo):
            text = self._violation_text(ident)
            seen = self.violations_seen.get(ident, 0)
            complete = text.rfind("\n") + 1
            found += violations.parse_log(text[seen:complete])
            self.violations_seen[ident] = complete
        return found

    def _account(self, test, final=False):
        """Charge what the kernel log and the model say since the last call to @test.

        @final: the machine is down; reports that any test declared may still have come.
        """
        console = self._console()
        new = console[self.console_seen or 0:]
        self.console_seen = len(console)
        if final:
            every = self.expected_all + [e for t in self.tests for e in t.expected]
            bad, absent = splats.judge(splats.find(new), every)[0], []
        else:
            bad, absent = splats.judge(splats.find(new), test.expected + self.expected_all)
            absent = [e for e in absent if e in test.expected]
        if bad:
            test.problems.append(f"kernel report: {bad[0]}"
                                 + (f" (and {len(bad) - 1} more lines)" if len(bad) > 1 else ""))
        for expression in absent:
            test.problems.append(f"expected kernel report did not appear: {expression}")
        found = self.judge.split(self._new_violations())
        self.objections += found
        if found:
            test.problems.append(f"{len(found)} violations, first: {' '.join(found[0])}")

    def _conclude(self):
        """After the guest is gone: what is left over, then the totals."""
        # What appears after the last test is charged to it; to the running one after a crash.
        last = self.current or self.tests[-1]
        self._account(last, final=True)
        if self.expected_all:
            _bad, absent = splats.judge(splats.find(self._console()), self.expected_all)
            last.problems += [f"expected kernel report did not appear: {e}" for e in absent]
        if self.done and self.o.kernel["debug"]:
            last.problems += [f"{kind}: the guest has not looked for any"
                              for kind in ("kmemleak", "dma-api") if kind not in self.found]
        for kind, count in self.found.items():
            declared = any(kind in e.lower() for t in self.tests for e in t.expected)
            if count and not declared:
                last.problems.append(f"{kind}: {count} reported at the end")
        unlogged = [o for o in self.objections if o[1] == "unlogged"]
        last.problems += [f"{o[0]}: violations: {o[3]}" for o in unlogged]
        for test in self.tests:
            test.close()
            for problem in test.problems:
                self._say(f"not ok - {test.name}: {problem}")
        for text in violations.summary(self.objections):
            self._say(f"# violation {text}")
        if any(t.status in (1, TIMED_OUT) and not t.passed for t in self.tests) and not self.done:
            self._say("# end of the console:\n"
                      + "\n".join("#   " + l for l in self._console().splitlines()[-30:]))

    def _results(self, seconds):
        passed = sum(t.passed for t in self.tests)
        failed = sum(t.failed for t in self.tests)
        skipped = sum(t.skipped for t in self.tests)
        suite = self.o.suite or self.tests[0].name
        self._say(f"# {suite} on {self.o.kernel['name']} ({self.o.kernel['release']}), "
                  f"driver {self.o.driver}, {self.o.topo}, smp {self.smp}"
                  f"{', icount' if self.o.icount else ''}: {seconds:.1f} s")
        self._say(f"{passed} passed, {failed} failed, {skipped} skipped")
        if not self.o.results:
            return
        record = {
            "suite": suite, "kernel": self.o.kernel["name"],
            "release": self.o.kernel["release"], "driver": self.o.driver, "topo": self.o.topo,
            "smp": self.smp, "icount": self.o.icount, "passed": passed, "failed": failed,
            "skipped": skipped, "violations": len(self.objections),
            "seconds": round(seconds, 1),
            "allow": self._allow_file() and os.path.basename(self._allow_file()),
            "allow_used": sorted(" ".join(k) for k in self.judge.used),
            "allow_unused": [" ".join(k) for k in self.judge.unused()],
            "tests": [{"name": t.name, "status": t.status, "passed": t.passed,
                       "failed": t.failed, "skipped": t.skipped,
                       "seconds": round(t.seconds, 1), "problems": t.problems}
                      for t in self.tests],
            "counters": self.counters,
        }
        os.makedirs(os.path.dirname(os.path.abspath(self.o.results)), exist_ok=True)
        with open(self.o.results, "a", encoding="utf-8") as f:
            f.write(json.dumps(record) + "\n")

    # --- output ------------------------------------------------------------------------------

    def _output(self, text):
        if self.current:
            self.current.line(text)
        self._say(text)

    def _say(self, text):
        if not self.o.quiet or re.match(r"(ok|not ok|\d+ passed)", text):
            print(text, flush=True)
        self._log(text + "\n")

    def _log(self, text):
        if self.log_file:
            self.log_file.write(text)
            self.log_file.flush()


def exit_status(tests):
    """Status of the whole: 124 on a time-out, a script's own status, 1 for other failures."""
    if any(t.status == TIMED_OUT for t in tests):
        return TIMED_OUT
    for test in tests:
        if test.status:
            return test.status
    return 1 if any(t.failed for t in tests) else 0


def make_tests(words):
    """Tests of script names, each optionally with arguments: "name.sh arg arg"."""
    tests = []
    for word in words:
        argv = shlex.split(word)
        script = argv[0] if "." in os.path.basename(argv[0]) else f"{argv[0]}.sh"
        name = re.sub(r"\.sh$", "", script)
        if len(argv) > 1:
            name += ":" + ",".join(argv[1:])
        tests.append(Test(name=name.replace(" ", "_"), argv=[f"/tests/{script}", *argv[1:]]))
    return tests


def run(options):
    """Boot, test, judge; returns the exit status."""
    for test in options.tests:
        script = test.argv[0].removeprefix("/tests/")
        base = os.path.join(LAB, "selftest", script.removeprefix("lab/")) \
            if script.startswith("lab/") else os.path.join(LAB, "..", "tests/guest", script)
        if not os.path.exists(base):
            raise LabError(f"no such test: {os.path.relpath(base)}")
    guest = Guest(options)
    tests = guest.run()
    status = exit_status(tests)
    if status and not options.quiet:
        say(f"exit status {status}")
    return status

# SPDX-License-Identifier: GPL-2.0-only
"""A qtest client over stdio with QMP beside it, and the PCI plumbing on top.

One Qemu object is one QEMU process under -accel qtest: no guest code runs,
this file plays the CPU.  Virtual time moves by clock_step only, so every test
is deterministic.  Devices sit behind pcie-root-port bridges rp0, rp1, ... that
this file configures the way firmware would.
"""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile

ECAM = 0xB0000000          # where the chipset's extended config space is put
WINDOW = 0xE0000000        # first bridge window
WINDOW_SIZE = 0x01000000   # per root port
RAM_FIRST = 0x00100000     # guest RAM handed out from here
RAM_MB = 128

CAP_PM, CAP_MSI, CAP_PCIE, CAP_MSIX = 0x01, 0x05, 0x10, 0x11
EXT_AER, EXT_DSN = 0x0001, 0x0003


class QemuDied(Exception):
    """The process ended or closed its side of the protocol."""


class QemuHang(Exception):
    """No answer within the limit."""


class Qemu:
    """A running QEMU, its qtest channel, its QMP channel and a RAM allocator.

    @binary: path of qemu-system-x86_64
    @devices: list of -device strings, put on the command line as they are
    @root_ports: number of pcie-root-port bridges (rp0 ...)
    @timeout: seconds to wait for one answer, see _wait()
    @extra: further arguments; they come before the devices
    @fds: descriptors that the process inherits
    """

    def __init__(self, binary, devices, root_ports=1, timeout=30.0, extra=(), fds=()):
        self.timeout = timeout
        self.dir = tempfile.mkdtemp(prefix="ff50xx-qtest-")
        self.stderr_path = os.path.join(self.dir, "stderr")
        self.next_ram = RAM_FIRST
        self.next_bar = {}
        self.buf = b""
        self.qmp_buf = b""
        self.closed = False
        ours, theirs = socket.socketpair()
        args = [binary, "-machine", "q35", "-accel", "qtest",
                "-m", str(RAM_MB), "-display", "none", "-nodefaults",
                "-no-user-config", "-global", "apic-common.vapic=off",
                "-qtest", "stdio", "-qtest-log", "none",
                "-chardev", f"socket,id=qmp0,fd={theirs.fileno()}",
                "-mon", "chardev=qmp0,mode=control"]
        if os.path.isdir("/usr/share/seabios"):
            args += ["-L", "/usr/share/seabios"]
        for i in range(root_ports):
            args += ["-device",
                     f"pcie-root-port,id=rp{i},bus=pcie.0,chassis={i + 1},"
                     f"slot={i + 1},addr={4 + i:x}.0"]
        args += list(extra)
        for dev in devices:
            args += ["-device", dev]
        self.args = args
        self.stderr = open(self.stderr_path, "wb")
        self.proc = subprocess.Popen(
            args, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.stderr, pass_fds=(theirs.fileno(), *fds), bufsize=0)
        theirs.close()
        self.qmp_sock = ours
        self.out = self.proc.stdout.fileno()
        self.root_ports = root_ports
        try:
            self._qmp_line()                  # greeting
            self.qmp("qmp_capabilities")
            self._setup_bridges()
        except BaseException:
            self.close()
            raise

    # --- process -----------------------------------------------------------

    def stderr_text(self):
        """What QEMU wrote to stderr so far."""
        self.stderr.flush()
        with open(self.stderr_path, "rb") as f:
            return f.read().decode(errors="replace")

    def close(self):
        """End the process and remove its scratch directory."""
        if self.closed:
            return
        self.closed = True
        try:
            self.proc.stdin.close()
        except OSError:
            pass
        if self.proc.poll() is None:
            self.proc.send_signal(signal.SIGTERM)
            try:
                self.proc.wait(5)
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()
        self.proc.stdout.close()
        self.qmp_sock.close()
        self.stderr.close()
        with open(self.stderr_path, "rb") as f:
            self.last_stderr = f.read().decode(errors="replace")
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def _died(self, what):
        try:
            self.proc.wait(2)
        except subprocess.TimeoutExpired:
            pass
        raise QemuDied(f"{what}; exit status {self.proc.returncode}\n"
                       + self.stderr_text()[-6000:])

    def _cpu_seconds(self):
        with open(f"/proc/{self.proc.pid}/stat", encoding="ascii", errors="replace") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _wait(self, channel, what):
        """Until @channel has something to read.

        A hang is who uses half of the limit of a CPU without an answer, or waits ten times as
        long: a QEMU that a busy machine has not run yet is none.
        """
        used = self._cpu_seconds()
        for _ in range(10):
            if select.select([channel], [], [], self.timeout)[0]:
                return
            if self._cpu_seconds() - used > self.timeout / 2:
                break
        raise QemuHang(f"no {what} in {self.timeout} s")

    # --- qtest -------------------------------------------------------------

    def _line(self):
        while b"\n" not in self.buf:
            self._wait(self.out, "answer")
            data = os.read(self.out, 1 << 16)
            if not data:
                self._died("qtest channel closed")
            self.buf += data
        line, self.buf = self.buf.split(b"\n", 1)
        return line.decode()

    def _answer(self):
        while True:
            line = self._line()
            if line.startswith("IRQ "):
                continue
            if not line.startswith("OK"):
                raise RuntimeError(f"qtest: {line}")
            return line[3:]

    def cmds(self, lines):
        """Send commands in one burst, return their answers in order.

        Bursts are cut so that neither pipe can fill up and block both ends.
        """
        res = []
        lines = list(lines)
        pos = 0
        while pos < len(lines):
            chunk, size = [], 0
            while pos < len(lines) and len(chunk) < 256 and (
                    not chunk or size + len(lines[pos]) < 16384):
                chunk.append(lines[pos])
                size += len(lines[pos]) + 1
                pos += 1
            try:
                view = memoryview(("\n".join(chunk) + "\n").encode())
                while view:
                    view = view[self.proc.stdin.write(view):]
            except BrokenPipeError:
                self._died("qtest channel closed")
            res += [self._answer() for _ in chunk]
        return res

    def cmd(self, line):
        """Send one command, return its answer."""
        return self.cmds([line])[0]

    def read_n(self, size, addr):
        """Read 1, 2, 4 or 8 bytes at a physical address."""
        return int(self.cmd(f"read{'bwlq'[size.bit_length() - 1]} {addr:#x}"), 16)

    def write_n(self, size, addr, val):
        """Write 1, 2, 4 or 8 bytes at a physical address."""
        self.cmd(f"write{'bwlq'[size.bit_length() - 1]} {addr:#x} {val:#x}")

    def outl(self, port, val):
        self.cmd(f"outl {port:#x} {val:#x}")

    def inl(self, port):
        return int(self.cmd(f"inl {port:#x}"), 16)

    def mem_read(self, addr, size):
        """Read guest RAM."""
        if not size:
            return b""
        res = b""
        while len(res) < size:
            n = min(size - len(res), 4096)
            res += bytes.fromhex(self.cmd(f"read {addr + len(res):#x} {n:#x}")[2:])
        return res

    def mem_write(self, addr, data):
        """Write guest RAM."""
        self.cmds(f"write {addr + i:#x} {len(data[i:i + 4096]):#x} "
                  f"0x{bytes(data[i:i + 4096]).hex()}"
                  for i in range(0, len(data), 4096))

    def mem_set(self, addr, size, byte):
        """Fill guest RAM."""
        if size:
            self.cmd(f"memset {addr:#x} {size:#x} {byte:#x}")

    def step(self, ns):
        """Move virtual time forward by @ns and let bottom halves run."""
        self.cmd(f"clock_step {int(ns)}")

    def step_us(self, us):
        self.step(us * 1000)

    def step_ms(self, ms):
        self.step(ms * 1000000)

    def settle(self, rounds=4):
        """Let bottom halves run without moving time by more than a few ns."""
        for _ in range(rounds):
            self.step(1)

    def wait(self, cond, limit_ms=2000, step_us=100, what="condition"):
        """Step virtual time until cond() is true; its value is returned."""
        steps = max(1, int(limit_ms * 1000 / step_us))
        for i in range(steps + 1):
            res = cond()
            if res:
                return res
            if i < 3:
                self.settle(1)
            else:
                self.step_us(step_us)
        raise AssertionError(f"{what}: not reached in {limit_ms} ms of virtual time")

    # --- QMP ---------------------------------------------------------------

    def _qmp_line(self):
        while b"\n" not in self.qmp_buf:
            self._wait(self.qmp_sock, "QMP answer")
            try:
                data = self.qmp_sock.recv(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                self._died("QMP channel closed")
            self.qmp_buf += data
        line, self.qmp_buf = self.qmp_buf.split(b"\n", 1)
        return json.loads(line)

    def qmp(self, command, **args):
        """Run one QMP command, return its result; raises on an error reply."""
        msg = {"execute": command}
        if args:
            msg["arguments"] = {k.replace("_", "-"): v for k, v in args.items()}
        try:
            self.qmp_sock.sendall(json.dumps(msg).encode() + b"\n")
        except OSError:
            self._died("QMP channel closed")
        while True:
            reply = self._qmp_line()
            if "event" in reply:
                continue
            if "error" in reply:
                raise RuntimeError(f"QMP {command}: {reply['error']['desc']}")
            return reply["return"]

    def qom_get(self, dev, prop):
        return self.qmp("qom-get", path=f"/machine/peripheral/{dev}", property=prop)

    def qom_set(self, dev, prop, value):
        self.qmp("qom-set", path=f"/machine/peripheral/{dev}", property=prop,
                 value=value)

    # --- RAM and PCI -------------------------------------------------------

    def alloc(self, size, align=4096):
        """Hand out zeroed guest RAM."""
        addr = (self.next_ram + align - 1) & -align
        self.next_ram = addr + size
        if self.next_ram > RAM_MB << 20:
            raise MemoryError("guest RAM used up")
        return addr

    def _setup_bridges(self):
        self.outl(0xCF8, 0x80000060)            # PCIEXBAR of the host bridge
        self.outl(0xCFC, ECAM | 1)
        for i in range(self.root_ports):
            br = PciFn(self, 0, 4 + i, 0)
            br.write(0x18, 4, (i + 1) << 16 | (i + 1) << 8)
            base = WINDOW + i * WINDOW_SIZE
            br.write(0x20, 4, (base >> 16 & 0xFFF0)
                     | (base + WINDOW_SIZE - 1) & 0xFFF00000)
            br.write(0x24, 4, 0x0000FFF0)       # prefetchable window closed
            br.write(0x04, 2, 0x0006)
            self.next_bar[i + 1] = base


class PciFn:
    """Config space of one function, through ECAM."""

    def __init__(self, q, bus, dev, fn):
        self.q = q
        self.bus = bus
        self.base = ECAM + (bus << 20 | dev << 15 | fn << 12)
        self.bars = {}
        self.bar_info = {}

    def read(self, off, size=4):
        return self.q.read_n(size, self.base + off)

    def write(self, off, size, val):
        self.q.write_n(size, self.base + off, val)

    def cap(self, want):
        """Offset of a capability, 0 when absent."""
        if not self.read(6, 2) & 0x10:
            return 0
        pos, seen = self.read(0x34, 1) & 0xFC, 0
        while pos and seen < 48:
            if self.read(pos, 1) == want:
                return pos
            pos = self.read(pos + 1, 1) & 0xFC
            seen += 1
        return 0

    def ext_cap(self, want):
        """Offset of an extended capability, 0 when absent."""
        pos, seen = 0x100, 0
        while pos and seen < 64:
            head = self.read(pos)
            if head in (0, 0xFFFFFFFF):
                return 0
            if head & 0xFFFF == want:
                return pos
            pos = head >> 20
            seen += 1
        return 0

    def probe_bars(self):
        """Size every BAR: {index: (size, is64, prefetch, is_io)}."""
        i = 0
        while i < 6:
            off = 0x10 + 4 * i
            old = self.read(off)
            self.write(off, 4, 0xFFFFFFFF)
            low = self.read(off)
            self.write(off, 4, old)
            if not low:
                i += 1
                continue
            if low & 1:
                self.bar_info[i] = (-(low & ~3) & 0xFFFFFFFF, False, False, True)
                i += 1
                continue
            is64 = (low & 6) == 4
            mask = low & ~0xF & 0xFFFFFFFF
            if is64:
                old = self.read(off + 4)
                self.write(off + 4, 4, 0xFFFFFFFF)
                mask |= self.read(off + 4) << 32
                self.write(off + 4, 4, old)
                size = -mask & 0xFFFFFFFFFFFFFFFF
            else:
                size = -mask & 0xFFFFFFFF
            self.bar_info[i] = (size, is64, bool(low & 8), False)
            i += 2 if is64 else 1
        return self.bar_info

    def map_bars(self):
        """Give each memory BAR an address inside the bridge's window."""
        if not self.bar_info:
            self.probe_bars()
        for i, (size, is64, _, is_io) in sorted(self.bar_info.items()):
            if is_io:
                continue
            if i not in self.bars:
                addr = (self.q.next_bar[self.bus] + size - 1) & -size
                self.q.next_bar[self.bus] = addr + size
                self.bars[i] = addr
            self.write(0x10 + 4 * i, 4, self.bars[i])
            if is64:
                self.write(0x14 + 4 * i, 4, 0)

    def command(self, val):
        """Write the command register (bit 1 memory, bit 2 bus master)."""
        self.write(0x04, 2, val)

    def irq_status(self):
        """INTx state as the status register shows it (bit 3)."""
        return bool(self.read(0x06, 2) & 8)

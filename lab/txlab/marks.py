# SPDX-License-Identifier: GPL-2.0-only
"""Counts what a guest executes between two marks of its programs.

lab/plugin/count.c, a TCG plugin, sends each mark as a line and holds the guest until it is answered,
so the model's counters are read, and its properties set, at exactly that instruction.
tests/guest/mark.h says what a mark can be.
"""

import bisect
import collections
import json
import os
import socket
import struct
import threading

from . import cache, initramfs, topology
from .elf import Module
from .util import LAB, LabError, run

# Work of the DMA layer, by the function that every call of it ends in; of two in a group the
# first one that the kernel has.
MAPPINGS = [("dma_map_phys", "dma_map_page_attrs"), ("dma_unmap_phys", "dma_unmap_page_attrs"),
            ("dma_map_sg_attrs",), ("dma_unmap_sg_attrs",)]
USER = 0


def plugin():
    """Path of the plugin, built for the QEMU of the cache."""
    source = os.path.join(LAB, "plugin", "count.c")
    qemu = cache.read_json("qemu/qemu.json")
    if not qemu:
        raise LabError("qemu is not built: run 'lab/lab.py prepare qemu'")
    flags = ["-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-fvisibility=hidden"]
    key = cache.digest(cache.file_digest(source), flags, qemu["version"])
    target = cache.path("plugin", f"count-{key}.so")
    if not os.path.exists(target):
        glib = run(["pkg-config", "--cflags", "glib-2.0"]).split()
        tmp = f"{target}.tmp{os.getpid()}"
        run(["gcc", *flags, f"-I{qemu['src']}/include/qemu", *glib, "-o", tmp, source])
        os.replace(tmp, target)
    return target


def system_map(kernel):
    """[(address, name)] of the kernel's functions; it runs where it was linked to."""
    found = []
    with open(os.path.join(kernel["kdir"], "System.map"), encoding="ascii") as f:
        for line in f:
            address, kind, name = line.split()
            if kind in "tT":
                found.append((int(address, 16), name))
    return found


class Code:
    """Which function, and whose, an address belongs to."""

    def __init__(self, kernel):
        functions = system_map(kernel)
        self.kernel = {name: address for address, name in reversed(functions)}
        self.sections = []          # (start, end, module, name)
        self._functions = [(address, "vmlinux", name) for address, name in functions]
        self._keys = None           # their addresses, once sorted

    def add(self, module, name, address, size, functions):
        """Section @name of @module is at @address."""
        self.sections.append((address, address + size, module, name))
        self._functions += [(address + offset, module, function)
                            for section, offset, function in functions if section == name]
        self._keys = None

    def place_of(self, address):
        """(module, section, offset) of what is at @address, or None."""
        for start, end, module, name in self.sections:
            if start <= address < end:
                return module, name, address - start
        return None

    def module_of(self, address):
        """The module whose code is at @address, or None."""
        place = self.place_of(address)
        return place[0] if place else None

    def function_of(self, address):
        """Name of the function at @address, with the module's in front."""
        if self._keys is None:
            self._functions.sort()
            self._keys = [f[0] for f in self._functions]
        at = bisect.bisect_right(self._keys, address) - 1
        module = self.module_of(address)
        if at < 0:
            return hex(address)
        _address, owner, name = self._functions[at]
        if owner != (module or "vmlinux") or (not module and address > self.kernel["_etext"]):
            return "others"
        return name if owner == "vmlinux" else f"{owner}:{name}"

    def entries(self, counts, names):
        """How often the first of @names that the kernel has was called."""
        for name in names:
            if name in self.kernel:
                return counts.get(self.kernel[name], 0)
        return 0


class Marks:
    """The other end of the plugin's socket, for one boot.

    windows   one dict a window: name, units, counters (sums over all ports), driver, total, user
              (instructions), maps, functions ({name: instructions}), code ({(module, section, offset):
              executions} of the drivers' instructions)
    problems  what went wrong; a window that one of them is about is left out
    """

    def __init__(self, kernel, modules):
        self.code = Code(kernel)
        self.modules = {os.path.basename(m)[:-3]: Module(m) for m in modules}
        self.windows = []
        self.problems = []
        self.image = None
        self._plugin = plugin()
        self._guest = None
        self._open = None

    def listen(self, guest, initrd):
        """Called by the runner before QEMU starts."""
        self._guest = guest
        self.image = cache.file_digest(initrd)
        server = socket.socket(socket.AF_UNIX)
        server.bind(os.path.join(guest.work, "marks"))
        server.listen(1)
        threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def arguments(self):
        """QEMU's arguments, after listen()."""
        work = self._guest.work
        return ["-plugin", f"{self._plugin},ctl={work}/marks,out={work}/counts"]

    def _serve(self, server):
        port, _ = server.accept()
        server.close()
        with port.makefile("rw", encoding="utf-8", errors="replace") as f:
            for line in f:
                try:
                    self._mark(line.strip())
                except (LabError, ValueError, KeyError, IndexError, OSError, struct.error) as err:
                    self.problems.append(f"{line.strip()}: {type(err).__name__}: {err}")
                f.write("OK\n")
                f.flush()

    def _mark(self, line):
        for command in line.split(";"):
            word, _, rest = command.strip().partition(" ")
            if word == "start":
                self._open = (rest, self._counters())
            elif word == "stop":
                self._stop(rest.split())
            elif word == "section":
                self._section(*rest.split())
            elif word == "symbol":
                name, address = rest.split()
                if self.code.kernel[name] != int(address, 16):
                    raise LabError(f"the kernel is not where its System.map says: {rest}")
            else:
                self._guest.hostctl(command.strip())

    def _section(self, module, name, address):
        # What only ran while the module was loaded is gone, and others may be there.
        if name in self.modules[module].sections and not name.startswith(".init"):
            self.code.add(module, name, int(address, 16), self.modules[module].sections[name],
                          self.modules[module].functions)

    def _counters(self):
        found = {}
        for ident in topology.port_ids(self._guest.topo):
            for key, value in json.loads(self._guest.qmp.get(ident, "counters")).items():
                if isinstance(value, int):
                    found[f"{ident}.{key}"] = value
        return found

    def _stop(self, words):
        (name, before), self._open = self._open, None
        after = self._counters()
        change = {key: value - before.get(key, 0) for key, value in after.items()}
        for expected in words[1:]:
            key, value = expected.split("=")
            # Frames of the network itself may join.
            if not int(value) <= change[key] <= int(value) * 1.01 + 5:
                self.problems.append(f"{name}: {change[key]} {key}, not {value}")
                return
        window = {"name": name, "units": int(words[0]), "counters": collections.Counter()}
        for key, value in change.items():
            window["counters"][key.split(".")[1]] += value
        window.update(self._instructions())
        self.windows.append(window)

    def _instructions(self):
        with open(os.path.join(self._guest.work, "counts"), "rb") as f:
            counts = dict(struct.iter_unpack("<QQ", f.read()))
        functions = collections.Counter()
        code = {}
        for address, count in counts.items():
            if address != USER:
                functions[self.code.function_of(address)] += count
                place = self.code.place_of(address)
                if place:
                    code[place] = count
        return {"user": counts.get(USER, 0), "total": sum(counts.values()),
                "driver": sum(code.values()), "code": code,
                "maps": sum(self.code.entries(counts, names) for names in MAPPINGS),
                "functions": functions,
                "entries": {name: counts[address] for name, address in self.code.kernel.items()
                            if address in counts}}


def disassemble(module):
    """Functions of a Module: {(section, offset): lines}, a line being (offset or None, text)."""
    found, section, lines = {}, None, []
    for line in run(["objdump", "-d", "-l", "--no-show-raw-insn", module.path]).splitlines():
        if line.startswith("Disassembly of section "):
            section = line.split()[-1].rstrip(":")
        elif line.endswith(">:"):
            lines = found.setdefault((section, int(line.split()[0], 16)), [])
        offset, colon, _rest = line.strip().partition(":")
        lines.append((int(offset, 16) if line.startswith(" ") and colon else None, line))
    return found


def annotate(name, functions, code, units):
    """Lines of the functions of module @name that ran, with executions a unit in front.

    @functions is what disassemble() returned, @code a window's, see Marks.
    """
    result = []
    for (section, _start), lines in functions.items():
        counts = [code.get((name, section, offset)) for offset, _text in lines]
        if any(counts):
            result += [f"{count / units:9.3f} {text}" if count else f"{'':9} {text}"
                       for count, (_offset, text) in zip(counts, lines)]
    return result


def intree(kernel):
    """Files of the unmodified in-tree driver, unpacked ones only."""
    top = os.path.join(kernel["modroot"], "lib/modules", kernel["release"])
    found = {}
    for where, _dirs, files in os.walk(top):
        found.update({name: os.path.join(where, name) for name in files
                      if name in ("txgbe.ko", "libwx.ko")})
    if len(found) != 2:
        raise LabError(f"{kernel['name']}: no in-tree txgbe.ko and libwx.ko below {top}")
    return list(found.values())

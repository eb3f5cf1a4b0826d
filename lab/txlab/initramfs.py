# SPDX-License-Identifier: GPL-2.0-only
"""The guest's file system: a few cpio archives one after the other.

  base     tools of this machine with the libraries they need (kept in the cache)
  modules  what tests need of the kernel's own modules (kept per kernel)
  guest    init, tests, helpers, the driver: made for every run
"""

import glob
import lzma
import os
import re
import shutil
import stat
import subprocess

from . import apt, cache, foreign, kernels
from .util import LAB, LabError, TREE, run, say

# tool: package that has it
TOOLS = {
    "ip": "iproute2", "tc": "iproute2", "bridge": "iproute2", "ss": "iproute2",
    "nstat": "iproute2", "devlink": "iproute2", "ethtool": "ethtool", "iperf3": "iperf3",
    "ping": "iputils-ping",
    "tcpdump": "tcpdump", "bpftool": "bpftool", "dash": "dash", "kmod": "kmod",
    "taskset": "util-linux", "flock": "util-linux", "timeout": "coreutils", "date": "coreutils",
    "stat": "coreutils", "chrt": "util-linux", "cmp": "diffutils", "pkill": "procps", "ps": "procps",
}
PACKAGES = sorted(set(TOOLS.values()) | {"busybox-static", "gcc", "libc6-dev", "cpio"})
KMOD_LINKS = ["modprobe", "insmod", "rmmod", "lsmod", "modinfo", "depmod"]

# Kernel modules that tests use; those a kernel does not have, or has built in, are left out.
MODULES = """
bonding vxlan geneve 8021q bridge veth dummy macvlan tun pktgen netconsole ptp i2c-dev
ip_gre ip6_gre gre ipip sit ip6_tunnel xfrm_user esp4 esp6 esp4_offload esp6_offload tls sctp
sch_mqprio sch_fq sch_etf sch_taprio sch_ingress sch_multiq sch_prio
cls_flower cls_u32 cls_bpf cls_matchall
act_mirred act_gact act_skbedit act_vlan
tcp_diag udp_diag inet_diag packet_diag xsk_diag unix_diag
vfio-pci virtio_iommu aer_inject netdevsim 8250_pnp
""".split()
INTREE = ["txgbe", "txgbevf"]
# The bench counts x86's instructions, and its helper is written in them.
HELPERS_X86 = ["bench"]


class Archive:
    """A cpio archive in the kernel's "newc" format, written without root."""

    def __init__(self):
        self.entries = {}

    def add(self, path, mode, data=b""):
        """Add an entry; missing parent directories come with it."""
        path = path.strip("/")
        parent = os.path.dirname(path)
        if parent and parent not in self.entries:
            self.directory(parent)
        self.entries[path] = (mode, data)

    def directory(self, path):
        """Add a directory and its parents."""
        path = path.strip("/")
        if path and path not in self.entries:
            self.add(path, stat.S_IFDIR | 0o755)

    def file(self, path, data, executable=False):
        """Add a regular file with content @data (bytes or str)."""
        if isinstance(data, str):
            data = data.encode()
        self.add(path, stat.S_IFREG | (0o755 if executable else 0o644), data)

    def copy(self, path, source, executable=None):
        """Add a regular file with the content and, unless told, the execute bit of @source."""
        if executable is None:
            executable = bool(os.stat(source).st_mode & 0o111)
        with open(source, "rb") as f:
            self.file(path, f.read(), executable)

    def link(self, path, target):
        """Add a symbolic link."""
        self.add(path, stat.S_IFLNK | 0o777, target.encode())

    def bytes(self):
        """The archive: entries sorted, owner root, time 0, so that equal content is equal."""
        out = bytearray()

        def put(name, mode, data, ino):
            links = 2 if stat.S_ISDIR(mode) else 1
            major, minor = (5, 1) if stat.S_ISCHR(mode) else (0, 0)
            fields = (ino, mode, 0, 0, links, 0, len(data), 0, 0, major, minor,
                      len(name) + 1, 0)
            out.extend(b"070701" + b"".join(b"%08X" % f for f in fields))
            out.extend(name.encode() + b"\0")
            out.extend(b"\0" * (-len(out) % 4))
            out.extend(data)
            out.extend(b"\0" * (-len(out) % 4))
        for ino, name in enumerate(sorted(self.entries), 1):
            put(name, *self.entries[name], ino)
        put("TRAILER!!!", 0, b"", 0)
        out.extend(b"\0" * (-len(out) % 512))
        return bytes(out)


class Machine:
    """Where a guest's tools come from: this machine's packages."""

    def __init__(self):
        self.name = "base"

    def prepare(self, _refresh=False):
        """Install what is missing; returns what tells this set of tools from others."""
        packages = PACKAGES
        if self.which("busybox"):
            packages = [p for p in packages if p != "busybox-static"]
        apt.install(packages, "the guest's tools")
        status = os.stat("/var/lib/dpkg/status")
        return f"{status.st_mtime_ns} {status.st_size}"

    def path(self, name):
        """A path of the machine."""
        return f"/{name}"

    def which(self, tool):
        """Path of a tool of the machine's packages; shims of a user's PATH do not count."""
        found = shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin")
        return found and os.path.realpath(found)

    def libraries(self, binaries):
        """{place in the guest: file} of the shared objects that @binaries need, by ldd."""
        found = {}
        for binary in binaries:
            out = subprocess.run(["ldd", binary], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, check=False).stdout
            for m in re.finditer(r"(?:=> )?(/\S+) \(0x", out):
                found[m.group(1)] = os.path.realpath(m.group(1))
            if "not found" in out:
                raise LabError(f"{binary}: a library is missing:\n{out}")
        return found


class Foreign(foreign.Root):
    """The same from packages of another architecture."""

    def __init__(self, arch):
        super().__init__(arch, foreign.ARCHES[arch][0],
                         {*TOOLS.values(), "busybox-static", "bash", "netbase"}, arch)
        self.name = f"base.{arch}"


def _source(arch):
    return Foreign(arch) if arch else Machine()


def usr(path):
    """Place of @path in a merged-/usr guest."""
    return re.sub(r"^/(bin|sbin|lib|lib64)/", r"/usr/\1/", path)


def _applets(busybox):
    """Names of busybox's programs, from a table in the file: another machine's cannot be run."""
    with open(busybox, "rb") as f:
        table = re.search(rb"\0(\[\0\[\[\0(?:[\w.-]+\0)+)", f.read())
    if not table:
        raise LabError(f"{busybox}: no table of its programs found")
    return table.group(1).decode().rstrip("\0").split("\0")


def base(arch=None, refresh=False):
    """Path of the archive with the tools, for the machine's own or another architecture."""
    origin = _source(arch)
    origin_key = origin.prepare(refresh)
    tools = {name: origin.which(name) for name in TOOLS}
    busybox = origin.which("busybox")
    with open(__file__, "rb") as f:
        key = cache.digest(f.read(), origin_key)
    target = cache.path("initramfs", f"{origin.name}-{key}.cpio")
    if os.path.exists(target):
        return target
    with cache.lock("initramfs"):
        image = Archive()
        for name in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "proc", "sys", "dev", "run",
                     "tmp", "root", "var/run", "etc", "mnt", "var/tmp"):
            image.directory(name)
        for name in ("bin", "sbin", "lib", "lib64"):
            image.link(name, f"usr/{name}")
        # The kernel opens the console before anything is mounted.
        image.add("dev/console", stat.S_IFCHR | 0o600)
        for name, source in tools.items():
            image.copy(f"usr/bin/{name}", source)
        for name in KMOD_LINKS:
            image.link(f"usr/sbin/{name}", "../bin/kmod")
        for place, source in origin.libraries([*tools.values(), busybox]).items():
            image.copy(usr(place), source)
        image.copy("usr/bin/busybox", busybox)
        taken = {os.path.basename(p) for p in image.entries}
        for applet in _applets(busybox):
            if applet not in taken:
                image.link(f"usr/bin/{applet}", "busybox")
        image.link("usr/bin/sh", "dash")
        for place in ("etc/iproute2", "usr/share/iproute2"):
            for source in glob.glob(f"{origin.path(place)}/*"):
                if os.path.isfile(source):
                    image.copy(f"{place}/{os.path.basename(source)}", source)
        image.file("etc/passwd", "root:x:0:0:root:/root:/bin/dash\n"
                                 "tcpdump:x:100:100::/tmp:/bin/false\n"
                                 "nobody:x:65534:65534::/:/bin/false\n")
        image.file("etc/group", "root:x:0:\ntcpdump:x:100:\nnogroup:x:65534:\n")
        image.file("etc/hosts", "127.0.0.1 localhost\n::1 localhost\n")
        for name in ("protocols", "services", "ethertypes"):
            if os.path.exists(origin.path(f"etc/{name}")):
                image.copy(f"etc/{name}", origin.path(f"etc/{name}"))
        store(target, image.bytes())
        for old in glob.glob(cache.path("initramfs", f"{origin.name}-*.cpio")):
            if old != target:
                os.remove(old)
    return target


def store(target, data):
    """Write @data to the file @target, at once or not at all."""
    with open(f"{target}.tmp{os.getpid()}", "wb") as f:
        f.write(data)
    os.replace(f"{target}.tmp{os.getpid()}", target)


def _read_module(path):
    if path.endswith(".xz"):
        with lzma.open(path) as f:
            return f.read()
    if path.endswith((".zst", ".gz")):
        tool = "zstd" if path.endswith(".zst") else "gzip"
        return subprocess.run([tool, "-dc", path], stdout=subprocess.PIPE, check=True).stdout
    with open(path, "rb") as f:
        return f.read()


def modules(kernel):
    """Path of the archive with the kernel's own modules (and the in-tree driver, if it has it)."""
    order = os.path.join(kernel["modroot"], "lib/modules", kernel["release"], "modules.dep")
    mark = os.stat(order).st_mtime_ns if os.path.exists(order) else 0
    with open(__file__, "rb") as f:
        key = cache.digest(f.read(), kernel["image"], kernel["modroot"], kernel["version"], mark)
    target = cache.path("initramfs", f"modules-{kernel['name']}-{key}.cpio")
    if os.path.exists(target):
        return target
    with cache.lock("initramfs"):
        for old in glob.glob(cache.path("initramfs", f"modules-{kernel['name']}-*.cpio")):
            os.remove(old)
        release = kernel["release"]
        stage = cache.directory("initramfs", f"stage-{kernel['name']}")
        shutil.rmtree(stage)
        there = os.path.join(kernel["modroot"], "lib/modules", release)
        here = os.path.join(stage, "lib/modules", release)
        os.makedirs(here)
        for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
            if os.path.exists(f"{there}/{name}"):
                shutil.copy(f"{there}/{name}", here)
        for source in kernels.module_closure(kernel, MODULES + INTREE):
            rel = os.path.relpath(os.path.realpath(source), os.path.realpath(there))
            place = re.sub(r"\.(xz|zst|gz)$", "", os.path.join(here, rel))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as f:
                f.write(_read_module(source))
        subprocess.run(["depmod", "-b", stage, release], stderr=subprocess.DEVNULL, check=True)
        image = Archive()
        for where, _dirs, files in os.walk(stage):
            for name in files:
                full = os.path.join(where, name)
                image.copy("usr/" + os.path.relpath(full, stage), full)
        store(target, image.bytes())
        shutil.rmtree(stage)
    return target


def helpers(arch=None):
    """[(name, path)] of the C helpers of tests/guest, built static for @arch."""
    compiler = f"{foreign.compiler(arch)}gcc"
    result = []
    headers = b"".join(open(h, "rb").read()
                       for h in sorted(glob.glob(f"{TREE}/tests/guest/*.h")))
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-static", "-pthread"]
    for source in sorted(glob.glob(f"{TREE}/tests/guest/*.c")):
        name = os.path.basename(source)[:-2]
        if arch and name in HELPERS_X86:
            continue
        with open(source, "rb") as f:
            key = cache.digest(f.read(), headers, " ".join(flags))
        target = cache.path("helpers", f"{name}{f'.{arch}' if arch else ''}-{key}")
        if not os.path.exists(target):
            say(f"compiling helper {name}")
            run([compiler, *flags, "-o", f"{target}.tmp{os.getpid()}", source])
            os.replace(f"{target}.tmp{os.getpid()}", target)
        result.append((name, target))
    return result


def _user_scripts(image, origin):
    """The scripts for users and the shell that they need: only for the tests that run them."""
    bash = origin.which("bash")
    image.copy("usr/bin/bash", bash)
    for place, source in origin.libraries([bash]).items():
        image.copy(usr(place), source)
    for where, _dirs, files in os.walk(f"{TREE}/scripts"):
        for name in files:
            full = os.path.join(where, name)
            image.copy(os.path.join("scripts", os.path.relpath(full, f"{TREE}/scripts")), full)


def guest(env, run_script, module_files, arch=None):
    """Bytes of the archive made for one run.

    @env and @run_script are shell text; @module_files go to /modules.
    """
    image = Archive()
    image.copy("init", f"{LAB}/init", True)
    for name in ("hostctl", "kmemleak-scan"):
        image.copy(f"usr/bin/{name}", f"{LAB}/{name}", True)
    image.file("lab/env", env)
    image.file("lab/run", run_script)
    image.directory("tests/bin")
    for top, place in ((f"{TREE}/tests/guest", "tests"), (f"{LAB}/selftest", "tests/lab")):
        for where, _dirs, files in os.walk(top):
            for name in files:
                if not name.endswith((".c", ".h", ".o")):
                    full = os.path.join(where, name)
                    image.copy(os.path.join(place, os.path.relpath(full, top)), full,
                               name.endswith(".sh") or None)
    for name, path in helpers(arch):
        image.copy(f"tests/bin/{name}", path)
    if re.search(r"\bscripts/", run_script):
        _user_scripts(image, _source(arch))
    image.directory("modules")
    for path in module_files:
        image.copy(f"modules/{os.path.basename(path)}", path)
    return image.bytes()


def build(kernel, target, env, run_script, module_files):
    """Write the whole initramfs of one run to @target."""
    with open(target, "wb") as out:
        parts = [base(kernel.get("arch")), modules(kernel)]
        if re.search(r"/tests/ksft/", run_script):
            # Imported here: that module makes its archive with this one.
            from . import ksft
            parts.append(ksft.layer(kernel))
        for part in parts:
            with open(part, "rb") as f:
                shutil.copyfileobj(f, out, 1 << 20)
        out.write(guest(env, run_script, module_files, kernel.get("arch")))
        if re.search(r"\bkexec\b", run_script):
            out.write(_second_kernel(kernel))


def _second_kernel(kernel):
    """Bytes of an archive with the kernel's image, for a guest that starts it a second time."""
    arch = Archive()
    arch.copy("lab/bzImage", kernel["image"])
    return arch.bytes()

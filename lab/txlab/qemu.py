# SPDX-License-Identifier: GPL-2.0-only
"""Fetch QEMU's source, lay the device model over it, build it.

The overlay is the tree emulator/{hw,include}/...; it is copied into the unpacked source with
unchanged files left alone, so a rebuild after an edit takes seconds.  One line is appended to
hw/net/meson.build and one to hw/net/Kconfig; the originals are kept beside them.
"""

import dataclasses
import os
import re
import shutil

from . import apt, cache
from .util import LabError, Stopwatch, TREE, run, run_watched, say, tail, write_if_changed

PACKAGES = ("build-essential ninja-build pkg-config python3 python3-venv libglib2.0-dev "
            "zlib1g-dev libattr1-dev dpkg-dev seabios qemu-system-data").split()

# CONFIG_PXB does not link without CXL and CXL_MEM_DEVICE.
DEVICES = """\
CONFIG_Q35=y
CONFIG_PCIE_PORT=y
CONFIG_XIO3130=y
CONFIG_PXB=y
CONFIG_CXL=y
CONFIG_CXL_MEM_DEVICE=y
CONFIG_VTD=y
CONFIG_E1000E_PCI_EXPRESS=y
CONFIG_IGB_PCI_EXPRESS=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_RNG=y
CONFIG_VIRTIO_IOMMU=y
CONFIG_VIRTIO_9P=y
CONFIG_EDU=y
CONFIG_PCI_TESTDEV=y
CONFIG_ISA_DEBUG=y
CONFIG_FF50XX=y
"""

DEVICES_ARM64 = """\
CONFIG_ARM_VIRT=y
CONFIG_PCIE_PORT=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_NET=y
CONFIG_PCI_TESTDEV=y
CONFIG_FF50XX=y
"""

CONFIGURE = """--python=/usr/bin/python3 --target-list={cpu}-softmmu
--without-default-features --without-default-devices --with-devices-{cpu}=ff
--enable-tcg --enable-plugins --enable-attr --enable-virtfs
--disable-kvm {fdt} --disable-download --disable-docs --disable-werror
--disable-install-blobs --disable-tools --disable-guest-agent
--extra-cflags=-Werror=implicit-function-declaration"""


@dataclasses.dataclass
class Variant:
    """One build of QEMU."""

    options: list
    cpu: str = "x86_64"
    devices: str = DEVICES
    # The boards of ARM are described to the guest by a device tree.
    fdt: str = "--disable-fdt"
    packages: tuple = ()

    def arguments(self):
        """Arguments of QEMU's configure."""
        return CONFIGURE.format(cpu=self.cpu, fdt=self.fdt).split() + self.options


VARIANTS = {
    "qemu": Variant(["--disable-debug-info"]),
    # Line numbers in the sanitizers' reports need some debug info; -g1 is enough.
    "qemu-asan": Variant(["--disable-debug-info", "--enable-asan", "--enable-ubsan",
                          "--extra-cflags=-g1"]),
    "qemu-arm64": Variant(["--disable-debug-info"], "aarch64", DEVICES_ARM64, "--enable-fdt=system",
                          ("libfdt-dev",)),
}

KCONFIG = "config FF50XX\n    bool\n    default y if PCI_DEVICES || PCIE_DEVICES\n" \
          "    depends on PCI_EXPRESS && MSI_NONBROKEN\n"


@dataclasses.dataclass
class Board:
    """A kind of machine that a guest can be."""

    arguments: list
    # More of it for a guest whose clock counts instructions.
    icount: str
    console: str
    # A host that is short of CPU must not look like a broken timer.
    append: str = ""


BOARDS = {
    # With hot-plug by ACPI QEMU's root ports never report an active link, and the kernel gives up
    # after each reset of the bus: no recovery from fatal errors.
    None: Board(["-M", "q35", "-global", "ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off",
                 "-cpu", "max"], ",-rdrand,-rdseed", "ttyS0", "no_timer_check "),
    # The ITS is what MSI-X takes. Of the processors that know pages of 16 KiB, one without pointer
    # authentication, which takes time to emulate.
    "arm64": Board(["-M", "virt,gic-version=3,its=on", "-cpu", "cortex-a76"], "", "ttyAMA0"),
}


def rom_paths():
    """-L options: option ROMs and firmware come from the distribution's packages."""
    return ["-L", "/usr/share/seabios", "-L", "/usr/share/qemu"]


def prepare(what="qemu", refresh=False):
    """Build variant @what; returns the path of the binary.

    Fetches only what is missing; @refresh looks for a newer source package.
    """
    variant = VARIANTS[what]
    apt.install([*PACKAGES, *variant.packages], "the QEMU build")
    with cache.lock("qemu"):
        state = _source(refresh)
        write_if_changed(os.path.join(state["src"],
                                      f"configs/devices/{variant.cpu}-softmmu/ff.mak"),
                         variant.devices)
        _overlay(state["src"])
    # A lock of its own: the long build of one variant must not hold up users of the other.
    with cache.lock(what if what != "qemu" else "qemu-plain"):
        build = _configure(what, state)
        return _ninja(what, build, state)


def variant(kernel, asan=False):
    """Name of the variant that boots @kernel."""
    if kernel.get("arch"):
        if asan:
            raise LabError(f"{kernel['name']}: there is no sanitized QEMU for {kernel['arch']}")
        return f"qemu-{kernel['arch']}"
    return "qemu-asan" if asan else "qemu"


def binary(what="qemu"):
    """Path of a binary built before; LabError when there is none."""
    build = cache.read_json(f"qemu/{what}.json")
    if not build or not os.path.exists(build["binary"]):
        raise LabError(f"{what} is not built: run 'lab/lab.py prepare {what}'")
    return build["binary"]


def _source(refresh):
    """Fetch and unpack; returns {"version", "src", "meson", "meson_version"}."""
    state = cache.read_json("qemu/source.json")
    if state and not refresh and os.path.exists(state["src"]) and os.path.exists(state["meson"]):
        return state
    watch = Stopwatch()
    repo = apt.State("qemu")
    downloads = cache.directory("dl", "qemu")
    dsc, version = repo.source("qemu", "trixie", downloads)
    plain = version.split(":")[-1].replace("~", "_")
    src = cache.path("qemu", f"src-{plain}")
    if not os.path.exists(src):
        tmp = f"{src}.tmp"
        shutil.rmtree(tmp, ignore_errors=True)
        # Debian's patches are wanted: they drop blobs and wheels that the tarball lacks.
        run(["dpkg-source", "--no-check", "-x", dsc, tmp],
            log=cache.path("logs", "qemu-unpack.log"))
        os.rename(tmp, src)
    meson_version = repo.version("meson")
    meson = cache.path("qemu", f"meson-{meson_version.replace('~', '_')}")
    if not os.path.exists(meson):
        deb = repo.download("meson", downloads)
        run(["dpkg-deb", "-x", deb, f"{meson}.tmp"])
        os.rename(f"{meson}.tmp", meson)
    state = {"version": version, "src": src, "meson": meson, "meson_version": meson_version}
    cache.write_json("qemu/source.json", state)
    say(f"QEMU {version} source ready after {watch}")
    return state


def _environment(state):
    """Every later ninja call that regenerates needs this meson too, not bookworm's."""
    return dict(os.environ,
                PYTHONPATH=os.path.join(state["meson"], "usr/lib/python3/dist-packages"))


def _overlay(src):
    """Bring emulator/{hw,include} into @src and hook hw/net/ff50xx into the build."""
    model = "hw/net/ff50xx"
    wanted = {}
    for top in ("hw", "include"):
        base = os.path.join(TREE, "emulator", top)
        for where, _dirs, files in os.walk(base):
            for name in files:
                if name.endswith((".c", ".h", ".build", ".inc", "Kconfig", "trace-events")):
                    full = os.path.join(where, name)
                    wanted[os.path.relpath(full, os.path.join(TREE, "emulator"))] = full
    listing = cache.path("qemu", os.path.basename(src) + ".overlay")
    try:
        with open(listing, encoding="utf-8") as f:
            old = f.read().split("\n")
    except FileNotFoundError:
        old = []
    for rel in old:
        if rel and rel not in wanted and os.path.exists(os.path.join(src, rel)):
            os.remove(os.path.join(src, rel))
    changed = 0
    for rel, full in wanted.items():
        with open(full, "rb") as f:
            changed += write_if_changed(os.path.join(src, rel), f.read())
    write_if_changed(listing, "\n".join(sorted(wanted)))

    meson = kconfig = ""
    if f"{model}/meson.build" in wanted:
        meson = "subdir('ff50xx')\n"
    else:
        files = sorted(r for r in wanted if r.startswith(model + "/") and r.endswith(".c"))
        if files:
            names = ", ".join(f"'{os.path.relpath(f, 'hw/net')}'" for f in files)
            meson = f"system_ss.add(when: 'CONFIG_FF50XX', if_true: files({names}))\n"
    kconfig = "source ff50xx/Kconfig\n" if f"{model}/Kconfig" in wanted else KCONFIG
    for name, extra in (("hw/net/meson.build", meson), ("hw/net/Kconfig", kconfig)):
        full = os.path.join(src, name)
        orig = f"{full}.orig"
        if not os.path.exists(orig):
            shutil.copyfile(full, orig)
        with open(orig, encoding="utf-8") as f:
            write_if_changed(full, f.read() + "\n" + extra)
    if not meson:
        say("emulator/hw/net/ff50xx has no source yet: building QEMU without the model")
    return changed


def _configure(what, state):
    """Create the build directory of a variant when its key is new; returns its path."""
    args = VARIANTS[what].arguments()
    key = cache.digest(state["version"], state["meson_version"], " ".join(args),
                       VARIANTS[what].devices)
    build = cache.path("qemu", f"build-{what}-{key}")
    log = cache.path("logs", f"{what}.log")
    if os.path.exists(os.path.join(build, "build.ninja")):
        return build
    shutil.rmtree(build, ignore_errors=True)
    os.makedirs(build)
    say(f"configuring {what} {state['version']} (log: {log})")
    watch = Stopwatch()
    try:
        run([os.path.join(state["src"], "configure"), *args], cwd=build, env=_environment(state),
            log=log)
    except LabError:
        shutil.rmtree(build, ignore_errors=True)
        raise
    say(f"configured after {watch}")
    return build


def _progress(what, log):
    """The last "[n/m]" that ninja wrote."""
    steps = re.findall(r"^\[(\d+)/(\d+)\]", tail(log), re.M)
    return f"{what}: step {steps[-1][0]} of {steps[-1][1]}" if steps else None


def _ninja(what, build, state):
    """Bring the binary up to date; returns its path."""
    log = cache.path("logs", f"{what}.log")
    name = f"qemu-system-{VARIANTS[what].cpu}"
    target = os.path.join(build, name)
    watch = Stopwatch()
    fresh = not os.path.exists(target)
    if fresh:
        say(f"building {what} {state['version']}, 2 to 15 minutes on two cores (log: {log})")
    if os.path.exists(log):
        os.truncate(log, 0)
    run_watched(["ninja", "-C", build, f"-j{os.cpu_count() or 1}", name],
                env=_environment(state), log=log, progress=lambda l: _progress(what, l))
    cache.write_json(f"qemu/{what}.json", {"binary": target, "build": build, **state})
    if fresh or watch.seconds() > 5:
        say(f"{what}: {target} up to date after {watch}")
    return target

# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own selftests of network drivers, as a layer of the guest's file system.

The tests are the files of the newest kernel's source, unmodified; their C and BPF programs are
compiled here, outside of that source.  They are written in Python and parse what the newest
ethtool, iproute2 and bpftool print, so those come with their libraries from Debian's current
suite and lie over what the guest has from this machine.
"""

import glob
import os
import re
import shutil

from . import apt, cache, foreign, initramfs, kernels
from .util import LabError, Stopwatch, run, say

SUITE = "trixie"
# Where the tests are in the guest: everything as "make install" of the kernel's selftests has it.
PLACE = "ksft"
TOOLS = {
    "ethtool": "ethtool", "ip": "iproute2", "tc": "iproute2", "ss": "iproute2",
    "devlink": "iproute2", "bpftool": "bpftool", "socat": "socat", "iperf3": "iperf3",
    "bash": "bash", "jq": "jq", "mausezahn": "netsniff-ng", "nsenter": "util-linux",
    "taskset": "util-linux", "grep": "grep", "sed": "sed", "gawk": "gawk", "tcpdump": "tcpdump",
    "readlink": "coreutils", "realpath": "coreutils", "sort": "coreutils", "mktemp": "coreutils",
    "comm": "coreutils",
}
PACKAGES = {*TOOLS.values(), "python3", "python3-yaml", "libgcc-s1"}
# Opened by the C library when a thread is cancelled.
OPENED = ["libgcc_s.so.1"]
# iou-zcrx is not built: it wants a newer liburing than the suite has.
HOST_PACKAGES = ["gcc", "make", "libc6-dev", "python3", "python3-yaml", "python3-jsonschema",
                 "clang", "binutils"]
# Parts of Python's library that no test imports.
UNUSED = """test idlelib tkinter turtledemo ensurepip pydoc_data lib2to3 distutils venv config-*
__phello__ sqlite3 wsgiref dbm curses turtle.py pydoc.py""".split()
TREES = ["net/lib", "drivers/net/lib", "drivers/net/hw/lib", "kselftest"]
FILES = ["net/lib.sh", "net/forwarding/lib.sh", "net/forwarding/tc_common.sh",
         "net/forwarding/ipip_lib.sh", "drivers/net/*.py", "drivers/net/hw/*.py",
         "drivers/net/hw/*.sh", "drivers/net/README.rst"]


# --- Programs of the tests -------------------------------------------------------------------

def _headers(kernel, build):
    """The kernel's headers for user programs; the directories to include.

    From the package of the same version; only if the archive no longer has that are they made.
    """
    state = apt.State("newest")
    inc = os.path.join(build, "usr/include")
    if (kernel["version"], "linux-libc-dev") in state.versions(["linux-libc-dev"]):
        deb = state.download("linux-libc-dev", cache.directory("dl", "newest"),
                             kernel["version"])
        run(["dpkg-deb", "-x", deb, build])
        os.remove(deb)
    else:
        run(["make", f"-j{os.cpu_count() or 1}", "-C", kernel["source"], f"O={build}",
             "headers"], log=cache.path("logs", "ksft.log"))
    return [inc, *glob.glob(f"{inc}/{run(['gcc', '-print-multiarch']).strip()}")]


def _libynl(src, build):
    """Generated code of the netlink families that the tests' C programs speak."""
    stage = os.path.join(build, "stage")
    shutil.rmtree(stage, ignore_errors=True)
    os.makedirs(f"{stage}/tools/net")
    # By the first the generator knows the top of a kernel's source; without it, it looks for ever.
    for name in ("MAINTAINERS", "include", "Documentation", "tools/scripts", "tools/build",
                 "tools/include", "scripts"):
        os.symlink(f"{src}/{name}", f"{stage}/{name}")
    shutil.copytree(f"{src}/tools/net/ynl", f"{stage}/tools/net/ynl")
    # The generator wants the Python that the packages are for.
    env = dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin")
    run(["make", "-C", f"{stage}/tools/net/ynl", f"-j{os.cpu_count() or 1}",
         "GENS=ethtool netdev", "RSTS=", "libynl.a"], env=env,
        log=cache.path("logs", "ksft.log"))
    return f"{stage}/tools/net/ynl"


def _bpf(src, build, kernel_inc, source, target):
    """Compile one BPF program as the selftests' Makefile does."""
    inc = os.path.join(build, "bpf-include")
    if not os.path.isdir(f"{inc}/bpf"):
        os.makedirs(f"{inc}/bpf")
        for header in glob.glob(f"{src}/tools/lib/bpf/*.h"):
            shutil.copy(header, f"{inc}/bpf")
        with open(f"{inc}/bpf/bpf_helper_defs.h", "w", encoding="utf-8") as f:
            f.write(run(["python3", f"{src}/scripts/bpf_doc.py", "--header", "--file",
                         f"{src}/tools/include/uapi/linux/bpf.h"]))
    triplet = run(["gcc", "-print-multiarch"]).strip()
    run(["clang", "-O2", "-g", "--target=bpf", *kernel_inc, f"-I{inc}",
         "-idirafter", f"/usr/include/{triplet}", "-idirafter", "/usr/include",
         "-c", source, "-o", target], log=cache.path("logs", "ksft.log"))


def _programs(kernel):
    """Build the tests' programs; ({path below PLACE: file}, the kernel's ethtool.h)."""
    src = kernel["source"]
    tests = f"{src}/tools/testing/selftests"
    with open(__file__, "rb") as f:
        key = cache.digest(f.read(), kernel["version"])
    build = cache.path("ksft", f"build-{key}")
    out = os.path.join(build, "out")
    done = os.path.join(build, "done")
    if not os.path.exists(done):
        log = cache.path("logs", "ksft.log")
        if os.path.exists(log):
            os.truncate(log, 0)
        watch = Stopwatch()
        say("building the programs of the kernel's selftests")
        shutil.rmtree(build, ignore_errors=True)
        os.makedirs(out)
        inc = [w for d in _headers(kernel, build) for w in ("-isystem", d)]
        ynl = _libynl(src, build)
        plain = ["net/lib/csum", "net/lib/gro", "net/lib/xdp_helper",
                 "drivers/net/napi_id_helper", "drivers/net/so_txtime"]
        more = {"drivers/net/hw/toeplitz": [f"-I{ynl}/lib", f"-I{ynl}/generated",
                                            f"{ynl}/libynl.a"]}
        for name in [*plain, *more]:
            os.makedirs(os.path.dirname(f"{out}/{name}"), exist_ok=True)
            extra = more.get(name, [])
            run(["gcc", "-D_GNU_SOURCE=", "-O2", "-static", *inc, f"-I{tests}",
                 *[e for e in extra if e.startswith("-I")], "-o", f"{out}/{name}",
                 f"{tests}/{name}.c", *[e for e in extra if not e.startswith("-I")]], log=log)
        for source in glob.glob(f"{tests}/net/lib/*.bpf.c"):
            name = os.path.basename(source)[:-2]
            _bpf(src, build, inc, source, f"{out}/net/lib/{name}.o")
        with open(done, "w", encoding="ascii") as f:
            f.write("done\n")
        say(f"programs of the kernel's selftests built in {watch}")
        _forget("build-*", build)
    files = {os.path.relpath(f, out): f for f in glob.glob(f"{out}/**", recursive=True)
             if os.path.isfile(f)}
    # A script reads the names of the link modes there.
    return files, f"{build}/usr/include/linux/ethtool.h"


def _forget(pattern, keep):
    """Remove what an earlier version of something left in the cache."""
    for old in glob.glob(cache.path("ksft", pattern)):
        if os.path.realpath(old) != os.path.realpath(keep):
            shutil.rmtree(old) if os.path.isdir(old) else os.remove(old)


# --- The layer -------------------------------------------------------------------------------

def _python(root):
    """(command of the unpacked Python on this machine, its version as "3.13")."""
    lib = root.path("usr/lib", root.triplet())
    python = root.which("python3")
    loader = os.path.realpath(glob.glob(f"{lib}/ld-linux*.so.*")[0])
    return ["env", f"PYTHONHOME={root.path('usr')}", loader, "--library-path", lib, python, "-E",
            "-S"], os.path.basename(python)[6:]


def _add_tree(arch, place, top, wanted):
    for where, dirs, files in os.walk(top):
        dirs.sort()
        for name in sorted(files):
            full = os.path.join(where, name)
            rel = os.path.relpath(full, top)
            if wanted(rel):
                arch.copy(os.path.join(place, rel), full)


def _add_python(arch, root):
    """Python with its library, compiled: a guest without KVM would take minutes for that."""
    command, version = _python(root)
    lib = root.path("usr/lib", f"python{version}")
    packages = root.path("usr/lib/python3/dist-packages")
    skip = [re.compile("^" + re.escape(name).replace(r"\*", ".*") + "(/|$)") for name in UNUSED]
    run([*command, "-m", "compileall", "-q", "-b", "--invalidation-mode", "unchecked-hash",
         "-s", root.path(), "-x", "/(test|idlelib|lib2to3)/", lib, f"{packages}/yaml"], check=False)

    def wanted(rel):
        return rel.endswith((".pyc", ".so")) and "__pycache__" not in rel \
            and not any(s.search(re.sub(r"\.pyc$", ".py", rel)) for s in skip)
    _add_tree(arch, f"usr/lib/python{version}", lib, wanted)
    _add_tree(arch, "usr/lib/python3/dist-packages", packages,
              lambda rel: rel.startswith(("yaml/", "_yaml/")) and wanted(rel))
    arch.copy(f"usr/bin/python{version}", root.which("python3"), True)
    arch.link("usr/bin/python3", f"python{version}")
    return [root.which("python3"),
            *(e for e in glob.glob(f"{lib}/lib-dynload/*.so")),
            *(e for e in glob.glob(f"{packages}/**/*.so", recursive=True))]


def _tests(kernel, stage):
    """Copy the tests as installed to @stage."""
    top = f"{kernel['source']}/tools/testing/selftests"
    shutil.rmtree(stage, ignore_errors=True)
    for tree in TREES:
        shutil.copytree(f"{top}/{tree}", f"{stage}/{tree}",
                        ignore=shutil.ignore_patterns("*.c", "*.h", "Makefile", "__pycache__"))
    for pattern in FILES:
        for source in glob.glob(f"{top}/{pattern}"):
            target = os.path.join(stage, os.path.relpath(source, top))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)
    shutil.copytree(f"{kernel['source']}/tools/net/ynl/pyynl", f"{stage}/net/lib/ynl/pyynl",
                    ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(f"{kernel['source']}/Documentation/netlink/specs", f"{stage}/net/lib/specs")
    with open(f"{stage}/kselftest-list.txt", "w", encoding="ascii") as f:
        f.write("".join(f"{os.path.dirname(p)}:{os.path.basename(p)}\n" for p in sorted(
            os.path.relpath(p, stage) for p in glob.glob(f"{stage}/drivers/net/**",
                                                         recursive=True)
            if p.endswith((".py", ".sh")) and "/lib/" not in p)))


def layer(kernel, refresh=False):
    """Path of the archive with the selftests and all they need; made if it is not there."""
    source = kernels.prepare("newest") if not kernel.get("source") else kernel
    apt.install(HOST_PACKAGES, "the kernel's selftests")
    root = foreign.Root("ksft", SUITE, PACKAGES)
    root_key = root.prepare(refresh)
    with open(__file__, "rb") as f, open(initramfs.__file__, "rb") as g:
        key = cache.digest(f.read(), g.read(), source["version"], root_key)
    target = cache.path("ksft", f"layer-{key}.cpio")
    if os.path.exists(target):
        return target
    with cache.lock("ksft"):
        programs, header = _programs(source)
        arch = initramfs.Archive()
        binaries = _add_python(arch, root)
        for name in TOOLS:
            where = root.which(name)
            if not where:
                raise LabError(f"{SUITE}: no {name} in {TOOLS[name]}")
            binaries.append(where)
            arch.copy(f"usr/bin/{name}", where, True)
        arch.link("usr/bin/awk", "gawk")
        for place, file in root.libraries(binaries, OPENED).items():
            arch.copy(initramfs.usr(place), file)
        stage = cache.path("ksft", "stage")
        _tests(source, stage)
        command, _version = _python(root)
        run([*command, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash",
             "-s", stage, "-p", f"/{PLACE}", stage])
        _add_tree(arch, PLACE, stage, lambda _rel: True)
        for rel, path in programs.items():
            arch.copy(f"{PLACE}/{rel}", path)
        arch.copy("usr/include/linux/ethtool.h", header)
        initramfs.store(target, arch.bytes())
        shutil.rmtree(stage)
        _forget("layer-*.cpio", target)
    return target

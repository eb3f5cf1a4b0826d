# SPDX-License-Identifier: GPL-2.0-only
"""Kernels to boot and to build modules for.

A prepared kernel is a dict (kept as JSON in the cache):
  name     debian-6.1, newest, ...
  version  package version
  release  uname -r
  image    bzImage
  modroot  directory with lib/modules/RELEASE
  kdir     build directory for modules: make -C KDIR M=...
  config   the kernel's .config
  debug    the kernel has the run-time checkers
  arch     Debian's name of the architecture; None for the machine's own
"""

import glob
import os
import re
import shlex
import shutil
import subprocess

from . import apt, cache
from .util import LAB, LabError, Stopwatch, run, run_watched, say, tail

DEBIAN = {
    # name: (apt group, upstream series, architecture if it is not the machine's, flavour)
    "debian-5.10": ("bullseye", "5.10", None, "amd64"),
    "debian-6.1": ("bookworm", "6.1", None, "amd64"),
    "debian-6.12": ("bookworm", "6.12", None, "amd64"),
    "debian-6.1-arm64": ("bookworm", "6.1", "arm64", "arm64"),
    # pages of 16 KiB
    "debian-6.12-arm64-16k": ("bookworm", "6.12", "arm64", "arm64-16k"),
}
BUILT = {"newest": ["newest"], "newest-debug": ["newest", "debug"]}
NAMES = [*DEBIAN, *BUILT]

# dwarves: Debian's headers of 6.12 bring the vmlinux for a module's BTF and let pahole make it.
PACKAGES_MODULES = ["build-essential", "kmod", "libelf-dev", "dpkg-dev", "xz-utils", "dwarves"]
PACKAGES_KERNEL = [*PACKAGES_MODULES, "flex", "bison", "bc", "libssl-dev", "cpio"]

# Without these a kernel is not what its name says; other lines of a fragment may vanish with
# a newer kernel and are only reported.
REQUIRED = {
    "newest": ["MODULES=y", "SMP=y", "PCI_MSI=y", "TXGBE=m", "DEBUG_INFO_BTF=y",
               "SERIAL_8250_CONSOLE=y", "BLK_DEV_INITRD=y", "BONDING=m", "VXLAN=m"],
    "newest-debug": ["MODULES=y", "SMP=y", "PCI_MSI=y", "TXGBE=m", "KASAN=y", "PROVE_LOCKING=y",
                     "DMA_API_DEBUG=y", "DEBUG_KMEMLEAK=y", "DEBUG_ATOMIC_SLEEP=y",
                     "FAULT_INJECTION_DEBUG_FS=y"],
}


def prepare(name, refresh=False):
    """Fetch or build kernel @name; returns its dict."""
    if name not in NAMES:
        raise LabError(f"unknown kernel {name}: one of {', '.join(NAMES)}")
    # Even with the kernel in the cache: modules are built against it.
    apt.install(PACKAGES_MODULES, f"kernel {name}")
    meta = None if refresh else _ready(name)
    if meta:
        # No lock: a build of another kernel must not hold up those that are ready.
        return meta
    if name in DEBIAN:
        with cache.lock(f"kernel-{name}"):
            return _debian(name, refresh)
    # One lock for both: they share the source, and two builds at once help nobody.
    with cache.lock("kernel-newest"):
        return _built(name, refresh)


def _ready(name):
    """Dict of kernel @name when the cache has it as it is wanted now, else None."""
    meta = cache.read_json(f"kernels/{name}/meta.json")
    if not meta or not all(os.path.exists(part) for part in (
            meta["image"], meta["kdir"], f"{meta['modroot']}/lib/modules/{meta['release']}")):
        return None
    if name in BUILT and meta.get("key") != cache.digest(_fragment_text(name)):
        return None
    return meta


def _fragment_text(name):
    return "\n".join(sorted(fragment(name).values())) + "\n"


def get(name):
    """Dict of a kernel prepared before, or LabError."""
    meta = cache.read_json(f"kernels/{name}/meta.json")
    if not meta or not os.path.exists(meta["image"]):
        raise LabError(f"kernel {name} is not prepared: run 'lab/lab.py prepare {name}'")
    return meta


def by_path(image, moddir):
    """Dict for a bzImage and a directory that holds lib/modules/RELEASE (--bzimage, --moddir)."""
    root = os.path.abspath(moddir)
    releases = glob.glob(f"{root}/lib/modules/*")
    if not releases and re.search(r"/lib/modules/[^/]+/?$", root):
        releases, root = [root.rstrip("/")], re.sub(r"/lib/modules/[^/]+/?$", "", root)
    if len(releases) != 1:
        raise LabError(f"{moddir}: want exactly one lib/modules/RELEASE in it")
    release = os.path.basename(releases[0])
    build = os.path.join(releases[0], "build")
    return {"name": release, "version": release, "release": release,
            "image": os.path.abspath(image), "modroot": root,
            "kdir": os.path.realpath(build) if os.path.exists(build) else None,
            "config": None, "debug": False, "arch": None}


def _finish(name, meta):
    """Make modules.dep, remember the kernel."""
    if not os.path.exists(os.path.join(meta["modroot"], "lib")):
        os.symlink("usr/lib", os.path.join(meta["modroot"], "lib"))
    run(["depmod", "-b", meta["modroot"], meta["release"]])
    cache.write_json(f"kernels/{name}/meta.json", meta)
    return meta


# --- Debian's images -------------------------------------------------------------------------

def _debian(name, refresh):
    meta = None if refresh else _ready(name)
    if meta:
        return meta
    watch = Stopwatch()
    group, series, arch, flavour = DEBIAN[name]
    repo = apt.State(group, arch)
    # Neither -cloud (lacks drivers the tests use) nor -rt.
    pattern = rf"linux-image-({re.escape(series)}\.[^-]*(?:-\d+)?-{flavour})-unsigned"
    found = repo.versions(repo.names(pattern))
    failures = []
    for version, image in apt.descending(found):
        release = re.fullmatch(pattern, image).group(1)
        try:
            meta = _extract(name, repo, release, version, image) | {"arch": arch}
            say(f"{name}: {release} ({version}) ready after {watch}")
            return _finish(name, meta)
        except LabError as err:
            # A superseded version can still be listed when its file is gone.
            failures.append(f"{image} {version}: {err}")
            say(f"{image} {version} cannot be had, trying the one before")
    if not failures:
        raise LabError(f"no image of {series} in {', '.join(apt.GROUPS[group]['deb'])} of the mirrors that the "
                       "machine's apt sources name")
    raise LabError(f"no usable image of {series}:\n" + "\n".join(failures[:3]))


def _extract(name, repo, release, version, image):
    top = cache.path("kernels", name, version.replace("~", "_").replace(":", "_"))
    downloads = cache.directory("dl", name)
    debs = [repo.download(image, downloads, version)]
    debs += download_headers(release, repo, downloads)
    kdir = unpack(debs, top, release)
    image_file = f"{top}/boot/vmlinuz-{release}"
    if not os.path.exists(image_file):
        # Debian's newer packaging has everything below usr/lib/modules.
        image_file = f"{top}/usr/lib/modules/{release}/vmlinuz.unsigned"
    return {"name": name, "version": version, "release": release, "image": image_file,
            "modroot": top, "kdir": kdir, "config": f"{top}/boot/config-{release}",
            "debug": False}


def download_headers(release, repo, downloads):
    """Paths of linux-headers-@release and the header packages it depends on.

    Those of another architecture have its configuration and generated files; the programs that
    a build runs (modpost, fixdep) are in a package of their own, which is taken for this machine.
    """
    own = apt.State(repo.group) if repo.arch else repo
    debs, todo, seen = [], [f"linux-headers-{release}"], set()
    while todo:
        package = todo.pop()
        if package in seen:
            continue
        seen.add(package)
        where = own if package.startswith("linux-kbuild-") else repo
        debs.append(where.download(package, downloads))
        depends = run(["dpkg-deb", "-f", debs[-1], "Depends"])
        todo += re.findall(r"\b(linux-(?:headers|kbuild)-[\w.+-]+)", depends)
    return debs


def unpack(debs, top, release):
    """Replace the directory @top by the contents of @debs, which are removed.

    Returns the build directory for modules of @release in it.
    """
    tmp = f"{top}.tmp"
    shutil.rmtree(tmp, ignore_errors=True)
    for deb in debs:
        run(["dpkg-deb", "-x", deb, tmp])
    shutil.rmtree(top, ignore_errors=True)
    kdir = relocate_headers(tmp, top, release)
    os.rename(tmp, top)
    for deb in debs:
        os.remove(deb)
    return kdir


def relocate_headers(tmp, top, release):
    """Make the extracted header packages usable where they will stand.

    They include each other by absolute path, and name the compiler of their own release.
    """
    headers = f"{tmp}/usr/src/linux-headers-{release}"
    if not os.path.isdir(headers):
        raise LabError(f"no headers for {release} in the packages")
    for base in glob.glob(f"{tmp}/usr/src/linux-headers-*"):
        for where, dirs, files in os.walk(base):
            # Files that include by absolute path sit at the top and in arch/x86.
            if os.path.relpath(where, base).count("/") > 1:
                dirs[:] = []
            for name in files + dirs:
                full = os.path.join(where, name)
                if os.path.islink(full):
                    target = os.readlink(full)
                    if target.startswith("/usr/"):
                        os.remove(full)
                        os.symlink(top + target, full)
                elif os.path.isfile(full) and (name in ("Makefile", ".kernelvariables")):
                    with open(full, encoding="utf-8", errors="surrogateescape") as f:
                        old = f.read()
                    new = re.sub(r"(?<![\w/)])/usr/(src|lib)/linux-", rf"{top}/usr/\1/linux-",
                                 old)
                    new = re.sub(r"\b(CC\w*\s*[:?]?=\s*.*?)\b(?:x86_64-linux-gnu-)?gcc-\d+\b",
                                 r"\1gcc", new)
                    if new != old:
                        with open(full, "w", encoding="utf-8", errors="surrogateescape") as f:
                            f.write(new)
    return f"{top}/usr/src/linux-headers-{release}"


# --- Kernels built from Debian's source ------------------------------------------------------

def fragment(name):
    """The configuration lines asked for by kernel @name, later files overriding earlier ones."""
    lines = {}
    for part in BUILT[name]:
        with open(os.path.join(LAB, "kernel-config", f"{part}.config"), encoding="ascii") as f:
            for line in f:
                m = re.match(r"(?:# )?(CONFIG_\w+)(?:=| is not set)", line)
                if m:
                    lines[m.group(1)] = line.strip()
    if "debug" in BUILT[name]:
        # Debug info doubles the build and no checker needs it.
        for option in [o for o in lines if re.match(r"CONFIG_DEBUG_INFO_(DWARF|BTF)", o)]:
            del lines[option]
    return lines


def _built(name, refresh):
    meta = cache.read_json(f"kernels/{name}/meta.json")
    wanted = fragment(name)
    text = _fragment_text(name)
    key = cache.digest(text)
    if not refresh and _ready(name):
        return meta
    apt.install(PACKAGES_KERNEL, f"kernel {name}")
    source = _source(refresh)
    if meta and meta.get("key") == key and meta["version"] == source["version"] \
            and os.path.exists(meta["image"]):
        return meta
    top = cache.path("kernels", name, f"{source['version'].replace('~', '_')}-{key}")
    build = os.path.join(top, "build")
    log = cache.path("logs", f"kernel-{name}.log")
    if os.path.exists(log):
        os.truncate(log, 0)
    os.makedirs(build, exist_ok=True)
    allconfig = os.path.join(top, "fragment.config")
    with open(allconfig, "w", encoding="ascii") as f:
        f.write(text)
    env = dict(os.environ, KBUILD_BUILD_TIMESTAMP="Thu Jan  1 00:00:00 UTC 1970",
               KBUILD_BUILD_USER="lab", KBUILD_BUILD_HOST="lab")
    make = ["make", "-C", source["src"], f"O={build}", "CC=gcc"]
    run([*make, f"KCONFIG_ALLCONFIG={allconfig}", "allnoconfig"], env=env, log=log)
    _verify(name, wanted, f"{build}/.config")
    watch = Stopwatch()
    say(f"{name}: building {source['version']}, 10 to 40 minutes on two cores (log: {log})")
    run_watched([*make, f"-j{os.cpu_count() or 1}", "bzImage", "modules"], env=env, log=log,
                progress=lambda l: _progress(name, l))
    root = os.path.join(top, "root")
    run([*make, "modules_install", f"INSTALL_MOD_PATH={root}", "INSTALL_MOD_STRIP=1",
         "DEPMOD=true"], env=env, log=log)
    with open(f"{build}/include/config/kernel.release", encoding="ascii") as f:
        release = f.read().strip()
    with open(f"{root}/lib/modules/{release}/.seconds", "w", encoding="ascii") as f:
        f.write(f"{watch.seconds():.0f}\n")
    say(f"{name}: {release} ({source['version']}) built in {watch}")
    return _finish(name, {
        "name": name, "version": source["version"], "release": release, "key": key,
        "image": f"{build}/arch/x86/boot/bzImage", "modroot": root, "kdir": build,
        "config": f"{build}/.config", "source": source["src"], "debug": "debug" in BUILT[name],
        "arch": None,
        "build_seconds": round(watch.seconds())})


def _source(refresh):
    """Fetch and unpack the newest linux-source of the backports; {"version", "src"}."""
    state = cache.read_json("kernels/source.json")
    if state and not refresh and os.path.exists(f"{state['src']}/Makefile"):
        return state
    watch = Stopwatch()
    repo = apt.State("newest")
    packages = repo.versions(repo.names(r"linux-source-\d+\.\d+"))
    if not packages:
        raise LabError("no linux-source package in the backports suite")
    version, package = apt.descending(packages)[0]
    src = cache.path("kernels", f"src-{version.replace('~', '_')}")
    if not os.path.exists(f"{src}/Makefile"):
        deb = repo.download(package, cache.directory("dl", "newest"), version)
        say(f"unpacking {package} {version}")
        tmp = f"{src}.tmp"
        shutil.rmtree(tmp, ignore_errors=True)
        os.makedirs(tmp)
        member = f"./usr/src/{package}.tar.xz"
        command = (f"dpkg-deb --fsys-tarfile {shlex.quote(deb)} | tar -xO {shlex.quote(member)} "
                   f"| tar -xJ --strip-components=1 -C {shlex.quote(tmp)}")
        run(["bash", "-o", "pipefail", "-c", command])
        os.rename(tmp, src)
        os.remove(deb)
    state = {"version": version, "src": src, "package": package}
    cache.write_json("kernels/source.json", state)
    say(f"{package} {version} ready after {watch}")
    return state


def _verify(name, wanted, config):
    """Every line asked for must be in @config: report misses, fail for the essential ones."""
    with open(config, encoding="ascii") as f:
        have = set(f.read().splitlines())
    missed = [line for line in wanted.values() if line not in have
              and not line.endswith("is not set")]
    fatal = [line for line in REQUIRED[name] if f"CONFIG_{line}" not in have]
    if missed:
        say(f"{name}: not in the resulting .config: {' '.join(missed)}")
    if fatal:
        raise LabError(f"{name}: the configuration lacks {' '.join(fatal)}")


def _progress(name, log):
    """Compiled objects so far, from make's terse output."""
    with open(log, encoding="utf-8", errors="replace") as f:
        count = sum(1 for line in f if line.startswith("  CC") or line.startswith("  LD"))
    return f"{name}: {count} objects"


# --- Modules of a kernel ---------------------------------------------------------------------

def module_closure(kernel, names):
    """Paths of modules @names and all they need, in load order; unknown names are left out."""
    result = []
    for name in names:
        done = subprocess.run(
            ["modprobe", "-d", kernel["modroot"], "-S", kernel["release"], "--show-depends", name],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        for line in done.stdout.splitlines():
            fields = line.split()
            if fields[:1] == ["insmod"] and fields[1] not in result:
                result.append(fields[1])
    return result


def build_log_tail(name):
    """End of the build log of a kernel, for error reports."""
    return tail(cache.path("logs", f"kernel-{name}.log"))

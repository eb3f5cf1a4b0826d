# SPDX-License-Identifier: GPL-2.0-only
"""Programs of another architecture for guests that run on it: Debian's packages, only unpacked."""

import os
import re
import shutil

from . import apt, cache
from .util import LabError, Stopwatch, run, say

# Debian's name of an architecture: (apt group, prefix of the cross compiler's programs, packages)
ARCHES = {"arm64": ("bookworm", "aarch64-linux-gnu-", ["gcc-aarch64-linux-gnu",
                                                       "libc6-dev-arm64-cross"])}
BINARIES = ("usr/sbin", "usr/bin", "sbin", "bin")


def compiler(arch):
    """Prefix of the programs that compile for @arch; none for the machine's own (arch None)."""
    if not arch:
        return ""
    _group, prefix, packages = ARCHES[arch]
    apt.install(packages, f"programs for {arch}")
    return prefix


class Root:
    """An unpacked tree of packages of @arch: what the archive with a guest's tools is made from."""

    def __init__(self, arch, packages):
        self.arch = arch
        self.packages = sorted(packages)

    def prepare(self, refresh=False):
        """Fetch and unpack the packages and all that they depend on.

        Returns what tells this tree from others.
        """
        apt.install(["binutils", "dpkg-dev"], f"the guest's tools for {self.arch}")
        state = cache.read_json(f"foreign/{self.arch}.json", {})
        if state.get("packages") == self.packages and not refresh and os.path.isdir(self.path()):
            return " ".join(state["files"])
        with cache.lock(f"foreign-{self.arch}"):
            return self._fetch()

    def _fetch(self):
        watch = Stopwatch()
        downloads = cache.directory("dl", f"foreign-{self.arch}")
        debs = apt.State(ARCHES[self.arch][0], self.arch).download_all(self.packages, downloads)
        tmp = f"{self.path()}.tmp"
        shutil.rmtree(tmp, ignore_errors=True)
        for deb in debs:
            run(["dpkg-deb", "-x", deb, tmp])
        shutil.rmtree(self.path(), ignore_errors=True)
        os.rename(tmp, self.path())
        shutil.rmtree(downloads)
        files = sorted(os.path.basename(deb) for deb in debs)
        cache.write_json(f"foreign/{self.arch}.json", {"packages": self.packages, "files": files})
        say(f"{len(files)} packages with the guest's tools for {self.arch} ready after {watch}")
        return " ".join(files)

    def path(self, *parts):
        """A path within the tree."""
        return os.path.join(cache.path("foreign", self.arch), *parts)

    def _resolve(self, name):
        """@name with symbolic links followed as they would be within the tree."""
        for _ in range(16):
            full = self.path(name)
            if not os.path.islink(full):
                return full
            target = os.readlink(full)
            name = os.path.normpath(target.lstrip("/") if target.startswith("/")
                                    else os.path.join(os.path.dirname(name), target))
        raise LabError(f"{name}: too many symbolic links")

    def which(self, tool):
        """Path of a program's file, or None."""
        for directory in BINARIES:
            full = self._resolve(f"{directory}/{tool}")
            if os.path.isfile(full):
                return full
        return None

    def libraries(self, binaries):
        """{place in the guest: file} of the shared objects of @binaries and of what loads them."""
        found, todo = {}, list(binaries)
        triplet = ARCHES[self.arch][1].rstrip("-")
        where = [f"{top}{below}" for below in (f"/{triplet}", "") for top in ("lib", "usr/lib")]
        while todo:
            out = run(["readelf", "-l", "-d", todo.pop()], check=False)
            loader = re.search(r"interpreter: /(\S+)\]", out)
            needed = [(loader.group(1), [loader.group(1)])] if loader else []
            for name in re.findall(r"\(NEEDED\).*\[(.*)\]", out):
                needed.append((name, [f"{d}/{name}" for d in where]))
            for name, places in needed:
                for place in places:
                    full = self._resolve(place)
                    if os.path.isfile(full):
                        if f"/{place}" not in found:
                            found[f"/{place}"] = full
                            todo.append(full)
                        break
                else:
                    raise LabError(f"{self.arch}: the library {name} is missing")
        return found

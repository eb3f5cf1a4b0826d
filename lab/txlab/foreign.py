# SPDX-License-Identifier: GPL-2.0-only
"""Programs for guests that this machine cannot give: Debian's packages, only unpacked.

Those of another architecture, or of a newer suite.
"""

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
    """An unpacked tree of packages: what an archive with a guest's tools is made from.

    @place: its name in the cache; @group: of suites, as apt.GROUPS has them; @arch: Debian's name
    of another architecture than the machine's.
    """

    def __init__(self, place, group, packages, arch=None):
        self.place = place
        self.group = group
        self.arch = arch
        self.packages = sorted(packages)

    def prepare(self, refresh=False):
        """Fetch and unpack the packages and all that they depend on.

        Returns what tells this tree from others.
        """
        apt.install(["binutils", "dpkg-dev"], f"the guest's tools for {self.place}")
        state = cache.read_json(f"foreign/{self.place}.json", {})
        if state.get("packages") == self.packages and not refresh and os.path.isdir(self.path()):
            return " ".join(state["files"])
        with cache.lock(f"foreign-{self.place}"):
            return self._fetch()

    def _fetch(self):
        watch = Stopwatch()
        downloads = cache.directory("dl", f"foreign-{self.place}")
        debs = apt.State(self.group, self.arch).download_all(self.packages, downloads)
        tmp = f"{self.path()}.tmp"
        shutil.rmtree(tmp, ignore_errors=True)
        for deb in debs:
            run(["dpkg-deb", "-x", deb, tmp])
        shutil.rmtree(self.path(), ignore_errors=True)
        os.rename(tmp, self.path())
        shutil.rmtree(downloads)
        files = sorted(os.path.basename(deb) for deb in debs)
        cache.write_json(f"foreign/{self.place}.json", {"packages": self.packages, "files": files})
        say(f"{len(files)} packages with the guest's tools for {self.place} ready after {watch}")
        return " ".join(files)

    def triplet(self):
        """Name of the directory of libraries."""
        if self.arch:
            return ARCHES[self.arch][1].rstrip("-")
        return run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"]).strip()

    def path(self, *parts):
        """A path within the tree."""
        return os.path.join(cache.path("foreign", self.place), *parts)

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

    def libraries(self, binaries, opened=()):
        """{place in the guest: file} of the shared objects of @binaries and of what loads them.

        @opened: names of those that none is linked with and that are opened at run time.
        """
        found, todo = {}, list(binaries)
        where = [f"{top}{below}" for below in (f"/{self.triplet()}", "")
                 for top in ("lib", "usr/lib")]

        def find(name, places):
            for place in places:
                full = self._resolve(place)
                if os.path.isfile(full):
                    if f"/{place}" not in found:
                        found[f"/{place}"] = full
                        todo.append(full)
                    return
            raise LabError(f"{self.place}: the library {name} is missing")

        for name in opened:
            find(name, [f"{d}/{name}" for d in where])
        while todo:
            out = run(["readelf", "-l", "-d", todo.pop()], check=False)
            loader = re.search(r"interpreter: /(\S+)\]", out)
            if loader:
                find(loader.group(1), [loader.group(1)])
            for name in re.findall(r"\(NEEDED\).*\[(.*)\]", out):
                find(name, [f"{d}/{name}" for d in where])
        return found

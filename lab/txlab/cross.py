# SPDX-License-Identifier: GPL-2.0-only
"""Kernel headers of another architecture: enough to compile a module, nothing to boot.

Debian's headers of an architecture have its configuration and generated files; the programs that
a build runs (modpost, fixdep) are in a package of their own, which is taken for this machine.
"""

import os
import re

from . import apt, cache, kernels
from .util import LabError, say

# Debian's name of the architecture: (apt group, upstream series)
ARCHES = {"arm64": ("bookworm", "6.1")}


def prepare(arch, refresh=False):
    """Fetch and unpack the newest headers for @arch; {"version", "release", "kdir"}."""
    group, series = ARCHES[arch]
    name = f"{arch}-{series}"
    meta = cache.read_json(f"kernels/{name}/meta.json")
    if meta and not refresh and os.path.exists(meta["kdir"]):
        return meta
    with cache.lock(f"kernel-{name}"):
        apt.install(kernels.PACKAGES_MODULES, f"headers of {arch}")
        there, here = apt.State(group, arch), apt.State(group)
        pattern = rf"linux-headers-({re.escape(series)}\.[^-]*-\d+-{arch})"
        failures = []
        for version, package in apt.descending(there.versions(there.names(pattern))):
            release = re.fullmatch(pattern, package).group(1)
            try:
                meta = _extract(name, there, here, version, release)
                cache.write_json(f"kernels/{name}/meta.json", meta)
                return meta
            except LabError as err:
                failures.append(f"{package} {version}: {err}")
                say(f"{package} {version} cannot be had, trying the one before")
    raise LabError(f"no usable headers of {series} for {arch}:\n" + "\n".join(failures[:3]))


def _extract(name, there, here, version, release):
    top = cache.path("kernels", name, version.replace("~", "_").replace(":", "_"))
    downloads = cache.directory("dl", name)

    def download(package):
        repo = here if package.startswith("linux-kbuild-") else there
        return repo.download(package, downloads, version)

    kdir = kernels.unpack(kernels.download_headers(release, download), top, release)
    return {"name": name, "version": version, "release": release, "kdir": kdir}

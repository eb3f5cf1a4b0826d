# SPDX-License-Identifier: GPL-2.0-only
"""Kernel headers of another architecture: enough to compile a module, nothing to boot."""

import os
import re

from . import apt, cache, foreign, kernels
from .util import LabError, say

# Debian's name of the architecture: (apt group, upstream series)
ARCHES = {"arm64": ("bookworm", "6.1")}


def prepare(arch, refresh=False):
    """Fetch compiler and newest headers for @arch; {"version", "release", "kdir"}."""
    group, series = ARCHES[arch]
    name = f"{arch}-{series}"
    foreign.compiler(arch)
    meta = cache.read_json(f"kernels/{name}/meta.json")
    if meta and not refresh and os.path.exists(meta["kdir"]):
        return meta
    with cache.lock(f"kernel-{name}"):
        apt.install(kernels.PACKAGES_MODULES, f"headers of {arch}")
        there = apt.State(group, arch)
        pattern = rf"linux-headers-({re.escape(series)}\.[^-]*-\d+-{arch})"
        failures = []
        for version, package in apt.descending(there.versions(there.names(pattern))):
            release = re.fullmatch(pattern, package).group(1)
            try:
                meta = _extract(name, there, version, release)
                cache.write_json(f"kernels/{name}/meta.json", meta)
                return meta
            except LabError as err:
                failures.append(f"{package} {version}: {err}")
                say(f"{package} {version} cannot be had, trying the one before")
    raise LabError(f"no usable headers of {series} for {arch}:\n" + "\n".join(failures[:3]))


def _extract(name, there, version, release):
    top = cache.path("kernels", name, version.replace("~", "_").replace(":", "_"))
    debs = kernels.download_headers(release, there, cache.directory("dl", name))
    kdir = kernels.unpack(debs, top, release)
    return {"name": name, "version": version, "release": release, "kdir": kdir}

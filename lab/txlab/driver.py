# SPDX-License-Identifier: GPL-2.0-only
"""Builds the driver of this tree for one kernel, in the cache."""

import os

from . import cache, foreign
from .util import LabError, TREE, run, say


def objects(kernel):
    """The directory the modules of @kernel are built in, created if missing."""
    return cache.directory("driver", f"{kernel['name']}-{kernel['release']}")


def build(kernel):
    """Paths of our modules built for @kernel; objects are kept, so a second call is quick.

    With W=1 as tests/build/matrix.sh has it, which shares the objects: another set of flags
    would compile everything again.
    """
    if not kernel["kdir"]:
        raise LabError(f"{kernel['name']}: no build directory for modules; use --module")
    log = cache.path("logs", f"driver-{kernel['name']}.log")
    args = [f"KDIR={kernel['kdir']}", f"MO={objects(kernel)}", "W=1"]
    if kernel.get("arch"):
        args += [f"ARCH={kernel['arch']}", f"CROSS_COMPILE={foreign.compiler(kernel['arch'])}"]
    with cache.lock(f"driver-{kernel['name']}"):
        if os.path.exists(log):
            os.truncate(log, 0)
        say(f"building the driver for {kernel['release']}")
        run(["make", "-C", TREE, f"-j{os.cpu_count() or 1}", *args, "modules"], log=log)
        out = run(["make", "-s", "--no-print-directory", "-C", TREE, *args, "print-ko"])
    found = [os.path.join(TREE, line) for line in out.split()]
    missing = [p for p in found if not os.path.exists(p)]
    if not found or missing:
        raise LabError(f"make print-ko names no module that exists: {out.strip()}")
    return found

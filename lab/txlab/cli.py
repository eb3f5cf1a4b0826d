# SPDX-License-Identifier: GPL-2.0-only
"""Commands of lab.py."""

import argparse
import sys

from . import kernels, qemu
from .util import LabError


def cmd_prepare(args):
    """prepare WHAT..."""
    known = [*qemu.VARIANTS, *kernels.NAMES]
    todo = []
    for what in args.what:
        if what != "all" and what not in known:
            raise LabError(f"prepare {what}: one of {', '.join(known)}, all")
        todo += known if what == "all" else [what]
    for what in dict.fromkeys(todo):
        if what in qemu.VARIANTS:
            qemu.prepare(what, args.refresh)
        else:
            kernels.prepare(what, args.refresh)
    return 0


def cmd_kdir(args):
    """kdir KERNEL: print the build directory."""
    print(kernels.get(args.kernel)["kdir"])
    return 0


def cmd_qemu(args):
    """qemu: print the binary."""
    print(qemu.binary("qemu-asan" if args.asan else "qemu"))
    return 0


def main():
    """Parse the command line and run one command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab.py", description=__doc__)
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("prepare", help="fetch and build into the cache")
    p.add_argument("what", nargs="+")
    p.add_argument("--refresh", action="store_true", help="look for newer packages")
    p.set_defaults(func=cmd_prepare)
    p = sub.add_parser("qemu", help="print the path of the QEMU binary")
    p.add_argument("--asan", action="store_true")
    p.set_defaults(func=cmd_qemu)
    p = sub.add_parser("kdir", help="print a kernel's build directory for modules")
    p.add_argument("kernel")
    p.set_defaults(func=cmd_kdir)
    args = parser.parse_args()
    try:
        return args.func(args)
    except LabError as err:
        print(f"lab: error: {err}", file=sys.stderr)
        return 125
    except KeyboardInterrupt:
        return 130

# SPDX-License-Identifier: GPL-2.0-only
"""Commands of lab.py."""

import argparse
import json
import signal
import sys

from . import (bench, cache, cross, driver, initramfs, kernels, ksft, qemu, runner, selftest,
               topology)
from .util import LabError


def cmd_prepare(args):
    """prepare WHAT..."""
    known = [*qemu.VARIANTS, *kernels.NAMES, "ksft"]
    todo = []
    for what in args.what:
        if what != "all" and what not in known:
            raise LabError(f"prepare {what}: one of {', '.join(known)}, all")
        todo += known if what == "all" else [what]
    for what in dict.fromkeys(todo):
        if what in qemu.VARIANTS:
            qemu.prepare(what, args.refresh)
            cache.note_version("qemu", cache.read_json(f"qemu/{what}.json")["version"])
        elif what == "ksft":
            ksft.layer(kernels.prepare("newest"), args.refresh)
        else:
            kernel = kernels.prepare(what, args.refresh)
            if kernel.get("arch"):
                initramfs.base(kernel["arch"], args.refresh)
            cache.note_version(what, kernel["version"])
            print(f"{what}: {kernel['release']} ({kernel['version']})")
    return 0


def cmd_kdir(args):
    """kdir KERNEL: print the build directory."""
    print(kernels.get(args.kernel)["kdir"])
    return 0


def cmd_objects(args):
    """objects KERNEL: print the directory its modules are built in."""
    print(driver.objects(kernels.get(args.kernel)))
    return 0


def cmd_cross_kdir(args):
    """cross-kdir ARCH: fetch compiler and headers of another architecture, print the directory."""
    print(cross.prepare(args.arch, args.refresh)["kdir"])
    return 0


def cmd_qemu(args):
    """qemu: print the binary."""
    print(qemu.binary("qemu-asan" if args.asan else "qemu"))
    return 0


def _options(args, tests, suite=None):
    if args.bzimage:
        if not args.moddir:
            raise LabError("--bzimage needs --moddir")
        kernel = kernels.by_path(args.bzimage, args.moddir)
    elif args.kernel:
        kernel = kernels.prepare(args.kernel)
    else:
        raise LabError("--kernel or --bzimage is needed")
    if not args.no_rebuild:
        qemu.prepare(qemu.variant(kernel, args.asan))
    props = {}
    for text in args.devprop:
        target, sep, value = text.partition("=")
        ident, dot, prop = target.partition(".")
        if not sep or not dot:
            raise LabError(f"--devprop {text}: want id.property=value")
        props.setdefault(ident, {})[prop] = value
    env = dict(text.split("=", 1) for text in args.env)
    return runner.Options(
        kernel=kernel, driver=args.driver, tests=tests, topo=args.topo, smp=args.smp,
        mem=args.mem, icount=args.icount, append=args.append, modules=args.module,
        both=args.both, qemu_args=args.qemu_arg, devprops=props, allow=args.allow,
        timeout=args.timeout, log=args.log, results=args.results, suite=suite, env=env,
        quiet=args.quiet, asan=args.asan, keep=args.keep)


def cmd_run(args):
    """run SCRIPT ARG...: one test, one boot."""
    words = [w for w in args.words if w != "--"]
    if not words:
        raise LabError("no script given")
    tests = runner.make_tests([words[0]])
    tests[0].argv += words[1:]
    return runner.run(_options(args, tests, args.suite))


def cmd_suite(args):
    """suite TEST...: several tests, one boot; a test may be "script arg arg"."""
    words = [w for w in args.words if w != "--"]
    if args.list:
        with open(args.list, encoding="utf-8") as f:
            words += [line.split("#")[0].strip() for line in f if line.split("#")[0].strip()]
    if not words:
        raise LabError("no tests given")
    return runner.run(_options(args, runner.make_tests(words), args.suite or "suite"))


def cmd_allow_check(args):
    """allow-check: entries of an allow-list that no run of the results used."""
    used = {}
    for name in args.results:
        with open(name, encoding="utf-8") as f:
            for line in f:
                record = json.loads(line)
                if record.get("allow"):
                    entry = used.setdefault(record["allow"], [set(), set()])
                    entry[0].update(record["allow_used"])
                    entry[1].update(record["allow_used"] + record["allow_unused"])
    status = 0
    for name, (hit, known) in sorted(used.items()):
        for key in sorted(known - hit):
            print(f"not ok - {name}: no run needs the entry: {key}")
            status = 1
        print(f"# {name}: {len(hit)} of {len(known)} entries used")
    return status


def cmd_selftest(args):
    """selftest: the lab's tests of itself."""
    parts = args.parts or ["runner", "checkers"]
    return selftest.main(parts, args.log_dir or cache.directory("logs", "selftest"), args.kernel)


def cmd_bench(args):
    """bench: our driver against the in-tree one."""
    return bench.main(args)


def _boot_arguments(p):
    p.add_argument("--kernel", help=", ".join(kernels.NAMES))
    p.add_argument("--bzimage", help="a kernel by path, with --moddir")
    p.add_argument("--moddir", help="directory with lib/modules/RELEASE")
    p.add_argument("--driver", choices=["ours", "intree", "none"], required=True)
    p.add_argument("--topo", default="pair25",
                   help=f"{', '.join(topology.BUILTIN)} or a JSON file (default pair25)")
    p.add_argument("--smp", type=int)
    p.add_argument("--mem", type=int, help="MB")
    p.add_argument("--icount", action="store_true",
                   help="one vCPU, clock counted in instructions, idle time skipped")
    p.add_argument("--append", default="", help="more kernel command line")
    p.add_argument("--module", action="append", default=[], help="module file for /modules")
    p.add_argument("--both", action="store_true",
                   help="put our driver into the guest's image whatever --driver says")
    p.add_argument("--qemu-arg", action="append", default=[], help="one more QEMU argument")
    p.add_argument("--devprop", action="append", default=[], help="id.property=value")
    p.add_argument("--env", action="append", default=[], help="NAME=VALUE for the tests")
    p.add_argument("--allow", help="allow-list (default lab/allow/DRIVER.allow)")
    p.add_argument("--timeout", type=float, default=300, help="seconds of real time")
    p.add_argument("--log", help="file for everything that was printed")
    p.add_argument("--results", help="file to append a JSON record to")
    p.add_argument("--suite", help="name in the results")
    p.add_argument("--quiet", action="store_true", help="print only TAP lines")
    p.add_argument("--asan", action="store_true", help="use the sanitized QEMU")
    p.add_argument("--no-rebuild", action="store_true",
                   help="use the QEMU binary as it is, do not bring it up to date")
    p.add_argument("--keep", help="directory to copy the run's raw logs to")
    p.add_argument("words", nargs="*")


def _terminated(_signal, _frame):
    raise KeyboardInterrupt


def main():
    """Parse the command line and run one command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab.py", description=__doc__)
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("prepare", help="fetch and build into the cache")
    p.add_argument("what", nargs="+")
    p.add_argument("--refresh", action="store_true", help="look for newer packages")
    p.set_defaults(func=cmd_prepare)
    p = sub.add_parser("cross-kdir",
                       help="fetch another architecture's kernel headers, print the directory")
    p.add_argument("arch", choices=sorted(cross.ARCHES))
    p.add_argument("--refresh", action="store_true", help="look for newer packages")
    p.set_defaults(func=cmd_cross_kdir)
    p = sub.add_parser("qemu", help="print the path of the QEMU binary")
    p.add_argument("--asan", action="store_true")
    p.set_defaults(func=cmd_qemu)
    p = sub.add_parser("kdir", help="print a kernel's build directory for modules")
    p.add_argument("kernel")
    p.set_defaults(func=cmd_kdir)
    p = sub.add_parser("objects", help="print the directory a kernel's modules are built in")
    p.add_argument("kernel")
    p.set_defaults(func=cmd_objects)
    p = sub.add_parser("run", help="boot, run one script, report")
    _boot_arguments(p)
    p.set_defaults(func=cmd_run)
    p = sub.add_parser("suite", help="boot once, run several scripts, report each")
    _boot_arguments(p)
    p.add_argument("--list", help="file with one test a line")
    p.set_defaults(func=cmd_suite)
    p = sub.add_parser("allow-check", help="fail for allow-list entries that no run used")
    p.add_argument("--results", action="append", required=True)
    p.set_defaults(func=cmd_allow_check)
    p = sub.add_parser("selftest", help="the lab's tests of itself")
    p.add_argument("--kernel", default="debian-6.1", help="for the runner's part")
    p.add_argument("--log-dir")
    p.add_argument("parts", nargs="*", help="runner (quick), checkers (debug kernel)")
    p.set_defaults(func=cmd_selftest)
    p = sub.add_parser("bench", help="what our driver and the in-tree one cost, see docs/bench.md")
    p.add_argument("--kernel", default="newest")
    p.add_argument("--size", action="store_true", help="cost against queues, rings, VLANs, rules")
    p.add_argument("--check", action="store_true", help="the bench's test of itself")
    p.add_argument("--only", help="names of work, separated by commas")
    p.add_argument("--repeats", type=int, default=3)
    p.add_argument("--frames", type=int, default=8000, help="frames in a window")
    p.add_argument("--moderation", default="50", help="rx-usecs of both drivers, or 'default'")
    p.add_argument("--profile", type=int, metavar="N",
                   help="print the N costliest functions of each work, and all of the driver's")
    p.add_argument("--annotate", action="store_true",
                   help="write the drivers' code with how often it ran, a file for each work")
    p.add_argument("--driver", default="both", choices=["both", "ours", "intree"],
                   help="one boot instead of two")
    p.add_argument("--module", action="append", help="ours, already built")
    p.add_argument("--timeout", type=float, default=1800, help="seconds of real time a boot")
    p.add_argument("--out", help="directory of the results (build/bench)")
    p.set_defaults(func=cmd_bench)
    # Everything behind "--" belongs to the script, options included.
    argv = sys.argv[1:]
    script = []
    if "--" in argv:
        cut = argv.index("--")
        argv, script = argv[:cut], argv[cut + 1:]
    args = parser.parse_args(argv)
    if script:
        args.words = getattr(args, "words", []) + script
    # As an interrupt from the keyboard: whatever is running is ended and cleaned up.
    signal.signal(signal.SIGTERM, _terminated)
    try:
        return args.func(args)
    except LabError as err:
        print(f"lab: error: {err}", file=sys.stderr)
        return 125
    except KeyboardInterrupt:
        return 130

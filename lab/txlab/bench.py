# SPDX-License-Identifier: GPL-2.0-only
"""make bench: our driver and the in-tree one, by what they cost on the emulated adapter.

Two boots of one image that differ only in which driver is loaded; one CPU, a clock that counts
instructions.  docs/bench.md explains the table.
"""

import json
import os
import statistics

from . import cache, driver, kernels, marks, qemu, runner
from .util import LabError, TREE, say

DRIVERS = ["ours", "intree"]

# window: what a unit of it is, in the order of the table
WORK = {
    "tx64": ("64-byte frames out, one at a time", "frame"),
    "tx64_burst": ("64-byte frames out, bursts of 32", "frame"),
    "tx1514": ("1514-byte frames out", "frame"),
    "rx64": ("64-byte frames in, dropped by the stack", "frame"),
    "pair64": ("64-byte frames, port 0 to 1, dropped by the stack", "frame"),
    "tcp4_ab": ("TCP/IPv4 stream, port 0 to 1", "64 KiB"),
    "tcp4_ba": ("TCP/IPv4 stream, port 1 to 0", "64 KiB"),
    "tcp6_ab": ("TCP/IPv6 stream, port 0 to 1", "64 KiB"),
    "tcp6_ba": ("TCP/IPv6 stream, port 1 to 0", "64 KiB"),
    "tcp_rr": ("TCP request and answer, 1 byte", "turn"),
    "udp_rr": ("UDP request and answer, 1 byte", "turn"),
    "xdp_drop_generic": ("XDP_DROP, generic", "frame"),
    "xdp_drop": ("XDP_DROP, native", "frame"),
    "xdp_tx": ("XDP_TX, native", "frame"),
    "xsk_rx": ("AF_XDP in, without copies", "frame"),
    "xsk_tx": ("AF_XDP out, without copies", "frame"),
}

# column: how it is had from a window
COLUMNS = {
    "driver": lambda w: w["driver"],
    "total": lambda w: w["total"],
    "doorbells": lambda w: w["counters"]["doorbell_tx"] + w["counters"]["doorbell_rx"],
    "other writes": lambda w: w["counters"]["mmio_write"],
    "reads": lambda w: w["counters"]["mmio_read"],
    "interrupts": lambda w: w["counters"]["irq_total"],
    "descriptor bytes": lambda w: (w["counters"]["dma_rd_desc_bytes"]
                                   + w["counters"]["dma_wr_desc_bytes"]),
    "data bytes": lambda w: w["counters"]["dma_rd_data_bytes"] + w["counters"]["dma_wr_data_bytes"],
    "mappings": lambda w: w["maps"],
}

# Two runs of the same work may differ by so much.
SPREAD = 0.02


def boot(kernel, which, scripts, args, env):
    """One boot with one of the drivers; returns (Marks, tests)."""
    files = args.modules
    mark = marks.Marks(kernel, files if which == "ours" else marks.intree(kernel))
    log = os.path.join(args.out, f"{which}.log")
    say(f"bench: {which}, log {log}")
    guest = runner.Guest(runner.Options(
        kernel=kernel, driver=which, modules=files, icount=True, tests=runner.make_tests(scripts),
        append=f"BENCH_DRIVER={which} ", env={"DRIVER": "told-by-BENCH_DRIVER", **env},
        timeout=args.timeout, log=log, quiet=True, suite=f"bench-{which}", marks=mark))
    return mark, guest.run()


def values(windows):
    """{window: {column: value per unit}} with the repeats' median and their spread."""
    named = {}
    for w in windows:
        named.setdefault(w["name"], []).append(w)
    result = {}
    for name, many in named.items():
        row = {column: statistics.median(get(w) / w["units"] for w in many)
               for column, get in COLUMNS.items()}
        row["all totals"] = [round(w["total"] / w["units"], 1) for w in many]
        row["all driver"] = [round(w["driver"] / w["units"], 1) for w in many]
        row["spread"] = max((max(w[key] for w in many) - min(w[key] for w in many))
                            / max(1, statistics.median(w[key] for w in many))
                            for key in ("driver", "total"))
        middle = sorted(many, key=lambda w: w["total"])[len(many) // 2]
        # Of the kernel's the first ones, of the driver's all.
        row["functions"] = {f: round(n / middle["units"], 2)
                            for i, (f, n) in enumerate(middle["functions"].most_common())
                            if i < 60 or ":" in f}
        result[name] = row
    return result


def _number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _ratio(ours, theirs):
    if ours is None or theirs is None:
        return ""
    if theirs < 0.005:
        return "" if ours >= 0.005 else "="
    return f"{ours / theirs:.2f}"


def _pair(rows, name, column):
    return [rows[which].get(name, {}).get(column) for which in DRIVERS]


def _table(head, lines):
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head),
            *(f"| {' | '.join(line)} |" for line in lines), ""]


def report(rows, order, facts):
    """The tables as text."""
    text = ["On the emulated adapter: counts of instructions and accesses, no times. "
            "What each column means, and what it cannot say: docs/bench.md.", "", *facts, "",
            "Instructions", ""]
    head = ["work", "a unit is", "driver: ours", "in-tree", "ratio", "all: ours", "in-tree",
            "ratio", "spread"]
    lines = []
    for name, (title, unit) in order.items():
        if not any(name in rows[which] for which in DRIVERS):
            continue
        line = [title, f"a {unit}"]
        for column in ("driver", "total"):
            pair = _pair(rows, name, column)
            line += [_number(pair[0]), _number(pair[1]), _ratio(*pair)]
        line.append("/".join("-" if s is None else f"{100 * s:.1f} %"
                             for s in _pair(rows, name, "spread")))
        lines.append(line)
    text += _table(head, lines)
    rest = [c for c in COLUMNS if c not in ("driver", "total")]
    text += ["Accesses: ours, in-tree (ratio)", ""]
    lines = []
    for name, (title, _unit) in order.items():
        if not any(name in rows[which] for which in DRIVERS):
            continue
        line = [title]
        for column in rest:
            pair = _pair(rows, name, column)
            ratio = _ratio(*pair)
            line.append(f"{_number(pair[0])}, {_number(pair[1])}" + (f" ({ratio})" if ratio else ""))
        lines.append(line)
    text += _table(["work", *rest], lines)
    return "\n".join(text)


def _sizes(rows):
    """Titles of the windows of bench/size.sh, "SIZE:WORK"."""
    order = {}
    for which in DRIVERS:
        for name in rows[which]:
            size, _, work = name.partition(":")
            order[name] = (f"{size}, {WORK[work][0]}", WORK[work][1])
    return dict(sorted(order.items(), key=lambda item: (
        item[0].split("=")[0], item[0].split(":")[1], int(item[0].split("=")[1].split(":")[0]))))


def _annotate(which, mark, args):
    """The last window of each work, instruction by instruction, into files beside the tables."""
    known = {name: marks.disassemble(module) for name, module in mark.modules.items()}
    for window in {w["name"]: w for w in mark.windows}.values():
        name = f"{window['name'].replace(':', '-')}-{which}.txt"
        with open(os.path.join(args.out, name), "w", encoding="utf-8") as f:
            for module, functions in known.items():
                f.writelines(f"{line}\n" for line in marks.annotate(
                    module, functions, window["code"], window["units"]))


def measure(kernel, scripts, args, env):
    """The boots; returns ({driver: rows}, problems, lines about them)."""
    rows, problems, images = {which: {} for which in DRIVERS}, [], {}
    for which in DRIVERS if args.driver == "both" else [args.driver]:
        mark, tests = boot(kernel, which, scripts, args, env)
        rows[which] = values(mark.windows)
        if args.annotate:
            _annotate(which, mark, args)
        images[which] = mark.image
        problems += [f"{which}: {p}" for p in mark.problems]
        problems += [f"{which}: {t.name}: {t.failed} failed" for t in tests if t.failed]
        problems += [f"{which}: {name}: repeats differ by {100 * row['spread']:.1f} %"
                     for name, row in rows[which].items() if row["spread"] > SPREAD]
    if len(set(images.values())) != 1:
        problems.append("the two boots did not have the same image")
    facts = [f"Linux {kernel['version']}, QEMU {cache.read_json('qemu/qemu.json')['version']}, "
             f"one CPU, -icount shift=0; {env['FRAMES']} frames a window, "
             f"{env['REPEATS']} windows, median; rx-usecs {env['MODERATION']}."]
    return rows, problems, facts


def main(args):
    """The command; returns the exit status."""
    qemu.prepare("qemu")
    kernel = kernels.prepare(args.kernel)
    args.modules = args.module or driver.build(kernel)
    args.out = os.path.abspath(args.out or os.path.join(TREE, "build", "bench"))
    os.makedirs(args.out, exist_ok=True)
    env = {"REPEATS": args.repeats, "FRAMES": args.frames, "MODERATION": args.moderation}
    if args.only:
        env["ONLY"] = " ".join(args.only.split(","))
    if args.check:
        return check(kernel, args, {**env, "REPEATS": 2, "FRAMES": 2000, "ONLY": "tx64 rx64"})
    script = "bench/size" if args.size else "bench/work"
    rows, problems, facts = measure(kernel, [script], args, env)
    order = _sizes(rows) if args.size else WORK
    text = report(rows, order, facts)
    base = os.path.join(args.out, "size" if args.size else "work")
    with open(f"{base}.md", "w", encoding="utf-8") as f:
        f.write(text)
    with open(f"{base}.json", "w", encoding="utf-8") as f:
        json.dump({"kernel": kernel["version"], "problems": problems, "facts": facts,
                   "work": {n: {"title": t, "unit": u} for n, (t, u) in order.items()},
                   "rows": rows}, f, indent=1)
    print(text)
    if args.profile:
        _profile(rows, args.profile)
    for problem in problems:
        print(f"not ok - {problem}")
    say(f"bench: {base}.md, {base}.json")
    return 1 if problems else 0


def _profile(rows, nr):
    for which in DRIVERS:
        for name, row in rows[which].items():
            print(f"{name}, {which}:")
            shown = [(f, n) for i, (f, n) in enumerate(row["functions"].items())
                     if i < nr or ":" in f]
            for function, count in shown:
                print(f"  {count:10.1f}  {function}")


# ---- The bench's test of itself ----------------------------------------------------------------

def check(kernel, args, env):
    """Work of known length is counted right, and both drivers give plausible numbers."""
    checks = []

    def fact(name, good, detail=""):
        checks.append(good)
        print(f"{'ok' if good else 'not ok'} {len(checks)} - {name}" + ("" if good else f" # {detail}"),
              flush=True)
    rows, images = {}, set()
    for which in DRIVERS:
        mark, tests = boot(kernel, which, ["bench/exact", "bench/work"], args, env)
        images.add(mark.image)
        named = {w["name"]: w for w in mark.windows}
        problems = mark.problems + [p for t in tests for p in t.problems]
        fact(f"{which}_runs", not problems and not any(t.failed for t in tests), "; ".join(problems))
        rows[which] = values(mark.windows)
        if which == "ours":
            _exact(fact, named)
    fact("both_boots_have_the_same_image", len(images) == 1, str(images))
    for name in ("tx64", "rx64"):
        ours, theirs = rows["ours"].get(name), rows["intree"].get(name)
        if not ours or not theirs:
            fact(f"{name}_is_measured", False, "a window is missing")
            continue
        # From a handful of instructions to what would be a disaster.
        good = all(50 < r["driver"] < r["total"] / 2 < 10000 and 16 <= r["descriptor bytes"] < 200
                   and 60 <= r["data bytes"] < 70 for r in (ours, theirs))
        fact(f"{name}_is_plausible", good, f"{ours} {theirs}")
        fact(f"{name}_costs_less_than_in_tree", ours["driver"] < theirs["driver"]
             and ours["total"] < theirs["total"],
             f"driver {ours['driver']:.0f} and {theirs['driver']:.0f}, "
             f"all {ours['total']:.0f} and {theirs['total']:.0f}")
        fact(f"{name}_repeats", max(ours["spread"], theirs["spread"]) <= SPREAD,
             f"{ours['spread']:.3f} {theirs['spread']:.3f}")
    print(f"{sum(checks)} passed, {len(checks) - sum(checks)} failed")
    return 0 if all(checks) else 1


def _exact(fact, named):
    try:
        loop, calls, mmio, nothing = (named[n] for n in ("loop", "calls", "mmio", "nothing"))
    except KeyError as err:
        fact("windows_of_known_length", False, f"no window {err}")
        return
    # Around the loop there are only the calls of the two marks, and a tick of the clock.
    fact("loop_of_known_length_is_counted", 200000 <= loop["user"] <= 200000 + 3000, loop["user"])
    fact("calls_are_counted_at_their_function", calls["entries"].get("__x64_sys_getppid") == 5000,
         calls["entries"].get("__x64_sys_getppid"))
    fact("accesses_to_a_device_are_counted_once", 6000 <= mmio["user"] <= 6000 + 3000
         and mmio["counters"]["mmio_read"] >= 2000, f"{mmio['user']} instructions")
    fact("idle_time_costs_next_to_nothing", nothing["total"] < 200000, nothing["total"])

# SPDX-License-Identifier: GPL-2.0-only
"""Finds in a kernel log what the kernel's checkers and its own alarms print."""

import re

# Lines that begin a report.  DMA-API and kmemleak also print harmless lines at boot.
PATTERN = re.compile("|".join([
    r"\bBUG: ", r"\bWARNING: ", r"\bKASAN\b", r"\bUBSAN: ", r"\bKCSAN: ", r"\bOops\b",
    r"general protection fault", r"Unable to handle kernel", r"Kernel panic",
    r"unable to handle page fault", r"kernel BUG at", r"\bINFO: .*(blocked for more than|detected)",
    r"rcu: INFO:", r"\brcu.*\bstall", r"soft lockup", r"hard LOCKUP",
    r"sleeping function called", r"scheduling while atomic",
    r"possible (circular|recursive|irq lock|deadlock)", r"inconsistent lock state",
    r"suspicious RCU usage", r"held lock freed", r"bad unlock balance",
    r"DMA-API: (?!preallocated|debugging enabled|Mapped at)", r"kmemleak: [1-9]\d* new suspected",
    r"refcount_t: ", r"(list_add|list_del|list_\w+) corruption", r"NETDEV WATCHDOG",
    r"unregister_netdevice: waiting for", r"ODEBUG: ", r"ref_tracker: .*(leaked|has \d+)",
    r"page allocation failure", r"invalid opcode", r"double fault", r"stack segment",
    r"Bad page state", r"rtnl: .*assertion failed", r"RTNL: assertion failed",
    r"workqueue lockup",
    # It has given up and would find nothing more.
    r"kmemleak: .*\bdisabled",
]))


def find(text):
    """Lines of a console log that begin a report."""
    return [line.strip() for line in text.splitlines() if PATTERN.search(line)]


def judge(lines, expected):
    """Compare found report lines with the expressions a test declared.

    Returns (lines that nothing expects, expressions that matched nothing).
    """
    patterns = [(e, re.compile(e)) for e in expected]
    hit, bad = set(), []
    for line in lines:
        matching = [e for e, p in patterns if p.search(line)]
        hit.update(matching)
        if not matching:
            bad.append(line)
    return bad, [e for e in expected if e not in hit]

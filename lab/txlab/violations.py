# SPDX-License-Identifier: GPL-2.0-only
"""What the device model objects to, and which of it a client driver is excused for.

An allow-list has one entry a line: CLASS REGISTER  reason  reference-line, the four separated
by two or more blanks between the last three (CLASS and REGISTER by one or more).  A register
NAME(*) stands for every index of that register.  '#' starts a comment line.
"""

import re

from .util import LabError

CLASSES = ("unnamed-offset reserved-bit read-only-write write-only-read size index-range "
           "desc-field desc-sequence ring-state dma-gate fw-request reset-order dma-fault").split()


def parse_log(text):
    """[(device id, class, register, rest)] of a violations-log."""
    found = []
    for line in text.splitlines():
        fields = line.split(None, 5)
        if len(fields) >= 4 and fields[0] == "VIOLATION":
            found.append((fields[1], fields[2], fields[3], " ".join(fields[4:])))
        elif line.strip():
            found.append(("?", "unparsable", "?", line))
    return found


def load_allow(path):
    """{(class, register): (reason, reference)} of an allow-list; LabError on a bad line."""
    entries = {}
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            m = re.fullmatch(r"(\S+)\s+(\S+)\s{2,}(\S.*?)\s{2,}(\S.*)", line)
            if not m:
                raise LabError(f"{path}:{number}: want 'CLASS REGISTER  reason  reference-line'")
            if m.group(1) not in CLASSES:
                raise LabError(f"{path}:{number}: unknown class {m.group(1)}")
            entries[(m.group(1), m.group(2))] = (m.group(3), m.group(4))
    return entries


class Judge:
    """Sorts violations into excused and not, and remembers which entries were needed."""

    def __init__(self, allow_file=None):
        self.allow = load_allow(allow_file) if allow_file else {}
        self.used = set()

    def split(self, found):
        """Returns those of @found (see parse_log) that no entry excuses."""
        bad = []
        for item in found:
            every_index = re.sub(r"\(\d+\)$", "(*)", item[2])
            for key in ((item[1], item[2]), (item[1], every_index)):
                if key in self.allow:
                    self.used.add(key)
                    break
            else:
                bad.append(item)
        return bad

    def unused(self):
        """Entries that excused nothing so far."""
        return sorted(set(self.allow) - self.used)


def summary(found):
    """Lines "count  class register  text" of a list of violations, most frequent first."""
    groups = {}
    for ident, kind, register, rest in found:
        entry = groups.setdefault((kind, register), [0, ident, rest])
        entry[0] += 1
    return [f"{count:6d}  {kind} {register}  (first: {ident} {rest})"
            for (kind, register), (count, ident, rest)
            in sorted(groups.items(), key=lambda g: -g[1][0])]

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""docs/cases.md and the tests it names: each of them exists and runs, and each row has one or a sentence.

The last column of a table is about tests.  What stands in backquotes there is a script, or a script
and what it checks:

  net/vlan                                a script of tests/guest, all of it
  net/vlan one_switch_for_both_kinds      a fact of it, without its arguments
  cases/doctor json_is_json               a fact of tests/scripts/cases
  packaging/run Secure Boot: the words    the words of a check of tests/packaging or tests/build
  test_rx Types.test_fragments            a test of emulator/tests

Prints what is wrong, one line each; exit status 1 then.
"""

import os
import re
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENT = "docs/cases.md"
# Where a script's name may come from, and how what it checks is found in its text.
PLACES = (
    ("tests/guest/{}.sh", r"^\s*(?:[^#\n]*(?:\|\||&&)\s*)?fact {}(?:\s|$)"),
    ("tests/scripts/{}.sh", r"^(?:for name in|\t)[^#\n]*\b{}\b(?!\()"),
    ("tests/{}.sh", r'^\s*check "{}'),
    ("emulator/tests/{}.py", None),
)


def text_of(path):
    """Content of a file of the tree, None if there is none."""
    try:
        with open(os.path.join(TREE, path), encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return None


def python_test(text, name):
    """Is there a test @name, Class.test_x, in the text of a module?"""
    group, _, method = name.partition(".")
    found = re.search(rf"^class {re.escape(group)}\b.*?(?=^class |\Z)", text, re.M | re.S)
    return bool(found and (not method or
                           re.search(rf"^    def {re.escape(method)}\(", found.group(), re.M)))


def fault(reference):
    """What is wrong with the test called @reference; None if it is there."""
    script, _, name = reference.partition(" ")
    for place, pattern in PLACES:
        path = place.format(script)
        text = text_of(path)
        if text is None:
            continue
        if not name:
            return None
        if pattern is None:
            there = python_test(text, name)
        else:
            there = re.search(pattern.replace("{}", re.escape(name)), text, re.M)
        return None if there else f"{path} has no {name}"
    return f"there is no script {script}"


def rows(text):
    """(line number, cells) of each row of a table, without head and rule."""
    table = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            table = False
            continue
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if all(re.fullmatch(r":?-+:?", c) for c in cells):
            table = True
        elif table:
            yield number, cells


def main():
    """Check the document; returns the exit status."""
    text = text_of(DOCUMENT)
    wrong = [] if text else [f"{DOCUMENT}: missing or empty"]
    seen = {}
    for number, cells in rows(text or ""):
        where = f"{DOCUMENT}:{number}"
        if len(cells) < 3 or not cells[-1]:
            wrong.append(f"{where}: no test and no sentence")
        if cells[0] in seen:
            wrong.append(f"{where}: {cells[0]} stands in line {seen[cells[0]]}, too")
        seen[cells[0]] = number
        for reference in re.findall(r"`([^`]*)`", cells[-1]):
            reason = fault(reference)
            if reason:
                wrong.append(f"{where}: `{reference}`: {reason}")
    if not seen:
        wrong.append(f"{DOCUMENT}: no row was understood")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

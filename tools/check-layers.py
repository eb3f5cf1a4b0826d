#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads the #include lines of the driver and fails on a dependency that points the wrong way.

	include/hw	nothing of ours; of the kernel only plain types and macros
	include/txgbe	include/hw, include/txgbe
	src/<folder>	include/, its own folder
	src/net		compat/rxpool.h, xdpbuf.h, tunnelports.h, queuestats.h as well, the
			backports that are used by name
	src/compat	itself

Folders of src/ know each other only by the functions in include/txgbe. Which of those headers a
folder may use follows from the order hw < link < stats, net < ctl, and probe, which starts them all.
Nothing but compat knows which kernel it is compiled for. Every C file is in Kbuild, and the other
way round.
"""

import os
import re
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
VERSION = re.compile(r"\b(HAVE_\w+|COMPAT_\w+|LINUX_VERSION_CODE|KERNEL_VERSION|UTS_RELEASE|"
                     r"RHEL_RELEASE_\w+)\b|linux/version\.h|generated/")

# Kernel headers of the hardware contract.
PLAIN = {"linux/types.h", "linux/bits.h", "linux/bitfield.h", "linux/build_bug.h",
         "linux/const.h", "linux/sizes.h"}

# Headers that are about the network, which hw and link do not know.
NETWORK = {"linux/netdevice.h", "linux/skbuff.h", "linux/if_vlan.h", "net/page_pool/helpers.h",
           "net/page_pool/types.h", "net/xdp.h", "txgbe/net.h", "txgbe/netdev.h",
           "txgbe/ring.h", "txgbe/irq.h", "txgbe/stats.h", "txgbe/stamp.h"}

# What a folder of src/ must not include of include/txgbe (or of the kernel).
FORBIDDEN = {
    "hw": NETWORK | {"txgbe/link.h"},
    "link": NETWORK,
    "stats": set(),
    "net": set(),
    "ctl": set(),
    "ptp": NETWORK,
    "probe": {"txgbe/ring.h", "txgbe/irq.h", "txgbe/netdev.h", "txgbe/stats.h"},
}

# Headers of include/txgbe that lower folders include, so they must not name the network either.
LOW_HEADERS = {"clock.h", "dev.h", "health.h", "mmio.h", "fw.h", "hw.h", "link.h"}


def files(top, ends):
    for folder, _, names in sorted(os.walk(os.path.join(TREE, top))):
        for name in sorted(names):
            if name.endswith(ends):
                yield os.path.relpath(os.path.join(folder, name), TREE)


def includes(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match[1] == '"', match[2]


def check_include(path, ours, name):
    """Why @path may not include @name, or None."""
    parts = path.split("/")
    if parts[:2] == ["src", "compat"]:
        if ours and not os.path.exists(os.path.join(TREE, os.path.dirname(path), name)) \
                and name != "results.h":
            return "compat includes nothing of ours"
        return None

    if parts[:2] == ["include", "hw"]:
        if ours and not name.startswith("hw/"):
            return "the hardware contract includes nothing of ours"
        if not ours and name not in PLAIN:
            return "the hardware contract takes only plain types and macros of the kernel"
        return None

    if parts[:2] == ["include", "txgbe"]:
        if ours and not name.startswith(("hw/", "txgbe/")):
            return "headers of include/ include only include/"
        if parts[2] in LOW_HEADERS and name in NETWORK:
            return "src/hw and src/link use this header and know no network"
        return None

    folder = parts[1]
    if name in FORBIDDEN.get(folder, set()):
        return f"src/{folder} is below that"
    if not ours:
        return None
    if name in ("compat/rxpool.h", "compat/xdpbuf.h", "compat/tunnelports.h",
                "compat/queuestats.h", "compat/hwstamp.h"):
        return None if folder == "net" else "only src/net handles buffers and tunnels"
    if "compat" in name.split("/"):
        return "Kbuild brings compat along, nothing includes it by name"
    if name.startswith(("hw/", "txgbe/")):
        return None if os.path.exists(os.path.join(TREE, "include", name)) else "no such header"
    if not os.path.exists(os.path.join(TREE, os.path.dirname(path), name)):
        return "not in include/ and not in the same folder"
    return None


def check_versions():
    for path in [*files("src", (".c", ".h")), *files("include", ".h")]:
        if path.startswith("src/compat/"):
            continue
        with open(os.path.join(TREE, path), encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if VERSION.search(line):
                    yield f"{path}:{number}: knows which kernel it is: {line.strip()}"


def check_kbuild():
    with open(os.path.join(TREE, "Kbuild"), encoding="utf-8") as f:
        listed = set(re.findall(r"\b(src/[\w/]+)\.o\b", f.read()))
    present = {path[:-2] for path in files("src", ".c") if not path.startswith("src/compat/")}
    for path in sorted(present - listed):
        yield f"{path}.c: not in Kbuild"
    for path in sorted(listed - present):
        yield f"Kbuild: {path}.c does not exist"


def main():
    found = []
    for path in [*files("include", ".h"), *files("src", (".c", ".h"))]:
        for number, ours, name in includes(path):
            why = check_include(path, ours, name)
            if why:
                found.append(f"{path}:{number}: {name}: {why}")
    found += [*check_versions(), *check_kbuild()]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

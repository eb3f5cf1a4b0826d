# SPDX-License-Identifier: GPL-2.0-only
"""The cache outside the tree: places, locks, stamps."""

import contextlib
import fcntl
import hashlib
import json
import os

from .util import LAB, say


def root():
    """Directory of the cache; created on first use."""
    top = os.environ.get("TXGBE_CACHE")
    if not top:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        top = os.path.join(base, "txgbe-lab")
    top = os.path.realpath(top)
    os.makedirs(top, exist_ok=True)
    return top


def path(*parts):
    """A path below the cache; its parent directory exists afterwards."""
    result = os.path.join(root(), *parts)
    os.makedirs(os.path.dirname(result), exist_ok=True)
    return result


def directory(*parts):
    """As path(), but the thing itself is a directory that exists afterwards."""
    result = os.path.join(root(), *parts)
    os.makedirs(result, exist_ok=True)
    return result


@contextlib.contextmanager
def lock(name):
    """Exclusive lock over one part of the cache, between processes.

    Held by an open file, so a killed process releases it.  Not recursive: taking the same
    name twice in one process deadlocks.
    """
    with open(path("locks", f"{name}.lock"), "w", encoding="ascii") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another call that holds the lock '{name}'")
            fcntl.flock(f, fcntl.LOCK_EX)
        yield


def digest(*parts):
    """Short key over strings and bytes; the order counts."""
    h = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()[:12]


def file_digest(name):
    """Content key of one file."""
    with open(name, "rb") as f:
        return digest(f.read())


def read_json(name, default=None):
    """The JSON file @name of the cache, or @default when it is missing or damaged."""
    try:
        with open(os.path.join(root(), name), encoding="utf-8") as f:
            return json.load(f)
    except (FileNotFoundError, json.JSONDecodeError):
        return default


def write_json(name, value):
    """Write @value as JSON into the cache, atomically."""
    target = path(name)
    tmp = f"{target}.tmp{os.getpid()}"
    with open(tmp, "w", encoding="utf-8") as f:
        json.dump(value, f, indent=1, sort_keys=True)
        f.write("\n")
    os.replace(tmp, target)


def note_version(what, version):
    """Say so when @version of @what is not the one last known to pass everything."""
    with open(os.path.join(LAB, "known-good.json"), encoding="utf-8") as f:
        good = json.load(f).get(what)
    if good != version:
        say(f"{what}: version {version}; the last one known good is {good}")

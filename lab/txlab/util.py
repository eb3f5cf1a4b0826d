# SPDX-License-Identifier: GPL-2.0-only
"""Small things every other module needs: errors, progress lines, child processes."""

import os
import shlex
import subprocess
import sys
import time

TREE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
LAB = os.path.join(TREE, "lab")


class LabError(Exception):
    """Something the user can act on; printed without a traceback."""


def say(text):
    """One progress line on stderr (stdout is for results that scripts read)."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


def run(cmd, *, cwd=None, env=None, log=None, stdin=subprocess.DEVNULL, check=True):
    """Run @cmd (list). With @log, output goes to that file and its tail is shown on failure.

    Returns stdout as str when there is no @log, the exit status otherwise.
    Raises LabError on a non-zero status unless @check is false.
    """
    if log:
        os.makedirs(os.path.dirname(log), exist_ok=True)
        with open(log, "a", encoding="utf-8", errors="replace") as out:
            out.write(f"\n$ {shlex.join(cmd)}\n")
            out.flush()
            status = subprocess.run(cmd, cwd=cwd, env=env, stdin=stdin, stdout=out,
                                    stderr=subprocess.STDOUT, check=False).returncode
        if status and check:
            raise LabError(f"{shlex.join(cmd)[:200]} failed ({status}); end of {log}:\n{tail(log)}")
        return status
    done = subprocess.run(cmd, cwd=cwd, env=env, stdin=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode and check:
        raise LabError(f"{shlex.join(cmd)[:200]} failed ({done.returncode}):\n"
                       f"{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def tail(path, lines=40):
    """The last @lines lines of a text file."""
    with open(path, encoding="utf-8", errors="replace") as f:
        return "".join(f.readlines()[-lines:])


class Stopwatch:
    """Seconds since creation, for progress lines."""

    def __init__(self):
        self.start = time.monotonic()

    def __str__(self):
        return f"{time.monotonic() - self.start:.0f} s"

    def seconds(self):
        """Elapsed seconds as float."""
        return time.monotonic() - self.start


def write_if_changed(path, data):
    """Write bytes or str only when the content differs, so that build tools see no change.

    Returns True when the file was written.
    """
    if isinstance(data, str):
        data = data.encode()
    try:
        with open(path, "rb") as f:
            if f.read() == data:
                return False
    except FileNotFoundError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    tmp = f"{path}.tmp{os.getpid()}"
    with open(tmp, "wb") as f:
        f.write(data)
    os.replace(tmp, path)
    return True


def run_watched(cmd, *, log, progress, every=20, cwd=None, env=None):
    """Run a long command with its output in @log, and say @progress(log) every @every seconds.

    @progress returns a short text ("1200 of 1361 steps") or None for silence.
    Raises LabError with the log's tail on a non-zero status.
    """
    os.makedirs(os.path.dirname(log), exist_ok=True)
    watch = Stopwatch()
    with open(log, "a", encoding="utf-8", errors="replace") as out:
        out.write(f"\n$ {shlex.join(cmd)}\n")
        out.flush()
        with subprocess.Popen(cmd, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.STDOUT) as child:
            while True:
                try:
                    status = child.wait(timeout=every)
                    break
                except subprocess.TimeoutExpired:
                    text = progress(log)
                    if text:
                        say(f"{text} after {watch}")
                except BaseException:
                    child.terminate()
                    raise
    if status:
        raise LabError(f"{shlex.join(cmd)[:200]} failed ({status}); end of {log}:\n{tail(log)}")

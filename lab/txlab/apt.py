# SPDX-License-Identifier: GPL-2.0-only
"""Packages through the machine's own apt, with a state of our own.

Mirror and keyring are taken from the machine's configuration at run time; suites that the
machine does not use itself (trixie, backports, bullseye) are asked for at the same mirror.
The machine's own lists, preferences and installed packages stay untouched, except by
install(), which needs root and is the only thing here that does.
"""

import functools
import glob
import os
import re
import shlex
import subprocess

from . import cache
from .util import LabError, run, say

# Suites of one group are looked up together; the first that has a package of the wanted
# name in its highest version wins.  "optional" suites may be unreachable.
GROUPS = {
    "qemu": {"src": ["trixie"], "deb": ["bookworm-backports"]},
    "newest": {"deb": ["trixie-backports"]},
    # The tools of the kernel's selftests, newer than this machine's.
    "trixie": {"deb": ["trixie"]},
    # 6.12 is in the security archive, which a bare installation may lack, and in the backports.
    "bookworm": {"deb": ["bookworm-security", "bookworm", "bookworm-updates",
                         "bookworm-backports"]},
    "bullseye": {"deb": ["bullseye-security", "bullseye"]},
}


def _deb822(text):
    """Yield (types, uris, suites, components, signed_by) of a .sources file."""
    for stanza in re.split(r"\n\s*\n", text):
        fields, key = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t") and key:
                fields[key] += "\n" + line
            elif ":" in line:
                key, value = line.split(":", 1)
                key = key.strip().lower()
                fields[key] = value.strip()
        if fields.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        if "uris" in fields:
            yield (fields.get("types", "deb").split(), fields["uris"].split(),
                   fields.get("suites", "").split(), fields.get("components", "").split(),
                   fields.get("signed-by", ""))


def _one_line(text):
    """Yield the same of a .list file."""
    for line in text.splitlines():
        m = re.match(r"\s*(deb|deb-src)\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s*(.*)", line.split("#")[0])
        if not m:
            continue
        opts = dict(o.split("=", 1) for o in (m.group(2) or "").strip(" []").split() if "=" in o)
        signed = ""
        for name, value in opts.items():
            if name.lower() == "signed-by":
                signed = value.replace(",", " ")
        yield [m.group(1)], [m.group(3)], [m.group(4)], m.group(5).split(), signed


def parse_sources(files):
    """All entries of the given sources files, in order."""
    entries = []
    for name in files:
        try:
            with open(name, encoding="utf-8", errors="replace") as f:
                text = f.read()
        except OSError:
            continue
        entries += _deb822(text) if name.endswith(".sources") else _one_line(text)
    return entries


@functools.cache
def machine_mirrors():
    """{"main": (uri, signed_by), "security": (...)} from the machine's apt configuration.

    The main archive is the entry that serves Debian's release suite, the security archive the
    one that serves "<release>-security".  A machine with only one of them gets only that.
    """
    values = dict(re.findall(r"(\w+)='([^']*)'", run(
        ["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS",
         "Dir::Etc::sourceparts/d"])))
    parts = values.get("PARTS", "/etc/apt/sources.list.d")
    files = [values.get("LIST", "/etc/apt/sources.list")]
    files += sorted(glob.glob(os.path.join(parts, "*.list")) +
                    glob.glob(os.path.join(parts, "*.sources")))
    found = {}
    for _types, uris, suites, components, signed in parse_sources(files):
        if "main" not in components:
            continue
        for suite in suites:
            kind = "security" if re.search(r"(-security|/updates)/?$", suite) else "main"
            if kind == "main" and not re.match(
                    r"(bookworm|trixie|bullseye|stable|oldstable)(-updates|-backports)?$", suite):
                continue
            found.setdefault(kind, (uris[0], signed))
    if "main" not in found:
        raise LabError("no Debian main archive found in the machine's apt sources")
    return found


class State:
    """An apt state (lists and caches) of our own for one group of suites.

    @arch: Debian's name of another architecture than the machine's.
    """

    def __init__(self, group, arch=None):
        self.group = group
        self.arch = arch
        self.dir = cache.directory("apt", f"{group}-{arch}" if arch else group)
        self.opts = None

    def _stanza(self, kind, suite):
        mirrors = machine_mirrors()
        where = "security" if suite.endswith("-security") else "main"
        if where not in mirrors:
            return None
        uri, signed = mirrors[where]
        text = f"Types: {kind}\nURIs: {uri}\nSuites: {suite}\nComponents: main\n"
        return text + (f"Signed-By: {signed}\n" if signed else "")

    def _options(self, parts):
        d = self.dir
        os.makedirs(f"{d}/lists/partial", exist_ok=True)
        os.makedirs(f"{d}/archives/partial", exist_ok=True)
        pairs = {
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": parts,
            "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            "Dir::State::lists": f"{d}/lists",
            "Dir::Cache::archives": f"{d}/archives",
            "Dir::Cache::pkgcache": f"{d}/pkgcache.bin",
            "Dir::Cache::srcpkgcache": f"{d}/srcpkgcache.bin",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
            "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
            "Debug::NoLocking": "1",
        }
        if self.arch:
            pairs |= {"APT::Architecture": self.arch, "APT::Architectures": self.arch,
                      "Dir::State::status": "/dev/null"}
        return [x for k, v in pairs.items() for x in ("-o", f"{k}={v}")]

    def update(self):
        """Fetch the lists.  Suites that cannot be reached are left out and named.

        Raises LabError when none can.
        """
        if self.opts:
            return
        parts = os.path.join(self.dir, "sources.d")
        os.makedirs(parts, exist_ok=True)
        for old in glob.glob(f"{parts}/*"):
            os.remove(old)
        usable = 0
        for kind, types in (("src", "deb-src"), ("deb", "deb")):
            for suite in GROUPS[self.group].get(kind, []):
                stanza = self._stanza(types, suite)
                if not stanza:
                    say(f"{suite}: the machine names no security archive, left out")
                    continue
                name = f"{parts}/{suite}-{kind}.sources"
                with open(name, "w", encoding="ascii") as f:
                    f.write(stanza)
                usable += 1
        opts = self._options(parts)
        try:
            run(["apt-get", *opts, "-qq", "--error-on=any", "update"])
        except LabError:
            # One bad suite spoils the whole update: find out which, keep the rest.
            for name in sorted(glob.glob(f"{parts}/*.sources")):
                single = os.path.join(self.dir, "single.d")
                os.makedirs(single, exist_ok=True)
                for old in glob.glob(f"{single}/*"):
                    os.remove(old)
                link = os.path.join(single, os.path.basename(name))
                os.symlink(name, link)
                try:
                    run(["apt-get", *self._options(single), "-qq", "--error-on=any",
                         "-o", "APT::Get::List-Cleanup=0", "update"])
                except LabError as err:
                    last = str(err).strip().splitlines()[-1]
                    say(f"{os.path.basename(name)[:-8]} cannot be reached, left out: {last}")
                    os.remove(name)
                    usable -= 1
        if not usable:
            raise LabError(f"no suite of the group '{self.group}' can be reached")
        self.opts = opts

    def names(self, pattern):
        """Names of binary packages that match the regular expression @pattern entirely."""
        self.update()
        out = run(["apt-cache", *self.opts, "pkgnames"])
        return [n for n in out.split() if re.fullmatch(pattern, n)]

    def version(self, package):
        """(version, suite order is apt's) of the candidate of @package, or None."""
        self.update()
        out = run(["apt-cache", *self.opts, "show", "--no-all-versions", package], check=False)
        m = re.search(r"^Version: (\S+)$", out, re.M)
        return m.group(1) if m else None

    def versions(self, packages):
        """[(version, package)] of every version known of @packages."""
        self.update()
        if not packages:
            return []
        out = run(["apt-cache", *self.opts, "show", *packages], check=False)
        pairs = set()
        for stanza in out.split("\n\n"):
            fields = dict(re.findall(r"^(Package|Version): (\S+)$", stanza, re.M))
            if fields.get("Package") in packages:
                pairs.add((fields["Version"], fields["Package"]))
        return list(pairs)

    def download(self, package, where, version=None):
        """Download the .deb of @package into directory @where; returns its path."""
        self.update()
        spec = f"{package}={version}" if version else package
        uris = run(["apt-get", *self.opts, "--print-uris", "-qq", "download", spec])
        m = re.search(r"^'[^']*' (\S+) (\d+)", uris, re.M)
        if not m:
            raise LabError(f"{package} is not in the suites of '{self.group}'")
        target = os.path.join(where, m.group(1))
        os.makedirs(where, exist_ok=True)
        if not (os.path.exists(target) and os.path.getsize(target) == int(m.group(2))):
            say(f"fetching {package} ({int(m.group(2)) / 1e6:.1f} MB)")
            run(["apt-get", *self.opts, "-qq", "download", spec], cwd=where)
        return target

    def download_all(self, packages, where):
        """Download @packages and all they depend on into @where; returns the paths of the .debs.

        As for a machine that has nothing yet, so that what is installed here does not count.
        """
        self.update()
        os.makedirs(os.path.join(where, "partial"), exist_ok=True)
        command = ["apt-get", *self.opts, "-o", "Dir::State::status=/dev/null", "-qq", "-y",
                   "--no-install-recommends", "--download-only"]
        # Asked without @where: what lies there already would not be named.
        uris = re.findall(r"^'[^']*' (\S+) (\d+)",
                          run([*command, "--print-uris", "install", *packages]), re.M)
        if not uris:
            raise LabError(f"{' '.join(packages)}: not in the suites of '{self.group}'")
        say(f"fetching {len(uris)} packages ({sum(int(s) for _n, s in uris) / 1e6:.1f} MB)")
        run([*command, "-o", f"Dir::Cache::archives={where}", "install", *packages])
        return sorted(os.path.join(where, name) for name, _size in uris)

    def source(self, package, suite, where):
        """Download a source package into @where; returns (path of the .dsc, version)."""
        self.update()
        out = run(["apt-get", *self.opts, "--print-uris", "-qq", "--download-only",
                   "source", f"{package}/{suite}"])
        files = re.findall(r"^'[^']*' (\S+) (\d+)", out, re.M)
        dsc = [name for name, _size in files if name.endswith(".dsc")]
        if not dsc:
            raise LabError(f"source package {package} is not in {suite}")
        os.makedirs(where, exist_ok=True)
        size = sum(int(s) for _n, s in files)
        say(f"fetching source {dsc[0]} ({size / 1e6:.1f} MB)")
        run(["apt-get", *self.opts, "-qq", "--download-only", "source", f"{package}/{suite}"],
            cwd=where)
        path = os.path.join(where, dsc[0])
        with open(path, encoding="utf-8") as f:
            version = re.search(r"^Version: (\S+)$", f.read(), re.M).group(1)
        return path, version


def _compare(a, b):
    """-1, 0, 1 as dpkg orders versions @a and @b."""
    for op, value in (("lt", -1), ("eq", 0)):
        if subprocess.run(["dpkg", "--compare-versions", a, op, b], check=False).returncode == 0:
            return value
    return 1


def descending(pairs):
    """Sort (version, package) pairs, highest version first."""
    return sorted(pairs, key=functools.cmp_to_key(lambda x, y: _compare(x[0], y[0])),
                  reverse=True)


def missing(packages):
    """Those of @packages that are not installed."""
    out = run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n", *packages],
              check=False)
    have = {line.split()[1] for line in out.splitlines() if line.startswith("installed ")}
    return [p for p in packages if p not in have]


def install(packages, why):
    """Make sure @packages are installed; installs them when root, else says what to do."""
    todo = missing(packages)
    if not todo:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *todo]
    if os.geteuid() != 0:
        raise LabError(f"{why} needs packages that are not installed; as root:\n  "
                       + shlex.join(command))
    say(f"installing for {why}: {' '.join(todo)}")
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    log = cache.path("logs", "apt-install.log")
    with cache.lock("apt-install"):
        if run(command, env=env, log=log, check=False):
            # Lists may be absent on a fresh machine, or older than the archive.
            run(["apt-get", "-qq", "update"], log=log, check=False)
            run(command, env=env, log=log)

# SPDX-License-Identifier: GPL-2.0-only
"""QEMU's control socket: commands from any thread, events to one queue."""

import json
import queue
import socket
import threading

from .util import LabError


class Qmp:
    """A QMP connection.  We listen, QEMU connects; see connect()."""

    def __init__(self, path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.events = queue.Queue()
        self._replies = {}
        self._next = 0
        self._lock = threading.Lock()
        self._file = None
        self._closed = False

    def connect(self, timeout):
        """Wait up to @timeout seconds for QEMU, negotiate; raises LabError."""
        self.listener.settimeout(timeout)
        try:
            sock, _ = self.listener.accept()
        except TimeoutError as err:
            raise LabError("QEMU did not open its control socket") from err
        finally:
            self.listener.close()
        sock.settimeout(None)
        self._file = sock.makefile("rw", encoding="utf-8", newline="\n")
        self._file.readline()
        threading.Thread(target=self._reader, daemon=True).start()
        self.command("qmp_capabilities")

    def _reader(self):
        try:
            for line in self._file:
                message = json.loads(line)
                if "event" in message:
                    self.events.put(message)
                elif message.get("id") in self._replies:
                    self._replies[message["id"]].put(message)
        except (OSError, ValueError):
            pass
        self._closed = True
        self.events.put({"event": "EOF"})
        for waiting in list(self._replies.values()):
            waiting.put({"error": {"desc": "QEMU is gone"}})

    def command(self, name, arguments=None, timeout=30):
        """Run one command; returns its value.  Raises LabError with QEMU's reason."""
        return self.raw({"execute": name, "arguments": arguments or {}}, timeout)

    def raw(self, request, timeout=30):
        """As command(), for a request object."""
        answer = queue.Queue()
        with self._lock:
            if self._closed:
                raise LabError("QEMU is gone")
            self._next += 1
            ident = self._next
            self._replies[ident] = answer
            try:
                self._file.write(json.dumps({**request, "id": ident}) + "\n")
                self._file.flush()
            except OSError as err:
                raise LabError("QEMU is gone") from err
        try:
            reply = answer.get(timeout=timeout)
        except queue.Empty as err:
            raise LabError(f"QEMU does not answer {request.get('execute')}") from err
        finally:
            self._replies.pop(ident, None)
        if "error" in reply:
            raise LabError(reply["error"].get("desc", "error"))
        return reply["return"]

    def get(self, ident, prop):
        """Value of a property of device @ident."""
        return self.command("qom-get", {"path": f"/machine/peripheral/{ident}",
                                        "property": prop})

    def set(self, ident, prop, value):
        """Set a property of device @ident."""
        self.command("qom-set", {"path": f"/machine/peripheral/{ident}", "property": prop,
                                 "value": value})

    def pci_addresses(self):
        """{device id: "0000:BB:DD.F"} as the firmware numbered the buses."""
        found = {}

        def walk(devices):
            for dev in devices:
                if dev.get("qdev_id"):
                    found[dev["qdev_id"]] = \
                        f"0000:{dev['bus']:02x}:{dev['slot']:02x}.{dev['function']}"
                walk(dev.get("pci_bridge", {}).get("devices", []))
        for bus in self.command("query-pci"):
            walk(bus["devices"])
        return found

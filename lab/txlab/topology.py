# SPDX-License-Identifier: GPL-2.0-only
"""Which cards a guest gets and how their ports are wired.

A topology is a dict, built in or read from a JSON file:
  ports    list of {"id", "type", "card", "port", optional "peer", "numa", "props": {...}}
  smp, mem optional defaults of the guest (mem in MB)
Each card sits behind a root port of its own; cards with "numa" hang below an expander bridge
on that node, and the guest then has two nodes with half of the CPUs and memory each.
"""

import json
import os

from .util import LabError


def _port(ident, kind, card, number, peer=None, **extra):
    return {"id": ident, "type": kind, "card": card, "port": number, "peer": peer, **extra}


def _pair(kind, **extra):
    return {"ports": [_port("p0", kind, "c0", 0, **extra),
                      _port("p1", kind, "c0", 1, "p0", **extra)]}


BUILTIN = {
    "pair25": _pair("ff5025"),
    "pair40": _pair("ff5040"),
    "pair10": _pair("ff5010"),
    "solo25": {"ports": [_port("p0", "ff5025", "c0", 0)]},
    "twocards25": {"ports": [_port("p0", "ff5025", "c0", 0),
                             _port("p1", "ff5025", "c1", 0, "p0")]},
    "quad25": {"ports": [_port("p0", "ff5025", "c0", 0), _port("p1", "ff5025", "c0", 1),
                         _port("p2", "ff5025", "c1", 0, "p0"),
                         _port("p3", "ff5025", "c1", 1, "p1")]},
    "numa25": {**_pair("ff5025", numa=1), "smp": 4, "mem": 1536},
    "none": {"ports": []},
}


def load(name):
    """The topology called @name, or read from the file @name."""
    if name in BUILTIN:
        return BUILTIN[name]
    if os.path.exists(name):
        with open(name, encoding="utf-8") as f:
            return json.load(f)
    raise LabError(f"unknown topology {name}: {', '.join(BUILTIN)} or a JSON file")


def port_ids(topo):
    """Ids of the ports in order."""
    return [p["id"] for p in topo["ports"]]


def arguments(topo, *, smp, mem, props, log_dir):
    """QEMU arguments for the cards of @topo.

    @props: {id: {property: value}} laid over everything else.  Each port logs its violations
    to LOG_DIR/ID.violations.
    """
    args = []
    nodes = any(p.get("numa") is not None for p in topo["ports"])
    if nodes:
        if smp < 2:
            raise LabError("a topology with NUMA nodes needs --smp 2 or more")
        half = smp // 2
        for node, cpus in ((0, f"0-{half - 1}"), (1, f"{half}-{smp - 1}")):
            args += ["-object", f"memory-backend-ram,id=m{node},size={mem // 2}M",
                     "-numa", f"node,nodeid={node},cpus={cpus},memdev=m{node}"]
    buses = {}
    bridges = {}
    for index, port in enumerate(topo["ports"]):
        card = port["card"]
        if card not in buses:
            number = len(buses)
            parent = "pcie.0"
            if port.get("numa") is not None:
                node = port["numa"]
                if node not in bridges:
                    bridges[node] = f"px{node}"
                    args += ["-device", f"pxb-pcie,id=px{node},bus=pcie.0,"
                                        f"bus_nr={64 + 64 * node},numa_node={node}"]
                parent = bridges[node]
            buses[card] = f"rp{number}"
            args += ["-device", f"pcie-root-port,id=rp{number},bus={parent},"
                                f"chassis={number + 1},slot={number + 1},hotplug=off"]
        values = {"id": port["id"], "bus": buses[card], "addr": f"0.{port['port']}",
                  "card": card, "port": port["port"], "mac": f"52:54:00:ff:50:{index:02x}",
                  "serial": 0x5254_00FF_FF50_0000 + int(buses[card][2:]),
                  "violations-log": os.path.join(log_dir, f"{port['id']}.violations")}
        siblings = [p for p in topo["ports"] if p["card"] == card]
        if len(siblings) > 1 and port["port"] == 0:
            values["multifunction"] = "on"
        if port.get("peer"):
            values["peer"] = port["peer"]
        values.update(port.get("props", {}))
        values.update(props.get(port["id"], {}))
        args += ["-device", ",".join([port["type"], *(f"{k}={v}" for k, v in values.items())])]
    unknown = set(props) - set(port_ids(topo))
    if unknown:
        raise LabError(f"--devprop names no port of this topology: {', '.join(sorted(unknown))}")
    return args

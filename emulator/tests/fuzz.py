#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Fuzz the device model through qtest.

  fuzz.py --qemu BIN [--seconds N] [--seed S] [--jobs J]
  fuzz.py --qemu BIN --episode E          repeat one episode

An episode is one QEMU process and a few thousand operations, all of them
derived from the episode's number alone: register accesses aimed at named
registers, rings and descriptors built well and badly, frames, mailbox
requests, QOM properties, resets, steps of virtual time.  A crash, a sanitizer
report or a missing answer ends the run with status 1 and prints the episode
and its last operations.  Meant for a build with ASan and UBSan.
"""

import argparse
import collections
import multiprocessing
import os
import random
import signal
import struct
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import desc as D                                        # noqa: E402
import frames as F                                      # noqa: E402
import regs as R                                        # noqa: E402
from port import Port                                   # noqa: E402
from qtest import CAP_MSIX, CAP_PCIE, CAP_PM, Qemu, QemuDied, QemuHang  # noqa: E402

OPS = 1000                # operations per episode
ARENA = 0x02000000        # guest RAM that descriptors point at
ARENA_SIZE = 0x01000000
RINGS = (0, 1, 2, 3, 63, 64, 127)
MODULES = ("none", "sfp28-sr", "sfp28-lr", "sfp28-er", "sfp28-dac", "sfp28-dac-s", "sfp28-dac-n",
           "sfp28-aoc", "sfp-sr", "sfp-lr", "sfp-dac", "sfp-1g", "qsfp-sr4", "qsfp-lr4",
           "qsfp-cr4", "qsfp-aoc", "qsfp28-cr4", "junk")
COMMANDS = (0x20, 0x31, 0x33, 0x36, 0x39, 0x40, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6,
            0xDD, 0xDE, 0xDF, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE9, 0xEA, 0xF0, 0xF1,
            0xF2, 0xF3, 0xF6)


class Fuzzer:
    """One episode."""

    def __init__(self, binary, episode, timeout):
        self.rnd = random.Random(episode)
        self.log = collections.deque(maxlen=300)
        self.nr = 0
        r = self.rnd
        typ = r.choice(("ff5025", "ff5025", "ff5040", "ff5010"))
        self.module = {"ff5040": "qsfp-sr4"}.get(typ, "sfp28-sr")
        self.speed = {"ff5040": 0x20, "ff5010": 0x04}.get(typ, 0x10)
        common = "violations-log=/dev/null,link-up-ms=1"
        if r.random() < 0.3:
            common += f",fifo-frames={r.choice((1, 2, 16, 300))}"
        if r.random() < 0.3:
            common += f",line-rate={r.choice((1, 1000, 25000))}"
        if r.random() < 0.2:
            common += f",msix-vectors={r.choice((0, 1, 5, 64))}"
        devs = [f"{typ},id=p0,card=c0,port=0,bus=rp0,addr=0.0,multifunction=on,{common}"
                + (",peer=p1" if r.random() < 0.8 else ""),
                f"{typ},id=p1,card=c0,port=1,bus=rp0,addr=0.1,{common}"]
        self.log.append(f"devices {devs}")
        self.q = Qemu(binary, devs, 1, timeout)
        try:
            self.q.next_ram = 0x00200000
            self.ports = [Port(self.q, "p0", 1, 0, 0), Port(self.q, "p1", 1, 1, 1)]
            self.bring_up()
        except BaseException:
            self.q.close()
            raise

    # --- plumbing ----------------------------------------------------------

    def do(self, cmds):
        cmds = list(cmds)
        self.log.extend(cmds)
        self.nr += len(cmds)
        self.q.cmds(cmds)

    def wr(self, p, off, val, size=4):
        self.do([f"write{'bwlq'[size.bit_length() - 1]} {p.bar0 + off:#x} "
                 f"{val & (1 << 8 * size) - 1:#x}"])

    def wrs(self, p, pairs):
        self.do(f"writel {p.bar0 + o:#x} {v & 0xFFFFFFFF:#x}" for o, v in pairs)

    def mem(self, addr, data):
        self.do([f"write {addr:#x} {len(data):#x} 0x{data.hex()}"])

    def qom(self, p, prop, val):
        self.log.append(f"qom-set {p.name} {prop} {val!r}")
        try:
            p.set(prop, val)
        except RuntimeError:
            pass

    # --- values ------------------------------------------------------------

    def value(self):
        r = self.rnd
        k = r.randrange(9)
        if k == 0:
            return 0
        if k == 1:
            return 0xFFFFFFFF
        if k == 2:
            return 1 << r.randrange(32)
        if k == 3:
            return r.randrange(256)
        if k == 4:
            return self.address() & 0xFFFFFFFF
        if k == 5:
            return r.choice((0x7F, 0x80, 0xFFFF, 0x8000, 0x7FFFFFFF, 0x80000000))
        if k == 6:
            return r.getrandbits(32) & r.getrandbits(32) & r.getrandbits(32)
        return r.getrandbits(32)

    def address(self):
        """Mostly good RAM; sometimes our own BARs or nowhere."""
        r = self.rnd
        k = r.randrange(20)
        if k == 0:
            return self.ports[r.randrange(2)].bar0 + r.randrange(0, 0x20000, 4)
        if k == 1:
            return r.choice((0x7F00000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFF000,
                             (128 << 20) - 8, 0xFEE00000, 0))
        if k == 2:
            return r.getrandbits(64)
        return ARENA + r.randrange(ARENA_SIZE - 0x20000)

    def named(self):
        off, stride, count = self.rnd.choice(R.NAMED)
        return off + stride * self.rnd.randrange(count)

    # --- set-up ------------------------------------------------------------

    def bring_up(self):
        for p in self.ports:
            p.attach()
            if self.rnd.random() < 0.9:
                self.open(p)
        self.do(["clock_step 200000000"])

    def open(self, p):
        """All gates open, some rings on; through the log like all else."""
        r = self.rnd
        isb = ARENA - 0x1000
        self.wrs(p, [(R.PF_BME, 1), (R.PSR_MAX_SZ, r.choice((1522, 9432, 16383))),
                     (R.RDB_PB_SZ(0), 0x70000), (R.TPID(0), 0x88A88100),
                     (R.PSR_CTL, 0x2780 | r.choice((0, 0x10000))), (R.VM_L2CTL(0), 0x910),
                     (R.RSC_CTL, r.choice((0, 4))), (R.VXLAN, 4789), (R.GENEVE, 6081),
                     (R.VXLAN_GPE, 4790), (R.TEREDO, 3544), (R.PL_CFG(0), 0x3E),
                     (R.RDM_DCACHE_CTL, 1), (R.RDM_RSC_CTL, 0x80), (R.TDM_CTL, 1),
                     (R.ISB_L, isb), (R.ISB_H, 0), (R.GPIE, r.choice((0, 1, 1, 1))),
                     (R.TSC_CTL, 0), (R.MAC_TX_CFG, 0x10000001), (R.MAC_RX_CFG, 0x101),
                     (R.RDB_PB_CTL, R.RXEN), (R.MISC_IVAR, 0x80 | 9),
                     (R.MISC_IEN, R.MISC_IEN_UPSTREAM), (R.GPIO_DR, 0),
                     (R.MAC_PKT_FLT, 1), (R.MMC_CONTROL, 4), (R.TSC_INC, 0x02A00000),
                     (R.TSC_1588_CTL, 0x10), (R.PSR_1588_CTL, 0x1A),
                     (R.ETYPE_SWC(3), 0xC00088F7), (R.RA_CTL, 0x00FF0004)])
        self.wrs(p, ((R.IVAR(k), 0x81818080 + 0x02020202 * (k & 3)) for k in range(64)))
        self.wrs(p, ((R.RSSRK(i), r.getrandbits(32)) for i in range(10)))
        self.wrs(p, ((R.RETA(i), r.choice((0, 0x03020100, 0x7F3F4001))) for i in range(32)))
        self.wrs(p, [(R.FDIR_HKEY, R.HKEY), (R.FDIR_SKEY, R.SKEY),
                     (R.FDIR_CTL, r.choice((0x4AF00001, 0x4AF07F11)))])
        self.wrs(p, [(R.IMC(0), 0xFFFFFFFF), (R.IMC(1), 0xFFFFFFFF)])
        for i in RINGS:
            if r.random() < 0.7:
                self.tx_ring(p, i)
            if r.random() < 0.7:
                self.rx_ring(p, i)

    def gates(self):
        """Undo what random writes closed on the way from port to port."""
        if self.rnd.random() < 0.3:
            for p in self.ports:
                self.qom(p, "cable", True)
                self.qom(p, "module", self.module)
                self.qom(p, "fault-removed", False)
                self.qom(p, "fault-tx-stall", False)
                self.qom(p, "fault-tx-stall-ring", -1)
                self.qom(p, "fault-rx-stall-ring", -1)
                self.qom(p, "fault-boot", "none")
                self.qom(p, "fault-tx-fault", False)
                self.qom(p, "partner-fec", "auto")
                self.qom(p, "fault-flap-ms", 0)
                self.wrs(p, [(R.SW2FW, 0x000008C1), (R.SW2FW + 4, 0x07000100 | self.speed),
                             (R.SW2FW_CMD, 0), (R.SW2FW_CMD, R.VLD)])
            self.do(["clock_step 5000000"])
        for p in self.ports:
            self.wrs(p, [(R.PF_BME, 1), (R.TDM_CTL, 1), (R.TSC_CTL, 0), (R.PORT_CTL, 5),
                         (R.MAC_TX_CFG, 0x10000001), (R.RSC_CTL, 4), (R.GPIO_DR, 0),
                         (R.MAC_RX_CFG, 0x101), (R.RDB_PB_CTL, R.RXEN), (R.MAC_PKT_FLT, 1),
                         (R.PSR_CTL, 0x2780), (R.PSR_VLAN_CTL, 0), (R.PSR_MAX_SZ, 9432),
                         (R.RDB_PB_SZ(0), 0x70000),
                         (R.RA_CTL, self.rnd.choice((0, 0x00FF0004)))])

    def ring_base(self, p, i, rx):
        return ARENA - 0x00200000 + ((p.fn * 2 + rx) * 128 + i) * 0x800

    def tx_ring(self, p, i):
        r = self.rnd
        base = self.ring_base(p, i, 0) if r.random() < 0.95 else self.address()
        head = ARENA - 0x00300000 + (p.fn * 128 + i) * 64 if r.random() < 0.95 \
            else self.address()
        cfg = 1 | r.choice((1, 1, 1, 2, 0, 63)) << 1 | r.choice((0, 0x20, 0x1FF)) << 16 \
            | r.choice((0, 1 << 27, 1 << 27, 3 << 27))
        self.wrs(p, [(R.TR(i, "CFG"), R.TR_SWFLSH), (R.TR(i, "BAL"), base),
                     (R.TR(i, "BAH"), base >> 32), (R.TR(i, "RP"), r.choice((0, 0, 0, 127))),
                     (R.TR(i, "WP"), 0), (R.TR(i, "HEADL"), head),
                     (R.TR(i, "HEADH"), head >> 32), (R.TR(i, "CFG"), cfg)])

    def rx_ring(self, p, i):
        r = self.rnd
        base = self.ring_base(p, i, 1) if r.random() < 0.95 else self.address()
        cfg = r.choice((1, 1, 1, 2, 0, 63)) << 1 | r.choice((1, 2, 2, 3, 4, 15, 0)) << 8 \
            | r.randrange(16) << 12 | 1 << 16 | r.choice((0, 1 << 19)) \
            | r.choice((0, 1 << 30)) | r.choice((0, 1 << 31)) \
            | r.choice((0, 0, 1 << 29 | 3 << 23)) | r.choice((0, 0, 0, 1 << 26))
        descs = b"".join(struct.pack("<QQ", self.address(), self.address())
                         for _ in range(128))
        self.mem(self.ring_base(p, i, 1), descs)
        self.wrs(p, [(R.RR(i, "CFG"), 0), (R.RR(i, "BAL"), base), (R.RR(i, "BAH"), base >> 32),
                     (R.RR(i, "CFG"), cfg), (R.RR(i, "RP"), 0), (R.RR(i, "WP"), 0),
                     (R.RR(i, "CFG"), cfg | 1), (R.RR(i, "WP"), r.choice((127, 127, 3, 1)))])

    # --- frames and descriptors --------------------------------------------

    def frame(self):
        """A packet of random layers, often damaged."""
        r = self.rnd

        def ip(depth):
            v6 = r.random() < 0.5
            n = 16 if v6 else 4
            src, dst = r.randbytes(n), r.randbytes(n)
            kind = r.randrange(10)
            body, nxt = r.randbytes(r.choice((0, 1, 8, 40, 300))), r.randrange(256)
            if kind < 3:
                body, nxt = F.tcp(src, dst, r.randrange(65536), 80, body), 6
            elif kind < 5:
                body, nxt = F.udp(src, dst, r.randrange(65536),
                                  r.choice((53, 319, 4789, 6081, 4790, 3544)), body), 17
            elif kind == 5:
                body, nxt = F.sctp(1, 2, body), 132
            elif depth < 3 and kind == 6:
                inner, p = ip(depth + 1)
                port = r.choice((4789, 6081, 4790))
                body = F.udp(src, dst, 1, port, r.choice(
                    (bytes.fromhex("0800000000002a00"), bytes.fromhex("0000655800002a00"),
                     bytes.fromhex("0c00000100002a00"), r.randbytes(8)))
                    + F.eth(r.randbytes(6), r.randbytes(6), p, inner))
                nxt = 17
            elif depth < 3 and kind == 7:
                inner, p = ip(depth + 1)
                flags = r.choice((0, 0x2000, 0x3000, 0xB000, 1, 0x8000))
                body, nxt = struct.pack(">HH", flags, r.choice((p, 0x6558))) + r.randbytes(
                    r.choice((0, 4, 8, 12))) + inner, 47
            elif depth < 3 and kind == 8:
                body, p = ip(depth + 1)
                nxt = 41 if p == F.ETH_IP6 else 4
            if v6:
                for _ in range(r.choice((0, 0, 0, 1, 2, 12))):
                    ext = r.choice((0, 43, 44, 60, 51, 135))
                    body = bytes([nxt, r.choice((0, 0, 1, 255))]) + r.randbytes(6) + body
                    nxt = ext
                return F.ipv6(src, dst, nxt, body), F.ETH_IP6
            opt = r.randbytes(4 * r.choice((0, 0, 0, 1, 10)))
            return F.ipv4(src, dst, nxt, body, options=opt,
                          flags=r.choice((0, 0x4000, 0x2000, 0x1FFF, 8))), F.ETH_IP4

        if r.random() < 0.9:
            body, proto = ip(0)
        else:
            body, proto = r.randbytes(r.randrange(100)), r.choice(
                (0x0806, 0x88F7, 0x88CC, 0x8906, 0x8808, 0x05DC, r.getrandbits(16)))
        tags = [(r.choice((0x8100, 0x88A8, 0x9100)), r.getrandbits(16))
                for _ in range(r.choice((0, 0, 0, 1, 2, 5)))]
        f = F.eth(r.choice((F.BCAST, r.randbytes(6), F.mac("01:00:5e:00:00:01"))),
                  r.randbytes(6), proto, body, tags)
        if r.random() < 0.3:
            f = bytearray(f)
            for _ in range(r.randrange(1, 6)):
                f[r.randrange(len(f))] = r.getrandbits(8)
            f = bytes(f)
        if r.random() < 0.2:
            f = f[:r.randrange(1, len(f) + 1)]
        if r.random() < 0.1:
            f += r.randbytes(r.choice((100, 2000, 9000)))
        return f

    def tx_packet(self):
        """Descriptors of one packet, right or wrong, and the bytes they carry."""
        r = self.rnd
        f = self.frame()
        addr = ARENA + r.randrange(ARENA_SIZE - 0x20000)
        self.mem(addr, f[:4000])
        if r.random() < 0.1:
            addr = self.address()
        flags, st, descs = D.IFCS, 0, []
        if r.random() < 0.6:
            if r.random() < 0.6:
                descs.append(D.tx_ctx(
                    maclen=r.choice((14, 18, 0, 127, 22)), iplen=r.choice((20, 40, 0, 1022, 28)),
                    vlan=r.getrandbits(16), tunnel_type=r.getrandbits(1),
                    outer_iplen=r.choice((0, 0, 20, 40, 508)),
                    tunnel_len=r.choice((0, 0, 4, 8, 16, 510)), tpid_sel=r.randrange(8),
                    ptype=r.choice((0x11, 0x22, 0x23, 0x24, 0x25, 0x2B, 0x2C, 0x2D, 0xA4, 0xEC,
                                    r.getrandbits(8))),
                    idx=r.getrandbits(1), l4len=r.choice((0, 8, 12, 20, 32, 60, 255)),
                    mss=r.choice((0, 1, 100, 1448, 9000, 65535))))
            else:
                descs.append(struct.pack("<IIII", r.getrandbits(32), r.getrandbits(32),
                                         r.getrandbits(32) & ~(15 << 20) | 1 << 20,
                                         r.getrandbits(32)))
            st |= D.ST_CC | r.getrandbits(4) << 9 | (r.getrandbits(1) << 4)
            if r.random() < 0.5:
                flags |= D.TSE
            if r.random() < 0.3:
                flags |= D.VLE
        if r.random() < 0.1:
            flags |= D.TSTAMP
        left, pos, first = len(f), 0, True
        paylen = len(f) if not flags & D.TSE else max(len(f) - 54, 0)
        if r.random() < 0.1:
            paylen = r.getrandbits(19)
        if flags & D.TSE and r.random() < 0.2:
            left += 60000
        while left > 0 or first:
            n = min(left, r.choice((left, left, 14, 64, 1, 0x4000)), 0x4000)
            left -= n
            end = D.EOP | D.RS if left <= 0 else 0
            descs.append(D.tx_data(addr + pos & 0xFFFFFFFFFFFFFFFF, n, flags | end,
                                   D.tx_status(paylen, st) if first else 0))
            pos, first = pos + n, False
            if len(descs) > 40:
                break
        if r.random() < 0.08:
            i = r.randrange(len(descs))
            bad = bytearray(descs[i])
            bad[r.randrange(16)] ^= 1 << r.randrange(8)
            descs[i] = bytes(bad)
        if r.random() < 0.05:
            descs.pop(r.randrange(len(descs)))
        return descs

    # --- operations --------------------------------------------------------

    def op_transmit(self, p):
        r = self.rnd
        i = r.choice(RINGS)
        base = self.ring_base(p, i, 0)
        if r.random() < 0.6:
            self.gates()
        if r.random() < 0.5:
            self.rx_ring(self.ports[1 - p.fn], r.choice((0, 0, 0) + RINGS))
        descs = []
        for _ in range(r.randrange(1, 6)):
            descs += self.tx_packet()
        if r.random() < 0.1:
            descs = [r.randbytes(16) for _ in range(r.randrange(1, 64))]
        start = r.choice((0, 0, r.randrange(128)))
        for k, d in enumerate(descs[:120]):
            self.mem(base + (start + k) % 128 * 16, d)
        if start or r.random() < 0.7:
            self.tx_ring(p, i)
            self.wrs(p, [(R.TR(i, "CFG"), R.TR_SWFLSH), (R.TR(i, "RP"), start),
                         (R.TR(i, "WP"), start), (R.TR(i, "CFG"), r.choice(
                             (0x08200003, 0x08200003, 0x00200003, 0x18000003)))])
        wp = (start + len(descs[:120])) % 128 if r.random() < 0.9 else self.value()
        self.wrs(p, [(R.TR(i, "WP"), wp)])

    def op_receive(self, p):
        r = self.rnd
        i = r.choice(RINGS)
        k = r.randrange(4)
        if k == 0:
            self.rx_ring(p, i)
        elif k == 1:
            self.wrs(p, [(R.RR(i, "WP"), self.value() if r.random() < 0.2
                          else r.randrange(128))])
        elif k == 2:
            self.mem(self.ring_base(p, i, 1) + 16 * r.randrange(128),
                     struct.pack("<QQ", self.address(), self.address()))
        else:
            self.wrs(p, [(R.RR(i, "CFG"), r.getrandbits(32))])

    def op_write(self, p):
        self.wrs(p, ((self.named(), self.value()) for _ in range(self.rnd.randrange(1, 12))))

    def op_read(self, p):
        self.do(f"readl {p.bar0 + self.named():#x}" for _ in range(self.rnd.randrange(1, 12)))

    def op_odd(self, p):
        r = self.rnd
        n = r.choice((1, 2, 4, 8))
        off = r.choice((self.named(), self.named() + r.randrange(8), r.randrange(0x20000)))
        off = min(off, (p.pci.bar_info[0][0]) - n)
        c = "bwlq"[n.bit_length() - 1]
        if r.random() < 0.5:
            self.do([f"read{c} {p.bar0 + off:#x}"])
        else:
            self.do([f"write{c} {p.bar0 + off:#x} {r.getrandbits(8 * n):#x}"])

    def op_mailbox(self, p):
        r = self.rnd
        req = bytearray(r.randbytes(r.choice((4, 8, 12, 16, 20, 24, 256))))
        req[0] = r.choice(COMMANDS) if r.random() < 0.9 else r.getrandbits(8)
        if r.random() < 0.7 and len(req) >= 16:
            lens = {0x31: (0, 6), 0x33: (0, 10), 0xC0: (12, 0), 0xC1: (8, 0), 0xC5: (16, 0),
                    0xC6: (12, 0), 0xF6: (20, 0), 0xDF: (2, 0), 0xE4: (r.getrandbits(8), 0)}
            req[1:3] = bytes(lens.get(req[0], (1, 0)))
            if req[0] in (0x31, 0x33):
                struct.pack_into(">IH", req, 4, r.choice((0, 0x100, 4094, 4096, 0xFFFFFFFE,
                                                          r.getrandbits(12))),
                                 r.choice((2, 244, 246, 0, 0xFFFF)))
            if req[0] == 0xC6:
                struct.pack_into(">II", req, 4, r.choice((0, 128, 255, 0xFFFFFFFF)),
                                 r.choice((1, 128, 240, 241, 0xFFFFFFFF)))
                req[14] = r.choice((0x50, 0x51, 0))
        words = struct.unpack(f"<{len(req) // 4}I", bytes(req))
        if r.random() < 0.85:
            self.wrs(p, [(R.SW2FW + 4 * i, w) for i, w in enumerate(words)]
                     + [(R.SW2FW_CMD, 0), (R.SW2FW_CMD, R.VLD)])
        else:
            self.wrs(p, [(R.MNG_MBOX + 4 * i, w) for i, w in enumerate(words)]
                     + [(R.MNG_MBOX_CTL, 0), (R.MNG_MBOX_CTL, 1)])

    def op_property(self, p):
        r = self.rnd
        k = r.randrange(23)
        if k == 0:
            self.qom(p, "cable", r.random() < 0.7)
        elif k == 1:
            self.qom(p, "module", r.choice(MODULES))
        elif k == 2:
            self.qom(p, "sink", r.random() < 0.5)
        elif k == 3:
            self.qom(p, "gen-template", self.frame()[:1500].hex())
            self.qom(p, "gen-count", r.choice((0, 1, 50)))
            self.qom(p, "gen-pps", r.choice((1, 1000, 100000)))
            self.qom(p, "gen-size", r.choice((0, 1, 64, 1514, 9000, 100000)))
            self.qom(p, "gen-flows", r.choice((0, 1, 64)))
            self.qom(p, "gen-run", r.random() < 0.8)
        elif k == 4:
            self.qom(p, "gen-run", False)
        elif k == 5:
            self.qom(p, "fault-fw", r.choice(("none", "none", "silent", "slow", "garbage",
                                              "unknown", "short")))
            self.qom(p, "fault-fw-delay-ms", r.choice((0, 1, 30)))
        elif k == 6:
            self.qom(p, "fault-wb-us", r.choice((0, 1, 100)))
            self.qom(p, "fault-wb", r.choice(("none", "none", "late", "batch")))
        elif k == 7:
            self.qom(p, "fault-lost-irq", r.choice((0, 1, 3)))
        elif k == 8:
            self.qom(p, "fault-removed", r.random() < 0.3)
        elif k == 9:
            self.qom(p, "fault-rx-loss", r.choice((0, 1, 3)))
            self.qom(p, "fault-rx-corrupt", r.choice((0, 1, 3)))
        elif k == 10:
            self.qom(p, "fault-flap-ms", r.choice((0, 0, 1, 20)))
        elif k == 11:
            self.qom(p, "fault-pending", r.random() < 0.3)
        elif k == 12:
            self.qom(p, "fault-tx-stall", r.random() < 0.3)
        elif k == 13:
            self.qom(p, "fault-first-frame-lost", r.random() < 0.5)
        elif k == 14:
            self.qom(p, "counters-reset", True)
        elif k == 15:
            self.qom(p, "partner-fec", r.choice(("auto", "rs", "baser:off", "off", "", ":rs")))
        elif k == 16:
            self.qom(p, "temperature", r.choice((-68, 0, 42, 89, 100, 152, 10 ** 9)))
            self.qom(p, "temperature-valid", r.random() < 0.8)
            self.qom(p, "module-temperature", r.choice((-128, 35, 127, 128)))
        elif k == 17:
            self.qom(p, "fault-module", r.choice(("none", "none", "nak", "short")))
            self.qom(p, "fault-tx-fault", r.random() < 0.2)
        elif k == 18:
            self.qom(p, "fault-tx-gate", r.random() < 0.3)
            self.qom(p, "fault-stuck", r.random() < 0.3)
            self.qom(p, "fault-ecc", r.random() < 0.3)
        elif k == 19:
            self.qom(p, "fault-boot", r.choice(("none", "flash", "lan", "firmware", "all")))
            self.qom(p, "fault-boot-ms", r.choice((0, 1, 30, 0xFFFFFFFF)))
        elif k == 20:
            self.qom(p, "fault-tx-stall-ring", r.choice((-1, 128, *RINGS)))
            self.qom(p, "fault-rx-stall-ring", r.choice((-1, 128, *RINGS)))
        elif k == 21:
            for prop in ("leds", "led-control", "fw-link", "fec", "partner-fec", "temperature",
                         "module-dump", "module-temperature"):
                self.log.append(f"qom-get {p.name} {prop}")
                p.get(prop)
        else:
            self.log.append(f"qom-get {p.name} counters")
            p.counters()
            p.get("link")
            p.get("violations")

    def op_reset(self, p):
        r = self.rnd
        k = r.randrange(8)
        if k < 4:
            self.wrs(p, [(R.MIS_RST, r.choice((1, 2, 4, 8, 1 << 16, 1 << 17, 1 << 19, 1 << 20,
                                               1 << 31, 6, r.getrandbits(32))))])
            self.do([f"clock_step {r.choice((1, 1000, 100000000))}"])
        elif k == 4:
            self.log.append(f"FLR {p.name}")
            p.pci.write(p.pci.cap(CAP_PCIE) + 8, 2, 0x8000)
            self.do(["clock_step 100000000"])
        elif k == 5:
            self.log.append(f"power {p.name}")
            pm = p.pci.cap(CAP_PM)
            p.pci.write(pm + 4, 2, r.randrange(4) | r.choice((0, 0x100, 0x8100)))
            self.op_transmit(self.rnd.choice(self.ports))
            self.do([f"clock_step {r.choice((1, 1000000))}"])
            p.pci.write(pm + 4, 2, 0)
        elif k == 6:
            self.log.append(f"command {p.name}")
            p.pci.command(r.choice((0, 2, 4, 6)))
            self.op_transmit(p)
        else:
            self.log.append("system_reset")
            self.q.qmp("system_reset")
            self.q.settle()
            self.q._setup_bridges()             # pylint: disable=protected-access
        for x in self.ports:
            self.q.next_bar[x.bus] = max(self.q.next_bar[x.bus],
                                         max(a + x.pci.bar_info[i][0]
                                             for i, a in x.pci.bars.items()))
            x.attach()
        if r.random() < 0.8:
            self.open(p)

    def op_msix(self, p):
        r = self.rnd
        if not p.pci.cap(CAP_MSIX):
            return
        e = p.table + 16 * r.randrange(p.nr_vectors)
        addr = self.address() & ~3
        self.do([f"writel {e:#x} {addr & 0xFFFFFFFF:#x}", f"writel {e + 4:#x} {addr >> 32:#x}",
                 f"writel {e + 8:#x} {r.getrandbits(32):#x}",
                 f"writel {e + 12:#x} {r.choice((0, 0, 1)):#x}"])

    def op_irq(self, p):
        r = self.rnd
        self.wrs(p, [(r.choice((R.ICS(0), R.ICS(1), R.MISC_ICS, R.IMC(0), R.IMC(1), R.IMS(0),
                                R.IMS(1), R.INTA, R.MISC_IEN)), self.value())
                     for _ in range(r.randrange(1, 6))])
        if r.random() < 0.3:
            self.wrs(p, [(R.ITR(r.randrange(64)), self.value())])
        if r.random() < 0.2:
            a = self.address()
            self.wrs(p, [(R.ISB_L, a), (R.ISB_H, a >> 32)])

    def op_fdir(self, p):
        r = self.rnd
        self.wrs(p, [(R.FDIR_SA, r.getrandbits(32)), (R.FDIR_DA, r.getrandbits(32)),
                     (R.FDIR_PORT, r.getrandbits(32)), (R.FDIR_FLEX, 0x24),
                     (R.FDIR_HASH, r.getrandbits(32)),
                     (R.FDIR_CMD, r.choice((0x8849, 0x7F8A49, 3, 2, r.getrandbits(32))))])

    def op_flow(self, p):
        """Pause marks around what is buffered; rings that starve; pause frames."""
        r = self.rnd
        self.wrs(p, [(R.RDB_PB_SZ(0), r.choice((0, 1, 8, 64, 448, 0x3FF)) << 10),
                     (R.RFCH(0), r.choice((0, 1, 4, 64, 0x1FF)) << 10 | r.choice((0, 1)) << 31),
                     (R.RFCL(0), r.choice((0, 1, 4, 64, 0x1FF)) << 10 | r.choice((0, 1)) << 31),
                     (R.RFCV(0), r.choice((0, 1, 2, 0x680, 0xFFFFFFFF))),
                     (R.RDB_RFCRT, r.choice((0, 1, 0x7FFF, 0xFFFF, 0xFFFFFFFF))),
                     (R.RDB_RFCC, r.choice((0, 8, 8, 0x18, self.value()))),
                     (R.PFCMACDAL, r.choice((0xC2000001, self.value()))), (R.PFCMACDAH, 0x180),
                     (R.MAC_RX_FLOW_CTRL, r.choice((0, 1, 1, 0x101))),
                     (R.MAC_PKT_FLT, r.choice((1, 0x41, 0xC1)))])
        if r.random() < 0.5:
            body = struct.pack(">HHH", 0x8808, r.choice((1, 1, 0x101, 2)),
                               r.choice((0, 1, 0xFFFF)))
            f = bytes.fromhex("0180c2000001020000000099") + body + r.randbytes(r.choice((0, 1, 42)))
            self.qom(p, "gen-template", f.hex())
            self.qom(p, "gen-size", 0)
            self.qom(p, "gen-count", r.choice((1, 20)))
            self.qom(p, "gen-pps", r.choice((0, 100000)))
            self.qom(p, "gen-run", True)

    def op_wake(self, p):
        """Wake-up filters and frames made for them."""
        r = self.rnd
        self.wrs(p, [(0x15B80, r.choice((0, 2, 0xFF, self.value()))), (0x15B84, self.value()),
                     (0x15BC0, 0x0A000002), (R.RAR_IDX, 0), (R.RAR_L, 0x00001234),
                     (R.RAR_H, 0x80000200)])
        mac = bytes.fromhex("020000001234")
        f = b"\xff" * 6 + r.randbytes(6) + struct.pack(">H", r.choice((0x0842, 0x0800, 0x0806, 0x86DD)))
        f += r.randbytes(r.choice((0, 1, 60))) + b"\xff" * r.choice((5, 6, 7, 200)) \
            + mac * r.choice((15, 16, 17))
        self.qom(p, "gen-template", f[:r.choice((14, 34, 42, 115, 116, 9999))].hex())
        self.qom(p, "gen-size", 0)
        self.qom(p, "gen-count", 3)
        self.qom(p, "gen-run", True)

    def op_sensor(self, p):
        """Thresholds, enables and the LED register, any value."""
        r = self.rnd
        self.wrs(p, [(r.choice((0x10300, 0x10304, 0x10308, 0x1030C, 0x10310, 0x10314, 0x10318,
                                0x1031C, 0x10320, 0x10330, 0x10334, 0x10338, R.LED_CTL)),
                      r.choice((0x186B6F60, 1, 2, 3, self.value()))) for _ in range(5)])

    def op_rate(self, p):
        """Tx rate limits of the rings in use."""
        r = self.rnd
        for i in r.sample(RINGS, 2):
            self.wrs(p, [(0x18210, i), (0x18214, r.choice((0, 1, 0x00010001, 0x00028001, 0xFFFFFFFD,
                                                           self.value()))),
                         (0x1820C, r.choice((21, 127, self.value())))])

    def op_time(self, _p):
        self.do([f"clock_step {self.rnd.choice((1, 100, 2000, 50000, 1000000, 20000000))}"])

    def run(self):
        ops = ([self.op_transmit] * 10 + [self.op_receive] * 5 + [self.op_write] * 6
               + [self.op_read] * 3 + [self.op_odd] * 2 + [self.op_mailbox] * 4
               + [self.op_property] * 3 + [self.op_msix] + [self.op_irq] * 3
               + [self.op_fdir] * 2 + [self.op_time] * 6 + [self.op_reset]
               + [self.op_flow] * 3 + [self.op_wake] + [self.op_sensor] + [self.op_rate])
        for n in range(OPS):
            self.rnd.choice(ops)(self.rnd.choice(self.ports))
            if n % 150 == 149:
                p = self.rnd.choice(self.ports)
                self.qom(p, "fault-removed", False)
                self.open(p)

    def close(self):
        """End QEMU; anything but a clean exit is a finding."""
        self.q.close()
        err = self.q.last_stderr
        if "Sanitizer" in err or ("runtime error:" in err and "ff50xx" in err):
            raise QemuDied("sanitizer report\n" + err[-8000:])
        if self.q.proc.returncode != 0:
            raise QemuDied(f"exit status {self.q.proc.returncode}\n" + err[-8000:])


def episode(binary, number, timeout):
    """Run one episode: (operations, report or None)."""
    fz = None
    try:
        fz = Fuzzer(binary, number, timeout)
        fz.run()
        fz.close()
        return fz.nr, None
    except Exception as e:                              # pylint: disable=broad-except
        text = [f"episode {number}: {type(e).__name__}: {e}"]
        if not isinstance(e, (QemuDied, QemuHang)):
            text.append(traceback.format_exc())
        if fz:
            if isinstance(e, QemuHang):
                fz.q.proc.kill()
            text += ["last operations, oldest first:"] + [f"  {x}" for x in fz.log]
            if isinstance(e, QemuHang):
                text.append(fz.q.stderr_text()[-4000:])
        return fz.nr if fz else 0, "\n".join(text)
    finally:
        if fz:
            fz.q.close()


def end_children():
    """End what this process has started, also if nobody has its handle yet."""
    me = os.getpid()
    with open(f"/proc/{me}/task/{me}/children", encoding="ascii") as f:
        for pid in map(int, f.read().split()):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def worker(binary, first, stride, end, timeout, out):
    """Episodes until @end; told to stop it ends its QEMU first."""
    def stop(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        out.cancel_join_thread()
        end_children()
        sys.exit(1)

    signal.signal(signal.SIGTERM, stop)
    number = first
    while time.monotonic() < end:
        out.put((number,) + episode(binary, number, timeout))
        number += stride
    out.put(None)


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--qemu", required=True)
    ap.add_argument("--seconds", type=float, default=120)
    ap.add_argument("--seed", type=int, default=None, help="first episode; default: from the clock")
    ap.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    ap.add_argument("--episode", type=int, help="run only this one")
    ap.add_argument("--timeout", type=float, default=60, help="seconds without an answer = hang")
    ap.add_argument("--keep-going", action="store_true", help="do not stop at the first finding")
    opt = ap.parse_args()
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=0")
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")

    if opt.episode is not None:
        nr, report = episode(opt.qemu, opt.episode, opt.timeout)
        print(report or f"episode {opt.episode}: {nr} operations, clean")
        return 1 if report else 0

    seed = opt.seed if opt.seed is not None else int(time.time())
    print(f"# fuzz: seed {seed}, {opt.seconds:g} s, {opt.jobs} jobs", flush=True)
    began = time.monotonic()
    end = began + opt.seconds
    out = multiprocessing.Queue()
    procs = [multiprocessing.Process(target=worker, args=(
        opt.qemu, seed + i, opt.jobs, end, opt.timeout, out)) for i in range(opt.jobs)]
    for p in procs:
        p.start()
    episodes, ops, findings, running = 0, 0, 0, opt.jobs
    while running:
        item = out.get()
        if item is None:
            running -= 1
            continue
        number, nr, report = item
        episodes, ops = episodes + 1, ops + nr
        if report:
            findings += 1
            print(report, flush=True)
            print(f"# repeat: fuzz.py --qemu BIN --episode {number}", flush=True)
            if not opt.keep_going:
                for p in procs:
                    p.terminate()
                break
    for p in procs:
        p.join()
    print(f"# fuzz: seed {seed}, {episodes} episodes, {ops} operations, {findings} findings, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if findings or not episodes else 0


if __name__ == "__main__":
    sys.exit(main())

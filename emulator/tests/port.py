# SPDX-License-Identifier: GPL-2.0-only
"""One port of the adapter driven the way a driver would: bring-up, rings,
mailbox, MSI-X messages caught in RAM.  Sequences follow 01, 11, 12 and 19 of
the reference."""

import json
import os
import shutil
import struct
import tempfile

import regs as R
from desc import DD, EOP, IFCS, REOP, RS, ST_CC, RxDesc, tx_data, tx_status
from qtest import CAP_MSI, CAP_MSIX, PciFn, Qemu

MSIX_MAGIC = 0xA5000000


class Port:
    """@q: the machine, @bus/@fn: where the function sits, @name: device id."""

    def __init__(self, q, name, bus, fn, lan=None):
        self.q, self.name, self.bus, self.fn = q, name, bus, fn
        self.lan = fn if lan is None else lan
        self.pci = PciFn(q, bus, 0, fn)
        self.bar0 = 0
        self.msix_area = 0
        self.tx, self.rx = {}, {}
        self.fw_index = 0
        self.isb = 0

    # --- access ------------------------------------------------------------

    def r(self, off):
        return self.q.read_n(4, self.bar0 + off)

    def w(self, off, val):
        self.q.write_n(4, self.bar0 + off, val & 0xFFFFFFFF)

    def rmw(self, off, clear, put):
        self.w(off, self.r(off) & ~clear | put)

    def ws(self, pairs):
        """Many register writes in one burst."""
        self.q.cmds(f"writel {self.bar0 + o:#x} {v & 0xFFFFFFFF:#x}" for o, v in pairs)

    def rs(self, offs):
        """Many register reads in one burst."""
        return [int(x, 16) for x in
                self.q.cmds(f"readl {self.bar0 + o:#x}" for o in offs)]

    def get(self, prop):
        return self.q.qom_get(self.name, prop)

    def set(self, prop, value):
        self.q.qom_set(self.name, prop, value)

    def counters(self):
        return json.loads(self.get("counters"))

    # --- PCI ---------------------------------------------------------------

    def attach(self, master=True, msix=True):
        """Map the BARs, enable memory and bus mastering, aim MSI-X at RAM."""
        self.pci.map_bars()
        self.bar0 = self.pci.bars[0]
        self.pci.command(6 if master else 2)
        if msix and self.pci.cap(CAP_MSIX):
            self.msix_setup()
        return self

    def msix_setup(self):
        """Every table entry writes MSIX_MAGIC | vector to its own RAM word."""
        cap = self.pci.cap(CAP_MSIX)
        ctl = self.pci.read(cap + 2, 2)
        self.nr_vectors = (ctl & 0x7FF) + 1
        where = self.pci.read(cap + 4)
        self.table = self.pci.bars[where & 7] + (where & ~7)
        if not self.msix_area:
            self.msix_area = self.q.alloc(4096)
        cmds = []
        for v in range(self.nr_vectors):
            e = self.table + 16 * v
            cmds += [f"writel {e:#x} {self.msix_area + 4 * v:#x}",
                     f"writel {e + 4:#x} 0", f"writel {e + 8:#x} {MSIX_MAGIC | v:#x}",
                     f"writel {e + 12:#x} 0"]
        self.q.cmds(cmds)
        self.pci.write(cap + 2, 2, 0x8000)

    def msi_setup(self, data=0x4321):
        """Aim the single MSI at its own RAM word."""
        cap = self.pci.cap(CAP_MSI)
        if not self.msix_area:
            self.msix_area = self.q.alloc(4096)
        ctl = self.pci.read(cap + 2, 2)
        self.pci.write(cap + 4, 4, self.msix_area)
        if ctl & 0x80:
            self.pci.write(cap + 8, 4, 0)
            self.pci.write(cap + 12, 2, data)
        else:
            self.pci.write(cap + 8, 2, data)
        self.pci.write(cap + 2, 2, ctl & 0xFF8F | 1)

    def took(self, v):
        """Has vector @v sent a message since the last look?"""
        addr = self.msix_area + 4 * v
        val = self.q.read_n(4, addr)
        if not val:
            return False
        self.q.write_n(4, addr, 0)
        assert val == MSIX_MAGIC | v, f"vector {v}: wrote {val:#x}"
        return True

    def took_any(self):
        """Vectors that sent a message since the last look."""
        raw = self.q.mem_read(self.msix_area, 4 * self.nr_vectors)
        self.q.mem_set(self.msix_area, 4 * self.nr_vectors, 0)
        return [v for v in range(self.nr_vectors)
                if raw[4 * v:4 * v + 4] != b"\0\0\0\0"]

    # --- bring-up ----------------------------------------------------------

    def lan_reset(self):
        """The reset_hw sequence of 01 section 3, every access of it."""
        q = self.q
        lan = self.lan
        self.r(R.RDB_PB_CTL)
        if self.r(R.RDB_PB_CTL) & R.RXEN:
            self.rmw(R.PSR_CTL, R.bit(18), 0)
            self.rmw(R.RDB_PB_CTL, R.RXEN, 0)
            self.rmw(R.MAC_RX_CFG, 1, 0)
        self.ws([(R.IMS(0), 0xFFFFFFFF), (R.IMS(1), 0xFFFFFFFF),
                 (R.MISC_IC, 0xFFFFFFFF), (R.BME_CTL, 3)])
        for cfg, put in ((R.TR, R.TR_SWFLSH), (R.RR, 0)):
            old = self.rs(cfg(i, "CFG") for i in range(128))
            self.ws((cfg(i, "CFG"), old[i] & ~1 | put) for i in range(128))
        self.r(R.MIS_PWR)
        self.pci.command(2)
        q.wait(lambda: self.r(R.TRANS_PENDING) == 0, 80, what="transactions drained")
        self.rmw(R.MIS_RST, 0, R.RST_LAN1 if lan else R.RST_LAN0)
        self.r(R.MIS_PWR)
        q.step_us(100)
        self.r(R.SPI_STATUS)
        q.wait(lambda: not self.r(R.SPI_ILDR_STATUS) & R.bit(9 + lan), 2000, 20000,
               "flash load")
        self.rmw(R.MAC_RX_CFG, 0, R.bit(8))
        self.rmw(R.MMC_CONTROL, 0, R.bit(2))
        self.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        self.w(R.MAC_PKT_FLT, 1)
        self.rmw(R.MIS_RST_ST, 0xFF00, 0x1E00)
        for sel, first in ((R.MNG_FLEX_SEL, 0x15A00), (R.LAN_FLEX_SEL, 0x15C00)):
            self.w(sel, 0)
            self.ws((first + 16 * i + k, 0) for i in range(16) for k in (0, 4, 8))
        self.ws([(R.PFCMACDAL, 0xC2000001), (R.PFCMACDAH, 0x0180)])
        if not lan:
            self.ws([(0x10300, 0x80000000), (0x10314, 3), (0x10304, 1),
                     (0x1030C, 677), (0x10310, 614)])
        self.w(R.PF_BME, 1)
        self.rmw(R.RDM_RSC_CTL, 0, R.bit(7))
        self.ws((R.RR(i, "MPRC"), 0) for i in range(128))
        self.clear_counters()
        self.w(R.RAR_IDX, 0)
        self.mac = self.read_rar()
        for i in range(1, 128):
            self.ws([(R.RAR_IDX, i), (R.RAR_L, 0), (R.RAR_H, 0)])
        self.rmw(R.PSR_CTL, 0xE0, 0)
        self.ws((R.MC_TBL(i), 0) for i in range(128))
        self.ws((R.UC_TBL(i), 0) for i in range(128))
        self.pci.command(6)

    def clear_counters(self):
        """05 section 3."""
        self.rs([R.RDM_PKT, R.TDM_PKT, R.RDM_BYTE_L, R.RDM_BYTE_H, R.TDM_BYTE_L,
                 R.RDM_DRP, R.RX_UNDER, R.RX_OVER])
        for first in (R.RX_FRAMES, R.TX_FRAMES, R.RX_MC, R.TX_MC, R.RX_BC, R.TX_BC,
                      R.RX_CRC, R.RX_LEN):
            self.rs([first, first + 4])
        self.rs([R.LXONTXC, R.LXOFFTXC])
        self.ws([(R.LXONRXC, 0), (R.LXOFFRXC, 0)])

    def read_rar(self):
        """Address bytes of the RAR entry that IDX selects."""
        hi, lo = self.rs([R.RAR_H, R.RAR_L])
        return struct.pack(">HI", hi & 0xFFFF, lo)

    def write_rar(self, idx, addr, av=True):
        hi, lo = struct.unpack(">HI", addr)
        self.ws([(R.RAR_IDX, idx), (R.RAR_VML, 1 if av else 0), (R.RAR_VMH, 0),
                 (R.RAR_L, lo), (R.RAR_H, hi | (R.bit(31) if av else 0))])

    def start_hw(self):
        """VLAN scrub and rate limiter clearing of 01 section 3."""
        self.ws((R.VFTA(i), 0) for i in range(128))
        for i in range(64):
            self.ws([(R.VSWC_IDX, i), (R.VSWC, 0), (R.VSWC_VML, 0), (R.VSWC_VMH, 0)])
        for i in range(128):
            self.ws([(R.TDM_RP_IDX, i), (R.TDM_RP_RATE, 0)])

    def configure(self, max_sz=1522):
        """Everything between reset and link that has no ring in it."""
        self.w(R.PF_BME, 1)
        self.ws([(R.RDB_PB_SZ(0), 0x70000), (R.TDB_PB_SZ, 0x28000), (R.TDM_PB_THRE, 150)])
        self.rmw(R.PORT_CTL, 0x3000, R.bit(0) | R.bit(2))
        self.ws([(R.TPID(0), 0x88A88100)] + [(R.TPID(i), 0x81008100) for i in (1, 2, 3)])
        self.rmw(R.PSR_CTL, R.PSR_MPE | R.PSR_UPE, R.PSR_BAM | R.PSR_MFE | R.PSR_PCSD)
        self.ws([(R.VM_L2CTL(0), R.bit(11) | R.bit(8)), (R.PSR_MAX_SZ, max_sz)])
        self.rmw(R.PSR_VLAN_CTL, R.bit(29), R.VFE)
        self.rmw(R.VFTA(0), 0, 1)
        self.rmw(R.RSC_CTL, 0, R.CRC_STRIP)
        self.w(R.PL_CFG(0), 0x3E)
        self.w(R.RDM_DCACHE_CTL, 1)
        self.rmw(R.RDM_RSC_CTL, R.bit(8), R.bit(7))
        self.rmw(R.TDM_CTL, 0, 1)

    def irq_setup(self, queues=1, itr=0, misc=True):
        """Vector q for queue q, the one after them for the misc causes."""
        if not self.isb:
            self.isb = self.q.alloc(64, 64)
        self.ws([(R.ISB_L, self.isb), (R.ISB_H, 0), (R.ITRSEL, 0), (R.GPIE, 1)])
        for k in range((queues + 1) // 2):
            val = 0x8080 | 0x0101 * (2 * k)
            if 2 * k + 1 < queues:
                val |= (0x8080 | 0x0101 * (2 * k + 1)) << 16
            self.w(R.IVAR(k), val)
        self.ws((R.ITR(v), itr | R.ITR_CNT_WDIS) for v in range(queues))
        self.misc_vec = queues
        if misc:
            self.ws([(R.MISC_IVAR, 0x80 | queues), (R.ITR(queues), 0)])
        self.rs([R.IC(0), R.IC(1), R.MISC_IC])
        if misc:
            self.w(R.MISC_IEN, R.MISC_IEN_UPSTREAM)
            self.unmask(queues)
        for v in range(queues):
            self.unmask(v)

    def unmask(self, v):
        self.w(R.IMC(v // 32), 1 << v % 32)

    def mask(self, v):
        self.w(R.IMS(v // 32), 1 << v % 32)

    def rx_enable(self):
        """Open the receive path: 12 section 11 step 6."""
        self.rmw(R.RSC_CTL, 0, R.RX_DIS)
        assert self.r(R.RSC_ST) & 1
        self.rmw(R.MAC_RX_CFG, 0, 1)
        self.rmw(R.RDB_PB_CTL, 0, R.RXEN)
        self.rmw(R.RSC_CTL, R.RX_DIS, 0)

    def laser(self, on):
        self.rmw(R.GPIO_DR, 2, 0 if on else 2)

    def link_up_seen(self):
        """What the driver does once it sees the link (04 section 4)."""
        keep = self.rs([R.MAC_WDG_TIMEOUT, R.MAC_RX_FLOW_CTRL])
        st = self.r(R.PORT_ST)
        self.w(R.MIS_RST, R.RST_LAN1_MAC if self.lan else R.RST_LAN0_MAC)
        self.q.step_us(1000)
        self.rmw(R.MAC_MISC_CTL, 0, 1)
        self.rmw(R.MAC_RX_CFG, 0, R.bit(8))
        self.rmw(R.MMC_CONTROL, 0, R.bit(2))
        self.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        self.w(R.MAC_PKT_FLT, 1)
        self.ws([(R.MAC_WDG_TIMEOUT, keep[0]), (R.MAC_RX_FLOW_CTRL, keep[1])])
        self.rmw(R.TSC_CTL, R.TX_DIS, 0)
        self.r(R.MIS_PWR)
        old = self.r(R.MAC_TX_CFG)
        self.rmw(R.MAC_RX_CFG, 0, 1)
        speed = 0 if st & 4 else 2 if st & 8 else 8
        self.w(R.MAC_TX_CFG, old & ~(0xF << 27) | speed << 27 | 1)

    def link(self):
        return bool(self.r(R.PORT_ST) & 1)

    def promisc(self, on=True):
        self.rmw(R.PSR_CTL, 0 if on else R.PSR_UPE | R.PSR_MPE,
                 R.PSR_UPE | R.PSR_MPE if on else 0)

    # --- mailbox -----------------------------------------------------------

    def fw_send(self, req, index=None):
        """Post a request (bytes, header first) and ring; returns its index."""
        if index is None:
            index = self.fw_index
            self.fw_index = self.fw_index + 1 & 0xFF
        req = bytearray(req) + bytes(-len(req) % 4)
        req[3] = index
        words = struct.unpack(f"<{len(req) // 4}I", bytes(req))
        self.ws((R.SW2FW + 4 * i, w) for i, w in enumerate(words))
        old = self.r(R.SW2FW_CMD)
        self.w(R.SW2FW_CMD, old & ~R.VLD)
        self.w(R.SW2FW_CMD, old | R.VLD)
        return index

    def fw_answer(self, nbytes=256):
        words = self.rs(R.FW2SW + 4 * i for i in range((nbytes + 3) // 4))
        return struct.pack(f"<{len(words)}I", *words)

    def fw(self, req, limit_ms=50, index=None, nbytes=256):
        """Post a request and wait for its answer; None on a time-out."""
        index = self.fw_send(req, index)
        for _ in range(limit_ms + 1):
            head = self.r(R.FW2SW)
            if head & 0xFF == req[0] and head >> 24 == index:
                return self.fw_answer(nbytes)
            self.q.step_ms(1)
        return None

    def eeprom(self, addr, count):
        """Command 0x31: @count bytes at even byte address @addr."""
        req = struct.pack("<BBBB", 0x31, 0, 6, 0xFF) + struct.pack(">IH", addr, count) \
            + bytes(6)
        ans = self.fw(req)
        assert ans is not None and ans[2] != 0x80, ans and ans[:16].hex()
        return ans[12:12 + count]

    def set_link(self, speed, an=0, fec=7):
        """Command 0xC1; @speed is the code (0x04, 0x10, 0x20)."""
        return self.fw(bytes([0xC1, 8, 0, 0, speed, 1 if speed else 0, an, fec, 0, 0, 0, 0]))

    def module_info(self):
        return self.fw(bytes([0xC5, 16]) + bytes(18))

    def module_read(self, off, length, page=0, i2c=0x50, bank=0):
        """Command 0xC6; returns (status, data)."""
        req = bytes([0xC6, 12, 0, 0]) + struct.pack(">II", off, length) + \
            bytes([page, bank, i2c, 0])
        ans = self.fw(req)
        if ans is None:
            return None, b""
        return ans[2], ans[16:16 + length]

    # --- rings -------------------------------------------------------------

    def tx_ring(self, idx=0, **kw):
        self.tx[idx] = TxRing(self, idx, **kw)
        return self.tx[idx]

    def rx_ring(self, idx=0, **kw):
        self.rx[idx] = RxRing(self, idx, **kw)
        return self.rx[idx]


class TxRing:
    """A transmit ring; descriptors are raw 16-byte strings."""

    def __init__(self, port, idx, size=128, head_wb=True, cfg=0, wthresh=0x20):
        self.port, self.idx, self.size, self.q = port, idx, size, port.q
        self.base = self.q.alloc(size * 16, 128)
        self.head_addr = self.q.alloc(64, 64)
        self.head_wb = head_wb
        self.wp = 0
        self.cfg = (R.TR_EN | (size // 128 % 64) << 1 | wthresh << 16 | cfg
                    | (R.TR_HEAD_WB if head_wb else 0))
        self.enable()

    def enable(self):
        """11 section 3 step 4."""
        p, i = self.port, self.idx
        self.wp = 0
        p.w(R.TR(i, "CFG"), R.TR_SWFLSH)
        p.r(R.MIS_PWR)
        p.ws([(R.TR(i, "BAL"), self.base), (R.TR(i, "BAH"), 0), (R.TR(i, "RP"), 0),
              (R.TR(i, "WP"), 0), (R.TR(i, "HEADL"), self.head_addr if self.head_wb else 0),
              (R.TR(i, "HEADH"), 0), (R.TR(i, "CFG"), self.cfg)])
        assert p.r(R.TR(i, "CFG")) & 1

    def put(self, descs, ring=True):
        """Place descriptors after the ones already there; maybe ring."""
        for d in descs:
            assert len(d) == 16
            self.q.mem_write(self.base + 16 * self.wp, d)
            self.wp = (self.wp + 1) % self.size
        if ring:
            self.doorbell()

    def doorbell(self):
        self.port.w(R.TR(self.idx, "WP"), self.wp)

    def send(self, frame, flags=None, status=None, ring=True, split=(), ctx=None):
        """One frame; @split gives lengths of leading buffers."""
        if flags is None:
            flags = IFCS
        bits = 0 if status is None else status
        if ctx is not None:
            bits |= ST_CC
        cuts, pos = [], 0
        for n in split:
            cuts.append(frame[pos:pos + n])
            pos += n
        cuts.append(frame[pos:])
        descs = [ctx] if ctx is not None else []
        for k, part in enumerate(cuts):
            addr = self.q.alloc(max(len(part), 1), 1)
            self.q.mem_write(addr, part)
            last = EOP | RS if k == len(cuts) - 1 else 0
            descs.append(tx_data(addr, len(part), flags | last,
                                 tx_status(len(frame), bits) if not k else 0))
        self.put(descs, ring)
        return len(descs)

    def head(self):
        """The written-back head dword."""
        return self.q.read_n(4, self.head_addr)

    def rp(self):
        return self.port.r(R.TR(self.idx, "RP"))

    def desc(self, i):
        return struct.unpack("<IIII", self.q.mem_read(self.base + 16 * i, 16))

    def wait_done(self, limit_ms=200):
        """Wait until everything posted has completed."""
        self.q.wait(lambda: self.rp() == self.wp, limit_ms, what="Tx ring drained")


class RxRing:
    """A receive ring with one buffer per descriptor."""

    def __init__(self, port, idx, size=128, buf_kb=2, cfg=0, fill=None, merge=True):
        self.port, self.idx, self.size, self.q = port, idx, size, port.q
        self.buf_kb = buf_kb
        self.base = self.q.alloc(size * 16, 128)
        self.bufs = self.q.alloc(size * buf_kb * 1024, 4096)
        self.next, self.wp = 0, 0
        self.cfg = ((size // 128 % 64) << 1 | buf_kb % 16 << 8 | 4 << 12 | 1 << 16 | cfg
                    | (R.RR_DESC_MERGE if merge else 0))
        self.enable()
        self.fill(size - 1 if fill is None else fill)

    def enable(self):
        """12 section 2."""
        p, i = self.port, self.idx
        self.next, self.wp = 0, 0
        p.w(R.RR(i, "CFG"), p.r(R.RR(i, "CFG")) & ~R.RR_EN)
        assert not p.r(R.RR(i, "CFG")) & R.RR_EN
        p.ws([(R.RR(i, "BAL"), self.base), (R.RR(i, "BAH"), 0), (R.RR(i, "CFG"), self.cfg),
              (R.RR(i, "RP"), 0), (R.RR(i, "WP"), 0), (R.RR(i, "CFG"), self.cfg | R.RR_EN)])
        assert p.r(R.RR(i, "CFG")) & R.RR_EN

    def buf(self, i):
        return self.bufs + i * self.buf_kb * 1024

    def fill(self, n):
        """Hand @n more descriptors to hardware."""
        raw = {}
        for _ in range(n):
            raw[self.wp] = struct.pack("<QQ", self.buf(self.wp), 0)
            self.wp = (self.wp + 1) % self.size
        self.q.cmds(f"write {self.base + 16 * i:#x} 16 0x{d.hex()}" for i, d in raw.items())
        if n:
            self.port.w(R.RR(self.idx, "WP"), self.wp)

    def peek(self, i):
        return RxDesc(self.q.mem_read(self.base + 16 * i, 16))

    def collect(self):
        """Completed packets as (descriptors, data); gives no buffer back."""
        res, pos, descs, data = [], self.next, [], b""
        while True:
            d = self.peek(pos)
            if not d.status & DD:
                break
            descs.append(d)
            data += self.q.mem_read(self.buf(pos), d.length)
            pos = (pos + 1) % self.size
            if d.status & REOP:
                res.append((descs, data))
                self.clear(self.next, pos)
                self.next, descs, data = pos, [], b""
        return res

    def clear(self, first, last):
        """Zero cleaned descriptors so that a stale DD cannot be seen."""
        while first != last:
            self.q.mem_set(self.base + 16 * first, 16, 0)
            first = (first + 1) % self.size

    def take(self, n=1, limit_ms=200):
        """Wait for @n packets and return them."""
        got = []

        def look():
            got.extend(self.collect())
            return len(got) >= n
        self.q.wait(look, limit_ms, what=f"{n} packet(s) on Rx ring {self.idx}")
        return got

    def one(self, limit_ms=200):
        """Wait for one packet of one descriptor: (descriptor, data)."""
        (descs, data), = self.take(1, limit_ms)
        assert len(descs) == 1
        return descs[0], data


class Machine:
    """A QEMU with named ports, violations collected per machine.

    @ports: list of dicts with the device's properties; 'type' (ff5025),
    'id', 'rp' (root port number) and 'fn' place it.
    """

    def __init__(self, binary, ports, timeout=30.0, extra=(), fds=()):
        self.logs = tempfile.mkdtemp(prefix="ff50xx-log-")
        devs = []
        for p in ports:
            p = dict(p)
            typ, rp, fn = p.pop("type", "ff5025"), p.pop("rp", 0), p.pop("fn", 0)
            multi = "" if fn else ",multifunction=on"
            props = "".join(f",{k}={v}" for k, v in p.items())
            devs.append(f"{typ}{props},bus=rp{rp},addr=0.{fn}{multi},"
                        f"violations-log={self.log(p['id'])}")
        nr = 1 + max(p.get("rp", 0) for p in ports)
        try:
            self.q = Qemu(binary, devs, nr, timeout, extra, fds)
        except BaseException:
            shutil.rmtree(self.logs, ignore_errors=True)
            raise
        self.ports = {}
        for p in ports:
            self.ports[p["id"]] = Port(self.q, p["id"], p.get("rp", 0) + 1,
                                       p.get("fn", 0), p.get("port", 0))

    def log(self, name):
        """Path of a port's violations log."""
        return os.path.join(self.logs, name)

    def violations(self):
        """[(device, class, register, value, text)] of all ports so far."""
        res = []
        for name in sorted(os.listdir(self.logs)):
            with open(self.log(name), encoding="utf-8", errors="replace") as f:
                for line in f:
                    word = line.rstrip("\n").split(" ", 5)
                    if word[0] == "VIOLATION":
                        res.append(tuple(word[1:]))
        return res

    def close(self):
        self.q.close()
        shutil.rmtree(self.logs, ignore_errors=True)

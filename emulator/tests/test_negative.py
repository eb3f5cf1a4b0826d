# SPDX-License-Identifier: GPL-2.0-only
"""Each violation class fires on what it is for, and a correct driver's
bring-up fires none."""

import struct

import desc as D
import frames as F
import regs as R
from base import Base


class Classes(Base):

    def quiet_until(self, p):
        """Everything before the provocation must have been clean."""
        self.assertEqual(self.m.violations(), [])
        self.assertEqual(p.get("violations"), 0)

    def once(self, p, cls, do, value=None):
        """do() adds lines, the first of class @cls; returns it."""
        before = len(self.m.violations())
        do()
        self.q.settle(1)
        hit = self.violation(cls, since=before)
        self.assertEqual(hit[0], p.name)
        self.assertRegex(hit[2], r"^(0x[0-9a-fA-F]+|[A-Z][A-Z0-9_]*.*)$")
        if value is not None:
            self.assertEqual(int(hit[3], 16), value)
        self.assertEqual(p.get("violations"), len(self.m.violations()))
        self.assertEqual(p.counters()["violations"], len(self.m.violations()))
        return hit

    def test_unnamed_offset(self):
        p = self.solo()
        self.quiet_until(p)
        for off in (0x900, 0x12700, 0x1F800):
            hit = self.once(p, "unnamed-offset", lambda o=off: p.w(o, 0xCAFEF00D), 0xCAFEF00D)
            self.assertEqual(int(hit[2], 16), off)
            self.assertEqual(p.r(off), 0xCAFEF00D, "plain storage")

    def test_unnamed_offset_read(self):
        p = self.solo()
        self.once(p, "unnamed-offset", lambda: self.assertEqual(p.r(0x900), 0))

    def test_named_without_behaviour_is_silent(self):
        """Named registers are storage and record nothing (decision 2)."""
        p = self.solo()
        p.w(0x180A0 + 0x10, 0)
        for off in (0x18208, 0x14408, 0x14F00, 0x15B84, 0x12040):
            p.w(off, p.r(off))
        self.quiet_until(p)

    def test_reserved_bit(self):
        p = self.solo()
        self.quiet_until(p)
        for off, val in ((R.MISC_IEN, 1), (R.GPIE, 0x80000000), (R.PSR_MAX_SZ, 0x10000),
                         (R.RR(0, "CFG"), 0x80), (R.TR(3, "CFG"), 0x80),
                         (R.RDB_PB_CTL, 0x100), (R.MISC_IVAR, 0x180)):
            with self.subTest(hex(off)):
                self.once(p, "reserved-bit", lambda o=off, v=val: p.w(o, v), val)

    def test_read_only_write(self):
        p = self.solo()
        self.quiet_until(p)
        for off in (R.PORT_ST, R.MIS_ST, R.SPI_STATUS, R.GPIO_EXT, R.TRANS_PENDING,
                    R.RSC_ST, R.TSC_ST, R.GPIO_RAW, R.SPI_ILDR_STATUS):
            with self.subTest(hex(off)):
                old = p.r(off)
                self.once(p, "read-only-write", lambda o=off: p.w(o, 0xFFFFFFFF))
                self.assertEqual(p.r(off), old)

    def test_write_only_read(self):
        p = self.solo()
        self.quiet_until(p)
        for off in (R.MISC_ICS, R.ICS(0), R.ICS(1), R.INTA):
            with self.subTest(hex(off)):
                self.once(p, "write-only-read", lambda o=off: p.r(o))

    def test_size(self):
        p = self.solo()
        self.quiet_until(p)
        for n in (1, 2, 8):
            with self.subTest(n):
                self.once(p, "size", lambda n=n: self.q.read_n(n, p.bar0 + R.PSR_CTL))
                self.once(p, "size",
                          lambda n=n: self.q.write_n(n, p.bar0 + R.PSR_MAX_SZ, 0))

    def test_misaligned(self):
        p = self.solo()
        self.once(p, "size", lambda: self.q.read_n(4, p.bar0 + R.PSR_CTL + 2))

    def test_index_range(self):
        p = self.solo()
        p.ws([(R.RAR_IDX, 127), (R.RAR_L, 0x11111111), (R.RAR_IDX, 0)])
        p.w(R.VSWC_IDX, 63)
        self.quiet_until(p)
        self.once(p, "index-range", lambda: p.w(R.RAR_IDX, 128), 128)
        p.ws([(R.RAR_L, 0x22222222), (R.RAR_H, 0x80002222)])
        p.w(R.RAR_IDX, 127)
        self.assertEqual(p.r(R.RAR_L), 0x11111111)
        self.once(p, "index-range", lambda: p.w(R.VSWC_IDX, 64), 64)

    def test_ring_state(self):
        p = self.solo()
        p.configure()
        tx, rx = p.tx_ring(), p.rx_ring()
        self.quiet_until(p)
        self.once(p, "ring-state", lambda: p.w(R.TR(0, "WP"), 128))
        self.once(p, "ring-state", lambda: p.w(R.TR(0, "WP"), 0xFFFF))
        self.once(p, "ring-state", lambda: p.w(R.RR(0, "WP"), 128))
        self.once(p, "ring-state", lambda: p.w(R.TR(0, "BAL"), 0x100000))
        self.once(p, "ring-state", lambda: p.w(R.RR(0, "BAL"), 0x100000))
        self.once(p, "ring-state", lambda: p.w(R.TR(0, "RP"), 7))
        self.assertEqual(tx.rp(), 0)
        del rx

    def test_dma_gate(self):
        p = self.solo()
        p.configure()
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        tx = p.tx_ring()
        self.quiet_until(p)
        p.w(R.PF_BME, 0)
        self.once(p, "dma-gate", lambda: tx.send(bytes(60)))

    def test_fw_request(self):
        p = self.solo(module="sfp28-sr")
        self.quiet_until(p)
        bad = [
            struct.pack("<BBBB", 0x31, 0, 6, 0xFF) + struct.pack(">IH", 1, 2) + bytes(6),
            struct.pack("<BBBB", 0x31, 0, 6, 0xFF) + struct.pack(">IH", 0, 246) + bytes(6),
            bytes([0xC5, 3]) + bytes(18),
            bytes([0xC1, 200]) + bytes(10),
            bytes([0xC6, 12, 0, 0]) + struct.pack(">II", 0, 250) + bytes([0, 0, 0x50, 0]),
        ]
        for req in bad:
            with self.subTest(req.hex()):
                self.once(p, "fw-request", lambda r=req: p.fw(r))

    def test_dma_fault(self):
        p = self.solo()
        p.configure()
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        tx = p.tx_ring()
        p.w(R.TR(0, "CFG"), R.TR_SWFLSH)
        p.ws([(R.TR(0, "BAL"), 0), (R.TR(0, "BAH"), 0x7F), (R.TR(0, "CFG"), tx.cfg)])
        self.quiet_until(p)
        self.once(p, "dma-fault", lambda: p.w(R.TR(0, "WP"), 1))

    def test_dma_fault_rx(self):
        p0, p1 = self.pair()
        p1.promisc()
        rx = p1.rx_ring(fill=0)
        self.q.mem_write(rx.base, struct.pack("<QQ", 0x7F00000000, 0))
        tx = p0.tx_ring()
        p1.w(R.RR(0, "WP"), 1)
        tx.send(self.udp4())
        self.q.step_ms(1)
        self.violation("dma-fault")

    def test_reset_order(self):
        """01 section 3: bus mastering is off before a LAN reset, PX_PF_BME and
        FREE_CTL are set after it and before rings."""
        p = self.solo()
        p.configure()
        tx = p.tx_ring()
        self.quiet_until(p)
        self.once(p, "reset-order", lambda: p.w(R.MIS_RST, R.RST_LAN0))
        self.allow("ring-state")                 # the ring has no base any more
        p.w(R.TDM_CTL, 1)
        self.once(p, "reset-order", lambda: p.w(R.TR(0, "CFG"), tx.cfg))
        self.once(p, "reset-order", lambda: p.w(R.FDIR_CMD, 3))

    def test_index_range_vectors(self):
        p = self.solo(**{"msix-vectors": 8})
        p.w(R.IVAR(0), 0x80878480)
        self.quiet_until(p)
        self.once(p, "index-range", lambda: p.w(R.IVAR(0), 0x80 | 70))

    def test_log_line(self):
        """VIOLATION <id> <class> <register> <value> <text>"""
        p = self.solo()
        self.expect("read-only-write")
        p.w(R.PORT_ST, 5)
        with open(self.m.log("p0"), encoding="ascii") as f:
            line, = f.read().splitlines()
        word = line.split(" ")
        self.assertEqual(word[:3], ["VIOLATION", "p0", "read-only-write"])
        self.assertEqual(int(word[4], 16), 5)
        self.assertGreater(len(word), 5)


class CleanRun(Base):
    """The order of 19: probe, link, traffic, down, and again."""

    def probe(self, p):
        """19 section 1."""
        p.pci.map_bars()
        p.bar0 = p.pci.bars[0]
        p.pci.command(6)
        self.assertEqual(p.r(R.PORT_ST) >> 8 & 3, p.lan)
        for load in (R.bit(0), R.bit(1)):
            self.assertEqual(p.r(R.SPI_STATUS) >> 31, 0)
            self.assertEqual(p.r(R.SPI_ILDR_STATUS) & load, 0)
        self.assertEqual(p.r(R.MIS_ST) & 1, 1)
        self.assertEqual(p.r(R.RDB_PB_CTL), 0)
        p.lan_reset()
        self.assertNotEqual(p.mac, bytes(6))
        self.assertEqual(p.mac[0] & 1, 0)
        img = []
        for pos in [0, 0x38] + list(range(0, 4096, 244)):
            p.rmw(R.MNG_SWFW_SYNC, 0, 8)
            img += struct.unpack("<%dH" % (min(244, 4096 - pos) // 2),
                                 p.eeprom(pos, min(244, 4096 - pos)))
            p.rmw(R.MNG_SWFW_SYNC, 8, 0)
        p.write_rar(0, p.mac)
        p.msix_setup()
        for word in (0x9E, 0x9D, 0x87):
            p.eeprom(2 * word, 2)
        ans = p.fw(bytes([0xC0, 12, 0, 0]) + b"\xa5" * 12)
        self.assertNotEqual(ans[2], 0x80)
        p.rmw(R.RA_CTL, 0, 4)

    def open(self, p, queues=2):
        """19 section 2."""
        p.w(R.RDB_PB_SZ(0), 0x70000)
        self.assertEqual(p.r(R.RDB_PB_SZ(0)), 0x70000)
        p.configure()
        p.rmw(R.RR(0, "CFG"), 0, R.RR_VLAN)
        p.rmw(R.RSC_CTL, 0, R.RX_DIS)
        self.assertEqual(p.r(R.RSC_ST) & 1, 1)
        p.ws([(R.FLEX_CFG(0), 0x30), (R.FDIR_HKEY, R.HKEY), (R.FDIR_SKEY, R.SKEY),
              (R.FDIR_CTL, 0x4AF00001)])
        self.assertEqual(p.r(R.FDIR_CTL) & 8, 8)
        p.rmw(R.RSC_CTL, R.RX_DIS, 0)
        for i in range(queues):
            p.tx_ring(i, size=512)
        p.w(R.TSC_BUF_AE, 0x10)
        p.rmw(R.MAC_TX_CFG, 0, 1)
        p.w(R.PL_CFG(0), 0x3E)
        p.rmw(R.RSC_CTL, 0, R.CRC_STRIP)
        p.rmw(R.PSR_CTL, R.PSR_RSC_DIS, R.PSR_RSC_ACK)
        p.ws((R.RSSRK(i), 0x11111111 * i) for i in range(10))
        p.ws((R.RETA(i), 0x01000100) for i in range(32))
        p.w(R.RA_CTL, 0x00330004)
        p.w(R.PSR_MAX_SZ, 1522)
        for i in range(queues):
            p.rx_ring(i, size=512, cfg=R.RR_VLAN)
        p.rx_enable()
        p.isb = p.isb or self.q.alloc(64, 64)
        p.ws([(R.ISB_L, p.isb), (R.ISB_H, 0)])
        p.ws([(R.ETYPE_SWC(3), 0), (R.TSC_INC, 0x02A00000), (R.SYSTIML, 0), (R.SYSTIMH, 0)])
        p.rmw(R.PORT_CTL, 0, R.bit(3))
        p.ws([(R.ITRSEL, 0), (R.GPIE, 1), (R.IVAR(0), 0x81818080)])
        p.ws((R.ITR(v), 42 | R.ITR_CNT_WDIS) for v in range(queues))
        p.ws([(R.MISC_IVAR, 0x80 | queues), (R.ITR(queues), 1950)])
        p.misc_vec = queues
        p.laser(True)
        p.r(R.PORT_ST)
        p.rs([R.IC(0), R.IC(1), R.MISC_IC])
        line = 4
        p.ws([(R.GPIO_INTTYPE, line), (R.GPIO_INTEN, line)])
        raw = p.r(R.GPIO_RAW)
        for n in range(6):
            if raw >> n & 1:
                p.w(R.GPIO_EOI, 1 << n)
        p.w(R.MISC_IEN, R.MISC_IEN_UPSTREAM)
        p.unmask(queues)
        p.w(R.IMC(0), (1 << queues) - 1)
        p.rmw(R.PORT_CTL, 0, R.bit(14))
        self.q.step_ms(200)
        self.assertEqual(p.r(R.GPIO_EXT) & line, 0)
        self.assertEqual(p.module_info()[2], 1)
        self.assertEqual(p.set_link(0x10)[2], 1)

    def link_seen(self, p):
        p.r(R.PORT_ST)
        p.rmw(R.MAC_RX_FLOW_CTRL, 1, 0)
        p.rmw(R.RDB_RFCC, 8, 0)
        p.ws([(R.RFCL(0), 0), (R.RFCH(0), p.r(R.RDB_PB_SZ(0)) - 24576),
              (R.RFCV(0), 0xFFFFFFFF), (R.RDB_RFCRT, 0x7FFF)])
        for i in p.rx:
            p.rmw(R.RR(i, "CFG"), 0, R.RR_DROP_EN)
        p.link_up_seen()
        p.w(R.TSC_INC, 0x02A00000)

    def down(self, p):
        """01 section 5."""
        p.w(R.TSC_AUX, 0)
        p.r(R.TSC_STMPH)
        p.pci.command(2)
        self.q.wait(lambda: p.r(R.TRANS_PENDING) == 0, 80)
        p.rmw(R.RDB_PB_CTL, R.RXEN, 0)
        p.rmw(R.MAC_RX_CFG, 1, 0)
        for i in p.rx:
            p.rmw(R.RR(i, "CFG"), 1, 0)
            self.assertEqual(p.r(R.RR(i, "CFG")) & 1, 0)
        p.ws([(R.MISC_IEN, 0), (R.IMS(0), 0xFFFFFFFF), (R.IMS(1), 0xFFFFFFFF)])
        p.rmw(R.MIS_PRB_CTL, 1 << 1 - p.lan, 0)
        p.rmw(R.MAC_TX_CFG, 1, 0)
        p.ws((R.TR(i, "CFG"), R.TR_SWFLSH) for i in p.tx)
        p.rmw(R.TDM_CTL, 1, 0)
        p.lan_reset()
        p.start_hw()
        p.write_rar(0, p.mac)
        p.rmw(R.MAC_TX_CFG, 1, 0)
        p.rmw(R.MAC_RX_CFG, 1, 0)
        p.laser(False)
        p.rmw(R.PORT_CTL, R.bit(3), 0)

    def traffic(self, p0, p1):
        for a, b in ((p0, p1), (p1, p0)):
            frames = [F.eth(b.mac, a.mac, F.ETH_IP4, F.ipv4(
                F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 17,
                F.udp(F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 9, 9, F.pattern(200, n))))
                for n in range(20)]
            for f in frames:
                a.tx[0].send(f)
            got = []

            def look(b=b, got=got):
                for i in b.rx:
                    got += [d for _, d in b.rx[i].collect()]
                return len(got) >= 20
            self.q.wait(look, 50)
            self.assertEqual(sorted(got), sorted(frames))
            self.q.wait(lambda a=a: a.tx[0].head() == a.tx[0].wp, 10)
            seed = F.udp(F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 9, 9, F.pattern(100),
                         check=F.pseudo(F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 17, 108))
            a.tx[1].send(F.eth(b.mac, a.mac, F.ETH_IP4, F.ipv4(
                F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 17, seed)), status=D.ST_L4CS,
                ctx=D.tx_ctx(14, 20, ptype=0x23, l4len=8))
            got.clear()
            self.q.wait(lambda: look() or got, 50)
            self.stats(a)

    def stats(self, p):
        p.rs([R.RDM_PKT, R.RDM_BYTE_L, R.RDM_BYTE_H, R.RDM_DRP, R.RDM_BMC2OS, R.TDM_PKT,
              R.TDM_BYTE_L, R.TDM_BYTE_H, R.TDM_OS2BMC, R.MNG_BMC2OS, R.MNG_OS2BMC])
        for off in (R.RX_FRAMES, R.TX_FRAMES, R.RX_CRC, R.RX_LEN, R.RX_BC, R.TX_BC,
                    R.RX_MC, R.TX_MC):
            p.rs([off, off + 4])
        p.rs([R.RX_UNDER, R.RX_OVER, R.LXONRXC, R.LXONTXC, R.LXOFFTXC, R.FDIR_MATCH,
              R.FDIR_MISS])
        p.rs(R.RR(i, "MPRC") for i in range(128))

    def test_two_rounds(self):
        p0, p1 = self.card(attach=False)
        self.probe(p0)
        self.probe(p1)
        for _ in range(2):
            self.open(p0)
            self.open(p1)
            self.wait_link(p0, p1)
            self.link_seen(p0)
            self.link_seen(p1)
            self.traffic(p0, p1)
            self.down(p0)
            self.down(p1)
        self.assertEqual(self.m.violations(), [])

    def test_aml40(self):
        p0, p1 = self.card(attach=False, typ="ff5040")
        for p in (p0, p1):
            self.probe(p)
            p.configure()
            p.irq_setup(1)
            p.rx_enable()
            p.laser(True)
            p.set_link(0x20)
        self.wait_link(p0, p1)
        for p in (p0, p1):
            p.link_up_seen()
        self.assertEqual(p0.r(R.PORT_ST) & 0x1F, 5)
        self.assertEqual(self.m.violations(), [])

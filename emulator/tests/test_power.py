# SPDX-License-Identifier: GPL-2.0-only
"""Power states, wake-up, AER, VPD-like contents (00 section 3, 06 section 7)."""

import struct

import frames as F
import regs as R
from base import Base
from qtest import CAP_PCIE, CAP_PM, EXT_AER, PciFn

WKUP_CTL, WKUP_IPV = 0x15B80, 0x15B84
MAGIC, UCAST, MCAST, BCAST, ARP, IP4, IP6 = (R.bit(i) for i in range(1, 8))
PME_EN, PME_STATUS = R.bit(8), R.bit(15)


class Wake(Base):

    def ready(self, ctl=MAGIC, sleep=True, rx=True):
        """p0 sends, p1 sleeps with bus mastering off, as a driver leaves it."""
        p0, p1 = self.pair()
        p1.w(WKUP_CTL, ctl)
        if not rx:
            p1.rmw(R.MAC_RX_CFG, 1, 0)
        p1.pci.command(2)
        self.tx = p0.tx_ring()
        self.pm = p1.pci.cap(CAP_PM) + 4
        if sleep:
            self.sleep(p1)
        return p0, p1

    def sleep(self, p, pme=PME_EN):
        p.pci.write(self.pm, 2, pme | PME_STATUS | 3)
        self.assertEqual(p.pci.read(self.pm, 2) & 3, 3)

    def magic(self, mac, dst=F.BCAST, etype=0x0842, lead=0):
        return F.eth(dst, self.p0.mac, etype, bytes(range(1, lead + 1)) + b"\xff" * 6 + mac * 16)

    def woke(self, p):
        self.q.settle()
        c = p.counters()
        return c["wake"], c["pme"], bool(p.pci.read(self.pm, 2) & PME_STATUS)

    def test_magic(self):
        p0, p1 = self.ready()
        self.assertEqual(self.woke(p1), (0, 0, False))
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1), (1, 1, True))
        p1.pci.write(self.pm, 2, PME_STATUS | PME_EN | 3)
        self.assertEqual(self.woke(p1), (1, 1, False), "write 1 clears")

    def test_magic_anywhere_in_any_type(self):
        p0, p1 = self.ready()
        self.tx.send(self.magic(p1.mac, etype=0x88B5, lead=37))
        self.assertEqual(self.woke(p1)[0], 1)
        s, d = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")
        body = F.udp(s, d, 9, 9, b"\xff" * 7 + p1.mac * 16)
        self.tx.send(F.eth(p1.mac, p0.mac, F.ETH_IP4, F.ipv4(s, d, 17, body)))
        self.assertEqual(self.woke(p1)[0], 2)

    def test_not_magic(self):
        p0, p1 = self.ready()
        other = bytes([p1.mac[0], *p1.mac[1:5], p1.mac[5] ^ 1])
        for f in (self.magic(other), self.magic(p1.mac)[:-1],
                  F.eth(F.BCAST, p0.mac, 0x0842, b"\xff" * 5 + b"\0" + p1.mac * 16),
                  F.eth(F.BCAST, p0.mac, 0x0842, b"\xff" * 6 + p1.mac * 15 + bytes(6)),
                  self.udp4()):
            self.tx.send(f)
        self.assertEqual(self.woke(p1), (0, 0, False))

    def test_off_by_default(self):
        p0, p1 = self.ready(ctl=0)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1), (0, 0, False))

    def test_receiver_off(self):
        p0, p1 = self.ready(rx=False)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1), (0, 0, False))

    def long_magic(self, mac, length):
        f = self.magic(mac, etype=0x88B5)
        return f + bytes(length - len(f))

    def test_longer_than_the_largest_frame(self):
        p0, p1 = self.ready(sleep=False)
        for max_sz, fits in ((1522, 1518), (9000, 8996), (0, 1514)):
            p1.w(R.PSR_MAX_SZ, max_sz)
            before = self.woke(p1)[0]
            self.tx.send(self.long_magic(p1.mac, fits + 1))
            self.assertEqual(self.woke(p1)[0], before, max_sz)
            self.tx.send(self.long_magic(p1.mac, fits))
            self.assertEqual(self.woke(p1)[0], before + 1, max_sz)

    def test_without_packet_buffer(self):
        p0, p1 = self.ready(sleep=False)
        p1.w(R.RDB_PB_SZ(0), 0)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1)[0], 0)
        p1.w(R.RDB_PB_SZ(0), 1 << 10)
        self.sleep(p1)
        self.tx.send(self.long_magic(p1.mac, 1025))
        self.assertEqual(self.woke(p1), (0, 0, False))
        self.tx.send(self.long_magic(p1.mac, 1024))
        self.assertEqual(self.woke(p1), (1, 1, True))

    def test_pme_disabled(self):
        p0, p1 = self.ready(sleep=False)
        self.sleep(p1, 0)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1), (1, 0, True), "status only")

    def test_awake(self):
        p0, p1 = self.ready(sleep=False)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1), (1, 0, False), "counted, nobody to wake")

    def test_current_address(self):
        p0, p1 = self.ready(sleep=False)
        mine = F.mac("02:aa:bb:cc:dd:ee")
        p1.write_rar(0, mine)
        self.sleep(p1)
        self.tx.send(self.magic(p1.mac))
        self.assertEqual(self.woke(p1)[0], 0)
        self.tx.send(self.magic(mine))
        self.assertEqual(self.woke(p1)[0], 1)

    def test_other_filters(self):
        p0, p1 = self.ready(ctl=0, sleep=False)
        mc = F.mac("01:00:5e:00:00:fb")
        arp = F.eth(F.BCAST, p0.mac, 0x0806, struct.pack(">HHBBH", 1, 0x800, 6, 4, 1)
                    + p0.mac + F.ip4("10.0.0.1") + bytes(6) + F.ip4("10.0.0.2"))
        cases = [(UCAST, self.udp4(), self.udp4(dst=mc)), (MCAST, self.udp4(dst=mc), self.udp4()),
                 (BCAST, self.udp4(dst=F.BCAST), self.udp4(dst=mc)),
                 (IP4, self.udp4(), self.udp4(dip="10.0.0.9")),
                 (ARP, arp, self.udp4(dst=F.BCAST))]
        p1.ws([(WKUP_IPV, 1), (0x15BC0, 0x0A000002)])
        want = 0
        for bit, hit, miss in cases:
            p1.w(WKUP_CTL, bit)
            self.tx.send(miss)
            self.assertEqual(self.woke(p1)[0], want, hex(bit))
            self.tx.send(hit)
            want += 1
            self.assertEqual(self.woke(p1)[0], want, hex(bit))

    def test_link_change(self):
        p0, p1 = self.ready(ctl=1)
        p0.set("cable", False)
        self.assertEqual(self.woke(p1)[1:], (1, True))

    def test_root_port_is_told(self):
        p0, p1 = self.ready()
        rp = PciFn(self.q, 0, 4, 0)
        cap = rp.cap(CAP_PCIE)
        rp.write(cap + 0x1C, 2, 8)
        self.assertEqual(rp.read(cap + 0x1C, 2) & 8, 8, "PME interrupt enable")
        self.tx.send(self.magic(p1.mac))
        self.q.settle()
        sta = rp.read(cap + 0x20)
        self.assertTrue(sta & R.bit(16))
        self.assertEqual(sta & 0xFFFF, 1 << 8 | 1, "bus 1, function 1")
        rp.write(cap + 0x20, 4, R.bit(16))
        self.assertFalse(rp.read(cap + 0x20) & R.bit(16))


class States(Base):

    def test_d3_loses_registers(self):
        """No_Soft_Reset is 0: back in D0 everything is as after a LAN reset."""
        p0, p1 = self.pair()
        p1.rx_ring()
        pm = p1.pci.cap(CAP_PM) + 4
        self.assertEqual(p1.pci.read(pm, 2) & 8, 0)
        p1.w(R.PSR_MAX_SZ, 9000)
        p1.pci.command(2)
        p1.pci.write(pm, 2, 3)
        p1.pci.write(pm, 2, 0)
        self.assertEqual(p1.pci.read(4, 2) & 7, 0, "command register")
        self.assertEqual(p1.pci.read(0x10) & ~0xF, 0, "BAR")
        p1.attach()
        self.assertEqual(p1.rs([R.RR(0, "CFG"), R.RDB_PB_CTL, R.GPIE, R.MISC_IEN]), [0] * 4)
        self.assertEqual(p1.r(R.PSR_MAX_SZ), 0)
        self.assertTrue(p0.link(), "the cable is still lit")

    def test_no_dma_while_asleep(self):
        p0, p1 = self.pair()
        p1.promisc()
        rx, tx = p1.rx_ring(), p0.tx_ring()
        pm = p1.pci.cap(CAP_PM) + 4
        p1.pci.write(pm, 2, 3)
        tx.send(self.udp4())
        self.q.step_ms(1)
        self.assertEqual(rx.collect(), [])
        self.assertEqual(p1.counters()["rx_drop_gate"], 1)

    def test_pme_survives_the_way_back(self):
        p = self.solo()
        pm = p.pci.cap(CAP_PM) + 4
        p.pci.write(pm, 2, PME_EN | 3)
        p.pci.write(pm, 2, PME_EN)
        self.assertTrue(p.pci.read(pm, 2) & PME_EN)


class Errors(Base):
    """AER: what pcie_aer_inject_error does must reach the root port."""

    def inject(self, name, extra=""):
        self.q.qmp("human-monitor-command",
                   **{"command-line": f"pcie_aer_inject_error {extra}{name}"})

    def ready(self):
        self.card()
        self.rp = PciFn(self.q, 0, 4, 0)
        self.raer = self.rp.ext_cap(EXT_AER)
        self.assertTrue(self.raer)
        self.rp.write(self.raer + 0x2C, 4, 7)         # report all three kinds
        for p in (self.p0, self.p1):
            cap = p.pci.cap(CAP_PCIE)
            p.pci.write(cap + 8, 2, p.pci.read(cap + 8, 2) | 0xF)
        cap = self.rp.cap(CAP_PCIE)
        self.rp.write(cap + 8, 2, self.rp.read(cap + 8, 2) | 0xF)
        self.rp.write(cap + 0x1C, 2, 7)
        self.rp.write(4, 2, 0x106)                    # SERR# goes through
        self.rp.write(0x3E, 2, self.rp.read(0x3E, 2) | 2)

    def look(self, p):
        aer = p.pci.ext_cap(EXT_AER)
        return p.pci.read(aer + 4), p.pci.read(aer + 0x10), self.rp.read(self.raer + 0x30)

    def test_correctable(self):
        self.ready()
        aer = self.p1.pci.ext_cap(EXT_AER)
        self.p1.pci.write(aer + 0x14, 4, 0)           # nothing masked
        self.inject("BAD_TLP", "p1 ")
        unc, cor, root = self.look(self.p1)
        self.assertEqual((unc, cor), (0, R.bit(6)))
        self.assertTrue(root & 1)
        self.assertEqual(self.rp.read(self.raer + 0x34) & 0xFFFF, 1 << 8 | 1, "source id")
        self.assertEqual(self.look(self.p0)[:2], (0, 0), "the other port has none")

    def test_nonfatal(self):
        self.ready()
        self.inject("COMP_TIME", "p0 ")
        unc, cor, root = self.look(self.p0)
        self.assertEqual(unc, R.bit(14))
        self.assertEqual(root & 0x64, 0x24, "uncorrectable, non-fatal")

    def test_fatal(self):
        self.ready()
        self.inject("DLP", "p0 ")
        unc, _, root = self.look(self.p0)
        self.assertEqual(unc, R.bit(4))
        self.assertEqual(root & 0x44, 0x44)
        self.p0.pci.write(self.p0.pci.ext_cap(EXT_AER) + 4, 4, unc)
        self.assertEqual(self.look(self.p0)[0], 0)

    def test_link_reset_after_it(self):
        """A secondary bus reset brings both functions back working."""
        self.ready()
        self.inject("DLP", "p0 ")
        ctl = self.rp.read(0x3E, 2)
        self.rp.write(0x3E, 2, ctl | 0x40)
        self.q.step_ms(2)
        self.rp.write(0x3E, 2, ctl)
        self.q.step_ms(100)
        for p in (self.p0, self.p1):
            self.assertEqual(p.pci.read(0), 0x50258088)
            p.attach()
            self.assertEqual(p.r(R.MIS_ST) & 1, 1)
            self.assertIsNotNone(p.fw(bytes([0xC0, 12]) + bytes(14)), "the mailbox works")
            p.w(R.RAR_IDX, 0)
            self.assertTrue(any(p.read_rar()))

    def test_masked(self):
        self.ready()
        aer = self.p0.pci.ext_cap(EXT_AER)
        self.p0.pci.write(aer + 8, 4, 0xFFFFFFFF)
        self.inject("COMP_TIME", "p0 ")
        self.assertEqual(self.rp.read(self.raer + 0x30), 0)


class Stored(Base):
    """EEPROM and flash as a whole."""

    def words(self, p):
        raw = b"".join(p.eeprom(a, min(244, 4096 - a)) for a in range(0, 4096, 244))
        return struct.unpack("<2048H", raw)

    def spi(self, p, addr):
        p.w(R.SPI_CMD, 1 << 28 | 3 << 25 | addr)
        self.assertTrue(p.r(R.SPI_STATUS) & 1)
        return struct.pack("<I", p.r(R.SPI_DATA))

    def test_sum(self):
        w = self.words(self.solo())
        self.assertEqual(w[0x1C], 0x100)
        self.assertEqual((0xBABA - sum(x for i, x in enumerate(w) if i != 0xAF)) & 0xFFFF, w[0xAF])

    def test_flash_begins_with_it(self):
        p = self.solo()
        w = self.words(p)
        raw = struct.pack("<2048H", *w)
        for a in (0, 0x38, 0x15C, 0x500, 0xFFC):
            self.assertEqual(self.spi(p, a), raw[a:a + 4], hex(a))
        self.assertEqual(self.spi(p, 0x2000), b"\xff" * 4)

    def test_vpd(self):
        p = self.solo(mac="02:11:22:33:44:55")
        raw = struct.pack("<2048H", *self.words(p))[0x500:0x600]
        self.assertEqual(raw[0], 0x82)
        n = struct.unpack_from("<H", raw, 1)[0]
        self.assertTrue(raw[3:3 + n].decode().isprintable())
        ro = 3 + n
        self.assertEqual(raw[ro], 0x90)
        m = struct.unpack_from("<H", raw, ro + 1)[0]
        body, at, keys = raw[ro + 3:ro + 3 + m], 0, {}
        while at < m:
            keys[body[at:at + 2]] = body[at + 3:at + 3 + body[at + 2]]
            at += 3 + body[at + 2]
        self.assertEqual(at, m)
        self.assertIn(b"PN", keys)
        self.assertIn(b"021122334455", keys[b"SN"])
        end = ro + 3 + m
        self.assertEqual(sum(raw[:end]) & 0xFF, 0, "RV makes the sum 0")
        self.assertEqual(raw[end], 0x78)

    def test_serial(self):
        p = self.solo(serial=0x0123456789ABCDEF)
        raw = b"".join(self.spi(p, 0xF0000 + i) for i in range(0, 96, 4))
        self.assertEqual(raw.rstrip(b"\0"), b"EMU0123456789ABCDEF")

    def test_caps(self):
        for props, want in (({}, 1), ({"subsystem-id": 0x4000}, 5), ({"eeprom-caps": 8}, 8)):
            with self.subTest(str(props)):
                w = self.words(self.solo(**props))
                self.assertEqual(w[0x9C], want)
                self.finish()

    def write(self, p, word, val):
        req = bytes([0x33, 0, 10, 0]) + struct.pack(">IH", 2 * word, 2) + bytes(2) \
            + struct.pack("<H", val) + bytes(2)
        self.assertEqual(p.fw(req)[2], 1)

    def test_written_words_last_only_if_dumped(self):
        p = self.solo()
        self.write(p, 0x200, 0x1234)
        self.assertEqual(self.words(p)[0x200], 0x1234)
        p.w(R.MIS_RST, R.RST_SW)
        self.assertEqual(self.words(p)[0x200], 0, "it was the RAM copy")
        self.write(p, 0x200, 0x1234)
        self.assertEqual(p.fw(bytes([0x36, 0, 0, 0xFF]))[2], 1)
        p.w(R.MIS_RST, R.RST_SW)
        self.assertEqual(self.words(p)[0x200], 0x1234)

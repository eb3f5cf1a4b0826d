# SPDX-License-Identifier: GPL-2.0-only
"""PCI side: ids, BARs, capabilities, FLR, power states (00 sections 1-3)."""

import unittest

import regs as R
from base import Base
from qtest import CAP_MSI, CAP_MSIX, CAP_PCIE, CAP_PM, EXT_AER, EXT_DSN


class Config(Base):

    def test_ids(self):
        for typ, dev in (("ff5025", 0x5025), ("ff5040", 0x5040), ("ff5010", 0x5010)):
            with self.subTest(typ):
                p = self.solo(attach=False, type=typ)
                self.assertEqual(p.pci.read(0), dev << 16 | 0x8088)
                self.assertEqual(p.pci.read(8) >> 16, 0x0200)     # Ethernet
                self.assertEqual(p.pci.read(0x2C), 0x8088)        # sub device 0
                self.finish()

    def test_id_properties(self):
        p = self.solo(attach=False, **{"device-id": 0x5125, "subsystem-id": 0x8012,
                                       "subsystem-vendor-id": 0x1BD4, "revision": 3})
        self.assertEqual(p.pci.read(0), 0x51258088)
        self.assertEqual(p.pci.read(8, 1), 3)
        self.assertEqual(p.pci.read(0x2C), 0x80121BD4)

    def test_bars(self):
        p = self.solo(attach=False)
        bars = p.pci.probe_bars()
        size, is64, _, is_io = bars[0]
        self.assertTrue(is64 and not is_io)
        self.assertGreaterEqual(size, 0x20000)
        self.assertIn(4, bars)
        self.assertFalse(any(b[3] for b in bars.values()), "no I/O BAR is used")

    def test_msix(self):
        p = self.solo()
        cap = p.pci.cap(CAP_MSIX)
        self.assertTrue(cap)
        self.assertEqual(p.pci.read(cap + 2, 2) & 0x7FF, 63)      # N - 1
        table, pba = p.pci.read(cap + 4), p.pci.read(cap + 8)
        self.assertEqual(table & 7, 4)
        self.assertEqual(pba & 7, 4)
        lo, hi = table & ~7, pba & ~7
        self.assertTrue(lo + 64 * 16 <= hi or hi + 8 <= lo, "table and PBA overlap")
        self.assertLessEqual(max(lo + 64 * 16, hi + 8), p.pci.bar_info[4][0])

    def test_msix_count_property(self):
        p = self.solo(**{"msix-vectors": 2})
        self.assertEqual(p.pci.read(p.pci.cap(CAP_MSIX) + 2, 2) & 0x7FF, 1)

    def test_no_msix(self):
        p = self.solo(**{"msix-vectors": 0})
        self.assertEqual(p.pci.cap(CAP_MSIX), 0)
        self.assertTrue(p.pci.cap(CAP_MSI))

    def test_no_msi(self):
        p = self.solo(**{"msix-vectors": 0, "msi": "off"})
        self.assertEqual(p.pci.cap(CAP_MSIX), 0)
        self.assertEqual(p.pci.cap(CAP_MSI), 0)
        self.assertIn(p.pci.read(0x3D, 1), (1, 2, 3, 4))

    def test_express(self):
        p = self.solo()
        cap = p.pci.cap(CAP_PCIE)
        # Words 0xAA, 0xB2, 0xC8 are read by absolute offset in the field.
        self.assertEqual(cap, 0xA0)
        self.assertEqual(p.pci.read(cap + 2, 2) & 0xF, 2)          # version 2
        self.assertEqual(p.pci.read(cap + 2, 2) >> 4 & 0xF, 0)     # endpoint
        self.assertTrue(p.pci.read(cap + 4) & R.bit(28), "FLR capable")
        lnkcap, lnksta = p.pci.read(cap + 0xC), p.pci.read(cap + 0x12, 2)
        self.assertGreaterEqual(lnkcap & 0xF, lnksta & 0xF)
        self.assertNotEqual(lnksta >> 4 & 0x3F, 0)

    def test_extended(self):
        p = self.solo(serial=0x0123456789ABCDEF)
        self.assertTrue(p.pci.ext_cap(EXT_AER))
        dsn = p.pci.ext_cap(EXT_DSN)
        self.assertTrue(dsn)
        self.assertEqual(p.pci.read(dsn + 4), 0x89ABCDEF)
        self.assertEqual(p.pci.read(dsn + 8), 0x01234567)

    def test_aer_masks_are_writable(self):
        p = self.solo()
        aer = p.pci.ext_cap(EXT_AER)
        old = p.pci.read(aer + 8)
        p.pci.write(aer + 8, 4, old ^ R.bit(14))                   # completion timeout
        self.assertEqual(p.pci.read(aer + 8), old ^ R.bit(14))

    def test_power_states(self):
        p = self.solo()
        pm = p.pci.cap(CAP_PM)
        self.assertTrue(pm)
        p.pci.write(pm + 4, 2, 3)
        self.assertEqual(p.pci.read(pm + 4, 2) & 3, 3)
        p.pci.write(pm + 4, 2, 0)
        self.assertEqual(p.pci.read(pm + 4, 2) & 3, 0)
        p.map = p.pci.map_bars()
        p.pci.command(6)
        self.assertEqual(p.r(R.MIS_ST) & 1, 1)

    def test_vpd(self):
        """The capability reads flash 0x500-0x5FF (00 section 3)."""
        p = self.solo()
        cap = p.pci.cap(0x03)
        self.assertTrue(cap)

        def word(a):
            p.pci.write(cap + 2, 2, a)
            self.assertEqual(p.pci.read(cap + 2, 2), a | 0x8000, "done")
            return p.pci.read(cap + 4)
        raw = b"".join(word(a).to_bytes(4, "little") for a in range(0, 256, 4))
        self.assertEqual(raw[0], 0x82)
        self.assertIn(b"Emulated", raw)
        p.w(R.SPI_CMD, 1 << 28 | 0x500)
        self.assertEqual(p.r(R.SPI_DATA), int.from_bytes(raw[:4], "little"))
        self.assertEqual(word(0x100), 0xFFFFFFFF)
        p.pci.write(cap + 4, 4, 0x12345678)
        p.pci.write(cap + 2, 2, 0x8000)
        self.assertEqual(p.pci.read(cap + 2, 2), 0, "a write is over as well")
        self.assertEqual(word(0).to_bytes(4, "little"), raw[:4], "and did nothing")

    def test_two_functions(self):
        p0, p1 = self.card()
        self.assertEqual(p0.pci.read(0), p1.pci.read(0))
        self.assertTrue(p0.pci.read(0xE, 1) & 0x80, "multi-function bit")
        self.assertEqual(p0.r(R.PORT_ST) >> 8 & 3, 0)
        self.assertEqual(p1.r(R.PORT_ST) >> 8 & 3, 1)

    def test_memory_enable(self):
        p = self.solo()
        self.assertEqual(p.r(R.MIS_ST) & 1, 1)
        p.pci.command(0)
        self.assertNotEqual(p.r(R.MIS_ST), 1)
        p.pci.command(2)
        self.assertEqual(p.r(R.MIS_ST) & 1, 1)


    def test_read_request(self):
        p = self.solo()
        devctl = p.pci.cap(CAP_PCIE) + 8
        self.assertEqual(p.pci.read(devctl, 2) & 0x7000, 0x2000, "512 bytes after reset")
        for code in (0, 5, 1):
            p.pci.write(devctl, 2, code << 12)
            self.assertEqual(p.pci.read(devctl, 2) >> 12 & 7, code)
        p.pci.write(devctl, 2, R.bit(15) | 1 << 12)
        self.q.step_ms(100)
        self.assertEqual(p.pci.read(devctl, 2) & 0x7000, 0x2000, "512 bytes after FLR")


class FunctionReset(Base):

    def flr(self, p):
        p.pci.write(p.pci.cap(CAP_PCIE) + 8, 2, R.bit(15))
        self.q.step_ms(100)

    def test_registers_return_to_reset(self):
        p = self.solo()
        p.configure()
        p.irq_setup(4)
        p.tx_ring(3)
        p.rx_ring(5)
        self.flr(p)
        self.assertEqual(p.pci.read(4, 2) & 7, 0, "command register cleared")
        self.assertEqual(p.pci.read(0x10) & ~0xF, 0, "BAR cleared")
        self.assertFalse(p.pci.read(p.pci.cap(CAP_MSIX) + 2, 2) & 0x8000)
        p.attach()
        for off in (R.TR(3, "CFG"), R.RR(5, "CFG"), R.GPIE, R.MISC_IEN, R.IVAR(0),
                    R.PSR_CTL, R.TDM_CTL, R.PF_BME, R.MISC_IVAR):
            self.assertEqual(p.r(off), 0, hex(off))
        self.assertEqual(p.r(R.IMS(0)), 0xFFFFFFFF)

    def test_mac_comes_back(self):
        p = self.solo(mac="02:11:22:33:44:55")
        self.flr(p)
        p.attach()
        p.w(R.RAR_IDX, 0)
        self.assertEqual(p.read_rar().hex(), "021122334455")

    def test_other_port_goes_on(self):
        p0, p1 = self.pair()
        tx, rx = p1.tx_ring(), p0.rx_ring()
        p0.promisc()
        self.flr(p0)
        self.assertEqual(p1.r(R.TR(0, "CFG")) & 1, 1)
        self.assertEqual(p1.r(R.TDM_CTL) & 1, 1)
        self.assertEqual(p1.pci.read(4, 2) & 6, 6)
        del tx, rx


if __name__ == "__main__":
    unittest.main()

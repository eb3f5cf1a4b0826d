# SPDX-License-Identifier: GPL-2.0-only
"""Modules: identification, EEPROM content, presence pin (02, 04)."""

import regs as R
from base import Base

# module: (type of port, modes by the rules of 04 section 5, autoneg)
SFP = {
    "sfp28-sr": ({"25G-SR"}, False),
    "sfp28-lr": ({"25G-SR"}, False),            # one name for SR, LR and ER
    "sfp28-dac": ({"25G-CR", "10G-CR"}, True),
    "sfp28-aoc": ({"25G-CR"}, True),
    "sfp-sr": ({"10G-SR"}, False),
    "sfp-lr": ({"10G-LR"}, False),
    "sfp-dac": ({"10G-CR"}, True),
}
QSFP = {
    "qsfp-sr4": ({"40G-SR4"}, False),
    "qsfp-lr4": ({"40G-LR4"}, False),
    "qsfp-cr4": ({"40G-CR4", "10G-CR"}, True),
}


def classify(ans):
    """The mode set and autoneg flag a driver derives from a 0xC5 answer."""
    ident, com10, com25, tech = ans[4], ans[6], ans[7], ans[9]
    typ, opt1 = ans[13], ans[14]
    if ident == 3:
        if tech & 4:
            if com25 in (0x0B, 0x0C, 0x0D):
                return {"25G-CR", "10G-CR"}, True
            return {"10G-CR"}, True
        if tech & 8:
            return {"25G-CR"}, True
        modes = set()
        if com25 in (2, 3, 4):
            modes.add("25G-SR")
        elif com10 & 0x10:
            modes.add("10G-SR")
        elif com10 & 0x20:
            modes.add("10G-LR")
        return modes, False
    if ident in (0x0C, 0x0D, 0x11):
        modes, an = set(), False
        if typ & 8:
            modes |= {"40G-CR4", "10G-CR"}
            an = True
        if typ & 4:
            modes.add("40G-SR4")
        if typ & 2:
            modes.add("40G-LR4")
        if typ & 1:
            modes.add("40G-CR4")
            an = True
        if typ & 0x80 and opt1 & 0x0B:
            modes |= {"40G-CR4", "25G-CR", "10G-CR"}
            an = True
        return modes, an
    return None, False


def read_all(p, i2c=0x50, page=0):
    """256 bytes as ethtool gets them: lower half, then the upper page."""
    res = b""
    for off in (0, 128):
        status, data = p.module_read(off, 128, page, i2c)
        assert status == 1, (i2c, page, off, status)
        res += data
    return res


def text(raw):
    return raw.decode("ascii").rstrip()


class Identify(Base):

    def test_sfp(self):
        for name, want in SFP.items():
            with self.subTest(name):
                p = self.solo(module=name)
                ans = p.module_info()
                self.assertEqual(ans[:3], bytes([0xC5, 16, 1]))
                self.assertEqual(ans[4], 3)
                self.assertEqual(classify(ans), want)
                self.finish()

    def test_qsfp(self):
        for name, want in QSFP.items():
            with self.subTest(name):
                p = self.solo(type="ff5040", module=name)
                ans = p.module_info()
                self.assertIn(ans[4], (0x0C, 0x0D, 0x11))
                self.assertEqual(classify(ans), want)
                self.finish()

    def test_recorded_words(self):
        """19 section 2 step 14."""
        ans = self.solo(module="sfp28-sr").module_info()
        self.assertEqual(ans[4:8].hex(), "03001002")
        self.finish()
        ans = self.solo(type="ff5040", module="qsfp-sr4").module_info()
        self.assertEqual(ans[4:8].hex(), "0d000000")
        self.assertEqual(ans[13], 4)

    def test_junk(self):
        p = self.solo(module="junk")
        modes, _ = classify(p.module_info())
        self.assertFalse(modes, "no usable mode")
        self.assertEqual(p.r(R.GPIO_EXT) & 4, 0, "but it is plugged in")

    def test_absent(self):
        p = self.solo(module="none")
        self.assertTrue(p.r(R.GPIO_EXT) & 4)
        ans = p.module_info()
        self.assertIsNotNone(ans, "firmware answers all the same")
        self.assertNotEqual(ans[2], 1)
        status, _ = p.module_read(0, 128)
        self.assertIsNotNone(status)
        self.assertNotEqual(status, 1)

    def test_runtime_change(self):
        p = self.solo(module="sfp28-sr")
        p.set("module", "sfp-lr")
        self.assertEqual(classify(p.module_info()), SFP["sfp-lr"])
        self.assertEqual(p.get("module"), "sfp-lr")
        with self.assertRaises(RuntimeError):
            p.set("module", "no-such-module")


class Content(Base):

    def test_sfp(self):
        for name in SFP:
            with self.subTest(name):
                p = self.solo(module=name)
                a0 = read_all(p)
                self.assertEqual(a0[63], sum(a0[0:63]) & 0xFF, "CC_BASE")
                self.assertEqual(a0[95], sum(a0[64:95]) & 0xFF, "CC_EXT")
                for lo, hi in ((20, 36), (40, 56), (68, 84)):
                    self.assertTrue(text(a0[lo:hi]).isprintable())
                self.assertTrue(text(a0[20:36]) and text(a0[40:56]), "vendor, part")
                self.assertTrue(a0[84:92].strip().isdigit(), "date code")
                info = p.module_info()
                self.assertEqual(info[4], a0[0])
                self.assertEqual(info[5], a0[6])
                self.assertEqual(info[6], a0[3])
                self.assertEqual(info[7], a0[0x24])
                self.assertEqual(info[9], a0[8])
                self.assertEqual(info[10:13], a0[0x25:0x28])
                if a0[92] & 0x40:
                    a2 = read_all(p, 0x51)
                    self.assertEqual(a2[95], sum(a2[0:95]) & 0xFF, "CC_DMI")
                    temp = int.from_bytes(a2[96:98], "big", signed=True) / 256
                    self.assertTrue(0 < temp < 85, temp)
                    vcc = int.from_bytes(a2[98:100], "big") / 10000
                    self.assertTrue(3.0 < vcc < 3.6, vcc)
                self.finish()

    def test_qsfp(self):
        for name in QSFP:
            with self.subTest(name):
                p = self.solo(type="ff5040", module=name)
                a0 = read_all(p)
                self.assertEqual(a0[0], a0[128])
                self.assertEqual(a0[191], sum(a0[128:191]) & 0xFF, "CC_BASE")
                self.assertEqual(a0[223], sum(a0[192:223]) & 0xFF, "CC_EXT")
                self.assertTrue(text(a0[148:164]) and text(a0[168:184]))
                info = p.module_info()
                self.assertEqual(info[4], a0[0])
                self.assertEqual(info[13], a0[0x83])
                self.assertEqual(info[14], a0[0xC0])
                self.finish()

    def test_optical_has_diagnostics(self):
        a0 = read_all(self.solo(module="sfp28-sr"))
        self.assertTrue(a0[92] & 0x40)

    def test_read_pieces(self):
        p = self.solo(module="sfp28-sr")
        whole = read_all(p)
        for off, n in ((0, 1), (1, 3), (20, 16), (127, 1), (128, 1), (200, 56), (255, 1),
                       (100, 28)):
            status, data = p.module_read(off, n)
            self.assertEqual(status, 1, (off, n))
            self.assertEqual(data, whole[off:off + n], (off, n))

    def test_answer_header(self):
        p = self.solo(module="sfp28-sr")
        req = bytes([0xC6, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x50, 0xEE])
        ans = p.fw(req)
        self.assertEqual((ans[0], ans[2]), (0xC6, 1))

    def test_too_long(self):
        p = self.solo(module="sfp28-sr")
        self.expect("fw-request")
        status, _ = p.module_read(0, 241)
        self.assertNotEqual(status, 1)


class Presence(Base):

    def arm(self, p, line=4):
        p.ws([(R.GPIO_INTTYPE, line), (R.GPIO_INTEN, line)])

    def test_pin(self):
        p = self.solo(module="sfp28-sr")
        self.assertEqual(p.r(R.GPIO_EXT) & 4, 0)
        p.set("module", "none")
        self.assertEqual(p.r(R.GPIO_EXT) & 4, 4)
        p.set("module", "sfp28-lr")
        self.assertEqual(p.r(R.GPIO_EXT) & 4, 0)

    def test_pin_aml40(self):
        p = self.solo(type="ff5040", module="qsfp-sr4")
        self.assertEqual(p.r(R.GPIO_EXT) & 0x10, 0)
        p.set("module", "none")
        self.assertEqual(p.r(R.GPIO_EXT) & 0x10, 0x10)

    def test_falling_edge_is_insertion(self):
        p = self.solo(module="none")
        self.arm(p)
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 0)
        p.set("module", "sfp28-sr")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 4)
        p.w(R.GPIO_EOI, 4)
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 0)
        p.set("module", "none")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 0, "removal is a rising edge")

    def test_rising_edge_is_removal(self):
        p = self.solo(module="sfp28-sr")
        self.arm(p)
        p.w(R.GPIO_POLARITY, 4)
        p.set("module", "none")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 4)
        p.w(R.GPIO_EOI, 4)
        p.set("module", "sfp28-sr")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 0)

    def test_disabled_line_is_silent(self):
        p = self.solo(module="none")
        p.w(R.GPIO_INTTYPE, 4)
        p.set("module", "sfp28-sr")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 0)

    def test_mask_and_masked_status(self):
        p = self.solo(module="none")
        self.arm(p)
        p.w(R.GPIO_INTMASK, 0xFF)
        p.set("module", "sfp28-sr")
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 4)
        self.assertEqual(p.r(R.GPIO_INTST) & 4, 0)
        self.assertEqual(p.r(R.MISC_IC) & R.MISC_GPIO, 0)
        p.w(R.GPIO_INTMASK, 0)
        self.assertEqual(p.r(R.GPIO_INTST) & 4, 4)
        self.assertEqual(p.r(R.MISC_IC) & R.MISC_GPIO, R.MISC_GPIO)

    def test_interrupt(self):
        p = self.solo(module="none")
        p.configure()
        p.irq_setup()
        self.arm(p)
        p.set("module", "sfp28-sr")
        self.q.wait(lambda: p.took(p.misc_vec), 10, what="misc message")
        self.assertTrue(self.q.read_n(4, p.isb + 4) & R.MISC_GPIO)
        p.w(R.GPIO_INTMASK, 0xFF)
        self.assertEqual(p.r(R.GPIO_RAW) & 4, 4)
        p.w(R.GPIO_EOI, 4)
        p.w(R.GPIO_INTMASK, 0)
        self.drain_irqs(p)
        self.quiet(lambda: p.took(p.misc_vec)
                   and self.q.read_n(4, p.isb + 4) & R.MISC_GPIO)

    def test_aml40_line(self):
        p = self.solo(type="ff5040", module="none")
        self.arm(p, 0x10)
        p.set("module", "qsfp-cr4")
        self.assertEqual(p.r(R.GPIO_RAW) & 0x10, 0x10)

    def test_los_and_fault_pins(self):
        p0, _ = self.pair()
        self.assertEqual(p0.r(R.GPIO_EXT) & 9, 0)
        p0.set("cable", False)
        self.q.step_ms(50)
        self.assertEqual(p0.r(R.GPIO_EXT) & 8, 8, "loss of signal")

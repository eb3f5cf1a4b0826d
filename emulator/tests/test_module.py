# SPDX-License-Identifier: GPL-2.0-only
"""Modules: identification, EEPROM content, presence pin (02, 04)."""

import regs as R
from base import Base

# module: (type of port, modes by the rules of 04 section 5, autoneg)
SFP = {
    "sfp28-sr": ({"25G-SR"}, False),
    "sfp28-lr": ({"25G-SR"}, False),            # one name for SR, LR and ER
    "sfp28-dac": ({"25G-CR", "10G-CR"}, True),
    "sfp28-er": ({"25G-SR"}, False),
    "sfp28-dac-s": ({"25G-CR", "10G-CR"}, True),
    "sfp28-dac-n": ({"25G-CR", "10G-CR"}, True),
    "sfp28-aoc": ({"25G-CR"}, True),
    "sfp-sr": ({"10G-SR"}, False),
    "sfp-lr": ({"10G-LR"}, False),
    "sfp-dac": ({"10G-CR"}, True),
}
QSFP = {
    "qsfp-sr4": ({"40G-SR4"}, False),
    "qsfp-lr4": ({"40G-LR4"}, False),
    "qsfp-cr4": ({"40G-CR4", "10G-CR"}, True),
    "qsfp-aoc": ({"40G-CR4"}, True),
    "qsfp28-cr4": ({"40G-CR4", "25G-CR", "10G-CR"}, True),
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

    def test_unsupported(self):
        """A sound module that no rule of 04 section 5 takes."""
        p = self.solo(module="sfp-1g")
        p.laser(True)
        ans = p.module_info()
        self.assertEqual((ans[2], ans[4], ans[5]), (1, 3, 1))
        self.assertEqual(classify(ans), (set(), False))
        a0 = read_all(p)
        self.assertEqual(a0[63], sum(a0[0:63]) & 0xFF)
        self.q.step_ms(500)
        self.assertFalse(p.link())
        self.assertEqual(p.r(R.GPIO_EXT) & 0xC, 0, "in its cage, with light")

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


class Pages(Base):

    def dump(self, p):
        return {k: bytes.fromhex(v) for k, v in
                (w.split(":") for w in p.get("module-dump").split())}

    def i2c(self, p, dev):
        p.ws([(0x1496C, 0), (0x14900, 0x63), (0x14904, dev), (0x1496C, 1)])

    def i2c_read(self, p, off):
        p.ws([(0x14910, off | 0x200), (0x14910, 0x300)])
        return p.r(0x14910) & 0xFF

    def i2c_write(self, p, off, val):
        p.ws([(0x14910, off), (0x14910, val | 0x200)])

    def test_sfp(self):
        p = self.solo(module="sfp28-sr")
        d = self.dump(p)
        self.assertEqual(sorted(d), ["50/00", "51/00", "51/01", "51/02", "51/03"])
        self.assertEqual(len({v[128:] for v in d.values()}), 5, "all differ")
        for page in range(4):
            self.assertEqual(read_all(p, 0x51, page), d[f"51/{page:02x}"])
        self.assertEqual(read_all(p, 0x50), d["50/00"])
        self.assertEqual(read_all(p, 0x51, 9)[128:], d["51/00"][128:], "no such page")
        self.assertEqual(read_all(p, 0x50, 3), d["50/00"], "A0h has no pages")

    def test_qsfp(self):
        p = self.solo(type="ff5040", module="qsfp-sr4")
        d = self.dump(p)
        self.assertEqual(sorted(d), ["50/00", "50/01", "50/02", "50/03"])
        self.assertEqual(len({v[128:] for v in d.values()}), 4)
        for page in range(4):
            self.assertEqual(read_all(p, 0x50, page), d[f"50/{page:02x}"])
        self.assertEqual(read_all(p, 0x50, 4)[128:], d["50/00"][128:])
        self.assertEqual(d["50/01"][128], sum(d["50/01"][129:]) & 0xFF, "CC_APPS")

    def test_flat(self):
        p = self.solo(type="ff5040", module="qsfp-cr4")
        self.assertEqual(list(self.dump(p)), ["50/00"])
        self.assertTrue(read_all(p)[2] & 4, "flat memory bit")

    def test_empty(self):
        p = self.solo(module="none")
        self.assertEqual(p.get("module-dump"), "")

    def test_controller_sees_the_same(self):
        for typ, module, dev in (("ff5040", "qsfp-sr4", 0x50), ("ff5025", "sfp28-sr", 0x51)):
            with self.subTest(module):
                p = self.solo(type=typ, module=module)
                d = self.dump(p)
                self.i2c(p, dev)
                for page in (3, 1, 0):
                    self.i2c_write(p, 0x7F, page)
                    want = d[f"{dev:02x}/{page:02x}"]
                    for off in (0, 3, 95, 127, 128, 200, 255):
                        self.assertEqual(self.i2c_read(p, off), want[off], (page, off))
                self.i2c_write(p, 0x7F, 0x40)
                self.assertEqual(self.i2c_read(p, 0x7F), 0, "falls back")
                self.assertEqual(self.i2c_read(p, 200), d[f"{dev:02x}/00"][200])
                self.finish()

    def test_devices_have_their_own_page(self):
        p = self.solo(module="sfp28-sr")
        d = self.dump(p)
        self.i2c(p, 0x51)
        self.i2c_write(p, 0x7F, 2)
        self.i2c(p, 0x50)
        self.assertEqual(self.i2c_read(p, 200), d["50/00"][200])
        self.i2c(p, 0x51)
        self.assertEqual(self.i2c_read(p, 200), d["51/02"][200])


class Diagnostics(Base):

    def temp(self, raw):
        return int.from_bytes(raw, "big", signed=True) / 256

    def test_sfp(self):
        p = self.solo(module="sfp28-sr")
        p.laser(True)
        for t, alarm, warn in ((35, 0, 0), (72, 0, 0x80), (80, 0x80, 0x80), (-2, 0, 0x40),
                               (-10, 0x40, 0x40)):
            p.set("module-temperature", t)
            a2 = read_all(p, 0x51)
            self.assertEqual(self.temp(a2[96:98]), t)
            self.assertEqual((a2[112] & 0xC0, a2[116] & 0xC0), (alarm, warn), t)

    def test_light(self):
        p0, p1 = self.pair()
        a2 = read_all(p0, 0x51)
        self.assertEqual(a2[110] & 0x86, 0)
        self.assertTrue(any(a2[102:104]) and any(a2[104:106]))
        p1.laser(False)
        a2 = read_all(p0, 0x51)
        self.assertEqual(a2[110] & 2, 2, "Rx LOS")
        self.assertEqual(a2[104:106], b"\0\0")
        self.assertEqual(a2[113] & 0x40, 0x40)
        self.assertTrue(any(a2[102:104]), "our own laser is on")
        a2 = read_all(p1, 0x51)
        self.assertEqual(a2[110] & 0x80, 0x80, "Tx disabled")
        self.assertEqual(a2[102:104], b"\0\0")

    def test_qsfp(self):
        p0, _ = self.pair("ff5040")
        low = read_all(p0)
        self.assertEqual(low[3], 0)
        self.assertTrue(all(any(low[o:o + 2]) for o in (34, 36, 38, 40)))
        p0.set("cable", False)
        p0.set("module-temperature", 90)
        low = read_all(p0)
        self.assertEqual(low[3] & 0xF, 0xF)
        self.assertEqual(low[34:42], bytes(8))
        self.assertEqual(low[6], 0xA0)
        self.assertEqual(self.temp(low[22:24]), 90)

    def test_bad_value(self):
        p = self.solo()
        with self.assertRaises(RuntimeError):
            p.set("module-temperature", 200)


class Broken(Base):

    def test_nak(self):
        p = self.solo(module="sfp28-sr")
        p.set("fault-module", "nak")
        self.assertEqual(p.module_info()[2], 2)
        self.assertEqual(p.module_info()[4:20], bytes(16))
        self.assertEqual(p.module_read(0, 128)[0], 2)
        self.assertEqual(p.r(R.GPIO_EXT) & 4, 0, "it is plugged in")
        p.set("fault-module", "none")
        self.assertEqual(p.module_info()[2], 1)

    def test_short(self):
        p = self.solo(module="sfp28-sr")
        req = bytes([0xC6, 12, 0, 0]) + bytes(7) + bytes([128, 0, 0, 0x50, 0])
        self.assertEqual(p.fw(req)[1], 12, "the length is an echo")
        p.ws((R.FW2SW + 4 * i, 0) for i in range(64))
        p.set("fault-module", "short")
        ans = p.fw(req)
        self.assertEqual((ans[1], ans[2]), (4, 1))
        self.assertEqual(ans[16:144], bytes(128))

    def test_tx_fault(self):
        p0, p1 = self.pair()
        p0.set("fault-tx-fault", True)
        self.assertEqual(p0.r(R.GPIO_EXT) & 1, 1)
        self.assertFalse(p0.link() or p1.link())
        self.assertEqual(p1.r(R.GPIO_EXT) & 8, 8, "no light there")
        self.assertEqual(read_all(p0, 0x51)[110] & 4, 4)
        p0.set("fault-tx-fault", False)
        self.wait_link(p0, p1)

    def test_swap_forgets_the_page(self):
        p = self.solo(type="ff5040", module="qsfp-sr4")
        p.ws([(0x1496C, 0), (0x14904, 0x50), (0x1496C, 1), (0x14910, 0x7F), (0x14910, 0x203)])
        p.set("module", "qsfp-lr4")
        p.ws([(0x14910, 0x27F), (0x14910, 0x300)])
        self.assertEqual(p.r(0x14910), 0)

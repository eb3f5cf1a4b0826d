# SPDX-License-Identifier: GPL-2.0-only
"""Temperature sensor (06 section 6, AML layout)."""

import regs as R
from base import Base

RAW_HI, RAW_ME, RAW_LO = 0x10300, 0x10304, 0x10308
ST_HIGH, ST_LOW = 0x1030C, 0x10314
EN_HIGH, EN_LOW = 0x10318, 0x10320
CTL1, ENA, STS = 0x10330, 0x10338, 0x1033C
ALARM, RELEASE = 0x186A0000, 0x16F60           # 100 and 90 degrees
OVERHEAT = R.bit(28)


def celsius(sts):
    return round((419400 + 2205 * ((sts & 0xFFF) * 1000 / 4094 - 500)) / 10000)


class Sensor(Base):

    def sensor(self):
        p = self.solo()
        p.w(ENA, 1)
        return p

    def test_off_at_first(self):
        p = self.solo()
        self.assertEqual(p.rs([ENA, STS]), [0, 0])
        p.w(ENA, 1)
        self.assertEqual(p.r(STS), 0x1000 | 2047)
        p.w(ENA, 0)
        self.assertEqual(p.r(STS), 0)

    def test_which_resets_switch_it_off(self):
        p = self.sensor()
        p.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p.r(STS) & 0x1000, 0x1000, "it is the card's")
        p.w(R.MIS_RST, R.RST_SW)
        self.assertEqual(p.rs([ENA, STS]), [0, 0])

    def test_loss_of_power_switches_it_off(self):
        """Power is lost when no port of the card is left."""
        p0, p1 = self.card()
        p0.w(ENA, 1)
        p0.set("fault-removed", True)
        p0.set("fault-removed", False)
        self.assertEqual(p1.rs([ENA, STS]), [1, 0x1000 | 2047])
        for p in (p0, p1):
            p.set("fault-removed", True)
        for p in (p0, p1):
            p.set("fault-removed", False)
        self.assertEqual(p1.rs([ENA, STS]), [0, 0])

    def test_default(self):
        p = self.sensor()
        self.assertEqual(p.r(STS), 0x1000 | 2047)
        self.assertEqual(p.get("temperature"), 42)

    def test_property(self):
        p = self.sensor()
        for t in (-40, -1, 0, 25, 42, 90, 100, 125):
            p.set("temperature", t)
            self.assertEqual(celsius(p.r(STS)), t)
            self.assertEqual(p.get("temperature"), t)
        for t in (-100, 1000):
            with self.assertRaises(RuntimeError):
                p.set("temperature", t)

    def test_valid_bit(self):
        p = self.sensor()
        p.set("temperature-valid", False)
        self.assertEqual(p.r(STS) & 0x1000, 0)
        p.set("temperature-valid", True)
        self.assertEqual(p.r(STS) & 0x1000, 0x1000)

    def test_one_sensor_per_card(self):
        p0, p1 = self.card()
        p0.w(ENA, 1)
        p0.set("temperature", 77)
        self.assertEqual(celsius(p1.r(STS)), 77)
        self.assertEqual(p1.get("temperature"), 77)

    def test_read_only(self):
        p = self.sensor()
        p.w(STS, 0)
        self.violation("read-only-write", "TS_STS")
        self.assertEqual(celsius(p.r(STS)), 42)

    def test_old_layout_does_no_harm(self):
        """What the in-tree driver writes there at every reset (DIFF)."""
        p = self.sensor()
        p.ws([(0x10300, 0x80000000), (0x10314, 3), (0x10304, 1), (0x1030C, 677),
              (0x10310, 614)])
        p.set("temperature", 120)
        self.q.settle()
        self.assertEqual(p.r(R.MISC_IC) & OVERHEAT, 0)
        self.assertEqual(celsius(p.r(STS)), 120)


class Alarm(Base):

    def ready(self, en=True):
        p = self.solo()
        p.ws([(RAW_HI, 2), (RAW_LO, 1), (CTL1, ALARM | RELEASE)])
        if en:
            p.ws([(EN_HIGH, 2), (EN_LOW, 1)])
        p.w(ENA, 1)
        return p

    def test_alarm_and_release(self):
        p = self.ready()
        p.set("temperature", 99)
        self.assertEqual(p.rs([RAW_HI, ST_HIGH, RAW_LO]), [0, 0, 0])
        p.set("temperature", 100)
        self.assertEqual(p.rs([RAW_HI, ST_HIGH, RAW_LO]), [2, 2, 0])
        self.assertTrue(p.r(R.MISC_IC) & OVERHEAT)
        p.w(RAW_HI, 2)
        self.assertEqual(p.rs([RAW_HI, ST_HIGH]), [0, 0], "write 1 clears")
        p.set("temperature", 95)
        self.assertEqual(p.r(RAW_LO), 0, "between the marks nothing happens")
        p.set("temperature", 110)
        self.assertEqual(p.r(RAW_HI), 0, "it was hot all the time")
        p.set("temperature", 89)
        self.assertEqual(p.rs([RAW_LO, ST_LOW]), [1, 1])
        self.assertTrue(p.r(R.MISC_IC) & OVERHEAT)
        p.set("temperature", 101)
        self.assertEqual(p.r(RAW_HI), 2, "and again")

    def test_interrupt(self):
        p = self.ready()
        p.configure()
        p.irq_setup()
        p.rmw(R.MISC_IEN, 0, OVERHEAT)
        self.drain_irqs(p)
        p.set("temperature", 105)
        self.q.wait(lambda: p.took(p.misc_vec), 10, what="misc message")
        self.assertTrue(self.q.read_n(4, p.isb + 4) & OVERHEAT)

    def test_both_ports_are_told(self):
        p0, p1 = self.card()
        p1.ws([(CTL1, ALARM | RELEASE), (EN_HIGH, 2), (ENA, 1)])
        p0.set("temperature", 105)
        for p in (p0, p1):
            self.assertTrue(p.r(R.MISC_IC) & OVERHEAT)

    def test_masked(self):
        p = self.ready(en=False)
        p.set("temperature", 105)
        self.assertEqual(p.rs([RAW_HI, ST_HIGH]), [2, 0])
        self.assertEqual(p.r(R.MISC_IC) & OVERHEAT, 0)

    def test_off(self):
        p = self.ready()
        p.w(ENA, 0)
        p.set("temperature", 105)
        self.assertEqual(p.r(RAW_HI), 0)
        p.w(ENA, 1)
        self.assertEqual(p.r(RAW_HI), 2, "noticed when it is switched on")

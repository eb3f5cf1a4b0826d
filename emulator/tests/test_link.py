# SPDX-License-Identifier: GPL-2.0-only
"""Link state: who can take it down, what is announced, speeds (04)."""

import regs as R
from base import Base

UP25, UP40, UP10 = 0x09, 0x05, 0x11


class Link(Base):

    def both(self, typ="ff5025", **kw):
        p0, p1 = self.card(typ=typ, **kw)
        for p in (p0, p1):
            p.configure()
            p.irq_setup()
            p.laser(True)
        return p0, p1

    def status(self, p):
        return p.r(R.PORT_ST) & 0x1F

    def causes(self, p):
        """Misc causes delivered since the last look."""
        res = 0
        for _ in range(4):
            self.q.settle()
            if p.took(p.misc_vec):
                res |= self.q.read_n(4, p.isb + 4)
                p.unmask(p.misc_vec)
        return res

    def record(self, ports, ms=1500, step_ms=1):
        """State changes seen on each port while time runs: [(ms, status)]."""
        trace = {p.name: [(0, self.status(p))] for p in ports}
        seen = {p.name: 0 for p in ports}
        for t in range(step_ms, ms + 1, step_ms):
            self.q.step_ms(step_ms)
            for p in ports:
                if p.took(p.misc_vec):
                    seen[p.name] |= self.q.read_n(4, p.isb + 4)
                    p.unmask(p.misc_vec)
                st = self.status(p)
                if st != trace[p.name][-1][1]:
                    trace[p.name].append((t, st))
        return trace, seen

    def test_comes_up_by_itself(self):
        """DPDK never sends 0xC1, the link must not wait for it."""
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        self.assertEqual((self.status(p0), self.status(p1)), (UP25, UP25))
        self.assertEqual(p1.r(R.PORT_ST) >> 8 & 3, 1)
        self.assertEqual(p0.get("link"), "25000")
        for p in (p0, p1):
            self.assertTrue(self.causes(p) & (R.MISC_LK | R.MISC_LKDN))

    def test_aml40(self):
        p0, p1 = self.both("ff5040")
        self.wait_link(p0, p1)
        self.assertEqual(self.status(p0), UP40)
        self.assertEqual(p0.get("link"), "40000")

    def test_10g_board(self):
        p0, p1 = self.both("ff5010")
        self.wait_link(p0, p1)
        self.assertEqual(self.status(p0), UP10)

    def test_cable_cut(self):
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        for p in (p0, p1):
            self.causes(p)
        for end in (p0, p1):
            end.set("cable", False)
            for p in (p0, p1):
                self.wait_link(p, up=False, limit_ms=100)
                self.assertTrue(self.causes(p) & R.MISC_LKDN, "down is announced")
                self.assertEqual(self.status(p), 0, "no speed bit while down")
                self.assertEqual(p.get("link"), "0")
            self.quiet(p0.link, 200)
            end.set("cable", True)
            self.wait_link(p0, p1)
            for p in (p0, p1):
                self.assertTrue(self.causes(p) & (R.MISC_LK | R.MISC_LKDN), "up too")

    def test_peer_laser_off(self):
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        self.causes(p0)
        p1.laser(False)
        self.wait_link(p0, up=False, limit_ms=100)
        self.assertTrue(self.causes(p0) & R.MISC_LKDN)
        p1.laser(True)
        self.wait_link(p0, p1)

    def test_module_pulled_and_back(self):
        """No 0xC1 comes after a re-plug of the same kind (04 rule 5)."""
        p0, p1 = self.both()
        for p in (p0, p1):
            p.set_link(0x10)
        self.wait_link(p0, p1)
        p0.set("module", "none")
        self.wait_link(p0, p1, up=False, limit_ms=100)
        self.assertTrue(self.causes(p0) & R.MISC_LKDN)
        self.assertTrue(self.causes(p1) & R.MISC_LKDN)
        self.quiet(p0.link, 100)
        p0.set("module", "sfp28-sr")
        self.wait_link(p0, p1)
        self.assertEqual(self.status(p0), UP25)
        self.assertTrue(self.causes(p0) & (R.MISC_LK | R.MISC_LKDN))

    def test_speed_change_is_visibly_down(self):
        p0, p1 = self.both(both={"module": "sfp28-dac"})
        for p in (p0, p1):
            p.set_link(0x10)
        self.wait_link(p0, p1)
        for p in (p0, p1):
            self.causes(p)
        p0.set_link(0x04)
        p1.set_link(0x04)
        trace, seen = self.record((p0, p1))
        for p in (p0, p1):
            path = [s for _, s in trace[p.name]]
            self.assertEqual(path[-1], UP10, trace)
            self.assertNotIn((UP25, UP10), list(zip(path, path[1:])), "needs a down state")
            down = [t for t, s in trace[p.name] if not s & 1]
            self.assertGreaterEqual(trace[p.name][-1][0] - max(down), 2, "a few ms")
            self.assertTrue(seen[p.name] & (R.MISC_LKDN | R.MISC_LK))
        self.assertEqual(p0.get("link"), "10000")

    def test_same_speed_again_keeps_or_restarts(self):
        """0xC1 with the running speed ends with the link up and announced."""
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        self.causes(p0)
        p0.set_link(0x10)
        trace, seen = self.record((p0,), 500)
        self.assertEqual(trace["p0"][-1][1], UP25)
        self.assertTrue(seen["p0"] & (R.MISC_LK | R.MISC_LKDN), "04 rule 3")

    def test_different_speeds_do_not_link(self):
        p0, p1 = self.both(both={"module": "sfp28-dac"})
        self.wait_link(p0, p1)
        p0.set_link(0x04)
        p1.set_link(0x10)
        self.q.step_ms(1000)
        self.assertFalse(p0.link() and p1.link())

    def test_slow_module_needs_slow_speed(self):
        p0, p1 = self.both(both={"module": "sfp-sr"})
        for p in (p0, p1):
            p.set_link(0x04)
        self.wait_link(p0, p1)
        self.assertEqual(self.status(p0), UP10)

    def test_cable_without_module(self):
        p0, p1 = self.both(module="none")
        self.q.step_ms(1000)
        self.assertFalse(p0.link() or p1.link())
        p0.set("module", "sfp28-sr")
        self.wait_link(p0, p1)

    def test_state_before_unmask_stays_latched(self):
        """A link event that comes before MISC_IEN is set is not lost."""
        p0, p1 = self.card()
        p0.configure()
        p0.laser(True)
        p1.laser(True)
        self.wait_link(p0, p1)
        self.assertTrue(p0.r(R.MISC_IC) & (R.MISC_LK | R.MISC_LKDN))

    def test_only_one_speed_bit(self):
        p0, p1 = self.both()
        trace, _ = self.record((p0, p1), 500)
        for p in (p0, p1):
            for _, st in trace[p.name]:
                self.assertIn(st, (0, UP25))

    def test_two_cards(self):
        self.start([dict(id="p0", card="a", port=0, rp=0, peer="p1"),
                    dict(id="p1", card="b", port=0, rp=1)])
        for p in (self.p0, self.p1):
            p.attach()
            p.laser(True)
        self.wait_link(self.p0, self.p1)
        self.assertEqual(self.p1.r(R.PORT_ST) >> 8 & 3, 0)

    def test_peer_named_by_the_other_end(self):
        self.start([dict(id="p0", card="c0", port=0, fn=0),
                    dict(id="p1", card="c0", port=1, fn=1, peer="p0")])
        for p in (self.p0, self.p1):
            p.attach()
            p.laser(True)
        self.wait_link(self.p0, self.p1)


class Partner(Base):
    """A port without a peer has a silent link partner."""

    def test_auto(self):
        p = self.solo()
        p.laser(True)
        self.wait_link(p)
        self.assertEqual(p.r(R.PORT_ST) & 0x1F, UP25)

    def test_fixed_speed(self):
        p = self.solo(module="sfp28-dac", **{"partner-speed": "10000"})
        p.laser(True)
        p.set_link(0x04)
        self.wait_link(p)
        self.assertEqual(p.r(R.PORT_ST) & 0x1F, UP10)
        p.set_link(0x10)
        self.q.step_ms(1000)
        self.assertFalse(p.link(), "partner cannot do 25G")

    def test_cable(self):
        p = self.solo()
        p.laser(True)
        self.wait_link(p)
        p.set("cable", False)
        self.wait_link(p, up=False, limit_ms=100)

    def test_flap_fault(self):
        p = self.solo()
        p.laser(True)
        self.wait_link(p)
        p.set("fault-flap-ms", 200)
        changes, last = 0, p.link()
        for _ in range(2000):
            self.q.step_ms(1)
            if p.link() != last:
                last, changes = not last, changes + 1
        self.assertGreaterEqual(changes, 4)
        p.set("fault-flap-ms", 0)
        self.wait_link(p)
        self.quiet(lambda: not p.link(), 300)


class Fec(Base):
    """FEC as command 0xC1 asks for it and the partner takes it (02, 04 section 11)."""

    RS, BASER, OFF, ANY = 1, 2, 4, 7
    GET = bytes([0xC0, 12]) + bytes(14)

    def both(self, **kw):
        p0, p1 = self.card(**kw)
        for p in (p0, p1):
            p.laser(True)
        return p0, p1

    def said(self, p):
        """Byte 9 of the 0xC0 answer."""
        return p.fw(self.GET)[9]

    def test_what_the_module_calls_for(self):
        for typ, module, speed, want in (
                ("ff5025", "sfp28-sr", 0x10, "rs"), ("ff5025", "sfp28-dac", 0x10, "rs"),
                ("ff5025", "sfp28-dac-s", 0x10, "baser"), ("ff5025", "sfp28-dac-n", 0x10, "off"),
                ("ff5025", "sfp28-lr", 0x10, "off"), ("ff5025", "sfp28-aoc", 0x10, "rs"),
                ("ff5025", "sfp-sr", 0x04, "off"), ("ff5025", "sfp28-dac", 0x04, "off"),
                ("ff5040", "qsfp-sr4", 0x20, "off"), ("ff5040", "qsfp-cr4", 0x20, "off")):
            with self.subTest(module):
                p0, p1 = self.both(typ=typ, both={"module": module})
                for p in (p0, p1):
                    self.assertEqual(p.get("fec"), "none")
                    p.set_link(speed)
                self.wait_link(p0, p1)
                bit = {"rs": 1, "baser": 2, "off": 4}[want]
                for p in (p0, p1):
                    self.assertEqual(p.get("fec"), want)
                    self.assertEqual(self.said(p), bit)
                self.finish()

    def test_one_end_decides(self):
        p0, p1 = self.both()
        for mode, name in ((self.BASER, "baser"), (self.OFF, "off"), (self.RS, "rs")):
            p0.set_link(0x10, fec=mode)
            p1.set_link(0x10, fec=self.ANY)
            self.wait_link(p0, p1)
            self.assertEqual((p0.get("fec"), p1.get("fec")), (name, name))

    def test_mismatch(self):
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        p0.set_link(0x10, fec=self.RS)
        p1.set_link(0x10, fec=self.BASER)
        self.q.step_ms(1000)
        for p, asked in ((p0, self.RS), (p1, self.BASER)):
            self.assertFalse(p.link())
            self.assertEqual(p.r(R.GPIO_EXT) & 8, 0, "there is light all the same")
            self.assertEqual(self.said(p), asked)
            self.assertEqual(p.get("fec"), "none")
        p1.set_link(0x10, fec=self.RS | self.OFF)
        self.wait_link(p0, p1)
        self.assertEqual(p1.get("fec"), "rs")

    def test_other_speeds(self):
        """10G and 40G have no RS-FEC; optics have none, copper may have BASE-R."""
        for typ, module, speed, fec, want in (
                ("ff5025", "sfp-sr", 0x04, self.RS, "off"),
                ("ff5025", "sfp-sr", 0x04, self.BASER, "off"),
                ("ff5025", "sfp-dac", 0x04, self.BASER, "baser"),
                ("ff5040", "qsfp-cr4", 0x20, self.BASER, "baser"),
                ("ff5040", "qsfp-lr4", 0x20, self.ANY, "off")):
            with self.subTest(module=module, fec=fec):
                p0, p1 = self.both(typ=typ, both={"module": module})
                p0.set_link(speed, fec=fec)
                p1.set_link(speed, fec=fec)
                self.wait_link(p0, p1)
                self.assertEqual(p0.get("fec"), want)
                self.finish()

    def test_change_passes_through_down(self):
        p0, p1 = self.both()
        self.wait_link(p0, p1)
        p0.set_link(0x10, fec=self.OFF)
        self.assertFalse(p0.link() or p1.link())
        self.wait_link(p0, p1)
        p0.set_link(0x10, fec=self.OFF | self.BASER)
        self.assertEqual(p0.get("fec"), "none", "BASE-R is stronger: a new training")
        self.wait_link(p0, p1)

    def test_same_outcome_keeps_the_link(self):
        p0, p1 = self.both()
        p0.set_link(0x10)
        self.wait_link(p0, p1)
        p0.set_link(0x10, fec=self.RS)
        self.assertTrue(p0.link() and p1.link(), "RS ran already")

    def test_partner_property(self):
        p = self.solo(**{"partner-fec": "baser:off"})
        p.laser(True)
        self.wait_link(p)
        self.assertEqual(p.get("fec"), "baser")
        self.assertEqual(p.get("partner-fec"), "baser:off")
        p.set_link(0x10, fec=self.RS)
        self.q.step_ms(1000)
        self.assertFalse(p.link())
        p.set("partner-fec", "auto")
        self.wait_link(p)
        self.assertEqual(p.get("fec"), "rs")
        p.set("partner-fec", "off")
        self.wait_link(p, up=False)
        for bad in ("", "rs:none", "RS"):
            with self.assertRaises(RuntimeError):
                p.set("partner-fec", bad)
        self.assertEqual(p.get("partner-fec"), "off")

    def test_request_is_shown(self):
        p = self.solo(module="sfp28-dac")
        p.laser(True)
        self.assertEqual(p.get("fw-link"), "speed=0 an=0 fec=7 count=0")
        p.set_link(0x10, an=1, fec=3)
        p.set_link(0x04)
        self.assertEqual(p.get("fw-link"), "speed=10000 an=0 fec=7 count=2")
        p.set_link(0x20)
        self.assertEqual(p.get("fw-link"), "speed=10000 an=0 fec=7 count=2", "refused")
        p.w(R.MIS_RST, R.RST_SW)
        self.assertEqual(p.get("fw-link"), "speed=0 an=0 fec=7 count=0")


class Leds(Base):

    def test_hardware(self):
        p0, p1 = self.pair()
        self.q.step_ms(200)
        self.assertEqual(p0.get("leds"), "link,25g")
        self.assertEqual(p0.get("led-control"), "hw")
        tx, rx = p0.tx_ring(), p1.rx_ring()
        tx.send(self.udp4())
        rx.one()
        self.assertEqual(p0.get("leds"), "link,25g,activity")
        self.assertEqual(p1.get("leds"), "link,25g,activity")
        self.q.step_ms(200)
        self.assertEqual(p1.get("leds"), "link,25g")
        p0.set("cable", False)
        self.assertEqual(p0.get("leds"), "")

    def test_override(self):
        p = self.solo(cable="off")
        p.set("counters-reset", True)
        p.w(R.LED_CTL, 0x003F003F)
        self.assertEqual(p.get("leds"), "link,50g,40g,25g,10g,activity")
        self.assertEqual(p.get("led-control"), "held=0x003f on=0x003f")
        p.w(R.LED_CTL, 0x003F)
        self.assertEqual(p.get("leds"), "")
        self.assertEqual(p.get("led-control"), "held=0x003f on=0x0000")
        p.w(R.LED_CTL, 0x00080008)
        self.assertEqual(p.get("leds"), "25g")
        p.w(R.LED_CTL, 0x00080008)
        p.w(R.LED_CTL, 0)
        self.assertEqual(p.get("leds"), "")
        self.assertEqual(p.counters()["led_changes"], 4)

    def test_some_held(self):
        p0, _ = self.pair()
        self.q.step_ms(200)
        p0.w(R.LED_CTL, 0x00100018)
        self.assertEqual(p0.get("leds"), "link,10g", "25g held off, 10g held on")

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

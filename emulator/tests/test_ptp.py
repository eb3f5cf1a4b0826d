# SPDX-License-Identifier: GPL-2.0-only
"""PTP clock and timestamps (06)."""

import json

import desc as D
import frames as F
import regs as R
from base import Base

INC = 0x02A00000
PER_NS = 1 << 21


class Clock(Base):

    def now(self, p):
        hi = p.r(R.SYSTIMH)
        lo = p.r(R.SYSTIML)
        again = p.r(R.SYSTIMH)
        if again != hi:
            hi, lo = again, p.r(R.SYSTIML)
        return hi << 32 | lo

    def ready(self):
        p = self.solo()
        p.ws([(R.TSC_INC, INC), (R.SYSTIML, 0), (R.SYSTIMH, 0)])
        return p

    def test_stands_still_without_increment(self):
        p = self.solo()
        self.q.step_ms(1)
        self.assertEqual(p.rs([R.SYSTIML, R.SYSTIMH]), [0, 0])

    def test_rate(self):
        p = self.ready()
        for ns in (1000, 5, 1000000, 999999995):
            a = self.now(p)
            self.q.step(ns)
            self.assertEqual(self.now(p) - a, ns * PER_NS)

    def test_adjusted_rate(self):
        p = self.ready()
        for inc in (0x02A00418, 0x029FEB86, 0x01A00000):
            p.w(R.TSC_INC, inc)
            a = self.now(p)
            self.q.step_ms(10)
            want = (inc & 0xFFFFFF) * 10000000 * 2 // (5 * (inc >> 24))
            self.assertLess(abs(self.now(p) - a - want), PER_NS * 10)

    def test_rate_change_does_not_jump(self):
        p = self.ready()
        self.q.step_ms(1)
        a = self.now(p)
        p.w(R.TSC_INC, 0x02A00418)
        self.assertLess(self.now(p) - a, PER_NS)

    def test_set(self):
        p = self.ready()
        p.ws([(R.SYSTIMH, 0x1234), (R.SYSTIML, 0x1000)])
        self.assertLess(self.now(p) - 0x123400001000, PER_NS)

    def test_lan_reset_clears(self):
        p = self.ready()
        self.q.step_ms(1)
        p.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p.rs([R.TSC_INC, R.SYSTIML, R.SYSTIMH]), [0, 0, 0])

    def test_pps_edges(self):
        """The pulse on the pin of TT0: from target 0 to target 1, at the exact SYSTIME."""
        p = self.ready()
        zero = json.loads(p.get("pps"))
        self.assertEqual((zero["rises"], zero["falls"]), (0, 0))

        def arm(first, last, sdp=1, aux=0x107):
            p.w(R.TSC_AUX, 0)
            p.ws([(0x1D42C, first & 0xFFFFFFFF), (0x1D430, first >> 32),
                  (0x1D434, last & 0xFFFFFFFF), (0x1D438, last >> 32), (0x1D45C, sdp),
                  (0x1D460, 5), (R.TSC_AUX, aux)])
        for n in range(1, 4):
            start = (self.now(p) // PER_NS + 700000) * PER_NS
            arm(start, start + 120000 * PER_NS)
            self.q.step_us(690)
            self.assertEqual(json.loads(p.get("pps"))["rises"], n - 1)
            self.q.step_us(20)
            e = json.loads(p.get("pps"))
            self.assertEqual((e["rises"], e["falls"]), (n, n - 1))
            self.assertLess(e["rise_systime"] - start, PER_NS)
            self.q.step_us(120)
            e = json.loads(p.get("pps"))
            self.assertEqual(e["falls"], n)
            self.assertEqual(e["fall_ns"] - e["rise_ns"], 120000)
        for sdp, aux in ((1, 0x105), (5, 0x107), (1, 0)):
            start = (self.now(p) // PER_NS + 1000) * PER_NS
            arm(start, start + 1000 * PER_NS, sdp, aux)
            self.q.step_us(10)
            self.assertEqual(json.loads(p.get("pps"))["rises"], 3, (sdp, aux))

    def test_pps_interrupt(self):
        p = self.solo()
        p.configure()
        p.irq_setup(1)
        p.ws([(R.TSC_INC, INC), (R.SYSTIML, 0), (R.SYSTIMH, 0)])
        start, end = 1000000 * PER_NS, 2000000 * PER_NS
        p.ws([(R.TSC_AUX, 0), (0x1D42C, start & 0xFFFFFFFF), (0x1D430, start >> 32),
              (0x1D434, end & 0xFFFFFFFF), (0x1D438, end >> 32), (0x1D45C, 1), (0x1D460, 5),
              (R.TSC_AUX, 0x107), (R.TSC_INT_EN, 0x20)])
        self.drain_irqs(p)
        self.q.step_ms(1)
        self.assertFalse(p.took(p.misc_vec))
        self.q.step_us(1010)
        self.q.wait(lambda: p.took(p.misc_vec), 1, what="TIMESYNC")
        self.assertTrue(self.q.read_n(4, p.isb + 4) & R.MISC_TIMESYNC)
        self.assertTrue(p.r(R.TSC_INT_ST) & 0x20)
        p.w(R.TSC_AUX, 0)
        self.assertFalse(p.r(R.TSC_INT_ST) & 0x20)
        p.unmask(p.misc_vec)
        self.quiet(lambda: p.took(p.misc_vec))


class Stamps(Base):

    def ready(self):
        p0, p1 = self.pair()
        p1.promisc()
        self.rx = p1.rx_ring()
        self.tx = p0.tx_ring()
        for p in (p0, p1):
            p.ws([(R.TSC_INC, INC), (R.SYSTIML, 0), (R.SYSTIMH, 0),
                  (R.ETYPE_SWC(3), 0xC00088F7), (R.TSC_1588_CTL, 0x10),
                  (R.PSR_1588_CTL, 0x10 | 5 << 1), (R.PSR_1588_MSG, 319 << 16)])
            p.rs([R.TSC_STMPH, R.PSR_1588_STMPH])
        return p0, p1

    def event(self, msg=0):
        return F.eth(F.mac("01:1b:19:00:00:00"), self.p0.mac, 0x88F7,
                     bytes([msg, 2, 0, 44]) + F.pattern(40))

    def test_tx(self):
        p0, _ = self.ready()
        self.assertEqual(p0.r(R.TSC_1588_CTL) & 1, 0)
        self.q.step_us(100)
        self.tx.send(self.event(), D.IFCS | D.TSTAMP)
        self.tx.wait_done()
        self.q.wait(lambda: p0.r(R.TSC_1588_CTL) & 1, 10, what="VALID")
        lo, hi = p0.rs([R.TSC_STMPL, R.TSC_STMPH])
        ns = (hi << 32 | lo) / PER_NS
        self.assertTrue(100000 <= ns < 200000, ns)
        self.assertEqual(p0.r(R.TSC_1588_CTL) & 1, 0, "reading H releases")

    def test_tx_only_one(self):
        p0, _ = self.ready()
        self.tx.send(self.event(), D.IFCS | D.TSTAMP)
        self.tx.wait_done()
        self.q.wait(lambda: p0.r(R.TSC_1588_CTL) & 1, 10)
        first = p0.r(R.TSC_STMPL)
        self.q.step_ms(1)
        self.tx.send(self.event(), D.IFCS | D.TSTAMP)
        self.tx.wait_done()
        self.q.step_ms(1)
        self.assertEqual(p0.r(R.TSC_STMPL), first)
        p0.r(R.TSC_STMPH)

    def test_tx_needs_flag_and_enable(self):
        p0, _ = self.ready()
        self.tx.send(self.event())
        self.tx.wait_done()
        self.q.step_ms(1)
        self.assertEqual(p0.r(R.TSC_1588_CTL) & 1, 0)
        p0.w(R.TSC_1588_CTL, 0)
        self.tx.send(self.event(), D.IFCS | D.TSTAMP)
        self.tx.wait_done()
        self.q.step_ms(1)
        self.assertEqual(p0.r(R.TSC_1588_CTL) & 1, 0)

    def test_rx_l2(self):
        _, p1 = self.ready()
        self.q.step_us(100)
        self.tx.send(self.event())
        d, _ = self.rx.one()
        self.assertTrue(d.status & R.bit(14))
        self.assertEqual(d.ptype, 0x12)
        self.assertEqual(p1.r(R.PSR_1588_CTL) & 1, 1)
        lo, hi = p1.rs([R.PSR_1588_STMPL, R.PSR_1588_STMPH])
        ns = (hi << 32 | lo) / PER_NS
        self.assertTrue(100000 <= ns < 300000, ns)
        self.assertEqual(p1.r(R.PSR_1588_CTL) & 1, 0)

    def test_rx_one_latch(self):
        _, p1 = self.ready()
        self.tx.send(self.event())
        self.assertTrue(self.rx.one()[0].status & R.bit(14))
        self.tx.send(self.event())
        self.assertFalse(self.rx.one()[0].status & R.bit(14))
        p1.r(R.PSR_1588_STMPH)
        self.tx.send(self.event())
        self.assertTrue(self.rx.one()[0].status & R.bit(14))

    def test_rx_udp(self):
        self.ready()
        s, d = F.ip4("10.0.0.1"), F.ip4("224.0.1.129")
        body = F.udp(s, d, 319, 319, bytes([0, 2, 0, 44]) + F.pattern(40))
        f = F.eth(F.mac("01:00:5e:00:01:81"), self.p0.mac, F.ETH_IP4, F.ipv4(s, d, 17, body))
        self.tx.send(f)
        self.assertTrue(self.rx.one()[0].status & R.bit(14))

    def test_rx_general_messages_are_not_stamped(self):
        self.ready()
        for msg in (8, 9, 11):
            self.tx.send(self.event(msg))
            self.assertFalse(self.rx.one()[0].status & R.bit(14))

    def test_rx_off(self):
        _, p1 = self.ready()
        p1.w(R.PSR_1588_CTL, 0)
        self.tx.send(self.event())
        self.assertFalse(self.rx.one()[0].status & R.bit(14))

    def test_writing_valid_is_no_way_to_fake(self):
        p0, _ = self.ready()
        self.allow("read-only-write", "reserved-bit")
        p0.w(R.TSC_1588_CTL, 0x11)
        self.assertEqual(p0.r(R.TSC_1588_CTL), 0x10)

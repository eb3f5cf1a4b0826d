# SPDX-License-Identifier: GPL-2.0-only
"""What every test shares: machines, a wired pair of ports, violation checks."""

import os
import unittest

import frames as F
import regs as R
from port import Machine


def binary():
    """The QEMU under test."""
    return os.environ.get("FF50XX_QEMU", "qemu-system-x86_64")


class Base(unittest.TestCase):
    """A test starts its own QEMU, so no state leaks between tests.

    A violation line that the test did not announce with expect() fails it, and
    so does an announced class that never appeared.
    """

    maxDiff = None

    def setUp(self):
        self.m = None
        self.expected = set()
        self.allowed = set()

    def tearDown(self):
        if self.m:
            self.finish()

    def finish(self):
        """End the machine and judge what it logged."""
        m, self.m = self.m, None
        seen = m.violations()
        m.close()
        err = m.q.last_stderr
        for word in ("AddressSanitizer", "runtime error:", "LeakSanitizer"):
            self.assertNotIn(word, err)
        odd = [v for v in seen if v[1] not in self.expected | self.allowed]
        self.assertEqual(odd, [], "unexpected violations")
        for cls in self.expected:
            self.assertIn(cls, {v[1] for v in seen}, "violation did not fire")

    def expect(self, *classes):
        """Announce violation classes that this test provokes on purpose."""
        self.expected |= set(classes)

    def allow(self, *classes):
        """Violation classes that may appear but need not."""
        self.allowed |= set(classes)

    def violation(self, cls, reg=None, since=0):
        """The one line of class @cls (naming @reg) after the first @since."""
        self.expect(cls)
        hits = [v for v in self.m.violations()[since:]
                if v[1] == cls and (reg is None or v[2] == reg)]
        self.assertTrue(hits, f"no {cls} for {reg}: {self.m.violations()[since:]}")
        return hits[0]

    def start(self, ports, extra=(), fds=()):
        self.m = Machine(binary(), ports, extra=extra, fds=fds)
        self.q = self.m.q
        for name, port in self.m.ports.items():
            setattr(self, name, port)
        return self.m

    def solo(self, attach=True, **props):
        """One port without a peer, mapped, nothing configured."""
        self.start([dict({"id": "p0", "card": "c0", "port": 0}, **props)])
        if attach:
            self.p0.attach()
        return self.p0

    def card(self, attach=True, typ="ff5025", both=None, **props):
        """Two ports of one card wired together.

        @props go to p0, @both to both of them.
        """
        both = dict(both or {}, type=typ, card="c0")
        self.start([dict({"id": "p0", "port": 0, "fn": 0, "peer": "p1"}, **both, **props),
                    dict({"id": "p1", "port": 1, "fn": 1}, **both)])
        if attach:
            self.p0.attach()
            self.p1.attach()
        return self.p0, self.p1

    def wait_link(self, *ports, up=True, limit_ms=3000):
        for p in ports:
            self.q.wait(lambda p=p: p.link() == up, limit_ms, 1000,
                        f"{p.name} link {'up' if up else 'down'}")

    def pair(self, typ="ff5025", queues=1, max_sz=1522, both=None, vfe=False, **props):
        """Two wired ports, configured, link up, gates open; no rings yet.

        The VLAN filter is off unless @vfe.
        """
        self.card(typ=typ, both=both, **props)
        for p in (self.p0, self.p1):
            p.w(R.RAR_IDX, 0)
            p.mac = p.read_rar()
            p.configure(max_sz)
            if not vfe:
                p.rmw(R.PSR_VLAN_CTL, R.VFE, 0)
            p.irq_setup(queues)
            p.rx_enable()
            p.laser(True)
        self.wait_link(self.p0, self.p1)
        for p in (self.p0, self.p1):
            p.link_up_seen()
            self.drain_irqs(p)
        return self.p0, self.p1

    def drain_irqs(self, p):
        """Take what has come so far and leave every vector in use unmasked."""
        self.q.settle()
        for _ in range(3):
            got = p.took_any()
            for v in got:
                p.unmask(v)
            self.q.settle()
            if not got:
                break

    def udp4(self, n=64, dst=None, src=None, sport=1000, dport=2000, seed=0,
             sip="10.0.0.1", dip="10.0.0.2", tags=(), **kw):
        """A UDP/IPv4 frame to p1 with @n payload bytes and good checksums."""
        s, d = F.ip4(sip), F.ip4(dip)
        body = F.udp(s, d, sport, dport, F.pattern(n, seed))
        return F.eth(dst or self.p1.mac, src or self.p0.mac, F.ETH_IP4,
                     F.ipv4(s, d, 17, body, **kw), tags)

    def tcp4(self, n=64, dst=None, src=None, sport=1000, dport=80, seed=0,
             sip="10.0.0.1", dip="10.0.0.2", tags=(), flags=0x10, **kw):
        s, d = F.ip4(sip), F.ip4(dip)
        body = F.tcp(s, d, sport, dport, F.pattern(n, seed), flags=flags)
        return F.eth(dst or self.p1.mac, src or self.p0.mac, F.ETH_IP4,
                     F.ipv4(s, d, 6, body, **kw), tags)

    def quiet(self, cond, ms=5, what="nothing"):
        """cond() must stay false for @ms of virtual time."""
        for _ in range(10):
            self.q.step_us(ms * 100)
            self.assertFalse(cond(), what)

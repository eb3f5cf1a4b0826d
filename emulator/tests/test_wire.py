# SPDX-License-Identifier: GPL-2.0-only
"""Ways a frame can take: netdev backend, MAC loopback, pause, other pairings."""

import select
import socket
import struct

import frames as F
import regs as R
from base import Base


class Netdev(Base):

    def ready(self):
        self.host, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.host.close)
        try:
            self.start([dict(id="p0", card="c0", port=0, netdev="n0")],
                       extra=["-netdev", "dgram,id=n0,local.type=fd,"
                              f"local.str={theirs.fileno()}"], fds=(theirs.fileno(),))
        finally:
            theirs.close()
        p = self.p0.attach()
        p.w(R.RAR_IDX, 0)
        p.mac = p.read_rar()
        p.configure(9432)
        p.irq_setup(1)
        p.rx_enable()
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        return p

    def frame(self, dst, src, n=100):
        return F.eth(dst, src, 0x88B5, F.pattern(n))

    def test_out(self):
        p = self.ready()
        tx = p.tx_ring()
        other = F.mac("02:00:00:00:00:99")
        frames = [self.frame(other, p.mac, n) for n in (46, 100, 1500, 9000)]
        for f in frames:
            tx.send(f)
        tx.wait_done()
        for f in frames:
            self.assertTrue(select.select([self.host], [], [], 5)[0])
            self.assertEqual(self.host.recv(65536), f)

    def test_in(self):
        p = self.ready()
        rx = p.rx_ring()
        f = self.frame(p.mac, F.mac("02:00:00:00:00:99"))
        self.host.send(f)
        self.assertEqual(rx.one()[1], f)
        self.host.send(f[:20])
        self.assertEqual(rx.one()[1], F.pad60(f[:20]))

    def test_in_waits_for_descriptors(self):
        p = self.ready()
        rx = p.rx_ring(fill=0)
        sent = [self.frame(p.mac, F.mac("02:00:00:00:00:99"), 100 + n) for n in range(20)]
        for f in sent:
            self.host.send(f)
        self.q.step_ms(1)
        rx.fill(20)
        self.assertEqual([d for _, d in rx.take(20)], sent)

    def test_in_dropped_while_down(self):
        p = self.ready()
        rx = p.rx_ring()
        p.set("cable", False)
        self.wait_link(p, up=False)
        self.host.send(self.frame(p.mac, F.mac("02:00:00:00:00:99")))
        self.q.step_ms(2)
        self.assertEqual(rx.collect(), [])


class Loopback(Base):

    def test_mac_loopback(self):
        """MAC_RX_CFG.LM: what leaves the MAC comes back in (04 section 4)."""
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_CFG, 0, R.bit(10))
        mine, theirs = p0.rx_ring(), p1.rx_ring()
        tx = p0.tx_ring()
        f = self.udp4(dst=p0.mac)
        tx.send(f)
        self.assertEqual(mine.one()[1], f)
        p0.rmw(R.MAC_RX_CFG, R.bit(10), 0)
        tx.send(self.udp4(seed=3))
        self.assertEqual(theirs.one()[1], self.udp4(seed=3))


class Pause(Base):

    def pause(self, quanta):
        return F.eth(F.mac("01:80:c2:00:00:01"), self.p1.mac, 0x8808,
                     struct.pack(">HH", 1, quanta) + bytes(42))

    def test_received_pause_stops_tx(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        p1.promisc()
        rx, tx = p1.rx_ring(), p0.tx_ring()
        back = p1.tx_ring()
        p0.ws([(R.LXOFFRXC, 0), (R.LXONRXC, 0)])
        back.send(self.pause(0xFFFF))         # 65535 * 512 bits = 1.34 ms at 25G
        self.q.wait(lambda: p0.r(R.LXOFFRXC) == 1, 10)
        self.q.settle()
        tx.send(self.udp4())
        self.q.step_us(1000)
        self.assertEqual(rx.collect(), [])
        self.q.step_us(1000)
        self.assertEqual(rx.one()[1], self.udp4())
        self.assertEqual(p0.rs([R.LXOFFRXC, R.LXONRXC]), [1, 0])

    def test_xon(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        p1.promisc()
        rx, tx, back = p1.rx_ring(), p0.tx_ring(), p1.tx_ring()
        back.send(self.pause(0xFFFF))
        self.q.settle()
        tx.send(self.udp4())
        back.send(self.pause(0))
        self.q.step_us(50)
        self.assertEqual(rx.one()[1], self.udp4())
        self.assertEqual(p0.r(R.LXONRXC), 1)

    def test_ignored_when_off(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 1, 0)
        p1.promisc()
        rx, tx, back = p1.rx_ring(), p0.tx_ring(), p1.tx_ring()
        back.send(self.pause(0xFFFF))
        self.q.settle()
        tx.send(self.udp4())
        self.q.step_us(50)
        self.assertEqual(rx.one()[1], self.udp4())


class Topologies(Base):

    def ready(self, ports):
        for p in ports:
            p.attach()
            p.w(R.RAR_IDX, 0)
            p.mac = p.read_rar()
            p.configure()
            p.irq_setup(1)
            p.rx_enable()
            p.laser(True)
        self.wait_link(*ports)
        for p in ports:
            p.link_up_seen()
            p.rx_ring()
            p.tx_ring()
            p.promisc()

    def test_two_cards_crossed(self):
        """p0 and p1 on one card, p2 and p3 on another; p0-p2, p1-p3."""
        self.start([dict(id="p0", card="a", port=0, rp=0, fn=0, peer="p2"),
                    dict(id="p1", card="a", port=1, rp=0, fn=1, peer="p3"),
                    dict(id="p2", card="b", port=0, rp=1, fn=0),
                    dict(id="p3", card="b", port=1, rp=1, fn=1)])
        ports = [self.p0, self.p1, self.p2, self.p3]
        self.ready(ports)
        for a, b in ((0, 2), (2, 0), (1, 3), (3, 1)):
            f = F.eth(ports[b].mac, ports[a].mac, 0x88B5, F.pattern(60, a))
            ports[a].tx[0].send(f)
            self.assertEqual(ports[b].rx[0].one()[1], f)
        for p in ports:
            self.assertEqual(p.rx[0].collect(), [])
        self.p0.set("cable", False)
        self.wait_link(self.p0, self.p2, up=False)
        self.assertTrue(self.p1.link() and self.p3.link())

    def test_macs_differ(self):
        self.start([dict(id="p0", card="a", port=0, rp=0, fn=0, peer="p2"),
                    dict(id="p1", card="a", port=1, rp=0, fn=1, peer="p3"),
                    dict(id="p2", card="b", port=0, rp=1, fn=0),
                    dict(id="p3", card="b", port=1, rp=1, fn=1)])
        macs = set()
        for p in (self.p0, self.p1, self.p2, self.p3):
            p.attach()
            p.w(R.RAR_IDX, 0)
            macs.add(p.read_rar())
        self.assertEqual(len(macs), 4)

    def test_aml40_traffic(self):
        p0, p1 = self.pair("ff5040")
        self.assertEqual(p0.r(R.MAC_TX_CFG) >> 27 & 15, 0)
        p1.promisc()
        rx, tx = p1.rx_ring(), p0.tx_ring()
        for n in (10, 700):
            tx.send(self.udp4(n))
            self.assertEqual(rx.one()[1], F.pad60(self.udp4(n)))


class Repeat(Base):
    """Nothing in the model depends on the host: the same use gives the same counters."""

    def use(self):
        """Paced traffic both ways, moderation, pause, a rate limit, faults, a link cut."""
        p0, p1 = self.pair(both={"line-rate": 10000, "fifo-frames": 32})
        for p in (p0, p1):
            p.promisc()
            p.ws([(R.ITR(0), 20), (R.RDB_PB_SZ(0), 16 << 10), (R.RFCV(0), 0x800),
                  (R.RDB_RFCRT, 0x400), (R.RFCL(0), 2 << 10 | 1 << 31),
                  (R.RFCH(0), 8 << 10 | 1 << 31), (R.PFCMACDAL, 0xC2000001),
                  (R.PFCMACDAH, 0x0180), (R.RDB_RFCC, 8), (R.MAC_RX_FLOW_CTRL, 1)])
        p0.ws([(0x1820C, 21), (0x18210, 1), (0x18214, 0x00030001)])
        p1.set("fault-rx-loss", 7)
        p1.set("fault-wb-us", 30)
        p1.set("fault-wb", "batch")
        rx0, rx1 = p0.rx_ring(size=256, fill=200), p1.rx_ring(size=256, fill=20)
        rings = [p0.tx_ring(0), p0.tx_ring(1), p1.tx_ring(0)]
        for i in range(60):
            for t in rings:
                dst, src = (p0, p1) if t.port is p1 else (p1, p0)
                t.send(self.udp4(50 + 37 * i % 1400, dst=dst.mac, src=src.mac, seed=i),
                       ring=bool(i % 3))
            self.q.step_us(11)
            if i == 30:
                rx1.fill(100)
            if i == 45:
                p0.set("cable", False)
            if i == 50:
                p0.set("cable", True)
            for p in (p0, p1):
                if p.took(0):
                    p.unmask(0)
        self.q.step_ms(100)
        rx1.fill(100)
        self.q.step_ms(5)
        regs = [p.rs([R.RX_FRAMES, R.TX_FRAMES, R.RX_OCTETS, R.LXOFFTXC, R.LXONTXC, R.LXOFFRXC,
                      R.RDM_PKT, R.RDM_DRP, R.SYSTIML]) for p in (p0, p1)]
        res = [p.counters() for p in (p0, p1)], regs, [d for _, d in rx0.collect()], \
            [d for _, d in rx1.collect()]
        self.finish()
        return res

    def test_twice(self):
        first, again = self.use(), self.use()
        self.assertGreater(first[0][1]["rx_frames"], 50)
        self.assertGreater(first[0][1]["pause_tx_xoff"], 0)
        self.assertGreater(first[0][0]["pause_held_ns"], 0)
        self.assertEqual(first, again)

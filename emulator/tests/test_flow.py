# SPDX-License-Identifier: GPL-2.0-only
"""Pause frames and the Rx packet buffer behind them (04 section 8, 14 section 4)."""

import struct

import frames as F
import regs as R
from base import Base

XOFFE = XONE = R.bit(31)
FULL = 0xFFFF


def kib(n):
    return n << 10


class Flow(Base):

    def flow(self, high=40, low=10, tx_pause=True, rfe=True, pb=448, **kw):
        """p0 sends to p1, whose ring has no descriptors and does not drop."""
        p0, p1 = self.pair(**kw)
        p1.promisc()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 1, int(rfe))
        p1.w(R.RDB_PB_SZ(0), kib(pb))
        p1.ws([(R.PFCMACDAL, 0xC2000001), (R.PFCMACDAH, 0x0180), (R.RFCV(0), FULL << 16 | FULL),
               (R.RDB_RFCRT, 0x7FFF), (R.RFCL(0), kib(low) | XONE),
               (R.RFCH(0), kib(high) | XOFFE),
               (R.RDB_RFCC, R.bit(3) if tx_pause else 0)])
        self.tx, self.rx = p0.tx_ring(size=1024), p1.rx_ring(size=1024, fill=0)
        return p0, p1

    def fill(self, kbytes):
        """About so much of 1 KiB frames; what the ring took."""
        frames = [self.udp4(1024 - 42, seed=i) for i in range(kbytes)]
        for f in frames:
            self.tx.send(f)
        self.q.settle()
        return frames


class Sent(Flow):

    def test_buffer_holds_without_pause(self):
        p0, p1 = self.flow(tx_pause=False)
        frames = self.fill(60)
        self.q.step_ms(2)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(self.tx.head(), 60, "the sender is not held")
        self.assertEqual(p1.r(R.LXOFFTXC), 0)
        self.rx.fill(100)
        self.assertEqual([d for _, d in self.rx.take(60)], frames, "in order, none lost")

    def test_full_buffer_holds_the_wire(self):
        p0, p1 = self.flow(tx_pause=False, pb=8, both={"fifo-frames": 16})
        frames = self.fill(60)
        self.q.step_ms(2)
        self.assertLess(self.tx.head(), 60)
        self.rx.fill(100)
        self.assertEqual([d for _, d in self.rx.take(60)], frames)
        self.assertEqual(p1.r(R.RDB_MPCNT(0)), 0)

    def test_frame_beyond_the_buffer(self):
        """It can never be taken: missed at once, descriptors or not."""
        p0, p1 = self.flow(pb=1)
        p1.r(R.RX_FRAMES)
        self.rx.fill(100)
        small, large = self.udp4(1024 - 42), self.udp4(1025 - 42)
        self.tx.send(large)
        self.tx.send(small)
        self.assertEqual(self.rx.one()[1], small)
        self.assertEqual(p1.r(R.RDB_MPCNT(0)), 1)
        self.assertEqual(p1.r(R.RX_FRAMES), 2, "the MAC has seen both")
        self.assertTrue(p1.r(R.MISC_IC) & R.bit(14))
        p1.w(R.RDB_PB_SZ(0), 0)
        self.tx.send(small)
        self.q.step_ms(1)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(p1.r(R.RDB_MPCNT(0)), 1)

    def test_xoff_above_high_water(self):
        p0, p1 = self.flow()
        self.fill(40)
        self.assertEqual(p1.r(R.LXOFFTXC), 0, "not before the mark is passed")
        self.fill(2)
        self.assertEqual(p1.r(R.LXOFFTXC), 1)
        self.assertEqual(p1.r(R.LXOFFTXC), 0, "clear on read")
        self.assertEqual(p1.r(R.LXONTXC), 0)
        self.assertEqual(p0.rs([R.LXOFFRXC, R.LXONRXC]), [1, 0])
        before = self.tx.head()
        self.fill(1)
        self.q.step_us(100)
        self.assertEqual(self.tx.head(), before, "the sender stands still")
        c0, c1 = p0.counters(), p1.counters()
        self.assertEqual([c0["pause_rx_xoff"], c1["pause_tx_xoff"]], [1, 1])

    def test_xon_at_low_water(self):
        p0, p1 = self.flow()
        frames = self.fill(45)
        self.assertEqual(p1.r(R.LXOFFTXC), 1)
        self.rx.fill(20)
        self.q.settle()
        self.assertEqual(p1.r(R.LXONTXC), 0, "20 of 45 KiB left is above 10")
        self.rx.fill(200)
        self.assertEqual([d for _, d in self.rx.take(45)], frames)
        self.assertEqual(p1.r(R.LXONTXC), 1)
        self.assertEqual(p0.r(R.LXONRXC), 1)
        c0 = p0.counters()
        self.assertEqual(c0["pause_rx_xon"], 1)
        self.assertGreater(c0["pause_held_ns"], 0)

    def test_no_xon_unless_enabled(self):
        p0, p1 = self.flow()
        p1.w(R.RFCL(0), kib(10))
        self.fill(45)
        self.rx.fill(200)
        self.rx.take(41)
        self.q.step_us(100)
        self.assertEqual(p1.r(R.LXONTXC), 0)
        self.assertEqual(p0.r(R.LXONRXC), 0)

    def test_xoff_is_refreshed(self):
        """65535 quanta last 1.34 ms at 25G; the refresh comes at half of it."""
        p0, p1 = self.flow()
        self.fill(42)
        self.q.step_us(600)
        self.assertEqual(p1.r(R.LXOFFTXC), 1)
        self.q.step_us(100)
        self.assertEqual(p1.r(R.LXOFFTXC), 1)
        self.fill(1)
        head = self.tx.head()
        for _ in range(20):
            self.q.step_us(500)
        self.assertEqual(self.tx.head(), head, "held for 10 ms")
        self.assertGreaterEqual(p0.r(R.LXOFFRXC), 14)

    def test_without_refresh_the_pause_ends(self):
        p0, p1 = self.flow()
        p1.w(R.RDB_RFCRT, 0)
        frames = self.fill(42) + self.fill(1)
        head = self.tx.head()
        self.q.step_us(1400)
        self.assertGreater(self.tx.head(), head)
        self.assertEqual(p0.r(R.LXOFFRXC), 1)
        self.rx.fill(100)
        self.assertEqual([d for _, d in self.rx.take(43)], frames)

    def test_off_means_none(self):
        for cfg in ((R.RDB_RFCC, 0), (R.RFCH(0), kib(40))):
            with self.subTest(hex(cfg[0])):
                p0, p1 = self.flow()
                p1.w(*cfg)
                self.fill(50)
                self.q.step_ms(1)
                self.assertEqual(p1.rs([R.LXOFFTXC, R.LXONTXC]), [0, 0])
                self.assertEqual(p0.r(R.LXOFFRXC), 0)
                self.finish()

    def test_drop_mode_needs_no_pause(self):
        p0, p1 = self.flow()
        p1.rmw(R.RR(0, "CFG"), 0, R.RR_DROP_EN)
        self.fill(60)
        self.q.step_ms(1)
        self.assertEqual(p1.r(R.LXOFFTXC), 0)
        self.assertEqual(p1.r(R.RDM_DRP), 60)

    def test_sender_that_does_not_listen(self):
        p0, p1 = self.flow(rfe=False)
        self.fill(60)
        self.q.step_us(100)
        self.assertEqual(p1.r(R.LXOFFTXC), 1)
        self.assertEqual(p0.rs([R.LXOFFRXC, R.LXONRXC]), [0, 0])
        self.assertEqual(self.tx.head(), 60)

    def test_frame_on_the_wire(self):
        """Destination, type, opcode and time as programmed, seen by the peer's host."""
        p0, p1 = self.flow(rfe=False)
        p0.rmw(R.MAC_PKT_FLT, 0, 3 << 6)          # pass control frames to the host
        p0.promisc()
        got = p0.rx_ring()
        p1.w(R.RFCV(0), 0x1234)
        self.fill(42)
        data = got.one()[1]
        self.assertEqual(data[:6].hex(), "0180c2000001")
        self.assertEqual(data[6:12], p1.mac)
        self.assertEqual(data[12:18].hex(), "880800011234")
        self.assertEqual(len(data), 60)

    def test_mac_counts_them(self):
        p0, p1 = self.flow()
        p0.rs([R.RX_FRAMES, R.RX_MC])
        p1.rs([R.TX_FRAMES, R.TX_MC, R.TX_BIN[0]])
        self.fill(42)
        self.assertEqual(p1.rs([R.TX_FRAMES, R.TX_MC, R.TX_BIN[0]]), [1, 1, 1])
        self.assertEqual(p0.rs([R.RX_FRAMES, R.RX_MC]), [1, 1])
        self.assertEqual(p1.r(R.TDM_PKT), 0, "no DMA was there")

    def test_lan_reset_empties_the_buffer(self):
        p0, p1 = self.flow()
        self.fill(50)
        p1.lan_reset()
        self.assertEqual(p1.rs([R.LXOFFTXC, R.LXONTXC]), [0, 0])
        p1.configure()
        p1.rmw(R.PSR_VLAN_CTL, R.VFE, 0)
        p1.rx_enable()
        p1.promisc()
        rx = p1.rx_ring()
        self.q.step_ms(2)
        got = rx.collect()
        self.assertLess(len(got), 10, "only what had not left the sender")

    def test_both_ways_recover(self):
        """Both ends pause each other and both come back."""
        p0, p1 = self.flow()
        p0.promisc()
        p1.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        p0.w(R.RDB_PB_SZ(0), kib(448))
        p0.ws([(R.PFCMACDAL, 0xC2000001), (R.PFCMACDAH, 0x0180), (R.RFCV(0), FULL),
               (R.RDB_RFCRT, 0x7FFF), (R.RFCL(0), kib(10) | XONE),
               (R.RFCH(0), kib(40) | XOFFE), (R.RDB_RFCC, R.bit(3))])
        back, rx0 = p1.tx_ring(size=1024), p0.rx_ring(size=1024, fill=0)
        for i in range(50):
            back.send(self.udp4(982, dst=p0.mac, src=p1.mac, seed=i))
        self.fill(50)
        self.q.step_ms(5)
        self.assertGreater(p0.r(R.LXOFFRXC), 1)
        self.assertGreater(p1.r(R.LXOFFRXC), 1)
        self.rx.fill(200)
        rx0.fill(200)
        self.assertEqual(len(self.rx.take(50)), 50)
        self.assertEqual(len(rx0.take(50)), 50)


class Received(Flow):

    def frame(self, op, body, dst="01:80:c2:00:00:01"):
        return F.eth(F.mac(dst), self.p1.mac, 0x8808,
                     struct.pack(">H", op) + body + bytes(44 - len(body)))

    def test_frames_in_flight_stop_too(self):
        """What is queued for the line does not leave while paused, and is paced after."""
        p0, p1 = self.pair(both={"line-rate": 1000})
        p0.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        p1.promisc()
        rx, tx, back = p1.rx_ring(), p0.tx_ring(), p1.tx_ring()
        for i in range(20):
            tx.send(self.udp4(1458, seed=i))              # 12 us each at 1 Gbit/s
        back.send(self.frame(1, struct.pack(">H", FULL)))
        self.q.step_us(30)
        early = len(rx.collect())
        self.assertLess(early, 5)
        self.q.step_us(1000)
        self.assertEqual(len(rx.collect()), 0)
        self.q.step_us(400)
        some = len(rx.collect())
        self.assertTrue(0 < some < 20 - early, "no burst when it ends")
        self.q.step_us(400)
        self.assertEqual(early + some + len(rx.collect()), 20)

    def test_only_the_pause_address(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        back = p1.tx_ring()
        back.send(self.frame(1, struct.pack(">H", FULL), dst="01:80:c2:00:00:02"))
        back.send(self.frame(2, struct.pack(">H", FULL)))
        self.q.step_us(100)
        self.assertEqual(p0.rs([R.LXOFFRXC, R.LXONRXC]), [0, 0])

    def test_priority_pause_is_counted(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 1, R.bit(8))
        back = p1.tx_ring()
        times = struct.pack(">8H", 0, 7, 0, 0, 0, 9, 0, 0)
        back.send(self.frame(0x101, struct.pack(">H", 0b00100110) + times))
        self.q.step_us(100)
        self.assertEqual(p0.rs(0x11FA0 + 4 * i for i in range(8)), [0, 1, 0, 0, 0, 1, 0, 0])
        self.assertEqual(p0.rs(0x11FC0 + 4 * i for i in range(8)), [0, 0, 1, 0, 0, 0, 0, 0])
        self.assertEqual(p0.r(R.LXOFFRXC), 0)
        p0.rmw(R.MAC_RX_FLOW_CTRL, R.bit(8), 0)
        back.send(self.frame(0x101, struct.pack(">H", 0xFF) + times))
        self.q.step_us(100)
        self.assertEqual(p0.r(0x11FA4), 1, "PFC is off")

    def test_lan_reset_ends_the_pause(self):
        p0, p1 = self.pair()
        p0.rmw(R.MAC_RX_FLOW_CTRL, 0, 1)
        back = p1.tx_ring()
        back.send(self.frame(1, struct.pack(">H", FULL)))
        self.q.settle()
        self.assertEqual(p0.r(R.LXOFFRXC), 1)
        p0.lan_reset()
        p0.configure()
        p0.irq_setup(1)
        p0.rx_enable()
        p0.link_up_seen()
        p1.promisc()
        rx, tx = p1.rx_ring(), p0.tx_ring()
        f = self.udp4()
        tx.send(f)
        self.q.settle()
        self.assertEqual(rx.one(limit_ms=0)[1], f, "at once")

# SPDX-License-Identifier: GPL-2.0-only
"""Receive coalescing: format of an aggregate and what must stay apart (12
section 8).  When an aggregate closes is the model's choice; the sums are not."""

import struct

import desc as D
import frames as F
import regs as R
from base import Base

S4, D4 = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")
OPTS = bytes.fromhex("0101080a0000000100000002")


class Rsc(Base):

    def ready(self, cfg=R.RR_RSC | 3 << 23, dis=0, itr=25, buf_kb=3):
        p0, p1 = self.pair(max_sz=9432)
        p1.promisc()
        p1.rmw(R.PSR_CTL, R.PSR_RSC_DIS, R.PSR_RSC_ACK | (R.PSR_RSC_DIS if dis else 0))
        p1.ws((R.RSSRK(i), w) for i, w in enumerate(struct.unpack("<10I", F.RSS_TEST_KEY)))
        p1.w(R.RA_CTL, 0x00330004)
        p1.w(R.ITR(0), itr | R.ITR_CNT_WDIS)
        self.rx = p1.rx_ring(buf_kb=buf_kb, cfg=cfg, size=256)
        self.tx = p0.tx_ring(size=1024)
        return p0, p1

    def seg(self, seq, n=1448, sport=1000, flags=0x10, seed=0, **kw):
        body = F.tcp(S4, D4, sport, 80, F.pattern(n, seed), seq=seq, flags=flags,
                     options=OPTS, **kw)
        return F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 6, body))

    def burst(self, frames):
        for f in frames:
            self.tx.send(f, ring=False)
        self.tx.doorbell()

    def packets(self, want, limit_ms=20):
        """Packets as the driver chains them: (descriptors, data), following
        NEXTP, until @want payload-carrying frames are accounted for."""
        res, open_, frames, pos = [], {}, 0, self.rx.next

        def look():
            nonlocal frames, pos
            while True:
                d = self.rx.peek(pos)
                if not d.status & D.DD:
                    return frames >= want
                descs, data = open_.pop(pos, ([], b""))
                descs.append(d)
                data += self.q.mem_read(self.rx.buf(pos), d.length)
                if d.status & D.REOP:
                    res.append((descs, data))
                    frames += sum(x.rsccnt - 1 for x in descs) if d.rsccnt else 1
                else:
                    nxt = d.status >> 4 & 0xFFFF if d.rsccnt else (pos + 1) % self.rx.size
                    open_[nxt] = (descs, data)
                pos = (pos + 1) % self.rx.size
        self.q.wait(look, limit_ms, 10, f"{want} frames, {frames} so far")
        self.assertEqual(frames, want)
        self.rx.next = pos
        return res

    def check(self, descs, data, payload):
        """A packet must be one well-formed TCP/IPv4 frame around @payload."""
        self.assertEqual(data[66:], payload)
        self.assertEqual(struct.unpack(">H", data[16:18])[0], len(data) - 14, "IP length")
        for d in descs:
            self.assertTrue(d.rsccnt > 0 or len(descs) == 1)

    def test_worked_example(self):
        self.ready()
        for i in range(10):
            self.tx.send(self.udp4(seed=i))
        self.packets(10)
        self.assertEqual(self.rx.next, 10)
        self.q.step_ms(1)
        frames = [self.seg(1000 + 1448 * i, seed=i) for i in range(3)]
        self.burst(frames)
        (descs, data), = self.packets(3)
        h = F.toeplitz(F.RSS_TEST_KEY, S4 + D4 + struct.pack(">HH", 1000, 80))
        self.assertEqual(len(descs), 2)
        self.assertEqual((descs[0].d[0], descs[0].d[2], descs[0].d[3] & 0xFFFF),
                         (0x00080000, 0x000000B1, 0x0C00))
        self.assertEqual(descs[1].d, (0x00024801, h, 0x00000183, 0x0000053A))
        self.check(descs, data, b"".join(F.pattern(1448, i) for i in range(3)))

    def test_stream(self):
        """A long stream arrives whole, whatever the grouping."""
        self.ready()
        frames = [self.seg(5000 + 1448 * i, seed=i) for i in range(60)]
        got = []
        for i in range(0, 60, 20):
            self.burst(frames[i:i + 20])
            got += self.packets(20)
        body = b""
        for descs, data in got:
            seq, = struct.unpack(">I", data[38:42])
            self.assertEqual(seq, 5000 + len(body))
            self.check(descs, data, data[66:])
            body += data[66:]
        self.assertEqual(body, b"".join(F.pattern(1448, i) for i in range(60)))
        self.assertLess(len(got), 60, "something was merged")

    def test_interleaved_flows(self):
        self.ready()
        frames = []
        for i in range(8):
            for flow in range(3):
                frames.append(self.seg(1 + 1000 * i, 1000, sport=2000 + flow, seed=i + flow))
        self.burst(frames)
        bodies = {}
        for descs, data in self.packets(24):
            sport, = struct.unpack(">H", data[34:36])
            seq, = struct.unpack(">I", data[38:42])
            self.assertEqual(seq, 1 + len(bodies.get(sport, b"")))
            self.check(descs, data, data[66:])
            bodies[sport] = bodies.get(sport, b"") + data[66:]
        for flow in range(3):
            self.assertEqual(bodies[2000 + flow],
                             b"".join(F.pattern(1000, i + flow) for i in range(8)))

    def test_max_buffers(self):
        """MAX_RSCBUF 0, 1, 2, 3 = 1, 4, 8, 16 descriptors."""
        for field, most in ((0, 1), (1, 4), (2, 8), (3, 16)):
            with self.subTest(field):
                self.ready(cfg=R.RR_RSC | field << 23, buf_kb=2)
                self.burst([self.seg(1 + 1448 * i, seed=i) for i in range(40)])
                for descs, data in self.packets(40):
                    self.assertLessEqual(len(descs), most)
                    self.check(descs, data, data[66:])
                self.finish()

    def separate(self, frames, **kw):
        self.ready(**kw)
        self.burst(frames() if callable(frames) else frames)
        got = self.packets(len(frames()))
        self.assertEqual([d for _, d in got], [F.pad60(f) for f in frames()])
        for descs, _ in got:
            for d in descs:
                self.assertEqual(d.rsccnt, 0)

    def stream(self):
        return [self.seg(1 + 1448 * i, seed=i) for i in range(5)]

    def test_globally_off(self):
        self.separate(self.stream, dis=1)

    def test_off_for_the_ring(self):
        self.separate(self.stream, cfg=0)

    def test_pure_acks(self):
        self.separate(lambda: [self.seg(1, 0, ack=n) for n in range(5)])

    def test_udp(self):
        self.separate(lambda: [self.udp4(400, seed=n) for n in range(5)])

    def test_syn_fin_rst_urg(self):
        for flag in (0x12, 0x14, 0x30):
            with self.subTest(hex(flag)):
                self.ready()
                frames = [self.seg(1, 100), self.seg(101, 100, flags=flag), self.seg(201, 100)]
                self.burst(frames)
                got = self.packets(3)
                self.assertIn(frames[1], [d for _, d in got])
                self.finish()

    def test_gap_and_reorder(self):
        self.ready()
        order = [0, 1, 3, 2, 4]
        self.burst([self.seg(1 + 1000 * i, 1000, seed=i) for i in order])
        seen = {}
        for descs, data in self.packets(5):
            self.check(descs, data, data[66:])
            seq, = struct.unpack(">I", data[38:42])
            seen[seq] = data[66:]
        body = b"".join(seen[k] for k in sorted(seen))
        self.assertEqual(body, b"".join(F.pattern(1000, i) for i in range(5)))

    def test_bad_checksum_is_not_merged(self):
        self.ready()
        good = [self.seg(1 + 500 * i, 500, seed=i) for i in range(3)]
        bad = good[1][:-1] + bytes([good[1][-1] ^ 1])
        self.burst([good[0], bad, good[2]])
        got = self.packets(3)
        hit = [descs[0] for descs, data in got if data == bad]
        self.assertEqual(len(hit), 1)
        self.assertTrue(hit[0].status & D.TCPE)

    def test_closes_without_more_traffic(self):
        self.ready(itr=50)
        self.burst([self.seg(1, seed=0), self.seg(1449, seed=1)])
        got = self.packets(2, limit_ms=5)
        self.assertEqual(b"".join(d[66:] for _, d in got), F.pattern(1448, 0) + F.pattern(1448, 1))

    def test_ring_reset_drops_open_aggregate(self):
        _, p1 = self.ready(itr=500)
        self.burst([self.seg(1)])
        p1.rmw(R.RR(0, "CFG"), 1, 0)
        self.q.step_ms(5)
        self.rx.enable()
        self.rx.fill(100)
        self.burst([self.udp4()])
        self.assertEqual([d for _, d in self.packets(1)], [self.udp4()])

# SPDX-License-Identifier: GPL-2.0-only
"""Header split (12 section 9) and UDP segmentation (11 section 6)."""

import struct

import desc as D
import frames as F
import regs as R
from base import Base
from test_tx import TxBase

S4, D4 = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")
S6, D6 = F.ip6("fd00::1"), F.ip6("fd00::2")
HBO = R.bit(23)
L4HDR, L3HDR, L2HDR = R.bit(1), R.bit(2), R.bit(3)


class Split(Base):

    def ready(self, pl, hdr_64=4, cfg=0, buf_kb=2):
        """A ring of descriptors with a packet and a header buffer each."""
        p0, p1 = self.pair(max_sz=9432)
        p1.promisc()
        p1.w(R.PL_CFG(0), pl)
        self.rx = p1.rx_ring(fill=0, buf_kb=buf_kb, cfg=R.RR_SPLIT | cfg)
        p1.w(R.RR(0, "CFG"), p1.r(R.RR(0, "CFG")) & ~R.RR_EN)
        self.rx.cfg = self.rx.cfg & ~0xF000 | hdr_64 << 12
        self.rx.enable()
        self.hdrs = self.q.alloc(128 * 1024, 4096)
        for i in range(100):
            self.q.mem_write(self.rx.base + 16 * i,
                             struct.pack("<QQ", self.rx.buf(i), self.hdrs + 1024 * i))
        self.rx.wp = 100
        p1.w(R.RR(0, "WP"), 100)
        self.tx = p0.tx_ring()
        self.n = 0

    def one(self, frame):
        """Send a frame; returns (descriptors, header bytes, packet bytes)."""
        first = self.rx.next
        self.tx.send(frame)
        (descs, data), = self.rx.take()
        hdr = b""
        if descs[0].sph:
            hdr = self.q.mem_read(self.hdrs + 1024 * first, descs[0].hdrlen)
        return descs, hdr, data

    def check(self, frame, cut):
        descs, hdr, data = self.one(frame)
        self.assertEqual(descs[0].sph, 1 if cut else 0)
        self.assertEqual(descs[0].hdrlen, cut)
        self.assertEqual((hdr, data), (frame[:cut], frame[cut:]))
        self.assertEqual(descs[-1].status & HBO, 0)
        return descs

    def other(self):
        return F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(100))

    def test_at_l4(self):
        self.ready(L4HDR)
        self.check(self.tcp4(400), 54)
        self.check(self.udp4(400), 42)
        self.check(self.udp4(400, tags=[(0x8100, 5)]), 46)
        self.check(F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6, F.ipv6(
            S6, D6, 17, F.udp(S6, D6, 1, 2, F.pattern(300)))), 62)
        self.check(self.other(), 0)
        self.check(self.udp4(400, flags=0x2000), 0)

    def test_deepest_header_wins(self):
        self.ready(L4HDR | L3HDR | L2HDR)
        self.check(self.udp4(400), 42)
        self.check(self.udp4(400, flags=0x2000), 34)
        self.check(self.other(), 14)

    def test_after_strip(self):
        self.ready(L4HDR, cfg=R.RR_VLAN)
        descs, hdr, data = self.one(self.udp4(400, tags=[(0x8100, 5)]))
        want = self.udp4(400)
        self.assertEqual((descs[0].hdrlen, hdr, data), (42, want[:42], want[42:]))
        self.assertEqual(descs[0].vlan, 5)

    def test_several_buffers(self):
        self.ready(L4HDR, buf_kb=1)
        descs = self.check(self.udp4(3000), 42)
        self.assertEqual([d.length for d in descs], [1024, 1024, 952])
        self.assertEqual([d.sph for d in descs], [1, 0, 0])
        self.assertEqual([d.status & 3 for d in descs], [1, 1, 3])

    def test_header_too_long(self):
        self.ready(L4HDR, hdr_64=1)
        seg = F.tcp(S4, D4, 1, 2, F.pattern(200), options=bytes([1]) * 40)
        f = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 6, seg))
        descs, _, data = self.one(f)
        self.assertEqual(descs[0].sph, 0)
        self.assertTrue(descs[0].status & HBO)
        self.assertEqual(data, f)
        self.check(self.udp4(100), 42)

    def test_missing_header_buffer(self):
        self.ready(L4HDR)
        self.q.mem_write(self.rx.base, struct.pack("<QQ", self.rx.buf(0), 0))
        self.tx.send(self.udp4())
        self.q.step_ms(2)
        self.violation("desc-field")
        self.assertEqual(self.rx.collect(), [])


class UdpSegments(TxBase):

    def uso(self, v6, n, mss):
        src, dst = (S6, D6) if v6 else (S4, D4)
        l3 = 40 if v6 else 20
        payload = F.pattern(n)
        udp = struct.pack(">HHHH", 5000, 6000, 0, F.pseudo(src, dst, 17, 0))
        ip = F.ipv6(src, dst, 17, udp, plen=0) if v6 else \
            F.ipv4(src, dst, 17, udp, ident=7, tot_len=0, check=0)
        head = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6 if v6 else F.ETH_IP4, ip)
        st = D.ST_CC | D.ST_L4CS | (0 if v6 else D.ST_IIPCS)
        self.tx.put([D.tx_ctx(14, l3, ptype=0x2B if v6 else 0x23, l4len=8, mss=mss),
                     D.tx_data(self.put(head), len(head), D.TSE | D.IFCS, n << 13 | st),
                     D.tx_data(self.put(payload), n, D.TSE | D.IFCS | D.EOP | D.RS)])
        want = []
        for k, pos in enumerate(range(0, n, mss)):
            seg = F.udp(src, dst, 5000, 6000, payload[pos:pos + mss])
            ip = F.ipv6(src, dst, 17, seg) if v6 else F.ipv4(src, dst, 17, seg, ident=7 + k)
            want.append(F.pad60(F.eth(self.p1.mac, self.p0.mac,
                                      F.ETH_IP6 if v6 else F.ETH_IP4, ip)))
        self.assertEqual(self.got(len(want)), want)

    def test_segments(self):
        self.ready()
        for v6 in (False, True):
            for n, mss in ((3000, 1000), (3001, 1000), (1000, 1000), (12000, 1452)):
                with self.subTest(v6=v6, n=n, mss=mss):
                    self.uso(v6, n, mss)

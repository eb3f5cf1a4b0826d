# SPDX-License-Identifier: GPL-2.0-only
"""Receive: descriptors, buffers, types, checksums, RSS (12, 13)."""

import struct
import zlib

import desc as D
import frames as F
import regs as R
from base import Base

S4, D4 = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")
S6, D6 = F.ip6("fd00::1"), F.ip6("fd00::2")
O4S, O4D = F.ip4("192.168.9.1"), F.ip4("192.168.9.2")
O6S, O6D = F.ip6("fd99::1"), F.ip6("fd99::2")
RSS_ALL = 0x00FF0000


class RxBase(Base):

    def ready(self, queues=1, max_sz=9432, rings=True, promisc=True, tx=True, **ring):
        p0, p1 = self.pair(max_sz=max_sz, queues=queues)
        if promisc:
            p1.promisc()
        if rings:
            self.rx = p1.rx_ring(**ring)
        if tx:
            self.tx = p0.tx_ring(size=1024)
        return p0, p1

    def send(self, *frames):
        for f in frames:
            self.tx.send(f)

    def one(self, frame):
        self.send(frame)
        return self.rx.one()

    def rss(self, p, types=0x33, key=F.RSS_TEST_KEY, table=None):
        """Test key, identity table unless given, hash types in bits 23:16."""
        p.ws((R.RSSRK(i), w) for i, w in enumerate(struct.unpack("<10I", key)))
        table = table or [0] * 128
        p.ws((R.RETA(i), w) for i, w in enumerate(struct.unpack("<32I", bytes(table))))
        p.w(R.RA_CTL, types << 16 | 4)


class Examples(RxBase):
    """12 section 13, exact dwords."""

    def vector(self, tags=(), bad=False, size=1514):
        src, dst = F.ip4("66.9.149.187"), F.ip4("161.142.100.80")
        seg = F.tcp(src, dst, 2794, 1766, F.pattern(size - 54))
        if bad:
            seg = seg[:16] + bytes([seg[16] ^ 0x55]) + seg[17:]
        return F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(src, dst, 6, seg), tags)

    def sixth(self, make, cfg=0):
        """Receive the frame make() builds with RP = 5."""
        _, p1 = self.ready(cfg=cfg)
        self.rss(p1)
        for i in range(5):
            self.one(self.udp4(seed=i))
        self.assertEqual(p1.r(R.RR(0, "RP")), 5)
        self.send(make())
        d, data = self.rx.one()
        self.assertEqual(p1.r(R.RR(0, "RP")), 6)
        return d, data

    def test_plain(self):
        d, data = self.sixth(self.vector)
        self.assertEqual(len(data), 1514)
        self.assertEqual(d.d, (0x00004801, 0x51CCC178, 0x00000183, 0x000005EA))
        self.assertEqual(d.raw.hex(" "),
                         "01 48 00 00 78 c1 cc 51 83 01 00 00 ea 05 00 00")
        self.assertEqual(data, self.vector())

    def test_vlan(self):
        d, data = self.sixth(lambda: self.vector([(0x8100, 100)]), R.RR_VLAN)
        self.assertEqual(d.d, (0x00004801, 0x51CCC178, 0x000001A3, 0x006405EA))
        self.assertEqual(data, self.vector())

    def test_stag(self):
        d, data = self.sixth(lambda: self.vector([(0x88A8, 100)]), R.RR_VLAN)
        self.assertEqual(d.d, (0x00004841, 0x51CCC178, 0x000001A3, 0x006405EA))
        self.assertEqual(data, self.vector())

    def test_bad_tcp(self):
        d, _ = self.sixth(lambda: self.vector(bad=True))
        self.assertEqual(d.status, 0x40000183)

    def test_ipv6_udp(self):
        _, p1 = self.ready()
        self.rss(p1, 0xFF)
        d, _ = self.one(F.eth(p1.mac, self.p0.mac, F.ETH_IP6, F.ipv6(
            S6, D6, 17, F.udp(S6, D6, 1, 2, F.pattern(100)))))
        self.assertEqual(d.d[0], 0x00005608)
        self.assertEqual(d.status, 0x00000083)

    def test_jumbo(self):
        self.ready()
        frame = self.udp4(5000 - 42)
        self.send(frame)
        (descs, data), = self.rx.take()
        self.assertEqual([d.length for d in descs], [2048, 2048, 904])
        self.assertEqual([d.status for d in descs[:2]], [1, 1])
        self.assertEqual(descs[2].status, 0x183)
        self.assertEqual([d.rsccnt for d in descs], [0, 0, 0])
        self.assertEqual(data, frame)


class Ring(RxBase):

    def test_wrap_and_order(self):
        _, p1 = self.ready()
        n = 0
        for burst in (127, 1, 100, 50, 127, 90):
            frames = [self.udp4(20, seed=n + i) for i in range(burst)]
            self.send(*frames)
            got = [d for _, d in self.rx.take(burst)]
            self.assertEqual(got, frames)
            n += burst
            self.assertEqual(p1.r(R.RR(0, "RP")), n % 128)
            self.rx.fill(burst)

    def test_header_address_bytes_are_ignored_and_overwritten(self):
        _, p1 = self.ready(fill=0)
        junk = struct.pack("<QQ", self.rx.buf(0), 0xFFFFFFFFFFFFFFFF)
        self.q.mem_write(self.rx.base, junk)
        self.rx.wp = 1
        p1.w(R.RR(0, "WP"), 1)
        self.send(self.udp4())
        d = self.q.wait(lambda: (lambda x: x if x.d[2] == 0x183 else None)(self.rx.peek(0)),
                        50, what="clean write-back")
        self.assertEqual(d.d[1], 0)
        self.assertEqual(d.d[3], len(self.udp4()))

    def test_only_given_descriptors_are_used(self):
        _, p1 = self.ready(fill=3)
        for i in range(5):
            self.send(self.udp4(seed=i))
        self.rx.take(3)
        self.q.step_ms(5)
        self.assertEqual(p1.r(R.RR(0, "RP")), 3)
        self.assertEqual(self.rx.peek(3).status & 1, 0)

    def test_hold_then_deliver(self):
        """Without DROP_EN frames wait for descriptors (rule 3)."""
        self.ready(fill=0)
        frames = [self.udp4(seed=i) for i in range(10)]
        self.send(*frames)
        self.q.step_ms(5)
        self.assertEqual(self.rx.collect(), [])
        self.rx.fill(10)
        self.assertEqual([d for _, d in self.rx.take(10)], frames)

    def test_drop_en_and_qde(self):
        for how in ("cfg", "qde"):
            with self.subTest(how):
                _, p1 = self.ready(fill=1, cfg=R.RR_DROP_EN if how == "cfg" else 0)
                if how == "qde":
                    p1.w(R.RDM_QDE(0), 1)
                self.send(self.udp4(seed=1), self.udp4(seed=2))
                self.assertEqual(self.rx.take(1)[0][1], self.udp4(seed=1))
                self.q.step_ms(2)
                self.rx.fill(5)
                self.q.step_ms(2)
                self.assertEqual(self.rx.collect(), [])
                self.assertEqual(p1.r(R.RDM_DRP), 1)
                self.finish()

    def test_never_partial(self):
        _, p1 = self.ready(fill=2)
        big = self.udp4(4500)
        self.send(big)
        self.q.step_ms(5)
        self.assertEqual(p1.r(R.RR(0, "RP")), 0)
        self.assertEqual(self.rx.peek(0).status & 1, 0)
        self.rx.fill(3)
        self.assertEqual(self.rx.take()[0][1], big)

    def test_never_partial_drop(self):
        _, p1 = self.ready(fill=2, cfg=R.RR_DROP_EN)
        self.send(self.udp4(4500), self.udp4(10))
        self.assertEqual(self.rx.take()[0][1], F.pad60(self.udp4(10)))
        self.assertEqual(p1.r(R.RDM_DRP), 1)

    def test_buffer_sizes(self):
        for kb in (1, 2, 3, 4, 15, 16):
            with self.subTest(kb):
                _, p1 = self.pair(max_sz=9432)
                p1.promisc()
                self.tx = self.p0.tx_ring()
                # The field's 0 means 16 KiB.
                self.rx = p1.rx_ring(buf_kb=kb)
                f = self.udp4(9000)
                self.send(f)
                (descs, data), = self.rx.take()
                want = -(-len(f) // (kb * 1024))
                self.assertEqual(len(descs), want)
                self.assertTrue(all(d.length == kb * 1024 for d in descs[:-1]))
                self.assertEqual(data, f)
                self.finish()

    def test_exact_multiple(self):
        self.ready()
        for n in (2048, 4096, 6144):
            f = self.udp4(n - 42)
            self.send(f)
            (descs, data), = self.rx.take()
            self.assertEqual([d.length for d in descs], [2048] * (n // 2048))
            self.assertEqual(data, f)

    def test_every_ring(self):
        _, p1 = self.ready(rings=False)
        for i in range(128):
            p1.rx_ring(i, buf_kb=1, fill=4)
        self.rss(p1, RSS_ALL >> 16, table=list(range(128)))
        sent, left, sport = {}, set(range(128)), 1
        while left:
            h = F.toeplitz(F.RSS_TEST_KEY, S4 + D4 + struct.pack(">HH", sport, 2000))
            if h & 127 in left:
                left.discard(h & 127)
                sent[h & 127] = self.udp4(20, sport=sport)
                self.send(sent[h & 127])
            sport += 1
        for i in range(128):
            d, data = p1.rx[i].one()
            self.assertEqual(data, F.pad60(sent[i]))
            self.assertEqual(d.hash & 127, i)
            self.assertEqual(p1.r(R.RR(i, "PKT")), 1)

    def test_sizes(self):
        _, p1 = self.ready(rings=False)
        for size in (256, 512, 4096, 8192):
            rx = p1.rx_ring(0, size=size, buf_kb=1, fill=0)
            p1.w(R.RR(0, "CFG"), rx.cfg & ~1)
            p1.ws([(R.RR(0, "RP"), size - 1), (R.RR(0, "WP"), size - 1),
                   (R.RR(0, "CFG"), rx.cfg | 1)])
            rx.next = rx.wp = size - 1
            rx.fill(3)
            self.send(self.udp4(seed=1), self.udp4(seed=2))
            self.assertEqual([d for _, d in rx.take(2)],
                             [self.udp4(seed=1), self.udp4(seed=2)])
            self.assertEqual(p1.r(R.RR(0, "RP")), 1)

    def test_interrupt_after_write_back(self):
        _, p1 = self.ready(queues=2)
        self.send(self.udp4())
        self.q.wait(lambda: p1.took(0), 20, what="Rx interrupt")
        self.assertEqual(self.rx.peek(0).status & 3, 3)

    def test_interrupt_for_the_last_of_a_burst(self):
        _, p1 = self.ready()
        got = 0
        for n in (1, 2, 3, 5, 7):
            self.send(*[self.udp4(seed=i) for i in range(n)])
            got += n
            for _ in range(200):
                self.q.step_us(10)
                p1.took(0) and p1.unmask(0)
            self.assertEqual(p1.r(R.RR(0, "RP")), got)
        self.drain_irqs(p1)
        self.send(self.udp4())
        self.q.wait(lambda: p1.took(0), 20)

    def test_crc_strip_off(self):
        _, p1 = self.ready()
        p1.rmw(R.RSC_CTL, R.CRC_STRIP, 0)
        f = self.udp4(100)
        d, data = self.one(f)
        self.assertEqual(d.length, len(f) + 4)
        self.assertEqual(data, f + struct.pack("<I", zlib.crc32(f)))

    def test_padded_to_60(self):
        self.ready()
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, b"abc")
        d, data = self.one(f)
        self.assertEqual((d.length, data), (60, F.pad60(f)))


class Gates(RxBase):

    def dropped(self, close, open_):
        """Frames that come while a gate is closed are gone silently (rule 4)."""
        _, p1 = self.ready()
        close(p1)
        self.send(self.udp4(seed=1))
        self.q.step_ms(2)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(p1.r(R.RR(0, "RP")), 0)
        self.assertEqual(p1.counters()["rx_drop_gate"], 1)
        open_(p1)
        self.send(self.udp4(seed=2))
        self.assertEqual(self.rx.one()[1], self.udp4(seed=2))

    def test_rxen(self):
        self.dropped(lambda p: p.rmw(R.RDB_PB_CTL, R.RXEN, 0),
                     lambda p: p.rmw(R.RDB_PB_CTL, 0, R.RXEN))

    def test_mac_re(self):
        self.dropped(lambda p: p.rmw(R.MAC_RX_CFG, 1, 0),
                     lambda p: p.rmw(R.MAC_RX_CFG, 0, 1))

    def test_rx_dis(self):
        self.dropped(lambda p: p.rmw(R.RSC_CTL, 0, R.RX_DIS),
                     lambda p: p.rmw(R.RSC_CTL, R.RX_DIS, 0))

    def test_drain_status(self):
        p = self.solo()
        p.w(R.RSC_CTL, R.RX_DIS)
        self.assertEqual(p.r(R.RSC_ST) & 1, 1)
        p.w(R.TSC_CTL, R.TX_DIS)
        self.assertEqual(p.r(R.TSC_ST) & 1, 1)

    def test_bus_master(self):
        _, p1 = self.ready()
        self.allow("dma-gate")
        p1.pci.command(2)
        self.send(self.udp4(seed=1))
        self.q.step_ms(2)
        self.assertEqual(self.q.mem_read(self.rx.buf(0), 64), bytes(64))

    def test_ring_off(self):
        _, p1 = self.ready()
        p1.rmw(R.RR(0, "CFG"), R.RR_EN, 0)
        self.send(self.udp4())
        self.q.step_ms(2)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(p1.r(R.RDM_DRP), 1, "13 rule 12.6")

    def test_max_size(self):
        """PSR_MAX_SZ counts the FCS (12 section 10)."""
        _, p1 = self.ready(max_sz=1522)
        self.send(self.udp4(1518 - 42))
        self.assertEqual(len(self.rx.one()[1]), 1518)
        self.send(self.udp4(1519 - 42), self.udp4(10))
        self.assertEqual(len(self.rx.one()[1]), 60)
        p1.w(R.PSR_MAX_SZ, 9432)
        self.send(self.udp4(1519 - 42))
        self.assertEqual(len(self.rx.one()[1]), 1519)


class Vlan(RxBase):

    def test_strip_only_when_asked(self):
        _, p1 = self.ready()
        f = self.udp4(tags=[(0x8100, 0x2064)])
        d, data = self.one(f)
        self.assertEqual(data, f)
        p1.rmw(R.RR(0, "CFG"), 0, R.RR_VLAN)               # toggled live
        d, data = self.one(f)
        self.assertEqual(data, self.udp4())
        self.assertEqual((d.vlan, d.status & D.VP), (0x2064, D.VP))
        d, data = self.one(self.udp4())
        self.assertEqual(d.status & D.VP, 0)

    def test_outermost_only(self):
        self.ready(cfg=R.RR_VLAN)
        d, data = self.one(self.udp4(tags=[(0x88A8, 7), (0x8100, 9)]))
        self.assertEqual((d.vlan, d.tpid), (7, 1))
        self.assertEqual(data, self.udp4(tags=[(0x8100, 9)]))

    def test_unknown_tpid_is_payload(self):
        self.ready(cfg=R.RR_VLAN)
        f = self.udp4(tags=[(0x9100, 7)])
        d, data = self.one(f)
        self.assertEqual(data, f)
        self.assertEqual(d.status & D.VP, 0)

    def test_index_of_first_equal_entry(self):
        _, p1 = self.ready(cfg=R.RR_VLAN)
        p1.ws([(R.TPID(1), 0x91008100), (R.TPID(2), 0x91009200)])
        self.assertEqual(self.one(self.udp4(tags=[(0x9100, 1)]))[0].tpid, 3)
        self.assertEqual(self.one(self.udp4(tags=[(0x9200, 1)]))[0].tpid, 4)
        self.assertEqual(self.one(self.udp4(tags=[(0x8100, 1)]))[0].tpid, 0)

    def test_short_frame_padded_after_strip(self):
        self.ready(cfg=R.RR_VLAN)
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, b"abc", [(0x8100, 5)])
        d, data = self.one(f)
        self.assertEqual(d.vlan, 5)
        self.assertEqual(data[:17], f[:12] + f[16:])

    def test_types_see_through_tags(self):
        self.ready()
        d, _ = self.one(self.udp4(tags=[(0x88A8, 7), (0x8100, 9)]))
        self.assertEqual(d.ptype, D.P_IP4_UDP)
        self.assertEqual(d.status & (D.L4CS | D.IPCS), D.L4CS | D.IPCS)


class Types(RxBase):

    def l4(self, kind, src, dst, bad=False):
        if kind == "udp":
            seg, num, nib = F.udp(src, dst, 1111, 2222, F.pattern(60)), 17, 3
        elif kind == "tcp":
            seg, num, nib = F.tcp(src, dst, 1111, 2222, F.pattern(60)), 6, 4
        elif kind == "sctp":
            seg, num, nib = F.sctp(1111, 2222, bytes([0, 3, 0, 60]) + F.pattern(56)), 132, 5
        else:
            seg, num, nib = F.pattern(60), 89, 2
        if bad:
            seg = seg[:-1] + bytes([seg[-1] ^ 0xFF])
        return seg, num, nib

    def ip(self, v6, kind, bad=False, src=None, dst=None, ipbad=False):
        src, dst = src or (S6 if v6 else S4), dst or (D6 if v6 else D4)
        seg, num, nib = self.l4(kind, src, dst, bad)
        if v6:
            return F.ipv6(src, dst, num, seg), nib | 8
        pkt = F.ipv4(src, dst, num, seg)
        if ipbad:
            pkt = pkt[:10] + bytes([pkt[10] ^ 1]) + pkt[11:]
        return pkt, nib

    def eth(self, proto, body):
        return F.eth(self.p1.mac, self.p0.mac, proto, body)

    def test_plain_ip(self):
        self.ready()
        for v6 in (False, True):
            for kind in ("udp", "tcp", "sctp", "other"):
                for bad in (False, True):
                    with self.subTest(v6=v6, kind=kind, bad=bad):
                        pkt, nib = self.ip(v6, kind, bad)
                        d, _ = self.one(self.eth(F.ETH_IP6 if v6 else F.ETH_IP4, pkt))
                        self.assertEqual(d.ptype, 0x20 | nib)
                        known = kind != "other"
                        self.assertEqual(bool(d.status & D.L4CS), known)
                        self.assertEqual(bool(d.status & D.TCPE), known and bad)
                        self.assertEqual(bool(d.status & D.IPCS), not v6)
                        self.assertEqual(d.status & (D.IPE | D.OUTERIPCS | D.RXE), 0)

    def test_bad_ip_header(self):
        self.ready()
        pkt, _ = self.ip(False, "udp", ipbad=True)
        d, _ = self.one(self.eth(F.ETH_IP4, pkt))
        self.assertEqual(d.status & (D.IPCS | D.IPE), D.IPCS | D.IPE)

    def test_udp_without_checksum(self):
        self.ready()
        d, _ = self.one(self.eth(F.ETH_IP4, F.ipv4(
            S4, D4, 17, F.udp(S4, D4, 1, 2, F.pattern(30), check=0))))
        self.assertEqual(d.status & (D.L4CS | D.TCPE), 0)
        self.assertEqual(d.ptype, D.P_IP4_UDP)

    def test_fragments(self):
        self.ready()
        seg = F.udp(S4, D4, 1, 2, F.pattern(64))
        for flags in (0x2000, 0x2004, 0x0008):
            d, _ = self.one(self.eth(F.ETH_IP4, F.ipv4(S4, D4, 17, seg, flags=flags)))
            self.assertEqual(d.ptype, 0x21)
            self.assertEqual(d.status & (D.L4CS | D.IPCS), D.IPCS)
        for off in (1, 8):
            frag = bytes([17, 0]) + struct.pack(">HI", off, 9) + seg
            d, _ = self.one(self.eth(F.ETH_IP6, F.ipv6(S6, D6, 44, frag)))
            self.assertEqual(d.ptype, 0x29)
            self.assertEqual(d.status & D.L4CS, 0)

    def test_options_and_extensions(self):
        self.ready()
        seg = F.tcp(S4, D4, 1, 2, F.pattern(50))
        d, _ = self.one(self.eth(F.ETH_IP4, F.ipv4(S4, D4, 6, seg, options=bytes(8))))
        self.assertEqual((d.ptype, d.status & 0x1FF), (D.P_IP4_TCP, 0x183))
        seg = F.tcp(S6, D6, 1, 2, F.pattern(50))
        dest = bytes([6, 0, 1, 4, 0, 0, 0, 0])
        d, _ = self.one(self.eth(F.ETH_IP6, F.ipv6(S6, D6, 60, dest + seg)))
        self.assertEqual(d.ptype, D.P_IP6_TCP)
        self.assertTrue(d.status & R.bit(12), "IPV6EX")

    def test_tcp_flags_do_not_matter(self):
        self.ready()
        for flags in (0x02, 0x12, 0x11, 0x04, 0x18):
            d, _ = self.one(self.tcp4(30, flags=flags))
            self.assertEqual(d.ptype, D.P_IP4_TCP)

    def test_l2(self):
        self.ready()
        for proto, want in ((0x88B5, 0x11), (0x88F7, 0x12), (0x8914, 0x13), (0x88CC, 0x14),
                            (0x888E, 0x16), (0x0806, 0x17)):
            with self.subTest(hex(proto)):
                d, _ = self.one(self.eth(proto, F.pattern(50)))
                self.assertEqual(d.ptype, want)
                self.assertEqual(d.status & (D.L4CS | D.IPCS), 0)

    def tunnel(self, kind, ov6, inner, iv6, vlan=False, odrop=0):
        """One tunnelled frame and the type code's kind bits."""
        os, od = (O6S, O6D) if ov6 else (O4S, O4D)
        proto = F.ETH_IP6 if iv6 else F.ETH_IP4
        m2 = F.eth(F.mac("02:00:00:00:00:01"), F.mac("02:00:00:00:00:02"), proto, inner,
                   [(0x8100, 3)] if vlan else ())
        bits = 0x30 if vlan else 0x20
        if kind == "vxlan":
            body = F.udp(os, od, 5555, 4789, bytes.fromhex("0800000000002a00") + m2, check=0)
            nxt = 17
        elif kind == "geneve":
            body = F.udp(os, od, 5555, 6081, bytes.fromhex("0000655800002a00") + m2, check=0)
            nxt = 17
        elif kind == "gretap":
            body, nxt = struct.pack(">HH", 0, 0x6558) + m2, 47
        elif kind == "nvgre":
            body, nxt = struct.pack(">HHI", 0x2000, 0x6558, 0x2A00) + m2, 47
        elif kind == "gre":
            body, nxt, bits = struct.pack(">HH", 0, proto) + inner, 47, 0x10
        elif kind == "grekey":
            body, nxt, bits = struct.pack(">HHII", 0x3000, proto, 5, 6) + inner, 47, 0x10
        else:
            body, nxt, bits = inner, 41 if iv6 else 4, 0
        ip = F.ipv6(os, od, nxt, body) if ov6 else F.ipv4(os, od, nxt, body)
        if odrop:
            ip = ip[:10] + bytes([ip[10] ^ 1]) + ip[11:]
        return self.eth(F.ETH_IP6 if ov6 else F.ETH_IP4, ip), bits | (0xC0 if ov6 else 0x80)

    def tunnels_on(self):
        self.p1.ws([(R.VXLAN, 4789), (R.GENEVE, 6081), (R.VXLAN_GPE, 4790)])

    def test_tunnels(self):
        self.ready()
        self.tunnels_on()
        for tun in ("vxlan", "geneve", "gretap", "nvgre", "gre", "grekey", "ipip"):
            for ov6 in (False, True):
                for iv6 in (False, True):
                    for kind in ("udp", "tcp", "other"):
                        with self.subTest(tun=tun, outer6=ov6, inner6=iv6, kind=kind):
                            pkt, nib = self.ip(iv6, kind)
                            f, bits = self.tunnel(tun, ov6, pkt, iv6)
                            d, data = self.one(f)
                            self.assertEqual(hex(d.ptype), hex(bits | nib))
                            self.assertEqual(data, f)
                            self.assertEqual(bool(d.status & D.OUTERIPCS), not ov6)
                            self.assertEqual(bool(d.status & D.IPCS), not iv6)
                            self.assertEqual(bool(d.status & D.L4CS), kind != "other")
                            self.assertEqual(d.status & (D.OUTERIPER | D.IPE | D.TCPE), 0)
                            self.rx.fill(1)

    def test_inner_vlan(self):
        self.ready()
        self.tunnels_on()
        for tun in ("vxlan", "gretap"):
            pkt, nib = self.ip(False, "tcp")
            f, bits = self.tunnel(tun, False, pkt, False, vlan=True)
            d, _ = self.one(f)
            self.assertEqual(hex(d.ptype), hex(bits | nib))

    def test_inner_errors(self):
        self.ready()
        self.tunnels_on()
        for tun in ("vxlan", "gre", "ipip"):
            pkt, _ = self.ip(False, "tcp", bad=True)
            d, _ = self.one(self.tunnel(tun, False, pkt, False)[0])
            self.assertEqual(d.status & (D.L4CS | D.TCPE | D.IPE | D.OUTERIPER),
                             D.L4CS | D.TCPE)
            pkt, _ = self.ip(False, "tcp", ipbad=True)
            d, _ = self.one(self.tunnel(tun, False, pkt, False)[0])
            self.assertEqual(d.status & (D.IPCS | D.IPE | D.OUTERIPER), D.IPCS | D.IPE)
            pkt, _ = self.ip(False, "tcp")
            d, _ = self.one(self.tunnel(tun, False, pkt, False, odrop=1)[0])
            self.assertEqual(d.status & (D.OUTERIPCS | D.OUTERIPER | D.IPE),
                             D.OUTERIPCS | D.OUTERIPER)

    def test_unknown_inner(self):
        self.ready()
        self.tunnels_on()
        m2 = F.eth(F.mac("02:00:00:00:00:01"), F.mac("02:00:00:00:00:02"), 0x88B5,
                   F.pattern(50))
        body = F.udp(O4S, O4D, 5555, 4789, bytes.fromhex("0800000000002a00") + m2)
        d, _ = self.one(self.eth(F.ETH_IP4, F.ipv4(O4S, O4D, 17, body)))
        self.assertEqual(hex(d.ptype), "0xa0")

    def test_udp_port_decides(self):
        self.ready()
        pkt, _ = self.ip(False, "tcp")
        f, _ = self.tunnel("vxlan", False, pkt, False)
        d, _ = self.one(f)
        self.assertEqual(d.ptype, D.P_IP4_UDP, "no port set, plain UDP")
        self.p1.w(R.VXLAN, 4789)
        d, _ = self.one(f)
        self.assertEqual(hex(d.ptype), "0xa4")

    def test_hostile_headers(self):
        """Truncated and lying headers only make the type coarser."""
        self.ready()
        self.tunnels_on()
        pkt, _ = self.ip(False, "tcp")
        pkt6, _ = self.ip(True, "tcp")
        bodies = []
        for cut in range(3, 60, 3):
            bodies += [(F.ETH_IP4, pkt[:cut]), (F.ETH_IP6, pkt6[:cut])]
        bodies += [(F.ETH_IP4, bytes([0x4F]) + pkt[1:40]), (F.ETH_IP4, bytes([0x40]) + pkt[1:]),
                   (F.ETH_IP4, pkt[:2] + b"\xff\xff" + pkt[4:]),
                   (F.ETH_IP4, pkt[:2] + b"\0\1" + pkt[4:]),
                   (F.ETH_IP6, pkt6[:4] + b"\xff\xff" + pkt6[6:]),
                   (F.ETH_IP6, pkt6[:6] + b"\x00\x40" + b"\x00" * 80),
                   (F.ETH_IP6, pkt6[:6] + b"\x2c\x40" + b"\x2c" * 200)]
        ext = b"\x3c\xff" * 50
        bodies.append((F.ETH_IP6, F.ipv6(S6, D6, 60, ext)))
        for proto, body in bodies:
            d, data = self.one(self.eth(proto, body))
            self.assertEqual(data, F.pad60(self.eth(proto, body)))
            self.assertIn(d.ptype >> 4, (1, 2, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF))


class Rss(RxBase):

    V4 = [("66.9.149.187", "161.142.100.80", 2794, 1766, 0x51CCC178, 0x323E8FC2),
          ("199.92.111.2", "65.69.140.83", 14230, 4739, 0xC626B0EA, 0xD718262A),
          ("24.19.198.95", "12.22.207.184", 12898, 38024, 0x5C2B394A, 0xD2D0A5DE),
          ("38.27.205.30", "209.142.163.6", 48228, 2217, 0xAFC7327F, 0x82989176),
          ("153.39.163.191", "202.188.127.2", 44251, 1303, 0x10E828A2, 0x5D1809C5)]
    V6 = [("3ffe:2501:200:1fff::7", "3ffe:2501:200:3::1", 2794, 1766, 0x40207D3D, 0x2CC18CD5),
          ("3ffe:501:8::260:97ff:fe40:efab", "ff02::1", 14230, 4739, 0xDDE51BBF, 0x0F0C461C),
          ("3ffe:1900:4545:3:200:f8ff:fe21:67cf", "fe80::200:f8ff:fe21:67cf", 44251, 38024,
           0x02D1FEEF, 0x4B61E985)]

    def frame(self, src, dst, sport, dport, kind):
        v6 = ":" in src
        s, d = (F.ip6 if v6 else F.ip4)(src), (F.ip6 if v6 else F.ip4)(dst)
        if kind == "tcp":
            seg, num = F.tcp(s, d, sport, dport, F.pattern(30)), 6
        elif kind == "udp":
            seg, num = F.udp(s, d, sport, dport, F.pattern(30)), 17
        elif kind == "sctp":
            seg, num = F.sctp(sport, dport, bytes([0, 3, 0, 32]) + F.pattern(28)), 132
        else:
            seg, num = F.pattern(40), 89
        ip = F.ipv6(s, d, num, seg) if v6 else F.ipv4(s, d, num, seg)
        return F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6 if v6 else F.ETH_IP4, ip)

    def test_published_vectors(self):
        _, p1 = self.ready()
        self.rss(p1, 0x33)
        for src, dst, sp, dp, l4, l3 in self.V4 + self.V6:
            v6 = ":" in src
            d, _ = self.one(self.frame(src, dst, sp, dp, "tcp"))
            self.assertEqual((hex(d.hash), d.rsstype), (hex(l4), 3 if v6 else 1))
            d, _ = self.one(self.frame(src, dst, sp, dp, "udp"))
            self.assertEqual((hex(d.hash), d.rsstype), (hex(l3), 5 if v6 else 2))

    def test_types(self):
        _, p1 = self.ready()
        v4, v6 = self.V4[0][:4], self.V6[0][:4]
        # (flow, enable bit, RSS type), 13 section 6 and 12 section 7
        cases = [(v4, "tcp", 16, 1), (v4, "other", 17, 2), (v4, "sctp", 18, 4),
                 (v6, "sctp", 19, 6), (v6, "other", 20, 5), (v6, "tcp", 21, 3),
                 (v4, "udp", 22, 7), (v6, "udp", 23, 8)]
        for flow, kind, bit, typ in cases:
            with self.subTest(kind=kind, flow=flow[0]):
                f = self.frame(*flow, kind)
                self.rss(p1, 1 << bit - 16)
                d, _ = self.one(f)
                self.assertEqual(d.rsstype, typ)
                self.assertNotEqual(d.hash, 0)
                self.rss(p1, 0xFF & ~(1 << bit - 16) & (0xDD if kind == "other" else 0xFF))
                d, _ = self.one(f)
                self.assertNotEqual(d.rsstype, typ)
                if kind != "other":
                    self.assertEqual(d.rsstype, 5 if ":" in flow[0] else 2, "falls to L3")

    def test_fragment_falls_to_l3(self):
        _, p1 = self.ready()
        self.rss(p1, 0xFF)
        d, _ = self.one(self.udp4(64, flags=0x2000))
        self.assertEqual(d.rsstype, 2)
        self.assertEqual(d.hash, F.toeplitz(F.RSS_TEST_KEY, S4 + D4))

    def test_non_ip_has_none(self):
        _, p1 = self.ready()
        self.rss(p1, 0xFF)
        d, _ = self.one(F.eth(p1.mac, self.p0.mac, 0x88B5, F.pattern(50)))
        self.assertEqual((d.rsstype, d.hash), (0, 0))

    def test_off(self):
        _, p1 = self.ready()
        self.rss(p1, 0xFF)
        p1.rmw(R.RA_CTL, 4, 0)
        d, _ = self.one(self.tcp4())
        self.assertEqual(d.rsstype, 0)

    def test_table_steers(self):
        _, p1 = self.ready()
        for i in (1, 2, 3):
            p1.rx_ring(i)
        self.rss(p1, 0xFF, table=[i % 4 for i in range(128)])
        for sport in range(1, 40):
            f = self.udp4(30, sport=sport)
            h = F.toeplitz(F.RSS_TEST_KEY, S4 + D4 + struct.pack(">HH", sport, 2000))
            self.send(f)
            d, data = p1.rx[h & 127 & 3].one()
            self.assertEqual((d.hash, d.rsstype, data), (h, 7, f))

    def test_table_change_is_live(self):
        _, p1 = self.ready()
        p1.rx_ring(9)
        self.rss(p1, 0xFF)
        self.one(self.udp4())
        p1.ws((R.RETA(i), 0x09090909) for i in range(32))
        self.send(self.udp4())
        p1.rx[9].one()

    def test_pool_size_field_does_not_limit(self):
        """PL_CFG 31:29 is ignored without pools (13 section 6)."""
        _, p1 = self.ready()
        p1.rx_ring(77)
        p1.w(R.PL_CFG(0), 0x2000003E)
        self.rss(p1, 0xFF, table=[77] * 128)
        self.send(self.udp4())
        p1.rx[77].one()

    def test_inner_headers(self):
        _, p1 = self.ready()
        self.rss(p1, 0xFF)
        inner = F.ipv4(S4, D4, 17, F.udp(S4, D4, 5, 6, F.pattern(40)))
        f = F.eth(p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(O4S, O4D, 4, inner))
        d, _ = self.one(f)
        self.assertEqual(d.hash, F.toeplitz(F.RSS_TEST_KEY,
                                            S4 + D4 + struct.pack(">HH", 5, 6)))

    def test_random_keys(self):
        _, p1 = self.ready()
        key = F.pattern(40, 17)
        self.rss(p1, 0xFF, key)
        for i in range(10):
            f = self.frame(f"fd00::{i}:1", f"fd00::{i * 7}:2", 100 + i, 9000 - i, "udp")
            d, _ = self.one(f)
            self.assertEqual(d.hash, F.toeplitz(
                key, F.ip6(f"fd00::{i}:1") + F.ip6(f"fd00::{i * 7}:2")
                + struct.pack(">HH", 100 + i, 9000 - i)))

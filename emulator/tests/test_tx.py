# SPDX-License-Identifier: GPL-2.0-only
"""Transmit: frames are read back from the wired peer's receive ring (11)."""

import struct

import desc as D
import frames as F
import regs as R
from base import Base

S4, D4 = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")
S6, D6 = F.ip6("fd00::1"), F.ip6("fd00::2")
O4S, O4D = F.ip4("192.168.9.1"), F.ip4("192.168.9.2")
O6S, O6D = F.ip6("fd99::1"), F.ip6("fd99::2")


def segments(head_l3, l4off, frame_head, payload, mss, v6=False, outer=None):
    """What TSO must make of a header and a payload: a list of frames.

    @head_l3: offset of the (inner) IP header, @l4off: of the TCP header.
    @outer: (offset of outer IP, is_v6, offset of outer UDP or None)
    """
    res = []
    total = len(payload)
    for n, pos in enumerate(range(0, total, mss)):
        part = payload[pos:pos + mss]
        last = pos + mss >= total
        h = bytearray(frame_head)
        seq, = struct.unpack_from(">I", h, l4off + 4)
        struct.pack_into(">I", h, l4off + 4, (seq + pos) & 0xFFFFFFFF)
        flags = h[l4off + 13]
        if not last:
            flags &= ~0x09                       # FIN, PSH only in the last
        if n:
            flags &= ~0x80                       # CWR only in the first
        h[l4off + 13] = flags
        l4len = len(h) - l4off + len(part)
        if v6:
            struct.pack_into(">H", h, head_l3 + 4, len(h) - head_l3 - 40 + len(part))
            src, dst = bytes(h[head_l3 + 8:head_l3 + 24]), bytes(h[head_l3 + 24:head_l3 + 40])
        else:
            struct.pack_into(">H", h, head_l3 + 2, len(h) - head_l3 + len(part))
            ident, = struct.unpack_from(">H", h, head_l3 + 4)
            struct.pack_into(">H", h, head_l3 + 4, (ident + n) & 0xFFFF)
            struct.pack_into(">H", h, head_l3 + 10, 0)
            struct.pack_into(">H", h, head_l3 + 10,
                             F.csum(bytes(h[head_l3:head_l3 + (h[head_l3] & 15) * 4])))
            src, dst = bytes(h[head_l3 + 12:head_l3 + 16]), bytes(h[head_l3 + 16:head_l3 + 20])
        struct.pack_into(">H", h, l4off + 16, 0)
        c = F.csum(bytes(h[l4off:]) + part, F.pseudo(src, dst, 6, l4len))
        struct.pack_into(">H", h, l4off + 16, c)
        if outer:
            oip, ov6, oudp = outer
            if ov6:
                struct.pack_into(">H", h, oip + 4, len(h) - oip - 40 + len(part))
            else:
                struct.pack_into(">H", h, oip + 2, len(h) - oip + len(part))
                ident, = struct.unpack_from(">H", h, oip + 4)
                struct.pack_into(">H", h, oip + 4, (ident + n) & 0xFFFF)
                struct.pack_into(">H", h, oip + 10, 0)
                struct.pack_into(">H", h, oip + 10, F.csum(bytes(h[oip:oip + 20])))
            if oudp:
                struct.pack_into(">H", h, oudp + 4, len(h) - oudp + len(part))
        res.append(F.pad60(bytes(h) + part))
    return res


class TxBase(Base):

    def ready(self, rxcfg=0, buf_kb=2, max_sz=9432, queues=1, rings=True, head_wb=True,
              typ="ff5025", **props):
        p0, p1 = self.pair(typ=typ, max_sz=max_sz, queues=queues, **props)
        p1.promisc()
        self.rx = p1.rx_ring(cfg=rxcfg, buf_kb=buf_kb, size=1024)
        if rings:
            self.tx = p0.tx_ring(head_wb=head_wb)
        return p0, p1

    def got(self, n=1):
        """@n frames as they arrived at the peer."""
        return [data for _, data in self.rx.take(n)]

    def put(self, data):
        """Data in guest RAM at an odd address."""
        addr = self.q.alloc(len(data) + 1, 2) + 1
        self.q.mem_write(addr, data)
        return addr


class Examples(TxBase):
    """Worked examples of 11 section 11, every field but the address as printed."""

    def words(self, *d):
        return struct.pack("<IIII", *d)

    def test_plain_60(self):
        self.ready()
        frame = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(46))
        self.assertEqual(len(frame), 60)
        addr = self.put(frame)
        ctx = self.words(addr, 0, 0x0B00003C, 0x00078000)
        self.assertEqual(ctx, D.tx_data(addr, 60, D.EOP | D.IFCS | D.RS, D.tx_status(60)))
        self.tx.put([ctx])
        self.assertEqual(self.got(), [frame])
        self.assertEqual(self.tx.rp(), 1)
        self.assertEqual(self.tx.head(), 1)

    def test_plain_60_dd(self):
        self.ready(head_wb=False)
        frame = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(46))
        self.tx.put([self.words(self.put(frame), 0, 0x0B00003C, 0x00078000)])
        self.assertEqual(self.got(), [frame])
        self.assertEqual(self.tx.rp(), 1)
        self.assertEqual(self.tx.desc(0)[3] & 1, 1)

    def test_tso(self):
        self.ready()
        opts = bytes.fromhex("0101080a0000000100000002")
        seed = F.pseudo(S4, D4, 6, 0)
        tcp = F.tcp(S4, D4, 1000, 80, b"", flags=0x99, options=opts, check=seed)
        head = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4,
                     F.ipv4(S4, D4, 6, tcp, ident=0xFFFF, tot_len=0, check=0))
        self.assertEqual(len(head), 66)
        payload = F.pattern(2896)
        h, p = self.put(head), self.put(payload)
        ctx = self.words(0x00001C0A, 0, 0x24100000, 0x05A82000)
        self.assertEqual(ctx, D.tx_ctx(14, 20, ptype=0x24, l4len=32, mss=1448))
        self.tx.put([ctx, self.words(h, 0, 0x82000042, 0x016A0680),
                     self.words(p, 0, 0x8B000B50, 0)])
        got = self.got(2)
        self.assertEqual([len(f) for f in got], [1514, 1514])
        self.assertEqual(got, segments(14, 34, head, payload, 1448))
        self.assertEqual(self.tx.rp(), 3)
        self.assertEqual(self.tx.head(), 3)
        self.assertEqual(self.p0.r(R.TDM_PKT), 2, "one per segment")

    def test_udp_csum_and_vlan(self):
        self.ready()
        body = F.pattern(100)
        good = F.udp(S4, D4, 7, 9, body)
        seed = F.udp(S4, D4, 7, 9, body, check=F.pseudo(S4, D4, 17, 108))
        frame = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, seed))
        self.assertEqual(len(frame), 142)
        self.tx.put([self.words(0x00641C0A, 0, 0x23100000, 0x00000800),
                     self.words(self.put(frame), 0, 0x4B00008E, 0x0011C280)])
        want = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, good),
                     [(0x8100, 100)])
        self.assertEqual(self.got(), [want])

    def test_vxlan_tso(self):
        self.ready()
        inner = F.tcp(S4, D4, 1000, 80, b"", flags=0x18, check=F.pseudo(S4, D4, 6, 0))
        inner = F.ipv4(S4, D4, 6, inner, ident=5, tot_len=0, check=0)
        inner = F.eth(F.mac("02:00:00:00:00:01"), F.mac("02:00:00:00:00:02"), F.ETH_IP4, inner)
        vx = bytes.fromhex("0800000000002a00") + inner
        head = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(
            O4S, O4D, 17, F.udp(O4S, O4D, 5555, 4789, vx, check=0), ident=77, check=0))
        self.assertEqual(len(head), 14 + 20 + 8 + 8 + 14 + 20 + 20)
        payload = F.pattern(3000)
        ctx = self.words(0x00001C0A, 0x01005000, 0xA4100000, 0x05781400)
        self.assertEqual(ctx, D.tx_ctx(14, 20, outer_iplen=20, tunnel_len=16, ptype=0xA4,
                                       l4len=20, mss=1400))
        self.tx.put([ctx, D.tx_data(self.put(head), len(head), D.TSE | D.IFCS,
                                    3000 << 13 | 0xE80),
                     D.tx_data(self.put(payload), 3000, D.TSE | D.IFCS | D.EOP | D.RS)])
        want = segments(64, 84, head, payload, 1400, outer=(14, False, 34))
        self.assertEqual(self.got(3), want)


class Rings(TxBase):

    def frame(self, n=0, size=64):
        return F.eth(self.p1.mac, self.p0.mac, 0x88B5,
                     struct.pack(">I", n) + F.pattern(size - 18, n))

    def test_order_and_wrap(self):
        self.ready()
        sent, n = [], 0
        for burst in (100, 27, 1, 127, 64, 127, 3, 120):
            for _ in range(burst):
                sent.append(self.frame(n))
                self.tx.send(sent[-1], ring=False)
                n += 1
            self.tx.doorbell()
            self.tx.wait_done()
            self.assertEqual(self.tx.head(), n % 128)
            self.assertLess(self.tx.head(), 128)
            got = self.got(burst)
            self.rx.fill(burst)
            self.assertEqual(got, sent[-burst:])

    def test_many_buffers(self):
        self.ready(buf_kb=10)
        frame = self.frame(1, 9000)
        for split in ((1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), (1000,) * 8,
                      (14, 1, 4096), tuple(range(1, 60))):
            self.tx.send(frame, split=split)
            self.assertEqual(self.got(), [frame])

    def test_odd_sizes(self):
        self.ready(buf_kb=10)
        for size in list(range(60, 70)) + [127, 128, 129, 255, 1513, 1514, 2049, 9018, 9428]:
            frame = self.frame(size, size)
            self.tx.send(frame)
            self.assertEqual(self.got(), [frame], size)

    def test_padding(self):
        self.ready()
        for size in (17, 18, 33, 59):
            frame = self.frame(1, 64)[:size]
            self.tx.send(frame)
            self.assertEqual(self.got(), [frame + bytes(60 - size)])

    def test_incomplete_packet_waits(self):
        self.ready()
        frame = self.frame(3, 300)
        a, b = self.put(frame[:100]), self.put(frame[100:])
        self.tx.put([D.tx_data(a, 100, D.IFCS, D.tx_status(300))])
        self.q.step_ms(5)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(self.tx.head(), 0, "head not past the packet start")
        self.tx.put([D.tx_data(b, 200, D.IFCS | D.EOP | D.RS)])
        self.assertEqual(self.got(), [frame])
        self.assertEqual(self.tx.head(), 2)

    def test_context_alone_then_data(self):
        self.ready()
        self.tx.put([D.tx_ctx(14, vlan=7)])
        self.q.step_ms(2)
        frame = self.frame()
        self.tx.send(frame, D.IFCS | D.VLE, D.ST_CC)
        self.assertEqual(self.got(), [frame[:12] + bytes.fromhex("81000007") + frame[12:]])
        self.assertEqual(self.tx.head(), 2)

    def test_head_mode_leaves_ring_alone(self):
        self.ready()
        for i in range(20):
            self.tx.send(self.frame(i), ring=False)
        before = self.q.mem_read(self.tx.base, 128 * 16)
        self.tx.doorbell()
        self.got(20)
        self.tx.wait_done()
        self.assertEqual(self.q.mem_read(self.tx.base, 128 * 16), before)

    def test_dd_on_every_eop_without_rs(self):
        self.ready(head_wb=False)
        f = self.frame(0, 200)
        a, b = self.put(f[:50]), self.put(f[50:])
        self.tx.put([D.tx_data(a, 50, D.IFCS, D.tx_status(200)),
                     D.tx_data(b, 150, D.IFCS | D.EOP)] * 3)
        self.got(3)
        self.tx.wait_done()
        for i in (1, 3, 5):
            self.assertEqual(self.tx.desc(i)[3] & 1, 1, i)
        self.assertEqual(self.tx.desc(6)[3] & 1, 0)

    def test_enable_writes_head(self):
        """A stale head word would free unsent packets (rule 9)."""
        self.ready()
        self.tx.send(self.frame())
        self.got()
        self.p0.w(R.TR(0, "CFG"), R.TR_SWFLSH)
        self.q.write_n(4, self.tx.head_addr, 0x55)
        self.tx.enable()
        self.q.settle()
        self.assertEqual(self.tx.head(), 0)

    def test_64_byte_head(self):
        self.ready(rings=False)
        tx = self.p0.tx_ring(cfg=R.TR_HEAD_WB64)
        tx.send(self.frame())
        self.got()
        self.assertEqual(tx.head(), 1)

    def test_swflsh_self_clears(self):
        self.ready()
        self.p0.w(R.TR(0, "CFG"), R.TR_SWFLSH)
        self.assertEqual(self.p0.r(R.TR(0, "CFG")), 0)

    def test_rp_writable_only_while_off(self):
        self.ready(rings=False)
        self.p0.w(R.TR(1, "RP"), 5)
        self.assertEqual(self.p0.r(R.TR(1, "RP")), 5)

    def test_start_not_at_zero(self):
        self.ready(rings=False)
        tx = self.p0.tx_ring()
        self.p0.w(R.TR(0, "CFG"), R.TR_SWFLSH)
        self.p0.ws([(R.TR(0, "RP"), 126), (R.TR(0, "WP"), 126), (R.TR(0, "CFG"), tx.cfg)])
        self.q.settle()
        self.assertEqual(tx.head(), 126)
        tx.wp = 126
        frames = [self.frame(i) for i in range(4)]
        for f in frames:
            tx.send(f, ring=False)
        tx.doorbell()
        self.assertEqual(self.got(4), frames)
        self.assertEqual(tx.head(), 2)

    def test_sizes(self):
        p0, _ = self.ready(rings=False)
        for i, size in enumerate((128, 256, 512, 4096, 8064, 8192)):
            tx = p0.tx_ring(i, size=size)
            p0.w(R.TR(i, "CFG"), R.TR_SWFLSH)
            p0.ws([(R.TR(i, "RP"), size - 1), (R.TR(i, "WP"), size - 1),
                   (R.TR(i, "CFG"), tx.cfg)])
            tx.wp = size - 1
            tx.send(self.frame(i))
            self.assertEqual(self.got(), [self.frame(i)])
            self.assertEqual((tx.rp(), tx.head()), (0, 0), size)

    def test_every_ring(self):
        p0, _ = self.ready(rings=False)
        for i in range(128):
            tx = p0.tx_ring(i)
            tx.send(self.frame(i))
        got = sorted(self.got(128))
        self.assertEqual(got, sorted(self.frame(i) for i in range(128)))
        for i in range(128):
            self.assertEqual((p0.tx[i].rp(), p0.tx[i].head()), (1, 1), i)
            self.assertEqual(p0.r(R.TR(i, "PKT")), 1)

    def test_reset_stops_and_restarts(self):
        p0, _ = self.ready()
        self.tx.send(self.frame(1))
        self.got()
        p0.pci.command(2)
        p0.w(R.MIS_RST, R.RST_LAN0)
        p0.pci.command(6)
        self.assertEqual(p0.r(R.TR(0, "CFG")), 0)
        p0.configure()
        p0.link_up_seen()
        self.tx.enable()
        self.tx.send(self.frame(2))
        self.assertEqual(self.got(), [self.frame(2)])
        self.assertEqual(self.tx.head(), 1)

    def test_interrupt(self):
        p0, _ = self.ready(queues=2)
        tx1 = p0.tx_ring(1)
        tx1.send(self.frame())
        self.q.wait(lambda: p0.took(1), 20, what="Tx interrupt")
        self.assertEqual(tx1.head(), 1, "head is written before the message")
        self.assertFalse(p0.took(0))

    def test_no_interrupt_without_ivar(self):
        p0, _ = self.ready(queues=1)
        tx = p0.tx_ring(9)
        tx.send(self.frame())
        self.got()
        self.drain_irqs(self.p1)
        self.quiet(p0.took_any)


class Gates(TxBase):

    def stuck(self, close, reopen, violations=()):
        """A frame posted while a gate is closed leaves when it opens."""
        p0, _ = self.ready()
        self.allow(*violations)
        close(p0)
        f = self.udp4()
        self.tx.send(f)
        self.q.step_ms(20)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(self.tx.head(), 0)
        reopen(p0)
        self.tx.doorbell()
        self.assertEqual(self.got(), [f])

    def test_tx_dis(self):
        self.stuck(lambda p: p.rmw(R.TSC_CTL, 0, R.TX_DIS),
                   lambda p: p.rmw(R.TSC_CTL, R.TX_DIS, 0))

    def test_mac_te(self):
        self.stuck(lambda p: p.rmw(R.MAC_TX_CFG, 1, 0),
                   lambda p: p.rmw(R.MAC_TX_CFG, 0, 1))

    def test_tdm_te(self):
        self.stuck(lambda p: p.rmw(R.TDM_CTL, 1, 0),
                   lambda p: p.rmw(R.TDM_CTL, 0, 1), ("ring-state", "dma-gate"))

    def test_link(self):
        def reopen(p):
            p.set("cable", True)
            self.wait_link(p, self.p1)

        def close(p):
            p.set("cable", False)
            self.wait_link(p, up=False)
        self.stuck(close, reopen)

    def test_pf_bme(self):
        self.stuck(lambda p: p.w(R.PF_BME, 0), lambda p: p.w(R.PF_BME, 1), ("dma-gate",))

    def test_bus_master(self):
        """A driver that goes down can lose this race: no violation."""
        self.stuck(lambda p: p.pci.command(2), lambda p: p.pci.command(6))

    def test_gate_opening_needs_no_doorbell(self):
        p0, _ = self.ready()
        p0.rmw(R.MAC_TX_CFG, 1, 0)
        f = self.udp4()
        self.tx.send(f)
        self.q.step_ms(2)
        p0.rmw(R.MAC_TX_CFG, 0, 1)
        self.assertEqual(self.got(), [f])

    def test_disabled_ring(self):
        p0, _ = self.ready()
        p0.w(R.TR(0, "CFG"), R.TR_SWFLSH)
        self.allow("ring-state")
        self.tx.send(self.udp4())
        self.q.step_ms(5)
        self.assertEqual(self.rx.collect(), [])


class Vlan(TxBase):

    def test_tpids(self):
        p0, _ = self.ready()
        p0.ws([(R.TPID(1), 0x92009100)])
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(60))
        for sel, tpid in ((0, 0x8100), (1, 0x88A8), (2, 0x9100), (3, 0x9200)):
            self.tx.send(f, D.IFCS | D.VLE, ctx=D.tx_ctx(14, vlan=0xE123, tpid_sel=sel))
            self.assertEqual(self.got(), [f[:12] + struct.pack(">HH", tpid, 0xE123) + f[12:]])

    def test_outer_of_two(self):
        self.ready()
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(60), [(0x8100, 5)])
        self.tx.send(f, D.IFCS | D.VLE, ctx=D.tx_ctx(18, vlan=9, tpid_sel=1))
        self.assertEqual(self.got(), [f[:12] + bytes.fromhex("88a80009") + f[12:]])

    def test_no_vle_no_tag(self):
        self.ready()
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(60))
        self.tx.send(f, D.IFCS, ctx=D.tx_ctx(14, vlan=9))
        self.assertEqual(self.got(), [f])


class Slots(TxBase):

    def test_two_slots_persist(self):
        self.ready()
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(60))
        self.tx.put([D.tx_ctx(14, vlan=0x111, idx=0), D.tx_ctx(14, vlan=0x222, idx=1)])
        for slot, vid in ((0, 0x111), (1, 0x222), (0, 0x111), (0, 0x111), (1, 0x222)):
            self.tx.send(f, D.IFCS | D.VLE, D.ST_CC | (D.ST_IDX1 if slot else 0))
            got, = self.got()
            self.assertEqual(got[12:16], struct.pack(">HH", 0x8100, vid))
        self.tx.put([D.tx_ctx(14, vlan=0x333, idx=1)])
        for slot, vid in ((0, 0x111), (1, 0x333)):
            self.tx.send(f, D.IFCS | D.VLE, D.ST_CC | (D.ST_IDX1 if slot else 0))
            self.assertEqual(self.got()[0][14:16], struct.pack(">H", vid))

    def test_per_ring(self):
        p0, _ = self.ready()
        other = p0.tx_ring(1)
        f = F.eth(self.p1.mac, self.p0.mac, 0x88B5, F.pattern(60))
        self.tx.put([D.tx_ctx(14, vlan=0x111)])
        other.put([D.tx_ctx(14, vlan=0x222)])
        self.tx.send(f, D.IFCS | D.VLE, D.ST_CC)
        self.assertEqual(self.got()[0][14:16], b"\x01\x11")
        other.send(f, D.IFCS | D.VLE, D.ST_CC)
        self.assertEqual(self.got()[0][14:16], b"\x02\x22")


class Checksum(TxBase):

    def l4(self, proto, src, dst, body, good):
        """L4 header+payload with the right checksum or with the seed in it."""
        if proto == 17:
            seg = F.udp(src, dst, 1111, 2222, body)
            return seg if good else F.udp(src, dst, 1111, 2222, body,
                                          check=F.pseudo(src, dst, 17, len(seg)))
        if proto == 6:
            seg = F.tcp(src, dst, 1111, 2222, body)
            return seg if good else F.tcp(src, dst, 1111, 2222, body,
                                          check=F.pseudo(src, dst, 6, len(seg)))
        n = len(body) // 4 * 4
        body = struct.pack(">BBH", 0, 3, n + 4) + body[:n]
        return F.sctp(1111, 2222, body, check=None if good else 0)

    def test_plain(self):
        self.ready()
        for proto, l4len, nib in ((17, 8, 3), (6, 20, 4), (132, 12, 5)):
            for v6 in (False, True):
                for n in (40, 41, 1400, 1):
                    with self.subTest(proto=proto, v6=v6, n=n):
                        src, dst = (S6, D6) if v6 else (S4, D4)
                        made = []
                        for good in (False, True):
                            seg = self.l4(proto, src, dst, F.pattern(n), good)
                            ip = F.ipv6(src, dst, proto, seg) if v6 else \
                                F.ipv4(src, dst, proto, seg)
                            made.append(F.eth(self.p1.mac, self.p0.mac,
                                              F.ETH_IP6 if v6 else F.ETH_IP4, ip))
                        self.tx.send(made[0], status=D.ST_L4CS, ctx=D.tx_ctx(
                            14, 40 if v6 else 20, ptype=(0x28 if v6 else 0x20) | nib,
                            l4len=l4len))
                        self.assertEqual(self.got(), [F.pad60(made[1])])

    def test_udp_zero_becomes_ffff(self):
        """A sum that folds to 0 is sent as 0xFFFF (RFC 768)."""
        self.ready()
        base = F.udp(S4, D4, 1111, 2222, bytes(10))
        c, = struct.unpack_from(">H", base, 6)
        body = struct.pack(">H", c) + bytes(8)
        seg = F.udp(S4, D4, 1111, 2222, body)
        self.assertEqual(seg[6:8], b"\xff\xff")
        seed = F.udp(S4, D4, 1111, 2222, body, check=F.pseudo(S4, D4, 17, len(seg)))
        mk = lambda s: F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, s))
        self.tx.send(mk(seed), status=D.ST_L4CS,
                     ctx=D.tx_ctx(14, 20, ptype=0x23, l4len=8))
        got, = self.got()
        self.assertIn(got[40:42], (b"\xff\xff",))

    def test_ip_header_only(self):
        self.ready()
        seg = F.udp(S4, D4, 1, 2, F.pattern(50))
        bad = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, seg, check=0))
        good = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, seg))
        self.tx.send(bad, status=D.ST_IIPCS, ctx=D.tx_ctx(14, 20, ptype=0x23, l4len=8))
        self.assertEqual(self.got(), [good])

    def test_ip_options(self):
        self.ready()
        opt = bytes.fromhex("0107040404000000")
        for good in (False, True):
            seg = self.l4(6, S4, D4, F.pattern(99), good)
            f = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4,
                      F.ipv4(S4, D4, 6, seg, options=opt, check=None if good else 0))
            if not good:
                self.tx.send(f, status=D.ST_L4CS | D.ST_IIPCS,
                             ctx=D.tx_ctx(14, 28, ptype=0x24, l4len=20))
        self.assertEqual(self.got(), [f])

    def test_ipv6_extension(self):
        self.ready()
        ext = bytes([6, 0, 1, 4, 0, 0, 0, 0])                  # destination options
        for good in (False, True):
            seg = self.l4(6, S6, D6, F.pattern(99), good)
            f = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6, F.ipv6(S6, D6, 60, ext + seg))
            if not good:
                self.tx.send(f, status=D.ST_L4CS, ctx=D.tx_ctx(14, 48, ptype=0x2C, l4len=20))
        self.assertEqual(self.got(), [f])

    def test_packet_has_a_tag(self):
        self.ready()
        for good in (False, True):
            f = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4,
                      F.ipv4(S4, D4, 17, self.l4(17, S4, D4, F.pattern(60), good)),
                      [(0x8100, 77)])
            if not good:
                self.tx.send(f, status=D.ST_L4CS, ctx=D.tx_ctx(18, 20, ptype=0x23, l4len=8))
        self.assertEqual(self.got(), [f])

    def test_without_cc_nothing_is_touched(self):
        self.ready()
        seg = self.l4(17, S4, D4, F.pattern(60), False)
        f = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4, F.ipv4(S4, D4, 17, seg))
        self.tx.put([D.tx_ctx(14, 20, ptype=0x23, l4len=8)])
        self.tx.send(f)
        self.assertEqual(self.got(), [f])

    def test_flags_of_first_descriptor_count(self):
        """Later descriptors' status words are ignored (4.1)."""
        self.ready()
        made = [F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4,
                      F.ipv4(S4, D4, 17, self.l4(17, S4, D4, F.pattern(60), g)))
                for g in (False, True)]
        n = len(made[0])
        self.tx.put([D.tx_ctx(14, 20, ptype=0x23, l4len=8),
                     D.tx_data(self.put(made[0][:50]), 50, D.IFCS,
                               D.tx_status(n, D.ST_CC | D.ST_L4CS)),
                     D.tx_data(self.put(made[0][50:]), n - 50, D.IFCS | D.EOP | D.RS, 0)])
        self.assertEqual(self.got(), [made[1]])

    def tunnel(self, kind, ov6, iv6, good):
        """(frame, context arguments) of a UDP packet inside a tunnel."""
        src, dst = (S6, D6) if iv6 else (S4, D4)
        seg = self.l4(17, src, dst, F.pattern(80), good)
        inner = F.ipv6(src, dst, 17, seg) if iv6 else F.ipv4(src, dst, 17, seg)
        proto = F.ETH_IP6 if iv6 else F.ETH_IP4
        mac2 = F.eth(F.mac("02:00:00:00:00:01"), F.mac("02:00:00:00:00:02"), proto, inner)
        os, od = (O6S, O6D) if ov6 else (O4S, O4D)
        olen = 40 if ov6 else 20
        base = (0xC0 if ov6 else 0x80) | (8 if iv6 else 0) | 3
        arg = dict(maclen=14, iplen=40 if iv6 else 20, outer_iplen=olen, l4len=8)
        if kind == "vxlan":
            body, nxt = F.udp(os, od, 5555, 4789, bytes.fromhex("0800000000002a00") + mac2,
                              check=0), 17
            arg.update(tunnel_len=16, ptype=base | 0x20)
        elif kind == "geneve":
            body, nxt = F.udp(os, od, 5555, 6081, bytes.fromhex("0100655800002a0011223344")
                              + mac2, check=0), 17
            arg.update(tunnel_len=20, ptype=base | 0x20)
        elif kind == "gre":
            body, nxt = struct.pack(">HH", 0, proto) + inner, 47
            arg.update(tunnel_len=4, tunnel_type=1, ptype=base | 0x10)
        elif kind == "gretap":
            body, nxt = struct.pack(">HHI", 0x2000, 0x6558, 0x2A00) + mac2, 47
            arg.update(tunnel_len=8, tunnel_type=1, ptype=base | 0x20)
        else:
            body, nxt = inner, 41 if iv6 else 4
            arg.update(ptype=base)
        ip = F.ipv6(os, od, nxt, body) if ov6 else F.ipv4(os, od, nxt, body)
        return F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6 if ov6 else F.ETH_IP4, ip), arg

    def test_inside_tunnels(self):
        self.ready()
        for kind in ("vxlan", "geneve", "gre", "gretap", "ipip"):
            for ov6 in (False, True):
                for iv6 in (False, True):
                    with self.subTest(kind=kind, outer6=ov6, inner6=iv6):
                        bad, arg = self.tunnel(kind, ov6, iv6, False)
                        good, _ = self.tunnel(kind, ov6, iv6, True)
                        self.tx.send(bad, status=D.ST_L4CS, ctx=D.tx_ctx(**arg))
                        self.assertEqual(self.got(), [good])

    def test_outer_ip(self):
        self.ready()
        good, arg = self.tunnel("vxlan", False, False, True)
        bad = bytearray(good)
        bad[24:26] = b"\0\0"
        self.tx.send(bytes(bad), status=D.ST_EIPCS, ctx=D.tx_ctx(**arg))
        self.assertEqual(self.got(), [good])


class Tso(TxBase):

    def run_tso(self, head, l3, l4, payload, mss, v6=False, ctx=None, status=None,
                flags=0, split=(), want=None):
        n = -(-len(payload) // mss)
        st = D.ST_CC | D.ST_L4CS | (0 if v6 else D.ST_IIPCS) if status is None else status
        descs = [ctx, D.tx_data(self.put(head), len(head), D.TSE | D.IFCS | flags,
                                len(payload) << 13 | st)]
        cuts, pos = [], 0
        for k in split:
            cuts.append(payload[pos:pos + k])
            pos += k
        cuts.append(payload[pos:])
        for k, part in enumerate(cuts):
            last = D.EOP | D.RS if k == len(cuts) - 1 else 0
            for q in range(0, len(part), 0x4000):
                sub = part[q:q + 0x4000]
                end = last if q + 0x4000 >= len(part) else 0
                descs.append(D.tx_data(self.put(sub), len(sub), D.TSE | D.IFCS | flags | end))
        self.tx.put(descs)
        got = self.got(n)
        self.rx.fill(n)
        self.assertEqual(got, want or segments(l3, l4, head, payload, mss, v6))
        return got

    def head4(self, flags=0x18, options=b"", tags=(), ident=1):
        tcp = F.tcp(S4, D4, 1000, 80, b"", flags=flags, options=options, seq=0xFFFFFF00,
                    check=F.pseudo(S4, D4, 6, 0))
        return F.eth(self.p1.mac, self.p0.mac, F.ETH_IP4,
                     F.ipv4(S4, D4, 6, tcp, ident=ident, tot_len=0, check=0), tags)

    def test_v4_sizes(self):
        self.ready()
        head = self.head4(0x18)
        for total, mss in ((1449, 1448), (1448, 1448), (1, 1448), (65000, 1460), (3000, 536),
                           (2896, 1448), (999, 100)):
            with self.subTest(total=total, mss=mss):
                self.run_tso(head, 14, 34, F.pattern(total), mss,
                             ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=mss))

    def test_flags_and_wraps(self):
        self.ready()
        head = self.head4(0xD9, ident=0xFFFE)                # CWR ECE ACK PSH FIN
        got = self.run_tso(head, 14, 34, F.pattern(4000), 1000,
                           ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=1000))
        self.assertEqual([f[47] for f in got], [0xD0, 0x50, 0x50, 0x59])
        self.assertEqual([f[18:20].hex() for f in got], ["fffe", "ffff", "0000", "0001"])

    def test_v6(self):
        self.ready()
        tcp = F.tcp(S6, D6, 1000, 80, b"", flags=0x18, check=F.pseudo(S6, D6, 6, 0))
        head = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6, F.ipv6(S6, D6, 6, tcp, plen=0))
        self.run_tso(head, 14, 54, F.pattern(5000), 1428, v6=True,
                     ctx=D.tx_ctx(14, 40, ptype=0x2C, l4len=20, mss=1428))

    def test_v6_extension(self):
        self.ready()
        ext = bytes([6, 0, 1, 4, 0, 0, 0, 0])
        tcp = F.tcp(S6, D6, 1000, 80, b"", flags=0x18, check=F.pseudo(S6, D6, 6, 0))
        head = F.eth(self.p1.mac, self.p0.mac, F.ETH_IP6, F.ipv6(S6, D6, 60, ext + tcp, plen=0))
        self.run_tso(head, 14, 62, F.pattern(3000), 1400, v6=True,
                     ctx=D.tx_ctx(14, 48, ptype=0x2C, l4len=20, mss=1400))

    def test_many_buffers(self):
        self.ready()
        self.run_tso(self.head4(), 14, 34, F.pattern(9000), 1448,
                     split=(1, 2, 3, 1000, 5, 4096, 7),
                     ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=1448))

    def test_header_and_payload_in_one_buffer(self):
        self.ready()
        head, payload = self.head4(), F.pattern(3000)
        self.tx.put([D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=1448),
                     D.tx_data(self.put(head + payload), len(head) + 3000,
                               D.TSE | D.IFCS | D.EOP | D.RS,
                               3000 << 13 | D.ST_CC | D.ST_L4CS | D.ST_IIPCS)])
        self.assertEqual(self.got(3), segments(14, 34, head, payload, 1448))

    def test_header_split_over_buffers(self):
        self.ready()
        head, payload = self.head4(), F.pattern(3000)
        parts = [head[:20], head[20:40], head[40:] + payload[:5], payload[5:]]
        descs = [D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=1448)]
        for k, part in enumerate(parts):
            descs.append(D.tx_data(self.put(part), len(part), D.TSE | D.IFCS
                                   | (D.EOP | D.RS if k == 3 else 0),
                                   0 if k else 3000 << 13 | D.ST_CC | D.ST_L4CS | D.ST_IIPCS))
        self.tx.put(descs)
        self.assertEqual(self.got(3), segments(14, 34, head, payload, 1448))

    def test_with_vlan(self):
        self.ready()
        head, payload = self.head4(), F.pattern(3000)
        want = [f[:12] + bytes.fromhex("81000064") + f[12:]
                for f in segments(14, 34, head, payload, 1448)]
        self.run_tso(head, 14, 34, payload, 1448, flags=D.VLE, want=want,
                     ctx=D.tx_ctx(14, 20, vlan=100, ptype=0x24, l4len=20, mss=1448))

    def test_tcp_options(self):
        self.ready()
        self.run_tso(self.head4(options=bytes(range(40))), 14, 34, F.pattern(4000), 1408,
                     ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=60, mss=1408))

    def test_counts(self):
        p0, _ = self.ready()
        got = self.run_tso(self.head4(), 14, 34, F.pattern(14480), 1448,
                           ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=1448))
        self.assertEqual(p0.r(R.TDM_PKT), 10)
        self.assertEqual(p0.r(R.TDM_BYTE_L), sum(map(len, got)))

    def test_jumbo_mss(self):
        self.ready(buf_kb=10)
        self.run_tso(self.head4(), 14, 34, F.pattern(60000), 8948,
                     ctx=D.tx_ctx(14, 20, ptype=0x24, l4len=20, mss=8948))


class Bad(TxBase):
    """Rule 13: consume, drop, tell, keep the head moving."""

    def broken(self, descs, cls, txdesc=True):
        p0, _ = self.ready()
        p0.w(R.TDM_DESC_CHK, 1)
        p0.rs([R.MISC_IC])
        p0.w(R.MISC_IEN, 0)
        self.tx.put(descs)
        self.q.wait(lambda: self.tx.head() == self.tx.wp, 20, what="head moves on")
        self.violation(cls)
        if txdesc:
            self.assertTrue(p0.r(R.MISC_IC) & R.MISC_TXDESC)
            self.assertTrue(p0.r(R.TDM_DESC_NONFATAL) & 1)
            p0.w(R.TDM_DESC_NONFATAL, 1)
            self.assertEqual(p0.r(R.TDM_DESC_NONFATAL) & 1, 0)
        return p0

    def test_unknown_type(self):
        self.broken([struct.pack("<QII", 0x100000, 60 | 2 << 20 | D.EOP | D.RS | D.IFCS,
                                 D.tx_status(60))], "desc-field")

    def test_zero_length(self):
        self.broken([D.tx_data(0x100000, 0, D.EOP | D.RS | D.IFCS, 0)], "desc-field")

    def test_too_long_buffer(self):
        self.ready()
        self.tx.put([D.tx_data(0x100000, 0x4001, D.EOP | D.RS | D.IFCS, D.tx_status(0x4001))])
        self.q.wait(lambda: self.tx.head() == 1, 20)
        self.violation("desc-field")

    def test_paylen_mismatch(self):
        self.ready()
        self.tx.put([D.tx_data(0x100000, 100, D.EOP | D.RS | D.IFCS, D.tx_status(99))])
        self.q.wait(lambda: self.tx.head() == 1, 20)
        self.violation("desc-field")

    def test_buffer_outside_ram(self):
        self.broken([D.tx_data(0x7F00000000, 60, D.EOP | D.RS | D.IFCS, D.tx_status(60))],
                    "dma-fault")

    def test_next_packet_is_fine(self):
        self.broken([struct.pack("<QII", 0x100000, 60 | 3 << 20 | D.EOP | D.RS | D.IFCS,
                                 D.tx_status(60))], "desc-field")
        f = self.udp4()
        self.tx.send(f)
        self.assertEqual(self.got(), [f])

    def test_context_inside_packet(self):
        p0, _ = self.ready()
        self.tx.put([D.tx_data(0x100000, 30, D.IFCS, D.tx_status(60)), D.tx_ctx(14),
                     D.tx_data(0x100000, 30, D.IFCS | D.EOP | D.RS)])
        self.q.wait(lambda: self.tx.head() == self.tx.wp, 20)
        self.violation("desc-sequence")
        self.allow("desc-field")         # what follows is no whole packet either
        f = self.udp4(seed=9)
        self.rx.collect()
        self.tx.send(f)
        self.assertIn(f, self.got())


class Pressure(TxBase):

    def sent_in_vain(self, nr, size, **both):
        """Queue @nr frames for a peer without descriptors and with a buffer of 4 KiB."""
        p0, p1 = self.pair(both=both)
        frames = [self.udp4(size, seed=i) for i in range(nr)]
        p1.w(R.RDB_PB_SZ(0), 4 << 10)
        p1.promisc()
        rx = p1.rx_ring(fill=0)
        tx = p0.tx_ring()
        for f in frames:
            tx.send(f, ring=False)
        tx.doorbell()
        self.q.step_ms(20)
        return frames, tx, rx

    def test_peer_without_descriptors_loses_nothing(self):
        frames, tx, rx = self.sent_in_vain(120, 64, **{"fifo-frames": 8})
        self.assertEqual(rx.collect(), [])
        self.assertLess(tx.head(), 120, "a bounded FIFO holds the sender back")
        got = []
        while len(got) < 120:
            rx.fill(min(10, 120 - len(got)))
            got += [d for _, d in rx.take(min(10, 120 - len(got)))]
        self.assertEqual(got, frames)
        tx.wait_done()
        self.assertEqual(tx.head(), 120)

    def test_fifo_is_bounded_by_bytes(self):
        frames, tx, rx = self.sent_in_vain(60, 1000, **{"fifo-bytes": 16384})
        # 16 KiB in the sender's FIFO, 4 KiB in the buffer there
        self.assertLess(tx.head(), 25)
        rx.fill(60)
        self.assertEqual([d for _, d in rx.take(60)], frames)

    def test_burst_is_loss_free(self):
        p0, p1 = self.pair()
        p1.promisc()
        rx = p1.rx_ring(size=2048)
        tx = p0.tx_ring(size=2048)
        frames = [self.udp4(64 + i % 900, seed=i) for i in range(1000)]
        for f in frames:
            tx.send(f, ring=False)
        tx.doorbell()
        self.assertEqual([d for _, d in rx.take(1000, 2000)], frames)

    def test_rings_share(self):
        """One ring full of work does not starve another."""
        p0, p1 = self.pair(both={"fifo-frames": 16})
        p1.promisc()
        rx = p1.rx_ring(size=1024)
        a, b = p0.tx_ring(0, size=512), p0.tx_ring(1)
        for i in range(400):
            a.send(self.udp4(400, seed=i), ring=False)
        a.doorbell()
        b.send(self.udp4(70, seed=3))
        got = [d for _, d in rx.take(401, 2000)]
        self.assertIn(self.udp4(70, seed=3), got)

    def test_pacing(self):
        p0, p1 = self.pair(both={"line-rate": 1000})
        p1.promisc()
        rx = p1.rx_ring(size=1024)
        tx = p0.tx_ring(size=1024)
        for i in range(100):
            tx.send(self.udp4(1208, seed=i), ring=False)         # 1250 bytes
        tx.doorbell()
        got, us = 0, 0
        while got < 100:
            self.q.step_us(20)
            us += 20
            got += len(rx.collect())
            self.assertLess(us, 5000)
        # 100 * 1250 bytes at 1 Gbit/s take 1000 us, a bit more with overhead
        self.assertTrue(900 <= us <= 1300, us)


class Sink(TxBase):

    def test_counts_and_verifies(self):
        p = self.solo()
        p.configure()
        p.irq_setup(1)
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        p.w(R.RAR_IDX, 0)
        p.mac = p.read_rar()
        p.set("sink", True)
        tx = p.tx_ring()
        good = F.eth(F.mac("02:00:00:00:00:99"), p.mac, F.ETH_IP4,
                     F.ipv4(S4, D4, 17, F.udp(S4, D4, 1, 2, F.pattern(64))))
        bad = F.eth(F.mac("02:00:00:00:00:99"), p.mac, F.ETH_IP4,
                    F.ipv4(S4, D4, 17, F.udp(S4, D4, 1, 2, F.pattern(64), check=0x1234)))
        for f in (good, good, bad):
            tx.send(f)
        tx.wait_done()
        self.q.settle()
        c = p.counters()
        self.assertEqual(c["tx_frames"], 3)
        self.assertEqual(c["sink_frames"], 3)
        self.assertEqual(c["sink_bad"], 1)


class RateLimit(TxBase):
    """Per-ring limiter of the AML chips (14 section 6): line rate / (int + fraction)."""

    IDX, CFG, ADJ = 0x18210, 0x18214, 0x1820C

    def limit(self, p, ring, factor):
        p.ws([(self.ADJ, 21), (self.IDX, ring),
              (self.CFG, int(factor) << 16 | int(factor % 1 * 16384) << 2 | 1 if factor else 0)])

    def ready(self):
        p0, p1 = self.pair()
        p1.promisc()
        self.rx = p1.rx_ring(size=2048)
        return p0, p1

    def spend(self, n, limit_us=5000):
        """Microseconds until @n frames have arrived."""
        got, us = 0, 0
        while got < n:
            self.q.step_us(5)
            us += 5
            got += len(self.rx.collect())
            self.assertLess(us, limit_us)
        return us

    def test_factor(self):
        """25G / 25 = 1G: 100 frames of 1254 + 21 bytes take 1020 us; 2.5 gives 10G."""
        for factor, want in ((25, 1020), (2.5, 102)):
            with self.subTest(factor):
                p0, _ = self.ready()
                self.limit(p0, 0, factor)
                tx = p0.tx_ring(size=1024)
                for i in range(100):
                    tx.send(self.udp4(1208, seed=i), ring=False)
                tx.doorbell()
                us = self.spend(100)
                self.assertTrue(want * 0.9 <= us <= want * 1.1 + 10, us)
                self.finish()

    def test_encoding(self):
        """The example of the reference reads back: 25G link, 10G limit."""
        p0, _ = self.ready()
        self.limit(p0, 3, 2.5)
        self.assertEqual(p0.r(self.CFG), 0x00028001)
        p0.w(self.IDX, 4)
        self.assertEqual(p0.r(self.CFG), 0, "one value per ring")

    def test_other_rings_are_free(self):
        p0, _ = self.ready()
        self.limit(p0, 0, 1000)
        slow, fast = p0.tx_ring(0), p0.tx_ring(1)
        for i in range(20):
            slow.send(self.udp4(1208, seed=i), ring=False)
            fast.send(self.udp4(100, seed=i), ring=False)
        slow.doorbell()
        fast.doorbell()
        self.q.step_us(100)
        self.assertEqual(fast.head(), 20)
        self.assertLessEqual(slow.head(), 2)

    def test_off_and_raised(self):
        p0, _ = self.ready()
        self.limit(p0, 0, 20000)
        tx = p0.tx_ring()
        for i in range(10):
            tx.send(self.udp4(1208, seed=i), ring=False)
        tx.doorbell()
        self.q.step_us(100)
        self.assertEqual(tx.head(), 1)
        self.limit(p0, 0, 0)
        self.q.step_ms(10)
        self.assertEqual(tx.head(), 10, "the first wait ends, then nothing holds it")

    def test_segments_are_charged(self):
        p0, _ = self.ready()
        self.limit(p0, 0, 25)
        tx = p0.tx_ring()
        for i in range(3):
            tx.send(self.udp4(1208, seed=i))
        self.q.step_us(15)
        self.assertEqual(tx.head(), 2)

    def test_reset_forgets(self):
        p0, _ = self.ready()
        self.limit(p0, 0, 25)
        p0.pci.command(2)
        p0.w(R.MIS_RST, R.RST_LAN0)
        p0.w(self.IDX, 0)
        self.assertEqual(p0.r(self.CFG), 0)

# SPDX-License-Identifier: GPL-2.0-only
"""Acceptance filters and queue selection: RAR, hashes, VLAN, ethertype,
5-tuple, SYN, flow director (13)."""

import struct

import desc as D
import frames as F
import regs as R
from base import Base

MC = F.mac("01:00:5e:00:00:fb")
S4, D4 = F.ip4("10.0.0.1"), F.ip4("10.0.0.2")


class FilterBase(Base):

    def ready(self, rings=(0,)):
        p0, p1 = self.pair(vfe=True)
        for i in rings:
            p1.rx_ring(i)
        self.rx = p1.rx[rings[0]]
        self.tx = p0.tx_ring(size=1024)
        self.seq = 0
        return p1

    def passes(self, frame, ring=0):
        """Does the frame arrive on @ring?  A known-good frame follows it."""
        self.seq += 1
        mark = self.udp4(40, seed=self.seq, dport=65000)
        before = {i: rx.next for i, rx in self.p1.rx.items()}
        self.tx.send(frame)
        self.tx.send(mark)
        got = [d for _, d in self.p1.rx[0].take(1)]
        while mark not in got:
            got += [d for _, d in self.p1.rx[0].take(1)]
        got.remove(mark)
        for i, rx in self.p1.rx.items():
            if i:
                got += [(i, d) for _, d in rx.collect()]
        for i, rx in self.p1.rx.items():
            rx.fill((rx.next - before[i]) % rx.size)
        want = F.pad60(frame) if not ring else (ring, F.pad60(frame))
        self.assertIn(len(got), (0, 1))
        if got:
            self.assertEqual(got[0], want)
        return bool(got)


class Address(FilterBase):

    def test_station_address(self):
        self.ready()
        self.assertTrue(self.passes(self.udp4()))
        self.assertFalse(self.passes(self.udp4(dst=F.mac("02:99:88:77:66:55"))))
        self.assertEqual(self.p1.counters()["rx_drop_filter"], 1)

    def test_every_entry(self):
        p1 = self.ready()
        for i in range(1, 128):
            p1.write_rar(i, bytes([2, 0, 0, 0, 1, i]))
        for i in (1, 2, 63, 64, 126, 127):
            f = self.udp4(dst=bytes([2, 0, 0, 0, 1, i]))
            self.assertTrue(self.passes(f))
            p1.write_rar(i, bytes(6), av=False)
            self.assertFalse(self.passes(f))

    def test_address_valid_bit(self):
        p1 = self.ready()
        p1.write_rar(5, F.mac("02:00:00:00:00:55"), av=False)
        p1.ws([(R.RAR_IDX, 5), (R.RAR_L, 0x55), (R.RAR_H, 0x0200)])
        self.assertFalse(self.passes(self.udp4(dst=F.mac("02:00:00:00:00:55"))))
        p1.w(R.RAR_H, 0x80000200)
        self.assertTrue(self.passes(self.udp4(dst=F.mac("02:00:00:00:00:55"))))

    def test_pool_bits_do_not_matter_without_pools(self):
        p1 = self.ready()
        p1.write_rar(5, F.mac("02:00:00:00:00:55"))
        p1.w(R.RAR_VML, 0)
        self.assertTrue(self.passes(self.udp4(dst=F.mac("02:00:00:00:00:55"))))

    def test_exact_multicast(self):
        p1 = self.ready()
        self.assertFalse(self.passes(self.udp4(dst=MC)))
        p1.write_rar(3, MC)
        self.assertTrue(self.passes(self.udp4(dst=MC)))

    def test_broadcast(self):
        p1 = self.ready()
        self.assertTrue(self.passes(self.udp4(dst=F.BCAST)))
        p1.rmw(R.PSR_CTL, R.PSR_BAM, 0)
        self.assertFalse(self.passes(self.udp4(dst=F.BCAST)))

    def test_promiscuous(self):
        p1 = self.ready()
        uc, mc = self.udp4(dst=F.mac("02:99:88:77:66:55")), self.udp4(dst=MC)
        self.assertEqual((self.passes(uc), self.passes(mc)), (False, False))
        p1.rmw(R.PSR_CTL, 0, R.PSR_UPE)
        self.assertEqual((self.passes(uc), self.passes(mc)), (True, False))
        p1.rmw(R.PSR_CTL, R.PSR_UPE, R.PSR_MPE)
        self.assertEqual((self.passes(uc), self.passes(mc)), (False, True))

    def test_pool0_promiscuous(self):
        """RAR overflow and RXALL set only VM_L2CTL(0)."""
        p1 = self.ready()
        uc, mc = self.udp4(dst=F.mac("02:99:88:77:66:55")), self.udp4(dst=MC)
        p1.rmw(R.VM_L2CTL(0), 0, R.bit(4))
        self.assertEqual((self.passes(uc), self.passes(mc)), (True, False))
        p1.rmw(R.VM_L2CTL(0), R.bit(4), R.bit(12))
        self.assertEqual((self.passes(uc), self.passes(mc)), (False, True))

    def test_pool0_does_not_restrict(self):
        p1 = self.ready()
        p1.w(R.VM_L2CTL(0), 0)
        self.assertTrue(self.passes(self.udp4()))
        self.assertTrue(self.passes(self.udp4(dst=F.BCAST)))

    def test_multicast_hash(self):
        p1 = self.ready()
        f = self.udp4(dst=MC)
        p1.w(R.MC_TBL(0x7D), R.bit(16))             # worked example, MO = 0
        self.assertTrue(self.passes(f))
        p1.rmw(R.PSR_CTL, R.PSR_MFE, 0)
        self.assertFalse(self.passes(f))

    def test_multicast_hash_selections(self):
        p1 = self.ready()
        for mo in range(4):
            p1.rmw(R.PSR_CTL, 0x60, mo << 5)
            for addr in (F.mac("33:33:00:01:a5:c3"), F.mac("01:80:c2:12:34:56"), MC):
                b4, b5 = addr[4:]
                vec = ((b4 >> 4 | b5 << 4), (b4 >> 3 | b5 << 5), (b4 >> 2 | b5 << 6),
                       (b4 | b5 << 8))[mo] & 0xFFF
                f = self.udp4(dst=addr)
                self.assertFalse(self.passes(f))
                p1.w(R.MC_TBL(vec >> 5), 1 << (vec & 31))
                self.assertTrue(self.passes(f), (mo, addr.hex()))
                p1.w(R.MC_TBL(vec >> 5), 0xFFFFFFFF ^ 1 << (vec & 31))
                self.assertFalse(self.passes(f))
                p1.w(R.MC_TBL(vec >> 5), 0)

    def test_unicast_hash(self):
        p1 = self.ready()
        addr = F.mac("02:00:00:00:12:34")
        vec = (addr[4] >> 4 | addr[5] << 4) & 0xFFF
        p1.w(R.UC_TBL(vec >> 5), 1 << (vec & 31))
        self.assertTrue(self.passes(self.udp4(dst=addr)))
        self.assertFalse(self.passes(self.udp4(dst=F.mac("02:00:00:00:12:35"))))

    def test_tables_do_not_mix(self):
        p1 = self.ready()
        p1.ws((R.UC_TBL(i), 0xFFFFFFFF) for i in range(128))
        self.assertFalse(self.passes(self.udp4(dst=MC)))
        p1.ws((R.UC_TBL(i), 0) for i in range(128))
        p1.ws((R.MC_TBL(i), 0xFFFFFFFF) for i in range(128))
        self.assertFalse(self.passes(self.udp4(dst=F.mac("02:99:88:77:66:55"))))


class VlanFilter(FilterBase):

    def test_vfta(self):
        p1 = self.ready()
        for vid in (1, 31, 32, 100, 4094):
            f = self.udp4(tags=[(0x8100, vid)])
            self.assertFalse(self.passes(f))
            p1.rmw(R.VFTA(vid >> 5), 0, 1 << (vid & 31))
            self.assertTrue(self.passes(f))
            self.assertTrue(self.passes(self.udp4(tags=[(0x8100, 0xE000 | vid)])), "PCP, DEI")
            p1.rmw(R.VFTA(vid >> 5), 1 << (vid & 31), 0)
        self.assertTrue(self.passes(self.udp4(tags=[(0x8100, 0)])), "VID 0 is set")

    def test_untagged_always_passes(self):
        p1 = self.ready()
        p1.w(R.VFTA(0), 0)
        self.assertTrue(self.passes(self.udp4()))

    def test_vfe_off(self):
        p1 = self.ready()
        p1.rmw(R.PSR_VLAN_CTL, R.VFE, 0)
        self.assertTrue(self.passes(self.udp4(tags=[(0x8100, 77)])))
        p1.rmw(R.PSR_VLAN_CTL, 0, R.VFE)
        self.assertFalse(self.passes(self.udp4(tags=[(0x8100, 77)])))

    def test_promiscuous_does_not_open_vlans(self):
        p1 = self.ready()
        p1.promisc()
        self.assertFalse(self.passes(self.udp4(tags=[(0x8100, 77)])))

    def test_outermost_counts(self):
        p1 = self.ready()
        p1.rmw(R.VFTA(0), 0, 1 << 7)
        self.assertTrue(self.passes(self.udp4(tags=[(0x88A8, 7), (0x8100, 9)])))
        self.assertFalse(self.passes(self.udp4(tags=[(0x88A8, 9), (0x8100, 7)])))


class Classify(FilterBase):
    """Filters only other drivers use: ethertype, SYN, 5-tuple."""

    def test_ethertype(self):
        p1 = self.ready((0, 7))
        f = F.eth(p1.mac, self.p0.mac, 0x88B6, F.pattern(60))
        self.assertTrue(self.passes(f))
        p1.ws([(R.ETYPE_SWC(2), R.bit(31) | 0x88B6),
               (R.ETYPE_CLS(2), R.bit(31) | 7 << 16)])
        self.tx.send(f)
        d, data = p1.rx[7].one()
        self.assertEqual((d.ptype, d.status >> 2 & 7, data), (0x1A, 4, f))
        p1.w(R.ETYPE_SWC(2), 0)
        self.assertTrue(self.passes(f))

    def test_syn(self):
        p1 = self.ready((0, 9))
        p1.w(R.SYN_CLS, 9 << 1 | 1)
        self.assertTrue(self.passes(self.tcp4(flags=0x02), 9))
        self.assertTrue(self.passes(self.tcp4(flags=0x10)))
        p1.w(R.SYN_CLS, 0)
        self.assertTrue(self.passes(self.tcp4(flags=0x02)))

    def test_five_tuple(self):
        p1 = self.ready((0, 11))
        p1.ws([(R.FT(3, "SA"), 0x0A000001), (R.FT(3, "DA"), 0x0A000002),
               (R.FT(3, "SDP"), 80 << 16 | 1000),
               (R.FT(3, "CTL0"), R.bit(31) | R.bit(30)),
               (R.FT(3, "CTL1"), 11 << 21 | R.bit(12))])
        self.assertTrue(self.passes(self.tcp4(), 11))
        self.assertTrue(self.passes(self.tcp4(dport=81)))
        self.assertTrue(self.passes(self.tcp4(sip="10.0.0.9")))
        self.assertTrue(self.passes(self.udp4(dport=80)))
        p1.w(R.FT(3, "CTL0"), R.bit(31) | R.bit(30) | R.bit(28) | R.bit(25))
        self.assertTrue(self.passes(self.tcp4(dport=81, sip="10.0.0.9"), 11), "masked fields")


class FlowDirector(FilterBase):

    SIG, PERFECT = 0x4AF00001, 0x4AF07F11

    def init(self, p, ctl):
        p.rmw(R.RSC_CTL, 0, R.RX_DIS)
        p.ws([(R.FLEX_CFG(0), 0x30), (R.FDIR_HKEY, R.HKEY), (R.FDIR_SKEY, R.SKEY),
              (R.FDIR_CTL, ctl)])
        self.assertTrue(p.r(R.FDIR_CTL) & 8, "INIT_DONE")
        p.rmw(R.RSC_CTL, R.RX_DIS, 0)

    def cmd(self, p, val):
        p.w(R.FDIR_CMD, val)
        got = p.r(R.FDIR_CMD)
        self.assertEqual(got & 3, 0, "command is over at once")
        return got

    def hash(self, src, dst, sport, dport, flow=2, ptype=0x24, flex=0x0800):
        w = F.fdir_words(src, dst, sport, dport, flow, ptype, flex)
        return F.fdir_hash(R.HKEY, w), F.fdir_hash(R.SKEY, w) & 0x7FFF

    def test_hash_example(self):
        """192.168.1.1:80 -> 192.168.1.2:1000, bucket 0x71F7, signature 0x440E."""
        bucket, sig = self.hash(F.ip4("192.168.1.1"), F.ip4("192.168.1.2"), 80, 1000)
        self.assertEqual((bucket & 0x7FFF, sig), (0x71F7, 0x440E))
        w = F.fdir_words(F.ip4("192.168.1.1"), F.ip4("192.168.1.2"), 80, 1000, 2, 0x24, 0x0800)
        self.assertEqual(w[0], 0x00020024)

    def test_recorded_perfect_buckets(self):
        """The two buckets a trace recorded; the flexible bytes are masked."""
        b, _ = self.hash(F.ip4("10.0.0.2"), bytes(4), 0, 80, flex=0)
        self.assertEqual(b & 0x1FFF, 0x1A9)
        b, _ = self.hash(F.ip4("10.0.0.9"), bytes(4), 0, 81, flex=0)
        self.assertEqual(b & 0x1FFF, 0xF80)

    def test_signature_example(self):
        p1 = self.ready((0, 5))
        self.init(p1, self.SIG)
        f = self.tcp4(30, sip="192.168.1.1", dip="192.168.1.2", sport=80, dport=1000)
        self.assertTrue(self.passes(f))
        p1.w(R.FDIR_HASH, 0x440EF1F7)
        self.cmd(p1, 0x00008849 | 5 << 16)
        p1.rs([R.FDIR_MATCH, R.FDIR_MISS])
        self.tx.send(f)
        d, data = p1.rx[5].one()
        self.assertEqual(data, f)
        self.assertEqual(d.status >> 2 & 7, 1, "class: flow director")
        self.assertEqual(d.ptype, 0x24)
        self.assertEqual(p1.r(R.FDIR_MATCH), 1)
        self.assertEqual(p1.r(R.FDIR_MATCH), 0)
        self.assertTrue(self.passes(self.tcp4(30, sip="192.168.1.1", dip="192.168.1.2",
                                              sport=81, dport=1000)))
        self.assertGreaterEqual(p1.r(R.FDIR_MISS), 1)

    def test_signature_many(self):
        p1 = self.ready((0, 1, 2, 3))
        self.init(p1, self.SIG)
        for i in range(60):
            b, s = self.hash(F.ip4("10.0.0.1"), F.ip4("10.0.0.2"), 3000 + i, 80)
            p1.w(R.FDIR_HASH, s << 16 | 0x8000 | b & 0x7FFF)
            self.cmd(p1, 0x00008849 | (1 + i % 3) << 16)
        for i in range(60):
            self.assertTrue(self.passes(self.tcp4(30, sport=3000 + i), 1 + i % 3), i)

    def test_signature_update_moves_flow(self):
        p1 = self.ready((0, 1, 2))
        self.init(p1, self.SIG)
        b, s = self.hash(S4, D4, 1000, 80)
        for q in (1, 2, 1):
            p1.w(R.FDIR_HASH, s << 16 | 0x8000 | b & 0x7FFF)
            self.cmd(p1, 0x00008849 | q << 16)
            self.assertTrue(self.passes(self.tcp4(), q))

    def test_signature_ignores_udp_and_fragments(self):
        p1 = self.ready((0, 1))
        self.init(p1, self.SIG)
        b, s = self.hash(S4, D4, 1000, 80)
        p1.w(R.FDIR_HASH, s << 16 | 0x8000 | b & 0x7FFF)
        self.cmd(p1, 0x00018849)
        self.assertTrue(self.passes(self.udp4(sport=1000, dport=80)))

    def test_rss_hash_is_still_reported(self):
        p1 = self.ready((0, 5))
        p1.ws((R.RSSRK(i), w) for i, w in enumerate(struct.unpack("<10I", F.RSS_TEST_KEY)))
        p1.w(R.RA_CTL, 0x00330004)
        self.init(p1, self.SIG)
        b, s = self.hash(S4, D4, 1000, 80)
        p1.w(R.FDIR_HASH, s << 16 | 0x8000 | b & 0x7FFF)
        self.cmd(p1, 0x00058849)
        self.tx.send(self.tcp4())
        d, _ = p1.rx[5].one()
        self.assertEqual(d.rsstype, 1)
        self.assertEqual(d.hash, F.toeplitz(F.RSS_TEST_KEY,
                                            S4 + D4 + struct.pack(">HH", 1000, 80)))

    def perfect(self, p):
        """Masks and rule of the recorded ntuple rule, in its order."""
        self.init(p, self.PERFECT)
        p.w(R.FDIR_OTHER_MSK, 4)
        p.rmw(R.FLEX_CFG(0), 0, 4)
        p.ws([(R.FDIR_TCP_MSK, 0x0000FFFF), (R.FDIR_UDP_MSK, 0x0000FFFF),
              (R.FDIR_SCTP_MSK, 0x0000FFFF), (R.FDIR_SA4_MSK, 0), (R.FDIR_DA4_MSK, 0xFFFFFFFF)])
        p.ws([(R.FDIR_IP6(2), 0x0A000002), (R.FDIR_IP6(1), 0), (R.FDIR_IP6(0), 0),
              (R.FDIR_SA, 0x0A000002), (R.FDIR_DA, 0), (R.FDIR_PORT, 0x00500000),
              (R.FDIR_FLEX, 0x00000024), (R.FDIR_HASH, 0x07FD81A9)])

    def test_perfect_recorded_rule(self):
        p1 = self.ready((0, 1))
        self.perfect(p1)
        self.cmd(p1, 0x00018849)
        hit = self.tcp4(30, sip="10.0.0.2", dip="10.9.9.9", sport=4321, dport=80)
        self.assertTrue(self.passes(hit, 1))
        self.assertTrue(self.passes(self.tcp4(30, sip="10.0.0.2", sport=7, dport=80), 1))
        for miss in (self.tcp4(30, sip="10.0.0.3", dport=80),
                     self.tcp4(30, sip="10.0.0.2", dport=81),
                     self.udp4(30, sip="10.0.0.2", dport=80)):
            self.assertTrue(self.passes(miss))

    def rule(self, p, src, dst, sport, dport, flow, ptype, flex, queue):
        """One perfect rule on ring @queue; masked fields are given as 0."""
        b, _ = self.hash(src, dst, sport, dport, flow, ptype, flex)
        p.ws([(R.FDIR_SA, int.from_bytes(src, "big")), (R.FDIR_DA, int.from_bytes(dst, "big")),
              (R.FDIR_PORT, dport << 16 | sport), (R.FDIR_FLEX, flex << 16 | ptype),
              (R.FDIR_HASH, queue << 16 | 0x8000 | b & 0x1FFF)])
        self.cmd(p, 0x8809 | flow << 5 | queue << 16)

    def test_perfect_prefix(self):
        """An inverted mask bit is ignored: 10.0.7.0/24 and an odd port mask."""
        p1 = self.ready((0, 1))
        self.init(p1, self.PERFECT)
        p1.w(R.FDIR_OTHER_MSK, 4)
        p1.rmw(R.FLEX_CFG(0), 0, 4)
        p1.ws([(R.FDIR_TCP_MSK, 0x000FFFFF), (R.FDIR_SA4_MSK, 0xFF),
               (R.FDIR_DA4_MSK, 0xFFFFFFFF)])
        self.rule(p1, F.ip4("10.0.7.0"), bytes(4), 0, 0x1230, 2, 0x24, 0, 1)
        for sip, dport, ring in (("10.0.7.1", 0x1230, 1), ("10.0.7.255", 0x123F, 1),
                                 ("10.0.8.1", 0x1230, 0), ("10.0.7.1", 0x1240, 0)):
            self.assertTrue(self.passes(self.tcp4(30, sip=sip, dport=dport), ring), (sip, dport))

    def test_perfect_flex_bytes(self):
        """Two bytes of the payload, at the word offset that FLEX_CFG names."""
        p1 = self.ready((0, 1))
        self.init(p1, self.PERFECT)
        p1.ws([(R.FDIR_OTHER_MSK, 4), (R.FLEX_CFG(0), 3 | 2 << 3), (R.FDIR_UDP_MSK, 0xFFFFFFFF),
               (R.FDIR_SA4_MSK, 0xFFFFFFFF), (R.FDIR_DA4_MSK, 0xFFFFFFFF)])
        flex = int.from_bytes(F.pattern(64, 7)[4:6], "big")
        self.rule(p1, bytes(4), bytes(4), 0, 0, 1, 0x23, flex, 1)
        self.assertTrue(self.passes(self.udp4(64, seed=7), 1))
        self.assertTrue(self.passes(self.udp4(64, seed=7, sport=9, dip="10.0.0.2"), 1))
        self.assertNotEqual(F.pattern(64, 8)[4:6], F.pattern(64, 7)[4:6])
        self.assertTrue(self.passes(self.udp4(64, seed=8)))

    def test_perfect_delete(self):
        p1 = self.ready((0, 1))
        self.perfect(p1)
        self.cmd(p1, 0x00018849)
        hit = self.tcp4(30, sip="10.0.0.2", dport=80)
        self.assertTrue(self.passes(hit, 1))
        p1.w(R.FDIR_HASH, 0x07FD01A9)
        self.assertTrue(self.cmd(p1, 3) & 4, "query finds it")
        p1.w(R.FDIR_HASH, 0x07FD01A9)
        self.cmd(p1, 2)
        self.assertTrue(self.passes(hit))
        p1.w(R.FDIR_HASH, 0x07FD01A9)
        self.assertFalse(self.cmd(p1, 3) & 4)

    def test_perfect_drop(self):
        p1 = self.ready((0, 1))
        self.perfect(p1)
        self.cmd(p1, 0x007F8A49)
        self.assertFalse(self.passes(self.tcp4(30, sip="10.0.0.2", dport=80)))
        self.assertTrue(self.passes(self.tcp4(30, sip="10.0.0.2", dport=81)))

    def test_control_write_empties_table(self):
        p1 = self.ready((0, 1))
        self.perfect(p1)
        self.cmd(p1, 0x00018849)
        self.init(p1, self.PERFECT)
        p1.w(R.FDIR_HASH, 0x07FD01A9)
        self.assertFalse(self.cmd(p1, 3) & 4)

    def test_before_rss(self):
        p1 = self.ready((0, 1, 6))
        p1.ws((R.RSSRK(i), w) for i, w in enumerate(struct.unpack("<10I", F.RSS_TEST_KEY)))
        p1.ws((R.RETA(i), 0x06060606) for i in range(32))
        p1.w(R.RA_CTL, 0x00330004)
        self.perfect(p1)
        self.cmd(p1, 0x00018849)
        self.tx.send(self.tcp4(30, sip="10.0.0.2", dport=80))
        p1.rx[1].one()
        self.tx.send(self.tcp4(30, sip="10.0.0.3", dport=80))
        p1.rx[6].one()

    def test_capacity(self):
        """2046 rules are promised (13 section 10)."""
        p1 = self.ready()
        self.init(p1, self.PERFECT)
        p1.ws([(R.FDIR_OTHER_MSK, 4), (R.FDIR_TCP_MSK, 0), (R.FDIR_UDP_MSK, 0),
               (R.FDIR_SCTP_MSK, 0), (R.FDIR_SA4_MSK, 0), (R.FDIR_DA4_MSK, 0)])
        p1.rmw(R.FLEX_CFG(0), 0, 4)
        pairs = []
        for i in range(2046):
            src = struct.pack(">I", 0x0A000000 + i)
            b, _ = self.hash(src, D4, 1000, 80, flex=0)
            pairs += [(R.FDIR_IP6(2), 0x0A000000 + i), (R.FDIR_SA, 0x0A000000 + i),
                      (R.FDIR_DA, 0x0A000002), (R.FDIR_PORT, 80 << 16 | 1000),
                      (R.FDIR_FLEX, 0x24), (R.FDIR_HASH, i << 16 | 0x8000 | b & 0x1FFF),
                      (R.FDIR_CMD, 0x00018849)]
        p1.ws(pairs)
        self.assertEqual(p1.r(R.FDIR_FAIL) & 0xFF, 0)
        for i in (0, 1000, 2045):
            b, _ = self.hash(struct.pack(">I", 0x0A000000 + i), D4, 1000, 80, flex=0)
            p1.w(R.FDIR_HASH, i << 16 | b & 0x1FFF)
            self.assertTrue(self.cmd(p1, 3) & 4, i)

    def test_tagged_frame_flex_is_tpid(self):
        p1 = self.ready((0, 1))
        p1.rmw(R.VFTA(0), 0, 1 << 7)
        self.init(p1, self.SIG)
        b, s = self.hash(S4, D4, 1000, 80, flex=0x8100)
        p1.w(R.FDIR_HASH, s << 16 | 0x8000 | b & 0x7FFF)
        self.cmd(p1, 0x00018849)
        self.assertTrue(self.passes(self.tcp4(tags=[(0x8100, 7)]), 1))
        self.assertTrue(self.passes(self.tcp4()))


class Generator(FilterBase):

    def test_frames_come(self):
        p = self.solo()
        p.configure()
        p.w(R.RAR_IDX, 0)
        p.mac = p.read_rar()
        p.irq_setup(1)
        p.rx_enable()
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        rx = p.rx_ring()
        t = F.eth(p.mac, F.mac("02:00:00:00:00:99"), F.ETH_IP4,
                  F.ipv4(S4, D4, 17, F.udp(S4, D4, 1, 2, F.pattern(64))))
        p.set("gen-template", t.hex())
        p.set("gen-count", 20)
        p.set("gen-pps", 100000)
        p.set("gen-run", True)
        got = rx.take(20, 100)
        self.q.step_ms(5)
        self.assertEqual(rx.collect(), [])
        self.assertEqual(p.counters()["rx_frames"], 20)
        self.assertEqual(p.get("gen-sent"), 20)
        for (d,), data in got:
            self.assertEqual(len(data), len(t))
            self.assertEqual(data[:14], t[:14])
            self.assertEqual(d.status & (D.L4CS | D.TCPE | D.IPE), D.L4CS)

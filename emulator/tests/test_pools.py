# SPDX-License-Identifier: GPL-2.0-only
"""Pools (13 section 5, 07): who gets a frame and which rings are its own."""

import struct

import frames as F
import regs as R
from base import Base

NUM_VT_32, NUM_VT_64 = 2 << 12, 3 << 12
VM_CTL, REPLEN, NO_DEFAULT = R.PSR_VM_CTL, R.bit(30), R.bit(29)
UPE, VACC, AUPE, ROMPE, BAM, MPE = (R.bit(n) for n in (4, 6, 8, 9, 11, 12))
MC = F.mac("01:00:5e:00:00:fb")


def vf_re(n):
    return 0x12004 + 4 * n


def vf_te(n):
    return 0x18004 + 4 * n


def vmrsstbl(i, p):
    return 0x1B000 + 4 * i + 0x40 * p


def vmrssrk(i, p):
    return 0x1A000 + 4 * i + 0x40 * p


class Pools(Base):

    def ready(self, mode=NUM_VT_64, pools=(0, 1, 5), vm_ctl=REPLEN | 5 << 7, l2=AUPE | BAM):
        """Pool 5 is the default one; each pool has its first ring."""
        p0, p1 = self.pair()
        self.qpp = 2 if mode == NUM_VT_64 else 4
        p1.rmw(R.PORT_CTL, 3 << 12, mode)
        p1.ws([(VM_CTL, vm_ctl), (vf_re(0), 0xFFFFFFFF), (vf_re(1), 0xFFFFFFFF)])
        p1.ws((R.VM_L2CTL(p), l2 if p in pools else 0) for p in range(64))
        for p in pools:
            p1.rx_ring(p * self.qpp)
        self.addr(1, 0)
        self.addr(2, 1)
        self.tx = p0.tx_ring()
        return p0, p1

    def mac(self, pool):
        return bytes([2, 0, 0, 0, 9, pool])

    def addr(self, idx, pool):
        p1 = self.p1
        p1.write_rar(idx, self.mac(pool))
        p1.ws([(R.RAR_IDX, idx), (R.RAR_VML, 1 << pool), (R.RAR_VMH, 0)])

    def reach(self, frame):
        """The rings on which the frame arrives."""
        self.tx.send(frame)
        self.q.step_ms(1)
        got = set()
        for i, rx in self.p1.rx.items():
            pk = rx.collect()
            self.assertIn(len(pk), (0, 1))
            if pk:
                self.assertEqual(pk[0][1], F.pad60(frame))
                got.add(i)
        return got

    def test_unicast_goes_to_its_pool(self):
        self.ready()
        self.assertEqual(self.reach(self.udp4(dst=self.mac(0))), {0})
        self.assertEqual(self.reach(self.udp4(dst=self.mac(1))), {2})
        self.assertEqual(self.reach(self.udp4(dst=self.mac(9))), {10}, "default pool")

    def test_no_default_pool(self):
        self.ready(vm_ctl=NO_DEFAULT | 5 << 7)
        self.assertEqual(self.reach(self.udp4(dst=self.mac(9))), set())

    def test_four_rings_per_pool(self):
        self.ready(NUM_VT_32)
        self.assertEqual(self.reach(self.udp4(dst=self.mac(1))), {4})

    def test_broadcast_is_replicated(self):
        _, p1 = self.ready()
        self.assertEqual(self.reach(self.udp4(dst=F.BCAST)), {0, 2, 10})
        p1.w(R.VM_L2CTL(1), AUPE)
        self.assertEqual(self.reach(self.udp4(dst=F.BCAST)), {0, 10})

    def test_multicast(self):
        _, p1 = self.ready()
        self.assertEqual(self.reach(self.udp4(dst=MC)), set())
        p1.w(R.MC_TBL(0x7D), R.bit(16))
        p1.w(R.VM_L2CTL(1), AUPE | ROMPE)
        p1.w(R.VM_L2CTL(5), AUPE | MPE)
        self.assertEqual(self.reach(self.udp4(dst=MC)), {2, 10})
        p1.w(R.MC_TBL(0x7D), 0)
        self.assertEqual(self.reach(self.udp4(dst=MC)), {10})

    def test_untagged_needs_aupe(self):
        _, p1 = self.ready()
        p1.w(R.VM_L2CTL(1), BAM)
        self.assertEqual(self.reach(self.udp4(dst=self.mac(1))), set())

    def test_vlan_entry(self):
        _, p1 = self.ready()
        f = self.udp4(dst=F.BCAST, tags=[(0x8100, 7)])
        self.assertEqual(self.reach(f), set())
        p1.ws([(R.VSWC_IDX, 3), (R.VSWC, R.bit(31) | 7), (R.VSWC_VML, 1 << 1 | 1 << 5),
               (R.VSWC_VMH, 0)])
        self.assertEqual(self.reach(f), {2, 10})
        p1.w(R.VM_L2CTL(0), AUPE | BAM | VACC)
        self.assertEqual(self.reach(f), {2, 10}, "VACC is for tags without an entry")
        self.assertEqual(self.reach(self.udp4(dst=F.BCAST, tags=[(0x8100, 8)])), {0})

    def test_receive_enable(self):
        _, p1 = self.ready()
        p1.w(vf_re(0), 0xFFFFFFFF & ~2)
        self.assertEqual(self.reach(self.udp4(dst=self.mac(1))), set())
        self.assertEqual(self.reach(self.udp4(dst=F.BCAST)), {0, 10})

    def test_rss_stays_in_the_pool(self):
        _, p1 = self.ready()
        p1.rx_ring(3)
        p1.ws((vmrssrk(i, 1), w) for i, w in enumerate(struct.unpack("<10I", F.RSS_TEST_KEY)))
        p1.ws((vmrsstbl(i, 1), 0x01000100) for i in range(16))
        p1.ws([(R.PL_CFG(1), R.bit(24) | 0xFF << 16 | 0x3E | 1 << 29), (R.RA_CTL, 5)])
        seen = set()
        for sport in range(1, 20):
            h = F.toeplitz(F.RSS_TEST_KEY, F.ip4("10.0.0.1") + F.ip4("10.0.0.2")
                           + struct.pack(">HH", sport, 2000))
            ring = 2 + (h & 0x3F) % 2
            self.assertEqual(self.reach(self.udp4(dst=self.mac(1), sport=sport)), {ring})
            seen.add(ring)
        self.assertEqual(seen, {2, 3})
        self.assertEqual(self.reach(self.udp4(dst=self.mac(0))), {0}, "pool 0 has no RSS")

    def test_transmit_enable_and_default_tag(self):
        p0, p1 = self.ready()
        p1.promisc()
        p0.rmw(R.PORT_CTL, 3 << 12, NUM_VT_64)
        p0.w(vf_te(0), 0)
        tx = p0.tx_ring(2)
        f = self.udp4(dst=self.mac(1))
        tx.send(f)
        self.q.step_ms(1)
        self.assertEqual(self.p1.rx[2].collect(), [])
        p0.w(vf_te(0), 2)
        tx.doorbell()
        self.assertEqual(self.p1.rx[2].one()[1], f)
        p0.w(0x18104, R.bit(30) | 1 << 24 | 0x2007)
        p1.w(R.VM_L2CTL(1), AUPE | BAM | VACC)
        tx.send(f)
        self.assertEqual(self.p1.rx[2].one()[1], f[:12] + bytes.fromhex("88a82007") + f[12:])

    def test_held_for_one_pool_reaches_none(self):
        """Without drop mode every pool waits for the one without descriptors."""
        _, p1 = self.ready(pools=(0, 1))
        p1.rx_ring(2, fill=0)
        f = self.udp4(dst=F.BCAST)
        self.assertEqual(self.reach(f), set())
        p1.rx[2].fill(1)
        self.q.step_ms(1)
        self.assertEqual([p1.rx[i].one()[1] for i in (0, 2)], [f, f])

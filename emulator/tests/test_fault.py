# SPDX-License-Identifier: GPL-2.0-only
"""Each fault property has its effect, and only while it is set.  Firmware,
EEPROM, flap and lost-message faults are with their subjects."""

import desc as D
import regs as R
from base import Base
from qtest import PciFn


class Faults(Base):

    def flow(self, n=128):
        p0, p1 = self.pair()
        p1.promisc()
        self.rx = p1.rx_ring(size=1024)
        self.tx = p0.tx_ring(size=1024)
        return p0, p1

    def test_removed(self):
        p = self.solo()
        fresh = p.r(R.PSR_MAX_SZ)
        p.w(R.PSR_MAX_SZ, 1522)
        p.set("fault-removed", True)
        self.assertEqual(p.rs([R.PSR_MAX_SZ, R.MIS_ST, R.PORT_ST, R.IC(0)]), [0xFFFFFFFF] * 4)
        p.w(R.PSR_MAX_SZ, 9000)
        p.set("fault-removed", False)
        self.assertEqual(p.r(R.PSR_MAX_SZ), fresh, "it comes back from reset, the write was ignored")

    def test_removed_stops_everything(self):
        p0, p1 = self.flow()
        p0.set("fault-removed", True)
        self.tx.send(self.udp4())
        self.q.step_ms(5)
        self.assertEqual(self.rx.collect(), [])

    def test_late_write_back(self):
        p0, _ = self.flow()
        p0.set("fault-wb-us", 500)
        p0.set("fault-wb", "late")
        self.tx.send(self.udp4())
        self.rx.take()
        self.q.step_us(100)
        self.assertEqual(self.tx.head(), 0)
        self.q.step_us(600)
        self.assertEqual(self.tx.head(), 1)
        p0.set("fault-wb", "none")
        self.tx.send(self.udp4())
        self.rx.take()
        self.assertEqual(self.tx.head(), 2)

    def test_late_receive_write_back(self):
        _, p1 = self.flow()
        p1.set("fault-wb-us", 500)
        p1.set("fault-wb", "late")
        self.tx.send(self.udp4())
        self.q.step_us(100)
        self.assertEqual(self.rx.collect(), [])
        self.q.step_us(600)
        self.assertEqual(self.rx.one()[1], self.udp4())

    def test_batched_write_back(self):
        p0, _ = self.flow()
        p0.set("fault-wb-us", 1000)
        p0.set("fault-wb", "batch")
        for i in range(3):
            self.tx.send(self.udp4(seed=i))
        self.rx.take(3)
        self.assertNotEqual(self.tx.head(), 3)
        self.q.wait(lambda: self.tx.head() == 3, 50, what="batch is flushed in the end")

    def test_tx_stall(self):
        p0, _ = self.flow()
        p0.set("fault-tx-stall", True)
        self.tx.send(self.udp4())
        self.q.step_ms(50)
        self.assertEqual(self.tx.head(), 0)
        p0.set("fault-tx-stall", False)
        self.tx.send(self.udp4(seed=1))
        self.q.wait(lambda: self.tx.head() == 2, 50)

    def rings(self):
        """Two rings each way, p1 steers by the flow's port: 2000 + n to ring n."""
        p0, p1 = self.pair(queues=2)
        tx = [p0.tx_ring(i) for i in range(2)]
        rx = [p1.rx_ring(i, cfg=cfg) for i, cfg in enumerate((0, R.RR_DROP_EN))]
        for i in range(2):
            p1.ws([(R.FT(i, "SDP"), (2000 + i) << 16), (R.FT(i, "CTL1"), i << 21 | R.bit(12)),
                   (R.FT(i, "CTL0"), R.bit(31) | R.bit(30) | 7 << 25 | 1)])
        return p0, p1, tx, rx

    def test_one_tx_ring_stalls(self):
        p0, _, tx, rx = self.rings()
        p0.set("fault-tx-stall-ring", 1)
        frames = [self.udp4(seed=i) for i in range(6)]
        for i, f in enumerate(frames):
            tx[i % 2].send(f)
        self.q.step_ms(50)
        self.assertEqual([t.head() for t in tx], [3, 0])
        self.assertEqual([d for _, d in rx[0].collect()], frames[::2])
        p0.set("fault-tx-stall-ring", -1)
        self.assertEqual([d for _, d in rx[0].take(3)], frames[1::2], "without a doorbell")
        self.assertEqual([t.head() for t in tx], [3, 3])

    def test_one_rx_ring_stalls(self):
        """What is for it is lost, whether it drops or holds; the other one goes on."""
        for ring in range(2):
            with self.subTest(ring=ring):
                _, p1, tx, rx = self.rings()
                p1.set("fault-rx-stall-ring", ring)
                frames = [self.udp4(seed=i, dport=2000 + i % 2) for i in range(8)]
                for f in frames:
                    tx[0].send(f)
                self.assertEqual([d for _, d in rx[1 - ring].take(4)], frames[1 - ring::2])
                self.q.step_ms(2)
                self.assertEqual(rx[ring].collect(), [])
                self.assertEqual(p1.r(R.RDM_DRP), 4)
                self.assertEqual(p1.r(R.RR(ring, "RP")), 0)
                p1.set("fault-rx-stall-ring", -1)
                tx[0].send(frames[ring])
                self.assertEqual(rx[ring].one()[1], frames[ring])
                self.finish()

    def test_frame_held_for_a_ring_that_stalls(self):
        """A ring without descriptors has stopped all; stalled it stops itself only."""
        _, p1, tx, rx = self.rings()
        p1.rx[0] = rx[0] = p1.rx_ring(0, fill=0)
        tx[0].send(self.udp4(seed=1))
        tx[0].send(self.udp4(seed=2, dport=2001))
        self.q.step_ms(1)
        self.assertEqual(rx[1].collect(), [])
        p1.set("fault-rx-stall-ring", 0)
        self.assertEqual(rx[1].one()[1], self.udp4(seed=2, dport=2001))

    def test_stalled_ring_is_a_ring(self):
        p = self.solo()
        for prop in ("fault-tx-stall-ring", "fault-rx-stall-ring"):
            for n in (-2, 128, 1 << 31):
                with self.assertRaises(RuntimeError):
                    p.set(prop, n)
            self.assertEqual(p.get(prop), -1)
            p.set(prop, 127)
            self.assertEqual(p.get(prop), 127)

    def test_pending(self):
        p = self.solo(**{"fault-pending": "on"})
        p.pci.command(2)
        self.assertNotEqual(p.r(R.TRANS_PENDING), 0)
        self.q.step_ms(200)
        self.assertNotEqual(p.r(R.TRANS_PENDING), 0)
        p.set("fault-pending", False)
        self.assertEqual(p.r(R.TRANS_PENDING), 0)

    def test_rx_loss(self):
        _, p1 = self.flow()
        p1.set("fault-rx-loss", 4)
        frames = [self.udp4(seed=i) for i in range(40)]
        for f in frames:
            self.tx.send(f)
        got = [d for _, d in self.rx.take(30)]
        self.q.step_ms(2)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(len(got), 30)
        self.assertLess(set(got), set(frames))

    def corrupt(self, prop):
        _, p1 = self.flow()
        p1.rs([R.RX_CRC, R.RX_CRC + 4])
        p1.set(prop, 5)
        frames = [self.udp4(seed=i) for i in range(20)]
        for f in frames:
            self.tx.send(f)
        return p1, frames

    def test_rx_corrupt(self):
        """Damaged on the wire: the MAC sees a bad FCS and drops."""
        p1, frames = self.corrupt("fault-rx-corrupt")
        got = [d for _, d in self.rx.take(16)]
        self.q.step_ms(2)
        self.assertEqual(self.rx.collect(), [])
        lost = [i for i in range(20) if frames[i] not in got]
        self.assertEqual({b - a for a, b in zip(lost, lost[1:])}, {5})
        self.assertEqual(p1.rs([R.RX_CRC, R.RX_CRC + 4]), [4, 0])

    def test_rx_corrupt_saved(self):
        """RSC_CTL.SAVE_MAC_ERR hands bad frames over, marked."""
        _, p1 = self.flow()
        p1.rmw(R.RSC_CTL, 0, R.bit(6))
        p1.set("fault-rx-corrupt", 5)
        frames = [self.udp4(seed=i) for i in range(20)]
        for f in frames:
            self.tx.send(f)
        got = self.rx.take(20)
        for (d,), data in got:
            self.assertEqual(bool(d.status & R.bit(29)), data not in frames)
        self.assertEqual(sum(data not in frames for _, data in got), 4)

    def test_rx_checksum(self):
        """Damaged behind the MAC: delivered, and the checksum flag tells."""
        p1, frames = self.corrupt("fault-rx-csum")
        got = self.rx.take(20)
        odd = [i for i in range(20) if got[i][1] != frames[i]]
        self.assertEqual({b - a for a, b in zip(odd, odd[1:])}, {5})
        self.assertEqual(len(odd), 4)
        for i in odd:
            self.assertTrue(got[i][0][0].status & (D.TCPE | D.IPE))
        self.assertEqual(p1.r(R.RX_CRC), 0)

    def test_tx_gate(self):
        """At each link-up the Tx path is shut until TSC_CTL is written open."""
        p0, p1 = self.flow()
        p0.set("fault-tx-gate", True)
        p0.set("cable", False)
        self.wait_link(p0, p1, up=False)
        p0.set("cable", True)
        self.wait_link(p0, p1)
        self.tx.send(self.udp4())
        self.q.step_ms(5)
        self.assertEqual(self.rx.collect(), [])
        self.assertEqual(p0.r(R.TSC_CTL) & R.TX_DIS, 0, "it does not show")
        p0.w(R.TSC_CTL, R.TX_DIS)
        self.q.step_ms(1)
        self.assertEqual(self.rx.collect(), [])
        p0.w(R.TSC_CTL, 0)
        self.assertEqual(self.rx.one()[1], self.udp4())

    def test_stuck_bit(self):
        p = self.solo(**{"fault-stuck": "on"})
        p.ws([(R.RFCV(0), 0xFFFFFFFF), (R.RFCV(1), 0xFFFFFFFF)])
        self.assertEqual(p.rs([R.RFCV(0), R.RFCV(1)]), [0xFFFFFFFE, 0xFFFFFFFF])
        p.set("fault-stuck", False)
        self.assertEqual(p.r(R.RFCV(0)), 0xFFFFFFFF)

    def test_ecc(self):
        p0, p1 = self.card()
        p1.set("fault-ecc", True)
        self.assertEqual([p.r(R.MIS_ST) for p in (p0, p1)], [1 | R.bit(17)] * 2)
        self.assertTrue(p1.r(R.MISC_IC) & R.MISC_INT_ERR)
        self.assertEqual(p0.r(R.MISC_IC) & R.MISC_INT_ERR, 0)
        p1.set("fault-ecc", False)
        self.assertEqual(p1.r(R.MIS_ST), 1)

    def test_short_answers(self):
        p = self.solo(**{"fault-fw": "short"})
        ans = p.fw(bytes([0xC5, 16]) + bytes(18))
        self.assertEqual((ans[1], ans[2]), (8, 1))
        p.set("fault-fw", "none")
        self.assertEqual(p.module_info()[1], 16)

    def test_first_frame_lost(self):
        p0, p1 = self.card(both={"fault-first-frame-lost": "on"})
        for p in (p0, p1):
            p.w(R.RAR_IDX, 0)
            p.mac = p.read_rar()
            p.configure()
            p.irq_setup(1)
            p.rx_enable()
            p.laser(True)
        self.wait_link(p0, p1)
        for p in (p0, p1):
            p.link_up_seen()
        rx, tx = p1.rx_ring(), p0.tx_ring()
        tx.send(self.udp4(seed=1))
        self.q.step_ms(2)
        tx.send(self.udp4(seed=2))
        self.assertEqual(rx.one()[1], self.udp4(seed=2))
        self.assertEqual(tx.head(), 2, "it completes all the same")

    def test_off_by_default(self):
        p0, p1 = self.flow()
        for p in (p0, p1):
            for prop, val in (("fault-fw", "none"), ("fault-wb", "none"),
                              ("fault-lost-irq", 0), ("fault-removed", False),
                              ("fault-rx-loss", 0), ("fault-rx-corrupt", 0),
                              ("fault-flap-ms", 0), ("fault-eeprom", False),
                              ("fault-pending", False), ("fault-tx-stall", False),
                              ("fault-tx-gate", False), ("fault-stuck", False),
                              ("fault-ecc", False), ("fault-tx-fault", False),
                              ("fault-module", "none"), ("fault-boot", "none"),
                              ("fault-boot-ms", 0), ("fault-tx-stall-ring", -1),
                              ("fault-rx-stall-ring", -1),
                              ("fault-first-frame-lost", False)):
                self.assertEqual(p.get(prop), val, prop)
        frames = [self.udp4(seed=i) for i in range(100)]
        for f in frames:
            self.tx.send(f)
        self.assertEqual([d for _, d in self.rx.take(100)], frames)


class Boot(Base):
    """fault-boot: what a reset starts is late, or never done (01 sections 1 and 2)."""

    def rar0(self, p):
        p.w(R.RAR_IDX, 0)
        return p.r(R.RAR_H) >> 31, p.read_rar()

    def test_flash(self):
        p = self.solo(mac="02:11:22:33:44:55", **{"fault-boot": "flash"})
        for _ in range(2):
            self.assertEqual(p.r(R.SPI_STATUS) & R.bit(31), 0, "there is a flash")
            self.assertEqual(p.r(R.SPI_ILDR_STATUS), 3)
            self.assertEqual(p.r(R.MIS_ST), 1)
            self.assertEqual(self.rar0(p), (0, bytes(6)))
            self.q.step_ms(5000)
        p.w(R.MIS_RST, R.RST_SW)
        self.assertEqual(p.r(R.SPI_ILDR_STATUS), 3 | R.bit(7))
        p.set("fault-boot", "none")
        self.assertEqual(p.r(R.SPI_ILDR_STATUS), 0)
        self.assertEqual(self.rar0(p), (1, bytes.fromhex("021122334455")))

    def test_lan(self):
        """The load after a LAN reset is the port's own."""
        p0, p1 = self.card()
        macs = [self.rar0(p) for p in (p0, p1)]
        p0.set("fault-boot", "lan")
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0, "nothing has been reset")
        p1.w(R.MIS_RST, R.RST_LAN1)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0)
        p0.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual([p.r(R.SPI_ILDR_STATUS) for p in (p0, p1)], [R.bit(9)] * 2)
        self.assertEqual(p0.r(R.MIS_ST), 1)
        self.q.step_ms(5000)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), R.bit(9))
        self.assertEqual([self.rar0(p) for p in (p0, p1)], [(0, bytes(6)), macs[1]])
        p0.set("fault-boot", "none")
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0)
        self.assertEqual([self.rar0(p) for p in (p0, p1)], macs)

    def test_lan_after_function_reset(self):
        p = self.solo(**{"fault-boot": "lan"})
        cap = p.pci.cap(0x10)
        p.pci.write(cap + 8, 2, p.pci.read(cap + 8, 2) | 0x8000)
        p.attach()
        self.assertEqual(p.r(R.SPI_ILDR_STATUS), R.bit(9))

    def test_firmware(self):
        """One firmware for both ports; who is not up does not answer."""
        p0, p1 = self.card(**{"fault-boot": "firmware"})
        req = bytes([0xC0, 12]) + bytes(14)
        self.assertEqual([p.r(R.MIS_ST) for p in (p0, p1)], [0, 0])
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0)
        self.assertIsNone(p0.fw(req))
        self.assertIsNone(p1.fw(req))
        self.q.step_ms(5000)
        self.assertEqual(p1.r(R.MIS_ST), 0)
        p0.set("fault-boot", "none")
        self.assertEqual([p.r(R.MIS_ST) for p in (p0, p1)], [1, 1])
        for p in (p0, p1):
            self.assertIsNotNone(p.fw(req))
        p1.set("fault-boot", "firmware")
        self.assertEqual(p0.r(R.MIS_ST), 0)
        self.assertIsNone(p0.fw(req))

    def test_late(self):
        """Counted from the reset, and RAR 0 is there when the load is done."""
        p0, p1 = self.card(both={"fault-boot": "all", "fault-boot-ms": 300})
        self.q.step_ms(299)
        self.assertEqual((p0.r(R.SPI_ILDR_STATUS), p0.r(R.MIS_ST)), (3, 0))
        self.assertEqual(self.rar0(p0)[0], 0)
        self.q.step_ms(2)
        self.assertEqual((p0.r(R.SPI_ILDR_STATUS), p0.r(R.MIS_ST)), (0, 1))
        self.assertEqual([self.rar0(p)[0] for p in (p0, p1)], [1, 1])
        p0.w(R.MIS_RST, R.RST_LAN0)
        self.q.step_ms(200)
        p1.w(R.MIS_RST, R.RST_LAN1)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), R.bit(9) | R.bit(10))
        self.assertEqual(p0.r(R.MIS_ST), 1, "a LAN reset is nothing to the firmware")
        self.q.step_ms(101)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), R.bit(10), "each in its own time")
        self.assertEqual([self.rar0(p)[0] for p in (p0, p1)], [1, 0])
        self.q.step_ms(200)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0)
        self.assertEqual(self.rar0(p1)[0], 1)
        p0.w(R.MIS_RST, R.bit(3))
        self.assertEqual((p0.r(R.SPI_ILDR_STATUS), p0.r(R.MIS_ST)), (0, 0), "firmware alone")
        self.q.step_ms(301)
        self.assertEqual(p0.r(R.MIS_ST), 1)

    def test_bus_reset(self):
        p0, p1 = self.card(both={"fault-boot": "all", "fault-boot-ms": 500})
        self.q.step_ms(501)
        self.assertEqual((p0.r(R.SPI_ILDR_STATUS), p0.r(R.MIS_ST)), (0, 1))
        rp = PciFn(self.q, 0, 4, 0)
        ctl = rp.read(0x3E, 2)
        rp.write(0x3E, 2, ctl | 0x40)
        self.q.step_ms(2)
        rp.write(0x3E, 2, ctl)
        for p in (p0, p1):
            p.attach()
        self.assertEqual((p1.r(R.SPI_ILDR_STATUS), p1.r(R.MIS_ST)), (3, 0))
        self.q.step_ms(501)
        self.assertEqual((p1.r(R.SPI_ILDR_STATUS), p1.r(R.MIS_ST)), (0, 1))
        self.assertEqual([self.rar0(p)[0] for p in (p0, p1)], [1, 1])

    def test_values(self):
        p = self.solo()
        for v in ("none", "flash", "lan", "firmware", "all"):
            p.set("fault-boot", v)
            self.assertEqual(p.get("fault-boot"), v)
        with self.assertRaises(RuntimeError):
            p.set("fault-boot", "never")

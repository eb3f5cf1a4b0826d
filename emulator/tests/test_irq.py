# SPDX-License-Identifier: GPL-2.0-only
"""Interrupts: masks, IVAR, moderation, status block, MSI-X, MSI, INTx (10)."""

import regs as R
from base import Base
from port import MSIX_MAGIC
from qtest import CAP_MSI, CAP_MSIX


class Msix(Base):

    def ready(self, queues=4, **props):
        p = self.solo(**props)
        p.configure()
        p.irq_setup(queues)
        self.drain_irqs(p)
        return p

    def fire(self, p, v):
        p.w(R.ICS(v // 32), 1 << v % 32)
        self.q.settle(1)

    def test_all_vectors(self):
        p = self.ready(1)
        p.w(R.GPIE, 1)
        for v in range(64):
            p.unmask(v)
            self.fire(p, v)
            self.assertEqual(p.took_any(), [v])

    def test_reset_state_is_masked(self):
        p = self.solo()
        p.ws([(R.PF_BME, 1), (R.GPIE, 1)])
        self.fire(p, 3)
        self.assertFalse(p.took(3))
        p.unmask(3)
        self.q.settle()
        self.assertTrue(p.took(3))

    def test_ims_masks_imc_unmasks(self):
        p = self.ready()
        p.mask(1)
        self.assertEqual(p.r(R.IMS(0)) >> 1 & 1, 1)
        self.assertEqual(p.r(R.IMC(0)) >> 1 & 1, 1, "both read the mask")
        p.w(R.IMS(0), 0)
        p.w(R.IMC(0), 0)
        self.assertEqual(p.r(R.IMS(0)) >> 1 & 1, 1, "zero bits do nothing")
        self.assertEqual(p.r(R.IMS(0)) >> 2 & 1, 0)
        p.unmask(1)
        self.assertEqual(p.r(R.IMS(0)) >> 1 & 1, 0)

    def test_auto_mask(self):
        p = self.ready()
        self.fire(p, 2)
        self.assertTrue(p.took(2))
        self.assertEqual(p.r(R.IMS(0)) >> 2 & 1, 1, "masked by the message")
        self.assertEqual(p.r(R.IMS(0)) >> 1 & 1, 0, "others are not")
        self.fire(p, 2)
        self.quiet(lambda: p.took(2))
        self.assertEqual(p.r(R.IC(0)) >> 2 & 1, 1, "pending, not lost")

    def test_event_while_masked_fires_after_imc(self):
        p = self.ready()
        self.fire(p, 2)
        self.assertTrue(p.took(2))
        self.fire(p, 2)
        self.assertFalse(p.took(2))
        p.unmask(2)
        self.q.settle()
        self.assertTrue(p.took(2))
        p.unmask(2)
        self.quiet(lambda: p.took(2))

    def test_delivery_clears_pending(self):
        p = self.ready()
        self.fire(p, 1)
        self.assertTrue(p.took(1))
        self.assertEqual(p.r(R.IC(0)), 0)

    def test_read_clears_and_write_clears(self):
        p = self.ready()
        for v in (0, 1, 2):
            p.mask(v)
        p.w(R.ICS(0), 7)
        p.w(R.IC(0), 2)
        self.assertEqual(p.r(R.IC(0)), 5)
        self.assertEqual(p.r(R.IC(0)), 0)
        for v in (0, 1, 2):
            p.unmask(v)
        self.quiet(lambda: p.took_any())

    def test_high_vectors(self):
        p = self.ready()
        p.w(R.ICS(1), 1 << 5)
        self.assertEqual(p.r(R.IC(1)), 1 << 5)
        p.w(R.ICS(1), 1 << 5)
        p.w(R.IMC(1), 1 << 5)
        self.q.settle()
        self.assertEqual(p.took_any(), [37])

    def test_table_mask_bit(self):
        """An entry masked in the MSI-X table keeps the event (rule 3)."""
        p = self.ready()
        self.q.write_n(4, p.table + 16 * 1 + 12, 1)
        self.fire(p, 1)
        self.quiet(lambda: p.took(1))
        self.q.write_n(4, p.table + 16 * 1 + 12, 0)
        self.q.settle()
        self.assertTrue(p.took(1))

    def test_function_mask(self):
        p = self.ready()
        cap = p.pci.cap(CAP_MSIX)
        p.pci.write(cap + 2, 2, 0xC000)
        self.fire(p, 1)
        self.quiet(lambda: p.took(1))
        p.pci.write(cap + 2, 2, 0x8000)
        self.q.settle()
        self.assertTrue(p.took(1))

    def test_counters_count_messages(self):
        p = self.ready()
        p.set("counters-reset", True)
        for _ in range(3):
            self.fire(p, 2)
            p.unmask(2)
        self.fire(p, 0)
        c = p.counters()
        self.assertEqual(c["irq"], {"2": 3, "0": 1})
        self.assertEqual(c["irq_total"], 4)

    def test_lost_message_fault(self):
        p = self.ready(**{"fault-lost-irq": 3})
        got = 0
        for _ in range(9):
            self.fire(p, 2)
            got += p.took(2)
            p.unmask(2)
        self.assertEqual(got, 6)

    def test_disable_path(self):
        p = self.ready()
        p.ws([(R.MISC_IEN, 0), (R.IMS(0), 0xFFFFFFFF), (R.IMS(1), 0xFFFFFFFF)])
        for v in range(5):
            self.fire(p, v)
        p.w(R.MISC_ICS, R.MISC_LK)
        self.quiet(p.took_any)


class Misc(Base):

    def ready(self, n=2):
        p = self.solo()
        p.configure()
        p.irq_setup(n)
        self.drain_irqs(p)
        return p

    def test_delivery(self):
        p = self.ready()
        self.q.mem_write(p.isb, b"\xEE" * 16)
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        self.assertEqual(p.took_any(), [p.misc_vec])
        self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_EVENT)
        self.assertEqual(p.r(R.MISC_IC), 0, "cleared by delivery")
        self.assertEqual(p.r(R.IMS(0)) >> p.misc_vec & 1, 1, "auto-masked")

    def test_assignment_not_or(self):
        p = self.ready()
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        self.assertTrue(p.took(p.misc_vec))
        p.unmask(p.misc_vec)
        p.w(R.MISC_ICS, R.MISC_AN)
        self.q.settle()
        self.assertTrue(p.took(p.misc_vec))
        self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_AN)

    def test_causes_gather_while_masked(self):
        p = self.ready()
        p.mask(p.misc_vec)
        p.w(R.MISC_ICS, R.MISC_EVENT)
        p.w(R.MISC_ICS, R.MISC_AN)
        self.assertFalse(p.took(p.misc_vec))
        p.unmask(p.misc_vec)
        self.q.settle()
        self.assertTrue(p.took(p.misc_vec))
        self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_EVENT | R.MISC_AN)

    def test_every_cause(self):
        p = self.ready()
        bits = [8] + list(range(10, 24)) + list(range(26, 32))
        p.w(R.MISC_IEN, sum(1 << b for b in bits))
        for b in bits:
            p.w(R.MISC_ICS, 1 << b)
            self.q.settle()
            self.assertTrue(p.took(p.misc_vec), b)
            self.assertEqual(self.q.read_n(4, p.isb + 4), 1 << b)
            p.unmask(p.misc_vec)

    def test_ien_gates(self):
        p = self.ready()
        p.w(R.MISC_ICS, R.bit(12))                 # STALL, not enabled
        self.quiet(lambda: p.took(p.misc_vec))
        self.assertEqual(p.r(R.MISC_IC), R.bit(12))
        self.assertEqual(p.r(R.MISC_IC), 0, "read clears")

    def test_w1c(self):
        p = self.ready()
        p.w(R.MISC_IEN, 0)
        p.w(R.MISC_ICS, R.bit(12) | R.bit(17))
        p.w(R.MISC_IC, R.bit(12))
        self.assertEqual(p.r(R.MISC_IC), R.bit(17))

    def test_latched_until_enabled(self):
        p = self.ready()
        p.w(R.MISC_IEN, 0)
        p.w(R.MISC_ICS, R.MISC_LK)
        self.quiet(lambda: p.took(p.misc_vec))
        p.w(R.MISC_IEN, R.MISC_IEN_UPSTREAM)
        self.q.settle()
        self.assertTrue(p.took(p.misc_vec))
        self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_LK)

    def test_queue_delivery_leaves_misc_dword(self):
        p = self.ready()
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.took(0))
        self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_EVENT)

    def test_ivar_invalid(self):
        p = self.ready()
        p.w(R.MISC_IVAR, p.misc_vec)               # valid bit off
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.quiet(p.took_any)

    def test_misc_vector_is_free_choice(self):
        p = self.ready()
        p.w(R.MISC_IVAR, 0x80 | 41)
        p.unmask(41)
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        self.assertEqual(p.took_any(), [41])

    def test_isb_address_zero_skips_dma(self):
        p = self.ready()
        p.w(R.ISB_L, 0)
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        self.assertTrue(p.took(p.misc_vec))
        self.assertEqual(self.q.mem_read(0, 16), bytes(16))

    def test_isb_written_once(self):
        p = self.ready()
        p.set("counters-reset", True)
        p.w(R.MISC_ICS, R.MISC_EVENT)
        self.q.settle()
        self.assertGreaterEqual(p.counters()["dma_wr_isb"], 1)


class Moderation(Base):

    def ready(self, itr):
        p = self.solo()
        p.configure()
        p.irq_setup(2, itr)
        self.drain_irqs(p)
        self.q.step_ms(20)
        return p

    def interval(self, p, limit_us):
        """Microseconds from one message to the next possible one."""
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.took(0))
        p.unmask(0)
        p.w(R.ICS(0), 1)
        for us in range(limit_us + 1):
            if p.took(0):
                return us
            self.q.step_us(1)
        return None

    def test_unit_is_two_microseconds(self):
        for itr, want in ((25, 50), (42, 84), (511, 1022)):
            with self.subTest(itr):
                p = self.ready(itr)
                got = self.interval(p, want + 20)
                self.assertIsNotNone(got)
                self.assertTrue(want - 2 <= got <= want + 2, f"{got} us for {want}")
                self.finish()

    def test_zero_is_off(self):
        p = self.ready(0)
        self.assertLessEqual(self.interval(p, 5), 1)

    def test_idle_vector_fires_at_once(self):
        p = self.ready(511)
        self.q.step_ms(10)
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.took(0))

    def test_read_back(self):
        p = self.ready(25)
        self.assertEqual(p.r(R.ITR(0)) & 0xFFF, 25)

    def test_causes_join(self):
        p = self.ready(50)
        p.set("counters-reset", True)
        for _ in range(20):
            p.w(R.ICS(0), 1)
            self.q.step_us(10)
            p.unmask(0)
        got = p.counters()["irq_total"]
        self.assertTrue(2 <= got <= 4, got)

    def test_vectors_are_apart(self):
        p = self.ready(500)
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.took(0))
        p.w(R.ICS(0), 2)
        self.q.settle()
        self.assertTrue(p.took(1))

    def test_new_value_applies(self):
        p = self.ready(511)
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.took(0))
        p.w(R.ITR(0), 5 | R.ITR_CNT_WDIS)
        self.q.step_ms(2)
        p.unmask(0)
        got = self.interval(p, 30)
        self.assertTrue(got is not None and got <= 12, got)


class SingleVector(Base):
    """MSI and INTx: GPIE bit 0 clear, four ISB dwords."""

    def ready(self, **props):
        p = self.solo(**dict({"msix-vectors": 0}, **props))
        p.configure()
        p.isb = self.q.alloc(64, 64)
        p.ws([(R.ISB_L, p.isb), (R.ISB_H, 0), (R.GPIE, 0), (R.IVAR(0), 0x8080),
              (R.ITR(0), R.ITR_CNT_WDIS), (R.MISC_IVAR, 0x81)])
        p.rs([R.IC(0), R.IC(1), R.MISC_IC])
        p.ws([(R.MISC_IEN, R.MISC_IEN_UPSTREAM), (R.IMC(0), 3)])
        self.q.settle()
        return p

    def test_intx(self):
        p = self.ready(msi="off")
        p.pci.command(6)
        self.assertFalse(p.pci.irq_status())
        self.q.mem_write(p.isb, bytes(16))
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertTrue(p.pci.irq_status())
        self.assertEqual(self.q.read_n(4, p.isb + 8), 1, "VEC0")
        self.assertEqual(self.q.read_n(4, p.isb + 12), 0, "VEC1")
        self.q.write_n(4, p.isb + 8, 0)
        p.w(R.INTA, 1)
        self.q.settle()
        self.assertFalse(p.pci.irq_status())
        self.assertEqual(p.r(R.IMS(0)) & 1, 1, "bit 0 is auto-masked")
        p.w(R.ICS(0), 1)
        self.quiet(p.pci.irq_status)
        p.unmask(0)
        self.q.settle()
        self.assertTrue(p.pci.irq_status(), "kept while masked")

    def test_intx_misc_is_bit_one(self):
        p = self.ready(msi="off")
        for _ in range(3):
            p.w(R.MISC_ICS, R.MISC_EVENT)
            self.q.settle()
            self.assertTrue(p.pci.irq_status(), "bit 1 must not get stuck")
            self.assertEqual(self.q.read_n(4, p.isb + 4), R.MISC_EVENT)
            self.assertTrue(self.q.read_n(4, p.isb + 8) & 2)
            self.q.write_n(4, p.isb + 8, 0)
            p.w(R.INTA, 1)
            p.unmask(0)
            self.q.settle()
            self.assertFalse(p.pci.irq_status())

    def test_msi(self):
        p = self.ready()
        self.assertTrue(p.pci.cap(CAP_MSI))
        p.msi_setup(0x4321)
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertEqual(self.q.read_n(4, p.msix_area) & 0xFFFF, 0x4321)
        self.assertEqual(self.q.read_n(4, p.isb + 8) & 1, 1)
        self.assertFalse(p.pci.irq_status())
        self.q.write_n(4, p.msix_area, 0)
        p.w(R.ICS(0), 1)
        self.quiet(lambda: self.q.read_n(4, p.msix_area))
        p.unmask(0)
        self.q.settle()
        self.assertEqual(self.q.read_n(4, p.msix_area) & 0xFFFF, 0x4321)

    def test_intx_from_queue(self):
        p = self.ready(msi="off")
        p.laser(True)
        self.wait_link(p)
        p.link_up_seen()
        p.set("sink", True)
        self.q.write_n(4, p.isb + 8, 0)
        p.w(R.INTA, 1)
        p.rs([R.IC(0), R.MISC_IC])
        p.unmask(0)
        tx = p.tx_ring()
        tx.send(bytes(range(64)))
        self.q.wait(p.pci.irq_status, 10, what="INTx")
        self.assertTrue(self.q.read_n(4, p.isb + 8) & 1)


class Dma(Base):

    def test_no_message_without_bus_master(self):
        p = self.solo()
        p.configure()
        p.irq_setup(1)
        self.drain_irqs(p)
        self.allow("dma-gate")
        p.pci.command(2)
        p.w(R.ICS(0), 1)
        self.quiet(lambda: p.took(0))

    def test_magic(self):
        """The catcher itself: address and data of an entry arrive as set."""
        p = self.solo()
        p.configure()
        p.irq_setup(1)
        p.w(R.ICS(0), 1)
        self.q.settle()
        self.assertEqual(self.q.read_n(4, p.msix_area), MSIX_MAGIC)

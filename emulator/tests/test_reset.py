# SPDX-License-Identifier: GPL-2.0-only
"""What each reset clears and keeps; semaphores; shared blocks (01, 02, 08)."""

import regs as R
from base import Base

PERSISTENT = (R.PSR_MAX_SZ, R.RDB_PB_SZ(0))      # reset value not public


def data_plane_zero():
    """Registers whose reset value files 08 and 18 give as 0."""
    res = [R.GPIE, R.MISC_IEN, R.MISC_IVAR, R.ISB_L, R.ISB_H, R.ITRSEL, R.PF_BME,
           R.TDM_CTL, R.RDB_PB_CTL, R.RA_CTL, R.PSR_CTL, R.PSR_VLAN_CTL, R.PSR_VM_CTL,
           R.RDM_DCACHE_CTL, R.RDB_RFCC, R.SYN_CLS, R.PSR_1588_CTL, R.PSR_1588_MSG,
           R.SYSTIML, R.SYSTIMH, R.TSC_INC, R.TSC_AUX, R.MAC_TX_CFG, R.MAC_RX_CFG,
           R.MAC_PKT_FLT, R.MAC_RX_FLOW_CTRL, R.RSC_CTL, R.RDM_RSC_CTL]
    res += [R.IVAR(k) for k in range(64)] + [R.ITR(v) for v in range(64)]
    for i in range(128):
        res += [R.TR(i, n) for n in ("BAL", "BAH", "WP", "RP", "CFG", "HEADL", "HEADH")]
        res += [R.RR(i, n) for n in ("BAL", "BAH", "WP", "RP", "CFG")]
    for i in range(128):
        res += [R.MC_TBL(i), R.UC_TBL(i), R.VFTA(i)]
    res += [R.VM_L2CTL(i) for i in range(64)] + [R.PL_CFG(i) for i in range(64)]
    res += [R.RETA(i) for i in range(32)] + [R.RSSRK(i) for i in range(10)]
    res += [R.ETYPE_SWC(i) for i in range(8)] + [R.ETYPE_CLS(i) for i in range(8)]
    res += [R.FT(i, "CTL0") for i in range(128)]
    res += [R.RDM_QDE(i) for i in range(4)]
    return res


def dirty(p):
    """Put something everywhere that a reset is to clear."""
    pairs = [(R.GPIE, 1), (R.MISC_IEN, R.MISC_IEN_UPSTREAM), (R.MISC_IVAR, 0x85),
             (R.ISB_L, 0x100000), (R.PF_BME, 1), (R.TDM_CTL, 1), (R.RDB_PB_CTL, R.RXEN),
             (R.RA_CTL, 0x00330004), (R.PSR_CTL, 0x2480), (R.PSR_VLAN_CTL, R.VFE),
             (R.RDM_DCACHE_CTL, 1), (R.RDB_RFCC, 8), (R.TSC_INC, 0x02A00000),
             (R.MAC_RX_CFG, 0x101), (R.MAC_TX_CFG, 0x10000001), (R.MAC_PKT_FLT, 1),
             (R.RSC_CTL, 4), (R.RDM_RSC_CTL, 0x80), (R.MAC_RX_FLOW_CTRL, 1)]
    pairs += [(R.IVAR(k), 0x83828180) for k in range(64)]
    pairs += [(R.ITR(v), 25) for v in range(64)]
    for i in range(128):
        pairs += [(R.TR(i, "BAL"), 0x200000), (R.TR(i, "CFG"), 0x08200008),
                  (R.TR(i, "HEADL"), 0x300000), (R.RR(i, "BAL"), 0x400000),
                  (R.RR(i, "CFG"), 0x80094208), (R.MC_TBL(i), 0x55AA55AA),
                  (R.VFTA(i), 0x0F0F0F0F)]
    pairs += [(R.VM_L2CTL(i), R.bit(11)) for i in range(64)]
    pairs += [(R.PL_CFG(i), 0x3E) for i in range(64)]
    pairs += [(R.RETA(i), 0x03020100) for i in range(32)]
    pairs += [(R.RSSRK(i), 0x12345678) for i in range(10)]
    pairs += [(R.ETYPE_SWC(3), 0xC00088F7)]
    pairs += [(R.RDM_QDE(i), 0xFFFFFFFF) for i in range(4)]
    pairs += [(R.IMC(0), 0xFFFFFFFF), (R.IMC(1), 0xFFFFFFFF)]
    for i in range(128):
        pairs += [(R.RAR_IDX, i), (R.RAR_L, 0x01020304 + i), (R.RAR_H, 0x80000200),
                  (R.RAR_VML, 1), (R.RAR_VMH, 0)]
    p.ws(pairs)


class PowerOn(Base):

    def test_status_values(self):
        p = self.solo()
        self.assertEqual(p.r(R.SPI_STATUS) & R.bit(31), 0)
        self.assertEqual(p.r(R.SPI_ILDR_STATUS), 0)
        self.assertEqual(p.r(R.MIS_ST), 1)
        self.assertEqual(p.r(R.MIS_RST), 0)
        self.assertEqual(p.r(R.MIS_RST_ST) & 0x180000, 0)
        self.assertEqual(p.r(R.TRANS_PENDING), 0)
        self.assertEqual(p.r(R.RSC_ST) & 1, 1)
        self.assertEqual(p.r(R.TSC_ST) & 1, 1)
        self.assertEqual(p.r(0x13404) & 3, 3)
        self.assertEqual(p.r(R.MNG_SWFW_SYNC), 0)
        self.assertEqual(p.r(R.MIS_PWR) >> 30, 0)

    def test_data_plane_values(self):
        p = self.solo()
        offs = data_plane_zero()
        bad = {hex(o): hex(v) for o, v in zip(offs, p.rs(offs)) if v}
        self.assertEqual(bad, {})
        self.assertEqual(p.rs([R.IMS(0), R.IMS(1), R.IMC(0), R.IMC(1)]), [0xFFFFFFFF] * 4)

    def test_mac_in_rar0(self):
        p = self.solo(mac="02:00:00:00:12:34")
        p.w(R.RAR_IDX, 0)
        self.assertEqual(p.r(R.RAR_H), 0x80000200)
        self.assertEqual(p.r(R.RAR_L), 0x00001234)

    def test_default_macs(self):
        p0, p1 = self.card()
        for p in (p0, p1):
            p.w(R.RAR_IDX, 0)
            self.assertEqual(p.r(R.RAR_H) >> 31, 1)
        a, b = p0.read_rar(), p1.read_rar()
        self.assertNotEqual(a, b)
        for m in (a, b):
            self.assertEqual(m[0] & 1, 0, "unicast")
            self.assertNotEqual(m, bytes(6))


class LanReset(Base):

    def test_clears(self):
        p = self.solo(mac="02:11:22:33:44:55")
        dirty(p)
        p.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p.r(R.MIS_RST), 0, "self-clearing")
        self.assertEqual(p.r(R.SPI_ILDR_STATUS) & ~R.bit(9), 0)
        self.q.step_ms(100)
        offs = data_plane_zero()
        bad = {hex(o): hex(v) for o, v in zip(offs, p.rs(offs)) if v}
        self.assertEqual(bad, {})
        self.assertEqual(p.rs([R.IMS(0), R.IMS(1)]), [0xFFFFFFFF] * 2)
        p.w(R.RAR_IDX, 0)
        self.assertEqual(p.read_rar().hex(), "021122334455")
        self.assertEqual(p.r(R.RAR_H) >> 31, 1)
        for i in range(1, 128):
            p.w(R.RAR_IDX, i)
            self.assertEqual(p.rs([R.RAR_L, R.RAR_H]), [0, 0], i)

    def test_keeps(self):
        p = self.solo()
        p.ws([(R.GPIO_DDR, 0x32), (R.GPIO_DR, 0x20), (R.GPIO_INTTYPE, 4),
              (R.MNG_SWFW_SYNC, 8)])
        ans = p.fw(bytes([0xC0, 12] + [0] * 14))
        p.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p.rs([R.GPIO_DDR, R.GPIO_DR, R.GPIO_INTTYPE]), [0x32, 0x20, 4])
        self.assertEqual(p.r(R.MNG_SWFW_SYNC), 8)
        self.assertEqual(p.fw_answer()[:16], ans[:16], "mailbox survives")
        self.assertEqual(p.r(R.MIS_ST), 1)
        self.assertIsNotNone(p.fw(bytes([0xC0, 12] + [0] * 14)))

    def test_keeps_link(self):
        p0, p1 = self.pair()
        st = p0.r(R.PORT_ST)
        p0.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p0.r(R.PORT_ST), st)
        self.assertTrue(p1.link())

    def test_other_port_untouched(self):
        p0, p1 = self.card()
        dirty(p1)
        p0.w(R.MIS_RST, R.RST_LAN0)
        self.assertEqual(p1.r(R.TR(7, "CFG")), 0x08200008)
        self.assertEqual(p1.r(R.PSR_CTL), 0x2480)
        self.assertEqual(p1.r(R.IMS(0)), 0)

    def test_second_port(self):
        p0, p1 = self.card()
        dirty(p0)
        dirty(p1)
        p1.w(R.MIS_RST, R.RST_LAN1)
        self.assertEqual(p1.r(R.TR(7, "CFG")), 0)
        self.assertEqual(p0.r(R.TR(7, "CFG")), 0x08200008)

    def test_empties_fdir(self):
        p = self.solo()
        p.configure()
        p.ws([(R.FDIR_HKEY, R.HKEY), (R.FDIR_SKEY, R.SKEY), (R.FDIR_CTL, 0x4AF07F11)])
        p.ws([(R.FDIR_HASH, 0x000581A9), (R.FDIR_CMD, 0x00018849)])
        p.ws([(R.FDIR_HASH, 0x000501A9), (R.FDIR_CMD, 3)])
        self.assertEqual(p.r(R.FDIR_CMD) & 7, 4, "filter is there")
        p.w(R.MIS_RST, R.RST_LAN0)
        self.allow("reset-order")               # a command before FDIR_CTL
        p.ws([(R.FDIR_HKEY, R.HKEY), (R.FDIR_SKEY, R.SKEY)])
        p.ws([(R.FDIR_HASH, 0x000501A9), (R.FDIR_CMD, 3)])
        self.assertEqual(p.r(R.FDIR_CMD) & 7, 0, "filter is gone")

    def test_rings_stop(self):
        p0, p1 = self.pair()
        rx = p1.rx_ring()
        tx = p0.tx_ring()
        p1.promisc()
        p1.pci.command(2)
        p1.w(R.MIS_RST, R.RST_LAN1)
        p1.pci.command(6)
        tx.send(self.udp4())
        self.q.step_ms(2)
        self.assertEqual(rx.collect(), [])

    def test_upstream_sequence(self):
        """reset_hw twice in a row, as probe and open do, is violation-free."""
        p = self.solo()
        p.lan_reset()
        p.start_hw()
        first = p.mac
        p.lan_reset()
        self.assertEqual(p.mac, first)


class MacReset(Base):

    def test_clears_mac_only(self):
        p0, p1 = self.pair()
        p0.ws([(R.MAC_WDG_TIMEOUT, 3), (R.LXONRXC, 77), (R.LXOFFRXC, 88)])
        tr = p0.r(R.PSR_CTL)
        st = p0.r(R.PORT_ST)
        self.assertTrue(st & 1)
        p0.w(R.MIS_RST, R.RST_LAN0_MAC)
        self.q.step_ms(1)
        self.assertEqual(p0.r(R.MIS_RST), 0)
        self.assertEqual(p0.rs([R.MAC_TX_CFG, R.MAC_RX_CFG, R.MAC_PKT_FLT,
                                R.MAC_RX_FLOW_CTRL]), [0] * 4)
        self.assertEqual(p0.rs([R.LXONRXC, R.LXOFFRXC]), [77, 88], "kept (05 rule 2)")
        self.assertEqual(p0.r(R.PSR_CTL), tr)
        self.assertEqual(p0.r(R.PORT_ST), st, "no flap (04 rule 6)")
        self.assertEqual(p1.r(R.MAC_RX_CFG) & 1, 1, "other port")
        self.quiet(lambda: p0.r(R.PORT_ST) != st, 100)
        self.assertEqual(p0.r(R.MISC_IC) & (R.MISC_LKDN | R.MISC_LK), 0)

    def test_second_port_bit(self):
        p0, p1 = self.card()
        for p in (p0, p1):
            p.w(R.MAC_RX_CFG, 0x101)
        p1.w(R.MIS_RST, R.RST_LAN1_MAC)
        self.q.step_ms(1)
        self.assertEqual(p1.r(R.MAC_RX_CFG), 0)
        self.assertEqual(p0.r(R.MAC_RX_CFG), 0x101)

    def test_ephy_self_clears(self):
        p = self.solo()
        p.w(R.MIS_RST, R.RST_LAN0_EPHY)
        self.q.step_ms(1)
        self.assertEqual(p.r(R.MIS_RST), 0)


class ChipReset(Base):

    def test_sw_reset_hits_both_ports(self):
        p0, p1 = self.card()
        dirty(p0)
        dirty(p1)
        p0.w(R.MIS_RST, R.RST_SW)
        self.q.step_ms(5000)
        self.assertEqual(p0.r(R.MIS_RST), 0)
        self.assertEqual(p0.r(R.MIS_RST_ST) & 0x180000, 0)
        self.assertEqual(p0.r(R.SPI_ILDR_STATUS), 0)
        for p in (p0, p1):
            self.assertEqual(p.r(R.TR(7, "CFG")), 0, p.name)
            self.assertEqual(p.r(R.PSR_CTL), 0, p.name)
            self.assertEqual(p.r(R.MIS_ST), 1)
            self.assertIsNotNone(p.fw(bytes([0xC0, 12] + [0] * 14)))

    def test_other_card_untouched(self):
        self.start([dict(id="p0", card="a", port=0, rp=0, peer="p1"),
                    dict(id="p1", card="b", port=0, rp=1)])
        for p in (self.p0, self.p1):
            p.attach()
        dirty(self.p1)
        self.p0.w(R.MIS_RST, R.RST_SW)
        self.q.step_ms(5000)
        self.assertEqual(self.p1.r(R.TR(7, "CFG")), 0x08200008)


class Semaphores(Base):

    def test_swsm_read_sets(self):
        p = self.solo()
        self.assertEqual(p.r(R.MIS_SWSM) & 1, 0)
        self.assertEqual(p.r(R.MIS_SWSM) & 1, 1)
        self.assertEqual(p.r(R.MIS_SWSM) & 1, 1)
        p.w(R.MIS_SWSM, 0)
        self.assertEqual(p.r(R.MIS_SWSM) & 1, 0)

    def test_shared_by_card(self):
        p0, p1 = self.card()
        p0.w(R.MNG_SWFW_SYNC, 8)
        self.assertEqual(p1.r(R.MNG_SWFW_SYNC), 8)
        p1.w(R.MNG_SWFW_SYNC, 0)
        self.assertEqual(p0.r(R.MNG_SWFW_SYNC), 0)
        self.assertEqual(p0.r(R.MIS_SWSM) & 1, 0)
        self.assertEqual(p1.r(R.MIS_SWSM) & 1, 1)

    def test_not_shared_between_cards(self):
        self.start([dict(id="p0", card="a", port=0, rp=0, peer="p1"),
                    dict(id="p1", card="b", port=0, rp=1)])
        for p in (self.p0, self.p1):
            p.attach()
        self.p0.w(R.MNG_SWFW_SYNC, 8)
        self.assertEqual(self.p1.r(R.MNG_SWFW_SYNC), 0)

    def test_second_stage(self):
        p = self.solo()
        p.w(R.MNG_SW_SM, 1)
        self.assertEqual(p.r(R.MNG_SW_SM) & 1, 1)
        p.w(R.MNG_SW_SM, 0)
        self.assertEqual(p.r(R.MNG_SW_SM) & 1, 0)


class Storage(Base):
    """Registers that drivers read-modify-write must read back (18 rule 3)."""

    def test_read_back(self):
        p = self.solo()
        vals = {R.PORT_CTL: 0x4005, R.RDB_PB_SZ(0): 0x70000, R.PSR_CTL: 0x32480,
                R.RSC_CTL: 4, R.RA_CTL: 0x00330004, R.PL_CFG(0): 0x4000003E,
                R.VM_L2CTL(0): 0x900, R.PSR_VLAN_CTL: R.VFE, R.MAC_TX_CFG: 0x10000001,
                R.MAC_RX_CFG: 0x101, R.MAC_PKT_FLT: 1, R.MAC_WDG_TIMEOUT: 0x103,
                R.MAC_RX_FLOW_CTRL: 1, R.TPID(0): 0x88A88100, R.PSR_MAX_SZ: 9432,
                R.TDB_PB_SZ: 0x28000, R.TDM_PB_THRE: 150, R.TSC_BUF_AE: 0x10,
                R.LED_CTL: 0x00010001, R.ITR(5): 25, R.MISC_IVAR: 0x85,
                R.IVAR(9): 0x83838282, R.GPIO_DR: 0x02, R.RFCV(0): 0xFFFFFFFF,
                R.RDB_RFCRT: 0x7FFF, R.RFCH(0): 0x6A000, R.PFCMACDAL: 0xC2000001,
                R.RR(9, "CFG"): 0xA1894308, R.TR(9, "CFG"): 0x08200008,
                R.VXLAN: 4789, R.GENEVE: 6081, R.VXLAN_GPE: 4790,
                R.PSR_1588_MSG: 319 << 16, R.ETYPE_SWC(3): 0xC00088F7}
        p.ws(vals.items())
        got = dict(zip(vals, p.rs(vals)))
        self.assertEqual({hex(k): hex(v) for k, v in got.items()},
                         {hex(k): hex(v) for k, v in vals.items()})

    def test_rar_is_banked(self):
        p = self.solo()
        for i in range(128):
            p.ws([(R.RAR_IDX, i), (R.RAR_L, i * 3), (R.RAR_H, 0x80000200 + i),
                  (R.RAR_VML, 1 << i % 32), (R.RAR_VMH, i)])
        for i in range(128):
            p.w(R.RAR_IDX, i)
            self.assertEqual(p.rs([R.RAR_IDX, R.RAR_L, R.RAR_H, R.RAR_VML, R.RAR_VMH]),
                             [i, i * 3, 0x80000200 + i, 1 << i % 32, i])

    def test_vlan_pool_table_is_banked(self):
        p = self.solo()
        for i in range(64):
            p.ws([(R.VSWC_IDX, i), (R.VSWC, R.bit(31) | i), (R.VSWC_VML, i), (R.VSWC_VMH, 0)])
        for i in range(64):
            p.w(R.VSWC_IDX, i)
            self.assertEqual(p.rs([R.VSWC_IDX, R.VSWC, R.VSWC_VML]), [i, R.bit(31) | i, i])

    def test_mailbox_windows_are_memory(self):
        p0, p1 = self.card()
        for base in (R.MNG_MBOX, R.SW2FW, R.FW2SW):
            p0.ws((base + 4 * i, 0x11110000 + i) for i in range(64))
            self.assertEqual(p0.rs(base + 4 * i for i in range(64)),
                             [0x11110000 + i for i in range(64)], hex(base))
        for base in (R.SW2FW, R.FW2SW):            # one window per function
            self.assertEqual(p1.r(base + 8), 0)

    def test_fixed_xpcs_and_ephy_bits(self):
        """04 section 10: what a driver-run SerDes sequence polls."""
        p = self.solo()
        p.ws([(0x13000, 0x38000), (0x13004, 0x8000)])
        p.w(0x13000, 0x38000)
        self.assertEqual(p.r(0x13004) & 0x8000, 0)
        p.ws([(0x13000, 0x70000), (0x13004, 0x1000)])
        p.ws([(0x13000, 0x30000), (0x13004, 0x14)])
        p.w(0x13000, 0x70000)
        self.assertEqual(p.r(0x13004), 0x1000)
        p.w(0x13000, 0x30000)
        self.assertEqual(p.r(0x13004), 0x14)
        p.ws([(0x13008, 0x1534), (0x1300C, 0xCAFE)])
        p.w(0x13008, 0x1400)
        p.r(0x1300C)
        p.w(0x13008, 0x1534)
        self.assertEqual(p.r(0x1300C), 0xCAFE)

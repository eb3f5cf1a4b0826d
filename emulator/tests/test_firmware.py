# SPDX-License-Identifier: GPL-2.0-only
"""Flash, shadow RAM and the firmware mailbox (02, 03)."""

import struct

import regs as R
from base import Base


def words(raw):
    return list(struct.unpack(f"<{len(raw) // 2}H", raw))


class Flash(Base):

    def spi_read(self, p, addr):
        p.w(R.SPI_CMD, 1 << 28 | 3 << 25 | addr)
        self.q.wait(lambda: p.r(R.SPI_STATUS) & 1, 100, 10, "flash read done")
        return p.r(R.SPI_DATA)

    def test_subsystem_id(self):
        p = self.solo(**{"subsystem-vendor-id": 0x1BD4, "subsystem-id": 0x1234})
        val = self.spi_read(p, 0xFFFDC)
        # First flash byte is the high byte; the dword is little-endian.
        self.assertEqual((val & 0xFF) << 8 | val >> 8 & 0xFF, 0x1234)

    def test_unwritten(self):
        p = self.solo()
        self.assertEqual(self.spi_read(p, 0x123450), 0xFFFFFFFF)

    def test_eeprom_fitted(self):
        p = self.solo()
        self.assertEqual(p.r(R.SPI_STATUS) >> 31, 0)


class Eeprom(Base):

    def image(self, p):
        res = b""
        for pos in range(0, 4096, 244):
            res += p.eeprom(pos, min(244, 4096 - pos))
        self.assertEqual(len(res), 4096)
        return words(res)

    def checksum(self, img, masked):
        sw = img[0x1C] >> 1
        total = sum(0xFFFF if i in masked else w for i, w in enumerate(img)
                    if i != sw + 0x2F)
        return (0xBABA - total) & 0xFFFF

    def test_checksum_by_every_rule(self):
        for typ in ("ff5025", "ff5040"):
            with self.subTest(typ):
                img = self.image(self.solo(type=typ))
                stored = img[(img[0x1C] >> 1) + 0x2F]
                self.assertEqual(stored, self.checksum(img, range(0x580, 0x800)))
                self.assertEqual(stored, self.checksum(img, ()))
                self.assertEqual(stored, self.checksum(img, range(0x580, 0x780)))
                self.finish()

    def test_map(self):
        img = self.image(self.solo())
        self.assertEqual(img[0x1C], 0x0100)
        self.assertEqual(img[0x1D], 0)
        self.assertIn(img[0x87], (0, 0xFFFF), "no option ROM")
        self.assertNotIn((img[0x9E], img[0x9D]), ((0, 0), (0xFFFF, 0xFFFF)))
        self.assertGreaterEqual(img[0x9D] & 0xFF, 0x11)
        self.assertEqual(set(img[0x580:0x800]), {0xFFFF})

    def test_single_words_match_blocks(self):
        p = self.solo()
        img = self.image(p)
        for n in (0, 0x1C, 0x9D, 0x9E, 0xAF, 0x7FF):
            self.assertEqual(words(p.eeprom(2 * n, 2)), [img[n]])

    def test_beyond_the_end(self):
        p = self.solo()
        self.assertEqual(p.eeprom(4096, 4), b"\xff" * 4)
        self.assertEqual(p.eeprom(4094, 6)[2:], b"\xff" * 4)
        self.assertEqual(p.eeprom(0xFFFFFF00, 16), b"\xff" * 16)

    def test_bad_checksum_fault(self):
        p = self.solo(**{"fault-eeprom": "on"})
        img = self.image(p)
        stored = img[(img[0x1C] >> 1) + 0x2F]
        self.assertNotEqual(stored, self.checksum(img, range(0x580, 0x800)))
        self.assertNotEqual(stored, self.checksum(img, ()))

    def test_write_word(self):
        p = self.solo()
        req = struct.pack("<BBBB", 0x33, 0, 0x0A, 0xFF) + struct.pack(">IH", 0x200, 2) \
            + bytes(2) + struct.pack("<H", 0xBEEF) + bytes(2)
        ans = p.fw(req)
        self.assertEqual(ans[2] & 0x1F, 1)
        self.assertEqual(words(p.eeprom(0x200, 2)), [0xBEEF])
        self.assertEqual(p.fw(bytes([0x36, 0, 0, 0xFF] + [0] * 12))[2] & 0x1F, 1)

    def test_both_ports_see_one_image(self):
        p0, p1 = self.card()
        req = struct.pack("<BBBB", 0x33, 0, 0x0A, 0xFF) + struct.pack(">IH", 0x200, 2) \
            + bytes(2) + struct.pack("<H", 0x1234) + bytes(2)
        p0.fw(req)
        self.assertEqual(words(p1.eeprom(0x200, 2)), [0x1234])


class Mailbox(Base):

    GET_LINK = bytes([0xC0, 12, 0, 0] + [0xA5] * 12)

    def test_get_link(self):
        p0, _ = self.pair()
        ans = p0.fw(self.GET_LINK)
        self.assertEqual(ans[0], 0xC0)
        self.assertEqual(ans[1], 12)
        self.assertEqual(ans[2], 1)
        self.assertEqual(ans[4], 0x10)
        self.assertEqual(ans[5], 1)

    def test_index_is_echoed(self):
        p = self.solo()
        for index in (0, 1, 2, 127, 128, 254, 255, 0, 200):
            ans = p.fw(self.GET_LINK, index=index)
            self.assertIsNotNone(ans, index)
            self.assertEqual(ans[3], index)

    def test_answers_at_once(self):
        p = self.solo()
        index = p.fw_send(self.GET_LINK)
        self.q.wait(lambda: p.r(R.FW2SW) >> 24 == index and p.r(R.FW2SW) & 0xFF == 0xC0, 50)

    def test_no_doorbell_without_vld(self):
        p = self.solo()
        p.fw(self.GET_LINK, index=1)
        p.w(R.SW2FW, 0x020010C5)
        p.w(R.SW2FW_CMD, 0)
        self.q.step_ms(60)
        self.assertEqual(p.r(R.FW2SW) & 0xFF, 0xC0)

    def test_stale_header_goes_away(self):
        p = self.solo(**{"fault-fw-delay-ms": 20})
        self.assertIsNotNone(p.fw(self.GET_LINK, index=7))
        p.set("fault-fw", "slow")
        p.fw_send(self.GET_LINK, 7)
        head = p.r(R.FW2SW)
        self.assertFalse(head & 0xFF == 0xC0 and head >> 24 == 7, "stale answer visible")
        self.q.step_ms(25)
        head = p.r(R.FW2SW)
        self.assertTrue(head & 0xFF == 0xC0 and head >> 24 == 7)

    def test_request_buffer_reads_back(self):
        p = self.solo()
        p.ws((R.SW2FW + 4 * i, 0xA0B0C000 + i) for i in range(64))
        self.assertEqual(p.rs(R.SW2FW + 4 * i for i in range(64)),
                         [0xA0B0C000 + i for i in range(64)])

    def test_unknown_command(self):
        p = self.solo()
        self.allow("fw-request")
        ans = p.fw(bytes([0x77, 4, 0, 0, 1, 2, 3, 4]))
        self.assertEqual(ans[2], 0x80)

    def test_set_link_answer(self):
        p = self.solo()
        ans = p.set_link(0x10)
        self.assertEqual(ans[2], 1)
        self.assertLessEqual(ans[1], 8)

    def test_module_info_length(self):
        p = self.solo(module="sfp28-sr")
        ans = p.module_info()
        self.assertEqual(ans[:3], bytes([0xC5, 16, 1]))

    def test_lldp(self):
        p0, p1 = self.card()

        def ask(p, op, lan):
            ans = p.fw(bytes([op, 1, 0, 0, lan, 0, 0, 0]))
            self.assertEqual(ans[2], 1, hex(op))
            self.assertLessEqual(ans[1], 4)
            return ans[4]
        ask(p0, 0xF0, 0)
        self.assertNotEqual(ask(p0, 0xF2, 0), 0)
        ask(p0, 0xF1, 0)
        self.assertEqual(ask(p0, 0xF2, 0), 0)
        ask(p1, 0xF0, 1)
        self.assertNotEqual(ask(p1, 0xF2, 1), 0)
        self.assertEqual(ask(p0, 0xF2, 0), 0)

    def test_driver_version(self):
        p = self.solo()
        req = bytearray([0xDD, 5, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0])
        req[3] = -sum(req) & 0xFF
        self.assertEqual(p.fw(bytes(req))[2], 1)
        self.assertEqual(p.get("driver-version"), "4.3.2.1", "sub, build, minor, major")

    def test_reset_command(self):
        p = self.solo()
        p.w(R.TR(0, "BAL"), 0x1000)
        ans = p.fw(bytes([0xDF, 2, 0, 0, 0, 0, 0, 0]))
        self.assertEqual(ans[2], 1)
        self.q.step_ms(100)
        self.assertEqual(p.r(R.TR(0, "BAL")), 0, "type 0 is a LAN reset")

    def test_other_successful_commands(self):
        p = self.solo()
        for req in ([0xF6, 0x14] + [0] * 22, [0xF3, 2, 0, 0, 0, 1, 0, 0],
                    [0xDE, 1, 0, 0, 0, 0, 0, 0], [0xE0, 4, 0, 0, 0, 0, 0, 0]):
            ans = p.fw(bytes(req))
            self.assertIsNotNone(ans, hex(req[0]))
            self.assertNotEqual(ans[2], 0x80, hex(req[0]))

    def test_old_channel(self):
        p = self.solo()
        want = p.eeprom(0x9D * 2, 2)
        req = struct.pack("<BBBB", 0x31, 0, 6, 0xFF) + struct.pack(">IH", 0x9D * 2, 2) + bytes(6)
        p.ws((R.MNG_MBOX + 4 * i, w) for i, w in enumerate(struct.unpack("<4I", req)))
        p.rmw(R.MNG_MBOX_CTL, 0, 1)
        self.q.wait(lambda: p.r(R.MNG_MBOX_CTL) & 0xC == 0xC, 50, what="FWRDY and FWACK")
        head = p.r(R.MNG_MBOX)
        self.assertEqual(head & 0xFF, 0x31)
        self.assertNotEqual(head >> 16 & 0xFF, 0x80)
        self.assertEqual(struct.pack("<I", p.r(R.MNG_MBOX + 12))[:2], want)

    def test_windows_per_function(self):
        p0, p1 = self.card()
        p0.fw(self.GET_LINK, index=9)
        self.assertNotEqual(p1.r(R.FW2SW) >> 24, 9)
        self.assertIsNotNone(p1.fw(self.GET_LINK, index=3))
        self.assertEqual(p0.r(R.FW2SW) >> 24, 9)


class Faults(Base):

    GET_LINK = Mailbox.GET_LINK

    def test_silent(self):
        p = self.solo(**{"fault-fw": "silent"})
        self.assertIsNone(p.fw(self.GET_LINK, 1000))
        p.set("fault-fw", "none")
        self.assertIsNotNone(p.fw(self.GET_LINK))

    def test_slow(self):
        p = self.solo(**{"fault-fw": "slow", "fault-fw-delay-ms": 300})
        index = p.fw_send(self.GET_LINK)
        self.q.step_ms(290)
        head = p.r(R.FW2SW)
        self.assertFalse(head & 0xFF == 0xC0 and head >> 24 == index)
        self.q.step_ms(20)
        self.assertEqual(p.r(R.FW2SW) & 0xFF, 0xC0)
        self.assertEqual(p.r(R.FW2SW) >> 24, index)

    def test_garbage(self):
        p = self.solo()
        good = p.eeprom(0, 64)
        p.set("fault-fw", "garbage")
        req = struct.pack("<BBBB", 0x31, 0, 6, 0xFF) + struct.pack(">IH", 0, 64) + bytes(6)
        ans = p.fw(req)
        self.assertTrue(ans is None or ans[12:76] != good or ans[2] == 0x80)

    def test_unknown(self):
        p = self.solo(**{"fault-fw": "unknown"})
        self.assertEqual(p.fw(self.GET_LINK)[2], 0x80)


class Reports(Base):

    def test_header_is_logged_as_it_was(self):
        """A header with the top bit set is a 32-bit number in the log."""
        p = self.solo()
        p.fw(bytes([0xC0, 12, 0xA5]) + bytes(13), index=0xC8)
        line = self.violation("fw-request", "SW2FW_MBOX(0)")
        self.assertEqual(line[3], "0xc8a50cc0")

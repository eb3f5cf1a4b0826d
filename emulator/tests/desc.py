# SPDX-License-Identifier: GPL-2.0-only
"""Descriptor encodings, from files 11 and 12 of the reference."""

import struct

EOP, IFCS, RS, VLE, TSE, TSTAMP = 1 << 24, 1 << 25, 1 << 27, 1 << 30, 1 << 31, 1 << 19
DTYP_CTX = 1 << 20
# status word (offset 12) of a data descriptor
ST_IDX1, ST_CC, ST_L4CS, ST_IIPCS, ST_EIPCS = 1 << 4, 1 << 7, 1 << 9, 1 << 10, 1 << 11

# packet type codes
P_L2, P_IP4, P_IP4_UDP, P_IP4_TCP, P_IP4_SCTP = 0x11, 0x22, 0x23, 0x24, 0x25
P_IP6, P_IP6_UDP, P_IP6_TCP, P_IP6_SCTP = 0x2A, 0x2B, 0x2C, 0x2D

# receive write-back status bits
DD, REOP, VP, L4CS, IPCS, PIF = 1, 2, 1 << 5, 1 << 7, 1 << 8, 1 << 9
OUTERIPCS, OUTERIPER = 1 << 10, 1 << 26
RXE, TCPE, IPE = 1 << 29, 1 << 30, 1 << 31
FDIR_CLASS = 1 << 2


def tx_data(addr, length, flags, status=0):
    """One data descriptor: flags go beside DTALEN, status at offset 12."""
    return struct.pack("<QII", addr, length | flags, status)


def tx_status(paylen, bits=0):
    return paylen << 13 | bits


def tx_ctx(maclen=14, iplen=0, vlan=0, tunnel_type=0, outer_iplen=0, tunnel_len=0,
           tpid_sel=0, ptype=P_L2, idx=0, l4len=0, mss=0):
    """A context descriptor; lengths in bytes, converted to the field's unit."""
    return struct.pack(
        "<IIII",
        iplen // 2 | maclen << 9 | vlan << 16,
        tunnel_type << 11 | outer_iplen // 4 << 12 | tunnel_len // 2 << 21,
        tpid_sel << 11 | DTYP_CTX | ptype << 24,
        idx << 4 | l4len << 8 | mss << 16)


class RxDesc:
    """A written-back receive descriptor."""

    def __init__(self, raw):
        self.raw = raw
        self.d = struct.unpack("<IIII", raw)
        d0, self.hash, self.status, d3 = self.d
        self.rsstype = d0 & 15
        self.sec = d0 >> 4 & 3
        self.tpid = d0 >> 6 & 7
        self.ptype = d0 >> 9 & 0xFF
        self.rsccnt = d0 >> 17 & 15
        self.hdrlen = d0 >> 21 & 0x3FF
        self.sph = d0 >> 31
        self.length = d3 & 0xFFFF
        self.vlan = d3 >> 16

    def __repr__(self):
        return "RxDesc(%08x %08x %08x %08x)" % self.d

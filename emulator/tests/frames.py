# SPDX-License-Identifier: GPL-2.0-only
"""Frame building, checksums and hashes, written from the protocol standards.

These are the oracle the device model is compared with; nothing here comes
from the model.  Addresses are bytes in network order.
"""

import struct

BCAST = b"\xff" * 6
ETH_IP4, ETH_IP6, ETH_ARP, ETH_VLAN, ETH_QINQ = 0x0800, 0x86DD, 0x0806, 0x8100, 0x88A8


def mac(text):
    return bytes(int(x, 16) for x in text.split(":"))


def ip4(text):
    return bytes(int(x) for x in text.split("."))


def ip6(text):
    head, _, tail = text.partition("::")
    left = [int(x, 16) for x in head.split(":")] if head else []
    right = [int(x, 16) for x in tail.split(":")] if tail else []
    if "::" in text:
        left += [0] * (8 - len(left) - len(right))
    return struct.pack(">8H", *(left + right))


def csum_add(data, acc=0):
    """Unfolded ones-complement sum of big-endian 16-bit words."""
    if len(data) & 1:
        data += b"\0"
    return acc + sum(struct.unpack(f">{len(data) // 2}H", data))


def fold(acc):
    while acc >> 16:
        acc = (acc & 0xFFFF) + (acc >> 16)
    return acc


def csum(data, acc=0):
    """Internet checksum, ready to store."""
    return ~fold(csum_add(data, acc)) & 0xFFFF


def pseudo(src, dst, proto, length):
    """Folded pseudo-header sum; @length 0 is the seed TSO wants."""
    return fold(csum_add(src + dst, proto + length))


_CRC32C = []


def crc32c(data):
    """CRC32c as SCTP uses it, as an integer to be stored little-endian."""
    if not _CRC32C:
        for n in range(256):
            for _ in range(8):
                n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
            _CRC32C.append(n)
    crc = 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ _CRC32C[(crc ^ b) & 0xFF]
    return crc ^ 0xFFFFFFFF


def pattern(n, seed=0):
    """Payload bytes that differ from place to place."""
    return bytes((i * 7 + (i >> 8) * 13 + seed) & 0xFF for i in range(n))


def eth(dst, src, proto, payload, tags=()):
    """@tags: (tpid, tci) pairs, outermost first."""
    res = dst + src
    for tpid, tci in tags:
        res += struct.pack(">HH", tpid, tci)
    return res + struct.pack(">H", proto) + payload


def ipv4(src, dst, proto, payload, ident=0x1234, flags=0x4000, ttl=64, tos=0,
         options=b"", tot_len=None, check=None):
    """@flags is the whole fragment word (flags and offset)."""
    hlen = 20 + len(options)
    if tot_len is None:
        tot_len = hlen + len(payload)
    head = struct.pack(">BBHHHBBH", 0x40 | hlen // 4, tos, tot_len, ident, flags,
                       ttl, proto, 0) + src + dst + options
    if check is None:
        check = csum(head)
    return head[:10] + struct.pack(">H", check) + head[12:] + payload


def ipv6(src, dst, nxt, payload, plen=None, hop=64):
    if plen is None:
        plen = len(payload)
    return struct.pack(">IHBB", 0x60000000, plen, nxt, hop) + src + dst + payload


def _l4sum(src, dst, proto, seg):
    return csum(seg, pseudo(src, dst, proto, len(seg)))


def udp(src, dst, sport, dport, payload, check=None):
    """UDP with its checksum; src/dst are the IP addresses of either family."""
    seg = struct.pack(">HHHH", sport, dport, 8 + len(payload), 0) + payload
    if check is None:
        check = _l4sum(src, dst, 17, seg) or 0xFFFF
    return seg[:6] + struct.pack(">H", check) + seg[8:]


def tcp(src, dst, sport, dport, payload, seq=0x01020304, ack=0x05060708,
        flags=0x10, options=b"", check=None, window=0x7210):
    doff = 5 + len(options) // 4
    seg = struct.pack(">HHIIBBHHH", sport, dport, seq & 0xFFFFFFFF, ack, doff << 4,
                      flags, window, 0, 0) + options + payload
    if check is None:
        check = _l4sum(src, dst, 6, seg)
    return seg[:16] + struct.pack(">H", check) + seg[18:]


def sctp(sport, dport, payload, check=None, vtag=0x11223344):
    """@payload is made of chunks; its length should be a multiple of 4."""
    seg = struct.pack(">HHII", sport, dport, vtag, 0) + payload
    if check is None:
        check = crc32c(seg)
    return seg[:8] + struct.pack("<I", check) + seg[12:]


def pad60(frame):
    return frame + bytes(max(0, 60 - len(frame)))


RSS_TEST_KEY = bytes.fromhex(
    "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa")


def toeplitz(key, data):
    """Microsoft's RSS hash."""
    window = int.from_bytes(key[:4], "big")
    res, pos = 0, 32
    for byte in data:
        for n in range(7, -1, -1):
            if byte >> n & 1:
                res ^= window
            nxt = key[pos >> 3] >> (7 - (pos & 7)) & 1 if pos >> 3 < len(key) else 0
            window = (window << 1 | nxt) & 0xFFFFFFFF
            pos += 1
    return res


def fdir_hash(key, words):
    """Flow director hash of the 11-dword stream (13-filters, section 10)."""
    s0 = words[0]
    c = 0
    for w in words[1:]:
        c ^= w
    m = 0xFFFFFFFF
    hi = (c ^ s0 ^ s0 >> 16) & m
    lo0 = (c << 16 | c >> 16) & m
    lo = (lo0 ^ s0 ^ s0 << 16) & m
    res = 0
    if key & 1:
        res ^= lo0
    if key >> 16 & 1:
        res ^= hi
    for n in range(1, 16):
        if key >> n & 1:
            res ^= lo >> n
        if key >> (n + 16) & 1:
            res ^= hi >> n
    return res & m


def fdir_words(src, dst, sport, dport, flow, ptype, flex, pool=0):
    """The stream for IPv4 (4-byte addresses) or IPv6 (16-byte)."""
    def addr(a):
        n = len(a) // 4
        return list(struct.unpack(f">{n}I", a)) + [0] * (4 - n)
    return [pool << 24 | flow << 16 | ptype] + addr(dst) + addr(src) + \
        [sport << 16 | dport, flex << 16]

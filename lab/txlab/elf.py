# SPDX-License-Identifier: GPL-2.0-only
"""What a kernel module's file says of its code: sections and functions (ELF, 64 bit, little endian)."""

import struct

EXECUTABLE = 0x4
SYMTAB = 2
FUNCTION = 2


def _text(data, offset):
    return data[offset:data.index(b"\0", offset)].decode("ascii", "replace")


class Module:
    """The executable sections and the functions of a module.

    sections   {name: bytes}
    functions  [(section, offset, name)]
    path       the file
    """

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            data = f.read()
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: not a 64-bit ELF file")
        where, size, count, names = struct.unpack_from("<40xQ10xHHH", data, 0)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, where + size * i)
                   for i in range(count)]
        strings = headers[names][4]
        titles = [_text(data, strings + h[0]) for h in headers]
        self.sections = {title: h[5] for title, h in zip(titles, headers) if h[2] & EXECUTABLE}
        self.functions = []
        for h in headers:
            if h[1] != SYMTAB:
                continue
            strings = headers[h[6]][4]
            for at in range(h[4], h[4] + h[5], 24):
                name, info, _other, section, value, _size = struct.unpack_from("<IBBHQQ", data, at)
                if info & 15 == FUNCTION and section < count and titles[section] in self.sections:
                    self.functions.append((titles[section], value, _text(data, strings + name)))

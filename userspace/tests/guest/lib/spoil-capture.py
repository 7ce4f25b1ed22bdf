#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spoil-capture.py [--no-flush] FROM TO: a capture whose BOs have other contents: all that the CPU wrote before the
first job that is not zero is another byte, with right checksums. --no-flush: instead, Vivante's streams flush nothing."""
import ctypes
import struct
import sys
import zlib

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2

no_flush = sys.argv[1] == "--no-flush"
names = sys.argv[1 + no_flush:]
data = open(names[0], "rb").read()
at = struct.unpack_from("<QHHI", data)[3]
out = data[:at]
spoilt = submits = 0
while at < len(data):
    kind, flags, process, stored, size, _ = struct.unpack_from("<HHIIII", data, at)
    body = data[at + 20:at + 20 + stored]
    at += 20 + stored
    if flags & 1:
        room = ctypes.create_string_buffer(size)
        assert zstd.ZSTD_decompress(room, size, body, stored) == size
        body = room.raw
    submits += kind == 6
    if kind == 6 and no_flush:
        # LOAD_STATE of one word, GL.FLUSH_CACHE.
        load = struct.pack("<I", 0x08010e03)
        spoilt += body.count(load)
        for part in body.split(load)[1:]:
            body = body.replace(load + part[:4], load + bytes(4))
    if kind == 5 and not submits and not no_flush:
        body = bytearray(body)
        for i in range(16 + 16, len(body)):
            if body[i]:
                body[i] ^= 0x55
        spoilt += 1
    head = struct.pack("<HHIII", kind, 0, process, len(body), len(body))
    out += head + struct.pack("<I", zlib.crc32(bytes(body), zlib.crc32(head))) + bytes(body)
open(names[1], "wb").write(out)
sys.exit(not spoilt)

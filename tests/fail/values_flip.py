"""values_flip.py IN OUT: a copy of a trace with one bit of its FPU values flipped, in
the last byte of the first piece: of the result of that piece's last instruction."""
import struct
import sys

import vigpu.trace
from vigpu.trace import proto
from vigpu.trace.file import MAGIC

pb = proto.messages()


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def frame(kind, message):
    payload, codec = message.SerializeToString(), pb.CODEC_NONE
    head = struct.pack("<III", kind, codec, len(payload))
    data = pb.Frame(kind=kind, codec=codec, raw_size=len(payload), payload=payload,
                    checksum=vigpu.trace.crc32c(payload, vigpu.trace.crc32c(head)))
    return data.checksum, len(payload), data.SerializeToString()


def main():
    trace = vigpu.trace.open(sys.argv[1])
    footer, out, flipped = trace.footer, bytearray(MAGIC + b"\1\0"), False
    for i, offset in enumerate(list(footer.offset)):
        kind = footer.kind[i]
        message = trace.section(offset, kind)
        if kind == pb.SECTION_VALUES and not flipped:
            data = bytearray(message.data)
            data[message.size[0] - 1] ^= 0x10
            message.data, flipped = bytes(data), True
        checksum, size, data = frame(kind, message)
        footer.offset[i], footer.checksum[i], footer.raw_size[i] = len(out), checksum, size
        out += varint(len(data)) + data
    at = struct.pack("<Q", len(out))
    data = frame(pb.SECTION_FOOTER, footer)[2]
    out += varint(len(data)) + data + at
    out += struct.pack("<I", vigpu.trace.crc32c(at)) + b"VGTE"
    with open(sys.argv[2], "wb") as file:
        file.write(out)
    assert flipped


main()

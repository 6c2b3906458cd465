#!/usr/bin/env python3
"""same_sections.py TRACE TRACE - whether two traces differ beyond their command lines.

All sections are compared, byte for byte, but the header, which has the command line, and the
footer, which has the header's checksum (traces/format/igpu_trace.proto).
"""
import sys

MAGIC_BYTES, TRAILER_BYTES = 8, 16


def varint(data, at):
    """A number and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def sections(path):
    """What lies between the header and the footer."""
    with open(path, "rb") as file:
        data = file.read()
    length, at = varint(data, MAGIC_BYTES)
    footer = int.from_bytes(data[-TRAILER_BYTES:][:8], "little")
    assert at + length < footer < len(data), path
    return data[at + length:footer]


if sections(sys.argv[1]) != sections(sys.argv[2]):
    sys.exit(f"# {sys.argv[1]} and {sys.argv[2]} differ")

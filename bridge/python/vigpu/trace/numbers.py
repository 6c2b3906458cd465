"""Numbers in a trace: varints and columns, as the comment above ThreadChunk in
igpu_trace.proto tells them."""
from __future__ import annotations

MASK64 = (1 << 64) - 1
MAX_COLUMN = 1 << 15  # numbers


class Damage(Exception):
    """Bytes that no writer makes; whoever knows file and offset makes it a TraceError."""


class Bytes:
    """Takes numbers from the front of `data`. Damage when they are not there."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise Damage(f"{count} bytes expected, {len(self.data) - self.at} left")
        self.at += count
        return self.data[self.at - count:self.at]

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)

    def end(self) -> None:
        if self.at != len(self.data):
            raise Damage(f"{len(self.data) - self.at} bytes too many")

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value & MASK64
            if shift > 63:
                raise Damage("a varint is longer than 10 bytes")

    def count(self, most: int, what: str) -> int:
        """A varint of at most `most`."""
        value = self.varint()
        if value > most:
            raise Damage(f"{value} {what}, at most {most} expected")
        return value

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def literals(self, count: int) -> list[int]:
        if count == 0:
            return []
        shift, base, width = self.take(1)[0], self.zigzag(), self.take(1)[0]
        top_plane, width = width & 0x80, width & 0x7F
        if shift > 63 or width > 64:
            raise Damage(f"a column's numbers have {width} bits, shifted by {shift}")
        values = [0] * count
        for plane in range(width // 8):
            for i, byte in enumerate(self.take(count)):
                values[i] |= byte << (8 * plane)
        bits, low = width % 8, width // 8 * 8
        if bits and top_plane:
            for i, byte in enumerate(self.take(count)):
                values[i] |= byte << low
        elif bits:
            packed = int.from_bytes(self.take((count * bits + 7) // 8), "little")
            for i in range(count):
                values[i] |= (packed >> (i * bits) & ((1 << bits) - 1)) << low
        return [base + (v << shift) for v in values]

    def matches(self, count: int) -> list[int]:
        literals = self.literals(self.count(count, "literals in a column"))
        out: list[int] = []
        used = self.count(len(literals), "literals at a column's start")
        out += literals[:used]
        while len(out) < count:
            length, distance = self.varint(), self.varint()
            if not 0 < distance <= len(out) or length > count - len(out):
                raise Damage(f"a column copies {length} numbers from {distance} back, "
                             f"with {len(out)} of {count} there")
            for _ in range(length):
                out.append(out[-distance])
            if len(out) < count:
                more = self.count(min(len(literals) - used, count - len(out)),
                                  "more literals in a column")
                if length == 0 and more == 0:
                    raise Damage("a column does not go on")
                out += literals[used:used + more]
                used += more
        return out

    def column(self, count: int) -> list[int]:
        """`count` numbers, modulo 2^64."""
        if count > MAX_COLUMN:
            raise Damage(f"a column of {count} numbers, at most {MAX_COLUMN} expected")
        if count == 0:
            return []
        form = self.take(1)[0]
        if form == 0:
            return [self.zigzag() & MASK64] * count
        if form not in (4, 5, 6, 7):
            raise Damage(f"a column has the unknown form {form}")
        first = self.zigzag() & MASK64 if form & 1 else None
        left = count if first is None else count - 1
        values = self.matches(left) if form & 2 else self.literals(left)
        if first is None:
            return [v & MASK64 for v in values]
        out = [first]
        for v in values:
            out.append((out[-1] + v) & MASK64)
        return out

"""heat.py shaded H.pfm O.png, heat.py sum H.pfm C.csv, heat.py corner H.pfm O.png - is the
heat map H what it must be?

shaded  each draw's cycles were the pixels that it shaded, so that each pixel has one for
        each time: as often as the overdraw O says, as no pixel was killed
sum     it has all cycles of C, some on more than one value of pixels
corner  both are 4 in the lower left quarter, else 1"""
import csv
import math
import re
import struct
import sys
import zlib

# As bridge/programs/igpu/frame_count.c draws them.
TIMES = {b"\0\0\0": 0, b"\x28\x3c\xa0": 1, b"\0\x96\xaa": 2, b"\0\xa5\x5a": 3, b"\x50\xb4\x28": 4,
         b"\xaa\xc3\x14": 5, b"\xf0\xbe\0": 6, b"\xf5\x78\x0a": 7, b"\xe6\x1e\x14": 8}


def read_map(path):
    data = open(path, "rb").read()
    head = re.match(rb"Pf\n(\d+) (\d+)\n-1.0\n", data)
    width, height = (int(n) for n in head.groups())
    values = struct.unpack(f"<{width * height}f", data[head.end():])
    return [values[y * width:(y + 1) * width] for y in reversed(range(height))]


def unfilter(kind, line, above):
    for i in range(len(line)):
        a, b, c = line[i - 3] if i > 2 else 0, above[i], above[i - 3] if i > 2 else 0
        paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
    return line


def read_png(path):
    """Rows of RGB of a PNG of 8 bits a channel."""
    data, at, packed = open(path, "rb").read(), 8, b""
    width, height = struct.unpack(">II", data[16:24])
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        packed += data[at + 8:at + 8 + size] if data[at + 4:at + 8] == b"IDAT" else b""
        at += size + 12
    raw, pitch = zlib.decompress(packed), 3 * width + 1
    rows = [bytearray(pitch - 1)]
    for y in range(height):
        line = raw[y * pitch:(y + 1) * pitch]
        rows.append(unfilter(line[0], bytearray(line[1:]), rows[-1]))
    return rows[1:]


heat = read_map(sys.argv[2])
flat = [value for row in heat for value in row]
kinds = len(set(flat))
if sys.argv[1] != "sum":
    often = [TIMES[bytes(row[i:i + 3])] for row in read_png(sys.argv[3])
             for i in range(0, len(row), 3)]
if sys.argv[1] == "corner":
    half = len(heat[0]) // 2
    rows = [[1] * 2 * half] * (len(heat) // 2) + [[4] * half + [1] * half] * (len(heat) // 2)
    want = [value for row in rows for value in row]
    sys.exit(often != want or max(abs(h - w) for h, w in zip(flat, want, strict=True)) > 1e-4)
if sys.argv[1] == "shaded":
    bad = len(flat) - sum(min(math.floor(h + 0.5), 8) == n and abs(h - round(h)) < 1e-4
                          for h, n in zip(flat, often, strict=True))
    print(f"# {bad} of {len(flat)} pixels differ, {kinds} kinds, most {max(flat)}")
    sys.exit(bad > 0 or kinds < 2)
asked = sum(int(row["cycles"]) for row in csv.DictReader(open(sys.argv[3])))
laid = math.fsum(flat)
print(f"# {laid:.3f} of {asked} cycles, {kinds} kinds")
sys.exit(abs(laid - asked) > 1e-5 * asked or kinds < 2)

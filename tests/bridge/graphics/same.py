"""same.py A.png B.ppm - exit status 1 unless the pictures are the same, pixel by pixel."""
import re
import struct
import sys
import zlib


def read_png(path):
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    assert depth == 8 and colour in (2, 6)
    bytes_a_pixel = 3 if colour == 2 else 4
    raw, row = zlib.decompress(packed), width * bytes_a_pixel
    before, pixels = bytearray(row), []
    for y in range(height):
        kind = raw[y * (row + 1)]
        line = bytearray(raw[y * (row + 1) + 1:(y + 1) * (row + 1)])
        for i in range(row):
            left = line[i - bytes_a_pixel] if i >= bytes_a_pixel else 0
            corner = before[i - bytes_a_pixel] if i >= bytes_a_pixel else 0
            guess = left + before[i] - corner
            paeth = min((abs(guess - v), n, v) for n, v in
                        enumerate((left, before[i], corner)))[2]
            add = (0, left, before[i], (left + before[i]) // 2, paeth)[kind]
            line[i] = (line[i] + add) & 255
        before = line
        pixels += [bytes(line[i:i + 3]) for i in range(0, row, bytes_a_pixel)]
    return (width, height), pixels


def read_ppm(path):
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P6 (\d+) (\d+) 255\n", data)
    body = data[head.end():]
    return (int(head[1]), int(head[2])), [body[i:i + 3] for i in range(0, len(body), 3)]


a, b = read_png(sys.argv[1]), read_ppm(sys.argv[2])
print(f"# {sum(x != y for x, y in zip(a[1], b[1]))} of {len(a[1])} pixels differ")
sys.exit(a != b)

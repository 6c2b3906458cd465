#!/usr/bin/env python3
"""rate.py [BOARD [MHZ]] - target rates: cycles of the GPU a second, by board and program.

A cycle costs clocks of the board, bytes on its line and now and then a round trip. The
clocks, bytes and round trips of a cycle are measured on the virtual board (fpga/rates.txt,
made by fpga/rates.sh); the board's clock is what fpga/boards/BOARD.py asks for, or MHZ;
the lines' figures below are not measured. Boards with another shape than 3 subslices of 8
EUs on one pipeline are left out: nothing was measured for them. Clocks are added to the rest, as if nothing
overlapped. No board was tried.
"""
import glob
import os
import re
import sys

SHAPE = "3x8x24"
HERE = os.path.dirname(os.path.abspath(__file__))
# Line: (bytes a second up, seconds a round trip). Serial: 3 Mbaud, of 10 bits a byte, and
# a USB bridge's millisecond. UDP: a gigabit, and a kernel's way through two stacks.
# Window: a read of 32 bits over PCIe (AXI on the chip) at a time.
LINES = {"SerialLine": (3e5, 1e-3), "UdpLine": (1.1e8, 75e-6),
         "PcieLine": (4 / 1e-6, 2e-6), "WindowLine": (4 / 0.2e-6, 0.5e-6),
         "arty_a7": (1.1e7, 100e-6)}  # 100 Mbit/s


def boards(only):
    for path in sorted(glob.glob(f"{HERE}/boards/*.py")):
        name = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8") as text:
            source = text.read()
        clock = float(re.search(r"^CLOCK_HZ = ([0-9.e]+)", source, re.M)[1])
        line = re.search(r"return (\w+Line)\(|(PcieLine)\(", source)
        if only in (None, name) and f'SHAPE = "{SHAPE}"' in source:
            yield name, clock, line[1] or line[2]


def programs():
    with open(f"{HERE}/rates.txt", encoding="utf-8") as text:
        for row in text:
            if not row.startswith("#"):
                name, clocks, up, trips = row.split()
                yield name, float(clocks), float(up), float(trips)


def rate_khz(clock, line, clocks, up, trips):
    """Of a cycle's clocks, bytes up, and round trips in 1000 cycles."""
    bytes_second, round_trip = LINES[line]
    return 1e-3 / (clocks / clock + up / bytes_second + trips * 1e-3 * round_trip)


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else None
    rows = list(boards(only))
    if not rows:
        sys.exit(f"rate.py: nothing was measured for {only}, or there is no such board")
    names = [p[0] for p in programs()]
    print("| board | line | MHz | " + " | ".join(f"{n} kHz" for n in names) + " |")
    print("|---" * (len(names) + 3) + "|")
    for name, clock, line in rows:
        if len(sys.argv) > 2:
            clock = float(sys.argv[2]) * 1e6
        at = name if name in LINES else line
        rates = [rate_khz(clock, at, *p[1:]) for p in programs()]
        print(f"| `{name}` | {line[:-4].lower()} | {clock / 1e6:g} | " +
              " | ".join(f"{r:,.0f}" if r >= 10 else f"{r:.1f}" for r in rates) + " |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""math_tables.py c|inv|rsqt|log|exp|sin|turn - the extended-math unit's tables.

On stdout. c makes csim/fpu/math_table.c; turn, the part of 2/pi for each exponent, makes
rtl/fpu/igpu_math_rom_turn.v; the others make rtl/include/igpu_math_rom_NAME.vh, with the
numbers of the C table. `make fpu-tables` writes all of them, and
tests/fpu/test_math_tables.sh compares them with what is committed.

A function f is cut into segments of equal length. In each, with d in [0, 1) across
the segment, f is c0 + c1 d + c2 d^2 + c3 d^3: the cubic through f at both ends and at
two points between them (the Chebyshev points of four, stretched to the ends; so
neighbouring segments meet, and f is exact where a segment begins). Coefficients are
in units of 2^-40. All is computed in 60 decimal digits, with the standard library
only, so every machine gives the same numbers.
"""
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60
ONE = Decimal(1)
TWO = Decimal(2)
LN2 = TWO.ln()
UNIT = 40  # fraction bits of the coefficients
# Stretched Chebyshev points: (1 -+ tan(pi/8)) / 2 between the ends.
INNER = (TWO.sqrt() - 1) / 2
NODES = (Decimal(0), Decimal("0.5") - INNER, Decimal("0.5") + INNER, ONE)


def arctan_inverse(n):
    term = ONE / n
    total, k = term, 1
    while abs(term) > Decimal(10) ** -65:
        term /= -n * n
        k += 2
        total += term / k
    return total


PI = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


def log_ratio(t):
    """log2(1 + t) / t"""
    return ONE / LN2 if t == 0 else (ONE + t).ln() / LN2 / t


def sine_ratio(r):
    """sin(r pi/2) / r"""
    x = r * PI / 2
    term = total = PI / 2
    k = 1
    while abs(term) > Decimal(10) ** -65:
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


# name: (what it is, argument of each segment's start, segment's length, f)
TABLES = {
    "inv": ("1 / m, m in [1, 2)",
            [1 + Decimal(i) / 128 for i in range(128)], [ONE / 128] * 128,
            lambda m: ONE / m),
    "rsqt": ("1 / sqrt(v), v in [1, 2), then [2, 4)",
             [(1 + Decimal(i % 128) / 128) * (1 + i // 128) for i in range(256)],
             [ONE / 128] * 128 + [TWO / 128] * 128,
             lambda v: ONE / v.sqrt()),
    "log": ("log2(1 + t) / t, t in [-1/4, 1/2)",
            [Decimal(i) / 256 for i in range(-64, 128)], [ONE / 256] * 192,
            log_ratio),
    "exp": ("2^f, f in [0, 1)",
            [Decimal(i) / 128 for i in range(128)], [ONE / 128] * 128,
            lambda f: (f * LN2).exp()),
    "sin": ("sin(r pi/2) / r, r in [0, 1)",
            [Decimal(i) / 128 for i in range(128)], [ONE / 128] * 128,
            sine_ratio),
}
WIDTH = (41, 35, 28, 21)  # bits of c0 (unsigned), c1, c2, c3 (signed)
FIRST = {"inv": 0, "exp": 128, "rsqt": 256, "sin": 512, "log": 768}  # rows in the RTL


def cubic(f, start, length):
    """Coefficients of the cubic through f at NODES, as powers of d (Newton's form)."""
    y = [f(start + length * d) for d in NODES]
    for level in (1, 2, 3):
        for k in range(3, level - 1, -1):
            y[k] = (y[k] - y[k - 1]) / (NODES[k] - NODES[k - level])
    c = [y[3], Decimal(0), Decimal(0), Decimal(0)]
    for k in (2, 1, 0):  # c := c * (d - NODES[k]) + y[k]
        c = [y[k] - c[0] * NODES[k]] + [c[j - 1] - c[j] * NODES[k] for j in (1, 2, 3)]
    return [int((x * (1 << UNIT)).to_integral_value()) for x in c]


def rows(name):
    _, starts, lengths, f = TABLES[name]
    out = [cubic(f, s, h) for s, h in zip(starts, lengths)]
    for c in out:
        assert 0 <= c[0] < 1 << WIDTH[0], (name, c)
        for k in (1, 2, 3):
            assert -(1 << WIDTH[k] - 1) <= c[k] < 1 << WIDTH[k] - 1, (name, k, c)
    return out


def two_over_pi(bits):
    return int(2 / PI * (1 << bits))


def write_c():
    print("/* math_table.c - made by math_tables.py; do not edit. */")
    print('#include "math_int.h"\n')
    print("/* clang-format off */")
    print("const struct math_cubic math_table[MATH_TABLE_SIZE] = {")
    for name in TABLES:
        print(f"    /* {TABLES[name][0]} */")
        pair = []
        for c in rows(name):
            pair.append("{%d, %d, %d, %d}," % tuple(c))
            if len(pair) == 2:
                print("    " + " ".join(pair))
                pair = []
    print("};\n")
    print("/* 2/pi, 192 bits behind the point */")
    value = two_over_pi(192)
    words = [value >> s & (1 << 64) - 1 for s in (0, 64, 128)]
    print("const uint64_t math_two_over_pi[3] = {" +
          ", ".join("UINT64_C(0x%016X)" % w for w in words) + "};")
    print("/* clang-format on */")


def write_cubics(name):
    """Rows of the memory in igpu_math_rom.v, each function at its FIRST row."""
    what, starts, _, _ = TABLES[name]
    low = -64 if name == "log" else 0  # its segments are numbered with a sign
    print(f"""// igpu_math_rom_{name}.vh - cubic coefficients of {what}: rows of igpu_math_rom.v
// Made by .ci/math_tables.py; do not edit.""")
    for i, c in enumerate(rows(name)):
        word = 0
        for width, x in zip(WIDTH, c):
            word = word << width | x & (1 << width) - 1
        row = FIRST[name] + (i + low & 255)
        print(f"rows[10'h{row:03x}] = {sum(WIDTH)}'h{word:032x};")


def write_turn():
    whole = two_over_pi(192)
    print("""// igpu_math_rom_turn - the 90 bits of 2/pi that count for an exponent
// Made by .ci/math_tables.py; do not edit.
//
// Function  data_o = 2/pi 2^(e + 65) as a whole number modulo 2^90, e = seg_i - 1: times
//           the 24 bits of a number of exponent e, an angle in quadrants modulo 4 with
//           88 fraction bits.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  seg_i is 0 to 128; others read as 128.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_turn (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [7:0]   seg_i,   // row
    output reg  [89:0]  data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)""")
    for e in range(-1, 128):
        label = "default" if e == 127 else f"8'h{e + 1:02x}"
        word = whole >> 127 - e & (1 << 90) - 1
        print(f"                {label}: data_o <= 90'h{word:023x};")
    print("""            endcase
        end
    end

endmodule

`default_nettype wire""")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ["c", "turn"] + list(TABLES):
        sys.exit("usage: math_tables.py c|turn|" + "|".join(TABLES))
    if sys.argv[1] == "c":
        write_c()
    elif sys.argv[1] == "turn":
        write_turn()
    else:
        write_cubics(sys.argv[1])

#!/usr/bin/env python3
"""igpu_isa_tables.py > rtl/include/igpu_isa_tables.vh - what compacted instructions stand for.

An index of a compacted (8-byte) Gen9 instruction selects a row of bits of the native
form. Rows are written most significant bit first, fields apart, in the order in which
rtl/isa/igpu_isa_expand.v puts them into the instruction.
Source: Intel's Skylake PRM, volume 7, "EU Compact Instruction Format".
tests/cosim/test_isa compares every row with libiga64's reading of it; `make fpu-tables`
writes the file and tests/cosim/test_isa_tables.sh compares it with what is committed.
"""

# {saturate, flag register 2; bits 23:12; dependency control 2; no mask; access mode}
CONTROL = """
    000 000000000000 00 1 0   000 010000000000 00 0 0   000 010000000000 00 0 1
    000 010000000000 00 1 0   000 010000000000 00 1 1   000 010000000000 01 0 0
    000 010000000000 01 0 1   000 010000000000 01 1 1   000 010000000000 10 0 0
    000 010000000000 10 0 1   000 010000000000 11 0 1   000 011000000000 00 0 0
    000 011000000000 00 0 1   000 011000000000 00 1 0   000 011000000000 00 1 1
    000 011000000000 01 0 0   000 011000000000 01 0 1   000 011000000000 01 1 1
    000 011000000000 10 0 1   000 011000000000 11 0 1   000 011000000001 00 0 0
    000 011000010000 00 0 0   000 100000000000 00 0 0   000 100000000000 00 1 0
    000 100000000000 01 0 0   000 100000010000 00 0 0   001 011000000000 00 0 0
    001 011000000001 00 0 0   001 100000000000 00 0 0   001 100000010000 00 0 0
    010 100000000000 00 0 0   010 100000010000 00 0 0
"""
# {bits 63:61; type and file of source 1; of source 0; of the destination}
DATATYPE = """
    001 0000 00 0000 00 0000 01   001 0000 00 0000 01 0000 00   001 0000 00 0000 01 0000 01
    001 0000 00 0000 11 0000 01   001 0000 00 0001 01 0111 01   001 0000 00 0101 11 0111 01
    001 0000 00 0111 01 0000 01   001 0000 00 0111 01 0001 01   001 0000 00 0111 01 0111 01
    001 0000 01 0000 01 0000 01   001 0000 11 0000 01 0000 00   001 0000 11 0000 01 0000 01
    001 0001 01 0001 01 0001 01   001 0001 11 0001 01 0001 00   001 0001 11 0001 01 0001 01
    001 0111 00 0111 01 0111 01   001 0111 01 0111 00 0111 01   001 0111 01 0111 01 0111 00
    001 0111 01 0111 01 0111 01   001 0111 11 0111 01 0111 00   000 0000 00 0100 00 0011 00
    001 0000 00 0000 01 0111 01   001 0000 00 0001 01 0001 01   001 0000 01 0000 01 0000 00
    001 0001 01 0001 01 0001 00   001 0001 11 0001 00 0001 00   001 0010 01 0010 00 0010 01
    001 0101 11 0111 01 0111 01   001 0111 11 0111 01 0111 01   001 0011 11 0011 01 0011 00
    001 0010 01 0010 01 0010 00   001 0010 11 0010 01 0010 00
"""
# {source 1, source 0, destination} subregister, in bytes
SUBREG = """
    00000 00000 00000   00000 00000 00001   00000 00000 01000   00000 00000 01111
    00000 00000 10000   00000 00100 00000   00000 01000 00000   00000 01100 00000
    00000 10000 00000   00000 10000 10000   00000 10100 00000   00100 00000 00000
    00100 00000 00001   00100 00100 00001   00100 00100 00010   00100 00100 00011
    00100 00100 00100   00100 00100 00111   00100 00100 01000   00100 00100 01110
    00100 00100 01111   00100 01100 00000   00100 01111 01000   01000 00000 00000
    01000 01100 00000   01100 00000 00000   01111 00100 00111   10000 00000 00000
    10100 00000 00000   11000 00000 00000   11100 00000 00000   11100 00000 11100
"""
# {vertical stride 4, width 3, horizontal stride 2; address mode, negate, absolute}
SOURCE = """
    0000 000 00 000   0000 000 00 010   0000 000 10 000   0000 000 10 010
    0000 000 11 000   0000 001 00 000   0000 001 01 000   0000 010 01 000
    0000 010 10 000   0000 011 10 000   0000 011 11 000   0011 000 00 000
    0011 000 00 010   0011 000 01 000   0011 000 10 000   0011 000 10 010
    0011 001 00 000   0011 001 01 000   0011 001 11 000   0011 010 00 000
    0011 010 00 010   0011 010 01 000   0011 010 10 000   0011 011 00 000
    0011 011 01 000   0011 011 10 000   0011 011 10 001   0011 011 11 000
    0100 011 01 000   0100 011 01 001   0100 011 01 010   0101 100 01 000
"""
# three sources: {half floats in source 1, 2; bits 34:32; bits 28:8}
CONTROL3 = """
    00 100 000000110000000000001   00 000 000000110000000000001
    00 000 000001000000000000001   00 000 000001000000000100001
"""
# three sources: bits 126, 105, 84 among the swizzles, modifiers and types
SOURCE3 = """
    0000001110010011100100111001000001111000000000000
    0000001110010011100100111001000001111000000000010
    0000001110010011100100111001000001111000000001000
    0000001110010011100100111001000001111000000100000
"""
TABLES = (("control", CONTROL, 5, 19), ("datatype", DATATYPE, 5, 21),
          ("subreg", SUBREG, 5, 15), ("source", SOURCE, 5, 12),
          ("control3", CONTROL3, 2, 26), ("source3", SOURCE3, 2, 49))


def rows(text, width):
    bits = "".join(text.split())
    assert len(bits) % width == 0, (len(bits), width)
    return [bits[i:i + width] for i in range(0, len(bits), width)]


def main():
    print("// igpu_isa_tables.vh - made by .ci/igpu_isa_tables.py (`make fpu-tables`).")
    for name, text, index_bits, width in TABLES:
        table = rows(text, width)
        assert len(table) == 1 << index_bits, (name, len(table))
        print(f"\nfunction [{width - 1}:0] row_{name};")
        print(f"    input [{index_bits - 1}:0] index;")
        print("    case (index)")
        for i, bits in enumerate(table):
            label = "default" if i + 1 == len(table) else f"{index_bits}'d{i}"
            print(f"    {label}: row_{name} = {width}'b{bits};")
        print("    endcase\nendfunction")


if __name__ == "__main__":
    main()

"""macsim_read.py TRACE DIR VARIANT - checks an exported folder against the dump.

Reads the records as MacSim's reader does and compares, thread by thread, with what
`igpu trace dump` says: how many instructions, which opcodes, which lines of memory.
Prints one line of totals; exits with 1 at the first difference.
"""
import gzip
import os
import re
import struct
import subprocess
import sys

OPCODES = {"intel": {"mov": 1, "add": 36, "mad": 60, "send": 33, "sends": 69, "nop": 62,
                     "math": 35, "while": 26, "jmpi": 20, "cmp": 11, "shl": 9, "mul": 37},
           "main": {"mov": 1, "add": 40, "mad": 64, "send": 35, "sends": 37, "nop": 67,
                    "math": 39, "while": 25, "jmpi": 19, "cmp": 12, "shl": 9, "mul": 41}}
OPCODES["2018"] = OPCODES["intel"]


def records(path):
    with gzip.open(path) as data:
        text = data.read()
    assert len(text) % 80 == 0, f"{path}: {len(text)} bytes"
    for at in range(0, len(text), 80):
        r = text[at:at + 80]
        yield {"opcode": r[19], "store": r[20], "child": r[21], "loads": r[23],
               "ld": struct.unpack_from("<Q", r, 32)[0],
               "st": struct.unpack_from("<Q", r, 48)[0],
               "pc": struct.unpack_from("<Q", r, 56)[0],
               "target": struct.unpack_from("<Q", r, 64)[0], "cf": r[17]}


def launches_of(folder):
    """The launches' folders, found in trace.txt as MacSim's reader finds them."""
    lines = open(f"{folder}/trace.txt", encoding="ascii").read().split()
    assert lines[0] == "igpu", lines[0]
    if lines[1] != "-1":
        return [folder]
    paths = []
    for line in lines[2:]:
        slash = line.rindex("/", 0, line.rindex("/"))  # throws without two slashes
        paths.append(os.path.dirname(folder + line[slash:]))
    return paths


def read_thread(path, numbers, twice):
    """Instructions, opcodes of known names, and lines, without helpers and children."""
    count, names, lines, last = 0, {}, [], None
    by_number = {n: name for name, n in numbers.items()}
    stream = list(records(path))
    assert stream[-1]["opcode"] == numbers["nop"], "the last record is no NOP"
    it = iter(stream[:-1])
    for r in it:
        if r["pc"] & 1:
            continue  # the MOV before a load
        memory = r["loads"] or r["store"]
        if twice and last == (r["pc"], r["opcode"]) and r["opcode"] == numbers["mad"]:
            last = None
            continue  # the second half of a SIMD16 mad
        last = (r["pc"], r["opcode"])
        count += 1
        name = by_number.get(r["opcode"])
        names[name] = names.get(name, 0) + 1
        if memory:
            for _ in range(r["target"]):
                child = next(it)
                assert child["child"] == 1 and child["pc"] == r["pc"]
                lines.append((child["st"] or child["ld"]) // 64)
    return count, names, lines


def expected(trace):
    """{(launch, thread): (instructions, path)}, code of kernels, accesses."""
    text = subprocess.run([os.environ["IGPU"], "trace", "dump", trace], check=True,
                          capture_output=True, text=True).stdout
    return re.findall(r"THREAD (\d+)_(\d+):[^\n]*\nnum_instructions: (\d+)", text)


def main():
    trace, folder, variant = sys.argv[1:]
    threads, total, lines = expected(trace), 0, 0
    folders = launches_of(folder)
    for launch, thread, count in threads:
        got, names, found = read_thread(f"{folders[int(launch)]}/trace_{thread}.raw",
                                        OPCODES[variant], variant == "intel")
        assert got == int(count), f"thread {launch}_{thread}: {got}, expected {count}"
        assert "send" in names or "sends" in names, names
        total += got
        lines += len(found)
    print(f"{len(threads)} threads, {total} instructions, {lines} lines")


main()

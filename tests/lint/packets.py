#!/usr/bin/env python3
"""packets.py [--write] - the graphics packets are named in one place.

Numbers of packets, registers, formats and bits are those of the tables csim/gfx/*.def.
Elsewhere in csim/gfx this prints a line for each hexadecimal literal that is none of
PLAIN's files, and for each range of bits that is given by numbers. A comment behind each
packet that is kept names the sources that ask for its fields: from `grep 3DSTATE_WM` it is
one step to them. --write sets these comments; without it a wrong one is a line.

Each entry stands below a heading with the manual's volume, and its packet, structure or
field is one of the tables': by that name the manual has it.
"""
import glob
import os
import re
import sys

FOLDER = "csim/gfx"
# Files with plain values that belong to no packet, and what these are.
PLAIN = {
    "gfx_sampler.c": "bits of floats: exponent and sign",
    "gfx_mcs.c": "what ld_mcs answers: each sample's own place",
    "gfx_count.c": "a hash's multiplier",
    "gfx_touch.c": "a hash's multiplier",
}
HEX = re.compile(r"\b0[xX][0-9a-fA-F]+(?![0-9a-fA-F.pP])\w*")
RANGE = re.compile(r"gfx_bits\([^;]*?,\s*\d+,\s*\d+\)")


def without_comments(text):
    """The same lines, with comments and strings blank."""
    blank = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
    return blank.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def literals(texts):
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if file not in PLAIN:
                for literal in HEX.findall(line):
                    print(f"{FOLDER}/{file}:{number}: {literal}: name it in a table "
                          f"{FOLDER}/*.def, or the file in tests/lint/packets.py")
            if file != "gfx_packet.h":
                for part in RANGE.findall(line):
                    print(f"{FOLDER}/{file}:{number}: {part}: name the field in "
                          f"{FOLDER}/packets.def or structs.def")
    for file in PLAIN:
        if not HEX.search(texts.get(file, "")):
            print(f"tests/lint/packets.py: {file} needs no exception")


def readers(texts, write):
    path = f"{FOLDER}/packets.def"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    fields = {}
    for name, packet in re.findall(r"^GFX_FIELD\((\w+), (\w+),", text, re.M):
        fields.setdefault(packet, set()).add(f"GFX_{name}")
    words = {file: set(re.findall(r"\w+", body)) for file, body in texts.items()}

    def with_readers(match):
        packet = match[1]
        names = fields.get(packet, set()) | {f"GFX_{packet}"}
        found = sorted(os.path.splitext(f)[0] for f, w in words.items() if names & w
                       and f != "gfx_packet.h")
        return match[0].split(" /*")[0] + (f" /* {' '.join(found)} */" if found else "")

    wanted = re.sub(r"^GFX_(?:STATE|PACKET)\((\w+),[^\n]*", with_readers, text, flags=re.M)
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
        return
    for number, (is_now, new) in enumerate(zip(text.splitlines(), wanted.splitlines()), 1):
        if is_now != new:
            print(f"{path}:{number}: should be {new} (python3 tests/lint/packets.py --write)")


def volumes():
    packet, own = re.compile(r"GFX_(?:MEMORY|BATCH|PACKET|STATE)\((\w+)"), {"head"}
    parts = set()
    for path, wanted in ((f"{FOLDER}/packets.def", "2a"), (f"{FOLDER}/structs.def", "2c|2d|7")):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        own.update(m[1] for line in lines if (m := packet.match(line)))
        headed = False
        for number, line in enumerate(lines, 1):
            if line.startswith("/* ----"):
                headed = re.match(rf"/\* ---- (volume ({wanted})[:,] |values )", line)
            if not (entry := re.match(r"GFX_(\w+)\((\w+), (\w+)", line)):
                continue
            kind, name, of = entry.groups()
            if not headed:
                print(f"{path}:{number}: {name} is below no heading with its volume")
            if kind in ("PART", "FIELD"):
                parts.add(name)
                if wanted == "2a" and of not in own:
                    print(f"{path}:{number}: {name}: {of} is no packet of this table")
            if kind == "VALUE" and of not in parts:
                print(f"{path}:{number}: {name}: {of} is no field")


def main():
    texts = {}
    for path in sorted(glob.glob(f"{FOLDER}/*.[ch]")):
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)] = without_comments(file.read())
    if not texts:
        return
    literals(texts)
    volumes()
    readers(texts, "--write" in sys.argv)


if __name__ == "__main__":
    main()

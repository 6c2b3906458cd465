#!/usr/bin/env python3
"""rtl_passed.py [--write] - which checks of the RTL's text passed with this text.

Gates, proofs and the benches for Icarus read nothing but Verilog and have no part that is
random: with the same files, scripts and tools they say the same again. --write runs all of
them in full, every refutation too, and keeps in tests/rtl_passed.txt with what text each
passed. A whole run (`make test`, `make check`) leaves those out for which that still holds but
for one in sixteen, in turn by the commit's first digit; a name given to tests/run, or --long,
always runs. Without arguments: the names of the checks, one a line.
"""
import functools
import glob
import hashlib
import os
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
KEPT = "tests/rtl_passed.txt"
TURNS = 16
VERSION = {"iverilog": "-V", "verilator": "--version", "yosys": "-V"}
GATES = {"lint/iverilog": "iverilog", "lint/verilator": "verilator", "lint/yosys": "yosys",
         "formal/test_eu_steps": "yosys", "formal/test_proofs": "yosys"}
# What these checks read, and the scripts that they are.
SOURCES = ("rtl/**/*.v", "rtl/**/*.vh", "fpga/**/*.v", "bridge/engines/rtl/*.vlt", "tests/rtl/*",
           "tests/formal/*", "tests/lint/rtl_*", "tests/lint/corners.txt", "tests/lint/lint.mk",
           "tests/lint/silent.sh", "tests/support/cli.sh")


def checks():
    """name -> the tool that decides."""
    benches = sorted(glob.glob("tests/rtl/*_tb.v"))
    return GATES | {f"rtl/{os.path.basename(b)[:-2]}": "iverilog" for b in benches}


def text():
    """A digest of all sources; their names count."""
    digest = hashlib.sha256()
    for path in sorted({p for s in SOURCES for p in glob.glob(s, recursive=True)}):
        if os.path.isfile(path):
            with open(path, "rb") as source:
                digest.update(f"{path}\n{hashlib.sha256(source.read()).hexdigest()}\n".encode())
    return digest.hexdigest()


@functools.lru_cache(None)
def version(tool):
    try:
        said = subprocess.run([tool, VERSION[tool]], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return said.stdout.split("\n")[0]


def state(name):
    """What a check's verdict depends on; nothing without the tool."""
    tool = version(checks()[name])
    return tool and hashlib.sha256(f"{tool}\n{text()}".encode()).hexdigest()[:16]


@functools.lru_cache(None)
def as_kept():
    """The names of those that passed with this text."""
    try:
        with open(KEPT, encoding="utf-8") as lines:
            kept = dict(line.split() for line in lines)
    except (OSError, ValueError):
        return set()
    return {name for name in checks() if name in kept and kept[name] == state(name)}


def passed(commit):
    """The names of those of them whose turn it is not."""
    turn = int(commit[:1] or "0", 16)
    return {name for i, name in enumerate(checks())
            if name in as_kept() and (i * 3 + 2 - turn) % TURNS}


def main():
    if sys.argv[1:2] != ["--write"]:
        print("\n".join(checks()))
        return
    # What make keeps of the gates need not be of all corners.
    for stamps in ("iverilog", "verilator", "yosys.ok"):
        subprocess.run(["rm", "-rf", f"{BUILD}/lint/{stamps}"], check=True)
    before = {name: state(name) for name in checks() if state(name)}
    subprocess.run(["tests/run", "--long", *before], check=True)
    if before != {name: state(name) for name in before}:
        sys.exit(f"{KEPT} is as it was: what was checked has changed meanwhile; run this again")
    with open(KEPT, "w", encoding="utf-8") as lines:
        lines.writelines(f"{name} {kept}\n" for name, kept in sorted(before.items()))


if __name__ == "__main__":
    main()

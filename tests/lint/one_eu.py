#!/usr/bin/env python3
"""one_eu.py [TREE] - the modules of a default run of ./Vigpu and of a board's top, side by
side, and who includes each file of decisions in both.

A default run is the classes of bridge/engines/rtl/igpu_dpi.sv, a board's top is
fpga/common/igpu_fpga_top.v; Verilator says which modules each elaborates. Ends with 1 when
a step (rtl/eu/igpu_eu_*.vh, but what is the simulator's shell's own) is not in both: then
the RTL that runs on the desk decides something that the RTL on the board does not, or the
other way round. Functions of rtl/lib are shown too; either side may have some alone.
Does not find: a decision that a shell makes beside the steps (tests/cosim/test_array.c).
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

SIDES = {
    "default run": ("bridge/engines/rtl/igpu_dpi.sv",
                    ("igpu_dpi_eu", "igpu_dpi_local", "igpu_dpi_global")),
    "board": ("fpga/common/igpu_fpga_top.v", ("igpu_fpga_top",)),
}
# Of igpu_eu_flat.v, which would be too long.
SHELL = {"rtl/eu/igpu_eu_flat.vh", "rtl/eu/igpu_eu_flat_wait.vh"}
INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.M)


def elaborated(source, top, folder):
    """Module -> file, of what is below this top."""
    out = f"{folder}/{top}.xml"
    search = sorted({os.path.dirname(path) for part in ("rtl", "fpga")
                     for path in glob.glob(f"{part}/**/*.v", recursive=True)})
    subprocess.run(["verilator", "--xml-only", "--xml-output", out, "-Wno-fatal", "-Wno-lint",
                    *(word for path in search for word in ("-y", path)), "-Irtl/include",
                    "--Mdir", folder, "--top-module", top, source], check=True)
    tree = ET.parse(out)
    files = {file.get("id"): file.get("filename") for file in tree.iter("file")}
    return {module.get("origName"): files[re.match(r"[a-z]+", module.get("loc"))[0]]
            for module in tree.iter("module") if module.get("origName") != "@CONST-POOL@"}


def steps_of(path):
    """The files of decisions that a module's file includes."""
    with open(path, encoding="utf-8") as text:
        names = INCLUDE.findall(text.read())
    return {f"{folder}/{name}" for name in names for folder in ("rtl/eu", "rtl/lib")
            if os.path.exists(f"{folder}/{name}")} - SHELL


def says(path):
    """What the first line of a file says of it."""
    with open(path, encoding="utf-8") as text:
        return text.readline().rstrip().split(" - ", 1)[-1]


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    with tempfile.TemporaryDirectory() as folder:
        sides = {side: {module: path for top in tops
                        for module, path in elaborated(source, top, folder).items()}
                 for side, (source, tops) in SIDES.items()}
    default, board = sides.values()
    print(f"{'module':<22} {'default run':<12} {'board':<6} what it is")
    for module in sorted(default | board, key=lambda m: (m in default, m in board, m)):
        here = ["yes" if module in side else "-" for side in (default, board)]
        print(f"{module:<22} {here[0]:<12} {here[1]:<6} {says((default | board)[module])}")
    wanted = (set(glob.glob("rtl/eu/*.vh")) | set(glob.glob("rtl/lib/*.vh"))) - SHELL
    users = [{step: sorted(m for m, path in side.items() if step in steps_of(path))
              for step in wanted} for side in (default, board)]
    print(f"\n{'decisions':<26} {'default run':<28} board")
    for step in sorted(wanted):
        of_default, of_board = (", ".join(side[step]) for side in users)
        print(f"{step:<26} {of_default or '-':<28} {of_board or '-'}")
    alone = sorted(step for step in wanted
                   if step.startswith("rtl/eu/") and not all(side[step] for side in users))
    for step in alone:
        print(f"one_eu.py: {step} decides on one side only: let both shells call it",
              file=sys.stderr)
    return bool(alone)


if __name__ == "__main__":
    sys.exit(main())

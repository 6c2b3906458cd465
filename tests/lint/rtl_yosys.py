#!/usr/bin/env python3
"""rtl_yosys.py FILE... - elaborate every RTL module, at its defaults and its corners.

No unknown module, no driver conflict, no loop, no latch. Each module, and each corner of
tests/lint/corners.txt, is an instance without connections in one top: a top of its own
would have the modules below it read and elaborated anew, and Yosys looks at each module
by itself in any case. Where latches are, opt_clean first drops what drives nothing, such as
the "latch" of a loop variable; constants need not be folded for that. It alone of the gates
sees loops and several drivers of a wire, in the simulator's shell too, which takes as long
as all the rest: `make test` has it in every third commit, `make lint` always.
"""
import os
import re
import subprocess
import sys

from rtl_deps import read_corners

CORNERS = os.path.join(os.path.dirname(__file__), "corners.txt")
# tests/run says which commit is tested; by its first digit, as part_of of the shell tests.
SHELL = "IGPU_LONG" in os.environ or int(os.environ.get("IGPU_COMMIT", "")[:1] or "0", 16) % 3 == 0
PARAMETER = re.compile(r"^\s*parameter\s+(\w+)\s*=\s*(\d+)\s*(?:[,)]|//|$)", re.M)


def given(module, sources):
    """The names of the parameters that the users of the module give."""
    uses = re.findall(rf"\b{module}\s*#\(([^;]*?)\)\s*u_", "".join(sources.values()))
    return set(re.findall(r"\.(\w+)\(", "".join(uses)))


def costly(module, values):
    """The simulator's shell of the EU is one process over arrays by EU, which is no
    hardware: Yosys takes minutes for more than one EU, so that it sees one only."""
    flat = module == "igpu_eu_flat" or values.get("FLAT") == "1"
    return flat and (values["CONTEXTS"] != "1" or not SHELL)


def instances(files, corners):
    """One line of Verilog for each module and each of its settings. It gives what the
    module's users give too, for what has the same parameters is elaborated once."""
    sources = {}
    for path in files:
        with open(path, encoding="utf-8") as source:
            sources[os.path.splitext(os.path.basename(path))[0]] = source.read()
    for module, text in sources.items():
        wanted = given(module, sources)
        defaults = {n: v for n, v in PARAMETER.findall(text) if n in wanted}
        for i, setting in enumerate(corners.get(module, [[]])):
            values = defaults | dict(word.split("=") for word in setting)
            if costly(module, dict(PARAMETER.findall(text)) | values):
                continue
            listed = ", ".join(f".{name}({value})" for name, value in values.items())
            yield f"    {module} {f'#({listed}) ' if listed else ''}u_{module}_{i} ();"


def main():
    files = sys.argv[1:]
    top = "\n".join(["module lint_all;", *instances(files, read_corners(CORNERS)),
                     "endmodule"])
    script = (f"read_verilog -defer -Irtl/include -Irtl/eu -Irtl/lib {' '.join(files)}\n"
              f"read_verilog <<END_OF_TOP\n{top}\nEND_OF_TOP\n"
              "hierarchy -check -top lint_all\nproc -noopt\ncheck -assert\n"
              "opt_clean t:$dlatch t:$adlatch t:$dlatchsr %u %u %m\n"
              "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr\n")
    # What the simulator's shell keeps in its process's arrays is no RAM.
    arrays = r"Replacing memory .* See rtl/eu/igpu_eu_flat\.vh"
    return subprocess.run(["yosys", "-q", "-w", arrays, "-s", "/dev/stdin"], input=script, text=True,
                          check=False).returncode


sys.exit(main())

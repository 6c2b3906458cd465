#!/usr/bin/env python3
"""host_work.py [--program BUILD/bin/Vigpu] [--from N --to N] [SAMPLE...] - host
instructions per target cycle, by what they are for.

Runs the program under valgrind --tool=callgrind twice, up to cycle N of --to and of
--from (default 5000 and 2000), and divides what the longer run takes more by the cycles
between: loading and the cold start fall out. So it does not depend on the machine's load.
Without SAMPLE: mad_sp, chase_n, triad and matmul_tiled. --engine and other options of the
program go behind `--`.

`host` is all but the RTL, the code that clocks it (bridge/engines/rtl) and the C reference; what
these two count of each issue (igpu/host.h, igpu/eu_counters.h) is host work.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

GROUPS = (
    ("counting", r"csim/include/igpu/(eu_counters|host)\.h$|eu_counters\.c$"),
    ("RTL", r"verilat|Vigpu_dpi|Varray_|engine_rtl\.cpp$"),
    ("tile code", r"bridge/engines/rtl/"),
    ("reference", r"csim/ref/"),
    ("memory", r"csim/(mem|ff|side)/"),
    ("feeder", r"traces/"),
    ("loop", r"bridge/"),
)
NOT_HOST = ("RTL", "tile code", "reference")


def group(path, function):
    """Of a line of code; where the file is not known, its function's name tells."""
    what = function if path == "???" else path
    return next((name for name, regex in GROUPS if re.search(regex, what)), "other")


def profile(command):
    """Instructions by group, of a run of the command."""
    costs, names, now, skip = collections.Counter(), {}, {"file": "???", "fn": "?"}, False
    with tempfile.NamedTemporaryFile("r", suffix=".callgrind") as out:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *command],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 4):  # 4: stopped by --max-cycles
            sys.exit(f"host_work.py: {' '.join(command)}: {done.stderr.splitlines()[-1]}")
        for line in open(out.name, encoding="utf-8"):
            name = re.match(r"(c?)(fn|f[lie])=(\(\d+\))(?: (.*))?", line)
            if name:
                kind = "fn" if name[2] == "fn" else "file"
                names.setdefault((kind, name[3]), name[4])
                if not name[1]:  # else a callee's
                    now[kind] = names[kind, name[3]]
            elif line.startswith("calls="):
                skip = True  # what the callee took follows
            elif re.match(r"[-+*\d]", line):
                if not skip:
                    costs[group(now["file"], now["fn"])] += int(line.split()[1])
                skip = False
    return costs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    build = os.environ.get("IGPU_BUILD", "build")
    parser.add_argument("--program", default=f"{build}/bin/Vigpu")
    parser.add_argument("--from", dest="first", type=int, default=2000)
    parser.add_argument("--to", type=int, default=5000)
    parser.add_argument("samples", nargs="*")
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    args = parser.parse_args(arguments)
    names = [name for name, _ in GROUPS] + ["other"]
    print("sample", *(name.replace(" ", "_") for name in names), "host", "all")
    for sample in args.samples or ("mad_sp", "chase_n", "triad", "matmul_tiled"):
        runs = [profile([*args.program.split(), "--quiet", *options, "--max-cycles", str(n),
                         f"traces/samples/{sample}.pb"]) for n in (args.first, args.to)]
        cycles = args.to - args.first
        each = {name: (runs[1][name] - runs[0][name]) / cycles for name in names}
        host = sum(cost for name, cost in each.items() if name not in NOT_HOST)
        print(sample, *(f"{each[name]:.0f}" for name in names), f"{host:.0f}",
              f"{sum(each.values()):.0f}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Programs of others, executed in time against recorded and simulated: are results and
cycles the same?

  tests/perf/executed/run.py [--csv FILE] [--only PATTERN] [--work DIR] [--cts BIN]

Each program (CLBlast's matrix products, Boost.Compute's sorts, scans and reductions; with
--cts, subtests of the OpenCL conformance tests' test_basic in the folder BIN) runs twice:

  igpu run -o DIR                    the emulator executes; each launch's trace is kept
  igpu run --time --execute -o DIR   each launch is executed while it is simulated, and
                                     kept as a launch file

What it prints, of which a hash of its results, must be the same both times. Then each
launch by itself, by igpu ref: its trace against its launch file, with the machine as it is
and with code that is never waited for (icache.miss=0), where cycles must be equal; at most
12 launches of a program, evenly (--most). Where they are not, and the kernel has private or
scratch memory, which a thread that finds its share of the pool taken has elsewhere
(docs/contract/execution.md), the launch is listed as such if its instructions are equal.
Exit status 1: results differ, or cycles for another reason.

Needs make igpu, g++, libboost-dev, libclblast1, python3-pyopencl, ocl-icd-opencl-dev."""
import argparse
import csv
import fnmatch
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
IGPU = os.path.join(os.environ.get("IGPU_BUILD", os.path.join(TOP, "build")), "bin/igpu")
PYTHON = "/usr/bin/python3"
# Of test_basic: what launches kernels, few and small ones.
CTS = ("if loop barrier sizeof local_arg_def local_kernel_def local_kernel_scope "
       "constant_source kernel_call_kernel_function global_work_offsets get_global_offset "
       "get_linear_ids local_linear_id global_linear_id enqueued_local_size int2float float2int "
       "intmath_int intmath_long2 fpmath_float hiloeo vec_type_hint work_item_functions "
       "kernel_preprocessor_macros kernel_numeric_constants pointer_cast arraycopy").split()
LIMIT_S = 900


def run(command, **keywords):
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          **{"timeout": LIMIT_S} | keywords)


def programs(args):
    """[(name, command)]."""
    found = []
    clblast = [PYTHON, os.path.join(HERE, "clblast.py")]
    for name in run(clblast).stdout.split():
        found.append(("clblast_" + name, clblast + [name]))
    boost = os.path.join(args.work, "boost")
    if not os.path.exists(boost):
        done = run(["g++", "-std=c++14", "-w", "-DCL_TARGET_OPENCL_VERSION=120", "-o", boost,
                    os.path.join(HERE, "boost.cpp"), "-lOpenCL"])
        if done.returncode != 0:
            sys.exit(f"run.py: boost.cpp does not compile:\n{done.stderr[:2000]}")
    for name in run([boost]).stdout.split():
        found.append(("boost_" + name, [boost, name]))
    if args.cts:
        cts = os.path.join(os.path.abspath(args.cts), "test_basic")
        found += [("cts_" + name, [cts, name]) for name in CTS]
    return [one for one in found if fnmatch.fnmatch(one[0], args.only)]


def launches(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".pb"))


def counted(options, file):
    """(cycles, instructions) of one launch by itself."""
    done = run([IGPU, "ref", "--quiet", *options, file])
    cycles = re.search(r"^cycles +(\d+)", done.stdout, re.M)
    instructions = re.search(r"^instructions +(\d+)", done.stdout, re.M)
    if done.returncode != 0 or not cycles:
        return done.stderr.strip()[:200], 0
    return int(cycles[1]), int(instructions[1]) if instructions else 0


def plain(text):
    """Without what no two runs have the same: times, and addresses."""
    text = re.sub(r"0x[0-9a-f]+|\d+\.\d+ ?(s|ms|us)\b", "", text)
    return [line for line in text.splitlines() if "seed" not in line.lower()]


def has_pool(file):
    """Has the launch's kernel messages to private or scratch memory?"""
    return re.search(r"stateless|scratch", run([IGPU, "disasm", file]).stdout) is not None


def compare_launch(program, recorded, executed):
    row = {"program": program, "launch": os.path.basename(recorded)[:-3]}
    free = ["-s", "icache.miss=0"]
    row["recorded"], row["instructions"] = counted([], recorded)
    row["executed"], row["instructions_executed"] = counted(["--execute"], executed)
    row["recorded_no_wait"], _ = counted(free, recorded)
    row["executed_no_wait"], _ = counted(["--execute", *free], executed)
    same = row["instructions"] == row["instructions_executed"]
    row["equal"] = same and row["recorded_no_wait"] == row["executed_no_wait"]
    row["pool"] = not row["equal"] and same and has_pool(recorded)
    return row


def compare(args, name, command):
    """(rows, complaint or None)."""
    folder = os.path.join(args.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    kept = [os.path.join(folder, kind) for kind in ("recorded", "executed")]
    one = [IGPU, "run", "--quiet", "-d", "skl"]
    # Fewer values is a mode of the conformance tests' own.
    keywords = {"cwd": folder, "timeout": args.limit, "env": dict(os.environ, CL_WIMPY_MODE="1")}
    try:
        first = run([*one, "-o", kept[0], "--", *command], **keywords)
        second = run([*one, "--time", "--execute", "-o", kept[1], "--", *command], **keywords)
    except subprocess.TimeoutExpired:
        shutil.rmtree(folder)
        return [], f"not over in {args.limit} s"
    if first.returncode != 0 or second.returncode != first.returncode:
        return [], (f"ends with {first.returncode} and {second.returncode}: "
                    + (second.stderr.strip() or second.stdout.strip())[-200:])
    said = [plain(one.stdout.split("kernel  ")[0]) for one in (first, second)]
    names = [launches(folder) for folder in kept]
    if names[0] != names[1] or not names[0]:
        return [], f"launches: {len(names[0])} recorded, {len(names[1])} executed"
    some = names[0][:: (len(names[0]) + args.most - 1) // args.most]
    rows = [compare_launch(name, *(os.path.join(folder, one) for folder in kept)) for one in some]
    shutil.rmtree(folder)
    return rows, None if said[0] == said[1] else "prints something else"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--csv", help="a line for each launch")
    parser.add_argument("--only", default="*", help="programs of this pattern, as clblast_*")
    parser.add_argument("--most", type=int, default=12, help="launches of a program; %(default)s")
    parser.add_argument("--limit", type=int, default=LIMIT_S, help="seconds of a run; %(default)s")
    parser.add_argument("--work", default="/tmp/executed", help="folder; %(default)s")
    parser.add_argument("--cts", help="the folder of test_basic, from the suite's own build")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    every, failures, ran = [], 0, 0
    for name, command in programs(args):
        rows, wrong = compare(args, name, command)
        every += rows
        ran += 1
        unequal = sum(not row["equal"] and not row["pool"] for row in rows)
        pool = sum(row["pool"] for row in rows)
        other = f", {pool} with other shares of a pool" if pool else ""
        failures += wrong is not None or unequal != 0
        changed = [100 * (row["executed"] / row["recorded"] - 1) for row in rows if row["equal"]]
        print(f"{'not ok' if wrong or unequal else 'ok'} {name}: {len(rows)} launches, "
              f"{len(rows) - unequal - pool} with equal cycles without waits for code{other}; with them "
              f"{min(changed, default=0):+.1f} to {max(changed, default=0):+.1f} %"
              + (f"; {wrong}" if wrong else ""), flush=True)
    kernels = {(row["program"], re.sub(r"^\d+-", "", row["launch"])) for row in every}
    print(f"{ran} programs, {len(every)} launches, {len(kernels)} kernels of programs, "
          f"{sum(row['equal'] for row in every)} launches equal, {sum(row['pool'] for row in every)} "
          f"with other shares of a pool; {failures} programs differ")
    if args.csv and every:
        with open(args.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, every[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(every)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())

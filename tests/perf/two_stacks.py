#!/usr/bin/env python3
"""two_stacks.py [--within PERCENT] [KERNEL...] - two drivers, one machine.

Runs each kernel of tests/perf/stacks/kernels.cl (or those named) on Intel's own driver
(`igpu run --driver neo --time`) and on ours (`igpu run --time`), each in a process of its
own, so with cold caches, its buffers at the same addresses (stacks.c), since DRAM's banks
and the caches' sets go by these; all else without random addresses, so that two runs print
the same. Prints a table: instructions, simulated cycles with both, how far apart they are,
whether machine code and results are the same bytes. Exit status 1: results differ, code
that is the same takes other instructions, or the same code's cycles are further apart than
PERCENT (1). Build first: make igpu.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stacks")
IGPU = os.path.join(os.environ.get("BUILD", "build"), "bin", "igpu")
KERNELS = os.path.join(FOLDER, "kernels.cl")
SAID = re.compile(r"code (\w+) (\d+) result (\w+)")


def build(folder):
    program = os.path.join(folder, "stacks")
    subprocess.run(["cc", "-O1", "-o", program, os.path.join(FOLDER, "stacks.c"), "-lOpenCL"],
                   check=True)
    return program


def run(command, listed):
    """What a run printed and its launches, as rows of a CSV file."""
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with open(listed, encoding="utf-8", newline="") as rows:
        return SAID.search(out).groups(), list(csv.DictReader(rows))


FIXED = ["setarch", "-R"]  # no random addresses


def neo(program, kernel, folder):
    path = os.path.join(folder, f"{kernel}.csv")
    return run(FIXED + [IGPU, "run", "--driver", "neo", "--time", "--csv", path, "--", program,
                        KERNELS, kernel], path)


def ours(program, kernel, folder):
    path = os.path.join(folder, kernel)
    return run(FIXED + [IGPU, "run", "--time", "-d", "skl", "--instructions", "1", "-o", path,
                        "--", program, KERNELS, kernel], os.path.join(path, "launches.csv"))


def total(rows, key):
    return sum(int(row[key]) for row in rows)


def compare(program, kernel, folder, options):
    """A line of the table, and whether it is as it must be."""
    (code, _, result), rows = neo(program, kernel, folder)
    (own_code, _, own_result), own_rows = ours(program, kernel, folder)
    counted = {total(rows, "instructions"), total(own_rows, "instructions")}
    cycles, own = total(rows, "cycles"), total(own_rows, "cycles")
    apart = 100 * (own / cycles - 1)
    same, right = code == own_code, result == own_result
    good = right and (not same or (len(counted) == 1 and abs(apart) <= options.within))
    print(f"{kernel:<11} {max(counted):>12} {cycles:>9} {own:>9} {apart:>+7.2f} %"
          f"  {'same' if same else 'other'} code, {'same' if right else 'OTHER'} results"
          f"{'' if good else '  <- wrong'}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--within", type=float, default=1, metavar="PERCENT")
    parser.add_argument("kernel", nargs="*")
    options = parser.parse_args()
    with open(KERNELS, encoding="utf-8") as text:
        kernels = options.kernel or re.findall(r"^kernel void (\w+)\(", text.read(), re.M)
    print(f"{'kernel':<11} {'instructions':>12} {'NEO':>9} {'ours':>9} {'apart':>9}")
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        good = [compare(program, kernel, folder, options) for kernel in kernels]
    print(f"{sum(good)} of {len(good)} kernels as they must be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""two_stacks.py [--within PERCENT] [--runs N] - two drivers, one machine.

Runs each kernel of tests/perf/stacks/kernels.cl N times (5) on Intel's own driver
(`igpu run --driver neo --time`) and once on ours (`igpu run --time`), each in a process of
its own, so with cold caches. With Intel's driver buffers lie where the host puts them, each
time elsewhere, and DRAM's banks and the caches' sets go by that. Prints a table:
instructions, simulated cycles of the shortest and longest run there and of ours, how far
ours lies outside of these two, whether machine code and results are the same bytes. Exit
status 1: results differ, code that is the same takes other instructions, or the same code's
cycles lie further outside than PERCENT (1). Build first: make igpu.
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


def neo(program, kernel, folder):
    path = os.path.join(folder, f"{kernel}.csv")
    return run([IGPU, "run", "--driver", "neo", "--time", "--csv", path, "--", program, KERNELS,
                kernel], path)


def ours(program, kernel, folder):
    path = os.path.join(folder, kernel)
    return run([IGPU, "run", "--time", "-d", "skl", "--instructions", "1", "-o", path, "--",
                program, KERNELS, kernel], os.path.join(path, "launches.csv"))


def total(rows, key):
    return sum(int(row[key]) for row in rows)


def compare(program, kernel, folder, options):
    """A line of the table, and whether it is as it must be."""
    runs = [neo(program, kernel, folder) for _ in range(options.runs)]
    (own_code, _, own_result), own_rows = ours(program, kernel, folder)
    counted = {total(rows, "instructions") for _, rows in runs} | {total(own_rows, "instructions")}
    cycles = [total(rows, "cycles") for _, rows in runs]
    low, high, own = min(cycles), max(cycles), total(own_rows, "cycles")
    nearest = min(max(own, low), high)
    outside = 100 * (own / nearest - 1)
    same = all(said[0] == own_code for said, _ in runs)
    right = all(said[2] == own_result for said, _ in runs)
    good = right and (not same or (len(counted) == 1 and abs(outside) <= options.within))
    print(f"{kernel:<11} {max(counted):>12} {low:>9} {high:>9} {own:>9} {outside:>+7.2f} %"
          f"  {'same' if same else 'other'} code, {'same' if right else 'OTHER'} results"
          f"{'' if good else '  <- wrong'}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--within", type=float, default=1, metavar="PERCENT")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    options = parser.parse_args()
    with open(KERNELS, encoding="utf-8") as text:
        kernels = re.findall(r"^kernel void (\w+)\(", text.read(), re.M)
    print(f"{'kernel':<11} {'instructions':>12} {'NEO, from':>9} {'to':>9} {'ours':>9} {'outside':>9}")
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        good = [compare(program, kernel, folder, options) for kernel in kernels]
    print(f"{sum(good)} of {len(good)} kernels as they must be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

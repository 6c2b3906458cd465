#!/usr/bin/env python3
"""mutants.py [--cases N] [NUMBER...] - does test_array see what is wrong in the RTL?

Each mutant is one change to a file of rtl/sched (those of rtl/eu: mutants_eu.py). For each (or those whose
numbers are given) a copy of the RTL with that change is Verilated as one pipeline of
three EUs, with random content in RAMs and registers, and run against the C reference
by test_array, with one seed after the other; the first difference is printed. A mutant
that no case sees is a failure. Needs build/tests/cosim/test_array.
"""
import os
import re
import shutil
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
WORK = os.path.join(BUILD, "mutants")
SEEDS = (1, 7)
LIMIT_S = 120  # the cases of a seed take some 5 s

# File, what stands there once, what the mutant has instead.
MUTANTS = [
    # dispatchers, send arbiter, time
    ("sched/igpu_array_tile.v", "(grant_o & full_i)", "NONE"),
    ("sched/igpu_array_tile.v", "end_latency_i - 6'd1", "end_latency_i"),
    ("sched/igpu_array_tile.v", ".ce_i(tick_i), .end_ce_i(settle_i)",
     ".ce_i(tick_i || settle_i), .end_ce_i(settle_i)"),
    ("sched/igpu_array_ends.v", "(settle_i && odd_i) ? NONE : even_q", "settle_i ? NONE : even_q"),
    ("sched/igpu_array_time.v", "(!late_ends_i || counted_q)", "1'b1"),
    ("sched/igpu_array_time.v", "ready && ends_i;", "1'b0;"),
    ("sched/igpu_sched_global.v", "next_q   <= now_i +", "next_q   <= 1 + now_i +"),
    ("sched/igpu_sched_account.v", "bslots_q | freed2", "bslots_q"),
    ("sched/igpu_send_arb.v", "take ? credit_q - 7'd1 : credit_q + 7'd1",
     "take ? credit_q - 7'd1 : credit_q"),
    ("sched/igpu_send_arb.v", "(credit_q != 7'd0) ? 8'hff : ~port_i", "8'hff"),
]


def run(command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **keywords)


def change(number):
    """The RTL with this mutant in WORK/rtl."""
    path, old, new = MUTANTS[number]
    shutil.rmtree(WORK + "/rtl", ignore_errors=True)
    shutil.copytree("rtl", WORK + "/rtl")
    with open(f"{WORK}/rtl/{path}", encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f"mutants.py: {path}: `{old}` stands there {text.count(old)} times, not once")
    with open(f"{WORK}/rtl/{path}", "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def judge(number, cases):
    """What test_array says of the mutant; None: it sees nothing."""
    change(number)
    done = run(["make", "-s", "mutant"])
    if done.returncode != 0:
        sys.exit(f"mutant {number}: it does not build\n{done.stdout[-2000:]}")
    for seed in SEEDS:
        try:
            done = run([f"{WORK}/test_array", "--pair", "ref-1x3", "--cases", str(cases),
                        "--seed", str(seed)], timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"seed {seed}: no end within {LIMIT_S} s"
        if done.returncode != 0:
            found = re.search(r"case (\d+): (.*)", done.stdout)
            said = f"case {found.group(1)}: {found.group(2)[:90]}" if found else done.stdout[-90:]
            return f"seed {seed}, {said}"
    return None


def main():
    arguments = sys.argv[1:]
    cases = 600
    if arguments[:1] == ["--cases"]:
        cases, arguments = int(arguments[1]), arguments[2:]
    missed = 0
    for number in [int(a) for a in arguments] or range(len(MUTANTS)):
        path, _, new = MUTANTS[number]
        seen = judge(number, cases)
        print(f"{'not ok' if seen is None else 'ok'} {number} {path} `{new}`: "
              f"{seen or 'no case sees it'}", flush=True)
        missed += seen is None
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())

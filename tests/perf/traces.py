#!/usr/bin/env python3
"""What the project's own kernels cost as traces: size, entropy, speed.

usage: tests/perf/traces.py [LIST.yaml...]   (default: all of traces/kernels/cases*.yaml)

Records every case with `./igpu suite --traces` and prints
- bytes per executed instruction (threads' share of the file), on average over kernels;
- every kernel above the demanded 2 bytes, with the entropy of its addresses;
- how much recording slows the emulator, and how fast traces are read back.

The entropy is an empirical one, of what the best of three simple predictions leaves:
for each static send, an address is predicted from the lane before it, from the same
lane at the thread's last execution of that send, or from the same lane of the thread's
last access of any send (when it had the same lanes); masks as symbols. It counts no
bits for the tables that a real coder would need, so it is a bound from below: far
below in a trace with few accesses (n different symbols look like log2(n) bits each),
so traces of less than 100,000 instructions are listed, not judged.
Needs `make igpu python`. Ends with `N passed, N failed`.
"""
import collections
import glob
import math
import os
import re
import resource
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
WORK = os.path.join(BUILD, "perf-traces")
MOST = 2.0  # bytes per instruction
JUDGED = 100000  # instructions
sys.path.insert(0, os.path.join(BUILD, "python"))


def cpu_seconds(command):
    """Its CPU seconds, children included, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            done.stdout)


def number(pattern, text):
    return int(re.search(pattern, text, re.MULTILINE).group(1))


def bits(counter):
    total = sum(counter.values())
    return sum(n * math.log2(total / n) for n in counter.values())


def entropy_bytes(path):
    """See the top of this file."""
    import vigpu.trace  # made by `make python`

    masks = collections.defaultdict(collections.Counter)
    left = collections.defaultdict(lambda: [collections.Counter() for _ in range(3)])
    with vigpu.trace.open(path) as trace:
        for launch in trace.launches():
            for thread in launch.threads():
                same_send, before = {}, {}
                for access in thread.accesses:
                    count_access(access, masks, left, same_send, before)
    return (sum(map(bits, masks.values())) +
            sum(min(map(bits, three)) for three in left.values())) / 8


def count_access(access, masks, left, same_send, before):
    lanes = [lane for lane in range(32) if access.mask >> lane & 1]
    now = dict(zip(lanes, access.addresses))
    last = same_send.get(access.instruction, {})
    masks[access.instruction][access.mask] += 1
    for index, lane in enumerate(lanes):
        address = now[lane]
        neighbour = now[lanes[index - 1]] if index else min(last.values(), default=0)
        previous = before[lane] if before.keys() == now.keys() else neighbour
        for counter, guess in zip(left[access.instruction],
                                  (neighbour, last.get(lane, neighbour), previous)):
            counter[address - guess] += 1
    same_send[access.instruction] = now
    if now:
        before.clear()
        before.update(now)


def main():
    lists = sys.argv[1:] or sorted(glob.glob(os.path.join(TOP, "traces/kernels/cases*.yaml")))
    passed = failed = 0

    def check(what, good):
        nonlocal passed, failed
        passed, failed = passed + bool(good), failed + (not good)
        print(("ok   " if good else "FAIL ") + what, flush=True)

    os.makedirs(WORK, exist_ok=True)
    for old in glob.glob(os.path.join(WORK, "*.pb")):
        os.remove(old)
    alone = recorded = 0.0
    for cases in lists:
        cpu_seconds(["./igpu", "suite", cases])  # compile once, cached
        alone += cpu_seconds(["./igpu", "suite", cases])[0]
        recorded += cpu_seconds(["./igpu", "suite", "--traces", WORK, cases])[0]

    instructions, read, rows = 0, 0.0, []
    for path in sorted(glob.glob(os.path.join(WORK, "*.pb"))):
        info = cpu_seconds(["./igpu", "trace", "info", path])[1]
        executed = number(r"^instructions +(\d+)", info)
        stored = number(r"\(threads (\d+),", info)
        read += cpu_seconds(["./igpu", "trace", "verify", path])[0]
        instructions += executed
        rows.append((stored / executed, executed, stored, path))
    mean = sum(row[0] for row in rows) / len(rows)
    check(f"{len(rows)} traces, {instructions} instructions: mean {mean:.3f} bytes per "
          f"instruction, all together {sum(r[2] for r in rows) / instructions:.3f}",
          mean < MOST)
    for size, executed, stored, path in sorted(rows, reverse=True):
        if size <= MOST:
            break
        entropy = entropy_bytes(path)
        what = (f"{os.path.basename(path)[:-3]}: {size:.2f} bytes per instruction "
                f"({executed} instructions), {stored / entropy:.2f} x the entropy of its "
                "addresses")
        if executed < JUDGED:
            print("     " + what)
        else:
            check(what + " (at most 1.25)", stored <= 1.25 * entropy)
    check(f"recording: {recorded:.1f} CPU seconds, without {alone:.1f}: "
          f"{recorded / alone:.2f} x (less than 2), compile and check of results included",
          recorded < 2 * alone)
    check(f"reading: {instructions / read / 1e6:.0f} M instructions per CPU second, each "
          "file opened and verified (at least 20)", instructions / read >= 20e6)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())

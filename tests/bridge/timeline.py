#!/usr/bin/env python3
"""timeline.py TIMELINE.json STATISTICS.json - does the timeline of a run tell what the
run's statistics tell? Prints `ok NAME` or `not ok NAME` for each property."""
import json
import sys
from collections import defaultdict


def check(name, good):
    print(("ok " if good else "not ok ") + name)


def ps(microseconds):
    return round(microseconds * 1e6)


def disjoint(slices):
    """No two of [(from, to)] overlap."""
    ordered = sorted(slices)
    return all(a[1] <= b[0] for a, b in zip(ordered, ordered[1:]))


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        events = json.load(text)["traceEvents"]
    with open(sys.argv[2], encoding="utf-8") as text:
        stats = json.load(text)
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
              if e["ph"] == "M" and e["name"] == "thread_name"}
    units, slots = defaultdict(list), defaultdict(list)
    for e in events:
        if e["ph"] != "X" or e["pid"] == 0:
            continue
        eu, where = tracks[e["pid"], e["tid"]].rsplit(" ", 1)
        span = (ps(e["ts"]), ps(e["ts"]) + ps(e["dur"]))
        if eu.endswith("slot"):
            slots[e["pid"], eu[:-5], int(where)].append(span)
        else:
            units[e["pid"], eu, where].append(span + (e["args"]["slot"],))
    issued = sum(len(v) for v in units.values())
    check(f"{issued} instructions", issued == stats["instructions"])
    threads = sum(len(v) for v in slots.values())
    check(f"{threads} threads", threads == stats["threads_dispatched"])
    check("a slot holds one thread at a time", all(map(disjoint, slots.values())))
    check("a unit takes one instruction at a time", all(map(disjoint, units.values())))
    cycle = 1e12 / stats["clock_hz"]
    end = stats["cycles"] * cycle  # statistics are cut there
    for unit in ("fpu0", "fpu1", "send", "branch"):
        busy = sum(min(to, end) - start for (_, _, name), spans in units.items()
                   if name == unit.upper() for start, to, _ in spans)
        want = stats["eu"][unit]
        check(f"{unit} is busy for {want} cycles",
              abs(busy / cycle - want) < 1e-3 * want + 1)
    outside = sum(not any(a <= start < b for a, b in slots[pid, eu, slot])
                  for (pid, eu, _), spans in units.items() for start, _, slot in spans)
    check("instructions lie in their threads", outside == 0)
    ends = defaultdict(list)
    for e in events:
        if e.get("cat") == "message":
            ends[e["pid"], e["id"]].append((e["ph"], ps(e["ts"])))
    check("messages have two ends", all(
        [p for p, _ in v] == ["b", "e"] and v[0][1] <= v[1][1] for v in ends.values()))
    check(f"{len(ends)} messages, {stats['mem']['requests']} with memory accesses",
          len(ends) >= stats["mem"]["requests"] > 0)
    launches = [e for e in events if e["ph"] == "X" and e["pid"] == 0]
    check("launches", len(launches) == len(stats["kernels"]))


main()

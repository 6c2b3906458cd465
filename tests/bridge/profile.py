#!/usr/bin/env python3
"""profile.py TIMELINE.json PROFILE.json STATISTICS.json - does a profile have what the
timeline of the same run tells? Cycles of each instruction are the distances of its issues
from the thread's issue before. Prints `ok NAME` or `not ok NAME` for each property."""
import bisect
import gc
import json
import sys
from collections import defaultdict


def check(name, good):
    print(("ok " if good else "not ok ") + name)


def load(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def by_launch(events, hz, launches):
    """{launch: {slot: [(cycle, what)]}} of issues, opens (-1) and ends (-2)."""
    def cycle(us):
        return round(us * 1e-6 * hz)
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
              if e["ph"] == "M" and e["name"] == "thread_name"}
    threads, issues = defaultdict(list), defaultdict(list)
    for e in events:
        if e["ph"] != "X" or e["pid"] == 0:
            continue
        eu, where = tracks[e["pid"], e["tid"]].rsplit(" ", 1)
        if where == "waits":
            continue
        if eu.endswith("slot"):
            threads[e["pid"], eu[:-5], int(where)].append(
                (cycle(e["ts"]), cycle(e["ts"] + e["dur"]), e["args"]["launch"]))
        else:
            issues[e["pid"], eu, e["args"]["slot"]].append(
                (cycle(e["ts"]), int(e["name"].split(":")[0])))
    sums = {n: defaultdict(lambda: [0, 0]) for n in launches}
    for slot, spans in threads.items():
        mine = sorted(issues[slot])
        for start, end, launch in spans:
            last = start - 1
            for at, inst in mine[bisect.bisect_left(mine, (start, -1)):
                                 bisect.bisect_left(mine, (end, -1))]:
                sums[launch][inst][0] += 1
                sums[launch][inst][1] += at - last
                last = at
    return sums


def waits(events, hz):
    """{(instruction, reason): cycles} of the slices of waits; whether a slot's do not overlap."""
    tracks = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M"
              and e["name"] == "thread_name" and e["args"]["name"].endswith(" waits")}
    sums, spans = defaultdict(int), defaultdict(list)
    for e in events:
        if e["ph"] != "X" or (e["pid"], e["tid"]) not in tracks:
            continue
        span = [round(t * 1e-6 * hz) for t in (e["ts"], e["ts"] + e["dur"])]
        sums[e["args"]["before"], e["name"]] += span[1] - span[0]
        spans[e["pid"], e["tid"]].append(span)
    return sums, all(a[1] <= b[0] for s in map(sorted, spans.values()) for a, b in zip(s, s[1:]))


def main():
    profile, stats = load(sys.argv[2]), load(sys.argv[3])
    launches = profile["launches"]
    events = load(sys.argv[1])["traceEvents"]
    found, apart = waits(events, stats["clock_hz"])
    told = defaultdict(int)
    for l in launches:
        for i, inst in enumerate(l["instructions"]):
            for reason, cycles in inst["wait"].items():
                told[i, reason] += cycles
    check(f"slices of waits: {sum(found.values())} cycles, by instruction and reason",
          len(launches) > 1 or dict(found) == dict(told))
    check("one behind the other", apart)
    sums = by_launch(events, stats["clock_hz"], [l["launch"] for l in launches])
    for l in launches:
        own = sums[l["launch"]]
        insts = l["instructions"]
        total = [x["issues"] + sum(x["wait"].values()) for x in insts]
        check(f"launch {l['launch']}: {sum(total)} thread-cycles by reason",
              sum(total) == l["thread_cycles"])
        check("executions are the timeline's",
              all(x["issues"] == own[i][0] for i, x in enumerate(insts)))
        check("cycles of each instruction are the timeline's",
              all(t == own[i][1] for i, t in enumerate(total)))
        slots = l["slots"]
        check("slots are taken or empty", sum(
            slots[k] for k in ("taken", "start", "between", "tail", "never")) ==
            profile["slots"] * l["cycles"] and slots["taken"] == l["thread_cycles"])
        check("producers' cycles are within the waits", all(
            sum(f["cycles"] for f in x.get("for", []) if f["reason"] == r) == c
            for x in insts for r, c in x["wait"].items()
            if r in ("operand", "barrier") or r.startswith("msg_")))
    sends = [x["send"] for l in launches for x in l["instructions"] if "send" in x]
    requests = sum(s["messages"] for s in sends)
    check(f"{requests} messages", requests == stats["mem"]["answers"] +
          stats["mem"]["others"] + stats["gw"]["notifications"])
    check(f"{stats['mem']['lines']} lines",
          sum(s["lines"] for s in sends) == stats["mem"]["lines"])
    check("lines have places", all(
        sum(s["lines_from"].values()) == s["lines"] for s in sends))
    whole = [s for s in sends if not {"gateway", "port"} & s["answered_by"].keys()]
    mixed = [s for s in sends if "port" in s["answered_by"] and len(s["answered_by"]) > 1]
    low = sum(s["latency_cycles"] for s in whole)
    check("latencies add up", low <= stats["mem"]["latency_cycles"] <=
          low + sum(s["latency_cycles"] for s in mixed))
    check("histograms are whole", all(
        sum(n for _, n in s["latency"]) == s["messages"] for s in sends))
    check("a full table is the port's counter, or more where messages wait together",
          sum(s["table_full_cycles"] for s in sends) >= stats["mem"]["message_full_cycles"])


gc.disable()  # it would look again and again through a million events that all stay
main()

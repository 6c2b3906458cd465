#!/usr/bin/env python3
"""timeline.py TIMELINE STATISTICS.json - does the timeline of a run tell what the run's
statistics tell? Prints `ok NAME` or `not ok NAME` for each property. A timeline of Perfetto's
protobuf (.pftrace) is read with what protoc makes of bridge/host/sim/perfetto.proto in the folder
of $PERFETTO_PB2.
timeline.py --lines TIMELINE - each slice, message and counter as a line: track, name, whole
nanoseconds from and to, what it tells."""
import gc
import json
import os
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


def from_perfetto(path):
    """Its packets as the events of JSON. Each name, key and track is given before it is used."""
    sys.path.insert(0, os.environ["PERFETTO_PB2"])
    import perfetto_pb2 as pb  # pylint: disable=import-outside-toplevel,import-error
    trace = pb.Trace()
    with open(path, "rb") as data:
        trace.ParseFromString(data.read())
    tracks, events, names, keys, open_slices, ids = {}, [], {}, {}, {}, 0
    kinds = pb.TrackEvent
    first = True
    for packet in trace.packet:
        assert packet.sequence_flags == (1 if first else 2)
        first = False
        names.update((n.iid, n.name) for n in packet.interned_data.event_names)
        keys.update((n.iid, n.name) for n in packet.interned_data.debug_annotation_names)
        track, event = packet.track_descriptor, packet.track_event
        if packet.HasField("track_descriptor"):
            assert track.uuid not in tracks
            if track.HasField("process"):
                tracks[track.uuid] = (track.process.pid - 1, 0, "process")
                label = ("process_name", track.process.process_name)
            elif track.HasField("counter"):
                tracks[track.uuid] = (0, track.name, "counter")
                continue
            elif tracks[track.parent_uuid][2] == "process":
                tracks[track.uuid] = (tracks[track.parent_uuid][0], track.uuid, "thread")
                label = ("thread_name", track.name)
            else:
                tracks[track.uuid] = (*tracks[track.parent_uuid][:2], "message")
                continue
            events.append({"ph": "M", "pid": tracks[track.uuid][0], "tid": tracks[track.uuid][1],
                           "name": label[0], "args": {"name": label[1]}})
            continue
        pid, tid, kind = tracks[event.track_uuid]
        made = {"pid": pid, "tid": tid, "ts": packet.timestamp / 1000}
        if event.type == kinds.TYPE_COUNTER:
            events.append(made | {"ph": "C", "name": tid,
                                  "args": {"value": event.double_counter_value}})
        elif event.type == kinds.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in open_slices
            open_slices[event.track_uuid] = made | {
                "name": names[event.name_iid],
                "args": {keys[a.name_iid]: a.string_value if a.HasField("string_value")
                         else a.uint_value for a in event.debug_annotations}}
        else:
            begun = open_slices.pop(event.track_uuid)
            if kind == "thread":
                events.append(begun | {"ph": "X", "dur": made["ts"] - begun["ts"]})
                continue
            ids += 1
            events += [begun | {"ph": "b", "cat": "message", "id": ids},
                       made | {"ph": "e", "cat": "message", "id": ids, "name": begun["name"]}]
    assert not open_slices
    return events


def load(path):
    if path.endswith(".pftrace"):
        return from_perfetto(path)
    with open(path, encoding="utf-8") as text:
        found = json.load(text)["traceEvents"]
    return found


def lines(events):
    """The same from both forms: whole nanoseconds."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] == "thread_name"}
    begun = {}
    for e in (e for e in events if e["ph"] != "M"):
        where = (e["pid"], names.get((e["pid"], e["tid"])), e["name"])
        at = ps(e["ts"]) // 1000
        if e["ph"] == "X":
            yield *where, at, (ps(e["ts"]) + ps(e["dur"])) // 1000, e["args"]
        elif e["ph"] == "b":
            begun[e["pid"], e["id"]] = (*where, at, e["args"])
        elif e["ph"] == "e":
            *what, args = begun.pop((e["pid"], e["id"]))
            yield *what, at, args
        elif e["ph"] == "C":
            yield 0, "counter", e["name"], at, at, {"value": round(e["args"]["value"], 6)}


def main():
    if sys.argv[1] == "--lines":
        print(*sorted(map(str, lines(load(sys.argv[2])))), sep="\n")
        return
    events = load(sys.argv[1])
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


gc.disable()  # it would look again and again through events that all stay
main()

"""Simple bounds of a launch's cycles: what each unit needs at least, from features and the
machine's parameters. Rows are launches on machines; everything is a numpy column, and
pandas is not needed: of one row its overhead would be nearly all of a prediction's time.

Nothing is simulated or fitted here. The caches' misses come from the reuse distances: a
line is missed when as many other lines as the cache holds were touched since.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vigpu.modules import need

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    Columns = Mapping[str, Array]  # rows with features and parameters; a DataFrame will do

# The bounds, and what a user is told when one is the largest.
BOUNDS = {
    "fpu": "the FPUs: arithmetic of both, or of FPU1 alone",
    "issue": "instruction fetch: one instruction an EU and cycle",
    "front": "the threads' own pace: front-end cycles and waits for results",
    "send": "the SEND units: payload of messages",
    "port": "the data ports: lines, answers, SLM banks",
    "l3": "the L3's banks",
    "gti": "the way between L3 and LLC",
    "llc": "the LLC's ports",
    "dram": "DRAM's bandwidth",
    "latency": "memory latency, with the messages that can be in flight",
    "dispatch": "the dispatch of threads",
    "longest": "the longest thread, alone",
}

# Those below which no launch can be: of 4,506 rows of the table none is
# (docs/guide/predict.md). The others look at caches, latency and overlap from outside, and
# may be over the cycles.
FLOORS = ("fpu", "issue", "front", "send", "l3", "dispatch")

# Line touches at each distance: features, and the lines in between at most.
_REUSE = (("reuse.16", 16), ("reuse.128", 128), ("reuse.512", 512), ("reuse.2k", 2048),
          ("reuse.4k", 4096), ("reuse.6k", 6144), ("reuse.8k", 8192), ("reuse.12k", 12288),
          ("reuse.16k", 16384), ("reuse.32k", 32768), ("reuse.64k", 65536),
          ("reuse.128k", 131072), ("reuse.1m", 1048576))
_PAGES = (("page.16", 16), ("page.64", 64), ("page.256", 256), ("page.512", 512),
          ("page.1k", 1024), ("page.4k", 4096))
_CLASSES = ("alu32", "alu64", "df", "math", "math2", "idiv", "dot", "lrp")
_FPU1 = ("df", "math", "math2", "idiv")
# The parameters that bounds and models look at.
MACHINE = (
    "gpu.clock_hz", "gpu.subslices", "gpu.slices", "eu.count", "eu.threads", "disp.interval",
    "disp.start_latency", "disp.end_latency", "disp.slm_kb", "disp.barriers",
    *(f"eu.{c}.{p}" for c in _CLASSES for p in ("occ", "fe", "lat")),
    "eu.branch.fe", "eu.switch.fe", "eu.conflict.fe", "eu.send.grf", "eu.resp.grf",
    "icache.miss", "dp.messages", "dp.in_latency", "dp.out_latency", "dp.lines",
    "dp.return_grfs", "slm.latency", "l3.banks", "l3.sets", "l3.ways", "l3.ways_slm",
    "l3.request_latency", "l3.latency", "gti.request_latency", "gti.return_latency",
    "gti.read_bytes", "gti.write_bytes", "tlb.entries", "tlb.walk_ps", "llc.size",
    "llc.slices", "llc.idle_clock_hz", "llc.port_bytes", "llc.latency", "edram.size",
    "edram.latency_ps", "dram.channels", "dram.clock_hz", "dram.latency_ps", "dram.cl",
    "dram.trcd")


class _Floats(dict[str, Any]):
    """The columns of a DataFrame as arrays, each when it is first asked for."""

    def __init__(self, frame: Any) -> None:
        super().__init__()
        self._frame = frame

    def __missing__(self, name: str) -> Any:
        self[name] = self._frame[name].to_numpy(float)
        return self[name]


def floats(frame: Any) -> Columns:
    """A DataFrame's columns, or a dictionary of arrays as it is."""
    return frame if isinstance(frame, dict) else _Floats(frame)


def misses(frame: Columns, table: tuple[tuple[str, int], ...], cold: str, more: str,
           room: Array) -> Array:
    """Touches at `room` or more others in between; inside a class they are spread evenly."""
    np = need("numpy")
    frame = floats(frame)
    missed: Array = frame[cold] + frame[more]
    low = 0
    for name, high in table:
        share = np.clip((high - room) / (high - low), 0, 1)
        missed = missed + share * frame[name]
        low = high
    return missed


def _ratio(a: Any, b: Any) -> Any:
    np = need("numpy")
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.zeros(np.broadcast(a, b).shape), where=b > 0)


def _resident(f: Columns) -> Array:
    """Threads that a subslice holds: by places, SLM and barriers."""
    np = need("numpy")
    places = f["eu.count"] * f["eu.threads"]
    tpg = f["geo.group_threads"]
    groups = np.floor(np.maximum(places / tpg, 1))
    slm = np.where(f["occ.slm_kb"] > 0, f["disp.slm_kb"] // np.maximum(f["occ.slm_kb"], 1), 1e9)
    groups = np.minimum(np.minimum(groups, np.maximum(slm, 1)), f["disp.barriers"])
    held: Array = np.where(f["occ.pinned"] > 0, np.minimum(groups * tpg, places), places)
    return held


def bounds(rows: Columns) -> dict[str, Array]:
    """Of rows with all features and parameters: a column for each of BOUNDS, in cycles, and
    `latency_ns`, `l3_misses`, `llc_misses`, `resident` (threads of the machine at a time),
    `rounds` (of threads that follow each other)."""
    np = need("numpy")
    f = floats(rows)
    ghz = f["gpu.clock_hz"] / 1e9
    subslices = f["gpu.subslices"]
    resident = np.minimum(_resident(f) * subslices, f["geo.threads"])
    eus = np.minimum(f["eu.count"] * subslices, np.maximum(resident, 1))
    used = np.minimum(subslices, np.where(f["occ.pinned"] > 0, f["geo.groups"],
                                          f["geo.threads"]))
    rounds = f["geo.threads"] / np.maximum(resident, 1)
    work = {c: f[f"work.{c}"] * f[f"eu.{c}.occ"] for c in _CLASSES}
    one = sum(work[c] for c in _FPU1)
    both = sum(work.values())
    # Caches: lines and pages missed.
    ways = np.where(f["geo.slm_bytes"] > 0, f["l3.ways_slm"], f["l3.ways"])
    banks = f["l3.banks"] * f["gpu.slices"]
    touches = f["line.read"] + f["line.write"] + f["line.atomic"]
    l3_misses = misses(f, _REUSE, "reuse.cold", "reuse.more", banks * f["l3.sets"] * ways)
    llc_misses = misses(f, _REUSE, "reuse.cold", "reuse.more",
                        (f["llc.size"] + f["edram.size"]) / 64)
    walks = misses(f, _PAGES, "page.cold", "page.more", f["tlb.entries"])
    writes = _ratio(f["line.write"], touches)
    fetched = l3_misses * (1 - writes)
    written = np.minimum(f["foot.written"], l3_misses)
    # The way there and back, in GPU cycles.
    miss, below = _ratio(fetched, touches), _ratio(llc_misses * (1 - writes), touches)
    ring = f["llc.latency"] / f["llc.idle_clock_hz"] * f["gpu.clock_hz"]
    dram_ns = (f["dram.latency_ps"] / 1e3 +
               (f["dram.cl"] + f["dram.trcd"] + 4) / f["dram.clock_hz"] * 1e9)
    hit = f["dp.in_latency"] + f["dp.out_latency"] + f["l3.request_latency"] + f["l3.latency"]
    latency = (hit + miss * (f["gti.request_latency"] + f["gti.return_latency"] + ring) +
               below * dram_ns * ghz +
               np.minimum(1, _ratio(walks, f["mem.messages"])) * f["tlb.walk_ps"] / 1e3 * ghz)
    messages = f["mem.messages"] + f["slm.messages"]
    depth = np.maximum(f["wait.depth"], 1)
    flight = np.minimum(f["dp.messages"] * used, resident * depth)
    # A thread by itself.
    threads = np.maximum(f["geo.threads"], 1)
    front = (sum(f[f"eu.{c}.fe"] * f[f"work.{c}"] for c in _CLASSES) +
             f["work.conflicts"] * f["eu.conflict.fe"] +
             f["class.branch"] * f["eu.branch.fe"] + f["form.switch"] * f["eu.switch.fe"] +
             f["send.payload"] * f["eu.send.grf"]) / threads
    slm = _ratio(f["slm.messages"], messages)
    answer = latency * (1 - slm) + slm * (f["dp.in_latency"] + f["dp.out_latency"] +
                                          f["slm.latency"])
    alone = np.maximum(front, 2 * f["thread.mean"]) + f["wait.count"] * answer
    alone = alone + f["wait.alu"] * f["eu.alu32.lat"] * 0.5
    longest = alone * np.maximum(_ratio(f["thread.max"], f["thread.mean"]), 1)
    port = (touches / f["dp.lines"] + f["slm.cycles"]) / np.maximum(used, 1)
    back = f["send.response"] / f["dp.return_grfs"] / np.maximum(used, 1)
    bytes_a_cycle = f["dram.channels"] * 16 * f["dram.clock_hz"] / f["gpu.clock_hz"]
    return {
        "fpu": np.maximum((both - one + one) / 2, one) / eus,
        "issue": f["inst.all"] / eus,
        "front": np.ceil(rounds) * np.maximum(front, 2 * f["thread.mean"]),
        "send": f["send.payload"] * f["eu.send.grf"] / eus,
        "port": np.maximum(port, back),
        "l3": (touches + f["atomic.serial"]) / banks,
        "gti": np.maximum(fetched * 64 / f["gti.read_bytes"],
                          written * 64 / f["gti.write_bytes"]),
        "llc": l3_misses * 64 / (f["llc.slices"] * f["llc.port_bytes"]) *
               f["gpu.clock_hz"] / f["llc.idle_clock_hz"],
        "dram": llc_misses * 64 / bytes_a_cycle,
        "latency": f["mem.messages"] * latency / np.maximum(flight, 1),
        "dispatch": f["geo.threads"] * f["disp.interval"],
        "longest": longest,
        "rounds": rounds, "resident": resident, "latency_ns": latency / ghz,
        "l3_misses": l3_misses, "llc_misses": llc_misses, "alone": alone * np.ceil(rounds),
        "fixed": f["disp.start_latency"] + f["disp.end_latency"] + 2 * f["icache.miss"],
    }

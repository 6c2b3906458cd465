"""Two profiles of igpu side by side, and what explains the difference."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

from vigpu import igpu
from vigpu.errors import InputError, UsageError

# What a reason of docs/guide/profile.md is about, in words.
_ABOUT = {
    "issue": "instructions issuing", "front_end": "the front end's pace",
    "fetch": "the shared fetch", "icache": "instruction cache misses",
    "operand": "results of instructions", "barrier": "barriers",
    "unit_busy": "busy units", "other_thread": "busy units",
    "msg_table": "the data port's table of messages", "port_credit": "the data port's credits",
    "msg_credit": "the data port's credits", "send_queue": "full send queues",
    "msg_port": "messages before it at the data port", "msg_slm": "SLM", "msg_l3": "the L3",
    "msg_llc": "the LLC", "msg_edram": "the eDRAM", "msg_dram": "the DRAM",
    "msg_sampler": "the samplers"}


def load(path: str, words: Sequence[str]) -> dict[str, Any]:
    """The profile of a trace, simulated with the options `words`, or one that igpu profile
    --json wrote before."""
    if not os.access(path, os.R_OK):
        raise UsageError(f"{path}: cannot read: expected a trace, or what igpu profile --json "
                         "wrote")
    if path.endswith(".json"):
        if words:
            raise UsageError(f"{path}: settings are a trace's; this profile is made already")
        with open(path, encoding="utf-8") as file:
            text = file.read()
    else:
        text = igpu.run(["profile", "--quiet", "--json", "-", *words, path])
    return check(path, text)


def check(path: str, text: str) -> dict[str, Any]:
    """What this module reads of a profile; InputError: the text is none."""
    wrong = InputError(f"{path}: expected what igpu profile --json writes, version 1")
    try:
        data = json.loads(text)
        good = data["profile"] == 1 and isinstance(data["launches"], list)
        for launch in data["launches"] if good else []:
            good = good and all(isinstance(launch[k], int) for k in (
                "cycles", "threads", "thread_cycles", "issues", "launch")) \
                and isinstance(launch["kernel"], str) and isinstance(launch["verdict"], str) \
                and all(isinstance(v, int) for v in launch["wait"].values()) \
                and all(isinstance(v, (int, float)) for v in launch["busy"].values()) \
                and all(isinstance(v, int) for v in launch["traffic"].values()) \
                and isinstance(launch["slots"]["taken"], int)
            for inst in launch["instructions"]:
                sends = inst.get("send", {})
                good = good and isinstance(inst["text"], str) \
                    and isinstance(inst["issues"], int) \
                    and all(isinstance(v, int) for v in inst["wait"].values()) \
                    and all(isinstance(sends.get(k, 0), int) for k in (
                        "messages", "lines", "bytes", "latency_cycles", "port_cycles"))
        good = good and all(isinstance(data[k], int) for k in ("clock_hz", "slots"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise wrong from None
    if not good or not data["launches"]:
        raise wrong
    found: dict[str, Any] = data
    return found


def _sum(launches: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], Any]) -> float:
    return float(sum(value(launch) for launch in launches))


def by_reason(launches: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Cycles of the launches, shared out as their threads' cycles are: they add up to the
    launches' cycles."""
    found: dict[str, float] = {}
    for launch in launches:
        whole = max(1, launch["thread_cycles"])
        for reason, cycles in {"issue": launch["issues"], **launch["wait"]}.items():
            found[reason] = found.get(reason, 0.0) + launch["cycles"] * cycles / whole
    return found


def _sends(launches: Sequence[dict[str, Any]], key: str, word: str = "") -> float:
    return float(sum(inst["send"].get(key, 0) for launch in launches
                     for inst in launch["instructions"]
                     if "send" in inst and word in inst["text"]))


def metrics(launches: Sequence[dict[str, Any]]) -> dict[str, float]:
    """What may explain a difference, by name; units in the names."""
    messages = _sends(launches, "messages")
    slm = _sends(launches, "messages", ", slm")
    cycles = _sum(launches, lambda l: l["cycles"])

    def each(value: float, of: float) -> float:
        return value / of if of else 0.0

    return {
        "messages to private memory, spills": _sends(launches, "messages", ", stateless") +
        _sends(launches, "messages", "scratch"),
        "instructions": _sum(launches, lambda l: l["issues"]),
        "lanes an instruction": each(_sum(launches, lambda l: l["traffic"]["lanes"]),
                                     _sum(launches, lambda l: l["issues"])),
        "threads": _sum(launches, lambda l: l["threads"]),
        "messages": messages,
        "bytes a message": each(_sends(launches, "bytes"), messages),
        "lines a message": each(_sends(launches, "lines"), messages),
        "cycles a message": each(_sends(launches, "latency_cycles"), messages),
        "messages to SLM": slm,
        "cycles a message to SLM": each(_sends(launches, "latency_cycles", ", slm"), slm),
        "atomic messages": _sends(launches, "messages", "atomic"),
        "atomic messages to SLM": _sends(launches, "messages", "atomic, slm"),
        "sampler messages": _sends(launches, "messages", "sampler"),
        "lines from the L3": _sum(launches, lambda l: l["traffic"]["l3_lines"]),
        "bytes from the DRAM": _sum(launches, lambda l: l["traffic"]["dram_bytes"]),
        "slots taken, %": each(100 * _sum(launches, lambda l: l["slots"]["taken"]),
                               _sum(launches, lambda l: sum(
                                   v for v in l["slots"].values() if isinstance(v, int)) -
                                   l["slots"].get("room", 0))),
        "FPU0 busy, %": each(100 * _sum(
            launches, lambda l: l["busy"].get("fpu0", 0) * l["cycles"]), cycles),
        "FPU1 busy, %": each(100 * _sum(
            launches, lambda l: l["busy"].get("fpu1", 0) * l["cycles"]), cycles),
    }


# Consequences of something else, which explain nothing.
_EFFECTS = ("FPU0 busy, %", "FPU1 busy, %", "cycles a message")


def causes(a: dict[str, float], b: dict[str, float]) -> list[tuple[float, str]]:
    """Metrics that differ, the one that differs by the largest factor first."""
    found = []
    for name, left in a.items():
        right = b[name]
        if name in _EFFECTS or left == right:
            continue
        factor = 1024.0 if min(left, right) == 0 else max(left, right) / min(left, right)
        if factor > 1.15:
            found.append((math.log2(factor), name))
    # What is there on one side alone comes first, and of that the more telling.
    return sorted(found, key=lambda f: (-f[0], list(a).index(f[1])))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.2f}"


def _name(profile: dict[str, Any], words: Sequence[str]) -> str:
    settings = [w for w in words if w not in ("-s", "-c")]
    return " ".join([str(profile["trace"]), *settings])


def _instructions(a: Sequence[dict[str, Any]], b: Sequence[dict[str, Any]]) -> list[str]:
    """Where the kernels are the same, the instructions whose cycles differ most."""
    if len(a) != len(b) or any(
            [x["text"] for x in l["instructions"]] != [x["text"] for x in r["instructions"]]
            for l, r in zip(a, b, strict=True)):
        return []
    rows: list[tuple[float, list[float], int, str]] = []
    for left, right in zip(a, b, strict=True):
        for i, (x, y) in enumerate(zip(left["instructions"], right["instructions"],
                                       strict=True)):
            cycles = [launch["cycles"] * (inst["issues"] + sum(inst["wait"].values())) /
                      max(1, launch["thread_cycles"])
                      for launch, inst in ((left, x), (right, y))]
            rows.append((cycles[1] - cycles[0], cycles, i, x["text"]))
    rows.sort(key=lambda r: -abs(r[0]))
    return ["", "cycles of instructions, of which the launches consist:"] + [
        f"{c[0]:12,.0f} {c[1]:12,.0f} {d:+12,.0f}  {i}: {text}"
        for d, c, i, text in rows[:10] if abs(d) >= 1]


def text(a: dict[str, Any], b: dict[str, Any], names: tuple[str, str]) -> str:
    """The comparison for people."""
    sides = a["launches"], b["launches"]
    cycles = [_sum(side, lambda l: l["cycles"]) for side in sides]
    seconds = [c / p["clock_hz"] for c, p in zip(cycles, (a, b), strict=True)]
    reasons = [by_reason(side) for side in sides]
    values = [metrics(side) for side in sides]
    change = {r: reasons[1].get(r, 0.0) - reasons[0].get(r, 0.0)
              for r in {**reasons[0], **reasons[1]}}
    order = sorted(change, key=lambda r: -abs(change[r]))
    factor = seconds[0] / seconds[1] if seconds[1] else math.inf
    lines = [f"A: {names[0]}", f"B: {names[1]}",
             f"B takes {cycles[1]:,.0f} cycles, A {cycles[0]:,.0f}: B is " + (
                 f"{factor:.2f} times as fast" if factor >= 1 else
                 f"{1 / factor:.2f} times as slow")]
    same = [r for r in order if change[r] * (cycles[1] - cycles[0]) > 0]
    if same:
        lines.append(f"most of it: {_ABOUT.get(same[0], same[0])} ({same[0]} "
                     f"{change[same[0]]:+,.0f} cycles)")
    why = causes(*values)
    if why:
        lines.append("what differs: " + "; ".join(
            f"{name} {_number(values[0][name])} -> {_number(values[1][name])}"
            for _, name in why[:4]))
    for letter, side in zip("AB", sides, strict=True):
        longest = max(side, key=lambda l: int(l["cycles"]))
        lines.append(f"{letter} is held up by {longest['verdict']}")
    lines += ["", f"{'A':>12} {'B':>12} {'B - A':>12}  cycles of the launches, by reason"]
    lines += [f"{reasons[0].get(r, 0):12,.0f} {reasons[1].get(r, 0):12,.0f} "
              f"{change[r]:+12,.0f}  {r}" for r in order if abs(change[r]) >= 1]
    lines += ["", f"{'A':>12} {'B':>12}"]
    lines += [f"{_number(v):>12} {_number(values[1][name]):>12}  {name}"
              for name, v in values[0].items() if v or values[1][name]]
    return "\n".join([*lines, *_instructions(*sides)]) + "\n"


def name_of(profile: dict[str, Any], words: Sequence[str]) -> str:
    """What a side is called: its trace and its settings."""
    return f"{_name(profile, words)} on {profile['config']}"

#!/usr/bin/env python3
"""What published numbers say of each parameter, and the parameters' posterior.

usage: tests/perf/derive.py run [--data FILE.csv] [PARAMETER...]
       tests/perf/derive.py table|vectors|cover [--data FILE.csv]

run      simulates every row with one parameter changed at a time, the ends of its range
         first and, where a row moves by 1 % or more, what is between; goes on where it
         was ended. Needs `make igpu` and, for rows of programs, traces/workloads/measured.sh.
table    for each parameter the range that all rows allow, the best value, and which row
         decides (Markdown)
vectors  bridge/programs/cli/band.def: the parameters' values that `--band` simulates
cover    how many rows with a ratio lie in the interval that the others give
"""
from __future__ import annotations

import argparse
import csv
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "perf", "derive.csv")
MOVES = 0.01  # a row that moves by less at both ends does not see the parameter


@dataclass(frozen=True)
class Row:
    """name; `igpu bench` and words; key of its JSON (first/last: the two points' ratio);
    published value; its uncertainty and the model's (of the logarithm); 1 where more is
    faster, -1 where it is slower; parts of the machine, or single parameters, that it can
    see: each costs a second to ten for each value."""

    name: str
    words: str
    key: str
    real: float
    sigma: float
    better: int
    parts: str


EU = "eu disp icache"
KNEES = "dp dram.latency_ps dram.age_limit dram.trtrs"
STREAMS = "dram.write_high dram.age_limit dram.trtrs"
WRITES = "l3.partial_write l3.ecc_bytes l3.bank_hash"


def latency(name: str, words: str, real: float, parts: str) -> Row:
    return Row(name, f"latency {words}", "ns", real, 0.015, -1, parts)


def measured(name: str, parts: str) -> Row:
    return Row(name, f"measured --rows {name}", "model", 0, 0.2, 0, parts)


PUBLISHED = (
    Row("mad at 96 groups", "flops --work-groups 96 --loops 128", "gflops", 441.6, .03, 1, EU),
    Row("mad, 97 to 96 groups", "flops --work-groups 96,97 --loops 16", "last/first:gflops",
        .81, .02, 1, EU),
    Row("double mad", "flops --type dp --work-groups 168 --loops 128", "gflops", 110.4, .03, 1,
        EU),
    Row("half mad", "flops --type hp --work-groups 168 --loops 128", "gflops", 883.2, .03, 1,
        EU),
    latency("latency 256 KB", "--ws 256K", 125, f"{EU} dp l3"),
    latency("latency 1 MB", "--ws 1M", 213.54, "l3 gti llc"),
    latency("latency 3 MB", "--ws 3M", 231.21, "llc tlb"),
    latency("latency 5 MB", "--ws 5M", 258.73, "llc tlb"),
    latency("latency 9 MB", "--ws 9M", 318.28, "llc tlb dram.latency_ps"),
    latency("latency 256 MB", "--ws 256M", 355, "llc.latency tlb dram.latency_ps"),
    latency("latency 512 KB, GT3e", "-c kbl-gt3e --ws 512K", 144, "dp l3"),
    latency("latency 2 MB, GT3e", "-c kbl-gt3e --ws 2M", 260, "l3 llc"),
    Row("knee 64 B", "mlp --ws 64 --threads 14,168", "last:knee", 110, .045, 1,
        f"{EU} dp l3"),
    Row("knee 1 MB", "mlp --ws 1M --threads 14,168", "last:knee", 110, .045, 1,
        f"{KNEES} l3.mshrs llc.latency"),
    Row("knee 8 MB", "mlp --ws 8M --threads 14,168", "last:knee", 110, .045, 1,
        f"{KNEES} tlb.walk_ps tlb.walks"),
    Row("L3 by 4", "bandwidth --level l3 --vector 4", "bytes_per_cycle", 192, .02, 1,
        f"{EU} dp l3"),
    Row("SLM by 4", "bandwidth --level slm --vector 4", "bytes_per_cycle", 192, .02, 1,
        f"{EU} dp slm"),
    Row("LLC by 4", "bandwidth --level llc --vector 4", "bytes_per_cycle", 64, .02, 1,
        "dp l3 gti llc tlb"),
    Row("GPU 3, CPU streams 9 MB", "interference --gpu-ws 3 --other stream --cpu-ws 9", "ns",
        384.57, .04, -1, "llc.latency tlb dram.latency_ps dram.age_limit"),
    Row("GPU 5, CPU chases 5 MB", "interference --gpu-ws 5 --other chase --cpu-ws 5", "ns",
        301.75, .02, -1, "llc tlb"),
)
FRAME = f"{EU} l3 llc tex ff rt"
UNSEEN = (
    measured("texture-8x8", "eu dp tex"),
    measured("texture-8x16", "tex"),
    measured("texture-16x16", "tex"),
    measured("texture-64x128", "eu l3 tex"),
    measured("texture-128x128", "tex"),
    measured("texture-128x256", "tex"),
    measured("texture-256x256", "tex"),
    measured("texture-256x512", "tex llc"),
    measured("texture-512x512", "tex llc"),
    measured("texture-512x1024", "tex llc"),
    measured("texture-1024x1024", "tex llc.latency tlb.walk_ps tlb.walks tlb.entries"),
    measured("buffer-16", f"{STREAMS} dp.messages l3.write_buffer gti"),
    measured("buffer-64", STREAMS),
    measured("noise", EU),
    measured("fma", EU),
    measured("matmul-slm", "eu.alu32.lat eu.send.grf eu.resp.grf dp.messages dp.return_grfs slm"),
    measured("lud", f"{EU} dp l3 gti llc tlb dram"),
    measured("clpeak-530-scalar", "dp.messages"),
    measured("clpeak-530-best", STREAMS),
    measured("clpeak-620-scalar", "dp.messages"),
    measured("clpeak-620-best", STREAMS),
    measured("fluidx3d-fp32", WRITES),
    measured("fluidx3d-fp16s", f"{WRITES} dp.messages dram.write_high"),
    measured("fluidx3d-fp16c", "eu.alu32.lat eu.branch.fe eu.conflict.fe"),
    measured("hashcat-1600", f"{WRITES} dp.messages icache.miss"),
    measured("glmark2-bump", FRAME),
    measured("glmark2-effect2d", FRAME),
    measured("glmark2-desktop", FRAME),
    measured("glmark2-ideas", FRAME),
    measured("glmark2-terrain", "ff tex"),
    measured("glmark2-shadow", FRAME),
)
ROWS = PUBLISHED + UNSEEN

# A parameter's default, and the other values: the ends of what can be argued for, and
# between. What a source fixes (JEDEC, Intel's manuals, Mesa's measured tables) is not asked.
PARAMETERS: dict[str, tuple[int, tuple[int, ...]]] = {
    "eu.alu32.lat": (10, (6, 8, 12, 14)),
    "eu.conflict.fe": (1, (0, 2, 4)),
    "eu.send.grf": (1, (2, 4)),
    "eu.resp.grf": (1, (2, 4)),
    "eu.branch.fe": (8, (2, 4, 16)),
    "eu.math.occ": (4, (2, 6, 8)),
    "eu.switch.fe": (32, (8, 16, 63)),
    "disp.interval": (2, (1, 3, 4)),
    "disp.start_latency": (40, (10, 63)),
    "disp.end_latency": (32, (8, 63)),
    "icache.miss": (77, (0, 150, 255)),
    "icache.kb": (48, (16, 32, 96)),
    "dp.queue": (64, (24, 40)),
    "dp.messages": (40, (30, 36, 48, 64)),
    "dp.release_latency": (8, (0, 16, 32)),
    "dp.lines": (1, (2, 4)),
    "dp.return_grfs": (2, (1, 4)),
    "slm.latency": (77, (28, 50, 110)),
    "slm.messages": (64, (20, 40)),
    "l3.latency": (57, (45, 51, 63, 70)),
    "l3.mshrs": (64, (16, 32, 128)),
    "l3.write_buffer": (16, (4, 64)),
    "l3.partial_write": (6, (1, 3, 9, 12)),
    "l3.ecc_bytes": (16, (4, 8, 32, 64)),
    "l3.bank_hash": (0, (1,)),
    "gti.write_bytes": (32, (16, 64)),
    "gti.writes": (128, (32, 512)),
    "tlb.entries": (512, (256, 1024)),
    "tlb.walks": (2048, (20, 26, 30, 40)),
    "tlb.walk_ps": (59000, (45000, 52000, 66000, 75000)),
    "tlb.pde_entries": (8, (2, 32)),
    "llc.latency": (82, (66, 74, 90, 100)),
    "llc.queue": (512, (64, 128)),
    "llc.others": (851968, (425984, 1703936)),
    "tex.lines": (2, (1, 3, 4)),
    "tex.latency": (64, (32, 128)),
    "tex.l1_bytes": (4096, (2048, 8192, 16384)),
    "tex.l2_bytes": (32768, (16384, 65536, 131072)),
    "tex.misses": (80, (32, 48, 64, 128, 256)),
    "tex.l2_latency": (24, (12, 48, 96)),
    "ff.latency": (100, (30, 300)),
    "ff.draw_cycles": (400, (100, 200, 700, 1000)),
    "ff.fetch_bytes": (12, (6, 8, 16, 32)),
    "ff.primitive_cycles": (1, (2, 3)),
    "ff.pixels": (16, (8, 32)),
    "ff.hiz_blocks": (2, (1, 4)),
    "rt.pixels": (8, (4, 16)),
    "rt.cache_bytes": (16384, (8192, 65536)),
    "dram.queue": (64, (32, 128)),
    "dram.write_high": (32, (20, 48, 64)),
    "dram.write_low": (16, (4, 24)),
    "dram.age_limit": (20, (5, 10, 40, 100)),
    "dram.trtrs": (1, (0, 2, 4)),
    "dram.latency_ps": (24500, (16000, 20000, 29000, 34000)),
}


# ---- simulations -----------------------------------------------------------------

def simulate(row: Row, settings: list[str]) -> tuple[float, float]:
    """The model's value, and the published one (of programs the bench knows it)."""
    command = ["./igpu", "bench", *shlex.split(row.words), "-j1", "--quiet", "--json", "-"]
    for setting in settings:
        command += ["-s", setting]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    found = json.loads(done.stdout)
    found = found if isinstance(found, list) else [found]
    if row.name.startswith("glmark2"):
        found = [f for f in found if f["row"] == row.name]
    which, _, key = row.key.rpartition(":")
    if which == "last/first":
        return found[-1][key] / found[0][key], row.real
    if row in UNSEEN:  # faster is more
        return found[-1]["ratio"], 1.0
    return found[-1][key], row.real


class Data:
    """model[parameter, value, row], real[row]; parameter "" is the defaults."""

    def __init__(self, path: str):
        self.path = path
        self.model: dict[tuple[str, int, str], float] = {}
        if os.path.exists(path):
            with open(path, newline="") as file:
                for line in csv.DictReader(file):
                    self.model[line["parameter"], int(line["value"]), line["row"]] = \
                        float(line["model"])

    def need(self, parameter: str, value: int, row: Row) -> float:
        at = (parameter, value, row.name)
        if at not in self.model:
            settings = [f"{parameter}={value}"] if parameter else []
            self.model[at], _ = simulate(row, settings)
            fresh = not os.path.exists(self.path)
            with open(self.path, "a", newline="") as file:
                out = csv.writer(file, lineterminator="\n")
                if fresh:
                    out.writerow(("parameter", "value", "row", "model"))
                out.writerow((parameter, value, row.name, f"{self.model[at]:.6g}"))
        return self.model[at]


def sees(row: Row, parameter: str) -> bool:
    return not {parameter, parameter.split(".")[0]}.isdisjoint(row.parts.split())


def run(data: Data, names: list[str]) -> None:
    for row in ROWS:
        data.need("", 0, row)
    for name in names or PARAMETERS:
        values = PARAMETERS[name][1]
        for row in ROWS:
            if not sees(row, name):
                continue
            base = data.need("", 0, row)
            ends = {values[0], values[-1]}
            moved = max(abs(math.log(data.need(name, v, row) / base)) for v in ends)
            for value in values if moved >= MOVES else ():
                data.need(name, value, row)
        print(name, file=sys.stderr, flush=True)


# ---- what the numbers say ---------------------------------------------------------

class Response:
    """Of each row, the logarithm of (model / published), faster above 0, with all
    parameters at their defaults, and how far each parameter's values move it. Effects of
    several parameters are taken to add up."""

    def __init__(self, data: Data):
        self.names = [p for p in PARAMETERS if any((p, v, r.name) in data.model
                      for v in PARAMETERS[p][1] for r in ROWS)]
        self.values = [sorted({PARAMETERS[p][0], *PARAMETERS[p][1]}) for p in self.names]
        self.default = [v.index(PARAMETERS[p][0])
                        for p, v in zip(self.names, self.values, strict=True)]
        base = [data.model["", 0, r.name] for r in ROWS]
        self.error = np.array([self.sign(r) * math.log(b / self.real(r))
                               for r, b in zip(ROWS, base, strict=True)])
        self.effect = [np.array([[self.moved(data, p, v, r, b)
                                  for r, b in zip(ROWS, base, strict=True)] for v in values])
                       for p, values in zip(self.names, self.values, strict=True)]
        self.sigma = np.array([r.sigma for r in ROWS])
        self.unseen = np.array([r in UNSEEN for r in ROWS])

    @staticmethod
    def sign(row: Row) -> int:
        return row.better if row.better != 0 else 1

    @staticmethod
    def real(row: Row) -> float:
        return row.real if row not in UNSEEN else 1.0

    def moved(self, data: Data, name: str, value: int, row: Row, base: float) -> float:
        """0 where the row does not see the parameter; between two values that were
        simulated where this one was not (the row moves by less than MOVES)."""
        found = data.model.get((name, value, row.name), base)
        return self.sign(row) * math.log(found / base)

    def misfit(self, moved: np.ndarray, bias: float, spread: float) -> np.ndarray:
        """Of each row, the square of its error in units of what is uncertain."""
        sigma = np.where(self.unseen, spread, self.sigma)
        return ((self.error + moved - np.where(self.unseen, bias, 0)) / sigma) ** 2


def unseen_now(response: Response) -> tuple[float, float]:
    """The unseen rows' mean error and its scatter, at the defaults."""
    errors = response.error[response.unseen]
    return float(errors.mean()), float(errors.std(ddof=1))


# ---- the table --------------------------------------------------------------------

ALLOWED = 4.0  # the sum of squares may rise by so much: two standard deviations


def place(value: float, values: list[int]) -> float:
    """Parameters are scaled by their logarithm, those that can be 0 as they are."""
    return math.log(value) if values[0] > 0 else float(value)


def crossing(x: list[float], y: np.ndarray, limit: float, step: int) -> float | None:
    """Where y, from its least on, rises above the limit; None: nowhere."""
    i = int(np.argmin(y))
    while 0 <= i + step < len(y):
        if y[i + step] > limit:
            share = (limit - y[i]) / (y[i + step] - y[i])
            return x[i] + share * (x[i + step] - x[i])
        i += step
    return None


def in_units(value: float, values: list[int]) -> str:
    number = math.exp(value) if values[0] > 0 else value
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def table(response: Response) -> None:
    bias, spread = unseen_now(response)
    print("| parameter | default | asked | allowed | best | what decides |")
    print("|---|---|---|---|---|---|")
    for name, values, default, effect in zip(response.names, response.values,
                                             response.default, response.effect, strict=True):
        parts = np.array([response.misfit(e, bias, spread) for e in effect])
        total = parts.sum(axis=1)
        x = [place(v, values) for v in values]
        best = int(np.argmin(total))
        ends = [crossing(x, total, total[best] + ALLOWED, step) for step in (-1, 1)]
        reach = np.abs(effect).max(axis=0)
        seen = [r.name for r, m in zip(ROWS, reach, strict=True) if m >= MOVES]
        low, high = (in_units(e, values) if e is not None else f"({values[i]})"
                     for e, i in zip(ends, (0, -1), strict=True))
        rise = (parts - parts[best]).max(axis=0)
        order = [int(i) for i in np.argsort(-rise)[:2] if rise[i] >= 1]
        decides = ", ".join(ROWS[i].name for i in order)
        if not seen:
            decides = "no number sees it"
        elif ends == [None, None]:
            decides = f"none; most moved: {ROWS[int(np.argmax(reach))].name}, " \
                      f"{100 * math.expm1(reach.max()):.0f} %"
        print(f"| `{name}` | {values[default]} | {values[0]} to {values[-1]} | {low} to {high} "
              f"| {values[best] if seen else '-'} | {decides} |")


# ---- the posterior ------------------------------------------------------------------

def prior(response: Response) -> list[np.ndarray]:
    """Most at the default, in a straight line down to half a step beyond the ends."""
    found = []
    for values, default in zip(response.values, response.default, strict=True):
        away = np.array([abs(i - default) for i in range(len(values))], dtype=float)
        weight = 1 - away / (away.max() + 1)
        found.append(np.log(weight / weight.sum()))
    return found


def allowed(response: Response, choice: np.ndarray, p: int) -> np.ndarray:
    """Of each chain which values parameter p can have beside its others: the model refuses
    other orders of these three."""
    full: dict[str, int | np.ndarray] = {}
    for name in ("dram.write_low", "dram.write_high", "dram.queue"):
        full[name] = PARAMETERS[name][0]
        if name == response.names[p]:
            full[name] = np.array(response.values[p])[None, :]
        elif name in response.names:
            i = response.names.index(name)
            full[name] = np.array(response.values[i])[choice[:, i]][:, None]
    good = (np.asarray(full["dram.write_low"]) < np.asarray(full["dram.write_high"])) & \
        (np.asarray(full["dram.write_high"]) <= np.asarray(full["dram.queue"]))
    return np.broadcast_to(good, (len(choice), len(response.values[p])))


@dataclass
class Draw:
    """A sweep of all chains: index of each parameter's value, the error that unseen rows
    share, its scatter, and how far each row is moved."""

    choice: np.ndarray
    bias: np.ndarray
    spread: np.ndarray
    moved: np.ndarray


def sample(response: Response, rows: np.ndarray, sweeps: int, seed: int) -> Iterator[Draw]:
    """Gibbs sampling of all parameters, of the bias that unseen rows share and of their
    scatter: a chain for each line of `rows`, a mask of what that chain is given."""
    chance = np.random.Generator(np.random.PCG64(seed))
    before = prior(response)
    chains = len(rows)
    choice = np.tile(response.default, (chains, 1))
    moved = np.zeros((chains, len(ROWS)))
    bias, spread = (np.full(chains, x) for x in unseen_now(response))
    unseen = rows & response.unseen
    count = unseen.sum(axis=1)
    for _ in range(sweeps):
        sigma = np.where(response.unseen, spread[:, None], response.sigma)
        weight = np.where(rows, 1 / sigma ** 2, 0)
        shared = np.where(response.unseen, bias[:, None], 0)
        for p, effect in enumerate(response.effect):
            rest = response.error + moved - effect[choice[:, p]] - shared
            # sum of weight x (rest + effect) ** 2, less what all values have in common
            squares = 2 * (weight * rest) @ effect.T + weight @ (effect ** 2).T
            score = np.where(allowed(response, choice, p), before[p] - squares / 2, -np.inf)
            chances = np.cumsum(np.exp(score - score.max(axis=1, keepdims=True)), axis=1)
            at = chance.random(chains) * chances[:, -1]
            new = np.minimum((chances <= at[:, None]).sum(axis=1), len(effect) - 1)
            moved += effect[new] - effect[choice[:, p]]
            choice[:, p] = new
        errors = np.where(unseen, response.error + moved, 0)
        bias = errors.sum(axis=1) / count + chance.normal(size=chains) * spread / np.sqrt(count)
        squares = (np.where(unseen, errors - bias[:, None], 0) ** 2).sum(axis=1)
        spread = np.sqrt(squares / chance.chisquare(count))
        yield Draw(choice.copy(), bias.copy(), spread.copy(), moved.copy())


# ---- the interval --------------------------------------------------------------------

COVER = 0.9
NORMAL = np.array([statistics.NormalDist().inv_cdf((i + 0.5) / 99) for i in range(99)])


def ends(draws: list[Draw], chain: int, row: int) -> tuple[float, float]:
    """The interval before it is widened, as bridge/programs/cli/run_band.c makes it of the sets:
    quantiles of a mixture of normal distributions, all with the mean bias and spread."""
    bias = np.mean([d.bias[chain] for d in draws])
    spread = math.sqrt(np.mean([d.spread[chain] ** 2 for d in draws]))
    moved = np.array([d.moved[chain, row] for d in draws])
    low, high = np.quantile((bias - moved)[:, None] + spread * NORMAL,
                            ((1 - COVER) / 2, (1 + COVER) / 2))
    return float(low), float(high)


def beyond(response: Response, interval: tuple[float, float], row: int) -> float:
    """By how much the row's error lies outside; negative: inside."""
    return max(interval[0] - response.error[row], response.error[row] - interval[1])


def widen(scores: list[float]) -> float:
    """Of n rows that were left out, the (n + 1) x COVER-th least of how far outside they
    lie: another one lies no further with that probability, if it is like these (conformal
    prediction's quantile, with its correction for a finite n). Never narrower."""
    rank = math.ceil((len(scores) + 1) * COVER)
    if rank > len(scores):
        raise SystemExit(f"derive.py: {len(scores)} rows are too few for {COVER:.0%}")
    return max(0.0, sorted(scores)[rank - 1])


def left_out(response: Response, sweeps: int, skip: int) -> tuple[list[int], np.ndarray,
                                                                  dict[int, tuple[float, float]]]:
    """The unseen rows; [i, j]: how far row i lies outside of what all but i and j give
    (j = i: all but i); and the intervals of these."""
    rows = [i for i, row in enumerate(ROWS) if row in UNSEEN]
    pairs = [(i, j) for i in range(len(rows)) for j in range(i, len(rows))]
    masks = np.ones((len(pairs), len(ROWS)), dtype=bool)
    for chain, (i, j) in enumerate(pairs):
        masks[chain, [rows[i], rows[j]]] = False
    draws = [d for n, d in enumerate(sample(response, masks, sweeps, 1)) if n >= skip]
    scores = np.zeros((len(rows), len(rows)))
    intervals = {}
    for chain, (i, j) in enumerate(pairs):
        for a, b in {(i, j), (j, i)}:
            interval = ends(draws, chain, rows[a])
            scores[a, b] = beyond(response, interval, rows[a])
            if a == b:
                intervals[a] = interval
    return rows, scores, intervals


def cover(response: Response, sweeps: int, skip: int) -> None:
    rows, scores, intervals = left_out(response, sweeps, skip)
    held = narrow = 0
    print("| row left out | model / real | 90 % interval of the others | held |")
    print("|---|---|---|---|")
    for i, row in enumerate(rows):
        wide = widen([scores[j, i] for j in range(len(rows)) if j != i])
        low, high = intervals[i]
        good = scores[i, i] <= wide
        held += good
        narrow += scores[i, i] <= 0
        print(f"| {ROWS[row].name} | {math.exp(response.error[row]):.3f} | "
              f"{math.exp(low - wide):.3f} to {math.exp(high + wide):.3f} | "
              f"{'yes' if good else 'no'} |")
    print(f"\n{held} of {len(rows)} rows ({100 * held / len(rows):.0f} %) held; "
          f"{narrow} before the intervals were widened")


SETS = 16  # of band.def; bridge/programs/cli/run_band.c has as many
COVER_SWEEPS, COVER_SKIP = 600, 100  # of 500 chains side by side


def vectors(response: Response, sweeps: int, skip: int) -> None:
    """Every so many sweeps' values are a set; bias and spread are the means."""
    drawn = list(sample(response, np.ones((1, len(ROWS)), dtype=bool), sweeps, 1))[skip:]
    sets = [drawn[(2 * i + 1) * len(drawn) // (2 * SETS)].choice[0] for i in range(SETS)]
    rows, scores, _ = left_out(response, COVER_SWEEPS, COVER_SKIP)
    wide = widen([scores[i, i] for i in range(len(rows))])
    print("/* band.def - sets of parameters that published measurements allow, and how far\n"
          " * real machines are from the model beside that (docs/reference/measured.md). Made by\n"
          " * `tests/perf/derive.py vectors`.\n"
          " *   BAND_ERROR(mean, standard deviation, widen) of log(real cycles / model's\n"
          " *     cycles); by what both ends are moved out for 90 % of rows left out to be inside\n"
          " *   BAND_PARAMETER(key, default then, value in each set) */")
    print(f"BAND_ERROR({np.mean([d.bias[0] for d in drawn]):.4f}, "
          f"{math.sqrt(np.mean([d.spread[0] ** 2 for d in drawn])):.4f}, {wide:.4f})")
    for p, (name, values) in enumerate(zip(response.names, response.values, strict=True)):
        if values[response.default[p]] == 0:  # no proportion
            continue
        row = ", ".join(str(values[s[p]]) for s in sets)
        print(f'BAND_PARAMETER("{name}", {values[response.default[p]]}, {row})')


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("what", choices=("run", "table", "vectors", "cover"))
    ask.add_argument("parameter", nargs="*")
    ask.add_argument("--data", default=DATA)
    given = ask.parse_args()
    data = Data(given.data)
    if given.what == "run":
        run(data, given.parameter)
    elif given.what == "table":
        table(Response(data))
    elif given.what == "vectors":
        vectors(Response(data), 5000, 500)
    elif given.what == "cover":
        cover(Response(data), COVER_SWEEPS, COVER_SKIP)


if __name__ == "__main__":
    main()

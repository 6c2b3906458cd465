"""What the runs show against what is published. Each function looks at one run's table;
a run that a short report left out gives no finding."""
from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from vigpu.plots import size_text
from vigpu.report.plans import Plan

if TYPE_CHECKING:
    import pandas as pd

MB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Run:
    """One experiment that was run: its plan, the words behind `igpu bench`, and the table
    that they gave."""

    plan: Plan
    command: str
    frame: pd.DataFrame

    @property
    def experiment(self) -> str:
        return self.command.split()[0]

    @property
    def config(self) -> str:
        words = self.command.split()
        return words[words.index("-c") + 1] if "-c" in words else "skl-gt2"

    def value(self, column: str, **where: float) -> float:
        """`column` of the first row where the other columns have these values; NaN when
        there is none, or it is not known."""
        rows = self.frame
        for key, value in where.items():
            rows = rows[(rows[key] - value).abs() < 0.5]
        return float(rows[column].iloc[0]) if len(rows) and column in rows else math.nan


class Verdict(enum.Enum):
    HOLDS = "holds"
    DIFFERS = "differs"
    TOLD = ""


@dataclasses.dataclass(frozen=True)
class Finding:
    """One published number or property, and ours, as words. error: per cent by which ours
    lies above; NaN when there is no single number."""

    run: Run
    quantity: str
    published: str
    ours: str
    verdict: Verdict = Verdict.TOLD
    error: float = math.nan

    @property
    def error_text(self) -> str:
        return "" if math.isnan(self.error) else f"{self.error:+.1f} %"


def _judge(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.DIFFERS


def _compare(run: Run, quantity: str, published: float, ours: float, unit: str,
             room: float) -> Finding:
    """Two numbers; `room` is the error in per cent that is allowed."""
    error = 100 * (ours / published - 1)
    return Finding(run, quantity, f"{published:.4g} {unit}".strip(),
                   f"{ours:.4g} {unit}".strip(), _judge(abs(error) <= room), error)


Runs = Mapping[str, Run]


# ---- throughput -------------------------------------------------------------

def _peak(run: Run | None, groups: int, low: float, high: float,
          published: str) -> Iterator[Finding]:
    """The share of the peak [%] at so many work-groups lies from low to high."""
    if run is None or math.isnan(run.value("gflops", work_groups=groups)):
        return
    rate, share, peak = (run.value(column, work_groups=groups)
                         for column in ("gflops", "of_peak_percent", "peak_gflops"))
    yield Finding(run, f"{run.config}, {groups} work-groups", published,
                  f"{rate:.1f} GFLOP/s, {share:.1f} % of {peak:.1f}",
                  _judge(low <= share <= high))


def _ratio(runs: Runs, name: str, quantity: str, published: float,
           room: float) -> Iterator[Finding]:
    """FLOPs a cycle at 168 work-groups against those of single precision."""
    if name in runs and "flops-long" in runs:
        rate, base = (runs[n].value("flop_per_cycle", work_groups=168)
                      for n in (name, "flops-long"))
        yield _compare(runs[name], quantity, published, rate / base, "", room)


def local_maxima(run: Run, first: int, last: int) -> list[int]:
    """Work-groups from first to last with a higher rate than both neighbours; one whose
    neighbours were not measured is none."""
    rate = run.frame.set_index("work_groups").gflops
    return [n for n in range(first, last + 1)
            if all(near in rate.index and rate.get(n, 0) > rate[near]
                   for near in (n - 1, n + 1))]


def _maxima(run: Run | None, published: list[int]) -> Iterator[Finding]:
    if run is None:
        return
    first, last = published[0], published[-1]
    found = local_maxima(run, first, last)
    yield Finding(run, f"local maxima, {first} to {last} work-groups",
                  ", ".join(map(str, published)), ", ".join(map(str, found)),
                  _judge(found == published))


def _flops(runs: Runs) -> Iterator[Finding]:
    long, large = runs.get("flops-long"), runs.get("flops-gt3e")
    yield from _peak(long, 48, 0, 80, "far below the peak")
    yield from _peak(long, 72, 0, 95, "below the peak")
    yield from _peak(long, 96, 95, 100, "the peak of 441.6 GFLOP/s")
    yield from _peak(long, 168, 95, 100, "the peak of 441.6 GFLOP/s")
    yield from _peak(large, 96, 0, 80, "far below the peak")
    yield from _peak(large, 192, 95, 100, "the peak of 883.2 GFLOP/s")
    yield from _peak(large, 336, 95, 100, "the peak of 883.2 GFLOP/s")
    yield from _peak(runs.get("flops-private"), 168, 97, 99, "98 % of 403.2 GFLOP/s")
    yield from _peak(runs.get("flops-add"), 168, 95, 100, "201.6 GFLOP/s, half of mad's")
    yield from _ratio(runs, "flops-dp", "double / single", 0.25, 4)
    yield from _ratio(runs, "flops-hp", "half / single", 2, 5)
    yield from _ratio(runs, "flops-int", "32-bit integer mad / single", 1 / 3, 9)
    yield from _maxima(runs.get("flops"), [96, 120, 144, 168])
    yield from _maxima(runs.get("flops-256"), [12, 15, 18, 21])
    if "flops" in runs:
        run = runs["flops"]
        yield _compare(run, "throughput at 97 / at 96 work-groups", 0.81,
                       run.value("gflops", work_groups=97) /
                       run.value("gflops", work_groups=96), "", 4)


# ---- latency ----------------------------------------------------------------

def _points(run: Run | None, room: float) -> Iterator[Finding]:
    """Each working set with a published access time."""
    if run is None or "published_ns" not in run.frame:
        return
    for _, row in run.frame.dropna(subset=["published_ns"]).iterrows():
        yield _compare(run, f"{run.config} {row.agent}, {size_text(row.ws_bytes, 'B')}",
                       row.published_ns, row.ns, "ns", room)


def _line(run: Run | None) -> Iterator[Finding]:
    """From 1 to 9 MB: the errors' mean, and a straight line through 2 to 9 MB."""
    if run is None:
        return
    rows = run.frame[run.frame.ws_bytes.isin([mb * MB for mb in range(1, 10)])]
    if len(rows) != 9:
        return
    error = rows.error_percent.abs().mean()
    yield Finding(run, "GPU alone, 1 to 9 MB: mean absolute error", "under 3 %",
                  f"{error:.2f} %", _judge(error < 3))
    rows = rows[rows.ws_bytes >= 2 * MB]
    size, time = rows.ws_bytes / MB, rows.ns
    slope = size.cov(time) / size.var()
    yield _compare(run, "the same, 2 to 9 MB: slope", 14.57, slope, "ns/MB", 10)
    square = size.corr(time) ** 2
    yield Finding(run, "the same: R squared of a straight line", "above 0.99",
                  f"{square:.4f}", _judge(square > 0.99))


# ---- two agents -------------------------------------------------------------

def _interference(run: Run | None, room: float) -> Iterator[Finding]:
    """The mean of the errors over the published cells; the aim is the whole table's."""
    if run is None or "error_percent" not in run.frame:
        return
    errors = run.frame.error_percent.dropna().abs()
    if len(errors) == 0:
        return
    yield Finding(run, f"mean absolute error over {len(errors)} published cells",
                  f"at most {room:.0f} %", f"{errors.mean():.2f} %",
                  _judge(errors.mean() <= room) if len(errors) > 20 else Verdict.TOLD)


# ---- parallelism and bandwidth ----------------------------------------------

def _mlp(run: Run | None) -> Iterator[Finding]:
    if run is None:
        return
    for _, row in run.frame[run.frame.threads == 168].iterrows():
        yield Finding(run, "knee (168 / relative time at 168), "
                      f"{row.ws_bytes:.0f} bytes a thread", "100 to 120",
                      f"{row.knee:.1f}", _judge(100 <= row.knee <= 120))


def _coalescing(run: Run | None) -> Iterator[Finding]:
    """Lines a message, and the best share of the peak, for each stride."""
    if run is None:
        return
    for stride, rows in run.frame.groupby("stride"):
        if stride not in (1, 2, 4, 8, 16):
            continue
        lines, best = rows.lines_per_message.iloc[-1], rows.of_peak_percent.max()
        near = rows[rows.of_peak_percent >= 85]
        ours = f"{lines:.3g} lines a message, at most {best:.1f} %"
        ours += " of the peak" if near.empty else \
            f", 85 % from {near.groups.iloc[0]:.0f} work-groups"
        holds = abs(lines - stride) < 0.001 and best <= 100 and (stride < 4 or best >= 85)
        yield Finding(run, f"stride of {stride} words", "near the peak of 34.1 GB/s"
                      if stride >= 4 else "rises with threads", ours, _judge(holds))


def _l3(run: Run | None) -> Iterator[Finding]:
    if run is None:
        return
    for _, row in run.frame[run.frame.vector == 4].iterrows():
        plural = "s" if row.subslices > 1 else ""
        yield _compare(run, f"L3, 4 elements, {row.subslices:.0f} subslice{plural}",
                       64 * row.subslices, row.bytes_per_cycle, "B/cycle", 10)
    rate = run.frame[run.frame.subslices == 3].set_index("vector").bytes_per_cycle
    holds = rate[4] > rate[1] > rate[16] and \
        rate[4] >= rate.get(2, 0) and rate[4] >= rate.get(8, 0)
    yield Finding(run, "L3, which vector type", "4 best, 16 below scalar",
                  f"1: {rate[1]:.1f}, 4: {rate[4]:.1f}, 16: {rate[16]:.1f} B/cycle",
                  _judge(holds))
    limit = 3 * run.value("message_limit", vector=1)
    yield Finding(run, "L3, scalar, 3 subslices: limit of messages in flight", "none",
                  f"{rate[1]:.1f} B/cycle, the closed form says {limit:.1f}")


def _bandwidth(runs: Runs) -> Iterator[Finding]:
    yield from _l3(runs.get("l3"))
    if "llc" in runs:
        lines = runs["llc"].value("gti_lines_per_cycle", vector=4)
        yield Finding(runs["llc"], "GPU stream out of the LLC, 4 elements",
                      "one line per cycle", f"{lines:.3f} lines per cycle",
                      _judge(lines >= 0.9))
    if "slm" in runs:
        yield _compare(runs["slm"], "SLM, 4 elements, 3 subslices", 192,
                       runs["slm"].value("bytes_per_cycle", vector=4), "B/cycle", 10)
    if "dram" in runs:
        rate, share = (runs["dram"].value(column, vector=4)
                       for column in ("gb_per_s", "of_peak_percent"))
        yield Finding(runs["dram"], "GPU stream out of DRAM, 4 elements",
                      "peak 34.1 GB/s", f"{rate:.1f} GB/s, {share:.1f} %")


# ---- power ------------------------------------------------------------------

def _name(vector: float) -> str:
    return "scalar" if vector == 1 else f"vect{vector:.0f}"


def _order(run: Run, column: str, groups: int) -> list[str]:
    """Vector types by a column at so many work-groups, greatest first."""
    rows = run.frame[run.frame.work_groups == groups]
    return [_name(v) for v in rows.sort_values(column, ascending=False).vector]


def _vectors(run: Run | None) -> Iterator[Finding]:
    """Paper 2's private-memory kernels; full load is 21 work-groups of 256."""
    if run is None:
        return
    at = run.frame[run.frame.work_groups == 21]
    share = at.of_peak_percent
    yield Finding(run, "21 work-groups, all vector types", "98 % of 403.2 GFLOP/s",
                  f"{share.min():.1f} to {share.max():.1f} %", _judge(share.min() >= 97))
    yield _compare(run, "best efficiency (calibration)", 35,
                   run.frame.gflops_per_watt.max(), "GFLOPS/W", 10)
    for column, what in (("gflops", "throughput"), ("igpu_w", "power")):
        peaks = [rows.set_index("work_groups")[column]
                 for _, rows in run.frame.groupby("vector")]
        holds = all(p[6] > p[5] and p[6] > p[7] for p in peaks)
        yield Finding(run, f"{what}, a peak at 6 work-groups", "all vector types",
                      "all" if holds else "not all", _judge(holds))
    power, best = _order(run, "igpu_w", 21), _order(run, "gflops_per_watt", 21)
    yield Finding(run, "efficiency at full load", "vect4 best, vect16 worst",
                  f"{best[0]} best, {best[-1]} worst",
                  _judge(best[0] == "vect4" and best[-1] == "vect16"))
    first = _order(run, "gflops_per_watt", 1)[0]
    yield Finding(run, "efficiency at few work-groups", "vect16 best", f"{first} best",
                  _judge(first == "vect16"))
    yield Finding(run, "power at full load", "vect2 most, vect4 least",
                  f"{power[0]} most, {power[-1]} least, within "
                  f"{100 * (at.igpu_w.max() / at.igpu_w.min() - 1):.1f} %",
                  _judge(power[0] == "vect2" and power[-1] == "vect4"))


def _vectors_l3(run: Run | None) -> Iterator[Finding]:
    if run is None:
        return
    rate = run.frame[run.frame.work_groups == 168].set_index("vector").gb_per_s
    holds = rate.idxmax() == 4 and rate[16] < rate[1]
    yield Finding(run, "which vector type", "vect4 best, vect16 below scalar",
                  ", ".join(f"{_name(v)} {r:.0f}" for v, r in rate.items()) + " GB/s",
                  _judge(holds))


def find(runs: Runs) -> list[Finding]:
    """Every finding, of the runs by their plans' ids."""
    return [*_flops(runs),
            *_points(runs.get("latency"), 5), *_line(runs.get("latency")),
            *_points(runs.get("latency-gt3e"), 10), *_points(runs.get("latency-cpu"), 5),
            *_points(runs.get("latency-cpu-gt3e"), 10),
            *_interference(runs.get("interference-a"), 2),
            *_interference(runs.get("interference-b"), 4),
            *_interference(runs.get("interference-c"), 8),
            *_interference(runs.get("interference-d"), 8),
            *_mlp(runs.get("mlp")), *_coalescing(runs.get("coalescing")),
            *_bandwidth(runs),
            *_vectors(runs.get("vectors")), *_vectors_l3(runs.get("vectors-l3"))]

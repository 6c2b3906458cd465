"""Frames of graphics: their cycles from what the functional pipeline counts of them alone.

The table `data/frames.csv.zst` has a row for each checked frame of the library (program,
frame, its size, every counter of `igpu frame counters`, cycles on each machine). The model
gives log(cycles / base), base being the sum of what each part of the machine needs by its
rate (docs/contract/fixed-functions.md, "Timing"); docs/guide/predict-frames.md describes both.
"""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

from vigpu import igpu
from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.predict import model as models
from vigpu.predict import timing, train
from vigpu.predict.design import matrix
from vigpu.predict.launches import DATA
from vigpu.predict.logs import exp, log, log1p

if TYPE_CHECKING:
    import pandas as pd

    from vigpu.predict.bound import Array, Columns

TABLE = DATA / "frames.csv.zst"
MODEL = DATA / "frames.json.xz"
# The table's column of cycles on each machine; the first is the one without another word.
MACHINES = {"skl-gt2": "cycles", "kbl-gt3e": "cycles_kbl-gt3e"}
MACHINE = "skl-gt2"
_KEYS = ("program", "frame", "width", "height", *MACHINES.values())
# Parameters that the bounds look at.
PARAMETERS = ("gpu.slices", "gpu.subslices", "eu.count", "eu.threads", "ff.latency",
              "ff.vertex_cycles", "ff.fetch_bytes", "ff.primitive_cycles", "ff.pixels",
              "ff.tests", "ff.hiz_blocks", "tex.samples", "tex.lines", "tex.latency",
              "rt.pixels", "rt.blend", "disp.start_latency")
# What the table was timed with, where the defaults have changed since then: the bounds are
# those of its cycles until it is timed anew (docs/guide/predict-frames.md).
TIMED_WITH = {"ff.fetch_bytes": 64.0, "tex.lines": 4.0}
# What each part needs, and what a user is told of the largest.
BOUNDS = {
    "fetch": "vertex fetch",
    "setup": "assembly, clipper and setup of primitives",
    "raster": "the rasterizer",
    "tests": "early tests of depth and stencil",
    "hiz": "tests by hierarchical depth",
    "eu": "the FPUs",
    "sampler": "the samplers' filters",
    "texels": "lines of texels",
    "target": "render targets",
    "threads": "threads' payloads and messages, with the slots that there are",
    "stalls": "flushes, behind which the pipeline begins anew",
}
SETTINGS = {"max_iter": 200, "learning_rate": 0.06, "max_leaf_nodes": 12,
            "min_samples_leaf": 8, "l2_regularization": 1.0, "max_bins": 63}
EDGE = {"max_iter": 60, "learning_rate": 0.1, "max_leaf_nodes": 6,
        "min_samples_leaf": 12, "l2_regularization": 1.0, "max_bins": 63}


def parameters(machine: str = MACHINE) -> dict[str, float]:
    """Of a machine of MACHINES, as the table was timed."""
    values = models.every_parameter(machine) | TIMED_WITH
    return {key: float(values[key]) for key in PARAMETERS}


def bounds(counted: Columns, machine: dict[str, float]) -> dict[str, Array]:
    """Cycles that each part of BOUNDS needs, of frames' counters."""
    np = need("numpy")

    def sums(*names: str) -> Array:
        out: Array = np.sum([np.asarray(counted[name], float) for name in names], axis=0)
        return out

    m, eus = machine, machine["gpu.subslices"] * machine["eu.count"]
    narrow, wide, widest = (sums(f"ps_threads{n}") for n in (8, 16, 32))
    threads = np.maximum(narrow + wide + widest, 1)
    # Cycles of one FPU for an instruction: 2, 4 and 8 of 8, 16 and 32 lanes.
    pixel = sums("ps_instructions") * (2 * narrow + 4 * wide + 8 * widest) / threads
    other = 2 * sums(*(f"{stage}_instructions" for stage in ("vs", "hs", "ds", "gs")))
    every = threads + sums("vs_threads", "hs_threads", "ds_threads", "gs_threads")
    blended = np.minimum(sums("pixels_blended", "pixels_logic", "pixels_masked"),
                         sums("pixels_written"))
    return {
        "fetch": np.maximum(sums("ia_vertices") * m["ff.vertex_cycles"],
                            sums("vf_bytes") / m["ff.fetch_bytes"]),
        "setup": sums("ia_primitives") * m["ff.primitive_cycles"],
        "raster": 4 * sums("subspans") / m["ff.pixels"],
        "tests": np.maximum(sums("early_depth_tested") - sums("hiz_depth_tests"), 0) /
        m["ff.tests"],
        "hiz": sums("hiz_blocks") / max(m["ff.hiz_blocks"], 1),
        "eu": (pixel + other) / 2 / eus,
        "sampler": sums("sampled_lanes") / m["tex.samples"] / m["gpu.subslices"],
        "texels": sums("sampler_lines") / m["tex.lines"] / m["gpu.subslices"],
        "target": ((sums("pixels_written") - blended) / m["rt.pixels"] +
                   blended / m["rt.blend"]) / m["gpu.slices"],
        "threads": (every * m["ff.latency"] + sums("sampler_messages") * m["tex.latency"]) /
        eus / m["eu.threads"],
        "stalls": (sums("pipe_control_stalls") + 1) *
        (m["ff.latency"] + m["disp.start_latency"]),
    }


def columns(counted: Columns, names: list[str], limits: dict[str, Array]) -> dict[str, Array]:
    """X: counters, and bounds against their sum."""
    np = need("numpy")
    base = total(limits)
    out = {name: log1p(np.asarray(counted[name], float)) for name in names}
    for name in BOUNDS:
        out[f"bound.{name}"] = log((limits[name] + 1) / base)
    out["bound.size"] = log(base)
    out["bound.largest"] = log(np.max(list(limits.values()), axis=0) / base)
    return out


_WORDS = {"bound.size": "the frame's size, by simple sums",
          "bound.largest": "the largest part's share"}


def words(column: str) -> str:
    """What a column is; "": a counter, whose name tells."""
    part = BOUNDS.get(column.removeprefix("bound."), "")
    return _WORDS.get(column, f"{part}, share of the sum" if part else "")


def total(limits: dict[str, Array]) -> Array:
    """base: all bounds together, as if no part worked beside another."""
    out: Array = need("numpy").sum(list(limits.values()), axis=0)
    return out


# ---- the table -------------------------------------------------------------


def read(path: str | os.PathLike[str] = TABLE) -> pd.DataFrame:
    """InputError: damaged, or columns are missing."""
    from vigpu.predict.table import check_names, check_numbers, read_frame
    where = os.fspath(path)
    frame = read_frame(pathlib.Path(path))
    if missing := [name for name in (*_KEYS, "draws") if name not in frame]:
        raise InputError(f"{where}: the table lacks {missing[0]}; make it anew")
    check_names(frame, ("program",), where)
    if frame.duplicated(["program", "frame"]).any():
        raise InputError(f"{where}: damaged: a frame of a program is there twice")
    check_numbers(frame, MACHINES.values(), where, low=1)
    check_numbers(frame, [name for name in frame if name not in ("program", *MACHINES.values())],
                  where)
    return frame


def counters(frame: pd.DataFrame) -> list[str]:
    """The names of its counters that are not the same in all frames."""
    return [str(name) for name in frame.columns
            if name not in _KEYS and frame[name].nunique() > 1]


def make(cache: str | os.PathLike[str]) -> pd.DataFrame:
    """Of a cache of traces/frames/library.py: frames that both engines agreed about."""
    pandas = need("pandas")
    parts = []
    for checked in sorted(pathlib.Path(cache).glob("*.check.csv")):
        name = checked.name.removesuffix(".check.csv")
        counted = checked.with_name(f"{name}.counters.csv")
        if not counted.is_file():
            raise InputError(f"{counted}: not there; run traces/frames/library.py {name}")
        part = pandas.read_csv(checked)
        part = part[part["verdict"] == "equal"][list(_KEYS)]
        parts.append(part.merge(pandas.read_csv(counted), on="frame"))
    if not parts:
        raise InputError(f"{os.fspath(cache)}: no checked frame (*.check.csv); run "
                         "traces/frames/library.py --check")
    frame: pd.DataFrame = pandas.concat(parts, ignore_index=True)
    return frame


# ---- the model -------------------------------------------------------------


class Trainer:
    """What is trained on the table: each of its rows once for each machine, machine after
    machine."""

    def __init__(self, frame: pd.DataFrame, seed: int = 1) -> None:
        np = need("numpy")
        self.seed, self.names = seed, counters(frame)
        self.frame = need("pandas").concat([frame] * len(MACHINES))
        self.machine: Array = np.repeat(list(MACHINES), len(frame))
        limits = [bounds(frame, parameters(name)) for name in MACHINES]
        made = [columns(frame, self.names, each) for each in limits]
        self.made = {name: np.concatenate([part[name] for part in made]) for name in made[0]}
        self.x = matrix(self.made)
        self.base: Array = np.concatenate([total(each) for each in limits])
        self.cycles: Array = np.concatenate(
            [frame[column].to_numpy(float) for column in MACHINES.values()])
        self.y = log(self.cycles / self.base)

    def fit(self, rows: Array) -> list[Any]:
        """Models of the middle and of the interval's two ends."""
        x, y = self.x[rows], self.y[rows]
        ends = ((1 - train.COVER) / 2, (1 + train.COVER) / 2)
        return [train.regressor(self.seed, loss="squared_error", **SETTINGS).fit(x, y),
                *(train.regressor(self.seed, loss="quantile", quantile=q, **EDGE).fit(x, y)
                  for q in ends)]

    def apart(self, fold: Array) -> Array:
        """Of each row middle and ends (logarithms over base), by models trained on all
        other folds."""
        np = need("numpy")
        out: Array = np.zeros((3, len(self.y)))
        for k in np.unique(fold):
            part = fold == k
            out[:, part] = [m.predict(self.x[part]) for m in self.fit(~part)]
        return out

    def folds(self, groups: str, count: int) -> Array:
        """By "frame" or "program", with all machines' rows of one; count 0: each is one."""
        np = need("numpy")
        keys = (self.frame.index.astype(str) if groups == "frame" else
                self.frame[groups]).to_numpy(str)
        if count:
            return train.folds(keys, count, self.seed)
        out: Array = np.unique(keys, return_inverse=True)[1]
        return out

    def outside(self, told: Array) -> Array:
        """By how much cycles lie outside the quantiles' trees."""
        out: Array = need("numpy").maximum(told[1] - self.y, self.y - told[2])
        return out


def trained(frame: pd.DataFrame, timed: dict[str, int], seed: int = 1) -> dict[str, Any]:
    """The content of a model's file. timed: the defaults that the table was made with."""
    np = need("numpy")
    made = Trainer(frame, seed)
    widen = train.widening(made.outside(made.apart(made.folds("program", 6))))
    fits = made.fit(np.ones(len(made.y), bool))
    return {"format": models.FRAMES, "seed": seed, "rows": len(frame),
            "machines": list(MACHINES),
            "target": "log(cycles / base)", "timing": timing.words(timed),
            "counters": made.names,
            "columns": list(made.made),
            **{end: [train.short(v) for v in of(made.x, axis=0)]
               for end, of in (("low", np.min), ("high", np.max))},
            "cover": train.COVER, "widen": train.short(widen),
            **{part: train.export(fit)
               for part, fit in zip(("middle", "least", "most"), fits, strict=True)}}


def predict(counted: dict[str, float], model: models.Model,
            machine: str = MACHINE) -> dict[str, Any]:
    """Cycles of one frame on a machine of MACHINES, with an interval; the largest bound;
    what decides."""
    np = need("numpy")
    if missing := [n for n in model.content["counters"] if n not in counted]:
        raise InputError(f"the model wants {missing[0]}, which this version does not count; "
                         "train it anew")
    rows = {name: np.array([float(value)]) for name, value in counted.items()}
    limits = bounds(rows, parameters(machine))
    made = columns(rows, model.content["counters"], limits)
    x, base = matrix(made, model.columns), total(limits)
    middle, widen = model.trees("middle", x), float(model.content["widen"])
    low = np.minimum(model.trees("least", x) - widen, middle)
    high = np.maximum(model.trees("most", x) + widen, middle)
    weights = model.contributions(x)[0]
    order = np.argsort(-np.abs(weights), kind="stable")[:5]
    most = max(BOUNDS, key=lambda name: float(limits[name][0]))
    # No frame of the table is below one of BOUNDS.
    ends = {f"cycles{end}": max(float((base * exp(y))[0]), float(limits[most][0]))
            for end, y in (("", middle), ("_low", low), ("_high", high))}
    return {**ends,
            "bound": most, "bound_cycles": float(limits[most][0]),
            "deciding": [(model.columns[i], float(x[0, i]), float(weights[i])) for i in order],
            "outside": model.outside(x)[0]}


def of_capture(path: str, number: int | None = None, model: models.Model | None = None,
               machine: str = MACHINE) -> dict[str, Any]:
    """Execute a capture up to a frame (the last one without a number) and predict it."""
    chosen = model or models.Model.read(MODEL, models.FRAMES)
    with tempfile.TemporaryDirectory(prefix="vigpu-predict-") as folder:
        out = pathlib.Path(folder, "counters.json")
        igpu.run(["frame", "render", "--json", str(out),
                  *(["--frame", str(number)] if number else []), path])
        counted = json.loads(out.read_text("utf-8"))["counters"]
    return predict(counted, chosen, machine)

"""From features and parameters to what models are given: the columns of X."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict.bound import BOUNDS, MACHINE, bounds, floats
from vigpu.predict.logs import log, log1p

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vigpu.predict.bound import Array, Columns


def base(limits: Columns) -> Array:
    """Cycles that the bounds give: the largest one, and a launch's start and end."""
    np = need("numpy")
    largest: Array = np.max([limits[name] for name in BOUNDS], axis=0) + limits["fixed"]
    return largest


def columns(rows: Columns, kinds: Mapping[str, str],
            limits: Columns | None = None) -> dict[str, Array]:
    """X of the hybrid: its columns, of rows with features and parameters side by side.
    kinds: each feature's. limits: the rows' bounds(), when they are known."""
    np = need("numpy")
    f = floats(rows)
    limits = bounds(f) if limits is None else limits
    out: dict[str, Array] = {}
    instructions = np.maximum(f["inst.all"], 1)
    for name, kind in kinds.items():
        if kind == "sum" and name != "inst.all":
            out[name] = f[name] / instructions
        else:
            out[name] = f[name] if kind == "shape" else log1p(f[name])
    most = base(limits)
    for name in BOUNDS:
        out[f"bound.{name}"] = log((limits[name] + 1) / most)
    every = np.array([limits[name] for name in BOUNDS])
    out["bound.second"] = log((np.sort(every, axis=0)[-2] + 1) / most)
    out["bound.sum"] = log(every.sum(axis=0) / most)
    out["bound.size"] = log(most)
    out["bound.rounds"] = limits["rounds"]
    out["bound.resident"] = log1p(limits["resident"])
    out["bound.latency_ns"] = limits["latency_ns"]
    out["bound.alone"] = log((limits["alone"] + 1) / most)
    for name in MACHINE:
        out[f"machine.{name}"] = f[name]
    return out


_WORDS = {
    "bound.second": "the second largest simple sum", "bound.sum": "all simple sums together",
    "bound.size": "the launch's size, by simple sums",
    "bound.rounds": "rounds of threads, one after the other",
    "bound.resident": "threads that the machine holds at a time",
    "bound.latency_ns": "the memory latency of a message",
    "bound.alone": "threads by themselves, round after round",
}


def words(column: str, meanings: Mapping[str, str]) -> str:
    """What a column of columns() is; meanings: of features."""
    if column.startswith("machine."):
        return f"the machine's {column.removeprefix('machine.')}"
    if (name := column.removeprefix("bound.")) in BOUNDS and name != column:
        return BOUNDS[name].split(":")[0]
    return _WORDS.get(column, meanings.get(column, ""))


def matrix(made: Columns, names: Any = None) -> Array:
    """Some columns (None: all) side by side, a row for each row."""
    out: Array = need("numpy").column_stack([made[name] for name in names or made])
    return out


def energy_columns(made: Columns, limits: Columns, cycles: Array) -> dict[str, Array]:
    """X of the energy's correction: columns(), and how far the cycles are over the bounds.
    Nothing of it depends on the parameters power.*: what these change, the sums that are
    corrected have."""
    return {**made, "energy.over": log(cycles / base(limits))}

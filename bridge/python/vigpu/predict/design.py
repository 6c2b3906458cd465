"""From features and parameters to what models are given: the columns of X."""
from __future__ import annotations

from typing import TYPE_CHECKING

from vigpu.modules import need
from vigpu.predict.bound import BOUNDS, MACHINE, bounds

if TYPE_CHECKING:
    import pandas as pd

# The hybrid's denominator: the largest bound and the fixed cost of a launch.
BASE = "base"


def base(limits: pd.DataFrame) -> pd.Series:
    """Cycles that the bounds give: the largest one, and a launch's start and end."""
    largest: pd.Series = limits[list(BOUNDS)].max(axis=1) + limits["fixed"]
    return largest


def columns(frame: pd.DataFrame, features: pd.DataFrame) -> pd.DataFrame:
    """X of the hybrid, a row for each of `frame` (features and parameters side by side);
    features: their table (index: name; columns kind, set)."""
    np, pd = need("numpy"), need("pandas")
    limits = bounds(frame)
    out = {}
    for name, kind in features["kind"].items():
        if kind == "sum" and name != "inst.all":
            out[name] = frame[name] / np.maximum(frame["inst.all"], 1)
        elif kind == "shape":
            out[name] = frame[name]
        else:
            out[name] = np.log1p(frame[name])
    most = base(limits)
    for name in BOUNDS:
        out[f"bound.{name}"] = np.log((limits[name] + 1) / most)
    second = np.sort(limits[list(BOUNDS)].to_numpy(), axis=1)
    out["bound.second"] = np.log((second[:, -2] + 1) / most)
    out["bound.sum"] = np.log(limits[list(BOUNDS)].sum(axis=1) / most)
    out["bound.size"] = np.log(most)
    out["bound.rounds"] = limits["rounds"]
    out["bound.resident"] = np.log1p(limits["resident"])
    out["bound.latency_ns"] = limits["latency_ns"]
    out["bound.alone"] = np.log((limits["alone"] + 1) / most)
    for name in MACHINE:
        out[f"machine.{name}"] = frame[name]
    return pd.DataFrame(out, index=frame.index).astype(float)

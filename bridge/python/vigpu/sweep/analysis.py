"""What a sweep's points say: the effect of each parameter and of pairs, and Pareto fronts.

Times are relative: a point's time by that of the fastest point of its trace. Over traces
they are averaged geometrically."""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.sweep.area import area_mm2

if TYPE_CHECKING:
    import pandas as pd

CHOICES = 12  # values of a parameter that are shown one by one; more are put into bins


@dataclass(frozen=True)
class Effect:
    """Of a parameter. table: by value (or the middle of a bin) the relative time `mean`,
    `low`, `high`, the best value's mean 1. paired: from points that differ in this
    parameter alone; else from all points with the value, whatever else they have."""

    parameter: str
    table: pd.DataFrame
    paired: bool

    @property
    def size(self) -> float:
        """The worst value's mean by the best one's, less 1."""
        return float(self.table["mean"].max() / self.table["mean"].min() - 1)


@dataclass(frozen=True)
class Pair:
    """Of two parameters: the relative time by the values of `rows` and `columns`."""

    rows: str
    columns: str
    table: pd.DataFrame


@dataclass(frozen=True)
class Study:
    """points: read()'s totals with `relative_time`, `energy_nj` (where there are energies)
    and `area_mm2`. parameters: those that vary by themselves. followers: those that only
    follow another, with it. configs: a row for each configuration with all traces."""

    points: pd.DataFrame
    parameters: list[str]
    followers: dict[str, str]
    configs: pd.DataFrame


def study(points: pd.DataFrame, values: pd.DataFrame) -> Study:
    """points: of read(totals=True). values: the same with all_parameters, for the area."""
    if points.empty:
        raise InputError("no point of the sweep is done")
    if (points["time_ns"] <= 0).any():
        raise InputError("a point took no time: its trace has no instruction")
    frame = points.copy()
    group = frame.groupby(["trace", "engine"])
    frame["relative_time"] = frame["time_ns"] / group["time_ns"].transform("min")
    if "energy.pkg_nj" in frame and frame["energy.pkg_nj"].notna().all():
        frame["energy_nj"] = frame["energy.pkg_nj"] + frame["energy.dram_nj"]
        frame["relative_energy"] = frame["energy_nj"] / group_min(frame, "energy_nj")
    frame["area_mm2"] = [area_mm2(row) for row in values.to_dict("records")]
    keys = list(points.attrs["parameters"])
    if frame["base"].nunique() > 1:
        keys.insert(0, "base")
    followers = _followers(frame, keys)
    return Study(frame, [key for key in keys if key not in followers], followers,
                 _configs(frame, keys))


def group_min(frame: pd.DataFrame, column: str) -> pd.Series:
    """The least of the trace."""
    least: pd.Series = frame.groupby(["trace", "engine"])[column].transform("min")
    return least


def _followers(frame: pd.DataFrame, keys: Sequence[str]) -> dict[str, str]:
    """Parameters whose value another one decides, which comes before or has more values."""
    found: dict[str, str] = {}
    for key, other in itertools.permutations(keys, 2):
        if key in found or other in found:
            continue
        pairs = len(frame[[key, other]].drop_duplicates())
        if pairs == frame[other].nunique() and (
                frame[other].nunique() > frame[key].nunique()
                or keys.index(other) < keys.index(key)):
            found[key] = other
    return found


def _mean(times: pd.Series) -> float:
    """Geometric."""
    np = need("numpy")
    return float(np.exp(np.log(times).mean()))


def _configs(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Each configuration once, with the means over its traces; those that lack a trace are
    left out."""
    what = {"time": ("relative_time", _mean), "area_mm2": ("area_mm2", "first"),
            "traces": ("trace", "nunique"), **{key: (key, "first") for key in keys}}
    if "relative_energy" in frame:
        what["energy"] = ("relative_energy", _mean)
    made: pd.DataFrame = frame.groupby(["config", "engine"], sort=False).agg(**what)
    return made[made["traces"] == frame["trace"].nunique()].reset_index()


# ---- against a baseline -------------------------------------------------------------------

MEAN = "geometric mean"


@dataclass(frozen=True)
class Comparison:
    """Of a statistic with that of a baseline. table: a row for each trace, and MEAN; a column
    for each other setting of the baseline's parameters; the ratio of points that differ in
    these alone, averaged geometrically over the others. left_out: traces where the statistic
    is 0 somewhere."""

    statistic: str
    baseline: str
    table: pd.DataFrame
    left_out: list[str]


def compare(made: Study, baseline: str, statistic: str) -> Comparison:
    """baseline: KEY=VALUE, several with commas between, as the points have them."""
    points = made.points
    given = dict(part.partition("=")[::2] for part in baseline.split(","))
    for key in given:
        if key not in (*made.parameters, *made.followers):
            raise InputError(f"--baseline: {key or baseline} does not vary in this sweep; "
                             f"{', '.join(made.parameters) or 'nothing'} does")
    if statistic not in points.columns or points[statistic].dtype.kind not in "iuf":
        raise InputError(f"--stat: no statistic {statistic} (igpu sweep report --csv has all)")
    keys = list(given)
    label = points[keys].astype(str).agg(", ".join, axis=1)
    base = ", ".join(given.values())
    if base not in set(label):
        raise InputError(f"--baseline: no point has {baseline}; there are "
                         f"{'; '.join(dict.fromkeys(label))}")
    others = ["trace", "engine", *(key for key in made.parameters if key not in keys)]
    wide = points.assign(_label=label).pivot_table(
        index=others, columns="_label", values=statistic, aggfunc="first", sort=False)
    wide = wide[list(dict.fromkeys(label))].rename_axis(columns=None)
    bad = (wide <= 0).any(axis=1)
    left_out = list(dict.fromkeys(wide.index[bad].get_level_values("trace")))
    wide = wide[~bad].dropna(subset=[base])
    if wide.empty:
        raise InputError(f"--stat: {statistic} is 0 in all traces: no ratio")
    ratio = wide.div(wide[base], axis=0).drop(columns=base)
    table = ratio.groupby(level="trace", sort=False).agg(_mean)
    return Comparison(statistic, base,
                      need("pandas").concat([table, table.agg(_mean).rename(MEAN).to_frame().T]),
                      left_out)


# ---- effects -----------------------------------------------------------------------------

def effects(made: Study) -> list[Effect]:
    """Of each parameter, the largest first."""
    return sorted((effect(made, key) for key in made.parameters),
                  key=lambda one: -one.size)


def effect(made: Study, parameter: str) -> Effect:
    """Of one parameter."""
    table = _paired(made, parameter)
    paired = table is not None
    if table is None:
        table = _by_value(made.points, parameter)
    return Effect(parameter, table / table["mean"].min(), paired)


def _paired(made: Study, parameter: str) -> pd.DataFrame | None:
    """From points that are equal but for the parameter (and what follows it), where there
    are such with each of its values."""
    points = made.points
    others = ["trace", "engine", *(key for key in made.parameters if key != parameter)]
    wide = points.pivot_table(index=others, columns=parameter, values="relative_time",
                              aggfunc=_mean).dropna()
    if wide.empty:
        return None
    np = need("numpy")
    scaled = wide.div(np.exp(np.log(wide).mean(axis=1)), axis=0)
    return need("pandas").DataFrame({
        "mean": np.exp(np.log(scaled).mean()), "low": scaled.min(), "high": scaled.max()})


def _by_value(points: pd.DataFrame, parameter: str) -> pd.DataFrame:
    """From all points; many values are put into bins of as many points each."""
    pd = need("pandas")
    key = points[parameter]
    if key.nunique() > CHOICES:
        bins = pd.qcut(key, CHOICES - 2, duplicates="drop")
        key = bins.map(lambda interval: float(interval.mid)).astype(float)
    times = points["relative_time"].groupby(key)
    return pd.DataFrame({"mean": times.apply(_mean), "low": times.quantile(0.1),
                         "high": times.quantile(0.9)})


def pairs(made: Study, parameters: Sequence[str], most: int = 6) -> list[Pair]:
    """Pairs of the parameters, in their order, that were varied together."""
    found = []
    for rows, columns in itertools.combinations(parameters, 2):
        table = made.points.pivot_table(index=rows, columns=columns, values="relative_time",
                                        aggfunc=_mean)
        if max(table.shape) <= 4 * CHOICES and min(table.shape) > 1 and \
                float(table.notna().to_numpy().mean()) > 0.5:
            found.append(Pair(rows, columns, table / table.min().min()))
        if len(found) == most:
            break
    return found


def pareto(configs: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """The configurations that no other one beats in one of the two columns without being
    worse in the other; the fewer the better in both."""
    ordered = configs.sort_values([first, second], kind="stable")
    best = ordered[second].cummin()
    kept: Any = ordered[(ordered[second] <= best)
                        & (ordered[second] < best.shift(fill_value=float("inf")))]
    return kept

"""How well models predict what they have not seen: cross-validation in the paper's way, and
in harder ones."""
from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import linear, train
from vigpu.predict.table import PRESETS

if TYPE_CHECKING:
    import pandas as pd

    from vigpu.predict.bound import Array
    from vigpu.predict.table import Table

INLIERS = (50, 40, 30, 20, 15, 10, 5, 1)
HELD_OUT = 8  # one launch name of so many is held out


def held_out(frame: pd.DataFrame) -> Array:
    """The rows of the held-out set: by a digest of the workload's name, so that it stays
    the same whatever else is in the table. No setting was chosen by it."""
    np = need("numpy")
    out: Array = np.array([hashlib.sha256(name.encode()).digest()[0] % HELD_OUT == 0
                           for name in frame["name"]])
    return out


def errors(y: Array, f: Array) -> Array:
    """Absolute percentage errors."""
    np = need("numpy")
    out: Array = 100 * np.abs(y - f) / y
    return out


def inliers(error: Array) -> dict[str, float]:
    """Share of rows whose error is at most so much, in per cent."""
    return {f"I{limit}": 100 * float((error <= limit).mean()) for limit in INLIERS}


def _split(groups: Array, count: int, seed: int) -> Array:
    return train.folds(groups, count, seed)


def paper(table: Table, sets: tuple[str, ...], count: int = 10, seed: int = 1,
          machine: str = "skl-gt2", models: list[str] | None = None) -> pd.DataFrame:
    """The fifteen models, features of `sets` alone, one machine: E_in, E_out, inliers."""
    frame = table.rows()
    frame = frame[(frame["machine"] == machine) & ~held_out(frame)].reset_index(drop=True)
    columns = [n for n, s in table.features["set"].items() if s in sets]
    x, y = frame[columns].to_numpy(float), frame["cycles"].to_numpy(float)
    return fifteen(x, y, _split(frame.index.astype(str).to_numpy(str), count, seed), seed, models)


def fifteen(x: Array, y: Array, fold: Array, seed: int,
            models: list[str] | None = None) -> pd.DataFrame:
    """The fifteen models, or some, on the columns x, each fold told by a fit on all others:
    E_in (mean over the fits), E_out, inliers."""
    np, pd = need("numpy"), need("pandas")
    count, rows = fold.max() + 1, []
    for category, name in linear.names():
        if models is not None and name not in models:
            continue
        inside, outside, used = [], np.zeros(len(y)), []
        for k in range(count):
            part = fold != k
            predict, features = linear.fit(name, x[part], y[part], seed)
            inside.append(errors(y[part], predict(x[part])).mean())
            outside[~part] = errors(y[~part], predict(x[~part]))
            used.append(features)
        rows.append({"category": category, "model": name, "rows": len(y), "features": int(np.median(used)),
                     "E_in": float(np.mean(inside)), "E_out": float(outside.mean()),
                     **inliers(outside)})
    return pd.DataFrame(rows)


def forest_sizes(table: Table, count: int = 10, seed: int = 1) -> pd.DataFrame:
    """E_out of the paper's forest with 2 to 1,024 trees: the first trees of one forest."""
    np, pd = need("numpy"), need("pandas")
    frame = table.rows()
    frame = frame[(frame["machine"] == "skl-gt2") & ~held_out(frame)].reset_index(drop=True)
    x = frame[list(table.features.index)].to_numpy(float)
    y = frame["cycles"].to_numpy(float)
    fold = _split(frame.index.astype(str).to_numpy(str), count, seed)
    sizes = [2 ** k for k in range(1, 11)]
    out = {size: np.zeros(len(y)) for size in sizes}
    for k in range(count):
        part = fold != k
        model = need("sklearn.ensemble").RandomForestRegressor(
            n_estimators=sizes[-1], max_features=1 / 3, min_samples_leaf=5,
            random_state=seed).fit(x[part], y[part])
        trees = np.array([tree.predict(x[~part]) for tree in model.estimators_])
        for size in sizes:
            out[size][~part] = errors(y[~part], trees[:size].mean(axis=0))
    return pd.DataFrame({"trees": sizes, "E_out": [out[s].mean() for s in sizes]})


def hybrid(study: Study, groups: str, count: int, target: str = "hybrid") -> Array:
    """Cross-validation of the middle alone: each row's prediction of cycles. groups: also
    "row". target: "hybrid" (over the bounds), "log" (of cycles, without the bounds)."""
    np = need("numpy")
    made, seed = study.made, study.seed
    keys = made.frame.index.to_numpy().astype(str) if groups == "row" else study.keys(groups)
    x, y = made.x, made.y
    if target == "log":
        x = x[:, [not c.startswith("bound.") for c in made.made]]
        y = np.log(made.cycles)
    fold = _split(keys, count, seed)
    out = np.zeros(len(y))
    for k in range(count):
        part = fold == k
        out[part] = train.fit_middle(x[~part], y[~part], seed).predict(x[part])
    told: Array = np.exp(out) * (made.base if target == "hybrid" else 1)
    return told


def machines(frame: pd.DataFrame) -> Array:
    """The presets by their names, and all swept ones as one."""
    out: Array = frame["machine"].where(frame["machine"].isin(PRESETS), "swept").to_numpy(str)
    return out


class Study:
    """The rows that are not held out, and what models say of them that have not seen a part
    of them; each such cross-validation is run once."""

    def __init__(self, table: Table, seed: int = 1) -> None:
        frame = table.rows()
        self.table, self.seed = table, seed
        self.made = train.Trainer(frame[~held_out(frame)].reset_index(drop=True), table.kinds,
                                  seed)
        self._apart: dict[tuple[str, int], train.Apart] = {}

    def keys(self, groups: str) -> Array:
        """Each row's group: launch, program, machine (the presets, and all swept ones)."""
        frame = self.made.frame
        out: Array = frame[groups].to_numpy().astype(str)
        return machines(frame) if groups == "machine" else out

    def apart(self, groups: str, count: int) -> train.Apart:
        """Rows of a group together; count: folds of them, 0 for one group at a time."""
        key = (groups, count)
        if key not in self._apart:
            self._apart[key] = self.made.apart(self.keys(groups), count)
        return self._apart[key]

    def unseen(self) -> tuple[float, float]:
        """By how much the intervals of cycles and energy are widened for programs that
        training has not seen, as in the model that ships."""
        apart = self.apart("program", 0)
        widen = train.widening(apart.outside())
        return widen, train.widening(apart.energy_outside(widen))


def inside(apart: train.Apart, groups: Array) -> pd.DataFrame:
    """For each row, whether the intervals of cycles and of energy hold it, and their ends
    over each other. By how much they are widened is told by the rows of other groups."""
    np, pd = need("numpy"), need("pandas")
    y, nj = apart.trainer.cycles, apart.trainer.nj
    out = pd.DataFrame({name: np.zeros(len(y)) for name in ("cycles", "width", "energy",
                                                            "energy width")})
    for group in np.unique(groups):
        part = groups == group
        widen = train.widening(apart.outside()[~part])
        low, high = apart.ends(widen)
        out.loc[part, "cycles"] = ((y >= low) & (y <= high))[part]
        out.loc[part, "width"] = (high / low)[part]
        room = train.widening(apart.energy_outside(widen)[~part])
        low, high = apart.energy_ends(widen, room)
        out.loc[part, "energy"] = ((nj >= low) & (nj <= high))[part]
        out.loc[part, "energy width"] = (high / low)[part]
    return out


def program_sums(apart: train.Apart, names: Array) -> pd.DataFrame:
    """Of each program on each machine: the error of its launches' sum, and whether the sums
    of the intervals' ends hold it."""
    np, pd = need("numpy"), need("pandas")
    made = apart.trainer
    low, high = np.zeros(len(names)), np.zeros(len(names))
    for name in np.unique(names):
        part = names == name
        ends = apart.ends(train.widening(apart.outside()[~part]))
        low[part], high[part] = ends[0][part], ends[1][part]
    sums = pd.DataFrame({"program": names, "machine": made.frame["machine"].to_numpy(),
                         "cycles": made.cycles, "guess": apart.guess(), "low": low,
                         "high": high}).groupby(["program", "machine"]).sum()
    return pd.DataFrame({"error": errors(sums["cycles"], sums["guess"]),
                         "inside": sums["cycles"].between(sums["low"], sums["high"])})


def share(y: Array, ends: tuple[Array, Array]) -> tuple[float, str]:
    """What per cent lies between the ends, and by what factor these are apart (median)."""
    np = need("numpy")
    low, high = ends
    return 100 * float(((y >= low) & (y <= high)).mean()), f"{np.median(high / low):.2f}"


@dataclasses.dataclass(frozen=True)
class HeldOut:
    """The held-out rows, as a model sees them that was trained on all others; shares inside
    its intervals in per cent, and medians of the ends' factors."""

    frame: pd.DataFrame
    cycles: Array
    guess: Array
    cycles_inside: float
    width: float
    nj: Array
    energy: Array
    energy_inside: float
    energy_width: float


def on_held_out(study: Study) -> HeldOut:
    """Train without the held-out set, as the model that ships is; predict it."""
    np = need("numpy")
    widen, room = study.unseen()
    made = train.Trainer(study.table.rows(), study.table.kinds, study.seed)
    part = held_out(made.frame)
    told = made.without(part)
    (low, high), (least, most) = told.ends(widen), told.energy_ends(widen, room)
    return HeldOut(
        made.frame[part].reset_index(drop=True), made.cycles[part], told.guess()[part],
        100 * float(((made.cycles >= low) & (made.cycles <= high))[part].mean()),
        float(np.median((high / low)[part])), made.nj[part], told.nj[part],
        100 * float(((made.nj >= least) & (made.nj <= most))[part].mean()),
        float(np.median((most / least)[part])))


def quantile_forest(x: Array, y: Array, new: Array, levels: list[float],
                    seed: int) -> list[Array]:
    """Quantiles by a forest: of the training rows that share a leaf with the row, each
    weighted by 1 over the leaf's rows (Meinshausen, 2006)."""
    np = need("numpy")
    model = need("sklearn.ensemble").RandomForestRegressor(
        n_estimators=48, max_features=1 / 3, min_samples_leaf=5,
        random_state=seed).fit(x, y)
    order = np.argsort(y)
    trained, asked = model.apply(x[order]), model.apply(new)
    weight = np.zeros((len(new), len(y)))
    for tree in range(trained.shape[1]):
        same = asked[:, tree][:, None] == trained[:, tree][None, :]
        weight += same / same.sum(axis=1, keepdims=True)
    total = np.cumsum(weight, axis=1)
    total /= total[:, -1:]
    return [y[order][(total < level).sum(axis=1).clip(max=len(y) - 1)] for level in levels]


LEVELS = (50, 80, 90)  # per cent of rows that an interval is to hold


def forest_intervals(study: Study, groups: str, count: int) -> tuple[pd.DataFrame, Array]:
    """Of quantile forests over the bounds: what share of rows lies inside the interval at
    each of LEVELS, and how far its ends are apart; and the errors of their medians. Rows of
    one value of `groups` together."""
    np, pd = need("numpy"), need("pandas")
    made = study.made
    fold = _split(study.keys(groups), count, study.seed)
    ends = [0.5] + [(100 + sign * level) / 200 for level in LEVELS for sign in (-1, 1)]
    found = np.zeros((len(ends), len(fold)))
    for k in range(count):
        part = fold == k
        found[:, part] = quantile_forest(made.x[~part], made.y[~part], made.x[part], ends,
                                         study.seed)
    rows = []
    for i, level in enumerate(LEVELS):
        inside_, factor = share(made.y, (found[2 * i + 1], found[2 * i + 2]))
        factor = f"{np.exp(np.median(found[2 * i + 2] - found[2 * i + 1])):.2f}"
        rows.append({"level": level, "inside": inside_, "factor": factor})
    return pd.DataFrame(rows), errors(made.cycles, made.base * np.exp(found[0]))


def ranking(table: Table, seed: int = 1) -> pd.DataFrame:
    """Features of the paper's forest (all machines' rows of skl-gt2, log of cycles) by
    three measures: the fall of the residuals' sum of squares, permutation on rows that the
    trees have not seen, and mean |SHAP| where the package shap is installed."""
    np, pd = need("numpy"), need("pandas")
    frame = table.rows()
    frame = frame[(frame["machine"] == "skl-gt2") & ~held_out(frame)].reset_index(drop=True)
    names = list(table.features.index)
    x = frame[names].to_numpy(float)
    y = np.log(frame["cycles"].to_numpy(float))
    part = _split(frame.index.astype(str).to_numpy(str), 4, seed) != 0
    model = need("sklearn.ensemble").RandomForestRegressor(
        n_estimators=128, max_features=1 / 3, min_samples_leaf=5, random_state=seed)
    model.fit(x[part], y[part])
    permuted = need("sklearn.inspection").permutation_importance(
        model, x[~part], y[~part], n_repeats=3, random_state=seed)
    out = pd.DataFrame({"feature": names, "set": table.features["set"].to_list(),
                        "RSS": 100 * model.feature_importances_,
                        "permutation": permuted.importances_mean})
    try:
        import shap
        out["SHAP"] = np.abs(shap.TreeExplainer(model).shap_values(x[~part][:100])).mean(axis=0)
    except ImportError:
        out["SHAP"] = np.nan
    return out.sort_values("RSS", ascending=False).reset_index(drop=True)

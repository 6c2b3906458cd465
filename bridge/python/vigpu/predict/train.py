"""Training of the model that ships: gradient-boosted trees on the logarithm of cycles over
the simple bounds, for the middle and for the interval, and on that of the energy over simple
sums. The same table and seed give the same file, byte for byte (with the same scikit-learn).
"""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import design, joules, timing
from vigpu.predict.bound import bounds
from vigpu.predict.logs import exp, log
from vigpu.predict.model import FORMAT

if TYPE_CHECKING:
    import pandas as pd

    from vigpu.predict.bound import Array
    from vigpu.predict.table import Table

COVER = 0.9  # of the interval
SETTINGS = {"max_iter": 200, "learning_rate": 0.1, "max_leaf_nodes": 24,
            "min_samples_leaf": 8, "l2_regularization": 1.0, "max_bins": 63}
EDGE = {"max_iter": 60, "learning_rate": 0.12, "max_leaf_nodes": 12,
        "min_samples_leaf": 12, "l2_regularization": 1.0, "max_bins": 63}
ENERGY = {"max_iter": 100, "learning_rate": 0.1, "max_leaf_nodes": 16,
          "min_samples_leaf": 8, "l2_regularization": 1.0, "max_bins": 63}


def regressor(seed: int, **settings: Any) -> Any:
    """scikit-learn's histogram gradient boosting."""
    # A second thread gains nothing on a busy machine, and waits by spinning.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    ensemble = need("sklearn.ensemble")
    return ensemble.HistGradientBoostingRegressor(
        random_state=seed, early_stopping=False, **settings)


def target(frame: pd.DataFrame) -> tuple[Array, Array]:
    """log(cycles / base), and base."""
    base = design.base(bounds(frame))
    return log(frame["cycles"].to_numpy(float) / base), base


def fit_middle(x: Array, y: Array, seed: int) -> Any:
    """The model of the middle: errors of the logarithm are about relative errors of
    cycles."""
    return regressor(seed, loss="squared_error", **SETTINGS).fit(x, y)


def fit_edges(x: Array, y: Array, seed: int) -> list[Any]:
    """The models of the interval's two ends."""
    return [regressor(seed, loss="quantile", quantile=q, **EDGE).fit(x, y)
            for q in ((1 - COVER) / 2, (1 + COVER) / 2)]


def folds(groups: Array, count: int, seed: int) -> Array:
    """For each row a fold, the same for all rows of a group."""
    np = need("numpy")
    names = np.unique(groups)
    chosen = np.random.default_rng(seed).permutation(len(names)) % count
    out: Array = chosen[np.searchsorted(names, groups)]
    return out


def widening(outside: Array) -> float:
    """By how much an interval is moved out so that COVER of the rows lie inside, when they
    lie by so much outside of it (negative: inside), and training has not seen their
    programs (conformalised quantile regression)."""
    n = len(outside)
    return float(need("numpy").quantile(outside, min(1.0, COVER * (n + 1) / n)))


class Trainer:
    """What is trained on some rows of the table: X and the targets of all of them."""

    def __init__(self, frame: pd.DataFrame, kinds: dict[str, str], seed: int) -> None:
        self.frame, self.seed = frame, seed
        self.limits = bounds(frame)
        self.made = design.columns(frame, kinds, self.limits)
        self.x = design.matrix(self.made)
        self.base = design.base(self.limits)
        self.cycles = frame["cycles"].to_numpy(float)
        self.y = log(self.cycles / self.base)
        self.parts = joules.energies(frame, self.limits)
        self.nj = frame["energy_nj"].to_numpy(float)

    def energy_x(self, cycles: Array) -> Array:
        """X of the energy's correction when the launches take so many cycles."""
        return design.matrix(design.energy_columns(self.made, self.limits, cycles))

    def fit_energy(self, rows: Array) -> Any:
        """log(energy / that of simple sums), both with the simulated cycles."""
        y = log(self.nj / joules.total(self.parts, self.cycles))
        return regressor(self.seed, loss="squared_error", **ENERGY).fit(
            self.energy_x(self.cycles)[rows], y[rows])

    def energy(self, model: Any, cycles: Array) -> tuple[Array, Array]:
        """The energies that the model gives when the launches take so many cycles, and
        their factors over the simple sums."""
        factor = exp(model.predict(self.energy_x(cycles)))
        return factor * joules.total(self.parts, cycles), factor

    def apart(self, groups: Array, count: int = 0) -> Apart:
        """Every row as models see it that were trained without its group's fold; count 0:
        each group is one."""
        told = Apart(self)
        for part in self._parts(groups, count):
            self._tell(told, part)
        return told

    def _parts(self, groups: Array, count: int) -> list[Array]:
        np = need("numpy")
        fold = folds(groups, count, self.seed) if count else np.unique(
            groups, return_inverse=True)[1]
        parts = [fold == k for k in range(fold.max() + 1)]
        return [part for part in parts if part.any() and not part.all()]

    def energy_with(self, cycles: Array, groups: Array, count: int) -> Array:
        """Each row's energy by a model that has not seen its group, when the launches take
        so many cycles."""
        out: Array = need("numpy").zeros(len(cycles))
        for part in self._parts(groups, count):
            out[part] = self.energy(self.fit_energy(~part), cycles)[0][part]
        return out

    def without(self, part: Array) -> Apart:
        """The rows of `part` as models see them that were trained without these. What it
        says of other rows means nothing."""
        told = Apart(self)
        self._tell(told, part)
        return told

    def _tell(self, told: Apart, part: Array) -> None:
        models = [fit_middle(self.x[~part], self.y[~part], self.seed),
                  *fit_edges(self.x[~part], self.y[~part], self.seed)]
        for log, model in zip(told.logs.values(), models, strict=True):
            log[part] = model.predict(self.x[part])
        guess = self.base * exp(told.logs["middle"])
        nj, factor = self.energy(self.fit_energy(~part), guess)
        told.nj[part], told.factor[part] = nj[part], factor[part]


class Apart:
    """Rows and what models say of them that have not seen their groups."""

    def __init__(self, trainer: Trainer) -> None:
        np = need("numpy")
        count = len(trainer.y)
        self.trainer = trainer
        self.logs = {name: np.zeros(count) for name in ("middle", "least", "most")}
        self.nj, self.factor = np.ones(count), np.ones(count)

    def guess(self) -> Array:
        """Cycles."""
        out: Array = self.trainer.base * exp(self.logs["middle"])
        return out

    def outside(self) -> Array:
        """By how much (a logarithm) cycles lie outside the quantiles' trees."""
        y = self.trainer.y
        out: Array = need("numpy").maximum(self.logs["least"] - y, y - self.logs["most"])
        return out

    def ends(self, widen: float) -> tuple[Array, Array]:
        """The interval of cycles."""
        np = need("numpy")
        base, middle = self.trainer.base, self.logs["middle"]
        return (base * exp(np.minimum(self.logs["least"] - widen, middle)),
                base * exp(np.maximum(self.logs["most"] + widen, middle)))

    def energy_ends(self, widen: float, room: float) -> tuple[Array, Array]:
        """The interval of energies: that of cycles, moved out by `room`."""
        np = need("numpy")
        low, high = (self.factor * joules.total(self.trainer.parts, cycles)
                     for cycles in self.ends(widen))
        return (np.minimum(low * exp(-room), self.nj),
                np.maximum(high * exp(room), self.nj))

    def energy_outside(self, widen: float) -> Array:
        """By how much energies lie outside the interval that the cycles' gives."""
        np = need("numpy")
        low, high = (self.factor * joules.total(self.trainer.parts, cycles)
                     for cycles in self.ends(widen))
        y = self.trainer.nj
        out: Array = np.maximum(log(low / y), log(y / high))
        return out


def train(table: Table, seed: int = 1) -> dict[str, Any]:
    """The content of a model's file, from all rows of the table."""
    np = need("numpy")
    frame = table.rows()
    trainer = Trainer(frame, table.kinds, seed)
    x, y = trainer.x, trainer.y
    low, high = fit_edges(x, y, seed)
    apart = trainer.apart(frame["program"].to_numpy(str), 6)
    widen = widening(apart.outside())
    energy = list(design.energy_columns(trainer.made, trainer.limits, trainer.cycles))
    return {
        "format": FORMAT, "seed": seed, "rows": len(frame), "target": "log(cycles / base)",
        "timing": timing.words(table.timing), "columns": list(trainer.made), "energy_columns": energy[len(trainer.made):],
        "low": [short(v) for v in x.min(axis=0)],
        "high": [short(v) for v in x.max(axis=0)],
        "cover": COVER, "widen": short(widen),
        "energy_widen": short(widening(apart.energy_outside(widen))),
        "middle": export(fit_middle(x, y, seed)),
        "least": export(low), "most": export(high),
        "energy": export(trainer.fit_energy(np.ones(len(y), bool)))}


def text(content: dict[str, Any]) -> str:
    """The file: one line for each part and tree."""
    lines = []
    for key, value in content.items():
        if isinstance(value, dict):
            trees = ",\n".join(json.dumps(t, separators=(",", ":")) for t in value["trees"])
            lines.append(f'"{key}": {{"start": {json.dumps(value["start"])}, "trees": [\n'
                         f"{trees}]}}")
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{" + ",\n".join(lines) + "}\n"


def short(value: float) -> float:
    return float(f"{value:.7g}")


def export(model: Any) -> dict[str, Any]:
    """scikit-learn's trees as lists; feature -1 is a leaf."""
    trees = []
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        leaf = nodes["is_leaf"] != 0
        trees.append({
            "feature": [-1 if end else int(f)
                        for end, f in zip(leaf, nodes["feature_idx"], strict=True)],
            "threshold": [0 if end else float(t)  # exact: values may lie close to it
                          for end, t in zip(leaf, nodes["num_threshold"], strict=True)],
            "left": [0 if end else int(n)
                     for end, n in zip(leaf, nodes["left"], strict=True)],
            "right": [0 if end else int(n)
                      for end, n in zip(leaf, nodes["right"], strict=True)],
            "value": _values(nodes, leaf)})
    return {"start": short(float(model._baseline_prediction.ravel()[0])), "trees": trees}


def _values(nodes: Any, leaf: Any) -> list[float]:
    """Each node's value: a leaf's own, else the mean of those below by their rows."""
    value, count = [0.0] * len(nodes), nodes["count"]
    for node in range(len(nodes) - 1, -1, -1):
        if leaf[node]:
            value[node] = float(nodes["value"][node])
        else:
            left, right = int(nodes["left"][node]), int(nodes["right"][node])
            value[node] = ((value[left] * float(count[left]) +
                            value[right] * float(count[right])) / float(count[node]))
    return [short(v) for v in value]
